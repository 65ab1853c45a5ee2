"""The guesses: by hand, against the lab, and the odds against many draws."""

import pytest

import lab
import prediction
from conversation import priced_chat
from prediction import heuristic_turn, measured_gone_turn, refined_turn, whole_request_tokens

SEED = 20261105


@pytest.mark.parametrize(("budget", "guess"), [(4_000, 18), (8_000, 35), (32_000, 140)])
def test_the_published_guesses(budget: int, guess: int) -> None:
    mean = prediction.mean_turn_tokens(priced_chat(SEED))
    assert heuristic_turn(budget, 20, mean) == guess


def test_the_worked_guess() -> None:
    assert 6_000 // 300 == 20
    assert heuristic_turn(6_000, 0, 300) == 21


@pytest.mark.parametrize("seed", [1, 2, SEED])
def test_plain_addition_finds_the_turn_that_the_lab_finds(seed: int) -> None:
    chat = priced_chat(seed)
    whole = whole_request_tokens(chat)
    for budget in range(60, 50_000, 1_111):
        run = lab.requests(chat, lab.KEEP_NEWEST, budget)
        assert measured_gone_turn(whole, budget) == lab.gone_turn(run)


def test_a_budget_that_holds_the_whole_chat_never_drops() -> None:
    whole = whole_request_tokens(priced_chat(SEED))
    assert measured_gone_turn(whole, whole[-1]) is None
    assert measured_gone_turn(whole, whole[-1] - 1) == 200


def test_the_refined_guess_is_exact_where_every_turn_is_the_average() -> None:
    """Turns of 200 tokens, of which the user's message takes 50, after a first turn of 84."""
    whole = [20 + 35, *(20 + 84 + 200 * (turn - 2) + 50 for turn in range(2, 300))]
    for budget in range(160, 50_000, 37):
        assert refined_turn(budget, 1, 104, 200, 50) == measured_gone_turn(whole, budget)
        assert refined_turn(budget, 5, 904, 200, 50) == max(
            6, measured_gone_turn(whole, budget) or 0
        )


@pytest.mark.parametrize("size_percent", [50, 100])
def test_the_odds_agree_with_what_is_drawn(size_percent: int) -> None:
    chats = [priced_chat(seed, size_percent) for seed in range(100, 115)]
    turn = sum(map(prediction.mean_turn_tokens, chats)) / len(chats)
    question = sum(map(prediction.mean_question_tokens, chats)) / len(chats)
    assert turn == pytest.approx(prediction.expected_turn_tokens(size_percent), abs=2.5)
    assert question == pytest.approx(prediction.expected_question_tokens(size_percent), abs=1)
