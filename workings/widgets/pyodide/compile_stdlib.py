"""Runs inside Pyodide: compiles the standard library's archive in /work, with pyodide-build's command."""

import sys
from importlib.metadata import entry_points


def main() -> str:
    sys.path.insert(0, "/pyodide-build")
    (command,) = entry_points(group="pyodide.cli", name="py-compile")
    command.load()(["/work/stdlib.zip", "--compression-level", "9"], standalone_mode=False)
    return ""
