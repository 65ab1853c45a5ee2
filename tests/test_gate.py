"""What the gate says about a source, to the letter, and what its edits do."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from gate_samples import FACTS, FRONT, PAGE, TODAY, check, registry
from hypothesis import given, settings
from hypothesis import strategies as st

from workings import formats
from workings.bundle import Exemption, FrontMatter, split_front_matter
from workings.gate import Counts, Options, apply_edits, check_numbers
from workings.problems import Edit, Location, Problem
from workings.prose import Source
from workings.registry import Registry
from workings.rules import GATE_RULES, RULES, level_of, setting_problems, sort_by_level
from workings.yamlio import read

MESSAGES = Path(__file__).parent / "messages"
unhurried = settings(deadline=None)


def samples() -> list[tuple[str, str, str, str]]:
    """(rule, path, source, what the gate says) of every block of the message files."""
    found = []
    for file in sorted(MESSAGES.glob("*.txt")):
        path = PAGE
        for block in file.read_text(encoding="utf-8").split("\n----\n"):
            if block.startswith("path: "):
                path = block.removeprefix("path: ")
                continue
            source, said = block.split("\n=>\n")
            found.append((file.stem, path, source, said.strip()))
    return found


def exemptions(text: str) -> tuple[Exemption, ...]:
    if not text.startswith("---"):
        return ()
    front = split_front_matter(text)[0]
    return read(FrontMatter, front, PAGE, "the front matter", first_line=2).exempt


def said(problem: Problem) -> str:
    edit = f"\n    edit: {problem.edit.old!r} -> {problem.edit.new!r}" if problem.edit else ""
    return f"{problem}{edit}"


@pytest.mark.parametrize(
    ("rule", "path", "source", "expected"), samples(), ids=lambda value: value[:40].strip()
)
def test_messages_to_the_letter(rule: str, path: str, source: str, expected: str) -> None:
    options = Options("tea", exemptions=exemptions(source), today=TODAY)
    assert "\n".join(map(said, check(source, path, options=options).problems)) == expected


def test_every_rule_of_the_gate_has_its_messages() -> None:
    elsewhere = {"unknown-name", "false-claim", "unused-number", "wide-exemption"}
    assert {file.stem for file in MESSAGES.glob("*.txt")} >= set(GATE_RULES) - elsewhere


# --- what is in order -------------------------------------------------------------------------

IN_ORDER = [
    "Each token takes {{ n.bytes_per_token }} bytes, {{ n.bytes_per_token | kib }} in all.",
    "A {{ n.rows[0].tokens }}-token message; {{ n.kept_messages | words }} messages.",
    "{{ n.share | percent }} of it, {{ n.saved_percent }}% of that.",
    "{{ n.cache_bytes | gib }} ({{ n.cache_bytes | bytes }}).",
    "{{ n.read_tokens | plural('token') }} of text, {{ n.growth | multiple }} as many.",
    "{{ n.growth | words }} times as many, {{ n.wait_s }} s.",
    "${{ fact('price') }} for {{ fact('gemini-window') }} tokens.",
    'It is {{ claim("four times", "n.growth == 4") }} as long.',
    'It is {{ claim("a quarter", "4 * n.share == 1") }}, {{ claim("the same", "n.growth == n.growth") }}.',
    'A day has {{ exempt("24", "hours in a day") }} hours.',
    "$2k - 1$ and $n(n+1)/2$ of $t\\,n^2$ tokens; $x = {{ n.bytes_per_token }}$.",
    "Message 1 is gone, and one or two of them return.",
    "See Figure 3, section 2.1 and step 4 of RFC 9110 (2022).",
]


@pytest.mark.parametrize("text", IN_ORDER)
def test_a_source_in_order_has_no_problem(text: str) -> None:
    assert check(text, accepted={}).problems == ()


CLEAN_PAGE = """
# 3. Notes on 2026-12-01

## 3.1 Versions

Python 3.11, 3.12 and 3.13 run it; so do MkDocs 1.6.1 and `numpy==2.4.6`. See [the notes][1] of
Qwen3-8B, GPT-4o, an H100, an RTX 4090 and cl100k_base, or arXiv 2307.03172 and 10.1145/3600006.3613165.

1. First, as Liu et al. (2023) say in Figure 2.
2. Then, on 17 October 2026 at 14:30, Willison 2023 and RFC 9110.
10. Last: ISO 8601 and UTF-8, <https://example.org/2023/147456>.

```python
x = 147_456  # {{ 5 }}
```

    y = 9

