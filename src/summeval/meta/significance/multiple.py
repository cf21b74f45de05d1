"""Multiple tests: corrected p-values, and significant differences shown as letters."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summeval.meta.tables.arrays import Table


def holm(pvalues: Any) -> Table:
    """Apply Holm's step-down correction (Holm 1979), valid under any dependence of the tests.

    Parameters
    ----------
    pvalues : array
        Any shape; NaN marks a missing test, stays NaN and does not count.

    Returns
    -------
    array
        Same shape; reject if the value is at most the level.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values, tested = _read(pvalues)
    order = np.argsort(values[tested], kind="stable")
    left = len(order) - np.arange(len(order))
    steps = np.minimum(np.maximum.accumulate(values[tested][order] * left), 1.0)
    corrected = np.empty(len(order))
    corrected[order] = steps
    values[tested] = corrected
    return values


def bonferroni(pvalues: Any) -> Table:
    """Multiply every p-value by the number of tests, up to 1; NaN as in `holm`.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, float("nan")]).tolist()
    [0.02, 0.08, nan]
    """
    values, tested = _read(pvalues)
    corrected: Table = np.minimum(values * tested.sum(), 1.0)
    return corrected


def letters(different: Any) -> list[str]:
    """Return letters for metrics: two share a letter if they do not differ significantly.

    By insertion and absorption (Piepho 2004, "An Algorithm for a Letter-Based Representation of
    All-Pairwise Comparisons").

    Parameters
    ----------
    different : array [metric, metric] of bool
        Symmetric; metrics ordered from best to worst, so that the best gets an a.

    Raises
    ------
    ValueError
        The table is not square and symmetric.

    Examples
    --------
    >>> letters([[False, False, True], [False, False, False], [True, False, False]])
    ['a', 'ab', 'b']
    """
    table = _square(different)
    columns = [frozenset(range(len(table)))] if len(table) else []
    for i, j in np.argwhere(np.triu(table)).tolist():
        split = [part for c in columns for part in ((c - {i}, c - {j}) if {i, j} <= c else (c,))]
        kept = dict.fromkeys(split)
        columns = [c for c in kept if not any(c < other for other in kept)]
    columns.sort(key=sorted)
    names = [_letter(place) for place in range(len(columns))]
    return [
        "".join(name for name, column in zip(names, columns, strict=True) if metric in column)
        for metric in range(len(table))
    ]


def clusters(different: Any) -> list[int]:
    """Return the cluster of each metric, from 1: all metrics above a line differ from all below it.

    Parameters
    ----------
    different : array [metric, metric] of bool
        Symmetric; metrics ordered from best to worst.

    Examples
    --------
    >>> clusters([[False, True, True], [True, False, False], [True, False, False]])
    [1, 2, 2]
    """
    table = _square(different)
    lines = [bool(table[:place, place:].all()) for place in range(1, len(table))]
    return [1 + sum(lines[:place]) for place in range(len(table))]


def _letter(place: int) -> str:
    count, index = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[index] + "'" * count


def _square(different: Any) -> NDArray[np.bool_]:
    table = np.asarray(different, dtype=bool)
    if not table.size:
        return np.zeros((0, 0), dtype=bool)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not np.array_equal(table, table.T):
        raise ValueError(f"different has the shape {table.shape}; it must be square and symmetric")
    if (own := np.diagonal(table)).any():
        place = int(own.argmax())
        raise ValueError(f"different[{place}, {place}] is true; no metric differs from itself")
    return table


def _read(pvalues: Any) -> tuple[Table, NDArray[np.bool_]]:
    try:
        values = np.array(pvalues, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("pvalues must be numbers, in rows of equal length") from None
    tested = ~np.isnan(values)
    if ((values[tested] < 0.0) | (values[tested] > 1.0)).any():
        raise ValueError("pvalues must lie between 0 and 1, or be NaN if there was no test")
    return values, tested
