"""Draws the figures of a lesson. Runs in the isolated process; nothing else imports matplotlib."""

from __future__ import annotations

import importlib.util
import io
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import Any, TypeVar

import matplotlib
import matplotlib.backends.backend_svg
import matplotlib.style
from matplotlib.figure import Figure as Canvas

from workings.figures import inspection
from workings.figures.job import BUDGET_BYTES, Figure, figure_result
from workings.figures.svg import Themed, themed
from workings.figures.traced import Names, Trace, UnknownNumberError, position
from workings.problems import Location, Problem

T = TypeVar("T")
STYLE = Path(__file__).with_name("workings.mplstyle")


class _Failed(Exception):
    """A figure that cannot be had; carries why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__()
        self.problems = problems


def render_job(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Draw every figure of the payload (see job.figure_payload); a figure that fails is a problem.

    The lesson's folder must be on sys.path, since figures.py may import the lesson's modules.
    """
    with matplotlib.style.context(STYLE, after_reset=True):  # whatever the machine's own settings
        return _render(payload)


def _render(payload: Mapping[str, Any]) -> dict[str, Any]:
    lesson = _Lesson(Path(payload["root"]), payload["slug"])
    problems: list[Problem] = []
    figures: list[Figure] = []
    try:
        module = lesson.module()
    except _Failed as failed:
        return figure_result([], failed.problems)
    for item in payload["figures"]:
        at = Location(**item["at"])
        try:
            function = getattr(module, item["function"])
            figure, found = _figure(lesson, item["name"], function, payload["numbers"], at)
        except _Failed as failed:
            problems += failed.problems
            continue
        budget_bytes = payload.get("budget_bytes", BUDGET_BYTES)
        if (size_bytes := len(figure.svg.encode())) > budget_bytes:
            message = f"'{figure.name}' has {size_bytes:,} bytes; {budget_bytes:,} are allowed."
            mend = "Draw fewer points, or plain fills in place of hatches."
            found.append(Problem(at, "figure-too-big", message, mend))
        problems += found
        if not found:
            figures.append(figure)
    return figure_result(figures, problems)


def _figure(
    lesson: _Lesson, name: str, function: FunctionType, numbers: Mapping[str, Any], at: Location
) -> tuple[Figure, list[Problem]]:
    """The figure, and what is wrong with it; _Failed where there is none to show."""
    trace = Trace(function.__code__)
    with (
        matplotlib.rc_context({"svg.hashsalt": name}),  # a figure that changes rcParams is alone
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        canvas = lesson.run(lambda: function(Names(numbers, "show_numbers.py", trace)), at)
        if not isinstance(canvas, Canvas):
            message = f"'{name}' gave {_a(type(canvas).__name__)}, not a matplotlib Figure."
            raise _Failed(Problem(at, "figure-type", message, "Return the Figure."))
        source = lesson.run(lambda: _svg(canvas), at)
        uses, found = inspection.inspect(canvas, name, at, trace)
    found += [
        Problem(at, "figure-warning", f"matplotlib warns about '{name}': {warning.message}")
        for warning in caught
        if warning.category is UserWarning
    ]
    result = themed(source, name)
    found += _unthemed(result, name, at)
    return Figure(name, result.svg, uses, tuple(sorted(trace.read))), found


def _svg(canvas: Canvas) -> str:
    buffer = io.StringIO()
    canvas.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _unthemed(result: Themed, name: str, at: Location) -> Iterator[Problem]:
    for colour in result.unknown_colours:
        message = f"'{name}' uses {colour}, which is no colour of the style sheet."
        mend = 'Use "C0" to "C5", or matplotlib.rcParams["text.color"] and its like.'
        yield Problem(at, "figure-colour", message, mend)
    for feature in result.unsupported:
        message = f"'{name}' uses {feature}, which cannot follow light and dark."
        yield Problem(at, "figure-unsupported", message, "Draw it with lines, patches and text.")
    if result.is_empty:
        message = f"'{name}' shows nothing."
        yield Problem(at, "figure-empty", message, "Draw on the Figure before you return it.")


class _Lesson:
    """Runs the lesson's code and says where it went wrong."""

    def __init__(self, root: Path, slug: str) -> None:
        self.root = root.resolve()
        self.folder = self.root / "code" / slug
        self.file = self.folder / "figures.py"

    def module(self) -> ModuleType:
        at = Location(self.path(self.file))
        spec = importlib.util.spec_from_file_location("figures", self.file)
        if spec is None or (loader := spec.loader) is None:
            raise _Failed(Problem(at, "figure-raises", "The file cannot be imported."))
        module = importlib.util.module_from_spec(spec)
        sys.modules["figures"] = module
        self.run(lambda: loader.exec_module(module), at)
        return module

    def run(self, action: Callable[[], T], at: Location) -> T:
        """The result of the action; _Failed with the deepest line of the lesson where it raises."""
        try:
            return action()
        except UnknownNumberError as error:
            at = self.place(error.__traceback__) or at
            raise _Failed(Problem(at, "unknown-number", error.reason, error.mend)) from None
        except SyntaxError as error:
            file = self.path(Path(error.filename or self.file))
            at = Location(file, error.lineno or 1, error.offset or 1)
            message = f"This is no Python: {error.msg}."
            raise _Failed(Problem(at, "figure-syntax", message)) from None
        except (Exception, SystemExit) as error:
            at = self.place(error.__traceback__) or at
            message = f"{type(error).__name__}: {error}".rstrip(": .") + "."
            raise _Failed(Problem(at, "figure-raises", message)) from None

    def place(self, traceback: TracebackType | None) -> Location | None:
        found = None
        while traceback is not None:
            code = traceback.tb_frame.f_code
            file = Path(code.co_filename)
            if file.is_relative_to(self.folder):
                found = Location(self.path(file), *position(code, traceback.tb_lasti))
            traceback = traceback.tb_next
        return found

    def path(self, file: Path) -> str:
        """The file relative to the project's root; one from elsewhere as it is."""
        inside = file.is_relative_to(self.root)
        return file.relative_to(self.root).as_posix() if inside else str(file)


def _a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
