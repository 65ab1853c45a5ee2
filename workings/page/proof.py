"""The second gate: what the finished HTML shows equals the registry, and no template is left in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import html as lxml_html

from workings.lesson import Lesson
from workings.page.tokens import Shown
from workings.problems import Location, Problem

# "None of them" is English; a text that is nothing but None is a value that went missing.
_LEFT_OVER = re.compile(
    r"\{\{|\}\}|\{%|%\}|Macro [A-Za-z ]*Error|(?<![\w'-])(?:nan|NaN)(?![\w'-])"
    r"|\A\s*(?:None|undefined)\s*\Z|[\U000f0000-\U000f00ff]"
)
_SKIP = {"script", "style", "code", "pre", "template"}


def prove_page(
    path: str, page: str, lessons: Mapping[str, Lesson], slug: str | None, shown: Iterable[Shown]
) -> list[Problem]:
    """Every place of the built page that does not equal the registry; `path` names its source."""
    tree = lxml_html.document_fromstring(page)
    texts = {(use.name, str(use.value)): set[str]() for use in shown}
    for use in shown:
        texts[use.name, str(use.value)].add(use.text)
    problems: list[Problem] = []
    for element in tree.iter("data"):
        if element.get("class") == "wk-number":
            problems += _prove(path, element, lessons, element.get("data-lesson") or slug, texts)
    problems += [
        Problem(Location(path), "left-over", f"the built page shows {found!r}: ...{around}...",
                "Mend the template or the value behind it.")
        for found, around in _left_overs(tree)
    ]  # fmt: skip
    return problems


def _prove(
    path: str,
    element: lxml_html.HtmlElement,
    lessons: Mapping[str, Lesson],
    slug: str | None,
    texts: Mapping[tuple[str, str], set[str]],
) -> Iterator[Problem]:
    name, value, text = element.get("data-name", ""), element.get("value"), element.text_content()
    try:
        leaf = lessons[slug or ""].registry.leaf(name)
    except KeyError:
        yield Problem(
            Location(path), "page-differs", f"the built page shows 'n.{name}', which is no number."
        )
        return
    registered = leaf.value if isinstance(leaf.value, str) else repr(leaf.value)
    if value != registered:
        yield Problem(
            Location(path), "page-differs",
            f"the built page gives 'n.{name}' as {value}, the registry as {registered}.",
        )  # fmt: skip
    elif text not in texts.get((name, str(leaf.value)), set()):
        yield Problem(
            Location(path), "page-differs",
            f"the built page shows 'n.{name}' as '{text}', which no template of the page gave.",
        )  # fmt: skip


def _left_overs(tree: lxml_html.HtmlElement) -> Iterator[tuple[str, str]]:
    for element in tree.body.iter():
        if not isinstance(element.tag, str):
            continue
        texts = [element.tail] if element.getparent() is not None else []
        if not _in_code(element):
            texts.append(element.text)
        if element.getparent() is not None and _in_code(element.getparent()):
            texts = texts[1:]
        texts += [element.get(name) for name in ("alt", "title", "aria-label")]
        for text in texts:
            if text and (match := _LEFT_OVER.search(text)):
                yield match[0], text[max(0, match.start() - 30) : match.end() + 30].strip()


def _in_code(element: lxml_html.HtmlElement) -> bool:
    return any(ancestor.tag in _SKIP for ancestor in [element, *element.iterancestors()])
