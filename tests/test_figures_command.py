"""build_figures.py and `workings figures`: files that stand by themselves, and a check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from workings.figures_command import figures

if TYPE_CHECKING:
    from conftest import SmallSite

NUMBERS = """\
    def numbers():
        return {"guests": 4, "cup_rows": [{"cup": 1, "water_ml": 250}]}
    """
FIGURES = """\
    from matplotlib.figure import Figure

    FIGURES = {
        "cup-bars": {
            "title": "A cup each",
            "alt": "Bars for {{ n.guests }} guests.",
            "caption": "One bar a guest.",
            "data": "cup_rows",
        },
    }


    def cup_bars(n):
        figure = Figure()
        axes = figure.add_axes((0.2, 0.2, 0.7, 0.7))
        axes.bar([row["cup"] for row in n["cup_rows"]], [row["water_ml"] for row in n["cup_rows"]])
        return figure
    """


@pytest.fixture
def tea(small_site: Callable[..., SmallSite]) -> Callable[..., Callable[..., Result]]:
    """A runner of the command in a lesson `tea` whose figures.py is FIGURES with an edit."""

    def make(old: str = "", new: str = "") -> Callable[..., Result]:
        assert old in FIGURES
        site = small_site(
            {
                "lessons/tea/index.md": "---\ntitle: Tea\ndescription: Tea.\n---\n\n# Tea\n",
                "code/tea/show_numbers.py": NUMBERS,
                "code/tea/figures.py": FIGURES.replace(old, new, 1),
            }
        )

        def run(*arguments: str) -> Result:
            return CliRunner().invoke(figures, arguments, obj=site.root)

        return run

    return make


def test_each_figure_becomes_a_file_with_its_numbers_filled_in(
    tea: Callable[..., Callable[..., Result]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ran = tea()("--out", str(out))
    file = out / "tea" / "cup-bars.svg"
    assert ran.exit_code == 0, ran.output
    assert ran.output == f"{file}: {file.stat().st_size:,} bytes\n"
    root = ET.parse(file).getroot()
    assert [child.text for child in root[:2]] == ["A cup each", "Bars for 4 guests."]


@pytest.mark.parametrize("named", ["tea", "tea/cup-bars"])
def test_the_check_draws_twice_and_writes_nothing(
    tea: Callable[..., Callable[..., Result]], tmp_path: Path, named: str
) -> None:
    out = tmp_path / "out"
    ran = tea()(named, "--check", "--out", str(out))
    assert ran.exit_code == 0, ran.output
    assert ran.output.startswith("tea/cup-bars: ") and "the same twice" in ran.output
    assert not out.exists()


@pytest.mark.parametrize(
    "changing",
    [
        "[hash(str(row)) % 97 for row in n['cup_rows']]",
        "__import__('random').sample(range(99), 1)",
    ],
)
def test_a_figure_that_changes_from_run_to_run_is_told(
    tea: Callable[..., Callable[..., Result]], changing: str
) -> None:
    ran = tea('[row["water_ml"] for row in n["cup_rows"]]', changing)("--check")
    assert ran.output == (
        "code/tea/figures.py:13:1: [figure-differs] 'cup-bars' is not the same when it is drawn "
        "again. Give random numbers a seed, and sort what has no order.\n"
    )
    assert ran.exit_code == 4


def test_a_figure_that_fails_is_told(tea: Callable[..., Callable[..., Result]]) -> None:
    ran = tea("figure = Figure()", "figure = Figre()")()
    assert ran.output == (
        "code/tea/figures.py:14:14: [figure-raises] the lesson's code raised NameError: "
        "name 'Figre' is not defined.\n"
    )
    assert ran.exit_code == 4


def test_a_table_that_is_none_is_told(tea: Callable[..., Callable[..., Result]]) -> None:
    ran = tea('"cup_rows"', '"cup_row"')()
    assert ran.output == (
        "code/tea/figures.py:8:17: [figure-data] show_numbers.py has no table 'cup_row'. "
        "Did you mean 'cup_rows'?\n"
    )
    assert ran.exit_code == 4


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("coffee", "there is no lesson 'coffee'. Known: tea."),
        ("tea/cup-bar", "the lesson 'tea' has no figure 'cup-bar'. Did you mean 'cup-bars'?"),
    ],
)
def test_an_unknown_name_is_a_wrong_use(
    tea: Callable[..., Callable[..., Result]], named: str, says: str
) -> None:
    ran = tea()(named)
    assert (ran.exit_code, ran.output.splitlines()[-1]) == (2, f"Error: {says}")


def test_a_broken_lesson_does_not_keep_another_ones_figures_back(
    tea: Callable[..., Callable[..., Result]], small_site: Callable[..., SmallSite], tmp_path: Path
) -> None:
    run = tea()
    broken = tmp_path / "lessons" / "soup" / "index.md"
    broken.parent.mkdir()
    broken.write_text(dedent("---\ntilte: Soup\n---\n"))
    assert run("tea", "--check").exit_code == 0
    assert run("--check").exit_code != 0
