"""A ranking SVM and support vector regression with SVM-light's objectives and defaults.

Joachims 2002, "Optimizing Search Engines using Clickthrough Data" (SVM-light -z p); Joachims 1999,
"Making Large-Scale SVM Learning Practical" (-z r). Built on scikit-learn; contains no code of
SVM-light, which may not be redistributed. Needs the extra `learn`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from summeval._options import check_choice, check_positive, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float64, int64
    from numpy.typing import NDArray


KERNELS = ("linear", "poly", "rbf")
_BLOCK = 1024  # rows at a time
_STEP, _POINTS = 0.02, 1001  # of the grid of `least`
_FAR = 6.0  # where exp(-d^2) is practically 0


def kernel(name: str, left: NDArray[float64], right: NDArray[float64]) -> NDArray[float64]:
    """The kernel of rows [of left, of right] with SVM-light's default parameters.

    linear: a.b; poly: (a.b + 1)^3; rbf: exp(-|a - b|^2).

    >>> import numpy as np
    >>> kernel("poly", np.array([[1.0, 2.0]]), np.array([[0.0, 0.5]])).tolist()
    [[8.0]]
    """
    import numpy as np

    # not a BLAS product, because its last bits depend on the number of rows
    products: NDArray[float64] = np.einsum("ik,jk->ij", left, right)
    if name == "linear":
        return products
    if name == "poly":
        return np.asarray((products + 1.0) ** 3)
    distances = (left**2).sum(axis=1)[:, None] - 2 * products + (right**2).sum(axis=1)
    return np.asarray(np.exp(-np.maximum(distances, 0.0)))


def predict(
    name: str,
    rows: NDArray[float64],
    vectors: NDArray[float64],
    weights: NDArray[float64],
    intercept: float,
) -> NDArray[float64]:
    """Predict each row from these support vectors and weights, independent of other rows.

    >>> import numpy as np
    >>> one = np.array([[1.0, 2.0]])
    >>> predict("linear", one, one, np.array([0.5]), 1.0).tolist()
    [3.5]
    """
    import numpy as np

    found = np.empty(len(rows))
    for begin in range(0, len(rows), _BLOCK):
        some = slice(begin, begin + _BLOCK)
        found[some] = (kernel(name, rows[some], vectors) * weights).sum(axis=1) + intercept
    return found


def least(
    name: str,
    vectors: NDArray[float64],
    weights: NDArray[float64],
    intercept: float,
    *,
    ends: Sequence[Sequence[float]],
) -> float:
    """A lower bound of the predictions of a model of two bounded features.

    `ends` has two rows: the minima and the maxima of both features.

    The bound is the minimum on a grid, minus the largest curvature times half the squared distance
    to the nearest grid point.

    >>> import numpy as np
    >>> one = np.array([[1.0, 2.0]])
    >>> round(least("linear", one, np.array([0.5]), 2.0, ends=[(0.0, -1.0), (1.0, 1.0)]), 6)
    1.0
    """
    import numpy as np

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


def _curvature(
    name: str, vectors: NDArray[float64], weights: NDArray[float64], ends: NDArray[float64]
) -> NDArray[float64]:
    """The largest absolute second derivatives between two corners."""
    import numpy as np

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
    import numpy as np

    mean = float(np.mean(norms))
    return 1.0 / mean**2 if mean else 1.0


def default_regression_c(name: str, rows: NDArray[float64]) -> float:
    """SVM-light's C for rows under a kernel: their norms are the distances from the zero vector."""
    import numpy as np

    lengths = (rows**2).sum(axis=1)
    own = {"linear": lengths, "poly": (lengths + 1.0) ** 3, "rbf": np.ones(len(rows))}[name]
    zero = np.zeros((1, rows.shape[1]))
    squares = own - 2 * kernel(name, rows, zero)[:, 0] + kernel(name, zero, zero)[0, 0]
    return default_c(np.sqrt(np.maximum(squares, 0.0)))


