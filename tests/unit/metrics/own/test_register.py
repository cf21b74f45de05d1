"""Metrics of one's own: functions, classes and metrics that a program registers."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import summeval
from summeval.cli.main import main
from summeval.metrics.own import known
from summeval.metrics.registry import direction_of, options_of, own_of


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(known, "_KNOWN", dict(known._KNOWN))
    yield
    known_names = set(summeval.list_metrics())
    assert "rouge1" in known_names


def overlap(candidate: str, reference: str, *, weight: float = 1.0) -> float:
    """Words of the reference that the candidate has."""
    words = reference.split()
    return weight * sum(word in candidate.split() for word in words) / max(len(words), 1)


class Longest:
    """A class with options, fields and a direction."""

    fields = ("words", "share")
    primary = "share"
    higher_is_better = MappingProxyType({"words": False})

    def __init__(self, least: int = 1) -> None:
        self.least = least

    def run_pair(self, candidate: str, references: list[str], source: str) -> dict[str, float]:
        words = [word for word in candidate.split() if len(word) >= self.least]
        told = source.split() + [word for text in references for word in text.split()]
        return {"words": len(words), "share": sum(w in told for w in words) / max(len(words), 1)}


def test_a_function_takes_part_everywhere() -> None:
    assert summeval.register("overlap", overlap) is overlap
    assert summeval.list_metrics()[-1] == "overlap"
    assert summeval.score("a cat", ["a dog", "a cat"], "overlap")["overlap"].value == 1.0
    table = summeval.score_batch(
        ["a cat", None, "x"], [["a b"], ["a"], ["x"]], ["overlap", "rouge1"]
    )
    assert table.columns[0] == "overlap.value"
    np.testing.assert_equal(table["overlap.value"], [0.5, math.nan, 1.0])
    assert table.higher_is_better["overlap.value"]
    suite = summeval.suite(["rouge1", "overlap"])
    assert suite.prepare(["a b"]).score("a cat")["overlap"].value == 0.5
    assert direction_of("overlap") is direction_of("overlap.value") is True
    made = summeval.metric("overlap", weight=0.5, label="half")
    assert made.score("a", "a")["value"] == 0.5
    assert made.name == "half"
    assert made.best == {"value": math.inf}


def test_what_was_registered_can_be_forgotten() -> None:
    summeval.register("mine", overlap)
    made = summeval.metric("mine")
    summeval.unregister("mine")
    assert "mine" not in summeval.list_metrics()
    assert made.score("a", "a").value == 1.0
    for name in ("mine", "rouge1"):
        with pytest.raises(ValueError, match=f"no metric '{name}' was registered"):
            summeval.unregister(name)


def test_the_arguments_say_what_it_is_compared_with() -> None:
    functions: dict[str, Any] = {
        "nothing": lambda candidate: 1.0 * len(candidate),
        "references": lambda candidate, references: len(references),
        "source": lambda candidate, source: len(source),
        "both": lambda candidate, references, source: len(references) + len(source),
    }
    for reads, function in functions.items():
        summeval.register(reads, function)
        metric = summeval.metric(reads)
        assert metric.compared_with == reads
        assert metric.score("abc", ["a", "b"], source="wxyz").value == {
            "nothing": 3, "references": 2, "source": 4, "both": 6
        }[reads]  # fmt: skip
        table = summeval.score_batch(["abc"], [["a", "b"]], [reads], sources=["wxyz"])
        assert table[f"{reads}.value"].tolist() == [
            metric.score("abc", ["a", "b"], source="wxyz").value
        ]
    summeval.register("asked", lambda a, b: b[0] == "s", compared_with="source", replace=False)
    assert summeval.metric("asked").score("a", source="source").value == 1.0
    summeval.register("documents", lambda candidate, sources: len(sources))
    assert summeval.metric("documents").score("a", source=["x", "y"]).value == 2.0
    summeval.register("one", lambda candidate, source: len(source))
    assert summeval.metric("one").score("a", source=["x", "y"]).value == 4.0  # x, two breaks, y


def test_a_function_of_one_reference_has_the_best() -> None:
    summeval.register("far", lambda candidate, reference: len(reference), higher_is_better=False)
    metric = summeval.metric("far")
    assert metric.score("a", ["xxx", "x", "xx"]).value == 1.0
    assert not metric.higher_is_better
    assert direction_of("far.value") is False
    summeval.register("near", lambda candidate, reference: len(reference))
    assert summeval.metric("near").score("a", ["xxx", "x", "xx"]).value == 3.0


def test_a_class_has_options_fields_and_directions() -> None:
    summeval.register("longest", Longest)
    metric = summeval.metric("longest", least=3)
    score = metric.score("the big cat it", ["the cat"], source="a big one")
    assert dict(score) == {"words": 3.0, "share": 1.0}
    assert score.value == 1.0
    assert metric.directions == {"words": False, "share": True}
    assert direction_of("longest.words") is False
    assert metric.compared_with == "both"
    assert "|least:3|" in metric.signature
    assert options_of("longest")["least"].kind == "whole"
    with pytest.raises(ValueError, match="did you mean least"):
        summeval.metric("longest", leest=3)
    with pytest.raises(ValueError, match="least is 'x'"):
        summeval.metric("longest", least="x")


def test_fields_of_a_mapping_are_declared() -> None:
    called = []

    def both(candidate: str, references: list[str]) -> dict[str, float]:
        called.append(candidate)
        return {"first": 1.0, "second": 2.0}

    summeval.register("told", both, fields=("second", "first"))
    assert called == []
    assert list(summeval.metric("told").score("a", "a")) == [2.0, 1.0]
    called.clear()
    summeval.register("plain", both)
    assert (summeval.metric("plain").fields, called) == (("value",), [])
    with pytest.raises(TypeError, match=r"gave first, second without the field value; register it"):
        summeval.metric("plain").score("a", "a")


def test_metrics_can_be_registered_too() -> None:
    summeval.register("stemmed", summeval.metric("rouge1", stemmer="porter"))
    scores = summeval.score("cats", "cat", ["stemmed", "rouge1"])
    assert (scores["stemmed"].recall, scores["rouge1"].recall) == (1.0, 0.0)
    assert "stemmer:porter" in summeval.metric("stemmed").signature

    class Mine(summeval.Rouge):
        pass

    summeval.register("mine", Mine)
    assert summeval.metric("mine", stemmer="porter").score("cats", "cat").value == 1.0
    assert summeval.metric("mine").name == "mine"
    with pytest.raises(TypeError, match="has its own fields; leave fields= out"):
        summeval.register("other", Mine, fields="x")


def test_a_decorator_registers() -> None:
    @summeval.register("decorated", higher_is_better=False, bounds=(0, 5))
    def distance(candidate: str, references: list[str]) -> float:
        return abs(len(candidate) - len(references[0]))

    assert distance("a", ["b"]) == 0
    metric = summeval.metric("decorated")
    assert metric.best == {"value": 0.0}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (("rouge1", overlap), ValueError, "'rouge1' is a metric of summeval; take another name"),
        (("rougeSU9", overlap), ValueError, "is a metric of summeval"),
        (("combination", overlap), ValueError, "is a metric of summeval"),
        (("a b", overlap), ValueError, "cannot be called 'a b'"),
        (("a.b", overlap), ValueError, "cannot be called 'a.b'"),
        (("preset:x", overlap), ValueError, "cannot be called"),
        (("", overlap), ValueError, "cannot be called ''"),
        ((7, overlap), TypeError, "the name of a metric is int"),
        (("mine", 7), TypeError, "mine is int; give a function, a class with run_pair"),
        (("mine", summeval.Metric), TypeError, "mine is a metric without fields"),
        (("mine", dict), TypeError, "the class dict without run_pair"),
        (("mine", lambda: 1), TypeError, "mine takes 0 texts; take"),
        (("mine", lambda a, b, c, d: 1), TypeError, "mine takes 4 texts; take"),
    ],
)
def test_what_cannot_be_a_metric_is_told_in_a_line(given: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        summeval.register(*given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "mine" not in summeval.list_metrics()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fields": ("a", "a")}, "the field 'a'; name each once"),
        ({"fields": ("a b",)}, "the field 'a b'"),
        ({"fields": ()}, "has no fields"),
        ({"primary": "x"}, "primary of mine is 'x'"),
        ({"bounds": (1, 0)}, "bounds of mine are"),
        ({"bounds": 3}, "bounds of mine are"),
        ({"higher_is_better": "no"}, "higher_is_better of mine is"),
        ({"higher_is_better": {"x": True}}, "a field of higher_is_better of mine is 'x'"),
        ({"compared_with": "reference"}, "compared_with of mine is 'reference'"),
    ],
)
def test_wrong_settings_are_told(settings: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=r"mine") as caught:
        summeval.register("mine", overlap, **settings)
    assert message in str(caught.value)


def test_a_name_is_taken_once_unless_it_is_replaced() -> None:
    summeval.register("mine", overlap)
    assert summeval.score("a", "a", ["mine"])["mine"].value == 1.0
    with pytest.raises(ValueError, match="registered already; pass replace=True"):
        summeval.register("mine", lambda candidate, references: 0.25)
    summeval.register("mine", lambda candidate, references: 0.25, replace=True)
    assert summeval.score("a", "a", ["mine"])["mine"].value == 0.25
    summeval.register("copied", summeval.metric("rouge1"))
    assert summeval.score("a b", "a", ["copied"])["copied"].value == pytest.approx(2 / 3)
    summeval.register("copied", summeval.metric("rouge2"), replace=True)
    assert summeval.score("a b", "a", ["copied"])["copied"].value == 0.0  # no kept suite


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("x", "mine gave 'x' for value; give a number, or None for no score"),
        ([1.0], "mine gave [1.0] for value"),
        (math.nan, "mine gave nan for value; give a finite number"),
        (math.inf, "mine gave inf for value"),
        ({"other": 1.0}, "mine gave other without the field value; register it with fields="),
    ],
)
def test_a_wrong_result_is_an_error_of_its_row(result: Any, message: str) -> None:
    def mine(candidate: str, references: list[str]) -> Any:
        return result if candidate == "bad" else 1.0

    summeval.register("mine", mine)
    with pytest.raises(ValueError, match=r"^row 1: ") as caught:
        summeval.score_batch(["a", "bad"], ["a", "a"], ["mine"])
    assert message in str(caught.value)
    table = summeval.score_batch(["a", "bad"], ["a", "a"], ["mine", "rouge1"], on_error="skip")
    assert table.errors == {1: str(caught.value)}
    np.testing.assert_equal(table["mine.value"], [1.0, math.nan])
    assert table["rouge1.recall"].tolist() == [1.0, 0.0]


def test_an_error_of_the_function_names_the_row_and_the_metric() -> None:
    def mine(candidate: str, references: list[str]) -> float:
        return 1 / len(candidate)

    summeval.register("mine", mine)
    with pytest.raises(ValueError, match=r"^row 2: mine: ZeroDivisionError: division by zero$"):
        summeval.score_batch(["a", "b", ""], ["a"] * 3, ["mine"])
    with pytest.raises(ZeroDivisionError):
        summeval.metric("mine").score("", "a")
    for text in (7, "\ud800"):
        with pytest.raises((TypeError, ValueError)):
            summeval.metric("mine").score(text, "a")  # type: ignore[arg-type]


def test_none_is_no_score_and_scalars_of_arrays_are_numbers() -> None:
    results = iter([None, np.float32(0.5), np.array(0.25), True, 3])
    summeval.register("mine", lambda candidate, references: next(results), fields="value")
    table = summeval.score_batch(["a"] * 1 + ["b", "c", "d", "e"], ["a"] * 5, ["mine"])
    np.testing.assert_equal(table["mine.value"], [math.nan, 0.5, 0.25, 1.0, 3.0])


def test_a_missing_text_is_not_passed_on() -> None:
    summeval.register("mine", lambda candidate, references, source: 1.0, fields="value")
    metric = summeval.metric("mine")
    assert math.isnan(metric.score(None, "a", source="b").value)
    assert math.isnan(metric.score("a", [], source="b").value)
    assert math.isnan(metric.score("a", "a", source=[None]).value)
    assert metric.score("a", ["a", None], source="b").value == 1.0
    with pytest.raises(ValueError, match="pass source="):
        metric.score("a", "a")


def test_its_signature_changes_with_what_it_does() -> None:
    one, other = (lambda c, r, n=n: n * len(c) for n in (1, 2))
    summeval.register("one", one)
    summeval.register("other", other)
    first, second = (str(summeval.metric(name).signature) for name in ("one", "other"))
    assert first.partition("|")[2] != second.partition("|")[2]
    assert summeval.Signature.parse(first).version == summeval.__version__


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]
)
def test_a_copy_scores_alike_where_it_is_not_registered(copied: Any) -> None:
    summeval.register("overlap", overlap, bounds=(0, 2))
    summeval.register("longest", Longest)
    for name, options in (("overlap", {"weight": 2.0}), ("longest", {"least": 2})):
        metric = summeval.metric(name, **options, label="mine")
        data = copied(metric)
        known.forget(name)
        assert (data.name, data.signature) == ("mine", metric.signature)
        given = {"references": "a cat", "source": "a dog"}
        assert data.score("a cat", **given) == metric.score("a cat", **given)


def test_explanations_are_its_own_or_one_item() -> None:
    summeval.register("plain", overlap)
    (item,) = summeval.metric("plain").explain("a cat", ["a dog", "a cat"]).items
    assert (item.text, item.share) == ("value", 1.0)

    def words(candidate: str, reference: str, *, weight: float = 1.0) -> Any:
        found = reference.split()
        for number, word in enumerate(found):
            if word in candidate.split():
                at = reference.index(word)
                yield {
                    "text": word,
                    "share": weight / len(found),
                    "reference_spans": ((0, at, at + len(word)),),
                }
            elif number == 0:
                yield word, 0.0

    summeval.register("told", overlap, explain=words)
    found = summeval.metric("told", weight=2.0).explain("a cat", ["the dog", "one cat"])
    assert found.value == 1.0
    assert [(item.text, item.share) for item in found.items] == [("one", 0.0), ("cat", 1.0)]
    for wrong in ("text", 7, [("a",)], [{"word": "a"}]):
        summeval.register("wrong", overlap, explain=lambda *texts, w=wrong, **o: w, replace=True)
        with pytest.raises(TypeError, match="explain of wrong gave"):
            summeval.metric("wrong").explain("a", "a")


def test_citations_are_cited() -> None:
    entry = "@misc{doe-2001, author = {Doe, Jane}, title = {Words}, year = {2001}}"
    summeval.register("mine", overlap, citations=entry)
    told = summeval.cite("mine", "text")
    assert told.startswith("We report mine (Doe, 2001), computed with summeval")
    assert entry in summeval.cite(["mine"])
    both = summeval.Combination(["mine", "rouge1"], weights={"mine.value": 1.0})
    keys = [line for line in summeval.cite([both]).splitlines() if line.startswith("@")]
    assert keys[-3:] == ["@misc{doe-2001, author = {Doe, Jane}, title = {Words}, year = {2001}}",
                         "@inproceedings{lin-2004-rouge,", "@misc{summeval-package,"]  # fmt: skip
    summeval.register("bare", overlap)
    assert "note: bare names no paper" in summeval.cite("bare", "text")
    summeval.register("broken", overlap, citations="Doe 2001")
    with pytest.raises(ValueError, match="a citation of broken is no BibTeX entry"):
        summeval.cite("broken")
    assert own_of("rouge1") is None


def test_the_command_line_knows_it(tmp_path: Path, capsys: Any) -> None:
    summeval.register("overlap", overlap)
    summeval.register("far", lambda candidate, reference: 7, higher_is_better=False)
    rows = tmp_path / "rows.jsonl"
    rows.write_text(
        "".join(
            json.dumps({"system": f"s{s}", "topic": t, "candidate": "a b c"[: 2 * s + 1],
                        "references": ["a b c"], "human": s + t % 2}) + "\n"
            for s in range(3) for t in range(4)
        )
    )  # fmt: skip
    out = tmp_path / "scores.jsonl"
    option = ["--option", "overlap.weight=0.5"]
    assert main(["score", str(rows), "-m", "overlap,rouge1,far", *option, "-o", str(out)]) == 0
    assert json.loads(out.read_text().splitlines()[-1])["overlap.value"] == 0.5
    assert main(["correlate", str(out), "--human", "human", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    assert {row["metric"]: row["higher_is_better"] for row in found}["far.value"] is False
    assert main(["metrics", "overlap"]) == 0
    assert "overlap.weight=NUMBER [1.0]" in capsys.readouterr().out
    assert main(["cite", "overlap", "--format", "text"]) == 0
    assert main(["check", "overlap"]) == 0
    printed = capsys.readouterr().out
    assert "  ok       pickling" in printed
    assert "all checks hold" in printed
