"""A panel of a calculator, computed: fields in, results as texts, HTML and drawings out.

The build and the reader's browser run this very file, so that what a page shows before any script
runs and what it shows afterwards come from the same lines. Standard library only.

A panel is the JSON that `workings.widgets.declaration.panel_json` makes. JSON goes in and comes
out; between two calls nothing is kept but the lesson's imported modules.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from workings.formula import Folder, evaluate, to_json
from workings.widgets import charts, lessons, parts, texts
from workings.widgets.inputs import parse_inputs

Panel = Mapping[str, Any]
NOT_COMPUTED = "–"


class RefusedError(ValueError):
    """What cannot be computed, as a sentence for the reader."""


@dataclass
class _Run:
    """The values of one evaluation, and how to get more."""

    panel: Panel
    folder: Folder
    names: dict[str, Any]
    refused: dict[str, str] = field(default_factory=dict)

    def value(self, expression: str) -> Any:
        self._refuse_unknown(expression)
        return lessons.value_of(self.folder, expression, self.names)

    def explained(self, expression: str) -> tuple[Any, dict[str, Any] | None]:
        """A value with its formula."""
        self._refuse_unknown(expression)
        names = lessons.namespace(self.folder, expression, self.names)
        found = evaluate(expression, names, self.folder)
        return found.value, to_json(found.formula)

    def _refuse_unknown(self, expression: str) -> None:
        """An expression over an output that was refused has no value either, for the same reason."""
        for name in lessons.names_in(expression) & set(self.refused):
            raise RefusedError(self.refused[name])


def evaluate_panel(
    panel: Panel, given: Mapping[str, Any], folder: Folder, *, formulas: bool = True
) -> dict[str, Any]:
    """Everything that the panel shows for the entries `given` (by field, as typed or as values).

    Formulas take longer than values, so a browser asks for the values alone first.

    Keys of the result: `ok`; `errors` (field -> sentence); `error` (a sentence where the lesson's
    code failed, else empty); `inputs` (field -> value); `outputs` (id -> value, text, formula);
    `tables` (id -> rows); `html` (part -> HTML); `off` (fields that play no part); `missing` (the
    module that was not there, if that was the fault).
    """
    lessons.activate(folder.path)
    values, errors = parse_inputs(panel["inputs"], given)
    run = _Run(panel, folder, dict(values))
    result: dict[str, Any] = {
        "ok": True, "errors": errors, "error": "", "inputs": values,
        "outputs": {}, "tables": {}, "html": {}, "off": [],
    }  # fmt: skip
    try:
        if not errors:
            result["off"] = _fields_off(run)
            errors |= _failed_check(run)
        if errors:
            result["html"] = parts.nothing(panel)
        else:
            _compute(run, result, formulas)
    except Exception as error:  # the lesson's code may raise anything
        result |= {"error": _sentence(error, folder), "outputs": {}, "tables": {}}
        if isinstance(error, ModuleNotFoundError):
            result["missing"] = error.name or str(error)
        result["html"] = parts.nothing(panel)
    result["html"] |= parts.changes(panel, values)
    result["ok"] = not (errors or result["error"])
    return result


def _fields_off(run: _Run) -> list[str]:
    return [
        field_["id"]
        for field_ in run.panel["inputs"]
        if field_.get("applies") and not run.value(field_["applies"])
    ]


def _failed_check(run: _Run) -> dict[str, str]:
    """The first check that fails, as a sentence at its field: later ones may rest on it."""
    for check in run.panel["checks"]:
        try:
            passed, said = bool(run.value(check["expr"])), ""
        except ValueError as error:
            passed, said = False, str(error)
        if not passed:
            message = check["message"] or said or "This does not go with the other entries."
            return {check["field"]: texts.fill(message, run.value)}
    return {}


def _compute(run: _Run, result: dict[str, Any], formulas: bool) -> None:
    for output in run.panel["outputs"]:
        derives = formulas and output["formula"]
        result["outputs"][output["id"]] = shown = _output(run, output, derives)
        result["html"][f"output-{output['id']}"] = parts.output(shown)
        if derives or shown["refusal"]:
            result["html"][f"formula-{output['id']}"] = parts.formula(shown["formula"])
    for table in run.panel["tables"]:
        rows = _rows(run, table["rows"])
        result["tables"][table["id"]] = rows
        result["html"][f"table-{table['id']}"] = parts.table_body(table, rows)
    for chart in run.panel["charts"]:
        rows = result["tables"][chart["table"]] if chart.get("table") else _rows(run, chart["rows"])
        title, alt = (texts.fill(chart[name], run.value) for name in ("title", "alt"))
        drawing = charts.draw(f"{run.panel['id']}-{chart['id']}", chart, rows, title, alt)
        result["html"][f"chart-{chart['id']}"] = parts.chart(drawing, title)
    for note in run.panel["notes"]:
        result["html"][f"note-{note['id']}"] = parts.note(_note(run, note))


def _output(run: _Run, output: Mapping[str, Any], derives: bool) -> dict[str, Any]:
    formula = None
    try:
        if derives:
            value, formula = run.explained(output["value"])
        else:
            value = run.value(output["value"])
    except ValueError as error:
        run.refused[output["id"]] = said = str(error)
        return {"value": None, "text": NOT_COMPUTED, "formula": None, "refusal": said}
    run.names[output["id"]] = value = _checked(value, f"'{output['id']}'")
    shown = texts.show(value, output["format"])
    return {"value": value, "text": shown, "formula": formula, "refusal": ""}


def _checked(value: Any, what: str) -> Any:
    """The value, if it is one that can be shown."""
    if not isinstance(value, int | float | str) or (
        isinstance(value, float) and not isfinite(value)
    ):
        raise TypeError(f"{what} came out as {value!r}, which cannot be shown")
    return value


def _rows(run: _Run, expression: str) -> list[dict[str, Any]]:
    return [
        {key: _checked(value, f"'{key}'") for key, value in row.items()}
        for row in run.value(expression)
    ]


def _note(run: _Run, note: Mapping[str, Any]) -> str:
    """The note's text, or nothing where it does not apply."""
    try:
        return texts.fill(note["text"], run.value) if run.value(note["when"] or "True") else ""
    except RefusedError:
        return ""


