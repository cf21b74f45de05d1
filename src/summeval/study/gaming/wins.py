"""How often an honest summary has a higher score than its degenerate twin."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from summeval.study.gaming.attacks import APART, ATTACKS, LEAST_WORDS, Case, twin
from summeval.study.result import Study, StudyTable

PEOPLE = "people"
MEAN = "all but lead"


@dataclass(frozen=True)
class Scorer:
    """A metric or a reward under test; higher is better.

    Attributes
    ----------
    name : str
    sees : tuple of str
        What it compares a text with: "references", "source", both or neither.
    score : callable
        Takes texts, the references of each and the source of each; returns a number for each
        text, None or NaN where it has none.
    """

    name: str
    sees: tuple[str, ...]
    score: Callable[[list[str], list[list[str]], list[list[str]]], Sequence[float | None]]


@dataclass(frozen=True)
class Honest:
    """An honest summary of a system or a person."""

    topic: str
    system: str
    case: Case


@dataclass
class Tally:
    """Pairs of one scorer and one attack."""

    wins: dict[str, int]  # of each topic
    ties: int
    pairs: dict[str, int]

    @property
    def total(self) -> int:
        """The number of pairs."""
        return sum(self.pairs.values())

    @property
    def share(self) -> float:
        """The share of pairs that the honest summary wins; NaN without pairs."""
        return sum(self.wins.values()) / self.total if self.total else math.nan


def honest_summaries(
    rows: Iterable[tuple[str, str, str | None, Sequence[str] | None, Sequence[str] | None]],
) -> list[Honest]:
    """The summaries of rows, and the first of several references of a topic as one of a person.

    Parameters
    ----------
    rows : iterable of (topic, system, text, references, source)

    Returns
    -------
    list of Honest
        Those of at least 5 words. Each has a summary of another topic beside it: of the same
        system, if it has one. A person's summary has the other references.
    """
    found: list[tuple[str, str, str, tuple[str, ...], tuple[str, ...]]] = []
    people: set[str] = set()
    for topic, system, text, references, source in rows:
        told, given = tuple(references or ()), tuple(source or ())
        found.append((topic, system, text or "", told, given))
        if topic not in people and len(told) > 1:
            people.add(topic)
            found.append((topic, PEOPLE, told[0], told[1:], given))
    found = [row for row in found if len(row[2].split()) >= LEAST_WORDS]
    others = _others([(row[0], row[1], row[2]) for row in found])
    return [
        Honest(topic, system, Case(text, references, source, other))
        for (topic, system, text, references, source), other in zip(found, others, strict=True)
    ]


def _others(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """For each (topic, system, text) a text of the next topic, of the same system if it has one."""
    topics = sorted({row[0] for row in rows})
    following = {topic: topics[(place + 1) % len(topics)] for place, topic in enumerate(topics)}
    of_system = {(topic, system): text for topic, system, text in reversed(rows)}
    of_topic = {topic: text for topic, _, text in reversed(rows)}
    found = []
    for topic, system, _ in rows:
        after = following[topic]
        text = of_system.get((after, system), of_topic[after])
        found.append("" if after == topic else text)
    return found


def tally(
    summaries: Sequence[Honest],
    scorers: Sequence[Scorer],
    attacks: Sequence[str] = tuple(ATTACKS),
    *,
    seed: int = 0,
    update: Callable[[int], object] = lambda _: None,
) -> dict[tuple[str, str], Tally]:
    """The pairs of each scorer and attack, by their names.

    A pair counts as won if the honest summary has the higher score. A text without a score is
    below every other; two of those tie. A scorer leaves out the summaries that lack what it sees.

    Parameters
    ----------
    summaries : sequence of Honest
    scorers : sequence of Scorer
    attacks : sequence of str
        Keys of ATTACKS.
    seed : int
        Of the attacks.
    update : callable
        Called with the number of summaries done.
    """
    found = {(scorer.name, attack): Tally({}, 0, {}) for scorer in scorers for attack in attacks}
    for done, honest in enumerate(summaries, start=1):
        case = honest.case
        made = [(attack, twin(attack, case, f"{seed}|{honest.topic}")) for attack in attacks]
        pairs = [(attack, text) for attack, text in made if text is not None]
        texts = [case.text, *(text for _, text in pairs)]
        given = {"references": case.references, "source": case.source}
        for scorer in scorers:
            if not all(given[what] for what in scorer.sees):
                continue
            rows = len(texts)
            scores = scorer.score(texts, [[*case.references]] * rows, [[*case.source]] * rows)
            own, *rest = [number_of(score) for score in scores]
            for (attack, _), other in zip(pairs, rest, strict=True):
                one = found[scorer.name, attack]
                one.pairs[honest.topic] = one.pairs.get(honest.topic, 0) + 1
                one.wins[honest.topic] = one.wins.get(honest.topic, 0) + (own > other)
                one.ties += own == other
        update(done)
    return found


def number_of(score: float | None) -> float:
    return -math.inf if score is None or math.isnan(score) else score


def pooled(tallies: Iterable[Tally]) -> Tally:
    """The pairs of several attacks together."""
    wins: dict[str, int] = {}
    pairs: dict[str, int] = {}
    ties = 0
    for one in tallies:
        ties += one.ties
        for topic, count in one.pairs.items():
            pairs[topic] = pairs.get(topic, 0) + count
            wins[topic] = wins.get(topic, 0) + one.wins[topic]
    return Tally(wins, ties, pairs)


def interval(
    one: Tally, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile bootstrap of the share over topics; NaN without pairs."""
    topics = sorted(one.pairs)
    if not topics:
        return math.nan, math.nan
    wins = np.array([one.wins[topic] for topic in topics], dtype=np.float64)
    pairs = np.array([one.pairs[topic] for topic in topics], dtype=np.float64)
    draws = np.random.default_rng(seed).integers(0, len(topics), (resamples, len(topics)))
    shares = wins[draws].sum(axis=1) / pairs[draws].sum(axis=1)
    low, high = np.quantile(shares, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def study_gaming(
    summaries: Sequence[Honest],
    scorers: Sequence[Scorer],
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    signatures: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    update: Callable[[int], object] = lambda _: None,
) -> Study:
    """The share of pairs that honest summaries win, for each scorer and attack.

    Returns
    -------
    Study
        Tables `shares`, an attack a row, and `pairs`, with intervals over topics and ties.
    """
    found = tally(summaries, scorers, seed=seed, update=update)
    shares: list[dict[str, Any]] = [
        {"attack": "sees", **{scorer.name: "+".join(scorer.sees) for scorer in scorers}}
    ]
    pairs = []
    for attack in (*(name for name in ATTACKS if name not in APART), MEAN, *APART):
        line: dict[str, Any] = {"attack": attack}
        for scorer in scorers:
            parts = [name for name in ATTACKS if name not in APART] if attack == MEAN else [attack]
            one = pooled(found[scorer.name, name] for name in parts)
            bounds = interval(one, resamples=resamples, confidence=confidence, seed=seed)
            line[scorer.name] = None if math.isnan(one.share) else f"{one.share:.3f}"
            pairs.append(
                {
                    "scorer": scorer.name,
                    "sees": "+".join(scorer.sees),
                    "attack": attack,
                    "pairs": one.total,
                    "share": one.share,
                    "interval": bounds,
                    "ties": one.ties,
                }
            )
        shares.append(line)
    topics = {honest.topic for honest in summaries}
    systems = {honest.system for honest in summaries}
    return Study(
        "gaming",
        "Share of pairs in which the honest summary has the higher score than its degenerate twin",
        [
            StudyTable("shares", "Share won, by attack", shares),
            StudyTable("pairs", "Pairs, with intervals over topics", pairs, shown=0),
        ],
        settings={"bootstrap": resamples, "confidence": confidence, **(settings or {})},
        seed=seed,
        signatures=signatures or {},
        notes=notes,
        values={"summaries": len(summaries), "topics": len(topics), "systems": len(systems)},
    )
