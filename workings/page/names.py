"""The check of names: every template of a lesson's sources uses what there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from workings import formats
from workings.bundle import read_text
from workings.expressions import ExpressionError, evaluate, names, single_name
from workings.facts import fact_names, find_fact
from workings.lesson import Lesson
from workings.page.code_ranges import mask_code
from workings.page.listing import ListingError, find_listing
from workings.page.templates import (
    BadTemplate,
    Template,
    Use,
    find_templates,
    locate,
    read_template,
)
from workings.problems import Location, Problem, did_you_mean
from workings.registry import Registry, Scalar

MACROS = (
    "claim", "exempt", "fact", "figure", "formula", "further_reading", "lessons", "listing",
    "number", "quiz", "sources", "table", "widget",
)  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """What the templates of a source may speak of; `lesson` is None for a page of docs/."""

    root: Path
    lesson: Lesson | None
    lessons: Mapping[str, Lesson]
    failed: frozenset[str] = frozenset()

    @property
    def registry(self) -> Registry:
        return self.lesson.registry if self.lesson else Registry("")


def check_names(
    root: Path,
    lessons: Mapping[str, Lesson],
    docs: Iterable[str] = (),
    failed: frozenset[str] = frozenset(),
) -> list[Problem]:
    """Every unknown name, unfit format and false claim in the texts of lessons and docs.

    Of the numbers of lessons that `failed` nothing is said: what stopped them is told already.
    """
    problems: list[Problem] = []
    for lesson in lessons.values():
        for text in lesson_texts(root, lesson):
            problems += _check_text(Scope(root, lesson, lessons, failed), text)
        problems += _check_quiz(lesson)
    for path in docs:
        text = Text.at(read_text(root, path), Location(path))
        problems += _check_text(Scope(root, None, lessons, failed), text)
    return problems


@dataclass(frozen=True)
class Text:
    """A text that may hold templates; `locate` gives the place of an offset in it."""

    text: str
    path: str
    locate: Callable[[int], Location]

    @classmethod
    def at(cls, text: str, start: Location) -> Text:
        """A text that stands in its file as it is, from `start` on."""
        return cls(
            text, start.path, lambda at: locate(text, at, start.path, start.line, start.column)
        )


def lesson_texts(root: Path, lesson: Lesson) -> Iterator[Text]:
    """Each text of the lesson's sources that the page's renderer fills."""
    yield Text.at(lesson.bundle.source, Location(lesson.bundle.path))
    quiz = f"lessons/{lesson.slug}/quiz.yml"
    if (root / quiz).is_file():
        yield Text.at(read_text(root, quiz), Location(quiz))
    for figure in lesson.figures.values():
        for text in (figure.title, figure.alt, figure.caption):
            yield Text(text.text, text.path, text.at)
    if lesson.widget is not None:
        for words, at in lesson.widget.static_texts():
            yield Text.at(words, at)


def places_of(root: Path, lesson: Lesson, name: str) -> list[Location]:
    """Where the lesson's texts show or claim something of the number `name` (or of its table)."""
    table = name.partition("[")[0]
    found: list[Location] = []
    for text in lesson_texts(root, lesson):
        for template in text_templates(text):
            wanted = (
                rf"\bn\.{re.escape(name)}(?![\w\[])"
                rf"|[\"']{re.escape(table)}[\"']"
                rf"|\bn\.{re.escape(table)}\b(?!\[)"
            )
            if re.search(wanted, template.expression):
                found.append(text.locate(template.start))
    return found


def text_templates(text: Text) -> Iterator[Template]:
    """The templates of a text; those in a Markdown file's code are none."""
    return find_templates(mask_code(text.text) if text.path.endswith(".md") else text.text)


def _check_text(scope: Scope, text: Text) -> Iterator[Problem]:
    for template in text_templates(text):
        yield from _check(scope, text, template)


def _check(scope: Scope, text: Text, template: Template) -> Iterable[Problem]:
    def problem(offset: int, rule: str, message: str, mend: str) -> Problem:
        return Problem(text.locate(offset), rule, message, mend)

    use = read_template(template)
    if isinstance(use, BadTemplate):
        mend = (
            "Compute it in show_numbers.py and bind its name."
            if "computes" in use.reason
            else 'Write {{ n.NAME }}, {{ n.NAME | filter }} or a call such as {{ fact("id") }}.'
        )
        yield problem(use.offset, "bad-template", f"this template {use.reason}", mend)
        return
    if use.kind == "number":
        yield from _check_number(scope, use, problem)
    elif use.name not in MACROS:
        yield problem(
            use.offset,
            "unknown-name",
            f"there is no macro '{use.name}'.",
            did_you_mean(use.name, MACROS),
        )
    else:
        yield from _check_call(scope, use, problem)


Report = Callable[[int, str, str, str], Problem]


