"""Figures are drawn in a process of their own; one that fails is a problem, never a traceback."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from figure_lessons import Drawing, declare, draw

from workings.figures.traced import TextUse

HEAD = """\
from matplotlib.figure import Figure


def sheet():
    figure = Figure()
    return figure, figure.add_axes((0.2, 0.2, 0.7, 0.7))


"""
NUMBERS = {
    "cups": 1234,
    "pot_bytes": 6039797760,
    "share": 0.25,
    "name": "Qwen3-8B",
    "cup_rows": [{"cup": 1, "water_ml": 250}, {"cup": 2, "water_ml": 240}],
}
ENTRY = '{"title": "t", "alt": "a", "caption": "c", "data": "cup_rows"}'


FIRST_LINE = HEAD.count("\n") + 1


def functions(bodies: Sequence[str]) -> str:
    """A figure function for each body, which starts three lines below the function before it."""
    return "".join(
        f"def figure_{index}(n):\n    figure, axes = sheet()\n{body}"
        for index, body in enumerate(bodies)
    )


def draw_tea(folder: Path, *bodies: str, budget_bytes: int = 20_000) -> Drawing:
    """The drawing of a lesson that has a figure function with each of these bodies."""
    names = [f"figure-{index}" for index in range(len(bodies))]
    table = "FIGURES = {" + ", ".join(f'"{name}": {ENTRY}' for name in names) + "}\n"
    declared = declare(folder, HEAD + functions(bodies) + table)
    assert declared.problems == ()
    return draw(folder, "tea", NUMBERS, budget_bytes=budget_bytes)[0]


GOOD = "    axes.plot([1, 2], [3, 4])\n    return figure\n"

# The body of a figure function and what is told about it.
FAILING = [
    (
        "    return 1 / 0\n",
        "BODY:12: [figure-raises] the lesson's code raised ZeroDivisionError: division by zero.",
    ),
    (
        "    raise SystemExit(3)\n",
        "BODY:5: [lesson-exits] the lesson's code ended the program (exit code 3).",
    ),
    (
        "    axes.plot([1, 2], [3])\n    return figure\n",
        "BODY:5: [figure-raises] the lesson's code raised ValueError: "
        "x and y must have same first "
        "dimension, but have shapes (2,) and (1,).",
    ),
    (
        "    axes.set_title(f\"{n['cup']}\")\n    return figure\n",
        "BODY:23: [unknown-number] show_numbers.py has no 'cup'. Did you mean 'cups'?",
    ),
    (
        "    n['cup_rows'][0]['watr_ml']\n    return figure\n",
        "BODY:5: [unknown-number] the table 'cup_rows' has no 'watr_ml'. Did you mean 'water_ml'?",
    ),
    (
        "    pass\n",
        "DEF:1: [figure-type] 'NAME' gave a NoneType, not a matplotlib Figure. Return the Figure.",
    ),
    (
        "    return Figure()\n",
        "DEF:1: [figure-empty] 'NAME' shows nothing. Draw on the Figure before you return it.",
    ),
    (
        "    axes.plot([1, 2], color='red')\n    return figure\n",
        "DEF:1: [figure-colour] 'NAME' uses #ff0000, which is no colour "
        'of the style sheet. Use "C0" to "C5", or matplotlib.rcParams["text.color"] and its '
        "like.",
    ),
    (
        "    axes.imshow([[1, 2], [3, 4]])\n    return figure\n",
        "DEF:1: [figure-unsupported] 'NAME' uses a raster image, which "
        "cannot follow light and dark. Draw it with lines, patches and text.",
    ),
    (
        "    axes.text(0, 0.5, 'about 17 cups')\n    return figure\n",
        "DEF:1: [typed-number] 'about 17 cups' in 'NAME' holds 17, which "
        "no number of the lesson wrote. Write it with an f-string from n; compute what is new "
        "in show_numbers.py.",
    ),
    (
        "    axes.set_xticks([0, 1], ['0', '5,000'])\n    return figure\n",
        "DEF:1: [typed-number] '5,000' in 'NAME' holds 5,000, which no "
        "number of the lesson wrote. Write it with an f-string from n; compute what is new in "
        "show_numbers.py.",
    ),
    (
        "    axes.text(0, 0.5, 'tea', size=12)\n    return figure\n",
        "DEF:1: [figure-small-text] 'tea' in 'NAME' is 10.2 px high on a "
        "phone; 11 px is the least. Make the figure narrower or the text bigger.",
    ),
    (
        "    axes.text(2, 0.5, 'tea')\n    return figure\n",
        "DEF:1: [figure-clipped] 'tea' in 'NAME' hangs 225 units over "
        "the figure's edge. Move it or shorten it.",
    ),
    (
        "    axes.text(0.5, 0.5, 'a\\nb', ha='center')\n    return figure\n",
        "DEF:1: [figure-lines] 'a' in 'NAME' has more lines, which shift "
        "in the page's font as they are not set left. Write each line as a text of its own.",
    ),
    (
        "    import warnings; warnings.warn('too tight')\n    axes.plot([1])\n    return figure\n",
        "DEF:1: [figure-warning] matplotlib warns about 'NAME': too tight",
    ),
]


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Drawing:
    return draw_tea(tmp_path_factory.mktemp("failing"), *(body for body, _ in FAILING))


@pytest.mark.parametrize(
    "index", range(len(FAILING)), ids=lambda index: FAILING[index][1].split("[")[1].split("]")[0]
)
def test_a_figure_that_fails_is_told_with_its_place(failed: Drawing, index: int) -> None:
    line = FIRST_LINE + functions([body for body, _ in FAILING[:index]]).count("\n")
    message = (
        FAILING[index][1]
        .replace("DEF", f"code/tea/figures.py:{line}")
        .replace("BODY", f"code/tea/figures.py:{line + 2}")
        .replace("NAME", f"figure-{index}")
    )
    assert message in [str(problem) for problem in failed.problems]


def test_every_failing_figure_is_told_in_one_run(tmp_path: Path) -> None:
    made = draw_tea(tmp_path, "    return 1 / 0\n", GOOD, "    return Figure()\n")
    assert [problem.rule for problem in made.problems] == ["figure-raises", "figure-empty"]


def test_a_module_that_cannot_be_imported_is_told_where_it_fails(tmp_path: Path) -> None:
    (tmp_path / "code" / "tea").mkdir(parents=True)
    (tmp_path / "code" / "tea" / "kettle.py").write_text("BOIL = 1 / 0\n")
    declare(tmp_path, f"import kettle\n\ndef a(n): pass\n\nFIGURES = {{'a': {ENTRY}}}\n")
    (problem,) = draw(tmp_path, "tea", NUMBERS)[0].problems
    assert str(problem) == (
        "code/tea/kettle.py:1:8: [figure-raises] the lesson's code raised ZeroDivisionError: division by zero."
    )


def test_a_figure_over_the_budget_is_told(tmp_path: Path) -> None:
    (problem,) = draw_tea(tmp_path, GOOD, budget_bytes=500).problems
    assert re.fullmatch(
        r"code/tea/figures.py:9:1: \[figure-too-big\] 'figure-0' has [\d,]+ bytes; 500 are allowed. "
        r"Draw fewer points, or plain fills in place of hatches.",
        str(problem),
    )


def test_numbers_in_the_text_are_traced_to_name_and_line(tmp_path: Path) -> None:
    body = """\
    axes.text(0, 0.1, f"{n['cups']:,} cups")
    axes.text(0, 0.3, f"{n['pot_bytes'] / 1024**3:g} GiB of {n['name']}")
    axes.text(0, 0.5, str(n["cup_rows"][1]["water_ml"]) + " ml")
    axes.text(0, 0.7, "{:.0%}".format(n["share"]))
    return figure
