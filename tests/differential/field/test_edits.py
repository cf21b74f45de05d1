"""The kernels of error rates and edit similarities give what their definitions give."""

from __future__ import annotations

import random

import numpy as np
import pytest
from definitions.field import edits as twin
from hypothesis import example, given
from hypothesis import strategies as st

from summeval import Cer, EditSimilarity, Wer
from summeval._core.field.similarity import FIELDS, SimilarityKernel
from summeval._core.field.wer import WerKernel

# Blanks of many kinds, letters of one to four bytes, few of them, so that they meet.
LETTERS = "aaabbc. \t\n\xa0\x85\x1c\u2003\u200b\u3000é市\U0001f642\x00"
texts = st.text(st.sampled_from(LETTERS), max_size=40)
references = st.lists(texts, min_size=1, max_size=3)
METRICS = {
    "wer": (Wer(), twin.words),
    "cer": (Cer(), str.strip),
    "split": (Wer(tokenizer=str.split), str.split),
    "characters": (Wer(tokenizer="char"), lambda text: [*"".join(text.split())]),
}


def test_the_kernels_are_those_of_the_metrics() -> None:
    assert type(Wer()._kernel()) is WerKernel
    assert type(EditSimilarity().runner()._kernel) is SimilarityKernel
    assert twin.Similarities._fields == FIELDS


def random_text(rng: random.Random, size: int) -> str:
    return "".join(rng.choices("ab c", [5, 4, 3, 1], k=size))


def edited(rng: random.Random, text: str) -> str:
    """The text with some characters changed, left out, added, swapped."""
    made = [letter for letter in text if rng.random() < 0.9]
    for place in range(0, len(made) - 2, 7):
        made[place : place + 2] = rng.choice((made[place : place + 2][::-1], ["z"], list("ab ")))
    return "".join(made)


@pytest.mark.parametrize("name", METRICS)
@given(candidate=texts, others=references)
@example(candidate="", others=[""])
@example(candidate="a b", others=["", "a b c d"])
@example(candidate=" \t a\tb  c\n", others=["a\tb c"])
def test_rates(name: str, candidate: str, others: list[str]) -> None:
    metric, read = METRICS[name]
    wanted = [twin.rates(twin.counts(read(other), read(candidate))) for other in others]
    found = metric.score(candidate, others)
    assert [*found] == pytest.approx(min(wanted, key=lambda rates: rates.value), abs=1e-15)
    read_by_kernel = metric._text_options.text
    texts = [read_by_kernel(text, "text") for text in (candidate, others[0])]
    steps = metric._kernel().align(*texts)
    assert steps == twin.alignment(read(others[0]), read(candidate))


@pytest.mark.parametrize("size", [63, 64, 65, 128, 300])
def test_rates_of_several_blocks_of_rows(size: int) -> None:
    rng = random.Random(size)
    for _ in range(4):
        text = random_text(rng, size)
        for candidate in (edited(rng, text), random_text(rng, rng.randint(0, 2 * size))):
            for name, (metric, read) in METRICS.items():
                wanted = twin.counts(read(text), read(candidate))
                found = metric.statistics([candidate], [text])[0]
                np.testing.assert_array_equal(found, wanted, err_msg=name)


def test_rates_of_rows_that_are_not_all_kept() -> None:
    rng = random.Random(4)
    text = random_text(rng, 1_100)
    candidate = edited(rng, text)[::-1] + random_text(rng, 4_000)
    wanted = twin.counts(text.strip(), candidate.strip())
    np.testing.assert_array_equal(Cer().statistics([candidate], [text])[0], wanted)


@given(rows=st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_a_corpus_has_the_rates_of_the_sums(rows: list[tuple[str, str]]) -> None:
    candidates, others = zip(*rows, strict=True)
    for metric, read in METRICS.values():
        counts = [twin.counts(read(other), read(own)) for own, other in rows]
        wanted = twin.rates(twin.Counts(*map(sum, zip(*counts, strict=True))))
        for workers in (1, 3):
            found = metric.corpus(candidates, others, workers=workers)
            assert [*found] == pytest.approx(wanted, abs=1e-15)


@given(candidate=texts, others=references)
@example(candidate="", others=[""])
@example(candidate="ca", others=["abc"])
@example(candidate="a\xa0b", others=["b a"])
@example(candidate="a b a", others=["b", "a b c"])
def test_similarities(candidate: str, others: list[str]) -> None:
    all_of_them = [twin.similarities(candidate, other) for other in others]
    wanted = [max(field) for field in zip(*all_of_them, strict=True)]
    assert [*EditSimilarity().score(candidate, others)] == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("size", [63, 64, 65, 200])
def test_similarities_of_several_blocks_of_rows(size: int) -> None:
    rng = random.Random(size)
    for _ in range(4):
        text = random_text(rng, size)
        for candidate in (edited(rng, text), random_text(rng, rng.randint(0, 2 * size))):
            wanted = twin.similarities(candidate, text)
            assert [*EditSimilarity().score(candidate, text)] == pytest.approx(wanted, abs=1e-14)


def test_texts_that_differ_too_much_are_refused_by_name() -> None:
    long = "ab" * 40_000, "cd" * 40_000
    with pytest.raises(ValueError, match=r"2\*\*32 pairs of characters, 65,536 each; cut them"):
        EditSimilarity().score(*long)
    with pytest.raises(ValueError, match=r"2\*\*36 pairs of units, about 262,000 each; cut them"):
        Cer().score("ab" * 150_000, "cd" * 150_000)
    body = "m" * 70_000  # two letters differ, but when the words are sorted, all do
    with pytest.raises(ValueError, match=r"texts differ over more than 2\*\*32"):
        EditSimilarity().score(f"z {body}", f"a {body}")
    with pytest.raises(ValueError, match=r"row 1: texts differ over"):
        EditSimilarity().score_batch(["", long[0]], ["", long[1]])
    assert Cer().score("ab" * 150_000, "ab" * 150_000 + "c").insertions == 0
    assert EditSimilarity().score("ab" * 300_000, "ab" * 300_000).damerau == 1


def test_the_originals_where_they_are_installed() -> None:
    jiwer = pytest.importorskip("jiwer", reason="jiwer is not installed")
    distance = pytest.importorskip("rapidfuzz.distance", reason="rapidfuzz is not installed")
    fuzz = pytest.importorskip("rapidfuzz.fuzz", reason="rapidfuzz is not installed")
    rng = random.Random(1)
    for _ in range(300):
        own, other = ("".join(rng.choices(LETTERS, k=rng.randint(0, 80))) for _ in range(2))
        if rng.random() < 0.5:
            own = edited(rng, other)
        words, letters = jiwer.process_words(other, own), jiwer.process_characters(other, own)
        names = ("mer", "wil", "wip", "hits", "substitutions", "insertions", "deletions")
        found = Wer().score(own, other)
        assert [*found] == pytest.approx([words.wer, *(getattr(words, n) for n in names)])
        found = Cer().score(own, other)
        assert found.value == pytest.approx(letters.cer)
        assert [found[name] for name in names[3:]] == [getattr(letters, n) for n in names[3:]]
        kinds = ("Levenshtein", "Indel", "DamerauLevenshtein", "OSA", "LCSseq", "Jaro")
        wanted = [getattr(distance, kind).normalized_similarity(own, other) for kind in kinds]
        wanted += [distance.JaroWinkler.normalized_similarity(own, other)]
        wanted += [rate(own, other) / 100 for rate in (fuzz.token_sort_ratio, fuzz.token_set_ratio)]
        assert [*EditSimilarity().score(own, other)] == pytest.approx(wanted)
