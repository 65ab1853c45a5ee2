"""The `{{ ... }}` of a source: where each stands and what it uses, without evaluating it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jinja2
from jinja2 import nodes

from workings.problems import Location

# Only `{{ }}` is ours: Jinja's other marks collide with Markdown (`{#id}` opens a comment).
MARKS = {
    "comment_start_string": "{##",
    "comment_end_string": "##}",
    "block_start_string": "{%%",
    "block_end_string": "%%}",
}


def environment() -> jinja2.Environment:
    """Jinja with our marks; an unknown name fails. HTML is escaped by tokens, not here."""
    options: Any = MARKS
    return jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False, **options)


_TEMPLATE = re.compile(r"""\{\{((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\}(?!\})|[^}"'])*+)\}\}""")


@dataclass(frozen=True)
class Template:
    """One `{{ ... }}` of a text: offsets of the whole, and the expression between the marks."""

    start: int
    end: int
    expression: str


@dataclass(frozen=True)
class Use:
    """What a template does with one name.

    `kind` is `number` (n.NAME; `name` without the `n.`) or `call` (a macro, `name` its name).
    `offset` is that of the name in the text. `filters` are (name, arguments) in order.
    """

    kind: str
    name: str
    offset: int
    filters: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    arguments: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class BadTemplate:
    """Why a template cannot be read, and where."""

    offset: int
    reason: str


def find_templates(text: str) -> Iterator[Template]:
    """Every `{{ ... }}`, in order."""
    for match in _TEMPLATE.finditer(text):
        yield Template(match.start(), match.end(), match[1])


def locate(
    text: str, offset: int, path: str, first_line: int = 1, first_column: int = 1
) -> Location:
    """The place of `offset` in a file of which `text` begins at the given line and column."""
    line = text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1)
    return Location(path, first_line + line, column + (first_column if line == 0 else 1))


def read_template(template: Template) -> Use | BadTemplate:
    """What the template uses; BadTemplate where it is none of ours."""
    inner = template.start + 2
    try:
        tree = environment().parse("{{" + template.expression + "}}")
    except jinja2.TemplateSyntaxError as error:
        return BadTemplate(inner, f"cannot be read: {error.message}.")
    output = tree.body[0] if len(tree.body) == 1 else None
    if not isinstance(output, nodes.Output) or len(output.nodes) != 1:
        return BadTemplate(inner, "must hold one expression.")
    return _use(output.nodes[0], template.expression, inner)


def _use(node: nodes.Node, expression: str, inner: int) -> Use | BadTemplate:
    filters: list[tuple[str, tuple[Any, ...]]] = []
    while isinstance(node, nodes.Filter):
        values = _constants([*node.args, *(pair.value for pair in node.kwargs)])
        if values is None:
            return BadTemplate(inner, f"gives '{node.name}' something that is no plain value.")
        filters.insert(0, (node.name, tuple(values)))
        if node.node is None:
            return BadTemplate(inner, "has no value to filter.")
        node = node.node
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
        values = _constants(node.args)
        named = _constants([pair.value for pair in node.kwargs])
        if values is None or named is None:
            return BadTemplate(
                inner, f"gives '{node.node.name}' something that is no plain value (quote names)."
            )
        keywords = tuple(zip([pair.key for pair in node.kwargs], named, strict=True))
        offset = inner + expression.index(node.node.name)
        return Use("call", node.node.name, offset, tuple(filters), tuple(values), keywords)
    if (name := _number_name(node)) is not None:
        match = re.search(r"\bn\s*\.\s*", expression)
        offset = inner + (match.end() if match else 0)
        return Use("number", name, offset, tuple(filters))
    if isinstance(node, (nodes.BinExpr, nodes.Compare, nodes.UnaryExpr, nodes.CondExpr)):
        return BadTemplate(inner, "computes in the page.")
    if isinstance(node, nodes.Name):
        return BadTemplate(inner, f"uses '{node.name}', which is none of ours.")
    return BadTemplate(inner, "is neither a number 'n.NAME' nor a call such as fact(\"id\").")


def _number_name(node: nodes.Node) -> str | None:
    """`bytes_per_token` of n.bytes_per_token, `rows[2].tokens` of n.rows[2].tokens."""
    if not isinstance(node, nodes.Getattr):
        return None
    base = node.node
    if isinstance(base, nodes.Name) and base.name == "n":
        return node.attr
    if (
        isinstance(base, nodes.Getitem)
        and isinstance(base.arg, nodes.Const)
        and isinstance(base.arg.value, int)
        and (table := _number_name(base.node)) is not None
    ):
        return f"{table}[{base.arg.value}].{node.attr}"
    return None


def _constants(found: Sequence[nodes.Node]) -> list[Any] | None:
    """The plain values of constant nodes; None where one is computed."""
    values = []
    for node in found:
        try:
            values.append(node.as_const())  # type: ignore[attr-defined]
        except (nodes.Impossible, AttributeError):
            return None
    return values
