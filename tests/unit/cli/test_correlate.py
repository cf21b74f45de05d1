"""`summeval correlate` and `summeval compare`, from files to tables."""

from __future__ import annotations

import csv
import json
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.cli.main import main
from summeval.meta import (
    bootstrap_interval,
    correlation,
    fisher_interval,
    koehn_test,
    permutation_test,
)
from summeval.meta.arrays import DesignWarning

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")


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


def test_too_little_memory_is_no_matter_of_workers(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError("Unable to allocate 26.8 GiB")

    monkeypatch.setattr("summeval.cli.correlate.correlate", fail)
    assert main(["correlate", path, "--human", "scores.overall"]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    what = "out of memory (Unable to allocate 26.8 GiB)"
    assert said == f"summeval: {what}; pass fewer rows at a time"


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
    assert lines[1:3] == [r"\begin{tabular}{lllrrrrr}", r"\toprule"]
    assert lines[3].endswith(r"\\")
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
    assert f"scores.{ending}: damaged, truncated or not" in err
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
        "note: m.x: 1 of 2 topics skipped (a constant column or fewer than two systems): a"
    )
    (tmp_path / "b.jsonl").write_text(
        "".join(json.dumps(row | {"other": row["human"]}) + "\n" for row in rows)
    )
    out = ran(capsys, "correlate", str(tmp_path / "b.jsonl"), "--human", "human", "other")
    assert "note: other, m.x: 1 of 2 topics skipped (" in out


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
        (
            ["correlate", "--human", "scores.overall", "--over", "topics", "--bootstrap", "0"],
            2,
            "--over has no effect with --bootstrap 0",
        ),
        (["correlate", "--human", "scores.overall", "--confidence", "95"], 2, "such as 0.95"),
        (["correlate", "--human", "scores.overall", "--confidence", "95%"], 2, "such as 0.95"),
        (["compare", "--human", "scores.overall", "-m", "a", "b", "--alpha", "5"], 2, "as 0.05"),
        (
            ["correlate", "--human", "scores.overall", "--lower-is-better", ","],
            2,
            "is empty; pass one or more columns",
        ),
        (["correlate", "--human", "scores.overall", "--lower-is-better", "x"], 1, "no 'x'"),
        (["correlate", "--human", "scores.overal,mine.score"], 1, "did you mean 'scores.overall'"),
        (
            ["correlate", "--human", "scores.overall", "-m", "mine", "--lower-is-better", "rouge1"],
            2,
            "rouge1.fmeasure, which is not selected",
        ),
        (["correlate", "--human", "mine.score", "--metrics", "mine"], 2, "which --human names too"),
        (
            ["correlate", "--human", "mine.score", "--metrics", "mine.score"],
            2,
            "which --human names too",
        ),
        (
            ["correlate", "--human", "scores.overall", "--metrics", ","],
            2,
            "is empty; pass one or more metrics",
        ),
        (["compare", "--human", "scores.overall", "--metrics", "mine"], 2, "pass two or more"),
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
        "note: compared on the 11 of 12 cells that all columns have",
        f"note: m.x: 1 of 3 topics skipped {reason}",
        f"note: n.x: 1 of 3 topics skipped {reason}",
        "note: p is the p-value to report (permutation test); p Williams is a check, which supposes"
        " normal scores and independent points",
    ]
    assert re.split(" {2,}", out.splitlines()[0])[-2:] == ["p", "p Williams (check)"]


def test_a_constant_metric_that_cannot_be_tested_is_named(tmp_path: Path, capsys: Any) -> None:
    rows = [{"system": s, "topic": "t", "m.x": int(s), "n.x": 1, "human": int(s)} for s in "1234"]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["--human", "human", "--metrics", "m", "n", "--bootstrap", "10"]
    err = ran(capsys, "compare", str(tmp_path / "a.jsonl"), *arguments, status=1)
    assert "n.x is 1.0 in all 4 cells" in err


# Directions


@pytest.fixture
def lower_is_better(tmp_path: Path, tables: dict[str, np.ndarray]) -> str:
    """The same numbers, with columns of which lower is better, registered or not."""
    lines = []
    for system, topic in np.ndindex(6, 5):
        value = {name: float(table[system, topic]) for name, table in tables.items()}
        row = {
            "system": f"s{system}",
            "topic": f"t{topic}",
            "simetrix.smoothedJSD": -value["rouge1.recall"],
            "rouge1.fmeasure": value["rouge1.fmeasure"],
            "cost": -value["rouge1.fmeasure"],
            "human": value["human"],
            "rank": -value["human"],
        }
        lines.append(json.dumps(row) + "\n")
    (tmp_path / "falling.jsonl").write_text("".join(lines))
    return str(tmp_path / "falling.jsonl")


