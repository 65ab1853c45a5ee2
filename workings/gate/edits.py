"""Edits carried out: what `--fix` does to a file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from workings.problems import Edit


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with the edits of its file made; one whose `old` does not stand there is left out.

    Of edits that overlap the first is made. All else stays as it is, byte for byte.

    >>> from workings.problems import Location
    >>> apply_edits("It has 9 parts.", [Edit(Location("a.md", 1, 8), "9", "{{ n.parts }}")])
    'It has {{ n.parts }} parts.'
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    pieces: list[str] = []
    done = 0
    for edit in sorted(set(edits)):
        if not 0 < edit.location.line <= len(starts):
            continue
        at = starts[edit.location.line - 1] + edit.location.column - 1
        if at < done or not text.startswith(edit.old, at):
            continue
        pieces += [text[done:at], edit.new]
        done = at + len(edit.old)
    return "".join([*pieces, text[done:]])
