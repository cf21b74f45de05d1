"""Combinations of scores: least squares, its file, SIMetrix's regression, ROSE, Nouveau-ROUGE."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_files import rewritten
from shared import CASE_FILES

import summeval
from summeval import Combination, NouveauRouge, Rouge, Simetrix
from summeval.learn.model_file import load_model, save_model
from summeval.learn.regression import LinearModel

GOLDEN = json.loads((CASE_FILES / "simetrix.json").read_text())
(REGRESSION,) = (c for c in GOLDEN["cases"] if c["kind"].startswith("regression"))
BRIDGE = [case["input"] for case in GOLDEN["cases"] if case["id"].startswith("simetrix-YY-b")]
TEXTS = ["a cat sat on a mat", "a cat sat", "the dog", "so it goes", "cat and mat"]
REFERENCES = [["the cat sat on the mat"]] * 5
EARLIER = [["the cat slept"]] * 5
MARKS = [5.0, 4.0, 2.0, 1.0, 3.0]


def regression() -> tuple[Any, Any, list[list[int]]]:
    given_, ids = REGRESSION["input"], REGRESSION["input"]["ids"]
    return given_["features"], given_["target"], [list(labels) for labels in zip(*ids, strict=True)]


def test_predictions_without_input_and_system_are_those_of_the_case() -> None:
    """The numbers of an independent least squares with intercept (NumPy)."""
    x, y, groups = regression()
    found = LinearModel(["a", "b"]).cross_predict(x, y, groups)
    np.testing.assert_allclose(found, REGRESSION["expected"], atol=REGRESSION["tolerance"])


def test_held_out_row_is_told_by_a_model_of_the_others() -> None:
    x, y, (inputs, systems) = regression()
    found = LinearModel(["a", "b"]).cross_predict(x, y, [inputs, systems])
    others = [k for k in range(len(y)) if inputs[k] != inputs[7] and systems[k] != systems[7]]
    model = LinearModel(["a", "b"]).fit([x[k] for k in others], [y[k] for k in others])
    assert found[7] == pytest.approx(float(model.predict([x[7]])[0]), abs=1e-12)


@given(
    st.lists(st.floats(-9, 9), min_size=4, max_size=4),
    st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=8, max_size=12),
)
def test_what_is_linear_is_fitted_exactly(numbers: list[float], rows: list[list[int]]) -> None:
    x = np.array(rows, dtype=float)
    y = numbers[0] + x @ numbers[1:]
    model = LinearModel(["a", "b", "c"]).fit(x, y)
    np.testing.assert_allclose(model.predict(x), y, atol=1e-9)


def test_residuals_are_orthogonal_to_the_features() -> None:
    x, y, _ = regression()
    rest = np.array(y) - LinearModel(["a", "b"]).fit(x, y).predict(x)
    np.testing.assert_allclose([rest.sum(), *(np.array(x).T @ rest)], 0, atol=1e-12)


BAD_ROWS: dict[str, tuple[Any, Any, str]] = {
    "none": (np.empty((0, 2)), [], "0 rows and 0 targets"),
    "lengths": ([[1, 2]], [1, 2], "1 rows and 2 targets"),
    "columns": ([[1, 2, 3]], [1], r"shape \(1, 3\); give \[row, feature\] for the 2 features a, b"),
    "nan": ([[1, 2], [3, math.nan]], [1, 2], "row 1: b is not finite"),
    "target": ([[1, 2], [3, 4]], [1, math.inf], "row 1: the target is not finite"),
    "flat": ([[1, 2]], [[1]], r"y has the shape \(1, 1\)"),
}


@pytest.mark.parametrize(("x", "y", "message"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_rows_that_cannot_be_fitted_are_named(x: Any, y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LinearModel(["a", "b"]).fit(x, y)


def test_groups_that_leave_nothing_are_named() -> None:
    model = LinearModel(["a"])
    with pytest.raises(ValueError, match="row 0: no row is in other groups"):
        model.cross_predict([[1], [2]], [1, 2], [[0, 0]])
    with pytest.raises(ValueError, match="1 labels for 2 rows"):
        model.cross_predict([[1], [2]], [1, 2], [[0]])
    with pytest.raises(ValueError, match="groups is empty"):
        model.cross_predict([[1], [2]], [1, 2], [])


def test_model_without_coefficients_says_so() -> None:
    with pytest.raises(ValueError, match="fit or load it first"):
        Combination("rouge1").score("a", "a")


def test_features_and_coefficients_are_checked() -> None:
    for features, numbers, message in (
        ([], (), "one or more"),
        (["a", "a"], (), "each once"),
        (["a"], (1.0, [1.0, 2.0]), "2 coefficients for 1 features"),
        (["a"], (math.nan, [1.0]), "a coefficient is nan"),
        (["a"], (1.0, None), "go together"),
    ):
        with pytest.raises(ValueError, match=message):
            LinearModel(features, *numbers)


# ---------------------------------------------------------------------------------- the file


def saved(path: Path) -> Combination:
    metric = Combination(["rouge1", "rouge2"], ["rouge1.recall", "rouge2.fmeasure"])
    metric.fit(TEXTS, MARKS, references=REFERENCES).save(path)
    return metric


def test_file_gives_back_the_model_to_the_bit(tmp_path: Path) -> None:
    metric = saved(tmp_path / "m")
    again = Combination.load(tmp_path / "m")
    assert again.signature == metric.signature
    assert again.model.features == metric.model.features
    assert again.score("a cat", "the cat") == metric.score("a cat", "the cat")


def test_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.model"
    saved(path)
    data = path.read_bytes()
    content = load_model(path, "combination")[0]
    nan = {**content, "models": {"prediction": {"features": ["a"]}}}
    coded = nan | {"models": {"prediction": {"code": "1"}}}
    for broken, message in (
        (rewritten(data, sign=False, content={**content, "note": "x"}), "changed since it was"),
        (data[:99], "no model file of summeval"),
        (b"[]", "no model file of summeval"),
        (b"{}", "no model file of summeval"),
        (rewritten(data, format="other"), "no model file of summeval"),
        (rewritten(data, version=2), "version 2 of the format, summeval reads 1"),
        (rewritten(data, kind="nouveau-rouge"), "a model of the kind 'nouveau-rouge'"),
        (rewritten(data, content={**content, "models": []}), "no model of a combination"),
        (rewritten(data, content={**content, "basis": []}), "no model of a combination"),
        (rewritten(data, content={**content, "basis": {"rouge0.5": ""}}), "no model of a comb"),
        (rewritten(data, content=coded), "no model of a combination"),
        (rewritten(data, content=nan), "no model of a combination .unknown column 'a'"),
    ):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match=message) as caught:
            Combination.load(path)
        assert str(caught.value).startswith(f"{path}: ")


def test_file_of_other_options_is_refused_and_of_another_version_is_not(tmp_path: Path) -> None:
    path = tmp_path / "m"
    metric = saved(path)
    stemmed = [Rouge("rouge1", stemmer="porter"), "rouge2"]
    with pytest.raises(ValueError, match=r"trained with rouge1.*stemmer:none.*here is"):
        Combination.load(path, stemmed)
    with pytest.raises(ValueError, match="no rouge3"):
        Combination.load(path, ["rouge1", "rouge2", "rouge3"])
    assert Combination.load(path, ["rouge1", "rouge2"]).signature == metric.signature
    content, arrays = load_model(path, "combination")
    content["basis"] = {name: text + ".9" for name, text in content["basis"].items()}
    save_model(path, "combination", content, arrays)
    assert Combination.load(path).model.is_fitted


def test_file_of_metrics_with_options_takes_these(tmp_path: Path) -> None:
    metrics = [Rouge("rouge1", stemmer="porter")]
    metric = Combination(metrics, ["rouge1.recall"]).fit(TEXTS, MARKS, references=REFERENCES)
    metric.save(tmp_path / "m", note="five texts")
    assert load_model(tmp_path / "m", "combination")[0]["note"] == "five texts"
    with pytest.raises(ValueError, match=r"stemmer:porter.*here is.*stemmer:none.*pass metrics="):
        Combination.load(tmp_path / "m")
    assert Combination.load(tmp_path / "m", metrics).signature == metric.signature


# -------------------------------------------------------------------------------- combinations


def test_combination_of_rouge_is_least_squares_on_its_columns() -> None:
    metric = Combination(["rouge1", "rougeL"], ["rouge1.recall", "rougeL.precision"])
    table = summeval.score_batch(TEXTS, REFERENCES, ["rouge1", "rougeL"])
    x = np.column_stack([table["rouge1.recall"], table["rougeL.precision"]])
    expected = LinearModel(["a", "b"]).fit(x, MARKS).predict(x)
    metric.fit(TEXTS, MARKS, references=REFERENCES)
    found = metric.score_batch(TEXTS, REFERENCES, workers=2)["combination"]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    single = [metric.score(t, r).prediction for t, r in zip(TEXTS, REFERENCES, strict=True)]
    np.testing.assert_allclose(single, expected, atol=1e-12)
    prepared = pickle.loads(pickle.dumps(metric)).prepare(REFERENCES[0])
    np.testing.assert_allclose(prepared.score_batch(TEXTS)["combination"], expected, atol=1e-12)
    assert prepared.score(TEXTS[0]).value == pytest.approx(expected[0])
    assert math.isnan(metric.score(None, "a").prediction)


def test_regression_of_simetrix_reads_the_source() -> None:
    summaries = [case["summary"] for case in BRIDGE]
    sources = [case["documents"] for case in BRIDGE]
    columns = ["simetrix.unsmoothedJSD", "simetrix.cosineAllWords"]
    metric = Combination(Simetrix(), columns, label="regression")
    metric.fit(summaries, [4.0, 3.0, 1.0, 2.0], sources=sources)
    table = summeval.score_batch(summaries, None, [metric, "simetrix"], sources=sources)
    assert metric.model.predict(metric.columns(summaries, sources=sources)) == pytest.approx(
        table["regression"]
    )
    assert metric.score(summaries[0], source=sources[0]).value == table["regression"][0]


def test_regression_evaluates_itself_on_other_inputs_and_systems() -> None:
    texts, marks = TEXTS * 3, MARKS * 3
    groups = [[n // 5 for n in range(15)], [n % 5 for n in range(15)]]
    metric = Combination("rouge1", ["rouge1.recall"])
    found = metric.cross_predict(texts, marks, groups, references=REFERENCES * 3)
    x = metric.columns(texts, REFERENCES * 3)
    np.testing.assert_array_equal(found, LinearModel(["a"]).cross_predict(x, marks, groups))
    assert not metric.model.is_fitted


def test_combination_names_what_it_cannot_use() -> None:
    with pytest.raises(ValueError, match=r"unknown column 'rouge1.recal'; did you mean"):
        Combination("rouge1", ["rouge1.recal"])
    with pytest.raises(ValueError, match=r"row 0: simetrix.percentTopicTokens is not finite"):
        Combination(Simetrix(background=None)).fit(["a bridge"], [1.0], sources=[["a bridge"]])


# ------------------------------------------------------------------------------- Nouveau-ROUGE


def test_nouveau_rouge_weighs_earlier_and_current_references() -> None:
    numbers = {"rouge2": (0.1, -0.5, 2.0), "rougeSU4": (0.0, -1.0, 1.0)}
    found = NouveauRouge(coefficients=numbers).score(
        TEXTS[0], earlier=EARLIER[0], current=REFERENCES[0]
    )
    for name, (start, earlier, current) in numbers.items():
        rouge = Rouge(name, stemmer="rouge155", aggregate="average")
        expected = start + earlier * rouge.score(TEXTS[0], EARLIER[0]).recall
        expected += current * rouge.score(TEXTS[0], REFERENCES[0]).recall
        assert found[name] == pytest.approx(expected, abs=1e-12)


def test_nouveau_rouge_learns_saves_and_loads(tmp_path: Path) -> None:
    metric = NouveauRouge(["rouge1"], field="fmeasure")
    metric.fit(TEXTS, MARKS, earlier=EARLIER, current=REFERENCES)
    metric.save(tmp_path / "n")
    again = NouveauRouge.load(tmp_path / "n")
    assert {name: model.coefficients for name, model in again.models.items()} == {
        name: model.coefficients for name, model in metric.models.items()
    }
    batch = again.score_batch(TEXTS, earlier=EARLIER, current=REFERENCES)["rouge1"]
    loop = [
        metric.score(text, earlier=a, current=b).value
        for text, a, b in zip(TEXTS, EARLIER, REFERENCES, strict=True)
    ]
    np.testing.assert_allclose(batch, loop, atol=1e-12)
    with pytest.raises(ValueError, match=r"trained with fmeasure.*stemmer:rouge155.*here is"):
        NouveauRouge.load(tmp_path / "n", stemmer=None)
    with pytest.raises(ValueError, match="a model of the kind 'nouveau-rouge'"):
        Combination.load(tmp_path / "n")


def test_file_of_other_measures_is_refused(tmp_path: Path) -> None:
    metric = NouveauRouge(["rouge1"]).fit(TEXTS, MARKS, earlier=EARLIER, current=REFERENCES)
    metric.save(tmp_path / "n")
    content, _ = load_model(tmp_path / "n", "nouveau-rouge")
    basis, models = content["basis"], content["models"]
    for broken in (
        {"basis": {"x": basis["rouge1"]}},
        {"basis": {"rouge1": "mean"}},
        {"basis": {}, "models": {}},
        {"models": {"rouge2": models["rouge1"]}},
        {"models": {"rouge1": models["rouge1"] | {"features": ["a", "b"]}}},
    ):
        save_model(tmp_path / "n", "nouveau-rouge", content | broken, {})
        with pytest.raises(ValueError, match=r"/n: no model of Nouveau-ROUGE \("):
            NouveauRouge.load(tmp_path / "n")


def test_nouveau_rouge_takes_a_target_for_each_measure() -> None:
    metric = NouveauRouge(["rouge1", "rouge2"])
    metric.fit(TEXTS, {"rouge1": MARKS, "rouge2": MARKS[::-1]}, earlier=EARLIER, current=REFERENCES)
    alone = NouveauRouge(["rouge2"]).fit(TEXTS, MARKS[::-1], earlier=EARLIER, current=REFERENCES)
    assert metric.models["rouge2"].coefficients == alone.models["rouge2"].coefficients


def test_one_name_is_a_list_of_one() -> None:
    assert NouveauRouge("rouge1").fields == NouveauRouge(["rouge1"]).fields
    assert Combination("rouge1", "rouge1.recall").model.features == ("rouge1.recall",)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: NouveauRouge(coefficients=5), "coefficients is int; give a dict"),
        (
            lambda: NouveauRouge(coefficients={"rouge2": 5}),
            r"\['rouge2'\] is 5; give three numbers",
        ),
        (lambda: LinearModel(["a"]).fit([["x"]], [1]), "x must be an array"),
        (lambda: LinearModel(["a"]).fit([[1]], ["x"]), "y must be an array"),
        (lambda: LinearModel(["a"]).cross_predict([[1]], [1], [5]), "groups holds 5; give a list"),
    ],
)
def test_what_holds_no_numbers_is_named(call: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_nouveau_rouge_names_what_it_cannot_use() -> None:
    with pytest.raises(ValueError, match="unknown measure 'rouge3'"):
        NouveauRouge(coefficients={"rouge3": (0, 0, 0)})
    with pytest.raises(ValueError, match="has 2 numbers; give three"):
        NouveauRouge(coefficients={"rouge2": (0, 0)})
    with pytest.raises(ValueError, match="fit or load it first"):
        NouveauRouge().score("a", earlier="a", current="a")


# ------------------------------------------------------------------------------------- empty texts

NOTHING = ["", " \n", "...!"]


@pytest.mark.parametrize("weights", [(2.0, 1.0), (2.0, -1.0), (-2.0, -1.0), (0.0, -1.0)])
def test_no_text_is_told_less_than_an_empty_one(weights: tuple[float, float]) -> None:
    rose = Combination("rouge1", ["rouge1.precision", "rouge1.recall"])
    rose.model = LinearModel(rose.model.features, 0.5, weights)
    floor = 0.5 + sum(min(0.0, weight) for weight in weights)  # by hand: shares from 0 to 1
    found = [*NOTHING, "a cat", "the the the", "a cat sat on a mat", None]
    table = rose.score_batch(found, ["a cat sat on a mat"] * len(found))
    prepared = rose.prepare("a cat sat on a mat")
    values = table["combination"].tolist()
    assert values[:3] == [floor] * 3
    assert all(value >= floor for value in values[:-1]) and math.isnan(values[-1])
    for got in (
        [rose.score(text, "a cat sat on a mat").value for text in found],
        [prepared.score(text).value for text in found],
        prepared.score_batch(found)["combination"].tolist(),
    ):
        np.testing.assert_array_equal(got, values)
    assert values[4] == 0.5  # shares nothing, and is no empty text
    assert math.isnan(rose.score("", []).value)


def test_no_summary_is_told_less_than_an_empty_one_beside_its_input() -> None:
    source = "The storm hit the coast and the houses."
    texts = [*NOTHING, "the of and", "Cats purr.", "storm", source, "coast " * 99]
    for sign in (1.0, -1.0):
        told = Combination("simetrix", ["simetrix.unsmoothedJSD", "simetrix.cosineAllWords"])
        told.model = LinearModel(told.model.features, 1.0, [-sign, sign])
        values = told.score_batch(texts, sources=[source] * len(texts))["combination"]
        assert values[:4].tolist() == [1 - math.log(2) if sign > 0 else 0.0] * 4
        assert (values[4:] >= values[0]).all()
        np.testing.assert_array_equal([told.score(t, source=source).value for t in texts], values)
        prepared = told.prepare(source=source).score_batch(texts)["combination"]
        np.testing.assert_array_equal(prepared, values)
    open_ended = Combination("simetrix", ["simetrix.KLSummaryInput"])
    open_ended.model = LinearModel(open_ended.model.features, 1.0, [1.0])
    assert open_ended.score("", source=source).value == -math.inf


def test_an_empty_summary_is_no_row_to_learn_from_beside_its_input() -> None:
    told = Combination("simetrix", ["simetrix.cosineAllWords", "simetrix.KLSummaryInput"])
    texts = ["the storm", "cats", "the coast"]
    told.fit(texts, [1, 2, 3], sources=["storm coast"] * 3)
    with pytest.raises(ValueError, match=r"row 1: simetrix\.cosineAllWords is not finite"):
        told.fit(["the storm", "the", "cats"], [1, 2, 3], sources=["storm coast"] * 3)


def test_sources_that_can_be_read_once_are_read_once() -> None:
    pa = pytest.importorskip("pyarrow")

    class Stream:
        read = False

        def __len__(self) -> int:
            return 3

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            assert not self.read
            self.read = True
            return pa.chunked_array([["storm coast"] * 3]).__arrow_c_stream__()

    told = Combination("simetrix", ["simetrix.cosineAllWords"])
    found = told.columns(["storm", "", "coast"], sources=Stream())
    np.testing.assert_array_equal(np.isnan(found[:, 0]), [False, True, False])


def test_no_update_is_told_less_than_an_empty_one() -> None:
    nouveau = NouveauRouge(["rouge1"], coefficients={"rouge1": (0.25, -0.5, 1.0)})
    sides: dict[str, Any] = {"earlier": ["a cat lay"], "current": ["the cat sat"]}
    texts = ["", "...", "a cat lay", "so it goes", None]
    batch = {key: [value] * len(texts) for key, value in sides.items()}
    found = nouveau.score_batch(texts, **batch)["rouge1"]
    assert found[:2].tolist() == [-0.25, -0.25] and found[3] == 0.25
    assert (found[2:4] >= -0.25).all()
    np.testing.assert_array_equal([nouveau.score(t, **sides).rouge1 for t in texts], found)


def test_a_column_that_does_not_count_has_no_part_in_the_least() -> None:
    model = LinearModel(["a", "b"], 1.0, [0.0, 2.0])
    assert model.least([[5.0, 0.5]], [math.inf, math.inf]).tolist() == [2.0]


def test_a_metric_says_how_good_its_fields_can_be() -> None:
    graphs = Combination(summeval.metric("npower", max_score=5.0), ["npower.value"])
    graphs.model = LinearModel(graphs.model.features, 0.0, [-1.0])
    assert graphs.score("", "abcdef").value == -5.0 <= graphs.score("abcdef", "abcdef").value
    for name in summeval.list_metrics():
        assert set(summeval.metric(name).best) == set(summeval.metric(name).fields)
