"""The label chain: its objective, its weights beside other libraries', and what it refuses."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._core.chains.label_chain import Chains
from summeval.learn import LabelChain, label_chain
from summeval.learn.label_chain import Likelihood, read_documents, search

MODELS = list(product(range(4), (False, True), ("global", "local")))


class Data:
    """Documents whose labels lean on the first feature, the label before and a linked one."""

    def __init__(self, sizes: list[int], annotators: list[int], seed: int = 0) -> None:
        draw = np.random.default_rng(seed)
        self.features = [3.0 + 2.0 * draw.normal(size=(size, 3)) for size in sizes]
        self.links = [
            [[t, int(draw.integers(0, t))] for t in range(1, size) if draw.random() < 0.4]
            for size in sizes
        ]
        self.labels: list[list[Any]] = []
        for table, links, count in zip(self.features, self.links, annotators, strict=True):
            parents = dict(links)
            extracts = []
            for _ in range(count):
                labels: list[int] = []
                for t, row in enumerate(table):
                    score = row[0] - 3.5 + 2.0 * sum(labels[-1:]) - 1.0
                    score += 2.0 * labels[parents[t]] if t in parents else 0.0
                    labels.append(int(draw.random() < 1 / (1 + np.exp(-score))))
                extracts.append(labels)
            self.labels.append(extracts)

    def fit(self, *options: Any, **more: Any) -> LabelChain:
        return LabelChain(*options, **more).fit(self.features, self.labels, self.links)


DATA = Data([0, 7, 1, 9, 30, 25], [1, 2, 3, 0, 2, 3])


def check_slopes(likelihood: Likelihood, seed: int) -> None:
    place = np.random.default_rng(seed).normal(size=len(likelihood.penalty))
    slopes = [
        (likelihood(place + unit)[0] - likelihood(place - unit)[0]) / 2e-5
        for unit in np.eye(len(place)) * 1e-5
    ]
    np.testing.assert_allclose(likelihood(place)[1], slopes, rtol=1e-6, atol=1e-5)


@every("model", MODELS)
def test_gradient_is_that_of_finite_differences(model: tuple[int, bool, str]) -> None:
    documents = read_documents(DATA.features, DATA.labels, DATA.links, model[0])
    likelihood = Likelihood(documents, *model, 0.7)
    assert not likelihood.loopy
    check_slopes(likelihood, model[0])


def test_gradient_by_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    few = partial(Chains, most=3, rounds=500, close=1e-13)
    monkeypatch.setattr(label_chain, "Chains", few)
    documents = read_documents(DATA.features, DATA.labels, DATA.links, 1)
    likelihood = Likelihood(documents, 1, True, "global", 0.7)
    assert likelihood.loopy
    place = np.zeros(len(likelihood.penalty))
    place[-8:] = 0.3 * np.random.default_rng(0).normal(size=8)
    for unit in np.eye(len(place)) * 1e-5:
        slope = (likelihood(place + unit)[0] - likelihood(place - unit)[0]) / 2e-5
        assert likelihood(place)[1] @ unit / 1e-5 == pytest.approx(slope, rel=1e-5, abs=1e-5)
    assert DATA.fit(1, True).inference == "loopy"


@every("model", MODELS)
def test_the_search_ends_at_the_maximum(model: tuple[int, bool, str]) -> None:
    documents = read_documents(DATA.features, DATA.labels, DATA.links, model[0])
    likelihood = Likelihood(documents, *model, 1.0)
    numbers = search(likelihood)
    assert np.abs(likelihood(numbers)[1]).max() < 1e-3
    assert likelihood(numbers)[0] < likelihood(likelihood.start())[0]


@pytest.mark.parametrize("model", [(0, False, "global"), (1, True, "global"), (3, True, "local")])
def test_the_search_is_short(model: tuple[int, bool, str]) -> None:
    """Without directions of equal curvature it takes several times as many steps."""
    data = Data([60] * 10, [2] * 10, seed=5)
    # one feature is a copy of another, nearly
    tables = [np.column_stack([t, t[:, 0] + 0.01 * t[:, 1]]) for t in data.features]
    documents = read_documents(tables, data.labels, data.links, model[0])
    steps = 0

    class Counted(Likelihood):
        def __call__(self, numbers: Any) -> Any:
            nonlocal steps
            steps += 1
            return super().__call__(numbers)

    search(Counted(documents, *model, 1.0))
    assert steps <= 40


@every("model", MODELS)
def test_the_likelihood_is_that_of_the_probabilities_of_labellings(
    model: tuple[int, bool, str],
) -> None:
    """Over all labellings of one annotator the probabilities have the sum 1."""
    order, links, normalisation = model
    data = Data([5], [1], seed=3)
    place: Any = None
    total = 0.0
    for labels in product((0, 1), repeat=5):
        if len(set(labels)) == 1:  # refused alone, so with a second document that is left out
            continue
        documents = read_documents(data.features, [[labels]], data.links, order)
        likelihood = Likelihood(documents, order, links, normalisation, 1e-300)
        if place is None:
            place = np.random.default_rng(1).normal(size=len(likelihood.penalty))
        total += np.exp(-likelihood(place)[0])
    for constant in (0, 1):
        labels = [constant] * 5
        other = [[1 - constant]]
        features = [*data.features, np.zeros((1, 3))]
        documents = read_documents(features, [[labels], other], [*data.links, []], order)
        both = Likelihood(documents, order, links, normalisation, 1e-300)(place)[0]
        score = place[3] * (1 - constant) - np.logaddexp(0.0, place[3])
        total += np.exp(-both - score)
    assert total == pytest.approx(1.0, abs=1e-9)


def test_order_0_is_logistic_regression() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    table = np.concatenate(
        [np.repeat(f, len(e), axis=0) for f, e in zip(DATA.features, DATA.labels, strict=True)]
    )
    every = np.concatenate(DATA.features)
    labels = np.concatenate([np.array(e, dtype=int).T.ravel() for e in DATA.labels])
    standard = (table - every.mean(axis=0)) / every.std(axis=0)
    theirs = linear.LogisticRegression(C=1 / 0.3, tol=1e-12).fit(standard, labels)
    ours = DATA.fit(l2=0.3)
    wanted = theirs.predict_proba((DATA.features[4] - every.mean(axis=0)) / every.std(axis=0))
    np.testing.assert_allclose(ours.rank(DATA.features[4]), wanted[:, 1], atol=1e-6)
    cost = ours.rank(DATA.features[4], by="cost")
    np.testing.assert_allclose(1 / (1 + np.exp(-cost)), wanted[:, 1], atol=1e-6)


@every("model", MODELS)
@every("by", ["posterior", "cost", "prediction"])
def test_ranks_of_each_kind(model: tuple[int, bool, str], by: str) -> None:
    found = DATA.fit(*model)
    table, links = DATA.features[4], DATA.links[4]
    scores = found.rank(table, links, by)
    assert scores.shape == (30,)
    assert scores.dtype == np.float64
    assert found.inference == "exact"
    cost = found.rank(table, links, by="cost")
    if by == "posterior":
        assert ((scores > 0) & (scores < 1)).all()
        assert np.corrcoef(scores, cost)[0, 1] > 0.8
    elif by == "prediction":
        assert scores.tolist() == (cost > 0).tolist()
        assert 0 < scores.sum() < 30
    without = found.rank(table, None, by)
    if by != "prediction":
        assert (without != scores).any() == model[1]
    assert found.rank([]).tolist() == found.rank(np.zeros((0, 3)), [], by).tolist() == []


def test_a_chain_learns_from_neighbours_and_links() -> None:
    data = Data([60] * 20, [2] * 20, seed=5)
    likely = {}
    for order, links, normalisation in MODELS[:8]:
        documents = read_documents(data.features, data.labels, data.links, order)
        likelihood = Likelihood(documents, order, links, normalisation, 1.0)
        likely[order, links, normalisation] = -likelihood(search(likelihood))[0]
    for normalisation in ("global", "local"):
        assert likely[1, False, normalisation] > likely[0, False, normalisation] + 20
        assert likely[1, True, normalisation] > likely[1, False, normalisation] + 20
    weights = data.fit(1, True, "local").weights
    own = weights.contexts.reshape(2, 2)
    assert 1.5 < own[1, 1] - own[1, 0] - own[0, 1] + own[0, 0] < 2.5
    pair = weights.link.reshape(2, 2)
    assert 1.5 < pair[1, 1] - pair[1, 0] - pair[0, 1] + pair[0, 0] < 2.5


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(MODELS))
def test_what_changes_nothing(seed: int, model: tuple[int, bool, str]) -> None:
    """A constant feature, the unit of a feature, the order of documents, empty documents."""
    data = Data([6, 9, 12], [2, 1, 2], seed=seed)
    if len({label for extracts in data.labels for one in extracts for label in one}) < 2:
        return
    wanted = data.fit(*model).rank(data.features[2], data.links[2])
    units = np.array([10.0, 0.5, 3.0])

    def moved(table: Any) -> Any:
        return np.column_stack([np.full(len(table), 7.5), table * units + 4.0])

    other = LabelChain(*model).fit(
        [np.zeros((0, 0)), *(moved(table) for table in data.features[::-1])],
        [[[], []], *data.labels[::-1]],
        [None, *data.links[::-1]],
    )
    found = other.rank(moved(data.features[2]), data.links[2])
    np.testing.assert_allclose(found, wanted, atol=2e-4)
    assert ((found >= 0) & (found <= 1)).all()


def test_a_strong_penalty_leaves_the_base_rate() -> None:
    found = DATA.fit(3, True, l2=1e9)
    chosen = np.concatenate([np.ravel(one) for extracts in DATA.labels for one in extracts])
    np.testing.assert_allclose(
        found.rank(DATA.features[5], DATA.links[5]), chosen.mean(), atol=1e-4
    )


def test_saved_models_rank_alike(tmp_path: Path) -> None:
    for model in ((0, False, "global"), (3, True, "local")):
        found = DATA.fit(*model, l2=2.0)
        found.save(tmp_path / "chain.model", note="a test")
        again = LabelChain.load(tmp_path / "chain.model")
        assert (again.order, again.links, again.normalisation, again.l2) == (*model, 2.0)
        one, two = (each.rank(DATA.features[5], DATA.links[5]) for each in (found, again))
        assert one.tolist() == two.tolist()
        content, arrays = found.kept()
        del content["l2"]
        with pytest.raises(KeyError):
            LabelChain.restored(content, arrays)
        with pytest.raises(ValueError, match="its array link is damaged"):
            LabelChain.restored({**content, "l2": 1.0}, {**arrays, "link": np.array([np.nan] * 4)})
        with pytest.raises(ValueError, match="its array scale is damaged"):
            LabelChain.restored({**content, "l2": 1.0}, {**arrays, "scale": np.zeros(3)})
        with pytest.raises(ValueError, match="its array contexts is damaged"):
            LabelChain.restored({**content, "l2": 1.0}, {**arrays, "contexts": np.zeros(3)})


GOOD: dict[str, Any] = {"features": [[[1.0], [2.0]]], "labels": [[[0, 1]]], "links": None}


@every(
    ("changed", "message"),
    [
        ({"labels": [[[0, 0]]]}, "no utterance is chosen in the extracts; a model needs"),
        ({"labels": [[[1, 1]]]}, "every utterance is chosen in the extracts; a model needs both"),
        ({"labels": [[]]}, "no utterance is chosen"),
        ({"features": [], "labels": []}, "no utterance is chosen"),
        ({"features": [[]], "labels": [[[]]]}, "no utterance is chosen"),
        ({"labels": [[[0, 2]]]}, r"labels 0 of document 0 have 2\.0; give 0 or 1"),
        ({"labels": [[[0, float("nan")]]]}, "labels 0 of document 0 have nan; give 0 or 1"),
        ({"labels": [[[0, None]]]}, "labels 0 of document 0 have nan; give 0 or 1"),
        ({"labels": [[[0, "x"]]]}, "labels 0 of document 0 are no numbers; give 0 or 1"),
        ({"labels": [[[0, 1, 1]]]}, r"have the shape \(3,\); give one for each of 2"),
        ({"labels": []}, "there are 1 documents and labels of 0; give both for each"),
        ({"links": []}, "there are 1 documents and links of 0; give both for each"),
        ({"links": [[[0, 1]]]}, r"link \[0, 1\] of document 0 does not go from one of its 2"),
        ({"links": [[[2, 1]]]}, r"link \[2, 1\] of document 0 does not go from one of its 2"),
        ({"links": [[[1, -1]]]}, r"link \[1, -1\] of document 0 does not go"),
        ({"links": [[[1, 0], [1, 0]]]}, "utterance 1 of document 0 has 2 links to earlier ones"),
        ({"links": [[[1.5, 0.5]]]}, "the links of document 0 are no pairs of whole numbers"),
        ({"links": [[1, 0]]}, "the links of document 0 are no pairs of whole numbers"),
        ({"features": [[[1.0], [float("nan")]]]}, "feature 0 of utterance 1 of document 0 is nan"),
        ({"features": [[[float("inf")], [1.0]]]}, "feature 0 of utterance 0 of document 0 is inf"),
        ({"features": [[[1e101], [1.0]]]}, r"is 1e\+101; give a number up to 1e\+100"),
        ({"features": [[1.0, 2.0]]}, r"the features of document 0 have the shape \(2,\)"),
        ({"features": [[[1.0], ["a"]]]}, "the features of document 0 are no table of numbers"),
        ({"features": [[[1.0], [2.0, 3.0]]]}, "the features of document 0 are no table"),
        (
            {"features": [[[1.0], [2.0]], [[1.0, 2.0]]], "labels": [[[0, 1]], [[1]]]},
            "document 1 has 2 features, document 0 has 1; give the same for all",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_a_line(changed: dict[str, Any], message: str) -> None:
    LabelChain(1, True).fit(**GOOD)
    with pytest.raises(ValueError, match=message) as caught:
        LabelChain(1, True).fit(**{**GOOD, **changed})
    assert "\n" not in str(caught.value)
    assert ";" in str(caught.value) or "earlier one" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LabelChain(4), "order is 4; give a whole number from 0 to 3"),
        (lambda: LabelChain(links=1), None),
        (lambda: LabelChain(links="yes"), "links is 'yes'; choose from True, False"),
        (lambda: LabelChain(normalisation="none"), "normalisation is 'none'; choose from"),
        (lambda: LabelChain(l2=0.0), "l2 is 0.0; give a number above 0"),
        (lambda: LabelChain().rank([[1.0]]), "the model is not trained; call fit or load one"),
        (lambda: LabelChain().kept(), "the model is not trained"),
        (lambda: DATA.fit().rank([[1.0]]), r"the document have the shape \(1, 1\); give \[utt"),
        (lambda: DATA.fit().rank([[1.0, 2.0, np.nan]]), "feature 2 of utterance 0 of the document"),
        (lambda: DATA.fit().rank([[0.0] * 3], by="luck"), "by is 'luck'; choose from 'posterior'"),
        (lambda: DATA.fit(0, True).rank([[0.0] * 3], [[0, 0]]), r"link \[0, 0\] of the document"),
    ],
)
def test_bad_calls_are_refused(call: Any, message: str | None) -> None:
    if message is None:
        call()
        return
    with pytest.raises(ValueError, match=message):
        call()


def test_features_of_any_finite_size_rank_finitely() -> None:
    for model in MODELS:
        found = DATA.fit(*model)
        table = np.array([[1e100, -1e100, 1e100], [0.0, 0.0, 0.0], [-1e100, 1e100, 0.0]])
        for by in ("posterior", "cost", "prediction"):
            assert np.isfinite(found.rank(table, [[2, 0]], by)).all()


def test_a_feature_that_hardly_varies_counts_as_constant() -> None:
    tables = [np.array([[0.0, 1.0], [1e-120, 2.0], [-1e-120, 1.5]])]
    found = LabelChain().fit(tables, [[[1, 0, 0]]])
    wanted = found.rank(tables[0])
    moved = found.rank(tables[0] + np.array([1e100, 0.0]))
    assert np.isfinite(moved).all()
    assert found.rank(tables[0] * np.array([0.0, 1.0])).tolist() == wanted.tolist()
