"""Small sites in, pages and problems out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from workings.problems import Problem, ProblemsError
from workings.project import read_project
from workings.site import Site, prepare

ROOT = Path(__file__).parent.parent

MKDOCS = """\
site_name: Small
strict: true
theme: {name: material, font: false}
plugins: [search, workings, macros]
"""

LESSON: Mapping[str, str] = {
    "mkdocs.yml": MKDOCS,
    "docs/index.md": "# Home\n",
    "lessons/tea/index.md": """\
        ---
        title: Tea for {{ n.guests }}
        description: How much water to boil.
        ---

        # Tea

        Boil {{ n.water_ml }} ml for {{ n.guests | words }} guests.
        """,
    "code/tea/show_numbers.py": '''\
        """The numbers of the lesson."""

        import kettle


        def numbers(*, guests=4):
            return {
                "guests": guests,
                "water_ml": kettle.water_ml(guests),
            }
        ''',
    "code/tea/kettle.py": '''\
        """How much water a round of tea takes."""

        CUP_ML = 250


        def water_ml(guests):
            """Water for one cup each."""
            return guests * CUP_ML
        ''',
}


@dataclass(frozen=True)
class Built:
    """What `mkdocs build` did: its exit code, all that it printed, and the folder of the site."""

    code: int
    output: str
    site: Path

    def page(self, address: str = "lessons/tea/index.html") -> str:
        return (self.site / address).read_text(encoding="utf-8")

    def article(self, address: str = "lessons/tea/index.html") -> str:
        """The page's content area, without the theme around it."""
        found = re.search(r"<article[^>]*>(.*?)</article>\s*</div>", self.page(address), re.DOTALL)
        assert found, "the page has no article"
        return found[1]

    def numbers(self, slug: str = "tea") -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.page(f"lessons/{slug}/numbers.json"))
        return made


@dataclass(frozen=True)
class SmallSite:
    """A project in a temporary folder."""

    root: Path

    def write(self, files: Mapping[str, str | bytes]) -> SmallSite:
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, bytes):
                target.write_bytes(text)
            else:
                target.write_text(dedent(text), encoding="utf-8")
        return self

    def remove(self, path: str) -> SmallSite:
        (self.root / path).unlink()
        return self

    def edit(self, path: str, old: str, new: str) -> SmallSite:
        """Replace `old`, which must stand exactly once."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")
        return self

    def prepare(self) -> Site:
        return prepare(read_project(self.root))

    def problems(self) -> list[Problem]:
        """Every problem that stops the site from being published; none for a good one."""
        try:
            self.prepare()
        except ProblemsError as error:
            return list(error.problems)
        return []

    def messages(self) -> list[str]:
        return [str(problem) for problem in self.problems()]

    def build(self, *arguments: str) -> Built:
        """Run `mkdocs build` as an author does."""
        environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "1700000000"}
        done = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", *arguments],
            cwd=self.root, env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        return Built(done.returncode, done.stdout + done.stderr, self.root / "site")


@pytest.fixture
def small_site(tmp_path: Path) -> Callable[..., SmallSite]:
    """A good site of one small lesson, with the given files written over it."""

    def make(files: Mapping[str, str | bytes] | None = None) -> SmallSite:
        return SmallSite(tmp_path).write(LESSON).write(files or {})

    return make
