"""AESOP: how well metrics rank summarisers as people do, with people among them and without.

Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation Evaluation Metrics
for Summarization Evaluation": the tables of correlations and of Koehn's significance tests, for the
initial and the update task.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from summeval._arrays import Floats
from summeval.meta.arrays import COEFFICIENTS, FEWEST_SYSTEMS, Coefficient, pair, system_means
from summeval.meta.correlations import value_of
from summeval.meta.significance import koehn_tests
from summeval.metrics.run.suite import Suite
from summeval.study import result
from summeval.study.result import Series, Study, StudyFigure, StudyTable
from summeval.table.scores import Scores, listed, noted

TITLE = "AESOP: agreement with people at the system level (Lin, Liu, Ng and Kan 2012)"
ALL_PEERS, NO_MODELS = "AllPeers", "NoModels"
DEFAULT = ("rouge2.recall", "rougeSU4.recall", "be", "tesla-s", "dicomer", "cremer")
"""The metrics of the paper's tables; NIST scored by the recall of ROUGE and BE."""
AS_IN_TAC = {"stemmer": "rouge155", "aggregate": "average"}
"""The options of ROUGE and BE with which NIST scored."""


@dataclass(frozen=True)
class Peers:
    """Summaries to score, a list item for each.

    Attributes
    ----------
    candidates : sequence of str or None
    references : sequence of list of str, or None
        Of a system all references of the topic, of a person those of the other people. The
        person's own text is left out if it is among them.
    topics : sequence of str
    people : sequence of bool
        Whether people wrote the summary.
    sources : sequence of str, list of str or None
    """

    candidates: Sequence[str | None]
    references: Sequence[Sequence[str] | None]
    topics: Sequence[str]
    people: Sequence[bool]
    sources: Sequence[Any]


def jackknifed(
    suite: Suite, peers: Peers, *, jackknife: bool = True, workers: int = 1
) -> tuple[dict[str, Floats], list[str]]:
    """Score people and systems against the same number of references.

    A person is scored once, against the references of the other people: n - 1. A system is scored
    against every n - 1 of its n references, and the scores are averaged. If a topic's people have
    as many references as its systems, all are scored once. Metrics that use no references are
    computed once for each summary. A metric's own jackknife is switched off.

    Parameters
    ----------
    suite : Suite
    peers : Peers
    jackknife : bool
        False: everyone is scored once, against all references given.
    workers : int

    Returns
    -------
    dict of str to array [summary], list of str
        The columns of the suite; and notes.

    Examples
    --------
    >>> import summeval
    >>> texts = ["the cat", "the cat sat", "the cat lay"]
    >>> references = [texts[1:], texts[2:], texts[1:2]]
    >>> peers = Peers(texts, references, ["t"] * 3, [False, True, True], [None] * 3)
    >>> scores, notes = jackknifed(summeval.suite(["rouge1"]), peers)
    >>> scores["rouge1.recall"].round(4).tolist()
    [0.6667, 0.6667, 0.6667]
    """
    notes: list[str] = []
    found: dict[str, Floats] = {}
    if given := [metric for metric in suite.metrics if metric.compared_with == "references"]:
        if jackknife:
            given = [metric.without_jackknife() for metric in given]
            parts, notes = _parts(peers)
        else:
            parts = [[list(refs)] if refs else [] for refs in peers.references]
        sizes = np.array([max(1, len(part)) for part in parts])
        repeated = np.repeat(np.arange(len(parts)), sizes)
        texts = [peers.candidates[row] for row in repeated.tolist()]
        against = [refs for part in parts for refs in (part or [[]])]
        table = Suite(given).score_batch(texts, against, workers=workers)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        found |= {name: np.add.reduceat(table[name], starts) / sizes for name in table}
    if others := [metric for metric in suite.metrics if metric.compared_with != "references"]:
        once = Suite(others)
        sources = peers.sources if "source" in once.reads else None
        table = once.score_batch(peers.candidates, None, sources=sources, workers=workers)
        found |= {name: table[name] for name in table}
    return found, notes


