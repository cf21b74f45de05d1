"""Running means over the rows of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from summeval.io.rows import Chunk

_TELLING_S = 1.0
_MOST_MESSAGES = 5
_MOST_CHARS = 1000


@dataclass
class Totals:
    """Totals so far: rows, and the sum of each score column over scored rows.

    `rows` counts all rows, `null` the rows that lack the value of some metric, `bad` the
    unusable ones among them; `messages` holds the messages of the first bad rows. `empty` counts
    candidates that are empty texts, `cleaned` candidates that each step of cleaning changed.
    `systems` holds the sum and the number of the values of each column by system, if they were
    added; the statistics of metrics that are summed are such columns, too.
    """

    rows: int = 0
    null: int = 0
    bad: int = 0
    empty: int = 0
    messages: list[str] = field(default_factory=list)
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    cleaned: dict[str, int] = field(default_factory=dict)
    systems: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def add(
        self,
        chunk: Chunk,
        scores: Mapping[str, Any],
        primary: Sequence[str],
        message_of: Callable[[int], str] | None = None,
    ) -> None:
        """Count a chunk; `scores` gives a float64 array for each score column.

        `primary` names the columns with the values of metrics. `message_of` gives the message of a
        row with an error, if it differs from that of the chunk.
        """
        import numpy as np

        self.rows += len(chunk)
        self.null += int(np.isnan([scores[column] for column in primary]).any(axis=0).sum())
        self.bad += len(chunk.errors)
        self.empty += chunk.empty
        room = _MOST_MESSAGES - len(self.messages)
        tell = message_of or chunk.errors.__getitem__
        self.messages += [tell(row)[:_MOST_CHARS] for row in sorted(chunk.errors)[:room]]
        for column, values in scores.items():
            total, count = float(values.sum()), len(values)
            if isnan(total):  # as one of them is
                known = values[~np.isnan(values)]
                total, count = float(known.sum()), len(known)
            self.sums[column] = self.sums.get(column, 0.0) + total
            self.counts[column] = self.counts.get(column, 0) + count

    def add_cleaned(self, counts: Mapping[str, int]) -> None:
        """Add the numbers of candidates that steps of cleaning changed."""
        for name, count in counts.items():
            self.cleaned[name] = self.cleaned.get(name, 0) + count

    def add_systems(self, systems: Sequence[str], columns: Sequence[str], values: Any) -> None:
        """Add ``values[row, column]`` to the system of each row."""
        import numpy as np

        names = list(dict.fromkeys(systems))
        places = [names.index(system) for system in systems] if len(names) > 1 else []
        for place, name in enumerate(names):
            own = values[np.equal(places, place)] if places else values
            known = self.systems.setdefault(name, {column: [0.0, 0.0] for column in columns})
            sums, counts = np.nansum(own, axis=0), (~np.isnan(own)).sum(axis=0)
            for column, one, count in zip(columns, sums.tolist(), counts.tolist(), strict=True):
                known[column][0] += one
                known[column][1] += count

    def total(self, column: str, system: str | None = None) -> tuple[float, float]:
        """Return the sum of a column of a system, or of all, and the number of its values."""
        chosen = self.systems.values() if system is None else [self.systems[system]]
        found = [known.get(column, [0.0, 0.0]) for known in chosen]
        return sum(one[0] for one in found), sum(one[1] for one in found)

    def mean(self, column: str, system: str | None = None) -> float:
        """Return the mean over the rows that have a score in the column; NaN if none has."""
        if system is not None:
            total, number = self.systems[system].get(column, [0.0, 0.0])
            return total / number if number else float("nan")
        count = self.counts.get(column, 0)
        return self.sums[column] / count if count else float("nan")

    def to_json(self) -> dict[str, Any]:
        """Return the totals so far as JSON values, which `from_json` reads back."""
        return vars(self) | {
            "messages": [*self.messages],
            "sums": {**self.sums},
            "counts": {**self.counts},
            "cleaned": {**self.cleaned},
            "systems": {
                system: {column: [*pair] for column, pair in known.items()}
                for system, known in self.systems.items()
            },
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Totals:
        """Read the totals that `to_json` wrote; `ValueError` or `TypeError` for anything else.

        >>> Totals.from_json({"rows": 3, "null": 1}).rows
        3
        """
        totals = cls(**value)
        counts = [totals.rows, totals.null, totals.bad, totals.empty]
        counts += [*totals.counts.values(), *totals.cleaned.values()]
        of_systems = [sums for known in totals.systems.values() for sums in known.values()]
        if not (
            all(type(count) is int and count >= 0 for count in counts)
            and all(isinstance(one, float) for one in totals.sums.values())
            and all(isinstance(total, float) and number >= 0 for total, number in of_systems)
            and all(isinstance(message, str) for message in totals.messages)
        ):
            raise ValueError("not what was written")
        return totals


def speed(rows: int, seconds: float) -> list[str]:
    """Return a line with the speed of a run; none for very short runs.

    >>> speed(1_000_000, 2.5), speed(100, 0.2)
    (['1,000,000 rows in 2.5 s, 400,000 rows a second'], [])
    """
    if seconds < _TELLING_S:
        return []
    return [f"{rows:,} rows in {seconds:,.1f} s, {rows / seconds:,.0f} rows a second"]
