"""A declared panel as the JSON that both the build and the browser compute from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workings.expressions import ExpressionError, evaluate
from workings.problems import Location, Problem, ProblemsError, did_you_mean
from workings.registry import Registry
from workings.widgets import texts
from workings.widgets.checking import parse_column
from workings.widgets.declaration import Chart, ChoiceRows, Input, Panel

Say = Callable[[str, Location], str]


def panel_json(panel: Panel, registry: Registry, plain: Say) -> dict[str, Any]:
    """The panel with the lesson's numbers in it; ProblemsError where one is unknown.

    `plain` renders a text with a page's templates (`{{ n.layers }}`, `{{ fact("id") }}`).
    """
    maker = _Maker(registry, plain)
    made = maker.panel(panel)
    if maker.problems:
        raise ProblemsError(maker.problems)
    return made


def raw_panel(panel: Panel) -> dict[str, Any]:
    """The panel as it is declared: its numbers are still the names of some."""
    return _Raw(Registry(""), lambda text, at: text).panel(panel)


class _Maker:
    def __init__(self, registry: Registry, plain: Say) -> None:
        self.registry, self.plain = registry, plain
        self.problems: list[Problem] = []

    def panel(self, panel: Panel) -> dict[str, Any]:
        return {
            "id": panel.id,
            "inputs": [self.input(field) for field in panel.inputs],
            "outputs": [
                {
                    "id": output.id, "value": output.value,
                    "format": output.format, "formula": output.formula,
                }
                for output in panel.outputs
            ],
            "tables": [
                {"id": table.id, "rows": table.rows, "columns": _columns(table.columns)}
                for table in panel.tables
            ],
            "charts": [self.chart(chart) for chart in panel.charts],
            "notes": [
                {"id": note.id, "text": self.live(note.text, note.places["text"]), "when": note.when}
                for note in panel.notes
            ],
            "checks": [
                {
                    "field": check.field, "expr": check.expr,
                    "message": self.live(check.message, check.places.get("message", check.at)),
                }
                for check in panel.checks
            ],
        }  # fmt: skip

    def input(self, field: Input) -> dict[str, Any]:
        made: dict[str, Any] = {
            "id": field.id,
            "type": field.type,
            "label": self.plain(field.label, field.places["label"]),
            "default": self.bound(field.default, field, "default"),
        }
        for name in ("min", "max"):
            if (value := self.bound(getattr(field, name), field, name)) is not None:
                made[name] = value
        if field.unit:
            made["unit"] = self.plain(field.unit, field.places["unit"])
        if field.step is not None:
            made["step"] = field.step
        if field.scale != "linear":
            made["scale"] = field.scale
        if field.slider and field.type in ("integer", "number") and {"min", "max"} <= set(made):
            made["slider"] = True
        if field.optional:
            made["optional"] = True
        if field.applies:
            made["applies"] = field.applies
        if isinstance(field.choices, ChoiceRows):
            rows = field.choices
            made["choices"] = {
                "rows": rows.rows, "value": rows.value, "label": rows.label, "fills": list(rows.fills),
            }  # fmt: skip
        elif field.choices:
            made["choices"] = [
                {"value": choice.value, "label": self.plain(choice.label, choice.at)}
                for choice in field.choices
            ]
        return made

    def chart(self, chart: Chart) -> dict[str, Any]:
        kinds = {
            "line": {
                name: getattr(chart, name)
                for name in ("x_label", "y_label", "x_format", "y_format")
            },
            "strip": {"kept": chart.kept, "left_out": chart.left_out},
        }
        return {
            "id": chart.id,
            "kind": chart.kind,
            **({"table": chart.table} if chart.table else {"rows": chart.rows}),
            "title": self.live(chart.title, chart.places["title"]),
            "alt": self.live(chart.alt, chart.places["alt"]),
            "x": chart.x,
            "series": [
                {"key": series.key, "label": series.label, "format": series.format}
                for series in chart.series
            ],
            **kinds.get(chart.kind, {}),
        }

    def bound(self, value: Any, field: Input, name: str) -> Any:
        """A plain value, or that of an expression over the lesson's numbers."""
        if not isinstance(value, str):
            return value
        expression = value.strip().removeprefix("{{").removesuffix("}}").strip()
        numeric = field.type in ("integer", "number")
        if not expression.startswith("n.") and not numeric:
            return value
        try:
            return evaluate(expression, self.registry)
        except ExpressionError as error:
            known = [f"n.{number}" for number in self.registry.numbers]
            mend = did_you_mean(f"n.{error.unknown}", known) if error.unknown else ""
            self.problems.append(
                Problem(field.places[name], "unknown-number", f"'{name}': {error.reason}", mend)
            )
            return None

    def live(self, text: str, at: Location) -> str:
        """The text with the lesson's numbers and facts in it; the panel's own values come later."""
        parts, last = [], 0
        for template in texts.templates(text):
            if texts.is_over_numbers(template.expression):
                shown = self.plain(text[template.start : template.end], at)
                parts += [text[last : template.start], shown]
                last = template.end
        return "".join([*parts, text[last:]])


class _Raw(_Maker):
    def bound(self, value: Any, field: Input, name: str) -> Any:
        return value


def _columns(declared: tuple[str, ...]) -> list[dict[str, Any]]:
    columns = [column for text in declared if (column := parse_column(text))]
    return [
        {"key": column.key, "header": column.header, "format": column.format} for column in columns
    ]
