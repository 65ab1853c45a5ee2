"""The lab: what an app sends before each reply of a long chat, and whether the name is in it.

No model is run. The lab measures whether the name told in message 1 is still in the input, not
whether a model would recall it: what is not in the input cannot be recalled, what is may still be
overlooked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from conversation import Chat
from rolling_summary import Summary
from window_rule import first_kept
from wording import FIXED_TOKENS, NOTE, NOTE_TOKENS, SYSTEM, SYSTEM_TOKENS


@dataclass(frozen=True)
class Policy:
    """What the app sends beside the newest messages.

    `pins_note` adds the note with the name. `summary_room_tokens` above 0 keeps that room free, and
    fills it with a rolling summary as soon as something was dropped.
    """

    name: str
    pins_note: bool = False
    summary_room_tokens: int = 0
    summary_keeps_facts: bool = True

    @property
    def note_tokens(self) -> int:
        """What the pinned note costs in each request."""
        return NOTE_TOKENS if self.pins_note else 0


KEEP_NEWEST = Policy("keep newest")
PINNED_NOTE = Policy("pinned note", pins_note=True)
ROLLING_SUMMARY = Policy("rolling summary", summary_room_tokens=200)
TOPICS_ONLY = Policy("topics only", summary_room_tokens=200, summary_keeps_facts=False)
POLICIES = (KEEP_NEWEST, PINNED_NOTE, ROLLING_SUMMARY)


@dataclass(frozen=True)
class Request:
    """What is sent before the reply of a turn.

    `first` is the place, from 0, of the oldest message that is sent, and so the number of messages
    that are not. A request that cannot be sent (`fits` is false) costs nothing and holds nothing.
    """

    turn: int
    first: int
    fits: bool
    note_tokens: int
    summary: Summary
    history_tokens: int
    question_tokens: int
    has_name: bool

    @property
    def messages(self) -> int:
        """Messages of the chat that are sent, the new one included."""
        return 2 * self.turn - 1 - self.first if self.fits else 0

    @property
    def input_tokens(self) -> int:
        """Everything that is sent."""
        if not self.fits:
            return 0
        messages_tokens = self.history_tokens + self.question_tokens
        return FIXED_TOKENS + self.note_tokens + self.summary.tokens + messages_tokens


@lru_cache(maxsize=64)
def requests(chat: Chat, policy: Policy, input_budget_tokens: int) -> tuple[Request, ...]:
    """The request of each turn, in order; what is sent never exceeds the budget.

    >>> from conversation import priced_chat
    >>> sent = requests(priced_chat(20261105), KEEP_NEWEST, 4_000)
    >>> [(request.turn, request.messages) for request in sent if not request.has_name][0]
    (19, 35)
    """
    reserved_tokens = FIXED_TOKENS + policy.note_tokens + policy.summary_room_tokens
    limit_tokens = input_budget_tokens - reserved_tokens
    costs_tokens = [message.tokens for message in chat]
    summary = Summary(policy.summary_room_tokens, policy.summary_keeps_facts)
    sent = []
    for turn in range(1, len(chat) // 2 + 1):
        newest = 2 * turn - 1  # messages up to and with the user's new one
        first = first_kept(costs_tokens[:newest], limit_tokens)
        fits = first < newest
        if policy.summary_room_tokens and first > summary.messages:
            summary = summary.after(chat[summary.messages : first])
        sent.append(
            Request(
                turn=turn,
                first=first,
                fits=fits,
                note_tokens=policy.note_tokens,
                summary=summary,
                history_tokens=sum(costs_tokens[first : newest - 1]),
                question_tokens=costs_tokens[newest - 1],
                has_name=fits
                and (
                    policy.pins_note
                    or bool(summary.facts)
                    or any(message.says_name for message in chat[first:newest])
                ),
            )
        )
    return tuple(sent)


def request_texts(chat: Chat, request: Request) -> list[str]:
    """The texts that a request holds, in order: the instructions first, the new message last.

    >>> from conversation import written_chat
    >>> chat = written_chat(20261105, turns=19)
    >>> texts = request_texts(chat, requests(chat, PINNED_NOTE, 4_000)[-1])
    >>> texts[1], len(texts)
    ('Memory: the user is Robin Sample.', 37)
    """
    before = [SYSTEM, NOTE if request.note_tokens else "", request.summary.text]
    messages = chat[request.first : 2 * request.turn - 1]
    return [text for text in before if text] + [message.text for message in messages]


def turns_with_name(sent: Sequence[Request]) -> int:
    """Turns whose request holds the name."""
    return sum(request.has_name for request in sent)


def gone_turn(sent: Sequence[Request]) -> int | None:
    """The first turn whose request lacks message 1; None where every request holds it."""
    return next((request.turn for request in sent if request.first > 0), None)


def input_tokens(sent: Sequence[Request]) -> int:
    """Tokens read over all turns."""
    return sum(request.input_tokens for request in sent)


def reused_tokens(before: Request, request: Request) -> int:
    """Tokens at the start of a request that are the same as in the request before it.

    A server that keeps the work on a common beginning need not read these again. Once a message at
    the front is dropped, nothing after the pinned part stands where it stood.
    """
    if not (before.fits and request.fits):
        return 0
    pinned_tokens = SYSTEM_TOKENS + request.note_tokens
    if request.first != before.first:  # then the summary counts one more message, too
        return pinned_tokens
    messages_tokens = before.history_tokens + before.question_tokens
    return pinned_tokens + before.summary.tokens + messages_tokens
