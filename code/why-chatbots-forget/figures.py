"""The lesson's four figures. Every number in them comes from show_numbers.py.

Each function gets `n`, the numbers by name, and gives a matplotlib Figure; FIGURES has the words.
A figure is as wide as the style sheet says, in units of which a phone shows 13 as 11 px. All sizes
here are in these units, and y counts from the bottom.

Colour says who wrote a message or what is counted, and never alone: a label, a hatch or a dash says
the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from kv_cache import GIB_BYTES, KIB_BYTES, MIB_BYTES
from window import USER

Numbers = Mapping[str, Any]

PERSON_COLOUR, MODEL_COLOUR = "C0", "C1"
INK, MUTED = rcParams["text.color"], rcParams["axes.labelcolor"]
LINE, PAPER = rcParams["axes.edgecolor"], rcParams["patch.edgecolor"]
TINT = 0.1  # opacity of a fill with text on it
HATCH = "////"
UNITS_PER_INCH = 72
EDGE = 1  # so that a line at the edge is not cut in half
CORNER = 5
GAP = 6  # between two messages
BAR = 0.74  # of the distance between two bars
DIGIT = 8.5  # width of one
MOST_TICKS = 10
ROWS_BESIDE_KEY = 8  # with fewer bars the corner above the first ones is too narrow for a key

FIGURES = {
    "resend-every-turn": {
        "title": "Every turn sends the whole chat again",
        "alt": (
            "Rows of blocks, one row for each turn and one block for each message that is sent to "
            "the model. Turn {{ n.turn_rows[0].turn }} sends "
            "{{ n.turn_rows[0].messages | plural('message') }}, turn {{ n.turn_rows[1].turn }} "
            "sends {{ n.turn_rows[1].messages }} and turn {{ n.turn_rows[2].turn }} sends "
            "{{ n.turn_rows[2].messages }}. In each row only the last block is new; all others "
            "were sent before, since the model forgets them between turns. So what it has to read "
            "grows with every turn, although the person adds one message."
        ),
        "caption": (
            "Only the filled block is new. The app sends all the others again, because the model "
            "keeps nothing from one turn to the next."
        ),
        "data": "turn_rows",
    },
    "window-covers-newest": {
        "title": "The window keeps what is newest, not what matters most",
        "alt": (
            "A strip of {{ n.strip_messages }} messages, oldest at the left, each as wide as it "
            "has tokens. A frame marks the window of {{ n.strip_window_tokens }} tokens. It covers "
            "message {{ n.strip_first_inside }}, all newer ones, and "
            "{{ n.strip_reply_room_tokens }} tokens kept free for the reply. What is older is cut "
            "off, and that includes message {{ n.strip_rows[0].message }}, which asks for answers "
            "in French. So the model writes its next reply without ever seeing the rule."
        ),
        "caption": (
            "The rule came first, so it falls out first. Nothing marks the cut: for the model, the "
            "chat begins at the edge of the frame."
        ),
        "data": "strip_rows",
    },
    "reread-grows": {
        "title": "With the whole history, each reply reads more than the last",
        "alt": (
            "A bar for each of {{ n.replies }} replies. With the whole history the bars rise in "
            "equal steps, from {{ n.first_reply_tokens }} tokens at the first reply to "
            "{{ n.last_reply_tokens }} at the last. With a window of {{ n.window_tokens }} tokens "
            "they rise no further than that. In all, the whole history costs {{ n.read_tokens }} "
            "tokens read and the window {{ n.window_read_tokens }}, and the difference widens "
            "with every further reply."
        ),
        "caption": (
            "Filled: what is read with a window of {{ n.window_tokens }} tokens. Hatched: what the "
            "whole history adds to it."
        ),
        "data": "reread_rows",
    },
    "cache-memory-line": {
        "title": "Each token of the chat takes the same memory again",
        "alt": (
            "A straight line from zero: the memory that {{ n.model_name }} needs for its working "
            "notes, against the length of the chat. Points mark {{ n.cache_points[0].tokens }} "
            "tokens with {{ n.cache_points[0].cache_bytes | mib }}, "
            "{{ n.cache_points[1].tokens }} tokens with {{ n.cache_points[1].cache_bytes | gib }}, "
            "and the longest chat that the model takes, {{ n.cache_points[2].tokens }} tokens with "
            "{{ n.cache_points[2].cache_bytes | gib }}. Each token adds "
            "{{ n.bytes_per_token | kib }}, so "
            '{{ claim("a chat that is twice as long needs twice the memory", '
            '"n.bytes_per_token * (2 * n.max_context_tokens) == 2 * n.cache_at_max_bytes") }}.'
        ),
        "caption": (
            "Working notes of {{ n.model_name }} for one chat. The line ends at the longest chat "
            "that the model takes."
        ),
        "data": "cache_points",
    },
}


def resend_every_turn(n: Numbers) -> Figure:
    """A row of messages for each turn: those sent again in outline, the new one filled."""
    rows = n["turn_rows"]
    labels_width, height, pitch, foot = 88, 40, 68, 34
    figure, axes, width = _sheet(foot + pitch * (len(rows) - 1) + height + EDGE)
    width -= EDGE
    step = (width - labels_width + GAP) / max(row["messages"] for row in rows)
    for index, row in enumerate(reversed(rows)):
        bottom = foot + index * pitch
        noun = "message" if row["messages"] == 1 else "messages"
        axes.text(0, bottom + 29, f"Turn {row['turn']}", va="center", weight="bold")
        axes.text(0, bottom + 11, f"{row['messages']} {noun}", va="center", color=MUTED)
        for place in range(row["messages"]):
            who, colour = ("You", PERSON_COLOUR) if place % 2 == 0 else ("AI", MODEL_COLOUR)
            left, is_new = labels_width + place * step, place == row["messages"] - 1
            _block(axes, left, bottom, step - GAP, height, colour, filled=is_new)
            _label(
                axes, left + (step - GAP) / 2, bottom + height / 2, who, PAPER if is_new else colour
            )
        if index:
            between = bottom - (pitch - height) / 2
            axes.text(labels_width, between, "the model forgets", va="center", color=MUTED)
            axes.plot([labels_width + 130, width - 2], [between] * 2, ":", color=LINE, lw=1.5)
    new_left = labels_width + (rows[-1]["messages"] - 1) * step
    _bracket(axes, labels_width, new_left - GAP, foot - 6, "sent again")
    _bracket(axes, new_left, width, foot - 6, "new")
    return figure


def window_covers_newest(n: Numbers) -> Figure:
    """Messages to scale on a token axis; the window frames the newest and the reply's room."""
    rows, reply_room = n["strip_rows"], n["strip_reply_room_tokens"]
    end_tokens = rows[-1]["end_tokens"] + reply_room
    axis, bottom, height, frame = 42, 58, 46, 9
    top = bottom + height
    figure, axes, width = _sheet(top + frame + 44)
    width -= EDGE
    per_token = (width - EDGE) / end_tokens

    for row in rows:
        left, span = row["start_tokens"] * per_token, row["tokens"] * per_token
        colour = PERSON_COLOUR if row["role"] == USER else MODEL_COLOUR
        style = "-" if row["inside"] else ":"
        _block(axes, left + GAP / 2, bottom, span - GAP, height, colour, line=style)
        _label(axes, left + span / 2, bottom + height / 2, f"{row['message']}", colour)
        _label(axes, left + span / 2, axis - 14, f"{row['tokens']:,}", MUTED, weight="normal")
    left, span = rows[-1]["end_tokens"] * per_token, reply_room * per_token
    _block(axes, left + GAP / 2, bottom, span - GAP, height, LINE, line="--")
    _label(axes, left + span / 2, bottom + height / 2, "reply", MUTED)
    _label(axes, left + span / 2, axis - 14, f"{reply_room:,}", MUTED, weight="normal")

    edges = [row["start_tokens"] * per_token for row in rows] + [left, left + span]
    axes.plot([edges[0], edges[-1]], [axis] * 2, color=LINE, lw=1)
    axes.vlines(edges, axis - 5, axis, color=LINE, lw=1)
    axes.text(
        width / 2,
        6,
        "tokens of each message, and of the reply",
        ha="center",
        va="center",
        color=MUTED,
    )

    start = (end_tokens - n["strip_window_tokens"]) * per_token
    low, high = bottom - frame, top + frame
    axes.plot([start, start, width, width, start], [low, high, high, low, low], color=INK, lw=2)
    window = f"window: {n['strip_window_tokens']:,} tokens"
    axes.text((start + width) / 2, high + 13, window, ha="center", va="center", weight="bold")

    rule_x = 8
    axes.plot([rule_x, rule_x], [top + 2, high + 26], color=PERSON_COLOUR, lw=1.5)
    axes.text(rule_x - 4, high + 35, "“Answer in French”", va="center", color=PERSON_COLOUR)
    axes.text(rule_x + 8, high + 13, "cut off", va="center", color=MUTED)
    return figure


