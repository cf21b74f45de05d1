"""Ctrl-C ends a call of any kernel: each call here would take minutes or hours by itself.

Nothing is timed: `benchmarks/kernels/interrupt.py` measures how soon. Signals come by processor
time, so that they strike in the kernel however slow the machine is.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from long_calls import CALLS, SHARED, words
from shared import TESTS

import summeval

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
PROGRAM = TESTS / "support" / "long_calls.py"


def end_of(name: str, workers: int) -> tuple[int, str]:
    ran = subprocess.run(
        [sys.executable, PROGRAM, name, str(workers)], capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stderr


# One call of each way to stop: a loop over pairs, a matrix, rows, a search, draws, messages.
QUICK = {"rougeL", "rougeW", "assignment", "labels, messages", "resampled, kendall"}
QUICK |= {"extractiveness"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in CALLS],
)
def test_a_long_call_ends(name: str) -> None:
    assert end_of(name, 1) == (130, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", SHARED)
def test_a_long_call_of_two_workers_ends(name: str) -> None:
    assert end_of(name, 2) == (130, "")


@contextmanager
def signals() -> Iterator[list[int]]:
    """Signals whose handler takes note, and does not raise."""
    seen: list[int] = []
    before = signal.signal(signal.SIGPROF, lambda number, frame: seen.append(number))
    signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
    try:
        yield seen
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_work_goes_on_after_a_handler_that_does_not_raise() -> None:
    rouge = summeval.suite(["rougeL", "rougeLsum", "rougeW", "rougeS*", "rougeSU4", "npower"])
    texts = [words(5_000, 300, line=400, seed=seed) for seed in range(4)]
    # Several times what takes the kernels 20 ms, between two calls of the handler.
    left, right = texts[:2] * 10, texts[2:] * 10
    undisturbed = np.asarray(rouge.score_batch(left, right)).tolist()
    for workers in (1, 2):
        with signals() as seen:
            found = np.asarray(rouge.score_batch(left, right, workers=workers)).tolist()
        assert len(seen) > 1
        assert found == undisturbed


def test_another_thread_is_not_disturbed() -> None:
    """Handlers run in the main thread, which waits here."""
    left, right = words(60_000, 300), words(60_000, 300, seed=2)
    metric = summeval.metric("rougeL")
    alone = metric.score(left, right)
    found = []
    with signals() as seen:
        thread = threading.Thread(target=lambda: found.append(metric.score(left, right)))
        thread.start()
        thread.join()
    assert found == [alone]
    assert len(seen) > 0


def test_an_exception_of_another_handler_comes_out_as_it_is() -> None:
    class Enough(Exception):
        pass

    def handler(number: int, frame: object) -> None:
        raise Enough("for today")

    before = signal.signal(signal.SIGPROF, handler)
    signal.setitimer(signal.ITIMER_PROF, 0.2)
    try:
        with pytest.raises(Enough, match="for today"):
            summeval.metric("rougeL").score(words(2_000_000, 1000), words(2_000_000, 1000, seed=2))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_what_was_prepared_stays_whole() -> None:
    """The references of an interrupted call serve the next one."""
    metric = summeval.suite(["rouge2", "rougeL", "rougeS*"])
    reference = words(8_000, 200, seed=2)
    ready, long = metric.prepare(reference), words(40_000, 200)
    short = words(300, 200, seed=3)
    before = ready.score(short)

    def handler(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGPROF, handler)
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            ready.score_batch([long] * 10_000)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)
    assert ready.score(short) == before == metric.score(short, reference)
    table = ready.score_batch([short, long], workers=2)
    assert np.isfinite(np.asarray(table)).all()


@pytest.mark.parametrize(
    ("name", "sizes", "told"),
    [
        ("rougeLsum", (66_000, 66_000), r"lines of up to 65,000 tokens \(2\^32"),
        ("rougeW", (24_000, 24_000), r"lines of up to 23,000 tokens \(2\^29"),
        ("rougeS*", (66_000, 10), r"2\^31 are looked at, in a text of 65,000 tokens"),
    ],
)
def test_refusals_tell_the_limit(name: str, sizes: tuple[int, int], told: str) -> None:
    left, right = (words(size, 10) for size in sizes)
    with pytest.raises(ValueError, match=told):
        summeval.metric(name).score(left, right)


@pytest.mark.parametrize(("name", "size"), [("rougeLsum", 65_000), ("rougeW", 23_000)])
def test_texts_within_the_limit_are_taken(name: str, size: int) -> None:
    text = words(size, 10)
    assert summeval.metric(name).score(text, text).fmeasure > 0
