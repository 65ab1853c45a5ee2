"""A page's templates as tokens, and its HTML with the tokens resolved.

The macros here are what authors write in `{{ }}`. Names were checked before (names.py), so a failure
here is a fault of ours, or of a page that was not checked, and is loud.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workings import formats
from workings.facts import Fact, find_fact
from workings.figures.source_text import SourceText
from workings.lesson import Lesson
from workings.page import blocks, twin
from workings.page.code_ranges import hide_code, mask_code, show_code
from workings.page.listing import find_listing
from workings.page.mathml import render_math
from workings.page.names import parse_column
from workings.page.quiz import answer_value, quiz
from workings.page.templates import environment, find_templates, locate
from workings.page.tokens import Shown, Token, Tokens
from workings.page.values import Bound, NumberNames, bind, filters
from workings.problems import Location
from workings.quiz import Question
from workings.registry import Value

ToHtml = Callable[[str], str]


class PageRenderer:
    """Renders the texts of one page: the Markdown body, and those of front matter and quiz.

    `to_html` turns Markdown into HTML as the site does; `lessons` are all lessons of the site;
    `runtime` is the name of the folder with the browser's Python.
    """

    def __init__(
        self,
        root: Path,
        lesson: Lesson | None,
        lessons: Mapping[str, Lesson],
        to_html: ToHtml,
        runtime: str = "",
    ) -> None:
        self.root, self.lesson, self.lessons, self.to_html = root, lesson, lessons, to_html
        self.runtime = runtime
        self.tokens = Tokens()
        self.cited: dict[str, Fact] = {}
        self.in_drawings: list[Shown] = []
        self._places: list[Location] = []
        self._sources_placed = False
        self.environment = environment()
        self.environment.filters.update(filters(), wk_at=self._at)
        self.environment.globals.update(self.globals())

    # -- texts ------------------------------------------------------------------------------

    def globals(self) -> dict[str, Any]:
        """The names that templates may use."""
        return {
            "n": NumberNames(self.tokens, self._value),
            "claim": self._claim,
            "exempt": self._exempt,
            "fact": self._fact,
            "figure": self._figure,
            "formula": self._formula,
            "further_reading": lambda: self._block(lambda: blocks.further_reading(self)),
            "lessons": lambda: self._block(lambda: blocks.lesson_list(self)),
            "listing": self._listing,
            "number": self._number,
            "quiz": lambda: self._block(lambda: quiz(self), lambda: twin.quiz_text(self)),
            "sources": self._sources,
            "table": self._table,
            "widget": self._widget,
        }

    def positioned(self, text: str, path: str, first_line: int) -> str:
        """`text` with each template told where it stands, for the list of uses."""
        text = hide_code(text)
        parts: list[str] = []
        end = 0
        for template in find_templates(mask_code(text)):
            self._places.append(locate(text, template.start, path, first_line))
            expression = text[template.start + 2 : template.end - 2]
            parts.append(text[end : template.start])
            parts.append(f"{{{{ ({expression}) | wk_at({len(self._places) - 1}) }}}}")
            end = template.end
        return "".join([*parts, text[end:]])

    def text(self, source: str, at: Location) -> str:
        """A text of front matter, quiz or figure with its templates made tokens."""
        made = self.environment.from_string(source).render()
        self.tokens.place(at)
        return made

    def plain(self, source: str, at: Location) -> str:
        """The same as plain text, where HTML takes no element."""
        return self.tokens.plain(self.text(source, at))

    def written(self, source: SourceText) -> str:
        """A text of a Python file with its templates made tokens, each told where it stands."""
        parts: list[str] = []
        end = 0
        for template in find_templates(source.text):
            parts.append(source.text[end : template.start])
            expression = source.text[template.start : template.end]
            parts.append(self.text(expression, source.at(template.start)))
            end = template.end
        return "".join([*parts, source.text[end:]])

    def markdown(self, source: str, at: Location) -> str:
        """The same as HTML; a single paragraph without its mark."""
        return self.paragraph(self.text(source, at))

    def paragraph(self, text: str) -> str:
        """Markdown as HTML; a single paragraph without its mark."""
        made = self.to_html(text).strip()
        if made.startswith("<p>") and made.endswith("</p>") and made.count("<p>") == 1:
            made = made[3:-4]
        return made

    def finish(self, page: str) -> str:
        """The page's HTML with math rendered and every token resolved."""
        page = render_math(page, self.tokens)
        body = self.tokens.resolve(page)
        if self.cited and not self._sources_placed:
            body += self.tokens.resolve(blocks.sources(self))
        return show_code(blocks.thinned_marks(body))

    def resolve(self, made: str) -> str:
        """HTML of ours with its tokens resolved."""
        return self.tokens.resolve(made)

    def finish_plain(self, text: str) -> str:
        """A heading's text for the table of contents."""
        return html.escape(self.tokens.plain(text))

    def shown(self) -> list[Shown]:
        """Every number and fact that the page shows, those in the text of its drawings too."""
        return [*self.tokens.shown(), *self.in_drawings]

    def answer_text(self, question: Question) -> str:
        """A quiz number with its unit, as plain text."""
        value = answer_value(question.answer, self.need_lesson().registry)
        return f"{formats.display(value)} {question.unit}".strip()

    # -- macros -----------------------------------------------------------------------------

    def _at(self, value: Any, place: int) -> str:
        made = str(value)
        self.tokens.place(self._places[place])
        return made

    def _value(self, name: str) -> Value:
        if self.lesson is None:
            raise KeyError(name)
        return self.lesson.registry.numbers[name].value

    def _block(self, build: Callable[[], str], plain: Callable[[], str] = lambda: "") -> str:
        """A block of HTML; `plain` is what stands for it in the page's Markdown twin."""
        return self.tokens.add(Token(build, plain, ""))

    def need_lesson(self) -> Lesson:
        if self.lesson is None:
            raise ValueError('this page belongs to no lesson; write number("slug.name").')
        return self.lesson

    def _number(self, name: str) -> Bound:
        """A number of another lesson: number("slug.name")."""
        slug, _, rest = name.partition(".")
        leaf = self.lessons[slug].registry.leaf(rest)
        bound = bind(self.tokens, leaf.name, leaf.value)
        attributes = f'{bound.attributes} data-lesson="{html.escape(slug)}"'
        return Bound(self.tokens, bound.name, bound.value, bound.element, attributes)

    def _fact(self, name: str, chain: str = "") -> Bound:
        identifier, fact, value = find_fact(self.need_lesson().facts, name)
        self.cited.setdefault(identifier, fact)
        mark = list(self.cited).index(identifier) + 1
        return Bound(
            self.tokens,
            f"fact:{name}",
            value,
            "wk-fact",
            f'data-fact="{html.escape(name)}"',
            formats.parse_chain(chain),
            lambda: blocks.cite_mark(mark, fact),
        )

    def _exempt(self, text: str, reason: str) -> str:
        shown = f'<span class="wk-exempt" data-reason="{html.escape(reason)}">{html.escape(text)}</span>'
        return self.tokens.add(Token(lambda: shown, text, formats.latex(text)))

    def _claim(self, words: str, expression: str) -> str:
        shown = f'<span class="wk-claim" data-claim="{html.escape(expression)}">{html.escape(words)}</span>'
        return self.tokens.add(Token(lambda: shown, words, formats.latex(words)))

    def _formula(self, name: str) -> str:
        formula = self.need_lesson().registry.numbers[name].formula
        number = self.need_lesson().registry.numbers[name]
        if formula is None or isinstance(number.value, tuple):
            return f"`{number.expression}`"
        result = str(bind(self.tokens, name, number.value))
        text = html.escape(formula.substituted)
        made = f'<span class="wk-formula"><code>{html.escape(formula.text)}</code> = {text} = {result}</span>'
        return self.tokens.add(Token(lambda: made, f"{formula.substituted} = {number.value}", text))

    def _figure(self, name: str) -> str:
        return self._block(lambda: blocks.figure(self, name), lambda: twin.figure_text(self, name))

    def _table(self, name: str, *columns: str, caption: str = "") -> str:
        parsed = [parse_column(column) for column in columns]
        made = blocks.table(self, name, parsed, caption)
        rows = self.need_lesson().registry.numbers[name].value
        listed = rows if isinstance(rows, tuple) else ()
        return self._block(lambda: made, lambda: twin.table_text(listed, parsed, caption))

    def _listing(self, target: str, docstring: bool = True) -> str:
        found = find_listing(self.root, self.need_lesson().slug, target, docstring)
        return self._block(lambda: blocks.listing(self, found), lambda: twin.listing_text(found))

    def _sources(self) -> str:
        self._sources_placed = True
        return self._block(lambda: blocks.sources(self), lambda: twin.sources_text(self))

    def _widget(self, panel: str | None = None) -> str:
        from workings.page.calculators import calculator

        return self._block(lambda: calculator(self, panel))
