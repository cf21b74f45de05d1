"""The kernel of diversity gives what its definition gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from definitions.field import diversity as twin
from hypothesis import example, given
from hypothesis import strategies as st

import summeval
from summeval import Diversity
from summeval._core.columns.columns import references
from summeval._core.field.diversity import read

PIECES = [*"ab", "a b", "B", "c.", "1", "\u0130a", "\u212a", "é", "市", " ", "\n", "\x00", "\t\xa0"]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)
groups = st.lists(st.lists(texts, max_size=6), min_size=1, max_size=4)


def check(found: list[list[str]], options: dict[str, Any], workers: int = 1) -> None:
    metric = Diversity(**options, compression=False)
    table = metric.score_batch(found, workers=workers)
    tokenizer = options.get("tokenizer", str.split)
    for row, group in enumerate(found):
        tokens = [tokenizer(text) for text in group]
        each = twin.of_texts(group, tokens, metric.near)
        wanted = twin.of_group(group, tokens, each)
        np.testing.assert_allclose(np.asarray(table)[row], wanted, atol=1e-13)
        mine = list(metric.each(group).values())
        np.testing.assert_allclose(mine, np.reshape(each, (-1, 10)).T, atol=1e-13)


@given(found=groups, near=st.sampled_from([0.0, 0.5, 0.8, 1.0]))
@example(found=[["", ""], [""], [], ["a", "a", ""]], near=0.8)
@example(found=[["a b c d e " * 20, "e d c b a " * 20, "a b c d e " * 150]], near=0.5)
def test_it_is_its_twin(found: list[list[str]], near: float) -> None:
    check(found, {"near": near})
    check(found, {"near": near}, workers=2)
    check(found, {"tokenizer": lambda text: text.lower().split()})


def test_a_large_group_needs_tables_of_another_kind() -> None:
    chance = np.random.default_rng(3)
    group = [" ".join(f"w{k}" for k in chance.integers(0, 900, 60)) for _ in range(30)]
    check([group, [*group[:5], *group[:5]]], {})


def test_lengths_about_those_of_machine_words() -> None:
    chance = np.random.default_rng(5)
    sizes = [0, 1, 62, 63, 64, 65, 66, 127, 128, 129, 600]
    check([[" ".join(chance.choice([*"abc"], size)) for size in sizes]], {"near": 0.6})


def test_the_order_of_the_texts_changes_nothing() -> None:
    group = ["a b c d e", "a b x d e", "", "c c c", "a b c d e"]
    metric = Diversity()
    first, other = metric.group(group), metric.group(group[::-1])
    for field in metric.fields[:-3]:
        assert first[field] == pytest.approx(other[field], nan_ok=True), field
    assert (metric.each(group)["self_bleu2"][::-1] == metric.each(group[::-1])["self_bleu2"]).all()


def test_what_is_missing_and_what_is_wrong() -> None:
    metric = summeval.metric("diversity")
    assert repr(metric.group(["a b", None, "a c"])) == repr(metric.group(["a b", "a c"]))
    each = metric.each(["a b", None, "a c"])["self_bleu2"]
    assert math.isnan(each[1])
    assert not math.isnan(each[0])
    alone = metric.group(["a b a b"])
    assert [math.isnan(alone[field]) for field in ("value", "near_duplicates")] == [True] * 2
    assert alone.distinct2 == pytest.approx(2 / 3)
    assert all(map(math.isnan, metric.group([]).values()))
    for call in (metric.group, metric.each):
        with pytest.raises(TypeError, match="texts is a str; pass a list of texts"):
            call("a b")
        with pytest.raises(TypeError, match=r"texts\[1\] is int"):
            call(["a b", 3])
    with pytest.raises(TypeError, match=r"candidates\[1\] is a str; pass a group"):
        metric.score_batch([["a"], "a b"])
    with pytest.raises(ValueError, match=r"candidates\[1\]\[0\] contains an unpaired surrogate"):
        metric.score_batch([["a"], ["\ud800"]])
    table = metric.score_batch([["a", "a"], ["\ud800"], None], on_error="skip")
    assert list(table.errors) == [1]
    assert np.isnan(table["diversity"]).tolist() == [False, True, True]
    for score in (metric.score, metric.explain, metric.prepare):
        with pytest.raises(ValueError, match=r"scores groups of texts.*call metric\('diversity'\)"):
            score("a b")
    with pytest.raises(ValueError, match="scores groups of texts"):
        summeval.score_batch(["a b"], ["a b"], ["diversity"])


def test_compression_may_be_left_out() -> None:
    with_it, without = Diversity(), Diversity(compression=False)
    assert with_it.fields[:-3] == without.fields
    mine, other = with_it.group(["a", "b"]).values(), without.group(["a", "b"]).values()
    np.testing.assert_array_equal(mine[:-3], other)
    assert with_it.group(["a b " * 100] * 2).compression > 10


def test_columns_that_do_not_fit_are_refused() -> None:
    one, two = references([["a"]], "x"), references([["a", "b"]], "x")
    with pytest.raises(ValueError, match="the lists of row 0 differ in length"):
        read(one, two, "whitespace", 0.8)
    with pytest.raises(ValueError, match="as many lists"):
        read(one, references([["a"], ["b"]], "x"), "whitespace", 0.8)
