"""An overview of metrics as one HTML file, without scripts or network access."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from math import isnan

import numpy as np

from summeval.meta.overview import LENGTH, Agreement, Overview, means, told_by_level
from summeval.report import svg

SYMBOLS = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ"}
SECTIONS = {
    "agreement": "Agreement with people",
    "heat": "Metrics by dimension",
    "systems": "System by system",
    "between": "Metrics compared with each other",
    "scores": "Distribution of scores",
    "made": "How this was made",
}
MINUS = "\N{MINUS SIGN}"
STRONGEST = 100  # per cent of the colour for a correlation of 1


_OVERS = {"both": "systems and topics"}


def html_report(
    found: Overview, name: str, settings: Mapping[str, str], signatures: Mapping[str, str]
) -> str:
    """Return the page.

    Parameters
    ----------
    found : Overview
    name : str
        Name of the scores, for the heading.
    settings : mapping of str to str
        Further settings to list, such as the version; seeds and tests are always listed.
    signatures : mapping of str to str
        Signatures of the metrics, as far as known.

    Returns
    -------
    str
        One file, readable without scripts and network, in light and dark mode.
    """
    style = files("summeval.report").joinpath("data/report.css").read_text(encoding="utf-8")
    bodies = {
        "agreement": _agreements(found),
        "heat": _heat(found),
        "systems": _systems(found),
        "between": _between(found),
        "scores": _distributions(found),
        "made": _made(found, settings, signatures),
    }
    links = "".join(f'<li><a href="#{key}">{SECTIONS[key]}</a></li>' for key in bodies)
    sections = "".join(
        f'<section id="{key}" aria-labelledby="{key}-title"><h2 id="{key}-title">{SECTIONS[key]}'
        f"</h2>\n{''.join(body)}</section>\n"
        for key, body in bodies.items()
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(name)}: metrics compared with people</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n{_header(found, name)}"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n{sections}</main>\n</body>\n</html>\n'
    )


def _header(found: Overview, name: str) -> str:
    scores = found.scores
    metrics = [metric for metric in found.metrics if metric != LENGTH]
    told = (
        f"{_count(len(metrics), 'metric')} on {_count(len(scores.systems), 'system')} and"
        f" {_count(len(scores.topics), 'topic')}, compared with human scores:"
        f" {', '.join(map(_plain, found.humans))}."
    )
    notes = list(found.notes)
    if LENGTH not in found.metrics:
        notes.insert(
            0,
            "The length baseline is missing: the scores have no column of lengths and no texts."
            " Pass one with --length, or keep the texts (summeval score --keep-text).",
        )
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    aside = f'<div class="notes" role="note"><h2>Notes</h2><ul>{listed}</ul></div>\n'
    return (
        f"<header><h1>{escape(name)}: how well metrics agree with people</h1>\n"
        f'<p class="lead">{escape(told)}</p></header>\n' + (aside if notes else "")
    )


def _agreements(found: Overview) -> Iterator[str]:
    coefficient = SYMBOLS[found.coefficients[0]]
    share = f"{found.confidence * 100:g} %"
    yield (
        f"<p>Metrics are ranked by {coefficient}. Intervals are {share} percentiles of"
        f" {found.resamples:,} draws of {drawn(found)}. Metrics that share a letter do not differ"
        f" significantly (permutation test, Holm's correction, level {found.alpha:g}); a line"
        " separates clusters, between which all metrics differ. A metric is useful if it beats"
        f" length.{_negations(found)}</p>\n"
    )
    for agreement in found.agreements:
        yield f"<h3>{escape(_plain(agreement.human))}, {agreement.level} level</h3>\n"
        yield _agreement_table(found, agreement)


def _agreement_table(found: Overview, agreement: Agreement) -> str:
    rows = list(agreement.rows)
    bounds = [row[key] for row in rows for key in ("value", "lower", "upper")]
    span = svg.rounded_span([bound for bound in bounds if isinstance(bound, float)])
    first, *others = found.coefficients
    scale = "".join(f"<b>{svg.short(end)}</b>" for end in span)
    head = [
        *map(_column_head, ("metric", SYMBOLS[first], "interval")),
        f'<th scope="col" class="scale"><span>{scale}</span></th>',
        '<th scope="col" class="text">letters</th>',
        *map(_column_head, ("cluster", *(SYMBOLS[other] for other in others))),
    ]
    body = []
    for place, row in enumerate(rows):
        value, lower, upper = (float(row[key]) for key in ("value", "lower", "upper"))
        reach = f"{svg.number(lower)} to {svg.number(upper)}"
        title = f"{_marked(found, str(row['metric']))}: {svg.number(value)}, {reach}"
        cut = place and row["cluster"] != rows[place - 1]["cluster"]
        cells = [
            f"<td>{svg.number(value)}</td><td>{reach}</td>"
            f"<td>{svg.interval(title, value, lower, upper, span)}</td>"
            f'<td class="text">{escape(str(row["letters"]))}</td><td>{row["cluster"]}</td>',
            *(f"<td>{svg.number(float(row[other]))}</td>" for other in others),
        ]
        kinds = " ".join(["cut"] * bool(cut) + ["base"] * (row["metric"] == LENGTH))
        head_cell = _row_head(_marked(found, str(row["metric"])))
        body.append(f'<tr class="{kinds}">{head_cell}{"".join(cells)}</tr>')
    counts = agreement.comparison.correlations[0]
    caption = (
        f"{counts.systems} systems, {counts.topics} topics, {counts.cells:,} cells with a value"
        " for people and for every metric."
    )
    return _table("", caption, head, body)


def _heat(found: Overview) -> Iterator[str]:
    coefficient = SYMBOLS[found.coefficients[0]]
    for level in found.levels:
        columns = [item for item in found.agreements if item.level == level]
        body = []
        for metric in found.metrics:
            cells = "".join(_heat_cell(item.value(metric)) for item in columns)
            body.append(f"<tr{_base(metric)}>{_row_head(_marked(found, metric))}{cells}</tr>")
        head = [_column_head(cell) for cell in ("metric", *(_plain(i.human) for i in columns))]
        yield _table("heat", f"{coefficient}, {level} level.", head, body)


def _systems(found: Overview) -> Iterator[str]:
    yield (
        "<p>A point is a system: its x is the mean of the metric over topics, its y the mean of the"
        " human scores. Hover to see its name; the numbers are listed below.</p>\n"
    )
    for place, human in enumerate(found.humans):
        figures = "".join(_plot(found, metric, human) for metric in found.metrics)
        yield (
            f"<details{' open' if place == 0 else ''}><summary>{escape(_plain(human))}</summary>"
            f'<div class="plots">{figures}</div></details>\n'
        )
    columns = [*found.humans, *found.metrics]
    numbers = np.array([means(found.scores[column]) for column in columns]).T.tolist()
    body = [
        f"<tr>{_row_head(system)}{''.join(f'<td>{svg.short(n)}</td>' for n in row)}</tr>"
        for system, row in zip(found.scores.systems, numbers, strict=True)
    ]
    marked = [_marked(found, column) for column in columns]
    head = [_column_head(name) for name in ("system", *marked)]
    table = _table("", "Means of systems over their topics.", head, body)
    yield f"<details><summary>The numbers</summary>{table}</details>\n"


def _plot(found: Overview, metric: str, human: str) -> str:
    """Means of systems over the cells where both have a value."""
    own, people = found.scores[metric], found.scores[human]
    both = ~(np.isnan(own) | np.isnan(people))
    x, y = (means(np.where(both, table, np.nan)).tolist() for table in (own, people))
    coefficient = SYMBOLS[found.coefficients[0]]
    told = "".join(
        f"{coefficient} {svg.number(item.value(metric))}"
        for item in found.agreements
        if (item.human, item.level) == (human, "system")
    )
    name = _marked(found, metric)
    title = f"{name} against {_plain(human)}, by system. {told}"
    points = list(zip(found.scores.systems, x, y, strict=True))
    return _figure(name, told, svg.scatter(title.strip(), points))


def _between(found: Overview) -> Iterator[str]:
    coefficient = SYMBOLS[found.coefficients[0]]
    for level, table in found.between.items():
        body = [
            f"<tr{_base(metric)}>{_row_head(_marked(found, metric))}"
            f"{''.join(map(_heat_cell, row.tolist()))}</tr>"
            for metric, row in zip(found.metrics, table, strict=True)
        ]
        caption = f"{coefficient} between metrics, {level} level."
        names = [_marked(found, metric) for metric in found.metrics]
        head = [_column_head(name) for name in ("metric", *names)]
        yield _table("heat between", caption, head, body)


def _distributions(found: Overview) -> Iterator[str]:
    figures = []
    for column in (*found.humans, *found.metrics):
        values = found.scores[column]
        known = values[~np.isnan(values)]
        low, median, high = np.quantile(known, [0.0, 0.5, 1.0]).tolist()
        told = f"{svg.short(low)} to {svg.short(high)}, median {svg.short(median)}"
        name = _marked(found, column)
        title = f"{name}: {len(known):,} scores, {told}"
        figures.append(_figure(name, told, svg.histogram(title, known.tolist())))
    yield f'<div class="plots">{"".join(figures)}</div>\n'


def _made(
    found: Overview, settings: Mapping[str, str], signatures: Mapping[str, str]
) -> Iterator[str]:
    told = {
        **settings,
        "coefficients": ", ".join(SYMBOLS[c] for c in found.coefficients),
        "levels": ", ".join(found.levels),
        "seed": str(found.seed),
        "draws": f"{found.resamples:,} of {drawn(found)}",
        "permutations": f"{found.resamples:,} of {_OVERS.get(found.over, found.over)}",
        "intervals": f"percentiles, {found.confidence * 100:g} %",
        "tests": f"two-sided permutation tests, Holm's correction, level {found.alpha:g}",
    }
    yield _definitions(told)
    yield "<h3>Signatures</h3>\n"
    if signatures:
        yield _definitions(signatures)
    else:
        yield (
            "<p>Not available: only Parquet and Arrow files store them. Pass the file that"
            " <code>summeval score --means</code> printed with <code>--signatures</code>.</p>\n"
        )


def _definitions(told: Mapping[str, str]) -> str:
    pairs = (f"<dt>{escape(k)}</dt><dd><code>{escape(v)}</code></dd>" for k, v in told.items())
    return f"<dl>{''.join(pairs)}</dl>\n"


def _table(kind: str, caption: str, head: Sequence[str], body: Sequence[str]) -> str:
    """A table in a box that scrolls if the table is too wide."""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f'<table class="{kind}"><caption><span>{escape(caption)}</span></caption>'
        f"<thead><tr>{''.join(head)}</tr></thead>\n<tbody>\n"
        + "\n".join(body)
        + "\n</tbody></table>"
        "</div>\n"
    )


def _heat_cell(value: float) -> str:
    if isnan(value):
        return f"<td>{svg.number(value)}</td>"
    kind = "up" if value >= 0 else "down"
    size = abs(value) * STRONGEST
    return f'<td class="{kind}" style="--size:{size:.0f}%">{svg.number(value, 2)}</td>'


def _figure(title: str, told: str, drawing: str) -> str:
    more = f"<small>{escape(told)}</small>" if told else ""
    return f"<figure><figcaption>{escape(title)}{more}</figcaption>{drawing}</figure>"


def _column_head(name: str) -> str:
    return f'<th scope="col">{escape(name)}</th>'


def _row_head(name: str) -> str:
    # A long name may break before its field.
    told = escape(name)
    return f'<th scope="row">{told.replace(".", "<wbr>.")}</th>'


def _base(metric: str) -> str:
    return ' class="base"' if metric == LENGTH else ""


def _plain(column: str) -> str:
    """The name of a dimension without the enclosing object."""
    return column.removeprefix("scores.")


def _marked(found: Overview, column: str) -> str:
    """The name of a column, with a minus if its scores were negated."""
    name = _plain(column) if column in found.humans else column
    return f"{MINUS}{name}" if column in found.negated else name


def _negations(found: Overview) -> str:
    """The explanation of the minus, if there is one."""
    if not found.negated:
        return ""
    names = ", ".join(escape(_plain(column)) for column in found.negated)
    return (
        f" A minus before a name means that lower is better, so the scores were negated ({names})."
    )


def drawn(found: Overview) -> str:
    """What the intervals resample, for each level if it differs."""
    told = {level: _OVERS.get(over, over) for level, over in found.drawn.items()}
    return told_by_level(told)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"
