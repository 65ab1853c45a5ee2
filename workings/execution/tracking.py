"""What a run reads, seen from inside: each file with its content, each that was looked for in vain.

Runs in the child. Python's audit events tell of every file that is opened and every folder that is
listed; questions such as `Path.exists` have no event, so `os.stat` is watched as well.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import re
import stat
import sys
import sysconfig
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any, NoReturn

from workings.execution.digests import ABSENT, FOLDER, PRESENT, digest_of, listing_of

Refuse = Callable[[str, str], NoReturn]

_STARTS_PROCESS = (
    *(
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
    ),
    *("os.spawn", "os.startfile", "pty.spawn"),
)
_USES_NETWORK = (
    "socket.connect",
    "socket.bind",
    "socket.getaddrinfo",
    "socket.gethostbyname",
)
_WRITES = (
    *(
        "os.remove",
        "os.rename",
        "os.mkdir",
        "os.rmdir",
        "os.symlink",
        "os.link",
        "os.truncate",
    ),
)
_PRESENCE = ("exists", "lexists", "isfile", "isdir", "islink", "is_file", "is_dir", "is_symlink")
_HIDDEN_FOLDER = re.compile(r"[/\\](?:\.[^/\\]*|__pycache__)[/\\]")
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Tracker:
    """Notes what is read. `refuse` (a rule, a sentence) is told of what a lesson may not do."""

    def __init__(self, root: str, package: str, private: str, refuse: Refuse) -> None:
        self.reads: dict[str, str] = {}
        self.root = os.path.join(root, "")
        self.package = os.path.join(package, "")
        paths = sysconfig.get_paths()
        names = ("stdlib", "platstdlib", "purelib", "platlib")
        ours = [private, os.path.join(root, ".cache"), *(paths[name] for name in names)]
        if sys.prefix != sys.base_prefix:
            ours.append(sys.prefix)
        self.ignored = (
            *(os.path.join(path, "") for path in ours),
            "/proc/",
            "/dev/",
            "/sys/",
        )
        self.refuse = refuse
        self.on = False
        self._busy = threading.local()
        self._stat, self._lstat = os.stat, os.lstat

    def start(self, folder: str) -> None:
        """Watch from here on; the lesson's `folder` is the first place of imports."""
        self.on = True
        sys.addaudithook(self._event)
        self._watch_questions()
        self._forbid_spawning()
        hook = _path_hook(folder, self)
        sys.path_hooks.insert(0, hook)
        sys.path_importer_cache.pop(folder, None)
        sys.path.insert(0, folder)

    def stop(self) -> None:
        """Watch no longer, and note the engine's own modules: they shape the result too."""
        self.on = False
        for name, module in list(sys.modules.items()):
            ours = name.partition(".")[0] == "workings" or name == "__main__"
            if ours and (file := getattr(module, "__file__", None)):
                self.note(file)

    def note(self, path: str, content: bool = True) -> None:
        """Record a file as it is now, or that there is none; without `content` its being there."""
        path = os.path.abspath(path)
        known = self.reads.get(path)
        if (known and not (known == PRESENT and content)) or self._is_ignored(path):
            return
        if getattr(self._busy, "now", False):
            return
        self._busy.now = True
        try:
            kind = self._kind(path)
            if kind == PRESENT and content:
                self.reads[path] = digest_of(path)
            elif kind == FOLDER and os.path.basename(path).startswith("."):
                pass
            elif kind and path.startswith(self.root):
                self.reads[path] = kind
        finally:
            self._busy.now = False

    def _kind(self, path: str) -> str:
        try:
            mode = self._stat(path).st_mode
        except NotADirectoryError:  # below a file there can be nothing
            return ""
        except OSError:
            return ABSENT
        return PRESENT if stat.S_ISREG(mode) else FOLDER if stat.S_ISDIR(mode) else ""

    def _list(self, path: str) -> None:
        path = os.path.join(os.path.abspath(path), "")
        if path in self.reads or not path.startswith(self.root) or self._is_ignored(path):
            return
        self._busy.now = True
        try:
            self.reads[path] = listing_of(path)
        finally:
            self._busy.now = False

    def _is_ignored(self, path: str) -> bool:
        if path.startswith(self.package):
            return "__pycache__" in path
        if path.startswith(self.root) and _HIDDEN_FOLDER.search(path, len(self.root) - 1):
            return True  # what tools leave behind comes and goes
        return path.startswith(self.ignored)

    def _event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on or getattr(self._busy, "now", False):
            return
        if event == "open":
            self._opened(*arguments)
        elif event in ("os.listdir", "os.scandir"):
            if (path := _text(arguments[0] or ".")) is not None:
                self._list(path)
        elif event == "sqlite3.connect":
            if (path := _text(arguments[0])) is not None:
                self.note(path)
        elif event in _STARTS_PROCESS:
            sentence = f"starts another process ({event}), whose reads cannot be followed."
            self.refuse("lesson-forks", sentence)
        elif event in _USES_NETWORK:
            self.refuse("lesson-uses-network", f"uses the network ({event}).")
        elif event in _WRITES:
            self._written(_text(arguments[0]))

    def _opened(self, file: Any, mode: str | None, flags: int) -> None:
        path = _text(file)
        if path is None:
            return
        writes = any(letter in mode for letter in "wax+") if mode else flags & _WRITE_FLAGS
        if writes:
            self._written(path)
            return
        full = os.path.abspath(path)
        ours = full.startswith(self.root) and not full.startswith((self.package, *self.ignored))
        if ours and full.endswith(".pyc"):
            # Compiled code can be older than its source, which alone counts.
            raise FileNotFoundError(2, "Compiled code of a lesson is not used", full)
        self.note(full)

    def _written(self, path: str | None) -> None:
        full = os.path.abspath(path) if path is not None else ""
        if full.startswith(self.root) and not full.startswith(self.ignored):
            name = os.path.relpath(full, self.root).replace(os.sep, "/")
            self.refuse(
                "lesson-writes",
                f"writes {name}: a lesson reads its folder and changes nothing.",
            )

    def _forbid_spawning(self) -> None:
        """Stop what multiprocessing starts its processes with: it tells no audit event."""
        with suppress(ImportError):
            import _posixsubprocess

            def fork_exec(*arguments: Any) -> NoReturn:
                self._event("subprocess.Popen", ())
                raise AssertionError("refusing ends the run")

            _posixsubprocess.fork_exec = fork_exec

    def _watch_questions(self) -> None:
        for name in ("stat", "lstat", "access"):
            original = getattr(os, name)
            watched = self._watched(original, content=name == "stat")
            setattr(os, name, watched)
            for able in (
                os.supports_fd,
                os.supports_dir_fd,
                os.supports_follow_symlinks,
            ):
                if original in able:
                    able.add(watched)

    def _watched(self, original: Callable[..., Any], content: bool) -> Callable[..., Any]:
        def watched(path: Any, *arguments: Any, **named: Any) -> Any:
            asked = _text(path)
            if self.on and asked is not None and named.get("dir_fd") is None:
                full = os.path.abspath(asked)
                if full.startswith(self.root):
                    self.note(full, content and not _asks_presence())
            return original(path, *arguments, **named)

        return watched


