"""A faulty widget.yml is named with the place and the mend; a good one becomes a panel with results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from workings.problems import ProblemsError
from workings.registry import Number, Registry
from workings.widgets.declaration import read_widget
from workings.widgets.evaluation import evaluate_widget
from workings.widgets.panels import panel_json

GOOD = """\
panels:
  - id: tea
    title: Tea
    inputs:
      - {id: cups, type: integer, label: Cups, default: n.guests, min: 1, max: 40}
    checks:
      - {field: cups, expr: cups != 13, message: "Not {{ cups }}."}
    outputs:
      - {id: water_ml, label: Water, value: kettle.water_ml(cups), format: thousands}
    tables:
      - {id: rows, caption: Cups, rows: kettle.rows(cups), columns: ["cup: Cup"]}
    charts:
      - {id: bars, kind: bar, table: rows, title: Cups, alt: "{{ water_ml }} ml", x: cup, series: [{key: cup}]}
    notes:
      - {id: hot, text: "Boil {{ water_ml | thousands }} ml."}
"""
KETTLE = '''\
"""Water for tea."""

CUP_ML = 250


def water_ml(cups: int) -> int:
    return CUP_ML * cups


def rows(cups: int) -> list[dict[str, int]]:
    return [{"cup": cup} for cup in range(1, cups + 1)]
'''
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the widget.yml (and its lesson's code) of a project, and give the project's root."""

    def written(text: str) -> Path:
        for path, content in {"widgets/tea/widget.yml": text, "code/tea/kettle.py": KETTLE}.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(dedent(content), encoding="utf-8")
        return tmp_path

    return written


def messages(root: Path) -> list[str]:
    with pytest.raises(ProblemsError) as raised:
        compute(root)
    return [
        str(problem).removeprefix("widgets/tea/widget.yml:") for problem in raised.value.problems
    ]


def compute(root: Path) -> dict[str, object]:
    """What the first panel shows for its defaults."""
    widget = read_widget(root, "tea")
    assert widget is not None
    registry = Registry("tea", {"guests": Number("guests", 4, None, "4", "", 1)})
    panels = [panel_json(panel, registry, lambda text, at: text) for panel in widget.panels]
    (panel,) = evaluate_widget(root, widget, panels, root / ".cache")
    return dict(panel.result)


def test_a_good_widget_has_results(write: Write) -> None:
    result = compute(write(GOOD))
    assert result["ok"]
    assert result["outputs"]["water_ml"]["text"] == "1,000"  # type: ignore[index]
    assert result["outputs"]["water_ml"]["formula"]["substituted"] == "250 × 4"  # type: ignore[index]
    assert result["html"]["note-hot"] == "Boil 1,000 ml."  # type: ignore[index]
    assert result["tables"]["rows"] == [{"cup": cup} for cup in (1, 2, 3, 4)]  # type: ignore[index]
    assert '<desc id="tea-bars-desc">1,000 ml</desc>' in result["html"]["chart-bars"]  # type: ignore[index]


def test_there_may_be_no_widget(tmp_path: Path) -> None:
    assert read_widget(tmp_path, "tea") is None


