"""YAML files as regions: every text that readers see, with the true place of each character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import yaml

from workings.prose.blocks import markdown_regions
from workings.prose.model import Kind, Region
from workings.prose.positioned import Builder, Positioned, Source
from workings.prose.templates import TABLE_COLUMN

_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)

# libyaml's parser where PyYAML was built with it; it is ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Scalar:
    """A scalar of a YAML file: its path of keys, and its text at its place.

    A list item's key is its `id` in brackets. `beside` are the other scalars of its mapping.
    """

    keys: tuple[str, ...]
    text: Positioned
    tag: str
    beside: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The keys without those of list items."""
        return [key for key in self.keys if not key.startswith("[")]

    @property
    def path(self) -> str:
        return ".".join(self.keys).replace(".[", "[")


def scalars(text: Positioned) -> Iterator[Scalar]:
    """Every scalar value of a YAML text; none where it is no valid YAML."""
    try:
        node = yaml.compose(text.text, Loader=_LOADER)
    except yaml.YAMLError:
        return  # the reader of bundles reports it
    if node is not None:
        yield from _walk(node, (), text)


def _walk(
    node: yaml.Node, keys: tuple[str, ...], text: Positioned, beside: tuple[str, ...] = ()
) -> Iterator[Scalar]:
    if isinstance(node, yaml.MappingNode):
        plain = [value for _, value in node.value if isinstance(value, yaml.ScalarNode)]
        for key, value in node.value:
            others = tuple(str(scalar.value) for scalar in plain if scalar is not value)
            yield from _walk(value, (*keys, str(key.value)), text, others)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _walk(item, (*keys, f"[{_identifier(item)}]"), text)
    elif isinstance(node, yaml.ScalarNode):
        source = text.cut(node.start_mark.index, node.end_mark.index)
        yield Scalar(keys, align(node.value, source, node.style or ""), node.tag, beside)


def _identifier(node: yaml.Node) -> str:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((str(value.value) for key, value in pairs if key.value == "id"), "")


def align(value: str, source: Positioned, style: str) -> Positioned:
    """The value of a scalar with the place of each character in how it is written.

    `style` is that of PyYAML: "" plain, '"', "'", "|" or ">".
    """
    raw, at = source.text, 0
    quotes = 1 if style in ("'", '"') else 0
    if raw[quotes : quotes + len(value)] == value and len(raw) == len(value) + 2 * quotes:
        return source.cut(quotes, quotes + len(value))  # on one line and without escapes
    if style in ("|", ">"):
        at = raw.find("\n") + 1 or len(raw)
    elif style:
        at = 1
    out = Builder(source.end)
    index = 0
    while index < len(value):
        end = at
        while end < len(raw) and raw[end] in " \t\r\n":
            end += 1
        if value[index] in " \n\t" and "\n" in raw[at:end]:
            # Line ends and the indentation after them fold into whatever space the value has there.
            place = source.at(at)
            while index < len(value) and value[index] in " \n\t":
                out.add(value[index], place)
                index += 1
            at = end
            continue
        if value[index] not in " \n\t" or raw[at : at + 1] not in (" ", "\t", "\n"):
            at = end
        if style == '"' and raw[at : at + 2] == "\\\n":
            at += 2
            continue
        width = 1
        if style == '"' and (escape := _ESCAPE.match(raw, at)) is not None:
            width = len(escape[0])
        elif style == "'" and raw[at : at + 2] == "''":
            width = 2
        out.add(value[index], source.at(min(at, len(raw))))
        at += width
        index += 1
    out.end = source.at(min(at, len(raw)))
    return out.build()


@dataclass(frozen=True)
class Keys:
    """Which scalars of a kind of file readers do not see as prose.

    `skipped` are keys with all that is below them, `expressions` hold Python over the numbers, and
    `cited` are words of others.
    """

    kind: Kind
    skipped: frozenset[str]
    expressions: frozenset[str] = frozenset()
    cited: frozenset[str] = frozenset()


FRONT = Keys(
    "front matter",
    frozenset(
        "kind chapter order date updated tracks hide url by year source seen unit min max step choices "
        "minutes exempt template value values render_macros search status icon slug".split()
    ),
    cited=frozenset({"further_reading.title", "claim", "note"}),
)
QUIZ = Keys("quiz", frozenset("id kind unit tolerance correct".split()), frozenset({"answer"}))
WIDGET = Keys(
    "widget",
    frozenset(
        "id kind type unit scale format x_format y_format key module modules field fills x table "
        "version step slider optional series.key parameters".split()
    ),
    frozenset("value rows when applies expr default min max choices.value preset presets".split()),
)
FACTS = Keys(
    "fact",
    frozenset("source seen unit value values url by year".split()),
    cited=frozenset({"claim", "note"}),
)


def yaml_regions(text: Positioned, source: Source, rules: Keys) -> Iterator[Region]:
    """The regions of a YAML text: prose as Markdown, and expressions as answers."""
    for scalar in scalars(text):
        names = scalar.names
        if set(names) & rules.skipped or not scalar.text.text.strip():
            continue
        if "columns" in names:  # "field: Header | filter"
            if (column := TABLE_COLUMN.match(scalar.text.text)) is not None:
                header = scalar.text.cut(column.start("header"), column.end("header"))
                yield Region(rules.kind, header, source, key=scalar.path)
        elif names[-1:] and names[-1] in rules.expressions:
            yield Region("answer", scalar.text, source, key=scalar.path)
        elif scalar.tag != "tag:yaml.org,2002:bool":
            kind = "fact" if _is_cited(names, rules) else rules.kind
            for found in markdown_regions(scalar.text, source, kind, scalar.path):
                yield replace(found, beside=scalar.beside)


def _is_cited(names: list[str], rules: Keys) -> bool:
    """Whether the text is somebody else's: the title of a work, or a fact's own words."""
    return bool(names) and bool({names[-1], f"{names[0]}.{names[-1]}"} & rules.cited)
