"""What can be wrong around a template: a unit given twice, a wrong unit, a claim of other words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction

from workings import formats
from workings.expressions import ExpressionError, names, parse
from workings.facts import Facts, find_fact
from workings.formats.english import plural_of
from workings.gate.known import KnownNumbers
from workings.numerals import UNITS, Measure, Numeral, measure, read_numerals, read_unit, singular
from workings.page.templates import Use
from workings.problems import Edit, Problem
from workings.prose import TEMPLATE, Inserted, Region
from workings.registry import Registry

_WORD = re.compile(r"[ \u00a0\n-]([A-Za-z]+)")
_GLUED_BEFORE = re.compile(r"(?:\d[\d.,]*|\ufffc)\Z")
_GLUED_AFTER = re.compile(r"[.,]?\d+")
_MAGNITUDES = frozenset(["hundred", "thousand", "million", "billion", "trillion"])
_NO_UNIT = Measure(None)


def check_units(
    region: Region, inserted: Inserted, use: Use, known: KnownNumbers, facts: Facts
) -> Iterator[Problem]:
    """A number or fact against the unit that stands beside it."""
    name, own = _own_measure(use, known, facts)
    if name is None:
        return
    try:
        chain = _chain(use)
        written = formats.written_unit(chain)
        takes = next(
            (f.takes for f, _ in ((formats.find_format(n), a) for n, a in chain) if f.takes), None
        )
    except formats.FormatError:
        return  # the check of names reports it
    text, after = region.text.text, inserted.index + 1
    stated, end = _stated_unit(text, after, known.nouns)
    place = region.location(inserted.index)
    if takes and own.base and not _fits(takes, own):
        unit = next((u for u in [written] if u), takes)
        yield Problem(
            place, "unit-mismatch", f"{name} is {_in_unit(own)}, and its filter shows it in {unit}.",
            "Choose a filter that fits the unit.",
        )  # fmt: skip
    elif written and text[inserted.index - 1 : inserted.index] == written:  # $ stands before
        yield _double(region, inserted, name, written, inserted.index - 1, inserted.index)
    elif stated is None:
        return
    elif written and _is_same_unit(written, stated):
        yield _double(region, inserted, name, written, after, end, stated)
    elif stated in _MAGNITUDES:
        return
    elif written is None and own.base and _contradicts(stated, own):
        filters = _filter_for(stated, own)
        template = "{{ " + _written(use) + f" | {filters}" + " }}"
        mend = (
            f"Write {template} and drop '{stated}'."
            if filters
            else f"Write {_unit_name(own)}, or bind the number that is meant."
        )
        yield Problem(
            place, "unit-mismatch",
            f"{name} is {_in_unit(own)}, and the text after it says {stated}.", mend,
        )  # fmt: skip


def check_glue(region: Region, inserted: Inserted) -> Iterator[Problem]:
    """Digits typed against a number: a reader sees them as one."""
    text, at = region.text.text, inserted.index
    before, after = _GLUED_BEFORE.search(text, 0, at), _GLUED_AFTER.match(text, at + 1)
    for found in (before, after):
        if found is not None:
            what = "another template" if found[0] == TEMPLATE else f"'{found[0]}'"
            yield Problem(
                region.location(found.start()), "glued-number",
                f"{what} stands against {{{{{inserted.expression}}}}}, and a reader sees one number.",
                "Compute the number that is meant, and bind it.",
            )  # fmt: skip


def _double(
    region: Region,
    inserted: Inserted,
    name: str,
    written: str,
    start: int,
    end: int,
    stated: str = "",
) -> Problem:
    source, text = region.source.text, region.text
    first = inserted.end if start > inserted.index else text.at(start)
    old = source[first : text.after(end) if start > inserted.index else inserted.start]
    word = stated or written
    side = "follows" if start > inserted.index else "stands before"
    return Problem(
        region.location(inserted.index), "double-unit",
        f"'{word}' {side} {name}, whose filter writes '{written}' already.",
        f"Drop '{word}' from the text, or the filter.",
        Edit(region.source.location(first), old, "") if "\n" not in old else None,
    )  # fmt: skip


def _chain(use: Use) -> tuple[tuple[str, tuple[object, ...]], ...]:
    if use.kind == "call" and len(use.arguments) > 1:
        return formats.parse_chain(str(use.arguments[1]))
    return use.filters


def _written(use: Use) -> str:
    return f"n.{use.name}" if use.kind == "number" else f'fact("{use.arguments[0]}")'


def _own_measure(use: Use, known: KnownNumbers, facts: Facts) -> tuple[str | None, Measure]:
    if use.kind == "number":
        found = known.named(use.name)
        return (found.written, found.measure) if found else (None, _NO_UNIT)
    if use.name == "fact" and use.arguments:
        try:
            _, fact, value = find_fact(facts, str(use.arguments[0]))
        except KeyError:
            return None, _NO_UNIT
        if not isinstance(value, (str, bool)):
            return f"the fact '{use.arguments[0]}'", measure(
                fact.unit if fact.value is not None else None
            )
    return None, _NO_UNIT


def _stated_unit(text: str, at: int, nouns: frozenset[str]) -> tuple[str | None, int]:
    """The unit or counted noun right after a number, and its end."""
    if (unit := read_unit(text, at)) is not None:
        return unit[0], unit[2]
    match = _WORD.match(text, at)
    if match and (singular(match[1]) in nouns or match[1] in _MAGNITUDES):
        return match[1], match.end()
    return None, at


def _measure_of(unit: str) -> Measure:
    known = UNITS.get(unit)
    if known is None:
        return Measure(singular(unit))
    return Measure(known.base, known.factor)


def _is_same_unit(written: str, stated: str) -> bool:
    if written in _MAGNITUDES or stated in _MAGNITUDES:
        return written == stated
    one, other = _measure_of(written), _measure_of(stated)
    return one.base == other.base


def _contradicts(stated: str, own: Measure) -> bool:
    said = _measure_of(stated)
    if own.base == "percent":
        return said.base not in ("ratio", "percent") or stated in ("×", "x", "times")
    if stated in ("%", "percent", "per cent"):
        return True
    if said.base == "ratio":
        return own.base != "ratio" and stated not in ("time", "times")
    return said.base != own.base or said.factor != own.factor


def _fits(takes: str, own: Measure) -> bool:
    if takes == "ratio":
        return own.base == "ratio"
    return own.base == takes and own.factor == 1


_PLAIN_NAMES = {
    "B": "bytes",
    "bit": "bits",
    "ns": "nanoseconds",
    "s": "seconds",
    "%": "a ratio",
    "$": "dollars",
}


def _unit_name(own: Measure) -> str:
    """The unit in words, as a message says it."""
    for name, unit in UNITS.items():
        if unit.base == own.base and unit.factor == own.factor:
            return _PLAIN_NAMES.get(name, name)
    base = own.base or "no unit"
    return base if base in ("percent", "no unit") else plural_of(base)


def _in_unit(own: Measure) -> str:
    return "a ratio" if own.base == "ratio" else f"in {_unit_name(own)}"


def _filter_for(stated: str, own: Measure) -> str:
    if own.base == "bytes" and own.factor == 1 and stated.lower() in formats.FORMATS:
        return stated.lower()
    if own.base == "ratio" and stated in ("%", "percent"):
        return "percent"
    return ""


# --- claims -----------------------------------------------------------------------------------


def check_claim(
    region: Region, inserted: Inserted, use: Use, registry: Registry, nouns: frozenset[str]
) -> Iterator[Problem]:
    """The numbers in a claim's words are in what it asserts."""
    if len(use.arguments) < 2:
        return
    words, expression = str(use.arguments[0]), str(use.arguments[1])
    if not claimed_names(expression):
        yield Problem(
            region.location(inserted.index), "claim-number",
            f"the claim '{words}' asserts nothing about the lesson: {expression}.",
            "Write an expression over the numbers, such as n.A > n.B.",
        )  # fmt: skip
        return
    stated = read_numerals(words, nouns=nouns)
    if not stated:
        return
    asserted = _asserted(expression, registry)
    missing = [numeral for numeral in stated if not _is_asserted(numeral, asserted)]
    has_digits = any(numeral.kind in ("digits", "power") for numeral in missing)
    if missing and (has_digits or len(missing) == len(stated)):
        number = words[missing[0].start : missing[0].unit_end]
        yield Problem(
            region.location(inserted.index), "claim-number",
            f"the claim says '{number}', and its assertion has no such number: {expression}.",
            "Assert what the words say.",
        )  # fmt: skip


def claimed_names(expression: str) -> list[str]:
    """The numbers that an expression uses; none where it is broken."""
    try:
        return [name for name, _ in names(expression)]
    except ExpressionError:
        return []


def _asserted(expression: str, registry: Registry) -> list[Fraction]:
    """The constants of an expression and the values of the numbers that it uses."""
    found: list[Fraction] = []
    try:
        tree = parse(expression)
    except ExpressionError:
        return found
    used = claimed_names(expression)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            found.append(formats.exact(node.value))  # type: ignore[arg-type]
    for leaf in registry.leaves():
        if leaf.number.name in used and not isinstance(leaf.value, (str, bool)):
            found.append(formats.exact(leaf.value) * measure(leaf.unit).factor)
    return found


def _is_asserted(numeral: Numeral, asserted: list[Fraction]) -> bool:
    """Also where 4 * a == b stands for a quarter, or 0.75 for three quarters."""
    return any(
        reading.states_loosely(value) or (value and reading.states(1 / value))
        for reading in numeral.readings
        for value in asserted
    )
