"""Which line of show_numbers.py computes each value, and by what formula. Runs in the child."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from types import CodeType
from typing import Any

from workings.execution.faults import Place
from workings.formula import Folder, explain_call, to_json
from workings.problems import Location
from workings.tracing import Call, Function, function_of, module_of


class Sources:
    """The expressions that give values their names, in the file of a function like numbers()."""

    def __init__(self, place: Place, code: CodeType) -> None:
        self.place = place
        self.path = code.co_filename
        self.code = code
        tree = module_of(self.path)
        self.found: dict[str, list[tuple[ast.expr, Function | None]]] = {}
        for name, node, function in _named(tree, None) if tree else ():
            self.found.setdefault(name, []).append((node, function))

    def where(self, name: str) -> Location:
        """Where a name is computed; the function's own line where that cannot be told."""
        found = self.found.get(name)
        if not found:
            function = function_of(self.code)
            line = function.lineno if function else self.code.co_firstlineno
            return Location(self.place.name(self.path), line)
        node, _ = self._chosen(name, ())
        assert node is not None
        return Location(self.place.name(self.path), node.lineno, node.col_offset + 1)

    def provenance(
        self, values: Mapping[str, Any], calls: Mapping[CodeType, Call]
    ) -> dict[str, dict[str, Any]]:
        """For each name its expression, path, line and formula, as JSON holds them."""
        return {name: self._one(name, value, calls) for name, value in values.items()}

    def _one(self, name: str, value: Any, calls: Mapping[CodeType, Call]) -> dict[str, Any]:
        ran = {id(function_of(code)): call for code, call in calls.items()}
        node, function = self._chosen(name, ran)
        call = ran.get(id(function))
        formula = None
        if node is not None and call is not None:
            folder = Folder(self.place.folder, self.place.label)
            with suppress(Exception):  # no formula is better than no value
                formula = explain_call(call, node, value, folder)
        at = self.where(name)
        return {
            "expression": ast.unparse(node) if node is not None else "",
            "path": at.path,
            "line": node.lineno if node is not None else at.line,
            "formula": to_json(formula),
        }

    def _chosen(self, name: str, ran: Container[int]) -> tuple[ast.expr | None, Function | None]:
        """Of several places that set a name, the last in numbers() itself, else one that ran."""
        found = self.found.get(name)
        if not found:
            return None, None
        own = function_of(self.code)
        return max(
            enumerate(found),
            key=lambda item: (item[1][1] is own, id(item[1][1]) in ran, item[0]),
        )[1]


def _named(
    tree: ast.AST, function: Function | None
) -> Iterator[tuple[str, ast.expr, Function | None]]:
    """Every value that gets a name in a dictionary, with the function that it is written in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.ListComp, ast.List, ast.Tuple, ast.GeneratorExp)):
            continue  # rows of a table: their fields are no names of values
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in (
            "append",
            "insert",
        ):
            continue
        inner = node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
        yield from ((name, value, inner) for name, value in _names_of(node))
        yield from _named(node, inner)


def _names_of(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case (
            ast.Assign(
                targets=[ast.Subscript(slice=ast.Constant(value=str(name)))],
                value=value,
            )
            | ast.AnnAssign(
                target=ast.Subscript(slice=ast.Constant(value=str(name))),
                value=ast.expr() as value,
            )
        ):
            yield name, value
        case ast.Call(func=ast.Name(id="dict") | ast.Attribute(attr="update"), keywords=keywords):
            for keyword in keywords:
                if keyword.arg:
                    yield keyword.arg, keyword.value
