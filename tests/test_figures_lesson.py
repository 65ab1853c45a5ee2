"""The first lesson's figures: what they say, for these inputs and for others."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

import pytest
from figure_lessons import LESSON, ROOT, Drawing, draw, lesson_numbers

from workings.figures.declaration import read_declarations
from workings.figures.svg import labelled, standalone_svg

NAMES = ("resend-every-turn", "window-covers-newest", "reread-grows", "cache-memory-line")


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter("text")]


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return draw(ROOT, LESSON, *lesson_numbers({}))[0]


def test_the_lesson_has_its_four_figures(drawing: Drawing) -> None:
    assert drawing.problems == ()
    assert tuple(drawing.figures) == NAMES


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("resend-every-turn", ["1 message", "3 messages", "5 messages"]),
        ("window-covers-newest", ["window: 190 tokens", "40", "1", "7", "reply", "cut off"]),
        (
            "reread-grows",
            ["whole history: 5,000 in all", "window: 3,500 in all", "950", "450", "50", "1", "10"],
        ),
        (
            "cache-memory-line",
            ["4,096", "32,768", "40,960", "576 MiB", "4.5 GiB", "5.625 GiB", "144 KiB"],
        ),
    ],
)
def test_a_figure_says_its_numbers(drawing: Drawing, name: str, labels: list[str]) -> None:
    shown = [text.replace("\N{NO-BREAK SPACE}", " ") for text in texts(drawing.figures[name].svg)]
    assert set(labels) <= set(shown)


@pytest.mark.parametrize("name", NAMES)
def test_no_colour_is_fixed_and_no_style_is_left(drawing: Drawing, name: str) -> None:
    svg = drawing.figures[name].svg
    assert not re.search(
        r"#[0-9a-fA-F]{3,8}\b(?!-)", re.sub(r"(url\(|xlink:href=\")#[\w-]+", "", svg)
    )
    assert "style" not in svg and "rgb" not in svg
    for channel in re.findall(r'(?:fill|stroke)="([^"]*)"', svg):
        assert channel == "none" or channel.startswith(f"url(#fig-{name}-")


def test_the_figures_share_no_id(drawing: Drawing) -> None:
    ids = [
        set(re.findall(r'\bid="([^"]+)"', labelled(figure.svg, figure.name, "t", "d")))
        for figure in drawing.figures.values()
    ]
    for one, other in itertools.combinations(ids, 2):
        assert not one & other


def test_the_bytes_are_the_same_in_every_process(drawing: Drawing) -> None:
    assert draw(ROOT, LESSON, *lesson_numbers({}), hash_seed="12345") == [drawing]


def test_every_label_of_a_figure_is_at_least_11_px_on_a_phone(drawing: Drawing) -> None:
    for figure in drawing.figures.values():
        root = ET.fromstring(figure.svg)
        width = float(root.attrib["viewBox"].split()[2])
        sizes = [float(text.attrib["font-size"]) for text in root.iter("text")]
        assert min(sizes) * 288 / width >= 11


def test_a_figure_is_light(drawing: Drawing) -> None:
    assert all(len(figure.svg) < 8_000 for figure in drawing.figures.values())


def test_a_downloaded_figure_is_valid_xml(drawing: Drawing) -> None:
    for figure in drawing.figures.values():
        ET.fromstring(standalone_svg(labelled(figure.svg, figure.name, "t & u", "d")))


def test_other_inputs_give_figures_without_a_problem() -> None:
    inputs = (
        {"message_tokens": 60},
        {"message_tokens": 7},
        {"message_tokens": 2_000, "window_tokens": 9_000},
        {"window_tokens": 600},
        {"window_tokens": 5_000},
        {"window_tokens": 50},
        {"replies": 1},
        {"replies": 3},
        {"replies": 40},
        {"model": "qwen2.5-7b"},
    )
    numbers = lesson_numbers(*inputs)
    for given, each, made in zip(inputs, numbers, draw(ROOT, LESSON, *numbers), strict=True):
        assert made.problems == (), given
        total = f"whole history: {each['read_tokens']:,} in all"
        assert total in texts(made.figures["reread-grows"].svg)


def test_without_grouping_the_line_is_four_times_as_steep() -> None:
    (numbers,) = lesson_numbers({})
    numbers["bytes_per_token"] *= 4
    for row in numbers["cache_points"]:
        row["cache_bytes"] *= 4
    (made,) = draw(ROOT, LESSON, numbers)
    shown = texts(made.figures["cache-memory-line"].svg)
    assert "22.5\N{NO-BREAK SPACE}GiB" in shown and "576\N{NO-BREAK SPACE}KiB" in shown


def test_alt_texts_hold_no_typed_number() -> None:
    for figure in read_declarations(ROOT, LESSON).figures.values():
        for text in (figure.title.text, figure.alt.text, figure.caption.text):
            assert not re.search(r"\d", re.sub(r"\{\{.*?\}\}", "", text))
