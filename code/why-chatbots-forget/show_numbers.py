"""Every number of the lesson "Why does a chatbot forget?", each computed here and nowhere else.

    python3 show_numbers.py          a table of names and values
    python3 show_numbers.py --json   the same for a program

`numbers()` takes a reader's own inputs: another model, size of message, window, length or card.
"""

import importlib.util
import json
import sys
from typing import Any

import attention
import history
import kv_cache
import measured
import measured_check
import model_config
import model_table
import parameters
import presets
import window
import worked_examples as examples

Numbers = dict[str, Any]

# Rule of thumb for English and the window of Google's Gemini 4 Argon.
# Sources: "Understand and count tokens", "Gemini 4 Argon developer guide", seen 2026-12-01.
GEMINI_WINDOW_TOKENS = 1_048_576
GEMINI_WORDS_PER_100_TOKENS = (60, 80)

CACHE_LENGTHS_TOKENS = (1_000, 4_096, 32_768)  # the model's own maximum is added
PAIRS_TOKENS = 1_000
TURNS = 3  # of figure 1
LOOP_ROWS = 5  # of the table beside the loop

# Models of the two tables: one of each design, two where the second one surprises.
GROWING_IDS = ("llama-2-7b", "qwen3-8b", "qwen3-0.6b", "falcon-7b", "deepseek-v3", "qwen3.5-27b")
CAPPED_IDS = ("mistral-7b-v0.1", "phi-3-mini-4k", "gemma-2-9b", "gemma-3-27b", "gpt-oss-20b")

QUIZ_MODEL = "qwen2.5-7b"
QUIZ_CHAT_TOKENS = 8_192
QUIZ_MESSAGE_TOKENS = 40
QUIZ_REPLIES = 12
QUIZ_WINDOW_TOKENS = 200

BUILD_ONLY = {
    "tests_passed": "It is counted by running the lesson's tests with pytest, which is not there.",
    "tests_failed": "It is counted in the same run.",
    "window_trials": "It is the number of random chats that one of those tests tries.",
}


def numbers(
    *,
    model: str = "qwen3-8b",
    message_tokens: int = 50,
    window_tokens: int = 450,
    replies: int = 10,
    gpu: str = "l40s",
) -> Numbers:
    """All numbers by name; ValueError where the inputs do not go together."""
    refuse_unless_formula_holds(model)
    if replies < 1:
        raise ValueError("There must be at least 1 reply.")
    return {
        **cache_numbers(model, gpu),
        **measured_numbers(),
        **design_numbers(),
        **window_numbers(),
        **resending_numbers(replies, message_tokens, window_tokens),
        **walk_numbers(),
        **attention_numbers(),
        **quiz_window_numbers(),
        **quiz_cache_numbers(),
        **quiz_resending_numbers(),
    }


def cache_numbers(model: str, gpu: str) -> Numbers:
    """A model, its working notes and a card that holds both."""
    layout = presets.layout(model)
    max_tokens = layout.max_tokens or 0
    attention_heads = model_config.required(
        model_config.flatten(presets.config(model)), "num_attention_heads"
    )
    n: Numbers = {}
    n["model_name"] = presets.preset(model).name
    n["layers"] = layout.layers
    n["attention_heads"] = attention_heads
    n["kv_heads"] = layout.kv_heads
    n["head_dim"] = layout.head_dim
    n["bytes_per_value"] = layout.bytes_per_value
    n["max_context_tokens"] = max_tokens
    n["bytes_per_token"] = kv_cache.bytes_per_token(
        layout.layers, layout.kv_heads, layout.head_dim, layout.bytes_per_value
    )
    n["cache_at_max_bytes"] = kv_cache.cache_bytes(n["bytes_per_token"], max_tokens)
    n["cache_rows"] = examples.cache_rows(n["bytes_per_token"], (*CACHE_LENGTHS_TOKENS, max_tokens))
    n["cache_points"] = n["cache_rows"][1:]
    n["kib_bytes"] = kv_cache.KIB_BYTES

    # The model itself, and a card that holds both
    n["parameters"] = presets.preset(model).parameters
    n["rounded_parameters"] = parameters.rounded(n["parameters"])
    n["weights_bytes"] = kv_cache.weights_bytes(n["parameters"], layout.bytes_per_value)
    n["gpu_name"] = presets.gpu(gpu).name
    n["gpu_bytes"] = presets.gpu(gpu).reported_mib * kv_cache.MIB_BYTES
    n["gpu_free_bytes"] = kv_cache.free_bytes(n["gpu_bytes"], n["weights_bytes"])
    n["chats_that_fit"] = kv_cache.chats_that_fit(
        n["gpu_bytes"], n["weights_bytes"], n["cache_at_max_bytes"]
    )

    # What it would cost with a KV head for each attention head
    n["heads_per_kv_head"] = attention_heads // layout.kv_heads
    n["ungrouped_bytes_per_token"] = kv_cache.bytes_per_token(
        layout.layers, attention_heads, layout.head_dim, layout.bytes_per_value
    )
    n["ungrouped_cache_at_max_bytes"] = kv_cache.cache_bytes(
        n["ungrouped_bytes_per_token"], max_tokens
    )
    return n


