"""Scores as rewards: weighted, shaped, and fast for groups with shared references.

The core of the adapters for training loops (`trl`, `verl`, `openrlhf`). Threads may share one.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from numbers import Real
from typing import Any, NamedTuple, TypeVar, Unpack

from summeval._core.columns import columns
from summeval._core.columns.columns import TextColumn
from summeval._core.rows.record import Score
from summeval._options import check_number, check_workers
from summeval.interop import shaping
from summeval.interop.shaping import (
    CACHE_SIZE,
    Cache,
    Given,
    PreparedCache,
    Texts,
    in_order,
    penalties,
)
from summeval.interop.shaping.answers import Extract, finder_of
from summeval.interop.shaping.batch import Batch, Log, log_parts
from summeval.interop.shaping.penalties import GroupTerm, LengthPenalty, RepetitionPenalty, clipped
from summeval.interop.shaping.presets import PresetJudge
from summeval.interop.shaping.presets import preset as preset_of
from summeval.interop.shared import Term, Terms, choose, weights_of
from summeval.metrics.field.diversity import Diversity
from summeval.metrics.option_groups import SharedOptions
from summeval.metrics.run.base import Metric
from summeval.metrics.run.declared import OnError
from summeval.metrics.run.refusals import RowErrors, refusals
from summeval.metrics.run.suite import Prepared, Suite

__all__ = ["Judged", "LengthPenalty", "PreparedCache", "RepetitionPenalty", "Rewards", "Texts"]

DEFAULT = "rougeLsum"
_NOWHERE = "zqxjkvwqz"  # a word that no text contains

Kept = TypeVar("Kept")


class Judged(NamedTuple):
    """Rewards and what they are made of.

    Attributes
    ----------
    rewards : list of float or None
        The reward of each text.
    parts : dict of str to list of float
        For each part its value for each text, in the order of the texts. Of a preset: its parts and
        guards, from 0 to 1. Else the score of each term, NaN where there is none, and each penalty.
    """

    rewards: list[float | None]
    parts: dict[str, list[float]]


class _Read(NamedTuple):
    """The texts of a call, checked."""

    texts: Sequence[Any]  # the answers
    references: Sequence[Texts]
    sources: Sequence[Texts] | None
    column: TextColumn
    refused: RowErrors | None
    blank: set[int]  # rows without an answer

    @property
    def lost(self) -> set[int]:
        """Rows that have the lowest reward, unless they lack what they are compared with."""
        return {*self.blank, *(self.refused or ())}

    def part(self, rows: range) -> TextColumn:
        """Return the column of these rows."""
        whole = len(rows) == len(self.column)
        return self.column if whole else self.column.part(rows.start, rows.stop)


class _Scored(NamedTuple):
    scores: list[list[float]]  # of each term
    texts: Sequence[Any]  # the answers
    lost: set[int]  # rows that have the lowest reward: refused, or without an answer
    missing: set[int]  # rows whose references or source were refused
    groups: list[Sequence[int]]  # rows with the same references and source, one after the other


class Rewards:
    """Rewards of texts: a weighted sum of scores, less a length penalty, then clipped.

    Better texts have higher rewards: scores in which lower is better, such as divergences, are
    negated. A negative weight reverses the direction of its term.

    Parameters
    ----------
    metrics : name, metric object, iterable of these, or mapping of these to weights
        A name may end in a field as the columns of a ScoreTable do: `rouge2.recall`. Weights are
        taken as they are, 1 by default.
    field : str, optional
        The field of terms without one; by default that of `Score.value`.
    clip : (low, high), optional
        Bounds of the reward, either of which may be None.
    length_penalty : LengthPenalty, optional
    repetition_penalty : float or RepetitionPenalty, optional
        A number is the weight of a RepetitionPenalty.
    group : str or Diversity, optional
        What else is rewarded: how little a text is like the others of its group, such as the
        completions of one prompt. "diversity" is self-BLEU beside the others, which is negated;
        "diversity.distinct2" and others are the fields that `Diversity.each` returns. 0 for a
        group of one.
    weight : float
        Of the group term.
    extract : str, pattern or callable, optional
        Cuts the answer out of a completion, and only that is scored: a tag (`<answer>`), a regular
        expression (of its last match that is not blank, the first group that took part), or a
        callable that returns the answer or None. A completion without an answer, or with a blank
        one, has the lowest reward, as a refused text has: penalties take their whole weight.
    missing : float, optional
        The reward of a text with nothing to compare it with; None by default. No reward is NaN.
    on_error : {"raise", "skip"}
        What to do with a refused text: it is not a str, contains an unpaired surrogate or is too
        long for a metric, or a callable of yours fails for it. "raise" ends the call; with "skip"
        the text has the lowest reward, and a warning says so once: that of an empty text or, for a
        metric that gives that no score, of a word that occurs nowhere, less the weights of the
        penalties; a term of a negative weight counts as 1. If its references or its source are
        refused, it has nothing to compare it with.
    cache_size : int
        Number of prepared sets of references to cache; see `PreparedCache`.
    workers : int
        Number of threads per group; -1 means one per processor. The rewards do not depend on it.
    **options
        `language`, `tokenizer`, `stemmer`, `stopwords`, `case`, `sentences` of the metrics given by
        name, as
        for `summeval.score`.

    Attributes
    ----------
    name : str
        The terms, joined by "+".

    Raises
    ------
    TypeError, ValueError
        An unknown metric or field, no metric, or bounds out of order.

    Examples
    --------
    >>> rewards = Rewards({"rouge1": 0.5, "rouge2.recall": 2}, clip=(None, 1.0))
    >>> rewards(["the cat", "a dog", "the cat"], ["the cat sat down", "a dog", None])
    [1.0, 1.0, None]
    >>> near, far = Rewards("simetrix")(["the cat sat", "dogs"], [None] * 2, ["a cat sat"] * 2)
    >>> near > far
    True
    >>> rewards = Rewards("rouge1", group="diversity.near_duplicates", weight=0.5)
    >>> rewards(["the cat", "the cat", "a cat"], ["the cat"] * 3)
    [0.5, 0.5, 0.5]

    TRL may call it itself, as `GRPOTrainer(model, reward_funcs=Rewards("rougeLsum"), ...)`:

    >>> Rewards("rougeLsum")(prompts=["sum up"], completions=["a cat"], reference=["the cat"])
    [0.5]
    """

    def __init__(
        self,
        metrics: Terms | Mapping[str | Metric, float] = DEFAULT,
        *,
        field: str | None = None,
        clip: tuple[float | None, float | None] | None = None,
        length_penalty: LengthPenalty | None = None,
        repetition_penalty: float | RepetitionPenalty | None = None,
        group: str | Diversity | None = None,
        weight: float = 1.0,
        extract: Extract | None = None,
        missing: float | None = None,
        on_error: OnError = "raise",
        cache_size: int = CACHE_SIZE,
        workers: int = 1,
        **options: Unpack[SharedOptions],
    ) -> None:
        weights = weights_of(metrics)
        suite, self._terms = choose(weights, field, options=options)
        pairs = zip(self._terms, weights.values(), strict=True)
        self._given = [check_number(f"the weight of {term.name}", one) for term, one in pairs]
        self._weights = [
            weight if term.higher_is_better else -weight
            for term, weight in zip(self._terms, self._given, strict=True)
        ]
        self._places = [_place(suite, term) for term in self._terms]
        self._suite = suite
        self._low, self._high = penalties.bounds(clip)
        if length_penalty is not None and not isinstance(length_penalty, LengthPenalty):
            kind = type(length_penalty).__name__
            raise TypeError(f"length_penalty is {kind}; give a LengthPenalty(limit=...)")
        self._penalty = length_penalty
        if repetition_penalty is not None and not isinstance(repetition_penalty, RepetitionPenalty):
            repetition_penalty = RepetitionPenalty(repetition_penalty)
        self._repetition = repetition_penalty
        self._group = None if group is None else GroupTerm.of(group, check_number("weight", weight))
        self._find = None if extract is None else finder_of(extract)
        self._judge: PresetJudge | None = None
        self._groups_by_source = True
        if missing is not None and (not isinstance(missing, Real) or math.isnan(missing)):
            raise ValueError(f"missing is {missing!r}; give a number or None")
        self.on_error: OnError = on_error
        refusals(on_error)  # raises for another word
        self._has_warned = False
        self.missing = missing
        self._workers = check_workers(workers)
        self._cache = PreparedCache(suite, cache_size)
        extra = [] if self._group is None else [self._group.name]
        self.name = "+".join([*(term.name for term in self._terms), *extra])

    @classmethod
    def preset(
        cls, name: str, *, repetition_penalty: float | RepetitionPenalty = 1.5, **options: Any
    ) -> Rewards:
        """Rewards that are hard to game: `shaping.presets` has their parts and weights.

        The reward is from 0 to 1, which only a perfect score of each part gives. It is the weighted
        mean of the parts. Below a part's minimum the whole reward falls in proportion. The mean is
        multiplied by the guards: order of words, ending, length (against that of the references, or
        of the source where there are none), odd characters; and by 1 less the penalty of
        repetition. A part without a score
        gives the floor, 0, as does a completion without an answer, and a length penalty takes no
        reward below it; no reward is NaN.

        Parameters
        ----------
        name : {"content", "faithful", "overall"}
            "content" is compared with the references, whether or not sources are given; "faithful"
            with the source, and its length and form with the references where there are any;
            "overall" with both.
        repetition_penalty : float or RepetitionPenalty
        **options
            `clip`, `length_penalty`, `extract`, `missing`, `on_error`, `cache_size`, `workers`. A
            row that lacks the references or source that the preset needs is an error, unless
            `missing` gives its reward; with `on_error="skip"` it has `missing`, or the floor.

        Raises
        ------
        TypeError, ValueError
            An unknown preset or option.

        Examples
        --------
        >>> rewards = Rewards.preset("content")
        >>> gold = "The storm hit the coast on Monday, and the trains stopped for two days."
        >>> good, loop = rewards([gold, "The storm. " * 8], [gold] * 2)
        >>> good > 0.9, loop < 0.1
        (True, True)
        """
        chosen = preset_of(name)
        for fixed in ("field", "metrics", "group", "weight", *SharedOptions.__annotations__):
            if fixed in options:
                raise TypeError(f"{fixed} is fixed by the preset {name!r}; leave it out")
        rewards = cls(chosen.metrics, repetition_penalty=repetition_penalty, **options)
        made = rewards._suite, rewards._terms, rewards._repetition, rewards._cache.size
        rewards._judge = PresetJudge(chosen, *made)
        rewards._groups_by_source = "source" in chosen.sees
        rewards.name = name
        return rewards

    @property
    def uses(self) -> tuple[str, ...]:
        """The texts that are used where given: those of `reads`, and the references of a preset."""
        also = self._judge is not None and "references" not in self.reads
        return ("references", *self.reads) if also else self.reads

    @property
    def reads(self) -> tuple[str, ...]:
        """The texts needed for comparison: "references", "source", both or neither."""
        return self._suite.reads

    @property
    def signature(self) -> Mapping[str, str]:
        """The signature of each metric, by its name; of a preset also its own, by that of it."""
        found = {name: str(line) for name, line in self._suite.signature.items()}
        if self._judge is not None:
            found[self.name] = self._judge.preset.signature
        if self._group is not None:
            found[self._group.metric.name] = self._group.metric.signature
        return found

    @property
    def __name__(self) -> str:  # under which trainers log it
        return self.name

    def __call__(
        self,
        texts: Sequence[str] | None = None,
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
        groups: Sequence[Any] | None = None,
        *,
        prompts: Sequence[Any] | None = None,
        completions: Sequence[Any] | None = None,
        log_metric: Log | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of each text.

        Parameters
        ----------
        texts : sequence of str
            None counts as a text without references.
        references : sequence of str, of sequences of str, or of None, optional
            One item for each text. Consecutive texts with equal references share their preparation.
        sources : the same, optional
            The input, for metrics that compare with it.
        groups : sequence, optional
            For the group term: texts with equal items, such as the prompt, are a group. By default
            consecutive texts with equal references and sources are.
        prompts, completions, log_metric, **columns
            What TRL passes instead of texts. References and source come from the column of their
            usual name: `references`, `reference`, `target`, `targets` or `highlights`, and
            `source`, `document`, `article` or `input`. Texts with one prompt are a group.
            `summeval.interop.trl.Reward` reads other columns, and finds the source in the prompt.

        Raises
        ------
        KeyError
            The columns hold no references or no source.
        TypeError, ValueError
            Naming the row: a text that is neither str nor None; lengths that differ.
        """
        if completions is not None:
            named = {"references": references, "source": sources}  # of the data set, by chance
            columns |= {name: value for name, value in named.items() if value is not None}
            batch = Batch(self, prompts, completions, columns)
            source = batch.named("source", "source") if "source" in self.reads else None
            judged = self.judge(*batch.given("references", source))
            log_parts(log_metric, self.name, judged.parts)
            return judged.rewards
        if texts is None or columns:
            what = f"no argument {next(iter(columns))!r}" if columns else "no texts"
            raise TypeError(f"{what}; pass texts, references, sources and groups")
        return self.judge(texts, references, sources, groups).rewards

    async def score_async(
        self,
        texts: Sequence[str],
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
        groups: Sequence[Any] | None = None,
    ) -> list[float | None]:
        """Return the reward of each text, as a call does; meanwhile the event loop goes on.

        It runs in a thread, mostly without the interpreter's lock; see `in_thread`. A task that is
        cancelled does not end the thread's work.

        >>> import asyncio
        >>> asyncio.run(Rewards("rouge1").score_async(["a cat"], ["the cat"]))
        [0.5]
        """
        return (await self.judge_async(texts, references, sources, groups)).rewards

    async def judge_async(
        self,
        texts: Sequence[str],
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
        groups: Sequence[Any] | None = None,
    ) -> Judged:
        """Return what `judge` returns, as `score_async` does."""
        given = texts, references, sources, groups
        return await in_thread(self.judge, *given, computes=self._suite.computes)

    def judge(
        self,
        texts: Sequence[str],
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
        groups: Sequence[Any] | None = None,
    ) -> Judged:
        """Return the reward of each text and what it is made of; arguments and errors as of a call.

        >>> judged = Rewards("rouge1", repetition_penalty=0.5)(["a cat"], ["the cat"])
        >>> judged
        [0.5]
        >>> Rewards("rouge1", repetition_penalty=0.5).judge(["a cat"], ["the cat"]).parts
        {'rouge1': [0.5], 'repetition_penalty': [0.0]}
        """
        given = Given(in_order(texts), in_order(references), in_order(sources))
        if self._judge is not None:
            return self._judge_by_preset(self._judge, given)
        scored = self._score(given)
        taken = self._penalties(scored.texts, scored.lost)
        weights = [*self._weights, *[-1.0] * len(taken)]
        if self._group is not None:
            together = scored.groups
            if groups is not None:
                together = [*penalties.rows_by_group(groups, len(scored.texts))]
            taken[self._group.name] = self._group.values(scored.texts, together, scored.lost)
            weights.append(self._group.signed)
        rewards = [0.0] * len(scored.texts)
        for weight, column in zip(weights, [*scored.scores, *taken.values()], strict=True):
            rewards = [sum_ + weight * value for sum_, value in zip(rewards, column, strict=True)]
        rewards = clipped(rewards, self._low, self._high)
        parts = dict(zip(self.columns, scored.scores, strict=True)) | taken
        return Judged([self.missing if math.isnan(one) else one for one in rewards], parts)

    @property
    def columns(self) -> list[str]:
        """The names of the terms, in the order of `scores`."""
        return [term.name for term in self._terms]

    @property
    def part_names(self) -> list[str]:
        """The names of the parts that `judge` returns."""
        if self._judge is not None:
            also = [] if self._penalty is None else ["length_penalty"]
            return [*self._judge.part_names, *also]
        of_group = [] if self._group is None else [self._group.name]
        return [*self.columns, *self._penalties([], ()), *of_group]

    def scores(
        self,
        texts: Sequence[str],
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
    ) -> list[list[float]]:
        """The scores of all texts for each term, before weights and signs; NaN means no score.

        A refused text has the scores that make its reward the lowest, and so has one without an
        answer; with `on_error="skip"` an exception instead of a text gives the caller's reason to
        refuse it.
        """
        given = Given(in_order(texts), in_order(references), in_order(sources))
        return self._score(given).scores

    def _score(self, given: Given) -> _Scored:
        read = self._read(given)
        found: list[list[float]] = [[] for _ in self._terms]
        missing: set[int] = set()  # rows that have nothing to be compared with
        groups: list[Sequence[int]] = []
        for group, prepared in self._groups(read, self._cache, missing):
            if prepared is None:
                for scores in found:
                    scores.extend([math.nan] * len(group))
                continue
            groups.append(group)
            self._fill(found, prepared, read.part(group), read.refused, read.blank)
        self._tell(read.refused, missing)
        return _Scored(found, read.texts, read.lost - missing, missing, groups)

    def _read(self, given: Given) -> _Read:
        """Check the texts of a call, and find the answers in them."""
        texts, references, sources = given
        refused = None if self.on_error == "raise" else refusals(self.on_error)
        if refused is not None:
            for row, text in enumerate(texts):
                if isinstance(text, Exception):
                    refused.add(row, text)
            texts = [None if isinstance(text, Exception) else text for text in texts]
        blank: set[int] = set()
        if self._find is not None:
            texts = self._answers(texts, blank, refused)
        column = columns.texts(texts, "texts", refused=refused)
        rows = len(column)
        references = [None] * rows if references is None else references
        if sources is None and "source" in self.reads and refused is None and rows:
            raise ValueError(f"{self.name} compares with the source; pass sources=")
        for name, items in (("references", references), ("sources", sources)):
            if items is not None and len(items) != rows:
                raise ValueError(f"{rows} texts but {len(items)} {name}; give one for each")
        sources = sources if self._groups_by_source else None
        return _Read(texts, references, sources, column, refused, blank)

    def _groups(
        self, read: _Read, cache: Cache[Kept], missing: set[int]
    ) -> Iterator[tuple[range, Kept | None]]:
        """Yield the rows of each group, and what is made of its references and source.

        None where these were refused; the rows are added to `missing`.
        """
        end, rows = 0, len(read.column)
        while end < rows:
            begin = end
            kept: Kept | None = None
            try:
                key = shaping.key_of(read.references, read.sources, begin)
                end = shaping.end_of_group(key, read.references, read.sources, begin)
                kept = cache.get(*key)
            except Exception as error:
                if read.refused is None:
                    raise
                end = max(end, begin + 1)
                read.refused.add(begin, error)
                missing.update(range(begin, end))
            yield range(begin, end), kept

    def _tell(self, refused: RowErrors | None, missing: Collection[int]) -> None:
        """Warn, once, of texts that were refused."""
        if refused and not self._has_warned:
            self._has_warned = True
            first = min(refused)
            reward = "no reward but `missing`" if first in missing else "the lowest reward"
            message = f"{refused[first]}; its text has {reward}, as all such texts (told once)"
            warnings.warn(message, RuntimeWarning, stacklevel=5)

    def _answers(
        self, texts: Sequence[Any], blank: set[int], refused: RowErrors | None
    ) -> list[Any]:
        """The answers in the texts, "" where there is none; the rows of those are added to `blank`.

        What is no str is left for the check of texts.
        """
        answers = [*texts]
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                continue
            try:
                answer = self._find(text) if self._find is not None else text
                if answer is None:
                    blank.add(row)
                answers[row] = answer or ""
            except Exception as error:
                if refused is None:
                    raise
                refused.add(row, error)
                answers[row] = ""
        return answers

    def _fill(
        self,
        found: list[list[float]],
        prepared: Prepared[dict[str, Score]],
        part: TextColumn,
        refused: RowErrors | None,
        blank: set[int],
    ) -> None:
        """Append the scores of a group to those of each term."""
        blocks = prepared.blocks(part, self._workers, refused)
        for term, (block, metric, field) in enumerate(self._places):
            found[term] += blocks[block][metric, field].tolist()
        if not refused and not blank:
            return
        rows = range(part.first, part.first + len(part))
        bad = [row for row in rows if row in blank or (refused and row in refused)]
        worst = self._worst(prepared) if bad else ()
        for row in bad:
            for scores, score in zip(found, worst, strict=True):
                scores[row] = score

    def _worst(self, prepared: Prepared[dict[str, Score]]) -> list[float]:
        """Return the score of a refused text for each term."""
        tried = []
        for text in ("", _NOWHERE):
            with suppress(Exception):  # a callable may fail for every text
                tried.append(prepared.score(text))
        worst = []
        for term, weight in zip(self._terms, self._given, strict=True):
            if weight < 0:
                worst.append(float(term.higher_is_better))
                continue
            scores = [term.of(found) for found in tried]
            worst.append(next((score for score in scores if not math.isnan(score)), math.nan))
        return worst

    def _penalties(self, texts: Sequence[Any], lost: Collection[int]) -> dict[str, list[float]]:
        """Return what each penalty takes off each reward; all of it from `lost`."""
        given = {"length_penalty": self._penalty, "repetition_penalty": self._repetition}
        return {
            name: _taken(penalty, texts, lost)
            for name, penalty in given.items()
            if penalty is not None
        }

    def _judge_by_preset(self, judge: PresetJudge, given: Given) -> Judged:
        judge.check(given)
        read = self._read(given)
        missing: set[int] = set()
        found, parts, lacks = self._columns_by_preset(judge, given, read, missing)
        lost = incomplete = missing
        if read.refused or read.blank or lacks or self.missing is not None:
            self._tell(read.refused, missing)
            lost = read.lost - missing
            incomplete = {*missing, *(judge.missing(given, strict=False) if lacks else ())}
            if self.missing is not None:
                incomplete |= {row for row, text in enumerate(read.texts) if text is None} - lost
            for row in lost | incomplete:
                found[row] = judge.floor
                for column in parts.values():
                    column[row] = 0.0
        if self._penalty is not None:
            parts["length_penalty"] = lengths = _taken(self._penalty, read.texts, lost)
            pairs = zip(found, lengths, strict=True)
            found = [max(judge.floor, reward - less) for reward, less in pairs]
        rewards: list[float | None] = [*clipped(found, self._low, self._high)]
        if self.missing is not None:
            for row in incomplete:
                rewards[row] = self.missing
        return Judged(rewards, parts)

    def _columns_by_preset(
        self, judge: PresetJudge, given: Given, read: _Read, missing: set[int]
    ) -> tuple[list[float], dict[str, list[float]], bool]:
        """The rewards, the columns of the parts, and whether some row lacks what a preset needs."""
        found: list[float] = []
        columns: list[list[float]] = []
        lacks = False
        for group, kept in self._groups(read, judge.kept, missing):
            if kept is None:
                rewards = [judge.floor] * len(group)
                values = [[0.0] * len(group) for _ in judge.part_names]
            else:
                if kept.lacks:
                    lacks = True
                    if self.missing is None and self.on_error == "raise":
                        judge.missing(given, strict=True)  # raises
                part = read.part(group)
                rewards, values, english = judge.kernel.judge(
                    kept.kernels, kept.ground, part, self._workers, read.refused
                )
                if not english:
                    judge.warn(part)
            if not columns:  # usually there is one group
                found, columns = rewards, values
                continue
            found += rewards
            for column, more in zip(columns, values, strict=True):
                column.extend(more)
        columns = columns or [[] for _ in judge.part_names]
        return found, dict(zip(judge.part_names, columns, strict=True)), lacks


