"""The lab: its published table, and the same table from a second, independent window rule."""

from dataclasses import dataclass
from itertools import pairwise

import pytest

import lab
from conversation import Chat, priced_chat, written_chat
from lab import KEEP_NEWEST, PINNED_NOTE, POLICIES, ROLLING_SUMMARY, TOPICS_ONLY, Policy, requests
from wording import NAME

SEED = 20261105
BUDGETS = (4_000, 8_000, 32_000)
TABLE = {  # budget: message 1 gone; turns with the name; input tokens, by policy
    4_000: (19, (18, 200, 200), (747_934, 747_510)),
    8_000: (36, (35, 200, 200), (1_441_049, 1_442_433)),
    32_000: (141, (140, 200, 200), (4_167_129, 4_168_614)),
}


def chat() -> Chat:
    return written_chat(SEED)


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_published_table(budget: int) -> None:
    gone, with_name, totals = TABLE[budget]
    sent = [requests(chat(), policy, budget) for policy in POLICIES]
    assert lab.gone_turn(sent[0]) == gone
    assert tuple(lab.turns_with_name(run) for run in sent) == with_name
    assert tuple(lab.input_tokens(run) for run in sent[:2]) == totals
    used = {request.summary.tokens for request in sent[2]}
    assert (min(used), max(used)) == (0, 87)
    facts_dropped = requests(chat(), TOPICS_ONLY, budget)
    assert max(request.summary.tokens for request in facts_dropped) == 82


def test_differences_and_ratios() -> None:
    newest = [lab.input_tokens(requests(chat(), KEEP_NEWEST, budget)) for budget in BUDGETS]
    pinned = [lab.input_tokens(requests(chat(), PINNED_NOTE, budget)) for budget in BUDGETS]
    assert [b - a for a, b in zip(newest, pinned, strict=True)] == [-424, 1_384, 1_485]
    assert sum(request.note_tokens for request in requests(chat(), PINNED_NOTE, 4_000)) == 2_400
    assert round(newest[2] / newest[0], 1) == 5.6
    assert round(141 / 19, 1) == 7.4


def test_messages_in_a_request() -> None:
    means = [
        sum(request.messages for request in requests(chat(), policy, 4_000)) / 200
        for policy in POLICIES
    ]
    assert round(means[0], 2) == 32.95
    assert round(means[2], 1) == 31.4


def test_the_steps_of_the_drop() -> None:
    small = requests(chat(), KEEP_NEWEST, 4_000)
    assert (small[17].turn, small[17].messages, small[17].first) == (18, 35, 0)
    assert (small[18].first, chat()[small[18].first].turn) == (2, 2)
    assert requests(chat(), KEEP_NEWEST, 8_000)[35].first == 4
    assert chat()[small[199].first].turn == 183
    large = requests(chat(), KEEP_NEWEST, 32_000)
    assert [request.turn for request in large if not request.has_name] == list(range(141, 201))


def test_room_for_the_reply_brings_the_drop_forward() -> None:
    gone = [lab.gone_turn(requests(chat(), KEEP_NEWEST, budget - 1_000)) for budget in BUDGETS]
    assert gone == [15, 32, 136]


def test_a_summary_of_topics_alone_loses_the_name() -> None:
    kept = [lab.turns_with_name(requests(chat(), TOPICS_ONLY, budget)) for budget in BUDGETS]
    assert kept == [18, 34, 139]


@dataclass(frozen=True)
class Recomputed:
    """One turn of the second implementation: messages left out, input tokens, the name."""

    dropped: int
    tokens: int
    named: bool


