"""What went wrong in a lesson's code, as a problem at the author's own line. Runs in the child."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import Any

from workings.problems import Location, Problem, did_you_mean, nearest

_LONGEST_MESSAGE = 300


@dataclass(frozen=True)
class Place:
    """A lesson in a project: the folder `code/<slug>` below `root`, an absolute path."""

    root: str
    slug: str

    @property
    def folder(self) -> str:
        return os.path.join(self.root, "code", self.slug)

    @property
    def label(self) -> str:
        return f"code/{self.slug}"

    @property
    def start(self) -> Location:
        """Where a fault is shown that belongs to no line."""
        return Location(f"{self.label}/show_numbers.py")

    def holds(self, path: str) -> bool:
        """Whether a file is the lesson's own."""
        inside = os.path.abspath(path).startswith(os.path.join(self.folder, ""))
        return inside and not path.startswith("<")  # such as <string> or <frozen codecs>

    def name(self, path: str) -> str:
        """A file's path relative to the root, with slashes."""
        return os.path.relpath(os.path.abspath(path), self.root).replace(os.sep, "/")

    def tidy(self, text: str) -> str:
        """A message on one line, not too long, with paths as the author knows them."""
        text = " ".join(text.replace(os.path.join(self.root, ""), "").split())
        return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


def describe(error: BaseException, place: Place, reads: Iterable[str] = ()) -> Problem:
    """The problem that an exception of the lesson's code stands for.

    `reads` are the files that were read so far, to tell which of them is broken.
    """
    at = location_of(error, place)
    name = type(error).__name__
    text = place.tidy(str(error))
    said = f"{name}: {text}" if text else name
    if isinstance(error, SyntaxError) and error.filename and place.holds(error.filename):
        where = Location(place.name(error.filename), error.lineno or 1, max(error.offset or 1, 1))
        return Problem(where, "lesson-syntax", _sentence(f"{name}: {error.msg}"))
    if isinstance(error, SystemExit):
        code = int(error.code or 0) if isinstance(error.code, (int, type(None))) else 1
        return Problem(
            at,
            "lesson-exits",
            f"the lesson's code ended the program (exit code {code}).",
        )
    if isinstance(error, MemoryError):
        return Problem(
            at,
            "lesson-out-of-memory",
            "the lesson's code needs more memory than it may have.",
        )
    missing = _text(error.filename) if isinstance(error, FileNotFoundError) else ""
    if missing and place.holds(missing):
        mend = did_you_mean(os.path.basename(missing), _files(os.path.dirname(missing) or "."))
        return Problem(at, "missing-data-file", f"there is no file {place.name(missing)}.", mend)
    if isinstance(error, ModuleNotFoundError) and error.name:
        modules = [name.removesuffix(".py") for name in _files(place.folder, ".py")]
        near = nearest(error.name, modules)
        mend = f"Did you mean '{near}'?" if near else "A lesson uses its own modules and Python's."
        return Problem(at, "missing-module", f"there is no module '{error.name}'.", mend)
    return _broken(error, place, at, reads) or Problem(
        at, "lesson-raises", _sentence(f"the lesson's code raised {said}")
    )


def timed_out(seconds: float, at: Location) -> Problem:
    """The problem of code that does not end in time."""
    return Problem(
        at,
        "lesson-times-out",
        f"the lesson's code was still running after {seconds:g} s.",
    )


def _broken(
    error: BaseException, place: Place, at: Location, reads: Iterable[str]
) -> Problem | None:
    """The problem of a data file that cannot be decoded, at the file's own line."""
    content = getattr(error, "doc", None)
    if isinstance(error, UnicodeDecodeError):
        content, line, column = (
            error.object,
            error.object[: error.start].count(b"\n") + 1,
            1,
        )
        says = f"the file is no {error.encoding.upper()} text: {error.reason}"
    elif isinstance(content, str) and isinstance(getattr(error, "lineno", None), int):
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        says = f"the file is broken: {getattr(error, 'msg', error)}"
    else:
        return None
    for path in reads:
        if place.holds(path) and _holds(path, content):
            says = f"{says} (read at {at.path}:{at.line})"
            return Problem(
                Location(place.name(path), line, column),
                "broken-data-file",
                _sentence(says),
            )
    return None


def _text(path: object) -> str:
    return os.fsdecode(path) if isinstance(path, (str, bytes)) else ""


def _holds(path: str, content: object) -> bool:
    with suppress(OSError), open(path, "rb") as file:
        held = file.read()
        if isinstance(content, str):
            return held.replace(b"\r\n", b"\n") == content.encode("utf-8", "replace")
        return held == content
    return False


def _files(folder: str, suffix: str = "") -> list[str]:
    """The names of a folder's modules, or of its other files."""
    with suppress(OSError):
        names = [name for name in os.listdir(folder) if not name.startswith(".")]
        return [n for n in names if (n.endswith(suffix) if suffix else not n.endswith(".py"))]
    return []


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def location_of(error: BaseException, place: Place) -> Location:
    """The deepest line of the lesson's own code that the exception came through."""
    found = place.start
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if place.holds(code.co_filename):
            found = _location(place, code, trace.tb_lasti, trace.tb_lineno)
        trace = trace.tb_next
    return found


def location_in(frame: FrameType | None, place: Place) -> Location:
    """The line of the lesson's own code that is running now, deepest first."""
    while frame is not None:
        code = frame.f_code
        if place.holds(code.co_filename):
            return _location(place, code, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back
    return place.start


def _location(place: Place, code: CodeType, instruction: int, line: int | None) -> Location:
    positions = list(code.co_positions())[instruction // 2] if instruction >= 0 else (None,) * 4
    first, column = positions[0] or line or 1, positions[2] or 0
    return Location(place.name(code.co_filename), first, _characters(code, first, column) + 1)


def _characters(code: CodeType, line: int, column: int) -> int:
    """A column counted in bytes, counted in characters."""
    with suppress(OSError), open(code.co_filename, "rb") as file:
        lines = file.read().splitlines()
        if line <= len(lines):
            return len(lines[line - 1][:column].decode("utf-8", "replace"))
    return column


def as_json(problem: Problem) -> Mapping[str, object]:
    """The problem as JSON holds it."""
    at = problem.location
    return {
        "at": [at.path, at.line, at.column],
        "rule": problem.rule, "message": problem.message, "mend": problem.mend,
    }  # fmt: skip


def from_json(data: Mapping[str, Any]) -> Problem:
    """The problem that `as_json` wrote."""
    path, line, column = data["at"]
    return Problem(
        Location(path, line, column),
        str(data["rule"]),
        str(data["message"]),
        str(data["mend"]),
    )
