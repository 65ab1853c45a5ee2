"""Digits that state no quantity: dates, years, versions, names, references, addresses.

Each pattern covers the whole of what it recognises; digits inside are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from workings.numerals.units import COUNTED, UNITS

# Things whose number is a name: a version, a model, the number of a standard. ~ is a space.
_KNOWN_NAMES = """
Python CPython PyPy Gemini Gemma Llama Claude Opus Sonnet Haiku GPT ChatGPT Qwen Mistral
Mixtral Falcon DeepSeek Phi Grok Nova Command Argon Flash Pro Ultra Nano OLMo Yi Granite
Nemotron Jamba Kimi GLM MiniMax BERT T5 PaLM CUDA ROCm PyTorch TensorFlow NumPy Node
Node.js Java JavaScript TypeScript Ruby Rust Go PHP Perl Swift Kotlin C++ C HTML CSS HTTP
TLS SSL IPv Unicode ASCII UTF ISO IEC RFC PEP IEEE ANSI DIN BCP CVE ECMAScript ES WCAG
ARIA Apache MIT MPL GPL LGPL AGPL BSD Redis PostgreSQL MySQL SQLite MongoDB Kafka Ubuntu
Debian Fedora Windows macOS iOS Android Linux Chrome Chromium Firefox Safari Edge MkDocs
Material Pyodide vLLM llama.cpp Ollama LangChain RTX GTX Radeon Ryzen Core Xeon EPYC Tesla
Jetson TPU Trainium Inferentia Gaudi M1 A100 USB PCIe Wi-Fi Bluetooth Web HBM GDDR DDR SHA
MD BM CC~BY CC~BY-SA CC~BY-NC Version Release
"""

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR = r"(?:19[5-9]\d|20[0-3]\d)"
_GAP = "[ \u00a0\u202f\u2009]"
_STATED = "|".join(
    sorted(
        (re.escape(name) for name in {*UNITS, *COUNTED, *(noun + "s" for noun in COUNTED)}),
        key=len,
        reverse=True,
    )
)
# A unit or a counted noun after it turns a year or a version into a quantity: 2,000 tokens.
_NO_UNIT = rf"(?!{_GAP}?-?(?:{_STATED})(?![A-Za-z]))"
_AFTER_YEAR = (
    r"(?=\s*(?:[.,;:()\]!?\u2013\u2014-]|$)|\s+[A-Z]|\s+(?:the|a|an|and|or|to|it|they|he|she|we|you|this|that|"
    r"is|was|were|has|had|but|for|with|on|at|by|as|of|in|from|when|which|alone|edition|paper|study|report|"
    r"version|survey|release|card|documentation|article|post|essay)\b)"
)
# Words that begin a sentence in front of a quantity, and are no authors.
_NO_AUTHOR = (
    "About|Almost|After|All|Another|At|Before|Both|By|Even|Every|Exactly|For|From|In|Just|Nearly|No|Of|"
    "Only|Or|Over|Reply|Message|Replies|Messages|Since|Some|The|These|Those|To|Turn|Under|Until|With|"
    "Reads|Costs|Limit|Window|Budget|And|But|Then|That|This|Its|Each|A|An|On|So|As|If|Up|Around|Roughly"
)

_PATTERNS = (
    r"(?:https?://|www\.)[^\s<>\"')\]]+",
    r"[\w.+-]+@[\w-]+\.[\w.]+",
    r"\bdoi:\S+|\b10\.\d{4,}/\S+",
    r"(?i:\barxiv)[:\s]*(?:abs/)?\d{4}\.\d{4,5}(?:v\d+)?",
    r"(?<![\d.,])\d\d(?:0[1-9]|1[0-2])\.\d{5}(?:v\d+)?(?![\d.]*\d)",
    rf"\b{_YEAR}-[01]\d(?:-[0-3]\d)?(?:[T ][\d:.]+Z?)?\b",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?{_GAP}(?:of )?{_MONTH}(?:,?{_GAP}{_YEAR}\b)?",
    rf"\b{_MONTH}{_GAP}\d{{1,2}}(?:st|nd|rd|th)?(?![\d,.]*\d)(?:,?{_GAP}{_YEAR}\b)?{_NO_UNIT}",
    rf"\b{_MONTH},?{_GAP}{_YEAR}\b",
    rf"\b\d{{1,2}}/\d{{1,2}}/(?:{_YEAR}|\d\d)\b",
    # years
    rf"©\s?{_YEAR}(?:\s?[\u2013-]\s?{_YEAR})?",
    rf"\b{_YEAR}(?:'|\u2019)?s\b",
    rf"\(\s?{_YEAR}[a-z]?\s?\)|(?<=[a-z.\u2019'],\s){_YEAR}[a-z]?(?=\s?[);])",
    rf"\bet al\.?,?\s\(?{_YEAR}[a-z]?",
    rf"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]y|[Ff]rom|[Bb]efore|[Aa]fter|[Dd]uring|[Aa]round|[Ee]arly|"
    rf"[Ll]ate|[Mm]id|[Yy]ear|[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter|[Ff]all)[\s-]{_YEAR}"
    rf"(?:\s?(?:\u2013|-|to|and|or)\s?{_YEAR})?\b{_NO_UNIT}{_AFTER_YEAR}",
    rf"(?<!\w)(?!(?:{_NO_AUTHOR})\b)[A-Z][\w'\u2019-]+,?\s{_YEAR}\b{_NO_UNIT}{_AFTER_YEAR}",
    rf"\b{_YEAR}\s(?=(?:paper|study|survey|report|edition|article|essay|post|guide|guidelines)\b)",
    # times of day, addresses, releases
    r"\b\d{1,2}:[0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]\.?m\.?|[AP]M|UTC|CET|GMT))?\b",
    r"\b\d{1,2}\s?(?:a\.m\.|p\.m\.|am|pm)(?!\w)",
    r"(?<![\w.,])(?!\d{1,3}(?:\.\d{3}){2,}(?![\d.]))\d+(?:\.\d+){2,}(?:[-+.]?\w+)*",
    r"\b(?:[Vv]ersions?|[Rr]eleases?|[Vv]er\.)\sv?\d+(?:\.\d+)*(?:(?:,\s|\s(?:and|or|to)\s)\d+(?:\.\d+)+)*"
    rf"(?:\.x)?\+?{_NO_UNIT}",
    r"\b(?:HTTP|[Pp]ort|[Ss]tatus|[Ee]rror|[Ee]xit (?:code|status))\s\d{1,5}\b" + _NO_UNIT,
    r"\bISBN[\s:]*[\dXx -]+|\bISSN[\s:]*[\dXx-]+",
    r"(?<![\w-])\+?\d{1,3}-\d{3}-\d{3,4}(?:-\d{4})?\b",
    # places in a document
    r"\b(?:[Ff]igures?|[Ff]igs?\.|[Tt]ables?|[Ss]ections?|[Ss]ec\.|[Cc]hapters?|[Cc]h\.|[Ss]teps?|[Pp]art|"
    r"[Aa]ppendix|[Ee]quations?|[Ee]qs?\.|[Ll]essons?|[Ll]istings?|[Pp]ages?|[Pp]p?\.|[Ll]ines?|[Qq]uestions?|"
    r"[Ee]xercises?|[Vv]olumes?|[Vv]ol\.|No\.|[Ii]ssue|[Pp]hase|[Ll]evel|Q(?=\d))"
    r"[\s\u00a0]?#?\d{1,3}(?:\.\d+)*(?![\d,.]*\d)"
    r"(?:(?:,\s?|\s?(?:and|or|to|\u2013|-)\s?)\d{1,3}(?![\d,.]*\d))*" + _NO_UNIT,
    r"§+\s?\d[\d.]*",
    r"\[\^[^\]\s]+\]|\[\d{1,3}(?:\s?[,\u2013-]\s?\d{1,3})*\]",
    r"\{[:#.][\w-][^}\s]*\}",
    r"&#?\w+;",
    r"\b24/7\b",
    # the number of a thing that is counted from its first: message 1, reply 1
    r"\b(?:[Mm]essage|[Rr]eply|[Tt]urn|[Rr]ow|[Rr]ound|[Ll]ayer)[\s\u00a0]#?1(?![\d,.]*\d|[%\w])",
)
_PATTERN = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS))

# Letters before the digits: Qwen3-8B, H100, cl100k_base, UTF-8. After a hyphen only where the letters
# look like a name; "top-5" states a number.
_MIXED = re.compile(
    r"(?<![\w.])(?!x\d)(?:[A-Za-z_]\w*(?<=[A-Za-z_])\d|(?!(?:Top|Sub|Non|Pre|Mid|Over|Under|Up|Per|About)-)"
    r"(?=[a-z]*[A-Z])[A-Za-z]+-\d)[\w+]*(?:[-./]\w+)*"
    r"|(?<![\w.])0x[0-9a-fA-F]+\b|(?<![\w.])(?=[0-9a-f]*[a-f])(?=[a-f]*\d[0-9a-f]*[a-f])[0-9a-f]{7,40}\b"
)


@lru_cache(maxsize=8)
def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    known = sorted({*_KNOWN_NAMES.split(), *names} - {""}, key=len, reverse=True)
    choice = "|".join(re.escape(name).replace(r"\~", r"[ \u00a0]") for name in known)
    number = r"v?\d{1,5}(?!,\d)(?:\.\d+)*(?:\.x)?[a-z]?\+?(?![\d])"
    return re.compile(
        rf"(?<![\w-])(?:{choice})[ \u00a0-]?(?:>=?\s|\u2265\s?)?{number}(?:-[\w.]+)?"
        rf"(?:(?:,\s|\s(?:and|or|to)\s|/|\u2013)\d+\.\d+)*{_NO_UNIT}"
    )


def covered(
    text: str, names: Iterable[str] = (), counts: Collection[int] = ()
) -> list[tuple[int, int]]:
    """The (start, end) of every stretch whose digits state no quantity.

    `names` are further names, such as those of products, that a number may follow. `counts` are known
    quantities: "from 2000" is no year where a lesson computes 2000.
    """
    spans = [match.span() for match in _PATTERN.finditer(text) if not _is_count(match, counts)]
    spans += [match.span() for match in _MIXED.finditer(text)]
    spans += [match.span() for match in _named(tuple(names)).finditer(text)]
    return spans + _enumerators(text)


_AFTER_WORD = re.compile(rf"[A-Za-z][\w'\u2019-]*,?[\s-]({_YEAR})(?:\D+({_YEAR}))?\Z")


def _is_count(found: re.Match[str], counts: Collection[int]) -> bool:
    """Whether what looks like a year after a word is a known quantity; in parentheses it is none."""
    match = _AFTER_WORD.match(found[0]) if counts else None
    if match is None or found.string[: found.start()].endswith("("):
        return False
    return any(year and int(year) in counts for year in match.groups())


_ENUMERATOR = re.compile(r"\((\d{1,2})\)(?=\s)")


def _enumerators(text: str) -> list[tuple[int, int]]:
    """(1) ... (2) ... in running text: each has a neighbour."""
    found = [(int(match[1]), match.span()) for match in _ENUMERATOR.finditer(text)]
    counts = {count for count, _ in found}
    return [span for count, span in found if {count - 1, count + 1} & counts]
