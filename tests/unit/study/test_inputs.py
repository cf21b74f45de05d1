"""`summeval study inputs`: what is correlated, with what, and what is refused."""

from __future__ import annotations

import csv
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import summeval
from summeval import Simetrix
from summeval.cli.main import main
from summeval.learn.regression import LinearModel
from summeval.meta import correlation, out_of_fold
from summeval.study.inputs import inputs, p_value

WORDS = "storm coast wind rain flood road train bridge house tree boat harbour crew night".split()
SYSTEMS, TOPICS = list("abcdef"), [1, 2, 3, 4, 5]
DRAWS = {"resamples": 20}


def text(draw, words, size):
    return " ".join(draw.choice(words) for _ in range(size)) + "."


def made(seed=0):
    """Rows whose human score rises with the words that the candidate has of its source."""
    draw = random.Random(seed)
    found = {"candidates": [], "sources": [], "systems": [], "topics": [], "references": []}
    human = []
    for topic in TOPICS:
        words = draw.sample(WORDS, 7)
        source = [text(draw, words, 40), text(draw, words, 30)]
        for place, system in enumerate(SYSTEMS):
            own = text(draw, words, 2 + 2 * place)
            other = text(draw, [f"other{n}" for n in range(30)], 14 - 2 * place)
            found["candidates"].append(f"{own} {other}")
            found["sources"].append(source)
            found["systems"].append(system)
            found["topics"].append(topic)
            found["references"].append([text(draw, words, size) for size in (12, 5, 30)])
            human.append(place + draw.random() * 2)
    return found, human


def rows_of(study, table, metric, **where):
    (named,) = (one for one in study.tables if one.name == table)
    where = {"metric": metric} | where
    return [row for row in named.rows if all(row[key] == value for key, value in where.items())]


@pytest.fixture(scope="module")
def study():
    found, human = made()
    return inputs(**found, human={"content": human}, **DRAWS)


def tables(found, values):
    shape = len(TOPICS), len(SYSTEMS)
    return np.reshape(values, shape).T


def test_each_feature_the_regressions_and_rouge_are_listed(study):
    names = [row["metric"] for row in study.tables[0].rows]
    features = [f"simetrix.{field}" for field in Simetrix.fields]
    assert names == [
        *features,
        "regression",
        "regression, topics",
        "rouge1.recall",
        "rouge2.recall",
    ]
    assert [row["metric"] for row in study.tables[1].rows] == names
    assert set(study.signatures) == {"simetrix", "rouge1", "rouge2"}
    assert "|idf:wordfreq" in study.signatures["simetrix"]
    assert len(study.figures) == 2 and study.figures[0].series[0].x == names


def test_macro_and_micro_are_the_correlations_of_the_scores(study):
    found, human = made()
    simetrix = Simetrix(idf="wordfreq")
    scored = simetrix.score_batch(found["candidates"], sources=found["sources"])
    people = tables(found, human)
    for field in Simetrix.fields:
        sign = -1 if field in Simetrix.lower_is_better else 1
        mine = sign * tables(found, scored[f"simetrix.{field}"])
        (macro,) = rows_of(study, "macro", f"simetrix.{field}")
        wanted = scipy.stats.spearmanr(mine.mean(axis=1), people.mean(axis=1)).statistic
        assert macro["correlation"] == pytest.approx(wanted, abs=1e-9)
        assert macro["systems"] == 6
        (micro,) = rows_of(study, "micro", f"simetrix.{field}")
        each = [scipy.stats.spearmanr(x, y) for x, y in zip(mine.T, people.T, strict=True)]
        values = [one.statistic for one in each]
        assert micro["mean"] == pytest.approx(np.mean(values), abs=1e-9)
        assert (micro["least"], micro["greatest"]) == pytest.approx((min(values), max(values)))
        high = [one.statistic > 0 and one.pvalue < 0.05 for one in each]
        assert micro["significant"] == pytest.approx(np.mean(high))
        assert micro["inputs"] == 5


def test_rouge_is_the_mean_over_references(study):
    found, human = made()
    rouge = summeval.metric("rouge1", stemmer="rouge155", aggregate="average")
    scored = rouge.score_batch(found["candidates"], found["references"])
    (macro,) = rows_of(study, "macro", "rouge1.recall")
    wanted = correlation(
        tables(found, scored["rouge1.recall"]), tables(found, human), "spearman", "system"
    )
    assert macro["correlation"] == pytest.approx(wanted, abs=1e-12)


def test_the_regression_is_trained_on_other_topics_and_systems(study):
    found, human = made()
    scored = Simetrix(idf="wordfreq").score_batch(found["candidates"], sources=found["sources"])
    x = np.array([scored[f"simetrix.{field}"] for field in Simetrix.fields]).T
    for name, labels in (
        ("regression", [found["topics"], found["systems"]]),
        ("regression, topics", [found["topics"]]),
    ):
        predicted = out_of_fold(lambda: LinearModel(Simetrix.fields), x, human, *labels)
        wanted = correlation(tables(found, predicted), tables(found, human), "spearman", "summary")
        (micro,) = rows_of(study, "micro", name)
        assert micro["mean"] == pytest.approx(wanted, abs=1e-6)


