"""QUEEN of four ROUGE similarities beside four references: rows a second, and the goal.

    python benchmarks/queen.py [--pairs rows.jsonl.gz] [--rows 3000] [--rounds 5]

Seconds of the processor, with one worker. `repeated`: 30 rows have the same references, as
in a data set of systems. `different`: each row has its own, which are compared with each other for
it alone. Without --pairs the texts are generated (`texts.py`); with it they are the candidates and
references of rows of JSON Lines.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time

import texts

import summeval

GOAL = 50_000  # rows a second, one worker
REFERENCES, ROWS_OF_A_SET = 4, 30


def read(path: str | None, count: int) -> tuple[list[str], list[str]]:
    """Candidates and references."""
    if path is None:
        return texts.make_pairs(texts.SHORT, count)
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as file:
        rows = [json.loads(line) for line in file][:count]
    sides = [row["references"] for row in rows]
    return [r["candidate"] for r in rows], [s if isinstance(s, str) else s[0] for s in sides]


def cut(given: list[str], words: int) -> list[str]:
    return [" ".join(text.split()[:words]) for text in given]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs")
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    candidates, references = read(arguments.pairs, arguments.rows)
    references = list(dict.fromkeys(references))
    metric = summeval.metric("queen")
    print(f"{metric.signature}\n{len(candidates)} rows, best of {arguments.rounds} rounds")
    print(f"goal: {GOAL:,} rows a second\n")
    for words in (20, 60):
        own, others = cut(candidates, words), cut(references, words)
        draw = random.Random(0)
        different = [draw.sample(others, REFERENCES) for _ in own]
        repeated = [different[row // ROWS_OF_A_SET] for row in range(len(own))]
        for name, sets in (("repeated", repeated), ("different", different)):
            best = 0.0
            for _ in range(arguments.rounds):
                start = time.process_time()  # other work on the machine does not count
                metric.score_batch(own, sets)
                best = max(best, len(own) / (time.process_time() - start))
            said = f"{words} words at most, references {name}"
            print(f"{said}: {best:,.0f} rows a second ({best / GOAL:.2f} x goal)")


if __name__ == "__main__":
    main()
