"""What a file, a missing file and a folder's list of names are like, as short texts."""

from __future__ import annotations

import hashlib
import os

ABSENT = "absent"
FOLDER = "folder"
PRESENT = "file"  # only its being there was asked for, not its content


def digest(content: bytes) -> str:
    """The content's fingerprint."""
    return hashlib.sha256(content).hexdigest()[:40]


def digest_of(path: str) -> str:
    """A file's fingerprint, or `absent` where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return ABSENT


def listing_of(path: str) -> str:
    """The fingerprint of the names in a folder, hidden ones and Python's own left out."""
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return ABSENT
    shown = [name for name in names if not name.startswith(".") and name != "__pycache__"]
    return digest("\0".join(shown).encode("utf-8", "surrogateescape"))


def held_at(path: str) -> str:
    """The fingerprint of what is at a path now; a path that ends in a slash means its names."""
    if path.endswith(os.sep):
        return listing_of(path)
    return FOLDER if os.path.isdir(path) else digest_of(path)
