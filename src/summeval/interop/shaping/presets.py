"""Presets of rewards: parts with weights and minimums, and guards of the form."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from summeval._options import check_choice
from summeval.interop.shaping import CACHE_SIZE, Cache, Given, Key, Texts, end_of_group, key_of
from summeval.interop.shaping import guards as guarding
from summeval.interop.shaping.guards import Ground
from summeval.interop.shaping.penalties import RepetitionPenalty
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.base import Metric

_BEYOND = 0.1  # how fast a part grows beyond its cap
# What form alone gives: of two texts without any content the better formed one is rewarded more.
_FORM = 0.02


@dataclass(frozen=True)
class Part:
    """A part of a preset: the mean of some scores, on a scale from 0 to 1, a perfect score.

    Attributes
    ----------
    name : str
    terms : mapping of str to float
        Scores and their shares, which add up to 1. Of a score that is better when lower, 1 less
        the score counts.
    weight : float
    worst : float
        The score that counts as 0.
    cap : float
        The score beyond which the part grows a tenth as fast.
    minimum : float
        Below this share of the way from `worst` to `cap` the whole reward falls in proportion, so
        that no other part makes up for this one.
    top : float
        How far on that way, and beyond the cap, a perfect score gets.
    """

    name: str
    terms: Mapping[str, float]
    weight: float
    worst: float
    cap: float
    minimum: float
    top: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "top", self._way(1.0))

    def scaled(self, score: float) -> float:
        """Return the score on the scale of the part.

        >>> part = Part("words", {"rouge1": 1.0}, 1.0, worst=0.0, cap=0.5, minimum=0.2)
        >>> [round(part.scaled(score), 2) for score in (0.0, 0.25, 0.5, 0.75, 1.0)]
        [0.0, 0.45, 0.91, 0.95, 1.0]
        """
        return self._way(score) / self.top

    def _way(self, score: float) -> float:
        found = (score - self.worst) / (self.cap - self.worst)
        if found > 1.0:
            return 1.0 + _BEYOND * (found - 1.0)
        return 0.0 if found < 0.0 else found


@dataclass(frozen=True)
class Preset:
    """A combination of parts that is hard to game.

    The reward is the weighted sum of the parts before they are scaled, over that of perfect scores,
    times a factor for each part below its minimum, times the guards (`shaping.guards`), times 1
    less the penalty of repetition.

    Attributes
    ----------
    name : str
    sees : tuple of str
        What a completion is compared with: "references", "source" or both.
    parts : tuple of Part
    """

    name: str
    sees: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def terms(self) -> list[str]:
        """The names of all scores that the parts take."""
        return list(dict.fromkeys(term for part in self.parts for term in part.terms))

    @property
    def metrics(self) -> list[str | Metric]:
        """The metrics of these scores; ROUGE reads the words of every script."""
        return [_MADE.get(term, term) for term in self.terms]

    @property
    def signature(self) -> str:
        """The parts of the reward, in one line."""
        parts = []
        for part in self.parts:
            sum_ = "+".join(f"{share:g}*{name}" for name, share in part.terms.items())
            scale = f"[{part.worst:g},{part.cap:g}]>={part.minimum:g}"
            parts.append(f"{part.name}:{part.weight:g}*({sum_}){scale}")
        return "|".join([f"preset:{self.name}", *parts, f"guards:{guarding.VERSION}", "top:1"])

    def value(self, parts: Sequence[float], guard: float) -> float:
        """The reward of a text from its parts on their scales and the product of its guards."""
        total, most, met = 0.0, 0.0, 1.0
        for part, scaled in zip(self.parts, parts, strict=True):
            total += part.weight * part.top * scaled
            most += part.weight * part.top
            if scaled * part.top < part.minimum:
                met *= scaled * part.top / part.minimum
        # No clip: what is better has the higher reward up to the top.
        return guard * (_FORM + (1.0 - _FORM) * total * met) / (_FORM + (1.0 - _FORM) * most)


_WORDS = {"tesla-e.recall": 0.5, "tesla-e.pair": 0.25, "tesla-e.precision": 0.25}
_PHRASES = {"rouge2": 0.5, "rougeL": 0.5}
_MADE = {name: Rouge(name, tokenizer="unicode") for name in _PHRASES}

# Of each part the scores, the worst, the cap and the minimum.
_SCALES: dict[str, tuple[Mapping[str, float], float, float, float]] = {
    "words": (_WORDS, 0.0, 0.7, 0.3),
    "phrases": (_PHRASES, 0.0, 0.4, 0.1),
    "support": ({"support": 1.0}, -0.4, 0.7, 0.4),
}


def _preset(name: str, *sees: str, **weights: float) -> Preset:
    known = ((part, *_SCALES[part], weight) for part, weight in weights.items())
    parts = tuple(Part(p, terms, w, worst, cap, low) for p, terms, worst, cap, low, w in known)
    return Preset(name, sees, parts)


_CONTENT = _preset("content", "references", words=0.7, phrases=0.3)
_FAITHFUL = _preset("faithful", "source", support=1.0)
_OVERALL = _preset("overall", "references", "source", words=0.5, phrases=0.2, support=0.3)
PRESETS = {preset.name: preset for preset in (_CONTENT, _FAITHFUL, _OVERALL)}


def preset(name: str) -> Preset:
    """Return the preset of a name.

    Raises
    ------
    ValueError
        There is no such preset.
    """
    check_choice("preset", name, tuple(PRESETS))
    return PRESETS[name]


class PresetJudge:
    """Makes the rewards of a preset from scores, texts, references and sources.

    Parameters
    ----------
    preset : Preset
    rising : sequence of bool
        For each term of the preset whether a higher score is better.
    repetition : RepetitionPenalty or None
    cache_size : int

    Attributes
    ----------
    part_names : list of str
        The parts and guards, in the order of `judge`.
    floor : float
        The lowest reward.
    """

    floor = 0.0

    def __init__(
        self,
        preset: Preset,
        rising: Sequence[bool],
        repetition: RepetitionPenalty | None,
        cache_size: int = CACHE_SIZE,
    ) -> None:
        self.preset = preset
        self._rising = list(rising)
        self._repetition = repetition
        self._grounds = Cache(_ground, cache_size)
        self.part_names = [*(part.name for part in preset.parts), *guarding.NAMES, "repetition"]

    def lacking(self, given: Given, *, strict: bool) -> set[int]:
        """Return the rows without what the preset needs; if `strict`, raises for the first of them.

        Raises
        ------
        ValueError
            The argument is missing altogether or, if `strict`, a row has none.
        """
        lacking: set[int] = set()
        of = f"the preset {self.preset.name!r}"
        for name in self.preset.sees:
            argument = "sources" if name == "source" else name
            items: Sequence[Texts] | None = getattr(given, argument)
            if items is None:
                raise ValueError(f"{of} compares with the {name}; pass {argument}=")
            items = items[: len(given.texts)]
            lacking.update(row for row, item in enumerate(items) if not _is_given(item))
            if lacking and strict:
                raise ValueError(
                    f"{argument}[{min(lacking)}] is empty, but {of} needs the {name}; give it, or"
                    " set missing= for such rows"
                )
        return lacking

    def judge(
        self, scores: Sequence[Sequence[float]], given: Given, lost: Collection[int]
    ) -> tuple[list[float], dict[str, list[float]]]:
        """Return the reward of each text, and the value of each part and guard.

        Parameters
        ----------
        scores : sequence of sequence of float, [term, text]
        given : Given
            Sources that the preset does not see change nothing.
        lost : collection of int
            Rows that have the floor, and 0 for every part.
        """
        texts, references, sources = given
        rows = len(texts)
        sources = sources if "source" in self.preset.sees else None
        references = [None] * rows if references is None else references
        values = [(0.0,) * len(self.part_names)] * rows
        rewards = [self.floor] * rows
        scaled = self._scaled(scores, rows)
        kept = [row for row in range(rows) if row not in lost and isinstance(texts[row], str)]
        end = 0
        for row in kept:
            if row >= end:  # the next group
                key = key_of(references, sources, row)
                end = end_of_group(key, references, sources, row)
                ground = self._grounds.get(*key)
            if math.isnan(sum(scaled[row])):
                continue
            guards, words = ground.guards(texts[row])
            repetition = 1.0
            if self._repetition is not None:
                repetition = max(0.0, 1.0 - self._repetition.of_words(words))
            rewards[row] = self.preset.value(scaled[row], math.prod(guards) * repetition)
            values[row] = (*scaled[row], *guards, repetition)
        columns = zip(*values, strict=True) if rows else [[] for _ in self.part_names]
        parts = {name: [*column] for name, column in zip(self.part_names, columns, strict=True)}
        return rewards, parts

    def _scaled(self, scores: Sequence[Sequence[float]], rows: int) -> list[tuple[float, ...]]:
        """Return the parts of each text on their scales."""
        known = {
            name: column if rising else [1.0 - score for score in column]
            for name, rising, column in zip(self.preset.terms, self._rising, scores, strict=True)
        }
        made = []
        for part in self.preset.parts:
            shares = [(share, known[name]) for name, share in part.terms.items()]
            summed = [sum([share * column[row] for share, column in shares]) for row in range(rows)]
            made.append([part.scaled(score) for score in summed])
        return list(zip(*made, strict=True))


def _ground(references: Key, *, source: Key) -> Ground:
    return guarding.ground_of(*(_given(side) for side in (references, source)))


def _given(key: Key) -> list[str]:
    texts = (key,) if key is None or isinstance(key, str) else key
    return [text for text in texts if text is not None]


def _is_given(texts: Texts) -> bool:
    """Return whether there is a text that is not blank; what is no text is refused later."""
    if texts is None or isinstance(texts, str):
        return bool(texts and texts.strip())
    if not isinstance(texts, (list, tuple)):
        return True
    return any(not isinstance(text, str) or text.strip() for text in texts if text is not None)
