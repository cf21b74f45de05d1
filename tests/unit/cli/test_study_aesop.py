"""`summeval study aesop`: rows or scores in, tables out; what is refused, in one line."""

from __future__ import annotations

import csv
import io
import json
from importlib import import_module

import pytest

import summeval
from summeval import annotate, meta
from summeval.cli.main import main

TEXTS = {
    "A": "the storm hit the coast on monday",
    "B": "a storm reached the coast and cut power",
    "C": "trains stood still after the storm hit",
    "s1": "the storm hit the coast and trains stood still",
    "s2": "power was cut on monday",
    "s3": "dogs bark",
}
SCORES = {"A": 5, "B": 4.5, "C": 5, "s1": 4, "s2": 3, "s3": 1}


def texts(topics=("t1", "t2"), **more):
    """People and systems on topics; each topic has another word more."""
    made = []
    for number, topic in enumerate(topics):
        own = {name: f"{text} {WORDS[number]}" for name, text in TEXTS.items()}
        for name, text in own.items():
            references = [own[person] for person in "ABC" if person != name]
            row = {"id": f"{topic}-{name}", "system": name, "topic": topic, "candidate": text}
            human = SCORES[name] - (number * len(name)) / 4
            made.append({**row, "references": references, "overall": human, **more})
    return made


WORDS = ("today", "again", "quickly")


def scores(**more):
    return [
        {
            "system": row["system"],
            "topic": row["topic"],
            "overall": row["overall"],
            "is_human": row["system"] in "ABC",
            "mine.f": len(row["candidate"]) + number,
            "mine.name": "x",
            "other.loss": len(row["candidate"]) % 7,
            **more,
        }
        for number, row in enumerate(texts())
    ]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def found(capsys, *arguments):
    status = main(["study", "aesop", *arguments, "--format", "json"])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    return json.loads(printed.out)


def refused(capsys, *arguments):
    status = main(["study", "aesop", *arguments])
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = [one for one in printed.err.splitlines() if "warning" not in one]
    return status, line


def test_every_numeric_column_is_taken_and_a_note_says_so(tmp_path, capsys):
    path = write(tmp_path / "scores.jsonl", scores())
    study = found(capsys, path, "--human", "overall")
    assert {row["metric"] for row in study["correlations"]} == {"mine.f", "other.loss"}
    assert [*study["correlations"][0]][:3] == ["metric", "human", "set"]
    assert {row["set"]: row["systems"] for row in study["correlations"]} == {
        "AllPeers": 6,
        "NoModels": 3,
    }
    assert study["notes"][0] == "scores taken from the file: mine.f, other.loss"
    assert len(study["koehn"]) == 2


def test_named_columns_and_directions(tmp_path, capsys):
    path = write(tmp_path / "scores.jsonl", scores())
    plain = found(capsys, path, "--human", "overall", "-m", "other.loss")
    turned = found(
        capsys, path, "--human", "overall", "-m", "other", "--lower-is-better", "other.loss"
    )
    for one, two in zip(plain["correlations"], turned["correlations"], strict=True):
        assert one["pearson"] == -two["pearson"] != 0
        assert (one["negated"], two["negated"]) == (False, True)
    assert plain["koehn"] == []


def test_people_by_name_and_tasks(tmp_path, capsys):
    rows = [row | {"task": "A"} for row in scores()] + [row | {"task": "B"} for row in scores()]
    for row in rows:
        del row["is_human"]
    path = write(tmp_path / "scores.jsonl", rows)
    options = ("--human", "overall", "--task", "task", "-m", "mine.f")
    study = found(capsys, path, *options, "--people", "A,[BC]")
    assert [row["task"] for row in study["correlations"]] == ["A", "A", "B", "B"]
    assert study["settings"]["people"] == 3
    alone = found(capsys, write(tmp_path / "a.jsonl", scores()), "--human", "overall", *options[4:])
    for row, wanted in zip(study["correlations"][:2], alone["correlations"], strict=True):
        assert {**wanted, "task": "A"} == row


