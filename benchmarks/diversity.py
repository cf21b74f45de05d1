"""Diversity of groups, lexical diversity and reading ease beside the programs of their numbers.

    python benchmarks/diversity.py [--texts N] [--words N] [--rounds N]

Installs nothing: nltk, lexicalrichness and textstat take part where they are there. All run in one
process, in turn; each figure is the median CPU time of a group, or of a text, over the rounds.
Numbers are compared before they are timed; the exit status is 1 if one differs by more than 1e-9.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import summeval
from summeval.text.syllables import easy_words

TOLERANCE = 1e-9
Call = Callable[[], Sequence[float]]


def self_bleu(texts: list[str]) -> tuple[Call, dict[str, Call]]:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smooth = SmoothingFunction().method1
    read = [text.split() for text in texts]

    def original() -> list[float]:
        return [
            sentence_bleu(read[:i] + read[i + 1 :], own, smoothing_function=smooth)
            for i, own in enumerate(read)
        ]

    metric = summeval.metric("diversity")
    plain = summeval.metric("diversity", compression=False)

    def of_group(chosen: Any) -> Call:
        return lambda: [chosen.group(texts).self_bleu4] * len(texts)

    return original, {
        "each": lambda: list(metric.each(texts)["self_bleu4"]),
        "group without compression": of_group(plain),
        "group": of_group(metric),
    }


def mtld_and_hdd(texts: list[str]) -> tuple[Call, dict[str, Call]]:
    from lexicalrichness import LexicalRichness

    def original() -> list[float]:
        made = [LexicalRichness(text) for text in texts]
        return [value for one in made for value in (one.mtld(), one.hdd())]

    metric = summeval.metric("lexical-diversity")

    def own() -> list[float]:
        scores = [metric.score(text) for text in texts]
        return [value for score in scores for value in (score.mtld, score.hdd)]

    return original, {"all fields": own}


def flesch(texts: list[str]) -> tuple[Call, dict[str, Call]]:
    import textstat

    metric = summeval.metric("reading-ease", compat="textstat-0.7")
    metric.score(texts[0])
    texts = [f"{text} {k}." for text in texts for k in range(4)]  # textstat keeps 128
    return (
        lambda: [textstat.flesch_reading_ease(text) for text in texts],
        {"all fields": lambda: [metric.score(text).flesch for text in texts]},
    )


def seconds(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", type=int, default=40)
    parser.add_argument("--words", type=int, default=30, help="42 or more for HD-D")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    chance, known = random.Random(1), sorted(easy_words())[:1000]
    texts = [" ".join(chance.choices(known, k=options.words)) + "." for _ in range(options.texts)]
    wrong = 0
    print(f"{options.texts} texts of {options.words} words; µs for all (times as fast)")
    for make in (self_bleu, mtld_and_hdd, flesch):
        try:
            original, calls = make(texts)
            wanted = original()
        except (ImportError, LookupError, ValueError) as error:
            print(f"{make.__name__}: left out: {str(error).strip().splitlines()[0]}")
            continue
        for found in (call() for call in calls.values()):
            apart = abs(statistics.mean(found) - statistics.mean(wanted))
            wrong += apart > TOLERANCE
        times: dict[str, list[float]] = {way: [] for way in ("original", *calls)}
        for _ in range(options.rounds):
            for way, call in {"original": original, **calls}.items():
                times[way].append(seconds(call) * 1e6)
        us = {way: statistics.median(values) for way, values in times.items()}
        print(f"{make.__name__}: original {us.pop('original'):.0f}", end="")
        first = statistics.median(times["original"])
        print("".join(f", {way} {value:.0f} ({first / value:.0f}x)" for way, value in us.items()))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
