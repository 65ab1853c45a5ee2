"""A text of which every character knows where it stands in its file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from workings.problems import Location


@dataclass(frozen=True)
class Source:
    """A file of the project: its path from the root, and its text."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def location(self, offset: int) -> Location:
        """The line and column, from 1, of the character at `offset`."""
        line = bisect_right(self._line_starts, offset)
        return Location(self.path, line, offset - self._line_starts[line - 1] + 1)

    def offset(self, line: int, column: int = 0) -> int:
        """The offset of a place given by its line from 1 and its column from 0."""
        return self._line_starts[line - 1] + column

    def whole(self) -> Positioned:
        """All of the text."""
        return Positioned(self.text, range(len(self.text)), len(self.text))


@dataclass(frozen=True)
class Positioned:
    """`offsets[i]` is where the file has the character `text[i]`; `end` follows the last one."""

    text: str
    offsets: Sequence[int] = field(repr=False)
    end: int = field(repr=False)

    def __len__(self) -> int:
        return len(self.text)

    def at(self, index: int) -> int:
        """The offset of a character; that of the end for the index after the last."""
        return self.offsets[index] if index < len(self.offsets) else self.end

    def after(self, index: int) -> int:
        """The offset behind the character before `index`."""
        return self.offsets[index - 1] + 1 if 0 < index <= len(self.offsets) else self.at(index)

    def cut(self, start: int, stop: int | None = None) -> Positioned:
        """The part from `start` to `stop`."""
        stop = len(self.text) if stop is None else stop
        return Positioned(self.text[start:stop], self.offsets[start:stop], self.at(stop))

    def lines(self) -> list[Positioned]:
        """The lines without their ends."""
        parts: list[Positioned] = []
        start = 0
        for line in self.text.split("\n"):
            parts.append(self.cut(start, start + len(line)))
            start += len(line) + 1
        return parts

    def is_verbatim(self, start: int, stop: int) -> bool:
        """Whether the file has these very characters side by side."""
        if stop <= start:
            return True
        return self.offsets[stop - 1] - self.offsets[start] == stop - 1 - start


def join(parts: Iterable[Positioned], between: str = "\n") -> Positioned:
    """The parts as one text, `between` standing at the end of the part before it."""
    builder = Builder()
    for index, part in enumerate(parts):
        if index:
            builder.add(between, builder.end)
        builder.extend(part)
    return builder.build()


class Builder:
    """Puts a text together, character by character."""

    def __init__(self, end: int = 0) -> None:
        self._parts: list[str] = []
        self._offsets: list[int] = []
        self.end = end

    def __len__(self) -> int:
        return len(self._offsets)

    def add(self, text: str, offset: int) -> None:
        """Characters that all stand for what the file has at `offset`."""
        self._parts.append(text)
        self._offsets.extend([offset] * len(text))

    def extend(self, part: Positioned) -> None:
        self._parts.append(part.text)
        self._offsets.extend(part.offsets)
        self.end = part.end

    def last(self) -> str:
        """The last character, or nothing."""
        return next((part[-1] for part in reversed(self._parts) if part), "")

    def tail(self, count: int) -> str:
        return "".join(self._parts[-count:])[-count:]

    def build(self) -> Positioned:
        return Positioned("".join(self._parts), tuple(self._offsets), self.end)


def indent_of(text: str) -> int:
    """The columns of space before the first character; a tab goes to the next fourth column."""
    expanded = text.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def dedent(lines: Iterable[Positioned], columns: int) -> Iterator[Positioned]:
    """The lines without up to `columns` of leading space."""
    for line in lines:
        width = index = 0
        while index < len(line) and line.text[index] in " \t" and width < columns:
            width += 4 - width % 4 if line.text[index] == "\t" else 1
            index += 1
        yield line.cut(index)
