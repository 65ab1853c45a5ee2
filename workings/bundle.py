"""A page's source: front matter and prose, each with its true lines."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from workings.facts import Fact
from workings.problems import Location, Problem, ProblemsError
from workings.registry import Scalar
from workings.yamlio import read

_FRONT = re.compile(r"\A-{3}[ \t]*\n(?P<yaml>.*?\n)(?:-{3}|\.{3})[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Minutes:
    """How long the tracks take to read, in minutes."""

    plain: int
    deep: int | None = None
    places: Mapping[str, Location] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """Something to read next, and why."""

    title: str
    url: str
    by: str = ""
    year: str = ""
    why: str = ""
    at: Location = Location("")


@dataclass(frozen=True)
class FurtherReading:
    gentle: tuple[Reading, ...] = ()
    deep: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class Exemption:
    """A text with a number that is no claim, and the reason."""

    text: str
    reason: str
    at: Location = Location("")


@dataclass(frozen=True)
class Parameter:
    """An argument of numbers() that a reader may change."""

    label: str
    help: str = ""
    unit: str = ""
    min: float | None = None
    max: float | None = None
    step: float | None = None
    choices: tuple[Scalar, ...] = ()
    at: Location = Location("")


@dataclass(frozen=True)
class FrontMatter:
    """What stands above a page's prose. Text values may hold templates."""

    title: str
    description: str
    kind: Literal["lesson", "article"] = "lesson"
    topic: str = ""
    chapter: str = ""
    order: int = 0
    minutes: Minutes | None = None
    prerequisites: tuple[str, ...] = ()
    seo_title: str = ""
    date: datetime.date | None = None
    updated: datetime.date | None = None
    tracks: tuple[Literal["plain", "deep"], ...] = ("plain", "deep")
    further_reading: FurtherReading | None = None
    skills: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    exempt: tuple[Exemption, ...] = ()
    tags: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    at: Location = Location("")
    places: Mapping[str, Location] = field(default_factory=dict)


@dataclass(frozen=True)
class Bundle:
    """One lesson's or article's source. `source` is the whole file, `body` what MkDocs renders.

    `body_line` is the line of the file on which `body` begins; `path` is relative to the root.
    """

    slug: str
    path: str
    source: str
    front: FrontMatter
    body: str
    body_line: int


def read_text(root: Path, path: str) -> str:
    """The text of a file of the project, line ends made `\\n`; ProblemsError where it has none."""
    try:
        return (root / path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raw = (root / path).read_bytes()[: error.start]
        line = raw.count(b"\n") + 1
        raise ProblemsError(
            [
                Problem(
                    Location(path, line), "not-utf-8", "the file is no UTF-8.", "Save it as UTF-8."
                )
            ]
        ) from None
    except OSError as error:
        what = error.strerror or "cannot be read"
        raise ProblemsError(
            [Problem(Location(path), "unreadable-file", f"the file cannot be read: {what}.")]
        ) from None


def split_front_matter(source: str) -> tuple[str, str, int]:
    """(YAML, body, line on which the body begins); the YAML is empty where there is none."""
    match = _FRONT.match(source)
    if match is None:
        return "", source, 1
    body = source[match.end() :].lstrip("\n")
    return match["yaml"], body, source[: len(source) - len(body)].count("\n") + 1


def read_bundle(root: Path, path: str, slug: str, problems: list[Problem]) -> Bundle | None:
    """The bundle whose page is the file `path`; what is wrong with it is added to `problems`.

    A page whose front matter is faulty has an empty one, so that its prose can still be checked.
    None where the file cannot be read.
    """
    try:
        source = read_text(root, path)
    except ProblemsError as error:
        problems += error.problems
        return None
    text, body, body_line = split_front_matter(source)
    front = FrontMatter(title="", description="")
    if text:
        try:
            front = read(FrontMatter, text, path, "the front matter", first_line=2)
        except ProblemsError as error:
            problems += error.problems
    else:
        problems.append(
            Problem(
                Location(path),
                "no-front-matter",
                "the page has no front matter.",
                "Begin it with '---', then 'title: ...' and 'description: ...', then '---'.",
            )
        )
    return Bundle(slug, path, source, front, body, body_line)
