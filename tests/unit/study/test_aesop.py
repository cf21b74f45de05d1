"""AESOP: correlations with SciPy's numbers, the jackknife, people left out, tasks, directions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import summeval
from summeval import meta
from summeval.study.aesop import Peers, aesop, jackknifed
from summeval.table.scores import Scores

SYSTEMS = ("s1", "s2", "s3", "s4", "A", "B")
PEOPLE = ("A", "B")
TOPICS = ("t1", "t2", "t3")
GOOD = [[1, 2, 2], [3, 2, 4], [2, 4, 3], [5, 4, 4], [7, 8, 9], [8, 8, 7]]
POOR = [[3, 1, 2], [1, 2, 2], [2, 3, 2], [2, 1, 1], [4, 2, 4], [3, 3, 5]]
SAID = [[1, 1, 2], [2, 3, 3], [3, 4, 2], [4, 4, 5], [5, 5, 5], [5, 4, 5]]
TEXTS = {
    "A": "the storm hit the coast on monday",
    "B": "a storm reached the coast and cut power",
    "C": "trains stood still after the storm hit",
    "s1": "the storm hit the coast and trains stood still",
    "s2": "power was cut on monday",
}


def scores(**more):
    tables = {"good.f": GOOD, "poor.f": POOR, "said": SAID, **more}
    arrays = {name: np.array(table, dtype=float) for name, table in tables.items()}
    return Scores(SYSTEMS, TOPICS, arrays)


def rows_of(study, table="correlations", **wanted):
    rows = study.to_dict()[table]
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def peers(people=("A", "B", "C"), systems=("s1", "s2")):
    """One topic: a person has the others' texts, a system those of all people."""
    names = [*people, *systems]
    references = [[TEXTS[p] for p in people if p != name] for name in names]
    among = [name in people for name in names]
    return Peers([TEXTS[n] for n in names], references, ["t"] * len(names), among, names), names


@pytest.mark.parametrize("metric", ["good.f", "poor.f"])
def test_coefficients_are_those_of_scipy_on_the_means_of_systems(metric):
    study = aesop(scores(), ["good.f", "poor.f"], ["said"], PEOPLE)
    x, y = (np.mean(table, axis=1) for table in ({"good.f": GOOD, "poor.f": POOR}[metric], SAID))
    for kind, count in (("AllPeers", 6), ("NoModels", 4)):
        (row,) = rows_of(study, metric=metric, set=kind)
        found = [row[name] for name in ("pearson", "spearman", "kendall")]
        wanted = [
            stats.pearsonr(x[:count], y[:count])[0],
            stats.spearmanr(x[:count], y[:count])[0],
            stats.kendalltau(x[:count], y[:count])[0],
        ]
        assert found == pytest.approx(wanted)
        assert (row["systems"], row["topics"], row["human"]) == (count, 3, "said")


def test_pairs_are_those_of_single_koehn_tests():
    study = aesop(scores(), ["good.f", "poor.f"], ["said"], PEOPLE, resamples=200, seed=5)
    for kind, count in (("AllPeers", 6), ("NoModels", 4)):
        single = meta.koehn_test(GOOD[:count], POOR[:count], SAID[:count], "pearson", 200, 5)
        (row,) = rows_of(study, "koehn", set=kind)
        assert (row["a"], row["b"]) == ("good.f", "poor.f")
        assert (row["wins"], row["ties"], row["losses"]) == (
            single.wins,
            single.ties,
            single.losses,
        )
        assert row["win_rate"] == single.significance
        assert row["difference"] == single.full_a - single.full_b
        assert row["interval"] == [single.lower, single.upper]
        wins = {one["metric"]: one for one in rows_of(study, "wins", set=kind)}
        assert wins["good.f"]["poor.f"].rstrip("*") == f"{single.wins / 200:.3f}"
        assert wins["poor.f"]["good.f"].rstrip("*") == f"{single.losses / 200:.3f}"
        assert wins["good.f"]["good.f"] is None


def test_marks_go_to_the_metric_that_wins_on_95_and_99_of_100_draws():
    noise = [[9, 8, 9], [3, 2, 2], [4, 4, 1], [1, 2, 1], [1, 1, 2], [2, 1, 1]]
    study = aesop(scores(**{"noise.f": noise}), ["noise.f", "good.f"], ["said"], PEOPLE)
    (row,) = rows_of(study, "koehn", set="AllPeers")
    assert (row["better"], row["mark"], row["loss_rate"]) == ("good.f", "**", 1.0)
    assert rows_of(study, "wins", set="AllPeers", metric="good.f")[0]["noise.f"] == "1.000**"
    assert any("95 and 99" in note for note in study.notes)


