"""What the study found, read from study.json: how early, how late, and how far off the guesses are.

An error is the turn guessed minus the turn measured: below 0 the guess was early.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import prediction
from conversation import first_turn
from wording import FIXED_TOKENS

Row = dict[str, int | float | str]
RESULTS = Path(__file__).with_name("study.json")

# What a guess needs to know, in the order of the table.
GUESSES = {
    "heuristic, average of all chats": "the average turn, beforehand",
    "heuristic, average of this chat": "the average turn of the whole chat, only known afterwards",
    "refined, average of all chats": "the average turn and question, and the first turn",
    "refined, average of this chat": "the same, of the whole chat, only known afterwards",
    "refined, halfway": "the average turn and question, and all turns up to half of the budget",
}


def study() -> dict[str, Any]:
    """The results as they were written."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def gone_counts(found: Mapping[str, Any], budget_tokens: int) -> Counter[int]:
    """How many chats lost message 1 at each turn."""
    counts: Counter[int] = Counter()
    for gone, *_, seeds in _rows(found, budget_tokens):
        counts[gone] += seeds
    return counts


def error_counts(found: Mapping[str, Any], budget_tokens: int, guess: str) -> Counter[int]:
    """How many chats a guess missed by so many turns."""
    advance = advance_guesses(budget_tokens)
    place = {
        "heuristic, average of this chat": 1,
        "refined, average of this chat": 2,
        "refined, halfway": 3,
    }
    counts: Counter[int] = Counter()
    for row in _rows(found, budget_tokens):
        turn = advance[guess] if guess in advance else row[place[guess]]
        counts[turn - row[0]] += row[-1]
    return counts


def advance_guesses(budget_tokens: int) -> dict[str, int]:
    """The guesses that know the average chat only, and so are the same for every seed.

    >>> advance_guesses(4_000)
    {'heuristic, average of all chats': 18, 'refined, average of all chats': 19}
    """
    known_tokens = FIXED_TOKENS + sum(message.tokens for message in first_turn())
    turn_tokens = prediction.expected_turn_tokens()
    question_tokens = prediction.expected_question_tokens()
    return {
        "heuristic, average of all chats": prediction.heuristic_turn(
            budget_tokens, FIXED_TOKENS, turn_tokens
        ),
        "refined, average of all chats": prediction.refined_turn(
            budget_tokens, 1, known_tokens, turn_tokens, question_tokens
        ),
    }


def distribution_rows(found: Mapping[str, Any]) -> list[Row]:
    """A row for each budget and turn of the drop, with the chats and their share."""
    rows: list[Row] = []
    for part in found["budgets"]:
        counts = gone_counts(found, part["budget_tokens"])
        rows += [
            {
                "budget_tokens": part["budget_tokens"],
                "turn": turn,
                "chats": counts[turn],
                "share": counts[turn] / counts.total(),
            }
            for turn in range(min(counts), max(counts) + 1)
        ]
    return rows


def spread_rows(found: Mapping[str, Any]) -> list[Row]:
    """A row for each budget: where the turn lies over all seeds."""
    rows: list[Row] = []
    for part in found["budgets"]:
        counts = gone_counts(found, part["budget_tokens"])
        advance = advance_guesses(part["budget_tokens"])
        rows.append(
            {
                "budget_tokens": part["budget_tokens"],
                "seeds": counts.total(),
                "heuristic_turn": advance["heuristic, average of all chats"],
                "refined_turn": advance["refined, average of all chats"],
                "mean_turn": mean(counts),
                "spread_turns": spread(counts),
                "earliest_turn": min(counts),
                "low_turn": quantile(counts, 0.05),
                "middle_turn": quantile(counts, 0.5),
                "high_turn": quantile(counts, 0.95),
                "latest_turn": max(counts),
            }
        )
    return rows


def error_rows(found: Mapping[str, Any]) -> list[Row]:
    """A row for each budget and guess: its error in turns, and how often it hits."""
    rows: list[Row] = []
    for part in found["budgets"]:
        for guess, knows in GUESSES.items():
            counts = error_counts(found, part["budget_tokens"], guess)
            rows.append(
                {
                    "budget_tokens": part["budget_tokens"],
                    "guess": guess,
                    "knows": knows,
                    "mean_error_turns": mean(counts),
                    "mean_miss_turns": mean(counts, abs),
                    "spread_turns": spread(counts),
                    "early_share": share_of(counts, lambda error: error < 0),
                    "exact_share": share_of(counts, lambda error: error == 0),
                    "late_share": share_of(counts, lambda error: error > 0),
                    "within_1_share": share_of(counts, lambda error: abs(error) <= 1),
                }
            )
    return rows


def rows_of(rows: Sequence[Row], guess: str) -> list[Row]:
    """The rows of one guess, a row for each budget."""
    return [row for row in rows if row["guess"] == guess]


def mean(counts: Counter[int], of: Callable[[int], float] = float) -> float:
    """The mean of counted values.

    >>> mean(Counter({18: 1, 20: 3}))
    19.5
    """
    return sum(of(value) * n for value, n in counts.items()) / counts.total()


def spread(counts: Counter[int]) -> float:
    """Their standard deviation.

    >>> spread(Counter({18: 1, 20: 1}))
    1.0
    """
    middle = mean(counts)
    return sqrt(mean(counts, lambda value: (value - middle) ** 2))


def quantile(counts: Counter[int], share: float) -> int:
    """The least value that so large a share of them does not exceed.

    >>> quantile(Counter({18: 1, 19: 2, 20: 1}), 0.5)
    19
    """
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= share * counts.total():
            return value
    raise ValueError("There is nothing to take a quantile of.")


def share_of(counts: Counter[int], holds: Callable[[int], bool]) -> float:
    """The share of values for which something holds.

    >>> share_of(Counter({-1: 3, 0: 1}), lambda error: error < 0)
    0.75
    """
    return sum(n for value, n in counts.items() if holds(value)) / counts.total()


def _rows(found: Mapping[str, Any], budget_tokens: int) -> list[list[int]]:
    """The joint rows of a budget: gone, heuristic, refined, halfway, and how many chats."""
    for part in found["budgets"]:
        if part["budget_tokens"] == budget_tokens:
            rows: list[list[int]] = part["rows"]
            return rows
    raise ValueError(f"The study has no budget of {budget_tokens:,} tokens.")
