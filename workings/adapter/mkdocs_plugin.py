"""The MkDocs plugin: each event hands the site's data to the library and its results to MkDocs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import markdown
from mkdocs.config import config_options as c
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

from workings.adapter import current, navigation, settings
from workings.adapter.staging import Staging
from workings.bundle import split_front_matter
from workings.page import blocks
from workings.page.files import lesson_files, texts_for_machines
from workings.page.policy import policy, with_policy
from workings.page.proof import prove_page
from workings.page.published import numbers_json
from workings.page.render import PageRenderer
from workings.page.structured import json_ld
from workings.problems import Location, Problem, ProblemsError, format_problems
from workings.project import Project, read_project
from workings.site import Site, prepare
from workings.widgets.runtime import RuntimeAssets, ensure

log = get_plugin_logger("workings")


class WorkingsConfig(Config):
    """The plugin's options; workings.project.Settings says what each means."""

    time_limit_s = c.Type((int, float), default=30.0)
    memory_limit_mib = c.Type(int, default=2048)
    stale_days = c.Type(int, default=400)
    rules = c.Type(dict, default={})
    figure_budget_bytes = c.Type(int, default=60_000)


class WorkingsPlugin(BasePlugin[WorkingsConfig]):
    """Publishes lessons whose every number is computed, or does not publish at all."""

    def __init__(self) -> None:
        self.command: Literal["build", "gh-deploy", "serve"] = "build"
        self.pages: dict[str, PageRenderer] = {}
        self.addresses: dict[str, str] = {}
        self.staging: Staging | None = None
        self.site = Site(Project(Path()))
        self.runtime: RuntimeAssets | None = None

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        self.command = command
        if dirty:
            raise PluginError("workings: a dirty build would show old numbers; leave --dirty out.")

    @event_priority(100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the project's settings and set up what pages need."""
        config_file = Path(config.config_file_path)
        try:
            self.project = read_project(config_file.parent, config_file.name)
        except ProblemsError as error:
            raise _failure(error) from None
        if "macros" not in config.plugins:
            raise PluginError(
                "workings: the plugin 'macros' is missing. Add it to mkdocs.yml, below 'workings':\n"
                "plugins:\n  - search\n  - workings\n  - macros"
            )
        settings.set_up_macros(config.plugins["macros"])
        settings.add_extensions(config)
        settings.add_theme(config)
        self.assets = settings.asset_files()
        settings.link_assets(config, self.assets)
        for name in ("lessons", "code", "widgets", "build_figures.py"):
            if (path := self.project.root / name).exists() and str(path) not in config.watch:
                config.watch.append(str(path))
        if self.command != "serve":
            self.staging = Staging(Path(config.site_dir), strict=bool(config.strict))
            config.site_dir = str(self.staging.folder)
        return config

    @event_priority(100)
    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Run the lessons and find every problem before MkDocs touches the site."""
        try:
            self.site = prepare(self.project, say=log.info)
            _refuse_collisions(self.site, Path(config.docs_dir))
            widgets = any(lesson.widget for lesson in self.site.lessons.values())
            self.runtime = ensure(self.project.root, self.project.cache) if widgets else None
        except ProblemsError as error:
            raise _failure(error) from None
        for warning in self.site.warnings:
            log.info(str(warning))
        self.pages = {}

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Lessons become pages; figures, assets and the browser's runtime become files."""
        root = self.project.root
        for slug in self.site.lessons:
            page = settings.generated(
                config, f"lessons/{slug}/index.md", root / self.project.page(slug)
            )
            page.edit_uri = f"../lessons/{slug}/index.md" if config.edit_uri else None
            files.append(page)
            for path in settings.media(root / "lessons" / slug):
                address = path.relative_to(root).as_posix()
                files.append(settings.generated(config, address, path))
        made: dict[str, Path | str | bytes] = {**self.assets}
        made |= lesson_files(root, self.site.lessons)
        for address, source in made.items():
            files.append(settings.generated(config, address, source))
        for address, path in self.runtime.files if self.runtime else ():
            files.append(settings.generated(config, address, path))
        return files

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """A lesson's folder is one entry, with the lesson's title and at the lesson's place."""
        if config.nav is None:
            nav.items = [navigation.flattened(item, self.site.lessons) for item in nav.items]
        return nav

    @event_priority(100)
    def on_page_markdown(self, text: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Begin a page: its templates know where they stand, its front matter has its numbers in."""
        lesson = self.site.lessons.get(_slug(page) or "")
        renderer = PageRenderer(
            self.project.root,
            lesson,
            self.site.lessons,
            lambda source: _to_html(source, config),
            self.runtime.name if self.runtime else "",
        )
        self.pages[page.file.src_uri] = renderer
        self.addresses[page.file.src_uri] = page.file.dest_uri
        current.begin(renderer)
        if lesson is None:
            path = f"{Path(config.docs_dir).name}/{page.file.src_uri}"
            return renderer.positioned(text, path, split_front_matter(page.file.content_string)[2])
        front = lesson.bundle.front
        page.meta = {
            "title": renderer.plain(front.title, front.places["title"]),
            "description": renderer.plain(front.description, front.places["description"]),
            "hide": list(front.hide),
            "workings": {"slug": lesson.slug, "kind": front.kind},
        }
        if front.tags:
            page.meta["tags"] = list(front.tags)
        return renderer.positioned(lesson.bundle.body, lesson.bundle.path, lesson.bundle.body_line)

    @event_priority(100)
    def on_page_content(
        self, content: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Resolve the tokens, now that the HTML around them is known."""
        renderer = self.pages[page.file.src_uri]
        _finish_contents(page.toc, renderer)
        made = renderer.finish(content)
        if renderer.lesson is None:
            return made
        head, after, rest = made.partition("</h1>")
        if not after:
            head, rest = "", made
        return (
            head
            + after
            + renderer.resolve(blocks.head(renderer))
            + rest
            + blocks.coverage(renderer.lesson.coverage)
        )

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Structured data into the head; then the page is proved."""
        renderer = self.pages[page.file.src_uri]
        lesson = renderer.lesson
        if lesson is not None:
            home = config.site_url or ""
            data = json_ld(renderer, lesson, page.canonical_url or "", home, config.site_name)
            output = output.replace("</head>", f"{data}</head>", 1)
        return output

    @event_priority(-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Prove the finished pages, publish the numbers, and put the new site in the old one's place."""
        problems: list[Problem] = []
        site_dir = Path(config.site_dir)
        for source, renderer in self.pages.items():
            dest = site_dir / self.addresses[source]
            slug = renderer.lesson.slug if renderer.lesson else None
            path = renderer.lesson.bundle.path if renderer.lesson else f"docs/{source}"
            page = dest.read_text(encoding="utf-8")
            problems += prove_page(path, page, self.site.lessons, slug, renderer.shown())
            if renderer.lesson is not None:
                text = numbers_json(renderer.lesson, renderer.shown())
                (dest.parent / "numbers.json").write_text(text, encoding="utf-8")
        if problems:
            raise _failure(ProblemsError(problems))
        texts = texts_for_machines(
            self.project.root,
            self.site.lessons,
            config.site_name,
            config.site_description or "",
            config.site_url or "",
        )
        for address, text in texts.items():
            (site_dir / address).write_text(text, encoding="utf-8")
        if self.staging is not None:  # the live reload of serve is a script of its own
            _add_policy(site_dir)
            self.staging.publish()

    def on_build_error(self, *, error: Exception) -> None:
        """Leave the last good site as it was."""
        if self.staging is not None:
            self.staging.drop()


def _add_policy(site_dir: Path) -> None:
    """Every page of the site with the policy that fits all of them."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site_dir.rglob("*.html"))}
    content = policy(pages.values())
    for path, page in pages.items():
        path.write_text(with_policy(page, content), encoding="utf-8")


def _failure(error: ProblemsError) -> PluginError:
    count = len(error.problems)
    noun = "problem" if count == 1 else "problems"
    return PluginError(f"{count} {noun}; nothing was published.\n{format_problems(error.problems)}")


def _slug(page: Page) -> str | None:
    parts = page.file.src_uri.split("/")
    return (
        parts[1] if len(parts) == 3 and parts[0] == "lessons" and parts[2] == "index.md" else None
    )


def _to_html(source: str, config: MkDocsConfig) -> str:
    extensions = [name for name in config.markdown_extensions if name != "toc"]
    converter = markdown.Markdown(extensions=extensions, extension_configs=config.mdx_configs)
    return converter.convert(source)


def _finish_contents(items: Any, renderer: PageRenderer) -> None:
    """Numbers in headings are numbers in the table of contents too."""
    item: AnchorLink
    for item in items:
        item.title = renderer.finish_plain(item.title)
        _finish_contents(item.children, renderer)


def _refuse_collisions(site: Site, docs: Path) -> None:
    """A page in docs/lessons would be overridden without a word."""
    problems = [
        Problem(
            Location(f"{docs.name}/lessons/{slug}/index.md"), "page-collision",
            f"lessons/{slug}/index.md is published at the same address.", "Move one of the two.",
        )
        for slug in site.lessons
        if (docs / "lessons" / slug / "index.md").exists()
    ]  # fmt: skip
    if problems:
        raise ProblemsError(problems)
