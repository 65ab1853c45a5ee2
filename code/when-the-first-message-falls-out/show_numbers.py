"""Every number of "At which turn does the first message fall out?", each computed here.

    python3 show_numbers.py          a table of names and values
    python3 show_numbers.py --json   the same for a program

`numbers()` takes a reader's own inputs: another seed, budget, room for the reply, size of a turn.
"The name" is the one told in message 1, and counts as there while it is in the input: no model is
run.
"""

import contextlib
import importlib
import importlib.util
import io
import json
import sys
from pathlib import Path
from typing import Any

import conversation
import cost_tables
import kv_memory
import lab
import lab_panel
import lab_tables
import practice
import prediction
import request_parts
import rolling_summary
import token_units
import vocabulary
import wording
from conversation import TURNS
from lab import KEEP_NEWEST, ROLLING_SUMMARY

FOLDER = Path(__file__).parent

BUDGET_FACTORS = (1, 2, 8)  # the article's three budgets, as multiples of the first
FIRST_TURNS = 6
FIRST_MESSAGES = 6  # of the figure of the drop
CURVE_BUDGETS_TOKENS = range(2_000, 45_000, 2_000)
SWEEP_BUDGETS_TOKENS = range(1_000, 45_001, 100)
TURN_SIZES_PERCENT = (50, 100, 200)
SIZES_PERCENT = (50, 200)  # that a reader may choose
LEAST_LEFT_TOKENS = 500  # so that no message of any chat is longer
MEMORY_TOKENS = (4_000, 8_000, 32_000, 32_768)

TOO_LONG = "It needs 10,000 simulated chats, which take minutes; study.py wrote them down."
NEEDS_JINJA2 = "It renders chat templates with jinja2, which is not there."
BUILD_ONLY = {
    "study_seeds": TOO_LONG,
    "study_spread_rows": TOO_LONG,
    "study_error_rows": TOO_LONG,
    "study_heuristic_rows": TOO_LONG,
    "study_refined_rows": TOO_LONG,
    "study_halfway_rows": TOO_LONG,
    "study_distribution_rows": TOO_LONG,
    "study_net_seeds": TOO_LONG,
    "study_net_rows": TOO_LONG,
    "example_window_tokens": NEEDS_JINJA2,
    "example_output_tokens": NEEDS_JINJA2,
    "example_margin_tokens": NEEDS_JINJA2,
    "example_budget_tokens": NEEDS_JINJA2,
    "example_mandatory_tokens": NEEDS_JINJA2,
    "example_input_tokens": NEEDS_JINJA2,
    "example_dropped_groups": NEEDS_JINJA2,
    "example_oldest_turn": NEEDS_JINJA2,
    "example_rows": NEEDS_JINJA2,
    "example_mandatory_rows": NEEDS_JINJA2,
    "example_error": NEEDS_JINJA2,
    "template_rows": NEEDS_JINJA2,
    "histories_tried": "It is the number of random histories that one of the tests tries.",
    "tests_passed": "It is counted by running the tests with pytest, which is not there.",
}


