"""The kernel of chrF gives the numbers of its definition."""

from __future__ import annotations

import numpy as np
import pytest
from definitions.field.chrf import Settings, chrf, fields
from hypothesis import example, given
from hypothesis import strategies as st

from summeval import Chrf
from summeval._core.field.chrf import ChrfKernel

# Blanks and marks of many kinds, letters of one to four bytes, few of them, so that they meet.
LETTERS = "aab.,(- \n\t\xa0\u2003\u200b\u3000é市\U0001f642\x00İ"
texts = st.text(st.sampled_from(LETTERS), max_size=40)
METRICS = {
    Settings(): Chrf(),
    Settings(word_order=2): Chrf("chrf++"),
    Settings(char_order=2, word_order=3, whitespace=True): Chrf(
        char_order=2, word_order=3, whitespace=True
    ),
    Settings(char_order=8, whitespace=True): Chrf(char_order=8, whitespace=True),
    Settings(char_order=12, word_order=1, beta=0.5, eps=True): Chrf(
        char_order=12, word_order=1, beta=0.5, smoothing="eps"
    ),
}


def same(candidate: str, references: list[str]) -> None:
    for settings, metric in METRICS.items():
        wanted = chrf(candidate, references, settings)
        found = metric.statistics([candidate], [references])[0]
        np.testing.assert_array_equal(found, wanted, err_msg=repr((candidate, references)))
        score = metric.score(candidate, references)
        np.testing.assert_allclose([*score], fields(wanted, settings), rtol=0, atol=1e-14)


def test_the_kernel_is_the_one_of_the_metric() -> None:
    assert type(Chrf()._kernel()) is ChrfKernel


@given(candidate=texts, references=st.lists(texts, min_size=1, max_size=3))
@example(candidate="", references=[""])
@example(candidate="(hi) a", references=["(hi", "(hi) a"])
def test_statistics_and_fields(candidate: str, references: list[str]) -> None:
    same(candidate, references)


def test_long_texts_with_more_characters_than_a_small_table_holds() -> None:
    many = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 3000))
    same(many + "abc " * 3000, [many[::-1] + "abc " * 2000, many * 2])


FAR = [chr(code) for code in range(0x410, 0x600)]
NEAR = [chr(code) for code in range(33, 127)]


@pytest.mark.parametrize(
    "reference",
    [
        "a" * 3000,
        "ab" * 700 + "abc" * 500,
        "".join(NEAR + FAR[:122]) * 3,  # the most kinds that a trie has
        "".join(NEAR + FAR[:123]) * 3,
        "".join(FAR[:122]) + "".join(FAR[121::-1]),
        ("abcd efgh " * 2100)[: 5 * (1 << 12)],  # 16,384 characters without blanks
        ("abcd efgh " * 2100)[: 5 * (1 << 12) + 1],
        "the cat sat on the mat, the cat " * 20,
    ],
    ids=lambda text: f"{text[:4]}-{len(text)}",
)
def test_what_a_trie_holds_and_what_it_does_not(reference: str) -> None:
    candidate = reference[1:300] + "caté a市b" + reference[::-1][:300] + reference[-5:]
    same(candidate, [reference])
    same(candidate, ["a b", reference[:200], FAR[0] * 9])
    same(reference[:700], [candidate])


@given(rows=st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_a_corpus_has_the_fields_of_the_sums(rows: list[tuple[str, str]]) -> None:
    candidates, references = zip(*rows, strict=True)
    for settings, metric in METRICS.items():
        sums = np.sum([chrf(own, [other], settings) for own, other in rows], axis=0)
        wanted = fields(list(sums), settings)
        for workers in (1, 3):
            found = metric.corpus(candidates, references, workers=workers)
            np.testing.assert_allclose([*found], wanted, rtol=0, atol=1e-14)


def test_sums_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match=r"sums are \[1, 3\]; give 18 in each row"):
        Chrf().from_statistics([1.0, 2.0, 3.0])
