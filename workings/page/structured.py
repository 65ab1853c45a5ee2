"""Structured data of a lesson's page (schema.org), from the same numbers as its text."""

from __future__ import annotations

import json
from typing import Any

from workings.lesson import Lesson
from workings.page.render import PageRenderer
from workings.quiz import Question

_LEVELS = "beginner to advanced"


def json_ld(page: PageRenderer, lesson: Lesson, url: str, home_url: str, site_name: str) -> str:
    """The page's JSON-LD as one script element; addresses are left out where `url` is empty."""
    graph = [_resource(page, lesson, url)]
    if lesson.quiz:
        graph.append(_quiz(page, lesson))
    if url:
        graph.append(_breadcrumbs(page, lesson, url, home_url, site_name))
    text = json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False)
    safe = text.replace("</", "<\\/")  # a text may not end the script
    return f'<script type="application/ld+json">{safe}</script>'


def _resource(page: PageRenderer, lesson: Lesson, url: str) -> dict[str, Any]:
    front = lesson.bundle.front

    def text(source: str, key: str) -> str:
        return page.plain(source, front.places.get(key, front.at))

    made: dict[str, Any] = {
        "@type": "LearningResource" if front.kind == "lesson" else ["Article", "LearningResource"],
        "name": text(front.title, "title"),
        "headline": text(front.title, "title"),
        "description": text(front.description, "description"),
        "inLanguage": "en",
        "learningResourceType": front.kind,
        "educationalLevel": _LEVELS,
        "isAccessibleForFree": True,
    }
    if url:
        made["url"] = url
    if front.minutes is not None:
        made["timeRequired"] = f"PT{max(front.minutes.plain, front.minutes.deep or 0)}M"
    if front.date is not None:
        made["datePublished"] = front.date.isoformat()
    if front.updated is not None:
        made["dateModified"] = front.updated.isoformat()
    if front.skills:
        made["teaches"] = [text(skill, "skills") for skill in front.skills]
    if front.prerequisites:
        made["competencyRequired"] = [text(item, "prerequisites") for item in front.prerequisites]
    return made


def _quiz(page: PageRenderer, lesson: Lesson) -> dict[str, Any]:
    return {
        "@type": "Quiz",
        "name": f"Quiz: {page.plain(lesson.bundle.front.title, lesson.bundle.front.at)}",
        "hasPart": [_question(page, question) for question in lesson.quiz],
    }


def _question(page: PageRenderer, question: Question) -> dict[str, Any]:
    def text(source: str, key: str) -> str:
        return page.plain(source, question.places.get(key, question.at))

    if question.kind == "choice":
        answer = next(text(option.text, "options") for option in question.options if option.correct)
    elif question.shown:
        answer = text(question.shown, "shown")
    elif question.kind == "number":
        answer = f"{page.answer_text(question)}"
    else:
        answer = text(question.answer, "answer")
    return {
        "@type": "Question",
        "eduQuestionType": "Flashcard",
        "text": text(question.question, "question"),
        "acceptedAnswer": {
            "@type": "Answer",
            "text": answer,
            "comment": {"@type": "Comment", "text": text(question.explanation, "explanation")},
        },
    }


def _breadcrumbs(
    page: PageRenderer, lesson: Lesson, url: str, home_url: str, site_name: str
) -> dict[str, Any]:
    title = page.plain(lesson.bundle.front.title, lesson.bundle.front.at)
    steps = [(site_name, home_url), (title, url)]
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": address}
            for place, (name, address) in enumerate(steps, 1)
        ],
    }
