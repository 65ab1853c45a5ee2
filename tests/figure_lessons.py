"""Draws the figures of a lesson for the tests, in a process of its own like the build does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from workings.execution.faults import from_json
from workings.figures.declaration import Declarations, read_declarations
from workings.figures.job import Figure, read_figures
from workings.problems import Problem

ROOT = Path(__file__).parent.parent
LESSON = "why-chatbots-forget"

_DRAW = """
import json, sys
root, slug, payloads = json.load(sys.stdin)
sys.path.insert(0, f"{root}/code/{slug}")
from workings.execution.faults import Place, as_json
from workings.figures.render import figures_job
from workings.problems import ProblemsError
answers = []
for payload in payloads:
    try:
        answers.append([figures_job(Place(root, slug), payload), []])
    except ProblemsError as error:
        answers.append([[], [as_json(problem) for problem in error.problems]])
print(json.dumps(answers))
"""
_NUMBERS = """
import json, show_numbers, sys
print(json.dumps([show_numbers.numbers(**inputs) for inputs in json.load(sys.stdin)]))
"""


@dataclass(frozen=True)
class Drawing:
    """The figures of a lesson, or what is wrong with them."""

    figures: Mapping[str, Figure]
    problems: tuple[Problem, ...]


def declare(folder: Path, source: str) -> Declarations:
    """The declarations of a lesson `tea` whose figures.py is `source`."""
    file = folder / "code" / "tea" / "figures.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(dedent(source), encoding="utf-8")
    return read_declarations(folder, "tea")


def draw(
    root: Path,
    slug: str,
    *numbers: Mapping[str, Any],
    budget_bytes: int = 20_000,
    hash_seed: str = "0",
) -> list[Drawing]:
    """The figures that the lesson declares, once over each of the given numbers."""
    declared = read_declarations(root, slug)
    assert declared.problems == ()
    figures = [
        {"name": figure.name, "function": figure.function, "at": asdict(figure.function_at)}
        for figure in declared.figures.values()
    ]
    payloads = [
        {"numbers": each, "figures": figures, "budget_bytes": budget_bytes} for each in numbers
    ]
    return [
        Drawing(read_figures(made), tuple(map(from_json, problems)))
        for made, problems in _run(_DRAW, ROOT, [str(root), slug, payloads], hash_seed)
    ]


def lesson_numbers(*inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The first lesson's own numbers for each of these inputs."""
    return list(_run(_NUMBERS, ROOT / "code" / LESSON, inputs))


def _run(script: str, folder: Path, given: Any, hash_seed: str = "0") -> Any:
    ran = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(given),
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)
