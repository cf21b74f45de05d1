"""Combinations of metrics of references, of the source and of neither, of every kind."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summeval
from summeval import Combination, Cremer, Signature
from summeval.learn.model_file import load_model, save_model
from summeval.metrics.combination import KINDS

pytest.importorskip("sklearn")

SOURCE = "The storm hit the coast. Many houses were lost, officials said."
REFERENCE = "The storm hit the coast and the houses."
TEXTS = ["The storm hit the coast.", "A cat sat on a mat.", "storm coast houses", "Houses, houses."]
MARKS = [4.0, 1.0, 3.0, 2.0]
PARTS = ["rouge1.recall", "simetrix.unsmoothedJSD", "tesla-s"]
SIDES: dict[str, Any] = {"references": [[REFERENCE]] * 4, "sources": [SOURCE] * 4}
MORE = ["", "of the", None, *TEXTS, "..."]

pytestmark = pytest.mark.filterwarnings("ignore:simetrix:summeval.ScoreWarning")


class Reader(summeval.Metric):
    """A metric of the candidate alone, which needs no parser: the share of long words."""

    name = "long"
    fields = ("share",)
    primary = "share"
    compared_with = "nothing"
    floor = 0.0

    @property
    def signature(self) -> Signature:
        return Signature.of("long")

    @staticmethod
    def fuse(metrics: Any) -> Any:
        from summeval.metrics.run.runner import Runner

        def values(texts: Any, workers: int) -> Any:
            return np.array([np.mean([len(w) > 4 for w in text.split()]) for text in texts])

        return Runner.of_texts(metrics[0], values)


def made(kind: str) -> Combination:
    columns = ["rouge1.recall", "simetrix.unsmoothedJSD", "tesla-s.fmeasure", "long.share"]
    metric = Combination(["rouge1", "simetrix", "tesla-s", Reader()], columns, kind=kind)
    return metric.fit(TEXTS, MARKS, **SIDES, topics=[0, 0, 1, 1])


@pytest.fixture(scope="module", params=KINDS)
def metric(request: pytest.FixtureRequest) -> Combination:
    return made(request.param)


def test_a_row_has_one_value_however_it_is_scored(metric: Combination) -> None:
    sides: dict[str, Any] = {"references": [[REFERENCE]] * 8, "sources": [SOURCE] * 8}
    table = metric.score_batch(MORE, **sides)
    wanted = table["combination"]
    prepared = metric.prepare(REFERENCE, source=SOURCE)
    again = pickle.loads(pickle.dumps(metric))
    for found in (
        metric.score_batch(MORE, **sides, workers=3)["combination"],
        again.score_batch(MORE, **sides)["combination"],
        summeval.score_batch(MORE, metrics=["rouge2", metric], **sides)["combination"],
        prepared.score_batch(MORE, workers=2)["combination"],
        [prepared.score(text).prediction for text in MORE],
        [metric.score(text, REFERENCE, source=SOURCE).prediction for text in MORE],
    ):
        np.testing.assert_array_equal(found, wanted)
    assert np.isnan(wanted).tolist() == [text is None for text in MORE]
    assert (wanted[[1, *range(3, 8)]] >= wanted[0]).all() and wanted[7] == wanted[0]


def test_a_text_that_shares_nothing_is_no_empty_one(metric: Combination) -> None:
    lone = "of to"  # scores in each column as the empty text
    parts = ["rouge1", "simetrix", "tesla-s", Reader()]
    table = [summeval.score(text, REFERENCE, parts, source=SOURCE) for text in (lone, "")]
    assert [dict(score) for score in table[0].values()] == [dict(s) for s in table[1].values()]
    rows = metric.columns([lone, "", TEXTS[0]], [[REFERENCE]] * 3, [SOURCE] * 3)
    assert np.isnan(rows).all(axis=1).tolist() == [False, True, False]
    found = metric.score(lone, REFERENCE, source=SOURCE).value
    assert found == metric.predict(rows[:1])[0]


def test_rows_that_repeat_are_scored_as_those_that_do_not(metric: Combination) -> None:
    pa = pytest.importorskip("pyarrow")
    texts, references = [TEXTS[0]] * 2 + [TEXTS[1]] * 2, [REFERENCE] * 2 + ["a cat"] * 2
    sources = [SOURCE] * 2 + ["A mat."] * 2
    coded = [pa.array(column).dictionary_encode() for column in (texts, references, sources)]
    found = metric.score_batch(coded[0], coded[1], sources=coded[2])["combination"]
    plain = metric.score_batch(texts, references, sources=sources)["combination"]
    np.testing.assert_array_equal(found, plain)


def test_what_a_combination_needs_is_named(metric: Combination) -> None:
    assert metric.compared_with == "both"
    for call, message in (
        (lambda: metric.score("a", REFERENCE), "combination compares.*its input; pass source="),
        (lambda: metric.prepare("a"), "combination compares.*its input; pass source="),
        (lambda: metric.score("a", source="b"), "compares.*with references; pass references="),
        (lambda: metric.prepare(source="b"), "compares.*with references; pass references="),
        (lambda: metric.score_batch(["a"], ["a"]), "its input; pass sources="),
        (lambda: metric.score_batch(["a"], ["a"], sources=["b", "c"]), "1 candidates but 2 sourc"),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)
    with pytest.raises(TypeError, match="references is NoneType; pass a list"):
        metric.score_batch(["a"], sources=["b"])


def test_a_row_without_references_or_source_has_no_value(metric: Combination) -> None:
    table = metric.score_batch(
        TEXTS, [[REFERENCE], [], [None], [REFERENCE]], sources=[SOURCE, SOURCE, SOURCE, None]
    )
    assert np.isnan(table["combination"]).tolist() == [False, True, True, True]


def test_a_bad_row_is_refused_alone(metric: Combination) -> None:
    bad: list[Any] = [SOURCE, 7, SOURCE, SOURCE]
    table = metric.score_batch(TEXTS, SIDES["references"], sources=bad, on_error="skip")
    assert [*table.errors] == [1] and "sources[1]" in table.errors[1]
    clean = metric.score_batch(TEXTS, **SIDES)["combination"]
    expected = [math.nan if row == 1 else value for row, value in enumerate(clean.tolist())]
    np.testing.assert_array_equal(table["combination"], expected)


def test_a_row_that_is_refused_has_no_part_either() -> None:
    metric = Cremer(kernel="linear", parts=["rouge1", "simetrix", Reader()])
    metric.fit_texts(TEXTS, MARKS, **SIDES)
    for place in ("references", "sources"):
        sides = {**SIDES, place: [SIDES[place][0], 7, *SIDES[place][2:]]}
        table = metric.score_batch(TEXTS, **sides, on_error="skip")
        assert np.isnan(table["cremer.long"]).tolist() == [False, True, False, False]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_gives_back_the_metric(kind: str, tmp_path: Path) -> None:
    stemmed = summeval.metric("rouge2", stemmer="porter")
    metric = Combination([*PARTS, stemmed], kind=kind).fit(TEXTS, MARKS, **SIDES)
    metric.save(tmp_path / "m", note="four texts")
    again = summeval.metric("combination", model=tmp_path / "m", label="mine")
    assert again.name == "mine" and again.columns_used == metric.columns_used
    assert str(again.signature).partition("|")[2] == str(metric.signature).partition("|")[2]
    np.testing.assert_array_equal(
        again.score_batch(MORE[:4], **SIDES)["mine"],
        metric.score_batch(MORE[:4], **SIDES)["combination"],
    )
    content, arrays = load_model(tmp_path / "m", "combination")
    assert content["recipes"]["rouge2"] == {"name": "rouge2", "options": {"stemmer": "porter"}}
    for recipe, message in (
        ({"name": "rouge2", "options": {}}, r"trained with rouge2.*stemmer:porter.*pass metrics="),
        ({"name": "rouge2", "options": {"tokenizer": "x"}}, "a file cannot set the option token"),
        ({"name": "rouge2", "options": {"stemer": 1}}, "a file cannot set the option stemer"),
        ({"name": "rouge", "options": {}}, "no model of a combination .unknown metric"),
        (5, "no model of a combination"),
        ({"name": "rouge1", "options": {}}, "no model of a combination .rouge2 is made as rouge1"),
    ):
        other = content | {"recipes": {**content["recipes"], "rouge2": recipe}}
        save_model(tmp_path / "m", "combination", other, arrays)
        with pytest.raises(ValueError, match=message):
            Combination.load(tmp_path / "m")


def test_a_metric_that_only_python_makes_must_be_given_again(tmp_path: Path) -> None:
    made("mean").save(tmp_path / "m")
    with pytest.raises(ValueError, match=r"no model of a combination .unknown metric 'long'"):
        Combination.load(tmp_path / "m")
    metrics = ["rouge1", "simetrix", "tesla-s", Reader()]
    assert Combination.load(tmp_path / "m", metrics).signature == made("mean").signature


def test_known_weights_need_no_training() -> None:
    weights = {"rouge1.recall": 2.0, "simetrix.unsmoothedJSD": -1.0}
    metric = Combination(PARTS, weights=weights)
    score = metric.score(TEXTS[0], REFERENCE, source=SOURCE).value
    parts = summeval.score(TEXTS[0], REFERENCE, ["rouge1", "simetrix"], source=SOURCE)
    assert score == 2 * parts["rouge1"].recall - parts["simetrix"].unsmoothedJSD
    for bad, message in (
        ({"rouge1.f": 1.0}, "unknown column 'rouge1.f'"),
        ([1.0], "weights must be a dict"),
        ({"tesla-s.fmeasure": math.nan}, "a coefficient is nan"),
    ):
        with pytest.raises(ValueError, match=message):
            Combination(PARTS, weights=bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="of the kind 'linear'"):
        Combination(PARTS, kind="mean", weights=weights)


def test_a_part_with_a_field_adds_that_column_alone() -> None:
    assert Combination(["rouge1.recall", "simetrix.unsmoothedJSD"]).columns_used == (
        "rouge1.recall",
        "simetrix.unsmoothedJSD",
    )
    whole = Combination(["rouge1", "rouge2.recall"]).columns_used
    assert whole == ("rouge1.precision", "rouge1.recall", "rouge1.fmeasure", "rouge2.recall")
    with pytest.raises(ValueError, match=r"unknown column 'rouge1.recal'; did you mean"):
        Combination(["rouge1.recal"])
    with pytest.raises(ValueError, match="two metrics are called 'rouge1'"):
        Combination(["rouge1", summeval.metric("rouge1", stemmer="porter")])


def test_a_combination_is_no_metric_without_a_model() -> None:
    assert "combination" not in summeval.list_metrics()
    with pytest.raises(
        ValueError,
        match=r"combination needs a model file; pass model= \(--option combination\.model=FILE\)",
    ):
        summeval.metric("combination")
    with pytest.raises(ValueError, match="kind is 'svm'; choose from"):
        Combination("rouge1", kind="svm")


def test_queen_is_a_part_with_its_own_metrics(tmp_path: Path) -> None:
    references = ["the cat sat down", "the cat sat on a mat", "a cat lay down"]
    texts = ["the cat sat", "a dog", "the cat", "so it goes"]
    queen = summeval.metric("queen", metrics=["rouge1", "rouge2.recall"])
    metric = Combination([queen, "rouge1.recall"], kind="mean")
    metric.fit(texts, [4, 1, 3, 2], references=[references] * 4).save(tmp_path / "m")
    again = Combination.load(tmp_path / "m")
    assert again.signature == metric.signature and again.least_references == 3
    assert again.score(texts[0], references) == metric.score(texts[0], references)
    with pytest.raises(ValueError, match="2 references; queen needs at least 3"):
        metric.score(texts[0], references[:2])


def test_sklearn_has_no_two_sides_for_a_scorer() -> None:
    from summeval.interop.sklearn import scorer

    with pytest.raises(ValueError, match="compares with references and the source"):
        scorer(made("mean"))


# ----------------------------------------------------------------------------------------- CREMER


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_cremer_of_any_parts_is_a_regression_over_them(kernel: str, tmp_path: Path) -> None:
    stemmed = summeval.metric("rouge2", stemmer="porter")
    metric = Cremer(kernel=kernel, parts=[*PARTS, "simetrix.cosineAllWords", stemmed, Reader()])
    metric.fit_texts(TEXTS, MARKS, **SIDES)
    assert metric.fields == (
        "value", "rouge1_recall", "simetrix", "tesla_s", "simetrix_cosineAllWords", "rouge2", "long"
    )  # fmt: skip
    assert metric.directions["simetrix"] is False and metric.compared_with == "both"
    sides: dict[str, Any] = {"references": [[REFERENCE]] * 8, "sources": [SOURCE] * 8}
    table = metric.score_batch(MORE, **sides)
    rows = np.column_stack([table[name] for name in table.columns[1:]])
    words = [text not in ("", "...") for text in MORE]
    np.testing.assert_array_equal(metric.predict(rows)[words], table["cremer"][words])
    assert table["cremer"][0] == table["cremer"][7] == metric.floor <= np.nanmin(table["cremer"])
    prepared = metric.prepare(REFERENCE, source=SOURCE)
    for found in (
        prepared.score_batch(MORE, workers=2)["cremer"],
        [prepared.score(text).value for text in MORE],
        [metric.score(text, REFERENCE, source=SOURCE).value for text in MORE],
    ):
        np.testing.assert_array_equal(found, table["cremer"])
    metric.save(tmp_path / "m")
    parts = ["rouge1", "simetrix", "tesla-s", stemmed, Reader()]
    again = Cremer.load(tmp_path / "m", parts=parts)
    assert (again.signature, again.fields) == (metric.signature, metric.fields)
    assert again.score_batch(MORE, **sides) == table
    with pytest.raises(ValueError, match=r"trained with rouge2.*porter.*here is.*pass parts="):
        Cremer.load(tmp_path / "m", parts=[*parts[:3], "rouge2", Reader()])


def test_cremer_names_what_does_not_go_together(tmp_path: Path) -> None:
    rows = [[0.1, 0.5], [0.4, 0.1], [0.6, 0.9], [0.9, 0.6]]
    metric = Cremer(kernel="linear", parts="rouge1, rouge2").fit(rows, MARKS)
    metric.save(tmp_path / "m")
    Cremer(kernel="linear").fit(rows, MARKS).save(tmp_path / "plain")
    assert summeval.metric("cremer", model=tmp_path / "m").signature == metric.signature
    for call, message in (
        (lambda: Cremer(parts=["rouge1"], tesla=summeval.TeslaS()), "in place of tesla and dicom"),
        (lambda: Cremer(parts=["rouge1", "rouge1.fmeasure"]), "give each once"),
        (lambda: Cremer(parts=["rouge1"]).score("a", "a"), "cremer is not trained; call fit or"),
        (lambda: Cremer(parts=[]), "no metrics were given"),
        (lambda: Cremer(parts="rouge1").fit([[math.nan]], [1]), "row 0: rouge1.fmeasure is not"),
        (lambda: Cremer(parts="rouge1").fit_documents([], [], [], [], []), "with parts= call fit"),
        (lambda: Cremer.load(tmp_path / "m", tesla=summeval.TeslaS()), "not trained with tesla"),
        (lambda: Cremer.load(tmp_path / "m", parts="rouge1"), "here is no rouge2; pass parts="),
        (lambda: Cremer.load(tmp_path / "plain", parts="rouge1"), "not trained with parts; leave"),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_fields_of_parts_are_attributes():
    parts = ["tesla-s", "tesla-s.recall", "rouge1"]
    metric = Cremer(kernel="linear", parts=parts)
    assert metric.fields == ("value", "tesla_s", "tesla_s_recall", "rouge1")
    texts = ["a cat sat", "a cat", "a dog", "so it goes"]
    score = metric.fit_texts(texts, [5, 3.5, 2, 1], references=["a cat sat"] * 4).score(
        "a cat", "a cat sat"
    )
    assert (
        score.tesla_s
        == score["tesla_s"]
        == summeval.score("a cat", "a cat sat", "tesla-s")["tesla-s"].fmeasure
    )
    alike = [summeval.metric("rouge1", label="a-b"), summeval.metric("rouge2", label="a_b")]
    with pytest.raises(ValueError, match="two parts have the field 'a_b'; give one of them a labe"):
        Cremer(parts=alike)


def test_cremer_is_a_combination_with_a_preset() -> None:
    metric = summeval.metric("cremer")
    assert isinstance(metric, Combination)
    texts = ["The storm hit the coast. It was late.", "Cats purr.", "Trains stood still."]
    sides = {"references": ["The storm hit the coast and trains stood still."] * 3}
    rows = metric.columns(texts, **sides)
    table = metric.score_batch(texts, **sides)
    assert metric.columns_used == ("tesla-s.fmeasure", "dicomer.value")
    assert rows.T.tolist() == [table[f"cremer.{name}"].tolist() for name in metric.fields[1:]]
    assert metric.predict(rows).tolist() == table["cremer.value"].tolist()
    assert metric.new_model().features == metric.columns_used
    assert not metric.new_model().is_fitted
