"""The panel "cache memory" of the calculator: its results as functions of its fields.

A preset fills in layers, KV heads, head size and parameters; a reader may then change them. The
preset still says what the fields cannot: which layers have a window, or that attention is latent.
A changed number of layers keeps the share of each kind of layer.

What cannot be computed is a ValueError whose sentence is meant for the reader.
"""

from dataclasses import replace

import cache_layout
import kv_cache
import presets
from cache_layout import CacheLayout

Row = dict[str, int | float | str]

CHART_STEPS = 8


def preset_rows() -> list[Row]:
    """One row per model: the values that choosing it puts into the fields.

    "parameters" is missing where the exact count is not known: the reader must type it.

    >>> preset_rows()[0]["id"], preset_rows()[0]["kv_heads"]
    ('qwen3-8b', 8)
    """
    return [preset_inputs(preset_id) for preset_id in presets.presets()]


def preset_inputs(preset_id: str) -> Row:
    """The values that choosing a model puts into the fields.

    >>> preset_inputs("deepseek-v3")["kv_heads"], preset_inputs("deepseek-v3")["head_dim"]
    (1, 576)
    """
    model = presets.preset(preset_id)
    row: Row = {
        "id": model.id,
        "name": model.name,
        **presets.field_values(preset_id),
        "context_tokens": model.longest_tokens,
    }
    if model.parameters is not None:
        row["parameters"] = model.parameters
    return row


def gpu_rows() -> list[Row]:
    """One row per card: id, name, label and the bytes that it reports.

    >>> gpu_rows()[0]["name"]
    'GeForce RTX 4060'
    """
    return [
        {"id": card.id, "name": card.name, "label": card.label, "gpu_bytes": gpu_bytes(card.id)}
        for card in presets.gpus().values()
    ]


def kept_layout(preset: str, layers: int) -> CacheLayout:
    """The preset's layout with another number of layers; ValueError where none would keep the chat.

    >>> kept_layout("gemma-2-9b", 40).full_layers
    20
    """
    layout = presets.layout(preset)
    kept = cache_layout.with_layers(layout, layers)
    if not kept.full_layers + kept.capped_layers:
        raise ValueError(
            f"{presets.preset(preset).name} has {layout.full_layers} of {layout.layers} layers that "
            f"keep the chat; of {layers} it would have none."
        )
    return kept


def edited_layout(
    preset: str, layers: int, kv_heads: int, head_dim: int, value_bits: int
) -> CacheLayout:
    """The preset's layout with the reader's values; ValueError where they do not go together.

    >>> edited_layout("gemma-2-9b", 40, 8, 256, 16).full_layers
    20
    """
    if min(layers, kv_heads, head_dim) < 1:
        raise ValueError("Layers, KV heads and head size must be at least 1.")
    layout = presets.layout(preset)
    fixed = presets.field_values(preset)
    if layout.is_latent and (kv_heads, head_dim) != (fixed["kv_heads"], fixed["head_dim"]):
        raise ValueError(
            f"{presets.preset(preset).name} keeps one vector of {layout.kv_lora_rank} + "
            f"{layout.qk_rope_head_dim} values for all heads of a layer: leave KV heads at "
            f"{fixed['kv_heads']} and head size at {fixed['head_dim']}."
        )
    return replace(
        kept_layout(preset, layers),
        kv_heads=kv_heads,
        head_dim=head_dim,
        bytes_per_value=kv_cache.bytes_per_value(value_bits),
    )


def bytes_per_token(
    preset: str, layers: int, kv_heads: int, head_dim: int, value_bits: int
) -> float:
    """Bytes that one more token adds while the cache grows (see `has_cap` for where it stops).

    >>> bytes_per_token("qwen3-8b", 36, 8, 128, 16), bytes_per_token("qwen3-8b", 36, 32, 128, 16)
    (147456, 589824)
    >>> bytes_per_token("deepseek-v3", 61, 1, 576, 16)
    70272
    """
    layout = edited_layout(preset, layers, kv_heads, head_dim, value_bits)
    if layout.is_latent:
        return kv_cache.latent_bytes_per_token(
            layers, layout.kv_lora_rank, layout.qk_rope_head_dim, layout.bytes_per_value
        )
    growing_layers = layout.full_layers or layout.capped_layers
    return kv_cache.bytes_per_token(growing_layers, kv_heads, head_dim, layout.bytes_per_value)


def has_cap(preset: str) -> bool:
    """Whether some layers of the model keep the newest tokens only.

    >>> has_cap("qwen3-8b"), has_cap("mistral-7b-v0.1")
    (False, True)
    """
    return presets.layout(preset).capped_layers > 0


def cap_bytes(preset: str, layers: int, kv_heads: int, head_dim: int, value_bits: int) -> float:
    """Bytes that the capped layers of one chat never exceed; ValueError where there are none.

    >>> cap_bytes("mistral-7b-v0.1", 32, 8, 128, 16)
    536870912
    """
    layout = edited_layout(preset, layers, kv_heads, head_dim, value_bits)
    if not layout.capped_layers:
        raise ValueError(f"No layer of {presets.preset(preset).name} is capped.")
    return cache_layout.cap_bytes(layout)


def chat_bytes(
    preset: str, layers: int, kv_heads: int, head_dim: int, value_bits: int, context_tokens: int
) -> float:
    """Bytes of the cache of one chat that is `context_tokens` long.

    >>> chat_bytes("qwen3-8b", 36, 8, 128, 16, 40960)
    6039797760
    """
    if context_tokens < 1:
        raise ValueError("A chat has at least 1 token.")
    layout = edited_layout(preset, layers, kv_heads, head_dim, value_bits)
    return cache_layout.chat_bytes(layout, context_tokens)