Since 2017 (Vaswani et al., 2017) the 1990s are over.[^7] Licensed CC BY 4.0. HTTP 404 on port 8000, 24/7.

[1]: https://example.org/v2 "Notes"
[^7]: See section 4.2, pages 12 to 14.

<!-- 147,456 -->
"""


def test_a_page_of_years_versions_and_names_has_no_problem() -> None:
    assert check(CLEAN_PAGE * 20, accepted={}).problems == ()


# --- exemptions, claims, facts ----------------------------------------------------------------


def test_the_front_matter_exempts_a_text_in_each_source() -> None:
    entry = Exemption("24 hours", "a day", Location(PAGE, 4, 10))
    options = Options("tea", exemptions=(entry,))
    assert check("Within 24 hours.", options=options).problems == ()
    assert (
        check("- question: In 24 hours?\n", "lessons/tea/quiz.yml", options=options).problems == ()
    )


def test_an_exemption_covers_no_other_text() -> None:
    entry = Exemption("24 hours", "a day", Location(PAGE, 4, 10))
    found = check("Within 24 hours, or 25.", options=Options("tea", exemptions=(entry,))).problems
    assert [(p.rule, p.location.column) for p in found] == [("unbound-number", 21)]


def test_an_exemption_hides_no_computed_number() -> None:
    entry = Exemption("147,456 bytes", "a guess", Location(PAGE, 4, 10))
    (found,) = check("It has 147,456 bytes.", options=Options("tea", exemptions=(entry,))).problems
    assert found.message == "the number 147,456 bytes is exempt, yet equals n.bytes_per_token."


def test_an_exemption_needs_the_words_around() -> None:
    entry = Exemption("24", "hours of a day", Location(PAGE, 4, 10))
    found = check("Within 24 hours.", options=Options("tea", exemptions=(entry,))).problems
    assert [str(problem) for problem in found] == [
        f"{PAGE}:4:10: [wide-exemption] '24' would be exempt wherever it stands in the lesson. "
        "Give the words around the number too."
    ]


def test_a_fact_is_fresh_until_the_limit() -> None:
    seen = FACTS["old-fact"].seen
    for days, count in ((400, 0), (401, 1)):
        options = Options("tea", today=seen + datetime.timedelta(days=days))
        rules = [p.rule for p in check("{{ fact('old-fact') }}", options=options).problems]
        assert rules == ["stale-fact"] * count


def test_the_words_of_a_fact_agree_with_its_value() -> None:
    source = "gemini-window:\n  value: 1048576\n  claim: It takes 1,048,567 tokens in 2 forms.\n"
    (found,) = check(source, "lessons/facts.yml").problems
    assert (found.rule, found.location) == ("drifted-number", Location("lessons/facts.yml", 3, 19))


def test_a_quiz_answer_is_an_expression() -> None:
    (typed,) = check("- id: a\n  answer: 147456\n", "lessons/tea/quiz.yml").problems
    assert typed.edit == Edit(
        Location("lessons/tea/quiz.yml", 2, 11), "147456", "n.bytes_per_token"
    )
    assert (
        check("- id: a\n  answer: n.bytes_per_token / 2\n", "lessons/tea/quiz.yml").problems == ()
    )


WIDGET = "widgets/tea/widget.yml"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("inputs: [{id: layers, default: n.layers, min: 1, max: 256}]", []),
        ("inputs: [{id: layers, default: 36}]", ["unbound-number"]),
        ("inputs: [{id: layers, default: 35}]", ["drifted-number"]),
        ("inputs: [{id: other, default: 16}]", []),
        ("inputs: [{id: other, default: 147456}]", ["unbound-number"]),
        ("inputs: [{id: other, help: up to 40 of them}]", ["unbound-number"]),
        ("inputs: [{id: bits, choices: [{value: 16, label: 16 bits}, {value: 8, label: 4 bits}]}]",
         ["unbound-number"]),
    ],
)  # fmt: skip
def test_a_widget_starts_from_the_lessons_numbers(text: str, rules: list[str]) -> None:
    assert [p.rule for p in check(text, WIDGET).problems] == rules


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ('FIGURES = {"a": {"alt": "Nine messages"}}', ["unbound-number"]),
        ("def a(n):\n    ax.set_title(f'{n[0]} of 36 layers')\n", ["unbound-number"]),
        ("def a(n):\n    ax.plot([0, 1], [0, 147456])\n", ["unbound-number"]),
        ("def a(n):\n    ax.annotate('', (6, 0), boxstyle='square,pad=0.1', color='C0')\n", []),
        ("def a(n):\n    ax.plot(n['x'], lw=1.5, label='')\n", []),
    ],
)
def test_a_figure_takes_its_numbers_from_the_lesson(code: str, rules: list[str]) -> None:
    assert [p.rule for p in check(code, "code/tea/figures.py").problems] == rules


def test_unused_numbers_are_named_where_they_are_computed() -> None:
    page = Source(
        PAGE, FRONT + " ".join(f"n.{name}" for name in registry().numbers if name != "growth")
    )
    found = check_numbers([page], registry(), {}, {}, Options("tea")).problems
    assert [str(p) for p in found if p.rule == "unused-number"] == [
        "code/tea/show_numbers.py:21:1: [unused-number] nothing shows or asserts n.growth. "
        "Use it as {{ n.growth }}, or take it out of numbers()."
    ]


def test_a_page_of_no_lesson_names_numbers_of_lessons() -> None:
    page = Source("docs/index.md", "It has 147,456 parts.")
    (found,) = check_numbers([page], Registry(""), {}, {}, Options("")).problems
    assert str(found) == (
        "docs/index.md:1:8: [unbound-number] the number 147,456 is typed, and no number equals it. "
        'Write {{ number("LESSON.NAME") }}, or {{ exempt("147,456", "the reason") }}.'
    )


# --- coverage ---------------------------------------------------------------------------------


def test_coverage_counts_by_ground_and_track() -> None:
    text = (
        "{{ n.layers }} and {{ fact('price') }}\n\n/// plain\n{{ exempt('5', 'x') }}\n///\n\n"
        '/// deep\n{{ table("rows", "reply", "tokens") }} and 77\n///\n'
    )
    coverage = check(text).coverage
    assert coverage.total == Counts(bound=5, cited=1, exempt=1, typed=1)
    assert coverage.tracks == {
        "deep": Counts(bound=5, cited=1, typed=1),
        "plain": Counts(bound=1, cited=1, exempt=1),
    }
    assert str(coverage.total) == "5 of 6 bound, 1 cited, 1 exempt"


# --- rules ------------------------------------------------------------------------------------


def test_fixed_rules_cannot_be_lowered() -> None:
    for rule in ("unbound-number", "drifted-number", "double-unit", "unknown-name"):
        assert level_of(rule, {rule: "off"}) == "error"
    assert level_of("stale-fact") == "warning"
    assert level_of("stale-fact", {"stale-fact": "error"}) == "error"
    assert setting_problems({"unbound-number": "off"}) == [
        "the rule 'unbound-number' cannot be lowered."
    ]


def test_problems_go_by_their_levels() -> None:
    at = Location("a.md")
    problems = [
        Problem(at, rule, "x") for rule in ("unbound-number", "stale-fact", "unused-number")
    ]
    errors, warnings = sort_by_level(problems, {"unused-number": "off"})
    assert [p.rule for p in errors] == ["unbound-number"]
    assert [p.rule for p in warnings] == ["stale-fact"]


def test_each_rule_says_what_why_and_how() -> None:
    for rule in RULES.values():
        assert rule.what.endswith(".") and rule.why.endswith("."), rule.id
        assert rule.example and rule.mend, rule.id


# --- edits ------------------------------------------------------------------------------------


def fix(text: str, path: str = PAGE) -> str:
    """What `--fix` makes of the source; the sample's front matter is taken off again."""
    is_body = path == PAGE and not text.startswith("---")
    edits = [p.edit for p in check(text, path).problems if p.edit]
    whole = apply_edits(FRONT + text if is_body else text, edits)
    return whole.removeprefix(FRONT) if is_body else whole