def _sentence(error: Exception, folder: Folder) -> str:
    """What a reader is told where nothing can be computed: the lesson's own words, or the fault."""
    if isinstance(error, ValueError) and str(error):
        return str(error)
    if isinstance(error, MemoryError):
        return "The browser has not enough memory for this."
    return f"The lesson's code could not compute this: {fault(error, folder)}."


def fault(error: Exception, folder: Folder) -> str:
    """An exception with the place in the lesson's code that it came from."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if folder.holds(frame.filename)
    ]
    where = f" ({folder.name(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"


def open_panel(panel: Panel, folder: Folder) -> dict[str, Any]:
    """The panel with its choices read from the lesson's rows; ValueError where they are none."""
    lessons.activate(folder.path)
    opened = {
        **panel,
        "inputs": [_with_choices(field_, panel, folder) for field_ in panel["inputs"]],
    }
    filled = {key: value for field_ in opened["inputs"] for key, value in _filled(field_).items()}
    for field_ in opened["inputs"]:
        if field_["default"] is None:
            field_["default"] = filled.get(field_["id"])
    return opened


def _with_choices(field_: Mapping[str, Any], panel: Panel, folder: Folder) -> dict[str, Any]:
    source = field_.get("choices")
    if not isinstance(source, Mapping):
        return dict(field_)
    rows = lessons.value_of(folder, source["rows"], {})
    others = {other["id"] for other in panel["inputs"]} - {field_["id"]}
    filled = source["fills"] or sorted(others & {key for row in rows for key in row})
    choices, fills = [], {}
    for row in rows:
        value = row[source["value"]]
        choices.append({"value": value, "label": _label(source["label"], row, folder)})
        fills[str(value)] = {key: row.get(key) for key in filled}
    opened = {**field_, "choices": choices}
    return {**opened, "fills": fills} if field_["type"] == "preset" else opened


def _label(template: str, row: Mapping[str, Any], folder: Folder) -> str:
    return texts.fill(template, lambda expression: lessons.value_of(folder, expression, row))


def _filled(field_: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = field_.get("fills", {}).get(str(field_["default"]), {})
    return found


# --- text in, text out: what a worker, and the build's child process, call ------------------------

_opened: dict[tuple[str, str], Panel] = {}


def handle(request: str) -> str:
    """Answer one request, JSON in and out.

    `{"lesson": slug, "panel": id, "inputs": {...}}` computes, without the formulas where `formulas` is
    false; the first request for a panel has its JSON as `declaration` too.
    """
    asked = json.loads(request)
    key = asked["lesson"], asked["panel"]
    if asked.get("declaration") is not None:
        _opened[key] = asked["declaration"]
    folder, formulas = lesson_folder(asked["lesson"]), asked.get("formulas", True)
    return json.dumps(evaluate_panel(_opened[key], asked["inputs"], folder, formulas=formulas))


def lesson_folder(slug: str) -> Folder:
    """Where a lesson's wheel was unpacked: beside this package, in `_lessons/<slug>`."""
    place = Path(__file__).parent.parent.parent / "_lessons" / slug
    return Folder(str(place), f"code/{slug}")
