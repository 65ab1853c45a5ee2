"""What a reader typed, as values: a whole number, a choice ... or a sentence that says what is wrong.

Standard library only: the build and the browser run this file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from workings import formats

Scalar = int | float | str | bool
Field = Mapping[str, Any]

_SPACES = str.maketrans("", "", " \u00a0\u2009\u202f_'")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?")


class InputError(ValueError):
    """Why an entry is none, as a sentence for the reader."""


def parse_inputs(
    fields: list[Field], given: Mapping[str, Any]
) -> tuple[dict[str, Scalar | None], dict[str, str]]:
    """(values, errors) of a panel's fields, by id; a field that is not given has its default."""
    values: dict[str, Scalar | None] = {}
    errors: dict[str, str] = {}
    for field in fields:
        try:
            values[field["id"]] = parse_input(field, given.get(field["id"], field["default"]))
        except InputError as error:
            errors[field["id"]] = str(error)
    return values, errors


def parse_input(field: Field, entry: Any) -> Scalar | None:
    """The value of one field; InputError where the entry is none. None for an optional, empty one."""
    if field["type"] == "toggle":
        return (
            entry if isinstance(entry, bool) else str(entry).lower() in ("true", "on", "1", "yes")
        )
    if field["type"] in ("choice", "preset"):
        return _choice(field, entry)
    if entry is None or (isinstance(entry, str) and not entry.strip()):
        if field.get("optional"):
            return None
        raise InputError(f"Type {_wanted(field)}.")
    value = entry if isinstance(entry, int | float) else parse_number(entry)
    if value is None:
        raise InputError(f"“{_short(str(entry))}” is no number. Type {_wanted(field)}.")
    if field["type"] == "integer":
        if value != int(value):
            raise InputError("Type a whole number, without a fraction.")
        value = int(value)
    _check_range(field, value)
    return value


def parse_number(text: str) -> int | float | None:
    """The number that a reader means, or None: a comma before exactly three digits groups them.

    >>> parse_number("40,960"), parse_number("0,5"), parse_number("8.2e9"), parse_number("8 000")
    (40960, 0.5, 8200000000, 8000)
    >>> parse_number("12a") is None
    True
    """
    text = text.translate(_SPACES).replace("\u2212", "-")
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text.replace(",", "."))
    if value in (float("inf"), float("-inf")):
        return None
    return (
        int(text) if text.lstrip("+-").isdigit() else int(value) if value == int(value) else value
    )


def _choice(field: Field, entry: Any) -> Scalar:
    for choice in field["choices"]:
        if entry == choice["value"] or str(entry) == str(choice["value"]):
            value: Scalar = choice["value"]
            return value
    raise InputError(f"“{_short(str(entry))}” is none of the choices. Choose one of the list.")


def _check_range(field: Field, value: float) -> None:
    low, high = field.get("min"), field.get("max")
    unit = f" {field['unit']}" if field.get("unit") else ""
    if low is not None and value < low:
        raise InputError(f"Too small: it must be at least {formats.display(low)}{unit}.")
    if high is not None and value > high:
        raise InputError(f"Too large: it can be at most {formats.display(high)}{unit}.")


def _wanted(field: Field) -> str:
    what = "a whole number" if field["type"] == "integer" else "a number"
    low, high = field.get("min"), field.get("max")
    if low is not None and high is not None:
        return f"{what} from {formats.display(low)} to {formats.display(high)}"
    if low is not None:
        return f"{what}, {formats.display(low)} or more"
    return what


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"