def numbers(
    *,
    seed: int = 20261105,
    budget_tokens: int = 4_000,
    reply_reserve_tokens: int = 1_000,
    turn_size_percent: int = 100,
) -> dict[str, Any]:
    """All numbers by name; ValueError where the inputs do not go together."""
    refuse_unless_sensible(budget_tokens, reply_reserve_tokens, turn_size_percent)
    chat = conversation.written_chat(seed, turn_size_percent)
    budgets_tokens = [factor * budget_tokens for factor in BUDGET_FACTORS]
    n: dict[str, Any] = {}

    # The chat
    n["seed"] = seed
    n["turns"] = TURNS
    n["later_turns"] = TURNS - 1
    n["words"] = len(vocabulary.WORDS)
    n["topics"] = len(vocabulary.TOPICS)
    n["message_overhead_tokens"] = token_units.MESSAGE_OVERHEAD_TOKENS
    n["introduction_tokens"] = token_units.message_tokens(wording.INTRODUCTION)
    n["welcome_tokens"] = token_units.message_tokens(wording.WELCOME)
    n["first_turn_tokens"] = n["introduction_tokens"] + n["welcome_tokens"]
    n["first_turn_rows"] = lab_tables.first_turn_rows(chat, FIRST_TURNS)
    n["mean_turn_tokens"] = prediction.mean_turn_tokens(chat)
    n["mean_question_tokens"] = prediction.mean_question_tokens(chat)
    n["expected_turn_tokens"] = prediction.expected_turn_tokens(turn_size_percent)
    n["expected_question_tokens"] = prediction.expected_question_tokens(turn_size_percent)
    n["chat_tokens"] = sum(message.tokens for message in chat)

    # What is always sent
    n["system_tokens"] = wording.SYSTEM_TOKENS
    n["reply_start_tokens"] = wording.REPLY_START_TOKENS
    n["fixed_tokens"] = wording.SYSTEM_TOKENS + wording.REPLY_START_TOKENS
    n["note_tokens"] = wording.NOTE_TOKENS
    n["summary_room_tokens"] = ROLLING_SUMMARY.summary_room_tokens
    n["summary_text_tokens"] = rolling_summary.most_text_tokens(n["summary_room_tokens"])

    # When it falls out
    n["budget_tokens"] = budget_tokens
    n["middle_budget_tokens"] = budgets_tokens[1]
    n["large_budget_tokens"] = budgets_tokens[2]
    n["budget_rows"] = lab_tables.budget_rows(chat, budgets_tokens)
    n["guess_turn"] = prediction.heuristic_turn(
        budget_tokens, wording.FIXED_TOKENS, n["mean_turn_tokens"]
    )
    n["gone_turn"] = lab_tables.gone_turn(chat, budget_tokens)
    n["last_turn_with_name"] = n["gone_turn"] - 1
    n["refined_turn"] = prediction.refined_turn(
        budget_tokens,
        1,
        n["fixed_tokens"] + n["first_turn_tokens"],
        n["mean_turn_tokens"],
        n["mean_question_tokens"],
    )
    n["large_gone_turn"] = lab_tables.gone_turn(chat, budgets_tokens[2])
    n["budget_times"] = budgets_tokens[2] / budgets_tokens[0]
    n["gone_later_times"] = n["large_gone_turn"] / n["gone_turn"]

    # The drop step by step
    n["drop_rows"] = lab_tables.drop_rows(chat, budget_tokens, drop_turns(n["gone_turn"]))
    n["drop_step_rows"] = lab_tables.drop_step_rows(chat, budgets_tokens)
    n["first_message_rows"] = lab_tables.first_message_rows(chat, FIRST_MESSAGES)

    # What it costs, and what each fix costs
    n["policy_rows"] = cost_tables.policy_rows(chat, budgets_tokens)
    n["fix_rows"] = cost_tables.policy_rows(chat, budgets_tokens[:1])
    n["net_rows"] = cost_tables.net_rows(chat, budgets_tokens)
    n["input_tokens"] = cost_tables.input_tokens(chat, KEEP_NEWEST, budget_tokens)
    n["large_input_tokens"] = cost_tables.input_tokens(chat, KEEP_NEWEST, budgets_tokens[2])
    n["input_times"] = n["large_input_tokens"] / n["input_tokens"]
    n["note_total_tokens"] = practice.note_total_tokens(wording.NOTE_TOKENS, TURNS)
    n["summary_example"] = lab.requests(chat, ROLLING_SUMMARY, budget_tokens)[-1].summary.text
    n["reuse_rows"] = cost_tables.reuse_rows(chat, budget_tokens, n["gone_turn"])

    # Room for the reply
    n["reply_reserve_tokens"] = reply_reserve_tokens
    n["reserve_left_tokens"] = budget_tokens - reply_reserve_tokens
    n["reserve_share"] = practice.share_of(reply_reserve_tokens, budget_tokens)
    n["reserve_rows"] = lab_tables.reserve_rows(chat, budgets_tokens, reply_reserve_tokens)
    n["reserve_gone_turn"] = n["reserve_rows"][0]["gone_turn"]
    n["request_rows"] = request_parts.two_request_rows(
        chat, n["reserve_gone_turn"], budget_tokens, reply_reserve_tokens
    )

    # Other budgets, other turns
    n["curve_rows"] = lab_tables.curve_rows(chat, CURVE_BUDGETS_TOKENS)
    sweep = lab_tables.curve_rows(chat, SWEEP_BUDGETS_TOKENS)
    n["sweep_budgets"] = len(sweep)
    n["sweep_step_tokens"] = SWEEP_BUDGETS_TOKENS.step
    n["sweep_least_tokens"] = sweep[0]["budget_tokens"]
    n["sweep_most_tokens"] = sweep[-1]["budget_tokens"]
    n["miss_rows"] = lab_tables.miss_rows(sweep)
    n["least_size_percent"] = lab_panel.LEAST_SIZE_PERCENT
    n["most_size_percent"] = lab_panel.MOST_SIZE_PERCENT
    n["least_summary_room_tokens"] = rolling_summary.least_room_tokens()
    n["size_rows"] = lab_tables.size_rows(seed, budget_tokens, TURN_SIZES_PERCENT)

    # The rule of thumb by hand
    n["worked_left_tokens"] = practice.WORKED_LEFT_TOKENS
    n["worked_turn_tokens"] = practice.WORKED_TURN_TOKENS
    n["worked_turns"] = practice.turns_that_fit(
        practice.WORKED_LEFT_TOKENS, practice.WORKED_TURN_TOKENS
    )
    n["worked_gone_turn"] = practice.first_turn_without(n["worked_turns"])

    # Memory on the graphics card
    settings = kv_memory.settings()
    n["kv_model_name"] = kv_memory.MODEL_NAME
    n["kv_layers"] = settings["num_hidden_layers"]
    n["kv_heads"] = settings["num_key_value_heads"]
    n["kv_head_dim"] = kv_memory.head_dim(settings["hidden_size"], settings["num_attention_heads"])
    n["kv_bytes_per_value"] = kv_memory.BYTES_PER_VALUE[settings["torch_dtype"]]
    n["kv_bytes_per_token"] = kv_memory.bytes_per_token(
        n["kv_layers"], n["kv_heads"], n["kv_head_dim"], n["kv_bytes_per_value"]
    )
    n["kv_rows"] = [
        {
            "tokens": tokens,
            "cache_bytes": kv_memory.cache_bytes(tokens, n["kv_bytes_per_token"]),
        }
        for tokens in MEMORY_TOKENS
    ]
    return n | practice_numbers(n["kv_bytes_per_token"])


