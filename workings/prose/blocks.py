"""The block part of Markdown: pages and texts as regions.

The site renders with Python-Markdown; its containers that CommonMark does not know (admonitions, tabs,
`///` blocks, `$$` math) are split off here, and what lies between goes through markdown-it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from workings.prose.inline import FILLER, Piece, read_inline, read_row
from workings.prose.latex import plain_math
from workings.prose.markup import spoken_attributes
from workings.prose.model import Kind, Region
from workings.prose.positioned import Builder, Positioned, Source, dedent, indent_of, join
from workings.prose.templates import Masked, mask, region, template_texts

_FENCE = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)$")
_CONTAINER = re.compile(r"(?P<indent>[ \t]*)(?:!!!|\?\?\?\+?|===[!+]{0,2})(?:[ \t]+(?P<head>.*))?$")
_HEAD_TITLE = re.compile(r"""(?P<quote>["'])(?P<title>.*)(?P=quote)\s*$""")
_BLOCK = re.compile(r"[ ]*/{3,}[ \t]*(?P<name>[\w-]*)[ \t]*(?:\|(?P<title>.*))?$")
_SNIPPET = re.compile(r"[ \t]*-{1,}8<-{1,}")
_DISPLAY_MATH = re.compile(r"[ \t>]*(?P<mark>\$\$|\\\[|\\begin\{(?P<name>[a-z]+\*?)\})")
_HEADING_NUMBER = re.compile(r"\s*(?:\d{1,2}(?:\.\d{1,2})*[.)]|\d{1,2}(?:\.\d{1,2})+)\s+(?=\D)")
_REFERENCE_TITLE = re.compile(r"""[ \t\n](?P<quote>["'(])(?P<title>.*)["')]\s*\Z""", re.DOTALL)
_TRACKS = ("plain", "deep")


@dataclass(frozen=True)
class _Line:
    text: Positioned
    track: str | None


@dataclass
class _Context:
    source: Source
    masked: Masked
    kind: Kind = "prose"
    key: str = ""

    def region(self, kind: Kind, text: Positioned, track: str | None) -> Region:
        if self.kind != "prose" and kind in ("prose", "heading", "table", "html"):
            kind = self.kind
        return region(kind, text, self.source, self.masked.found, track, self.key)


def _block_parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": True}).enable("table")
    made.use(deflist_plugin).use(footnote_plugin)
    made.core.ruler.enableOnly(["normalize", "block"])
    return made


_PARSER = _block_parser()


def markdown_regions(
    text: Positioned, source: Source, kind: Kind = "prose", key: str = ""
) -> Iterator[Region]:
    """The regions of a Markdown text. Another `kind` than prose goes to all but math and alt texts."""
    context = _Context(source, mask(text), kind, key)
    for block in context.masked.blocks:
        yield context.region("include", block, None)
    lines = [_Line(line, None) for line in context.masked.text.lines()]
    for found in _regions(_with_tracks(lines, context), context):
        yield found
        for inserted in found.inserted:
            for inner in template_texts(inserted, source):
                yield context.region("template", inner, found.track)


# --- containers -------------------------------------------------------------------------------


def _with_tracks(lines: Sequence[_Line], context: _Context) -> list[_Line]:
    """The lines with the track of each; the marks `/// plain` and `///` become empty lines."""
    stack: list[str] = []
    made: list[_Line] = []
    fence = ""
    for line in lines:
        fence = _fence_after(line.text.text, fence)
        match = None if fence else _BLOCK.match(line.text.text)
        track = next((name for name in reversed(stack) if name in _TRACKS), None)
        if match is None:
            made.append(replace(line, track=track))
            continue
        if match["name"]:
            stack.append(match["name"])
        elif stack:
            stack.pop()
        title = line.text.cut(*match.span("title")) if match["title"] else line.text.cut(0, 0)
        made.append(_Line(title, track))
    return made


def _fence_after(line: str, fence: str) -> str:
    """The mark of the fence in which the next line lies, "" outside."""
    match = _FENCE.match(line)
    if match is None:
        return fence
    if not fence:
        return match["mark"]
    closes = match["mark"].startswith(fence) and not match["info"].strip()
    return "" if closes else fence


def _regions(lines: Sequence[_Line], context: _Context) -> Iterator[Region]:
    """Split off the containers; parse what lies between."""
    plain: list[_Line] = []
    at, fence = 0, ""
    while at < len(lines):
        line = lines[at]
        was, fence = fence, _fence_after(line.text.text, fence)
        after = at + 1
        if not fence and not was:
            if (container := _CONTAINER.match(line.text.text)) is not None:
                yield from _parsed(plain, context)
                plain = []
                after = yield from _container(lines, at, container, context)
            elif _SNIPPET.match(line.text.text):
                yield context.region("include", line.text, line.track)
            elif (math := _DISPLAY_MATH.match(line.text.text)) is not None:
                yield from _parsed(plain, context)
                plain = []
                after = yield from _display_math(lines, at, math, context)
            else:
                plain.append(line)
        else:
            plain.append(line)
        at = after
    yield from _parsed(plain, context)


def _container(
    lines: Sequence[_Line], at: int, match: re.Match[str], context: _Context
) -> Generator[Region, None, int]:
    """An admonition or a tab: its title, then its indented content as Markdown."""
    line = lines[at]
    if match["head"] and (title := _HEAD_TITLE.search(match["head"])):
        start = match.start("head") + title.start("title")
        stop = match.start("head") + title.end("title")
        yield from _flow(line.text.cut(start, stop), line.track, "prose", context)
    indent = indent_of(match["indent"]) + 4
    after = at + 1
    while after < len(lines):
        text = lines[after].text.text
        if text.strip() and indent_of(text) < indent:
            break
        after += 1
    inner = lines[at + 1 : after]
    dedented = dedent((line.text for line in inner), indent)
    yield from _regions(
        [replace(line, text=text) for line, text in zip(inner, dedented, strict=True)], context
    )
    return after


def _display_math(
    lines: Sequence[_Line], at: int, opening: re.Match[str], context: _Context
) -> Generator[Region, None, int]:
    """A block of math, which may go over lines that Markdown would take for lists or rules."""
    end = (
        f"\\end{{{opening['name']}}}"
        if opening["name"]
        else {"$$": "$$", "\\[": "\\]"}[opening["mark"]]
    )
    first = lines[at].text
    after = at + 1
    if first.text.find(end, opening.end()) < 0:
        while (
            after < len(lines)
            and end not in lines[after].text.text
            and lines[after].text.text.strip()
        ):
            after += 1
        after = min(after + 1, len(lines))
    whole = join([first.cut(opening.end()), *(line.text for line in lines[at + 1 : after])])
    closing = whole.text.find(end)
    math, rest = whole, None
    if closing >= 0:
        math, rest = whole.cut(0, closing), whole.cut(closing + len(end))
    yield context.region("math", plain_math(math), lines[at].track)
    if rest is not None and rest.text.strip():
        yield from _flow(rest, lines[at].track, "prose", context)
    return after


# --- what markdown-it parses ------------------------------------------------------------------


def _parsed(lines: Sequence[_Line], context: _Context) -> Iterator[Region]:
    if not any(line.text.text.strip() for line in lines):
        return
    env: dict[str, Any] = {}
    tokens = _PARSER.parse("\n".join(line.text.text for line in lines), env)
    references = env.get("references", {})
    for reference in [*references.values(), *env.get("duplicate_refs", [])]:
        yield from _reference_title(lines, reference, context)
    depth, table_end, previous = 0, -1, ""
    for index, token in enumerate(tokens):
        depth += token.nesting if token.type.startswith(("list_item", "dd", "footnote")) else 0
        if token.map is None or token.map[0] < table_end:
            continue
        first = token.map[0]
        if token.type == "table_open":
            table_end = token.map[1]
            yield from _table(lines[first:table_end], context, references)
        elif token.type == "inline":
            kind: Kind = "heading" if tokens[index - 1].type == "heading_open" else "prose"
            text = _content(token, lines)
            if kind == "heading" and (number := _HEADING_NUMBER.match(text.text)):
                text = text.cut(number.end())
            yield from _flow(text, lines[first].track, kind, context, references)
        elif token.type == "html_block":
            text = join(line.text for line in lines[first : token.map[1]])
            yield from _flow(text, lines[first].track, "html", context, references)
        elif token.type == "code_block" and not _is_code(token, lines, depth, previous):
            inner = lines[first : token.map[1]]
            stripped = dedent((line.text for line in inner), indent_of(inner[0].text.text))
            yield from _regions(
                [replace(line, text=text) for line, text in zip(inner, stripped, strict=True)],
                context,
            )
        elif token.type in ("fence", "code_block"):
            yield from _code(token, lines[first : token.map[1]], context)
        if token.level == 0:
            previous = token.type


def _code(token: Token, lines: Sequence[_Line], context: _Context) -> Iterator[Region]:
    """A code block, and the title over it. A diagram is drawn from its text: readers see its numbers."""
    head, body = lines[0], lines[1:] if token.type == "fence" else lines
    is_drawn = token.info.strip().startswith("mermaid")
    text = join(line.text for line in body)
    if text.text.strip():
        yield context.region("prose" if is_drawn else "code", text, head.track)
    if token.type == "fence":
        for _, title in spoken_attributes(head.text):
            yield context.region("attribute", title, head.track)


def _is_code(token: Token, lines: Sequence[_Line], depth: int, previous: str) -> bool:
    """Whether Python-Markdown too takes an indented block for code.

    It wants four columns for each list around it, where CommonMark counts from the item's text; and
    right after a list it goes on with the item.
    """
    first = lines[token.map[0]].text.text if token.map else ""
    after_list = depth == 0 and previous.endswith(
        ("list_close", "footnote_block_close", "dl_close")
    )
    return indent_of(first) >= 4 * depth + 4 and not after_list


def _content(token: Token, lines: Sequence[_Line]) -> Positioned:
    """The content of an inline token at its place: each of its lines ends a line of the source."""
    first = token.map[0] if token.map else 0
    parts: list[Positioned] = []
    for index, wanted in enumerate(token.content.split("\n")):
        line = lines[min(first + index, len(lines) - 1)].text
        wanted = wanted.strip()
        start = (
            line.text.rfind(wanted)
            if line.text.rstrip().endswith(wanted)
            else line.text.find(wanted)
        )
        parts.append(line.cut(max(start, 0), max(start, 0) + len(wanted)))
    return join(parts)


def _table(lines: Sequence[_Line], context: _Context, references: Any) -> Iterator[Region]:
    for index, line in enumerate(lines):
        if index == 1:  # the rule under the head
            continue
        for piece in read_row(line.text, references):
            yield from _piece(piece, line.track, "table", context)


def _flow(
    text: Positioned, track: str | None, kind: Kind, context: _Context, references: Any = None
) -> Iterator[Region]:
    for piece in read_inline(text, references):
        yield from _piece(piece, track, kind, context)


def _piece(piece: Piece, track: str | None, kind: Kind, context: _Context) -> Iterator[Region]:
    if piece.text.text.strip(" \n" + FILLER):
        yield context.region(piece.kind or kind, piece.text, track)


def _reference_title(lines: Sequence[_Line], reference: Any, context: _Context) -> Iterator[Region]:
    """The title of `[id]: address "title"`."""
    if not reference.get("title"):
        return
    first, last = reference["map"]
    text = join(line.text for line in lines[first:last])
    if (match := _REFERENCE_TITLE.search(text.text)) is not None:
        title = text.cut(match.start("title"), match.end("title"))
        yield context.region("link title", title, lines[first].track)


def plain_region(text: Positioned, source: Source, kind: Kind, key: str = "") -> Region:
    """A text that is no Markdown, such as a page's title, with its templates."""
    masked = mask(text, is_markdown=False)
    out = Builder(text.end)
    out.extend(masked.text)
    return region(kind, out.build(), source, masked.found, None, key)
