"""A lesson's calculator as its widget.yml declares it. An author writes no JavaScript.

Expressions are Python over the panel's inputs, its earlier outputs and the lesson's modules, such as
`kv_cache.bytes_per_token(layers, kv_heads, head_dim, 2)`. A default, a minimum or a maximum may be an
expression over the lesson's numbers, such as `n.layers`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workings.bundle import read_text
from workings.problems import Location, ProblemsError
from workings.widgets import texts
from workings.yamlio import read

Bound = int | float | str | None
Places = Mapping[str, Location]


@dataclass(frozen=True)
class Choice:
    """One option of a list."""

    value: int | float | str
    label: str
    at: Location = Location("")


@dataclass(frozen=True)
class ChoiceRows:
    """Options from the lesson's code: `rows` gives them, `value` and `label` say what of a row.

    A preset sets the fields that are named like the row's other keys, or those in `fills`.
    """

    rows: str
    value: str
    label: str
    fills: tuple[str, ...] = ()
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Input:
    """A field. `applies` is an expression that tells whether it plays a part."""

    id: str
    label: str
    type: Literal["integer", "number", "choice", "toggle", "preset"]
    default: int | float | str | bool | None = None
    help: str = ""
    unit: str = ""
    min: Bound = None
    max: Bound = None
    step: int | float | None = None
    scale: Literal["linear", "log"] = "linear"
    slider: bool = True
    optional: bool = False
    choices: tuple[Choice, ...] | ChoiceRows = ()
    applies: str = ""
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Output:
    """A result. `format` is a chain such as `gib(2)`; `formula: false` shows the value alone."""

    id: str
    label: str
    value: str
    format: str = ""
    help: str = ""
    formula: bool = True
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """Rows that an expression gives; columns are `field: Header | format`. `folded` hides them at first."""

    id: str
    caption: str
    rows: str
    columns: tuple[str, ...]
    folded: bool = False
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Series:
    """A column that a chart draws."""

    key: str
    label: str = ""
    format: str = ""
    at: Location = Location("")


@dataclass(frozen=True)
class Chart:
    """A drawing of a table's rows, or of `rows`. `title` and `alt` may hold `{{ replies }}`.

    A bar chart draws one series, a bar for each row named by `x`. A line chart draws each series over
    `x`. A strip draws a box for each row, named by `x`, filled where the one series is true.
    """

    id: str
    kind: Literal["bar", "line", "strip"]
    title: str
    alt: str
    x: str
    series: tuple[Series, ...]
    table: str = ""
    rows: str = ""
    x_label: str = ""
    y_label: str = ""
    x_format: str = ""
    y_format: str = ""
    kept: str = "kept"
    left_out: str = "left out"
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Note:
    """A sentence with values in it, shown where `when` holds."""

    id: str
    text: str
    when: str = ""
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """What must hold for the entries; else the field says `message`, or what `expr` raised."""

    field: str
    expr: str
    message: str = ""
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Panel:
    """One form with its results."""

    id: str
    title: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...] = ()
    intro: str = ""
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[Note, ...] = ()
    checks: tuple[Check, ...] = ()
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class _File:
    panels: tuple[Panel, ...]
    at: Location = Location("")
    places: Places = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Widget:
    """A lesson's calculator. `path` is relative to the project's root."""

    slug: str
    path: str
    panels: tuple[Panel, ...]

    def panel(self, identifier: str) -> Panel:
        """The panel of that name; KeyError where there is none."""
        return {panel.id: panel for panel in self.panels}[identifier]

    def static_texts(self) -> Iterator[tuple[str, Location]]:
        """What is written once: a page's templates, such as `{{ n.layers }}`, may stand in it.

        Those in texts that change with the entries are written once too, and given each by itself.
        """
        for panel in self.panels:
            yield panel.title, panel.places["title"]
            if panel.intro:
                yield panel.intro, panel.places["intro"]
            parts: tuple[Input | Output, ...] = (*panel.inputs, *panel.outputs)
            for part in parts:
                for name in ("label", "help", "unit"):
                    if name in part.places:
                        yield str(getattr(part, name)), part.places[name]
            for table in panel.tables:
                yield table.caption, table.places["caption"]
        for text, at in self.live_texts():
            for template in texts.templates(text):
                if texts.is_over_numbers(template.expression):
                    yield text[template.start : template.end], at

    def live_texts(self) -> Iterator[tuple[str, Location]]:
        """What is written anew with each result: values of the panel may stand in it."""
        for panel in self.panels:
            for chart in panel.charts:
                yield chart.title, chart.places["title"]
                yield chart.alt, chart.places["alt"]
            for note in panel.notes:
                yield note.text, note.places["text"]
            for check in panel.checks:
                if check.message:
                    yield check.message, check.places["message"]


def widget_path(slug: str) -> str:
    return f"widgets/{slug}/widget.yml"


def read_widget(root: Path, slug: str) -> Widget | None:
    """The calculator of a lesson, or None where it has none; ProblemsError with every fault found."""
    from workings.widgets.checking import faults

    path = widget_path(slug)
    if not (root / path).is_file():
        return None
    declared = read(_File, read_text(root, path), path, "the widget")
    widget = Widget(slug, path, declared.panels)
    if problems := list(faults(widget, root / "code" / slug)):
        raise ProblemsError(problems)
    return widget
