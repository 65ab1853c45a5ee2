"""Everything that a run could read, and whether it is still the same."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from workings.execution.digests import ABSENT, FOLDER, PRESENT, held_at


@dataclass(frozen=True)
class Closure:
    """What a run depends on.

    `reads` maps paths to fingerprints: relative to the root where they lie below it, with slashes.
    A path that ends in a slash stands for the names in that folder. `packages` are the versions of
    the distributions whose modules were imported.
    """

    python: str = ""
    packages: Mapping[str, str] = field(default_factory=dict)
    reads: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were read, for a watcher."""
        return tuple(
            path for path, held in self.reads.items() if len(held) == 40 and not path.endswith("/")
        )


class Files:
    """Fingerprints of what is on disk, each taken once: one look at the project for one build."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._seen: dict[str, str] = {}

    def present(self, path: str) -> str:
        """The fingerprint of a path as a closure names it."""
        if path not in self._seen:
            ends = os.sep if path.endswith("/") else ""
            full = os.path.join(self.root, path.rstrip("/").replace("/", os.sep))
            self._seen[path] = held_at(full + ends)
        return self._seen[path]


def python_version() -> str:
    """The interpreter that runs: another one may give other values."""
    return f"{platform.python_version()} on {sys.platform} {platform.machine()}"


def closure_of(root: Path, reads: Mapping[str, str], modules: Iterable[str]) -> Closure:
    """The closure of a run that read absolute paths and imported these top-level modules."""
    base = os.path.join(root, "")
    named = {
        (path[len(base) :].replace(os.sep, "/") or "./" if path.startswith(base) else path): held
        for path, held in sorted(reads.items())
    }
    return Closure(python_version(), versions(distributions(modules)), named)


def versions(names: Iterable[str]) -> dict[str, str]:
    """The installed versions of distributions; `absent` for one that is not there."""
    return {name: _version(name) for name in sorted(names)}


@lru_cache(maxsize=512)
def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ABSENT


def distributions(modules: Iterable[str]) -> set[str]:
    """The distributions that top-level modules come from."""
    wanted = list(modules)
    known = _distributions() if wanted else {}
    return {name for module in wanted for name in known.get(module, [])}


@lru_cache(maxsize=1)
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


def difference(closure: Closure, files: Files) -> str | None:
    """What has changed since the run, in words; None where all is the same."""
    if closure.python != (now := python_version()):
        return f"Python {closure.python} -> {now}"
    for name, version in versions(closure.packages).items():
        if version != closure.packages[name]:
            return f"{name} {closure.packages[name]} -> {version}"
    for path, held in closure.reads.items():
        now = files.present(path)
        if now == held or (held == PRESENT and now not in (ABSENT, FOLDER)):
            continue
        if path.endswith("/"):
            return f"the names in {path} changed"
        if held == ABSENT:
            return f"{path} is new"
        return f"{path} is gone" if now == ABSENT else f"{path} changed"
    return None
