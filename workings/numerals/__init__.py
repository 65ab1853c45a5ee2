"""The reader of numbers: every number that a text states, with its value and its unit.

It reads digits with any separator, signs, decimals, powers, fractions, percent, magnitudes (8.2
billion, 128K), units binary and decimal, ranges, multiples, ordinals and number words from three up.
It knows what states no quantity: dates, years of citations, versions, names such as Qwen3-8B,
references such as Figure 2, and addresses. The words one and two, "first" and "second", "message 1",
and vague plurals (dozens, hundreds) are no claims either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from workings.numerals.digits import Digits, read_digits
from workings.numerals.model import Kind, Numeral, Reading
from workings.numerals.names import covered
from workings.numerals.units import (
    COUNTED,
    MAGNITUDES,
    UNITS,
    Measure,
    Unit,
    measure,
    read_per,
    singular,
)
from workings.numerals.words import HINT, Worded, read_words

__all__ = [
    "COUNTED", "UNITS", "Kind", "Measure", "Numeral", "Reading", "Unit", "counted_noun", "measure",
    "read_numerals", "read_unit", "singular",
]  # fmt: skip

_ANY_DIGIT = re.compile(r"[\d½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒]")
_GAPS = "[ \u00a0\u202f\u2009\n]?"
_SYMBOLS = "|".join(sorted(map(re.escape, set(UNITS) - {"$", "x", "×"}), key=len, reverse=True))
_UNIT = re.compile(
    rf"{_GAPS}-?(?P<unit>{_SYMBOLS})(?![A-Za-z0-9])"
    rf"|(?P<times>[×x])(?!\w|{_GAPS}[\d\ufffc(\\])"  # 4x, but not 4x8 nor 4 × layers
)
# "One minute" and "two bytes" count little; "two GiB", "two percent" and "two times" are measured.
_CLAIMED_AFTER_SMALL = frozenset(
    name
    for name in UNITS
    if name in ("percent", "per cent", "times") or name[1:] in ("iB", "B") or name == "ms"
)
_WORD = re.compile(r"(?:[ \u00a0\n-]|\A)([A-Za-z]+)")
_UNKNOWN_SUFFIX = re.compile(r"(?![a-z]{4,}(?![A-Za-z0-9_]))[A-Za-z_]\w*")
_RANGE = re.compile(r"\s?(?:\u2013|\u2014|-|\u2026|\.\.\.?|to|through)\s?")
_AND = re.compile(r"\s?(?:and|or)\s?")
_BETWEEN = re.compile(r"\bbetween\s[^.]{0,20}\Z")
_NOUN_REACH = 3  # words between a number and what it counts: 60 to 80 English words


def read_numerals(
    text: str,
    names: Iterable[str] = (),
    nouns: frozenset[str] = COUNTED,
    counts: Collection[int] = (),
) -> list[Numeral]:
    """The numbers that `text` states, in order.

    `names` are names that a number may follow without stating a quantity ("Gemini"); `nouns` what
    numbers count, in the singular; `counts` are values such as 2000 that only look like years. A
    character \\ufffc stands for something bound already.

    >>> [(str(n.value), n.base) for n in read_numerals("5.625 GiB for 9 messages with Qwen3-8B")]
    [('6039797760', 'bytes'), ('9', None)]
    """
    found: list[Numeral] = []
    if _ANY_DIGIT.search(text):
        skipped = covered(text, names, counts)
        for digits in read_digits(text):
            if any(
                start <= digits.start < end or start < digits.end <= end for start, end in skipped
            ):
                continue
            if (numeral := _from_digits(text, digits)) is not None:
                found.append(numeral)
    if HINT.search(text):
        taken = [(numeral.start, numeral.end) for numeral in found]
        for worded in read_words(text):
            if any(start < worded.end and worded.start < end for start, end in taken):
                continue
            if (numeral := _from_words(text, worded)) is not None:
                found.append(numeral)
    found.sort(key=lambda numeral: numeral.start)
    return _with_ranges(
        text, [replace(n, noun=counted_noun(text, n.unit_end, nouns)) for n in found]
    )


def read_unit(text: str, at: int) -> tuple[str, Unit, int] | None:
    """The unit that begins at `at` (after at most one space or hyphen): name, unit and its end."""
    match = _UNIT.match(text, at)
    if match is None:
        return None
    name = match["unit"] or match["times"]
    return name, UNITS[name], match.end()


def counted_noun(text: str, at: int, nouns: frozenset[str] = COUNTED) -> str | None:
    """What the number before `at` counts: the first known noun among the next words."""
    for _ in range(_NOUN_REACH):
        match = _WORD.match(text, at)
        if match is None:
            return None
        if (noun := singular(match[1])) in nouns:
            return noun
        if match[1].lower() in ("and", "or", "of", "to", "in", "for", "with", "is", "are", "per"):
            return None
        at = match.end()
    return None


def _from_digits(text: str, digits: Digits) -> Numeral | None:
    """The numeral of `digits`; None where letters make a name of it (3D, 5G)."""
    end = digits.end
    unit = read_unit(text, end)
    if unit is None and digits.kind != "ordinal" and _UNKNOWN_SUFFIX.match(text, end):
        return None
    readings: list[Reading] = []
    for factor in digits.magnitudes:
        for value, decimals in digits.values:
            is_billion = factor == MAGNITUDES["B"][0] and unit is not None and unit[0] == "B"
            readings += _readings(
                text, value, factor, decimals, digits.zeros, None if is_billion else unit
            )
    if digits.currency and unit is None:
        readings = [replace(reading, base=UNITS[digits.currency].base) for reading in readings]
    kind: Kind = (
        "multiple" if unit and unit[1].base == "ratio" and unit[0] not in "%‰" else digits.kind
    )
    if unit and unit[0].startswith("per"):
        kind = digits.kind
    unit_end = unit[2] if unit else end
    return Numeral(digits.start, end, unit_end, kind, tuple(readings), unit[0] if unit else "")


def _from_words(text: str, worded: Worded) -> Numeral | None:
    unit = None if worded.kind in ("ordinal", "multiple") else read_unit(text, worded.end)
    if worded.is_small and (unit is None or unit[0] not in _CLAIMED_AFTER_SMALL):
        return None
    kind = worded.kind
    if unit and unit[0] in ("times", "time", "-fold", "fold", "×", "x"):
        kind = "multiple"
    readings = _readings(text, worded.value, 1, None, 0, unit)
    if worded.kind in ("multiple", "fraction"):
        readings = [replace(reading, base=reading.base or "ratio") for reading in readings]
    unit_end = unit[2] if unit else worded.end
    return Numeral(
        worded.start, worded.end, unit_end, kind, tuple(readings), unit[0] if unit else ""
    )


def _readings(
    text: str, value: Fraction, magnitude: int, decimals: int | None, zeros: int,
    unit: tuple[str, Unit, int] | None,
) -> list[Reading]:  # fmt: skip
    if unit is None:
        return [Reading(value * magnitude, None, Fraction(magnitude), None, decimals, zeros)]
    name, known, end = unit
    per, _ = read_per(text, end)
    factor = known.factor * magnitude
    readings = [Reading(value * factor, known.base, factor, per, decimals, zeros)]
    if name in ("%", "percent", "per cent", "percentage points"):
        readings.append(Reading(value, "percent", Fraction(1), per, decimals, zeros))
    return readings


def _with_ranges(text: str, found: Sequence[Numeral]) -> list[Numeral]:
    """The ends of a range know each other, and the first takes the unit of the second."""
    numerals = list(found)
    for index, (one, other) in enumerate(pairwise(found)):
        between = text[one.unit_end : other.start]
        joins = _RANGE.fullmatch(between) or (
            _AND.fullmatch(between) and _BETWEEN.search(text, 0, one.start)
        )
        if not joins or one.kind == "ordinal" or other.kind == "multiple":
            continue
        first = numerals[index]
        if not one.unit and (other.unit or other.readings[0].factor != 1):
            scale = other.readings[0]
            shared = tuple(
                replace(
                    r,
                    value=r.value * scale.factor,
                    factor=scale.factor,
                    base=scale.base,
                    per=scale.per,
                )
                for r in one.readings
            )
            first = replace(first, readings=(*shared, *one.readings))
        first = replace(first, noun=one.noun or other.noun, partner=index + 1)
        numerals[index] = first
        numerals[index + 1] = replace(numerals[index + 1], partner=index)
    return numerals
