"""The jobs that run show_numbers.py: numbers(**parameters), and build_only(). Run in the child."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from types import FunctionType, ModuleType
from typing import Any

from workings.execution.faults import Place
from workings.execution.provenance import Sources
from workings.execution.values import problems_of
from workings.formula import Folder, lesson_code
from workings.notation import is_scalar
from workings.problems import Location, Problem, ProblemsError, did_you_mean
from workings.tracing import Recorder


def numbers_job(place: Place, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Every value of numbers(), where each comes from, and what else the file declares."""
    module, numbers = _function(place, "numbers", "no-numbers")
    at = _at(place, numbers)
    defaults = _defaults(numbers, at)
    parameters = payload["parameters"]
    unknown = [
        Problem(at, "unknown-parameter", f"numbers() has no parameter '{name}'.",
                did_you_mean(name, defaults))
        for name in parameters if name not in defaults
    ]  # fmt: skip
    reasons = _texts(module, "BUILD_ONLY", at, "bad-build-only")
    units = _texts(module, "UNITS", at, "bad-units")
    if unknown:
        raise ProblemsError(unknown)
    result = _call(place, numbers, parameters, formulas=True)
    problems = [
        Problem(at, "bad-build-only", f"BUILD_ONLY names '{name}', which numbers() returns too.",
                "A number comes from numbers() or from build_only().")
        for name in reasons if name in result["values"]
    ] + [
        Problem(at, "bad-units", f"UNITS names '{name}', which numbers() does not return.",
                did_you_mean(name, result["values"]))
        for name in units if name not in result["values"] and name not in reasons
    ]  # fmt: skip
    if problems:
        raise ProblemsError(problems)
    return {**result, "defaults": defaults, "units": units, "build_only": reasons}


def build_only_job(place: Place, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Every value of build_only(), which must be exactly those that BUILD_ONLY explains."""
    module, function = _function(place, "build_only", "bad-build-only")
    at = _at(place, function)
    reasons = _texts(module, "BUILD_ONLY", at, "bad-build-only")
    result = _call(place, function, {}, formulas=False)
    given = result["values"]
    problems = [
        Problem(at, "bad-build-only", f"build_only() lacks '{name}', which BUILD_ONLY names.")
        for name in reasons if name not in given
    ] + [
        Problem(at, "bad-build-only", f"build_only() returns '{name}', which BUILD_ONLY lacks.",
                "Add it to BUILD_ONLY with the reason why a browser cannot compute it.")
        for name in given if name not in reasons
    ]  # fmt: skip
    if problems:
        raise ProblemsError(problems)
    return result


def _function(place: Place, name: str, rule: str) -> tuple[ModuleType, FunctionType]:
    module = importlib.import_module("show_numbers")
    function = getattr(module, name, None)
    if isinstance(function, FunctionType):
        return module, function
    functions = [key for key, value in vars(module).items() if isinstance(value, FunctionType)]
    raise ProblemsError(
        [
            Problem(
                place.start,
                rule,
                f"there is no function {name}() here.",
                did_you_mean(name, functions),
            )
        ]
    )


def _at(place: Place, function: FunctionType) -> Location:
    code = inspect.unwrap(function).__code__
    path = place.name(code.co_filename) if place.holds(code.co_filename) else place.start.path
    return Location(path, code.co_firstlineno)


def _defaults(function: Callable[..., Any], at: Location) -> dict[str, Any]:
    """The parameters that a reader may change, with their defaults."""
    defaults, problems = {}, []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            says = f"numbers() takes {'*' * (1 + (parameter.kind is parameter.VAR_KEYWORD))}{name}."
            problems.append(Problem(at, "bad-parameter", says, "Name each parameter."))
        elif parameter.default is parameter.empty:
            says = f"the parameter '{name}' of numbers() has no default."
            problems.append(Problem(at, "bad-parameter", says, f"Give it one: {name}=..."))
        elif not is_scalar(parameter.default):
            says = f"the default of the parameter '{name}' is no int, float, str or bool."
            problems.append(Problem(at, "bad-parameter", says))
        else:
            defaults[name] = parameter.default
    if problems:
        raise ProblemsError(problems)
    return defaults


def _texts(module: ModuleType, name: str, at: Location, rule: str) -> dict[str, str]:
    """A module's dictionary of texts, such as UNITS; empty where there is none."""
    texts = getattr(module, name, {})
    if isinstance(texts, Mapping) and all(
        isinstance(key, str) and isinstance(text, str) and text for key, text in texts.items()
    ):
        return dict(texts)
    raise ProblemsError([Problem(at, rule, f"{name} is no dictionary from names to texts.")])


def _call(
    place: Place, function: FunctionType, parameters: Mapping[str, Any], formulas: bool
) -> dict[str, Any]:
    """The values and where they come from; without formulas the code runs at its full speed."""
    code = inspect.unwrap(function).__code__
    sources = Sources(place, code)
    own = {code.co_filename, *([sources.path] if sources.path else [])}
    recorder = Recorder(
        lambda other: other.co_filename in own,
        lesson_code(Folder(place.folder, place.label)),
    )
    with recorder if formulas else nullcontext():
        result = function(**parameters)
    name = function.__name__
    if problems := problems_of(result, name, _at(place, function), sources.where):
        raise ProblemsError(problems)
    values = dict(result)
    return {"values": values, "provenance": sources.provenance(values, recorder.roots)}
