"""A widget's default results, computed in the build by the files that the browser runs later."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workings.problems import Location, Problem, ProblemsError
from workings.widgets import sources
from workings.widgets.declaration import Panel, Widget

TIME_LIMIT_S = 30.0


@dataclass(frozen=True)
class EvaluatedPanel:
    """A panel with its choices filled in, and what it shows for its defaults."""

    declared: Panel
    panel: Mapping[str, Any]
    result: Mapping[str, Any]


def evaluate_widget(
    root: Path, widget: Widget, panels: Sequence[Mapping[str, Any]], cache: Path
) -> tuple[EvaluatedPanel, ...]:
    """The panels (`panels` is their JSON, in order) with their results.

    Runs nothing where the same panels were computed from the same files before. ProblemsError where
    the lesson's code fails, or where a default is no valid entry.
    """
    code = root / "code" / widget.slug
    key = _key(code, panels)
    stored = cache / "widgets" / f"{key}.json"
    kept = json.loads(stored.read_text(encoding="utf-8")) if stored.is_file() else None
    answers = kept or _run(root, widget, panels)
    problems = [
        problem
        for declared, answer in zip(widget.panels, answers, strict=True)
        for problem in _problems(declared, answer)
    ]
    if problems:
        raise ProblemsError(problems)
    if kept is None:
        _store(stored, json.dumps(answers))
    return tuple(
        EvaluatedPanel(declared, answer["panel"], answer["result"])
        for declared, answer in zip(widget.panels, answers, strict=True)
    )


def _key(code: Path, panels: Sequence[Mapping[str, Any]]) -> str:
    digest = hashlib.sha256()
    digest.update(json.dumps([sys.version, panels], sort_keys=True).encode())
    for name, content in (*sources.engine_files().items(), *sources.lesson_files(code).items()):
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:32]


def _run(root: Path, widget: Widget, panels: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    folder = root / "code" / widget.slug
    request = {"folder": str(folder), "label": f"code/{widget.slug}", "panels": list(panels)}
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    environment = {
        **kept,
        "PYTHONPATH": str(sources.PACKAGE.parent),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "workings.widgets.child"],
            input=json.dumps(request), capture_output=True, text=True, encoding="utf-8",
            timeout=TIME_LIMIT_S, cwd=root, env=environment, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise _failed(
            widget, f"its default results took longer than {TIME_LIMIT_S:.0f} s."
        ) from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise _failed(widget, f"its default results could not be computed: {last}.")
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def _failed(widget: Widget, reason: str) -> ProblemsError:
    return ProblemsError([Problem(Location(widget.path), "widget-failed", reason)])


def _problems(declared: Panel, answer: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with the defaults: a page must not begin with an error."""
    at = declared.places["id"]
    if answer["fault"]:
        return [
            Problem(at, "widget-failed", f"the panel '{declared.id}' fails: {answer['fault']}.")
        ]
    result = answer["result"]
    if result["error"]:
        return [Problem(at, "widget-failed", f"the panel '{declared.id}' fails: {result['error']}")]
    fields = {field.id: field for field in declared.inputs}
    return [
        Problem(
            fields[name].places.get("default", fields[name].at), "widget-default",
            f"the default of '{name}' is no valid entry: {sentence}",
        )
        for name, sentence in result["errors"].items()
    ]  # fmt: skip


def _store(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=".", delete=False
    ) as file:
        file.write(text)
    os.replace(file.name, path)
