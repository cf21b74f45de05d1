"""The bundled trained models."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from summeval._options import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from summeval.metrics.run.base import Metric

FOLDER = Path(__file__).parent / "data"
PARTS = ("tesla-e", "support", "readability")  # of the model of `cremer` with parts


def shipped(
    name: str,
    model: str | os.PathLike[str] | None = None,
    **options: tuple[object, Sequence[object]],
) -> str | os.PathLike[str]:
    """The file of a metric's model: the user's, or the bundled one for the given options.

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


def model_of_parts(parts: Iterable[str | Metric] | str | Metric) -> Path | None:
    """The file of the package's model of `cremer` with these parts; None for others.

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
