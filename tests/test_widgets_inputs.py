"""What readers type, and what they are told."""

from __future__ import annotations

import string
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workings import formats
from workings.widgets.inputs import InputError, parse_input, parse_number
from workings.widgets.texts import fill, show, split_chain

INTEGER = {"id": "n", "type": "integer", "default": 1, "min": 1, "max": 1_048_576, "unit": "tokens"}
NUMBER = {"id": "n", "type": "number", "default": 1}
CHOICE = {"id": "n", "type": "choice", "default": 16, "choices": [{"value": 16}, {"value": 8}]}


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("40960", 40960), ("40,960", 40960), ("40 960", 40960), ("40\u00a0960", 40960), (" 7 ", 7),
        ("1,048,576", 1_048_576), ("8e3", 8000), ("36.0", 36), (36, 36), ("+5", 5),
    ],
)  # fmt: skip
def test_whole_numbers(entry: Any, value: int) -> None:
    found = parse_input(INTEGER, entry)
    assert found == value
    assert type(found) is int


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("0,5", 0.5),
        (".5", 0.5),
        ("1,234.5", 1234.5),
        ("1,2345", 1.2345),
        ("\u22122", -2),
        ("8.2e9", 8_200_000_000),
    ],
)
def test_numbers(entry: str, value: float) -> None:
    assert parse_input(NUMBER, entry) == value


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("", "Type a whole number from 1 to 1,048,576."),
        ("abc", "“abc” is no number. Type a whole number from 1 to 1,048,576."),
        ("1,2,3", "“1,2,3” is no number. Type a whole number from 1 to 1,048,576."),
        ("nan", "“nan” is no number. Type a whole number from 1 to 1,048,576."),
        ("1e999", "“1e999” is no number. Type a whole number from 1 to 1,048,576."),
        ("x" * 50, "“xxxxxxxxxxxxxxxxxxx…” is no number. Type a whole number from 1 to 1,048,576."),
        ("2.5", "Type a whole number, without a fraction."),
        ("0", "Too small: it must be at least 1 tokens."),
        ("1048577", "Too large: it can be at most 1,048,576 tokens."),
    ],
)
def test_what_is_no_whole_number_says_why(entry: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_input(INTEGER, entry)
    assert str(raised.value) == message


def test_a_choice_takes_its_values_and_their_texts() -> None:
    assert parse_input(CHOICE, "8") == parse_input(CHOICE, 8) == 8
    with pytest.raises(InputError, match="“32” is none of the choices"):
        parse_input(CHOICE, "32")


def test_an_optional_field_may_be_empty() -> None:
    assert parse_input({**NUMBER, "optional": True}, " ") is None


@given(st.integers(-(10**15), 10**15))
def test_what_is_shown_can_be_typed_back(value: int) -> None:
    assert parse_number(show(value)) == value
    assert show(value) == formats.display(value)


@given(st.text(alphabet=string.printable + "٣²一\u2212\u00a0", max_size=12))
def test_no_entry_raises_anything_else(entry: str) -> None:
    for field in (INTEGER, NUMBER, CHOICE):
        with suppress(InputError):
            assert parse_input(field, entry) is not None


def test_a_bar_in_quotes_is_no_filter() -> None:
    assert split_chain("""a["x|y"] | plural("b|c")""") == ('a["x|y"]', 'plural("b|c")')


def test_texts_show_values_through_their_formats() -> None:
    values = {"a": 1536, "b": 3}
    text = fill("{{ a | kib }} for {{ b | words }}, {{ b }}.", values.__getitem__)
    assert text == "1.5\u00a0KiB for three, 3."
