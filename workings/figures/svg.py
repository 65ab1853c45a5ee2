"""From matplotlib's SVG to one that a page can hold: themed by classes, small, without style.

Pure functions on text. `themed` is the only one that reads matplotlib's output; it parses the XML
and goes property by property, so nothing hangs on the order in which matplotlib writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from xml.etree import ElementTree as ET

from workings.figures import palette

FONT_STACK = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
STANDALONE_SCALE = 2  # a downloaded figure opens at twice the units of its drawing

_KEPT = frozenset(
    "stroke-width stroke-linejoin stroke-linecap stroke-dasharray stroke-dashoffset "
    "stroke-miterlimit opacity fill-opacity stroke-opacity fill-rule clip-rule "
    "font-size font-weight font-style text-anchor".split()
)
_DEFAULTS = {"stroke-dashoffset": "0", "stroke-linecap": "butt", "text-anchor": "start"}
_HREF = "xlink:href"
_CHANNELS = ("fill", "stroke")
_AUTOMATIC_ID = re.compile(r"[A-Za-z][\w.]*_\d+")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FLOAT = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_NO_TURN = re.compile(r"rotate\(-?0(?: [-\d.]+ [-\d.]+)?\)")
_DRAWN = frozenset("path text use rect circle ellipse line polyline polygon".split())


@dataclass(frozen=True)
class Themed:
    """A themed SVG and what kept it from being one: colours and features outside of the palette."""

    svg: str
    unknown_colours: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    is_empty: bool = False


def themed(source: str, name: str) -> Themed:
    """matplotlib's SVG `source` for the figure `name`: classes for colours, ids that are its own.

    The result has a viewBox and no size, no style, no literal colour, no metadata and one line.
    """
    root = ET.fromstring(source)
    _strip_namespaces(root)
    colours: set[str] = set()
    unsupported: set[str] = set()
    _drop(root, {"metadata", "style"})
    for element in root.iter():
        _present(element, colours, unsupported)
    _rename_ids(root, f"fig-{name}")
    _unwrap_groups(root)
    _drop_empty(root)
    for element in root.iter():
        _compact(element)
    refers = any(_HREF in element.attrib for element in root.iter())
    root.attrib = {
        "class": f"wk-figure-svg {palette.css_class('ink', 'fill')}",
        "viewBox": root.attrib["viewBox"],
        "stroke-linejoin": "round",
        **({"xmlns:xlink": "http://www.w3.org/1999/xlink"} if refers else {}),
    }
    is_empty = not any(element.tag in _DRAWN for element in _outside_defs(root))
    text = ET.tostring(root, encoding="unicode")
    return Themed(text, tuple(sorted(colours)), tuple(sorted(unsupported)), is_empty)


def labelled(svg: str, name: str, title: str, description: str) -> str:
    """The themed `svg` as an image with a name and a description, ready to stand in the page.

    >>> print(labelled('<svg class="c"><path/></svg>', "a", "1 & 2", "Both.")[:58])
    <svg role="img" aria-labelledby="fig-a-title fig-a-desc" c
    """
    start, end = "<svg ", svg.index(">") + 1
    ids = f"fig-{name}-title", f"fig-{name}-desc"
    return (
        f'<svg role="img" aria-labelledby="{" ".join(ids)}" {svg[len(start) : end]}'
        f'<title id="{ids[0]}">{escape(title, quote=False)}</title>'
        f'<desc id="{ids[1]}">{escape(description, quote=False)}</desc>{svg[end:]}'
    )


def standalone_svg(svg: str) -> str:
    """A labelled `svg` as a file of its own, with its colours, light and dark, and its paper."""
    match = re.search(r'viewBox="([-\d. ]+)"', svg)
    if match is None:
        raise ValueError("The SVG has no viewBox.")
    _, _, width, height = (float(part) for part in match[1].split())
    size = f'width="{width * STANDALONE_SCALE:g}" height="{height * STANDALONE_SCALE:g}"'
    style = (
        f":root {{\n{palette.css_properties('light')}\n}}\n"
        "@media (prefers-color-scheme: dark) {\n"
        f":root {{\n{palette.css_properties('dark')}\n}}\n}}\n"
        f"{palette.css_rules()}\ntext {{ font-family: {FONT_STACK}; }}\n"
    )
    paper = f'<rect class="{palette.css_class("paper", "fill")}" width="100%" height="100%"/>'
    at = svg.index("</desc>") + len("</desc>") if "</desc>" in svg else svg.index(">") + 1
    head = svg[:at].replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" {size} ', 1)
    return f"{head}<style>{style}</style>{paper}{svg[at:]}\n"


def _strip_namespaces(root: ET.Element) -> None:
    """`{http://...}path` becomes `path`, as HTML has it, and a reference gets its prefix back.

    It stays xlink:href: with the plain href of SVG 2, scripts that set the address of everything
    that matches `[href]`, as Material's instant navigation does, fail at the first `use`.
    """
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for key in [key for key in element.attrib if key.startswith("{")]:
            name = key.rpartition("}")[2]
            element.set(_HREF if name == "href" else name, element.attrib.pop(key))


def _drop(parent: ET.Element, tags: set[str]) -> None:
    for child in list(parent):
        if child.tag in tags:
            parent.remove(child)
        else:
            _drop(child, tags)


def _present(element: ET.Element, colours: set[str], unsupported: set[str]) -> None:
    """Turn `style` into presentation attributes, and colours into classes."""
    pairs = (part.partition(":") for part in element.attrib.pop("style", "").split(";"))
    properties = {key.strip(): value.strip() for key, _, value in pairs if key.strip()}
    for channel in (*_CHANNELS, "stop-color"):
        if channel in element.attrib:
            properties.setdefault(channel, element.attrib.pop(channel))
    if element.tag == "image":
        unsupported.add("a raster image")
    classes: list[str] = []
    for key, value in sorted(properties.items()):
        if key in _CHANNELS:
            classes += _paint(element, key, value, colours)
        elif key == "stop-color":
            unsupported.add("a colour gradient")
        elif key not in _KEPT and key != "font-family":
            unsupported.add(f"the style property '{key}'")
        elif key in _KEPT and value != _DEFAULTS.get(key):
            element.set(key, value.removesuffix("px"))
    if classes:
        element.set("class", " ".join(classes))


def _paint(element: ET.Element, channel: str, value: str, colours: set[str]) -> Iterator[str]:
    """The class for a colour; a pattern, or no paint at all, stays an attribute."""
    if value == "none" or value.startswith("url("):
        element.set(channel, value)
    elif (role := palette.ROLES.get(value.lower())) is not None:
        yield palette.css_class(role, channel)
    else:
        colours.add(value)


def _rename_ids(root: ET.Element, prefix: str) -> None:
    """Ids that something refers to become `fig-NAME-1`, ...; an author's gid keeps its name after
    the prefix; matplotlib's own names go."""
    referred = {ref for element in root.iter() for ref in _references(element)}
    new: dict[str, str] = {}
    for element in root.iter():
        old = element.attrib.pop("id", None)
        if old in referred:
            new[old] = f"{prefix}-{len(new) + 1}"
            element.set("id", new[old])
        elif old and not _AUTOMATIC_ID.fullmatch(old):
            element.set("id", f"{prefix}-{old}")
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == _HREF:
                element.set(key, f"#{new.get(value[1:], value[1:])}")
            elif "url(" in value:
                element.set(key, _REFERENCE.sub(lambda m: f"url(#{new.get(m[1], m[1])})", value))


