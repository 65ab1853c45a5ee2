"""The chat: the generator's known values, the units by hand, and two paths to the same costs."""

import random
from itertools import islice

import pytest

import conversation
import token_units
import vocabulary
import wording
from conversation import priced_chat, written_chat
from seeded_random import SEEDS, SeededRandom, uniforms

SEED = 20261105


def test_the_first_draws_of_the_seed() -> None:
    assert [round(value, 10) for value in islice(uniforms(SEED), 3)] == [
        0.1020412447,
        0.6270352604,
        0.2273622984,
    ]


def test_a_seed_counts_modulo_32_bits_and_draws_stay_in_range() -> None:
    assert list(islice(uniforms(SEED + SEEDS), 5)) == list(islice(uniforms(SEED), 5))
    assert all(0 <= value < 1 for value in islice(uniforms(0), 20_000))
    dice = SeededRandom(1)
    assert {dice.between(2, 4) for _ in range(200)} == {2, 3, 4}
    assert {dice.pick("abc") for _ in range(200)} == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("seven77", 2),
        ("eightttt", 2),
        ("ninettttt", 3),
        (" spaced", 1),
        ("two  spaces", 3),
        ("12345", 2),
        ("a_b", 3),
        ("...?!", 1),
        ("naïve café", 2),
    ],
)
def test_units_by_hand(text: str, tokens: int) -> None:
    assert token_units.text_tokens(text) == tokens


def test_no_sign_of_a_text_is_lost() -> None:
    signs = "ab Ä ß 12 _ - \n\t.,?²\u0301\N{GRINNING FACE}"
    rng = random.Random(7)
    for _ in range(500):
        text = "".join(rng.choices(signs, k=rng.randrange(12)))
        assert "".join(token_units.pieces(text)) == text


def test_the_vocabulary_has_the_costs_of_the_experiment() -> None:
    costly = {place for place, tokens in enumerate(conversation.WORD_TOKENS) if tokens != 1}
    assert len(vocabulary.WORDS) == 156
    assert len(set(vocabulary.WORDS)) == 155
    assert costly == {82, 85, 87, 92, 94, 152}
    assert {conversation.WORD_TOKENS[place] for place in costly} == {2}
    assert all(word.isalpha() and word.islower() for word in vocabulary.WORDS)
    assert conversation.TOPIC_TOKENS == (2, 2, 3, 3, 2, 2, 2, 2, 3, 3, 3, 2, 2, 3, 2, 3, 2, 2)
    assert token_units.text_tokens(vocabulary.INTRODUCTIONS) == 4


def test_the_fixed_sentences_have_the_costs_of_the_experiment() -> None:
    assert wording.SYSTEM_TOKENS == 17
    assert wording.FIXED_TOKENS == 20
    assert wording.NOTE_TOKENS == 12
    assert token_units.message_tokens(wording.INTRODUCTION) == 35
    assert token_units.message_tokens(wording.WELCOME) == 49
    assert conversation.QUESTION_LEAD_TOKENS == conversation.REPLY_LEAD_TOKENS == 10
    assert len(wording.NAME.split()) == 2


def test_each_topic_costs_one_unit_more_in_the_summary() -> None:
    facts = (wording.NAME_FACT,)
    for topic, alone in zip(vocabulary.TOPICS, conversation.TOPIC_TOKENS, strict=True):
        for several in ((), (vocabulary.INTRODUCTIONS,)):
            shorter = wording.summary_text(facts, (*several, "soil"), 34)
            longer = wording.summary_text(facts, (*several, "soil", topic), 34)
            more = token_units.text_tokens(longer) - token_units.text_tokens(shorter)
            assert more == alone + 1
    assert token_units.text_tokens(wording.summary_text((), ("x",), 34)) - 2 == 12
    assert token_units.text_tokens(wording.summary_text(facts, ("x",), 340)) - 2 == 17


def test_the_first_turns_of_the_chat() -> None:
    costs = [message.tokens for message in written_chat(SEED)]
    pairs = list(zip(costs[::2], costs[1::2], strict=True))
    assert pairs[:6] == [(35, 49), (57, 133), (71, 181), (56, 197), (34, 127), (48, 198)]
    assert len(costs) == 400


@pytest.mark.parametrize("size_percent", [10, 50, 100, 150])
@pytest.mark.parametrize("seed", [0, 1, SEED, SEEDS - 1])
def test_the_costs_alone_equal_the_counted_text(seed: int, size_percent: int) -> None:
    written, priced = written_chat(seed, size_percent), priced_chat(seed, size_percent)
    assert len(written) == 400
    for full, bare in zip(written, priced, strict=True):
        assert token_units.message_tokens(full.text) == full.tokens == bare.tokens
        assert (full.turn, full.role, full.topic) == (bare.turn, bare.role, bare.topic)
        assert full.says_name == bare.says_name == (wording.NAME in full.text)


def test_only_message_1_says_the_name() -> None:
    assert [m.turn for m in written_chat(SEED) if wording.NAME in m.text] == [1]
    assert written_chat(SEED)[0].says_name


def test_a_larger_turn_has_more_sentences() -> None:
    assert [conversation.scaled(count, 200) for count in (2, 4, 9, 15)] == [4, 8, 18, 30]
    assert [conversation.scaled(count, 50) for count in (2, 4, 9, 15)] == [1, 2, 5, 8]


@pytest.mark.parametrize(
    ("seed", "size_percent", "turns", "says"),
    [
        (-1, 100, 200, "A seed is a whole number from 0 to 4,294,967,295."),
        (SEEDS, 100, 200, "A seed is a whole number from 0 to 4,294,967,295."),
        (1, 0, 200, "A chat needs at least 1 turn, and turns of at least 1 percent."),
        (1, 100, 0, "A chat needs at least 1 turn, and turns of at least 1 percent."),
    ],
)
def test_a_chat_that_cannot_be_drawn(seed: int, size_percent: int, turns: int, says: str) -> None:
    for draw in (written_chat, priced_chat):
        with pytest.raises(ValueError, match=f"^{says}$"):
            draw(seed, size_percent, turns)
