"""A small tokenizer for rendered templates: each mark such as <|im_end|> is one token.

It stands in for a model's own, which an app passes to the assembler instead. Since no token reaches
across a mark, the costs of messages add up exactly; with a real one they may miss by a few.
"""

import re
from functools import lru_cache

from token_units import text_tokens

MARK = re.compile(r"(<\|\w+\|>|\n+)")


def template_tokens(text: str) -> int:
    """Tokens of a rendered template.

    >>> template_tokens("<|im_start|>user\\nRain today?<|im_end|>\\n")
    8
    """
    return sum(_part_tokens(part) for part in MARK.split(text) if part)


@lru_cache(maxsize=4096)  # an app counts the same messages again for each request
def _part_tokens(part: str) -> int:
    return 1 if MARK.fullmatch(part) else text_tokens(part)
