"""Linear regression by least squares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from summeval._options import shown
from summeval.learn.shares import Shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import bool_, float64, int64
    from numpy.typing import ArrayLike, NDArray


TRANSFORMS = ("signed_log1p", "log", "none")


def domain(name: str, bounds: Sequence[float]) -> NDArray[float64]:
    """Restrict bounds to the domain of the transformation: for "log", to numbers above 0.

    >>> domain("none", (-1.0, 2.0)).tolist(), domain("log", (-1.0, 2.0)).tolist()
    ([-1.0, 2.0], [5e-324, 2.0])
    """
    import numpy as np

    return np.maximum(bounds, -np.inf if name != "log" else np.nextafter(0.0, 1.0))


def transform(name: str, values: NDArray[float64]) -> NDArray[float64]:
    """Transform values; "signed_log1p" and "log" keep their order.

    "signed_log1p" is sign(s) log(1 + |s|); "log" is that of the paper, which ends at 0.

    Raises
    ------
    ValueError
        "log" of a value of 0 or less; the message names the first one.

    Examples
    --------
    >>> import numpy as np
    >>> transform("signed_log1p", np.array([-1.0, 0.0, 1.0])).round(3).tolist()
    [-0.693, 0.0, 0.693]
    """
    import numpy as np

    if name == "none":
        return values
    if name == "signed_log1p":
        return np.asarray(np.sign(values) * np.log1p(np.abs(values)))
    low = np.flatnonzero(values <= 0)
    if len(low):
        raise ValueError(
            f"documents[{low[0]}] scores {values[low[0]]:.6g}, which has no logarithm; choose"
            " transform='signed_log1p'"
        )
    return np.asarray(np.log(values))


class LinearModel:
    """An intercept and a coefficient for each feature, by ordinary least squares.

    If features are linearly dependent, the solution with the smallest coefficients is used.

    Parameters
    ----------
    features : sequence of str
        Names of the features, in the order of the columns.
    intercept, coefficients : float, sequence of float, optional
        A known model; otherwise call `fit`.

    Examples
    --------
    >>> model = LinearModel(["a", "b"]).fit([[1, 0], [0, 1], [1, 1], [0, 0]], [3, 4, 6, 1])
    >>> [round(float(number), 9) for number in (model.intercept, *model.coefficients)]
    [1.0, 2.0, 3.0]
    """

    def __init__(
        self,
        features: Sequence[str],
        intercept: float | None = None,
        coefficients: Sequence[float] | None = None,
    ) -> None:
        if isinstance(features, str) or not all(isinstance(name, str) for name in features):
            raise TypeError(f"features is {shown(features)}; give a list of names")
        self.features = tuple(features)
        if not self.features or len(set(self.features)) < len(self.features):
            raise ValueError(
                f"features are {', '.join(self.features)}; give one or more, each once"
            )
        if (intercept is None) != (coefficients is None):
            raise ValueError("intercept and coefficients go together; give both or neither")
        self._numbers: tuple[float, ...] | None = None
        if intercept is not None and coefficients is not None:
            self._numbers = _checked((intercept, *coefficients), len(self.features) + 1)

    def new(self) -> LinearModel:
        """A model of the same features that is not fitted."""
        return LinearModel(self.features)

    @property
    def is_fitted(self) -> bool:
        return self._numbers is not None

    @property
    def intercept(self) -> float:
        return self._known()[0]

    @property
    def coefficients(self) -> tuple[float, ...]:
        return self._known()[1:]

    def fit(self, x: ArrayLike, y: ArrayLike) -> LinearModel:
        """Fit the model to rows; return the model.

        Parameters
        ----------
        x : array [row, feature]
        y : array [row]

        Raises
        ------
        ValueError
            If there are no rows, the shapes do not fit, or a number is NaN or infinite; the message
            names the first row.
        """
        table, target = self._rows(x), column_of(y)
        check_rows(table, target, self.features)
        self._numbers = tuple(_solve(table, target).tolist())
        return self

    def predict(self, x: ArrayLike) -> NDArray[float64]:
        """Predict each row [row, feature]; NaN if a feature is NaN."""
        import numpy as np

        table = self._rows(x)
        found = np.zeros(len(table))
        # not a BLAS product, because its last bits depend on the number of rows
        for column, weight in zip(table.T, self.coefficients, strict=True):
            found += column * weight
        return found + self.intercept

    def shares(self, row: Sequence[float]) -> Shares:
        """What each feature of a row [feature] adds to its prediction.

        >>> found = LinearModel(["a", "b"], 1.0, [2.0, -3.0]).shares([3.0, 1.0])
        >>> found.intercept, found.features, found.details[1]
        (1.0, [6.0, -3.0], {'value': 1.0, 'weight': -3.0})
        """
        (values,) = self._rows([row]).tolist()
        pairs = list(zip(values, self.coefficients, strict=True))
        details = [{"value": value, "weight": weight} for value, weight in pairs]
        return Shares(self.intercept, [value * weight for value, weight in pairs], 0.0, details)

    def least(self, worst: ArrayLike, best: Sequence[float]) -> NDArray[float64]:
        """A lower bound of the predictions, for features between a worst and a best value.

        Parameters
        ----------
        worst : array [row, feature]
        best : sequence [feature]
            May be infinite, and so may be the least number of a model that falls with the feature.

        Examples
        --------
        >>> LinearModel(["a", "b"], 1.0, [2.0, -3.0]).least([[0.0, 0.0]], [1.0, 1.0]).tolist()
        [-2.0]
        """
        import numpy as np

        weights = np.array(self.coefficients)
        counts = weights != 0
        ends = [self._rows(worst)[:, counts], np.array(best, dtype=np.float64)[counts]]
        shares = np.minimum(*(weights[counts] * end for end in ends))
        return np.asarray(shares.sum(axis=1) + self.intercept)

    def cross_predict(
        self, x: ArrayLike, y: ArrayLike, groups: Sequence[Sequence[Any]]
    ) -> NDArray[float64]:
        """Predict each row with a model fitted to the rows that share none of its groups.

        As in Louis and Nenkova 2009: the row of an input and a system is predicted by a model of
        other inputs and other systems. `self` is not changed.

        Parameters
        ----------
        x, y : arrays
            As in `fit`.
        groups : sequence of sequences
            For each kind of group, such as input and system, the label of each row.

        Raises
        ------
        ValueError
            As for `fit`; also if no rows are left to fit.

        Examples
        --------
        >>> x, y = [[0], [1], [2], [3], [4]], [1, 3, 5, 7, 0]
        >>> found = LinearModel(["a"]).cross_predict(x, y, [[0, 0, 1, 1, 2], [5, 6, 5, 6, 7]])
        >>> round(float(found[4]), 9)
        9.0
        """
        import numpy as np

        table, target = self._rows(x), column_of(y)
        check_rows(table, target, self.features)
        found = np.empty(len(target))
        for held, others in marks_of(groups, len(target)):
            numbers = _solve(table[others], target[others])
            for row in held:
                found[row] = numbers[0] + table[row] @ numbers[1:]
        return found

    def _known(self) -> tuple[float, ...]:
        if self._numbers is None:
            raise ValueError("the model has no coefficients; fit or load it first")
        return self._numbers

    def _rows(self, x: ArrayLike) -> NDArray[float64]:
        table = floats("x", x)
        if table.ndim != 2 or table.shape[1] != len(self.features):
            raise ValueError(
                f"x has the shape {table.shape}; give [row, feature] for the "
                f"{len(self.features)} features {', '.join(self.features)}"
            )
        return table


def kept(basis: Mapping[str, str], models: Mapping[str, LinearModel]) -> dict[str, Any]:
    """What a model file keeps of linear models.

    `basis` says what their features are: a name and a signature each.
    """
    return {
        "basis": dict(basis),
        "models": {
            name: {
                "features": list(model.features),
                "intercept": model.intercept,
                "coefficients": list(model.coefficients),
            }
            for name, model in models.items()
        },
    }


def restored(content: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, LinearModel]]:
    """The basis and the models of what `kept` made; of a file, it need not be true."""
    basis = content["basis"]
    if not isinstance(basis, dict):
        raise TypeError("what it was trained with is no object")
    return basis, {name: LinearModel(**fields) for name, fields in content["models"].items()}


def row_groups(groups: Sequence[Sequence[Any]], rows: int) -> NDArray[int64]:
    """The labels of each kind of group as numbers [row, kind]."""
    import numpy as np

    if not groups:
        raise ValueError("groups is empty; give the labels of one kind of group or more")
    return np.column_stack([_numbered(labels, rows) for labels in groups])


def marks_of(
    groups: Sequence[Sequence[Any]], rows: int
) -> Iterator[tuple[NDArray[int64], NDArray[bool_]]]:
    """The rows of each group, and which rows share none of its labels.

    Raises `ValueError` if no row is left.

    >>> [(held.tolist(), others.tolist()) for held, others in marks_of([["a", "b", "a"]], 3)]
    [([0, 2], [False, True, False]), ([1], [True, False, True])]
    """
    import numpy as np

    marks = row_groups(groups, rows)
    members: dict[bytes, list[int]] = {}
    for row, mine in enumerate(marks):
        members.setdefault(mine.tobytes(), []).append(row)
    for held in members.values():
        others = (marks != marks[held[0]]).all(axis=1)
        if not others.any():
            raise ValueError(f"row {held[0]}: no row is in other groups; pass more rows")
        yield np.array(held), others


def _solve(table: NDArray[float64], target: NDArray[float64]) -> NDArray[float64]:
    import numpy as np

    design = np.column_stack([np.ones(len(table)), table])
    return np.asarray(np.linalg.lstsq(design, target, rcond=None)[0], dtype=np.float64)


def _numbered(labels: Sequence[Any], rows: int) -> NDArray[int64]:
    import numpy as np

    if isinstance(labels, str) or not hasattr(labels, "__len__"):
        raise TypeError(f"groups holds {shown(labels)}; give a list with the label of each row")
    if len(labels) != rows:
        raise ValueError(f"{len(labels)} labels for {rows} rows; give one for each row")
    known: dict[Any, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int64)


def floats(name: str, given: ArrayLike) -> NDArray[float64]:
    """An array of numbers; the error calls it `name`."""
    import numpy as np

    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers") from None


def column_of(y: ArrayLike) -> NDArray[float64]:
    """The targets, one number for each row."""
    target = floats("y", y)
    if target.ndim != 1:
        raise ValueError(f"y has the shape {target.shape}; give one number for each row")
    return target


def check_rows(table: NDArray[float64], target: NDArray[float64], features: Sequence[str]) -> None:
    """Raise unless there are rows, and each has a target and finite features."""
    import numpy as np

    if len(table) != len(target) or not len(table):
        raise ValueError(f"{len(table)} rows and {len(target)} targets; give one for each row")
    for row, column in np.argwhere(~np.isfinite(np.column_stack([target, table]))):
        what = ("the target", *features)[column]
        raise ValueError(f"row {row}: {what} is not finite; leave out the row or the feature")


def _checked(numbers: Sequence[Any], size: int) -> tuple[float, ...]:
    if len(numbers) != size:
        raise ValueError(f"{len(numbers) - 1} coefficients for {size - 1} features; give one each")
    for number in numbers:
        plain = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not plain or not isfinite(number):
            raise ValueError(f"a coefficient is {shown(number)}; give finite numbers")
    return tuple(map(float, numbers))
