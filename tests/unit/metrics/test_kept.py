"""Suites that are kept: which metrics share one, how many there are, and equal numbers."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import summeval
from summeval.metrics.run import suite as kept
from summeval.metrics.run.suite import MOST, cached_suite, frozen

PAIR = ("The cats were sitting", ["A cat sat on the mats", "The cat was sitting"])


@pytest.fixture(autouse=True)
def none_kept() -> Iterator[None]:
    kept._SUITES.clear()
    yield
    kept._SUITES.clear()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is fused from now on: the metrics of each kernel of ROUGE."""
    found: list[Any] = []
    fuse = summeval.Rouge.fuse

    def counted(metrics: Any) -> Any:
        found.append([metric.name for metric in metrics])
        return fuse(metrics)

    monkeypatch.setattr(summeval.Rouge, "fuse", staticmethod(counted))
    return found


def test_a_call_with_options_keeps_its_suite(made: list[Any]) -> None:
    for options in ({}, {"stemmer": "porter"}, {"stemmer": "porter", "stopwords": True}):
        numbers = {summeval.score(*PAIR, ["rouge1"], **options)["rouge1"] for _ in range(3)}
        expected = summeval.metric("rouge1", **options).score(*PAIR)
        assert numbers == {expected}
    assert len(made) == 6  # a kernel for each suite, and for each metric alone
    for _ in range(3):
        summeval.score(*PAIR, ["rouge1"], stopwords=["the"])
    assert len(made) == 7
    assert len({summeval.score(*PAIR, "rouge1", tokenizer=str.split)["rouge1"] for _ in "ab"}) == 1


def suite_of(*metrics: Any) -> summeval.Suite:
    return cached_suite(metrics, list)


def rouge(name: str = "rouge1", **options: Any) -> summeval.Metric:
    return summeval.metric(name, **options)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"stemmer": "rouge155"},
    {"stemmer": "porter", "stopwords": True},
    {"stopwords": ["the", "a"]},
    {"alpha": 0.25, "aggregate": "average", "jackknife": True},
    {"tokenizer": str.split},
    {"tokenizer": str.split, "label": "mine"},
    {"sentences": "rules"},
    {"max_words": 3},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_equal_metrics_share_a_suite(options: dict[str, Any]) -> None:
    first, again = rouge(**options), rouge(**options)
    assert suite_of(first) is suite_of(again)
    assert suite_of(copy.copy(first)) is suite_of(first)
    if "tokenizer" not in options:
        assert suite_of(pickle.loads(pickle.dumps(first))) is suite_of(first)


def test_metrics_that_differ_have_suites_of_their_own() -> None:
    metrics = [rouge(**options) for options in OPTIONS]
    metrics += [
        rouge("rouge2"),
        rouge(alpha=0.75),
        rouge(tokenizer=lambda text: text.split(), label="own"),
    ]
    metrics += [rouge(max_words=3, label="three"), summeval.metric("tesla-s")]
    suites = [suite_of(metric) for metric in metrics]
    assert len(set(map(id, suites))) == len(metrics)
    both = [metrics[0], metrics[9]]
    assert suite_of(*both) is not suite_of(*both[::-1])
    for metric, suite in zip(metrics, suites, strict=True):
        assert suite.score(*PAIR)[metric.name] == metric.score(*PAIR)
        assert suite.signature == {metric.name: metric.signature}


def test_a_metric_without_its_jackknife_is_another() -> None:
    metric = rouge(jackknife=True)
    assert summeval.score(*PAIR, [metric]) != summeval.score(*PAIR, [metric.without_jackknife()])


def test_a_list_that_changes_makes_another_metric() -> None:
    words = ["cat"]
    first = rouge(stopwords=words)
    before = summeval.score(*PAIR, [first])
    words.append("the")
    assert summeval.score(*PAIR, [rouge(stopwords=words)]) != before
    assert summeval.score(*PAIR, [first]) == before


def test_a_kernel_is_made_once(made: list[Any]) -> None:
    for _ in range(3):
        objects = [rouge("rouge1", stemmer="rouge155"), rouge("rouge2", stemmer="rouge155")]
        summeval.score(*PAIR, objects)
        summeval.score_batch([PAIR[0]], [PAIR[1]], objects)
        summeval.score_batch([PAIR[0]], [PAIR[1]], tuple(objects))
    assert made == [["rouge1", "rouge2"]]
    single = rouge("rougeL")
    for _ in range(3):
        single.score(*PAIR)
    assert made[1:] == [["rougeL"]]
    for _ in range(3):
        single.score_batch([PAIR[0]], [PAIR[1]])
    assert made[2:] == [["rougeL"]]


def test_a_suite_is_found_by_the_very_metrics_it_was_made_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    objects = [rouge("rouge1"), rouge("rouge2")]
    found = suite_of(*objects)

    def asked(metric: Any) -> Any:
        raise AttributeError("the key, which takes longer")

    monkeypatch.setattr(summeval.Rouge, "_runner_key", property(asked))
    assert suite_of(*objects) is found
    assert suite_of(*objects[::-1]) is not found


