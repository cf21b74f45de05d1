"""QUEEN as a metric is `meta.qarla.queen` of the similarities of its parts."""

from __future__ import annotations

import pickle
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from definitions import dominance as twin
from hypothesis import given, settings
from hypothesis import strategies as st

import summeval
from summeval import Score, ScoreWarning
from summeval.metrics.qarla.parts import Parts
from summeval.metrics.qarla.queen import LEAST, Queen

PARTS = ["rouge1", "rouge2.recall", "rougeL", "tesla-s", "qarla-vector.similarity"]
TEXTS = st.lists(st.sampled_from("a b c d e".split()), max_size=6).map(" ".join)
SETS = st.lists(TEXTS, min_size=LEAST, max_size=5)


def defined(candidate: str, references: list[str], parts: list[str], triples: str) -> float:
    """The value by the textbook twin, of similarities scored one pair at a time."""
    texts = [*references, candidate]
    table = Parts(parts).of_all(texts)
    return float(twin.queen(table.tolist(), len(references), range(len(references)), triples))


def rows(count: int) -> tuple[list[str], list[list[str]]]:
    draw = random.Random(7)

    def text() -> str:
        return " ".join(draw.choices("a b c d e f".split(), k=draw.randint(1, 8)))

    sets = [[text() for _ in range(draw.randint(3, 5))] for _ in range(4)]
    return [text() for _ in range(count)], [draw.choice(sets) for _ in range(count)]


@pytest.mark.parametrize("triples", ["pairs", "distinct", "all"])
def test_it_is_queen_of_the_similarities(triples: str) -> None:
    candidates, references = rows(40)
    metric = summeval.metric("queen", metrics=PARTS, triples=triples)
    wanted = [defined(c, r, PARTS, triples) for c, r in zip(candidates, references, strict=True)]
    assert len(set(wanted)) > 5
    assert metric.score_batch(candidates, references)["queen.value"].tolist() == wanted
    assert metric.score_batch(candidates, references, workers=3)["queen"].tolist() == wanted
    for candidate, models, value in zip(candidates, references, wanted, strict=True):
        assert metric.score(candidate, models).value == value
        assert metric.prepare(models).score(candidate).value == value
    some = [c for c, r in zip(candidates, references, strict=True) if r is references[0]]
    found = metric.prepare(references[0]).score_batch(some, workers=2)["queen"]
    assert found.tolist() == [metric.score(c, references[0]).value for c in some]


@given(TEXTS, SETS, st.sampled_from(["pairs", "distinct", "all"]))
@settings(max_examples=60, deadline=None)
def test_more_metrics_never_raise_it(candidate: str, references: list[str], triples: str) -> None:
    last = 1.0
    for size in range(1, 4):
        value = Queen(metrics=PARTS[:size], triples=triples).score(candidate, references).value
        wanted = defined(candidate, references, PARTS[:size], triples) if candidate else 0.0
        assert value == wanted
        assert 0.0 <= value <= last
        last = value


def test_parts_of_many_rows_do_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    candidates, references = rows(30)
    wanted = Queen().score_batch(candidates, references)["queen"].tolist()
    monkeypatch.setattr("summeval.metrics.qarla.queen._PART_ROWS", 7)
    assert Queen().score_batch(candidates, references)["queen"].tolist() == wanted
    few = [*references[:9], references[9][:2], *references[10:]]
    table = Queen().score_batch(candidates, few, on_error="skip")
    assert list(table.errors) == np.flatnonzero(np.isnan(table["queen"])).tolist() == [9]
    monkeypatch.setattr("summeval.metrics.qarla.queen._PART_CELLS", 1)
    assert Queen().score_batch(candidates, references)["queen"].tolist() == wanted


class Distance(summeval.Rouge):
    """ROUGE as a distance."""

    lower_is_better = frozenset({"fmeasure"})

    @staticmethod
    def fuse(metrics: Any) -> Any:
        runner = summeval.Rouge.fuse(metrics)
        return SimpleNamespace(
            run_each=lambda *given: -runner.run_each(*given), run_rows=runner.run_rows
        )


def test_a_distance_is_negated() -> None:
    candidates, references = rows(20)
    wanted = Queen(metrics="rouge1").score_batch(candidates, references)["queen"].tolist()
    metric = Queen(metrics=Distance("rouge1"))
    assert metric.parts.directions == (False,)
    assert metric.score_batch(candidates, references)["queen"].tolist() == wanted


