"""Rows of one judgement or of one score, columns of judges, and columns under other names."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.cli.main import main
from summeval.meta import Judgements, judge_reliability

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")

SYSTEMS, TOPICS, JUDGES = 5, 6, 3
METRICS = ("gpt", "rouge1.recall")


@pytest.fixture
def table() -> np.ndarray:
    """Judgements [judge, system, topic]."""
    draw = np.random.default_rng(8)
    true = draw.normal(size=(SYSTEMS, TOPICS))
    found: np.ndarray = np.round(3 + true + draw.normal(size=(JUDGES, SYSTEMS, TOPICS)), 1)
    return found


@pytest.fixture
def metrics(table: np.ndarray) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(9)
    return {name: table.mean(axis=0) + draw.normal(size=(SYSTEMS, TOPICS)) for name in METRICS}


Rows = list[dict[str, Any]]


def whole(table: np.ndarray, metrics: dict[str, np.ndarray], names: Any = None) -> Rows:
    """A row for each summary, with the mean of the judges."""
    system, topic = names or ("system", "topic")
    return [
        {system: f"s{s}", topic: t}
        | {name: metrics[name][s, t] for name in METRICS}
        | {"overall": float(table[:, s, t].mean())}
        for s, t in np.ndindex(SYSTEMS, TOPICS)
    ]


def judged(table: np.ndarray, metrics: dict[str, np.ndarray], judge: str = "judge") -> Rows:
    """A row for each judgement."""
    rows = whole(table, metrics)
    return [
        row | {judge: f"j{j}", "overall": float(table[j, int(row["system"][1:]), row["topic"]])}
        for row in rows
        for j in range(JUDGES)
    ]


def written(path: Path, rows: Rows) -> str:
    if path.suffix == ".csv":
        text = io.StringIO()
        out = csv.DictWriter(text, list(rows[0]))
        out.writeheader()
        out.writerows(rows)
        path.write_text(text.getvalue())
    elif path.suffix in (".parquet", ".arrow"):
        pa = pytest.importorskip("pyarrow")
        import pyarrow.feather
        import pyarrow.parquet

        made = pa.Table.from_pylist(rows)
        if path.suffix == ".parquet":
            pyarrow.parquet.write_table(made, path)
        else:
            pyarrow.feather.write_feather(made, path, compression="uncompressed")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def correlated(capsys: Any, *arguments: str) -> tuple[dict[str, Any], str]:
    """The rows of `correlate` by metric, and what it says on standard error."""
    command = ["correlate", "--coefficient", "pearson", "--bootstrap", "0", "--format", "json"]
    assert main([*command, *arguments]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    return {row["metric"]: row for row in document["results"]} | {"": document["notes"]}, err


def refused(capsys: Any, *arguments: str) -> str:
    """The one line of an error."""
    assert main([*arguments]) in (1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if "reading the" not in line and "a row" not in line]
    assert len(lines) == 1
    return str(lines[0])


@pytest.fixture
def usual(tmp_path, table, metrics, capsys) -> dict[str, Any]:
    """The correlations of rows of summaries."""
    path = written(tmp_path / "whole.jsonl", whole(table, metrics))
    return correlated(capsys, path, "--human", "overall", "-m", *METRICS)[0]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "arrow"])
def test_rows_of_judgements_give_the_means_and_the_ceiling(  # noqa: PLR0917 - fixtures
    ending, tmp_path, table, metrics, usual, capsys
):
    path = written(tmp_path / f"rows.{ending}", judged(table, metrics))
    found, said = correlated(capsys, path, "--human", "overall", "-m", *METRICS)
    assert "a row for each judgement; 'judge' names the judge" in said
    given = Judgements.from_table(table)
    rely = judge_reliability(given, "summary", resamples=0)
    for name in METRICS:
        assert found[name]["value"] == pytest.approx(usual[name]["value"])
        assert found[name]["ceiling"] == pytest.approx(rely.value**0.5)
        free = usual[name]["value"] / rely.value**0.5
        assert found[name]["disattenuated"] == pytest.approx(free)
        assert "ceiling" not in usual[name]
    assert found[""][-2] == (
        f"overall, summary level: reliability {rely.value:.3f} of the mean of 3 judges"
    )


def test_the_judge_has_another_name(tmp_path, table, metrics, usual, capsys):
    for column in ("annotator_id", "Who said it"):
        path = written(tmp_path / "rows.jsonl", judged(table, metrics, column))
        asked = [] if column == "annotator_id" else ["--judge", column]
        found, _ = correlated(capsys, path, "--human", "overall", "-m", "gpt", *asked)
        assert found["gpt"]["value"] == pytest.approx(usual["gpt"]["value"])


def test_a_column_for_each_judge(tmp_path, table, metrics, usual, capsys):
    rows = whole(table, metrics)
    for row in rows:
        del row["overall"]
        own = table[:, int(row["system"][1:]), row["topic"]].tolist()
        row |= {f"j{j}": value for j, value in enumerate(own)}
        row["said"] = [{"overall": value, "other": 1} for value in own]
        row["by"] = {
            "Ann": {"overall": own[0]},
            "Ben": {"overall": own[1]},
            "C": {"overall": own[2]},
        }
    path = written(tmp_path / "rows.jsonl", rows)
    for asked in (["j0,j1,j2"], ["j0", "j1", "j2"], ["j*"], ["said.*"], ["by.*"]):
        found, _ = correlated(capsys, path, "--human", "overall", "-m", "gpt", "--judge", *asked)
        assert found["gpt"]["value"] == pytest.approx(usual["gpt"]["value"])
        assert found["gpt"]["ceiling"] < 1


def long(rows: Rows, names: tuple[str, str], columns: tuple[str, ...]) -> Rows:
    keys = ("system", "topic", "judge")
    return [
        {key: row[key] for key in keys if key in row} | {names[0]: column, names[1]: row[column]}
        for row in rows
        for column in columns
        if not (column in METRICS and row.get("judge", "j0") != "j0")
    ]


@pytest.mark.parametrize("names", [("metric", "score"), ("dimension", "value"), ("what", "number")])
def test_rows_of_scores(names, tmp_path, table, metrics, usual, capsys):  # noqa: PLR0917 - fixtures
    rows = long(whole(table, metrics), names, ("overall", *METRICS))
    path = written(tmp_path / "rows.jsonl", rows)
    asked = ["--long", ",".join(names)] if names[0] == "what" else []
    found, said = correlated(capsys, path, "--human", "overall", *asked)
    assert [*found] == [*METRICS, ""]
    assert all(found[name]["value"] == usual[name]["value"] for name in METRICS)
    assert bool(asked) != (f"{names[0]!r} names it, {names[1]!r} is the number" in said)


def test_rows_of_scores_by_judge(tmp_path, table, metrics, usual, capsys):
    rows = long(judged(table, metrics), ("metric", "score"), ("overall", *METRICS))
    path = written(tmp_path / "rows.jsonl", rows)
    found, _ = correlated(capsys, path, "--human", "overall")
    assert all(found[name]["value"] == pytest.approx(usual[name]["value"]) for name in METRICS)
    assert found["gpt"]["ceiling"] < 1


def test_the_judges_of_rows_of_scores_are_metrics_where_they_are_asked_for(
    tmp_path, table, metrics, usual, capsys
):
    rows = whole(table, metrics)
    keys = ("system", "topic")
    said = [
        {key: row[key] for key in keys} | {"judge": name, "score": row[name]}
        for row in rows
        for name in METRICS
    ]
    path = written(tmp_path / "judges.csv", said)
    people = written(tmp_path / "people.csv", rows)
    asked = ("--judgements", people, "--human", "overall")
    found, _ = correlated(capsys, path, *asked, "-m", *METRICS)
    assert all(found[name]["value"] == usual[name]["value"] for name in METRICS)


def test_two_columns_name_a_score(tmp_path, capsys):
    rows = [
        {
            "system": s,
            "topic": t,
            "llm": llm,
            "aspect": "fluency",
            "score": s * t + len(llm) * s * s,
        }
        for s in (1, 2, 4)
        for t in (1, 2)
        for llm in ("gpt", "claude")
    ]
    people = [{"system": s, "topic": t, "overall": s} for s in (1, 2, 4) for t in (1, 2)]
    path, other = (
        written(tmp_path / name, given) for name, given in (("a.jsonl", rows), ("b.jsonl", people))
    )
    asked = ("--judgements", other, "--human", "overall", "--long", "llm,aspect,score")
    found, _ = correlated(capsys, path, *asked)
    assert [*found] == ["gpt.fluency", "claude.fluency", ""]


def test_judgements_of_another_file_by_judge(tmp_path, table, metrics, usual, capsys):
    rows = whole(table, metrics, ("model", "doc_id"))
    for row in rows:
        del row["overall"]
    path = written(tmp_path / "scores.csv", rows)
    people = judged(table, metrics)
    for row in people:
        for name in METRICS:
            del row[name]
        row["topic"] = float(row["topic"])  # as a table with a gap writes whole numbers
    other = written(tmp_path / "people.jsonl", people)
    asked = ("--judgements", other, "--human", "overall", "-m", *METRICS)
    found, said = correlated(capsys, path, *asked)
    assert all(found[name]["value"] == pytest.approx(usual[name]["value"]) for name in METRICS)
    assert found["gpt"]["ceiling"] < 1
    assert "reading the systems from 'model'" in said
    assert "reading the topics from 'doc_id'" in said


def test_columns_are_named_at_once(tmp_path, table, metrics, usual, capsys):
    path = written(tmp_path / "rows.jsonl", whole(table, metrics, ("Who", "Which")))
    asked = ("--human", "overall", "-m", "gpt")
    for more in (["system=Who,topic=Which"], ["system=Who", "topic=Which"]):
        found, _ = correlated(capsys, path, *asked, "--columns", *more)
        assert found["gpt"]["value"] == usual["gpt"]["value"]
    command = ("correlate", path, *asked)
    assert "write WHAT=COLUMN" in refused(capsys, *command, "--columns", "sistem=Who")
    assert "write WHAT=COLUMN" in refused(capsys, *command, "--columns", "Who")
    line = refused(capsys, *command, "--system", "gpt", "--columns", "system=Who")
    assert "--system names 'gpt' and --columns names 'Who'" in line


def test_ids_are_topics_where_systems_share_them(tmp_path, table, metrics, usual, capsys):
    path = written(tmp_path / "rows.jsonl", whole(table, metrics, ("system", "id")))
    found, said = correlated(capsys, path, "--human", "overall", "-m", "gpt")
    assert found["gpt"]["value"] == usual["gpt"]["value"]
    assert "reading the topics from 'id'" in said
    rows = [
        row | {"id": number} for number, row in enumerate(whole(table, metrics, ("system", "x")))
    ]
    path = written(tmp_path / "rows.jsonl", rows)
    assert "no 'topic'" in refused(capsys, "correlate", path, "--human", "overall")


def test_columns_of_numbers_are_metrics_if_none_is_named_as_one(tmp_path, table, metrics, capsys):
    rows = [{k: v for k, v in row.items() if "." not in k} for row in whole(table, metrics)]
    path = written(tmp_path / "rows.csv", [row | {"id": 7, "note": "x"} for row in rows])
    found, said = correlated(capsys, path, "--human", "overall")
    assert [*found] == ["gpt", ""]
    assert "taken as metrics: gpt" in said


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("4/5", "row 4: 'gpt' is '4/5', not a finite number: write 4"),
        ("4,5", "row 4: 'gpt' is '4,5', not a finite number: write it with a point, as 4.5"),
        ("1_0", "row 4: 'gpt' is '1_0', not a finite number"),
        (True, "row 4: 'gpt' is 'True', not a finite number: write 1"),
        ("good", "row 4: 'gpt' is 'good', not a finite number"),
        (float("inf"), "row 4: 'gpt' is 'inf', not a finite number"),
    ],
)
def test_values_that_are_no_numbers(value, end, tmp_path, table, metrics, capsys):  # noqa: PLR0917 - fixtures
    rows = whole(table, metrics)
    rows[3]["gpt"] = value
    path = written(tmp_path / "rows.jsonl", rows)
    line = refused(capsys, "correlate", path, "--human", "overall", "-m", "gpt")
    problem, _, hint = end.partition(": write")
    assert problem in line
    assert not hint or f"write{hint}" in line


@pytest.mark.parametrize("value", [None, "", float("nan"), "nan"])
def test_values_that_are_missing(value, tmp_path, table, metrics, capsys):
    rows = judged(table, metrics)
    rows[3]["overall"] = value
    path = written(tmp_path / "rows.jsonl", rows)
    found, _ = correlated(capsys, path, "--human", "overall", "-m", "gpt")
    table[0, 0, 1] = np.nan
    rely = judge_reliability(Judgements.from_table(table), resamples=0)
    assert found["gpt"]["ceiling"] == pytest.approx(rely.value**0.5)


def test_repeated_rows_without_judges_are_refused(tmp_path, table, metrics, capsys):
    rows = whole(table, metrics)
    path = written(tmp_path / "rows.jsonl", [*rows, rows[2]])
    line = refused(capsys, "correlate", path, "--human", "overall", "-m", "gpt")
    assert "row 31: system 's0' is repeated for topic '2'" in line


def test_a_judge_who_judges_twice_is_noted(tmp_path, table, metrics, capsys):
    rows = judged(table, metrics)
    path = written(tmp_path / "rows.jsonl", [*rows, rows[2]])
    found, _ = correlated(capsys, path, "--human", "overall", "-m", "gpt")
    assert "overall: 1 judgements repeat a judge and a summary: their mean counts" in found[""]


def test_other_numbers_that_differ_between_judgements_are_averaged(
    tmp_path, table, metrics, capsys
):
    rows = judged(table, metrics)
    rows[0]["gpt"] += 3
    path = written(tmp_path / "rows.jsonl", rows)
    found, _ = correlated(capsys, path, "--human", "overall", "-m", "gpt")
    metrics["gpt"][0, 0] += 1
    other = written(tmp_path / "other.jsonl", whole(table, metrics))
    wanted, _ = correlated(capsys, other, "--human", "overall", "-m", "gpt")
    assert found["gpt"]["value"] == pytest.approx(wanted["gpt"]["value"])
    assert "gpt: differs between rows of a summary; its mean counts" in found[""]


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (["--judge", "jugde"], "no 'jugde' (did you mean 'judge'?"),
        (["--judge", "x*"], "no 'x*'"),
        (["--long", "metric"], "--long names one column"),
        (["--long", "metric,score"], "no 'metric'"),
        (["--judge", "gpt", "overall", "--human", "more"], "pass one name for their mean"),
        (["--judge", "judge", "nobody"], "no 'nobody'"),
    ],
)
def test_columns_that_are_not_there(asked, line, tmp_path, table, metrics, capsys):  # noqa: PLR0917 - fixtures
    path = written(tmp_path / "rows.jsonl", judged(table, metrics))
    assert line in refused(capsys, "correlate", path, "--human", "overall", *asked)


def test_compare_and_report_take_rows_of_judgements(tmp_path, table, metrics, capsys):
    path = written(tmp_path / "rows.jsonl", judged(table, metrics))
    asked = ["--human", "overall", "-m", *METRICS, "--bootstrap", "9", "--format", "json"]
    rely = judge_reliability(Judgements.from_table(table), resamples=0)
    assert main(["compare", path, *asked, "--coefficient", "kendall"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["results"][0]["ceiling"] == pytest.approx(rely.ceiling("kendall"))
    assert main(["report", path, *asked]) == 0
    assert json.loads(capsys.readouterr().out)["results"]
