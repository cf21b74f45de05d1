"""Rankers of utterances beside people: tables 5 to 7 of Galley 2006.

Galley 2006, "A skip-chain conditional random field for ranking meeting utterances by importance",
sections 6 to 8. Rankers are trained and tested by folds of documents; every extract is scored
beside all annotators but one, so that people can be scored alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from summeval._arrays import AnyArray, Bools, Floats, Ints
from summeval._options import check_inner_share, check_whole
from summeval.learn.label_chain import RANKED_BY
from summeval.meta.resampling import percentiles
from summeval.metrics.pyramid.extract_documents import Extracted, label_vectors
from summeval.metrics.pyramid.extract_features import terms_of
from summeval.metrics.pyramid.ranker import (
    MODELS,
    ExtractRanker,
    left_out_mean,
    people_mean,
    within_budget,
)
from summeval.metrics.registry import metric
from summeval.metrics.scoring import suite
from summeval.study.result import Series, Study, StudyFigure, StudyTable, rows_of

PEOPLE, PLAIN = "people", "order0"  # what others are compared with
ROUGE = ("rouge1", "rouge2", "rougeLsum")
_Interval = Callable[[Floats], tuple[float, float]]
Masks = list[list[Bools]]
"""The extracts of a system by document and draw, for people by document and annotator."""


@dataclass(frozen=True)
class Settings:
    """How the study of extracts is done.

    Attributes
    ----------
    models : sequence of str
        The rankers: order0, chain, skip-chain; by default all.
    orders : sequence of int
        Labels that count, 1 to 3; several are compared, each with each normalisation.
    normalisations : sequence of str
        Of chains: global, local (label by label), or both.
    rank_by, l2
        Options of the rankers.
    folds : int, optional
        Of documents; by default 5, or one for each document if there are fewer.
    seed : int
        Of the folds, of the random extracts and of the bootstrap.
    draws : int
        Random extracts of each document.
    resamples : int
        Draws of documents for the intervals.
    confidence : float
        Confidence level of the intervals, from 0 to 1.
    """

    models: Sequence[str] = MODELS
    orders: Sequence[int] = (1,)
    normalisations: Sequence[str] = ("global",)
    rank_by: str = "posterior"
    l2: float = 1.0
    folds: int | None = None
    seed: int = 0
    draws: int = 20
    resamples: int = 1000
    confidence: float = 0.95

    def rankers(self) -> dict[str, ExtractRanker]:
        """Return the rankers, by the names of their systems.

        >>> list(Settings(["order0", "chain"], orders=[1, 2]).rankers())
        ['order0', 'chain-1', 'chain-2']
        """
        found: dict[str, ExtractRanker] = {}
        for model in self.models:
            chained = model != PLAIN
            orders, norms = (self.orders, self.normalisations) if chained else ((1,), ("global",))
            for norm, order in product(norms, orders):
                parts = [model, *[str(order)] * (len(orders) > 1), *[norm] * (len(norms) > 1)]
                ranker = ExtractRanker(model, order, norm, self.rank_by, self.l2)
                found["-".join(parts)] = ranker
        return found


class Judged(NamedTuple):
    """A document with its extracts as numbers.

    Attributes
    ----------
    given : Extracted
    words : array [utterance]
        Numbers of words.
    people : array [annotator, utterance]
        1 for a selected utterance, else 0.
    budget : int
        The most words of a system's extract.
    """

    given: Extracted
    words: Ints
    people: Ints
    budget: int

    def selected(self, scores: Floats, rank_by: str = "posterior") -> Bools:
        """The extract of a ranking; that of predictions has no others than the predicted ones."""
        chosen = within_budget(self.words, scores, self.budget)
        if rank_by == "prediction":
            chosen = chosen[scores[chosen] > 0]
        found = np.zeros(len(self.words), dtype=bool)
        found[chosen] = True
        return found

    def text(self, chosen: AnyArray) -> str:
        """Return the selected utterances, one on a line."""
        utterances = self.given.document.utterances
        return "\n".join(" ".join(utterances[n].split()) for n in np.flatnonzero(chosen))


def judged_of(documents: Sequence[Extracted]) -> tuple[list[Judged], float]:
    """The documents as numbers, and the mean share of the words that an annotator selects."""
    sizes = [terms_of(one.document.utterances).sizes for one in documents]
    people = [
        np.array(label_vectors(one.extracts, len(words)), dtype=np.int64)
        for one, words in zip(documents, sizes, strict=True)
    ]
    shares = [chosen @ words / words.sum() for chosen, words in zip(people, sizes, strict=True)]
    share = float(np.mean(np.concatenate(shares)))
    judged = [
        Judged(one, words, chosen, int(share * int(words.sum())))
        for one, words, chosen in zip(documents, sizes, people, strict=True)
    ]
    return judged, share


def simple_systems(judged: Sequence[Judged], settings: Settings) -> dict[str, Masks]:
    """Return the extracts of the systems that learn nothing: lead, random, longest."""
    chances = [np.random.default_rng([settings.seed, number]) for number in range(len(judged))]
    return {
        "lead": [[one.selected(-np.arange(float(len(one.words))))] for one in judged],
        "random": [
            [one.selected(chance.random(len(one.words))) for _ in range(settings.draws)]
            for one, chance in zip(judged, chances, strict=True)
        ],
        "longest": [[one.selected(one.words.astype(np.float64))] for one in judged],
    }


def bounds(judged: Sequence[Judged]) -> dict[str, Masks]:
    """Return the extracts of the people, and the best ones under the budget."""
    people = [[one.astype(bool) for one in document.people] for document in judged]
    best = [[one.selected(one.people.sum(axis=0).astype(np.float64))] for one in judged]
    return {PEOPLE: people, "optimal": best}


def ranked_systems(
    judged: Sequence[Judged], settings: Settings, ranker: ExtractRanker
) -> tuple[dict[str, Masks], int]:
    """The extracts of a ranker by each of `RANKED_BY`; each document by the other folds' model.

    Also returned is the number of documents whose ranking was not exact.

    Raises
    ------
    ValueError
        The extracts of the documents to train on select all utterances or none.
    """
    features, links = zip(*(ranker.describe(one.given.document) for one in judged), strict=True)
    found: dict[str, Masks] = {by: [[] for _ in judged] for by in RANKED_BY}
    loopy: set[int] = set()
    for held in folds_of(len(judged), settings):
        others = [n for n in range(len(judged)) if n not in held]
        try:
            ranker.fit_features(
                [features[n] for n in others],
                [list(judged[n].people) for n in others],
                [links[n] for n in others],
            )
        except ValueError as error:
            topic = judged[held[0]].given.topic
            raise ValueError(f"training without topic {topic!r}: {error}") from None
        for number, by in product(held, RANKED_BY):
            scores = ranker.rank_features(features[number], links[number], by)
            found[by][number] = [judged[number].selected(scores, by)]
            loopy |= {number} if ranker.inference == "loopy" else set()
    return found, len(loopy)


def folds_of(documents: int, settings: Settings) -> list[list[int]]:
    """Return the documents of each fold.

    >>> folds_of(5, Settings(folds=2))
    [[2, 3, 1], [4, 0]]
    """
    order = np.random.default_rng(settings.seed).permutation(documents).tolist()
    size = settings.folds or 1
    return [order[fold::size] for fold in range(size)]


def pyramid_scores(judged: Sequence[Judged], name: str, masks: Masks) -> Floats:
    """Return the mean P of a system on each document: array [document]."""
    if name == PEOPLE:
        return np.array([people_mean(one.words, one.people) for one in judged])
    pairs = zip(judged, masks, strict=True)
    means = ([left_out_mean(one.words, mask, one.people) for mask in each] for one, each in pairs)
    return np.array([np.mean(several) for several in means])


def word_share(judged: Sequence[Judged], masks: Masks) -> float:
    """Return the mean share of the words of a document that a system selects."""
    shares = [
        np.mean([one.words[mask].sum() for mask in each]) / one.words.sum()
        for one, each in zip(judged, masks, strict=True)
    ]
    return float(np.mean(shares))


def rouge_scores(
    judged: Sequence[Judged], found: Mapping[str, Masks]
) -> dict[str, dict[str, Floats]]:
    """Return the recall of each system beside the annotators' extracts, by metric and document.

    The references of a person's extract are those of the others. That of several draws is a mean.
    """
    candidates: list[str] = []
    references: list[list[str]] = []
    ends: list[int] = []
    for name, masks in found.items():
        for document, each in zip(judged, masks, strict=True):
            people = [document.text(one) for one in document.people]
            candidates += [document.text(mask) for mask in each]
            left_out = [people[:place] + people[place + 1 :] for place in range(len(people))]
            references += left_out if name == PEOPLE else [people] * len(each)
            ends.append(len(candidates))
    table = suite(rouge_metrics()).score_batch(candidates, references)
    scores: dict[str, dict[str, Floats]] = {name: {} for name in found}
    for one in ROUGE:
        means = np.array([part.mean() for part in np.split(table[f"{one}.recall"], ends[:-1])])
        for name, own in zip(found, means.reshape(len(found), -1), strict=True):
            scores[name][one] = own
    return scores


def rouge_metrics() -> list[Any]:
    """ROUGE-1, ROUGE-2 and ROUGE-L as of ROUGE-1.5.5 with -f A, its average of references."""
    return [metric(name, aggregate="average") for name in ROUGE]


FOLDS = 5
_TOLD = ("folds", "rank_by", "draws", "resamples", "confidence")  # of the settings


def extracts(documents: Sequence[Extracted], settings: Settings | None = None) -> Study:
    """Compare rankers of utterances with people and with simple systems.

    The systems: `lead`, the first utterances; `random`, the mean of several draws; `longest`, the
    utterances with the most words; each ranker, trained on the other folds; `people`, each
    annotator beside the others; `optimal`, the utterances that most annotators selected. All but
    people have the same word budget: the words of the document times the mean share of words in
    the annotators' extracts. P is that of `PositionPyramid`, with as many words as the extract has;
    a system is scored beside all annotators but one, in turn.

    Parameters
    ----------
    documents : sequence of Extracted
        See `read_extracts`.
    settings : Settings, optional

    Returns
    -------
    Study
        Tables `systems` (P, its interval, the share of people's P, the share of the words),
        `rouge` (recall beside the annotators' extracts), `differences` (of other rankers to
        `order0`, where there are both) and `rank_by` (each ranker by posterior, cost and
        prediction). Intervals are by bootstrap over documents.

    Raises
    ------
    ValueError
        Fewer than two documents with two annotators, more folds than these, or extracts that
        select all utterances or none.

    Examples
    --------
    >>> from summeval.metrics.pyramid.extract_documents import read_extracts
    >>> texts = ["Shall we meet on Friday?", "Hi.", "We must move the meeting.", "Bye."]
    >>> rows = [
    ...     {"topic": topic, "annotator": who, "utterances": texts, "extract": [0, 2]}
    ...     for topic in "ab" for who in "xy"
    ... ]
    >>> found = extracts(read_extracts(rows), Settings(models=["order0"], draws=2, resamples=10))
    >>> [(row["name"], row["P"]) for row in found.tables[0].rows][-2:]
    [('people', 1.0), ('optimal', 1.0)]
    """
    asked = settings or Settings()
    check_whole("draws", asked.draws, 1)
    check_whole("resamples", asked.resamples, 1)
    check_inner_share("confidence", asked.confidence, 0.95)
    kept, notes = _usable(documents)
    judged, share = judged_of(kept)
    asked = replace(asked, folds=_folds(asked.folds, len(judged)))
    rankers = asked.rankers()
    ranked: dict[str, dict[str, Masks]] = {}
    for name, ranker in rankers.items():
        ranked[name], loopy = ranked_systems(judged, asked, ranker)
        if loopy:
            notes.append(
                f"{name}: {loopy} of {len(judged)} documents have too tangled links for exact"
                " inference and were ranked by loopy sum-product"
            )
    found = {
        **simple_systems(judged, asked),
        **{name: by[asked.rank_by] for name, by in ranked.items()},
        **bounds(judged),
    }
    scores = {name: pyramid_scores(judged, name, masks) for name, masks in found.items()}
    # the documents of each draw of the bootstrap, the same for all numbers
    chance = np.random.default_rng([asked.seed, len(judged)])
    drawn = chance.integers(len(judged), size=(asked.resamples, len(judged)))
    whole = float(scores[PEOPLE].mean())

    def interval(values: Floats) -> tuple[float, float]:
        return percentiles(values[drawn].mean(axis=1), asked.confidence)

    def row(masks: Masks, values: Floats) -> dict[str, Any]:
        """P of a system, its share of people's P, and of the words."""
        return {
            "P": float(values.mean()),
            "interval": interval(values),
            "of_people": float(values.mean()) / whole if whole else None,
            "words": word_share(judged, masks),
        }

    rows = [{"name": name, **row(found[name], values)} for name, values in scores.items()]
    systems = StudyTable("systems", "P of each system, and its share of people's P", rows)
    rows = [
        {"name": name, "rank_by": by, **row(masks, pyramid_scores(judged, name, masks))}
        for name, ways in ranked.items()
        for by, masks in ways.items()
    ]
    title = "P by what utterances are ranked by; predictions select no others than the predicted"
    by_ranking = StudyTable("rank_by", title, rows)
    tables = [
        systems,
        _rouge_table(rouge_scores(judged, found), interval),
        *_differences(scores, list(rankers), interval),
        by_ranking,
    ]
    return Study(
        "extracts",
        "Rankers of utterances beside people (Galley 2006, tables 5 to 7)",
        tables,
        figures=[
            _figure(systems, "Extracts beside people's"),
            _figure(by_ranking, "What utterances are ranked by"),
        ],
        settings={
            "documents": len(judged),
            "utterances": sum(len(one.words) for one in judged),
            "annotators": len({who for one in judged for who in one.given.annotators}),
            **{name: getattr(asked, name) for name in _TOLD},
        },
        seed=asked.seed,
        signatures={
            **{name: one.signature for name, one in asked.rankers().items()},
            **{one.name: one.signature for one in rouge_metrics()},
        },
        notes=notes,
        values={"word_share": share},
    )


def _usable(documents: Sequence[Extracted]) -> tuple[list[Extracted], list[str]]:
    """Return the documents with several annotators, and a note on the others."""
    if not (kept := [one for one in documents if len(one.extracts) > 1]):
        raise ValueError(
            "no document has two annotators, but people are scored by leaving one out; give rows of"
            " two annotators or more on each topic"
        )
    chosen = sum(len(extract) for one in kept for extract in one.extracts)
    asked = sum(len(one.document.utterances) * len(one.extracts) for one in kept)
    if chosen in (0, asked):
        which, of = ("every", "every extract") if chosen else ("no", "any extract")
        raise ValueError(f"{which} utterance is selected in {of}; a ranker needs both kinds")
    left = [one.topic for one in documents if len(one.extracts) < 2]
    notes = [f"left out, because they have one annotator: {', '.join(left)}"] if left else []
    return kept, notes


def _folds(asked: int | None, documents: int) -> int:
    if documents < 2:
        raise ValueError(f"{documents} document with two annotators; folds need two topics or more")
    if asked is None:
        return min(FOLDS, documents)
    if not 2 <= asked <= documents:
        raise ValueError(
            f"{asked} folds of {documents} documents; give a number of folds from 2 to {documents}"
        )
    return asked


def _rouge_table(scores: Mapping[str, Mapping[str, Floats]], interval: _Interval) -> StudyTable:
    columns = ", ".join(["name", *(f"{one}, {one} interval" for one in ROUGE)])
    cells = (
        (name, *(cell for x in by.values() for cell in (float(x.mean()), interval(x))))
        for name, by in scores.items()
    )
    rows = rows_of(columns, cells)
    return StudyTable("rouge", "ROUGE recall of each system beside the annotators' extracts", rows)


def _differences(
    scores: Mapping[str, Floats], models: Sequence[str], interval: _Interval
) -> list[StudyTable]:
    others = [name for name in models if name != PLAIN]
    if PLAIN not in models or not others:
        return []
    apart = {name: scores[name] - scores[PLAIN] for name in others}
    cells = ((name, PLAIN, float(x.mean()), interval(x)) for name, x in apart.items())
    rows = rows_of("name, beside, difference, interval", cells)
    return [StudyTable("differences", "P of other rankers minus that of order0", rows)]


def _figure(table: StudyTable, title: str) -> StudyFigure:
    """Bars of P, a series for each way of ranking."""
    ways: dict[str, list[dict[str, Any]]] = {}
    for row in table.rows:
        ways.setdefault(row.get("rank_by", ""), []).append(row)
    series = [Series.of(rows, "name", "P", "interval", by) for by, rows in ways.items()]
    return StudyFigure(table.name, title, "bars", "P", "", series)
