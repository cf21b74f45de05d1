"""The systems: the first picture, and the tables behind it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isnan

import numpy as np

from summeval.meta.ranking.result import MetricRanking, Ranking
from summeval.report.drawing import Panel
from summeval.report.numbers import like, number, percent, pvalue, short
from summeval.report.page.parts import (
    PANELS,
    Contents,
    details,
    dotted,
    head,
    heads,
    name,
    row,
    table,
    text,
)

LINES = 14  # systems that it shows
PAIRED = 16  # systems whose pairs are listed


def picture(contents: Contents, draws: bool = True) -> str:
    """Return the means of the systems by the first metrics, as dots with intervals."""
    ranking = contents.ranking
    assert ranking is not None
    others = [metric for metric in contents.varied if metric != contents.main]
    metrics = [contents.main, *others[: PANELS - 1]]
    main = ranking[contents.main]
    order = main.order.tolist()
    if len(order) > LINES:  # the best, and the last one
        order = [*order[: LINES - 1], order[-1]]
    panels = [_panel(ranking[metric], contents.label(metric), order) for metric in metrics]
    share = percent(ranking.confidence)
    told = f"Mean scores with {share} intervals."
    if not all(all(panel.strong) for panel in panels):
        told += " Blue: the best, and those that cannot be told apart from it."
    if len(order) > 1:
        told += f" Tests have {ranking.correction.title()}'s correction, intervals have none."
    if len(metrics) < len(contents.metrics):
        told += f" Some of {len(contents.metrics)} metrics: the table below has all."
    if len(order) < len(main.systems):
        told += f" {len(order)} of {len(main.systems)} systems: the table below has all."
    title = f"Systems by {', '.join(contents.label(metric) for metric in metrics)}"
    names = [main.systems[s] for s in order]
    lines = {
        name: f"{name} {short(float(main.means[s]))}" for name, s in zip(names, order, strict=True)
    }
    keys = "systems-picture", "systems"
    return dotted(keys, title, told, lines, panels, ranking.to_rows(), draws)


def _panel(found: MetricRanking, label: str, order: Sequence[int]) -> Panel:
    return Panel(
        label if found.higher_is_better else f"{label} (lower is better)",
        [float(found.means[s]) for s in order],
        [float(found.intervals[s, 0]) for s in order],
        [float(found.intervals[s, 1]) for s in order],
        [s in found.leaders for s in order],
    )


def section(contents: Contents) -> str:
    """Means of all systems by all metrics, and the tests of their pairs."""
    ranking = contents.ranking
    if ranking is None:
        return ""
    share, level = percent(ranking.confidence), f"{ranking.alpha:g}"
    several = len(ranking.systems) > 1
    told = f"Means over rows, with half the width of their {share} intervals." + several * (
        " Blue: the best, and those that cannot be told apart from it."
        + (
            f" *: differs significantly from {ranking.baseline}"
            if ranking.baseline
            else " Systems that share a letter do not differ significantly, all others do"
        )
        + f" (paired randomisation test with {ranking.resamples:,} draws,"
        f" {ranking.correction.title()}'s correction, level {level})."
    )
    columns = [ranking[metric] for metric in contents.metrics]
    main = ranking[contents.main]
    best = [set(found.leaders) if found.different.any() else set() for found in columns]
    body = [
        row(
            ranking.systems[s],
            (_mean(ranking, f, s, s in b) for f, b in zip(columns, best, strict=True)),
        )
        for s in main.order.tolist()
    ]
    marked = [contents.label(f.metric) + ("" if f.higher_is_better else " ↓") for f in columns]
    down = " ↓: lower is better." * any(not f.higher_is_better for f in columns)
    shown = table("Means of the systems." + down, heads("system", *marked), body)
    if len(body) > 40:
        shown = details(f"All {len(body)} systems", shown)
    pairs = _pairs(main, contents.label(main.metric), ranking.correction.title())
    return f"<p>{text(told)}</p>\n{shown}{pairs}"


def _mean(ranking: Ranking, found: MetricRanking, s: int, strong: bool) -> str:
    low, high = found.intervals[s].tolist()
    means = found.means.tolist()
    half = "" if isnan(low) else f" <small>± {like((high - low) / 2, means)}</small>"
    mark = ranking.mark(found, s)
    mark = f"<sup>{mark}</sup>" if mark else ""
    value = f"{like(float(found.means[s]), means)}{half}{mark}"
    return f"<td>{f'<b>{value}</b>' if strong else value}</td>"


def _pairs(main: MetricRanking, label: str, correction: str) -> str:
    """Every pair by the main metric; with many systems each and the next."""
    order = [s for s in main.order.tolist() if not isnan(main.means[s])]
    pairs = list(pairwise(order))
    which = "each system and the next"
    if len(order) <= PAIRED:
        pairs = [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
        which = "all pairs"
    pairs = [(a, b) for a, b in pairs if main.shared[a, b]]
    if not pairs:
        return ""
    size = [float(np.nanmax(np.abs(main.differences)))]
    body = [
        "<tr>"
        f'<th scope="row">{name(main.systems[a])}</th><td class="text">{name(main.systems[b])}</td>'
        f"<td>{pvalue(float(main.corrected[a, b])).removeprefix('p ').removeprefix('= ')}</td>"
        f"<td>{like(float(main.differences[a, b]), size)}</td>"
        f"<td>{' to '.join(like(bound, size) for bound in main.bounds[a, b].tolist())}</td>"
        f"<td>{number(float(main.effects[a, b]), 2)}</td>"
        f"<td>{main.wins[a, b]:,}</td>"
        f"<td>{main.shared[a, b] - main.wins[a, b] - main.wins[b, a]:,}</td>"
        f"<td>{main.wins[b, a]:,}</td><td>{_needed(float(main.needed[a, b]))}</td></tr>"
        for a, b in pairs
    ]
    columns = "p (corrected),difference,interval,effect,wins,ties,losses,rows needed".split(",")
    headings = [head("system"), head("compared with", "text"), *heads(*columns)]
    caption = (
        f"Pairs by {label}: p has {correction}'s correction, the intervals have none; effect is the"
        " mean difference in its standard deviations; rows needed to see such a difference in 80 of"
        " 100 samples."
    )
    return details(f"Tests by {label}: {which}", table(caption, headings, body, "pairs"))


def _needed(rows: float) -> str:
    return "–" if isnan(rows) or rows == float("inf") else f"{rows:,.0f}"
