"""The stretches of a source that readers meet, with true positions: pages, YAML files, Python files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from workings.bundle import split_front_matter
from workings.prose.blocks import markdown_regions
from workings.prose.model import CODE, MATH, TEMPLATE, Inserted, Kind, Region
from workings.prose.positioned import Positioned, Source
from workings.prose.python_text import code_regions, figure_regions
from workings.prose.yaml_text import FACTS, FRONT, QUIZ, WIDGET, Keys, scalars, yaml_regions

__all__ = [
    "CODE", "MATH", "TEMPLATE", "Inserted", "Kind", "Positioned", "Region", "Source", "regions", "scalars",
]  # fmt: skip

_YAML: dict[str, Keys] = {"quiz": QUIZ, "widget": WIDGET, "facts": FACTS}


def regions(source: Source) -> Iterator[Region]:
    """The regions of a file, by its name: `.md`, `quiz.yml`, `widget.yml`, `facts.yml`, `.py`.

    A file that cannot be parsed has none: whoever reads it for its sense reports it.
    """
    path = PurePosixPath(source.path)
    whole = source.whole()
    if path.suffix == ".md":
        front, body = front_and_body(source)
        if front is not None:
            yield from yaml_regions(front, source, FRONT)
        yield from markdown_regions(body, source)
    elif path.suffix in (".yml", ".yaml"):
        yield from yaml_regions(whole, source, _YAML.get(path.stem, FRONT))
    elif path.name == "figures.py":
        yield from figure_regions(source)
    elif path.suffix == ".py":
        yield from code_regions(source)


def front_and_body(source: Source) -> tuple[Positioned | None, Positioned]:
    """The front matter's YAML and the body of a page, at their places."""
    front, body, _ = split_front_matter(source.text)
    whole = source.whole()
    below = whole.cut(len(source.text) - len(body))
    if not front:
        return None, below
    start = source.text.index("\n") + 1
    return whole.cut(start, start + len(front)), below
