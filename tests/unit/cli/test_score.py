"""`summeval score`: what it reads, writes and says."""

import csv
import gzip
import io
import json
import math
import sys
import tracemalloc
from functools import partial
from pathlib import Path

import pytest

import summeval
from summeval.cli.main import main
from summeval.cli.score import command
from summeval.io.formats import read_chunks

ROWS = [
    {"id": "a", "candidate": "a cat sat down", "references": ["the cat sat"], "system": "X"},
    {"id": "b", "candidate": "no", "references": ["yes", "no no"], "n": [1, {"k": 2}]},
    {"id": "c", "candidate": None, "references": ["the cat"], "system": "X"},
    {"id": "d", "candidate": "", "references": [], "source": "long text", "system": "Zürich"},
]
METRICS = ["rouge1", "rougeL"]
BAD_LINE = '{"id": "bad", "candidate": 3, "references": []}'


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    write_rows(path, ROWS)
    return path


def write_rows(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def run(*arguments: object) -> int:
    return main(["score", "-m", ",".join(METRICS), *map(str, arguments)])


def read_lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def expected(rows: list[dict]) -> list[dict]:
    """The rows that the command must write, scored through `summeval.score_batch`."""
    table = summeval.score_batch(
        [row["candidate"] for row in rows], [row["references"] for row in rows], METRICS
    )
    return [
        {key: row[key] for key in row if key not in ("candidate", "references", "source")}
        | {name: None if math.isnan(x := table[name][i].item()) else x for name in table.columns}
        for i, row in enumerate(rows)
    ]


def chunk_by(monkeypatch, size: int) -> None:
    monkeypatch.setattr(command, "read_chunks", partial(read_chunks, chunk_bytes=size))


def test_rows_come_out_in_order_with_the_scores_of_the_library(rows, capsys):
    assert run(rows) == 0
    printed = capsys.readouterr()
    assert read_lines(printed.out) == expected(ROWS)
    assert printed.err == "summeval: 2 of 4 rows got null scores\n"


@pytest.mark.parametrize(("name", "is_small"), [("rouge1", False), ("bewte", True)])
def test_rows_that_take_long_are_read_in_small_blocks(rows, name, is_small, monkeypatch):
    """Of what an interrupted run loses."""
    sizes = []
    read = lambda *given, **how: sizes.append(how.get("chunk_bytes")) or read_chunks(*given, **how)  # noqa: E731
    monkeypatch.setattr(command, "read_chunks", read)
    assert run(rows, "-m", name) == 0
    assert sizes == [command._SLOW_BYTES if is_small else None]


def test_the_default_metrics_are_those_of_the_library(rows, capsys):
    main(["score", str(rows)])
    columns = summeval.score_batch([""], [""]).columns
    assert list(read_lines(capsys.readouterr().out)[0])[2:] == columns


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.csv", "out.csv.gz"])
def test_the_ending_of_the_output_tells_its_format(rows, tmp_path, name):
    rows_alike = [
        {k: v for k, v in row.items() if k not in ("n", "source", "system")} for row in ROWS
    ]
    write_rows(rows, rows_alike)
    assert run(rows, "-o", tmp_path / name) == 0
    data = (tmp_path / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    if "csv" in name:
        read = list(csv.DictReader(io.StringIO(text)))
        text_of = {None: ""}
        assert read == [
            {key: text_of.get(value, str(value)) for key, value in row.items()}
            for row in expected(rows_alike)
        ]
    else:
        assert read_lines(text) == expected(rows_alike)
    names = [name, f"{name}.signatures", "rows.jsonl"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_gzip_and_standard_input_give_the_same_bytes(rows, tmp_path, monkeypatch, capfdbinary):
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(rows.read_bytes()))
    run(rows)
    plain = capfdbinary.readouterr().out
    run(packed)
    assert capfdbinary.readouterr().out == plain
    for data in (rows.read_bytes(), packed.read_bytes()):
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)))
        monkeypatch.setattr(sys, "stdin", stream)
        run("-")
        assert capfdbinary.readouterr().out == plain


