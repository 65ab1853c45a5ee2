"""YAML with positions: text in, frozen dataclasses and problems out.

A dataclass is its own schema. Field types may be str, int, float, bool, date, Literal, another
dataclass, `tuple[T, ...]`, `Mapping[str, T]`, `T | None` and `Scalar`. Two field names are filled by
the reader and are no keys: `at` (where the mapping starts) and `places` (where each value starts).
"""

from __future__ import annotations

import datetime
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import yaml

from workings.problems import Location, Problem, ProblemsError, did_you_mean

T = TypeVar("T")
_READER_FIELDS = {"at", "places"}
_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


@dataclass
class Reader:
    """Reads one YAML file; `first_line` is the line of the file on which `text` begins."""

    path: str
    first_line: int = 1
    problems: list[Problem] = field(default_factory=list)

    def location(self, node: yaml.Node | yaml.Mark) -> Location:
        mark = node.start_mark if isinstance(node, yaml.Node) else node
        return Location(self.path, mark.line + self.first_line, mark.column + 1)

    def report(self, node: yaml.Node, rule: str, message: str, mend: str = "") -> None:
        self.problems.append(Problem(self.location(node), rule, message, mend))

    def compose(self, text: str) -> yaml.Node | None:
        """The document's node; None for an empty one, or where the YAML is broken (reported)."""
        try:
            return yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            at = self.location(mark) if mark else Location(self.path, self.first_line)
            what = error.problem or error.context or "broken"
            self.problems.append(
                Problem(at, "invalid-yaml", f"this is no valid YAML: {what}.", "Mend the syntax.")
            )
        except yaml.reader.ReaderError as error:
            before = text[: error.position]
            at = Location(
                self.path,
                self.first_line + before.count("\n"),
                len(before) - before.rfind("\n"),
            )
            self.problems.append(
                Problem(at, "invalid-yaml", f"this is no valid YAML: {error.reason}.")
            )
        return None

    def build(self, kind: type[T], node: yaml.Node | None, where: str) -> T | None:
        """An instance of the dataclass `kind`, or None where its problems leave none.

        `where` names the mapping in messages ("the front matter").
        """
        if node is None:
            node = yaml.MappingNode(
                "tag:yaml.org,2002:map", [], yaml.Mark("", 0, 0, 0, None, 0), None
            )
        if not isinstance(node, yaml.MappingNode):
            self.report(node, "wrong-type", f"{where} must be a mapping of keys to values.")
            return None
        hints = typing.get_type_hints(kind)
        known = {f.name: f for f in fields(typing.cast(Any, kind)) if f.name not in _READER_FIELDS}
        values: dict[str, Any] = {}
        places: dict[str, Location] = {}
        before = len(self.problems)
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key not in known:
                self.report(
                    key_node,
                    "unknown-key",
                    f"{where} has no key '{key}'.",
                    did_you_mean(key, known),
                )
            elif key in places:
                self.report(key_node, "duplicate-key", f"{where} gives '{key}' twice.", "Keep one.")
            else:
                places[key] = self.location(value_node)
                found = self.value(hints[key], value_node, f"'{key}'")
                if found is not MISSING:
                    values[key] = found
        for name, f in known.items():
            if name not in places and f.default is MISSING and f.default_factory is MISSING:
                self.report(
                    node, "missing-key", f"{where} lacks the key '{name}'.", f"Add '{name}: ...'."
                )
        if any(p.rule != "unknown-key" for p in self.problems[before:]):
            return None
        if "at" in hints:
            values["at"] = self.location(node)
        if "places" in hints:
            values["places"] = places
        return kind(**values)

    def value(self, hint: Any, node: yaml.Node, where: str) -> Any:
        """The value of `node` as `hint` wants it; MISSING where it does not fit (reported)."""
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return self._union(args, node, where)
        if origin is Literal:
            text = self._scalar(node)
            if text in args:
                return text
            self.report(
                node,
                "wrong-value",
                f"{where} is '{text}'.",
                did_you_mean(str(text), map(str, args)),
            )
            return MISSING
        if origin is tuple:
            if not isinstance(node, yaml.SequenceNode):
                self.report(node, "wrong-type", f"{where} must be a list.")
                return MISSING
            items = [self.value(args[0], item, f"an item of {where}") for item in node.value]
            return MISSING if MISSING in items else tuple(items)
        if origin in (dict, Mapping):
            return self._mapping(args[1], node, where)
        if is_dataclass(hint) and isinstance(hint, type):
            found = self.build(hint, node, where)
            return MISSING if found is None else found
        return self._plain(hint, node, where)

    def _union(self, args: tuple[Any, ...], node: yaml.Node, where: str) -> Any:
        value = self._scalar(node)
        if value is None and type(None) in args:
            return None
        kinds = [arg for arg in args if arg is not type(None)]
        if len(kinds) == 1:
            return self.value(kinds[0], node, where)
        for kind in kinds:
            if get_origin(kind) is None and not is_dataclass(kind) and type(value) is kind:
                return value
        for kind in kinds:
            shape = get_origin(kind)
            if isinstance(node, yaml.SequenceNode) and shape is tuple:
                return self.value(kind, node, where)
            if isinstance(node, yaml.MappingNode) and (
                shape in (dict, Mapping) or is_dataclass(kind)
            ):
                return self.value(kind, node, where)
        if str in kinds and isinstance(node, yaml.ScalarNode):
            return node.value
        wanted = " or ".join(_NAMES.get(kind, str(kind)) for kind in kinds)
        self.report(node, "wrong-type", f"{where} must be {wanted}.")
        return MISSING

    def _mapping(self, hint: Any, node: yaml.Node, where: str) -> Any:
        if not isinstance(node, yaml.MappingNode):
            self.report(node, "wrong-type", f"{where} must be a mapping of keys to values.")
            return MISSING
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in found:
                self.report(key_node, "duplicate-key", f"{where} gives '{key}' twice.", "Keep one.")
            found[key] = self.value(hint, value_node, f"'{key}'")
        return MISSING if MISSING in found.values() else found

    def _plain(self, hint: Any, node: yaml.Node, where: str) -> Any:
        value = self._scalar(node)
        if hint is Any:
            return value if isinstance(node, yaml.ScalarNode) else MISSING
        if hint is float and type(value) is int:
            return float(value)
        if hint is str and isinstance(node, yaml.ScalarNode) and value is not None:
            return node.value
        if hint is datetime.date and type(value) is datetime.date:
            return value
        if hint in (int, float, bool) and type(value) is hint:
            return value
        wanted = _NAMES.get(
            hint, "a date such as 2026-12-01" if hint is datetime.date else str(hint)
        )
        self.report(node, "wrong-type", f"{where} must be {wanted}.")
        return MISSING

    def _scalar(self, node: yaml.Node) -> Any:
        """The node's scalar as YAML reads it; the node's text where YAML cannot (2026-13-45)."""
        if not isinstance(node, yaml.ScalarNode):
            return MISSING
        try:
            return yaml.constructor.SafeConstructor().construct_object(node, deep=True)
        except (yaml.YAMLError, ValueError):
            return node.value


def read(kind: type[T], text: str, path: str, where: str, first_line: int = 1) -> T:
    """One mapping as `kind`; ProblemsError with every fault found in it."""
    reader = Reader(path, first_line)
    node = reader.compose(text)
    built = None if reader.problems else reader.build(kind, node, where)
    if reader.problems or built is None:
        raise ProblemsError(reader.problems)
    return built


def read_value(hint: Any, text: str, path: str, where: str) -> Any:
    """A file whose top is a list or a mapping of names, as `hint`; ProblemsError with every fault."""
    reader = Reader(path)
    node = reader.compose(text)
    if reader.problems:
        raise ProblemsError(reader.problems)
    if node is None:
        return {} if get_origin(hint) in (dict, Mapping) else ()
    value = reader.value(hint, node, where)
    if reader.problems:
        raise ProblemsError(reader.problems)
    return value
