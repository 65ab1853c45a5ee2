"""Numbers in digits: separators, signs, decimals, powers, fractions, magnitudes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workings.numerals.model import Kind
from workings.numerals.units import MAGNITUDES

_SEPARATOR = r"(?P<sep>,|[ \u00a0\u2007\u2008\u2009\u202f_'\u2019]|\{,\}|\\,)"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
    "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
_UNRAISE = str.maketrans(_RAISED + "⁻", "0123456789-")
# A power of a larger base, or a larger power, is a footnote's mark or a slip.
_LARGEST_BASE, _LARGEST_POWER = 1024, 400

_NUMBER = re.compile(
    rf"""
    (?:(?<![\w.\u00ad])|(?<=(?<!\w)x)) (?P<sign>(?<![\w)\]%\u201d"])[+\-\u2212\u00b1])?
    (?P<currency>[$€£])?
    (?:(?P<digits>
        \d{{1,3}}(?:\.\d{{3}}){{2,}}(?![\d.]*\d)
        | \d{{1,3}}{_SEPARATOR}\d{{3}}(?:(?P=sep)\d{{3}})*(?!\d)
        | \d{{1,2}}(?:,\d\d)+,\d{{3}}(?![\d])
        | \d+ )
      (?P<decimals>\.\d+)?
      | (?P<bare>\.\d+) | (?P<vulgar_alone>[{"".join(_VULGAR)}]))
    (?:(?P<vulgar>[{"".join(_VULGAR)}])
      | [ \u00a0](?P<mixed>\d{{1,2}}[/\u2044]\d{{1,3}})(?![\d/\w])
      | [ ]?[/\u2044][ ]?(?P<below>\d+)(?![\d/.,]*\d)(?!\s?[/])
      | [eE](?P<e>[+\-\u2212]?\d{{1,3}})(?!\w)
      | [ \u00a0]?(?:[×x*·⋅])[ \u00a0]?10(?:\^\{{?(?P<ten>[-\u2212]?\d+)\}}?|\*\*(?P<ten_py>-?\d+)
        |(?P<ten_raised>⁻?[{_RAISED}]+))
      | (?:\^\{{?|\*\*[ ]?)(?P<power>[-\u2212]?\d+)\}}? | (?P<raised>⁻?[{_RAISED}]+)
    )?
    """,
    re.VERBOSE,
)
_MAGNITUDE = re.compile(
    "(?P<glued>k|K|M|B|bn|T)(?![A-Za-z0-9])"
    "|[ \u00a0\u202f\u2009-]?(?P<word>hundred|thousand|million|billion|trillion)(?![A-Za-z])"
)
_NEXT_GROUP = re.compile(r"[ \u00a0]\d")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z0-9])")
_GLUED_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Digits:
    """A number in digits. `values` has the likeliest first, each with the decimals it was written
    to; `glued_to` is the index after the digits where letters follow them at once."""

    start: int
    end: int
    values: tuple[tuple[Fraction, int | None], ...]
    zeros: int
    kind: Kind
    currency: str = ""
    magnitudes: tuple[int, ...] = (1,)


def read_digits(text: str) -> Iterator[Digits]:
    """Every number that is written in digits, whether or not it states a quantity."""
    at = 0
    while (match := _NUMBER.search(text, at)) is not None:
        match = _without_false_groups(text, match)
        found = _read(text, match)
        at = found.end
        yield found


def _without_false_groups(text: str, match: re.Match[str]) -> re.Match[str]:
    """Digits that only look grouped: "10 950" of a list, where more groups of other sizes follow."""
    is_spaced = match["sep"] == " "
    if is_spaced and _NEXT_GROUP.match(text, match.end()):
        return _NUMBER.match(text, match.start(), match.start() + match[0].index(" ")) or match
    return match


def _read(text: str, match: re.Match[str]) -> Digits:
    sign = -1 if match["sign"] in ("-", "\u2212") else 1
    values, zeros, kind = _magnitude_free(match)
    end = match.end()
    if values is None:  # the exponent is a mark: only the digits count
        end = max(match.end(group) for group in ("digits", "decimals", "bare"))
        values, zeros = _plain(match)
    values = [(sign * value, decimals) for value, decimals in values]
    if sign < 0:
        values += [(-value, decimals) for value, decimals in values[:1]]
    factors: tuple[int, ...] = (1,)
    if kind == "digits" and (ordinal := _ORDINAL.match(text, end)):
        end, kind = ordinal.end(), "ordinal"
    elif found := _MAGNITUDE.match(text, end):
        factors = MAGNITUDES[found["glued"] or found["word"]]
        if found["glued"] == "B":
            factors = (1, *factors)  # 8B may be eight bytes: the unit is read next
        else:
            end = found.end()
    return Digits(match.start(), end, tuple(values), zeros, kind, match["currency"] or "", factors)


def _plain(match: re.Match[str]) -> tuple[list[tuple[Fraction, int | None]], int]:
    """The digits without what follows them, and the trailing zeros of a whole number."""
    if match["vulgar_alone"]:
        return [(Fraction(*_VULGAR[match["vulgar_alone"]]), None)], 0
    if match["bare"]:
        return [(Fraction("0" + match["bare"]), len(match["bare"]) - 1)], 0
    digits, decimals = match["digits"], match["decimals"] or ""
    whole = re.sub(r"\D", "", digits)
    places = len(decimals) - 1 if decimals else 0
    zeros = 0 if decimals else len(whole) - len(whole.rstrip("0"))
    values: list[tuple[Fraction, int | None]] = [(Fraction(whole + decimals), places)]
    # How other countries write: 147.456 for 147,456, and 5,625 for 5.625.
    if re.fullmatch(r"\d{1,3}", digits) and len(decimals) == 4:
        values.append((Fraction(whole + decimals[1:]), 0))
    elif match["sep"] == "," and not decimals and re.fullmatch(r"\d{1,3},\d\d[1-9]", digits):
        values.append((Fraction(digits.replace(",", ".")), 3))
    return values, zeros


def _magnitude_free(
    match: re.Match[str],
) -> tuple[list[tuple[Fraction, int | None]] | None, int, Kind]:
    values, zeros = _plain(match)
    base, places = values[0]
    if part := match["vulgar"]:
        return [(base + Fraction(*_VULGAR[part]), None)], 0, "fraction"
    if part := match["mixed"]:
        top, bottom = re.split(r"[/\u2044]", part)
        if int(bottom):
            return [(base + Fraction(int(top), int(bottom)), None)], 0, "fraction"
        return None, 0, "digits"
    if match["below"]:
        if not int(match["below"]):
            return None, 0, "digits"
        return [(base / int(match["below"]), None)], 0, "fraction"
    if match["vulgar_alone"]:
        return values, 0, "fraction"
    shift = match["e"] or match["ten"] or match["ten_py"] or match["ten_raised"]
    if shift is not None:
        power = int(shift.translate(_UNRAISE).replace("\u2212", "-"))
        if abs(power) > _LARGEST_POWER:
            return None, 0, "digits"
        return [(base * Fraction(10) ** power, (places or 0) - power)], 0, "power"
    raised = match["power"] or match["raised"]
    if raised is not None:
        power = int(raised.translate(_UNRAISE).replace("\u2212", "-"))
        if base > _LARGEST_BASE or not base or abs(power) > _LARGEST_POWER or match["sep"]:
            return None, 0, "digits"
        return [(base**power, None)], 0, "power"
    return values, zeros, "digits"
