"""What the text of a drawn figure must be: legible on a phone, inside the figure, and bound.

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
ROUNDING_PX = 0.01
GIVEN_LABELS = {"FixedFormatter", "FuncFormatter"}  # what an axis has after set_xticks(at, labels)
OVERHANG_UNITS = 1  # text is laid out with a font that is a little wider than the page's


def inspect(
    canvas: Any, name: str, at: Location, trace: Trace
) -> tuple[tuple[TextUse, ...], list[Problem]]:
    """The numbers that the figure's text shows, and the problems of its text."""
    hidden = set(_not_drawn(canvas))
    texts = [text for text in _texts(canvas) if text not in hidden]
    uses = tuple(sorted(use for use in trace.uses if any(use.shown in t.get_text() for t in texts)))
    scale_labels = set(_labels_of_scales(canvas))
    problems: list[Problem] = []
    for text in texts:
        problems += _layout_problems(canvas, text, name, at)
        if text not in scale_labels:
            problems += _typed_numbers(text.get_text(), name, at, uses)
    return uses, list(dict.fromkeys(problems))


def _texts(canvas: Any) -> Iterator[Any]:
    for artist in canvas.findobj(lambda artist: hasattr(artist, "get_text"), include_self=False):
        if str(artist.get_text()).strip():
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
            if type(axis.get_major_formatter()).__name__ not in GIVEN_LABELS:
                yield from axis.get_ticklabels()


def _layout_problems(canvas: Any, text: Any, name: str, at: Location) -> Iterator[Problem]:
    width, height = canvas.bbox.width, canvas.bbox.height
    what = f"'{text.get_text().splitlines()[0]}' in '{name}'"
    size_px = text.get_fontsize() * canvas.dpi / 72 * PHONE_WIDTH_PX / width
    if size_px < SMALLEST_TEXT_PX - ROUNDING_PX:
        message = f"{what} is {size_px:.1f} px high on a phone; {SMALLEST_TEXT_PX} px is the least."
        mend = "Make the figure narrower or the text bigger."
        yield Problem(at, "figure-small-text", message, mend)
    box = text.get_window_extent()
    over = max(-box.x0, -box.y0, box.x1 - width, box.y1 - height)
    if over > OVERHANG_UNITS:
        message = f"{what} hangs {over:.0f} units over the figure's edge."
        yield Problem(at, "figure-clipped", message, "Move it or shorten it.")
    if "\n" in text.get_text() and text.get_horizontalalignment() != "left":
        message = f"{what} has more lines, which shift in the page's font as they are not set left."
        yield Problem(at, "figure-lines", message, "Write each line as a text of its own.")


def _typed_numbers(
    label: str, name: str, at: Location, uses: tuple[TextUse, ...]
) -> Iterator[Problem]:
    """Digits of a label that no number of the lesson wrote."""
    rest = label
    for shown in sorted({use.shown for use in uses}, key=len, reverse=True):
        rest = re.sub(rf"(?<![\d.,]){re.escape(shown)}(?!\d|[.,]\d)", " ", rest)
    if digits := re.search(r"\d+(?:[.,]\d+)*", rest):
        message = f"'{label}' in '{name}' holds {digits[0]}, which no number of the lesson wrote."
        mend = "Write it with an f-string from n; compute what is new in show_numbers.py."
        yield Problem(at, "typed-number", message, mend)
