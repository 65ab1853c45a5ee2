"""The quiz of the lesson, and the worked example of every function."""

import doctest
import importlib
from pathlib import Path

import pytest

import history
import kv_cache
from window import REPLY, SYSTEM, USER, kept_numbers, kept_tokens

NO_TOPIC = {"conftest", "figures", "show_numbers"}
MODULES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if path.stem not in NO_TOPIC and not path.stem.startswith("test_")
)


@pytest.mark.parametrize("name", MODULES)
def test_worked_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0


def test_quiz_window() -> None:
    costs_tokens = [2, 3, 1, 6, 4, 3]
    kept = kept_numbers([SYSTEM, USER, REPLY, USER, REPLY, USER], costs_tokens, 10)
    assert kept == [1, 6]
    assert kept_tokens(costs_tokens, kept) == 5


def test_quiz_memory() -> None:
    one_token_bytes = kv_cache.bytes_per_token(28, 4, 128, 2)
    assert one_token_bytes == 57_344 == 56 * kv_cache.KIB_BYTES
    assert kv_cache.cache_bytes(one_token_bytes, 8_192) == 469_762_048 == 448 * kv_cache.MIB_BYTES


def test_quiz_cost() -> None:
    assert history.tokens_read(12, 40) == 5_760
    assert history.window_tokens_read(3, 40, 200) == 360
    assert history.window_tokens_read(12, 40, 200) == 360 + 9 * 200 == 2_160
