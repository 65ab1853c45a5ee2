"""What the types of a declaration cannot say: names that exist, expressions that are Python."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from workings import formats
from workings.problems import Location, Problem, did_you_mean
from workings.widgets import texts
from workings.widgets.declaration import Chart, ChoiceRows, Input, Output, Panel, Widget
from workings.widgets.lessons import BUILTINS

_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_COLUMN = re.compile(r"\s*(?P<key>\w+)\s*:\s*(?P<header>[^|]+?)\s*(?:\|\s*(?P<format>.*\S)\s*)?")


@dataclass(frozen=True)
class Column:
    """`tokens: Tokens read | thousands` of a table."""

    key: str
    header: str
    format: str


def parse_column(text: str) -> Column | None:
    """The column that the text declares, or None where it declares none."""
    match = _COLUMN.fullmatch(text)
    return Column(match["key"], match["header"], match["format"] or "") if match else None


def faults(widget: Widget, code: Path) -> Iterator[Problem]:
    """Everything that is wrong with the widget; `code` is the folder of the lesson's modules."""
    panels = [(panel.id, panel.places["id"]) for panel in widget.panels]
    yield from _ids(panels, "panel", kebab=True)
    for panel in widget.panels:
        yield from _Panel(panel, code).faults()


def _ids(
    found: Iterable[tuple[str, Location]], what: str, *, kebab: bool = False
) -> Iterator[Problem]:
    counted = Counter[str]()
    for name, at in found:
        counted[name] += 1
        if counted[name] == 2:
            yield Problem(
                at, "duplicate-id", f"there are two {what}s '{name}'.", "Give one another id."
            )
        if kebab and not _KEBAB.fullmatch(name):
            yield Problem(
                at,
                "widget-id",
                f"'{name}' is no id of a {what}.",
                "Use small letters, digits and hyphens.",
            )
        if not kebab and not (name.isidentifier() and not name.startswith("_")):
            yield Problem(
                at, "widget-id", f"'{name}' is no id of a {what}, since expressions use it as a name.",
                "Use small letters, digits and '_'.",
            )  # fmt: skip


