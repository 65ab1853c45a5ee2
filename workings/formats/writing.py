"""Formats that write the digits or words of a number. Standard library only."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from workings.formats import english
from workings.formats.core import (
    MAX_DIGITS,
    MINUS,
    NBSP,
    FormatError,
    Shown,
    check_digits,
    decimals_of,
    exact,
    exponent_of,
    natural_decimals,
    round_half_away,
    significant,
    write,
)
from workings.formats.registered import format_named

_SUPERSCRIPT = str.maketrans("0123456789" + MINUS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_UNIT_BYTES = {
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
    "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
}  # fmt: skip


def _number(
    shown: Shown,
    name: str,
    digits: int | None,
    *,
    scale: Fraction | int = 1,
    unit: str | None = None,
    joint: str = "",
) -> Shown:
    """`shown.value / scale` with `digits` decimals and a unit after it."""
    number = exact(shown.value, name)
    part = number / scale
    places = natural_decimals(part) if digits is None else check_digits(name, digits)
    half = Fraction(0) if round_half_away(part, places) == part else Fraction(10) ** -places / 2
    text = write(part, places) + (joint + unit if unit else "")
    return replace(shown, text=text, unit=unit, half_width=half * scale)


@format_named("thousands", "Digits in groups of three; the default. 147456 gives 147,456.")
def _thousands(shown: Shown, comma: str = ",") -> Shown:
    value = shown.value
    if isinstance(value, str):
        return replace(shown, text=value)
    if isinstance(value, bool):
        return replace(shown, text="yes" if value else "no")
    number = exact(value, "thousands")
    if isinstance(value, int):
        return replace(shown, text=write(number, 0, comma))
    power = exponent_of(number)
    if not -9 <= power <= 20:
        return _scientific(shown, None)
    # Twelve digits hide the last bits, in which two platforms' floats may differ.
    rounded = round_half_away(number, 11 - power)
    places = decimals_of(rounded, max(0, 11 - power)) or 0
    half = abs(rounded - number) and Fraction(10) ** (power - 11) / 2
    return replace(shown, text=write(rounded, places, comma), half_width=Fraction(half))


@format_named(
    "plain", "Digits without groups, as one types them into a program. 147456 gives 147456."
)
def _plain(shown: Shown) -> Shown:
    written = _thousands(shown, "")
    return replace(written, text=written.text.replace(MINUS, "-"))


@format_named("round", "Rounded to some decimals, which are kept: round(2) of 5.6 gives 5.60.")
def _round(shown: Shown, digits: int = 0) -> Shown:
    number = exact(shown.value, "round")
    places = check_digits("round", digits, -MAX_DIGITS)
    return _rounded(shown, number, places)


@format_named("sig", "Rounded to significant digits: sig(2) of 629145.6 gives 630,000.")
def _sig(shown: Shown, digits: int = 3) -> Shown:
    number = exact(shown.value, "sig")
    return _rounded(shown, number, significant(number, check_digits("sig", digits, 1)))


def _rounded(shown: Shown, number: Fraction, places: int) -> Shown:
    exactly = round_half_away(number, places) == number
    half = Fraction(0) if exactly else Fraction(10) ** -places / 2
    return replace(shown, text=write(number, places), half_width=half)


def _register_byte_unit(unit: str, size: int) -> None:
    name = unit.lower()

    @format_named(
        name, f"Bytes in {unit} ({size:,} B): {name}(2) for two decimals.",
        takes="bytes", unit=unit,
    )  # fmt: skip
    def _bytes_in(shown: Shown, digits: int | None = None) -> Shown:
        return _number(shown, name, digits, scale=size, unit=unit, joint=NBSP)


for _unit, _size in _UNIT_BYTES.items():
    _register_byte_unit(_unit, _size)


@format_named("bytes", "Bytes in full: 147456 gives 147,456 B.", takes="bytes", unit="B")
def _bytes(shown: Shown) -> Shown:
    exact(shown.value, "bytes")
    written = _thousands(shown)
    return replace(written, text=written.text + NBSP + "B", unit="B")


@format_named("percent", "A ratio as percent: 0.25 gives 25%.", takes="ratio", unit="%")
def _percent(shown: Shown, digits: int | None = None) -> Shown:
    return _number(shown, "percent", digits, scale=Fraction(1, 100), unit="%")


@format_named(
    "millions", "In millions: millions(0) of 151936000 gives 152 million.", unit="million"
)
def _millions(shown: Shown, digits: int | None = None) -> Shown:
    return _number(shown, "millions", digits, scale=10**6, unit="million", joint=NBSP)


@format_named(
    "billions", "In billions: billions(1) of 8190735360 gives 8.2 billion.", unit="billion"
)
def _billions(shown: Shown, digits: int | None = None) -> Shown:
    return _number(shown, "billions", digits, scale=10**9, unit="billion", joint=NBSP)


@format_named("usd", "Dollars: 0.3 gives $0.30.", unit="$")
def _usd(shown: Shown, digits: int = 2) -> Shown:
    written = _number(shown, "usd", digits)
    sign, digits_text = re.fullmatch(rf"({MINUS}?)(.*)", written.text).groups()  # type: ignore[union-attr]
    return replace(written, text=f"{sign}${digits_text}", unit="$")


@format_named("scientific", "Digits and a power of ten: 1500000 gives 1.5 × 10⁶.")
def _scientific(shown: Shown, digits: int | None = None) -> Shown:
    number = exact(shown.value, "scientific")
    power = exponent_of(number)
    mantissa = number / Fraction(10) ** power
    if digits is None:
        rounded = round_half_away(mantissa, 11)
        places = decimals_of(rounded, 11) or 0
    else:
        places = check_digits("scientific", digits)
        rounded = round_half_away(mantissa, places)
    if abs(rounded) >= 10:
        power, rounded = power + 1, rounded / 10
    half = Fraction(0)
    if rounded * Fraction(10) ** power != number:
        half = Fraction(10) ** (power - (11 if digits is None else places)) / 2
    raised = str(power).replace("-", MINUS).translate(_SUPERSCRIPT)
    return replace(shown, text=f"{write(rounded, places)} × 10{raised}", half_width=half)


def _whole(shown: Shown, name: str) -> int:
    number = exact(shown.value, name)
    if number.denominator != 1:
        raise FormatError(f"{name} takes a whole number, not {shown.value!r}.")
    return int(number)


@format_named("words", "In words up to one hundred, then in digits: 3 gives three.")
def _words(shown: Shown) -> Shown:
    number = exact(shown.value, "words")
    if number.denominator != 1 or abs(number) > english.LARGEST_WORD:
        return _thousands(shown)
    word = english.cardinal(abs(int(number)))
    return replace(shown, text=f"minus {word}" if number < 0 else word)


@format_named("ordinal", "The place in digits: 3 gives 3rd.")
def _ordinal(shown: Shown) -> Shown:
    number = _whole(shown, "ordinal")
    if number < 0:
        raise FormatError(f"ordinal takes a number from 0 up, not {number}.")
    return replace(shown, text=write(Fraction(number), 0) + english.ordinal_suffix(number))


@format_named("words_ordinal", "The place in words up to hundredth, then in digits: 3 gives third.")
def _words_ordinal(shown: Shown) -> Shown:
    number = _whole(shown, "words_ordinal")
    if not 1 <= number <= english.LARGEST_WORD:
        return _ordinal(shown)
    return replace(shown, text=english.ordinal_word(number))


def _simple_fraction(shown: Shown, name: str, largest: int) -> Fraction:
    number = exact(shown.value, name)
    simple = number.limit_denominator(largest)
    # A float cannot hold a third: the nearest simple fraction stands for it.
    if abs(simple - number) > abs(number) * Fraction(1, 10**12):
        raise FormatError(f"{name} takes a simple fraction, and {shown.value!r} is none.")
    return simple


@format_named("fraction", "A fraction in digits: 0.25 gives 1/4.")
def _fraction(shown: Shown) -> Shown:
    simple = _simple_fraction(shown, "fraction", 100)
    sign = MINUS if simple < 0 else ""
    top, bottom = abs(simple.numerator), simple.denominator
    text = f"{sign}{top:,}" + (f"/{bottom}" if bottom > 1 else "")
    return replace(shown, text=text)


@format_named("words_fraction", "A fraction in words: 0.25 gives a quarter, 2.5 two and a half.")
def _words_fraction(shown: Shown) -> Shown:
    simple = _simple_fraction(shown, "words_fraction", 20)
    whole, part = divmod(simple, 1)
    if simple < 0 or whole > english.LARGEST_WORD:
        raise FormatError(f"words_fraction takes a number from 0 to 100, not {shown.value!r}.")
    if not part:
        return _words(shown)
    top = part.numerator
    count = "a" if top == 1 else english.cardinal(top)
    if count == "a" and part.denominator in (8, 11, 18):
        count = "an"
    text = f"{count} {english.fraction_noun(part.denominator, top > 1)}"
    if part == Fraction(1, 2) and not whole:
        text = "half"
    return replace(shown, text=f"{english.cardinal(whole)} and {text}" if whole else text)


@format_named("duration", "Seconds in the units people use: 5400 gives 1 h 30 min.", takes="s")
def _duration(shown: Shown) -> Shown:
    seconds = exact(shown.value, "duration")
    if seconds < 0:
        raise FormatError(f"duration takes seconds from 0 up, not {shown.value!r}.")
    if seconds < 1 and seconds:
        return _number(shown, "duration", None, scale=Fraction(1, 1000), unit="ms", joint=NBSP)
    if seconds < 60:
        return _number(shown, "duration", None, unit="s", joint=NBSP)
    left = int(round_half_away(seconds, 0))
    half = Fraction(0) if left == seconds else Fraction(1, 2)
    parts: list[tuple[int, str]] = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        count, left = divmod(left, size)
        if count:
            parts.append((count, unit))
    text = " ".join(f"{count:,}{NBSP}{unit}" for count, unit in parts)
    return replace(shown, text=text, unit=parts[-1][1], half_width=half)