def reread_grows(n: Numbers) -> Figure:
    """A bar per reply: what a window reads is filled, what the whole history adds is hatched."""
    rows = n["reread_rows"]
    most_tokens = max(row["tokens"] for row in rows)
    marks = _apart((rows[-1]["tokens"], n["window_tokens"], rows[0]["tokens"]), most_tokens)
    mark_labels = [f"{mark:,}" for mark in marks]
    left = DIGIT * max(map(len, mark_labels)) + 10
    figure, axes = _chart(248, left=left, right=EDGE + 1, bottom=40, top=30)
    cut = [row for row in rows if row["tokens"] > row["window_tokens"]]
    axes.bar([row["reply"] for row in rows], [row["window_tokens"] for row in rows], BAR)
    axes.bar(
        [row["reply"] for row in cut], [row["tokens"] - row["window_tokens"] for row in cut], BAR,
        bottom=[row["window_tokens"] for row in cut],
        color="none", edgecolor=MODEL_COLOUR, hatch=HATCH, clip_on=False,
    )  # fmt: skip
    ticked = rows[:: -(-len(rows) // MOST_TICKS)]
    axes.set_xticks([row["reply"] for row in ticked], [f"{row['reply']}" for row in ticked])
    axes.set(xlim=(0.5, len(rows) + 0.5), ylim=(0, most_tokens), xlabel="reply")
    if len(rows) < ROWS_BESIDE_KEY:
        axes.set_ylim(0, most_tokens * 1.5)
    axes.set_yticks(marks, mark_labels)
    axes.grid(axis="y")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)

    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate("tokens read for the reply", (0, 1), (-left, 20), color=MUTED, **place)
    _key(axes, 0.9, f"whole history: {n['read_tokens']:,} in all", MODEL_COLOUR, hatched=True)
    _key(axes, 0.78, f"window: {n['window_read_tokens']:,} in all", PERSON_COLOUR)
    return figure


def cache_memory_line(n: Numbers) -> Figure:
    """The cache's size against the length of the chat, with the lesson's lengths as points."""
    rows = n["cache_points"]
    lengths = [row["tokens"] for row in rows]
    sizes = [row["cache_bytes"] for row in rows]
    plot_height, bottom, top = 188, 40, 12
    figure, axes = _chart(plot_height + bottom + top, left=20, right=28, bottom=bottom, top=top)
    axes.fill_between([0, lengths[-1]], [0, sizes[-1]], color=PERSON_COLOUR, alpha=TINT, lw=0)
    axes.vlines(lengths, 0, sizes, color=LINE, lw=1, linestyle=":")
    axes.plot([0, lengths[-1]], [0, sizes[-1]])
    axes.plot(lengths, sizes, "o", color=PERSON_COLOUR, mec=PAPER, mew=1.5, ms=10, clip_on=False)
    axes.set(xlim=(0, lengths[-1]), ylim=(0, sizes[-1]), xlabel="tokens in the chat", yticks=[])
    axes.set_xticks(lengths, [f"{length:,}" for length in lengths])
    axes.spines["left"].set_visible(False)
    for row in rows:
        is_far = row["tokens"] > lengths[-1] / 3  # there is room for the label before the point
        drop = min(7, plot_height * row["cache_bytes"] / sizes[-1] - 9)  # but stay above the axis
        axes.annotate(
            _size(row["cache_bytes"]), (row["tokens"], row["cache_bytes"]),
            (-11, 0) if is_far else (18 - drop, -drop), textcoords="offset points",
            ha="right" if is_far else "left", va="center", weight="bold",
        )  # fmt: skip
    axes.text(0.76, 0.3, "each token adds", transform=axes.transAxes, ha="right", color=MUTED)
    adds = _size(n["bytes_per_token"])
    axes.text(0.76, 0.19, adds, transform=axes.transAxes, ha="right", weight="bold")
    return figure


def _sheet(height: float) -> tuple[Figure, Axes, float]:
    """An empty drawing whose data units are the figure's units, with its width."""
    width = rcParams["figure.figsize"][0] * UNITS_PER_INCH
    figure, axes = _chart(height, left=0, right=0, bottom=0, top=0)
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    return figure, axes, width


def _chart(
    height: float, *, left: float, right: float, bottom: float, top: float
) -> tuple[Figure, Axes]:
    """Axes with these margins."""
    width = rcParams["figure.figsize"][0] * UNITS_PER_INCH
    figure = Figure(figsize=(width / UNITS_PER_INCH, height / UNITS_PER_INCH))
    inner = (width - left - right) / width, (height - bottom - top) / height
    return figure, figure.add_axes((left / width, bottom / height, *inner))


def _block(
    axes: Axes, left: float, bottom: float, width: float, height: float, colour: str,
    *, filled: bool = False, line: str = "-",
) -> None:  # fmt: skip
    """A message: filled, or in outline on a tint of its colour."""
    corner = min(CORNER, width / 2)
    axes.add_patch(
        FancyBboxPatch(
            (left + corner, bottom + corner), width - 2 * corner, height - 2 * corner,
            boxstyle=f"round,pad={corner}", facecolor=colour if filled else (colour, TINT),
            edgecolor=colour, linestyle=line,
        )
    )  # fmt: skip


def _label(axes: Axes, x: float, y: float, text: str, colour: str, weight: str = "bold") -> None:
    axes.text(x, y, text, ha="center", va="center_baseline", weight=weight, color=colour)


def _bracket(axes: Axes, left: float, right: float, top: float, label: str) -> None:
    """A bracket that opens upwards, with its label below."""
    axes.plot([left, left, right, right], [top, top - 5, top - 5, top], color=LINE, lw=1.2)
    axes.text((left + right) / 2, top - 10, label, ha="center", va="top", color=MUTED)


def _key(axes: Axes, height: float, text: str, colour: str, *, hatched: bool = False) -> None:
    """A swatch and what it stands for, in the corner that rising bars leave free."""
    fill = {"facecolor": "none", "hatch": HATCH} if hatched else {"facecolor": colour}
    swatch = {"boxstyle": "square,pad=0.1", "edgecolor": colour, **fill}
    place: dict[str, Any] = {
        "xycoords": "axes fraction",
        "textcoords": "offset points",
        "va": "center",
    }
    axes.annotate("   ", (0, height), (6, 0), **place, bbox=swatch)
    axes.annotate(text, (0, height), (26, 0), **place, color=colour)


def _apart(values: Sequence[int], most: int) -> list[int]:
    """The values up to `most` whose labels on an axis do not touch one before them."""
    kept: list[int] = []
    for value in values:
        if value <= most and all(abs(value - other) >= most / MOST_TICKS for other in kept):
            kept.append(value)
    return kept


def _size(size_bytes: float) -> str:
    """A size in the largest binary unit that is not above it."""
    units = {"GiB": GIB_BYTES, "MiB": MIB_BYTES, "KiB": KIB_BYTES}
    for unit, unit_bytes in units.items():
        if size_bytes >= unit_bytes:
            return f"{size_bytes / unit_bytes:.4g}\N{NO-BREAK SPACE}{unit}"
    return f"{size_bytes:.4g}\N{NO-BREAK SPACE}bytes"
