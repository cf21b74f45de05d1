"""Train the norms of features by the length of a text, and the weights of sets of texts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from summeval._arrays import Bools, Floats, Ints
from summeval.learn.signed_ridge import Judged, LengthNorms, logs_of, solved, within

UNIT = 0.5  # the deviation of features that have no norms


def fitted(
    tables: Sequence[Floats], words: Sequence[Floats], normed: Sequence[bool] | Bools
) -> LengthNorms:
    """Return the norms of families of texts, which weigh the same.

    Parameters
    ----------
    tables : sequence of array [text, feature]
        One for each family.
    words : sequence of array [text]
    normed : array [feature]
        False for features that are 0 in most texts: these have the mean 0 and the deviation
        0.5, because a deviation that a few texts decide is none.
    """
    rows, powers = np.vstack(tables), np.vander(logs_of(np.concatenate(words)), 3)
    weights = np.concatenate([np.full(len(table), 1 / len(table)) for table in tables])
    roots = np.sqrt(weights)[:, None]

    def least_squares(target: Floats) -> Floats:
        return np.asarray(np.linalg.lstsq(powers * roots, target * roots, rcond=None)[0])

    mean = least_squares(rows)
    # of a normal distribution the mean distance is sqrt(2 / pi) deviations
    spread = least_squares(np.abs(rows - powers @ mean) * math.sqrt(math.pi / 2))
    least = (weights @ (powers @ spread)) / weights.sum() / 2
    sparse = ~np.asarray(normed, dtype=bool)
    mean[:, sparse] = spread[:, sparse] = 0.0
    least[sparse] = UNIT
    return LengthNorms(mean.T.copy(), spread.T.copy(), np.maximum(least, 1e-9))


def fit_sets(
    sets: Sequence[Judged], directions: Ints, strength: float, rows: float = 5000.0
) -> Floats:
    """Return the weights of features that are standard already, from sets that weigh the same.

    The sets together count as much as so many `rows`, whatever their sizes. Systems have no part in
    it.

    >>> ranks, none = np.array([0.25, -0.25]), np.zeros(2, dtype=np.int64)
    >>> one = Judged(np.array([[1.0, 2.0], [0.0, 1.0]]), ranks, none, none)
    >>> fit_sets([one], np.array([1, -1]), 300.0).round(3).tolist()
    [0.403, -0.0]
    """
    tables, targets = [], []
    for each in sets:
        scale = math.sqrt(rows / len(sets) / len(each.ranks))
        tables.append(within(each.rows, each) * scale)
        targets.append(within(each.ranks[:, None], each)[:, 0] * scale)
    penalties = np.full(len(directions), strength)
    return solved(np.vstack(tables), np.concatenate(targets), directions, penalties)
