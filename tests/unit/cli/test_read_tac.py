"""`summeval read tac`: a folder in, rows out, which `study aesop` reads."""

from __future__ import annotations

import json

import pytest

from summeval.cli.main import main

TEXTS = ("rain fell on the coast", "rain hit the town", "dogs bark", "the coast saw rain")


def folder(root):
    """Two topics, three systems and three people; the judges like what people wrote."""
    peer, model = [], []
    for place, topic in enumerate(("D0901-A", "D0902-A")):
        for number, name in enumerate(("1", "2", "3", "E", "F", "G")):
            kind = "models" if name.isalpha() else "peers"
            path = root / "ROUGE" / kind / f"{topic}.M.100.A.{name}"
            path.parent.mkdir(parents=True, exist_ok=True)
            words = (TEXTS[(number + place) % 4], TEXTS[number % 3], name * place)
            path.write_text(" ".join(words) + "\n")
            if name.isalpha():
                model.append(f"{topic} {name} 5 9 9 0.{number}{place} 8 9")
            else:
                peer.append(f"{topic} {name} 0.5 3 0 9 9 0.{number}{place} 4 {number}")
    (root / "manual").mkdir()
    (root / "manual" / "manual.peer.A").write_text("\n".join(peer) + "\n")
    (root / "manual" / "manual.model.A").write_text("\n".join(model) + "\n")
    return str(root)


def test_rows_that_the_study_reads(tmp_path, capsys):
    out = str(tmp_path / "rows.jsonl")
    assert main(["read", "tac", folder(tmp_path / "tac"), "-o", out]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")
    with open(out, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == 12
    assert [len(row["references"]) for row in rows[:6]] == [3, 3, 3, 2, 2, 2]
    options = ["--human", "modified_pyramid_jk,responsiveness", "--task", "task", "-m", "rouge1"]
    assert main(["study", "aesop", out, *options, "--format", "json"]) == 0
    study = json.loads(capsys.readouterr().out)
    assert study["settings"]["people"] == 3
    sets = [(row["human"], row["set"], row["task"]) for row in study["correlations"]]
    assert sets[0] == ("modified_pyramid_jk", "AllPeers", "A")
    assert len(sets) == 4


def test_notes_go_to_standard_error_and_rows_to_standard_output(tmp_path, capsys):
    root = tmp_path / "tac"
    folder(root)
    (root / "ROUGE" / "peers" / "D0902-A.M.100.A.3").unlink()
    assert main(["read", "tac", str(root)]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 11
    assert "task A: unbalanced: 1 of 6 cells have no row" in printed.err
    assert "manual.peer.A:6" in printed.err


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["none"], 1, "no such file or directory"),
        (["file.tar.gz"], 2, "is a file; unpack it and pass the folder"),
        (["file"], 2, "is not a folder; pass the folder of the campaign"),
        (["empty"], 1, "no file is named TOPIC.M.100.X.N"),
        (["tac", "-o", "rows.csv"], 2, "end it in .jsonl"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path, capsys, arguments, status, message):
    name, *options = arguments
    folder(tmp_path / "tac")
    for file in ("file", "file.tar.gz"):
        (tmp_path / file).write_text("x")
    (tmp_path / "empty").mkdir()
    assert main(["read", "tac", str(tmp_path / name), *options]) == status
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
