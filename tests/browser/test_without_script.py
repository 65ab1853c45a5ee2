"""What a reader without JavaScript has: everything essential."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from .conftest import Served

LESSON = "lessons/why-chatbots-forget/"
Open = Callable[..., Page]


@pytest.fixture
def page(open_page: Open) -> Page:
    opened: Page = open_page(LESSON, java_script_enabled=False)
    return opened


def test_both_tracks_are_shown_in_order(page: Page) -> None:
    tracks = page.locator("section.wk-track")
    shown = [tracks.nth(i).get_attribute("data-track") for i in range(tracks.count())]
    assert set(shown) == {"plain", "deep"}
    assert all(tracks.nth(i).is_visible() for i in range(tracks.count()))
    assert not page.locator(".wk-track-switch").is_visible()


def test_every_number_of_the_page_is_published_with_its_value(page: Page, site: Served) -> None:
    path = site.folder / LESSON / "numbers.json"
    values = {n["name"]: n["value"] for n in json.loads(path.read_text("utf-8"))["numbers"]}
    shown = page.locator("data.wk-number").all()
    assert len(shown) > 300
    for element in shown:
        value = values[element.get_attribute("data-name") or ""]
        assert element.get_attribute("value") == (value if isinstance(value, str) else repr(value))


def test_the_calculator_shows_the_results_of_its_defaults(page: Page) -> None:
    cache, history = page.locator("wk-widget").all()
    for text in ("147,456 B", "2 × 36 × 8 × 128 × 2", "5.625 GiB"):
        assert cache.get_by_text(text, exact=False).first.is_visible()
    for text in ("5,000", "1,000", "3,500"):
        assert history.get_by_text(text, exact=False).first.is_visible()
    assert cache.locator("input, select").first.is_visible()


def test_each_question_opens_to_its_answer(page: Page) -> None:
    questions = page.locator(".wk-question").all()
    assert len(questions) == 5
    for question in questions:
        answer = question.locator("details.wk-answer")
        assert not answer.locator(".wk-answer-value").is_visible()
        answer.locator("summary").click()
        assert answer.locator(".wk-answer-value").is_visible()


def test_figures_have_a_name_a_description_and_their_data(page: Page) -> None:
    figures = page.locator("figure.wk-figure").all()
    assert len(figures) == 4
    for figure in figures:
        assert figure.locator("svg[role=img] > title").inner_html()
        assert figure.locator("svg[role=img] > desc").inner_html()
        figure.locator("details.wk-figure-data summary").click()
        assert figure.locator("details.wk-figure-data table").is_visible()
