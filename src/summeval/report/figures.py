"""The figures of studies as SVG: those that matplotlib draws, and heat maps of shares."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite, isnan
from typing import Any

import numpy as np

from summeval._lazy import need
from summeval.study.result import Series, StudyFigure

_WIDTH, _HEIGHT = 6.4, 4.0  # inches
_LETTERS = 60  # of a title on one line
_PER_BAR = 0.3  # inches of height for each bar beyond the first few
_FEW_BARS = 8
# Colours that people tell apart without red and green (Okabe and Ito 2008), and marks beside them.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_MARKS = "osD^vPX"

_LEFT, _TOP, _CELL, _HIGH = 112, 64, 78, 26  # pixels: names, head, width and height of a cell
_LETTER = 6.6  # of a name, in pixels
# From the share of a coin or less to all, told apart without red and green.
_STEPS = ("#b2182b", "#ef8a62", "#fddbc7", "#f7f7f7", "#d1e5f0", "#67a9cf", "#2166ac")
_BOUNDS = (0.5, 0.7, 0.85, 0.93, 0.97, 0.99)  # a share from a bound on has the next colour
_DARK = ("#b2182b", "#2166ac")


def svg_of(figure: StudyFigure, made: Sequence[str] = ()) -> bytes:
    """Draw a figure; the same figure always gives the same bytes.

    Parameters
    ----------
    figure : StudyFigure
    made : sequence of str
        Lines on how the numbers were made, kept in the description of the file.

    Returns
    -------
    bytes
        An SVG file in UTF-8, with its letters as text.

    Raises
    ------
    ImportError
        The extra `report` is not installed.
    """
    matplotlib = need("matplotlib", "Drawing figures", "report")
    canvas = need("matplotlib.figure", "Drawing figures", "report")
    settings = {"svg.hashsalt": "summeval", "svg.fonttype": "none", "font.family": "sans-serif"}
    with matplotlib.rc_context(settings):
        bars = len(figure.series[0].x) if figure.kind == "bars" else 0
        height = _HEIGHT + _PER_BAR * max(0, bars - _FEW_BARS)
        page = canvas.Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = page.subplots()
        if figure.kind == "bars":
            _bars(axes, figure.series)
        else:
            _marks(axes, figure.series, "-" if figure.kind == "lines" else "none")
        # centred on the page: beside long names the axes are narrow
        page.suptitle(_wrapped(figure.title), fontsize="large")
        x = [value for series in figure.series for value in series.x]
        if all(isinstance(value, (int, float)) and float(value).is_integer() for value in x):
            axes.xaxis.get_major_locator().set_params(integer=True)  # as x counts
        axes.set_xlabel(figure.x_label)
        axes.set_ylabel(figure.y_label)
        if len(figure.series) > 1:
            # below the axes, where it covers nothing; the search for a free place takes long
            page.legend(frameon=False, loc="outside lower center", ncols=min(3, len(figure.series)))
        axes.spines[["top", "right"]].set_visible(False)
        data = io.BytesIO()
        metadata = {"Date": None, "Title": figure.title, "Description": "; ".join(made)}
        page.savefig(data, format="svg", metadata=metadata)
    return data.getvalue()


def _wrapped(title: str) -> str:
    r"""Return a title in lines that fit the page.

    >>> _wrapped("Share of inputs with a significant correlation with scores.litepyramid_recall")
    'Share of inputs with a significant correlation with\nscores.litepyramid_recall'
    """
    return "\n".join(textwrap.wrap(title, _LETTERS))


def _bars(axes: Any, series: Sequence[Series]) -> None:
    """Horizontal bars, the first one on top; the series side by side."""
    thickness = 0.8 / len(series)
    names = list(series[0].x)
    for place, one in enumerate(series):
        y = np.arange(len(names)) + (place - (len(series) - 1) / 2) * thickness
        style = {"label": one.name, "color": _COLOURS[place % len(_COLOURS)]}
        axes.barh(y, one.y, thickness, xerr=_reach(one), capsize=2, **style)
    axes.set_yticks(np.arange(len(names)), names)
    axes.invert_yaxis()


def _marks(axes: Any, series: Sequence[Series], linestyle: str) -> None:
    """Points with their names, and a line through them or none."""
    for place, one in enumerate(series):
        style = {"color": _COLOURS[place % len(_COLOURS)], "marker": _MARKS[place % len(_MARKS)]}
        style |= {"linestyle": linestyle, "label": one.name}
        axes.errorbar(one.x, one.y, yerr=_reach(one), capsize=2, **style)
        for x, y, label in zip(one.x, one.y, one.labels or (), strict=bool(one.labels)):
            if isfinite(y):
                axes.annotate(label, (x, y), xytext=(4, 3), textcoords="offset points", fontsize=7)


def _reach(one: Series) -> Any:
    """Return how far the interval of each point reaches below and above it: [2, point]."""
    if one.intervals is None:
        return None
    bounds = np.array(one.intervals, dtype=np.float64).T
    values = np.array(one.y, dtype=np.float64)
    return np.nan_to_num(np.maximum([values - bounds[0], bounds[1] - values], 0.0))


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
        _svg_text(12, 24, title, size=15, more=' font-weight="bold"'),
    ]
    for place, name in enumerate(columns):
        middle = left + wide * place + wide / 2
        parts.append(_svg_text(middle, _TOP - 8, name, more=' text-anchor="middle"'))
    for name, top in zip(rows, tops, strict=True):
        parts.append(_svg_text(left - 8, top + 17, name, more=' text-anchor="end"'))
        for place, column in enumerate(columns):
            share = shares.get((name, column), float("nan"))
            parts += _cell(left + wide * place, top, wide, share)
    for line, note in enumerate(notes):
        parts.append(
            _svg_text(12, height - 12 - 17 * (len(notes) - 1 - line), note, fill="#59636e")
        )
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
        _svg_text(left + wide / 2 - 1, top + 17, number, fill=ink, more=middle),
    ]


def _svg_text(
    x: float, y: float, words: str, *, fill: str = "#1f2328", size: int = 12, more: str = ""
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{fill}" font-size="{size}"{more}>{escape(words)}</text>'
    )
