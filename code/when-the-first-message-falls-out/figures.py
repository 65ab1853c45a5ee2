"""The article's five figures. Every number in them comes from show_numbers.py.

Each function gets `n`, the numbers by name, and gives a matplotlib Figure; FIGURES has the words.
A figure is as wide as the style sheet says, in units of which a phone shows 13 as 11 px. All sizes
here are in these units, and y counts from the bottom.

Colour says who wrote a message or what is counted, and never alone: a label, a hatch, a dash or a
marker says the same.
"""

from collections.abc import Mapping
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from request_parts import FREE, HISTORY, INSTRUCTIONS, NEW_MESSAGE, REPLY_ROOM
from wording import USER

Numbers = Mapping[str, Any]

PERSON_COLOUR, MODEL_COLOUR, ROOM_COLOUR = "C0", "C1", "C2"
INK, MUTED = rcParams["text.color"], rcParams["axes.labelcolor"]
LINE, PAPER = rcParams["axes.edgecolor"], rcParams["patch.edgecolor"]
TINT = 0.12  # opacity of a fill with text on it
HATCH = "////"
UNITS_PER_INCH = 72
EDGE = 1  # so that a line at the edge is not cut in half
CORNER = 4

FIGURES = {
    "the-drop-step-by-step": {
        "title": "The oldest messages fall out as soon as the budget is exceeded",
        "alt": (
            "A row for each turn, with the oldest messages of the chat as blocks that are as wide "
            "as they have tokens. At turn {{ n.drop_rows[0].turn }} and turn "
            "{{ n.drop_rows[1].turn }} everything fits, with {{ n.drop_rows[1].free_tokens }} "
            "tokens to spare at the latter. At turn {{ n.drop_rows[2].turn }} the whole chat is "
            "{{ n.drop_rows[2].over_tokens }} tokens too long. The limit lies inside message "
            "{{ n.first_message_rows[1].message }}, and no message is cut, so "
            "{{ n.drop_rows[2].dropped_messages | plural('message') }} fall out, and the name with "
            "them. One turn later it is {{ n.drop_rows[3].dropped_messages }}."
        ),
        "caption": (
            "Messages with odd numbers are the user's; the last number of a row is the newest. What "
            "is left of the heavy line does not fit, and a message that it cuts goes as a whole."
        ),
        "data": "drop_rows",
    },
    "the-request-as-a-budget": {
        "title": "Room for the reply is taken from the history",
        "alt": (
            "Two bars of {{ n.budget_tokens }} tokens, both for turn {{ n.reserve_gone_turn }}. In "
            "the first, with no room kept for the reply, the history takes "
            "{{ n.request_rows[1].tokens }} tokens and {{ n.request_rows[4].tokens }} are free. In "
            "the second, {{ n.reply_reserve_tokens }} are kept for the reply, the history has to "
            "shrink to {{ n.request_rows[6].tokens }}, and message "
            "{{ n.first_message_rows[0].message }} is no longer in it. Instructions and the new "
            "message are slivers in both."
        ),
        "caption": (
            "The same turn in both bars. What is kept for the reply cannot hold history, whether the "
            "reply uses it or not."
        ),
        "data": "request_rows",
    },
    "drop-turn-against-budget": {
        "title": "More budget, later drop: in proportion, and a little unevenly",
        "alt": (
            "Points rise in a straight line from turn {{ n.curve_rows[0].gone_turn }} with "
            "{{ n.curve_rows[0].budget_tokens }} tokens: the turn at which the first message falls "
            "out, measured in one simulated chat. The rule of thumb is a line through nearly the "
            "same places. Below, the difference between guess and measurement at each budget: "
            "exact, or early or late by a turn or two, and no worse as the budget grows."
        ),
        "caption": (
            "Above: measured points, and the rule of thumb as a line. Below: how many turns the "
            "guess is early (down) or late (up). One chat, seed {{ n.seed }}."
        ),
        "data": "curve_rows",
    },
    "drop-turn-over-seeds": {
        "title": "The same budget, other chats: a few turns earlier or later",
        "alt": (
            "A small bar chart for each budget: at which turn the first message fell out in "
            " {{ n.study_seeds }} simulated chats. With "
            "{{ n.study_spread_rows[0].budget_tokens }} tokens nearly all lie between turn "
            "{{ n.study_spread_rows[0].low_turn }} and turn "
            "{{ n.study_spread_rows[0].high_turn }}; with "
            "{{ n.study_spread_rows[3].budget_tokens }} they spread from turn "
            "{{ n.study_spread_rows[3].low_turn }} to turn "
            "{{ n.study_spread_rows[3].high_turn }}. "
            "A mark shows what the rule of thumb says: left of the middle in each chart, so early."
        ),
        "caption": (
            "Share of chats by the turn at which the first message fell out. All charts have the "
            "same scale; the triangle marks the rule of thumb with the average of all chats."
        ),
        "data": "study_distribution_rows",
    },
    "the-cost-of-each-fix": {
        "title": "A note or a summary keeps the name for little, if the summary keeps facts",
        "alt": (
            "Ways to fill a budget of {{ n.budget_tokens }} tokens, each with two bars: turns "
            "whose input holds the name, out of {{ n.turns }}, and the share of the input spent on "
            "a note or summary. Keeping the newest messages only: "
            "{{ n.fix_rows[0].turns_with_name }} turns, at no cost. A pinned note: "
            "{{ n.fix_rows[1].turns_with_name }} turns for "
            "{{ n.fix_rows[1].extra_share | percent(1) }} of the input. A rolling summary: "
            "{{ n.fix_rows[2].turns_with_name }} turns for "
            "{{ n.fix_rows[2].extra_share | percent(1) }}. A summary that keeps topics but no "
            "facts costs nearly the same, {{ n.fix_rows[3].extra_share | percent(1) }}, and "
            "holds the name in no more than {{ n.fix_rows[3].turns_with_name }} turns."
        ),
        "caption": (
            "Filled: turns whose input holds the name. Hatched: what the note or the summary takes "
            "of all input."
        ),
        "data": "fix_rows",
    },
}


