"""Time the solvers and check every answer.

For each family all back ends solve the same problems, in rounds of alternating order, within one
process. Back ends that cannot share a process with another one run in a separate process with the
kernel, and their ratio refers to the kernel there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from summeval.solvers.bench.groups import Group
from summeval.solvers.bench.process import measure_apart
from summeval.solvers.bench.rounds import KERNEL, BenchRow, measure_here
from summeval.solvers.registry import Problem, back_ends, list_solvers

# Edges beyond which a back end runs only if it is named: it would take minutes.
MOST_EDGES = {"networkx": 100}


def measure(
    groups: Sequence[Group],
    chosen: Sequence[str] | None = None,
    rounds: int = 5,
    clock: str = "wall",
) -> Iterator[list[BenchRow]]:
    """Measure the back ends on each group; the rows of a group come when it is done.

    Parameters
    ----------
    groups : sequence of Group
    chosen : sequence of str or None
        Names of back ends; names that a problem lacks are skipped for it. None means all installed
        ones. The kernel always runs.
    rounds : int
        Rounds to time, at least 1; a back end that is slow gets fewer.
    clock : "wall" or "cpu"
        Wall-clock time, or CPU time of all threads together.

    Examples
    --------
    >>> from summeval.solvers.bench.groups import make_group
    >>> (rows,) = measure([make_group("transport", "tesla-60-1-graded", 2)], ["kernel"], 1)
    >>> [(row.solver, row.problems, row.failures) for row in rows]
    [('kernel', 2, 0), ('kernel-batch', 2, 0)]
    """
    for group in groups:
        shared, alone = split(group.problem, names_for(group, chosen))
        rows = measure_here(group, [KERNEL, *shared], rounds, clock)
        for name in alone:
            rows += measure_apart(group, name, rounds, clock)
        yield rows


def names_for(group: Group, chosen: Sequence[str] | None = None) -> list[str]:
    """The back ends other than the kernel that a group is measured with."""
    installed = [name for name in list_solvers(group.problem) if name != KERNEL]
    if chosen is not None:
        return [name for name in installed if name in chosen]
    edges = group.size[2]
    return [name for name in installed if edges <= MOST_EDGES.get(name, edges)]


def split(problem: Problem, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The back ends that can share this process, and those that need their own."""
    known = back_ends(problem)
    shared: list[str] = []
    alone: list[str] = []
    for name in names:
        clashes = any(module in sys.modules for module in known[name].clashes) or any(
            known[other].package in known[name].clashes
            or known[name].package in known[other].clashes
            for other in shared
        )
        (alone if clashes else shared).append(name)
    return shared, alone
