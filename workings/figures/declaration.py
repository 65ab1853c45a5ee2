"""The figures that a lesson declares: FIGURES in its figures.py, read without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workings.figures.source_text import SourceText, read_literal
from workings.problems import Location, Problem, did_you_mean

# What a figure declares, with what to write where it is missing.
KEYS = {
    "title": "Say the figure's message in a few words.",
    "alt": "Say what it shows and what follows, for readers who do not see it.",
    "caption": "Say what to look at.",
    "data": "Name the table of show_numbers.py that it draws.",
}
EXAMPLE = 'FIGURES = {"my-figure": {"title": "...", "alt": "...", "caption": "...", "data": "..."}}'
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_NOT_RUN = "FIGURES is read without running the file"

Functions = Mapping[str, ast.FunctionDef]


@dataclass(frozen=True)
class FigureDeclaration:
    """One figure: title, alt and caption are templates over the numbers; `data` names its table."""

    name: str
    at: Location
    function: str
    function_at: Location
    title: SourceText
    alt: SourceText
    caption: SourceText
    data: SourceText


@dataclass(frozen=True)
class Declarations:
    """The figures of a lesson by name, in order, and what is wrong with them."""

    figures: Mapping[str, FigureDeclaration] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def function_name(figure: str) -> str:
    """The name of the function that draws a figure.

    >>> function_name("resend-every-turn")
    'resend_every_turn'
    """
    return figure.replace("-", "_")


def read_declarations(root: Path, slug: str) -> Declarations:
    """The figures of `code/<slug>/figures.py`; none where there is no such file."""
    path = f"code/{slug}/figures.py"
    if not (root / path).is_file():
        return Declarations()
    try:
        source = (root / path).read_text(encoding="utf-8-sig")
        tree = ast.parse(source)
    except SyntaxError as error:
        at = Location(path, error.lineno or 1, error.offset or 1)
        problem = Problem(at, "figure-syntax", f"This is no Python: {error.msg}.")
        return Declarations(problems=(problem,))
    except ValueError as error:  # not UTF-8, or a null byte
        return Declarations(problems=(Problem(Location(path), "figure-syntax", f"{error}."),))
    return _Reader(path, source).read(tree)


class _Reader:
    """Reads one figures.py and collects every problem."""

    def __init__(self, path: str, source: str) -> None:
        self.path, self.source = path, source
        self.lines = source.splitlines(keepends=True)
        self.problems: list[Problem] = []

    def read(self, tree: ast.Module) -> Declarations:
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        table = _figures_literal(tree)
        if table is None:
            at = Location(self.path)
            self.say(at, "figure-literal", "There is no FIGURES.", f"Write {EXAMPLE}.")
        elif not isinstance(table, ast.Dict):
            self.say(self.at(table), "figure-literal", f"{_NOT_RUN}.", f"Write {EXAMPLE}.")
        else:
            return Declarations(self.figures(table, functions), tuple(self.problems))
        return Declarations(problems=tuple(self.problems))

    def figures(self, table: ast.Dict, functions: Functions) -> dict[str, FigureDeclaration]:
        found: dict[str, FigureDeclaration] = {}
        names: set[str] = set()
        for key, value in zip(table.keys, table.values, strict=True):
            name = self.text(key or value, "a figure's name")
            if name is None:
                continue
            if name.text in names:
                message = f"The figure '{name.text}' is declared twice."
                self.say(name.location, "figure-name", message, "Give one of them another name.")
            names.add(name.text)
            figure = self.figure(name, value, functions)
            if figure:
                found.setdefault(name.text, figure)
        self.undeclared(functions, names)
        return found

    def figure(
        self, name: SourceText, value: ast.expr, functions: Functions
    ) -> FigureDeclaration | None:
        if not _NAME.fullmatch(name.text):
            message = f"'{name.text}' is no name of a figure."
            mend = "Use small letters, digits and hyphens, as in 'cache-memory-line'."
            self.say(name.location, "figure-name", message, mend)
            return None
        wanted = function_name(name.text)
        function = functions.get(wanted)
        if function is None:
            message = f"There is no function '{wanted}' that draws '{name.text}'."
            public = [known for known in functions if not known.startswith("_")]
            self.say(name.location, "figure-function", message, did_you_mean(wanted, public))
        texts = self.texts(name, value)
        if function is None or texts is None:
            return None
        return FigureDeclaration(name.text, name.location, wanted, self.at(function), **texts)

    def texts(self, name: SourceText, value: ast.expr) -> dict[str, SourceText] | None:
        """The texts of one figure by key; None where one is missing or wrong."""
        if not isinstance(value, ast.Dict):
            message = f"{_NOT_RUN}, and the entry of '{name.text}' is no literal."
            self.say(self.at(value), "figure-literal", message, f"Write {EXAMPLE}.")
            return None
        found: dict[str, SourceText] = {}
        missing = set(KEYS)
        for key_node, text_node in zip(value.keys, value.values, strict=True):
            key = self.text(key_node or text_node, "a key")
            if key is None:
                continue
            missing.discard(key.text)
            if key.text not in KEYS:
                message = f"'{key.text}' is no key of a figure."
                self.say(key.location, "figure-key", message, did_you_mean(key.text, KEYS))
            elif text := self.text(text_node, f"'{key.text}'"):
                found[key.text] = text
                if not text.text.strip():
                    message = f"The '{key.text}' of '{name.text}' is empty."
                    self.say(text.location, "figure-text", message, KEYS[key.text])
        for key_name in (key for key in KEYS if key in missing):
            message = f"The figure '{name.text}' has no '{key_name}'."
            self.say(name.location, "figure-text", message, KEYS[key_name])
        return found if found.keys() == KEYS.keys() else None

    def undeclared(self, functions: Functions, names: set[str]) -> None:
        """A public function of `n` alone draws a figure, and a figure is declared."""
        declared = set(map(function_name, names))
        for name, function in functions.items():
            takes_numbers = [argument.arg for argument in function.args.args] == ["n"]
            if takes_numbers and not name.startswith("_") and name not in declared:
                message = f"The function '{name}' draws a figure that FIGURES lacks."
                mend = f"Add '{name.replace('_', '-')}' to FIGURES, or begin its name with '_'."
                self.say(self.at(function), "figure-undeclared", message, mend)

    def text(self, node: ast.expr, what: str) -> SourceText | None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            at = self.at(node)
            segment = ast.get_source_segment(self.source, node) or ""
            return read_literal(node.value, segment, self.path, (at.line, at.column))
        message = f"{_NOT_RUN}, and {what} is no plain text."
        mend = "Write it as a literal; numbers go in as {{ n.NAME }}."
        self.say(self.at(node), "figure-literal", message, mend)
        return None

    def say(self, at: Location, rule: str, message: str, mend: str) -> None:
        self.problems.append(Problem(at, rule, message, mend))

    def at(self, node: ast.expr | ast.stmt) -> Location:
        """The node's place in characters, as an editor counts; ast counts UTF-8 bytes."""
        before = self.lines[node.lineno - 1].encode()[: node.col_offset]
        return Location(self.path, node.lineno, len(before.decode()) + 1)


def _figures_literal(tree: ast.Module) -> ast.expr | None:
    """The value of the last `FIGURES = ...` at the top level."""
    found: ast.expr | None = None
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets: list[ast.expr] = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        if any(isinstance(target, ast.Name) and target.id == "FIGURES" for target in targets):
            found = node.value
    return found