def test_a_text_without_words_has_the_worst_value() -> None:
    apart = ["a b", "c d", "e f"]  # no two have anything in common, so 0 reaches every similarity
    metric = Queen(metrics="rouge1")
    assert metric.score("x", apart).value == 1.0
    table = metric.score_batch(["x", "", " … "], [apart] * 3)
    assert table["queen"].tolist() == [1.0, 0.0, 0.0]
    assert metric.prepare(apart).score("").value == 0.0


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_than_three_references_are_refused_in_a_line(count: int) -> None:
    few, enough = ["a b", "a c"][:count], ["a b", "a c", "d"]
    message = f"{count} reference{'s' * (count - 1)}; queen needs at least 3"
    for call in (
        lambda: Queen().score("a", few),
        lambda: Queen().prepare(few).score("a"),
        lambda: summeval.score("a", few, ["rouge1", Queen()]),
    ):
        with pytest.raises(ValueError, match=f"^{message}$"):
            call()
    with pytest.raises(ValueError, match=f"^row 1: {message}$"):
        Queen().score_batch(["a", "b"], [enough, few])
    table = Queen().score_batch(
        ["a", "b", None, "a"], [enough, few, few, [*few, None]], on_error="skip"
    )
    assert table.errors == {1: f"row 1: {message}", 3: f"row 3: {message}"}
    assert np.isnan(table["queen"]).tolist() == [False, True, True, True]
    table = Queen().prepare(few).score_batch(["a", None], on_error="skip")
    assert table.errors == {0: f"row 0: {message}"}


def test_none_has_no_score() -> None:
    models = ["a b", None, "a c", "a d"]
    table = Queen().score_batch(["a b", None, "a b"], [models, models, None])
    assert np.isnan(table["queen"]).tolist() == [False, True, True]
    assert table["queen"][0] == Queen().score("a b", ["a b", "a c", "a d"]).value


class Picky(summeval.metric("qarla-rouge").__class__):  # type: ignore[misc]
    """A similarity that refuses a word, and has no number for another."""

    def _compare(self, candidate: list[str], references: list[list[str]]) -> Any:
        words = [*candidate, *(word for reference in references for word in reference)]
        if "bad" in words:
            raise ValueError("a bad word; leave it out")
        return Score(("similarity",), (float("nan") if "none" in words else 0.5,), "similarity")


def test_a_row_that_a_part_refuses_is_named() -> None:
    good = ["a", "b", "c"]
    metric = Queen(metrics=[Picky("qarla-rouge", stopwords=False), "rouge1"])
    sides = [good, good, [*good, "bad"], good, [*good, "none"], good]
    texts = ["a", "bad", "a", "b", "a", "none"]
    with pytest.raises(ValueError, match=r"^row 1: a bad word; leave it out$"):
        metric.score_batch(texts, sides)
    with pytest.raises(ValueError, match=r"^a bad word; leave it out$"):
        metric.score("bad", good)
    table = metric.score_batch(texts, sides, on_error="skip")
    said = "a bad word; leave it out"
    assert table.errors == {1: f"row 1: {said}", 2: f"row 2: {said}"}
    assert np.isnan(table["queen"]).tolist() == [False, True, True, False, True, True]
    found = metric.prepare(good).score_batch(texts, on_error="skip")
    assert found.errors == {1: f"row 1: {said}"}
    assert np.isnan(found["queen"]).tolist() == [False, True, False, False, False, True]


def test_a_row_that_a_kernel_refuses_is_named() -> None:
    references, long = ["a b", "a c", "b c"], "a " * 70_000
    metric = Queen(metrics="rougeS*")
    said = "row 1: too many skip-bigrams"
    with pytest.raises(ValueError, match=f"^{said}"):
        metric.score_batch(["a b", long], [references] * 2)
    with pytest.raises(ValueError, match=r"^too many skip-bigrams"):
        metric.score(long, references)
    with pytest.raises(ValueError, match=f"^{said}"):
        metric.prepare(references).score_batch(["a", long])
    table = metric.score_batch(["a b", long, "a"], [references] * 3, on_error="skip")
    assert list(table.errors) == [1]
    assert table.errors[1].startswith(said)


def test_what_is_nan_only_beside_itself_does_not_matter() -> None:
    class Own(Picky):  # type: ignore[misc, valid-type]
        def _compare(self, candidate: list[str], references: list[list[str]]) -> Any:
            value = float("nan") if candidate in references else 0.5
            return Score(("similarity",), (value,), "similarity")

    metric = Queen(metrics=[Own("qarla-rouge", stopwords=False)])
    assert metric.score("x", ["a", "b", "c"]).value == 1.0
    every = Queen(metrics=[Own("qarla-rouge", stopwords=False)], triples="all")
    assert np.isnan(every.score("x", ["a", "b", "c"]).value)


