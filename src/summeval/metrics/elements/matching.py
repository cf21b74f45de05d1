"""What BEwT-E matches: the best assignments and their recalls, with transformations on and off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, fsum, log
from typing import TYPE_CHECKING, NamedTuple

from summeval.elements.elements import Element
from summeval.elements.transformations import GROUPS, Edges, Matches
from summeval.metrics.elements.parsed import ReadRow

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.elements.bewte import BEwTE

Rows = Sequence[ReadRow[list[Element]]]

# A path is written as one number: that of each group is exp(-_UNIT * _BASE**k), so that the
# logarithm of the product has a digit for each group, the number of times that it is used. No
# path uses a group more than four times. The rounding of a product is 10**-6 of a unit.
_BASE, _UNIT = 5, 1e-9


class MatchProblem(NamedTuple):
    """A matching with one reference: what can match, and what each of its elements weighs."""

    rows: int
    edges: Edges
    weights: NDArray[float64]


def problems_of(found: Matches, weights: str, jackknife: bool) -> list[MatchProblem]:
    """The matchings of a row: each reference with the weights that all of them give.

    With `jackknife`, then those that leave one reference out: for each, all others with the weights
    that the others give.
    """
    table = weight_table(found, weights)
    problems = [
        MatchProblem(found.rows, edges, table[-1, units])
        for edges, units in zip(found.edges, found.units, strict=True)
    ]
    if jackknife and len(problems) > 1:
        for out in range(len(problems)):
            problems += left_out(found, table, out)
    return problems


def left_out(found: Matches, table: NDArray[float64], out: int) -> list[MatchProblem]:
    """All references but one, with the weights of all but it."""
    return [
        MatchProblem(found.rows, found.edges[k], table[out, units])
        for k, units in enumerate(found.units)
        if k != out
    ]


def weight_table(found: Matches, weights: str) -> NDArray[float64]:
    """What elements weigh, [reference left out, element]; the last row leaves out none."""
    import numpy as np

    if len(found.units) == 1:
        return np.ones((1, found.distinct))
    has = np.zeros((len(found.units) + 1, found.distinct), dtype=np.int64)
    for row, units in zip(has, found.units, strict=False):
        row[units] = 1
    counts: NDArray[np.float64] = (has.sum(axis=0) - has).astype(np.float64)
    if weights == "root":
        counts = np.sqrt(counts)
    return np.minimum(counts, 1) if weights == "binary" else counts


def best_recalls(problems: Sequence[MatchProblem], solver: str, workers: int) -> list[float]:
    """The share of the weight of each reference's elements that the best assignment matches."""
    import numpy as np

    if not problems:
        return []
    from summeval.solvers import assign, assign_batch

    shapes = [(problem.rows, len(problem.weights)) for problem in problems]
    values = [problem.edges.value * problem.weights[problem.edges.column] for problem in problems]
    if solver == "kernel":
        batch = assign_batch(
            np.cumsum([0, *map(len, values)]),
            np.concatenate([problem.edges.row for problem in problems]),
            np.concatenate([problem.edges.column for problem in problems]),
            np.concatenate(values),
            np.array(shapes),
            workers,
        )
        matched: list[float] = batch.values.tolist()
    else:
        from scipy import sparse  # which takes longer to load than all the rest

        edges = [(problem.edges.row, problem.edges.column) for problem in problems]
        matched = [
            assign(sparse.coo_array((value, places), shape=shape), solver=solver).value
            for value, places, shape in zip(values, edges, shapes, strict=True)
        ]
    totals = [float(problem.weights.sum()) for problem in problems]
    return [
        min(value / total, 1.0) if total else 0.0
        for value, total in zip(matched, totals, strict=True)
    ]


def largest(values: Sequence[float]) -> float:
    """The largest of some recalls; NaN of none.

    >>> largest([0.5, 1.0]), largest([])
    (1.0, nan)
    """
    return max(values, default=float("nan"))


def mean(values: Sequence[float]) -> float:
    """The mean of some recalls; NaN of none.

    >>> mean([0.5, 1.0]), mean([])
    (0.75, nan)
    """
    return fsum(values) / len(values) if values else float("nan")


class Use(NamedTuple):
    """How often transformations are used in the best assignments.

    Attributes
    ----------
    matches : int
        All matched pairs of elements.
    equal : int
        Those that match as they are.
    by_group : dict of str to int
        Those that need this transformation, maybe among others.
    alone : dict of str to int
        Those that need this one only.
    """

    matches: int
    equal: int
    by_group: dict[str, int]
    alone: dict[str, int]


def scores_by(
    metric: BEwTE, rows: Rows, runs: Sequence[Mapping[str, float]], *, hyper: bool, workers: int = 1
) -> Iterator[list[float]]:
    """The value of each row for each of several coefficients; NaN where a text is missing.

    Parameters
    ----------
    metric : BEwTE
    rows : sequence of (elements or None, list of elements)
        As `BEwTE.extract` returns them.
    runs : sequence of mapping of str to float
        As `read_coefficients` returns them; 0 switches a group off.
    hyper : bool
        Whether hypernyms and hyponyms are among the transformations.
    workers : int
    """
    given = [own is not None and bool(others) for own, others in rows]
    own = [own for own, others in rows if own is not None and others]
    references = [others for own, others in rows if own is not None and others]
    matching = replace(metric.matching, hyper=hyper)
    for found in matching.matches_by(own, references, runs, workers):
        values = iter(score.recall for score in metric.combine(found, workers))
        yield [next(values) if has else float("nan") for has in given]


def usage(metric: BEwTE, rows: Rows, *, workers: int = 1) -> Use:
    """Count what the best assignments of each candidate with each reference use.

    The assignments are those with the coefficients of the metric. Where several paths lead to the
    same match, the one counts whose last group, in the order of `GROUPS`, comes first.
    """
    import numpy as np

    from summeval.solvers import assign_batch

    own = [own for own, others in rows if own is not None and others]
    references = [others for own, others in rows if own is not None and others]
    marks = {group: exp(-_UNIT * _BASE**k) for k, group in enumerate(GROUPS)}
    runs = [metric.matching.coefficients, marks]
    found, marked = metric.matching.matches_by(own, references, runs, workers)
    total, equal = 0, 0
    by_group, alone = dict.fromkeys(GROUPS, 0), dict.fromkeys(GROUPS, 0)
    for row, same in zip(found, marked, strict=True):
        problems = problems_of(row, metric.weights, False)
        for problem, told in zip(problems, same.edges, strict=True):
            edges = problem.edges
            values = edges.value * problem.weights[edges.column]
            kept = np.flatnonzero(values > 0)
            batch = assign_batch(
                np.array([0, len(kept)]),
                edges.row[kept],
                edges.column[kept],
                values[kept],
                np.array([(problem.rows, len(problem.weights))]),
            )
            for groups in _groups(told.value[kept[batch.edges]], list(GROUPS)):
                total += 1
                equal += not groups
                for group in groups:
                    by_group[group] += 1
                if len(groups) == 1:
                    alone[groups[0]] += 1
    return Use(total, equal, by_group, alone)


def _groups(values: NDArray[float64], names: Sequence[str]) -> Iterator[list[str]]:
    """The groups that each path uses, which its value tells.

    >>> from numpy import array
    >>> list(_groups(array([1.0, exp(-_UNIT * (2 + 5))]), ["lemm", "syno"]))
    [[], ['lemm', 'syno']]
    """
    for value in values.tolist():
        digits = round(-log(value) / _UNIT)
        yield [name for k, name in enumerate(names) if digits // _BASE**k % _BASE]
