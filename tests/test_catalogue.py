"""Every rule that a message names has its page in the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import workings.catalogue  # noqa: F401  # it registers the rules
from workings.rules import RULES, level_of, setting_problems

PACKAGE = Path(__file__).parent.parent / "workings"
_RULE = re.compile(r"[a-z]+(?:-[a-z0-9]+)+")
# Calls whose argument at this place is a rule.
_CALLS = {"Problem": 1, "report": 1, "say": 1, "problem": 1, "_problem": 0, "_failed": 0}


def used_rules() -> Iterator[tuple[str, str]]:
    """(rule, file:line) of each rule that the engine's code gives to a problem."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            name = node.func.id if isinstance(node.func, ast.Name) else name
            at = _CALLS.get(name or "")
            if at is None or len(node.args) <= at:
                continue
            for part in ast.walk(node.args[at]):
                text = part.value if isinstance(part, ast.Constant) else None
                if isinstance(text, str) and _RULE.fullmatch(text):
                    yield text, f"{file.name}:{node.lineno}"


def test_each_rule_of_the_code_is_in_the_catalogue() -> None:
    used = dict(used_rules())
    assert len(used) > 40
    assert {rule: place for rule, place in used.items() if rule not in RULES} == {}


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_a_rule_says_what_why_an_example_and_its_mend(rule: object) -> None:
    texts = [getattr(rule, name) for name in ("what", "why", "example", "mend")]
    assert all(text.strip() for text in texts)
    assert texts[2] != texts[3]
    assert texts[0].endswith(".")
    assert texts[1].endswith(".")


def test_rules_about_numbers_cannot_be_lowered() -> None:
    for rule in ("unbound-number", "drifted-number", "double-unit", "unknown-name"):
        assert level_of(rule, {rule: "off"}) == "error"
    assert setting_problems({"unbound-number": "off", "unboud-number": "off"}) == [
        "there is no rule 'unboud-number'. Did you mean 'unbound-number'?",
        "the rule 'unbound-number' cannot be lowered.",
    ]
