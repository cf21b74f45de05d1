"""Regressions of human scores on columns of metrics: least squares, machines, normed columns.

What each feature of a row adds to a prediction is, in a linear model, a term of a sum. Of a model
with a kernel it is divided by Shapley's rule: a feature gets what it changes when it takes its
value in place of the mean, on average over all orders in which the features may do so (Shapley
1953, "A Value for n-Person Games"; Lundberg and Lee 2017, "A Unified Approach to Interpreting Model
Predictions").
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb, isfinite
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Floats, Ints
from summeval._options import check_choice, shown
from summeval.learn import signed_ridge
from summeval.learn.model_file import finite, training_of
from summeval.learn.svm_kernels import KERNELS, least, predict

WEIGHTED = ("mean", "ridge", "signed-ridge")
MACHINES = ("svm-linear", "svm-poly", "svm-rbf")
MOST = 12  # features of which every subset is looked at
_PLAIN_ARRAYS = ("support_vectors", "dual_coef", "intercept")
_WEIGHTED_ARRAYS = ("centre", "scale", "weights", "offset")
_MACHINE_ARRAYS = ("centre", "scale", "vectors", "dual", "intercept", "floor")


class Regression(ABC):
    """A model that predicts a number from the features of a row.

    Attributes
    ----------
    features : tuple of str
        Names of the features, in the order of the columns.
    kind : str
        "linear", or as of `NormedModel`.
    trained : mapping
        What training found beside the model, such as C.
    """

    features: tuple[str, ...]
    kind: str
    trained: Mapping[str, Any] = MappingProxyType({})
    _found: Any = None  # what training finds

    @property
    def is_fitted(self) -> bool:
        return bool(self._found)

    def _known(self) -> Any:
        if not self._found:
            raise ValueError("the model has no coefficients; fit or load it first")
        return self._found

    @abstractmethod
    def new(self) -> Self:
        """Return a model of the same kind and features that is not fitted."""

    def fit(self, x: ArrayLike, y: ArrayLike, topics: Sequence[Any] | None = None) -> Self:
        """Fit the model to rows; return the model.

        Parameters
        ----------
        x : array [row, feature]
        y : array [row]
        topics : sequence [row], optional
            Within which "ridge" ranks, and which "cv" holds out. None is one for all.

        Raises
        ------
        ImportError
            For the kinds with a kernel, if scikit-learn is missing.
        ValueError
            If there are no rows, the shapes do not fit, or a number is NaN or infinite; the message
            names the first row.
        """
        table, target = self._training(x, y)
        groups = [0] * len(target) if topics is None else topics
        (marks,) = _row_groups([groups], len(target)).T
        self._fit(table, target, marks)
        return self

    @abstractmethod
    def _fit(self, table: Floats, target: Floats, topics: AnyArray) -> None: ...

    @abstractmethod
    def predict(self, x: ArrayLike) -> Floats:
        """Predict each row [row, feature], whatever the others are; NaN if a feature is NaN."""

    @abstractmethod
    def shares(self, row: Sequence[float]) -> Shares:
        """Return what each feature of a row [feature] adds to its prediction."""

    @abstractmethod
    def least(self, worst: ArrayLike, best: Sequence[float]) -> Floats:
        """Return a lower bound of the predictions, for features between a worst and a best value.

        Parameters
        ----------
        worst : array [row, feature]
        best : sequence [feature]
            May be infinite, and so may be the least number of a model that falls with the feature.
        """

    @abstractmethod
    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        """Return what a model file keeps: the content and the arrays."""

    def cross_predict(self, x: ArrayLike, y: ArrayLike, groups: Sequence[Sequence[Any]]) -> Floats:
        """Predict each row with a model fitted to the rows that share none of its groups.

        As in Louis and Nenkova 2009: the row of an input and a system is predicted by a model of
        other inputs and other systems. `self` is not changed.

        Parameters
        ----------
        x, y : arrays
            As in `fit`.
        groups : sequence of sequences
            For each kind of group, such as input and system, the label of each row. The first kind
            are the topics.

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
        table, target = self._training(x, y)
        found = np.empty(len(target))
        for held, others in apart(_row_groups(groups, len(target))):
            if not len(others):
                raise ValueError(f"row {held[0]}: no row is in other groups; pass more rows")
            topics = [groups[0][row] for row in others.tolist()]
            found[held] = self.new().fit(table[others], target[others], topics).predict(table[held])
        return found

    def _training(self, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """Return the rows and targets to fit to, checked."""
        table, target = self._rows(x), _floats("y", y)
        if target.ndim != 1:
            raise ValueError(f"y has the shape {target.shape}; give one number for each row")
        if len(table) != len(target) or not len(table):
            raise ValueError(f"{len(table)} rows and {len(target)} targets; give one for each row")
        for row, column in np.argwhere(~np.isfinite(np.column_stack([target, table]))):
            what = ("the target", *self.features)[column]
            raise ValueError(f"row {row}: {what} is not finite; leave out the row or the feature")
        return table, target

    def _rows(self, x: ArrayLike) -> Floats:
        table = _floats("x", x)
        if table.ndim != 2 or table.shape[1] != len(self.features):
            raise ValueError(
                f"x has the shape {table.shape}; give [row, feature] for the "
                f"{len(self.features)} features {', '.join(self.features)}"
            )
        return table


class LinearModel(Regression):
    """Least squares: an intercept and a coefficient for each feature, by ordinary least squares.

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

    kind = "linear"

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
        if intercept is not None and coefficients is not None:
            self._found = _checked((intercept, *coefficients), len(self.features) + 1)

    def new(self) -> LinearModel:
        return LinearModel(self.features)

    @property
    def intercept(self) -> float:
        return float(self._known()[0])

    @property
    def coefficients(self) -> tuple[float, ...]:
        found: tuple[float, ...] = self._known()[1:]
        return found

    def _fit(self, table: Floats, target: Floats, topics: AnyArray) -> None:
        design = np.column_stack([np.ones(len(table)), table])
        self._found = tuple(np.linalg.lstsq(design, target, rcond=None)[0].tolist())

    def predict(self, x: ArrayLike) -> Floats:
        table = self._rows(x)
        found = np.zeros(len(table))
        # not a BLAS product, because its last bits depend on the number of rows
        for column, weight in zip(table.T, self.coefficients, strict=True):
            found += column * weight
        return found + self.intercept

    def shares(self, row: Sequence[float]) -> Shares:
        """Return what each feature of a row [feature] adds to its prediction.

        >>> found = LinearModel(["a", "b"], 1.0, [2.0, -3.0]).shares([3.0, 1.0])
        >>> found.intercept, found.features, found.details[1]
        (1.0, [6.0, -3.0], {'value': 1.0, 'weight': -3.0})
        """
        (values,) = self._rows([row]).tolist()
        pairs = list(zip(values, self.coefficients, strict=True))
        details = [{"value": value, "weight": weight} for value, weight in pairs]
        return Shares(self.intercept, [value * weight for value, weight in pairs], 0.0, details)

    def least(self, worst: ArrayLike, best: Sequence[float]) -> Floats:
        """As of `Regression`.

        Examples
        --------
        >>> LinearModel(["a", "b"], 1.0, [2.0, -3.0]).least([[0.0, 0.0]], [1.0, 1.0]).tolist()
        [-2.0]
        """
        weights = np.array(self.coefficients)
        counts = weights != 0
        ends = [self._rows(worst)[:, counts], np.array(best, dtype=np.float64)[counts]]
        shares = np.minimum(*(weights[counts] * end for end in ends))
        return np.asarray(shares.sum(axis=1) + self.intercept)

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        fields = {"features": list(self.features), "intercept": self.intercept}
        return {**fields, "coefficients": list(self.coefficients)}, {}


class MachineModel(Regression):
    """Support vector regression over two features as they are, both with known bounds.

    Parameters
    ----------
    features : sequence of str
    kernel : {"linear", "poly", "rbf"}
    C : float, "cv" or None
        As of `SVMLightRegressor`.

    Examples
    --------
    >>> rows, scores = [[0.1, 0.5], [0.4, 0.1], [0.9, 0.6]], [2, 2.5, 4.5]
    >>> model = MachineModel(["content", "form"], "linear").fit(rows, scores)
    >>> round(float(model.predict([[0.5, 0.5]])[0]), 2), model.trained["rows"]
    (2.84, 3)
    """

    def __init__(self, features: Sequence[str], kernel: str, C: float | str | None = None) -> None:
        check_choice("kernel", kernel, KERNELS)
        self.features, self.C = tuple(features), C
        self.kernel, self.kind = kernel, f"svm-{kernel}"

    def new(self) -> MachineModel:
        return MachineModel(self.features, self.kernel, self.C)

    def _fit(self, table: Floats, target: Floats, topics: AnyArray) -> None:
        from summeval.learn.svm import SVMLightRegressor

        machine = SVMLightRegressor(self.kernel, C=self.C).fit(table, target, topics)
        numbers = np.array([machine.intercept_])
        found = machine.support_vectors_, machine.dual_coef_, numbers
        self._found = dict(zip(_PLAIN_ARRAYS, found, strict=True))
        self.trained = {"C": machine.C_, "rows": len(table)}

    def predict(self, x: ArrayLike) -> Floats:
        return predict(self.kernel, self._rows(x), *self._machine())

    def shares(self, row: Sequence[float]) -> Shares:
        """Return what each feature adds to its prediction, by `divided` from the mean vector."""
        mean = self._machine()[0].mean(axis=0)
        details = [{"value": x, "mean": m} for x, m in zip(row, mean.tolist(), strict=True)]
        return Shares(*divided(self.predict, np.array(row), mean), details)

    def least(self, worst: ArrayLike, best: Sequence[float]) -> Floats:
        machine = self._machine()
        rows = self._rows(worst)
        return np.array([least(self.kernel, *machine, ends=(row, best)) for row in rows])

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        return {"kernel": self.kernel, "trained": self.trained}, dict(self._known())

    @classmethod
    def restored(
        cls, content: Mapping[str, Any], arrays: Mapping[str, AnyArray], features: Sequence[str]
    ) -> MachineModel:
        """Return the model of what `kept` made; of a file, it need not be true."""
        made = cls(features, content["kernel"])
        found = finite(arrays, *_PLAIN_ARRAYS)
        shapes = [list(array.shape) for array in found.values()]
        if shapes != [[*shapes[1], len(features)], shapes[1][:1], [1]]:
            raise ValueError("its arrays do not match")
        made._found, made.trained = found, training_of(content)
        return made

    def _machine(self) -> tuple[Floats, Floats, float]:
        vectors, weights, intercept = (self._known()[name] for name in _PLAIN_ARRAYS)
        return vectors, weights, float(intercept[0])


class NormedModel(Regression):
    """A model over features that are normed to mean 0 and deviation 1 in training.

    Normed values are cut at 4 deviations, and a feature that is constant in training counts
    nothing later. No row is told less than the `floor`.

    Parameters
    ----------
    features : sequence of str
        Names of the features, in the order of the columns.
    kind : str
        "mean": the equal-weight mean of the normed features, each in the direction in which it is
        better. "ridge": the ranks within topics by ridge regression, whose penalty is chosen by
        folds of topics. "signed-ridge": the same, where no feature counts against its direction.
        "svm-linear", "svm-poly", "svm-rbf": `SVMLightRegressor` with this kernel.
    directions : sequence of bool
        For each feature whether higher is better.
    C : float, "cv" or None
        As of `SVMLightRegressor`, for its kinds.

    Examples
    --------
    >>> model = NormedModel(["gain", "loss"], "mean", [True, False])
    >>> model.fit([[0.0, 9.0], [1.0, 7.0]], [1.0, 2.0]).predict([[1.0, 7.0]]).tolist()
    [1.0]
    """

    def __init__(
        self,
        features: Sequence[str],
        kind: str,
        directions: Sequence[bool],
        C: float | str | None = None,
    ) -> None:
        check_choice("kind", kind, (*WEIGHTED, *MACHINES))
        self.features = tuple(features)
        if len(directions) != len(self.features) or not self.features:
            raise ValueError(f"{len(self.features)} features and {len(directions)} directions")
        self.kind = kind
        self.directions = tuple(bool(up) for up in directions)
        self.C = C
        self.trained: Mapping[str, Any] = {}

    def new(self) -> NormedModel:
        return NormedModel(self.features, self.kind, self.directions, self.C)

    @property
    def floor(self) -> float:
        """No row is told less.

        Of weighted features, where each is at its worst; else the least that was told in training.
        """
        if self.kind in WEIGHTED:
            return self._weights().floor
        return float(self._known()["floor"][0])

    def predict(self, x: ArrayLike) -> Floats:
        arrays, table = self._known(), self._rows(x)
        if self.kind in WEIGHTED:
            return self._weights().values(table)
        found = self._predicted(_standard(table, arrays["centre"], arrays["scale"]))
        return np.asarray(np.maximum(found, arrays["floor"][0]))

    def shares(self, row: Sequence[float]) -> Shares:
        """Return what each feature of a row [feature] adds to its prediction, before the floor.

        Of the kinds with a kernel by `summeval.learn.regression.divided`; the intercept is then the
        prediction of the mean of the training rows.

        >>> model = NormedModel(["gain"], "mean", [True]).fit([[0.0], [1.0]], [1.0, 2.0])
        >>> model.shares([1.0])[:2]
        (0.0, [1.0])
        """
        arrays, table = self._known(), self._rows([row])
        centre, scale = arrays["centre"], arrays["scale"]
        names = ("value", "mean", "deviation")
        columns = [table[0], centre, scale]
        if self.kind in WEIGHTED:
            weights = self._weights()
            names, columns = (*names, "weight"), [*columns, weights.weights]  # type: ignore
            found = 0.0 - weights.offset, weights.shares(table)[0].tolist(), 0.0
        else:
            normed = _standard(table, centre, scale)[0]
            found = divided(self._predicted, normed, np.zeros(len(normed)))
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        return Shares(*found, [dict(zip(names, each, strict=True)) for each in numbers])

    def _predicted(self, rows: Floats) -> Floats:
        """Return what a model with a kernel tells of normed rows, without the floor."""
        arrays, kernel = self._known(), self.kind[4:]
        intercept = float(arrays["intercept"][0])
        return predict(kernel, rows, arrays["vectors"], arrays["dual"], intercept)

    def least(self, worst: ArrayLike, best: Sequence[float]) -> Floats:
        """Return the floor for each row; NaN if a feature of it is NaN."""
        return np.where(np.isnan(self._rows(worst)).any(axis=1), np.nan, self.floor)

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        content = {
            "kind": self.kind,
            "features": list(self.features),
            "rising": list(self.directions),
        }
        return {**content, "trained": self.trained}, dict(self._known())

    @classmethod
    def restored(cls, content: Mapping[str, Any], arrays: Mapping[str, Any]) -> NormedModel:
        """Return the model of what `kept` made; of a file, it need not be true."""
        features, directions = content["features"], content["rising"]
        if not all(isinstance(name, str) for name in features) or not isinstance(directions, list):
            raise TypeError("its features are not named")
        made = cls(features, content["kind"], directions)
        made.trained = training_of(content)
        names = _WEIGHTED_ARRAYS if made.kind in WEIGHTED else _MACHINE_ARRAYS
        made._found = found = {name: np.asarray(arrays[name], dtype=np.float64) for name in names}
        size = len(made.features)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("centre", "scale", "weights"), (size,))
        if made.kind in MACHINES:
            count = len(found["dual"])
            shapes |= {"vectors": (count, size), "dual": (count,)}
        for name, array in found.items():
            if array.shape != shapes.get(name, (1,)) or not np.isfinite(array).all():
                raise ValueError(f"its {name} do not match or are not finite")
        if not (found["scale"] >= 0).all():
            raise ValueError("its scale is below 0")
        return made

    def _fit(self, table: Floats, target: Floats, topics: AnyArray) -> None:
        if self.kind in MACHINES:
            self._fit_machine(table, target, topics)
            return
        signs = np.array([1 if up else -1 for up in self.directions], dtype=np.int64)
        trained: dict[str, float] = {"rows": len(table)}
        self.trained = trained
        if self.kind == "mean":
            found = signed_ridge.equal_weights(table, signs)
        else:
            ranks = signed_ridge.ranks_of(target, topics)
            none = np.zeros(len(target), dtype=np.int64)
            judged = signed_ridge.Judged(table, ranks, topics, none)
            directions = signs if self.kind == "signed-ridge" else np.zeros_like(signs)
            penalties = np.ones(len(signs))
            setting = signed_ridge.FOR_SEEN_SYSTEMS[0]
            if len(np.unique(topics)) > 1:
                setting = signed_ridge.choose(judged, directions, penalties, systems=1)
            found = signed_ridge.fit(judged, directions, penalties, setting)
            trained["strength"] = setting.strength
        known = found.centre, _norms(table)[1], found.weights, np.array([found.offset])
        self._found = dict(zip(_WEIGHTED_ARRAYS, known, strict=True))

    def _fit_machine(self, table: Floats, target: Floats, topics: AnyArray) -> None:
        from summeval.learn.svm import SVMLightRegressor

        centre, scale = _norms(table)
        rows = _standard(table, centre, scale)
        machine = SVMLightRegressor(self.kind[4:], C=self.C).fit(rows, target, topics)
        vectors, dual = machine.support_vectors_, machine.dual_coef_
        predicted = predict(self.kind[4:], rows, vectors, dual, machine.intercept_)
        self.trained = {"rows": len(table), "C": machine.C_}
        numbers = np.array([machine.intercept_]), np.array([predicted.min()])
        found = centre, scale, vectors, dual, *numbers
        self._found = dict(zip(_MACHINE_ARRAYS, found, strict=True))

    def _weights(self) -> signed_ridge.Weights:
        centre, scale, weights, offset = (self._known()[name] for name in _WEIGHTED_ARRAYS)
        flat = scale == 0
        return signed_ridge.Weights(centre, scale + flat, weights * ~flat, float(offset[0]))


def _norms(table: Floats) -> tuple[Floats, Floats]:
    """Mean and deviation of each feature; 0 for one that is constant."""
    centre, scale = signed_ridge.norms(table)
    return centre, scale * (table.std(axis=0) >= signed_ridge.FLAT)


def _standard(table: Floats, centre: Floats, scale: Floats) -> Floats:
    """The rows in deviations from the mean; 0 for a feature that was constant in training."""
    flat = scale == 0
    return np.asarray(signed_ridge.standard(table, centre, scale + flat) * ~flat)


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


def divided(
    predict: Callable[[Floats], Floats], row: Floats, base: Floats
) -> tuple[float, list[float], float]:
    """Return the intercept, the share of each feature, and what is left, of any model.

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
    count = len(row)
    if count > MOST:
        chosen = np.eye(count + 1, count, dtype=bool)
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


def linear_content(basis: Mapping[str, str], models: Mapping[str, LinearModel]) -> dict[str, Any]:
    """Return what a model file keeps of linear models.

    `basis` says what their features are: a name and a signature each.
    """
    kept = {name: model.kept()[0] for name, model in models.items()}
    return {"basis": dict(basis), "models": kept}


def linear_models(content: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, LinearModel]]:
    """The basis and the models of what `linear_content` made; of a file, it need not be true."""
    basis = content["basis"]
    if not isinstance(basis, dict):
        raise TypeError("what it was trained with is no object")
    return basis, {name: LinearModel(**fields) for name, fields in content["models"].items()}


