"""Names that outside programs call: they exist, take these arguments and return these things."""

from __future__ import annotations

import inspect
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every import every
from registered import NAMES
from words_provider import Words

import summeval
from summeval import annotate, elements, meta, metrics, solvers, text
from summeval.cli.main import main
from summeval.meta import qarla
from summeval.metrics import discourse, pyramid
from summeval.metrics.discourse.roles import table_2
from summeval.metrics.registry import INDEX

BE, OTHER_BE = "r11 cat|NN+drank|VBD", "r11 dog|NN+drank|VBD"


def keywords(function: Any) -> dict[str, Any]:
    """The arguments that have defaults, with them."""
    parameters = inspect.signature(function).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}


def options(name: str) -> dict[str, Any]:
    return {option.name: option.default for option in type(summeval.metric(name)).options}


def test_the_face() -> None:
    scores = summeval.score("the cat sat", ["the cat sat down"], metrics=["rouge1", "tesla-s"])
    assert list(scores) == ["rouge1", "tesla-s"]
    assert isinstance(scores["rouge1"], summeval.Score)
    assert scores["rouge1"]["recall"] == scores["rouge1"].recall == 0.75
    table = summeval.score_batch(
        ["a cat"], ["a cat"], metrics="rouge2", sources=None, workers=1, progress=False
    )
    assert isinstance(table, summeval.ScoreTable)
    assert table["rouge2.recall"].tolist() == [1.0]
    assert (table.rows, table.columns[1], table.mean()["rouge2.recall"]) == (1, "rouge2.recall", 1)
    assert list(table.signature) == ["rouge2"]
    skipped = summeval.score_batch(["a", 7], ["a", "a"], metrics="rouge1", on_error="skip")
    assert list(skipped.errors) == [1]
    rouge = summeval.metric("rougeSU4", stemmer="rouge155", aggregate="average", label="mine")
    assert rouge.name == "mine"
    assert str(rouge.signature) == rouge.signature
    assert rouge.prepare("a cat").score("a cat") == rouge.score("a cat", "a cat")
    suite = summeval.suite(["rouge1", "bipartite"])
    assert list(suite.prepare(["a cat"]).score("a cat")) == ["rouge1", "bipartite"]
    assert suite.score_batch(["a"], ["a"]).rows == len(suite.score("a", "a")) - 1


def test_a_score_is_read_as_values_and_by_names() -> None:
    score = summeval.score("the cat sat", "the cat", metrics="rouge1")["rouge1"]
    p, r, f = score
    assert dict(score) == {"precision": p, "recall": r, "fmeasure": f} == score._asdict()
    assert (float(score), f"{score:.2f}", "recall" in score) == (f, f"{f:.2f}", True)
    assert list(score.keys()) == [name for name, _ in score.items()]


@every(
    "name",
    [
        "Rouge", "TeslaS", "TeslaM", "TeslaE", "BasicElements", "BEwTE", "Simetrix", "AutoSummENG",
        "MeMoG", "NPowER", "BipartiteMatching", "PositionPyramid", "Dicomer", "Cremer", "BertScore",
        "LitePyramid",
    ],
)  # fmt: skip
def test_classes_of_the_face(name: str) -> None:
    found = getattr(summeval, name)
    assert issubclass(found, summeval.Metric)
    assert all(callable(getattr(found, verb)) for verb in ("score", "score_batch", "prepare"))
    entries = [entry for entry in INDEX if entry.kind == name]
    assert {known for entry in entries for known in entry.names} <= set(NAMES)


def test_options_of_rouge() -> None:
    wanted = {
        "stemmer": None, "stopwords": False, "max_words": 0, "max_bytes": 0, "aggregate": "max",
        "jackknife": False, "alpha": 0.5, "weight": 1.2, "tokenizer": "rouge155",
    }  # fmt: skip
    assert wanted.items() <= options("rougeL").items()
    for aggregate in ("max", "average", "best"):
        summeval.metric("rouge1", aggregate=aggregate, stopwords=["the"], tokenizer=str.split)


