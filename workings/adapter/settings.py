"""What the plugin adds to a site's MkDocs settings, so that an author's mkdocs.yml stays short."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File

from workings.page.templates import MARKS

PACKAGE = Path(__file__).parent.parent
ASSETS = PACKAGE / "assets"
THEME = PACKAGE / "theme"
_EXTENSIONS = (
    "abbr",
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    "pymdownx.arithmatex",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.superfences",
    "workings.adapter.tracks",
)
_SOURCES = {".md", ".yml", ".yaml", ".json"}
_PUBLISHED = {".css", ".mjs", ".js", ".woff2", ".svg", ".txt", ".png", ".json"}


def add_extensions(config: MkDocsConfig) -> None:
    """The Markdown that pages may use, where the site does not configure it itself."""
    for name in _EXTENSIONS:
        if name not in config.markdown_extensions:
            config.markdown_extensions.append(name)
    config.mdx_configs.setdefault("pymdownx.arithmatex", {})["generic"] = True
    config.mdx_configs.setdefault("pymdownx.highlight", {}).setdefault("guess_lang", False)


def add_theme(config: MkDocsConfig) -> None:
    """Our templates before the theme's, after the site's own."""
    if THEME.is_dir():
        own = 1 if config.theme.custom_dir else 0
        config.theme.dirs.insert(own, str(THEME))


def set_up_macros(plugin: BasePlugin) -> None:  # type: ignore[type-arg]
    """Templates that fail closed, with marks that do not collide with Markdown."""
    options = {
        "on_undefined": "strict",
        "on_error_fail": True,
        "j2_comment_start_string": MARKS["comment_start_string"],
        "j2_comment_end_string": MARKS["comment_end_string"],
        "j2_block_start_string": MARKS["block_start_string"],
        "j2_block_end_string": MARKS["block_end_string"],
    }
    plugin.config.update(options)
    # It lists every variable, macro and filter at each build; its warnings stay.
    logging.getLogger("mkdocs.plugins.mkdocs_macros").setLevel(logging.WARNING)
    modules = plugin.config.get("modules") or []
    if "workings.adapter.macros" not in modules:
        plugin.config["modules"] = [*modules, "workings.adapter.macros"]


def asset_files() -> dict[str, Path]:
    """Every published file of the package: address from the site's root -> file.

    The folder's name changes with the content, so that hosts may let browsers keep it for ever.
    """
    found = sorted(
        path for path in ASSETS.rglob("*") if path.is_file() and path.suffix in _PUBLISHED
    )
    digest = hashlib.sha256()
    for path in found:
        digest.update(path.relative_to(ASSETS).as_posix().encode() + b"\0" + path.read_bytes())
    folder = f"assets/workings-{digest.hexdigest()[:10]}"
    return {f"{folder}/{path.relative_to(ASSETS).as_posix()}": path for path in found}


def link_assets(config: MkDocsConfig, assets: dict[str, Path]) -> None:
    """Style sheets and entry scripts in every page's head."""
    for address in assets:
        name = address.split("/", 2)[2]
        if name.startswith("css/") and name.endswith(".css") and address not in config.extra_css:
            config.extra_css.append(address)
        if name in ("js/page/main.mjs", "js/widget.mjs", "js/widget/widget.mjs"):
            script = ExtraScriptValue(address)
            script.type = "module"
            config.extra_javascript.append(script)


def media(folder: Path) -> list[Path]:
    """Pictures and other files that lie beside a lesson's page and are published with it."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in _SOURCES and not path.name.startswith(".")
    )


def generated(config: MkDocsConfig, address: str, source: Path | str | bytes) -> File:
    """A file of the site that is not in docs/: from a file, or from text or bytes."""
    if isinstance(source, Path):
        return File.generated(config, address, abs_src_path=str(source))
    return File.generated(config, address, content=source)
