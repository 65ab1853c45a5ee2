"""Results of runs that succeeded, each kept with everything that it could read.

A stored result counts only while all of that is the same, so a hit costs no more than reading
those files. Several variants are kept for each job: going back to another branch runs nothing.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workings.execution.closure import Closure, Files, difference
from workings.execution.digests import digest

_FORM = 1  # of the files and of how jobs are started; others are ignored
_VARIANTS = 8


@dataclass(frozen=True)
class Identity:
    """Which job this is: the lesson, the function that does it and what it is given."""

    slug: str
    job: str
    payload: Mapping[str, Any]

    @property
    def folder(self) -> str:
        """Where its results lie, relative to the cache."""
        asked = digest(json.dumps([self.job, self.payload], sort_keys=True).encode())
        name = re.sub(r"\W+", "-", self.job.rpartition(":")[2])
        return f"runs/{self.slug}/{name}-{asked[:16]}"


@dataclass(frozen=True)
class Stored:
    """A result: the job's value, what it depends on, and the seconds that the run took."""

    value: Any
    closure: Closure
    seconds: float


@dataclass(frozen=True)
class Lookup:
    """What the cache knows: a stored result that still holds, or the reason to run."""

    stored: Stored | None
    reason: str


class Cache:
    """The cache in a folder, `.cache/workings` of a project. Any file in it may be deleted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def look_up(self, identity: Identity, files: Files) -> Lookup:
        """The stored result that holds for the files as they are, or why there is none."""
        reason = None
        for path in self._variants(identity):
            stored = _read(path)
            if stored is None:
                continue
            changed = difference(stored.closure, files)
            if changed is None:
                with suppress(OSError):
                    os.utime(path)
                return Lookup(stored, "nothing changed")
            reason = reason or changed
        return Lookup(None, reason or "first run")

    def store(self, identity: Identity, stored: Stored) -> None:
        """Keep a result; the oldest go when there are too many."""
        closure = asdict(stored.closure)
        content = {"value": stored.value, "closure": closure, "seconds": stored.seconds}
        body = json.dumps(content, allow_nan=False)
        key = json.dumps(closure, sort_keys=True)
        folder = self.folder / identity.folder
        text = json.dumps({"form": _FORM, "digest": digest(body.encode()), "body": body})
        write_atomically(folder / f"{digest(key.encode())}.json", text)
        for path in list(self._variants(identity))[_VARIANTS:]:
            path.unlink(missing_ok=True)

    def _variants(self, identity: Identity) -> Iterator[Path]:
        """The stored results, newest first."""
        found = []
        for path in (self.folder / identity.folder).glob("*.json"):
            with suppress(OSError):
                found.append((-path.stat().st_mtime_ns, path.name, path))
        return (path for *_, path in sorted(found))


def _read(path: Path) -> Stored | None:
    """The result in a file; None where the file is not whole, or is of another form."""
    try:
        outer = json.loads(path.read_text(encoding="utf-8"))
        if outer["form"] != _FORM or digest(outer["body"].encode()) != outer["digest"]:
            return None
        body = json.loads(outer["body"])
        return Stored(body["value"], Closure(**body["closure"]), body["seconds"])
    except (OSError, ValueError, TypeError, LookupError):
        return None


def write_atomically(path: Path, text: str) -> None:
    """Write a file that is never seen half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, part = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
