"""Texts with values of a panel in them: `Message 1 is gone from reply {{ gone_from }} on.`

Standard library only: the build and the browser run this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from workings import formats

_TEMPLATE = re.compile(r"\{\{((?:\"[^\"]*\"|'[^']*'|[^{}\"'])*)\}\}")


class Template(NamedTuple):
    """One `{{ expression | chain }}` of a text, and where it starts and ends in it."""

    expression: str
    chain: str
    start: int
    end: int


@lru_cache(maxsize=1024)
def templates(text: str) -> tuple[Template, ...]:
    """Every `{{ ... }}` of a text, in order."""
    return tuple(_templates(text))


def _templates(text: str) -> Iterator[Template]:
    for match in _TEMPLATE.finditer(text):
        expression, chain = split_chain(match[1])
        yield Template(expression, chain, *match.span())


def is_over_numbers(expression: str) -> bool:
    """Whether a template is one over the lesson's numbers or facts, which the build fills in."""
    return expression.startswith(("n.", "fact("))


def split_chain(text: str) -> tuple[str, str]:
    """An expression and the formats behind it, split at the first `|` outside quotes and brackets.

    >>> split_chain("cache_bytes | gib(2)"), split_chain("rows[0]['a|b']")
    (('cache_bytes', 'gib(2)'), ("rows[0]['a|b']", ''))
    """
    depth, quote = 0, ""
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "|" and not depth:
            return text[:index].strip(), text[index + 1 :].strip()
    return text.strip(), ""


def fill(text: str, value: Callable[[str], Any]) -> str:
    """The text with each template's value in its place; `value` evaluates an expression."""
    parts, last = [], 0
    for template in templates(text):
        parts += [text[last : template.start], show(value(template.expression), template.chain)]
        last = template.end
    return "".join([*parts, text[last:]])


@lru_cache(maxsize=1024)
def chain_of(text: str) -> formats.Chain:
    """The formats that `gib(2) | plural("chat")` names."""
    return formats.parse_chain(text)


@lru_cache(maxsize=4096, typed=True)
def show(value: Any, chain: str = "") -> str:
    """A value as readers see it; FormatError where it is none that can be shown.

    Between two edits most values stay, and exact rounding is slow: what was shown is kept.
    """
    if type(value) is int and not chain and -(10**15) < value < 10**15:
        return f"{value:,}".replace("-", "\N{MINUS SIGN}")
    return formats.display(value, chain_of(chain))
