"""Messages of a chat with tools, and the groups that are kept or dropped as one.

A tool call and its results belong together: providers refuse a result whose call is missing, and a
call without its result makes no sense to the model. Dropping one of them breaks the request.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

USER = "user"
ASSISTANT = "assistant"
TOOL = "tool"
SYSTEM = "system"


class HistoryError(ValueError):
    """A history that no provider would take."""


@dataclass(frozen=True)
class ToolCall:
    """A call that the model asks for; `arguments` is JSON text."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True)
class ChatMessage:
    """One message. `calls` only with role "assistant", `call_id` only with role "tool"."""

    role: str
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""

    def as_template_input(self) -> dict[str, Any]:
        """The message in the shape that chat templates read."""
        message: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for call in self.calls
            ]
        if self.call_id:
            message["tool_call_id"] = self.call_id
        return message


Group = tuple[ChatMessage, ...]
Tool = Mapping[str, Any]  # a JSON schema
Render = Callable[[Sequence[ChatMessage], Sequence[Tool]], str]  # the text that the model reads


def tool_groups(messages: Sequence[ChatMessage]) -> tuple[Group, ...]:
    """Each message by itself, but a message with calls together with all their results.

    >>> chat = [
    ...     ChatMessage(USER, "Rain?"),
    ...     ChatMessage(ASSISTANT, "", calls=(ToolCall("a", "rain"), ToolCall("b", "wind"))),
    ...     ChatMessage(TOOL, "3 mm", call_id="a"),
    ...     ChatMessage(TOOL, "calm", call_id="b"),
    ...     ChatMessage(ASSISTANT, "A little."),
    ... ]
    >>> [len(group) for group in tool_groups(chat)]
    [1, 3, 1]
    """
    return tuple(_tool_groups(messages))


def turn_groups(messages: Sequence[ChatMessage]) -> tuple[Group, ...]:
    """Whole turns: a user's message with everything up to the next one.

    For templates that refuse a chat whose roles do not take turns, and for apps that want no reply
    at the front whose question is gone.

    >>> chat = [ChatMessage(USER, "Rain?"), ChatMessage(ASSISTANT, "No."), ChatMessage(USER, "Hm")]
    >>> [len(group) for group in turn_groups(chat)]
    [2, 1]
    """
    turns: list[list[ChatMessage]] = []
    for group in tool_groups(messages):
        if group[0].role == USER or not turns:
            turns.append([])
        turns[-1].extend(group)
    return tuple(map(tuple, turns))


def _tool_groups(messages: Sequence[ChatMessage]) -> Iterator[Group]:
    place = 0
    while place < len(messages):
        message = messages[place]
        if message.role == TOOL:
            raise HistoryError(
                f"Message {place + 1} is the result of call '{message.call_id}', "
                "but no open call before it has this id."
            )
        if message.role not in (USER, ASSISTANT):
            raise HistoryError(
                f"Message {place + 1} has the role '{message.role}'; the history takes "
                "'user', 'assistant' and 'tool', and system text is given apart."
            )
        end = place + 1 + len(message.calls)
        _refuse_unless_answered(message, messages[place + 1 : end], place + 1)
        yield tuple(messages[place:end])
        place = end


def _refuse_unless_answered(
    message: ChatMessage, results: Sequence[ChatMessage], number: int
) -> None:
    """Each call needs exactly one result, in any order, right after the message that calls."""
    answered = [result.call_id for result in results if result.role == TOOL]
    for call in message.calls:
        if answered.count(call.id) != 1:
            raise HistoryError(
                f"Message {number} calls '{call.name}' with the id '{call.id}', which needs "
                f"exactly one result right after it and has {answered.count(call.id)}."
            )
