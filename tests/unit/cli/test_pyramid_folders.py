"""`summeval pyramid FOLDER …`: rows, means of systems, agreement of annotators, bad folders."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
from pyramid_cases import of_peer, of_weights
from pytest import approx

from summeval.cli.main import main
from summeval.meta import krippendorff_alpha
from summeval.metrics.pyramid import ducview_score, jackknife, modified_score, read_pan, read_pyr

WEIGHTS = {"1": 4, "2": 4, "3": 3, "4": 2, "5": 1, "6": 1}
PYRAMID = of_weights(WEIGHTS, 4)
FOUND = {  # annotator, topic, peer: the contributors of each SCU
    ("ann", "D1", "1"): {"1": 1, "3": 1},
    ("ben", "D1", "1"): {"1": 1, "4": 1},
    ("ann", "D1", "2"): {"2": 1},
    ("cal", "D1", "2"): {"2": 1, "6": 1},
    ("ann", "D2", "1"): {"1": 1, "2": 1, "3": 1},
    ("ben", "D2", "1"): {"1": 1, "2": 1, "3": 1},
    ("ann", "D2", "2"): {"5": 1},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two pyramids, and the annotations of two people."""
    monkeypatch.chdir(tmp_path)
    for place in ("pyramids", "pans"):
        (tmp_path / place).mkdir()
    for topic in ("D1", "D2"):
        (tmp_path / "pyramids" / f"{topic}.pyr").write_text(PYRAMID, "utf-8")
    for (annotator, topic, peer), found in FOUND.items():
        path = tmp_path / "pans" / f"{annotator}.{topic}.M.100.A.{peer}.pan"
        path.write_text(of_peer(PYRAMID, WEIGHTS, found, 1), "utf-8")
    return tmp_path


def run(capsys: Any, *arguments: str) -> str:
    assert main(["pyramid", *arguments]) == 0
    return str(capsys.readouterr().out)


def test_rows_have_the_numbers_of_the_functions(folder, capsys):
    found = json.loads(run(capsys, "pyramids", "pans", "--json", "--models"))
    peers = {
        (r["annotator"], r["topic"], r["system"]): r
        for r in found["rows"][:]
        if r["kind"] == "peer"
    }
    assert set(peers) == set(FOUND)
    pyramid = read_pyr("pyramids/D1.pyr")
    for (annotator, topic, peer), row in peers.items():
        annotation = read_pan(f"pans/{annotator}.{topic}.M.100.A.{peer}.pan")
        assert row["quality"] == ducview_score(pyramid, annotation).quality
        assert row["modified"] == modified_score(pyramid.model_scus, annotation.scu_ids).value
        assert row["jackknife"] == jackknife(pyramid.model_scus, annotation.scu_ids).peer_mean
    models = [row for row in found["rows"] if row["kind"] == "model"]
    assert [(row["topic"], row["system"]) for row in models] == [
        (topic, name) for topic in ("D1", "D2") for name in "ABCD"
    ]
    assert models[0]["jackknife"] == jackknife(pyramid.model_scus, []).human[0]
    assert [each["path"].replace("\\", "/") for each in found["pyramids"]] == [
        "pyramids/D1.pyr",
        "pyramids/D2.pyr",
    ]


def test_agreement_is_alpha_of_the_presence_of_units(folder, capsys):
    found = json.loads(run(capsys, "pyramids", "pans", "--json"))["agreement"]
    none = [None] * 6
    ann = [[1, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0]]  # peers 1, 2; 1 of D2
    ben = [[1, 0, 0, 1, 0, 0], none, [1, 1, 1, 0, 0, 0]]
    cal = [none, [0, 1, 0, 0, 0, 1], none]

    def alpha(peers):
        ratings = [[v for k in peers for v in said[k]] for said in (ann, ben, cal)]
        return approx(krippendorff_alpha(ratings), abs=1e-12)

    assert found == [
        {"topic": "all", "annotators": 3, "peers": 3, "units": 18, "alpha": alpha([0, 1, 2])},
        {"topic": "D1", "annotators": 3, "peers": 2, "units": 12, "alpha": alpha([0, 1])},
        {"topic": "D2", "annotators": 2, "peers": 1, "units": 6, "alpha": 1.0},
    ]