_PLACES: dict[Any, list[Any]] = {}  # of each event loop with calls: a semaphore, and how many


async def in_thread(
    call: Callable[..., Kept], *given: Any, computes: bool = True, **options: Any
) -> Kept:
    """Return what a call returns, from a thread; meanwhile the event loop goes on.

    Of calls that only compute, one processor is left to the loop: with more threads than processors
    a loop that wakes would wait until one of them has to leave its processor.
    """
    import asyncio

    if not computes:
        return await asyncio.to_thread(call, *given, **options)
    loop = asyncio.get_running_loop()
    if loop not in _PLACES:
        _PLACES[loop] = [asyncio.Semaphore(max(1, check_workers(-1) - 1)), 0]
    places = _PLACES[loop]
    places[1] += 1
    try:
        async with places[0]:
            return await asyncio.to_thread(call, *given, **options)
    finally:
        places[1] -= 1
        if not places[1]:  # a semaphore holds its loop, which may have ended
            del _PLACES[loop]


def _taken(
    penalty: LengthPenalty | RepetitionPenalty, texts: Sequence[Any], lost: Collection[int]
) -> list[float]:
    """Return what a penalty takes off the reward of each text; all of it from `lost`."""
    return [
        float(penalty.weight) if row in lost else penalty.of(text) if isinstance(text, str) else 0.0
        for row, text in enumerate(texts)
    ]


