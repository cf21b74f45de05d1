"""How well metrics agree with people: by dimension, level, topic and system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan, nan

import numpy as np

from summeval.meta.arrays import Level, Over
from summeval.meta.correlations import topic_values, value_of
from summeval.meta.overview import LENGTH, Agreement, Overview, levels_in_words, means
from summeval.report import html
from summeval.report.drawing import PLOT, WIDTH, Panel, named
from summeval.report.html import MINUS, PANELS, SYMBOLS, Contents
from summeval.report.tables import count, number, percent, short
from summeval.table.cells import Array as Table

LINES = 16  # metrics that a picture shows
PLOTS = 6  # metrics that are plotted against each dimension
_OVERS = {"both": "systems and topics"}


def plain_name(column: str) -> str:
    """Return the name of a dimension without the enclosing object."""
    return column.removeprefix("scores.")


def marked(found: Overview, column: str) -> str:
    """Return the name of a column, with a minus if its scores were negated."""
    name = plain_name(column) if column in found.humans else column
    return f"{MINUS}{name}" if column in found.negated else name


def by_level(overs: dict[Level, Over]) -> str:
    """Return what the intervals resample, or the tests permute, for each level if it differs."""
    return levels_in_words({level: _OVERS.get(over, over) for level, over in overs.items()})


def picture(contents: Contents, found: Overview, level: Level, draws: bool, key: str) -> str:
    """Correlations with intervals: a line for each metric, a panel for each dimension."""
    of_level = [item for item in found.agreements if item.level == level]
    chosen, first = of_level[:PANELS], of_level[0]
    names = [metric for metric in first.comparison.names if not isnan(first.value(metric))]
    names = (names or list(first.comparison.names))[:LINES]
    panels = [_panel(contents, item, names) for item in chosen]
    symbol = SYMBOLS[found.coefficients[0]]
    lead = f"{symbol} with people at the {level} level, with {percent(found.confidence)} intervals."
    if not all(all(panel.strong) for panel in panels):
        lead += " Blue: not told apart from the best."
    if len(names) > 1:
        lead += " Tests have Holm's correction, intervals have none."
    if any(panel.rule is not None for panel in panels):
        lead += " Dashed: the highest that is possible, as people differ among themselves."
    if len(names) < len(found.metrics):
        lead += f" {len(names)} of {len(found.metrics)} metrics: the tables below have all."
    if len(chosen) < len(of_level):
        lead += f" {len(chosen)} of {len(of_level)} dimensions."
    title = f"Agreement with people on {', '.join(plain_name(item.human) for item in chosen)}"
    lines = {
        MINUS * (n in found.negated) + contents.label(n): f"{n} {number(first.value(n), 2)}"
        for n in names
    }
    rows = [line for item in (of_level if draws else [first]) for line in item.rows]
    return html.dotted((key, key), title, lead, lines, panels, rows, draws)


def _panel(contents: Contents, item: Agreement, names: Sequence[str]) -> Panel:
    compared = item.comparison
    places = [compared.names.index(metric) for metric in names]
    return Panel(
        plain_name(item.human),
        [compared.correlations[p].value for p in places],
        [compared.intervals[p].lower for p in places],
        [compared.intervals[p].upper for p in places],
        [not compared.different[0, p] for p in places],
        contents.ceilings.get((item.human, item.level)),
    )


def agreements(contents: Contents, draws: bool = True) -> str:
    """All correlations, with intervals and letters; pictures of the levels after the first."""
    found = contents.people
    if found is None:
        return ""
    coefficient, share = SYMBOLS[found.coefficients[0]], percent(found.confidence)
    parts = [
        f"<p>Metrics are ranked by {coefficient}. Intervals are {share} percentiles of"
        f" {found.resamples:,} draws of {by_level(found.drawn)}. Metrics that share a letter do not"
        f" differ significantly (permutation test, Holm's correction, level {found.alpha:g}); a"
        " line separates clusters, between which all metrics differ. A metric is useful if it beats"
        f" length.{_negations(found)}</p>\n"
    ]
    for level in found.levels:
        if level != found.levels[0]:
            parts.append(picture(contents, found, level, draws, f"agreement-{level}"))
        parts.append(_heat(found, level))
    parts += [_agreement_table(contents, found, item) for item in found.agreements]
    return "".join(parts)


def _agreement_table(contents: Contents, found: Overview, item: Agreement) -> str:
    rows = list(item.rows)
    first, *others = found.coefficients
    headings = [
        *html.heads("metric", SYMBOLS[first], "interval"),
        html.head("letters", "text"),
        *html.heads(*(SYMBOLS[other] for other in others)),
    ]
    body = []
    for place, line in enumerate(rows):
        value, lower, upper = (float(line[key]) for key in ("value", "lower", "upper"))
        cut = place and line["cluster"] != rows[place - 1]["cluster"]
        cells = [
            number(value),
            f"{number(lower)} to {number(upper)}",
            f'<td class="text">{html.text(str(line["letters"]))}</td>',
            *(number(float(line[other])) for other in others),
        ]
        kinds = " ".join(["cut"] * bool(cut) + ["base"] * (line["metric"] == LENGTH))
        body.append(html.row(marked(found, str(line["metric"])), cells, kinds))
    counts = item.comparison.correlations[0]
    caption = (
        f"{counts.systems} systems, {counts.topics} topics, {counts.cells:,} cells with a value"
        " for people and for every metric."
    )
    ceiling = contents.ceilings.get((item.human, item.level), nan)
    if not isnan(ceiling):
        most = f"no metric can be expected above {number(ceiling)}"
        caption += f" The judges agree so far that {most}."
    title = f"{plain_name(item.human)}, {item.level} level"
    made = html.table(caption, headings, body)
    return html.details(title, made, shown=item is found.agreements[0])


def _row(found: Overview, metric: str, cells: Iterable[str]) -> str:
    """Return the row of a metric; that of the length is set apart."""
    return html.row(marked(found, metric), cells, "base" if metric == LENGTH else "")


def _heat(found: Overview, level: Level) -> str:
    columns = [item for item in found.agreements if item.level == level]
    body = [_row(found, m, [html.heat(item.value(m)) for item in columns]) for m in found.metrics]
    heads = html.heads("metric", *(plain_name(item.human) for item in columns))
    return html.table(f"{SYMBOLS[found.coefficients[0]]}, {level} level.", heads, body, "heat")


def by_topic(contents: Contents) -> str:
    """How far the correlations of single topics lie apart, and the topics where they are lowest."""
    found = contents.people
    if found is None or "summary" not in found.levels or len(found.scores.topics) < 2:
        return ""
    parts: list[str] = []
    for human in found.humans:
        body = []
        for metric in found.metrics:
            values = topic_values(found.scores[metric], found.scores[human], found.coefficients[0])
            known = np.flatnonzero(~np.isnan(values))
            if not len(known):
                continue
            spread = np.quantile(values[known], [0.1, 0.5, 0.9]).tolist()
            below = float((values[known] <= 0).mean())
            worst = found.scores.topics[int(known[np.argmin(values[known])])]
            cells = [
                *map(html.heat, spread),
                f"<td>{percent(below)}</td>",
                f'<td class="text">{html.name(worst)}</td>',
            ]
            body.append(_row(found, metric, cells))
        if not body:
            continue
        caption = (
            f"{SYMBOLS[found.coefficients[0]]} over the systems of one topic, for"
            f" {plain_name(human)}: a tenth of the topics lie below the first number, half"
            " below the second, nine tenths below the third."
        )
        columns = html.heads("metric", "10 %", "median", "90 %", "0 or less")
        made = html.table(caption, [*columns, html.head("lowest", "text")], body, "heat")
        parts.append(html.details(plain_name(human), made, shown=not parts))
    return "".join(parts)


def ablation(contents: Contents) -> str:
    """Return what the mean of all metrics loses when one is left out."""
    found = contents.people
    metrics = [m for m in (found.metrics if found else ()) if m != LENGTH]
    if found is None or len(metrics) < 3:
        return ""
    tables = {m: _standard(found.scores[m]) for m in metrics}
    level, coefficient = found.levels[-1], found.coefficients[0]
    lines = {"all": list(metrics)} | {m: [o for o in metrics if o != m] for m in metrics}
    body = []
    for left, kept in lines.items():
        mean = np.mean([tables[m] for m in kept], axis=0)
        values = [value_of(mean, found.scores[human], coefficient, level) for human in found.humans]
        label = "all metrics" if left == "all" else f"without {marked(found, left)}"
        body.append(html.row(label, map(html.heat, values)))
    caption = (
        f"{SYMBOLS[coefficient]} of the mean of all metrics (each with mean 0 and standard"
        f" deviation 1), {level} level."
    )
    made = html.table(caption, html.heads("metrics", *map(plain_name, found.humans)), body, "heat")
    lead = "A metric without which the mean agrees better, or as well, adds nothing to the others."
    return html.paragraph(lead) + made


def _standard(values: Table) -> Table:
    """Scores with mean 0 and standard deviation 1; 0 where all are equal."""
    known = values[~np.isnan(values)]
    deviation = float(known.std()) if len(known) else 0.0
    return (values - known.mean()) / deviation if deviation > 0 else values * 0.0


def systems(contents: Contents, draws: bool = True) -> str:
    """Return the means of systems by people and by metrics, as plots and as a table."""
    found = contents.people
    if found is None:
        return ""
    parts = [html.paragraph("A point is a system: its mean by the metric, and its mean by people.")]
    for place, human in enumerate(found.humans[:3] if draws else ()):
        agreement = [item for item in found.agreements if item.human == human][-1]
        best = agreement.comparison.names[:PLOTS]
        figures = "".join(_plot(found, metric, human) for metric in best)
        plots = f'<div class="plots">{figures}</div>'
        parts.append(html.details(plain_name(human), plots, shown=place == 0))
    columns = [*found.humans, *found.metrics]
    numbers = np.array([means(found.scores[column]) for column in columns]).T.tolist()
    lines = zip(found.scores.systems, numbers, strict=True)
    body = [html.row(system, map(short, values)) for system, values in lines]
    headings = html.heads("system", *(marked(found, column) for column in columns))
    made = html.table("Means of systems over their topics.", headings, body)
    return "".join([*parts, html.details("The numbers", made)])


def _plot(found: Overview, metric: str, human: str) -> str:
    """Means of systems over the cells where both have a value."""
    own, people = found.scores[metric], found.scores[human]
    both = ~(np.isnan(own) | np.isnan(people))
    x, y = (means(np.where(both, values, np.nan)).tolist() for values in (own, people))
    lead = "".join(
        f"{SYMBOLS[found.coefficients[0]]} {number(item.value(metric))}"
        for item in found.agreements
        if (item.human, item.level) == (human, "system")
    )
    points = list(zip(found.scores.systems, x, y, strict=True))
    axes = marked(found, metric), plain_name(human)
    said = f"{axes[0]} against {axes[1]}, by system. {lead}".strip()
    return html.plotted(
        f"plot-{found.humans.index(human)}-{found.metrics.index(metric)}",
        axes[0],
        lead,
        (said, said),
        (WIDTH, PLOT + 20),
        lambda canvas: named(canvas, points, axes),
        [{"system": s, metric: a, human: b} for s, a, b in points],
    )


def between(contents: Contents) -> str:
    """Correlations of metrics at the levels at which they are compared with people."""
    found = contents.people
    if found is None or len(found.metrics) < 2:
        return ""
    coefficient, parts = SYMBOLS[found.coefficients[0]], []
    for level, values in found.between.items():
        lines = zip(found.metrics, values.tolist(), strict=True)
        body = [_row(found, metric, map(html.heat, line)) for metric, line in lines]
        names = [marked(found, metric) for metric in found.metrics]
        caption = f"{coefficient} between metrics, {level} level."
        parts.append(html.table(caption, html.heads("metric", *names), body, "heat between"))
    return html.details(f"At the {' and '.join(found.between)} level", "".join(parts))


def _negations(found: Overview) -> str:
    """Return the explanation of the minus, if there is one."""
    names = ", ".join(html.text(plain_name(column)) for column in found.negated)
    note = "A minus before a name means that lower is better, so the scores were negated"
    return f" {note} ({names})." if names else ""


def summary(found: Overview, metrics: int) -> str:
    """Return what was compared, in one sentence."""
    return (
        f"{count(metrics, 'metric')} on {count(len(found.scores.systems), 'system')} and"
        f" {count(len(found.scores.topics), 'topic')}, compared with human scores:"
        f" {', '.join(map(plain_name, found.humans))}."
    )
