"""What goes into the isolated process that draws, and what comes out. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from workings.figures.declaration import FigureDeclaration
from workings.figures.traced import TextUse
from workings.problems import Edit, Location, Problem
from workings.registry import Registry

RENDER_JOB = "workings.figures.render:render_job"
BUDGET_BYTES = 20_000


@dataclass(frozen=True)
class Figure:
    """A drawn figure: its themed SVG (see svg.labelled and svg.standalone_svg), the numbers that
    its text shows, and all numbers that it reads."""

    name: str
    svg: str
    uses: tuple[TextUse, ...] = ()
    reads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """The figures of one lesson, and what is wrong with those that are missing."""

    figures: Mapping[str, Figure] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def figure_payload(
    root: Path,
    slug: str,
    registry: Registry,
    declarations: Iterable[FigureDeclaration],
    budget_bytes: int = BUDGET_BYTES,
) -> dict[str, Any]:
    """The plain values that `render_job` takes."""
    return {
        "root": str(root),
        "slug": slug,
        "numbers": {
            name: [*map(dict, number.value)] if isinstance(number.value, tuple) else number.value
            for name, number in registry.numbers.items()
        },
        "figures": [
            {"name": figure.name, "function": figure.function, "at": asdict(figure.function_at)}
            for figure in declarations
        ],
        "budget_bytes": budget_bytes,
    }


def figure_result(figures: Iterable[Figure], problems: Iterable[Problem]) -> dict[str, Any]:
    """The plain values that `render_job` returns."""
    return {
        "figures": [asdict(figure) for figure in figures],
        "problems": [asdict(problem) for problem in problems],
    }


def read_drawing(result: Mapping[str, Any]) -> Drawing:
    """The drawing in what `render_job` returned, also after a trip through JSON."""
    figures = {
        item["name"]: Figure(
            name=item["name"],
            svg=item["svg"],
            uses=tuple(TextUse(**use) for use in item["uses"]),
            reads=tuple(item["reads"]),
        )
        for item in result["figures"]
    }
    return Drawing(figures, tuple(_problem(item) for item in result["problems"]))


def _problem(item: Mapping[str, Any]) -> Problem:
    edit = item["edit"]
    return Problem(
        Location(**item["location"]), item["rule"], item["message"], item["mend"],
        Edit(Location(**edit["location"]), edit["old"], edit["new"]) if edit else None,
    )  # fmt: skip
