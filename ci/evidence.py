"""Write what `summeval recommend` knows: the costs and the agreement that the documentation states.

    python ci/evidence.py [--check]

The figures come from docs/speed.md ("What a pair costs") and docs/study.md, and go to
src/summeval/meta/data/evidence.json. With --check nothing is written, and the exit status
is 1 where the file is not up to date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from docs_tables import DOCS, KEPT, NONE, ROOT, SETS, cost_of, heads_of, part, rows_of

FILE = ROOT / "src" / "summeval" / "meta" / "data" / "evidence.json"
CELL = re.compile(r"(-?\.\d+)(\*?)(?: \[(-?\.\d+), (-?\.\d+)\])?(?: \((.*)\))?")
EIGHT = "Eight sets"
PARSING = "parsing, a text"


def main(argv: Sequence[str] | None = None) -> int:
    """Write the file, or check it; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args(argv).check
    text = json.dumps(evidence(), indent=1, ensure_ascii=False) + "\n"
    old = not FILE.exists() or FILE.read_text("utf-8") != text
    if old:
        print(f"{'not up to date' if check else 'written'}: {FILE.relative_to(ROOT)}")
        if not check:
            FILE.write_text(text, "utf-8")
    return int(check and old)


def evidence() -> dict[str, Any]:
    """Costs in microseconds a pair, and Spearman's ρ with people, by metric and judgement."""
    costs = {name: float(cost.replace(",", "")) for name, cost in cost_of().items()}
    return {
        "costs_from": "docs/speed.md",
        "agreement_from": "docs/study.md",
        "parsing": costs.pop(PARSING),
        "costs": costs,
        "agreement": [row for data in SETS for row in agreement(data)]
        + [row for heading in (EIGHT, KEPT) for row in of_sets(heading)],
    }


def agreement(data: str) -> list[dict[str, Any]]:
    """The rows of the table of a data set, with a dict for each cell."""
    section = part(DOCS / "study.md", f"## {data}")
    found = []
    for name, *cells in rows_of(section):
        for head, cell in zip(heads_of(section), cells, strict=True):
            judgement, _, level = head.rpartition(", ")
            found.append(one(name, data, judgement, level.removesuffix(" level"), "dev", cell))
    return found


def of_sets(heading: str) -> list[dict[str, Any]]:
    """The rows of a table with a data set in each column; those that have a table come from it."""
    section = part(DOCS / "study.md", f"## {heading}")
    split = "unseen" if heading == KEPT else "dev"
    found = []
    for name, *cells in rows_of(section):
        for head, cell in zip(heads_of(section), cells, strict=True):
            data, _, judgement = head.partition(", ")
            known = split == "dev" and data in SETS
            if judgement and cell != NONE and not known and name != "number of topics":
                found.append(one(name, data, judgement, "summary", split, cell))
    return found


def one(  # noqa: PLR0917 - what a cell is of
    name: str, data: str, judgement: str, level: str, split: str, cell: str
) -> dict[str, Any]:
    """A cell of a table."""
    read = CELL.fullmatch(cell)
    assert read is not None, f"{name}: {cell!r} is no figure"
    column = name.strip("*−")
    return {
        "metric": column.rpartition(".")[0] or column,
        "column": column,
        "data": data,
        "judgement": judgement,
        "level": level,
        "split": split,
        "rho": float(read[1]),
        "interval": [float(read[3]), float(read[4])] if read[3] else None,
        "above_length": bool(read[2]),
        "note": read[5] or "",
    }


if __name__ == "__main__":
    sys.exit(main())
