"""The pipeline: read the bundles, run their code, draw, check. One page, in the order of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workings.bundle import Bundle, read_bundle, read_text
from workings.facts import Facts, read_facts
from workings.figures.declaration import read_declarations
from workings.figures.svg import standalone_svg
from workings.lesson import Lesson
from workings.page.blocks import csv_text
from workings.page.names import check_names
from workings.problems import Problem, ProblemsError
from workings.project import Project
from workings.quiz import Question, read_quiz

Say = Callable[[str], None]


@dataclass(frozen=True)
class Site:
    """Every lesson of a project, checked."""

    project: Project
    lessons: Mapping[str, Lesson] = field(default_factory=dict)

    def files(self) -> dict[str, Path | str | bytes]:
        """What the lessons publish beside their pages: address from the site's root -> content."""
        found: dict[str, Path | str | bytes] = {}
        for slug, lesson in self.lessons.items():
            for name, figure in lesson.figures.items():
                base = f"lessons/{slug}/figures/{name}"
                found[f"{base}.svg"] = standalone_svg(lesson.drawings[name])
                rows = lesson.registry.numbers[figure.data.text].value if figure.data.text else None
                if isinstance(rows, tuple):
                    found[f"{base}.csv"] = csv_text([dict(row) for row in rows])
        return found
