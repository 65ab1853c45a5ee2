"""Which results of a lesson are values that a page can show. Runs in the child."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from workings.problems import Location, Problem

Where = Callable[[str], Location]

_TOO_LONG = 10**4000  # Python turns no longer int into text
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_KINDS = "A value is an int, a float, a str, a bool, or a list of rows for a table"


def problems_of(result: object, function: str, at: Location, where: Where) -> list[Problem]:
    """Everything that is wrong with what `function` returned; `where` locates a name."""
    if not isinstance(result, Mapping):
        return [
            Problem(
                at, "bad-value", f"{function}() returned {_a(result)}, not a dictionary of values.",
                "Return a dictionary from names to values.",
            )
        ]  # fmt: skip
    problems = []
    for name, value in result.items():
        if not isinstance(name, str) or not _is_name(name):
            problems.append(
                Problem(
                    where(name) if isinstance(name, str) else at, "bad-value",
                    f"{name!r} is no name for a value.",
                    "Names have small letters, digits and underscores, and start with a letter.",
                )
            )  # fmt: skip
            continue
        wrong = (
            _wrong_table(name, value) if isinstance(value, (list, tuple)) else _wrong(name, value)
        )
        if wrong:
            problems.append(Problem(where(name), "bad-value", *wrong))
    return problems


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not keyword.iskeyword(name)


def _wrong_table(name: str, rows: list[Any] | tuple[Any, ...]) -> tuple[str, str] | None:
    for index, row in enumerate(rows):
        here = f"{name}[{index}]"
        if not isinstance(row, Mapping):
            return (
                f"{here} is {_a(row)}.",
                "A list holds rows: dictionaries with the same names.",
            )
        for key, cell in row.items():
            if not isinstance(key, str) or not _is_name(key):
                return f"{here} has the field {key!r}, which is no name.", ""
            if isinstance(cell, (list, tuple, Mapping)):
                return (
                    f"{here}.{key} is {_a(cell)}.",
                    "A cell of a table is a single value.",
                )
            if wrong := _wrong(f"{here}.{key}", cell):
                return wrong
        if set(row) != set(rows[0]):
            return (
                f"{here} has the fields {_listed(row)}, but {name}[0] has {_listed(rows[0])}.",
                "Give every row of a table the same fields.",
            )
    return None


def _wrong(name: str, value: Any) -> tuple[str, str] | None:
    """What is wrong with one value and how to mend it, or None."""
    kind = type(value)
    if value is None:
        return f"{name} is None.", "Does the function that computes it end in a return statement?"
    if kind is float and not math.isfinite(value):
        return f"{name} is {'not a number (NaN)' if math.isnan(value) else 'infinite'}.", ""
    if kind is str and any("\ud800" <= letter <= "\udfff" for letter in value):
        return f"{name} holds half of a character, which no page can show.", ""
    if kind is int and abs(value) >= _TOO_LONG:
        return f"{name} has more than 4,000 digits.", ""
    if kind in (int, float, str, bool):
        return None
    plain = next((plain for plain in (int, float, str) if isinstance(value, plain)), None)
    if plain is None and hasattr(value, "__float__"):  # Fraction, Decimal, a number of NumPy ...
        plain = int if hasattr(value, "__index__") else float
    mend = f"Convert it with {plain.__name__}()." if plain else f"{_KINDS}."
    return f"{name} is {_a(value)}.", mend


def _a(value: object) -> str:
    if value is None:
        return "None"
    kind = type(value)
    name = (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"


def _listed(row: Mapping[str, Any]) -> str:
    return ", ".join(row) or "none"
