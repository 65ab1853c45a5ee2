"""The pipeline, in the order of the work: read the sources, run the code, draw, check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from workings.bundle import Bundle, read_bundle, read_text
from workings.checking import with_coverage, wrong_settings
from workings.execution.execute import run_numbers
from workings.facts import Fact, Facts, read_facts
from workings.figures.declaration import Declarations, read_declarations
from workings.figures.run import draw
from workings.lesson import Lesson
from workings.page.calculators import with_panels
from workings.page.names import check_names
from workings.problems import Problem, ProblemsError
from workings.project import Project
from workings.quiz import Question, read_quiz
from workings.rules import sort_by_level
from workings.widgets.declaration import Widget, read_widget

Say = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """Every lesson of a project, checked."""

    project: Project
    lessons: Mapping[str, Lesson] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Sources:
    """What a lesson's author wrote, apart from its code."""

    bundle: Bundle
    facts: Facts
    quiz: tuple[Question, ...]
    declarations: Declarations
    widget: Widget | None
    unread: frozenset[str] = frozenset()


def prepare(project: Project, say: Say = lambda line: None) -> Site:
    """The site's lessons, run and checked; ProblemsError with every problem of every lesson."""
    problems = wrong_settings(project)
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
            unread=source.unread,
        )
        for slug, source in sources.items()
        if slug in registries
    }
    problems += check_names(
        project.root, lessons, project.docs(), frozenset(project.slugs()) - frozenset(lessons)
    )
    lessons = with_coverage(project, lessons, problems)
    errors, warnings = sort_by_level(problems, project.settings.rules)
    if not errors:
        lessons = with_panels(project, lessons, errors)
    if errors:
        raise ProblemsError(errors)  # a warning beside an error is often its consequence
    return Site(project, lessons, tuple(warnings))


def read_sources(project: Project, problems: list[Problem]) -> dict[str, Sources]:
    """The sources of every lesson that can be read; what cannot be is added to `problems`."""
    nothing: dict[str, Fact] = {}
    shared = _gather(problems, lambda: _optional(project, "lessons/facts.yml", read_facts, nothing))
    found: dict[str, Sources] = {}
    for slug in project.slugs():
        source = _read_lesson(project, slug, shared, problems)
        if source is not None:
            found[slug] = source
    return found


def _read_lesson(
    project: Project, slug: str, shared: Facts | None, problems: list[Problem]
) -> Sources | None:
    root, quiz_path = project.root, f"lessons/{slug}/quiz.yml"
    bundle = read_bundle(root, project.page(slug), slug, problems)
    if bundle is None:
        return None
    no_quiz: tuple[Question, ...] = ()
    quiz = _gather(problems, lambda: _optional(project, quiz_path, read_quiz, no_quiz))
    before = len(problems)
    widget = _gather(problems, lambda: read_widget(root, slug))
    faulty_widget = len(problems) > before
    declarations = read_declarations(root, slug)
    problems += declarations.problems
    unread = {
        "facts": shared is None or not bundle.front.title,
        "quiz": quiz is None,
        "widget": faulty_widget,
        "figures": bool(declarations.problems),
    }
    return Sources(
        bundle=bundle,
        facts={**(shared or {}), **bundle.front.facts},
        quiz=quiz or (),
        declarations=declarations,
        widget=widget,
        unread=frozenset(part for part, is_unread in unread.items() if is_unread),
    )


def _optional(project: Project, path: str, read: Callable[[str, str], T], default: T) -> T:
    return read(read_text(project.root, path), path) if project.has(path) else default


def _gather(problems: list[Problem], step: Callable[[], T]) -> T | None:
    """The step's result, or None with its problems added."""
    try:
        return step()
    except ProblemsError as error:
        problems += error.problems
        return None
