"""A small lesson's numbers and facts, against which sources are checked in tests."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from workings.facts import Fact
from workings.facts import Source as FactSource
from workings.gate import Checked, Options, check_numbers
from workings.problems import Location
from workings.prose import Source
from workings.registry import Number, Registry, Scalar, Value, unit_of

PAGE = "lessons/tea/index.md"
FRONT = "---\ntitle: Tea\ndescription: How to\n---\n"
TODAY = datetime.date(2026, 12, 1)

VALUES: Mapping[str, Value] = {
    "bytes_per_token": 147456,
    "cache_bytes": 6039797760,
    "weights_bytes": 16381470720,
    "parameters": 8190735360,
    "kept_messages": 9,
    "layers": 36,
    "read_tokens": 5000,
    "windowed_tokens": 3500,
    "fewest_words": 629145.6,
    "share": 0.25,
    "third_share": 1 / 3,
    "growth": 4,
    "wait_s": 1.5,
    "saved_percent": 90,
    "model_name": "Qwen3-8B",
    "rows": ({"reply": 1, "tokens": 50}, {"reply": 10, "tokens": 950}),
}
ACCEPTED: Mapping[str, Scalar] = {
    "bytes_per_token": 589824,
    "read_tokens": 5000,
    "growth": 3,
    "windowed_tokens": 3600,
}
FACTS = {
    "gemini-window": Fact(
        FactSource("Guide", url="https://example.org/guide"), datetime.date(2026, 11, 1),
        value=1048576, unit="tokens",
    ),
    "old-fact": Fact(
        FactSource("Page", url="https://example.org/page"), datetime.date(2024, 1, 1), value=77,
        at=Location("lessons/facts.yml", 7, 3),
    ),
    "old-paper": Fact(
        FactSource("Paper", url="https://arxiv.org/abs/2307.03172"), datetime.date(2023, 1, 1), value=20,
    ),
    "price": Fact(FactSource("Prices"), TODAY, value=0.3, unit="usd"),
}  # fmt: skip
UNITS = {"share": "ratio", "third_share": "ratio", "growth": None}


def registry(values: Mapping[str, Value] = VALUES) -> Registry:
    path = "code/tea/show_numbers.py"
    return Registry(
        "tea",
        {
            name: Number(name, value, UNITS.get(name, unit_of(name)), f"{name}()", path, line)
            for line, (name, value) in enumerate(values.items(), 10)
        },
    )


def check(
    text: str,
    path: str = PAGE,
    accepted: Mapping[str, Scalar] | None = None,
    options: Options | None = None,
) -> Checked:
    """The verdict on one source; unused numbers are left out."""
    source = Source(path, FRONT + text if path == PAGE and not text.startswith("---") else text)
    checked = check_numbers(
        [source], registry(), FACTS, ACCEPTED if accepted is None else accepted,
        options or Options("tea", today=TODAY),
    )  # fmt: skip
    kept = tuple(p for p in checked.problems if p.rule != "unused-number")
    return Checked(kept, checked.coverage)
