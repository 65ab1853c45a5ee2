"""An expression of a lesson as a reader sees it: × for `*`, ÷ for `/`, 1,024 for `1024`.

Standard library only: the browser runs this file too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from enum import IntEnum
from math import isfinite
from typing import TypeGuard, TypeVar

from workings.registry import Scalar

T = TypeVar("T")
MINUS = "\N{MINUS SIGN}"
LISTED_VALUES = 8  # a list of more values than this keeps its name
LISTED_CHARACTERS = 60  # and so does a text that is longer


class Binding(IntEnum):
    """How tightly the outermost operator of a text binds, loosest first."""

    WORDS = 0
    CHOICE = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARE = 5
    BITS = 6
    SUM = 7
    PRODUCT = 8
    SIGN = 9
    POWER = 10
    ATOM = 11


Shown = tuple[str, Binding]
Replace = Callable[[ast.expr], Shown | None]
Holds = Callable[[ast.BinOp], bool]

_BINARY: dict[type[ast.operator], tuple[str, Binding]] = {
    ast.Add: ("+", Binding.SUM),
    ast.Sub: (MINUS, Binding.SUM),
    ast.Mult: ("×", Binding.PRODUCT),
    ast.Div: ("÷", Binding.PRODUCT),
    ast.FloorDiv: ("÷", Binding.PRODUCT),
    ast.Mod: ("mod", Binding.PRODUCT),
    ast.MatMult: ("@", Binding.PRODUCT),
    ast.LShift: ("<<", Binding.BITS),
    ast.RShift: (">>", Binding.BITS),
    ast.BitAnd: ("&", Binding.BITS),
    ast.BitXor: ("^", Binding.BITS),
    ast.BitOr: ("|", Binding.BITS),
}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: "≠",
    ast.Lt: "<",
    ast.LtE: "≤",
    ast.Gt: ">",
    ast.GtE: "≥",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_ROUNDINGS = {"floor": "rounded down", "ceil": "rounded up"}
_TEXTS_WITH_FIELDS = ("JoinedStr", "TemplateStr")  # f"..." and t"...", kept as they are
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def is_scalar(value: object) -> TypeGuard[Scalar]:
    """Whether a value is one that a page can show."""
    return type(value) in (int, float, str, bool)


def show_value(value: object) -> Shown | None:
    """A value in a formula, or None where it is no number, text or short list of them.

    >>> show_value(147456), show_value(-0.5), show_value(8.2e9)
    (('147,456', ATOM), ('−0.5', SIGN), ('8,200,000,000', ATOM))
    """
    if isinstance(value, (list, tuple)):
        return _show_list(value)
    if not is_scalar(value):
        return None
    if isinstance(value, str):
        text = repr(value)
        return (text, Binding.ATOM) if len(text) <= LISTED_CHARACTERS else None
    if isinstance(value, bool):
        return str(value), Binding.ATOM
    if isinstance(value, int) and value.bit_length() > 200:
        return None
    if isinstance(value, float) and not isfinite(value):
        return None
    # Twelve digits at most: the last ones differ between the build's C library and the browser's.
    text = f"{value:,.12g}" if isinstance(value, float) else f"{value:,}"
    if text.startswith("-"):
        return MINUS + text[1:], Binding.SIGN
    return text, Binding.ATOM


def _show_list(values: Sequence[object]) -> Shown | None:
    if len(values) > LISTED_VALUES or not all(map(is_scalar, values)):
        return None
    shown = [show_value(value) for value in values]
    if None in shown:
        return None
    text = "[" + ", ".join(item[0] for item in shown if item) + "]"
    return (text, Binding.ATOM) if len(text) <= LISTED_CHARACTERS else None


def typeset(node: ast.expr, replace: Replace, divides: Holds) -> str:
    """The text of an expression.

    `replace` gives the text for a node that stands for a value, or None; `divides` tells whether
    a floor division leaves no remainder, so that a plain ÷ is true.

    >>> tree = ast.parse("n * (n + 1) // 2", mode="eval").body
    >>> typeset(tree, lambda node: None, lambda node: True)
    'n × (n + 1) ÷ 2'
    >>> typeset(tree, lambda node: None, lambda node: False)
    'n × (n + 1) ÷ 2 rounded down'
    """
    return _Typesetter(replace, divides).shown(node)[0]


class _Typesetter:
    def __init__(self, replace: Replace, divides: Holds) -> None:
        self.replace = replace
        self.divides = divides

    def shown(self, node: ast.expr) -> Shown:
        if (replaced := self.replace(node)) is not None:
            return replaced
        match node:
            case ast.Name(id=name):
                return name, Binding.ATOM
            case ast.Constant(value=value):
                return show_value(value) or (ast.unparse(node), Binding.ATOM)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BinOp(op=ast.Pow()):
                return self._power(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.BoolOp(op=op, values=values):
                word, level = (
                    ("and", Binding.AND) if isinstance(op, ast.And) else ("or", Binding.OR)
                )
                return f" {word} ".join(self.at(value, level + 1) for value in values), level
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                parts = (self.at(part, Binding.CHOICE + 1) for part in (body, test, orelse))
                return "{} if {} else {}".format(*parts), Binding.CHOICE
            case ast.Call():
                return self._call(node)
            case ast.Attribute(value=value, attr=attribute):
                return f"{self.at(value, Binding.ATOM)}.{attribute}", Binding.ATOM
            case ast.Subscript(value=value, slice=index):
                holder = ast.Name(id=self.at(value, Binding.ATOM), ctx=ast.Load())
                node = ast.Subscript(value=holder, slice=index, ctx=ast.Load())
        return ast.unparse(self._inside(node)), Binding.ATOM

    def at(self, node: ast.expr, level: int) -> str:
        """The text of a part, in parentheses where it binds looser than `level`."""
        text, binding = self.shown(node)
        return text if binding >= level else f"({text})"

    def _binary(self, node: ast.BinOp) -> Shown:
        sign, level = _BINARY[type(node.op)]
        left, right = self.at(node.left, level), self.at(node.right, level + 1)
        if right.startswith(MINUS):
            right = f"({right})"
        text = f"{left} {sign} {right}"
        if isinstance(node.op, ast.FloorDiv) and not self.divides(node):
            return f"{text} rounded down", Binding.WORDS
        return text, level

    def _unary(self, node: ast.UnaryOp) -> Shown:
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return f"not {self.at(node.operand, Binding.NOT)}", Binding.NOT
            case ast.UnaryOp(
                op=ast.USub(),
                operand=ast.BinOp(
                    left=ast.UnaryOp(op=ast.USub(), operand=dividend), op=ast.FloorDiv()
                ) as division,
            ):
                # -(-a // b) is how Python code rounds a division up.
                upwards = ast.BinOp(left=dividend, op=ast.Div(), right=division.right)
                text, level = self._binary(upwards)
                return (text, level) if self.divides(division) else _rounded(text, "ceil")
        sign = {ast.USub: MINUS, ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        return sign + self.at(node.operand, Binding.POWER), Binding.SIGN

    def _power(self, node: ast.BinOp) -> Shown:
        base = self.at(node.left, Binding.ATOM)
        exponent = self.shown(node.right)[0]
        if exponent.isdigit() and exponent.isascii():
            return base + exponent.translate(_SUPERSCRIPTS), Binding.POWER
        return f"{base}^{self.at(node.right, Binding.ATOM)}", Binding.POWER

    def _comparison(self, node: ast.Compare) -> Shown:
        parts = [self.at(node.left, Binding.COMPARE + 1)]
        for op, right in zip(node.ops, node.comparators, strict=True):
            parts += [_COMPARISONS[type(op)], self.at(right, Binding.COMPARE + 1)]
        return " ".join(parts), Binding.COMPARE

    def _call(self, node: ast.Call) -> Shown:
        match node:
            case ast.Call(
                func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="math"), attr=name),
                args=[argument],
                keywords=[],
            ) if name in _ROUNDINGS:
                return _rounded(self.at(argument, Binding.WORDS + 1), name)
        arguments = [self.shown(argument)[0] for argument in node.args]
        if len(arguments) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            arguments = [arguments[0][1:-1]]
        arguments += [
            f"{keyword.arg}={self.shown(keyword.value)[0]}"
            if keyword.arg
            else f"**{self.at(keyword.value, Binding.ATOM)}"
            for keyword in node.keywords
        ]
        return (
            f"{self.at(node.func, Binding.ATOM)}({', '.join(arguments)})",
            Binding.ATOM,
        )

    def _inside(self, node: ast.expr) -> ast.expr:
        """The node with the expressions inside it already typeset, each as one odd name."""
        inner = clone(node)
        if type(node).__name__ not in _TEXTS_WITH_FIELDS:
            _Inner(self).generic_visit(inner)
        return inner


def clone(node: T) -> T:
    """A copy of a syntax tree, its places in the source included."""
    if isinstance(node, list):
        return [clone(part) for part in node]  # type: ignore[return-value]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)(**{name: clone(part) for name, part in ast.iter_fields(node)})
    return ast.copy_location(made, node)


class _Inner(ast.NodeTransformer):
    def __init__(self, typesetter: _Typesetter) -> None:
        self.typesetter = typesetter

    def visit(self, node: ast.AST) -> ast.AST:
        written = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if not isinstance(node, ast.expr) or isinstance(node, (ast.Starred, ast.Slice)) or written:
            return self.generic_visit(node)
        return ast.Name(id=self.typesetter.shown(node)[0], ctx=ast.Load())


def _rounded(text: str, way: str) -> Shown:
    return f"{text} {_ROUNDINGS[way]}", Binding.WORDS
