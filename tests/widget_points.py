"""Points of a panel's input space: edges, every choice, what no one should type, and seeded random."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Entries = Mapping[str, Any]
BAD = (
    "",
    " ",
    "x",
    "-1",
    "0",
    "1e99",
    "3.5",
    "1,2",
    "12 34",
    "\u22125",
    "１",
    "NaN",
    "inf",
    "0x10",
    "1_000",
)


def points(fields: Sequence[Mapping[str, Any]], count: int, seed: int) -> list[Entries]:
    """At least `count` points, the same on every run."""
    found = list(_chosen(fields))
    chance = random.Random(seed)
    while len(found) < count:
        found.append(_random(fields, chance))
    return found


def _chosen(fields: Sequence[Mapping[str, Any]]) -> Iterator[Entries]:
    yield {}
    for field in fields:
        for entry in _edges(field):
            yield {field["id"]: entry}
        for value, filled in field.get("fills", {}).items():
            yield {
                field["id"]: value,
                **{key: "" if held is None else held for key, held in filled.items()},
            }
    for end in (0, -1):
        yield {field["id"]: _edges(field)[end] for field in fields}


def _edges(field: Mapping[str, Any]) -> list[Any]:
    if field["type"] == "toggle":
        return [False, True]
    if field["type"] in ("choice", "preset"):
        return [*(choice["value"] for choice in field["choices"]), "no such choice"]
    low, high = field.get("min", 1), field.get("max", 1000)
    return [low, *BAD, low - 1, high + 1, f"{high:,}", high]


def _random(fields: Sequence[Mapping[str, Any]], chance: random.Random) -> Entries:
    entries: dict[str, Any] = {}
    for field in fields:
        if field["type"] == "preset":
            value = chance.choice(field["choices"])["value"]
            entries |= {
                key: "" if held is None else held
                for key, held in field["fills"][str(value)].items()
            }
            entries[field["id"]] = value
    for field in fields:
        if field["type"] != "preset" and chance.random() < 0.5:
            entries[field["id"]] = _draw(field, chance)
    return entries


def _draw(field: Mapping[str, Any], chance: random.Random) -> Any:
    if field["type"] == "toggle":
        return chance.random() < 0.5
    if field["type"] == "choice":
        return chance.choice(field["choices"])["value"]
    low, high = field.get("min", 1), field.get("max", 1000)
    span = math.log(high / low) if low > 0 else 0.0
    drawn = low * math.exp(chance.random() * span) if span else chance.uniform(low, high)
    return round(drawn) if field["type"] == "integer" else float(f"{drawn:.6g}")
