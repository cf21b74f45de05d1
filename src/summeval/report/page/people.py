"""How well metrics agree with people: by dimension, level, topic and system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np

from summeval.meta.arrays import Level, Over
from summeval.meta.correlations import topic_values, value_of
from summeval.meta.overview import LENGTH, Agreement, Overview, means, told_by_level
from summeval.report.draw.canvas import drawing
from summeval.report.draw.dots import Panel, dots, height
from summeval.report.draw.spread import PLOT, WIDTH, named
from summeval.report.numbers import count, number, percent, short
from summeval.report.page.contents import Contents
from summeval.report.page.parts import (
    MINUS,
    SYMBOLS,
    details,
    figure,
    head,
    heads,
    heat,
    name,
    paragraph,
    row,
    table,
    text,
)
from summeval.report.page.systems import NARROW, PANELS
from summeval.report.page.systems import WIDE as BROAD
from summeval.table.cells import Array as Table

LINES = 16  # metrics that a picture shows
PLOTS = 6  # metrics that are plotted against each dimension
_OVERS = {"both": "systems and topics"}


def plain_name(column: str) -> str:
    """The name of a dimension without the enclosing object."""
    return column.removeprefix("scores.")


def marked(found: Overview, column: str) -> str:
    """The name of a column, with a minus if its scores were negated."""
    told = plain_name(column) if column in found.humans else column
    return f"{MINUS}{told}" if column in found.negated else told


def drawn(found: Overview) -> str:
    """What the intervals resample, for each level if it differs."""
    return _by_level(found.drawn)


def permuted(found: Overview) -> str:
    """What the tests permute, for each level if it differs."""
    return _by_level(found.permuted)


def _by_level(overs: dict[Level, Over]) -> str:
    return told_by_level({level: _OVERS.get(over, over) for level, over in overs.items()})


def picture(contents: Contents, draws: bool = True) -> str:
    """Correlations with intervals: a line for each metric, a panel for each dimension."""
    found = contents.people
    assert found is not None
    return _picture(contents, found, found.levels[0], draws, "agreement-picture")


def _picture(contents: Contents, found: Overview, level: Level, draws: bool, key: str) -> str:
    chosen = [item for item in found.agreements if item.level == level][:PANELS]
    first = chosen[0]
    names = [metric for metric in first.comparison.names if not isnan(first.value(metric))]
    names = (names or list(first.comparison.names))[:LINES]
    panels = [_panel(contents, item, names) for item in chosen]
    symbol = SYMBOLS[found.coefficients[0]]
    dimensions = len([item for item in found.agreements if item.level == level])
    told = f"{symbol} with people at the {level} level, with {percent(found.confidence)} intervals."
    if not all(all(panel.strong) for panel in panels):
        told += " Blue: not told apart from the best."
    if len(names) > 1:
        told += " Tests have Holm's correction, intervals have none."
    if any(panel.rule is not None for panel in panels):
        told += " Dashed: the highest that is possible, as people differ among themselves."
    if len(names) < len(found.metrics):
        told += f" {len(names)} of {len(found.metrics)} metrics: the tables below have all."
    if len(chosen) < dimensions:
        told += f" {len(chosen)} of {dimensions} dimensions."
    title = f"Agreement with people on {', '.join(plain_name(item.human) for item in chosen)}"
    if not draws:
        return figure(key, title, told, None, list(first.rows))
    shown = [MINUS * (n in found.negated) + contents.label(n) for n in names]
    said = "; ".join(f"{n} {number(first.value(n), 2)}" for n in names)
    pictures = [
        drawing(
            f"{key}-{kind}",
            title,
            said,
            (width, height(len(names))),
            lambda canvas, p=some: dots(canvas, shown, p),  # type: ignore[misc]
        )
        for kind, width, some in (("wide", BROAD, panels), ("narrow", NARROW, panels[:1]))
    ]
    rows = [line for item in found.agreements if item.level == level for line in item.rows]
    return figure(key, title, told, pictures[0], rows, narrow=pictures[1])


def _panel(contents: Contents, item: Agreement, names: Sequence[str]) -> Panel:
    compared = item.comparison
    places = [compared.names.index(metric) for metric in names]
    rule = contents.ceilings.get((item.human, item.level))
    return Panel(
        title=plain_name(item.human),
        values=[compared.correlations[p].value for p in places],
        lower=[compared.intervals[p].lower for p in places],
        upper=[compared.intervals[p].upper for p in places],
        strong=[not compared.different[0, p] for p in places],
        rule=rule,
    )


def agreements(contents: Contents, draws: bool = True) -> str:
    """All correlations, with intervals and letters; pictures of the levels after the first."""
    found = contents.people
    if found is None:
        return ""
    coefficient, share = SYMBOLS[found.coefficients[0]], percent(found.confidence)
    told = (
        f"<p>Metrics are ranked by {coefficient}. Intervals are {share} percentiles of"
        f" {found.resamples:,} draws of {drawn(found)}. Metrics that share a letter do not differ"
        f" significantly (permutation test, Holm's correction, level {found.alpha:g}); a line"
        " separates clusters, between which all metrics differ. A metric is useful if it beats"
        f" length.{_negations(found)}</p>\n"
    )
    parts = [told]
    for level in found.levels:
        if level != found.levels[0]:
            parts.append(_picture(contents, found, level, draws, f"agreement-{level}"))
        parts += [_heat(found, level)]
    for item in found.agreements:
        parts.append(_agreement_table(contents, found, item))
    return "".join(parts)


def _agreement_table(contents: Contents, found: Overview, item: Agreement) -> str:
    rows = list(item.rows)
    first, *others = found.coefficients
    headings = [
        *heads("metric", SYMBOLS[first], "interval"),
        head("letters", "text"),
        *heads(*(SYMBOLS[other] for other in others)),
    ]
    body = []
    for place, line in enumerate(rows):
        value, lower, upper = (float(line[key]) for key in ("value", "lower", "upper"))
        cut = place and line["cluster"] != rows[place - 1]["cluster"]
        cells = [
            number(value),
            f"{number(lower)} to {number(upper)}",
            f'<td class="text">{text(str(line["letters"]))}</td>',
            *(number(float(line[other])) for other in others),
        ]
        kinds = " ".join(["cut"] * bool(cut) + ["base"] * (line["metric"] == LENGTH))
        body.append(row(marked(found, str(line["metric"])), cells, kinds))
    counts = item.comparison.correlations[0]
    caption = (
        f"{counts.systems} systems, {counts.topics} topics, {counts.cells:,} cells with a value"
        " for people and for every metric."
    )
    ceiling = contents.ceilings.get((item.human, item.level))
    if ceiling is not None and not isnan(ceiling):
        caption += (
            f" The judges agree so far that no metric can be expected above {number(ceiling)}."
        )
    title = f"{plain_name(item.human)}, {item.level} level"
    return details(title, table(caption, headings, body), shown=item is found.agreements[0])


def _heat(found: Overview, level: Level) -> str:
    columns = [item for item in found.agreements if item.level == level]
    body = [
        row(
            marked(found, metric),
            (heat(item.value(metric)) for item in columns),
            "base" if metric == LENGTH else "",
        )
        for metric in found.metrics
    ]
    caption = f"{SYMBOLS[found.coefficients[0]]}, {level} level."
    return table(caption, heads("metric", *(plain_name(i.human) for i in columns)), body, "heat")


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
                *map(heat, spread),
                f"<td>{percent(below)}</td>",
                f'<td class="text">{name(worst)}</td>',
            ]
            body.append(row(marked(found, metric), cells, "base" if metric == LENGTH else ""))
        if not body:
            continue
        caption = (
            f"{SYMBOLS[found.coefficients[0]]} over the systems of one topic, for"
            f" {plain_name(human)}: a tenth of the topics lie below the first number, half"
            " below the second, nine tenths below the third."
        )
        columns = heads("metric", "10 %", "median", "90 %", "0 or less")
        made = table(caption, [*columns, head("lowest", "text")], body, "heat")
        parts.append(details(plain_name(human), made, shown=not parts))
    return "".join(parts)


def ablation(contents: Contents) -> str:
    """What the mean of all metrics loses when one is left out."""
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
        told = "all metrics" if left == "all" else f"without {marked(found, left)}"
        body.append(row(told, map(heat, values)))
    caption = (
        f"{SYMBOLS[coefficient]} of the mean of all metrics (each with mean 0 and standard"
        f" deviation 1), {level} level."
    )
    made = table(caption, heads("metrics", *map(plain_name, found.humans)), body, "heat")
    told = "A metric without which the mean agrees better, or as well, adds nothing to the others."
    return paragraph(told) + made


def _standard(values: Table) -> Table:
    """Scores with mean 0 and standard deviation 1; 0 where all are equal."""
    known = values[~np.isnan(values)]
    deviation = float(known.std()) if len(known) else 0.0
    return (values - known.mean()) / deviation if deviation > 0 else values * 0.0


def systems(contents: Contents, draws: bool = True) -> str:
    """The means of systems by people and by metrics, as plots and as a table."""
    found = contents.people
    if found is None:
        return ""
    parts = [paragraph("A point is a system: its mean by the metric, and its mean by people.")]
    for place, human in enumerate(found.humans[:3] if draws else ()):
        figures = "".join(_plots(contents, found, human))
        plots = f'<div class="plots">{figures}</div>'
        parts.append(details(plain_name(human), plots, shown=place == 0))
    columns = [*found.humans, *found.metrics]
    numbers = np.array([means(found.scores[column]) for column in columns]).T.tolist()
    body = [
        row(system, map(short, values))
        for system, values in zip(found.scores.systems, numbers, strict=True)
    ]
    headings = heads("system", *(marked(found, column) for column in columns))
    parts.append(
        details("The numbers", table("Means of systems over their topics.", headings, body))
    )
    return "".join(parts)


def _plots(contents: Contents, found: Overview, human: str) -> Iterator[str]:
    """The best metrics against a dimension."""
    chosen = [i for i in found.agreements if i.human == human][-1].comparison.names[:PLOTS]
    for metric in chosen:
        yield _plot(contents, found, metric, human)


def _plot(contents: Contents, found: Overview, metric: str, human: str) -> str:
    """Means of systems over the cells where both have a value."""
    own, people = found.scores[metric], found.scores[human]
    both = ~(np.isnan(own) | np.isnan(people))
    x, y = (means(np.where(both, values, np.nan)).tolist() for values in (own, people))
    told = "".join(
        f"{SYMBOLS[found.coefficients[0]]} {number(item.value(metric))}"
        for item in found.agreements
        if (item.human, item.level) == (human, "system")
    )
    points = list(zip(found.scores.systems, x, y, strict=True))
    key = f"plot-{found.humans.index(human)}-{found.metrics.index(metric)}"
    title = marked(found, metric)
    said = f"{title} against {plain_name(human)}, by system. {told}".strip()
    axes = (title, plain_name(human))
    made = drawing(key, said, said, (WIDTH, PLOT + 20), lambda canvas: named(canvas, points, axes))
    rows = [{"system": s, metric: a, human: b} for s, a, b in points]
    return figure(f"{key}-picture", title, told, made, rows)


def between(contents: Contents) -> str:
    """Correlations of metrics at the levels at which they are compared with people."""
    found = contents.people
    if found is None or len(found.metrics) < 2:
        return ""
    coefficient, parts = SYMBOLS[found.coefficients[0]], []
    for level, values in found.between.items():
        body = [
            row(marked(found, metric), map(heat, line.tolist()), "base" if metric == LENGTH else "")
            for metric, line in zip(found.metrics, values, strict=True)
        ]
        names = [marked(found, metric) for metric in found.metrics]
        caption = f"{coefficient} between metrics, {level} level."
        parts.append(table(caption, heads("metric", *names), body, "heat between"))
    return details(f"At the {' and '.join(found.between)} level", "".join(parts))


def _negations(found: Overview) -> str:
    """The explanation of the minus, if there is one."""
    if not found.negated:
        return ""
    names = ", ".join(text(plain_name(column)) for column in found.negated)
    return (
        f" A minus before a name means that lower is better, so the scores were negated ({names})."
    )


def told(found: Overview, metrics: int) -> str:
    """What was compared, in one sentence."""
    return (
        f"{count(metrics, 'metric')} on {count(len(found.scores.systems), 'system')} and"
        f" {count(len(found.scores.topics), 'topic')}, compared with human scores:"
        f" {', '.join(map(plain_name, found.humans))}."
    )
