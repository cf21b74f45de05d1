"""DICOMER and CREMER: trained by topic, kept in files that run no code, scored as metrics are."""

from __future__ import annotations

import json
import math
import pickle
import random
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

pytest.importorskip("sklearn")

import itertools

import summeval
from summeval import Cremer, Dicomer
from summeval.annotate import DiscourseDocument, Document, Sentence, Token
from summeval.learn.model_file import load_model, save_model
from summeval.learn.svm import RankSVM
from summeval.metrics.discourse.roles import FEATURES, RoleSpace, table_2, transition_features

SENSES = ("Comparison", "Contingency", "Expansion", "Temporal")


def documents(number: int, seed: int = 1) -> list[DiscourseDocument]:
    """Texts of 4 sentences of 3 nouns, each related to the next."""
    chance = random.Random(seed)
    relations = [{"type": "Implicit", "arg1": [3 * n, 3 * n + 3]} for n in range(3)]
    return [
        DiscourseDocument(
            [[(chance.choice("abcdefgh"), "NN") for _ in range(3)] for _ in range(4)],
            [
                {**each, "sense": chance.choice(SENSES), "arg2": [each["arg1"][1], 12]}
                for each in relations
            ],
        )
        for _ in range(number)
    ]


def crowded(chance: np.random.Generator) -> list[DiscourseDocument]:
    """Texts of few words, of which one may be in every role at once, beside words in none."""
    found = []
    for _ in range(6):
        sizes = chance.integers(1, 4, size=chance.integers(1, 5))
        ends = [0, *np.cumsum(sizes).tolist()]
        spans = [*itertools.pairwise(ends)]
        words = iter(chance.choice([*"aabc"], size=ends[-1]).tolist())
        relations = [
            {
                "type": chance.choice(["Implicit", "Explicit"]),
                "sense": str(chance.choice(SENSES)),
                "arg1": spans[chance.integers(len(spans))],
                "arg2": spans[chance.integers(len(spans))],
            }
            for _ in range(chance.integers(0, 60))
        ]
        sentences = [[(next(words), "NN") for _ in range(size)] for size in sizes]
        found.append(DiscourseDocument(sentences, relations))
    return found