STEMMERS = (None, "rouge155", "porter", "porter-java")
STEMMING = ("rouge1", "tesla-s", "be", "simetrix", "paraeval", "qarla-rouge")
CASED = ("tesla-s", "be", "bewte", "autosummeng", "memog", "npower")
VOCABULARY: dict[str, dict[str, tuple[Any, ...]]] = {
    "stemmer": dict.fromkeys(
        ("rouge1", "tesla-s", "be", "simetrix", "paraeval", "qarla-rouge"),
        (None, "rouge155", "porter", "porter-java"),
    ),
    "aggregate": {
        "rouge1": ("max", "average", "best"),
        "be": ("average", "best"),
        "bewte": ("max", "average"),
        "tesla-s": ("max", "max-per-bag", "average"),
        "bipartite": ("max", "average"),
        "paraeval": ("max", "average"),
        "bertscore": ("max", "average"),
    },
    "jackknife": {"rouge1": (False, True), "bewte": (False, True)},
    "case": dict.fromkeys(
        (
            "tesla-s",
            "be",
            "bewte",
            "autosummeng",
            "memog",
            "npower",
            "bleu",
            "chrf",
            "chrf++",
            "gleu",
            "ter",
            "wer",
            "cer",
            "edit-similarity",
            "cider-d",
            "cider",
        ),
        ("keep", "lower", "auto"),
    ),
    "compat": {
        "bewte": (None, "0.5.1"),
        "npower": (None, "npower-1"),
        "memog": (None, "npower-1"),
        "autosummeng": (None, "npower-1"),
        "simetrix": (None, "simetrix-1"),
        "reading-ease": (None, "textstat-0.7"),
    },
    "alpha": {"rouge1": (0.0, 0.5, 1.0), "be": (0.0, 0.5, 1.0)},
    "recall_weight": {"tesla-s": (0.0, 0.8, 1.0), "tesla-m": (0.0, 0.8, 1.0)},
    "solver": {
        "tesla-s": (None, "kernel", "highs"),
        "tesla-m": ("kernel", "highs"),
        "bewte": ("kernel", "highs"),
    },
}


@pytest.mark.parametrize("option", VOCABULARY)
def test_one_name_has_one_set_of_values(option: str) -> None:
    assert {name for name in NAMES if option in options(name)} >= set(VOCABULARY[option])
    for name in NAMES:
        if option not in options(name):
            continue
        values = VOCABULARY[option].get(name, VOCABULARY[option].get("rouge1"))
        assert values is not None, name
        for value in values:
            made = summeval.metric(name, **{option: value})
            assert made.signature
        with pytest.raises((ValueError, TypeError), match=r"."):
            summeval.metric(name, **{option: "no such value"})


def test_defaults_of_the_vocabulary() -> None:
    assert options("simetrix")["stemmer"] == "porter-java"
    others = [name for name in NAMES if "stemmer" in options(name) and name != "simetrix"]
    assert {options(name)["stemmer"] for name in others} == {None}
    assert (options("bewte")["aggregate"], options("bewte")["jackknife"]) == ("max", True)
    assert options("tesla-s")["recall_weight"] == options("tesla-m")["recall_weight"] == 0.8


@pytest.mark.parametrize(
    "former", ["stem", "combine", "lowercase", "method", "peer", "models", "summary"]
)
def test_former_names_are_gone(former: str) -> None:
    assert [name for name in NAMES if former in options(name)] == []


def test_alpha_and_recall_weight_weigh_the_sides_against_each_other() -> None:
    pair = "a b c d", "a b"
    p, r, _ = summeval.metric("rouge1").score(*pair)
    assert summeval.metric("rouge1", alpha=1.0).score(*pair).fmeasure == pytest.approx(p)
    assert summeval.metric("rouge1", alpha=0.0).score(*pair).fmeasure == pytest.approx(r)
    part = summeval.metric("tesla-s", recall_weight=1.0).score(*pair).parts.unigram
    assert part.fmeasure == pytest.approx(part.recall)


