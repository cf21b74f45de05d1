"""The experiments of QARLA: which similarities separate people from systems, and can be trusted.

Amigó, Gonzalo, Peñas and Verdejo 2005, "QARLA: A Framework for the Evaluation of Text Summarization
Systems", ACL: figures 5 to 7 and table 1, on topics with three references or more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, isnan, nan
from typing import Any

import numpy as np

from summeval._arrays import Floats
from summeval.io import RowError
from summeval.meta import qarla
from summeval.meta.arrays import COEFFICIENTS, pair
from summeval.meta.correlations import value_of
from summeval.meta.qarla import MetricSet, Ties, TripleReading, Variant
from summeval.meta.topics import (
    ScoredTopics,
    Topics,
    correlations_with,
    score_topics,
    system_means,
)
from summeval.metrics.qarla.parts import Parts
from summeval.study.result import Series, Study, StudyFigure, StudyTable, rows_of

MOST_METRICS = 12  # of which every set is a row: 4,095
_OF_A_LINE = 3  # metrics in the name of a bar
_SHOWN = 15  # sets that the text table shows of all
_QUEENS = ("QUEEN of people", "QUEEN of systems")
_OWN = ("set", "metrics", "KING", "JACK", "system", "QUEEN")  # columns beside those of people


def study_qarla(
    topics: Topics,
    parts: Parts,
    *,
    triples: TripleReading = "pairs",
    ties: Ties = "lose",
    variant: Variant = "one_sided",
    best: Sequence[str] = (),
    top: int = 10,
    subsets: int = 20,
    seed: int = 0,
    workers: int = 1,
    update: Callable[[int, int], object] | None = None,
) -> Study:
    """KING, JACK and QUEEN of every set of metrics, and their agreement with people.

    Parameters
    ----------
    topics : Topics
        Two or more, of the same two or more systems; their human scores may be empty.
    parts : Parts
        At most 12 similarity metrics.
    triples : {"pairs", "distinct", "all"}
        Triples that QUEEN counts, as in `summeval.meta.qarla`.
    ties : {"lose", "win"}
        Result of models on ties in KING.
    variant : {"one_sided", "both_sides", "queen_positive"}
        Variant of JACK.
    best : sequence of str
        The set whose QUEEN the systems get; by default the set with the highest KING.
    top : int
        Number of the best sets in the table, in the study beside the single metrics.
    subsets : int
        Subsets of systems of each size, drawn where there are more.
    seed : int
        Of these draws.
    workers : int
        Number of threads; -1 means one per processor. The numbers do not depend on it.
    update : callable, optional
        Called with the number of topics done and of pairs of texts just scored.

    Returns
    -------
    Study
        Tables `sets` (figure 5: each metric and the best sets), `jack` (figure 6), `people` (table
        1), `systems`, and with human scores `agreement` and `all_sets` (figure 7).

    Raises
    ------
    ValueError
        One topic, one system, too many metrics, human scores without numbers or without
        differences; `TopicError` for a topic that QARLA cannot use.

    Examples
    --------
    >>> from summeval.metrics.qarla.parts import Parts
    >>> topics = Topics()
    >>> models = ["a b c d", "a b c e", "a b d f", "a c d e"]
    >>> for topic in "tu":
    ...     for system, text in {"1": "a b c", "2": "q r s"}.items():
    ...         topics.add({"system": system, "topic": topic}, text, models)
    >>> found = study_qarla(topics, Parts("rouge1,rouge2"))
    >>> found.tables[0].rows[0]
    {'set': 'rouge1', 'metrics': 1, 'KING': 0.5, 'JACK': 1.0}
    """
    _check(topics, parts)
    reading: Any = {"triples": triples, "ties": ties, "variant": variant}
    scored = score_topics(topics, parts, **reading, workers=workers, update=update)
    chosen = scored.sets.of(best) if best else scored.sets.best(1)[0]
    queens = scored.queens(chosen.metrics)
    tables = [
        _sets(scored, top),
        _jacks(scored, chosen, list(system_means(queens, topics.systems)), subsets, seed),
        _people(scored, _shown(scored, 1)),
        _systems(scored, queens),
    ]
    king, people = _bars(tables[0], "KING"), _bars(tables[2], *_QUEENS)
    figures = [
        StudyFigure("king", "KING of metrics and of the best sets", "bars", "KING", "", king),
        _jack_figure(tables[1], chosen),
        StudyFigure("people", "QUEEN of people and of systems", "bars", "QUEEN", "", people),
    ]
    if topics.humans:
        every = _every_set(scored, workers)
        tables += [_agreement(scored, queens, every), every]
        figures.append(_agreement_figure(every))
    return Study(
        "qarla",
        "QARLA (Amigó, Gonzalo, Peñas and Verdejo 2005): similarities that tell people from"
        " systems",
        tables,
        figures,
        settings={
            "topics": len(topics),
            "systems": len(topics.systems),
            "references": _span([len(topic.models) for topic in topics.values()]),
            "triples": triples,
            "ties": ties,
            "jack": variant,
            "subsets": subsets,
        },
        seed=seed,
        signatures={name: str(line) for name, line in parts.suite.signature.items()},
        notes=_notes(topics, parts),
        values={"best_set": _named(chosen)},
    )


def _check(topics: Topics, parts: Parts) -> None:
    """Raise for data that no experiment can be made with."""
    count = len(parts.names)
    if count > MOST_METRICS:
        raise ValueError(f"{count} metrics have {2**count - 1:,} sets; name at most {MOST_METRICS}")
    for what, found in (("topic", len(topics)), ("system", len(topics.systems))):
        if found < 2:
            said = f"{found} {what}{'s' * (found != 1)}"
            raise RowError(said, f"QARLA's experiments need 2 {what}s or more")
    topics.check_humans()


def _column(human: str) -> str:
    """Return the column of a human score in tables: its name, unless a column of the table has it.

    >>> _column("overall"), _column("KING")
    ('overall', 'human KING')
    """
    return f"human {human}" if human in _OWN else human


def _named(one: MetricSet) -> str:
    return "+".join(map(str, one.metrics))


def _span(counts: Sequence[int]) -> str:
    return f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else str(counts[0])


def _notes(topics: Topics, parts: Parts) -> list[str]:
    rows = sum(len(topic.peers) for topic in topics.values())
    notes = topics.balance(topics.systems)
    lower_is_better = [
        name for name, up in zip(parts.names, parts.directions, strict=True) if not up
    ]
    notes += [f"{name}: lower means more similar, so it was negated" for name in lower_is_better]
    for human in topics.humans:
        if missing := rows - int((~np.isnan(topics.human(human))).sum()):
            verb = "has" if missing == 1 else "have"
            notes.append(f"{human}: {missing} of {rows} rows {verb} no value")
    if not topics.humans:
        notes.append("no --human: without the agreement of QUEEN with people (figure 7)")
    return notes


def _shown(scored: ScoredTopics, top: int) -> list[MetricSet]:
    """Each metric, then the best sets of several, then the set of all metrics."""
    everything = scored.sets.of(scored.names)
    found = [one for one in scored.sets if len(one.metrics) == 1]
    found += [one for one in scored.sets.best() if len(one.metrics) > 1][:top]
    return found if everything in found else [*found, everything]


def _sets(scored: ScoredTopics, top: int) -> StudyTable:
    title = "KING of each metric and of the best sets (figure 5)"
    return StudyTable("sets", title, [_of_set(one) for one in _shown(scored, top)])


def _of_set(one: MetricSet) -> dict[str, Any]:
    return {"set": _named(one), "metrics": len(one.metrics), "KING": one.king, "JACK": one.jack}


def _jacks(
    scored: ScoredTopics, chosen: MetricSet, ranked: Sequence[str], subsets: int, seed: int
) -> StudyTable:
    """JACK of subsets of systems of each size, and of the best systems."""
    draw = np.random.default_rng(seed)
    everything = scored.sets.of(scored.names)
    rows = []
    for size in range(2, len(ranked) + 1):
        drawn = _subsets(scored.topics.systems, size, subsets, draw)
        found = [_jack(scored, chosen, some) for some in drawn]
        whole = [_jack(scored, everything, some) for some in drawn]
        reach = float(np.fmin.reduce(found)), float(np.fmax.reduce(found))
        best = _jack(scored, chosen, ranked[:size])
        rows.append((size, len(drawn), _mean(found), *reach, _mean(whole), best, ranked[size - 1]))
    columns = "systems, subsets, JACK, lowest, highest, all metrics, best systems, added"
    title = f"JACK by {_named(chosen)} of subsets of systems, and of the best by QUEEN (figure 6)"
    return StudyTable("jack", title, rows_of(columns, rows))


def _subsets(
    systems: Sequence[str], size: int, most: int, draw: Any
) -> list[tuple[str, ...] | list[str]]:
    """Return all subsets of a size, or as many different ones as wanted."""
    if comb(len(systems), size) <= most:
        return list(combinations(systems, size))
    found: set[tuple[int, ...]] = set()
    while len(found) < most:
        found.add(tuple(sorted(draw.permutation(len(systems))[:size].tolist())))
    return [[systems[place] for place in some] for some in sorted(found)]


def _jack(scored: ScoredTopics, one: MetricSet, systems: Sequence[str]) -> float:
    """Mean JACK over the topics that have two or more of the systems."""
    members = [scored.names.index(name) for name in one.metrics]
    found = []
    for x, topic in zip(scored.similarities, scored.topics.values(), strict=True):
        models, peers = len(topic.models), list(topic.peers)
        some = [models + peers.index(name) for name in systems if name in topic.peers]
        if len(some) < 2:
            continue
        texts = [*range(models), *some]
        values = x[np.ix_(members, texts, texts)]
        found.append(qarla.jack(values, models, scored.variant, triples=scored.triples))
    return _mean(found)


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return sum(known) / len(known) if known else nan


def _people(scored: ScoredTopics, sets: Sequence[MetricSet]) -> StudyTable:
    """Return how often QUEEN puts a person above systems; each person is left out of the models."""
    rows = []
    for one in sets:
        members = [scored.names.index(name) for name in one.metrics]
        found: list[tuple[float, ...]] = []
        for x, topic in zip(scored.similarities, scored.topics.values(), strict=True):
            values = qarla.left_out_queens(x[members], len(topic.models), scored.triples)
            people, systems = values[:, :1], values[:, 1:]
            above = people > systems
            outcomes = above.all(axis=1), above, people == systems, people, systems
            found.append(tuple(float(part.mean()) for part in outcomes))
        means = [_mean(column) for column in zip(*found, strict=True)]
        rows.append((_named(one), *means))
    columns = ", ".join(["set", "above all", "above one", "equal", *_QUEENS])
    title = "People among systems: share of people above all systems, of pairs (table 1)"
    return StudyTable("people", title, rows_of(columns, rows))


def _systems(scored: ScoredTopics, queens: Floats) -> StudyTable:
    topics = scored.topics
    humans = {}
    for human in topics.humans:
        scores = topics.human(human)
        rows = [row[~np.isnan(row)] for row in scores]
        humans[human] = [float(row.mean()) if len(row) else nan for row in rows]
    at = topics.systems.index
    rows = [
        {"system": name, "QUEEN": value, **{_column(h): humans[h][at(name)] for h in humans}}
        for name, value in system_means(queens, topics.systems).items()
    ]
    return StudyTable("systems", "QUEEN of the systems by the best set, means over topics", rows)


def _every_set(scored: ScoredTopics, workers: int) -> StudyTable:
    """KING of every set beside the correlation of its QUEEN with people."""
    queens = scored.set_queens(workers)
    rows = []
    for one in scored.sets:
        bits = sum(1 << scored.names.index(name) for name in one.metrics)
        correlations = correlations_with(queens[bits], scored.topics, ("pearson",))
        rows.append(_of_set(one) | {_column(row["human"]): row["pearson"] for row in correlations})
    title = "KING of every set, and Pearson of its QUEEN with people, over systems (figure 7)"
    return StudyTable("all_sets", title, rows, shown=_SHOWN)


def _agreement(scored: ScoredTopics, queens: Floats, every: StudyTable) -> StudyTable:
    """For each human score: QUEEN of the best set, and how KING goes with the Pearson of sets."""
    rows = []
    for row in correlations_with(queens, scored.topics, COEFFICIENTS):
        column = _column(row["human"])
        kings, pearsons = zip(*((one["KING"], one[column]) for one in every.rows), strict=True)
        (x, y), _ = pair(metric=kings, human=pearsons)
        known = [one for one in every.rows if not isnan(one[column])]
        best = max(known, key=lambda one: one[column], default={"set": None, column: None})
        both = value_of(x, y, "pearson", "global")
        row |= {"KING and pearson": both, "sets": len(known), "closest set": best["set"]}
        rows.append(row | {"its pearson": best[column]})
    title = (
        "QUEEN of the best set with people, over systems; over all sets KING with that Pearson;"
        " the closest set"
    )
    return StudyTable("agreement", title, rows)


def _labels(table: StudyTable) -> list[str]:
    """The sets as names of bars: a few metrics on a line, and the last, of many, as all of them."""
    names = [row["set"].split("+") for row in table.rows]
    most = max(map(len, names))
    return [
        f"all {most} metrics" if len(name) == most > _OF_A_LINE else _broken(name) for name in names
    ]


def _broken(name: Sequence[str]) -> str:
    starts = range(0, len(name), _OF_A_LINE)
    return "+\n".join("+".join(name[start : start + _OF_A_LINE]) for start in starts)


def _bars(table: StudyTable, *columns: str) -> list[Series]:
    """Return a series of the sets of a table for each of some columns, named if there are more."""
    labels, several = _labels(table), len(columns) > 1
    return [Series(c if several else "", labels, [row[c] for row in table.rows]) for c in columns]


def _jack_figure(table: StudyTable, chosen: MetricSet) -> StudyFigure:
    rows = [
        row | {"systems": float(row["systems"]), "range": (row["lowest"], row["highest"])}
        for row in table.rows
    ]
    series = [
        Series.of(rows, "systems", "JACK", "range", "mean of subsets"),
        Series.of(rows, "systems", "best systems", name="best by QUEEN"),
        Series.of(rows, "systems", "all metrics", name="all metrics"),
    ]
    title = (
        "JACK by the best set" if len(chosen.metrics) > _OF_A_LINE else f"JACK by {_named(chosen)}"
    )
    return StudyFigure("jack", title, "lines", "systems", "JACK", series)


def _agreement_figure(every: StudyTable) -> StudyFigure:
    humans = [key for key in every.rows[0] if key not in ("set", "metrics", "KING", "JACK")]
    # more names than those of single metrics would cover each other
    names = [row["set"] if row["metrics"] == 1 else "" for row in every.rows]
    series = [
        replace(Series.of(every.rows, "KING", human, name=human), labels=names) for human in humans
    ]
    title = "Pearson of QUEEN with people against KING, every set"
    return StudyFigure("agreement", title, "points", "KING", "Pearson with people", series)
