"""Speed of summeval beside its peers, on the same pairs, interleaved in one process.

    python benchmarks/peers.py [--pairs FILE] [--long FILE] [--rounds N] [--json OUT] [--markdown]

Installs nothing: whichever of rouge-score, rouge-score-rs, rouge-rust and rouge-metric are there
take part. Times are CPU time of one core (wall time for two workers); each figure is a median
over the rounds. A slow peer gets fewer pairs, and its ratio is taken on those pairs. Every peer's
numbers are compared with ours before anything is timed; the exit status is 1 if one that defines
the same thing disagrees by more than 1e-9.

Without FILE the texts are made up by benchmarks/texts.py. FILE has a JSON object a line, with
"candidate" and "references" (the first one is used); .gz is read too. Where a text has no line
breaks, " . " ends a line for ROUGE-Lsum.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

os.environ.setdefault("RAYON_NUM_THREADS", "1")  # read when the Rust peers are imported
sys.path.insert(0, str(Path(__file__).parent))

import contenders
import numpy as np
import texts
from contenders import Contender, Task

ROUGE = ("rouge1", "rouge2", "rougeL")
TASKS = (
    Task(
        "short R1+R2+RL",
        ROUGE,
        goals={"rouge-score": 350, "rouge-score-rs": 4},
    ),
    Task(
        "short R1+R2+RL, stemmed",
        ROUGE,
        stemmed=True,
        goals={"rouge-score": 700, "rouge-score-rs": 10},
    ),
    Task("short Lsum", ("rougeLsum",), goals={"rouge-score": 200, "rouge-score-rs": 4}),
    Task("short SU4", ("rougeSU4",), goals={"rouge-metric": 200}),
    Task("long R1+R2+RL", ROUGE, "long", goals={"rouge-score": 2500, "rouge-score-rs": 2.5}),
    Task("long Lsum", ("rougeLsum",), "long", goals={"rouge-score": 500, "rouge-score-rs": 5}),
)
CALL_GOALS = {"rouge-score-rs": 2.5}
TOLERANCE = 1e-9
SAMPLE_SECONDS = 0.02  # a sample is repeated until it takes at least this long
SLOW_SECONDS = 0.5  # a contender gets no more pairs than it scores in this time

# A process is charged with the memory of the one it was started from; so a small one starts it.
WATCH = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""

Record = dict[str, Any]
Pairs = tuple[list[str], list[str]]


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table, and return the exit status."""
    options = parse(argv)
    pairs = {
        "short": read(options.pairs) if options.pairs else texts.make_pairs(texts.SHORT, 3000),
        "long": read(options.long) if options.long else texts.make_pairs(texts.LONG, 100),
    }
    if options.limit:
        pairs = {name: (c[: options.limit], r[: options.limit]) for name, (c, r) in pairs.items()}
    rows: list[Record] = []
    for task in TASKS:
        if options.only in task.name:
            rows += measure(task, pairs[task.texts], options.rounds)
    if options.only in "one call":
        rows += measure_calls(TASKS[0], pairs["short"], options.rounds)
    if options.only in "two workers":
        rows.append(measure_workers(TASKS[0], pairs["short"], options.rounds))
    if options.only in "memory":
        rows += [measure_memory(pairs["short"], count) for count in options.memory_rows]
    report = {"machine": machine(), "date": date.today().isoformat(), "rows": rows}
    sources = [options.pairs or "made-up short pairs", options.long or "made-up long pairs"]
    report["texts"] = [Path(source).name for source in sources]
    print(render(report, markdown=options.markdown))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(any(row.get("fault") for row in rows))


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="peers", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pairs", metavar="FILE", help="short pairs, JSONL or JSONL.gz")
    parser.add_argument("--long", metavar="FILE", help="long pairs, JSONL or JSONL.gz")
    parser.add_argument("--rounds", type=int, default=15, help="rounds (default 15)")
    parser.add_argument("--limit", type=int, default=0, help="use the first LIMIT pairs only")
    parser.add_argument("--only", default="", metavar="TEXT", help="measure rows with this name")
    parser.add_argument(
        "--memory-rows",
        type=int,
        nargs="*",
        default=[50_000, 200_000],
        metavar="N",
        help="lengths of the files for the memory rows; none: leave them out",
    )
    parser.add_argument("--json", metavar="OUT", help="also write the figures to OUT")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    return parser.parse_args(argv)


