"""Text from a Python literal, with the place of each of its characters in the file."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field

from workings.problems import Location

Place = tuple[int, int]  # line and column, from 1

_STRING = re.compile(
    r"(?P<prefix>[A-Za-z]*)(?P<quote>'''|\"\"\"|'|\")(?P<body>.*)(?P=quote)", re.DOTALL
)
# One character of a literal's body, written out or escaped.
_CHARACTER = re.compile(r"\\(?:N\{[^}]*\}|x..|u.{4}|U.{8}|[0-7]{1,3}|.)|.", re.DOTALL)


@dataclass(frozen=True)
class SourceText:
    """The value of a literal; `start` is the place of the literal, its opening quote."""

    text: str
    path: str
    start: Place = (1, 1)
    places: tuple[Place, ...] = field(repr=False, default=())

    @property
    def location(self) -> Location:
        """Where the literal begins."""
        return Location(self.path, *self.start)

    def at(self, offset: int = 0) -> Location:
        """Where the character at `offset` stands in the file."""
        known = 0 <= offset < len(self.places)
        return Location(self.path, *(self.places[offset] if known else self.start))


def read_literal(value: str, segment: str, path: str, start: Place) -> SourceText:
    """The text `value` of the literal(s) written as `segment`, which begins at `start`."""
    places = character_places(segment, start)
    return SourceText(value, path, start, places if len(places) == len(value) else ())


def character_places(segment: str, start: Place) -> tuple[Place, ...]:
    r"""Line and column of each character that the literal(s) of `segment` stand for.

    >>> character_places('"ab"', (3, 5))
    ((3, 6), (3, 7))
    >>> character_places(r"'a\n' 'b'", (1, 1))
    ((1, 2), (1, 3), (1, 8))
    """
    places: list[Place] = []
    bracketed = io.StringIO(f"({segment})")  # in brackets literals may follow on further lines
    for token in tokenize.generate_tokens(bracketed.readline):
        literal = _STRING.fullmatch(token.string)
        if token.type != tokenize.STRING or literal is None:
            continue
        is_raw = "r" in literal["prefix"].lower()
        for match in _CHARACTER.finditer(literal["body"]):
            at = _advanced(token.start, token.string[: literal.start("body") + match.start()])
            line, column = _outside_bracket(at, start)
            if is_raw:
                places += [(line, column + step) for step in range(len(match[0]))]
            elif match[0] != "\\\n":
                places.append((line, column))
    return tuple(places)


def _advanced(place: Place, text: str) -> Place:
    """The place after `text` that begins at `place` (line from 1, column from 0)."""
    newlines = text.count("\n")
    column = len(text) - text.rfind("\n") - 1 if newlines else place[1] + len(text)
    return place[0] + newlines, column


def _outside_bracket(place: Place, start: Place) -> Place:
    """A tokenizer's place (line from 1, column from 0, after one bracket) in the file."""
    line, column = place
    return start[0] + line - 1, start[1] + column - 1 if line == 1 else column + 1
