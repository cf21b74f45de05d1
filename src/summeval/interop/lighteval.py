"""A lighteval metric of any of summeval's.

    from summeval.interop.lighteval import sample_metric

    LightevalTaskConfig(..., metrics=[sample_metric("rougeLsum")])

The references are the golds of the document's `get_golds()`. The metric can be pickled.
"""

from __future__ import annotations

from math import fsum, isnan, nan
from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.interop.shared import Term, choose, late_class, need_source
from summeval.interop.shared.texts import Key, text_of
from summeval.metrics.run.base import Metric
from summeval.metrics.run.suite import Suite

if TYPE_CHECKING:
    SummaryScore: Any


def sample_metric(metric: str | Metric = "rougeLsum", *, source: Key | None = None) -> Any:
    """Return a lighteval SampleLevelMetric: the score of each text, and their mean over the corpus.

    A text that has no score, as one whose gold is None, has NaN and is left out of the mean.

    Parameters
    ----------
    metric : name or metric object
        A name may end in a field: `rouge2.recall`.
    source : str or callable, optional
        The input, for a metric that compares with it: its key in the document's `specific`,
        "query" for the query, or a function of the document.

    Raises
    ------
    TypeError, ValueError
        An unknown metric or field, or one that needs the source, which is not given.
    """
    suite, (term,) = choose(metric)
    need_source(suite, source)
    utils = need("lighteval.metrics.utils.metric_utils", "sample_metric")
    requests = need("lighteval.tasks.requests", "sample_metric")
    return utils.SampleLevelMetric(
        metric_name=term.name,
        higher_is_better=term.higher_is_better,
        category=requests.SamplingMethod.GENERATIVE,
        sample_level_fn=__getattr__("SummaryScore")(suite, term, source),
        corpus_level_fn=_mean,
    )


def _class() -> Any:
    samples = need("lighteval.metrics.metrics_sample", "sample_metric")

    class SummaryScore(samples.SampleLevelComputation):  # type: ignore[misc, name-defined]
        """One field of one metric, of the first text of a response."""

        def __init__(self, suite: Suite, term: Term, source: Key | None) -> None:
            self.suite = suite
            self.term = term
            self.source = source

        def compute(self, doc: Any, model_response: Any, **kwargs: Any) -> float:
            """Score the model's output against the golds of the document."""
            reads = self.suite.reads
            golds = doc.get_golds() if "references" in reads else None
            source = _source(doc, self.source) if self.source and "source" in reads else None
            return self.term.of(self.suite.score(model_response.final_text[0], golds, source))

    return SummaryScore


def _source(doc: Any, source: Key) -> Any:
    if callable(source):
        return source(doc)
    return (
        doc.query if source == "query" else text_of(doc.specific, source, "a document's specific")
    )


def _mean(scores: list[float]) -> float:
    present = [score for score in scores if not isnan(score)]
    return fsum(present) / len(present) if present else nan


__getattr__ = late_class(__name__, "SummaryScore", _class)
