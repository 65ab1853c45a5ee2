"""The blocks of a page: tables, listings, figures, sources, reading lists, the page's head and foot."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workings import formats
from workings.bundle import Reading
from workings.facts import Fact, Source
from workings.figures.svg import labelled
from workings.gate.coverage import Counts
from workings.page.listing import Listing
from workings.page.tokens import Shown
from workings.page.values import bind
from workings.problems import Location
from workings.registry import Scalar

if TYPE_CHECKING:
    from workings.lesson import Lesson
    from workings.page.render import PageRenderer

Column = tuple[str, str, str]
_EARLY = (Path(__file__).parent.parent / "assets/js/page/early.js").read_text(encoding="utf-8")
_HOW = (
    '<p class="wk-how">Every number shows its workings: point at it, tap it, or move to it with the Tab '
    "and arrow keys.</p>"
)
_TRACK_NAMES = {"plain": "Plain", "deep": "Deep"}


def escape(text: str) -> str:
    return html.escape(text, quote=False)


def table(page: PageRenderer, name: str, columns: Sequence[Column], caption: str) -> str:
    """The table `name` of the registry; every cell a bound number."""
    rows = page.need_lesson().registry.numbers[name].value
    if not isinstance(rows, tuple):
        raise TypeError(f"n.{name} is no table")
    if not columns:
        columns = [(key, key.replace("_", " "), "") for key in (rows[0] if rows else {})]
    numeric = {key: all(not isinstance(row[key], str) for row in rows) for key, _, _ in columns}

    def cell(index: int, key: str, chain: str) -> str:
        value: Scalar = rows[index][key]
        bound = bind(page.tokens, f"{name}[{index}].{key}", value)
        if not isinstance(value, str):
            for step, arguments in formats.parse_chain(chain):
                bound = bound.filtered(step, arguments)
        return str(bound)

    head = "".join(
        f'<th scope="col"{_num(numeric[key])}>{escape(header)}</th>' for key, header, _ in columns
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{_num(numeric[key])}>{cell(i, key, chain)}</td>" for key, _, chain in columns
        )
        + "</tr>"
        for i in range(len(rows))
    )
    label = caption or f"Table: {name.replace('_', ' ')}"
    shown = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="wk-table" tabindex="0" role="region" aria-label="{html.escape(page.tokens.plain(label))}">'
        f"<table>{shown}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _num(numeric: bool) -> str:
    return ' class="num"' if numeric else ""


def listing(page: PageRenderer, found: Listing) -> str:
    """A function's source, highlighted as the site highlights code."""
    code = page.to_html(f"```python\n{found.code}\n```")
    return (
        f'<figure class="wk-listing" id="code-{html.escape(found.target)}">'
        f"<figcaption><code>{escape(found.path)}:{found.line}</code></figcaption>{code}</figure>"
    )


def figure_svg(page: PageRenderer, name: str) -> str:
    """The drawing with its name and its description."""
    lesson = page.need_lesson()
    declared, drawing = lesson.figures[name], lesson.drawings[name]
    title = page.tokens.plain(page.written(declared.title))
    alt = page.tokens.plain(page.written(declared.alt))
    return labelled(drawing.svg, name, title, alt)


def figure(page: PageRenderer, name: str) -> str:
    """A drawing with its caption, its data and its downloads."""
    lesson = page.need_lesson()
    declared = lesson.figures[name]
    svg = figure_svg(page, name)
    title = page.paragraph(page.written(declared.title))
    caption = page.paragraph(page.written(declared.caption))
    page.in_drawings += _drawn_numbers(lesson, name)
    data = table(page, declared.data.text, [], "") if declared.data.text else ""
    links = (
        f'<a href="figures/{name}.svg" download>SVG</a> <a href="figures/{name}.csv" download>CSV</a>'
        if data
        else f'<a href="figures/{name}.svg" download>SVG</a>'
    )
    return (
        f'<figure class="wk-figure" id="fig-{html.escape(name)}">{svg}'
        f'<figcaption><strong class="wk-figure-title">{title}</strong> {caption}</figcaption>'
        f'<details class="wk-figure-data"><summary>Data and downloads</summary>{data}'
        f'<p class="wk-downloads">{links}</p></details></figure>'
    )


def _drawn_numbers(lesson: Lesson, name: str) -> list[Shown]:
    """The numbers in the text of a drawing, where HTML takes no element."""
    path = f"code/{lesson.slug}/figures.py"
    return [
        Shown(
            use.name,
            lesson.registry.leaf(use.name).value,
            use.shown,
            Location(path, use.line, use.column),
        )
        for use in lesson.drawings[name].uses
    ]


def cite_mark(mark: int, fact: Fact) -> str:
    label = html.escape(f"Source {mark}: {fact.source.title}")
    return f'<sup class="wk-cite"><a href="#source-{mark}" aria-label="{label}">{mark}</a></sup>'


_REPEATED_MARK = re.compile(
    r'<sup class="wk-cite"><a href="#source-(?P<mark>\d+)"[^>]*>\d+</a></sup>'
    r'(?=(?:(?!</p>|</li>|</td>|</h\d>|<sup class="wk-cite").)*'
    r'<sup class="wk-cite"><a href="#source-(?P=mark)")',
    re.DOTALL,
)


def thinned_marks(page: str) -> str:
    """Of several marks of one source in a row, within a paragraph, the last."""
    return _REPEATED_MARK.sub("", page)


