"""How far a score lets broken texts climb: searches that start from words, pieces and clauses."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from summeval.study.further_attacks import mosaic_of
from summeval.study.gaming import Honest, Scorer, scores_of
from summeval.study.result import Row, Study, StudyTable, rows_of

EDITS = 24  # of a step
MOSAICS = 24
LEAST = 0.5  # the score of an honest summary that is climbed after
_MOSAIC = (4, 4)  # words of a piece
_CLAUSE = re.compile(r"(?<=[,;:.!?])\s+|\s+(?=(?:and|but|because|which|who|while|after|when)\b)")
_PROPOSALS = 6  # edits of which the most usual one is tried

Words = list[str]


@dataclass(frozen=True)
class Material:
    """What a search takes: a policy sees the source, never the references where there is one."""

    words: Words
    clauses: Sequence[Words]

    @classmethod
    def of(cls, honest: Honest) -> Material:
        """Return the words and clauses of what the summary is of."""
        text = "\n".join(honest.case.source or honest.case.references)
        clauses = [part.split() for part in _CLAUSE.split(text)]
        return cls(text.split(), [part for part in clauses if 3 <= len(part) <= 25])


@dataclass(frozen=True)
class Climb:
    """Where a search came to.

    Attributes
    ----------
    reached : int or None
        The first step after which the score was that of the honest summary; None if never.
    score : float
        The highest one.
    text : str
        That text.
    """

    reached: int | None
    score: float
    text: str


def edited(words: Words, material: Material, draw: random.Random) -> Words:
    """Return one word deleted, added, replaced, or moved.

    >>> edited(["a", "cat"], Material(["dog"], []), random.Random(3))
    ['dog', 'a', 'cat']
    """
    kind = draw.randrange(5)
    made = [*words]
    place = draw.randrange(len(made))
    if kind == 0 and len(made) > 1:
        del made[place]
    elif kind == 1:
        made.insert(place, draw.choice(material.words))
    elif kind == 2:
        word = made.pop(place)
        made.insert(draw.randint(0, len(made)), word)
    elif kind == 3 and place + 1 < len(made):
        made[place], made[place + 1] = made[place + 1], made[place]
    else:
        made[place] = draw.choice(material.words)
    return made


def _from_words(material: Material, length: int, draw: random.Random) -> list[Words]:
    return [draw.choices(material.words, k=length)]


def _from_mosaics(material: Material, length: int, draw: random.Random) -> list[Words]:
    found = [mosaic_of(material.words, length, draw, _MOSAIC) for _ in range(MOSAICS)]
    return [text.split() for text in found if text is not None]


def _from_clauses(material: Material, length: int, draw: random.Random) -> list[Words]:
    if not material.clauses:
        return []
    found: Words = []
    while len(found) < length:
        found += draw.choice(material.clauses)
    return [found]


STARTS: Mapping[str, Callable[[Material, int, random.Random], list[Words]]] = {
    "words": _from_words,
    "mosaics": _from_mosaics,
    "clauses": _from_clauses,
}


def climb(
    honest: Honest,
    scorer: Scorer,
    start: str,
    steps: int,
    *,
    seed: int = 0,
    ties: bool = True,
    usual: Callable[[str], float] | None = None,
) -> Climb | None:
    """Search for a text whose score is that of the honest summary.

    A step tries 24 edits of a word and keeps the best, unless it is worse than before. A tie is
    taken, too, so that a search wanders where every text has 0.

    Parameters
    ----------
    honest : Honest
    scorer : Scorer
    start : {"words", "mosaics", "clauses"}
        Words of the source drawn at random; the best of 24 mosaics of pieces of four words; clauses
        of the source, whose edits are chosen by `usual`.
    steps : int
    seed : int
        The same seed, summary and scorer give the same search.
    ties : bool
        Whether a text with the same score is taken; without, a search stays where it is until an
        edit gains something.
    usual : callable, optional
        How unusual the words of a text are: of several edits the one with the lowest number is
        tried, from clauses.

    Returns
    -------
    Climb or None
        None where there are too few words to begin with.
    """
    material = Material.of(honest)
    draw = random.Random(f"{seed}|{start}|{honest.topic}|{honest.system}")
    length = len(honest.case.text.split())
    begun = STARTS[start](material, length, draw) if material.words else []
    if not begun:
        return None
    wanted, *found = scores_of(
        scorer, honest.case, [honest.case.text, *(" ".join(one) for one in begun)]
    )
    best = max(found)
    words = begun[found.index(best)]
    if best >= wanted:
        return Climb(0, best, " ".join(words))
    for step in range(1, steps + 1):
        made = [edited(words, material, draw) for _ in range(EDITS)]
        if usual is not None and start == "clauses":
            made = [_proposed(words, material, draw, usual) for _ in range(EDITS // _PROPOSALS)]
        scores = scores_of(scorer, honest.case, [" ".join(one) for one in made])
        top = max(scores)
        if top > best or (ties and top == best):
            best, words = top, made[scores.index(top)]
        if best >= wanted:
            return Climb(step, best, " ".join(words))
    return Climb(None, best, " ".join(words))


def _proposed(
    words: Words, material: Material, draw: random.Random, usual: Callable[[str], float]
) -> Words:
    """Return the most usual of some edits, one of which exchanges a clause."""
    made = [edited(words, material, draw) for _ in range(_PROPOSALS - 1)]
    clause = draw.choice(material.clauses)
    place = draw.randrange(len(words))
    made.append([*words[:place], *clause, *words[place + len(clause) :]])
    return min(made, key=lambda one: usual(" ".join(one)))


def study_climbs(
    summaries: Sequence[Honest],
    scorers: Sequence[Scorer],
    steps: int,
    *,
    seed: int = 0,
    starts: Sequence[str] = tuple(STARTS),
    ties: bool = True,
    usual: Callable[[Honest], Callable[[str], float]] | None = None,
    notes: Sequence[str] = (),
    signatures: Mapping[str, str] | None = None,
    update: Callable[[int], object] = lambda _: None,
) -> Study:
    """Return the share of searches that reach the score of an honest summary.

    Parameters
    ----------
    summaries : sequence of Honest
        Of each topic the first whose score is 0.5 or more is climbed after, for each scorer.
    scorers, seed, notes, signatures, update
        As of `study_gaming`.
    steps : int
        The table shows a tenth of them, too.
    starts : sequence of str
    ties : bool
        As of `climb`.
    usual : callable, optional
        Makes `usual` of `climb` for a summary.

    Returns
    -------
    Study
        Tables `climbs`, a scorer and a start a row, and `texts`, a search a row.
    """
    lines: list[Row] = []
    texts: list[tuple[object, ...]] = []
    for scorer in scorers:
        chosen = _chosen(summaries, scorer)
        for start in starts:
            found = []
            for honest, own in chosen:
                judge = usual(honest) if usual is not None else None
                one = climb(honest, scorer, start, steps, seed=seed, ties=ties, usual=judge)
                update(len(texts) + 1)
                if one is None:
                    continue
                found.append((own, one))
                step = "" if one.reached is None else one.reached
                whose = scorer.name, start, honest.topic, honest.system
                texts.append((*whose, own, one.score, step, honest.case.text, one.text))
            lines.append({"scorer": scorer.name, "start": start, **_shares(found, steps)})
    tables = [StudyTable("climbs", "Searches from words, mosaics and clauses", lines)]
    if texts:
        texts.sort(key=lambda row: (row[0], row[1], row[6] == "", -float(str(row[5]))))
        columns = "scorer, start, topic, system, honest, score, step, summary, text"
        title = "Where each search ended, the worst first"
        tables.append(StudyTable("texts", title, rows_of(columns, texts), shown=0))
    return Study(
        "climbs",
        f"Share of searches that reach an honest score: {EDITS} edits a step, {steps} steps",
        tables,
        settings={"steps": steps, "edits": EDITS, "least honest score": LEAST},
        seed=seed,
        notes=notes,
        signatures=signatures or {},
        values={"topics": len({honest.topic for honest in summaries})},
    )


def _chosen(summaries: Sequence[Honest], scorer: Scorer) -> list[tuple[Honest, float]]:
    """Of each topic the first summary that is good enough, and its score."""
    found: dict[str, tuple[Honest, float]] = {}
    for honest in summaries:
        if honest.topic in found or not all(getattr(honest.case, what) for what in scorer.sees):
            continue
        own = scores_of(scorer, honest.case, [honest.case.text])[0]
        if own >= LEAST:
            found[honest.topic] = honest, own
    return [*found.values()]


def _shares(found: Sequence[tuple[float, Climb]], steps: int) -> Row:
    """The shares that reached the honest score, at the start, after a tenth, and at the end."""
    line: Row = {"texts": len(found)}
    for last in (0, steps // 10, steps):
        met = sum(one.reached is not None and one.reached <= last for _, one in found)
        line[f"{last} steps"] = met / len(found) if found else None
    line["median of honest"] = median(one.score / own for own, one in found) if found else None
    return line
