"""Scorers for frameworks that evaluate what a model wrote, a module for each.

A scorer finds the candidate in what the framework calls output, references in what it calls
expected or target, and the source in what it calls input. Where one of them is a mapping with
several entries, `candidate=`, `reference=` and `source=` name the entry, or are functions that
find the text. Only what the metrics read is looked for. The frameworks are imported on first use.
"""

from __future__ import annotations

from math import isnan
from typing import Any, NamedTuple

from summeval.interop.shared import DEFAULT_ROUGE, Terms, choose
from summeval.interop.shared.texts import Key, text_of

__all__ = ["DEFAULT_ROUGE", "Found", "Scorer", "Terms"]


class Found(NamedTuple):
    """One number of a text; `value` is None where the text has no score."""

    name: str
    value: float | None
    reason: str | None


class Scorer:
    """The numbers of one text, from what a framework hands over.

    Parameters
    ----------
    metrics : name, metric object, or iterable of these
        A name may end in a field: `rouge2.recall`.
    candidate, reference, source : str or callable, optional
        The entries of the output, the expected output and the input with the texts.
    explain : bool
        Whether each number comes with its explanation, as text.
    single : bool
        Whether `metrics` must mean one term.
    higher : str, optional
        A framework for which a higher score is always better.

    Raises
    ------
    TypeError, ValueError
        An unknown metric or field, no metric, several if `single`, or one for which lower is better
        if `higher`.

    Examples
    --------
    >>> scorer = Scorer("rouge1.recall", reference="summary")
    >>> scorer("the cat sat", {"summary": "the cat sat down", "id": 3})
    [Found(name='rouge1.recall', value=0.75, reason=None)]
    """

    def __init__(
        self,
        metrics: Terms = DEFAULT_ROUGE,
        *,
        candidate: Key | None = None,
        reference: Key | None = None,
        source: Key | None = None,
        explain: bool = False,
        single: bool = False,
        higher: str | None = None,
    ) -> None:
        self.suite, self.terms = choose(metrics)
        if single and len(self.terms) > 1:
            several = ", ".join(term.name for term in self.terms)
            raise ValueError(f"give one metric, and make an object for each: {several}")
        self.explain = explain
        self._keys = {"candidate": candidate, "reference": reference, "source": source}
        for term in self.terms if higher else ():
            if not term.higher_is_better:
                raise ValueError(f"{term.name}: lower is better; {higher} reads higher as better")

    def reads(self, what: str) -> bool:
        """Whether the metrics read "references" or "source"."""
        return what in self.suite.reads

    def __call__(self, output: Any, expected: Any = None, given: Any = None) -> list[Found]:
        """Return the number of each term.

        Parameters
        ----------
        output, expected, given
            The texts, or mappings that hold them: of the candidate, its references, its source.

        Raises
        ------
        KeyError, TypeError, ValueError
            A text is not there or is no text; of one line.
        """
        candidate = self._text(output, "candidate", "the output")
        references = source = None
        if self.reads("references"):
            references = self._text(expected, "reference", "the expected output")
        if self.reads("source"):
            source = self._text(given, "source", "the input")
        scores = self.suite.score(candidate, references, source)
        found = []
        for term in self.terms:
            value = term.of(scores)
            known = not isnan(value)
            reason = None
            if known and self.explain:
                explanation = term.metric.explain(candidate, references, source=source)
                reason = explanation.to_text(colour=False)
            found.append(Found(term.name, value if known else None, reason))
        return found

    def _text(self, holder: Any, what: str, place: str) -> Any:
        return text_of(holder, self._keys[what], place, what)
