"""What it costs to re-send a growing chat: tokens that the model reads, reply by reply.

Every message, from either side, has `message_tokens` tokens. Reply 1 answers message 1, the
model's answer is message 2, the next question message 3, and so on: before reply k the history
holds 2k - 1 messages. "Read" is what goes in; "written" is the text of both sides, once.
"""

Row = dict[str, int]


def messages_before_reply(reply: int) -> int:
    """Messages in the history when the model writes reply number `reply`.

    >>> [messages_before_reply(reply) for reply in (1, 2, 3)]
    [1, 3, 5]
    """
    return 2 * reply - 1


def tokens_at_reply(reply: int, message_tokens: int) -> int:
    """Tokens read for one reply when the whole history is sent.

    >>> tokens_at_reply(1, 50), tokens_at_reply(10, 50)
    (50, 950)
    """
    return (2 * reply - 1) * message_tokens


def tokens_read(replies: int, message_tokens: int) -> int:
    """Tokens read for `replies` replies in all: 1 + 3 + 5 + ... messages is a square.

    >>> tokens_read(10, 50), tokens_read(20, 50)
    (5000, 20000)
    """
    return message_tokens * replies**2


def tokens_written(replies: int, message_tokens: int) -> int:
    """Tokens of the text itself: `replies` questions and as many answers.

    This is also the work when every token is processed once: a provider that keeps the repeated
    text reads each question once and writes each answer once.

    >>> tokens_written(10, 50)
    1000
    """
    return 2 * replies * message_tokens


def messages_that_fit(window_tokens: int, message_tokens: int) -> int:
    """Whole messages that the window has room for.

    >>> messages_that_fit(450, 50), messages_that_fit(400, 50)
    (9, 8)
    """
    if message_tokens < 1:
        raise ValueError("A message needs at least 1 token.")
    if window_tokens < message_tokens:
        raise ValueError(
            f"A window of {window_tokens} tokens cannot hold one message of {message_tokens}."
        )
    return window_tokens // message_tokens


def most_messages_sent(window_tokens: int, message_tokens: int) -> int:
    """Most messages that the window ever sends: always an odd number.

    The newest message is a question. If an even number fits, the oldest of them is an answer
    whose question was cut, and it goes too (see window.py).

    >>> most_messages_sent(450, 50), most_messages_sent(400, 50)
    (9, 7)
    """
    fit = messages_that_fit(window_tokens, message_tokens)
    return fit - 1 + fit % 2


def window_messages_at_reply(reply: int, message_tokens: int, window_tokens: int) -> int:
    """Messages sent for one reply when a window drops the oldest.

    >>> [window_messages_at_reply(reply, 50, 450) for reply in (1, 4, 5, 6, 40)]
    [1, 7, 9, 9, 9]
    """
    return min(2 * reply - 1, most_messages_sent(window_tokens, message_tokens))


def window_tokens_at_reply(reply: int, message_tokens: int, window_tokens: int) -> int:
    """Tokens read for one reply when a window drops the oldest messages.

    >>> window_tokens_at_reply(4, 50, 450), window_tokens_at_reply(10, 50, 450)
    (350, 450)
    """
    return window_messages_at_reply(reply, message_tokens, window_tokens) * message_tokens


def replies_while_filling(message_tokens: int, window_tokens: int) -> int:
    """The last reply that still reads the whole history.

    >>> replies_while_filling(50, 450), replies_while_filling(40, 200)
    (5, 3)
    """
    return (most_messages_sent(window_tokens, message_tokens) + 1) // 2


def first_reply_without_message_1(message_tokens: int, window_tokens: int) -> int:
    """The reply from which message 1 is no longer sent.

    >>> first_reply_without_message_1(50, 450)
    6
    """
    return replies_while_filling(message_tokens, window_tokens) + 1


def window_tokens_read(replies: int, message_tokens: int, window_tokens: int) -> int:
    """Tokens read for `replies` replies in all with a window: a square, then a straight line.

    >>> window_tokens_read(10, 50, 450), window_tokens_read(40, 50, 450)
    (3500, 17000)
    """
    full_messages = most_messages_sent(window_tokens, message_tokens)
    filling = min(replies, replies_while_filling(message_tokens, window_tokens))
    return message_tokens * (filling**2 + (replies - filling) * full_messages)


def reread_rows(replies: int, message_tokens: int, window_tokens: int) -> list[Row]:
    """One row per reply: what is read with the whole history, with a window, and only once.

    Keys: reply, messages, tokens, running_tokens, window_messages, window_tokens,
    window_running_tokens, once_tokens, once_running_tokens.

    >>> rows = reread_rows(10, 50, 450)
    >>> [row["tokens"] for row in rows[:5]], rows[9]["window_running_tokens"]
    ([50, 150, 250, 350, 450], 3500)
    """
    return [
        {
            "reply": reply,
            "messages": messages_before_reply(reply),
            "tokens": tokens_at_reply(reply, message_tokens),
            "running_tokens": tokens_read(reply, message_tokens),
            "window_messages": window_messages_at_reply(reply, message_tokens, window_tokens),
            "window_tokens": window_tokens_at_reply(reply, message_tokens, window_tokens),
            "window_running_tokens": window_tokens_read(reply, message_tokens, window_tokens),
            "once_tokens": tokens_written(1, message_tokens),
            "once_running_tokens": tokens_written(reply, message_tokens),
        }
        for reply in range(1, replies + 1)
    ]
