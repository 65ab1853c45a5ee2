"""Make .venv/, and with `--tests` all that the tests need, where it is not there yet.

Runs on any Python 3.11 or newer that has nothing installed; `make` calls it before everything else.
What was installed is remembered by the content of the lock files, so a second run does nothing, and
two at the same time wait for each other. Indexes, mirrors and certificates are those that pip, npm
and apt-get are configured with.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
INSTALLED = VENV / "installed.json"
OLDEST_NODE = 18
# Settings that would have packages looked for or installed elsewhere than in the environment.
ELSEWHERE = {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class SetUpError(Exception):
    """What is missing, in words for the person who ran make."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tests", action="store_true", help="what the tests need, too")
    for_tests = parser.parse_args(arguments).tests
    try:
        with alone():
            ensure_venv()
            ensure_requirements("requirements.lock")
            ensure_engine()
            ensure_node()
            if for_tests:
                ensure_requirements("requirements-dev.lock")
                ensure_node_modules()
                ensure_browser()
    except SetUpError as error:
        print(f"Set-up failed: {error}", file=sys.stderr)
        return 1
    return 0


@contextmanager
def alone() -> Iterator[None]:
    """Hold the set-up's lock; a second `make` waits until the first is ready."""
    path = ROOT / ".cache" / "environment.lock"
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def ensure_venv() -> None:
    """A virtual environment whose Python runs, made at this place."""
    if works(PYTHON, "import sys, pip; sys.exit(sys.version_info < (3, 11))") and in_place():
        return
    say(f"making .venv with Python {sys.version.split()[0]}")
    # The interpreter itself may be the one of the environment that is made anew.
    base = getattr(sys, "_base_executable", sys.executable)
    make = [base, "-m", "venv", "--clear", str(VENV)]
    if not works(base, "import ensurepip"):
        package = f"python3.{sys.version_info.minor}-venv"
        if not apt_install(package):
            raise SetUpError(f"{base} has no 'ensurepip'. Install the package {package}.")
    run(make, "python -m venv")
    remember("place", str(VENV))


def in_place() -> bool:
    """Whether the environment was made here: its scripts name the folder that they lie in."""
    return remembered().get("place", str(VENV)) == str(VENV)


def ensure_requirements(name: str) -> None:
    """The packages of a lock file, each with its hash."""
    key = content_key(ROOT / name)
    if remembered().get(name) == key:
        return
    say(f"installing {name}")
    pip("--require-hashes", "--requirement", str(ROOT / name))
    remember(name, key)


def ensure_engine() -> None:
    """The package `workings`, so that edits of its sources count at once."""
    key = content_key(ROOT / "pyproject.toml", ROOT / "workings" / "__init__.py")
    if remembered().get("engine") == key:
        return
    say("installing the engine from workings/")
    pip("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    remember("engine", key)


def ensure_node() -> None:
    """Node with npm: the system's, else the ones that a wheel brings."""
    if npm_command() is None:
        ensure_requirements("requirements-node.lock")
        if npm_command() is None:
            raise SetUpError(f"there is no Node {OLDEST_NODE} or newer with npm. Install it.")


def npm_command() -> Path | None:
    """The npm of the first folder that has it beside a Node that is new enough."""
    test = f"process.exit(process.versions.node.split('.')[0] < {OLDEST_NODE} ? 1 : 0)"
    for path in (os.environ.get("PATH"), str(VENV / "bin")):
        node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
        if node and npm and works(node, test, "-e"):
            return Path(npm)
    return None


def ensure_node_modules() -> None:
    """The linters of package-lock.json. None of their install scripts runs."""
    key = content_key(ROOT / "package-lock.json")
    mark = ROOT / "node_modules" / ".installed"
    if mark.is_file() and mark.read_text() == key:
        return
    say("installing package-lock.json")
    run([str(npm_command()), "ci", "--ignore-scripts"], "npm ci")
    mark.write_text(key)


def ensure_browser() -> None:
    """A Chromium for the tests: the system's, else the distribution's, else Playwright's own."""
    if os.environ.get("WORKINGS_CHROMIUM") or any(map(shutil.which, BROWSERS)):
        return
    # Elsewhere 'chromium' may be a snap in disguise, which needs more than a package.
    if os_release("ID") == "debian" and apt_install("chromium") and shutil.which("chromium"):
        return
    say("installing Playwright's Chromium")
    with_libraries = ["--with-deps"] if is_root() else []
    command = [str(PYTHON), "-m", "playwright", "install", *with_libraries, "chromium"]
    if subprocess.run(command, check=False).returncode:
        raise SetUpError(
            "the tests need a Chromium, and none could be installed. "
            "Install one, or name it: WORKINGS_CHROMIUM=/path/to/chromium make test"
        )


def apt_install(package: str) -> bool:
    """Install a package of Debian or its kin; False where that is not for us to do."""
    sudo = [] if is_root() else ["sudo", "-n"]
    if not shutil.which("apt-get") or (sudo and not quiet(["sudo", "-n", "true"])):
        return False
    say(f"installing the system's package {package}")
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    quiet([*apt, "update"])  # a stale or partial list may still do
    install = [*apt, "install", "--yes", "--no-install-recommends", package]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
    return done.returncode == 0


def os_release(name: str) -> str:
    """A value of /etc/os-release; empty where there is none."""
    path = Path("/etc/os-release")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return dict(line.split("=", 1) for line in lines if "=" in line).get(name, "").strip('"')


def is_root() -> bool:
    return os.geteuid() == 0


def works(program: Path | str, code: str, flag: str = "-c") -> bool:
    return quiet([str(program), flag, code])


def quiet(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def pip(*arguments: str) -> None:
    run([str(PYTHON), "-m", "pip", "install", "--quiet", "--no-input", *arguments], "pip install")


def run(command: Sequence[str], what: str) -> None:
    """Run a step; its own messages pass through."""
    nodes = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{VENV / 'bin'}"
    environment = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    environment |= {"PATH": nodes, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    if done.returncode:
        raise SetUpError(f"'{what}' ended with exit code {done.returncode}; its message is above.")


def content_key(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def remembered() -> dict[str, str]:
    """What is installed: name -> content of what it was installed from."""
    try:
        known: dict[str, str] = json.loads(INSTALLED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known


def remember(name: str, key: str) -> None:
    known = {**remembered(), name: key}
    INSTALLED.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def say(text: str) -> None:
    print(f"set-up: {text} ...", flush=True)


if __name__ == "__main__":
    sys.exit(main())
