"""Cross-validation of trained combinations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import isnan
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from summeval.table.cells import Array


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
    codes = [_codes(found) for found in labels]
    keys = list(zip(*(code.tolist() for code in codes), strict=True))
    predictions = np.empty(len(targets))
    for key in dict.fromkeys(keys):
        shares = [code == value for code, value in zip(codes, key, strict=True)]
        held = np.logical_and.reduce(shares)
        training = np.flatnonzero(~np.logical_or.reduce(shares))
        if not len(training):
            row = int(held.argmax())
            named = ", ".join(repr(found[row]) for found in labels)
            raise ValueError(f"every row shares {named}; use labels that leave rows to train on")
        model = make()
        model.fit(
            _rows(x, training), targets[training], *(_rows(more, training) for more in fit_with)
        )
        predictions[held] = model.predict(_rows(x, np.flatnonzero(held)))
    return predictions


def _codes(labels: Sequence[Any]) -> NDArray[np.int64]:
    for row, label in enumerate(labels):
        if label is None or (isinstance(label, float) and isnan(label)):
            raise ValueError(f"row {row} has the label {label!r}; pass the name of its fold")
        if not isinstance(label, Hashable):
            raise TypeError(
                f"row {row} has the label {label!r}; pass the name of its fold by a text or number"
            )
    known: dict[Any, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int64)


def _rows(given: Any, rows: NDArray[np.int64]) -> Any:
    return given[rows] if isinstance(given, np.ndarray) else [given[row] for row in rows.tolist()]
