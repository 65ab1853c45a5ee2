"""A small site of two lessons with calculators, and a server that can be told to misbehave."""

from __future__ import annotations

import http.server
import mimetypes
import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from workings.registry import Number, Registry
from workings.widgets import runtime
from workings.widgets.declaration import read_widget
from workings.widgets.evaluation import evaluate_widget
from workings.widgets.panels import panel_json
from workings.widgets.render import render_panel

ROOT = Path(__file__).parent.parent.parent

CAKE = {
    "widget.yml": """\
        panels:
          - id: cake
            title: A cake
            inputs:
              - {id: guests, type: integer, label: Guests, default: n.guests, min: 1, max: 1000, scale: log}
              - {id: slice_g, type: number, label: Slice, unit: g, default: 80, min: 1, max: 500}
              - {id: nuts, type: toggle, label: With nuts, default: false}
              - id: size
                type: preset
                label: Occasion
                default: small
                choices: {rows: portions.occasions(), value: id, label: "{{ name }} ({{ guests }})"}
            outputs:
              - {id: cake_g, label: The cake, value: "portions.cake_g(guests, slice_g, nuts)"}
              - {id: trouble, label: Trouble, value: portions.trouble(guests), formula: false}
            tables:
              - id: rows
                caption: Slices
                rows: portions.rows(guests)
                columns: ["guest: Guest", "cake_g: Cake | thousands"]
        """,
    "portions.py": '''\
        """Slices and guests."""


        def cake_g(guests: int, slice_g: float, nuts: bool) -> float:
            return guests * slice_g * (2 if nuts else 1)


        def occasions() -> list[dict[str, object]]:
            return [{"id": "small", "name": "At home", "guests": 4}, {"id": "large", "name": "Wedding", "guests": 120}]


        def rows(guests: int) -> list[dict[str, int]]:
            return [{"guest": number, "cake_g": number * 80} for number in range(1, min(guests, 5) + 1)]


        def trouble(guests: int) -> int:
            if guests == 13:
                while True:
                    pass
            if guests == 14:
                import colorsys

                return round(colorsys.rgb_to_hsv(1, 1, 1)[2])
            if guests == 15:
                return {}["no such key"]
            if guests == 16:
                raise ValueError("Sixteen is one too many.")
            if guests == 17:
                return len([bytearray(2**31 - 1) for _ in range(4)])
            return 0
        ''',
}  # fmt: skip

TEA = {
    "widget.yml": """\
        panels:
          - id: tea
            title: Tea
            inputs:
              - {id: cups, type: integer, label: Cups, default: 2, min: 1, max: 40}
            outputs:
              - {id: water_ml, label: Water, value: portions.water_ml(cups)}
        """,
    "portions.py": '''\
        """A module of the same name as another lesson's."""


        def water_ml(cups: int) -> int:
            return 250 * cups
        ''',
}

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Small</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="{up}assets/workings-test/css/figures.css">
<link rel="stylesheet" href="{up}assets/workings-test/css/widget.css">
<script type="module" src="{up}assets/workings-test/js/widget/widget.mjs"></script></head>
<body data-md-color-scheme="default"><main>{body}</main></body></html>"""


def write_project(root: Path) -> None:
    """The sources of the two lessons."""
    for slug, files in {"cake": CAKE, "tea": TEA}.items():
        for folder in ("lessons", "code", "widgets"):
            (root / folder / slug).mkdir(parents=True, exist_ok=True)
        (root / "lessons" / slug / "index.md").write_text("---\ntitle: x\n---\n", encoding="utf-8")
        for name, text in files.items():
            folder = "widgets" if name == "widget.yml" else "code"
            (root / folder / slug / name).write_text(dedent(text), encoding="utf-8")


def build_site(root: Path, site: Path) -> runtime.RuntimeAssets:
    """Pages `cake.html`, `tea.html`, `both.html` and `deep/er/both.html`, with the real runtime."""
    assets = runtime.ensure(root, ROOT / ".cache" / "workings")
    registry = Registry("cake", {"guests": Number("guests", 6, None, "6", "", 1)})
    html: dict[str, str] = {}
    for slug in ("cake", "tea"):
        widget = read_widget(root, slug)
        assert widget is not None
        panels = [panel_json(panel, registry, lambda text, at: text) for panel in widget.panels]
        evaluated = evaluate_widget(root, widget, panels, root / ".cache")
        html[slug] = "".join(
            render_panel(slug, panel, assets.name, lambda text, at: text) for panel in evaluated
        )
    for address, source in assets.files:
        (site / address).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, site / address)
    shutil.copytree(ROOT / "workings" / "assets", site / "assets" / "workings-test")
    html["both"] = html["cake"] + html["tea"]
    for name, body in html.items():
        (site / f"{name}.html").write_text(_PAGE.format(up="", body=body), encoding="utf-8")
    (site / "deep" / "er").mkdir(parents=True)
    (site / "deep" / "er" / "both.html").write_text(
        _PAGE.format(up="../../", body=html["both"]), encoding="utf-8"
    )
    return assets


@dataclass
class Behaviour:
    """How a server answers some files, by the end of their names.

    A status, `hang`, `type:text/plain` (a wrong type), `other` (other bytes), or `slow:50000` (so many
    bytes a second). `headers` go with every answer.
    """

    rules: dict[str, int | str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Served:
    """A folder on loopback: `url` ends in a slash, `requests` are the paths that were asked for."""

    url: str
    server: http.server.ThreadingHTTPServer
    requests: list[str] = field(default_factory=list)


def serve_with(site: Path, behaviour: Behaviour) -> Served:
    """Serve a folder on loopback as `behaviour` says, which may change meanwhile."""
    served: Served

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            served.requests.append(path)
            rule = next((rule for end, rule in behaviour.rules.items() if path.endswith(end)), None)
            file = site / path.lstrip("/")
            if rule == "hang":
                time.sleep(60)
                return
            if isinstance(rule, int) or not file.is_file():
                self._send(rule if isinstance(rule, int) else 404, {"Content-Length": "0"}, b"")
                return
            body = file.read_bytes()
            kind = (
                _TYPES.get(file.suffix)
                or mimetypes.guess_type(file.name)[0]
                or "application/octet-stream"
            )
            text = str(rule or "")
            if text.startswith("type:"):
                kind = text.removeprefix("type:")
            if text == "other":
                body = body[:-1] + bytes([body[-1] ^ 1])
            speed = int(text.removeprefix("slow:")) if text.startswith("slow:") else None
            headers = {
                "Content-Type": kind,
                "Content-Length": str(len(body)),
                "Cache-Control": "no-cache",
            }
            self._send(200, headers, body, speed)

        def _send(
            self, status: int, headers: Mapping[str, str], body: bytes, speed: int | None = None
        ) -> None:
            self.send_response(status)
            for name, value in {**headers, **behaviour.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            step = speed // 20 if speed else max(1, len(body))
            try:
                for start in range(0, len(body), step):
                    self.wfile.write(body[start : start + step])
                    if speed:
                        time.sleep(1 / 20)
            except ConnectionError:
                pass  # the page has gone

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served = Served(f"http://127.0.0.1:{server.server_address[1]}/", server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return served


_TYPES = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".html": "text/html; charset=utf-8",
}
