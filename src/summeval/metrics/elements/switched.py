"""BEwT-E with transformations switched on and off, on elements that were read once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from summeval.elements.elements import Element
from summeval.elements.transformations import GROUPS
from summeval.metrics.elements.bewte import BEwTE
from summeval.metrics.elements.matching import problems_of
from summeval.metrics.parsed import ReadRow

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

Rows = Sequence[ReadRow[list[Element]]]

# A path is written as one number: that of each group is exp(-_UNIT * _BASE**k), so that the
# logarithm of the product has a digit for each group, the number of times that it is used. No
# path uses a group more than four times. The rounding of a product is 10**-6 of a unit.
_BASE, _UNIT = 5, 1e-9


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
    """Yield the value of each row for each of several coefficients; NaN where a text is missing.

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
            used = told.value[problem.assigned(worthless=False)]
            for groups in _groups(used, list(GROUPS)):
                total += 1
                equal += not groups
                for group in groups:
                    by_group[group] += 1
                if len(groups) == 1:
                    alone[groups[0]] += 1
    return Use(total, equal, by_group, alone)


def _groups(values: NDArray[float64], names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the groups that each path uses, which its value tells.

    >>> from numpy import array
    >>> list(_groups(array([1.0, exp(-_UNIT * (2 + 5))]), ["lemm", "syno"]))
    [[], ['lemm', 'syno']]
    """
    for value in values.tolist():
        digits = round(-log(value) / _UNIT)
        yield [name for k, name in enumerate(names) if digits // _BASE**k % _BASE]