def read(path: str) -> Pairs:
    """Read pairs from a JSONL file."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["candidate"] for row in rows], [row["references"][0] for row in rows]


def in_lines(text: str) -> str:
    """Put sentences on lines where a text has none."""
    return text if "\n" in text else text.replace(" . ", " .\n")


def cpu_seconds(call: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    """Return what one call takes, timed over as many calls as make a fair sample."""
    gc.collect()
    calls, start = 0, clock()
    while True:
        call()
        calls += 1
        taken = clock() - start
        if taken >= SAMPLE_SECONDS:
            return max(taken, 1e-9) / calls


def every(pairs: Pairs, count: int) -> Pairs:
    """Return `count` pairs spread over all of them."""
    places = np.linspace(0, len(pairs[0]) - 1, count).round().astype(int)
    return [pairs[0][i] for i in places], [pairs[1][i] for i in places]


def interleave(calls: dict[Any, Callable[[], Any]], rounds: int) -> dict[Any, list[float]]:
    """Time all calls in each round, in an order that turns round after every round."""
    samples: dict[Any, list[float]] = {key: [] for key in calls}
    order = list(calls)
    for _ in range(rounds):
        for key in order:
            samples[key].append(cpu_seconds(calls[key]))
        order.reverse()
    return samples


def measure(task: Task, pairs: Pairs, rounds: int) -> list[Record]:
    """Compare and time every contender of a task."""
    if "rougeLsum" in task.measures:
        pairs = ([in_lines(t) for t in pairs[0]], [in_lines(t) for t in pairs[1]])
    us = contenders.ours(task)
    calls: dict[Any, Callable[[], Any]] = {}
    rows = []
    for peer in [us, *contenders.peers(task)]:
        chosen = every(pairs, affordable(peer, pairs))
        count = len(chosen[0])
        mine = us.table(us.run(*chosen))
        given = tuple([peer.prepare(text) for text in side] for side in chosen)
        row = {"task": task.name, "contender": peer.name, "pairs": count, "note": peer.note}
        if peer is not us:
            row |= compare(peer, mine, peer.table(peer.run(*given)))
        calls[peer.name] = lambda peer=peer, given=given: peer.run(*given)
        calls[us.name, count] = lambda chosen=chosen: us.run(*chosen)
        rows.append(row)
    samples = interleave(calls, rounds)
    return [
        row | timing(row, samples[row["contender"]], samples[us.name, row["pairs"]], task.goals)
        for row in rows
    ]


def affordable(peer: Contender, pairs: Pairs) -> int:
    """Return how many pairs a contender scores in the time it is given."""
    trial = every(pairs, min(4, len(pairs[0])))
    given = [[peer.prepare(text) for text in side] for side in trial]
    peer.run(*given)
    seconds = cpu_seconds(lambda: peer.run(*given)) / len(given[0])
    return max(1, min(len(pairs[0]), int(SLOW_SECONDS / seconds)))


def compare(peer: Contender, mine: np.ndarray, theirs: np.ndarray) -> Record:
    """Return by how much, and on how many pairs, a peer's numbers differ from ours."""
    difference = np.abs(mine - theirs).max(axis=1)
    differing = int((difference > TOLERANCE).sum())
    return {
        "difference": float(difference.max()),
        "differing": differing,
        "fault": peer.same and differing > 0,
    }


def timing(row: Record, theirs: list[float], mine: list[float], goals: dict[str, float]) -> Record:
    """Return the times of a row in µs a pair, the ratio, and the goal for it."""
    pairs = row["pairs"]
    theirs_us = statistics.median(theirs) / pairs * 1e6
    mine_us = statistics.median(mine) / pairs * 1e6
    goal = goals.get(row["contender"].split(" ")[0])
    return {"us": theirs_us, "ours_us": mine_us, "ratio": theirs_us / mine_us, "goal": goal}


