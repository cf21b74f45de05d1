"""Draw the picture of the README: what a pair costs and how well the metric agrees with people.

    python ci/docs_picture.py [--check]

The figures are those of docs/speed.md and docs/study.md, so nothing is measured here. Writes
docs/pictures/agreement.svg. With --check nothing is written, and the exit status is 1 where the
picture is not up to date.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from docs_tables import DOCS, agreement_of, cost_of
from pictures import write_or_check

PICTURE = DOCS / "pictures" / "agreement.svg"
METRICS = (
    "rouge1 rouge2 rougeSU4 tesla-s tesla-m tesla-e be bewte npower bipartite paraeval"
    " simetrix support"
)
PARSED = ("be", "bewte")
PARSING, LENGTH = "parsing, a text", "length"
PANELS = (
    ("REALSumm", "Content units found by people", "25 systems, 1 reference, recall"),
    ("SummEval", "Relevance, judged by experts", "16 systems, 11 references, F"),
)

WIDTH, HEIGHT = 860, 420  # of the picture; a panel has these margins
LEFT, TOP, INNER, DEEP, APART = 56, 70, 340, 270, 60
COSTS, RHO = (1.0, 100_000.0), (0.1, 0.55)  # what the axes show
INK, GREY, PALE, BLUE, RED = "#1f2328", "#59636e", "#d1d9e0", "#0969da", "#cf222e"
LETTER, HIGH = 6.3, 12  # of a label, in pixels


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Whether the two share a point."""
        aside = self.right <= other.left or other.right <= self.left
        return not (aside or self.bottom <= other.top or other.bottom <= self.top)


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the picture, or check it; returns the exit status."""
    return write_or_check(argv, __doc__, PICTURE, picture)


def picture() -> str:
    """The picture as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Helvetica, Arial, sans-serif" font-size="12"'
        ' role="img">',
        "<title>Agreement with people and cost of a pair</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(
            LEFT,
            24,
            "Agreement with people does not rise with the cost of a metric",
            INK,
            16,
            weight="bold",
        ),
    ]
    for number, (data, title, about) in enumerate(PANELS):
        parts += panel(LEFT + number * (INNER + APART), data, title, about)
    note = "Spearman's ρ, mean over 60 topics (dev). Hollow: parsing a text is part of the cost."
    parts.append(text(LEFT, HEIGHT - 12, note, GREY))
    return "\n".join([*parts, "</svg>", ""])


def panel(left: float, data: str, title: str, about: str) -> Iterator[str]:
    """The lines that draw the metrics on one data set."""
    yield text(left, TOP - 22, title, INK, 13, weight="bold")
    yield text(left, TOP - 7, f"{data}: {about}", GREY)
    yield from axes(left)
    agreement = agreement_of(data)
    baseline = height(rho_of(agreement[LENGTH]))
    yield line(left, baseline, left + INNER, baseline, RED, dash="5 4")
    yield text(left + 4, baseline + 14, "number of words", RED)
    points = {name: place(left, name, agreement[name]) for name in METRICS.split()}
    taken = [around(x, y) for x, y in points.values()]
    taken.append(Box(left, baseline - 1, left + 104, baseline + 18))
    for name, (x, y) in points.items():
        fill = "#ffffff" if name in PARSED else BLUE
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}"'
            f' stroke="{BLUE}" stroke-width="2"/>'
        )
    for name, (x, y) in sorted(points.items(), key=lambda item: item[1][1]):
        box = free(name, x, y, taken, left)
        taken.append(box)
        yield from pointer(box, x, y)
        yield text(box.left, box.bottom - 2, name, INK)


def pointer(box: Box, x: float, y: float) -> Iterator[str]:
    """A line from a point to its label, where these are apart."""
    to_x, to_y = min(max(x, box.left), box.right), min(max(y, box.top + 2), box.bottom - 2)
    if math.dist((x, y), (to_x, to_y)) > 12:
        yield line(x, y, to_x, to_y, GREY)


def axes(left: float) -> Iterator[str]:
    """The lines that draw the axes of a panel."""
    for tick in range(math.ceil(RHO[0] * 10), math.floor(RHO[1] * 10) + 1):
        y = height(tick / 10)
        yield line(left, y, left + INNER, y, PALE)
        yield text(left - 8, y + 4, f".{tick}", GREY, anchor="end")
    for power, name in enumerate(["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms"]):
        x = left + INNER * across(10.0**power)
        yield line(x, TOP + DEEP, x, TOP + DEEP + 4, GREY)
        yield text(x, TOP + DEEP + 18, name, GREY, anchor="middle")
    yield text(left + INNER, TOP + DEEP + 36, "cost of a pair", GREY, anchor="end")


def place(left: float, name: str, agreement: Sequence[str]) -> tuple[float, float]:
    """Where a metric stands in its panel."""
    costs = cost_of()
    cost = sum(
        float(costs[part].replace(",", "")) for part in (name, *[PARSING] * (name in PARSED))
    )
    return left + INNER * across(cost), height(rho_of(agreement))


def rho_of(cells: Sequence[str]) -> float:
    """The number of a cell such as `.50* [.37, .61]`."""
    return float(cells[1].split(" ")[0].rstrip("*"))


def across(cost: float) -> float:
    """The share of the axis of costs that a cost is at."""
    return math.log(cost / COSTS[0]) / math.log(COSTS[1] / COSTS[0])


def height(rho: float) -> float:
    """The y of a correlation."""
    return TOP + DEEP * (RHO[1] - rho) / (RHO[1] - RHO[0])


def around(x: float, y: float) -> Box:
    """What a point takes up."""
    return Box(x - 6, y - 6, x + 6, y + 6)


def free(name: str, x: float, y: float, taken: Sequence[Box], left: float) -> Box:
    """Where the label of a point goes: near it, over nothing that is there."""
    wide = LETTER * len(name)
    far = [(dx, dy) for reach in (0, 6, 12, 20, 30, 40, 52) for dx, dy in ring(reach, wide)]
    boxes = [Box(x + dx, y + dy, x + dx + wide, y + dy + HIGH) for dx, dy in far]
    inside = [box for box in boxes if left <= box.left and box.right <= left + INNER + 12]
    return next((box for box in inside if not any(map(box.meets, taken))), inside[0])


def ring(reach: float, wide: float) -> list[tuple[float, float]]:
    """Places of the upper left corner of a label around a point, so far from it."""
    side, middle = 8 + reach / 2, -HIGH / 2
    above, below = -HIGH - 6 - reach, 6 + reach
    return [
        (side, middle),
        (-wide - side, middle),
        (-wide / 2, above),
        (-wide / 2, below),
        (side, middle - reach),
        (side, middle + reach),
        (-wide - side, middle - reach),
        (-wide - side, middle + reach),
    ]


def text(
    x: float, y: float, words: str, fill: str, size: int = 12, *, anchor: str = "", weight: str = ""
) -> str:
    """A line of text."""
    more = f' text-anchor="{anchor}"' * bool(anchor) + f' font-weight="{weight}"' * bool(weight)
    start = f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-size="{size}"{more}>'
    return f"{start}{escape(words)}</text>"


def line(x: float, y: float, to_x: float, to_y: float, stroke: str, *, dash: str = "") -> str:
    """A line."""
    more = f' stroke-dasharray="{dash}"' * bool(dash)
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{stroke}"{more}/>'
    )


def dot(x: float, y: float, colour: str) -> str:
    """A filled circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'


if __name__ == "__main__":
    sys.exit(main())
