"""FIGURES is read with places; each fault is told with its mend."""

from __future__ import annotations

from pathlib import Path

import pytest
from figure_lessons import declare

from workings.figures.declaration import read_declarations
from workings.problems import Location

GOOD = """\
FIGURES = {
    "tea-time": {
        "title": "Tea",
        "alt": (
            "A cup of {{ n.cups }} "
            'and a pot of {{ n.pots }}.'
        ),
        "caption": "Hot.",
        "data": "cup_rows",
    },
}


def tea_time(n):
    pass
"""


def told(folder: Path, source: str) -> list[str]:
    return [str(problem) for problem in declare(folder, source).problems]


def test_a_figure_has_its_texts_its_table_and_its_function(tmp_path: Path) -> None:
    declared = declare(tmp_path, GOOD)
    assert declared.problems == ()
    figure = declared.figures["tea-time"]
    assert (figure.title.text, figure.caption.text, figure.data.text) == ("Tea", "Hot.", "cup_rows")
    assert figure.alt.text == "A cup of {{ n.cups }} and a pot of {{ n.pots }}."
    assert figure.function == "tea_time"
    assert figure.function_at == Location("code/tea/figures.py", 14, 1)


def test_each_character_of_a_text_has_its_place(tmp_path: Path) -> None:
    alt = declare(tmp_path, GOOD).figures["tea-time"].alt
    assert alt.at(alt.text.index("n.cups")) == Location("code/tea/figures.py", 5, 26)
    assert alt.at(alt.text.index("n.pots")) == Location("code/tea/figures.py", 6, 30)


@pytest.mark.parametrize(
    ("literal", "at"),
    [
        (r'"a\n{{ n.x }}"', (3, 16 + 4)),
        (r'r"a\n{{ n.x }}"', (3, 16 + 5)),
        (r'"é\u00e9{{ n.x }}"', (3, 16 + 8)),
        ('"""a\n{{ n.x }}"""', (4, 1)),
        ('"a\\\nb{{ n.x }}"', (4, 2)),
    ],
)
def test_places_survive_escapes_raw_text_and_line_ends(
    tmp_path: Path, literal: str, at: tuple[int, int]
) -> None:
    source = (
        'FIGURES = {"tea": {\n    "title": "t", "caption": "c", "data": "d",\n'
        f'        "alt": {literal}}}}}\n\ndef tea(n): pass\n'
    )
    alt = declare(tmp_path, source).figures["tea"].alt
    assert alt.at(alt.text.index("{{")) == Location("code/tea/figures.py", *at)


def test_a_lesson_without_figures_has_none(tmp_path: Path) -> None:
    assert read_declarations(tmp_path, "tea").figures == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"title": "Tea"',
            '"tilte": "Tea"',
            "code/tea/figures.py:3:9: [figure-key] 'tilte' is no key of a figure. "
            "Did you mean 'title'?",
        ),
        (
            '"title": "Tea"',
            '"title": " "',
            "code/tea/figures.py:3:18: [figure-text] The 'title' of 'tea-time' is empty. "
            "Say the figure's message in a few words.",
        ),
        (
            '        "caption": "Hot.",\n',
            "",
            "code/tea/figures.py:2:5: [figure-text] The figure 'tea-time' has no 'caption'. "
            "Say what to look at.",
        ),
        (
            '"title": "Tea"',
            '"title": "T" + "ea"',
            "code/tea/figures.py:3:18: [figure-literal] FIGURES is read without running the file, "
            "and 'title' is no plain text. Write it as a literal; numbers go in as {{ n.NAME }}.",
        ),
        (
            "def tea_time(n)",
            "def tea_tme(n)",
            "code/tea/figures.py:2:5: [figure-function] There is no function 'tea_time' that draws "
            "'tea-time'. Did you mean 'tea_tme'?",
        ),
        (
            '"tea-time": {',
            '"Tea_time": {',
            "code/tea/figures.py:2:5: [figure-name] 'Tea_time' is no name of a figure. "
            "Use small letters, digits and hyphens, as in 'cache-memory-line'.",
        ),
        (
            "def tea_time(n):\n    pass\n",
            "def tea_time(n):\n    pass\n\n\ndef cake(n):\n    pass\n",
            "code/tea/figures.py:18:1: [figure-undeclared] The function 'cake' draws a figure that "
            "FIGURES lacks. Add 'cake' to FIGURES, or begin its name with '_'.",
        ),
        (
            "FIGURES = {",
            "FIGURES = {**{}, ",
            "code/tea/figures.py:1:14: [figure-literal] FIGURES is read without running the file, "
            "and a figure's name is no plain text. Write it as a literal; numbers go in as "
            "{{ n.NAME }}.",
        ),
        (
            "FIGURES = {",
            "FIGURES = dict() or {",
            "code/tea/figures.py:1:11: [figure-literal] FIGURES is read without running the file. "
            'Write FIGURES = {"my-figure": {"title": "...", "alt": "...", "caption": "...", '
            '"data": "..."}}.',
        ),
        (
            "FIGURES = {",
            "FIGURS = {",
            "code/tea/figures.py:1:1: [figure-literal] There is no FIGURES. "
            'Write FIGURES = {"my-figure": {"title": "...", "alt": "...", "caption": "...", '
            '"data": "..."}}.',
        ),
        (
            "    pass",
            "    pass)",
            "code/tea/figures.py:15:9: [figure-syntax] This is no Python: unmatched ')'.",
        ),
    ],
)
def test_a_fault_is_told_with_its_place_and_its_mend(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert GOOD.count(old) == 1
    assert message in told(tmp_path, GOOD.replace(old, new))


def test_all_faults_are_told_in_one_run(tmp_path: Path) -> None:
    source = GOOD.replace('"title"', '"tilte"').replace('"caption"', '"captoin"')
    assert len(told(tmp_path, source)) == 4


def test_a_figure_declared_twice_is_told(tmp_path: Path) -> None:
    source = GOOD.replace("FIGURES = {", 'FIGURES = {"tea-time": {},', 1)
    assert (
        "code/tea/figures.py:2:5: [figure-name] The figure 'tea-time' is declared twice. "
        "Give one of them another name."
    ) in told(tmp_path, source)


def test_a_file_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    declare(tmp_path, GOOD)
    (tmp_path / "code" / "tea" / "figures.py").write_bytes(b"FIGURES = {'\xff': 1}")
    (problem,) = read_declarations(tmp_path, "tea").problems
    assert str(problem).startswith("code/tea/figures.py:1:1: [figure-syntax] 'utf-8' codec")
