"""The diversity of a group of texts in plain Python.

Self-BLEU: Zhu and others 2018, "Texygen: A Benchmarking Platform for Text Generation Models", with
NLTK's `method1`; distinct-n: Li and others 2016, "A Diversity-Promoting Objective Function for
Neural Conversation Models"; entropy: Zhang and others 2018, "Generating Informative and Diverse
Conversational Responses via Adversarial Information Maximization"; the others: the package
diversity 0.3.1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import exp, isnan, log, nan

from definitions.field.bleu import grams

ORDERS = (1, 2, 3, 4)


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are there."""
    there = [value for value in values if not isnan(value)]
    return sum(there) / len(there) if there else nan


def self_bleu(texts: Sequence[Sequence[str]], own: int, orders: int) -> float:
    """Return BLEU of one text beside all others, with equal weights up to an order."""
    others = [text for place, text in enumerate(texts) if place != own]
    if not others:
        return nan
    length, logs = len(texts[own]), 0.0
    for n in range(1, orders + 1):
        most = Counter[tuple[str, ...]]()
        for other in others:
            most |= grams(other, n)
        mine = grams(texts[own], n)
        shared = (mine & most).total()
        if n == 1 and not shared:
            return 0.0
        logs += log((shared or 0.1) / max(1, mine.total()))
    closest = min((abs(len(other) - length), len(other)) for other in others)[1]
    return (1.0 if length > closest else exp(1 - closest / length)) * exp(logs / orders)


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Return twice the longest common subsequence by both lengths; NaN for two empty texts."""
    row = [0] * (len(other) + 1)
    for a in one:
        row, before = [0], row
        for j, b in enumerate(other):
            row.append(before[j] + 1 if a == b else max(before[j + 1], row[j]))
    return 2 * row[-1] / (len(one) + len(other)) if one or other else nan


def distinct(texts: Sequence[Sequence[str]], n: int) -> float:
    """Return the different n-grams by all n-grams of the texts."""
    found = sum((grams(text, n) for text in texts), Counter[tuple[str, ...]]())
    return len(found) / found.total() if found else nan


def entropy(texts: Sequence[Sequence[str]], n: int) -> float:
    """Return the entropy of the n-grams, in nats."""
    counts = sum((grams(text, n) for text in texts), Counter[tuple[str, ...]]())
    all_ = counts.total()
    return -sum(c / all_ * log(c / all_) for c in counts.values()) if counts else nan


def of_texts(texts: Sequence[str], read: Sequence[Sequence[str]], near: float) -> list[list[float]]:
    """Return for each text its self-BLEU, distinct n-grams, self-repetition, ROUGE-L, nearness."""
    words = [re.findall("[a-z0-9]+", text.lower()) for text in texts]
    fours = [{*grams(tokens, 4)} for tokens in read]
    rows = []
    for own in range(len(texts)):
        others = [place for place in range(len(texts)) if place != own]
        alike = [likeness(words[own], words[place]) for place in others]
        nearness = [likeness(read[own], read[place]) for place in others]
        rows.append(
            [
                *(self_bleu(read, own, orders) for orders in (2, 3, 4)),
                *(distinct([read[own]], n) for n in ORDERS),
                log(1 + sum(gram in fours[place] for gram in fours[own] for place in others)),
                sum(0.0 if isnan(one) else one for one in alike) / len(alike) if alike else nan,
                float(any(isnan(one) or one >= near for one in nearness)) if nearness else nan,
            ]
        )
    return rows


def of_group(
    texts: Sequence[str], read: Sequence[Sequence[str]], rows: Sequence[Sequence[float]]
) -> list[float]:
    """Return the means of the texts' fields, then what the group has of itself."""
    if not texts:
        return [nan] * 19
    pieces = " ".join(texts).split(" ")
    return [
        *(mean(column) for column in zip(*rows, strict=True)),
        *(distinct(read, n) for n in ORDERS),
        *(entropy(read, n) for n in ORDERS),
        sum(distinct([pieces], n) for n in ORDERS if len(pieces) >= n),
    ]
