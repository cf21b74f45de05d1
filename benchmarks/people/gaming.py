"""How easily metrics and rewards are gamed, over data sets with human judgements.

    python benchmarks/people/gaming.py FOLDER [--part dev|held-out|all] [-m NAMES]
        [--presets NAMES] [--sets NAMES] [--limit TOPICS] [--json OUT] [--unrated]

FOLDER holds the sets as JSON Lines (.jsonl.gz): "topic_id", "system_id", "summary", "references",
"source" or "source_docs", "scores". As `summeval bench gaming`, over several sets: a share is the
mean over the sets, each of the same weight, and its interval comes from topics drawn anew within
each set. Where people judged quality from 1 to 5, only summaries with a mean of 3 or more are
honest, for a reader ranks no broken text above a broken twin; --unrated keeps all.

The held-out topics are those whose CRC-32 of "SET/TOPIC" is a multiple of 3; the presets were
tuned on the others. A third table has the share won against the lead on each set, and how many
summaries people rank above that lead, where a system of the set copies it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from summeval.cli.bench.gaming import DEFAULT, scorers_of
from summeval.interop.shaping.presets import PRESETS
from summeval.io.rows import finite
from summeval.report.tables import text_lines
from summeval.study.attacks import APART
from summeval.study.further_attacks import PLACES
from summeval.study.gaming import (
    GROUPS,
    MEAN,
    MEAN_FURTHER,
    Honest,
    Scorer,
    Tally,
    honest_summaries,
    pooled,
    tally,
)

# The five-point judgements of each set; a set without them has none.
RATED = {
    "summeval": ("coherence", "consistency", "fluency", "relevance"),
    "realsumm": (),
    "pyrxsum": (),
    "dialsummeval": ("coherence", "consistency", "fluency", "relevance"),
    "opinsummeval": ("asp_rel", "self_coh", "sent_con", "readability"),
    "summeval_op": (
        "fluency",
        "coherence",
        "relevance",
        "faithfulness",
        "aspect_coverage",
        "sentiment_consistency",
        "specificity",
    ),
    "squality": (),
    "fewsum_yelp": (),
    "news_writers_pairwise": (),
    "newsroom": ("coherence", "fluency", "informativeness", "relevance"),
}
# Most references of Newsroom share no word with the source, and most of its systems' texts are cut.
BESIDE = ("newsroom",)
# A system that copies the first sentences of the source, and what people judge it by.
LEADS = {
    "summeval": ("M0", ("relevance", "coherence")),
    "dialsummeval": ("LEAD_3", ("relevance", "coherence")),
    "newsroom": ("lede3", ("informativeness", "relevance")),
}
LEAST, HELD_OUT, RESAMPLES = 3.0, 3, 1000


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit status."""
    arguments = _arguments(argv)
    scorers, signatures = scorers_of(arguments.metrics, arguments.presets)
    found: dict[str, dict[tuple[str, str], Tally]] = {}
    counts, leads = {}, []
    for name in arguments.sets:
        rows = list(read(arguments.folder, name, arguments.part, arguments.limit))
        leads += lead_row(name, rows)
        some = summaries(name, rows, rated=not arguments.unrated)
        counts[name] = {"summaries": len(some), "topics": len({one.topic for one in some})}
        found[name] = tally(some, scorers)
        print(f"{name}: {counts[name]}", file=sys.stderr)
    tables = {
        "shares": shares(found, scorers),
        "sets": [row for name in found for row in of_set(name, found[name], scorers)],
        "leads": leads,
    }
    whole = [
        row for row in tables["sets"] if row["attack"] in (MEAN, MEAN_FURTHER, *APART, *PLACES)
    ]
    put("Mean over the sets", wide(tables["shares"], scorers))
    put("Each set", wide(whole, scorers))
    put("Other systems beside one that copies the lead", leads)
    if arguments.json:
        made = {"part": arguments.part, "counts": counts, "beside": BESIDE}
        report = {**made, "signatures": signatures, **tables}
        arguments.json.write_text(by_lines(finite(report)) + "\n", encoding="utf-8")
    return 0


def by_lines(report: dict[str, Any]) -> str:
    """Return a report as JSON with a row of a table on each line.

    >>> print(by_lines({"part": "dev", "shares": [{"share": 0.5}, {"share": None}]}))
    {
    "part": "dev",
    "shares": [
    {"share": 0.5},
    {"share": null}
    ]
    }
    """

    def text(value: Any) -> str:
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "[\n" + ",\n".join(map(text, value)) + "\n]"
        return json.dumps(value, ensure_ascii=False)

    members = (f"{text(name)}: {text(value)}" for name, value in report.items())
    return "{\n" + ",\n".join(members) + "\n}"


