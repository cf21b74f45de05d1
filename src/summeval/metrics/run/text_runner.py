"""Runners of kernels that read texts: they prepare the texts for the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval.metrics.run.notices import ASCII_ONLY, warn_foreign
from summeval.metrics.run.refusals import Refused
from summeval.metrics.run.text_options import TextOptions

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.rows.kernel import PreparedTexts, TextKernel
    from summeval._core.rows.record import Score

FIELDS = ("precision", "recall", "fmeasure")


class TextRunner:
    """Metrics of one kernel, which read texts alike and have `fields` fields each.

    `side` is what messages call the texts that a candidate is compared with.
    """

    def __init__(
        self,
        kernel: TextKernel,
        text_options: TextOptions,
        fields: int = len(FIELDS),
        side: str = "references",
    ) -> None:
        self._kernel = kernel
        self._text_options = text_options
        self._fields = fields
        self._side = side
        if text_options.tokenizer == ASCII_ONLY:
            kernel.on_foreign = warn_foreign
        if text_options.plain:
            # no Python frame between the caller and the kernel
            self.score = kernel.score  # type: ignore[method-assign]

    def score(self, candidate: str | None, references: Any) -> dict[str, Score]:
        return self._kernel.score(
            self._text_options.text(candidate, "candidate"),
            self._text_options.references(references, self._side),
        )

    def score_batch(
        self,
        candidates: columns.TextColumn,
        references: columns.TextColumn,
        workers: int,
        refused: Refused | None = None,
    ) -> NDArray[float64]:
        import numpy as np

        out = np.empty((len(self._kernel.names), self._fields, len(candidates)))
        left = self._text_options.texts(candidates, "candidates", refused)
        right = self._text_options.texts(references, self._side, refused)
        self._kernel.score_batch(left, right, out, workers, refused)
        return out

    def prepare(self, references: Any) -> PreparedRunner:
        if not self._text_options.plain:
            references = self._text_options.references(references, self._side)
        shape = (len(self._kernel.names), self._fields)
        return PreparedRunner(self._kernel.prepare(references), shape, self._text_options)


class PreparedRunner:
    """References that a kernel has read and counted, and how candidates are read."""

    def __init__(
        self, prepared: PreparedTexts, shape: tuple[int, int], text_options: TextOptions
    ) -> None:
        self._prepared = prepared
        self._shape = shape  # metrics, fields
        self._text_options = text_options
        if text_options.plain:
            self.score = prepared.score  # type: ignore[method-assign]

    def score(self, candidate: str | None) -> dict[str, Score]:
        return self._prepared.score(self._text_options.text(candidate, "candidate"))

    def score_batch(
        self, candidates: columns.TextColumn, workers: int, refused: Refused | None = None
    ) -> NDArray[float64]:
        import numpy as np

        out = np.empty((*self._shape, len(candidates)))
        left = self._text_options.texts(candidates, "candidates", refused)
        self._prepared.score_batch(left, out, workers, refused)
        return out
