"""The process that lessons run in: started by its file name, it forks one child for each job.

It holds third-party packages that are slow to import, and never a module of the project or of
Workings: each child imports these afresh, so that no old code is ever run. Commands come as lines
on standard input (`run ID REQUEST`, `stop ID`), answers go out the same way (`ready` once, then
`done ID STATUS`).
Where nothing can be forked, `server.py once ... REQUEST` does a single job.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import os
import selectors
import signal
import sys
from typing import NoReturn

BARE = frozenset(sys.modules)  # what Python itself brought along

# What every child needs, and lessons often do: part of Python, so it never changes.
STANDARD = (
    "ast", "collections.abc", "contextlib", "csv", "dataclasses", "difflib", "enum", "fractions",
    "functools", "hashlib", "inspect", "itertools", "json", "keyword", "linecache", "math",
    "pathlib", "random", "resource", "shutil", "statistics", "sysconfig", "tempfile", "textwrap",
    "traceback", "typing",
)  # fmt: skip


def main(arguments: list[str]) -> None:
    mode, package, preload, *request = arguments
    if mode == "once":
        _import_all(preload.split(","))
        _run(package, request[0])
    commands, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    _import_all([*STANDARD, *preload.split(",")])
    gc.collect()
    gc.freeze()
    _Server(package, commands, answers).serve()


def _import_all(names: list[str]) -> None:
    for name in filter(None, names):
        with contextlib.suppress(Exception):  # the job itself says what is missing
            importlib.import_module(name)


def _run(package: str, request: str) -> NoReturn:
    """Do one job with the engine that lies in the folder `package`, and end."""
    file = os.path.join(package, "__init__.py")
    spec = importlib.util.spec_from_file_location(
        "workings", file, submodule_search_locations=[package]
    )
    assert spec and spec.loader
    sys.modules["workings"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    importlib.import_module("workings.execution.child").run(request)
    os._exit(0)


class _Server:
    def __init__(self, package: str, commands: int, answers: int) -> None:
        self.package = package
        self.commands = commands
        self.answers = answers
        self.running: dict[int, str] = {}

    def serve(self) -> None:
        """Answer commands until their sender has gone, then end every child."""
        woken, wake = os.pipe()
        for descriptor in (woken, wake):
            os.set_blocking(descriptor, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake)
        os.write(self.answers, b"ready\n")
        selector = selectors.DefaultSelector()
        selector.register(self.commands, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        try:
            self._loop(selector, woken)
        finally:
            for pid in self.running:
                _end_group(pid)

    def _loop(self, selector: selectors.BaseSelector, woken: int) -> None:
        pending = b""
        while True:
            ready = {key.fd for key, _ in selector.select()}
            if woken in ready:
                os.read(woken, 4096)
                self._reap()
            if self.commands in ready:
                received = os.read(self.commands, 65536)
                if not received:
                    return
                *lines, pending = (pending + received).split(b"\n")
                for line in lines:
                    self._obey(line.decode())

    def _obey(self, line: str) -> None:
        command, job, *request = line.split(" ", 2)
        if command == "stop":
            for pid in [pid for pid, running in self.running.items() if running == job]:
                _end_group(pid)
            return
        if pid := os.fork():
            self.running[pid] = job
            with contextlib.suppress(OSError):  # whoever comes first makes the group
                os.setpgid(pid, pid)
            return
        try:
            os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(self.commands)
            os.close(self.answers)
            _run(self.package, request[0])
        finally:
            os._exit(70)

    def _reap(self) -> None:
        while self.running:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is None:
                return
            _end_group(ended.si_pid)  # what the job itself started and left behind
            _, status = os.waitpid(ended.si_pid, 0)
            job = self.running.pop(ended.si_pid)
            code = os.waitstatus_to_exitcode(status)
            os.write(self.answers, f"done {job} {code}\n".encode())


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