def measure_calls(task: Task, pairs: Pairs, rounds: int) -> list[Record]:
    """Time single calls on the pair of median length."""
    order = sorted(range(len(pairs[0])), key=lambda i: len(pairs[0][i]) + len(pairs[1][i]))
    middle = order[len(order) // 2]
    calls = contenders.single_calls(task, pairs[0][middle], pairs[1][middle])
    samples = interleave(calls, rounds)
    rows = []
    for name in calls:
        row = {"task": "one call, R1+R2+RL", "contender": name, "pairs": 1}
        mine = samples["summeval prepared.score"]
        rows.append(row | timing(row, samples[name], mine, CALL_GOALS))
    return rows


def measure_workers(task: Task, pairs: Pairs, rounds: int) -> Record:
    """Time two workers against one, by the clock on the wall."""
    times = 1 + 50_000 // len(pairs[0])
    many = (pairs[0] * times, pairs[1] * times)
    samples: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for workers, taken in samples.items():
            run = contenders.ours(task, workers).run
            taken.append(cpu_seconds(lambda run=run: run(*many), time.perf_counter))
    one, two = (statistics.median(samples[workers]) / len(many[0]) * 1e6 for workers in (1, 2))
    row = {"task": "two workers, R1+R2+RL", "contender": "summeval, one worker"}
    row |= {"pairs": len(many[0]), "us": one, "ours_us": two, "ratio": one / two, "goal": 1.8}
    return row


def measure_memory(pairs: Pairs, count: int) -> Record:
    """Return the most memory that `summeval score` held while it scored a file of `count` rows."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "pairs.jsonl")
        with source.open("w", encoding="utf-8") as lines:
            for row in range(count):
                candidate, reference = (side[row % len(side)] for side in pairs)
                entry = {"id": row, "candidate": candidate, "references": [reference]}
                lines.write(json.dumps(entry) + "\n")
        score = "import sys; from summeval.cli.main import main; sys.exit(main())"
        arguments = ["score", str(source), "-m", ",".join(ROUGE), "-o", f"{folder}/scores.jsonl"]
        command = [sys.executable, "-c", WATCH, sys.executable, "-c", score, *arguments]
        start = time.perf_counter()
        watched = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        taken = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
    megabytes = int(watched.stdout) * unit / 1e6
    row = {"task": f"summeval score, {count:,} rows", "contender": "summeval", "pairs": count}
    return row | {"us": taken / count * 1e6, "megabytes": megabytes, "goal": 500}


def machine() -> Record:
    """Return what the figures were measured on."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        model = re.search(r"^model name\s*: (.*)", cpuinfo.read_text(), re.MULTILINE)
        name = model[1] if model else name
    return {
        "processor": name,
        "processors": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def render(report: Record, *, markdown: bool) -> str:
    """Return the table, with what it was measured on above it."""
    m = report["machine"]
    head = (
        f"{m['processor']}, {m['processors']} processors, {m['system']}; Python {m['python']}, "
        f"NumPy {m['numpy']}; {report['date']}; {', '.join(report['texts'])}"
    )
    titles = ("", "contender", "pairs", "µs a pair", "ours", "ratio", "goal", "numbers")
    lines = [titles, *(cells(row) for row in report["rows"])]
    if markdown:
        rule = "|---|---|--:|--:|--:|--:|--:|---|"
        body = ["| " + " | ".join(line) + " |" for line in lines]
        return "\n".join([head, "", body[0], rule, *body[1:]])
    widths = [max(len(line[i]) for line in lines) for i in range(len(titles))]
    body = []
    for line in lines:
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        body.append("  ".join(padded).rstrip())
    return "\n".join([head, "", *body])


def cells(row: Record) -> tuple[str, ...]:
    """Return one line of the table as text."""
    ratio, goal = row.get("ratio"), row.get("goal")
    if "megabytes" in row:
        shown, wanted = f"{row['megabytes']:.0f} MB", f"< {goal} MB"
    else:
        shown = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"
        wanted = f"{goal:,g}" if goal else ""
    numbers = row.get("note", "")
    if "difference" in row:
        told = "equal" if row["difference"] == 0 else f"equal to {row['difference']:.0e}"
        if row["differing"]:
            told = f"{row['differing']} differ, by at most {row['difference']:.2g}"
        numbers = told + (numbers and f" ({numbers})")
    mine = f"{row['ours_us']:.2f}" if "ours_us" in row else ""
    columns = (row["task"], row["contender"], f"{row['pairs']:,}", f"{row['us']:.2f}", mine)
    return (*columns, shown, wanted, numbers)


if __name__ == "__main__":
    sys.exit(main())
