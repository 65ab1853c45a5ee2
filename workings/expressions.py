"""Expressions over a lesson's numbers: `n.tokens_20 == 4 * n.tokens_10`. Standard library only.

Claims and quiz answers are such expressions. They are Python, held to arithmetic and comparison over
`n`, so that the browser can run them again with a reader's own inputs.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workings.registry import Registry, Row, Scalar, Value

_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "ceil": math.ceil,
    "floor": math.floor,
    "len": len,
    "max": max,
    "min": min,
    "round": round,
    "sum": sum,
}
_ALLOWED = (
    ast.Expression, ast.Compare, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Name, ast.Attribute,
    ast.Subscript, ast.Constant, ast.Call, ast.IfExp, ast.GeneratorExp, ast.ListComp, ast.comprehension,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip


class ExpressionError(ValueError):
    """Why an expression cannot be evaluated; `offset` in it, `unknown` the name that is none."""

    def __init__(self, reason: str, offset: int = 0, unknown: str = "") -> None:
        super().__init__(reason)
        self.reason, self.offset, self.unknown = reason, offset, unknown


class RowView:
    """A row of a table whose cells are attributes."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Scalar:
        try:
            return self._row[name]
        except KeyError:
            raise ExpressionError(f"the row has no field '{name}'.", unknown=name) from None


class Numbers:
    """`n` of an expression: each number of the registry is an attribute."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __getattr__(self, name: str) -> Scalar | list[RowView]:
        if name not in self._registry.numbers:
            raise ExpressionError(f"there is no number 'n.{name}'.", unknown=name)
        return _view(self._registry.numbers[name].value)


def _view(value: Value) -> Scalar | list[RowView]:
    return [RowView(row) for row in value] if isinstance(value, tuple) else value


def parse(expression: str) -> ast.Expression:
    """The expression's tree; ExpressionError where it is none, or more than arithmetic over `n`."""
    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError as error:
        raise ExpressionError(
            f"this is no Python expression: {error.msg}.", (error.offset or 1) - 1
        ) from None
    bound = {"n", *_FUNCTIONS}
    bound |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        offset = getattr(node, "col_offset", 0)
        if not isinstance(node, _ALLOWED):
            raise ExpressionError(f"'{type(node).__name__}' is not allowed here.", offset)
        if isinstance(node, ast.Name) and node.id not in bound:
            raise ExpressionError(
                f"'{node.id}' is unknown here; numbers are 'n.NAME'.", offset, node.id
            )
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise ExpressionError(f"'{node.attr}' is not allowed here.", offset)
    return tree


def names(expression: str) -> Iterator[tuple[str, int]]:
    """The numbers that the expression uses, each with the offset of its name."""
    for node in ast.walk(parse(expression)):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "n"
        ):
            yield node.attr, (node.end_col_offset or 0) - len(node.attr)


def evaluate(expression: str, registry: Registry) -> Any:
    """The expression's value over the registry; ExpressionError where it has none."""
    tree = parse(expression)
    for name, offset in names(expression):
        if name not in registry.numbers:
            raise ExpressionError(f"there is no number 'n.{name}'.", offset, name)
    scope = {"__builtins__": {}, "n": Numbers(registry), **_FUNCTIONS}
    try:
        return eval(compile(tree, "<expression>", "eval"), scope)  # parsed and held to arithmetic
    except ExpressionError:
        raise
    except Exception as error:
        raise ExpressionError(f"it cannot be evaluated: {error}.") from None


def single_name(expression: str) -> str | None:
    """`x` when the expression is just `n.x` (or a cell `rows[0].tokens`), else None."""
    text = expression.strip()
    name = text.removeprefix("n.")
    plain = name.replace("[", "_").replace("].", "_")
    return name if text.startswith("n.") and plain.isidentifier() else None
