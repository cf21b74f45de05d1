"""Metrics whose kernel gives statistics that add up over rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from summeval._cached import cached_property
from summeval.metrics.run.base import Metric
from summeval.metrics.run.runner import TextRunner

if TYPE_CHECKING:
    from typing import Self

    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.rows.kernel import SummedKernel
    from summeval.metrics.run.signature import Signature
    from summeval.metrics.run.text_options import TextOptions


class Summed(Metric):
    """A metric whose score of a corpus is made of sums over rows, not a mean of their scores."""

    summed = True

    @staticmethod
    def fuse(metrics: Sequence[Any]) -> SummedRunner:
        metric = metrics[0]
        return SummedRunner(
            metric._kernel(), metric._text_options, len(metric.fields), case=metric.case
        )

    @classmethod
    def of_signature(cls, signature: Signature) -> Self:
        """Return a metric with the formula of a signature; of other options it may have others."""
        return cls.named(signature.name)

    @abstractmethod
    def _kernel(self) -> SummedKernel:
        """Return the kernel with these options."""

    def of_sums(self, sums: NDArray[float64]) -> NDArray[float64]:
        import numpy as np

        out = np.empty((len(sums), len(self.fields)))
        self._runner_sums.of_sums(np.ascontiguousarray(sums, dtype=np.float64), out)
        return out

    @property
    def statistics_size(self) -> int:
        return self._runner_sums.statistics

    @cached_property
    def _runner_sums(self) -> SummedKernel:
        return self._corpus_kernel()

    def _corpus_kernel(self) -> SummedKernel:
        """Return the kernel whose formula corpora have; that of rows by default."""
        return self._kernel()


class SummedRunner(TextRunner):
    """Rows of a kernel whose statistics stand behind its fields."""

    def __init__(
        self, kernel: SummedKernel, text_options: TextOptions, fields: int, *, case: str = "keep"
    ) -> None:
        super().__init__(kernel, text_options, fields + kernel.statistics, case=case)
        self.few_rows = None  # which has no place for statistics
