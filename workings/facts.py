"""External facts: a value that the project did not compute, with its source and the date seen."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from workings.problems import Location
from workings.registry import Scalar
from workings.yamlio import read_value

FactValue = int | float | str


@dataclass(frozen=True)
class Source:
    """Where a fact was seen. `url` is empty where there is no public address."""

    title: str
    by: str = ""
    year: str = ""
    url: str = ""


@dataclass(frozen=True)
class Fact:
    """One external fact. `value` is its number or text; `values` names several."""

    source: Source
    seen: datetime.date
    claim: str = ""
    value: FactValue | None = None
    values: Mapping[str, FactValue] = field(default_factory=dict)
    unit: str = ""
    note: str = ""
    at: Location = Location("")
    places: Mapping[str, Location] = field(default_factory=dict)

    def lookup(self, name: str = "") -> Scalar:
        """The value called `name`, or the only one; KeyError where there is none."""
        if name:
            return self.values[name]
        if self.value is None:
            raise KeyError(name)
        return self.value


Facts = Mapping[str, Fact]


def read_facts(text: str, path: str) -> dict[str, Fact]:
    """The facts of a file by id; ProblemsError with every fault found."""
    found: dict[str, Fact] = read_value(Mapping[str, Fact], text, path, "the facts")
    return found


def fact_names(facts: Facts) -> list[str]:
    """Every name that `fact(...)` takes: ids, and `id.name` for facts of several values."""
    names: list[str] = []
    for identifier, fact in facts.items():
        if fact.value is not None:
            names.append(identifier)
        names.extend(f"{identifier}.{name}" for name in fact.values)
    return names


def find_fact(facts: Facts, name: str) -> tuple[str, Fact, Scalar]:
    """(id, fact, value) of a name such as `gemini-words.low`; KeyError where there is none."""
    identifier, _, part = name.partition(".")
    fact = facts[identifier]
    return identifier, fact, fact.lookup(part)