def test_case_auto_changes_rows_of_mixed_case_for_tesla() -> None:
    auto, keep, low = (summeval.TeslaS(case=case) for case in ("auto", "keep", "lower"))
    mixed, same = ("the cat sat", "The Cat sat"), ("The cat sat", "The Cat sat")
    assert auto.score(*mixed) == low.score(*mixed) != keep.score(*mixed)
    assert auto.score(*same) == keep.score(*same) != low.score(*same)
    table = auto.score_batch([mixed[0], same[0]], [mixed[1], same[1]])
    assert table["tesla-s.fmeasure"].tolist() == [
        low.score(*mixed).value,
        keep.score(*same).value,
    ]
    tagged = ("the/DT cat/NN", "The/DT Cat/NN"), ("The/DT cat/NN", "The/DT Cat/NN")
    assert auto.score_units(*tagged[0]) == low.score_units(*tagged[0])
    assert auto.score_units(*tagged[1]) == keep.score_units(*tagged[1])


@pytest.mark.parametrize("stemmer", ["rouge155", "porter", "porter-java"])
def test_each_stemmer_joins_the_forms_of_a_word(stemmer: str) -> None:
    pair = "many bombings", "many bombing"
    for metric in (
        summeval.Rouge(stemmer=stemmer),
        summeval.TeslaS(stemmer=stemmer),
        summeval.TeslaS(stemmer=stemmer, solver="kernel"),
        summeval.ParaEval(stemmer=stemmer),
    ):
        assert metric.score(*pair).value == pytest.approx(1.0), metric
        assert type(metric)().score(*pair).value < 1.0
    units = ["bombings|many|mod"], [["bombing|many|mod"]]
    assert summeval.BasicElements(stemmer=stemmer).score_units(*units).recall == 1.0
    counts = summeval.Simetrix(stemmer=stemmer).counts(list(pair))
    assert len(counts) == 1
    own = summeval.Simetrix(stemmer=stemmer, background={"bombings": 3, "other": 97})
    assert own.score(pair[0], source=pair[1]).cosineAllWords == pytest.approx(1.0)
    assert own.likelihood_ratios("a bombing")


def test_a_background_has_the_stems_of_the_texts() -> None:
    metric = summeval.Simetrix(stemmer="rouge155", background={"mice": 50, "other": 50})
    ratios = metric.likelihood_ratios(["the mice", "a horse"])
    assert list(ratios) == ["mouse", "hors"]
    assert ratios["mouse"] < ratios["hors"]  # the one that the background knows


@pytest.mark.parametrize("stemmer", [None, "rouge155", "porter", "porter-java"])
def test_simetrix_counts_as_its_kernel_does(stemmer: str | None) -> None:
    metric = summeval.Simetrix(stemmer=stemmer)
    counts = [metric.counts(side) for side in ("mice ads bombings", "ads mouse bombing cities")]
    assert ("ad" in counts[0]) == (stemmer == "porter-java")  # others leave three letters
    found = metric.score("mice ads bombings", source="ads mouse bombing cities")
    assert found.unsmoothedJSD == metric.score_counts(*counts).unsmoothedJSD


def test_texts() -> None:
    for name in ("rouge155", "porter", "porter-java"):
        assert text.stemmer(name)("cities").startswith("cit")
    assert text.sentences("One. Two.") == ["One.", "Two."]
    assert text.tokens("A cat.", tokenizer="unicode") == ["a", "cat"]


