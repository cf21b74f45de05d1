"""Vectors of words in context: the mean of their pieces, and what a sample takes off."""

from __future__ import annotations

import numpy as np
import pytest
from ecosystem import ecosystem
from tiny_model import tiny_model

import summeval
from summeval import BertScore
from summeval.learn.encoders import Transformer, WordsInContext
from summeval.learn.vectors import word_spans

ecosystem("torch")
ecosystem("transformers")

TEXTS = ["  The storm hitting-the coast, 3.5!", "", "people " * 30, "a cat and no dog"]


def test_a_word_has_the_mean_of_its_pieces() -> None:
    model = Transformer(tiny_model())
    found = list(WordsInContext(tiny_model())(TEXTS))
    assert [list(one.spans) for one in found] == [word_spans(text) for text in TEXTS]
    (pieces,) = model.pieces(TEXTS[:1])
    (rows,) = model.vectors([pieces.ids])
    # the, storm, hit + ##t + ##i + ##n + ##g, -, the, coast
    starts = [span[0] for span in pieces.spans]
    hitting = [k for k, span in enumerate(pieces.spans) if span[1] > span[0] and 12 <= span[0] < 19]
    assert len(hitting) == 5
    np.testing.assert_allclose(found[0].vectors[2], rows[hitting].mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(found[0].vectors[1], rows[starts.index(6)], atol=1e-6)


def test_words_behind_the_longest_text_have_zeros() -> None:
    (_, _, long, _) = WordsInContext(tiny_model())(TEXTS)
    used = np.any(long.vectors, axis=1)
    assert used[:22].all()
    assert not used[22:].any()


def test_a_sample_takes_off_its_mean_and_first_components() -> None:
    pairs = [(a, b) for a in ("storm", "cat", "dog", "town") for b in ("coast", "town")]
    texts = [f"the {a} hit a {b}" for a, b in pairs]
    plain = np.concatenate([one.vectors for one in WordsInContext(tiny_model())(texts)])
    found = np.concatenate(
        [one.vectors for one in WordsInContext(tiny_model(), sample=texts, drop=3)(texts)]
    )
    centred = plain - plain.mean(axis=0)
    left, sizes, right = np.linalg.svd(centred, full_matrices=False)
    wanted = (left[:, 3:] * sizes[3:]) @ right[3:]
    np.testing.assert_allclose(found, wanted, atol=1e-4)
    plain_signature = WordsInContext(tiny_model()).signature
    signature = WordsInContext(tiny_model(), sample=texts, drop=3).signature
    assert signature.startswith(f"{plain_signature}-without-3-of-8-")


def test_a_sample_of_too_few_words_is_told() -> None:
    with pytest.raises(ValueError, match="sample has 2 words, and 10 components cannot be found"):
        list(WordsInContext(tiny_model(), sample=["the storm"])(TEXTS))
    with pytest.raises(TypeError, match="sample is str; give a list of texts"):
        WordsInContext(tiny_model(), sample="the storm")


def test_tesla_e_takes_it() -> None:
    encoder = WordsInContext(tiny_model(), sample=TEXTS, drop=1)
    metric = summeval.metric("tesla-e", encoder=encoder)
    same = metric.score("the storm hit the coast", "the storm hit the coast")
    other = metric.score("a cat and no dog", "the storm hit the coast")
    assert same.value == pytest.approx(1.0, abs=1e-6)
    assert other.value < same.value
    assert encoder.signature in str(metric.signature)


def test_it_is_an_encoder_of_metrics() -> None:
    metric = BertScore(model=WordsInContext(tiny_model()))
    score = metric.score("the storm hit the coast", "the storm hit the coast")
    assert score.fmeasure == pytest.approx(1.0, abs=1e-12)
    assert metric.signature.options["model"] == WordsInContext(tiny_model()).signature
