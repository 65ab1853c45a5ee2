"""Numbers as English words, both ways. Standard library only: for the browser too."""

from __future__ import annotations

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IRREGULAR_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}

LARGEST_WORD = 100


def cardinal(number: int) -> str:
    """A whole number from 0 to 100 in words; ValueError outside.

    >>> cardinal(21), cardinal(100)
    ('twenty-one', 'one hundred')
    """
    if not 0 <= number <= LARGEST_WORD:
        raise ValueError(f"{number} is not between 0 and {LARGEST_WORD}")
    if number < 20:
        return _SMALL[number]
    if number == LARGEST_WORD:
        return "one hundred"
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def ordinal_word(number: int) -> str:
    """The place of a whole number from 1 to 100 in words.

    >>> ordinal_word(3), ordinal_word(21), ordinal_word(40), ordinal_word(100)
    ('third', 'twenty-first', 'fortieth', 'hundredth')
    """
    word = cardinal(number)
    if number == LARGEST_WORD:
        return "hundredth"
    head, dash, last = word.rpartition("-")
    if last.endswith("y"):
        return f"{head}{dash}{last[:-1]}ieth"
    return head + dash + _IRREGULAR_ORDINALS.get(last, last + "th")


def ordinal_suffix(number: int) -> str:
    """The two letters after the digits of a place.

    >>> [ordinal_suffix(n) for n in (1, 2, 3, 4, 11, 21, 112)]
    ['st', 'nd', 'rd', 'th', 'th', 'st', 'th']
    """
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def plural_of(word: str) -> str:
    """The regular plural of an English noun.

    >>> [plural_of(word) for word in ("token", "reply", "day", "match", "byte")]
    ['tokens', 'replies', 'days', 'matches', 'bytes']
    """
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def fraction_noun(denominator: int, many: bool) -> str:
    """The name of one part in `denominator`.

    >>> fraction_noun(2, False), fraction_noun(4, True), fraction_noun(3, True)
    ('half', 'quarters', 'thirds')
    """
    if denominator == 2:
        return "halves" if many else "half"
    noun = "quarter" if denominator == 4 else ordinal_word(denominator)
    return noun + ("s" if many else "")
