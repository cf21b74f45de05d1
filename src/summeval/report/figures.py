"""The figures of studies as SVG, drawn by matplotlib."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np

from summeval._extras import need
from summeval.study.result import Series, StudyFigure

_WIDTH, _HEIGHT = 6.4, 4.0  # inches
_LETTERS = 60  # of a title on one line
_PER_BAR = 0.3  # inches of height for each bar beyond the first few
_FEW_BARS = 8
# Colours that people tell apart without red and green (Okabe and Ito 2008), and marks beside them.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_MARKS = "osD^vPX"


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
        _DRAW[figure.kind](axes, figure.series)
        # centred on the page: beside long names the axes are narrow
        page.suptitle(_wrapped(figure.title), fontsize="large")
        _whole_ticks(axes, figure)
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
    r"""A title in lines that fit the page.

    >>> _wrapped("Share of inputs with a significant correlation with scores.litepyramid_recall")
    'Share of inputs with a significant correlation with\nscores.litepyramid_recall'
    """
    return "\n".join(textwrap.wrap(title, _LETTERS))


def _whole_ticks(axes: Any, figure: StudyFigure) -> None:
    """Mark only whole numbers on the x axis if it counts: each x is a whole number."""
    x = [value for series in figure.series for value in series.x]
    if all(isinstance(value, (int, float)) and float(value).is_integer() for value in x):
        axes.xaxis.get_major_locator().set_params(integer=True)


def _bars(axes: Any, series: Sequence[Series]) -> None:
    """Horizontal bars, the first one on top; the series side by side."""
    thickness = 0.8 / len(series)
    names = list(series[0].x)
    for place, one in enumerate(series):
        y = np.arange(len(names)) + (place - (len(series) - 1) / 2) * thickness
        axes.barh(
            y,
            one.y,
            thickness,
            label=one.name,
            color=_COLOURS[place % len(_COLOURS)],
            xerr=_reach(one),
            capsize=2,
        )
    axes.set_yticks(np.arange(len(names)), names)
    axes.invert_yaxis()


def _lines(axes: Any, series: Sequence[Series]) -> None:
    for place, one in enumerate(series):
        style = {"color": _COLOURS[place % len(_COLOURS)], "marker": _MARKS[place % len(_MARKS)]}
        axes.errorbar(one.x, one.y, yerr=_reach(one), label=one.name, capsize=2, **style)
        _name_points(axes, one)


def _points(axes: Any, series: Sequence[Series]) -> None:
    for place, one in enumerate(series):
        style = {"color": _COLOURS[place % len(_COLOURS)], "marker": _MARKS[place % len(_MARKS)]}
        axes.errorbar(
            one.x, one.y, yerr=_reach(one), label=one.name, linestyle="none", capsize=2, **style
        )
        _name_points(axes, one)


def _name_points(axes: Any, one: Series) -> None:
    for x, y, label in zip(one.x, one.y, one.labels or (), strict=bool(one.labels)):
        if isfinite(y):
            axes.annotate(label, (x, y), xytext=(4, 3), textcoords="offset points", fontsize=7)


def _reach(one: Series) -> Any:
    """How far the interval of each point reaches below and above it: [2, point]."""
    if one.intervals is None:
        return None
    bounds = np.array(one.intervals, dtype=np.float64).T
    values = np.array(one.y, dtype=np.float64)
    return np.nan_to_num(np.maximum([values - bounds[0], bounds[1] - values], 0.0))


_DRAW = {"bars": _bars, "lines": _lines, "points": _points}
