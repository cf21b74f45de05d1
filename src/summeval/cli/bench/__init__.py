"""`summeval bench`: what it measures."""

from __future__ import annotations

DESCRIPTION = "Measure what the package has: its solvers, and how easily its metrics are gamed."
EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval bench solvers --help"""
DEST = "what"
COMMANDS: dict[str, tuple[str, str]] = {
    "solvers": ("bench.solvers", "time the solvers and check every answer"),
    "gaming": ("bench.gaming", "honest summaries beside degenerate twins, by metric and reward"),
}
