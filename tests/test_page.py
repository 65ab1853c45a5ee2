"""A page's templates: where they stand, what they use, what they become."""

from __future__ import annotations

import pytest

from workings.page.code_ranges import hide_code, mask_code, show_code
from workings.page.templates import BadTemplate, Use, find_templates, locate, read_template
from workings.page.tokens import Shown, Token, Tokens
from workings.problems import Location


def use(text: str) -> Use | BadTemplate:
    return read_template(next(find_templates(text)))


def test_a_template_says_what_it_uses_and_where() -> None:
    assert use("a {{ n.tokens | gib(2) | signed }}") == Use(
        "number", "tokens", 7, (("gib", (2,)), ("signed", ()))
    )
    assert use("{{ n.rows[2].tokens }}") == Use("number", "rows[2].tokens", 5)
    assert use('{{ fact("gemini-window") }}') == Use("call", "fact", 3, (), ("gemini-window",))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ n.a * 2 }}", "computes in the page."),
        ("{{ answer }}", "uses 'answer', which is none of ours."),
        ("{{ fact(name) }}", "gives 'fact' something that is no plain value (quote names)."),
        ("{{ n.a | gib(n.b) }}", "gives 'gib' something that is no plain value."),
        ("{{ 5 }}", "is neither a number 'n.NAME' nor a call such as fact(\"id\")."),
    ],
)
def test_a_template_that_is_none_says_why(text: str, reason: str) -> None:
    found = use(text)
    assert isinstance(found, BadTemplate)
    assert found.reason == reason


def test_braces_in_quotes_do_not_end_a_template() -> None:
    text = '{{ claim("a }} b", "n.a == 1") }} {{ n.a }}'
    assert [text[t.start : t.end] for t in find_templates(text)] == [
        '{{ claim("a }} b", "n.a == 1") }}',
        "{{ n.a }}",
    ]


def test_a_place_counts_lines_and_columns_as_an_editor_does() -> None:
    text = "é {{ n.a }}\nxy {{ n.b }}"
    first, second = find_templates(text)
    assert locate(text, first.start, "p.md", 10) == Location("p.md", 10, 3)
    assert locate(text, second.start, "p.md", 10) == Location("p.md", 11, 4)


def test_code_is_never_templated() -> None:
    text = "a `{{ n.x }}` b\n\n```python\nf'{{ 1 }}'\n```\n\n{{ n.y }}\n"
    assert [t.expression for t in find_templates(mask_code(text))] == [" n.y "]
    hidden = hide_code(text)
    assert [t.expression for t in find_templates(hidden)] == [" n.y "]
    assert show_code(hidden) == text


def token(tokens: Tokens, name: str = "a", text: str = "1,000") -> str:
    element = f'<data class="wk-number" value="1000" data-name="{name}">{text}</data>'
    return tokens.add(Token(lambda: element, text, text, Shown(name, 1000, text)))


def test_a_number_is_an_element_in_text_and_plain_where_html_takes_none() -> None:
    tokens = Tokens()
    one = token(tokens)
    element = '<data class="wk-number" value="1000" data-name="a">1,000</data>'
    assert tokens.resolve(f"<p>So {one}.</p>") == f"<p>So {element}.</p>"
    assert tokens.resolve(f'<img alt="{one} bytes">') == '<img alt="1,000 bytes">'
    assert tokens.resolve(f"<svg><title>{one}</title></svg>") == "<svg><title>1,000</title></svg>"
    assert tokens.resolve(f"<!-- {one} -->{one}") == f"<!-- 1,000 -->{element}"


def test_a_block_takes_the_place_of_its_paragraph() -> None:
    tokens = Tokens()
    one = tokens.add(Token(lambda: "<table></table>", "", ""))
    assert tokens.resolve(f"<p>{one}</p>\n<p>b</p>") == "<table></table>\n<p>b</p>"


def test_a_place_is_given_to_the_tokens_made_since_the_last() -> None:
    tokens = Tokens()
    token(tokens, "a")
    tokens.place(Location("p.md", 1))
    token(tokens, "b")
    token(tokens, "c")
    tokens.place(Location("p.md", 2))
    assert [(s.name, s.place.line) for s in tokens.shown() if s.place] == [
        ("a", 1), ("b", 2), ("c", 2),
    ]  # fmt: skip
