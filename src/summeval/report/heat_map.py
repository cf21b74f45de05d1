"""A heat map of shares as SVG: the colour and the number of each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import isnan

_LEFT, _TOP, _CELL, _HIGH = 112, 64, 78, 26  # pixels: names, head, width and height of a cell
_LETTER = 6.6  # of a name, in pixels
# From the share of a coin or less to all, told apart without red and green.
_STEPS = ("#b2182b", "#ef8a62", "#fddbc7", "#f7f7f7", "#d1e5f0", "#67a9cf", "#2166ac")
_BOUNDS = (0.5, 0.7, 0.85, 0.93, 0.97, 0.99)  # a share from a bound on has the next colour
_DARK = ("#b2182b", "#2166ac")


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    shares: Mapping[tuple[str, str], float],
    notes: Sequence[str] = (),
    *,
    apart: Sequence[str] = (),
) -> str:
    """Draw shares from 0 to 1 as coloured cells.

    Parameters
    ----------
    title : str
    rows, columns : sequences of str
        Their names.
    shares : mapping of (row, column) to float
        A cell that is not there or NaN is empty.
    notes : sequence of str
        Lines below.
    apart : sequence of str
        Rows with a gap before them.

    Returns
    -------
    str
        An SVG file; the same shares always give the same file.
    """
    wide = max(_CELL, *(int(_LETTER * len(name)) + 14 for name in columns))
    left = max(_LEFT, *(int(_LETTER * len(name)) + 24 for name in rows))
    width = max(left + wide * len(columns) + 12, int(_LETTER * len(title) * 1.25) + 24)
    tops, top = [], _TOP
    for name in rows:
        top += 8 * (name in apart)
        tops.append(top)
        top += _HIGH
    height = top + 14 + 17 * len(notes)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif"'
        ' font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(12, 24, title, size=15, more=' font-weight="bold"'),
    ]
    for place, name in enumerate(columns):
        middle = left + wide * place + wide / 2
        parts.append(_text(middle, _TOP - 8, name, more=' text-anchor="middle"'))
    for name, top in zip(rows, tops, strict=True):
        parts.append(_text(left - 8, top + 17, name, more=' text-anchor="end"'))
        for place, column in enumerate(columns):
            share = shares.get((name, column), float("nan"))
            parts += _cell(left + wide * place, top, wide, share)
    for line, note in enumerate(notes):
        parts.append(_text(12, height - 12 - 17 * (len(notes) - 1 - line), note, fill="#59636e"))
    return "\n".join([*parts, "</svg>", ""])


def _cell(left: float, top: float, wide: float, share: float) -> list[str]:
    if isnan(share):
        return []
    colour = _STEPS[sum(share >= bound for bound in _BOUNDS)]
    ink = "#ffffff" if colour in _DARK else "#1f2328"
    number = "1" if share == 1 else f"{share:.3f}".lstrip("0")
    middle = ' text-anchor="middle"'
    return [
        f'<rect x="{left}" y="{top}" width="{wide - 2}" height="{_HIGH - 2}" fill="{colour}"/>',
        _text(left + wide / 2 - 1, top + 17, number, fill=ink, more=middle),
    ]


def _text(
    x: float, y: float, words: str, *, fill: str = "#1f2328", size: int = 12, more: str = ""
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size}"{more}>{escape(words)}</text>'
    )
