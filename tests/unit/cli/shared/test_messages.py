"""One line for each warning; messages name the file, the row and what to do."""

import csv
import io
import json
import os
import shlex
import subprocess
import sys

import pytest

import summeval
from summeval.cli.main import main
from summeval.cli.shared.judged import read_signatures

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
        f"summeval: {path}: has a column 'error' in row {at + 1} (id {at}), to which --on-error"
        " skip writes messages; rename it, or use --on-error raise"
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
        "from summeval.cli import main\n"
        "from summeval.cli.metrics import listing\n"
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


FILES = {
    "rows.jsonl": json.dumps(GOOD) + "\n",
    "semi.csv": "id;summary;reference\n1;a cat;the cat\n",
    "tabs.csv": "id\tsummary\treference\n1\ta cat\tthe cat\n",
    "list.json": '[{"candidate": "a", "references": "b"},\n {"candidate": 3, "references": "b"}]',
    "broken.json": '[{"candidate": "a", "references": "b"},\n {"candidate": }]',
    "twice.jsonl": '{"candidate": "a", "references": "b", "candidate": "c"}\n',
    "twice.json": '[{"candidate": "a", "references": "b", "x": {"y": 1, "y": 2}}]',
    "gold.jsonl": '{"gold_summary": "a", "references": "b"}\n',
    "none.jsonl": '{"candidate": "a", "summary": "b"}\n',
    "out.txt": "a cat\n",
    "gold.txt": "the cat\n",
    "saved/dataset_info.json": "{}",
}
ENDS = "end it in .jsonl, .csv, .tsv, .parquet or .arrow"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score semi.csv", "semi.csv:1: looks separated by ';'; read it with --separator ';'"),
        ("score tabs.csv", "tabs.csv:1: looks separated by tab; read it with --separator tab"),
        ("score tabs.csv --separator :", "--separator is ':'; choose from , ; | tab"),
        ("score rows.jsonl --separator ;", "--separator is for CSV, not for jsonl"),
        ("score list.json", "list.json:2: 'candidate' is a number, not a string"),
        ("score broken.json", "broken.json:2: malformed JSON array at column 16"),
        ("score twice.jsonl", "twice.jsonl:1: duplicate key 'candidate'; remove or rename one"),
        ("rank twice.jsonl", "twice.jsonl:1: duplicate key 'candidate'; remove or rename one"),
        ("score twice.json", "twice.json: duplicate key 'y'; remove or rename one"),
        ("score gold.jsonl", "no 'candidate' (there is 'gold_summary', 'references')"),
        ("score none.jsonl", "no 'references' (there is 'candidate', 'summary')"),
        ("score out.txt gold.txt", "for plain files write --hyp out.txt --ref gold.txt"),
        ("score a.parquet b.parquet", "one file of rows is scored at a time"),
        ("score *.parquet", "*.parquet: no file has a name like this; pass the names of files"),
        ("score file:///no/x.parquet", "file:///no/x.parquet: nothing is there; check the address"),
        ("score saved", "convert it: load_from_disk('saved').to_parquet('rows.parquet')"),
        ("score no/rows.jsonl", "no/rows.jsonl: there is no folder no; check the name"),
        ("score --hyp no/ --ref gold.txt", "no/: there is no folder no/; check the name"),
        ("score rows.jsonl -o no/out.csv", "no does not exist; create it"),
        ("score rows.jsonl -o x.pdf", f"-o x.pdf: unknown extension; {ENDS}, or pass --output-f"),
        ("score rows.jsonl --output-format json", "--output-format json has the means: add --mean"),
        ("score rows.jsonl --safe-csv -o x.jsonl", "--safe-csv is for CSV and TSV, not for jsonl"),
        ("score rows.jsonl --max-null 5", "--max-null takes a share of the rows, from 0 to 1"),
        ("join rows.jsonl rows.jsonl -o x.xlsx", f"-o x.xlsx: unknown extension; {ENDS}"),
        ("explain rows.jsonl -o x.pdf", "end it in .jsonl, .txt, .json or .html, or pass --form"),
        ("rank rows.jsonl -o x.pdf", "end it in .csv, .txt, .json, .tex, .md or .html, or pass"),
        ("report rows.jsonl -o x.pdf", "end it in .csv, .json, .tex or .html, or pass --format"),
        ("correlate rows.jsonl --human x -o x.pdf", "end it in .csv, .txt, .json or .tex, or pass"),
        ("compare rows.jsonl --human x -m a -o x.pdf", "end it in .csv, .txt, .json or .tex, or"),
        ("agreement rows.jsonl -o x.pdf", "end it in .csv, .txt, .json, .tex or .md, or pass --fo"),
        ("cite rouge1 -o x.pdf", "end it in .txt, .json or .bib, or pass --format"),
        ("annotate rows.jsonl -o x.pdf", "end it in .jsonl or .conllu, or pass --output-format"),
        (
            "background rows.jsonl -o x.pdf",
            "-o x.pdf: unknown extension; end it in .jsonl or .json",
        ),
        ("read tac saved -o x.pdf", "-o x.pdf: unknown extension; end it in .jsonl"),
        ("pyramid rows.jsonl -o x.pdf", f"-o x.pdf: unknown extension; {ENDS}"),
        ("study aesop rows.jsonl --human x -o x.pdf", "-o x.pdf: names a file; pass a folder"),
        ("scores rows.jsonl", "invalid choice: 'scores'; did you mean score?"),
        ("train combination rows.jsonl -o m -m rouge1 --C 3", "--C 3; did you mean -C?"),
        ("score rows.jsonl --metric rouge1", "--metric rouge1; did you mean --metrics?"),
        ("rank rows.jsonl --format tex", "invalid choice: 'tex'; did you mean latex?"),
        ("metrics tesla", "unknown metric 'tesla'; choose from tesla-s, tesla-m, tesla-e"),
        ("score rows.jsonl -m rouge1.fmeasure", "name the metric, rouge1: all its fields come"),
        ("score rows.jsonl -m COMET", "unknown metric 'COMET'; summeval has none of this name"),
        ("score rows.jsonl -m classic", "unknown metric 'classic'; did you mean preset:classic?"),
        ("cite rows.jsonl", "rows.jsonl: holds no signatures of metrics; name its metrics, as in"),
        ("recommend no", "no: no such file or directory; check the name"),
        ("cite no.csv", "no.csv: no such file or directory; check the name"),
    ],
)
def test_each_mistake_gets_its_hint_in_one_line(tmp_path, monkeypatch, capsys, command, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saved").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    assert main(command.split()) in (1, 2)
    printed = capsys.readouterr()
    *notes, line = printed.err.splitlines()
    assert message in line
    assert all(": reading the " in note for note in notes)
    assert printed.out == ""
    assert not [*tmp_path.glob("x.*")]


@pytest.mark.parametrize(
    ("name", "option"), [("semi.csv", ";"), ("tabs.csv", "tab"), ("list.json", None)]
)
def test_other_separators_and_arrays_are_read(tmp_path, monkeypatch, capsys, name, option):
    monkeypatch.chdir(tmp_path)
    text = FILES[name].replace("3", '"a cat"')
    (tmp_path / name).write_text(text)
    more = [] if option is None else ["--separator", option]
    assert main(["score", name, "-m", "rouge1", "-o", "out.jsonl", *more]) == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["rouge1.recall"] for row in rows] == ([0.5] if option else [0.0, 0.0])
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
    )
    if option is not None:
        assert main(["recommend", name, *more]) == 0
        assert f"score {name} --separator {shlex.quote(option)} -m" in capsys.readouterr().out
        assert main(["explain", name, *more]) == 0
        capsys.readouterr()
    form = ["--format", "jsonl" if option is None else "csv"]
    assert main(["score", "-", "-m", "rouge1", "--output-format", "jsonl", *form, *more]) == 0
    assert capsys.readouterr().out == (tmp_path / "out.jsonl").read_text()


