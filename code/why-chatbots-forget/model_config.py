"""Read a model's published config.json into a `CacheLayout`, or say why that cannot be done.

Published files differ: values may sit under "text_config", old files use other names, and some
leave out the size of a head or the type of a value. Each rule below says where it comes from.
What no rule covers is refused: a calculator that guesses a layout gives a confident wrong number.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import kv_cache
from cache_layout import CacheLayout

Config = Mapping[str, Any]

# Bytes of one value by the name that config files use.
DTYPE_BYTES = {"bfloat16": 2, "float16": 2, "float32": 4, "float8_e4m3fn": 1}

# Names in old files, for instance the first ones of Falcon.
OLD_NAMES = {"n_layer": "num_hidden_layers", "n_head": "num_attention_heads"}

# Families whose files give a window but not the layers that have it. An interval of 2 means that
# every second layer is full, 6 every sixth, 0 none. Source: the makers' papers and model code:
# Mistral 7B (arXiv 2310.06825), Phi-3, Gemma 2 (arXiv 2408.00118), Gemma 3 (arXiv 2503.19786).
FULL_LAYER_INTERVALS = {"mistral": 0, "phi3": 0, "gemma2": 2, "gemma3_text": 6}

# Settings of layouts that no rule here covers, with the reason to refuse.
UNKNOWN_LAYOUTS = {
    "num_global_key_value_heads": "its full layers have another number of KV heads",
    "global_head_dim": "its full layers have another head size",
    "attention_k_eq_v": "it may store keys and values as one, which depends on the program",
    "num_kv_shared_layers": "some of its layers share one cache",
}

LAYER_KINDS = {
    "full_attention": "full_layers",
    "sliding_attention": "capped_layers",
    "linear_attention": "state_layers",
}


class LayoutError(ValueError):
    """A config whose cache cannot be computed; the message says why."""


def read_layout(config: Config, assumed_dtype: str | None = None) -> CacheLayout:
    """The layout that a published config describes.

    `assumed_dtype` counts only where the file names no type; without either, LayoutError.

    >>> read_layout({"num_hidden_layers": 36, "num_attention_heads": 32,
    ...              "num_key_value_heads": 8, "head_dim": 128, "torch_dtype": "bfloat16"}).kv_heads
    8
    """
    settings = flatten(config)
    refuse_unknown(settings)
    counts = layer_counts(settings)
    latent = bool(settings.get("kv_lora_rank"))
    return CacheLayout(
        full_layers=counts["full_layers"],
        capped_layers=counts["capped_layers"],
        state_layers=counts["state_layers"],
        kv_heads=kv_heads(settings),
        head_dim=head_dim(settings),
        bytes_per_value=value_bytes(settings, assumed_dtype),
        window_tokens=settings["sliding_window"] if counts["capped_layers"] else 0,
        kv_lora_rank=settings["kv_lora_rank"] if latent else 0,
        qk_rope_head_dim=required(settings, "qk_rope_head_dim") if latent else 0,
        max_tokens=settings.get("max_position_embeddings"),
    )


def flatten(config: Config) -> dict[str, Any]:
    """The settings of the text part, under today's names.

    >>> flatten({"dtype": "bfloat16", "text_config": {"n_layer": 2}})
    {'dtype': 'bfloat16', 'num_hidden_layers': 2}
    """
    text = config.get("text_config") or {}
    merged = {**{key: value for key, value in config.items() if key != "text_config"}, **text}
    return {OLD_NAMES.get(key, key): value for key, value in merged.items()}


def refuse_unknown(settings: Config) -> None:
    """LayoutError where the file has a setting that changes the layout in an unknown way."""
    reasons = [why for name, why in UNKNOWN_LAYOUTS.items() if settings.get(name)]
    if reasons:
        bounds = _bounds(settings) if "num_global_key_value_heads" in settings else ""
        raise LayoutError(f"The formula does not hold here: {'; '.join(reasons)}.{bounds}")


def required(settings: Config, name: str) -> int:
    """A setting that must be there, LayoutError if not."""
    if settings.get(name) is None:
        raise LayoutError(f'The config has no "{name}".')
    value: int = settings[name]
    return value


def head_dim(settings: Config) -> int:
    """Values in one head: as written, else the hidden size shared out among the heads.

    >>> head_dim({"head_dim": 64, "hidden_size": 2880, "num_attention_heads": 64})
    64
    >>> head_dim({"hidden_size": 4096, "num_attention_heads": 32})
    128
    """
    if settings.get("head_dim") is not None:
        return int(settings["head_dim"])
    if settings.get("kv_lora_rank"):
        return 0  # latent attention: no head is cached
    return required(settings, "hidden_size") // required(settings, "num_attention_heads")


def kv_heads(settings: Config) -> int:
    """Heads that keys and values are kept for.

    Falcon 7B keeps one for all 71 heads and says so by "multi_query"; the 71 under
    "num_kv_heads" in its re-saved files is not used.

    >>> kv_heads({"num_attention_heads": 71, "num_kv_heads": 71, "multi_query": True})
    1
    """
    if settings.get("num_key_value_heads") is not None:
        return int(settings["num_key_value_heads"])
    if settings.get("new_decoder_architecture"):
        return required(settings, "num_kv_heads")
    if settings.get("multi_query"):
        return 1
    return required(settings, "num_attention_heads")


def value_bytes(settings: Config, assumed_dtype: str | None = None) -> int:
    """Bytes of one value: new files say "dtype", older ones "torch_dtype", some neither.

    >>> value_bytes({"torch_dtype": "bfloat16"}), value_bytes({}, assumed_dtype="float32")
    (2, 4)
    """
    dtype = settings.get("dtype") or settings.get("torch_dtype") or assumed_dtype
    if dtype is None:
        raise LayoutError("The config names no type for its values; say which one to assume.")
    if dtype not in DTYPE_BYTES:
        raise LayoutError(f'The size of a value of type "{dtype}" is not known here.')
    return DTYPE_BYTES[dtype]


def layer_counts(settings: Config) -> dict[str, int]:
    """How many layers are full, capped and state layers.

    >>> layer_counts({"model_type": "gemma2", "num_hidden_layers": 42, "sliding_window": 4096})
    {'full_layers': 21, 'capped_layers': 21, 'state_layers': 0}
    """
    layers = required(settings, "num_hidden_layers")
    if settings.get("layer_types"):
        return _listed_counts(settings["layer_types"], layers)
    if settings.get("full_attention_interval"):
        full_layers = layers // int(settings["full_attention_interval"])
        return _counts(full_layers, state_layers=layers - full_layers)
    if not window_cuts(settings):
        return _counts(layers)
    interval = full_layer_interval(settings)
    full_layers = layers // interval if interval else 0
    return _counts(full_layers, capped_layers=layers - full_layers)


def window_cuts(settings: Config) -> bool:
    """Whether a sliding window is on and shorter than the longest chat.

    Qwen2.5 gives a window and switches it off; re-saved Phi-4 has one as long as its maximum.

    >>> window_cuts({"sliding_window": 131072, "use_sliding_window": False})
    False
    >>> window_cuts({"sliding_window": 16384, "max_position_embeddings": 16384})
    False
    """
    window_tokens = settings.get("sliding_window")
    if window_tokens is None or settings.get("use_sliding_window") is False:
        return False
    max_tokens = settings.get("max_position_embeddings")
    return max_tokens is None or window_tokens < max_tokens


def full_layer_interval(settings: Config) -> int:
    """Every how many layers one is full where the others have a window; 0 if none is."""
    if settings.get("sliding_window_pattern"):
        return int(settings["sliding_window_pattern"])
    model_type = settings.get("model_type")
    if model_type not in FULL_LAYER_INTERVALS:
        raise LayoutError("The config has a sliding window but does not say in which layers.")
    return FULL_LAYER_INTERVALS[model_type]


def naive_bytes_per_token(config: Config, bytes_per_value: float = 2) -> float:
    """What the simple formula says if it is fed the file as it stands: often wrong.

    DeepSeek-V3 keeps 70,272 bytes a token; its file makes the simple formula say this:

    >>> naive_bytes_per_token({"num_hidden_layers": 61, "num_attention_heads": 128,
    ...                        "num_key_value_heads": 128, "hidden_size": 7168})
    1748992
    """
    settings = flatten(config)
    heads = settings["num_attention_heads"]
    kv_heads = settings.get("num_key_value_heads") or heads
    head_dim = settings.get("head_dim") or settings["hidden_size"] // heads
    return kv_cache.bytes_per_token(
        settings["num_hidden_layers"], kv_heads, head_dim, bytes_per_value
    )


def _bounds(settings: Config) -> str:
    """What can be said of a design like Gemma 4's, with two kinds of heads, at two bytes a value.

    Its full layers store one or two tensors per token, depending on the program.
    """
    counts = layer_counts(settings)
    capped_bytes = settings["sliding_window"] * kv_cache.bytes_per_token(
        counts["capped_layers"], kv_heads(settings), head_dim(settings), 2
    )
    both_bytes = kv_cache.bytes_per_token(
        counts["full_layers"],
        settings["num_global_key_value_heads"],
        required(settings, "global_head_dim"),
        2,
    )
    return (
        f" Its capped layers keep at most {capped_bytes:,} bytes; its full layers add "
        f"{both_bytes // 2:,} or {both_bytes:,} bytes per token, depending on the program."
    )


def _counts(full_layers: int, capped_layers: int = 0, state_layers: int = 0) -> dict[str, int]:
    return {
        "full_layers": full_layers,
        "capped_layers": capped_layers,
        "state_layers": state_layers,
    }


def _listed_counts(layer_types: list[str], layers: int) -> dict[str, int]:
    if len(layer_types) != layers:
        raise LayoutError(f"The config lists {len(layer_types)} layer types for {layers} layers.")
    if unknown := sorted(set(layer_types) - set(LAYER_KINDS)):
        raise LayoutError(f"Layers of an unknown type: {', '.join(unknown)}.")
    found = Counter(LAYER_KINDS[layer_type] for layer_type in layer_types)
    return _counts(found["full_layers"], found["capped_layers"], found["state_layers"])
