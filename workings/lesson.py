"""A lesson with all that a page of it needs: source, numbers, facts, quiz, figures, widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workings.bundle import Bundle
from workings.facts import Facts
from workings.figures.declaration import FigureDeclaration
from workings.figures.job import Figure
from workings.gate.coverage import Counts
from workings.quiz import Question
from workings.registry import Registry
from workings.widgets.declaration import Widget
from workings.widgets.evaluation import EvaluatedPanel


@dataclass(frozen=True)
class Lesson:
    """Everything about one lesson once its code has run. `drawings` are the drawn `figures`,
    `panels` the computed panels of the `widget`, `unread` the parts whose files are faulty (facts,
    quiz, widget, figures): of what they hold nothing can be said."""

    bundle: Bundle
    registry: Registry
    facts: Facts = field(default_factory=dict)
    quiz: tuple[Question, ...] = ()
    figures: Mapping[str, FigureDeclaration] = field(default_factory=dict)
    drawings: Mapping[str, Figure] = field(default_factory=dict)
    widget: Widget | None = None
    panels: tuple[EvaluatedPanel, ...] = ()
    unread: frozenset[str] = frozenset()
    coverage: Counts = field(default_factory=Counts)

    @property
    def slug(self) -> str:
        return self.bundle.slug