def test_commands_on_scores_read_other_separators_and_arrays(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [{"system": s, "id": str(n), "m.x": n / 7} for s in "ab" for n in range(5)]
    (tmp_path / "s.json").write_text(json.dumps(rows))
    lines = ["system;id;m.x", *(";".join(map(str, row.values())) for row in rows)]
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    found = []
    for name in ("s.json", "s.csv"):
        assert main(["rank", name, "--format", "csv"]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: summeval.score(b"a", "a"), r"candidate is bytes.* decode it, as in text.decode"),
        (lambda: summeval.score(["a"], ["a"]), "candidate is list.* call score_batch"),
        (lambda: summeval.score_batch([float("nan")], ["a"]), r"\[0\] is float.* pass None for"),
        (lambda: summeval.metric("ROUGE-1"), "unknown metric 'ROUGE-1'; did you mean rouge1?"),
        (lambda: summeval.metric("classic"), "did you mean preset:classic?"),
    ],
)
def test_hints_in_python(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


NAME = "a\x1b[31m\x07\x9b\u202eb"


@pytest.mark.parametrize("form", ["table", "csv", "latex", "markdown", "html"])
def test_no_name_reaches_a_terminal_with_what_it_obeys(tmp_path, monkeypatch, capsys, form):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"system": f"{s}{NAME}", "id": f"{n}{NAME}", "topic": str(n), f"h{NAME}": n, **GOOD}
        | {f"m{NAME}.x": (n + 3) % 7, f"n{NAME}.x": -n}
        for s in "ab"
        for n in range(6)
    ]
    write(tmp_path / "s.jsonl", *rows)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    human = ["--human", f"h{NAME}"]
    commands = [["rank", "s.jsonl", "--format", form]]
    if form == "table":
        commands += [["score", "s.jsonl", "-m", "rouge1", "--means"], ["recommend", "s.jsonl"]]
        commands += [["explain", "s.jsonl", "-m", "rouge1"]]
    if form not in ("markdown", "html"):
        commands += [["correlate", "s.jsonl", *human, "--format", form]]
        commands += [["compare", "s.jsonl", *human, "-m", "m" + NAME, "n" + NAME, "--format", form]]
    for command in commands:
        assert main(command) == 0, command
        printed = capsys.readouterr()
        text = (printed.out + printed.err).replace("\n", "")
        assert text.isprintable(), command
        assert "u202e" in text, command


