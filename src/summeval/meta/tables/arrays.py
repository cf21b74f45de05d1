"""Checked tables of scores [system, topic], the input of every measure in `meta`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._options import check_choice, check_inner_share, check_whole

Table: TypeAlias = NDArray[np.float64]
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
    lacking : list of int
        For each table, the number of cells that it alone lacks.
    """

    tables: list[Table]
    lacking: list[int]


def read_table(name: str, given: Any) -> Table:
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
    >>> found.tables[0].tolist(), found.lacking
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


def read_metrics(metrics: Mapping[str, Any], human: Any) -> tuple[list[Table], Table, list[int]]:
    """The tables restricted to the cells that all have, and the cells that each lacks."""
    if not isinstance(metrics, Mapping):
        raise TypeError(f"metrics is {type(metrics).__name__}; give a dict of names and tables")
    if not metrics or "human" in metrics:
        what = "a metric is named 'human'; rename it" if metrics else "no metrics; give one or more"
        raise ValueError(what)
    (*tables, people), lacking = pair(**metrics, human=human)
    return tables, people, lacking


def scaled(table: Table) -> tuple[Table, int]:
    """Scale the table to values below 1, so that sums stay finite; return it and the exponent of 2.

    >>> scaled(np.array([[3.0, -6.0]]))[0].tolist()
    [[0.375, -0.75]]
    """
    exponent = int(np.frexp(np.nanmax(np.abs(table), initial=0.0))[1])
    return np.ldexp(table, -exponent), exponent


def system_means(table: Table) -> tuple[Table, float]:
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
    means: Table = shifted.sum(axis=1)[kept] / counts[kept]
    reach = np.nanmax(np.abs(table)) + (table.shape[1] + 2) * shifted.max()
    return means, float(np.finfo(np.float64).eps * reach)


def check_measure(coefficient: str, level: str) -> None:
    """Raise unless both are known."""
    check_choice("coefficient", coefficient, COEFFICIENTS)
    check_choice("level", level, LEVELS)


def check_confidence(confidence: float) -> None:
    """Raise unless it lies between 0 and 1."""
    check_inner_share("confidence", confidence, 0.95)


def over_of(over: Over | None, level: Level, topics: int = 2) -> Over:
    """What an interval resamples: the given value, or the default of the level.

    A summary-level correlation is a mean over topics, so topics are drawn if there are several. At
    the other levels it is computed over systems, so both are drawn.

    >>> over_of(None, "summary"), over_of(None, "system"), over_of("both", "summary")
    ('topics', 'both', 'both')
    """
    return over or ("topics" if level == "summary" and topics > 1 else "both")


def check_resamples(resamples: int) -> None:
    """Raise unless it is a whole number from 1."""
    check_whole("resamples", resamples, 1)


def observations(table: Table, level: Level) -> int:
    """The number of pairs behind a correlation at a level.

    The number of systems, of cells, or of systems in the largest topic.
    """
    present = ~np.isnan(table)
    if level == "system":
        return int(present.any(axis=1).sum())
    return int(present.sum() if level == "global" else present.sum(axis=0).max())
