"""CPython and the published Pyodide give the same numbers and show the same texts."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from widget_points import points

from workings.project import read_project
from workings.site import prepare
from workings.widgets import runtime, sources

ROOT = Path(__file__).parent.parent
PROGRAM = Path(__file__).parent / "parity" / "answer_requests.py"
PER_PANEL = 500


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any, Any]]:
    """(request, answer of CPython, answer of Pyodide) for the whole grid."""
    work = tmp_path_factory.mktemp("parity")
    asked = list(requests())
    (work / "requests.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    assets = runtime.ensure(ROOT)
    here, there = run_here(work, assets), run_in_pyodide(work, assets)
    return list(zip(asked, here, there, strict=True))


def requests() -> Iterator[dict[str, Any]]:
    """Each panel at 500 points or more, and each lesson's numbers with its parameters' choices."""
    site = prepare(read_project(ROOT))
    for slug, lesson in site.lessons.items():
        for seed, evaluated in enumerate(lesson.panels):
            declaration: Any = evaluated.panel
            for entries in points(evaluated.panel["inputs"], PER_PANEL, seed):
                yield {
                    "lesson": slug, "panel": evaluated.panel["id"], "inputs": entries,
                    "declaration": declaration,
                }  # fmt: skip
                declaration = None
        yield {"lesson": slug, "parameters": {}}
        for name, parameter in lesson.bundle.front.parameters.items():
            for choice in parameter.choices or (parameter.min, parameter.max):
                if choice is not None:
                    yield {"lesson": slug, "parameters": {name: plain(choice)}}


def plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value == int(value) else value


def run_here(work: Path, assets: runtime.RuntimeAssets) -> list[Any]:
    """The sources of what is published, in the Python of the build."""
    unpacked = work / "site-packages"
    for name, data in sources.engine_files().items():
        (unpacked / name).parent.mkdir(parents=True, exist_ok=True)
        (unpacked / name).write_bytes(data)
    for _, path in assets.files:
        if path.name.startswith("workings_lesson_"):
            zipfile.ZipFile(path).extractall(unpacked)
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(unpacked),
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",
    }
    subprocess.run([sys.executable, str(PROGRAM), str(work)], check=True, env=environment, cwd=work)
    return read_answers(work)


def run_in_pyodide(work: Path, assets: runtime.RuntimeAssets) -> list[Any]:
    (work / "answers.jsonl").unlink()
    runtime.run_published(assets, PROGRAM, work)
    return read_answers(work)


def read_answers(work: Path) -> list[Any]:
    return [
        json.loads(line)
        for line in (work / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def differences(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """Where two answers differ: floats by more than 1e-12 of their size, all else at all."""
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            yield f"{place}: keys {list(one)} and {list(other)}"
        for key in one.keys() & other.keys():
            yield from differences(one[key], other[key], f"{place}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{place}[{index}]")
    elif isinstance(one, float) and isinstance(other, float):
        if not math.isclose(one, other, rel_tol=1e-12):
            yield f"{place}: {one!r} and {other!r}"
    elif type(one) is not type(other) or one != other:
        yield f"{place}: {one!r} and {other!r}"


def test_every_point_gives_the_same_in_both(
    answered: list[tuple[Any, Any, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    found = [
        f"{request['lesson']} {request.get('inputs', request.get('parameters'))}{text}"
        for request, here, there in answered
        for text in differences(here, there)
    ]
    panels = [request["panel"] for request, _, _ in answered if "panel" in request]
    counts = {panel: panels.count(panel) for panel in sorted(set(panels))}
    with capsys.disabled():
        print(f"\nparity: {len(answered)} points ({counts} and the lessons' numbers)")
    assert found[:5] == []
    assert all(count >= PER_PANEL for count in counts.values())
    assert counts


def test_the_grid_holds_results_errors_and_refusals(answered: list[tuple[Any, Any, Any]]) -> None:
    """A grid of errors alone would prove nothing, and neither would one without any."""
    for panel in {request["panel"] for request, _, _ in answered if "panel" in request}:
        results = [here for request, here, _ in answered if request.get("panel") == panel]
        good = [result for result in results if result["ok"]]
        assert len(good) > len(results) / 3
        assert len(good) < len(results)
        shown = {output["text"] for result in good for output in result["outputs"].values()}
        assert len(shown) > len(good) / 10


def test_no_bad_entry_shows_a_number(answered: list[tuple[Any, Any, Any]]) -> None:
    for request, here, _ in answered:
        if "panel" in request and here["errors"]:
            html = "".join(
                text for name, text in here["html"].items() if not name.startswith("changes")
            )
            assert not any(digit in html for digit in "0123456789"), (request, html)


def test_nothing_failed_in_the_lessons_code(answered: list[tuple[Any, Any, Any]]) -> None:
    """Whatever a reader enters: a result, a sentence at a field, or a refusal; no exception, and no
    module that the cut library lacks."""
    for request, here, there in answered:
        for result in (here, there):
            if "panel" in request:
                assert result["error"] == "", request
                assert "missing" not in result, request
