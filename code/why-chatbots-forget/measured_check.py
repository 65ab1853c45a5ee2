"""The formulas against a measurement: do weights and cache explain the memory that Qwen saw?"""

from typing import Any

import kv_cache
import measured
import presets

MODEL = "qwen3-8b"
WRITTEN_TOKENS = 2_048  # each measured run wrote so many after its input


def explained_bytes(weights_bytes: float, bytes_per_token: float, tokens: int) -> float:
    """Bytes that the formulas expect on the card: the weights, and the cache of `tokens` tokens.

    >>> explained_bytes(16_381_470_720, 147_456, 8_192)
    17589430272
    """
    return weights_bytes + bytes_per_token * tokens


def measured_rows() -> list[dict[str, Any]]:
    """A row per measured run.

    Keys: input_tokens, cached_tokens (input and reply), measured_bytes, explained_bytes,
    rest_bytes (measured, but not explained), more_tokens and rise_bytes (against the row before).

    >>> [round(row["rest_bytes"] / kv_cache.MIB_BYTES, 1) for row in measured_rows()]
    [36.3, 36.4, 36.4, 36.4]
    """
    layout, parameters = presets.layout(MODEL), presets.preset(MODEL).parameters
    if parameters is None:
        raise ValueError(f"The exact size of {presets.preset(MODEL).name} is not known here.")
    one_token_bytes = kv_cache.bytes_per_token(
        layout.layers, layout.kv_heads, layout.head_dim, layout.bytes_per_value
    )
    weights = kv_cache.weights_bytes(parameters, layout.bytes_per_value)
    rows: list[dict[str, Any]] = []
    before = measured.QWEN3_8B_MEMORY_ROWS[0]
    for run in measured.QWEN3_8B_MEMORY_ROWS:
        cached_tokens = run["input_tokens"] + WRITTEN_TOKENS
        measured_bytes = run["memory_mib"] * kv_cache.MIB_BYTES
        expected_bytes = explained_bytes(weights, one_token_bytes, cached_tokens)
        rows.append(
            {
                "input_tokens": run["input_tokens"],
                "cached_tokens": cached_tokens,
                "measured_bytes": measured_bytes,
                "explained_bytes": expected_bytes,
                "rest_bytes": measured_bytes - expected_bytes,
                "more_tokens": run["input_tokens"] - before["input_tokens"],
                "rise_bytes": (run["memory_mib"] - before["memory_mib"]) * kv_cache.MIB_BYTES,
            }
        )
        before = run
    return rows
