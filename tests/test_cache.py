"""When a lesson runs again and when it does not: only by the content of what it could read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from small_lessons import Lesson

from workings.execution import closure
from workings.execution.cache import Cache, Identity, Stored
from workings.execution.closure import Closure, Files
from workings.execution.execute import execute, execute_all, why
from workings.execution.run import Job, run_job

FILES = {
    "show_numbers.py": """\
        import kettle

        def numbers(guests=4):
            return {"water_ml": kettle.water_ml(guests)}
        """,
    "kettle.py": "import cup\n\ndef water_ml(guests):\n    return guests * cup.size_ml()\n",
    "cup.py": """\
        from pathlib import Path

        def size_ml():
            return int((Path(__file__).parent / "cup.txt").read_text())
        """,
    "cup.txt": "250\n",
    "figures.py": "FIGURES = {}\n",
    "test_kettle.py": "def test_nothing():\n    pass\n",
    "README.md": "Tea.\n",
}


@pytest.fixture
def tea(tmp_path: Path) -> Lesson:
    lesson = Lesson(tmp_path).write(FILES)
    assert lesson.run().reason == "first run"
    return lesson


def test_the_closure_is_what_was_read_and_what_could_have_been(tea: Lesson) -> None:
    reads = tea.run().closure.reads
    mine = {path: held for path, held in reads.items() if not path.endswith((".py", "/"))}
    assert list(mine) == ["code/tea/cup.txt"]
    engine = os.path.join("workings", "")
    code = {path: held for path, held in reads.items() if engine not in path}
    assert {path for path, held in code.items() if held != "absent"} == {
        "code/tea/cup.py", "code/tea/cup.txt", "code/tea/kettle.py", "code/tea/show_numbers.py"
    }  # fmt: skip
    assert {path for path, held in code.items() if held == "absent"} == {
        "code/tea/cup/__init__.py",
        "code/tea/kettle/__init__.py",
        "code/tea/show_numbers/__init__.py",
    }
    names = {Path(path).name for path in reads if engine in path}
    assert {"lesson.py", "formula.py", "registry.py", "server.py"} <= names
    assert not names & {"cache.py", "run.py", "site.py"}, "the parent's modules do not matter"


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("kettle.py", FILES["kettle.py"] + "\n", "code/tea/kettle.py changed"),
        ("cup.py", FILES["cup.py"] + "\n", "code/tea/cup.py changed"),
        ("cup.txt", "300\n", "code/tea/cup.txt changed"),
        ("show_numbers.py", FILES["show_numbers.py"] + "\n", "code/tea/show_numbers.py changed"),
        ("cup/__init__.py", "", "code/tea/cup/__init__.py is new"),
    ],
)
def test_what_makes_a_lesson_run_again(tea: Lesson, path: str, text: str, reason: str) -> None:
    tea.write({path: text})
    assert why(tea.root, "tea") == {"numbers": f"runs: {reason}"}
    assert tea.run().reason == reason


@pytest.mark.parametrize(
    "path", ["figures.py", "test_kettle.py", "test_new.py", "new.py", "README.md", "new.txt"]
)
def test_what_does_not(tea: Lesson, path: str) -> None:
    tea.write({path: "X = 1\n"})
    assert why(tea.root, "tea") == {"numbers": "cached: nothing changed"}
    assert (tea.run().state, tea.run().reason) == ("cached", "nothing changed")


def test_a_change_of_the_same_size_in_the_same_second_counts(tea: Lesson) -> None:
    file = tea.folder / "cup.txt"
    stat = file.stat()
    file.write_text("300\n")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert tea.values() == {"water_ml": 1200}


def test_a_touched_file_is_the_same_file(tea: Lesson) -> None:
    os.utime(tea.folder / "cup.txt", (1, 1))
    assert tea.run().state == "cached"


def test_a_file_that_goes_is_missed(tea: Lesson) -> None:
    (tea.folder / "cup.txt").unlink()
    run = tea.run()
    assert run.reason == "code/tea/cup.txt is gone"
    assert [problem.rule for problem in run.problems] == ["missing-data-file"]


@pytest.mark.parametrize(
    ("body", "change", "reason"),
    [
        ("from pathlib import Path\nreturn {'a': Path('b.txt').exists()}", "b.txt",
         "code/tea/b.txt is new"),
        ("import os\nreturn {'a': os.path.isfile('b.txt')}", "b.txt", "code/tea/b.txt is new"),
        ("try:\n    open('b.txt')\nexcept OSError:\n    pass\nreturn {'a': 1}", "b.txt",
         "code/tea/b.txt is new"),
        ("import os\nreturn {'a': len(os.listdir('.'))}", "b.txt",
         "the names in code/tea/ changed"),
        ("from pathlib import Path\nreturn {'a': len(list(Path('.').glob('*.txt')))}", "b.txt",
         "the names in code/tea/ changed"),
        ("try:\n    import spoon\nexcept ImportError:\n    pass\nreturn {'a': 1}", "spoon.py",
         "code/tea/spoon.py is new"),
        ("open('../../shared.txt').close()\nreturn {'a': 1}", "../../shared.txt",
         "shared.txt changed"),
    ],
)  # fmt: skip
def test_questions_count_like_reads(tmp_path: Path, body: str, change: str, reason: str) -> None:
    (tmp_path / "shared.txt").write_text("1")
    lesson = Lesson(tmp_path).numbers(body)
    assert lesson.run().problems == ()
    assert lesson.run().state == "cached"
    lesson.write({change: "2"})
    assert lesson.run().reason == reason


def test_a_question_whether_a_file_is_there_is_not_about_its_content(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path).write({"b.txt": "1"})
    lesson.numbers("import os\nreturn {'a': os.path.exists('b.txt')}").run()
    lesson.write({"b.txt": "22"})
    assert lesson.run().state == "cached"


def test_the_size_of_a_file_is_about_its_content(tmp_path: Path) -> None:
    lesson = Lesson(tmp_path).write({"b.txt": "1"})
    lesson.numbers("import os\nreturn {'size_bytes': os.stat('b.txt').st_size}").run()
    lesson.write({"b.txt": "22"})
    assert lesson.values() == {"size_bytes": 2}


def test_each_set_of_parameters_is_kept_for_itself(tea: Lesson) -> None:
    assert [tea.run(guests=guests).state for guests in (5, 6, 5, 6)] == [
        "fresh", "fresh", "cached", "cached"
    ]  # fmt: skip
    assert tea.values(guests=5) == {"water_ml": 1250}


def test_going_back_to_another_branch_runs_nothing(tea: Lesson) -> None:
    for text, state in (("300", "fresh"), ("250\n", "cached"), ("300", "cached")):
        tea.write({"cup.txt": text})
        assert tea.run().state == state


def test_another_python_and_other_packages_run_again(
    tea: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = closure.python_version()
    monkeypatch.setattr(closure, "python_version", lambda: "3.99.0 on moon")
    assert why(tea.root, "tea") == {"numbers": f"runs: Python {here} -> 3.99.0 on moon"}


def test_the_version_of_an_imported_package_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = Lesson(tmp_path).numbers("import markupsafe\nreturn {'a': 1}")
    version = lesson.run().closure.packages["MarkupSafe"]
    assert lesson.run().closure.packages == {"MarkupSafe": version}
    monkeypatch.setattr(closure, "_version", lambda name: "99")
    assert why(tmp_path, "tea") == {"numbers": f"runs: MarkupSafe {version} -> 99"}


def test_a_failure_is_never_kept(tea: Lesson) -> None:
    tea.write({"cup.txt": "none"})
    before = stored(tea)
    assert [tea.run().state for _ in range(2)] == ["failed", "failed"]
    tea.write({"kettle.py": "def water_ml(guests):\n    print(guests)\n    return 1\n"})
    assert [tea.run().state for _ in range(2)] == ["failed", "failed"]
    assert stored(tea) == before


def stored(lesson: Lesson) -> list[Path]:
    """Every file of the cache, hidden ones too."""
    cache = lesson.root / ".cache" / "workings"
    return sorted(path for path in cache.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-20],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace("1000", "1001"),
        lambda text: json.dumps({**json.loads(text), "form": 0}),
    ],
    ids=["empty", "cut", "a list", "nothing in it", "another value", "another form"],
)
def test_a_spoilt_file_is_as_good_as_none(tea: Lesson, spoil: Callable[[str], str]) -> None:
    (file,) = stored(tea)
    file.write_text(spoil(file.read_text()))
    run = tea.run()
    assert (run.state, run.reason) == ("fresh", "first run")
    assert tea.run().state == "cached"


def test_the_cache_may_be_deleted(tea: Lesson) -> None:
    for path in stored(tea):
        path.unlink()
    assert tea.values() == {"water_ml": 1000}


def test_the_oldest_variants_go(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    identity = Identity("tea", "module:numbers_job", {})
    for number in range(12):
        reads = {"a.txt": f"{number:040}"}
        cache.store(identity, Stored(number, Closure(closure.python_version(), {}, reads), 0.1))
    kept = sorted((tmp_path / "cache" / identity.folder).iterdir())
    assert len(kept) == 8
    assert all(path.suffix == ".json" for path in kept), "no half-written file is left"
    values = {json.loads(json.loads(path.read_text())["body"])["value"] for path in kept}
    assert values == set(range(4, 12))


def test_a_hit_starts_nothing(tea: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workings.execution.run._run", None)
    assert tea.run().state == "cached"


def test_a_hit_gives_the_same_as_the_run(tea: Lesson) -> None:
    (fresh,) = execute_all(tea.root, ["tea"])["tea"]
    again = execute(tea.root, "tea")
    assert (again.registry, again.closure, again.defaults) == (
        fresh.registry, fresh.closure, fresh.defaults
    )  # fmt: skip


def test_one_look_at_the_files_serves_a_whole_build(tea: Lesson) -> None:
    files = Files(tea.root)
    job = Job("tea", "workings.execution.lesson:numbers_job", {"parameters": {}})
    assert run_job(tea.root, job, files=files).state == "cached"
    (tea.folder / "cup.txt").write_text("300")
    assert run_job(tea.root, job, files=files).state == "cached", "the build began before"
    assert run_job(tea.root, job).state == "fresh"
