"""One request as the parts that its budget is spent on."""

from typing import Any

from conversation import Chat
from lab import KEEP_NEWEST, Request, requests
from wording import REPLY_START_TOKENS, SYSTEM_TOKENS

Row = dict[str, Any]

INSTRUCTIONS = "instructions"
REPLY_START = "reply start"
NOTE = "pinned note"
SUMMARY = "summary"
HISTORY = "history"
NEW_MESSAGE = "new message"
REPLY_ROOM = "room for the reply"
FREE = "free"


def part_rows(request: Request, budget_tokens: int, reply_reserve_tokens: int) -> list[Row]:
    """The parts in the order of the request, on an axis of tokens; together they are the budget.

    Parts of nothing are left out. ValueError where the request cannot be sent.

    >>> from conversation import priced_chat
    >>> from lab import KEEP_NEWEST, requests
    >>> request = requests(priced_chat(20261105), KEEP_NEWEST, 3_000)[14]
    >>> [(row["part"], row["tokens"]) for row in part_rows(request, 4_000, 1_000)]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('instructions', 17), ('history', 2918), ('new message', 39), ('reply start', 3),
     ('room for the reply', 1000), ('free', 23)]
    """
    if not request.fits:
        raise ValueError(cannot_be_sent(request))
    free_tokens = budget_tokens - reply_reserve_tokens - request.input_tokens
    parts = {
        INSTRUCTIONS: SYSTEM_TOKENS,
        NOTE: request.note_tokens,
        SUMMARY: request.summary.tokens,
        HISTORY: request.history_tokens,
        NEW_MESSAGE: request.question_tokens,
        REPLY_START: REPLY_START_TOKENS,
        REPLY_ROOM: reply_reserve_tokens,
        FREE: free_tokens,
    }
    rows: list[Row] = []
    end_tokens = 0
    for part, tokens in parts.items():
        start_tokens, end_tokens = end_tokens, end_tokens + tokens
        if tokens:
            rows.append(
                {
                    "part": part,
                    "tokens": tokens,
                    "share": tokens / budget_tokens,
                    "start_tokens": start_tokens,
                    "end_tokens": end_tokens,
                }
            )
    return rows


def two_request_rows(
    chat: Chat, turn: int, budget_tokens: int, reply_reserve_tokens: int
) -> list[Row]:
    """The request of a turn twice: without room for the reply, and with it."""
    return [
        {"request": name, **row}
        for name, reserve_tokens in (("no room kept", 0), ("room kept", reply_reserve_tokens))
        for row in part_rows(
            requests(chat, KEEP_NEWEST, budget_tokens - reserve_tokens)[turn - 1],
            budget_tokens,
            reserve_tokens,
        )
    ]


def cannot_be_sent(request: Request) -> str:
    """Why a request cannot be sent, for a reader."""
    return (
        f"Turn {request.turn} cannot be sent: its new message alone needs "
        f"{request.question_tokens:,} tokens, and the budget leaves less."
    )
