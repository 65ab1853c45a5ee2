"""Change each numeric constant of a lesson in turn, and see who notices.

`python tests/mutants.py SLUG [--every N]` prints the kill rate and the survivors. A constant is killed
when a change of it changes a number of the page or fails the lesson's tests, whose failures the page
asserts to be none; a bound number changes in all its places, which other tests prove.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
_JSON_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?')


@dataclass(frozen=True)
class Mutant:
    """One constant made another: `old` at `start` in the file becomes `new`."""

    path: str
    line: int
    start: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old} -> {self.new}"

    def applied(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.start + len(self.old) :]


def mutants(folder: Path) -> Iterator[Mutant]:
    """Every numeric constant of the lesson's code and data, each made a little larger."""
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.name == "figures.py":  # sizes of drawings; its numbers come from show_numbers.py
            continue
        if file.suffix == ".py" and not file.name.startswith(("test_", "conftest")):
            yield from _python(path, file.read_text(encoding="utf-8"))
        elif file.suffix == ".json":
            yield from _json(path, file.read_text(encoding="utf-8"))


def _python(path: str, text: str) -> Iterator[Mutant]:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Constant):
            continue
        value = node.value
        if not isinstance(value, int | float) or isinstance(value, bool):
            continue
        line = lines[node.lineno - 1]
        start = starts[node.lineno - 1] + len(line.encode()[: node.col_offset].decode())
        end = len(line.encode()[: node.end_col_offset].decode()) + starts[node.lineno - 1]
        yield Mutant(path, node.lineno, start, text[start:end], repr(_larger(value)))


def _json(path: str, text: str) -> Iterator[Mutant]:
    for match in _JSON_TOKEN.finditer(text):
        if match[0].startswith('"'):
            continue
        line = text.count("\n", 0, match.start()) + 1
        new = json.dumps(_larger(json.loads(match[0])))
        yield Mutant(path, line, match.start(), match[0], new)


def _larger(value: float) -> float:
    return value + 1 if isinstance(value, int) else value * 1.25 + 0.25


@dataclass(frozen=True)
class Lesson:
    """A copy of a lesson's folder in which one constant at a time is changed."""

    folder: Path
    numbers: str

    def notices(self, mutant: Mutant) -> str | None:
        """Who notices the mutant: `numbers` or `tests`; None where nobody does."""
        file = self.folder / mutant.path
        text = file.read_text(encoding="utf-8")
        file.write_text(mutant.applied(text), encoding="utf-8")
        try:
            if _numbers(self.folder) != self.numbers:
                return "numbers"
            return None if _passes(self.folder) else "tests"
        finally:
            file.write_text(text, encoding="utf-8")


def lesson_copy(slug: str, target: Path) -> Lesson:
    """The lesson in a folder of its own, and what it says unchanged."""
    folder = target / "code" / slug
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    shutil.copytree(ROOT / "code" / slug, folder, ignore=ignored)
    numbers = _numbers(folder)
    json.loads(numbers)  # the unchanged lesson runs
    return Lesson(folder, numbers)


_ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
_CODE = """
import json, sys
sys.path.insert(0, ".")
import show_numbers
print(json.dumps(show_numbers.numbers(), default=repr))
"""


def _numbers(folder: Path) -> str:
    """The lesson's numbers as text, or why there are none."""
    done = subprocess.run(
        [sys.executable, "-c", _CODE], cwd=folder, env=_ENVIRONMENT,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.stdout if done.returncode == 0 else f"failed: {done.stderr[-200:]}"


def _passes(folder: Path) -> bool:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "."],
        cwd=folder, env=_ENVIRONMENT, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    return done.returncode == 0


def survivors(slug: str, every: int, target: Path, workers: int = 2) -> tuple[int, list[Mutant]]:
    """How many mutants were tried, and those that nobody noticed."""
    tried = list(mutants(ROOT / "code" / slug))[::every]
    lessons = [lesson_copy(slug, target / str(worker)) for worker in range(workers)]

    def run(worker: int) -> list[Mutant]:
        lesson = lessons[worker]
        return [mutant for mutant in tried[worker::workers] if lesson.notices(mutant) is None]

    with ThreadPoolExecutor(workers) as pool:
        found = [mutant for part in pool.map(run, range(workers)) for mutant in part]
    return len(tried), sorted(found, key=lambda mutant: (mutant.path, mutant.line))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slug")
    parser.add_argument("--every", type=int, default=1, help="try each Nth constant only")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as target:
        count, alive = survivors(given.slug, given.every, Path(target))
    killed = count - len(alive)
    for mutant in alive:
        print(f"survived: {mutant}")
    print(f"{killed} of {count} constants killed ({killed / count:.1%})")


if __name__ == "__main__":
    main()
