"""Score and ScoreTable as values: unpacking, conversion, comparison, no changes."""

from __future__ import annotations

import copy
import json
import pickle
import statistics
import subprocess
import sys
from collections.abc import Mapping

import numpy as np
import pytest

import summeval
from summeval import Score, ScoreTable
from summeval.interop.arrow import score_record_batch

SCORE = Score(("precision", "recall", "fmeasure"), (0.5, 1.0, 2 / 3), "fmeasure")
CANDIDATES, REFERENCES = ["the cat sat", "a dog", None], ["the cat", "dogs", "a cow"]


@pytest.fixture
def table() -> ScoreTable:
    return summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1", "simetrix"], sources=REFERENCES)


def test_a_score_unpacks_to_values_and_is_looked_up_by_names() -> None:
    precision, recall, fmeasure = SCORE
    assert (precision, recall, fmeasure) == (0.5, 1.0, 2 / 3) == tuple(SCORE)
    assert list(SCORE) == list(SCORE.values())
    assert tuple(SCORE.keys()) == ("precision", "recall", "fmeasure")
    assert dict(SCORE.items()) == dict(SCORE) == {**SCORE} == SCORE._asdict()
    assert SCORE._asdict() == {"precision": 0.5, "recall": 1.0, "fmeasure": 2 / 3}
    assert ("recall" in SCORE, "value" in SCORE, 1.0 in SCORE) == (True, False, False)
    assert (SCORE["recall"], SCORE.recall, len(SCORE)) == (1.0, 1.0, 3)
    assert np.asarray([*SCORE]).tolist() == [0.5, 1.0, 2 / 3]


def test_a_score_is_its_value_where_a_number_is_wanted() -> None:
    assert float(SCORE) == SCORE.value == 2 / 3
    assert (f"{SCORE:.2f}", f"{SCORE:>8.3f}") == ("0.67", "   0.667")
    assert f"{SCORE}" == str(SCORE) == repr(SCORE)
    assert float(Score(("P", "D"), (0.5, 3), "D")) == 3.0
    nan = summeval.score(None, "a cat", ["rouge1"])["rouge1"]
    assert (np.isnan(float(nan)), f"{nan:.1f}") == (True, "nan")


def test_a_list_of_scores_reads_well() -> None:
    plain = Score(("recall", "n"), (np.float64(0.5), np.float32(0.25)), "recall")
    assert repr([plain]).startswith("[Score(recall=0.5, n=")
    score = summeval.score("the cat sat on the mat", "a cat sat", ["tesla-s", "bipartite"])
    assert repr([score["tesla-s"]]).endswith("parts=<unigram, skip>)]")
    assert repr(score["bipartite"]).endswith("matching=2.0, parts=<1 items>)")
    assert repr(Score(("recall", "by"), (1.0, {"A": 1.0}), "recall")) == (
        "Score(recall=1.0, by={'A': 1.0})"
    )
    assert repr([SCORE]) == "[Score(precision=0.5, recall=1.0, fmeasure=0.6666666666666666)]"


def test_a_score_counts_as_its_value_wherever_numbers_do() -> None:
    half, same = (Score(("recall", "fmeasure"), (r, 0.5), "fmeasure") for r in (0.2, 0.2))
    other = Score(("recall", "fmeasure"), (0.9, 0.5), "fmeasure")
    # arithmetic gives plain floats
    for found in (half + 1, 1 - half, half * SCORE, half / 2, -half, abs(half), sum([half, SCORE])):
        assert type(found) is float
    assert half + SCORE == sum([half, SCORE]) == 0.5 + 2 / 3
    # means of other tools, which know numbers by their type: Inspect, MLflow, statistics, JSON
    assert isinstance(half, float) and not isinstance(half, Mapping)
    mean = (0.5 + 2 / 3) / 2
    assert statistics.mean([half, SCORE]) == statistics.fmean([half, SCORE]) == mean
    assert np.mean([half, SCORE]) == mean and np.array([half, SCORE]).dtype == np.float64
    assert json.loads(json.dumps({"rouge1": half})) == {"rouge1": 0.5}
    assert json.loads(json.dumps(half._asdict())) == {"recall": 0.2, "fmeasure": 0.5}
    # order and equality
    assert half < SCORE and half <= 0.5 < SCORE and max([half, SCORE, 0.1]) is SCORE
    assert half == 0.5 == half
    assert half not in {0.4, "0.5"}
    assert half == same
    assert (half != same, half != other) == (False, True)
    assert hash(half) == hash(same) == hash(other) == hash(0.5)
    assert len({half, same, other}) == 2
    for copied in (pickle.loads(pickle.dumps(half)), copy.deepcopy(half)):
        assert copied == half and type(copied) is Score and copied.recall == 0.2
    with pytest.raises(TypeError, match="a Score has a tuple of fields, a tuple of values and"):
        Score(["recall"], (1.0,), "recall")  # type: ignore[call-overload]


