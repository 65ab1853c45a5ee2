"""The numbers of one lesson with where each comes from. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Scalar = int | float | str | bool
Row = Mapping[str, Scalar]
Value = Scalar | tuple[Row, ...]

_PATH = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\[(?P<row>\d+)\]\.(?P<field>\w+))?")


@dataclass(frozen=True)
class Formula:
    """How a value came about, derived from the source of the function that was run.

    `text` is the function's return expression as readers see it (`2 × layers × kv_heads`),
    `substituted` the same with the values in (`2 × 36 × 8`), `inputs` the values by name.
    """

    function: str
    path: str
    line: int
    text: str
    substituted: str
    inputs: Mapping[str, Scalar]


@dataclass(frozen=True)
class Number:
    """A named value: `expression`, `path` and `line` say where show_numbers.py computes it.

    `path` is relative to the project's root. `build_only` is the reason why a browser cannot
    recompute it, or None.
    """

    name: str
    value: Value
    unit: str | None
    expression: str
    path: str
    line: int
    formula: Formula | None = None
    build_only: str | None = None


@dataclass(frozen=True)
class Leaf:
    """One scalar: a number itself (`bytes_per_token`) or a cell (`rows[2].tokens`)."""

    name: str
    value: Scalar
    unit: str | None
    number: Number


@dataclass(frozen=True)
class Registry:
    """All numbers of a lesson, by name."""

    lesson: str
    numbers: Mapping[str, Number] = field(default_factory=dict)

    def leaf(self, name: str) -> Leaf:
        """The scalar at `name`; KeyError where there is none."""
        match = _PATH.fullmatch(name)
        if not match or match["name"] not in self.numbers:
            raise KeyError(name)
        number = self.numbers[match["name"]]
        if match["row"] is None:
            if isinstance(number.value, tuple):
                raise KeyError(name)
            return Leaf(name, number.value, number.unit, number)
        if not isinstance(number.value, tuple) or int(match["row"]) >= len(number.value):
            raise KeyError(name)
        value = number.value[int(match["row"])][match["field"]]
        return Leaf(name, value, unit_of(match["field"]), number)

    def leaves(self) -> Iterator[Leaf]:
        """Every scalar, the cells of tables too, in the order of show_numbers.py."""
        for number in self.numbers.values():
            if not isinstance(number.value, tuple):
                yield Leaf(number.name, number.value, number.unit, number)
                continue
            for index, row in enumerate(number.value):
                for key, value in row.items():
                    yield Leaf(f"{number.name}[{index}].{key}", value, unit_of(key), number)


_UNITS = (
    "bytes bits tokens messages replies words characters days hours minutes seconds ms s layers heads "
    "chats percent turns pairs parameters tests trials times ml l g kg mg m km cm mm w kw kwh "
    "j kj eur usd gbp years months weeks degrees hz points people items"
).split()


def unit_of(name: str) -> str | None:
    """The unit that a name ends in, or None.

    >>> unit_of("cache_bytes"), unit_of("bytes_per_token"), unit_of("reply_10_tokens")
    ('bytes', 'bytes/token', 'tokens')
    >>> unit_of("model_name") is None
    True
    """
    parts = name.split("_")
    if "per" in parts[1:-1]:
        at = parts.index("per")
        if parts[at - 1] in _UNITS:
            return f"{parts[at - 1]}/{parts[at + 1]}"
    return parts[-1] if parts[-1] in _UNITS else None
