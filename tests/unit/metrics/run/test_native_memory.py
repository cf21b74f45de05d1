"""Memory of kernels, which neither the collector nor tracemalloc sees: the peak of a process."""

from __future__ import annotations

import subprocess
import sys

import pytest

import summeval

pytest.importorskip("resource")

BEGIN = """
import gc, resource, sys, summeval
def peak():
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
gc.disable()
def text(number):
    return f"the cat {number} sat on the mat today and slept"
"""


def growth(before: str, measured: str) -> int:
    """By how many bytes the peak grows while a program runs."""
    program = "\n".join([BEGIN, before, "start = peak()", measured, "print(peak() - start)"])
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return int(ran.stdout)


def test_objects_that_are_gone_leave_nothing() -> None:
    score = """
def score(count):
    for _ in range(count):
        summeval.Rouge("rouge1", stemmer="porter").score("a b", "a c")
score(20)
"""
    assert growth(score, "score(500)") < 50e6


def test_an_object_that_is_kept_is_small() -> None:
    make = """
def make():
    made = summeval.Rouge("rouge1", stemmer="porter")
    made.score("a b", "a c")
    return made
kept = [make()]
"""
    assert growth(make, "kept += [make() for _ in range(100)]") < 100 * 300e3


@pytest.mark.parametrize("name", ["rouge1", "rougeLsum", "rouge3", "rougeSU4", "tesla-s"])
def test_a_short_reference_takes_little(name: str) -> None:
    before = f"""
metric = summeval.metric({name!r})
texts = [text(number) for number in range(20_000)]
metric.score("a b", "a c")
metric.prepare(text(0)).score(text(1))
"""
    measured = "ready = metric.prepare(texts); ready.score(text(1)); metric.score(text(1), texts)"
    assert growth(before, measured) < 20_000 * 2048


@pytest.mark.parametrize("name", ["rouge1", "rougeL", "rougeLsum"])
def test_a_short_reference_that_is_prepared_alone_takes_little(name: str) -> None:
    before = f"""
metric = summeval.metric({name!r})
kept = [metric.prepare(text(number)) for number in range(10)]
"""
    measured = "kept += [metric.prepare(text(number)) for number in range(2000)]"
    assert growth(before, measured) < 2000 * 4096  # half of it objects of Python


MANY = [f"the cat {number} sat on the mat" for number in range(1200)]


@pytest.mark.parametrize(
    "metric",
    [
        summeval.Rouge("rouge1"),
        summeval.Rouge("rougeLsum", stemmer="porter"),
        summeval.Rouge("rougeSU4"),
        summeval.TeslaS(),
    ],
    ids=str,
)
def test_many_references_are_scored_as_each_by_itself(metric: summeval.Metric) -> None:
    text = "the cats 1100 sat on mats"
    alone = [metric.score(text, reference).value for reference in MANY]
    ready = metric.prepare(MANY)
    assert metric.score(text, MANY).value == max(alone) == alone[1100]
    for batch in (metric.score_batch([text, text], [MANY, MANY]), ready.score_batch([text, text])):
        assert batch[metric.name].tolist() == [max(alone)] * 2
    metric.score(text, "the cats sat")  # the same workspace, whose forms get numbers
    assert ready.score(text).value == max(alone)


def test_of_many_references_one_that_is_refused_is_told_when_they_are_read() -> None:
    metric = summeval.TeslaS(gap=None)
    texts = [*MANY, " ".join(map(str, range(17_000)))]
    for read in (metric.prepare, lambda texts: metric.score("the cat", texts)):
        with pytest.raises(ValueError, match="references: too many skip-bigrams"):
            read(texts)
