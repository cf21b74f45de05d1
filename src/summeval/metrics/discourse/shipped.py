"""The bundled trained models."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from summeval._options import check_choice

FOLDER = Path(__file__).parent / "data"


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
