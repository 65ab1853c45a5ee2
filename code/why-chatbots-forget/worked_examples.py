"""The small chats that the lesson works through by hand, and the tables it shows of them."""

from collections.abc import Sequence
from typing import Any

import kv_cache
import naive_loop
import window
from window import REPLY, SYSTEM, USER

Row = dict[str, Any]

# Figure 2: message 1 holds the rule "answer in French"; questions and answers take turns.
STRIP_COSTS_TOKENS = (20, 45, 15, 50, 20, 45, 20)
STRIP_WINDOW_TOKENS = 190
STRIP_REPLY_ROOM_TOKENS = 40

# The window that is walked by hand.
WALK_ROLES = (SYSTEM, USER, REPLY, USER, REPLY, USER)
WALK_COSTS_TOKENS = (3, 4, 2, 3, 2, 5)
WALK_LIMIT_TOKENS = 12

# The same in the quiz.
QUIZ_COSTS_TOKENS = (2, 3, 1, 6, 4, 3)
QUIZ_LIMIT_TOKENS = 10


def turn_rows(turns: int) -> list[Row]:
    """What the naive loop sends at each turn: all but the newest question was there before.

    >>> [row["sent_again_messages"] for row in turn_rows(3)]
    [0, 2, 4]
    """
    return [
        {"turn": turn, "messages": messages, "sent_again_messages": messages - 1}
        for turn, messages in enumerate(naive_loop.sent_messages(turns), start=1)
    ]


def strip_rows(costs_tokens: Sequence[int], limit_tokens: int) -> list[Row]:
    """A chat laid out on a token axis, and which of its messages the window sends.

    >>> [row["message"] for row in strip_rows((20, 45, 15, 50), 65) if row["inside"]]
    [3, 4]
    """
    roles = [REPLY if index % 2 else USER for index in range(len(costs_tokens))]
    kept = window.kept_numbers(roles, costs_tokens, limit_tokens, pin_system=False)
    rows: list[Row] = []
    end_tokens = 0
    for number, (role, cost_tokens) in enumerate(zip(roles, costs_tokens, strict=True), start=1):
        start_tokens, end_tokens = end_tokens, end_tokens + cost_tokens
        rows.append(
            {
                "message": number,
                "role": role,
                "tokens": cost_tokens,
                "start_tokens": start_tokens,
                "end_tokens": end_tokens,
                "inside": number in kept,
            }
        )
    return rows


def chat_rows(roles: Sequence[str], costs_tokens: Sequence[int]) -> list[Row]:
    """The messages of a chat, oldest first.

    >>> chat_rows(["user"], [4])
    [{'message': 1, 'role': 'user', 'cost_tokens': 4}]
    """
    return [
        {"message": number, "role": role, "cost_tokens": cost_tokens}
        for number, (role, cost_tokens) in enumerate(zip(roles, costs_tokens, strict=True), start=1)
    ]


def kept_tokens(
    roles: Sequence[str],
    costs_tokens: Sequence[int],
    limit_tokens: int,
    *,
    pin_system: bool = True,
) -> int:
    """Tokens that the window sends.

    >>> kept_tokens(WALK_ROLES, WALK_COSTS_TOKENS, WALK_LIMIT_TOKENS)
    8
    """
    kept = window.kept_numbers(roles, costs_tokens, limit_tokens, pin_system=pin_system)
    return window.kept_tokens(costs_tokens, kept)


def walked_tokens(rows: Sequence[Row]) -> int:
    """Tokens that a walk had taken when it stopped, before orphaned replies were dropped.

    >>> walked_tokens(window.walk_rows(WALK_ROLES, WALK_COSTS_TOKENS, 12, pin_system=False))
    12
    """
    return sum(row["cost_tokens"] for row in rows if row["decision"] in ("pinned", "kept"))


def walked(rows: Sequence[Row]) -> str:
    """The messages that a walk had taken when it stopped, in the order of the walk.

    >>> walked(window.walk_rows(WALK_ROLES, WALK_COSTS_TOKENS, 12, pin_system=False))
    '#6, #5, #4 and #3'
    """
    return listed([row["message"] for row in rows if row["decision"] == "kept"])


def gap_filling_tokens(costs_tokens: Sequence[int], limit_tokens: int) -> int:
    """A mistake to warn of: the first message is pinned, and what does not fit is skipped.

    >>> gap_filling_tokens(QUIZ_COSTS_TOKENS, QUIZ_LIMIT_TOKENS)
    10
    """
    taken_tokens = costs_tokens[0]
    for cost_tokens in reversed(costs_tokens[1:]):
        if taken_tokens + cost_tokens <= limit_tokens:
            taken_tokens += cost_tokens
    return taken_tokens


def listed(message_numbers: Sequence[int]) -> str:
    """Message numbers as a reader writes them.

    >>> listed([4, 5, 6])
    '#4, #5 and #6'
    """
    *most, last = [f"#{number}" for number in message_numbers]
    return f"{', '.join(most)} and {last}" if most else last


def cache_rows(bytes_per_token: float, lengths_tokens: Sequence[int]) -> list[Row]:
    """The cache of one chat at several lengths.

    >>> cache_rows(147_456, (1_000,))
    [{'tokens': 1000, 'cache_bytes': 147456000}]
    """
    return [
        {"tokens": tokens, "cache_bytes": kv_cache.cache_bytes(bytes_per_token, tokens)}
        for tokens in lengths_tokens
    ]
