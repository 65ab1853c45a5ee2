"""What each format writes, and what it says where a value does not fit."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workings.formats import (
    FORMATS,
    FormatError,
    display,
    display_latex,
    parse_chain,
    show,
    written_unit,
)

unhurried = settings(deadline=None)  # machines may be busy
SHOWN = [
    (147456, "", "147,456"),
    (-1234, "", "−1,234"),
    (5000.0, "", "5,000"),
    (0.1 + 0.2, "", "0.3"),
    (1e300, "", "1 × 10³⁰⁰"),
    ("qwen3-8b", "", "qwen3-8b"),
    (True, "", "yes"),
    (147456, "plain", "147456"),
    (-1234, "plain", "-1234"),
    (6039797760, "gib", "5.625 GiB"),
    (6039797760, "gib(1)", "5.6 GiB"),
    (16381470720, "gb", "16.4 GB"),
    (16381470720, "gib(2)", "15.26 GiB"),
    (469762048, "mib", "448 MiB"),
    (147456, "kib", "144 KiB"),
    (147456, "bytes", "147,456 B"),
    (0.25, "percent", "25%"),
    (1 / 3, "percent(1)", "33.3%"),
    (2.675, "round(2)", "2.68"),
    (5.6, "round(2)", "5.60"),
    (2.5, "round", "3"),
    (-2.5, "round", "−3"),
    (629145.6, "round(-4)", "630,000"),
    (629145.6, "sig(2)", "630,000"),
    (9.996, "sig(3)", "10.0"),
    (8190735360, "billions(1)", "8.2 billion"),
    (151936000, "millions(0)", "152 million"),
    (1500000, "scientific", "1.5 × 10⁶"),
    (0.0000015, "scientific", "1.5 × 10⁻⁶"),
    (0.3, "usd", "$0.30"),
    (3, "words", "three"),
    (21, "words | capital", "Twenty-one"),
    (101, "words", "101"),
    (3, 'words | plural("reply")', "three replies"),
    (1, 'plural("reply")', "1 reply"),
    (5000, 'plural("token")', "5,000 tokens"),
    (3, "ordinal", "3rd"),
    (112, "ordinal", "112th"),
    (3, "words_ordinal", "third"),
    (4, "times", "4 times"),
    (4, "words | times", "four times"),
    (2, "words | times", "twice"),
    (4, "multiple", "4×"),
    (0.25, "fraction", "1/4"),
    (1 / 3, "words_fraction", "a third"),
    (0.75, "words_fraction", "three quarters"),
    (2.5, "words_fraction", "two and a half"),
    (5, "signed", "+5"),
    (12, 'unit("tokens/s")', "12 tokens/s"),
    (5400, "duration", "1 h 30 min"),
    (0.25, "duration", "250 ms"),
]


@pytest.mark.parametrize(("value", "chain", "text"), SHOWN)
def test_what_a_format_writes(value: object, chain: str, text: str) -> None:
    shown = display(value, parse_chain(chain))  # type: ignore[arg-type]
    assert shown.replace("\u00a0", " ") == text


def test_every_format_has_an_example_here() -> None:
    tried = {name for _, chain, _ in SHOWN for name, _ in parse_chain(chain)}
    assert set(FORMATS) - tried <= {"thousands", "kb", "mb", "tb", "tib"}


MESSAGES = [
    ("q", "gib", "gib takes a number, not the text 'q'."),
    (True, "gib", "gib takes a number, not True."),
    (float("nan"), "", "thousands takes a finite number, not nan."),
    (3, "gibb", "there is no format 'gibb'. Did you mean 'gib'?"),
    (3, "round(2) | gib", "round and gib both write the number; keep one of them."),
    (3, "times | gib", "gib writes the number, so it comes first."),
    (3, "gib(99)", "gib takes 0 to 12 digits, not 99."),
    (3, "gib(1, 2)", "gib(digits=None): too many positional arguments."),
    (3, "plural", "plural(one, many=None): missing a required argument: 'one'."),
    (3, "gib(x)", "the arguments in 'gib(x)' must be plain values."),
    (3, "gib |", "'gib |' is no chain of formats."),
    (2.5, "ordinal", "ordinal takes a whole number, not 2.5."),
    (0.123456, "fraction", "fraction takes a simple fraction, and 0.123456 is none."),
]


@pytest.mark.parametrize(("value", "chain", "message"), MESSAGES)
def test_messages_to_the_letter(value: object, chain: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        display(value, parse_chain(chain))  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_a_unit_stays_on_the_line_of_its_number() -> None:
    assert display(147456, parse_chain("kib")) == "144\u00a0KiB"


@pytest.mark.parametrize(
    ("value", "chain", "text"),
    [
        (147456, "", "147{,}456"),
        (6039797760, "gib", r"5.625\,\text{GiB}"),
        (0.25, "percent", r"25\%"),
        (1500000, "scientific", r"1.5\times 10^{6}"),
        (-5, "", "-5"),
    ],
)
def test_latex(value: int, chain: str, text: str) -> None:
    assert display_latex(value, parse_chain(chain)) == text


def test_the_written_unit_is_known_without_a_value() -> None:
    chains = ["", "gib(2)", "percent", 'words | plural("reply")', "multiple"]
    assert [written_unit(parse_chain(chain)) for chain in chains] == [
        None, "GiB", "%", "replies", "×",
    ]  # fmt: skip


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
@unhurried
def test_rounding_is_within_the_stated_half_width(value: int, digits: int) -> None:
    shown = show(value, [("gib", (digits,))])
    number = shown.text.split("\u00a0")[0].replace(",", "").replace("−", "-")
    assert abs(Fraction(number) * 2**30 - value) <= shown.half_width


@given(st.floats(allow_nan=False, allow_infinity=False))
@unhurried
def test_any_float_can_be_shown(value: float) -> None:
    assert display(value)


def test_the_browser_needs_nothing_but_this_package() -> None:
    code = (
        "import sys, workings.formats; "
        "print(*sorted(m for m in sys.modules if m.startswith('workings') and '.' in m))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert all(name.startswith("workings.formats") for name in loaded)
