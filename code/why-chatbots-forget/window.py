"""A sliding window: which messages of a chat are still sent when not all of them fit.

The rules:
1. System messages at the very start are pinned: always sent (switch it off: `pin_system=False`).
2. Of the rest, the newest are kept, as one unbroken run. The walk goes from the newest to the
   oldest and stops at the first message that does not fit.
3. If something was cut, replies at the front of the run are dropped too: their question is gone.
4. What cannot be right is a ValueError, never a quiet guess.

Messages are numbered from 1, the oldest. Tokens are counted by `count_words` unless a caller
passes another counter; words are a toy, a real tokenizer gives more tokens than words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

SYSTEM = "system"
USER = "user"
REPLY = "assistant"


@dataclass(frozen=True)
class Message:
    """One message of a chat; `role` is "system", "user" or "assistant" (a reply)."""

    role: str
    text: str


def count_words(text: str) -> int:
    """Tokens of a text if every word were one token.

    >>> count_words("Please answer in French.")
    4
    """
    return len(text.split())


def prompt_limit_tokens(window_tokens: int, reply_tokens: int) -> int:
    """Tokens left for the history when history and reply share one window.

    >>> prompt_limit_tokens(190, 40)
    150
    """
    if not 0 <= reply_tokens < window_tokens:
        raise ValueError(f"A reply of {reply_tokens} tokens leaves no room for the history.")
    return window_tokens - reply_tokens


def message_costs(
    messages: Sequence[Message],
    count_tokens: Callable[[str], int] = count_words,
    overhead_tokens: int = 0,
) -> list[int]:
    """Tokens of each message; `overhead_tokens` stands for the role markers around each.

    >>> message_costs([Message(USER, "Hello there")], overhead_tokens=3)
    [5]
    """
    return [count_tokens(message.text) + overhead_tokens for message in messages]


def keep_newest(
    messages: Sequence[Message],
    limit_tokens: int,
    *,
    pin_system: bool = True,
    count_tokens: Callable[[str], int] = count_words,
    overhead_tokens: int = 0,
) -> list[Message]:
    """The messages to send: at most `limit_tokens` in all.

    >>> chat = [Message(USER, "Answer in French"), Message(REPLY, "Oui"), Message(USER, "Why")]
    >>> [message.text for message in keep_newest(chat, 4)]
    ['Why']
    """
    roles = [message.role for message in messages]
    costs = message_costs(messages, count_tokens, overhead_tokens)
    kept = kept_numbers(roles, costs, limit_tokens, pin_system=pin_system)
    return [messages[number - 1] for number in kept]


def kept_numbers(
    roles: Sequence[str],
    costs_tokens: Sequence[int],
    limit_tokens: int,
    *,
    pin_system: bool = True,
) -> list[int]:
    """Numbers of the messages that are sent, from the roles and the tokens of each.

    >>> roles = [SYSTEM, USER, REPLY, USER, REPLY, USER]
    >>> kept_numbers(roles, [3, 4, 2, 3, 2, 5], limit_tokens=12)
    [1, 6]
    >>> kept_numbers(roles, [3, 4, 2, 3, 2, 5], limit_tokens=12, pin_system=False)
    [4, 5, 6]
    """
    if len(roles) != len(costs_tokens):
        raise ValueError(f"{len(roles)} roles need as many costs, not {len(costs_tokens)}.")
    pinned = pinned_count(roles) if pin_system else 0
    left_tokens = _left_after_pinned(costs_tokens[:pinned], limit_tokens)
    first = len(roles)  # index of the oldest message kept so far
    while first > pinned and costs_tokens[first - 1] <= left_tokens:
        first -= 1
        left_tokens -= costs_tokens[first]
    _refuse_unless_newest_fits(costs_tokens, first, pinned, left_tokens)
    if first > pinned:  # something was cut, so the question of a reply at the front is gone
        first = _first_question(roles, first)
    return [*range(1, pinned + 1), *range(first + 1, len(roles) + 1)]


def kept_tokens(costs_tokens: Sequence[int], numbers: Sequence[int]) -> int:
    """Tokens of the messages with these numbers.

    >>> kept_tokens([3, 4, 2, 3, 2, 5], [1, 6])
    8
    """
    return sum(costs_tokens[number - 1] for number in numbers)


def walk_rows(
    roles: Sequence[str],
    costs_tokens: Sequence[int],
    limit_tokens: int,
    *,
    pin_system: bool = True,
) -> list[dict[str, int | str]]:
    """The walk of `kept_numbers`, a row per step.

    Keys: step, message, role, cost_tokens, left_tokens, decision.

    >>> roles = [SYSTEM, USER, REPLY, USER, REPLY, USER]
    >>> for row in walk_rows(roles, [3, 4, 2, 3, 2, 5], limit_tokens=12):
    ...     print(row["step"], row["message"], row["left_tokens"], row["decision"])
    1 1 9 pinned
    2 6 4 kept
    3 5 2 kept
    4 4 2 does not fit: stop
    5 5 4 dropped: a reply whose question was cut
    """
    steps = _steps(roles, costs_tokens, limit_tokens, pin_system)
    lefts_tokens = accumulate((-taken for _, taken, _ in steps), initial=limit_tokens)
    next(lefts_tokens)  # before the first step
    return [
        {
            "step": step,
            "message": number,
            "role": roles[number - 1],
            "cost_tokens": costs_tokens[number - 1],
            "left_tokens": left_tokens,
            "decision": decision,
        }
        for step, ((number, _, decision), left_tokens) in enumerate(
            zip(steps, lefts_tokens, strict=True), start=1
        )
    ]


def pinned_count(roles: Sequence[str]) -> int:
    """System messages at the very start; one in the middle of a chat is not pinned.

    >>> pinned_count([SYSTEM, SYSTEM, USER, SYSTEM])
    2
    """
    count = 0
    while count < len(roles) and roles[count] == SYSTEM:
        count += 1
    return count


def _steps(
    roles: Sequence[str], costs_tokens: Sequence[int], limit_tokens: int, pin_system: bool
) -> list[tuple[int, int, str]]:
    """The walk as (message number, tokens taken, decision); a dropped reply gives back its own."""
    kept = kept_numbers(roles, costs_tokens, limit_tokens, pin_system=pin_system)
    pinned = pinned_count(roles) if pin_system else 0
    steps = [(number, costs_tokens[number - 1], "pinned") for number in kept[:pinned]]
    left_tokens = limit_tokens - sum(costs_tokens[:pinned])
    oldest = len(roles) + 1
    for number in range(len(roles), pinned, -1):
        if costs_tokens[number - 1] > left_tokens:
            steps.append((number, 0, "does not fit: stop"))
            break
        steps.append((number, costs_tokens[number - 1], "kept"))
        left_tokens -= costs_tokens[number - 1]
        oldest = number
    for number in range(oldest, len(roles) + 1):
        if number not in kept:
            steps.append(
                (number, -costs_tokens[number - 1], "dropped: a reply whose question was cut")
            )
    return steps


def _left_after_pinned(pinned_costs_tokens: Sequence[int], limit_tokens: int) -> int:
    left_tokens = limit_tokens - sum(pinned_costs_tokens)
    if left_tokens < 0:
        raise ValueError(
            f"The pinned messages need {sum(pinned_costs_tokens)} tokens, "
            f"but the limit is {limit_tokens}."
        )
    return left_tokens


def _refuse_unless_newest_fits(
    costs_tokens: Sequence[int], first: int, pinned: int, left_tokens: int
) -> None:
    if first == len(costs_tokens) > pinned:
        raise ValueError(
            f"The newest message needs {costs_tokens[-1]} tokens, but only {left_tokens} are left."
        )


def _first_question(roles: Sequence[str], first: int) -> int:
    while first < len(roles) and roles[first] == REPLY:
        first += 1
    if first == len(roles):
        raise ValueError("The newest message is a reply whose question does not fit.")
    return first
