"""Charts, parts and the HTML of a panel; two lessons in one process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from workings.formula import Folder
from workings.widgets import charts, lessons
from workings.widgets.live import evaluate_panel, open_panel

LINE = {
    "id": "c", "kind": "line", "x": "x", "x_label": "x", "y_label": "y", "x_format": "", "y_format": "",
    "series": [{"key": "a", "label": "first", "format": ""}, {"key": "b", "label": "second", "format": ""}],
}  # fmt: skip
STRIP = {
    "id": "s",
    "kind": "strip",
    "x": "n",
    "kept": "sent",
    "left_out": "gone",
    "series": [{"key": "kept"}],
}


def texts_of(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("text")]


def test_a_chart_says_what_it_is() -> None:
    rows = [{"x": 1, "a": 1, "b": 5}, {"x": 2, "a": 2, "b": 5}]
    root = ElementTree.fromstring(charts.draw("p-c", LINE, rows, "Title <1>", "What & why"))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "p-c-title p-c-desc"
    assert (root[0].tag, root[0].text, root[0].get("id")) == ("title", "Title <1>", "p-c-title")
    assert (root[1].tag, root[1].text, root[1].get("id")) == ("desc", "What & why", "p-c-desc")
    assert not any(element.get("style") for element in root.iter())


def test_lines_differ_by_more_than_colour_and_their_labels_do_not_touch() -> None:
    rows = [{"x": x, "a": 100 + x, "b": 100} for x in (0, 1)]
    root = ElementTree.fromstring(charts.draw("c", LINE, rows, "t", "a"))
    first, second = root.iter("polyline")
    assert first.get("stroke-dasharray") != second.get("stroke-dasharray")
    assert first.get("class") != second.get("class")
    labels = [element for element in root.iter("text") if element.text in ("first", "second")]
    assert abs(float(labels[0].get("y", 0)) - float(labels[1].get("y", 0))) >= 15


@pytest.mark.parametrize("count", [0, 1, 2, 399, 5000])
def test_a_strip_stays_inside_its_frame_and_small(count: int) -> None:
    rows = [{"n": number, "kept": number > count // 2} for number in range(count)]
    svg = charts.draw("s", STRIP, rows, "t", "a")
    for element in ElementTree.fromstring(svg).iter("rect"):
        right = float(element.get("x", 0)) + float(element.get("width", 0))
        assert 0 <= float(element.get("x", 0)) <= right <= charts.WIDTH
    assert len(svg) < 10_000


def test_a_strip_names_what_is_kept() -> None:
    rows = [{"n": number, "kept": number > 10} for number in range(1, 20)]
    assert texts_of(charts.draw("s", STRIP, rows, "t", "a")) == ["1–10", "11–19", "sent", "gone"]


def test_equal_values_and_nothing_at_all_are_drawn_too() -> None:
    for rows in (
        [],
        [{"x": 3, "a": 0, "b": 0}],
        [{"x": 0, "a": -4, "b": 2.5}, {"x": 9, "a": 4, "b": 2.5}],
    ):
        svg = charts.draw("c", LINE, rows, "t", "a")
        assert "nan" not in svg
        assert "inf" not in svg


PANEL: dict[str, Any] = {
    "id": "p", "tables": [], "charts": [], "notes": [], "checks": [],
    "inputs": [{"id": "n", "type": "integer", "label": "N", "default": 2}],
    "outputs": [{"id": "made", "value": "shared.make(n)", "format": "", "formula": True}],
}  # fmt: skip


@pytest.fixture
def two(tmp_path: Path) -> tuple[Folder, Folder]:
    for name, body in {"one": "n + 1", "two": "n * 10"}.items():
        (tmp_path / name).mkdir()
        text = f"import helper\n\n\ndef make(n):\n    return helper.HELP + {body}\n"
        (tmp_path / name / "shared.py").write_text(text)
        (tmp_path / name / "helper.py").write_text(
            f"HELP = {len(name) - 3}\nRUNS = []\nRUNS.append(1)\n"
        )
    return Folder(str(tmp_path / "one"), "code/one"), Folder(str(tmp_path / "two"), "code/two")


def test_modules_of_two_lessons_never_meet(two: tuple[Folder, Folder]) -> None:
    one, other = two
    before = [path for path in sys.path if "one" not in path]
    for _ in range(2):
        assert evaluate_panel(PANEL, {}, one)["outputs"]["made"]["value"] == 3
        helper = sys.modules["helper"]
        assert evaluate_panel(PANEL, {"n": 3}, other)["outputs"]["made"]["value"] == 30
        assert sys.modules["helper"] is not helper
    evaluate_panel(PANEL, {}, one)
    assert sys.modules["helper"].RUNS == [1]
    assert sys.modules["helper"].__file__ == f"{one.path}/helper.py"
    assert [path for path in sys.path if path not in (one.path, other.path)] == before
    lessons.deactivate()
    assert "helper" not in sys.modules
    assert one.path not in sys.path


def test_a_choice_from_rows_fills_the_other_fields(two: tuple[Folder, Folder]) -> None:
    one, _ = two
    rows = "[{'id': 'a', 'n': 5}, {'id': 'b'}]"
    preset = {
        "id": "which", "type": "preset", "label": "Which", "default": "a",
        "choices": {"rows": rows, "value": "id", "label": "{{ id }}!", "fills": []},
    }  # fmt: skip
    inputs = [preset, {**PANEL["inputs"][0], "default": None}]
    opened = open_panel({**PANEL, "inputs": inputs}, one)
    lessons.deactivate()
    assert opened["inputs"][0]["choices"] == [
        {"value": "a", "label": "a!"},
        {"value": "b", "label": "b!"},
    ]
    assert opened["inputs"][0]["fills"] == {"a": {"n": 5}, "b": {"n": None}}
    assert opened["inputs"][1]["default"] == 5