def the_drop_step_by_step(n: Numbers) -> Figure:
    """The oldest messages in a row for each turn, and where the limit lies in them."""
    messages, rows = n["first_message_rows"], n["drop_rows"][:-1]
    height, pitch, foot = 26, 74, 8
    figure, axes, width = _sheet(foot + pitch * len(rows) + 14)
    scale = (width - 62) / messages[-1]["end_tokens"]
    for index, row in enumerate(reversed(rows)):
        bottom = foot + index * pitch
        over = row["over_tokens"]
        said = f"{row['free_tokens']:,} tokens free"
        if over > 0:
            said = f"{row['over_tokens']:,} tokens too many: {row['dropped_messages']} messages go"
        head = bottom + height + (42 if index == len(rows) - 1 else 22)
        axes.text(0, head, f"Turn {row['turn']}", weight="bold", va="center")
        axes.text(62, head, said, color=MUTED, va="center")
        for message in messages:
            left, span = message["start_tokens"] * scale, message["tokens"] * scale
            dropped = message["message"] <= row["dropped_messages"]
            colour = PERSON_COLOUR if message["role"] == USER else MODEL_COLOUR
            if dropped:
                colour = LINE
            _block(axes, left + 1, bottom, span - 2, height, colour, dashed=dropped)
            ink = MUTED if dropped else colour
            _label(axes, left + span / 2, bottom + height / 2, f"{message['message']}", ink)
        end = messages[-1]["end_tokens"] * scale
        last = f"… {row['messages']}"
        axes.text(end + 8, bottom + height / 2, last, va="center_baseline", color=MUTED)
        if over > 0:
            axes.plot([over * scale] * 2, [bottom - 6, bottom + height + 8], color=INK, lw=3)
    top = foot + pitch * (len(rows) - 1) + height
    first_end = messages[0]["end_tokens"] * scale
    axes.plot([first_end / 2] * 2, [top + 2, top + 11], color=PERSON_COLOUR, lw=1.5)
    axes.text(0, top + 20, "holds the name", va="center", color=PERSON_COLOUR)
    return figure


