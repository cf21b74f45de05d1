"""`summeval correlate` and `summeval compare`, from files to tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.cli.main import main
from summeval.meta import bootstrap_interval, correlation, koehn_test


@pytest.fixture
def tables() -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    human = random.integers(1, 6, (6, 5)).astype(float)
    noise = random.random((3, 6, 5))
    return {
        "rouge1.recall": human + noise[0],
        "rouge1.fmeasure": human + 3 * noise[1],
        "mine.score": noise[2],
        "human": human,
    }


@pytest.fixture
def path(tmp_path: Path, tables: dict[str, np.ndarray]) -> str:
    """The tables as rows, the judgements inside an object."""
    lines = []
    for system, topic in np.ndindex(6, 5):
        row: dict[str, Any] = {"system": f"s{system}", "topic": f"t{topic}"}
        row |= {name: float(table[system, topic]) for name, table in tables.items()}
        row["scores"] = {"overall": row.pop("human")}
        lines.append(json.dumps(row) + "\n")
    (tmp_path / "scores.jsonl").write_text("".join(lines))
    return str(tmp_path / "scores.jsonl")


def ran(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(arguments) == status
    out, err = capsys.readouterr()
    return err if status else out


def test_every_metric_is_correlated(path: str, tables: Any, capsys: Any) -> None:
    out = ran(
        capsys, "correlate", path, "--human", "scores.overall", "--level", "all", "--format", "json"
    )
    document = json.loads(out)
    assert len(document["results"]) == 3 * 3 * 3
    for row in document["results"]:
        own = correlation(tables[row["metric"]], tables["human"], row["coefficient"], row["level"])
        assert row["value"] == own
        assert row["lower"] is None or row["lower"] <= own <= row["upper"]


def test_bootstrap_and_its_seed_are_told(path: str, tables: Any, capsys: Any) -> None:
    arguments = ["--metrics", "rouge1", "--level", "system", "--coefficient", "spearman"]
    more = ["--bootstrap", "50", "--seed", "7", "--over", "topics", "--format", "json"]
    out = ran(capsys, "correlate", path, "--human", "scores.overall", *arguments, *more)
    document = json.loads(out)
    wanted = bootstrap_interval(
        tables["rouge1.fmeasure"],
        tables["human"],
        "spearman",
        "system",
        over="topics",
        resamples=50,
        seed=7,
    )
    (row,) = document["results"]
    assert (row["metric"], row["lower"], row["upper"]) == (
        "rouge1.fmeasure",
        wanted.lower,
        wanted.upper,
    )
    assert (document["seed"], document["resamples"], document["over"]) == (7, 50, "topics")


def test_two_metrics_are_tested(path: str, tables: Any, capsys: Any) -> None:
    arguments = ["--metrics", "rouge1.recall", "mine", "--level", "system", "--format", "csv"]
    out = ran(
        capsys, "compare", path, "--human", "scores.overall", *arguments, "--bootstrap", "100"
    )
    rows = list(csv.DictReader(out.splitlines()))
    assert [row["coefficient"] for row in rows] == ["pearson", "spearman", "kendall"]
    wanted = koehn_test(
        tables["rouge1.recall"], tables["mine.score"], tables["human"], resamples=100
    )
    assert int(rows[0]["wins"]) == wanted.wins
    assert float(rows[0]["rouge1.recall"]) == wanted.full_a


def test_many_metrics_are_ranked_with_letters(path: str, capsys: Any) -> None:
    names = ["rouge1.recall", "rouge1.fmeasure", "mine.score"]
    arguments = ["--human", "scores.overall", "--metrics", *names, "--coefficient", "pearson"]
    out = ran(capsys, "compare", path, *arguments, "--bootstrap", "99", "--level", "global")
    lines = out.splitlines()
    assert lines[0].split()[-2:] == ["letters", "cluster"]
    assert lines[1].split()[0] == "rouge1.recall"
    assert lines[3].split()[0] == "mine.score"
    assert "seed 0" in lines[-1]


def test_latex_is_a_table(path: str, capsys: Any) -> None:
    out = ran(capsys, "correlate", path, "--human", "scores.overall", "--format", "latex")
    lines = out.splitlines()
    assert lines[0] == r"\begin{tabular}{lllrrrrr}"
    assert lines[2].endswith(r"\\")
    assert r"\end{tabular}" in lines


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_scores_can_come_in_columns(tmp_path: Path, ending: str, capsys: Any) -> None:
    pytest.importorskip("pyarrow")
    lines = []
    for system, topic in np.ndindex(4, 5):
        row: dict[str, Any] = {"system": f"s{system}", "topic": topic, "scores": {"all": system}}
        row |= {"candidate": "a b c d e"[: 2 * system + 1], "references": ["e d c b a"[topic:]]}
        lines.append(json.dumps(row) + "\n")
    (tmp_path / "rows.jsonl").write_text("".join(lines))
    for name in ("scores.jsonl", f"scores.{ending}"):
        arguments = [str(tmp_path / "rows.jsonl"), "-m", "rouge1,rouge2", "-o"]
        ran(capsys, "score", *arguments, str(tmp_path / name))
    for command in ("correlate", "compare", "report"):
        told = [
            ran(
                capsys,
                *(command, str(tmp_path / name), "--human", "scores.all", "--format", "csv"),
                *("--metrics", "rouge1.recall", "rouge1.precision", "--bootstrap", "9"),
            )
            for name in ("scores.jsonl", f"scores.{ending}")
        ]
        assert told[0] == told[1]
        assert "rouge1.recall" in told[0]
    # Judgements too, and one line where the file is none.
    own = str(tmp_path / f"scores.{ending}")
    arguments = ["--judgements", own, "--human", "scores.all", "--format", "csv"]
    metrics = ["--metrics", "rouge1.recall"]
    out = ran(capsys, "correlate", str(tmp_path / "scores.jsonl"), *arguments, *metrics)
    assert "rouge1.recall,summary,pearson" in out
    Path(own).write_bytes(b"no table")
    err = ran(capsys, "correlate", own, "--human", "scores.all", status=1)
    assert f"scores.{ending}: damaged, cut off or not" in err
    assert err.count("\n") == 1


def test_judgements_come_from_another_file(
    tmp_path: Path, path: str, tables: Any, capsys: Any
) -> None:
    lines = [
        f"t{topic} s{system} {tables['human'][system, topic]}\n"
        for system, topic in np.ndindex(5, 5)
    ]
    (tmp_path / "manual").write_text("topic system overall\n" + "".join(lines))
    arguments = ["--judgements", str(tmp_path / "manual"), "--human", "overall"]
    out = ran(capsys, "correlate", path, *arguments, "--metrics", "mine", "--format", "json")
    document = json.loads(out)
    assert document["notes"] == ["systems only in the scores (1): s5"]
    own = correlation(tables["mine.score"][:5], tables["human"][:5])
    assert document["results"][0]["value"] == own


def test_topics_passed_over_are_named(tmp_path: Path, capsys: Any) -> None:
    rows = [
        {"system": s, "topic": t, "m.x": int(s) if t == "b" else 1, "human": int(s)}
        for s in "123"
        for t in "ab"
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = ran(capsys, "correlate", str(tmp_path / "a.jsonl"), "--human", "human")
    assert out.splitlines()[-1] == (
        "note: m.x: 1 of 2 topics passed over (a constant column or fewer than two systems): a"
    )


def test_results_go_to_a_file(path: str, tmp_path: Path, capsys: Any) -> None:
    target = tmp_path / "out.csv"
    arguments = ["--human", "scores.overall", "--format", "csv", "-o", str(target)]
    assert ran(capsys, "correlate", path, *arguments) == ""
    assert len(list(csv.DictReader(target.open()))) == 9


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["correlate", "--human", "x"], 1, "no 'x'"),
        (["correlate", "--human", "scores.overall", "--metrics", "tesla"], 1, "no 'tesla'"),
        (["correlate", "--human", "scores.overall", "--topic", "y"], 1, "with --topic"),
        (["correlate", "--human", "scores.overall", "--level", "input"], 2, "choose from summary"),
        (["correlate", "--human", "scores.overall", "--bootstrap", "-1"], 2, "at least 0"),
        (["correlate", "--human", "scores.overall", "--over", "topics"], 2, "give --bootstrap too"),
        (["correlate", "--human", "scores.overall", "--confidence", "95"], 2, "such as 0.95"),
        (
            ["correlate", "--human", "mine.score", "--metrics", "mine.score"],
            2,
            "what --human names",
        ),
        (["correlate", "--human", "scores.overall", "--metrics", ","], 2, "names no metric"),
        (["compare", "--human", "scores.overall", "--metrics", "mine"], 2, "name two or more"),
        (["compare", "--human", "scores.overall", "--metrics", "mine", "mine.score"], 2, "twice"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    path: str, arguments: list[str], status: int, message: str, capsys: Any
) -> None:
    err = ran(capsys, arguments[0], path, *arguments[1:], status=status)
    assert message in err
    assert err.count("\n") == 1


def test_metrics_are_named_with_commas_or_blanks_and_count_once(path: str, capsys: Any) -> None:
    arguments = ["correlate", path, "--human", "scores.overall", "--format", "csv", "--metrics"]
    one, other = (
        ran(capsys, *arguments, *names)
        for names in (["mine,rouge1.recall"], ["mine", "rouge1.recall", "mine.score"])
    )
    assert one == other
    assert len(one.splitlines()) == 1 + 2 * 3


def test_a_metric_may_be_named_by_m_and_misspelt(path: str, capsys: Any) -> None:
    head = ["compare", path, "--human", "scores.overall"]
    short = ran(capsys, *head, "-m", "mine,rouge1.recall")
    assert short == ran(capsys, *head, "--metrics", "mine", "rouge1.recall")
    err = ran(capsys, *head, "-m", "mine", "rogue1", status=1)
    assert "no 'rogue1' (did you mean 'rouge1'?" in err
    err = ran(capsys, *head, "-m", "mine", "rouge1.recal", status=1)
    assert "no 'rouge1.recal' (did you mean 'rouge1.recall'" in err


def test_cells_and_topics_that_a_comparison_leaves_out_are_told(
    tmp_path: Path, capsys: Any
) -> None:
    rows = [
        {
            "system": str(s),
            "topic": t,
            "m.x": s * s + (t == "c"),
            "n.x": None if (s, t) == (1, "c") else -s,
            "human": 1 if t == "a" else s,
        }
        for s in range(1, 5)
        for t in "abc"
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["--human", "human", "--metrics", "m", "n", "--bootstrap", "10"]
    out = ran(capsys, "compare", str(tmp_path / "a.jsonl"), *arguments)
    reason = "(a constant column or fewer than two systems): a"
    assert [line for line in out.splitlines() if line.startswith("note")] == [
        "note: n.x: 1 of 12 rows has no value",
        "note: compared on the 11 cells that all have, of 12",
        f"note: m.x: 1 of 3 topics passed over {reason}",
        f"note: n.x: 1 of 3 topics passed over {reason}",
    ]


def test_a_constant_metric_that_cannot_be_tested_is_named(tmp_path: Path, capsys: Any) -> None:
    rows = [{"system": s, "topic": "t", "m.x": int(s), "n.x": 1, "human": int(s)} for s in "1234"]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["--human", "human", "--metrics", "m", "n", "--bootstrap", "10"]
    err = ran(capsys, "compare", str(tmp_path / "a.jsonl"), *arguments, status=1)
    assert "n.x is 1.0 in all 4 cells" in err
