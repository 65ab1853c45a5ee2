"""One job in a process of its own: limits, a clean place, watched reads, a result on disk.

A job is a function `job(place: Place, payload) -> value` that gives something JSON can hold; it
may raise ProblemsError. The process ends with the job, whatever the lesson's code left behind.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

from workings.execution.faults import Place, as_json, describe, location_in, timed_out
from workings.execution.tracking import Tracker, third_party
from workings.problems import Location, Problem, ProblemsError

_LONGEST_OUTPUT = 4096
_SPARE_BYTES = 64 * 2**20
_LARGEST_FILE_BYTES = 64 * 2**20


def run(path: str) -> None:
    """Do the job that the request file at `path` describes, and write its result beside it."""
    with open(path, encoding="utf-8") as file:
        request: dict[str, Any] = json.load(file)
    _Child(os.path.dirname(path), request).run()


class _Child:
    def __init__(self, private: str, request: Mapping[str, Any]) -> None:
        self.private = private
        self.request = request
        self.place = Place(request["root"], request["slug"])
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        self.tracker = Tracker(self.place.root, package, private, self.refuse)
        self.printed = _Printed(self)

    def run(self) -> NoReturn:
        self._settle()
        self.tracker.start(self.place.folder)
        value, problems = self._answer()
        self.tracker.stop()
        self._finish(value, problems)

    def _answer(self) -> tuple[Any, list[Problem]]:
        module, _, function = self.request["job"].partition(":")
        try:
            job = getattr(importlib.import_module(module), function)
            return job(self.place, self.request["payload"]), []
        except ProblemsError as error:
            return None, list(error.problems)
        except BaseException as error:  # the lesson's code may raise anything at all
            if isinstance(error, MemoryError):
                self._spare_memory()
            return None, [describe(error, self.place, list(self.tracker.reads))]

    def _settle(self) -> None:
        """The same surroundings for every run: its own folder, no input, bounded resources."""
        temporary = os.path.join(self.private, "tmp")
        os.makedirs(temporary, exist_ok=True)
        os.environ.update(TMPDIR=temporary, HOME=temporary)
        tempfile.tempdir = None
        output = os.path.join(self.private, "output")
        for target, flags in (
            (0, os.O_RDONLY),
            (1, os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        ):
            descriptor = os.open(os.devnull if target == 0 else output, flags, 0o600)
            os.dup2(descriptor, target)
            os.close(descriptor)
        os.dup2(1, 2)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = sys.stderr = self.printed
        sys.argv = [os.path.join(self.place.folder, "show_numbers.py")]
        sys.dont_write_bytecode = True
        os.chdir(self.place.folder)
        self._limit()

    def _limit(self) -> None:
        with suppress(ImportError, AttributeError):  # not on Windows
            import resource

            memory = int(self.request["memory_bytes"])
            for kind, most, spare in (
                (resource.RLIMIT_DATA, memory, _SPARE_BYTES),
                (resource.RLIMIT_CORE, 0, 0),
                (resource.RLIMIT_FSIZE, _LARGEST_FILE_BYTES, 0),
            ):
                with suppress(ValueError, OSError):
                    resource.setrlimit(kind, (most, most + spare))
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGALRM, self._time_is_up)
            signal.setitimer(signal.ITIMER_REAL, float(self.request["seconds"]))

    def _spare_memory(self) -> None:
        """Room to say that there is none left."""
        import resource

        with suppress(ValueError, OSError):
            most = resource.getrlimit(resource.RLIMIT_DATA)[1]
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))

    def _time_is_up(self, number: int, frame: FrameType | None) -> None:
        self.tracker.on = False
        problem = timed_out(self.request["seconds"], location_in(frame, self.place))
        self._finish(None, [problem])

    def refuse(self, rule: str, sentence: str) -> NoReturn:
        """End the run at once: what a lesson may not do cannot be caught by it either."""
        self.tracker.on = False
        at = location_in(sys._getframe(1), self.place)
        self._finish(None, [Problem(at, rule, f"the lesson's code {sentence}")])

    def _finish(self, value: Any, problems: list[Problem]) -> NoReturn:
        with suppress(AttributeError, ValueError):
            signal.setitimer(signal.ITIMER_REAL, 0)
        result = {
            "value": value,
            "problems": [as_json(problem) for problem in problems],
            "reads": self.tracker.reads,
            "packages": third_party(),
            "printed": self.place.tidy(self.printed.text),
            "printed_at": self.printed.at and [*vars(self.printed.at).values()],
        }
        target = os.path.join(self.private, "result.json")
        with open(f"{target}.part", "w", encoding="utf-8") as file:
            json.dump(result, file, allow_nan=False)
        os.replace(f"{target}.part", target)
        os._exit(0)


class _Printed(io.TextIOBase):
    """Takes the place of standard output and error; knows where the first word was printed."""

    def __init__(self, child: _Child) -> None:
        self.child = child
        self.text = ""
        self.at: Location | None = None

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.at is None and text:
            self.at = location_in(sys._getframe(1), self.child.place)
        if len(self.text) < _LONGEST_OUTPUT:
            self.text += text
        return len(text)
