"""Refused rows, rows without scores, files without rows, and lines that are not rows."""

import csv
import io
import json
from pathlib import Path

import pytest
from row_files import write

import summeval
from summeval.cli.main import main

FORMS = ["jsonl", "csv", "parquet", "arrow"]
LONG = " ".join(f"w{number}" for number in range(66_000))
TOO_LONG = (
    "two sentences are too long for rougeLsum, which takes lines of up to 65,000 tokens (2^32 for"
    " the tokens of one by those of the other); put sentences on lines, or set max_words"
)


def read(path: Path) -> list[dict]:
    """The rows of a file, with numbers or None under the names of scores."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".csv":
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return [
            {k: (float(v) if v else None) if "." in k else v for k, v in row.items()}
            for row in rows
        ]
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    return pa.ipc.open_file(str(path)).read_all().to_pylist()


@pytest.fixture(scope="module")
def long_rows() -> list[dict]:
    texts = ["a b", LONG, "a c", LONG, "a d"]
    return [{"id": f"r{n}", "candidate": text, "references": text} for n, text in enumerate(texts)]


@pytest.mark.parametrize("source", FORMS)
@pytest.mark.parametrize("target", FORMS)
def test_a_row_that_a_kernel_refuses_stays_without_scores(
    long_rows, tmp_path, capsys, source, target
):
    if {source, target} & {"parquet", "arrow"}:
        pytest.importorskip("pyarrow")
    path, out = write(tmp_path / f"rows.{source}", long_rows), tmp_path / f"out.{target}"
    command = ["score", str(path), "-m", "rougeLsum,rouge1", "-o", str(out)]
    assert main([*command, "--on-error", "skip", "--means"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("5 rows, 3 scored, 2 null")
    first, second, count = (line for line in printed.err.splitlines() if "newline" not in line)
    label = (
        "" if source in ("parquet", "arrow") and target in ("parquet", "arrow") else ' (id "{}")'
    )
    assert first == f"summeval: {path}: row 2{label.format('r1')}: {TOO_LONG}"
    assert second == f"summeval: {path}: row 4{label.format('r3')}: {TOO_LONG}"
    assert count == "summeval: 2 of 5 rows got null scores"
    found = read(out)
    assert [row["id"] for row in found] == ["r0", "r1", "r2", "r3", "r4"]
    assert [row["rougeLsum.fmeasure"] for row in found] == [1.0, None, 1.0, None, 1.0]
    assert [row["rouge1.recall"] for row in found] == [1.0] * 5  # which refuses nothing
    if target in ("jsonl", "csv"):
        assert TOO_LONG in found[1]["error"] and not found[0].get("error")
    out.unlink()
    for more in ([], ["--on-error", "raise"]):
        assert main([*command, *more]) == 1
        line = capsys.readouterr().err.splitlines()[-1]
        assert line == f"summeval: {path}: row 2{label.format('r1')}: {TOO_LONG}"
        assert not out.exists()


@pytest.mark.parametrize("old", ["fail", "ignore"])
def test_the_old_word_for_raise_is_gone(tmp_path, capsys, old):
    assert main(["score", "rows.jsonl", "--on-error", old]) == 2
    assert "choose from 'raise', 'skip'" in capsys.readouterr().err.replace(
        "raise, skip", "'raise', 'skip'"
    )


def test_what_is_no_fault_of_a_row_ends_the_run(tmp_path, monkeypatch, capsys):
    path = write(tmp_path / "rows.jsonl", [{"candidate": "1", "references": "1"}] * 3)

    def score_batch(*arguments, **options):
        raise ValueError("nothing works; mend it")

    monkeypatch.setattr(summeval.Suite, "score_batch", score_batch)
    assert main(["score", str(path), "-m", "rouge1", "--on-error", "skip"]) == 1
    assert capsys.readouterr().err == f"summeval: {path}: nothing works; mend it\n"


def test_messages_are_few_and_short_and_the_count_says_so(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"candidate": 3, "references": []}\n' * 40)
    assert main(["score", str(path), "-m", "rouge1", "--on-error", "skip"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[1] for line in lines[:5]] == [f"{path}:{n}" for n in range(1, 6)]
    assert lines[5:] == [
        "summeval: 40 of 40 rows got null scores, 35 of them not shown",
    ]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("metric", ["rouge1", "simetrix", "rouge1,simetrix"])
def test_the_summary_counts_the_rows_that_lack_what_is_read(tmp_path, capsys, form, metric):
    if form in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    rows = [
        {"candidate": "cat dog", "references": "cat", "source": None},
        {"candidate": "cat dog", "references": None, "source": "cat dog"},
        {"candidate": "cat dog", "references": "cat", "source": "cat dog"},
        {"candidate": "cat dog", "references": None, "source": None},
        {
            "candidate": None if form != "csv" else "x",
            "references": "cat",
            "source": "cat dog",
        },
    ]
    scored = {"rouge1": 2, "simetrix": 2, "rouge1,simetrix": 1}[metric] + (form == "csv")
    path = write(tmp_path / f"rows.{form}", rows)
    assert (
        main(
            [
                "score",
                str(path),
                "-m",
                metric,
                "-o",
                "/dev/null",
                "--means",
                "--output-format",
                "jsonl",
            ]
        )
        == 0
    )
    assert capsys.readouterr().out.startswith(f"5 rows, {scored} scored, {5 - scored} null\n")


@pytest.mark.parametrize("source", FORMS)
@pytest.mark.parametrize("target", FORMS)
def test_a_file_without_rows_gives_a_file_without_rows(tmp_path, capsys, source, target):
    if {source, target} & {"parquet", "arrow"}:
        pa = pytest.importorskip("pyarrow")
    path, out = tmp_path / f"rows.{source}", tmp_path / f"out.{target}"
    if source == "jsonl":
        path.write_text("\n  \n")
    elif source == "csv":
        path.write_text("id,candidate,reference_1,note\n")
    else:
        kinds = {"id": pa.int64(), "candidate": pa.string(), "references": pa.string()}
        table = pa.schema(kinds).empty_table()
        if source == "parquet":
            import pyarrow.parquet as pq

            pq.write_table(table, path)
        else:
            with pa.ipc.new_file(str(path), table.schema) as writer:
                writer.write_table(table)
    for more in ([], ["--resume"], ["--resume"]):
        assert main(["score", str(path), "-m", "rouge1", "-o", str(out), *more]) == 1
        said = capsys.readouterr().err.splitlines()[-1]
        assert said == f"summeval: {path}: holds no rows; write one row on each line"
    assert read(out) == []
    carried = {"jsonl": [], "csv": ["id", "note"]}.get(source, ["id"])
    scores = ["rouge1.precision", "rouge1.recall", "rouge1.fmeasure"]
    if target == "csv":
        assert out.read_text() == ",".join([*carried, *scores]) + "\n"
    elif target == "parquet":
        import pyarrow.parquet as pq

        assert pq.read_schema(out).names == [*carried, *scores]


LINES = {
    "deep nesting": ('{"candidate": ' + "[" * 100_000, "JSON nested too deeply; flatten it"),
    "deep values": ('{"candidate": "a", "references": "a", "x": ' + "[" * 500 + "]" * 500 + "}",
                    "JSON nested too deeply; flatten it"),
    "huge number": ('{"candidate": "a", "references": "a", "x": ' + "1" * 5000 + "}",
                    "JSON that cannot be read"),
    "unpaired surrogate": (
        '{"candidate": "\\ud800", "references": "a"}', "is an unpaired surrogate"),
    "unpaired surrogate in a key": ('{"candidate": "a", "references": "a", "\\udc00": 1}',
                                "is an unpaired surrogate"),
    "NUL": ('{"candidate": "a\0", "references": "a"}', "malformed JSON at column"),
    "NULs": ("\0" * 100, "malformed JSON at column 1"),
    "second mark": ("\ufeff{}", "malformed JSON at column 1"),
    "bare carriage returns": ('{"candidate": "a", "references": "a"}\r{"candidate": "a"}',
                              "malformed JSON at column 39 (Extra data)"),
    "two objects": ("{} {}", "malformed JSON"),
    "cut off": ('{"candidate": "a", "refer', "malformed JSON"),
    "number": ("1e999", "the line holds a number, not an object"),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_a_line_that_is_no_row_is_one_line(tmp_path, capsys, name):
    text, problem = LINES[name]
    path = tmp_path / "rows.jsonl"
    good = '{"candidate": "a", "references": ["a"]}\n'
    path.write_text(good + text + "\n" + good, encoding="utf-8")
    assert main(["score", str(path), "-m", "rouge1"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"summeval: {path}:2: ") and problem in line and "; " in line
    assert len(line) < 400
    out = tmp_path / "out.jsonl"
    assert main(["score", str(path), "-m", "rouge1", "--on-error", "skip", "-o", str(out)]) == 0
    assert [row["rouge1.recall"] for row in read(out)] == [1.0, None, 1.0]


RIGHT = {
    "a mark at the start": "\ufeff" + '{"candidate": "a", "references": "a"}\n',
    "carriage returns before line feeds": '{"candidate": "a", "references": "a"}\r\n' * 2,
    "numbers that JSON has no word for": '{"candidate": "a", "references": "a", "x": NaN}\n'
    '{"candidate": "a", "references": "a", "x": [-Infinity, 1e999]}\n',
    "no last line feed": '{"candidate": "a", "references": "a"}',
}


@pytest.mark.parametrize("name", RIGHT)
def test_lines_that_other_programs_write_are_read(tmp_path, name):
    path, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(RIGHT[name].encode())
    assert main(["score", str(path), "-m", "rouge1", "-o", str(out)]) == 0
    found = read(out)
    assert found and all(row["rouge1.recall"] == 1.0 for row in found)
    assert all(row.get("x") in (None, [None, None]) for row in found)


TABLES = {
    "unclosed quote": ('candidate,references\n"a,b\nc,d\n', "rows.csv:2: malformed CSV"),
    "text behind a quote": ('candidate,references\n"a"b,c\n', "rows.csv:2: malformed CSV"),
    "too few cells": ("candidate,references\na\n", "rows.csv:2: 1 cells, but the header row has"),
    "too many cells": (
        "candidate,references\na,b,c\n",
        "rows.csv:2: 3 cells, but the header row has",
    ),
    "bare carriage returns": ("candidate,references\na,b\rc,d\n", "rows.csv:2: a carriage return"),
    "unclosed quote in the names": ('"candidate,references\na,b\n', "rows.csv:1: malformed CSV"),
    "one column twice": ("candidate,candidate,references\na,b,c\n", "duplicate column"),
    "no names": ("", "rows.csv:1: no column names"),
    "a list that is none": ('candidate,references\na,"[1]"\n', "rows.csv:2: the cell 'references'"),
    "a number of a column that is none": (
        f"candidate,reference_{'9' * 5000}\na,b\n",
        "rows.csv:1: no 'references'",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_that_is_none_is_one_line(tmp_path, monkeypatch, capsys, name):
    text, problem = TABLES[name]
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_bytes(text.encode())
    assert main(["score", "rows.csv", "-m", "rouge1"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert problem in line and "; " in line


def test_nul_in_a_table_is_text(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    path.write_bytes(b"candidate,references\na\0b,a\0b\n")
    assert main(["score", str(path), "-m", "rouge1", "--output-format", "jsonl"]) == 0
    assert json.load(io.StringIO(capsys.readouterr().out))["rouge1.recall"] == 1.0
