"""HTML tags and attribute lists in Markdown: what of them a reader meets."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from workings.prose.positioned import Builder, Positioned

# Attributes that are read out, shown or indexed.
_SPOKEN = (
    r"(?:alt|title|aria-label|aria-description|aria-valuetext|aria-roledescription"
    r"|placeholder|label|summary|content)"
)
_ATTRIBUTE = re.compile(
    rf"""(?i)(?<![\w-]){_SPOKEN}\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+))"""
)
_FIELD_ATTRIBUTE = re.compile(_ATTRIBUTE.pattern.replace("(?:alt|", "(?:value|alt|"))
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w-]*)")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ATTRIBUTE_LIST = re.compile(
    r"""\{:?[ ]*(?:[#.][\w:-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'}]+))
    (?:[ ]+(?:[#.][\w:-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'}]+)))*[ ]*\}""",
    re.VERBOSE,
)
HIDDEN_ELEMENTS = frozenset(
    {"script", "style", "pre", "code", "kbd", "samp", "textarea", "template"}
)
_INLINE = frozenset(
    "a abbr b bdi bdo cite data dfn em font i ins mark q s small span strong sub sup time tspan u var wbr".split()
)


def tag_name(tag: str) -> tuple[str, bool]:
    """The element's name in small letters, and whether the tag closes it; none for a comment."""
    match = _TAG.match(tag)
    return (match["name"].lower(), bool(match["close"])) if match else ("", False)


def breaks_text(name: str) -> bool:
    """Whether text on both sides of the tag stands apart for a reader."""
    return bool(name) and name not in _INLINE


def spoken_attributes(tag: Positioned) -> Iterator[tuple[str, Positioned]]:
    """The name and text of each attribute of a tag, or attribute list, that a reader meets."""
    pattern = _FIELD_ATTRIBUTE if tag.text.lower().startswith("<input") else _ATTRIBUTE
    for match in pattern.finditer(tag.text):
        group = match.lastgroup or "double"
        name = match[0].partition("=")[0].strip()
        yield name, decoded(tag.cut(match.start(group), match.end(group)))


def without_attribute_lists(text: Positioned) -> tuple[Positioned, list[Positioned]]:
    """The text without `{#id title="..."}`, and these lists."""
    lists: list[Positioned] = []
    out = Builder(text.end)
    end = 0
    for match in _ATTRIBUTE_LIST.finditer(text.text):
        out.extend(text.cut(end, match.start()))
        lists.append(text.cut(*match.span()))
        end = match.end()
    if not lists:
        return text, lists
    out.extend(text.cut(end))
    return out.build(), lists


def decoded(text: Positioned) -> Positioned:
    """The text with its entities as the characters that they stand for."""
    if "&" not in text.text:
        return text
    out = Builder(text.end)
    end = 0
    for match in _ENTITY.finditer(text.text):
        out.extend(text.cut(end, match.start()))
        out.add(html.unescape(match[0]), text.at(match.start()))
        end = match.end()
    out.extend(text.cut(end))
    out.end = text.end
    return out.build()
