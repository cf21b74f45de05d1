"""`summeval pyramid ROWS --judgements-column NAME`: scores of judged units."""

from __future__ import annotations

import json
from math import exp

import pytest
from pytest import approx

from summeval.cli.main import main
from summeval.table.table import read_rows

ROWS = [
    {
        "system": "a",
        "candidate": "the cat sat on the mat today",
        "references": ["the cat sat on it"],
        "units": ["u", "v", "w", "x"],
        "labels": [1, 0, 1, 0.5],
        "weights": [2, 1, 1, 4],
    },
    {
        "system": "b",
        "candidate": "a cat",
        "references": ["the cat sat on it"],
        "units": ["u", "v", "w", "x"],
        "labels": [True, False, False, False],
        "weights": [2, 1, 1, 4],
    },
    {
        "system": "b",
        "candidate": "dogs",
        "references": "one",
        "units": None,
        "labels": None,
        "weights": None,
    },
]
NAMES = ["--units-column", "units", "--judgements-column", "labels"]


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(rows):
        (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return "rows.jsonl"

    return write


def scored(capsys, *arguments):
    assert main(["pyramid", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_rows_are_scored(write, capsys):
    found = scored(capsys, write(ROWS), *NAMES, "--weights-column", "weights")
    first, second, third = found["rows"]
    assert first["unit_score"] == 2.5 / 4
    assert first["weighted_score"] == approx((2 + 1 + 2) / 8)
    assert first["normalised_acu"] == approx(2.5 / 4 * exp((1 - 7 / 5) / 2))
    assert second["unit_score"] == second["normalised_acu"] == 0.25
    assert set(third.values()) == {None}
    assert [(row["system"], row["rows"], row["unit_score"]) for row in found["systems"]] == [
        ("a", 1, 0.625),
        ("b", 1, 0.25),
        ("all rows", 2, approx(0.4375)),
    ]


def test_alpha_is_that_of_the_option(write, capsys):
    (first, *_), _ = scored(capsys, write(ROWS), *NAMES, "--alpha", "0.5").values(), None
    assert first[0]["normalised_acu"] == approx(2.5 / 4 * exp((1 - 7 / 5) / 0.5))


def test_several_references_have_the_mean_of_their_scores(write, capsys):
    row = {
        "candidate": "one two three four",
        "references": ["one two", "one two three four five"],
        "labels": [[1, 1], [1, 0, 0, 0]],
    }
    (found,) = scored(capsys, write([row]), "--judgements-column", "labels")["rows"]
    assert found["n_units"] == 6
    assert found["unit_score"] == (1 + 0.25) / 2
    assert found["normalised_acu"] == approx((exp(-0.5) + 0.25) / 2)


def test_rows_without_texts_have_no_normalised_score(write, capsys):
    (found,) = scored(capsys, write([{"labels": [1, 0]}]), "--judgements-column", "labels")["rows"]
    assert found == {"n_units": 2, "unit_score": 0.5}


def test_the_table_and_the_rows(write, capsys):
    assert main(["pyramid", write(ROWS), *NAMES, "-o", "out.csv"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["3", "rows,", "alpha", "2"]
    assert lines[3][:4] == ["a", "1", "4.0000", "0.6250"]
    rows = read_rows("out.csv").rows
    assert [row["unit_score"] for row in rows] == ["0.625", "0.25", ""]
    # CSV holds lists as JSON, which the command reads again.
    again = scored(capsys, "out.csv", *NAMES)["rows"]
    assert [row["unit_score"] for row in again] == [0.625, 0.25, None]


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ({"labels": [1, 0]}, [], "row 1: 'units' has 4 items and there are 2 judgements; give as"),
        ({"labels": [1, 0, 2, 0]}, [], "row 1: judgements[2] is 2; give a number from 0 to 1"),
        ({"labels": [1, 0, None, 0]}, [], "row 1: judgements[2] is None; give a number"),
        ({"labels": [], "units": []}, [], "row 1: judgements is empty; give one for each unit"),
        ({"labels": "yes"}, [], "row 1: 'labels' is 'yes'; give a list of numbers"),
        ({"labels": 1}, [], "row 1: 'labels' is 1; give a list with an item for each unit"),
        ({"references": ["", ""]}, [], "row 1: 'references' has a text without words; give one"),
        ({"candidate": None}, [], "row 1: 'candidate' or 'references' holds no text; give both"),
        ({"weights": [1]}, ["--weights-column", "weights"], "row 1: 'weights' has 1 items and"),
        ({}, ["--weights-column", "weight"], "no 'weight' (did you mean 'weights'?"),
        ({}, ["--candidate-column", "text"], "no 'text' ("),
    ],
)
def test_bad_rows_are_one_line(write, capsys, change, arguments, message):
    assert main(["pyramid", write([ROWS[0] | change]), *NAMES, *arguments]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"summeval: rows.jsonl: {message}") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "0"], "--alpha is 0.0; give a number above 0"),
        (["--models"], "--models does not go with --judgements-column; leave it out"),
    ],
)
def test_bad_usage_is_one_line(write, capsys, arguments, message):
    assert main(["pyramid", write(ROWS), *NAMES, *arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"summeval: {message}") and err.count("\n") == 1
