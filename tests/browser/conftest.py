"""Real pages in a real Chromium, with no network but loopback.

A test that leaves a console message, a page error or a request to another origin behind fails.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

ROOT = Path(__file__).parent.parent.parent
_TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm", ".woff2": "font/woff2"}
_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's own site, built once; WORKINGS_SITE names one that is built already."""
    if given := os.environ.get("WORKINGS_SITE"):
        return Path(given)
    site = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-d", str(site)],
        cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return site


class _Handler(http.server.SimpleHTTPRequestHandler):
    def guess_type(self, path: str | os.PathLike[str]) -> str:
        return _TYPES.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def end_headers(self) -> None:
        for name, value in getattr(self.server, "extra_headers", {}).items():
            self.send_header(name, value)
        super().end_headers()


@dataclass
class Served:
    """A folder served on loopback; `url` ends in a slash, `requests` are the paths asked for."""

    url: str
    folder: Path
    server: http.server.ThreadingHTTPServer
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., Served]]:
    """Serve a folder, optionally with extra response headers."""
    running: list[http.server.ThreadingHTTPServer] = []

    def start(folder: Path, headers: dict[str, str] | None = None) -> Served:
        served: Served

        class Handler(_Handler):
            def send_head(self):  # type: ignore[no-untyped-def]
                served.requests.append(self.path)
                return super().send_head()

        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
        )
        server.daemon_threads = True
        server.extra_headers = headers or {}  # type: ignore[attr-defined]
        served = Served(f"http://127.0.0.1:{server.server_address[1]}/", folder, server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return served

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site(built_site: Path, serve: Callable[..., Served]) -> Served:
    """The project's own site on loopback."""
    return serve(built_site)


def chromium_path() -> str | None:
    """The browser of the distribution, or None for Playwright's own."""
    given = os.environ.get("WORKINGS_CHROMIUM")
    names = ("chromium", "chromium-browser", "google-chrome")
    return given or next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def playwright_() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright_: Playwright) -> Iterator[Browser]:
    started = playwright_.chromium.launch(executable_path=chromium_path(), args=_ARGUMENTS)
    yield started
    started.close()


@dataclass
class Watched:
    """What a page said and asked for."""

    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def faults(self, origin: str) -> list[str]:
        foreign = [url for url in self.requests if not url.startswith((origin, "data:", "blob:"))]
        said = [text for text in self.messages if not any(part in text for part in self.expected)]
        return foreign + said


def watch(page: Page, watched: Watched) -> None:
    """Write down what the page says and asks for."""
    page.on("console", lambda message: watched.messages.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: watched.messages.append(f"error: {error}"))
    page.on("request", lambda request: watched.requests.append(request.url))


@pytest.fixture
def open_page(browser: Browser, site: Served) -> Iterator[Callable[..., Page]]:
    """Open an address of the site in a fresh profile; options are those of a Playwright context.

    The page's `watched` says what it asked for; what it says must be expected, or the test fails.
    """
    opened: list[tuple[Page, Watched, str]] = []

    def start(address: str = "", *, base: Served | None = None, **options: object) -> Page:
        origin = (base or site).url
        context = browser.new_context(**options)  # type: ignore[arg-type]
        context.set_default_timeout(30_000)
        page = context.new_page()
        watched = Watched()
        watch(page, watched)
        page.watched = watched  # type: ignore[attr-defined]
        opened.append((page, watched, origin))
        page.goto(origin + address)
        return page

    yield start
    faults = [fault for _, watched, origin in opened for fault in watched.faults(origin)]
    for page, _, _ in opened:
        page.context.close()
    assert faults == []
