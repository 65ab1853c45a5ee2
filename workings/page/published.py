"""numbers.json: every number of a lesson with its value, its origin and its uses on the page."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from workings.lesson import Lesson
from workings.page.tokens import Shown
from workings.registry import Leaf

SCHEMA = 1


def numbers_json(lesson: Lesson, shown: Iterable[Shown]) -> str:
    """The JSON that is published beside the page. Cells of tables are numbers of their own."""
    uses: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for use in shown:
        place = use.place
        entry = {
            "path": place.path if place else lesson.bundle.path,
            "line": place.line if place else 1,
            "column": place.column if place else 1,
            "shown": use.text,
        }
        if entry not in uses[use.name]:
            uses[use.name].append(entry)
    numbers = [_number(leaf, uses[leaf.name]) for leaf in lesson.registry.leaves()]
    made = {"schema": SCHEMA, "lesson": lesson.slug, "numbers": numbers}
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _number(leaf: Leaf, uses: list[dict[str, Any]]) -> dict[str, Any]:
    number = leaf.number
    made: dict[str, Any] = {
        "name": leaf.name,
        "value": leaf.value,
        "unit": leaf.unit,
        "expression": number.expression,
        "source": {"path": number.path, "line": number.line},
        "uses": uses,
    }
    if number.formula is not None and leaf.name == number.name:
        formula = number.formula
        made["formula"] = {
            "function": formula.function,
            "text": formula.text,
            "substituted": formula.substituted,
            "inputs": dict(formula.inputs),
            "source": {"path": formula.path, "line": formula.line},
        }
    if number.build_only is not None:
        made["build_only"] = number.build_only
    return made
