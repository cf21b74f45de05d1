"""Lite2Pyramid and Lite3Pyramid: a judge, not a person, says which units a summary has.

Zhang and Bansal 2021, "Finding a Balanced Degree of Automation for Summary Evaluation".
Lite2Pyramid takes units that people wrote (SCUs); Lite3Pyramid takes them from the references by
program. Their program cuts references by semantic roles; here the units are the reference's
sentences, or what a callable of yours makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from math import fsum, nan
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import option, real, shown
from summeval.metrics.option_groups import AGGREGATE, BATCH_SIZE, DEVICE
from summeval.metrics.pyramid.scores import items, unit_score
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items
from summeval.metrics.run.explain.spans import places
from summeval.metrics.run.runner import ListRunner
from summeval.metrics.run.signature import Signed, label_of
from summeval.text import sentences

if TYPE_CHECKING:
    from summeval._arrays import Floats

Judge = Callable[[str, str], float]
Judged = tuple[float, float, float, float]  # in the order of FIELDS
TextLists = Sequence[Sequence[str]]
Judgements = dict[tuple[str, str], Judged]  # of units and texts

FIELDS = ("p2c", "l2c", "p3c", "l3c")
PART_PAIRS = 4096
_NONE: Mapping[str, list[str]] = MappingProxyType({})
_NOTHING: Judged = (0.0, 0.0, 0.0, 0.0)  # of a reference without units


class LitePyramid(Metric):
    r"""The share of the units of the reference that the candidate has, by a judge.

    A judge is a model of natural language inference: does the candidate entail the unit? Fields, as
    the program Lite2-3Pyramid names them: `p2c` (which is `value`) and `l2c` with the classes
    entailed or not, `p3c` and `l3c` with the three classes of the model; p is the mean probability
    of entailment, l the share of units for which it is the most probable class. The authors take
    p2c with their models, and l3c with one that was trained on inference alone. A judge of yours
    gives one probability, so that p3c and l3c are NaN.

    Parameters
    ----------
    judge : path or callable
        The folder of a transformers model that classifies pairs of texts, or the name of one that
        transformers finds or fetches; or a function of a unit and a text that gives the probability
        that the text has the unit.

        "shiyue/roberta-large-tac08" is such a name.
    units : {"sentences"} or callable
        What the units of a reference are: its sentences, or a function from str to a list of str.
    aggregate : {"max", "average"}
        Over several references: the highest of each field, or the mean.
    device : str or None
        As PyTorch names it. None is a GPU where there is one, else the CPU.
    batch_size : int or None
        Pairs that the model runs together. None is 1 on a CPU, 64 on a GPU.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    TypeError, ValueError
        For a value that an option does not take, or a judge that gives no probability.
    ImportError
        When it scores: PyTorch, transformers or the model is missing.

    Examples
    --------
    >>> def has(unit, text):
    ...     return float(set(unit.lower().split()) <= set(text.lower().split()))
    >>> metric = LitePyramid(judge=has, label="words")
    >>> metric.score("the storm hit the coast", "The storm hit\nHouses fell").p2c
    0.5
    >>> metric.score_units("the storm hit", ["storm hit", "storm died"], weights=[3, 1]).p2c
    0.75
    """

    others = _called = "lite-pyramid"  # without a judge there is none
    fields = FIELDS
    primary = "p2c"
    immutable = True
    judge: str | PathLike[str] | Judge | None = option(
        default=None,
        kind="path",
        give="give the folder of a model of natural language inference, its name, or a function"
        " of a unit and a text",
    )
    units: str | Callable[[str], Iterable[str]] = option(
        default="sentences", choices=("sentences",), kind="function"
    )
    aggregate: str = AGGREGATE
    device: str | None = DEVICE
    batch_size: int | None = BATCH_SIZE

    def __post_init__(self) -> None:
        self.name = self.label or "lite-pyramid"
        judge: Any = self.declared["judge"].check(self.judge)  # refuses None
        self._judge_label = label_of(judge, self.label) if callable(judge) else ""
        if not callable(judge):
            from summeval.learn.encoders import Entailment

            judge = Entailment(judge, self.device, self.batch_size, "judge")
        self._judge = judge

    def signed(self) -> Signed:
        """Return the judge, the options and the version that the numbers depend on."""
        return {
            "judge": self._judge_label or self._judge.signature,
            "units": label_of(self.units, self.label),
            "aggregate": self.aggregate,
        }

    def new_runner(self) -> JudgeRunner:
        return JudgeRunner(self)

    def score_units(
        self, candidate: str, units: Sequence[str], weights: Sequence[float] | None = None
    ) -> Score:
        """Score a candidate by given units, such as SCUs: Lite2Pyramid.

        Parameters
        ----------
        candidate : str
        units : sequence of str
        weights : sequence of numbers above 0, optional
            As many as units; in a Pyramid, how many references have the unit.

        Raises
        ------
        TypeError, ValueError
            No unit, a text that is no str, or weights that do not fit.
        """
        columns.check_text(candidate, "candidate")
        given = _texts(units, "units")
        if candidate is None or not given:
            raise ValueError("there is no candidate or no unit; give both")
        judged = self.judged([(unit, candidate) for unit in given])
        fields = zip(*(judged[unit, candidate] for unit in given), strict=True)
        return Score(FIELDS, tuple(_share(one, weights) for one in fields), "p2c")

    def explain_texts(self, asked: Asked) -> Items:
        r"""Return the units of the reference, with what the judge says of each.

        The share of a unit is its probability of entailment divided by the number of units. The
        judge reads the whole candidate, which is the span of the units that it has most probably.
        Of several references it is the first of those with the highest `p2c`; with
        `aggregate="average"` all of them.

        Examples
        --------
        >>> def has(unit, text):
        ...     return float(set(unit.lower().split()) <= set(text.lower().split()))
        >>> metric = LitePyramid(judge=has, label="words")
        >>> explanation = metric.explain("the storm hit", "The storm hit\nHouses fell")
        >>> [(item.text, item.share, item.kind) for item in explanation.items]
        [('The storm hit', 0.5, 'match'), ('Houses fell', 0.0, 'missing')]
        """
        from summeval.metrics.run.explain.explanation import Explanation

        candidate, references = asked.candidate, asked.references
        units = [self.units_of(text) for text in references]
        judged = self.judged((unit, candidate) for of_one in units for unit in of_one)
        value = self.fields_of(candidate, units, judged)[0]
        values = [fsum(judged[u, candidate][0] for u in one) / (len(one) or 1) for one in units]
        every = self.aggregate == "average"
        chosen = [*range(len(units))] if every else [values.index(max(values))]
        items = []
        for number in chosen:
            found = places(references[number], units[number])
            for unit, span in zip(units[number], found, strict=True):
                probability, has = judged[unit, candidate][:2]
                own, share = ((0, len(candidate)),), probability / len(units[number]) / len(chosen)
                details = {"probability": probability}
                there = ((number, *span),)
                items.append(ExplainedItem(unit, own if has else (), there, share, details))
        return Explanation(self.name, value, tuple(items), candidate, references)

    def judged(self, pairs: Iterable[tuple[str, str]]) -> Judgements:
        """Return what the judge says of each distinct (unit, text), by the fields.

        Raises
        ------
        ValueError
            A judge of yours gives no probability.
        """
        distinct = list(dict.fromkeys(pairs))
        if not callable(self._judge):
            return dict(zip(distinct, map(tuple, self._judge.judge(distinct)), strict=True))
        return {pair: self._probability(*pair) for pair in distinct}

    def _probability(self, unit: str, text: str) -> Judged:
        given = self._judge(unit, text)
        found = float(given) if isinstance(given, bool) else real(given)
        if found is None or not 0 <= found <= 1:
            raise ValueError(
                f"judge gave {shown(given)} for the unit {shown(unit)}; give a number from 0 to 1"
            )
        return found, float(found > 0.5), nan, nan

    def fields_of(self, candidate: str, references: TextLists, judged: Judgements) -> list[float]:
        """Return the fields of a candidate beside the units of each of its references."""
        scores = []
        for units in references:
            values = [judged[unit, candidate] for unit in units] or [_NOTHING]
            scores.append([_share(one, None) for one in zip(*values, strict=True)])
        fields = zip(*scores, strict=True)
        if self.aggregate == "max":
            return list(map(max, fields))
        return [fsum(one) / len(one) for one in fields]

    def units_of(self, reference: str) -> list[str]:
        """Return the units of a reference that have a letter or a digit."""
        units = sentences if isinstance(self.units, str) else self.units
        found = _texts(units(reference), "units")
        return [unit for unit in found if any(map(str.isalnum, unit))]


class JudgeRunner(ListRunner):
    """Runs `LitePyramid`: each distinct unit is judged once beside each distinct candidate."""

    def __init__(self, metric: LitePyramid, units: Mapping[str, list[str]] = _NONE) -> None:
        super().__init__(metric)
        self._metric, self._units = metric, units

    def reading(self, references: Sequence[str]) -> JudgeRunner:
        return JudgeRunner(self._metric, {text: self._metric.units_of(text) for text in references})

    def scores(
        self, candidates: Sequence[str | None], references: TextLists, workers: int
    ) -> Floats:
        """As of the class; the judge gets the pairs of several rows at once."""
        import numpy as np

        found = np.full((len(FIELDS), len(candidates)), nan)
        units = dict(self._units)
        for text in chain.from_iterable(references):
            if text not in units:
                units[text] = self._metric.units_of(text)
        part: list[tuple[int, str, list[list[str]]]] = []
        size = 0
        for row, (candidate, given) in enumerate(zip(candidates, references, strict=True)):
            if candidate is not None and given:
                part.append((row, candidate, [units[text] for text in given]))
                size += sum(map(len, part[-1][2]))
            if part and (size >= PART_PAIRS or row == len(candidates) - 1):
                judged = self._metric.judged(
                    (unit, text) for _, text, lists in part for one in lists for unit in one
                )
                for place, text, lists in part:
                    found[:, place] = self._metric.fields_of(text, lists, judged)
                part, size = [], 0
        return found


def _share(judgements: Sequence[float], weights: Sequence[float] | None) -> float:
    """Return the share of the units, NaN for what the judge does not tell."""
    return nan if judgements[0] != judgements[0] else unit_score(judgements, weights)


def _texts(given: Any, name: str) -> list[str]:
    """Return the texts of a list, each checked."""
    found = items(given, name, "give a list of str")
    for place, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{place}] is {type(text).__name__}; give a str")
        columns.check_text(text, f"{name}[{place}]")
    return found
