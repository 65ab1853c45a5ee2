"""The values of the names in an expression, at the moment when it was evaluated.

Standard library only: the browser runs this file too.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any

from workings.notation import Binding, Shown, clone, is_scalar, show_value, typeset
from workings.registry import Scalar
from workings.tracing import Call, Function, blocks, function_of

MISSING: Any = object()
# What may be computed again: it changes nothing and calls nothing of the lesson.
_PURE = (
    *(
        "abs",
        "all",
        "any",
        "bool",
        "divmod",
        "enumerate",
        "float",
        "int",
        "len",
        "list",
        "max",
    ),
    *("min", "pow", "range", "round", "set", "sorted", "str", "sum", "tuple", "zip"),
)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same to a reader, who sees no difference between 2 and 2.0."""
    numbers = type(one) in (int, float) and type(other) in (int, float)
    return (numbers or type(one) is type(other)) and bool(one == other)


class Scope:
    """One call's names, and the calls that it made."""

    def __init__(self, call: Call) -> None:
        self.call = call

    @cached_property
    def function(self) -> Function | None:
        """The function's source; None for a bare expression."""
        return function_of(self.call.code)

    # --- values ---------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Any:
        """The value that a name, an attribute, an item or a call stood for, or MISSING."""
        match node:
            case ast.Name(id=name):
                return self.call.locals.get(name, self.call.globals.get(name, MISSING))
            case ast.Attribute(value=owner, attr=attribute):
                called = self.call_at(node)
                return called.value if called else _attribute(self.value(owner), attribute)
            case ast.Subscript(value=owner, slice=index):
                return _item(self.value(owner), self.compute(index))
            case ast.Call():
                called = self.call_at(node)
                return called.value if called else MISSING
        return MISSING

    def call_at(self, node: ast.expr) -> Call | None:
        """The recorded call that this node made, a property's included."""
        match node:
            case ast.Call(func=func):
                codes = _codes(self.value(func))
            case ast.Attribute(value=owner, attr=attribute):
                codes = _codes(getattr(type(self.value(owner)), attribute, None))
            case _:
                return None
        ends = node.end_lineno or 0, node.end_col_offset or 0
        found = (self.call.calls.get((*ends, code)) for code in codes)
        return next((call for call in found if call), None)

    def compute(self, node: ast.expr) -> Any:
        """The value of any expression whose parts are known, or MISSING; no lesson code runs."""
        filling = _Filling(self, _bound_in(node))
        tree = ast.Expression(clone(node))
        with suppress(Exception):  # whatever is wrong with it: the value is not known
            filling.generic_visit(tree)
            code = compile(ast.fix_missing_locations(tree), "<formula>", "eval")
            return eval(code, filling.names)
        return MISSING

    def divides(self, node: ast.BinOp) -> bool:
        """Whether a floor division leaves no remainder."""
        left, right = self.compute(node.left), self.compute(node.right)
        return type(left) is int and type(right) is int and right != 0 and left % right == 0

    def follow(self, node: ast.expr) -> ast.expr:
        """What a name was set to, where it was set once and not in a loop; else the node itself."""
        seen: set[str] = set()
        while isinstance(node, ast.Name) and node.id not in seen:
            seen.add(node.id)
            node = self._assigned(node.id) or node
        return node

    def _assigned(self, name: str) -> ast.expr | None:
        writes, values = _written(self.function)
        return values.get(name) if writes[name] == 1 else None

    # --- text -----------------------------------------------------------------------------------

    def name(self, node: ast.expr) -> Shown | None:
        """How the formula names a node: without `self.`, its module or the dictionary of results."""
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return name, Binding.ATOM
            case ast.Attribute(value=ast.Name() as owner, attr=name):
                inside = isinstance(self.value(owner), ModuleType)
                return (name, Binding.ATOM) if inside else None
            case ast.Subscript(value=ast.Name() as owner, slice=ast.Constant(value=str(name))):
                results = self.value(owner)
                inside = isinstance(results, dict) and results is self.call.value
                return (name, Binding.ATOM) if inside and name.isidentifier() else None
        return None

    def text(self, node: ast.expr) -> str:
        """The expression with its names."""
        return typeset(node, self.name, self.divides)

    def substituted(self, node: ast.expr) -> tuple[str, Mapping[str, Scalar]]:
        """The expression with the values in it, and these values by the names they stand for."""
        bound = _bound_in(node)
        inputs: dict[str, Scalar] = {}

        def number(part: ast.expr) -> Shown | None:
            value = self._known(part, bound)
            shown = show_value(value)
            if shown and is_scalar(value):
                inputs[self.text(part)] = value
            return shown or self.name(part)

        return typeset(node, number, self.divides), inputs

    def _known(self, node: ast.expr, bound: frozenset[str]) -> Any:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[_], keywords=[]):
                return self.compute(node)
            case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
                return MISSING if _names(node) & bound else self.value(node)
        return MISSING


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _bound_in(tree: ast.AST) -> frozenset[str]:
    """Names of comprehensions and lambdas: they have many values, or none of this scope."""
    names = (
        node.id
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        else node.arg
        if isinstance(node, ast.arg)
        else None
        for node in ast.walk(tree)
    )
    return frozenset(name for name in names if name)


@lru_cache(maxsize=256)
def _written(function: Function | None) -> tuple[Counter[str], dict[str, ast.expr]]:
    """How often a function's names are set, and what plain assignments set them to."""
    if function is None or isinstance(function, ast.Lambda):
        return Counter(), {}
    writes = Counter(
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(function)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
    )
    return writes, dict(_assignments(function.body))


def _assignments(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Plain assignments to one name that run at most once in a call."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.If() | ast.With() | ast.Try() | ast.Match():
                for block in blocks(statement):
                    yield from _assignments(block)


def _attribute(owner: Any, name: str) -> Any:
    with suppress(Exception):  # a property may raise anything
        return MISSING if owner is MISSING else getattr(owner, name)
    return MISSING


def _item(owner: Any, index: Any) -> Any:
    if not isinstance(owner, (dict, list, tuple, str)) or index is MISSING:
        return MISSING
    with suppress(LookupError, TypeError):
        return owner[index]
    return MISSING


def _codes(called: Any) -> Iterator[CodeType]:
    """The code of a function, a method, a property, and of what they wrap."""
    for _ in range(8):
        if called is None or called is MISSING:
            return
        code = getattr(called, "__code__", None)
        if isinstance(code, CodeType):
            yield code
        inner = ("__func__", "fget", "func", "__wrapped__")
        called = next((getattr(called, name) for name in inner if hasattr(called, name)), None)


class _Filling(ast.NodeTransformer):
    """Puts known values in the place of names and calls; raises LookupError at an unknown call."""

    def __init__(self, scope: Scope, bound: frozenset[str]) -> None:
        self.scope = scope
        self.bound = bound
        self.names: dict[str, Any] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr):
            value = MISSING if _names(node) & self.bound else self.scope.value(node)
            if value is not MISSING:
                self.names[name := f"_{len(self.names)}"] = value
                return ast.Name(id=name, ctx=ast.Load())
        if isinstance(node, ast.Call) and not self._is_pure(node.func):
            raise LookupError(ast.unparse(node))
        return self.generic_visit(node)

    def _is_pure(self, func: ast.expr) -> bool:
        value = self.scope.value(func)
        if value is MISSING:
            return isinstance(func, ast.Name) and func.id in _PURE
        return isinstance(value, BuiltinFunctionType) and value.__module__ == "math"
