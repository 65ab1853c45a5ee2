"""Runs the lessons' show_numbers.py and gives their numbers, with where each comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from workings.execution.cache import Cache, Identity
from workings.execution.closure import Closure, Files
from workings.execution.run import DEFAULTS, Job, JobResult, Limits, State, run_job, run_jobs
from workings.formula import from_json
from workings.problems import Location, Problem
from workings.project import Project
from workings.registry import Number, Registry, Scalar, Value, unit_of

Kind = Literal["numbers", "build_only"]


@dataclass(frozen=True)
class Execution:
    """One run of a lesson: its numbers (none where there are problems) and what it depends on.

    `defaults` are the parameters of numbers() that a reader may change; `build_only` gives, by
    name, the reason why build_only() computes a number. Both are empty for kind `build_only`.
    """

    lesson: str
    kind: Kind
    registry: Registry
    defaults: Mapping[str, Scalar]
    build_only: Mapping[str, str]
    closure: Closure
    seconds: float
    problems: tuple[Problem, ...]
    state: State
    reason: str


def execute(
    root: Path,
    slug: str,
    kind: Kind = "numbers",
    parameters: Mapping[str, Scalar] | None = None,
    limits: Limits = DEFAULTS,
) -> Execution:
    """The numbers of one lesson, by numbers(**parameters) or by build_only()."""
    if problems := _no_file(root, slug):
        return Execution(
            slug,
            kind,
            Registry(slug),
            {},
            {},
            Closure(),
            0,
            problems,
            "failed",
            "not run",
        )
    return _execution(run_job(root, _job(slug, kind, parameters or {}), limits=limits))


def execute_all(
    root: Path,
    slugs: Iterable[str],
    limits: Limits = DEFAULTS,
    at_once: int | None = None,
) -> dict[str, tuple[Execution, ...]]:
    """For each lesson its run of numbers() and, where it has one, of build_only()."""
    missing = {slug: execute(root, slug) for slug in slugs if _no_file(root, slug)}
    present = [slug for slug in slugs if slug not in missing]
    first = run_jobs(
        root,
        [_job(slug, "numbers") for slug in present],
        limits=limits,
        at_once=at_once,
    )
    made = {slug: [_execution(result)] for slug, result in zip(present, first, strict=True)}
    more = [slug for slug in present if made[slug][0].build_only]
    second = run_jobs(
        root,
        [_job(slug, "build_only") for slug in more],
        limits=limits,
        at_once=at_once,
    )
    for slug, result in zip(more, second, strict=True):
        made[slug].append(_execution(result))
    return {slug: (missing[slug],) if slug in missing else tuple(made[slug]) for slug in slugs}


def run_numbers(
    project: Project,
    slugs: Sequence[str],
    say: Callable[[str], None],
    problems: list[Problem],
) -> dict[str, Registry]:
    """The registries of the lessons that could be run; what is wrong is added to `problems`."""
    limits = Limits(project.settings.time_limit_s, project.settings.memory_limit_mib)
    registries: dict[str, Registry] = {}
    for slug, runs in execute_all(project.root, slugs, limits).items():
        for run in runs:
            problems += run.problems
            if run.state != "cached":
                say(run_line(run))
        if not any(run.problems for run in runs):
            registries[slug] = merged(slug, runs)
    return registries


def run_line(run: Execution) -> str:
    """The line of a log: fresh, cached or failed, the time and the reason."""
    kind = run.kind.replace("_", " ")
    return f"code/{run.lesson}: {kind} {run.state} in {run.seconds:.2f} s ({run.reason})"


def merged(slug: str, runs: Iterable[Execution]) -> Registry:
    """The numbers of numbers() and of build_only() together, with the reasons of the latter."""
    reasons: dict[str, str] = {}
    numbers: dict[str, Number] = {}
    for run in runs:
        reasons |= run.build_only
        for name, number in run.registry.numbers.items():
            numbers[name] = replace(number, build_only=reasons.get(name))
    return Registry(slug, MappingProxyType(numbers))


def why(root: Path, slug: str) -> dict[Kind, str]:
    """For each run of a lesson, what a build would do now and for what reason. Runs nothing."""
    files, cache = Files(root.resolve()), Cache(root.resolve() / ".cache" / "workings")
    found: dict[Kind, str] = {}
    for kind in ("numbers", "build_only"):
        job = _job(slug, kind)
        look = cache.look_up(Identity(slug, job.function, job.payload), files)
        if kind == "build_only" and look.reason == "first run":
            continue
        found[kind] = f"cached: {look.reason}" if look.stored else f"runs: {look.reason}"
    return found


def _job(slug: str, kind: Kind, parameters: Mapping[str, Scalar] | None = None) -> Job:
    payload = {"parameters": dict(parameters or {})} if kind == "numbers" else {}
    function = f"workings.execution.lesson:{kind}_job"
    return Job(slug, function, payload, quiet=kind == "numbers")


def _no_file(root: Path, slug: str) -> tuple[Problem, ...]:
    path = f"code/{slug}/show_numbers.py"
    if (root / path).is_file():
        return ()
    mend = "Write it with a function numbers() that returns the lesson's numbers by name."
    return (Problem(Location(path), "no-numbers", "there is no such file.", mend),)


def _execution(result: JobResult) -> Execution:
    slug, kind = result.job.slug, result.job.name.replace(" ", "_")
    held: Mapping[str, Any] = result.value or {}
    return Execution(
        lesson=slug,
        kind="build_only" if kind == "build_only" else "numbers",
        registry=Registry(slug, MappingProxyType(_numbers(held) if held else {})),
        defaults=held.get("defaults", {}),
        build_only=held.get("build_only", {}),
        closure=result.closure,
        seconds=result.seconds,
        problems=result.problems,
        state=result.state,
        reason=result.reason,
    )


def _numbers(held: Mapping[str, Any]) -> dict[str, Number]:
    units, numbers = held.get("units", {}), {}
    for name, value in held["values"].items():
        origin = held["provenance"][name]
        numbers[name] = Number(
            name=name,
            value=_value(value),
            unit=units.get(name) or unit_of(name),
            expression=origin["expression"],
            path=origin["path"],
            line=origin["line"],
            formula=from_json(origin["formula"]),
        )
    return numbers


def _value(value: Any) -> Value:
    return tuple(MappingProxyType(row) for row in value) if isinstance(value, list) else value