UNKNOWN = "is no value of the panel and no module of the lesson."
FAULTS = [
    (
        "kettle.water_ml(cups)", "kettle.water_mll(cups)",
        "9:45: [unknown-name] the module 'kettle' has no 'water_mll'. Did you mean 'water_ml'?",
    ),
    (
        "kettle.water_ml(cups)", "kettel.water_ml(cups)",
        f"9:45: [unknown-name] 'kettel' {UNKNOWN} Did you mean 'kettle'?",
    ),
    (
        "kettle.water_ml(cups)", "kettle.water_ml(cupps)",
        f"9:45: [unknown-name] 'cupps' {UNKNOWN} Did you mean 'cups'?",
    ),
    (
        "kettle.water_ml(cups)", '"kettle.water_ml(cups"',
        "9:45: [widget-expression] 'kettle.water_ml(cups' is no Python expression: '(' was never closed.",
    ),
    (
        "default: n.guests", "default: n.guest",
        "5:57: [unknown-number] 'default': there is no number 'n.guest'. Did you mean 'n.guests'?",
    ),
    (
        "default: n.guests", "defalt: 3",
        "5:48: [unknown-key] an item of 'inputs' has no key 'defalt'. Did you mean 'default'?",
    ),
    (
        "default: n.guests, ", "",
        "5:9: [missing-key] the field 'cups' lacks the key 'default'. "
        "Add 'default: ...', or 'n.NAME' for a number of the lesson.",
    ),
    (
        "type: integer", "type: intger",
        "5:26: [wrong-value] 'type' is 'intger'. Did you mean 'integer'?",
    ),
    (
        "field: cups", "field: cup",
        "7:17: [unknown-name] there is no field 'cup'. Did you mean 'cups'?",
    ),
    (
        "table: rows", "table: row",
        "13:38: [unknown-name] there is no table 'row'. Did you mean 'rows'?",
    ),
    (
        '"cup: Cup"', '"cup"',
        "11:69: [widget-column] 'cup' is no column. "
        "Write 'field: Header' or 'field: Header | format'.",
    ),
    (
        "format: thousands", "format: thousand",
        "9:76: [unknown-filter] there is no format 'thousand'. Did you mean 'thousands'?",
    ),
    (
        "water_ml | thousands", "water_m | thousands",
        f"15:25: [unknown-name] 'water_m' {UNKNOWN} Did you mean 'water_ml'?",
    ),
    (
        "id: tea", "id: Tea_1",
        "2:9: [widget-id] 'Tea_1' is no id of a panel. Use small letters, digits and hyphens.",
    ),
    (
        "id: cups", "id: my-cups",
        "5:14: [widget-id] 'my-cups' is no id of a value, since expressions use it as a name. "
        "Use small letters, digits and '_'.",
    ),
    (
        "min: 1", "min: 5",
        "5:57: [widget-default] the default of 'cups' is no valid entry: "
        "Too small: it must be at least 5.",
    ),
    (
        "cups != 13", "cups != 4",
        "5:57: [widget-default] the default of 'cups' is no valid entry: Not 4.",
    ),
    (
        "kettle.rows(cups)", "\"[{'cup': kettle.CUP_ML / 0}]\"",
        "2:9: [widget-failed] the panel 'tea' fails: "
        "The lesson's code could not compute this: ZeroDivisionError: division by zero.",
    ),
    (
        "panels:", "pannels:",
        "1:1: [unknown-key] the widget has no key 'pannels'. Did you mean 'panels'?",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FAULTS, ids=[fault[1][:30] for fault in FAULTS])
def test_a_fault_has_its_place_and_its_mend(old: str, new: str, message: str, write: Write) -> None:
    assert GOOD.count(old) >= 1
    assert message in messages(write(GOOD.replace(old, new, 1)))


def test_all_faults_are_named_in_one_run(write: Write) -> None:
    text = GOOD.replace("kettle.water_ml", "kettle.watr").replace("table: rows", "table: rwos")
    assert len(messages(write(text))) == 2


def test_a_lesson_that_raises_on_import_is_a_problem(write: Write) -> None:
    root = write(GOOD)
    (root / "code/tea/kettle.py").write_text(
        "CUP_ML = 1 / 0\n\n\ndef water_ml(cups): ...\n\n\ndef rows(cups): ...\n"
    )
    (message,) = messages(root)
    assert message == (
        "2:9: [widget-failed] the panel 'tea' fails: The lesson's code could not compute this: "
        "ZeroDivisionError: division by zero (code/tea/kettle.py, line 1)."
    )


def test_a_lesson_that_exits_is_a_problem(write: Write) -> None:
    root = write(GOOD)
    (root / "code/tea/kettle.py").write_text(
        "import os\nos._exit(3)\n\ndef water_ml(c): ...\ndef rows(c): ...\n"
    )
    (message,) = messages(root)
    assert message == "1:1: [widget-failed] its default results could not be computed: exit code 3."


def test_the_same_files_are_not_computed_twice(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(GOOD)
    first = compute(root)
    monkeypatch.setattr("subprocess.run", lambda *args, **named: pytest.fail("something was run"))
    assert compute(root) == first


def test_an_edit_of_a_module_is_computed_again(write: Write) -> None:
    root = write(GOOD)
    compute(root)
    (root / "code/tea/kettle.py").write_text(KETTLE.replace("250", "200"))
    assert compute(root)["outputs"]["water_ml"]["text"] == "800"  # type: ignore[index]