def _place(suite: Suite, term: Term) -> tuple[int, int, int]:
    """Return the position of a term in `Prepared.blocks`: block, metric, field."""
    block = next(i for i, group in enumerate(suite.groups) if term.metric in group)
    metric = suite.groups[block].index(term.metric)
    return block, metric, term.metric.fields.index(term.field)


def make_rewards(metrics: Any, preset: str | None, options: dict[str, Any]) -> Rewards:
    """Rewards of metrics, or of a preset.

    >>> make_rewards(None, "content", {"missing": 0.0}).name
    'content'
    """
    if preset is None:
        return Rewards(DEFAULT if metrics is None else metrics, **options)
    if metrics is not None:
        raise TypeError(f"metrics and preset={preset!r} cannot be combined; give one of them")
    return Rewards.preset(preset, **options)


def without_none(
    metrics: Any, preset: str | None, options: dict[str, Any], trainer: str
) -> Rewards:
    """Rewards for a trainer that takes no None: `missing` is a number, 0 by default.

    With a preset a text that lacks its references stays an error unless `missing` is given.

    >>> without_none("rouge1", None, {}, "verl")(["the cat"], [None])
    [0.0]
    """
    if preset is None:
        options = {"missing": 0.0, **options}
    if options.get("missing", 0.0) is None:
        raise TypeError(f"missing is None; give a number, for {trainer} takes no None")
    return make_rewards(metrics, preset, options)


class RewardFunction:
    """A reward with the name that a trainer logs it under."""

    def __init__(self, rewards: Rewards, name: str | None = None) -> None:
        self.rewards = rewards
        self.__name__ = name or rewards.name
