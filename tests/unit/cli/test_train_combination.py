"""`summeval train combination` and `train cremer --parts`: rows in, a table and a model out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sklearn")

import summeval
from summeval.cli.main import main

SOURCE = "The storm hit the coast. Many houses were lost, officials said."
TEXTS = [
    "The storm hit the coast.",
    "A cat sat.",
    "Houses were lost on the coast.",
    "officials said so",
]
ROWS: list[dict[str, Any]] = [
    {
        "candidate": f"{TEXTS[(number + topic) % 4]} {topic}",
        "references": ["The storm hit the coast and the houses."],
        "source": [SOURCE, "So officials said."],
        "topic": topic,
        "system": f"s{number}",
        "set": "ab"[topic % 2],
        "human": {"overall": (number + topic) % 4},
    }
    for topic in range(6)
    for number in range(4)
]
BASE = ["--score", "human.overall", "--system", "system", "--group", "set"]

pytestmark = pytest.mark.filterwarnings("ignore:simetrix:summeval.ScoreWarning")


def write(tmp_path: Path, rows: list[dict[str, Any]]) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def lines_of(capsys: Any) -> list[list[str]]:
    return [line.split() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("kind", ["linear", "signed-ridge", "svm-rbf"])
def test_a_combination_is_trained_validated_and_used(
    kind: str, tmp_path: Path, capsys: Any
) -> None:
    model, path = str(tmp_path / "m"), write(tmp_path, [*ROWS, ROWS[0] | {"human": None}])
    parts = ["-m", "rouge2.recall,tesla-s", "simetrix.unsmoothedJSD", "--kind", kind]
    options = ["--option", "rouge.stemmer=porter", "--note", "six topics"]
    assert main(["train", "combination", path, "-o", model, *parts, *BASE, *options]) == 0
    lines = lines_of(capsys)
    firsts = [line[0] for line in lines if line]
    assert firsts[1:11] == [
        "scored", *["combination,"] * 3, "mean", "rouge2.recall", "tesla-s.fmeasure",
        "simetrix.unsmoothedJSD", "length", "summaries",
    ]  # fmt: skip
    assert [line[2] for line in lines if line[:1] == ["combination,"]] == ["topic", "system", "set"]
    assert [*"note: 1 row was left out: no text or score".split()] in lines
    metric = summeval.metric("combination", model=model)
    assert "stemmer:porter" in metric.signature
    out = str(tmp_path / "out.jsonl")
    used = ["-m", "combination", "--option", f"combination.model={model}"]
    assert main(["score", path, *used, "-o", out, "--no-progress"]) == 0
    found = [
        json.loads(line)["combination.prediction"] for line in Path(out).read_text().splitlines()
    ]
    texts = [row["candidate"] for row in ROWS]
    sides: Any = {
        "references": [row["references"] for row in ROWS],
        "sources": [r["source"] for r in ROWS],
    }
    assert found[:-1] == metric.score_batch(texts, **sides)["combination"].tolist()
    by_hand = summeval.Combination(
        [summeval.metric("rouge2", stemmer="porter"), "tesla-s", "simetrix"],
        ["rouge2.recall", "tesla-s.fmeasure", "simetrix.unsmoothedJSD"],
        kind=kind,
    )
    by_hand.fit(
        texts,
        [row["human"]["overall"] for row in ROWS],
        **sides,
        topics=[(r["set"], r["topic"]) for r in ROWS],
    )  # type: ignore[index]
    assert by_hand.signature == metric.signature


def test_cremer_is_trained_on_any_parts(tmp_path: Path, capsys: Any) -> None:
    model, path = str(tmp_path / "m"), write(tmp_path, ROWS)
    command = [
        "train",
        "cremer",
        path,
        "-o",
        model,
        "--score",
        "human.overall",
        "--kernel",
        "linear",
    ]
    assert main([*command, "--parts", "rouge2.recall", "simetrix,tesla-s"]) == 0
    assert ["cremer,", "svm-linear", "topic"] in [line[:3] for line in lines_of(capsys)]
    metric = summeval.metric("cremer", model=model)
    assert metric.fields == ("value", "rouge2_recall", "simetrix", "tesla_s")
    for more, message in (
        (["--readability", "human.overall"], "--readability is for cremer without --parts; omit"),
        (["--cross-fit"], "--cross-fit is for cremer without --parts; omit"),
        (["--folds", "3"], "--folds is for cremer without --parts; omit"),
    ):
        assert main([*command, "--parts", "rouge2", *more]) == 2
        assert message in capsys.readouterr().err
    plain = ["train", "dicomer", path, "-o", model, "--parts", "rouge2"]
    assert main(plain) == 2
    assert "--parts is for cremer; omit it" in capsys.readouterr().err


def changed(**values: Any) -> list[dict[str, Any]]:
    return [{**row, **values} for row in ROWS]


@pytest.mark.parametrize(
    ("rows", "options", "status", "message"),
    [
        (ROWS, ["-m", "rogue2"], 2, "unknown metric 'rogue2'; did you mean rouge2"),
        (ROWS, ["-m", "rouge2.recal"], 2, "rouge2 has no field 'recal'; it has precision"),
        (ROWS, ["-m", "rouge2", "--folds", "year"], 2, "--folds names 'year'; choose from topic"),
        (ROWS, ["-m", "rouge2", "-C", "cv"], 2, "-C is for the svm kinds; omit it with --kind lin"),
        (ROWS, ["-m", "rouge2", "--score", "x"], 1, "no row has a number in 'x'; choose the colu"),
        (ROWS, ["-m", "rouge2", "--score", "x"], 1, "--score: no 'x' (there is 'topic', 's"),
        (changed(human=None), ["-m", "rouge2"], 1, "in 'human.overall'; choose the column of scor"),
        ([], ["-m", "rouge2"], 1, "rows.jsonl: holds no rows; write one row on each line"),
        (ROWS, ["-m", "rouge2", "--topic", "x"], 1, "no topic in 'x'; choose its column with --"),
        (ROWS, ["-m", "rouge2", "--group", "x"], 1, "no group in 'x'; choose its column with --"),
        (
            changed(source=None),
            ["-m", "simetrix"],
            1,
            "no row with a score has a candidate and s",
        ),
        (changed(human={"overall": 3}), ["-m", "rouge2"], 1, "all human scores are equal"),
        (changed(human={"overall": "x"}), ["-m", "rouge2"], 1, "row 1: 'human.overall' is 'x'"),
        (changed(topic=1), ["-m", "rouge2", "--folds", "topic"], 1, "is repeated for topic 1"),
        (changed(system="s"), ["-m", "rouge2", "--folds", "system"], 1, "1 system; to hold syste"),
        (changed(candidate=""), ["-m", "simetrix"], 1, "no row has a number in every column"),
    ],
)
def test_what_cannot_be_trained_is_said_in_a_line_and_writes_no_file(
    rows: list[dict[str, Any]],
    options: list[str],
    status: int,
    message: str,
    *,
    tmp_path: Path,
    capsys: Any,
) -> None:
    model = tmp_path / "m"
    command = ["train", "combination", write(tmp_path, rows), "-o", str(model), *BASE, *options]
    assert main(command) == status
    *_, last = capsys.readouterr().err.splitlines()
    assert message in last and not model.exists()


def test_a_fold_without_a_column_is_refused_and_one_topic_is_told(
    tmp_path: Path, capsys: Any
) -> None:
    rows = write(tmp_path, ROWS[:4])
    command = ["train", "combination", rows, "-o", str(tmp_path / "m"), "-m", "rouge1.recall"]
    options = ["--score", "human.overall"]
    assert main([*command, *options, "--folds", "set"]) == 2
    assert "--folds names 'set'; name its column with --group" in capsys.readouterr().err
    assert main([*command, *options, "--folds", "topic"]) == 1
    assert "1 topic; to hold topics out there must be two or more" in capsys.readouterr().err
    assert main([*command, *options]) == 0
    assert "not cross-validated by topic: 1 topic; to hold" in capsys.readouterr().err


def test_rows_with_a_gap_are_left_out_and_told(tmp_path: Path, capsys: Any) -> None:
    rows = [*ROWS, *({**row, "candidate": "...", "system": "empty"} for row in ROWS[:2])]
    rows[-1]["topic"] = 3
    command = ["train", "combination", write(tmp_path, rows), "-o", str(tmp_path / "m")]
    assert main([*command, "-m", "simetrix,rouge1.recall", *BASE]) == 0
    assert "summaries 24" in capsys.readouterr().out
