"""The gate: every number of a lesson's sources is bound, cited, exempt with a reason, or a problem.

It reads sources, before any template is rendered, and needs what the lesson's code computed. It runs
nothing and writes nothing.
"""

from __future__ import annotations

import ast
import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from workings import formats
from workings.bundle import Exemption
from workings.facts import Facts
from workings.gate.bound import check_claim, check_glue, check_units
from workings.gate.comments import check_comment
from workings.gate.coverage import Counts, Coverage, CoverageCounter
from workings.gate.edits import apply_edits
from workings.gate.known import KnownNumbers, known_numbers
from workings.gate.typed import Reader, is_typed_answer
from workings.gate.unused import exemption_problems, stale_facts, unused_numbers
from workings.gate.wording import check_words
from workings.numerals import Numeral
from workings.page.templates import Use
from workings.problems import Edit, Problem
from workings.prose import Inserted, Region, Source, regions
from workings.registry import Registry, Scalar

__all__ = ["Checked", "Counts", "Coverage", "Options", "apply_edits", "check_numbers"]


@dataclass(frozen=True)
class Options:
    """What a project or a lesson says about the check.

    `names` are further names that a number may follow without stating a quantity; `exemptions` those
    of the front matter; facts are stale `stale_days` after they were seen, as of `today`.
    """

    slug: str
    names: tuple[str, ...] = ()
    exemptions: tuple[Exemption, ...] = ()
    stale_days: int = 400
    today: datetime.date | None = None


@dataclass(frozen=True)
class Checked:
    """Every problem of a lesson's numbers, in order, and how many numbers stand on what ground."""

    problems: tuple[Problem, ...]
    coverage: Coverage


def check_numbers(
    sources: Sequence[Source],
    registry: Registry,
    facts: Facts,
    accepted: Mapping[str, Scalar],
    options: Options,
) -> Checked:
    """Check the sources of one lesson: page, quiz.yml, widget.yml, figures.py, code, facts.yml.

    `accepted` are the values of numbers.lock.json. Rules and levels are in workings.rules.
    """
    check = _Check(registry, facts, accepted, options)
    problems: list[Problem] = []
    for source in sources:
        for region in _regions(source):
            problems += check.region(region)
        if source.path.endswith("/figures.py"):
            problems += check.constants(source)
    problems += unused_numbers(registry, sources)
    problems += exemption_problems(options.exemptions, check.reader.used)
    if options.today is not None:
        problems += stale_facts(facts, check.cited, options.today, options.stale_days)
    ordered = sorted(set(problems), key=lambda p: (p.location, p.rule, p.message))
    return Checked(tuple(ordered), check.counter.coverage())


@lru_cache(maxsize=256)
def _regions(source: Source) -> tuple[Region, ...]:
    """The regions of a file, kept: lessons share facts.yml, and few files change between two checks."""
    return tuple(regions(source))