def recomputed(chat: Chat, kind: str, budget: int) -> list[Recomputed]:
    """The lab again, sharing no code with it: every start of the run is tried."""
    before = [0]  # before[place]: what all messages older than that place cost
    for message in chat:
        before.append(before[-1] + message.tokens)
    extra = {"newest": 0, "note": 12, "summary": 200, "topics": 200}[kind]
    rows = []
    for turn in range(1, 201):
        end = 2 * turn - 1
        starts = [s for s in range(end) if 20 + extra + before[end] - before[s] <= budget]
        if not starts:
            rows.append(Recomputed(end, 0, False))
            continue
        start = starts[0]
        sent = 20 + before[end] - before[start]
        if kind == "note":
            sent += 12
        if kind in ("summary", "topics") and start > 0:
            labels = {message.topic for message in chat[:start]}
            sent += (17 if kind == "summary" else 12) + sum(map(label_cost, labels)) + 4
        named = start == 0 or kind in ("note", "summary")
        rows.append(Recomputed(start, sent, named))
    return rows


def label_cost(topic: str) -> int:
    """A topic in the summary, with its comma: long words by hand, all others one unit."""
    long_words = {"introductions": 4, "supports": 2, "rotation": 2, "watering": 2}
    long_words |= dict.fromkeys(("pollinators", "strawberries", "composting", "perennials"), 3)
    return sum(long_words.get(word, 1) for word in topic.split()) + 1


KINDS = {
    "newest": KEEP_NEWEST,
    "note": PINNED_NOTE,
    "summary": ROLLING_SUMMARY,
    "topics": TOPICS_ONLY,
}


@pytest.mark.parametrize("budget", [300, 1_000, *BUDGETS])
@pytest.mark.parametrize("kind", KINDS)
def test_a_second_implementation_gives_the_same_requests(kind: str, budget: int) -> None:
    sent = requests(chat(), KINDS[kind], budget)
    again = recomputed(chat(), kind, budget)
    assert [(r.first, r.input_tokens, r.has_name) for r in sent] == [
        (row.dropped, row.tokens, row.named) for row in again
    ]


@pytest.mark.parametrize("policy", [*POLICIES, TOPICS_ONLY], ids=lambda policy: policy.name)
def test_the_name_is_said_to_be_there_exactly_when_its_text_is(policy: Policy) -> None:
    for request in requests(chat(), policy, 4_000):
        text = "\n".join(lab.request_texts(chat(), request))
        assert request.has_name == (NAME in text)


@pytest.mark.parametrize("policy", [*POLICIES, TOPICS_ONLY], ids=lambda policy: policy.name)
def test_no_request_exceeds_its_budget_and_what_was_dropped_stays_dropped(policy: Policy) -> None:
    for budget in (300, 500, 2_000, 4_000):
        sent = requests(priced_chat(3), policy, budget)
        assert all(request.input_tokens <= budget for request in sent)
        assert all(before.first <= after.first for before, after in pairwise(sent))


def test_a_message_that_does_not_fit_is_not_sent_in_part() -> None:
    sent = requests(chat(), KEEP_NEWEST, 80)
    too_long = [request.turn for request in sent if not request.fits]
    assert too_long == [r.turn for r in sent if r.question_tokens > 60]
    assert too_long
    refused = sent[too_long[0] - 1]
    assert (refused.input_tokens, refused.messages, refused.has_name) == (0, 0, False)


def test_a_summary_never_outgrows_its_room() -> None:
    policy = Policy("small room", summary_room_tokens=40)
    sent = requests(chat(), policy, 4_000)
    assert max(request.summary.tokens for request in sent) <= 40
    assert len(sent[-1].summary.topics) < 19
    assert lab.turns_with_name(sent) == 200


def test_what_a_cached_beginning_spares() -> None:
    """While nothing is dropped a request begins with the whole one before it."""
    sent = requests(chat(), KEEP_NEWEST, 4_000)
    assert lab.reused_tokens(sent[16], sent[17]) == sent[16].input_tokens - 3
    assert lab.reused_tokens(sent[17], sent[18]) == 17
    pinned = requests(chat(), PINNED_NOTE, 4_000)
    assert lab.reused_tokens(pinned[17], pinned[18]) == 29
