"""Which columns of a file are read: named columns, and columns with the names of data sets."""

import io
import json
import sys
from pathlib import Path

import pytest
from row_files import write

from summeval.cli.main import main
from summeval.interop.arrow import score_record_batch
from summeval.io.rows import Columns

FORMS = ["jsonl", "csv", "parquet", "arrow"]
PAIR = ("the cat sat", "the cat sat down")


def score(path: Path, *arguments: object, metrics: str = "rouge1") -> tuple[int, list[dict]]:
    """Exit status and the rows that were written."""
    out = path.with_name("out.jsonl")
    status = main(["score", str(path), "-m", metrics, "-o", str(out), *map(str, arguments)])
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    return status, [json.loads(line) for line in lines]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "named", [["--references-column", "b,a"], ["--references-column=b", "--references-column", "a"]]
)
def test_several_columns_of_references_are_all_used(tmp_path, capsys, form, named):
    rows = [
        {"id": 1, "candidate": "x y", "a": "x y", "b": ["q", "r"]},
        {"id": 2, "candidate": "x y", "a": "q", "b": ["x y"]},
        {"id": 3, "candidate": "x y", "a": None, "b": ["x y"]},
        {"id": 4, "candidate": "x y", "a": "x y", "b": None},
        {"id": 5, "candidate": "x y", "a": None, "b": None},
    ]
    status, found = score(write(tmp_path / f"rows.{form}", rows), *named)
    assert status == 0
    assert [row["rouge1.fmeasure"] for row in found] == [1.0, 1.0, 1.0, 1.0, None]
    assert set(found[0]) == {"id", "rouge1.precision", "rouge1.recall", "rouge1.fmeasure"}
    assert capsys.readouterr().err == "summeval: 1 of 5 rows got null scores\n"


@pytest.mark.parametrize("form", FORMS)
def test_the_order_of_the_columns_is_that_of_the_references(tmp_path, form):
    """`average` with ties tells no order, but the explanation of BEwT-E would; NPowER sums."""
    rows = [{"candidate": "x y z", "a": "x y", "b": "x", "c": ["y z", "z"]}] * 2
    joined = [{"candidate": "x y z", "references": ["y z", "z", "x", "x y"]}] * 2
    options = ["--option", "npower.min_n=1", "--option", "npower.max_n=2"]
    path = write(tmp_path / f"rows.{form}", rows)
    _, found = score(path, "--references-column", "c,b,a", *options, metrics="npower,rouge1")
    _, wanted = score(write(tmp_path / "joined.jsonl", joined), *options, metrics="npower,rouge1")
    assert found == wanted


def test_a_row_of_json_may_lack_some_of_several_columns(tmp_path, capsys):
    rows = [
        {"candidate": "x", "b": "x"},
        {"candidate": "x", "a": "x", "b": "q"},
        {"candidate": "x", "c": "x"},
    ]
    path = write(tmp_path / "rows.jsonl", rows)
    named = ["--references-column", "a,b"]
    status, _ = score(path, *named)
    assert (status, "rows.jsonl:3: no 'a' (there is 'candidate', 'c')" in said(capsys)) == (1, True)
    status, found = score(path, *named, "--on-error", "skip")
    assert [row["rouge1.recall"] for row in found] == [1.0, 1.0, None]


@pytest.mark.parametrize("form", FORMS)
def test_a_name_that_no_row_has_is_refused(tmp_path, capsys, form):
    path = write(tmp_path / f"rows.{form}", [{"candidate": "x", "a": "x", "gold": "x"}] * 3)
    status, found = score(path, "--references-column", "a,golt")
    assert (status, found) == (1, [])
    assert "no 'golt' (did you mean 'gold'? there is also 'candidate', 'a')" in said(capsys)


ALIASES = {
    "candidate": ("summary", "prediction", "hypothesis", "response"),
    "references": ("reference", "target", "targets", "highlights"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("what", "name"), [(what, name) for what, names in ALIASES.items() for name in names]
)
def test_usual_names_are_read_and_said_once(tmp_path, capsys, form, what, name):
    row = {"id": 1, "candidate": PAIR[0], "references": PAIR[1], "system": "s"}
    row[name] = row.pop(what)
    status, found = score(write(tmp_path / f"rows.{form}", [row] * 3))
    assert status == 0
    assert [row["rouge1.recall"] for row in found] == [0.75] * 3
    assert name not in found[0]
    plural = {"candidate": "candidates", "references": "references"}[what]
    assert said(capsys).endswith(f"rows.{form}: reading the {plural} from {name!r}")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["document", "article", "input"])
def test_usual_names_of_the_source_are_read(tmp_path, capsys, form, name):
    rows = [{"summary": "the cat sat", name: "the cat sat on the mat all day"}] * 2
    status, found = score(write(tmp_path / f"rows.{form}", rows), metrics="simetrix")
    assert status == 0
    assert found[0]["simetrix.cosineAllWords"] > 0
    assert f"reading the candidates from 'summary' and the sources from {name!r}\n" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"summary": "a", "prediction": "b", "references": "c"},
            "'summary' and 'prediction' could each hold the candidates; name one of them with"
            " --candidate-column",
        ),
        (
            {"candidate": "a", "target": "b", "highlights": "c"},
            "'target' and 'highlights' could each hold the references; name one of them with"
            " --references-column",
        ),
    ],
)
def test_two_columns_that_could_serve_are_not_guessed(tmp_path, capsys, form, more, message):
    path = write(tmp_path / f"rows.{form}", [{"id": 1, **more}])
    for on_error in ("raise", "skip"):
        assert score(path, "--on-error", on_error) == (1, [])
        assert said(capsys).endswith(message)


