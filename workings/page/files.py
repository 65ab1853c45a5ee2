"""What lessons publish beside their pages: figures and their data as files, texts for machines."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from workings.figures.svg import standalone_svg
from workings.lesson import Lesson
from workings.page.blocks import figure_svg
from workings.page.render import PageRenderer
from workings.page.twin import llms_txt, twin
from workings.registry import Row


def lesson_files(root: Path, lessons: Mapping[str, Lesson]) -> dict[str, str]:
    """Address from the site's root -> text, for every lesson."""
    found: dict[str, str] = {}
    for slug, lesson in lessons.items():
        page = PageRenderer(root, lesson, lessons, lambda text: text)
        for name, figure in lesson.figures.items():
            base = f"lessons/{slug}/figures/{name}"
            found[f"{base}.svg"] = standalone_svg(figure_svg(page, name))
            rows = lesson.registry.numbers[figure.data.text].value if figure.data.text else None
            if isinstance(rows, tuple):
                found[f"{base}.csv"] = csv_text(rows)
    return found


def texts_for_machines(
    root: Path, lessons: Mapping[str, Lesson], site_name: str, about: str, home: str
) -> dict[str, str]:
    """Each page's Markdown twin, and llms.txt, which lists them; `home` is the site's address."""
    pages = {
        slug: PageRenderer(root, lesson, lessons, lambda text: text)
        for slug, lesson in lessons.items()
    }
    found = {
        f"lessons/{slug}/index.md": twin(page, f"{home}lessons/{slug}/" if home else "")
        for slug, page in pages.items()
    }
    return {**found, "llms.txt": llms_txt(site_name, about, list(pages.values()), home)}


def csv_text(rows: Sequence[Row]) -> str:
    """A table as CSV with a header line.

    >>> csv_text(({"reply": 1, "tokens": 50},))
    'reply,tokens\\n1,50\\n'
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
