"""Builds what runs a lesson's Python in a browser: Pyodide, a library cut to what is used, wheels.

The only part of the project that knows Pyodide. Everything is published in one folder that is named
after its content, so that a browser may keep it for ever; `manifest.json` says what is in it. The
result is kept by the content of all that went in: a second build runs nothing and needs no network.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workings import __version__
from workings.widgets import sources
from workings.widgets.declaration import Panel, read_widget
from workings.widgets.panels import raw_panel
from workings.widgets.toolchain import (
    PINS,
    Toolchain,
    ensure_toolchain,
    find_node,
    forget_old,
    run_job,
)
from workings.widgets.wheels import archive, wheel, wheel_name

ENGINE = "workings-browser"
STDLIB, WHOLE_STDLIB = "stdlib.zip", "stdlib-whole.zip"
_DISTRIBUTION = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
_KEPT_BUILDS = 4


@dataclass(frozen=True)
class RuntimeAssets:
    """What is published: (address from the site's root, file), and the folder that it lies in."""

    files: tuple[tuple[str, Path], ...]
    base_url: str

    @property
    def name(self) -> str:
        """The folder's own name, as pages name it: `py-0123456789`."""
        return self.base_url.strip("/").rpartition("/")[2]

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What `manifest.json` says: versions, sizes, hashes, the lock and the lessons' files."""
        path = next(path for address, path in self.files if address.endswith("/manifest.json"))
        found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found


@dataclass(frozen=True)
class LessonSource:
    """What a lesson brings into the browser."""

    slug: str
    files: Mapping[str, bytes]
    panels: tuple[Panel, ...]

    @property
    def package(self) -> str:
        return lesson_package(self.slug)


def lesson_package(slug: str) -> str:
    """The name of the distribution that holds a lesson's code."""
    return f"workings-lesson-{slug}"


def ensure(root: Path, cache: Path | None = None) -> RuntimeAssets:
    """The runtime of the project's lessons, built where it is not there yet.

    Raises ProblemsError where the tools are missing or the widgets are faulty.
    """
    cache = cache or root / ".cache" / "workings"
    lessons = read_lessons(root)
    folder = cache / "runtime" / _key(lessons)
    if not folder.is_dir():
        tools = ensure_toolchain(cache)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as made:
            _build(tools, lessons, Path(made) / "work", Path(made) / "out")
            _publish(Path(made) / "out", folder)
        forget_old(folder.parent, _KEPT_BUILDS)
    os.utime(folder)
    (site,) = folder.iterdir()
    base = f"assets/{site.name}/"
    return RuntimeAssets(tuple((base + path.name, path) for path in sorted(site.iterdir())), base)


def run_published(assets: RuntimeAssets, program: Path, work: Path) -> str:
    """What `main()` of a program returns in the published runtime, under Node, with `work` as /work.

    It loads what a browser would: the cut library and, by the lock, the wheels.
    """
    manifest = assets.manifest
    folder = next(path for _, path in assets.files).parent
    job = {
        "index": str(folder),
        "stdlib": str(folder / STDLIB),
        "lock": manifest["lock"],
        "packages": [
            manifest["engine"],
            *(entry["package"] for entry in manifest["lessons"].values()),
        ],
        "mounts": {"/job": str(work)},
        "program": str(program),
    }
    return run_job(find_node(), job)


def read_lessons(root: Path) -> tuple[LessonSource, ...]:
    """Every lesson that has code, in the order of their names."""
    slugs = sorted(page.parent.name for page in (root / "lessons").glob("*/index.md"))
    return tuple(
        LessonSource(
            slug, sources.lesson_files(root / "code" / slug), widget.panels if widget else ()
        )
        for slug in slugs
        if (root / "code" / slug).is_dir()
        for widget in [read_widget(root, slug)]
    )


def _key(lessons: Sequence[LessonSource]) -> str:
    digest = hashlib.sha256(f"{__version__} {sorted(_pins().items())}".encode())
    for name, content in sources.engine_files().items():
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    for lesson in lessons:
        digest.update(f"\0{lesson.slug}\0{_panels_text(lesson)}".encode())
        for name, content in lesson.files.items():
            digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def _pins() -> dict[str, str]:
    files = [*PINS.iterdir(), Path(__file__)]
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.is_file()
    }


