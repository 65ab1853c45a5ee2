"""The build's child process: opens panels, evaluates their defaults. JSON in on stdin, out on stdout.

A lesson's code never runs in the process that builds the site.
"""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

from workings.formula import Folder
from workings.widgets.live import evaluate_panel, fault, open_panel


def answer(request: dict[str, Any]) -> list[dict[str, Any]]:
    """For each panel of the request: the opened panel and its results, or what went wrong."""
    folder = Folder(request["folder"], request["label"])
    return [_one(panel, folder) for panel in request["panels"]]


def _one(panel: dict[str, Any], folder: Folder) -> dict[str, Any]:
    try:
        opened = open_panel(panel, folder)
        return {"panel": opened, "result": evaluate_panel(opened, {}, folder), "fault": ""}
    except Exception as error:  # the lesson's code may raise anything
        return {"panel": panel, "result": {}, "fault": fault(error, folder)}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):  # what a lesson prints is no answer
        answered = answer(asked)
    json.dump(answered, sys.stdout)
