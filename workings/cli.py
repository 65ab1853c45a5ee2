"""The command `workings`: the gate and the numbers without a site generator.

Exit codes: 0 all is well, 2 usage, 3 problems in the sources, 4 a lesson's code failed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from workings import __version__
from workings.execution.execute import why
from workings.figures_command import figures
from workings.gate import apply_edits
from workings.lock import lock_path, lock_text, moved, read_lock
from workings.page.names import places_of
from workings.problems import Problem, ProblemsError, did_you_mean, format_problems
from workings.project import Project, read_project
from workings.site import Site, prepare

EXIT_PROBLEMS = 3
EXIT_CODE_FAILED = 4
_CODE_RULES = ("lesson-", "bad-value", "no-numbers", "figure-")


def _root() -> Path:
    """The folder of the nearest mkdocs.yml, from here upwards."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file():
            return folder
    raise click.UsageError("there is no mkdocs.yml here or above. Run this in a project's folder.")


def _stop(problems: Iterable[Problem], style: str = "human") -> NoReturn:
    listed = list(problems)
    click.echo(format_problems(listed, style))
    if style == "human":
        noun = "problem" if len(listed) == 1 else "problems"
        click.echo(f"{len(listed)} {noun}.", err=True)
    failed = any(problem.rule.startswith(_CODE_RULES) for problem in listed)
    sys.exit(EXIT_CODE_FAILED if failed else EXIT_PROBLEMS)


def _project() -> Project:
    try:
        return read_project(_root())
    except ProblemsError as error:
        _stop(error.problems)


def _prepare(style: str = "human") -> Site:
    try:
        return prepare(_project(), say=lambda line: click.echo(line, err=True))
    except ProblemsError as error:
        _stop(error.problems, style)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Lessons and articles whose every number shows its workings."""


@main.command()
@click.option("--fix", is_flag=True, help="Write the edits that problems carry, then check again.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["human", "github", "json"]),
    default="human",
    help="How problems are printed.",
)
def check(fix: bool, style: str) -> None:
    """Find every problem of every lesson."""
    if fix:
        _fix(_project())
    site = _prepare(style)
    if style != "human" or site.warnings:
        click.echo(format_problems(site.warnings, style))
    if style == "human":
        noun = "lesson" if len(site.lessons) == 1 else "lessons"
        click.echo(f"{len(site.lessons)} {noun} checked, no error.", err=True)


def _fix(project: Project) -> None:
    """Rewrite what can be rewritten: each typed number that has one binding."""
    try:
        prepare(project)
    except ProblemsError as error:
        edits = [problem.edit for problem in error.problems if problem.edit is not None]
    else:
        return
    for path in sorted({edit.location.path for edit in edits}):
        target = project.root / path
        text = target.read_bytes().decode("utf-8")
        mended = apply_edits(text, [edit for edit in edits if edit.location.path == path])
        target.write_bytes(mended.encode("utf-8"))
        click.echo(f"{path}: mended", err=True)


@main.command()
@click.argument("slug", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def numbers(slug: str | None, as_json: bool) -> None:
    """Print every number of the lessons, or of the one named, with where it comes from."""
    site = _prepare()
    chosen = {name: site.lessons[name] for name in _chosen(site, [slug] if slug else [])}
    if as_json:
        made = {
            name: {leaf.name: leaf.value for leaf in lesson.registry.leaves()}
            for name, lesson in chosen.items()
        }
        click.echo(json.dumps(made, indent=1, ensure_ascii=False))
        return
    for name, lesson in chosen.items():
        click.echo(f"{name}:")
        for leaf in lesson.registry.leaves():
            unit = f" {leaf.unit}" if leaf.unit else ""
            where = f"{leaf.number.path}:{leaf.number.line}"
            click.echo(f"  {leaf.name} = {leaf.value!r}{unit}  ({where})")


@main.command()
@click.argument("slugs", nargs=-1)
def accept(slugs: tuple[str, ...]) -> None:
    """Renew numbers.lock.json: take today's values as the accepted ones."""
    site = _prepare()
    for slug in _chosen(site, slugs):
        registry = site.lessons[slug].registry
        path = site.project.root / lock_path(slug)
        changes = moved(registry, read_lock(site.project.root, slug))
        path.write_text(lock_text(registry), encoding="utf-8")
        click.echo(f"{lock_path(slug)}: {len(changes)} changed")


@main.command()
@click.argument("slugs", nargs=-1)
def impact(slugs: tuple[str, ...]) -> None:
    """Say what values moved since they were accepted, and which places show them."""
    site = _prepare()
    for slug in _chosen(site, slugs):
        lesson = site.lessons[slug]
        for change in moved(lesson.registry, read_lock(site.project.root, slug)):
            click.echo(f"{slug}: n.{change.name}: {change.accepted!r} -> {change.now!r}")
            for place in places_of(site.project.root, lesson, change.name):
                click.echo(f"  {place}")


@main.command("why")
@click.argument("slugs", nargs=-1)
def why_(slugs: tuple[str, ...]) -> None:
    """Say for each run of a lesson whether a build takes it from the cache, and why. Runs nothing."""
    project = _project()
    known = project.slugs()
    for slug in slugs or known:
        if slug not in known:
            raise click.UsageError(f"there is no lesson '{slug}'. {did_you_mean(slug, known)}")
        for kind, reason in why(project.root, slug).items():
            click.echo(f"{slug}: {kind.replace('_', ' ')}: {reason}")


def _chosen(site: Site, slugs: Iterable[str]) -> list[str]:
    chosen = list(slugs) or list(site.lessons)
    for slug in chosen:
        if slug not in site.lessons:
            raise click.UsageError(
                f"there is no lesson '{slug}'. {did_you_mean(slug, site.lessons)}"
            )
    return chosen


main.add_command(figures)