def _asks_presence() -> bool:
    """Whether `os.stat` serves a question such as `Path.is_file`, which is not about content."""
    asking = sys._getframe(2)
    names = {asking.f_code.co_name, asking.f_back.f_code.co_name if asking.f_back else ""}
    return not names.isdisjoint(_PRESENCE)


def third_party() -> list[str]:
    """The packages that were imported from the environment, by their top-level names."""
    paths = sysconfig.get_paths()
    places = tuple(os.path.join(paths[name], "") for name in ("purelib", "platlib"))
    bare: frozenset[str] = getattr(sys.modules["__main__"], "BARE", frozenset())
    found = set()
    for name, module in list(sys.modules.items()):
        top = name.partition(".")[0]
        file = getattr(module, "__file__", None) or ""
        if name not in bare and top != "workings" and file.startswith(places):
            found.add(top)
    return sorted(found)


def _text(path: Any) -> str | None:
    """A path as text; None for a file descriptor or what is no path."""
    with suppress(TypeError, ValueError):
        return None if isinstance(path, int) else os.fsdecode(path)
    return None


class _LessonFinder:
    """Finds the modules in a folder of a lesson, and notes each place that it looks at."""

    def __init__(self, folder: str, tracker: Tracker) -> None:
        self.folder = folder
        self.tracker = tracker

    def find_spec(self, name: str, target: ModuleType | None = None) -> ModuleSpec | None:
        if name in sys.stdlib_module_names:
            return None  # no lesson has a module of such a name: that is a problem of its own
        base = os.path.join(self.folder, name.rpartition(".")[2])
        for path, places in (
            (os.path.join(base, "__init__.py"), [base]),
            (f"{base}.py", None),
        ):
            self.tracker.note(path)
            if os.path.isfile(path):
                loader = SourceFileLoader(name, path)
                return importlib.util.spec_from_file_location(
                    name, path, loader=loader, submodule_search_locations=places
                )
        return None


def _path_hook(folder: str, tracker: Tracker) -> Callable[[str], Any]:
    def hook(path: str) -> _LessonFinder:
        if path != folder and not path.startswith(os.path.join(folder, "")):
            raise ImportError
        return _LessonFinder(path, tracker)

    return hook