def test_tasks_are_kept_apart(study):
    found, human = made()
    other, others = made(seed=1)
    both = {key: found[key] + other[key] for key in found}
    tasks = ["query"] * len(human) + ["update"] * len(others)
    joined = inputs(**both, human={"content": human + others}, tasks=tasks, **DRAWS)
    for row in study.tables[0].rows:
        (again,) = rows_of(joined, "macro", row["metric"], task="query")
        assert again == row | {"task": "query"}
    assert len(joined.tables[0].rows) == 2 * len(study.tables[0].rows)
    assert joined.tables[0].hidden == ["human"]
    assert [series.name for series in joined.figures[0].series] == ["query", "update"]


def test_several_human_scores_have_their_own_regressions():
    found, human = made()
    turned = [-score for score in human]
    study = inputs(**found, human={"up": human, "down": turned}, **DRAWS)
    for metric in ("simetrix.unsmoothedJSD", "rouge1.recall"):
        up, down = (rows_of(study, "macro", metric, human=h)[0] for h in ("up", "down"))
        assert up["correlation"] == pytest.approx(-down["correlation"])
    for metric in ("regression", "regression, topics"):
        up, down = (rows_of(study, "macro", metric, human=h)[0] for h in ("up", "down"))
        assert up["correlation"] == pytest.approx(down["correlation"])


def test_rows_without_words_are_left_out_and_said():
    found, human = made()
    for key, value in (("candidates", ["", "of the", None]), ("sources", [["of"], None])):
        for place, text in enumerate(value):
            found[key][place * 7 + (key == "sources")] = text
    study = inputs(**found, human={"content": human}, **DRAWS)
    assert "3 of 30 rows left out: candidate without words" in study.notes
    assert "2 of 30 rows left out: no source, or one without words" in study.notes
    assert study.values["rows"] == 25
    for table in study.tables:
        for row in table.rows:
            assert all(not isinstance(v, float) or math.isfinite(v) for v in row.values())


def test_missing_human_scores_are_not_learnt_from():
    found, human = made()
    human[3] = None
    study = inputs(**found, human={"content": human}, **DRAWS)
    assert "human content: 1 of 30 rows has no value" in study.notes
    assert rows_of(study, "micro", "regression")[0]["inputs"] == 5


def test_nan_is_a_missing_human_score():
    found, human = made()
    missing, nan = (
        inputs(**found, human={"content": [gap, *human[1:]]}, **DRAWS) for gap in (None, math.nan)
    )
    assert [table.rows for table in nan.tables] == [table.rows for table in missing.tables]
    assert "human content: 1 of 30 rows has no value" in nan.notes


def test_an_input_without_any_human_score_is_left_out_and_said():
    found, human = made()
    human[6:12] = [None] * 6
    study = inputs(**found, human={"content": human}, **DRAWS)
    assert "inputs without a score in content, left out: 2" in study.notes
    assert {row["inputs"] for row in study.tables[1].rows} == {4}


def test_features_without_a_number_are_left_out_and_said(recwarn):
    found, human = made()
    simetrix = Simetrix(idf="wordfreq", background=None)
    study = inputs(**found, human={"content": human}, simetrix=simetrix, **DRAWS)
    topical = ("percentTopicTokens", "fractionTopicWords", "topicWordOverlap")
    names = ", ".join(f"simetrix.{field}" for field in topical)
    assert f"features left out, NaN in every row: {names}" in study.notes
    metrics = [row["metric"] for row in study.tables[0].rows]
    assert len(metrics) == len(Simetrix.fields) - len(topical) + 4
    assert not any(field in metric for metric in metrics for field in topical)
    assert study.values["rows"] == 30 and not recwarn


def test_without_references_there_is_no_rouge():
    found, human = made()
    del found["references"]
    study = inputs(**found, human={"content": human}, **DRAWS)
    assert "no references, so no ROUGE" in study.notes
    assert not any(row["metric"].startswith("rouge") for row in study.tables[0].rows)
    assert any(
        note.startswith("negated, because lower is better: simetrix.KL") for note in study.notes
    )


@pytest.mark.parametrize(("r", "n"), [(0.1, 5), (0.63, 10), (-0.5, 30), (0.7, 120)])
def test_p_values_are_those_of_student(r, n):
    t = r * math.sqrt((n - 2) / (1 - r * r))
    assert p_value(r, n) == pytest.approx(2 * scipy.stats.t.sf(abs(t), n - 2), rel=1e-10)


def test_few_systems_cannot_be_significant():
    # Of n! orders, two agree or disagree fully: the p-value of the permutation test is 2 / n!.
    assert [p_value(1.0, n) for n in (2, 3, 4, 5)] == [1.0, 1 / 3, 1 / 12, 1 / 60]
    assert p_value(0.999, 4) == 1 / 12


