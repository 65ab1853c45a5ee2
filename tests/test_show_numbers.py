"""code/show_numbers.py, which prints the numbers of all lessons with nothing but Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_lessons import Lesson

SCRIPT = Path(__file__).parent.parent / "code" / "show_numbers.py"

SOURCE = """\
    import json
    import sys
    import topic

    def numbers():
        return {"size_bytes": topic.SIZE * 1024, "rows": [{"cups": 1, "ml": 2500}]}

    if __name__ == "__main__":
        print(json.dumps(numbers()) if "--json" in sys.argv else numbers())
    """


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    for slug, size in (("one", 1), ("two", 2)):
        Lesson(tmp_path, slug).write({"show_numbers.py": SOURCE, "topic.py": f"SIZE = {size}\n"})
    shutil.copy(SCRIPT, tmp_path / "code")
    return tmp_path


def show(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script without packages and from elsewhere, as a reader may."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(root / "code" / "show_numbers.py"), *arguments],
        cwd="/", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_all_lessons_as_json(lessons: Path) -> None:
    done = show(lessons, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "one": {"size_bytes": 1024, "rows": [{"cups": 1, "ml": 2500}]},
        "two": {"size_bytes": 2048, "rows": [{"cups": 1, "ml": 2500}]},
    }
    assert not list(lessons.rglob("__pycache__"))


def test_one_lesson_as_json_is_what_its_own_script_prints(lessons: Path) -> None:
    done = show(lessons, "two", "--json")
    assert json.loads(done.stdout) == {"size_bytes": 2048, "rows": [{"cups": 1, "ml": 2500}]}


def test_a_table(lessons: Path) -> None:
    assert show(lessons, "two").stdout == (
        "two\n  size_bytes                           2,048\n  rows\n    cups 1, ml 2,500\n"
    )


def test_an_unknown_lesson(lessons: Path) -> None:
    done = show(lessons, "three", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "there is no lesson 'three'. Known: one, two.\n"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("print('tea')", "it printed something that is no JSON"),
        ("raise SystemExit(3)", "exit code 3"),
    ],
)
def test_a_lesson_that_fails_is_named_and_the_others_are_shown(
    lessons: Path, source: str, says: str
) -> None:
    (lessons / "code" / "one" / "show_numbers.py").write_text(source)
    done = show(lessons, "--json")
    assert (done.returncode, list(json.loads(done.stdout))) == (4, ["two"])
    assert done.stderr == f"code/one/show_numbers.py failed: {says}\n"
    assert show(lessons, "one", "--json").stdout == ""