def measured_numbers() -> Numbers:
    """The makers' measurement of Qwen3-8B, and what the formulas explain of it."""
    n: Numbers = {}
    n["measured_rows"] = measured_check.measured_rows()
    n["measured_rise_bytes"] = n["measured_rows"][-1]["rise_bytes"]
    n["measured_rise_tokens"] = n["measured_rows"][-1]["more_tokens"]
    n["measured_bytes_per_token"] = measured.slope_bytes_per_token(measured.QWEN3_8B_MEMORY_ROWS)
    n["measured_rest_bytes"] = max(row["rest_bytes"] for row in n["measured_rows"])
    return n


def design_numbers() -> Numbers:
    """Designs for which the formula does not hold."""
    n: Numbers = {}
    n["growing_rows"] = rows_of(model_table.layout_rows(), GROWING_IDS)
    n["capped_rows"] = rows_of(model_table.capped_rows(), CAPPED_IDS)
    n["refused_rows"] = model_table.refused_rows()
    return n


def window_numbers() -> Numbers:
    """A window in words, and one as a strip of messages."""
    n: Numbers = {}
    n["gemini_fewest_words"] = GEMINI_WINDOW_TOKENS * GEMINI_WORDS_PER_100_TOKENS[0] / 100
    n["gemini_most_words"] = GEMINI_WINDOW_TOKENS * GEMINI_WORDS_PER_100_TOKENS[1] / 100
    n["strip_window_tokens"] = examples.STRIP_WINDOW_TOKENS
    n["strip_reply_room_tokens"] = examples.STRIP_REPLY_ROOM_TOKENS
    n["strip_limit_tokens"] = window.prompt_limit_tokens(
        examples.STRIP_WINDOW_TOKENS, examples.STRIP_REPLY_ROOM_TOKENS
    )
    n["strip_rows"] = examples.strip_rows(examples.STRIP_COSTS_TOKENS, n["strip_limit_tokens"])
    n["strip_messages"] = len(n["strip_rows"])
    n["strip_first_inside"] = min(r["message"] for r in n["strip_rows"] if r["inside"])
    return n