@pytest.mark.parametrize(
    ("metrics", "error", "message"),
    [
        ([], ValueError, "metrics is empty; name at least one"),
        ("", ValueError, "metrics is empty; name at least one"),
        (5, TypeError, "metrics is 5; give names or metric objects"),
        (["rouge1", 5], TypeError, "metrics has 5; give names or metric objects"),
        (["rouge1", "rouge1"], ValueError, "metrics has 'rouge1' twice; name it once"),
        (["rogue1"], ValueError, "unknown metric 'rogue1'; did you mean"),
        (["rouge1.recal"], ValueError, "rouge1 has no 'recal'; it has precision, recall, fmeasure"),
        (["simetrix"], ValueError, "simetrix does not use references; QARLA needs metrics that do"),
        (["readability"], ValueError, "readability does not use references; QARLA needs"),
        (["cremer"], ValueError, "cremer is trained; QARLA needs similarities of two texts"),
        (["queen"], ValueError, "queen needs 3 references; QARLA needs metrics that compare with"),
        (
            ["rouge1", summeval.metric("rouge1", stemmer="porter")],
            ValueError,
            "two metrics are called 'rouge1'; give one of them a label=",
        ),
    ],
)
def test_metrics_that_are_no_similarities_are_refused(
    metrics: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        Queen(metrics=metrics)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_metric_objects_are_parts_with_their_options() -> None:
    stemmed = summeval.metric("rouge1", stemmer="porter", label="stemmed")
    metric = Queen(metrics=["rouge1.recall", stemmed, "rouge1.precision"])
    assert metric.parts.names == ("rouge1.recall", "stemmed", "rouge1.precision")
    assert metric.parts.columns == ("rouge1.recall", "stemmed.fmeasure", "rouge1.precision")
    assert [one.name for one in metric.parts.suite.metrics] == ["rouge1", "stemmed"]
    assert "stemmer:porter" in metric.signature
    again = pickle.loads(pickle.dumps(metric))
    assert again.signature == metric.signature
    texts = ["cats", "cat", "a cat"]
    assert metric.score("the cats", texts).value == again.score("the cats", texts).value


def test_the_parts_decide_what_it_says_of_itself() -> None:
    assert Queen().immutable
    changing = type("Changing", (summeval.Rouge,), {"immutable": False})
    assert not Queen(metrics=[changing()]).immutable
    assert (Queen().tokenizer, Queen(metrics="memog").tokenizer) == ("rouge155", None)
    assert Queen(metrics=["memog", "rouge1"]).tokenizer == "rouge155"
    assert (Queen().needs_sentences, Queen(metrics="rougeLsum").needs_sentences) == (False, True)
    jackknifed = Queen(metrics=[summeval.metric("rouge1", jackknife=True)])
    assert "jackknife" in jackknifed.signature
    assert "jackknife" not in jackknifed.without_jackknife().signature


def test_it_warns_of_texts_that_are_dropped() -> None:
    russian, references = "кошка сидит на крыше", ["a b", "a c", "a d"]
    dropped = "the tokenizer rouge155 (drops most of|cuts or drops at least 50%)"
    for call in (
        lambda: Queen().score(russian, references),
        lambda: Queen().prepare([russian] * 3),
        lambda: Queen().score_batch([russian], [references]),
    ):
        with pytest.warns(ScoreWarning, match=dropped):
            call()


def test_the_command_line_names_the_metrics_with_commas(tmp_path: Any, capsys: Any) -> None:
    import json

    from summeval.cli.main import main

    path = tmp_path / "rows.jsonl"
    row = {"candidate": "a b", "references": ["a b c", "a d", "b c"]}
    path.write_text(json.dumps(row) + "\n")
    given = ["--option", "queen.metrics=rouge1,rouge2.recall", "--option", "queen.triples=all"]
    assert main(["score", str(path), "-m", "queen", *given]) == 0
    found = json.loads(capsys.readouterr().out)
    wanted = Queen(metrics=["rouge1", "rouge2.recall"], triples="all")
    assert found["queen.value"] == wanted.score(row["candidate"], row["references"]).value  # type: ignore[arg-type]
    assert main(["score", str(path), "-m", "queen", "--option", "queen.metrics=cremer"]) == 2
    assert "cremer is trained" in capsys.readouterr().err