def test_csv_in_is_csv_out(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    path.write_text('id,candidate,reference_1,reference_2\n"x,y",a cat,the cat,\n', "utf-8")
    run(path)
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert list(row)[:2] == ["id", "rouge1.precision"]
    assert row["id"] == "x,y" and float(row["rouge1.recall"]) == 0.5
    run(path, "--output-format", "jsonl")
    assert read_lines(capsys.readouterr().out)[0]["rouge1.recall"] == 0.5


@pytest.mark.parametrize("size", [1, 150, 1 << 20])
@pytest.mark.parametrize("workers", [1, 3, -1])
@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_the_bytes_do_not_depend_on_workers_nor_on_the_chunk(
    tmp_path, monkeypatch, size, workers, name
):
    path = tmp_path / "rows.jsonl"
    write_rows(
        path, [{"id": n, "candidate": "a b" * (n % 7), "references": "b"} for n in range(60)]
    )
    run(path, "-o", tmp_path / f"whole-{name}")
    chunk_by(monkeypatch, size)
    run(path, "-o", tmp_path / name, "--workers", workers)
    assert (tmp_path / name).read_bytes() == (tmp_path / f"whole-{name}").read_bytes()


def test_columns_have_the_names_that_are_given(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    write_rows(path, [{"key": 1, "hyp": "a", "gold": "a", "doc": "a b"}])
    names = ["--candidate-column", "hyp", "--references-column", "gold"]
    run(path, *names, "--id-column", "key", "--source-column", "doc")
    (row,) = read_lines(capsys.readouterr().out)
    assert row["rouge1.fmeasure"] == 1.0
    assert next(iter(row)) == "key" and "doc" not in row


def test_keep_text_writes_the_texts_too(rows, capsys):
    run(rows, "--keep-text")
    written = read_lines(capsys.readouterr().out)
    for row, given in zip(written, ROWS, strict=True):
        assert {key: row[key] for key in given} == given


def test_options_reach_the_metrics(rows, capsys):
    option = "rouge.stemmer=porter"
    run(rows, "--option", option, "--option", "rougeL.alpha=1.0", "--means", "-o", "/dev/null")
    printed = capsys.readouterr().out
    for name, alpha in (("rouge1", 0.5), ("rougeL", 1.0)):
        signature = summeval.metric(name, stemmer="porter", alpha=alpha).signature
        assert f"{name}: {signature}" in printed.splitlines()


def test_the_summary_gives_plain_means_rows_and_signatures(rows, tmp_path, capsys):
    run(rows, "-o", tmp_path / "out.jsonl", "--means")
    printed = capsys.readouterr()
    table = summeval.score_batch(
        [row["candidate"] for row in ROWS], [row["references"] for row in ROWS], METRICS
    )
    mean = table.mean()
    lines = printed.out.splitlines()
    assert lines[0] == "4 rows, 2 scored, 2 null"
    assert lines[2].split() == ["mean", "precision", "recall", "fmeasure"]
    fields = ("precision", "recall", "fmeasure")
    assert lines[3].split() == ["rouge1", *(f"{mean[f'rouge1.{key}']:.5f}" for key in fields)]
    assert lines[-1] == f"rougeL: {table.signature['rougeL']}"
    assert printed.err == ""


def test_the_summary_stands_beside_rows_that_go_to_standard_output(rows, capsys):
    run(rows, "--means", "-o", "-")
    printed = capsys.readouterr()
    assert read_lines(printed.out) == expected(ROWS)
    assert printed.err.startswith("4 rows, 2 scored, 2 null")


def test_a_mean_over_nothing_is_nan(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    write_rows(path, [ROWS[2]])
    run(path, "-o", "/dev/null", "--means")
    assert capsys.readouterr().out.splitlines()[3].split() == ["rouge1", "nan", "nan", "nan"]


def test_a_malformed_row_ends_the_run_with_one_line_and_no_output(rows, tmp_path, capsys):
    with open(rows, "a", encoding="utf-8") as file:
        file.write("\n{oops\n")
    assert run(rows, "-o", tmp_path / "out.jsonl") == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith(f"summeval: {rows}:6: malformed JSON at column 2 ")
    assert "--on-error skip" in line
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_skipped_rows_are_null_and_counted(tmp_path, capsys, form):
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{json.dumps(ROWS[0])}\n{BAD_LINE}\n{{oops\n{json.dumps(ROWS[0])}\n", "utf-8")
    out = tmp_path / f"out.{form}"
    assert run(path, "--on-error", "skip", "-o", out, "--means") == 0
    printed = capsys.readouterr()
    first, second, count = printed.err.splitlines()
    assert first.startswith(f"summeval: {path}:2 (id \"bad\"): 'candidate' is a number")
    assert second.startswith(f"summeval: {path}:3: malformed JSON")
    assert count == "summeval: 2 of 4 rows got null scores"
    assert printed.out.startswith("4 rows, 2 scored, 2 null")
    if form == "csv":
        written = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    else:
        written = read_lines(out.read_text(encoding="utf-8"))
    assert [row["id"] or None for row in written] == ["a", "bad", None, "a"]
    assert [row["rouge1.recall"] or None for row in written][1:3] == [None, None]
    assert written[1]["error"].startswith("line 2: 'candidate' is a number")
    assert written[2]["error"].startswith("line 3: malformed JSON")
    assert not written[0].get("error")


@pytest.mark.parametrize("size", [1, 60, 1 << 20])
@pytest.mark.parametrize("at", [0, 1, 40])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_skipped_row_anywhere_leaves_the_columns_of_csv_alone(
    tmp_path, monkeypatch, form, at, size
):
    if form == "csv":
        head, good, bad = ["candidate,references,n"], "a cat,the cat,{}", "a,b"
    else:
        head, good, bad = [], '{{"candidate": "a cat", "references": ["the cat"], "n": {}}}', "{"
    lines = [good.format(n) for n in range(40)]
    lines[at:at] = [bad, bad]
    path = tmp_path / f"rows.{form}"
    path.write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")
    chunk_by(monkeypatch, size)
    assert run(path, "--on-error", "skip", "-o", tmp_path / "out.csv") == 0
    with open(tmp_path / "out.csv", encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert list(written[0])[:3] == ["n", "error", "rouge1.precision"]
    numbers = [str(n) for n in range(40)]
    assert [row["n"] for row in written] == [*numbers[:at], "", "", *numbers[at:]]
    assert [bool(row["error"]) for row in written] == [at <= n < at + 2 for n in range(42)]


def test_scoring_scores_again_replaces_them(rows, tmp_path, capsys):
    run(rows, "--keep-text", "-o", tmp_path / "first.jsonl")
    run(tmp_path / "first.jsonl", "--keep-text", "-o", tmp_path / "second.jsonl")
    assert (tmp_path / "first.jsonl").read_bytes() == (tmp_path / "second.jsonl").read_bytes()


USAGE = {
    "unknown metric 'roug1'; did you mean rouge1": ["-m", "roug1"],
    "did you mean stemmer": ["--option", "rouge.stemer=porter"],
    "stemmer is 'Porter'": ["--option", "rouge.stemmer=Porter"],
    "tesla.x concerns none of the metrics rouge1, rougeL": ["--option", "tesla.x=1"],
    "'stemmer=porter' is not of the form METRIC.KEY=VALUE": ["--option", "stemmer=porter"],
    "rouge.stopwords is 'the'; write @FILE": ["--option", "rouge.stopwords=the"],
    "rouge.stopwords is '@'; write @FILE": ["--option", "rouge.stopwords=@"],
    "two metrics are called 'x'": ["--option", "rouge.label=x"],
    "--workers takes a number from 1 to 1024, or -1": ["--workers", "0"],
    "--workers takes a number from 1 to 1024": ["--workers", "1025"],
    "--workers takes a number from 1 to": ["--workers", "536870912"],
    "invalid int value: 'two'": ["--workers", "two"],
    "invalid choice: 'ignore'": ["--on-error", "ignore"],
    "unrecognized arguments: --summery": ["--summery"],
    "OUT is INPUT": ["-o", "rows.jsonl"],
    "-o out.txt: unknown extension; end it in .jsonl, .csv, .tsv": ["-o", "out.txt"],
    "--resume needs files, not pipes": ["--resume"],
    "need different columns": ["--id-column", "candidate"],
}


@pytest.mark.parametrize("message", USAGE)
def test_bad_usage_is_one_line_and_status_2(rows, monkeypatch, capsys, message):
    monkeypatch.chdir(rows.parent)
    assert run("rows.jsonl", *USAGE[message]) == 2
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line.startswith("summeval: ") and message in line
    assert printed.out == ""
    assert [path.name for path in rows.parent.iterdir()] == ["rows.jsonl"]


def test_formats_that_are_not_known_are_refused(tmp_path, capsys):
    for name, message in {"rows.txt": "pass --format jsonl", "rows": "pass --format jsonl"}.items():
        (tmp_path / name).write_text("")
        assert run(tmp_path / name) == 2
        assert message in capsys.readouterr().err
    assert main([]) == 2
    assert main(["scor"]) == 2


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_rows_is_an_error_of_one_line(tmp_path, capsys, text):
    path = tmp_path / "rows.jsonl"
    path.write_text(text)
    for more in (["-o", tmp_path / "out.jsonl", "--means"], ["-o", tmp_path / "out.csv"], []):
        assert run(path, *more) == 1
        said = f"summeval: {path}: holds no rows; write one row on each line\n"
        assert capsys.readouterr() == ("", said)
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    columns = summeval.score_batch([], [], METRICS).columns
    assert (tmp_path / "out.csv").read_text() == ",".join(columns) + "\n"


def test_files_that_cannot_be_read_or_written_are_bad_data(rows, tmp_path, capsys):
    assert run(tmp_path / "nowhere.jsonl") == 1
    assert "nowhere.jsonl: no such file" in capsys.readouterr().err
    assert run(tmp_path, "--format", "jsonl") == 1
    assert "is a directory" in capsys.readouterr().err
    assert run(rows, "-o", tmp_path / "nowhere" / "out.jsonl") == 1
    assert "nowhere does not exist; create it" in capsys.readouterr().err


def test_debug_shows_the_traceback(tmp_path, capsys):
    assert run(tmp_path / "nowhere.jsonl", "--debug") == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_failure_nobody_foresaw_is_one_line(rows, monkeypatch, capsys):
    def fail(*_, **__):
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(summeval.Suite, "score_batch", fail)
    assert run(rows, "-o", rows.parent / "out.jsonl") == 1
    assert capsys.readouterr().err == (
        "summeval: ZeroDivisionError: two lines; use --debug to see where\n"
    )
    assert [path.name for path in rows.parent.iterdir()] == ["rows.jsonl"]


def test_memory_is_bounded_by_the_chunk(tmp_path, monkeypatch):
    """Ten times the rows take little more memory than they did: not a tenth of what they add."""
    chunk_by(monkeypatch, 1 << 14)
    line = json.dumps(ROWS[0] | {"id": "x" * 500}) + "\n"
    peaks = []
    for count in (300, 3000):
        path = tmp_path / f"{count}.jsonl"
        path.write_text(line * count)
        run(path, "-o", tmp_path / "warm.jsonl")
        tracemalloc.start()
        run(path, "-o", tmp_path / "out.jsonl")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 0.1 * 2700 * len(line)
