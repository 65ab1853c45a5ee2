"""Every text of a source that readers meet is found at its true place; code is left out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.prose import Region, Source, regions

unhurried = settings(deadline=None)  # machines may be busy
PAGE = "lessons/tea/index.md"
FRONT = "---\ntitle: Tea\ndescription: How to\n---\n\n"


@dataclass(frozen=True)
class Case:
    kind: str
    text: str
    path: str = PAGE
    track: str | None = None


# In each text the number 77 is what the reader meets.
SEEN = [
    Case("front matter", "---\ntitle: Tea for 77\n---\n"),
    Case("front matter", '---\ntitle: "Tea\\u2009\\"for\\" 77"\n---\n'),
    Case("front matter", "---\ntitle: 'It''s 77'\n---\n"),
    Case("front matter", "---\ndescription: >-\n  Folded text\n  of 77 lines\n\n  and more\n---\n"),
    Case("front matter", "---\ndescription: |\n  Literal\n    text of 77\n---\n"),
    Case("front matter", '---\ndescription: "Quoted text\n  of 77 lines"\n---\n'),
    Case("front matter", "---\nskills:\n  - One\n  - Pour 77 cups\n---\n"),
    Case("front matter", "---\nparameters: {n: {label: Cups, help: up to 77}}\n---\n"),
    Case("prose", "A pot of 77 cups."),
    Case("prose", "A pot of **77** cups."),
    Case("prose", "Über *naïve* – 77 cups."),
    Case("prose", "First line\nand 77 on the second."),
    Case("prose", "A hard  \nbreak of 77 cups."),
    Case("prose", "> Quoted\n> over 77 lines"),
    Case("prose", "> lazily\nquoted 77"),
    Case("prose", "- a list\n- of 77 items"),
    Case("prose", "1. a list\n\n    that goes on with 77"),
    Case("prose", "- a\n    - b\n        - c 77"),
    Case("prose", "* [ ] a task of 77"),
    Case("prose", "[a link of 77](https://example.org/1 'x')"),
    Case("prose", "[a link of 77][ref]\n\n[ref]: https://example.org"),
    Case("prose", "Text.[^1]\n\n[^1]: A note of 77 words."),
    Case("prose", "Text.[^a]\n\n[^a]: A note.\n\n    It goes on with 77."),
    Case("prose", "Inline^[a note of 77]."),
    Case("prose", "Term\n:   A definition of 77"),
    Case("prose", "*[KV]: 77 keys"),
    Case("prose", '!!! note "Note 77"\n    Text.'),
    Case("prose", "!!! note\n    Text of 77.\n"),
    Case("prose", "??? tip\n\n    Folded 77.\n"),
    Case("prose", "???+ tip inline end\n    !!! note\n        Nested 77.\n"),
    Case("prose", '=== "Tab 77"\n\n    Text.'),
    Case("prose", '=== "Tab"\n\n    - a\n    - 77\n'),
    Case("prose", "- item\n\n    !!! note\n        inside 77\n\n    after"),
    Case("prose", "- item\n\n      text that CommonMark takes for code: 77"),
    Case("prose", "!!! note\n\tIndented by a tab: 77.\n"),
    Case("prose", "- item\n\n\tgoes on with 77"),
    Case("prose", "```mermaid\ngraph LR\nA[77] --> B\n```"),
    Case("prose", "/// plain\nA pot of 77.\n///", track="plain"),
    Case("prose", "/// plain\nx\n///\n\n/// deep\n- A pot\n- of 77.\n///", track="deep"),
    Case("prose", "/// note | Title 77\nx\n///"),
    Case("prose", "Escaped \\* and 77"),
    Case("prose", "Entity&nbsp;77 here"),
    Case("prose", "`code` and 77"),
    Case("prose", "$x$ and 77"),
    Case("prose", "{{ n.x }} and 77"),
    Case("prose", "<b>77</b> in a line"),
    Case("heading", "# A pot of 77"),
    Case("heading", "## A pot of 77 {#pot}"),
    Case("heading", "A pot of 77\n===="),
    Case("table", "| a | b |\n|---|---|\n| c | 77 |"),
    Case("table", "a | 77\n--|--\nc | d"),
    Case("table", "| a | b |\n|---|---|\n| `c | d` | {{ n.x | gib }} of 77 |"),
    Case("table", "| a | b |\n|---|---|\n| c \\| d | 77 |"),
    Case("math", "Inline $x = 77$."),
    Case("math", "$$\nx\n= 77\n$$"),
    Case("math", "$$x = 77$$"),
    Case("math", "- a\n\n    $$x = 77$$\n"),
    Case("html", "<div>\n<p>A pot of 77</p>\n</div>"),
    Case("html", "<details><summary>77 cups</summary>\nx\n</details>"),
    Case("html", "<table><tr><td>77</td></tr></table>"),
    Case("prose", "<svg><text>77</text></svg>"),
    Case("attribute", '<img src="1.png" alt="A pot of 77">'),
    Case("attribute", "<p title='A pot of 77'>x</p>"),
    Case("attribute", 'Text <abbr title="of 77">KV</abbr>.'),
    Case("attribute", '<div aria-label="A pot of 77" data-x="5">\n</div>'),
    Case("attribute", 'Text.{: title="A pot of 77" }'),
    Case("attribute", '<input value="77">'),
    Case("attribute", '<IMG ALT="of 77">'),
    Case("alt", "![A pot of 77](pot.png)"),
    Case("alt", "![A *pot* [of] 77](pot.png)"),
    Case("link title", "[a](b.md 'A pot of 77')"),
    Case("link title", '![a](b.png "A pot of 77")'),
    Case("link title", '[a][b]\n\n[b]: c.md "A pot of 77"'),
    Case("template", '{{ table("rows", "cups: Cups of 77 | words") }}'),
    Case("template", '{{ table("rows", "cups", caption="A pot of 77") }}'),
    Case("template", '{{ n.cups | plural("cup of 77") }}'),
    Case("include", '--8<-- "77.md"'),
    Case("include", '{%% include "77.md" %%}'),
    Case("quiz", "- id: a\n  question: Pour 77\n", "lessons/tea/quiz.yml"),
    Case("quiz", "- options:\n  - {text: Pour 77}\n", "lessons/tea/quiz.yml"),
    Case("quiz", "- misconceptions:\n  - says: >-\n      You\n      poured 77\n", "lessons/tea/quiz.yml"),
    Case("math", "- explanation: It is $x = 77$.\n", "lessons/tea/quiz.yml"),
    Case("answer", "- answer: 77\n", "lessons/tea/quiz.yml"),
    Case("widget", "panels:\n- title: Pour 77\n", "widgets/tea/widget.yml"),
    Case("widget", "tables:\n- columns: ['tokens: Tokens of 77 | gib']\n", "widgets/tea/widget.yml"),
    Case("text", "x = 'a pot of 77'\n", "code/tea/kettle.py"),
    Case("code", "```\n77\n```"),
    Case("code", "~~~python\n77\n~~~"),
    Case("code", "- a\n\n    ```\n    77\n    ```\n"),
    Case("code", "!!! note\n    ```\n    77\n    ```\n"),
    Case("code", "Text.\n\n    77 in indented code"),
    Case("code", "- a\n\n        77 in indented code of an item"),
    Case("code", "A span `77` of code"),
    Case("code", "<pre>77</pre>"),
    Case("attribute", '```python title="x of 77"\ny\n```'),
    Case("math", "\\[\nx = 77\n\\]"),
    Case("math", "\\begin{align}\nx = 77\n\\end{align}"),
    Case("math", "$\\sum_{k=1}^{77} k$"),
    Case("widget", "inputs:\n- {help: 'Up to 77 cups'}\n", "widgets/tea/widget.yml"),
    Case("answer", "inputs:\n- {default: 77}\n", "widgets/tea/widget.yml"),
    Case("fact", "tea:\n  claim: A pot of 77\n", "lessons/facts.yml"),
    Case("figure", 'FIGURES = {"a": {"alt": "A pot of 77"}}', "code/tea/figures.py"),
    Case("figure", 'FIGURES = {"a": {"alt": "A "\n    "pot \\u2013 of 77"}}', "code/tea/figures.py"),
    Case("figure", "def a(n):\n    ax.set_title(f'A {n[\"x\"]} pot of 77')\n", "code/tea/figures.py"),
    Case("figure", "def a(n):\n    ax.text(1, 2, 'of 77')\n", "code/tea/figures.py"),
    Case("docstring", 'def a():\n    """A pot.\n\n    Of 77.\n    """\n', "code/tea/kettle.py"),
    Case("comment", "x = 1  # a pot of 77\n", "code/tea/kettle.py"),
    Case("comment", "# a pot\n# of 77\nx = 1\n", "code/tea/kettle.py"),
]  # fmt: skip


def read(case: Case) -> tuple[Source, list[Region]]:
    is_body = case.path == PAGE and not case.text.startswith("---")
    source = Source(case.path, FRONT + case.text if is_body else case.text)
    return source, list(regions(source))


@pytest.mark.parametrize("case", SEEN, ids=lambda case: f"{case.kind}: {case.text[:40]!r}")
def test_finds_a_text_at_its_place(case: Case) -> None:
    source, found = read(case)
    hits = [r for r in found if "77" in r.text.text]
    assert [(hit.kind, hit.track) for hit in hits] == [(case.kind, case.track)]
    at = source.text.index("77")
    line = source.text.count("\n", 0, at) + 1
    column = at - source.text.rfind("\n", 0, at)
    place = hits[0].location(hits[0].text.text.index("77"))
    assert (place.path, place.line, place.column) == (case.path, line, column)


UNSEEN = [
    "<!-- 77 -->",
    "<script>\nlet x = 77\n</script>",
    "<https://example.org/77>",
    "[a](https://example.org/77)",
    "![a](77.png)",
    "{{ n.rows[77].x }}",
    '{{ exempt("77", "seats") }}',
    '{{ figure("pot-77") }}',
    "{## a comment of 77 ##}",
    "## 77. A numbered heading",
    "77. A numbered list",
    "## Title {#sec-77}",
    '<img src="77.png" width="77">',
    "[ref]: https://example.org/77",
]


@pytest.mark.parametrize("text", UNSEEN)
def test_leaves_out_what_is_no_text(text: str) -> None:
    _, found = read(Case("", text))
    assert [r.text.text for r in found if "77" in r.text.text] == []


def test_front_matter_that_is_data_is_no_text() -> None:
    front = (
        "---\ntitle: Tea\norder: 77\nminutes: {plain: 77}\ndate: 2077-07-07\n"
        "exempt: [{text: '77', reason: x}]\n---\n"
    )
    assert [r for r in regions(Source(PAGE, front)) if "77" in r.text.text] == []


def test_doctests_are_no_prose() -> None:
    code = 'def a():\n    """A pot.\n\n    >>> 70 + 7\n    77\n\n    More.\n    """\n'
    (found,) = regions(Source("code/tea/kettle.py", code))
    assert "77" not in found.text.text
    assert "More." in found.text.text


def test_templates_are_told_with_their_places() -> None:
    source = Source(PAGE, FRONT + "Pour {{ n.cups | words }} cups\nof {{ fact('tea') }}.")
    (found,) = [r for r in regions(source) if r.kind == "prose"]
    assert found.text.text == "Pour \ufffc cups\nof \ufffc."
    assert [source.text[i.start : i.end] for i in found.inserted] == [
        "{{ n.cups | words }}", "{{ fact('tea') }}",
    ]  # fmt: skip


def test_marks_are_gone_and_entities_are_characters() -> None:
    (found,) = [r for r in regions(Source(PAGE, FRONT + "**147**,456&nbsp;B")) if r.kind == "prose"]
    assert found.text.text == "147,456\u00a0B"


def test_a_raised_number_is_a_power_of_ten() -> None:
    texts = [
        r.text.text for r in regions(Source(PAGE, FRONT + "10<sup>6</sup>, 147,456<sup>2</sup>"))
    ]
    assert texts[-1] == "10^6, 147,456 2"


@pytest.mark.parametrize(
    ("math", "text"),
    [
        (r"2^{20}", "2^{20}"),
        (r"390{,}625\,\text{bytes}", "390,625\u2009bytes"),
        (r"\tfrac12 n^2", "1/2 \U0001d465 "),
        (r"2k - 1", "2\U0001d465 - 1"),
        (r"25\%", "25%"),
        (r"a_7 b_{12}", "\U0001d465  \U0001d465 12 "),
    ],
)
def test_math_as_text(math: str, text: str) -> None:
    (found,) = [r for r in regions(Source(PAGE, f"{FRONT}${math}$")) if r.kind == "math"]
    assert found.text.text == text


BROKEN = [
    "---\na: [\n---\nText 5",
    "---\n",
    "{{ n.x",
    "{{ 'a }}",
    "| a |\n|--|",
    "$$",
    "!!!",
    "/// x",
    "<a href='",
    "```",
    "",
]


@pytest.mark.parametrize("text", BROKEN)
def test_broken_sources_are_read_as_far_as_they_go(text: str) -> None:
    for path in (PAGE, "lessons/tea/quiz.yml", "code/tea/figures.py", "code/tea/kettle.py"):
        list(regions(Source(path, text)))


PIECES = [case.text for case in SEEN if case.path == PAGE and not case.text.startswith("---")]


@given(st.lists(st.sampled_from(PIECES + UNSEEN), max_size=6), st.sampled_from(["\n\n", "\n"]))
@unhurried
def test_every_character_stands_where_it_is_said_to(texts: list[str], between: str) -> None:
    source = Source(PAGE, FRONT + between.join(texts))
    for found in regions(source):
        for index, character in enumerate(found.text.text):
            if character.isascii() and character.isalnum():
                assert source.text[found.text.at(index)] == character


@given(st.text(st.sampled_from("a7 \n`*_[](){}<>|$!#-:'\"\\&;/=~^"), max_size=80))
@unhurried
def test_any_text_can_be_read(text: str) -> None:
    for path in (PAGE, "lessons/tea/quiz.yml", "code/tea/figures.py"):
        list(regions(Source(path, text)))


def test_reading_does_not_depend_on_the_order_of_pages() -> None:
    cases = SEEN[:3]
    first = [[r.text.text for r in read(case)[1]] for case in cases]
    for order in permutations(range(3)):
        assert [[r.text.text for r in read(cases[i])[1]] for i in order] == [
            first[i] for i in order
        ]