@pytest.mark.parametrize("form", FORMS)
def test_the_documented_names_win_and_named_columns_are_not_taken_twice(tmp_path, capsys, form):
    row = {"candidate": "x", "summary": "q", "references": "x", "target": "q"}
    _, found = score(write(tmp_path / f"rows.{form}", [row]))
    assert found[0]["rouge1.recall"] == 1.0 and found[0]["summary"] == "q"
    row = {"summary": "x", "target": "x", "reference": "q"}
    path = write(tmp_path / f"rows.{form}", [row])
    _, found = score(path, "--candidate-column", "target", "--references-column", "summary")
    assert found[0]["rouge1.recall"] == 1.0
    _, found = score(path, "--candidate-column", "target")
    assert found[0]["rouge1.recall"] == 0.0
    assert said(capsys).endswith("reading the references from 'reference'")


def test_a_name_that_was_given_has_no_other(tmp_path, capsys):
    path = write(tmp_path / "rows.jsonl", [{"summary": "x", "references": "x"}])
    assert score(path, "--candidate-column", "candidate")[0] == 1
    assert "no 'candidate' (did you mean 'summary'?" in said(capsys)


def test_a_column_that_no_metric_reads_has_no_other_name(tmp_path):
    row = {"candidate": "x", "references": "x", "target": 3, "input": {"k": 1}}
    _, found = score(write(tmp_path / "rows.jsonl", [row]))
    assert (found[0]["target"], found[0]["input"]) == (3, {"k": 1})


def test_the_first_row_with_any_decides(tmp_path, capsys):
    rows = [{"prediction": "x", "references": "x"}, {"summary": "x", "references": "x"}]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n{oops\n" + "".join(json.dumps(row) + "\n" for row in rows))
    status, found = score(path, "--on-error", "skip")
    assert status == 0
    assert [row["rouge1.recall"] for row in found] == [None, 1.0, None]
    assert "line 4: no 'prediction'" in found[2]["error"]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_names_are_found_in_a_pipe_and_nothing_of_it_is_lost(tmp_path, monkeypatch, capsys, form):
    rows = [{"id": n, "prediction": f"x {n}", "highlights": "x"} for n in range(5000)]
    data = write(tmp_path / f"rows.{form}", rows).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    assert main(["score", "-", "--format", form, "--output-format", "jsonl", "-m", "rouge1"]) == 0
    printed = capsys.readouterr()
    found = [json.loads(line) for line in printed.out.splitlines()]
    assert [int(row["id"]) for row in found] == list(range(5000))
    assert "standard input: reading the candidates from 'prediction'" in printed.err


def test_numbered_columns_of_csv_come_before_other_names(tmp_path, capsys):
    row = {"candidate": "x", "reference_1": "q", "reference_2": "x", "target": "q"}
    _, found = score(write(tmp_path / "rows.csv", [row]))
    assert float(found[0]["rouge1.recall"]) == 1.0
    assert capsys.readouterr().err == ""
    row = {"candidate": "[1] x", "reference": "[1] x"}
    _, found = score(write(tmp_path / "rows.csv", [row]))
    assert float(found[0]["rouge1.recall"]) == 1.0
    assert said(capsys).endswith("reading the references from 'reference'")


@pytest.mark.parametrize("form", FORMS)
def test_missing_columns_name_those_there_are_the_nearest_first(tmp_path, capsys, form):
    path = write(tmp_path / f"rows.{form}", [{"id": 1, "candidate": "x", "my_reference": "x"}])
    assert score(path)[0] == 1
    message = "no 'references' (did you mean 'my_reference'? there is also 'id', 'candidate')"
    assert message in said(capsys)


def test_all_commands_that_read_rows_read_usual_names(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    references = ["the cat sat", "a cat was there", "the cat"]
    rows = [
        {"system": s, "topic": t, "prediction": f"cat {s}", "targets": references, "article": "cat"}
        for s in "ab"
        for t in "xy"
    ]
    write(Path("rows.jsonl"), rows)
    named = "rows.jsonl: reading the candidates from 'prediction' and the references from 'targets'"
    assert main(["qarla", "rows.jsonl", "-m", "rouge1"]) == 0
    assert named in capsys.readouterr().err
    assert main(["background", "rows.jsonl", "-o", "b.json"]) == 0
    assert "reading the sources from 'article'" in capsys.readouterr().err


@pytest.mark.parametrize("given", [",", "", " , "])
def test_no_name_is_bad_usage(tmp_path, capsys, given):
    path = write(tmp_path / "rows.jsonl", [{"candidate": "x", "references": "x"}])
    assert score(path, "--references-column", given)[0] == 2
    assert "--references-column is empty" in said(capsys)


def test_columns_in_python_have_no_other_names_unless_asked():
    columns = Columns().resolve("rows", ["summary", "references"])
    assert (columns.candidate, columns.aliased) == ("candidate", {})


def test_an_arrow_batch_may_have_usual_names():
    pa = pytest.importorskip("pyarrow")
    texts = {"id": [1], "prediction": ["a cat"], "highlights": ["the cat"], "text": ["x"]}
    found = score_record_batch(pa.record_batch(texts), ["rouge1"], carry=True).to_pylist()
    assert [*found[0]][:2] == ["id", "text"] and found[0]["rouge1.recall"] == 0.5
    with pytest.raises(KeyError, match="'summary' and 'prediction' could each hold the candidates"):
        score_record_batch(pa.record_batch({**texts, "summary": ["x"]}))
    with pytest.raises(KeyError, match="no 'gold'"):
        score_record_batch(pa.record_batch(texts), references_column="gold")
    with pytest.raises(KeyError, match=r"no 'references' \(there is 'id', 'candidate'"):
        score_record_batch(pa.record_batch({"id": [1], "candidate": ["a"]}))
