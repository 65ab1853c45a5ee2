"""The HTML of what changes in a panel: results, tables' bodies, notes. Standard library only.

The build puts these parts into the page, and the browser puts the same ones in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workings.widgets import texts
from workings.widgets.markup import escape

Panel = Mapping[str, Any]
NOTHING = '<span class="wk-value wk-value-none">–</span>'


def output(shown: Mapping[str, Any]) -> str:
    """One result: its value, or why there is none."""
    if shown["refusal"]:
        return f'{NOTHING}<span class="wk-refusal">{escape(shown["refusal"])}</span>'
    value = shown["value"]
    raw = value if isinstance(value, str) else repr(value)
    return f'<data class="wk-value" value="{escape(raw)}">{escape(shown["text"])}</data>'


def formula(derived: Mapping[str, Any] | None) -> str:
    """A result's formula, with the numbers in it and with their names."""
    if derived is None:
        return ""
    names, numbers = derived["text"], derived["substituted"]
    made = f'<span class="wk-formula">= {escape(numbers)}</span>'
    return (
        made if names == numbers else f'{made}<span class="wk-formula-names">{escape(names)}</span>'
    )


def numeric_classes(table: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """For each column: the attribute of its cells, which stand right where they are numbers."""
    return [
        "" if any(isinstance(row[column["key"]], str) for row in rows) else ' class="num"'
        for column in table["columns"]
    ]


def table_body(table: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows of a table; the first column heads its row."""
    numeric = numeric_classes(table, rows)
    cells = [
        [texts.show(row[column["key"]], column["format"]) for column in table["columns"]]
        for row in rows
    ]
    return "".join(
        "<tr>"
        + f'<th scope="row"{numeric[0]}>{escape(row[0])}</th>'
        + "".join(
            f"<td{kind}>{escape(cell)}</td>"
            for cell, kind in zip(row[1:], numeric[1:], strict=True)
        )
        + "</tr>"
        for row in cells
    )


def chart(drawing: str, title: str) -> str:
    return f"<figcaption>{escape(title)}</figcaption>{drawing}"


def note(text: str) -> str:
    return escape(text)


def nothing(panel: Panel) -> dict[str, str]:
    """The parts where nothing could be computed: no number is left standing."""
    return {
        **{f"output-{output_['id']}": NOTHING for output_ in panel["outputs"]},
        **{f"formula-{output_['id']}": "" for output_ in panel["outputs"]},
        **{f"table-{table['id']}": "" for table in panel["tables"]},
        **{f"chart-{chart['id']}": "" for chart in panel["charts"]},
        **{f"note-{note_['id']}": "" for note_ in panel["notes"]},
    }


def changes(panel: Panel, values: Mapping[str, Any]) -> dict[str, str]:
    """For each preset: which of the fields that it filled in have another value now."""
    labels = {field["id"]: field["label"] for field in panel["inputs"]}
    defaults = {field["id"]: field["default"] for field in panel["inputs"]}
    made: dict[str, str] = {}
    for preset in panel["inputs"]:
        if preset["type"] != "preset":
            continue
        chosen = values.get(preset["id"])
        filled = preset.get("fills", {}).get(str(chosen), {})
        # A panel may start with other values than its first preset: that is no change of the reader's.
        start = defaults if chosen == preset["default"] else filled
        changed = [
            f"{labels[name]} {_shown(values[name])} instead of {_shown(value)}"
            for name, value in filled.items()
            if name in values and values[name] not in (value, start.get(name))
        ]
        text = f"Changed from the preset: {'; '.join(changed)}." if changed else ""
        made[f"changes-{preset['id']}"] = escape(text)
    return made


def _shown(value: Any) -> str:
    return "nothing" if value is None else texts.show(value)
