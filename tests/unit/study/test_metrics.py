"""`summeval study metrics`: what is correlated and tested, what is kept, what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import scipy.stats

import summeval
from summeval.cli.main import main
from summeval.metrics.own import known
from summeval.study.metrics import HALVES, JudgedSet, agreement, mean_interval, metrics

WORDS = "storm coast wind rain flood road train bridge house tree".split()
SYSTEMS, TOPICS = "abcdefgh", range(6)
DRAWS = {"resamples": 20}


def rows():
    """The content of a summary is the number of words that it has of its reference."""
    found = []
    for topic in TOPICS:
        for place, system in enumerate(SYSTEMS):
            said = (place * 3 + topic) % len(SYSTEMS)
            row = {"system": system, "topic": f"t{topic}", "references": [" ".join(WORDS)]}
            row["candidate"] = " ".join([*WORDS[:said], *["dogs"] * (9 + place * 5 % 8 - said)])
            row["scores"] = {"content": said, "age": place if topic else None}
            found.append(row | {"source": " ".join(WORDS[::-1])})
    return found


def judged(name="one", **more):
    given = rows()
    return JudgedSet(
        name,
        [row["system"] for row in given],
        [row["topic"] for row in given],
        [row["candidate"] for row in given],
        [row["references"] for row in given],
        [[row["source"]] for row in given],
        {"content": [row["scores"]["content"] for row in given], **more},
    )


def table(study, name):
    (found,) = (one for one in study.tables if one.name == name)
    return found.rows


def row_of(study, name, metric, **where):
    (found,) = (
        row
        for row in table(study, name)
        if row["metric"] == metric and where.items() <= row.items()
    )
    return found


def test_a_metric_that_counts_what_people_count_is_best_in_both_tables():
    study = metrics([judged()], [summeval.metric("rouge1")], ["rouge1.recall"], **DRAWS)
    best = row_of(study, "agreement", "rouge1.recall")
    assert math.isclose(best["correlation"], 1)
    assert best["topics"] == len(TOPICS)
    assert best["above length"] == pytest.approx(4 / 2**8, abs=0.005)  # the least of 4 metrics
    assert math.isclose(row_of(study, "means", "rouge1.recall")["mean"], 1)
    assert row_of(study, "means", "rouge1.recall")["cost"] > 0
    assert row_of(study, "means", "r1s.recall")["minus r1s"] is None
    names = {row["metric"] for row in table(study, "agreement")}
    assert names > {"r1s.recall", "length", "extractiveness.novel3"}


def test_the_mean_of_a_metric_is_that_of_its_topics_in_scipy():
    study = metrics([judged()], [summeval.metric("rouge1")], ["rouge1.precision"], **DRAWS)
    one = judged()
    table = summeval.metric("rouge1").score_batch(one.candidates, one.references)
    scores = table["rouge1.precision"]
    shape = len(TOPICS), len(SYSTEMS)
    sides = zip(np.reshape(scores, shape), np.reshape(one.human["content"], shape), strict=True)
    wanted = [scipy.stats.spearmanr(*side).statistic for side in sides]
    middle, bounds = mean_interval([np.array(wanted)])
    found = row_of(study, "means", "rouge1.precision")
    assert math.isclose(found["mean"], middle)
    assert np.allclose(found["interval"], bounds)
    reach = scipy.stats.t.interval(0.95, 5, np.mean(wanted), scipy.stats.sem(wanted))
    assert np.allclose(bounds, reach)


def test_lower_is_better_is_turned_round_and_said():
    study = metrics([judged()], [summeval.metric("simetrix")], ["simetrix.unsmoothedJSD"], **DRAWS)
    assert row_of(study, "agreement", "simetrix.unsmoothedJSD")["correlation"] > 0.9
    assert any("negated" in note and "unsmoothedJSD" in note for note in study.notes)


def test_a_set_with_one_summary_of_each_topic_is_correlated_over_its_rows():
    one = judged()
    single = JudgedSet(
        "single",
        ["x"] * len(one.topics),
        [str(place) for place in range(len(one.topics))],
        *(one.candidates, one.references, None, one.human),
    )
    study = metrics([single], [summeval.metric("rouge1")], ["rouge1.recall"], **DRAWS)
    assert [part.name for part in study.tables] == ["agreement"]
    found = row_of(study, "agreement", "rouge1.recall")
    assert found["level"] == "global"
    assert math.isclose(found["correlation"], 1)
    assert found["above length"] <= 0.01


def test_what_a_set_lacks_is_left_out_with_a_note():
    one = judged()
    bare = JudgedSet(
        "bare", one.systems, one.topics, one.candidates, None, one.sources, dict(one.human)
    )
    study = metrics([one, bare], [summeval.metric("rouge1")], ["rouge1.recall"], **DRAWS)
    assert "bare: rouge1 left out, the set lacks what it reads" in study.notes
    assert row_of(study, "means", "rouge1.recall")["sets"] == 1
    assert row_of(study, "means", "length")["sets"] == 2
    assert row_of(study, "agreement", "length", set="bare")["above r1s"] is None


def test_the_halves_have_all_topics_once_and_the_same_in_each_set():
    one, other = judged("one"), judged("other")
    parts = [[set(some.half(split).topics) for split in HALVES] for some in (one, other)]
    assert parts[0] == parts[1]
    assert not parts[0][0] & parts[0][1]
    assert parts[0][0] | parts[0][1] == set(one.topics)
    study = metrics([one], [summeval.metric("rouge1")], split="tune", **DRAWS)
    assert row_of(study, "agreement", "length")["topics"] == len(parts[0][0])
    with pytest.raises(ValueError, match="split"):
        one.half("dev")


def test_dimensions_without_differences_are_left_out():
    study = metrics([judged(same=[1] * 48)], [summeval.metric("rouge1")], **DRAWS)
    assert {row["human"] for row in table(study, "agreement")} == {"content"}
    assert "one: same left out, its scores do not differ" in study.notes


def test_each_set_and_dimension_has_a_picture_of_its_own_metrics():
    study = metrics([judged(b=list(range(48)))], [summeval.metric("rouge1")], **DRAWS)
    names = [figure.name for figure in study.figures]
    assert names == ["means", "one-content", "one-b"]
    (series,) = study.figures[2].series
    told = [row_of(study, "agreement", name, human="b")["correlation"] for name in series.x]
    assert np.array_equal(told, series.y, equal_nan=True)


def test_no_metric_is_better_than_itself():
    people = np.arange(24.0).reshape(8, 3)
    found = agreement({"a": people, "b": -people}, people, ["a"], resamples=20)
    assert math.isnan(found[0]["above a"])
    assert found[1]["above a"] > 0.9


def counted(candidate, references):
    """A metric of a user's; `calls` says how often it was used."""
    calls.append(candidate)
    return float(len(set(candidate.split()) & set(references[0].split())))


