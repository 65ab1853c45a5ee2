"""The simplest chat app: it keeps the history and sends all of it for every reply.

The model is a function from a list of messages to a reply. It keeps nothing between two calls;
whatever it "remembers" is in the list.
"""

from collections.abc import Callable, Sequence

from window import REPLY, USER, Message


def chat(answer: Callable[[Sequence[Message]], str], questions: Sequence[str]) -> list[Message]:
    """Ask the questions one after the other and return the whole history.

    >>> def count_messages(messages):
    ...     return f"I was sent {len(messages)}."
    >>> [message.text for message in chat(count_messages, ["Hello", "Again"])]
    ['Hello', 'I was sent 1.', 'Again', 'I was sent 3.']
    """
    history: list[Message] = []
    for question in questions:
        history.append(Message(USER, question))
        reply = answer(history)  # everything, every time
        history.append(Message(REPLY, reply))
    return history


def sent_messages(turns: int) -> list[int]:
    """How many messages the loop sends at each turn, counted by running it.

    >>> sent_messages(3)
    [1, 3, 5]
    """
    sent: list[int] = []

    def recording_model(messages: Sequence[Message]) -> str:
        sent.append(len(messages))
        return "a reply"

    chat(recording_model, ["a question"] * turns)
    return sent
