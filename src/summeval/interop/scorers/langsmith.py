"""An evaluator for LangSmith.

    from summeval.interop.scorers.langsmith import evaluator

    client.evaluate(target, data="my-set", evaluators=[evaluator(["rouge1", "rougeLsum"])])

LangSmith is not imported; the convention is that of langsmith 0.15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from summeval.interop.scorers import DEFAULT_ROUGE, Scorer, Terms
from summeval.interop.shared.texts import Key

Evaluator = Callable[..., list[dict[str, Any]]]


def evaluator(
    metrics: Terms = DEFAULT_ROUGE,
    *,
    candidate: Key | None = None,
    reference: Key | None = None,
    source: Key | None = None,
    explain: bool = False,
) -> Evaluator:
    """Return a function that gives a result for each term; its comment is the explanation.

    Parameters
    ----------
    metrics, explain
        As of `summeval.interop.scorers.Scorer`.
    candidate, reference, source : str or callable, optional
        The entries of the outputs, the reference outputs and the inputs with the texts; needed
        where there are several.

    Raises
    ------
    TypeError, ValueError
        As `Scorer`.

    Examples
    --------
    >>> score = evaluator("rouge1", reference="summary")
    >>> score({"text": "the cat sat"}, {"summary": "the cat", "id": 3}, {"article": "…"})
    [{'key': 'rouge1', 'score': 0.8, 'comment': None}]
    """
    keys: dict[str, Any] = {"candidate": candidate, "reference": reference, "source": source}
    scorer = Scorer(metrics, **keys, explain=explain)

    def summeval(outputs: Any, reference_outputs: Any, inputs: Any) -> list[dict[str, Any]]:
        found = scorer(outputs, reference_outputs, inputs)
        return [{"key": one.name, "score": one.value, "comment": one.reason} for one in found]

    return summeval
