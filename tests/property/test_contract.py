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

import pytest
from metric_cases import CASES, ONE, SHORT, TWO, case_id, side
from registered import NAMES

import summeval
from summeval import Signature
from summeval.metrics.own.contract import CANDIDATES, CHECKS, LIKE, OTHERS, check
from summeval.metrics.registry import direction_of

# MeMoG merges the references in their order, and NPowER has it within.
ORDERED = {"memog", "npower"}
# A reference that comes twice weighs double: in a mean or a sum over references or their lengths,
# in the weights of a Pyramid and of BEwT-E, in the counts of an input.
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
    "ter",
    "tesla-m",
}
# Identity does not give the best value: ROUGE-W takes the root of a share of weighted runs, words
# are counted, a text itself is one chunk of METEOR, and the others have a scale that was fitted.
OWN_SCALE = {
    *("coherence-order", "cremer", "dicomer", "npower", "readability", "rougeW", "support"),
    *("lexical-diversity", "meteor", "reading-ease", "cider-d", "cider"),
}


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


def test_the_command_check_finds_nothing(metric: summeval.Metric, case: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", summeval.ScoreWarning)
        found = check(lambda: summeval.metric(case[0], **case[1]))
    assert [one.name for one in found] == list(CHECKS)
    skipped = {"identity"} if metric.compared_with == "nothing" else set()
    assert {one.name for one in found if one.result == "skipped"} == skipped
    assert [one for one in found if one.result == "failed"] == []


def test_identity_has_the_best_value_and_nothing_has_none(metric: summeval.Metric) -> None:
    score = metric.score(ONE, **side(metric, ONE))
    if metric.name in OWN_SCALE:
        assert math.isfinite(score.value)
    else:
        assert score.value == pytest.approx(metric.best[metric.primary], abs=1e-12)
    if metric.compared_with == "nothing":
        return
    worse = metric.score("Nothing.", **side(metric, ONE)).value
    assert score.value > worse if metric.higher_is_better else score.value < worse
    for nothing in ([], [None]):
        score = metric.score(ONE, **side(metric, nothing))
        numbers = [field for field in metric.fields if not math.isnan(score[field])]
        assert numbers == (["readability"] if metric.name == "cremer" else [])


def test_it_is_immutable_and_what_it_holds_goes_with_it(metric: summeval.Metric, case: Any) -> None:
    """A cycle would keep the memory of kernels, which the collector does not see."""
    message = rf"^{re.escape(metric.name)} is immutable: make another with metric\(.+=\.\.\.\)$"
    for one in (metric, copy.copy(metric), pickle.loads(pickle.dumps(metric))):
        for option in metric.options:
            if not metric.immutable and option.name in vars(metric):
                continue  # what was learned
            with pytest.raises(AttributeError, match=message):
                setattr(one, option.name, option.default)
            with pytest.raises(AttributeError, match=message):
                delattr(one, option.name)
    if not metric.immutable:
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


def test_references_count_in_any_order_and_once(metric: summeval.Metric, case: Any) -> None:
    if metric.name not in ORDERED:
        texts = [ONE, TWO, SHORT]
        first = metric.score(LIKE, **side(metric, texts))
        for other in (texts[::-1], texts[1:] + texts[:1]):
            again = metric.score(LIKE, **side(metric, other))
            assert again.value == pytest.approx(first.value, rel=1e-12)
    alone = metric.score(LIKE, **side(metric, [ONE])).value
    assert metric.score(LIKE, **side(metric, [ONE, ONE])).value == pytest.approx(alone, rel=1e-12)
    if case[1]:
        return  # options decide
    once = metric.score(LIKE, **side(metric, [ONE, TWO])).value
    twice = metric.score(LIKE, **side(metric, [ONE, TWO, TWO])).value
    assert (twice == once) == (metric.name not in COUNTS_REPEATS)


def test_a_table_is_the_same_of_arrow_of_copies_and_from_threads(
    metric: summeval.Metric, case: Any
) -> None:
    wanted = table_of(metric)
    assert wanted.signature == {metric.name: metric.signature}
    assert wanted.higher_is_better == {
        f"{metric.name}.{field}": rising for field, rising in metric.directions.items()
    }
    for copied in (copy.copy, copy.deepcopy):
        other = copied(metric)
        assert other.signature == metric.signature
        assert_same(table_of(other), wanted)
    other = summeval.metric(case[0], **case[1], label="mine")
    assert other.name == "mine"
    assert table_of(other).columns == [f"mine.{field}" for field in metric.fields]

    scores = [repr(metric.score(text, **side(metric, [ONE, TWO]))) for text in CANDIDATES]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            found = pool.map(lambda t: metric.score(t, **side(metric, [ONE, TWO])), CANDIDATES)
            assert list(map(repr, found)) == scores

    pa = pytest.importorskip("pyarrow")
    others = {
        name: pa.array(rows, pa.list_(pa.string()))
        for name, rows in side(metric, OTHERS, several=True).items()
    }
    assert_same(metric.score_batch(pa.array(CANDIDATES), **others), wanted)


def test_a_lone_text_where_rows_are_meant_is_refused(metric: summeval.Metric) -> None:
    with pytest.raises(TypeError, match="candidates is a str; pass a list"):
        metric.score_batch(ONE, **side(metric, [ONE], several=True))
    if metric.compared_with != "nothing":
        with pytest.raises(TypeError, match=r"(references|sources) is (a )?str; pass a list"):
            metric.score_batch([ONE], **side(metric, ONE, several=True))


def test_its_signature_directions_and_options_are_those_of_its_class(
    made: summeval.Metric, case: Any
) -> None:
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

    assert list(made.directions) == list(made.fields) == list(type(made).fields)
    assert made.higher_is_better == made.directions[made.primary]
    assert made.lower_is_better <= set(made.fields)
    for field, rising in made.directions.items():
        assert direction_of(f"{case[0]}.{field}") == rising == (field not in made.lower_is_better)

    for option in type(made).options:
        wrong = f"{option.name}x"
        with pytest.raises(ValueError, match=r"^unknown option of ") as caught:
            summeval.metric(made.name, **{wrong: None})
        assert f" of {made.name} {wrong!r}" in str(caught.value)
        assert option.name in str(caught.value).partition("did you mean")[2]
        assert "\n" not in str(caught.value)
