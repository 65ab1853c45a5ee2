"""The verdict on each number that is typed: which it is, what to write, and the edit."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from workings.bundle import Exemption
from workings.gate.known import Known, KnownNumbers
from workings.gate.match import (
    How,
    Match,
    is_distinctive,
    matches,
    same_numbers,
    significant_digits,
    written,
)
from workings.gate.spell import Binding, show, spell, unit_chain
from workings.numerals import Numeral, read_numerals
from workings.problems import Edit, Problem
from workings.prose import Region
from workings.prose.latex import VARIABLE

_LISTED_NAMES = 3
_EDITABLE = frozenset(
    ["prose", "heading", "table", "math", "html", "attribute", "alt", "link title", "front matter", "quiz"]
)  # fmt: skip
_YAML = frozenset(["front matter", "quiz", "widget"])


@dataclass
class Reader:
    """Gives the verdicts of one lesson, and remembers which exemptions were of use."""

    slug: str
    known: KnownNumbers
    names: tuple[str, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    used: set[Exemption] = field(default_factory=set)

    def numerals(self, region: Region) -> list[Numeral]:
        """The quantities that the region states; a formula's own small constants are none."""
        found = read_numerals(region.text.text, self.names, self.known.nouns, self.known.years)
        if region.kind == "math" and VARIABLE in region.text.text:
            found = [numeral for numeral in found if not _is_constant(numeral)]
        return found

    def exemption(self, region: Region, numeral: Numeral) -> Exemption | None:
        """The entry of the front matter that exempts the numeral."""
        text = region.text.text
        for entry in self.exemptions:
            start = text.find(entry.text) if entry.text else -1
            while start >= 0:
                if start <= numeral.start and numeral.end <= start + len(entry.text):
                    self.used.add(entry)
                    return entry
                start = text.find(entry.text, start + 1)
        return None

    def problem(self, region: Region, numeral: Numeral) -> Problem:
        """What is wrong with a number that is neither bound, nor cited, nor exempt."""
        found = matches(numeral, self.known)
        stated = _stated(region, numeral)
        at = region.location(numeral.start)
        if not found:
            of = " of the lesson" if self.slug else ""
            message = f"the number {stated} is typed, and no number{of} equals it."
            return Problem(
                at, "unbound-number", message, self._mend_for_new(numeral, stated.strip("'"))
            )
        best = found[0]
        bindings = [self._spelled(region, numeral, match) for match in found]
        edit = self._edit(region, numeral, found, bindings[0])
        templates = [
            binding.template(match.known) for match, binding in zip(found, bindings, strict=True)
        ]
        if best.is_same:
            rule, message = self._same_message(stated, found)
            return Problem(at, rule, message, f"Write {_either(templates)}.", edit)
        if best.how is How.OLD:
            now = self.known.named(best.known.name) or best.known
            value = show(now, bindings[0].chain)
            message = (
                f"{stated} was the accepted value of {best.known.written}, which is now {value}."
            )
            return Problem(at, "drifted-number", message, f"Write {_either(templates)}.", edit)
        likeness = "has the digits of" if best.how is How.UNIT else "is near"
        near = [
            f"{match.known.written}, which is {show(match.known, binding.chain)}{_unit(match)}"
            for match, binding in zip(found, bindings, strict=True)
        ]
        message = f"the number {stated} {likeness} {_listed(near, ', and ')}."
        mend = f"Write {_either(templates, False)}, or exempt it with a reason if another number is meant."
        return Problem(at, "drifted-number", message, mend, edit)

    def exempt_problem(
        self, region: Region, numeral: Numeral, at: int, macro: str
    ) -> Problem | None:
        """A number that is exempt, or is said in the words of a claim, though the lesson computes it."""
        if not is_distinctive(numeral) or significant_digits(written(numeral.readings[0])) < 2:
            return None
        same = [
            match for match in same_numbers(numeral, self.known.current) if match.how is How.EQUAL
        ]
        if not same:
            return None
        stated = _stated(region, numeral)
        ground = "is exempt" if macro == "exempt" else "is said in a claim"
        template = self._spelled(region, numeral, same[0]).template(same[0].known)
        return Problem(
            region.source.location(at), "unbound-number",
            f"the number {stated} {ground}, yet equals {same[0].known.written}.", f"Write {template}.",
        )  # fmt: skip

    def _mend_for_new(self, numeral: Numeral, stated: str) -> str:
        """What to do about a number that the lesson does not know."""
        exempt = f'{{{{ exempt("{stated}", "the reason") }}}}'
        if numeral.kind in ("multiple", "fraction"):
            return f'Assert it with {{{{ claim("{stated}", "an expression over n") }}}}, or write {exempt}.'
        if not self.slug:
            return f'Write {{{{ number("LESSON.NAME") }}}}, or {exempt}.'
        return (
            f"Compute it in code/{self.slug}/show_numbers.py and write {{{{ n.NAME }}}}, cite it with "
            f'{{{{ fact("ID") }}}}, or write {exempt}.'
        )

    def _same_message(self, stated: str, found: Sequence[Match]) -> tuple[str, str]:
        best = found[0]
        if best.known.is_fact:
            facts = _listed([f"'{match.known.name}'" for match in found])
            noun = "fact" if len(found) == 1 else "facts"
            return "uncited-fact", f"the number {stated} is typed, and equals the {noun} {facts}."
        names = _listed([match.known.written for match in found])
        if best.how is How.ROUNDED and len(found) == 1:
            full = f"{show(best.known, '')}{_unit(best)}"
            return (
                "unbound-number",
                f"the number {stated} is typed, and is {names} ({full}), rounded.",
            )
        return "unbound-number", f"the number {stated} is typed, and equals {names}."

    def _spelled(self, region: Region, numeral: Numeral, match: Match) -> Binding:
        text = region.text.text
        if match.how is How.OLD:
            now = self.known.named(match.known.name) or match.known
            return spell(numeral, match.reading, text, now, match.known)
        if match.how is How.UNIT and (chain := unit_chain(match)):
            return Binding(chain, True, False)
        return spell(numeral, match.reading, text, match.known)

    def _edit(
        self, region: Region, numeral: Numeral, found: Sequence[Match], binding: Binding
    ) -> Edit | None:
        """The edit, where it is certain which number is meant and how it is written."""
        best = found[0]
        is_certain = best.is_same or best.how in (How.OLD, How.ROUNDING)
        if len(found) > 1 or not is_certain or not (binding.is_exact or best.how is How.ROUNDING):
            return None
        if best.is_same and best.fit[0] != 0 and not is_distinctive(numeral):
            return None
        return edit_for(region, numeral, best.known, binding)


