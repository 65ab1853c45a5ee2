"""Comments and docstrings of a lesson's code, against the values that it computes."""

from __future__ import annotations

from collections.abc import Iterator

from workings.gate.known import Known, KnownNumbers
from workings.gate.match import (
    How,
    is_distinctive,
    matches,
    same_numbers,
    significant_digits,
    written,
)
from workings.gate.spell import show
from workings.numerals import Numeral, read_numerals
from workings.problems import Edit, Problem
from workings.prose import Region

# Code has many numbers of its own, so only one with this many digits can be told for a slip.
_TELLING_DIGITS = 4
_NEARNESS = 0.1


def check_comment(region: Region, known: KnownNumbers, names: tuple[str, ...]) -> Iterator[Problem]:
    """Numbers that are an accepted value of the past, or a slip away from a computed one."""
    text = region.text.text
    for numeral in read_numerals(text, names, known.nouns):
        reading = numeral.readings[0]
        if significant_digits(written(reading)) < _TELLING_DIGITS or not is_distinctive(numeral):
            continue
        sizes = {float(size) for r in numeral.readings for size in (r.value, written(r))}
        near = known.within(_NEARNESS, sizes)
        if not near.current and not near.accepted:
            continue
        if same_numbers(numeral, (*near.current, *known.facts)):
            continue
        found = [
            m for m in matches(numeral, near) if m.how in (How.OLD, How.OFF_BY_ONE, How.DIGITS)
        ]
        if len({match.known.exact for match in found}) != 1:
            continue  # near to nothing, or to several that differ
        if found[0].how is How.DIGITS and not _is_slip(numeral, found[0].known):
            continue
        now = near.named(found[0].known.name) or known.named(found[0].known.name) or found[0].known
        stated, value = text[numeral.start : numeral.end], show(now, "")
        old = region.source.text[region.text.at(numeral.start) : region.text.after(numeral.end)]
        yield Problem(
            region.location(numeral.start), "number-in-code-comment",
            f"the {region.kind} says {stated}, and {now.written} is {value}.", f"Write {value}.",
            Edit(region.location(numeral.start), old, value) if found[0].how is How.OLD else None,
        )  # fmt: skip


def _is_slip(numeral: Numeral, known: Known) -> bool:
    """Nearness alone is no contradiction: 147,000 may be another number."""
    one, other = str(abs(written(numeral.readings[0]))), str(abs(known.exact))
    return len(one) == len(other) and sorted(one) == sorted(other)
