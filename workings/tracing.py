"""Which functions a run called, with what values: recorded while it runs, never run twice.

Standard library only: the browser runs this file too.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import CodeType, FrameType, TracebackType
from typing import Any, Self

# A frame of these kinds does not return its function's value where it was called.
_PIECEMEAL = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_DEPTH = 4  # how far below the run's own frames calls are recorded

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Span = tuple[int, int, int, int]
Place = tuple[int, int, CodeType]


@dataclass
class Call:
    """One finished call: its names at the return, what it returned, and the calls it made.

    `calls` goes by the place where a call ends in the source (line, column) and the called code.
    """

    code: CodeType
    globals: dict[str, Any]
    locals: dict[str, Any] = field(default_factory=dict)
    span: Span | None = None
    value: Any = None
    calls: dict[Place, Call] = field(default_factory=dict)


class Recorder:
    """Records the calls made by the `roots` (code objects told by a predicate) and below them."""

    def __init__(
        self, is_root: Callable[[CodeType], bool], is_lesson: Callable[[CodeType], bool]
    ) -> None:
        self.is_root = is_root
        self.is_lesson = is_lesson
        self.roots: dict[CodeType, Call] = {}
        self._open: dict[FrameType, tuple[int, Call]] = {}
        self._kinds: dict[CodeType, tuple[bool, bool]] = {}

    def __enter__(self) -> Self:
        self._before = sys.getprofile()
        sys.setprofile(self._profile)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        sys.setprofile(self._before)
        self._open.clear()

    def _profile(self, frame: FrameType, event: str, value: Any) -> None:
        if event == "call":
            self._enter(frame)
        elif event == "return" and frame in self._open:
            self._leave(frame, value)

    def _enter(self, frame: FrameType) -> None:
        code = frame.f_code
        if code not in self._kinds:
            self._kinds[code] = self.is_root(code), self._is_recorded(code)
        root, recorded = self._kinds[code]
        if not recorded:
            return
        caller = self._open.get(frame.f_back) if frame.f_back else None
        depth = 0 if root else caller[0] + 1 if caller else _DEPTH + 1
        if depth <= _DEPTH:
            self._open[frame] = depth, Call(code, frame.f_globals)

    def _is_recorded(self, code: CodeType) -> bool:
        piecemeal = code.co_flags & _PIECEMEAL or code.co_name in (
            "<listcomp>",
            "<genexpr>",
        )
        return not piecemeal and (self.is_root(code) or self.is_lesson(code))

    def _leave(self, frame: FrameType, value: Any) -> None:
        _, call = self._open.pop(frame)
        call.locals = {name: _kept(held) for name, held in frame.f_locals.items()}
        call.span = _span(frame)
        call.value = value
        if self.is_root(call.code):
            self.roots[call.code] = call
        caller = self._open.get(frame.f_back) if frame.f_back else None
        if caller and frame.f_back and (span := _span(frame.f_back)):
            caller[1].calls[span[1], span[3], call.code] = call


def _kept(value: Any) -> Any:
    """The value as it is now, where it is a short list that could change later."""
    return list(value) if type(value) is list and len(value) <= 8 else value


def _span(frame: FrameType) -> Span | None:
    """The source range of the instruction that the frame is at, in lines and bytes."""
    positions = _positions(frame.f_code)[frame.f_lasti // 2]
    if None in positions:
        return None
    first, last, start, end = positions
    return first or 0, last or 0, start or 0, end or 0


@lru_cache(maxsize=256)
def _positions(code: CodeType) -> Sequence[tuple[int | None, int | None, int | None, int | None]]:
    return tuple(code.co_positions())


@lru_cache(maxsize=64)
def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def module_of(path: str) -> ast.Module | None:
    """The syntax tree of a source file, or None where it cannot be read."""
    return _parsed("".join(linecache.getlines(path)))


@lru_cache(maxsize=256)
def function_of(code: CodeType) -> Function | None:
    """The syntax tree of the function that a code object was made from, or None."""
    tree = module_of(code.co_filename)
    found = [node for node in ast.walk(tree) if _is_source(node, code)] if tree else []
    function = found[0] if len(found) == 1 else None
    return function if isinstance(function, Function) else None


def _is_source(node: ast.AST, code: CodeType) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    return (
        isinstance(node, ast.Lambda)
        and code.co_name == "<lambda>"
        and node.lineno == code.co_firstlineno
    )


def returned(call: Call) -> ast.expr | None:
    """The expression whose value the call returned, or None where that cannot be told."""
    function = function_of(call.code)
    if function is None or isinstance(function, ast.Lambda):
        return function.body if function else None
    returns = list(_returns(function.body))
    if call.span and len(returns) > 1:
        first, last = call.span[:2]
        # After `with` or `finally` the last instruction belongs to that statement or its head.
        around = [node for node in returns if node.lineno <= first and last <= _end(node)]
        blocks_left = [
            node
            for node in ast.walk(function)
            if isinstance(node, (ast.With, ast.Try)) and node.lineno <= first <= _end(node)
        ]
        innermost = max(blocks_left, key=lambda node: node.lineno, default=None)
        returns = around or (list(_returns([innermost])) if innermost else [])
    return returns[0].value if len(returns) == 1 else None


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _returns(body: Sequence[ast.stmt]) -> Iterator[ast.Return]:
    """The return statements of a function's body, those of inner functions left out."""
    for statement in body:
        if isinstance(statement, ast.Return):
            yield statement
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for inner in blocks(statement):
                yield from _returns(inner)


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of statements directly inside a compound statement."""
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body
