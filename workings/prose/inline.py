"""The inline part of Markdown with true positions.

markdown-it gives positions for blocks alone. Its inline parser is a loop over rules, so this one runs
the same rules and writes down what each of them consumed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import StateInline
from mdit_py_plugins.footnote import footnote_plugin

from workings.prose.latex import plain_math
from workings.prose.markup import (
    HIDDEN_ELEMENTS,
    breaks_text,
    decoded,
    spoken_attributes,
    tag_name,
    without_attribute_lists,
)
from workings.prose.model import CODE, MATH, Kind
from workings.prose.positioned import Builder, Positioned

# In a text that is parsed, a template is one TEMPLATE and then as many of these as it has characters.
FILLER = "\ue000"
_DEPTH = "workings_depth"
_EVENTS = "workings_events"

_MATH = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\$(?![\s$])(?P<inline>(?:\\.|[^\\$])+?)(?<![\s\\])\$(?!\d)",
    re.DOTALL,
)
_LINK_TITLE = re.compile(
    r"""\(\s*(?:<[^>]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\s+(?P<quote>["'(])(?P<title>.*?)["')]\s*\)\Z""",
    re.DOTALL,
)


@dataclass(frozen=True)
class Piece:
    """A text that inline Markdown holds: its own flow, or one beside it (alt, title, math)."""

    kind: Kind | None
    text: Positioned


@dataclass(frozen=True)
class _Event:
    rule: str
    start: int
    end: int
    kept: bool = False


@dataclass
class _Flow:
    """What is being put together while the events of one text are gone through."""

    source: Positioned
    out: Builder
    pieces: list[Piece] = field(default_factory=list)
    cells: list[Positioned] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


class _PositionedInline(ParserInline):
    """Runs the inline rules and records the stretch that each one consumed."""

    def tokenize(self, state: StateInline) -> None:
        rules = self.ruler.getRules("")
        names = self.ruler.get_active_rules()
        record = state.env.get(_DEPTH) == 1
        events: list[_Event] = state.env.setdefault(_EVENTS, [])
        while state.pos < state.posMax:
            start, rule_name = state.pos, "char"
            if state.level < state.md.options["maxNesting"]:
                for name, rule in zip(names, rules, strict=True):
                    if rule(state, False):
                        rule_name = name
                        break
            if rule_name == "char":
                state.append_pending(state.src[state.pos])
                state.pos += 1
            if record:
                events.append(
                    _Event(rule_name, start, state.pos, _is_kept(state, rule_name, start))
                )
        if state.pending:
            state.pushPending()

    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Any]) -> list[Any]:
        # The rules parse alt texts and notes as texts of their own, with positions of their own.
        env[_DEPTH] = env.get(_DEPTH, 0) + 1
        try:
            return super().parse(src, md, env, tokens)
        finally:
            env[_DEPTH] -= 1


def _is_kept(state: StateInline, rule: str, start: int) -> bool:
    """Whether marks such as * are text, since they can neither open nor close anything."""
    if rule not in ("emphasis", "strikethrough"):
        return False
    scanned = state.scanDelims(start, state.src[start] == "*")
    return not (scanned.can_open or scanned.can_close)


def _template(state: StateInline, silent: bool) -> bool:
    """A template's fillers, over which no other rule may look."""
    end = state.pos
    while end < state.posMax and state.src[end] == FILLER:
        end += 1
    if end == state.pos:
        return False
    state.pos = end
    return True


def _math(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    match = _MATH.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    state.pos = match.end()
    return True


def _cell(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "|":
        return False
    state.pos += 1
    return True


def _parser(with_cells: bool) -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": True}).use(footnote_plugin)
    rules, inline = made.inline, _PositionedInline()
    inline.ruler, inline.ruler2 = rules.ruler, rules.ruler2
    made.inline = inline
    extra: list[tuple[str, Callable[[StateInline, bool], bool], str]] = [
        ("template", _template, FILLER), ("math", _math, "$"),
    ]  # fmt: skip
    if with_cells:
        extra.append(("cell", _cell, "|"))
    for name, rule, character in extra:
        inline.ruler.before("newline", name, rule)
        inline.add_terminator_char(character)
    return made


_PLAIN, _ROW = _parser(False), _parser(True)


def read_inline(text: Positioned, references: Any = None) -> list[Piece]:
    """The pieces of a paragraph, a heading or an HTML block; the flow itself is the last."""
    flow = _walk(_PLAIN, text, references)
    return [*flow.pieces, Piece(None, flow.out.build())]


def read_row(row: Positioned, references: Any = None) -> list[Piece]:
    """The pieces of a table's row: each cell is a flow of its own."""
    flow = _walk(_ROW, row, references)
    return [*flow.pieces, *(Piece(None, cell) for cell in [*flow.cells, flow.out.build()])]


def _walk(parser: MarkdownIt, text: Positioned, references: Any) -> _Flow:
    env: dict[str, Any] = {"references": references or {}}
    parser.inline.parse(text.text, parser, env, [])
    flow = _Flow(text, Builder(text.end))
    for event in env.get(_EVENTS, []):
        _take(flow, event, parser, references)
    flow.out.end = text.end
    cleaned, lists = without_attribute_lists(flow.out.build())
    for attributes in lists:
        flow.pieces += [Piece("attribute", spoken) for _, spoken in spoken_attributes(attributes)]
    if lists:
        flow.out = Builder()
        flow.out.extend(cleaned)
    return flow


def _take(flow: _Flow, event: _Event, parser: MarkdownIt, references: Any) -> None:
    """Add what one rule consumed to the flow, or to the pieces beside it."""
    source, part = flow.source, flow.source.cut(event.start, event.end)
    if event.rule == "html_inline":
        _take_tag(flow, part)
    elif flow.hidden:
        if flow.hidden[-1] not in ("script", "style", "template"):
            flow.pieces.append(Piece("code", part))
    elif event.rule in ("text", "char") or event.kept:
        flow.out.extend(part)
    elif event.rule == "escape":
        flow.out.extend(part.cut(1))
    elif event.rule == "newline":
        # A template may go over lines; its own line ends are no text.
        if source.text[event.end : event.end + 1] != FILLER:
            flow.out.add("\n", part.at(0))
    elif event.rule == "entity":
        flow.out.extend(decoded(part))
    elif event.rule == "backticks":
        is_code = len(part) > 1 and bool(part.text.strip("`"))
        flow.out.add(CODE if is_code else part.text, part.at(0))
        if is_code:
            flow.pieces.append(Piece("code", part))
    elif event.rule == "math":
        marks = 2 if part.text.startswith("$$") else 1
        flow.pieces.append(Piece("math", plain_math(part.cut(marks, len(part) - marks))))
        flow.out.add(MATH, part.at(0))
    elif event.rule == "cell":
        flow.out.end = part.at(0)
        flow.cells.append(flow.out.build())
        flow.out = Builder(part.end)
    elif event.rule == "link":
        _take_title(flow, part)
    elif event.rule == "image":
        _take_image(flow, part, parser, references)
    elif event.rule == "footnote_inline":
        inner = _walk(parser, part.cut(2, len(part) - 1), references)
        flow.pieces += [*inner.pieces, Piece(None, inner.out.build())]
    elif event.rule == "autolink":
        flow.out.add(" ", part.at(0))


def _take_tag(flow: _Flow, tag: Positioned) -> None:
    name, closes = tag_name(tag.text)
    if name in HIDDEN_ELEMENTS:
        if closes and flow.hidden and flow.hidden[-1] == name:
            flow.hidden.pop()
            flow.out.add(CODE, tag.at(0))
        elif not closes:
            flow.hidden.append(name)
        return
    if flow.hidden or not name:
        return
    flow.pieces += [Piece("attribute", text) for _, text in spoken_attributes(tag)]
    if name == "sup" and not closes and flow.out.last().isdigit():
        # 10<sup>6</sup> is a power, while a mark after 147,456 is a note.
        flow.out.add(
            "^" if re.search(r"(?<![\d.,])\d{1,2}\Z", flow.out.tail(4)) else " ", tag.at(0)
        )
    elif name == "sub" and not closes:
        flow.out.add(" ", tag.at(0))
    elif breaks_text(name):
        flow.out.add("\n", tag.at(0))


def _take_title(flow: _Flow, link: Positioned) -> None:
    match = _LINK_TITLE.search(link.text)
    if match is not None:
        title = decoded(link.cut(match.start("title"), match.end("title")))
        flow.pieces.append(Piece("link title", title))


def _take_image(flow: _Flow, image: Positioned, parser: MarkdownIt, references: Any) -> None:
    depth = 0
    for index, character in enumerate(image.text):
        if character == "\\":
            continue
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "]" and depth == 0:
            inner = _walk(parser, image.cut(2, index), references)
            flow.pieces += [*inner.pieces, Piece("alt", inner.out.build())]
            _take_title(flow, image.cut(index + 1))
            break
    flow.out.add("\n", image.at(0))
