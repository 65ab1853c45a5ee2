"""The figures that a lesson declares: the literal FIGURES of its figures.py, read without running it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workings.problems import Location, Problem, did_you_mean

KEYS = ("title", "alt", "caption", "data")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_CHARACTER = re.compile(
    r"\\(?:N\{[^}]*\}|x..|u.{4}|U.{8}|[0-7]{1,3}|.)|.", re.DOTALL
)  # one of a literal's body, written out or escaped
_STRING = re.compile(r"(?P<prefix>[A-Za-z]*)(?P<quote>'''|\"\"\"|'|\")(?P<body>.*)(?P=quote)", re.DOTALL)


@dataclass(frozen=True)
class SourceText:
    """A text of the declaration with the place of each of its characters."""

    text: str
    path: str
    places: tuple[tuple[int, int], ...] = field(repr=False, default=())
    start: tuple[int, int] = (1, 1)

    def at(self, offset: int = 0) -> Location:
        """Where the character at `offset` stands in figures.py."""
        line, column = self.places[offset] if 0 <= offset < len(self.places) else self.start
        return Location(self.path, line, column)


@dataclass(frozen=True)
class FigureDeclaration:
    """One figure: its texts are templates over the lesson's numbers; `data` names its table."""

    name: str
    at: Location
    function: str
    function_at: Location
    title: SourceText
    alt: SourceText
    caption: SourceText
    data: SourceText

    def texts(self) -> tuple[SourceText, ...]:
        """Those that hold templates."""
        return self.title, self.alt, self.caption


