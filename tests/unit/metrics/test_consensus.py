"""`consensus`: content from the references and from the other candidates of the topic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import summeval
from summeval.metrics import consensus

TEXTS = [
    "the steel bridge fell into the river",
    "a bridge fell",
    "rain in the valley",
    "the river rose and a bridge of steel fell",
    "police closed the road",
    "the bridge collapsed",
]
REFERENCES = ["a steel bridge fell into a river", "the bridge over the river collapsed"]
WORDS = summeval.metric("rouge1", stemmer="porter", stopwords=True, aggregate="average")
FIELDS = ("value", "recall", "graded", "peers")


def scored(texts: Any, topics: Any, **options: Any) -> dict[str, Any]:
    metric, rows = summeval.metric("consensus"), 6 if topics is None else len(topics)
    table = metric.score_batch(texts, [REFERENCES] * rows, group=topics, **options)
    return {name: table[f"consensus.{name}"] for name in FIELDS}


def z(values: Any) -> Any:
    return (values - np.mean(values)) / np.std(values)


def test_the_value_is_the_recipe() -> None:
    found = scored(TEXTS, ["a"] * 6)
    recall = [WORDS.score(text, REFERENCES).recall for text in TEXTS]
    graded = [
        summeval.metric("tesla-e", aggregate="average").score(text, REFERENCES).value
        for text in TEXTS
    ]
    peers = [
        WORDS.score(text, [other for other in TEXTS if other is not text]).recall for text in TEXTS
    ]
    assert found["recall"].tolist() == recall
    assert found["graded"].tolist() == graded
    assert found["peers"].tolist() == peers
    wanted = (z(recall) + z(graded) + z(peers) / 2) / 2.5
    np.testing.assert_allclose(found["value"], wanted, rtol=1e-12)


def test_topics_say_nothing_of_each_other_in_any_order() -> None:
    other = [text.replace("bridge", "tower") for text in TEXTS]
    mixed = [text for pair in zip(TEXTS, other, strict=True) for text in pair]
    found, alone = scored(mixed, [1, 2] * 6, workers=2), scored(TEXTS, [1] * 6)
    for name in FIELDS:
        np.testing.assert_allclose(found[name][::2], alone[name], rtol=1e-12)
    turned = scored(TEXTS[::-1], [1] * 6)
    for name in FIELDS:
        np.testing.assert_allclose(turned[name][::-1], alone[name], rtol=1e-12)


def test_fewer_than_five_candidates_have_no_peers() -> None:
    found = scored(TEXTS, ["a"] * 4 + ["b", "c"])
    assert np.isnan(found["peers"]).all()
    np.testing.assert_allclose(found["value"][:4], z(found["recall"][:4]))
    assert np.isnan(found["value"][4:]).all()
    assert not np.isnan(found["recall"]).any()


def test_candidates_that_say_the_same_have_the_same_place() -> None:
    assert scored(["rain"] * 6, ["a"] * 6)["value"].tolist() == [0.0] * 6


@pytest.mark.parametrize("text", [None, "\ud800"])
def test_what_is_missing_or_refused_is_nobodys_peer(text: Any) -> None:
    found = scored(iter([*TEXTS, text]), ["a"] * 7, on_error="skip")
    whole = scored(TEXTS, ["a"] * 6)
    for name in FIELDS:
        assert found[name][:6].tolist() == whole[name].tolist()
        assert np.isnan(found[name][6])


def test_rows_need_topics() -> None:
    for given in (None, "sixsix"):
        with pytest.raises(ValueError, match="pass group=, the topics"):
            scored(TEXTS, given)
    with pytest.raises(ValueError, match="group has 6 names and candidates 5 rows; give one each"):
        summeval.metric("consensus").score_batch(TEXTS[:5], REFERENCES[:1] * 5, group=range(6))
    with pytest.raises(ValueError, match=r"score_batch\(candidates, references, group=topics\)"):
        summeval.score("a cat", "a cat", ["consensus"])


def test_topics_of_any_size_up_to_the_limit_are_compared_in_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = scored(TEXTS, ["a"] * 6)
    monkeypatch.setattr(consensus, "_PAIRS", 13)
    assert scored(TEXTS, ["a"] * 6)["peers"].tolist() == whole["peers"].tolist()
    monkeypatch.setattr(consensus, "MOST", 5)
    with pytest.raises(ValueError, match="group 'a' has 6 candidates; name the topic of each row"):
        scored(TEXTS, ["a"] * 6)


def test_a_label_names_the_columns_and_the_recipe_is_signed() -> None:
    metric = summeval.metric("consensus", label="c")
    table = metric.score_batch(TEXTS, [REFERENCES] * 6, group=range(0, 6))
    assert table.columns == [f"c.{name}" for name in FIELDS]
    assert metric.signature.options["weights"] == "recall=1,graded=1,peers=0.5"
    assert [part.name for part in metric.signature.options["metrics"]] == ["rouge1", "tesla-e"]  # type: ignore[union-attr]
