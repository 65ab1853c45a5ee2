"""The walk of the window: by hand, and against its definition in random chats."""

import random

from window_rule import first_kept, walk_rows


def test_the_walk_stops_at_the_first_that_does_not_fit() -> None:
    """The oldest message would fit, but the run is unbroken."""
    assert first_kept([1, 9, 1, 1], 5) == 2


def test_limits_are_included() -> None:
    assert first_kept([3, 4, 5], 12) == 0
    assert first_kept([3, 4, 5], 11) == 1
    assert first_kept([3, 4, 5], 5) == 2
    assert first_kept([3, 4, 5], 4) == 3
    assert first_kept([], 4) == 0


def test_the_rule_is_its_definition_in_random_chats() -> None:
    rng = random.Random(20261105)
    for _ in range(2_000):
        costs = [rng.randint(1, 9) for _ in range(rng.randrange(1, 9))]
        limit = rng.randint(0, sum(costs) + 3)
        first = first_kept(costs, limit)
        assert sum(costs[first:]) <= limit
        assert first == 0 or sum(costs[first - 1 :]) > limit
        rows = walk_rows(costs, limit)
        kept = [int(row["message"]) for row in rows if row["decision"] == "kept"]
        assert kept == list(range(len(costs), first, -1))
        assert rows[-1]["left_tokens"] == limit - sum(costs[first:])
        assert len(rows) == len(kept) + (first > 0)
