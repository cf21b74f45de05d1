"""The kernel of TER gives the edits of its definition."""

from __future__ import annotations

import random
from typing import Any

import pytest
from definitions.field import ter as twin
from hypothesis import example, given
from hypothesis import strategies as st

from summeval import Ter
from summeval._core.field.ter import TerKernel
from summeval.text import tokens

# What tercom splits, replaces and leaves out.
PIECES = [
    *"abAÉΣİ5637.,-?:;!\"()'& \t\n\x1c\xa0\u3000",
    *"市㉄㿿、。，！カｶ・",
    *("&quot;", "&AMP;", "&lt;", "'s ", "\n-", "3,5", "..", " "),
]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
OPTIONS: list[dict[str, Any]] = [
    {},
    {"normalized": True},
    {"normalized": True, "asian": True, "case": "keep"},
    {"punctuation": False},
    {"normalized": True, "punctuation": False, "asian": True},
    {"punctuation": False, "asian": True},
]
METRICS = [Ter(**options) for options in OPTIONS]
SIZES = [(1, 70), (2, 150), (40, 3), (120, 2), (12, 12), (30, 30), (60, 50), (20, 5), (7, 90)]


def sums(metric: Ter, candidate: str, references: list[str]) -> tuple[int, float]:
    if metric.case == "lower":
        candidate, references = candidate.lower(), [text.lower() for text in references]
    names = ("normalized", "punctuation", "asian")
    options = {name: getattr(metric, name) for name in names}
    return twin.statistics(
        twin.tokens(candidate, **options),
        [twin.reference_tokens(text, **options) for text in references],
    )


@given(candidate=texts, references=st.lists(texts, min_size=1, max_size=3))
@example(candidate="", references=[""])
@example(candidate="a", references=["", "b c"])
@example(candidate="1 . 5", references=["1...5 it's\u2003a"])
def test_rows(candidate: str, references: list[str]) -> None:
    for metric in METRICS:
        wanted = sums(metric, candidate, references)
        found = metric.statistics([candidate], [references])[0]
        assert tuple(found) == wanted
        assert metric.score(candidate, references).value == twin.rate(*wanted)


@given(text=texts)
def test_tokens(text: str) -> None:
    options = {"normalized": True}, {"normalized": True, "asian": True}
    wanted = [twin.tokens(text.lower(), **one) for one in options]
    found = [tokens(text, f"tercom-normalized{end}") for end in ("", "-asian")]
    assert found == wanted
    bare = twin.tokens(text.lower(), punctuation=False, asian=True)
    assert tokens(text, "tercom-nopunct-asian") == bare
    assert tokens(text, "tercom") == text.lower().split()


def test_the_kernel_is_the_one_of_the_metric() -> None:
    assert type(Ter()._kernel()) is TerKernel


def words(rng: random.Random, kinds: int, size: int) -> list[str]:
    return [f"w{rng.randrange(kinds)}" for _ in range(size)]


def shuffled(rng: random.Random, text: list[str]) -> list[str]:
    """The words with some stretches shifted, and some words changed or left out."""
    made = list(text)
    for _ in range(rng.randint(0, 5)):
        begin, size = rng.randrange(len(made) + 1), rng.randint(1, 12)
        stretch = made[begin : begin + size]
        del made[begin : begin + size]
        place = rng.randrange(len(made) + 1)
        made[place:place] = stretch
        if made and rng.random() < 0.5:
            made[rng.randrange(len(made))] = "x"
    return made


@pytest.mark.parametrize("seed", range(3))
def test_words_of_many_lengths(seed: int) -> None:
    rng = random.Random(seed)
    for own, other in SIZES:
        kinds = rng.choice([3, 10, 40])
        reference = words(rng, kinds, rng.randint(1, other))
        several = [words(rng, kinds, rng.randint(0, own)), shuffled(rng, reference)]
        for candidate in several:
            wanted = twin.edits(candidate, reference)
            found = METRICS[0].score(" ".join(candidate), " ".join(reference))
            assert found.edits == wanted, (candidate, reference)


def test_the_limit_of_shifts_that_are_tried() -> None:
    reference = " ".join(f"w{k % 5}" for k in range(45))
    candidate = " ".join(f"w{k * 3 % 5}" for k in range(45))
    wanted = twin.edits(candidate.split(), reference.split())
    assert METRICS[0].score(candidate, reference).edits == wanted


@pytest.mark.parametrize("count", [20, 45])
def test_shifts_that_are_one(count: int) -> None:
    """The word x may go to one place for each x that is missing there: the same shift again."""
    candidate, reference = ["b", "c", "x"], [*["x"] * count, "b", "c"]
    wanted = twin.edits(candidate, reference)
    assert METRICS[0].score(" ".join(candidate), " ".join(reference)).edits == wanted


def test_a_trace_makes_the_reference() -> None:
    rng = random.Random(3)
    for _ in range(40):
        reference = words(rng, 12, rng.randint(0, 30))
        candidate = shuffled(rng, reference) if rng.random() < 0.7 else words(rng, 12, 20)
        own, other = " ".join(candidate), " ".join(reference)
        shifts, steps = METRICS[0]._kernel().trace(own, other)
        for start, begin, middle, end in shifts:
            assert start in {begin, middle}
            candidate[begin:end] = candidate[middle:end] + candidate[begin:middle]
        left, right = iter(candidate), iter(reference)
        for step in steps:
            pair = step != "i" and next(left), step != "d" and next(right)
            assert (pair[0] == pair[1]) == (step == "=")
        assert not [*left, *right]
        wrong = len(shifts) + len(steps) - steps.count("=")
        assert METRICS[0].score(own, other).edits == wrong


def test_sacrebleu_where_it_is_installed() -> None:
    sacrebleu = pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    rng = random.Random(2)
    for options, metric in zip(OPTIONS, METRICS, strict=True):
        given = {
            "normalized": metric.normalized,
            "no_punct": not metric.punctuation,
            "asian_support": metric.asian,
            "case_sensitive": metric.case == "keep",
        }
        original = sacrebleu.metrics.TER(**given)
        for _ in range(100):
            own, *others = (
                "".join(rng.choices(PIECES, k=rng.randint(0, 60))) for _ in range(rng.randint(2, 4))
            )
            wanted = original.sentence_score(own, others)
            found = metric.score(own, others)
            told = 100 * found.value, found.edits, found.reference_length
            assert told == pytest.approx(
                (wanted.score, wanted.num_edits, wanted.ref_length), abs=1e-9
            ), options
