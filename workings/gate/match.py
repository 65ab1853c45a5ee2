"""Which named number a typed one is: the same, the same in another form, or nearly the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache

from workings.formats.core import exponent_of, round_half_away
from workings.gate.known import Known, KnownNumbers
from workings.numerals import UNITS, Numeral, Reading


class How(IntEnum):
    """How a typed number relates to a named one, the surest first."""

    EQUAL = 0
    ROUNDED = 1
    OLD = 2
    UNIT = 3
    ROUNDING = 4
    OFF_BY_ONE = 5
    DIGITS = 6


@dataclass(frozen=True)
class Match:
    """A named number that a typed one is, or is near to; `fit` orders matches, the best first."""

    known: Known
    how: How
    reading: Reading
    fit: tuple[int, ...]

    @property
    def is_same(self) -> bool:
        return self.how in (How.EQUAL, How.ROUNDED)


# 1 MiB may round 0.56 MiB, but nobody would write it so: rounding goes up to one part in this.
_COARSEST = 12

# How well the unit of a typed number goes with that of a named one.
AGREES, OPEN, DIFFERS = 0, 1, 2


def matches(numeral: Numeral, known: KnownNumbers) -> list[Match]:
    """The named numbers that the numeral is or may have been, the best first; none where it is new."""
    same = [*_same(numeral, known.current), *_same(numeral, known.facts)]
    good = [match for match in same if match.fit[0] == AGREES or is_distinctive(numeral)]
    if good:
        return _best(good)
    drifted = [*_old(numeral, known.accepted), *_near(numeral, known.current)]
    sure = [match for match in drifted if match.how is How.OLD or match.fit[1] == AGREES]
    if sure:
        return _best(sure)
    # Small and without a unit that agrees it is any of many, so only whole names are worth a look.
    small = [
        match
        for match in same
        if match.fit[0] != DIFFERS and not match.known.is_cell and not match.known.is_fact
    ]
    return _best(small or drifted)


def same_numbers(numeral: Numeral, known: Iterable[Known]) -> list[Match]:
    """Only those that the numeral equals, as written."""
    return _best(_same(numeral, known))


def is_distinctive(numeral: Numeral) -> bool:
    """Whether two numbers that are written like this are hardly equal by chance."""
    number = written(numeral.readings[0])
    return abs(number) >= 1000 or significant_digits(number) >= 3


def written(reading: Reading) -> Fraction:
    """The number as it is written, before its unit."""
    return reading.value / reading.factor


@lru_cache(maxsize=1024)
def significant_digits(number: Fraction) -> int:
    """How many digits from the first to the last that is not zero; many for a third."""
    digits = 1
    while digits < 12 and round_half_away(number, digits - 1 - exponent_of(number)) != number:
        digits += 1
    return digits


def _best(found: Iterable[Match]) -> list[Match]:
    ordered = sorted(found, key=lambda match: (match.fit, match.known.written))
    unique: dict[str, Match] = {}
    for match in ordered:
        if match.fit == ordered[0].fit:
            unique.setdefault(match.known.written, match)
    return list(unique.values())


def _unit_fit(numeral: Numeral, reading: Reading, known: Known) -> int:
    """How the units go together: they agree, one of them is open, or they differ."""
    base = known.measure.base
    stated = reading.base or numeral.noun
    if reading.per and known.measure.per and reading.per != known.measure.per:
        return DIFFERS
    if numeral.kind in ("multiple", "fraction") and base not in (None, "ratio"):
        return DIFFERS
    if stated is None or base is None:
        return OPEN
    return AGREES if stated == base else DIFFERS


def _values(reading: Reading, known: Known) -> Fraction:
    """The named value in the scale of the reading's base unit."""
    if reading.base is not None and reading.base == known.measure.base:
        return known.base_value
    return known.exact


def _same(numeral: Numeral, known: Iterable[Known]) -> Iterator[Match]:
    readings = [
        (order, reading, *_reach(reading)) for order, reading in enumerate(numeral.readings)
    ]
    is_telling = is_distinctive(numeral)
    for candidate in known:
        for order, reading, size, reach in readings:
            if abs(_size(reading, candidate) - size) > reach:
                continue
            value = _values(reading, candidate)
            unit = _unit_fit(numeral, reading, candidate)
            if not reading.states_loosely(value) or (not value and reading.value):
                continue
            if unit == DIFFERS and (reading.base is not None or not is_telling):
                continue
            is_exact = reading.value == value or reading.decimals is None
            if not is_exact and abs(value - reading.value) * _COARSEST > abs(value):
                continue
            how = How.EQUAL if is_exact else How.ROUNDED
            loose = 0 if reading.states(value) else 1
            if loose and (significant_digits(written(reading)) < 2 or unit == DIFFERS):
                continue
            fit = (unit, order, loose, how, candidate.is_fact, candidate.is_cell)
            yield Match(candidate, how, reading, tuple(map(int, fit)))


def _reach(reading: Reading) -> tuple[float, float]:
    """The reading's value, and how far a value that it states may be from it, with some slack."""
    size = float(reading.value)
    width = float(reading.half_width) * 10.0**reading.zeros
    return size, width * 1.01 + abs(size) * 1e-9


