"""The request assembler in 10,000 random histories: each rule holds in every one of them."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from assembler import Assembler, Assembly, InputBudget, MandatoryPartError
from chat_messages import (
    ASSISTANT,
    TOOL,
    USER,
    ChatMessage,
    Render,
    Tool,
    ToolCall,
    tool_groups,
    turn_groups,
)
from chat_templates import TEMPLATES, chat_template
from template_tokens import template_tokens

TRIALS = 10_000


def once(render: Render) -> Render:
    """The same function, which keeps what it made: tests ask for the same text again."""
    made: dict[tuple[tuple[ChatMessage, ...], int], str] = {}

    def rendered(messages: Sequence[ChatMessage], tools: Sequence[Tool]) -> str:
        key = (tuple(messages), len(tools))  # there is one tool here, or none
        if key not in made:
            made[key] = render(messages, tools)
        return made[key]

    return rendered


RENDER = {name: once(chat_template(source)) for name, source in TEMPLATES.items()}
RAIN = {
    "name": "rain",
    "description": "Rain of a day in millimetres.",
    "parameters": {"type": "object", "properties": {"day": {"type": "string"}}},
}
WORDS = ("soil", "rain today", "<b>tulips</b> {{ x }}", "a wheelbarrow, again?", "", "\n ok ")


def characters(text: str) -> int:
    """A rough counter whose costs do not add up: four signs a token, rounded up."""
    return -(-len(text) // 4)


def call_pool() -> list[tuple[ChatMessage, ...]]:
    """Calls with their results: one, two or three at once, results in any order."""
    rng = random.Random(1)
    pool = []
    for number in range(40):
        calls = tuple(
            ToolCall(f"c{number}-{place}", "rain", f'{{"day": "{place}"}}')
            for place in range(rng.choice((1, 1, 2, 3)))
        )
        results = [
            ChatMessage(TOOL, rng.choice(("3 mm", "dry", "a storm is near")), call_id=call.id)
            for call in calls
        ]
        rng.shuffle(results)
        pool.append((ChatMessage(ASSISTANT, rng.choice(WORDS), calls=calls), *results))
    return pool


CALLS = call_pool()
QUESTIONS = [ChatMessage(USER, " ".join(WORDS[place:])) for place in range(len(WORDS))]
REPLIES = [ChatMessage(ASSISTANT, " ".join(WORDS[: place + 1])) for place in range(len(WORDS))]


def random_history(rng: random.Random) -> list[ChatMessage]:
    """Turns with tools or without; it may begin with a reply, as one that was cut before does."""
    history: list[ChatMessage] = []
    for _ in range(rng.randrange(6)):
        if history or rng.random() < 0.9:
            history.append(rng.choice(QUESTIONS))
        for _ in range(rng.choice((0, 0, 1, 2))):
            history.extend(rng.choice(CALLS))
        history.append(rng.choice(REPLIES))
    return history


@dataclass(frozen=True)
class Case:
    """One random request."""

    assembler: Assembler
    history: list[ChatMessage]
    current: list[ChatMessage]

    def tokens(self, history: Sequence[ChatMessage]) -> int:
        """The request with this history, rendered and counted apart from the assembler."""
        text = "\n\n".join(part for part in (self.assembler.system, *self.assembler.pins) if part)
        opening = [ChatMessage("system", text)] if text else []
        messages = [*opening, *history, *self.current]
        return self.assembler.count_tokens(self.assembler.render(messages, self.assembler.tools))

    def made(self) -> Assembly | MandatoryPartError:
        """What the assembler makes of it, or why it refuses."""
        try:
            return self.assembler.assemble(self.history, self.current)
        except MandatoryPartError as error:
            return error


class Cases:
    """Random requests; few kinds of app, so that their cached costs are used again and again."""

    def __init__(self, count_tokens: Callable[[str], int], seed: int) -> None:
        self.rng = random.Random(seed)
        self.apps = [
            Assembler(
                InputBudget(1, 0), RENDER[template], count_tokens, system, pins, tools, groups_of
            )
            for template in RENDER
            for groups_of in (tool_groups, turn_groups)
            for system, pins, tools in (
                ("", (), ()),
                ("Be brief.", ("Memory: the user is Robin Sample.",), ()),
                ("Be brief.", (), (RAIN,)),
            )
        ]

    def next(self) -> Case:
        history = random_history(self.rng)
        current = [self.rng.choice(QUESTIONS)]
        if self.rng.random() < 0.2:  # in the middle of a tool loop
            current.extend(self.rng.choice(CALLS))
        case = Case(self.rng.choice(self.apps), history, current)
        output, margin = self.rng.randrange(50), self.rng.randrange(5)
        room = 20 + 16 * len(history) + 60 * len(case.assembler.tools)
        window = output + margin + self.rng.randint(room // 3, 2 * room)
        budget = InputBudget(window, output, margin)
        return replace(case, assembler=replace(case.assembler, budget=budget))


def check(case: Case, made: Assembly, seen: Counter[str]) -> None:
    """Every rule but the last: that nothing more would have fitted."""
    budget = case.assembler.budget.input_tokens
    kept = [message for group in made.kept for message in group]
    dropped = [message for group in made.dropped for message in group]
    assert case.tokens(kept) == made.input_tokens <= budget
    assert case.assembler.count_tokens(made.prompt) == made.input_tokens
    assert [*dropped, *kept] == case.history  # the newest, unbroken, each group as it was
    opening = made.messages[: len(made.messages) - len(kept) - len(case.current)]
    assert [*opening, *kept, *case.current] == list(made.messages)
    assert [message.role for message in opening] in ([], ["system"])
    for mandatory in (case.assembler.system, *case.assembler.pins):
        assert mandatory in made.messages[0].content
    for tool in case.assembler.tools:
        assert str(tool["description"]) in made.prompt
    refuse_orphans(made.messages)
    questions = [message.role for message in (*dropped, *kept[:1])].count(USER)
    if kept:
        assert made.oldest_turn_kept == questions
    seen["cut" if dropped else "whole"] += 1
    seen["nothing kept"] += bool(dropped and not kept)
    seen["tools kept"] += any(message.calls for message in kept)
    seen["parallel calls dropped"] += any(len(message.calls) > 1 for message in dropped)
    seen["counted again"] += made.exact_counts > 1


def refuse_orphans(messages: Sequence[ChatMessage]) -> None:
    """Each result follows its call, each call is answered; not by way of the groups."""
    opened: set[str] = set()
    for message in messages:
        if message.role == TOOL:
            assert message.call_id in opened
            opened.remove(message.call_id)
        else:
            assert not opened
            opened = {call.id for call in message.calls}
    assert not opened


def test_the_rules_hold_in_10_000_random_histories() -> None:
    """Where costs add up, what is kept is also the most that fits."""
    cases, seen = Cases(template_tokens, 20261105), Counter[str]()
    for _ in range(TRIALS):
        case = cases.next()
        budget = case.assembler.budget.input_tokens
        made = case.made()
        if isinstance(made, MandatoryPartError):
            seen["refused"] += 1
            assert made.needed_tokens == case.tokens([]) > budget
            continue
        check(case, made, seen)
        assert made.exact_counts == 1
        assert made.estimated_tokens == made.input_tokens
        if made.dropped:
            more = [*made.dropped[-1], *(message for group in made.kept for message in group)]
            assert case.tokens(more) > budget
    assert seen["refused"] + seen["cut"] + seen["whole"] == TRIALS >= 10_000
    del seen["counted again"]
    assert min(seen.values()) > 500, seen


def test_where_costs_do_not_add_up_the_exact_count_decides() -> None:
    cases, seen = Cases(characters, 7), Counter[str]()
    for _ in range(1_000):
        case = cases.next()
        budget = case.assembler.budget.input_tokens
        made = case.made()
        if isinstance(made, MandatoryPartError):
            assert made.needed_tokens == case.tokens([]) > budget
            continue
        check(case, made, seen)
        if made.dropped:
            group = made.dropped[-1]
            more = [*group, *(message for kept in made.kept for message in kept)]
            most = made.input_tokens + case.assembler.group_tokens(group)
            assert case.tokens(more) > budget or most > budget
    assert seen["counted again"] > 10
