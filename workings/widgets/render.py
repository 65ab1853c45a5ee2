"""A panel as HTML: a real form with the results of its defaults, complete before any script runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from workings.problems import Location
from workings.widgets import parts, texts
from workings.widgets.declaration import Input, Output, Table
from workings.widgets.evaluation import EvaluatedPanel
from workings.widgets.markup import escape

Text = Callable[[str, Location], str]

_WITHOUT_SCRIPT = (
    "This calculator needs JavaScript to compute with other entries. What you see are its results for the "
    "entries shown."
)


_ACTIONS = (
    '<p class="wk-actions"><button class="wk-reset" type="reset" hidden>Reset</button>'
    '<button class="wk-retry" type="button" hidden>Try again</button></p>'
    '<div class="wk-said"><p class="wk-status" role="status"></p>'
    '<progress class="wk-progress" max="1" value="0" aria-label="Loading Python" hidden></progress></div>'
    f'<noscript><p class="wk-noscript">{_WITHOUT_SCRIPT}</p></noscript>'
)


def render_panel(slug: str, evaluated: EvaluatedPanel, runtime: str, text: Text) -> str:
    """The panel as a custom element; `runtime` is the folder's name in assets/ (`py-0123456789`).

    `text` gives the HTML of a text in which a page's templates may stand.
    """
    return _Renderer(slug, evaluated, text).html(runtime)


class _Renderer:
    def __init__(self, slug: str, evaluated: EvaluatedPanel, text: Text) -> None:
        self.slug, self.text = slug, text
        self.declared, self.panel = evaluated.declared, evaluated.panel
        self.result = evaluated.result
        self.prefix = f"wk-{self.declared.id}"

    def html(self, runtime: str) -> str:
        declared = self.declared
        fields = zip(declared.inputs, self.panel["inputs"], strict=True)
        title = self.text(declared.title, declared.places["title"])
        intro = ""
        if declared.intro:
            intro = f'<p class="wk-intro">{self.text(declared.intro, declared.places["intro"])}</p>'
        return (
            f'<wk-widget class="wk-widget" id="widget-{declared.id}" data-lesson="{escape(self.slug)}" '
            f'data-panel="{declared.id}" data-runtime="{escape(runtime)}" data-state="static">'
            f'<form class="wk-form" aria-labelledby="{self.prefix}-title" autocomplete="off" novalidate>'
            f'<h3 class="wk-title" id="{self.prefix}-title">{title}</h3>{intro}'
            f'<fieldset class="wk-inputs" disabled><legend>Entries</legend>'
            f"{''.join(self.field(field, resolved) for field, resolved in fields)}</fieldset>"
            f'<div class="wk-bar">{self.headline()}{_ACTIONS}</div>'
            f'<section class="wk-results" aria-label="Results">{self.results()}</section>'
            f"</form>{self.declaration()}</wk-widget>"
        )

    def declaration(self) -> str:
        data = json.dumps(self.panel, separators=(",", ":"), ensure_ascii=False).replace(
            "<", "\\u003c"
        )
        return f'<script type="application/json" class="wk-declaration">{data}</script>'

    def field(self, field: Input, resolved: Mapping[str, Any]) -> str:
        name, identifier = field.id, f"{self.prefix}-{field.id}"
        described = []
        unit = help_ = ""
        if field.unit:
            unit = f'<span class="wk-unit" id="{identifier}-unit">{self.text(field.unit, field.places["unit"])}</span>'
            described.append(f"{identifier}-unit")
        if field.help:
            help_ = f'<p class="wk-help" id="{identifier}-help">{self.text(field.help, field.places["help"])}</p>'
            described.append(f"{identifier}-help")
        described.append(f"{identifier}-error")
        attributes = f'id="{identifier}" name="{name}" aria-describedby="{" ".join(described)}"'
        label = f'<label for="{identifier}">{self.text(field.label, field.places["label"])}</label>'
        changes = (
            f'<p class="wk-changes" data-part="changes-{name}"></p>'
            if field.type == "preset"
            else ""
        )
        entry = f'<div class="wk-entry">{self.entry(field, resolved, attributes)}{unit}</div>'
        return (
            f'<div class="wk-field wk-field-{field.type}" data-field="{name}">{label}{entry}{help_}{changes}'
            f'<p class="wk-field-error" id="{identifier}-error" hidden></p></div>'
        )

    def entry(self, field: Input, resolved: Mapping[str, Any], attributes: str) -> str:
        default = resolved["default"]
        if field.type == "toggle":
            return f'<input type="checkbox" {attributes}{" checked" if default else ""}>'
        if field.type in ("choice", "preset"):
            options = "".join(
                f'<option value="{escape(str(choice["value"]))}"'
                f"{' selected' if str(choice['value']) == str(default) else ''}>{escape(choice['label'])}</option>"
                for choice in resolved["choices"]
            )
            return f"<select {attributes}>{options}</select>"
        mode = "numeric" if field.type == "integer" else "decimal"
        shown = "" if default is None else texts.show(default)
        return f'<input type="text" inputmode="{mode}" value="{escape(shown)}" {attributes}>'

    def results(self) -> str:
        made = []
        if others := self.declared.outputs[1:]:
            made.append(f'<dl class="wk-outputs">{"".join(map(self.output, others))}</dl>')
        made += [
            f'<p class="wk-note" data-part="note-{note.id}">{self.part(f"note-{note.id}")}</p>'
            for note in self.declared.notes
        ]
        made += [
            f'<figure class="wk-chart-figure wk-chart-{chart.kind}" data-part="chart-{chart.id}">'
            f"{self.part(f'chart-{chart.id}')}</figure>"
            for chart in self.declared.charts
        ]
        tables = zip(self.declared.tables, self.panel["tables"], strict=True)
        made += [self.table(table, resolved) for table, resolved in tables]
        return '<p class="wk-error" hidden></p>' + "".join(made)

    def headline(self) -> str:
        """The first result stands alone, so that it can stay in view while a reader edits."""
        first = "".join(map(self.output, self.declared.outputs[:1]))
        return f'<dl class="wk-outputs wk-headline">{first}</dl>' if first else ""

    def output(self, output: Output) -> str:
        inputs = " ".join(f"{self.prefix}-{field.id}" for field in self.declared.inputs)
        help_ = ""
        if output.help:
            help_ = f'<span class="wk-help">{self.text(output.help, output.places["help"])}</span>'
        # A result is read when one goes to it; the status line alone speaks by itself.
        return (
            f'<div class="wk-output"><dt>{self.text(output.label, output.places["label"])}{help_}</dt>'
            f'<dd><output aria-live="off" for="{inputs}" data-part="output-{output.id}">'
            f"{self.part(f'output-{output.id}')}</output>"
            f'<div data-part="formula-{output.id}">{self.part(f"formula-{output.id}")}</div></dd></div>'
        )

    def table(self, table: Table, resolved: Mapping[str, Any]) -> str:
        classes = parts.numeric_classes(resolved, self.result["tables"][table.id])
        head = "".join(
            f'<th scope="col"{kind}>{escape(column["header"])}</th>'
            for column, kind in zip(resolved["columns"], classes, strict=True)
        )
        caption = self.text(table.caption, table.places["caption"])
        body = (
            f'<div class="wk-table" tabindex="0" role="region" aria-labelledby="{self.prefix}-{table.id}-caption">'
            f'<table><caption id="{self.prefix}-{table.id}-caption">{caption}</caption><thead><tr>{head}</tr></thead>'
            f'<tbody data-part="table-{table.id}">{self.part(f"table-{table.id}")}</tbody></table></div>'
        )
        if not table.folded:
            return body
        return f'<details class="wk-fold"><summary>Table: {caption}</summary>{body}</details>'

    def part(self, name: str) -> str:
        made: str = self.result["html"].get(name, "")
        return made
