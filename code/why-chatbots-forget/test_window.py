"""The sliding window: the worked example, the loud cases, and 400 random chats."""

import random
import re
from collections import Counter

import pytest

import history
import window
from window import REPLY, SYSTEM, USER, Message, keep_newest, kept_numbers, kept_tokens, walk_rows

ROLES = [SYSTEM, USER, REPLY, USER, REPLY, USER]
COSTS = [3, 4, 2, 3, 2, 5]
KEPT = ("pinned", "kept")
TRIALS = 400


def test_the_worked_example_keeps_the_rule_and_the_newest_question() -> None:
    kept = kept_numbers(ROLES, COSTS, 12)
    assert kept == [1, 6]
    assert kept_tokens(COSTS, kept) == 8


def test_without_the_pin_the_rule_is_lost() -> None:
    kept = kept_numbers(ROLES, COSTS, 12, pin_system=False)
    assert kept == [4, 5, 6]
    assert kept_tokens(COSTS, kept) == 10


def test_the_walk_shows_each_step() -> None:
    rows = walk_rows(ROLES, COSTS, 12)
    assert [(row["message"], row["left_tokens"], row["decision"]) for row in rows] == [
        (1, 9, "pinned"),
        (6, 4, "kept"),
        (5, 2, "kept"),
        (4, 2, "does not fit: stop"),
        (5, 4, "dropped: a reply whose question was cut"),
    ]
    unpinned = walk_rows(ROLES, COSTS, 12, pin_system=False)
    assert [(row["message"], row["left_tokens"]) for row in unpinned] == [
        (6, 7),
        (5, 5),
        (4, 2),
        (3, 0),
        (2, 0),
        (3, 2),
    ]


def test_nothing_is_dropped_when_nothing_was_cut() -> None:
    assert kept_numbers(ROLES, COSTS, sum(COSTS)) == [1, 2, 3, 4, 5, 6]
    assert kept_numbers([REPLY, USER], [1, 1], 2) == [1, 2]
    assert kept_numbers([], [], 0) == []


def test_the_walk_stops_at_the_first_that_does_not_fit() -> None:
    """Message 1 would fit, but the run must be unbroken."""
    assert kept_numbers([USER, REPLY, USER], [1, 9, 1], 5) == [3]


def test_a_system_message_in_the_middle_is_not_pinned() -> None:
    assert kept_numbers([SYSTEM, USER, SYSTEM, USER], [1, 1, 5, 1], 3) == [1, 4]


@pytest.mark.parametrize(
    ("roles", "costs_tokens", "limit_tokens", "says"),
    [
        ([SYSTEM, USER], [5, 1], 4, "The pinned messages need 5 tokens, but the limit is 4."),
        ([SYSTEM], [5], 4, "The pinned messages need 5 tokens, but the limit is 4."),
        ([SYSTEM, USER], [3, 2], 4, "The newest message needs 2 tokens, but only 1 are left."),
        ([USER], [5], 4, "The newest message needs 5 tokens, but only 4 are left."),
        ([USER, REPLY], [5, 1], 4, "The newest message is a reply whose question does not fit."),
        ([USER], [1, 2], 4, "1 roles need as many costs, not 2."),
    ],
)
def test_what_cannot_be_right_is_an_error(
    roles: list[str], costs_tokens: list[int], limit_tokens: int, says: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(says)}$"):
        kept_numbers(roles, costs_tokens, limit_tokens)


def test_the_counter_is_the_callers_and_words_are_the_default() -> None:
    chat = [Message(USER, "one two three"), Message(REPLY, "four"), Message(USER, "five six")]
    assert keep_newest(chat, 6) == chat
    assert keep_newest(chat, 5) == chat[2:]
    assert keep_newest(chat, 8, count_tokens=len) == chat[2:]


def test_role_markers_take_room() -> None:
    chat = [Message(USER, "one two three"), Message(REPLY, "four"), Message(USER, "five six")]
    assert keep_newest(chat, 6 + 3 * 4, overhead_tokens=4) == chat
    assert keep_newest(chat, 6 + 3 * 4 - 1, overhead_tokens=4) == chat[2:]


