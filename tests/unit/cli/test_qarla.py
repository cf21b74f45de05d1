"""`summeval qarla`: rows in, sets of metrics and systems out."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summeval
from summeval.cli.main import main
from summeval.meta import qarla

DEMO = str(files("summeval.cli") / "data" / "demo.jsonl")
MODELS = ["a b c d", "a b c e", "a b d f", "a c d e"]
PEERS = {"good": "a b c", "poor": "a x y", "none": "q r s"}


def row(system: str, topic: str = "t", **other: Any) -> dict[str, Any]:
    made = {"id": 1, "system": system, "topic": topic, "candidate": PEERS.get(system, "z")}
    return {**made, "references": MODELS, **other}


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def report(*arguments: str, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["qarla", *arguments, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_sets_are_those_of_all_pairs_of_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "rows.jsonl", [row(system) for system in PEERS])
    found = report(path, "-m", "rouge1,rouge2.recall", capsys=capsys)
    texts = [*MODELS, *PEERS.values()]
    scored = [[summeval.score(c, r, ["rouge1", "rouge2"]) for r in texts] for c in texts]
    x = np.array(
        [
            [[cell["rouge1"].fmeasure for cell in line] for line in scored],
            [[cell["rouge2"].recall for cell in line] for line in scored],
        ]
    )
    sets = qarla.metric_sets(x, 4, names=["rouge1", "rouge2.recall"])
    assert found["sets"] == [
        {"metrics": list(one.metrics), "king": one.king, "jack": one.jack} for one in sets.best()
    ]
    members = [["rouge1", "rouge2.recall"].index(name) for name in found["queen"]["metrics"]]
    queens = dict(zip(PEERS, qarla.queens(x[members], 4).tolist(), strict=True))
    assert found["queen"]["systems"] == queens
    assert found["metrics"] == {"rouge1": "rouge1.fmeasure", "rouge2.recall": "rouge2.recall"}
    assert found["signatures"]["rouge1"] == summeval.metric("rouge1").signature


def test_topics_count_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = [row(system) for system in PEERS]
    two = [row(system, "u", references=[*MODELS, "x y a"]) for system in list(PEERS)[:2]]
    alone = [
        report(write(tmp_path / "rows.jsonl", rows), "-m", "rouge1", capsys=capsys)
        for rows in (one, two)
    ]
    both = report(write(tmp_path / "rows.jsonl", one + two), "-m", "rouge1", capsys=capsys)
    for measure in ("king", "jack"):
        means = sum(found["sets"][0][measure] for found in alone) / 2
        assert both["sets"][0][measure] == pytest.approx(means)
    for system, value in both["queen"]["systems"].items():
        known = [found["queen"]["systems"].get(system) for found in alone]
        present = [queen for queen in known if queen is not None]
        assert value == pytest.approx(sum(present) / len(present))
    assert both["topics"]["u"] == {"models": 5, "peers": 2}


def test_a_design_that_is_not_balanced_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "rows.jsonl", [row("good"), row("poor"), row("good", "u")])
    notes = [
        "unbalanced: 1 of 4 cells have no row; systems with missing topics (1): poor",
        "topics with one system (1): u",
    ]
    assert report(path, "-m", "rouge1", capsys=capsys)["notes"] == notes
    assert main(["qarla", path, "-m", "rouge1"]) == 0
    assert capsys.readouterr().out.endswith("".join(f"note: {note}\n" for note in notes))


def test_options_choose_the_reading(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--ties", "win", "--triples", "all", "--jack", "both_sides", "--queen", "rouge2")
    found = report(DEMO, "-m", "rouge1,rouge2", *options, "--workers", "2", capsys=capsys)
    assert [found[key] for key in ("triples", "ties", "jack")] == ["all", "win", "both_sides"]
    assert found["queen"]["metrics"] == ["rouge2"]
    assert len(found["sets"]) == 3


def test_the_table_shows_the_best_sets_and_every_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sets.json"
    assert (
        main(["qarla", DEMO, "-m", "rouge1,rouge2,rougeW-1.2", "--top", "2", "--json", str(out)])
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "6 topics with 3 to 4 references each, 4 systems; the best 2 of 7 sets of metrics"
    )
    assert lines[2].split() == ["set", "KING", "JACK"]
    best = json.loads(out.read_text())
    for line, one in zip(lines[3:5], best["sets"], strict=False):
        assert line.split() == [
            "+".join(one["metrics"]),
            f"{one['king']:.4f}",
            f"{one['jack']:.4f}",
        ]
    assert [line.split()[0] for line in lines[7:]] == list(best["queen"]["systems"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row("good", references=MODELS[:2])], "topic 't': 2 models for triples='pairs'; KING"),
        ([row("good"), row("good")], "row 2: system 'good' is repeated in topic 't'"),
        (
            [row("good"), row("poor", references=MODELS[:3])],
            "row 2: its references differ from those",
        ),
        ([row("good", candidate=5)], "row 1: 'candidate' is '5'; give a text or null\n"),
        ([row("good", candidate=None)], "row 1: has no candidate"),
        ([row("good", references=[])], "row 1: has no references"),
        ([row("good", topic=None)], "row 1: 'topic' is empty; give the topic of every row"),
        ([row("")], "row 1: 'system' is empty"),
        ([row("good", topic=["t"])], "row 1: 'topic' is not a name; give the topic as a text"),
        ([{"candidate": "a", "references": MODELS, "topic": "t"}], "row 1: no 'system' (there is"),
        ([], "holds no rows"),
    ],
)
def test_bad_rows_are_named(
    rows: list[dict[str, Any]], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["qarla", write(tmp_path / "rows.jsonl", rows)]) == 1
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", ",".join(f"rouge1.recall,rougeW-1.{i}" for i in range(1, 22))], "at most 20"),
        (["-m", "rouge1.recal"], "rouge1 has no 'recal'; it has precision, recall, fmeasure"),
        (["-m", "rogue1"], "unknown metric 'rogue1'"),
        (["--queen", "rouge7"], "--queen names 'rouge7'; choose from rouge1"),
        (["--queen", ","], "--queen is empty; pass one or more metrics"),
        (["--top", "0"], "--top is 0"),
        (["--workers", "0"], "--workers takes"),
    ],
)
def test_bad_usage_is_told(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["qarla", DEMO, *arguments]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_as_many_metrics_as_have_sets_and_no_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(qarla, "MOST_METRICS", 2)
    assert main(["qarla", DEMO, "-m", "rouge1,rouge2"]) == 0
    assert main(["qarla", DEMO, "-m", "rouge1,rouge2,rougeL"]) == 2
    assert "3 metrics; name at most 2" in capsys.readouterr().err


def test_a_distance_is_negated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "rows.jsonl", [row(system) for system in PEERS])
    names = ("-m", "rouge1.recall", "rouge2.precision")  # blanks do as commas
    plain = report(path, *names, capsys=capsys)
    assert plain["higher_is_better"] == {"rouge1.recall": True, "rouge2.precision": True}
    score_batch = summeval.Suite.score_batch

    def turned(self: Any, *arguments: Any, **options: Any) -> Any:
        table = score_batch(self, *arguments, **options)
        return {name: -table[name] for name in table.columns}

    # The same numbers as distances: all of QARLA stays as it was.
    monkeypatch.setattr(summeval.Suite, "score_batch", turned)
    wrong = report(path, *names, capsys=capsys)
    assert wrong["sets"] != plain["sets"]
    monkeypatch.setattr(summeval.Rouge, "lower_is_better", frozenset({"recall", "precision"}))
    found = report(path, *names, capsys=capsys)
    assert (found["sets"], found["queen"]) == (plain["sets"], plain["queen"])
    assert found["higher_is_better"] == {"rouge1.recall": False, "rouge2.precision": False}
    assert main(["qarla", path, *names]) == 0
    out = capsys.readouterr().out
    assert "note: rouge1.recall: lower means more similar, so it was negated" in out.splitlines()


def judged_rows(numbers: dict[str, float], people: list[float]) -> list[dict[str, Any]]:
    """Rows of systems and of people, with the numbers of a judge."""
    rows = [row(system, gpt=numbers[system]) for system in PEERS]
    for place, number in enumerate(people):
        rows.append(row(f"human{place}", gpt=number) | {"candidate": MODELS[place]})
    return rows


def test_the_numbers_of_a_judge_are_similarities_with_every_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = {"good": 3.0, "poor": 4.5, "none": 1.0}
    people = [5.0, 4.7, 3.5, 2.0]
    path = write(tmp_path / "rows.jsonl", judged_rows(numbers, people))
    asked = ("-m", "rouge1,gpt", "--people", "human*", "--queen", "gpt")
    found = report(path, *asked, capsys=capsys)
    texts = [*MODELS, *PEERS.values()]
    rouge = [[summeval.score(c, r, ["rouge1"])["rouge1"].value for r in texts] for c in texts]
    own = np.array([*people, *numbers.values()])
    x = np.array([rouge, np.repeat(own[:, None], len(own), axis=1)])
    sets = qarla.metric_sets(x, 4, names=["rouge1", "gpt"])
    assert found["sets"] == [
        {"metrics": list(one.metrics), "king": one.king, "jack": one.jack} for one in sets.best()
    ]
    alone = {tuple(one["metrics"]): one["king"] for one in found["sets"]}
    assert alone["gpt",] == 1 / 4  # one person of four is above the best system
    # The share of people whom a system reaches.
    assert found["queen"]["systems"] == {"poor": 0.5, "good": 0.25, "none": 0.0}
    assert (found["metrics"]["gpt"], found["higher_is_better"]["gpt"]) == ("gpt", True)
    turned = report(path, *asked, "--lower-is-better", "gpt", capsys=capsys)
    assert turned["queen"]["systems"]["none"] == 1.0
    assert turned["higher_is_better"]["gpt"] is False


@pytest.mark.parametrize(
    ("arguments", "rows", "line"),
    [
        (["-m", "gpt"], judged_rows(dict.fromkeys(PEERS, 1), []), "unknown metric 'gpt'"),
        (
            ["-m", "rouge1", "gpt"],
            judged_rows(dict.fromkeys(PEERS, 1), []),
            "a reference has no number in 'gpt'; give people rows",
        ),
        (["-m", "rouge1", "gtp"], judged_rows(dict.fromkeys(PEERS, 1), []), "no 'gtp' (did you me"),
        (["-m", "rouge1", "--lower-is-better", "x"], [row("good")], "--lower-is-better names 'x'"),
    ],
)
def test_columns_of_judges_that_cannot_be_used(
    arguments: list[str],
    rows: list[dict[str, Any]],
    line: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write(tmp_path / "rows.jsonl", rows)
    assert main(["qarla", path, *arguments]) in (1, 2)
    assert line in capsys.readouterr().err


def test_columns_are_named_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"system": "model", "topic": "doc", "candidate": "answer"}
    rows = [row(system) for system in PEERS]
    usual = report(write(tmp_path / "a.jsonl", rows), "-m", "rouge1", capsys=capsys)
    turned = [{names.get(key, key): value for key, value in one.items()} for one in rows]
    mapping = ",".join(f"{what}={column}" for what, column in names.items())
    path = write(tmp_path / "b.jsonl", turned)
    found = report(path, "-m", "rouge1", "--columns", mapping, capsys=capsys)
    assert found["sets"] == usual["sets"]
