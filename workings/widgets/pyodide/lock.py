"""Runs inside Pyodide: writes the lock of the wheels in /work, with pyodide-build's command."""

import sys
from importlib.metadata import entry_points
from pathlib import Path


def main() -> str:
    sys.path.insert(0, "/pyodide-build")
    (command,) = entry_points(group="pyodide.cli", name="lockfile")
    wheels = sorted(str(path) for path in Path("/work").glob("*.whl"))
    options = ["--input", "/work/base.json", "--output", "/work/pyodide-lock.json", "--base-path", "/work"]
    command.load()(["add-wheels", *options, *wheels], standalone_mode=False)
    return ""
