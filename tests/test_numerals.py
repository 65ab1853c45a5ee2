"""What the reader of numbers finds in a text, and what it leaves alone."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.formats import parse_chain, show
from workings.numerals import Numeral, read_numerals

unhurried = settings(deadline=None)  # machines may be busy
GIB = 2**30

STATED = [
    # separators
    ("147,456 bytes", "147,456 bytes", 147456, "bytes"),
    ("147 456 bytes", "147 456 bytes", 147456, "bytes"),
    ("147\u00a0456", "147\u00a0456", 147456, None),
    ("147\u2009456", "147\u2009456", 147456, None),
    ("147\u202f456", "147\u202f456", 147456, None),
    ("147_456", "147_456", 147456, None),
    ("147'456", "147'456", 147456, None),
    ("390{,}625", "390{,}625", 390625, None),
    (r"390\,625", r"390\,625", 390625, None),
    ("1,47,456", "1,47,456", 147456, None),
    ("147.456.789", "147.456.789", 147456789, None),
    ("It has 147,456.", "147,456", 147456, None),
    # decimals, signs, powers, fractions
    ("0.5", "0.5", Fraction(1, 2), None),
    (".5", ".5", Fraction(1, 2), None),
    ("-5", "-5", -5, None),
    ("\u22125", "\u22125", -5, None),
    ("1e6", "1e6", 10**6, None),
    ("1.5e-3", "1.5e-3", Fraction(15, 10**4), None),
    ("10^6", "10^6", 10**6, None),
    ("2^{20}", "2^{20}", 2**20, None),
    ("2²⁰", "2²⁰", 2**20, None),
    ("10**6", "10**6", 10**6, None),
    ("1.5 × 10^9", "1.5 × 10^9", 15 * 10**8, None),
    ("1.5 × 10⁹", "1.5 × 10⁹", 15 * 10**8, None),
    ("1/2", "1/2", Fraction(1, 2), None),
    ("½", "½", Fraction(1, 2), None),
    ("1½", "1½", Fraction(3, 2), None),
    ("2 1/2", "2 1/2", Fraction(5, 2), None),
    # units
    ("5.625 GiB", "5.625 GiB", 5.625 * GIB, "bytes"),
    ("128 KiB", "128 KiB", 131072, "bytes"),
    ("128KiB", "128KiB", 131072, "bytes"),
    ("448-MiB cache", "448-MiB", 448 * 2**20, "bytes"),
    ("16.4 GB", "16.4 GB", 164 * 10**8, "bytes"),
    ("5 B", "5 B", 5, "bytes"),
    ("16-bit", "16-bit", 16, "bits"),
    ("250 ms", "250 ms", Fraction(1, 4), "s"),
    ("3 days", "3 days", 3 * 86400, "s"),
    ("25%", "25%", Fraction(1, 4), "ratio"),
    ("25 per cent", "25 per cent", Fraction(1, 4), "ratio"),
    ("ten percent", "ten percent", Fraction(1, 10), "ratio"),
    ("$0.30", "$0.30", Fraction(3, 10), "usd"),
    ("8.2 billion parameters", "8.2 billion", 82 * 10**8, None),
    ("128K", "128K", 128000, None),
    # multiples and ordinals
    ("4x as many", "4x", 4, "ratio"),
    ("x4 as many", "4", 4, None),
    ("４０ tokens", "４０", 40, None),
    ("4× as many", "4×", 4, "ratio"),
    ("4 times", "4 times", 4, "ratio"),
    ("four times", "four times", 4, "ratio"),
    ("tenfold", "tenfold", 10, "ratio"),
    ("twice as many", "twice", 2, "ratio"),
    ("It doubles.", "doubles", 2, "ratio"),
    ("doubling", "doubling", 2, "ratio"),
    ("half of it", "half", Fraction(1, 2), "ratio"),
    ("a third of it", "a third", Fraction(1, 3), "ratio"),
    ("two thirds", "two thirds", Fraction(2, 3), "ratio"),
    ("a quarter", "a quarter", Fraction(1, 4), "ratio"),
    ("the 3rd reply", "3rd", 3, None),
    ("the third reply", "third", 3, None),
    ("the twenty-first", "twenty-first", 21, None),
    # words
    ("nine messages", "nine", 9, None),
    ("Nine messages", "Nine", 9, None),
    ("twenty-one", "twenty-one", 21, None),
    ("a hundred", "a hundred", 100, None),
    ("one hundred and twenty", "one hundred and twenty", 120, None),
    ("two thousand five hundred", "two thousand five hundred", 2500, None),
    ("a dozen", "a dozen", 12, None),
    ("half a dozen", "half a dozen", 6, None),
    ("two and a half", "two and a half", Fraction(5, 2), "ratio"),
    ("three point five", "three point five", Fraction(7, 2), None),
    ("two GiB", "two GiB", 2 * GIB, "bytes"),
    # glued and marked
    ("50-token messages", "50", 50, None),
    ("message #6", "6", 6, None),
    ("~950", "950", 950, None),
    ("the top-5", "5", 5, None),
    ("5messages", "5", 5, None),
    ("In 2048 steps", "2048", 2048, None),
    ("in 2000 tokens", "2000", 2000, None),
    ("reply 10", "10", 10, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written", "value", "base"), STATED)
def test_reads_a_stated_number(text: str, written: str, value: float, base: str | None) -> None:
    found = read_numerals(text)
    assert [text[n.start : n.unit_end] for n in found] == [written]
    assert (found[0].value, found[0].base) == (Fraction(value), base)


NO_CLAIMS = """\
Qwen3-8B
an H100 card
cl100k_base
arXiv:2307.03172
arXiv 2307.03172, 2309.17453 and 2310.08560
Liu et al., 2023
(Liu and others, 2023)
(2023)
in 2017 a paper
Since 2019, nobody
Willison 2023 on the weird world
2026-12-01
2026-12-01T04:40:00Z
17 October 2026
October 17, 2026
Oct. 17
December 2026
v1.2
1.2.3
3.11.7-rc1
Python 3.11, 3.12 and 3.13
Python 3.11 or newer
MkDocs >= 1.6
Gemini 4 Argon
Llama 3.1
from GPT-5.6 on
Figure 3
Figures 2 and 3
steps 2 to 4
section 3.2
question 5
RFC 9110
ISO 8601
UTF-8
CC BY 4.0
Apache 2.0
https://example.org/2023/05/40960
someone@a7.example.org
14:30 and 9:05 am
as [1] says
as [^1] says
(1) this, (2) that
3D, 2FA and 5G
HTTP 404
port 8000
24/7
commit 3f2a9c1d
© 2024-2026
the 1990s
message 1 was the rule
Reply 1 reads it
dozens of people, hundreds of them
one or two of them
first and second
the second half
a third-party tool
double-check it
10.1145/3600006.3613165
an RTX 4090
0xff""".splitlines()


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_leaves_alone_what_states_no_quantity(text: str) -> None:
    assert [text[n.start : n.unit_end] for n in read_numerals(text)] == []


def test_a_known_quantity_is_no_year() -> None:
    assert read_numerals("from 2000 to the top") == []
    (found,) = read_numerals("from 2000 to the top", counts=[2000])
    assert found.value == 2000
    assert read_numerals("(Liu, 2000), 3 May 2000", counts=[2000]) == []


def test_a_name_of_the_project_takes_a_number() -> None:
    assert read_numerals("Zebra 7 is fast") != []
    assert read_numerals("Zebra 7 is fast", names=["Zebra"]) == []


@pytest.mark.parametrize("text", ["60–80 tokens", "60-80 tokens", "60 to 80 English tokens"])
def test_the_ends_of_a_range_know_each_other(text: str) -> None:
    low, high = read_numerals(text)
    assert (low.partner, high.partner, low.noun, high.noun) == (1, 0, "token", "token")
    assert [low.value, high.value] == [Fraction(60), Fraction(80)]


def test_a_range_shares_its_unit() -> None:
    low, high = read_numerals("between 5 and 10 GiB")
    assert [low.value, high.value] == [Fraction(5 * GIB), Fraction(10 * GIB)]
    assert low.base == "bytes"


def test_a_rate_keeps_its_noun() -> None:
    for text in ("144 KiB a token", "144 KiB per token", "144 KiB/token"):
        (found,) = read_numerals(text)
        assert found.readings[0].per == "token"
        assert found.value == Fraction(147456)


def test_rounding_is_part_of_what_a_number_states() -> None:
    (found,) = read_numerals("16.4 GB")
    assert found.half_width == 50_000_000
    assert found.readings[0].states(Fraction(16381470720))
    assert not found.readings[0].states(Fraction(16481470720))


def test_trailing_zeros_may_be_rounding() -> None:
    (found,) = read_numerals("630,000")
    assert not found.readings[0].states(Fraction(629145))
    assert found.readings[0].states_loosely(Fraction(629145))


@pytest.mark.parametrize(
    ("text", "value"),
    [("8B", 8 * 10**9), ("8B", 8), ("128K", 131072), ("147.456", 147456)],
)
def test_an_ambiguous_notation_keeps_its_other_reading(text: str, value: int) -> None:
    (found,) = read_numerals(text)
    assert value in [reading.value for reading in found.readings]


# --- what the formatter writes, the reader reads ----------------------------------------------

NUMBERS = st.one_of(
    st.integers(-(10**13), 10**13),
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15),
)
CHAINS = st.one_of(
    st.sampled_from(
        ["", "plain", "round", "scientific", "gib", "mib", "kib", "gb", "mb", "kb", "tb", "tib",
         "bytes",
         "percent", "millions", "billions", "usd", "words", "multiple", "signed", "times",
         'plural("token")',
         'unit("tokens/s")']
    ),
    st.builds(
        "{}({})".format,
        st.sampled_from(["gib", "mib", "gb", "percent", "round", "billions", "usd", "scientific"]),
        st.integers(0, 6),
    ),
    st.builds("sig({})".format, st.integers(1, 9)),
)  # fmt: skip


def close(found: list[Numeral], value: float, half_width: Fraction) -> bool:
    exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    (numeral,) = found
    return any(
        abs(reading.value - exact) <= max(half_width, abs(exact) / 10**11)
        for reading in numeral.readings
    )


@given(NUMBERS, CHAINS)
@unhurried
def test_reading_back_what_was_written_gives_the_value(value: float, chain: str) -> None:
    shown = show(value, parse_chain(chain))
    found = read_numerals(f"It has {shown.text} in all.")
    if not found:  # one, once and the like are no claims
        assert chain in ("words", "times")
        assert abs(value) < 3
        return
    assert close(found, value, shown.half_width)


@given(st.integers(3, 100), st.sampled_from(["words", "ordinal", "words_ordinal", "words | times"]))
@unhurried
def test_reading_back_number_words(value: int, chain: str) -> None:
    assert close(read_numerals(f"the {show(value, parse_chain(chain)).text}."), value, Fraction(0))


@given(st.integers(0, 40), st.integers(1, 40), st.integers(2, 20))
@unhurried
def test_reading_back_fractions(whole: int, top: int, bottom: int) -> None:
    value = whole + Fraction(top % bottom, bottom)
    for chain in ("fraction", "words_fraction"):
        text = show(float(value), parse_chain(chain)).text
        found = read_numerals(f"It takes {text} of it.")
        if found:
            assert close(found, float(value), Fraction(1, 10**9))
        else:
            assert chain == "words_fraction"
            assert value in (0, 1, 2)


@given(st.integers(1, 10**7))
@unhurried
def test_reading_back_durations(seconds: int) -> None:
    shown = show(seconds, parse_chain("duration"))
    assert sum(n.value for n in read_numerals(shown.text)) == seconds


@given(st.text(max_size=60))
@unhurried
def test_any_text_can_be_read(text: str) -> None:
    for numeral in read_numerals(text):
        assert 0 <= numeral.start < numeral.end <= numeral.unit_end <= len(text)
