"""`summeval bench gaming`: tables, files, and what it refuses."""

from __future__ import annotations

import json

from summeval.cli.main import main

QUICK = ["-m", "rouge1", "--bootstrap", "10", "--limit", "1"]


def test_the_bundled_summaries_are_used_without_a_file(capsys, tmp_path):
    folder = tmp_path / "out"
    assert main(["bench", "gaming", *QUICK, "-o", str(folder)]) == 0
    printed = capsys.readouterr().out
    header = next(line for line in printed.splitlines() if line.startswith("attack"))
    assert header.split() == ["attack", "rouge1", "content", "faithful", "overall"]
    study = json.loads((folder / "study.json").read_text())
    shares = {(row["scorer"], row["attack"]): row["share"] for row in study["pairs"]}
    assert shares["rouge1", "shuffle"] == 0
    assert shares["content", "shuffle"] == shares["overall", "shuffle"] == 1
    assert {row["scorer"]: row["sees"] for row in study["pairs"]} == {
        "rouge1": "references",
        "content": "references",
        "faithful": "source",
        "overall": "references+source",
    }
    assert (folder / "gaming.svg").read_text().startswith("<svg")
    assert {path.name for path in folder.iterdir()} >= {"shares.csv", "pairs.csv", "pairs.tex"}


def test_what_no_row_has_is_left_out(capsys, tmp_path):
    path = tmp_path / "rows.jsonl"
    row = {
        "topic": "a",
        "system": "s",
        "candidate": "the cat sat on a mat",
        "references": ["a cat"],
    }
    path.write_text(json.dumps(row) + "\n")
    assert main(["bench", "gaming", str(path), *QUICK, "--presets", "content", "faithful"]) == 0
    found = capsys.readouterr()
    assert "faithful is left out, for no row has its source" in found.err
    assert "content" in found.out and "faithful" not in found.out.splitlines()[4]
    path.write_text(json.dumps({**row, "references": None}) + "\n")
    assert main(["bench", "gaming", str(path), *QUICK, "--presets", "content"]) == 1
    assert capsys.readouterr().err.endswith("add references or a source\n")


def test_bad_usage_is_told(capsys, tmp_path):
    for arguments, message in (
        (["--presets", "contents"], "preset is 'contents'; choose from"),
        (["-m", "rogue1"], "unknown metric 'rogue1'"),
        (["--limit", "0"], "--limit is 0; give at least 1"),
        (["--push", "0"], "--push is 0; give at least 1"),
        (["--climb", "0"], "--climb is 0; give at least 1"),
        (["--climb", "--push"], "--push and --climb cannot be combined; give one of them"),
    ):
        assert main(["bench", "gaming", *arguments]) == 2
        assert message in capsys.readouterr().err
    path = tmp_path / "rows.jsonl"
    path.write_text('{"topic": "a", "system": "s", "candidate": "short", "references": ["a"]}\n')
    assert main(["bench", "gaming", str(path)]) == 1
    assert "holds no summary of five words" in capsys.readouterr().err


def test_a_search_shows_what_it_found(capsys):
    arguments = ["--presets", "content", "-m", "rouge1", "--limit", "1", "--push", "2"]
    assert main(["bench", "gaming", *arguments]) == 0
    printed = capsys.readouterr().out
    assert "rounds 2, best of 256" in printed
    assert "\nrouge1: " in printed and "\ncontent: " in printed


def test_searches_from_broken_texts_show_the_worst(capsys):
    arguments = ["--presets", "overall", "-m", "rouge1", "--limit", "1", "--climb", "10"]
    assert main(["bench", "gaming", *arguments]) == 0
    printed = capsys.readouterr().out
    header = next(line for line in printed.splitlines() if line.startswith("scorer"))
    assert header.split("  ")[-1].strip() == "median of honest"
    assert "0 steps" in header and "1 steps" in header and "10 steps" in header
    for start in ("words", "mosaics", "clauses"):
        assert f"\nrouge1 from {start}, " in printed and f"\noverall from {start}, " in printed
