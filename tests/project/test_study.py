"""`benchmarks/people/correlation.py`: the table it prints, on made-up and on real judgements."""

from __future__ import annotations

import gzip
import importlib
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from shared import ROOT, shared

from summeval.meta import Scores, bootstrap_interval, correlation

SYSTEMS = 20


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "people"))
    return importlib.import_module("correlation")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Four systems on five topics; people liked those that kept more of the reference."""
    draw = random.Random(0)
    lines = []
    for topic in range(5):
        reference = [f"w{draw.randrange(30)}" for _ in range(20)]
        for system in range(4):
            kept = reference[: 3 + 4 * system + draw.randrange(3)]
            row: dict[str, Any] = {"topic_id": f"t{topic}", "system_id": f"s{system}"}
            row |= {"summary": " ".join(kept), "references": [" ".join(reference)]}
            row |= {"source": None, "scores": {"overall": system, "turker_overall": 1}}
            lines.append(json.dumps(row) + "\n")
    path = tmp_path / "made.jsonl.gz"
    path.write_bytes(gzip.compress("".join(lines).encode()))
    return path


def cells(lines: list[str]) -> dict[str, list[str]]:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    return {row[0]: row[1:] for row in rows}


def test_details_have_every_level_and_the_length(
    study: ModuleType, data: Path, capsys: Any
) -> None:
    scores = data.with_name("scores.jsonl")
    arguments = [str(data), "--metrics", "rouge1,paraeval", "--scores", str(scores), "--details"]
    assert study.main(arguments) == 0
    out = capsys.readouterr().out
    found = cells(out.splitlines())
    assert list(found["overall, r/ρ/τ"]) == ["system level", "summary level", "global level"]
    assert {"rouge1.recall", "rouge1.fmeasure", "paraeval.recall", "length"} < set(found)
    rows = [json.loads(line) for line in scores.read_text().splitlines()]
    tables = Scores.from_rows(rows, ["rouge1.recall", "scores.overall"])
    r = correlation(tables["rouge1.recall"], tables["scores.overall"], "pearson", "global")
    assert found["rouge1.recall"][2].split("/")[0] == f"{r:.2f}".lstrip("0")
    # The scores that were kept give the same table.
    assert study.main(arguments) == 0
    assert capsys.readouterr().out == out


def judgements(columns: dict[str, Any]) -> Scores:
    """As many systems as a system level takes, on twelve topics.

    A dimension rises with the system; another, and the length, are noise.
    """
    noise = np.random.default_rng(3).random((3, SYSTEMS, 12))
    said = np.arange(float(SYSTEMS))[:, None] + noise[0]
    tables = {"scores.said": said, "scores.other": noise[1], "length": noise[2]}
    names = [f"s{n}" for n in range(SYSTEMS)], [f"t{n}" for n in range(12)]
    return Scores(*names, {**tables, **{name: make(said) for name, make in columns.items()}})


def test_overview_has_intervals_and_stars_what_beats_length(study: ModuleType) -> None:
    scores = judgements({"good.value": lambda said: said**3, "bad.value": lambda said: said % 0.1})
    found = cells(study.overview(scores, ["bad.value", "good.value"], ["said", "other"]))
    levels = ["said, summary level", "said, system level", "other, summary level"]
    assert found["Spearman, dev"] == levels
    assert found["good.value"][0] == "1.00* [1.00, 1.00]"
    assert "*" not in "".join([*found["bad.value"], *found["**length**"]])
    noise = bootstrap_interval(scores["length"], scores["scores.said"], "spearman", "system")
    bounds = ", ".join(study.shown(bound) for bound in (noise.lower, noise.upper))
    assert found["**length**"][1] == f"{study.shown(noise.value)} [{bounds}]"


def test_few_systems_have_no_system_level(study: ModuleType) -> None:
    scores = judgements({"m.value": lambda said: said})
    tables = {name: scores[name][:-1] for name in ("scores.said", "length", "m.value")}
    few = Scores(scores.systems[:-1], scores.topics, tables)
    found = cells(study.overview(few, ["m.value"], ["said"], "unseen"))
    assert found["Spearman, unseen"] == ["said, summary level"]


def test_simple_competitors_are_shown_beside_other_fields(study: ModuleType) -> None:
    columns = ["rouge1-content.fmeasure", "rouge1-content.recall", "extractiveness.coverage"]
    assert study.one_each([*columns, "extractiveness.novel3"], None) == [
        *("rouge1-content.fmeasure", "extractiveness.coverage"),
        *("rouge1-content.recall", "extractiveness.novel3"),
    ]


def test_divergences_are_turned_round(study: ModuleType) -> None:
    scores = judgements({"m.unsmoothedJSD": lambda said: -said})
    found = cells(study.overview(scores, ["m.unsmoothedJSD"], ["said"]))
    assert found["−m.unsmoothedJSD"][0].startswith("1.00*")


def test_topics_without_a_correlation_are_told(study: ModuleType) -> None:
    scores = judgements({"m.value": lambda said: np.where(np.arange(12) < 5, said, 0.0)})
    found = cells(study.overview(scores, ["m.value"], ["said"]))
    assert found["m.value"][0].endswith("(5 topics)")
    assert "topics" not in found["**length**"][0] + found["m.value"][1]


def test_length_is_beaten_or_not_on_the_topics_of_the_metric(study: ModuleType) -> None:
    few = np.arange(12) < 3
    noise = np.random.default_rng(4).random((SYSTEMS, 12))
    made = {
        "m.value": lambda said: np.where(few, said + 3 * noise, 0.0),
        # Better on these topics, far worse on the others.
        "length": lambda said: np.where(few, said, -said),
    }
    found = cells(study.overview(judgements(made), ["m.value"], ["said"]))
    assert found["m.value"][0] > ".3"
    assert found["**length**"][0].startswith("-.50")
    assert "*" not in found["m.value"][0]


def test_a_field_can_be_chosen(study: ModuleType) -> None:
    columns = ["a.fmeasure", "a.recall", "b.value"]
    assert study.one_each(columns, None) == ["a.fmeasure", "b.value"]
    assert study.one_each(columns, "recall") == ["a.recall", "b.value"]


def test_variants_of_a_metric_have_names_of_their_own(study: ModuleType) -> None:
    for name in study.METRICS:
        metric = study.metric_of(name)
        assert metric.name == name
    assert "stopwords:rouge155" in study.metric_of("rouge1-content").signature


def test_what_cannot_be_scored_is_left_out_and_said(
    study: ModuleType, data: Path, capsys: Any
) -> None:
    assert study.main([str(data), "--metrics", "rouge1,no-such"]) == 0
    out, err = capsys.readouterr()
    assert "no-such: left out (unknown metric" in err
    assert "no-such" not in out


@pytest.mark.parametrize("name", ["realsumm", "pyrxsum"])
def test_figures_are_those_of_rouge_score(study: ModuleType, name: str) -> None:
    # rouge-score 0.1.2 on all topics of the sets; about 60 % of them are at hand.
    with gzip.open(shared(f"data/{name}.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    scored = study.scored(rows, ["rouge1", "rouge2"])
    figures = study.FIGURES[name, "litepyramid_recall"]
    for column in ("rouge1.recall", "rouge2.recall", "length"):
        tables = Scores.from_rows(scored, [column, "scores.litepyramid_recall"])
        found = study.measured(tables, column, "scores.litepyramid_recall")
        for level in ("system", "summary"):
            told = [float(figure) for figure in figures[column][level].split("/")]
            assert found[level] == pytest.approx(told, abs=0.06)


def test_costs_are_told_for_each_metric(
    study: ModuleType, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    costs = importlib.import_module("costs")
    assert costs.main([str(data), "--metrics", "rouge1,tesla-s-stem", "--rounds", "1"]) == 0
    found = cells(capsys.readouterr().out.splitlines())
    assert {"`rouge1`", "`tesla-s-stem`"} <= {*found}
    assert all(
        float(found[name][0].replace(",", "")) > 0 for name in ("`rouge1`", "`tesla-s-stem`")
    )
    assert (costs.short(1.84), costs.short(2_634.0)) == ("1.8", "2,600")


@pytest.mark.parametrize("systems", [4, 6])
def test_content_has_the_competitors_and_consensus_its_recipe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any, systems: int
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "people"))
    content = importlib.import_module("content")
    draw, rows = random.Random(1), []
    words = "river bridge storm house road winter market doctor garden music letter window".split()
    for topic in range(10):
        reference = draw.sample(words, 10)
        for system in range(systems):
            kept = draw.sample(reference, 2 + system) + draw.sample(words, 2)
            row: dict[str, Any] = {"topic_id": f"t{topic}", "system_id": f"s{system}"}
            row |= {"summary": " ".join(kept), "references": [" ".join(reference)]}
            row |= {"source": " ".join(words), "scores": {"relevance": system + draw.random()}}
            rows.append(row)
    found = content.by_topic(rows, "relevance")
    assert np.array_equal(found["consensus.value"], found["0.5"])
    same = np.array_equal(found["consensus.value"], found["r1s.recall"])
    assert same == (systems == 4)
    path = tmp_path / "summeval.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert content.main([str(tmp_path), "--split", "unseen"]) == 1
    out = capsys.readouterr().out
    table = cells(out.splitlines())
    assert table["Spearman, unseen"] == ["SummEval, relevance", "mean of the sets", "− r1s"]
    assert table["number of topics"][0] == "10"
    assert set(content.ROWS) - {"extractiveness.novel3", "extractiveness.repetition"} < {*table}
    assert table["r1s.recall"][0] == content.shown(np.mean(found["r1s.recall"]))
    assert np.allclose(
        content.mean_interval([np.array([1.0, 2.0, 3.0])])[1], (-0.4841, 4.4841), atol=1e-4
    )
    assert out.endswith("goal: missed\n")  # `consensus` is not above r1s in nearly all draws
