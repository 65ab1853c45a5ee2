"""What typed numbers are compared with: the values of the registry, accepted ones, and facts."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from workings import formats
from workings.facts import Facts
from workings.numerals import COUNTED, Measure, measure, singular
from workings.registry import Registry, Scalar


@dataclass(frozen=True)
class Known:
    """A number that has a name. `written` is how a template names it: `n.x` or `fact("id")`."""

    written: str
    value: Scalar
    exact: Fraction
    measure: Measure
    unit: str = ""
    is_fact: bool = False
    is_accepted: bool = False

    @cached_property
    def base_value(self) -> Fraction:
        """The value in the base unit of its measure."""
        return self.exact * self.measure.factor

    @cached_property
    def size(self) -> float:
        """The value, fast and nearly exact, to look for those that are near."""
        return float(self.exact)

    @property
    def name(self) -> str:
        """The registry's name, or the fact's id."""
        return self.written[2:] if self.written.startswith("n.") else self.written[6:-2]

    @property
    def is_cell(self) -> bool:
        return "[" in self.written


@dataclass(frozen=True)
class KnownNumbers:
    """All of them, and the nouns that their units add to those that every text may count."""

    current: tuple[Known, ...]
    accepted: tuple[Known, ...]
    facts: tuple[Known, ...]
    nouns: frozenset[str]

    def named(self, name: str) -> Known | None:
        """The current number of that registry name."""
        return self._by_name.get(name)

    @cached_property
    def years(self) -> frozenset[int]:
        """Values that look like years."""
        return frozenset(int(k.exact) for k in self.current if 1900 <= k.exact < 2100)

    @cached_property
    def _by_name(self) -> Mapping[str, Known]:
        return {known.name: known for known in self.current}

    def within(self, share: float, sizes: Collection[float]) -> KnownNumbers:
        """Only the current and accepted numbers within a share of one of the sizes."""

        def is_near(known: Known) -> bool:
            return any(abs(known.size - size) <= share * abs(size) for size in sizes)

        return KnownNumbers(
            tuple(filter(is_near, self.current)),
            tuple(filter(is_near, self.accepted)),
            (),
            self.nouns,
        )


def known_numbers(registry: Registry, facts: Facts, accepted: Mapping[str, Scalar]) -> KnownNumbers:
    """The named numbers of a lesson. `accepted` are the values of numbers.lock.json."""
    current, old = [], []
    for leaf in registry.leaves():
        if (made := _known(f"n.{leaf.name}", leaf.value, leaf.unit)) is None:
            continue
        current.append(made)
        before = accepted.get(leaf.name)
        if before is not None and before != leaf.value:
            was = _known(f"n.{leaf.name}", before, leaf.unit, is_accepted=True)
            if was is not None:
                old.append(was)
    cited = []
    for identifier, fact in facts.items():
        values = {"": fact.value, **fact.values}
        for name, value in values.items():
            written = f'fact("{identifier}{"." if name else ""}{name}")'
            if value is not None and (made := _known(written, value, fact.unit, is_fact=True)):
                cited.append(made)
    units = {known.measure.base for known in current} - {None}
    nouns = COUNTED | {singular(unit) for unit in units if unit and unit.isalpha()}
    return KnownNumbers(tuple(current), tuple(old), tuple(cited), nouns)


def _known(
    written: str, value: Scalar, unit: str | None, is_fact: bool = False, is_accepted: bool = False
) -> Known | None:
    if isinstance(value, (bool, str)) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    exact = formats.exact(value)
    return Known(written, value, exact, measure(unit), unit or "", is_fact, is_accepted)
