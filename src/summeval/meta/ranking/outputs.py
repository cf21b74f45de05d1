"""The scores of systems' outputs as tables [system, topic], from columns with a value a row."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from math import isnan, nan
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from summeval._options import shown, unknown
from summeval.meta.tables.arrays import Table
from summeval.meta.tables.scores import balance, listed

Samples: TypeAlias = Literal["mean", "first", "draw"]
SAMPLES: tuple[Samples, ...] = ("mean", "first", "draw")
NAMES = {"id", "system", "topic"}  # columns that are metrics only if they are asked for
MOST_SYSTEMS = 2000
_MOST_CELLS = 1 << 28
_PIECE = 1 << 15  # names that are sorted at a time
_USED = {"mean": "their mean is used", "first": "the first is used", "draw": "one is drawn"}


class Outputs(NamedTuple):
    """The scores of each system on each topic.

    Attributes
    ----------
    systems : tuple of str
        In order of first appearance.
    topics : int
        The number of topics, in the order of their names.
    tables : dict of str to array [system, topic]
        For each metric; NaN where a system has no value.
    notes : list of str
        What is missing, and what became of several outputs for one topic.
    """

    systems: tuple[str, ...]
    topics: int
    tables: dict[str, Table]
    notes: list[str]


def read_outputs(  # noqa: PLR0917 - the arguments of `rank`
    table: Any,
    systems: Any,
    topics: Any,
    metrics: Sequence[str] | None,
    samples: Samples,
    seed: int,
) -> Outputs:
    """Arrange the columns of a table by system and topic; see `rank` for the arguments.

    Topics are in the order of their names, so that no draw depends on the order of the rows.

    >>> table = {"x": [1.0, 2.0, 4.0]}
    >>> read_outputs(table, ["a", "b", "b"], ["t", "t", "u"], None, "mean", 0).tables["x"].tolist()
    [[1.0, nan], [2.0, 4.0]]
    """
    names = _names("systems", "system", systems)
    columns = _columns(table, metrics, len(names))
    known, of_system = _numbered(names, list(dict.fromkeys(names)))
    if len(known) > MOST_SYSTEMS:
        raise ValueError(
            f"{len(known):,} systems ({listed(known)}); pass names of at most"
            f" {MOST_SYSTEMS:,} systems, one for each row"
        )
    if topics is None:
        of_topic = _by_place(of_system, known)
        titles = [str(place) for place in range(int(of_topic.max()) + 1)]
    else:
        given = _names("topics", "topic", topics)
        if len(given) != len(names):
            raise ValueError(f"{len(given):,} topics and {len(names):,} systems; pass one a row")
        titles, of_topic = _numbered(given, _sorted(set(given)))
    size = len(titles)
    if len(known) * size > _MOST_CELLS:
        raise ValueError(
            f"{len(known):,} systems and {size:,} topics are more than {_MOST_CELLS:,} cells;"
            " rank fewer systems at a time"
        )
    rows = _Rows.of(of_system * size + of_topic)
    notes = [*_missing(columns), *_balance(known, titles, rows.filled)]
    kept, several = rows.cells, rows.several()
    if several:
        notes.append(f"{several}; {_USED[samples]}")
    tables = {}
    for name, values in columns.items():
        flat = np.full(len(known) * size, np.nan)
        if not several:
            flat[kept] = values
        elif samples == "mean":
            places, means = _averaged(kept, values)
            flat[places] = means
        else:
            flat[rows.filled] = values[rows.chosen(samples, titles, seed)]
        tables[name] = flat.reshape(len(known), size)
    return Outputs(tuple(known), size, tables, notes)


class _Rows(NamedTuple):
    """The rows of each cell, which is a system and a topic.

    Attributes
    ----------
    cells : array [row]
        The cell of each row: its system times the number of topics, plus its topic.
    order : array [row]
        The rows, in the order of their cells.
    starts, counts : array [filled cell]
        The place in `order` of a cell's first row, and its number of rows.
    filled : array [filled cell]
        The cells.
    """

    cells: NDArray[np.int64]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    filled: NDArray[np.int64]

    @classmethod
    def of(cls, cells: NDArray[np.int64]) -> _Rows:
        """Gather the rows by cell."""
        order = np.argsort(cells, kind="stable")
        places = cells[order]
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        return cls(cells, order, starts, np.diff(starts, append=len(order)), places[starts])

    def several(self) -> str:
        """How many cells have several rows, in words; empty if none has."""
        more = int((self.counts > 1).sum())
        if not more:
            return ""
        return (
            f"{more:,} of {len(self.starts):,} pairs of a system and a topic have several rows (up"
            f" to {self.counts.max():,})"
        )

    def chosen(self, samples: Samples, topics: Sequence[str], seed: int) -> NDArray[np.int64]:
        """The row that stands for each filled cell: the first, or a random one."""
        places = self.starts.copy()
        for place in np.flatnonzero((self.counts > 1) & (samples == "draw")):
            topic = topics[self.filled[place] % len(topics)]
            ranks = [rank_of_sample(seed, topic, n) for n in range(self.counts[place])]
            places[place] += ranks.index(min(ranks))
        return self.order[places]


def rank_of_sample(seed: int, topic: str, number: int) -> bytes:
    """The rank of a system's output for a topic among them, of which the lowest is drawn.

    It depends on nothing else: neither on other rows, nor on the system, so that of paired outputs
    (the same seed of two systems) both are drawn.

    >>> min(range(5), key=lambda number: rank_of_sample(0, "t", number))
    1
    """
    text = repr((seed, topic, number)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).digest()


def _sorted(names: Iterable[str]) -> list[str]:
    """The names in order; in pieces, between which Ctrl-C is seen."""
    pieces = list(names)
    for start in range(0, len(pieces), _PIECE):
        pieces[start : start + _PIECE] = sorted(pieces[start : start + _PIECE])
    pieces.sort()  # which merges them
    return pieces


def _numbered(names: list[str], different: list[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The different names, and the place of each name among them."""
    places = {name: place for place, name in enumerate(different)}
    return different, np.array([places[name] for name in names], dtype=np.int64)


