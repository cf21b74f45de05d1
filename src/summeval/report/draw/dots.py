"""Dots with intervals: a line for each name, a panel for each metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Any

from summeval.report.draw.canvas import COLOURS, LETTER, columns, shortened
from summeval.report.numbers import like, short

ROW, HEAD, FOOT = 26.0, 28.0, 24.0  # heights in pixels: of a line, above and below all lines
GAP, NUMBER = 28.0, 50.0  # widths: between panels, and of the number behind each line
LONGEST = 26.0  # of a name, in sizes of letters


@dataclass(frozen=True)
class Panel:
    """The values of one metric: [name], with bounds; `strong` ones are in colour.

    A `rule` is a line across all names at a value; `falling` marks that lower is better.
    """

    title: str
    values: Sequence[float]
    lower: Sequence[float]
    upper: Sequence[float]
    strong: Sequence[bool]
    rule: float | None = None


def height(names: int) -> float:
    """How high a picture of so many names is, in pixels."""
    return HEAD + ROW * names + FOOT


def dots(figure: Any, names: Sequence[str], panels: Sequence[Panel]) -> None:
    """Draw the panels side by side; the names stand at the left."""
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    most = min(LONGEST, width * 0.34 / LETTER)
    told = [shortened(name, most) for name in names]
    left = max((columns(name) for name in told), default=0.0) * LETTER + 14
    space = (width - left - GAP * (len(panels) - 1)) / len(panels)
    for place, panel in enumerate(panels):
        start = left + place * (space + GAP)
        frame = (start, FOOT, space - NUMBER, high - HEAD - FOOT)
        axes = figure.add_axes(
            (frame[0] / width, frame[1] / high, frame[2] / width, frame[3] / high)
        )
        _panel(axes, panel, len(names), (space - NUMBER) / LETTER)
        title = shortened(panel.title, space / LETTER)
        figure.text(start / width, (high - 13) / high, title, fontweight="bold", va="center")
        for row, value in enumerate(panel.values):
            y = (high - HEAD - ROW * (row + 0.5)) / high
            colour = COLOURS["mark" if panel.strong[row] else "ink"]
            at = (start + space - 4) / width
            figure.text(
                at, y, like(value, panel.values), ha="right", va="center_baseline", color=colour
            )
    for row, name in enumerate(told):
        y = (high - HEAD - ROW * (row + 0.5)) / high
        figure.text((left - 14) / width, y, name, ha="right", va="center_baseline")


def _panel(axes: Any, panel: Panel, rows: int, space: float) -> None:
    """One panel: thin rules, whiskers, dots; the first name on top."""
    known = [v for v in (*panel.values, *panel.lower, *panel.upper) if isfinite(v)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if panel.rule is not None and isfinite(panel.rule):
        low, high = min(low, panel.rule), max(high, panel.rule)
    room = (high - low) * 0.06 or abs(low) * 0.1 or 0.5
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(rows - 0.5, -0.5)
    for side in ("top", "left", "right", "bottom"):
        axes.spines[side].set_visible(False)
    for row in range(rows + 1):
        axes.axhline(row - 0.5, color=COLOURS["line"], linewidth=0.8, zorder=0)
    axes.set_yticks([])
    few_ticks(axes.xaxis, 3 if space > 9 else 2)
    axes.tick_params(axis="x", length=3, width=0.8, color=COLOURS["line"], pad=2)
    if panel.rule is not None and isfinite(panel.rule):
        axes.axvline(panel.rule, color=COLOURS["warm"], linewidth=1, dashes=(3, 2), zorder=1)
    for row, (value, lower, upper) in enumerate(
        zip(panel.values, panel.lower, panel.upper, strict=True)
    ):
        colour = COLOURS["mark" if panel.strong[row] else "other"]
        if not (isnan(lower) or isnan(upper)):
            line = {"color": colour, "linewidth": 2.6, "solid_capstyle": "round"}
            axes.plot([lower, upper], [row, row], alpha=0.45, zorder=2, **line)
        if not isnan(value):
            axes.plot([value], [row], "o", markersize=7, color=colour, zorder=3, clip_on=False)


def few_ticks(axis: Any, most: int) -> None:
    """Mark a few round numbers on an axis, written as on the rest of the page."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10], min_n_ticks=2))
    axis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