def _parts(peers: Peers) -> tuple[list[list[list[str]]], list[str]]:
    """For each summary the sets of references that it is scored against; and notes."""
    references = [list(refs or ()) for refs in peers.references]
    own = 0
    for row, (text, refs) in enumerate(zip(peers.candidates, references, strict=True)):
        if peers.people[row] and text is not None and text in refs:
            refs.remove(text)
            own += 1
    counts: dict[str, set[int]] = {}
    for row, refs in enumerate(references):
        if peers.people[row] and refs:
            counts.setdefault(peers.topics[row], set()).add(len(refs))
    parts, unequal, single = [], dict[str, None](), 0
    for row, refs in enumerate(references):
        topic = peers.topics[row]
        wanted = counts.get(topic, {len(refs) - 1})
        if peers.people[row] or wanted == {len(refs)} or len(refs) < 2:
            parts.append([refs] if refs else [])
            single += len(refs) == 1 and not peers.people[row]
        else:
            parts.append([refs[:left] + refs[left + 1 :] for left in range(len(refs))])
        if not peers.people[row] and refs and len(parts[-1][0]) not in wanted and len(refs) > 1:
            unequal[topic] = None
    sizes: dict[str, set[int]] = {}
    for topic, person, part in zip(peers.topics, peers.people, parts, strict=True):
        if part and not person:
            sizes.setdefault(topic, set()).add(len(part[0]))
    mixed = [topic for topic, several in sizes.items() if len(several) > 1]
    lost = [f"{own} people had their own text among the references; it was left out"]
    alone = [f"summaries by systems with one reference ({single}): no jackknife for them"]
    return parts, [
        *lost * bool(own),
        *alone * bool(single),
        *noted("topics whose people have another number of references than n - 1", [*unequal]),
        *noted("topics whose systems were scored against different numbers of references", mixed),
    ]


@dataclass(frozen=True)
class _Block:
    """The scores of one task and set of systems."""

    task: str | None
    kind: str
    scores: Scores

    @property
    def place(self) -> dict[str, str]:
        """The columns of a table that say which block it is."""
        return {"set": self.kind} if self.task is None else {"set": self.kind, "task": self.task}


