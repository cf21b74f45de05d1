"""How often a text made to win beats the honest one: pairs and pushes."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

import numpy as np

from summeval.meta.resampling import percentiles
from summeval.study.attacks import APART, ATTACKS, INJECTIONS, Attack, Case, sentences_of
from summeval.study.further_attacks import FURTHER, PLACES
from summeval.study.result import Row, Study, StudyTable, rows_of
from summeval.text.word_order import shipped, split

LEAST_WORDS = 5  # of an honest summary
EVERY: Mapping[str, Attack] = {**ATTACKS, **FURTHER}


def twin(name: str, case: Case, seed: int | str) -> str | None:
    """Return the twin that an attack makes of a case; None where it changes nothing.

    Parameters
    ----------
    name : str
        A key of EVERY.
    case : Case
    seed : int or str
        The same seed, attack and case make the same twin.

    Examples
    --------
    >>> case = Case("The storm hit the coast. Trains stopped for two days.")
    >>> twin("truncate", case, 0), twin("pad", case, 0)
    ('The storm hit the', None)
    """
    if len(case.text.split()) < LEAST_WORDS:
        return None
    made = EVERY[name](case, random.Random(f"{seed}|{name}|{case.text}"))
    return None if made is None or made.split() == case.text.split() else made


PEOPLE = "people"
MEAN = "all but lead"
MEAN_FURTHER = "all further"
# The rows of the tables, and which attacks are in each.
GROUPS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in ATTACKS if name not in APART},
    MEAN: tuple(name for name in ATTACKS if name not in APART),
    **{name: (name,) for name in FURTHER if name not in PLACES},
    MEAN_FURTHER: tuple(name for name in FURTHER if name not in PLACES),
    **{name: (name,) for name in (*APART, *PLACES)},
}


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

    @property
    def seen(self) -> str:
        """What it compares a text with, as tables name it."""
        return "+".join(self.sees)


@dataclass(frozen=True)
class Honest:
    """An honest summary of a system or a person."""

    topic: str
    system: str
    case: Case


@dataclass
class Tally:
    """Pairs of one scorer and one attack."""

    wins: Counter[str] = field(default_factory=Counter)  # of each topic
    ties: int = 0
    pairs: Counter[str] = field(default_factory=Counter)

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
        people_texts, given = tuple(references or ()), tuple(source or ())
        found.append((topic, system, text or "", people_texts, given))
        if topic not in people and len(people_texts) > 1:
            people.add(topic)
            found.append((topic, PEOPLE, people_texts[0], people_texts[1:], given))
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
    return [
        "" if after == topic else of_system.get((after, system), of_topic[after])
        for topic, system, _ in rows
        for after in [following[topic]]
    ]


def tally(
    summaries: Sequence[Honest],
    scorers: Sequence[Scorer],
    attacks: Sequence[str] = tuple(EVERY),
    *,
    seed: int = 0,
    update: Callable[[int], object] = lambda _: None,
) -> dict[tuple[str, str], Tally]:
    """Return the pairs of each scorer and attack, by their names.

    A pair counts as won if the honest summary has the higher score. A text without a score is
    below every other; two of those tie. A scorer leaves out the summaries that lack what it sees.

    Parameters
    ----------
    summaries : sequence of Honest
    scorers : sequence of Scorer
    attacks : sequence of str
        Keys of EVERY.
    seed : int
        Of the attacks.
    update : callable
        Called with the number of summaries done.
    """
    found = {(scorer.name, attack): Tally() for scorer in scorers for attack in attacks}
    for done, honest in enumerate(summaries, start=1):
        case = honest.case
        made = [(attack, twin(attack, case, f"{seed}|{honest.topic}")) for attack in attacks]
        pairs = [(attack, text) for attack, text in made if text is not None]
        texts = [case.text, *(text for _, text in pairs)]
        for scorer in scorers:
            if not all(getattr(case, what) for what in scorer.sees):
                continue
            own, *rest = scores_of(scorer, case, texts)
            for (attack, _), other in zip(pairs, rest, strict=True):
                one = found[scorer.name, attack]
                one.pairs[honest.topic] += 1
                one.wins[honest.topic] += own > other
                one.ties += own == other
        update(done)
    return found


def scores_of(scorer: Scorer, case: Case, texts: list[str]) -> list[float]:
    rows = len(texts)
    found = scorer.score(texts, [[*case.references]] * rows, [[*case.source]] * rows)
    return [-math.inf if score is None or math.isnan(score) else score for score in found]


def pooled(tallies: Iterable[Tally]) -> Tally:
    """Return the pairs of several attacks together."""
    found = Tally()
    for one in tallies:
        found.wins.update(one.wins)
        found.pairs.update(one.pairs)
        found.ties += one.ties
    return found


def interval(
    one: Tally, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile bootstrap of the share over topics; NaN without pairs."""
    if not (topics := sorted(one.pairs)):
        return math.nan, math.nan
    wins = np.array([one.wins[topic] for topic in topics], dtype=np.float64)
    pairs = np.array([one.pairs[topic] for topic in topics], dtype=np.float64)
    draws = np.random.default_rng(seed).integers(0, len(topics), (resamples, len(topics)))
    shares = wins[draws].sum(axis=1) / pairs[draws].sum(axis=1)
    return percentiles(shares, confidence)


