"""Answers the requests in `requests.jsonl` of a folder: the same lines in CPython and in Pyodide."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from workings.widgets import lessons, live


def main(work: str = "/job") -> str:
    lines = (Path(work) / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    answers = [json.dumps(answer(json.loads(line))) for line in lines]
    (Path(work) / "answers.jsonl").write_text("\n".join(answers), encoding="utf-8")
    return ""


def answer(request: dict[str, Any]) -> Any:
    """What a panel shows, or the numbers of a lesson with some of its parameters."""
    if "panel" in request:
        return json.loads(live.handle(json.dumps(request)))
    lessons.activate(live.lesson_folder(request["lesson"]).path)
    try:
        return import_module("show_numbers").numbers(**request["parameters"])
    except ValueError as error:
        return {"refused": str(error)}


if __name__ == "__main__":
    main(sys.argv[1])