def test_basic_elements() -> None:
    tree = "(S (NP (DT The) (NN cat)) (VP (VBD drank)))"
    assert BE in elements.extract_from_trees([tree], entities=[])
    rows = ["1 The DT 2 det", "2 cat NN 3 nsubj", "3 drank VBD 0 root"]
    assert all(isinstance(one, str) for one in elements.extract_from_dependencies(rows, ()))
    wanted = {
        "weights": "root", "duplicates": False, "hyper": False, "aggregate": "max",
        "jackknife": True, "compat": None,
    }  # fmt: skip
    assert wanted.items() <= keywords(summeval.BEwTE).items()
    score = summeval.BEwTE(coefficients={}).score_units([BE], {"A": [BE], "B": [OTHER_BE]})
    assert score.recall_per_reference == {"A": 1.0, "B": 0.0}
    assert summeval.BEwTE().transformations([BE], {"A": [BE]}) == []
    mean = summeval.BEwTE(aggregate="average", jackknife=False)
    assert mean.score_units([BE], {"A": [BE], "B": [OTHER_BE]}).recall == 0.5
    best = summeval.BEwTE(jackknife=False).score_units([BE], {"A": [BE], "B": [OTHER_BE]})
    assert (best.recall, score.recall) == (1.0, 0.5)
    be = summeval.BasicElements(mode="h", stemmer=None, aggregate="best")
    assert be.score_units(["cat|NIL|NIL"], [["cat|NIL|NIL"], ["dog|NIL|NIL"]]).recall == 1.0


def test_units_of_other_metrics() -> None:
    score = summeval.TeslaS().score_units("The/DT police/NN", ["The/DT police/NN"])
    assert (score.fmeasure, score.parts.unigram.S) == (1.0, 1.1)
    assert list(score.parts.skip.keys()) == ["S", "precision", "recall", "fmeasure"]
    assert summeval.TeslaM().score_units("a/DT b/NN c/NN", "a/DT b/NN c/NN").value == 1.0
    for similarity in (None, "wordnet", lambda a, b: float(a.form == b.form)):
        metric = summeval.TeslaM(similarity=similarity)
        assert metric.score_units("a/DT b/NN c/NN", "a/DT b/NN c/NN").value == 1.0
    metric = summeval.BipartiteMatching()
    assert metric.score_units(["a"], ["b"], edges=[(0, 0)]).matching == 1.0
    assert metric.score_units(candidate=["a"], model=["a"]).fmeasure == 1.0
    places = summeval.PositionPyramid()
    score = places.score_units([1, 2], [[1, 3]], length=None)
    assert list(score.keys()) == ["P", "D", "D_star", "PR", "PR_star"]
    assert places.leave_one_out([[1], [1]], peer=[1]).human == [1.0, 1.0]
    assert places.optimal([["a"], ["b"]], [[0]], 1).selected == [0]


def test_solvers() -> None:
    assert {"kernel", "highs"} <= set(solvers.list_solvers("assignment"))
    assert {"kernel", "highs"} <= set(solvers.list_solvers("transport"))
    for solver in ("kernel", "highs"):
        plan = solvers.transport([1.0], [2.0], [[0.5]], solver=solver)
        assert (plan.value, plan.row_prices is None, plan.status) == (0.5, False, "optimal")
        assert np.asarray(plan.flow).tolist() == [[1.0]]
        match = solvers.assign([[2.0, -1.0]], solver=solver)
        assert (match.value, match.rows.tolist(), match.columns.tolist()) == (2.0, [0], [0])
    found = solvers.assign_batch([0, 1], [0], [0], [2.0], [[1, 1]], workers=1)
    assert found.values.tolist() == [2.0]
    assert {"indptr", "row", "column", "weight", "shapes"} <= set(
        inspect.signature(solvers.assign_batch).parameters
    )
    assert callable(solvers.transport_batch)


