"""The models and GPUs that the calculator offers, read from the JSON files beside this module.

`models/<id>.json` holds the settings of a published config.json that matter here, in their own
form. `presets.json` adds what the configs do not say, and `gpus.json` the memory that a card
itself reports, which is not what its box says. Sources: the makers' files and tools, seen by
2026-12-01.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cache_layout import CacheLayout
from model_config import flatten, head_dim, kv_heads, read_layout

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Preset:
    """A model by its published settings.

    `parameters` is None where the exact count is not known; `parameters_from` then says what is.
    `longest_tokens` is the longest chat that the model is said to take.
    """

    id: str
    name: str
    source: str
    parameters: int | None
    parameters_from: str
    assumed_dtype: str | None
    assumed_dtype_because: str | None
    longest_tokens: int
    longest_tokens_from: str


@dataclass(frozen=True)
class Gpu:
    """A graphics card; `reported_mib` is the total that its own tool reports, in MiB."""

    id: str
    name: str
    label: str
    reported_mib: int
    source: str


@cache
def presets() -> Mapping[str, Preset]:
    """All models by their id, in the order of the file."""
    return {entry["id"]: Preset(**entry) for entry in _read_json("presets.json")}


@cache
def gpus() -> Mapping[str, Gpu]:
    """All cards by their id, in the order of the file."""
    return {entry["id"]: Gpu(**entry) for entry in _read_json("gpus.json")}


def preset(preset_id: str) -> Preset:
    """The model with this id; ValueError if there is none.

    >>> preset("qwen3-8b").parameters
    8190735360
    """
    if preset_id not in presets():
        raise ValueError(f'No model "{preset_id}" here; there are {", ".join(presets())}.')
    return presets()[preset_id]


def gpu(gpu_id: str) -> Gpu:
    """The card with this id; ValueError if there is none.

    >>> gpu("l40s").reported_mib
    46068
    """
    if gpu_id not in gpus():
        raise ValueError(f'No card "{gpu_id}" here; there are {", ".join(gpus())}.')
    return gpus()[gpu_id]


@cache
def config(preset_id: str) -> Mapping[str, Any]:
    """The published settings of a model, as they stand in its file."""
    settings: Mapping[str, Any] = _read_json(f"models/{preset(preset_id).id}.json")
    return settings


@cache
def layout(preset_id: str) -> CacheLayout:
    """The cache layout of a model; LayoutError with the reason if it cannot be computed.

    >>> layout("qwen3-8b").layers
    36
    """
    return read_layout(config(preset_id), preset(preset_id).assumed_dtype)


def field_values(preset_id: str) -> dict[str, int]:
    """Layers, KV heads and head size of a model, also of one whose layout is refused.

    Latent attention keeps one vector for all heads of a layer, so that is one head of its size.

    >>> field_values("deepseek-v3")
    {'layers': 61, 'kv_heads': 1, 'head_dim': 576}
    """
    settings = flatten(config(preset_id))
    if settings.get("kv_lora_rank"):
        heads, size = 1, settings["kv_lora_rank"] + settings["qk_rope_head_dim"]
    else:
        heads, size = kv_heads(settings), head_dim(settings)
    return {"layers": settings["num_hidden_layers"], "kv_heads": heads, "head_dim": size}


def _read_json(path: str) -> Any:
    return json.loads((FOLDER / path).read_text(encoding="utf-8"))
