"""Where things lie in a project, and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml

from workings.bundle import read_text
from workings.problems import Location, ProblemsError
from workings.yamlio import Reader

Level = Literal["error", "warning", "off"]


@dataclass(frozen=True)
class Settings:
    """The options of the `workings` plugin in mkdocs.yml."""

    time_limit_s: float = 30.0
    memory_limit_mib: int = 2048
    stale_days: int = 400
    rules: Mapping[str, Level] = field(default_factory=dict)
    figure_budget_bytes: int = 60_000
    at: Location = Location("mkdocs.yml")
    places: Mapping[str, Location] = field(default_factory=dict)


@dataclass(frozen=True)
class Project:
    """A site's sources. All paths that leave here are relative to `root`, with slashes."""

    root: Path
    settings: Settings = field(default_factory=Settings)

    @property
    def cache(self) -> Path:
        return self.root / ".cache" / "workings"

    def slugs(self) -> list[str]:
        """The lessons, by folder: every `lessons/<slug>/index.md`."""
        folder = self.root / "lessons"
        return sorted(page.parent.name for page in folder.glob("*/index.md"))

    def docs(self) -> list[str]:
        """The hand-written pages."""
        files = sorted((self.root / "docs").rglob("*.md"))
        return [file.relative_to(self.root).as_posix() for file in files]

    def page(self, slug: str) -> str:
        return f"lessons/{slug}/index.md"

    def has(self, path: str) -> bool:
        return (self.root / path).is_file()


def read_project(root: Path, config: str = "mkdocs.yml") -> Project:
    """The project at `root` with the settings of its MkDocs file, read without MkDocs.

    Raises ProblemsError where the file is missing, broken or has options that are unknown.
    """
    reader = Reader(config)
    node = reader.compose(read_text(root, config))
    options = _plugin_options(node) if node is not None else None
    settings = reader.build(Settings, options, "the plugin 'workings'") if options else Settings()
    if reader.problems or settings is None:
        raise ProblemsError(reader.problems)
    return Project(root, settings)


def _plugin_options(node: yaml.Node) -> yaml.Node | None:
    """The mapping under `plugins: - workings:`, or None."""
    plugins = _get(node, "plugins")
    if not isinstance(plugins, yaml.SequenceNode):
        return _get(plugins, "workings") if plugins is not None else None
    for item in plugins.value:
        if (options := _get(item, "workings")) is not None:
            return options
    return None


def _get(node: yaml.Node, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    found: yaml.Node | None = None
    for key_node, value_node in node.value:
        if key_node.value == key:
            found = value_node
    return found
