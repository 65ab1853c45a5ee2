"""Draws the declared figures of lessons, each lesson in a process of its own, or from the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from workings.execution.launch import Surroundings
from workings.execution.run import Job, Limits, run_jobs
from workings.figures.declaration import Declarations, FigureDeclaration
from workings.figures.job import FIGURES_JOB, STYLE, Figure, figure_payload, read_figures
from workings.problems import Problem, did_you_mean
from workings.project import Project
from workings.registry import Registry

# The parts of matplotlib that every figure needs: half a second to import, once for all lessons.
_PRELOAD = (
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "matplotlib.patches",
    "matplotlib.style",
)


class Declared(Protocol):
    """A lesson's sources, as far as its figures go."""

    @property
    def declarations(self) -> Declarations: ...


def draw(
    project: Project,
    registries: Mapping[str, Registry],
    sources: Mapping[str, Declared],
    say: Callable[[str], None],
    problems: list[Problem],
) -> dict[str, dict[str, Figure]]:
    """Every figure of each lesson that has numbers, by lesson and name.

    A lesson whose figures fail has none, and what is wrong is added to `problems`.
    """
    declared = {slug: sources[slug].declarations.figures.values() for slug in registries}
    for slug, registry in registries.items():
        problems += table_problems(registry, declared[slug])
    jobs = [draw_job(project, registries[slug], figures) for slug, figures in declared.items()]
    results = run_jobs(
        project.root, [job for job in jobs if job.payload["figures"]], limits=limits(project)
    )
    drawn: dict[str, dict[str, Figure]] = {slug: {} for slug in registries}
    for result in results:
        if result.state != "cached":
            say(result.line)
        problems += result.problems
        if not result.problems:
            drawn[result.job.slug] = read_figures(result.value)
    return drawn


def draw_job(
    project: Project,
    registry: Registry,
    figures: Iterable[FigureDeclaration],
    *,
    hash_seed: int = 0,
) -> Job:
    """The job that draws these figures of the registry's lesson."""
    return Job(
        slug=registry.lesson,
        function=FIGURES_JOB,
        payload=figure_payload(registry, figures, project.settings.figure_budget_bytes),
        surroundings=Surroundings(
            preload=_PRELOAD,
            variables=(
                ("MPLBACKEND", "svg"),
                ("MATPLOTLIBRC", str(STYLE)),  # whatever the machine's own settings
                ("PYTHONHASHSEED", str(hash_seed)),
            ),
        ),
    )


def limits(project: Project) -> Limits:
    """How long the figures of one lesson may take to draw."""
    return Limits(project.settings.time_limit_s, project.settings.memory_limit_mib)


def table_problems(registry: Registry, figures: Iterable[FigureDeclaration]) -> Iterator[Problem]:
    """Figures whose `data` names no table of the lesson's numbers."""
    tables = [name for name, number in registry.numbers.items() if isinstance(number.value, tuple)]
    for figure in figures:
        if figure.data.text not in tables:
            message = f"show_numbers.py has no table '{figure.data.text}'."
            mend = did_you_mean(figure.data.text, tables)
            yield Problem(figure.data.location, "figure-data", message, mend)
