"""Time what an author waits for: `make bench`, or `python tools/bench.py --runs 5`.

Builds a copy of the site in a temporary folder. The tools that the browser's Python is made with
are taken along, since fetching them measures the network.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = shutil.ignore_patterns(
    ".*", "site", "node_modules", "tests", "workings*", "__pycache__"
)
TOOLCHAIN = Path(".cache", "workings", "toolchain")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="builds of each kind")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "copy"
        shutil.copytree(ROOT, site, ignore=NOT_COPIED)
        if (ROOT / TOOLCHAIN).is_dir():
            shutil.copytree(ROOT / TOOLCHAIN, site / TOOLCHAIN)
        build_s(site)  # fetches the tools where they are missing, and warms the disk
        print(f"{'seconds, median of ' + str(runs):28}  lowest - highest")
        for name, prepare in KINDS.items():
            times_s = [prepared_build_s(site, prepare, run) for run in range(runs)]
            print(f"{name:20} {median(times_s):7.2f}  {min(times_s):7.2f} - {max(times_s):.2f}")


def prepared_build_s(site: Path, prepare: Callable[[Path, int], None], run: int) -> float:
    prepare(site, run)
    return build_s(site)


def build_s(site: Path) -> float:
    """Wall time of one `mkdocs build`; its own messages where it fails."""
    variables = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build"]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=site, env=variables, capture_output=True, check=False)
    taken_s = time.perf_counter() - start
    if done.returncode:
        sys.exit((done.stdout + done.stderr).decode())
    return taken_s


def nothing_kept(site: Path, run: int) -> None:
    """Every result is computed anew."""
    with tempfile.TemporaryDirectory(dir=site) as folder:
        aside = Path(folder) / "toolchain"
        (site / TOOLCHAIN).rename(aside)
        shutil.rmtree(site / ".cache")
        (site / TOOLCHAIN.parent).mkdir(parents=True)
        aside.rename(site / TOOLCHAIN)


def nothing_changed(site: Path, run: int) -> None:
    """Every result is there."""


def prose_edited(site: Path, run: int) -> None:
    """A paragraph more on one page."""
    append(next(site.glob("lessons/*/index.md")), f"\nA new paragraph {'again ' * run}\n")


def code_edited(site: Path, run: int) -> None:
    """One lesson's numbers, figures and calculator are computed anew."""
    append(next(site.glob("code/*/show_numbers.py")), f"\n# Edited {'again ' * run}\n")


KINDS = {
    "nothing kept": nothing_kept,
    "nothing changed": nothing_changed,
    "prose edited": prose_edited,
    "code edited": code_edited,
}


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