class _Panel:
    def __init__(self, panel: Panel, code: Path) -> None:
        self.panel, self.code = panel, code
        self.modules = sorted(path.stem for path in code.glob("*.py"))
        self.inputs = [field.id for field in panel.inputs]
        self.outputs = [output.id for output in panel.outputs]

    def faults(self) -> Iterator[Problem]:
        panel = self.panel
        parts: tuple[Input | Output, ...] = (*panel.inputs, *panel.outputs)
        named = [(part.id, part.places["id"]) for part in parts]
        yield from _ids(named, "value")
        yield from _ids(
            [(table.id, table.places["id"]) for table in panel.tables], "table", kebab=True
        )
        yield from _ids(
            [(chart.id, chart.places["id"]) for chart in panel.charts], "chart", kebab=True
        )
        yield from _ids([(note.id, note.places["id"]) for note in panel.notes], "note", kebab=True)
        for field in panel.inputs:
            yield from self._input(field)
        known = list(self.inputs)
        for output in panel.outputs:
            yield from self._expression(output.value, output.places["value"], known)
            yield from _chain(output.format, output.places.get("format", output.at))
            known.append(output.id)
        for table in panel.tables:
            yield from self._expression(table.rows, table.places["rows"], known)
            for text in table.columns:
                column = parse_column(text)
                if column is None:
                    yield Problem(
                        table.places["columns"], "widget-column", f"'{text}' is no column.",
                        "Write 'field: Header' or 'field: Header | format'.",
                    )  # fmt: skip
                else:
                    yield from _chain(column.format, table.places["columns"])
        for chart in panel.charts:
            yield from self._chart(chart, known)
        for note in panel.notes:
            yield from self._text(note.text, note.places["text"], known)
            if note.when:
                yield from self._expression(note.when, note.places["when"], known)
        for check in panel.checks:
            if check.field not in self.inputs:
                yield Problem(
                    check.places["field"], "unknown-name", f"there is no field '{check.field}'.",
                    did_you_mean(check.field, self.inputs),
                )  # fmt: skip
            yield from self._expression(check.expr, check.places["expr"], self.inputs)
            yield from self._text(check.message, check.places.get("message", check.at), self.inputs)

    def _input(self, field: Input) -> Iterator[Problem]:
        at = field.places.get("choices", field.at)
        if field.type in ("choice", "preset") and not field.choices:
            yield Problem(
                field.at, "missing-key", f"the {field.type} '{field.id}' lacks the key 'choices'.",
                "Give a list of '{value, label}', or '{rows, value, label}'.",
            )  # fmt: skip
        if field.type == "preset" and not isinstance(field.choices, ChoiceRows):
            yield Problem(
                at, "wrong-type", f"the choices of the preset '{field.id}' must come from rows.",
                "Write '{rows: module.function(), value: id, label: \"{{ name }}\"}'.",
            )  # fmt: skip
        if isinstance(field.choices, ChoiceRows):
            yield from self._expression(field.choices.rows, field.choices.places["rows"], [])
            for name in field.choices.fills:
                if name not in self.inputs:
                    yield Problem(
                        field.choices.places["fills"], "unknown-name", f"there is no field '{name}'.",
                        did_you_mean(name, self.inputs),
                    )  # fmt: skip
        if field.default is None and not field.optional and not self._has_preset():
            yield Problem(
                field.at, "missing-key", f"the field '{field.id}' lacks the key 'default'.",
                "Add 'default: ...', or 'n.NAME' for a number of the lesson.",
            )  # fmt: skip
        if field.applies:
            yield from self._expression(field.applies, field.places["applies"], self.inputs)
        if field.scale == "log" and (field.min is None or field.max is None):
            yield Problem(
                field.places["scale"], "missing-key", f"the log scale of '{field.id}' needs both ends.",
                "Add 'min: ...' and 'max: ...'.",
            )  # fmt: skip

    def _has_preset(self) -> bool:
        return any(field.type == "preset" for field in self.panel.inputs)

    def _chart(self, chart: Chart, known: list[str]) -> Iterator[Problem]:
        tables = [table.id for table in self.panel.tables]
        if bool(chart.table) == bool(chart.rows):
            yield Problem(
                chart.at, "missing-key", f"the chart '{chart.id}' needs one of 'table' and 'rows'.",
                "Name the table that it draws.",
            )  # fmt: skip
        elif chart.table and chart.table not in tables:
            yield Problem(
                chart.places["table"], "unknown-name", f"there is no table '{chart.table}'.",
                did_you_mean(chart.table, tables),
            )  # fmt: skip
        elif chart.rows:
            yield from self._expression(chart.rows, chart.places["rows"], known)
        if not chart.series or (chart.kind != "line" and len(chart.series) != 1):
            wanted = "at least one series" if chart.kind == "line" else "exactly one series"
            yield Problem(
                chart.places["series"], "wrong-value", f"a {chart.kind} chart draws {wanted}.",
                "Give 'series: [{key: ..., label: ...}]'.",
            )  # fmt: skip
        for text in (chart.x_format, chart.y_format, *(series.format for series in chart.series)):
            yield from _chain(text, chart.at)
        for name in ("title", "alt"):
            yield from self._text(getattr(chart, name), chart.places[name], known)

    def _text(self, text: str, at: Location, known: list[str]) -> Iterator[Problem]:
        for template in texts.templates(text):
            if not texts.is_over_numbers(template.expression):
                yield from self._expression(template.expression, at, known)
            yield from _chain(template.chain, at)

    def _expression(self, text: str, at: Location, known: Iterable[str]) -> Iterator[Problem]:
        """The names of an expression must exist, and so must what it takes from a module."""
        known = list(known)
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except SyntaxError as error:
            yield Problem(
                at, "widget-expression", f"'{text}' is no Python expression: {error.msg}."
            )
            return
        bound = {
            node.id for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }  # fmt: skip
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id not in {
                *known,
                *self.modules,
                *BUILTINS,
                *bound,
            }:
                names = [*known, *self.modules]
                yield Problem(
                    at, "unknown-name", f"'{node.id}' is no value of the panel and no module of the lesson.",
                    did_you_mean(node.id, names),
                )  # fmt: skip
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module = node.value.id
                if module in self.modules and module not in known:
                    yield from self._attribute(module, node.attr, at)

    def _attribute(self, module: str, name: str, at: Location) -> Iterator[Problem]:
        defined = _defined(self.code / f"{module}.py")
        if defined is not None and name not in defined:
            public = [known for known in defined if not known.startswith("_")]
            yield Problem(
                at,
                "unknown-name",
                f"the module '{module}' has no '{name}'.",
                did_you_mean(name, public),
            )


def _chain(text: str, at: Location) -> Iterator[Problem]:
    try:
        formats.parse_chain(text)
    except formats.FormatError as error:
        yield Problem(at, "unknown-filter", str(error))


@lru_cache(maxsize=256)
def _defined_in(source: str) -> frozenset[str] | None:
    """The names that a module defines at its top, or None where it is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        else:
            names |= {
                part.id for part in ast.walk(node)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }  # fmt: skip
    return frozenset(names)


def _defined(path: Path) -> frozenset[str] | None:
    try:
        return _defined_in(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return None
