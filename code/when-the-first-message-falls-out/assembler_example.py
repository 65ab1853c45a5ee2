"""A request put together by the assembler: what is kept, what is dropped, and the loud case.

The chat is made up. Tokens are counted by rendering it through a template written here and with a
small tokenizer, so they are not those of any model.
"""

from typing import Any

from assembler import Assembler, Assembly, InputBudget, MandatoryPartError
from chat_messages import ASSISTANT, TOOL, USER, ChatMessage, Tool, ToolCall, tool_groups
from chat_templates import TEMPLATES, chat_template
from template_tokens import template_tokens
from wording import NOTE, SYSTEM

Row = dict[str, Any]

WINDOW_TOKENS = 400
MAX_OUTPUT_TOKENS = 100
MARGIN_TOKENS = 20
SMALL_WINDOW_TOKENS = 240

TOOLS: tuple[Tool, ...] = (
    {
        "name": "rain_forecast",
        "description": "Rain of one day, in millimetres.",
        "parameters": {"type": "object", "properties": {"day": {"type": "string"}}},
    },
    {
        "name": "soil_moisture",
        "description": "Moisture of one bed, in percent.",
        "parameters": {"type": "object", "properties": {"bed": {"type": "string"}}},
    },
)
HISTORY = (
    ChatMessage(USER, "Hello, my name is Robin Sample. I want to water as little as I can."),
    ChatMessage(ASSISTANT, "Hello Robin. Tell me which beds you have, and I will look."),
    ChatMessage(USER, "Two beds: tomatoes and beans. Do they need water today?"),
    ChatMessage(
        ASSISTANT,
        "",
        calls=(
            ToolCall("c1", "rain_forecast", '{"day": "today"}'),
            ToolCall("c2", "soil_moisture", '{"bed": "tomatoes"}'),
            ToolCall("c3", "soil_moisture", '{"bed": "beans"}'),
        ),
    ),
    ChatMessage(TOOL, "6 mm, mostly in the evening", call_id="c1"),
    ChatMessage(TOOL, "31 percent", call_id="c2"),
    ChatMessage(TOOL, "44 percent", call_id="c3"),
    ChatMessage(ASSISTANT, "Water the tomatoes a little. The beans can wait for the rain."),
    ChatMessage(USER, "Good. And what shall I sow next to the beans?"),
    ChatMessage(ASSISTANT, "Lettuce. It likes their shade and is ready before they fill the bed."),
)
CURRENT = (ChatMessage(USER, "Will the rain tomorrow be enough for both beds?"),)


def example(window_tokens: int = WINDOW_TOKENS, template: str = "start and end marks") -> Assembly:
    """The example's request; MandatoryPartError where the window is too small.

    >>> example().oldest_turn_kept
    2
    """
    return _assembler(window_tokens, template).assemble(HISTORY, CURRENT)


def budget(window_tokens: int) -> InputBudget:
    """How the example's window is shared."""
    return InputBudget(window_tokens, MAX_OUTPUT_TOKENS, MARGIN_TOKENS)


def group_rows() -> list[Row]:
    """The groups of the example's history, oldest first, and what became of each."""
    assembler = _assembler(WINDOW_TOKENS, "start and end marks")
    dropped = len(example().dropped)
    return [
        {
            "group": number,
            "holds": what(group[0]),
            "messages": len(group),
            "tokens": assembler.group_tokens(group),
            "decision": "dropped" if number <= dropped else "kept",
        }
        for number, group in enumerate(tool_groups(HISTORY), start=1)
    ]


def what(first: ChatMessage) -> str:
    """What a group is, by its first message.

    >>> what(HISTORY[3])
    '3 calls and their results'
    """
    if first.calls:
        return f"{len(first.calls)} calls and their results"
    return "a user's message" if first.role == USER else "a reply"


def error_sentence() -> str:
    """What the assembler says where the mandatory part does not fit."""
    return str(_mandatory_error())


def mandatory_rows() -> list[Row]:
    """The mandatory part of the example by what each piece adds."""
    parts = _mandatory_error().parts
    return [{"part": name, "tokens": tokens} for name, tokens in parts.items()]


def template_rows() -> list[Row]:
    """The whole example in each template: the same chat, other marks, other costs."""
    texts = sum(template_tokens(message.content) for message in (*HISTORY, *CURRENT))
    return [
        {
            "template": name,
            "text_tokens": texts,
            "prompt_tokens": example(10_000, name).input_tokens,
        }
        for name in TEMPLATES
    ]


def _mandatory_error() -> MandatoryPartError:
    try:
        example(SMALL_WINDOW_TOKENS)
    except MandatoryPartError as error:
        return error
    raise RuntimeError(f"The mandatory part fits in a window of {SMALL_WINDOW_TOKENS} tokens.")


def _assembler(window_tokens: int, template: str) -> Assembler:
    return Assembler(
        budget=budget(window_tokens),
        render=chat_template(TEMPLATES[template]),
        count_tokens=template_tokens,
        system=SYSTEM,
        pins=(NOTE,),
        tools=TOOLS,
    )
