"""Numbers that others measured, to hold the formulas against."""

from typing import Any

# GPU memory of Qwen3-8B in Transformers with BF16 weights, by length of the input; each run also
# wrote 2,048 tokens. The page says MB; the slope shows that MiB are meant.
# Source: Qwen team, "Speed Benchmark", Qwen documentation (2025), seen 2025-05-20:
# qwen.readthedocs.io/en/latest/getting_started/speed_benchmark.html
QWEN3_8B_MEMORY_ROWS: list[dict[str, int]] = [
    {"input_tokens": 1, "memory_mib": 15_947},
    {"input_tokens": 6_144, "memory_mib": 16_811},
    {"input_tokens": 14_336, "memory_mib": 17_963},
    {"input_tokens": 30_720, "memory_mib": 20_267},
]

# Score in percent by length of the input; higher is better.
# Source: C.-P. Hsieh and others, "RULER" (arXiv 2404.06654), results table, seen 2026-12-01:
# github.com/NVIDIA/RULER
QWEN3_8B_RULER_ROWS: list[dict[str, Any]] = [
    {"input_tokens": 4_096, "score_percent": 96.3},
    {"input_tokens": 8_192, "score_percent": 96.0},
    {"input_tokens": 16_384, "score_percent": 91.8},
    {"input_tokens": 32_768, "score_percent": 91.2},
    {"input_tokens": 65_536, "score_percent": 82.1},
    {"input_tokens": 131_072, "score_percent": 77.4},
]


def slope_bytes_per_token(rows: list[dict[str, int]]) -> float:
    """Bytes that each token adds between the last two measured lengths.

    >>> slope_bytes_per_token(QWEN3_8B_MEMORY_ROWS)
    147456.0
    """
    (short, long) = rows[-2:]
    return (
        (long["memory_mib"] - short["memory_mib"])
        * 1024**2
        / (long["input_tokens"] - short["input_tokens"])
    )
