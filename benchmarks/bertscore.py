"""BERTScore beside bert-score 0.3.13: time, memory and numbers, with MiniLM on the CPU.

    python benchmarks/bertscore.py --data FILE [--rows N] [--rounds N] [--threads N] [--calls N]

FILE has a row a line with `summary` and `references`, several summaries for each reference, such as
REALSumm or SummEval. Both programs get the same texts, model, layer and threads. The time is the
processor time of a call, model at hand, in turn in one process; the figure is the median of the
ratios of the rounds. The memory is the peak of a process of its own for each program. Ends with
status 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

LAYER = 6
Calls = list[tuple[list[str], list[list[str]]]]
GOALS = {"time": 1.5, "memory": 2.0, "difference": 1e-5}
PROGRAMS = ("bert-score", "summeval")


def calls_of(path: Path, rows: int, calls: int) -> Calls:
    """The rows in so many calls: with as many as systems, each call has one row of a topic."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    found = [row for row in found if row["summary"] and row["references"]][:rows]
    parts = [found[k::calls] for k in range(calls)]
    return [([r["summary"] for r in part], [r["references"] for r in part]) for part in parts]


def peer(calls: Calls) -> Any:
    """bert-score with its model kept, as a user who scores twice would have it."""
    import bert_score

    from summeval.learn.encoders.loading import place_of

    folder = place_of("minilm").name
    scorer = bert_score.BERTScorer(model_type=folder, num_layers=LAYER, device="cpu")

    def call() -> Any:
        found: list[list[float]] = [[], [], []]
        for some, others in calls:
            for field, part in zip(found, scorer.score(some, others), strict=True):
                field.extend(part.tolist())
        return found

    return call


def ours(calls: Calls) -> Any:
    import summeval

    def call() -> Any:
        metric = summeval.metric("bertscore", layer=LAYER, device="cpu")
        found: list[list[float]] = [[], [], []]
        for some, others in calls:
            table = metric.score_batch(some, others)
            for field, name in zip(found, table.columns, strict=True):
                field.extend(table[name].tolist())
        return found

    summeval.metric("bertscore", layer=LAYER, device="cpu").score("a", "b")  # loads the model
    return call


def made(program: str, calls: Calls) -> Any:
    return peer(calls) if program == "bert-score" else ours(calls)


def peak(options: argparse.Namespace, program: str) -> float:
    """The most memory of a process that scores all rows once, in MB."""
    line = [sys.executable, __file__, "--data", str(options.data), "--rows", str(options.rows)]
    line += ["--threads", str(options.threads), "--calls", str(options.calls)]
    line += ["--child", program]
    ran = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True)
    return float(ran.stdout.split()[-1])


def most_memory() -> float:
    """The peak of this process in MB (`getrusage` would count the parent's, which it was)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--calls", type=int, default=1, help="as many as systems [1]")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    import torch

    torch.set_num_threads(options.threads)
    texts = calls_of(options.data, options.rows, options.calls)
    if options.child:
        made(options.child, texts)()
        print(most_memory())
        return 0
    calls = {program: made(program, texts) for program in PROGRAMS}
    times: dict[str, list[float]] = {program: [] for program in PROGRAMS}
    results = {}
    for _ in range(options.rounds):
        for program, call in calls.items():
            start = time.process_time()
            results[program] = call()
            times[program].append(time.process_time() - start)
    memory = {program: peak(options, program) for program in PROGRAMS}
    rows = sum(len(some) for some, _ in texts)
    distinct = {t for some, others in texts for t in (*some, *(one for o in others for one in o))}
    told_of = f"{len(texts)} call(s), {options.threads} thread(s)"
    print(f"{rows} rows, {len(distinct)} distinct texts, {told_of}")
    print(f"{'':<24} {'ms a row':>9} {'times':>6} {'MB':>6} {'times':>6} {'difference':>11}")
    missed = False
    told = []
    for program in PROGRAMS:
        ratio = statistics.median(
            theirs / mine for theirs, mine in zip(times[PROGRAMS[0]], times[program], strict=True)
        )
        smaller = memory[PROGRAMS[0]] / memory[program]
        apart = max(
            abs(a - b)
            for mine, theirs in zip(results[program], results[PROGRAMS[0]], strict=True)
            for a, b in zip(mine, theirs, strict=True)
        )
        cost = 1000 * statistics.median(times[program]) / rows
        print(
            f"{program:<24} {cost:>9.2f} {ratio:>6.2f} {memory[program]:>6.0f} {smaller:>6.2f}"
            f" {apart:>11.1e}"
        )
        told.append({"program": program, "ms": cost, "ratio": ratio, "mb": memory[program]})
        if program != PROGRAMS[0]:
            missed |= apart > GOALS["difference"] or smaller < GOALS["memory"]
    best = max(one["ratio"] for one in told[1:])
    print(f"goals: {GOALS['time']} times as fast, {GOALS['memory']} times less memory, the same to"
          f" {GOALS['difference']:g}")  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps({"goals": GOALS, "results": told}, indent=1) + "\n")
    return int(missed or best < GOALS["time"])


if __name__ == "__main__":
    sys.exit(main())
