"""The calculators of a lesson: computed for their defaults, and placed on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from workings.lesson import Lesson
from workings.page.render import PageRenderer
from workings.problems import Problem, ProblemsError
from workings.widgets.evaluation import evaluate_widget
from workings.widgets.panels import panel_json
from workings.widgets.render import render_panel

if TYPE_CHECKING:
    from workings.project import Project


def with_panels(
    project: Project, lessons: Mapping[str, Lesson], problems: list[Problem]
) -> dict[str, Lesson]:
    """The lessons with their widgets' panels evaluated; what fails is added to `problems`."""
    made: dict[str, Lesson] = {}
    for slug, lesson in lessons.items():
        made[slug] = lesson
        if lesson.widget is None:
            continue
        page = PageRenderer(project.root, lesson, lessons, lambda text: text)
        try:
            panels = [
                panel_json(panel, lesson.registry, page.plain) for panel in lesson.widget.panels
            ]
            evaluated = evaluate_widget(project.root, lesson.widget, panels, project.cache)
        except ProblemsError as error:
            problems += error.problems
        else:
            made[slug] = replace(lesson, panels=evaluated)
    return made


def calculator(page: PageRenderer, identifier: str | None) -> str:
    """One panel of the lesson's widget, or all of them."""
    lesson = page.need_lesson()
    return "".join(
        render_panel(lesson.slug, panel, page.runtime, page.markdown)
        for panel in lesson.panels
        if identifier in (None, panel.declared.id)
    )
