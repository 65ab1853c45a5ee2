"""The catalogue of rules: what each finds, why it matters, an example and what mends it.

The documentation's page is made from this; `level` is how a project without settings takes a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from workings.problems import Problem, did_you_mean

Level = Literal["error", "warning", "off"]


@dataclass(frozen=True)
class Rule:
    """One rule. `example` is a source that breaks it, `mend` the same put right.

    A rule that `is_fixed` is always an error: no setting lowers it.
    """

    id: str
    what: str
    why: str
    example: str
    mend: str
    level: Level = "error"
    is_fixed: bool = False


_RULES: dict[str, Rule] = {}
RULES: Mapping[str, Rule] = MappingProxyType(_RULES)


def register(*rules: Rule) -> None:
    """Add rules to the catalogue; ValueError for an id that is there already."""
    for rule in rules:
        if rule.id in _RULES:
            raise ValueError(f"the rule '{rule.id}' is registered twice")
        _RULES[rule.id] = rule


def level_of(rule: str, levels: Mapping[str, Level] = MappingProxyType({})) -> Level:
    """How a project with the settings `levels` takes a rule; one that is in no catalogue: error."""
    known = _RULES.get(rule)
    if known is None or known.is_fixed:
        return "error"
    return levels.get(rule, known.level)


def sort_by_level(
    problems: Iterable[Problem], levels: Mapping[str, Level] = MappingProxyType({})
) -> tuple[list[Problem], list[Problem]]:
    """The errors and the warnings among the problems; those of rules that are off are dropped."""
    errors: list[Problem] = []
    warnings: list[Problem] = []
    for problem in problems:
        level = level_of(problem.rule, levels)
        if level != "off":
            (errors if level == "error" else warnings).append(problem)
    return errors, warnings


def setting_problems(levels: Mapping[str, Level]) -> list[str]:
    """What is wrong with a project's settings of rules, a sentence each."""
    wrong = [
        f"there is no rule '{name}'. {did_you_mean(name, _RULES)}"
        for name in levels
        if name not in _RULES
    ]
    return wrong + [
        f"the rule '{name}' cannot be lowered."
        for name, level in levels.items()
        if name in _RULES and _RULES[name].is_fixed and level != "error"
    ]


register(
    Rule(
        "unbound-number",
        "A number is typed: neither computed, nor cited, nor exempt.",
        "Nobody changes a typed number when the code behind it changes, and no reader can ask where it "
        "comes from.",
        "Each token takes 147,456 bytes.",
        "Each token takes {{ n.bytes_per_token }} bytes.",
        is_fixed=True,
    ),
    Rule(
        "drifted-number",
        "A typed number is near a computed one, yet differs: off by one, rounded wrongly, in a wrong "
        "unit, or an old value.",
        "This is what a number looks like that was right once, or was copied with a slip.",
        "A window of 450 tokens holds eight messages.",
        "A window of 450 tokens holds {{ n.window_fits_messages | words }} messages.",
        is_fixed=True,
    ),
    Rule(
        "double-unit",
        "A filter writes a unit, and the text beside it writes it again.",
        "The page would say '5.625 GiB GiB'.",
        "{{ n.cache_bytes | gib }} GiB",
        "{{ n.cache_bytes | gib }}",
        is_fixed=True,
    ),
    Rule(
        "glued-number",
        "Digits are typed against a number that is bound, with no space between them.",
        "A reader sees one number, and it is none that the lesson computed.",
        "{{ n.layers }}0 layers",
        "{{ n.layers }} layers",
        is_fixed=True,
    ),
    Rule(
        "unit-mismatch",
        "A number is shown in a unit that is not its own.",
        "The digits are right and the statement is wrong: 6,039,797,760 GiB.",
        "{{ n.cache_bytes }} GiB",
        "{{ n.cache_bytes | gib }}",
        is_fixed=True,
    ),
    Rule(
        "unknown-name",
        "A template uses a number, a macro or a filter that does not exist.",
        "It would leave a hole in the page.",
        "{{ n.bytes_per_tokn }}",
        "{{ n.bytes_per_token }}",
        is_fixed=True,
    ),
    Rule(
        "uncited-fact",
        "A typed number equals a fact of the facts file.",
        "Without the citation a reader does not learn who says so, and when it was last seen.",
        "Gemini takes 1,048,576 tokens.",
        'Gemini takes {{ fact("gemini-window") }} tokens.',
    ),
    Rule(
        "stale-fact",
        "A fact that the lesson cites was last seen longer ago than the settings allow.",
        "Prices, model names and window sizes change.",
        "seen: 2024-01-05",
        "Open the source, correct the value, and write the day: seen: 2026-12-01",
        level="warning",
    ),
    Rule(
        "false-claim",
        "An assertion that stands behind words of the page does not hold.",
        "The words were true of other numbers.",
        '{{ claim("doubles", "n.tokens_20 == 2 * n.tokens_10") }}',
        '{{ claim("quadruples", "n.tokens_20 == 4 * n.tokens_10") }}',
        is_fixed=True,
    ),
    Rule(
        "claim-number",
        "The words of a claim state a number that its assertion does not mention.",
        "The assertion holds, and proves something else than the words say.",
        '{{ claim("five times", "n.b == 4 * n.a") }}',
        '{{ claim("four times", "n.b == 4 * n.a") }}',
        is_fixed=True,
    ),
    Rule(
        "words-may-be-false",
        "A comparing word stands beside a number whose value moved since it was accepted.",
        "The number follows the code; 'more than', 'fits' and 'doubles' do not.",
        "{{ n.a }} is more than {{ n.b }}.",
        '{{ n.a }} is {{ claim("more than", "n.a > n.b") }} {{ n.b }}. Or run workings accept, once '
        "the sentence is right.",
        level="warning",
    ),
    Rule(
        "number-in-code-comment",
        "A comment, a docstring, a text of the lesson's code or a code block of the page contradicts a "
        "computed value.",
        "Listings show comments to readers, output that was pasted grows old, and whoever edits the code "
        "believes both.",
        "# Qwen3-8B: 147,465 bytes a token",
        "# Qwen3-8B: 147,456 bytes a token",
    ),
    Rule(
        "unused-number",
        "show_numbers.py computes a number that nothing shows or asserts.",
        "It costs a reader of the code time, or a use of it was lost.",
        '"old_name_bytes": 4096',
        "Use it as {{ n.old_name_bytes }}, or take it out of numbers().",
        level="warning",
    ),
    Rule(
        "unused-exemption",
        "The front matter exempts a text that no source of the lesson holds.",
        "The next number that happens to match would be exempt without anybody having thought of it.",
        'exempt: [{text: "24 hours", reason: "a day"}]',
        "Take the entry out.",
        level="warning",
    ),
    Rule(
        "wide-exemption",
        "The front matter exempts a bare number, without the words around it.",
        "It would be exempt wherever it stands, in places that nobody thought of.",
        'exempt: [{text: "24", reason: "hours of a day"}]',
        'exempt: [{text: "24 hours", reason: "a day"}]',
        is_fixed=True,
    ),
    Rule(
        "unchecked-include",
        "A page takes in text from elsewhere: a snippet, or a block of template code.",
        "The check reads the sources of the lesson; a number that comes in this way is not seen.",
        '--8<-- "shared.md"',
        "Write the text into the page.",
        is_fixed=True,
    ),
)

# The rules about numbers, which this module registers; workings.catalogue adds those about the rest.
GATE_RULES = tuple(_RULES)
