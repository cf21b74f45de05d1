"""Fit the guard of rewards against stitched texts, and measure what it does to honest ones.

    python benchmarks/people/seams.py FOLDER --fit
    python benchmarks/people/seams.py FOLDER [--json OUT]
    python benchmarks/people/seams.py FOLDER --climb STEPS [--limit TOPICS] [--no-ties]

FOLDER holds the sets as for gaming.py. --fit writes src/summeval/interop/data/seams.json from the
topics that gaming.py does not hold out: a logistic regression of honest summaries against stitched
texts, first from random words and pieces, then from searches (`summeval.study.climbing`) that got
past the fit before, ROUNDS of them; the factor is 1 up to the LOW share of honest texts, and 0 from
the HIGH one on. What may be copied are the references for one fit and the source for another.

Without --fit nothing is written: of the held-out topics the share of honest summaries whose reward
the guard lowers by a fifth or to 0, for each set and preset; and of summaries that people wrote
those whose reward is below .3. --climb searches instead for texts with the reward of an honest
summary, from random words, mosaics and clauses, on the first held-out topics of each set; with
--no-ties an edit is kept only if it gains something.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gaming import RATED, read, summaries

from summeval.cli.bench.gaming import scorers_of, usual_beside
from summeval.interop.reward import Rewards
from summeval.interop.shaping import guards
from summeval.interop.shaping.presets import PRESETS
from summeval.study.climbing import STARTS, Material, climb, study_climbs
from summeval.study.gaming import PEOPLE, Honest, twin

FILE = Path(__file__).parents[2] / "src/summeval/interop/data/seams.json"
KINDS = {"references": ("content",), "source": ("faithful", "overall")}
ROUNDS, STEPS = 3, 120
LOW, HIGH = 0.965, 0.995
PENALTY = 1.0  # of the squares of weights, of numbers of unit spread
SEARCHED = 10  # summaries that searches climb after, in each round and for each preset
STITCHED = ("spliced-halves", "mosaic", "function-word-bag")  # attacks that the fit sees
PEOPLE_BELOW = 0.3


def main(argv: Sequence[str] | None = None) -> int:
    """Fit or measure; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--climb", type=int)
    parser.add_argument("--presets", type=lambda text: text.split(","), default=[*PRESETS])
    parser.add_argument("--starts", type=lambda text: text.split(","), default=[*STARTS])
    parser.add_argument("--no-ties", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    part = "dev" if arguments.fit else "held-out"
    texts = {
        name: summaries(name, list(read(arguments.folder, name, part, arguments.limit)), rated=True)
        for name in RATED
    }
    if arguments.fit:
        fit(texts)
        return 0
    rows: list[dict[str, Any]]
    if arguments.climb:
        rows = climbs(texts, arguments)
    else:
        rows = [row for preset in arguments.presets for row in harm(preset, texts)]
    for row in rows:
        print(json.dumps(row))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def climbs(texts: dict[str, list[Honest]], arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The searches over all sets; prints of each scorer and start the text that got furthest."""
    scorers, _ = scorers_of([], arguments.presets)
    named = [
        Honest(f"{name}/{one.topic}", one.system, one.case)
        for name, some in texts.items()
        for one in some
    ]
    found = study_climbs(
        named,
        scorers,
        arguments.climb,
        starts=arguments.starts,
        ties=not arguments.no_ties,
        usual=usual_beside,
    )
    worst: dict[tuple[str, str], str] = {}
    for row in found.tables[1].rows:
        worst.setdefault((str(row["scorer"]), str(row["start"])), str(row["text"]))
    return [
        {**row, "worst": worst.get((str(row["scorer"]), str(row["start"])))}
        for row in found.tables[0].rows
    ]


def ground_of(kind: str, one: Honest) -> guards.Ground | None:
    """Return what may be copied beside a summary; None if it is not there."""
    given = one.case.references if kind == "references" else one.case.source
    if not given:
        return None
    return guards.ground_of(*((given, ()) if kind == "references" else ((), given)))


def numbers(kind: str, one: Honest, text: str) -> tuple[float, ...] | None:
    """The numbers of a text beside what may be copied; None where no guard looks."""
    ground = ground_of(kind, one)
    if ground is None:
        return None
    found = ground.seams(text)
    return found if any(found) else None


def fit(texts: dict[str, list[Honest]]) -> None:
    """Write the weights and bounds of both kinds, round after round."""
    draw = random.Random(0)
    every = [one for some in texts.values() for one in some]
    good: dict[str, list[tuple[float, ...]]] = {}
    weights: dict[str, list[float]] = {}
    for kind in KINDS:
        good[kind], weights[kind] = [], []
        for some in texts.values():
            found = [numbers(kind, one, one.case.text) for one in some]
            kept = [one for one in found if one is not None]
            good[kind] += kept
            weights[kind] += [1.0 / len(kept)] * len(kept)  # each set counts the same
    bad = {kind: [*begun(kind, draw.sample(every, min(len(every), 600)), draw)] for kind in KINDS}
    write({kind: regress(good[kind], weights[kind], bad[kind]) for kind in KINDS})
    for turn in range(ROUNDS):
        for kind in KINDS:
            bad[kind] += [one for one in climbed(kind, every, draw, turn) for _ in range(4)]
        fits = {kind: regress(good[kind], weights[kind], bad[kind]) for kind in KINDS}
        write(fits)
        for kind, one in fits.items():
            told = {key: one[key] for key in ("low", "high", "auc", "passed")}
            print(f"round {turn + 1}, {kind}: {len(good[kind])} honest, {len(bad[kind])}", told)


def begun(kind: str, some: Sequence[Honest], draw: random.Random) -> Iterator[tuple[float, ...]]:
    """The numbers of texts that no search has made."""
    for one in some:
        for text in stitched(one, draw):
            found = numbers(kind, one, text)
            if found is not None:
                yield found


def climbed(
    kind: str, every: Sequence[Honest], draw: random.Random, turn: int
) -> Iterator[tuple[float, ...]]:
    """The numbers of texts that searches found against the fit before."""
    scorers, _ = scorers_of([], KINDS[kind])
    for scorer in scorers:
        some = [one for one in every if all(getattr(one.case, what) for what in scorer.sees)]
        for one in draw.sample(some, min(SEARCHED, len(some))):
            for start in ("words", "mosaics"):
                found = climb(one, scorer, start, STEPS, seed=turn)
                told = None if found is None else numbers(kind, one, found.text)
                if told is not None:
                    yield told


def stitched(one: Honest, draw: random.Random) -> Iterator[str]:
    """Texts of random words and pieces, and of attacks that join pieces."""
    material = Material.of(one)
    length = len(one.case.text.split())
    for start in ("words", "mosaics"):
        for words in STARTS[start](material, length, draw)[:2] if material.words else ():
            yield " ".join(words)
    for attack in STITCHED:
        text = twin(attack, one.case, 1)
        if text is not None:
            yield text


def regress(
    good: Sequence[tuple[float, ...]], weights: Sequence[float], bad: Sequence[tuple[float, ...]]
) -> dict[str, Any]:
    """A logistic regression by Newton's method, and the bounds of honest texts."""
    rows = np.array([*good, *bad])
    spread = rows.std(axis=0)
    spread[spread == 0] = 1.0
    mean = rows.mean(axis=0)
    scaled = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
    label = np.array([0.0] * len(good) + [1.0] * len(bad))
    weight = np.array([*weights, *[1.0] * len(bad)])
    weight[: len(good)] *= len(good) / weight[: len(good)].sum()
    weight[len(good) :] *= len(good) / len(bad)
    beta = np.zeros(scaled.shape[1])
    penalty = np.full(len(beta), PENALTY)
    penalty[-1] = 0.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(scaled @ beta, -30, 30)))
        slope = scaled.T @ (weight * (p - label)) + penalty * beta
        curve = (scaled * (weight * p * (1 - p))[:, None]).T @ scaled + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curve, slope)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    final = beta[:-1] / spread
    final = np.array([float(f"{one:.6g}") for one in final])
    sums = rows @ final
    order = np.argsort(sums[: len(good)])
    share = np.cumsum(weight[: len(good)][order]) / weight[: len(good)].sum()
    low, high = (
        float(sums[: len(good)][order][min(len(good) - 1, np.searchsorted(share, one))])
        for one in (LOW, HIGH)
    )
    ranks = np.argsort(np.argsort(sums))
    auc = (ranks[len(good) :].mean() - (len(bad) - 1) / 2) / len(good)
    return {
        "weights": final.tolist(),
        "low": round(low, 6),
        "high": round(high, 6),
        "auc": float(auc),
        "passed": float((sums[len(good) :] < high).mean()),
    }