def test_a_falling_metric_is_negated_and_the_table_says_so():
    turned = [[-value for value in row] for row in GOOD]
    given = scores(**{"simetrix.smoothedJSD": turned})
    study = aesop(given, ["good.f", "simetrix.smoothedJSD"], ["said"], PEOPLE)
    plain, lower_is_better = rows_of(study, set="NoModels")
    assert lower_is_better["pearson"] == pytest.approx(plain["pearson"])
    assert (plain["negated"], lower_is_better["negated"]) == (False, True)
    assert "negated" not in study.tables[0].hidden
    assert "simetrix.smoothedJSD: lower is better, so it was negated" in study.notes
    assert rows_of(study, "koehn", set="AllPeers")[0]["ties"] == 1000


def test_each_task_has_its_own_numbers():
    tasks = {"t1": "initial", "t2": "initial", "t3": "update"}
    given = Scores(
        SYSTEMS,
        (*TOPICS, "t4"),
        {
            "m.f": np.array([[*row, row[0] * 2.0] for row in GOOD]),
            "said": np.array([[*row, 7.0 - row[1]] for row in SAID]),
        },
    )
    study = aesop(given, ["m.f"], ["said"], PEOPLE, tasks={**tasks, "t4": "update"})
    rows = rows_of(study, set="AllPeers")
    assert [row["task"] for row in rows] == ["initial", "update"]
    for row, columns in zip(rows, ([0, 1], [2, 3]), strict=True):
        x, y = (given[name][:, columns].mean(axis=1) for name in ("m.f", "said"))
        assert row["pearson"] == pytest.approx(stats.pearsonr(x, y)[0])
        assert row["topics"] == 2
    assert len(study.figures) == 2
    assert len({figure.name for figure in study.figures}) == 2


def test_without_people_both_sets_are_the_same_and_a_note_says_so():
    study = aesop(scores(), ["good.f"], ["said"])
    everyone, systems = rows_of(study)
    assert everyone["set"] == "AllPeers"
    assert {**everyone, "set": "NoModels"} == systems
    assert any("no system is a person" in note for note in study.notes)
    pairs = aesop(scores(), ["good.f", "poor.f"], ["said"])
    assert [row["set"] for row in rows_of(pairs, "koehn")] == ["NoModels"]


def test_cells_without_a_value_are_left_out():
    holes = np.array(GOOD, dtype=float)
    holes[0, 0] = holes[4] = np.nan
    study = aesop(scores(**{"holes.f": holes}), ["holes.f"], ["said"], PEOPLE)
    (row,) = rows_of(study, set="AllPeers")
    kept = [0, 1, 2, 3, 5]
    x = np.nanmean(holes[kept], axis=1)
    y = np.nanmean(np.where(np.isnan(holes), np.nan, SAID)[kept], axis=1)
    assert row["pearson"] == pytest.approx(stats.pearsonr(x, y)[0])
    assert row["systems"] == 5
    assert any("holes.f: no value for A, so AllPeers" in note for note in study.notes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"said": np.full((6, 3), 3.0)}, "said is 3 in all 18 rows; no correlation"),
        ({"said": np.full((6, 3), np.nan)}, "no row has a number in said"),
        ({"good.f": np.full((6, 3), np.nan)}, "no row has a number in good.f"),
    ],
)
def test_scores_without_information_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        aesop(scores(**change), ["good.f"], ["said"], PEOPLE)


def test_one_system_one_topic_and_unknown_people_are_refused():
    with pytest.raises(ValueError, match="NoModels has 1 system; correlations of systems need two"):
        aesop(scores().choose(systems=["s1", "A", "B"]), ["good.f"], ["said"], PEOPLE)
    with pytest.raises(ValueError, match="only 1 topic has scores"):
        aesop(scores().choose(topics=["t1"]), ["good.f"], ["said"], PEOPLE)
    with pytest.raises(ValueError, match="people who are no system: Z"):
        aesop(scores(), ["good.f"], ["said"], ["Z"])


def test_people_without_human_scores_are_told_and_few_systems_once():
    said = np.array(SAID, dtype=float)
    said[4:] = np.nan
    notes = aesop(scores(said=said), ["good.f"], ["said"], PEOPLE).notes
    assert "said: no person has a value, so AllPeers is NoModels" in notes
    assert [note for note in notes if "say little" in note] == [
        "4 systems, fewer than 10: the numbers say little"
    ]
    notes = aesop(scores(), ["good.f"], ["said"], PEOPLE).notes
    assert [note for note in notes if "say little" in note] == [
        "AllPeers has 6 systems and NoModels has 4 systems, fewer than 10: the numbers say little"
    ]
    assert not any("no person has a value" in note for note in notes)


def test_equal_means_are_told():
    said = np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]] * 3)
    study = aesop(scores(said=said), ["good.f"], ["said"])
    told = "said: equal means for all 6 systems, so no correlation"
    assert told in study.notes
    assert np.isnan(rows_of(study)[0]["pearson"])
    assert not any("equal means" in note for note in aesop(scores(), ["good.f"], ["said"]).notes)
    even = aesop(scores(**{"good.f": np.ones((6, 3))}), ["good.f"], ["said"], PEOPLE)
    assert "good.f: equal means for all 4 systems, so no correlation (NoModels)" in even.notes


