"""At which turn will message 1 fall out? Three guesses, and the answer by plain addition.

Message 1 is sent as long as everything is. So it falls out before the reply of the first turn t at
which fixed part + turns 1 to t-1 + the user's message of turn t exceed the input budget.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import floor

from conversation import (
    COMMA_ABOVE_WORDS,
    COMMA_SHARE,
    QUESTION_LEAD_TOKENS,
    QUESTION_SENTENCES,
    REPLY_LEAD_TOKENS,
    REPLY_SENTENCES,
    SENTENCE_WORDS,
    TOPIC_TOKENS,
    WORD_TOKENS,
    Chat,
    scaled,
)
from wording import FIXED_TOKENS


def whole_request_tokens(chat: Chat) -> list[int]:
    """Tokens of each turn's request if everything is sent.

    >>> from conversation import priced_chat
    >>> whole_request_tokens(priced_chat(20261105, turns=3))
    [55, 161, 365]
    """
    running_tokens = list(accumulate(message.tokens for message in chat))
    return [FIXED_TOKENS + tokens for tokens in running_tokens[::2]]


def measured_gone_turn(whole_tokens: Sequence[int], input_budget_tokens: int) -> int | None:
    """The first turn whose whole request exceeds the budget; None where all fit.

    >>> measured_gone_turn([55, 161, 365], 161), measured_gone_turn([55, 161, 365], 365)
    (3, None)
    """
    turns_that_fit = bisect_right(whole_tokens, input_budget_tokens)
    return turns_that_fit + 1 if turns_that_fit < len(whole_tokens) else None


def heuristic_turn(budget_tokens: int, fixed_tokens: int, mean_turn_tokens: float) -> int:
    """The rule of thumb: the turns that fit at the average length, and one more.

    >>> heuristic_turn(4_000, 20, 229.5678)
    18
    >>> heuristic_turn(6_000, 0, 300)
    21
    """
    return floor((budget_tokens - fixed_tokens) / mean_turn_tokens) + 1


def refined_turn(
    input_budget_tokens: int,
    known_turns: int,
    known_tokens: int,
    mean_turn_tokens: float,
    mean_question_tokens: float,
) -> int:
    """The guess from what is known: the fixed part and the turns so far, in `known_tokens`.

    The turns to come count as average ones, and the user's message of the turn that is asked about
    counts too: it is sent, its reply is not.

    >>> refined_turn(4_000, known_turns=1, known_tokens=104, mean_turn_tokens=229.6,
    ...              mean_question_tokens=53.5)
    19
    """
    left_tokens = input_budget_tokens - known_tokens - mean_question_tokens
    return known_turns + 1 + max(0, floor(left_tokens / mean_turn_tokens) + 1)


def mean_turn_tokens(chat: Chat) -> float:
    """Average cost of a turn, both messages, over turns 2 to the last.

    >>> from conversation import priced_chat
    >>> round(mean_turn_tokens(priced_chat(20261105)), 4)
    229.5678
    """
    return sum(message.tokens for message in chat[2:]) / (len(chat) // 2 - 1)


def mean_question_tokens(chat: Chat) -> float:
    """Average cost of the user's message over turns 2 to the last.

    >>> from conversation import priced_chat
    >>> round(mean_question_tokens(priced_chat(20261105)), 2)
    53.8
    """
    return sum(message.tokens for message in chat[2::2]) / (len(chat) // 2 - 1)


def expected_question_tokens(size_percent: int = 100) -> float:
    """The average over all chats that could be drawn, from the odds alone.

    >>> round(expected_question_tokens(), 2)
    53.77
    """
    return QUESTION_LEAD_TOKENS + _mean(TOPIC_TOKENS) + _sentences(QUESTION_SENTENCES, size_percent)


def expected_turn_tokens(size_percent: int = 100) -> float:
    """The average of both messages over all chats that could be drawn.

    >>> round(expected_turn_tokens(), 1)
    231.7
    """
    reply_tokens = (
        REPLY_LEAD_TOKENS + _mean(TOPIC_TOKENS) + _sentences(REPLY_SENTENCES, size_percent)
    )
    return expected_question_tokens(size_percent) + reply_tokens


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _sentences(least_and_most: tuple[int, int], size_percent: int) -> float:
    """The expected cost of all sentences of a message."""
    return _mean([scaled(count, size_percent) for count in least_and_most]) * _sentence()


def _sentence() -> float:
    """The expected cost of a sentence: words, perhaps a comma, the end."""
    lengths = range(SENTENCE_WORDS[0], SENTENCE_WORDS[1] + 1)
    with_comma = sum(length > COMMA_ABOVE_WORDS for length in lengths) / len(lengths)
    return _mean(lengths) * _mean(WORD_TOKENS) + with_comma * COMMA_SHARE + 1
