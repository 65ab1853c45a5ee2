"""The formula behind a value, with the numbers in it, derived from the code that was run.

`evaluate` runs an expression such as `kv_cache.bytes_per_token(layers, kv_heads, 128, 2)` once,
watches which return statement gave the value, and writes that statement down twice: with its
names and with their values. Nothing is typed, so a formula cannot differ from the code.

Standard library only: the browser runs this file too.
"""

from __future__ import annotations

import ast
import os
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from types import CodeType
from typing import Any

from workings.notation import is_scalar
from workings.registry import Formula
from workings.scope import MISSING, Scope, same
from workings.tracing import Call, Recorder, returned

EXPRESSION = "<expression>"
_HOPS = 8  # how many functions that only hand a value on are looked through
_KEEPS_VALUE = ("int", "float", "round", "str", "bool", "abs")


@dataclass(frozen=True)
class Folder:
    """A lesson's folder: `path` where it lies now, `label` how readers see it (code/<slug>)."""

    path: str
    label: str

    def holds(self, file: str) -> bool:
        """Whether a source file belongs to the lesson."""
        inside = os.path.abspath(file).startswith(os.path.join(self.path, ""))
        return inside and not file.startswith("<")  # such as <string>

    def name(self, file: str) -> str:
        """The file as readers see it."""
        return self.label + "/" + os.path.relpath(file, self.path).replace(os.sep, "/")


@dataclass(frozen=True)
class Evaluated:
    """A value and the formula behind it, where one can be told."""

    value: Any
    formula: Formula | None


def evaluate(
    expression: str, namespace: Mapping[str, Any], folder: Folder | None = None
) -> Evaluated:
    """The value of a Python expression over `namespace`, with its formula.

    Functions of `folder` count as the lesson's own; without it those of every file outside Python
    and its packages do. Whatever the expression raises comes through.
    """
    code = compile(expression.strip(), EXPRESSION, "eval")
    names = dict(namespace)
    with Recorder(lambda other: other is code, lesson_code(folder)) as recorder:
        value = eval(code, names)  # the author's own code is what a lesson runs
    node = ast.parse(expression.strip(), mode="eval").body
    return Evaluated(value, explain_call(recorder.roots[code], node, value, folder))


def explain(
    expression: str, namespace: Mapping[str, Any], folder: Folder | None = None
) -> Formula | None:
    """The formula of an expression over `namespace`, or None where there is none to show."""
    return evaluate(expression, namespace, folder).formula


def lesson_code(folder: Folder | None) -> Callable[[CodeType], bool]:
    """A predicate: is this code the lesson's own?"""
    if folder is not None:
        return lambda code: folder.holds(code.co_filename)
    paths = {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    foreign = tuple(os.path.join(path, "") for path in paths)
    return lambda code: (
        not code.co_filename.startswith((*foreign, "<")) and os.path.isfile(code.co_filename)
    )


def explain_call(
    call: Call, node: ast.expr, value: Any, folder: Folder | None = None
) -> Formula | None:
    """The formula of `node`, an expression that was evaluated in `call` and gave `value`."""
    if not is_scalar(value):
        return None
    scope = Scope(call)
    for _ in range(_HOPS):
        node = _without_conversion(scope, scope.follow(node), value)
        called = scope.call_at(node)
        result = returned(called) if called and same(called.value, value) else None
        if called is None or result is None:
            break
        scope, node = Scope(called), _taken(Scope(called), result)
    return _written(scope, node, value, folder)


def _taken(scope: Scope, node: ast.expr) -> ast.expr:
    """The part of `a if test else b`, `a or b` or `a and b` that gave the value."""
    while True:
        match node:
            case ast.IfExp(test=test) if (held := scope.compute(test)) is not MISSING:
                node = node.body if held else node.orelse
            case ast.BoolOp(op=op, values=[first, *rest]):
                held = scope.compute(first)
                if held is MISSING:
                    return node
                stops = bool(held) == isinstance(op, ast.Or)
                more = rest[0] if len(rest) == 1 else ast.BoolOp(op=op, values=rest)
                node = first if stops else ast.copy_location(more, node)
            case _:
                return node


def _without_conversion(scope: Scope, node: ast.expr, value: Any) -> ast.expr:
    """What stands inside `int(...)`, `round(...)` and the like where that changes nothing."""
    node = _taken(scope, node)
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        inner = scope.compute(node.args[0])
        if node.func.id not in _KEEPS_VALUE or not same(inner, value):
            break
        node = _taken(scope, scope.follow(node.args[0]))
    return node


def _written(scope: Scope, node: ast.expr, value: Any, folder: Folder | None) -> Formula | None:
    computed = scope.compute(node)
    proven = same(scope.call.value, value) and scope.function is not None
    if isinstance(node, ast.Constant) and not proven:
        return None
    if not (proven if computed is MISSING else same(computed, value)):
        return None
    substituted, inputs = scope.substituted(node)
    if isinstance(value, str) and not inputs:
        return None  # a sentence put together, which its code does not explain
    code = scope.call.code
    file = code.co_filename
    return Formula(
        function=code.co_qualname.replace("<locals>.", "") if file != EXPRESSION else "",
        path="" if file == EXPRESSION else folder.name(file) if folder else file,
        line=scope.function.lineno if scope.function else node.lineno,
        text=scope.text(node),
        substituted=substituted,
        inputs=inputs,
    )


def to_json(formula: Formula | None) -> dict[str, Any] | None:
    """The formula as JSON holds it."""
    return None if formula is None else asdict(replace(formula, inputs=dict(formula.inputs)))


def from_json(data: Mapping[str, Any] | None) -> Formula | None:
    """The formula that `to_json` wrote."""
    return None if data is None else Formula(**data)
