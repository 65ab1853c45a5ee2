"""Change one input of the real lesson, and all that shows it changes alike."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from lxml import html as lxml_html

ROOT = Path(__file__).parent.parent
SLUG = "why-chatbots-forget"
SHOW = f"code/{SLUG}/show_numbers.py"


@dataclass(frozen=True)
class Page:
    """Where a number can be shown, as text by place, from one built lesson page."""

    numbers: dict[str, object]
    prose: dict[str, set[str]]
    cells: dict[str, set[str]]
    alt: str
    drawing: str
    quiz: str
    widget: str
    structured: str
    description: str


def read(site: Path) -> Page:
    folder = site / "lessons" / SLUG
    tree = lxml_html.document_fromstring((folder / "index.html").read_text(encoding="utf-8"))
    published = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))["numbers"]
    prose: dict[str, set[str]] = {}
    cells: dict[str, set[str]] = {}
    for element in tree.iter("data"):
        if element.get("class") == "wk-number":
            in_cell = any(parent.tag == "td" for parent in element.iterancestors())
            shown = cells if in_cell else prose
            shown.setdefault(str(element.get("data-name")), set()).add(str(element.get("value")))

    def found(path: str) -> list[Any]:
        result: Any = tree.xpath(path)
        return list(result)

    def joined(path: str) -> str:
        return "\n".join(" ".join(element.itertext()) for element in found(path))

    return Page(
        numbers={number["name"]: number["value"] for number in published},
        prose=prose,
        cells=cells,
        alt=joined("//figure//*[local-name()='desc']"),
        drawing=joined("//figure//*[local-name()='text']"),
        quiz=joined("//section[@class='wk-quiz']")
        + " ".join(found("//article[@class='wk-question']/@data-answer")),
        widget=" ".join(found("//wk-widget//input/@value")) + joined("//wk-widget//output"),
        structured=joined("//script[@type='application/ld+json']"),
        description=found("//meta[@name='description']/@content")[0],
    )


@dataclass
class Copy:
    """A copy of the project whose lesson may be changed."""

    root: Path

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")

    def build(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mkdocs", "build"],
            cwd=self.root, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip

    def page(self) -> Page:
        done = self.build()
        assert done.returncode == 0, done.stdout + done.stderr
        return read(self.root / "site")


def copied(target: Path) -> Copy:
    for name in ("lessons", "code", "widgets", "docs"):
        shutil.copytree(
            ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    for name in ("mkdocs.yml", "build_figures.py"):
        shutil.copy(ROOT / name, target / name)
    if (ROOT / ".cache").is_dir():  # what is there needs no second making
        shutil.copytree(ROOT / ".cache", target / ".cache")
    return Copy(target)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Copy, Page]:
    copy = copied(tmp_path_factory.mktemp("project"))
    return copy, copy.page()


CHANGES = {
    "message size": (SHOW, "message_tokens: int = 50", "message_tokens: int = 40"),
    "window": (SHOW, "window_tokens: int = 450", "window_tokens: int = 350"),
    "the quiz's messages": (SHOW, "QUIZ_MESSAGE_TOKENS = 40", "QUIZ_MESSAGE_TOKENS = 50"),
}
# Which places each change must reach; together they are all there are.
REACHES = {
    "message size": {"prose", "cells", "alt", "drawing", "widget"},
    "window": {"prose", "cells", "drawing", "widget"},
    "the quiz's messages": {"prose", "quiz", "structured"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_input_changes_every_place_that_shows_it(
    published: tuple[Copy, Page], change: str
) -> None:
    copy, before = published
    path, old, new = CHANGES[change]
    copy.edit(path, old, new)
    try:
        after = copy.page()
    finally:
        copy.edit(path, new, old)
    moved = {name for name, value in after.numbers.items() if before.numbers.get(name) != value}
    assert moved, "the change moved no number"
    reached = {
        place
        for place in ("prose", "cells", "alt", "drawing", "quiz", "widget", "structured")
        if getattr(before, place) != getattr(after, place)
    }
    assert reached >= REACHES[change]
    for shown in (after.prose, after.cells):
        for name, values in shown.items():
            value = after.numbers[name]
            assert values == {value if isinstance(value, str) else repr(value)}


def test_a_claim_that_a_change_makes_false_stops_the_build_and_is_named(
    published: tuple[Copy, Page],
) -> None:
    copy, _ = published
    path = f"code/{SLUG}/models/qwen3-8b.json"
    old, new = '"num_key_value_heads": 8', '"num_key_value_heads": 16'
    good = (copy.root / "site" / "lessons" / SLUG / "index.html").read_bytes()
    copy.edit(path, old, new)
    try:
        done = copy.build()
    finally:
        copy.edit(path, new, old)
    output = done.stdout + done.stderr
    assert done.returncode == 1
    assert re.search(
        rf"lessons/{SLUG}/index\.md:\d+:\d+: \[false-claim\] '[^']+' does not hold: ", output
    )
    assert "Traceback" not in output
    assert (copy.root / "site" / "lessons" / SLUG / "index.html").read_bytes() == good


def content(root: Path) -> dict[str, bytes]:
    """Every file of the site; the dates of the sitemap are those of the build."""
    site = root / "site"
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file() and not path.name.startswith("sitemap")
    }


def test_a_second_build_runs_nothing_and_gives_the_same_bytes(
    published: tuple[Copy, Page],
) -> None:
    copy, _ = published
    copy.build()
    first, done = content(copy.root), copy.build()
    assert " fresh " not in done.stdout + done.stderr
    assert content(copy.root) == first


def test_a_clean_build_equals_an_incremental_one(
    published: tuple[Copy, Page], tmp_path: Path
) -> None:
    copy, _ = published
    path, old, new = CHANGES["window"]
    copy.edit(path, old, new)
    copy.build()
    copy.edit(path, new, old)
    copy.build()
    clean = copied(tmp_path / "project")
    for name in ("runs", "widgets", "runtime"):
        shutil.rmtree(clean.root / ".cache" / "workings" / name, ignore_errors=True)
    done = clean.build()
    assert " fresh " in done.stdout + done.stderr
    assert content(clean.root) == content(copy.root)