def test_reply_and_history_share_one_window() -> None:
    limit_tokens = window.prompt_limit_tokens(190, 40)
    roles = [USER, REPLY, USER, REPLY, USER, REPLY, USER]
    assert kept_numbers(roles, [30] * 7, limit_tokens) == [3, 4, 5, 6, 7]
    with pytest.raises(ValueError, match="leaves no room for the history"):
        window.prompt_limit_tokens(40, 40)


def test_the_closed_form_of_the_window_equals_the_real_one() -> None:
    for reply in range(1, 31):
        messages = history.messages_before_reply(reply)
        roles = [USER, REPLY] * reply
        kept = kept_numbers(roles[:messages], [50] * messages, 400)
        assert len(kept) == history.window_messages_at_reply(reply, 50, 400)


def kept_by_trying_every_start(
    roles: list[str], costs_tokens: list[int], limit_tokens: int, pinned: int
) -> list[int] | None:
    """The rules again in another way: try each start of the run; None where there is an error."""
    starts = [
        start
        for start in range(pinned, len(roles) + 1)
        if sum(costs_tokens[:pinned]) + sum(costs_tokens[start:]) <= limit_tokens
    ]
    if not starts or starts[0] == len(roles):
        return None
    start = starts[0]
    if start > pinned:
        start = next(place for place in range(start, len(roles)) if roles[place] != REPLY)
    return [place + 1 for place in range(len(roles)) if place < pinned or place >= start]


def assert_maximal(
    roles: list[str], costs_tokens: list[int], limit_tokens: int, pinned: int, kept: list[int]
) -> None:
    """Back to the next older message that is no reply, what was left out is too much."""
    oldest = kept[pinned]
    older = oldest - 1
    while older > pinned + 1 and roles[older - 1] == REPLY:
        older -= 1
    left_out = range(older, oldest)
    assert kept_tokens(costs_tokens, kept) + kept_tokens(costs_tokens, left_out) > limit_tokens


def random_chat(rng: random.Random) -> tuple[list[str], list[int], int]:
    """Roles (the newest is a question), costs and a limit that is mostly too low for all."""
    roles = [SYSTEM] * rng.randrange(3) + [USER, REPLY] * rng.randrange(6)
    roles += [*rng.choices([USER, REPLY, SYSTEM], [4, 2, 1], k=rng.randrange(5)), USER]
    costs_tokens = [rng.randint(1, 9) for _ in roles]
    return roles, costs_tokens, rng.randint(1, sum(costs_tokens) + 5)


def test_the_rules_hold_in_400_random_chats() -> None:
    """Each rule holds in every chat, and every kind of case really came up."""
    rng = random.Random(20261017)
    seen: Counter[str] = Counter()
    for _ in range(TRIALS):
        roles, costs_tokens, limit_tokens = random_chat(rng)
        pin_system = rng.random() < 0.7
        pinned = window.pinned_count(roles) if pin_system else 0
        expected = kept_by_trying_every_start(roles, costs_tokens, limit_tokens, pinned)
        if expected is None:
            seen["error"] += 1
            with pytest.raises(ValueError, match=r"needs? .* tokens"):
                kept_numbers(roles, costs_tokens, limit_tokens, pin_system=pin_system)
            continue

        kept = kept_numbers(roles, costs_tokens, limit_tokens, pin_system=pin_system)
        steps = walk_rows(roles, costs_tokens, limit_tokens, pin_system=pin_system)
        last_decisions = {step["message"]: step["decision"] for step in steps}
        run = kept[pinned:]
        assert kept == expected
        assert kept_tokens(costs_tokens, kept) <= limit_tokens
        assert kept[:pinned] == list(range(1, pinned + 1))
        assert run == list(range(run[0], len(roles) + 1))
        assert kept == sorted(n for n, what in last_decisions.items() if what in KEPT)
        assert steps[-1]["left_tokens"] == limit_tokens - kept_tokens(costs_tokens, kept)
        if len(kept) == len(roles):
            seen["uncut"] += 1
            continue
        assert roles[run[0] - 1] != REPLY
        assert_maximal(roles, costs_tokens, limit_tokens, pinned, kept)
        seen["cut"] += 1
        seen["cut behind a pinned rule"] += pinned > 0
        seen["reply dropped"] += str(steps[-1]["decision"]).startswith("dropped")

    assert TRIALS == 400
    assert seen["error"] + seen["uncut"] + seen["cut"] == TRIALS
    assert len(seen) == 5
    assert min(seen.values()) >= 40, seen