@dataclass
class _Check:
    registry: Registry
    facts: Facts
    accepted: Mapping[str, Scalar]
    options: Options
    cited: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.known: KnownNumbers = known_numbers(self.registry, self.facts, self.accepted)
        self.counter = CoverageCounter(self.registry)
        self.reader = Reader(
            self.options.slug, self.known, self.options.names, self.options.exemptions
        )
        now = {leaf.name: leaf.value for leaf in self.registry.leaves()}
        self.moved = {
            name: value
            for name, value in self.accepted.items()
            if name in now and now[name] != value
        }

    def region(self, region: Region) -> Iterator[Problem]:
        """The problems of one stretch of text, by its kind."""
        if region.kind == "include":
            yield Problem(
                region.location(0), "unchecked-include",
                "text comes in from elsewhere here, and the check does not see its numbers.",
                "Write the text into the page.",
            )  # fmt: skip
            return
        around = [one for inserted in region.inserted for one in self._inserted(region, inserted)]
        yield from around
        if region.kind in ("comment", "docstring", "code", "text"):
            yield from check_comment(region, self.known, self.options.names)
        elif region.kind == "fact":
            yield from self._fact(region)
        elif region.kind == "answer":
            yield from self._answer(region)
        else:
            told = {problem.location for problem in around if problem.rule == "glued-number"}
            for problem in (*self._typed(region), *check_words(region, self.known, self.moved)):
                if problem.location not in told:  # one word about a place is enough
                    told.add(problem.location)
                    yield problem

    def constants(self, source: Source) -> Iterator[Problem]:
        """Numbers typed into the drawing of a figure though the lesson computes them."""
        try:
            tree = ast.parse(source.text)
        except (SyntaxError, ValueError):
            return
        values = {known.exact: known for known in reversed(self.known.current)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
                continue
            value = formats.exact(node.value)  # type: ignore[arg-type]
            if value in values and _is_telling(value):
                at = source.location(source.offset(node.lineno, node.col_offset))
                written = values[value].written
                name = values[value].name
                yield Problem(
                    at, "unbound-number",
                    f"the number {formats.display(node.value)} is typed, and equals {written}.",  # type: ignore[arg-type]
                    f'Take it from the numbers: n["{name}"].',
                )  # fmt: skip

    # -- kinds of text ----------------------------------------------------------------------

    def _typed(self, region: Region) -> Iterator[Problem]:
        for numeral in self.reader.numerals(region):
            if region.kind == "widget" and _restates(numeral, region.beside):
                continue
            if self.reader.exemption(region, numeral) is not None:
                self._count(region, Counts(exempt=1))
                at = region.text.at(numeral.start)
                if (
                    problem := self.reader.exempt_problem(region, numeral, at, "exempt")
                ) is not None:
                    yield problem
                continue
            self._count(region, Counts(typed=1))
            yield self.reader.problem(region, numeral)

    def _answer(self, region: Region) -> Iterator[Problem]:
        """An expression. A bare number is typed, but for a widget's own ranges and defaults."""
        if not is_typed_answer(region.text.text):
            self._count(region, Counts(bound=1))
            return
        if region.source.path.endswith("widget.yml"):
            yield from self._default(region)
        else:
            yield from self._typed(region)

    def _default(self, region: Region) -> Iterator[Problem]:
        """A field that starts from a number of its own name, or from one with many digits, is typed.

        Other defaults and all ranges are a widget's own choice.
        """
        if not region.key.endswith("].default"):
            return
        own = self.known.named(region.key.removesuffix("].default").rpartition("[")[2])
        for numeral in self.reader.numerals(region):
            at, typed = region.location(numeral.start), region.text.text
            if own is not None:
                is_same = numeral.value == own.exact
                message = f"the default {typed} is typed, and {own.written} is {formats.display(own.value)}."
                rule = "unbound-number" if is_same else "drifted-number"
                edit = Edit(at, typed, own.written) if is_same else None
                yield Problem(at, rule, message, f"Write {own.written}.", edit)
            elif _is_telling(numeral.value):
                problem = self.reader.problem(region, numeral)
                if problem.edit is not None:
                    yield problem

    def _fact(self, region: Region) -> Iterator[Problem]:
        """A fact's own words state its own values."""
        keys = region.key.split(".")
        identifier = keys[1] if keys[0] == "facts" and len(keys) > 2 else keys[0]
        own = [known for known in self.known.facts if known.name.partition(".")[0] == identifier]
        if not own:
            return
        near = KnownNumbers(tuple(own), (), (), self.known.nouns)
        reader = Reader(self.options.slug, near, self.options.names)
        for numeral in reader.numerals(region):
            problem = reader.problem(region, numeral)
            if problem.rule == "drifted-number" and _is_telling(numeral.value):
                yield Problem(
                    problem.location,
                    problem.rule,
                    problem.message,
                    "Make the claim and the value agree.",
                )

    def _inserted(self, region: Region, inserted: Inserted) -> Iterator[Problem]:
        use = inserted.use
        if not isinstance(use, Use):
            return  # the check of names reports it
        if region.source.path.endswith("widget.yml") and use.kind != "number":
            return
        self.counter.use(region.track, use)
        first = str(use.arguments[0]) if use.arguments else ""
        if use.kind == "call" and use.name == "fact":
            self.cited.add(first.partition(".")[0])
        if use.kind == "call" and use.name in ("claim", "exempt"):
            yield from self._said(region, inserted, use.name, first)
        else:
            yield from check_units(region, inserted, use, self.known, self.facts)
        if use.kind == "call" and use.name == "claim":
            yield from check_claim(region, inserted, use, self.registry, self.known.nouns)
        if use.kind == "number" or use.name in ("fact", "exempt"):
            yield from check_glue(region, inserted)

    def _said(
        self, region: Region, inserted: Inserted, macro: str, words: str
    ) -> Iterator[Problem]:
        """Numbers in the words of a macro that the lesson computes."""
        shown = Region(region.kind, Source("", words).whole(), region.source)
        for numeral in self.reader.numerals(shown):
            problem = self.reader.exempt_problem(shown, numeral, inserted.start, macro)
            if problem is not None:
                yield problem

    def _count(self, region: Region, counts: Counts) -> None:
        self.counter.add(region.track, counts)


def _restates(numeral: Numeral, beside: Iterable[str]) -> bool:
    """Whether a label says the value that it labels: "16 bits" for 16."""
    number = numeral.readings[0].value / numeral.readings[0].factor
    return any(
        value.replace(".", "", 1).isdigit() and Fraction(value) == number for value in beside
    )


def _is_telling(value: Fraction) -> bool:
    """Whether a number has so many digits that it is hardly the same by chance."""
    return len(str(value.numerator).rstrip("0")) >= 3 or abs(value) >= 1000
