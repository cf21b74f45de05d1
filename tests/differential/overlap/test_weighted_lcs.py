"""ROUGE-W by its matches alone gives what the whole table gives, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from definitions import rouge as twin
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from summeval._core.overlap.rouge import counts
from summeval._core.text.analyzer import Analyzer
from summeval.metrics.rouge.measures import parse

# A weight below 1 makes rows fall; with 1.2 sums differ by the order in which they are added.
NAMES = ["rougeW-1.2", "rougeW-2", "rougeW-0.5", "rougeW-1"]
MEASURES = [parse(name) for name in NAMES]

Text = list[list[int]]


def written(text: Text) -> str:
    return "\n".join(" ".join(f"w{token}" for token in line) for line in text)


def joined(text: Text) -> list[int]:
    return [token for line in text for token in line]


def check(candidates: list[Text], references: list[Text]) -> None:
    """Each candidate against all references; also as the text of several that are scored."""
    sides = [[written(text) for text in side] for side in (candidates, references)]
    _, found = counts(Analyzer(), MEASURES, sides[0], [sides[1]] * len(candidates))
    read = [[twin.analyse(text.encode()) for text in side] for side in sides]
    rows: Iterator[NDArray[np.float64]] = iter(found)
    for candidate in read[0]:
        for reference in read[1]:
            row = next(rows)
            for m, name in enumerate(NAMES):
                wanted = twin.count(reference, candidate, twin.parse_measure(name))
                assert row[m].tolist() == list(wanted), name


lines = st.integers(1, 12).flatmap(
    lambda types: st.lists(st.lists(st.integers(0, types), max_size=40), max_size=4)
)


@settings(max_examples=100, deadline=None)
@given(st.lists(lines, min_size=1, max_size=2), st.lists(lines, min_size=1, max_size=3))
def test_lines_of_few_types(candidates: list[Text], references: list[Text]) -> None:
    check(candidates, references)


def altered(rng: np.random.Generator, ids: list[int], types: int) -> list[int]:
    """The tokens with some left out, some repeated, some others put in, and a part moved."""
    found: list[int] = []
    for token in ids:
        draw = rng.random()
        if draw > 0.1:
            found += [token] * (2 if draw > 0.95 else 1)
        if draw < 0.2:
            found += rng.integers(0, 2 * types, 1 + int(10 * draw)).tolist()
    begin, end = sorted(rng.integers(0, len(found) + 1, 2).tolist())
    return found[end:] + found[begin:end] + found[:begin]


@every("types", [3, 12, 40, 200])
@every("length", [1, 15, 16, 17, 63, 64, 65, 130])
def test_lines_that_share_runs(types: int, length: int) -> None:
    rng = np.random.default_rng(types * length)
    reference = [rng.integers(0, types, length).tolist() for _ in range(2)]
    candidate = [altered(rng, line, types) for line in reference[::-1]]
    check([candidate, [joined(candidate)]], [reference, [joined(reference)]])


def test_unknown_tokens_between_matches() -> None:
    """Runs of tokens that the reference lacks, at both ends and in between, and next to nothing."""
    unknown = [90, 91, 92]
    for gap in (0, 1, 2, 3):
        parts = [unknown[:gap], [1], unknown[:gap], [2, 3], unknown[:gap], [1, 2], unknown[:gap]]
        candidate = joined(parts)
        for reference in ([1, 2, 3], [1, 2, 50, 60, 3, 1, 2], [2, 70, 1], [3, 2, 1, 3, 2, 1, 80]):
            check([[candidate], [candidate, candidate[::-1]]], [[reference], [reference] * 2])


def test_a_run_counts_on_only_in_the_next_row() -> None:
    """Rows without a match, and rows of another token, end a run."""
    candidate = [1, 2, 3, 4, 1, 2, 3, 4]
    for reference in (
        [1, 2, 9, 3, 4],
        [1, 2, 2, 3, 4],
        [1, 1, 1, 2, 3],
        [4, 3, 2, 1],
        [1, 2, 3, 4, 4, 3, 2, 1, 2, 3],
    ):
        check([[candidate + [5, 6, 7, 8, 9] * 3]], [[[*reference, 30, 31, 32, 33]]])
