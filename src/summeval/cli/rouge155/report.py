"""The output of rouge155 for one system."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping, Sequence

from summeval.cli.rouge155.options import Options
from summeval.metrics.rouge.script import (
    Sampling,
    ScriptMeasure,
    Totals,
    added,
    bootstrap_scores,
    bootstrap_totals,
    score,
)


def report(options: Options, system: str, results: Mapping[str, Sequence[Totals]]) -> str:
    """The output for one system, given evalID.peerID -> the totals of each measure."""
    keys = sorted(results, key=os.fsencode)
    lines: list[str] = []
    for number, measure in enumerate(options.measures):
        name = f"{system} ROUGE-{measure.label}"
        totals = {key: results[key][number] for key in keys}
        lines.append("-" * 45)
        if options.totals == 2:
            lines.append(sums(name, list(totals.values())))
        else:
            lines += averages(options, name, measure, list(totals.values()))
        if options.prints_evaluations:
            lines.append("." * 45)
            lines += single_evaluations(options, name, measure, totals)
    return "".join(line + "\n" for line in lines)


def sums(name: str, totals: Sequence[Totals]) -> str:
    """The line of -t 2."""
    model, peer, hits = (int(added(column)) for column in zip(*totals, strict=True))
    return f"{name} M_count: {model} P_count: {peer} H_count: {hits}"


def averages(
    options: Options, name: str, measure: ScriptMeasure, totals: Sequence[Totals]
) -> Iterator[str]:
    """The lines of averages with their intervals."""
    sampling = Sampling(options.resamples, float(options.confidence))
    if options.totals == 1:
        interval = bootstrap_totals(totals, options.alpha, sampling)
    else:
        scores = [score(measure, evaluation, options.alpha) for evaluation in totals]
        interval = bootstrap_scores(scores, sampling)
    for letter, average, lower, upper in zip("RPF", *interval, strict=True):
        bounds = f"{options.confidence}%-conf.int. {lower:7.5f} - {upper:7.5f}"
        yield f"{name} Average_{letter}: {average:7.5f} ({bounds})"


def single_evaluations(
    options: Options, name: str, measure: ScriptMeasure, totals: Mapping[str, Totals]
) -> Iterator[str]:
    """The lines of -d; under -t 1 and -t 2 the columns R, P and F hold totals."""
    for key in sorted(totals, key=functools.cmp_to_key(compare_keys)):
        if options.totals:
            columns = [f"{total:.15g}" for total in totals[key]]
        else:
            columns = [f"{part:7.5f}" for part in score(measure, totals[key], options.alpha)]
        yield f"{name} Eval {key} R:{columns[0]} P:{columns[1]} F:{columns[2]}"


def compare_keys(one: str, other: str) -> int:
    """Order by the leading numbers of both keys, or as strings if one has none.

    >>> sorted(["10.S", "9.S", "x.S"], key=functools.cmp_to_key(compare_keys))
    ['9.S', '10.S', 'x.S']
    """
    numbers = [re.match("[0-9]+", key) for key in (one, other)]
    first, second = os.fsencode(one), os.fsencode(other)
    if numbers[0] and numbers[1]:
        first_number, second_number = int(numbers[0][0]), int(numbers[1][0])
        return (first_number > second_number) - (first_number < second_number)
    return (first > second) - (first < second)