def unknown_number(registry: Registry, name: str) -> tuple[str, str]:
    """Message and mend for a number that is not in the registry."""
    leaves = {leaf.name for leaf in registry.leaves()}
    table = registry.numbers.get(name.partition("[")[0])
    if table is not None and isinstance(table.value, tuple) and "[" not in name:
        fields = ", ".join(table.value[0]) if table.value else ""
        return (
            f"'n.{name}' is a table of {len(table.value)} rows, no single number.",
            f'Write {{{{ n.{name}[0].FIELD }}}} (fields: {fields}) or {{{{ table("{name}", ...) }}}}.',
        )
    return f"there is no number 'n.{name}'.", did_you_mean(name, leaves | set(registry.numbers))


def _check_number(scope: Scope, use: Use, problem: Report) -> Iterator[Problem]:
    registry = scope.registry
    if scope.lesson is None:
        yield problem(
            use.offset, "unknown-name", f"there is no number 'n.{use.name}': this page is no lesson's.",
            f'Write {{{{ number("SLUG.{use.name}") }}}}.',
        )  # fmt: skip
        return
    try:
        value: Scalar = registry.leaf(use.name).value
    except KeyError:
        yield problem(use.offset, "unknown-name", *unknown_number(registry, use.name))
        return
    yield from _check_format(value, use, problem)


def _check_format(value: Scalar, use: Use, problem: Report) -> Iterator[Problem]:
    unknown = [name for name, _ in use.filters if name not in formats.FORMATS]
    for name in unknown:
        mend = did_you_mean(name, formats.FORMATS)
        yield problem(use.offset, "unknown-name", f"there is no filter '{name}'.", mend)
    if unknown:
        return
    try:
        formats.display(value, use.filters)
    except formats.FormatError as error:
        yield problem(use.offset, "bad-format", str(error), "Choose a filter that fits the value.")


def _check_call(scope: Scope, use: Use, problem: Report) -> Iterator[Problem]:
    if use.name in ("claim", "exempt"):
        yield from _check_words(scope.registry, use, problem)
    elif use.name == "number":
        yield from _check_foreign(scope, use, problem)
    elif use.name == "lessons":
        return
    elif scope.lesson is None:
        mend = "Move it to a lesson's page."
        yield problem(
            use.offset,
            "unknown-name",
            f"'{use.name}' needs a lesson, and this page is none's.",
            mend,
        )
    elif use.name in ("table", "formula"):
        yield from _check_table(scope.registry, use, problem)
    else:
        yield from _check_part(scope.root, scope.lesson, use, problem)


def _check_foreign(scope: Scope, use: Use, problem: Report) -> Iterator[Problem]:
    """number("slug.name"): a number of any lesson."""
    slug, _, name = str(use.arguments[0] if use.arguments else "").partition(".")
    if slug in scope.failed:
        return
    if slug not in scope.lessons:
        mend = did_you_mean(slug, scope.lessons)
        yield problem(use.offset, "unknown-name", f"there is no lesson '{slug}'.", mend)
        return
    registry = scope.lessons[slug].registry
    try:
        value = registry.leaf(name).value
    except KeyError:
        yield problem(use.offset, "unknown-name", *unknown_number(registry, name))
        return
    yield from _check_format(value, use, problem)


def _check_part(root: Path, lesson: Lesson, use: Use, problem: Report) -> Iterator[Problem]:
    """Facts, figures, listings, widgets and the quiz of a lesson."""
    if {"fact": "facts", "figure": "figures"}.get(use.name, use.name) in lesson.unread:
        return
    first = use.arguments[0] if use.arguments else None
    if use.name == "fact":
        try:
            _, _, value = find_fact(lesson.facts, str(first))
        except KeyError:
            mend = did_you_mean(str(first), fact_names(lesson.facts))
            yield problem(use.offset, "unknown-fact", f"there is no fact '{first}'.", mend)
        else:
            yield from _check_format(value, use, problem)
    elif use.name == "figure" and first not in lesson.figures:
        mend = did_you_mean(str(first), lesson.figures)
        yield problem(use.offset, "unknown-figure", f"there is no figure '{first}'.", mend)
    elif use.name == "listing":
        try:
            find_listing(root, lesson.slug, str(first))
        except ListingError as error:
            yield problem(use.offset, "unknown-symbol", error.reason, error.mend)
    elif use.name == "widget":
        panels = [panel.id for panel in lesson.widget.panels] if lesson.widget else []
        if not panels or (first is not None and first not in panels):
            name = f"'{first}'" if first else "at all"
            mend = did_you_mean(str(first), panels)
            yield problem(use.offset, "unknown-widget", f"there is no widget {name}.", mend)
    elif use.name == "quiz" and not lesson.quiz:
        yield problem(
            use.offset,
            "unknown-quiz",
            "the lesson has no quiz.",
            f"Write lessons/{lesson.slug}/quiz.yml.",
        )


