"""The colours of figures: one role each, drawn in its light value, themed by class afterwards.

The light value is the sentinel: workings.mplstyle draws with it, `svg.themed` turns it into the
class `wk-<role>-fill` or `wk-<role>-stroke`, and figures.css gives the class the custom property
`--wk-fig-<role>`, light or dark. A test holds the three together and computes the contrasts.

The series were searched by computer: at least 4.5:1 on the page in both schemes, so that a label
may have its series' colour and a label on a bar the page's, and as far apart as possible for
readers with each kind of colour blindness. Still, colour is never the only sign: a hatch, a dash, a
marker or a label says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """One role: `light` and `dark` are `#rrggbb`, `others` more spellings that mean the role."""

    role: str
    light: str
    dark: str
    others: tuple[str, ...] = ()

    @property
    def custom_property(self) -> str:
        return f"--wk-fig-{self.role}"


PALETTE = (
    Colour("ink", "#1b1f27", "#e9ecf2", ("#000000", "black", "#000")),
    Colour("muted", "#5a6270", "#a9b1bf"),
    Colour("line", "#858c98", "#7a8291"),
    Colour("paper", "#ffffff", "#1e2129", ("white", "#fff")),
    Colour("1", "#1a5fca", "#86bbff"),
    Colour("2", "#b04200", "#ff8a50"),
    Colour("3", "#0b6b4f", "#3fe0b0"),
    Colour("4", "#ad2f86", "#d98fc6"),
    Colour("5", "#4a4300", "#f7dc78"),
    Colour("6", "#3b2f8f", "#8f8aff"),
)

ROLES: Mapping[str, str] = {
    spelling: colour.role for colour in PALETTE for spelling in (colour.light, *colour.others)
}


def css_class(role: str, channel: str) -> str:
    """The class that paints `channel` (`fill` or `stroke`) in the colour of a role.

    >>> css_class("1", "fill"), css_class("ink", "stroke")
    ('wk-c1-fill', 'wk-ink-stroke')
    """
    return f"wk-{'c' if role.isdigit() else ''}{role}-{channel}"


def css_rules() -> str:
    """The rules of every class, a line each, for a style sheet."""
    return "\n".join(
        f".{css_class(colour.role, channel)} {{ {channel}: var({colour.custom_property}); }}"
        for colour in PALETTE
        for channel in ("fill", "stroke")
    )


def css_properties(scheme: str) -> str:
    """The declarations of every custom property in a scheme (`light` or `dark`), a line each."""
    return "\n".join(f"{colour.custom_property}: {getattr(colour, scheme)};" for colour in PALETTE)
