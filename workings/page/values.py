"""Values on a page: `{{ n.x | gib }}` and `{{ fact("id") }}` as tokens."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workings import formats
from workings.page.tokens import Shown, Token, Tokens
from workings.registry import Row, Scalar, Value


@dataclass(frozen=True)
class Bound:
    """A number on its way through filters; its text form is a token.

    `attributes` are those of the element that shows it, `after` HTML and text that follow it.
    """

    tokens: Tokens
    name: str
    value: Scalar
    element: str
    attributes: str
    chain: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    after: Callable[[], str] = lambda: ""

    def filtered(self, name: str, arguments: tuple[Any, ...]) -> Bound:
        return replace(self, chain=(*self.chain, (name, arguments)))

    @property
    def text(self) -> str:
        return formats.display(self.value, self.chain)

    def __str__(self) -> str:
        text = self.text
        written = f' data-format="{html.escape(chain_text(self.chain))}"' if self.chain else ""
        value = attribute_value(self.value)
        opening = f'<data class="{self.element}" value="{value}" {self.attributes}{written}>'
        after = self.after
        token = Token(
            html=lambda: f"{opening}{html.escape(text, quote=False)}</data>{after()}",
            plain=text,
            latex=formats.latex(text),
            shown=Shown(self.name, self.value, text),
        )
        return self.tokens.add(token)


def chain_text(chain: Sequence[tuple[str, tuple[Any, ...]]]) -> str:
    """The chain as authors write it, so that the browser can show another value the same way.

    >>> chain_text((("gib", (2,)), ("signed", ())))
    'gib(2) | signed'
    """
    steps = (
        f"{name}({', '.join(map(repr, arguments))})" if arguments else name
        for name, arguments in chain
    )
    return " | ".join(steps)


def attribute_value(value: Scalar) -> str:
    """The registry's own value as Python's repr writes it; a text as it is. Escaped."""
    return html.escape(value if isinstance(value, str) else repr(value))


def bind(tokens: Tokens, name: str, value: Scalar) -> Bound:
    """A number of the lesson."""
    return Bound(tokens, name, value, "wk-number", f'data-name="{html.escape(name)}"')


class NumberNames:
    """`n` of the templates: n.bytes_per_token, n.rows[2].tokens."""

    def __init__(self, tokens: Tokens, lookup: Callable[[str], Value]) -> None:
        self._tokens, self._lookup = tokens, lookup

    def __getattr__(self, name: str) -> Bound | list[RowNames]:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            value = self._lookup(name)
        except KeyError:
            raise AttributeError(name) from None
        if isinstance(value, tuple):
            return [RowNames(self._tokens, f"{name}[{i}]", row) for i, row in enumerate(value)]
        return bind(self._tokens, name, value)


class RowNames:
    """A row of a table: each cell is an attribute."""

    def __init__(self, tokens: Tokens, prefix: str, row: Row) -> None:
        self._tokens, self._prefix, self._row = tokens, prefix, row

    def __getattr__(self, name: str) -> Bound:
        if name.startswith("__") or name not in self._row:
            raise AttributeError(name)
        return bind(self._tokens, f"{self._prefix}.{name}", self._row[name])


def filters() -> dict[str, Callable[..., Any]]:
    """A template filter for each format; other values go to Jinja's filter of the same name."""
    return {name: _filter(name) for name in formats.FORMATS}


def _filter(name: str) -> Callable[..., Any]:
    from jinja2.filters import FILTERS

    def apply(value: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(value, Bound):
            return value.filtered(name, (*arguments, *named.values()))
        if name in FILTERS:
            return FILTERS[name](value, *arguments, **named)
        raise TypeError(f"the filter '{name}' takes a number 'n.NAME' or a fact, not {value!r}")

    return apply