def test_a_table_is_a_dict_of_columns(table: ScoreTable) -> None:
    assert isinstance(table, dict)
    assert (table.rows, len(table), bool(table)) == (3, 13, True)
    assert list(table) == table.columns == list(table.keys()) == list(dict(table))
    assert table.columns[:4] == [
        "rouge1.precision",
        "rouge1.recall",
        "rouge1.fmeasure",
        "simetrix.KLInputSummary",
    ]
    assert table["rouge1"] is table["rouge1.fmeasure"] is table.get("rouge1")
    assert "rouge1" in table
    assert ("rouge2" in table, 3 in table, table.get("rouge2", 5)) == (False, False, 5)
    with pytest.raises(KeyError, match=r"no column 'rouge1.f'; did you mean rouge1\.fmeasure"):
        table["rouge1.f"]
    with pytest.raises(TypeError, match=r"a row is numpy\.asarray\(table\)\[row\]"):
        table[0]  # type: ignore[index]


CHANGES = [
    lambda t: t.__setitem__("a", 1),
    lambda t: t.__delitem__("rouge1.recall"),
    lambda t: t.__ior__({"a": 1}),
    lambda t: t.clear(),
    lambda t: t.pop("rouge1.recall"),
    lambda t: t.pop("nothing", None),
    lambda t: t.popitem(),
    lambda t: t.setdefault("a", 1),
    lambda t: t.update({"a": 1}),
    lambda t: t.update(a=1),
    lambda t: exec("t['a'] = 1", {"t": t}),
    lambda t: exec("del t['rouge1.recall']", {"t": t}),
    lambda t: exec("t |= {'a': 1}", {"t": t}),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_table_cannot_be_changed(table: ScoreTable, change) -> None:
    before = table.columns
    with pytest.raises(TypeError, match=r"^a ScoreTable cannot be changed; change dict\(table\)"):
        change(table)
    assert table.columns == before


def test_nothing_of_dict_that_changes_one_is_forgotten() -> None:
    changing = {
        name
        for name in dir(dict)
        if callable(getattr(dict, name)) and name not in dir(frozenset) and name not in dir(tuple)
    }
    reading = {"get", "items", "keys", "values", "fromkeys", "__reversed__", "__ror__", "__or__"}
    for name in changing - reading:
        assert getattr(ScoreTable, name) is ScoreTable._refuse or name == "__getitem__", name


def test_the_numbers_of_a_table_cannot_be_changed(table: ScoreTable) -> None:
    with pytest.raises(ValueError, match="read-only"):
        table["rouge1"][0] = 1
    with pytest.raises(AttributeError):
        table.rows = 4  # type: ignore[misc]


def test_copies_of_a_table_are_equal_tables(table: ScoreTable) -> None:
    for made in (
        copy.copy(table),
        copy.deepcopy(table),
        table.copy(),
        *(pickle.loads(pickle.dumps(table, protocol)) for protocol in range(2, 6)),
    ):
        assert type(made) is ScoreTable
        assert made == table
        assert made.rows == 3
        assert made.signature == table.signature
        assert made.higher_is_better == table.higher_is_better
        assert made["rouge1"] is made["rouge1.fmeasure"]
        assert not made["rouge1"].flags.writeable


def test_tables_are_equal_if_all_that_they_say_is(table: ScoreTable) -> None:
    assert table == dict(table)
    assert dict(table) == table
    assert (table != copy.copy(table)) is False
    other = summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1"])
    assert other != table
    assert other != summeval.score_batch(CANDIDATES[::-1], REFERENCES[::-1], ["rouge1"])
    assert other != summeval.score_batch(CANDIDATES[:2], REFERENCES[:2], ["rouge1"])
    options = summeval.metric("rouge1", stopwords=True)
    texts = (["a cat", "a cat"], ["a cat", "a cat"])
    assert dict(summeval.score_batch(*texts, "rouge1")) == summeval.score_batch(*texts, [options])
    assert summeval.score_batch(*texts, "rouge1") != summeval.score_batch(*texts, [options])
    assert other != 3
    assert other != {**dict(other), "rouge1.recall": "cats"}
    with pytest.raises(TypeError, match="unhashable"):
        hash(table)


def test_tables_of_the_same_rows_are_joined() -> None:
    one, other = (summeval.score_batch(CANDIDATES, REFERENCES, [n]) for n in ("rouge1", "rougeL"))
    both = one | other
    assert type(both) is ScoreTable
    assert both == summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1", "rougeL"])
    assert both["rougeL"] is other["rougeL.fmeasure"]
    assert one | one == one
    assert type(one | {"id": [1, 2, 3]}) is type({"id": [1, 2, 3]} | one) is dict
    assert list({"id": [1, 2, 3]} | one) == ["id", *one]
    with pytest.raises(ValueError, match="3 rows and 1 rows; join tables of the same texts"):
        _ = one | summeval.score_batch(["a"], ["a"], ["rougeL"])
    stemmed = summeval.metric("rouge1", stemmer="porter")
    with pytest.raises(ValueError, match="both tables have a 'rouge1' of its own; give one a lab"):
        _ = one | summeval.score_batch(CANDIDATES, REFERENCES, [stemmed])
    sources = {"sources": REFERENCES}
    fallen = summeval.score_batch(CANDIDATES, metrics=["simetrix"], **sources)
    assert (one | fallen).higher_is_better["simetrix.smoothedJSD"] is False


def test_data_frames_keep_names_and_order(table: ScoreTable) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for frame in (pandas.DataFrame(table), polars.DataFrame(table), table.to_pandas()):
        assert list(frame.columns) == table.columns
        assert frame["rouge1.recall"].to_numpy()[:2].tolist() == [1.0, 0.0]
        assert len(frame) == 3
    assert list(pandas.DataFrame(table, columns=["rouge1.recall"])) == ["rouge1.recall"]
    pyarrow = pytest.importorskip("pyarrow")
    rows = pyarrow.record_batch({"candidate": CANDIDATES, "references": REFERENCES})
    scored = score_record_batch(rows, ["rouge1"])["rouge1.recall"].to_pylist()
    assert scored == [1.0, 0.0, None]
    for frame in (
        polars.DataFrame(table, nan_to_null=True),
        polars.from_arrow(table.to_arrow()),
        polars.DataFrame(pyarrow.RecordBatchReader.from_stream(table)),
    ):
        assert frame["rouge1.recall"].to_list() == scored


def test_polars_takes_a_table_where_there_is_no_pyarrow() -> None:
    pytest.importorskip("polars")
    program = """
import sys
from collections.abc import Mapping
sys.modules["pyarrow"] = None
import polars, summeval
table = summeval.score_batch(["a cat"], ["the cat"], ["rouge1", "rougeL"])
frame = polars.DataFrame(table)
assert frame.columns == table.columns and frame["rougeL.recall"].to_list() == [0.5]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_table_shows_what_it_holds(table: ScoreTable) -> None:
    assert repr(table).startswith("<ScoreTable: 3 rows, columns rouge1.precision, rouge1.recall,")
    page = table._repr_html_()
    assert "<td>rouge1.recall</td>" in page
    assert "<p>3 rows</p>" in page
    assert np.asarray(table).shape == (3, 13)
    with pytest.raises(
        ValueError, match=r"confidence is 95; give a share from 0 to 1, such as 0\.9"
    ):
        table.bootstrap(confidence=95)


def test_a_wrong_field_of_a_score_is_told_with_the_right_ones() -> None:
    score = summeval.metric("rouge1").score("a cat", "a cat sat")
    with pytest.raises(KeyError, match="no field 'recal'; it has precision, recall, fmeasure"):
        score["recal"]
    with pytest.raises(AttributeError, match="no field 'recal'; it has precision"):
        score.recal  # noqa: B018 - the access is what is tested
