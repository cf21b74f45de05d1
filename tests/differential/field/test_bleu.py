"""The kernels of BLEU, GLEU and their tokenizers give what their definitions give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from definitions.field import bleu as twin
from definitions.field import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st

import summeval
from summeval import Bleu, Gleu
from summeval._core.field.bleu import BleuKernel
from summeval._core.field.tokens import TOKENIZERS as KINDS
from summeval._core.field.tokens import tokens as kernel_tokens
from summeval.text import tokens

LETTERS = "ab1 .,-'\"&$+<|`~([]!?:;%\n\t\xa0\u2003é市١—€İ\u200b\U0001f642\U00020000\x00"
pieces = st.sampled_from([*LETTERS, "&quot;", "&amp;lt;", "<skipped>", "-\n", "..."])
marked = st.lists(pieces, max_size=80).map("".join)
words = st.lists(st.sampled_from("a a b c. \x00 \x00\x00 élan".split(" ")), max_size=9).map(
    " ".join
)
SETTINGS: list[dict[str, Any]] = [
    {},
    {"smoothing": "floor"},
    {"smoothing": "floor", "smoothing_value": 0.01, "effective_order": True},
    {"smoothing": "add-k", "max_order": 2},
    {"smoothing": "none", "effective_order": False, "max_order": 6},
    {"tokenizer": "char"},
    {"tokenizer": str.split},
]


def settings_of(options: dict[str, Any], effective: bool) -> twin.Settings:
    smoothing = options.get("smoothing", "exp")
    added = options.get("smoothing_value", {"floor": 0.1, "add-k": 1.0}.get(smoothing, 0.0))
    effective = options.get("effective_order", effective)
    return twin.Settings(options.get("max_order", 4), smoothing, added, effective)


def read(text: str, options: dict[str, Any]) -> list[str]:
    tokenizer = options.get("tokenizer", "13a")
    return tokenizer(text) if callable(tokenizer) else tokenizers.tokens(text, tokenizer)


@given(text=marked)
@example(text="-\n-\n &amp;quot; 1.5,.. x.,1-2 ")
@example(text="。a．1，")
def test_tokens(text: str) -> None:
    for name in tokenizers.TOKENIZERS:
        wanted = tokenizers.tokens(text, name)
        assert tokens(text.rstrip(), name) == wanted, name
        assert [one.decode() for one in kernel_tokens(text.encode(), KINDS[name])] == wanted, name


@pytest.mark.parametrize("options", SETTINGS, ids=str)
@given(rows=st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1))
@example(rows=[("", [""]), ("a", ["a"]), ("a b", ["c c c", "b a b", "a"])])
def test_bleu(options: dict[str, Any], rows: list[tuple[str, list[str]]]) -> None:
    metric = Bleu(**options)
    sums = np.array(
        [
            twin.statistics(
                read(own, options), [read(one, options) for one in others], metric.max_order
            )
            for own, others in rows
        ],
        dtype=float,
    )
    candidates, references = zip(*rows, strict=True)
    for workers in (1, 2):
        found = metric.statistics(candidates, references, workers=workers)
        np.testing.assert_array_equal(found, sums)
    corpus = twin.fields(sums.sum(axis=0).tolist(), settings_of(options, False))
    np.testing.assert_allclose([*metric.corpus(candidates, references)], corpus, atol=1e-14)
    for own, others, row in zip(candidates, references, sums, strict=True):
        wanted = twin.fields(row.tolist(), settings_of(options, True))
        np.testing.assert_allclose([*metric.score(own, others)], wanted, atol=1e-14)


@given(own=words, others=st.lists(words, min_size=1, max_size=3))
def test_gleu(own: str, others: list[str]) -> None:
    for low, high in ((1, 4), (2, 3)):
        metric = Gleu(min_order=low, max_order=high, tokenizer="none")
        wanted = twin.gleu(own.split(), [one.split() for one in others], low, high)
        np.testing.assert_array_equal(metric.statistics([own], [others])[0], wanted)
        value = wanted[0] / wanted[1] if wanted[1] else 0.0
        assert metric.score(own, others).value == value


def test_the_kernel_is_the_one_of_the_metrics() -> None:
    assert type(Bleu()._kernel()) is type(Gleu()._kernel()) is BleuKernel


def test_wrong_options_say_what_to_do(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match=r"tokenizer is '13b'; choose .* \(did you mean '13a'"):
        Bleu(tokenizer="13b")
    with pytest.raises(ValueError, match="min_order is 3, above max_order 2; lower it"):
        Gleu(min_order=3, max_order=2)
    pytest.importorskip("sentencepiece", reason="needs sentencepiece: pip install sentencepiece")
    with pytest.raises(ValueError, match=r"no model of SentencePiece at .*; pass tokenizer_model="):
        summeval.metric("bleu", tokenizer="flores200", tokenizer_model=tmp_path / "none")


def test_treebank_takes_control_characters_as_nltk_does() -> None:
    """The tokens are those of NLTK 3.10.4, which matches by the package regex."""
    assert tokens("they're\x1cdon't go", "treebank") == ["they're", "do", "n't", "go"]
    assert tokens("the end.\x1f", "treebank") == ["the", "end."]


def test_sums_and_references_of_the_wrong_shape_say_what_to_do() -> None:
    metric = Bleu()
    rows = metric.statistics(["a b", "c d"], ["a b", "c d"])
    for wrong in (rows, 3.0, [1.0]):
        with pytest.raises(ValueError, match=r"give 10 in each row, and of all rows their sum"):
            metric.from_statistics(wrong)
    assert metric.from_statistics(rows.sum(axis=0)) == metric.corpus(["a b", "c d"], ["a b", "c d"])
    with pytest.raises(ValueError, match=r"3 candidates but 2 rows of references; turn them round"):
        metric.corpus(["a", "b", "c"], [["a", "b", "c"], ["x", "y", "z"]])
    with pytest.raises(ValueError, match="give one for each candidate"):
        metric.corpus(["a", "b", "c"], [["a", "b", "c"], ["x"]])
