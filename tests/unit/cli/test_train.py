"""`summeval train`: rows with scores in, a model out, errors that name the row."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sklearn")

import summeval
from summeval import Cremer, Dicomer
from summeval.annotate import DiscourseDocument
from summeval.cli.main import main
from summeval.metrics.discourse.roles import table_2

TABLE_2 = table_2()
RELATED: dict[str, Any] = {
    "sentences": TABLE_2.sentences,
    "relations": [
        {
            "type": relation.type,
            "sense": relation.sense,
            "arg1": relation.arg1,
            "arg2": relation.arg2,
        }
        for relation in TABLE_2.relations
    ],
}
PLAIN: dict[str, Any] = {"sentences": TABLE_2.sentences, "relations": []}
ROWS = [
    {
        "candidate": f"a cat {number}",
        "references": ["a cat"],
        "topic": number // 2,
        "score": 1 + number % 2,
        "human": {"fluency": 1 + number % 2},
        "document": RELATED if number % 2 else PLAIN,
    }
    for number in range(8)
]


def write(tmp_path: Path, rows: list[dict[str, Any]]) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_dicomer_is_trained_and_loads(tmp_path: Path, capsys: Any) -> None:
    model = str(tmp_path / "model")
    rows = [*ROWS, {"candidate": "unscored", "topic": 1, "score": None}]
    options = ["--features", "lin", "--transform", "none", "-C", "cv", "--note", "eight rows"]
    assert main(["train", "dicomer", write(tmp_path, rows), "-o", model, *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "8 rows on 4 topics"
    assert lines[1].startswith("28 features, C = ")
    assert lines[2] == "pairs of unseen topics in the right order: 1.000"
    metric = Dicomer.load(model)
    good, plain = metric.predict([TABLE_2, DiscourseDocument(TABLE_2.sentences)])
    assert good > plain == 0


def test_cremer_is_trained_on_both_scores(tmp_path: Path, capsys: Any) -> None:
    model = str(tmp_path / "model")
    options = ["--readability", "human.fluency", "--features", "presence", "--kernel", "linear"]
    command = ["train", "cremer", write(tmp_path, ROWS), "-o", model, "--cross-fit", *options]
    assert main(command) == 0
    assert capsys.readouterr().out.startswith("8 rows on 4 topics\n8 features, C = ")
    metric = Cremer.load(model)
    assert metric.dicomer is not None
    readability = metric.dicomer.predict([TABLE_2, DiscourseDocument()])
    better, worse = metric.predict([[0.8, value] for value in readability])
    assert better > worse


def test_readability_is_trained_and_scores(tmp_path: Path, capsys: Any) -> None:
    good, bad = "The cat sat on the mat.", "The the cat cat the the cat cat."
    rows = [
        {"candidate": bad if n % 2 else good, "topic": n // 2, "system": n % 4, "score": 1 - n % 2}
        for n in range(8)
    ]
    model = str(tmp_path / "model")
    command = ["train", "readability", write(tmp_path, rows), "-o", model, "--system", "system"]
    assert main(command) == 0
    assert capsys.readouterr().out.startswith("8 rows on 4 topics\n19 features, penalty ")
    metric = summeval.metric("readability", model=model)
    assert metric.score(good).value > metric.score(bad).value


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        (
            ROWS,
            ["dicomer", "--readability", "score"],
            (2, "cremer needs --readability, and dicomer"),
        ),
        (ROWS, ["cremer"], (2, "cremer needs --readability")),
        (ROWS, ["dicomer", "--system", "topic"], (2, "--system is for readability")),
        (
            ROWS,
            ["readability", "--system", "group"],
            (1, "row 1: no system in 'group'; choose its"),
        ),
        (ROWS, ["dicomer", "-C", "0"], (2, "-C is '0'; give a number above 0, or cv")),
        (
            ROWS,
            ["dicomer", "--score", "grade"],
            (1, "no row has a number in 'grade'; choose the col"),
        ),
        (
            ROWS,
            ["cremer", "--readability", "nope"],
            (
                1,
                "no row has a number in 'nope'; choose the column of readability with",
            ),
        ),
        (
            ROWS,
            ["dicomer", "--topic", "group"],
            (1, "row 1: no topic in 'group'; choose its column"),
        ),
        (
            [{**ROWS[0], "score": "good"}],
            ["dicomer"],
            (1, "row 1: 'score' is 'good'; give a number"),
        ),
        # The command line is read before the rows.
        (
            [{**ROWS[0], "score": "good"}],
            ["dicomer", "-C", "-1"],
            (2, "-C is '-1'; give a number above 0, or cv"),
        ),
        ([{**ROWS[0], "score": True}], ["dicomer"], (1, "row 1: 'score' is True; give a number")),
        (ROWS[:1] * 2, ["dicomer"], (1, "no query has rows of different ranks (n_samples = 2)")),
        (
            [{**ROWS[0], "document": {**PLAIN, "relations": [{"type": "Explict"}]}}],
            ["dicomer"],
            (1, "row 1: document: relations[0] has no 'arg1'"),
        ),
    ],
)
def test_what_cannot_be_trained_on_is_named(
    tmp_path: Path,
    capsys: Any,
    rows: list[dict[str, Any]],
    options: list[str],
    expected: tuple[int, str],
) -> None:
    metric, *rest = options
    model = tmp_path / "model"
    status, message = expected
    assert main(["train", metric, write(tmp_path, rows), "-o", str(model), *rest]) == status
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not model.exists()


def test_formats_that_are_not_read_are_not_offered(tmp_path: Path, capsys: Any) -> None:
    model = str(tmp_path / "model")
    assert main(["train", "dicomer", write(tmp_path, ROWS), "-o", model, "--format", "arrow"]) == 2
    assert re.search(r"choose from '?jsonl'?, '?csv'?, '?tsv'?\)", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("metric", "options", "expected"),
    [
        ("readability", ["--features", "lin"], (2, "--features is for dicomer and cremer; omit")),
        ("readability", ["-C", "3"], (2, "-C is for dicomer and cremer; omit it")),
        ("readability", ["--folds", "3"], (2, "--folds is for dicomer and cremer; omit it")),
        ("dicomer", ["--cross-fit"], (2, "--cross-fit is for cremer; omit it")),
        ("dicomer", ["--kernel", "rbf"], (2, "--kernel is for cremer; omit it")),
        ("dicomer", ["--folds", "1"], (2, "--folds is 1; give a number from 2")),
        ("dicomer", ["--salience", "1"], (2, "--salience is 1; give a number from 2")),
        ("dicomer", ["--provider", "none"], (2, "unknown provider 'none'; known: spacy")),
        ("dicomer", ["-o", "-"], (2, "a model cannot be written to standard output; pass a file")),
        ("dicomer", ["-o", ""], (1, "'': is not a file; pass a file with -o")),
        ("dicomer", ["-o", "{folder}"], (1, "{folder}: is not a file; pass a file with -o")),
        ("dicomer", ["-o", "{folder}/a/b"], (1, "{folder}/a/b: folder {folder}/a does not exist")),
        (
            "dicomer",
            ["-o", "{data}"],
            (2, "MODEL is the same file as DATA; pass another one with -o"),
        ),
        (
            "dicomer",
            ["--transform", "log"],
            (1, "{data}: documents[0] scores 0, which has no logarithm; choose transform="),
        ),
    ],
)
def test_what_cannot_be_done_is_said_and_harms_no_file(
    metric: str, options: list[str], expected: tuple[int, str], tmp_path: Path, capsys: Any
) -> None:
    data = write(tmp_path, ROWS)
    before = Path(data).read_bytes()
    given = [option.format(folder=tmp_path, data=data) for option in options]
    output = [] if "-o" in given else ["-o", str(tmp_path / "model")]
    status, message = expected
    assert main(["train", metric, data, *output, *given]) == status
    error = capsys.readouterr().err
    assert message.format(folder=tmp_path, data=data) in error
    assert error.count("\n") == 1
    assert "ValueError" not in error
    assert Path(data).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [Path(data).name]


def test_a_parse_without_sentences_is_no_empty_text(tmp_path: Path, capsys: Any) -> None:
    data = write(tmp_path, [{**ROWS[0], "document": {}}, *ROWS[1:]])
    assert main(["train", "dicomer", data, "-o", str(tmp_path / "model")]) == 1
    assert "row 1: document: no 'sentences'; correct it, or remove it" in capsys.readouterr().err
