"""The navigation that a site gets without a `nav` of its own."""

from __future__ import annotations

from collections.abc import Mapping

from mkdocs.structure import StructureItem
from mkdocs.structure.nav import Section
from mkdocs.structure.pages import Page

from workings.lesson import Lesson


def flattened(item: StructureItem, lessons: Mapping[str, Lesson]) -> StructureItem:
    """The item with each lesson's folder replaced by the lesson's page, in the lessons' order."""
    if not isinstance(item, Section):
        return item
    children = [flattened(child, lessons) for child in item.children]
    if len(children) == 1 and isinstance(children[0], Page) and _slug(children[0]):
        children[0].parent = item.parent
        return children[0]
    item.children = sorted(children, key=lambda child: _order(child, lessons))
    for child in item.children:
        child.parent = item
    return item


def _slug(item: StructureItem) -> str | None:
    if not isinstance(item, Page):
        return None
    parts = item.file.src_uri.split("/")
    return parts[1] if parts[0] == "lessons" and len(parts) == 3 else None


def _order(item: StructureItem, lessons: Mapping[str, Lesson]) -> tuple[str, str, int]:
    lesson = lessons.get(_slug(item) or "")
    if lesson is None:
        return "", "", 0
    front = lesson.bundle.front
    return front.topic, front.chapter, front.order