def _row_groups(groups: Sequence[Sequence[Any]], rows: int) -> Ints:
    """Return the labels of each kind of group as numbers [row, kind]."""
    if not groups:
        raise ValueError("groups is empty; give the labels of one kind of group or more")
    return np.column_stack([_numbered(labels, rows) for labels in groups])


def apart(marks: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield the rows with all their labels in common, and those that share none of these.

    `marks` are the labels as numbers [row, kind].

    >>> [(held.tolist(), others.tolist()) for held, others in apart(np.array([[0], [1], [0]]))]
    [([0, 2], [1]), ([1], [0, 2])]
    """
    members: dict[bytes, list[int]] = {}
    for row, mark in enumerate(marks):
        members.setdefault(mark.tobytes(), []).append(row)
    for held in members.values():
        yield np.array(held), np.flatnonzero((marks != marks[held[0]]).all(axis=1))


def _numbered(labels: Sequence[Any], rows: int) -> Ints:
    if isinstance(labels, str) or not hasattr(labels, "__len__"):
        raise TypeError(f"groups holds {shown(labels)}; give a list with the label of each row")
    if len(labels) != rows:
        raise ValueError(f"{len(labels)} labels for {rows} rows; give one for each row")
    known: dict[Any, int] = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int64)


def _floats(name: str, given: ArrayLike) -> Floats:
    """Return an array of numbers; the error calls it `name`."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers") from None


def _checked(numbers: Sequence[Any], size: int) -> tuple[float, ...]:
    if len(numbers) != size:
        raise ValueError(f"{len(numbers) - 1} coefficients for {size - 1} features; give one each")
    for number in numbers:
        plain = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not plain or not isfinite(number):
            raise ValueError(f"a coefficient is {shown(number)}; give finite numbers")
    return tuple(map(float, numbers))


TRANSFORMS = ("signed_log1p", "log", "none")


def domain(name: str, bounds: Sequence[float]) -> Floats:
    """Restrict bounds to the domain of the transformation: for "log", to numbers above 0.

    >>> domain("none", (-1.0, 2.0)).tolist(), domain("log", (-1.0, 2.0)).tolist()
    ([-1.0, 2.0], [5e-324, 2.0])
    """
    return np.maximum(bounds, -np.inf if name != "log" else np.nextafter(0.0, 1.0))


def transform(name: str, values: Floats) -> Floats:
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
