"""A Hugging Face `evaluate` module of any of summeval's metrics.

    from summeval.interop.evaluate import module

    rouge = module(["rouge1", "rouge2.recall"])
    rouge.compute(predictions=predictions, references=references)  # {"rouge1": …, …}

It works offline, because nothing is loaded from the hub. `evaluate.load(FOLDER, metrics=[…])` makes
the same module where a program has only the name of one to load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.interop.shared import DEFAULT_ROUGE, Terms, choose, late_class
from summeval.metrics.run.base import Metric

if TYPE_CHECKING:
    Summeval: Any

FOLDER = str(Path(__file__).with_name("data") / "summeval")
"""The folder of the module, for `evaluate.load`."""


def module(metrics: Terms = DEFAULT_ROUGE, **kwargs: Any) -> Any:
    """Return an evaluate.Metric; `compute` gives the mean of each term, or all values.

    Metrics with statistics that add up, such as BLEU, have the score of the corpus, not the mean.

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
    `compute(predictions=, references=, sources=, rouge_types=None, use_aggregator=True,
    use_stemmer=False, tokenizer=None, workers=1)`: a reference is a str or a list of str, and so is
    a source; only those that the metrics compare with are needed. The options are those of
    evaluate's own ROUGE: `rouge_types` takes the place of `metrics`; `use_stemmer=True` is
    `stemmer="porter"`, which a function as `tokenizer` makes void there, and so here;
    `use_aggregator=False` gives lists with a value for each prediction. `stemmer` and `tokenizer`
    are set for the metrics given by name that have them.
    """
    return __getattr__("Summeval")(metrics, **{"keep_in_memory": True, **kwargs})


def _class() -> Any:
    evaluate, datasets = (need(name, "module") for name in ("evaluate", "datasets"))

    class Summeval(evaluate.Metric):  # type: ignore[misc, name-defined]
        """Scores of summaries against references."""

        def __init__(self, metrics: Terms = DEFAULT_ROUGE, **kwargs: Any) -> None:
            self._metrics = metrics if isinstance(metrics, (str, Metric)) else [*metrics]
            self._suite, _ = choose(self._metrics)  # refuses unknown ones now
            super().__init__(**kwargs)

        def _info(self) -> Any:
            text = datasets.Value("string")
            names = {"references": "references", "source": "sources"}
            read = [names[what] for what in self._suite.reads]
            kinds = product((text, datasets.Sequence(text)), repeat=len(read))
            sides = (dict(zip(read, some, strict=True)) for some in kinds)
            return evaluate.MetricInfo(
                description="Summary evaluation by summeval.",
                citation="",
                inputs_description="predictions: list of str; references, sources: list of (list"
                " of) str",
                features=[datasets.Features({"predictions": text, **some}) for some in sides],
                reference_urls=[],
            )

        def _compute(
            self,
            predictions: Any,
            references: Any = None,
            sources: Any = None,
            *,
            rouge_types: Terms | None = None,
            use_aggregator: bool = True,
            use_stemmer: bool = False,
            tokenizer: str | Callable[[str], Iterable[str]] | None = None,
            workers: int = 1,
        ) -> dict[str, Any]:
            options: dict[str, Any] = {} if tokenizer is None else {"tokenizer": tokenizer}
            if use_stemmer and not callable(tokenizer):
                options["stemmer"] = "porter"
            chosen = self._metrics if rouge_types is None else rouge_types
            suite, terms = choose(chosen, options=options)
            table = suite.score_batch(predictions, references, sources=sources, workers=workers)
            if use_aggregator:
                means, whole = table.mean(), table.corpus()
                return {
                    term.name: term.of(whole) if term.metric.summed else means[term.column]
                    for term in terms
                }
            return {term.name: table[term.column].tolist() for term in terms}

    return Summeval


__getattr__ = late_class(__name__, "Summeval", _class)
