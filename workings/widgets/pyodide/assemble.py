"""Runs inside Pyodide: finds the library modules that readers use, locks the wheels, compiles the engine.

What is left out here is missing in the browser. So every panel is computed with its defaults, with
each choice and with bad entries, every lesson's numbers are computed, and an exception is written
out. What pyodide-build's commands import comes after the list is complete. The engine's wheel is
compiled, which halves the time of its import; a lesson's wheel keeps the sources that readers see.
"""

import json
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from workings.widgets import lessons, live, texts

WORK = Path("/job")


def main() -> str:
    for lesson in json.loads((WORK / "lessons.json").read_text()):
        folder = live.lesson_folder(lesson["slug"])
        lessons.activate(folder.path)
        numbers = _attempt(lambda: import_module("show_numbers").numbers()) or {}
        for panel in lesson["panels"]:
            _attempt(partial(_use, panel, folder, numbers))
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        traceback.format_exc()
    used = sorted(_library_modules())
    sys.path.insert(0, "/pyodide-build")
    _write_lock()
    _run("py-compile", str(WORK), "--exclude", "workings_lesson", "--compression-level", "9")
    return json.dumps(used)


def _attempt(action: Callable[[], Any]) -> Any:
    """What the action gives. Whatever a lesson raises is for the build to report, not for us."""
    try:
        return action()
    except (Exception, SystemExit):
        traceback.format_exc()
        return None


def _use(panel: dict[str, Any], folder: Any, numbers: dict[str, Any]) -> None:
    known = {"n": SimpleNamespace(**numbers)}
    for field in panel["inputs"]:
        for key in ("default", "min", "max"):
            text = field.get(key)
            if isinstance(text, str) and (key != "default" or text.lstrip("{ ").startswith("n.")):
                field[key] = lessons.value_of(folder, text.strip("{} "), known)
    for part, key in (
        ("notes", "text"),
        ("charts", "title"),
        ("charts", "alt"),
        ("checks", "message"),
    ):
        for item in panel[part]:
            for template in texts.templates(item[key]):
                if texts.is_over_numbers(template.expression):
                    item[key] = item[key].replace(template.expression, "1")
    opened = live.open_panel(panel, folder)
    request = {"lesson": Path(folder.path).name, "panel": panel["id"], "declaration": opened}
    live.handle(json.dumps({**request, "inputs": {}}))
    for field in opened["inputs"]:
        choices = [choice["value"] for choice in field.get("choices", [])]
        for entry in choices or ["", "x", "-1", "1e99", "3"]:
            filled = field.get("fills", {}).get(str(entry), {})
            entries = {key: value for key, value in filled.items() if value is not None}
            live.handle(json.dumps({**request, "inputs": {**entries, field["id"]: entry}}))


def _library_modules() -> Iterator[str]:
    """The loaded modules that came out of the standard library's archive."""
    for name, module in sys.modules.items():
        if ".zip/" in (getattr(getattr(module, "__spec__", None), "origin", None) or ""):
            yield name


def _write_lock() -> None:
    wheels = sorted(str(path) for path in WORK.glob("*.whl"))
    files = ["--input", f"{WORK}/base.json", "--output", f"{WORK}/pyodide-lock.json"]
    _run("lockfile", "add-wheels", *files, "--base-path", str(WORK), *wheels)


def _run(command: str, *arguments: str) -> None:
    (found,) = entry_points(group="pyodide.cli", name=command)
    found.load()(list(arguments), standalone_mode=False)
