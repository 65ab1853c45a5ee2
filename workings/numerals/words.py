"""Numbers in words: nine, a hundred and twenty, two thirds, the fourth, twice, doubles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workings.formats import english
from workings.numerals.model import Kind

_CARDINALS = {english.cardinal(n): n for n in range(20)} | {
    english.cardinal(n): n for n in range(20, 100, 10)
}
_SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_ORDINALS = {english.ordinal_word(n): n for n in range(3, 20)} | {
    english.ordinal_word(n): n for n in range(20, 101, 10)
}
# The ends of "twenty-first" and "thirty-second"; alone they are no claims.
_LOW_ORDINALS = {"first": 1, "second": 2}
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    english.fraction_noun(n, many): n for n in range(3, 21) if n != 4 for many in (False, True)
} | {"fourth": 4, "fourths": 4, "hundredth": 100, "hundredths": 100}  # fmt: skip
_MULTIPLES = {
    "twice": Fraction(2), "thrice": Fraction(3),
    **dict.fromkeys(("double", "doubles", "doubled", "doubling", "twofold"), Fraction(2)),
    **dict.fromkeys(("triple", "triples", "tripled", "tripling", "threefold"), Fraction(3)),
    **dict.fromkeys(("quadruple", "quadruples", "quadrupled", "quadrupling"), Fraction(4)),
    **dict.fromkeys(("quintuple", "quintuples", "quintupled"), Fraction(5)),
    **dict.fromkeys(("halve", "halves", "halved", "halving"), Fraction(1, 2)),
    **{f"{word}fold": Fraction(n) for word, n in _CARDINALS.items() if n > 3},
    "hundredfold": Fraction(100), "thousandfold": Fraction(1000),
}  # fmt: skip
_DOZEN = 12

_WORD = re.compile(r"[A-Za-z]+")
_JOINT = re.compile("[ \u00a0\n]{1,3}|-|\u2011")
_IDIOMS = re.compile(
    r"""(?ix)
    \bthird[- ]part(?:y|ies)\b
    | \bdouble[- ](?:check|quot|click|precision|negative|bass|entry|dash|space|colon|curly|brace|bracket
      |star|slash|free|blind|counting|meaning)\w*
    | \bdouble-
    | \bhalf-(?!a\b|million\b|billion\b|dozen\b)[a-z]+
    | \b(?:first|second|other|better|latter)[ ]half\b
    | \b(?:last|this|next|first|second|third|fourth)[ ]quarters?\b
    | \b(?:third|fourth|fifth|sixth|seventh),(?=\s)
    | \bin[ ]the[ ]second[ ]half\b
    """
)
_VOCABULARY = frozenset(
    {
        *_CARDINALS,
        *_SCALES,
        *_ORDINALS,
        *_LOW_ORDINALS,
        *_PARTS,
        *_MULTIPLES,
        "dozen",
        "a",
        "an",
        "and",
        "point",
    }
)
HINT = re.compile(
    r"\b(?:"
    + "|".join(
        sorted(_VOCABULARY - {"a", "an", "and", "zero", "one", "two", "point", "first", "second"})
    )
    + r"|(?:one|two)[ \u00a0-](?!and\b)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Worded:
    """A number in words, from `start` to `end`; `is_small` where it is one or two and counts little."""

    start: int
    end: int
    value: Fraction
    kind: Kind
    is_small: bool = False


@dataclass(frozen=True)
class _Token:
    word: str
    start: int
    end: int


def read_words(text: str) -> Iterator[Worded]:
    """Every number in words. One and two are marked small: only a unit after them makes a claim."""
    idioms = [match.span() for match in _IDIOMS.finditer(text)]
    for run in _runs(text):
        at = 0
        while at < len(run):
            found, after = _read(run, at, text)
            if found is None:
                at += 1
                continue
            if not any(start < found.end and found.start < end for start, end in idioms):
                yield found
            at = after


def _runs(text: str) -> Iterator[list[_Token]]:
    """Neighbouring words of the vocabulary."""
    run: list[_Token] = []
    for match in _WORD.finditer(text):
        token = _Token(match[0].lower(), *match.span())
        known = token.word in _VOCABULARY and not _glued(text, token)
        if run and not (known and _JOINT.fullmatch(text, run[-1].end, token.start)):
            yield run
            run = []
        if known:
            run.append(token)
    if run:
        yield run


def _glued(text: str, token: _Token) -> bool:
    """Whether digits, an underscore or an apostrophe make it part of something else."""
    before, after = text[token.start - 1 : token.start], text[token.end : token.end + 1]
    return before.isalnum() or before == "_" or after.isdigit() or after == "_"


def _read(run: Sequence[_Token], at: int, text: str) -> tuple[Worded | None, int]:
    """The number that begins at `at`, and the index after it."""
    first = run[at].word
    if first in _MULTIPLES and not (first in _PARTS and at):
        return _worded(run, at, at + 1, _MULTIPLES[first], "multiple"), at + 1
    if (half := _half_of_scale(run, at)) is not None:
        return half
    value, after = _cardinal(run, at)
    if value is None:
        return _alone(run, at, text)
    if after < len(run) and (ordinal := _ordinal_end(run, after, value)) is not None:
        return _worded(run, at, after + 1, ordinal, "ordinal"), after + 1
    if after < len(run) and run[after].word in _PARTS:
        part = run[after].word
        if value == 1 or part.endswith(("s", "ves")):
            return _worded(run, at, after + 1, value / _PARTS[part], "fraction"), after + 1
    if (mixed := _mixed_tail(run, after)) is not None:
        return _worded(run, at, mixed[1], value + mixed[0], "fraction"), mixed[1]
    if after + 1 < len(run) and run[after].word == "point" and run[after + 1].word in _CARDINALS:
        return _decimals(run, at, after, value)
    small = value < 3 and after == at + 1
    return _worded(run, at, after, value, "word", small), after


def _worded(
    run: Sequence[_Token],
    at: int,
    after: int,
    value: Fraction | int,
    kind: Kind,
    small: bool = False,
) -> Worded:
    return Worded(run[at].start, run[after - 1].end, Fraction(value), kind, small)


def _half_of_scale(run: Sequence[_Token], at: int) -> tuple[Worded, int] | None:
    """Half a dozen, half a million."""
    words = [token.word for token in run[at : at + 3]]
    if words[:1] != ["half"]:
        return None
    rest = words[1:]
    skip = 1 if rest[:1] in (["a"], ["an"]) else 0
    if len(rest) > skip and rest[skip] in (*_SCALES, "dozen"):
        scale = _SCALES.get(rest[skip], _DOZEN)
        after = at + 2 + skip
        return _worded(run, at, after, Fraction(scale, 2), "word"), after
    return None


def _cardinal(run: Sequence[_Token], at: int) -> tuple[Fraction | None, int]:
    """A whole number in words; None where none begins here."""
    word = run[at].word
    following = run[at + 1].word if at + 1 < len(run) else ""
    if word in ("a", "an"):
        if following not in (*_SCALES, "dozen"):
            return None, at
        current, at = 1, at + 1
    elif word in _CARDINALS:
        current, at = _below_hundred(run, at)
    elif word == "dozen":
        return Fraction(_DOZEN), at + 1
    else:
        return None, at
    total = 0
    while at < len(run):
        word = run[at].word
        if word == "dozen":
            current, at = current * _DOZEN, at + 1
        elif word == "hundred":
            current, at = current * 100, at + 1
            at, more = _and_below_hundred(run, at)
            current += more
        elif word in _SCALES:
            total, current, at = total + current * _SCALES[word], 0, at + 1
            ahead = at + 1 if at < len(run) and run[at].word == "and" else at
            if ahead < len(run) and run[ahead].word in _CARDINALS and not _starts_part(run, ahead):
                current, at = _below_hundred(run, ahead)
        else:
            break
    return Fraction(total + current), at


def _below_hundred(run: Sequence[_Token], at: int) -> tuple[int, int]:
    value = _CARDINALS[run[at].word]
    at += 1
    if value >= 20 and at < len(run):
        ones = _CARDINALS.get(run[at].word, 0)
        if 0 < ones < 10:
            return value + ones, at + 1
    return value, at


def _and_below_hundred(run: Sequence[_Token], at: int) -> tuple[int, int]:
    """The "(and) twenty-one" after a hundred: the index after it, and its value."""
    ahead = at + 1 if at < len(run) and run[at].word == "and" else at
    if ahead < len(run) and run[ahead].word in _CARDINALS and not _starts_part(run, ahead):
        more, after = _below_hundred(run, ahead)
        return after, more
    return at, 0


def _starts_part(run: Sequence[_Token], at: int) -> bool:
    """Whether a fraction begins here: the "one third" of "a hundred and one third"."""
    return at + 1 < len(run) and run[at + 1].word in _PARTS


def _ordinal_end(run: Sequence[_Token], at: int, value: Fraction) -> Fraction | None:
    """The ordinal that "twenty" makes with the "first" at `at`, or "two" with "hundredth"."""
    word = run[at].word
    ones = _ORDINALS.get(word, _LOW_ORDINALS.get(word, 0))
    if 0 < ones < 10 and value >= 20 and value % 10 == 0:
        return value + ones
    return None


def _mixed_tail(run: Sequence[_Token], at: int) -> tuple[Fraction, int] | None:
    """The "and a half" after a whole number: its value and the index after it."""
    if at >= len(run) or run[at].word != "and":
        return None
    ahead, count = at + 1, 1
    if ahead < len(run) and run[ahead].word in ("a", "an", *_CARDINALS):
        count = _CARDINALS.get(run[ahead].word, 1)
        ahead += 1
    if ahead > at + 1 and ahead < len(run) and run[ahead].word in _PARTS:
        return Fraction(count, _PARTS[run[ahead].word]), ahead + 1
    return None


def _decimals(run: Sequence[_Token], at: int, point: int, value: Fraction) -> tuple[Worded, int]:
    """Three point five."""
    digits, after = "", point + 1
    while after < len(run) and _CARDINALS.get(run[after].word, 10) < 10:
        digits, after = digits + str(_CARDINALS[run[after].word]), after + 1
    if not digits:
        return _worded(run, at, point, value, "word"), point
    part = Fraction(int(digits), 10 ** len(digits))
    return _worded(run, at, after, value + part, "word"), after


_PART_FOLLOWS = re.compile(
    "[ \u00a0\n]*(?:of|as|less|more|the|fewer|cheaper|longer|shorter|each)\\b|\\s*(?:[.,;:!?)]|$)"
)


def _alone(run: Sequence[_Token], at: int, text: str) -> tuple[Worded | None, int]:
    """What has no whole number before it: a third, half, quarter, the fourth."""
    word = run[at].word
    if word in ("a", "an") and at + 1 < len(run) and run[at + 1].word in _PARTS:
        part = run[at + 1]
        is_part = part.word in ("half", "quarter") or _PART_FOLLOWS.match(text, part.end)
        if is_part and not part.word.endswith("s"):
            value = Fraction(1, _PARTS[part.word])
            return _worded(run, at, at + 2, value, "fraction"), at + 2
        return None, at + 1
    if word in ("half", "quarter"):
        return _worded(run, at, at + 1, Fraction(1, _PARTS[word]), "fraction"), at + 1
    if word in _ORDINALS:
        return _worded(run, at, at + 1, _ORDINALS[word], "ordinal"), at + 1
    return None, at + 1
