"""`summeval rank`, from files of scores to tables."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.cli.main import main
from summeval.meta import rank, ranking

RANDOM = np.random.default_rng(0)
EASE = RANDOM.random(30)
SCORES = {
    name: EASE + level + 0.1 * RANDOM.random(30)
    for name, level in (("lead 3", 0.0), ("tuned_é", 0.3), ("base", 0.02))
}


def rows_of(system: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{system}/{place}",
            "system": system,
            "topic": f"t{place}",
            "rouge1.recall": 1.0,
            "rouge1.fmeasure": value,
            "simetrix.smoothedJSD": value,
            "llm": round(5 * value),
        }
        for place, value in enumerate(SCORES[system].tolist())
    ]


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return written(tmp_path / "scores.jsonl", [row for name in SCORES for row in rows_of(name)])


def ran(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["rank", *arguments]) == status
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return err if status else out


def as_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_a_row_for_each_system_and_metric(path: str, capsys: Any) -> None:
    out = ran(capsys, path, "--format", "csv", "--bootstrap", "500")
    assert out.startswith("system,metric,mean,lower,upper,")
    rows = as_csv(out)
    assert [(row["metric"], row["system"]) for row in rows] == [
        ("rouge1.fmeasure", "tuned_é"),
        ("rouge1.fmeasure", "base"),
        ("rouge1.fmeasure", "lead 3"),
        ("simetrix.smoothedJSD", "lead 3"),
        ("simetrix.smoothedJSD", "base"),
        ("simetrix.smoothedJSD", "tuned_é"),
    ]
    table = {"rouge1.fmeasure": np.concatenate(list(SCORES.values()))}
    topics = [f"t{place}" for place in range(30)] * 3
    found = rank(table, np.repeat(list(SCORES), 30), topics, resamples=500)
    for row, own in zip(rows, found.to_rows(), strict=False):
        assert float(row["mean"]) == own["mean"]
        assert float(row["lower"]) == own["lower"] < own["mean"] < own["upper"]
        assert row["p"] == ("" if own["p"] is None else str(own["p"]))


def test_json_has_all_pairs_and_settings(path: str, capsys: Any) -> None:
    found = json.loads(ran(capsys, path, "-m", "llm,rouge1", "--format", "json"))
    assert (found["paired by"], found["systems"], found["resamples"]) == ("topic", 3, 10000)
    assert len(found["pairs"]) == 6
    assert {row["metric"] for row in found["results"]} == {"llm", "rouge1.fmeasure"}
    base = ran(capsys, path, "-m", "llm", "--format", "json", "--baseline", "base")
    pairs = json.loads(base)["pairs"]
    assert all("base" in (pair["system"], pair["other"]) for pair in pairs)
    assert len(pairs) == 2


def test_tables_for_people(path: str, tmp_path: Path, capsys: Any) -> None:
    out = ran(capsys, path)
    assert "simetrix.smoothedJSD (lower is better)" in out
    assert re.search(r"^tuned_é +\d\.\d{4} +\[\d\.\d{4}, \d\.\d{4}\] +a ", out, re.MULTILINE)
    assert max(map(len, out.split("\n\n")[0].splitlines())) < 100
    for ending, start in (("tex", r"\begin{tabular}{lrr}"), ("md", "| system"), ("html", "<table")):
        made = tmp_path / f"table.{ending}"
        assert ran(capsys, path, "-o", str(made)) == ""
        text = made.read_text(encoding="utf-8")
        assert start in text
        assert "ROUGE-1 F" in text
        if ending == "tex":
            assert r"tuned\_é & \textbf{" in text
            for rule in ("toprule", "midrule", "bottomrule"):
                assert text.count(f"\\{rule}") == 1
        elif ending == "md":
            assert r"| tuned\_é | **" in text
        else:
            assert text.count("<td>") == 6
            assert '<th scope="row">tuned_é</th>' in text


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html", "json", "page"])
def test_no_format_hides_a_significant_pair(form: str, tmp_path: Path, capsys: Any) -> None:
    # A chain: neighbours do not differ, a and c do, so that all are in one cluster.
    wave = np.array([1.0, -1.0] * 20)
    noise = {"a": wave, "b": -wave, "c": wave}
    scores = {name: 0.1 * one + EASE[:1] for name, one in noise.items()}
    scores["a"] = scores["a"] + 0.001 + 0.002 * EASE[0]
    rows = [
        {"system": name, "id": n, "x.y": value}
        for name, values in scores.items()
        for n, value in enumerate(values.tolist())
    ]
    path = written(tmp_path / "x.jsonl", rows)
    if form == "page":
        assert main(["report", path, "--human", "none", "-o", f"{path}.html"]) == 0
        out = Path(f"{path}.html").read_text(encoding="utf-8")
    else:
        out = ran(capsys, path, "--format", form)
    found = re.findall(
        {
            "table": r"^([abc]) .*\] +([ab]+) ",
            "csv": r"^([abc]),.*,1,(a|b|ab),",
            "markdown": r"^\| ([abc]) .*\] \| ([ab]+) ",
            "latex": r"^([abc]) & .*\] & ([ab]+) +&",
            "html": r'"row">([abc])</th>.*</td><td>([ab]+)',
            "json": r'"system": "([abc])",[^}]*"letters": "([ab]+)"',
            "page": r"\b([abc])(?:</bdi>)?</th>.*<sup>([ab]+)</sup>",
        }[form],
        out,
        re.MULTILINE,
    )
    assert {system: set(marks) for system, marks in found} == {
        "a": {"a"},
        "b": {"a", "b"},
        "c": {"b"},
    }


def test_only_the_significantly_best_are_bold(tmp_path: Path, capsys: Any) -> None:
    near = {"a": 0.5, "b": 0.49, "c": 0.1}
    noise = np.random.default_rng(5).random((3, 40)) / 10
    rows = [
        {
            "system": s,
            "id": n,
            "rouge2.fmeasure": near[s] + noise[k, n],
            "tesla-s.fmeasure": noise[k, n],
        }
        for k, s in enumerate(near)
        for n in range(40)
    ]
    path = written(tmp_path / "x.jsonl", rows)
    out = ran(capsys, path, "--format", "latex", "--scale", "100", "--digits", "2")
    assert r"system & ROUGE-2 F & TESLA-S F \\" in out
    cells = re.findall(
        r"^([abc]) & (\\textbf{)?(\d\d\.\d\d) \$\\pm\$ \d\.\d\d.*& (\\textbf)?", out, re.M
    )
    assert [(system, bool(bold), bool(other)) for system, bold, _, other in cells] == [
        ("a", True, False),  # nothing is bold where no systems differ
        ("b", True, False),
        ("c", False, False),
    ]
    assert abs(float(cells[0][2]) - 100 * (0.5 + noise[0].mean())) < 0.0051
    assert "% Scores times 100." in out
    base = ran(capsys, path, "--format", "latex", "--baseline", "b", "-m", "rouge2,tesla-s")
    assert r"\textbf{" not in base  # the best does not differ from b
    base = ran(capsys, path, "--format", "latex", "--baseline", "c", "-m", "rouge2,tesla-s")
    assert base.count(r"\textbf{") == 1
    table = ran(capsys, path, "-m", "rouge2", "--scale", "100", "--digits", "0")
    assert re.search(r"^a +5\d +\[5\d, 5\d\] +a ", table, re.MULTILINE)
    table = ran(capsys, path, "-m", "rouge2", "--scale", "100", "--digits", "1")
    assert re.search(r"^a +5\d\.\d +\[5\d\.\d, 5\d\.\d\] +a ", table, re.MULTILINE)


def weeks(folder: Path, fall: float) -> tuple[str, str]:
    """Two weeks of two systems, of which one falls."""
    files = []
    for number, week in enumerate(("last", "this")):
        values = SCORES["base"] - fall * number * (1 + 0.1 * EASE)
        rows = [
            {"system": "bart", "id": n, "rouge1.fmeasure": v, "simetrix.smoothedJSD": -v}
            for n, v in enumerate(values.tolist())
        ]
        files.append(written(folder / f"{week}.jsonl", rows))
    return files[0], files[1]


def test_two_versions_of_a_system_are_not_pooled(tmp_path: Path, capsys: Any) -> None:
    last, this = weeks(tmp_path, 0.1)
    err = ran(capsys, last, this, status=1)
    assert "system bart has rows of the same topics in" in err
    assert "pass --by-file to compare the files, or --samples mean" in err
    pooled = json.loads(ran(capsys, last, this, "--samples", "mean", "--format", "json"))
    assert [row["system"] for row in pooled["results"]] == ["bart", "bart"]
    for arguments in (
        [last, this, "--by-file"],
        [this, "--baseline", last],
        [this, last, "--baseline", last],
    ):
        found = json.loads(ran(capsys, *arguments, "-m", "rouge1", "--format", "json"))
        assert [row["system"] for row in found["results"]] == ["last", "this"]
        assert found["pairs"][0]["wins"] == 30
    assert "unknown system 'first'" in ran(
        capsys, last, "--by-file", "--baseline", "first", status=2
    )


def test_scores_of_other_options_are_told(tmp_path: Path, capsys: Any) -> None:
    pytest.importorskip("pyarrow")
    texts = ["the cats sat", "a dog ran", "it rained"]
    rows = [{"id": n, "candidate": t, "references": t[:-1]} for n, t in enumerate(texts)]
    file = written(tmp_path / "rows.jsonl", rows)
    for name, stemmer in (("last", "none"), ("this", "porter")):
        out = ["-m", "rouge1,rouge2", "-o", str(tmp_path / f"{name}.parquet")]
        assert main(["score", file, *out, "--option", f"rouge1.stemmer={stemmer}"]) == 0
    capsys.readouterr()
    last, this = (str(tmp_path / f"{name}.parquet") for name in ("last", "this"))
    assert main(["rank", this, "--baseline", last]) == 0
    err = capsys.readouterr().err
    assert (
        err == f"summeval: warning: {last}: rouge1 has another signature than in the files before\n"
    )
    err = ran(capsys, this, "--baseline", last, "--fail-if-worse", status=1)
    assert "rouge1 has another signature" in err


@pytest.mark.parametrize(
    ("fall", "margin", "status"),
    [(0.1, None, 3), (0.1, "0.09", 3), (0.1, "0.2", 0), (0.0, None, 0), (-0.1, None, 0)],
)
def test_a_regression_is_a_status(
    fall: float, margin: str | None, status: int, tmp_path: Path, capsys: Any
) -> None:
    last, this = weeks(tmp_path, fall)
    more = ["--margin", margin] if margin else []
    command = ["rank", this, "--baseline", last, "--fail-if-worse", *more]
    assert main(command) == status
    out, err = capsys.readouterr()
    assert "rouge1.fmeasure" in out
    if status:
        (line,) = err.splitlines()
        start = "summeval: significantly worse than last" + f" by more than {margin}" * bool(margin)
        assert line.startswith(f"{start}: this by rouge1.fmeasure (-0.1")
        assert "this by simetrix.smoothedJSD (+0.1" in line  # in which lower is better
    else:
        assert err == ""


def test_a_check_that_cannot_be_made_does_not_pass(tmp_path: Path, capsys: Any) -> None:
    last, this = weeks(tmp_path, 0.1)
    other = written(
        tmp_path / "other.jsonl", [{"id": n, "rouge1.fmeasure": 1.0} for n in range(40, 60)]
    )
    err = ran(capsys, other, "--baseline", last, "-m", "rouge1", "--fail-if-worse", status=1)
    assert "other and last share no row with a score of rouge1.fmeasure" in err
    err = ran(capsys, last, "--baseline", last, "--fail-if-worse", status=1)
    assert "holds no other system than last" in err
    few = written(tmp_path / "few.jsonl", [{"id": n, "rouge1.fmeasure": -1.0} for n in range(4)])
    err = ran(capsys, few, "--baseline", last, "-m", "rouge1", "--fail-if-worse", status=1)
    assert "few: 4 rows are too few to find any difference" in err
    some = written(tmp_path / "some.jsonl", [{"id": n, "rouge1.fmeasure": 1.0} for n in range(9)])
    err = ran(capsys, some, "--baseline", last, "-m", "rouge1", "--fail-if-worse", status=1)
    assert "some has scores of rouge1.fmeasure for 9 of " in err
    err = ran(capsys, this, "--baseline", "accepted.jsonl", "--fail-if-worse", status=1)
    assert "accepted.jsonl: no such file" in err
    both = written(tmp_path / "both.jsonl", rows_of("base") + rows_of("lead 3"))
    err = ran(capsys, this, "--baseline", both, status=1)
    assert "holds 2 systems; name one of them, such as --baseline both/base" in err


def test_names_are_escaped(tmp_path: Path, capsys: Any) -> None:
    rows = rows_of("base") + rows_of("lead 3")
    for row in rows:
        row["system"] = {"base": "<b>|a|", "lead 3": "50%_$"}[row["system"]]
    file = written(tmp_path / "x.jsonl", rows)
    assert "&lt;b&gt;|a|" in ran(capsys, file, "--format", "html")
    assert r"\<b\>\|a\|" in ran(capsys, file, "--format", "markdown")
    assert r"50\%\_\$" in ran(capsys, file, "--format", "latex")


def test_forgiving_names_and_presets(path: str, capsys: Any) -> None:
    plain = ran(capsys, path, "-m", "rouge1", "--format", "csv")
    assert ran(capsys, path, "-m", "ROUGE-1", "--format", "csv") == plain
    err = ran(capsys, path, "-m", "preset:clasic", status=2)
    assert "unknown preset" in err


def test_metrics_are_escaped_and_draws_are_enough(tmp_path: Path, capsys: Any) -> None:
    rows = [
        {"system": row["system"], "topic": row["topic"], "a_b": row["llm"], "<c>": row["llm"]}
        for name in SCORES
        for row in rows_of(name)
    ]
    file = written(tmp_path / "x.jsonl", rows)
    assert r"system & a\_b & <c> \\" in ran(capsys, file, "-m", "a_b,<c>", "--format", "latex")
    assert "&lt;c&gt;</th>" in ran(capsys, file, "-m", "a_b,<c>", "--format", "html")
    one = ran(capsys, file, "-m", "<c>", "--format", "html", "--alpha", "0.0001")
    assert "<caption>&lt;c&gt;</caption>" in one
    assert "resamples 29999" in one
    alone = ran(capsys, file, "-m", "<c>", "--format", "html", "--correction", "none")
    assert "<td>&lt;0.0001</td>" in alone


def test_many_systems_take_one_screen(tmp_path: Path, capsys: Any) -> None:
    rows = []
    for system in range(20):
        for row in rows_of("base"):
            value = row["rouge1.fmeasure"] + RANDOM.random() + system
            rows.append(row | {"system": f"s{system}", "rouge1.fmeasure": value})
    file = written(tmp_path / "x.jsonl", rows)
    out = ran(capsys, file, "--bootstrap", "400")
    assert len(out.splitlines()) < 40
    assert "190 pairs need at least 3,799 resamples" in out
    assert "0.0000 ± " not in out
    assert "resamples 10000" in ran(capsys, file, "-m", "rouge1")


def test_a_file_for_each_system(tmp_path: Path, capsys: Any) -> None:
    files = []
    for name, ending in zip(SCORES, ("jsonl", "jsonl.gz", "csv"), strict=True):
        kept = [
            {"id": place, "rouge1.fmeasure": row["rouge1.fmeasure"]}
            for place, row in enumerate(rows_of(name))
        ]
        path = tmp_path / f"{name}.{ending}"
        if ending == "csv":
            lines = [f"{row['id']},{row['rouge1.fmeasure']}\n" for row in kept]
            path.write_text("id,rouge1.fmeasure\n" + "".join(lines))
            files.append(str(path))
        else:
            files.append(written(path, kept))
    found = json.loads(ran(capsys, *files, "--format", "json"))
    assert [row["system"] for row in found["results"]] == ["tuned_é", "base", "lead 3"]
    assert found["paired by"] == "id"
    assert {row["shared"] for row in found["pairs"]} == {30}
    one = ran(capsys, files[0])
    assert "note: one system (lead 3): intervals only" in one
    assert "cluster" not in one


def test_rows_without_ids_are_paired_by_order(tmp_path: Path, capsys: Any) -> None:
    rows = [{k: row[k] for k in ("system", "llm")} for row in rows_of("base") + rows_of("lead 3")]
    file = written(tmp_path / "x.jsonl", rows)
    assert "paired by order" in ran(capsys, file, "-m", "llm")
    file = written(tmp_path / "x.jsonl", rows[:-1])
    assert "base has 30 rows" not in ran(capsys, file, "-m", "llm", status=1)
    assert "lead 3 has 29 rows and base 30" in ran(capsys, file, "-m", "llm", status=1)


def test_ids_that_no_systems_share_are_told(path: str, capsys: Any) -> None:
    out = ran(capsys, path, "--topic", "id", "-m", "rouge1")
    assert "lead 3 and tuned_é and 2 more pairs share no row; not tested" in out


def test_what_is_missing_is_told(tmp_path: Path, capsys: Any) -> None:
    rows = rows_of("base") + rows_of("lead 3")[:20]
    rows[3]["rouge1.fmeasure"] = None
    file = written(tmp_path / "x.jsonl", rows + rows[:5])
    out = ran(capsys, file, "-m", "rouge1")
    assert "note: rouge1.fmeasure: 2 of 55 rows have no value" in out
    assert "10 of 60 cells have no row; systems with missing topics (1): lead 3" in out
    assert "5 of 50 pairs of a system and a topic have several rows (up to 2); their mean" in out
    first = ran(capsys, file, "-m", "rouge1", "--samples", "first", "--format", "json")
    assert json.loads(first)["results"][0]["rows"] == 29


def test_the_direction_is_that_of_the_option(path: str, capsys: Any) -> None:
    out = ran(capsys, path, "-m", "llm", "--lower-is-better", "llm", "--format", "json")
    results = json.loads(out)["results"]
    assert results[-1]["system"] == "tuned_é"
    assert not results[0]["higher_is_better"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--baseline", "lead"], 2, "--baseline: unknown system 'lead'; did you mean lead 3?"),
        (["-m", "rouge3"], 1, "rouge3"),
        (["--topic", "tpic"], 1, "no 'tpic'"),
        (["--system", "sytem"], 1, "no 'sytem'"),
        (["--bootstrap", "0"], 2, "--bootstrap is 0"),
        (["--seed", "-1"], 2, "--seed is -1"),
        (["-m", "system"], 1, "row 1: 'system' is 'lead 3', not a finite number"),
        (["--lower-is-better", "llm", "-m", "rouge1"], 2, "--lower-is-better names llm"),
        (["-o", "no/such/folder/x.csv"], 1, "folder"),
        (["--fail-if-worse"], 2, "--fail-if-worse needs --baseline"),
        (["--margin", "1"], 2, "--margin needs --fail-if-worse"),
        (["--baseline", "base", "--fail-if-worse", "--margin", "-1"], 2, "--margin is -1"),
        (["--scale", "0"], 2, "--scale is 0; give a number above 0"),
        (["--digits", "16"], 2, "--digits is 16; give 0 to 15"),
        (["--scale", "100", "--format", "csv"], 2, "csv has all digits"),
    ],
)
def test_what_is_refused(
    path: str, arguments: list[str], status: int, message: str, capsys: Any
) -> None:
    err = ran(capsys, path, *arguments, status=status)
    assert message in err
    assert len(err.splitlines()) == 1


def test_files_that_cannot_be_ranked(tmp_path: Path, capsys: Any) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert "holds no rows" in ran(capsys, str(empty), status=1)
    assert "no such file" in ran(capsys, str(tmp_path / "not.jsonl"), status=1).lower()
    plain = written(tmp_path / "x.jsonl", [{"system": "a", "id": 1, "llm": "x"}])
    assert "no column is named METRIC.FIELD" in ran(capsys, plain, status=1)
    unnamed = written(tmp_path / "y.jsonl", [{"system": None, "id": 1, "a.b": 1}])
    assert "row 1: 'system' is None" in ran(capsys, unnamed, status=1)


def test_fewer_draws_for_more_rows(path: str, capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(ranking, "MOST_DRAWN", 30 * 2500)
    found = json.loads(ran(capsys, path, "--format", "json"))
    assert found["resamples"] == 2500
    monkeypatch.setattr(ranking, "MOST_DRAWN", 0)
    assert json.loads(ran(capsys, path, "--format", "json"))["resamples"] == 1000


def test_names_and_numbers_that_are_odd_stay_in_their_row(tmp_path: Path, capsys: Any) -> None:
    names = {"[x]": 1.7e308, "*y\nz": -1.7e308}
    rows = [{"id": n, "system": name, "a.b": v} for n in range(4) for name, v in names.items()]
    path = written(tmp_path / "odd.jsonl", rows)
    table = ran(capsys, path).splitlines()
    assert [line.split()[:2] for line in table[2:4]] == [["[x]", "1.7e+308"], ["*y", "z"]]
    latex = ran(capsys, path, "--format", "latex")
    assert "\n{}[x] & 1.7e+308" in latex
    assert "\n{}*y z & -1.7e+308" in latex
    out = str(tmp_path / "odd.html")
    assert main(["report", path, "-o", out]) == 1
    assert "'a.b' is 1.7e+308, too large for a picture" in capsys.readouterr().err


def test_the_report_has_the_p_values_of_the_ranking(path: str, capsys: Any) -> None:
    own = json.loads(ran(capsys, path, "--format", "json"))
    assert main(["report", path, "--human", "none", "--format", "json"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert page["results"] == own["results"]
    assert page["resamples"] == own["resamples"] == 10_000


def test_other_layouts_of_rows(path: str, tmp_path: Path, capsys: Any) -> None:
    plain = as_csv(ran(capsys, path, "-m", "llm", "--format", "csv"))
    long = [
        {"model": row["system"], "doc_id": row["topic"], "metric": metric, "score": row[metric]}
        for name in SCORES
        for row in rows_of(name)
        for metric in ("llm", "rouge1.recall")
    ]
    file = written(tmp_path / "long.jsonl", long)
    for more in ([], ["--long", "metric,score", "--columns", "system=model,topic=doc_id"]):
        assert as_csv(ran(capsys, file, "-m", "llm", "--format", "csv", *more)) == plain
    judged = [
        {key: row[key] for key in ("system", "topic", "llm")}
        | {"annotator": who, "llm": row["llm"] + who}
        for name in SCORES
        for row in rows_of(name)
        for who in (-1, 1)
    ]
    file = written(tmp_path / "judged.jsonl", judged)
    found = as_csv(ran(capsys, file, "-m", "llm", "--format", "csv"))
    assert [row["p"] for row in found] == [row["p"] for row in plain]


def test_outputs_of_score_in_every_format(tmp_path: Path, capsys: Any) -> None:
    rows = [
        {"system": system, "id": place, "candidate": text, "references": ["the cat sat on it"]}
        for system, texts in (("a", ["the cat", "a dog", "it"]), ("b", ["no", "cat sat", "the"]))
        for place, text in enumerate(texts)
    ]
    file = written(tmp_path / "rows.jsonl", rows)
    pytest.importorskip("pyarrow")
    results = []
    for ending in ("jsonl", "csv", "tsv", "parquet", "arrow", "jsonl.gz"):
        scored = str(tmp_path / f"scores.{ending}")
        assert main(["score", file, "-m", "rouge1", "-o", scored]) == 0
        capsys.readouterr()
        results.append(ran(capsys, scored, "--format", "csv"))
    assert set(results) == {results[0]}
    assert len(as_csv(results[0])) == 2


def test_plain_files_to_a_ranking(tmp_path: Path, capsys: Any) -> None:
    for name, lines in (("a", "the cat\na dog\n"), ("b", "no\ncat sat\n"), ("ref", "the cat\nb\n")):
        (tmp_path / f"{name}.txt").write_text(lines)
    a, b, ref, out = (str(tmp_path / name) for name in ("a.txt", "b.txt", "ref.txt", "s.jsonl"))
    assert main(["score", "--hyp", a, "--hyp", b, "--ref", ref, "-m", "rouge1", "-o", out]) == 0
    capsys.readouterr()
    rows = as_csv(ran(capsys, out, "--format", "csv"))
    assert [rows[0][key] for key in ("system", "shared", "exact")] == ["a", "2", "true"]


def test_files_that_are_paired_in_different_ways(path: str, tmp_path: Path, capsys: Any) -> None:
    other = written(tmp_path / "other.jsonl", [{"rouge1.fmeasure": 0.5}])
    err = ran(capsys, path, other, status=1)
    assert "a file has neither 'topic' nor 'id'" in err
