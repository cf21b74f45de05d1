"""`summeval score --means`: the table, its intervals, several systems and several outputs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summeval
from summeval.cli.main import main

WORDS = "a cat dog sat ran it rained on mats and hills".split()


def made(count: int, systems: int = 2, samples: int = 1, topics: int = 0) -> list[dict[str, Any]]:
    random = np.random.default_rng(7)
    rows = []
    for number in range(count):
        references = [" ".join(random.choice(WORDS, 6))]
        for system in range(systems):
            for _ in range(samples):
                words = random.choice(WORDS, 3 + system)
                row = {"id": number, "system": f"s{system}", "references": references}
                if topics:
                    row["topic"] = f"t{number % topics}"
                rows.append(row | {"candidate": " ".join(words)})
    return rows


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "rows.jsonl"


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def printed(capsys: Any, path: Path, *arguments: str, metrics: str = "rouge1,rouge2") -> list[str]:
    assert main(["score", str(path), "-m", metrics, "--means", *arguments]) == 0
    found = capsys.readouterr()
    assert found.err == ""
    return found.out.splitlines()


def cells(lines: list[str], name: str) -> list[float]:
    (line,) = [line for line in lines if re.match(rf"{re.escape(name)}  ", line)]
    return [float(text) for text in line.split()[1:] if text != "±"]


def fmeasures(rows: list[dict[str, Any]]) -> np.ndarray:
    texts = [row["candidate"] for row in rows], [row["references"] for row in rows]
    table = summeval.score_batch(*texts, ["rouge1", "rouge2"])
    return np.stack([table["rouge1.fmeasure"], table["rouge2.fmeasure"]], axis=1)


def test_without_an_output_only_the_table_is_printed(path: Path, capsys: Any) -> None:
    write(path, made(3, systems=1))
    before = set(path.parent.iterdir())
    lines = printed(capsys, path)
    assert lines[0] == "3 rows, 3 scored, 0 null; system s0"
    assert lines[2].split() == ["mean", "precision", "recall", "fmeasure"]
    assert lines[-2:] == [f"{n}: {summeval.metric(n).signature}" for n in ("rouge1", "rouge2")]
    assert set(path.parent.iterdir()) == before
    assert len(lines) < 24


def test_each_system_has_a_line_with_the_value_of_each_metric(path: Path, capsys: Any) -> None:
    write(path, rows := made(5, systems=3))
    lines = printed(capsys, path, "-w", "12")
    assert lines[0] == "15 rows, 15 scored, 0 null; 3 systems"
    assert lines[2].split() == ["mean", "rouge1.fmeasure", "rouge2.fmeasure"]
    scores = fmeasures(rows)
    for place in range(3):
        want = scores[place::3].mean(axis=0)
        assert cells(lines, f"s{place}") == pytest.approx(want.tolist(), abs=1e-12)


def test_a_row_without_a_system_makes_one_table_of_all(path: Path, capsys: Any) -> None:
    rows = made(4)
    del rows[3]["system"]
    write(path, rows)
    lines = printed(capsys, path, "-w", "9")
    assert lines[0] == "8 rows, 8 scored, 0 null"
    assert cells(lines, "rouge1")[2] == pytest.approx(fmeasures(rows)[:, 0].mean(), abs=1e-9)


def test_digits_are_as_many_as_asked_for(path: Path, capsys: Any) -> None:
    write(path, made(3))
    for digits in ("0", "2", "7"):
        (line,) = [line for line in printed(capsys, path, "-w", digits) if line.startswith("s0  ")]
        after = line.split()[1].partition(".")[2]
        assert len(after) == int(digits)


def test_intervals_have_the_width_of_the_standard_error(path: Path, capsys: Any) -> None:
    write(path, rows := made(300))
    lines = printed(capsys, path, "--ci", "-w", "6")
    assert "± half the width of the 95 % interval over 300 ids (Student's t)" in lines
    scores = fmeasures(rows)
    for place in range(2):
        mine = scores[place::2]
        mean, half = np.reshape(cells(lines, f"s{place}"), (2, 2)).T
        assert mean == pytest.approx(mine.mean(axis=0), abs=1e-6)
        assert half == pytest.approx(1.96 * mine.std(axis=0) / 300**0.5, rel=0.12)
    assert printed(capsys, path, "--ci", "-w", "6") == lines


def test_the_mean_of_one_row_has_no_interval(tmp_path: Path, capsys: Any) -> None:
    one = tmp_path / "one.jsonl"
    one.write_text('{"id": "a", "candidate": "a cat", "references": ["a cat sat"]}\n')
    assert main(["score", str(one), "-m", "rouge1", "--means", "--ci"]) == 0
    printed = capsys.readouterr().out
    assert "0.80000 ± nan" in printed
    assert "interval over 1 id (" in printed


def test_topics_are_drawn_where_rows_have_them(path: Path, capsys: Any) -> None:
    rows = made(60, systems=1, topics=6)
    for row in rows:  # all rows of a topic are alike, so there are six values and not sixty
        row["candidate"] = rows[int(row["topic"][1:])]["candidate"]
        row["references"] = rows[int(row["topic"][1:])]["references"]
    write(path, rows)
    lines = printed(capsys, path, "--ci", "-w", "6")
    assert any("over 6 topics" in line for line in lines)
    by_topic = cells(lines, "rouge1")[5]
    write(path, [{k: v for k, v in row.items() if k != "topic"} for row in rows])
    by_row = cells(printed(capsys, path, "--ci", "-w", "6"), "rouge1")[5]
    assert by_topic > 2 * by_row


def test_rows_without_a_score_are_left_out_of_means_and_intervals(path: Path, capsys: Any) -> None:
    rows = made(40, systems=1)
    for row in rows[::2]:
        row["candidate"] = None
    write(path, rows)
    half = cells(printed(capsys, path, "--ci"), "rouge1")
    write(path, rows[1::2])
    whole = cells(printed(capsys, path, "--ci"), "rouge1")
    assert half[::2] == whole[::2]
    assert half[1::2] == pytest.approx(whole[1::2], rel=0.2)


def test_one_row_has_no_interval_and_none_has_no_mean(path: Path, capsys: Any) -> None:
    write(path, rows := made(1, systems=1))
    assert np.isnan(cells(printed(capsys, path, "--ci"), "rouge1")[1::2]).all()
    write(path, [rows[0] | {"candidate": None}])
    assert np.isnan(cells(printed(capsys, path, "--ci"), "rouge1")).all()


def test_several_outputs_count_as_their_mean_the_first_or_one_that_is_drawn(
    path: Path, capsys: Any
) -> None:
    rows = made(20, systems=1, samples=4)[:-3]  # the last id has one output
    write(path, rows)
    scores = fmeasures(rows)[:, 0]
    ids = np.array([row["id"] for row in rows])
    by_id = [scores[ids == number] for number in range(20)]
    more = ("-w", "9")

    def value(*arguments: str) -> float:
        return cells(printed(capsys, path, *more, *arguments), "rouge1")[2]

    assert value() == pytest.approx(scores.mean(), abs=1e-9)
    assert value("--samples", "mean") == pytest.approx(np.mean([x.mean() for x in by_id]), abs=1e-9)
    assert value("--samples", "first") == pytest.approx(np.mean([x[0] for x in by_id]), abs=1e-9)
    drawn = {value("--samples", "draw", "--seed", str(seed)) for seed in range(5)}
    assert len(drawn) > 1
    assert value("--samples", "draw", "--seed", "3") == value("--samples", "draw", "--seed", "3")
    assert main(["score", str(path), "-m", "rouge1", "-o", "scores.jsonl"]) == 0
    for choice in ("mean", "first", "draw"):
        chosen = ("--samples", choice, "--seed", "3")
        capsys.readouterr()
        assert main(["rank", "scores.jsonl", *chosen, "--format", "json"]) == 0
        ranked = json.loads(capsys.readouterr().out)["results"][0]["mean"]
        assert value(*chosen) == pytest.approx(ranked, abs=1e-9)
    least, most = (np.mean([f(x) for x in by_id]) for f in (np.min, np.max))
    assert all(least < one < most for one in drawn)


def test_what_is_drawn_does_not_depend_on_other_rows(path: Path, capsys: Any) -> None:
    rows = made(9, systems=2, samples=3)
    write(path, rows)
    draw = ("--samples", "draw")
    both = cells(printed(capsys, path, *draw), "s1")
    write(path, [row for row in rows if row["system"] == "s1"])
    alone = printed(capsys, path, *draw)
    assert [cells(alone, "rouge1")[2], cells(alone, "rouge2")[2]] == both


def test_samples_need_ids(path: Path, capsys: Any) -> None:
    write(path, [{"candidate": "a", "references": "a"}])
    assert main(["score", str(path), "--means", "--samples", "mean"]) == 2
    assert "row 1 has no 'id'" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--ci"], ["--samples", "mean"]])
def test_what_needs_all_rows_is_not_resumed(path: Path, more: list[str], capsys: Any) -> None:
    write(path, made(2))
    out = ["-o", "out.jsonl", "--resume"]
    assert main(["score", str(path), "--means", *more, *out]) == 2
    assert "needs all rows of one run; omit --resume" in capsys.readouterr().err
    assert main(["score", str(path), "--means", "--resume"]) == 2
    assert "--resume needs -o OUT" in capsys.readouterr().err


def test_means_of_a_finished_run_are_told_again(path: Path, capsys: Any) -> None:
    write(path, made(4))
    command = ["score", str(path), "-m", "rouge1", "-o", "out.jsonl", "--resume", "--means"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert main(command) == 0
    assert capsys.readouterr().out == first
    assert first.splitlines()[0] == "8 rows, 8 scored, 0 null; 2 systems"


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "arrow"])
def test_the_table_does_not_depend_on_the_format(path: Path, form: str, capsys: Any) -> None:
    if form in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    write(path, made(6, topics=2))
    want = printed(capsys, path, "--ci")
    other = f"rows.{form}"
    assert main(["score", str(path), "-m", "rouge1", "-o", other, "--keep-text"]) == 0
    assert printed(capsys, Path(other), "--ci") == want
    assert printed(capsys, Path(other), "--ci", "-o", f"out.{form}") == want


def test_many_systems_and_metrics_stay_on_a_screen(path: Path, capsys: Any) -> None:
    write(path, made(2, systems=30))
    names = ",".join(f"rouge{n}" for n in range(1, 9))
    lines = printed(capsys, path, "--ci", metrics=names)
    table = lines[: next(n for n, line in enumerate(lines) if line.startswith("±"))]
    assert max(map(len, table)) <= 100
    assert "… 10 more systems: write -o FILE" in table
    assert sum(line.startswith("s3 ") for line in table) == 2  # in two parts


SUMMED = "bleu,rouge1,chrf"


def whole_of(rows: list[dict[str, Any]], samples: int = 0) -> dict[str, summeval.Score]:
    texts = [row["candidate"] for row in rows], [row["references"] for row in rows]
    return summeval.score_batch(*texts, SUMMED.split(",")).corpus(samples=samples)


def test_metrics_of_sums_have_the_score_of_the_corpus(path: Path, capsys: Any) -> None:
    write(path, rows := [*made(40, systems=1), {"candidate": None, "references": ["a"]}])
    lines = printed(capsys, path, "-w", "9", metrics=SUMMED)
    heads = [line.split()[0] for line in lines if line.split()[1:2] in (["value"], ["precision"])]
    assert heads == ["corpus", "mean", "corpus"]
    for name, score in whole_of(rows).items():
        assert cells(lines, name) == pytest.approx(list(score.values()), abs=1e-9)
    assert "corpus: the score of the sums of all rows, not a mean of rows: bleu, chrf" in lines


def test_systems_have_tables_of_means_and_of_the_corpus(path: Path, capsys: Any) -> None:
    write(path, rows := made(30))
    lines = printed(capsys, path, "-w", "9", metrics=SUMMED)
    heads = [line.split() for line in lines if line.split()[:1] in (["mean"], ["corpus"])]
    assert heads == [["corpus", "bleu.value", "chrf.value"], ["mean", "rouge1.fmeasure"]]
    for system in ("s0", "s1"):
        whole = whole_of([row for row in rows if row["system"] == system])
        found = [line.split()[1:] for line in lines if line.startswith(f"{system}  ")]
        assert [float(text) for part in found for text in part] == pytest.approx(
            [whole[name].value for name in ("bleu", "chrf", "rouge1")], abs=1e-9
        )


def test_intervals_of_the_corpus_are_those_of_the_bootstrap(path: Path, capsys: Any) -> None:
    write(path, rows := made(50, systems=1))
    lines = printed(capsys, path, "--ci", "-w", "9", metrics=SUMMED)
    told = "± half the width of the 95 % interval over 50 ids"
    assert f"{told} (Student's t; of the corpus: bootstrap of 1,000 samples)" in lines
    for name, score in whole_of(rows, samples=1000).items():
        value, half = cells(lines, name)[:2]
        if name != "rouge1":
            assert (value, half) == pytest.approx((score.value, score.half_width), abs=1e-9)
    lines = printed(capsys, path, "--ci", metrics="bleu")
    assert f"{told} (bootstrap of 1,000 samples)" in lines


def test_data_say_which_numbers_are_of_the_corpus(path: Path, capsys: Any) -> None:
    write(path, rows := made(30))
    document = json.loads(
        "\n".join(printed(capsys, path, "--output-format", "json", metrics=SUMMED))
    )
    assert document["kinds"] == {"bleu": "corpus", "rouge1": "mean", "chrf": "corpus"}
    whole = whole_of([row for row in rows if row["system"] == "s1"])
    assert document["means"][1]["bleu.value"] == pytest.approx(whole["bleu"].value, abs=1e-12)
    head, first, _ = printed(capsys, path, "--ci", "--output-format", "csv", metrics=SUMMED)
    assert head.endswith(",scores of the corpus") and first.endswith(",bleu chrf")
    assert "bleu.value half width" in head


def test_a_corpus_that_was_resumed_is_told_again(path: Path, capsys: Any) -> None:
    write(path, rows := made(30, systems=1))
    command = ["score", str(path), "-m", "bleu", "-o", "out.jsonl", "--resume", "--means"]
    for _ in range(2):
        assert main([*command, "-w", "9"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert cells(lines, "bleu")[0] == pytest.approx(whole_of(rows)["bleu"].value, abs=1e-9)


def test_a_corpus_without_scored_rows_is_nan(path: Path, capsys: Any) -> None:
    write(path, [{"candidate": None, "references": ["a"]}] * 2)
    for more in ([], ["--ci"]):
        assert "nan" in printed(capsys, path, *more, metrics="chrf")[3]
    assert np.isnan(summeval.metric("bleu").corpus([None], ["a"]).value)


def test_one_of_several_outputs_makes_the_corpus(path: Path, capsys: Any) -> None:
    write(path, rows := made(20, systems=1, samples=3))
    lines = printed(capsys, path, "--samples", "first", "-w", "9", metrics=SUMMED)
    assert cells(lines, "bleu") == pytest.approx(
        list(whole_of(rows[::3])["bleu"].values()), abs=1e-9
    )
