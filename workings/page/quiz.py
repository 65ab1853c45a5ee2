"""The quiz as HTML: complete without a script, and checkable by one."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING

from workings.expressions import evaluate, single_name
from workings.page.values import attribute_value, bind
from workings.problems import Location
from workings.quiz import Question

if TYPE_CHECKING:
    from workings.page.render import PageRenderer
    from workings.registry import Registry, Scalar


def quiz(page: PageRenderer) -> str:
    """All questions of the lesson, in order."""
    lesson = page.need_lesson()
    made = "".join(_question(page, question) for question in lesson.quiz)
    return f'<section class="wk-quiz" data-lesson="{html.escape(lesson.slug)}">{made}</section>'


def answer_value(expression: str, registry: Registry) -> Scalar:
    """The value of an answer: a name of the registry, or an expression over it."""
    if (name := single_name(expression)) is not None:
        return registry.leaf(name).value
    value: Scalar = evaluate(expression, registry)
    return value


def _place(question: Question, key: str) -> Location:
    return question.places.get(key, question.at)


def _question(page: PageRenderer, question: Question) -> str:
    registry = page.need_lesson().registry
    attributes = f'data-kind="{question.kind}"'
    parts: list[str] = []
    if question.kind == "number":
        value = answer_value(question.answer, registry)
        name = single_name(question.answer) or ""
        attributes += (
            f' data-answer="{attribute_value(value)}" data-name="{html.escape(name)}"'
            f' data-unit="{html.escape(question.unit)}" data-tolerance="{question.tolerance!r}"'
        )
        wrong = [
            {
                "value": answer_value(misconception.answer, registry),
                "says": page.plain(misconception.says, misconception.at),
            }
            for misconception in question.misconceptions
        ]
        if wrong:
            attributes += f' data-misconceptions="{html.escape(json.dumps(wrong))}"'
    if question.options:
        parts.append(_options(page, question))
    if question.hint:
        hint = page.markdown(question.hint, _place(question, "hint"))
        parts.append(f'<details class="wk-hint"><summary>Hint</summary><p>{hint}</p></details>')
    answer = _answer(page, question)
    explanation = page.markdown(question.explanation, _place(question, "explanation"))
    parts.append(
        f'<details class="wk-answer"><summary>Answer</summary>{answer}<div>{explanation}</div></details>'
    )
    text = page.markdown(question.question, _place(question, "question"))
    return (
        f'<article class="wk-question" id="quiz-{html.escape(question.id)}" {attributes}>'
        f'<div class="wk-question-text">{text}</div>{"".join(parts)}</article>'
    )


def _answer(page: PageRenderer, question: Question) -> str:
    if question.shown:
        shown = page.markdown(question.shown, _place(question, "shown"))
    elif question.kind == "number":
        value = answer_value(question.answer, page.need_lesson().registry)
        name = single_name(question.answer)
        shown = str(bind(page.tokens, name, value)) if name else html.escape(str(value))
        page.tokens.place(_place(question, "answer"))
        shown += f" {html.escape(question.unit)}" if question.unit else ""
    elif question.kind == "choice":
        right = next(option for option in question.options if option.correct)
        shown = page.markdown(right.text, right.at)
    else:
        shown = page.markdown(question.answer, _place(question, "answer"))
    return f'<p class="wk-answer-value">{shown}</p>'


def _options(page: PageRenderer, question: Question) -> str:
    items = "".join(
        f'<li data-correct="{str(option.correct).lower()}"'
        f' data-misconception="{html.escape(page.plain(option.misconception, option.at))}">'
        f"{page.markdown(option.text, option.at)}</li>"
        for option in question.options
    )
    return f'<ol class="wk-options">{items}</ol>'
