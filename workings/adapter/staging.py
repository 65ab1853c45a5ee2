"""Builds aside and swaps, since MkDocs empties the site's folder before it knows of a fault."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path


class _Warnings(logging.Handler):
    """Counts what MkDocs' strict mode counts."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1


class Staging:
    """The folder in which a site is built until it is known to be good."""

    def __init__(self, site: Path, strict: bool) -> None:
        self.site, self.strict = site.absolute(), strict
        self.folder = self.site.with_name(f".{self.site.name}.building")
        self._old = self.site.with_name(f".{self.site.name}.old")
        shutil.rmtree(self.folder, ignore_errors=True)
        self._warnings = _Warnings()
        logging.getLogger("mkdocs").addHandler(self._warnings)

    def publish(self) -> None:
        """Put the new site in the old one's place, unless MkDocs is about to abort."""
        logging.getLogger("mkdocs").removeHandler(self._warnings)
        if self.strict and self._warnings.count:
            self.drop()
            return
        shutil.rmtree(self._old, ignore_errors=True)
        try:
            if self.site.exists():
                self.site.rename(self._old)
            self.folder.rename(self.site)
        except OSError:  # a mounted folder cannot be renamed: its content is replaced
            self._replace_content()
        shutil.rmtree(self._old, ignore_errors=True)

    def _replace_content(self) -> None:
        self.site.mkdir(parents=True, exist_ok=True)
        for item in self.site.iterdir():
            shutil.rmtree(item) if item.is_dir() and not item.is_symlink() else item.unlink()
        shutil.copytree(self.folder, self.site, dirs_exist_ok=True)
        self.drop()

    def drop(self) -> None:
        """Forget what was built."""
        logging.getLogger("mkdocs").removeHandler(self._warnings)
        shutil.rmtree(self.folder, ignore_errors=True)
