"""The kernel of lexical diversity gives what its definition gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from definitions.field import lexical as twin
from hypothesis import example, given
from hypothesis import strategies as st

from summeval import LexicalDiversity
from summeval._core.field.lexical import measures

words = st.lists(st.sampled_from("a b c d e f gg İ 市 \x00".split(" ")), max_size=120)


@given(found=words, window=st.integers(1, 60))
@example(found=[], window=1)
@example(found=["a"], window=1)
@example(found=["a"] * 42, window=21)
@example(found=[str(k) for k in range(42)], window=42)
def test_it_is_its_twin(found: list[str], window: int) -> None:
    wanted = twin.measures(found, window)
    np.testing.assert_allclose(measures(found, window), wanted, rtol=1e-12, atol=1e-12)
    metric = LexicalDiversity(tokenizer=lambda text: text.split(" ") if text else [], window=window)
    np.testing.assert_array_equal([*metric.score(" ".join(found))], measures(found, window))


def test_words() -> None:
    text = "The co-op's 3\u201312 cats\u2014dogs, “İ2b” _x_ ß-\u2013"
    assert LexicalDiversity().score(text).tokens == 7  # the coop s catsdogs “i̇b” x ß


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="window is 0; give a whole number"):
        LexicalDiversity(window=0)
    with pytest.raises(ValueError, match="the window has 0 words"):
        measures(["a"], 0)
    wrong: Any = 3
    with pytest.raises(TypeError):
        LexicalDiversity().score(wrong)
    assert all(map(math.isnan, LexicalDiversity().score(None)))
