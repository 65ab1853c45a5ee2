"""Shown text for math mode. Standard library only."""

from __future__ import annotations

import re

from workings.formats.core import MINUS, NBSP

_LATEX = {
    ",": "{,}", "%": r"\%", "$": r"\$", "&": r"\&", "#": r"\#", MINUS: "-",
    "×": r"\times ", NBSP: r"\,", " ": r"\ ",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def latex(text: str) -> str:
    r"""Shown text for math mode: words in \text, grouping without a space, powers raised."""
    text = text.replace(" × ", "×")  # math mode spaces it by itself
    pieces: list[str] = []
    for piece in re.findall(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|[A-Za-z][A-Za-z_/ \-]*[A-Za-z]|[A-Za-z]|.", text):
        if piece[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻":
            pieces.append("^{" + piece.translate(_SUPERSCRIPTS) + "}")
        elif piece[0].isalpha():
            pieces.append(r"\text{" + piece.replace("_", r"\_") + "}")
        else:
            pieces.append(_LATEX.get(piece, piece))
    return "".join(pieces)