def _stated(region: Region, numeral: Numeral) -> str:
    """The number as the text has it; words in quotes."""
    stated = region.text.text[numeral.start : numeral.unit_end].replace("\n", " ")
    return f"'{stated}'" if stated[:1].isalpha() else stated


def edit_for(region: Region, numeral: Numeral, known: Known, binding: Binding) -> Edit | None:
    """Put a binding in the place of the numeral; None where a template cannot stand there."""
    if region.kind == "answer":
        is_whole = region.text.text.strip() == region.text.text[numeral.start : numeral.unit_end]
        old, new = region.text.text.strip(), known.written
        return (
            Edit(region.location(numeral.start), old, new)
            if is_whole and not known.is_fact
            else None
        )
    is_declared_text = region.kind == "figure" and bool(region.key)
    if region.kind not in _EDITABLE and not is_declared_text:
        return None
    start, source = numeral.start, region.source.text
    stop = numeral.unit_end if binding.takes_unit else numeral.end
    old = source[region.text.at(start) : region.text.after(stop)]
    if _bare(old) != _bare(region.text.text[start:stop]):
        return None  # marks stand within the number
    template = binding.template(known)
    if (quotes := _quotes_around(region)) is None:
        return None
    if '"' in template and '"' in quotes:
        template = binding.template(known, "'")
    if quotes and any(quote in template for quote in quotes):
        return None
    return Edit(region.location(start), old, template)


def _quotes_around(region: Region) -> str | None:
    """The quotes that a template must not hold there; None where it cannot stand at all."""
    first = region.text.at(0)
    before = region.source.text[max(first - 1, 0) : first]
    if region.kind in _YAML or region.key:
        if before in ("'", '"'):
            return before
        # At the start of a plain scalar a brace opens a mapping.
        line = region.source.text[: region.text.at(0)].rpartition("\n")[2]
        is_plain = re.search(r"(?::|-|\[|,)\s+\Z", line) is not None
        return None if is_plain and region.text.text[:1].isdigit() else ""
    if region.kind in ("attribute", "link title"):
        return "\"'"
    return ""


def _bare(text: str) -> str:
    return re.sub(r"\{,\}|\\,|&\w+;|[\s,_'\u2019\u00a0\u2007-\u2009\u202f\\]", "", text)


def _is_constant(numeral: Numeral) -> bool:
    """The 1 and 2 of 2k - 1 belong to the formula."""
    value = numeral.value
    return numeral.unit_end == numeral.end and value.denominator == 1 and 0 <= abs(value) <= 2


def _unit(match: Match) -> str:
    """The unit behind a value that is shown in full."""
    unit = match.known.unit
    is_told = match.how is How.ROUNDED or (match.how is How.UNIT and not unit_chain(match))
    return f" {unit}" if unit.isalpha() and unit != "ratio" and is_told else ""


def _listed(names: Sequence[str], last: str = " and ") -> str:
    if len(names) > _LISTED_NAMES:
        more = len(names) - _LISTED_NAMES
        return f"{', '.join(names[:_LISTED_NAMES])}{last}{more} more"
    return last.join(names)


def _either(templates: Sequence[str], asks: bool = True) -> str:
    unique = list(dict.fromkeys(templates))[:_LISTED_NAMES]
    if len(unique) == 1:
        return unique[0]
    return " or ".join(unique) + (", whichever is meant" if asks else "")


def is_typed_answer(text: str) -> bool:
    """Whether an expression is a bare number or a text, with no name of the registry in it."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return True
    return not any(isinstance(node, (ast.Name, ast.Attribute, ast.Call)) for node in ast.walk(tree))
