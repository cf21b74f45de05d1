"""A scorer for Inspect AI, with a value for each metric.

    from summeval.interop.scorers.inspect_ai import summary_score

    Task(dataset=…, solver=generate(), scorer=summary_score(["rouge1", "rougeLsum"]))

References are the sample's target, one text or several; the source is its input. The values are
those of one score, each with its mean and standard error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.interop.scorers import DEFAULT_ROUGE, Scorer, Terms
from summeval.interop.shared import late_class

if TYPE_CHECKING:
    summary_score: Any


def _scorer() -> Any:
    theirs, threads = (need(name, "summary_score") for name in ("inspect_ai.scorer", "anyio"))

    @theirs.scorer(metrics={"*": [theirs.mean(), theirs.stderr()]})  # type: ignore[untyped-decorator]
    def summary_score(
        metrics: Terms = DEFAULT_ROUGE, *, source: str | None = None, explain: bool = False
    ) -> Any:
        """Score the completion in a thread; a sample without any score counts as unscored.

        Parameters
        ----------
        metrics : name, metric object, or iterable of these
            A name may end in a field: `rouge2.recall`.
        source : str, optional
            The entry of the sample's metadata with the source; by default it is the input.
        explain : bool
            Whether the log holds the explanations.
        """
        scorer = Scorer(metrics, source=source, explain=explain)

        async def score(state: Any, target: Any) -> Any:
            given = state.input_text if source is None else state.metadata
            texts = state.output.completion, list(target), given
            found = await threads.to_thread.run_sync(scorer, *texts)
            why = "\n".join(one.reason for one in found if one.reason) or None
            if all(one.value is None for one in found):
                return theirs.Score.unscored(answer=texts[0])
            values = {one.name: float("nan") if one.value is None else one.value for one in found}
            return theirs.Score(value=values, answer=texts[0], explanation=why)

        return score

    return summary_score


__getattr__ = late_class(__name__, "summary_score", _scorer)
