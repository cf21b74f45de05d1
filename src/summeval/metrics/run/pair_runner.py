"""Runners of metrics that Python scores pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval.metrics.run.notices import ASCII_ONLY, warn_cut_texts
from summeval.metrics.run.protocols import block_of
from summeval.metrics.run.refusals import Refused
from summeval.metrics.run.text_options import one_or_more

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.run.protocols import Member

ReadText = TypeVar("ReadText")


class PairRunner(Generic[ReadText]):
    """Runs `compare` on texts that `read` has made ready.

    Parameters
    ----------
    metric : Metric
        Whose name and fields the scores have.
    read : callable
        Of a text and its place in the arguments, for messages.
    compare : callable
        Of a candidate and at least one reference that were read.
    unscored : Score
        For a candidate that is None, or nothing to compare it with.
    """

    notes_rows = True

    def __init__(
        self,
        metric: Member,
        read: Callable[[str, str], ReadText],
        compare: Callable[[ReadText, Sequence[ReadText]], Score],
        unscored: Score,
    ) -> None:
        self._name = metric.name
        self._fields = metric.fields
        self._what = metric.compared_with  # in messages
        self._read = read
        self._compare = compare
        self._unscored = unscored
        self._strict = metric.tokenizer == ASCII_ONLY

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        return self.prepare(references).run_pair(candidate)

    def run_rows(
        self,
        candidates: columns.TextColumn,
        references: columns.TextColumn,
        workers: int,
        refused: Refused | None = None,
    ) -> NDArray[float64]:
        # Rows are scored in Python, so more threads would not be faster.
        rows = zip(candidates.to_list(), references.to_list(), strict=True)
        return self.block(
            lambda row, texts: self._row(row, *texts), rows, candidates.first, refused
        )

    def prepare(self, references: Any) -> PreparedPairs[ReadText]:
        given = list(one_or_more(references, self._what))
        ready = [self._ready(text, f"{self._what}[{i}]") for i, text in enumerate(given)]
        self.look(given)
        return PreparedPairs(self, [text for text in ready if text is not None])

    def look(self, texts: Sequence[object]) -> None:
        """Warn of texts of which the tokenizer cuts or drops words."""
        if self._strict:
            warn_cut_texts([text for text in texts if isinstance(text, str)])

    def _row(self, row: int, candidate: str | None, references: list[str | None]) -> Score:
        what = f"{'sources' if self._what == 'source' else self._what}[{row}]"
        ready = [self._ready(text, f"{what}[{i}]") for i, text in enumerate(references or ())]
        given = [text for text in ready if text is not None]
        return self.compare(self._ready(candidate, f"candidates[{row}]"), given)

    def block(
        self,
        score: Callable[[int, Any], Score],
        rows: Iterable[Any],
        first: int,
        refused: Refused | None,
    ) -> NDArray[float64]:
        """The scores [metric, field, row] of rows that are numbered from `first` on."""
        scores = []
        for number, row in enumerate(rows, first):
            try:
                scores.append(score(number, row))
            except Exception as error:
                if refused is None:
                    raise
                refused.add(number, error)
                scores.append(self._unscored)
        return block_of(scores, self._fields)

    def _ready(self, text: str | None, place: str) -> ReadText | None:
        if text is None:
            return None
        columns.check_text(text, place)
        return self._read(text, place)

    def compare(self, candidate: ReadText | None, references: Sequence[ReadText]) -> Score:
        """The score of texts that were read, or of none."""
        if candidate is None or not references:
            return self._unscored
        return self._compare(candidate, references)


class PreparedPairs(Generic[ReadText]):
    """References that were read."""

    notes_rows = True

    def __init__(self, runner: PairRunner[ReadText], references: Sequence[ReadText]) -> None:
        self._runner = runner
        self._references = references

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        ready = self._runner._ready(candidate, "candidate")
        self._runner.look([candidate])
        return {self._runner._name: self._runner.compare(ready, self._references)}

    def run_rows(
        self, candidates: columns.TextColumn, workers: int, refused: Refused | None = None
    ) -> NDArray[float64]:
        texts = candidates.to_list()
        return self._runner.block(self._row, texts, candidates.first, refused)

    def _row(self, row: int, candidate: str | None) -> Score:
        ready = self._runner._ready(candidate, f"candidates[{row}]")
        return self._runner.compare(ready, self._references)