def practice_numbers(kv_bytes_per_token: int) -> dict[str, Any]:
    """The questions' inputs and answers."""
    n: dict[str, Any] = {}

    # Basic: from a window to a turn
    n["room_window_tokens"] = practice.ROOM_WINDOW_TOKENS
    n["room_output_tokens"] = practice.ROOM_OUTPUT_TOKENS
    n["room_margin_tokens"] = practice.ROOM_MARGIN_TOKENS
    n["room_fixed_tokens"] = practice.ROOM_FIXED_TOKENS
    n["room_turn_tokens"] = practice.ROOM_TURN_TOKENS
    n["room_history_tokens"] = practice.history_room_tokens(
        practice.ROOM_WINDOW_TOKENS,
        practice.ROOM_OUTPUT_TOKENS,
        practice.ROOM_MARGIN_TOKENS,
        practice.ROOM_FIXED_TOKENS,
    )
    n["room_turns"] = practice.turns_that_fit(n["room_history_tokens"], practice.ROOM_TURN_TOKENS)
    n["room_gone_turn"] = practice.first_turn_without(n["room_turns"])
    n["room_wrong_turns"] = practice.turns_that_fit(
        practice.ROOM_WINDOW_TOKENS, practice.ROOM_TURN_TOKENS
    )

    # Basic: the window by hand
    n["walk_limit_tokens"] = practice.WALK_LIMIT_TOKENS
    n["walk_cost_rows"] = practice.cost_rows(practice.WALK_COSTS_TOKENS)
    n["walk_rows"] = practice.walk_rows(practice.WALK_COSTS_TOKENS, practice.WALK_LIMIT_TOKENS)
    n["walk_kept_messages"] = sum(row["decision"] == "kept" for row in n["walk_rows"])
    n["walk_kept_tokens"] = practice.kept_tokens(
        practice.WALK_COSTS_TOKENS, practice.WALK_LIMIT_TOKENS
    )
    n["walk_gap_filling_tokens"] = practice.gap_filling_tokens(
        practice.WALK_COSTS_TOKENS, practice.WALK_LIMIT_TOKENS
    )

    # Intermediate: a pinned note
    n["pin_tokens"] = practice.PIN_TOKENS
    n["pin_turns"] = practice.PIN_TURNS
    n["pin_request_tokens"] = practice.PIN_REQUEST_TOKENS
    n["pin_total_tokens"] = practice.note_total_tokens(practice.PIN_TOKENS, practice.PIN_TURNS)
    n["pin_share"] = practice.share_of(practice.PIN_TOKENS, practice.PIN_REQUEST_TOKENS)

    # Intermediate: a call with its results
    n["group_limit_tokens"] = practice.GROUP_LIMIT_TOKENS
    n["group_call_tokens"] = practice.CALL_TOKENS
    n["group_results"] = len(practice.RESULT_COSTS_TOKENS)
    n["group_first_result_tokens"] = practice.RESULT_COSTS_TOKENS[0]
    n["group_second_result_tokens"] = practice.RESULT_COSTS_TOKENS[1]
    n["group_third_result_tokens"] = practice.RESULT_COSTS_TOKENS[2]
    n["group_reply_tokens"] = practice.AFTER_COSTS_TOKENS[0]
    n["group_question_tokens"] = practice.AFTER_COSTS_TOKENS[1]
    n["group_tokens"] = practice.group_tokens(
        practice.CALL_TOKENS, sum(practice.RESULT_COSTS_TOKENS)
    )
    n["group_kept_tokens"] = sum(practice.AFTER_COSTS_TOKENS)
    n["group_left_tokens"] = practice.GROUP_LIMIT_TOKENS - n["group_kept_tokens"]
    n["group_orphans"] = practice.orphans(
        practice.CALL_TOKENS,
        practice.RESULT_COSTS_TOKENS,
        practice.AFTER_COSTS_TOKENS,
        practice.GROUP_LIMIT_TOKENS,
    )

    # Advanced: a first turn that is not like the others
    n["long_budget_tokens"] = practice.LONG_BUDGET_TOKENS
    n["long_fixed_tokens"] = practice.LONG_FIXED_TOKENS
    n["long_first_turn_tokens"] = practice.LONG_FIRST_TURN_TOKENS
    n["long_turn_tokens"] = practice.LONG_TURN_TOKENS
    n["long_question_tokens"] = practice.LONG_QUESTION_TOKENS
    n["long_guess_turn"] = prediction.heuristic_turn(
        practice.LONG_BUDGET_TOKENS, practice.LONG_FIXED_TOKENS, practice.LONG_TURN_TOKENS
    )
    n["long_refined_turn"] = prediction.refined_turn(
        practice.LONG_BUDGET_TOKENS,
        1,
        practice.LONG_FIXED_TOKENS + practice.LONG_FIRST_TURN_TOKENS,
        practice.LONG_TURN_TOKENS,
        practice.LONG_QUESTION_TOKENS,
    )

    # Advanced: a cached beginning, and memory
    n["prefix_stable_tokens"] = practice.PREFIX_STABLE_TOKENS
    n["prefix_request_tokens"] = practice.PREFIX_REQUEST_TOKENS
    n["prefix_share"] = practice.share_of(
        practice.PREFIX_STABLE_TOKENS, practice.PREFIX_REQUEST_TOKENS
    )
    n["memory_tokens"] = practice.MEMORY_TOKENS
    n["memory_cache_bytes"] = kv_memory.cache_bytes(practice.MEMORY_TOKENS, kv_bytes_per_token)
    return n


