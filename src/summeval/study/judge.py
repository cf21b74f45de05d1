"""How a language model fails as judge: on equal texts, in the other order, on harmless changes."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata

from summeval.study.attacks import APART, ATTACKS, sentences_of
from summeval.study.gaming import Honest, twin
from summeval.study.result import Row, Study, StudyTable

if TYPE_CHECKING:
    from summeval.metrics.judge.metric import Judge

# What a reader hardly sees: contractions, and the other kind of quotation marks and dashes.
_HARMLESS = [
    (r"\b(did|does|do|is|was|are|were|has|have|had|could|would|should) not\b", r"\1n't"),
    (r"\b(I|you|we|they|he|she|it) (?:is|has)\b", r"\1's"),
    (r"(\d),(\d{3})\b", r"\1\2"),
    (r"\bper ?cent\b", "%"),
    (r"[“”]", '"'),
    (r"[‘’]", "'"),
    (r" [–—-] ", ", "),
]
_MOST_CHANGED = 0.5  # points; more than rounding


def paraphrase(text: str) -> str | None:
    r"""Return the text with changes that mean nothing; None where there is nothing to change.

    Where no words can be written otherwise, each sentence gets a line.

    >>> paraphrase("The bridge was not closed."), paraphrase("It rained. It froze.")
    ("The bridge wasn't closed.", 'It rained.\nIt froze.')
    """
    made = text
    for pattern, other in _HARMLESS:
        made = re.sub(pattern, other, made)
    if made == text:
        made = "\n".join(sentences_of(text))
    return None if made == text else made


def study_judge(
    judge: Judge,
    preference: Judge,
    summaries: Sequence[Honest],
    *,
    pairs: int = 100,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Study:
    """Measure the faults of a judge on summaries.

    Parameters
    ----------
    judge : Judge
        Gives each summary a number.
    preference : Judge
        The same model with the rubric "preference".
    summaries : sequence of Honest
        With a source, where the judges read one.
    pairs : int
        Pairs of summaries of a topic that are compared, at most, drawn by `seed`.

    Returns
    -------
    Study
        Tables `faults`, with what each number is of a judge without the fault, and `attacks`: the
        share of broken copies that the honest summary beats.
    """
    draw = random.Random(seed)
    values = _values(judge, summaries, [one.case.text for one in summaries])
    again = _values(judge.asked_again(), summaries, [one.case.text for one in summaries])
    rows: list[Row] = []

    def add(fault: str, share: float, ideal: str, count: int) -> None:
        rows.append({"fault": fault, "value": share, "ideal": ideal, "of": count})

    known = np.isfinite(values)
    both = known & np.isfinite(again)
    change = np.abs(again - values)[both]
    add("no verdict", 1 - _mean(known), "0", len(values))
    add("mean change when asked again", _mean(change), "0", int(both.sum()))
    harmless = [paraphrase(one.case.text) for one in summaries]
    places = [place for place, text in enumerate(harmless) if text is not None]
    other = _values(judge, [summaries[p] for p in places], [harmless[p] or "" for p in places])
    moved = np.abs(other - values[places]) if places else np.zeros(0)
    moved = moved[np.isfinite(moved)]
    add("mean change after a harmless change", _mean(moved), "as asked again", len(moved))
    add("changed by over half a point by it", _mean(moved > _MOST_CHANGED), "0", len(moved))
    lengths = np.array([len(one.case.text.split()) for one in summaries], dtype=float)
    topics = [one.topic for one in summaries]
    rho, count = _within(values, lengths, topics)
    add("correlation with length (Spearman, within topics)", rho, "as people's", count)
    add("ties within topics", *_ties(values, topics))
    _compare(preference, summaries, draw, pairs, add)
    return Study(
        "judge",
        f"How {judge.model} fails as judge",
        [
            StudyTable("faults", "Faults", rows),
            StudyTable(
                "attacks",
                "Share of broken copies that the honest summary beats",
                _attacks(judge, summaries, values, seed),
            ),
        ],
        settings={"pairs": pairs},
        seed=seed,
        signatures={judge.name: str(judge.signature), "preference": str(preference.signature)},
        notes=notes,
        values={"summaries": len(summaries), "topics": len(set(topics))},
    )


def _compare(
    preference: Judge, summaries: Sequence[Honest], draw: random.Random, most: int, add: Any
) -> None:
    """Add the faults of comparisons: of a text with itself, and of two in both orders."""
    by_topic: dict[str, list[Honest]] = {}
    for one in summaries:
        by_topic.setdefault(one.topic, []).append(one)
    every = [
        (one, two)
        for few in by_topic.values()
        for one, two in combinations(few, 2)
        if one.case.text != two.case.text
    ]
    chosen = sorted(draw.sample(range(len(every)), min(most, len(every))))
    alone = [summaries[k] for k in range(0, len(summaries), max(1, len(summaries) // most))][:most]
    same = [preferred for one in alone for preferred in _preferred(preference, one, one)[:1]]
    same = [value for value in same if not math.isnan(value)]
    add("first of two equal texts preferred", _mean(np.equal(same, 1.0)), "0", len(same))
    add("second of two equal texts preferred", _mean(np.equal(same, 0.0)), "0", len(same))
    orders = [_preferred(preference, *every[place]) for place in chosen]
    orders = [both for both in orders if not any(map(math.isnan, both))]
    against = [first == second != 0.5 for first, second in orders]
    firsts = [value for both in orders for value in both if value != 0.5]
    add("verdict turns round with the order", _mean(against), "0", len(orders))
    add("the first text is preferred", _mean(firsts), "0.5", len(firsts))


def _preferred(preference: Judge, one: Honest, two: Honest) -> list[float]:
    """Whether the text that stands first is preferred, in both orders."""
    texts = one.case.text, two.case.text
    return preference.prefer_in_order(
        [texts, texts[::-1]], one.case.references, source=one.case.source
    )


def _attacks(
    judge: Judge, summaries: Sequence[Honest], values: np.ndarray[Any, Any], seed: int
) -> list[Row]:
    """Return the share of pairs that the honest summary wins, of each attack."""
    rows: list[Row] = []
    for attack in ATTACKS:
        made = [twin(attack, one.case, f"{seed}|{one.topic}") for one in summaries]
        places = [place for place, text in enumerate(made) if text is not None]
        broken = _values(judge, [summaries[p] for p in places], [made[p] or "" for p in places])
        honest = values[places]
        pairs = np.isfinite(honest)
        wins = (honest > broken) | ~np.isfinite(broken)
        ties = (honest == broken)[pairs]
        rows.append(
            {
                "attack": attack + " (apart)" * (attack in APART),
                "won": _mean(wins[pairs]),
                "tied": _mean(ties),
                "pairs": int(pairs.sum()),
            }
        )
    return rows


def _values(judge: Judge, beside: Sequence[Honest], texts: Sequence[str]) -> Any:
    """Return the value of each text beside the references and source of a summary."""
    if not texts:
        return np.zeros(0)
    given: Mapping[str, Any] = {
        "references": [one.case.references for one in beside],
        "sources": [one.case.source for one in beside],
    }
    table = judge.score_batch([*texts], **given, on_error="skip")
    return np.asarray(table[f"{judge.name}.value"])


def _mean(values: Any) -> float:
    return float(np.mean(values)) if len(values) else math.nan


def _within(values: Any, others: Any, topics: Sequence[str]) -> tuple[float, int]:
    """Return the mean of Spearman's correlation over topics in which both vary, and their count."""
    found = []
    for topic in dict.fromkeys(topics):
        here = np.array([one == topic for one in topics]) & np.isfinite(values)
        x, y = values[here], others[here]
        if len(x) > 2 and np.ptp(x) > 0 and np.ptp(y) > 0:
            found.append(np.corrcoef(rankdata(x), rankdata(y))[0, 1])
    return _mean(found), len(found)


def _ties(values: Any, topics: Sequence[str]) -> tuple[float, str, int]:
    """Return the share of pairs of a topic's summaries that have the same number."""
    tied = [
        values[i] == values[j]
        for i, j in combinations(range(len(topics)), 2)
        if topics[i] == topics[j] and np.isfinite(values[i] + values[j])
    ]
    return _mean(tied), "as people's", len(tied)
