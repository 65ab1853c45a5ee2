"""Every rule beyond the gate's own: importing this package puts them into workings.rules.RULES."""

from workings.catalogue import code, figures, sources, widgets

__all__ = ["code", "figures", "sources", "widgets"]
