"""Cross-validation of trained combinations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import isnan
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from summeval.table.cells import Array
from summeval.table.scores import numbered


class Model(Protocol):
    """A trainable model: `fit` rows and their targets, then `predict` rows."""

    def fit(self, x: Any, y: Any, /, *more: Any) -> Any: ...

    def predict(self, x: Any, /) -> Any: ...


def out_of_fold(
    make: Callable[[], Model],
    x: Any,
    y: Any,
    *labels: Sequence[Any],
    fit_with: Sequence[Sequence[Any]] = (),
) -> Array:
    """Predict each row with a model trained without the rows that share its labels.

    With one sequence of labels, such as the topic or year of each row, a row is predicted by a
    model trained on all other topics or years. With several sequences, training leaves out every
    row that shares any label; with topic and system this is SIMetrix's protocol (Louis and Nenkova
    2013).

    Parameters
    ----------
    make : callable
        Returns a new model with `fit` and `predict`.
    x : array [row, feature] or sequence of rows
        Inputs of the model: features or documents.
    y : array [row]
    *labels : sequence, one item for each row
        One or more sequences of labels.
    fit_with : sequence of sequences, one item for each row
        Further arguments of `fit`, such as the topics that a ranking model needs.

    Returns
    -------
    array [row]

    Raises
    ------
    ValueError
        No rows, different lengths, no labels, a label that is None or NaN, or labels that leave no
        rows to train on.

    Examples
    --------
    >>> class Mean:
    ...     def fit(self, x, y):
    ...         self.mean = sum(y) / len(y)
    ...     def predict(self, x):
    ...         return [self.mean] * len(x)
    >>> out_of_fold(Mean, [[0], [0], [0]], [1.0, 2.0, 6.0], ["a", "a", "b"]).tolist()
    [6.0, 6.0, 1.5]
    """
    try:
        targets = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        targets = np.empty((0, 0))
    if targets.ndim != 1 or not len(targets):
        raise ValueError("y must be a non-empty array of numbers [row]")
    if not labels:
        raise ValueError("no labels given; pass the labels to leave out together, such as topics")
    for name, given in (("x", x), *((f"labels {list(k)[:3]}…", k) for k in (*labels, *fit_with))):
        if len(given) != len(targets):
            raise ValueError(
                f"{name} has {len(given)} items but y has {len(targets)} rows; pass as many"
            )
    codes = np.array([_codes(found) for found in labels])
    predictions = np.empty(len(targets))
    for key in dict.fromkeys(zip(*codes.tolist(), strict=True)):
        shared = codes == np.array(key)[:, None]
        held, training = np.flatnonzero(shared.all(axis=0)), np.flatnonzero(~shared.any(axis=0))
        if not len(training):
            named = ", ".join(repr(found[held[0]]) for found in labels)
            raise ValueError(f"every row shares {named}; use labels that leave rows to train on")
        model = make()
        more = [_rows(one, training) for one in fit_with]
        model.fit(_rows(x, training), targets[training], *more)
        predictions[held] = model.predict(_rows(x, held))
    return predictions


def _codes(labels: Sequence[Any]) -> NDArray[np.int64]:
    for row, label in enumerate(labels):
        if label is None or (isinstance(label, float) and isnan(label)):
            raise ValueError(f"row {row} has the label {label!r}; pass the name of its fold")
        if not isinstance(label, Hashable):
            raise TypeError(
                f"row {row} has the label {label!r}; pass the name of its fold by a text or number"
            )
    return numbered(labels)[1]


def _rows(given: Any, rows: NDArray[np.int64]) -> Any:
    return given[rows] if isinstance(given, np.ndarray) else [given[row] for row in rows.tolist()]
