"""The catalogue that the modules of formats fill. Standard library only."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping

from workings.formats.core import Format, FormatError, Shown

_FORMATS: dict[str, Format] = {}
FORMATS: Mapping[str, Format] = _FORMATS


def format_named(
    name: str,
    summary: str,
    *,
    adds: bool = False,
    takes: str | None = None,
    unit: str | Callable[..., str | None] | None = None,
) -> Callable[[Callable[..., Shown]], Callable[..., Shown]]:
    def register(function: Callable[..., Shown]) -> Callable[..., Shown]:
        written = unit if callable(unit) else lambda *args: unit
        _FORMATS[name] = Format(name, summary, function, not adds, takes, written)
        return function

    return register


def find_format(name: str) -> Format:
    """The format of that name; FormatError names the nearest where there is none."""
    if name in FORMATS:
        return FORMATS[name]
    near = difflib.get_close_matches(name, sorted(FORMATS), n=1)
    hint = f" Did you mean '{near[0]}'?" if near else f" Known: {', '.join(sorted(FORMATS))}."
    raise FormatError(f"there is no format '{name}'.{hint}")
