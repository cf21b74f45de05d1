"""Checked arrays of scores [system, topic], and warnings about their design."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from summeval._options import check_choice, check_inner_share, check_whole
from summeval.table.cells import Array
from summeval.table.scores import HigherIsBetter, directions, listed, negated

Coefficient: TypeAlias = Literal["pearson", "spearman", "kendall"]
Level: TypeAlias = Literal["summary", "system", "global"]
Over: TypeAlias = Literal["topics", "inputs", "systems", "both", "rows"]

COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
LEVELS: tuple[Level, ...] = ("summary", "system", "global")


class DesignWarning(UserWarning):
    """Warns that a result leaves scores out, or why it is NaN."""


class Paired(NamedTuple):
    """Tables restricted to the same cells.

    Attributes
    ----------
    tables : list of array [system, topic]
        NaN in the same cells of each.
    missing : list of int
        For each table, the number of cells that it alone lacks.
    """

    tables: list[Array]
    missing: list[int]


def read_table(name: str, given: Any) -> Array:
    """Return the table as float64 [system, topic]; [system] means one topic.

    Raises
    ------
    ValueError
        Another shape, no cells, text or an infinite number.
    """
    try:
        table = np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be numbers [system, topic], in equally long rows; use NaN if missing"
        ) from None
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or not table.size:
        raise ValueError(f"{name} has the shape {np.shape(given)}; it must be [system, topic]")
    infinite = np.argwhere(np.isinf(table))
    if len(infinite):
        system, topic = infinite[0].tolist()
        raise ValueError(
            f"{name}[{system}, {topic}] is infinite ({len(infinite)} such cells);"
            " give a number, or NaN to leave the cell out"
        )
    return table


def pair(**given: Any) -> Paired:
    """Return the tables with values only in the cells where all have one.

    Raises
    ------
    ValueError
        A table is invalid, or the shapes differ.

    Examples
    --------
    >>> found = pair(metric=[[1, 2], [3, None]], human=[[1, None], [2, None]])
    >>> found.tables[0].tolist(), found.missing
    ([[1.0, nan], [3.0, nan]], [0, 1])
    """
    tables = [read_table(name, table) for name, table in given.items()]
    names = list(given)
    for name, table in zip(names[1:], tables[1:], strict=True):
        if table.shape != tables[0].shape:
            raise ValueError(
                f"{name} has the shape {table.shape}, but {names[0]} has {tables[0].shape};"
                " pass the same systems and topics in the same order"
            )
    missing = [np.isnan(table) for table in tables]
    anywhere = np.logical_or.reduce(missing)
    everywhere = np.logical_and.reduce(missing)
    for table in tables:
        table[anywhere] = np.nan
    return Paired(tables, [int((own & ~everywhere).sum()) for own in missing])


def read_metrics(metrics: Mapping[str, Any], human: Any) -> tuple[list[Array], Array, list[int]]:
    """Return the tables in the cells that all have, and how many cells each alone lacks."""
    if not isinstance(metrics, Mapping):
        raise TypeError(f"metrics is {type(metrics).__name__}; give a dict of names and tables")
    if not metrics:
        raise ValueError("no metrics; give one or more")
    if "human" in metrics:
        raise ValueError("a metric is named 'human'; rename it")
    (*tables, people), missing = pair(**metrics, human=human)
    return tables, people, missing


def prepared(
    metrics: Mapping[str, Any],
    human: Any,
    coefficient: str,
    level: Level,
    higher_is_better: HigherIsBetter | None = None,
) -> tuple[list[Array], Array, list[int]]:
    """Return checked tables as `read_metrics` does, ready to be correlated.

    Metrics are negated if lower is better. Checks the measure, and warns (`DesignWarning`) of the
    `cautions`, in the name of the caller's caller.
    """
    check_measure(coefficient, level)
    tables, people, missing = read_metrics(metrics, human)
    given = dict(zip(metrics, tables, strict=True))
    for line in cautions(given, {"human": people}, [level], np.ndim(human) == 2):
        warnings.warn(line, DesignWarning, stacklevel=3)
    return oriented(tables, higher_is_better, list(metrics)), people, missing


def scaled(table: Array) -> tuple[Array, int]:
    """Scale the table to values below 1, so that sums stay finite; return it and the exponent of 2.

    >>> scaled(np.array([[3.0, -6.0]]))[0].tolist()
    [[0.375, -0.75]]
    """
    exponent = int(np.frexp(np.nanmax(np.abs(table), initial=0.0))[1])
    return np.ldexp(table, -exponent), exponent


def system_means(table: Array) -> tuple[Array, float]:
    """Scaled means of the systems that have a score, and the rounding error of equal means.

    Scores, sums and quotients are each rounded once.

    >>> means, reach = system_means(np.array([[0.1, 0.2, 0.9], [0.4, 0.4, 0.4]]))
    >>> bool(abs(means[0] - means[1]) <= reach < 1e-14)
    True
    """
    table, _ = scaled(table)
    present = ~np.isnan(table)
    counts = present.sum(axis=1)
    kept = counts > 0
    if table.shape[1] == 1 or not kept.any():
        return table[kept].ravel(), 0.0
    # Subtract the minimum, so that shared leading digits cost no accuracy.
    shifted = np.where(present, table - np.nanmin(table), 0.0)
    means: Array = shifted.sum(axis=1)[kept] / counts[kept]
    reach = np.nanmax(np.abs(table)) + (table.shape[1] + 2) * shifted.max()
    return means, float(np.finfo(np.float64).eps * reach)


def varies(table: Array) -> bool:
    """Return whether two scores of the table differ."""
    present = table[~np.isnan(table)]
    return bool(len(present)) and bool(present.min() < present.max())


def check_measure(coefficient: str, level: str) -> None:
    """Raise unless both are known."""
    check_choice("coefficient", coefficient, COEFFICIENTS)
    check_choice("level", level, LEVELS)


def check_confidence(confidence: float) -> None:
    """Raise unless it lies between 0 and 1."""
    check_inner_share("confidence", confidence, 0.95)


def over_of(over: Over | None, level: Level, topics: int = 2) -> Over:
    """Return what an interval resamples: the given value, or the default of the level.

    A summary-level correlation is a mean over topics, so topics are drawn if there are several. At
    the other levels it is computed over systems, so both are drawn.

    >>> over_of(None, "summary"), over_of(None, "system"), over_of("both", "summary")
    ('topics', 'both', 'both')
    """
    return over or ("topics" if level == "summary" and topics > 1 else "both")


def check_resamples(resamples: int) -> None:
    """Raise unless it is a whole number from 1."""
    check_whole("resamples", resamples, 1)


def observations(table: Array, level: Level) -> int:
    """Return the number of pairs behind a correlation at a level.

    The number of systems, of cells, or of systems in the largest topic.
    """
    present = ~np.isnan(table)
    if level == "system":
        return int(present.any(axis=1).sum())
    return int(present.sum() if level == "global" else present.sum(axis=0).max())


def oriented(
    tables: Sequence[Array], given: HigherIsBetter | None, names: Sequence[str]
) -> list[Array]:
    """Return the tables of metrics, negated if lower is better.

    >>> [table.tolist() for table in oriented([np.ones(1), np.ones(1)], [True, False], ["a", "b"])]
    [[1.0], [-1.0]]
    """
    higher = directions(given, names)
    return [table if up else negated(table) for table, up in zip(tables, higher, strict=True)]


FEWEST_SYSTEMS = 10  # at the system level
FEWEST_TOPICS = 5


def cautions(
    metrics: Mapping[str, Array],
    humans: Mapping[str, Array],
    levels: Iterable[Level],
    topics: bool = True,
) -> list[str]:
    """List reasons why correlations of these tables are weak or undefined, one line each.

    The reasons: fewer than 10 systems at the system level, fewer than 5 topics, metric or human
    scores that are constant or all missing, and human scores that are all tied within a topic
    (summary level).

    Parameters
    ----------
    metrics, humans : mapping of str to array [system, topic]
        As for `tables.read_table`; a cell of a pair counts if both have a value.
    levels : iterable of {"summary", "system", "global"}
    topics : bool
        Whether the second axis is topics; if not, their number is not checked.

    Examples
    --------
    >>> table = np.arange(9.0).reshape(3, 3)
    >>> for line in cautions({"m": table}, {"said": np.ones((3, 3))}, ["system"]):
    ...     print(line)
    3 systems: fewer than 10 are too few at the system level
    3 topics: fewer than 5 are too few
    said: 1 in all 9 cells; no correlation
    """
    levels = tuple(levels)
    found, filled = [], []
    for tables in (metrics, humans):
        valued = {name: table for name, table in tables.items() if not np.isnan(table).all()}
        bare = (name for name in tables if name not in valued)
        found += [f"{name}: no cell has a value, so no correlation" for name in bare]
        filled.append(valued)
    metrics, humans = filled
    systems: dict[tuple[str, str], int] = {}
    places: dict[tuple[str, str], int] = {}
    for (metric, x), (human, z) in product(metrics.items(), humans.items()):
        both = ~(np.isnan(x) | np.isnan(z))
        if both.any():
            key = metric, human
            systems[key], places[key] = (int(both.any(axis=axis).sum()) for axis in (1, 0))
        else:
            found.append(f"{metric} and {human}: no cell has both values, so no correlation")
    if "system" in levels and min(systems.values(), default=FEWEST_SYSTEMS) < FEWEST_SYSTEMS:
        few = _fewest(systems, "system")
        found.append(f"{few}: fewer than {FEWEST_SYSTEMS} are too few at the system level")
    if topics and min(places.values(), default=FEWEST_TOPICS) < FEWEST_TOPICS:
        found.append(f"{_fewest(places, 'topic')}: fewer than {FEWEST_TOPICS} are too few")
    for name, table in metrics.items():
        found += _even(name, table, levels)
    for name, table in humans.items():
        found += _even(name, table, levels) or _tied(name, table, levels)
    return list(dict.fromkeys(found))


def _even(name: str, table: Array, levels: tuple[Level, ...]) -> list[str]:
    """Return a line if all scores (at the system level, all means) are equal."""
    present = table[~np.isnan(table)]
    if not len(present):
        return []
    if present.min() == present.max():
        return [f"{name}: {present[0]:g} in all {len(present)} cells; no correlation"]
    means, reach = system_means(table)
    if "system" in levels and len(means) > 1 and np.ptp(means) <= reach:
        return [f"{name}: equal means for all {len(means)} systems; no correlation of systems"]
    return []


def _tied(name: str, table: Array, levels: tuple[Level, ...]) -> list[str]:
    """Return a line if people tie all systems of a topic, so that the topic has no coefficient."""
    if "summary" not in levels:
        return []
    present = ~np.isnan(table)
    judged = present.sum(axis=0) > 1
    least, most = np.where(present, table, np.inf), np.where(present, table, -np.inf)
    if not (tied := int((judged & (least.min(axis=0) == most.max(axis=0))).sum())):
        return []
    return [f"{name}: people tie all systems on {tied} of {_count(int(judged.sum()), 'topic')}"]


def _fewest(counts: Mapping[tuple[str, str], int], noun: str) -> str:
    """Return the least count of pairs of a metric and a dimension, and whose it is if not of all.

    >>> _fewest({("m", "fluency"): 4, ("m", "overall"): 9}, "system")
    'fluency: 4 systems'
    """
    least = min(counts.values())
    few = [pair for pair, count in counts.items() if count == least]
    names = [" and ".join(few[0])]
    for place in (0, 1):
        own = dict.fromkeys(pair[place] for pair in few)
        if all(count == least for pair, count in counts.items() if pair[place] in own):
            names = list(own)
    whose = f"{listed(names)}: " if len(few) < len(counts) else ""
    return f"{whose}{_count(least, noun)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
