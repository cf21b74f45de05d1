"""A lighteval metric of any of summeval's.

    from summeval.interop.lighteval import sample_metric

    LightevalTaskConfig(..., metrics=[sample_metric("rougeLsum")])

The references are the golds of the document's `get_golds()`.
"""

from __future__ import annotations

from functools import cache
from math import fsum
from typing import Any

from summeval._extras import need
from summeval.interop.shared.terms import Term, choose
from summeval.metrics.run.base import Metric
from summeval.metrics.run.suite import Suite


def sample_metric(metric: str | Metric = "rougeLsum") -> Any:
    """A lighteval SampleLevelMetric: the score of each text, and their mean over the corpus.

    Parameters
    ----------
    metric : name or metric object
        A name may end in a field: `rouge2.recall`.
    """
    suite, (term,) = choose(metric)
    utils = need("lighteval.metrics.utils.metric_utils", "sample_metric")
    requests = need("lighteval.tasks.requests", "sample_metric")
    return utils.SampleLevelMetric(
        metric_name=term.name,
        higher_is_better=term.higher_is_better,
        category=requests.SamplingMethod.GENERATIVE,
        sample_level_fn=_class()(suite, term),
        corpus_level_fn=_mean,
    )


@cache
def _class() -> Any:
    samples = need("lighteval.metrics.metrics_sample", "sample_metric")

    class SummaryScore(samples.SampleLevelComputation):  # type: ignore[misc, name-defined]
        """One field of one metric, of the first text of a response."""

        def __init__(self, suite: Suite, term: Term) -> None:
            self.suite = suite
            self.term = term

        def compute(self, doc: Any, model_response: Any, **kwargs: Any) -> float:
            """Score the model's output against the golds of the document."""
            scores = self.suite.score(model_response.final_text[0], doc.get_golds())
            return self.term.of(scores)

    return SummaryScore


def _mean(scores: list[float]) -> float:
    return fsum(scores) / len(scores)