def aesop(
    scores: Scores,
    metrics: Sequence[str],
    humans: Sequence[str],
    people: Collection[str] = (),
    *,
    tasks: Mapping[str, str] | None = None,
    coefficient: Coefficient = "pearson",
    resamples: int = 1000,
    seed: int = 0,
) -> Study:
    """Correlate metrics with people at the system level, and compare them by Koehn's test.

    Parameters
    ----------
    scores : Scores
        Columns that are better when lower are negated.
    metrics, humans : sequence of str
        Columns of it.
    people : collection of str
        The systems that are people. AllPeers has them, NoModels has the other systems only.
    tasks : mapping of str to str, optional
        The task of each topic; each task has its own numbers.
    coefficient : {"pearson", "spearman", "kendall"}
        Of Koehn's test; the table of correlations has all three.
    resamples : int
        Draws of topics in Koehn's test.
    seed : int
        Of these draws.

    Returns
    -------
    Study
        Tables `correlations`, `wins` (a row and a column for each metric) and `koehn` (a row for
        each pair); a figure for each task and human column. Without people both sets are the same,
        and pairs are compared in one of them.

    Raises
    ------
    ValueError
        Fewer than two systems or two topics, no number or only equal numbers in a human column, or
        people that are not systems.

    Examples
    --------
    >>> said = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 4.0]])
    >>> scores = Scores(["1", "2", "A"], ["t", "u"], {"m.f": said**2, "said": said})
    >>> study = aesop(scores, ["m.f"], ["said"], ["A"])
    >>> [(row["set"], round(row["pearson"], 3)) for row in study.to_dict()["correlations"]]
    [('AllPeers', 0.988), ('NoModels', 1.0)]
    """
    if unknown := sorted(set(people) - set(scores.systems)):
        raise ValueError(f"people who are no system: {listed(unknown)}")
    metrics, left = _valued(scores, metrics)
    notes = [*scores.notes, *left, *_notes(scores, metrics, humans, people)]
    blocks, more = _blocks(scores.rising(), humans, set(people), tasks)
    negated = [name for name in metrics if not scores.higher_is_better[name]]
    notes += _even(blocks, metrics, bool(people))
    correlations, koehn, wins = (list[dict[str, Any]]() for _ in range(3))
    for block, human in blocks:
        correlations += _correlations(block, metrics, human, negated)
        if len(metrics) > 1 and (people or block.kind == NO_MODELS):
            given = {name: block.scores[name] for name in metrics}
            options = coefficient, resamples, seed
            drawn = koehn_tests(given, block.scores[human], *options, higher_is_better=True)
            koehn += result.pair_rows(drawn, {"human": human, **block.place})
            wins += result.win_rows(drawn, metrics, {"human": human, **block.place})
    hidden = ["negated"] * (not negated)
    tables = [StudyTable("correlations", "Correlations of system means", correlations, hidden)]
    if koehn:
        title = f"Share of draws in which the row agrees better than the column ({coefficient})"
        tables.append(StudyTable("wins", title, wins))
        pairs = f"Koehn's test of each pair ({coefficient})"
        tables.append(StudyTable("koehn", pairs, koehn, shown=0))
        more.append(result.MARKED)
    return Study(
        "aesop",
        TITLE,
        tables,
        figures=list(_figures(correlations, bool(people))),
        settings={
            "systems": len(scores.systems),
            "people": len(set(people)),
            "topics": len(scores.topics),
            "resamples": resamples,
            "coefficient": coefficient,
        },
        seed=seed,
        notes=[*notes, *more],
        values={} if koehn else {"koehn": []},  # one metric has no pairs
    )


def _notes(
    scores: Scores, metrics: Sequence[str], humans: Sequence[str], people: Collection[str]
) -> Iterator[str]:
    """Yield what was negated, and which people have no scores."""
    for name in metrics:
        if not scores.higher_is_better[name]:
            yield f"{name}: lower is better, so it was negated"
    for human in humans:
        if not scores.higher_is_better[human]:
            yield f"{human}: lower is better, so the human scores were negated"
    for name in metrics:
        values = dict(zip(scores.systems, scores[name], strict=True))
        if bare := [person for person in people if np.isnan(values[person]).all()]:
            yield f"{name}: no value for {listed(bare)}, so {ALL_PEERS} leaves them out"
    if not people:
        yield f"no system is a person, so {ALL_PEERS} and {NO_MODELS} are the same"


