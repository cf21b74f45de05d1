"""Draw what `support` tells apart: consistent summaries from others, and corrupted ones from whole.

    python ci/support_picture.py [--check]

The figures are those of docs/pictures/support.json, which
`python benchmarks/people/support.py DATA --json docs/pictures/support.json` writes. Writes
docs/pictures/support.svg. With --check nothing is written, and the exit status is 1 where the
picture is not up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from docs_picture import BLUE, DOCS, GREY, INK, PALE, RED, dot, line, text
from pictures import write_or_check

FIGURES = DOCS / "pictures" / "support.json"
PICTURE = DOCS / "pictures" / "support.svg"
FIELDS = {"explained": BLUE, "one_sentence": RED}
WIDTH, ROW, TOP, LEFT, LONG, APART = 860, 26, 84, 205, 215, 215
LOW, HIGH = 0.4, 1.0  # what the axes show


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the picture, or check it; returns the exit status."""
    return write_or_check(
        argv, __doc__, PICTURE, lambda: picture(json.loads(FIGURES.read_text("utf-8")))
    )


def picture(figures: dict[str, Any]) -> str:
    """The picture as SVG."""
    sets = {
        f"{name} ({cells['topics']})": {f: cells[f]["auc_within"] for f in FIELDS}
        for name, cells in figures["agreement"].items()
    }
    kinds = {
        f"{name} ({cells['pairs']:.0f})": {f: cells[f] for f in FIELDS}
        for name, cells in figures["corruptions"].items()
    }
    height = TOP + ROW * max(len(sets), len(kinds)) + 64
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif"'
        ' font-size="12" role="img">',
        "<title>What support tells apart</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(12, 24, "The copy model sees what shared words cannot", INK, 16, weight="bold"),
        *panel(LEFT, "Judged best, or not (AUC)", sets),
        *panel(LEFT + LONG + APART, "Corruptions of SummEval that are seen (share)", kinds),
    ]
    x = 12.0
    for field, colour in FIELDS.items():
        parts.append(dot(x + 5, height - 16, colour))
        parts.append(text(x + 14, height - 12, field, INK))
        x += 110
    note = "In brackets: topics, pairs. .5 is chance. Seen: below the summary without one word."
    return "\n".join([*parts, text(x, height - 12, note, GREY), "</svg>", ""])


def panel(left: float, title: str, rows: dict[str, dict[str, float]]) -> Iterator[str]:
    """The lines that draw a row of dots for each name."""
    yield text(left - 193, TOP - 28, title, INK, 13, weight="bold")
    bottom = TOP + ROW * len(rows) - 8
    for tick in range(round(LOW * 10), round(HIGH * 10) + 1, 1):
        x = left + LONG * across(tick / 10)
        yield line(x, TOP - 10, x, bottom, PALE)
        name = "1" if tick == 10 else f".{tick}"
        yield text(x, bottom + 16, name, GREY, anchor="middle")
    for number, (name, cells) in enumerate(rows.items()):
        y = TOP + ROW * number
        yield text(left - 12, y + 4, name, INK, anchor="end")
        xs = [left + LONG * across(value) for value in cells.values()]
        yield line(min(xs), y, max(xs), y, GREY)
        for x, colour in zip(xs, FIELDS.values(), strict=True):
            yield dot(x, y, colour)


def across(value: float) -> float:
    """The share of the axis that a value is at."""
    return (min(max(value, LOW), HIGH) - LOW) / (HIGH - LOW)


if __name__ == "__main__":
    sys.exit(main())
