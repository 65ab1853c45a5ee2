"""Numbers that nothing shows, exemptions that nothing needs, facts that were seen too long ago."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator

from workings.bundle import Exemption
from workings.facts import Facts
from workings.problems import Location, Problem
from workings.prose import Source
from workings.registry import Registry

# Addresses of what does not change once it is published.
_LASTING = re.compile(
    r"//(?:dx\.)?(?:doi|arxiv|aclanthology)\.org/|/(?:blob|raw|tree|commit)/[0-9a-f]{12,40}\b"
)


def unused_numbers(registry: Registry, sources: Iterable[Source]) -> Iterator[Problem]:
    """Numbers whose names stand in no page, quiz, widget or figure."""
    words: set[str] = set()
    for source in sources:
        if not source.path.endswith(".py") or source.path.endswith("/figures.py"):
            words.update(re.findall(r"\w+", source.text))
    for number in registry.numbers.values():
        if number.name not in words:
            yield Problem(
                Location(number.path, number.line), "unused-number",
                f"nothing shows or asserts n.{number.name}.",
                f"Use it as {{{{ n.{number.name} }}}}, or take it out of numbers().",
            )  # fmt: skip


def exemption_problems(
    exemptions: Iterable[Exemption], used: Iterable[Exemption]
) -> Iterator[Problem]:
    """Entries of the front matter that are of no use, or of too much."""
    needed = set(used)
    for entry in exemptions:
        at = entry.at
        if re.fullmatch(r"[\W\d_]*|[A-Za-z]+", entry.text):
            yield Problem(
                at, "wide-exemption",
                f"'{entry.text}' would be exempt wherever it stands in the lesson.",
                "Give the words around the number too.",
            )  # fmt: skip
        elif entry not in needed:
            yield Problem(
                at, "unused-exemption", f"no source of the lesson has a number in '{entry.text}'.",
                "Take the entry out.",
            )  # fmt: skip


def stale_facts(
    facts: Facts, cited: Iterable[str], today: datetime.date, stale_days: int
) -> Iterator[Problem]:
    """Cited facts that were last seen more than `stale_days` ago."""
    for identifier in sorted(set(cited)):
        fact = facts.get(identifier)
        if fact is None or _LASTING.search(fact.source.url):
            continue
        age_days = (today - fact.seen).days
        if age_days > stale_days:
            yield Problem(
                fact.places.get("seen", fact.at), "stale-fact",
                f"the fact '{identifier}' was seen {age_days:,} days ago, and the limit is {stale_days:,}.",
                f"Look again{_where(fact.source.url)}, and write the day on which you did.",
            )  # fmt: skip


def _where(url: str) -> str:
    return f" at {url}" if url else ""