def study_gaming(
    summaries: Sequence[Honest],
    scorers: Sequence[Scorer],
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    signatures: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    update: Callable[[int], object] = lambda _: None,
) -> Study:
    """Return the share of pairs that honest summaries win, for each scorer and attack.

    Parameters
    ----------
    summaries, scorers
        As of `tally`, with its `seed` and `update`.
    resamples : int
        Draws of topics for the intervals.
    confidence : float
        Confidence level of the intervals, from 0 to 1.
    seed : int
        Of the attacks and the draws.
    signatures, notes
        Of the study.

    Returns
    -------
    Study
        Tables `shares`, an attack a row, and `pairs`, with intervals over topics and ties.
    """
    found = tally(summaries, scorers, seed=seed, update=update)
    shares: list[Row] = [{"attack": "sees", **{scorer.name: scorer.seen for scorer in scorers}}]
    pairs = []
    for attack, parts in GROUPS.items():
        line: Row = {"attack": attack}
        for scorer in scorers:
            one = pooled(found[scorer.name, name] for name in parts)
            bounds = interval(one, resamples=resamples, confidence=confidence, seed=seed)
            line[scorer.name] = None if math.isnan(one.share) else f"{one.share:.3f}"
            whose = scorer.name, scorer.seen, attack
            pairs.append((*whose, one.total, one.share, bounds, one.ties))
        shares.append(line)
    columns = "scorer, sees, attack, pairs, share, interval, ties"
    pair_rows = rows_of(columns, pairs)
    sizes = {
        "summaries": len(summaries),
        "topics": len({honest.topic for honest in summaries}),
        "systems": len({honest.system for honest in summaries}),
    }
    return Study(
        "gaming",
        "Share of pairs in which the honest summary has the higher score than its degenerate twin",
        [
            StudyTable("shares", "Share won, by attack", shares),
            StudyTable("pairs", "Pairs, with intervals over topics", pair_rows, shown=0),
        ],
        settings={"bootstrap": resamples, "confidence": confidence},
        seed=seed,
        signatures=signatures or {},
        notes=notes,
        values=sizes,
    )


BEST_OF = 256
_SPAN = 12  # words that an edit moves at most


class Pushed(NamedTuple):
    """Where a search ended.

    Attributes
    ----------
    before, after : float
        The score of the honest summary, and of the text that the search found.
    text : str
        That text.
    rounds : int
        Rounds that found something better.
    edits : dict of str to int
        How often each kind of edit was kept.
    """

    before: float
    after: float
    text: str
    rounds: int
    edits: dict[str, int]


class Material(NamedTuple):
    """The words that edits take: a policy sees the source, never the references."""

    sentences: Sequence[list[str]]
    words: Sequence[str]


def delete(words: list[str], _: Material, draw: random.Random) -> list[str]:
    """Without a span of words."""
    first, end = _span(words, draw)
    return words[:first] + words[end:]


def double(words: list[str], _: Material, draw: random.Random) -> list[str]:
    """Return a span of words once more, anywhere."""
    first, end = _span(words, draw)
    place = draw.randint(0, len(words))
    return words[:place] + words[first:end] + words[place:]


def move(words: list[str], _: Material, draw: random.Random) -> list[str]:
    """Return a span of words elsewhere."""
    first, end = _span(words, draw)
    rest = words[:first] + words[end:]
    place = draw.randint(0, len(rest))
    return rest[:place] + words[first:end] + rest[place:]


def insert_sentence(words: list[str], material: Material, draw: random.Random) -> list[str]:
    """Return a sentence of the source, anywhere between words that end sentences, or first."""
    ends = [0, *(i + 1 for i, word in enumerate(words) if word.endswith((".", "!", "?")))]
    place = draw.choice(ends)
    return words[:place] + draw.choice(material.sentences) + words[place:]


def insert_span(words: list[str], material: Material, draw: random.Random) -> list[str]:
    """Return a span of a sentence of the source, anywhere."""
    given = draw.choice(material.sentences)
    first, end = _span(given, draw)
    place = draw.randint(0, len(words))
    return words[:place] + given[first:end] + words[place:]


def replace_word(words: list[str], material: Material, draw: random.Random) -> list[str]:
    """Another word of the source for one."""
    place = draw.randrange(len(words))
    return [*words[:place], draw.choice(material.words), *words[place + 1 :]]


def inject(words: list[str], _: Material, draw: random.Random) -> list[str]:
    """Words to a judge, first or last."""
    injected = draw.choice(INJECTIONS).split()
    return injected + words if draw.random() < 0.5 else words + injected