def drop_turns(gone_turn: int) -> list[int]:
    """The turns of the drop step by step: two before it, it, the next, and the last.

    >>> drop_turns(19)
    [17, 18, 19, 20, 200]
    """
    return [*range(max(1, gone_turn - 2), gone_turn + 2), TURNS]


def refuse_unless_sensible(
    budget_tokens: int, reply_reserve_tokens: int, turn_size_percent: int
) -> None:
    """ValueError with the reason, for inputs that the article cannot be told with."""
    low, high = SIZES_PERCENT
    if not low <= turn_size_percent <= high:
        raise ValueError(f"The size of a turn goes from {low} to {high} percent.")
    if reply_reserve_tokens < 0:
        raise ValueError("The room for the reply cannot be less than nothing.")
    if budget_tokens - reply_reserve_tokens < LEAST_LEFT_TOKENS:
        raise ValueError(
            f"The budget must be at least {LEAST_LEFT_TOKENS:,} tokens larger than the room for "
            "the reply, or the longest message would not fit."
        )


def build_only() -> dict[str, Any]:
    """Numbers that need pytest, jinja2 or minutes; RuntimeError where a test fails."""
    return {**study_numbers(), **example_numbers(), **counted_tests()}


def study_numbers() -> dict[str, Any]:
    """What study.py found and wrote down; RuntimeError where that is out of date."""
    import study  # not needed for the rest
    import study_results

    found = study_results.study()
    if found["code_sha256"] != study.code_sha256():
        raise RuntimeError("study.json belongs to other code: run python3 study.py.")
    rows = study_results.error_rows(found)
    n: dict[str, Any] = {}
    n["study_seeds"] = found["seeds"]
    n["study_spread_rows"] = study_results.spread_rows(found)
    n["study_error_rows"] = rows
    n["study_heuristic_rows"] = study_results.rows_of(rows, "heuristic, average of this chat")
    n["study_refined_rows"] = study_results.rows_of(rows, "refined, average of all chats")
    n["study_halfway_rows"] = study_results.rows_of(rows, "refined, halfway")
    n["study_distribution_rows"] = study_results.distribution_rows(found)
    n["study_net_seeds"] = found["net"]["seeds"]
    n["study_net_rows"] = found["net"]["policies"]
    return n


