"""The memory formulas, against values worked out by hand."""

import pytest

import kv_cache
import measured
import presets
from parameters import model_parameters

QWEN3_8B = {"layers": 36, "kv_heads": 8, "head_dim": 128, "bytes_per_value": 2}
GIB = 1024**3


def test_one_token_of_qwen3_8b_takes_144_kib() -> None:
    one_token_bytes = kv_cache.bytes_per_token(**QWEN3_8B)
    assert one_token_bytes == 147_456 == 144 * kv_cache.KIB_BYTES


@pytest.mark.parametrize(
    ("tokens", "expected_bytes", "in_gib"),
    [
        (1_000, 147_456_000, 140.625 / 1024),
        (4_096, 603_979_776, 576 / 1024),
        (32_768, 4_831_838_208, 4.5),
        (40_960, 6_039_797_760, 5.625),
    ],
)
def test_cache_grows_in_step_with_the_chat(tokens: int, expected_bytes: int, in_gib: float) -> None:
    found_bytes = kv_cache.cache_bytes(147_456, tokens)
    assert found_bytes == expected_bytes
    assert found_bytes / GIB == in_gib


def test_chats_multiply_the_cache() -> None:
    assert kv_cache.all_chats_bytes(603_979_776, 3) == 1_811_939_328


def test_guard_the_heads_that_count_are_the_kv_heads() -> None:
    """Attention heads in the place of KV heads would give four times too much."""
    settings = presets.config("qwen3-8b")
    wrong_bytes = kv_cache.bytes_per_token(36, settings["num_attention_heads"], 128, 2)
    assert wrong_bytes == 589_824
    assert kv_cache.cache_bytes(wrong_bytes, 40_960) == 22.5 * GIB
    layout = presets.layout("qwen3-8b")
    right_bytes = kv_cache.bytes_per_token(36, layout.kv_heads, layout.head_dim, 2)
    assert right_bytes == 147_456 == wrong_bytes // 4


def test_fewer_bits_make_the_cache_smaller_in_step() -> None:
    sizes = [
        kv_cache.bytes_per_token(36, 8, 128, kv_cache.bytes_per_value(bits)) for bits in (16, 8, 4)
    ]
    assert sizes == [147_456, 73_728, 36_864]


def test_real_8_and_4_bit_caches_also_store_a_scale_per_block() -> None:
    assert 32 * kv_cache.block_bytes_per_value(8) == 34
    assert 32 * kv_cache.block_bytes_per_value(4) == 18


def test_a_value_type_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="16, 8 or 4 bits here, not 3"):
        kv_cache.bytes_per_value(3)


def test_weights_of_qwen3_8b() -> None:
    assert kv_cache.weights_bytes(8_200_000_000, 2) == 16_400_000_000
    assert kv_cache.weights_bytes(8_190_735_360, 2) == 16_381_470_720
    assert round(16_381_470_720 / GIB, 2) == 15.26


def test_chats_that_fit_is_a_floor_and_never_negative() -> None:
    gpu_bytes = 46_068 * kv_cache.MIB_BYTES
    assert kv_cache.chats_that_fit(gpu_bytes, 16_400_000_000, 6_039_797_760) == 5
    exactly_two = 16_400_000_000 + 2 * 6_039_797_760
    assert kv_cache.chats_that_fit(exactly_two, 16_400_000_000, 6_039_797_760) == 2
    assert kv_cache.chats_that_fit(exactly_two - 1, 16_400_000_000, 6_039_797_760) == 1
    assert kv_cache.chats_that_fit(8 * GIB, 16_400_000_000, 6_039_797_760) == 0


def test_latent_attention_has_no_factor_two_and_no_heads() -> None:
    assert kv_cache.latent_bytes_per_token(61, 512, 64, 2) == 70_272


def test_a_capped_cache_stops_growing_at_its_window() -> None:
    sizes = [kv_cache.capped_cache_bytes(131_072, 4_096, n) for n in (4_095, 4_096, 4_097, 32_768)]
    assert sizes == [536_739_840, 536_870_912, 536_870_912, 536_870_912]


def test_the_measured_slope_confirms_the_formula() -> None:
    slope = measured.slope_bytes_per_token(measured.QWEN3_8B_MEMORY_ROWS)
    assert slope == kv_cache.bytes_per_token(**QWEN3_8B)


# The settings that the JSON files do not say: norms of heads (Qwen3), biases (Qwen2.5).
@pytest.mark.parametrize(
    ("preset_id", "extras"),
    [
        ("qwen3-8b", {"norms_of_heads": True}),
        ("qwen3-0.6b", {"norms_of_heads": True}),
        ("qwen2.5-7b", {"biases_of_qkv": True}),
        ("llama-3.1-8b", {}),
        ("llama-3.1-70b", {}),
        ("llama-2-7b", {}),
        ("mistral-7b-v0.1", {}),
        ("phi-3-mini-4k", {}),
        ("phi-4", {}),
        ("smollm2-1.7b", {}),
        ("smollm2-135m", {}),
    ],
)
def test_parameters_follow_from_the_config(preset_id: str, extras: dict[str, bool]) -> None:
    settings, layout = presets.config(preset_id), presets.layout(preset_id)
    counted = model_parameters(
        settings["num_hidden_layers"],
        settings["hidden_size"],
        settings["num_attention_heads"],
        layout.kv_heads,
        layout.head_dim,
        settings["intermediate_size"],
        settings["vocab_size"],
        one_embedding=settings["tie_word_embeddings"],
        **extras,
    )
    assert counted == presets.preset(preset_id).parameters
