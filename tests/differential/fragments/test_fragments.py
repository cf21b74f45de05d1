"""The kernel of `extractiveness` gives the numbers of its definition."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from definitions import fragments as twin
from hypothesis import example, given, settings
from hypothesis import strategies as st

import summeval
from summeval import Extractiveness
from summeval._core.fragments.fragments import FIELDS
from summeval.text import stemmer, tokens

METRIC = Extractiveness()
KERNEL = METRIC._kernel()
texts = st.lists(st.sampled_from("a a b c d".split()), max_size=30).map(" ".join)
sources = st.lists(texts, min_size=1, max_size=3)


def defined(candidate: str, source: list[str]) -> twin.Extractiveness:
    return twin.extractiveness(
        tokens(candidate, "unicode"), [tokens(text, "unicode") for text in source]
    )


def same(candidate: str, source: list[str]) -> None:
    found = METRIC.score(candidate, source=source)
    np.testing.assert_array_equal([*found], defined(candidate, source), err_msg=candidate)


@given(candidate=texts, source=sources)
@example(candidate="a a b", source=["a a a b"])  # the longest match is passed over
@example(candidate="a a b c a a b c", source=["a a a b c"])
@example(candidate="a b", source=["a", "b"])
@example(candidate="", source=["", ""])
@example(candidate="a a", source=[""])
def test_fields_are_those_of_the_definition(candidate: str, source: list[str]) -> None:
    same(candidate, source)


@given(candidate=texts, source=sources)
def test_fragments_are_those_of_the_definition(candidate: str, source: list[str]) -> None:
    wanted = twin.fragments(candidate.split(), [text.split() for text in source])
    assert KERNEL.find(candidate, source) == [tuple(one) for one in wanted]


def repeating(rng: random.Random, size: int) -> str:
    """Texts whose places are sorted: of few words, of a word that often comes, of periods."""
    kind = rng.randrange(4)
    if kind == 0:
        return " ".join(rng.choices("ab", [20, 1], k=size))
    if kind == 1:
        return " ".join(f"the {rng.choice('uvwxyz')}{rng.randrange(9)}" for _ in range(size // 2))
    if kind == 2:
        parts = [rng.choices("abc", k=rng.randint(1, 4)) for _ in range(2)]
        return " ".join(word for _ in range(size // 4) for word in rng.choice(parts))
    return " ".join("x" if k % 3 < 2 else f"y{k}" for k in range(rng.randint(0, 2), size))


@pytest.mark.parametrize("seed", range(12))
def test_texts_that_repeat_themselves(seed: int) -> None:
    rng = random.Random(seed)
    candidate, *source = (repeating(rng, rng.randint(20, 90)) for _ in range(3))
    same(candidate, source)


@pytest.mark.parametrize("seed", range(12))
def test_long_texts_that_repeat_themselves(seed: int) -> None:
    """They are long enough that words with many places share the ways between these."""
    rng = random.Random(seed)
    candidate, *source = (repeating(rng, rng.randint(800, 1_500)) for _ in range(3))
    documents = [text.split() for text in source]
    wanted = [tuple(one) for one in twin.fragments(candidate.split(), documents)]
    assert KERNEL.find(candidate, source) == wanted
    score = METRIC.score(candidate, source=source)
    words = len(candidate.split())
    assert score.coverage == sum(size for _, size, _, _ in wanted) / words
    assert score.density == sum(size * size for _, size, _, _ in wanted) / words


def test_texts_for_which_places_are_sorted_by_hand() -> None:
    numbers = range(1_000)
    left, right = (" ".join(f"the {name}{k}" for k in numbers) for name in "uv")
    score = METRIC.score(left, source=right)
    assert (score.coverage, score.density) == (0.5, 0.5)
    same_score = METRIC.score(left, source=[right, left])
    assert (same_score.coverage, same_score.density) == (1.0, 2_000.0)


def test_longer_matches_are_passed_over_where_places_are_sorted() -> None:
    """Of each "x x y7 z" it finds "x x", then "y7": "x x y7" begins within the "x x" before."""
    numbers = range(1_000)
    left = " ".join(f"x x y{k} z" for k in numbers)
    right = " ".join(f"x x x y{k}" for k in reversed(numbers))
    score = METRIC.score(left, source=right)
    assert (score.coverage, score.density) == (0.75, 1.25)
    assert METRIC.score(left, source=right.replace("x x x", "x x")).density == 9 / 4


def test_texts_made_to_take_long() -> None:
    """Minutes, where all places are looked at for each match that is passed over."""
    numbers = range(200_000)
    left = " ".join(f"x x y{k} z" for k in numbers)
    right = " ".join(f"x x x y{k}" for k in reversed(numbers))
    assert METRIC.score(left, source=right).density == 1.25


@settings(max_examples=30)
@given(rows=st.lists(st.tuples(texts, sources), max_size=6), workers=st.sampled_from([1, 2]))
def test_a_batch_and_prepared_sources_give_the_same(rows: Any, workers: int) -> None:
    candidates, documents = [row[0] for row in rows], [row[1] for row in rows]
    table = METRIC.score_batch(candidates, sources=documents, workers=workers)
    for row, (candidate, source) in enumerate(rows):
        wanted = defined(candidate, source)
        found = [table[f"extractiveness.{field}"][row] for field in FIELDS]
        np.testing.assert_array_equal(found, wanted)
        ready = METRIC.prepare(source=source)
        np.testing.assert_array_equal([*ready.score(candidate)], wanted)


@pytest.mark.parametrize("options", [{"stemmer": "porter"}, {"tokenizer": str.split}])
def test_options_change_what_is_compared(options: dict[str, Any]) -> None:
    metric = Extractiveness(**options)
    candidate, source = "Cats were running, É", ["The cat runs. cats were É"]
    tokenizer = options.get("tokenizer", "unicode")
    stem = stemmer("porter") if "stemmer" in options else str

    def read(text: str) -> list[str]:
        return [stem(word) if len(word) > 3 else word for word in tokens(text, tokenizer)]

    wanted = twin.extractiveness(read(candidate), [read(text) for text in source])
    np.testing.assert_array_equal([*metric.score(candidate, source=source)], wanted)


def test_the_registry_has_it() -> None:
    assert type(summeval.metric("extractiveness", stemmer="porter")) is Extractiveness
