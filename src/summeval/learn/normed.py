"""Models over columns of any scale: the columns are normed first, and the norms are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from summeval._options import check_choice
from summeval.learn import signed_ridge
from summeval.learn.linear import check_rows, column_of, floats, marks_of, row_groups
from summeval.learn.shares import Shares, divided
from summeval.learn.svm import predict

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

    from summeval.learn.signed_ridge import Weights

WEIGHTED = ("mean", "ridge", "signed-ridge")
MACHINES = ("svm-linear", "svm-poly", "svm-rbf")
_WEIGHTED_ARRAYS = ("centre", "scale", "weights", "offset")
_MACHINE_ARRAYS = ("centre", "scale", "vectors", "dual", "intercept", "floor")


class NormedModel:
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
    rising : sequence of bool
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
        rising: Sequence[bool],
        C: float | str | None = None,
    ) -> None:
        check_choice("kind", kind, (*WEIGHTED, *MACHINES))
        self.features = tuple(features)
        if len(rising) != len(self.features) or not self.features:
            raise ValueError(f"{len(self.features)} features and {len(rising)} directions")
        self.kind = kind
        self.rising = tuple(bool(up) for up in rising)
        self.C = C
        self.trained: dict[str, Any] = {}
        self._arrays: dict[str, NDArray[float64]] = {}

    def new(self) -> NormedModel:
        """A model of the same kind and features that is not fitted."""
        return NormedModel(self.features, self.kind, self.rising, self.C)

    @property
    def is_fitted(self) -> bool:
        return bool(self._arrays)

    @property
    def floor(self) -> float:
        """No row is told less.

        Of weighted features, where each is at its worst; else the least that was told in training.
        """
        if self.kind in WEIGHTED:
            return self._weights().floor
        return float(self._known()["floor"][0])

    def fit(self, x: ArrayLike, y: ArrayLike, topics: Sequence[Any] | None = None) -> NormedModel:
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
            If there are no rows, the shapes do not fit, or a number is not finite; the message
            names the first row.
        """
        table, target = self._rows(x), column_of(y)
        check_rows(table, target, self.features)
        groups = [0] * len(target) if topics is None else topics
        (marks,) = row_groups([groups], len(target)).T
        if self.kind in MACHINES:
            self._fit_machine(table, target, marks)
        else:
            self._fit_weights(table, target, marks)
        return self

    def predict(self, x: ArrayLike) -> NDArray[float64]:
        """Predict each row [row, feature], whatever the others are; NaN if a feature is NaN."""
        import numpy as np

        arrays, table = self._known(), self._rows(x)
        if self.kind in WEIGHTED:
            return self._weights().values(table)
        found = self._told(_standard(table, arrays["centre"], arrays["scale"]))
        return np.asarray(np.maximum(found, arrays["floor"][0]))

    def shares(self, row: Sequence[float]) -> Shares:
        """What each feature of a row [feature] adds to its prediction, before the floor.

        Of the kinds with a kernel by `summeval.learn.shares.divided`; the intercept is then the
        prediction of the mean of the training rows.

        >>> model = NormedModel(["gain"], "mean", [True]).fit([[0.0], [1.0]], [1.0, 2.0])
        >>> model.shares([1.0])[:2]
        (0.0, [1.0])
        """
        import numpy as np

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
            found = divided(self._told, normed, np.zeros(len(normed)))
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        return Shares(*found, [dict(zip(names, each, strict=True)) for each in numbers])

    def _told(self, rows: NDArray[float64]) -> NDArray[float64]:
        """What a model with a kernel tells of normed rows, without the floor."""
        arrays, kernel = self._known(), self.kind[4:]
        intercept = float(arrays["intercept"][0])
        return predict(kernel, rows, arrays["vectors"], arrays["dual"], intercept)

    def least(self, worst: ArrayLike, best: Sequence[float]) -> NDArray[float64]:
        """The floor for each row; NaN if a feature of it is NaN."""
        import numpy as np

        return np.where(np.isnan(self._rows(worst)).any(axis=1), np.nan, self.floor)

    def cross_predict(
        self, x: ArrayLike, y: ArrayLike, groups: Sequence[Sequence[Any]]
    ) -> NDArray[float64]:
        """Predict each row with a model of rows that share none of its groups.

        As `LinearModel.cross_predict`. The first kind of group are the topics.
        """
        import numpy as np

        table, target = self._rows(x), column_of(y)
        check_rows(table, target, self.features)
        found = np.empty(len(target))
        for held, others in marks_of(groups, len(target)):
            model = self.new()
            topics = [topic for topic, kept in zip(groups[0], others, strict=True) if kept]
            model.fit(table[others], target[others], topics)
            found[held] = model.predict(table[held])
        return found

    def kept(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """What a model file keeps: the content and the arrays."""
        content = {
            "kind": self.kind,
            "features": list(self.features),
            "rising": list(self.rising),
            "trained": self.trained,
        }
        return content, dict(self._known())

    @classmethod
    def restored(cls, content: Mapping[str, Any], arrays: Mapping[str, Any]) -> NormedModel:
        """The model of what `kept` made; of a file, it need not be true."""
        import numpy as np

        features, rising = content["features"], content["rising"]
        if not all(isinstance(name, str) for name in features) or not isinstance(rising, list):
            raise TypeError("its features are not named")
        made = cls(features, content["kind"], rising)
        if not isinstance(content["trained"], dict):
            raise TypeError("what training found is no object")
        names = _WEIGHTED_ARRAYS if made.kind in WEIGHTED else _MACHINE_ARRAYS
        made._arrays = {name: np.asarray(arrays[name], dtype=np.float64) for name in names}
        made.trained = content["trained"]
        size = len(made.features)
        shapes: dict[str, tuple[int, ...]] = {
            "centre": (size,),
            "scale": (size,),
            "weights": (size,),
        }
        if made.kind in MACHINES:
            count = len(made._arrays["dual"])
            shapes |= {"vectors": (count, size), "dual": (count,)}
        for name, array in made._arrays.items():
            if array.shape != shapes.get(name, (1,)) or not np.isfinite(array).all():
                raise ValueError(f"its {name} do not match or are not finite")
        if not (made._arrays["scale"] >= 0).all():
            raise ValueError("its scale is below 0")
        return made

    def _fit_weights(
        self, table: NDArray[float64], target: NDArray[float64], topics: NDArray[Any]
    ) -> None:
        import numpy as np

        signs = np.array([1 if up else -1 for up in self.rising], dtype=np.int64)
        if self.kind == "mean":
            found = signed_ridge.equal_weights(table, signs)
            self.trained = {"rows": len(table)}
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
            self.trained = {"rows": len(table), "strength": setting.strength}
        self._arrays = {
            "centre": found.centre,
            "scale": _norms(table)[1],
            "weights": found.weights,
            "offset": np.array([found.offset]),
        }

    def _fit_machine(
        self, table: NDArray[float64], target: NDArray[float64], topics: NDArray[Any]
    ) -> None:
        import numpy as np

        from summeval.learn.svm import SVMLightRegressor

        centre, scale = _norms(table)
        rows = _standard(table, centre, scale)
        machine = SVMLightRegressor(self.kind[4:], C=self.C).fit(rows, target, topics)
        vectors, dual = machine.support_vectors_, machine.dual_coef_
        told = predict(self.kind[4:], rows, vectors, dual, machine.intercept_)
        self.trained = {"rows": len(table), "C": machine.C_}
        self._arrays = {
            "centre": centre,
            "scale": scale,
            "vectors": vectors,
            "dual": dual,
            "intercept": np.array([machine.intercept_]),
            "floor": np.array([told.min()]),
        }

    def _known(self) -> dict[str, NDArray[float64]]:
        if not self._arrays:
            raise ValueError("the model has no coefficients; fit or load it first")
        return self._arrays

    def _weights(self) -> Weights:
        centre, scale, weights, offset = (self._known()[name] for name in _WEIGHTED_ARRAYS)
        flat = scale == 0
        return signed_ridge.Weights(centre, scale + flat, weights * ~flat, float(offset[0]))

    def _rows(self, x: ArrayLike) -> NDArray[float64]:
        table = floats("x", x)
        if table.ndim != 2 or table.shape[1] != len(self.features):
            raise ValueError(
                f"x has the shape {table.shape}; give [row, feature] for the "
                f"{len(self.features)} features {', '.join(self.features)}"
            )
        return table


def _norms(table: NDArray[float64]) -> tuple[NDArray[float64], NDArray[float64]]:
    """Mean and deviation of each feature; 0 for one that is constant."""
    centre, scale = signed_ridge.norms(table)
    return centre, scale * (table.std(axis=0) >= signed_ridge.FLAT)


def _standard(
    table: NDArray[float64], centre: NDArray[float64], scale: NDArray[float64]
) -> NDArray[float64]:
    """The rows in deviations from the mean; 0 for a feature that was constant in training."""
    flat = scale == 0
    rows: NDArray[float64] = signed_ridge.standard(table, centre, scale + flat) * ~flat
    return rows
