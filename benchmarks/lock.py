"""How long a reward holds the interpreter's lock, and what that leaves of the speed of threads.

    python benchmarks/lock.py [--rounds 200] [--json OUT]

Each preset rewards groups of 8 completions beside a source of about 900 words, new and kept, as in
reward.py. A library that is loaded before Python's notes the processor time between two calls that
let go of the lock and take it back; the rest of a call's processor time holds it. Medians of both
are printed. The calls go into a simulation of threads with a core each, which make one call after
the other and wait while another holds the lock. Then calls are awaited, some at a time, in an
event loop whose lag is printed: how much later than asked a sleep of a millisecond ends, with the
calls and without. Needs a C compiler, and a Python whose library is shared.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import heapq
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import reward

from summeval.interop.reward import Rewards
from summeval.interop.shaping.presets import PRESETS

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static __thread long long since, freed;
static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
long long summeval_freed(void) { return freed; }
void* PyEval_SaveThread(void) {
    static void* (*save)(void);
    if (!save) save = (void* (*)(void))dlsym(RTLD_NEXT, "PyEval_SaveThread");
    void* const state = save();
    since = now();
    return state;
}
void PyEval_RestoreThread(void* state) {
    static void (*restore)(void*);
    if (!restore) restore = (void (*)(void*))dlsym(RTLD_NEXT, "PyEval_RestoreThread");
    freed += now() - since;
    restore(state);
}
"""
LOADED = "SUMMEVAL_LOCK_SHIM"
THREADS = (2, 4, 8)
AT_A_TIME = 8  # calls that are awaited together
Times = tuple[float, float]


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    if LOADED not in os.environ:
        return preloaded()
    freed = ctypes.CDLL(None).summeval_freed
    freed.restype = ctypes.c_longlong
    groups = reward.make_groups(arguments.rounds + 40)
    report: list[dict[str, Any]] = []
    for name in PRESETS:
        both = times_of(name, groups, arguments.rounds, freed)
        for kept, times in zip(("new", "kept"), both, strict=True):
            held, free = (statistics.median(column) for column in zip(*times, strict=True))
            faster = {threads: speed_up(threads, times) for threads in THREADS}
            report.append({"preset": name, "texts": kept, "held": held, "free": free, **faster})
            told = ", ".join(f"{threads} threads {ratio:.2f}x" for threads, ratio in faster.items())
            print(
                f"{name:9}{kept:5} holds the lock for {held:5.1f} of {held + free:6.1f} us a group"
                f" ({held / (held + free):.0%}); simulated: {told}"
            )
    lags = {"without calls": asyncio.run(lag(None, groups, arguments.rounds))}
    for name in PRESETS:
        lags[name] = asyncio.run(lag(Rewards.preset(name), groups, arguments.rounds))
    for name, ordered in lags.items():
        shares = [ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99, 1)]
        told = "p50 {:.2f}, p99 {:.2f}, longest {:.2f}".format(*shares)
        print(f"loop lag, {name:13} {told} ms ({len(ordered)} sleeps)")
        report.append({"lag of": name, "p50": shares[0], "p99": shares[1], "max": shares[2]})
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def preloaded() -> int:
    """Compile the library and run this script again with it."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "lock.c"), Path(folder, "lock.so")
        source.write_text(SHIM, encoding="ascii")
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
        known = {**os.environ, LOADED: "1", "LD_PRELOAD": str(library)}
        return subprocess.run([sys.executable, *sys.argv], env=known, check=False).returncode


def times_of(name: str, groups: list[reward.Group], rounds: int, freed: Any) -> list[list[Times]]:
    """Microseconds of calls that hold the lock and that do not, of new texts and of kept ones."""
    rewards = Rewards.preset(name)
    spent: list[list[Times]] = [[], []]
    for call in reward.calls_of(groups, rounds):
        for kept in (0, 1):
            nothing = clocked(freed, len, call)[0]
            held, free = clocked(freed, rewards, *call)
            spent[kept].append((held - nothing, free))
    return [some[20:] for some in spent]


def clocked(freed: Any, call: Callable[..., object], *given: Any) -> Times:
    """Microseconds of a call that hold the lock and that do not; of `len` what the clocks take."""
    begin, before = time.thread_time_ns(), freed()
    call(*given)
    free = freed() - before
    return (time.thread_time_ns() - begin - free) / 1e3, free / 1e3


def speed_up(threads: int, times: Sequence[Times], calls: int = 20_000, seed: int = 1) -> float:
    """The calls of some threads in the time of one thread's call, by simulation.

    Each call is one of those that were measured. It holds the lock, then does not.

    >>> speed_up(4, [(0.0, 1.0)]), round(speed_up(4, [(1.0, 1.0)]), 2)
    (4.0, 2.0)
    """
    draw = random.Random(seed)
    waiting = [0.0] * threads
    spent = begin = lock = 0.0
    for call in range(calls):
        if call == calls // 10:
            spent, begin = 0.0, waiting[0]
        asked = heapq.heappop(waiting)
        held, free = draw.choice(times)
        spent += held + free
        lock = max(lock, asked) + held
        heapq.heappush(waiting, lock + free)
    return spent / (waiting[0] - begin)


async def lag(rewards: Rewards | None, groups: list[reward.Group], rounds: int) -> list[float]:
    """Milliseconds by which sleeps of one end too late, in order, while rewards are awaited."""
    calls = [*reward.calls_of(groups, rounds)] * 4
    late = []

    async def work(some: list[Any]) -> None:
        for call in some:
            if rewards is None:
                await asyncio.sleep(0.0005)
            else:
                await rewards.score_async(*call)

    tasks = [asyncio.create_task(work(calls[first::AT_A_TIME])) for first in range(AT_A_TIME)]
    while not all(task.done() for task in tasks):
        begin = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append((time.perf_counter() - begin - 0.001) * 1e3)
    for task in tasks:
        task.result()
    return sorted(late)


if __name__ == "__main__":
    sys.exit(main())