def test_metrics_against_the_input_and_graphs() -> None:
    wanted = {"stemmer": "porter-java", "stopwords": True, "topic_cutoff": 10.0}
    assert wanted.items() <= keywords(summeval.Simetrix).items()
    metric = summeval.Simetrix(
        background={"cat": 1, "dog": 99}, idf=({"cat": 1.0}, 9), llr_log="ln", topic_cutoff=0.1,
        gamma=0.005, bins=1.5,
    )  # fmt: skip
    assert metric.topic_words(["a cat"]) == ["cat"]
    assert metric.score("a cat", source=["a cat"]).unsmoothedJSD == 0.0
    for graph in (summeval.AutoSummENG, summeval.MeMoG, summeval.NPowER):
        made = graph(min_n=3, max_n=3, window=3, compat=None)
        assert math.isfinite(made.score("abcdef", ["abcdeg"]).value)


def test_the_pyramid() -> None:
    models = [["a", "b"], ["a"]]
    assert pyramid.modified_score(models, ["a"], rounding="ceil", cap=1.0).score == 2 / 3
    assert pyramid.original_score(models, ["a"]).value == 1.0
    assert list(pyramid.jackknife(models, ["a"]).keys())[:2] == ["human", "peer"]
    assert all(callable(getattr(pyramid, name)) for name in ("read_pyr", "read_pan"))
    assert pyramid.select(["a b", "c", "d e"], [0.1, 0.5, 0.5], 3) == [1, 2]
    wanted = {"order": 1, "normalisation": "global", "rank_by": "posterior", "l2": 1.0}
    assert wanted.items() <= keywords(pyramid.ExtractRanker).items()
    documents: list[Any] = [["We must meet.", "Hi."], {"utterances": ["Bye.", "So vote."]}]
    for model in ("order0", "chain", "skip-chain"):
        ranker = pyramid.ExtractRanker(model).fit(documents, [[[0], [0]], [[1]]])
        assert ranker.rank(documents[1]).dtype == np.float64
        assert all(callable(getattr(ranker, name)) for name in ("save", "load"))
    assert pyramid.unit_score([1, 0], weights=[3, 1]) == 0.75
    assert pyramid.normalised_acu([1, 0], 4, 2, alpha=2.0) == 0.5 * math.exp(-0.5)
    assert meta.krippendorff_alpha([[1, 0], [1, 0]], level="nominal") == 1.0
    assert list(inspect.signature(pyramid.ducview_score).parameters) == ["pyramid", "annotation"]


def test_meta_evaluation() -> None:
    alike = np.full((1, 4, 4), 0.5)
    alike[0, 3] = alike[0, :, 3] = 0.1
    assert 0 <= qarla.queen(alike[:, 3, :3], alike[:, :3, :3], triples="pairs") <= 1
    assert qarla.king(alike, 3, triples="pairs", ties="win") == 1.0
    assert qarla.jack(alike, 3, variant="one_sided") >= 0
    assert math.isfinite(qarla.metric_sets(alike, 3, names=["a"]).of(["a"]).king)
    queen = summeval.metric("queen", metrics=["rouge1", "rougeL"], triples="pairs")
    assert queen.score("a b", ["a b"] * 3).value == 1.0
    assert queen.score_batch(["a b"], [["a b"] * 3])["queen.value"].tolist() == [1.0]
    assert callable(qarla.queens)
    assert callable(qarla.orange_share)
    assert meta.orange([1.0], [2.0], ties="mid") >= 0
    x = np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 3.0], [3.0, 5.0, 1.0], [4.0, 3.0, 9.0]])
    y, z = x[::-1] ** 2, np.sqrt(x) + np.arange(4)[:, None]
    assert meta.correlation(x, x, coefficient="kendall", level="system") == pytest.approx(1.0)
    found = meta.koehn_test(x, y, z, coefficient="pearson", resamples=9, seed=0, indices=None)
    assert {"wins", "ties", "significance", "full_a", "full_b"} <= set(dir(found))
    for test in (meta.williams_test, meta.permutation_test):
        assert list(inspect.signature(test).parameters)[:3] == ["metric_a", "metric_b", "human"]
    assert meta.bootstrap_interval(x, z, resamples=9).lower <= 1
    left = meta.leave_one_out("rouge1", {"1": "a cat"}, {"A": "a cat", "B": "a dog"})
    assert (list(left.peers), list(left.humans)) == (["1"], ["A", "B"])