def test_csv_in_a_pipe_keeps_names_and_formulas_are_marked_on_request(tmp_path, capsys):
    path = write(tmp_path / "s.jsonl", {"id": "=1+2", "note": "-5", "who": f"@{NAME}", **GOOD})
    command = ["score", path, "-m", "rouge1", "--output-format", "csv"]
    for more, marked in (([], ""), (["--safe-csv"], "'")):
        assert main([*command, *more]) == 0
        (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert (row["id"], row["note"]) == (f"{marked}=1+2", "-5")
        assert row["who"] == f"{marked}@{NAME}"


@pytest.mark.parametrize(("share", "status"), [(None, 0), ("0.5", 0), ("0.4", 1), ("0", 1)])
def test_rows_without_scores_are_counted_and_may_fail(tmp_path, capsys, share, status):
    path, out = write(tmp_path / "s.jsonl", GOOD, {**GOOD, "candidate": None}), tmp_path / "o.jsonl"
    more = [] if share is None else ["--max-null", share]
    assert main(["score", path, "-m", "rouge1", "-o", str(out), *more]) == status
    (line,) = capsys.readouterr().err.splitlines()
    told = "1 of 2 rows got null scores"
    if status:
        told = f"{path}: {told}, more than --max-null {share}; correct them, or allow more"
    assert line == f"summeval: {told}"
    assert len(out.read_text().splitlines()) == 2
    assert main(["score", path, "-m", "rouge1", "-o", str(out), "--resume", *more]) == status


def test_means_are_written_as_data(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    given = {"a": ["cat", None], "b": ["x"]}
    rows = [{**GOOD, "system": s, "candidate": t} for s, texts in given.items() for t in texts]
    write(tmp_path / "s.jsonl", *rows)
    command = ["score", "s.jsonl", "-m", "rouge1", "--option", "rouge1.label=mine", "--means"]
    assert main([*command, "-o", "means.json"]) == 0
    assert capsys.readouterr() == ("", "")
    found = json.loads((tmp_path / "means.json").read_text())
    assert [found[name] for name in ("rows", "scored", "null")] == [3, 2, 1]
    assert [(row["system"], row["mine.recall"]) for row in found["means"]] == [("a", 0.5), ("b", 0)]
    assert found["signatures"]["mine"].startswith("rouge1|")
    assert read_signatures("means.json").signatures == found["signatures"]
    assert main([*command, "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == found
    assert main([*command, "--output-format", "csv", "--ci"]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].startswith("system,mine.precision,mine.precision half width,")
    assert main([*command, "-o", "means.csv", "--ci"]) == 0
    assert (tmp_path / "means.csv").read_text() == printed
    assert main([*command, "-o", "scores.csv"]) == 0  # rows, as for any other name
    assert (tmp_path / "scores.csv").read_text().startswith("system,mine.precision,mine.recall")


def test_cite_reads_the_signatures_of_a_file_of_scores(tmp_path, capsys):
    path, out = write(tmp_path / "s.jsonl", GOOD), str(tmp_path / "out.csv")
    option = ["--option", "rouge.stemmer=porter", "--option", "rouge1.label=mine"]
    for out in (str(tmp_path / "out.csv"), str(tmp_path / "out.parquet")):
        if out.endswith("parquet"):
            pytest.importorskip("pyarrow")
        assert main(["score", path, "-m", "rouge1", "-o", out, *option]) == 0
        assert main(["cite", out, "--format", "json"]) == 0
        (one,) = json.loads(capsys.readouterr().out)["metrics"]
        assert (one["metric"], one["shown"]) == ("mine", "ROUGE-1")
        assert "|stemmer:porter|" in one["signature"]


def test_score_says_what_it_wrote_at_a_terminal_only(tmp_path, monkeypatch, capsys):
    path, out = write(tmp_path / "s.jsonl", GOOD), str(tmp_path / "out.jsonl")
    command = ["score", path, "-m", "rouge1", "-o", out, "--no-progress"]
    assert main(command) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(command) == 0
    assert capsys.readouterr().err == f"summeval: wrote 1 rows, 3 scores each: {out}\n"