def all_chats_bytes(
    preset: str,
    layers: int,
    kv_heads: int,
    head_dim: int,
    value_bits: int,
    context_tokens: int,
    chats: int,
) -> float:
    """Bytes of the caches of `chats` chats of that length.

    >>> all_chats_bytes("qwen3-8b", 36, 8, 128, 16, 40960, chats=4)
    24159191040
    """
    if chats < 1:
        raise ValueError("There must be at least 1 chat.")
    one_chat_bytes = chat_bytes(preset, layers, kv_heads, head_dim, value_bits, context_tokens)
    return kv_cache.all_chats_bytes(one_chat_bytes, chats)


def weights_bytes(parameters: float | None, weight_bits: int) -> float:
    """Bytes of the weights; ValueError where the number of parameters is not given.

    >>> weights_bytes(8_200_000_000, 16)
    16400000000
    """
    if not parameters or parameters < 1:
        raise ValueError("Type in the number of parameters: this model's files do not give it.")
    return kv_cache.weights_bytes(parameters, kv_cache.bytes_per_value(weight_bits))


def gpu_bytes(gpu: str) -> int:
    """Bytes of memory that a card reports.

    >>> gpu_bytes("a100-80gb")
    85899345920
    """
    reported_mib = presets.gpu(gpu).reported_mib
    return reported_mib * kv_cache.MIB_BYTES


def free_bytes(gpu: str, parameters: float | None, weight_bits: int) -> float:
    """Bytes that the weights leave on a card; ValueError where they do not fit at all.

    >>> free_bytes("l40s", 8_200_000_000, 16)
    31905799168
    """
    weights = weights_bytes(parameters, weight_bits)
    if weights > gpu_bytes(gpu):
        raise ValueError(
            f"The weights need {weights / kv_cache.GIB_BYTES:.1f} GiB and do not fit on this card, "
            f"which reports {gpu_bytes(gpu) / kv_cache.GIB_BYTES:.1f} GiB."
        )
    return kv_cache.free_bytes(gpu_bytes(gpu), weights)


def chats_that_fit(
    preset: str,
    layers: int,
    kv_heads: int,
    head_dim: int,
    value_bits: int,
    context_tokens: int,
    gpu: str,
    parameters: float | None,
    weight_bits: int,
) -> int:
    """Whole chats of this length that fit in what the weights leave; an upper bound.

    >>> chats_that_fit("qwen3-8b", 36, 8, 128, 16, 40960, "l40s", 8_200_000_000, 16)
    5
    """
    one_chat_bytes = chat_bytes(preset, layers, kv_heads, head_dim, value_bits, context_tokens)
    weights = weights_bytes(parameters, weight_bits)
    return kv_cache.chats_that_fit(gpu_bytes(gpu), weights, one_chat_bytes)


def cache_line_rows(
    preset: str,
    layers: int,
    kv_heads: int,
    head_dim: int,
    value_bits: int,
    context_tokens: int,
) -> list[Row]:
    """Points of the chart: the cache of one chat from its start to `context_tokens`.

    >>> cache_line_rows("qwen3-8b", 36, 8, 128, 16, 40960)[-1]["chat_bytes"]
    6039797760
    """
    layout = edited_layout(preset, layers, kv_heads, head_dim, value_bits)
    lengths = {context_tokens * step // CHART_STEPS for step in range(CHART_STEPS + 1)}
    if layout.capped_layers and layout.window_tokens < context_tokens:
        lengths.add(layout.window_tokens)  # the line bends here
    return [
        {"tokens": tokens, "chat_bytes": cache_layout.chat_bytes(layout, tokens)}
        for tokens in sorted(lengths)
    ]


def layout_note(preset: str, layers: int) -> str:
    """One sentence on what the model's layers keep.

    >>> layout_note("qwen3-8b", 36)
    'Every layer keeps every token of the chat.'
    """
    layout = cache_layout.with_layers(presets.layout(preset), layers)
    kept = f"keep only the newest {layout.window_tokens:,} tokens"
    notes = {
        "full": "Every layer keeps every token of the chat.",
        "latent": "Every layer keeps one compressed vector per token instead of keys and values: "
        "KV heads and the factor 2 play no part.",
        "capped": f"All {layout.layers} layers {kept}, so the cache stops growing there, if the "
        "program overwrites old tokens.",
        "mixed": f"{layout.capped_layers} of {layout.layers} layers {kept}, if the program "
        f"overwrites old ones; {layout.full_layers} go on growing.",
        "hybrid": f"{layout.full_layers} of {layout.layers} layers grow with the chat; the other "
        f"{layout.state_layers} keep notes of a fixed size, which are not counted here.",
    }
    return notes[layout.kind]


def length_note(preset: str, context_tokens: int) -> str:
    """Whether the model takes a chat of this length.

    >>> length_note("qwen3-8b", 131072)
    'Qwen3-8B takes at most 40,960 tokens; this chat would be too long for it.'
    """
    model = presets.preset(preset)
    if context_tokens <= model.longest_tokens:
        return f"{model.name} takes up to {model.longest_tokens:,} tokens."
    return (
        f"{model.name} takes at most {model.longest_tokens:,} tokens; "
        "this chat would be too long for it."
    )
