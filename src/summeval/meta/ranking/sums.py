"""Tests of the scores of a corpus, which are made of sums over its rows, not means of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import log2
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summeval._options import unknown
from summeval.meta.ranking.result import MOST_SUMS, Differences, Pairs
from summeval.meta.resampling import drawn_sums, enumerated_sums, percentiles, swapped_sums
from summeval.table.cells import Array

if TYPE_CHECKING:
    from summeval.metrics.run.corpus import Formula

_ROUNDING = 1e-12  # scores that differ by no more, of the larger one, are equal


class Sums(NamedTuple):
    """What makes the score of a corpus.

    Attributes
    ----------
    formula : Metric
        What makes scores of sums, such as a `Bleu`.
    field : str
        One of its fields.
    statistics : array [row, statistic]
        Those of each row; NaN where it has no score.
    """

    formula: Formula
    field: str
    statistics: Array

    def of(self, sums: Array) -> Array:
        """Return the field of sums [..., statistic]."""
        place = self.formula.fields.index(self.field)
        flat = sums.reshape(-1, sums.shape[-1])
        return self.formula.of_sums(flat)[:, place].reshape(sums.shape[:-1])


def retested(  # noqa: PLR0917 - as `tested`
    found: Differences, sums: Sums, pairs: Pairs, resamples: int, confidence: float, seed: int
) -> None:
    """Put the scores of the corpora of systems, and their tests, in place of means of rows.

    `sums` has the statistics [system, topic, statistic]. Swaps exchange the statistics of two
    systems on random topics, draws are of topics; intervals are percentiles of draws (Koehn 2004,
    "Statistical Significance Tests for Machine Translation Evaluation", section 3). Which rows are
    won stays; there is no effect, which is one of means.
    """
    table = sums.statistics
    present: NDArray[np.bool_] = np.asarray(~np.isnan(table).any(axis=2))
    found.effects[:] = np.nan
    masks: dict[bytes, list[tuple[int, int]]] = {mask.tobytes(): [] for mask in present}
    for i, j in pairs:
        masks.setdefault((present[i] & present[j]).tobytes(), []).append((i, j))
    for key, some in masks.items():
        mask = np.frombuffer(key, dtype=bool)
        if not mask.any():
            continue
        alone = [s for s in range(len(table)) if present[s].tobytes() == key]
        for own, theirs in _parts(alone, some, resamples * table.shape[2]):
            systems = sorted({*own, *(s for pair in theirs for s in pair)})
            rows = table[systems][:, mask]
            columns = np.concatenate(list(rows), axis=1)
            drawn, swapped = (
                of(columns, resamples, seed).reshape(resamples, len(systems), -1)
                for of in (drawn_sums, swapped_sums)
            )
            draws = sums.of(drawn)
            whole = sums.of(rows.sum(axis=1))
            at = {system: place for place, system in enumerate(systems)}
            for system in own:
                found.means[system] = whole[at[system]]
                if mask.sum() > 1:
                    found.intervals[system] = percentiles(draws[:, at[system]], confidence)
            for i, j in theirs:
                a, b = at[i], at[j]
                sides = rows[a], rows[b]
                apart = float(whole[a] - whole[b])
                slack = _ROUNDING * float(max(abs(whole[a]), abs(whole[b])))
                pvalue, exact = _swapped(
                    sums, sides, swapped[:, a] - swapped[:, b], abs(apart) - slack
                )
                found.pvalues[i, j] = found.pvalues[j, i] = pvalue
                found.exact[i, j] = found.exact[j, i] = exact
                found.differences[i, j], found.differences[j, i] = apart, 0.0 - apart
                differences = draws[:, a] - draws[:, b]
                further = np.abs(differences - apart) >= abs(apart) - slack
                bootstrap = (1 + further.sum()) / (resamples + 1)
                found.bootstrap[i, j] = found.bootstrap[j, i] = bootstrap
                if mask.sum() > 1:
                    found.bounds[i, j] = percentiles(differences, confidence)
                    found.bounds[j, i] = 0.0 - found.bounds[i, j, ::-1]


def _parts(
    systems: list[int], pairs: list[tuple[int, int]], width: int
) -> Iterator[tuple[list[int], list[tuple[int, int]]]]:
    """Yield all at once if memory holds their draws, else a few at a time."""
    most = max(2, MOST_SUMS // width)
    if len({*systems, *(s for pair in pairs for s in pair)}) <= most:
        yield systems, pairs
        return
    for first in range(0, len(systems), most):
        yield systems[first : first + most], []
    for first in range(0, len(pairs), most // 2):
        yield [], pairs[first : first + most // 2]


def _swapped(
    sums: Sums, sides: tuple[Array, Array], swapped: Array, reach: float
) -> tuple[float, bool]:
    """Return the p-value of the randomisation test, and whether every swap was enumerated."""
    apart, both = sides[0] - sides[1], (sides[0] + sides[1]).sum(axis=0)
    unequal = apart[(apart != 0).any(axis=1)]
    exact = len(unequal) <= log2(len(swapped))
    if exact:
        swapped = enumerated_sums(unequal) if len(unequal) else np.zeros((1, len(both)))
    one, other = sums.of((both + swapped) / 2), sums.of((both - swapped) / 2)
    extreme = np.abs(one - other) >= reach
    return float(extreme.mean() if exact else (1 + extreme.sum()) / (len(swapped) + 1)), exact


def check(given: Mapping[str, Sums], names: Collection[str], rows: int) -> None:
    """Raise `ValueError` for sums that are not of these columns and rows."""
    for name, one in given.items():
        if name not in names:
            raise ValueError(f"sums: {unknown('column', name, names)}")
        if one.field not in one.formula.fields:
            raise ValueError(f"sums: {unknown('field', one.field, one.formula.fields)}")
        if one.statistics.ndim != 2 or len(one.statistics) != rows:
            shape = list(one.statistics.shape)
            raise ValueError(f"sums: {name} has the shape {shape}; give statistics of {rows} rows")


def arranged(given: Mapping[str, Sums]) -> dict[str, Array]:
    """Return the statistics as columns [row], which are arranged by system and topic as scores are.

    >>> sorted(arranged({"x": Sums(None, "value", np.zeros((3, 2)))}))
    ['x 0', 'x 1']
    """
    return {
        f"{name} {place}": column
        for name, one in given.items()
        for place, column in enumerate(one.statistics.T)
    }
