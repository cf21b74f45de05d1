"""The contract of every registered metric, whatever it measures."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import re
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from metric_cases import CASES, ONE, SHORT, TWO, case_id, side
from registered import NAMES

import summeval
from summeval import Signature
from summeval.metrics.own.contract import CANDIDATES, CHECKS, LIKE, OTHERS, check
from summeval.metrics.registry import direction_of

# MeMoG merges the references in their order, and NPowER has it within.
ORDERED = {"memog", "npower"}
# A reference that comes twice weighs double: in a mean or a sum over references, in the weights of
# a Pyramid and of BEwT-E, in the counts of an input.
COUNTS_REPEATS = {
    *(name for name in NAMES if name.startswith("qarla-")),
    *ORDERED,
    "autosummeng",
    "be",
    "bewte",
    "pyramid-position",
    "queen",
    "simetrix",
    "support",
    "tesla-m",
}
# Identity does not give the best value: ROUGE-W takes the root of a share of weighted runs, and the
# others have a scale that was fitted.
OWN_SCALE = {"coherence-order", "cremer", "dicomer", "npower", "readability", "rougeW", "support"}


@pytest.fixture(scope="module", params=CASES, ids=case_id)
def case(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """Name and options of a metric."""
    found: tuple[str, dict[str, Any]] = request.param
    return found


@pytest.fixture(scope="module")
def made(case: tuple[str, dict[str, Any]]) -> summeval.Metric:
    """The metric, which may lack what it parses with."""
    return summeval.metric(case[0], **case[1])


@pytest.fixture(scope="module")
def metric(made: summeval.Metric) -> summeval.Metric:
    """The metric, where what it parses with is there."""
    try:
        made.score(ONE, [ONE] * made.least_references, source=ONE)
    except ImportError as error:
        pytest.skip(f"{made.name}: {error}")
    return made


def table_of(metric: summeval.Metric, **more: Any) -> summeval.ScoreTable:
    return metric.score_batch(CANDIDATES, **side(metric, OTHERS, several=True), **more)


def assert_same(found: Any, wanted: Any) -> None:
    assert found.columns == wanted.columns
    for name in wanted.columns:
        assert found[name].tobytes() == wanted[name].tobytes(), name


@pytest.mark.parametrize("name", CHECKS)
def test_the_command_check_finds_nothing(
    name: str, metric: summeval.Metric, case: tuple[str, dict[str, Any]]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", summeval.ScoreWarning)
        (found,) = check(lambda: summeval.metric(case[0], **case[1]), [name])
    if found.result == "skipped":
        assert name == "identity"
        assert metric.compared_with == "nothing"
    else:
        assert (found.result, found.said) == ("ok", CHECKS[name][0])


def test_identity_has_the_best_value(metric: summeval.Metric) -> None:
    score = metric.score(ONE, **side(metric, ONE))
    best = metric.best[metric.primary]
    if metric.name in OWN_SCALE:
        assert math.isfinite(score.value)
    else:
        assert score.value == pytest.approx(best, abs=1e-12)
    if metric.compared_with == "nothing":
        return
    worse = metric.score("Nothing.", **side(metric, ONE)).value
    assert score.value > worse if metric.higher_is_better else score.value < worse


def test_nothing_to_score_or_to_compare_with_is_nan(metric: summeval.Metric) -> None:
    assert all(math.isnan(metric.score(None, **side(metric, ONE))[f]) for f in metric.fields)
    if metric.compared_with != "nothing":
        for nothing in ([], [None]):
            score = metric.score(ONE, **side(metric, nothing))
            numbers = [field for field in metric.fields if not math.isnan(score[field])]
            assert numbers == (["readability"] if metric.name == "cremer" else [])


def test_an_empty_text_has_a_value_and_none_is_worse(metric: summeval.Metric) -> None:
    empty = metric.score("", **side(metric, [ONE, TWO])).value
    assert math.isfinite(empty)
    for text in (ONE, SHORT, "x"):
        value = metric.score(text, **side(metric, [ONE, TWO])).value
        assert value >= empty if metric.higher_is_better else value <= empty


def test_options_are_refused_once_the_metric_is_made(metric: summeval.Metric) -> None:
    message = rf"^{re.escape(metric.name)} is immutable: make another with metric\(.+=\.\.\.\)$"
    for one in (metric, copy.copy(metric), pickle.loads(pickle.dumps(metric))):
        for option in metric.options:
            if not metric.unchanging and option.name in vars(metric):
                continue  # what was learned
            with pytest.raises(AttributeError, match=message):
                setattr(one, option.name, option.default)


def test_what_it_holds_goes_with_it(metric: summeval.Metric, case: tuple[str, Any]) -> None:
    """A cycle would keep the memory of kernels, which the collector does not see."""
    if not metric.unchanging:
        return
    one = summeval.metric(case[0], **case[1])
    gc.disable()
    try:
        one.score(ONE, **side(one, ONE))
        held = [weakref.ref(one), weakref.ref(one.runner())]
        del one
        assert [there() for there in held] == [None, None]
    finally:
        gc.enable()


def test_a_lone_text_where_rows_are_meant_is_refused(metric: summeval.Metric) -> None:
    with pytest.raises(TypeError, match="candidates is a str; pass a list"):
        metric.score_batch(ONE, **side(metric, [ONE], several=True))
    if metric.compared_with != "nothing":
        with pytest.raises(TypeError, match=r"(references|sources) is (a )?str; pass a list"):
            metric.score_batch([ONE], **side(metric, ONE, several=True))


def test_references_count_in_any_order(metric: summeval.Metric) -> None:
    if metric.name in ORDERED:
        pytest.skip("it merges the references in their order")
    texts = [ONE, TWO, SHORT]
    first = metric.score(LIKE, **side(metric, texts))
    for other in (texts[::-1], texts[1:] + texts[:1]):
        again = metric.score(LIKE, **side(metric, other))
        assert again.value == pytest.approx(first.value, rel=1e-12)


def test_a_repeated_reference_changes_nothing(metric: summeval.Metric, case: Any) -> None:
    alone = metric.score(LIKE, **side(metric, [ONE])).value
    assert metric.score(LIKE, **side(metric, [ONE, ONE])).value == pytest.approx(alone, rel=1e-12)
    if case[1]:
        return  # options decide
    once = metric.score(LIKE, **side(metric, [ONE, TWO])).value
    twice = metric.score(LIKE, **side(metric, [ONE, TWO, TWO])).value
    assert (twice == once) == (metric.name not in COUNTS_REPEATS)


def test_a_batch_gives_what_single_calls_give(metric: summeval.Metric) -> None:
    table = table_of(metric)
    assert table.rows == len(CANDIDATES)
    assert table.columns == [f"{metric.name}.{field}" for field in metric.fields]
    for row, (candidate, texts) in enumerate(zip(CANDIDATES, OTHERS, strict=True)):
        score = metric.score(candidate, **side(metric, texts))
        prepared = metric.prepare(**side(metric, texts)).score(candidate)
        for field in metric.fields:
            np.testing.assert_equal(table[f"{metric.name}.{field}"][row], score[field])
            np.testing.assert_equal(prepared[field], score[field])


def test_neither_workers_nor_arrow_change_a_number(metric: summeval.Metric) -> None:
    wanted = table_of(metric)
    for workers in (2, -1):
        assert_same(table_of(metric, workers=workers), wanted)
    pa = pytest.importorskip("pyarrow")
    others = {
        name: pa.array(rows, pa.list_(pa.string()))
        for name, rows in side(metric, OTHERS, several=True).items()
    }
    found = metric.score_batch(pa.array(CANDIDATES), **others)
    assert_same(found, wanted)


def test_threads_may_share_it(metric: summeval.Metric) -> None:
    wanted = [repr(metric.score(text, **side(metric, [ONE, TWO]))) for text in CANDIDATES]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            scores = pool.map(lambda t: metric.score(t, **side(metric, [ONE, TWO])), CANDIDATES)
            assert list(map(repr, scores)) == wanted


def test_its_signature_is_a_line_that_reads_back(made: summeval.Metric, case: Any) -> None:
    line = str(made.signature)
    assert type(made.signature) is Signature
    assert type(line) is str
    assert "\n" not in line
    parsed = Signature.parse(line)
    assert (parsed, parsed.options) == (made.signature, made.signature.options)
    assert parsed.options
    assert (parsed.name, parsed.version) == (made.name, summeval.__version__)
    assert Signature.of(parsed.name, parsed.options) == line
    assert summeval.metric(case[0], **case[1]).signature == line


def test_a_table_has_the_signature(metric: summeval.Metric) -> None:
    assert table_of(metric).signature == {metric.name: metric.signature}


def pickled(metric: summeval.Metric) -> summeval.Metric:
    found: summeval.Metric = pickle.loads(pickle.dumps(metric))
    return found


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_scores_alike(metric: summeval.Metric, copied: Any) -> None:
    other = copied(metric)
    assert other.signature == metric.signature
    assert_same(table_of(other), table_of(metric))


def test_every_field_has_a_direction(made: summeval.Metric, case: Any) -> None:
    assert list(made.directions) == list(made.fields) == list(type(made).fields)
    assert made.higher_is_better == made.directions[made.primary]
    assert made.falling <= set(made.fields)
    for field, rising in made.directions.items():
        assert direction_of(f"{case[0]}.{field}") == rising == (field not in made.falling)


def test_a_table_has_the_directions(metric: summeval.Metric) -> None:
    assert table_of(metric).higher_is_better == {
        f"{metric.name}.{field}": rising for field, rising in metric.directions.items()
    }


def test_a_name_of_its_own_names_the_columns(metric: summeval.Metric, case: Any) -> None:
    other = summeval.metric(case[0], **case[1], label="mine")
    assert other.name == "mine"
    assert table_of(other).columns == [f"mine.{field}" for field in metric.fields]


def test_an_unknown_option_is_told_with_the_nearest(made: summeval.Metric) -> None:
    for option in type(made).options:
        wrong = f"{option.name}x"
        with pytest.raises(ValueError, match=r"^unknown option of ") as caught:
            summeval.metric(made.name, **{wrong: None})
        assert f" of {made.name} {wrong!r}" in str(caught.value)
        assert option.name in str(caught.value).partition("did you mean")[2]
        assert "\n" not in str(caught.value)
