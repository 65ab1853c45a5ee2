"""The formula behind a value: which function, its expression, the numbers in it."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings.formula import Folder, evaluate, explain, from_json, to_json
from workings.notation import show_value, typeset
from workings.registry import Formula

Explain = Callable[[str, str], Formula | None]

CACHE = """\
    from math import ceil, floor

    KIB = 1024
    BYTES = {"bfloat16": 2}


    def bytes_per_token(layers, kv_heads, head_dim, bytes_per_value):
        return 2 * layers * kv_heads * head_dim * bytes_per_value


    def cache_bytes(tokens, layers=36):
        return tokens * bytes_per_token(layers, 8, 128, BYTES["bfloat16"])
    """


@pytest.fixture
def explained(tmp_path: Path) -> Explain:
    """The formula of an expression over a lesson's module with the given source."""

    def explained(source: str, expression: str) -> Formula | None:
        module = load(tmp_path / "topic.py", source)
        namespace: dict[str, Any] = {**vars(module), "topic": module}
        return explain(expression, namespace, Folder(str(tmp_path), "code/tea"))

    return explained


def load(path: Path, source: str) -> ModuleType:
    path.write_text(dedent(source), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("topic", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["topic"] = module
    spec.loader.exec_module(module)
    return module


def test_a_call_gives_the_return_expression_with_its_values(explained: Explain) -> None:
    assert explained(CACHE, "topic.bytes_per_token(36, 8, 128, 2)") == Formula(
        function="bytes_per_token",
        path="code/tea/topic.py",
        line=7,
        text="2 × layers × kv_heads × head_dim × bytes_per_value",
        substituted="2 × 36 × 8 × 128 × 2",
        inputs={"layers": 36, "kv_heads": 8, "head_dim": 128, "bytes_per_value": 2},
    )


def test_a_call_inside_the_return_expression_is_shown_by_its_value(
    explained: Explain,
) -> None:
    formula = explained(CACHE, "cache_bytes(40_960)")
    assert formula
    assert formula.text == "tokens × bytes_per_token(layers, 8, 128, BYTES['bfloat16'])"
    assert formula.substituted == "40,960 × 147,456"


def test_an_expression_around_calls_is_shown_itself(explained: Explain) -> None:
    formula = explained(CACHE, "cache_bytes(1_000) / KIB")
    assert formula == Formula(
        function="", path="", line=1,
        text="cache_bytes(1,000) ÷ KIB", substituted="147,456,000 ÷ 1,024",
        inputs={"cache_bytes(1,000)": 147456000, "KIB": 1024},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("body", "call", "text", "substituted"),
    [
        ("return n * (n + 1) // 2", "f(1_000)", "n × (n + 1) ÷ 2", "1,000 × (1,000 + 1) ÷ 2"),
        ("return n // 50", "f(470)", "n ÷ 50 rounded down", "470 ÷ 50 rounded down"),
        ("return floor(n / 50) * 2", "f(470)",
         "(n ÷ 50 rounded down) × 2", "(470 ÷ 50 rounded down) × 2"),
        ("return ceil(n / 50)", "f(470)", "n ÷ 50 rounded up", "470 ÷ 50 rounded up"),
        ("return -(-n // 50)", "f(470)", "n ÷ 50 rounded up", "470 ÷ 50 rounded up"),
        ("return 50 * n**2", "f(10)", "50 × n²", "50 × 10²"),
        ("return 2**n", "f(10)", "2^n", "2¹⁰"),
        ("return min(n, 450) - 1", "f(950)", "min(n, 450) − 1", "min(950, 450) − 1"),
        ("return n - -n", "f(3)", "n − (−n)", "3 − (−3)"),
        ("return n * 0.5", "f(-4)", "n × 0.5", "−4 × 0.5"),
        ("return n <= 5", "f(5)", "n ≤ 5", "5 ≤ 5"),
        ("return n % 7", "f(9)", "n mod 7", "9 mod 7"),
        ("return sum(k * 2 for k in range(n))", "f(3)",
         "sum(k × 2 for k in range(n))", "sum(k × 2 for k in range(3))"),
        ("costs = [3, 4, n]\n    return sum(costs)", "f(2)", "sum(costs)", "sum([3, 4, 2])"),
        ("costs = list(range(n))\n    return len(costs) * 2", "f(20)", "len(costs) × 2", "20 × 2"),
        ("total = n * 2\n    return total", "f(4)", "n × 2", "4 × 2"),
        ("return n if n > 5 else n * 10", "f(4)", "n × 10", "4 × 10"),
        ("return BYTES[n] * KIB", "f('bfloat16')", "BYTES[n] × KIB", "2 × 1,024"),
        ("if n < 0:\n        return 0\n    return n + 1", "f(4)", "n + 1", "4 + 1"),
        ("if n < 0:\n        return 0\n    return n + 1", "f(-4)", "0", "0"),
        ("return (n\n            + 1)", "f(4)", "n + 1", "4 + 1"),
        ("with open(__file__):\n        if n:\n            return n * 3\n    return n", "f(4)",
         "n × 3", "4 × 3"),
        ("try:\n        return n * 3\n    finally:\n        pass", "f(4)", "n × 3", "4 × 3"),
    ],
)  # fmt: skip
def test_the_statement_that_was_run_is_the_one_shown(
    explained: Explain, body: str, call: str, text: str, substituted: str
) -> None:
    formula = explained(dedent(CACHE) + f"\n\ndef f(n):\n    {body}\n", call)
    assert formula
    assert (formula.function, formula.text, formula.substituted) == (
        "f",
        text,
        substituted,
    )


def test_a_function_that_hands_on_is_looked_through(explained: Explain) -> None:
    source = """\
        def inner(a):
            return a * 3

        def outer(a):
            result = inner(a + 1)
            return result
        """
    formula = explained(source, "int(topic.outer(4))")
    assert formula
    assert (formula.function, formula.line) == ("inner", 1)
    assert formula.substituted == "5 × 3"


def test_methods_and_properties_lose_self(explained: Explain) -> None:
    source = """\
        class Model:
            layers = 36

            @property
            def values(self):
                return 2 * self.layers

            def cache_bytes(self, tokens):
                return self.values * tokens

        model = Model()
        """
    of_method = explained(source, "model.cache_bytes(1_000)")
    of_property = explained(source, "model.values")
    assert of_method and of_property
    assert (of_method.function, of_method.text) == (
        "Model.cache_bytes",
        "values × tokens",
    )
    assert of_method.substituted == "72 × 1,000"
    assert of_property.text == "2 × layers"


def test_functions_that_are_wrapped_or_named_by_another_module(
    explained: Explain,
) -> None:
    source = """\
        import functools

        def loud(function):
            @functools.wraps(function)
            def wrapper(*args):
                return function(*args)
            return wrapper

        @loud
        def double(n):
            return n * 2

        triple = lambda n: n * 3
        twice = functools.partial(pow, 2)
        """
    double, triple = explained(source, "double(4)"), explained(source, "triple(4)")
    assert double and triple
    assert (double.function, double.line, double.substituted) == ("double", 10, "4 × 2")
    assert triple.substituted == "4 × 3"
    twice = explained(source, "twice(5)")
    assert twice is None, "nothing is known of what pow did"


def test_a_name_that_was_set_twice_is_not_followed(explained: Explain) -> None:
    source = """\
        def f(n):
            total = n * 2
            total = total + 1
            return total

        def g(n):
            for k in range(n):
                total = k * 2
            return total
        """
    for call, value in (("f(4)", "9"), ("g(4)", "6")):
        formula = explained(source, call)
        assert formula
        assert (formula.text, formula.substituted) == ("total", value)


def test_a_key_function_is_not_taken_for_the_call_around_it(explained: Explain) -> None:
    source = """\
        def size(word):
            return len(word) * 10

        def longest(words):
            return max(words, key=size)
        """
    formula = explained(source, "len(longest(['a', 'bcd', 'ef'])) * 2")
    assert formula
    assert formula.substituted == "3 × 2"


@pytest.mark.parametrize("expression", ["5", "topic", "[1, 2]", "topic.KIB and BYTES"])
def test_what_has_no_formula(explained: Explain, expression: str) -> None:
    assert explained(CACHE, expression) is None


def test_the_value_is_computed_once(tmp_path: Path) -> None:
    module = load(
        tmp_path / "topic.py",
        "calls = []\ndef f(n):\n    calls.append(n)\n    return n + 1\n",
    )
    found = evaluate("f(1)", vars(module), Folder(str(tmp_path), "code/tea"))
    assert (found.value, vars(module)["calls"]) == (2, [1])


def test_without_a_folder_every_file_outside_python_counts(tmp_path: Path) -> None:
    module = load(tmp_path / "topic.py", "def f(n):\n    return n + 1\n")
    formula = explain("f(1)", vars(module))
    assert formula
    assert (formula.path, formula.substituted) == (str(tmp_path / "topic.py"), "1 + 1")


def test_what_the_expression_raises_comes_through_and_nothing_is_left_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        evaluate("1 / 0", {})
    assert sys.getprofile() is None


def test_json_and_back(explained: Explain) -> None:
    formula = explained(CACHE, "cache_bytes(10)")
    assert from_json(json.loads(json.dumps(to_json(formula)))) == formula
    assert from_json(to_json(None)) is None


numbers = st.integers(1, 10**6)
operators = st.sampled_from(["+", "-", "*", "**2 +"])


@given(
    a=numbers,
    b=numbers,
    c=numbers,
    first=operators,
    second=operators,
    grouped=st.booleans(),
)
def test_the_shown_sum_is_true(
    a: int, b: int, c: int, first: str, second: str, grouped: bool
) -> None:
    """What a reader types into a calculator gives the value on the page."""
    right = f"(b {second} c)" if grouped else f"b {second} c"
    found = evaluate(f"a {first} {right}", {"a": a, "b": b, "c": c})
    assert found.formula
    typed = found.formula.substituted
    for shown, key in (("×", "*"), ("−", "-"), ("²", "**2"), (",", "")):
        typed = typed.replace(shown, key)
    assert eval(typed) == found.value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (147456, "147,456"), (8.2e9, "8,200,000,000"), (0.1 + 0.2, "0.3"), (True, "True"),
        ("bfloat16", "'bfloat16'"), (-5, "−5"), ([1, 2.5], "[1, 2.5]"), ([1, [2]], None),
        (float("nan"), None), (float("inf"), None), (10**100, None), (None, None),
        (list(range(9)), None), ("x" * 99, None),
    ],
)  # fmt: skip
def test_values_as_a_formula_shows_them(value: Any, shown: str | None) -> None:
    found = show_value(value)
    assert (found[0] if found else None) == shown


@pytest.mark.parametrize(
    "source",
    ["f'{a * 2:.2f} b'", "f(*a, k=3, **c)", "{'x': a}", "lambda x: x", "a[1:b]", "(yield)", "a[b, c]",
     "[x for x in a if x]", "not a in b", "a and b or c", "~a", "+a", "a << 2", "await a", "a or b and c"],
)  # fmt: skip
def test_every_kind_of_expression_can_be_shown(source: str) -> None:
    tree = ast.parse(source, mode="eval").body
    shown = typeset(tree, lambda node: None, lambda node: True)
    assert ast.dump(ast.parse(shown.replace("a[(b, c)]", "a[b, c]"), mode="eval").body) == ast.dump(
        tree
    )
