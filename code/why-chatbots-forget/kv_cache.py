"""Memory of a chat's working notes (the KV cache) and of the model's weights, in bytes.

For each token of the chat, each attention layer keeps one key and one value per KV head. They
stay in the GPU's memory until the chat ends, so memory grows with the length of the chat.

Conventions: every size is in bytes and its name says so. `bytes_per_value` is 2 for a 16-bit
value, 1 for 8 bits and 0.5 for 4 bits. Results are exact; convert to GiB only to show them.
"""

from math import floor

KIB_BYTES = 1024
MIB_BYTES = 1024 * KIB_BYTES
GIB_BYTES = 1024 * MIB_BYTES

# Value types that a reader can choose, and the exact bytes of one value.
BYTES_PER_VALUE: dict[int, int | float] = {16: 2, 8: 1, 4: 0.5}

# What one program really stores: llama.cpp packs 32 values into a block with a 2-byte scale.
# Source: block definitions in ggml-common.h, github.com/ggml-org/llama.cpp, seen 2026-12-01.
BLOCK_VALUES = 32
BLOCK_SCALE_BYTES = 2


def bytes_per_value(value_bits: int) -> float:
    """Bytes of one stored number; ValueError for a width that is not offered.

    >>> bytes_per_value(16), bytes_per_value(8), bytes_per_value(4)
    (2, 1, 0.5)
    """
    if value_bits not in BYTES_PER_VALUE:
        raise ValueError(f"A stored value has 16, 8 or 4 bits here, not {value_bits}.")
    return BYTES_PER_VALUE[value_bits]


def block_bytes_per_value(value_bits: int) -> float:
    """Bytes of one value in llama.cpp's q8_0 and q4_0, the scale of the block included.

    So "8 bits = 1 byte" is 6.25 % too little there, and "4 bits = half a byte" 12.5 %.

    >>> block_bytes_per_value(8), block_bytes_per_value(4)
    (1.0625, 0.5625)
    """
    return value_bits / 8 + BLOCK_SCALE_BYTES / BLOCK_VALUES


def bytes_per_token(layers: int, kv_heads: int, head_dim: int, bytes_per_value: float) -> float:
    """Bytes that one more token adds: a key and a value (the 2) per layer and KV head.

    Qwen3-8B: 36 layers, 8 KV heads, head size 128, 16-bit values.

    >>> bytes_per_token(36, 8, 128, 2)
    147456
    """
    return 2 * layers * kv_heads * head_dim * bytes_per_value


def latent_bytes_per_token(
    layers: int, kv_lora_rank: int, qk_rope_head_dim: int, bytes_per_value: float
) -> float:
    """Bytes that one more token adds where a layer keeps one compressed vector for all heads.

    DeepSeek-V3: 61 layers, a vector of 512 values and 64 for the position. No 2, no heads.

    >>> latent_bytes_per_token(61, 512, 64, 2)
    70272
    """
    return layers * (kv_lora_rank + qk_rope_head_dim) * bytes_per_value


def cache_bytes(bytes_per_token: float, tokens: int) -> float:
    """Bytes of the cache of one chat that is `tokens` long.

    >>> cache_bytes(147456, 40960)
    6039797760
    """
    return bytes_per_token * tokens


def capped_cache_bytes(bytes_per_token: float, window_tokens: int, tokens: int) -> float:
    """Bytes where every layer keeps the newest `window_tokens` only and overwrites older ones.

    Mistral 7B v0.1 at 32,768 tokens: 512 MiB, not 4 GiB.

    >>> capped_cache_bytes(131072, 4096, 32768)
    536870912
    """
    return bytes_per_token * min(tokens, window_tokens)


def mixed_cache_bytes(
    full_layers_bytes_per_token: float,
    capped_layers_bytes_per_token: float,
    window_tokens: int,
    tokens: int,
) -> float:
    """Bytes where some layers keep every token and others the newest `window_tokens` only.

    Gemma 2 9B at its maximum of 8,192 tokens.

    >>> mixed_cache_bytes(172032, 172032, 4096, 8192)
    2113929216
    """
    return full_layers_bytes_per_token * tokens + capped_layers_bytes_per_token * min(
        tokens, window_tokens
    )


def all_chats_bytes(chat_bytes: float, chats: int) -> float:
    """Bytes of the caches of chats that are equally long: nothing is shared.

    >>> all_chats_bytes(6_039_797_760, 4)
    24159191040
    """
    return chat_bytes * chats


def weights_bytes(parameters: float, bytes_per_weight: float) -> float:
    """Bytes of the model itself: every parameter is one stored number.

    >>> weights_bytes(8_190_735_360, 2)
    16381470720
    """
    return parameters * bytes_per_weight


def free_bytes(gpu_bytes: float, weights_bytes: float) -> float:
    """Bytes of a GPU that the weights leave, never below 0.

    >>> free_bytes(24 * GIB_BYTES, 16_381_470_720), free_bytes(8 * GIB_BYTES, 16_381_470_720)
    (9388333056, 0)
    """
    return max(0, gpu_bytes - weights_bytes)


def chats_that_fit(gpu_bytes: float, weights_bytes: float, chat_bytes: float) -> int:
    """Whole chats whose cache fits in what the weights leave.

    An upper bound: the program's own memory and its intermediate results take some too.

    >>> chats_that_fit(80 * GIB_BYTES, 16_381_470_720, 6_039_797_760)
    11
    >>> chats_that_fit(8 * GIB_BYTES, 16_381_470_720, 6_039_797_760)
    0
    """
    return floor(max(0, gpu_bytes - weights_bytes) / chat_bytes)