def write(fits: dict[str, dict[str, Any]]) -> None:
    """Write the fits, and have them used from now on."""
    told = {
        kind: {key: one[key] for key in ("weights", "low", "high")} for kind, one in fits.items()
    }
    FILE.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    guards.kernel_of.cache_clear()
    guards._tables.cache_clear()


def harm(preset: str, texts: dict[str, list[Honest]]) -> Iterator[dict[str, Any]]:
    """What the guard does to honest summaries of each set, and rewards of people's."""
    rewards = Rewards.preset(preset, on_error="skip")
    factors, own = defaultdict(list), defaultdict(list)
    for name, some in texts.items():
        for one in some:
            case = one.case
            if not all(getattr(case, what) for what in rewards.reads):
                continue
            sources = [[*case.source]] if "source" in rewards.reads else None
            judged = rewards.judge([case.text], [[*case.references]], sources)
            for whose in (name, "all"):
                factors[whose].append(judged.parts["seamless"][0])
                if one.system == PEOPLE:
                    own[whose].append(judged.rewards[0] or 0.0)
    for name, found in factors.items():
        told = np.array(found)
        yield {
            "preset": preset,
            "set": name,
            "texts": len(found),
            "lowered by a fifth": round(float((told < 0.8).mean()), 4),
            "to 0": round(float((told == 0).mean()), 4),
            "people": len(own[name]),
            "people below .3": round(float((np.array(own[name]) < PEOPLE_BELOW).mean()), 4)
            if own[name]
            else None,
        }


if __name__ == "__main__":
    sys.exit(main())
