"""Defects planted in the real lesson: each is found at its place and named; the lesson is clean."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from planted_defects import DEFECTS, FACTS, FITS, MAX_GB, MAX_GIB, PAGE, QUIZ, SLUG, WIDGET

from workings.bundle import read_bundle
from workings.execution.execute import run_numbers
from workings.facts import Facts, read_facts
from workings.gate import Checked, Options, apply_edits, check_numbers
from workings.problems import Problem
from workings.project import read_project
from workings.prose import Source
from workings.registry import Registry, Scalar
from workings.rules import sort_by_level

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Real:
    """The lesson as it is: its sources, numbers, facts and settings."""

    sources: tuple[Source, ...]
    registry: Registry
    facts: Facts
    options: Options

    def check(self, accepted: Mapping[str, Scalar] | None = None) -> Checked:
        return check_numbers(self.sources, self.registry, self.facts, accepted or {}, self.options)

    def text(self, path: str) -> str:
        return next(source.text for source in self.sources if source.path == path)

    def only(self, path: str, text: str) -> Real:
        return Real((Source(path, text),), self.registry, self.facts, self.options)

    def with_text(self, path: str, text: str) -> Real:
        changed = tuple(Source(path, text) if s.path == path else s for s in self.sources)
        return Real(changed, self.registry, self.facts, self.options)


@pytest.fixture(scope="module")
def real() -> Real:
    problems: list[Problem] = []
    registries = run_numbers(read_project(ROOT), [SLUG], lambda line: None, problems)
    assert not problems, problems
    code = sorted((ROOT / "code" / SLUG).glob("*.py"))
    own = [
        str(path.relative_to(ROOT))
        for path in code
        if not path.name.startswith(("test_", "conftest"))
    ]
    paths = [PAGE, QUIZ, WIDGET, FACTS, *own]
    sources = tuple(Source(path, (ROOT / path).read_text(encoding="utf-8")) for path in paths)
    bundle = read_bundle(ROOT, PAGE, SLUG, problems)
    assert bundle is not None
    facts = {**read_facts((ROOT / FACTS).read_text(encoding="utf-8"), FACTS), **bundle.front.facts}
    options = Options(
        SLUG, exemptions=bundle.front.exempt, today=datetime.date(2026, 12, 1), stale_days=800
    )
    return Real(sources, registries[SLUG], facts, options)


def test_the_lesson_itself_has_no_problem(real: Real) -> None:
    assert list(map(str, real.check().problems)) == []


def test_the_suite_is_large() -> None:
    assert len(DEFECTS) >= 60


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_found_at_its_place(real: Real, name: str) -> None:
    defect = DEFECTS[name]
    text = real.text(defect.path)
    assert defect.old in text, f"the lesson has no {defect.old!r} any more"
    marked = text.replace(defect.old, defect.new, 1)
    at = marked.index("«")
    planted = marked.replace("«", "", 1).replace("»", "", 1)
    line, column = marked.count("\n", 0, at) + 1, at - marked.rfind("\n", 0, at)

    checked = real.only(defect.path, planted).check(defect.accepted)
    errors, _ = sort_by_level(
        checked.problems, {problem.rule: "off" for problem in checked.problems}
    )
    here = [p for p in checked.problems if (p.location.line, p.location.column) == (line, column)]
    assert [p.rule for p in here] == [defect.rule]
    assert defect.names in here[0].message
    assert here[0].mend
    if defect.rule not in ("uncited-fact", "number-in-code-comment"):
        assert here[0] in errors, "a setting hides it"


def test_fix_puts_the_page_right_again(real: Real) -> None:
    """Every number of the page typed by hand in the form in which it was bound."""
    bound = real.text(PAGE)
    typed = bound
    for template, text in {
 MAX_GIB: "5.625 GiB", MAX_GB: "6 GB", FITS: "nine",
        "{{ n.gemini_fewest_words | sig(2) }}": "630,000", "{{ n.weights_bytes | gb(1) }}": "16.4 GB",
    }.items():  # fmt: skip
        assert template in typed
        typed = typed.replace(template, text)
    fixed = typed
    for _ in range(2):
        problems = real.with_text(PAGE, fixed).check().problems
        fixed = apply_edits(fixed, [p.edit for p in problems if p.edit and p.location.path == PAGE])
    assert fixed == bound
