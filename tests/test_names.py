"""A fault in a lesson's sources is named with its place and its mend, all of them in one run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conftest import SmallSite

Make = Callable[..., SmallSite]
PAGE = "lessons/tea/index.md"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        (
            "{{ n.water_mll }}",
            "[unknown-name] there is no number 'n.water_mll'. Did you mean 'water_ml'?",
        ),
        (
            "{{ n.water_ml | gibb }}",
            "[unknown-name] there is no filter 'gibb'. Did you mean 'gib'?",
        ),
        (
            "{{ n.water_ml * 2 }}",
            "[bad-template] this template computes in the page. "
            "Compute it in show_numbers.py and bind its name.",
        ),
        (
            '{{ figur("steam") }}',
            "[unknown-name] there is no macro 'figur'. Did you mean 'figure'?",
        ),
        (
            '{{ figure("steam") }}',
            "[unknown-figure] there is no figure 'steam'. None is known here.",
        ),
        ('{{ fact("boil") }}', "[unknown-fact] there is no fact 'boil'. None is known here."),
        (
            '{{ listing("kettle.water") }}',
            "[unknown-symbol] code/tea/kettle.py has no 'water'. Did you mean 'water_ml'?",
        ),
        (
            '{{ listing("kettel.water_ml") }}',
            "[unknown-symbol] code/tea has no module 'kettel'. Did you mean 'kettle'?",
        ),
        ("{{ quiz() }}", "[unknown-quiz] the lesson has no quiz. Write lessons/tea/quiz.yml."),
        (
            '{{ claim("more than a litre", "n.water_ml > 1000") }}',
            "[false-claim] 'more than a litre' does not hold: n.water_ml > 1000 is False, "
            "with n.water_ml = 1,000. Change the words or the claim.",
        ),
        (
            '{{ claim("much", "n.watr_ml > 1") }}',
            "[unknown-name] the claim 'much': there is no number 'n.watr_ml'. "
            "Did you mean 'water_ml'?",
        ),
        (
            '{{ number("coffee.cups") }}',
            "[unknown-name] there is no lesson 'coffee'. Known: tea.",
        ),
    ],
)
def test_a_template_that_names_nothing_is_a_problem(
    small_site: Make, template: str, message: str
) -> None:
    made = small_site().edit(PAGE, "Boil {{ n.water_ml }} ml", f"Boil {template} ml")
    offset = template.index("n.") + 2 if template.startswith("{{ n.") else 3
    column = len("Boil ") + offset + 1
    if "computes" in message:
        column = len("Boil ") + 3
    assert made.messages() == [f"{PAGE}:8:{column}: {message}"]


def test_every_problem_is_reported_in_one_run(small_site: Make) -> None:
    made = small_site(
        {
            PAGE: """\
            ---
            titel: Tea
            title: Tea
            description: Water {{ n.watr }}.
            order: three
            ---
            {{ n.gests }}
            """,
            "lessons/tea/quiz.yml": "- {id: a, kind: number, question: Why, explanation: So, answr: n.x}\n",
            "lessons/facts.yml": "boil: {value: 100, source: {title: T}, seen: yesterday}\n",
        }
    )
    assert made.messages() == [
        "lessons/facts.yml:1:46: [wrong-type] 'seen' must be a date such as 2026-12-01.",
        f"{PAGE}:2:1: [unknown-key] the front matter has no key 'titel'. Did you mean 'title'?",
        f"{PAGE}:4:25: [unknown-name] there is no number 'n.watr'. Did you mean 'water_ml'?",
        f"{PAGE}:5:8: [wrong-type] 'order' must be a whole number.",
        f"{PAGE}:7:6: [unknown-name] there is no number 'n.gests'. Did you mean 'guests'?",
        "lessons/tea/quiz.yml:1:57: [unknown-key] an item of the quiz has no key 'answr'. "
        "Did you mean 'answer'?",
    ]


def test_broken_yaml_is_a_problem_with_its_place(small_site: Make) -> None:
    made = small_site().edit(PAGE, "title: Tea for", "title: [Tea for")
    (message,) = made.messages()
    assert message.startswith(f"{PAGE}:2:17: [invalid-yaml] this is no valid YAML: expected")


def test_a_page_without_front_matter_says_how_to_begin(small_site: Make) -> None:
    made = small_site({PAGE: "# Tea\n"})
    assert made.messages() == [
        f"{PAGE}:1:1: [no-front-matter] the page has no front matter. "
        "Begin it with '---', then 'title: ...' and 'description: ...', then '---'."
    ]


def test_code_on_a_page_is_not_templated(small_site: Make) -> None:
    made = small_site().edit(
        PAGE, "# Tea", "# Tea\n\n`{{ n.nothing }}`\n\n```python\nf'{{ n.nothing }}'\n```\n"
    )
    assert made.messages() == []


def test_quiz_answers_are_checked(small_site: Make) -> None:
    made = small_site(
        {
            "lessons/tea/quiz.yml": """\
            - id: cups
              kind: number
              question: How much?
              explanation: One cup each.
              answer: n.water
            - id: wrong
              kind: number
              question: How much?
              explanation: One cup each.
              answer: n.water_ml
              misconceptions:
                - {answer: n.water_ml * n.guests / n.guests, says: You counted right.}
            """
        }
    )
    assert made.messages() == [
        "lessons/tea/quiz.yml:5:11: [unknown-name] the answer of 'cups': "
        "there is no number 'n.water'. Did you mean 'water_ml'?",
        "lessons/tea/quiz.yml:12:7: [quiz-options] a misconception of 'wrong' gives the right "
        "answer, 1000. Give an expression whose value is wrong.",
    ]


def test_a_rule_in_the_settings_must_be_one_that_can_be_set(small_site: Make) -> None:
    made = small_site(
        {
            "mkdocs.yml": """\
            site_name: Small
            strict: true
            theme: {name: material, font: false}
            plugins:
              - search
              - workings:
                  rules: {unused-numbr: error, double-unit: warning}
              - macros
            """
        }
    )
    assert made.messages() == [
        "mkdocs.yml:7:14: [wrong-value] the rule 'double-unit' cannot be lowered. "
        "Mend 'rules' of the plugin 'workings'.",
        "mkdocs.yml:7:14: [wrong-value] there is no rule 'unused-numbr'. "
        "Did you mean 'unused-number'? Mend 'rules' of the plugin 'workings'.",
    ]


def test_a_rule_can_be_raised_to_an_error(small_site: Make) -> None:
    made = small_site().edit("lessons/tea/index.md", "{{ n.water_ml }} ml", "water")
    assert [problem.rule for problem in made.prepare().warnings] == ["unused-number"]
    made.edit("mkdocs.yml", "workings,", "{workings: {rules: {unused-number: error}}},")
    assert [problem.rule for problem in made.problems()] == ["unused-number"]
