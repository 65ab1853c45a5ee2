"""The lesson's figures as a reader gets them: legible, in bounds, in the page's colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

LESSON = "lessons/why-chatbots-forget/?track=both"
FIGURES = ["resend-every-turn", "window-covers-newest", "reread-grows", "cache-memory-line"]

# Every label of a figure: what it says, its box and the height of its font, in px of the screen.
_LABELS = """
figure => {
  const svg = figure.querySelector("svg")
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
  const box = element => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return { left, top, right, bottom }
  }
  return {
    frame: box(svg),
    labels: [...svg.querySelectorAll("text")].map(text => ({
      says: text.textContent,
      px: parseFloat(getComputedStyle(text).fontSize) * scale,
      ...box(text),
    })),
  }
}
"""
SLACK_PX = 1.5  # a line's box is higher than its letters


def labels(page: Page, name: str) -> dict[str, Any]:
    made: dict[str, Any] = page.locator(f"#fig-{name}").evaluate(_LABELS)
    return made


def overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > SLACK_PX and down > 2 * SLACK_PX)


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_labels_are_legible_inside_and_apart(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(LESSON, viewport={"width": width, "height": 800})
    for name in FIGURES:
        made = labels(page, name)
        frame, drawn = made["frame"], made["labels"]
        assert drawn
        for label in drawn:
            assert label["px"] >= 11, (name, label)
            assert label["left"] >= frame["left"] - SLACK_PX, (name, label)
            assert label["right"] <= frame["right"] + SLACK_PX, (name, label)
        crowded = [
            (one["says"], other["says"])
            for index, one in enumerate(drawn)
            for other in drawn[index + 1 :]
            if overlap(one, other)
        ]
        assert crowded == [], name


def test_a_figure_never_makes_a_phone_scroll_sideways(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, viewport={"width": 320, "height": 800})
    for name in FIGURES:
        frame = labels(page, name)["frame"]
        assert frame["left"] >= 0 and frame["right"] <= 320


def test_figures_follow_light_and_dark(open_page: Callable[..., Page]) -> None:
    fills = []
    for scheme in ("light", "dark"):
        page = open_page(LESSON, color_scheme=scheme)
        fills.append(
            page.locator("#fig-reread-grows .wk-c1-fill").first.evaluate(
                "element => getComputedStyle(element).fill"
            )
        )
    assert fills == ["rgb(26, 95, 202)", "rgb(134, 187, 255)"]


def test_figures_read_without_script_and_say_what_they_show(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(LESSON, java_script_enabled=False)
    for name in FIGURES:
        image = page.locator(f"#fig-{name} svg")
        assert image.get_attribute("role") == "img"
        described = (image.get_attribute("aria-labelledby") or "").split()
        title, description = (page.locator(f"#{part}").text_content() for part in described)
        assert title and description and len(description) > 100
        assert "{{" not in title + description
    assert page.get_by_role("img", name="Every turn sends the whole chat again").count() == 1


def test_no_style_attribute_and_no_id_twice(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, java_script_enabled=False)
    source = page.content()
    for name in FIGURES:
        assert page.locator(f"#fig-{name} [style]").count() == 0
    ids = [part.split('"', 1)[0] for part in source.split(' id="')[1:]]
    in_figures = [each for each in ids if each.startswith("fig-")]
    assert len(in_figures) == len(set(in_figures))
