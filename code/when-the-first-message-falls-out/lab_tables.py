"""The tables of the article: what the lab sends, turn by turn and budget by budget.

"The name" is the one told in message 1. A row says whether it is still in the input; no model is
run, so none says whether a model would recall it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import lab
import prediction
from conversation import TURNS, Chat, priced_chat
from lab import KEEP_NEWEST, PINNED_NOTE, ROLLING_SUMMARY, TOPICS_ONLY, Policy, Request, requests
from wording import FIXED_TOKENS

Row = dict[str, Any]


def gone_turn(chat: Chat, input_budget_tokens: int, policy: Policy = KEEP_NEWEST) -> int:
    """The first turn whose request lacks message 1; ValueError where there is none.

    >>> from conversation import priced_chat
    >>> gone_turn(priced_chat(20261105), 4_000)
    19
    """
    turn = lab.gone_turn(requests(chat, policy, input_budget_tokens))
    if turn is None:
        raise ValueError(
            f"With {input_budget_tokens:,} tokens of input, message 1 never falls out within "
            f"{len(chat) // 2} turns. Choose a smaller budget, or longer turns."
        )
    return turn


def guess_turn(chat: Chat, budget_tokens: int) -> int:
    """The rule of thumb, with the average of this very chat.

    >>> from conversation import priced_chat
    >>> guess_turn(priced_chat(20261105), 4_000)
    18
    """
    return prediction.heuristic_turn(budget_tokens, FIXED_TOKENS, prediction.mean_turn_tokens(chat))


def refined_guess_turn(chat: Chat, input_budget_tokens: int) -> int:
    """The refined guess before turn 2, with the averages of this very chat.

    >>> from conversation import priced_chat
    >>> refined_guess_turn(priced_chat(20261105), 4_000)
    19
    """
    return prediction.refined_turn(
        input_budget_tokens,
        1,
        FIXED_TOKENS + chat[0].tokens + chat[1].tokens,
        prediction.mean_turn_tokens(chat),
        prediction.mean_question_tokens(chat),
    )


def first_turn_rows(chat: Chat, turns: int) -> list[Row]:
    """What both messages of the first turns cost."""
    return [
        {"turn": turn, "question_tokens": question.tokens, "reply_tokens": reply.tokens}
        for turn, (question, reply) in enumerate(
            zip(chat[: 2 * turns : 2], chat[1 : 2 * turns : 2], strict=True), start=1
        )
    ]


def budget_rows(chat: Chat, budgets_tokens: Sequence[int]) -> list[Row]:
    """A row for each budget: guess and measurement, and the turns with the name by policy."""
    rows = []
    for budget_tokens in budgets_tokens:
        guess, gone = guess_turn(chat, budget_tokens), gone_turn(chat, budget_tokens)
        summaries = [
            request.summary.tokens for request in requests(chat, ROLLING_SUMMARY, budget_tokens)
        ]
        rows.append(
            {
                "budget_tokens": budget_tokens,
                "guess_turn": guess,
                "refined_turn": refined_guess_turn(chat, budget_tokens),
                "gone_turn": gone,
                "error_turns": guess - gone,
                "newest_turns": turns_with_name(chat, KEEP_NEWEST, budget_tokens),
                "without_turns": TURNS - turns_with_name(chat, KEEP_NEWEST, budget_tokens),
                "note_turns": turns_with_name(chat, PINNED_NOTE, budget_tokens),
                "summary_turns": turns_with_name(chat, ROLLING_SUMMARY, budget_tokens),
                "topics_turns": turns_with_name(chat, TOPICS_ONLY, budget_tokens),
                "least_summary_tokens": min(summaries),
                "most_summary_tokens": max(summaries),
            }
        )
    return rows


def turns_with_name(chat: Chat, policy: Policy, input_budget_tokens: int) -> int:
    """Turns whose request holds the name.

    >>> from conversation import priced_chat
    >>> turns_with_name(priced_chat(20261105), TOPICS_ONLY, 8_000)
    34
    """
    return lab.turns_with_name(requests(chat, policy, input_budget_tokens))


def drop_rows(chat: Chat, budget_tokens: int, turns: Sequence[int]) -> list[Row]:
    """The drop step by step: a row for each of these turns, with everything against what fits.

    >>> from conversation import priced_chat
    >>> [row["dropped_messages"] for row in drop_rows(priced_chat(20261105), 4_000, (18, 19))]
    [0, 2]
    """
    sent = requests(chat, KEEP_NEWEST, budget_tokens)
    whole_tokens = prediction.whole_request_tokens(chat)
    return [drop_row(chat, sent[turn - 1], whole_tokens[turn - 1], budget_tokens) for turn in turns]


def drop_row(chat: Chat, request: Request, whole_tokens: int, budget_tokens: int) -> Row:
    """One turn of the drop; `over_tokens` is below 0 where everything fits."""
    return {
        "turn": request.turn,
        "messages": 2 * request.turn - 1,
        "whole_tokens": whole_tokens,
        "over_tokens": whole_tokens - budget_tokens,
        "dropped_messages": request.first,
        "sent_messages": request.messages,
        "oldest_turn": chat[request.first].turn,
        "input_tokens": request.input_tokens,
        "free_tokens": budget_tokens - request.input_tokens,
        "has_name": request.has_name,
    }


def drop_step_rows(chat: Chat, budgets_tokens: Sequence[int]) -> list[Row]:
    """A row for each budget: the last turn that sends everything, and the first that does not."""
    rows = []
    for budget_tokens in budgets_tokens:
        sent = requests(chat, KEEP_NEWEST, budget_tokens)
        request = sent[gone_turn(chat, budget_tokens) - 1]
        rows.append(
            {
                "budget_tokens": budget_tokens,
                "last_whole_turn": request.turn - 1,
                "last_whole_messages": sent[request.turn - 2].messages,
                "gone_turn": request.turn,
                "dropped_messages": request.first,
                "sent_messages": request.messages,
                "oldest_turn": chat[request.first].turn,
                "oldest_turn_at_end": chat[sent[-1].first].turn,
            }
        )
    return rows


def first_message_rows(chat: Chat, messages: int) -> list[Row]:
    """The oldest messages, laid out on an axis of tokens."""
    rows: list[Row] = []
    end_tokens = 0
    for number, message in enumerate(chat[:messages], start=1):
        start_tokens, end_tokens = end_tokens, end_tokens + message.tokens
        rows.append(
            {
                "message": number,
                "turn": message.turn,
                "role": message.role,
                "tokens": message.tokens,
                "start_tokens": start_tokens,
                "end_tokens": end_tokens,
            }
        )
    return rows


def reserve_rows(chat: Chat, budgets_tokens: Sequence[int], reply_reserve_tokens: int) -> list[Row]:
    """What room for the reply takes from the history, at each budget."""
    return [
        {
            "budget_tokens": budget_tokens,
            "input_budget_tokens": budget_tokens - reply_reserve_tokens,
            "less_share": reply_reserve_tokens / budget_tokens,
            "guess_turn": guess_turn(chat, budget_tokens),
            "refined_turn": refined_guess_turn(chat, budget_tokens - reply_reserve_tokens),
            "gone_turn": gone_turn(chat, budget_tokens - reply_reserve_tokens),
            "earlier_turns": gone_turn(chat, budget_tokens)
            - gone_turn(chat, budget_tokens - reply_reserve_tokens),
        }
        for budget_tokens in budgets_tokens
    ]


def curve_rows(chat: Chat, budgets_tokens: Sequence[int]) -> list[Row]:
    """Guesses and measurement over many budgets, as far as message 1 falls out within the chat."""
    whole_tokens = prediction.whole_request_tokens(chat)
    rows = []
    for budget_tokens in budgets_tokens:
        gone = prediction.measured_gone_turn(whole_tokens, budget_tokens)
        if gone is not None:
            guess = guess_turn(chat, budget_tokens)
            rows.append(
                {
                    "budget_tokens": budget_tokens,
                    "gone_turn": gone,
                    "guess_turn": guess,
                    "error_turns": guess - gone,
                    "refined_turn": refined_guess_turn(chat, budget_tokens),
                }
            )
    return rows


def miss_rows(rows: Sequence[Row]) -> list[Row]:
    """How often the rule of thumb misses by how many turns, in the rows of a curve.

    >>> for row in miss_rows([{"error_turns": -1}, {"error_turns": -1}, {"error_turns": 0}]):
    ...     print(row["miss_turns"], row["side"], row["budgets"], round(row["share"], 2))
    1 early 2 0.67
    0 exact 1 0.33
    """
    counts = Counter(row["error_turns"] for row in rows)
    return [
        {
            "error_turns": error,
            "miss_turns": abs(error),
            "side": "early" if error < 0 else "late" if error > 0 else "exact",
            "budgets": counts[error],
            "share": counts[error] / len(rows),
        }
        for error in sorted(counts)
    ]


def size_rows(seed: int, budget_tokens: int, sizes_percent: Sequence[int]) -> list[Row]:
    """The same seed with shorter and longer turns."""
    rows = []
    for size_percent in sizes_percent:
        chat = priced_chat(seed, size_percent)
        rows.append(
            {
                "turn_size_percent": size_percent,
                "mean_turn_tokens": prediction.mean_turn_tokens(chat),
                "guess_turn": guess_turn(chat, budget_tokens),
                "gone_turn": gone_turn(chat, budget_tokens),
            }
        )
    return rows
