"""Math as plain text, so that the reader of numbers can read it.

Variables become the letter VARIABLE, units in \\text keep their letters, exponents and indices of
variables go (n^2 states no quantity, 2^{20} does).
"""

from __future__ import annotations

import re

from workings.prose.positioned import Builder, Positioned

VARIABLE = "\U0001d465"

_TOKEN = re.compile(
    r"""\\(?:text|mathrm|mathsf|textrm|operatorname|mbox|textbf|mathbf)\s*\{(?P<words>[^{}]*)\}
    | (?P<fraction>\\[dt]?frac)\s*(?:\{(?P<top>\d+)\}\s*\{(?P<bottom>\d+)\}|(?P<tops>\d)\s*(?P<bottoms>\d))
    | (?P<comma>\{,\}) | (?P<space>\\[,;:!\ ]|~|\\q?quad\b|\\thinspace\b)
    | (?P<times>\\times\b|\\cdot\b|\\ast\b) | (?P<sign>\\[%$&\#])
    | (?P<script>[_^])\s*(?P<scripted>\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|.)
    | (?P<begin>\\(?:begin|end)\s*\{[^{}]*\}) | (?P<command>\\[A-Za-z]+|\\.)
    | (?P<letter>[A-Za-z]) | (?P<brace>[{}]) | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_SIGNS = {"times": "×", "comma": ",", "space": "\u2009"}
_LAYOUT = frozenset(
    r"\left \right \big \Big \bigl \bigr \displaystyle \textstyle \quad \qquad \\ \;".split()
)


def plain_math(math: Positioned) -> Positioned:
    r"""The text of a formula.

    >>> from workings.prose.positioned import Source
    >>> print(plain_math(Source("a.md", r"2^{20} = 1{,}048{,}576 \text{ bytes}").whole()).text)
    2^{20} = 1,048,576  bytes
    """
    out = Builder(math.end)
    for match in _TOKEN.finditer(math.text):
        at = math.at(match.start())
        kind = match.lastgroup
        if match["words"] is not None:
            out.extend(math.cut(match.start("words"), match.end("words")))
        elif match["fraction"]:
            _fraction(math, match, out)
        elif kind in _SIGNS:
            out.add(_SIGNS[kind], at)
        elif match["sign"]:
            out.add(match[0][1:], at)
        elif match["script"]:
            _script(math, match, out)
        elif match["command"]:
            out.add(" " if match["command"] in _LAYOUT else VARIABLE, at)
        elif match["letter"]:
            out.add(VARIABLE, at)
        elif match["brace"] or match["begin"]:
            pass
        else:
            out.extend(math.cut(match.start(), match.end()))
    return out.build()


def _script(math: Positioned, match: re.Match[str], out: Builder) -> None:
    """An exponent or an index: that of a number is read with it, the 2 of n^2 goes."""
    last, scripted = out.last(), match["scripted"].strip("{} ")
    if match["script"] == "^" and last.isdigit():
        out.extend(math.cut(match.start(), match.end()))
    elif re.fullmatch(r"\d", scripted) and (last in (VARIABLE, ")", "]") or match["script"] == "_"):
        out.add(" ", math.at(match.start()))
    else:
        out.add(" ", math.at(match.start()))
        out.extend(plain_math(math.cut(match.start("scripted"), match.end("scripted"))))
        out.add(" ", math.at(match.start()))


def _fraction(math: Positioned, match: re.Match[str], out: Builder) -> None:
    """Digits over digits as 1/2."""
    top, bottom = ("top", "bottom") if match["top"] else ("tops", "bottoms")
    out.extend(math.cut(match.start(top), match.end(top)))
    out.add("/", math.at(match.start(bottom)))
    out.extend(math.cut(match.start(bottom), match.end(bottom)))
