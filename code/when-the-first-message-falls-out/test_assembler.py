"""The request assembler by hand: what is kept, and each loud case to the letter."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import pytest

from assembler import Assembler, InputBudget, MandatoryPartError
from chat_messages import (
    ASSISTANT,
    TOOL,
    USER,
    ChatMessage,
    HistoryError,
    Render,
    ToolCall,
    turn_groups,
)
from chat_templates import TEMPLATES, chat_template
from template_tokens import template_tokens

RENDER = {name: chat_template(source) for name, source in TEMPLATES.items()}
RAIN = {
    "name": "rain",
    "description": "Rain of a day in millimetres.",
    "parameters": {"type": "object", "properties": {"day": {"type": "string"}}},
}


def by_hand(window: int, render: Render, **more: object) -> Assembler:
    return Assembler(InputBudget(window, 0), render, template_tokens, "Be brief.", **more)  # type: ignore[arg-type]


CHAT = [
    ChatMessage(USER, "Rain?"),
    ChatMessage(ASSISTANT, "", calls=(ToolCall("a", "rain"), ToolCall("b", "rain"))),
    ChatMessage(TOOL, "3 mm", call_id="b"),
    ChatMessage(TOOL, "dry", call_id="a"),
    ChatMessage(ASSISTANT, "A little."),
]
NOW = [ChatMessage(USER, "And now?")]


@pytest.mark.parametrize("name", RENDER)
def test_a_call_goes_with_all_its_results(name: str) -> None:
    whole = by_hand(10_000, RENDER[name]).assemble(CHAT, NOW)
    made = by_hand(whole.input_tokens - 1, RENDER[name]).assemble(CHAT, NOW)
    assert [len(group) for group in made.dropped] == [1]
    assert made.oldest_turn_kept == 1
    without_question = made.input_tokens
    made = by_hand(without_question - 1, RENDER[name]).assemble(CHAT, NOW)
    assert [len(group) for group in made.dropped] == [1, 3]
    assert [message.content for message in made.messages[1:]] == ["A little.", "And now?"]


def test_whole_turns_leave_no_reply_without_its_question() -> None:
    assembler = by_hand(10_000, RENDER["headers"], groups_of=turn_groups)
    whole = assembler.assemble(CHAT, NOW)
    tight = replace(assembler, budget=InputBudget(whole.input_tokens - 1, 0))
    made = tight.assemble(CHAT, NOW)
    assert [len(group) for group in made.dropped] == [5]
    assert (made.kept, made.oldest_turn_kept) == ((), 2)


def test_the_record_of_a_request_that_holds_everything() -> None:
    made = by_hand(10_000, RENDER["start and end marks"]).assemble(CHAT, NOW)
    assert (made.dropped, made.oldest_turn_kept, made.exact_counts) == ((), 1, 1)
    assert made.estimated_tokens == made.input_tokens
    assert (
        made.mandatory_tokens
        == by_hand(99, RENDER["start and end marks"]).assemble([], NOW).input_tokens
    )


def test_output_and_margin_are_kept_free() -> None:
    assembler = by_hand(10_000, RENDER["headers"])
    tokens = assembler.assemble(CHAT, NOW).input_tokens
    roomy = replace(assembler, budget=InputBudget(tokens + 30, 20, 10))
    tight = replace(assembler, budget=InputBudget(tokens + 30, 20, 11))
    assert roomy.assemble(CHAT, NOW).dropped == ()
    assert len(tight.assemble(CHAT, NOW).dropped) == 1


def test_the_error_says_what_does_not_fit_and_by_how_much() -> None:
    assembler = by_hand(30, RENDER["start and end marks"], pins=("Memory: Robin.",), tools=(RAIN,))
    with pytest.raises(MandatoryPartError) as caught:
        assembler.assemble(CHAT, NOW)
    error = caught.value
    assert str(error) == (
        "The mandatory part needs 80 tokens and the input budget is 30: 50 too many "
        "(template 5, system text 8, pinned notes 5, tools 54, current messages 8)."
    )
    assert (error.needed_tokens, error.excess_tokens) == (80, 50)
    fitting = replace(assembler, budget=InputBudget(80, 0)).assemble(CHAT, NOW)
    assert (fitting.kept, fitting.input_tokens) == ((), 80)


def test_costs_are_measured_once_for_a_group() -> None:
    rendered: list[int] = []

    def render(messages: Sequence[ChatMessage], tools: object) -> str:
        rendered.append(len(messages))
        return RENDER["headers"](messages, ())

    assembler = by_hand(10_000, render)
    assembler.assemble(CHAT, NOW)
    first = len(rendered)
    assembler.assemble(CHAT, NOW)
    assert (first, len(rendered) - first) == (8, 2)  # then only the mandatory part and the whole


def test_a_tokenizer_that_joins_what_meets_is_met_by_one_group_less() -> None:
    """Each group alone seems to cost nothing; together they are too much."""
    assembler = Assembler(
        InputBudget(3, 0), RENDER["headers"], lambda text: text.count("soil") // 2
    )
    history = [ChatMessage(USER, "soil")] * 12
    made = assembler.assemble(history, NOW)
    assert (made.estimated_tokens, made.input_tokens) == (0, 3)
    assert (len(made.kept), len(made.dropped), made.exact_counts) == (7, 5, 7)


@pytest.mark.parametrize(
    ("history", "says"),
    [
        (
            [CHAT[2]],
            "Message 1 is the result of call 'b', but no open call before it has this id.",
        ),
        (
            [*CHAT[:2], CHAT[2]],
            "Message 2 calls 'rain' with the id 'a', which needs exactly one result right after "
            "it and has 0.",
        ),
        (
            [*CHAT[:2], CHAT[2], CHAT[2]],
            "Message 2 calls 'rain' with the id 'a', which needs exactly one result right after "
            "it and has 0.",
        ),
        (
            [*CHAT, CHAT[3]],
            "Message 6 is the result of call 'a', but no open call before it has this id.",
        ),
        (
            [ChatMessage("system", "Be brief.")],
            "Message 1 has the role 'system'; the history takes 'user', 'assistant' and 'tool', "
            "and system text is given apart.",
        ),
    ],
)
def test_a_history_that_no_provider_takes(history: list[ChatMessage], says: str) -> None:
    with pytest.raises(HistoryError) as caught:
        by_hand(1_000, RENDER["headers"]).assemble(history, NOW)
    assert str(caught.value) == says


@pytest.mark.parametrize("current", [[], [ChatMessage(ASSISTANT, "Well.")]])
def test_the_current_messages_end_with_one_to_answer(current: list[ChatMessage]) -> None:
    with pytest.raises(HistoryError, match="must end with one that the model can answer"):
        by_hand(1_000, RENDER["headers"]).assemble([], current)


@lru_cache
def rendered(name: str) -> str:
    opening = ChatMessage("system", "Be brief.")
    return RENDER[name]([opening, *CHAT, *NOW], [RAIN])


def test_both_templates_to_the_letter() -> None:
    assert rendered("start and end marks") == (
        "<|im_start|>system\nBe brief.\n\nYou may call these tools:\n"
        '{"name": "rain", "description": "Rain of a day in millimetres.", "parameters": '
        '{"type": "object", "properties": {"day": {"type": "string"}}}}<|im_end|>\n'
        "<|im_start|>user\nRain?<|im_end|>\n"
        "<|im_start|>assistant\n"
        '\n<tool_call>\n{"name": "rain", "arguments": "{}"}\n</tool_call>'
        '\n<tool_call>\n{"name": "rain", "arguments": "{}"}\n</tool_call><|im_end|>\n'
        "<|im_start|>user\n<tool_response>\n3 mm\n</tool_response>"
        "\n<tool_response>\ndry\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\nA little.<|im_end|>\n"
        "<|im_start|>user\nAnd now?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert rendered("headers").startswith(
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nTools that you may call"
    )
    assert rendered("headers").endswith(
        "<|start_header_id|>user<|end_header_id|>\n\nAnd now?<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
    )


def test_a_message_cannot_speak_to_the_template() -> None:
    """Text of a user is data: what looks like a template in it stays as it is."""
    for render in RENDER.values():
        assert "{{ 7 * 7 }} <b>" in render([ChatMessage(USER, "{{ 7 * 7 }} <b>")], [])
