"""Tables over all presets: what a token costs in each design, and which designs are refused."""

from typing import Any

import cache_layout
import model_config
import presets

Row = dict[str, Any]


def layout_rows() -> list[Row]:
    """One row per model whose cache can be computed, cheapest token first.

    Keys: id, model, kind, layers, full_layers, bytes_per_token_while_growing,
    naive_bytes_per_token (the simple formula on the file as it stands), naive_times (how many
    times that is the truth), longest_tokens, chat_bytes (at that length).

    >>> [row["model"] for row in layout_rows()][:2]
    ['Falcon 7B', 'Gemma 3 4B']
    """
    rows = [_layout_row(preset_id) for preset_id in presets.presets() if _is_computable(preset_id)]
    return sorted(rows, key=lambda row: (row["bytes_per_token_while_growing"], row["model"]))


def capped_rows() -> list[Row]:
    """One row per model with capped layers.

    Keys: id, model, window_tokens, capped_layers, full_layers, bytes_per_token_before_cap,
    bytes_per_token_after_cap, bytes_per_token_while_growing, cap_bytes, longest_tokens,
    chat_bytes, uncapped_bytes (if all layers kept everything).

    >>> [row["cap_bytes"] for row in capped_rows() if row["id"] == "gemma-2-9b"]
    [704643072]
    """
    return [
        _capped_row(preset_id)
        for preset_id in presets.presets()
        if _is_computable(preset_id) and presets.layout(preset_id).capped_layers
    ]


def refused_rows() -> list[Row]:
    """One row per model that is refused: id, model, reason.

    >>> [row["model"] for row in refused_rows()]
    ['Gemma 4 26B-A4B']
    """
    return [
        {
            "id": preset_id,
            "model": presets.preset(preset_id).name,
            "reason": refusal(preset_id),
        }
        for preset_id in presets.presets()
        if not _is_computable(preset_id)
    ]


def refusal(preset_id: str) -> str:
    """Why a model's cache is not computed; empty if it is."""
    try:
        presets.layout(preset_id)
    except model_config.LayoutError as error:
        return str(error)
    return ""


def _is_computable(preset_id: str) -> bool:
    return not refusal(preset_id)


def _layout_row(preset_id: str) -> Row:
    model, layout = presets.preset(preset_id), presets.layout(preset_id)
    growing_bytes = cache_layout.bytes_per_token_while_growing(layout)
    naive_bytes = model_config.naive_bytes_per_token(
        presets.config(preset_id), layout.bytes_per_value
    )
    return {
        "id": preset_id,
        "model": model.name,
        "kind": layout.kind,
        "layers": layout.layers,
        "full_layers": layout.full_layers,
        "bytes_per_token_while_growing": growing_bytes,
        "naive_bytes_per_token": naive_bytes,
        "naive_times": naive_bytes / growing_bytes,
        "longest_tokens": model.longest_tokens,
        "chat_bytes": cache_layout.chat_bytes(layout, model.longest_tokens),
    }


def _capped_row(preset_id: str) -> Row:
    model, layout = presets.preset(preset_id), presets.layout(preset_id)
    after_bytes = cache_layout.full_layers_bytes_per_token(layout)
    before_bytes = after_bytes + cache_layout.capped_layers_bytes_per_token(layout)
    return {
        "id": preset_id,
        "model": model.name,
        "window_tokens": layout.window_tokens,
        "capped_layers": layout.capped_layers,
        "full_layers": layout.full_layers,
        "bytes_per_token_before_cap": before_bytes,
        "bytes_per_token_after_cap": after_bytes,
        "bytes_per_token_while_growing": cache_layout.bytes_per_token_while_growing(layout),
        "cap_bytes": cache_layout.cap_bytes(layout),
        "longest_tokens": model.longest_tokens,
        "chat_bytes": cache_layout.chat_bytes(layout, model.longest_tokens),
        "uncapped_bytes": before_bytes * model.longest_tokens,
    }
