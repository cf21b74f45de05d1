"""The parts of a page: tables, pictures, lists, links that save."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from math import isnan
from typing import Any
from urllib.parse import quote

from summeval.meta.differences import Ranking
from summeval.meta.overview import Overview, Survey
from summeval.report.drawing import Drawing, Panel, dots, drawing, height, plain
from summeval.report.tables import csv_lines, number

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
WIDE, NARROW = 880.0, 350.0  # widths of a picture with panels, in pixels
PANELS = 4  # that it shows at most
SYMBOLS = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ"}
MINUS = "\N{MINUS SIGN}"
STRONGEST = 100  # per cent of the colour for a correlation of 1
_AS_IT_IS = " !$&()*+,-./:;=?@[]_~'{}|^`"  # in the address of a link, between quotes


@dataclass(frozen=True)
class ShownRow:
    """A row that the page shows.

    Attributes
    ----------
    row : int
        From 0.
    name : str
        Its id and topic, for people.
    system : str
    why : str
        A sentence: why it is shown.
    scores : dict of str to float
        By metric.
    candidate : str
    explanations : sequence of str
        HTML.
    note : str
        What there is to say about the explanations, or nothing.
    """

    row: int
    name: str
    system: str
    why: str
    scores: Mapping[str, float]
    candidate: str = ""
    explanations: Sequence[str] = ()
    note: str = ""


@dataclass(frozen=True)
class Contents:
    """All that a page shows.

    Attributes
    ----------
    name : str
        Of the file of scores.
    title : str
        Title of the page.
    metrics : tuple of str
        Columns of the metrics; the first is the one that the first sentence is about.
    labels : dict of str to str
        How the columns are called on the page.
    survey : Survey
    ranking : Ranking or None
        None if the rows name no systems, or cannot be paired.
    people : Overview or None
        None without human scores.
    ceilings : dict of (str, str) to float
        By dimension and level, the correlation that a perfect metric would have, as far as known.
    rows : tuple of ShownRow
    settings, signatures : dict of str to str
    notes : tuple of str
    """

    name: str
    title: str
    metrics: tuple[str, ...]
    labels: Mapping[str, str]
    survey: Survey
    ranking: Ranking | None = None
    people: Overview | None = None
    ceilings: Mapping[tuple[str, str], float] = field(default_factory=dict)
    rows: tuple[ShownRow, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def label(self, column: str) -> str:
        """Return how a column is called on the page."""
        return self.labels.get(column, column)

    @property
    def varied(self) -> list[str]:
        """The metrics whose scores differ."""
        spreads = self.survey.spreads
        return [name for name in self.metrics if spreads[name].rows and not spreads[name].constant]

    @property
    def main(self) -> str:
        """The metric that the first sentence is about: the first whose scores differ."""
        return (self.varied or list(self.metrics))[0]


def text(words: str) -> str:
    """Return a text for HTML, without characters that a page may not hold."""
    return escape(plain(words))


def name(words: str) -> str:
    """Return a name, which may run from right to left, and may break before a field."""
    return f"<bdi>{text(words).replace('.', '<wbr>.')}</bdi>"


def table(caption: str, head: Sequence[str], body: Iterable[str], kind: str = "") -> str:
    """Return a table in a box that scrolls if the table is too wide; cells are HTML."""
    escaped = text(caption)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escaped}">'
        f'<table class="{kind}"><caption><span>{escaped}</span></caption>'
        f"<thead><tr>{''.join(head)}</tr></thead>\n<tbody>\n"
        + "\n".join(body)
        + "\n</tbody></table></div>\n"
    )


def head(words: str, kind: str = "") -> str:
    """Return the head of a column."""
    more = f' class="{kind}"' if kind else ""
    return f'<th scope="col"{more}>{name(words)}</th>'


def heads(*words: str) -> list[str]:
    """Return the heads of columns."""
    return [head(one) for one in words]


def row(first: str, cells: Iterable[str], kind: str = "") -> str:
    """Return a row: its name, and cells as HTML."""
    more = f' class="{kind}"' if kind else ""
    inner = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)
    return f'<tr{more}><th scope="row">{name(first)}</th>{inner}</tr>'


def heat(value: float, digits: int = 2) -> str:
    """Return a cell that a correlation colours."""
    if isnan(value):
        return f"<td>{number(value)}</td>"
    kind = "up" if value >= 0 else "down"
    size = abs(value) * STRONGEST
    return f'<td class="{kind}" style="--size:{size:.0f}%">{number(value, digits)}</td>'


def definitions(entries: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    pairs = (f"<dt>{text(k)}</dt><dd><code>{text(v)}</code></dd>" for k, v in entries.items())
    return f"<dl>{''.join(pairs)}</dl>\n"


def details(summary: str, inner: str, *, shown: bool = False) -> str:
    """Return what a click opens; `inner` is HTML."""
    more = " open" if shown else ""
    return f"<details{more}><summary>{text(summary)}</summary>{inner}</details>\n"


def paragraph(words: str, kind: str = "") -> str:
    """Return a paragraph of plain text."""
    more = f' class="{kind}"' if kind else ""
    return f"<p{more}>{text(words)}</p>\n"


def figure(
    key: str,
    title: str,
    lead: str,
    drawn: Drawing | None,
    rows: Sequence[dict[str, Any]],
    *,
    narrow: Drawing | None = None,
) -> str:
    """Return a picture with its title, a line on how to read it, and links that save it.

    `narrow` is what a phone shows instead. Without a drawing only the links are left.
    """
    more = f"<span>{text(lead)}</span>" if lead else ""
    shown = "" if drawn is None else f"<div>{drawn.inline}</div>"
    if narrow is not None:
        shown = shown.replace("<div>", '<div class="broad">', 1)
        shown += f'<div class="narrow">{narrow.inline}</div>'
    links = []  # that save the picture and its numbers; both are in the page already
    if drawn is not None:
        links.append(_link(f"{key}.svg", "image/svg+xml", drawn.file, "SVG", title))
    if rows:
        lines = "\n".join(csv_lines(rows)) + "\n"
        links.append(_link(f"{key}.csv", "text/csv", lines, "CSV", title))
    saving = f'<p class="save">Save {" ".join(links)}</p>' if links else ""
    caption = f"<figcaption><strong>{text(title)}</strong>{more}</figcaption>"
    return f'<figure id="{key}">{caption}{shown}{saving}</figure>\n'


def dotted(  # noqa: PLR0917 - a picture and all that is said of it
    keys: tuple[str, str],
    title: str,
    lead: str,
    lines: Mapping[str, str],
    panels: Sequence[Panel],
    rows: Sequence[dict[str, Any]],
    draws: bool,
) -> str:
    """Dots with intervals, wide for a screen and with the first panel alone for a phone.

    `keys` are the ids of the figure and of its drawings; `lines` the names of the lines, and what
    screen readers say of each.
    """
    wide = narrow = None
    if draws:
        wide, narrow = (
            drawing(
                f"{keys[1]}-{kind}",
                title,
                "; ".join(lines.values()),
                (width, height(len(lines))),
                lambda canvas, p=some: dots(canvas, list(lines), p),  # type: ignore[misc]
            )
            for kind, width, some in (("wide", WIDE, panels), ("narrow", NARROW, panels[:1]))
        )
    return figure(keys[0], title, lead, wide, rows, narrow=narrow)


def plotted(  # noqa: PLR0917 - a picture and all that is said of it
    key: str,
    title: str,
    lead: str,
    spoken: tuple[str, str],
    size: tuple[float, float],
    draw: Callable[[Any], None],
    rows: Sequence[dict[str, Any]],
) -> str:
    """Return a picture of one metric; `spoken` is what screen readers say that it is, and shows."""
    drawn = drawing(key, *spoken, size, draw)
    return figure(f"{key}-picture", title, lead, drawn, rows)


def _link(file: str, kind: str, data: str, form: str, title: str) -> str:
    address = f"data:{kind};charset=utf-8,{quote(plain(data), safe=_AS_IT_IS)}"
    label = text(f"Save as {form}: {title}")
    return f'<a download="{file}" href="{escape(address)}" aria-label="{label}">{form}</a>'


def page(title: str, header: str, sections: Mapping[str, tuple[str, str]]) -> str:
    """Return the whole file.

    Parameters
    ----------
    title : str
    header : str
        HTML above the contents.
    sections : mapping of str to (str, str)
        For each id the heading and the HTML below it; sections without HTML are left out.
    """
    style = files("summeval.report").joinpath("data/report.css").read_text(encoding="utf-8")
    kept = {key: section for key, section in sections.items() if section[1]}
    items = (f'<li><a href="#{key}">{text(heading)}</a></li>' for key, (heading, _) in kept.items())
    bodies = "".join(
        f'<section id="{key}" aria-labelledby="{key}-heading">'
        f'<h2 id="{key}-heading">{text(heading)}</h2>\n{body}</section>\n'
        for key, (heading, body) in kept.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">To the contents</a>\n{header}'
        f'<nav aria-label="Contents"><ul>{"".join(items)}</ul></nav>\n'
        f'<main id="main" tabindex="-1">\n{bodies}</main>\n</body>\n</html>\n'
    )
