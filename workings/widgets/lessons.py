"""One process, many lessons: each lesson's modules are imported from its own folder and never meet.

Two lessons may both have a `window.py`. Changing over takes the modules of one out of the way and
puts back those of the other, so that no module runs twice. Standard library only.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from workings.formula import Folder

# What an expression may call besides the lesson's own functions.
BUILTINS = (
    *("abs", "all", "any", "bool", "dict", "enumerate", "float", "int", "len", "list"),
    *("max", "min", "range", "round", "set", "sorted", "str", "sum", "tuple", "zip"),
)
_SAFE: Mapping[str, Any] = {name: getattr(builtins, name) for name in BUILTINS}

_parked: dict[str, dict[str, ModuleType]] = {}
_active: list[str] = []


def activate(folder: str) -> None:
    """Make `folder` the one that a lesson's imports come from."""
    if _active == [folder]:
        return
    deactivate()
    _active[:] = [folder]
    sys.path.insert(0, folder)
    sys.modules.update(_parked.pop(folder, {}))
    importlib.invalidate_caches()


def deactivate() -> None:
    """Take the modules of the active lesson out of the way."""
    for folder in _active:
        _parked[folder] = _modules_of(folder)
        for name in _parked[folder]:
            del sys.modules[name]
        sys.path.remove(folder)
    _active.clear()


def _modules_of(folder: str) -> dict[str, ModuleType]:
    inside = str(Path(folder)) + "/"
    return {
        name: module
        for name, module in list(sys.modules.items())
        if (getattr(module, "__file__", None) or "").replace("\\", "/").startswith(inside)
    }


@lru_cache(maxsize=64)
def module_names(folder: str) -> frozenset[str]:
    """The modules that lie in a lesson's folder."""
    return frozenset(path.stem for path in Path(folder).glob("*.py"))


@lru_cache(maxsize=1024)
def names_in(expression: str) -> frozenset[str]:
    """Every name that a Python expression reads; SyntaxError where it is none."""
    tree = ast.parse(expression.strip(), mode="eval")
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> CodeType:
    return compile(expression.strip(), "<expression>", "eval")


def namespace(folder: Folder, expression: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """The names of an expression: values of the panel first, then modules of the lesson.

    The lesson must be active.
    """
    modules = {
        name: importlib.import_module(name)
        for name in _modules_in(expression, folder.path)
        if name not in known
    }
    return {"__builtins__": _SAFE, **modules, **known}


@lru_cache(maxsize=1024)
def _modules_in(expression: str, folder: str) -> frozenset[str]:
    return names_in(expression) & module_names(folder)


def value_of(folder: Folder, expression: str, known: Mapping[str, Any]) -> Any:
    """The value of an expression; whatever it raises comes through."""
    return eval(_compiled(expression), namespace(folder, expression, known))
