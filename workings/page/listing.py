"""Listings by symbol: a lesson's code block is the function's real source."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass
from pathlib import Path

from workings.problems import did_you_mean

Symbol = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class ListingError(ValueError):
    """Why there is no such listing; `mend` names what there is."""

    def __init__(self, reason: str, mend: str = "") -> None:
        super().__init__(reason)
        self.reason, self.mend = reason, mend


@dataclass(frozen=True)
class Listing:
    """Source text of a symbol; `path` is relative to the root, `line` that of its first line."""

    target: str
    path: str
    line: int
    end_line: int
    code: str


def find_listing(root: Path, slug: str, target: str, docstring: bool = True) -> Listing:
    """The source of `module.symbol` or `module.Class.method` in `code/<slug>/`.

    Raises ListingError where the module or the symbol is unknown.
    """
    folder = root / "code" / slug
    module, _, symbol = target.partition(".")
    modules = sorted(file.stem for file in folder.glob("*.py"))
    if module not in modules:
        raise ListingError(f"code/{slug} has no module '{module}'.", did_you_mean(module, modules))
    path = f"code/{slug}/{module}.py"
    source = (root / path).read_text(encoding="utf-8-sig")
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise ListingError(f"{path}:{error.lineno}: {error.msg}.") from None
    symbols = _symbols(tree, "")
    if symbol not in symbols:
        raise ListingError(f"{path} has no '{symbol}'.", did_you_mean(symbol, symbols))
    node = symbols[symbol]
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    end = node.end_lineno or node.lineno
    lines = source.splitlines()[first - 1 : end]
    if not docstring and ast.get_docstring(node, clean=False) is not None:
        doc = node.body[0]
        after = node.body[1].lineno if len(node.body) > 1 else (doc.end_lineno or doc.lineno) + 1
        lines[doc.lineno - first : after - first] = [] if len(node.body) > 1 else ["    ..."]
    return Listing(target, path, first, end, textwrap.dedent("\n".join(lines)))


def _symbols(tree: ast.Module | ast.ClassDef, prefix: str) -> dict[str, Symbol]:
    found: dict[str, Symbol] = {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[prefix + node.name] = node
            if isinstance(node, ast.ClassDef):
                found.update(_symbols(node, f"{prefix}{node.name}."))
    return found
