"""Where a Markdown text is code, and so is never templated."""

from __future__ import annotations

import re
from collections.abc import Callable

_FENCE = re.compile(
    r"^(?P<indent>[ \t>]*)(?P<mark>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=indent)[ \t]*(?P=mark)[`~]*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_SPAN = re.compile(r"(?<![\\`])(`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
# A pair that Jinja does not see; it is put back once Markdown has run.
_HIDDEN = "\U000f0002"


def code_ranges(text: str) -> list[tuple[int, int]]:
    """The (start, end) offsets of code fences and code spans, in order."""
    fences = [match.span() for match in _FENCE.finditer(text)]
    spans = [
        match.span()
        for match in _SPAN.finditer(text)
        if not any(start <= match.start() < end for start, end in fences)
    ]
    return sorted(fences + spans)


def mask_code(text: str) -> str:
    """`text` with its code blanked, every other character at its place."""
    return _replace(text, lambda code: re.sub(r"[^\n]", " ", code))


def hide_code(text: str) -> str:
    """`text` with the braces of its code hidden from the templates."""
    return _replace(
        text, lambda code: code.replace("{{", _HIDDEN + "{").replace("{#", _HIDDEN + "#")
    )


def show_code(text: str) -> str:
    """The inverse of hide_code, in Markdown or in the HTML made of it."""
    return text.replace(_HIDDEN, "{")


def _replace(text: str, change: Callable[[str], str]) -> str:
    parts: list[str] = []
    end = 0
    for start, stop in code_ranges(text):
        parts += [text[end:start], change(text[start:stop])]
        end = stop
    return "".join([*parts, text[end:]])
