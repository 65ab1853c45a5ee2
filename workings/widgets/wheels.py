"""Wheels written by hand: the same files give the same bytes, and each file keeps its own."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import zipfile
from collections.abc import Mapping

_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip archive knows


def wheel_name(distribution: str, version: str) -> str:
    """
    >>> wheel_name("workings-lesson-black-tea", "0.1.0")
    'workings_lesson_black_tea-0.1.0-py3-none-any.whl'
    """
    return f"{re.sub(r'[-_.]+', '_', distribution)}-{version}-py3-none-any.whl"


def wheel(distribution: str, version: str, files: Mapping[str, bytes]) -> bytes:
    """The bytes of a pure Python wheel that holds `files` by their paths."""
    info = f"{re.sub(r'[-_.]+', '_', distribution)}-{version}.dist-info"
    contents = {
        **dict(sorted(files.items())),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": (
            b"Wheel-Version: 1.0\nGenerator: workings\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
    }
    record = "".join(
        f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in contents.items()
    )
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return archive(contents)


def archive(contents: Mapping[str, bytes]) -> bytes:
    """A zip archive of `contents`, the same bytes whenever and wherever it is written."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, _BEGINNING)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, data)
    return made.getvalue()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
