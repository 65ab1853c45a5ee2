"""A lesson's questions as its quiz.yml declares them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from workings.problems import Location, Problem, ProblemsError
from workings.yamlio import read_value


@dataclass(frozen=True)
class Option:
    """An option of a choice; `misconception` says what a reader who takes it believes."""

    text: str
    correct: bool = False
    misconception: str = ""
    at: Location = Location("")


@dataclass(frozen=True)
class Misconception:
    """A wrong answer, as an expression over the registry, and what it betrays."""

    answer: str
    says: str
    at: Location = Location("")


@dataclass(frozen=True)
class Question:
    """One question. `answer` is an expression over the registry for the kind `number`."""

    id: str
    kind: Literal["number", "choice", "short", "open"]
    question: str
    explanation: str
    answer: str = ""
    shown: str = ""
    unit: str = ""
    tolerance: float = 0.0
    hint: str = ""
    options: tuple[Option, ...] = ()
    misconceptions: tuple[Misconception, ...] = ()
    at: Location = Location("")
    places: Mapping[str, Location] = field(default_factory=dict)


def read_quiz(text: str, path: str) -> tuple[Question, ...]:
    """The questions of a quiz.yml; ProblemsError with every fault found."""
    questions: tuple[Question, ...] = read_value(tuple[Question, ...], text, path, "the quiz")
    problems = [problem for question in questions for problem in _faults(question)]
    for identifier, count in Counter(question.id for question in questions).items():
        if count > 1:
            last = [question for question in questions if question.id == identifier][-1]
            problems.append(
                Problem(
                    last.places["id"],
                    "duplicate-key",
                    f"the quiz has {count} questions '{identifier}'.",
                    "Give each its own id.",
                )
            )
    if problems:
        raise ProblemsError(problems)
    return questions


def _faults(question: Question) -> list[Problem]:
    """What the types cannot say: the parts that a kind of question needs."""
    name = f"question '{question.id}'"
    if question.kind == "choice":
        if sum(option.correct for option in question.options) != 1:
            return [
                Problem(
                    question.places.get("options", question.at),
                    "quiz-options",
                    f"{name} needs exactly one correct option.",
                    "Mark one with 'correct: true'.",
                )
            ]
    elif not question.answer:
        return [
            Problem(
                question.at,
                "missing-key",
                f"{name} lacks the key 'answer'.",
                "Add 'answer: n.NAME' for a number, or the text of the answer.",
            )
        ]
    return []
