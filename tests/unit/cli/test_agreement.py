"""`summeval agreement`, from files of judgements to tables."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.cli.main import main
from summeval.meta import Judgements, judge_agreement, judge_reliability

SYSTEMS, TOPICS = 4, 5
JUDGES = ("Ann", "Ben", "Carla")


@pytest.fixture
def table() -> np.ndarray:
    """Judgements [dimension, judge, system, topic]."""
    draw = np.random.default_rng(2)
    true = draw.normal(size=(SYSTEMS, TOPICS))
    found: np.ndarray = np.clip(
        np.round(3 + true + draw.normal(size=(2, 3, SYSTEMS, TOPICS))), 1, 5
    )
    return found


Rows = list[dict[str, Any]]


@pytest.fixture
def rows(table: np.ndarray) -> Rows:
    return [
        {"system": f"s{s}", "topic": t, "judge": judge}
        | {name: int(table[d, j, s, t]) for d, name in enumerate(("fluency", "overall"))}
        for s, t in np.ndindex(SYSTEMS, TOPICS)
        for j, judge in enumerate(JUDGES)
    ]


def written(path: Path, rows: Rows) -> str:
    text = io.StringIO()
    if path.suffix == ".csv":
        out = csv.DictWriter(text, list(rows[0]))
        out.writeheader()
        out.writerows(rows)
    else:
        text.writelines(json.dumps(row) + "\n" for row in rows)
    path.write_text(text.getvalue())
    return str(path)


def ran(capsys: Any, *arguments: str, status: int = 0) -> tuple[str, str]:
    assert main(["agreement", *arguments]) == status
    out, err = capsys.readouterr()
    return out, err


def document(capsys: Any, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran(capsys, *arguments, "--format", "json")[0])
    return found


def value(found: dict[str, Any], human: str, name: str) -> float:
    (row,) = (
        row
        for row in found["agreement"]
        if row["human"] == human and row["agreement"].startswith(name)
    )
    number: float = row["value"]
    return number


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_rows_of_judgements(ending, tmp_path, table, rows, capsys):
    path = written(tmp_path / f"rows.{ending}", rows)
    found = document(capsys, path, "--bootstrap", "50", "--seed", "3")
    for place, human in enumerate(("fluency", "overall")):
        given = Judgements.from_table(table[place])
        wanted = judge_agreement(given, resamples=50, seed=3)
        assert value(found, human, "Krippendorff's alpha, interval") == pytest.approx(
            wanted.alpha.value
        )
        assert value(found, human, "ICC(2,k)") == pytest.approx(wanted.intraclass["ICC(2,k)"].value)
        rely = {row["level"]: row for row in found["reliability"] if row["human"] == human}
        for level in ("summary", "system", "global"):
            one = judge_reliability(given, level, resamples=50, seed=3)
            assert rely[level]["reliability"] == pytest.approx(one.value)
            assert rely[level]["interval"] == pytest.approx([one.lower, one.upper])
            assert rely[level]["judges for 0.8"] == one.needed(0.8)
        judges = [row["judge"] for row in found["judges"] if row["human"] == human]
        assert judges == list(JUDGES)
    size = "60 judgements by 3 judges of 20 summaries: 4 systems, 5 topics"
    assert found["notes"]["overall"][0] == size


def test_other_layouts_say_the_same(tmp_path, rows, capsys):
    usual = document(capsys, written(tmp_path / "rows.jsonl", rows), "--human", "overall")
    keys = ("system", "topic", "judge")
    long = [
        {key: row[key] for key in keys} | {"dimension": name, "score": row[name]}
        for row in rows
        for name in ("fluency", "overall")
    ]
    wide: dict[tuple[str, int], dict[str, Any]] = {}
    for row in rows:
        own = wide.setdefault(
            (row["system"], row["topic"]),
            {"model_id": row["system"], "doc_id": row["topic"], "said": []},
        )
        own[row["judge"]] = row["overall"]
        own["said"].append({name: row[name] for name in ("fluency", "overall")})
    for name, given, asked in (
        ("long", long, []),
        ("wide", list(wide.values()), ["--judge", *JUDGES]),
        ("inside", list(wide.values()), ["--judge", "said.*"]),
    ):
        path = written(tmp_path / f"{name}.jsonl", given)
        found = document(capsys, path, "--human", "overall", *asked)
        assert found["agreement"] == usual["agreement"], name
        assert found["reliability"] == usual["reliability"], name
    path, asked = str(tmp_path / "wide.jsonl"), ",".join(f"judge={name}" for name in JUDGES)
    found = document(capsys, path, "--human", "overall", "--columns", asked)
    assert found["agreement"] == usual["agreement"]
    both = document(capsys, written(tmp_path / "long.csv", long))
    assert [*both["notes"]] == ["fluency", "overall"]
    inside = document(capsys, str(tmp_path / "inside.jsonl"), "--judge", "said.*")
    assert [*inside["notes"]] == ["fluency", "overall"]


def test_levels_of_measurement(tmp_path, table, rows, capsys):
    path = written(tmp_path / "rows.jsonl", rows)
    found = document(capsys, path, "--human", "overall", "--level", "all")
    given = Judgements.from_table(table[1])
    for level in ("nominal", "ordinal", "interval", "ratio"):
        wanted = judge_agreement(given, level, resamples=0).alpha.value
        assert value(found, "overall", f"Krippendorff's alpha, {level}") == pytest.approx(wanted)
    assert "Pearson correlation, pairs" in {row["agreement"] for row in found["agreement"]}
    found = document(capsys, path, "--human", "overall", "--level", "ordinal")
    assert "Spearman correlation, pairs" in {row["agreement"] for row in found["agreement"]}


def test_texts_are_nominal(tmp_path, rows, capsys):
    for row in rows:
        row["overall"] = "good" if row["overall"] > 3 else "bad"
    path = written(tmp_path / "rows.csv", rows)
    found = document(capsys, path, "--human", "overall")
    assert value(found, "overall", "Krippendorff's alpha, nominal") < 1
    assert found["reliability"] == []
    _, err = ran(capsys, path, "--human", "overall", "--level", "interval", status=1)
    assert "row 1: 'overall' is '" in err
    found = document(capsys, path, "--human", "overall", "--level", "all")
    assert found["agreement"][0]["agreement"] == "Krippendorff's alpha, nominal"


def test_table_csv_latex_and_markdown(tmp_path, rows, capsys):
    path = written(tmp_path / "rows.jsonl", rows)
    out, _ = ran(capsys, path, "--human", "overall")
    assert out.splitlines()[0].split() == ["agreement", "value", "interval"]
    assert "note: 60 judgements by 3 judges" in out
    out, _ = ran(capsys, path, "--format", "csv", "--bootstrap", "9")
    found = list(csv.DictReader(io.StringIO(out)))
    measures = {row["measure"] for row in found}
    assert {"ICC(1,1)", "reliability", "ceiling", "alpha without"} <= measures
    assert {row["human"] for row in found} == {"fluency", "overall"}
    (row,) = (
        row
        for row in found
        if (row["human"], row["level"], row["measure"]) == ("overall", "global", "reliability")
    )
    assert float(row["lower"]) < float(row["value"]) < float(row["upper"])
    out, _ = ran(capsys, path, "--format", "latex")
    assert out.count(r"\begin{tabular}") == 3
    assert all(line.startswith(("%", "\\")) or "&" in line for line in out.splitlines() if line)
    target = tmp_path / "out.md"
    assert ran(capsys, path, "--format", "markdown", "-o", str(target)) == ("", "")
    assert target.read_text().count("|---|") == 3


def test_many_judges_are_cut_in_the_table(tmp_path, capsys):
    draw = np.random.default_rng(0)
    rows = [
        {"system": s, "topic": t, "worker_id": f"w{draw.integers(90)}", "x": int(draw.integers(5))}
        for s, t in np.ndindex(8, 12)
        for _ in range(2)
    ]
    path = written(tmp_path / "rows.jsonl", rows)
    out, _ = ran(capsys, path, "--bootstrap", "9")
    assert "judges; --format json or csv has all" in out
    assert "pairs of judges have no summary in common" in out


def test_judges_without_names(tmp_path, rows, capsys):
    rows = [{key: row[key] for key in row if key != "judge"} for row in rows]
    out, err = ran(capsys, written(tmp_path / "rows.jsonl", rows), "--human", "overall")
    assert "no column names the judges" in err
    assert "judges without names" in out
    assert "ICC(1,k)" in out
    assert "ICC(2,k)" not in out


def test_one_judge_and_nothing_to_compare(tmp_path, rows, capsys):
    path = written(tmp_path / "rows.jsonl", [row for row in rows if row["judge"] == "Ann"])
    out, _ = ran(capsys, path, "--human", "overall")
    assert "note: one judge, 'Ann': agreement needs two" in out
    assert "interval    nan\n" in out
    _, err = ran(capsys, path, status=1)
    assert "no column of numbers differs between the judges of a summary" in err


@pytest.mark.parametrize(
    ("asked", "line", "status"),
    [
        (["--human", "overal"], "no 'overal' (did you mean 'overall'?", 1),
        (["--system", "who"], "no 'who'", 1),
        (["--judge", "nobody"], "no 'nobody'", 1),
        (["--judge", "Ann", "Ben"], "no 'Ann'", 1),
        (["--judge", "said.*"], "no 'said.*'", 1),
        (["--long", "fluency"], "--long names one column", 2),
        (["--level", "cardinal"], "--level names 'cardinal'", 2),
        (["--target", "80"], "'80' is not a number between 0 and 1, such as 0.8", 2),
        (["--bootstrap", "-1"], "--bootstrap is -1", 2),
        (["--seed", "-1"], "--seed is -1", 2),
        (["--columns", "person=Ann"], "write WHAT=COLUMN with one of system, topic, judge", 2),
    ],
)
def test_bad_usage_is_one_line(asked, line, status, tmp_path, rows, capsys):  # noqa: PLR0917
    path = written(tmp_path / "rows.jsonl", rows)
    out, err = ran(capsys, path, *asked, status=status)
    assert out == ""
    assert line in err
    assert len(err.splitlines()) == 1
    assert err.count(path) <= 1


def test_negative_ratios_are_refused_with_a_mend(tmp_path, rows, capsys):
    rows[0]["overall"] = -1
    path = written(tmp_path / "rows.jsonl", rows)
    _, err = ran(capsys, path, "--human", "overall", "--level", "ratio", status=1)
    assert "rows.jsonl: overall: a rating is -1" in err
    assert "use --level 'interval'" in err


def test_empty_file(tmp_path, capsys):
    (tmp_path / "rows.jsonl").write_text("")
    _, err = ran(capsys, str(tmp_path / "rows.jsonl"), status=1)
    assert "holds no rows" in err
