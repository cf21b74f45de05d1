"""A ranking SVM and support vector regression with SVM-light's objectives and defaults.

Joachims 2002, "Optimizing Search Engines using Clickthrough Data" (SVM-light -z p); Joachims 1999,
"Making Large-Scale SVM Learning Practical" (-z r). Built on scikit-learn; contains no code of
SVM-light, which may not be redistributed. Needs the extra `learn`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from summeval._arrays import AnyArray, Bools, Floats, Ints
from summeval._options import check_choice, check_positive, whole
from summeval.learn.svm_kernels import KERNELS, default_c, default_regression_c, predict

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.svm import SVR, LinearSVC
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "training needs scikit-learn 1.6 or later; pip install 'summeval[learn]'"
    ) from error


GRID = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class _Machine(BaseEstimator):  # type: ignore[misc]
    """A machine whose C may be chosen on held-out topics."""

    C: float | str | None
    grid: Sequence[float]
    folds: int

    def _choose(
        self,
        default: float,
        topics: AnyArray,
        held_out: Callable[[float, Bools], Any],
        score: Callable[[Floats], float],
        best: Callable[[Iterable[float]], float] = max,
    ) -> None:
        """Set `C_`, and for "cv" `cv_scores_`: of what is predicted with each C by other topics."""
        if not isinstance(self.C, str):
            self.C_ = default if self.C is None else check_positive("C", self.C)
            return
        check_choice("C", self.C, ("cv",))
        parts = list(topic_folds(topics, self.folds))
        self.cv_scores_: dict[float, float] = {}
        for multiple in self.grid:
            c = default * check_positive("grid", multiple)
            held = np.zeros(len(topics))
            for part in parts:
                held[part] = held_out(c, part)
            self.cv_scores_[c] = score(held)
        wanted = best(self.cv_scores_.values())
        self.C_ = min(c for c, found in self.cv_scores_.items() if found == wanted)


@dataclass(eq=False, repr=False)
class RankSVM(_Machine):
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

    _: KW_ONLY
    C: float | str | None = None
    grid: Sequence[float] = GRID
    folds: int = 3
    tol: float = 1e-6
    max_iter: int = 100_000

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

        def held_out(c: float, part: Bools) -> Any:
            rows = X[~part]
            first, second, signs = _pairs(ranks[~part], qid[~part])
            if not len(signs):
                return 0.0
            return X[part] @ self._solve(rows[first] - rows[second], signs, c)

        self._choose(default, qid, held_out, lambda held: pair_accuracy(held, ranks, qid))
        self.coef_ = self._solve(differences, signs, self.C_)
        return self

    def predict(self, X: Any) -> Floats:
        """Return the scores of rows; higher scores rank better."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_)

    def score(self, X: Any, ranks: Any, qid: Any = None) -> float:
        """Return the share of pairs ordered as their ranks; pairs with equal scores count half."""
        given = np.asarray(ranks, dtype=np.float64)
        queries = np.zeros(len(given)) if qid is None else _as_queries(qid, len(given))
        return pair_accuracy(self.predict(X), given, queries)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _solve(self, differences: Any, signs: Floats, c: float) -> Floats:
        if len(signs) == 1:  # liblinear needs two classes
            row: Floats = (signs @ differences).ravel()
            square = float(row @ row)
            return row * min(c, 1.0 / square) if square else row
        if abs(signs.sum()) == len(signs):  # a reversed pair is the same pair
            turned = np.where(np.arange(len(signs)) % 2, -1.0, 1.0)
            signs = signs * turned
            differences = _scaled(differences, turned)
        options = {"loss": "hinge", "dual": True, "fit_intercept": False, "random_state": 0}
        solver = LinearSVC(C=c, tol=self.tol, max_iter=self.max_iter, **options)
        return np.asarray(solver.fit(differences, signs).coef_.ravel(), dtype=np.float64)


@dataclass(eq=False, repr=False)
class SVMLightRegressor(RegressorMixin, _Machine):  # type: ignore[misc]
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

    kernel: str = "rbf"
    _: KW_ONLY
    C: float | str | None = None
    epsilon: float = 0.1
    grid: Sequence[float] = GRID
    folds: int = 3
    tol: float = 1e-5
    max_iter: int = -1

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

        def held_out(c: float, part: Bools) -> Any:
            return self._solver(c).fit(X[~part], y[~part]).predict(X[part])

        queries = np.zeros(len(y))
        if groups is not None and isinstance(self.C, str):
            queries = _as_queries(groups, len(y))
        self._choose(default, queries, held_out, lambda held: float(np.mean((held - y) ** 2)), min)
        solver = self._solver(self.C_).fit(X, y)
        self.support_vectors_ = solver.support_vectors_
        self.dual_coef_ = solver.dual_coef_.ravel()
        self.intercept_ = float(solver.intercept_[0])
        self.n_iter_ = int(np.max(solver.n_iter_))
        return self

    def predict(self, X: Any) -> Floats:
        """Predict the values of rows."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return predict(self.kernel, X, self.support_vectors_, self.dual_coef_, self.intercept_)

    def _solver(self, c: float) -> Any:
        shape = {"kernel": self.kernel, "degree": 3, "gamma": 1.0, "coef0": 1.0}
        own = {"epsilon": self.epsilon, "tol": self.tol, "max_iter": self.max_iter}
        return SVR(C=c, **shape, **own)


def topic_folds(topics: Any, folds: int) -> Iterator[Bools]:
    """Yield the rows held out by each fold: whole topics, assigned in order of appearance.

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


def _pairs(ranks: Floats, qid: AnyArray) -> tuple[Ints, Ints, Floats]:
    """Rows i < j of one query with different ranks, and the sign of the difference of the ranks."""
    members: dict[Any, list[int]] = {}
    for row, query in enumerate(qid.tolist()):
        members.setdefault(query, []).append(row)
    pairs = [np.array(rows)[np.array(np.triu_indices(len(rows), 1))] for rows in members.values()]
    first, second = np.concatenate([np.empty((2, 0), dtype=np.int64), *pairs], axis=1)
    signs = np.sign(ranks[first] - ranks[second])
    kept = signs != 0
    return first[kept], second[kept], signs[kept]


def pair_accuracy(scores: Any, ranks: Any, qid: Any) -> float:
    """Return the share of pairs that scores order as their ranks do; NaN if there are none.

    >>> pair_accuracy([1, 2, 2, 5], [1, 2, 3, 0], list("aaab"))
    0.8333333333333333
    """
    found, wanted = np.asarray(scores, dtype=np.float64), np.asarray(ranks, dtype=np.float64)
    first, second, signs = _pairs(wanted, np.asarray(qid))
    if not len(signs):
        return float("nan")
    return float(np.mean(np.sign(found[first] - found[second]) * signs) / 2 + 0.5)


def _as_queries(given: Any, rows: int) -> AnyArray:
    queries = np.asarray(given)
    if queries.shape != (rows,):
        raise ValueError(f"topics have the shape {queries.shape} for {rows} rows; give one a row")
    return queries


def _norms(rows: Any) -> Floats:
    squares = rows.multiply(rows) if hasattr(rows, "multiply") else rows * rows
    return np.asarray(np.sqrt(np.asarray(squares.sum(axis=1)).ravel()))


def _scaled(rows: Any, factors: Floats) -> Any:
    if hasattr(rows, "multiply"):
        return rows.multiply(factors[:, None]).tocsr()
    return rows * factors[:, None]
