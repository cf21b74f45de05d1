"""What an encoder of words may give, and how the rest is refused."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from every import every

from summeval import BertScore, TeslaE
from summeval.learn.vectors import CheckedEncoder, word_spans

ONE = np.ones((1, 3))


def each(spans: Any, vectors: Any) -> Any:
    return lambda texts: [(spans, vectors)] * len(texts)


FAULTS: dict[str, tuple[Any, str]] = {
    "twice as many": (lambda texts: [([(0, 1)], ONE)] * 4, "more than 2 results for 2 texts"),
    "too few": (lambda texts: [([(0, 1)], ONE)], "1 results for 2 texts"),
    "None": (lambda texts: None, "None for 2 texts"),
    "a str": (lambda texts: "ab", "'ab' for 2 texts"),
    "None for a text": (lambda texts: [None, None], "NoneType for 'a [bc]'"),
    "a str for a text": (lambda texts: ["ab", "ab"], "str for 'a [bc]'"),
    "a negative span": (each([(-1, 1)], ONE), r"the span \(-1, 1\) for 'a [bc]'.* from 0 to 3"),
    "a span outside": (each([(0, 9)], ONE), r"the span \(0, 9\)"),
    "a reversed span": (each([(2, 1)], ONE), r"the span \(2, 1\)"),
    "a span of text": (each(["ab"], ONE), "the span 'ab'"),
    "an empty span": (each([(1, 1)], ONE), "an empty word for 'a [bc]'"),
    "no dimensions": (each([(0, 1)], np.ones((1, 0))), r"shape \(1, 0\) for the 1 words"),
    "other dimensions": (
        lambda texts: [([(0, 1)], np.ones((1, 2 + n))) for n in range(len(texts))],
        "vectors of 3 dimensions for 'a [bc]' and of 2 before",
    ),
    "complex": (each([(0, 1)], ONE * 1j), "no table of real numbers"),
    "ragged": (each([(0, 1), (2, 3)], [[1], [1, 2]]), "no table of real numbers"),
    "beyond 32 bits": (each([(0, 1)], ONE * 1e308), "beyond 32 bits, for 'a [bc]'"),
    "NaN": (each([(0, 1)], ONE * np.nan), "NaN or infinity"),
}


@every("fault", FAULTS)
@every("kind", ["encoder", "model"])
def test_a_fault_is_told_in_one_line(kind: str, fault: str) -> None:
    give, message = FAULTS[fault]
    metric: Any = TeslaE(encoder=give, label="x")
    if kind == "model":
        metric = BertScore(model=give, label="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((TypeError, ValueError), match=f"^{kind} gave .*{message}") as caught:
            metric.score("a b", "a c")
    assert "\n" not in str(caught.value)


def test_a_row_of_other_dimensions_is_skipped_alone() -> None:
    def give(texts: Sequence[str]) -> Iterator[Any]:
        for text in texts:
            spans = word_spans(text)
            yield spans, np.ones((len(spans), 3 if "odd" in text else 2))

    table = TeslaE(encoder=give, label="x").score_batch(
        ["good", "odd", "good"], ["good"] * 3, on_error="skip"
    )
    assert list(table.errors) == [1]
    assert "of 3 dimensions for 'odd'" in str(table.errors[1])


def test_a_text_without_words_may_have_vectors_of_any_shape() -> None:
    encode = CheckedEncoder(lambda texts: [([], []), ([(0, 1)], [[1, 2]])], "encoder")
    assert [found.vectors.shape for found in encode(["", "a"])] == [(0, 0), (1, 2)]

    def give(texts: Sequence[str]) -> Iterator[Any]:
        for text in texts:
            yield word_spans(text), [[1.0, 0.0]] * len(word_spans(text))

    for metric in (TeslaE(encoder=give, label="x"), BertScore(model=give, label="x")):
        assert metric.score("", "a b").value == 0.0
        assert metric.score("a b", "a b").value == pytest.approx(1.0)
