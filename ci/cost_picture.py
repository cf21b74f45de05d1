"""Draw what a pair costs, by metric and length of the texts.

    python ci/cost_picture.py [--check]

The figures are those of docs/pictures/cost.json, which
`python benchmarks/scaling.py --costs --json docs/pictures/cost.json` writes. Writes
docs/pictures/cost.svg. With --check nothing is written, and the exit status is 1 where the picture
is not up to date.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import Any

from docs_picture import DOCS, GREY, INK, PALE, dot, line, text
from pictures import write_or_check

FIGURES, PICTURE = DOCS / "pictures" / "cost.json", DOCS / "pictures" / "cost.svg"
SHADES = {"15": "#c6dbef", "60": "#6baed6", "240": "#2171b5", "960": "#08306b"}  # of words
WIDTH, ROW, TOP, LEFT, LONG = 860, 19, 84, 125, 480


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the picture, or check it; returns the exit status."""
    return write_or_check(
        argv, __doc__, PICTURE, lambda: picture(json.loads(FIGURES.read_text("utf-8")))
    )


def picture(figures: dict[str, dict[str, Any]]) -> str:
    """The picture as SVG: a row for each metric, the cheapest first."""
    costs = {name: {n: found["µs"][n] for n in SHADES} for name, found in figures.items()}
    names = sorted(costs, key=lambda name: costs[name]["60"])
    every = [cost for points in costs.values() for cost in points.values()]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))

    def place(cost: float) -> float:
        return LEFT + LONG * (math.log10(cost) - low) / (high - low)

    bottom = TOP + ROW * len(names)
    height = bottom + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif"'
        ' font-size="12" role="img">',
        "<title>What a pair costs, by metric and length of the texts</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(12, 24, "Microseconds a pair, by words of each text", INK, 16, weight="bold"),
        text(LEFT + LONG + 20, TOP - 12, "grows", GREY),
        text(WIDTH - 12, TOP - 12, "longest texts tried", GREY, anchor="end"),
    ]
    x = float(LEFT)
    for words, colour in SHADES.items():
        parts.append(dot(x + 5, 42, colour))
        parts.append(text(x + 14, 46, f"{words} words", INK))
        x += 95
    for power in range(low, high + 1):
        at = place(10.0**power)
        parts.append(line(at, TOP - 6, at, bottom, PALE))
        parts.append(text(at, TOP - 12, f"{10.0**power:,g}", GREY, anchor="middle"))
    for number, name in enumerate(names):
        y = TOP + ROW * number + ROW / 2
        points = costs[name]
        parts.append(text(LEFT - 12, y + 4, name, INK, anchor="end"))
        parts.append(line(place(min(points.values())), y, place(max(points.values())), y, GREY))
        parts += [dot(place(points[n]), y, colour) for n, colour in SHADES.items()]
        parts.append(text(LEFT + LONG + 20, y + 4, f"n^{figures[name]['grows']:.1f}", INK))
        parts.append(text(WIDTH - 12, y + 4, longest(figures[name]["µs"]), INK, anchor="end"))
    return "\n".join([*parts, "</svg>", ""])


def longest(costs: dict[str, float]) -> str:
    """The longest texts, and the time of a pair of them.

    >>> longest({"960": 20.0, "3840": 250.0})
    '3,840 words, 0.25 ms'
    """
    words = max(costs, key=int)
    ms = costs[words] / 1e3
    told = f"{ms / 1e3:.2g} s" if ms >= 1e3 else f"{ms:.2g} ms" if ms < 100 else f"{ms:.0f} ms"
    return f"{int(words):,} words, {told}"


if __name__ == "__main__":
    sys.exit(main())
