"""What a fresh clone relies on: the locks, the make targets, the set-up, and what is packaged."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools import environment

ROOT = Path(__file__).parent.parent
LOCKS = ["requirements.lock", "requirements-node.lock", "requirements-dev.lock"]
NPM_LOCKS = ["package-lock.json", "workings/widgets/pyodide/package-lock.json"]


def pins(name: str) -> dict[str, str]:
    """Package -> version of a lock file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE))


# --- the sources ------------------------------------------------------------------------------


def test_folders_of_lesson_code_are_no_packages() -> None:
    """A package `code` would stand in the way of the standard library's module of that name."""
    assert sorted(ROOT.glob("code/**/__init__.py")) == []


# --- the locks --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*LOCKS, "workings/widgets/pyodide/pyodide-build.txt"])
def test_every_locked_package_has_its_hash_and_no_lock_names_an_index(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert re.search(r"(?<![\w.])/\w", text) is None, "a path of some machine"
    code = re.sub(r"#.*", "", text).replace("\\\n", " ")
    lines = [line.split() for line in code.splitlines() if line.strip()]
    assert lines
    for requirement, *hashes in lines:
        assert "==" in requirement
        assert hashes, requirement
        assert all(part.startswith("--hash=sha256:") for part in hashes), requirement


@pytest.mark.parametrize("name", NPM_LOCKS)
def test_every_npm_package_has_its_hash_and_no_lock_names_a_registry(name: str) -> None:
    packages = json.loads((ROOT / name).read_text(encoding="utf-8"))["packages"]
    installed = {path: package for path, package in packages.items() if path}
    assert installed
    for path, package in installed.items():
        assert package["integrity"].startswith("sha512-"), path
        assert "resolved" not in package, path


def test_the_lock_holds_what_the_engine_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    locked = pins("requirements.lock")
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(locked[requirement.name]), str(requirement)


def test_the_locks_agree_where_they_overlap() -> None:
    runtime, dev = pins("requirements.lock"), pins("requirements-dev.lock")
    shared = runtime.keys() & dev.keys()
    assert {name: runtime[name] for name in shared} == {name: dev[name] for name in shared}


# --- make -------------------------------------------------------------------------------------


def make(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = shutil.which("make")
    assert command, "the tests of make need make"
    variables = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    if path is not None:
        variables["PATH"] = str(path)
    return subprocess.run(
        [command, "--no-print-directory", *arguments],
        cwd=ROOT, env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_help_names_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony
    own_steps = {"venv", "tools"}
    listed = re.findall(r"^  make ([a-z-]+) +\S", make("help").stdout, re.MULTILINE)
    assert set(listed) == set(phony[1].split()) - own_steps


def test_make_alone_says_what_there_is() -> None:
    assert make().stdout == make("help").stdout


def test_a_python_that_is_too_old_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "sh").symlink_to("/bin/sh")
    for name in ("python3", "python3.11"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    done = make("site", path=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines()[:2] == [
        "Workings needs Python 3.11 or newer; none on the PATH is not.",
        "Install it, or name one: make site PYTHON=/path/to/python3",
    ]


# --- the set-up -------------------------------------------------------------------------------


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that a set-up runs in an empty folder; none of them is really run."""
    ran: list[list[str]] = []

    def record(command: Sequence[str], what: str) -> None:
        ran.append([*command])
        (tmp_path / ".venv" / "bin").mkdir(parents=True, exist_ok=True)

    for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        (tmp_path / name).write_text(name)
    (tmp_path / "workings").mkdir()
    (tmp_path / "workings" / "__init__.py").write_text("")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(environment, "INSTALLED", tmp_path / ".venv" / "installed.json")
    monkeypatch.setattr(environment, "run", record)
    monkeypatch.setattr(environment, "npm_command", lambda: Path("npm"))
    return ran


def runs_everywhere(program: Path | str, code: str, flag: str = "-c") -> bool:
    return True


def test_a_second_set_up_installs_nothing(
    steps: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert environment.main([]) == 0
    assert [step[1:4] for step in steps] == [
        ["-m", "venv", "--clear"], ["-m", "pip", "install"], ["-m", "pip", "install"],
    ]  # fmt: skip
    assert "--require-hashes" in steps[1]
    monkeypatch.setattr(environment, "works", runs_everywhere)
    steps.clear()
    assert environment.main([]) == 0
    assert steps == []


def test_a_changed_lock_is_installed_and_nothing_else(
    steps: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.main([])
    monkeypatch.setattr(environment, "works", runs_everywhere)
    steps.clear()
    (tmp_path / "requirements.lock").write_text("changed")
    environment.main([])
    assert [step[-1] for step in steps] == [str(tmp_path / "requirements.lock")]


def test_an_environment_that_was_moved_is_made_anew(
    steps: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.main([])
    monkeypatch.setattr(environment, "works", runs_everywhere)
    environment.remember("place", "/elsewhere/.venv")
    steps.clear()
    environment.main([])
    assert steps[0][1:4] == ["-m", "venv", "--clear"]


def test_a_step_that_fails_is_named_and_not_remembered(
    steps: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(command: Sequence[str], what: str) -> None:
        raise environment.SetUpError(f"'{what}' ended with exit code 1; its message is above.")

    environment.main([])
    monkeypatch.setattr(environment, "works", runs_everywhere)
    monkeypatch.setattr(environment, "run", fail)
    environment.remember("requirements.lock", "older")
    assert environment.main([]) == 1
    told = "Set-up failed: 'pip install' ended with exit code 1; its message is above.\n"
    assert capsys.readouterr().err == told
    assert environment.remembered()["requirements.lock"] == "older"


def test_a_browser_that_is_named_is_taken(
    steps: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKINGS_CHROMIUM", "/some/chromium")
    monkeypatch.setattr(environment, "apt_install", lambda package: pytest.fail(package))
    environment.ensure_browser()


# --- the proof and the package ----------------------------------------------------------------


@pytest.mark.parametrize(("folder", "code"), [("browser", 1), ("other", 0)])
def test_a_skipped_browser_test_fails_the_run(tmp_path: Path, folder: str, code: int) -> None:
    (tmp_path / folder).mkdir()
    test = tmp_path / folder / "test_page.py"
    test.write_text("import pytest\n\ndef test_page():\n    pytest.skip('no browser')\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tools.unskipped", "-c", os.devnull,
         "-p", "no:cacheprovider", f"--rootdir={tmp_path}", str(test)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    told = "ERROR browser/test_page.py::test_page was skipped, and must run here."
    assert (told in done.stdout) is bool(code)


def test_the_wheel_holds_every_file_of_the_engine(tmp_path: Path) -> None:
    """Style sheets, scripts, fonts and pins are no Python, and are easily left behind."""
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "workings", source / "workings", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", "THIRD-PARTY.md"):
        shutil.copy(ROOT / name, source / name)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--wheel-dir", str(tmp_path), str(source)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        packed = {name for name in file.namelist() if name.startswith("workings/")}
    ours = (path for path in (source / "workings").rglob("*") if path.is_file())
    assert packed == {path.relative_to(source).as_posix() for path in ours}
