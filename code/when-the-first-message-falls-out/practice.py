"""The worked example and the practice questions of the article, computed."""

from collections.abc import Sequence
from typing import Any

import window_rule

Row = dict[str, Any]

# The rule of thumb by hand: what is left after the fixed part, and an average turn.
WORKED_LEFT_TOKENS = 6_000
WORKED_TURN_TOKENS = 300

# Basic: from a window to a turn.
ROOM_WINDOW_TOKENS = 16_000
ROOM_OUTPUT_TOKENS = 2_000
ROOM_MARGIN_TOKENS = 400
ROOM_FIXED_TOKENS = 1_600
ROOM_TURN_TOKENS = 400

# Basic: the window by hand; user and assistant take turns, the user has the last word.
WALK_COSTS_TOKENS = (40, 120, 60, 200, 80, 150, 90)
WALK_LIMIT_TOKENS = 500

# Intermediate: what a pinned note costs.
PIN_TOKENS = 30
PIN_TURNS = 400
PIN_REQUEST_TOKENS = 4_000

# Intermediate: a call with three results at once, a reply, and the new message.
CALL_TOKENS = 60
RESULT_COSTS_TOKENS = (400, 350, 500)
AFTER_COSTS_TOKENS = (90, 40)
GROUP_LIMIT_TOKENS = 1_400

# Advanced: a first turn that is not like the others.
LONG_BUDGET_TOKENS = 10_000
LONG_FIXED_TOKENS = 500
LONG_FIRST_TURN_TOKENS = 2_500
LONG_TURN_TOKENS = 400
LONG_QUESTION_TOKENS = 120

# Advanced: what a cached beginning still spares.
PREFIX_STABLE_TOKENS = 600
PREFIX_REQUEST_TOKENS = 4_000

# Advanced: memory of a long request.
MEMORY_TOKENS = 16_000


def history_room_tokens(
    window_tokens: int, max_output_tokens: int, margin_tokens: int, fixed_tokens: int
) -> int:
    """What a window leaves for the history and the new message.

    >>> history_room_tokens(16_000, 2_000, 400, 1_600)
    12000
    """
    return window_tokens - max_output_tokens - margin_tokens - fixed_tokens


def turns_that_fit(left_tokens: int, turn_tokens: int) -> int:
    """Whole average turns that fit.

    >>> turns_that_fit(6_000, 300)
    20
    """
    return left_tokens // turn_tokens


def first_turn_without(turns_that_fit: int) -> int:
    """The turn at which message 1 is gone, by the rule of thumb.

    >>> first_turn_without(20)
    21
    """
    return turns_that_fit + 1


def cost_rows(costs_tokens: Sequence[int]) -> list[Row]:
    """Messages by number, the oldest first."""
    return [
        {"message": number, "role": "user" if number % 2 else "assistant", "cost_tokens": cost}
        for number, cost in enumerate(costs_tokens, start=1)
    ]


def walk_rows(costs_tokens: Sequence[int], limit_tokens: int) -> list[Row]:
    """The walk of the window over them."""
    return [dict(row) for row in window_rule.walk_rows(costs_tokens, limit_tokens)]


def kept_tokens(costs_tokens: Sequence[int], limit_tokens: int) -> int:
    """Tokens that the window keeps.

    >>> kept_tokens(WALK_COSTS_TOKENS, WALK_LIMIT_TOKENS)
    320
    """
    return sum(costs_tokens[window_rule.first_kept(costs_tokens, limit_tokens) :])


def gap_filling_tokens(costs_tokens: Sequence[int], limit_tokens: int) -> int:
    """A mistake to warn of: what does not fit is skipped, and the walk goes on behind it.

    >>> gap_filling_tokens(WALK_COSTS_TOKENS, WALK_LIMIT_TOKENS)
    500
    """
    taken_tokens = 0
    for cost_tokens in reversed(costs_tokens):
        if taken_tokens + cost_tokens <= limit_tokens:
            taken_tokens += cost_tokens
    return taken_tokens


def note_total_tokens(note_tokens: int, turns: int) -> int:
    """What a pinned note costs over a whole chat.

    >>> note_total_tokens(30, 400)
    12000
    """
    return note_tokens * turns


def group_tokens(call_tokens: int, results_tokens: int) -> int:
    """A call with its results, kept or dropped as one.

    >>> group_tokens(60, 1_250)
    1310
    """
    return call_tokens + results_tokens


def orphans(
    call_tokens: int, results_tokens: Sequence[int], after_tokens: Sequence[int], limit_tokens: int
) -> int:
    """Results that a window over single messages keeps without their call.

    >>> orphans(CALL_TOKENS, RESULT_COSTS_TOKENS, AFTER_COSTS_TOKENS, GROUP_LIMIT_TOKENS)
    3
    """
    costs_tokens = [call_tokens, *results_tokens, *after_tokens]
    first = window_rule.first_kept(costs_tokens, limit_tokens)
    return 0 if first == 0 else max(0, 1 + len(results_tokens) - first)


def share_of(part_tokens: int, whole_tokens: int) -> float:
    """A part of a whole.

    >>> share_of(1_000, 4_000)
    0.25
    """
    return part_tokens / whole_tokens
