"""Rankers of utterances: how many they rank and train on in a second, beside the goals.

    python benchmarks/rankers.py [--documents N] [--rounds N] [--json OUT]

The documents are made up: threads of 80 utterances of 1 to 20 words, some of them quoted lines and
questions, of which three annotators select about a fifth. Printed are the utterances ranked in a
second, from texts and from features, and the seconds of training: the least processor time of the
thread, so that other programs on the machine disturb little.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import texts

from summeval.metrics.pyramid import ExtractRanker

UTTERANCES, MOST_WORDS, ANNOTATORS = 80, 20, 3
MODELS = ("order0", "chain", "skip-chain")
GOALS = {  # utterances a second; seconds
    ("order0", "ranked from texts"): 20_000,
    ("order0", "ranked from features"): 200_000,
}
MOST_SECONDS, TRAINED_ON = 10.0, 10_000


def threads(count: int, seed: int = 0) -> tuple[list[list[str]], list[list[list[int]]]]:
    """Documents, and for each the extracts of its annotators."""
    rng = random.Random(seed)
    words = " ".join(texts.make_pairs(texts.LONG, 20, seed)[0]).split()
    documents, extracts = [], []
    for _ in range(count):
        document: list[str] = []
        for _ in range(UTTERANCES):
            if document and rng.random() < 0.2:
                document.append(f"> {rng.choice(document)}")
                continue
            begin = rng.randrange(len(words) - MOST_WORDS)
            said = " ".join(words[begin : begin + rng.randint(1, MOST_WORDS)])
            document.append(said + rng.choice(["", ".", ".", "?"]))
        long = [n for n, text in enumerate(document) if len(text.split()) > MOST_WORDS // 2]
        documents.append(document)
        extracts.append([[n for n in long if rng.random() < 0.4] for _ in range(ANNOTATORS)])
    return documents, extracts


def seconds_of(call: Callable[[], object], rounds: int) -> float:
    """The least processor time of a call."""
    found = []
    for _ in range(rounds):
        begin = time.thread_time()
        call()
        found.append(time.thread_time() - begin)
    return min(found)


def measure(documents: int, rounds: int) -> list[dict[str, Any]]:
    """What is measured of each model."""
    given, extracts = threads(documents)
    utterances = documents * UTTERANCES
    rows: list[dict[str, Any]] = []
    for model in MODELS:
        ranker = ExtractRanker(model)
        trained = seconds_of(lambda ranker=ranker: ranker.fit(given, extracts), 1)
        described = [ranker.describe(document) for document in given]

        def from_texts(ranker: ExtractRanker = ranker) -> None:
            for document in given:
                ranker.rank(document)

        def from_features(ranker: ExtractRanker = ranker, known: Any = described) -> None:
            for features, links in known:
                ranker.rank_features(features, links)

        for what, call in (
            ("ranked from texts", from_texts),
            ("ranked from features", from_features),
        ):
            goal = GOALS.get((model, what))
            speed = utterances / seconds_of(call, rounds)
            rows.append({"model": model, "what": what, "a second": speed, "goal": goal})
        goal = MOST_SECONDS * utterances / TRAINED_ON
        rows.append({"model": model, "what": "trained", "seconds": trained, "goal": goal})
    return rows


def line(row: dict[str, Any]) -> str:
    """A row as it is printed."""
    goal = row["goal"]
    if "seconds" in row:
        told, met, bound = f"{row['seconds']:,.2f} s", row["seconds"] <= goal, f"at most {goal:.1f}"
    else:
        told, met = f"{row['a second']:,.0f} /s", goal is None or row["a second"] >= goal
        bound = "" if goal is None else f"at least {goal:,}"
    end = f"  goal {bound}: {'met' if met else 'MISSED'}" if bound else ""
    return f"{row['model']:<11} {row['what']:<21} {told:>14}{end}"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="rankers", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=125, help="80 utterances each [125]")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", metavar="OUT")
    options = parser.parse_args(argv)
    rows = measure(options.documents, options.rounds)
    print(f"{options.documents * UTTERANCES:,} utterances of {options.documents} documents")
    print(*map(line, rows), sep="\n")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