"""
    drawing = draw_tea(tmp_path, body)
    assert drawing.problems == ()
    figure = drawing.figures["figure-0"]
    assert [(use.name, use.line, use.shown) for use in figure.uses] == [
        ("cup_rows[1].water_ml", 13, "240"),
        ("cups", 11, "1,234"),
        ("name", 12, "Qwen3-8B"),
        ("pot_bytes", 12, "5.625"),
        ("share", 14, "25%"),
    ]
    assert figure.reads == ("cup_rows", "cups", "name", "pot_bytes", "share")


def test_a_number_that_a_figure_computes_is_not_a_number_of_the_lesson(tmp_path: Path) -> None:
    new = ("n['cups'] * 2", "n['cups'] / 7", "n['cups'] + 1")
    bodies = [f'    axes.text(0, 0.5, f"{{{each}:.0f}} cups")\n    return figure\n' for each in new]
    problems = draw_tea(tmp_path, *bodies).problems
    assert [problem.rule for problem in problems] == ["typed-number"] * len(new)


def test_numbers_that_are_drawn_but_not_written_are_no_uses(tmp_path: Path) -> None:
    body = "    axes.bar([1, 2], [row['water_ml'] for row in n['cup_rows']])\n    return figure\n"
    figure = draw_tea(tmp_path, body).figures["figure-0"]
    assert figure.uses == () and figure.reads == ("cup_rows",)


def test_the_ticks_of_a_scale_need_no_number(tmp_path: Path) -> None:
    drawing = draw_tea(tmp_path, "    axes.plot([0, 1], [0, 1])\n    return figure\n")
    assert ">0.4</text>" in drawing.figures["figure-0"].svg


def test_a_changed_setting_does_not_reach_the_next_figure(tmp_path: Path) -> None:
    change = "    import matplotlib; matplotlib.rcParams['lines.linewidth'] = 9\n" + GOOD
    first = draw_tea(tmp_path, change, GOOD).figures["figure-1"].svg
    assert first == draw_tea(tmp_path, GOOD, GOOD).figures["figure-1"].svg


def test_use_of_a_traced_number_is_plain_data() -> None:
    assert TextUse("cups", 1, 2, "3") == TextUse(name="cups", line=1, column=2, shown="3")
