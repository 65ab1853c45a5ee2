#!/usr/bin/env python3
"""Render the figures of the lessons to SVG files.

    build_figures.py [SLUG[/FIGURE] ...] [--out DIR] [--check]

Without names it renders all. --check draws each twice, compares the bytes and the size budget, and
writes nothing. The same as `workings figures`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv" / "bin" / "python"


def main() -> None:
    """Run the command in the project that this file belongs to."""
    try:
        from workings.figures_command import figures
    except ModuleNotFoundError as error:
        _in_environment(error)
    else:
        figures(prog_name="build_figures.py", obj=ROOT)


def _in_environment(error: ModuleNotFoundError) -> None:
    """Start again with the project's own Python, where `make site` has installed what is needed."""
    if ENVIRONMENT.is_file() and Path(sys.prefix) != ROOT / ".venv":
        os.execv(ENVIRONMENT, [str(ENVIRONMENT), __file__, *sys.argv[1:]])
    sys.exit(f"{error}. Run `make site` once, then .venv/bin/python build_figures.py.")


if __name__ == "__main__":
    main()
