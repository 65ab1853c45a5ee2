"""The Markdown twin of a page: the same text with its numbers in, for machines and for quoting."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workings import formats
from workings.page.code_ranges import hide_code, show_code
from workings.page.listing import Listing
from workings.page.quiz import answer_value
from workings.quiz import Question
from workings.registry import Scalar

if TYPE_CHECKING:
    from workings.page.render import PageRenderer

_TRACK = re.compile(r"^/{3,}[ \t]*(?P<name>plain|deep)?[ \t]*\n", re.MULTILINE)
_ATTRIBUTES = re.compile(r"[ \t]*\{[:#.][^}\n]*\}[ \t]*$", re.MULTILINE)


def twin(page: PageRenderer, url: str) -> str:
    """A lesson's page as plain Markdown. `page` is a renderer of its own, for this alone."""
    bundle = page.need_lesson().bundle
    rendered = page.text(hide_code(bundle.body), bundle.front.at)
    title = page.plain(bundle.front.title, bundle.front.at)
    about = page.plain(bundle.front.description, bundle.front.at)
    body = _TRACK.sub(_track, page.tokens.plain(rendered))
    body = show_code(_ATTRIBUTES.sub("", body)).strip()
    heading = "" if body.startswith("# ") else f"# {title}\n\n"
    source = f"\n\nSource: <{url}>" if url else ""
    return re.sub(r"\n{3,}", "\n\n", f"{heading}{body}\n\n---\n\n{about}{source}\n")


def _track(match: re.Match[str]) -> str:
    return f"\n*The {match['name']} track:*\n\n" if match["name"] else "\n"


def table_text(
    rows: Sequence[Mapping[str, Scalar]], columns: Sequence[tuple[str, str, str]], caption: str
) -> str:
    """The table in Markdown."""
    columns = columns or [(key, key.replace("_", " "), "") for key in (rows[0] if rows else {})]

    def cell(row: Mapping[str, Scalar], key: str, chain: str) -> str:
        value = row[key]
        text = (
            value if isinstance(value, str) else formats.display(value, formats.parse_chain(chain))
        )
        return text.replace("|", "\\|")

    lines = [
        " | ".join(header for _, header, _ in columns),
        " | ".join("---" for _ in columns),
        *(" | ".join(cell(row, key, chain) for key, _, chain in columns) for row in rows),
    ]
    shown = "\n".join(f"| {line} |" for line in lines)
    return f"{caption}\n\n{shown}" if caption else shown


def listing_text(found: Listing) -> str:
    return f"`{found.path}:{found.line}`\n\n```python\n{found.code}\n```"


def figure_text(page: PageRenderer, name: str) -> str:
    """What a figure shows, in words."""
    figure = page.need_lesson().figures[name]
    title, alt, caption = (
        page.written(text) for text in (figure.title, figure.alt, figure.caption)
    )
    shown = [page.tokens.plain(text) for text in (title, alt, caption)]
    return f"Figure: {shown[0]}. {shown[1]} {shown[2]}"


def quiz_text(page: PageRenderer) -> str:
    """The questions, each with its answer."""
    return "\n\n".join(_question(page, question) for question in page.need_lesson().quiz)


def _question(page: PageRenderer, question: Question) -> str:
    def text(source: str) -> str:
        return page.plain(source, question.at).strip()

    lines = [f"**{text(question.question)}**"]
    lines += [f"- {text(option.text)}" for option in question.options]
    if question.kind == "choice":
        answer = next(text(option.text) for option in question.options if option.correct)
    elif question.shown:
        answer = text(question.shown)
    elif question.kind == "number":
        value = answer_value(question.answer, page.need_lesson().registry)
        answer = f"{formats.display(value)} {question.unit}".strip()
    else:
        answer = text(question.answer)
    return "\n".join([*lines, "", f"Answer: {answer} {text(question.explanation)}"])


def sources_text(page: PageRenderer) -> str:
    """The sources cited so far, numbered as on the page."""
    return "\n".join(
        f"{mark}. {fact.source.title}. {fact.source.by} {fact.source.year}. "
        f"{fact.source.url} Seen {fact.seen.isoformat()}."
        for mark, fact in enumerate(page.cited.values(), 1)
    )


def llms_txt(site_name: str, about: str, pages: Sequence[PageRenderer], home: str) -> str:
    """The list of pages for language models: title, address of the twin, what it teaches."""
    lines = [f"# {site_name}", "", *([f"> {about}", ""] if about else []), "## Lessons", ""]
    for page in pages:
        lesson = page.need_lesson()
        front = lesson.bundle.front
        title, told = (page.plain(text, front.at) for text in (front.title, front.description))
        lines.append(f"- [{title}]({home}lessons/{lesson.slug}/index.md): {told}")
    return "\n".join(lines) + "\n"
