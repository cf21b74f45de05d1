"""A scikit-learn transformer from pairs of texts to columns of scores.

For example:

    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from summeval.interop.sklearn import PairScores

    model = make_pipeline(PairScores(["rouge1", "rouge2.recall", "rougeL"]), Ridge())
    model.fit(pairs, human_scores)  # pairs: rows of (candidate, references)

And a scorer for models that write summaries: `GridSearchCV(model, grid, scoring=scorer("rouge2"))`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.interop.shared import Term, Terms, choose, late_class
from summeval.metrics.run.base import Metric
from summeval.metrics.run.suite import Suite

if TYPE_CHECKING:
    PairScores: Any


class _PairScores:
    """Scores of (candidate, references), a column for each term.

    Parameters
    ----------
    metrics : name, metric object, or iterable of these
        A name may end in a field: `rouge2.recall`.
    missing : float
        The score of a pair without a candidate or a reference.
    workers : int
        Threads; -1 is one for each processor.

    Notes
    -----
    `transform` takes rows of two: a list of pairs, an array or a data frame [row, 2] with the
    candidate and its reference (a str or a list of str); it gives float64 [row, term].
    """

    def __init__(
        self,
        metrics: Terms = ("rouge1", "rouge2", "rougeL"),
        *,
        missing: float = 0.0,
        workers: int = 1,
    ) -> None:
        self.metrics = metrics
        self.missing = missing
        self.workers = workers

    def fit(self, X: Any, y: Any = None) -> Any:
        """Check the metrics; nothing is fitted."""
        choose(self.metrics)
        return self

    def transform(self, X: Any) -> Any:
        """Scores float64 [row, term] of pairs [row, 2]."""
        import numpy as np

        suite, terms = choose(self.metrics)
        candidates, references = _pairs(X)
        table = suite.score_batch(candidates, references, workers=self.workers)
        scores = np.stack([table[term.column] for term in terms], axis=1)
        return np.where(np.isnan(scores), self.missing, scores)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns."""
        import numpy as np

        return np.array([term.name for term in choose(self.metrics)[1]], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.requires_fit = False
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


def scorer(metric: str | Metric = "rougeLsum", *, workers: int = 1) -> Any:
    """Return a scikit-learn scorer for models that predict texts.

    The targets are the references, or the sources for metrics that compare with the source. As
    scikit-learn requires, greater is better: scores are negated if lower is better.

    Parameters
    ----------
    metric : name or metric object
        A name may end in a field: `rouge2.recall`.
    workers : int
        Threads; -1 is one for each processor.

    Raises
    ------
    TypeError, ValueError
        For an unknown metric or field.
    """
    suite, (term,) = choose(metric)
    if term.metric.compared_with == "both":
        raise ValueError(
            f"{term.metric.name} compares with references and the source, and a scorer has one of"
            " them; choose another metric"
        )
    make = need("sklearn.metrics", "scorer", "learn").make_scorer
    return make(_Mean(suite, term, workers), greater_is_better=term.higher_is_better)


class _Mean:
    """The mean of one term over texts and their targets; it pickles, as searches need."""

    def __init__(self, suite: Suite, term: Term, workers: int) -> None:
        self._suite, self._term, self._workers = suite, term, workers
        self.__name__ = term.name  # which a scorer's repr shows

    def __call__(self, targets: Any, texts: Any) -> float:
        sides: dict[str, Any] = {"references": None, "source": None}
        sides[self._term.metric.compared_with] = list(targets)
        table = self._suite.score_batch(
            list(texts), sides["references"], sources=sides["source"], workers=self._workers
        )
        return table.mean()[self._term.column]


def _class() -> Any:
    base = need("sklearn.base", "PairScores", "learn")

    class PairScores(_PairScores, base.TransformerMixin, base.BaseEstimator):  # type: ignore[misc, name-defined]
        __doc__ = _PairScores.__doc__
        transform = _PairScores.transform  # scikit-learn wraps what the class itself has

    return PairScores


def _pairs(rows: Any) -> tuple[list[Any], list[Any]]:
    """Return the candidates and the references of rows of two."""
    rows = rows.to_numpy() if hasattr(rows, "to_numpy") else rows
    candidates, references = [], []
    for number, row in enumerate(rows):
        if isinstance(row, str) or len(row) != 2:
            raise ValueError(
                f"row {number} is not a pair; pass (candidate, references) in each row"
            )
        candidates.append(row[0])
        references.append(row[1])
    return candidates, references


__getattr__ = late_class(__name__, "PairScores", _class)
