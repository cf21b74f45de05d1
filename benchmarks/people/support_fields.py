"""Whether another field of `support`, or a mixture, tells consistent summaries better.

    python benchmarks/people/support_fields.py DATA

DATA is that of support.py, with errors and rank19 .jsonl.gz.

Prints AUC over all summaries of a set (of Rank19 the share of pairs in which the correct sentence
is higher) for `explained`, and what `weakest`, fewer new trigrams and `explained` mixed with these
have more, with 95 % intervals (sources drawn anew). Then which mixture is best on every second
source of SummEval and QAGS CNN together, and what it gains on the others.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from support import RESAMPLES, SEED, SETS, Floats, auc, read, scored

import summeval

MIXED = {f"{weight:g} trigrams": weight for weight in (0.1, 0.25, 0.5, 1)}
FIELDS = ("weakest", "−novel3", *MIXED)
CHOSEN_ON = ("SummEval consistency", "QAGS CNN")
Numbers = NDArray[np.intp]


@dataclass
class Judged:
    """The fields of summaries, whether each is good, and which of them each source has."""

    fields: dict[str, Floats]
    good: NDArray[np.bool_]
    sources: list[Numbers]

    def auc(self, field: str, sources: Sequence[int]) -> float:
        """AUC over the summaries of some sources."""
        rows = np.concatenate([self.sources[source] for source in sources])
        return auc(self.fields[field][rows], self.good[rows])

    def gains(self, field: str, sources: Sequence[int]) -> list[float]:
        """How much more than `explained` a field has: as it is, then with sources drawn anew."""
        draws = np.random.default_rng(SEED).choice(sources, (RESAMPLES, len(sources)))
        return [self.auc(field, d) - self.auc("explained", d) for d in (sources, *draws)]


def main(argv: Sequence[str] | None = None) -> int:
    """Score and print; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", metavar="DATA", type=Path)
    data = parser.parse_args(argv).data
    sets = {}
    for title, (name, dimension, part) in SETS.items():
        rows = [row for row in read(data, name) if row["topic_id"].startswith(part)]
        people = np.array([row["scores"][dimension] for row in rows])
        sets[title] = judged(rows, people == people.max(), "topic_id")
    rows = [row for row in lines(data, "errors") if row["set"] == "Goyal21-xsum"]
    sets["Goyal21 XSum"] = judged(rows, np.array([bool(row["ok"]) for row in rows]), "source")
    print(f"| | explained | {' | '.join(FIELDS)} |\n|---|{'--:|' * (len(FIELDS) + 1)}")
    for title, one in sets.items():
        every = range(len(one.sources))
        cells = [shown(one.gains(field, every)) for field in FIELDS]
        print(f"| {title} | {one.auc('explained', every):.3f} | {' | '.join(cells)} |")
    print(f"| Rank19 | {' | '.join(ranked(lines(data, 'rank19')))} |\n")
    halves([sets[title] for title in CHOSEN_ON])
    return 0


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    """The lines of a file."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def fields_of(rows: Sequence[dict[str, Any]]) -> dict[str, Floats]:
    """The fields that are compared, mixtures among them."""
    found = scored(summeval.metric("support"), [{"references": [], **row} for row in rows])
    for name, weight in MIXED.items():
        found[name] = found["explained"] + weight * found["−novel3"]
    return found


def judged(rows: Sequence[dict[str, Any]], good: NDArray[np.bool_], source: str) -> Judged:
    """The summaries of a set, by the column that names their source."""
    names = np.array([row[source] for row in rows])
    groups = [np.flatnonzero(names == name) for name in dict.fromkeys(names)]
    return Judged(fields_of(rows), good, groups)


def ranked(pairs: Sequence[dict[str, Any]]) -> list[str]:
    """The share of pairs that `explained` ranks as people do, and what the others have more."""
    sides = [
        fields_of([{"summary": pair[side], "source": pair["source"]} for pair in pairs])
        for side in ("correct", "incorrect")
    ]
    right = {
        field: (sides[0][field] > sides[1][field]) + 0.5 * (sides[0][field] == sides[1][field])
        for field in ("explained", *FIELDS)
    }
    draws = np.random.default_rng(SEED).integers(0, len(pairs), (RESAMPLES, len(pairs)))
    gains = [right[field] - right["explained"] for field in FIELDS]
    cells = [shown([gain.mean(), *gain[draws].mean(axis=1)]) for gain in gains]
    return [f"{right['explained'].mean():.3f}", *cells]


def shown(gains: Sequence[float] | Floats) -> str:
    """A gain, which is the first, and its interval, from the others."""
    low, high = np.percentile(gains[1:], [2.5, 97.5])
    return f"{gains[0]:+.3f} [{low:+.3f}, {high:+.3f}]"


def halves(sets: Sequence[Judged]) -> None:
    """Choose a mixture on every second source, and print what it gains on the others."""
    for half in range(2):
        parts = [(one, range(half, len(one.sources), 2)) for one in sets]
        others = [(one, range(1 - half, len(one.sources), 2)) for one in sets]
        best = max(MIXED, key=lambda field: mean_gains(field, parts)[0])
        gains = shown(mean_gains(best, others))
        print(f"chosen on half {half + 1}: {best}; more on the other half, mean of both: {gains}")


def mean_gains(field: str, parts: Sequence[tuple[Judged, Sequence[int]]]) -> Floats:
    """The mean gain over sets."""
    return np.mean([one.gains(field, sources) for one, sources in parts], axis=0)


if __name__ == "__main__":
    sys.exit(main())
