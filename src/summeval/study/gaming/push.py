"""How far a search drives a score, and what the text then looks like.

A policy in training is such a search: it keeps what is rewarded. Each round draws edits of the text
at hand by rule from a seed, scores them all, and keeps the best if it is better.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from summeval.study.gaming.attacks import INJECTIONS, Case, sentences_of
from summeval.study.gaming.wins import Honest, Scorer, number_of
from summeval.study.result import Study, StudyTable
from summeval.text.word_order import shipped, split

BEST_OF = 256
_SPAN = 12  # words that an edit moves at most


@dataclass(frozen=True)
class Pushed:
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


Edit = Callable[[list[str], "Material", random.Random], list[str]]


@dataclass(frozen=True)
class Material:
    """What edits take words from: a policy sees the source, never the references."""

    sentences: Sequence[list[str]]
    words: Sequence[str]


def delete(words: list[str], _: Material, draw: random.Random) -> list[str]:
    """Without a span of words."""
    first, end = _span(words, draw)
    return words[:first] + words[end:]


def double(words: list[str], _: Material, draw: random.Random) -> list[str]:
    """A span of words once more, anywhere."""
    first, end = _span(words, draw)
    place = draw.randint(0, len(words))
    return words[:place] + words[first:end] + words[place:]


def move(words: list[str], _: Material, draw: random.Random) -> list[str]:
    """A span of words elsewhere."""
    first, end = _span(words, draw)
    rest = words[:first] + words[end:]
    place = draw.randint(0, len(rest))
    return rest[:place] + words[first:end] + rest[place:]


def insert_sentence(words: list[str], material: Material, draw: random.Random) -> list[str]:
    """A sentence of the source, anywhere between words that end sentences, or first."""
    ends = [0, *(i + 1 for i, word in enumerate(words) if word.endswith((".", "!", "?")))]
    place = draw.choice(ends)
    return words[:place] + draw.choice(material.sentences) + words[place:]


def insert_span(words: list[str], material: Material, draw: random.Random) -> list[str]:
    """A span of a sentence of the source, anywhere."""
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
    told = draw.choice(INJECTIONS).split()
    return told + words if draw.random() < 0.5 else words + told


EDITS: dict[str, Edit] = {
    "delete": delete,
    "double": double,
    "move": move,
    "insert_sentence": insert_sentence,
    "insert_span": insert_span,
    "replace_word": replace_word,
    "inject": inject,
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
    material = _material(case)
    draw = random.Random(f"{seed}|{honest.topic}|{honest.system}")
    words = case.text.split()
    before = best = _scores(scorer, case, [case.text])[0]
    kept: dict[str, int] = {}
    idle = 0
    for _ in range(rounds):
        names = [draw.choice([*EDITS]) for _ in range(best_of)]
        made = [EDITS[name](words, material, draw) or words for name in names]
        scores = _scores(scorer, case, [" ".join(one) for one in made])
        place = max(range(best_of), key=lambda i: scores[i])
        if scores[place] <= best:
            idle += 1
            if idle == 3:
                break
            continue
        idle, best, words = 0, scores[place], made[place]
        kept[names[place]] = kept.get(names[place], 0) + 1
    return Pushed(before, best, " ".join(words), sum(kept.values()), kept)


def _material(case: Case) -> Material:
    sentences = [part.split() for part in sentences_of("\n".join(case.source))]
    if not sentences:
        raise ValueError("the summary has no source; edits take words from it")
    return Material(sentences, [word for sentence in sentences for word in sentence])


def _scores(scorer: Scorer, case: Case, texts: list[str]) -> list[float]:
    rows = len(texts)
    found = scorer.score(texts, [[*case.references]] * rows, [[*case.source]] * rows)
    return [number_of(score) for score in found]


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
    """How far each score is pushed, from one summary of each of the first `limit` topics.

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
    lines: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    for scorer in scorers:
        found = []
        for honest in some:
            one = push(honest, scorer, rounds, seed=seed)
            found.append((honest, one))
            update(len(texts) + 1)
            texts.append(
                {
                    "scorer": scorer.name,
                    "topic": honest.topic,
                    "system": honest.system,
                    "before": one.before,
                    "after": one.after,
                    "honest": honest.case.text,
                    "pushed": one.text,
                }
            )
        lines.append({"scorer": scorer.name, "sees": "+".join(scorer.sees), **_summary(found)})
    return Study(
        "push",
        f"What the best of {BEST_OF} edits a round, {rounds} rounds, makes of honest summaries",
        [
            StudyTable("push", "Medians over topics", lines),
            StudyTable("texts", "Texts before and after", texts, shown=0),
        ],
        settings={"rounds": rounds, "best of": BEST_OF},
        seed=seed,
        notes=notes,
        signatures=signatures or {},
        values={"topics": len(some)},
    )


def _summary(found: Sequence[tuple[Honest, Pushed]]) -> dict[str, Any]:
    """Medians of what happened to the texts, and the edit that was kept most often."""
    kept: dict[str, int] = {}
    for _, one in found:
        for name, count in one.edits.items():
            kept[name] = kept.get(name, 0) + count
    words = [len(one.text.split()) / len(honest.case.text.split()) for honest, one in found]
    return {
        "before": median(one.before for _, one in found),
        "after": median(one.after for _, one in found),
        "edits kept": median(one.rounds for _, one in found),
        "words": median(words),
        "copied": median(_copied(honest.case, one.text) for honest, one in found),
        "order": median(shipped().score(split(one.text)) for _, one in found),
        "most kept": max(kept, key=lambda name: kept[name]) if kept else "-",
    }


def _copied(case: Case, text: str) -> float:
    """The share of a text's trigrams that the source has."""
    source = split("\n".join(case.source))
    known = set(zip(source, source[1:], source[2:], strict=False))
    words = split(text)
    runs = list(zip(words, words[1:], words[2:], strict=False))
    return sum(run in known for run in runs) / len(runs) if runs else 0.0