def the_request_as_a_budget(n: Numbers) -> Figure:
    """Two bars of one budget: without room for the reply, and with it."""
    rows = n["request_rows"]
    names = list(dict.fromkeys(str(row["request"]) for row in rows))
    height, pitch, foot = 34, 110, 34
    figure, axes, width = _sheet(foot + pitch * (len(names) - 1) + height + 30)
    scale = (width - 2 * EDGE) / n["budget_tokens"]
    heads = ("No room kept for the reply", f"{n['reply_reserve_tokens']:,} tokens kept for it")
    kept = (n["reserve_gone_turn"] < n["gone_turn"], False)
    for index, (name, head) in enumerate(zip(names, heads, strict=False)):
        bottom = foot + pitch * (len(names) - 1 - index)
        axes.text(0, bottom + height + 14, head, weight="bold", va="center")
        what = (
            f"message {n['first_message_rows'][0]['message']} {'in it' if kept[index] else 'gone'}"
        )
        axes.text(width, bottom + height + 14, what, ha="right", va="center", color=MUTED)
        for row in rows:
            if row["request"] == name:
                _part(axes, row, bottom, height, scale)
    return figure


def _part(axes: Axes, row: Mapping[str, Any], bottom: float, height: float, scale: float) -> None:
    """One part of a request, with its label inside where it is wide enough, else below."""
    left, span = EDGE + row["start_tokens"] * scale, row["tokens"] * scale
    part, middle = row["part"], bottom + height / 2
    looks = {
        INSTRUCTIONS: {"facecolor": INK, "edgecolor": INK, "lw": 0},
        HISTORY: {"facecolor": (PERSON_COLOUR, TINT), "edgecolor": PERSON_COLOUR, "lw": 1.5},
        NEW_MESSAGE: {"facecolor": MODEL_COLOUR, "edgecolor": MODEL_COLOUR, "lw": 0},
        REPLY_ROOM: {"facecolor": "none", "edgecolor": ROOM_COLOUR, "hatch": HATCH, "lw": 1.5},
    }
    dashed = {"facecolor": "none", "edgecolor": LINE, "lw": 1, "linestyle": ":"}
    axes.add_patch(Rectangle((left, bottom), span, height, **looks.get(part, dashed)))
    if part == HISTORY:
        _label(axes, left + span / 2, middle, f"history {row['tokens']:,}", PERSON_COLOUR)
    elif part == FREE and span > 60:
        _label(axes, left + span / 2, middle, f"{row['tokens']:,} free", MUTED, weight="normal")
    elif part == REPLY_ROOM:
        text = f"reply {row['tokens']:,}"
        axes.text(left + span / 2, bottom - 18, text, ha="center", va="center", color=ROOM_COLOUR)
    elif part == INSTRUCTIONS:
        axes.plot([left + span / 2] * 2, [bottom - 8, bottom], color=INK, lw=1)
        axes.text(0, bottom - 18, f"instructions {row['tokens']:,}", va="center")
    elif part == NEW_MESSAGE:
        axes.plot([left + span / 2] * 2, [bottom - 8, bottom], color=MODEL_COLOUR, lw=1)
        text = f"new message {row['tokens']:,}"
        axes.text(left + span, bottom - 18, text, ha="right", va="center", color=MODEL_COLOUR)


