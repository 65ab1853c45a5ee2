"""The study: up to date, reproducible on a sample, and its tables by hand."""

import ast
from collections import Counter
from pathlib import Path

import pytest

import study
import study_results
from study_results import error_counts, error_rows, gone_counts, spread_rows

FOUND = study_results.study()


def test_the_results_belong_to_this_code() -> None:
    assert FOUND["code_sha256"] == study.code_sha256(), "Run: python3 study.py"


def test_every_module_that_decides_the_results_is_hashed() -> None:
    folder = Path(study.__file__).parent
    here = {path.name for path in folder.glob("*.py")}
    for name in study.CODE:
        tree = ast.parse((folder / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert {f"{module}.py" for module in names} & here <= set(study.CODE)


@pytest.mark.parametrize("seed", list(study.SAMPLE_SEEDS)[::3])
def test_a_sample_of_seeds_gives_the_same_again(seed: int) -> None:
    rows = study.turns_of_seed(seed)
    assert rows == FOUND["sample"][str(seed)]
    for row, part in zip(rows, FOUND["budgets"], strict=True):
        assert row in [counted[:-1] for counted in part["rows"]]


@pytest.mark.parametrize("seed", list(study.SAMPLE_SEEDS)[::6])
def test_a_sample_of_seeds_costs_the_same_again(seed: int) -> None:
    assert study.net_tokens_of_seed(seed) == FOUND["net"]["sample"][str(seed)]


def test_at_least_a_thousand_seeds_for_each_budget() -> None:
    assert [part["budget_tokens"] for part in FOUND["budgets"]] == [4_000, 8_000, 16_000, 32_000]
    for part in FOUND["budgets"]:
        assert sum(row[-1] for row in part["rows"]) == FOUND["seeds"] >= 1_000
    assert FOUND["net"]["seeds"] >= 1_000


def test_shares_add_up_and_errors_are_guess_minus_measured() -> None:
    found = {
        "budgets": [{"budget_tokens": 4_000, "rows": [[19, 18, 19, 20, 3], [20, 18, 19, 19, 1]]}]
    }
    assert gone_counts(found, 4_000) == {19: 3, 20: 1}
    assert error_counts(found, 4_000, "heuristic, average of this chat") == {-1: 3, -2: 1}
    assert error_counts(found, 4_000, "refined, average of this chat") == {0: 3, -1: 1}
    assert error_counts(found, 4_000, "refined, halfway") == {1: 3, -1: 1}
    assert error_counts(found, 4_000, "heuristic, average of all chats") == {-1: 3, -2: 1}
    for row in error_rows(found):
        shares = [row[f"{what}_share"] for what in ("early", "exact", "late")]
        assert sum(map(float, shares)) == pytest.approx(1)
    (row,) = spread_rows(found)
    assert (row["mean_turn"], row["middle_turn"], row["latest_turn"]) == (19.25, 19, 20)


def test_the_refined_guess_is_better_than_the_heuristic_at_every_budget() -> None:
    rows = {(row["budget_tokens"], row["guess"]): row for row in error_rows(FOUND)}
    for budget in study.BUDGETS_TOKENS:
        for average in ("average of all chats", "average of this chat"):
            rule = rows[budget, f"heuristic, {average}"]
            refined = rows[budget, f"refined, {average}"]
            assert float(rule["mean_error_turns"]) < -0.8
            assert abs(float(refined["mean_error_turns"])) < 0.4
            assert float(refined["mean_miss_turns"]) < float(rule["mean_miss_turns"])
        halfway = rows[budget, "refined, halfway"]
        advance = rows[budget, "refined, average of all chats"]
        assert float(halfway["mean_miss_turns"]) < float(advance["mean_miss_turns"])


def test_quantiles() -> None:
    counts = Counter({1: 5, 2: 90, 3: 5})
    assert [study_results.quantile(counts, share) for share in (0.05, 0.06, 0.95, 0.96)] == [
        1,
        2,
        2,
        3,
    ]


def test_an_unknown_budget_is_named() -> None:
    with pytest.raises(ValueError, match=r"^The study has no budget of 5,000 tokens\.$"):
        gone_counts(FOUND, 5_000)