def _panels_text(lesson: LessonSource) -> str:
    return json.dumps([raw_panel(panel) for panel in lesson.panels])


def _build(tools: Toolchain, lessons: Sequence[LessonSource], work: Path, out: Path) -> None:
    """Wheels, their lock, the library's trace, and the folder that is published."""
    work.mkdir()
    out.mkdir()
    _write_wheel(work, ENGINE, sources.engine_files())
    for lesson in lessons:
        files = {f"_lessons/{lesson.slug}/{name}": data for name, data in lesson.files.items()}
        _write_wheel(work, lesson.package, files)
    panels = [
        {"slug": lesson.slug, "panels": json.loads(_panels_text(lesson))} for lesson in lessons
    ]
    (work / "lessons.json").write_text(json.dumps(panels), encoding="utf-8")
    # Pyodide's own packages are not published, so the lock knows our wheels alone.
    theirs = json.loads((tools.pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    base = {"info": theirs["info"], "packages": {}}
    (work / "base.json").write_text(json.dumps(base), encoding="utf-8")
    used = json.loads(
        tools.run("assemble.py", work, sorted(work.glob("*.whl")), tools.stdlib, ["-OO"])
    )
    lock = json.loads((work / "pyodide-lock.json").read_text(encoding="utf-8"))
    for path in sorted(work.glob("*.whl")):
        shutil.copyfile(path, out / path.name)
    for name in _DISTRIBUTION:
        shutil.copyfile(tools.pyodide / name, out / name)
    (out / STDLIB).write_bytes(cut_library(tools.stdlib.read_bytes(), used))
    shutil.copyfile(tools.stdlib, out / WHOLE_STDLIB)
    manifest = _manifest(tools, lessons, lock, out)
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def _write_wheel(folder: Path, distribution: str, files: Mapping[str, bytes]) -> None:
    (folder / wheel_name(distribution, __version__)).write_bytes(
        wheel(distribution, __version__, files)
    )


def cut_library(whole: bytes, modules: Sequence[str]) -> bytes:
    """The compiled library with only these modules in it, and everything that is no module."""
    with zipfile.ZipFile(io.BytesIO(whole)) as file:
        names = [name for name in file.namelist() if not name.endswith("/")]
        wanted = {
            f"{module.replace('.', '/')}{end}"
            for module in modules
            for end in (".pyc", "/__init__.pyc")
        }
        kept = {name: file.read(name) for name in sorted(names) if name in wanted}
    return archive(kept)


def _manifest(
    tools: Toolchain, lessons: Sequence[LessonSource], lock: Mapping[str, Any], out: Path
) -> dict[str, Any]:
    distribution = json.loads((tools.pyodide / "package.json").read_text(encoding="utf-8"))
    return {
        "schema": 1,
        "workings": __version__,
        "pyodide": distribution["version"],
        "python": lock["info"]["python"],
        "engine": ENGINE,
        "files": {path.name: _described(path) for path in sorted(out.iterdir())},
        "lessons": {
            lesson.slug: {
                "package": lesson.package,
                "files": {
                    name: hashlib.sha256(data).hexdigest() for name, data in lesson.files.items()
                },
            }
            for lesson in lessons
        },
        "lock": lock,
    }


def _described(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    digest = base64.b64encode(hashlib.sha384(data).digest()).decode()
    return {"bytes": len(data), "integrity": f"sha384-{digest}"}


def _publish(out: Path, folder: Path) -> None:
    """Name the folder after its content, and put it in its place at once."""
    digest = hashlib.sha256((out / "manifest.json").read_bytes()).hexdigest()[:10]
    made = out.parent / "named"
    made.mkdir()
    os.replace(out, made / f"py-{digest}")
    try:
        os.replace(made, folder)
    except OSError:
        if not folder.is_dir():  # else another build was quicker
            raise
