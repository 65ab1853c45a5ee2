"""Published settings: every preset against its known numbers, and files that need a rule."""

from typing import Any

import pytest

import cache_layout
import kv_cache
import model_config
import model_table
import presets
from model_config import LayoutError, read_layout

GIB = 1024**3
MIB = 1024**2

# Model, bytes per token while growing, cap in bytes, a length in tokens, the cache at that length.
KNOWN = [
    ("qwen3-8b", 147_456, 0, 40_960, 5.625 * GIB),
    ("qwen3-0.6b", 114_688, 0, 40_960, 4.375 * GIB),
    ("qwen3-30b-a3b", 98_304, 0, 40_960, 3.75 * GIB),
    ("llama-3.1-8b", 131_072, 0, 131_072, 16 * GIB),
    ("llama-3.1-70b", 327_680, 0, 131_072, 40 * GIB),
    ("llama-2-7b", 524_288, 0, 4_096, 2 * GIB),
    ("mistral-7b-v0.1", 131_072, 536_870_912, 32_768, 512 * MIB),
    ("mixtral-8x7b", 131_072, 0, 32_768, 4 * GIB),
    ("gemma-2-9b", 172_032, 704_643_072, 8_192, 1.96875 * GIB),
    ("gemma-3-27b", 81_920, 436_207_616, 131_072, 10 * GIB + 436_207_616),
    ("gemma-3-4b", 20_480, 121_634_816, 131_072, 2.5 * GIB + 121_634_816),
    ("phi-3-mini-4k", 393_216, 804_913_152, 4_096, 804_913_152),
    ("phi-4", 204_800, 0, 16_384, 3.125 * GIB),
    ("qwen2.5-7b", 57_344, 0, 131_072, 7 * GIB),
    ("gpt-oss-20b", 24_576, 3_145_728, 131_072, 3 * GIB + 3_145_728),
    ("gpt-oss-120b", 36_864, 4_718_592, 131_072, 4.5 * GIB + 4_718_592),
    ("deepseek-v3", 70_272, 0, 131_072, 9_210_691_584),
    ("deepseek-v2-lite", 31_104, 0, 131_072, 4_076_863_488),
    ("falcon-7b", 8_192, 0, 2_048, 16 * MIB),
    ("smollm2-1.7b", 196_608, 0, 8_192, 1.5 * GIB),
    ("smollm2-135m", 23_040, 0, 8_192, 180 * MIB),
    ("qwen3.5-27b", 65_536, 0, 262_144, 16 * GIB),
]

# What the simple formula makes of the file, where that is not the truth.
NAIVE = {
    "gemma-2-9b": 344_064,
    "gemma-3-27b": 507_904,
    "gemma-3-4b": 139_264,
    "gpt-oss-20b": 49_152,
    "gpt-oss-120b": 73_728,
    "deepseek-v3": 1_748_992,
    "qwen3.5-27b": 262_144,
}

LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "hidden_size": 32,
    "torch_dtype": "float16",
}


@pytest.mark.parametrize(("preset_id", "growing", "cap", "tokens", "chat"), KNOWN)
def test_preset(preset_id: str, growing: int, cap: int, tokens: int, chat: float) -> None:
    layout = presets.layout(preset_id)
    assert cache_layout.bytes_per_token_while_growing(layout) == growing
    assert cache_layout.cap_bytes(layout) == cap
    assert presets.preset(preset_id).longest_tokens == tokens
    assert cache_layout.chat_bytes(layout, tokens) == chat


def test_every_preset_and_every_file_is_tested_here() -> None:
    refused = {row["id"] for row in model_table.refused_rows()}
    assert {row[0] for row in KNOWN} | refused == set(presets.presets())
    files = {path.stem for path in (presets.FOLDER / "models").glob("*.json")}
    assert files == set(presets.presets())


@pytest.mark.parametrize(("preset_id", "naive_bytes"), NAIVE.items())
def test_the_simple_formula_is_wrong_here(preset_id: str, naive_bytes: int) -> None:
    assert model_config.naive_bytes_per_token(presets.config(preset_id)) == naive_bytes


def test_gemma_4_is_refused_with_the_reason_and_both_answers() -> None:
    with pytest.raises(LayoutError) as error:
        presets.layout("gemma-4-26b-a4b")
    assert str(error.value) == (
        "The formula does not hold here: its full layers have another number of KV heads; its "
        "full layers have another head size; it may store keys and values as one, which depends "
        "on the program. Its capped layers keep at most 209,715,200 bytes; its full layers add "
        "10,240 or 20,480 bytes per token, depending on the program."
    )


@pytest.mark.parametrize("preset_id", ["gpt-oss-20b", "gpt-oss-120b", "deepseek-v2-lite"])
def test_a_file_without_a_type_needs_one_to_assume(preset_id: str) -> None:
    with pytest.raises(LayoutError, match="names no type for its values"):
        read_layout(presets.config(preset_id))
    assert presets.preset(preset_id).assumed_dtype_because
    assert read_layout(presets.config(preset_id), assumed_dtype="float32").bytes_per_value == 4


