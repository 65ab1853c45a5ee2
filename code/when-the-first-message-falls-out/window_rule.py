"""Keep the newest: which messages of a chat are sent when not all of them fit.

The rule is first in, first out: the walk goes from the newest message to the oldest and stops at
the first that does not fit, even if an older, shorter one would. Nothing is cut in half.
"""

from collections.abc import Sequence

Row = dict[str, int | str]


def first_kept(costs_tokens: Sequence[int], limit_tokens: int) -> int:
    """Place, from 0, of the oldest message that is sent; all newer ones are sent too.

    If not even the newest fits, it is the number of messages: nothing is sent.

    >>> first_kept([35, 49, 57, 133, 71], 270)
    2
    >>> first_kept([35, 49, 57, 133, 71], 70)
    5
    """
    left_tokens = limit_tokens
    first = len(costs_tokens)
    while first > 0 and costs_tokens[first - 1] <= left_tokens:
        first -= 1
        left_tokens -= costs_tokens[first]
    return first


def walk_rows(costs_tokens: Sequence[int], limit_tokens: int) -> list[Row]:
    """The walk step by step: each message that is looked at, newest first, and what is left then.

    >>> for row in walk_rows([35, 49, 57, 133, 71], 270):
    ...     print(row["message"], row["cost_tokens"], row["left_tokens"], row["decision"])
    5 71 199 kept
    4 133 66 kept
    3 57 9 kept
    2 49 9 does not fit: stop
    """
    first = first_kept(costs_tokens, limit_tokens)
    rows: list[Row] = []
    left_tokens = limit_tokens
    for place in range(len(costs_tokens) - 1, max(first - 2, -1), -1):
        if place >= first:
            left_tokens -= costs_tokens[place]
        rows.append(
            {
                "message": place + 1,
                "cost_tokens": costs_tokens[place],
                "left_tokens": left_tokens,
                "decision": "kept" if place >= first else "does not fit: stop",
            }
        )
    return rows
