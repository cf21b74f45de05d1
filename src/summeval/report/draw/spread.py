"""Pictures of one metric: how its scores are spread, how they follow length, or another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from summeval.meta.survey import ByLength, Spread
from summeval.report.draw.canvas import COLOURS, LETTER, columns, shortened
from summeval.report.draw.dots import few_ticks

WIDTH = 340.0  # of each picture, in pixels: it fits a phone
RIDGE, FOOT, TOP = 32.0, 26.0, 8.0
PLOT = 190.0  # height of a plot of two numbers
SQUARES = 28  # of a plot of many rows, on each side
POINTS = 400  # rows that are drawn one by one


def ridges_height(systems: int) -> float:
    """How high a picture of so many distributions is."""
    return TOP + RIDGE * systems + FOOT


def ridges(figure: Any, names: Sequence[str], spread: Spread, places: Sequence[int]) -> None:
    """A hill for each system over a common axis; a tick at its median."""
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    told = [shortened(name, 13.0) for name in names]
    left = max((columns(name) for name in told), default=0.0) * LETTER + 10
    axes = _axes(figure, left, FOOT, width - left - 8, high - FOOT - TOP)
    axes.set_ylim(len(names), 0)
    axes.set_xlim(spread.edges[0], spread.edges[-1])
    middles = (spread.edges[1:] + spread.edges[:-1]) / 2
    middles = np.concatenate([spread.edges[:1], middles, spread.edges[-1:]])  # from end to end
    for row, place in enumerate(places):
        counts = spread.counts[place]
        share = np.pad(counts / max(1, counts.max()), 1, mode="edge")
        base = row + 1.0
        axes.axhline(base, color=COLOURS["line"], linewidth=0.8, zorder=1)
        axes.fill_between(
            middles, base, base - share * 0.82, color=COLOURS["band"], linewidth=0, zorder=2
        )
        axes.plot(middles, base - share * 0.82, color=COLOURS["mark"], linewidth=1.2, zorder=3)
        median = spread.quantiles[place, 2]
        if np.isfinite(median):
            axes.plot(
                [median] * 2, [base, base - 0.3], color=COLOURS["ink"], linewidth=1.6, zorder=4
            )
        y = (high - TOP - RIDGE * (row + 0.72)) / high
        figure.text((left - 8) / width, y, told[row], ha="right", va="center_baseline")
    axes.set_yticks([])
    few_ticks(axes.xaxis, 4)


def by_length(figure: Any, found: ByLength) -> None:
    """Mean scores of rows from short to long."""
    axes = _plot(figure)
    axes.plot(found.lengths, found.means, "-o", color=COLOURS["mark"], markersize=4, linewidth=1.6)
    axes.margins(0.06, 0.15)
    few_ticks(axes.xaxis, 4)
    few_ticks(axes.yaxis, 4)
    _title_of_x(figure, "words in the candidate")


def against(figure: Any, x: Any, y: Any, titles: tuple[str, str]) -> None:
    """Rows by two scores: as points, or as squares that are darker the more rows they hold."""
    axes = _plot(figure, top=22.0)
    if len(x) <= POINTS:
        axes.plot(x, y, "o", color=COLOURS["mark"], markersize=3.5, alpha=0.55, markeredgewidth=0)
    else:
        counts, across, up = np.histogram2d(x, y, SQUARES)
        # drawn as shapes of five shades, which are far smaller than a picture of points
        shades = np.ceil(np.sqrt(counts / counts.max()) * 5).astype(int)
        for shade in range(1, 6):
            corners = [
                [
                    (across[i], up[j]),
                    (across[i + 1], up[j]),
                    (across[i + 1], up[j + 1]),
                    (across[i], up[j + 1]),
                ]
                for i, j in np.argwhere(shades == shade)
            ]
            _patch(axes, corners, shade / 5)
    axes.margins(0.04)
    few_ticks(axes.xaxis, 4)
    few_ticks(axes.yaxis, 4)
    _title_of_x(figure, titles[0])
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    told = shortened(titles[1], 26.0)
    figure.text(4 / width, (high - 8) / high, told, color=COLOURS["quiet"], va="center")


def named(figure: Any, points: Sequence[tuple[str, float, float]], titles: tuple[str, str]) -> None:
    """A point for each system, with its name if there are few."""
    axes = _plot(figure, top=22.0)
    known = [(n, x, y) for n, x, y in points if np.isfinite(x) and np.isfinite(y)]
    axes.plot(
        [x for _, x, _ in known], [y for _, _, y in known], "o",
        color=COLOURS["mark"], markersize=6, alpha=0.8, markeredgewidth=0,
    )  # fmt: skip
    for n, x, y in known if len(known) <= 8 else ():
        right = x > np.median([x for _, x, _ in known])
        axes.annotate(
            shortened(n, 10.0),
            (x, y),
            xytext=(-6 if right else 6, 4),
            ha="right" if right else "left",
            textcoords="offset points",
            fontsize=10.5,
            color=COLOURS["quiet"],
        )
    axes.margins(0.1, 0.14)
    few_ticks(axes.xaxis, 4)
    few_ticks(axes.yaxis, 4)
    _title_of_x(figure, titles[0])
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    figure.text(
        4 / width,
        (high - 8) / high,
        shortened(titles[1], 26.0),
        color=COLOURS["quiet"],
        va="center",
    )


def bars(figure: Any, edges: Any, counts: Any, title: str) -> None:
    """A histogram."""
    axes = _plot(figure)
    width = np.diff(edges) * 0.86
    axes.bar((edges[1:] + edges[:-1]) / 2, counts, width, color=COLOURS["mark"], linewidth=0)
    few_ticks(axes.xaxis, 5)
    few_ticks(axes.yaxis, 3)
    _title_of_x(figure, title)


def _patch(axes: Any, corners: Sequence[Any], shade: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if corners:
        path = Path.make_compound_path(*(Path([*c, c[0]], closed=True) for c in corners))
        axes.add_patch(PathPatch(path, color=COLOURS["mark"], alpha=shade * 0.9, linewidth=0))


def _plot(figure: Any, top: float = TOP) -> Any:
    """Axes with room for numbers at the left and a title below."""
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    return _axes(figure, 46.0, 40.0, width - 46.0 - 10.0, high - 40.0 - top)


def _axes(figure: Any, left: float, bottom: float, wide: float, tall: float) -> Any:
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    axes = figure.add_axes((left / width, bottom / high, wide / width, tall / high))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=3, width=0.8, color=COLOURS["line"], pad=3)
    axes.grid(visible=True, axis="y", color=COLOURS["line"], linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def _title_of_x(figure: Any, told: str) -> None:
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    figure.text(
        (width - 10) / width, 9 / high, shortened(told, 44.0), ha="right", va="center_baseline",
        color=COLOURS["quiet"],
    )  # fmt: skip
