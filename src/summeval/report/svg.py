"""Small SVG figures for HTML pages: they use classes, and the page supplies the styles.

Every figure has a title, which screen readers read and browsers show on hover.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, isnan, log10

WIDTH, HEIGHT = 240, 170  # of a plot, in units of about one pixel
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 8, 26  # margins around the plot
BAR_WIDTH, BAR_HEIGHT = 180, 18  # of an interval


def number(value: float, digits: int = 3) -> str:
    """Format a number for people: with a true minus sign, and a dash for NaN.

    >>> number(-0.25), number(float("nan"))
    ('−0.250', '–')
    """
    if isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def scatter(title: str, points: Sequence[tuple[str, float, float]]) -> str:
    """A scatter plot of named points; points without x or y are left out."""
    known = [point for point in points if not (isnan(point[1]) or isnan(point[2]))]
    x_low, x_high = _span([x for _, x, _ in known])
    y_low, y_high = _span([y for _, _, y in known])
    parts = [_frame((x_low, x_high), (y_low, y_high))]
    for name, x, y in known:
        left = _scale(x, x_low, x_high, LEFT, WIDTH - RIGHT)
        top = _scale(y, y_low, y_high, HEIGHT - BOTTOM, TOP)
        told = f"{name}: {short(x)}, {short(y)}"
        parts.append(
            f'<circle cx="{left:.1f}" cy="{top:.1f}" r="3.2"><title>{escape(told)}</title></circle>'
        )
    return _svg(title, WIDTH, HEIGHT, parts)


def histogram(title: str, values: Sequence[float], bins: int = 20) -> str:
    """A histogram of scores with ranges of equal width."""
    known = [value for value in values if not isnan(value)]
    low, high = min(known), max(known)
    counts = [0] * bins
    for value in known:
        place = int((value - low) / (high - low) * bins) if high > low else bins // 2
        counts[min(place, bins - 1)] += 1
    most = max(counts)
    parts = [_frame((low, high), (0, most))]
    width = (WIDTH - RIGHT - LEFT) / bins
    for place, count in enumerate(counts):
        if count:
            top = _scale(count, 0, most, HEIGHT - BOTTOM, TOP)
            bounds = [short(low + (high - low) * (place + step) / bins) for step in (0, 1)]
            parts.append(
                f'<rect x="{LEFT + place * width + 0.5:.1f}" y="{top:.1f}" width="{width - 1:.1f}"'
                f' height="{HEIGHT - BOTTOM - top:.1f}">'
                f"<title>{bounds[0]} to {bounds[1]}: {count}</title></rect>"
            )
    return _svg(title, WIDTH, HEIGHT, parts)


def interval(
    title: str, value: float, lower: float, upper: float, span: tuple[float, float]
) -> str:
    """A value and its bounds on an axis from `span[0]` to `span[1]`, with a mark at 0."""

    def place(number: float) -> float:
        return _scale(min(max(number, span[0]), span[1]), *span, 4, BAR_WIDTH - 4)

    middle = BAR_HEIGHT / 2
    parts = [f'<path class="zero" d="M{place(0.0):.1f} 0V{BAR_HEIGHT}"/>']
    if not isnan(lower):
        parts.append(f'<path class="reach" d="M{place(lower):.1f} {middle}H{place(upper):.1f}"/>')
    if not isnan(value):
        parts.append(f'<circle cx="{place(value):.1f}" cy="{middle}" r="3.5"/>')
    return _svg(title, BAR_WIDTH, BAR_HEIGHT, parts)


def short(value: float) -> str:
    """Format with three significant digits; a dash for NaN.

    >>> short(0.12345), short(1234.5), short(-2.0)
    ('0.123', '1234', '−2')
    """
    if isnan(value):
        return "–"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        digits = 2 if value == 0 else max(0, 2 - floor(log10(abs(value))))
        text = f"{value:.{digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = f"{value:.2g}"
    return text.replace("-", "−")


def rounded_span(values: Sequence[float], step: float = 0.2) -> tuple[float, float]:
    """The multiples of a step that enclose the values and 0.

    >>> rounded_span([0.13, 0.55])
    (0.0, 0.6)
    """
    known = [value for value in values if not isnan(value)] + [0.0]
    low, high = floor(min(known) / step) * step, ceil(max(known) / step) * step
    return round(low, 6), round(max(high, low + step), 6)


def _frame(x: tuple[float, float], y: tuple[float, float]) -> str:
    """The axes, labelled at their ends."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    return (
        f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right}"/>'
        f'<text x="{LEFT}" y="{bottom + 16}">{short(x[0])}</text>'
        f'<text x="{right}" y="{bottom + 16}" text-anchor="end">{short(x[1])}</text>'
        f'<text x="{LEFT - 6}" y="{bottom}" text-anchor="end">{short(y[0])}</text>'
        f'<text x="{LEFT - 6}" y="{TOP + 8}" text-anchor="end">{short(y[1])}</text>'
    )


def _svg(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    told = escape(title)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
        f' aria-label="{told}"><title>{told}</title>{"".join(parts)}</svg>'
    )


def _span(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis, slightly beyond the values."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = (high - low) * 0.06 or abs(low) * 0.06 or 0.5
    return low - room, high + room


def _scale(value: float, low: float, high: float, start: float, end: float) -> float:
    return start + (end - start) * (value - low) / (high - low) if high > low else (start + end) / 2
