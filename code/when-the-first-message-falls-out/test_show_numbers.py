"""The numbers of the article: those that were published before, and that names keep their kind."""

import doctest
import importlib
from pathlib import Path
from typing import Any

import pytest

import show_numbers
from show_numbers import BUILD_ONLY, example_numbers, numbers, study_numbers

NO_TOPIC = {"conftest", "figures"}
MODULES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if path.stem not in NO_TOPIC and not path.stem.startswith("test_")
)
WITHOUT_EXAMPLE = {"vocabulary", "assembler_example"}


@pytest.fixture(scope="module")
def n() -> dict[str, Any]:
    return numbers()


@pytest.mark.parametrize("name", MODULES)
def test_worked_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0
    assert results.attempted > 0 or name in WITHOUT_EXAMPLE


def test_the_published_budgets(n: dict[str, Any]) -> None:
    fields = ("budget_tokens", "guess_turn", "gone_turn", "newest_turns", "note_turns")
    assert [tuple(row[field] for field in fields) for row in n["budget_rows"]] == [
        (4_000, 18, 19, 18, 200),
        (8_000, 35, 36, 35, 200),
        (32_000, 140, 141, 140, 200),
    ]
    for row in n["budget_rows"]:
        assert (row["summary_turns"], row["least_summary_tokens"]) == (200, 0)
        assert row["most_summary_tokens"] == 87
    assert [row["topics_turns"] for row in n["budget_rows"]] == [18, 34, 139]
    assert n["budget_rows"][2]["without_turns"] == 60
    assert n["mean_turn_tokens"] == pytest.approx(229.5678, abs=5e-5)
    assert (n["budget_times"], round(n["gone_later_times"], 1)) == (8, 7.4)


def test_the_published_costs(n: dict[str, Any]) -> None:
    rows = n["net_rows"]
    assert [row["newest_input_tokens"] for row in rows] == [747_934, 1_441_049, 4_167_129]
    assert [row["note_input_tokens"] for row in rows] == [747_510, 1_442_433, 4_168_614]
    assert [row["note_net_tokens"] for row in rows] == [-424, 1_384, 1_485]
    assert round(n["input_times"], 1) == 5.6
    assert n["note_total_tokens"] == n["fix_rows"][1]["extra_tokens"] == 2_400
    newest, _, summary, _ = n["fix_rows"]
    assert round(newest["messages_per_request"], 2) == 32.95
    assert round(summary["messages_per_request"], 1) == 31.4


def test_the_published_steps(n: dict[str, Any]) -> None:
    fields = ("turn", "sent_messages", "dropped_messages", "oldest_turn")
    rows = [tuple(row[field] for field in fields) for row in n["drop_rows"]]
    assert rows[1:3] == [(18, 35, 0, 1), (19, 35, 2, 2)]
    assert rows[-1][::3] == (200, 183)
    assert n["drop_step_rows"][1]["dropped_messages"] == 4
    assert [row["gone_turn"] for row in n["reserve_rows"]] == [15, 32, 136]
    assert [row["guess_turn"] for row in n["reserve_rows"]] == [18, 35, 140]
    assert (n["reserve_left_tokens"], n["reserve_share"]) == (3_000, 0.25)


def test_the_published_memory_and_the_worked_guess(n: dict[str, Any]) -> None:
    cache = {row["tokens"]: row["cache_bytes"] for row in n["kv_rows"]}
    assert n["kv_bytes_per_token"] == 131_072 == 128 * 1024
    assert cache[32_768] == 4 * 1024**3
    assert cache[4_000] == 500 * 1024**2
    assert (n["worked_turns"], n["worked_gone_turn"]) == (20, 21)


def test_a_part_of_the_request_is_never_lost(n: dict[str, Any]) -> None:
    for name in ("no room kept", "room kept"):
        rows = [row for row in n["request_rows"] if row["request"] == name]
        assert sum(row["tokens"] for row in rows) == n["budget_tokens"]
    for row in n["policy_rows"]:
        parts = row["history_tokens"] + row["extra_tokens"] + n["fixed_tokens"] * n["turns"]
        assert parts == row["input_tokens"]


def test_a_readers_own_inputs(n: dict[str, Any]) -> None:
    own = numbers(seed=7, budget_tokens=5_000, reply_reserve_tokens=0, turn_size_percent=150)
    assert own.keys() == n.keys()
    for name, value in own.items():
        assert type(value) is type(n[name])
        if isinstance(value, list):
            assert value[0].keys() == n[name][0].keys()
    assert own["reserve_gone_turn"] == own["gone_turn"] != n["gone_turn"]


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"budget_tokens": 1_400}, "The budget must be at least 500 tokens larger than the room"),
        ({"reply_reserve_tokens": -1}, "The room for the reply cannot be less than nothing."),
        ({"turn_size_percent": 20}, "The size of a turn goes from 50 to 200 percent."),
        (
            {"budget_tokens": 8_000},
            "With 64,000 tokens of input, message 1 never falls out within 200 turns. "
            "Choose a smaller budget, or longer turns.",
        ),
        ({"seed": -1}, "A seed is a whole number from 0 to 4,294,967,295."),
    ],
)
def test_inputs_that_do_not_go_together(inputs: dict[str, int], says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}"):
        numbers(**inputs)


@pytest.mark.parametrize("budget_tokens", [1_500, 2_000, 5_600])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_sensible_inputs_give_every_number(seed: int, budget_tokens: int) -> None:
    assert numbers(seed=seed, budget_tokens=budget_tokens)["gone_turn"] > 2


def test_what_a_browser_cannot_compute_is_named_with_its_reason() -> None:
    """All but the count of the tests, which would run this test again."""
    found = {**study_numbers(), **example_numbers()}
    assert [*found, "histories_tried", "tests_passed"] == list(BUILD_ONLY)
    assert found["study_seeds"] == 10_000
    assert [row["budget_tokens"] for row in found["study_heuristic_rows"]] == [
        4_000,
        8_000,
        16_000,
        32_000,
    ]


def test_the_assemblers_example_drops_the_calls_as_one() -> None:
    found = example_numbers()
    decisions = [row["decision"] for row in found["example_rows"]]
    assert decisions == ["dropped"] * 4 + ["kept"] * 3
    assert found["example_rows"][3]["holds"] == "3 calls and their results"
    assert found["example_dropped_groups"] == 4
    kept = sum(row["tokens"] for row in found["example_rows"] if row["decision"] == "kept")
    assert kept + found["example_mandatory_tokens"] == found["example_input_tokens"]
    assert (
        sum(row["tokens"] for row in found["example_mandatory_rows"])
        == (found["example_mandatory_tokens"])
    )
    assert found["example_error"].startswith("The mandatory part needs 156 tokens")


def test_the_drop_turns_begin_with_the_first() -> None:
    assert show_numbers.drop_turns(2) == [1, 2, 3, 200]
