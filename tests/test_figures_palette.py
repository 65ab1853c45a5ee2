"""The colours hold on the page, in both schemes, for every reader; style sheet and CSS agree."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import pytest

from workings.figures import palette
from workings.figures.palette import Colour

PACKAGE = Path(palette.__file__).parent
STYLE = (PACKAGE / "workings.mplstyle").read_text(encoding="utf-8")
CSS = (PACKAGE.parent / "assets" / "css" / "figures.css").read_text(encoding="utf-8")
COLOURS = {colour.role: colour for colour in palette.PALETTE}
SERIES = [colour for colour in palette.PALETTE if colour.role.isdigit()]
TINT = 0.1  # the most that a fill behind text may cover

Vector = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, severity 1: what is left of linear red, green and blue.
BLINDNESS: dict[str, tuple[Vector, Vector, Vector]] = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def times(matrix: tuple[Vector, Vector, Vector], vector: Vector) -> Vector:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def rgb(colour: str) -> Vector:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def linear(colour: Vector) -> Vector:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return red, green, blue


def luminance(colour: Vector) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Vector, other: Vector) -> float:
    """The contrast ratio of WCAG 2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: Vector, under: Vector, share: float) -> Vector:
    red, green, blue = (a * share + b * (1 - share) for a, b in zip(colour, under, strict=True))
    return red, green, blue


def oklab(colour: Vector) -> Vector:
    """Linear RGB in a space where distance is what the eye sees (Ottosson 2020)."""
    cones = times(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        colour,
    )
    long, middle, short = (max(part, 0) ** (1 / 3) for part in cones)
    return times(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        (long, middle, short),
    )


def in_scheme(colour: Colour, scheme: str) -> Vector:
    return rgb(colour.dark if scheme == "dark" else colour.light)


SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


def test_contrast_itself_is_right() -> None:
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)
    assert contrast(rgb("#777777"), rgb("#ffffff")) == pytest.approx(4.48, abs=0.005)


@SCHEMES
@pytest.mark.parametrize("role", [role for role in COLOURS if role not in {"paper", "line"}])
def test_a_label_can_be_read_on_the_page(role: str, scheme: str) -> None:
    paper = in_scheme(COLOURS["paper"], scheme)
    assert contrast(in_scheme(COLOURS[role], scheme), paper) >= 4.5


@SCHEMES
def test_axes_and_their_ticks_can_be_seen(scheme: str) -> None:
    paper = in_scheme(COLOURS["paper"], scheme)
    assert contrast(in_scheme(COLOURS["line"], scheme), paper) >= 3


@SCHEMES
@pytest.mark.parametrize("series", SERIES, ids=lambda colour: colour.role)
def test_a_label_can_be_read_on_a_tint_of_its_own_colour(series: Colour, scheme: str) -> None:
    own, paper = in_scheme(series, scheme), in_scheme(COLOURS["paper"], scheme)
    assert contrast(own, mixed(own, paper, TINT)) >= 4.5


@SCHEMES
@pytest.mark.parametrize("series", SERIES, ids=lambda colour: colour.role)
def test_muted_words_can_be_read_on_a_tint(series: Colour, scheme: str) -> None:
    paper = in_scheme(COLOURS["paper"], scheme)
    under = mixed(in_scheme(series, scheme), paper, TINT)
    assert contrast(in_scheme(COLOURS["muted"], scheme), under) >= 4.5


@SCHEMES
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_series_differ_for_readers_with_each_colour_blindness(blindness: str, scheme: str) -> None:
    seen = {
        colour.role: oklab(times(BLINDNESS[blindness], linear(in_scheme(colour, scheme))))
        for colour in SERIES
    }
    for one, other in itertools.combinations(seen, 2):
        assert math.dist(seen[one], seen[other]) >= 0.04, (one, other)
    assert math.dist(seen["1"], seen["2"]) >= 0.2


def test_the_style_sheet_draws_with_the_palette_alone() -> None:
    used = set(re.findall(r"#[0-9a-f]{6}", STYLE))
    assert used and used <= {colour.light for colour in palette.PALETTE}
    cycle = re.search(r"axes.prop_cycle: cycler\(\"color\", \[(.*)\]\)", STYLE)
    assert cycle
    assert re.findall(r"#[0-9a-f]{6}", cycle[1]) == [colour.light for colour in SERIES]


def test_no_two_roles_share_a_colour() -> None:
    lights = [colour.light for colour in palette.PALETTE]
    assert len(set(lights)) == len(lights)


def test_the_page_gives_every_class_the_colour_of_the_palette() -> None:
    light = re.search(r"^:root \{(.*?)\}", CSS, re.DOTALL | re.MULTILINE)
    dark = re.search(r'^\[data-md-color-scheme="slate"\] \{(.*?)\}', CSS, re.DOTALL | re.MULTILINE)
    assert light and dark
    for line in palette.css_properties("light").splitlines():
        assert f"  {line}\n" in light[1]
    for line in palette.css_properties("dark").splitlines():
        assert f"  {line}\n" in dark[1]
    one_line = " ".join(CSS.split())
    for rule in palette.css_rules().splitlines():
        assert rule in one_line


def test_print_is_light_whatever_the_scheme() -> None:
    block = CSS.split("@media print {", 1)[1].split("\n}\n", 1)[0]
    assert '[data-md-color-scheme="slate"]' in block
    for line in palette.css_properties("light").splitlines():
        assert line in block