def _valued(scores: Scores, metrics: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the metrics that have a value; and notes on the others."""
    empty = [name for name in metrics if np.isnan(scores[name]).all()]
    if not (kept := [name for name in metrics if name not in empty]):
        raise ValueError(f"no row has a number in {listed(empty)}")
    return kept, [f"{name}: left out, no row has a value" for name in empty]


def _blocks(
    scores: Scores,
    humans: Sequence[str],
    people: set[str],
    tasks: Mapping[str, str] | None,
) -> tuple[list[tuple[_Block, str]], list[str]]:
    """Each task, human column and set of systems, checked; and notes on what is left out."""
    topics: dict[str | None, list[str]] = {}
    for topic in scores.topics:
        topics.setdefault(None if tasks is None else tasks[topic], []).append(topic)
    found, notes = [], dict[str, None]()
    for task, human in product(topics, humans):
        where = "" if task is None else f"task {task!r}: "
        inside = scores.choose(topics=topics[task])
        judged = ~np.isnan(inside[human])
        if not judged.any():
            notes[f"{where}{human}: left out, no row has a number"] = None
            continue
        _check(where, human, inside[human])
        known = [inside.systems[place] for place in np.flatnonzero(judged.any(axis=1))]
        among = people & {*known}
        if people and not among:
            alike = f"so {ALL_PEERS} is {NO_MODELS}"
            notes[f"{where}{human}: no person has a value, {alike}"] = None
        few: list[str] = []
        for kind in (ALL_PEERS, NO_MODELS):
            systems = [name for name in known if kind == ALL_PEERS or name not in people]
            if len(systems) < 2:
                count = f"{len(systems)} system{'s' * (len(systems) != 1)}"
                raise ValueError(
                    f"{where}{human}: {kind} has {count}; correlations of systems need two or more"
                )
            if len(systems) < FEWEST_SYSTEMS and (among or kind == NO_MODELS):
                few.append(f"{kind + ' has ' if among else ''}{len(systems)} systems")
            found.append((_Block(task, kind, inside.choose(systems=systems)), human))
        if few:
            counts = " and ".join(few)
            notes[f"{where}{counts}, fewer than {FEWEST_SYSTEMS}: the numbers say little"] = None
    if not found:
        raise ValueError(f"no row has a number in {listed(humans)}")
    return found, [*notes]


def _even(blocks: Sequence[tuple[_Block, str]], metrics: Sequence[str], people: bool) -> list[str]:
    """Notes on why correlations are undefined: means that are equal for all systems."""
    notes = dict[str, None]()
    for block, human in blocks:
        for name in (human, *metrics):
            means, reach = system_means(block.scores[name])
            if len(means) > 1 and np.ptp(means) <= reach:
                where = "" if block.task is None else f"task {block.task!r}: "
                equal = f"{name}: equal means for all {len(means)} systems"
                kind = f" ({block.kind})" if people else ""
                notes[f"{where}{equal}, so no correlation{kind}"] = None
    return [*notes]


def _check(where: str, human: str, table: Floats) -> None:
    """Raise for human scores that allow no correlation or no draws of topics."""
    judged = ~np.isnan(table)
    topics = int(judged.any(axis=0).sum())
    if topics < 2:
        raise ValueError(
            f"{where}{human}: only 1 topic has scores; Koehn's test draws topics, give two or more"
        )
    values = table[judged]
    if values.min() == values.max():
        raise ValueError(
            f"{where}{human} is {abs(values[0]):g} in all {len(values)} rows;"
            " no correlation with a constant"
        )


def _correlations(
    block: _Block, metrics: Sequence[str], human: str, negated: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric."""
    for metric in metrics:
        (x, y), _ = pair(metric=block.scores[metric], human=block.scores[human])
        present = ~np.isnan(x)
        yield {
            "metric": metric,
            "human": human,
            **block.place,
            **{name: value_of(x, y, name, "system") for name in COEFFICIENTS},
            "systems": int(present.any(axis=1).sum()),
            "topics": int(present.any(axis=0).sum()),
            "negated": metric in negated,
        }


def _figures(rows: Sequence[dict[str, Any]], people: bool) -> Iterator[StudyFigure]:
    """Bars of Pearson's correlations for each task and human column."""
    places = dict.fromkeys((row.get("task"), row["human"]) for row in rows)
    kinds = (ALL_PEERS, NO_MODELS) if people else (NO_MODELS,)
    names: list[str] = []
    for task, human in places:
        here = [row for row in rows if (row.get("task"), row["human"]) == (task, human)]
        sets = {kind: [row for row in here if row["set"] == kind] for kind in kinds}
        named = ((kind if people else "", some) for kind, some in sets.items())
        series = [Series.of(some, "metric", "pearson", name=name) for name, some in named]
        title = human if task is None else f"{human}, task {task}"
        names.append("_".join(["pearson", *re.findall(r"[a-z0-9]+", title.lower())]))
        count = names.count(names[-1])
        file = names[-1] + f"_{count}" * (count > 1)
        yield StudyFigure(file, title, "bars", "Pearson's r of system means", "", series)
