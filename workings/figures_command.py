"""The command that renders figures to files: `workings figures`, and build_figures.py at the root.

Exit codes are those of `workings`: 0 all is well, 2 usage, 3 problems in the sources, 4 a lesson's
code or one of its figures failed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from workings.execution.cache import Cache
from workings.execution.execute import run_numbers
from workings.execution.run import Job, run_job
from workings.figures.declaration import FigureDeclaration
from workings.figures.job import Figure, read_figures
from workings.figures.run import draw_job, limits, table_problems
from workings.figures.svg import labelled, standalone_svg
from workings.lesson import Lesson
from workings.page.render import PageRenderer
from workings.problems import Problem, ProblemsError, did_you_mean, format_problems
from workings.project import Project, read_project
from workings.registry import Registry
from workings.site import Sources, read_sources

EXIT_PROBLEMS = 3
EXIT_CODE_FAILED = 4
OUT = Path("build/figures")

Chosen = Mapping[str, tuple[FigureDeclaration, ...]]


@click.command("figures")
@click.argument("selected", nargs=-1, metavar="[SLUG[/FIGURE]]...")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=OUT, show_default=True,
    help="The folder for OUT/SLUG/FIGURE.svg.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Draw twice, compare the bytes, write nothing.")
@click.pass_obj
def figures(root: Path | None, selected: tuple[str, ...], out: Path, check: bool) -> None:
    """Render every figure, or those named, to an SVG that stands by itself."""
    try:
        render_figures(read_project(root or project_root()), selected, None if check else out)
    except ProblemsError as error:
        click.echo(format_problems(error.problems))
        rules = [problem.rule for problem in error.problems]
        in_code = any(rule.startswith(("lesson-", "figure-")) for rule in rules)
        raise SystemExit(EXIT_CODE_FAILED if in_code else EXIT_PROBLEMS) from None


def project_root() -> Path:
    """The folder of the nearest mkdocs.yml, from here upwards."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file():
            return folder
    raise click.UsageError("there is no mkdocs.yml here or above. Run this in a project's folder.")


def render_figures(project: Project, selected: Iterable[str], out: Path | None) -> None:
    """Write the selected figures below `out`, or check them where there is no `out`.

    Raises ProblemsError with every problem of the lessons they belong to, click.UsageError where
    there is no such lesson or figure.
    """
    problems: list[Problem] = []
    sources = read_sources(project, problems)
    selected = list(selected)
    chosen = choose(sources, selected)
    if selected:
        problems = [problem for problem in problems if _concerns(problem, chosen)]
    if problems:
        raise ProblemsError(problems)
    registries = run_numbers(project, list(chosen), lambda line: None, problems)
    if problems:
        raise ProblemsError(problems)
    for slug, declared in chosen.items():
        try:
            drawn = draw_figures(project, registries[slug], declared, twice=out is None)
        except ProblemsError as error:
            problems += error.problems
            continue
        for name, svg in standalone(project, sources[slug], registries[slug], drawn).items():
            _deliver(f"{slug}/{name}", svg, out)
    if problems:
        raise ProblemsError(problems)


def _deliver(name: str, svg: str, out: Path | None) -> None:
    size_bytes = len(svg.encode())
    if out is None:
        click.echo(f"{name}: {size_bytes:,} bytes, the same twice")
        return
    path = out / f"{name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, encoding="utf-8")
    click.echo(f"{path}: {size_bytes:,} bytes")


def choose(sources: Mapping[str, Sources], selected: list[str]) -> Chosen:
    """The declarations of all figures, or of those named by lesson or by lesson/figure."""
    every = {slug: source.declarations.figures for slug, source in sources.items()}
    if not selected:
        return {slug: tuple(declared.values()) for slug, declared in every.items() if declared}
    chosen: dict[str, dict[str, FigureDeclaration]] = {}
    for item in selected:
        slug, _, name = item.partition("/")
        if slug not in every:
            raise click.UsageError(f"there is no lesson '{slug}'. {did_you_mean(slug, every)}")
        if name and name not in every[slug]:
            mend = did_you_mean(name, every[slug])
            raise click.UsageError(f"the lesson '{slug}' has no figure '{name}'. {mend}")
        found = {name: every[slug][name]} if name else every[slug]
        chosen.setdefault(slug, {}).update(found)
    return {slug: tuple(declared.values()) for slug, declared in chosen.items()}


def _concerns(problem: Problem, chosen: Chosen) -> bool:
    """Whether it is in a chosen lesson or in what lessons share."""
    parts = problem.location.path.split("/")
    return len(parts) < 3 or parts[1] in chosen  # lessons/<slug>/..., code/<slug>/...


def draw_figures(
    project: Project, registry: Registry, declared: Iterable[FigureDeclaration], *, twice: bool
) -> dict[str, Figure]:
    """The figures by name; ProblemsError where one fails, or differs the second time."""
    declared = list(declared)
    if problems := list(table_problems(registry, declared)):
        raise ProblemsError(problems)
    if not twice:
        return _drawn(project, draw_job(project, registry, declared), None)
    made, again = (
        _drawn_afresh(project, draw_job(project, registry, declared, hash_seed=seed))
        for seed in (0, 1)
    )
    differing = [figure for figure in declared if made[figure.name] != again[figure.name]]
    if differing:
        raise ProblemsError(map(_differs, differing))
    return made


def _drawn(project: Project, job: Job, cache: Cache | None) -> dict[str, Figure]:
    result = run_job(project.root, job, limits=limits(project), cache=cache)
    if result.problems:
        raise ProblemsError(result.problems)
    return read_figures(result.value)


def _drawn_afresh(project: Project, job: Job) -> dict[str, Figure]:
    with tempfile.TemporaryDirectory() as empty:
        return _drawn(project, job, Cache(Path(empty)))


def _differs(figure: FigureDeclaration) -> Problem:
    message = f"'{figure.name}' is not the same when it is drawn again."
    mend = "Give random numbers a seed, and sort what has no order."
    return Problem(figure.function_at, "figure-differs", message, mend)


def standalone(
    project: Project, source: Sources, registry: Registry, drawn: Mapping[str, Figure]
) -> dict[str, str]:
    """The files by figure: each with its title and description, their numbers filled in."""
    lesson = Lesson(source.bundle, registry, source.facts)
    page = PageRenderer(project.root, lesson, {registry.lesson: lesson}, to_html=lambda text: text)
    made: dict[str, str] = {}
    for name, figure in drawn.items():
        declared = source.declarations.figures[name]
        title = page.tokens.plain(page.written(declared.title))
        description = page.tokens.plain(page.written(declared.alt))
        made[name] = standalone_svg(labelled(figure.svg, name, title, description))
    return made
