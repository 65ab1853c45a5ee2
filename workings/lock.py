"""numbers.lock.json: the accepted values of a lesson, so that a change of values shows in review."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workings.problems import Location, Problem, ProblemsError
from workings.registry import Registry, Scalar

SCHEMA = 1
Accepted = Mapping[str, Scalar]


@dataclass(frozen=True)
class Moved:
    """A number whose value is not the accepted one; None where it is new, or gone."""

    name: str
    accepted: Scalar | None
    now: Scalar | None


def lock_path(slug: str) -> str:
    return f"lessons/{slug}/numbers.lock.json"


def lock_text(registry: Registry) -> str:
    """The lock of the registry's values, one a line, in the order of their names."""
    values = {leaf.name: leaf.value for leaf in registry.leaves() if leaf.number.build_only is None}
    made = {"schema": SCHEMA, "numbers": dict(sorted(values.items()))}
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def read_lock(root: Path, slug: str) -> Accepted:
    """The accepted values by name, none where there is no lock; ProblemsError for a broken one."""
    path = lock_path(slug)
    try:
        text = (root / path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    try:
        numbers = json.loads(text)["numbers"]
        if not isinstance(numbers, dict):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        mend = f"Run 'workings accept {slug}'."
        raise ProblemsError(
            [Problem(Location(path), "broken-lock", "the file holds no accepted numbers.", mend)]
        ) from None
    return numbers


def moved(registry: Registry, accepted: Accepted) -> list[Moved]:
    """The numbers whose values differ from the accepted ones, in the order of their names."""
    now = {leaf.name: leaf.value for leaf in registry.leaves() if leaf.number.build_only is None}
    return [
        Moved(name, accepted.get(name), now.get(name))
        for name in sorted({*now, *accepted})
        if now.get(name) != accepted.get(name)
    ]
