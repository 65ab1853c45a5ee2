"""The gate over a project: every source of every lesson, and the pages of docs/."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace

import workings.catalogue  # noqa: F401  # it registers the rules
from workings.bundle import read_text
from workings.gate import Options, check_numbers
from workings.lesson import Lesson
from workings.lock import read_lock
from workings.problems import Problem
from workings.project import Project
from workings.prose import Source
from workings.registry import Registry
from workings.rules import setting_problems


def wrong_settings(project: Project) -> list[Problem]:
    """Rules in the settings that there are none of, or that cannot be lowered."""
    settings = project.settings
    at = settings.places.get("rules", settings.at)
    return [
        Problem(at, "wrong-value", sentence, "Mend 'rules' of the plugin 'workings'.")
        for sentence in setting_problems(settings.rules)
    ]


def with_coverage(
    project: Project, lessons: Mapping[str, Lesson], problems: list[Problem]
) -> dict[str, Lesson]:
    """The lessons with their coverage; each number without ground is added to `problems`."""
    today = datetime.datetime.now(datetime.UTC).date()
    made: dict[str, Lesson] = {}
    for slug, lesson in lessons.items():
        checked = check_numbers(
            lesson_sources(project, slug),
            lesson.registry,
            lesson.facts,
            read_lock(project.root, slug),
            Options(
                slug,
                exemptions=lesson.bundle.front.exempt,
                stale_days=project.settings.stale_days,
                today=today,
            ),
        )
        problems += checked.problems
        made[slug] = replace(lesson, coverage=checked.coverage.total)
    for path in project.docs():
        source = Source(path, read_text(project.root, path))
        problems += check_numbers([source], Registry(""), {}, {}, Options("")).problems
    return made


def lesson_sources(project: Project, slug: str) -> list[Source]:
    """The files of a lesson in which a number may stand: page, quiz, facts, widget, code."""
    code = project.root / "code" / slug
    modules = sorted(
        file.relative_to(project.root).as_posix()
        for file in code.glob("*.py")
        if not file.name.startswith(("test_", "conftest"))
    )
    paths = [
        project.page(slug),
        f"lessons/{slug}/quiz.yml",
        "lessons/facts.yml",
        f"widgets/{slug}/widget.yml",
        *modules,
    ]
    return [Source(path, read_text(project.root, path)) for path in paths if project.has(path)]
