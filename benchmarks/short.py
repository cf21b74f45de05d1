"""ROUGE beside rouge-score-rs on short and long pairs: a line a wait, with its ratio and its goal.

    python benchmarks/short.py [--pairs FILE] [--long FILE] [--rounds N] [--only TEXT] [--json OUT]

Both score the same texts in turn in one process, on one core; the figures are medians of CPU time
over the rounds, and their ratio is that of the medians. The numbers are compared first; the exit
status is 1 if they differ by more than 1e-9. Each contender scores a table twice before it is
timed, so that stems are known. Without rouge-score-rs only our own times are printed.

FILE is as for benchmarks/peers.py, whose made-up texts are used without one. Where a text has no
line breaks, " . " ends a line in the rows with several lines.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import contenders
import numpy as np
import peers
import texts
from contenders import Task

ROUGE = ("rouge1", "rouge2", "rougeL")


@dataclass(frozen=True)
class Wait:
    """One line of the table: what is scored, in which form it is given, and the goal."""

    name: str
    goal: float
    measures: tuple[str, ...] = ROUGE
    texts: str = "short"
    stemmed: bool = False
    arrow: bool = False


WAITS = (
    Wait("short R1+R2+RL, Arrow", 9, arrow=True),
    Wait("short R1+R2+RL, lists", 8),
    Wait("short R1+R2+RL, stemmed, Arrow", 20, stemmed=True, arrow=True),
    Wait("short R1+R2+RL, stemmed, lists", 18, stemmed=True),
    Wait("short Lsum, one line", 10, ("rougeLsum",), "one line"),
    Wait("short Lsum, several lines", 7, ("rougeLsum",), "several lines"),
    Wait("references of 65-128 tokens, R1+R2+RL", 5.5, texts="middle"),
    Wait("long R1+R2+RL", 2.5, texts="long"),
)


def middling(pairs: peers.Pairs) -> peers.Pairs:
    """The pairs whose reference has 65 to 128 tokens; where there are few, two pairs make one."""
    candidates, references = pairs
    sizes = [len(re.findall("[a-z0-9]+", text.lower())) for text in references]
    kept = [row for row, size in enumerate(sizes) if 64 < size <= 128]
    if len(kept) >= len(sizes) / 20:
        return [candidates[row] for row in kept], [references[row] for row in kept]
    half = len(sizes) // 2
    rows = [row for row in range(half) if 64 < sizes[row] + sizes[row + half] <= 128]
    return tuple([f"{side[row]}\n{side[row + half]}" for row in rows] for side in pairs)


def tables(short: peers.Pairs, long: peers.Pairs) -> dict[str, peers.Pairs]:
    """The texts of every wait."""
    return {
        "short": short,
        "one line": tuple([" ".join(text.split()) for text in side] for side in short),
        "several lines": tuple([peers.in_lines(text) for text in side] for side in short),
        "middle": middling(short),
        "long": long,
    }


def measure(wait: Wait, pairs: peers.Pairs, rounds: int) -> dict[str, Any]:
    """The row of one wait: µs a pair of both, their ratio, by how much the numbers differ."""
    task = Task(wait.name, wait.measures, stemmed=wait.stemmed)
    us, peer = contenders.ours(task), contenders.rouge_score_rs(task)
    given: Any = pairs
    if wait.arrow:
        import pyarrow

        given = [pyarrow.array(side) for side in pairs]
    calls: dict[str, Callable[[], Any]] = {"ours": lambda: us.run(*given)}
    if peer is not None:
        calls["theirs"] = lambda: peer.run(*pairs)
    results = {name: call() for name, call in calls.items()}
    times = peers.interleave(calls, rounds)
    micro = {name: statistics.median(taken) / len(pairs[0]) * 1e6 for name, taken in times.items()}
    row = {"name": wait.name, "pairs": len(pairs[0]), "goal": wait.goal, **micro}
    if peer is not None:
        own, other = us.table(results["ours"]), peer.table(results["theirs"])
        row |= {"peer": peer.name, "ratio": micro["theirs"] / micro["ours"]}
        row["difference"] = float(np.abs(own - other).max())
    return row


def line(row: dict[str, Any]) -> str:
    """A row as text."""
    told = f"{row['name']:40} {row['pairs']:5,} pairs  ours {row['ours']:7.2f} µs a pair"
    if "ratio" not in row:
        return told
    other = f"{row['peer']} {row['theirs']:8.2f}"
    return f"{told}  {other}  ratio {row['ratio']:5.2f} (goal {row['goal']:g})"


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(prog="short", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pairs", metavar="FILE", help="short pairs, JSONL or JSONL.gz")
    parser.add_argument("--long", metavar="FILE", help="long pairs, JSONL or JSONL.gz")
    parser.add_argument("--rounds", type=int, default=15, help="rounds (default 15)")
    parser.add_argument("--limit", type=int, default=0, help="use the first LIMIT pairs only")
    parser.add_argument("--only", default="", metavar="TEXT", help="measure rows with this name")
    parser.add_argument("--json", metavar="OUT", help="also write the figures to OUT")
    options = parser.parse_args(argv)
    short = peers.read(options.pairs) if options.pairs else texts.make_pairs(texts.SHORT, 3000)
    long = peers.read(options.long) if options.long else texts.make_pairs(texts.LONG, 100)
    found = tables(short, long)
    rows = []
    for wait in WAITS:
        if options.only in wait.name:
            pairs = found[wait.texts]
            if options.limit:
                pairs = tuple(side[: options.limit] for side in pairs)
            rows.append(measure(wait, pairs, options.rounds))
            print(line(rows[-1]), flush=True)
    machine = peers.machine()
    print(f"{machine['processor']}; Python {machine['python']}, NumPy {machine['numpy']}")
    if options.json:
        report = {"machine": machine, "rows": rows}
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(any(row.get("difference", 0) > peers.TOLERANCE for row in rows))


if __name__ == "__main__":
    sys.exit(main())
