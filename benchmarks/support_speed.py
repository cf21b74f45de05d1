"""What `support` costs, beside its goals.

    python benchmarks/support_speed.py

Made-up texts: 1,000 pairs of a summary of 59 tokens and a source of 394, all read anew; 1,000
summaries beside one prepared source of 800 tokens. One worker; the least processor time of 20
rounds. Prints both figures with their goals, and how often ROUGE-1's time they are, as a measure of
the machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import texts

import summeval

PAIR = texts.Shape(59, 394, (14, 25), 0.6, (2, 12), 1)
REWARD = texts.Shape(59, 800, (14, 25), 0.6, (2, 12), 1000)
ROUNDS, ROWS = 20, 1000


def main() -> int:
    """Measure and print; returns the exit status."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    support, rouge = summeval.metric("support"), summeval.metric("rouge1", stemmer="porter")
    candidates, sources = texts.make_pairs(PAIR, ROWS)
    lists = [[source] for source in sources]
    others, (source, *_) = texts.make_pairs(REWARD, ROWS)
    ready, plain = support.prepare(source=source), rouge.prepare(source)
    least = [float("inf")] * 4
    calls: list[Callable[[], object]] = [
        lambda: support.score_batch(candidates, sources=lists),
        lambda: rouge.score_batch(candidates, lists),
        lambda: ready.score_batch(others),
        lambda: plain.score_batch(others),
    ]
    for _ in range(ROUNDS):
        for number, call in enumerate(calls):
            begin = time.process_time()
            call()
            least[number] = min(least[number], time.process_time() - begin)
    pair, rouge_pair, reward, rouge_reward = (seconds / ROWS * 1e6 for seconds in least)
    print(
        f"a pair of 394 and 59 tokens: {pair:.1f} µs (goal: 6), {pair / rouge_pair:.1f} × ROUGE-1"
    )
    print(
        f"beside a prepared source of 800 tokens: {1e6 / reward:,.0f} summaries a second (goal:"
        f" 50,000), {reward:.1f} µs, {reward / rouge_reward:.1f} × ROUGE-1"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
