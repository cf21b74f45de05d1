"""The kernels of SVM-light and the predictions of trained models, with NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from summeval._arrays import Floats

KERNELS = ("linear", "poly", "rbf")
_BLOCK = 1024  # rows at a time
_STEP, _POINTS = 0.02, 1001  # of the grid of `least`
_FAR = 6.0  # where exp(-d^2) is practically 0


def kernel(name: str, left: Floats, right: Floats) -> Floats:
    """Return the kernel of rows [of left, of right] with SVM-light's default parameters.

    linear: a.b; poly: (a.b + 1)^3; rbf: exp(-|a - b|^2).

    >>> import numpy as np
    >>> kernel("poly", np.array([[1.0, 2.0]]), np.array([[0.0, 0.5]])).tolist()
    [[8.0]]
    """
    # not a BLAS product, because its last bits depend on the number of rows
    products: Floats = np.einsum("ik,jk->ij", left, right)
    if name == "linear":
        return products
    if name == "poly":
        return np.asarray((products + 1.0) ** 3)
    distances = (left**2).sum(axis=1)[:, None] - 2 * products + (right**2).sum(axis=1)
    return np.asarray(np.exp(-np.maximum(distances, 0.0)))


def predict(name: str, rows: Floats, vectors: Floats, weights: Floats, intercept: float) -> Floats:
    """Predict each row from these support vectors and weights, independent of other rows.

    >>> import numpy as np
    >>> one = np.array([[1.0, 2.0]])
    >>> predict("linear", one, one, np.array([0.5]), 1.0).tolist()
    [3.5]
    """
    found = np.empty(len(rows))
    for begin in range(0, len(rows), _BLOCK):
        some = slice(begin, begin + _BLOCK)
        found[some] = (kernel(name, rows[some], vectors) * weights).sum(axis=1) + intercept
    return found


def least(
    name: str,
    vectors: Floats,
    weights: Floats,
    intercept: float,
    *,
    ends: Sequence[Sequence[float]],
) -> float:
    """Return a lower bound of the predictions of a model of two bounded features.

    `ends` has two rows: the minima and the maxima of both features.

    The bound is the minimum on a grid, minus the largest curvature times half the squared distance
    to the nearest grid point.

    >>> import numpy as np
    >>> one = np.array([[1.0, 2.0]])
    >>> round(least("linear", one, np.array([0.5]), 2.0, ends=[(0.0, -1.0), (1.0, 1.0)]), 6)
    1.0
    """
    box = np.array(ends, dtype=np.float64)
    if name == "rbf":  # beyond, it is the intercept, as it is on the edge
        near = np.array([vectors.min(axis=0) - _FAR, vectors.max(axis=0) + _FAR])
        box = np.clip(near, *box)
    step = _STEP if name != "linear" else np.inf
    axes = []
    for first, last in box.T.tolist():
        points = int(min(_POINTS, max(2, 1 + np.ceil((last - first) / step))))
        axes.append(np.linspace(first, last, points))
    half = np.array([(axis[1] - axis[0]) / 2 for axis in axes])
    rows = np.array(np.meshgrid(*axes)).reshape(2, -1).T
    found = predict(name, rows, vectors, weights, intercept).min()
    slack = half @ _curvature(name, vectors, weights, box) @ half / 2
    rounding = 1e-9 * (np.abs(weights).sum() + abs(intercept))
    return float(found - slack - rounding)


def _curvature(name: str, vectors: Floats, weights: Floats, ends: Floats) -> Floats:
    """Return the largest absolute second derivatives between two corners."""
    if name == "linear":
        return np.zeros((2, 2))
    if name == "rbf":  # of exp(-|x|^2), 2 in any direction at most
        return np.asarray(np.eye(2) * 2 * np.abs(weights).sum())
    corners = np.array(np.meshgrid(*ends.T)).reshape(2, -1).T  # of a cube, linear between them
    factors = 6 * weights * (corners @ vectors.T + 1)
    found = np.abs(np.einsum("cv,vi,vj->cij", factors, vectors, vectors))
    return np.asarray(found.max(axis=0))


def default_c(norms: Any) -> float:
    """SVM-light's C for vectors of these norms: 1 / mean², or 1 if all are 0.

    >>> default_c([0.5, 1.5])
    1.0
    """
    mean = float(np.mean(norms))
    return 1.0 / mean**2 if mean else 1.0


def default_regression_c(name: str, rows: Floats) -> float:
    """SVM-light's C for rows under a kernel: their norms are the distances from the zero vector."""
    lengths = (rows**2).sum(axis=1)
    own = {"linear": lengths, "poly": (lengths + 1.0) ** 3, "rbf": np.ones(len(rows))}[name]
    zero = np.zeros((1, rows.shape[1]))
    squares = own - 2 * kernel(name, rows, zero)[:, 0] + kernel(name, zero, zero)[0, 0]
    return default_c(np.sqrt(np.maximum(squares, 0.0)))