def few(**change):
    found, human = made()
    return found | {"human": {"content": human}} | change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"systems": ["a"] * 30},
            "row 2: system 'a' is repeated for topic 1; keep one",
        ),
        (
            {"topics": [1] * 30, "systems": list(range(30))},
            "there is one topic, 1; give rows of two",
        ),
        ({"human": {"content": [2] * 30}}, "all scores in 'content' are 2; choose another column"),
        ({"human": {"content": [None] * 30}}, "no row has a number in 'content'; choose another"),
        (
            {"human": {"content": [1e308, -1e308] * 15}},
            r"a score in 'content' is -1e\+308; give scores up to 1e100",
        ),
        ({"sources": [None] * 30}, "no row has both a candidate and a source; name the column"),
        ({"sources": [None]}, "sources has 1 rows; 30 are needed"),
        ({"alpha": math.nan}, "alpha is nan; give a finite number"),
    ],
)
def test_what_cannot_be_studied_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        inputs(**few(**change), **DRAWS)


@pytest.fixture
def path(tmp_path):
    found, human = made()
    names = {"candidates": "candidate", "sources": "source", "systems": "system", "topics": "topic"}
    columns = {names.get(key, key): values for key, values in found.items()} | {"content": human}
    columns["topic_of"] = found["topics"]
    rows = [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
    file = tmp_path / "rows.jsonl"

    def write(change=lambda row: None):
        for row in rows:
            change(row)
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(file)

    return write


def test_the_command_prints_what_the_function_finds(path, capsys, study):
    arguments = ["--human", "content", "--bootstrap", "20", "--format", "json"]
    assert main(["study", "inputs", path(), *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["study"] == "inputs" and found["seed"] == 0
    for table in study.tables:
        assert [row["metric"] for row in found[table.name]] == [r["metric"] for r in table.rows]
    assert found["macro"][2]["correlation"] == study.tables[0].rows[2]["correlation"]


def test_csv_holds_lists_of_texts_as_json(path, capsys):
    arguments = ["--human", "content", "--bootstrap", "5"]
    assert main(["study", "inputs", path(), *arguments]) == 0
    wanted = capsys.readouterr().out
    table = Path(path()).with_suffix(".csv")
    rows = [json.loads(line) for line in Path(path()).read_text(encoding="utf-8").splitlines()]
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            writer.writerow(row | {key: json.dumps(row[key]) for key in ("source", "references")})
    assert main(["study", "inputs", str(table), *arguments]) == 0
    assert capsys.readouterr().out == wanted
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace('"[""', '"[', 1), encoding="utf-8")
    assert main(["study", "inputs", str(table), *arguments]) == 1
    assert "starts with [ but is not a JSON list of strings" in capsys.readouterr().err


def test_a_folder_gets_the_tables_and_figures(path, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    more = ["--bootstrap", "5", "-o", str(tmp_path / "out"), "--option", "simetrix.idf=none"]
    assert main(["study", "inputs", path(), "--human", "content", *more]) == 0
    assert "|idf:none|" in capsys.readouterr().out
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    stems = ["macro.csv", "macro.svg", "macro.tex", "micro.csv", "micro.svg", "micro.tex"]
    assert names == [*stems, "study.json"]


@pytest.mark.parametrize(
    ("change", "arguments", "status", "message"),
    [
        (lambda row: row.pop("source"), [], 1, "no 'source' ("),
        (lambda row: row.pop("system"), [], 1, "row 1: no 'system' ("),
        (lambda row: row.update(topic=None), [], 1, "row 1: 'topic' is None; give the topic"),
        (
            lambda row: row.update(system=f"{row['system']}{row['topic']}", topic=1),
            [],
            1,
            "there is one topic, '1'; give rows of two or more",
        ),
        (lambda row: row.update(topic=min(row["topic"], 2)), [], 1, "row 13: system 'a' is"),
        (
            lambda row: row.update(system="a", topic=row["system"]),
            ["--task", "topic_of"],
            1,
            "in 1 there is one system, 'a'; give rows of two or more",
        ),
        (
            lambda row: row.update(content="high"),
            [],
            1,
            "row 1: 'content' is 'high'; give a number",
        ),
        (
            lambda row: row.update(content=math.inf),
            [],
            1,
            "row 1: 'content' is inf; give a number",
        ),
        (lambda row: row.update(content=3), [], 1, "all scores in 'content' are 3; choose another"),
        (lambda row: row.update(source=3), [], 1, "row 1: 'source' holds no texts; give a text or"),
        (
            lambda row: row.update(candidate=3),
            [],
            1,
            "row 1: 'candidate' is '3'; give a text or null",
        ),
        (lambda row: None, ["--task", "set"], 1, "row 1: no 'set' ("),
        (lambda row: None, ["--human", "more"], 1, "no 'more' ("),
        (lambda row: None, ["--bootstrap", "0"], 2, "--bootstrap is 0; give a number from 1"),
        (
            lambda row: None,
            ["--option", "simetrix.background=none.txt"],
            1,
            "none.txt: no such file",
        ),
    ],
)
def test_bad_input_is_one_line(  # noqa: PLR0917 - a case
    path, capsys, change, arguments, status, message
):
    given = ["--human", "content", "--bootstrap", "5", *arguments]
    assert main(["study", "inputs", path(change), *given]) == status
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1, err
