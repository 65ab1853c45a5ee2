"""Memory that the tokens of a request take on the graphics card: the cache of keys and values.

The article needs one model of middle size; the settings are those that its makers publish.
"""

import json
from pathlib import Path
from typing import Any

MODEL_NAME = "Llama-3.1-8B"
CONFIG = Path(__file__).parent / "models" / "llama-3.1-8b.json"
BYTES_PER_VALUE = {"bfloat16": 2, "float16": 2, "float32": 4}


def settings() -> dict[str, Any]:
    """The published settings that decide the size of the cache.

    >>> settings()["num_key_value_heads"]
    8
    """
    found: dict[str, Any] = json.loads(CONFIG.read_text(encoding="utf-8"))
    return found


def head_dim(hidden_size: int, attention_heads: int) -> int:
    """Values in a key or a value of one head, where the settings do not say it themselves.

    >>> head_dim(4096, 32)
    128
    """
    return hidden_size // attention_heads


def bytes_per_token(layers: int, kv_heads: int, head_dim: int, bytes_per_value: int) -> int:
    """Bytes that one more token adds: a key and a value (the 2) per layer and KV head.

    >>> bytes_per_token(32, 8, 128, 2)
    131072
    """
    return 2 * layers * kv_heads * head_dim * bytes_per_value


def cache_bytes(tokens: int, bytes_per_token: int) -> int:
    """Bytes that a request of so many tokens takes.

    >>> cache_bytes(32_768, 131_072) == 4 * 1024**3
    True
    """
    return tokens * bytes_per_token
