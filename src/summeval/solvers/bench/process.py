"""Measure a back end in a separate process: `python -m summeval.solvers.bench.process`.

Standard input holds the pickled group, the name, the number of rounds and the clock; standard
output gets the pickled rows. The back end's own output goes to standard error.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace

from summeval.solvers.bench.groups import Group
from summeval.solvers.bench.rounds import BATCH, KERNEL, BenchRow, measure_here


def measure_apart(group: Group, name: str, rounds: int, clock: str = "wall") -> list[BenchRow]:
    """The row of a back end that ran in a separate process with the kernel.

    If its process dies, all problems count as errors.
    """
    search = os.pathsep.join(filter(None, sys.path))
    ran = subprocess.run(
        [sys.executable, "-m", __name__],
        input=pickle.dumps((group, name, rounds, clock)),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": search},
    )
    if ran.returncode:
        last = ran.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        said = "".join(f": {line}" for line in last)
        return [_dead(group, name, clock, f"its process ended with {ran.returncode}{said}")]
    rows: list[BenchRow] = pickle.loads(ran.stdout)
    return [replace(row, alone=True) for row in rows if row.solver not in (KERNEL, BATCH)]


def _dead(group: Group, name: str, clock: str, message: str) -> BenchRow:
    rows, columns, edges = group.size
    return BenchRow(
        problem=group.problem,
        family=group.family,
        solver=name,
        problems=len(group.arguments),
        rows=rows,
        columns=columns,
        edges=edges,
        alone=True,
        rounds=0,
        clock=clock,
        seconds=None,
        ratio=None,
        gain=None,
        wrong=0,
        refused=0,
        errors=len(group.arguments),
        message=message,
    )


def main() -> None:
    """Carry out the request on standard input."""
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    group, name, rounds, clock = pickle.load(sys.stdin.buffer)
    with answer:
        pickle.dump(measure_here(group, [KERNEL, name], rounds, clock), answer)


if __name__ == "__main__":
    main()