def test_a_type_in_the_file_beats_the_assumed_one() -> None:
    assert read_layout(LLAMA, assumed_dtype="float32").bytes_per_value == 2
    assert read_layout({**LLAMA, "dtype": "float32"}).bytes_per_value == 4


def test_missing_kv_heads_and_head_size_follow_from_the_others() -> None:
    layout = read_layout(LLAMA)
    assert (layout.kv_heads, layout.head_dim, layout.full_layers) == (4, 8, 2)
    assert read_layout({**LLAMA, "num_key_value_heads": None, "head_dim": None}) == layout


def test_falcon_under_old_names_and_in_a_re_saved_file() -> None:
    old = {
        "n_layer": 32,
        "n_head": 71,
        "hidden_size": 4_544,
        "multi_query": True,
        "torch_dtype": "bfloat16",
    }
    re_saved = {**presets.config("falcon-7b"), "num_kv_heads": 71}
    for config in (old, re_saved):
        assert cache_layout.bytes_per_token_while_growing(read_layout(config)) == 8_192
    assert model_config.naive_bytes_per_token(re_saved) == 581_632 == 71 * 8_192
    new_design = {**re_saved, "new_decoder_architecture": True, "num_kv_heads": 8}
    assert read_layout(new_design).kv_heads == 8


def test_a_window_that_is_off_or_never_cuts_caps_nothing() -> None:
    off = {**LLAMA, "sliding_window": 1_024, "use_sliding_window": False}
    too_long = {**LLAMA, "sliding_window": 4_096, "max_position_embeddings": 4_096}
    assert read_layout(off).capped_layers == read_layout(too_long).capped_layers == 0
    re_saved_phi_4 = {**presets.config("phi-4"), "sliding_window": 16_384}
    assert read_layout(re_saved_phi_4) == presets.layout("phi-4")


def test_which_layers_have_the_window_is_read_or_known_but_never_guessed() -> None:
    listed = {
        **LLAMA,
        "sliding_window": 8,
        "layer_types": ["full_attention", "sliding_attention"],
    }
    assert (read_layout(listed).full_layers, read_layout(listed).capped_layers) == (1, 1)
    pattern = {**LLAMA, "num_hidden_layers": 9, "sliding_window": 8, "sliding_window_pattern": 4}
    assert (read_layout(pattern).full_layers, read_layout(pattern).capped_layers) == (2, 7)
    family = {**pattern, "model_type": "gemma3_text", "sliding_window_pattern": None}
    assert (read_layout(family).full_layers, read_layout(family).capped_layers) == (1, 8)
    with pytest.raises(LayoutError, match="does not say in which layers"):
        read_layout({**LLAMA, "sliding_window": 8})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"layer_types": ["full_attention"]}, "lists 1 layer types for 2 layers"),
        ({"layer_types": ["full_attention", "conv"]}, "Layers of an unknown type: conv."),
        ({"torch_dtype": "int3"}, 'size of a value of type "int3" is not known'),
        ({"num_hidden_layers": None}, 'has no "num_hidden_layers"'),
        ({"hidden_size": None}, 'has no "hidden_size"'),
        ({"kv_lora_rank": 512}, 'has no "qk_rope_head_dim"'),
        ({"num_kv_shared_layers": 1}, "some of its layers share one cache"),
    ],
)
def test_what_no_rule_covers_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(LayoutError, match=says):
        read_layout({**LLAMA, **change})


def test_hybrid_layers_are_counted_from_a_list_or_an_interval() -> None:
    by_list = presets.layout("qwen3.5-27b")
    text = {**presets.config("qwen3.5-27b")["text_config"], "layer_types": None}
    assert read_layout({"text_config": text}) == by_list
    assert (by_list.full_layers, by_list.state_layers) == (16, 48)


def test_a_cache_can_be_as_large_as_the_weights() -> None:
    parameters = presets.preset("llama-3.1-8b").parameters
    assert parameters is not None
    weights = kv_cache.weights_bytes(parameters, 2)
    assert round(weights / GIB, 2) == 14.96
    assert cache_layout.chat_bytes(presets.layout("llama-3.1-8b"), 131_072) > weights


def test_tables_agree_with_the_layouts() -> None:
    rows = {row["id"]: row for row in model_table.layout_rows()}
    assert len(rows) == len(KNOWN)
    capped = {row["id"]: row for row in model_table.capped_rows()}
    assert capped["mistral-7b-v0.1"]["uncapped_bytes"] == 4 * GIB
    assert capped["gemma-2-9b"]["bytes_per_token_before_cap"] == NAIVE["gemma-2-9b"]
    assert {row["id"] for row in model_table.capped_rows()} == {k[0] for k in KNOWN if k[2]}
    assert rows["deepseek-v3"]["naive_bytes_per_token"] == NAIVE["deepseek-v3"]


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match='No model "qwen" here; there are qwen3-8b,'):
        presets.preset("qwen")
    with pytest.raises(ValueError, match='No card "abacus" here; there are rtx-4060,'):
        presets.gpu("abacus")
