"""The base class of metrics: a name, a signature, and a shared run with its family."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from summeval._cached import cached_property
from summeval._core.rows.record import Score
from summeval.metrics.option_groups import LABEL
from summeval.metrics.run.declared import Declared, OnError, Runner, Texts, compared
from summeval.metrics.run.notices import warn_missing, warn_not_english
from summeval.metrics.run.runner import Runner as TextsRunner
from summeval.metrics.run.runner import TextRunner
from summeval.metrics.run.signature import Signature, label_of
from summeval.metrics.run.suite import (
    Key,
    Prepared,
    as_references,
    cached_suite,
    frozen,
    shared_key,
)
from summeval.metrics.run.table import ScoreTable
from summeval.metrics.run.text_options import TextOptions

if TYPE_CHECKING:
    from summeval._arrays import Floats
    from summeval.metrics.run.corpus import Means
    from summeval.metrics.run.explain.explanation import Explanation
    from summeval.metrics.run.explain.items import Asked, Items
    from summeval.solvers.result import Problem


class Metric(Declared):
    """A metric with its options set.

    Parameters
    ----------
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Attributes
    ----------
    name : str
        Its key in the results of `score`, and the first part of its column names.
    names : tuple of str
        Of a class: the names of its metrics; the first is that of an object without a label.
    others : str
        Of a class: a pattern of names that are accepted, but not listed.
    summary : str, or tuple of (str, str)
        Of a class: what its metrics measure, in a few words; or by patterns of names.
    fields : tuple of str
        The fields of its Score that are numbers, each a column of a ScoreTable.
    primary : str
        The field that `Score.value` returns.
    compared_with : "references", "source", "both" or "nothing"
        What a candidate is compared with.
    lower_is_better : frozenset of str
        Of a class: the fields that are better the lower they are, such as a divergence.
    unbounded : frozenset of str
        Of a class: the fields that may be better than 1, or than 0 if they fall.
    summed : bool
        Of a class: whether the score of a corpus comes from sums over its rows; else it is the mean
        of their scores.
    least_references : int
        Of a class: how many references a row needs at the least.
    languages : tuple of str
        The languages that it is made for, as ISO 639-1 codes; empty for any.
    higher_is_better : bool
        Of a class: whether a higher primary field is better.
    tokenizer : object
        What makes tokens of texts: a name or a callable, None for metrics that parse or count.
    """

    label: str | None = LABEL

    def score(
        self, candidate: str | None, references: Texts = None, *, source: Texts = None
    ) -> Score:
        """Score one candidate against one reference (a str) or several.

        Parameters
        ----------
        candidate : str or None
        references : str or iterable of str
            References that are None are left out.
        source : str or iterable of str
            The input: one text or several documents, for metrics that compare with it.

        Returns
        -------
        Score
            NaN in every field if the candidate is None or there is nothing to compare it with.

        Raises
        ------
        TypeError
            If a text is neither str nor None.
        ValueError
            If a text contains an unpaired surrogate, or the source is needed and was not given.
        """
        if self.compared_with != "references" or self.languages:
            references, source = as_references(references), as_references(source)
            if self.languages:
                warn_not_english((self,), (candidate, references, source))
            references = compared(self, references, source)
            warn_missing((self,))
        return self.runner().run_pair(candidate, references)[self.name]

    def score_batch(
        self,
        candidates: Any,
        references: Any = None,
        *,
        sources: Any = None,
        workers: int = 1,
        on_error: OnError = "raise",
    ) -> ScoreTable:
        """Score row by row; see `summeval.score_batch`."""
        return cached_suite((self,), list).score_batch(
            candidates, references, sources=sources, workers=workers, on_error=on_error
        )

    def prepare(self, references: Texts = None, *, source: Texts = None) -> Prepared[Score]:
        """Read the references (or the source) once, to score many candidates against them."""
        return Prepared(cached_suite((self,), list), references, source, self.name)

    def statistics(
        self, candidates: Any, references: Any = None, *, sources: Any = None, workers: int = 1
    ) -> Floats:
        """Return what adds up over rows, [row, statistic]; NaN in rows that have no score.

        Sums over the rows of partitions can be added, and `from_statistics` makes a score of them.
        For a metric without statistics of its own they are its fields, and whether a row has each.
        """
        table = self.score_batch(candidates, references, sources=sources, workers=workers)
        return table.statistics(self.name)

    def of_sums(self, sums: Floats) -> Floats:
        """Return the fields of sums of statistics: [sum, statistic] to [sum, field]."""
        return self._means.of_sums(sums)

    @property
    def statistics_size(self) -> int:
        """How many statistics a row has."""
        return 2 * len(self.fields)

    @property
    def _means(self) -> Means:
        from summeval.metrics.run.corpus import Means

        return Means(self.fields, self.primary)

    def from_statistics(self, sums: Any) -> Score:
        """Return the score of a corpus from the sums of its statistics, [statistic].

        Raises
        ------
        ValueError
            For an array of another shape, such as rows that were not added up.

        Examples
        --------
        >>> import numpy, summeval
        >>> rouge = summeval.metric("rouge1")
        >>> rows = rouge.statistics(["a cat", "a dog"], ["a cat", "a cow"])
        >>> rouge.from_statistics(rows.sum(axis=0)).value
        0.75
        """
        import numpy as np

        from summeval.metrics.run.corpus import score_of

        given, size = np.asarray(sums, dtype=np.float64), self.statistics_size
        if given.shape != (size,):
            shape = [1, *given.shape] if given.ndim < 2 else [*given.shape]
            raise ValueError(
                f"sums are {shape}; give {size} in each row, and of all rows their sum: "
                "statistics(...).sum(axis=0)"
            )
        return score_of(self, given)

    def corpus(
        self,
        candidates: Any,
        references: Any = None,
        *,
        sources: Any = None,
        samples: int = 0,
        seed: int | None = None,
        workers: int = 1,
    ) -> Score:
        """Score a corpus by the sums of its rows' statistics; rows without a score do not count.

        For metrics without statistics of their own it is the mean of the rows (`summed` is False).

        Parameters
        ----------
        candidates, references, sources, workers
            As for `score_batch`.
        samples : int
            With bootstrap samples the Score has `mean`, the mean of `value` over them, and
            `half_width`, half of the interval that holds 95 % of them.
        seed : int, optional
            Of the samples; 12345 by default, as in sacrebleu.

        Examples
        --------
        >>> import summeval
        >>> summeval.metric("rouge1").corpus(["a cat", "a dog"], ["a cat", "a cow"]).value
        0.75
        """
        from summeval.metrics.run.corpus import corpus_score

        rows = self.statistics(candidates, references, sources=sources, workers=workers)
        return corpus_score(self, rows, samples, seed)

    def explain(
        self, candidate: str | None, references: Texts = None, *, source: Texts = None
    ) -> Explanation:
        """Return what the value of a score comes from, piece by piece.

        Parameters
        ----------
        candidate, references, source
            As for `score`; texts that are None are left out.

        Returns
        -------
        Explanation
            Items with spans of characters in the texts as they were given. Where the value is a
            sum, the shares of the items add up to it.

        Raises
        ------
        ValueError
            If the candidate is None, or there is nothing to compare it with.
        """
        from summeval.metrics.run.explain.explanation import asked, explained

        return explained(asked(self, candidate, references, source))

    def explain_texts(self, asked: Asked) -> Items:
        """As `explain`, of texts that were checked; what metrics override.

        By default the value is one item.
        """
        from summeval.metrics.run.explain.items import whole

        return (whole(self.primary, asked.value),)

    @cached_property
    def _runner_key(self) -> Key:
        """The key of its suites in the cache; equal metrics that do not change share it."""
        if not self.immutable:
            return Key()
        parts = {k: v for k, v in self.__dict__.items() if not k.startswith("_runner")}
        return shared_key((type(self), frozen(parts)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.signature}>"


Metrics: TypeAlias = Iterable[str | Metric] | str | Metric  # names and objects, or one


class PairMetric(Metric):
    """A metric in Python that reads each text alone, and then compares."""

    immutable = True

    @abstractmethod
    def read(self, text: str, place: str) -> Any:
        """Return what is compared of a text; errors call it `place`."""

    def compare(self, candidate: Any, references: Any) -> Score:
        """Return the score of a candidate beside what was read of one reference or several.

        By default what was read of the candidate are the fields.
        """
        return Score(self.fields, tuple(candidate), self.primary)

    def unscored(self) -> Score | None:
        """Return the score of a row without texts, if it has more than the fields."""
        return None

    def new_runner(self) -> Runner:
        return TextsRunner.of_pairs(self, self.read, self.compare, self.unscored())


class KernelMetric(Metric):
    """A metric that one kernel computes, which reads texts by `_text_options`; else as they are."""

    immutable = True
    case = "keep"

    def __post_init__(self) -> None:
        self._text_options = TextOptions(tokenizer="unicode", named=self.label)

    @abstractmethod
    def _kernel(self) -> Any:
        """Return a new kernel."""

    @cached_property
    def _runner_kernel(self) -> Any:
        """A kernel for what does not go through a runner."""
        return self._kernel()

    def new_runner(self) -> TextRunner:
        kernel, options, side = self._kernel(), self._text_options, self.compared_with
        return TextRunner(
            kernel,
            options,
            len(self.fields),
            side=side,
            case=self.case,
            statistics=kernel.statistics if self.summed else 0,
        )


class Summed(KernelMetric):
    """A metric whose score of a corpus is made of sums over rows, not a mean of their scores."""

    summed = True

    @classmethod
    def of_signature(cls, signature: Signature) -> Self:
        """Return a metric with the formula of a signature; of other options it may have others."""
        return cls.named(signature.name)

    def of_sums(self, sums: Floats) -> Floats:
        import numpy as np

        out = np.empty((len(sums), len(self.fields)))
        self._runner_sums.of_sums(np.ascontiguousarray(sums, dtype=np.float64), out)
        return out

    @property
    def statistics_size(self) -> int:
        size: int = self._runner_sums.statistics
        return size

    @cached_property
    def _runner_sums(self) -> Any:
        """The kernel whose formula corpora have; that of rows by default."""
        return self._kernel()


def check_solver(problem: Problem, solver: str) -> None:
    """Raise unless `solver` is a back end for the problem that can be used here."""
    if solver != "kernel":  # which is always there, and for which nothing is imported
        from summeval.solvers.result import load

        load(problem, solver)


def solver_label(problem: Problem, solver: str, named: str | None) -> str:
    """The name of a back end, with what tells one that was registered from that of others."""
    registry = sys.modules.get("summeval.solvers.result")
    if registry is None:  # nothing was registered
        return solver
    run = registry.back_ends(problem)[solver].run
    if isinstance(run, str):
        return solver if run.startswith("summeval.") else f"{solver}-{run}"
    home = getattr(run, "__module__", None) or ""
    if home.startswith("summeval."):
        return solver
    return f"{solver}-{label_of(run, named)}"
