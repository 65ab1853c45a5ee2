"""The panel "re-sending history" of the calculator: its results as functions of its fields.

The fields are replies, tokens per message and the window; every message is equally long. What
cannot be computed is a ValueError whose sentence is meant for the reader.
"""

import history
import window

Row = dict[str, int | str | bool]


def reread_rows(replies: int, message_tokens: int, window_tokens: int) -> list[history.Row]:
    """One row per reply (see history.reread_rows).

    >>> [row["window_tokens"] for row in reread_rows(7, 50, 450)][3:]
    [350, 450, 450, 450]
    """
    _refuse_no_replies(replies)
    return history.reread_rows(replies, message_tokens, window_tokens)


def case_rows(replies: int, message_tokens: int, window_tokens: int) -> list[Row]:
    """The three cases side by side: tokens in all, and for the last reply.

    >>> [row["tokens"] for row in case_rows(10, 50, 450)]
    [5000, 3500, 1000]
    """
    last = reread_rows(replies, message_tokens, window_tokens)[-1]
    return [
        {
            "case": "whole history",
            "tokens": last["running_tokens"],
            "last_reply_tokens": last["tokens"],
        },
        {
            "case": "window",
            "tokens": last["window_running_tokens"],
            "last_reply_tokens": last["window_tokens"],
        },
        {
            "case": "every token once",
            "tokens": last["once_running_tokens"],
            "last_reply_tokens": last["once_tokens"],
        },
    ]


def strip_rows(replies: int, message_tokens: int, window_tokens: int) -> list[Row]:
    """The messages before the last reply, oldest first, and which the window still sends.

    >>> [row["message"] for row in strip_rows(10, 50, 450) if row["kept"]]
    [11, 12, 13, 14, 15, 16, 17, 18, 19]
    """
    _refuse_no_replies(replies)
    history.messages_that_fit(window_tokens, message_tokens)  # its sentence suits a reader better
    messages = history.messages_before_reply(replies)
    roles = [window.REPLY if number % 2 == 0 else window.USER for number in range(1, messages + 1)]
    kept = set(window.kept_numbers(roles, [message_tokens] * messages, window_tokens))
    return [
        {"message": number, "role": role, "kept": number in kept}
        for number, role in enumerate(roles, start=1)
    ]


def message_1_note(replies: int, message_tokens: int, window_tokens: int) -> str:
    """From which reply message 1 is gone.

    >>> message_1_note(10, 50, 450)
    'Message 1 is gone from reply 6 on.'
    >>> message_1_note(5, 50, 450)
    'Message 1 is still sent for reply 5; it will be gone from reply 6 on.'
    """
    _refuse_no_replies(replies)
    gone_from = history.first_reply_without_message_1(message_tokens, window_tokens)
    if gone_from <= replies:
        return f"Message 1 is gone from reply {gone_from} on."
    return (
        f"Message 1 is still sent for reply {replies}; it will be gone from reply {gone_from} on."
    )


def _refuse_no_replies(replies: int) -> None:
    if replies < 1:
        raise ValueError("There must be at least 1 reply.")
