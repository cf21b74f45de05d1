"""`process_results` for lm-evaluation-harness: any of summeval's metrics on generated text.

In the task's `utils.py`:

    from summeval.interop.lm_eval import ProcessResults

    process_results = ProcessResults(["rouge1", "rougeLsum"], reference="summary")

and in its YAML:

    output_type: generate_until
    process_results: !function utils.process_results
    metric_list:
      - metric: rouge1
        aggregation: mean
        higher_is_better: true
      - metric: rougeLsum
        aggregation: mean
        higher_is_better: true

The harness is not imported; the convention is that of lm-eval 0.4.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from summeval.interop.shared import Terms, choose, need_source
from summeval.interop.shared.texts import Key, text_of


class ProcessResults:
    """Scores of a model's output for a document.

    A term without a score, as where the reference is None, is left out of the result, so that the
    mean of the task is that of the other documents; a warning says so once.

    Parameters
    ----------
    metrics : name, metric object, or iterable of these
        A name may end in a field: `rouge2.recall`. The YAML lists the same names.
    reference : str or callable
        The field of a document with its reference, a str or a list of str; or a function of the
        document that gives it. Not read where no metric compares with references.
    source : str or callable, optional
        The same for the input, for metrics that compare with it.

    Raises
    ------
    TypeError, ValueError
        An unknown metric or field, no metric, or one that needs the source, which is not given.

    Examples
    --------
    >>> process_results = ProcessResults(["rouge1.recall", "rouge2"], reference="summary")
    >>> process_results({"summary": "the cat sat down"}, ["the cat sat"])
    {'rouge1.recall': 0.75, 'rouge2': 0.8}
    >>> process_results.metric_list[1]
    {'metric': 'rouge2', 'aggregation': 'mean', 'higher_is_better': True}
    """

    def __init__(
        self,
        metrics: Terms = "rougeLsum",
        *,
        reference: Key = "reference",
        source: Key | None = None,
    ) -> None:
        self._suite, self._terms = choose(metrics)
        need_source(self._suite, source)
        self._reference = reference
        self._source = source
        self._has_warned = False

    @property
    def metric_list(self) -> list[dict[str, Any]]:
        """The `metric_list` of the task's YAML: each term with its direction."""
        return [
            {"metric": term.name, "aggregation": "mean", "higher_is_better": term.higher_is_better}
            for term in self._terms
        ]

    def __call__(self, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
        """Return the score of the first result for each term.

        Raises
        ------
        KeyError
            The document has no such field.
        """
        reads = self._suite.reads
        sides = {"references": self._reference, "source": self._source}
        references, source = (
            text_of(doc, key, "a document") if what in reads else None
            for what, key in sides.items()
        )
        scores = self._suite.score(results[0], references, source)
        numbers = {term.name: term.of(scores) for term in self._terms}
        found = {name: number for name, number in numbers.items() if not isnan(number)}
        if len(found) < len(numbers) and not self._has_warned:
            self._has_warned = True
            none = ", ".join(name for name in numbers if name not in found)
            what = f"a document has no score for {none}"
            message = f"{what}; the means leave such documents out (told once)"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        return found
