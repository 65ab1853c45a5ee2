"""Comparing words beside numbers whose values moved since they were accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from workings.gate.known import KnownNumbers
from workings.gate.spell import show
from workings.page.templates import Use
from workings.problems import Problem
from workings.prose import Inserted, Region
from workings.registry import Scalar

COMPARING = re.compile(
    r"""(?ix)\b(?:
    (?:more|less|fewer|larger|smaller|bigger|greater|higher|lower|longer|shorter|faster|slower|cheaper|dearer
      |better|worse)(?:\ than)?
    | most | least | largest | smallest | biggest | longest | shortest
    | about | around | roughly | nearly | almost | approximately | exactly | precisely | barely | hardly
    | only | just\ (?:over|under|above|below) | over | under | above | below | beyond | within | up\ to
    | at\ (?:most|least)
    | double[sd]? | doubling | triple[sd]? | tripling | quadruple[sd]? | halve[sd]? | halving | half | third | quarter
    | twice | thrice | times | grows? | grew | shrinks? | shrank | rises? | rose | falls? | fell | drops?
    | exceeds? | fits? | enough | equals? | same | as\ (?:many|much|long|large|big|few|little)
    )\b"""
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\u201d]*\s+(?=[A-Z\ufffc])|\n\s*\n")


def check_words(
    region: Region, known: KnownNumbers, moved: Mapping[str, Scalar]
) -> Iterator[Problem]:
    """Sentences that compare, and show a number of `moved` (accepted value by name)."""
    text, start = region.text.text, 0
    for end in [*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)]:
        inside = [one for one in region.inserted if start <= one.index < end]
        shown = [name for one in inside for name in _names(one) if name in moved]
        compared = COMPARING.search(text, start, end)
        if shown and compared is not None:
            now = known.named(shown[0])
            value = show(now, "") if now else "gone"
            yield Problem(
                region.location(compared.start()), "words-may-be-false",
                f"'{' '.join(compared[0].split())}' stands beside n.{shown[0]}, which moved from "
                f"{_shown(moved[shown[0]])} to {value}.",
                'Read the sentence again. Assert it with {{ claim("WORDS", "n.A > n.B") }}, or run '
                "'workings accept' once it is right.",
            )  # fmt: skip
        start = end


def _names(inserted: Inserted) -> list[str]:
    """The numbers that a template shows. A claim asserts its own words and is left alone."""
    use = inserted.use
    return [use.name] if isinstance(use, Use) and use.kind == "number" else []


def _shown(value: Scalar) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
