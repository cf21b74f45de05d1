"""The kernel of METEOR gives what its definition gives."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from definitions.elements.wordnet import WordNet
from definitions.field import meteor as twin
from hypothesis import example, given
from hypothesis import strategies as st

from summeval import Meteor
from summeval._core.field.meteor import MeteorKernel
from summeval.elements.resources import wordnet

ROOTS = (
    "a the be bees men wolf wolves leaf axes ax offer off involucra big large huge Paris car auto "
    "machine go went run ran sky skies flies hope hoped hop hopped agreed feed yyy \x00 \x00\x00 "
    "café éé baé fooé ice_cream Σας İstanbul ß 日本 quick rapid supercalifragilistic"
).split(" ")
ENDS = ("", "", "", "s", "es", "ed", "éed", "ing", "er", "est", "ly", "ies", "ation", "ful", "ves")
words = st.tuples(st.sampled_from(ROOTS), st.sampled_from(ENDS)).map("".join)
texts = st.lists(words | st.text(max_size=4), max_size=12).map(" ".join)


@cache
def net() -> WordNet:
    return WordNet(wordnet().data)


def read(text: str) -> list[str]:
    return [word.lower() for word in text.split()]


@pytest.mark.parametrize(
    "options", [{}, {"synonyms": None}, {"alpha": 0.3, "beta": 0.7, "gamma": 1.0}], ids=str
)
@given(rows=st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1))
@example(rows=[("", [""]), ("a", ["", "a"]), ("cars go", ["automobile run", "go car"])])
def test_meteor(options: dict[str, Any], rows: list[tuple[str, list[str]]]) -> None:
    metric = Meteor(tokenizer="whitespace", **options)
    function = Meteor(tokenizer=str.split, **options)
    weights = metric.alpha, metric.beta, metric.gamma
    wanted = []
    for own, others in rows:
        found = [
            twin.fields(read(own), read(one), net() if metric.synonyms else None, weights)
            for one in others
        ]
        wanted.append(max(found, key=lambda fields: fields[0]))
    candidates, references = zip(*rows, strict=True)
    for workers in (1, 2):
        table = metric.score_batch(candidates, references, workers=workers)
        found = np.stack([table[f"meteor.{field}"] for field in metric.fields], axis=1)
        np.testing.assert_allclose(found, wanted, rtol=1e-14, atol=1e-14)
    for own, others, row in zip(candidates, references, wanted, strict=True):
        for score in (function.score(own, others), metric.prepare(others).score(own)):
            np.testing.assert_allclose([*score], row, rtol=1e-14, atol=1e-14)


def test_a_function_reads_a_whole_text() -> None:
    texts = "It rained.\nWe left.", "it rained . we left ."
    assert round(Meteor().score(*texts).recall, 4) == 0.6667  # the first period stays at its word
    assert type(Meteor()._kernel()) is MeteorKernel


@given(own=texts, other=texts)
@example(own="the big dogs ran", other="large dog runs the big")
def test_the_alignment_is_explained(own: str, other: str) -> None:
    found = Meteor(tokenizer="whitespace").explain(own, other)
    matched = [item for item in found.items if item.kind == "match"]
    wanted = twin.alignment(read(own), read(other), net())
    assert [item.details["stage"] for item in matched] == [stage for *_, stage in wanted]
    assert [item.text for item in matched] == [own.split()[i] for i, *_ in wanted]
    places = [other[begin:end] for item in matched for _, begin, end in item.reference_spans]
    assert places == [other.split()[j] for _, j, _ in wanted]
