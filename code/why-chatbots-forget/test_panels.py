"""The calculator's two panels: start values, presets, edits, and sentences for bad input."""

import pytest

import cache_layout
import cache_panel
import history_panel
import model_table
import presets

QWEN3_8B = ("qwen3-8b", 36, 8, 128, 16)
WEIGHTS = (8_200_000_000, 16)
GIB = 1024**3


def test_start_values_of_the_memory_panel() -> None:
    assert cache_panel.bytes_per_token(*QWEN3_8B) == 147_456
    assert cache_panel.chat_bytes(*QWEN3_8B, 40_960) == 5.625 * GIB
    assert cache_panel.all_chats_bytes(*QWEN3_8B, 40_960, chats=4) == 22.5 * GIB
    assert cache_panel.weights_bytes(*WEIGHTS) == 16_400_000_000
    assert cache_panel.chats_that_fit(*QWEN3_8B, 40_960, "l40s", *WEIGHTS) == 5


def test_start_values_of_the_history_panel() -> None:
    assert [row["tokens"] for row in history_panel.case_rows(10, 50, 450)] == [5_000, 3_500, 1_000]
    assert [row["last_reply_tokens"] for row in history_panel.case_rows(10, 50, 450)] == [
        950,
        450,
        100,
    ]


def test_editing_kv_heads_of_a_preset() -> None:
    assert cache_panel.bytes_per_token("qwen3-8b", 36, 32, 128, 16) == 589_824


@pytest.mark.parametrize("preset_id", presets.presets())
def test_choosing_a_preset_gives_its_own_numbers(preset_id: str) -> None:
    fields = presets.field_values(preset_id)
    assert fields.items() <= cache_panel.preset_inputs(preset_id).items()
    if preset_id == "gemma-4-26b-a4b":
        with pytest.raises(ValueError, match="The formula does not hold here"):
            cache_panel.bytes_per_token(preset_id, **fields, value_bits=16)
        return
    layout = presets.layout(preset_id)
    tokens = presets.preset(preset_id).longest_tokens
    token_bytes = cache_panel.bytes_per_token(preset_id, **fields, value_bits=16)
    assert token_bytes == cache_layout.bytes_per_token_while_growing(layout)
    chat_bytes = cache_panel.chat_bytes(preset_id, **fields, value_bits=16, context_tokens=tokens)
    assert chat_bytes == cache_layout.chat_bytes(layout, tokens)
    points = cache_panel.cache_line_rows(preset_id, **fields, value_bits=16, context_tokens=tokens)
    assert points[-1] == {"tokens": tokens, "chat_bytes": chat_bytes}


@pytest.mark.parametrize("preset_id", [row["id"] for row in model_table.layout_rows()])
def test_only_a_model_with_capped_layers_has_a_cap(preset_id: str) -> None:
    fields = presets.field_values(preset_id)
    if cache_panel.has_cap(preset_id):
        found_bytes = cache_panel.cap_bytes(preset_id, **fields, value_bits=16)
        assert found_bytes == cache_layout.cap_bytes(presets.layout(preset_id)) > 0
    else:
        with pytest.raises(ValueError, match="is capped"):
            cache_panel.cap_bytes(preset_id, **fields, value_bits=16)


def test_notes_say_what_the_layers_keep() -> None:
    assert cache_panel.layout_note("gemma-3-27b", 62) == (
        "52 of 62 layers keep only the newest 1,024 tokens, if the program overwrites old ones; "
        "10 go on growing."
    )
    assert cache_panel.layout_note("mistral-7b-v0.1", 32).startswith(
        "All 32 layers keep only the newest 4,096 tokens"
    )
    assert "48 keep notes of a fixed size" in cache_panel.layout_note("qwen3.5-27b", 64)
    assert "one compressed vector" in cache_panel.layout_note("deepseek-v3", 61)
    assert cache_panel.length_note("qwen3-8b", 40_960) == "Qwen3-8B takes up to 40,960 tokens."


def test_an_input_that_plays_no_part_is_refused_and_not_ignored() -> None:
    with pytest.raises(ValueError, match="leave KV heads at 1 and head size at 576"):
        cache_panel.bytes_per_token("deepseek-v3", 61, 128, 576, 16)


def test_unknown_parameters_must_be_typed_in() -> None:
    assert "parameters" not in cache_panel.preset_inputs("gpt-oss-20b")
    with pytest.raises(ValueError, match="Type in the number of parameters"):
        cache_panel.weights_bytes(None, 16)


REPORTED_BYTES = {
    "rtx-4060": 8_585_740_288,
    "rtx-4090": 25_757_220_864,
    "rtx-5090": 34_190_917_632,
    "t4": 16_106_127_360,
    "l4": 24_152_899_584,
    "a10": 24_146_608_128,
    "l40s": 48_305_799_168,
    "a100-40gb": 42_949_672_960,
    "a100-80gb": 85_899_345_920,
    "rtx-pro-6000": 102_641_958_912,
    "h100-80gb": 85_520_809_984,
    "h200": 150_754_820_096,
    "b200": 192_265_846_784,
    "b300": 288_400_343_040,
    "mi300x": 206_141_652_992,
}


def test_a_card_has_the_bytes_that_it_reports() -> None:
    assert {row["id"]: row["gpu_bytes"] for row in cache_panel.gpu_rows()} == REPORTED_BYTES


def test_weights_larger_than_the_card() -> None:
    with pytest.raises(ValueError, match=r"need 15.3 GiB and do not fit on this card.* 15.0 GiB"):
        cache_panel.free_bytes("t4", *WEIGHTS)
    assert cache_panel.chats_that_fit(*QWEN3_8B, 40_960, "t4", *WEIGHTS) == 0


@pytest.mark.parametrize("bad", [(0, 8, 128, 16), (36, 0, 128, 16), (36, 8, 0, 16)])
def test_nothing_of_nothing_is_refused(bad: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        cache_panel.bytes_per_token("qwen3-8b", *bad)
    with pytest.raises(ValueError, match="at least 1 token"):
        cache_panel.chat_bytes(*QWEN3_8B, 0)
    with pytest.raises(ValueError, match="at least 1 chat"):
        cache_panel.all_chats_bytes(*QWEN3_8B, 40_960, chats=0)
    with pytest.raises(ValueError, match="at least 1 reply"):
        history_panel.reread_rows(0, 50, 450)


def test_the_strip_keeps_what_the_window_keeps() -> None:
    strip = history_panel.strip_rows(10, 50, 450)
    assert len(strip) == 19
    assert [row["message"] for row in strip if row["kept"]] == list(range(11, 20))
    assert all(row["kept"] for row in history_panel.strip_rows(5, 50, 450))
    with pytest.raises(ValueError, match="A window of 40 tokens cannot hold one message of 50"):
        history_panel.strip_rows(10, 50, 40)


@pytest.mark.parametrize("window_tokens", range(50, 1_000, 50))
def test_strip_rows_and_note_tell_the_same_story(window_tokens: int) -> None:
    for replies in range(1, 13):
        strip = history_panel.strip_rows(replies, 50, window_tokens)
        row = history_panel.reread_rows(replies, 50, window_tokens)[-1]
        note = history_panel.message_1_note(replies, 50, window_tokens)
        assert sum(bool(message["kept"]) for message in strip) == row["window_messages"]
        assert strip[0]["kept"] == note.startswith("Message 1 is still sent")
