"""Formats that add a noun, a unit or a sign to a written number. Standard library only."""

from __future__ import annotations

from dataclasses import replace

from workings.formats import english
from workings.formats.core import NBSP, Shown, exact
from workings.formats.registered import format_named


def _joint(text: str) -> str:
    """Digits stay with their unit on one line; words may break."""
    return NBSP if text[-1:].isdigit() else " "


@format_named(
    "plural", 'With its noun: plural("reply") of 5 gives 5 replies, of 1 gives 1 reply.',
    adds=True, unit=lambda one, many=None: many or english.plural_of(one),
)  # fmt: skip
def _plural(shown: Shown, one: str, many: str | None = None) -> Shown:
    number = exact(shown.value, "plural")
    noun = one if abs(number) == 1 else (many or english.plural_of(one))
    return replace(shown, text=shown.text + _joint(shown.text) + noun, unit=noun)


@format_named(
    "unit", 'With a symbol: unit("tokens/s") of 12 gives 12 tokens/s.',
    adds=True, unit=lambda symbol: symbol,
)  # fmt: skip
def _with_unit(shown: Shown, symbol: str) -> Shown:
    exact(shown.value, "unit")
    return replace(shown, text=shown.text + _joint(shown.text) + symbol, unit=symbol)


@format_named("times", "How often: 4 gives 4 times; words | times of 2 gives twice.",
         adds=True, unit="times")  # fmt: skip
def _times(shown: Shown) -> Shown:
    exact(shown.value, "times")
    short = {"one": "once", "two": "twice"}.get(shown.text)
    noun = "time" if shown.text == "1" else "times"
    return replace(shown, text=short or shown.text + _joint(shown.text) + noun, unit="times")


@format_named("multiple", "A factor: 4 gives 4×.", adds=True, unit="×")
def _multiple(shown: Shown) -> Shown:
    exact(shown.value, "multiple")
    return replace(shown, text=shown.text + "×", unit="×")


@format_named("signed", "With its sign, plus too: 5 gives +5.", adds=True)
def _signed(shown: Shown) -> Shown:
    return replace(shown, text=("+" if exact(shown.value, "signed") > 0 else "") + shown.text)


@format_named("capital", "With a capital, at the start of a sentence: words | capital gives Three.",
         adds=True)  # fmt: skip
def _capital(shown: Shown) -> Shown:
    return replace(shown, text=shown.text[:1].upper() + shown.text[1:])
