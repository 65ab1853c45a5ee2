"""What each way of keeping the name costs, in tokens that the model reads."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import lab
from conversation import Chat
from lab import KEEP_NEWEST, PINNED_NOTE, ROLLING_SUMMARY, TOPICS_ONLY, Policy, requests
from lab_tables import gone_turn
from wording import FIXED_TOKENS

Row = dict[str, Any]


def input_tokens(chat: Chat, policy: Policy, input_budget_tokens: int) -> int:
    """Tokens read over all turns.

    >>> from conversation import priced_chat
    >>> input_tokens(priced_chat(20261105), KEEP_NEWEST, 4_000)
    747934
    """
    return lab.input_tokens(requests(chat, policy, input_budget_tokens))


def policy_rows(chat: Chat, budgets_tokens: Sequence[int]) -> list[Row]:
    """A row for each budget and policy: what it keeps, and what it costs."""
    return [
        policy_row(chat, policy, budget_tokens)
        for budget_tokens in budgets_tokens
        for policy in (KEEP_NEWEST, PINNED_NOTE, ROLLING_SUMMARY, TOPICS_ONLY)
    ]


def policy_row(chat: Chat, policy: Policy, budget_tokens: int) -> Row:
    """One policy at one budget. "Extra" is the pinned note or the summary."""
    sent = requests(chat, policy, budget_tokens)
    total_tokens = lab.input_tokens(sent)
    note_tokens = sum(request.note_tokens for request in sent)
    extra_tokens = note_tokens + sum(request.summary.tokens for request in sent)
    reused_tokens = sum(lab.reused_tokens(*two) for two in pairwise(sent))
    return {
        "budget_tokens": budget_tokens,
        "policy": policy.name,
        "turns_with_name": lab.turns_with_name(sent),
        "turns_without_name": len(sent) - lab.turns_with_name(sent),
        "gone_turn": gone_turn(chat, budget_tokens, policy),
        "input_tokens": total_tokens,
        "net_tokens": total_tokens - input_tokens(chat, KEEP_NEWEST, budget_tokens),
        "extra_tokens": extra_tokens,
        "extra_share": extra_tokens / total_tokens,
        "history_tokens": total_tokens - extra_tokens - FIXED_TOKENS * len(sent),
        "messages_per_request": sum(request.messages for request in sent) / len(sent),
        "tokens_per_request": total_tokens / len(sent),
        "reused_share": reused_tokens / total_tokens,
    }


def net_rows(chat: Chat, budgets_tokens: Sequence[int]) -> list[Row]:
    """A row for each budget: the input of the whole chat, and what each fix adds or saves."""
    rows = []
    for budget_tokens in budgets_tokens:
        newest_tokens, note_tokens, summary_tokens = (
            input_tokens(chat, policy, budget_tokens)
            for policy in (KEEP_NEWEST, PINNED_NOTE, ROLLING_SUMMARY)
        )
        rows.append(
            {
                "budget_tokens": budget_tokens,
                "newest_input_tokens": newest_tokens,
                "note_input_tokens": note_tokens,
                "note_net_tokens": note_tokens - newest_tokens,
                "summary_input_tokens": summary_tokens,
                "summary_net_tokens": summary_tokens - newest_tokens,
            }
        )
    return rows


def reuse_rows(chat: Chat, budget_tokens: int, turn: int) -> list[Row]:
    """What a cached beginning spares at the turn before a drop and at the drop."""
    sent = requests(chat, KEEP_NEWEST, budget_tokens)
    rows = []
    for request in sent[turn - 2 : turn]:
        reused_tokens = lab.reused_tokens(sent[request.turn - 2], request)
        rows.append(
            {
                "turn": request.turn,
                "input_tokens": request.input_tokens,
                "reused_tokens": reused_tokens,
                "reused_share": reused_tokens / request.input_tokens,
            }
        )
    return rows
