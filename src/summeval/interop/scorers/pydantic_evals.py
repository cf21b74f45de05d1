"""An evaluator for pydantic-evals.

from summeval.interop.scorers.pydantic_evals import SummaryScore

Dataset(name="summaries", cases=cases, evaluators=[SummaryScore(["rouge1", "rougeLsum"])])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.interop.scorers import DEFAULT_ROUGE, Scorer, Terms
from summeval.interop.shared import late_class

if TYPE_CHECKING:
    SummaryScore: Any


def _class() -> Any:
    theirs = need("pydantic_evals.evaluators", "SummaryScore")
    threads = need("anyio.to_thread", "SummaryScore")

    @dataclass
    class SummaryScore(theirs.Evaluator):  # type: ignore[misc, name-defined]
        """A score for each term, from a thread; a case without one has no entry for it.

        Parameters
        ----------
        metrics : name, metric object, or iterable of these
            A name may end in a field: `rouge2.recall`. A data set with names can be saved.
        candidate, reference, source : str, optional
            The entries of the output, the expected output and the inputs with the texts; needed
            where there are several.
        explain : bool
            Whether the reasons are the explanations.

        Raises
        ------
        TypeError, ValueError
            An unknown metric or field, or no metric.
        """

        metrics: Terms = DEFAULT_ROUGE
        candidate: str | None = None
        reference: str | None = None
        source: str | None = None
        explain: bool = False

        def __post_init__(self) -> None:
            keys = {name: getattr(self, name) for name in ("candidate", "reference", "source")}
            self._scorer = Scorer(self.metrics, **keys, explain=self.explain)

        async def evaluate(self, ctx: Any) -> Any:
            """Return the score of each term."""
            texts = ctx.output, ctx.expected_output, ctx.inputs
            found = await threads.run_sync(self._scorer, *texts)
            known = [one for one in found if one.value is not None]
            return {one.name: theirs.EvaluationReason(one.value, one.reason) for one in known}

    return SummaryScore


__getattr__ = late_class(__name__, "SummaryScore", _class)
