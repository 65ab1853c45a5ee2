"""How a value is shown: `147,456`, `5.625 GiB`, `25%`, `three replies`.

Standard library only, since the same package writes the numbers in the build and in the reader's
browser. So that both write the same digits, no step relies on how a platform prints floats:

- A float counts as the decimal that `repr` writes (2.675 is 2.675, not its binary neighbour), and
  all arithmetic after that is exact.
- Rounding is half away from zero, as it is taught at school: 2.5 becomes 3, -2.5 becomes -3.
- Asked-for digits are kept (`round(2)` of 5.6 is `5.60`). Where none are asked for, a value that
  ends within three decimals is shown exactly; any other gets three significant digits, and never
  fewer than its whole part has.
- A number and its unit are joined by a no-break space; a negative number has a true minus sign.

A chain is at most one format that writes the number, then any that add to it:
`words | plural("reply")`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import workings.formats.adding
import workings.formats.writing  # noqa: F401  (the two fill FORMATS)
from workings.formats.core import Chain, Format, FormatError, Scalar, Shown, exact, round_half_away
from workings.formats.latex import latex
from workings.formats.registered import FORMATS, find_format

__all__ = [
    "FORMATS",
    "Chain",
    "Format",
    "FormatError",
    "Scalar",
    "Shown",
    "display",
    "display_latex",
    "exact",
    "find_format",
    "latex",
    "parse_chain",
    "round_half_away",
    "show",
    "written_unit",
]


def show(value: Scalar, chain: Chain = ()) -> Shown:
    """`value` through a chain of formats; FormatError where one of them does not fit.

    >>> show(6039797760, [("gib", ())]).half_width
    Fraction(0, 1)
    """
    writers = [name for name, _ in chain if find_format(name).writes_number]
    if len(writers) > 1:
        raise FormatError(f"{' and '.join(writers)} both write the number; keep one of them.")
    if writers and writers[0] != chain[0][0]:
        raise FormatError(f"{writers[0]} writes the number, so it comes first.")
    shown = Shown(value, "")
    for name, args in chain if writers else [("thousands", ()), *chain]:
        form = find_format(name)
        shown = form.apply(shown, *form.bind(*args))
    return replace(shown, writer=writers[0] if writers else "thousands")


def display(value: Scalar, chain: Chain = ()) -> str:
    """The text of `value` through a chain of formats.

    >>> display(147456), display(3, [("words", ()), ("plural", ("reply",))])
    ('147,456', 'three replies')
    """
    return show(value, chain).text


def display_latex(value: Scalar, chain: Chain = ()) -> str:
    r"""The same for math, where a bare comma would get a space after it.

    >>> print(display_latex(147456))
    147{,}456
    """
    return latex(show(value, chain).text)


def written_unit(chain: Chain) -> str | None:
    """The unit or word that the chain writes after (or before) the number, without a value."""
    units = (find_format(name).unit(*find_format(name).bind(*args)) for name, args in chain)
    return next((unit for unit in reversed(list(units)) if unit), None)


def parse_chain(text: str) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Read `gib(2) | plural("chat")`; FormatError where it is no chain of known formats.

    >>> parse_chain('words | plural("reply", "replies")')
    (('words', ()), ('plural', ('reply', 'replies')))
    """
    if not text.strip():
        return ()
    try:
        node: ast.expr = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise FormatError(f"{text.strip()!r} is no chain of formats.") from None
    steps: list[tuple[str, tuple[Any, ...]]] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        steps.append(_parse_step(node.right, text))
        node = node.left
    return (_parse_step(node, text), *reversed(steps))


def _parse_step(node: ast.expr, text: str) -> tuple[str, tuple[Any, ...]]:
    if isinstance(node, ast.Name):
        return node.id, _given(find_format(node.id), (), {})
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        try:
            args = [ast.literal_eval(arg) for arg in node.args]
            named = {str(word.arg): ast.literal_eval(word.value) for word in node.keywords}
        except ValueError:
            raise FormatError(f"the arguments in {text.strip()!r} must be plain values.") from None
        return node.func.id, _given(find_format(node.func.id), tuple(args), named)
    raise FormatError(f"{text.strip()!r} is no chain of formats.")


def _given(form: Format, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments in order, as few as say it."""
    bound = form.bind(*args, **named)
    return bound if named else args
