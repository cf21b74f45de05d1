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

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from summeval.interop.shared.terms import Terms, choose


class ProcessResults:
    """Scores of a model's output for a document.

    Parameters
    ----------
    metrics : name, metric object, or iterable of these
        A name may end in a field: `rouge2.recall`. The YAML lists the same names.
    reference : str or callable
        The field of a document with its reference, a str or a list of str; or a function of the
        document that gives it.

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
        reference: str | Callable[[Mapping[str, Any]], str | Sequence[str]] = "reference",
    ) -> None:
        self._suite, self._terms = choose(metrics)
        self._reference = reference

    @property
    def metric_list(self) -> list[dict[str, Any]]:
        """The `metric_list` of the task's YAML: each term with its direction."""
        return [
            {
                "metric": term.name,
                "aggregation": "mean",
                "higher_is_better": term.higher_is_better,
            }
            for term in self._terms
        ]

    def __call__(self, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
        """The score of the first result for each term.

        Raises
        ------
        KeyError
            The document has no such field.
        """
        if callable(self._reference):
            reference = self._reference(doc)
        elif self._reference in doc:
            reference = doc[self._reference]
        else:
            raise KeyError(f"a document has no {self._reference!r}; it has: {', '.join(doc)}")
        scores = self._suite.score(results[0], reference)
        return {term.name: term.of(scores) for term in self._terms}
