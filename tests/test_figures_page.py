"""A figure on its page: words bound to the numbers, and each use of a number in numbers.json."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from workings.page import blocks
from workings.page.render import PageRenderer

if TYPE_CHECKING:
    from conftest import SmallSite

FIGURES = """\
    from matplotlib.figure import Figure

    FIGURES = {
        "cup-bars": {
            "title": "A cup for {{ n.guests }}",
            "alt": (
                "Bars for {{ n.guests | words }} guests, "
                "each of {{ n.cup_rows[0].water_ml }} ml."
            ),
            "caption": "One bar *a guest*.",
            "data": "cup_rows",
        },
    }


    def cup_bars(n):
        figure = Figure()
        axes = figure.add_axes((0.2, 0.2, 0.7, 0.7))
        axes.text(0, 0.5, f"{n['guests']} cups")
        return figure
    """


def page_of(small_site: Callable[..., SmallSite]) -> PageRenderer:
    site = small_site(
        {
            "code/tea/show_numbers.py": """\
                def numbers():
                    return {
                        "guests": 4, "water_ml": 1000, "cup_rows": [{"cup": 1, "water_ml": 250}],
                    }
                """,
            "code/tea/figures.py": FIGURES,
        }
    ).prepare()
    root = site.project.root
    return PageRenderer(root, site.lessons["tea"], site.lessons, lambda text: f"<p>{text}</p>")


def test_a_figure_has_its_message_and_its_caption_beside_it(
    small_site: Callable[..., SmallSite],
) -> None:
    page = page_of(small_site)
    made = page.finish(blocks.figure(page, "cup-bars"))
    assert (
        '<figcaption><strong class="wk-figure-title">A cup for '
        '<data class="wk-number" value="4" data-name="guests">4</data></strong> '
        "One bar *a guest*.</figcaption>"
    ) in made
    assert '<title id="fig-cup-bars-title">A cup for 4</title>' in made
    assert '<desc id="fig-cup-bars-desc">Bars for four guests, each of 250 ml.</desc>' in made


def test_each_number_in_a_figure_is_a_use_at_its_own_place(
    small_site: Callable[..., SmallSite],
) -> None:
    page = page_of(small_site)
    blocks.figure(page, "cup-bars")
    uses = {
        (use.name, use.text, use.place.line, use.place.column)
        for use in page.shown()
        if use.place and use.place.path == "code/tea/figures.py"
    }
    assert {
        ("guests", "4", 5, 29),
        ("guests", "four", 7, 23),
        ("cup_rows[0].water_ml", "250", 8, 22),
        ("guests", "4", 19, 23),
    } <= uses
