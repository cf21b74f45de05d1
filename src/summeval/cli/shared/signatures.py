"""Read the output of `summeval score --means`: signatures and directions of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from summeval.io import DataError
from summeval.io.directions import Told, read_text
from summeval.metrics.registry import INDEX, direction_of
from summeval.metrics.run.signature import Signature

FALLING = "lower is better: "  # starts the summary line that names these columns


@dataclass(frozen=True)
class Summed:
    """The signatures of metrics by name, and the columns in which lower is better.

    >>> told = Summed({"mine": "simetrix|v:0.1.0"})
    >>> told.directions(["mine.smoothedJSD", "mine.cosineAllWords", "other.smoothedJSD"])
    {'mine.smoothedJSD': False, 'mine.cosineAllWords': True}
    """

    signatures: Mapping[str, str] = field(default_factory=dict)
    lower_is_better: frozenset[str] = frozenset()

    def directions(self, columns: Iterable[str]) -> dict[str, bool]:
        """Return the direction of the columns for which it is known."""
        found = {}
        for column in columns:
            metric, _, name = column.rpartition(".")
            rising: bool | None = None
            if column in self.lower_is_better:
                rising = False
            elif metric in self.signatures:
                rising = direction_of(f"{_named(self.signatures[metric])}.{name}")
            if rising is not None:
                found[column] = rising
        return found


def read_signatures(path: str) -> Summed:
    """Read the lines of a summary, or its JSON, or the file beside a file of scores.

    Raises
    ------
    DataError
        A file cannot be read, is not UTF-8 or holds no signature.
    """
    text = read_text(path)
    if (told := Told.parse(text)) is not None:
        return Summed(told.signatures, frozenset(c for c, up in told.directions.items() if not up))
    found, lower_is_better = {}, set[str]()
    for line in text.splitlines():
        name, colon, signature = line.partition(": ")
        if line.startswith(FALLING):
            lower_is_better |= set(line.removeprefix(FALLING).split(", "))
        elif colon and "|v:" in signature:
            found[name] = signature
    if not found:
        raise DataError(path, "holds no signature", "write it with summeval score --means")
    return Summed(found, frozenset(lower_is_better))


def may_fall(columns: Iterable[str]) -> list[str]:
    """The columns with a field in which lower is better in every registered metric that has it.

    >>> may_fall(["mine.smoothedJSD", "mine.recall", "smoothedJSD"])
    ['mine.smoothedJSD']
    """
    known = INDEX
    rising = {
        name for family in known for name in family.fields if name not in family.lower_is_better
    }
    lower_is_better = {name for family in known for name in family.lower_is_better} - rising
    parted = [(column, *column.rpartition(".")) for column in columns]
    return [column for column, metric, _, name in parted if metric and name in lower_is_better]


def _named(signature: str) -> str:
    """Return the metric of a signature; None if the line is not a signature."""
    try:
        return Signature.parse(signature).name
    except ValueError:
        return ""