EDITS: dict[str, Callable[[list[str], Material, random.Random], list[str]]] = {
    edit.__name__: edit
    for edit in (delete, double, move, insert_sentence, insert_span, replace_word, inject)
}


def push(
    honest: Honest, scorer: Scorer, rounds: int, *, seed: int = 0, best_of: int = BEST_OF
) -> Pushed:
    """Climb from an honest summary by the best of `best_of` edits a round.

    Parameters
    ----------
    honest : Honest
    scorer : Scorer
    rounds : int
        The search ends earlier after three rounds without a better text.
    seed : int
        The same seed, summary and scorer give the same text.
    best_of : int
        Edits a round.

    Raises
    ------
    ValueError
        The summary has no source to take words from.
    """
    case = honest.case
    if not (sentences := [part.split() for part in sentences_of("\n".join(case.source))]):
        raise ValueError("the summary has no source; edits take words from it")
    material = Material(sentences, [word for sentence in sentences for word in sentence])
    draw = random.Random(f"{seed}|{honest.topic}|{honest.system}")
    words = case.text.split()
    before = best = scores_of(scorer, case, [case.text])[0]
    kept = Counter[str]()
    idle = 0
    for _ in range(rounds):
        names = [draw.choice([*EDITS]) for _ in range(best_of)]
        made = [EDITS[name](words, material, draw) or words for name in names]
        scores = scores_of(scorer, case, [" ".join(one) for one in made])
        place = max(range(best_of), key=lambda i: scores[i])
        if scores[place] <= best:
            if (idle := idle + 1) == 3:
                break
            continue
        idle, best, words = 0, scores[place], made[place]
        kept[names[place]] += 1
    return Pushed(before, best, " ".join(words), sum(kept.values()), kept)


def _span(words: list[str], draw: random.Random) -> tuple[int, int]:
    first = draw.randrange(len(words))
    return first, min(len(words), first + draw.randint(1, _SPAN))


def study_push(
    summaries: Sequence[Honest],
    scorers: Sequence[Scorer],
    rounds: int,
    *,
    seed: int = 0,
    limit: int = 10,
    notes: Sequence[str] = (),
    signatures: Mapping[str, str] | None = None,
    update: Callable[[int], object] = lambda _: None,
) -> Study:
    """Return how far each score is pushed, from one summary of each of the first `limit` topics.

    Returns
    -------
    Study
        Tables `push`, a scorer a row with medians over topics, and `texts`, a text a row. `words`
        is the number of words beside that of the honest summary, `copied` the share of runs of
        three words that the source has, `order` the word order (`text.word_order`).
    """
    chosen: dict[str, Honest] = {}
    for honest in summaries:
        if honest.case.source and honest.case.references:
            chosen.setdefault(honest.topic, honest)
    some = list(chosen.values())[:limit]
    lines: list[Row] = []
    texts: list[tuple[object, ...]] = []
    for scorer in scorers:
        found = []
        for honest in some:
            one = push(honest, scorer, rounds, seed=seed)
            found.append((honest, one))
            update(len(texts) + 1)
            whose = scorer.name, honest.topic, honest.system
            texts.append((*whose, one.before, one.after, honest.case.text, one.text))
        lines.append({"scorer": scorer.name, "sees": scorer.seen, **_summary(found)})
    columns = "scorer, topic, system, before, after, honest, pushed"
    return Study(
        "push",
        f"What the best of {BEST_OF} edits a round, {rounds} rounds, makes of honest summaries",
        [
            StudyTable("push", "Medians over topics", lines),
            StudyTable("texts", "Texts before and after", rows_of(columns, texts), shown=0),
        ],
        settings={"rounds": rounds, "best of": BEST_OF},
        seed=seed,
        notes=notes,
        signatures=signatures or {},
        values={"topics": len(some)},
    )


def _summary(found: Sequence[tuple[Honest, Pushed]]) -> Row:
    """Medians of what happened to the texts, and the edit that was kept most often."""
    kept = sum((Counter(one.edits) for _, one in found), Counter[str]())
    words = [len(one.text.split()) / len(honest.case.text.split()) for honest, one in found]
    return {
        "before": median(one.before for _, one in found),
        "after": median(one.after for _, one in found),
        "edits kept": median(one.rounds for _, one in found),
        "words": median(words),
        "copied": median(_copied(honest.case, one.text) for honest, one in found),
        "order": median(shipped().score(split(one.text)) for _, one in found),
        "most kept": max(kept, key=kept.__getitem__, default="-"),
    }


def _copied(case: Case, text: str) -> float:
    """Return the share of a text's trigrams that the source has."""
    source = split("\n".join(case.source))
    known = set(zip(source, source[1:], source[2:], strict=False))
    words = split(text)
    runs = list(zip(words, words[1:], words[2:], strict=False))
    return sum(run in known for run in runs) / len(runs) if runs else 0.0
