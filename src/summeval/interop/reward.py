"""Scores as rewards: weighted, shaped, and fast for groups with shared references.

The core of the adapters for training loops (`trl`, `verl`, `openrlhf`). Threads may share one.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

from summeval._core.columns import columns
from summeval._core.columns.columns import TextColumn
from summeval._core.rows.record import Score
from summeval._options import check_number, check_workers, whole
from summeval.interop.shared.terms import Term, Terms, choose
from summeval.metrics.run.base import Metric
from summeval.metrics.run.protocols import OnError
from summeval.metrics.run.refusals import Refused, refusals
from summeval.metrics.run.suite import Prepared, Suite

CACHE_SIZE = 256
_NOWHERE = "zqxjkvwqz"  # a word that no text contains

# The references or source of a candidate: one text, several, or none.
Texts = str | Sequence[str | None] | None
Key = str | tuple[str | None, ...] | None


@dataclass(frozen=True)
class LengthPenalty:
    """A penalty on the reward of long texts.

    Nothing up to `limit - buffer` words, then linearly more, `weight` from `limit` words on: the
    soft overlong punishment of Yu et al. 2025, "DAPO: An Open-Source LLM Reinforcement Learning
    System at Scale", section 3.4, eq. 13, there in model tokens. Words are separated by blanks.

    Raises
    ------
    ValueError
        Unless 0 <= buffer <= limit and weight >= 0.

    Examples
    --------
    >>> penalty = LengthPenalty(limit=6, buffer=4, weight=0.5)
    >>> [penalty.of(words * "word ") for words in (2, 4, 6, 60)]
    [0.0, 0.25, 0.5, 0.5]
    """

    limit: int
    buffer: int = 0
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.buffer <= self.limit:
            raise ValueError(f"buffer is {self.buffer!r}; give from 0 to limit ({self.limit!r})")
        if not self.weight >= 0:
            raise ValueError(f"weight is {self.weight!r}; give a number of at least 0")

    def of(self, text: str) -> float:
        """The penalty of a text, from 0 to `weight`."""
        over = len(text.split()) - (self.limit - self.buffer)
        if over <= 0:
            return 0.0
        return self.weight * min(over / self.buffer, 1.0) if self.buffer else self.weight


class PreparedCache:
    """An LRU cache of prepared references.

    Parameters
    ----------
    suite : Suite
    size : int
        Maximum number of sets. A set of 50 tokens takes about 15 KB, one of 700 tokens about 300
        KB, for `rouge1`, `rouge2` and `rougeL`: at most 80 MB for 256 long ones.
    """

    def __init__(self, suite: Suite, size: int = CACHE_SIZE) -> None:
        number = whole(size)
        if number is None or number < 0:
            raise ValueError(f"cache_size is {size!r}; give a number of sets, 0 to keep none")
        self._suite = suite
        self.size = number
        self._kept: OrderedDict[tuple[Key, Key], Prepared[dict[str, Score]]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, references: Key, source: Key) -> Prepared[dict[str, Score]]:
        """The prepared references and source, from the cache if possible."""
        key = (references, source)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        # Outside the lock: two threads may prepare the same set at once, with the same result.
        found = self._suite.prepare(references, source=source)
        with self._lock:
            self._kept[key] = found
            if len(self._kept) > self.size:
                self._kept.popitem(last=False)
        return found


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
    missing : float, optional
        The reward of a text with nothing to compare it with; None by default. No reward is NaN.
    on_error : {"raise", "skip"}
        What to do with a refused text: it is not a str, contains an unpaired surrogate or is too
        long for a metric, or a callable of yours fails for it. "raise" ends the call; with "skip"
        the text has the lowest reward, and a warning says so once: that of an empty text or, for a
        metric that gives that no score, of a word that occurs nowhere, with the text's own length
        penalty; a term of a negative weight counts as 1. If its references or its source are
        refused, it has nothing to compare it with.
    cache_size : int
        Number of prepared sets of references to cache; see `PreparedCache`.
    workers : int
        Number of threads per group; -1 means one per processor. The rewards do not depend on it.

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
    """

    def __init__(
        self,
        metrics: Terms | Mapping[str | Metric, float] = "rougeLsum",
        *,
        field: str | None = None,
        clip: tuple[float | None, float | None] | None = None,
        length_penalty: LengthPenalty | None = None,
        missing: float | None = None,
        on_error: OnError = "raise",
        cache_size: int = CACHE_SIZE,
        workers: int = 1,
    ) -> None:
        weights = _weights(metrics)
        suite, self._terms = choose(weights, field)
        for term, weight in zip(self._terms, weights.values(), strict=True):
            check_number(f"the weight of {term.name}", weight)
        self._weights = [
            float(weight) if term.higher_is_better else -float(weight)
            for term, weight in zip(self._terms, weights.values(), strict=True)
        ]
        self._given = [float(weight) for weight in weights.values()]
        self._places = [_place(suite, term) for term in self._terms]
        self._suite = suite
        self._low, self._high = _bounds(clip)
        if length_penalty is not None and not isinstance(length_penalty, LengthPenalty):
            kind = type(length_penalty).__name__
            raise TypeError(f"length_penalty is {kind}; give a LengthPenalty(limit=...)")
        self._penalty = length_penalty
        if missing is not None and (not isinstance(missing, Real) or math.isnan(missing)):
            raise ValueError(f"missing is {missing!r}; give a number or None")
        self.on_error: OnError = on_error
        refusals(on_error)  # raises for another word
        self._has_warned = False
        self.missing = missing
        self._workers = check_workers(workers)
        self._cache = PreparedCache(suite, cache_size)
        self.name = "+".join(term.name for term in self._terms)

    @property
    def reads(self) -> tuple[str, ...]:
        """The texts needed for comparison: "references", "source", both or neither."""
        return self._suite.reads

    @property
    def signature(self) -> Mapping[str, str]:
        """The signature of each metric, by its name."""
        return self._suite.signature

    def __call__(
        self,
        texts: Sequence[str],
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
    ) -> list[float | None]:
        """The reward of each text.

        Parameters
        ----------
        texts : sequence of str
            None counts as a text without references.
        references : sequence of str, of sequences of str, or of None, optional
            One item for each text. Consecutive texts with equal references share their preparation.
        sources : the same, optional
            The input, for metrics that compare with it.

        Raises
        ------
        TypeError, ValueError
            Naming the row: a text that is neither str nor None; lengths that differ.
        """
        return self.shape(self.scores(texts, references, sources), texts)

    @property
    def columns(self) -> list[str]:
        """The names of the terms, in the order of `scores`."""
        return [term.name for term in self._terms]

    def scores(
        self,
        texts: Sequence[str],
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
    ) -> list[list[float]]:
        """The scores of all texts for each term, before weights and signs; NaN means no score.

        A refused text has the scores that make its reward the lowest; with `on_error="skip"` an
        exception instead of a text gives the caller's reason to refuse it.
        """
        refused = refusals(self.on_error)
        if refused is not None:
            for row, text in enumerate(texts):
                if isinstance(text, Exception):
                    refused.add(row, text)
            texts = [None if isinstance(text, Exception) else text for text in texts]
        column = columns.texts(texts, "texts", refused=refused)
        rows = len(column)
        references = [None] * rows if references is None else references
        for name, items in (("references", references), ("sources", sources)):
            if items is not None and len(items) != rows:
                raise ValueError(f"{rows} texts but {len(items)} {name}; give one for each")
        found: list[list[float]] = [[] for _ in self._terms]
        missing: set[int] = set()  # rows that have nothing to be compared with
        end = 0
        while end < rows:
            begin = end
            try:
                key = _key_of(references, sources, begin)
                end = _end_of_group(key, references, sources, begin)
                prepared = self._cache.get(*key)
            except Exception as error:
                if refused is None:
                    raise
                end = max(end, begin + 1)
                refused.add(begin, error)
                missing.update(range(begin, end))
                for scores in found:
                    scores.extend([math.nan] * (end - begin))
                continue
            part = column if end - begin == rows else column.part(begin, end)
            self._fill(found, prepared, part, refused)
        if refused and not self._has_warned:
            self._has_warned = True
            first = min(refused)
            reward = "no reward but `missing`" if first in missing else "the lowest reward"
            warnings.warn(
                f"{refused[first]}; its text has {reward}, as all such texts (told once)",
                RuntimeWarning,
                stacklevel=3,
            )
        return found

    def _fill(
        self,
        found: list[list[float]],
        prepared: Prepared[dict[str, Score]],
        part: TextColumn,
        refused: Refused | None,
    ) -> None:
        """Append the scores of a group to those of each term."""
        blocks = prepared.blocks(part, self._workers, refused)
        for term, (block, metric, field) in enumerate(self._places):
            found[term] += blocks[block][metric, field].tolist()
        if not refused:
            return
        rows = range(part.first, part.first + len(part))
        bad = [row for row in rows if row in refused]
        worst = self._worst(prepared) if bad else ()
        for row in bad:
            for scores, score in zip(found, worst, strict=True):
                scores[row] = score

    def _worst(self, prepared: Prepared[dict[str, Score]]) -> list[float]:
        """The score of a refused text for each term."""
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

    def shape(self, scores: Sequence[Sequence[float]], texts: Sequence[str]) -> list[float | None]:
        """The reward of each text from the result of `scores`."""
        rewards = [0.0] * len(texts)
        for weight, column in zip(self._weights, scores, strict=True):
            rewards = [sum_ + weight * score for sum_, score in zip(rewards, column, strict=True)]
        if self._penalty is not None:
            rewards = [
                reward - self._penalty.of(text) if isinstance(text, str) else reward
                for reward, text in zip(rewards, texts, strict=True)
            ]
        if self._low is not None:
            rewards = [self._low if reward < self._low else reward for reward in rewards]
        if self._high is not None:
            rewards = [self._high if reward > self._high else reward for reward in rewards]
        missing = self.missing
        return [missing if math.isnan(reward) else reward for reward in rewards]

    def means(self, scores: Sequence[Sequence[float]]) -> dict[str, float]:
        """The mean of each term over the texts that have it; terms without scores are left out.

        >>> rewards = Rewards(["rouge1", "rouge2"])
        >>> rewards.means([[0.5, 1.0], [0.0, math.nan]])
        {'rouge1': 0.75, 'rouge2': 0.0}
        """
        found = {}
        for name, column in zip(self.columns, scores, strict=True):
            present = [score for score in column if not math.isnan(score)]
            if present:
                found[name] = math.fsum(present) / len(present)
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_cache": self._cache.size}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._cache = PreparedCache(self._suite, state["_cache"])


