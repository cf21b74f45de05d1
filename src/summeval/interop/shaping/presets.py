"""Presets of rewards: parts with weights and minimums, and guards of the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._core.guards.guards import PresetKernel
from summeval._core.likeness.likeness import LikenessKernel
from summeval._core.rows.kernel import PreparedTexts
from summeval._options import check_choice
from summeval.interop.shaping import CACHE_SIZE, Cache, Given, Key, Texts
from summeval.interop.shaping import guards as guarding
from summeval.interop.shaping.penalties import RepetitionPenalty
from summeval.interop.shared import Term
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.base import Metric
from summeval.metrics.run.suite import Suite
from summeval.text.function_words import is_not_english

if TYPE_CHECKING:
    from summeval._core.columns.columns import TextColumn
    from summeval.metrics.run.declared import Declared

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

    def kernel(
        self, columns: Mapping[str, tuple[int, bool]], repetition: RepetitionPenalty | None = None
    ) -> PresetKernel:
        """Return what makes the rewards.

        Parameters
        ----------
        columns : mapping of str to (int, bool)
            Where each term stands among the scores, and whether a higher score is better.
        repetition : RepetitionPenalty, optional
        """
        weight, run = (0.0, 1) if repetition is None else (repetition.weight, repetition.words)
        parts = []
        for part in self.parts:
            shares = [(*columns[name], share) for name, share in part.terms.items()]
            scale = part.weight, part.worst, part.cap, part.minimum, part.top
            parts.append(([(column, share, rises) for column, rises, share in shares], *scale))
        return PresetKernel(guarding.kernel_of(run), parts, _FORM, _BEYOND, weight)


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


_ARGUMENTS = {"references": "references", "source": "sources"}


class Kept(NamedTuple):
    """What texts are compared with: read by the kernels of the metrics, and by the guards.

    `lacks` says whether it is not all that the preset needs.
    """

    kernels: tuple[PreparedTexts, ...]
    ground: PreparedTexts
    lacks: bool


class PresetJudge:
    """Makes the rewards of a preset.

    Parameters
    ----------
    preset : Preset
    suite : Suite
        Of its metrics.
    terms : sequence of Term
        Those of the preset, in its order.
    repetition : RepetitionPenalty or None
    cache_size : int

    Attributes
    ----------
    part_names : list of str
        The parts and guards, in the order of the kernel.
    kept : Cache
        What references and sources were made into.
    kernel : PresetKernel
    floor : float
        The lowest reward.
    """

    floor = 0.0

    def __init__(
        self,
        preset: Preset,
        suite: Suite,
        terms: Sequence[Term],
        repetition: RepetitionPenalty | None,
        cache_size: int = CACHE_SIZE,
    ) -> None:
        self._given = preset, suite, terms, repetition, cache_size
        self.preset = preset
        self._suite = suite
        self.kept = Cache(self._read, cache_size)
        self.part_names = [*(part.name for part in preset.parts), *guarding.NAMES, "repetition"]
        columns = [column for group in suite.groups for metric in group for column in _of(metric)]
        places = {
            name: (columns.index(term.column), term.higher_is_better)
            for name, term in zip(preset.terms, terms, strict=True)
        }
        self.kernel = preset.kernel(places, repetition)
        self._kernels = [  # no part takes a flow
            (kernel.without_flow() if isinstance(kernel, LikenessKernel) else kernel, side)
            for kernel, side in suite.kernels
        ]

    def __reduce__(self) -> tuple[type[PresetJudge], tuple[Any, ...]]:
        return PresetJudge, self._given

    def check(self, given: Given) -> None:
        """Raise ValueError unless the arguments that the preset needs are there."""
        for name in self.preset.sees:
            if getattr(given, _ARGUMENTS[name]) is None:
                raise ValueError(
                    f"the preset {self.preset.name!r} compares with the {name}; pass"
                    f" {_ARGUMENTS[name]}="
                )

    def missing(self, given: Given, *, strict: bool) -> set[int]:
        """Return the rows without what the preset needs; if `strict`, raises for the first of them.

        Raises
        ------
        ValueError
            If `strict`: a row has none.
        """
        missing: set[int] = set()
        for name in self.preset.sees:
            items: Sequence[Texts] = getattr(given, _ARGUMENTS[name])
            missing.update(row for row, item in enumerate(items) if not _is_given(item))
            if missing and strict:
                place = f"{_ARGUMENTS[name]}[{min(missing)}]"
                raise ValueError(
                    f"{place} is empty, but the preset {self.preset.name!r} needs the {name}; give"
                    " it, or set missing= for such rows"
                )
        return missing

    def warn(self, texts: TextColumn) -> None:
        """Warn of texts that seem not to be English, as a batch of them would."""
        self._suite.warn_of(texts)

    def _read(self, references: Key, *, source: Key) -> Kept:
        given = {"references": references, "source": source}
        own, others = _given(references), _given(source)
        if is_not_english(own + others):
            self._suite.warn_not_english(references, source)
        kernels = tuple([kernel.prepare(given[side]) for kernel, side in self._kernels])
        sees = self.preset.sees
        ground = self.kernel.guards.ground(own, others if "source" in sees else ())
        return Kept(kernels, ground, not all(_is_given(given[name]) for name in sees))


def _of(metric: Declared) -> list[str]:
    """Return the names of a metric's columns."""
    return [f"{metric.name}.{field}" for field in metric.fields]


def _given(key: Key) -> tuple[str | None, ...]:
    return key if isinstance(key, tuple) else (key,)


def _is_given(texts: Texts) -> bool:
    """Return whether there is a text that is not blank; what is no text is refused later."""
    if texts is None or isinstance(texts, str):
        return bool(texts and texts.strip())
    if not isinstance(texts, (list, tuple)):
        return True
    return any(not isinstance(text, str) or text.strip() for text in texts if text is not None)
