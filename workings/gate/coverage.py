"""How many numbers of a page are bound, cited and exempt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from workings.page.templates import Use
from workings.registry import Registry


@dataclass(frozen=True)
class Counts:
    """Numbers by the ground on which they stand; `typed` have none."""

    bound: int = 0
    cited: int = 0
    exempt: int = 0
    typed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def total(self) -> int:
        return self.bound + self.cited + self.exempt + self.typed

    def __str__(self) -> str:
        """
        >>> str(Counts(bound=214, cited=9, exempt=3))
        '214 of 214 bound, 9 cited, 3 exempt'
        """
        return (
            f"{self.bound:,} of {self.bound + self.typed:,} bound, {self.cited:,} cited, "
            f"{self.exempt:,} exempt"
        )


@dataclass(frozen=True)
class Coverage:
    """The counts of a lesson: all of it, and what a reader of each track meets."""

    total: Counts
    tracks: Mapping[str, Counts]


class CoverageCounter:
    """Counts while the regions are gone through."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._by_track: dict[str | None, Counts] = {}

    def add(self, track: str | None, counts: Counts) -> None:
        self._by_track[track] = self._by_track.get(track, Counts()) + counts

    def use(self, track: str | None, use: Use) -> None:
        """A template, by what it shows."""
        self.add(track, self._of(use))

    def coverage(self) -> Coverage:
        total = sum(self._by_track.values(), Counts())
        both = self._by_track.get(None, Counts())
        tracks = {name: both + counts for name, counts in self._by_track.items() if name}
        return Coverage(total, dict(sorted(tracks.items())))

    def _of(self, use: Use) -> Counts:
        if use.kind == "number" or use.name in ("claim", "formula", "number"):
            return Counts(bound=1)
        if use.name == "fact":
            return Counts(cited=1)
        if use.name == "exempt":
            return Counts(exempt=1)
        if use.name == "table" and use.arguments:
            return Counts(
                bound=sum(1 for _ in self._cells(str(use.arguments[0]), use.arguments[1:]))
            )
        return Counts()

    def _cells(self, name: str, columns: tuple[object, ...]) -> Iterator[object]:
        """The cells of a table that are numbers."""
        number = self._registry.numbers.get(name)
        rows = number.value if number and isinstance(number.value, tuple) else ()
        for row in rows:
            for key in [str(column).partition(":")[0].strip() for column in columns] or list(row):
                if not isinstance(row.get(key, ""), (str, bool)):
                    yield row[key]
