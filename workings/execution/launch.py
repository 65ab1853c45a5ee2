"""Starts the processes that lessons run in, and ends them: on time, at an interrupt, at the end."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SERVER = _HERE / "server.py"
_PACKAGE = _HERE.parent
START_S = 120.0  # for importing what is slow to import
GRACE_S = 2.0  # the child ends itself at its limit; after this it is ended
FORKS = (
    hasattr(os, "fork") and sys.platform != "darwin"
)  # forking is not safe in every macOS library


@dataclass(frozen=True)
class Surroundings:
    """What a job's process starts with: modules already imported, and variables set."""

    preload: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()


BARE = Surroundings()


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code, negative for a signal, or None where it was stopped."""

    code: int | None


class Launcher:
    """Runs request files in processes of their own. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._servers: dict[Surroundings, _ForkServer] = {}
        self._plain: set[subprocess.Popen[bytes]] = set()

    def warm(self, surroundings: Surroundings) -> None:
        """Start importing now what jobs will need soon."""
        if FORKS:
            self._server(surroundings)

    def run(self, request: Path, surroundings: Surroundings, seconds: float) -> Ended:
        """Run the job of a request file; it is ended when it takes longer than `seconds`."""
        limit = seconds + GRACE_S
        if FORKS:
            ended = self._server(surroundings).run(request, limit)
            if ended is not None:
                return ended
        return self._run_plain(request, surroundings, limit)

    def stop(self) -> None:
        """End every process, at once."""
        with self._lock:
            servers, self._servers = list(self._servers.values()), {}
            plain = list(self._plain)
        for server in servers:
            server.stop()
        for process in plain:
            _end(process)

    def _server(self, surroundings: Surroundings) -> _ForkServer:
        with self._lock:
            server = self._servers.get(surroundings)
            if server is None or not server.alive:
                server = self._servers[surroundings] = _ForkServer(surroundings)
            return server

    def _run_plain(self, request: Path, surroundings: Surroundings, limit: float) -> Ended:
        process = subprocess.Popen(
            [*_command("once", surroundings), str(request)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=_environment(surroundings), start_new_session=os.name == "posix",
        )  # fmt: skip
        with self._lock:
            self._plain.add(process)
        try:
            return Ended(process.wait(limit))
        except subprocess.TimeoutExpired:
            return Ended(None)
        finally:
            _end(process)
            with self._lock:
                self._plain.discard(process)


class _ForkServer:
    """The parent's end of server.py."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.process = subprocess.Popen(
            _command("serve", surroundings),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=_environment(surroundings), start_new_session=True,
        )  # fmt: skip
        self.alive = True
        self.stopped = False
        self._ready = threading.Event()
        self._lock = threading.Lock()
        self._ids = count(1)
        self._waiting: dict[str, tuple[threading.Event, list[int]]] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def run(self, request: Path, limit: float) -> Ended | None:
        """Run a job; None where the server has gone and the job must be run elsewhere."""
        self._ready.wait(START_S)  # a job's time begins when its process does
        done: threading.Event = threading.Event()
        codes: list[int] = []
        with self._lock:
            job = str(next(self._ids))
            self._waiting[job] = done, codes
        if not self._say(f"run {job} {request}"):
            return None
        try:
            finished = done.wait(limit)
        except BaseException:
            self._say(f"stop {job}")
            raise
        if not finished:
            self._say(f"stop {job}")
            done.wait(GRACE_S)
            return Ended(None)
        if self.stopped:
            return Ended(None)
        return Ended(codes[0]) if codes else None

    def stop(self) -> None:
        """Hang up: the server then ends its children and itself."""
        self.stopped = True
        with suppress(OSError):
            if self.process.stdin:
                self.process.stdin.close()
        try:
            self.process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            _end(self.process)

    def _say(self, line: str) -> bool:
        try:
            with self._lock:
                assert self.process.stdin
                self.process.stdin.write(line.encode() + b"\n")
                self.process.stdin.flush()
        except (OSError, ValueError):
            self.alive = False
        return self.alive

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            if line == b"ready\n":
                self._ready.set()
                continue
            _, job, code = line.decode().split()
            with self._lock:
                done, codes = self._waiting.pop(job)
            codes.append(int(code))
            done.set()
        self.alive = False
        self._ready.set()
        with self._lock:
            left, self._waiting = list(self._waiting.values()), {}
        for done, _ in left:
            done.set()


def _command(mode: str, surroundings: Surroundings) -> list[str]:
    # As isolated as -I, but the hash seed counts, which -I would ignore.
    options = ["-s", "-P", "-B", "-X", "utf8"]
    preload = ",".join(surroundings.preload)
    return [sys.executable, *options, str(_SERVER), mode, str(_PACKAGE), preload]


def _environment(surroundings: Surroundings) -> Mapping[str, str]:
    """The same variables on every machine, as far as a process can start without more."""
    kept = ("PATH", "HOME", "SYSTEMROOT", "LD_LIBRARY_PATH")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # a lesson's tests need pytest alone
        **dict(surroundings.variables),
    }  # fmt: skip


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_S)


LAUNCHER = Launcher()
atexit.register(LAUNCHER.stop)
