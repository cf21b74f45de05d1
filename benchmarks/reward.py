"""The reward of a training loop beside the same through rouge-score, and its memory.

    python benchmarks/reward.py [--calls 100000] [--rounds 200] [--json OUT]

A call scores a group of 8 completions of one prompt against its reference. Both sides get the same
groups in turn, in one process; times are p50 over the rounds, each on another group, so that no
reference has been read before. The rewards are compared before anything is timed. Then each preset
rewards the same groups beside a source of about 900 words, and their first completions alone:
processor time for a completion, p10, p50 and p99 over the calls, each with a reference and a source
that no cache holds, and then again with these kept. Then the trl
adapter is called `--calls` times over 3,000 references, ten times what its cache keeps, and the
memory after every tenth is printed. It has seen each of them once before, since a str with a letter
outside ASCII keeps its UTF-8 from then on. Exit status 1 if rewards differ, or if the memory grows
by more than 1 MB after the first tenth.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import texts

from summeval.interop.reward import Rewards
from summeval.interop.shaping.presets import PRESETS
from summeval.interop.trl import Reward

GROUP = 8
GROWTH_BYTES = 1 << 20
CASES = (("rougeLsum",), ("rouge1", "rouge2", "rougeL"), ("rouge1",))
# Microseconds of a completion, new and kept, in a group and in a call of its own, on one core.
GOALS_US = {GROUP: (60, 35), 1: (200, 40)}
SOURCE_GROUPS = 6  # whose completions make up a source
GOALS = CASES[:2]  # to be 100 times as fast; what rouge1 takes is mostly Python's calls

Group = tuple[list[str], str]


def main(argv: list[str] | None = None) -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    groups = make_groups(min(3000, arguments.calls))
    report: dict[str, Any] = {"machine": platform.processor() or platform.machine()}
    report["calls"] = [compare(names, groups, arguments.rounds) for names in CASES]
    for row in report["calls"]:
        print(
            f"{row['metrics']:22} ours p50 {row['ours']:7.1f} us, p99 {row['ours_p99']:7.1f} us; "
            f"rouge-score p50 {row['rouge-score']:9.1f} us: {row['ratio']:.0f} times as long"
            f"{', goal 100' if row['goal'] else ''}"
        )
    report["presets"] = [
        cost_of(name, groups, arguments.rounds, size) for size in GOALS_US for name in PRESETS
    ]
    for row in report["presets"]:
        told = "; ".join(
            f"{key} p10 {row[key]['p10']:.1f}, p50 {row[key]['p50']:.1f}, p99 {row[key]['p99']:.1f}"
            f" us, goal {row[key]['goal']}"
            for key in ("new", "kept")
        )
        print(f"preset {row['preset']:9} {row['size']} a call: {told}")
    report["memory"] = memory(groups, arguments.calls)
    growth = report["memory"][-1] - report["memory"][0]
    told = ", ".join(f"{value / 1e6:.1f}" for value in report["memory"])
    print(f"memory over {arguments.calls:,} calls, MB: {told}; growth {growth / 1e6:+.2f} MB")
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(growth > GROWTH_BYTES)


def make_groups(count: int) -> list[Group]:
    """Groups of GROUP completions and their reference."""
    shape = texts.Shape(63, 48, (11, 23), 0.3, (1, 5), GROUP)
    candidates, references = texts.make_pairs(shape, count * GROUP)
    starts = range(0, count * GROUP, GROUP)
    return [(candidates[begin : begin + GROUP], references[begin]) for begin in starts]


def compare(names: tuple[str, ...], groups: list[Group], rounds: int) -> dict[str, Any]:
    """The times of both for a group, in microseconds."""
    from rouge_score import rouge_scorer

    reward, scorer = Reward(list(names), reference_column="gold"), rouge_scorer.RougeScorer(names)

    def ours(group: Group) -> list[float | None]:
        return reward(completions=group[0], gold=[group[1]] * GROUP)

    def theirs(group: Group) -> list[float]:
        scores = [scorer.score(group[1], text) for text in group[0]]
        return [sum(score[name].fmeasure for name in names) for score in scores]

    for group in groups[:20]:
        for mine, other in zip(ours(group), theirs(group), strict=True):
            if mine is None or abs(mine - other) > 1e-9:
                raise SystemExit(f"{names}: {mine} is not rouge-score's {other}")
    spent: dict[str, list[float]] = {"ours": [], "rouge-score": []}
    for turn in range(rounds):
        group = groups[turn % len(groups)]
        spent["ours"].append(clock(ours, group))
        if turn % 10 == 0:
            spent["rouge-score"].append(clock(theirs, group))
    mine, other = (statistics.median(times) for times in spent.values())
    return {
        "metrics": ", ".join(names),
        "ours": mine,
        "ours_p99": sorted(spent["ours"])[int(0.99 * rounds)],
        "rouge-score": other,
        "ratio": other / mine,
        "goal": names in GOALS,
    }


def cost_of(name: str, groups: list[Group], rounds: int, size: int = GROUP) -> dict[str, Any]:
    """Processor time of a preset for a completion, in microseconds: of new texts, and of kept ones.

    `size` completions in a call. The groups before those that are timed make the process warm.
    """
    rewards = Rewards.preset(name)
    spent: list[list[float]] = [[], []]
    for call in calls_of(groups, rounds, size):
        for kept in (0, 1):
            begin = time.process_time_ns()
            rewards(*call)
            spent[kept].append((time.process_time_ns() - begin) / 1e3 / size)
    found: dict[str, Any] = {"preset": name, "size": size}
    for key, goal, times in zip(("new", "kept"), GOALS_US[size], spent, strict=True):
        ordered = sorted(times[20:] or times)
        shares = {f"p{share}": ordered[share * len(ordered) // 100] for share in (10, 50, 99)}
        found[key] = {**shares, "goal": goal}
    return found


def calls_of(
    groups: list[Group], rounds: int, size: int = GROUP
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Calls with `size` completions, each with a reference and a source that no other call has."""
    for place, (completions, reference) in enumerate(groups[: rounds + 20]):
        others = [groups[(place + step) % len(groups)][0] for step in range(1, SOURCE_GROUPS)]
        source = "\n".join([*completions, *(text for some in others for text in some[:1])])
        yield completions[:size], [reference] * size, [source] * size


def clock(call: Callable[[Group], object], group: Group) -> float:
    """Microseconds of one call."""
    begin = time.perf_counter_ns()
    call(group)
    return (time.perf_counter_ns() - begin) / 1e3


def memory(groups: list[Group], calls: int) -> list[int]:
    """Resident bytes after each tenth of the calls, which begin when all groups were seen once."""
    reward = Reward(["rouge1", "rouge2", "rougeL"], reference_column="gold")
    for completions, gold in groups:
        reward(completions=completions, gold=[gold] * GROUP)
    found = []
    for part in range(10):
        for call in range(calls // 10):
            completions, gold = groups[(part * calls // 10 + call) % len(groups)]
            reward(completions=completions, gold=[gold] * GROUP)
        found.append(resident())
    return found


def resident() -> int:
    """Resident bytes of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


if __name__ == "__main__":
    sys.exit(main())