FIXED = [
    ("**147,456** bytes", "**{{ n.bytes_per_token }}** bytes"),
    ("147,456&nbsp;bytes", "{{ n.bytes_per_token }}&nbsp;bytes"),
    ("a 36-layer model", "a {{ n.layers }}-layer model"),
    ("| a | 144 KiB |\n|---|---|\n| 9 messages | x |",
     "| a | {{ n.bytes_per_token | kib }} |\n|---|---|\n| {{ n.kept_messages }} messages | x |"),
    ("![Nine messages](a.png)", "![{{ n.kept_messages | words | capital }} messages](a.png)"),
    ("## Nine messages", "## {{ n.kept_messages | words | capital }} messages"),
    ('[a](b "147,456 bytes")', '[a](b "{{ n.bytes_per_token }} bytes")'),
    ('<p title="147,456 bytes">x</p>', '<p title="{{ n.bytes_per_token }} bytes">x</p>'),
    ("1,048,576 tokens", '{{ fact("gemini-window") }} tokens'),
    ("589,824 bytes were 147,456", "{{ n.bytes_per_token }} bytes were {{ n.bytes_per_token }}"),
    ("{{ n.cache_bytes | gib }} GiB.", "{{ n.cache_bytes | gib }}."),
    ("eight messages", "eight messages"),
    ("24 hours", "24 hours"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fixed"), FIXED)
def test_fix_rewrites_what_is_certain(text: str, fixed: str) -> None:
    assert fix(text) == fixed
    assert fix(fixed) == fixed


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("- question: It has 147,456 bytes\n", "- question: It has {{ n.bytes_per_token }} bytes\n"),
        ("- question: 147,456 bytes\n", "- question: 147,456 bytes\n"),
        ("- question: '147,456 bytes'\n", "- question: '{{ n.bytes_per_token }} bytes'\n"),
        ("- question: 'All 1,048,576'\n", "- question: 'All {{ fact(\"gemini-window\") }}'\n"),
        ('- question: "All 1,048,576"\n', "- question: \"All {{ fact('gemini-window') }}\"\n"),
        ("- hint: >-\n    It has\n    147,456 bytes\n", "- hint: >-\n    It has\n    {{ n.bytes_per_token }} bytes\n"),
    ],
)  # fmt: skip
def test_fix_keeps_yaml_valid(text: str, fixed: str) -> None:
    assert fix(text, "lessons/tea/quiz.yml") == fixed


