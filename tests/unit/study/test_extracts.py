"""The study of extracts: what it computes, and how it ends."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from pytest import approx
from shared import shared

import summeval
from summeval.cli.main import main
from summeval.metrics.pyramid import ExtractRanker, PositionPyramid, select
from summeval.metrics.pyramid.extract_documents import read_extracts
from summeval.study.extracts import Settings, extracts, folds_of

NAMES = ["lead", "random", "longest", "order0", "chain", "skip-chain", "people", "optimal"]
WORDS = "plan vote meet build test move cost time team draft page list".split()


def rows_of(topics=6, annotators=3, seed=0):
    """Documents whose questions people tend to select."""
    chance = np.random.default_rng(seed)
    rows = []
    for topic in range(topics):
        texts, asked = [], []
        for _ in range(12):
            words = " ".join(chance.choice(WORDS, chance.integers(2, 9)))
            asked.append(bool(chance.random() < 0.4))
            texts.append(f"Shall we {words}?" if asked[-1] else f"{words}")
        for who in range(annotators):
            drawn = chance.random(12)
            extract = [n for n in range(12) if drawn[n] < (0.8 if asked[n] else 0.1)]
            rows.append(
                {
                    "topic": f"t{topic}",
                    "annotator": f"a{who}",
                    "utterances": texts,
                    "extract": extract,
                    "speakers": ["ab"[n % 3 == 0] for n in range(12)],
                }
            )
    return rows


ROWS = rows_of()
FEW = Settings(draws=3, resamples=50, folds=2)


def table(found, name):
    return next(one.rows for one in found.tables if one.name == name)


def by_name(found, name="systems"):
    return {row["name"]: row for row in table(found, name)}


@pytest.fixture(scope="module")
def study():
    return extracts(read_extracts(ROWS), FEW)


def test_the_systems_are_those_of_the_paper(study):
    rows = table(study, "systems")
    assert [row["name"] for row in rows] == NAMES
    for row in rows:
        assert row["interval"][0] <= row["P"] <= row["interval"][1]
        assert row["of_people"] == row["P"] / by_name(study)["people"]["P"]
    found = by_name(study)
    assert found["random"]["P"] < found["order0"]["P"] <= found["optimal"]["P"] <= 1.0
    assert found["people"]["of_people"] == 1.0
    share = study.values["word_share"]
    assert found["people"]["words"] == approx(share)
    assert all(found[name]["words"] <= share for name in NAMES if name != "people")


def test_people_and_lead_are_those_of_the_position_pyramid(study):
    metric, human, lead, optimal = PositionPyramid(), [], [], []
    shares = []
    for one in read_extracts(ROWS):
        texts = one.document.utterances
        places = [
            [(n, k) for k in range(len(summeval.text.tokens(t)))] for n, t in enumerate(texts)
        ]
        total = sum(map(len, places))
        models = [[place for n in extract for place in places[n]] for extract in one.extracts]
        human.append(metric.leave_one_out(models).human_mean)
        shares += [len(model) / total for model in models]
    share = sum(shares) / len(shares)
    for one in read_extracts(ROWS):
        texts = one.document.utterances
        places = [
            [(n, k) for k in range(len(summeval.text.tokens(t)))] for n, t in enumerate(texts)
        ]
        models = [[place for n in extract for place in places[n]] for extract in one.extracts]
        budget = int(share * sum(map(len, places)))
        for kept, call in ((lead, metric.lead), (optimal, metric.optimal)):
            chosen = call(places, one.extracts, budget).selected
            peer = [place for n in chosen for place in places[n]]
            kept.append(metric.leave_one_out(models, peer).peer_mean)
    assert study.values["word_share"] == approx(share)
    found = by_name(study)
    assert found["people"]["P"] == approx(np.mean(human))
    assert found["lead"]["P"] == approx(np.mean(lead))
    assert found["optimal"]["P"] == approx(np.mean(optimal))


def test_a_ranker_is_trained_on_the_other_folds(study):
    documents = read_extracts(ROWS)
    scores = {}
    for held in folds_of(6, FEW):
        others = [documents[n] for n in range(6) if n not in held]
        ranker = ExtractRanker().fit(
            [one.document for one in others], [one.extracts for one in others]
        )
        for n in held:
            one = documents[n]
            texts = one.document.utterances
            words = sum(len(summeval.text.tokens(text)) for text in texts)
            budget = int(study.values["word_share"] * words)
            chosen = select(texts, ranker.rank(list(texts)), budget)
            metric = PositionPyramid()
            places = [
                [(k, w) for w in range(len(summeval.text.tokens(text)))]
                for k, text in enumerate(texts)
            ]
            models = [[place for k in each for place in places[k]] for each in one.extracts]
            peer = [place for k in chosen for place in places[k]]
            scores[n] = metric.leave_one_out(models, peer).peer_mean
    # Rankers of the study know the speakers, those above do not; the questions decide.
    assert by_name(study)["order0"]["P"] == approx(np.mean(list(scores.values())), abs=0.1)
    assert sorted(n for held in folds_of(6, FEW) for n in held) == list(range(6))


def test_rouge_is_that_of_all_annotators_but_oneself(study):
    recalls, lead = [], []
    metric = summeval.metric("rouge1", aggregate="average")
    for one in read_extracts(ROWS):
        texts = ["\n".join(one.document.utterances[n] for n in each) for each in one.extracts]
        for n, text in enumerate(texts):
            recalls.append(metric.score(text, texts[:n] + texts[n + 1 :]).recall)
        words = [len(summeval.text.tokens(text)) for text in one.document.utterances]
        budget = int(study.values["word_share"] * sum(words))
        first = select(one.document.utterances, range(0, -12, -1), budget)
        text = "\n".join(one.document.utterances[n] for n in first)
        lead.append(metric.score(text, texts).recall)
    assert by_name(study, "rouge")["people"]["rouge1"] == approx(np.mean(recalls))
    assert by_name(study, "rouge")["lead"]["rouge1"] == approx(np.mean(lead))
    assert by_name(study, "rouge")["lead"]["rouge2"] < by_name(study, "rouge")["lead"]["rougeLsum"]


def test_differences_are_those_of_p(study):
    found = by_name(study)
    for row in table(study, "differences"):
        assert row["beside"] == "order0"
        wanted = found[row["name"]]["P"] - found["order0"]["P"]
        assert row["difference"] == approx(wanted)
        assert row["interval"][0] <= row["difference"] <= row["interval"][1]
    assert [row["name"] for row in table(study, "differences")] == ["chain", "skip-chain"]


def test_predictions_select_no_more_than_the_predicted(study):
    ways = {(row["name"], row["rank_by"]): row for row in table(study, "rank_by")}
    assert len(ways) == 9
    for name in ("order0", "chain", "skip-chain"):
        assert ways[name, "posterior"]["P"] == by_name(study)[name]["P"]
        assert ways[name, "prediction"]["words"] <= ways[name, "posterior"]["words"]
    assert ways["order0", "cost"]["P"] == ways["order0", "posterior"]["P"]


def test_the_order_of_rows_does_not_matter():
    settings = Settings(["skip-chain"], draws=2, resamples=20, folds=2)
    found = [extracts(read_extracts(rows), settings).to_dict() for rows in (ROWS, ROWS[::-1])]
    assert found[0] == found[1]


def test_another_seed_draws_other_folds_and_extracts(study):
    other = extracts(read_extracts(ROWS), Settings(["order0"], draws=3, resamples=50, seed=1))
    found = by_name(other)
    assert found["random"]["P"] != by_name(study)["random"]["P"]
    assert found["lead"]["P"] == by_name(study)["lead"]["P"]
    assert other.settings["folds"] == 5
    assert [one.name for one in other.tables] == ["systems", "rouge", "rank_by"]


def test_several_orders_and_normalisations_are_named():
    settings = Settings(["order0", "chain"], [1, 2], ["global", "local"], draws=1, resamples=5)
    found = extracts(read_extracts(rows_of(3)), settings)
    assert found.settings["folds"] == 3  # as many as there are documents
    names = [row["name"] for row in found.tables[0].rows]
    chains = ["chain-1-global", "chain-2-global", "chain-1-local", "chain-2-local"]
    assert names[3:8] == ["order0", *chains]


def test_documents_with_tangled_links_are_counted():
    rows = rows_of(2, annotators=2)
    texts = [*rows[0]["utterances"] * 4]
    tangled = [[n, n - 24] for n in range(24, 48)]  # 24 links are open at a time
    rows = [row | {"utterances": texts, "speakers": None} for row in rows]
    rows = [row | {"links": tangled} if row["topic"] == "t0" else row for row in rows]
    rows = [row | {"links": []} if row["topic"] == "t1" else row for row in rows]
    found = extracts(read_extracts(rows), Settings(["skip-chain"], draws=1, resamples=5))
    assert found.notes == [
        "skip-chain: 1 of 2 documents have too tangled links for exact inference and were ranked by"
        " loopy sum-product"
    ]


def test_documents_of_one_annotator_are_left_out_and_named():
    rows = [*ROWS, ROWS[0] | {"topic": "alone"}]
    found = extracts(read_extracts(rows), Settings(["order0"], draws=1, resamples=5, folds=2))
    assert found.notes == ["left out, because they have one annotator: alone"]
    assert found.settings["documents"] == 6


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


QUICK = ["--draws", "2", "--bootstrap", "20"]


def test_the_command_prints_json_and_writes_every_file(tmp_path, capsys):
    rows = write(tmp_path / "rows.jsonl", ROWS)
    asked = ["study", "extracts", rows, "--model", "order0,chain", "--folds", "2", *QUICK]
    assert main([*asked, "--format", "json", "-o", str(tmp_path / "out")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in found["systems"]] == [n for n in NAMES if n != "skip-chain"]
    assert {"name", "P", "interval"} <= found["systems"][0].keys()
    assert 0 < found["word_share"] < 1
    assert found["settings"]["folds"] == 2
    assert found["signatures"]["chain"].startswith("extract-ranker|model:chain|order:1|")
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    tables = ["differences", "rank_by", "rouge", "systems"]
    kinds = {*(f"{name}.csv" for name in tables), *(f"{name}.tex" for name in tables)}
    assert set(written) == kinds | {"rank_by.svg", "systems.svg", "study.json"}


ONE = [row for row in ROWS if row["topic"] == "t0"]
BAD = {
    "one topic": (ONE, [], "1 document with two annotators; folds need two topics or more"),
    "one annotator": (
        [row for row in ROWS if row["annotator"] == "a0"],
        [],
        "no document has two annotators, but people are scored by leaving one out; give rows of two"
        " annotators or more on each topic",
    ),
    "none selected": (
        [row | {"extract": []} for row in ROWS],
        [],
        "no utterance is selected in any extract; a ranker needs both kinds",
    ),
    "all selected": (
        [row | {"extract": list(range(12))} for row in ROWS],
        [],
        "every utterance is selected in every extract; a ranker needs both kinds",
    ),
    "constant in a fold": (
        [row | ({} if row["topic"] == "t5" else {"extract": []}) for row in ROWS],
        ["--folds", "6"],
        "training without topic 't5': no utterance is chosen in the extracts; a model needs both"
        " kinds",
    ),
    "folds": (ROWS, ["--folds", "7"], "7 folds of 6 documents; give a number of folds from 2 to 6"),
    "column": (
        ROWS,
        ["--extract-column", "kept"],
        "no 'kept' (there is 'topic', 'annotator', 'utterances', 'extract', 'speakers');"
        " choose the column with --extract-column",
    ),
    "null": (
        [ROWS[0] | {"extract": None}, *ROWS[1:]],
        [],
        "row 1 has no 'extract'; add it, or name another column",
    ),
    "fraction": (
        [ROWS[0] | {"extract": [2.0]}, *ROWS[1:]],
        [],
        "row 1: 'extract' holds 2.0; give whole numbers",
    ),
    "texts": (
        [dict.fromkeys(("topic", "annotator", "utterances", "extract"), "0, 2")],
        [],
        "'utterances' and 'extract' are lists, which CSV cannot hold; give JSON Lines or Parquet",
    ),
    "extract": (
        [*ROWS, ROWS[0] | {"annotator": "z", "extract": [12]}],
        [],
        "row 19: 'extract' selects utterance 12 of 12, which are numbered from 0; correct it",
    ),
    "empty": (
        [ROWS[0] | {"utterances": []}],
        [],
        "row 1: 'utterances' holds no utterances; give one or more",
    ),
}


@pytest.mark.parametrize(("rows", "more", "message"), BAD.values(), ids=BAD)
def test_bad_data_is_one_line(tmp_path, capsys, rows, more, message):
    path = write(tmp_path / "rows.jsonl", rows)
    assert main(["study", "extracts", path, "--model", "order0", *QUICK, *more]) == 1
    assert capsys.readouterr().err == f"summeval: {path}: {message}\n"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--folds", "1"], "--folds is 1; give at least 2"),
        (["--seed", "-1"], "--seed is -1; give at least 0"),
        (["--model", "crf"], "--model names 'crf'; choose from order0, chain, skip-chain"),
        (["--order", "4"], "--order names '4'; choose from 1, 2, 3"),
        (["--normalisation", "x"], "--normalisation names 'x'; choose from global, local"),
        (["--l2", "0"], "--l2 is 0.0; give a number above 0"),
        (["--draws", "0"], "--draws is 0; give at least 1"),
    ],
)
def test_bad_usage_is_one_line(capsys, more, message):
    assert main(["study", "extracts", "rows.jsonl", *more]) == 2
    assert capsys.readouterr().err == f"summeval: {message} (see summeval study extracts --help)\n"


def test_a_ranker_is_trained_by_a_command(tmp_path, capsys):
    rows = write(tmp_path / "rows.jsonl", ROWS)
    path = str(tmp_path / "a.model")
    asked = ["train", "extracts", rows, "--model", "skip-chain", "--order", "2", "-o", path]
    assert main(asked) == 0
    ranker = ExtractRanker.load(path)
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["72 utterances of 6 documents, 18 extracts", str(ranker.signature)]
    assert (ranker.model, ranker.order) == ("skip-chain", 2)
    documents = read_extracts(ROWS)
    again = ExtractRanker("skip-chain", 2).fit(
        [one.document for one in documents], [one.extracts for one in documents]
    )
    assert again.signature == ranker.signature


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("more", "status", "message"),
    [
        (["-o", "-"], 2, "a model cannot be written to standard output"),
        (["-o", "rows.jsonl"], 2, "MODEL is the same file as ROWS"),
        (["-o", "a.model", "--order", "0"], 2, "--order is 0; give a whole number from 1 to 3"),
        (["-o", "a.model", "--topic", "x"], 1, "rows.jsonl: no 'x' (there is 'topic', 'annotator'"),
    ],
)
def test_a_ranker_that_cannot_be_trained_is_one_line(tmp_path, capsys, more, status, message):
    write(tmp_path / "rows.jsonl", ROWS)
    assert main(["train", "extracts", "rows.jsonl", *more]) == status
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl"]


def test_rankers_of_e_mail_threads_are_within_a_tenth_of_people(capsys):
    path = shared("data/bc3_email.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        assert "source_sents" in json.loads(file.readline())
    columns = ["--topic", "topic_id", "--annotator", "system_id"]
    asked = [str(path), *columns, "--utterances-column", "source_sents", "--model", "order0"]
    assert (
        main(["study", "extracts", *asked, "--draws", "1", "--folds", "3", "--format", "json"]) == 0
    )
    found = {row["name"]: row["P"] for row in json.loads(capsys.readouterr().out)["systems"]}
    assert found["order0"] > found["people"] - 0.1
    assert (round(found["people"], 3), round(found["lead"], 3)) == (0.832, 0.513)
    assert (round(found["longest"], 3), round(found["optimal"], 3)) == (0.516, 0.972)
