"""The report: its first screen, its sections in order, and those of the scores alone."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

import numpy as np

from summeval.meta.overview import LENGTH, QUANTILES, SAMPLE
from summeval.metrics.run.explain.shown import style_sheet
from summeval.report import html, people, systems
from summeval.report.drawing import PLOT, WIDTH, against, by_length, ridges, ridges_height
from summeval.report.html import SYMBOLS, Contents, ShownRow
from summeval.report.tables import count, number, percent, short
from summeval.table.cells import Array as Table


def report(contents: Contents, scores: Mapping[str, Table], *, draws: bool = True) -> str:
    """Return the page.

    Parameters
    ----------
    contents : Contents
    scores : mapping of str to array [row]
        The scores of the metrics, for pictures of single rows.
    draws : bool
        Whether to draw pictures; without them tables are left, and no extra is needed.

    Returns
    -------
    str
        One HTML file, readable without scripts and network, in light and dark.
    """
    second = ""
    if contents.ranking is not None and contents.people is not None:
        second = systems.picture(contents, draws)
    sections = {
        "agreement": ("Agreement with people", people.agreements(contents, draws)),
        "topics": ("Agreement by topic", people.by_topic(contents)),
        "ablation": ("What each metric adds", people.ablation(contents)),
        "people": ("System by system", people.systems(contents, draws)),
        "systems": ("Systems compared", second + systems.section(contents)),
        "between": (
            "Metrics compared with each other",
            between(contents, scores, draws) + people.between(contents),
        ),
        "scores": ("Distribution of scores", distributions(contents, draws)),
        "rows": ("Rows worth a look", _rows(contents)),
        "length": ("Length", lengths(contents, draws)),
        "made": ("How this was made", _made(contents)),
    }
    return html.page(contents.title, _header(contents, draws), sections)


def _header(contents: Contents, draws: bool) -> str:
    labels, ranking = dict(contents.labels), contents.ranking
    label = contents.label(contents.main)
    first, leads, picture = "", [""], ""
    if ranking is not None:
        first, rest = systems.of_systems(ranking[contents.main], label, ranking.alpha)
        leads = [f"{rest} {systems.of_other_metrics(ranking, contents.main, labels)}".strip()]
        picture = systems.picture(contents, draws) if contents.people is None else ""
    elif contents.people is None:
        first = systems.of_rows(contents.survey, contents.main, label)
    if contents.people is not None:
        leads = [systems.of_rivals(contents.people, labels), first]
        best = contents.people.agreements[0]
        ceiling = contents.ceilings.get((best.human, best.level))
        first = systems.of_metrics(contents.people, labels, ceiling)
        level = contents.people.levels[0]
        picture = people.picture(contents, contents.people, level, draws, "agreement-picture")
    about = " · ".join(f"<bdi>{html.text(one)}</bdi>" for one in (contents.name, *_sizes(contents)))
    notes = "".join(f"<li>{html.text(note)}</li>" for note in contents.notes)
    listed = f"<summary>{count(len(contents.notes), 'note')} on the data</summary>"
    for symbol in SYMBOLS.values():  # the name of a coefficient stays on a line with its number
        first = first.replace(f"{symbol} ", f"{symbol} ".replace(" ", "\N{NO-BREAK SPACE}"))
    return (
        f'<header><p class="about">{about}</p>\n<h1>{html.text(first)}</h1>\n'
        + "".join(html.paragraph(lead, "lead") for lead in leads if lead)
        + picture
        + f'<details class="notes">{listed}<ul>{notes}</ul></details>\n' * bool(notes)
        + "</header>\n"
    )


def _sizes(contents: Contents) -> list[str]:
    found = contents.survey
    shown = [metric for metric in contents.metrics if metric != LENGTH]
    sizes = [count(found.rows, "row")]
    if contents.people is not None:
        return [*sizes, people.summary(contents.people, len(shown)).rstrip(".")]
    if found.systems:
        sizes.append(count(len(found.systems), "system"))
    return [*sizes, count(len(shown), "metric")]


def _made(contents: Contents) -> str:
    found, ranking = contents.people, contents.ranking
    settings = dict(contents.settings)
    if ranking is not None:
        settings |= {
            "tests of systems": f"two-sided paired randomisation, {ranking.correction}, level"
            f" {ranking.alpha:g}, {ranking.resamples:,} draws",
            "intervals of means": f"Student's t, {percent(ranking.confidence)}",
            **{
                f"{name}: score of the corpus": f"percentiles of {ranking.resamples:,} draws"
                for name, one in ranking.items()
                if one.corpus
            },
            "seed": str(ranking.seed),
        }
    if found is not None:
        settings |= {
            "coefficients": ", ".join(SYMBOLS[c] for c in found.coefficients),
            "levels": ", ".join(found.levels),
            "seed": str(found.seed),
            "draws": f"{found.resamples:,} of {people.by_level(found.drawn)}",
            "permutations": f"{found.resamples:,} of {people.by_level(found.permuted)}",
            "intervals": f"percentiles, {percent(found.confidence)}",
            "tests": f"two-sided permutation tests, Holm's correction, level {found.alpha:g}",
        }
    none = (
        "<p>Not available: only Parquet and Arrow files store them. Pass the file that"
        " <code>summeval score --means</code> printed with <code>--signatures</code>.</p>\n"
    )
    signatures = html.definitions(contents.signatures) if contents.signatures else none
    return html.definitions(settings) + "<h3>Signatures</h3>\n" + signatures


def _rows(contents: Contents) -> str:
    """Return the chosen rows, each with its scores, and with its text if that is known."""
    if not contents.rows:
        return ""
    far = contents.survey.far_out
    lead = "Rows on which metrics differ most in rank, and those far from the rest of their system."
    if far:
        lead += f" {count(far, 'score')} in all {'is' if far == 1 else 'are'} far out."
    explained = any(one.explanations for one in contents.rows)
    style = f"<style>{style_sheet()}</style>\n" if explained else ""
    rows = (_row(contents, one, not place) for place, one in enumerate(contents.rows))
    return style + html.paragraph(lead) + "".join(rows)


def _row(contents: Contents, one: ShownRow, shown: bool) -> str:
    scores = [
        f"<li>{html.name(contents.label(metric))} <b>{short(value)}</b></li>"
        for metric, value in one.scores.items()
    ]
    if len(one.scores) < len(contents.metrics):
        scores.append(f"<li>{len(one.scores)} of {len(contents.metrics)} metrics</li>")
    inner = [html.paragraph(one.why), f'<ul class="scores">{"".join(scores)}</ul>']
    inner += [f'<div class="explained">{explanation}</div>' for explanation in one.explanations]
    if one.candidate and not one.explanations:
        inner.append(f'<blockquote dir="auto">{html.text(one.candidate)}</blockquote>')
    if one.note:
        inner.append(html.paragraph(one.note, "quiet"))
    system = f", {one.system}" if one.system else ""
    return html.details(f"{one.name}{system}", "".join(inner), shown=shown)


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
            html.plotted(
                f"spread-{contents.metrics.index(metric)}",
                contents.label(metric),
                said,
                (f"Distribution of {contents.label(metric)}", said),
                (WIDTH, ridges_height(len(shown))),
                lambda canvas, n=names, s=spread, p=shown: ridges(canvas, n, s, p),  # type: ignore[misc]
                rows,
            )
        )
    lead = "A hill shows how many rows have which score; the dark tick is the median."
    if len(order) > HILLS:
        lead += f" The {HILLS} best systems by {contents.label(contents.main)}."
    if len(contents.metrics) > PICTURES:
        lead += f" The first {PICTURES} of {len(contents.metrics)} metrics; the table has all."
    plots = html.paragraph(lead) + f'<div class="plots">{"".join(pictures)}</div>\n'
    return plots * bool(pictures) + _quantiles(contents, shown=not pictures)


def _quantiles(contents: Contents, *, shown: bool) -> str:
    body = []
    for metric in contents.metrics:
        spread = contents.survey.spreads[metric]
        ends = [short(spread.low), short(spread.high)]
        kind = "all equal" * spread.constant if spread.rows else "no score"
        cells = [f"{spread.rows:,}", f"{spread.missing:,}", *ends, f'<td class="text">{kind}</td>']
        body.append(html.row(contents.label(metric), cells))
    heads = html.heads("metric", "scores", "missing", "lowest", "highest", "note")
    made = html.table("Scores of all metrics.", heads, body)
    return html.details("The numbers", made, shown=shown)


def between(contents: Contents, scores: Mapping[str, Table], draws: bool = True) -> str:
    """Correlations of all pairs of metrics, and a picture of the pair that agrees least."""
    metrics = contents.metrics
    if len(metrics) < 2:
        return ""
    found = contents.survey.between
    places = zip(*np.tril_indices(len(metrics), -1), strict=True)
    known = [(float(found[i, j]), metrics[i], metrics[j]) for i, j in places]
    pairs = [pair for pair in known if not isnan(pair[0])]
    if not pairs:
        return html.paragraph("No two metrics have scores that vary on the same rows.")
    low, high = min(pairs), max(pairs)
    least = " least" * (len(pairs) > 1)
    both = [f"{contents.label(pair[2])} and {contents.label(pair[1])}" for pair in (low, high)]
    lead = f"{both[0]} agree{least} on single rows (ρ = {number(low[0], 2)})"
    if len(pairs) > 1:
        lead += f", {both[1]} most (ρ = {number(high[0], 2)})"
    if alike := sum(pair[0] >= LIKE for pair in pairs):
        lead += f". {count(alike, 'pair')} with ρ from {LIKE} on say much the same"
    sample = f" of a sample of {SAMPLE:,} rows" if contents.survey.rows > SAMPLE else ""
    body = [
        html.row(contents.label(metric), (html.heat(float(value)) for value in found[place]))
        for place, metric in enumerate(metrics)
    ]
    heads = html.heads("metric", *map(contents.label, metrics))
    caption = f"Spearman ρ between metrics, over rows{sample}."
    made = html.table(caption, heads, body, "heat between")
    return html.paragraph(lead + ".") + made + (_least(contents, scores, low) if draws else "")


def _least(contents: Contents, scores: Mapping[str, Table], pair: tuple[float, str, str]) -> str:
    """Return the rows by the two metrics that agree least."""
    _, second, first = pair
    x, y = scores[first], scores[second]
    known = ~(np.isnan(x) | np.isnan(y))
    titles = (contents.label(first), contents.label(second))
    lead = f"{int(known.sum()):,} rows; the stronger the colour, the more rows."
    made = html.plotted(
        "least",
        "The two that agree least" if len(contents.metrics) > 2 else "Row by row",
        lead,
        (f"{titles[1]} against {titles[0]}", lead),
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
    label, rho = contents.label(strongest), known[strongest].rho
    more = f"{'longer' if rho > 0 else 'shorter'} candidates score better."
    lead = f"{label} follows length most: ρ = {number(rho, 2)}, {more}"
    if abs(rho) < 0.1:
        lead = f"No metric follows length: the strongest is {label} with ρ = {number(rho, 2)}."
    pictures = []
    order = sorted(known, key=lambda metric: -abs(known[metric].rho))[:FOLLOW] if draws else []
    for metric in order:
        part = known[metric]
        if len(part.lengths) < 3:
            continue
        said = f"ρ = {number(part.rho, 2)}; mean scores of groups of rows, from short to long"
        groups = zip(part.lengths.tolist(), part.means.tolist(), strict=True)
        pictures.append(
            html.plotted(
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
        lead += f" The {FOLLOW} of {len(known)} metrics that follow it most; the table has all."
    made = f'<div class="plots">{"".join(pictures)}</div>\n' if pictures else ""
    body = [html.row(contents.label(m), [html.heat(known[m].rho)]) for m in known]
    caption = "Spearman ρ of score and number of words, over rows."
    rhos = html.table(caption, html.heads("metric", "ρ"), body, "heat")
    systems = zip(contents.survey.systems, contents.survey.words, strict=False)
    words = [html.row(system, [short(float(mean))]) for system, mean in systems]
    if len(words) > 1:
        rhos += html.table("Mean number of words.", html.heads("system", "words"), words)
    return html.paragraph(lead) + made + html.details("The numbers", rhos, shown=not made)