@dataclass(frozen=True)
class Declarations:
    """The figures of a lesson by name, in order, and what is wrong with them."""

    figures: Mapping[str, FigureDeclaration] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def function_name(figure: str) -> str:
    """
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
        return Declarations(problems=(Problem(at, "figure-syntax", f"This is no Python: {error.msg}."),))
    except (UnicodeDecodeError, ValueError) as error:
        return Declarations(problems=(Problem(Location(path), "figure-syntax", f"{error}."),))
    return _Reader(path, source).read(tree)


class _Reader:
    """Reads one figures.py and collects every problem."""

    def __init__(self, path: str, source: str) -> None:
        self.path, self.source, self.lines = path, source, source.splitlines(keepends=True)
        self.problems: list[Problem] = []

    def at(self, node: ast.expr | ast.stmt) -> Location:
        """ast counts a column in UTF-8 bytes; an editor counts characters."""
        line = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        column = len(line.encode()[: node.col_offset].decode(errors="replace"))
        return Location(self.path, node.lineno, column + 1)

    def say(self, at: Location, rule: str, message: str, mend: str = "") -> None:
        self.problems.append(Problem(at, rule, message, mend))

    def read(self, tree: ast.Module) -> Declarations:
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        table = _figures_literal(tree)
        figures: dict[str, FigureDeclaration] = {}
        if table is None:
            self.say(
                Location(self.path), "figure-literal", "There is no FIGURES with the figures' texts.",
                'Write FIGURES = {"name": {"title": "...", "alt": "...", "caption": "...", "data": "..."}}.',
            )  # fmt: skip
        elif not isinstance(table, ast.Dict):
            self.say(self.at(table), "figure-literal", "FIGURES is read without running the file.",
                     "Write it as one literal {...}.")  # fmt: skip
        else:
            for key, value in zip(table.keys, table.values, strict=True):
                figure = self.figure(key, value, functions, table)
                if figure and figure.name in figures:
                    self.say(figure.at, "figure-name", f"The figure '{figure.name}' is declared twice.",
                             "Give one of them another name.")  # fmt: skip
                elif figure:
                    figures[figure.name] = figure
            self.undeclared(functions, table)
        return Declarations(figures, tuple(self.problems))

    def figure(
        self, key: ast.expr | None, value: ast.expr, functions: Mapping[str, ast.FunctionDef], table: ast.Dict
    ) -> FigureDeclaration | None:
        name = self.text(key, "the figure's name") if key else None
        if name is None:
            if key is None:
                self.say(self.at(value), "figure-literal", "FIGURES is read without running the file.",
                         "Write each figure out.")  # fmt: skip
            return None
        if not _NAME.fullmatch(name.text):
            self.say(name.at(), "figure-name", f"'{name.text}' is no name of a figure.",
                     "Use small letters, digits and hyphens: 'cache-memory-line'.")  # fmt: skip
            return None
        function = functions.get(function_name(name.text))
        if function is None:
            self.say(
                name.at(), "figure-function",
                f"There is no function '{function_name(name.text)}' that draws '{name.text}'.",
                did_you_mean(function_name(name.text), [f for f in functions if not f.startswith("_")]),
            )  # fmt: skip
        texts = self.texts(name, value)
        if function is None or texts is None:
            return None
        return FigureDeclaration(
            name.text, name.at(), function.name, self.at(function),
            texts["title"], texts["alt"], texts["caption"], texts["data"],
        )  # fmt: skip

    def texts(self, name: SourceText, value: ast.expr) -> dict[str, SourceText] | None:
        """The texts of one figure by key; None where one is missing or wrong."""
        if not isinstance(value, ast.Dict):
            self.say(self.at(value), "figure-literal", f"The entry of '{name.text}' is no literal {{...}}.",
                     f"Give it the keys {', '.join(KEYS)}.")  # fmt: skip
            return None
        found: dict[str, SourceText] = {}
        given: set[str] = set()
        for key_node, text_node in zip(value.keys, value.values, strict=True):
            key = self.text(key_node, "a key") if key_node else None
            if key is None:
                continue
            given.add(key.text)
            if key.text not in KEYS:
                self.say(key.at(), "figure-key", f"'{key.text}' is no key of a figure.",
                         did_you_mean(key.text, KEYS))  # fmt: skip
                continue
            text = self.text(text_node, f"'{key.text}'")
            if text and not text.text.strip():
                self.say(text.at(), "figure-text", f"The '{key.text}' of '{name.text}' is empty.", _ASKED[key.text])
            elif text:
                found[key.text] = text
        for key_name in KEYS:
            if key_name not in given:
                self.say(name.at(), "figure-text", f"The figure '{name.text}' has no '{key_name}'.", _ASKED[key_name])
        return found if len(found) == len(KEYS) else None

    def text(self, node: ast.expr | None, what: str) -> SourceText | None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            at = self.at(node)
            places = _places(ast.get_source_segment(self.source, node) or "", (at.line, at.column))
            known = places if len(places) == len(node.value) else ()
            return SourceText(node.value, self.path, known, (at.line, at.column))
        if node is not None:
            self.say(self.at(node), "figure-literal", f"FIGURES is read without running the file, and {what} is no plain text.",
                     "Write it as a literal; numbers go in as {{ n.NAME }}.")  # fmt: skip
        return None

    def undeclared(self, functions: Mapping[str, ast.FunctionDef], table: ast.Dict) -> None:
        """A public function of `n` alone draws a figure, and a figure is declared."""
        declared = {
            function_name(key.value)
            for key in table.keys
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
        for name, function in functions.items():
            names = [argument.arg for argument in function.args.args]
            if names == ["n"] and not name.startswith("_") and name not in declared:
                self.say(self.at(function), "figure-undeclared", f"The function '{name}' draws a figure that FIGURES lacks.",
                         f"Add '{name.replace('_', '-')}' to FIGURES, or start the name with '_'.")  # fmt: skip


_ASKED = {
    "title": "Say the figure's message in a few words.",
    "alt": "Say what it shows and what follows, for readers who do not see it.",
    "caption": "Say what to look at.",
    "data": "Name the table of show_numbers.py that it draws.",
}


def _figures_literal(tree: ast.Module) -> ast.expr | None:
    """The value of the last `FIGURES = ...` at the top level."""
    found: ast.expr | None = None
    for node in tree.body:
        targets: Iterable[ast.expr] = ()
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = (node.target,)
        if any(isinstance(target, ast.Name) and target.id == "FIGURES" for target in targets):
            found = node.value  # type: ignore[union-attr]  # only assignments have targets
    return found


def _places(segment: str, start: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Line and column of each character that the literal(s) of `segment` stand for.

    >>> _places('"ab"', (3, 5))
    ((3, 6), (3, 7))
    >>> _places(r"'a\\n' 'b'", (1, 1))
    ((1, 2), (1, 3), (1, 8))
    """
    places: list[tuple[int, int]] = []
    tokens = tokenize.generate_tokens(io.StringIO(f"({segment})").readline)  # a bracket spans lines
    for token in tokens:
        if token.type != tokenize.STRING or not (literal := _STRING.fullmatch(token.string)):
            continue
        line, column = token.start
        offset = literal.start("body")
        for match in _CHARACTER.finditer(literal["body"]):
            raw = "r" in literal["prefix"].lower()
            before = token.string[: offset + match.start()]
            row = line + before.count("\n")
            col = (column + len(before)) if row == line else len(before) - before.rfind("\n") - 1
            first = row == 1
            place = (start[0] + row - 1, (start[1] + col - 1) if first else col + 1)
            width = len(match[0]) if raw else (0 if match[0] == "\\\n" else 1)
            places += [(place[0], place[1] + step if raw else place[1]) for step in range(width)]
    return tuple(places)