def test_an_edit_that_does_not_fit_is_left_out() -> None:
    at = Location("a.md", 1, 1)
    assert apply_edits("abc", [Edit(at, "x", "y"), Edit(Location("a.md", 9, 1), "a", "b")]) == "abc"
    assert (
        apply_edits("abc", [Edit(at, "ab", "1"), Edit(Location("a.md", 1, 2), "bc", "2")]) == "1c"
    )


WORDS = st.sampled_from(
    [
        "It has",
        "about",
        "**bold**",
        "and `x = 5`",
        "in 2023.",
        "Qwen3-8B",
        "é – ü",
        "to",
        "{{ n.layers }}",
        "(a)",
        "\n",
    ]
)
TYPED = st.sampled_from(
    ["147,456 bytes", "144 KiB", "5.625 GiB", "6 GB", "nine messages", "36 layers", "5 000 tokens", "25%",
     "8.2 billion parameters", "630,000 words", "90%", "1,048,576 tokens", "589,824 bytes", "$x = 147{,}456$"]
)  # fmt: skip


@given(st.lists(st.one_of(WORDS, TYPED), max_size=12))
@unhurried
def test_fix_then_check_is_clean(pieces: list[str]) -> None:
    text = " ".join(["Text", *pieces])
    fixed = fix(text)
    assert [
        p for p in check(fixed).problems if p.rule in ("unbound-number", "drifted-number")
    ] == []
    assert fix(fixed) == fixed


@given(
    st.lists(st.tuples(st.text(max_size=9), st.text(min_size=1, max_size=3), st.text(max_size=5)))
)
@unhurried
def test_text_outside_edits_is_untouched(pieces: list[tuple[str, str, str]]) -> None:
    text, expected, edits = "", "", []
    for kept, old, new in pieces:
        text, expected = text + kept, expected + kept
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        edits.append(Edit(Location("a.md", line, column), old, new))
        text, expected = text + old, expected + new
    assert apply_edits(text, edits) == expected


@given(
    st.sampled_from(
        ["bytes_per_token", "cache_bytes", "parameters", "read_tokens", "fewest_words"]
    ),
    st.sampled_from(
        [
            "",
            "gib",
            "gib(1)",
            "mib(0)",
            "gb(2)",
            "kib",
            "bytes",
            "sig(3)",
            "billions(1)",
            "round(1)",
            "plain",
        ]
    ),
)
@unhurried
def test_a_number_typed_in_any_form_is_named(name: str, chain: str) -> None:
    leaf = registry().leaf(name)
    if chain.partition("(")[0] in ("gib", "mib", "gb", "kib", "bytes") and "bytes" not in name:
        return
    typed = formats.display(leaf.value, formats.parse_chain(chain))
    half_width = formats.show(leaf.value, formats.parse_chain(chain)).half_width
    if half_width * 10 > formats.exact(leaf.value):
        return  # 0.0 GiB states next to nothing
    (found,) = check(f"It is {typed} large.", accepted={}).problems
    assert f"n.{name}" in found.message
    assert found.location == Location(PAGE, 5, 7)
