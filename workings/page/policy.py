"""The content security policy of a site: what its pages may load, and nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable

_SCRIPT = re.compile(
    r"<script\b(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL | re.IGNORECASE
)
_CHARSET = re.compile(r"<meta charset=[^>]*>", re.IGNORECASE)
# Types that a browser runs; others, such as JSON, are data.
_RUN = re.compile(
    r"type\s*=\s*[\"']?(?:text/javascript|module|application/javascript)\b", re.IGNORECASE
)


def inline_scripts(page: str) -> Iterable[str]:
    """The code of each inline script of a page."""
    for match in _SCRIPT.finditer(page):
        attributes = match["attributes"]
        if re.search(r"\bsrc\s*=", attributes):
            continue
        if "type" not in attributes or _RUN.search(attributes):
            yield match["code"]


def policy(pages: Iterable[str]) -> str:
    """One policy for all pages.

    Under instant navigation the first page's policy stays in force, so each page lists the hashes of
    every page's scripts. 'wasm-unsafe-eval' lets the browser's Python start; it allows no eval of text.
    """
    hashes = {_hash(code) for page in pages for code in inline_scripts(page)}
    scripts = " ".join(["'self'", "'wasm-unsafe-eval'", *sorted(hashes)])
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {scripts}",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "manifest-src 'self'",
            "frame-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def with_policy(page: str, content: str) -> str:
    """The page with the policy as the first thing in its head that can be governed by one."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{content}">'
    return _CHARSET.sub(lambda match: match[0] + meta, page, count=1)


def _hash(code: str) -> str:
    digest = hashlib.sha256(code.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
