"""The study of DICOMER's and CREMER's parts: unseen topics, the numbers of SciPy, bad rows."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from summeval.annotate.discourse import DiscourseDocument
from summeval.cli.main import main
from summeval.study.ablation import KERNELS, SETS, Rated, _values, ablation

pytest.importorskip("sklearn")

WORDS = [("storm", "NN"), ("hit", "VBD"), ("coast", "NN"), ("rain", "NN"), ("fell", "VBD")]
TYPES = [("Explicit", "Contingency"), ("Implicit", "Expansion"), ("Explicit", "Temporal")]
SYSTEMS, TOPICS = 5, 6


def document(random, sentences):
    """Sentences of three words; each but the first has a relation to the one before."""
    lines = [[WORDS[n] for n in random.integers(len(WORDS), size=3)] for _ in range(sentences)]
    relations = []
    for place in range(1, sentences):
        kind, sense = TYPES[random.integers(3)]
        arguments = {"arg1": [3 * place - 3, 3 * place], "arg2": [3 * place, 3 * place + 3]}
        relations.append({"type": kind, "sense": sense, "conn_tokens": [], **arguments})
    return {"sentences": lines, "relations": relations}


def rows(seed=1):
    """Better systems write longer texts with more of the reference."""
    random = np.random.default_rng(seed)
    made = []
    for topic in range(TOPICS):
        reference = " ".join(WORDS[n][0] for n in random.integers(5, size=8))
        for system in range(SYSTEMS):
            quality = system + random.normal()
            parse = document(random, 2 + system % 4)
            made.append(
                {
                    "system": f"s{system}",
                    "topic": f"t{topic}",
                    "candidate": " ".join(reference.split()[: system + 2]),
                    "references": [reference],
                    "document": parse,
                    "overall": quality,
                    "fluency": quality + random.normal(),
                }
            )
    return made


def rated(made=None, content=True):
    made = made or rows()
    scores = np.array([row["overall"] for row in made])
    return Rated(
        [DiscourseDocument(**row["document"]) for row in made],
        [row["system"] for row in made],
        [row["topic"] for row in made],
        scores,
        np.array([row["fluency"] for row in made]),
        np.random.default_rng(5).random(len(made)) if content else None,
        np.array([float(len(row["candidate"].split())) for row in made]),
    )


def write(path, made):
    path.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    return str(path)


def test_the_parts_and_their_correlations():
    given = rated()
    study = ablation(given, human="overall", folds=3, resamples=50)
    found = study.to_dict()
    parts = [*SETS, "TESLA-S", *(f"CREMER {kernel}" for kernel in KERNELS), "length"]
    assert [row["part"] for row in found["correlations"]] == parts * 2
    values = {**_values(given, 3, None, 1), "TESLA-S": given.content, "length": given.words}
    people = given.scores.reshape(TOPICS, SYSTEMS)
    for row in found["correlations"]:
        x = values[row["part"]].reshape(TOPICS, SYSTEMS)
        if row["level"] == "system":
            wanted = stats.pearsonr(x.mean(axis=0), people.mean(axis=0))[0]
            order = stats.kendalltau(x.mean(axis=0), people.mean(axis=0))[0]
        else:
            pairs = list(zip(x, people, strict=True))
            wanted = np.mean([stats.pearsonr(a, b)[0] for a, b in pairs])
            order = np.mean([stats.kendalltau(a, b)[0] for a, b in pairs])
        assert row["pearson"] == pytest.approx(wanted)
        assert row["kendall"] == pytest.approx(order)
        assert row["interval"][0] <= row["interval"][1]
    assert len(found["koehn"]) == len(parts) * (len(parts) - 1) / 2
    assert found["settings"]["folds"] == 3
    assert "5 systems, fewer than 10: the numbers say little" in study.notes


def test_fewer_topics_than_five_make_fewer_folds():
    made = [row for row in rows() if row["topic"] in ("t0", "t1", "t2")]
    study = ablation(rated(made), resamples=20)
    assert study.settings["folds"] == 3
    assert "3 topics, so 3 folds instead of 5" in study.notes


def test_a_topic_is_predicted_without_its_own_scores():
    made = rows()
    first = _values(rated(made), 3, None, 1)
    for row in made:
        if row["topic"] in ("t0", "t3"):  # of the first of three folds
            row["overall"], row["fluency"] = -row["overall"], -row["fluency"]
    second = _values(rated(made), 3, None, 1)
    held = np.array([row["topic"] in ("t0", "t3") for row in made])
    for part in (*SETS, *(f"CREMER {kernel}" for kernel in KERNELS)):
        assert first[part][held].tolist() == second[part][held].tolist(), part
        assert first[part][~held].tolist() != second[part][~held].tolist(), part


def test_without_references_there_is_no_cremer():
    study = ablation(rated(content=False), folds=3, resamples=20)
    assert [row["part"] for row in study.to_dict()["correlations"][:5]] == [*SETS, "length"]
    assert study.notes[0] == "no references, so CREMER and TESLA-S are left out"


def test_two_systems_are_enough_and_one_is_refused():
    made = [row for row in rows() if row["system"] in ("s0", "s4")]
    study = ablation(rated(made, content=False), resamples=20)
    assert (study.settings["systems"], study.settings["folds"]) == (2, 5)
    with pytest.raises(ValueError, match="1 system; give summaries of two or more"):
        ablation(rated(made[::2], content=False))


def run(capsys, path, *options):
    status = main(["study", "ablation", path, *options])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_the_command(tmp_path, capsys):
    made = rows()
    made[3]["overall"] = None
    made[4]["candidate"] = ""
    path = write(tmp_path / "rows.jsonl", made)
    options = ["--human", "overall", "--readability", "fluency", "--folds", "2"]
    status, out, err = run(capsys, path, *options, "--format", "json", "--bootstrap", "20")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["settings"]["summaries"] == len(made) - 1
    assert found["notes"][0] == "1 row was left out: no text or score"
    assert list(found["signatures"]) == ["TESLA-S"]
    assert {row["level"] for row in found["correlations"]} == {"summary", "system"}


def change(**more):
    return [row | more for row in rows()]


@pytest.mark.parametrize(
    ("made", "options", "message"),
    [
        (rows(), ["--human", "coherence"], "no 'coherence'"),
        (rows(), ["--human", "overall", "--system", "who"], "choose the column with --system"),
        (rows()[:5], ["--human", "overall"], "1 topic, 't0'; the study needs two or more"),
        (rows()[::5], ["--human", "overall"], "1 system, 's0'; the study needs two or more"),
        (change(overall=3), ["--human", "overall"], "overall is 3 in all 30 rows"),
        (change(overall=None), ["--human", "overall"], "no row has a text and a number in"),
        (change(overall="good"), ["--human", "overall"], "row 1: 'overall' is 'good'"),
        (change(document={"sentences": 3}), ["--human", "overall"], "row 1: document:"),
        (rows() * 2, ["--human", "overall"], "the system 's0' has two rows on the topic 't0'"),
        (change(topic=None), ["--human", "overall"], "row 1: 'topic' is None"),
        (
            change(fluency=1),
            ["--human", "overall", "--readability", "fluency"],
            "the readability score is equal for all summaries of each topic, so there is nothing",
        ),
        (
            [row | {"overall": int(row["topic"][1:])} for row in rows()],
            ["--human", "overall"],
            "overall is equal for all summaries of each topic, so there is nothing to",
        ),
        (
            [*rows()[1:], rows()[0] | {"overall": -1e160}],
            ["--human", "overall"],
            "overall is 1e+160 in size; divide the column so that none is over 1e150",
        ),
        (
            rows(),
            ["--human", "overall", "--folds", "99"],
            "99 folds of 6 topics; give a number of folds from 2 to 6",
        ),
        (
            rows()[:10],
            ["--human", "overall"],
            "2 topics; CREMER is trained on two or more that are not held out, give three",
        ),
        (
            rows()[:15],
            ["--human", "overall", "--folds", "2"],
            "2 folds of 3 topics leave one topic to train CREMER on; give more folds",
        ),
        ([], ["--human", "overall"], "holds no rows"),
    ],
)
def test_bad_data_is_one_line(tmp_path, capsys, made, options, message):
    status, out, err = run(capsys, write(tmp_path / "rows.jsonl", made), *options)
    assert (status, out) == (1, "")
    (line,) = err.splitlines()
    assert message in line
    assert "rows.jsonl" in line


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--folds", "1"], "--folds is 1; give a number from 2"),
        (["-C", "0"], "-C is '0'; give a number above 0, or cv"),
        (["--provider", "none"], "none"),
    ],
)
def test_bad_usage_is_one_line(tmp_path, capsys, options, message):
    made = [{key: value for key, value in row.items() if key != "document"} for row in rows()]
    status, out, err = run(
        capsys, write(tmp_path / "r.jsonl", made), "--human", "overall", *options
    )
    assert (status, out) == (2, "")
    assert message in err
