"""How soon a long call of each kernel ends after Ctrl-C.

    python benchmarks/kernels/interrupt.py [--rounds N] [--json OUT] [NAME ...]

Each call of tests/long_calls.py runs in a process of its own, with one worker and, where it has
workers, with two. A thread of that process sends SIGINT at a random moment of the call and notes
the time; the figure is the time until the caller has the KeyboardInterrupt. Prints the median and
the most of N rounds beside the goal, and ends with status 1 if one is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))

GOAL = 0.2
LEAST, MOST = 0.5, 2.5  # seconds of a call before the signal


def measure(name: str, workers: int, rounds: int) -> list[float]:
    """In the process of the call."""
    from long_calls import CALLS

    long, short = CALLS[name](workers)
    before = repr(short())
    chance = random.Random(1)
    found = []
    for _ in range(rounds):
        sent = 0.0

        def send(pause: float) -> None:
            nonlocal sent
            time.sleep(pause)
            sent = time.perf_counter()
            os.kill(os.getpid(), signal.SIGINT)

        sender = threading.Thread(target=send, args=(chance.uniform(LEAST, MOST),))
        try:
            sender.start()
            long()
        except KeyboardInterrupt:
            found.append(time.perf_counter() - sent)
        sender.join()
        if repr(short()) != before:
            raise SystemExit(f"{name}: the call left something behind")
    return found


def main() -> int:
    from long_calls import CALLS, SHARED

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="all, if none is given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        print(json.dumps(measure(options.names[0], options.child, options.rounds)))
        return 0
    results = []
    print(f"{'call':<22} {'workers':>7} {'median s':>9} {'most s':>7}   goal {GOAL}")
    for name in options.names or CALLS:
        for workers in (1, 2) if name in SHARED else (1,):
            line = [sys.executable, __file__, name, "--rounds", str(options.rounds)]
            ran = subprocess.run(
                [*line, "--child", str(workers)], stdout=subprocess.PIPE, text=True, check=True
            )
            found = json.loads(ran.stdout)
            median, most = statistics.median(found), max(found)
            print(
                f"{name:<22} {workers:>7} {median:>9.3f} {most:>7.3f}   "
                f"{'reached' if most <= GOAL else 'missed'}",
                flush=True,
            )
            results.append({"call": name, "workers": workers, "seconds": found})
    if options.json:
        options.json.write_text(json.dumps({"goal": GOAL, "results": results}, indent=1) + "\n")
    return int(any(max(one["seconds"]) > GOAL for one in results))


if __name__ == "__main__":
    sys.exit(main())
