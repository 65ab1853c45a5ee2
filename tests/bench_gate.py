"""How long the gate takes on 1, 10, 100 and 1,000 lessons: python tests/bench_gate.py [LESSONS ...]

Each lesson is a copy of the real one under a name of its own, with one character changed, so that no
copy is known from another. The time is that of the check alone; nothing is run or drawn.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from workings.execution.execute import run_numbers
from workings.facts import read_facts
from workings.gate import Options, check_numbers
from workings.problems import Problem
from workings.project import read_project
from workings.prose import Source

ROOT = Path(__file__).parent.parent
SLUG = "why-chatbots-forget"


def main(counts: list[int]) -> None:
    """Print the milliseconds for each count of lessons, and for each lesson of it."""
    problems: list[Problem] = []
    registry = run_numbers(read_project(ROOT), [SLUG], lambda line: None, problems)[SLUG]
    facts = read_facts(
        (ROOT / "lessons/facts.yml").read_text(encoding="utf-8"), "lessons/facts.yml"
    )
    paths = [f"lessons/{SLUG}/index.md", f"lessons/{SLUG}/quiz.yml", f"widgets/{SLUG}/widget.yml"]
    paths += [p.relative_to(ROOT).as_posix() for p in sorted((ROOT / "code" / SLUG).glob("*.py"))]
    texts = {
        path: (ROOT / path).read_text(encoding="utf-8") for path in paths if "/test_" not in path
    }
    print(f"{len(texts)} files of {sum(map(len, texts.values())):,} characters a lesson")
    for count in counts:
        start = time.perf_counter()
        for number in range(count):
            slug = f"{SLUG}-{count}-{number}"
            sources = [Source(path.replace(SLUG, slug), text) for path, text in texts.items()]
            check_numbers(sources, registry, facts, {}, Options(slug))
        passed_ms = 1000 * (time.perf_counter() - start)
        print(f"{count:6,} lessons {passed_ms:10,.0f} ms {passed_ms / count:8.1f} ms a lesson")


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [1, 10, 100, 1000])
