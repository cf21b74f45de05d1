"""Bipartite matching: the case, SciPy's matching, ROUGE-1, its laws, and rules that fail."""

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import summeval
from summeval import BipartiteMatching

words = st.lists(st.sampled_from("the cat sat lay on mat dog".split()), max_size=12)
sizes = st.integers(0, 9)
graphs = st.tuples(sizes, sizes).flatmap(
    lambda shape: st.tuples(
        st.just(shape),
        st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]),
    )
)


def starts_alike(a: str, b: str) -> bool:
    return a[:1] == b[:1]


def test_the_case_worked_out_by_hand() -> None:
    candidate, model = "the cat sat on the mat".split(), "the cat lay on a mat".split()
    score = BipartiteMatching().score_units(candidate, model)
    assert score.matching == 4
    assert score.values()[:3] == pytest.approx((2 / 3, 2 / 3, 2 / 3), abs=1e-12)
    assert BipartiteMatching().score(" ".join(candidate), " ".join(model)).value == score.value


@given(graphs)
def test_the_matching_is_as_large_as_that_of_scipy(graph: Any) -> None:
    (rows, columns), flags = graph
    dense = np.array(flags, dtype=bool).reshape(rows, columns)
    edges = np.argwhere(dense)
    wanted = 0
    if rows and columns:
        wanted = int((maximum_bipartite_matching(csr_array(dense), "column") >= 0).sum())
    metric = BipartiteMatching()
    listed = metric.score_units(range(rows), range(columns), edges.tolist())
    ruled = metric.score_units(range(rows), range(columns), lambda a, b: dense[a, b])
    for score in (listed, ruled):
        assert score.matching == wanted == len(score.pairs)
        assert all(dense[pair] for pair in score.pairs)
        assert len({i for i, _ in score.pairs}) == len({j for _, j in score.pairs}) == wanted


@given(words, words)
def test_equality_gives_rouge1(candidate: list[str], model: list[str]) -> None:
    texts = " ".join(candidate), " ".join(model)
    score, rouge = BipartiteMatching().score(*texts), summeval.metric("rouge1").score(*texts)
    for field in ("precision", "recall", "fmeasure"):
        assert score[field] == pytest.approx(rouge[field], abs=1e-12)


@given(words, words)
def test_a_rule_that_is_equality_matches_as_many_as_equality(
    candidate: list[str], model: list[str]
) -> None:
    plain = BipartiteMatching().score_units(candidate, model)
    ruled = BipartiteMatching(edge=lambda a, b: a == b, label="own").score_units(candidate, model)
    unhashable = BipartiteMatching().score_units([[w] for w in candidate], [[w] for w in model])
    mixed = BipartiteMatching().score_units(candidate, [*model, []])
    assert plain.values()[:4] == ruled.values()[:4] == unhashable.values()[:4]
    assert plain.matching == mixed.matching


@given(words, words)
def test_swapping_the_texts_swaps_precision_and_recall(
    candidate: list[str], model: list[str]
) -> None:
    metric = BipartiteMatching(edge=starts_alike)
    forth, back = metric.score_units(candidate, model), metric.score_units(model, candidate)
    assert (forth.precision, forth.recall) == (back.recall, back.precision)


def test_pairs_are_places_in_the_order_of_the_candidate() -> None:
    score = BipartiteMatching().score_units("b a c a".split(), "a x b a".split())
    assert score.pairs == ((0, 2), (1, 0), (3, 3))


def test_an_edge_rule_is_asked_once_about_equal_nodes() -> None:
    asked = []

    def rule(a: str, b: str) -> bool:
        asked.append((a, b))
        return True

    assert BipartiteMatching(edge=rule, label="own").score("a a b", "c c").matching == 2
    assert asked == [("a", "c"), ("b", "c")]


def test_of_several_references_the_best_counts_or_the_mean() -> None:
    references = ["a b x y", "a b", "c"]
    best = BipartiteMatching().score("a b", references)
    assert best.values()[:4] == (1.0, 1.0, 1.0, 2.0)
    assert [part.recall for part in best.parts] == [0.5, 1.0, 0.0]
    mean = BipartiteMatching(aggregate="average").score("a b", references)
    assert mean.recall == 0.5
    assert mean.matching == pytest.approx(4 / 3, abs=1e-12)
    assert mean.fmeasure == pytest.approx((2 / 3 + 1) / 3, abs=1e-12)


@pytest.mark.parametrize("pair", [("", ""), ("", "a"), ("a", "")])
def test_empty_texts_score_0(pair: tuple[str, str]) -> None:
    assert BipartiteMatching().score(*pair).values()[:4] == (0.0, 0.0, 0.0, 0.0)
    assert BipartiteMatching(edge=starts_alike).score(*pair).value == 0.0


