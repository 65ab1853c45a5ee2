"""Builds the request of a chat app: the mandatory part, then the newest groups that still fit.

What is counted is the text that the model reads: the whole candidate, rendered with the model's own
chat template and counted with its own tokenizer. Both are passed in. The steps:

1. Input budget = window - longest output - margin.
2. The mandatory part (system text, pinned notes, tools, current messages) is counted first. If it
   does not fit, that is an error which says what is too long; nothing mandatory is ever dropped.
3. Groups of the history are taken from the newest on, by their cached costs, until one does not
   fit. A group (see chat_messages.py) is kept or dropped as one.
4. The result is counted once, exactly, since costs need not add up: a tokenizer may join what two
   groups meet with, a template may treat a message differently in the middle. Too much: one more
   group goes. Room for one more after all: it is tried. Each try is counted exactly, too.
5. The result records what was dropped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from chat_messages import (
    SYSTEM,
    TOOL,
    USER,
    ChatMessage,
    Group,
    HistoryError,
    Render,
    Tool,
    tool_groups,
)

CountTokens = Callable[[str], int]
GroupsOf = Callable[[Sequence[ChatMessage]], tuple[Group, ...]]

# Stands where the current messages will stand while a group's cost is measured.
PLACEHOLDER = (ChatMessage(USER, "."),)


@dataclass(frozen=True)
class InputBudget:
    """How the window is shared: the margin is for what cannot be counted exactly beforehand."""

    window_tokens: int
    max_output_tokens: int
    margin_tokens: int = 0

    @property
    def input_tokens(self) -> int:
        """What is left for the prompt.

        >>> InputBudget(8_000, max_output_tokens=1_000, margin_tokens=200).input_tokens
        6800
        """
        return self.window_tokens - self.max_output_tokens - self.margin_tokens


class MandatoryPartError(ValueError):
    """The mandatory part does not fit: `parts` says what it is made of, in tokens."""

    def __init__(self, parts: dict[str, int], budget_tokens: int) -> None:
        self.parts, self.budget_tokens = parts, budget_tokens
        self.needed_tokens = sum(parts.values())
        self.excess_tokens = self.needed_tokens - budget_tokens
        listed = ", ".join(f"{name} {tokens:,}" for name, tokens in parts.items() if tokens)
        super().__init__(
            f"The mandatory part needs {self.needed_tokens:,} tokens and the input budget is "
            f"{budget_tokens:,}: {self.excess_tokens:,} too many ({listed})."
        )


@dataclass(frozen=True)
class Assembly:
    """A request that fits, and the record of how it came about."""

    messages: tuple[ChatMessage, ...]
    prompt: str
    input_tokens: int
    estimated_tokens: int
    mandatory_tokens: int
    kept: tuple[Group, ...]
    dropped: tuple[Group, ...]
    oldest_turn_kept: int
    exact_counts: int  # how often the whole was counted; 1 where the costs added up


@dataclass(frozen=True)
class Assembler:
    """Assembles the requests of one chat; the costs of groups are kept from one to the next.

    A copy made with `dataclasses.replace` shares them. With another template or tokenizer they are
    wrong: start with a new Assembler then.
    """

    budget: InputBudget
    render: Render
    count_tokens: CountTokens
    system: str = ""
    pins: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    groups_of: GroupsOf = tool_groups
    costs: dict[Group, int] = field(default_factory=dict, compare=False, repr=False)

    def assemble(self, history: Sequence[ChatMessage], current: Sequence[ChatMessage]) -> Assembly:
        """The request for a reply to `current`: mostly one message of the user, in the middle of a
        tool loop also the calls and results since then.

        MandatoryPartError where the mandatory part does not fit, HistoryError where a result lacks
        its call or a call its result.
        """
        _refuse_unless_answerable(current)
        groups = self.groups_of(history)
        mandatory_tokens = self._mandatory_tokens(current)
        estimated_tokens, first = self._estimate(groups, mandatory_tokens)
        chosen, counts = self._settle(groups, current, first)
        return Assembly(
            messages=chosen.messages,
            prompt=chosen.prompt,
            input_tokens=chosen.tokens,
            estimated_tokens=estimated_tokens,
            mandatory_tokens=mandatory_tokens,
            kept=groups[chosen.first :],
            dropped=groups[: chosen.first],
            oldest_turn_kept=_turn_of(groups, chosen.first),
            exact_counts=counts,
        )

    def _estimate(self, groups: Sequence[Group], mandatory_tokens: int) -> tuple[int, int]:
        """What the newest groups come to by their cached costs, and the oldest that fits."""
        first, tokens = len(groups), mandatory_tokens
        while first > 0 and self._has_room(tokens, groups[first - 1]):
            first -= 1
            tokens += self.group_tokens(groups[first])
        return tokens, first

    def _settle(
        self, groups: Sequence[Group], current: Sequence[ChatMessage], first: int
    ) -> "tuple[_Candidate, int]":
        """The candidate that is sent, and how many were counted exactly to find it."""
        candidate, counts = self._candidate(groups, current, first), 1
        while candidate.tokens > self.budget.input_tokens:
            candidate = self._candidate(groups, current, candidate.first + 1)
            counts += 1
        while candidate.first > 0 and self._has_room(candidate.tokens, groups[candidate.first - 1]):
            larger = self._candidate(groups, current, candidate.first - 1)
            counts += 1
            if larger.tokens > self.budget.input_tokens:
                break
            candidate = larger
        return candidate, counts

    def _has_room(self, tokens: int, group: Group) -> bool:
        return tokens + self.group_tokens(group) <= self.budget.input_tokens

    def group_tokens(self, group: Group) -> int:
        """What a group adds to the rendered text; measured once."""
        if group not in self.costs:
            alone_tokens = self._tokens(PLACEHOLDER)
            self.costs[group] = self._tokens((*group, *PLACEHOLDER)) - alone_tokens
        return self.costs[group]

    def _mandatory_tokens(self, current: Sequence[ChatMessage]) -> int:
        """What must be sent; MandatoryPartError where that is too much."""
        tokens = self._tokens(current)
        if tokens > self.budget.input_tokens:
            raise MandatoryPartError(self._parts(current), self.budget.input_tokens)
        return tokens

    def _parts(self, current: Sequence[ChatMessage]) -> dict[str, int]:
        """The mandatory part by what each piece adds, in the order in which they are added."""
        steps: dict[str, tuple[Assembler, Sequence[ChatMessage]]] = {
            "template": (self._with("", (), ()), ()),
            "system text": (self._with(self.system, (), ()), ()),
            "pinned notes": (self._with(self.system, self.pins, ()), ()),
            "tools": (self, ()),
            "current messages": (self, current),
        }
        parts, before = {}, 0
        for name, (assembler, messages) in steps.items():
            tokens = assembler._tokens(messages)
            parts[name], before = tokens - before, tokens
        return parts

    def _with(self, system: str, pins: tuple[str, ...], tools: tuple[Tool, ...]) -> "Assembler":
        return Assembler(self.budget, self.render, self.count_tokens, system, pins, tools)

    def _candidate(
        self, groups: Sequence[Group], current: Sequence[ChatMessage], first: int
    ) -> "_Candidate":
        """The request with the groups from `first` on, rendered and counted."""
        chat = [*(message for group in groups[first:] for message in group), *current]
        messages = (*self._opening(), *chat)
        prompt = self.render(messages, self.tools)
        return _Candidate(first, messages, prompt, self.count_tokens(prompt))

    def _tokens(self, chat: Sequence[ChatMessage]) -> int:
        return self.count_tokens(self.render((*self._opening(), *chat), self.tools))

    def _opening(self) -> tuple[ChatMessage, ...]:
        """System text and pinned notes in one message, stable and first: a server that keeps its
        work on a common beginning can use it again."""
        text = "\n\n".join(part for part in (self.system, *self.pins) if part)
        return (ChatMessage(SYSTEM, text),) if text else ()


@dataclass(frozen=True)
class _Candidate:
    """A request as it would be sent: the place of its oldest group, and what it really costs."""

    first: int
    messages: tuple[ChatMessage, ...]
    prompt: str
    tokens: int


def _refuse_unless_answerable(current: Sequence[ChatMessage]) -> None:
    tool_groups(current)
    if not current or current[-1].role not in (USER, TOOL):
        raise HistoryError(
            "The current messages must end with one that the model can answer: "
            "the user's, or the result of a tool."
        )


def _turn_of(groups: Sequence[Group], place: int) -> int:
    """The turn of the group at `place`, or the current turn where there is none."""
    before = sum(message.role == USER for group in groups[:place] for message in group)
    starts_turn = place == len(groups) or groups[place][0].role == USER
    return before + starts_turn
