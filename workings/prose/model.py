"""Regions: the stretches of a source that readers see, or hear, or find in search."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from workings.page.templates import BadTemplate, Template, Use, read_template
from workings.problems import Location
from workings.prose.positioned import Positioned, Source

Kind = Literal[
    "prose", "heading", "table", "math", "html", "attribute", "alt", "link title", "template",
    "front matter", "quiz", "answer", "widget", "fact", "figure", "comment", "docstring", "code", "text", "include",
]  # fmt: skip

# What a region's text has in the place of what is not its own text.
TEMPLATE = "\ufffc"
CODE = "\ufffd"
MATH = "\ufffb"


@dataclass(frozen=True)
class Inserted:
    """A template in a region: `index` in the region's text, `start` and `end` in the file."""

    index: int
    start: int
    end: int
    expression: str

    @property
    def use(self) -> Use | BadTemplate:
        return _use(self.expression)


@dataclass(frozen=True)
class Region:
    """A stretch of text as a reader meets it: marks removed, entities decoded, code left out.

    Templates are one character each (TEMPLATE), listed in `inserted`. `track` is that of the page's
    two tracks to which it belongs, None for both. `key` names the place in a YAML or Python file, and
    `beside` are the values next to it in its mapping.
    """

    kind: Kind
    text: Positioned
    source: Source = field(repr=False)
    inserted: tuple[Inserted, ...] = ()
    track: str | None = None
    key: str = ""
    beside: tuple[str, ...] = ()

    def location(self, index: int) -> Location:
        """Where an editor shows the character at `index` of the text."""
        return self.source.location(self.text.at(index))


@lru_cache(maxsize=4096)
def _use(expression: str) -> Use | BadTemplate:
    return read_template(Template(0, len(expression) + 4, expression))
