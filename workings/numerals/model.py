"""What a numeral is: where it stands in a text, and the values that it may state."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workings.formats import round_half_away

Kind = Literal["digits", "power", "fraction", "word", "ordinal", "multiple"]

# Two platforms' floats, and a third written as 0.3333, differ by no more than this, relatively.
_FLOAT_NOISE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Reading:
    """One value that a numeral may state.

    `value` is in the base unit `base` (bytes, s, ratio, or a noun such as token; None: unknown),
    `factor` what the written number was multiplied by to get there, `per` the noun of a rate.
    `decimals` counts the decimals that were written (negative: 1.5e6 has -5; None: exact), and
    `zeros` the trailing zeros of a whole number, which may stand for rounding.
    """

    value: Fraction
    base: str | None = None
    factor: Fraction = Fraction(1)
    per: str | None = None
    decimals: int | None = 0
    zeros: int = 0

    @property
    def half_width(self) -> Fraction:
        """How far the stated value may be from the true one through rounding, in the base unit."""
        if self.decimals is None:
            return abs(self.value) * _FLOAT_NOISE
        return Fraction(10) ** -self.decimals / 2 * abs(self.factor)

    def states(self, value: Fraction) -> bool:
        """Whether `value`, in the base unit and rounded as written, gives this very reading."""
        if self.decimals is None:
            return abs(self.value - value) <= self.half_width
        return round_half_away(value / self.factor, self.decimals) * self.factor == self.value

    def states_loosely(self, value: Fraction) -> bool:
        """The same where trailing zeros stand for rounding: 630,000 for 629,145.6."""
        if not self.zeros or self.decimals is None:
            return self.states(value)
        rounded = round_half_away(value / self.factor, self.decimals - self.zeros)
        return rounded * self.factor == self.value


@dataclass(frozen=True)
class Numeral:
    """A number as a text states it.

    `start` to `end` is the number itself with its sign, currency and magnitude (8.2 billion),
    `unit_end` the end of a unit symbol or percent sign that follows (`end` where there is none).
    `readings` has the likeliest first. `noun` is the counted thing (token), as far as it is clear.
    `partner` is the index of the other end of a range in the list that this came from.
    """

    start: int
    end: int
    unit_end: int
    kind: Kind
    readings: tuple[Reading, ...]
    unit: str = ""
    noun: str | None = None
    partner: int | None = None

    @property
    def value(self) -> Fraction:
        """The likeliest value, in the base unit."""
        return self.readings[0].value

    @property
    def base(self) -> str | None:
        return self.readings[0].base

    @property
    def half_width(self) -> Fraction:
        return self.readings[0].half_width
