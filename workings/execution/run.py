"""Runs a job of a lesson in a process of its own, or takes its result from the cache."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from workings.execution.cache import Cache, Identity, Stored
from workings.execution.closure import Closure, Files, closure_of
from workings.execution.faults import Place, from_json, timed_out
from workings.execution.launch import BARE, LAUNCHER, Surroundings
from workings.problems import Location, Problem

State = Literal["fresh", "cached", "failed"]
LOG = logging.getLogger("workings.execution")


@dataclass(frozen=True)
class Limits:
    """How long a job may run and how much memory it may take; not part of what it depends on."""

    seconds: float = 30.0
    memory_mib: int = 2048


DEFAULTS = Limits()


@dataclass(frozen=True)
class Job:
    """A function of Workings, `module:function`, to be run for one lesson with a JSON payload.

    `quiet` jobs may print nothing: printed words are a problem, not a result.
    """

    slug: str
    function: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    quiet: bool = True
    surroundings: Surroundings = BARE

    @property
    def name(self) -> str:
        """What a log calls it: `numbers` for `...:numbers_job`."""
        return self.function.rpartition(":")[2].removesuffix("_job").replace("_", " ")


@dataclass(frozen=True)
class JobResult:
    """What a job gave: its value (None where there are problems), and how it came about."""

    job: Job
    value: Any
    closure: Closure
    seconds: float
    problems: tuple[Problem, ...]
    state: State
    reason: str

    @property
    def line(self) -> str:
        """The line of a log."""
        return (
            f"code/{self.job.slug}: {self.job.name} {self.state} in {self.seconds:.2f} s"
            f" ({self.reason})"
        )


def run_job(
    root: Path,
    job: Job,
    *,
    limits: Limits = DEFAULTS,
    cache: Cache | None = None,
    files: Files | None = None,
) -> JobResult:
    """The result of a job, from the cache where nothing that it read has changed.

    `root` is the project's folder; `cache` defaults to its `.cache/workings`.
    """
    began = time.perf_counter()
    root = root.resolve()
    cache = cache or Cache(root / ".cache" / "workings")
    if wrong := _unfit(root, job.slug):
        return _failed(job, wrong, "not run", began)
    identity = Identity(job.slug, job.function, job.payload)
    found = cache.look_up(identity, files or Files(root))
    if found.stored:
        value, closure = found.stored.value, found.stored.closure
        return _log(JobResult(job, value, closure, _since(began), (), "cached", found.reason))
    value, closure, problems = _run(root, job, limits)
    if problems:
        return _failed(job, problems, found.reason, began, closure)
    seconds = _since(began)
    cache.store(identity, Stored(value, closure, seconds))
    return _log(JobResult(job, value, closure, seconds, (), "fresh", found.reason))


def run_jobs(
    root: Path,
    jobs: Sequence[Job],
    *,
    limits: Limits = DEFAULTS,
    at_once: int | None = None,
) -> list[JobResult]:
    """The results of several jobs, in their order, run side by side."""
    files = Files(root.resolve())
    workers = max(1, min(at_once or os.cpu_count() or 1, len(jobs)))
    with ThreadPoolExecutor(workers) as pool:
        try:
            return list(pool.map(lambda job: run_job(root, job, limits=limits, files=files), jobs))
        except BaseException:  # Ctrl-C: no process may stay behind
            pool.shutdown(wait=False, cancel_futures=True)
            LAUNCHER.stop()
            raise


def _run(root: Path, job: Job, limits: Limits) -> tuple[Any, Closure, tuple[Problem, ...]]:
    place = Place(str(root), job.slug)
    private = Path(tempfile.mkdtemp(prefix="workings-"))
    try:
        request = private / "request.json"
        request.write_text(_request(place, job, limits), encoding="utf-8")
        ended = LAUNCHER.run(request, job.surroundings, limits.seconds)
        try:
            result = json.loads((private / "result.json").read_text(encoding="utf-8"))
        except OSError:
            return None, Closure(), (_died(place, ended.code, limits),)
        output = (private / "output").read_text(encoding="utf-8", errors="replace")
    finally:
        shutil.rmtree(private, ignore_errors=True)
    closure = closure_of(root, result["reads"], result["packages"])
    problems = tuple(map(from_json, result["problems"]))
    printed = result["printed"] or place.tidy(output)
    if printed and job.quiet and not problems:
        at = Location(*result["printed_at"]) if result["printed_at"] else place.start
        problems = (_printed(at, printed),)
    return result["value"], closure, problems


def _request(place: Place, job: Job, limits: Limits) -> str:
    return json.dumps(
        {
            "root": place.root, "slug": place.slug, "job": job.function, "payload": job.payload,
            "seconds": limits.seconds, "memory_bytes": limits.memory_mib * 2**20,
        }
    )  # fmt: skip


def _printed(at: Location, printed: str) -> Problem:
    shown = printed if len(printed) <= 60 else printed[:57] + "..."
    return Problem(
        at, "lesson-prints", f"the lesson's code prints {shown!r} while it computes.",
        "Print only under `if __name__ == \"__main__\":`.",
    )  # fmt: skip


def _died(place: Place, code: int | None, limits: Limits) -> Problem:
    """The problem of a process that ended without a result."""
    if code is None or code == -getattr(signal, "SIGALRM", 0):
        return timed_out(limits.seconds, place.start)
    if code == -getattr(signal, "SIGKILL", 9):
        return Problem(
            place.start, "lesson-out-of-memory",
            "the lesson's code was killed by the system, most likely for want of memory.",
        )  # fmt: skip
    if code < 0:
        name = signal.Signals(-code).name
        return Problem(place.start, "lesson-exits", f"the lesson's code crashed Python ({name}).")
    return Problem(
        place.start,
        "lesson-exits",
        f"the lesson's code ended the process (exit code {code}).",
    )


def _unfit(root: Path, slug: str) -> tuple[Problem, ...]:
    """What is wrong with a lesson's folder itself.

    Where a module has the name of one of Python's own, it would be luck which is imported.
    """
    place = Place(str(root), slug)
    try:
        names = sorted(os.listdir(place.folder))
    except OSError:
        return (Problem(place.start, "no-numbers", f"there is no folder {place.label}."),)
    packages = [name for name in names if os.path.isfile(f"{place.folder}/{name}/__init__.py")]
    modules = [name for name in names if name.endswith(".py")]
    return tuple(
        Problem(
            Location(f"{place.label}/{name}"), "hidden-module",
            f"the name {name} hides Python's own module '{stem}'.", "Give it another name.",
        )
        for name in (*modules, *packages)
        if (stem := name.removesuffix(".py")) in sys.stdlib_module_names or stem == "workings"
    )  # fmt: skip


def _failed(
    job: Job,
    problems: Iterable[Problem],
    reason: str,
    began: float,
    closure: Closure | None = None,
) -> JobResult:
    seconds = _since(began)
    return _log(
        JobResult(job, None, closure or Closure(), seconds, tuple(problems), "failed", reason)
    )


def _log(result: JobResult) -> JobResult:
    LOG.info(result.line)
    return result


def _since(began: float) -> float:
    return time.perf_counter() - began
