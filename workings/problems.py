"""Problems as data: what is wrong, where an author's editor shows it, and what mends it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, order=True)
class Location:
    """A place in a file: `path` relative to the project's root, `line` and `column` from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True)
class Edit:
    """A replacement of `old` by `new` that starts at `location`."""

    location: Location
    old: str
    new: str


@dataclass(frozen=True, order=True)
class Problem:
    """One fault.

    `rule` names a page of the catalogue, `message` says what is wrong, `mend` the edit or the
    command that puts it right; `edit` is the same mend for a machine, where there is one.
    """

    location: Location
    rule: str
    message: str
    mend: str = ""
    edit: Edit | None = None

    def __str__(self) -> str:
        mend = f" {self.mend}" if self.mend else ""
        return f"{self.location}: [{self.rule}] {self.message}{mend}"


class ProblemsError(Exception):
    """Raised where a step cannot go on; carries every problem found so far."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems), key=lambda p: (p.location, p.rule, p.message)))
        super().__init__("\n".join(map(str, self.problems)))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is closest to `name`, or None where none is near.

    >>> nearest("bytes_per_tokn", ["bytes_per_token", "replies"])
    'bytes_per_token'
    """
    found = difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The mend for an unknown name: the nearest known one, else all of them.

    >>> did_you_mean("tilte", ["title", "date"])
    "Did you mean 'title'?"
    >>> did_you_mean("zzz", ["title", "date"])
    'Known: date, title.'
    """
    names = sorted(set(known))
    if near := nearest(name, names):
        return f"Did you mean '{near}'?"
    if not names:
        return "None is known here."
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"Known: {shown}."


def format_problems(problems: Iterable[Problem], style: str = "human") -> str:
    """The problems as text in one of the styles `human`, `github` (annotations) or `json`."""
    ordered = sorted(set(problems), key=lambda p: (p.location, p.rule, p.message))
    if style == "json":
        return json.dumps([asdict(problem) for problem in ordered], indent=2)
    if style == "github":
        return "\n".join(_github(problem) for problem in ordered)
    return "\n".join(map(str, ordered))


def _github(problem: Problem) -> str:
    at = problem.location
    text = f"{problem.message} {problem.mend}".strip()
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::error file={at.path},line={at.line},col={at.column},title={problem.rule}::{text}"
