"""Callables as options: named by where they are, or by their user."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from every import every

import summeval
from summeval.metrics.run.signature import label_of


def helper(text: str) -> list[str]:
    return text.split()


@dataclass(frozen=True)
class AllEqual:
    """Equal to any other, though it does another thing."""

    mark: str = field(default=" ", compare=False)

    def __call__(self, text: str) -> list[str]:
        return text.split(self.mark)

    def tokens(self, text: str) -> list[str]:
        return text.split(self.mark)

    @staticmethod
    def whole(text: str) -> list[str]:
        return [text]


@dataclass
class Unhashable:
    mark: str = " "

    def __call__(self, text: str) -> list[str]:
        return text.split(self.mark)


def closing(mark: str) -> Any:
    return lambda text: text.split(mark)


UNNAMED = {
    "lambda": closing(" "),
    "object": AllEqual(),
    "method of an object": AllEqual().tokens,
    "method of a value": "a b".split,
    "partial": functools.partial(re.split, " "),
    "wrapper": functools.wraps(helper)(lambda text: [text]),
}


def test_a_callable_that_can_be_imported_is_named_by_its_place_and_version() -> None:
    assert label_of(helper) == f"{__name__}.helper"
    assert label_of(AllEqual.whole) == f"{__name__}.AllEqual.whole"
    assert re.fullmatch(r"builtins\.str\.split-3\.\d+", label_of(str.split))
    assert label_of(np.load) == f"numpy.load-{np.__version__}"


@pytest.mark.parametrize("kind", UNNAMED)
def test_any_other_has_the_name_of_its_user_or_says_that_it_has_none(kind: str) -> None:
    given = UNNAMED[kind]
    unnamed = summeval.metric("rouge1", tokenizer=given).signature
    assert unnamed.options["tokenizer"].endswith("-unnamed")
    one, other = (
        summeval.metric("rouge1", tokenizer=given, label=name).signature for name in ("one", "two")
    )
    assert one != other


@every(
    ("name", "option"),
    [
        ("rouge1", "tokenizer"),
        ("rougeLsum", "sentences"),
        ("tesla-s", "tokenizer"),
        ("tesla-m", "tokenizer"),
        ("tesla-m", "lemma"),
        ("tesla-m", "synonyms"),
        ("tesla-m", "similarity"),
        ("simetrix", "tokenizer"),
        ("bipartite", "tokenizer"),
        ("bipartite", "edge"),
        ("paraeval", "tokenizer"),
        ("pyramid-position", "tokenizer"),
        ("qarla-rouge", "tokenizer"),
        ("qarla-rouge", "lemma"),
        ("qarla-rouge", "sentences"),
        ("dicomer", "relations"),
        ("cremer", "relations"),
        ("reading-ease", "syllables"),
    ],
)
def test_every_option_that_is_a_callable_is_told_and_can_be_named(name: str, option: str) -> None:
    assert f"{__name__}.helper" in summeval.metric(name, **{option: helper}).signature
    assert "<lambda>-unnamed" in summeval.metric(name, **{option: closing(" ")}).signature
    named = summeval.metric(name, **{option: closing(" ")}, label="mine | own")
    assert "named-mine %7C own" in named.signature
    assert summeval.Signature.parse(str(named.signature)).options == named.signature.options


def test_no_callable_of_a_metric_is_forgotten() -> None:
    """Options whose values may be callables, by their annotations, are those of the test above."""
    import inspect

    found = set()
    for family in summeval.metrics.registry.families():
        for maker in (family, family.named):
            for option in inspect.signature(maker).parameters.values():
                kinds = ("Callable", "Tokenizer", "Splitter", "Predicate", "Similarity", "Find")
                if any(kind in str(option.annotation) for kind in kinds):
                    found.add(option.name)
    assert found == {
        *("tokenizer", "sentences", "lemma", "synonyms", "similarity", "edge", "relations"),
        "syllables",
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (AllEqual(" "), AllEqual(",")),
        (Unhashable(" "), Unhashable(",")),
        (AllEqual(" ").tokens, AllEqual(",").tokens),
        (closing(" "), closing(",")),
    ],
)
def test_two_callables_never_share_a_pass(one: Any, other: Any) -> None:
    metrics = [
        summeval.metric("rouge1", tokenizer=one, label="one"),
        summeval.metric("rouge1", tokenizer=other, label="other"),
    ]
    together = summeval.score("a b,c d", ["a x,c d"], metrics)
    alone = {m.name: m.score("a b,c d", ["a x,c d"]) for m in metrics}
    assert together == alone
    assert len(summeval.suite(metrics).groups) == 2


def test_one_callable_is_one_pass() -> None:
    cut = AllEqual(" ")
    # Each look-up of a method makes another object of it.
    for given in (lambda: cut, lambda: cut.tokens, lambda: helper):
        names = ("rouge1", "rouge2")
        pair = [summeval.metric(n, tokenizer=given(), label=n) for n in names]
        assert len(summeval.suite(pair).groups) == 1
