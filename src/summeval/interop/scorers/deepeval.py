"""A metric for DeepEval.

    from summeval.interop.scorers.deepeval import SummaryScore

    evaluate(test_cases=[LLMTestCase(…)], metrics=[SummaryScore("rougeLsum", threshold=0.3)])

The reference is the expected output, the source is the input.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.interop.scorers import Scorer
from summeval.interop.shared import late_class
from summeval.metrics.run.base import Metric

if TYPE_CHECKING:
    SummaryScore: Any


def _class() -> Any:
    metrics, cases = (need(f"deepeval.{name}", "SummaryScore") for name in ("metrics", "test_case"))
    utils = need("deepeval.metrics.utils", "SummaryScore")
    columns = cases.SingleTurnParams

    class SummaryScore(metrics.BaseMetric):  # type: ignore[misc, name-defined]
        """One field of one metric; `score_breakdown` has all its fields.

        Parameters
        ----------
        metric : name or metric object
            A name may end in a field: `rouge2.recall`.
        threshold : float
            The least score that passes.
        include_reason : bool
            Whether the reason is the explanation of the score.
        async_mode : bool
            Whether DeepEval may score test cases side by side, each in a thread.

        Raises
        ------
        TypeError, ValueError
            An unknown metric or field, or one for which lower is better.
        """

        # DeepEval copies a metric: it calls the class with the attributes that are called as
        # parameters of it.
        def __init__(
            self,
            metric: str | Metric = "rougeLsum",
            threshold: float = 0.5,
            include_reason: bool = True,
            async_mode: bool = True,
        ) -> None:
            self.metric, self.threshold = metric, threshold
            self.include_reason, self.async_mode = include_reason, async_mode
            self._scorer = Scorer(metric, explain=include_reason, single=True, higher="DeepEval")
            self._required_params = [columns.INPUT, columns.ACTUAL_OUTPUT]
            self._required_params += [columns.EXPECTED_OUTPUT] * self._scorer.reads("references")

        def measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float | None:
            """Return the score of a test case."""
            utils.check_llm_test_case_params(
                test_case, self._required_params, None, None, self, None, test_case.multimodal
            )
            texts = test_case.actual_output, test_case.expected_output, test_case.input
            (found,) = self._scorer(*texts)
            self.score, self.reason = found.value, found.reason
            self.is_successful()
            return self.score

        async def a_measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float | None:
            """Return the score of a test case, from a thread."""
            return await asyncio.to_thread(self.measure, test_case)

        @property
        def __name__(self) -> str:
            return self._scorer.terms[0].name

    return SummaryScore


__getattr__ = late_class(__name__, "SummaryScore", _class)
