"""How far a source entails a summary, claim by claim, by a model from disk.

The scores are those of SummaC-ZS (Laban, Schnabel, Bennett and Hearst 2022), AlignScore (Zha, Yang,
Li and Hu 2023) and MiniCheck (Tang, Laban and Durrett 2024): each claim of the summary has the
highest probability beside any part of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum, nan
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from summeval._cached import cached_property
from summeval._core.rows.record import Score
from summeval._lazy import version_of
from summeval._options import option
from summeval.metrics.entailment.pieces import GRANULARITIES, Piece, claims, pieces, spans
from summeval.metrics.option_groups import BATCH_SIZE, DEVICE, MODEL
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.items import Asked, ExplainedItem
from summeval.metrics.run.runner import Runner, has_words
from summeval.metrics.run.signature import Signed

if TYPE_CHECKING:
    from summeval.learn.encoders.pair_model import PairModel, Verdict

_OF_MODEL = "entailed refuted prompt backend device dtype batch_size".split()
FIELDS = ("value", "mean", "least", "contradiction")
HALF = 0.5  # a claim that is more probable is supported
Row = tuple[str, Sequence[str]]


class Found(NamedTuple):
    """What the model says of a claim: the verdict, and the part of the source that it is due to."""

    claim: Piece
    entailed: float
    refuted: float
    source: int
    part: Piece


class Entailment(Metric):
    r"""The probability that the source entails the summary, by a model from disk.

    The summary is cut into claims, its sentences, and the source into sentences or chunks. Each
    claim has the highest probability of entailment beside any of these.

    Fields:

    - `value`: `mean` or `least`, as `aggregate` says.
    - `mean`: the mean over the claims.
    - `least`: the least of them.
    - `contradiction`: the mean over the claims of the highest probability of contradiction; where a
      class of the model means that. The program of SummaC-ZS subtracts it from `mean` unless it is
      told not to.

    A summary or a source without words has the worst value.

    Parameters
    ----------
    model : path
        The folder of a transformers model that classifies pairs of texts, gives one number for a
        pair, or writes an answer. Nothing is downloaded.
    granularity : {"sentence", "document", "chunk"}
        What of the source is read beside each sentence of the summary: a sentence (SummaC-ZS), or
        sentences of about 350 words (AlignScore, MiniCheck); "document" is all of the source beside
        all of the summary.

        What is too long for the model is read in windows that overlap.
    aggregate : {"mean", "min"}
        Over the claims.
    entailed : int or str
        The class that means entailment, by its number or its name, where the config of the model
        does not tell; of a model that writes its answer, the answer that means it, such as "1".
    refuted : int or str
        The same for contradiction; of a model that writes its answer, the answer that means that
        the claim does not follow, such as "0".
    prompt : str or None
        What the model reads, with `{source}` and `{claim}`. None is the two as a pair.
    backend : {None, "torch", "onnx"}
        None is ONNX Runtime where the folder has a `model.onnx`, else PyTorch.
    device : str or None
        As PyTorch names it. None is a GPU where there is one, else the CPU (of ONNX Runtime, the
        CPU).
    dtype : {None, "float32", "float16", "bfloat16"}
        Of the weights. None is float32.
    batch_size : int or None
        Pairs that the model runs together, sorted by length. None is 1 on a CPU, 64 on a GPU.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    TypeError, ValueError
        For a value that an option does not take, or a model of another kind.
    ImportError
        When it scores: PyTorch, ONNX Runtime, transformers or a part of the model is missing.

    Examples
    --------
    >>> Entailment(model="./no/such/folder")
    Traceback (most recent call last):
    ValueError: model is './no/such/folder', and there is no such folder; give that of a model
    """

    others = _called = "entailment"  # without a model there is none
    summary = "whether the source entails the summary, by a model of inference"
    fields = FIELDS
    primary = "value"
    compared_with = "source"
    lower_is_better = frozenset({"contradiction"})
    immutable = True
    model: str | PathLike[str] | None = MODEL
    granularity: str = option(default="sentence", choices=GRANULARITIES)
    aggregate: str = option(default="mean", choices=("mean", "min"))
    entailed: int | str | None = option(default=None, choices=(None,), kind="any")
    refuted: int | str | None = option(default=None, choices=(None,), kind="any")
    prompt: str | None = option(default=None, choices=(None,), kind="text")
    backend: str | None = option(default=None, choices=(None, "torch", "onnx"))
    device: str | None = DEVICE
    dtype: str | None = option(default=None, choices=(None, "float32", "float16", "bfloat16"))
    batch_size: int | None = BATCH_SIZE

    def __post_init__(self) -> None:
        self.name = self.label or "entailment"
        if not self._runner_model.output.refutes:
            self.fields = FIELDS[:3]  # type: ignore[assignment]
            self.lower_is_better = frozenset()  # type: ignore[misc]

    @cached_property
    def _runner_model(self) -> PairModel:
        """The model, which keeps its verdicts."""
        from summeval.learn.encoders.pair_model import PairModel

        if self.model is None:
            raise ValueError("model is None; entailment needs the folder of a model")
        return PairModel(self.model, **{name: getattr(self, name) for name in _OF_MODEL})

    def signed(self) -> Signed:
        """Return the model, the options and the versions that the numbers depend on."""
        return {
            "model": self._runner_model.signature,
            "granularity": self.granularity,
            "aggregate": self.aggregate,
            "classes": self._runner_model.output.label,
            "prompt": self.prompt or "pair",
            "transformers": version_of("transformers"),
        }

    @property
    def floors(self) -> tuple[float, ...]:
        """What a text without words has in each field."""
        return tuple(float(field in self.lower_is_better) for field in self.fields)

    def new_runner(self) -> Runner[str]:
        return Runner(self, lambda places, workers: places, self._scores)

    def explain_texts(self, asked: Asked) -> Iterator[ExplainedItem]:
        """Yield each claim, with the part of the source that supports it.

        Its span is where the probability of entailment is above a half. The shares add up to the
        value: a part of the mean for each claim, or all of it for the least probable one.
        """
        (found,) = self._found([(asked.candidate, asked.sources)])
        own = spans(asked.candidate, [one.claim for one in found])
        least = min((one.entailed for one in found), default=0.0)
        weakest = next((k for k, one in enumerate(found) if one.entailed == least), 0)
        for number, (one, span) in enumerate(zip(found, own, strict=True)):
            share = one.entailed / len(found)
            if self.aggregate == "min":
                share = one.entailed if number == weakest else 0.0
            details = {"probability": one.entailed}
            if self._runner_model.output.refutes:
                details["contradiction"] = one.refuted
            there: tuple[tuple[int, int, int], ...] = ()
            if one.entailed > HALF:
                (place,) = spans(asked.sources[one.source], [one.part])
                there = ((one.source, *place),)
            yield ExplainedItem(one.claim.text, (span,), (), share, details, there)

    def _scores(self, rows: Sequence[Row], workers: int) -> list[Score]:
        return [Score(self.fields, self._values(one), self.primary) for one in self._found(rows)]

    def _values(self, found: Sequence[Found]) -> tuple[float, ...]:
        if not found:
            return self.floors
        chances = [one.entailed for one in found]
        mean, least = fsum(chances) / len(chances), min(chances)
        refuted = fsum(one.refuted for one in found) / len(found)
        values = (mean if self.aggregate == "mean" else least, mean, least, refuted)
        return values[: len(self.fields)]

    def _found(self, rows: Sequence[Row]) -> list[list[Found]]:
        """For each row what is found of its claims; nothing without words on one of the sides."""
        sources = {text: pieces(text, self.granularity) for _, some in rows for text in some}
        sides = []
        for candidate, some in rows:
            own = claims(candidate, self.granularity) if has_words([candidate]) else []
            sides.append((own, [(k, one) for k, text in enumerate(some) for one in sources[text]]))
        asked = [(part.text, own.text) for o, parts in sides for own in o for _, part in parts]
        verdicts = dict(zip(asked, self._runner_model.judge(asked), strict=True))
        return [[_best(claim, parts, verdicts) for claim in own if parts] for own, parts in sides]


def _best(
    claim: Piece, parts: Sequence[tuple[int, Piece]], verdicts: dict[tuple[str, str], Verdict]
) -> Found:
    """Return the claim beside the first part of the source that entails it most."""
    chances = [verdicts[part.text, claim.text] for _, part in parts]
    best = max(range(len(parts)), key=lambda k: chances[k][0])
    refuted = max((no for _, no in chances), default=nan)
    return Found(claim, chances[best][0], refuted, *parts[best])
