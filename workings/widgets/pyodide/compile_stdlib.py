"""Runs inside Pyodide: compiles the standard library's archive in /work, with pyodide-build's command."""

import sys
from importlib import import_module
from importlib.metadata import entry_points


def main() -> str:
    sys.path.insert(0, "/pyodide-build")
    sys.dont_write_bytecode = False  # leave compiled files, so that later runs start sooner
    (command,) = entry_points(group="pyodide.cli", name="py-compile")
    command.load()(["/job/stdlib.zip", "--compression-level", "9"], standalone_mode=False)
    for name in ("pyodide_lock.cli", "pyodide_lock.utils", "pkginfo"):
        import_module(name)
    return ""