def example_numbers() -> dict[str, Any]:
    """The assembler's example."""
    import assembler_example as example  # not needed for the rest, as it needs jinja2

    made = example.example()
    n: dict[str, Any] = {}
    n["example_window_tokens"] = example.WINDOW_TOKENS
    n["example_output_tokens"] = example.MAX_OUTPUT_TOKENS
    n["example_margin_tokens"] = example.MARGIN_TOKENS
    n["example_budget_tokens"] = example.budget(example.WINDOW_TOKENS).input_tokens
    n["example_mandatory_tokens"] = made.mandatory_tokens
    n["example_input_tokens"] = made.input_tokens
    n["example_dropped_groups"] = len(made.dropped)
    n["example_oldest_turn"] = made.oldest_turn_kept
    n["example_rows"] = example.group_rows()
    n["example_mandatory_rows"] = example.mandatory_rows()
    n["example_error"] = example.error_sentence()
    n["template_rows"] = example.template_rows()
    return n


def counted_tests() -> dict[str, Any]:
    """How many tests pass, and how many random histories one of them tries."""
    import pytest  # not needed for the rest, and not there in a browser

    class Outcomes:
        """Counts what passed, and keeps the names of what did not."""

        def __init__(self) -> None:
            self.passed = 0
            self.failed: list[str] = []

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            self.passed += report.when == "call" and report.passed
            self.failed += [report.nodeid] * report.failed

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            self.failed += [report.nodeid] * report.failed

    outcomes = Outcomes()
    options = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", f"--rootdir={FOLDER}"]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, str(FOLDER)], plugins=[outcomes])
    if outcomes.failed or not outcomes.passed:
        raise RuntimeError(f"These tests fail: {', '.join(outcomes.failed) or 'none was found'}.")
    trials: int = importlib.import_module("test_assembler_histories").TRIALS
    return {"histories_tried": trials, "tests_passed": outcomes.passed}


def main(arguments: list[str]) -> None:
    """Print every number: as a table, or with --json as JSON."""
    values: dict[str, Any] = numbers()
    if importlib.util.find_spec("pytest") and importlib.util.find_spec("jinja2"):
        values |= build_only()
    if "--json" in arguments:
        print(json.dumps(values, indent=2))
        return
    for name, value in values.items():
        if isinstance(value, list):
            print(name)
            for row in value:
                print("   ", ", ".join(f"{key} {cell}" for key, cell in row.items()))
        else:
            print(f"{name:32} {value:,}" if isinstance(value, int) else f"{name:32} {value}")


if __name__ == "__main__":
    main(sys.argv[1:])