def resending_numbers(replies: int, message_tokens: int, window_tokens: int) -> Numbers:
    """A chat that is re-sent for each reply, the same chat later on, and a very short one."""
    n: Numbers = {}
    n["turn_rows"] = examples.turn_rows(TURNS)
    n["turns"] = len(n["turn_rows"])
    n["message_tokens"] = message_tokens
    n["window_tokens"] = window_tokens
    n["replies"] = replies
    n["reread_rows"] = history.reread_rows(replies, message_tokens, window_tokens)
    n["first_reply_tokens"] = history.tokens_at_reply(1, message_tokens)
    n["last_reply_tokens"] = history.tokens_at_reply(replies, message_tokens)
    n["read_tokens"] = history.tokens_read(replies, message_tokens)
    n["written_tokens"] = history.tokens_written(replies, message_tokens)
    n["window_fits_messages"] = history.messages_that_fit(window_tokens, message_tokens)
    n["window_sends_tokens"] = (
        history.most_messages_sent(window_tokens, message_tokens) * message_tokens
    )
    n["window_read_tokens"] = history.window_tokens_read(replies, message_tokens, window_tokens)
    n["filling_replies"] = history.replies_while_filling(message_tokens, window_tokens)
    n["first_cut_reply"] = history.first_reply_without_message_1(message_tokens, window_tokens)

    # The same chat, longer
    n["loop_rows"] = history.reread_rows(LOOP_ROWS, message_tokens, window_tokens)
    n["double_replies"] = 2 * replies
    n["double_read_tokens"] = history.tokens_read(n["double_replies"], message_tokens)
    n["double_written_tokens"] = history.tokens_written(n["double_replies"], message_tokens)
    n["long_replies"] = 4 * replies
    n["long_read_tokens"] = history.tokens_read(n["long_replies"], message_tokens)
    n["long_window_read_tokens"] = history.window_tokens_read(
        n["long_replies"], message_tokens, window_tokens
    )
    n["full_replies"] = max(0, n["long_replies"] - n["filling_replies"])
    n["filling_read_tokens"] = history.tokens_read(
        n["long_replies"] - n["full_replies"], message_tokens
    )
    n["full_read_tokens"] = n["full_replies"] * n["window_sends_tokens"]

    # A case small enough to count on one's fingers
    n["small_replies"] = 3
    n["small_message_tokens"] = 10
    n["small_read_tokens"] = history.tokens_read(n["small_replies"], n["small_message_tokens"])
    return n


def walk_numbers() -> Numbers:
    """The window by hand."""
    n: Numbers = {}
    walk = (examples.WALK_ROLES, examples.WALK_COSTS_TOKENS, examples.WALK_LIMIT_TOKENS)
    n["walk_chat_rows"] = examples.chat_rows(examples.WALK_ROLES, examples.WALK_COSTS_TOKENS)
    n["walk_limit_tokens"] = examples.WALK_LIMIT_TOKENS
    n["walk_rows"] = window.walk_rows(*walk)
    n["walk_budget_tokens"] = examples.WALK_LIMIT_TOKENS - examples.WALK_COSTS_TOKENS[0]
    n["walk_kept"] = examples.listed(window.kept_numbers(*walk))
    n["walk_kept_tokens"] = examples.kept_tokens(*walk)
    n["unpinned_rows"] = window.walk_rows(*walk, pin_system=False)
    n["unpinned_walked"] = examples.walked(n["unpinned_rows"])
    n["unpinned_walked_tokens"] = examples.walked_tokens(n["unpinned_rows"])
    n["unpinned_kept"] = examples.listed(window.kept_numbers(*walk, pin_system=False))
    n["unpinned_kept_tokens"] = examples.kept_tokens(*walk, pin_system=False)
    return n


def attention_numbers() -> Numbers:
    """Comparisons, and scores by the length of the input."""
    n: Numbers = {}
    n["pairs_tokens"] = PAIRS_TOKENS
    n["pairs"] = attention.attention_pairs(n["pairs_tokens"])
    n["double_pairs_tokens"] = 2 * PAIRS_TOKENS
    n["double_pairs"] = attention.attention_pairs(n["double_pairs_tokens"])
    n["ruler_rows"] = measured.QWEN3_8B_RULER_ROWS
    scores = [row["score_percent"] for row in n["ruler_rows"]]
    n["ruler_native_points"] = round(scores[0] - scores[3], 1)
    n["ruler_stretched_points"] = round(scores[3] - scores[-1], 1)
    return n


def quiz_window_numbers() -> Numbers:
    """Quiz: a window by hand."""
    n: Numbers = {}
    quiz = (examples.WALK_ROLES, examples.QUIZ_COSTS_TOKENS, examples.QUIZ_LIMIT_TOKENS)
    n["quiz_chat_rows"] = examples.chat_rows(examples.WALK_ROLES, examples.QUIZ_COSTS_TOKENS)
    n["quiz_limit_tokens"] = examples.QUIZ_LIMIT_TOKENS
    n["quiz_kept"] = examples.listed(window.kept_numbers(*quiz))
    n["quiz_kept_tokens"] = examples.kept_tokens(*quiz)
    n["quiz_walk_rows"] = window.walk_rows(*quiz)
    n["quiz_orphan_tokens"] = examples.walked_tokens(n["quiz_walk_rows"])
    n["quiz_gap_filling_tokens"] = examples.gap_filling_tokens(*quiz[1:])
    n["quiz_unpinned_tokens"] = examples.kept_tokens(*quiz, pin_system=False)
    return n


