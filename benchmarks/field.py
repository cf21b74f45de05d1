"""BLEU, chrF and others beside the programs that their numbers come from, on the same pairs.

    python benchmarks/field.py [--pairs FILE] [--rows N] [--words N] [--rounds N] [--json OUT]
                               [--tests] [METRIC ...]

Installs nothing: sacrebleu 2.6, nltk, jiwer, rapidfuzz and pycocoevalcap take part where they are
there. All run in one process, in turn; each figure is the median CPU time of a pair over the
rounds: of a batch, of single calls, of candidates with one prepared reference (the first), of a
corpus. The originals score pair by pair; sacrebleu forgets its tokens between rounds. Numbers are
compared before they are timed; the exit status is 1 if one differs by more than 1e-9. --tests times
instead the slowest single pair of each metric, the best of the rounds, and what a paired bootstrap
of 1,000 samples takes beyond the scoring of both systems, of which the second has the texts of the
next row.

Without FILE the texts are made up by benchmarks/texts.py; see benchmarks/peers.py for its form.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import peers
import texts

import summeval

Values = Callable[[list[str], list[str]], list[float]]
NAMES = (
    *("bleu", "chrf", "chrf++", "gleu", "ter", "wer", "cer", "edit-similarity"),
    *("meteor", "cider-d"),
)
SPLIT = {"gleu", "meteor"}  # whose originals take tokens: blanks make them on both sides
TOLERANCE = 1e-9
SLOW_SECONDS = 1.0  # an original gets no more pairs than it scores in this time


def of_sacrebleu(name: str) -> Values:
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    made = {
        "bleu": lambda: BLEU(effective_order=True),
        "chrf": CHRF,
        "chrf++": lambda: CHRF(word_order=2),
        "ter": TER,
    }
    score = made[name]().sentence_score

    def values(own: list[str], others: list[str]) -> list[float]:
        for kept in (Tokenizer13a, TokenizerRegexp):  # or the rounds after the first read nothing
            kept.__call__.cache_clear()
        return [score(a, [b]).score / 100 for a, b in zip(own, others, strict=True)]

    return values


def of_gleu(name: str) -> Values:
    from nltk.translate.gleu_score import sentence_gleu as score

    return lambda own, others: [
        score([b.split()], a.split()) for a, b in zip(own, others, strict=True)
    ]


def of_meteor(name: str) -> Values:
    from nltk.translate.meteor_score import meteor_score as score

    return lambda own, others: [
        score([b.split()], a.split()) for a, b in zip(own, others, strict=True)
    ]


def of_jiwer(name: str) -> Values:
    import jiwer

    score = getattr(jiwer, name)
    return lambda own, others: [score(b, a) for a, b in zip(own, others, strict=True)]


def of_rapidfuzz(name: str) -> Values:
    from rapidfuzz import distance, fuzz

    kinds = ("Levenshtein", "Indel", "DamerauLevenshtein", "OSA", "LCSseq", "Jaro", "JaroWinkler")
    calls = [getattr(distance, kind).normalized_similarity for kind in kinds]
    calls += [fuzz.token_sort_ratio, fuzz.token_set_ratio]  # all fields that we have
    return lambda own, others: [
        next(iter([call(a, b) for call in calls])) for a, b in zip(own, others, strict=True)
    ]


def of_cider(name: str) -> Values:
    from pycocoevalcap.cider.cider import Cider

    def values(own: list[str], others: list[str]) -> list[float]:
        rows = range(len(own))
        found = Cider().compute_score({k: [others[k]] for k in rows}, {k: [own[k]] for k in rows})
        return [float(value) for value in found[1]]

    return values


ORIGINALS: dict[str, Callable[[str], Values]] = {
    **dict.fromkeys(("bleu", "chrf", "chrf++", "ter"), of_sacrebleu),
    "gleu": of_gleu,
    "meteor": of_meteor,
    "wer": of_jiwer,
    "cer": of_jiwer,
    "edit-similarity": of_rapidfuzz,
    "cider-d": of_cider,
}


def calls_of(
    name: str, metric: Any, own: list[str], others: list[str]
) -> dict[str, tuple[Callable[[], object], int]]:
    """Our ways to score, and of how many pairs each is."""
    rows = len(own)
    if name == "cider-d":  # its numbers are those of a corpus
        return {"corpus": (lambda: metric.corpus(own, others), rows)}
    pairs = list(zip(own, others, strict=True))
    prepared = metric.prepare(others[0])
    return {
        "batch": (lambda: metric.score_batch(own, others), rows),
        "single call": (lambda: [metric.score(a, b) for a, b in pairs], rows),
        "prepared": (lambda: [prepared.score(a) for a in own], rows),
        "prepared batch": (lambda: prepared.score_batch(own), rows),
        "corpus": (lambda: metric.corpus(own, others), rows),
    }


def own_values(name: str, metric: Any, own: list[str], others: list[str]) -> list[float]:
    if name == "cider-d":
        return [float(value) for value in metric.corpus(own, others).rows]
    found: list[float] = metric.score_batch(own, others)[name].tolist()
    return found


def seconds(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def measure(name: str, pairs: tuple[list[str], list[str]], rounds: int) -> dict[str, Any] | None:
    """Return µs a pair of each way, and by how much the numbers differ; None if one is absent."""
    try:
        metric = summeval.metric(name, **({"tokenizer": "whitespace"} if name in SPLIT else {}))
        original = ORIGINALS[name](name)
        original(["a cat"], ["the dog"])
    except (ImportError, LookupError, ValueError) as error:
        told = next(line for line in str(error).splitlines() if line.strip(" *"))
        print(f"{name}: left out: {told.strip()}", file=sys.stderr)
        return None
    own, others = pairs
    trial = seconds(lambda: original(own[:20], others[:20])) / 20
    few = max(20, min(len(own), int(SLOW_SECONDS / trial)))
    some, beside = own[:few], others[:few]
    both = zip(own_values(name, metric, some, beside), original(some, beside), strict=True)
    apart = max(abs(a - b) for a, b in both)
    calls: dict[str, tuple[Callable[[], object], int]] = {
        "original": (lambda: original(some, beside), few)
    }
    calls |= calls_of(name, metric, own, others)
    found: dict[str, list[float]] = {way: [] for way in calls}
    gc.disable()
    for _ in range(rounds):
        for way, (call, rows) in calls.items():
            found[way].append(seconds(call) / rows * 1e6)
    gc.enable()
    medians = {way: statistics.median(values) for way, values in found.items()}
    return {"metric": name, "apart": apart, "us": medians}


def show_tests(name: str, pairs: tuple[list[str], list[str]], rounds: int) -> None:
    """Print the slowest pair of a metric, and how much a paired test takes beyond scoring."""
    own, others = pairs
    metric = summeval.metric(name)
    slowest = max(
        min(seconds(partial(metric.score, a, b)) for _ in range(rounds))
        for a, b in zip(own, others, strict=True)
    )
    second = own[1:] + own[:1]
    ways = {
        "scored": lambda: [metric.statistics(side, others) for side in (own, second)],
        "tested": lambda: summeval.meta.paired_test(metric, second, own, others, samples=1000),
    }
    found = {way: min(seconds(call) for _ in range(rounds)) for way, call in ways.items()}
    beyond = (found["tested"] - found["scored"]) * 1e3
    print(
        f"{name:<15} slowest pair {slowest * 1e6:.0f} µs, paired bootstrap {beyond:.0f} ms beyond"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="all, if none is given")
    parser.add_argument("--pairs", help="pairs, JSONL or JSONL.gz")
    parser.add_argument("--rows", type=int, default=1000, help="how many pairs")
    parser.add_argument("--words", type=int, help="take pairs of about so many words a candidate")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--tests", action="store_true", help="slowest pairs and paired tests")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    own, others = (
        peers.read(options.pairs) if options.pairs else texts.make_pairs(texts.SHORT, 3000)
    )
    rows = list(zip(own, others, strict=True))
    if options.words:
        near = options.words * 0.8, options.words * 1.2
        rows = [row for row in rows if near[0] <= len(row[0].split()) <= near[1]]
    rows = rows[: options.rows]
    if not rows:
        parser.error("no pair is of this length")
    pairs = [row[0] for row in rows], [row[1] for row in rows]
    if options.tests:
        for name in options.metrics or NAMES:
            if name != "cider-d":  # which has no score of a single pair
                show_tests(name, pairs, options.rounds)
        return 0
    found = [measure(name, pairs, options.rounds) for name in options.metrics or NAMES]
    done = [one for one in found if one is not None]
    words = statistics.mean(len(text.split()) for side in pairs for text in side)
    print(f"{len(rows)} pairs, {words:.0f} words a text; µs a pair (times as fast as the original)")
    ways = ("batch", "single call", "prepared", "prepared batch", "corpus")
    print(f"{'metric':<15} {'original':>9}", *(f"{way:>15}" for way in ways))
    for one in done:
        us = one["us"]
        cells = [
            f"{us[way]:.2f} ({us['original'] / us[way]:.0f}x)" if way in us else "" for way in ways
        ]
        print(f"{one['metric']:<15} {us['original']:>9.1f}", *(f"{cell:>15}" for cell in cells))
    wrong = [f"{one['metric']} by {one['apart']:.2g}" for one in done if one["apart"] > TOLERANCE]
    if wrong:
        print(f"numbers differ: {', '.join(wrong)}", file=sys.stderr)
    if options.json:
        options.json.write_text(json.dumps(done, indent=1) + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
