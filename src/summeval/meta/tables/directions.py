"""Directions of scores: scores are negated if lower is better, before any comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from summeval._options import unknown
from summeval.meta.tables.arrays import Table
from summeval.metrics.registry import direction_of

# One value for all metrics, one for each in order, or one for each named metric.
HigherIsBetter: TypeAlias = bool | Sequence[bool] | Mapping[str, bool]


def directions(given: HigherIsBetter | None, names: Sequence[str]) -> list[bool]:
    """Return for each metric whether a higher score is better.

    Parameters
    ----------
    given : bool, sequence of bool, mapping of str to bool, or None
        One value for all metrics, or one for each. Metrics without a value get the direction of the
        registered `<metric>.<field>` of that name; for other names higher is better.
    names : sequence of str
        The metrics.

    Raises
    ------
    ValueError
        A wrong number of values, or an unknown metric.
    TypeError
        A value is not a bool.

    Examples
    --------
    >>> directions([True, False], ["a", "b"])
    [True, False]
    >>> directions(None, ["rouge1.recall", "simetrix.smoothedJSD", "a"])
    [True, False, True]
    """
    if given is None:
        given = {}
    if isinstance(given, (bool, np.bool_)):
        return [bool(given)] * len(names)
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise ValueError(f"higher_is_better: {unknown('metric', name, names)}")
        found = [given[name] if name in given else registered(name) for name in names]
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        found = list(given)
    else:
        raise TypeError(f"higher_is_better is {given!r}; give True or False, or one for each")
    if len(found) != len(names):
        raise ValueError(
            f"higher_is_better has {len(found)} for {len(names)} metrics; give one for each"
        )
    for name, one in zip(names, found, strict=True):
        if not isinstance(one, (bool, np.bool_)):
            raise TypeError(f"higher_is_better of {name} is {one!r}; give True or False")
    return [bool(one) for one in found]


def registered(column: str) -> bool:
    """Whether higher is better in a column, by its name; True for unknown names.

    >>> registered("simetrix.smoothedJSD"), registered("errors")
    (False, True)
    """
    return direction_of(column) is not False


def negated(values: Table) -> Table:
    """Negate values, without turning 0 into -0.

    >>> negated(np.array([1.0, 0.0])).tolist()
    [-1.0, 0.0]
    """
    return 0.0 - values


def risen(
    tables: Sequence[Table], given: HigherIsBetter | None, names: Sequence[str]
) -> list[Table]:
    """The tables of metrics, negated if lower is better.

    >>> [table.tolist() for table in risen([np.ones(1), np.ones(1)], [True, False], ["a", "b"])]
    [[1.0], [-1.0]]
    """
    rising = directions(given, names)
    return [table if up else negated(table) for table, up in zip(tables, rising, strict=True)]
