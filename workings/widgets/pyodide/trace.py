"""Runs inside Pyodide: uses all that a reader can use, and names the library modules that it took.

What is left out here is missing in the browser, so this takes the way of the browser: the wheels come
through Pyodide's own loader, every panel is computed with its defaults and with bad entries, every
lesson's numbers are computed, and an exception is written out.
"""

import json
import sys
import traceback
from pathlib import Path

from workings.widgets import lessons, live


def main() -> str:
    for lesson in json.loads(Path("/work/lessons.json").read_text()):
        folder = live.lesson_folder(lesson["slug"])
        lessons.activate(folder.path)
        numbers = attempt(_numbers) or {}
        for panel in lesson["panels"]:
            attempt(lambda panel=panel: _panel(panel, folder, numbers))
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        traceback.format_exc()
    return json.dumps(sorted(_library_modules()))


def attempt(action):
    """Whatever a lesson raises is for the build to report; here it only ends that attempt."""
    try:
        return action()
    except (Exception, SystemExit):
        traceback.format_exc()
        return None


def _numbers():
    import show_numbers

    return show_numbers.numbers()


def _panel(panel, folder, numbers):
    names = {"n": _Names(numbers)}
    for field in panel["inputs"]:
        for key in ("default", "min", "max"):
            text = field.get(key)
            if isinstance(text, str) and (key != "default" or text.lstrip("{ ").startswith("n.")):
                field[key] = lessons.value_of(folder, text.strip("{} "), names)
    opened = live.open_panel(panel, folder)
    request = {"lesson": Path(folder.path).name, "panel": panel["id"], "declaration": opened}
    live.handle(json.dumps({**request, "inputs": {}}))
    for field in opened["inputs"]:
        entries = [choice["value"] for choice in field.get("choices", [])] or ["", "x", "-1", "1e99", "3"]
        for entry in entries:
            live.handle(json.dumps({**request, "inputs": {**_filled(field, entry), field["id"]: entry}}))


def _filled(field, entry):
    return {key: value for key, value in field.get("fills", {}).get(str(entry), {}).items() if value is not None}


class _Names:
    def __init__(self, numbers):
        self.__dict__.update(numbers)


def _library_modules():
    for name, module in sys.modules.items():
        origin = getattr(getattr(module, "__spec__", None), "origin", None) or ""
        if ".zip/" in origin:
            yield name