def _size(reading: Reading, known: Known) -> float:
    """_values, fast and nearly exact."""
    if reading.base is not None and reading.base == known.measure.base:
        return float(known.base_value)
    return known.size


def _old(numeral: Numeral, accepted: Iterable[Known]) -> Iterator[Match]:
    for match in _same(numeral, accepted):
        if match.fit[0] == AGREES or is_distinctive(numeral):
            yield Match(match.known, How.OLD, match.reading, (0, *match.fit))


def _near(numeral: Numeral, current: Iterable[Known]) -> Iterator[Match]:
    reading = numeral.readings[0]
    size, step = float(reading.value), max(2 * float(reading.half_width), 1.0)
    has_digits = significant_digits(written(reading)) >= 3
    for known in current:
        far = abs(_size(reading, known) - size)
        checks = [_wrong_unit] if numeral.unit else []
        if far <= 1.6 * step + 1e-9 * abs(size):
            checks += [_wrong_rounding, _off_by_one]
        # A digit too many or too few is a factor of ten, all other slips are less.
        if has_digits and far <= 10 * max(abs(size), abs(_size(reading, known)) / 9):
            checks.append(_slipped_digits)
        for check in checks:
            found = check(numeral, reading, known)
            if found is not None:
                unit = _unit_fit(numeral, reading, known)
                rank = 0 if far < abs(size) / 100 else 1
                yield Match(known, found, reading, (1, unit, found, rank, int(known.is_cell)))


def _wrong_unit(numeral: Numeral, reading: Reading, known: Known) -> How | None:
    """144 MiB for 144 KiB, or 40,960 bytes for 40,960 tokens."""
    if reading.base is None or reading.decimals is None or not numeral.unit:
        return None
    number = written(reading)
    if significant_digits(number) < 2 and number < 100:
        return None
    if known.measure.base != reading.base:
        is_same = reading.base in ("bytes", "bits", "s") and known.exact == number
        return How.UNIT if is_same and known.measure.base and is_distinctive(numeral) else None
    for unit in UNITS.values():
        if unit.base == reading.base and unit.factor != reading.factor:
            as_written = round_half_away(known.base_value / unit.factor, reading.decimals)
            if as_written == number:
                return How.UNIT
    return None


def _wrong_rounding(numeral: Numeral, reading: Reading, known: Known) -> How | None:
    """5.62 for 5.625, 15.25 for 15.256: a last digit that is off by one."""
    if reading.decimals is None or _unit_fit(numeral, reading, known) == DIFFERS:
        return None
    step = Fraction(10) ** -reading.decimals * abs(reading.factor)
    value = _values(reading, known)
    is_rounded = reading.decimals > 0 or reading.factor != 1
    if not is_rounded or significant_digits(written(reading)) < 2:
        return None
    return How.ROUNDING if abs(value - reading.value) <= step * Fraction(3, 2) else None


def _off_by_one(numeral: Numeral, reading: Reading, known: Known) -> How | None:
    """Eight for nine."""
    value = _values(reading, known)
    if reading.value.denominator != 1 or value.denominator != 1 or reading.factor != 1:
        return None
    if abs(value - reading.value) != 1 or numeral.kind in ("fraction", "power"):
        return None
    if abs(reading.value) < 3:  # once and twice are near to everything
        return None
    unit = _unit_fit(numeral, reading, known)
    return How.OFF_BY_ONE if unit == AGREES or (unit == OPEN and abs(value) >= 20) else None


def _slipped_digits(numeral: Numeral, reading: Reading, known: Known) -> How | None:
    """147,465 for 147,456; one digit wrong, missing or doubled; or less than a hundredth away."""
    if reading.decimals is None or _unit_fit(numeral, reading, known) == DIFFERS:
        return None
    if significant_digits(written(reading)) < 3:
        return None
    value = _values(reading, known) / reading.factor
    typed, true = _digits(written(reading), reading.decimals), _digits(value, reading.decimals)
    if len(true) >= 4 and (_is_slip(typed, true) or typed.rstrip("0") == true.rstrip("0")):
        return How.DIGITS
    far = abs(_values(reading, known) - reading.value)
    return How.DIGITS if value and far * 100 <= abs(reading.value) else None


def _digits(number: Fraction, decimals: int) -> str:
    scaled = round_half_away(abs(number), decimals) * Fraction(10) ** max(decimals, 0)
    return re.sub(r"\D", "", str(int(scaled)))


def _is_slip(typed: str, true: str) -> bool:
    """Whether one slip of the hand makes the one of the other.

    >>> [_is_slip(slip, "147456") for slip in ("147465", "147450", "14756", "1474556", "174456", "999")]
    [True, True, True, True, True, False]
    """
    if len(typed) == len(true):
        wrong = [index for index in range(len(true)) if typed[index] != true[index]]
        if len(wrong) == 2:
            first, second = wrong
            return (typed[first], typed[second]) == (true[second], true[first])
        return len(wrong) == 1
    longer, shorter = sorted((typed, true), key=len, reverse=True)
    return len(longer) == len(shorter) + 1 and any(
        longer[:index] + longer[index + 1 :] == shorter for index in range(len(longer))
    )