def test_a_metric_that_is_trained_again_is_not_kept() -> None:
    metric = summeval.Combination(["rouge1", "rouge2"], ["rouge1.recall", "rouge2.recall"])
    texts = ["a cat sat", "the dog ran off", "a bird", "the cat ran"]
    references = ["a cat sat down", "the dog", "some bird sang", "the cat ran"]
    found = []
    for targets in ([1.0, 2.0, 3.0, 4.0], [4.0, 1.0, 0.0, 2.0]):
        metric.fit(texts, targets, references=references)
        column = summeval.score_batch(texts, references, [metric])["combination"].tolist()
        pairs = zip(texts, references, strict=True)
        assert column == pytest.approx([metric.score(*pair).prediction for pair in pairs])
        found.append(column)
    assert found[0] != found[1]
    assert not kept._SUITES


def test_so_many_are_kept_and_the_last_used_stay() -> None:
    names = [f"rougeS{gap}" for gap in range(MOST + 10)]
    first = summeval.suite  # made by hand, not kept
    assert first(names[0]) is not first(names[0])
    used = cached_suite([names[0]], lambda given: [rouge(name) for name in given])
    for name in names[1:]:
        summeval.score(*PAIR, [name])
        assert cached_suite([names[0]], list) is used
        assert len(kept._SUITES) <= MOST
    assert len(kept._SUITES) == MOST
    assert (names[1],) not in kept._SUITES
    assert (names[-1],) in kept._SUITES


def test_threads_may_share_and_push_out_each_others_suites(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept, "MOST", 3)
    names = [f"rougeS{gap}" for gap in range(8)]
    wanted = {name: rouge(name).score(*PAIR) for name in names}
    wrong: list[Any] = []

    def work(shift: int) -> None:
        try:
            for turn in range(200):
                name = names[(turn * shift) % len(names)]
                metric = rouge(name) if turn % 2 else name
                found = summeval.score(*PAIR, [metric])
                if found != {name: wanted[name]}:
                    wrong.append(found)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(shift,)) for shift in (1, 3, 5, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(kept._SUITES) <= 3


def test_keys_go_with_the_metrics_that_have_them() -> None:
    metric = rouge("rouge1", label="passing")
    suite_of(metric)
    before = len(kept._KEYS)
    kept._SUITES.clear()
    del metric
    assert len(kept._KEYS) < before


def test_plain_values_are_told_by_value_and_others_by_which_they_are() -> None:
    assert frozen({"a": [1, (2.0, None)]}) == frozen({"a": [1, (2.0, None)]})
    for one, other in [(1, True), (1, 1.0), (0.0, -0.0), ([1], (1,)), ("1", 1), ({}, [])]:
        assert frozen(one) != frozen(other)
    alike = ([*"ab"].append, [*"ab"].append)
    assert frozen(alike[0]) != frozen(alike[1])


def test_what_is_no_metric_is_refused_as_before() -> None:
    with pytest.raises(TypeError, match="a metric's name is a str, not int"):
        summeval.score(*PAIR, [7])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="metrics is int; pass names or metric objects"):
        summeval.score(*PAIR, 7)  # type: ignore[arg-type]


@dataclass
class Words:
    """A tokenizer whose settings can be changed after a metric was made of it."""

    lower: bool = False

    def __call__(self, text: str) -> list[str]:
        return (text.lower() if self.lower else text).split()


@pytest.mark.parametrize("changed", [0, 1])
def test_equal_callables_that_can_change_share_nothing(changed: int) -> None:
    tokenizers = [Words(), Words()]
    metrics = [summeval.metric("rouge1", tokenizer=one, label="mine") for one in tokenizers]
    for metric in metrics:
        assert summeval.score_batch(["The cat"], ["the cat"], [metric])["mine.recall"][0] == 0.5
    tokenizers[changed].lower = True
    for number, metric in enumerate(metrics):
        right = 1.0 if number == changed else 0.5
        assert summeval.score_batch(["The cat"], ["the cat"], [metric])["mine.recall"][0] == right
        assert metric.prepare(["the cat"]).score("The cat").recall == right


def test_names_come_as_a_list_or_in_one_str() -> None:
    names = ["rouge1", "rougeL"]
    for given in (names, "rouge1,rougeL", "rouge1 rougeL", iter(names)):
        assert [*summeval.score("a", "a", given)] == names
    for wrong, message in ((None, "metrics is NoneType"), ({"rouge1": 1}, "metrics is dict")):
        for call in (summeval.suite, lambda metrics: summeval.score("a", "a", metrics)):
            with pytest.raises(TypeError, match=message):
                call(wrong)
    with pytest.raises(TypeError, match=r"Rouge is a class; pass an object, Rouge\("):
        summeval.suite([summeval.Rouge])
