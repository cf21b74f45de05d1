"""Warnings about designs that are too small or have too little variation."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from itertools import product

import numpy as np

from summeval.meta.tables.arrays import DesignWarning, Level, Table, system_means

FEWEST_SYSTEMS = 10  # at the system level
FEWEST_TOPICS = 5


def cautions(
    metrics: Mapping[str, Table],
    humans: Mapping[str, Table],
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
        empty = [name for name, table in tables.items() if np.isnan(table).all()]
        found += [f"{name}: no cell has a value, so no correlation" for name in empty]
        filled.append({name: table for name, table in tables.items() if name not in empty})
    metrics, humans = filled
    counts = []
    for (metric, x), (human, z) in product(metrics.items(), humans.items()):
        both = ~(np.isnan(x) | np.isnan(z))
        if both.any():
            counts.append((both.any(axis=1).sum(), both.any(axis=0).sum()))
        else:
            found.append(f"{metric} and {human}: no cell has both values, so no correlation")
    if counts:
        systems, places = (int(min(numbers)) for numbers in zip(*counts, strict=True))
        if "system" in levels and systems < FEWEST_SYSTEMS:
            few = _count(systems, "system")
            found.append(f"{few}: fewer than {FEWEST_SYSTEMS} are too few at the system level")
        if topics and places < FEWEST_TOPICS:
            found.append(f"{_count(places, 'topic')}: fewer than {FEWEST_TOPICS} are too few")
    for name, table in metrics.items():
        found += _even(name, table, levels)
    for name, table in humans.items():
        found += _even(name, table, levels) or _tied(name, table, levels)
    return list(dict.fromkeys(found))


def warn_of(
    metrics: Mapping[str, Table],
    humans: Mapping[str, Table],
    level: Level,
    topics: bool = True,
    stacklevel: int = 3,
) -> None:
    """Warn (`DesignWarning`) of the `cautions`; by default in the name of the caller's caller."""
    for line in cautions(metrics, humans, [level], topics):
        warnings.warn(line, DesignWarning, stacklevel=stacklevel)


def _even(name: str, table: Table, levels: tuple[Level, ...]) -> list[str]:
    """A line if all scores (at the system level, all means) are equal."""
    present = table[~np.isnan(table)]
    if not len(present):
        return []
    if present.min() == present.max():
        return [f"{name}: {present[0]:g} in all {len(present)} cells; no correlation"]
    means, reach = system_means(table)
    if "system" in levels and len(means) > 1 and np.ptp(means) <= reach:
        return [f"{name}: equal means for all {len(means)} systems; no correlation of systems"]
    return []


def _tied(name: str, table: Table, levels: tuple[Level, ...]) -> list[str]:
    """A line if people tie all systems of a topic, so that the topic has no coefficient."""
    if "summary" not in levels:
        return []
    present = ~np.isnan(table)
    judged = present.sum(axis=0) > 1
    least, most = np.where(present, table, np.inf), np.where(present, table, -np.inf)
    tied = int((judged & (least.min(axis=0) == most.max(axis=0))).sum())
    if not tied:
        return []
    return [f"{name}: people tie all systems on {tied} of {_count(int(judged.sum()), 'topic')}"]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def has_topics(given: object) -> bool:
    """Whether a user's table has an axis of topics, rather than one score per system.

    >>> has_topics([[1, 2], [2, 3]]), has_topics([1, 2])
    (True, False)
    """
    return np.ndim(given) == 2  # type: ignore[arg-type]
