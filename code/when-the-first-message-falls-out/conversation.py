"""A chat of two simulated people, drawn from a seed: what each message costs, and its text.

Nothing here is a real chat, and no model writes the replies. Turn 1 introduces the user by name;
every later turn has a topic and some sentences of random words. `written_chat` writes the text and
counts its units. `priced_chat` adds up the costs of the same draws without writing anything, which
is quicker where no text is wanted. Both give the same costs, and a test holds them to it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from seeded_random import SEEDS, SeededRandom
from token_units import MESSAGE_OVERHEAD_TOKENS, message_tokens, text_tokens
from vocabulary import INTRODUCTIONS, TOPICS, WORDS
from wording import (
    ASSISTANT,
    INTRODUCTION,
    NAME,
    USER,
    WELCOME,
    question_lead,
    reply_lead,
)

TURNS = 200
SENTENCE_WORDS = (8, 16)
QUESTION_SENTENCES = (2, 4)
REPLY_SENTENCES = (9, 15)
COMMA_ABOVE_WORDS = 10
COMMA_SHARE = 0.5
QUESTION_MARK_SHARE = 0.15

WORD_TOKENS = tuple(text_tokens(word) for word in WORDS)
TOPIC_TOKENS = tuple(text_tokens(topic) for topic in TOPICS)
# Without its topic; both begin with a capital, which costs the same.
QUESTION_LEAD_TOKENS = text_tokens(question_lead("x")) - 1 + MESSAGE_OVERHEAD_TOKENS
REPLY_LEAD_TOKENS = text_tokens(reply_lead("x")) - 1 + MESSAGE_OVERHEAD_TOKENS


@dataclass(frozen=True)
class Message:
    """One message; `text` is empty where only costs were drawn."""

    turn: int
    role: str
    topic: str
    tokens: int
    says_name: bool = False
    text: str = ""


Chat = tuple[Message, ...]  # user and assistant take turns, the oldest first


@dataclass(frozen=True)
class Sentence:
    """A drawn sentence: places in WORDS, how many words precede the comma (0: none), the end."""

    words: tuple[int, ...]
    comma_after: int
    end: str


@dataclass(frozen=True)
class Turn:
    """A drawn turn: a place in TOPICS, and the sentences of both messages."""

    topic: int
    question: tuple[Sentence, ...]
    reply: tuple[Sentence, ...]


def drawn_sentence(random: SeededRandom) -> Sentence:
    """The next sentence: its number of words, the words, the comma, the end."""
    unit, choices = random.unit, len(WORDS)
    words = tuple([int(unit() * choices) for _ in range(random.between(*SENTENCE_WORDS))])
    comma_after = 0
    if len(words) > COMMA_ABOVE_WORDS and unit() < COMMA_SHARE:
        comma_after = random.between(3, len(words) - 3)
    return Sentence(words, comma_after, "?" if unit() < QUESTION_MARK_SHARE else ".")


def drawn_turns(seed: int, turns: int, size_percent: int) -> Iterator[Turn]:
    """Turns 2 to `turns`. `size_percent` scales the number of sentences; 100 leaves it."""
    random = SeededRandom(seed)
    question_sentences = [scaled(count, size_percent) for count in QUESTION_SENTENCES]
    reply_sentences = [scaled(count, size_percent) for count in REPLY_SENTENCES]
    for _ in range(turns - 1):
        topic = random.pick(range(len(TOPICS)))
        question, reply = (
            tuple([drawn_sentence(random) for _ in range(random.between(*sentences))])
            for sentences in (question_sentences, reply_sentences)
        )
        yield Turn(topic, question, reply)


def scaled(count: int, size_percent: int) -> int:
    """A number of sentences, scaled and rounded, but at least 1.

    >>> scaled(9, 100), scaled(9, 50), scaled(2, 10)
    (9, 5, 1)
    """
    return max(1, (count * size_percent + 50) // 100)


def sentence_tokens(sentence: Sentence) -> int:
    """What a sentence costs: its words, its comma and its end.

    >>> sentence_tokens(Sentence((0, 1, 2), 0, "."))
    4
    """
    words = sum([WORD_TOKENS[word] for word in sentence.words])
    return words + (1 if sentence.comma_after else 0) + 1


def sentence_text(sentence: Sentence) -> str:
    """The sentence in words.

    >>> sentence_text(Sentence((0, 1, 2, 3), 2, "?"))
    'Garden soil, water seed?'
    """
    words = [WORDS[word] for word in sentence.words]
    if sentence.comma_after:
        words[sentence.comma_after - 1] += ","
    return f"{words[0].capitalize()} {' '.join(words[1:])}{sentence.end}"


def written_turn(turn: int, drawn: Turn) -> Chat:
    """Both messages of a turn with their text."""
    topic = TOPICS[drawn.topic]
    question = " ".join([question_lead(topic), *map(sentence_text, drawn.question)])
    reply = " ".join([reply_lead(topic), *map(sentence_text, drawn.reply)])
    return written(turn, USER, topic, question), written(turn, ASSISTANT, topic, reply)


def written(turn: int, role: str, topic: str, text: str) -> Message:
    """A message whose cost is counted, and whose text was searched for the name."""
    return Message(turn, role, topic, message_tokens(text), NAME in text, text)


def priced_turn(turn: int, drawn: Turn) -> Chat:
    """Both messages of a turn without their text."""
    topic, topic_tokens = TOPICS[drawn.topic], TOPIC_TOKENS[drawn.topic]
    question = QUESTION_LEAD_TOKENS + topic_tokens + sum(map(sentence_tokens, drawn.question))
    reply = REPLY_LEAD_TOKENS + topic_tokens + sum(map(sentence_tokens, drawn.reply))
    return Message(turn, USER, topic, question), Message(turn, ASSISTANT, topic, reply)


@lru_cache(maxsize=8)
def written_chat(seed: int, size_percent: int = 100, turns: int = TURNS) -> Chat:
    """The chat with its text.

    >>> chat = written_chat(20261105, turns=3)
    >>> [message.tokens for message in chat]
    [35, 49, 57, 133, 71, 181]
    >>> [message.says_name for message in chat]
    [True, False, False, False, False, False]
    """
    return first_turn() + _later_turns(seed, size_percent, turns, written_turn)


@lru_cache(maxsize=8)
def priced_chat(seed: int, size_percent: int = 100, turns: int = TURNS) -> Chat:
    """The same chat without its text.

    >>> [message.tokens for message in priced_chat(20261105, turns=3)]
    [35, 49, 57, 133, 71, 181]
    """
    return first_turn() + _later_turns(seed, size_percent, turns, priced_turn)


def first_turn() -> Chat:
    """The introduction and its answer, the same in every chat."""
    return (
        written(1, USER, INTRODUCTIONS, INTRODUCTION),
        written(1, ASSISTANT, INTRODUCTIONS, WELCOME),
    )


def _later_turns(
    seed: int, size_percent: int, turns: int, messages: Callable[[int, Turn], Chat]
) -> Chat:
    if not 0 <= seed < SEEDS:
        raise ValueError(f"A seed is a whole number from 0 to {SEEDS - 1:,}.")
    if size_percent < 1 or turns < 1:
        raise ValueError("A chat needs at least 1 turn, and turns of at least 1 percent.")
    drawn = enumerate(drawn_turns(seed, turns, size_percent), start=2)
    return tuple([message for turn, draw in drawn for message in messages(turn, draw)])
