"""The command: what it prints, and its exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conftest import SmallSite
from workings.cli import main

Make = Callable[..., SmallSite]
Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    def start(made: SmallSite, *arguments: str) -> Result:
        monkeypatch.chdir(made.root)
        return CliRunner().invoke(main, list(arguments), catch_exceptions=False)

    return start


def test_a_good_site_is_said_to_be_good(small_site: Make, run: Run) -> None:
    done = run(small_site(), "check")
    assert done.exit_code == 0
    assert done.stderr.endswith("1 lesson checked, no error.\n")


def test_problems_of_the_sources_exit_with_3(small_site: Make, run: Run) -> None:
    made = small_site().edit("lessons/tea/index.md", "n.water_ml", "n.water")
    done = run(made, "check")
    assert done.exit_code == 3
    assert done.stdout == (
        "lessons/tea/index.md:8:11: [unknown-name] there is no number 'n.water'. "
        "Did you mean 'water_ml'?\n"
    )
    assert done.stderr.endswith("1 problem.\n")


def test_a_lesson_whose_code_fails_exits_with_4(small_site: Make, run: Run) -> None:
    made = small_site().edit("code/tea/kettle.py", "return guests * CUP_ML", "return guests / 0")
    assert run(made, "check").exit_code == 4


def test_problems_are_annotations_or_json_for_machines(small_site: Make, run: Run) -> None:
    made = small_site().edit("lessons/tea/index.md", "n.water_ml", "n.water")
    assert run(made, "check", "--format", "github").stdout.startswith(
        "::error file=lessons/tea/index.md,line=8,col=11,title=unknown-name::there is no number"
    )
    (problem,) = json.loads(run(made, "check", "--format", "json").stdout)
    assert problem["location"] == {"path": "lessons/tea/index.md", "line": 8, "column": 11}
    assert problem["rule"] == "unknown-name"
    assert json.loads(run(small_site(), "check", "--format", "json").stdout) == []


def test_fix_binds_a_typed_number_and_changes_nothing_else(small_site: Make, run: Run) -> None:
    made = small_site()
    good = (made.root / "lessons/tea/index.md").read_bytes()
    made.edit("lessons/tea/index.md", "{{ n.water_ml }}", "1,000")
    assert run(made, "check").exit_code == 3
    done = run(made, "check", "--fix")
    assert done.exit_code == 0, done.output
    assert (made.root / "lessons/tea/index.md").read_bytes() == good
    assert run(made, "check", "--fix").exit_code == 0
    assert (made.root / "lessons/tea/index.md").read_bytes() == good


def test_numbers_are_printed_with_where_they_come_from(small_site: Make, run: Run) -> None:
    done = run(small_site(), "numbers")
    assert done.exit_code == 0
    assert "  water_ml = 1000 ml  (code/tea/show_numbers.py:9)\n" in done.stdout
    assert json.loads(run(small_site(), "numbers", "tea", "--json").stdout) == {
        "tea": {"guests": 4, "water_ml": 1000}
    }


def test_an_unknown_lesson_is_a_matter_of_usage(small_site: Make, run: Run) -> None:
    done = run(small_site(), "numbers", "teas")
    assert done.exit_code == 2
    assert "there is no lesson 'teas'. Did you mean 'tea'?" in done.stderr


def test_accepted_values_show_what_moved_and_where(small_site: Make, run: Run) -> None:
    made = small_site()
    assert run(made, "accept").stdout == "lessons/tea/numbers.lock.json: 2 changed\n"
    assert json.loads((made.root / "lessons/tea/numbers.lock.json").read_text()) == {
        "schema": 1,
        "numbers": {"guests": 4, "water_ml": 1000},
    }
    made.edit("code/tea/kettle.py", "CUP_ML = 250", "CUP_ML = 300")
    assert run(made, "impact").stdout == (
        "tea: n.water_ml: 1000 -> 1200\n  lessons/tea/index.md:8:6\n"
    )


def test_outside_a_project_the_command_says_so(tmp_path: Path, run: Run) -> None:
    done = run(SmallSite(tmp_path), "check")
    assert done.exit_code == 2
    assert "there is no mkdocs.yml here or above." in done.stderr


def test_why_says_what_a_build_would_run_and_runs_nothing(small_site: Make, run: Run) -> None:
    made = small_site()
    assert run(made, "why").stdout == "tea: numbers: runs: first run\n"
    run(made, "check")
    assert run(made, "why").stdout == "tea: numbers: cached: nothing changed\n"
    made.edit("code/tea/kettle.py", "CUP_ML = 250", "CUP_ML = 300")
    assert run(made, "why").stdout == "tea: numbers: runs: code/tea/kettle.py changed\n"