def test_rows_with_texts_are_scored_with_the_jackknife(tmp_path, capsys):
    path = write(tmp_path / "rows.jsonl", texts())
    options = ("--human", "overall", "--people", "A", "B", "C", "-m", "rouge1.recall,tesla-s")
    study = found(capsys, path, *options)
    people = {name: [row for row in texts() if row["system"] == name] for name in TEXTS}
    cells = {name: [] for name in TEXTS}
    for place in (0, 1):
        everyone = {name: rows[place]["candidate"] for name, rows in people.items()}
        models = {name: everyone.pop(name) for name in "ABC"}
        left = meta.leave_one_out("rouge1", everyone, models, field="recall")
        for name, value in {**left.peers, **left.humans}.items():
            cells[name].append(value)
    human = [[row["overall"] for row in people[name]] for name in TEXTS]
    wanted = meta.correlation(list(cells.values()), human, "pearson", "system")
    assert study["correlations"][0]["pearson"] == pytest.approx(wanted)
    assert study["correlations"][0]["metric"] == "rouge1.recall"
    assert list(study["signatures"]) == ["rouge1", "tesla-s"]
    assert study["signatures"]["rouge1"] == summeval.metric("rouge1").signature
    told = "scored from the texts, with the jackknife over references: rouge1.recall, tesla-s"
    assert told in study["notes"]


def test_scores_are_taken_before_texts_and_metrics_that_are_no_columns_are_scored(tmp_path, capsys):
    path = write(tmp_path / "rows.jsonl", [row | {"mine.f": len(row["id"])} for row in texts()])
    taken = found(capsys, path, "--human", "overall")
    assert {row["metric"] for row in taken["correlations"]} == {"mine.f"}
    assert "the texts were not scored; name metrics with -m to score them" in taken["notes"]
    both = found(capsys, path, "--human", "overall", "-m", "mine.f", "rouge2")
    assert {row["metric"] for row in both["correlations"]} == {"mine.f", "rouge2.fmeasure"}
    assert "scores taken from the file: mine.f" in both["notes"]
    whole = found(capsys, path, "--human", "overall", "-m", "rouge2", "--no-jackknife")
    assert whole["correlations"][0]["pearson"] != both["correlations"][1]["pearson"]


def test_the_metrics_of_the_paper_are_the_default(tmp_path, capsys, monkeypatch):
    path = write(tmp_path / "rows.jsonl", texts())

    def without(name):
        raise ImportError("needs spaCy; pip install 'summeval[nlp]'")

    monkeypatch.setattr(annotate, "provider", without, raising=False)
    monkeypatch.setattr(import_module("summeval.annotate.providers"), "provider", without)
    study = found(capsys, path, "--human", "overall")
    names = ["rouge2.recall", "rougeSU4.recall", "tesla-s.fmeasure"]
    assert list(dict.fromkeys(row["metric"] for row in study["correlations"])) == names
    told = "left out, because their parser is not installed: be, dicomer, cremer"
    assert told in study["notes"]
    as_in_tac = {"stemmer": "rouge155", "aggregate": "average"}
    for name in ("rouge2", "rougeSU4"):
        assert study["signatures"][name] == summeval.metric(name, **as_in_tac).signature
    chosen = found(capsys, path, "--human", "overall", "--option", "rouge.stemmer=porter")
    wanted = summeval.metric("rouge2", stemmer="porter", aggregate="average").signature
    assert chosen["signatures"]["rouge2"] == wanted
    named = found(capsys, path, "--human", "overall", "-m", "rouge2.recall")
    assert named["signatures"]["rouge2"] == summeval.metric("rouge2").signature