def sources(page: PageRenderer) -> str:
    """The page's sources in order of first use, each with the date on which it was seen."""
    items = "".join(
        f'<li id="source-{mark}" data-fact="{html.escape(identifier)}">{_source(fact.source)}'
        f'{_claim(fact)} <span class="wk-seen">Seen <time datetime="{fact.seen.isoformat()}">'
        f"{fact.seen.isoformat()}</time>.</span></li>"
        for mark, (identifier, fact) in enumerate(page.cited.items(), 1)
    )
    return f'<ol class="wk-sources">{items}</ol>' if items else ""


def _claim(fact: Fact) -> str:
    return f' <span class="wk-says">{escape(fact.claim)}</span>' if fact.claim else ""


def _source(source: Source) -> str:
    by = ", ".join(part for part in (source.by, source.year) if part)
    title = f"<cite>{escape(source.title)}</cite>"
    if source.url.startswith("http"):
        title = f'<a href="{html.escape(source.url)}" rel="noopener">{title}</a>'
    return f"{title}{f' ({escape(by)})' if by else ''}."


def further_reading(page: PageRenderer) -> str:
    """The reading lists of the front matter, gentle and deep."""
    reading = page.need_lesson().bundle.front.further_reading
    if reading is None:
        return ""
    lists = (("A gentle way on", reading.gentle), ("Deeper", reading.deep))
    return "".join(
        f'<div class="wk-reading"><p class="wk-reading-title">{title}</p><ul>'
        f"{''.join(_reading(page, item) for item in items)}</ul></div>"
        for title, items in lists
        if items
    )


def _reading(page: PageRenderer, item: Reading) -> str:
    by = ", ".join(part for part in (item.by, item.year) if part)
    why = f" {page.markdown(item.why, item.at)}" if item.why else ""
    link = (
        f'<a href="{html.escape(item.url)}" rel="noopener">{page.markdown(item.title, item.at)}</a>'
    )
    return f"<li>{link}{f' ({escape(by)})' if by else ''}.{why}</li>"


def lesson_list(page: PageRenderer) -> str:
    """Every lesson of the site: title, what it teaches, minutes per track, prerequisites."""
    ordered = sorted(page.lessons.values(), key=_order)
    return f'<ul class="wk-lessons">{"".join(_lesson(page, lesson) for lesson in ordered)}</ul>'


def _order(lesson: Lesson) -> tuple[str, str, int, str]:
    front = lesson.bundle.front
    return front.topic, front.chapter, front.order, lesson.slug


def _lesson(page: PageRenderer, lesson: Lesson) -> str:
    front = lesson.bundle.front
    inner = page.__class__(page.root, lesson, page.lessons, page.to_html)
    place = front.places.get("title", front.at)
    title, about = inner.plain(front.title, place), inner.plain(front.description, place)
    needs = "; ".join(inner.plain(item, place) for item in front.prerequisites)
    needs = f'<p class="wk-lesson-needs">Before it: {escape(needs)}</p>' if needs else ""
    return (
        f'<li class="wk-lesson"><p class="wk-lesson-topic">{escape(front.topic)}</p>'
        f'<h3><a href="lessons/{lesson.slug}/">{escape(title)}</a></h3>'
        f"<p>{escape(about)}</p>{needs}{minutes_line(lesson)}</li>"
    )


def minutes_line(lesson: Lesson) -> str:
    minutes = lesson.bundle.front.minutes
    if minutes is None:
        return ""
    parts = [("plain", minutes.plain), ("deep", minutes.deep)]
    shown = " · ".join(
        f'{_TRACK_NAMES[track]} <span class="wk-exempt" data-reason="reading time">{count}</span> min'
        for track, count in parts
        if count is not None
    )
    return f'<p class="wk-minutes">{shown}</p>'


def head(page: PageRenderer) -> str:
    """What stands under a lesson's title: dates, what to know before, the switch of the tracks."""
    lesson = page.need_lesson()
    front = lesson.bundle.front
    facts = [escape(text) for text in (front.topic,) if text]
    for word, day in (("Published", front.date), ("Updated", front.updated)):
        if day is not None:
            facts.append(f'{word} <time datetime="{day.isoformat()}">{day.isoformat()}</time>')
    line = f'<p class="wk-byline">{" · ".join(facts)}</p>' if facts else ""
    needs = "; ".join(
        page.markdown(item, front.places["prerequisites"]) for item in front.prerequisites
    )
    line += f'<p class="wk-needs">Before you read: {needs}.</p>' if needs else ""
    return f"{line}{minutes_line(lesson)}{_track_switch(lesson)}{_HOW}"


def _track_switch(lesson: Lesson) -> str:
    """The place of the switch, and the script that chooses the track before the text is painted."""
    minutes = lesson.bundle.front.minutes
    if minutes is None or minutes.deep is None:
        return ""
    return (
        f'<div class="wk-track-switch" hidden data-minutes-plain="{minutes.plain}" '
        f'data-minutes-deep="{minutes.deep}" data-default="plain"></div><script>{_EARLY}</script>'
    )


def coverage(counts: Counts) -> str:
    """The line that says how many numbers of the page are of which kind."""

    def count(number: int) -> str:
        return f'<span class="wk-exempt" data-reason="counted by the build">{number:,}</span>'

    return (
        f'<p class="wk-coverage">Numbers in this page\'s source: {count(counts.bound)} computed by '
        f"the code shown, {count(counts.cited)} cited with a source, {count(counts.exempt)} exempt "
        f'with a reason, none typed. <a href="numbers.json">All of them as data</a>.</p>'
    )
