"""Random numbers that are the same on every machine: mulberry32, a small public generator.

Its whole state is one number of 32 bits, so a chat of the lab is named by its seed. Python's
integers have no size, hence the mask after each step that could outgrow 32 bits. Good enough to
write nonsense sentences with; nothing to keep a secret with.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

MASK = 0xFFFFFFFF
SEEDS = MASK + 1  # how many chats there are to choose from


def uniforms(seed: int) -> Iterator[float]:
    """Numbers from 0 up to, but without, 1.

    >>> draw = uniforms(20261105)
    >>> [f"{next(draw):.10f}" for _ in range(3)]
    ['0.1020412447', '0.6270352604', '0.2273622984']
    """
    state = seed & MASK
    while True:
        state = (state + 0x6D2B79F5) & MASK
        mixed = ((state ^ (state >> 15)) * (state | 1)) & MASK
        mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) & MASK
        yield (mixed ^ (mixed >> 14)) / SEEDS


class SeededRandom:
    """Draws from one seed, in order; `unit()` is the next number from 0 up to 1."""

    def __init__(self, seed: int) -> None:
        self.unit: Callable[[], float] = uniforms(seed).__next__

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, each equally likely; takes one draw.

        >>> SeededRandom(20261105).pick("abcdefghij")
        'b'
        """
        return items[int(self.unit() * len(items))]

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included; takes one draw.

        >>> SeededRandom(20261105).between(8, 16)
        8
        """
        return low + int(self.unit() * (high - low + 1))
