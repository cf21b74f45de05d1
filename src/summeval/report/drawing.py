"""Pictures of a report, drawn by matplotlib: SVG for a page, light and dark, and a file of its own.

Dots with intervals, a panel for each metric; and how the scores of one metric are spread, how they
follow length, or another one.
"""

from __future__ import annotations

import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite, isnan
from typing import Any
from xml.etree import ElementTree

import numpy as np

from summeval._lazy import need
from summeval.meta.overview import ByLength, Spread
from summeval.report.tables import like, short

# The colours of the light page; on a page each becomes the variable of this name in report.css.
COLOURS = {
    "ink": "#1a1f25",
    "quiet": "#57606b",
    "line": "#dfe3e7",
    "mark": "#0a5fb4",
    "other": "#7d8894",
    "band": "#cfe0f2",
    "warm": "#b4530a",
}
LETTER = 12.0  # size of letters, in pixels
_WIDE, _NARROW = 1.02, 0.61  # width of a letter, in sizes: of East Asian ones and of others
ROW, HEAD, FOOT = 26.0, 28.0, 24.0  # heights of dots: of a line, above and below all lines
GAP, NUMBER = 28.0, 50.0  # widths: between panels, and of the number behind each line
LONGEST = 26.0  # of a name, in sizes of letters
WIDTH = 340.0  # of each other picture, in pixels: it fits a phone
PLOT = 190.0  # height of a plot of two numbers
_RIDGE, _RIDGES_FOOT, _TOP = 32.0, 26.0, 8.0
_SQUARES = 28  # of a plot of many rows, on each side
_POINTS = 400  # rows that are drawn one by one
_XLINK = "{http://www.w3.org/1999/xlink}"
_SIZE = re.compile(r"font: ([\d.]+)px [^;]*")
_BOLD = re.compile(r"font: (?:bold|600|700) ([\d.]+)px [^;]*")
_FAMILY = re.compile(r"font-family: [^;]*;? ?")
_DIGITS = re.compile(r"(\d+\.\d)\d+")
_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # not in XML


@dataclass(frozen=True)
class Drawing:
    """A picture in two forms.

    Attributes
    ----------
    inline : str
        An <svg> element for a page whose styles give the colours.
    file : str
        The same as an SVG file with colours and a white ground.
    """

    inline: str
    file: str


def drawing(
    name: str, title: str, description: str, size: tuple[float, float], draw: Callable[[Any], None]
) -> Drawing:
    """Draw on a canvas; the same calls always give the same text.

    Parameters
    ----------
    name : str
        Name of the picture on its page: letters, digits and minus.
    title, description : str
        What screen readers say: what the picture is, and what it shows.
    size : tuple of float
        Width and height in pixels.
    draw : callable
        Draws on the figure of matplotlib that it is given.

    Raises
    ------
    ImportError
        The extra `report` is not installed.
    """
    matplotlib = need("matplotlib", "Drawing figures", "report")
    canvas = need("matplotlib.figure", "Drawing figures", "report")
    settings = {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",  # matplotlib brings it, so that widths are the same anywhere
        "font.size": LETTER,
        "text.color": COLOURS["ink"],
        "axes.edgecolor": COLOURS["line"],
        "xtick.color": COLOURS["quiet"],
        "ytick.color": COLOURS["quiet"],
        "text.parse_math": False,
    }
    data = io.StringIO()
    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        warnings.simplefilter("ignore")  # of letters that its own font lacks; a browser has others
        figure = canvas.Figure(figsize=(size[0] / 72, size[1] / 72))
        draw(figure)
        metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(data, format="svg", transparent=True, metadata=metadata)
    width, height = (f"{side:g}" for side in size)
    box = f'viewBox="0 0 {width} {height}"'
    named, described = escape(plain(title)), escape(plain(description))
    labelled_by = f'{name}-title" aria-describedby="{name}-desc'
    drawn = plain(data.getvalue())
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', drawn))
    parts = [p for child in ElementTree.fromstring(drawn) for p in _cleaned(child, name, used)]
    body = "".join(ElementTree.tostring(part, encoding="unicode") for part in parts)
    for part in parts:
        _theme(part)
    themed = "".join(ElementTree.tostring(part, encoding="unicode") for part in parts)
    inline = (
        f'<svg {box} width="{width}" height="{height}" role="img" aria-labelledby="{labelled_by}">'
        + f'<title id="{name}-title">{named}</title><desc id="{name}-desc">{described}</desc>'
        + f"{themed}</svg>"
    )
    file = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box}'
        f' width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif">'
        + f"<title>{named}</title><desc>{described}</desc>"
        + f'<rect width="{width}" height="{height}" fill="#ffffff"/>{body}</svg>\n'
    )
    return Drawing(inline, file)


