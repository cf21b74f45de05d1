"""One line for each warning; messages name the file, the row and what to do."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest

from summeval.cli.main import main

GOOD = {"candidate": "a cat", "references": ["the cat"]}
BAD = {"id": "b", "candidate": 3, "references": ["a"]}


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize("at", [0, 4000])
@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_an_error_column_of_the_input_is_never_overwritten(tmp_path, capsys, form, at):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    rows = [{**GOOD, "id": n, "n": "x" * 200} for n in range(at + 2)]
    rows[at]["error"] = "mine"
    path, out = write(tmp_path / "m.jsonl", *rows), tmp_path / f"out.{form}"
    command = ["score", path, "-m", "rouge1", "-o", str(out), "--no-progress"]
    assert main([*command, "--on-error", "skip"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f"summeval: {path}: has a column 'error' in row {at} (id {at}), to which --on-error skip"
        " writes messages; rename it, or use --on-error raise"
    )
    assert os.listdir(tmp_path) == ["m.jsonl"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_error_column_of_a_table_is_refused_only_where_it_goes_out(tmp_path, capsys, form):
    path = tmp_path / f"m.{form}"
    if form == "csv":
        path.write_text("candidate,references,error\na cat,the cat,mine\n")
    else:
        pa = pytest.importorskip("pyarrow")
        table = pa.table({"candidate": ["a cat"], "references": ["the cat"], "error": ["mine"]})
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    command = ["score", str(path), "-m", "rouge1", "--no-progress"]
    for kind in ("jsonl", "csv"):
        assert main([*command, "--on-error", "skip", "--output-format", kind]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"summeval: {path}: has a column 'error', to which --on-error skip")
    assert main([*command, "--output-format", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["error"] == "mine"


def test_a_skipped_row_is_named_as_one_that_ends_the_run(tmp_path, capsys):
    path = write(tmp_path / "m.jsonl", GOOD, BAD)
    said = []
    for on_error in ("raise", "skip"):
        main(["score", path, "-m", "rouge1", "--on-error", on_error])
        said.append(capsys.readouterr().err.splitlines()[0].partition(" (use --on-error")[0])
    assert said[0] == said[1]
    assert said[0].startswith(f'summeval: {path}:2 (id "b"): ')


@pytest.mark.parametrize("kind", ["dangling", "file", "open"])
def test_a_cache_that_cannot_be_used_is_one_line(tmp_path, kind):
    folder = tmp_path / "cache"
    if kind == "dangling":
        folder.symlink_to(tmp_path / "nowhere")
    elif kind == "file":
        folder.write_text("")
    else:
        folder.mkdir()
        folder.chmod(0o777)
    code = (
        "import summeval, sys\n"
        "from summeval.annotate import cache, Document\n"
        "from summeval.cli import listing, main\n"
        "def run(arguments):\n"
        "    cache.Cache().store([Document(text='a', provider='p')])\n"
        "    return 0\n"
        "listing.run = run\n"
        "sys.exit(main.main(['metrics']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "SUMMEVAL_CACHE": str(folder)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    words = {
        "dangling": f"is a link to {tmp_path / 'nowhere'}, which does not exist (create it",
        "file": "is not a folder (move it away",
        "open": "can be written by other users (run chmod 700 on it)",
    }
    assert line.startswith(f"summeval: warning: {folder}: {words[kind]}")


def test_two_options_that_disagree_are_refused(tmp_path, capsys):
    path = write(tmp_path / "m.jsonl", GOOD)
    command = ["score", path, "-m", "rouge1", "--tokenizer", "unicode"]
    assert main([*command, "--option", "rouge.tokenizer=rouge155"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    said = "--tokenizer and --option rouge.tokenizer do not agree; leave one out"
    assert said in line
    assert main([*command, "--option", "rouge1.tokenizer=unicode"]) == 0


def test_messages_name_the_output_as_the_user_did(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "m.jsonl", GOOD)
    (tmp_path / "real.jsonl").touch()
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    for out in ("out.jsonl", "link.jsonl"):
        command = ["score", "m.jsonl", "-o", out, "--no-progress"]
        assert main([*command, "-m", "rouge1"]) == 0
        assert main([*command, "-m", "rouge1", "--resume"]) == 0
        assert main([*command, "-m", "rouge2", "--resume"]) == 1
        (tmp_path / out).write_text("changed")
        assert main([*command, "-m", "rouge1", "--resume"]) == 1
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == 3
        assert all(line.startswith(f"summeval: {out}: ") for line in lines)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@pytest.mark.parametrize("metric", ["rouge1", "simetrix"])
def test_the_summary_says_that_empty_texts_score_the_floor(tmp_path, capsys, form, metric):
    rows = [{**GOOD, "candidate": text, "source": "a cat"} for text in ("", "a cat", None, "")]
    path = write(tmp_path / "m.jsonl", *rows)
    if form == "parquet":
        pa = pytest.importorskip("pyarrow")
        path = str(tmp_path / "m.parquet")
        pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist(rows), path)
    out = str(tmp_path / "out.jsonl")
    assert main(["score", path, "-m", metric, "--means", "-o", out, "--no-progress"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4 rows, 3 scored, 1 null"
    (line,) = (line for line in lines if line.startswith("empty candidates: "))
    assert line.startswith("empty candidates: 2; an empty text gets the lowest score of each field")
    assert line.endswith("or use unsmoothedJSD") == (metric == "simetrix")
