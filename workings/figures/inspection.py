"""What a drawn figure's text must hold: it is legible on a phone, inside the figure, and bound.

Works on matplotlib's artists through what they can do, so it needs no import of matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workings.figures.traced import TextUse, Trace
from workings.problems import Location, Problem

PHONE_WIDTH_PX = 288  # what a screen of 320 px leaves for a figure
SMALLEST_TEXT_PX = 11
TOLERANCE = 0.01
OVERHANG_UNITS = 1  # text is laid out with a font that is a little wider than the page's


def inspect(
    canvas: Any, name: str, at: Location, trace: Trace
) -> tuple[tuple[TextUse, ...], list[Problem]]:
    """The numbers that the figure's text shows, and the problems of its text."""
    hidden = set(_not_drawn(canvas))
    texts = [text for text in _texts(canvas) if text not in hidden and text.get_text().strip()]
    scale_labels = set(_labels_of_scales(canvas))
    shown = [text.get_text() for text in texts]
    uses = tuple(sorted(use for use in trace.uses if any(use.shown in text for text in shown)))
    problems = []
    for text in texts:
        problems += _layout_problems(canvas, text, name, at)
        if text not in scale_labels:
            problems += _typed_numbers(text.get_text(), name, at, uses)
    return uses, list(dict.fromkeys(problems))


def _texts(canvas: Any) -> Iterator[Any]:
    for artist in canvas.findobj(include_self=False):
        if hasattr(artist, "get_text") and isinstance(artist.get_text(), str):
            yield artist


def _not_drawn(canvas: Any) -> Iterator[Any]:
    """What matplotlib keeps but does not draw: hidden artists, ticks outside of the axes' view."""
    yield from (artist for artist in canvas.findobj() if not artist.get_visible())
    for axes in canvas.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if not (axes.axison and axes.get_visible() and axis.get_visible()):
                yield from axis.findobj()
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low <= tick.get_loc() <= high:
                    yield from tick.findobj()


def _labels_of_scales(canvas: Any) -> Iterator[Any]:
    """Tick labels that matplotlib writes from the tick's own position, so they cannot be wrong."""
    for axes in canvas.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()).__name__ != "FixedFormatter":
                yield from axis.get_ticklabels()
            yield from axis.get_ticklabels(minor=True)


def _layout_problems(canvas: Any, text: Any, name: str, at: Location) -> Iterator[Problem]:
    width, height = canvas.bbox.width, canvas.bbox.height
    label = text.get_text()
    size_px = text.get_fontsize() * canvas.dpi / 72 * PHONE_WIDTH_PX / width
    if size_px < SMALLEST_TEXT_PX - TOLERANCE:
        yield Problem(
            at, "figure-small-text",
            f"'{label}' in '{name}' is {size_px:.1f} px on a phone; {SMALLEST_TEXT_PX} px is the least.",
            "Make the figure narrower or the text bigger.",
        )  # fmt: skip
    box = text.get_window_extent()
    over = max(-box.x0, -box.y0, box.x1 - width, box.y1 - height)
    if over > OVERHANG_UNITS:
        yield Problem(
            at, "figure-clipped", f"'{label}' in '{name}' hangs {over:.0f} units over the figure's edge.",
            "Move it, shorten it or break it in two.",
        )  # fmt: skip
    if "\n" in label and text.get_horizontalalignment() != "left":
        yield Problem(
            at, "figure-lines", f"'{label.splitlines()[0]}...' in '{name}' has several lines that are not "
            "set at the left, so they shift in the page's font.", "Write each line as a text of its own.",
        )  # fmt: skip


def _typed_numbers(label: str, name: str, at: Location, uses: tuple[TextUse, ...]) -> Iterator[Problem]:
    """Digits of a label that no number of the lesson wrote."""
    rest = label
    for shown in sorted({use.shown for use in uses}, key=len, reverse=True):
        rest = re.sub(rf"(?<![\d.,]){re.escape(shown)}(?!\d|[.,]\d)", " ", rest)
    if digits := re.search(r"\d[\d.,]*", rest):
        yield Problem(
            at, "typed-number", f"'{label}' in '{name}' has the number {digits[0]}, which no number of the lesson wrote.",
            "Write it with an f-string from n; compute what is new in show_numbers.py.",
        )  # fmt: skip
