"""A Hugging Face `evaluate` module of any of summeval's metrics.

    from summeval.interop.evaluate import module

    rouge = module(["rouge1", "rouge2.recall"])
    rouge.compute(predictions=predictions, references=references)  # {"rouge1": …, …}

It works offline, because nothing is loaded from the hub.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from summeval._extras import need
from summeval.interop.shared.terms import DEFAULT_ROUGE, Terms, choose


def module(metrics: Terms = DEFAULT_ROUGE, **kwargs: Any) -> Any:
    """Return an evaluate.Metric; `compute` gives the mean of each term, or all values.

    Terms are named as by evaluate's own ROUGE, from 0 to 1: `rouge1` is a float, its F.

    Parameters
    ----------
    metrics : name, metric object, or iterable of these
        A name may end in a field: `rouge2.recall`.
    **kwargs
        Of evaluate.Metric; `keep_in_memory=True` by default, which writes no files and uses no
        locks. Use False if several processes gather their predictions.

    Notes
    -----
    `compute(predictions=, references=, sources=, use_aggregator=True, workers=1)`: a reference is a
    str or a list of str, and so is a source; only those that the metrics compare with are needed.
    `use_aggregator=False` gives lists with a value for each prediction.
    """
    return _class()(metrics, **{"keep_in_memory": True, **kwargs})


@cache
def _class() -> Any:
    evaluate, datasets = (need(name, "module", "interop") for name in ("evaluate", "datasets"))

    class Summeval(evaluate.Metric):  # type: ignore[misc, name-defined]
        """Scores of summaries against references."""

        def __init__(self, metrics: Terms, **kwargs: Any) -> None:
            self._suite, self._terms = choose(metrics)
            super().__init__(**kwargs)

        def _info(self) -> Any:
            text = datasets.Value("string")
            sides = {"references": "references", "source": "sources"}
            read = [sides[what] for what in self._suite.reads]
            kinds = product((text, datasets.Sequence(text)), repeat=len(read))
            return evaluate.MetricInfo(
                description="Summary evaluation by summeval.",
                citation="",
                inputs_description="predictions: list of str; references, sources: list of (list"
                " of) str",
                features=[
                    datasets.Features({"predictions": text, **dict(zip(read, some, strict=True))})
                    for some in kinds
                ],
                reference_urls=[],
            )

        def _compute(
            self,
            predictions: Any,
            references: Any = None,
            sources: Any = None,
            use_aggregator: bool = True,
            workers: int = 1,
        ) -> dict[str, Any]:
            table = self._suite.score_batch(
                predictions, references, sources=sources, workers=workers
            )
            if use_aggregator:
                means = table.mean()
                return {term.name: means[term.column] for term in self._terms}
            return {term.name: table[term.column].tolist() for term in self._terms}

    return Summeval
