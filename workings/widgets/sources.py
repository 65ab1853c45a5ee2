"""Which files run in the browser: the engine's part by its imports, a lesson's by its folder."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
ENTRY_MODULES = ("workings.widgets.live",)
_NOT_SHIPPED = ("test_", "conftest.py", "figures.py", ".")


@cache
def engine_files() -> dict[str, bytes]:
    """The engine's modules that run in the browser: path from the package's parent -> content."""
    found: dict[str, bytes] = {}
    waiting = list(ENTRY_MODULES)
    while waiting:
        name = waiting.pop()
        path = module_path(name)
        if path is None or (key := path.relative_to(PACKAGE.parent).as_posix()) in found:
            continue
        found[key] = path.read_bytes()
        waiting += [name.rpartition(".")[0], *_imports(found[key].decode())]
    return dict(sorted(found.items()))


def module_path(name: str) -> Path | None:
    """The file of a module of the engine, or None where it is none."""
    if name.split(".")[0] != PACKAGE.name:
        return None
    base = PACKAGE.parent.joinpath(*name.split("."))
    return next(
        (path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None
    )


def _imports(source: str) -> list[str]:
    """Every module that the source may import; names of packages may be modules too."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def lesson_files(code: Path) -> dict[str, bytes]:
    """What a lesson's code may read in the browser: path from its folder -> content.

    Tests and figures stay behind: they need more than the standard library.
    """
    files = {path.relative_to(code): path for path in code.rglob("*") if path.is_file()}
    return {
        name.as_posix(): path.read_bytes()
        for name, path in sorted(files.items())
        if not name.name.startswith(_NOT_SHIPPED) and not any(map(_is_hidden, name.parts))
    }


def _is_hidden(part: str) -> bool:
    return part.startswith(".") or part == "__pycache__"
