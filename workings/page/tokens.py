"""Tokens: what a template leaves in the Markdown until the HTML around it is known.

A value in running text becomes an element; in an attribute, a title or an SVG text, where HTML takes
none, its plain text; in math, its LaTeX. Which of these holds is known only after Markdown has run.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from workings.problems import Location
from workings.registry import Scalar

# Characters of a private plane: Markdown takes them for text, and slugs drop them.
_OPEN, _CLOSE = "\U000f0000", "\U000f0001"
_DIGITS = {str(digit): chr(0xF0010 + digit) for digit in range(10)}
_VALUES = {character: digit for digit, character in _DIGITS.items()}
_TOKEN = re.compile(f"{_OPEN}([{''.join(_VALUES)}]+){_CLOSE}")
_BLOCK = re.compile(f"<p>\\s*({_OPEN}[{''.join(_VALUES)}]+{_CLOSE})\\s*</p>")
_TAG = re.compile(r"""<!--.*?-->|<[a-zA-Z/!](?:[^"'<>]|"[^"]*"|'[^']*')*>""", re.DOTALL)
_TEXT_ONLY = {"script", "style", "title", "textarea", "option", "svg", "math"}


@dataclass(frozen=True)
class Shown:
    """A number or a fact as a page shows it. `name` is the number's, or `fact:ID`."""

    name: str
    value: Scalar
    text: str
    place: Location | None = None


@dataclass(frozen=True)
class Token:
    """What stands for a template, in each of the forms that the place may ask for."""

    html: Callable[[], str]
    plain: str | Callable[[], str]
    latex: str
    shown: Shown | None = None


class Tokens:
    """The tokens of one page, in order of their making."""

    def __init__(self) -> None:
        self._items: list[Token] = []
        self._unplaced = 0

    def add(self, token: Token) -> str:
        self._items.append(token)
        number = "".join(_DIGITS[digit] for digit in str(len(self._items) - 1))
        return f"{_OPEN}{number}{_CLOSE}"

    def place(self, location: Location) -> None:
        """Say that the tokens made since the last call come from a template at `location`."""
        for index in range(self._unplaced, len(self._items)):
            token = self._items[index]
            if token.shown is not None and token.shown.place is None:
                shown = replace(token.shown, place=location)
                self._items[index] = replace(token, shown=shown)
        self._unplaced = len(self._items)

    def shown(self) -> list[Shown]:
        """Every number and fact that was shown, in order."""
        return [token.shown for token in self._items if token.shown is not None]

    def plain(self, text: str) -> str:
        """`text` with each token as plain text."""
        return _TOKEN.sub(lambda match: self.plain(self._plain(match)), text)

    def latex(self, text: str) -> str:
        return _TOKEN.sub(lambda match: self._item(match).latex, text)

    def resolve(self, page: str) -> str:
        """The HTML with each token in the form that its place takes."""
        page = _BLOCK.sub(lambda match: match[1], page)
        parts: list[str] = []
        text_only: list[str] = []
        end = 0
        for tag in _TAG.finditer(page):
            parts.append(self._text(page[end : tag.start()], bool(text_only)))
            parts.append(_TOKEN.sub(self._attribute, tag[0]))
            _follow(tag[0], text_only)
            end = tag.end()
        parts.append(self._text(page[end:], bool(text_only)))
        return "".join(parts)

    def _text(self, text: str, plain: bool) -> str:
        if plain:
            return _TOKEN.sub(self._attribute, text)
        return _TOKEN.sub(lambda match: self.resolve(self._item(match).html()), text)

    def _attribute(self, match: re.Match[str]) -> str:
        return html.escape(self.plain(self._plain(match)))

    def _plain(self, match: re.Match[str]) -> str:
        plain = self._item(match).plain
        return plain if isinstance(plain, str) else plain()

    def _item(self, match: re.Match[str]) -> Token:
        return self._items[int("".join(_VALUES[character] for character in match[1]))]


def _follow(tag: str, text_only: list[str]) -> None:
    """Keep the stack of open elements that take text alone."""
    name = re.match(r"</?([a-zA-Z]+)", tag)
    if name is None or name[1].lower() not in _TEXT_ONLY:
        return
    if tag.startswith("</"):
        if text_only and text_only[-1] == name[1].lower():
            text_only.pop()
    elif not tag.endswith("/>"):
        text_only.append(name[1].lower())
