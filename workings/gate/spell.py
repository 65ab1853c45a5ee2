"""The binding that writes what an author typed: the name and the chain of filters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workings import formats
from workings.formats import FormatError
from workings.formats.core import NBSP, round_half_away
from workings.gate.known import Known
from workings.gate.match import Match, written
from workings.numerals import UNITS, Numeral, Reading

_SEPARATORS = re.compile(r"\{,\}|\\,|(?<=\d)[,\u00a0\u2007\u2008\u2009\u202f_'\u2019 ](?=\d{3})")
_BYTE_FILTERS = {
    "kib": "KiB",
    "mib": "MiB",
    "gib": "GiB",
    "tib": "TiB",
    "kb": "KB",
    "mb": "MB",
    "gb": "GB",
    "tb": "TB",
}


@dataclass(frozen=True)
class Binding:
    """A chain for a number. `takes_unit` where it writes the unit too; `is_exact` where what it writes
    is what was typed, grouping and kinds of space apart."""

    chain: str
    takes_unit: bool
    is_exact: bool

    def template(self, known: Known, quote: str = '"') -> str:
        """`{{ n.x | gib }}`."""
        written = known.written.replace('"', quote)
        if known.is_fact and self.chain:
            return "{{ " + f"{written[:-1]}, {quote}{self.chain}{quote})" + " }}"
        return "{{ " + (f"{written} | {self.chain}" if self.chain else written) + " }}"


def spell(
    numeral: Numeral, reading: Reading, text: str, known: Known, value: Known | None = None
) -> Binding:
    """The chain that writes `known` the way `text` has the numeral.

    `value` is what the typed digits stand for, where that is not `known` itself (an old value).
    """
    shown = value or known
    bare, full = text[numeral.start : numeral.end], text[numeral.start : numeral.unit_end]
    is_exact = reading.value in (shown.exact, shown.base_value)
    for chain in _chains(numeral, reading, bare, is_exact):
        made = _display(shown, chain)
        if made is None:
            continue
        if _normal(made) == _normal(full):
            return Binding(chain, True, True)
        if _normal(made) == _normal(bare):
            return Binding(chain, False, True)
    return Binding(
        _nearest_chain(numeral, reading, known),
        bool(numeral.unit) and _writes_unit(numeral, known),
        False,
    )


def show(known: Known, chain: str) -> str:
    """The value of `known` through a chain, or in full where the chain does not fit."""
    made = _display(known, chain)
    return (formats.display(known.value) if made is None else made).replace(NBSP, " ")


def unit_chain(match: Match) -> str:
    """The filter with whose unit the digits of a number in a wrong unit are right; "" for none."""
    known, reading = match.known, match.reading
    if known.measure.base != "bytes" or reading.decimals is None:
        return ""
    for chain, unit in (("bytes", "B"), *_BYTE_FILTERS.items()):
        factor = UNITS[unit].factor
        if round_half_away(known.base_value / factor, reading.decimals) == written(reading):
            return chain
    return ""


def _display(known: Known, chain: str) -> str | None:
    try:
        return formats.display(known.value, formats.parse_chain(chain))
    except FormatError:
        return None


def _normal(text: str) -> str:
    """The text without what an author may do in several ways: grouping, spaces, the sign."""
    text = _SEPARATORS.sub("", text).replace(",", "").replace("\u2212", "-").replace("x", "×")
    return re.sub(r"[\s\u00a0\u202f\u2009-]+", " ", text).strip()


def _chains(numeral: Numeral, reading: Reading, bare: str, is_exact: bool) -> Iterator[str]:
    """The chains that may write it, the plainest first; a rounded number keeps its decimals."""

    def with_digits(name: str) -> Iterator[str]:
        if is_exact:
            yield name
        if decimals is not None:
            yield f"{name}({max(decimals, 0)})"
        yield name

    decimals = reading.decimals
    capital = " | capital" if bare[:1].isupper() else ""
    yield ""
    if numeral.kind in ("word", "ordinal", "multiple", "fraction"):
        for chain in (
            "words",
            "words_ordinal",
            "ordinal",
            "words | times",
            "times",
            "multiple",
            "fraction",
            "words_fraction",
        ):
            yield chain + (capital if chain.startswith("words") else "")
    if numeral.unit in _BYTE_FILTERS.values():
        name = next(name for name, unit in _BYTE_FILTERS.items() if unit == numeral.unit)
        yield from with_digits(name)
    if numeral.unit == "B":
        yield "bytes"
    if reading.base == "ratio":
        yield from with_digits("percent")
    if reading.base == "usd" and decimals is not None:
        yield "usd"
        yield f"usd({max(decimals, 0)})"
    if reading.factor in (10**6, 10**9) and decimals is not None:
        name = "millions" if reading.factor == 10**6 else "billions"
        yield from with_digits(name)
    if numeral.kind == "digits" and decimals is not None:
        if decimals > 0:
            yield f"round({decimals})"
        yield "round"
        for digits in range(1, 7):
            yield f"sig({digits})"
        yield "plain"
        yield "signed"
    if numeral.kind == "power":
        yield "scientific"
        for digits in range(4):
            yield f"scientific({digits})"


def _writes_unit(numeral: Numeral, known: Known) -> bool:
    return numeral.unit in _BYTE_FILTERS.values() and known.measure.base == "bytes"


def _nearest_chain(numeral: Numeral, reading: Reading, known: Known) -> str:
    """The chain in the style of what was typed, for a number that differs from it."""
    if _writes_unit(numeral, known):
        name = next(name for name, unit in _BYTE_FILTERS.items() if unit == numeral.unit)
        return f"{name}({max(reading.decimals or 0, 0)})" if reading.decimals else name
    if numeral.kind in ("word", "multiple") and known.exact.denominator == 1:
        return "words"
    if numeral.kind == "ordinal" and known.exact.denominator == 1:
        return "words_ordinal"
    if (
        reading.base == "ratio"
        and numeral.unit in ("%", "percent")
        and known.measure.base != "percent"
    ):
        return "percent"
    if reading.decimals and known.exact.denominator != 1 and not numeral.unit:
        return f"round({reading.decimals})"
    return ""
