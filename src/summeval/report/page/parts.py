"""What a page is made of: tables, pictures, lists, links that save."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import isnan
from typing import Any
from urllib.parse import quote

from summeval.report.draw.canvas import Drawing, plain
from summeval.report.numbers import number
from summeval.report.tables import csv_lines

SYMBOLS = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ"}
MINUS = "\N{MINUS SIGN}"
STRONGEST = 100  # per cent of the colour for a correlation of 1
_AS_IT_IS = " !$&()*+,-./:;=?@[]_~'{}|^`"  # in the address of a link, between quotes


def text(words: str) -> str:
    """A text for HTML, without characters that a page may not hold."""
    return escape(plain(words))


def name(words: str) -> str:
    """A name, which may run from right to left, and may break before a field."""
    return f"<bdi>{text(words).replace('.', '<wbr>.')}</bdi>"


def table(caption: str, head: Sequence[str], body: Iterable[str], kind: str = "") -> str:
    """A table in a box that scrolls if the table is too wide; cells are HTML."""
    told = text(caption)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{told}">'
        f'<table class="{kind}"><caption><span>{told}</span></caption>'
        f"<thead><tr>{''.join(head)}</tr></thead>\n<tbody>\n"
        + "\n".join(body)
        + "\n</tbody></table></div>\n"
    )


def head(words: str, kind: str = "") -> str:
    """The head of a column."""
    more = f' class="{kind}"' if kind else ""
    return f'<th scope="col"{more}>{name(words)}</th>'


def heads(*words: str) -> list[str]:
    """The heads of columns."""
    return [head(one) for one in words]


def row(first: str, cells: Iterable[str], kind: str = "") -> str:
    """A row: its name, and cells as HTML."""
    more = f' class="{kind}"' if kind else ""
    inner = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)
    return f'<tr{more}><th scope="row">{name(first)}</th>{inner}</tr>'


def heat(value: float, digits: int = 2) -> str:
    """A cell that a correlation colours."""
    if isnan(value):
        return f"<td>{number(value)}</td>"
    kind = "up" if value >= 0 else "down"
    size = abs(value) * STRONGEST
    return f'<td class="{kind}" style="--size:{size:.0f}%">{number(value, digits)}</td>'


def definitions(told: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    pairs = (f"<dt>{text(k)}</dt><dd><code>{text(v)}</code></dd>" for k, v in told.items())
    return f"<dl>{''.join(pairs)}</dl>\n"


def details(summary: str, inner: str, *, shown: bool = False) -> str:
    """What a click opens; `inner` is HTML."""
    more = " open" if shown else ""
    return f"<details{more}><summary>{text(summary)}</summary>{inner}</details>\n"


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph of plain text."""
    more = f' class="{kind}"' if kind else ""
    return f"<p{more}>{text(words)}</p>\n"


def figure(
    key: str,
    title: str,
    told: str,
    drawn: Drawing | None,
    rows: Sequence[dict[str, Any]],
    *,
    narrow: Drawing | None = None,
) -> str:
    """A picture with its title, a line on how to read it, and links that save it.

    `narrow` is what a phone shows instead. Without a drawing only the links are left.
    """
    more = f"<span>{text(told)}</span>" if told else ""
    shown = ""
    if drawn is not None:
        wide = ' class="broad"' if narrow is not None else ""
        shown = f"<div{wide}>{drawn.inline}</div>"
    if narrow is not None:
        shown += f'<div class="narrow">{narrow.inline}</div>'
    return (
        f'<figure id="{key}"><figcaption><strong>{text(title)}</strong>{more}</figcaption>'
        f"{shown}{saving(key, title, drawn, rows)}</figure>\n"
    )


def saving(key: str, title: str, drawn: Drawing | None, rows: Sequence[dict[str, Any]]) -> str:
    """Links that save a picture as SVG and its numbers as CSV; both are in the page already."""
    links = []
    if drawn is not None:
        links.append(_link(f"{key}.svg", "image/svg+xml", drawn.file, "SVG", title))
    if rows:
        lines = "\n".join(csv_lines(rows)) + "\n"
        links.append(_link(f"{key}.csv", "text/csv", lines, "CSV", title))
    return f'<p class="save">Save {" ".join(links)}</p>' if links else ""


def _link(file: str, kind: str, data: str, told: str, title: str) -> str:
    address = f"data:{kind};charset=utf-8,{quote(plain(data), safe=_AS_IT_IS)}"
    label = text(f"Save as {told}: {title}")
    return f'<a download="{file}" href="{escape(address)}" aria-label="{label}">{told}</a>'
