"""The module that mkdocs-macros loads (`modules: [workings.adapter.macros]`)."""

from __future__ import annotations

from typing import Any

from workings.adapter import current


def define_env(env: Any) -> None:
    """Give the templates of every page `n`, the macros and the filters of its renderer."""
    from workings.page.names import MACROS
    from workings.page.values import filters

    env.variables["n"] = current.NumbersOfPage()
    for name in MACROS:
        env.macro(current.macro(name), name)
    for name, function in filters().items():
        env.filter(function, name)
    env.filter(current.at, "wk_at")
