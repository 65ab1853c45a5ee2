"""Templates in a text: masked before it is parsed, found again in what comes out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from workings.page.code_ranges import mask_code
from workings.page.templates import find_templates
from workings.prose.inline import FILLER
from workings.prose.model import TEMPLATE, Inserted, Kind, Region
from workings.prose.positioned import Positioned, Source

_BLOCK_OR_COMMENT = re.compile(r"\{##.*?##\}|\{%%.*?%%\}", re.DOTALL)
_STRING = re.compile(r"""(?P<quote>["'])(?P<body>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""", re.DOTALL)
TABLE_COLUMN = re.compile(r"[^:]*:(?P<header>[^|]*)")


@dataclass(frozen=True)
class Masked:
    """A text whose templates are TEMPLATE and fillers; `found` has them by offset in the file."""

    text: Positioned
    found: dict[int, tuple[int, str]]
    blocks: tuple[Positioned, ...]


def mask(text: Positioned, is_markdown: bool = True) -> Masked:
    """The text with its templates masked, every other character at its place."""
    readable = mask_code(text.text) if is_markdown else text.text
    characters = text.text
    found: dict[int, tuple[int, str]] = {}
    blocks: list[Positioned] = []
    for match in _BLOCK_OR_COMMENT.finditer(readable):
        if match[0].startswith("{%%"):
            blocks.append(text.cut(*match.span()))
        characters = _fill(characters, match.start(), match.end(), FILLER)
    for template in find_templates(readable):
        found[text.at(template.start)] = (text.after(template.end), template.expression)
        characters = _fill(characters, template.start, template.end, TEMPLATE)
    return Masked(Positioned(characters, text.offsets, text.end), found, tuple(blocks))


def _fill(text: str, start: int, end: int, first: str) -> str:
    filled = re.sub(r"[^\n]", FILLER, text[start + 1 : end])
    return text[:start] + first + filled + text[end:]


def unfilled(text: Positioned) -> Positioned:
    """The text without fillers: one character for each template."""
    if FILLER not in text.text:
        return text
    kept = [index for index, character in enumerate(text.text) if character != FILLER]
    return Positioned(
        "".join(text.text[index] for index in kept),
        tuple(text.offsets[index] for index in kept),
        text.end,
    )


def region(
    kind: Kind, text: Positioned, source: Source, found: dict[int, tuple[int, str]],
    track: str | None = None, key: str = "",
) -> Region:  # fmt: skip
    """A region of `text`, its templates told."""
    text = unfilled(text)
    inserted = [
        Inserted(index, text.at(index), *found[text.at(index)])
        for index, character in enumerate(text.text)
        if character == TEMPLATE and text.at(index) in found
    ]
    return Region(kind, text, source, tuple(inserted), track, key)


def template_texts(inserted: Inserted, source: Source) -> Iterator[Positioned]:
    """The texts that a template shows: headers and captions of tables, nouns and units of filters."""
    from workings.page.templates import Use

    use = inserted.use
    if not isinstance(use, Use) or (
        use.kind == "call" and use.name in ("claim", "exempt", "number")
    ):
        return
    expression = inserted.expression
    named = (
        re.search(r"\|\s*\w", expression) if use.kind == "number" or use.name == "fact" else None
    )
    is_table = use.kind == "call" and use.name == "table"
    for position, match in enumerate(_STRING.finditer(expression)):
        try:
            value = ast.literal_eval(match[0])
        except (SyntaxError, ValueError):
            continue
        start = inserted.start + 2 + match.start("body")
        is_plain = value == match["body"]
        body = Positioned(
            value,
            range(start, start + len(value)) if is_plain else (start,) * len(value),
            start + len(match["body"]),
        )
        before = expression[: match.start()].rstrip()
        if before.endswith("="):
            if re.search(r"\bcaption\s*=$", before):
                yield body
        elif is_table and position > 0:
            column = TABLE_COLUMN.match(value)
            if column is not None:
                yield body.cut(column.start("header"), column.end("header"))
        elif named is not None and match.start() > named.start():
            yield body
