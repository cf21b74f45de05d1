"""The systems: which is better, in a sentence; the first picture; the tables behind it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite, isnan

import numpy as np

from summeval.meta.differences import MetricRanking, Ranking
from summeval.meta.overview import LENGTH, Agreement, Overview, Survey
from summeval.report import html
from summeval.report.drawing import Panel, shortened
from summeval.report.html import PANELS, SYMBOLS, Contents
from summeval.report.tables import count, finely, like, number, percent, pvalue, short

_FEW = 4  # names that a sentence lists
LONGEST = 24.0  # of a name in it, in sizes of letters


def of_systems(found: MetricRanking, label: str, alpha: float) -> tuple[str, str]:
    """Which systems are better by a metric, in one sentence; and what else cannot be told apart."""
    order = [int(s) for s in found.order if not isnan(found.means[s])]
    rest = [s for s in order if s not in found.leaders]
    others = [
        f"{_listed([found.systems[s] for s in group])} cannot be told apart either."
        for group in (_equals(found, rest) if len(order) <= 6 else ())
    ]
    return _first(found, order, label, alpha), " ".join(others)


def _first(found: MetricRanking, order: Sequence[int], label: str, alpha: float) -> str:
    names = found.systems
    if not order:
        return f"No system has a score of {label}."
    if len(order) == 1:
        s = order[0]
        low, high = map(short, found.intervals[s].tolist())
        mean = short(float(found.means[s])) + f" [{low}, {high}]" * (low != "–")
        return f"{brief(names[s])} scores {mean} on {label}."
    if len({float(found.means[s]) for s in order}) == 1:
        value = short(float(found.means[order[0]]))
        return f"All systems have the same {_kind(found)} on {label}: {value}."
    first, second = order[:2]
    mean = like(float(found.means[first]), ())
    best = f"{brief(names[first])} has the best {_kind(found)} on {label}, {mean}"
    if isnan(found.corrected[first, second]):
        return f"{best}, but there are too few shared rows for a test."
    shared = int(found.shared[first, second])
    pairs = len(order) * (len(order) - 1) // 2
    if shared < 60 and pairs * 2.0 ** (1 - shared) > alpha:
        whom = "the two" if len(order) == 2 else f"any two of {len(order)} systems"
        some = f"{count(shared, 'shared row')} {'is' if shared == 1 else 'are'}"
        return f"{best}; {some} too few to tell {whom} apart."
    return f"{_lead(found, label, second)}."


def _kind(found: MetricRanking) -> str:
    return "score of the corpus" if found.corpus else "mean"


def _lead(found: MetricRanking, label: str, second: int) -> str:
    names, leaders = found.systems, found.leaders
    first, *near = leaders
    by = _apart(found, first, second)
    if not near:
        next_one = "" if len(names) == 2 else ", the next best,"
        return f"{brief(names[first])} beats {brief(names[second])}{next_one} on {label} by {by}"
    most = len(leaders) == len(names)
    verb = "cannot be told apart" if most else "lead and cannot be told apart"
    some = _listed([names[s] for s in leaders])
    if near == [second]:
        return f"{some} {verb} on {label}: they differ by {by}"
    if not found.different[np.ix_(leaders, leaders)].any():
        return f"{some} {verb} on {label}"
    mean, others = like(float(found.means[first]), ()), _listed([names[s] for s in near])
    best = f"{brief(names[first])} has the best {_kind(found)} on {label}, {mean}"
    return f"{best}, but cannot be told apart from {others}"


def _apart(found: MetricRanking, first: int, second: int) -> str:
    """Return the difference of two systems, its interval and p-value."""
    difference = float(found.differences[first, second])
    size = abs(difference)
    low, high = sorted((found.bounds[first, second] * (1.0 if difference >= 0 else -1.0)).tolist())
    between = f" [{finely(low, size)}, {finely(high, size)}]" if not isnan(low) else ""
    p = pvalue(float(found.corrected[first, second]))
    pairs = len(found.systems) * (len(found.systems) - 1) // 2
    return f"{finely(size, size)}{between}, {'corrected ' * (pairs > 1)}{p}"


def _equals(found: MetricRanking, order: Sequence[int]) -> list[list[int]]:
    """Neighbours in the order, two or more, of which no two can be told apart."""
    groups: list[list[int]] = []
    for s in order:
        if not groups or found.different[s, groups[-1]].any():
            groups.append([])
        groups[-1].append(s)
    return [group for group in groups if len(group) > 1]


def of_other_metrics(ranking: Ranking, main: str, labels: dict[str, str]) -> str:
    """How many metrics put the same system first, and for how many it differs from the next."""
    firsts: dict[str, list[str]] = {}
    sure: set[str] = set()
    for metric, found in ranking.items():
        known = [s for s in found.order if not isnan(found.means[s])]
        if known and len({float(found.means[s]) for s in known}) > 1:
            firsts.setdefault(found.systems[known[0]], []).append(labels[metric])
            if found.different[known[0], known[1]]:
                sure.add(labels[metric])
    total = sum(map(len, firsts.values()))
    best = ranking[main].systems[int(ranking[main].order[0])] if len(ranking) else ""
    if total < 2 or best not in firsts:
        return ""
    others = [
        f"{_listed(names)} {'puts' if len(names) == 1 else 'put'} {brief(system)} first"
        for system, names in firsts.items()
        if system != best
    ]
    agreeing = len(firsts[best])
    certain = len(sure.intersection(firsts[best]))
    if not others:
        all_ = "Both" if total == 2 else f"All {total}"
        doubt = f", {certain or 'none'} of them significantly" * (certain < total)
        return f"{all_} metrics put {brief(best)} first{doubt}."
    some = others[:2] + [f"{len(others) - 2} other systems are first elsewhere"] * (len(others) > 2)
    return f"{agreeing} of {total} metrics put {brief(best)} first; {', '.join(some)}."


def of_rows(survey: Survey, metric: str, label: str) -> str:
    """Return what there is to say of rows that name no systems."""
    spread = survey.spreads[metric]
    if not spread.rows:
        return f"No row has a score of {label}."
    middle = short(float(np.median(spread.quantiles[:, 2])))
    if spread.rows == 1:
        return f"One row, with {short(spread.low)} on {label}."
    if spread.constant:
        return f"All {spread.rows:,} rows score {short(spread.low)} on {label}."
    return f"Half of the {spread.rows:,} rows score {middle} or more on {label}."


def of_metrics(found: Overview, labels: dict[str, str], ceiling: float | None = None) -> str:
    """Return which metric agrees best with people, in one sentence."""
    agreement = found.agreements[0]
    known = _known(agreement)
    human, symbol = agreement.human.removeprefix("scores."), SYMBOLS[found.coefficients[0]]
    on = "" if human in ("human", "people") else f" on {brief(human)}"
    if not known:
        return f"No metric has a correlation with {human}."
    best = known[0]
    place = agreement.comparison.names.index(best)
    reach = agreement.comparison.intervals[place]
    interval = f"[{number(reach.lower, 2)}, {number(reach.upper, 2)}]"
    value = f"{number(agreement.value(best), 2)} {interval}"
    if agreement.value(best) <= 0:
        name = labels.get(best, best)
        return f"No metric agrees with people{on}: the best, {name}, has {symbol} {value}."
    sentence = f"{labels.get(best, best)} agrees best with people{on}: {symbol} {value}"
    if ceiling is not None and not isnan(ceiling):
        sentence += f", of at most {number(ceiling, 2)}"
    return f"{sentence}."


def of_rivals(found: Overview, labels: dict[str, str]) -> str:
    """Return whether the metric of `of_metrics` beats length, and which others it does not beat."""
    agreement = found.agreements[0]
    compared, known = agreement.comparison, _known(agreement)
    if not known:
        return ""
    own, places = compared.names.index(known[0]), {n: i for i, n in enumerate(compared.names)}
    near = [name for name, place in places.items() if not compared.different[own, place]]
    parts = []
    if LENGTH in places:
        verb = "beats" if own < places[LENGTH] else "is worse than"
        verb = "cannot be told apart from" if LENGTH in near else verb
        parts.append(f"it {verb} the number of words")
    rivals = [labels.get(name, name) for name in near if name not in (known[0], LENGTH)]
    if rivals:
        many = count(len(rivals), "other metric") if len(rivals) > _FEW else _listed(rivals)
        parts.append(f"{many} cannot be told apart from it")
    elif {*places} - {known[0], LENGTH}:
        parts.append("it beats every other metric")
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _known(agreement: Agreement) -> list[str]:
    """Return the metrics that have a correlation, the best first."""
    names = [name for name in agreement.comparison.names if name != LENGTH]
    return [name for name in names if not isnan(agreement.value(name))]


def brief(name: str) -> str:
    """Return a name as short as a sentence needs it."""
    return shortened(name, LONGEST)


def _listed(names: Sequence[str]) -> str:
    """Names as in a sentence; after the first few their number.

    >>> _listed(["a", "b", "c"]), _listed(list("abcdefg"))
    ('a, b and c', 'a, b, c and 4 others')
    """
    names = [brief(one) for one in names]
    if len(names) > _FEW:
        return f"{', '.join(names[: _FEW - 1])} and {len(names) - _FEW + 1} others"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


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
    lead = f"Mean scores with {share} intervals."
    if any(ranking[metric].corpus for metric in metrics):
        lead = f"Means, or scores of the corpus as the table says, with {share} intervals."
    if not all(all(panel.strong) for panel in panels):
        lead += " Blue: the best, and those that cannot be told apart from it."
    if len(order) > 1:
        lead += f" Tests have {ranking.correction.title()}'s correction, intervals have none."
    if len(metrics) < len(contents.metrics):
        lead += f" Some of {len(contents.metrics)} metrics: the table below has all."
    if len(order) < len(main.systems):
        lead += f" {len(order)} of {len(main.systems)} systems: the table below has all."
    title = f"Systems by {', '.join(contents.label(metric) for metric in metrics)}"
    lines = {main.systems[s]: f"{main.systems[s]} {short(float(main.means[s]))}" for s in order}
    keys = "systems-picture", "systems"
    return html.dotted(keys, title, lead, lines, panels, ranking.to_rows(), draws)


def _panel(found: MetricRanking, label: str, order: Sequence[int]) -> Panel:
    title = label if found.higher_is_better else f"{label} (lower is better)"
    lower, upper = found.intervals[order].T.tolist()
    strong = [s in found.leaders for s in order]
    return Panel(title, found.means[order].tolist(), lower, upper, strong)


def section(contents: Contents) -> str:
    """Means of all systems by all metrics, and the tests of their pairs."""
    ranking = contents.ranking
    if ranking is None:
        return ""
    share, level = percent(ranking.confidence), f"{ranking.alpha:g}"
    several = len(ranking.systems) > 1
    lead = f"Means over rows, with half the width of their {share} intervals."
    if several:
        marks = "Systems that share a letter do not differ significantly, all others do"
        if ranking.baseline:
            marks = f"*: differs significantly from {ranking.baseline}"
        lead += (
            f" Blue: the best, and those that cannot be told apart from it. {marks}"
            f" (paired randomisation test with {ranking.resamples:,} draws,"
            f" {ranking.correction.title()}'s correction, level {level})."
        )
    columns = [ranking[metric] for metric in contents.metrics]
    if summed := [contents.label(found.metric) for found in columns if found.corpus]:
        lead += (
            f" Of {', '.join(summed)} these are scores of the corpus, made of the sums of its rows,"
            f" with intervals from {ranking.resamples:,} draws of rows."
        )
    main = ranking[contents.main]
    best = [set(found.leaders) if found.different.any() else set() for found in columns]
    body = []
    for s in main.order.tolist():
        cells = (_mean(ranking, f, s, s in b) for f, b in zip(columns, best, strict=True))
        body.append(html.row(ranking.systems[s], cells))
    marked = [contents.label(f.metric) + ("" if f.higher_is_better else " ↓") for f in columns]
    down = " ↓: lower is better." * any(not f.higher_is_better for f in columns)
    shown = html.table("Means of the systems." + down, html.heads("system", *marked), body)
    if len(body) > 40:
        shown = html.details(f"All {len(body)} systems", shown)
    pairs = _pairs(main, contents.label(main.metric), ranking.correction.title())
    return f"<p>{html.text(lead)}</p>\n{shown}{pairs}"


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
        f'<th scope="row">{html.name(main.systems[a])}</th>'
        f'<td class="text">{html.name(main.systems[b])}</td>'
        f"<td>{pvalue(float(main.corrected[a, b])).removeprefix('p ').removeprefix('= ')}</td>"
        f"<td>{like(float(main.differences[a, b]), size)}</td>"
        f"<td>{' to '.join(like(bound, size) for bound in main.bounds[a, b].tolist())}</td>"
        f"<td>{number(float(main.effects[a, b]), 2)}</td>"
        f"<td>{main.wins[a, b]:,}</td>"
        f"<td>{main.shared[a, b] - main.wins[a, b] - main.wins[b, a]:,}</td>"
        f"<td>{main.wins[b, a]:,}</td>"
        f"<td>{f'{main.needed[a, b]:,.0f}' if isfinite(main.needed[a, b]) else '–'}</td></tr>"
        for a, b in pairs
    ]
    columns = "p (corrected),difference,interval,effect,wins,ties,losses,rows needed".split(",")
    headings = [html.head("system"), html.head("compared with", "text"), *html.heads(*columns)]
    caption = (
        f"Pairs by {label}: p has {correction}'s correction, the intervals have none; effect is the"
        " mean difference in its standard deviations; rows needed to see such a difference in 80 of"
        " 100 samples."
    )
    return html.details(f"Tests by {label}: {which}", html.table(caption, headings, body, "pairs"))
