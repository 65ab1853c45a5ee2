"""The same chat drawn from 10,000 seeds: when does message 1 fall out, and how far off are guesses?

    python3 study.py        runs it on all processors and writes study.json (some minutes)

It works on token costs alone, which a test proves equal to those of the written text. study.json
holds a hash of the code that decides its values, so a test notices when it is out of date.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import prediction
from conversation import TURNS, Chat, priced_chat
from lab import KEEP_NEWEST, PINNED_NOTE, ROLLING_SUMMARY, input_tokens, requests
from wording import FIXED_TOKENS

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "study.json"
CODE = (
    "seeded_random.py",
    "token_units.py",
    "vocabulary.py",
    "wording.py",
    "conversation.py",
    "window_rule.py",
    "rolling_summary.py",
    "lab.py",
    "prediction.py",
    "study.py",
)

SEEDS = range(1, 10_001)
BUDGETS_TOKENS = (4_000, 8_000, 16_000, 32_000)
COLUMNS = ("gone", "heuristic", "refined", "halfway", "seeds")
SAMPLE_SEEDS = range(1, 26)  # their own rows are kept, for the tests to recompute
NET_SEEDS = range(1, 1_001)  # the two fixes take longer to run
NET_BUDGET_TOKENS = 4_000
NET_POLICIES = (PINNED_NOTE, ROLLING_SUMMARY)


def code_sha256() -> str:
    """A hash of the files that decide the results."""
    total = hashlib.sha256()
    for name in CODE:
        text = (FOLDER / name).read_text(encoding="utf-8")  # with any line ends
        total.update(f"{name}\n{text}\n".encode())
    return total.hexdigest()


def halfway_turn(chat: Chat, budget_tokens: int) -> int:
    """The refined guess of an app whose chat has just filled half of the budget.

    It knows what the turns so far cost, and takes those to come to be like those of other chats.
    """
    known_turns, known_tokens = 1, FIXED_TOKENS + chat[0].tokens + chat[1].tokens
    while known_tokens < budget_tokens / 2:
        question, reply = chat[2 * known_turns : 2 * known_turns + 2]
        known_tokens += question.tokens + reply.tokens
        known_turns += 1
    return prediction.refined_turn(
        budget_tokens,
        known_turns,
        known_tokens,
        prediction.expected_turn_tokens(),
        prediction.expected_question_tokens(),
    )


def turns_of_seed(seed: int) -> list[list[int]]:
    """For each budget: the turn measured, and the turns guessed, in the order of COLUMNS.

    >>> turns_of_seed(20261105)[0]
    [19, 18, 19, 19]
    """
    chat = priced_chat(seed)
    whole_tokens = prediction.whole_request_tokens(chat)
    turn_tokens = prediction.mean_turn_tokens(chat)
    question_tokens = prediction.mean_question_tokens(chat)
    known_tokens = FIXED_TOKENS + chat[0].tokens + chat[1].tokens
    rows = []
    for budget_tokens in BUDGETS_TOKENS:
        gone = prediction.measured_gone_turn(whole_tokens, budget_tokens)
        if gone is None:
            raise ValueError(f"Seed {seed} keeps message 1 in {budget_tokens} tokens to the end.")
        heuristic = prediction.heuristic_turn(budget_tokens, FIXED_TOKENS, turn_tokens)
        refined = prediction.refined_turn(
            budget_tokens, 1, known_tokens, turn_tokens, question_tokens
        )
        rows.append([gone, heuristic, refined, halfway_turn(chat, budget_tokens)])
    return rows


def net_tokens_of_seed(seed: int) -> list[int]:
    """What each fix adds to the input of the whole chat; below 0 where it saves.

    >>> net_tokens_of_seed(20261105)[0]
    -424
    """
    chat = priced_chat(seed)
    plain_tokens = input_tokens(requests(chat, KEEP_NEWEST, NET_BUDGET_TOKENS))
    return [
        input_tokens(requests(chat, policy, NET_BUDGET_TOKENS)) - plain_tokens
        for policy in NET_POLICIES
    ]


def results(seeds: Sequence[int], turns: Iterable[list[list[int]]]) -> dict[str, Any]:
    """The joint counts of each budget (equal rows counted, so none is lost), and the sample."""
    by_seed = dict(zip(seeds, turns, strict=True))
    counts = [
        Counter(tuple(rows[place]) for rows in by_seed.values())
        for place in range(len(BUDGETS_TOKENS))
    ]
    return {
        "code_sha256": code_sha256(),
        "first_seed": seeds[0],
        "seeds": len(seeds),
        "turns": TURNS,
        "columns": list(COLUMNS),
        "budgets": [
            {"budget_tokens": budget, "rows": [[*row, n] for row, n in sorted(counted.items())]}
            for budget, counted in zip(BUDGETS_TOKENS, counts, strict=True)
        ],
        "sample": {str(seed): by_seed[seed] for seed in SAMPLE_SEEDS},
    }


def net_results(seeds: Sequence[int], nets: Sequence[list[int]]) -> dict[str, Any]:
    """What each fix adds, over the seeds: mean, spread and extremes; and the sample."""
    names = [policy.name for policy in NET_POLICIES]
    columns = dict(zip(names, zip(*nets, strict=True), strict=True))
    return {
        "seeds": len(seeds),
        "budget_tokens": NET_BUDGET_TOKENS,
        "policies": [
            {
                "policy": name,
                "mean_net_tokens": round(fmean(column), 1),
                "spread_tokens": round(pstdev(column), 1),
                "least_net_tokens": min(column),
                "most_net_tokens": max(column),
                "saves_share": sum(net < 0 for net in column) / len(column),
            }
            for name, column in columns.items()
        ],
        "sample": {str(seed): nets[seeds.index(seed)] for seed in SAMPLE_SEEDS},
    }


def main() -> None:
    """Run the study and write it."""
    with ProcessPoolExecutor() as pool:
        turns = list(pool.map(turns_of_seed, SEEDS, chunksize=50))
        nets = list(pool.map(net_tokens_of_seed, NET_SEEDS, chunksize=20))
    found = results(SEEDS, turns)
    found["net"] = net_results(NET_SEEDS, nets)
    RESULTS.write_text(compact(found), encoding="utf-8")
    print(f"{len(SEEDS):,} seeds: wrote {RESULTS.name}")


def compact(found: dict[str, Any]) -> str:
    """The results as JSON, an entry to a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