def quiz_cache_numbers() -> Numbers:
    """Quiz: the cache of another model."""
    n: Numbers = {}
    other = presets.layout(QUIZ_MODEL)
    n["quiz_model_name"] = presets.preset(QUIZ_MODEL).name
    n["quiz_layers"] = other.layers
    n["quiz_attention_heads"] = model_config.flatten(presets.config(QUIZ_MODEL))[
        "num_attention_heads"
    ]
    n["quiz_kv_heads"] = other.kv_heads
    n["quiz_head_dim"] = other.head_dim
    n["quiz_bytes_per_value"] = other.bytes_per_value
    n["quiz_bytes_per_token"] = kv_cache.bytes_per_token(
        other.layers, other.kv_heads, other.head_dim, other.bytes_per_value
    )
    n["quiz_ungrouped_bytes_per_token"] = kv_cache.bytes_per_token(
        other.layers, n["quiz_attention_heads"], other.head_dim, other.bytes_per_value
    )
    n["quiz_chat_tokens"] = QUIZ_CHAT_TOKENS
    n["quiz_cache_bytes"] = kv_cache.cache_bytes(n["quiz_bytes_per_token"], QUIZ_CHAT_TOKENS)
    return n


def quiz_resending_numbers() -> Numbers:
    """Quiz: re-sending."""
    n: Numbers = {}
    n["quiz_message_tokens"] = QUIZ_MESSAGE_TOKENS
    n["quiz_replies"] = QUIZ_REPLIES
    n["quiz_window_tokens"] = QUIZ_WINDOW_TOKENS
    n["quiz_read_tokens"] = history.tokens_read(QUIZ_REPLIES, QUIZ_MESSAGE_TOKENS)
    n["quiz_written_tokens"] = history.tokens_written(QUIZ_REPLIES, QUIZ_MESSAGE_TOKENS)
    n["quiz_window_read_tokens"] = history.window_tokens_read(
        QUIZ_REPLIES, QUIZ_MESSAGE_TOKENS, QUIZ_WINDOW_TOKENS
    )
    n["quiz_filling_replies"] = history.replies_while_filling(
        QUIZ_MESSAGE_TOKENS, QUIZ_WINDOW_TOKENS
    )
    n["quiz_filling_read_tokens"] = history.tokens_read(
        n["quiz_filling_replies"], QUIZ_MESSAGE_TOKENS
    )
    n["quiz_full_replies"] = QUIZ_REPLIES - n["quiz_filling_replies"]
    n["quiz_full_read_tokens"] = n["quiz_full_replies"] * QUIZ_WINDOW_TOKENS
    n["quiz_always_full_tokens"] = QUIZ_REPLIES * QUIZ_WINDOW_TOKENS
    return n


def refuse_unless_formula_holds(model: str) -> None:
    """ValueError with the reason, for a model that the page's formula cannot describe."""
    name = presets.preset(model).name
    layout = presets.layout(model)
    if layout.kind != "full":
        raise ValueError(f"{name} needs another formula: not all of its layers keep every token.")
    if presets.preset(model).parameters is None or layout.max_tokens is None:
        raise ValueError(f"The exact size or the longest chat of {name} is not known here.")


def rows_of(rows: list[dict[str, Any]], ids: tuple[str, ...]) -> list[dict[str, Any]]:
    """The rows of these models, in this order."""
    by_id = {row["id"]: row for row in rows}
    return [by_id[model] for model in ids]


def build_only() -> Numbers:
    """Numbers that need pytest, from a real run of the lesson's tests."""
    import lesson_tests  # not where pytest is missing, as in a browser

    outcomes = lesson_tests.outcomes()
    n: Numbers = {}
    n["tests_passed"] = outcomes.passed
    n["tests_failed"] = outcomes.failed
    n["window_trials"] = lesson_tests.window_trials()
    return n


def main(arguments: list[str]) -> None:
    """Print every number: as a table, or with --json as JSON."""
    values: dict[str, Any] = numbers()
    if importlib.util.find_spec("pytest"):
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
