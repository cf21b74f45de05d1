"""What each feature of a row adds to what a model predicts of it.

Of a linear model that is a sum. Of a model with a kernel it is divided by Shapley's rule: a feature
gets what it changes when it takes its value in place of the mean, on average over all orders in
which the features may do so (Shapley 1953, "A Value for n-Person Games"; Lundberg and Lee 2017, "A
Unified Approach to Interpreting Model Predictions").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

MOST = 12  # features of which every subset is looked at


class Shares(NamedTuple):
    """The parts of a prediction, which is the sum of all.

    Attributes
    ----------
    intercept : float
        What is predicted where every feature is at its mean, or 0 for least squares.
    features : list of float
    interaction : float
        What is left where there are too many features for every order of them; else 0.
    details : list of dict of str to float
        Of each feature its value, and what the model knows of it.
    """

    intercept: float
    features: list[float]
    interaction: float
    details: list[dict[str, float]]


def beside(
    predict: Callable[[NDArray[float64]], NDArray[float64]],
    row: Sequence[float],
    mean: NDArray[float64],
) -> Shares:
    """The shares of a row beside the mean, by `divided`."""
    import numpy as np

    details = [{"value": x, "mean": m} for x, m in zip(row, mean.tolist(), strict=True)]
    return Shares(*divided(predict, np.array(row), mean), details)


def divided(
    predict: Callable[[NDArray[float64]], NDArray[float64]],
    row: NDArray[float64],
    base: NDArray[float64],
) -> tuple[float, list[float], float]:
    """The intercept, the share of each feature, and what is left, of any model.

    Parameters
    ----------
    predict : callable
        Of rows [row, feature], the prediction of each.
    row, base : arrays [feature]
        The features, and those of the intercept. Of more than 12 features each gets what it
        changes alone, and the rest is left.

    Examples
    --------
    >>> import numpy as np
    >>> def product(rows):
    ...     return rows.prod(axis=1)
    >>> divided(product, np.array([3.0, 2.0]), np.array([1.0, 1.0]))
    (1.0, [3.0, 2.0], 0.0)
    """
    import numpy as np

    count = len(row)
    if count > MOST:
        chosen = np.vstack([np.eye(count, dtype=bool), np.zeros((1, count), dtype=bool)])
        *alone, intercept = predict(np.where(chosen, row, base)).tolist()
        changes = [value - intercept for value in alone]
        whole = float(predict(row[None])[0])
        return intercept, changes, whole - intercept - sum(changes)
    numbers = np.arange(1 << count)
    chosen = (numbers[:, None] >> np.arange(count) & 1).astype(bool)
    values = predict(np.where(chosen, row, base))
    sizes = chosen.sum(axis=1)
    found = []
    for feature in range(count):
        without = numbers[~chosen[:, feature]]
        gains = values[without | 1 << feature] - values[without]
        orders = np.array([count * comb(count - 1, size) for size in sizes[without].tolist()])
        found.append(float((gains / orders).sum()))
    return float(values[0]), found, 0.0