def test_different_numbers_of_references_of_systems_are_told():
    every = [TEXTS[p] for p in "ABC"]
    texts, people = [TEXTS["s1"], TEXTS["s2"]] * 2, [False] * 4
    references = [every, every[:2], every, every]
    _, notes = jackknifed(
        summeval.suite(["rouge1"]), Peers(texts, references, ["t", "t", "u", "u"], people, people)
    )
    told = "topics whose systems were scored against different numbers of references (1): t"
    assert notes == [told]


def test_a_metric_without_values_is_left_out_with_a_note():
    study = aesop(scores(**{"none.f": np.full((6, 3), np.nan)}), ["good.f", "none.f"], ["said"])
    assert [row["metric"] for row in rows_of(study, set="NoModels")] == ["good.f"]
    assert "none.f: left out, no row has a value" in study.notes


@pytest.mark.parametrize("name", ["rouge1", "rouge2", "tesla-s"])
def test_the_jackknife_is_that_of_leave_one_out(name):
    given, names = peers()
    found, notes = jackknifed(summeval.suite([name]), given)
    people = {person: TEXTS[person] for person in "ABC"}
    systems = {system: TEXTS[system] for system in ("s1", "s2")}
    left = meta.leave_one_out(name, systems, people)
    column = found[f"{name}.{summeval.metric(name).primary}"]
    wanted = {**left.humans, **left.peers}
    assert column.tolist() == pytest.approx([wanted[one] for one in names])
    assert notes == []


def test_the_jackknife_by_hand():
    given, names = peers()
    found, _ = jackknifed(summeval.suite(["rouge1"]), given)
    pairs = [list(two) for two in combinations([TEXTS[p] for p in "ABC"], 2)]
    single = [summeval.score(TEXTS["s1"], two, "rouge1")["rouge1"].recall for two in pairs]
    assert found["rouge1.recall"][names.index("s1")] == pytest.approx(sum(single) / 3)
    whole, _ = jackknifed(summeval.suite(["rouge1"]), given, jackknife=False)
    every = [TEXTS[p] for p in "ABC"]
    wanted = summeval.score(TEXTS["s1"], every, "rouge1")["rouge1"].recall
    assert whole["rouge1.recall"][names.index("s1")] == wanted
    assert wanted > sum(single) / 3


def test_a_persons_own_text_is_no_reference_for_it():
    given, _ = peers()
    every = [TEXTS[p] for p in "ABC"]
    same = Peers(given.candidates, [every] * 5, given.topics, given.people, given.sources)
    found, notes = jackknifed(summeval.suite(["rouge1"]), same)
    wanted, _ = jackknifed(summeval.suite(["rouge1"]), given)
    assert found["rouge1.recall"].tolist() == wanted["rouge1.recall"].tolist()
    assert notes == ["3 people had their own text among the references; it was left out"]


def test_systems_with_as_many_references_as_people_are_scored_once():
    given, names = peers(people=("A",), systems=("s1",))
    others = [TEXTS["B"], TEXTS["C"]]
    equal = Peers(given.candidates, [others, others], ["t", "t"], [True, False], names)
    found, notes = jackknifed(summeval.suite(["rouge1"]), equal)
    wanted = summeval.score(TEXTS["s1"], others, "rouge1")["rouge1"].recall
    assert found["rouge1.recall"][1] == wanted
    assert notes == []


def test_unequal_numbers_of_references_are_noted():
    every = [TEXTS[p] for p in "ABC"]
    texts = [TEXTS["A"], TEXTS["s1"], TEXTS["s2"], TEXTS["s2"]]
    references = [[TEXTS["B"]], every, every[:1], None]
    given = Peers(texts, references, ["t", "t", "u", "v"], [True, False, False, False], [None] * 4)
    found, notes = jackknifed(summeval.suite(["rouge1"]), given)
    assert notes == [
        "summaries by systems with one reference (1): no jackknife for them",
        "topics whose people have another number of references than n - 1 (1): t",
    ]
    assert np.isnan(found["rouge1.recall"]).tolist() == [False, False, False, True]


def test_metrics_that_need_no_references_are_computed_once():
    given, names = peers()
    sources = [[TEXTS["A"], TEXTS["B"]]] * len(names)
    given = Peers(given.candidates, given.references, given.topics, given.people, sources)
    found, _ = jackknifed(summeval.suite(["rouge1", "simetrix"]), given)
    wanted = summeval.metric("simetrix").score(TEXTS["s1"], source=sources[0]).unsmoothedJSD
    assert found["simetrix.unsmoothedJSD"][names.index("s1")] == pytest.approx(wanted)