def _check_words(registry: Registry, use: Use, problem: Report) -> Iterator[Problem]:
    """claim("words", "expression") and exempt("text", "reason")."""
    if len(use.arguments) != 2 or not all(
        isinstance(text, str) and text.strip() for text in use.arguments
    ):
        second = "an expression over n" if use.name == "claim" else "a reason"
        yield problem(
            use.offset, "bad-template", f"{use.name} takes a text and {second}, both in quotes.",
            f'Write {{{{ {use.name}("words", "{second}") }}}}.',
        )  # fmt: skip
        return
    if use.name == "exempt":
        return
    words, expression = use.arguments
    try:
        holds = evaluate(expression, registry)
    except ExpressionError as error:
        yield problem(use.offset, "unknown-name" if error.unknown else "bad-expression",
                      f"the claim '{words}': {error.reason}",
                      did_you_mean(error.unknown, registry.numbers) if error.unknown else "")  # fmt: skip
        return
    if holds is not True:
        yield problem(
            use.offset, "false-claim",
            f"'{words}' does not hold: {expression} is {holds}{_values(expression, registry)}.",
            "Change the words or the claim.",
        )  # fmt: skip


def _values(expression: str, registry: Registry) -> str:
    """The values behind a claim: ", with n.a = 1 and n.b = 2"."""
    found = {name: registry.numbers[name].value for name, _ in names(expression)}
    shown = [
        f"n.{name} = {formats.display(value)}"
        for name, value in found.items()
        if not isinstance(value, tuple)
    ]
    return f", with {' and '.join(shown)}" if shown else ""


def _check_table(registry: Registry, use: Use, problem: Report) -> Iterator[Problem]:
    name = str(use.arguments[0]) if use.arguments else ""
    if name not in registry.numbers:
        yield problem(use.offset, "unknown-name", *unknown_number(registry, name))
        return
    rows = registry.numbers[name].value
    if use.name == "formula":
        return
    if not isinstance(rows, tuple):
        yield problem(
            use.offset, "no-table", f"'n.{name}' is no table.", f"Write {{{{ n.{name} }}}}."
        )
        return
    for column in use.arguments[1:]:
        key, _, form = parse_column(str(column))
        missing = [row for row in rows if key not in row]
        if missing:
            mend = did_you_mean(key, missing[0])
            yield problem(
                use.offset, "unknown-name", f"the table '{name}' has no column '{key}'.", mend
            )
            continue
        try:
            chain = formats.parse_chain(form)
            for row in rows:
                formats.display(row[key], chain if not isinstance(row[key], str) else ())
        except formats.FormatError as error:
            mend = "Choose a filter that fits every row."
            yield problem(use.offset, "bad-format", f"column '{key}': {error}", mend)


def parse_column(column: str) -> tuple[str, str, str]:
    """(field, header, filter chain) of "field: Header | filter".

    >>> parse_column("cache_bytes: Cache | gib(3)")
    ('cache_bytes', 'Cache', 'gib(3)')
    """
    field, _, rest = column.partition(":")
    header, _, chain = rest.partition("|")
    return field.strip(), header.strip() or field.strip().replace("_", " "), chain.strip()


def _check_quiz(lesson: Lesson) -> Iterator[Problem]:
    """Answers and misconceptions are expressions that have values, and differ."""
    for question in lesson.quiz:
        if question.kind != "number":
            continue
        wanted = _answer(lesson.registry, question.answer)
        if isinstance(wanted, ExpressionError):
            at = question.places["answer"]
            yield _quiz_problem(lesson, at, f"the answer of '{question.id}'", wanted)
            continue
        for misconception in question.misconceptions:
            value = _answer(lesson.registry, misconception.answer)
            if isinstance(value, ExpressionError):
                name = f"a misconception of '{question.id}'"
                yield _quiz_problem(lesson, misconception.at, name, value)
            elif value == wanted:
                yield Problem(
                    misconception.at, "quiz-options",
                    f"a misconception of '{question.id}' gives the right answer, {wanted!r}.",
                    "Give an expression whose value is wrong.",
                )  # fmt: skip


def _answer(registry: Registry, expression: str) -> Scalar | ExpressionError:
    try:
        if (name := single_name(expression)) is not None:
            try:
                return registry.leaf(name).value
            except KeyError:
                return ExpressionError(f"there is no number 'n.{name}'.", 0, name)
        value: Scalar = evaluate(expression, registry)
        return value
    except ExpressionError as error:
        return error


def _quiz_problem(lesson: Lesson, at: Location, name: str, error: ExpressionError) -> Problem:
    mend = (
        did_you_mean(error.unknown, lesson.registry.numbers) if error.unknown else "Write n.NAME."
    )
    rule = "unknown-name" if error.unknown else "bad-expression"
    return Problem(at, rule, f"{name}: {error.reason}", mend)
