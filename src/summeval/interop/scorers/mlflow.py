"""Metrics for `mlflow.models.evaluate` and a scorer for `mlflow.genai.evaluate`.

from summeval.interop.scorers.mlflow import metrics, scorer

mlflow.models.evaluate(data=…, extra_metrics=metrics(["rouge1", "rougeLsum"]), …)
mlflow.genai.evaluate(data=…, scorers=[scorer(["rouge1", "rougeLsum"])])
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from summeval._lazy import need
from summeval.interop.scorers import DEFAULT_ROUGE, Scorer, Terms
from summeval.interop.shared import Term
from summeval.interop.shared.texts import Key
from summeval.metrics.run.suite import Suite


def metrics(metrics: Terms = DEFAULT_ROUGE, *, source: str = "inputs", workers: int = 1) -> Any:
    """Return an EvaluationMetric of each term: the scores of the rows, and their mean.

    Metrics with statistics that add up, such as BLEU, also have the score of the `corpus`.

    Parameters
    ----------
    metrics : name, metric object, or iterable of these
        A name may end in a field: `rouge2.recall`.
    source : str
        The column of the source, for metrics that compare with it.
    workers : int
        Threads.

    Raises
    ------
    TypeError, ValueError
        An unknown metric or field, or no metric.
    """
    chosen = Scorer(metrics)
    models, base = need("mlflow.models", "metrics"), need("mlflow.metrics.base", "metrics")
    names = ["predictions"]
    names += ["targets"] * chosen.reads("references") + [source] * chosen.reads("source")

    def of(term: Term) -> Any:
        suite = Suite([term.metric])

        def rows(*columns: Any, **named: Any) -> Any:
            given = dict(zip(names, columns, strict=False), **named)
            texts = {name: _texts(column) for name, column in given.items()}
            candidates, sources = texts["predictions"], texts.get(source)
            references = texts.get("targets")
            table = suite.score_batch(candidates, references, sources=sources, workers=workers)
            values = {"mean": table.mean()[term.column]}
            if term.metric.summed:
                values["corpus"] = term.of(table.corpus())
            return base.MetricValue(table[term.column].tolist(), aggregate_results=values)

        kind = Parameter.POSITIONAL_OR_KEYWORD  # MLflow finds columns by these names
        vars(rows)["__signature__"] = Signature([Parameter(name, kind) for name in names])
        name = term.name.replace(".", "_")  # as an identifier
        best = term.higher_is_better
        return models.make_metric(eval_fn=rows, name=name, greater_is_better=best, version="v1")

    return [of(term) for term in chosen.terms]


def scorer(
    metrics: Terms = DEFAULT_ROUGE,
    *,
    candidate: Key | None = None,
    reference: Key = "expected_response",
    source: Key | None = None,
    explain: bool = False,
) -> Any:
    """Return a scorer that gives a Feedback for each term; a text without a score has none.

    Parameters
    ----------
    metrics, explain
        As of `summeval.interop.scorers.Scorer`; an explanation is the rationale.
    candidate, reference, source : str or callable, optional
        The entries of the outputs, the expectations and the inputs with the texts.

    Raises
    ------
    TypeError, ValueError
        As `Scorer`.
    """
    found = Scorer(
        metrics, candidate=candidate, reference=reference, source=source, explain=explain
    )
    feedback = need("mlflow.entities", "scorer").Feedback

    def summeval(inputs: Any = None, outputs: Any = None, expectations: Any = None) -> Any:
        scores = found(outputs, expectations, inputs)
        known = [one for one in scores if one.value is not None]
        return [feedback(one.name, one.value, rationale=one.reason) for one in known]

    return need("mlflow.genai.scorers", "scorer").scorer(summeval)


def _texts(column: Any) -> list[Any]:
    """Return the texts of a column, None for a missing one."""
    return [None if isinstance(text, float) else text for text in column]
