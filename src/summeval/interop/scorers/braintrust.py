"""A scorer for Braintrust.

from summeval.interop.scorers.braintrust import scorer

Eval("summaries", data=rows, task=summarize, scores=[scorer(["rouge1", "rougeLsum"])])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from summeval._lazy import need
from summeval.interop.scorers import DEFAULT_ROUGE, Found, Scorer, Terms
from summeval.interop.shared.texts import Key


def scorer(
    metrics: Terms = DEFAULT_ROUGE,
    *,
    candidate: Key | None = None,
    reference: Key | None = None,
    source: Key | None = None,
    explain: bool = False,
) -> Callable[..., list[Any]]:
    """Return a function that gives a Score for each term; Braintrust skips a score of None.

    Braintrust takes scores from 0 to 1: a lower one is 0 there, with the number in the metadata.

    Parameters
    ----------
    metrics, explain
        As of `summeval.interop.scorers.Scorer`; explanations are in the metadata.
    candidate, reference, source : str or callable, optional
        The entries of `output`, `expected` and `input` with the texts; needed where there are
        several.

    Raises
    ------
    TypeError, ValueError
        As `Scorer`, or a metric for which lower is better.
    """
    keys: dict[str, Any] = {"candidate": candidate, "reference": reference, "source": source}
    found = Scorer(metrics, **keys, explain=explain, higher="Braintrust")
    score_of = need("braintrust", "scorer").Score

    def of(one: Found) -> Any:
        told = {"value": one.value, "explanation": one.reason}
        if one.value is not None and one.value > 1:
            raise ValueError(f"{one.name} is {one.value:.6g}; Braintrust takes scores up to 1")
        score = None if one.value is None else max(one.value, 0.0)
        return score_of(one.name, score, {key: value for key, value in told.items() if value})

    def summeval(input: Any, output: Any, expected: Any = None, **more: Any) -> list[Any]:
        return [of(one) for one in found(output, expected, input)]

    return summeval
