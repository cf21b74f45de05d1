"""The base of metrics trained on human scores: a model and its file, of yours or bundled."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Floats
from summeval._options import check_choice
from summeval._version import __version__
from summeval.learn import model_file as _model_file
from summeval.metrics.run.base import Metric, Metrics

FOLDER = Path(__file__).parent / "data"
PARTS = ("tesla-e", "support", "readability")  # of the model of `cremer` with parts


class Trained(_model_file.Saved, Metric):
    """A metric with a model, from training or from a file."""

    unbounded: ClassVar[frozenset[str]] = frozenset({"value"})

    def __post_init__(self) -> None:
        self._model: dict[str, AnyArray] = {}
        self._trained: dict[str, Any] = {}

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
    def _called(self) -> str:  # type: ignore[override]
        return self.name

    @property
    def trained(self) -> dict[str, Any]:
        """The results of training, such as C, and how much there was to learn from."""
        return dict(self._trained)

    @property
    def _digest(self) -> str | None:
        """A part of the model's checksum, for the signature."""
        return _model_file.digest(self._trained, self._model)[:12] if self._model else None

    @classmethod
    def _loaded(cls, path: str | PathLike[str], **options: Any) -> Self:
        """Return the metric with these options and the model of a file."""
        made = cls(**options)
        content, arrays = _model_file.load_model(path, cls.kind)
        with _model_file.restoring(path, cls.kind):
            made.restore(content, arrays)
        return made

    @abstractmethod
    def restore(self, content: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
        """Become the metric of which `kept` made this; of a file, it need not be true."""

    def _fitted(self) -> dict[str, AnyArray]:
        if not self._model:
            raise ValueError(f"{self.name} is not trained; call fit or load a model")
        return self._model

    def _training(self) -> dict[str, Any]:
        """Return what a file keeps of any training."""
        return {"trained": self._trained, "summeval": __version__}

    def _take(self, content: Mapping[str, Any], model: dict[str, AnyArray]) -> None:
        """Take the model of a file, and what its training found."""
        self._model, self._trained = model, _model_file.training_of(content)


def column_of(values: ArrayLike, rows: int, what: str) -> Floats:
    """Numbers, one for each document."""
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


def shipped(
    name: str, model: str | PathLike[str] | None = None, **options: tuple[object, Sequence[object]]
) -> str | PathLike[str]:
    """Return the file of a metric's model: the user's, or the bundled one for the given options.

    Parameters
    ----------
    name : str
        Of the metric.
    model : path, optional
    **options
        What each option is, and what it may be, the default first: only with that may a `model` be
        given. The file is named after the metric and what differs from the defaults.

    Examples
    --------
    >>> shipped("readability", target=("fluency", ("coherence", "fluency"))).name
    'readability-fluency.model'
    >>> shipped("readability", "mine.model", target=("coherence", ("coherence", "fluency")))
    'mine.model'
    """
    parts = [name]
    for option, (value, choices) in options.items():
        check_choice(option, value, choices)
        if value == choices[0]:
            continue
        if model is not None:
            raise ValueError(f"{option} chooses among the package's models; leave it out or model")
        parts.append(option if value is True else str(value))
    return FOLDER / f"{'-'.join(parts)}.model" if model is None else model


def model_of_parts(parts: Metrics) -> Path | None:
    """Return the file of the package's model of `cremer` with these parts; None for others.

    `PARTS` in another order raise ValueError: the model has weights for them in this order.

    >>> model_of_parts("tesla-e,support,readability").name, model_of_parts(["rouge1"])
    ('cremer-parts.model', None)
    """
    from summeval.metrics.scoring import listed

    given = [*listed(parts)]
    if given == [*PARTS]:
        return FOLDER / "cremer-parts.model"
    if all(isinstance(part, str) for part in given) and sorted(map(str, given)) == sorted(PARTS):
        raise ValueError(
            f"parts are {','.join(map(str, given))}; the package's model has them in the order"
            f' parts="{",".join(PARTS)}"'
        )
    return None
