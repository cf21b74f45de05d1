"""A metric for DSPy whose feedback is what the score is made of, as GEPA reads it.

from summeval.interop.scorers.dspy import feedback

dspy.GEPA(metric=feedback("rougeLsum", reference="summary", source="article"), …)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from summeval._lazy import need
from summeval.interop.scorers import Scorer
from summeval.interop.shared.texts import Key
from summeval.metrics.run.base import Metric


def feedback(
    metric: str | Metric = "rougeLsum",
    *,
    candidate: Key | None = None,
    reference: Key | None = None,
    source: Key | None = None,
) -> Callable[..., Any]:
    """Return a function of an example and a prediction: a Prediction of `score` and `feedback`.

    It serves `dspy.Evaluate`, GEPA and other optimizers.

    Parameters
    ----------
    metric : name or metric object
        A name may end in a field: `rouge2.recall`.
    candidate : str or callable, optional
        The field of the prediction with the candidate; by default that of the reference.
    reference, source : str or callable, optional
        The fields of the example with the reference and the source.

    Raises
    ------
    TypeError, ValueError
        An unknown metric or field, or one for which lower is better.
    """
    own = candidate or (reference if isinstance(reference, str) else None)
    keys: dict[str, Any] = {"candidate": own, "reference": reference, "source": source}
    scorer = Scorer(metric, **keys, explain=True, single=True, higher="DSPy")
    dspy = need("dspy", "feedback")

    def score(gold: Any, pred: Any, trace: Any = None, *more: Any, **named: Any) -> Any:
        example = dict(gold.items())
        (found,) = scorer(dict(pred.items()), example, example)
        why = found.reason or f"{found.name} has no score: a text is missing"
        return dspy.Prediction(score=found.value or 0.0, feedback=why)

    return score