JSON = ("--format", "json", "--bootstrap", "50")


def by_metric(out: str) -> dict[str, Any]:
    return {row["metric"]: row for row in json.loads(out)["results"]}


def test_registered_columns_that_fall_are_negated(
    lower_is_better: str, tables: Any, capsys: Any
) -> None:
    arguments = ["--human", "human", "--coefficient", "kendall", "--level", "system"]
    rows = by_metric(ran(capsys, "correlate", lower_is_better, *arguments, *JSON))
    own = correlation(tables["rouge1.recall"], tables["human"], "kendall", "system")
    row = rows["simetrix.smoothedJSD"]
    assert row["value"] == own > 0
    assert row["lower"] <= own <= row["upper"]
    assert (row["higher_is_better"], row["negated"]) == (False, True)
    row = rows["rouge1.fmeasure"]
    assert (row["higher_is_better"], row["negated"]) == (True, False)
    assert "cost" not in rows


def test_the_table_marks_what_is_negated_and_says_so_below(
    lower_is_better: str, capsys: Any
) -> None:
    arguments = ["correlate", lower_is_better, "--human", "human", "--bootstrap", "9"]
    lines = ran(capsys, *arguments).splitlines()
    assert {line.split()[0] for line in lines[1:7]} == {"-simetrix.smoothedJSD", "rouge1.fmeasure"}
    told = "- before a name means that lower is better, so the scores were negated"
    assert told in lines
    out = ran(capsys, *arguments, "--format", "latex")
    assert "\n-simetrix.smoothedJSD & summary" in out
    assert f"% {told}" in out
    rows = list(csv.DictReader(ran(capsys, *arguments, "--format", "csv").splitlines()))
    assert {(row["metric"], row["higher_is_better"], row["negated"]) for row in rows} == {
        ("simetrix.smoothedJSD", "false", "true"),
        ("rouge1.fmeasure", "true", "false"),
    }
    assert told not in ran(capsys, *arguments, "-m", "rouge1")


def test_columns_of_other_programs_are_named(
    lower_is_better: str, tables: Any, capsys: Any
) -> None:
    arguments = ["--coefficient", "pearson", "--lower-is-better", "cost,rank", *JSON]
    own = correlation(tables["rouge1.fmeasure"], tables["human"])
    for names in ([], ["-m", "cost", "simetrix"], ["-m", "cost", "-m", "simetrix"]):
        out = ran(capsys, "correlate", lower_is_better, "--human", "rank", *arguments, *names)
        rows = by_metric(out)
        assert rows["cost"]["value"] == pytest.approx(own, abs=1e-14)
        assert rows["cost"]["negated"]
        assert rows["simetrix.smoothedJSD"]["value"] > 0
        note = "rank: lower is better, so the human scores were negated"
        assert json.loads(out)["notes"] == [note]


def test_the_users_word_counts_more_than_a_name_and_is_told_once(
    lower_is_better: str, tables: Any, capsys: Any
) -> None:
    arguments = ["correlate", lower_is_better, "--human", "human", "--level", "all", *JSON]
    assert main([*arguments, "--lower-is-better", "rouge1"]) == 0
    out, err = capsys.readouterr()
    assert err.count("higher is better in rouge1.fmeasure") == 1
    rows = [row for row in json.loads(out)["results"] if row["metric"] == "rouge1.fmeasure"]
    assert all(row["negated"] and row["value"] < 0 for row in rows)
    assert main([*arguments, "--lower-is-better", "simetrix,cost"]) == 0
    assert "higher is better in" not in capsys.readouterr().err