def test_none_scores_nan() -> None:
    for pair in ((None, "a"), ("a", []), ("a", [None])):
        assert all(math.isnan(value) for value in BipartiteMatching().score(*pair).values()[:4])
    assert BipartiteMatching().score("a", [None, "a"]).value == 1.0


@given(st.lists(st.tuples(st.none() | words, st.lists(words, max_size=2)), max_size=5))
def test_batch_and_prepared_references_give_what_single_calls_give(rows: list[Any]) -> None:
    metric = BipartiteMatching(edge=starts_alike)
    candidates = [None if row[0] is None else " ".join(row[0]) for row in rows]
    references = [[" ".join(text) for text in row[1]] for row in rows]
    table = metric.score_batch(candidates, references, workers=2)
    assert table.columns == [f"bipartite.{field}" for field in metric.fields]
    for i, pair in enumerate(zip(candidates, references, strict=True)):
        single = metric.score(*pair)
        prepared = metric.prepare(pair[1])
        assert repr(prepared.score(pair[0])) == repr(single)
        for found in (table, prepared.score_batch([pair[0]])):
            row = [
                found[f"bipartite.{field}"][i if found is table else 0] for field in metric.fields
            ]
            assert np.array_equal(row, list(single.values()[:4]), equal_nan=True)


def test_metric_survives_pickling() -> None:
    metric = BipartiteMatching(edge=starts_alike, tokenizer="unicode", aggregate="average")
    copy = pickle.loads(pickle.dumps(metric))
    assert copy.signature == metric.signature
    assert copy.score("größe", ["gut"]) == metric.score("größe", ["gut"])
    prepared = pickle.loads(pickle.dumps(metric.prepare(["gut"])))
    assert prepared.score("größe").value == 1.0


def test_signature_tells_every_option_apart() -> None:
    metrics = [
        BipartiteMatching(),
        BipartiteMatching(edge=starts_alike),
        BipartiteMatching(tokenizer="unicode"),
        BipartiteMatching(aggregate="average"),
    ]
    assert len({metric.signature for metric in metrics}) == len(metrics)


# Bad input


def test_a_rule_that_fails_is_named_with_the_nodes() -> None:
    def rule(a: str, b: str) -> bool:
        raise KeyError(b)

    message = r"edge failed for 'a' and 'b': KeyError\('b'\)"
    for call in (
        lambda: BipartiteMatching(edge=rule, label="own").score("a", "b"),
        lambda: BipartiteMatching(edge=rule, label="own").score_batch(["a"], ["b"]),
        lambda: BipartiteMatching().score_units(["a"], ["b"], rule),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            call()
        assert isinstance(caught.value.__cause__, KeyError)


def test_nodes_that_cannot_be_compared_are_named() -> None:
    nodes = [np.zeros(2)]
    with pytest.raises(ValueError, match="the equality of nodes failed for array"):
        BipartiteMatching().score_units(nodes, nodes)


@pytest.mark.parametrize(
    ("edges", "error", "message"),
    [
        ([(0, 0), (2, 0)], ValueError, r"edges\[1\] is \(2, 0\), but there are 2 nodes of the"),
        ([(0, -1)], ValueError, r"edges\[0\] is \(0, -1\)"),
        ([(0, 0, 0)], TypeError, r"edges\[0\] is \(0, 0, 0\); give the places of two nodes"),
        ([(0, 0.5)], TypeError, r"edges\[0\] is \(0, 0.5\); give the places of two nodes"),
        ([3], TypeError, r"edges\[0\] is 3"),
        (3, TypeError, r"edges is int; pass a function or a list of pairs"),
    ],
)
def test_a_bad_edge_is_named(edges: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        BipartiteMatching().score_units(["a", "b"], ["c"], edges)


@pytest.mark.parametrize("nodes", ["a b", None, 5])
def test_nodes_must_be_a_list(nodes: Any) -> None:
    with pytest.raises(TypeError, match=r"candidate is .*; pass a list of nodes"):
        BipartiteMatching().score_units(nodes, ["a"])
    with pytest.raises(TypeError, match=r"model is .*; pass a list of nodes"):
        BipartiteMatching().score_units(["a"], nodes)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"edge": "equal"}, TypeError, "edge is 'equal'; give a function of two nodes, or None"),
        ({"tokenizer": "words"}, ValueError, "tokenizer is 'words'; choose from"),
        ({"aggregate": "best"}, ValueError, "aggregate is 'best'; choose from 'max', 'average'"),
        ({"label": ""}, ValueError, "label is ''"),
    ],
)
def test_a_bad_option_is_named(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        BipartiteMatching(**options)


@pytest.mark.parametrize("given", [5, "ab", None], ids=lambda given: type(given).__name__)
def test_a_tokenizer_that_gives_no_list_is_named(given: Any) -> None:
    message = f"the tokenizer gave {type(given).__name__}; it must give a list of str"
    with pytest.raises(TypeError, match=message):
        BipartiteMatching(tokenizer=lambda text: given, label="own").score("a", "b")