try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.svm import SVR, LinearSVC
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "training needs scikit-learn 1.6 or later; pip install 'summeval[learn]'"
    ) from error


GRID = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class RankSVM(BaseEstimator):  # type: ignore[misc]
    """A linear ranking SVM (SVM-light -z p).

    Two rows of a query with different ranks make a pair, and the row with the greater rank should
    score higher. The objective is |w|^2 / 2 + C times the sum of the hinge losses of the pairs.
    There is no bias and no feature scaling.

    Parameters
    ----------
    C : float, "cv" or None
        None is SVM-light's default: 1 divided by the square of the mean norm of the pairs. "cv"
        chooses the multiple of it in `grid` that orders most pairs of held-out queries correctly;
        the smallest on ties.
    grid : sequence of float
    folds : int
        Folds of queries for "cv".
    tol : float
        The solver's tolerance.
    max_iter : int
        Maximum number of iterations; scikit-learn warns if it is too small.

    Attributes
    ----------
    coef_ : array [features]
    C_ : float
        The C used.
    n_pairs_ : int
    cv_scores_ : dict of float to float
        For "cv": accuracy on pairs of held-out queries, by C.

    Examples
    --------
    >>> machine = RankSVM().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 0.0]], [1, 2, 3], [7, 7, 7])
    >>> machine.n_pairs_, bool(machine.coef_[0] > 0)
    (3, True)
    """

    def __init__(
        self,
        *,
        C: float | str | None = None,
        grid: Sequence[float] = GRID,
        folds: int = 3,
        tol: float = 1e-6,
        max_iter: int = 100_000,
    ) -> None:
        self.C = C
        self.grid = grid
        self.folds = folds
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, ranks: Any, qid: Any = None) -> RankSVM:
        """Fit the model to rows and their ranks.

        Parameters
        ----------
        X : array or sparse matrix [rows, features]
        ranks : array [rows]
            The greater the better.
        qid : array [rows], optional
            The query (topic) of each row: ranks are compared within one. None is one for all.

        Raises
        ------
        ValueError
            No query has rows of different ranks, C is not above 0, or "cv" has fewer than two
            queries.
        """
        X, ranks = validate_data(self, X, ranks, accept_sparse="csr", dtype=np.float64)
        qid = np.zeros(len(ranks)) if qid is None else _as_queries(qid, len(ranks))
        first, second, signs = _pairs(ranks, qid)
        if not len(signs):
            rows = f"n_samples = {len(ranks)}"
            raise ValueError(f"no query has rows of different ranks ({rows}); nothing to learn")
        self.n_pairs_ = len(signs)
        differences = X[first] - X[second]
        default = default_c(_norms(differences))
        if isinstance(self.C, str):
            check_choice("C", self.C, ("cv",))
            self.cv_scores_ = self._search(X, ranks, qid, default)
            best = max(self.cv_scores_.values())
            self.C_ = min(c for c, score in self.cv_scores_.items() if score == best)
        else:
            self.C_ = default if self.C is None else check_positive("C", self.C)
        self.coef_ = self._solve(differences, signs, self.C_)
        return self

    def predict(self, X: Any) -> NDArray[float64]:
        """The scores of rows; higher scores rank better."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_)

    def score(self, X: Any, ranks: Any, qid: Any = None) -> float:
        """The share of pairs ordered as their ranks; pairs with equal scores count half."""
        given = np.asarray(ranks, dtype=np.float64)
        queries = np.zeros(len(given)) if qid is None else _as_queries(qid, len(given))
        return pair_accuracy(self.predict(X), given, queries)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _search(
        self, X: Any, ranks: NDArray[float64], qid: NDArray[Any], default: float
    ) -> dict[float, float]:
        """Accuracy on the pairs of held-out queries, for each C."""
        parts = list(topic_folds(qid, self.folds))
        scores = {}
        for multiple in self.grid:
            c = default * check_positive("grid", multiple)
            held = np.zeros(len(ranks))
            for part in parts:
                first, second, signs = _pairs(ranks[~part], qid[~part])
                if len(signs):
                    rows = X[~part]
                    held[part] = X[part] @ self._solve(rows[first] - rows[second], signs, c)
            scores[c] = pair_accuracy(held, ranks, qid)
        return scores

    def _solve(self, differences: Any, signs: NDArray[float64], c: float) -> NDArray[float64]:
        if len(signs) == 1:  # liblinear needs two classes
            row: NDArray[float64] = np.asarray(_dense(differences)).ravel() * signs[0]
            square = float(row @ row)
            return row * min(c, 1.0 / square) if square else row
        if abs(signs.sum()) == len(signs):  # a reversed pair is the same pair
            turned = np.where(np.arange(len(signs)) % 2, -1.0, 1.0)
            signs = signs * turned
            differences = _scaled(differences, turned)
        solver = LinearSVC(
            loss="hinge",
            dual=True,
            fit_intercept=False,
            C=c,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=0,
        )
        return np.asarray(solver.fit(differences, signs).coef_.ravel(), dtype=np.float64)


class SVMLightRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Support vector regression with SVM-light's defaults (-z r).

    Errors below `epsilon` cost nothing. There is a bias and no feature scaling. Kernels: "linear"
    a.b, "poly" (a.b + 1)^3, "rbf" exp(-|a - b|^2).

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf"}
    C : float, "cv" or None
        None is SVM-light's default: 1 divided by the square of the mean distance of the rows from
        zero under the kernel. "cv" chooses the multiple of it in `grid` with the smallest squared
        error on held-out topics; the smallest on ties.
    epsilon : float
    grid : sequence of float
    folds : int
    tol : float
        Finer than SVM-light's 0.001, which leaves predictions uncertain in the third digit.
    max_iter : int
        -1 is no limit.

    Attributes
    ----------
    C_ : float
        The C used.
    support_vectors_ : array [support vectors, features]
    dual_coef_ : array [support vectors]
    intercept_ : float
    cv_scores_ : dict of float to float
        For "cv": mean squared error on held-out topics, by C.

    Examples
    --------
    >>> machine = SVMLightRegressor("linear").fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> round(machine.C_, 6), machine.predict([[1.5]]).round(2).tolist()
    (1.0, [1.45])
    """

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        C: float | str | None = None,
        epsilon: float = 0.1,
        grid: Sequence[float] = GRID,
        folds: int = 3,
        tol: float = 1e-5,
        max_iter: int = -1,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.grid = grid
        self.folds = folds
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, groups: Any = None) -> SVMLightRegressor:
        """Fit the model to rows and their values.

        Parameters
        ----------
        X : array [rows, features]
        y : array [rows]
        groups : array [rows], optional
            The topic of each row, for C="cv".

        Raises
        ------
        ValueError
            An invalid kernel or C, or "cv" with fewer than two topics.
        """
        check_choice("kernel", self.kernel, KERNELS)
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        default = default_regression_c(self.kernel, X)
        if isinstance(self.C, str):
            check_choice("C", self.C, ("cv",))
            queries = np.zeros(len(y)) if groups is None else _as_queries(groups, len(y))
            self.cv_scores_ = self._search(X, y, queries, default)
            least = min(self.cv_scores_.values())
            self.C_ = min(c for c, score in self.cv_scores_.items() if score == least)
        else:
            self.C_ = default if self.C is None else check_positive("C", self.C)
        solver = self._solver(self.C_).fit(X, y)
        self.support_vectors_ = solver.support_vectors_
        self.dual_coef_ = solver.dual_coef_.ravel()
        self.intercept_ = float(solver.intercept_[0])
        self.n_iter_ = int(np.max(solver.n_iter_))
        return self

    def predict(self, X: Any) -> NDArray[float64]:
        """Predict the values of rows."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return predict(self.kernel, X, self.support_vectors_, self.dual_coef_, self.intercept_)

    def _search(
        self, X: NDArray[float64], y: NDArray[float64], groups: NDArray[Any], default: float
    ) -> dict[float, float]:
        parts = list(topic_folds(groups, self.folds))
        scores = {}
        for multiple in self.grid:
            c = default * check_positive("grid", multiple)
            held = np.empty(len(y))
            for part in parts:
                held[part] = self._solver(c).fit(X[~part], y[~part]).predict(X[part])
            scores[c] = float(np.mean((held - y) ** 2))
        return scores

    def _solver(self, c: float) -> Any:
        return SVR(
            kernel=self.kernel,
            degree=3,
            gamma=1.0,
            coef0=1.0,
            C=c,
            epsilon=self.epsilon,
            tol=self.tol,
            max_iter=self.max_iter,
        )


def topic_folds(topics: Any, folds: int) -> Iterator[NDArray[np.bool_]]:
    """The rows held out by each fold: whole topics, assigned in order of appearance.

    >>> [part.tolist() for part in topic_folds(["a", "a", "b"], 5)]
    [[True, True, False], [False, False, True]]
    """
    number = whole(folds)
    if number is None or number < 2:
        raise ValueError(f"folds is {folds!r}; give a number from 2")
    numbers: dict[Any, int] = {}
    given = [numbers.setdefault(topic, len(numbers)) for topic in np.asarray(topics).tolist()]
    if len(numbers) < 2:
        raise ValueError(f"{len(numbers)} topic; to hold topics out there must be two or more")
    parts = np.array(given) % min(folds, len(numbers))
    for part in range(min(folds, len(numbers))):
        yield parts == part


def _pairs(
    ranks: NDArray[float64], qid: NDArray[Any]
) -> tuple[NDArray[int64], NDArray[int64], NDArray[float64]]:
    """Rows i < j of one query with different ranks, and the sign of the difference of the ranks."""
    members: dict[Any, list[int]] = {}
    for row, query in enumerate(qid.tolist()):
        members.setdefault(query, []).append(row)
    firsts, seconds = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for rows in members.values():
        here = np.array(rows, dtype=np.int64)
        left, right = np.triu_indices(len(here), 1)
        firsts.append(here[left])
        seconds.append(here[right])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    signs = np.sign(ranks[first] - ranks[second])
    kept = signs != 0
    return first[kept], second[kept], signs[kept]


def pair_accuracy(scores: Any, ranks: Any, qid: Any) -> float:
    """The share of pairs that scores order as their ranks do; NaN if there are none.

    >>> pair_accuracy([1, 2, 2, 5], [1, 2, 3, 0], list("aaab"))
    0.8333333333333333
    """
    found, wanted = np.asarray(scores, dtype=np.float64), np.asarray(ranks, dtype=np.float64)
    first, second, signs = _pairs(wanted, np.asarray(qid))
    if not len(signs):
        return float("nan")
    return float(np.mean(np.sign(found[first] - found[second]) * signs) / 2 + 0.5)


def _as_queries(given: Any, rows: int) -> NDArray[Any]:
    queries = np.asarray(given)
    if queries.shape != (rows,):
        raise ValueError(f"topics have the shape {queries.shape} for {rows} rows; give one a row")
    return queries


def _norms(rows: Any) -> NDArray[float64]:
    squares = rows.multiply(rows) if hasattr(rows, "multiply") else rows * rows
    return np.asarray(np.sqrt(np.asarray(squares.sum(axis=1)).ravel()))


def _dense(rows: Any) -> Any:
    return rows.toarray() if hasattr(rows, "toarray") else rows


def _scaled(rows: Any, factors: NDArray[float64]) -> Any:
    if hasattr(rows, "multiply"):
        return rows.multiply(factors[:, None]).tocsr()
    return rows * factors[:, None]