def test_a_file_in_columns_tells_of_directions(lower_is_better: str, capsys: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = Path(lower_is_better).read_text().splitlines()
    table = pa.Table.from_pylist([json.loads(line) for line in lines])
    told = {"cost": b"false", "simetrix.smoothedJSD": b"true", "rank": b"false", "human": b"no"}
    fields = [
        field.with_metadata({b"higher_is_better": told.get(field.name, b"")})
        for field in table.schema
    ]
    path = str(Path(lower_is_better).with_suffix(".parquet"))
    parquet.write_table(table.cast(pa.schema(fields)), path)
    options = ["-m", "cost,simetrix,rouge1", "--coefficient", "pearson", *JSON]
    for human in ("rank", "human"):
        rows = by_metric(ran(capsys, "correlate", path, "--human", human, *options))
        assert [rows[name]["negated"] for name in rows] == [True, False, False]
        assert rows["cost"]["value"] > 0
        assert rows["simetrix.smoothedJSD"]["value"] < 0  # the file counts more than the name
        assert rows["rouge1.fmeasure"]["value"] > 0
    judged = ["--judgements", path, "--human", "rank"]
    other = by_metric(ran(capsys, "correlate", lower_is_better, *judged, *options, "-m", "cost"))
    assert other["cost"]["value"] < 0


def test_two_metrics_of_which_one_falls_are_compared(
    lower_is_better: str, tables: Any, capsys: Any
) -> None:
    arguments = ["compare", lower_is_better, "--human", "human", "--coefficient", "pearson"]
    names = ["-m", "simetrix", "rouge1"]
    (row,) = json.loads(ran(capsys, *arguments, *names, *JSON))["results"]
    assert row["simetrix.smoothedJSD"] > row["rouge1.fmeasure"] > 0
    assert row["wins"] > row["losses"]
    own = permutation_test(
        *(tables[name] for name in ("rouge1.recall", "rouge1.fmeasure", "human")), resamples=50
    )
    assert row["p"] == own.pvalue
    # A metric and its negation do not differ.
    same = ["-m", "rouge1", "cost", "--lower-is-better", "cost"]
    (other,) = json.loads(ran(capsys, *arguments, *same, *JSON))["results"]
    assert (other["p"], other["ties"]) == (1.0, 50)
    assert row["higher_is_better"] == {"simetrix.smoothedJSD": False, "rouge1.fmeasure": True}
    assert row["negated"] == ["simetrix.smoothedJSD"]
    lines = ran(capsys, *arguments, *names, "--bootstrap", "9").splitlines()
    assert lines[0].split()[2:4] == ["-simetrix.smoothedJSD", "rouge1.fmeasure"]
    assert any(line.startswith("- before a name means that lower is better") for line in lines)
    (row,) = csv.DictReader(
        ran(capsys, *arguments, *names, "--bootstrap", "9", "--format", "csv").splitlines()
    )
    assert (row["higher_is_better"], row["negated"]) == ("false true", "simetrix.smoothedJSD")


def test_metrics_that_fall_are_ranked_among_the_others(lower_is_better: str, capsys: Any) -> None:
    arguments = [
        "-m",
        "rouge1,cost,simetrix",
        "--lower-is-better",
        "cost",
        "--coefficient",
        "pearson",
    ]
    rows = json.loads(
        ran(capsys, "compare", lower_is_better, "--human", "human", *arguments, *JSON)
    )
    found = [(row["metric"], row["negated"]) for row in rows["results"]]
    assert found[0] == ("simetrix.smoothedJSD", True)
    assert set(found[1:]) == {("rouge1.fmeasure", False), ("cost", True)}
    values = [row["value"] for row in rows["results"]]
    assert values[1] == pytest.approx(values[2], abs=1e-14)


@pytest.mark.parametrize("names", [["rouge1", "simetrix"], ["rouge1", "simetrix", "cost"]])
def test_people_may_have_given_ranks(lower_is_better: str, names: list[str], capsys: Any) -> None:
    arguments = ["compare", lower_is_better, "-m", *names, "--level", "all", *JSON]
    found = [
        json.loads(ran(capsys, *arguments, "--human", *human))["results"]
        for human in (["human"], ["rank", "--lower-is-better", "rank"])
    ]
    for plain, ranks in zip(*found, strict=True):
        assert plain.pop("human") != ranks.pop("human")
        assert plain == ranks


# Names, intervals, designs


@pytest.mark.parametrize(
    "named", [["human", "rank"], ["human,rank"], ["human", "--human", "rank"], ["human, rank"]]
)
@pytest.mark.parametrize("command", ["correlate", "compare", "report"])
def test_several_columns_of_people_are_named_alike(
    lower_is_better: str, command: str, named: list[str], capsys: Any
) -> None:
    more = ["-m", "rouge1", "simetrix", "--coefficient", "pearson", "--level", "summary"]
    rows = json.loads(ran(capsys, command, lower_is_better, "--human", *named, *more, *JSON))[
        "results"
    ]
    assert list(dict.fromkeys(row["human"] for row in rows)) == ["human", "rank"]
    value = "rouge1.fmeasure" if command == "compare" else "value"
    first, second = ([row[value] for row in rows if row["human"] == h] for h in ("human", "rank"))
    assert sorted(first) == pytest.approx(sorted(-number for number in second))


def test_one_column_of_people_is_told_below_and_several_in_each_row(
    lower_is_better: str, capsys: Any
) -> None:
    arguments = ["-m", "rouge1", "--bootstrap", "9"]
    lines = ran(capsys, "correlate", lower_is_better, "--human", "human", *arguments).splitlines()
    assert lines[0].split()[0] == "metric"
    assert "human human, systems 6" in lines[-1]
    lines = ran(
        capsys, "correlate", lower_is_better, "--human", "human,rank", *arguments
    ).splitlines()
    assert [line.split()[0] for line in lines[:7]] == ["human"] * 4 + ["rank"] * 3
    assert "human human, rank, systems 6" in lines[-1]


def test_the_file_may_stand_behind_an_option_of_several_names(
    lower_is_better: str, capsys: Any
) -> None:
    first = ran(capsys, "correlate", lower_is_better, "--human", "human", "-m", "rouge1", *JSON)
    for arguments in (
        ["--human", "human", lower_is_better, "-m", "rouge1"],
        ["--human", "human", "-m", "rouge1", lower_is_better],
    ):
        assert ran(capsys, "correlate", *arguments, *JSON) == first
    err = ran(capsys, "correlate", "--human", "human", "no-file", status=2)
    assert "the following arguments are required: SCORES" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("level", ["summary", "system", "global"])
def test_intervals_are_drawn_by_default_for_people_and_programs_alike(
    path: str, tables: Any, level: Any, capsys: Any
) -> None:
    arguments = ["correlate", path, "--human", "scores.overall", "-m", "mine", "--level", level]
    over = "topics" if level == "summary" else "both"
    wanted = bootstrap_interval(tables["mine.score"], tables["human"], level=level, over=over)
    document = json.loads(ran(capsys, *arguments, "--format", "json"))
    row = document["results"][0]
    assert (row["lower"], row["upper"], row["over"]) == (wanted.lower, wanted.upper, over)
    assert (document["interval"], document["over"]) == ("bootstrap", over)
    assert (document["resamples"], document["seed"]) == (1000, 0)
    line = ran(capsys, *arguments).splitlines()[1]
    assert line.split()[4:6] == [f"{wanted.lower:.4f}", f"{wanted.upper:.4f}"]
    rows = csv.DictReader(ran(capsys, *arguments, "--format", "csv").splitlines())
    assert float(next(rows)["lower"]) == wanted.lower


def test_without_draws_a_mean_over_topics_has_no_interval(
    path: str, tables: Any, capsys: Any
) -> None:
    arguments = ["correlate", path, "--human", "scores.overall", "-m", "mine", "--level", "all"]
    out = ran(capsys, *arguments, "--bootstrap", "0", "--format", "json")
    rows = {(row["level"], row["coefficient"]): row for row in json.loads(out)["results"]}
    for (level, coefficient), row in rows.items():
        wanted: Any = (None, None)
        if level != "summary":
            pairs = {"system": 6, "global": 30}[level]
            wanted = fisher_interval(row["value"], pairs, coefficient)
        assert (row["lower"], row["upper"]) == wanted
    line = ran(capsys, *arguments, "--bootstrap", "0").splitlines()[1]
    assert line.split()[4:6] == ["-", "-"]


def test_small_designs_are_warned_of_once_on_standard_error(tmp_path: Path, capsys: Any) -> None:
    rows = [
        {"system": f"s{s}", "topic": f"t{t}", "h": 3, "g": s + t, "a.x": s * t, "b.x": s, "c.x": 1}
        for s in range(9)
        for t in range(4)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = str(tmp_path / "a.jsonl")
    wanted = [
        "summeval: warning: 9 systems: fewer than 10 are too few at the system level",
        "summeval: warning: 4 topics: fewer than 5 are too few",
        "summeval: warning: c.x: 1 in all 36 cells; no correlation",
        "summeval: warning: h: 3 in all 36 cells; no correlation",
    ]
    options = ["--human", "h", "g", "--level", "all", "--bootstrap", "9", "--format", "csv"]
    for command, names, lines in (
        ("correlate", [], wanted),
        ("compare", ["-m", "a", "b"], [*wanted[:2], wanted[3]]),
        ("report", [], wanted),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error", DesignWarning)  # Python's own would come besides
            assert main([command, path, *options, *names]) == 0
        assert capsys.readouterr().err.splitlines() == lines
    assert main(["correlate", path, "--human", "g", "-m", "a", "--bootstrap", "9"]) == 0
    assert capsys.readouterr().err.splitlines() == wanted[1:2]  # at the summary level


def test_people_who_said_nothing_are_one_line(tmp_path: Path, capsys: Any) -> None:
    rows = [{"system": s, "topic": "t", "m.x": 1, "n.x": 2, "human": None} for s in "123"]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for command in ("correlate", "compare"):
        arguments = [str(tmp_path / "a.jsonl"), "--human", "human", "-m", "m", "n"]
        err = ran(capsys, command, *arguments, status=1)
        assert "no row has a number in 'human'" in err
        assert err.count("\n") == 1