TEXTS = documents(24)
TOPICS = [number // 6 for number in range(24)]
RATINGS = [number * 7 % 5 for number in range(24)]


class Words:
    """A provider that tags each word as a noun."""

    name = "words"
    signature = "words:1"

    def parse(self, texts: Sequence[str]) -> Any:
        for text in texts:
            lines = [line.split() for line in text.split("\n")]
            tokens = [tuple(Token(word, "NN", label="dep") for word in line) for line in lines]
            yield Document(tuple(Sentence(line) for line in tokens), (), text, self.signature)


def chained(document: Document) -> DiscourseDocument:
    """Relations between neighbouring sentences."""
    starts = [0]
    for sentence in document.sentences:
        starts.append(starts[-1] + len(sentence.tokens))
    spans = [*itertools.pairwise(starts)]
    relations = [
        {"type": "EntRel", "arg1": list(one), "arg2": list(two)}
        for one, two in itertools.pairwise(spans)
        if one[0] < one[1] and two[0] < two[1]
    ]
    return DiscourseDocument.of(document, relations)


PARSING: dict[str, Any] = {"parser": Words(), "relations": chained, "cache": False}
CANDIDATES = ["a b\nb c\nd", None, "a b", "", "a\na\na\na", "a b\nb c\nd"]


@pytest.mark.parametrize("features", FEATURES)
def test_predictions_are_the_machine_on_the_named_features(features: str) -> None:
    metric = Dicomer(features=features, transform="none").fit(TEXTS, RATINGS, TOPICS)
    found = [transition_features(text, features) for text in TEXTS]
    names = sorted({name for row in found for name in row})
    table = np.array([[row[n][0] / row[n][1] if n in row else 0.0 for n in names] for row in found])
    machine = RankSVM().fit(table, RATINGS, TOPICS)
    assert metric.predict(TEXTS) == pytest.approx(machine.predict(table), abs=1e-3)
    weights = metric.weights
    assert set(weights) == set(names)
    expected = [
        sum(weights[name] * count / total for name, (count, total) in row.items()) for row in found
    ]
    assert metric.predict(TEXTS) == pytest.approx(expected, abs=1e-12)


def test_rare_features_can_be_left_out() -> None:
    metric = Dicomer(features="lin", min_documents=10).fit(TEXTS, RATINGS, TOPICS)
    rows = [transition_features(text) for text in TEXTS]
    times = {name: sum(name in row for row in rows) for row in rows for name in row}
    assert set(metric.weights) == {name for name, count in times.items() if count >= 10}


def test_cross_prediction_sees_other_topics_only() -> None:
    metric = Dicomer(features="lin").fit(TEXTS, RATINGS, TOPICS)
    before = metric.predict(TEXTS)
    found = metric.cross_predict(TEXTS, RATINGS, TOPICS, folds=2)
    odd = [n for n in range(24) if TOPICS[n] % 2]
    other = Dicomer(features="lin").fit(
        [TEXTS[n] for n in odd], [RATINGS[n] for n in odd], [TOPICS[n] for n in odd]
    )
    even = [n for n in range(24) if not TOPICS[n] % 2]
    assert found[even].tolist() == other.predict([TEXTS[n] for n in even]).tolist()
    assert metric.predict(TEXTS).tolist() == before.tolist()


@pytest.mark.parametrize(
    ("name", "expected"),
    [("none", lambda s: s), ("signed_log1p", lambda s: math.copysign(math.log1p(abs(s)), s))],
)
def test_transforms(name: str, expected: Any) -> None:
    plain = Dicomer(features="lin", transform="none").fit(TEXTS, RATINGS, TOPICS)
    other = Dicomer(features="lin", transform=name).fit(TEXTS, RATINGS, TOPICS)
    assert other.predict(TEXTS) == pytest.approx([expected(s) for s in plain.predict(TEXTS)])


def test_the_paper_s_logarithm_refuses_what_has_none() -> None:
    metric = Dicomer(features="lin", transform="log").fit(TEXTS, RATINGS, TOPICS)
    with pytest.raises(ValueError, match=r"documents\[0\] scores 0, which has no logarithm"):
        metric.predict([DiscourseDocument([[("so", "RB")]])])
    assert metric.predict([DiscourseDocument()]).tolist() == [metric.floor] == [math.log(5e-324)]


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize(
    "options",
    [{}, {"salience": 2}, {"intra_norm": "pairs", "keep_nil_only": True}, {"ext": "separate"}],
    ids=["", "salience", "pairs", "separate"],
)
@hypothesis.given(seed=st.integers(0, 10**6))
def test_no_document_goes_beyond_the_bounds(
    features: str, options: dict[str, Any], seed: int
) -> None:
    """Whatever the weights; and words in all roles at once go beyond bounds of 1 for each kind."""
    chance = np.random.default_rng(seed)
    space = RoleSpace(features, **options)
    indices = np.flatnonzero(chance.random(space.size) < chance.choice([0.01, 0.5, 1.0]))
    weights = chance.normal(size=len(indices)) * 10 ** chance.uniform(-3, 3)
    low, high = space.bounds(indices, weights)
    every = np.zeros(space.size)
    every[indices] = weights
    rows = space.rows(crowded(chance))
    for start, end in itertools.pairwise(rows.indptr):
        found = (rows.values[start:end] * every[rows.indices[start:end]]).sum()
        assert low <= found <= high


def test_pairs_within_cells_may_add_up_to_more_than_one() -> None:
    chance = np.random.default_rng(3)
    space = RoleSpace("dicomer")
    pairs = np.arange(space.ends[1], space.size)
    rows = space.rows(crowded(chance))
    sums = [
        rows.values[start:end][rows.indices[start:end] >= pairs[0]].sum()
        for start, end in itertools.pairwise(rows.indptr)
    ]
    assert 1 < max(sums) <= space.bounds(pairs, np.ones(len(pairs)))[1] < 16


@pytest.mark.parametrize("transform", ["signed_log1p", "none"])
def test_a_document_without_words_has_the_floor(transform: str) -> None:
    metric = Dicomer(features="dicomer", transform=transform).fit(TEXTS, RATINGS, TOPICS)
    hollow = DiscourseDocument([[("...", "."), ("!", ".")]])
    for documents in ([DiscourseDocument()], [hollow, *TEXTS, DiscourseDocument()]):
        found = metric.predict(documents)
        assert found[0] == found[-1] == metric.floor == metric.bounds[0]
        assert (found >= metric.floor).all() and (found <= metric.bounds[1]).all()


def test_texts_are_scored_alone_in_batches_and_prepared() -> None:
    metric = Dicomer(features="presence", **PARSING).fit(TEXTS, RATINGS, TOPICS)
    table = metric.score_batch(CANDIDATES)
    alone = [metric.score(text).value for text in CANDIDATES]
    prepared = [metric.prepare().score(text).value for text in CANDIDATES]
    batch = metric.prepare().score_batch(CANDIDATES)["dicomer.value"].tolist()
    assert repr(table["dicomer.value"].tolist()) == repr(alone) == repr(prepared) == repr(batch)
    assert math.isnan(alone[1])
    assert alone[2:4] == [0.0, metric.floor]
    expected = metric.predict([chained(next(Words().parse(["a b\nb c\nd"])))])
    assert alone[0] == expected[0] == alone[5]


def test_it_runs_in_a_suite_without_references() -> None:
    metric = Dicomer(features="presence", **PARSING).fit(TEXTS, RATINGS, TOPICS)
    found = summeval.score("a b\nb", "a b", metrics=[metric, "rouge1"])
    assert found["dicomer"].value == metric.score("a b\nb").value
    again = pickle.loads(pickle.dumps(Dicomer(features="lin").fit(TEXTS, RATINGS, TOPICS)))
    assert again.predict(TEXTS).shape == (24,)


def test_a_saved_model_predicts_the_same(tmp_path: Path) -> None:
    metric = Dicomer(features="dicomer", salience=2, **PARSING).fit(TEXTS, RATINGS, TOPICS)
    path = tmp_path / "model"
    metric.save(path, note="24 texts")
    again = Dicomer.load(path, **PARSING)
    assert again.predict(TEXTS).tolist() == metric.predict(TEXTS).tolist()
    assert again.signature == metric.signature
    assert "|model:None" not in again.signature
    first = path.read_bytes()
    again.save(path, note="24 texts")
    assert path.read_bytes() == first
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_a_loaded_model_needs_numpy_alone(tmp_path: Path) -> None:
    dicomer = Dicomer(features="lin").fit(TEXTS, RATINGS, TOPICS)
    dicomer.save(tmp_path / "d")
    rows = np.column_stack([np.linspace(0, 1, 24), dicomer.predict(TEXTS)])
    Cremer(dicomer=dicomer).fit(rows, RATINGS).save(tmp_path / "c")
    program = """
import sys
for name in ("sklearn", "scipy", "spacy"):
    sys.modules[name] = None
from summeval import Cremer, Dicomer
from summeval.metrics.discourse.roles import table_2
print(Dicomer.load(sys.argv[1]).predict([table_2()])[0], Cremer.load(sys.argv[2]).predict([[1, 2]]))
"""
    command = [sys.executable, "-c", program, str(tmp_path / "d"), str(tmp_path / "c")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(ran.stdout.split()[0]) == dicomer.predict([table_2()])[0]


def test_model_files_that_are_not_as_saved_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model"
    Dicomer(features="lin").fit(TEXTS, RATINGS, TOPICS).save(path)
    whole = path.read_bytes()
    content, arrays = load_model(path, "dicomer")

    def refused(message: str) -> None:
        with pytest.raises(ValueError, match=message) as caught:
            Dicomer.load(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)

    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        refused("no model file of summeval")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", json.dumps({"format": "summeval-model", "version": 2}))
    refused("version 2 of the format, summeval reads 1; train and save the model again")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", json.dumps({"format": "summeval-model", "version": 1}))
    refused("changed since it was saved")
    save_model(path, "cremer", content, arrays)
    refused("a model of the kind 'cremer'; give one of 'dicomer'")
    save_model(path, "dicomer", content, {**arrays, "indices": arrays["indices"] + 10**6})
    refused("indices are out of range")
    save_model(path, "dicomer", content, {**arrays, "weights": arrays["weights"] * np.nan})
    refused("weights are not finite")
    save_model(path, "dicomer", {**content, "roles": ["A"]}, arrays)
    refused("trained with other roles")
    with pytest.raises(OSError, match="none"):
        Dicomer.load(tmp_path / "none")


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "model"
    Dicomer(features="presence").fit(TEXTS, RATINGS, TOPICS).save(path)
    before = Dicomer.load(path).predict(TEXTS).tolist()
    whole = path.read_bytes()
    for place in range(0, len(whole), 11):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:  # a byte of the archive's own bookkeeping may not matter
            assert Dicomer.load(path).predict(TEXTS).tolist() == before
        except ValueError as error:
            assert str(path) in str(error)


def test_pickled_objects_in_a_model_file_are_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", "{}")
        with archive.open("indices.npy", "w") as file:
            np.lib.format.write_array(file, np.array([{}]), allow_pickle=True)
    with pytest.raises(ValueError, match="no model file of summeval"):
        Dicomer.load(path)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_cremer_scores_texts_by_both_numbers(kernel: str, tmp_path: Path) -> None:
    dicomer = Dicomer(features="presence", **PARSING)
    content = np.linspace(0, 1, 24)
    metric = Cremer(kernel=kernel, dicomer=dicomer)
    metric.fit_documents(TEXTS, content, RATINGS, RATINGS, TOPICS)
    references = [["a b c"], ["a"], ["b"], None, "a a", ["a b c"]]
    table = metric.score_batch(CANDIDATES, references)
    for row, (text, others) in enumerate(zip(CANDIDATES, references, strict=True)):
        score = metric.score(text, others)
        prepared = metric.prepare(others)
        assert repr(prepared.score(text)) == repr(score)
        for field in metric.fields:
            expected = [score[field]]
            assert repr(table[f"cremer.{field}"][row].tolist()) == repr(expected[0])
            assert repr(prepared.score_batch([text])[f"cremer.{field}"].tolist()) == repr(expected)
        if text is not None and others is not None:
            assert score.content == summeval.metric("tesla-s").score(text, others).value
            assert score.readability == dicomer.score(text).value
            assert score.value == metric.predict([[score.content, score.readability]])[0]
    assert np.isnan(table["cremer.value"][[1, 3]]).all()
    metric.save(tmp_path / "model")
    again = Cremer.load(tmp_path / "model", **PARSING)
    assert again.score("a b\nb", "a b").items() == metric.score("a b\nb", "a b").items()
    assert again.signature == metric.signature
    with pytest.raises(ValueError, match=r"trained with tesla-s.*pass that tesla="):
        Cremer.load(tmp_path / "model", tesla=summeval.TeslaS(recall_weight=0.5))


def test_cross_fitting_trains_on_values_of_unseen_topics() -> None:
    content = np.linspace(0, 1, 24)
    plain = Cremer(dicomer=Dicomer(features="lin"))
    crossed = Cremer(dicomer=Dicomer(features="lin"))
    given = (TEXTS, content, RATINGS, RATINGS, TOPICS)
    plain.fit_documents(*given)
    crossed.fit_documents(*given, cross_fit=True, folds=4)
    dicomer = Dicomer(features="lin").fit(TEXTS, RATINGS, TOPICS)
    values = dicomer.cross_predict(TEXTS, RATINGS, TOPICS, folds=4)
    rows = np.column_stack([content, values])
    assert crossed.predict(rows) == pytest.approx(Cremer().fit(rows, RATINGS).predict(rows))
    assert plain.predict(rows) != pytest.approx(crossed.predict(rows))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"features": "all"}, "features is 'all'"),
        ({"transform": "exp"}, "transform is 'exp'"),
        ({"min_documents": 0}, "min_documents is 0; give a number from 1"),
        ({"cache": 2}, "cache is 2"),
        ({"label": ""}, "label is ''"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Dicomer(**options)


def test_bad_training_data_is_named() -> None:
    metric = Dicomer(features="lin")
    with pytest.raises(ValueError, match=r"scores has the shape \(2,\) for 24 documents"):
        metric.fit(TEXTS, [1, 2], TOPICS)
    with pytest.raises(ValueError, match=r"scores\[1\] is nan; leave the document out"):
        metric.fit(TEXTS[:2], [1, float("nan")], [1, 1])
    with pytest.raises(ValueError, match="no query has rows of different ranks"):
        metric.fit(TEXTS[:2], [1, 1], [1, 1])
    with pytest.raises(ValueError, match="topics have the shape"):
        metric.fit(TEXTS[:2], [1, 2], [1])
    for use, given in ((metric.predict, [table_2()]), (metric.score_batch, ["a"])):
        with pytest.raises(ValueError, match="dicomer is not trained; call fit or load a model"):
            use(given)
    with pytest.raises(TypeError, match="dicomer is str; pass a Dicomer"):
        Cremer(dicomer="model")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cremer has no dicomer to score texts with"):
        Cremer().score("a", "b")
    with pytest.raises(ValueError, match=r"rows have the shape \(3,\); give \(TESLA-S, DICOMER\)"):
        Cremer().fit([1, 2, 3], [1, 2, 3])
    with pytest.raises(ValueError, match=r"rows\[1\] is \[nan, 1.0\]"):
        Cremer().fit([[1, 2], [float("nan"), 1]], [1, 2])


def test_the_floor_of_cremer_is_that_of_its_present_machines() -> None:
    rows = [[0.1, 0.5], [0.4, 0.1], [0.6, 0.9], [0.9, 0.6]]
    dicomer = Dicomer(features="presence", **PARSING).fit(TEXTS, RATINGS, TOPICS)
    metric = Cremer(kernel="linear", dicomer=dicomer).fit(rows, [2, 2.5, 4, 4.5])
    low, high = dicomer.bounds
    corners = metric.predict([[content, value] for content in (0, 1) for value in (low, high)])
    assert metric.floor == pytest.approx(corners.min(), abs=1e-6)
    before = metric.floor
    metric.fit(rows, [12, 12.5, 14, 14.5])
    assert metric.floor == pytest.approx(before + 10, abs=0.1)
    changed = metric.floor
    dicomer.fit(TEXTS, [-rating for rating in RATINGS], TOPICS)
    assert metric.floor != changed
    with pytest.raises(ValueError, match="cremer has no dicomer to score texts with"):
        _ = Cremer(kernel="linear").fit(rows, [1, 2, 3, 4]).floor
