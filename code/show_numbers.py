"""Every number of every lesson, or of the one named: a table, or JSON with --json.

    python3 show_numbers.py [SLUG] [--json]

Needs nothing but Python. Each lesson's own show_numbers.py runs in a process of its own, so that
lessons never share a module. With --json standard output holds JSON alone: one object, lessons by
name, or the numbers of the lesson that was named.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
EXIT_USAGE = 2
EXIT_LESSON_FAILED = 4


def slugs() -> list[str]:
    """The lessons: every folder here with a show_numbers.py."""
    return sorted(file.parent.name for file in FOLDER.glob("*/show_numbers.py"))


def numbers(slug: str) -> tuple[dict[str, Any] | None, str]:
    """The numbers of a lesson, or None and what its code said when it failed."""
    done = subprocess.run(
        [sys.executable, "-B", "show_numbers.py", "--json"],
        cwd=FOLDER / slug, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return None, last[0]
    try:
        return json.loads(done.stdout), ""
    except ValueError:
        return None, "it printed something that is no JSON"


def shown(name: str, value: Any) -> str:
    """The lines of a table for one number, or for the rows of one."""
    if not isinstance(value, list):
        return f"  {name:36} {grouped(value)}"
    rows = (
        "    " + ", ".join(f"{key} {grouped(cell)}" for key, cell in row.items()) for row in value
    )
    return "\n".join([f"  {name}", *rows])


def grouped(value: Any) -> str:
    """The value with its thousands apart.

    >>> grouped(147456), grouped(0.5), grouped(True), grouped("Qwen3-8B")
    ('147,456', '0.5', 'True', 'Qwen3-8B')
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:,}" if is_number else str(value)


def main(arguments: list[str]) -> int:
    """Print the numbers; the exit code says whether every lesson's code ran."""
    parser = argparse.ArgumentParser(description="Print every number of the lessons.")
    parser.add_argument("slug", nargs="?", metavar="SLUG", help="one lesson, instead of all")
    parser.add_argument("--json", action="store_true", help="print JSON alone")
    options = parser.parse_args(arguments)
    known = slugs()
    if options.slug and options.slug not in known:
        print(f"there is no lesson '{options.slug}'. Known: {', '.join(known)}.", file=sys.stderr)
        return EXIT_USAGE
    chosen = [options.slug] if options.slug else known
    with ThreadPoolExecutor() as pool:
        results = dict(zip(chosen, pool.map(numbers, chosen), strict=True))
    failed = {slug: said for slug, (found, said) in results.items() if found is None}
    for slug, said in failed.items():
        print(f"code/{slug}/show_numbers.py failed: {said}", file=sys.stderr)
    found = {slug: values for slug, (values, _) in results.items() if values is not None}
    if options.json:
        if not (options.slug and failed):
            print(json.dumps(found[options.slug] if options.slug else found, indent=1))
    else:
        for slug, values in found.items():
            print(slug, *(shown(name, value) for name, value in values.items()), sep="\n")
    return EXIT_LESSON_FAILED if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
