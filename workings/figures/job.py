"""What goes into the isolated process that draws, and what comes out. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workings.figures.declaration import FigureDeclaration
from workings.figures.traced import TextUse
from workings.registry import Registry

STYLE = Path(__file__).with_name("workings.mplstyle")
FIGURES_JOB = "workings.figures.render:figures_job"


@dataclass(frozen=True)
class Figure:
    """A drawn figure: its themed SVG (see svg.labelled and svg.standalone_svg), the numbers that
    its text shows, and the names of all numbers that it reads."""

    name: str
    svg: str
    uses: tuple[TextUse, ...] = ()
    reads: tuple[str, ...] = ()


def figure_payload(
    registry: Registry, declarations: Iterable[FigureDeclaration], budget_bytes: int
) -> dict[str, Any]:
    """The plain values that `figures_job` takes; a figure's SVG may have up to `budget_bytes`."""
    return {
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


def read_figures(result: Sequence[Mapping[str, Any]]) -> dict[str, Figure]:
    """The figures by name in what `figures_job` returned, also after a trip through JSON."""
    return {
        item["name"]: Figure(
            name=item["name"],
            svg=item["svg"],
            uses=tuple(TextUse(**use) for use in item["uses"]),
            reads=tuple(item["reads"]),
        )
        for item in result
    }
