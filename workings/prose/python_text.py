"""Python files as regions: texts of figures, docstrings and comments."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from workings.prose.blocks import markdown_regions
from workings.prose.model import TEMPLATE, Region
from workings.prose.positioned import Builder, Positioned, Source, join

_LITERAL = re.compile(r"(?P<prefix>[A-Za-z]{0,2})(?P<quote>'''|\"\"\"|'|\")")
_PLAIN_RUN = re.compile(r"""[^\\{}"']+""")
_ESCAPE = re.compile(
    r"\\(?:N\{[^}]*\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{1,3}|\n|.)", re.DOTALL
)
_SETTING = re.compile(r".?|[^\s=]*=\S*")  # "square,pad=0.1" of matplotlib
_DOCTEST = re.compile(r"^[ \t]*>>>.*?(?=^[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def figure_regions(source: Source) -> Iterator[Region]:
    """The texts of a figures.py: those of FIGURES as Markdown, and every other string."""
    tree = _parse(source)
    if tree is None:
        return
    docstrings, strings = _texts(tree)
    declared = _declared(tree)
    for node in strings:
        text = literal_text(source, node)
        if id(node) in declared:
            yield from markdown_regions(text, source, "figure", declared[id(node)])
        elif not _SETTING.fullmatch(text.text):
            yield Region("figure", text, source)
    yield from _docstring_regions(source, docstrings)
    yield from _comments(source)


def code_regions(source: Source) -> Iterator[Region]:
    """The docstrings, the comments and the other texts of a lesson's code."""
    tree = _parse(source)
    if tree is None:
        return
    docstrings, strings = _texts(tree)
    for node in strings:
        yield Region("text", literal_text(source, node), source)
    yield from _docstring_regions(source, docstrings)
    yield from _comments(source)


def _parse(source: Source) -> ast.Module | None:
    try:
        return ast.parse(source.text)
    except (SyntaxError, ValueError):
        return None  # whoever runs the code reports it


def _texts(tree: ast.Module) -> tuple[list[ast.Constant], list[ast.expr]]:
    """The docstrings, and every other text; an f-string as a whole, keys of mappings not."""
    docstrings: list[ast.Constant] = []
    found: list[ast.expr] = []
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node)
        elif isinstance(node, ast.JoinedStr):
            found.append(node)
            left_out.update(id(part) for part in ast.walk(node) if part is not node)
        elif isinstance(node, ast.Dict):
            left_out.update(id(key) for key in node.keys if key is not None)
        elif isinstance(node, ast.Subscript):
            left_out.add(id(node.slice))
        elif (docstring := _docstring(node)) is not None:
            docstrings.append(docstring)
            left_out.add(id(docstring))
    return docstrings, [node for node in found if id(node) not in left_out]


def _docstring(node: ast.AST) -> ast.Constant | None:
    if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    first = node.body[0].value if node.body and isinstance(node.body[0], ast.Expr) else None
    return first if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def _docstring_regions(source: Source, docstrings: list[ast.Constant]) -> Iterator[Region]:
    for node in docstrings:
        text = literal_text(source, node)
        # Doctests are run: what they show is checked there.
        blanked = _DOCTEST.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text.text)
        yield Region("docstring", Positioned(blanked, text.offsets, text.end), source)


def _declared(tree: ast.Module) -> dict[int, str]:
    """The texts of FIGURES by the identity of their nodes, each with its key."""
    found: dict[int, str] = {}
    for statement in tree.body:
        targets = (
            statement.targets
            if isinstance(statement, ast.Assign)
            else [getattr(statement, "target", None)]
        )
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.Dict) or not any(
            isinstance(target, ast.Name) and target.id == "FIGURES" for target in targets
        ):
            continue
        for name, figure in zip(value.keys, value.values, strict=True):
            if isinstance(name, ast.Constant) and isinstance(figure, ast.Dict):
                for key, text in zip(figure.keys, figure.values, strict=True):
                    if isinstance(key, ast.Constant):
                        found[id(text)] = f"{name.value!s}.{key.value!s}"
    return found


def literal_text(source: Source, node: ast.expr) -> Positioned:
    """The text that a literal, or several side by side, stands for; `{...}` of f-strings masked."""
    start = _offset(source, node.lineno, node.col_offset)
    stop = _offset(source, node.end_lineno or node.lineno, node.end_col_offset or 0)
    out = Builder(stop)
    raw, at = source.text, start
    while at < stop:
        match = _LITERAL.match(raw, at, stop)
        if match is None:
            at = raw.find("\n", at) if raw[at] == "#" and raw.find("\n", at) > 0 else at + 1
            continue
        at = _read_literal(raw, match, stop, out)
    out.end = stop
    return out.build()


def _offset(source: Source, line: int, column_bytes: int) -> int:
    """ast counts columns in UTF-8 bytes; files are read as characters."""
    start = source.offset(line)
    text = source.text[start : start + column_bytes]
    if text.isascii():
        return start + column_bytes
    return start + len(text.encode()[:column_bytes].decode(errors="replace"))


def _read_literal(raw: str, match: re.Match[str], stop: int, out: Builder) -> int:
    """Add the body of the literal that begins with `match`; the offset after it."""
    prefix, quote, at = match["prefix"].lower(), match["quote"], match.end()
    while at < stop and not raw.startswith(quote, at):
        if (run := _PLAIN_RUN.match(raw, at, stop)) is not None:
            out.extend(Positioned(run[0], range(at, run.end()), run.end()))
            at = run.end()
        elif "r" not in prefix and (escape := _ESCAPE.match(raw, at)) is not None:
            out.add(_unescaped(escape[0]), at)
            at = escape.end()
        elif "f" in prefix and raw[at] in "{}":
            if raw.startswith(raw[at] * 2, at):
                out.add(raw[at], at)
                at += 2
            else:
                out.add(TEMPLATE, at)
                at = _after_field(raw, at, stop)
        else:
            out.add(raw[at], at)
            at += 1
    return at + len(quote)


def _after_field(raw: str, at: int, stop: int) -> int:
    depth = 0
    while at < stop:
        depth += {"{": 1, "}": -1}.get(raw[at], 0)
        at += 1
        if depth <= 0:
            break
    return at


def _unescaped(escape: str) -> str:
    if escape == "\\\n":
        return ""
    try:
        value = ast.literal_eval(f'"{escape}"') if escape != '\\"' else '"'
    except (SyntaxError, ValueError):
        return escape[-1]
    return str(value)


def _comments(source: Source) -> Iterator[Region]:
    """Comments; lines that follow each other are one text."""
    if "#" not in source.text:
        return
    block: list[Positioned] = []
    last = (-1, -1)
    whole = source.whole()
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source.text).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        if token.type != tokenize.COMMENT:
            continue
        start = source.offset(token.start[0], token.start[1])
        text = whole.cut(start + 1, start + len(token.string))
        if block and token.start != (last[0] + 1, last[1]):
            yield Region("comment", join(block), source)
            block = []
        block.append(text)
        last = token.start
    if block:
        yield Region("comment", join(block), source)
