"""The layers and the baselines of models of the hub, as bert-score 0.3.13 has them."""

from __future__ import annotations

import csv
import hashlib
import json
from functools import cache
from importlib.resources import files
from math import isfinite
from os import PathLike, fspath
from typing import Any, TypeAlias

from summeval._options import shown, unknown

Baseline: TypeAlias = tuple[float, float, float]

ENGLISH = "en"
_HEAD = ["LAYER", "P", "R", "F"]


@cache
def _tables() -> Any:
    text = files("summeval.metrics.bertscore").joinpath("data", "tables.json").read_text("utf-8")
    return json.loads(text)


def layer_of(model: str) -> int | None:
    """Return the layer that bert-score takes of a model of the hub; None for a model that it lacks.

    >>> layer_of("roberta-large"), layer_of("minilm")
    (17, None)
    """
    found: int | None = _tables()["layers"].get(model)
    return found


def baseline(
    rescale: bool | str | PathLike[str], model: str, layer: int | None
) -> tuple[Baseline | None, str]:
    """Return what is subtracted of precision, recall and F, and its label.

    Parameters
    ----------
    rescale : bool, language or path
        True is English; a language such as "de" is one of the package's; or a file with the columns
        LAYER, P, R and F and a row for each layer from 0 on, as bert-score writes it.
    model : str
        Its name on the hub.
    layer : int or None
        None is the last one.

    Raises
    ------
    ValueError
        There is no baseline for the model or the layer, or the file is none.

    Examples
    --------
    >>> baseline(True, "roberta-large", 17)
    ((0.83150584, 0.8314941, 0.83122575), 'en')
    """
    if rescale is False:
        return None, "none"
    languages = _tables()["baselines"]
    if rescale is True or (isinstance(rescale, str) and rescale in languages):
        language = ENGLISH if rescale is True else str(rescale)
        rows = languages[language].get(model)
        if rows is None:
            known = ", ".join(sorted(languages[language]))
            raise ValueError(
                f"rescale: no baseline of {shown(model)} for {language!r} is known; give a file, or"
                f" choose a model from {known}"
            )
        return _row(rows, layer, model), language
    if isinstance(rescale, bool) or not isinstance(rescale, (str, PathLike)):
        raise TypeError(f"rescale is {shown(rescale)}; give True, a language or a file")
    path = fspath(rescale)
    try:
        rows = _read(path)
    except FileNotFoundError:
        if isinstance(rescale, str) and rescale.isalpha() and len(rescale) <= 3:
            raise ValueError(unknown("language of baselines", rescale, languages)) from None
        raise ValueError(f"rescale is {shown(path)}, and there is no such file") from None
    found = _row(rows, layer, path)
    return found, f"file-{hashlib.sha256(repr(found).encode()).hexdigest()[:8]}"


def _row(rows: list[list[float]], layer: int | None, place: str) -> Baseline:
    """Return the baseline of a layer."""
    if layer is not None and layer >= len(rows):
        raise ValueError(
            f"rescale: {place} has baselines of the layers 0 to {len(rows) - 1}, and layer is"
            f" {layer}; choose one of them"
        )
    precision, recall, fmeasure = rows[-1 if layer is None else layer]
    return precision, recall, fmeasure


def _read(path: str) -> list[list[float]]:
    """Return the baselines of a file, by layer."""
    with open(path, newline="", encoding="utf-8") as file:
        head, *rows = [row for row in csv.reader(file) if row] or [[]]
    if head != _HEAD or not rows:
        raise ValueError(f"{path} is no baseline: its first line must be {','.join(_HEAD)}")
    found = []
    for number, row in enumerate(rows):
        try:
            layer, *values = map(float, row)
        except ValueError:
            values = []
        if len(values) != 3 or layer != number or not all(isfinite(x) and x < 1 for x in values):
            raise ValueError(
                f"{path}:{number + 2}: {','.join(row)[:40]!r} is not the layer {number} and three"
                " numbers below 1; mend it"
            )
        found.append(values)
    return found
