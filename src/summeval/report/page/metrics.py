"""The metrics: their distributions, how far they agree, and how they follow length."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

import numpy as np

from summeval.meta.survey import QUANTILES, SAMPLE
from summeval.report.drawing import PLOT, WIDTH, against, by_length, ridges, ridges_height
from summeval.report.numbers import count, number, short
from summeval.report.page.parts import (
    Contents,
    details,
    heads,
    heat,
    paragraph,
    plotted,
    row,
    table,
)
from summeval.table.cells import Array as Table

PICTURES = 8  # metrics whose distribution is drawn
HILLS = 10  # systems in such a picture
FOLLOW = 4  # metrics that are drawn by length
LIKE = 0.95  # a correlation from which two metrics say much the same


def distributions(contents: Contents, draws: bool = True) -> str:
    """Return a picture for each of the first metrics, and quantiles of all."""
    found = contents.survey
    systems = found.systems or ("all rows",)
    order = list(range(len(systems)))
    if contents.ranking is not None:
        order = [int(s) for s in contents.ranking[contents.main].order]
    pictures = []
    for metric in contents.metrics[:PICTURES] if draws else ():
        spread = found.spreads[metric]
        if not spread.rows or spread.constant:
            continue
        shown = order[:HILLS]
        names = [systems[s] for s in shown]
        said = f"{spread.rows:,} scores from {short(spread.low)} to {short(spread.high)}"
        share = [f"{q:.0%}" for q in QUANTILES]
        rows = [
            {"system": system, "metric": metric} | dict(zip(share, line, strict=True))
            for system, line in zip(systems, spread.quantiles.tolist(), strict=True)
        ]
        pictures.append(
            plotted(
                f"spread-{contents.metrics.index(metric)}",
                contents.label(metric),
                said,
                (f"Distribution of {contents.label(metric)}", said),
                (WIDTH, ridges_height(len(shown))),
                lambda canvas, n=names, s=spread, p=shown: ridges(canvas, n, s, p),  # type: ignore[misc]
                rows,
            )
        )
    told = "A hill shows how many rows have which score; the dark tick is the median."
    if len(order) > HILLS:
        told += f" The {HILLS} best systems by {contents.label(contents.main)}."
    if len(contents.metrics) > PICTURES:
        told += f" The first {PICTURES} of {len(contents.metrics)} metrics; the table has all."
    first = paragraph(told) + f'<div class="plots">{"".join(pictures)}</div>\n' if pictures else ""
    return first + _quantiles(contents, shown=not pictures)


def _quantiles(contents: Contents, *, shown: bool) -> str:
    body = []
    for metric in contents.metrics:
        spread = contents.survey.spreads[metric]
        told = [short(spread.low), short(spread.high)]
        kind = "all equal" if spread.constant else ""
        kind = kind if spread.rows else "no score"
        cells = [f"{spread.rows:,}", f"{spread.missing:,}", *told, f'<td class="text">{kind}</td>']
        body.append(row(contents.label(metric), cells))
    made = table(
        "Scores of all metrics.",
        heads("metric", "scores", "missing", "lowest", "highest", "note"),
        body,
    )
    return details("The numbers", made, shown=shown)


def between(contents: Contents, scores: Mapping[str, Table], draws: bool = True) -> str:
    """Correlations of all pairs of metrics, and a picture of the pair that agrees least."""
    metrics = contents.metrics
    if len(metrics) < 2:
        return ""
    found = contents.survey.between
    pairs = [
        (float(found[i, j]), metrics[i], metrics[j])
        for i in range(len(metrics))
        for j in range(i)
        if not isnan(found[i, j])
    ]
    if not pairs:
        return paragraph("No two metrics have scores that vary on the same rows.")
    low, high = min(pairs), max(pairs)
    least = " least" * (len(pairs) > 1)
    both = [f"{contents.label(pair[2])} and {contents.label(pair[1])}" for pair in (low, high)]
    told = f"{both[0]} agree{least} on single rows (ρ = {number(low[0], 2)})"
    if len(pairs) > 1:
        told += f", {both[1]} most (ρ = {number(high[0], 2)})"
    alike = sum(pair[0] >= LIKE for pair in pairs)
    if alike:
        told += f". {count(alike, 'pair')} with ρ from {LIKE} on say much the same"
    sample = f" of a sample of {SAMPLE:,} rows" if contents.survey.rows > SAMPLE else ""
    body = [
        row(contents.label(metric), (heat(float(value)) for value in found[place]))
        for place, metric in enumerate(metrics)
    ]
    labels = [contents.label(metric) for metric in metrics]
    made = table(
        f"Spearman ρ between metrics, over rows{sample}.",
        heads("metric", *labels),
        body,
        "heat between",
    )
    return paragraph(told + ".") + made + (_least(contents, scores, low) if draws else "")


def _least(contents: Contents, scores: Mapping[str, Table], pair: tuple[float, str, str]) -> str:
    """Return the rows by the two metrics that agree least."""
    _, second, first = pair
    x, y = scores[first], scores[second]
    known = ~(np.isnan(x) | np.isnan(y))
    titles = (contents.label(first), contents.label(second))
    told = f"{int(known.sum()):,} rows; the stronger the colour, the more rows."
    made = plotted(
        "least",
        "The two that agree least" if len(contents.metrics) > 2 else "Row by row",
        told,
        (f"{titles[1]} against {titles[0]}", told),
        (WIDTH, PLOT + 40),
        lambda canvas: against(canvas, x[known], y[known], titles),
        [],
    )
    return f'<div class="plots">{made}</div>\n'


def lengths(contents: Contents, draws: bool = True) -> str:
    """Return how scores follow the number of words."""
    found = contents.survey.lengths
    known = {m: part for m, part in found.items() if not isnan(part.rho)}
    if not known:
        return ""
    strongest = max(known, key=lambda metric: abs(known[metric].rho))
    rho = known[strongest].rho
    more = "longer" if rho > 0 else "shorter"
    told = (
        f"{contents.label(strongest)} follows length most: ρ = {number(rho, 2)}, {more} candidates"
        " score better."
        if abs(rho) >= 0.1
        else f"No metric follows length: the strongest is {contents.label(strongest)} with"
        f" ρ = {number(rho, 2)}."
    )
    pictures = []
    order = sorted(known, key=lambda metric: -abs(known[metric].rho))[:FOLLOW] if draws else []
    for metric in order:
        part = known[metric]
        if len(part.lengths) < 3:
            continue
        said = f"ρ = {number(part.rho, 2)}; mean scores of groups of rows, from short to long"
        groups = zip(part.lengths.tolist(), part.means.tolist(), strict=True)
        pictures.append(
            plotted(
                f"length-{contents.metrics.index(metric)}",
                contents.label(metric),
                said,
                (f"{contents.label(metric)} by length", said),
                (WIDTH, PLOT),
                lambda canvas, p=part: by_length(canvas, p),  # type: ignore[misc]
                [{"metric": metric, "words": a, "mean": b} for a, b in groups],
            )
        )
    if len(pictures) == FOLLOW < len(known):
        told += f" The {FOLLOW} of {len(known)} metrics that follow it most; the table has all."
    made = f'<div class="plots">{"".join(pictures)}</div>\n' if pictures else ""
    body = [row(contents.label(m), [heat(known[m].rho)]) for m in known]
    rhos = table(
        "Spearman ρ of score and number of words, over rows.", heads("metric", "ρ"), body, "heat"
    )
    systems = zip(contents.survey.systems, contents.survey.words, strict=False)
    words = [row(system, [short(float(mean))]) for system, mean in systems]
    if len(words) > 1:
        rhos += table("Mean number of words.", heads("system", "words"), words)
    return paragraph(told) + made + details("The numbers", rhos, shown=not made)
