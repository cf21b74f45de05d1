"""Draw the heat map of docs/gaming.md: how often honest summaries win, by attack and metric.

    python ci/gaming_picture.py [--check]

The shares are those of docs/pictures/gaming.json, which benchmarks/people/gaming.py wrote, so
nothing is measured here. Writes docs/pictures/gaming.svg. With --check nothing is written, and the
exit status is 1 where the picture is not up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pictures import write_or_check

from summeval.report.figures import heat_map

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SHARES, PICTURE = PICTURES / "gaming.json", PICTURES / "gaming.svg"
# Means, and texts that may be as good as the summary.
APART = ("all but lead", "all further", "lead", "middle", "end", "reversed-sentences")
TITLE = "Share of pairs that the honest summary wins against its degenerate twin"


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the picture, or check it; returns the exit status."""
    return write_or_check(argv, __doc__, PICTURE, picture)


def picture() -> str:
    """The picture as SVG."""
    report = json.loads(SHARES.read_text("utf-8"))
    rows = report["shares"]
    shares = {(row["attack"], row["scorer"]): row["share"] for row in rows}
    attacks = list(dict.fromkeys(row["attack"] for row in rows))
    sees = {row["scorer"]: row["sees"].replace("+", " and ") for row in rows}
    sets = sum(name not in report["beside"] for name in report["counts"])
    told: dict[str, list[str]] = {}
    for name, what in sees.items():
        told.setdefault(what, []).append(name)
    notes = [
        f"{report['part'].capitalize()} topics, mean of {sets} data sets. Copying sentences of the"
        " source is judged apart.",
        "Compared with the "
        + "; the ".join(f"{what}: {', '.join(some)}" for what, some in told.items())
        + ".",
    ]
    order = [attack for attack in attacks if attack not in APART]
    return heat_map(TITLE, [*order, *APART], [*sees], shares, notes, apart=APART)


if __name__ == "__main__":
    sys.exit(main())
