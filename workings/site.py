"""The pipeline, in the order of the work: read the sources, run the code, draw, check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from workings.bundle import Bundle, read_bundle, read_text
from workings.execution.execute import run_numbers
from workings.facts import Facts, read_facts
from workings.figures.declaration import Declarations, read_declarations
from workings.figures.run import draw
from workings.lesson import Lesson
from workings.page.calculators import with_panels
from workings.page.names import check_names
from workings.problems import Problem, ProblemsError
from workings.project import Project
from workings.quiz import Question, read_quiz
from workings.widgets.declaration import Widget, read_widget

Say = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """Every lesson of a project, checked."""

    project: Project
    lessons: Mapping[str, Lesson] = field(default_factory=dict)


@dataclass(frozen=True)
class Sources:
    """What a lesson's author wrote, apart from its code."""

    bundle: Bundle
    facts: Facts
    quiz: tuple[Question, ...]
    declarations: Declarations
    widget: Widget | None


def prepare(project: Project, say: Say = lambda line: None) -> Site:
    """The site's lessons, run and checked; ProblemsError with every problem of every lesson."""
    problems: list[Problem] = []
    sources = _gather(problems, lambda: read_sources(project, problems)) or {}
    registries = run_numbers(project, list(sources), say, problems)
    drawings = draw(project, registries, sources, say, problems)
    lessons = {
        slug: Lesson(
            bundle=source.bundle,
            registry=registries[slug],
            facts=source.facts,
            quiz=source.quiz,
            figures=source.declarations.figures,
            drawings=drawings.get(slug, {}),
            widget=source.widget,
        )
        for slug, source in sources.items()
        if slug in registries
    }
    problems += check_names(project.root, lessons)
    if not problems:
        lessons = with_panels(project, lessons, problems)
    if problems:
        raise ProblemsError(problems)
    return Site(project, lessons)


def read_sources(project: Project, problems: list[Problem]) -> dict[str, Sources]:
    """The sources of every lesson that can be read; what cannot be is added to `problems`."""
    shared = (
        _gather(problems, lambda: _optional(project, "lessons/facts.yml", read_facts, {})) or {}
    )
    found: dict[str, Sources] = {}
    for slug in project.slugs():
        source = _read_lesson(project, slug, shared, problems)
        if source is not None:
            found[slug] = source
    return found


def _read_lesson(
    project: Project, slug: str, shared: Facts, problems: list[Problem]
) -> Sources | None:
    page, quiz_path = project.page(slug), f"lessons/{slug}/quiz.yml"
    bundle = _gather(problems, lambda: read_bundle(project.root, page, slug))
    quiz = _gather(problems, lambda: _optional(project, quiz_path, read_quiz, ()))
    widget = _gather(problems, lambda: read_widget(project.root, slug))
    declarations = read_declarations(project.root, slug)
    problems += declarations.problems
    if bundle is None:
        return None
    return Sources(bundle, {**shared, **bundle.front.facts}, quiz or (), declarations, widget)


def _optional(project: Project, path: str, read: Callable[[str, str], T], default: T) -> T:
    return read(read_text(project.root, path), path) if project.has(path) else default


def _gather(problems: list[Problem], step: Callable[[], T]) -> T | None:
    """The step's result, or None with its problems added."""
    try:
        return step()
    except ProblemsError as error:
        problems += error.problems
        return None
