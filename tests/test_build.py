"""What `mkdocs build` publishes, and what it refuses to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conftest import SmallSite

Make = Callable[..., SmallSite]


def test_a_bound_number_is_an_element_with_its_value_and_its_name(small_site: Make) -> None:
    built = small_site().build()
    assert built.code == 0, built.output
    article = built.article()
    assert '<data class="wk-number" value="1000" data-name="water_ml">1,000</data>' in article
    assert (
        '<data class="wk-number" value="4" data-name="guests" data-format="words">four</data>'
        in article
    )
    assert "<title>Tea for 4 - Small</title>" in built.page()


def test_numbers_json_says_where_each_number_comes_from_and_is_shown(small_site: Make) -> None:
    built = small_site().build()
    numbers = built.numbers()
    assert numbers["schema"] == 1
    assert numbers["lesson"] == "tea"
    (water,) = [number for number in numbers["numbers"] if number["name"] == "water_ml"]
    assert water["value"] == 1000
    assert water["expression"] == "kettle.water_ml(guests)"
    assert water["source"] == {"path": "code/tea/show_numbers.py", "line": 9}
    assert water["formula"]["substituted"] == "4 × 250"
    assert {"path": "lessons/tea/index.md", "line": 8, "column": 6, "shown": "1,000"} in water[
        "uses"
    ]
    (guests,) = [number for number in numbers["numbers"] if number["name"] == "guests"]
    assert {"path": "lessons/tea/index.md", "line": 2, "column": 8, "shown": "4"} in guests["uses"]


@pytest.mark.parametrize("arguments", [(), ("--strict",), ("-q",), ("-q", "--strict")])
def test_a_fault_stops_the_build_and_leaves_the_last_good_site(
    small_site: Make, arguments: tuple[str, ...]
) -> None:
    made = small_site()
    good = made.build().page()
    made.edit("lessons/tea/index.md", "n.water_ml", "n.water")
    failed = made.build(*arguments)
    assert failed.code == 1
    assert (
        "lessons/tea/index.md:8:11: [unknown-name] there is no number 'n.water'." in failed.output
    )
    assert "Traceback" not in failed.output
    assert failed.page() == good
    assert not [path.name for path in made.root.iterdir() if path.name.startswith(".site")]


def test_a_broken_link_leaves_the_last_good_site(small_site: Make) -> None:
    made = small_site()
    good = made.build().page()
    made.edit("lessons/tea/index.md", "# Tea", "# Tea\n\n[gone](nowhere.md)")
    failed = made.build()
    assert failed.code == 1
    assert "nowhere.md" in failed.output
    assert failed.page() == good


def test_two_builds_are_equal_to_the_byte(small_site: Make) -> None:
    made = small_site()

    def content() -> dict[str, bytes]:
        site = made.build().site
        return {
            path.relative_to(site).as_posix(): path.read_bytes()
            for path in sorted(site.rglob("*"))
            if path.is_file()
        }

    assert content() == content()


def test_a_page_in_docs_does_not_override_a_lesson(small_site: Make) -> None:
    built = small_site({"docs/lessons/tea/index.md": "# Other\n"}).build()
    assert built.code == 1
    assert (
        "docs/lessons/tea/index.md:1:1: [page-collision] lessons/tea/index.md is published at the "
        "same address. Move one of the two." in built.output
    )


def test_numbers_stand_in_math_alt_texts_headings_and_tracks(small_site: Make) -> None:
    made = small_site(
        {
            "lessons/tea/index.md": """\
            ---
            title: Tea
            description: Boil {{ n.water_ml }} ml.
            ---

            # Tea for {{ n.guests }}

            ## Boil {{ n.water_ml }} ml

            $x = {{ n.water_ml }}$

            ![A pot of {{ n.water_ml }} ml](pot.svg)

            /// plain
            Plain {{ n.guests }}.
            ///

            /// deep
            Deep {{ n.guests }}.
            ///
            """,
            "lessons/tea/pot.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
        }
    )
    built = made.build()
    assert built.code == 0, built.output
    page, article = built.page(), built.article()
    assert '<meta name="description" content="Boil 1,000 ml.">' in page
    assert '<h2 id="boil-ml">' in article
    assert "Boil 1,000 ml" in page.replace("\n", " ")
    assert "<mn>1,000</mn>" in article or "<mn>1</mn>" in article
    assert 'alt="A pot of 1,000 ml"' in article
    assert '<section class="wk-track" data-track="plain">' in article
    assert '<section class="wk-track" data-track="deep">' in article
    assert "style=" not in article


def test_a_page_has_a_markdown_twin_that_llms_txt_lists(small_site: Make) -> None:
    built = small_site().build()
    assert built.page("lessons/tea/index.md") == (
        "# Tea\n\nBoil 1,000 ml for four guests.\n\n---\n\nHow much water to boil.\n"
    )
    assert built.page("llms.txt") == (
        "# Small\n\n## Lessons\n\n- [Tea for 4](lessons/tea/index.md): How much water to boil.\n"
    )
