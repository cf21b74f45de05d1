"""Rankers of utterances beside people: tables 5 to 7 of Galley 2006.

Galley 2006, "A skip-chain conditional random field for ranking meeting utterances by importance",
sections 6 to 8. Rankers are trained and tested by folds of documents; every extract is scored
beside all annotators but one, so that people can be scored alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from summeval._options import check_inner_share, check_whole
from summeval.meta.resampling import percentiles
from summeval.metrics.pyramid.extracts.documents import Extracted
from summeval.study.extract_systems import (
    PEOPLE,
    PLAIN,
    ROUGE,
    Judged,
    Masks,
    Settings,
    bounds,
    judged_of,
    pyramid_scores,
    ranked_systems,
    rouge_metrics,
    rouge_scores,
    simple_systems,
    word_share,
)
from summeval.study.result import Series, Study, StudyFigure, StudyTable

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    _Floats = NDArray[float64]

FOLDS = 5


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
    >>> from summeval.metrics.pyramid.extracts.documents import read_extracts
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
        notes += _inexact(name, loopy, len(judged))
    found = {
        **simple_systems(judged, asked),
        **{name: by[asked.rank_by] for name, by in ranked.items()},
        **bounds(judged),
    }
    scores = {name: pyramid_scores(judged, name, masks) for name, masks in found.items()}
    draws = _Draws(len(judged), asked)
    systems = _systems(judged, found, scores, draws)
    by_ranking = _by_ranking(judged, ranked, scores[PEOPLE], draws)
    tables = [
        systems,
        _rouge_table(rouge_scores(judged, found), draws),
        *_differences(scores, list(rankers), draws),
        by_ranking,
    ]
    return Study(
        "extracts",
        "Rankers of utterances beside people (Galley 2006, tables 5 to 7)",
        tables,
        figures=[_figure(systems), _ranking_figure(by_ranking)],
        settings=_told(asked, judged),
        seed=asked.seed,
        signatures={
            **{name: one.signature for name, one in asked.rankers().items()},
            **{one.name: one.signature for one in rouge_metrics()},
        },
        notes=notes,
        values={"word_share": share},
    )


def _usable(documents: Sequence[Extracted]) -> tuple[list[Extracted], list[str]]:
    """The documents with several annotators, and a note on the others."""
    kept = [one for one in documents if len(one.extracts) > 1]
    if not kept:
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


def _inexact(name: str, loopy: int, documents: int) -> list[str]:
    if not loopy:
        return []
    return [
        f"{name}: {loopy} of {documents} documents have too tangled links for exact inference and"
        " were ranked by loopy sum-product"
    ]


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


class _Draws:
    """The documents of each draw of the bootstrap, the same for all numbers."""

    def __init__(self, documents: int, settings: Settings) -> None:
        chance = np.random.default_rng([settings.seed, documents])
        self._drawn = chance.integers(documents, size=(settings.resamples, documents))
        self._confidence = settings.confidence

    def interval(self, values: _Floats) -> tuple[float, float]:
        """The interval of the mean of values [document]."""
        return percentiles(values[self._drawn].mean(axis=1), self._confidence)


def _systems(
    judged: Sequence[Judged],
    found: Mapping[str, Masks],
    scores: Mapping[str, _Floats],
    draws: _Draws,
) -> StudyTable:
    rows = [
        {
            "name": name,
            "P": float(values.mean()),
            "interval": draws.interval(values),
            "of_people": _ratio(values, scores[PEOPLE]),
            "words": word_share(judged, found[name]),
        }
        for name, values in scores.items()
    ]
    return StudyTable("systems", "P of each system, and its share of people's P", rows)


def _ratio(values: _Floats, people: _Floats) -> float | None:
    whole = float(people.mean())
    return float(values.mean()) / whole if whole else None


def _rouge_table(scores: Mapping[str, Mapping[str, _Floats]], draws: _Draws) -> StudyTable:
    rows = []
    for name, by_metric in scores.items():
        row: dict[str, Any] = {"name": name}
        for one in ROUGE:
            row[one] = float(by_metric[one].mean())
            row[f"{one} interval"] = draws.interval(by_metric[one])
        rows.append(row)
    return StudyTable("rouge", "ROUGE recall of each system beside the annotators' extracts", rows)


def _differences(
    scores: Mapping[str, _Floats], models: Sequence[str], draws: _Draws
) -> list[StudyTable]:
    others = [name for name in models if name != PLAIN]
    if PLAIN not in models or not others:
        return []
    rows = [
        {
            "name": name,
            "beside": PLAIN,
            "difference": float((scores[name] - scores[PLAIN]).mean()),
            "interval": draws.interval(scores[name] - scores[PLAIN]),
        }
        for name in others
    ]
    return [StudyTable("differences", "P of other rankers minus that of order0", rows)]


def _by_ranking(
    judged: Sequence[Judged],
    ranked: Mapping[str, Mapping[str, Masks]],
    people: _Floats,
    draws: _Draws,
) -> StudyTable:
    rows = []
    for name, ways in ranked.items():
        for by, masks in ways.items():
            values = pyramid_scores(judged, name, masks)
            rows.append(
                {
                    "name": name,
                    "rank_by": by,
                    "P": float(values.mean()),
                    "interval": draws.interval(values),
                    "of_people": _ratio(values, people),
                    "words": word_share(judged, masks),
                }
            )
    title = "P by what utterances are ranked by; predictions select no others than the predicted"
    return StudyTable("rank_by", title, rows)


def _figure(table: StudyTable) -> StudyFigure:
    names = [row["name"] for row in table.rows]
    series = Series(
        "", names, [row["P"] for row in table.rows], [row["interval"] for row in table.rows]
    )
    return StudyFigure("systems", "Extracts beside people's", "bars", "P", "", [series])


def _ranking_figure(table: StudyTable) -> StudyFigure:
    names = list(dict.fromkeys(row["name"] for row in table.rows))
    series = []
    for by in dict.fromkeys(row["rank_by"] for row in table.rows):
        rows = [row for row in table.rows if row["rank_by"] == by]
        series.append(
            Series(by, names, [row["P"] for row in rows], [row["interval"] for row in rows])
        )
    return StudyFigure("rank_by", "What utterances are ranked by", "bars", "P", "", series)


def _told(settings: Settings, judged: Sequence[Judged]) -> dict[str, Any]:
    return {
        "documents": len(judged),
        "utterances": sum(len(one.words) for one in judged),
        "annotators": len({who for one in judged for who in one.given.annotators}),
        "folds": settings.folds,
        "rank_by": settings.rank_by,
        "draws": settings.draws,
        "resamples": settings.resamples,
        "confidence": settings.confidence,
    }
