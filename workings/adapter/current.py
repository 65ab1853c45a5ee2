"""The page that is being rendered: mkdocs-macros has one environment for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workings.page.render import PageRenderer

_page: PageRenderer | None = None


def begin(page: PageRenderer) -> None:
    """From here on templates speak of `page`."""
    global _page
    _page = page


def _renderer() -> PageRenderer:
    if _page is None:
        raise RuntimeError("no page is being rendered")
    return _page


class NumbersOfPage:
    """`n`, whichever page asks."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(_renderer().environment.globals["n"], name)


def macro(name: str) -> Callable[..., Any]:
    """The macro `name` of the page that asks."""

    def call(*arguments: Any, **named: Any) -> Any:
        return _renderer().environment.globals[name](*arguments, **named)  # type: ignore[operator]

    call.__name__ = name
    return call


def at(value: Any, place: int) -> str:
    """The filter that tells a template where it stands."""
    made: str = _renderer().environment.filters["wk_at"](value, place)
    return made
