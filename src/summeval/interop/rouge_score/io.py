"""Score text files into a CSV file, like the command of rouge-score."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from summeval._files import write_whole
from summeval.interop.rouge_score.scoring import AggregateScore, BaseScorer, Score


def compute_scores_and_write_to_csv(  # noqa: PLR0917 - the arguments are rouge-score's
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: BaseScorer,
    aggregator: Any,
    delimiter: str = "\n",
) -> None:
    """Score the records of files, pair by pair, and write a CSV file.

    Parameters
    ----------
    target_filepattern, prediction_filepattern : str
        Shell patterns; the files of both sides are paired in the order of their names.
    output_filename : str
    scorer : RougeScorer
    aggregator : BootstrapAggregator or None
        None writes a row for each pair: `id`, then precision, recall and F of each type. Otherwise
        a row for each number: `type-R`, `type-P`, `type-F` with low, mid and high.
    delimiter : str
        Terminator of records.

    Raises
    ------
    ValueError
        If the patterns match no files, or not as many, or the files of a pair have not as many
        records.
    """
    targets, predictions = (
        sorted(glob.glob(target_filepattern)),
        sorted(glob.glob(prediction_filepattern)),
    )
    if not targets or len(targets) != len(predictions):
        raise ValueError(
            f"{len(targets)} files match {target_filepattern!r} but {len(predictions)} match "
            f"{prediction_filepattern!r}; give as many of both, and at least one"
        )
    scores: list[dict[str, Score]] = []
    for target, prediction in zip(targets, predictions, strict=True):
        scores += _scores(target, prediction, scorer, delimiter)
    if aggregator is None:
        lines = _score_lines(scores)
    else:
        for score in scores:
            aggregator.add_scores(score)
        lines = _aggregate_lines(aggregator.aggregate())
    text = "".join(f"{line}\n" for line in lines)
    write_whole(output_filename, text.replace("\n", os.linesep).encode())


def _scores(
    target: str, prediction: str, scorer: BaseScorer, delimiter: str
) -> list[dict[str, Score]]:
    left, right = _records(target, delimiter), _records(prediction, delimiter)
    if len(left) != len(right):
        raise ValueError(
            f"{target} has {len(left)} records but {prediction} {len(right)}; "
            "give one prediction for each target"
        )
    return [scorer.score(*pair) for pair in zip(left, right, strict=True)]


def _records(filename: str, delimiter: str) -> list[str]:
    """Return the records of a file; the last one needs no terminator."""
    with open(filename) as file:
        records = file.read().split(delimiter)
    return records if records[-1] else records[:-1]


def _score_lines(scores: Sequence[Mapping[str, Score]]) -> Iterator[str]:
    names = sorted(scores[0]) if scores else []
    yield ",".join(["id", *(f"{name}-{part}" for name in names for part in "PRF")])
    for row, score in enumerate(scores):
        yield ",".join([str(row), *(f"{value:f}" for name in names for value in score[name])])


def _aggregate_lines(aggregates: Mapping[str, AggregateScore]) -> Iterator[str]:
    yield "score_type,low,mid,high"
    for name, bounds in sorted(aggregates.items()):
        for part, field in (("R", "recall"), ("P", "precision"), ("F", "fmeasure")):
            values = (f"{getattr(bound, field):f}" for bound in bounds)
            yield ",".join([f"{name}-{part}", *values])
