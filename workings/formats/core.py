"""The shape of a format and of what it writes; exact rounding. Standard library only."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Scalar = int | float | str | bool
Chain = Sequence[tuple[str, tuple[Any, ...]]]

NBSP = "\u00a0"
MINUS = "\u2212"
MAX_DIGITS = 12


class FormatError(ValueError):
    """A value that the format cannot show, an unknown format, or unfit arguments."""


@dataclass(frozen=True)
class Shown:
    """A value as text.

    `unit` is the unit or word that the text ends in, `half_width` how far the text may be from the
    value through rounding, in the value's own unit (bytes, ratio ...); 0 where it is exact.
    """

    value: Scalar
    text: str
    unit: str | None = None
    half_width: Fraction = Fraction(0)
    writer: str | None = None


@dataclass(frozen=True)
class Format:
    """A named filter.

    `writes_number` tells a format that writes the digits from one that adds to them; `takes` is
    the unit that a value must have (None: any); `unit` the unit it writes, given its arguments.
    """

    name: str
    summary: str
    apply: Callable[..., Shown]
    writes_number: bool
    takes: str | None
    unit: Callable[..., str | None]

    def bind(self, *args: Any, **named: Any) -> tuple[Any, ...]:
        """The arguments in order with their defaults; FormatError where they do not fit."""
        signature = inspect.signature(self.apply)
        try:
            bound = signature.bind(None, *args, **named)
        except TypeError as error:
            raise FormatError(f"{self.shape}: {error}.") from None
        bound.apply_defaults()
        return bound.args[1:]

    @property
    def shape(self) -> str:
        """How it is written: `gib(digits=None)`."""
        parameters = list(inspect.signature(self.apply).parameters.values())[1:]
        parts = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters]
        return f"{self.name}({', '.join(parts)})" if parts else self.name


def exact(value: Scalar, name: str = "this format") -> Fraction:
    """The number as a fraction; a float counts as the decimal that repr writes.

    Raises FormatError where it is no finite number.
    """
    if isinstance(value, bool):
        raise FormatError(f"{name} takes a number, not {value}.")
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise FormatError(f"{name} takes a finite number, not {value}.")
        return Fraction(repr(value))
    if isinstance(value, str):
        raise FormatError(f"{name} takes a number, not the text {value!r}.")
    raise FormatError(f"{name} takes a number, not a {type(value).__name__}.")


def round_half_away(number: Fraction, digits: int) -> Fraction:
    """`number` rounded to `digits` decimals (tens, hundreds where negative), halves away from 0."""
    step = Fraction(10) ** -digits
    rounded = math.floor(abs(number) / step + Fraction(1, 2)) * step
    return -rounded if number < 0 else rounded


def exponent_of(number: Fraction) -> int:
    """The power of ten of the first digit; 0 for zero."""
    number = abs(number)
    if not number:
        return 0
    power = len(str(number.numerator)) - len(str(number.denominator))
    return power if number >= Fraction(10) ** power else power - 1


def decimals_of(number: Fraction, at_most: int) -> int | None:
    """How many decimals write the number exactly, or None where `at_most` do not."""
    return next((d for d in range(at_most + 1) if round_half_away(number, d) == number), None)


def significant(number: Fraction, count: int) -> int:
    """The decimals that leave `count` significant digits, after a carry too (9.996: 10.0)."""
    digits = count - 1 - exponent_of(number)
    return count - 1 - exponent_of(round_half_away(number, digits))


def natural_decimals(number: Fraction) -> int:
    """The decimals where none were asked for: exact within three, else three significant."""
    found = decimals_of(number, 3)
    return max(0, significant(number, 3)) if found is None else found


def write(number: Fraction, digits: int, comma: str = ",") -> str:
    """`number` with `digits` decimals, grouped by `comma`."""
    rounded = round_half_away(number, digits)
    whole, part = divmod(abs(rounded), 1)
    try:
        text = f"{int(whole):,}".replace(",", comma)
    except ValueError:
        raise FormatError("the number has too many digits to show.") from None
    if digits > 0:
        text += f".{int(part * 10**digits):0{digits}d}"
    return (MINUS if rounded < 0 else "") + text


def check_digits(name: str, digits: object, low: int = 0) -> int:
    if isinstance(digits, bool) or not isinstance(digits, int) or not low <= digits <= MAX_DIGITS:
        raise FormatError(f"{name} takes {low} to {MAX_DIGITS} digits, not {digits!r}.")
    return digits