def test_csv_columns_and_files(tmp_path, capsys):
    rows = [row | {"is_human": str(row["is_human"]).lower()} for row in scores()]
    with open(tmp_path / "scores.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    folder = tmp_path / "out"
    status = main(
        ["study", "aesop", str(tmp_path / "scores.csv"), "--human", "overall", "-o", str(folder)]
    )
    printed = capsys.readouterr()
    assert status == 0, printed.err
    assert "Koehn" in printed.out
    assert "loss_rate" not in printed.out  # the pairs are in the files alone
    names = {path.name for path in folder.iterdir()}
    assert {
        "study.json",
        "correlations.csv",
        "wins.tex",
        "koehn.csv",
        "pearson_overall.svg",
    } <= names
    assert "koehn.tex" in names
    assert json.loads((folder / "study.json").read_text())["settings"]["people"] == 3


def test_scores_come_from_a_pipe_and_from_parquet(tmp_path, capsys, monkeypatch):
    lines = "".join(json.dumps(row) + "\n" for row in scores())
    wanted = found(capsys, write(tmp_path / "scores.jsonl", scores()), "--human", "overall")
    stream = io.BufferedReader(io.BytesIO(lines.encode()))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
    assert found(capsys, "-", "--human", "overall") == wanted
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = str(tmp_path / "scores.parquet")
    parquet.write_table(pa.Table.from_pylist(scores()), path)
    assert found(capsys, path, "--human", "overall") == wanted


def test_texts_come_from_parquet_as_from_lines(tmp_path, capsys):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = str(tmp_path / "rows.parquet")
    parquet.write_table(pa.Table.from_pylist(texts()), path)
    options = ("--human", "overall", "--people", "A", "B", "C", "-m", "rouge1.recall,tesla-s")
    lines = found(capsys, write(tmp_path / "rows.jsonl", texts()), *options)
    assert found(capsys, path, *options) == lines


def change(rows, **more):
    return [row | more for row in rows]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (scores(), ["--human", "all"], "no 'all'"),
        (scores(), ["--human", "overall", "--task", "kind"], "no 'kind'"),
        (scores(), ["--human", "overall", "--system", "who"], "choose the column with --system"),
        (scores(), ["--human", "overall", "--people", "Z*"], "'Z*' matches no system"),
        (scores(), ["--human", "overall", "-m", "their"], "no 'their'"),
        (change(scores(), overall=3), ["--human", "overall"], "overall is 3 in all 12 rows"),
        (change(scores(), overall=None), ["--human", "overall"], "no row has a number in overall"),
        (change(scores(), overall=float("nan")), ["--human", "overall"], "no row has a number in"),
        (change(scores(), overall="good"), ["--human", "overall"], "row 1: 'overall' is 'good'"),
        (scores()[:6], ["--human", "overall"], "only 1 topic has scores"),
        ([*scores()[:1], *scores()[6:7]], ["--human", "overall"], "AllPeers has 1 system"),
        (scores() * 2, ["--human", "overall"], "row 13 has the system 'A' and the topic 't1' of"),
        (change(scores(), topic=None), ["--human", "overall"], "row 1 has no topic in 'topic'"),
        (
            [row | {"is_human": number % 5 == 0} for number, row in enumerate(scores())],
            ["--human", "overall"],
            "is_human differs between the rows of 'A'",
        ),
        (
            [{"system": r["system"], "topic": r["topic"], "overall": 1} for r in scores()],
            ["--human", "overall"],
            "no column METRIC.FIELD holds numbers, and there are no texts",
        ),
        (change(texts(), references=None), ["--human", "overall"], "no row has references"),
        (change(texts(), candidate=None), ["--human", "overall", "-m", "rouge1"], "no row has a n"),
        ([], ["--human", "overall"], "holds no rows"),
        (
            [{"system": r["system"], "topic": r["topic"], "overall": 1} for r in scores()],
            ["--human", "overall", "-m", "rouge2.recall"],
            "no column 'rouge2.recall', and no texts to score by it: no 'candidate' (there is",
        ),
        (
            texts(),
            ["--human", "overall", "-m", "rouge1", "--lower-is-better", "zzz"],
            "no 'zzz' (there is 'id', 'system', 'topic', 'candidate', 'references', 'overall'",
        ),
    ],
)  # fmt: skip
def test_bad_data_is_one_line(tmp_path, capsys, rows, options, message):
    status, line = refused(capsys, write(tmp_path / "rows.jsonl", rows), *options)
    assert status == 1
    assert message in line
    assert "rows.jsonl" in line


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bootstrap", "0"], "--bootstrap is 0; give a number from 1"),
        (["--seed", "-1"], "--seed is -1; give a number from 0"),
        (["-m", "rouge1.size"], "rouge1 has no 'size'; it has precision, recall, fmeasure"),
        (["-m", "rouges"], "unknown metric 'rouges'"),
        (["-m", "overall"], "--metrics names 'overall', which --human names too"),
        (["-o", ""], "is not a folder"),
    ],
)
def test_bad_usage_is_one_line(tmp_path, capsys, options, message):
    path = write(tmp_path / "rows.jsonl", texts())
    status, line = refused(capsys, path, "--human", "overall", *options)
    assert status == (1 if "-o" in options else 2)
    assert message in line


def test_empty_candidates_are_scored(tmp_path, capsys):
    rows = [row | ({"candidate": ""} if row["system"] == "s3" else {}) for row in texts()]
    study = found(capsys, write(tmp_path / "r.jsonl", rows), "--human", "overall", "-m", "rouge1")
    assert study["correlations"][0]["systems"] == 6
