"""Lessons of a few lines, for the tests that run them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from workings.execution.execute import Execution, execute
from workings.execution.run import DEFAULTS, Limits
from workings.registry import Scalar

Files = Mapping[str, str | bytes]


@dataclass(frozen=True)
class Lesson:
    """The lesson `code/<slug>` of a project at `root`."""

    root: Path
    slug: str = "tea"

    @property
    def folder(self) -> Path:
        return self.root / "code" / self.slug

    def write(self, files: Files) -> Lesson:
        """Write files below the lesson's folder."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        return self

    def numbers(self, body: str) -> Lesson:
        """Write a show_numbers.py whose numbers() has this body."""
        lines = "".join(f"    {line}\n" if line else "\n" for line in dedent(body).splitlines())
        return self.write({"show_numbers.py": f"def numbers():\n{lines}"})

    def run(self, **parameters: Scalar) -> Execution:
        return execute(self.root, self.slug, parameters=parameters)

    def values(self, **parameters: Scalar) -> dict[str, object]:
        """The values of a run that must go well."""
        run = self.run(**parameters)
        assert run.problems == ()
        return {name: number.value for name, number in run.registry.numbers.items()}

    def messages(self, limits: Limits = DEFAULTS) -> list[str]:
        """Every problem of a run, as the author reads it."""
        return [str(problem) for problem in execute(self.root, self.slug, limits=limits).problems]


def processes_left_in(folder: Path) -> list[str]:
    """The processes that go on working in a folder, by their ids (Linux).

    One that was killed may take a moment to go.
    """
    deadline = time.monotonic() + 10
    while (found := _processes_in(folder)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


def _processes_in(folder: Path) -> list[str]:
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            place = os.readlink(f"/proc/{pid}/cwd")
        except OSError:
            continue
        if place.startswith(str(folder)):
            found.append(pid)
    return found