def _cleaned(element: Any, name: str, used: Collection[str]) -> Iterator[Any]:
    """The element without groups, names and fonts that nothing needs; names begin with `name`."""
    tag = element.tag.rpartition("}")[2]
    if tag in ("style", "metadata"):
        return
    given = {key.replace(_XLINK, "xlink:"): value for key, value in element.attrib.items()}
    attributes = {key: _attribute(key, value, name, used) for key, value in given.items()}
    kept = {key: value for key, value in attributes.items() if value}
    children = [part for child in element for part in _cleaned(child, name, used)]
    if tag in ("g", "defs") and not kept and (tag == "g" or not children):
        yield from children
        return
    if tag == "path" and kept.get("style") == "fill: none":
        return  # the empty grounds of figure and axes
    made = ElementTree.Element(tag, kept)
    made.text = (element.text or "").strip() or None
    made.extend(children)
    yield made


def _attribute(key: str, value: str, name: str, used: Collection[str]) -> str:
    """Return what becomes of an attribute; nothing where it is not needed."""
    if key == "id":
        return f"{name}-{value}" if value in used else ""
    if key == "xlink:href":
        return f"#{name}-{value[1:]}"
    if value.startswith("rotate(-0 "):
        return ""
    if key == "style":
        value = _BOLD.sub(r"font-weight: 600; font-size: \1px", value)
        value = _FAMILY.sub("", _SIZE.sub(r"font-size: \1px", value))
    value = value.replace("url(#", f"url(#{name}-")
    return _DIGITS.sub(r"\1", " ".join(value.split()))


def _theme(element: Any) -> None:
    """Turn colours into variables of the page."""
    for part in element.iter():
        if style := part.get("style"):
            for name, colour in COLOURS.items():
                style = style.replace(colour, f"var(--{name})")
            part.set("style", style)


def plain(text: str) -> str:
    r"""Return a text without the characters that XML does not have.

    >>> plain("a\x00b")
    'ab'
    """
    return _BAD.sub("", text)


def columns(text: str) -> float:
    """Return how wide a text is, in sizes of its letters.

    >>> round(columns("abc"), 2), round(columns("日本"), 2)
    (1.83, 2.04)
    """
    letters = [letter for letter in text if not unicodedata.combining(letter)]
    widths = (unicodedata.east_asian_width(letter) for letter in letters)
    return sum(_WIDE if width in "WF" else _NARROW for width in widths)


def shortened(text: str, most: float) -> str:
    """A text in at most so many sizes of letters; its middle is left out, as ends tell apart.

    >>> shortened("a-system-with-a-long-name", 8.0)
    'a-syst…g-name'
    """
    text = plain(" ".join(text.split()))
    if columns(text) <= most:
        return text
    head = tail = 0  # letters kept of both ends
    while columns(f"{text[: head + 1]}…{text[len(text) - tail :]}") <= most:
        head += 1
        if columns(f"{text[:head]}…{text[len(text) - tail - 1 :]}") > most:
            break
        tail += 1
    return f"{text[:head]}…{text[len(text) - tail :]}"


@dataclass(frozen=True)
class Panel:
    """The values of one metric: [name], with bounds; `strong` ones are in colour.

    A `rule` is a line across all names at a value; `lower_is_better` marks that lower is better.
    """

    title: str
    values: Sequence[float]
    lower: Sequence[float]
    upper: Sequence[float]
    strong: Sequence[bool]
    rule: float | None = None


def height(names: int) -> float:
    """Return how high a picture of so many names is, in pixels."""
    return HEAD + ROW * names + FOOT


