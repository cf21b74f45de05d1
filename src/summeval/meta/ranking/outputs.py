"""The scores of systems' outputs as tables [system, topic], from columns with a value a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import shown, unknown
from summeval.meta.tables.arrays import Table
from summeval.meta.tables.scores import balance, listed

Samples: TypeAlias = Literal["mean", "first", "draw"]
SAMPLES: tuple[Samples, ...] = ("mean", "first", "draw")
MOST_SYSTEMS = 2000
_MOST_CELLS = 1 << 28
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
    known = {name: place for place, name in enumerate(dict.fromkeys(names))}
    if len(known) > MOST_SYSTEMS:
        raise ValueError(
            f"{len(known):,} systems ({listed(list(known))}); pass names of at most"
            f" {MOST_SYSTEMS:,} systems, one for each row"
        )
    of_system = np.array([known[name] for name in names], dtype=np.int64)
    if topics is None:
        of_topic, given = _by_place(of_system, list(known)), None
        size = int(of_topic.max()) + 1
    else:
        given = _names("topics", "topic", topics)
        if len(given) != len(names):
            raise ValueError(f"{len(given):,} topics and {len(names):,} systems; pass one a row")
        order = {name: place for place, name in enumerate(sorted(set(given)))}
        of_topic = np.array([order[name] for name in given], dtype=np.int64)
        size = len(order)
    if len(known) * size > _MOST_CELLS:
        raise ValueError(
            f"{len(known):,} systems and {size:,} topics are more than {_MOST_CELLS:,} cells;"
            " rank fewer systems at a time"
        )
    cells = of_system * size + of_topic
    notes = _missing(columns)
    if given is not None:
        notes += _balance(list(known), sorted(set(given)), cells, size)
    kept, more = _chosen(cells, of_system, of_topic, list(known), samples, seed)
    tables = {}
    for name, values in columns.items():
        flat = np.full(len(known) * size, np.nan)
        if samples == "mean" and more:
            places, flat_values = _averaged(cells, values)
            flat[places] = flat_values
        else:
            flat[cells[kept]] = values[kept]
        tables[name] = flat.reshape(len(known), size)
    return Outputs(tuple(known), size, tables, notes + more)


def _names(what: str, kind: str, given: Any) -> list[str]:
    """The names in a column, one a row."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{what} is {shown(given)}; give a sequence of names, one for each row")
    if hasattr(given, "to_pylist"):  # Arrow's values are no strings
        given = given.to_pylist()
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
    """The columns of the metrics as numbers; by default all columns that hold no texts."""
    if not hasattr(table, "__getitem__") or isinstance(table, (str, bytes, list, tuple)):
        raise TypeError(f"table is {type(table).__name__}; give a dict of columns, or a table")
    present = getattr(table, "column_names", None)
    if present is None:
        present = table if isinstance(table, Mapping) else getattr(table, "columns", table)
    there = [str(name) for name in present]
    if isinstance(metrics, str):
        metrics = [metrics]
    found = {}
    for name in there if metrics is None else dict.fromkeys(metrics):
        if name not in there:
            raise ValueError(f"metrics: {unknown('column', name, there)}")
        values = table[name]
        if len(values) != rows:
            raise ValueError(f"{name} has {len(values):,} rows, but systems has {rows:,}")
        numbers = _numbers(name, values, metrics is None)
        if numbers is not None:
            found[name] = numbers
    if not found:
        raise ValueError("no column holds numbers; give one or more metrics")
    return found


def _numbers(name: str, values: Any, may_be_text: bool) -> Table | None:
    """The numbers of a column; None for a column of texts that nobody named."""
    if hasattr(values, "to_pylist"):
        values = values.to_pylist()
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        listed_values = list(values)
        given = [value for value in listed_values if not _is_missing(value)]
        if may_be_text and not any(_is_number(value) for value in given):
            return None
        for place, value in enumerate(listed_values):
            if not _is_number(value) and not _is_missing(value):
                raise ValueError(f"{name}[{place}] is {shown(value)}; give a number") from None
        numbers = np.array([v if _is_number(v) else np.nan for v in listed_values], dtype=float)
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


def _is_missing(value: Any) -> bool:
    """Whether it is None, NaN, or what data frames have for a missing value."""
    return value is None or str(value) in {"nan", "<NA>", "NaT"}


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


def _balance(
    systems: list[str], topics: list[str], cells: NDArray[np.int64], size: int
) -> list[str]:
    """Notes on topics that systems lack; none without the look at each where all are there."""
    filled = np.unique(cells)
    if len(filled) == len(systems) * size:
        return []
    places = zip((filled // size).tolist(), (filled % size).tolist(), strict=True)
    return balance(systems, topics, [(systems[s], topics[t]) for s, t in places])


def _chosen(  # noqa: PLR0917 - all that makes the choice
    cells: NDArray[np.int64],
    of_system: NDArray[np.int64],
    of_topic: NDArray[np.int64],
    systems: list[str],
    samples: Samples,
    seed: int,
) -> tuple[NDArray[np.int64], list[str]]:
    """The row that stands for each cell, and a note if cells have several."""
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    counts = np.diff(starts, append=len(order))
    several = int((counts > 1).sum())
    if not several:
        return order, []
    note = (
        f"{several:,} of {len(starts):,} pairs of a system and a topic have several rows"
        f" (up to {counts.max():,}); {_USED[samples]}"
    )
    firsts = order[starts]
    if samples != "draw":
        return firsts, [note]
    # By name of topic and of system, so that no draw depends on the order of the rows.
    alphabet = np.argsort(np.argsort(np.array(systems)))
    by_name = np.lexsort((alphabet[of_system[firsts]], of_topic[firsts]))
    stream = np.random.default_rng(np.random.SeedSequence(seed).spawn(3)[2])
    shares = np.empty(len(starts))
    shares[by_name] = stream.random(len(starts))
    return order[starts + (shares * counts).astype(np.int64)], [note]


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
