"""The fixed sentences of the lab, and what each costs.

Two people take part: a user who gives a name in message 1, and an assistant whose replies are made
up here. No model is run. The name stands in message 1, in the pinned note and in a summary that
keeps facts, and nowhere else, so a request that holds it holds one of these.
"""

from token_units import message_tokens

USER = "user"
ASSISTANT = "assistant"

NAME = "Robin Sample"
SYSTEM = "You are a helpful assistant. Keep your answers short."
INTRODUCTION = (
    f"Hello, my name is {NAME}. I plan a garden this year and I would like to talk it through "
    "with you, one step at a time."
)
WELCOME = (
    "Welcome. I am glad to help you plan it, one step at a time. Tell me what you want to begin "
    "with, and I will say what I would do, in which order, and what can go wrong."
)
NOTE = f"Memory: the user is {NAME}."
NAME_FACT = f"Name: {NAME}."

SYSTEM_TOKENS = message_tokens(SYSTEM)
REPLY_START_TOKENS = 3  # the marks after which the model begins to write
FIXED_TOKENS = SYSTEM_TOKENS + REPLY_START_TOKENS
NOTE_TOKENS = message_tokens(NOTE)


def question_lead(topic: str) -> str:
    """How a user's message begins.

    >>> question_lead("seed trays")
    'Now let us talk about seed trays.'
    """
    return f"Now let us talk about {topic}."


def reply_lead(topic: str) -> str:
    """How a reply begins.

    >>> reply_lead("seed trays")
    'Here is my view on seed trays.'
    """
    return f"Here is my view on {topic}."


def summary_text(facts: tuple[str, ...], topics: tuple[str, ...], messages: int) -> str:
    """A summary of the messages that are no longer sent: facts first, then topics.

    >>> summary_text(("Name: Robin Sample.",), ("seed trays", "hand tools"), 34)
    'Earlier messages left out: 34. Name: Robin Sample. Topics so far: seed trays, hand tools.'
    """
    sentences = (f"Earlier messages left out: {messages}.", *facts)
    return f"{' '.join(sentences)} Topics so far: {', '.join(topics)}."
