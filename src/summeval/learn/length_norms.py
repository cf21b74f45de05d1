"""Norms for texts of different lengths: what is usual in a text of as many words.

Shares of repeated words grow with a text, so that a short broken text looks better than a long good
one. Beside other texts of its length, each feature has one direction in every kind of text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from summeval._arrays import Floats

FEWEST, MOST = 6, 140  # words; texts beyond are taken for such


class LengthNorms(NamedTuple):
    """The usual value of each feature and its deviation, for any number of words.

    Both are polynomials of the second degree in the logarithm of the number of words.

    Attributes
    ----------
    mean, spread : array [feature, 3]
        Coefficients, the highest power first.
    least : array [feature]
        The deviation is never less.

    Examples
    --------
    >>> import numpy as np
    >>> words = np.array([10.0, 20.0, 40.0, 80.0])
    >>> rows = np.array([[1.0], [3.0], [3.0], [5.0]])
    >>> norms = fit([rows], [words], [True])
    >>> norms.standard(rows, words).round(1).tolist()
    [[-0.8], [0.8], [-0.8], [0.8]]
    """

    mean: Floats
    spread: Floats
    least: Floats

    def standard(self, rows: Floats, words: Floats) -> Floats:
        """Return the rows [text, feature] in deviations from what is usual for so many words."""
        usual, spread = self.usual(words)
        return np.asarray((rows - usual) / spread)

    def usual(self, words: Floats) -> tuple[Floats, Floats]:
        """Return the usual value of each feature and its deviation, for these numbers of words."""
        # not BLAS products, because their last bits depend on the number of rows
        logs = _logs(words)[:, None]
        squares = logs * logs
        usual = squares * self.mean[:, 0] + logs * self.mean[:, 1] + self.mean[:, 2]
        spread = squares * self.spread[:, 0] + logs * self.spread[:, 1] + self.spread[:, 2]
        return np.asarray(usual), np.maximum(spread, self.least)


def fit(
    tables: Sequence[Floats],
    words: Sequence[Floats],
    normed: ArrayLike,
    unit: float = 0.5,
) -> LengthNorms:
    """Return the norms of families of texts, which weigh the same.

    Parameters
    ----------
    tables : sequence of array [text, feature]
        One for each family.
    words : sequence of array [text]
    normed : array [feature]
        False for features that are 0 in most texts: these have the mean 0 and the deviation `unit`,
        because a deviation that a few texts decide is none.
    unit : float
    """
    rows, powers = np.vstack(tables), np.vander(_logs(np.concatenate(words)), 3)
    weights = np.concatenate([np.full(len(table), 1 / len(table)) for table in tables])
    roots = np.sqrt(weights)[:, None]

    def fitted(target: Floats) -> Floats:
        return np.asarray(np.linalg.lstsq(powers * roots, target * roots, rcond=None)[0])

    mean = fitted(rows)
    # of a normal distribution the mean distance is sqrt(2 / pi) deviations
    spread = fitted(np.abs(rows - powers @ mean) * math.sqrt(math.pi / 2))
    least = (weights @ (powers @ spread)) / weights.sum() / 2
    sparse = ~np.asarray(normed, dtype=bool)
    mean[:, sparse] = spread[:, sparse] = 0.0
    least[sparse] = unit
    return LengthNorms(mean.T.copy(), spread.T.copy(), np.maximum(least, 1e-9))


def _logs(words: Floats) -> Floats:
    """The logarithms of numbers of words, of which lengths beyond the known ones are the last."""
    return np.asarray(np.log(np.minimum(np.maximum(words, FEWEST), MOST)))
