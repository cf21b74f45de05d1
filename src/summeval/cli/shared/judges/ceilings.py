"""How high a metric can correlate with the means of judges, for tables of correlations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from summeval.meta.judges.reliability import Reliability, judge_reliability
from summeval.meta.tables.scores import Scores

Ceilings = dict[tuple[str, str], Reliability]


def ceilings_of(scores: Scores, humans: Sequence[str], levels: Sequence[Any]) -> Ceilings:
    """The reliability of each dimension at each level, where the judges are known."""
    return {
        (human, level): judge_reliability(scores.judgements[human], level, resamples=0)
        for human in humans
        if human in scores.judgements
        for level in levels
    }


def ceiling_of(
    known: Ceilings, human: str, level: str, coefficient: Any, value: float | None
) -> dict[str, float | None]:
    """What a row of a table says of the ceiling; nothing if no judges are known.

    Without a value, which is the metric's correlation, it says the ceiling alone.

    >>> ceiling_of({}, "overall", "summary", "pearson", 0.5)
    {}
    """
    if not known:
        return {}
    found = known.get((human, level))
    row = {"ceiling": None if found is None else found.ceiling(coefficient)}
    if value is not None:
        row["disattenuated"] = None if found is None else found.disattenuated(value, coefficient)
    return row


def ceiling_notes(known: Ceilings) -> list[str]:
    """Notes on the judges of each dimension, and what a ceiling is."""
    notes = []
    for (human, level), found in known.items():
        notes.append(
            f"{human}, {level} level: reliability {found.value:.3f} of the mean of"
            f" {found.judges:.3g} judges"
        )
        notes += [f"{human}, {level} level: {note}" for note in found.notes]
    if notes:
        notes.append(
            "ceiling: the correlation expected of a perfect metric with these means; disattenuated:"
            " the metric's own with judgements free of noise"
        )
    return notes
