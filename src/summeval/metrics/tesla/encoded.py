"""TESLA-E by an encoder: the words of each text have vectors in their context."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any

from summeval._core.rows.record import Score
from summeval.learn.vectors import CheckedEncoder, quantised
from summeval.metrics.run.pair_runner import PairRunner, PreparedPairs
from summeval.metrics.run.text_options import TOKEN_MARK, one_or_more

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.columns import columns
    from summeval._core.likeness.likeness import EncodedText, LikenessKernel
    from summeval.learn.vectors import WordEncoder
    from summeval.metrics.run.protocols import Member
    from summeval.metrics.run.refusals import Refused

_ROWS = 256  # whose texts are encoded together

Known = dict[str, "EncodedText"]


class EncodedRunner:
    """Encodes each distinct text of some rows once, and compares them pair by pair."""

    notes_rows = True

    def __init__(
        self, metric: Member, kernel: LikenessKernel, encoder: WordEncoder, fields: tuple[str, ...]
    ) -> None:
        self._metric = metric
        self._kernel = kernel
        self._encoder = CheckedEncoder(encoder, "encoder")
        self._unscored = Score(fields, (nan,) * len(fields), fields[-1])

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        given = tuple(one_or_more(references, "references"))
        return self._pairs(self._known([candidate, *given], {})).run_pair(candidate, given)

    def run_rows(
        self,
        candidates: columns.TextColumn,
        references: columns.TextColumn,
        workers: int,
        refused: Refused | None = None,
    ) -> NDArray[float64]:
        import numpy as np

        known: Known = {}
        blocks = []
        for begin in range(0, max(candidates.size, 1), _ROWS):
            end = min(begin + _ROWS, candidates.size)
            mine, others = candidates.part(begin, end), references.part(begin, end)
            texts = [*mine.to_list(), *(t for row in others.to_list() for t in row or ())]
            known = self._known(texts, known, refused is not None)
            blocks.append(self._pairs(known).run_rows(mine, others, workers, refused))
        return np.concatenate(blocks, axis=2)

    def prepare(self, references: Any) -> PreparedEncoded:
        given = tuple(one_or_more(references, "references"))
        known = self._known(given, {})
        return PreparedEncoded(self, self._pairs(known).prepare(given))

    def _pairs(self, known: Known) -> PairRunner[EncodedText]:
        def read(text: str, place: str) -> EncodedText:
            return known[text] if text in known else self._known([text], {})[text]

        def compare(candidate: EncodedText, references: Sequence[EncodedText]) -> Score:
            return self._kernel.score_encoded(candidate, tuple(references))[self._metric.name]

        return PairRunner(self._metric, read, compare, self._unscored)

    def _known(self, texts: Sequence[Any], before: Known, singly: bool = False) -> Known:
        """The distinct texts, encoded; those that were encoded before are taken from there.

        If the encoder fails and `singly`, they are left to be encoded one by one, so that the rows
        that it fails for are told.
        """
        wanted = dict.fromkeys(text for text in texts if isinstance(text, str))
        found = {text: before[text] for text in wanted if text in before}
        new = [text for text in wanted if text not in found]
        if not new:
            return found
        try:
            found.update(zip(new, self._encoded(new), strict=True))
        except Exception:
            if not singly:
                raise
        return found

    def _encoded(self, texts: Sequence[str]) -> list[EncodedText]:
        found = []
        for text, (spans, vectors) in zip(texts, self._encoder(texts), strict=True):
            words = [text[begin:end].lower().encode() for begin, end in spans]
            joined = b"".join(word + TOKEN_MARK for word in words)
            found.append(self._kernel.encode(joined, quantised(vectors, "encoder")))
        return found


class PreparedEncoded:
    """References that were encoded."""

    notes_rows = True

    def __init__(self, runner: EncodedRunner, pairs: PreparedPairs[EncodedText]) -> None:
        self._runner = runner
        self._pairs = pairs

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        return self._pairs.run_pair(candidate)

    def run_rows(
        self, candidates: columns.TextColumn, workers: int, refused: Refused | None = None
    ) -> NDArray[float64]:
        return self._pairs.run_rows(candidates, workers, refused)
