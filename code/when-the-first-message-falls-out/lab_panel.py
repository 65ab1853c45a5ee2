"""The article's calculator: `run` takes its fields and gives a Run, whose methods are its results.

What cannot be computed is a ValueError whose sentence is meant for the reader. No model is run: the
results say whether the name told in message 1 is still in the input.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import lab
import lab_tables
import prediction
import request_parts
from conversation import TURNS, Chat, priced_chat
from lab import Policy, Request
from rolling_summary import least_room_tokens
from wording import FIXED_TOKENS

Row = dict[str, Any]

LEAST_SIZE_PERCENT, MOST_SIZE_PERCENT = 25, 200  # larger turns would take long in a browser


def run(
    budget_tokens: int,
    reply_reserve_tokens: int,
    pin: bool,
    summary_reserve_tokens: int,
    turn_size_percent: int,
    seed: int,
) -> "Run":
    """The chat of these fields; ValueError where they do not go together.

    >>> default = run(4_000, 0, False, 0, 100, 20261105)
    >>> default.gone_turn(), default.guess_turn(), default.turns_with_name()
    (19, 18, 18)
    >>> run(4_000, 1_000, False, 0, 100, 20261105).gone_turn()
    15
    """
    policy = policy_of(pin, summary_reserve_tokens)
    limit_tokens = input_budget_tokens(budget_tokens, reply_reserve_tokens, policy)
    chat = chat_of(turn_size_percent, seed)
    sent = sent_requests(policy, limit_tokens, turn_size_percent, seed)
    return Run(budget_tokens, reply_reserve_tokens, policy, chat, sent)


@lru_cache(maxsize=16)  # each result of the calculator asks for the same run again
def sent_requests(
    policy: Policy, limit_tokens: int, turn_size_percent: int, seed: int
) -> tuple[Request, ...]:
    """The request of each turn."""
    return lab.requests(chat_of(turn_size_percent, seed), policy, limit_tokens)


def policy_of(pin: bool, summary_reserve_tokens: int) -> Policy:
    """What is sent beside the newest messages; ValueError where a summary would have no room.

    >>> policy_of(True, 0).note_tokens
    12
    """
    least_tokens = least_room_tokens()
    if 0 < summary_reserve_tokens < least_tokens:
        raise ValueError(
            f"A summary with the name and one topic needs {least_tokens} tokens. "
            "Give it as much, or 0 for no summary."
        )
    return Policy("chosen", pins_note=pin, summary_room_tokens=summary_reserve_tokens)


def input_budget_tokens(budget_tokens: int, reply_reserve_tokens: int, policy: Policy) -> int:
    """What the request may take; ValueError where that leaves no room for any message.

    >>> input_budget_tokens(4_000, 1_000, policy_of(False, 0))
    3000
    """
    left_tokens = budget_tokens - reply_reserve_tokens
    taken_first = {
        "the instructions": FIXED_TOKENS,
        "the reply": reply_reserve_tokens,
        "the note": policy.note_tokens,
        "the summary": policy.summary_room_tokens,
    }
    if budget_tokens <= sum(taken_first.values()):
        listed = " and ".join(f"{n:,} for {what}" for what, n in taken_first.items() if n)
        raise ValueError(
            f"A budget of {budget_tokens:,} tokens has no room for any message: "
            f"{listed} come first."
        )
    return left_tokens


def chat_of(turn_size_percent: int, seed: int) -> Chat:
    """The chat that is simulated."""
    if not LEAST_SIZE_PERCENT <= turn_size_percent <= MOST_SIZE_PERCENT:
        raise ValueError(
            f"The size of a turn goes from {LEAST_SIZE_PERCENT} to {MOST_SIZE_PERCENT} percent."
        )
    return priced_chat(seed, turn_size_percent)


@dataclass(frozen=True)
class Run:
    """One simulated chat, and what was sent before each of its replies."""

    budget_tokens: int
    reply_reserve_tokens: int
    policy: Policy
    chat: Chat
    sent: tuple[Request, ...]

    def gone_turn(self) -> int:
        """The turn at which message 1 falls out; ValueError where it never does."""
        turn = lab.gone_turn(self.sent)
        if turn is None:
            raise ValueError(f"Never within {TURNS} turns.")
        return turn

    def mean_turn_tokens(self) -> float:
        """The average turn of this chat, which the guesses rest on."""
        return prediction.mean_turn_tokens(self.chat)

    def guess_turn(self) -> int:
        """The rule of thumb; it knows of no reserve."""
        return lab_tables.guess_turn(self.chat, self.budget_tokens)

    def refined_turn(self) -> int:
        """The refined guess; it knows of all reserves.

        >>> run(4_000, 1_000, True, 200, 100, 20261105).refined_turn()
        14
        """
        reserved_tokens = self.policy.note_tokens + self.policy.summary_room_tokens
        left_tokens = self.budget_tokens - self.reply_reserve_tokens - reserved_tokens
        return lab_tables.refined_guess_turn(self.chat, left_tokens)

    def turns_with_name(self) -> int:
        """Turns whose request holds the name: in message 1, in the note or in the summary."""
        return lab.turns_with_name(self.sent)

    def input_tokens(self) -> int:
        """Tokens read over all turns."""
        return lab.input_tokens(self.sent)

    def turn_rows(self) -> list[Row]:
        """A row for each turn: what is sent, what everything would take, whether the name is in it.

        >>> rows = run(4_000, 0, False, 0, 100, 20261105).turn_rows()
        >>> [(row["turn"], row["messages"], row["has_name"]) for row in rows[17:19]]
        [(18, 35, True), (19, 35, False)]
        """
        whole_tokens = prediction.whole_request_tokens(self.chat)
        return [
            {
                "turn": request.turn,
                "messages": request.messages,
                "dropped_messages": request.first,
                "input_tokens": request.input_tokens,
                "whole_tokens": tokens,
                "has_name": request.has_name,
            }
            for request, tokens in zip(self.sent, whole_tokens, strict=True)
        ]

    def request_rows(self, turn: int) -> list[Row]:
        """The request before the reply of a turn, as parts of the budget; none if it is not sent.

        >>> rows = run(4_000, 1_000, True, 0, 100, 20261105).request_rows(15)
        >>> {row["part"]: row["tokens"] for row in rows}["pinned note"]
        12
        """
        request = self._request(turn)
        if not request.fits:
            return []
        return request_parts.part_rows(request, self.budget_tokens, self.reply_reserve_tokens)

    def request_note(self, turn: int) -> str:
        """One sentence on the request of a turn.

        >>> run(4_000, 0, False, 0, 100, 20261105).request_note(19)
        'Turn 19 sends 35 of 37 messages, from turn 2 on. The name is not in it.'
        """
        request = self._request(turn)
        if not request.fits:
            return request_parts.cannot_be_sent(request)
        return (
            f"Turn {turn} sends {request.messages} of {2 * turn - 1} messages, from turn "
            f"{self.chat[request.first].turn} on. The name is {'' if request.has_name else 'not '}"
            "in it."
        )

    def name_note(self) -> str:
        """What becomes of message 1 and of the name, and which turns cannot be sent at all.

        >>> run(4_000, 0, True, 0, 100, 20261105).name_note()
        'Message 1 falls out at turn 19. The name stays: the pinned note holds it.'
        """
        gone = lab.gone_turn(self.sent)
        if gone is None:
            said = f"Message 1 never falls out within {TURNS} turns: everything fits."
        else:
            said = f"Message 1 falls out at turn {gone}{self._what_holds_the_name()}"
        unsent = [request for request in self.sent if not request.fits]
        if unsent:
            first = request_parts.cannot_be_sent(unsent[0])
            said += f" {first} So it is with {len(unsent)} of the {TURNS} turns."
        return said

    def _what_holds_the_name(self) -> str:
        holders = ["the pinned note"] * self.policy.pins_note
        holders += ["the summary"] * (self.policy.summary_room_tokens > 0)
        if not holders:
            return ", and the name with it."
        verb = "holds" if len(holders) == 1 else "hold"
        return f". The name stays: {' and '.join(holders)} {verb} it."

    def _request(self, turn: int) -> Request:
        if not 1 <= turn <= TURNS:
            raise ValueError(f"The chat has turns 1 to {TURNS}.")
        return self.sent[turn - 1]