calls: list[str] = []


@pytest.fixture
def own():
    summeval.register("counted", counted)
    calls.clear()
    yield summeval.metric("counted")
    summeval.unregister("counted")


def test_scores_are_found_again_unless_texts_changed(tmp_path, own):
    path = str(tmp_path / "scores.jsonl")
    first = metrics([judged()], [own], kept=path, **DRAWS)
    many = len(calls)
    again = metrics([judged()], [own], kept=path, **DRAWS)
    assert len(calls) == many > 0
    assert repr(again.to_dict()) == repr(first.to_dict())
    one = judged()
    one.candidates[0] += " storm storm"
    metrics([one], [own], kept=path, **DRAWS)
    assert len(calls) > many


def test_half_a_line_of_a_killed_run_is_written_again(tmp_path, own):
    path = tmp_path / "scores.jsonl"
    first = metrics([judged()], [own], kept=str(path), **DRAWS)
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 20])
    again = metrics([judged()], [own], kept=str(path), **DRAWS)
    assert repr(table(again, "agreement")) == repr(table(first, "agreement"))
    lines = path.read_text().splitlines()
    assert [line.endswith("}") for line in lines] == [True, True, False, True]


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    (tmp_path / "metrics_of_mine.py").write_text(
        "def shared(candidate, references):\n"
        "    return len(set(candidate.split()) & set(references[0].split()))\n"
    )
    return str(path)


def test_the_command_with_a_metric_of_the_user(file, tmp_path, capsys):
    command = ["study", "metrics", file, "-m", "rouge1.recall", "--own", "metrics_of_mine:shared"]
    command += ["--bootstrap", "20", "-o", str(tmp_path / "out"), "--no-figures"]
    try:
        assert main([*command, "--format", "json"]) == 0
    finally:
        summeval.unregister("shared")
    found = json.loads(capsys.readouterr().out)
    assert {row["human"] for row in found["agreement"]} == {"content", "age"}
    (own,) = (
        row
        for row in found["agreement"]
        if (row["metric"], row["human"]) == ("shared.value", "content")
    )
    assert math.isclose(own["correlation"], 1)
    assert (tmp_path / "out" / "scores.jsonl").exists()
    assert (tmp_path / "out" / "means.csv").exists()


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ("--human none", 1, "'none'"),
        ("--own metrics_of_mine", 2, "write MODULE:FUNCTION"),
        ("--own metrics_of_mine:none", 2, "metrics_of_mine has no none"),
        ("--own nowhere:none", 2, "No module named 'nowhere'"),
        ("-m rouge1.nothing", 2, "rouge1 has no 'nothing'"),
        ("--split dev", 2, "dev"),
    ],
)
def test_one_line_says_what_is_wrong(file, capsys, more, status, said):
    assert main(["study", "metrics", file, *more.split()]) == status
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line


def test_a_function_of_ones_own_that_scores_nothing_is_an_error(tmp_path, monkeypatch, capsys):
    (tmp_path / "mine_fails.py").write_text(
        "def broken(candidate, references):\n    raise RuntimeError('no')\n"
    )
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(known, "_KNOWN", dict(known._KNOWN))  # it is forgotten after the test
    command = ["study", "metrics", str(path), "-m", "rouge1", "--bootstrap", "10"]
    assert main([*command, "--own", "mine_fails:broken"]) == 1
    out, err = capsys.readouterr()
    assert "rouge1.fmeasure" in out and "broken left out" in out
    assert "set.jsonl" in err or "set: " in err
    assert "broken could score no set" in err