def _weights(metrics: Terms | Mapping[str | Metric, float]) -> dict[str | Metric, float]:
    if isinstance(metrics, Mapping):
        return dict(metrics)
    return dict.fromkeys([metrics] if isinstance(metrics, (str, Metric)) else metrics, 1.0)


def _bounds(clip: object) -> tuple[float | None, float | None]:
    """The bounds in `clip`; None means unbounded."""
    if clip is None:
        return None, None
    pair = list(clip) if isinstance(clip, Sequence) and not isinstance(clip, str) else []
    numbers = [bound for bound in pair if bound is not None]
    known = all(isinstance(bound, Real) and not math.isnan(bound) for bound in numbers)
    if len(pair) != 2 or not known or (len(numbers) == 2 and numbers[0] > numbers[1]):
        raise ValueError(f"clip is {clip!r}; give (low, high)")
    return pair[0], pair[1]


def _place(suite: Suite, term: Term) -> tuple[int, int, int]:
    """The position of a term in `Prepared.blocks`: block, metric, field."""
    block = next(i for i, group in enumerate(suite.groups) if term.metric in group)
    metric = suite.groups[block].index(term.metric)
    return block, metric, term.metric.fields.index(term.field)


def _key_of(
    references: Sequence[Texts], sources: Sequence[Texts] | None, row: int
) -> tuple[Key, Key]:
    """The cache key of a row: its references and source."""
    source = None
    if sources is not None:
        source = () if sources[row] is None else _key(sources[row], "sources", row)
    return _key(references[row], "references", row), source


def _end_of_group(
    key: tuple[Key, Key],
    references: Sequence[Texts],
    sources: Sequence[Texts] | None,
    begin: int,
) -> int:
    """The end of the run of rows with the same references and source as `begin`."""
    end, rows = begin + 1, len(references)
    texts, source = references[begin], None if sources is None else sources[begin]
    while end < rows:
        # usually the same object, which needs no comparison
        if references[end] is not texts and not _is_of(references[end], key[0]):
            break
        if sources is not None and sources[end] is not source and not _is_of(sources[end], key[1]):
            break
        end += 1
    return end


def _is_of(texts: Any, key: Key) -> bool:
    """Whether a key matches these texts."""
    if isinstance(texts, (list, tuple)):
        return tuple(texts) == key
    return isinstance(texts, str) and texts == key


def _key(texts: Texts, name: str, row: int) -> Key:
    """References as a hashable value."""
    if texts is None or isinstance(texts, str):
        return texts
    if not isinstance(texts, (list, tuple)):
        kind = type(texts).__name__
        raise TypeError(f"{name}[{row}] is {kind}; pass a str or a list of str")
    for i, text in enumerate(texts):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{name}[{row}][{i}] is {type(text).__name__}; pass a str")
    return tuple(texts)
