"""The report: its first screen, and its sections in order."""

from __future__ import annotations

from collections.abc import Mapping

from summeval.meta.overview import LENGTH
from summeval.metrics.run.explain.shown import STYLE
from summeval.report.numbers import count, percent, short
from summeval.report.page import answer, metrics, people, systems
from summeval.report.page.parts import (
    SYMBOLS,
    Contents,
    Told,
    definitions,
    details,
    name,
    page,
    paragraph,
    text,
)
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
            metrics.between(contents, scores, draws) + people.between(contents),
        ),
        "scores": ("Distribution of scores", metrics.distributions(contents, draws)),
        "rows": ("Rows worth a look", _rows(contents)),
        "length": ("Length", metrics.lengths(contents, draws)),
        "made": ("How this was made", _made(contents)),
    }
    return page(contents.title, _header(contents, draws), sections)


def _header(contents: Contents, draws: bool) -> str:
    labels, ranking = dict(contents.labels), contents.ranking
    label = contents.label(contents.main)
    first, leads, picture = "", [""], ""
    if ranking is not None:
        first, rest = answer.of_systems(ranking[contents.main], label, ranking.alpha)
        leads = [f"{rest} {answer.of_other_metrics(ranking, contents.main, labels)}".strip()]
        picture = systems.picture(contents, draws) if contents.people is None else ""
    elif contents.people is None:
        first = answer.of_rows(contents.survey, contents.main, label)
    if contents.people is not None:
        leads = [answer.of_rivals(contents.people, labels), first]
        best = contents.people.agreements[0]
        ceiling = contents.ceilings.get((best.human, best.level))
        first = answer.of_metrics(contents.people, labels, ceiling)
        level = contents.people.levels[0]
        picture = people.picture(contents, contents.people, level, draws, "agreement-picture")
    about = [contents.name, *_sizes(contents)]
    notes = "".join(f"<li>{text(note)}</li>" for note in contents.notes)
    listed = count(len(contents.notes), "note")
    aside = (
        f'<details class="notes"><summary>{listed} on the data</summary>'
        f"<ul>{notes}</ul></details>\n"
    )
    return (
        f'<header><p class="about">{" · ".join(f"<bdi>{text(one)}</bdi>" for one in about)}</p>\n'
        f"<h1>{text(_together(first))}</h1>\n"
        + "".join(paragraph(lead, "lead") for lead in leads if lead)
        + picture
        + (aside if notes else "")
        + "</header>\n"
    )


def _together(told: str) -> str:
    """Return a sentence in which the name of a coefficient is not broken over two lines."""
    for symbol in SYMBOLS.values():
        told = told.replace(
            f"{symbol} ", f"{symbol}\N{NO-BREAK SPACE}".replace(" ", "\N{NO-BREAK SPACE}")
        )
    return told


def _sizes(contents: Contents) -> list[str]:
    found = contents.survey
    shown = [metric for metric in contents.metrics if metric != LENGTH]
    told = [count(found.rows, "row")]
    if contents.people is not None:
        return [*told, people.told(contents.people, len(shown)).rstrip(".")]
    if found.systems:
        told.append(count(len(found.systems), "system"))
    return [*told, count(len(shown), "metric")]


def _made(contents: Contents) -> str:
    found, ranking = contents.people, contents.ranking
    told = dict(contents.settings)
    if ranking is not None:
        told |= {
            "tests of systems": f"two-sided paired randomisation, {ranking.correction}, level"
            f" {ranking.alpha:g}, {ranking.resamples:,} draws",
            "intervals of means": f"Student's t, {percent(ranking.confidence)}",
            "seed": str(ranking.seed),
        }
    if found is not None:
        told |= {
            "coefficients": ", ".join(SYMBOLS[c] for c in found.coefficients),
            "levels": ", ".join(found.levels),
            "seed": str(found.seed),
            "draws": f"{found.resamples:,} of {people.by_level(found.drawn)}",
            "permutations": f"{found.resamples:,} of {people.by_level(found.permuted)}",
            "intervals": f"percentiles, {percent(found.confidence)}",
            "tests": f"two-sided permutation tests, Holm's correction, level {found.alpha:g}",
        }
    signatures = (
        definitions(contents.signatures)
        if contents.signatures
        else "<p>Not available: only Parquet and Arrow files store them. Pass the file that"
        " <code>summeval score --means</code> printed with <code>--signatures</code>.</p>\n"
    )
    return definitions(told) + "<h3>Signatures</h3>\n" + signatures


def _rows(contents: Contents) -> str:
    """Return the chosen rows, each with its scores, and with its text if that is known."""
    if not contents.told:
        return ""
    far = contents.survey.far_out
    told = "Rows on which metrics differ most in rank, and those far from the rest of their system."
    if far:
        told += f" {count(far, 'score')} in all {'is' if far == 1 else 'are'} far out."
    style = f"<style>{STYLE}</style>\n" if any(one.explanations for one in contents.told) else ""
    return (
        style
        + paragraph(told)
        + "".join(_row(contents, one, not place) for place, one in enumerate(contents.told))
    )


def _row(contents: Contents, one: Told, shown: bool) -> str:
    scores = "".join(
        f"<li>{name(contents.label(metric))} <b>{short(value)}</b></li>"
        for metric, value in one.scores.items()
    )
    if len(one.scores) < len(contents.metrics):
        scores += f"<li>{len(one.scores)} of {len(contents.metrics)} metrics</li>"
    inner = [paragraph(one.why), f'<ul class="scores">{scores}</ul>']
    inner += [f'<div class="explained">{html}</div>' for html in one.explanations]
    if one.candidate and not one.explanations:
        inner.append(f'<blockquote dir="auto">{text(one.candidate)}</blockquote>')
    if one.note:
        inner.append(paragraph(one.note, "quiet"))
    system = f", {one.system}" if one.system else ""
    return details(f"{one.name}{system}", "".join(inner), shown=shown)