def put(title: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print a table."""
    if rows:
        print(title, "", *text_lines(rows), "", sep="\n")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    def names(text: str) -> list[str]:
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=("dev", "held-out", "all"), default="dev")
    parser.add_argument("-m", "--metrics", type=names, default=list(DEFAULT))
    parser.add_argument("--presets", type=names, default=list(PRESETS))
    parser.add_argument("--sets", type=names, default=list(RATED))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--unrated", action="store_true")
    return parser.parse_args(argv)


def read(folder: Path, name: str, part: str, limit: int | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a part of a set, of its first `limit` topics."""
    topics: dict[str, None] = {}
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            topic = str(row["topic_id"])
            held_out = zlib.crc32(f"{name}/{topic}".encode()) % HELD_OUT == 0
            if part != "all" and held_out != (part == "held-out"):
                continue
            if topic not in topics and limit is not None and len(topics) >= limit:
                continue
            topics[topic] = None
            yield row


def summaries(name: str, rows: Sequence[dict[str, Any]], *, rated: bool) -> list[Honest]:
    """The honest summaries of a set."""
    kept = [row for row in rows if not rated or is_honest(row, RATED[name])]
    return honest_summaries(
        (
            str(row["topic_id"]),
            str(row["system_id"]),
            row["summary"],
            [str(text) for text in row["references"] or []],
            [str(text) for text in row.get("source_docs") or [row["source"]] if text],
        )
        for row in kept
    )


def is_honest(row: dict[str, Any], dimensions: Sequence[str]) -> bool:
    """Whether people judged a summary well; without judgements, and of people, it is honest."""
    found = [row["scores"][name] for name in dimensions if row["scores"].get(name) is not None]
    return bool(row.get("is_human")) or not found or fmean(found) >= LEAST


def shares(
    found: dict[str, dict[tuple[str, str], Tally]], scorers: Sequence[Scorer]
) -> list[dict[str, Any]]:
    """The mean share over the sets, for each scorer and attack."""
    rows = []
    for scorer in scorers:
        for attack in GROUPS:
            tallies = [
                of(one, scorer.name, attack) for name, one in found.items() if name not in BESIDE
            ]
            tallies = [one for one in tallies if one.total]
            if tallies:
                rows.append(
                    {
                        "scorer": scorer.name,
                        "sees": "+".join(scorer.sees),
                        "attack": attack,
                        "sets": len(tallies),
                        "pairs": sum(one.total for one in tallies),
                        "share": fmean(one.share for one in tallies),
                        "interval": interval_over(tallies),
                    }
                )
    return rows


def of(one: dict[tuple[str, str], Tally], scorer: str, attack: str) -> Tally:
    """The pairs of an attack, or of a group of them."""
    return pooled(one[scorer, name] for name in GROUPS[attack])


def interval_over(tallies: Sequence[Tally], seed: int = 0) -> tuple[float, float]:
    """Percentile bootstrap of the mean share: topics drawn anew within each set."""
    generator = np.random.default_rng(seed)
    drawn = np.zeros(RESAMPLES)
    for one in tallies:
        topics = sorted(one.pairs)
        wins = np.array([one.wins[topic] for topic in topics], dtype=np.float64)
        pairs = np.array([one.pairs[topic] for topic in topics], dtype=np.float64)
        draws = generator.integers(0, len(topics), (RESAMPLES, len(topics)))
        drawn += wins[draws].sum(axis=1) / pairs[draws].sum(axis=1)
    low, high = np.quantile(drawn / len(tallies), [0.025, 0.975])
    return float(low), float(high)


def of_set(
    name: str, one: dict[tuple[str, str], Tally], scorers: Sequence[Scorer]
) -> list[dict[str, Any]]:
    """The shares on one set."""
    rows = []
    for attack in GROUPS:
        for scorer in scorers:
            found = of(one, scorer.name, attack)
            if found.total:
                row = {"set": name, "attack": attack, "scorer": scorer.name}
                rows.append({**row, "pairs": found.total, "share": found.share})
    return rows


def wide(rows: Sequence[dict[str, Any]], scorers: Sequence[Scorer]) -> list[dict[str, Any]]:
    """The rows with a column for each scorer."""
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        key = (row.get("set", ""), row["attack"])
        head = {"set": row["set"]} if "set" in row else {}
        blank = dict.fromkeys((scorer.name for scorer in scorers), "")
        line = lines.setdefault(key, {**head, "attack": row["attack"], **blank})
        told = f"{row['share']:.3f}"
        if "interval" in row:
            told += " [{:.2f}, {:.2f}]".format(*row["interval"])
        line[row["scorer"]] = told
    return list(lines.values())


def lead_row(name: str, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """How many other summaries of a topic people rank above that of the system that copies."""
    if name not in LEADS:
        return []
    system, dimensions = LEADS[name]
    above = total = 0
    marks = {
        (str(row["topic_id"]), row["system_id"]): fmean(row["scores"][d] for d in dimensions)
        for row in rows
        if all(row["scores"].get(d) is not None for d in dimensions)
    }
    for (topic, other), mark in marks.items():
        lead = marks.get((topic, system))
        if other != system and lead is not None:
            above += mark > lead
            total += 1
    return [
        {"set": name, "system": system, "pairs": total, "people rank above": above / max(1, total)}
    ]


if __name__ == "__main__":
    sys.exit(main())
