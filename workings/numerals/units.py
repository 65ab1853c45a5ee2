"""Units as people write them, brought to a base unit each: bytes, bits, s, ratio, percent, usd."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType


@dataclass(frozen=True)
class Unit:
    """A unit: `value * factor` is in `base`."""

    base: str
    factor: Fraction = Fraction(1)


def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}

    def add(names: str, base: str, factor: Fraction | int = 1) -> None:
        for name in names.split("|"):
            table[name] = Unit(base, Fraction(factor))

    add("B|byte|bytes", "bytes")
    add("bit|bits", "bits")
    for power, (decimal, binary, word) in enumerate(
        [("KB|kB", "KiB|kiB", "kilo"), ("MB", "MiB", "mega"), ("GB", "GiB", "giga"), ("TB", "TiB", "tera"),
         ("PB", "PiB", "peta")],
        start=1,
    ):  # fmt: skip
        add(f"{decimal}|{word}byte|{word}bytes", "bytes", 1000**power)
        kibi = word[:2] + "bi"
        add(f"{binary}|{kibi}byte|{kibi}bytes", "bytes", 1024**power)
    add("kbit|kbits|kilobit|kilobits", "bits", 1000)
    add("Mbit|Mbits|megabit|megabits", "bits", 10**6)
    add("Gbit|Gbits|gigabit|gigabits", "bits", 10**9)
    add("ns|nanosecond|nanoseconds", "s", Fraction(1, 10**9))
    add("µs|μs|us|microsecond|microseconds", "s", Fraction(1, 10**6))
    add("ms|msec|millisecond|milliseconds", "s", Fraction(1, 1000))
    add("s|sec|secs|second|seconds", "s")
    add("min|mins|minute|minutes", "s", 60)
    add("h|hr|hrs|hour|hours", "s", 3600)
    add("d|day|days", "s", 86400)
    add("week|weeks", "s", 604800)
    add("%|percent|per cent|percentage points|percentage point", "ratio", Fraction(1, 100))
    add("‰", "ratio", Fraction(1, 1000))
    add("times|time|-fold|fold|×|x", "ratio")
    for prefix, factor in (
        ("m", Fraction(1, 1000)),
        ("", 1),
        ("k", 1000),
        ("M", 10**6),
        ("G", 10**9),
    ):
        for base in ("m", "g", "l", "Hz", "W", "Wh"):
            if prefix + base not in ("Mm", "Ml", "Mg", "Gm", "Gg", "Gl", "kl", "mHz"):
                add(prefix + base, base, factor)
    add("cm", "m", Fraction(1, 100))
    for name in ("px", "pt", "em", "rem", "fps", "dpi"):
        add(name, name)
    add("$|usd|USD|dollar|dollars", "usd")
    add("¢|cent|cents", "usd", Fraction(1, 100))
    add("€|euro|euros|EUR", "eur")
    add("£|pound|pounds|GBP", "gbp")
    return table


UNITS: Mapping[str, Unit] = MappingProxyType(_table())

# Letters that multiply where they are glued to the digits; K may mean 1,024 to a programmer.
MAGNITUDES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "k": (10**3, 2**10), "K": (10**3, 2**10), "M": (10**6, 2**20), "B": (10**9,), "bn": (10**9,),
        "T": (10**12,), "hundred": (100,), "thousand": (10**3,), "million": (10**6,),
        "billion": (10**9,), "trillion": (10**12,),
    }
)  # fmt: skip

# Nouns that numbers of a lesson count. A registry's own units are added to them.
_COUNTED = """
token message reply word character layer head chat turn pair parameter test trial value key
page request user model line row column question option answer step item entry digit letter
vector weight block fact file lesson figure sentence prompt session server card
"""
COUNTED = frozenset(_COUNTED.split())

_PER = re.compile(
    r"(?:/|[ \u00a0]per[ \u00a0]|[ \u00a0](?:a|an|each)[ \u00a0](?!lot\b|few\b|bit\b|time\b))"
    r"(?P<noun>[A-Za-z]+)"
)


def singular(noun: str) -> str:
    """The singular of a regular English noun, in small letters.

    >>> [singular(word) for word in ("Tokens", "replies", "matches", "bytes", "pass")]
    ['token', 'reply', 'match', 'byte', 'pass']
    """
    noun = noun.lower()
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def read_per(text: str, at: int) -> tuple[str | None, int]:
    """The noun of a rate that begins at `at` ("per token", "/s", "a token"), and where it ends."""
    match = _PER.match(text, at)
    return (singular(match["noun"]), match.end()) if match else (None, at)


@dataclass(frozen=True)
class Measure:
    """A registry's unit: the base, the factor into it, and the noun of a rate."""

    base: str | None
    factor: Fraction = Fraction(1)
    per: str | None = None


def measure(unit: str | None) -> Measure:
    """A registry's unit as a measure.

    >>> measure("bytes/token")
    Measure(base='bytes', factor=Fraction(1, 1), per='token')
    >>> measure("ms").factor, measure("tokens").base
    (Fraction(1, 1000), 'token')
    """
    if not unit:
        return Measure(None)
    name, _, per = unit.partition("/")
    noun = singular(per) if per else None
    if name == "percent":
        return Measure("percent", per=noun)
    if name in UNITS:
        return Measure(UNITS[name].base, UNITS[name].factor, noun)
    return Measure(singular(name), per=noun)
