"""The argument --workers, which several commands take."""

from __future__ import annotations

import argparse

from summeval._options import MOST_WORKERS
from summeval.cli.shared.errors import UsageError


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Declare the argument."""
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="number of threads, -1 for all processors [1]",
    )


def workers_of(arguments: argparse.Namespace) -> int:
    """The given number of threads; `UsageError` if it is invalid."""
    workers: int = arguments.workers
    if workers != -1 and not 1 <= workers <= MOST_WORKERS:
        raise UsageError(
            f"--workers takes a number from 1 to {MOST_WORKERS}, or -1 for all processors"
        )
    return workers
