"""Numbers that know their names, so that a figure's text can be traced back to them.

A figure function gets its numbers in this form. They are ordinary int, float and str values, but
one that is written into text (an f-string, `str`, `format`) notes its name, its text and the line.
That is how numbers.json lists the uses in a figure, and how a typed number in a figure is found.
Standard library only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, Self

from workings.problems import did_you_mean


@dataclass(frozen=True, order=True)
class TextUse:
    """A number in the text of a figure: where figures.py writes it, and what is shown."""

    name: str
    line: int
    column: int
    shown: str


@dataclass
class Trace:
    """Collects the uses while the function with the code object `function` draws."""

    function: CodeType
    uses: set[TextUse] = field(default_factory=set)
    read: set[str] = field(default_factory=set)

    def note(self, name: str, shown: str) -> None:
        """Remember that `name` was written as `shown`, at the line of the figure function."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code is not self.function:
            frame = frame.f_back
        if frame is not None:
            line, column = position(frame.f_code, frame.f_lasti)
            self.uses.add(TextUse(name, line, column, shown))


def position(code: CodeType, instruction: int) -> tuple[int, int]:
    """Line and column, both from 1, of the instruction at a byte offset (-1: the code's start)."""
    places = list(code.co_positions())
    line, _, column, _ = places[instruction // 2] if instruction >= 0 else (None,) * 4
    return line or code.co_firstlineno, (column or 0) + 1


class UnknownNumberError(KeyError):
    """A figure asked for a number that there is none of; `mend` names what there is."""

    def __init__(self, what: str, name: str, known: Sequence[str]) -> None:
        super().__init__(name)
        self.reason = f"{what} has no '{name}'."
        self.mend = did_you_mean(name, known)


class Names(Mapping[str, Any]):
    """Read-only values by name: the numbers of a lesson, or a row of a table."""

    def __init__(self, values: Mapping[str, Any], what: str, trace: Trace, path: str = "") -> None:
        self._values, self._what, self._trace, self._path = values, what, trace, path

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            raise UnknownNumberError(self._what, str(name), list(self._values))
        if not self._path:
            self._trace.read.add(name)
        return traced(self._values[name], self._path + name, self._trace)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def traced(value: Any, name: str, trace: Trace) -> Any:
    """`value` as its traced twin; a table becomes a tuple of rows, a bool stays as it is."""
    if isinstance(value, (list, tuple)):
        return tuple(
            Names(row, f"the table '{name}'", trace, f"{name}[{index}].")
            for index, row in enumerate(value)
        )
    for kind, twin in ((bool, None), (int, TracedInt), (float, TracedFloat), (str, TracedStr)):
        if isinstance(value, kind):
            return twin.of(value, name, trace) if twin else value
    return value


class _Traced:
    """The part that TracedInt, TracedFloat and TracedStr share."""

    name: str
    trace: Trace

    @classmethod
    def of(cls, value: Any, name: str, trace: Trace) -> Self:
        made = cls(value)  # type: ignore[call-arg]  # the built-in type beside this one takes it
        made.name, made.trace = name, trace
        return made

    def __format__(self, spec: str) -> str:
        shown = super().__format__(spec)
        self.trace.note(self.name, shown)
        return shown

    def __str__(self) -> str:
        shown = str(super().__str__())
        self.trace.note(self.name, shown)
        return shown

    def _in_unit(self, result: Any, divisor: Any) -> Any:
        """A quotient by a power of 1,000 or 1,024 is the same number in another unit."""
        if type(divisor) in (int, float) and _is_unit(divisor):
            return TracedFloat.of(result, self.name, self.trace)
        return result


class TracedInt(_Traced, int):
    def __truediv__(self, divisor: Any) -> Any:
        return self._in_unit(int.__truediv__(self, divisor), divisor)


class TracedFloat(_Traced, float):
    def __truediv__(self, divisor: Any) -> Any:
        return self._in_unit(float.__truediv__(self, divisor), divisor)


class TracedStr(_Traced, str):
    __slots__ = ("name", "trace")


def _is_unit(divisor: float) -> bool:
    """Whether a division by it gives the same number in another unit.

    >>> [_is_unit(value) for value in (1024, 1024**3, 1000, 2, 1)]
    [True, True, True, False, False]
    """
    return any(divisor == base**power for base in (1000, 1024) for power in range(1, 7))
