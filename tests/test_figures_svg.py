"""matplotlib's SVG becomes one that a page can hold."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from workings.figures.svg import labelled, standalone_svg, themed

BLUE, RUST, INK = "#1a5fca", "#b04200", "#1b1f27"


def drawing(body: str) -> str:
    return (
        '<?xml version="1.0"?><svg xmlns:xlink="http://www.w3.org/1999/xlink" width="340pt" '
        'height="200pt" viewBox="0 0 340 200" xmlns="http://www.w3.org/2000/svg" version="1.1">'
        "<metadata><x/></metadata><defs><style>*{stroke-linejoin: round}</style></defs>"
        f'<g id="figure_1">{body}</g></svg>'
    )


def inside(body: str, name: str = "a") -> str:
    """What becomes of `body`, without the root."""
    made = themed(drawing(body), name).svg
    return made[made.index(">") + 1 : -len("</svg>")]


def test_the_root_has_a_view_box_and_no_size_so_that_it_fits_any_width() -> None:
    made = themed(drawing('<path d="M 0 0 L 1 1" style="fill: none; stroke: #1a5fca"/>'), "a").svg
    assert made.startswith(
        '<svg class="wk-figure-svg wk-ink-fill" viewBox="0 0 340 200" stroke-linejoin="round">'
    )


def test_colours_become_classes_and_the_rest_of_a_style_attributes() -> None:
    style = f"fill: {BLUE}; fill-opacity: 0.2; stroke: {RUST.upper()}; stroke-width: 1.5"
    assert inside(f'<path d="M 0 0 L 9 9 z" style="{style}"/>') == (
        '<path d="M0 0L9 9z" fill-opacity="0.2" stroke-width="1.5" class="wk-c1-fill wk-c2-stroke" />'
    )


def test_text_keeps_its_anchor_and_size_and_leaves_the_font_to_the_page() -> None:
    style = f"font-size: 13px; font-family: 'DejaVu Sans'; text-anchor: end; fill: {INK}"
    turn = "rotate(-0 29.123456 38.987654)"
    text = f'<text style="{style}" x="29.123456" y="38.987654" transform="{turn}">0.12345</text>'
    assert inside(text) == (
        '<text x="29.12" y="38.99" font-size="13" text-anchor="end" class="wk-ink-fill">0.12345</text>'
    )


def test_a_turned_text_stays_turned() -> None:
    assert 'transform="rotate(-90 3 4)"' in inside('<text transform="rotate(-90 3 4)">up</text>')


def test_ids_are_the_figures_own_and_references_follow() -> None:
    body = (
        '<g id="axes_1"><defs><path id="m1f2e" d="M 0 0 L 0 3" style="stroke: #1b1f27"/></defs>'
        '<g id="line2d_3" clip-path="url(#pab12)"><use xlink:href="#m1f2e" x="1" y="2"/></g>'
        '<g id="answer"><text>x</text></g></g>'
        '<defs><clipPath id="pab12"><rect x="0" y="0" width="1" height="1"/></clipPath></defs>'
    )
    made = inside(body, "tea")
    root = ET.fromstring(f'<svg xmlns:xlink="http://www.w3.org/1999/xlink">{made}</svg>')
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert ids == {"fig-tea-1", "fig-tea-2", "fig-tea-answer"}
    assert '<use x="1" y="2" xlink:href="#fig-tea-1" />' in made
    assert '<g clip-path="url(#fig-tea-2)">' in made


def test_no_element_has_a_plain_href_which_scripts_would_take_for_a_link() -> None:
    body = '<defs><path id="m1" d="M 0 0 L 0 3"/></defs><use xlink:href="#m1"/>'
    svg = themed(drawing(body), "a").svg
    assert " href=" not in svg
    assert ' xmlns:xlink="http://www.w3.org/1999/xlink"' in svg  # so that it is good XML too


def test_two_figures_on_a_page_share_no_id() -> None:
    body = (
        '<defs><path id="m1" d="M 0 0 L 0 3" style="stroke: #1b1f27"/></defs>'
        '<use xlink:href="#m1"/><g id="part"><text>x</text></g>'
    )
    assert 'id="fig-one-1"' in inside(body, "one") and 'id="fig-two-1"' in inside(body, "two")
    assert 'id="fig-one-part"' in inside(body, "one")


@pytest.mark.parametrize("colour", ["#1f77b4", "red", "rgb(1, 2, 3)", "#1a5fcb"])
def test_a_colour_that_is_not_of_the_palette_is_told(colour: str) -> None:
    made = themed(drawing(f'<path d="M 0 0 L 9 9" style="stroke: {colour}"/>'), "a")
    assert made.unknown_colours == (colour,)


def test_a_colour_in_an_attribute_is_seen_like_one_in_a_style() -> None:
    body = f'<pattern id="h1"><rect width="9" height="9" fill="{BLUE}"/></pattern>'
    use = '<path d="M 0 0 L 9 9" style="fill: url(#h1)"/>'
    made = inside(f"<defs>{body}</defs>{use}")
    assert '<rect width="9" height="9" class="wk-c1-fill" />' in made
    assert 'fill="url(#fig-a-1)"' in made


def test_what_cannot_follow_light_and_dark_is_told() -> None:
    body = (
        '<image href="data:image/png;base64,AA=="/>'
        '<linearGradient id="g"><stop stop-color="#1a5fca"/></linearGradient>'
        '<path d="M 0 0" style="mix-blend-mode: darken"/>'
    )
    assert themed(drawing(body), "a").unsupported == (
        "a colour gradient",
        "a raster image",
        "the style property 'mix-blend-mode'",
    )


def test_a_drawing_without_marks_is_empty() -> None:
    assert themed(drawing('<g id="patch_1"><path d="M 0 0" style="fill: none"/></g>'), "a").is_empty
    assert not themed(drawing("<text>x</text>"), "a").is_empty


def test_a_labelled_figure_has_a_name_and_a_description() -> None:
    svg = themed(drawing("<text>x</text>"), "tea").svg
    made = labelled(svg, "tea", "Tea & cake", "A <b> of 3")
    root = ET.fromstring(made)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "fig-tea-title fig-tea-desc"
    title, description = root[0], root[1]
    assert (title.tag, title.get("id"), title.text) == ("title", "fig-tea-title", "Tea & cake")
    assert (description.tag, description.get("id")) == ("desc", "fig-tea-desc")
    assert description.text == "A <b> of 3"


def test_a_figure_is_one_line_so_that_markdown_leaves_it_alone() -> None:
    svg = labelled(themed(drawing("<g>\n<text>x</text>\n</g>"), "a").svg, "a", "t", "d")
    assert "\n" not in svg


def test_a_downloaded_figure_has_its_own_colours_and_paper() -> None:
    svg = labelled(themed(drawing("<text>x</text>"), "a").svg, "a", "t", "d")
    made = standalone_svg(svg)
    root = ET.fromstring(made)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("width"), root.get("height")) == ("680", "400")
    assert "@media (prefers-color-scheme: dark)" in made
    assert ".wk-ink-fill { fill: var(--wk-fig-ink); }" in made
    assert '<rect class="wk-paper-fill" width="100%" height="100%"/>' in made
    assert [child.tag.rpartition("}")[2] for child in root] == [
        "title", "desc", "style", "rect", "text",
    ]  # fmt: skip
