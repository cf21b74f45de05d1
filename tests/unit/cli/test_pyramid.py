"""`summeval pyramid`: what it prints, and how it ends."""

import json

import pytest
from pyramid_cases import annotation, contributor, head, of_peer, of_weights, part, peer_scu, scu
from pyramid_cases import pyramid as pyramid_of
from pytest import approx

from summeval.cli.main import main
from summeval.metrics.pyramid import jackknife, modified_score

WEIGHTS = {"1": 4, "2": 4, "3": 3, "4": 2, "5": 1, "6": 1}  # the case ducview-2
PYRAMID = of_weights(WEIGHTS, 4)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A pyramid, a peer with 3 of its SCUs, and one with none, in the current folder."""
    monkeypatch.chdir(tmp_path)
    contents = {
        "d1.pyr": PYRAMID,
        "peer7.pan": of_peer(PYRAMID, WEIGHTS, {"1": 1, "3": 1, "5": 1}, 2),
        "peer8.pan": of_peer(PYRAMID, WEIGHTS, {}, 0),
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, "utf-8")
    return tmp_path


def test_peers_and_models_are_printed_as_a_table(files, capsys):
    assert main(["pyramid", "d1.pyr", "peer7.pan", "peer8.pan", "--models"]) == 0
    printed = capsys.readouterr()
    lines = [line.split() for line in printed.out.splitlines()]
    assert lines[0][:4] == ["SCUs", "unique", "unmatched", "D"]
    ducview = ["5", "3", "2", "8", "0.5714", "0.7273", "0.6400"]
    assert lines[1] == ["peer7", *ducview, "0.7273", lines[1][-1]]
    assert lines[2] == ["peer8", "0", "0", "0", "0", "-", "-", "-", "0.0000", "0.0000"]
    assert [line[:2] for line in lines[3:7]] == [["model", name] for name in "ABCD"]
    assert printed.out.splitlines()[-1] == "peer8: No SCUs were annotated"
    assert max(map(len, printed.out.splitlines())) <= 100 and printed.err == ""


def test_the_command_rounds_as_the_function_does_unless_told(files, capsys):
    # 2 of 3 models have a second SCU: 5 by 3 is 1 rounded down and 2 rounded up.
    weights = {"1": 3, "2": 2}
    pyramid = of_weights(weights, 3)
    (files / "d2.pyr").write_text(pyramid, "utf-8")
    (files / "one.pan").write_text(of_peer(pyramid, weights, {"1": 1}, 0), "utf-8")
    models = [["1", "2"], ["1", "2"], ["1"]]
    found = {}
    for rounding in ("", "floor", "ceil"):
        option = ["--rounding", rounding] if rounding else []
        assert main(["pyramid", "d2.pyr", "one.pan", "--json", *option]) == 0
        (peer,) = json.loads(capsys.readouterr().out)["peers"]
        found[rounding] = peer["modified"], peer["jackknife"]
    assert found[""] == found["floor"] == (1.0, jackknife(models, ["1"]).peer_mean)
    assert found["ceil"] == (3 / 5, jackknife(models, ["1"], rounding="ceil").peer_mean)
    assert modified_score(models, ["1"]).value == 1.0


@pytest.mark.parametrize("rounding", ["floor", "ceil"])
def test_json_has_the_numbers_of_the_functions(files, capsys, rounding):
    arguments = ["pyramid", "d1.pyr", "peer7.pan", "--json", "--models", "--rounding", rounding]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    (peer,) = found["peers"]
    models = [[uid for uid, weight in WEIGHTS.items() if weight > m] for m in range(4)]
    score = modified_score(models, ["1", "3", "5"], rounding=rounding)
    left_out = jackknife(models, ["1", "3", "5"], rounding=rounding)
    assert peer["modified"] == approx(score.value)
    assert peer["jackknife"] == approx(left_out.peer_mean)
    assert [each["jackknife"] for each in found["models"]] == approx(left_out.human)
    assert peer["comprehensive"] == approx(0.64) and peer["path"] == "peer7.pan"
    assert found["pyramid"] == {"path": "d1.pyr", "models": [*"ABCD"], "scus": 6, "repairs": []}


def test_a_peer_without_scus_has_null_scores_and_the_message(files, capsys):
    assert main(["pyramid", "d1.pyr", "peer8.pan", "--json"]) == 0
    (peer,) = json.loads(capsys.readouterr().out)["peers"]
    assert peer["quality"] is peer["coverage"] is peer["comprehensive"] is None
    assert peer["message"] == "No SCUs were annotated"


def test_what_was_mended_is_told(files, capsys):
    content = head("A") + "the cat\n" + head("B") + "the cat\n"
    places = [contributor(part("the cat", place)) for place in (12, 35)]
    old = pyramid_of(content, scu(1, *places))
    (files / "old.pyr").write_text(old)
    renamed = old.replace("what it says", "what it said")
    peer = peer_scu(1, contributor(part("cat", 0)), label="(2) what it said")
    (files / "new.pan").write_text(annotation(renamed, "cat\n", peer))
    assert main(["pyramid", "old.pyr", "new.pan"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("summeval: old.pyr: line ") and "taken as" in told[0]
    assert told[0].endswith("(2 such; --json)")
    assert main(["pyramid", "old.pyr", "new.pan", "--json"]) == 0
    printed = capsys.readouterr()
    (found,) = json.loads(printed.out)["peers"]
    assert "'what it said' of weight 2 when it was annotated" in found["repairs"][-1]
    assert printed.err == ""


def test_one_model_has_no_jackknife(files, capsys):
    single = of_weights({"1": 1}, 1)
    (files / "one.pyr").write_text(single)
    (files / "one.pan").write_text(of_peer(single, {"1": 1}, {"1": 1}, 0))
    assert main(["pyramid", "one.pyr", "one.pan"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[-2:] == ["1.0000", "-"]
    assert main(["pyramid", "one.pyr", "one.pan", "--models"]) == 2
    expected = "summeval: --models: one.pyr has 1 model; leaving one out needs 2 or more"
    assert capsys.readouterr().err.startswith(expected)


def test_where_models_begin_can_be_told(files, capsys):
    bare = of_weights(WEIGHTS, 4).replace("startDocumentRegEx", "other")
    (files / "bare.pyr").write_text(bare)
    (files / "bare.pan").write_text(of_peer(bare, WEIGHTS, {"1": 1, "3": 1, "5": 1}, 2))
    assert main(["pyramid", "bare.pyr", "bare.pan"]) == 1
    assert "bare.pyr: no startDocumentRegEx, so the start of each" in capsys.readouterr().err
    pattern = r"-+\nD1\.M\.[A-Z]\n-+"
    assert main(["pyramid", "bare.pyr", "bare.pan", f"--start-document={pattern}"]) == 0
    assert "0.6400" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.pyr", "peer7.pan"], "none.pyr: no such file or directory; check the name"),
        (["d1.pyr", "."], ".: is a directory; pass a file"),
        (["peer7.pan", "peer7.pan"], "peer7.pan: line 1: this is the annotation of a peer; read"),
        (["d1.pyr", "d1.pyr"], "d1.pyr: line 1: this is a pyramid; read it with read_pyr"),
        (
            ["d1.pyr", "other.pan"],
            "other.pan: SCU 9 is not in the pyramid; score it with",
        ),
        (["d1.pyr", "bad.pan"], "bad.pan: line 2: not XML: mismatched tag; correct it there"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_one_line(files, capsys, arguments, message):
    other = of_weights({"9": 1}, 1)
    (files / "other.pan").write_text(of_peer(other, {"9": 1}, {"9": 1}, 0))
    (files / "bad.pan").write_text("<peerAnnotation>\n</pyramid>")
    assert main(["pyramid", *arguments]) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert printed.err.startswith(f"summeval: {message}")


def test_a_pattern_that_is_none_is_bad_usage(files, capsys):
    assert main(["pyramid", "d1.pyr", "peer7.pan", "--start-document", "("]) == 2
    message = (
        "summeval: --start-document is not a valid regular expression (missing ), unterminated"
    )
    assert capsys.readouterr().err.startswith(message)
