"""The base of metrics trained on human scores: a model and its file."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from summeval.learn import model_file as _model_file
from summeval.metrics.run.base import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy import float64
    from numpy.typing import ArrayLike, NDArray


class Trained(Metric):
    """A metric with a model, from training or from a file."""

    unbounded: ClassVar[frozenset[str]] = frozenset({"value"})
    _model: dict[str, NDArray[Any]]
    _trained: dict[str, Any]

    @property
    @abstractmethod
    def floor(self) -> float:
        """The `value` of a text without words: the model gives no text a lower one.

        Raises
        ------
        ValueError
            Before training.
        """

    @property
    def trained(self) -> dict[str, Any]:
        """What training found, such as C, and how much there was to learn from."""
        return dict(self._trained)

    @property
    def _digest(self) -> str | None:
        """A part of the model's checksum, for the signature."""
        return _model_file.digest(self._trained, self._model)[:12] if self._model else None

    def _fitted(self) -> dict[str, NDArray[Any]]:
        if not self._model:
            raise ValueError(f"{self.name} is not trained; call fit or load a model")
        return self._model

    def _restore(self, content: Mapping[str, Any], model: dict[str, NDArray[Any]]) -> None:
        """Take the model of a file, and what its training found."""
        if not isinstance(content["trained"], dict):
            raise TypeError("what training found is no object")
        self._model, self._trained = model, content["trained"]


def has_words(texts: Iterable[str]) -> bool:
    """Whether a letter or a digit, of any script, is in a text or in one of several.

    >>> has_words("...!?"), has_words(["(", "né", ")"])
    (False, True)
    """
    return any(any(map(str.isalnum, text)) for text in texts)


def column_of(values: ArrayLike, rows: int, what: str) -> NDArray[float64]:
    """Numbers, one for each document."""
    import numpy as np

    try:
        column = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers; pass one for each document") from None
    if column.shape != (rows,):
        raise ValueError(f"{what} has the shape {column.shape} for {rows} documents; give one each")
    bad = np.flatnonzero(~np.isfinite(column))
    if len(bad):
        raise ValueError(f"{what}[{bad[0]}] is {column[bad[0]]}; leave the document out")
    return column


def finite(
    arrays: Mapping[str, NDArray[Any]], *names: str, what: str = "its numbers"
) -> dict[str, NDArray[float64]]:
    """Some arrays of a model as floats, of which none is infinite or NaN."""
    import numpy as np

    found = {name: np.asarray(arrays[name], dtype=np.float64) for name in names}
    if not all(np.isfinite(array).all() for array in found.values()):
        raise ValueError(f"{what} are not finite")
    return found
