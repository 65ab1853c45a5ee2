"""Token units: a stand-in for a tokenizer that is small enough to check by hand.

A text is cut into pieces. A space goes with the piece that follows it:
- a run of letters;
- one to three digits;
- a run of other signs;
- white space that no piece follows.
A piece without letters costs 1 unit. One with letters costs 1 unit for each four letters begun,
but up to seven letters count as one unit: most short words are one token of a real tokenizer.
"""

import re

MESSAGE_OVERHEAD_TOKENS = 4  # the marks round a message: who speaks, where it begins and ends
SHORT_WORD_LETTERS = 7
LETTERS_PER_TOKEN = 4

PIECE = re.compile(r" ?(?P<letters>[^\W\d_]+)| ?\d{1,3}| ?(?:[^\w\s]|_)+|\s+")


def pieces(text: str) -> list[str]:
    """The pieces of a text; joined again they are the text.

    >>> pieces("Room for 4,000 tokens?")
    ['Room', ' for', ' 4', ',', '000', ' tokens', '?']
    """
    return [match.group() for match in PIECE.finditer(text)]


def word_tokens(letters: int) -> int:
    """What a word of so many letters costs.

    >>> [word_tokens(letters) for letters in (1, 7, 8, 9, 13)]
    [1, 1, 2, 3, 4]
    """
    return 1 if letters <= SHORT_WORD_LETTERS else -(-letters // LETTERS_PER_TOKEN)


def text_tokens(text: str) -> int:
    """What a text costs.

    >>> text_tokens("Room for 4,000 tokens?")
    7
    >>> text_tokens("introductions")
    4
    """
    runs = (match["letters"] for match in PIECE.finditer(text))
    return sum(word_tokens(len(run)) if run else 1 for run in runs)


def message_tokens(text: str) -> int:
    """What a message costs: its text and the marks round it.

    >>> message_tokens("Room for 4,000 tokens?")
    11
    """
    return text_tokens(text) + MESSAGE_OVERHEAD_TOKENS
