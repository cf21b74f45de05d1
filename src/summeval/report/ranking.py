"""A ranking of systems as text, CSV, LaTeX, Markdown, HTML and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from summeval.io.rows import finite
from summeval.meta.ranking.result import MetricRanking, Ranking
from summeval.report.tables import csv_lines, table

LAYOUTS = ("table", "csv", "latex", "markdown", "html", "json")


def ranking_lines(
    made: Ranking, form: str, settings: Mapping[str, Any], notes: Sequence[str]
) -> list[str]:
    """The lines of a ranking in one of `LAYOUTS`, with the settings and notes where it has room."""
    if form == "csv":
        return csv_lines(made.to_rows())
    if form == "json":
        document = {
            **settings,
            "notes": list(notes),
            "results": made.to_rows(),
            "pairs": made.to_pairs(),
        }
        return json.dumps(finite(document), indent=1, ensure_ascii=False).splitlines()
    lines = []
    for metric in made.values():
        lines += [*_block(made, metric), ""]
    return [*lines, *(f"note: {note}" for note in notes)]


def _block(made: Ranking, one: MetricRanking) -> list[str]:
    rows = [row for row in made.to_rows() if row["metric"] == one.metric]
    head = ["system", "mean", "interval", "cluster", "difference", "p", "effect", "needed"]
    body = [
        [
            row["system"],
            _number(row["mean"]),
            f"[{_number(row['lower'])}, {_number(row['upper'])}]",
            str(row["cluster"]),
            _number(row["difference"]),
            _number(row["p corrected"]),
            _number(row["effect"], 2),
            "-" if row["needed"] is None else f"{row['needed']:,}",
        ]
        for row in rows
    ]
    falls = "" if one.higher_is_better else " (lower is better)"
    return [one.metric + falls, *table(head, body)]


def _number(value: float | None, digits: int = 4) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