def dots(figure: Any, names: Sequence[str], panels: Sequence[Panel]) -> None:
    """Draw the panels side by side; the names stand at the left."""
    width, high = _size(figure)
    labels = [shortened(name, min(LONGEST, width * 0.34 / LETTER)) for name in names]
    left = max((columns(name) for name in labels), default=0.0) * LETTER + 14
    space = (width - left - GAP * (len(panels) - 1)) / len(panels)
    middles = [high - HEAD - ROW * (row + 0.5) for row in range(len(names))]
    for place, panel in enumerate(panels):
        start = left + place * (space + GAP)
        axes = _frame(figure, start, FOOT, space - NUMBER, high - HEAD - FOOT)
        _panel(axes, panel, len(names), (space - NUMBER) / LETTER)
        title = shortened(panel.title, space / LETTER)
        _text(figure, start, high - 13, title, fontweight="bold", va="center")
        for value, y, strong in zip(panel.values, middles, panel.strong, strict=True):
            colour = COLOURS["mark" if strong else "ink"]
            _right(figure, start + space - 4, y, like(value, panel.values), color=colour)
    for name, y in zip(labels, middles, strict=True):
        _right(figure, left - 14, y, name)


def _panel(axes: Any, panel: Panel, rows: int, space: float) -> None:
    """One panel: thin rules, whiskers, dots; the first name on top."""
    known = [v for v in (*panel.values, *panel.lower, *panel.upper) if isfinite(v)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    rule = panel.rule if panel.rule is not None and isfinite(panel.rule) else None
    if rule is not None:
        low, high = min(low, rule), max(high, rule)
    room = (high - low) * 0.06 or abs(low) * 0.1 or 0.5
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    for row in range(rows + 1):
        axes.axhline(row - 0.5, color=COLOURS["line"], linewidth=0.8, zorder=0)
    axes.set_yticks([])
    _few_ticks(axes.xaxis, 3 if space > 9 else 2)
    axes.tick_params(axis="x", length=3, width=0.8, color=COLOURS["line"], pad=2)
    if rule is not None:
        axes.axvline(rule, color=COLOURS["warm"], linewidth=1, dashes=(3, 2), zorder=1)
    bounds = zip(panel.values, panel.lower, panel.upper, panel.strong, strict=True)
    line = {"linewidth": 2.6, "solid_capstyle": "round", "alpha": 0.45, "zorder": 2}
    for row, (value, lower, upper, strong) in enumerate(bounds):
        colour = COLOURS["mark" if strong else "other"]
        if not (isnan(lower) or isnan(upper)):
            axes.plot([lower, upper], [row, row], color=colour, **line)
        if not isnan(value):
            axes.plot([value], [row], "o", markersize=7, color=colour, zorder=3, clip_on=False)


def ridges_height(systems: int) -> float:
    """Return how high a picture of so many distributions is."""
    return _TOP + _RIDGE * systems + _RIDGES_FOOT


def ridges(figure: Any, names: Sequence[str], spread: Spread, places: Sequence[int]) -> None:
    """A hill for each system over a common axis; a tick at its median."""
    width, high = _size(figure)
    labels = [shortened(name, 13.0) for name in names]
    left = max((columns(name) for name in labels), default=0.0) * LETTER + 10
    box = (left, _RIDGES_FOOT, width - left - 8, high - _RIDGES_FOOT - _TOP)
    axes = _axes(figure, *box)
    axes.set_ylim(len(names), 0)
    axes.set_xlim(spread.edges[0], spread.edges[-1])
    middles = (spread.edges[1:] + spread.edges[:-1]) / 2
    middles = np.concatenate([spread.edges[:1], middles, spread.edges[-1:]])  # from end to end
    for row, place in enumerate(places):
        counts = spread.counts[place]
        base = row + 1.0
        hill = base - np.pad(counts / max(1, counts.max()), 1, mode="edge") * 0.82
        axes.axhline(base, color=COLOURS["line"], linewidth=0.8, zorder=1)
        axes.fill_between(middles, base, hill, color=COLOURS["band"], linewidth=0, zorder=2)
        axes.plot(middles, hill, color=COLOURS["mark"], linewidth=1.2, zorder=3)
        median = spread.quantiles[place, 2]
        if np.isfinite(median):
            tick = {"color": COLOURS["ink"], "linewidth": 1.6, "zorder": 4}
            axes.plot([median] * 2, [base, base - 0.3], **tick)
        _right(figure, left - 8, high - _TOP - _RIDGE * (row + 0.72), labels[row])
    axes.set_yticks([])
    _few_ticks(axes.xaxis, 4)


def by_length(figure: Any, found: ByLength) -> None:
    """Mean scores of rows from short to long."""
    axes = _plot(figure)
    axes.plot(found.lengths, found.means, "-o", color=COLOURS["mark"], markersize=4, linewidth=1.6)
    axes.margins(0.06, 0.15)
    _finish(figure, axes, "words in the candidate")


def against(figure: Any, x: Any, y: Any, titles: tuple[str, str]) -> None:
    """Rows by two scores: as points, or as squares that are darker the more rows they hold."""
    axes = _plot(figure, top=22.0)
    if len(x) <= _POINTS:
        axes.plot(x, y, "o", color=COLOURS["mark"], markersize=3.5, alpha=0.55, markeredgewidth=0)
    else:
        counts, across, up = np.histogram2d(x, y, _SQUARES)
        # drawn as shapes of five shades, which are far smaller than a picture of points
        shades = np.ceil(np.sqrt(counts / counts.max()) * 5).astype(int)
        for shade in range(1, 6):
            corners = [
                [(across[i + x], up[j + y]) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
                for i, j in np.argwhere(shades == shade)
            ]
            _patch(axes, corners, shade / 5)
    axes.margins(0.04)
    _finish(figure, axes, *titles)


def named(figure: Any, points: Sequence[tuple[str, float, float]], titles: tuple[str, str]) -> None:
    """A point for each system, with its name if there are few."""
    axes = _plot(figure, top=22.0)
    known = [(n, x, y) for n, x, y in points if np.isfinite(x) and np.isfinite(y)]
    xs, ys = [x for _, x, _ in known], [y for _, _, y in known]
    mark = {"color": COLOURS["mark"], "markersize": 6, "alpha": 0.8, "markeredgewidth": 0}
    axes.plot(xs, ys, "o", **mark)
    for n, x, y in known if len(known) <= 8 else ():
        right = x > np.median(xs)
        side = {"xytext": (-6, 4), "ha": "right"} if right else {"xytext": (6, 4), "ha": "left"}
        style = {"textcoords": "offset points", "fontsize": 10.5, "color": COLOURS["quiet"]}
        axes.annotate(shortened(n, 10.0), (x, y), **side, **style)
    axes.margins(0.1, 0.14)
    _finish(figure, axes, *titles)


def _patch(axes: Any, corners: Sequence[Any], shade: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if corners:
        path = Path.make_compound_path(*(Path([*c, c[0]], closed=True) for c in corners))
        axes.add_patch(PathPatch(path, color=COLOURS["mark"], alpha=shade * 0.9, linewidth=0))


def _plot(figure: Any, top: float = _TOP) -> Any:
    """Axes with room for numbers at the left and a title below."""
    width, high = _size(figure)
    return _axes(figure, 46.0, 40.0, width - 46.0 - 10.0, high - 40.0 - top)


def _axes(figure: Any, left: float, bottom: float, wide: float, tall: float) -> Any:
    axes = _frame(figure, left, bottom, wide, tall)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=3, width=0.8, color=COLOURS["line"], pad=3)
    axes.grid(visible=True, axis="y", color=COLOURS["line"], linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def _finish(figure: Any, axes: Any, x: str, y: str = "") -> None:
    """Few ticks, the title of the x axis below, that of the y axis above."""
    _few_ticks(axes.xaxis, 4)
    _few_ticks(axes.yaxis, 4)
    width, high = _size(figure)
    _right(figure, width - 10, 9, shortened(x, 44.0), color=COLOURS["quiet"])
    if y:
        _text(figure, 4, high - 8, shortened(y, 26.0), color=COLOURS["quiet"], va="center")


def _few_ticks(axis: Any, most: int) -> None:
    """Mark a few round numbers on an axis, written as on the rest of the page."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10], min_n_ticks=2))
    axis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))


def _size(figure: Any) -> tuple[float, float]:
    """Width and height in pixels."""
    width, high = (float(side) * 72 for side in figure.get_size_inches())
    return width, high


def _frame(figure: Any, left: float, bottom: float, wide: float, tall: float) -> Any:
    """Axes at a place in pixels."""
    width, high = _size(figure)
    return figure.add_axes((left / width, bottom / high, wide / width, tall / high))


def _text(figure: Any, x: float, y: float, words: str, **style: Any) -> None:
    width, high = _size(figure)
    figure.text(x / width, y / high, words, **style)


def _right(figure: Any, x: float, y: float, words: str, **style: Any) -> None:
    _text(figure, x, y, words, ha="right", va="center_baseline", **style)