def _names(what: str, kind: str, given: Any) -> list[str]:
    """The names in a column, one a row."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{what} is {shown(given)}; give a sequence of names, one for each row")
    if hasattr(given, "to_pylist"):  # Arrow's values are no strings
        given = given.to_pylist()
    given = list(given)
    if set(map(type, given)) == {str} and "" not in given:
        return cast("list[str]", given)
    found = []
    for place, name in enumerate(given):
        text = str(name)
        if text in {"", "<NA>"} or name is None or (isinstance(name, float) and isnan(name)):
            raise ValueError(f"{what}[{place}] is {name!r}; name the {kind} of each row")
        found.append(text)
    if not found:
        raise ValueError("no rows; give one or more")
    return found


def _columns(table: Any, metrics: Sequence[str] | None, rows: int) -> dict[str, Table]:
    """The columns of the metrics; by default all that hold numbers and name nothing."""
    if not hasattr(table, "__getitem__") or isinstance(table, (str, bytes, list, tuple)):
        raise TypeError(f"table is {type(table).__name__}; give a dict of columns, or a table")
    present = getattr(table, "column_names", None)
    if present is None:
        present = table if isinstance(table, Mapping) else getattr(table, "columns", table)
    there = {str(name): name for name in present}
    if isinstance(metrics, str):
        metrics = [metrics]
    found = {}
    named = metrics is not None
    if metrics is None:
        metrics = [name for name in there if name not in NAMES]
    for name in dict.fromkeys(metrics):
        if name not in there:
            raise ValueError(f"metrics: {unknown('column', name, there)}")
        values = table[there[name]]
        if len(values) != rows:
            raise ValueError(f"{name} has {len(values):,} rows, but systems has {rows:,}")
        numbers = _numbers(name, values, not named)
        if numbers is not None:
            found[name] = numbers
    if not found:
        raise ValueError("no column holds numbers; give one or more metrics")
    return found


def _numbers(name: str, values: Any, may_be_text: bool) -> Table | None:
    """The numbers of a column; None for a column of texts that nobody named."""
    if hasattr(values, "to_pylist"):
        values = values.to_pylist()
    given = np.asarray(values)
    if given.dtype.kind in "fiub":
        numbers = given.astype(np.float64)
    else:
        listed_values = list(values)
        if may_be_text and not any(map(_is_number, listed_values)):
            return None
        numbers = np.array([_number(name, *cell) for cell in enumerate(listed_values)])
    if numbers.ndim != 1:
        raise ValueError(f"{name} has the shape {numbers.shape}; give a number for each row")
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise ValueError(
            f"{name}[{infinite[0]}] is infinite ({len(infinite)} such rows); give a number, or NaN"
        )
    return numbers


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number, np.bool_))


def _number(column: str, place: int, value: Any) -> float:
    """The number in a cell; NaN for None and for what data frames have for a missing value."""
    if value is None or str(value) in {"nan", "<NA>", "NaT"}:
        return nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"{column}[{place}] is {shown(value)}; give a number") from None


def _by_place(of_system: NDArray[np.int64], names: Sequence[str]) -> NDArray[np.int64]:
    """The topic of each row where rows are paired by their place among those of their system."""
    sizes = np.bincount(of_system)
    if sizes.min() < sizes.max():
        few, many = int(sizes.argmin()), int(sizes.argmax())
        raise ValueError(
            f"{names[few]} has {sizes[few]:,} rows and {names[many]} {sizes[many]:,};"
            " pass topics, by which rows are paired"
        )
    places = np.empty(len(of_system), dtype=np.int64)
    order = np.argsort(of_system, kind="stable")
    places[order] = np.arange(len(order)) % sizes[0]
    return places


def _missing(columns: Mapping[str, Table]) -> list[str]:
    notes = []
    for name, values in columns.items():
        lacking = int(np.isnan(values).sum())
        if lacking:
            verb = "has" if lacking == 1 else "have"
            notes.append(f"{name}: {lacking:,} of {len(values):,} rows {verb} no value")
    return notes


def _balance(systems: list[str], topics: list[str], filled: NDArray[np.int64]) -> list[str]:
    """Notes on topics that systems lack."""
    size = len(topics)
    if len(filled) == len(systems) * size:
        return []
    places = zip((filled // size).tolist(), (filled % size).tolist(), strict=True)
    return balance(systems, topics, [(systems[s], topics[t]) for s, t in places])


def _averaged(cells: NDArray[np.int64], values: Table) -> tuple[NDArray[np.int64], Table]:
    """The cells with values, and the mean of each; the order of rows changes no digit."""
    present = np.flatnonzero(~np.isnan(values))
    order = present[np.lexsort((values[present], cells[present]))]
    places = cells[order]
    starts = np.flatnonzero(np.diff(places, prepend=-1))
    if not len(starts):
        return places, values[:0]
    counts = np.diff(starts, append=len(order))
    return places[starts], np.add.reduceat(values[order], starts) / counts
