"""How many threads a call is to use."""

from __future__ import annotations

import os

MOST_WORKERS = 1024


def check_workers(workers: int) -> int:
    """The number of threads that `workers` asks for: -1 is every processor of this process."""
    if not isinstance(workers, int) or isinstance(workers, bool) or workers == 0 or workers < -1:
        raise ValueError(f"workers is {workers!r}; give a number of threads, or -1 for all")
    if workers > 0:
        return min(workers, MOST_WORKERS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
