"""How many threads a call is to use."""

from __future__ import annotations

import os

from summeval._numbers import whole

MOST_WORKERS = 1024


def check_workers(workers: int) -> int:
    """The number of threads that `workers` asks for: -1 is every processor of this process."""
    number = whole(workers)
    if number is None or number == 0 or number < -1:
        raise ValueError(f"workers is {workers!r}; give a number of threads, or -1 for all")
    if number > 0:
        return min(number, MOST_WORKERS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
