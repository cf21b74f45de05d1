"""A metric for Ragas before 0.4, with `ragas.evaluate`.

    from summeval.interop.scorers.ragas import SummaryScore

    evaluate(EvaluationDataset.from_list(rows), metrics=[SummaryScore("rougeLsum")])

The candidate is the response, the source is the input of the user.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from math import nan
from typing import TYPE_CHECKING, Any

from summeval.interop.scorers import Scorer
from summeval.interop.shared import late_class
from summeval.metrics.run.base import Metric

if TYPE_CHECKING:
    SummaryScore: Any


def _class() -> Any:
    try:
        base = import_module("ragas.metrics.base")
    except ImportError:  # also where it is there, with a langchain-community that it cannot use
        needed = "'ragas<0.4' 'langchain-community<0.4'"
        raise ImportError(f"SummaryScore needs ragas: pip install {needed}") from None

    class SummaryScore(base.SingleTurnMetric):  # type: ignore[misc, name-defined]
        """One field of one metric; NaN, which Ragas leaves out of means, where there is no score.

        Parameters
        ----------
        metric : name or metric object
            A name may end in a field: `rouge2.recall`.
        source : str
            The column of the source: "user_input", "retrieved_contexts", "reference_contexts".

        Raises
        ------
        TypeError, ValueError
            An unknown metric or field.
        """

        def __init__(
            self, metric: str | Metric = "rougeLsum", *, source: str = "user_input"
        ) -> None:
            self._scorer = Scorer(metric, single=True)
            self._source = source
            read = {"references": "reference", "source": source}
            columns = {name for what, name in read.items() if self._scorer.reads(what)}
            required = {base.MetricType.SINGLE_TURN: {"response", *columns}}
            super().__init__(_required_columns=required, name=self._scorer.terms[0].name)

        def init(self, run_config: Any) -> None:
            """Nothing is to be set up."""

        async def _single_turn_ascore(self, sample: Any, callbacks: Any = None) -> float:
            texts = sample.response, sample.reference, getattr(sample, self._source)
            (found,) = await asyncio.to_thread(self._scorer, *texts)
            return nan if found.value is None else found.value

    return SummaryScore


__getattr__ = late_class(__name__, "SummaryScore", _class)