def test_discourse(tmp_path: Any) -> None:
    relation = {
        "type": "Explicit", "sense": "Comparison", "conn_tokens": [2], "arg1": [0, 2],
        "arg2": [3, 5],
    }  # fmt: skip
    words = [("cats", "NNS"), ("slept", "VBD"), ("but", "CC"), ("dogs", "NNS"), ("ran", "VBD")]
    document = annotate.DiscourseDocument(sentences=[words], relations=[relation])
    assert "cat" in discourse.role_matrix(document, explicit=False, terms=None)
    for features in ("lin", "lin+c", "lin+e", "dicomer"):
        found = discourse.transition_features(
            table_2(), features=features, salience=None, intra_norm="pairs", terms=None
        )
        assert all(len(pair) == 2 for pair in found.values())
    pytest.importorskip("sklearn")
    texts = [table_2(), annotate.DiscourseDocument(table_2().sentences)]
    metric = summeval.Dicomer(features="lin").fit(texts, [5, 1], ["a", "a"])
    metric.save(tmp_path / "dicomer")
    again = summeval.Dicomer.load(tmp_path / "dicomer")
    assert again.predict(texts).tolist() == metric.predict(texts).tolist()
    rows = [[0.1, 0.5], [0.4, 0.1], [0.6, 0.9], [0.9, 0.6]]
    for kernel in ("linear", "poly", "rbf"):
        cremer = summeval.Cremer(kernel=kernel).fit(rows, [2, 2.5, 4, 4.5])
        cremer.save(tmp_path / "cremer")
        assert summeval.Cremer.load(tmp_path / "cremer").predict(rows) == pytest.approx(
            cremer.predict(rows)
        )


def test_the_study_of_aesop(tmp_path: Any, capsys: Any) -> None:
    rows = [
        {
            "system": f"s{system}", "topic": f"t{topic}", "overall": system + topic % 2,
            "fluency": system * topic, "rouge1.recall": system / 9, "simetrix.smoothedJSD": topic,
        }
        for system in range(4)
        for topic in range(3)
    ]  # fmt: skip
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["study", "aesop", str(path), "--human", "overall,fluency", "--format", "json"]
    options = ["--system", "system", "--topic", "topic", "--people", "s3"]
    assert main([*command, *options]) == 0
    found = json.loads(capsys.readouterr().out)
    wanted = {"metric", "human", "set", "pearson", "spearman", "kendall"}
    assert all(wanted <= set(row) for row in found["correlations"])
    assert {row["set"] for row in found["correlations"]} == {"AllPeers", "NoModels"}
    assert {row["human"] for row in found["correlations"]} == {"overall", "fluency"}
    metrics_of = {row["metric"] for row in found["correlations"]}
    assert metrics_of == {"rouge1.recall", "simetrix.smoothedJSD"}
    assert isinstance(found["koehn"], list)


def test_machines() -> None:
    pytest.importorskip("sklearn")
    from summeval.learn import RankSVM, SVMLightRegressor

    machine = RankSVM().fit([[0.0], [1.0]], [0, 1], ["q", "q"])
    assert (machine.coef_.shape, machine.n_pairs_, machine.C_ > 0) == ((1,), 1, True)
    regression = SVMLightRegressor(kernel="linear").fit([[0.0], [1.0]], [0.0, 1.0])
    assert regression.C_ > 0


def test_the_cache_is_where_the_environment_says(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path / "here"))
    assert str(annotate.cache_folder()).startswith(str(tmp_path / "here"))
    assert annotate.annotate(["a cat"], Words(), cache=True)[0] is not None
    assert list((tmp_path / "here").rglob("*"))