def test_means_of_systems_are_printed(folder, capsys):
    lines = run(capsys, "pyramids", "pans", "--models").splitlines()
    rows = [line.split() for line in lines]
    assert lines[0] == "2 pyramids, 7 annotations"
    assert rows[2] == [
        "mean",
        "topics",
        "quality",
        "coverage",
        "comprehensive",
        "modified",
        "jackknife",
    ]
    assert [row[:2] for row in rows[3:5]] == [["1", "2"], ["2", "2"]]
    assert [row[:3] for row in rows[5:9]] == [["model", name, "2"] for name in "ABCD"]
    assert rows[10] == ["agreement", "annotators", "peers", "units", "alpha"]
    assert rows[11][:4] == ["all", "3", "3", "18"]
    # D by the weight of as many SCUs, one of which is in no pyramid.
    quality = [7 / 11, 6 / 11, 11 / 13, 11 / 13]
    assert float(rows[3][2]) == approx(sum(quality) / 4, abs=5e-5)


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "csv", "parquet", "arrow"])
def test_rows_are_written_by_the_ending(folder, capsys, ending):
    if ending in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    from summeval.table.table import read_rows

    expected = json.loads(run(capsys, "pyramids", "pans", "--json"))["rows"]
    run(capsys, "pyramids", "pans", "-o", f"rows.{ending}")
    found = read_rows(f"rows.{ending}").rows
    assert len(found) == 7
    for mine, theirs in zip(found, expected, strict=True):
        assert "path" not in mine
        assert [mine[key] for key in ("topic", "system", "annotator")] == [
            theirs[key] for key in ("topic", "system", "annotator")
        ]
        assert float(mine["modified"]) == theirs["modified"]


def test_rows_of_one_pyramid_are_written_too(folder, capsys):
    name = "pans/ann.D1.M.100.A.1.pan"
    run(capsys, "pyramids/D1.pyr", name, "--models", "-o", "rows.csv")
    with open("rows.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["kind"] for row in rows] == ["peer", *["model"] * 4]
    assert rows[0]["topic"] == "D1"


def test_one_annotator_has_no_agreement(folder, capsys):
    for path in (folder / "pans").glob("[bc]*"):
        path.unlink()
    assert "agreement" not in run(capsys, "pyramids", "pans")
    assert json.loads(run(capsys, "pyramids", "pans", "--json"))["agreement"] == []


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["pyramids"], 1, "pyramids: holds no .pan file; add the folder of the annotations"),
        (["pans"], 1, "pans: holds no .pyr file; add the folder of the pyramids"),
        (["pyramids/D1.pyr"], 2, "no .pan is given; pass the annotations too, a folder, or rows"),
        (["pyramids", "pans", "-o", "rows.txt"], 2, "-o rows.txt: unknown extension; end it in"),
        (["pyramids", "nofolder"], 1, "nofolder: no such file or directory; check the name"),
        (["pyramids", "pans", "-o", "no/x.csv"], 1, "no/x.csv: folder "),
        (["pyramids/D1.pyr", "none.pan", "-o", "no/x.csv"], 1, "no/x.csv: folder "),
        (
            ["pyramids", "pans", "--units-column", "u"],
            2,
            "--units-column needs --judgements-column",
        ),
    ],
)
def test_bad_usage_and_bad_folders_are_one_line(folder, capsys, arguments, status, message):
    assert main(["pyramid", *arguments]) == status
    err = capsys.readouterr().err
    assert err.startswith(f"summeval: {message}") and err.count("\n") == 1


def test_an_annotation_without_its_pyramid_is_named(folder, capsys):
    (folder / "pyramids" / "D2.pyr").unlink()
    assert main(["pyramid", "pyramids", "pans"]) == 1
    err = capsys.readouterr().err.replace("\\", "/")
    assert err.startswith(
        "summeval: pans/ann.D2.M.100.A.1.pan: has no pyramid: D2.pyr is not there;"
    )
    assert err.count("\n") == 1
