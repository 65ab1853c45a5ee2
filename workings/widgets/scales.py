"""Axes: how far they reach and which values they name. Standard library only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

from workings.widgets import texts

_UNITS: dict[str, int | Fraction] = {
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "percent": Fraction(1, 100),
}  # fmt: skip


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`; `ticks` are the named values with their texts."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def place(self, value: float) -> float:
        """Where a value lies: 0 at the start, 1 at the end."""
        return (value - self.low) / (self.high - self.low)


def axis(values: Sequence[float], chain: str, ticks: int, *, tight: bool = False) -> Axis:
    """An axis that holds the values, with about `ticks` round steps in the unit that `chain` writes.

    A tight axis ends with the values, any other one with a step.

    >>> [text for _, text in axis([0, 950], "", 5).ticks]
    ['0', '200', '400', '600', '800', '1,000']
    >>> axis([1, 10], "", 5, tight=True).ticks
    ((2.0, '2'), (4.0, '4'), (6.0, '6'), (8.0, '8'), (10.0, '10'))
    """
    unit = _UNITS.get(chain.split("(")[0].split("|")[0].strip(), 1)
    low, high = min(values, default=0), max(values, default=0)
    whole = unit == 1 and all(isinstance(value, int) for value in values)
    step = round_step((high - low) / float(unit) / ticks, whole=whole) * unit
    first = floor(Fraction(low) / step)
    last = max(first + 1, -floor(-Fraction(high) / step))
    places = [step * index for index in range(first, last + 1)]
    named = tuple((float(place), texts.show(_plain(place), chain)) for place in places)
    if not tight or low == high:
        return Axis(float(places[0]), float(places[-1]), named)
    return Axis(low, high, tuple(tick for tick in named if low <= tick[0] <= high))


def round_step(rough: float, *, whole: bool = False) -> Fraction:
    """The next of 1, 2, 2.5 and 5 times a power of ten; a whole number where `whole` asks for one.

    >>> str(round_step(180)), str(round_step(0.21)), str(round_step(0)), str(round_step(2.3, whole=True))
    ('200', '1/4', '1', '5')
    """
    if rough <= 0:
        return Fraction(1)
    power = Fraction(10) ** floor(log10(rough))
    steps = [power * step for step in (1, 2, Fraction(5, 2), 5, 10)]
    fitting = (step for step in steps if not whole or step.denominator == 1)
    return next((step for step in fitting if step >= Fraction(rough)), power * 10)


def _plain(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)