def _references(element: ET.Element) -> Iterator[str]:
    for key, value in element.attrib.items():
        if key == _HREF:
            yield value[1:]
        else:
            yield from _REFERENCE.findall(value)


def _unwrap_groups(parent: ET.Element) -> None:
    """A group without attributes gives way to what is in it."""
    children: list[ET.Element] = []
    for child in parent:
        _unwrap_groups(child)
        children += list(child) if child.tag == "g" and not child.attrib else [child]
    parent[:] = children


def _drop_empty(parent: ET.Element) -> None:
    """Groups and definitions with nothing in them, and paths that paint nothing."""
    for child in list(parent):
        _drop_empty(child)
        paints_nothing = child.get("fill") == "none" and "stroke" not in child.get("class", "")
        hollow = child.tag in {"g", "defs"} and not len(child)
        if hollow or (child.tag == "path" and "stroke" not in child.attrib and paints_nothing):
            parent.remove(child)


def _compact(element: ET.Element) -> None:
    """Round numbers in attributes, never in text, and leave out white space around elements."""
    if element.tag != "text":
        element.text = None
    element.tail = None
    for key in element.attrib.keys() - {"class", "id", _HREF}:
        value = _FLOAT.sub(_rounded, element.attrib[key])
        if key == "d":
            value = re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(value.split()))
        element.set(key, value)
    if _NO_TURN.fullmatch(element.get("transform", "")):
        del element.attrib["transform"]


def _rounded(match: re.Match[str]) -> str:
    """Two decimals are a fiftieth of a pixel on a phone.

    >>> _FLOAT.sub(_rounded, "12.3456 -0.001 7.50")
    '12.35 0 7.5'
    """
    text = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _outside_defs(element: ET.Element) -> Iterator[ET.Element]:
    for child in element:
        if child.tag != "defs":
            yield child
            yield from _outside_defs(child)