def drop_turn_against_budget(n: Numbers) -> Figure:
    """Measured points and the rule of thumb; below, the error of the guess at each budget."""
    rows = n["curve_rows"]
    budgets = [row["budget_tokens"] for row in rows]
    figure = Figure(figsize=(rcParams["figure.figsize"][0], 356 / UNITS_PER_INCH))
    upper, lower = _axes(figure, 52, 147, 272, 190), _axes(figure, 52, 50, 272, 62)
    upper.plot(budgets, [row["guess_turn"] for row in rows], color=MODEL_COLOUR, ls="--", lw=2)
    gone = [row["gone_turn"] for row in rows]
    upper.plot(budgets, gone, "o", color=PERSON_COLOUR, ms=6, mec=PAPER, mew=1)
    upper.annotate(
        "measured", (budgets[-8], gone[-8]), (-12, 8), textcoords="offset points",
        ha="right", color=PERSON_COLOUR, weight="bold",
    )  # fmt: skip
    upper.annotate(
        "rule of thumb", (budgets[7], gone[7]), (14, -18), textcoords="offset points",
        color=MODEL_COLOUR, weight="bold",
    )  # fmt: skip
    first, last = rows[0], rows[-1]
    upper.set_yticks(
        [first["gone_turn"], last["gone_turn"]],
        [f"{first['gone_turn']:,}", f"{last['gone_turn']:,}"],
    )
    upper.set(xticks=[], ylim=(0, None))
    upper.annotate(
        "turn of the drop", (0, 1), (-50, 10), "axes fraction", "offset points", color=MUTED
    )

    lower.axhline(0, color=LINE, lw=1)
    lower.vlines(budgets, 0, [row["error_turns"] for row in rows], color=MODEL_COLOUR, lw=4)
    ticks = {
        row["error_turns"]: f"{row['miss_turns']} {row['side']}" if row["miss_turns"] else "exact"
        for row in n["miss_rows"]
    }
    lower.set_yticks(list(ticks), list(ticks.values()))
    lower.annotate(
        "guess minus measured", (0, 1), (-50, 10), "axes fraction", "offset points", color=MUTED
    )
    marked = [rows[0], rows[len(rows) // 2], rows[-1]]
    lower.set_xticks(
        [row["budget_tokens"] for row in marked], [f"{row['budget_tokens']:,}" for row in marked]
    )
    lower.set_xlabel("tokens of input budget")
    lower.tick_params(axis="x", pad=8)
    for axes in (upper, lower):
        axes.set_xlim(0, budgets[-1] * 1.06)
        axes.tick_params(length=0)
        axes.spines["left"].set_visible(False)
    lower.spines["bottom"].set_visible(False)
    return figure


def drop_turn_over_seeds(n: Numbers) -> Figure:
    """A bar chart for each budget, all on one scale, centred on their middle turn."""
    budgets, rows = n["study_spread_rows"], n["study_distribution_rows"]
    bars_height, pitch, foot = 46, 107, 22
    figure, axes, width = _sheet(foot + pitch * (len(budgets) - 1) + bars_height + 36)
    widest = max(row["latest_turn"] - row["earliest_turn"] for row in budgets)
    step = (width - 60) / (widest + 1)
    most_share = max(row["share"] for row in rows)
    for index, budget in enumerate(budgets):
        bottom = foot + pitch * (len(budgets) - 1 - index)
        label = f"{budget['budget_tokens']:,} tokens"
        head = bottom + bars_height + 26
        axes.text(0, head, label, weight="bold", va="center")
        axes.plot([0, width], [bottom] * 2, color=LINE, lw=1)
        shown = [row for row in rows if row["budget_tokens"] == budget["budget_tokens"]]
        top = max(shown, key=lambda row: float(row["share"]))
        for row in shown:
            x = width / 2 + (row["turn"] - budget["middle_turn"]) * step
            height = bars_height * row["share"] / most_share
            axes.add_patch(
                Rectangle((x - step * 0.4, bottom), step * 0.8, height, facecolor="C0", lw=0)
            )
            marks = (budget["earliest_turn"], budget["middle_turn"], budget["latest_turn"])
            if row["turn"] in marks and row["turn"] != budget["heuristic_turn"]:
                axes.text(x, bottom - 10, f"{row['turn']}", ha="center", va="center", color=MUTED)
            if row is top:
                text = f"{row['share']:.0%}"
                axes.text(x, bottom + height + 9, text, ha="center", va="center", color=MUTED)
        guess = width / 2 + (budget["heuristic_turn"] - budget["middle_turn"]) * step
        axes.plot([guess], [bottom - 8], "^", color=MODEL_COLOUR, ms=8, mew=0)
        text = f"rule of thumb {budget['heuristic_turn']}"
        axes.text(width, head, text, ha="right", va="center", color=MODEL_COLOUR)
    return figure


def the_cost_of_each_fix(n: Numbers) -> Figure:
    """Two bars for each policy: turns with the name, and the share of the input that it takes."""
    rows = n["fix_rows"]
    pitch, bar, foot, head = 58, 18, 8, 16
    figure, axes, width = _sheet(foot + pitch * len(rows) + head)
    second, room = 0.62 * width, 78
    most_share = max(row["extra_share"] for row in rows)
    top = foot + pitch * len(rows) + head / 2
    axes.text(0, top, "turns with the name", va="center", color=MUTED)
    axes.text(second, top, "share of input", va="center", color=MUTED)
    for index, row in enumerate(reversed(rows)):
        bottom = foot + index * pitch
        axes.text(0, bottom + bar + 16, f"{row['policy']}", weight="bold", va="center")
        length = (second - room) * row["turns_with_name"] / n["turns"]
        axes.add_patch(Rectangle((0, bottom), length, bar, facecolor=PERSON_COLOUR, lw=0))
        said = f"{row['turns_with_name']:,} of {n['turns']:,}"
        axes.text(length + 5, bottom + bar / 2, said, va="center_baseline", color=PERSON_COLOUR)
        share = (width - second - 46) * row["extra_share"] / most_share if most_share else 0
        if share:
            axes.add_patch(
                Rectangle(
                    (second, bottom), share, bar, facecolor="none", edgecolor=MODEL_COLOUR,
                    hatch=HATCH, lw=1.2,
                )
            )  # fmt: skip
        said = f"{row['extra_share']:.1%}" if row["extra_share"] else "none"
        place = second + share + 5 if share else second
        axes.text(place, bottom + bar / 2, said, va="center_baseline", color=MODEL_COLOUR)
    return figure


def _sheet(height: float) -> tuple[Figure, Axes, float]:
    """An empty drawing whose data units are the figure's units, with its width."""
    width = rcParams["figure.figsize"][0] * UNITS_PER_INCH
    figure = Figure(figsize=(width / UNITS_PER_INCH, height / UNITS_PER_INCH))
    axes = _axes(figure, 0, 0, width, height)
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    return figure, axes, width


def _axes(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at this place, in the figure's units."""
    across, up = (side * UNITS_PER_INCH for side in figure.get_size_inches())
    return figure.add_axes((left / across, bottom / up, width / across, height / up))


def _block(
    axes: Axes, left: float, bottom: float, width: float, height: float, colour: str, *,
    dashed: bool,
) -> None:  # fmt: skip
    """A message in outline: on a tint of its colour, or dashed and empty where it was dropped."""
    corner = min(CORNER, width / 2)
    axes.add_patch(
        FancyBboxPatch(
            (left + corner, bottom + corner), width - 2 * corner, height - 2 * corner,
            boxstyle=f"round,pad={corner}", facecolor="none" if dashed else (colour, TINT),
            edgecolor=colour, linestyle=":" if dashed else "-",
        )
    )  # fmt: skip


def _label(axes: Axes, x: float, y: float, text: str, colour: str, weight: str = "bold") -> None:
    axes.text(x, y, text, ha="center", va="center_baseline", weight=weight, color=colour)