def test_rewards() -> None:
    from summeval.interop.reward import Rewards

    rewards = Rewards("rouge1", field="recall")
    assert list(rewards(["a cat"], ["a cat"], sources=None)) == [1.0]
    from summeval.interop import trl

    reward = trl.Reward("rouge1", field="recall", reference_column="answer")
    assert (reward.reference_column, reward.rewards(["a"], ["a b"])) == ("answer", [0.5])


def test_metrics_is_a_package() -> None:
    assert metrics.__name__ == "summeval.metrics"
    assert inspect.ismodule(metrics)


@pytest.mark.filterwarnings("ignore:simetrix:summeval.ScoreWarning")
def test_metrics_of_metrics(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    texts, scores = ["a cat sat", "a cat", "a dog", "so it goes"], [5, 3.5, 2, 1]
    sides: dict[str, Any] = {"references": ["a cat sat"] * 4, "sources": ["a cat sat here"] * 4}
    parts = ["rouge2", "tesla-s", "simetrix.unsmoothedJSD"]
    cremer = summeval.Cremer(parts=parts, kernel="linear").fit_texts(texts, scores, **sides)
    assert cremer.fields == ("value", "rouge2", "tesla_s", "simetrix")
    cremer.save(tmp_path / "c")
    again = summeval.metric("cremer", model=tmp_path / "c")
    asked = "a cat", "a cat sat"
    assert again.score(*asked, source="a cat") == cremer.score(*asked, source="a cat")
    for kind in ("linear", "svm-linear", "svm-poly", "svm-rbf"):
        metric = summeval.Combination(parts, kind=kind).fit(texts, scores, **sides)
        metric.save(tmp_path / "m")
        told = summeval.metric("combination", model=tmp_path / "m").score(*asked, source="a cat")
        assert told == metric.score(*asked, source="a cat")


def test_presets_of_rewards() -> None:
    from summeval.interop.reward import Rewards

    text = "The storm hit the coast on Monday."
    for name in ("content", "faithful", "overall"):
        rewards = Rewards.preset(name, extract="answer", repetition_penalty=0.5)
        found = rewards([f"<answer>{text}</answer>", text], [text] * 2, sources=[text] * 2)
        assert found[0] > 0.5 and found[1] == 0
    # No answer has the lowest reward, so the whole penalty is taken off.
    assert Rewards("rouge1", extract="answer", repetition_penalty=0.5)([text], [text]) == [-0.5]
    assert Rewards("rouge1", extract="answer")([text], [text]) == [0.0]


def test_ranking_of_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = {"rouge1.recall": [0.5, 0.25, 0.375, 0.125]}
    found = meta.rank(table, ["a", "b"] * 2, ["s", "s", "t", "t"], "b", 1000, 0)
    assert keywords(meta.rank) == keywords(meta.rank) | {
        "topics": None,
        "baseline": None,
        "resamples": 1000,
        "seed": 0,
    }
    assert found.systems == ("a", "b")
    for values in (found.means, found.intervals, found.clusters, found.pvalues):
        assert len(values["rouge1.recall"]) == 2
    rows = [
        {"system": system, "topic": topic, "rouge1.recall": score}
        for system, topic, score in (("a", 1, 0.5), ("b", 1, 0.25), ("a", 2, 0.75), ("b", 2, 0.5))
    ]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ["--system", "system", "--topic", "topic", "--baseline", "b", "--metrics", "rouge1"]
    for form in ("table", "csv", "latex", "markdown", "html", "json"):
        assert main(["rank", str(tmp_path / "s.jsonl"), *given, "--format", form]) == 0
        out = capsys.readouterr().out
        if form == "csv":
            assert out.startswith("system,metric,mean,lower,upper,")
            assert len(out.splitlines()) == 3
