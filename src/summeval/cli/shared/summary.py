"""Running means over the rows of a run, and their table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from summeval.cli.shared.signatures import FALLING

if TYPE_CHECKING:
    from summeval.io import Rows

_TELLING_S = 1.0
_MOST_MESSAGES = 5
_MOST_CHARS = 1000


@dataclass
class Totals:
    """Totals so far: rows, and the sum of each score column over scored rows.

    `rows` counts all rows, `null` the rows without a score (see `count_unscored`), `bad` the
    unusable ones among them; `messages` holds the messages of the first bad rows. `empty` counts
    candidates that are empty texts.
    """

    rows: int = 0
    null: int = 0
    bad: int = 0
    empty: int = 0
    messages: list[str] = field(default_factory=list)
    sums: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(
        self, chunk: Rows, scores: Mapping[str, Any], told: Callable[[int], str] | None = None
    ) -> None:
        """Count a chunk; `scores` gives a float64 array for each score column.

        `told` gives the message of a row with an error, if it differs from that of the chunk.
        """
        import numpy as np

        self.rows += len(chunk)
        self.null += chunk.unscored
        self.bad += len(chunk.errors)
        self.empty += chunk.empty
        room = _MOST_MESSAGES - len(self.messages)
        tell = told or chunk.errors.__getitem__
        self.messages += [tell(row)[:_MOST_CHARS] for row in sorted(chunk.errors)[:room]]
        for column, values in scores.items():
            known = values[~np.isnan(values)]
            self.sums[column] = self.sums.get(column, 0.0) + float(known.sum())
            self.counts[column] = self.counts.get(column, 0) + len(known)

    def mean(self, column: str) -> float:
        """The mean over the rows that have a score in the column; NaN if none has."""
        count = self.counts.get(column, 0)
        return self.sums[column] / count if count else float("nan")

    def to_json(self) -> dict[str, Any]:
        """The totals as JSON values, which `from_json` reads back."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Totals:
        """Read the totals that `to_json` wrote; `ValueError` or `TypeError` for anything else.

        >>> Totals.from_json({"rows": 3, "null": 1}).rows
        3
        """
        totals = cls(**value)
        counts = (totals.rows, totals.null, totals.bad, totals.empty, *totals.counts.values())
        if not all(type(count) is int and count >= 0 for count in counts):
            raise ValueError("no counts")
        if not all(isinstance(one, float) for one in totals.sums.values()):
            raise ValueError("no sums")
        if not all(isinstance(message, str) for message in totals.messages):
            raise ValueError("no messages")
        return totals


def summary(
    totals: Totals,
    fields: Mapping[str, Sequence[str]],
    signatures: Mapping[str, str],
    directions: Mapping[str, bool],
) -> list[str]:
    """The lines of the summary: rows, a table of means for metrics with equal fields, signatures.

    `fields` gives the fields of each metric by name, `directions` whether higher is better in each
    column; a line lists the columns in which lower is better.
    """
    from summeval.report.tables import table

    lines = [f"{totals.rows:,} rows, {totals.rows - totals.null:,} scored, {totals.null:,} null"]
    shapes = dict.fromkeys(tuple(names) for names in fields.values())
    for shape in shapes:
        members = [metric for metric, names in fields.items() if tuple(names) == shape]
        rows = [
            [metric, *(f"{totals.mean(f'{metric}.{name}'):.5f}" for name in shape)]
            for metric in members
        ]
        lines += ["", *table(["mean", *shape], rows)]
    falling = [column for column, rising in directions.items() if not rising]
    lines += ["", f"{FALLING}{', '.join(falling)}"] if falling else []
    lines += _on_empty(totals, fields)
    return [*lines, "", *(f"{metric}: {text}" for metric, text in signatures.items())]


def _on_empty(totals: Totals, fields: Mapping[str, Sequence[str]]) -> list[str]:
    """A note for readers of the means if candidates are empty."""
    if not totals.empty:
        return []
    line = f"empty candidates: {totals.empty:,}; an empty text gets the lowest score of each field"
    if any(name.startswith("simetrix") for name in fields):
        line += (
            ", in the unbounded fields of SIMetrix a very large number, which dominates their"
            " means: drop such rows, or use unsmoothedJSD"
        )
    return ["", line]


def speed(rows: int, seconds: float) -> list[str]:
    """A line with the speed of a run; none for very short runs.

    >>> speed(1_000_000, 2.5), speed(100, 0.2)
    (['1,000,000 rows in 2.5 s, 400,000 rows a second'], [])
    """
    if seconds < _TELLING_S:
        return []
    return [f"{rows:,} rows in {seconds:,.1f} s, {rows / seconds:,.0f} rows a second"]
