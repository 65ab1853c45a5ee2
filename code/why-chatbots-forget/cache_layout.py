"""What a model's cache holds: which layers grow with the chat, which are capped, and their bytes.

Three kinds of layer:
- a full layer keeps keys and values of every token (or, with latent attention, one compressed
  vector per token), so it grows as long as the chat does;
- a capped layer (sliding window) keeps the newest `window_tokens` only, so it stops growing;
- a state layer (linear attention) keeps notes of one fixed size, which are not counted here.

A program that does not overwrite old tokens in capped layers needs more than is computed here.
"""

from dataclasses import dataclass, replace

import kv_cache


@dataclass(frozen=True)
class CacheLayout:
    """The settings that decide the size of a cache.

    `window_tokens` is 0 where no layer is capped; `kv_lora_rank` and `qk_rope_head_dim` are 0
    unless attention is latent, and then `kv_heads` and `head_dim` play no part; `max_tokens` is
    None where the model's settings do not say it.
    """

    full_layers: int
    capped_layers: int
    state_layers: int
    kv_heads: int
    head_dim: int
    bytes_per_value: float
    window_tokens: int = 0
    kv_lora_rank: int = 0
    qk_rope_head_dim: int = 0
    max_tokens: int | None = None

    @property
    def layers(self) -> int:
        """All layers of the model."""
        return self.full_layers + self.capped_layers + self.state_layers

    @property
    def is_latent(self) -> bool:
        """Whether a layer keeps one compressed vector per token for all its heads."""
        return self.kv_lora_rank > 0

    @property
    def kind(self) -> str:
        """One of "full", "capped", "mixed", "latent" and "hybrid"."""
        if self.is_latent:
            return "latent"
        if self.state_layers:
            return "hybrid"
        if self.capped_layers:
            return "mixed" if self.full_layers else "capped"
        return "full"


def full_layers_bytes_per_token(layout: CacheLayout) -> float:
    """Bytes that each token adds in the layers that go on growing; 0 if there are none.

    Gemma 2 9B: half of its 42 layers.

    >>> full_layers_bytes_per_token(CacheLayout(21, 21, 0, 8, 256, 2, window_tokens=4096))
    172032
    """
    if layout.is_latent:
        return kv_cache.latent_bytes_per_token(
            layout.full_layers,
            layout.kv_lora_rank,
            layout.qk_rope_head_dim,
            layout.bytes_per_value,
        )
    return kv_cache.bytes_per_token(
        layout.full_layers, layout.kv_heads, layout.head_dim, layout.bytes_per_value
    )


def capped_layers_bytes_per_token(layout: CacheLayout) -> float:
    """Bytes that each token adds in the capped layers until their window is full."""
    return kv_cache.bytes_per_token(
        layout.capped_layers, layout.kv_heads, layout.head_dim, layout.bytes_per_value
    )


def bytes_per_token_while_growing(layout: CacheLayout) -> float:
    """Bytes per token of the part that grows: the full layers, or the capped ones if all are.

    Where only some layers are capped, `cap_bytes` comes on top of it. Mistral 7B v0.1 is all
    capped: it grows at this rate and stops at `cap_bytes`.

    >>> bytes_per_token_while_growing(CacheLayout(0, 32, 0, 8, 128, 2, window_tokens=4096))
    131072
    """
    if layout.full_layers:
        return full_layers_bytes_per_token(layout)
    return capped_layers_bytes_per_token(layout)


def cap_bytes(layout: CacheLayout) -> float:
    """Bytes that the capped layers never exceed in one chat; 0 if no layer is capped.

    >>> cap_bytes(CacheLayout(21, 21, 0, 8, 256, 2, window_tokens=4096))
    704643072
    """
    return kv_cache.cache_bytes(capped_layers_bytes_per_token(layout), layout.window_tokens)


def chat_bytes(layout: CacheLayout, tokens: int) -> float:
    """Bytes of the cache of one chat of `tokens` tokens.

    Gemma 2 9B at 8,192 tokens: 1.96875 GiB, where all layers in full would take 2.625 GiB.

    >>> chat_bytes(CacheLayout(21, 21, 0, 8, 256, 2, window_tokens=4096), 8192)
    2113929216
    """
    full_bytes = full_layers_bytes_per_token(layout)
    capped_bytes = capped_layers_bytes_per_token(layout)
    if not layout.capped_layers:
        return kv_cache.cache_bytes(full_bytes, tokens)
    if not layout.full_layers:
        return kv_cache.capped_cache_bytes(capped_bytes, layout.window_tokens, tokens)
    return kv_cache.mixed_cache_bytes(full_bytes, capped_bytes, layout.window_tokens, tokens)


def with_layers(layout: CacheLayout, layers: int) -> CacheLayout:
    """The same design with another number of layers, each kind keeping its share.

    >>> with_layers(CacheLayout(21, 21, 0, 8, 256, 2, window_tokens=4096), 20).full_layers
    10
    """
    full_layers = layers * layout.full_layers // layout.layers
    capped_layers = layers - full_layers if layout.capped_layers else 0
    return replace(
        layout,
        full_layers=full_layers,
        capped_layers=capped_layers,
        state_layers=layers - full_layers - capped_layers,
    )
