"""Draws the figures of a lesson. Runs in the isolated process; nothing else imports matplotlib."""

from __future__ import annotations

import importlib
import io
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from types import FunctionType
from typing import Any, TypeVar

import matplotlib
import matplotlib.backends.backend_svg
import matplotlib.style
from matplotlib.figure import Figure as Canvas

from workings.execution.faults import Place, describe, location_of
from workings.figures import inspection
from workings.figures.job import STYLE, Figure
from workings.figures.svg import Themed, themed
from workings.figures.traced import Names, Trace, UnknownNumberError
from workings.problems import Location, Problem, ProblemsError

T = TypeVar("T")


def figures_job(place: Place, payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw every figure of the payload (see job.figure_payload) as plain values.

    Raises ProblemsError with the problems of all figures. The lesson's folder must be on sys.path.
    """
    with matplotlib.style.context(STYLE, after_reset=True):
        start = Location(f"{place.label}/figures.py")
        module = _run(lambda: importlib.import_module("figures"), place, start)
        figures: list[Figure] = []
        problems: list[Problem] = []
        for item in payload["figures"]:
            function, at = getattr(module, item["function"]), Location(**item["at"])
            try:
                figure, found = _draw(item["name"], function, payload["numbers"], place, at)
            except ProblemsError as error:
                problems += error.problems
                continue
            figures.append(figure)
            problems += found
            problems += _over_budget(figure, payload["budget_bytes"], at)
    if problems:
        raise ProblemsError(problems)
    return [asdict(figure) for figure in figures]


def _draw(
    name: str, function: FunctionType, numbers: Mapping[str, Any], place: Place, at: Location
) -> tuple[Figure, list[Problem]]:
    """The figure, and what is wrong with it; ProblemsError where there is none to show."""
    trace = Trace(function.__code__)
    with (
        matplotlib.rc_context({"svg.hashsalt": name}),  # a figure that changes rcParams is alone
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        canvas = _run(lambda: function(Names(numbers, "show_numbers.py", trace)), place, at)
        if not isinstance(canvas, Canvas):
            message = f"'{name}' gave {_a(type(canvas).__name__)}, not a matplotlib Figure."
            raise ProblemsError([Problem(at, "figure-type", message, "Return the Figure.")])
        source = _run(lambda: _svg(canvas), place, at)
        uses, found = inspection.inspect(canvas, name, at, trace)
    found += [
        Problem(at, "figure-warning", f"matplotlib warns about '{name}': {warning.message}")
        for warning in caught
        if warning.category is UserWarning
    ]
    result = themed(source, name)
    found += _unthemed(result, name, at)
    return Figure(name, result.svg, uses, tuple(sorted(trace.read))), found


def _run(action: Callable[[], T], place: Place, at: Location) -> T:
    """The result of the action; ProblemsError at the lesson's own line, else at `at`."""
    try:
        return action()
    except UnknownNumberError as error:
        problem = Problem(location_of(error, place), "unknown-number", error.reason, error.mend)
    except (Exception, SystemExit) as error:
        problem = describe(error, place)
        if problem.rule == "lesson-raises":
            problem = replace(problem, rule="figure-raises")
    if problem.location == place.start:
        problem = replace(problem, location=at)
    raise ProblemsError([problem])


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


def _over_budget(figure: Figure, budget_bytes: int, at: Location) -> Iterator[Problem]:
    size_bytes = len(figure.svg.encode())
    if size_bytes > budget_bytes:
        message = f"'{figure.name}' has {size_bytes:,} bytes; {budget_bytes:,} are allowed."
        mend = "Draw fewer points, or plain fills in place of hatches."
        yield Problem(at, "figure-too-big", message, mend)


def _a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
