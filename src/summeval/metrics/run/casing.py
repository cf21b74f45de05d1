"""The option `case`: whether the texts of a row are lower-cased.

Some systems write only lower case. Then a parser finds other tags and no names in their summaries,
and characters differ from the references, although readers see no difference.

Lower-casing is `str.lower` (Unicode, independent of the locale).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval.metrics.run.text_options import one_or_more

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.rows.record import Score
    from summeval.metrics.run.protocols import PreparedRunner, Runner

CASES = ("keep", "lower", "auto")

Text = str | None


def lowers(case: str, texts: Sequence[Text]) -> bool:
    """Whether the texts of a row, candidate and references, are lower-cased.

    "keep": no; "lower": yes; "auto": where some text has letters but no capital. If no other text
    has one either, lower-casing changes nothing, so that only rows of mixed case change.

    >>> lowers("auto", ["the cat sat", "The cat sat"]), lowers("auto", ["A cat", "The cat", "1984"])
    (True, False)
    """
    if case == "auto":
        return any(text is not None and text.islower() for text in texts)
    return case == "lower"


def one_case(case: str, texts: Sequence[Text]) -> Sequence[Text]:
    """The texts of a row, as passed to the metric.

    >>> one_case("auto", ["the cat sat", "The cat sat"])
    ['the cat sat', 'the cat sat']
    """
    return lowered(texts) if lowers(case, texts) else texts


def lowered(texts: Sequence[Text]) -> list[Text]:
    """Texts in lower case, None where there is none."""
    return [None if text is None else text.lower() for text in texts]


def cased(runner: Runner, case: str) -> Runner:
    """The runner, given the texts of each row as `one_case` leaves them."""
    return runner if case == "keep" else CasedRunner(runner, case)


def texts_of(references: Any) -> list[Text]:
    """The references of a single call, checked."""
    texts = list(one_or_more(references, "references"))
    for number, text in enumerate(texts):
        columns.check_text(text, f"references[{number}]")
    return texts


class CasedRunner:
    """Hands the texts of each row to another runner, lower-cased where `case` says so."""

    def __init__(self, runner: Runner, case: str) -> None:
        self._runner = runner
        self._case = case

    def run_pair(self, candidate: Text, references: Any) -> dict[str, Score]:
        columns.check_text(candidate, "candidate")
        own, *others = one_case(self._case, [candidate, *texts_of(references)])
        return self._runner.run_pair(own, others)

    def run_rows(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> NDArray[float64]:
        pairs = zip(candidates.to_list(), references.to_list(), strict=True)
        rows = [(own, *others) for own, others in pairs]
        if any(lowers(self._case, row) for row in rows):
            made = [one_case(self._case, row) for row in rows]
            first = candidates.first
            candidates = columns.texts([row[0] for row in made], "candidates", first=first)
            others = [row[1:] for row in made]
            references = columns.references(others, "references", first=first)
        return self._runner.run_rows(candidates, references, workers)

    def prepare(self, references: Any) -> PreparedCased:
        return PreparedCased(self._runner, self._case, texts_of(references))


class PreparedCased:
    """References in both forms; one that a candidate may not need is read when one needs it."""

    def __init__(self, runner: Runner, case: str, references: Sequence[Text]) -> None:
        self._runner = runner
        self._case = case
        self._references = references
        self._forms: dict[bool, PreparedRunner] = {}
        self._always = lowers(case, references)
        if self._always:
            self._form(True)

    def run_pair(self, candidate: Text) -> dict[str, Score]:
        columns.check_text(candidate, "candidate")
        if not self._lowers(candidate):
            return self._form(False).run_pair(candidate)
        (own,) = lowered([candidate])
        return self._form(True).run_pair(own)

    def run_rows(self, candidates: columns.TextColumn, workers: int) -> NDArray[float64]:
        import numpy as np

        texts = candidates.to_list()
        low = np.array([self._lowers(text) for text in texts], dtype=bool)
        if not low.any():
            return self._form(False).run_rows(candidates, workers)
        rows = np.flatnonzero(low)
        made = columns.texts(lowered([texts[row] for row in rows]), "candidates")
        found = self._form(True).run_rows(made, workers)
        if low.all():
            return found
        others = np.flatnonzero(~low)
        out = np.empty((*found.shape[:2], len(texts)))
        out[:, :, rows] = found
        out[:, :, others] = self._form(False).run_rows(candidates.take(others), workers)
        return out

    def _lowers(self, candidate: Text) -> bool:
        return self._always or lowers(self._case, [candidate])

    def _form(self, lower: bool) -> PreparedRunner:
        # Two threads may both read the references; they get the same from it.
        found = self._forms.get(lower)
        if found is None:
            texts = lowered(self._references) if lower else self._references
            found = self._forms[lower] = self._runner.prepare(texts)
        return found
