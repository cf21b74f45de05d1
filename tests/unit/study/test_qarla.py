"""The experiments of QARLA: each number is that of `meta.qarla` on the same similarities."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summeval
from summeval.cli.main import main
from summeval.meta import correlation, qarla
from summeval.meta.topics import TopicError, Topics
from summeval.metrics.qarla.parts import Parts
from summeval.report.figures import svg_of
from summeval.study.qarla import MOST_METRICS, study_qarla
from summeval.study.result import Study

NAMES = ["rouge1", "rouge2.recall", "rougeL"]
MODELS = {
    "t": ["a b c d", "a b c e", "a b d f", "a c d e"],
    "u": ["k l m", "k l n m", "l m n o", "m n k o l"],
    "v": ["x y z w", "y z w a", "w z b", "x y b z"],
}
PEERS = {
    "good": {"t": "a b c", "u": "k l m o", "v": "x y z"},
    "fair": {"t": "a c x y", "u": "k n q r", "v": "z q w"},
    "poor": {"t": "d q r", "u": "q l s", "v": "b"},
    "none": {"t": "q r s", "u": "a b", "v": "k l"},
}
HUMAN = {"good": 4.0, "fair": 3.5, "poor": 2.0, "none": 1.0}


def rows(systems: Any = PEERS, topics: Any = MODELS, **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{system}-{topic}",
            "system": system,
            "topic": topic,
            "candidate": PEERS[system][topic],
            "references": MODELS[topic],
            "overall": HUMAN[system] + len(topic) + place / 10,
            "scores": {"other": -HUMAN[system] if topic != "u" else None},
            **more,
        }
        for system in systems
        for place, topic in enumerate(topics)
    ]


def gathered(given: list[dict[str, Any]], humans: Any = ("overall",), people: str = "") -> Topics:
    topics = Topics(humans=humans, people=people)
    for row in given:
        topics.add(row, row["candidate"], row["references"])
    return topics


def tables(found: Study) -> dict[str, list[dict[str, Any]]]:
    return {table.name: list(table.rows) for table in found.tables}


@pytest.fixture(scope="module")
def similarities() -> list[np.ndarray]:
    parts = Parts(NAMES)
    return [
        parts.of_all([*MODELS[topic], *(texts[topic] for texts in PEERS.values())])
        for topic in MODELS
    ]


@pytest.fixture(scope="module")
def found() -> Study:
    return study_qarla(gathered(rows(), ("overall", "scores.other")), Parts(NAMES), subsets=99)


def test_king_and_jack_of_the_sets_are_means_over_topics(
    found: Study, similarities: list[np.ndarray]
) -> None:
    for row in [*tables(found)["sets"], *tables(found)["all_sets"]]:
        some = [NAMES.index(name) for name in row["set"].split("+")]
        assert row["metrics"] == len(some)
        assert row["KING"] == pytest.approx(np.mean([qarla.king(x[some], 4) for x in similarities]))
        assert row["JACK"] == pytest.approx(np.mean([qarla.jack(x[some], 4) for x in similarities]))
    assert [row["set"] for row in tables(found)["sets"][:3]] == NAMES
    kings = [row["KING"] for row in tables(found)["sets"][3:]]
    assert kings == sorted(kings, reverse=True)
    assert len(tables(found)["all_sets"]) == 7
    assert len({row["KING"] for row in tables(found)["all_sets"]}) > 1


def test_pearson_of_every_set_is_that_of_its_queens(
    found: Study, similarities: list[np.ndarray]
) -> None:
    topics = gathered(rows(), ("overall", "scores.other"))
    for row in tables(found)["all_sets"]:
        some = [NAMES.index(name) for name in row["set"].split("+")]
        queens = np.array([qarla.queens(x[some], 4) for x in similarities]).T
        for human in ("overall", "scores.other"):
            with np.errstate(all="ignore"), pytest.warns(Warning):
                wanted = correlation(queens, topics.human(human), "pearson", "system")
            assert row[human] == pytest.approx(wanted, nan_ok=True)
    other = next(row for row in tables(found)["agreement"] if row["human"] == "scores.other")
    pairs = [(row["KING"], row["scores.other"]) for row in tables(found)["all_sets"]]
    assert other["KING and pearson"] == pytest.approx(np.corrcoef(np.array(pairs).T)[0, 1])
    best = max(tables(found)["all_sets"], key=lambda row: row["scores.other"])
    assert (other["closest set"], other["its pearson"]) == (best["set"], best["scores.other"])
    assert other["sets"] == 7


def test_jack_of_subsets_is_that_of_their_rows(
    found: Study, similarities: list[np.ndarray]
) -> None:
    best = str(found.values["best_set"]).split("+")
    members = [NAMES.index(name) for name in best]
    ranked = [row["system"] for row in tables(found)["systems"]]

    def jack_of(some: Any, metrics: list[int]) -> float:
        texts = [0, 1, 2, 3, *(4 + list(PEERS).index(name) for name in some)]
        cells = [x[np.ix_(metrics, texts, texts)] for x in similarities]
        return float(np.mean([qarla.jack(cell, 4) for cell in cells]))

    for row in tables(found)["jack"]:
        size = row["systems"]
        values = [jack_of(some, members) for some in combinations(PEERS, size)]
        assert row["subsets"] == len(values)
        assert row["JACK"] == pytest.approx(np.mean(values))
        assert (row["lowest"], row["highest"]) == pytest.approx((min(values), max(values)))
        assert row["best systems"] == pytest.approx(jack_of(ranked[:size], members))
        whole = [jack_of(some, [0, 1, 2]) for some in combinations(PEERS, size)]
        assert row["all metrics"] == pytest.approx(np.mean(whole))
        assert row["added"] == ranked[size - 1]
    assert [row["systems"] for row in tables(found)["jack"]] == [2, 3, 4]
    assert len({row["JACK"] for row in tables(found)["jack"]}) > 1


def test_human_scores_named_as_columns_of_the_tables_overwrite_none(found: Study) -> None:
    named = [{**row, "KING": row["overall"], "set": row["overall"]} for row in rows()]
    named = [{**row, "QUEEN": row["overall"]} for row in named]
    made = study_qarla(gathered(named, ("KING", "set", "QUEEN")), Parts(NAMES), subsets=99)
    for table, own in (("all_sets", ("set", "metrics", "KING", "JACK")), ("systems", ("QUEEN",))):
        for row, plain in zip(tables(made)[table], tables(found)[table], strict=True):
            assert {key: row[key] for key in own} == {key: plain[key] for key in own}
            assert row["human KING"] == row["human set"] == row["human QUEEN"] == plain["overall"]
    agreement = {row["human"]: row for row in tables(made)["agreement"]}
    overall = tables(found)["agreement"][0]
    assert agreement["KING"] == {**overall, "human": "KING"}


def test_one_row_without_a_human_score_is_said_in_english() -> None:
    given = rows()
    given[0]["overall"] = None
    made = study_qarla(gathered(given), Parts(NAMES))
    assert "overall: 1 of 12 rows has no value" in made.notes


@pytest.mark.parametrize("command", [["study", "qarla"], ["qarla"]])
def test_parquet_is_read_as_json_lines(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    lines, table = tmp_path / "rows.jsonl", tmp_path / "rows.parquet"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    parquet.write_table(pa.Table.from_pylist(rows()), table)
    printed = []
    for path in (lines, table):
        assert main([*command, str(path), "-m", "rouge1", "--human", "overall"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.parametrize("command", [["study", "qarla"], ["qarla"]])
def test_an_infinite_human_score_is_not_missing_but_refused(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    given = rows()
    given[2]["overall"] = float("-inf")
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    assert main([*command, str(path), "-m", "rouge1", "--human", "overall"]) == 1
    told = capsys.readouterr().err
    assert told.endswith("row 3: 'overall' is '-inf'; give a number, or null\n")


def test_scores_are_spoken_of_only_where_a_text_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    for option in ("--human", "--system", "--topic", "--candidate-column", "--references-column"):
        for command in (["study", "qarla"], ["qarla"]):
            assert main([*command, str(path), "-m", "rouge1", option, "none"]) == 1
            told = capsys.readouterr().err
            assert "no 'none' (" in told and told.count("\n") == 1
            assert ("scores are not enough" in told) == option.endswith("-column")


def test_people_are_compared_with_systems_without_themselves(
    found: Study, similarities: list[np.ndarray]
) -> None:
    sets = {row["set"]: row["KING"] for row in tables(found)["sets"]}
    for row in tables(found)["people"]:
        some = [NAMES.index(name) for name in row["set"].split("+")]
        wins, ties, own, others = [], [], [], []
        for x in similarities:
            for model in range(4):
                rest = [m for m in range(4) if m != model]
                between = x[np.ix_(some, rest, rest)]
                mine = qarla.queen(x[np.ix_(some, [model], rest)][:, 0], between)
                peers = [
                    qarla.queen(x[np.ix_(some, [peer], rest)][:, 0], between)
                    for peer in range(4, 8)
                ]
                own.append(mine)
                others += peers
                wins += [mine > peer for peer in peers]
                ties += [mine == peer for peer in peers]
        assert row["above all"] == pytest.approx(sets[row["set"]])
        assert row["above one"] == pytest.approx(np.mean(wins))
        assert row["equal"] == pytest.approx(np.mean(ties))
        assert row["QUEEN of people"] == pytest.approx(np.mean(own))
        assert row["QUEEN of systems"] == pytest.approx(np.mean(others))


def test_the_queen_of_systems_is_a_mean_beside_the_human_scores(found: Study) -> None:
    best = str(found.values["best_set"])
    metric = summeval.metric("queen", metrics=best.split("+"))
    for row in tables(found)["systems"]:
        texts = PEERS[row["system"]]
        values = [metric.score(texts[topic], MODELS[topic]).value for topic in MODELS]
        assert row["QUEEN"] == pytest.approx(np.mean(values))
        assert row["overall"] == pytest.approx(HUMAN[row["system"]] + 1.1)
        assert row["scores.other"] == -HUMAN[row["system"]]
    assert "scores.other: 4 of 12 rows have no value" in found.notes


def test_the_options_decide(similarities: list[np.ndarray]) -> None:
    made = study_qarla(
        gathered(rows(), ()),
        Parts(NAMES),
        triples="all",
        ties="win",
        variant="both_sides",
        best=["rougeL"],
        top=1,
    )
    assert made.values["best_set"] == "rougeL"
    assert [len(row["set"].split("+")) for row in tables(made)["sets"]][:3] == [1, 1, 1]
    assert len(tables(made)["sets"]) <= 5
    for row in tables(made)["sets"]:
        some = [NAMES.index(name) for name in row["set"].split("+")]
        kings = [qarla.king(x[some], 4, "all", "win") for x in similarities]
        jacks = [qarla.jack(x[some], 4, "both_sides") for x in similarities]
        assert (row["KING"], row["JACK"]) == pytest.approx((np.mean(kings), np.mean(jacks)))
    assert "agreement" not in tables(made)
    assert made.notes[-1].startswith("no --human")
    assert [figure.name for figure in made.figures] == ["king", "jack", "people"]


def test_draws_depend_on_the_seed_alone() -> None:
    def drawn(**more: Any) -> list[float]:
        made = study_qarla(gathered(rows()), Parts(NAMES), subsets=2, **more)
        return [row["JACK"] for row in tables(made)["jack"]]

    first = drawn(seed=1)
    assert drawn(seed=1, workers=2) == first
    assert any(drawn(seed=seed) != first for seed in range(2, 6))
    sizes = study_qarla(gathered(rows()), Parts(NAMES), subsets=2)
    assert [row["subsets"] for row in tables(sizes)["jack"]] == [2, 2, 1]


def test_people_in_the_rows_are_models() -> None:
    human = [
        {"system": "human-1", "topic": topic, "candidate": texts[-1], "references": texts[:-1]}
        for topic, texts in MODELS.items()
    ]
    systems = [row | {"references": row["references"][:-1]} for row in rows()]
    wanted = study_qarla(gathered(rows(), ()), Parts(NAMES)).to_dict()
    for given in ([*human, *systems], [*systems, *human], [*rows(), *human]):
        made = study_qarla(gathered(given, (), "human-*"), Parts(NAMES)).to_dict()
        assert made == wanted


def test_systems_may_lack_topics() -> None:
    made = study_qarla(gathered(rows()[:-1]), Parts(NAMES))
    assert any(note.startswith("unbalanced: 1 of 12 cells") for note in made.notes)
    assert all(np.isfinite(row["JACK"]) for row in tables(made)["jack"])
    lone = [*rows(["good", "fair"], ["t"]), *rows(["poor"], ["u"])]
    made = study_qarla(gathered(lone, ()), Parts(NAMES), subsets=99)
    assert np.isfinite(tables(made)["jack"][0]["JACK"])  # of the only pair that shares a topic


def test_the_figures_hold_the_numbers_of_the_tables(found: Study) -> None:
    king, jack, people, agreement = found.figures
    assert list(king.series[0].y) == [row["KING"] for row in tables(found)["sets"]]
    assert list(jack.series[0].y) == [row["JACK"] for row in tables(found)["jack"]]
    names = [one.name for one in people.series]
    for one in people.series:
        assert list(one.y) == [row[one.name] for row in tables(found)["people"]]
    assert names == ["QUEEN of people", "QUEEN of systems"]
    for one in agreement.series:
        assert list(one.x) == [row["KING"] for row in tables(found)["all_sets"]]
        assert list(one.y) == [row[one.name] for row in tables(found)["all_sets"]]
        assert list(one.labels or ()) == [*NAMES, "", "", "", ""]
    assert svg_of(agreement).startswith(b"<?xml")


def test_one_metric_makes_one_set() -> None:
    made = tables(study_qarla(gathered(rows()), Parts("rouge1")))
    assert len(made["sets"]) == len(made["people"]) == len(made["all_sets"]) == 1
    assert np.isnan(made["agreement"][0]["KING and pearson"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (rows(topics=["t"]), "1 topic; QARLA's experiments need 2 topics or more"),
        (rows(["good"]), "1 system; QARLA's experiments need 2 systems or more"),
        (rows(["good", "none"]), "only 2 systems have numbers in 'overall'; give 3 or more"),
        (rows(overall=None), "no row has a number in 'overall'; choose another"),
        (rows(overall=float("nan")), "no row has a number in 'overall'; choose another"),
        (rows(overall=3), "the means of all systems in 'overall' are equal; choose another"),
        (rows(overall="high"), "row 1: 'overall' is 'high'; give a number, or null"),
        (rows(overall=True), "row 1: 'overall' is 'True'; give a number, or null"),
        (rows(overall="inf"), "row 1: 'overall' is 'inf'; give a number, or null"),
        (rows(references=["a b", "a c"]), "topic 't': 2 models for triples='pairs'; KING needs at"),
        (
            [*rows(), {**rows()[0], "system": "new", "references": ["a", "b", "c"]}],
            "row 13: its references differ from those of earlier rows of topic 't'",
        ),
        ([*rows(), rows()[0]], "row 13: system 'good' is repeated in topic 't'"),
        (rows(system="people-1"), "0 systems; QARLA's experiments need 2 systems or more"),
        (
            [*rows(topics=["t", "u"]), {**rows(topics=["v"])[0], "system": "people-1"}],
            "topic 'v': no row of a system, only of people",
        ),
        ([{**rows()[0], "overall": 1, "candidate": None}], "row 1: has no candidate"),
        (
            [{"system": "a", "topic": "t", "rouge1.fmeasure": 0.5}],
            "QARLA compares texts with each other, so scores are not enough",
        ),
        ([], "holds no rows"),
    ],
)
def test_bad_rows_are_told_in_a_line(
    given: list[dict[str, Any]], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    names = ("-m", ",".join(NAMES), "--human", "overall", "--people", "people-*")
    assert main(["study", "qarla", str(path), *names]) == 1
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("\n") == 1
    assert not told.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", ",".join(f"rougeW-1.{n}" for n in range(13))], "13 metrics; name at most 12"),
        (["-m", "simetrix"], "simetrix does not use references"),
        (["-m", "cremer"], "cremer is trained"),
        (["--subsets", "0"], "--subsets is 0; give at least 1"),
        (["--seed", "-1"], "--seed is -1; give at least 0"),
        (["--queen", "rouge7"], "--queen names 'rouge7'"),
        (["--top", "0"], "--top is 0"),
    ],
)
def test_bad_usage_is_told_in_a_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    assert main(["study", "qarla", str(path), *arguments]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_more_sets_than_can_be_listed_are_refused() -> None:
    names = [f"rougeW-1.{n}" for n in range(MOST_METRICS + 1)]
    with pytest.raises(ValueError, match=r"13 metrics have 8,191 sets; name at most 12"):
        study_qarla(gathered(rows()), Parts(names))


def test_a_topic_that_cannot_be_scored_is_named() -> None:
    with pytest.raises(TopicError, match=r"^topic 't': 2 models for triples='pairs'"):
        study_qarla(gathered(rows(references=["a", "b"])), Parts("rouge1"))


def test_the_command_prints_and_writes_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "rows.jsonl", tmp_path / "out"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    names = ("-m", "rouge1", "rouge2.recall", "rougeL", "--human", "overall,scores.other")
    given = ["study", "qarla", str(path), *names, "--no-figures"]
    assert main([*given, "-o", str(out), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    made = study_qarla(gathered(rows(), ("overall", "scores.other")), Parts(NAMES))
    assert printed["sets"] == made.to_dict()["sets"]
    assert printed["best_set"] == made.values["best_set"]
    assert printed["signatures"]["rouge1"] == summeval.metric("rouge1").signature
    files = {file.name for file in out.iterdir()}
    wanted = ["sets", "jack", "people", "systems", "agreement", "all_sets"]
    assert {f"{name}.{end}" for name in wanted for end in ("csv", "tex")} <= files
    assert "study.json" in files
    assert [figure.name for figure in made.figures] == ["king", "jack", "people", "agreement"]
    assert main(given) == 0
    assert "KING of each metric and of the best sets (figure 5)" in capsys.readouterr().out


def test_qarla_correlates_queen_with_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    names = ("-m", ",".join(NAMES), "--human", "overall,scores.other")
    assert main(["qarla", str(path), *names, "--json", "-"]) == 0
    printed = json.loads(capsys.readouterr().out)
    made = tables(study_qarla(gathered(rows(), ("overall", "scores.other")), Parts(NAMES)))
    wanted = [
        {key: row[key] for key in ("human", "pearson", "spearman", "kendall")}
        for row in made["agreement"]
    ]
    assert printed["correlations"] == wanted
    assert main(["qarla", str(path), *names]) == 0
    assert "human         pearson" in capsys.readouterr().out
    for row, said in ((rows(overall=2), "are equal"), (rows(overall=None), "no row has a number")):
        path.write_text("".join(json.dumps(one) + "\n" for one in row))
        assert main(["qarla", str(path), *names]) == 1
        assert said in capsys.readouterr().err
