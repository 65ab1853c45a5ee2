"""The cost of re-sending: closed forms against plain addition, and the loop itself."""

from collections.abc import Sequence

import pytest

import attention
import history
import naive_loop
from window import Message


def test_the_first_five_replies_row_by_row() -> None:
    rows = history.reread_rows(5, message_tokens=50, window_tokens=450)
    assert [row["messages"] for row in rows] == [1, 3, 5, 7, 9]
    assert [row["tokens"] for row in rows] == [50, 150, 250, 350, 450]
    assert [row["running_tokens"] for row in rows] == [50, 200, 450, 800, 1_250]


@pytest.mark.parametrize("message_tokens", [1, 10, 50])
@pytest.mark.parametrize("window_messages", [1, 2, 8, 9, 100])
def test_closed_forms_equal_the_sum_over_the_replies(
    message_tokens: int, window_messages: int
) -> None:
    rows = history.reread_rows(60, message_tokens, message_tokens * window_messages)
    assert len(rows) == 60
    whole = window = once = 0
    for row in rows:
        whole += row["tokens"]
        window += row["window_tokens"]
        once += row["once_tokens"]
        assert row["running_tokens"] == whole
        assert row["window_running_tokens"] == window
        assert row["once_running_tokens"] == once


def test_three_replies_of_ten_tokens_read_ninety() -> None:
    assert history.tokens_read(3, 10) == 90


def test_doubling_the_replies_quadruples_the_reading() -> None:
    assert history.tokens_read(10, 50) == 5_000
    assert history.tokens_read(20, 50) == 20_000 == 4 * history.tokens_read(10, 50)
    assert history.tokens_written(10, 50) == 1_000
    assert history.tokens_written(20, 50) == 2_000


def test_a_window_turns_the_square_into_a_line() -> None:
    assert history.window_tokens_read(10, 50, 450) == 3_500
    assert history.window_tokens_read(5, 50, 450) == 1_250 == history.tokens_read(5, 50)
    assert history.window_tokens_read(40, 50, 450) == 1_250 + 35 * 450 == 17_000
    assert history.tokens_read(40, 50) == 80_000


def test_a_window_stops_the_growth() -> None:
    sent = [history.window_tokens_at_reply(reply, 50, 450) for reply in range(1, 41)]
    assert sent[:5] == [50, 150, 250, 350, 450]
    assert set(sent[5:]) == {450}


def test_a_window_with_room_for_eight_messages_sends_seven() -> None:
    assert history.messages_that_fit(400, 50) == 8
    assert history.window_messages_at_reply(20, 50, 400) == 7


def test_message_1_is_gone_from_the_first_reply_that_sends_fewer_messages() -> None:
    for window_messages in range(1, 30):
        gone_from = history.first_reply_without_message_1(10, 10 * window_messages)
        before, after = (
            history.window_messages_at_reply(reply, 10, 10 * window_messages)
            for reply in (gone_from - 1, gone_from)
        )
        assert before == history.messages_before_reply(gone_from - 1)
        assert after < history.messages_before_reply(gone_from)


@pytest.mark.parametrize(
    ("message_tokens", "window_tokens", "says"),
    [
        (50, 49, "A window of 49 tokens cannot hold one message of 50."),
        (0, 450, "A message needs at least 1 token."),
    ],
)
def test_a_window_without_room_is_refused(
    message_tokens: int, window_tokens: int, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        history.reread_rows(3, message_tokens, window_tokens)


def test_the_loop_really_sends_everything() -> None:
    assert naive_loop.sent_messages(3) == [1, 3, 5]
    assert naive_loop.sent_messages(40) == [
        history.messages_before_reply(reply) for reply in range(1, 41)
    ]


def test_the_model_knows_only_what_it_is_sent() -> None:
    def last_question_only(messages: Sequence[Message]) -> str:
        return "Ada" if any("Ada" in message.text for message in messages) else "I do not know."

    first, _, _, second = naive_loop.chat(last_question_only, ["I am Ada.", "Who am I?"])
    assert (first.text, second.text) == ("I am Ada.", "Ada")
    assert naive_loop.chat(last_question_only, ["Who am I?"])[-1].text == "I do not know."


def test_attention_compares_a_triangle_of_pairs() -> None:
    assert attention.attention_pairs(1_000) == 500_500 == sum(range(1_001))
    assert attention.attention_pairs(2_000) == 2_001_000
