"""A rolling summary of what is no longer sent: facts first, then topics, in a fixed room.

Each state is made from the state before it and the messages that were dropped since, never from the
whole chat: that is what makes a real one cheap, and what lets its mistakes stay. A program picks
the facts and topics here; in an app a model writes the summary, at its own cost, and may err.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from conversation import Message
from token_units import MESSAGE_OVERHEAD_TOKENS, message_tokens
from vocabulary import INTRODUCTIONS
from wording import NAME_FACT, summary_text


@dataclass(frozen=True)
class Summary:
    """What was kept of the first `messages` messages of the chat, in at most `room_tokens`."""

    room_tokens: int
    keeps_facts: bool = True
    facts: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    messages: int = 0

    @property
    def text(self) -> str:
        """The summary as it is sent; empty as long as nothing was dropped."""
        return summary_text(self.facts, self.topics, self.messages) if self.messages else ""

    @property
    def tokens(self) -> int:
        """What it costs as a message."""
        return message_tokens(self.text) if self.messages else 0

    def after(self, dropped: Sequence[Message]) -> "Summary":
        """The next state, once these messages were dropped too.

        >>> introduction = Message(1, "user", "introductions", 35, says_name=True)
        >>> summary = Summary(200).after([introduction])
        >>> summary.text
        'Earlier messages left out: 1. Name: Robin Sample. Topics so far: introductions.'
        >>> summary.tokens
        26
        """
        state = replace(self, messages=self.messages + len(dropped))
        for message in dropped:
            if self.keeps_facts and message.says_name and NAME_FACT not in state.facts:
                state = replace(state, facts=(*state.facts, NAME_FACT))
            if message.topic not in state.topics:
                longer = replace(state, topics=(*state.topics, message.topic))
                state = longer if longer.tokens <= self.room_tokens else state
        return state


def least_room_tokens() -> int:
    """Room that the first state takes: the name, and the topic of the introduction.

    >>> least_room_tokens()
    26
    """
    return message_tokens(summary_text((NAME_FACT,), (INTRODUCTIONS,), 1))


def most_text_tokens(room_tokens: int) -> int:
    """Units of text that a room holds beside the marks of a message.

    >>> most_text_tokens(200)
    196
    """
    return room_tokens - MESSAGE_OVERHEAD_TOKENS
