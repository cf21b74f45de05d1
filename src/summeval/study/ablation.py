"""The ablation of DICOMER and CREMER: the feature sets, the kernels, the parts alone.

Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation Evaluation Metrics
for Summarization Evaluation": the tables of LIN, LIN+C, LIN+E and DICOMER, and of CREMER with the
kernels LF, PF and RBF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from summeval._arrays import Bools, Floats
from summeval.annotate.discourse import DiscourseDocument
from summeval.learn.svm_kernels import KERNELS
from summeval.meta.arrays import COEFFICIENTS, FEWEST_SYSTEMS, Coefficient, Level
from summeval.meta.correlations import value_of
from summeval.meta.resampling import Design
from summeval.meta.significance import interval, koehn_tests
from summeval.metrics.discourse.cremer import Cremer
from summeval.metrics.discourse.dicomer import Dicomer
from summeval.study import result
from summeval.study.result import Series, Study, StudyFigure, StudyTable
from summeval.table.scores import Scores

TITLE = "Parts of DICOMER and CREMER, topics unseen (Lin, Liu, Ng and Kan 2012)"
SETS = {"LIN": "lin", "LIN+C": "lin+c", "LIN+E": "lin+e", "DICOMER": "dicomer"}
CONTENT, LENGTH = "TESLA-S", "length"
LEVELS: tuple[Level, ...] = ("summary", "system")
CONFIDENCE = 0.95
FOLDS = 5
_LARGEST = 1e150  # squares of larger numbers have no double


@dataclass(frozen=True)
class Rated:
    """Summaries with human scores, a list item for each.

    Attributes
    ----------
    documents : sequence of DiscourseDocument
        Their parses with discourse relations.
    systems, topics : sequence of str
    scores : array [summary]
        The human score that is predicted.
    readability : array [summary]
        The human score that DICOMER learns; it may be the same.
    content : array [summary], optional
        The F of TESLA-S; without it there is no CREMER.
    words : array [summary]
        Their lengths.
    """

    documents: Sequence[DiscourseDocument]
    systems: Sequence[str]
    topics: Sequence[str]
    scores: Floats
    readability: Floats
    content: Floats | None
    words: Floats


def ablation(
    rated: Rated,
    *,
    human: str = "human",
    folds: int | None = None,
    C: float | str | None = None,
    coefficient: Coefficient = "pearson",
    resamples: int = 1000,
    seed: int = 0,
    workers: int = 1,
) -> Study:
    """Predict each summary from other topics with each part, and correlate with people.

    The topics are divided into folds. Each fold is predicted by models that were trained on the
    others. CREMER learns from values of DICOMER for topics that this DICOMER did not see either.

    Parameters
    ----------
    rated : Rated
    human : str
        The name of the human score in the tables.
    folds : int, optional
        Of topics, at most as many as there are; by default 5, or as many as topics.
    C : {None, "cv"} or float
        Of the machines: a number, or "cv" to choose it by topics; by default SVM-light's.
    coefficient : {"pearson", "spearman", "kendall"}
        Of the intervals and of Koehn's test.
    resamples : int
        Draws for the intervals and for Koehn's test.
    seed : int
        Of these draws.
    workers : int
        Number of threads that count features.

    Returns
    -------
    Study
        Tables `correlations` (a row for each part and level), `wins` and `koehn` at the system
        level; a figure.

    Raises
    ------
    ImportError
        If scikit-learn is missing.
    ValueError
        Fewer than two systems or two topics (three for CREMER), more folds than topics, a human
        score that is constant or beyond 1e150, a repeated system within a topic, or topics without
        different readability scores.
    """
    if len(set(rated.systems)) < 2:
        raise ValueError("1 system; give summaries of two or more systems")
    if rated.scores.min() == rated.scores.max():
        raise ValueError(
            f"{human} is {rated.scores[0]:g} in all {len(rated.scores)} rows;"
            " no correlation with a constant"
        )
    _check_scores(rated, human)
    folds, notes = _folds(rated, folds)
    values = _values(rated, folds, C, workers)
    scores = result.pivot(rated.systems, rated.topics, {**values, "human": rated.scores})
    rows = list(_correlations(scores, list(values), coefficient, resamples, seed))
    drawn = koehn_tests(
        {name: scores[name] for name in values}, scores["human"], coefficient, resamples, seed
    )
    wins = [*result.win_rows(drawn, [*values], {})]
    title = f"Share of draws in which the row agrees better than the column ({coefficient})"
    if len(scores.systems) < FEWEST_SYSTEMS:
        count = f"{len(scores.systems)} systems, fewer than {FEWEST_SYSTEMS}"
        notes.append(f"{count}: the numbers say little")
    notes = [*scores.notes, *notes, result.MARKED]
    if rated.content is None:
        notes.insert(0, "no references, so CREMER and TESLA-S are left out")
    return Study(
        "ablation",
        TITLE,
        [
            StudyTable("correlations", f"Correlation with {human}", rows),
            StudyTable("wins", f"{title}, system level", wins),
            StudyTable("koehn", "Koehn's test", list(result.pair_rows(drawn, {})), shown=0),
        ],
        figures=list(_figures(rows, human, coefficient)),
        settings={
            "human": human,
            "summaries": len(rated.scores),
            "systems": len(scores.systems),
            "topics": len(scores.topics),
            "folds": folds,
            "C": C,
            "coefficient": coefficient,
            "resamples": resamples,
            "confidence": CONFIDENCE,
        },
        seed=seed,
        notes=notes,
    )


def _check_scores(rated: Rated, human: str) -> None:
    """Raise for scores that are too large, or from which DICOMER learns no order."""
    same = np.array_equal(rated.scores, rated.readability)
    learned = human if same else "the readability score"
    for name, column in ((human, rated.scores), (learned, rated.readability)):
        if (largest := float(np.abs(column).max())) > _LARGEST:
            raise ValueError(
                f"{name} is {largest:g} in size; divide the column so that none is over 1e150"
            )
    topics = set(rated.topics)
    if 1 < len(topics) == len({*zip(rated.topics, rated.readability.tolist(), strict=True)}):
        equal = f"{learned} is equal for all summaries of each topic"
        raise ValueError(f"{equal}, so there is nothing to learn; choose another column")


def _folds(rated: Rated, asked: int | None) -> tuple[int, list[str]]:
    """The number of folds, if they leave enough topics to train on; and a note if it is lower."""
    topics = len(set(rated.topics))
    folds = min(FOLDS, topics) if asked is None else asked
    if topics > 1 and folds > topics:
        raise ValueError(
            f"{folds} folds of {topics} topics; give a number of folds from 2 to {topics}"
        )
    if rated.content is not None and 1 < topics < 3:
        raise ValueError(
            f"{topics} topics; CREMER is trained on two or more that are not held out, give three"
        )
    if rated.content is not None and topics > 2 and topics - -(-topics // folds) < 2:
        raise ValueError(
            f"{folds} folds of {topics} topics leave one topic to train CREMER on; give more folds"
        )
    fewer = asked is None and folds < FOLDS
    return folds, [f"{topics} topics, so {folds} folds instead of {FOLDS}"] * fewer


def _values(rated: Rated, folds: int, C: float | str | None, workers: int) -> dict[str, Floats]:
    """Return the predictions of each part, none from a topic that its model was trained on."""
    from summeval.learn.svm import topic_folds

    found: dict[str, Floats] = {}
    given = rated.documents, rated.readability, rated.topics
    for name, features in SETS.items():
        dicomer = Dicomer(features=features, C=C)
        found[name] = dicomer.cross_predict(*given, folds=folds, workers=workers)
    if rated.content is not None:
        found[CONTENT] = rated.content
        combined = {kernel: np.empty(len(rated.scores)) for kernel in KERNELS}
        rows = np.column_stack([rated.content, found["DICOMER"]])
        for part in topic_folds(rated.topics, folds):
            own = _training(rated, ~part, folds, C, workers)
            for kernel, values in combined.items():
                topics = _where(rated.topics, ~part)
                cremer = Cremer(kernel=kernel, C=C).fit(own, rated.scores[~part], topics)
                values[part] = cremer.predict(rows[part])
        found |= {f"CREMER {kernel}": values for kernel, values in combined.items()}
    return found | {LENGTH: rated.words}


def _training(rated: Rated, kept: Bools, folds: int, C: float | str | None, workers: int) -> Floats:
    """The rows from which CREMER learns: TESLA-S, and DICOMER trained on other topics of them."""
    assert rated.content is not None
    dicomer = Dicomer(C=C).cross_predict(
        _where(rated.documents, kept),
        rated.readability[kept],
        _where(rated.topics, kept),
        folds=folds,
        workers=workers,
    )
    return np.column_stack([rated.content[kept], dicomer])


def _where(items: Sequence[Any], kept: Bools) -> list[Any]:
    return [items[row] for row in np.flatnonzero(kept).tolist()]


def _correlations(
    scores: Scores, names: Sequence[str], coefficient: Coefficient, resamples: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Yield a row for each level and part."""
    people = scores["human"]
    for level in LEVELS:
        design = Design(coefficient, level, None, resamples, seed, CONFIDENCE)
        for name in names:
            x = np.where(np.isnan(people), np.nan, scores[name])
            found = interval(x, people, design)
            yield {
                "part": name,
                "level": level,
                **{one: value_of(x, people, one, level) for one in COEFFICIENTS},
                "interval": (found.lower, found.upper),
            }


def _figures(
    rows: Sequence[dict[str, Any]], human: str, coefficient: Coefficient
) -> Iterator[StudyFigure]:
    """Bars with intervals: the parts, a series for each level."""
    series = []
    for level in LEVELS:
        here = [row for row in rows if row["level"] == level]
        series.append(Series.of(here, "part", coefficient, "interval", f"{level} level"))
    label = f"{coefficient.capitalize()} correlation"
    yield StudyFigure("correlations", f"{human}, topics unseen", "bars", label, "", series)
