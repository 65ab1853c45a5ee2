"""Math at build time: LaTeX to MathML, so that a page needs no script and no foreign style."""

from __future__ import annotations

import html
import re

from latex2mathml import converter

from workings.page.tokens import Tokens

# What pymdownx.arithmatex leaves in its generic mode.
_MATH = re.compile(
    r'<(span|div) class="arithmatex">\s*(?:\\\((?P<inline>.*?)\\\)|\\\[(?P<display>.*?)\\\])\s*</\1>',
    re.DOTALL,
)


def render_math(page: str, tokens: Tokens) -> str:
    """The HTML with each formula as MathML, its LaTeX kept as the text for copying."""

    def made(match: re.Match[str]) -> str:
        inline = match["inline"] is not None
        source = html.unescape(match["inline"] if inline else match["display"])
        latex = tokens.latex(source).strip()
        mathml: str = converter.convert(latex, display="inline" if inline else "block")
        mathml = re.sub(r'\sstyle="[^"]*"', "", mathml)
        if inline:
            return mathml
        return f'<div class="wk-math" tabindex="0" role="group" aria-label="formula">{mathml}</div>'

    return _MATH.sub(made, page)
