"""Files of pyramids and annotations are paired by their names."""

from __future__ import annotations

import pytest
from pyramid_cases import of_peer, of_weights

from summeval.metrics.pyramid import (
    PyramidFileError,
    pairs,
    presence,
    pyramid_files,
    read_pan,
)

WEIGHTS = {"1": 3, "2": 2, "5": 1}


def keys(*given, pyramids=("p/D0801-A.pyr",)):
    return [(pair.topic, pair.peer, pair.annotator) for pair in pairs(list(pyramids), list(given))]


def test_names_of_tac_and_duc():
    assert keys("a/D0801-A.M.100.A.12.pan") == [("D0801-A", "12", "")]
    duc = ["p/D0631.pyr"]
    assert keys("114.D0631.M.250.A.B.pan", pyramids=duc) == [("D0631", "B", "114")]
    assert keys("D0631.M.250.A.3.pan", pyramids=["D0631-final.pyr"]) == [("D0631", "3", "")]
    assert keys("d0631.M.250.A.3.PAN", pyramids=["D0631.PYR"]) == [("d0631", "3", "")]


def test_other_names_begin_with_that_of_the_pyramid():
    pyramids = ["storm.pyr", "storm-two.pyr"]
    given = ["storm_lead.pan", "storm-two.lead.pan"]
    assert keys(*given, pyramids=pyramids) == [("storm", "lead", ""), ("storm-two", "lead", "")]


def test_the_longest_and_the_equal_name_wins():
    found = pairs(["D1.pyr", "D1-A.pyr"], ["D1.M.100.A.1.pan", "D1-A.M.100.A.1.pan"])
    assert [pair.pyramid for pair in found] == ["D1.pyr", "D1-A.pyr"]


def test_folders_name_the_annotators_of_equal_files():
    given = ["ann/D0801-A.M.100.A.1.pan", "ben/D0801-A.M.100.A.1.pan", "ben/D0801-A.M.100.A.2.pan"]
    names = [("D0801-A", "1", "ann"), ("D0801-A", "1", "ben"), ("D0801-A", "2", "")]
    assert keys(*given) == names


@pytest.mark.parametrize(
    ("pyramids", "annotations", "message"),
    [
        (["D2.pyr"], ["D1.M.100.A.1.pan"], "D1.M.100.A.1.pan: has no pyramid: D1.pyr is not there"),
        (["D12.pyr"], ["D1.M.100.A.1.pan"], "has no pyramid"),
        (
            ["D2.pyr"],
            ["other.pan"],
            "other.pan: has no pyramid: no .pyr is named as it begins; add",
        ),
        (["a/D1.pyr", "b/D1.pyr"], ["D1.M.100.A.1.pan"], "could be of a/D1.pyr and b/D1.pyr; keep"),
        (
            ["D1.pyr"],
            ["a/D1.M.100.A.1.pan", "a/D1.M.100.B.1.pan"],
            "a/D1.M.100.B.1.pan: annotates the same summary of D1 as a/D1.M.100.A.1.pan; keep one",
        ),
    ],
)
def test_what_cannot_be_paired_is_named(pyramids, annotations, message):
    with pytest.raises(PyramidFileError, match=message.replace("(", r"\(")):
        pairs(pyramids, annotations)


def test_files_are_found_at_any_depth_and_sorted(tmp_path):
    for name in ("b/D2.pyr", "a/D1.pyr", "a/x/1.pan", ".hidden.pan", "a/notes.txt", "z.PAN"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = pyramid_files([tmp_path])
    kept = [[path[len(str(tmp_path)) + 1 :].replace("\\", "/") for path in part] for part in found]
    assert kept == [["a/D1.pyr", "b/D2.pyr"], ["a/x/1.pan", "z.PAN"]]
    assert pyramid_files([tmp_path / "a", tmp_path / "a/D1.pyr"])[0] == [str(tmp_path / "a/D1.pyr")]


@pytest.mark.parametrize(
    ("names", "message"), [(["D1.pyr"], "holds no .pan file"), (["1.pan"], "holds no .pyr file")]
)
def test_folders_without_files_are_named(tmp_path, names, message):
    for name in names:
        (tmp_path / name).write_text("")
    with pytest.raises(PyramidFileError, match=message):
        pyramid_files([tmp_path])


def test_presence_counts_a_repeated_unit_once(tmp_path):
    path = tmp_path / "p.pan"
    path.write_text(of_peer(of_weights(WEIGHTS, 3), WEIGHTS, {"1": 2, "5": 1}, 1), "utf-8")
    assert presence(read_pan(path), [5, 2, 1]) == [1, 0, 1]
