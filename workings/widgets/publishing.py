"""What a site needs of its widgets, in two steps: compute a lesson's panels, write them into a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workings.registry import Registry
from workings.widgets.declaration import Widget
from workings.widgets.evaluation import EvaluatedPanel, evaluate_widget
from workings.widgets.panels import Say, panel_json
from workings.widgets.render import Text, render_panel


def compute_widget(
    root: Path, widget: Widget, registry: Registry, plain: Say, cache: Path
) -> tuple[EvaluatedPanel, ...]:
    """The panels of a widget with the results of their defaults; ProblemsError with every fault.

    `plain` gives the text of a template such as `{{ n.layers }} layers`; `cache` is the project's.
    """
    panels = [panel_json(panel, registry, plain) for panel in widget.panels]
    return evaluate_widget(root, widget, panels, cache)


def widget_html(
    slug: str, panels: Sequence[EvaluatedPanel], runtime: str, text: Text, panel: str | None = None
) -> str:
    """The HTML of all panels, or of the one named; KeyError where there is none of that name.

    `runtime` is `RuntimeAssets.name`; `text` gives the HTML of a text with a page's templates.
    """
    chosen = [one for one in panels if panel in (None, one.declared.id)]
    if not chosen:
        raise KeyError(panel)
    return "".join(render_panel(slug, one, runtime, text) for one in chosen)
