"""Small edits of the real lesson, each of which an honest author could make.

A number is typed where it was bound, copied with a slip, rounded by hand, kept from before a change, given
a wrong unit, or written into a place that nobody thinks of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workings.registry import Scalar

SLUG = "why-chatbots-forget"
PAGE, QUIZ = f"lessons/{SLUG}/index.md", f"lessons/{SLUG}/quiz.yml"
WIDGET, FACTS = f"widgets/{SLUG}/widget.yml", "lessons/facts.yml"
FIGURES, CODE = f"code/{SLUG}/figures.py", f"code/{SLUG}/kv_cache.py"
TOKEN = "{{ n.bytes_per_token }}"
MAX_GIB = "{{ n.cache_at_max_bytes | gib }}"
MAX_GB = "{{ n.cache_at_max_bytes | gb(0) }}"
FITS = "{{ n.window_fits_messages | words }}"
# Before these headings of the page a defect of its own paragraph is put.
PLAIN, DEEP, END = (
    "## At the edge, something has to go\n",
    "## A sliding window by hand\n",
    "## Check yourself\n",
)


@dataclass(frozen=True)
class Defect:
    """The first `old` of a file becomes `new`, in which the wrong number stands between « and »."""

    old: str
    new: str
    names: str = "n.bytes_per_token"
    rule: str = "unbound-number"
    path: str = PAGE
    accepted: Mapping[str, Scalar] | None = None


def before(
    heading: str, text: str, names: str = "n.bytes_per_token", rule: str = "unbound-number"
) -> Defect:
    return Defect(heading, f"{text}\n\n{heading}", names, rule)


def figure(
    old: str, new: str, names: str = "n.bytes_per_token", rule: str = "unbound-number"
) -> Defect:
    return Defect(old, new, names, rule, FIGURES)


DRIFTED, UNBOUND, DOUBLE = "drifted-number", "unbound-number", "double-unit"
WAS = {"bytes_per_token": 589824, "read_tokens": 4000}

DEFECTS = {
    # typed instead of bound, in each notation
    "digits with comma": Defect(TOKEN, "«147,456 »".replace(" »", "»")),
    "digits without comma": Defect(TOKEN, "«147456»"),
    "digits with a thin space": Defect(TOKEN, "«147\u2009456»"),
    "digits with a narrow no-break space": Defect(TOKEN, "«147\u202f456»"),
    "digits with a no-break space": Defect(TOKEN, "«147\u00a0456»"),
    "digits with an entity": Defect(TOKEN, "«147&thinsp;456»"),
    "digits with an underscore": Defect(TOKEN, "«147_456»"),
    "digits with an apostrophe": Defect(TOKEN, "«147'456»"),
    "digits with marks in them": Defect(TOKEN, "**«147**,456»"),
    "a binary unit": Defect(MAX_GIB, "«5.625 GiB»", "n.cache_at_max_bytes"),
    "a binary unit glued": Defect(MAX_GIB, "«5.625GiB»", "n.cache_at_max_bytes"),
    "a smaller binary unit": Defect(MAX_GIB, "«5760 MiB»", "n.cache_at_max_bytes"),
    "a decimal unit": Defect(MAX_GB, "«6 GB»", "n.cache_at_max_bytes"),
    "more decimals": Defect(MAX_GB, "«6.04 GB»", "n.cache_at_max_bytes"),
    "a number word": Defect(FITS, "«nine»", "n.window_fits_messages"),
    "a number word with a capital": before(PLAIN, "«Nine» messages.", "n.window_fits_messages"),
    "a power": before(PLAIN, "A chat of «4.096 × 10^4» tokens.", "n.max_context_tokens"),
    "an exponent": before(PLAIN, "A chat of «4.096e4» tokens.", "n.max_context_tokens"),
    "a magnitude": before(PLAIN, "Some «8.19 billion» parameters.", "n.parameters"),
    "a rounded magnitude": before(PLAIN, "Some «8.2B» parameters.", "parameters"),
    "a rounded number": Defect(
        "{{ n.gemini_fewest_words | sig(2) }}", "«630,000»", "n.gemini_fewest_words"
    ),
    "a range": before(PLAIN, "Some «630,000»–840,000 words.", "n.gemini_fewest_words"),
    "a multiple": before(PLAIN, "It is «four times» as much.", ""),
    "a multiple with a sign": before(PLAIN, "It is «4×» as much.", ""),
    "a fraction": before(PLAIN, "It is «a quarter» of it.", ""),
    "twice": before(PLAIN, "It is «twice» as much.", ""),
    "doubling": before(PLAIN, "The text «doubles» then.", ""),
    "a percentage": before(PLAIN, "It saves «37%» of it.", ""),
    "an ordinal": before(PLAIN, "It is the «57th» of them.", ""),
    "an ordinal in words": before(PLAIN, "It is the «seventeenth» of them.", ""),
    "a hyphenated number": before(PLAIN, "A «450»-token window.", "n.window_tokens"),
    # drift
    "off by one": Defect(FITS, "«eight»", "n.window_fits_messages", DRIFTED),
    "off by one upwards": Defect(FITS, "«ten»", "n.window_fits_messages", DRIFTED),
    "off by one in digits": before(PLAIN, "It has «37» layers.", "n.layers", DRIFTED),
    "two digits changed about": Defect(TOKEN, "«147,465»", rule=DRIFTED),
    "a digit wrong": Defect(TOKEN, "«147,458»", rule=DRIFTED),
    "a digit missing": Defect(TOKEN, "«14,745»", rule=DRIFTED),
    "a digit too many": Defect(TOKEN, "«1,474,456»", rule=DRIFTED),
    "rounded down by hand": Defect(MAX_GIB, "«5.62 GiB»", "n.cache_at_max_bytes", DRIFTED),
    "rounded up too far": before(PLAIN, "Weights of «16.5 GB».", "n.weights_bytes", DRIFTED),
    "a wrong binary unit": before(PLAIN, "Each takes «144 MiB».", rule=DRIFTED),
    "decimal for binary": Defect(MAX_GIB, "«5.625 GB»", "n.cache_at_max_bytes", DRIFTED),
    "bytes for tokens": before(PLAIN, "A chat of «40,960 bytes».", "n.max_context_tokens", DRIFTED),
    "an old value": Defect(
        TOKEN, "«589,823»".replace("3»", "4»"), rule=UNBOUND, names="n.ungrouped_bytes_per_token"
    ),
    "an old value that is nothing now": Defect(
        "{{ n.read_tokens }}", "«4,000»", "n.read_tokens", DRIFTED, accepted=WAS
    ),
    # in each place
    "the title": Defect("title: Why", "title: «147,456» bytes, and why"),
    "the description": Defect(
        "{{ n.max_context_tokens }} tokens and", "«40,960» tokens and", "n.max_context_tokens"
    ),
    "a skill": Defect("  - Check an estimate", "  - Check «147,456» bytes, an estimate"),
    "a prerequisite": Defect("{{ n.kib_bytes }}", "«1,024»", "n.kib_bytes"),
    "a parameter's help": Defect(
        "label: Window\n", "label: Window\n    help: At first «450» tokens.\n", "n.window_tokens"
    ),
    "a reason to read on": Defect("why: A tour of", "why: «147,456» bytes and a tour of"),
    "a heading": Defect(PLAIN, PLAIN.replace("\n", " at «147,456» bytes\n")),
    "a list": before(PLAIN, "- one\n- «147,456» bytes"),
    "a numbered list": before(DEEP, "1. one\n2. «147,456» bytes"),
    "a nested list": before(DEEP, "- one\n\n    - «147,456» bytes"),
    "a list that goes on": before(DEEP, "- one\n\n    «147,456» bytes"),
    "a table": before(PLAIN, "| a | b |\n|---|---|\n| x | «147,456» |"),
    "a quotation": before(PLAIN, "> He said «147,456» bytes"),
    "alt text": before(PLAIN, "![It is «147,456» bytes](a.png)"),
    "a link's title": before(PLAIN, '[a](b.md "It is «147,456» bytes")'),
    "a reference's title": before(PLAIN, '[a][b]\n\n[b]: c.md "It is «147,456» bytes"'),
    "a link's text": before(PLAIN, "[«147,456» bytes](b.md)"),
    "inline math": before(DEEP, "Then $b = «147{,}456»$."),
    "display math": before(DEEP, "$$\nb = «147{,}456»\n$$"),
    "math with a unit": before(DEEP, r"Then $b = «144\,\text{KiB}»$."),
    "HTML": before(PLAIN, "<div>\n<p>«147,456» bytes</p>\n</div>"),
    "an HTML attribute": before(PLAIN, '<img alt="It is «147,456» bytes" src="a.png">'),
    "an aria label": before(PLAIN, '<div aria-label="«147,456» bytes">\n</div>'),
    "an attribute list": before(PLAIN, 'Text{: title="«147,456» bytes" }'),
    "an admonition": before(PLAIN, "!!! note\n    «147,456» bytes"),
    "an admonition's title": before(PLAIN, '!!! note "«147,456» bytes"\n    Text.'),
    "a folded admonition": before(DEEP, "??? note\n\n    «147,456» bytes"),
    "a tab": before(DEEP, '=== "Tab"\n\n    «147,456» bytes'),
    "a tab's title": before(DEEP, '=== "«147,456» bytes"\n\n    Text.'),
    "a footnote": before(DEEP, "Text.[^z]\n\n[^z]: «147,456» bytes"),
    "a definition": before(DEEP, "Term\n:   «147,456» bytes"),
    "an abbreviation": before(DEEP, "*[KV]: «147,456» bytes"),
    "after both tracks": before(END, "«147,456» bytes"),
    "a table's caption": Defect(
        'caption="The cache of one chat"', 'caption="The cache of «147,456» bytes"'
    ),
    "a table's header": Defect(
        '"running_tokens: Read so far"', '"running_tokens: Read so far of «5,000»"', "n.read_tokens"
    ),
    "an exemption": before(PLAIN, '«{{ exempt("147,456", "as everybody knows") }}» bytes'),
    "a claim": before(
        PLAIN,
        'It is «{{ claim("five times", "n.double_read_tokens == 4 * n.read_tokens") }}» more.',
        "five times",
        "claim-number",
    ),
    "a quiz question": Defect(
        "{{ n.quiz_limit_tokens }}", "«10»", "n.quiz_limit_tokens", UNBOUND, QUIZ
    ),
    "a quiz explanation": Defect(
        "{{ n.quiz_cache_bytes | mib }}", "«448 MiB»", "n.quiz_cache_bytes", UNBOUND, QUIZ
    ),
    "a quiz answer": Defect(
        "answer: n.quiz_bytes_per_token\n",
        "answer: «57344»\n",
        "n.quiz_bytes_per_token",
        UNBOUND,
        QUIZ,
    ),
    "a drifted quiz answer": Defect(
        "answer: n.quiz_bytes_per_token\n",
        "answer: «57,334»\n",
        "n.quiz_bytes_per_token",
        DRIFTED,
        QUIZ,
    ),
    "what a quiz shows": Defect(
        "shown: '{{ n.quiz_bytes_per_token | bytes }}",
        "shown: '«57,344 B»",
        "n.quiz_bytes_per_token",
        UNBOUND,
        QUIZ,
    ),
    "a quiz option": Defect(
        "text: The model stored the rule",
        "text: The model stored «147,456» bytes",
        "n.bytes_per_token",
        UNBOUND,
        QUIZ,
    ),
    "a misconception": Defect(
        "says: You counted the keys",
        "says: You counted «147,456» keys",
        "n.bytes_per_token",
        UNBOUND,
        QUIZ,
    ),
    "a widget's help": Defect(
        "help: Attention heads",
        "help: All «32» heads. Attention heads",
        "n.attention_heads",
        UNBOUND,
        WIDGET,
    ),
    "a widget's label": Defect(
        "label: Layers", "label: Layers («36»)", "n.layers", UNBOUND, WIDGET
    ),
    "a widget's default": Defect("default: n.layers", "default: «36»", "n.layers", UNBOUND, WIDGET),
    "a widget's drifted default": Defect(
        "default: n.kv_heads", "default: «32»", "n.kv_heads", DRIFTED, WIDGET
    ),
    "a figure's alt text": figure("{{ n.bytes_per_token | kib }}", "«144 KiB»"),
    "a figure's title": figure('"title": "', '"title": "«147,456» bytes: '),
    "a figure's drawn text": figure("\n\ndef ", '\n\nLABEL = "«147,456» bytes"\n\n\ndef '),
    "a figure's drawn number": figure("\n\ndef ", "\n\nHEIGHT = «147456»\n\n\ndef "),
    "a docstring": Defect(
        '"""Memory of a chat',
        '"""Each has «147,465» bytes. Memory of a chat',
        rule="number-in-code-comment",
        path=CODE,
    ),
    "a comment": Defect(
        "from math import floor\n",
        "from math import floor  # «589,842» bytes\n",
        "n.ungrouped_bytes_per_token",
        "number-in-code-comment",
        CODE,
    ),
    # beside what is bound
    "a unit twice": Defect(MAX_GIB, f"«{MAX_GIB}» GiB", "n.cache_at_max_bytes", DOUBLE),
    "another unit after a filter": Defect(
        MAX_GIB, f"«{MAX_GIB}» bytes", "n.cache_at_max_bytes", DOUBLE
    ),
    "a noun twice": before(
        PLAIN, '«{{ n.read_tokens | plural("token") }}» tokens', "n.read_tokens", DOUBLE
    ),
    "a unit without its filter": before(
        PLAIN, "«{{ n.cache_at_max_bytes }}» GiB", "n.cache_at_max_bytes", "unit-mismatch"
    ),
    "a filter of another unit": before(
        PLAIN, "«{{ n.read_tokens | gib }}» read", "n.read_tokens", "unit-mismatch"
    ),
    "a wrong noun": before(
        PLAIN, "«{{ n.read_tokens }}» messages", "n.read_tokens", "unit-mismatch"
    ),
    "zeros typed after a number": before(
        PLAIN, "{{ n.layers }}«000» layers", "n.layers", "glued-number"
    ),
    "a fact without its citation": before(
        PLAIN, "Takes «1,048,576» tokens.", "gemini-window", "uncited-fact"
    ),
    "a snippet": before(PLAIN, '«--8<-- "x.md"»', "", "unchecked-include"),
    "a block of template code": before(PLAIN, '«{%% include "x.md" %%}»', "", "unchecked-include"),
}
