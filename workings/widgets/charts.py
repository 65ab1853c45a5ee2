"""Charts of a panel as SVG, drawn by the same lines in the build and in the browser.

A library would have been a second renderer (matplotlib cannot follow a reader's typing, and a script
for charts would draw what no test of ours has seen in the build). What a calculator needs is
little: bars with their values, lines with their names, a strip of boxes. Colours are the classes of
figures.css; a dash or an outline says the same as each colour. Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workings.widgets import texts
from workings.widgets.markup import escape
from workings.widgets.scales import Axis, axis

Row = Mapping[str, Any]
Chart = Mapping[str, Any]

WIDTH = 400
_CHARACTER = 7.7  # width of an average character of 14 px text, with slack
_DASHES = ("", "6 4", "2 3", "9 3 2 3")


def draw(identifier: str, chart: Chart, rows: Sequence[Row], title: str, alt: str) -> str:
    """One chart as an `<svg>`; `identifier` makes its ids unique on the page."""
    height, body = _KINDS[chart["kind"]](chart, rows)
    return (
        f'<svg class="wk-chart wk-figure-svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-labelledby="{identifier}-title {identifier}-desc">'
        f'<title id="{identifier}-title">{escape(title)}</title>'
        f'<desc id="{identifier}-desc">{escape(alt)}</desc>{body}</svg>'
    )


def _bar(chart: Chart, rows: Sequence[Row]) -> tuple[int, str]:
    """A bar per row, its name above it and its value at its end."""
    series = chart["series"][0]
    top = max([row[series["key"]] for row in rows], default=0)
    shown = [texts.show(row[series["key"]], series["format"]) for row in rows]
    room = WIDTH - max([_width(text) for text in shown], default=0) - 8
    made = []
    for index, (row, text) in enumerate(zip(rows, shown, strict=True)):
        y = 15 + index * 46
        length = room * row[series["key"]] / top if top else 0
        made.append(
            _text(0, y, str(row[chart["x"]]))
            + f'<rect class="wk-c{index % 6 + 1}-fill" x="0" y="{y + 6}" width="{_px(length)}" height="18"/>'
            + _text(length + 6, y + 20, text, "wk-ink-fill")
        )
    return 15 + 46 * len(rows), "".join(made)


def _line(chart: Chart, rows: Sequence[Row]) -> tuple[int, str]:
    """A line per series, its name at its end."""
    names = [series["label"] for series in chart["series"]]
    top, bottom = 30, 236
    columns = [[row[series["key"]] for row in rows] for series in chart["series"]]
    across = axis([row[chart["x"]] for row in rows], chart["x_format"], 5, tight=True)
    up = axis([0, *(value for column in columns for value in column)], chart["y_format"], 5)
    left = max([_width(text) for _, text in up.ticks]) + 8
    right = WIDTH - max(map(_width, names)) - 10

    def x(value: float) -> float:
        return left + (right - left) * across.place(value)

    def y(value: float) -> float:
        return bottom - (bottom - top) * up.place(value)

    made = [_grid(up, y, left, right), _ticks(across, x, bottom)]
    made.append(_text(0, 13, chart["y_label"], "wk-muted-fill"))
    made.append(_text((left + right) / 2, bottom + 38, chart["x_label"], "wk-muted-fill", "middle"))
    ends = _spread([y(column[-1]) if column else bottom for column in columns], 17, bottom)
    for index, (column, name, end) in enumerate(zip(columns, names, ends, strict=True)):
        places = [(x(row[chart["x"]]), y(value)) for row, value in zip(rows, column, strict=True)]
        made.append(_polyline(places, index))
        made.append(_text(right + 6, end + 5, name, f"wk-c{index % 6 + 1}-fill"))
    return bottom + 44, "".join(made)


def _polyline(places: Sequence[tuple[float, float]], index: int) -> str:
    colour, dash = f"wk-c{index % 6 + 1}", _DASHES[index % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    points = " ".join(f"{_px(x)},{_px(y)}" for x, y in places)
    dots = ""
    if len(places) <= 12:
        dots = "".join(
            f'<circle class="{colour}-fill" cx="{_px(x)}" cy="{_px(y)}" r="2.5"/>'
            for x, y in places
        )
    return f'<polyline class="{colour}-stroke" fill="none" stroke-width="2"{dashed} points="{points}"/>{dots}'


def _grid(up: Axis, y: Callable[[float], float], left: float, right: float) -> str:
    return "".join(
        f'<line class="wk-line-stroke" x1="{_px(left)}" x2="{_px(right)}" y1="{_px(y(tick))}" '
        f'y2="{_px(y(tick))}" stroke-width="{1 if tick == 0 else 0.4}"/>'
        + _text(left - 5, y(tick) + 5, text, "wk-muted-fill", "end")
        for tick, text in up.ticks
    )


def _ticks(across: Axis, x: Callable[[float], float], bottom: float) -> str:
    return "".join(
        f'<line class="wk-line-stroke" x1="{_px(x(tick))}" x2="{_px(x(tick))}" y1="{bottom}" '
        f'y2="{bottom + 4}" stroke-width="1"/>'
        + _text(x(tick), bottom + 19, text, "wk-muted-fill", "middle")
        for tick, text in across.ticks
    )


def _spread(places: Sequence[float], gap: float, bottom: float) -> list[float]:
    """The places moved apart, so that no two labels at them touch, none below the axis."""
    moved = list(places)
    order = sorted(range(len(places)), key=lambda index: -places[index])
    limit = bottom
    for index in order:
        moved[index] = min(moved[index], limit)
        limit = moved[index] - gap
    return moved


def _strip(chart: Chart, rows: Sequence[Row]) -> tuple[int, str]:
    """A box per row, filled or only outlined; boxes too narrow for a name are drawn as one run."""
    flag, name = chart["series"][0]["key"], chart["x"]
    width = WIDTH / max(1, len(rows))
    made, start = [], 0
    for run in _runs(rows, flag, together=width < 26):
        x, length = start * width, len(run) * width
        first, last = str(run[0][name]), str(run[-1][name])
        label = first if first == last else f"{first}–{last}"
        kept = bool(run[0][flag])
        look = (
            'class="wk-c1-fill"'
            if kept
            else ('class="wk-line-stroke" fill="none" stroke-width="1.5" stroke-dasharray="3 3"')
        )
        gap = 1 if width >= 4 else 0.5
        made.append(
            f'<rect {look} x="{_px(x + gap)}" y="2" width="{_px(max(0.5, length - 2 * gap))}" height="30"/>'
        )
        if _width(label) <= length - 2:
            ink = "wk-paper-fill" if kept else "wk-ink-fill"
            made.append(_text(x + length / 2, 22, label, ink, "middle"))
        start += len(run)
    made.append(_legend(chart))
    return 60, "".join(made)


def _legend(chart: Chart) -> str:
    kept, left_out = chart["kept"], chart["left_out"]
    second = 24 + _width(kept) + 12
    return (
        '<rect class="wk-c1-fill" x="1" y="42" width="14" height="12"/>'
        + _text(20, 53, kept)
        + f'<rect class="wk-line-stroke" fill="none" stroke-width="1.5" stroke-dasharray="3 3" '
        f'x="{_px(second)}" y="42" width="14" height="12"/>' + _text(second + 19, 53, left_out)
    )


def _runs(rows: Sequence[Row], flag: str, *, together: bool) -> list[list[Row]]:
    runs: list[list[Row]] = []
    for row in rows:
        if together and runs and bool(runs[-1][-1][flag]) == bool(row[flag]):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _text(x: float, y: float, text: str, ink: str = "wk-ink-fill", anchor: str = "start") -> str:
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{ink}" x="{_px(x)}" y="{_px(y)}"{placed}>{escape(text)}</text>'


def _width(text: str) -> float:
    return len(text) * _CHARACTER


def _px(number: float) -> str:
    """A coordinate with at most one decimal, the same on every platform."""
    return f"{round(number, 1):g}"


_KINDS: Mapping[str, Callable[[Chart, Sequence[Row]], tuple[int, str]]] = {
    "bar": _bar,
    "line": _line,
    "strip": _strip,
}
