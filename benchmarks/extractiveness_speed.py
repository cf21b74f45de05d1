"""What `extractiveness` costs, beside its goal, and beside the algorithm of the paper.

    python benchmarks/extractiveness_speed.py

Made-up texts: 1,000 pairs of a summary of 59 tokens and a source of 394, all read anew; 1,000
summaries beside one prepared source of 800 tokens, and 20 of these by the algorithm of figure 2 of
Grusky and others 2018 in Python, as the package newsroom has it (the definition in
`tests/definitions/fragments.py`, coverage and density alone). Then texts that repeat themselves, of
twice the length each time: a linear algorithm takes twice as long. One worker; the least processor
time of the rounds.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import texts

import summeval
from summeval.text import tokens

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from definitions import fragments as twin

PAIR = texts.Shape(59, 394, (14, 25), 0.6, (2, 12), 1)
REWARD = texts.Shape(59, 800, (14, 25), 0.6, (2, 12), 1000)
ROUNDS, ROWS, FEW = 20, 1000, 20
GOAL = 100_000


def main() -> int:
    """Measure and print; returns the exit status."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    metric, rouge = summeval.metric("extractiveness"), summeval.metric("rouge1")
    candidates, sources = texts.make_pairs(PAIR, ROWS)
    lists = [[source] for source in sources]
    others, (source, *_) = texts.make_pairs(REWARD, ROWS)
    ready, plain = metric.prepare(source=source), rouge.prepare(source)
    split = [tokens(text, "unicode") for text in (source, *others[:FEW])]
    calls: list[Callable[[], object]] = [
        lambda: metric.score_batch(candidates, sources=lists),
        lambda: rouge.score_batch(candidates, lists),
        lambda: ready.score_batch(others),
        lambda: plain.score_batch(others),
        lambda: [twin.fragments(other, split[:1]) for other in split[1:]],
    ]
    least = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for number, call in enumerate(calls):
            least[number] = min(least[number], took(call))
    pair, rouge_pair, reward, rouge_reward, paper = (
        seconds / rows * 1e6 for seconds, rows in zip(least, [ROWS] * 4 + [FEW], strict=True)
    )
    print(f"a pair of 394 and 59 tokens: {pair:.1f} µs, {pair / rouge_pair:.1f} × ROUGE-1")
    print(
        f"beside a prepared source of 800 tokens: {1e6 / reward:,.0f} summaries a second (goal:"
        f" {GOAL:,}), {reward:.1f} µs, {reward / rouge_reward:.1f} × ROUGE-1,"
        f" {paper / reward:,.0f} times as fast as figure 2 in Python"
    )
    for name, make in REPEATING.items():
        times = []
        for size in (25_000, 50_000, 100_000):
            left, right = make(size)
            call = partial(metric.score, left, source=right)
            times.append(min(took(call) for _ in range(3)))
        shown = ", ".join(f"{seconds:.3f}" for seconds in times)
        print(f"{name}, of 25,000, 50,000 and 100,000 words: {shown} s")
    return 0


def one_word(size: int) -> tuple[str, str]:
    """One word alone."""
    return "the " * size, "the " * size


def every_other(size: int) -> tuple[str, str]:
    """Every other word is the same, and no two in a row are in both texts."""
    left, right = (" ".join(f"the {name}{k}" for k in range(size // 2)) for name in "uv")
    return left, right


def passed_over(size: int) -> tuple[str, str]:
    """The longest match at each fourth word begins within a shorter one, and is passed over."""
    numbers = list(range(size // 4))
    left = " ".join(f"x x y{k} z" for k in numbers)
    random.Random(1).shuffle(numbers)
    return left, " ".join(f"x x x y{k}" for k in numbers)


REPEATING = {
    "one word": one_word,
    "every other word the same": every_other,
    "matches passed over, made to take long": passed_over,
}


def took(call: Callable[[], object]) -> float:
    """The processor time of a call."""
    begin = time.process_time()
    call()
    return time.process_time() - begin


if __name__ == "__main__":
    sys.exit(main())
