"""Each adapter works in its real library; `make test-interop` has them all."""

from __future__ import annotations

import json
import pickle
import statistics
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ecosystem import ecosystem, reduce_in_process

import summeval
from summeval.interop import lm_eval as our_lm_eval

CANDIDATES = ["the cat sat", "a dog ran", "it", "the cat ran down", "dogs"]
REFERENCES = ["the cat sat down", "the dog ran", "it", "the cat", "dogs and cats"]
TERMS = ["rouge1", "rouge1.recall", "rougeLsum"]
COLUMNS = ["rouge1.fmeasure", "rouge1.recall", "rougeLsum.fmeasure"]
ALL_FIELDS = [
    f"{m}.{f}" for m in ("rouge1", "rougeLsum") for f in ("precision", "recall", "fmeasure")
]


def means(candidates: list[str], references: list[object]) -> dict[str, float]:
    """What the face gives as the mean of each term."""
    found = summeval.score_batch(candidates, references, ["rouge1", "rougeLsum"]).mean()
    return dict(zip(TERMS, (found[column] for column in COLUMNS), strict=True))


def named_as_torchmetrics(candidates: list[str], references: list[object]) -> dict[str, float]:
    """What SummaryScore(TERMS) gives: all fields of both metrics."""
    found = summeval.score_batch(candidates, references, ["rouge1", "rougeLsum"]).mean()
    return {column.replace(".", "_"): found[column] for column in ALL_FIELDS}


def test_torchmetrics_adds_up_batches():
    ecosystem("torchmetrics")
    from summeval.interop.torchmetrics import SummaryScore

    score = SummaryScore(TERMS)
    first = score(CANDIDATES[:2], REFERENCES[:2])  # forward gives the value of the batch
    expected = means(CANDIDATES[:2], REFERENCES[:2])["rouge1"]
    assert float(first["rouge1_fmeasure"]) == pytest.approx(expected)
    score.update(CANDIDATES[2], REFERENCES[2])
    score.update([*CANDIDATES[3:], None], [["x", REFERENCES[3]], REFERENCES[4:], "y"])
    found = {name: float(value) for name, value in score.compute().items()}
    assert found == pytest.approx(named_as_torchmetrics(CANDIDATES, REFERENCES), abs=1e-15)
    assert set(score.metric_state) == {"sums"}
    score.reset()
    assert score.sums.tolist() == [0] * 2 * len(ALL_FIELDS)


def test_torchmetrics_metric_pickles_clones_and_joins_a_collection():
    torchmetrics = ecosystem("torchmetrics")
    from summeval.interop.torchmetrics import SummaryScore

    score = SummaryScore("rouge1")
    score.update(CANDIDATES, REFERENCES)
    expected = means(CANDIDATES, REFERENCES)["rouge1"]
    for other in (pickle.loads(pickle.dumps(score)), score.clone()):
        assert float(other.compute()["rouge1_fmeasure"]) == pytest.approx(expected)
    both = torchmetrics.MetricCollection([score, torchmetrics.text.CharErrorRate()])
    both.reset()
    both.update(CANDIDATES, REFERENCES)
    assert float(both.compute()["rouge1_fmeasure"]) == pytest.approx(expected)


def test_torchmetrics_adds_statistics_of_a_corpus():
    ecosystem("torchmetrics")
    from summeval.interop.torchmetrics import SummaryScore

    score = SummaryScore(["bleu", "chrf", "rouge1"])
    score.update(CANDIDATES[:2], REFERENCES[:2])
    score.update([*CANDIDATES[2:], None], [*REFERENCES[2:], "y"])
    found = score.compute()
    whole = summeval.score_batch(CANDIDATES, REFERENCES, ["bleu", "chrf", "rouge1"]).corpus()
    for name, expected in whole.items():
        for field, value in expected.items():
            assert float(found[f"{name}_{field}"]) == pytest.approx(value, abs=1e-15)


def test_evaluate_gives_the_score_of_the_corpus():
    ecosystem("evaluate")
    from summeval.interop.evaluate import module

    found = module(["bleu", "rouge1"]).compute(predictions=CANDIDATES, references=REFERENCES)
    table = summeval.score_batch(CANDIDATES, REFERENCES, ["bleu", "rouge1"])
    assert found == {
        "bleu": table.corpus()["bleu"].value,
        "rouge1": table.mean()["rouge1.fmeasure"],
    }
    assert found["bleu"] != table.mean()["bleu.value"]


SAT = {"source": "the cat sat"}
NO_TIES = ["the cat sat on the mat", "a dog ran far away", "it", "the cat ran down", "dogs"]


def test_torchmetrics_names_scales_and_types_are_those_of_its_own_rouge():
    torchmetrics = ecosystem("torchmetrics")
    import torch

    from summeval.interop.torchmetrics import SummaryScore

    keys = ("rouge1", "rouge2", "rougeL")  # rougeLsum needs data of NLTK
    theirs, ours = torchmetrics.text.ROUGEScore(rouge_keys=keys), SummaryScore(keys)
    for score in (theirs, ours):
        score.update(NO_TIES, REFERENCES)
    wanted, found = theirs.compute(), ours.compute()
    assert set(found) == set(wanted)
    for name, value in found.items():
        assert isinstance(value, torch.Tensor)
        assert value.shape == wanted[name].shape
        assert float(value) == pytest.approx(float(wanted[name]), abs=1e-6)
    assert set(SummaryScore().compute()) == {
        f"{key}_{field}"
        for key in (*keys, "rougeLsum")
        for field in ("fmeasure", "precision", "recall")
    }
    only = SummaryScore("rouge2.recall")
    only.update(NO_TIES, REFERENCES)
    assert list(only.compute()) == ["rouge2_recall"]


def test_torchmetrics_knows_the_direction():
    ecosystem("torchmetrics")
    from summeval.interop.torchmetrics import SummaryScore

    for terms, direction in (
        ("rouge1", True),
        ("simetrix.smoothedJSD", False),
        (["rouge1", "simetrix.smoothedJSD"], None),
    ):
        score = SummaryScore(terms)
        assert score.higher_is_better is direction
        assert pickle.loads(pickle.dumps(score)).higher_is_better is direction


def test_evaluate_names_scales_and_types_are_those_of_its_own_rouge():
    ecosystem("evaluate")
    scorer = ecosystem("rouge_score.rouge_scorer")
    from summeval.interop.evaluate import module

    names = ["rouge1", "rouge2", "rougeL", "rougeLsum"]  # of metrics/rouge of evaluate 0.4
    found = module().compute(predictions=NO_TIES, references=REFERENCES)
    assert list(found) == names
    theirs = scorer.RougeScorer(names)
    scores = [theirs.score(*pair) for pair in zip(REFERENCES, NO_TIES, strict=True)]
    for name, value in found.items():
        assert type(value) is float
        assert value == pytest.approx(statistics.fmean(score[name].fmeasure for score in scores))


@pytest.mark.parametrize("stemmed", [False, True])
@pytest.mark.parametrize("tokenizer", [None, str.split])
def test_evaluate_takes_the_options_of_its_own_rouge(stemmed: bool, tokenizer: Any):
    ecosystem("evaluate")
    scorer = ecosystem("rouge_score.rouge_scorer")
    from summeval.interop.evaluate import module

    class Tokenizer:
        tokenize = staticmethod(tokenizer)

    names = ["rougeL", "rouge2"]
    texts = [text.capitalize() for text in CANDIDATES]
    found = module(["rouge1", "tesla-s"]).compute(
        predictions=texts,
        references=REFERENCES,
        rouge_types=names,
        use_stemmer=stemmed,
        tokenizer=tokenizer,
        use_aggregator=False,
    )
    theirs = scorer.RougeScorer(names, stemmed, tokenizer=tokenizer and Tokenizer())
    scores = [theirs.score(*pair) for pair in zip(REFERENCES, texts, strict=True)]
    assert found == {
        name: pytest.approx([score[name].fmeasure for score in scores]) for name in names
    }


def test_torchmetrics_reduces_over_two_processes(tmp_path: Path):
    ecosystem("torchmetrics")
    import socket

    import torch.multiprocessing as mp

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    parts = [(CANDIDATES[some], REFERENCES[some]) for some in (slice(0, 3), slice(3, None))]
    mp.spawn(reduce_in_process, (port, str(tmp_path), TERMS, parts), nprocs=2)
    expected = named_as_torchmetrics(CANDIDATES, REFERENCES)
    for rank in (0, 1):
        found = json.loads((tmp_path / f"{rank}.json").read_text())
        assert found == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("several", [False, True])
def test_evaluate_module_computes_offline(several: bool, monkeypatch: pytest.MonkeyPatch):
    ecosystem("evaluate")
    from summeval.interop.evaluate import module

    references = [[text, "x"] for text in REFERENCES] if several else REFERENCES
    rouge = module(TERMS)
    found = rouge.compute(predictions=CANDIDATES, references=references)
    assert found == pytest.approx(means(CANDIDATES, references))
    for text, reference in zip(CANDIDATES, references, strict=True):
        rouge.add(prediction=text, reference=reference)
    rows = rouge.compute(use_aggregator=False)
    assert rows["rouge1"] == [
        summeval.score(text, given, ["rouge1"])["rouge1"].value
        for text, given in zip(CANDIDATES, references, strict=True)
    ]


def test_evaluate_module_combines_with_others():
    evaluate = ecosystem("evaluate")
    from summeval.interop.evaluate import module

    both = evaluate.combine([module("rouge1"), module("rouge2")])
    found = both.compute(predictions=CANDIDATES, references=REFERENCES)
    assert set(found) == {"rouge1", "rouge2"}


def test_process_results_reads_a_field_or_asks_a_function():
    doc = {"summary": "the cat sat down", "others": ["x", "the cat"]}
    by_name = our_lm_eval.ProcessResults("rouge1.recall", reference="summary")
    assert by_name(doc, ["the cat"]) == {"rouge1.recall": 0.5}
    by_call = our_lm_eval.ProcessResults("rouge1", reference=lambda doc: doc["others"])
    assert by_call(doc, ["the cat"]) == {"rouge1": 1.0}
    with pytest.raises(KeyError, match="no 'gold'; it has: summary, others"):
        our_lm_eval.ProcessResults(reference="gold")(doc, ["the cat"])


def test_process_results_leaves_out_what_has_no_score_and_reads_sources():
    doc = {"summary": None, "article": "the cat sat"}
    some = our_lm_eval.ProcessResults(
        ["rouge1", "support"], reference="summary", source=lambda doc: doc["article"]
    )
    with pytest.warns(RuntimeWarning, match="no score for rouge1; the means leave such doc"):
        found = some(doc, ["the cat sat"])
    assert found == {"support": summeval.values("the cat sat", None, "support", **SAT)["support"]}
    free = our_lm_eval.ProcessResults(["support", "readability"], source="article")  # no reference
    assert free(doc, ["the cat sat"]).keys() == {"support", "readability"}
    with pytest.raises(ValueError, match="support compares with the source; pass source="):
        our_lm_eval.ProcessResults("support")


def test_lm_eval_runs_a_task_scored_by_process_results(tmp_path: Path, monkeypatch):
    lm_eval = ecosystem("lm_eval")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    summaries = ("lol", "lol lol", "other", None)  # the last has no score
    rows = [{"text": "sum up", "summary": summary} for summary in summaries]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "utils.py").write_text(
        "from summeval.interop.lm_eval import ProcessResults\n"
        "process_results = ProcessResults(['rouge1.recall', 'rougeLsum'], reference='summary')\n"
    )
    task = f"""
    task: summeval_demo
    dataset_path: json
    dataset_kwargs: {{data_files: {{test: {data}}}, cache_dir: {tmp_path / "cache"}}}
    test_split: test
    output_type: generate_until
    doc_to_text: "{{{{text}}}}"
    doc_to_target: "{{{{summary}}}}"
    generation_kwargs: {{until: ["END"]}}
    process_results: !function utils.process_results
    metric_list:
      - {{metric: rouge1.recall, aggregation: mean, higher_is_better: true}}
      - {{metric: rougeLsum, aggregation: mean, higher_is_better: true}}
    """
    (tmp_path / "demo.yaml").write_text(textwrap.dedent(task))
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    # the dummy model answers "lol" to everything
    found = lm_eval.simple_evaluate(
        model="dummy", tasks=["summeval_demo"], task_manager=manager, bootstrap_iters=0
    )["results"]["summeval_demo"]
    assert found["rouge1.recall,none"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert found["rougeLsum,none"] == pytest.approx((1 + 2 / 3 + 0) / 3)


def test_lighteval_metric_scores_samples_and_corpora():
    ecosystem("lighteval.metrics.utils.metric_utils")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from summeval.interop.lighteval import sample_metric

    metric = sample_metric("rouge1.recall")
    scores = []
    for text, reference in zip(CANDIDATES, REFERENCES, strict=True):
        doc = Doc(query="sum up", choices=["x", reference], gold_index=[0, 1])
        found = metric.compute_sample(doc=doc, model_response=ModelResponse(text=[text]))
        assert list(found) == ["rouge1.recall"]
        scores.append(found["rouge1.recall"])
    assert scores[0] == 0.75
    mean = metric.get_corpus_aggregations()["rouge1.recall"](scores)
    assert mean == pytest.approx(statistics.fmean(scores))


def test_lighteval_metric_pickles_skips_what_has_no_score_and_reads_sources():
    ecosystem("lighteval.metrics.utils.metric_utils")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from summeval.interop.lighteval import sample_metric

    response = ModelResponse(text=["the cat sat"])
    doc = Doc(query="the cat sat", choices=[None], gold_index=0, specific={"text": "the cat sat"})
    metric = pickle.loads(pickle.dumps(sample_metric("rouge1")))
    none = metric.compute_sample(doc=doc, model_response=response)["rouge1"]
    mean = metric.get_corpus_aggregations()["rouge1"]
    assert mean([1.0, none, 0.5]) == 0.75
    assert np.isnan(mean([none]))
    wanted = summeval.values("the cat sat", None, "support", **SAT)
    for source in ("text", "query", lambda doc: doc.query):
        free = sample_metric("support", source=source)
        assert free.compute_sample(doc=doc, model_response=response) == wanted
    with pytest.raises(KeyError, match="specific has no 'article'; it has: text"):
        sample_metric("support", source="article").compute_sample(doc=doc, model_response=response)
    with pytest.raises(ValueError, match="support compares with the source; pass source="):
        sample_metric("support")


def test_evaluate_and_torchmetrics_score_without_references():
    ecosystem("evaluate")
    ecosystem("torchmetrics")
    from summeval.interop.evaluate import module
    from summeval.interop.torchmetrics import SummaryScore

    sources = [f"{text} down" for text in CANDIDATES]
    for keys, given in (("support", {}), (["support", "rouge1"], {"references": REFERENCES})):
        for inputs in (sources, [[text, "dogs"] for text in sources]):
            table = summeval.score_batch(CANDIDATES, REFERENCES, keys, sources=inputs).mean()
            wanted = table["support.explained"]
            found = module(keys).compute(predictions=CANDIDATES, sources=inputs, **given)
            assert found["support"] == pytest.approx(wanted)
            score = SummaryScore(keys)
            score.update(CANDIDATES, *given.values(), sources=inputs)
            assert float(score.compute()["support_explained"]) == pytest.approx(wanted)
    one = SummaryScore("support.explained")
    one.update(CANDIDATES[0], sources=sources[0])
    assert float(one.compute()["support_explained"]) > 0
    plain = SummaryScore("readability")
    plain.update(CANDIDATES)  # which are compared with nothing
    with pytest.raises(ValueError, match="source"):
        module("support").compute(predictions=CANDIDATES, references=REFERENCES)


def test_lighteval_knows_the_direction():
    ecosystem("lighteval.metrics.utils.metric_utils")
    from summeval.interop.lighteval import sample_metric

    assert sample_metric("rouge1").higher_is_better
    assert not sample_metric("simetrix.smoothedJSD", source="query").higher_is_better


def test_the_list_of_a_task_has_the_direction_of_each_term():
    found = our_lm_eval.ProcessResults(
        ["rouge1", "simetrix.smoothedJSD"], source="text"
    ).metric_list
    assert [(one["metric"], one["higher_is_better"]) for one in found] == [
        ("rouge1", True),
        ("simetrix.smoothedJSD", False),
    ]


def test_sklearn_scorer_has_the_greater_number_for_the_better_texts():
    ecosystem("sklearn")
    from sklearn.base import BaseEstimator
    from sklearn.model_selection import GridSearchCV

    from summeval.interop.sklearn import scorer

    class Writer(BaseEstimator):
        """Writes what its option says it writes."""

        def __init__(self, good: bool = True):
            self.good = good

        def fit(self, X, y=None):
            return self

        def predict(self, X):
            return [text if self.good else "Cats purr." for text in X]

    inputs = ["The storm hit the coast.", "People left their homes."] * 3
    sources = ["The storm hit the coast. People left their homes before the storm."] * 6
    for name in ("rouge1", "simetrix", "simetrix.KLInputSummary"):
        rate = pickle.loads(pickle.dumps(scorer(name)))
        good, bad = (rate(Writer(good), inputs, sources) for good in (True, False))
        assert good > bad
        search = GridSearchCV(Writer(), {"good": [False, True]}, scoring=rate, cv=2)
        assert search.fit(inputs, sources).best_params_ == {"good": True}
    rouge = summeval.score_batch(inputs, sources, ["rouge1"]).mean()["rouge1.fmeasure"]
    assert scorer("rouge1")(Writer(), inputs, sources) == rouge
    with pytest.raises(ValueError, match="unknown metric"):
        scorer("rogue")


def test_sklearn_transformer_feeds_a_regressor():
    ecosystem("sklearn")
    from sklearn.base import clone
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    from summeval.interop.sklearn import PairScores

    pairs = list(zip(CANDIDATES, REFERENCES, strict=True))
    human = [4, 3, 5, 2, 1]
    model = make_pipeline(PairScores(TERMS), Ridge(alpha=1e-6)).fit(pairs, human)
    expected = np.array(
        [summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1", "rougeLsum"])[c] for c in COLUMNS]
    ).T
    np.testing.assert_array_equal(model[:-1].transform(pairs), expected)
    assert model[0].get_feature_names_out().tolist() == TERMS
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(pairs), model.predict(pairs))
    assert clone(model[0]).get_params() == model[0].get_params()
    grid = {"pairscores__metrics": [("rouge1",), ("rouge1", "rouge2")]}
    search = GridSearchCV(clone(model), grid, cv=2).fit(pairs, human)
    assert search.best_params_["pairscores__metrics"] in grid["pairscores__metrics"]


def test_sklearn_transformer_reads_frames_and_arrays_and_fills_what_is_missing():
    ecosystem("sklearn")
    pandas = pytest.importorskip("pandas")
    from summeval.interop.sklearn import PairScores

    scores = PairScores("rouge1", missing=-1.0)
    pairs = [("the cat", "the cat"), ("a", None), ("the", ["x", "the"])]
    expected = [[1.0], [-1.0], [1.0]]
    assert scores.fit(pairs).transform(pairs).tolist() == expected
    frame = pandas.DataFrame(pairs, columns=["candidate", "references"])
    assert scores.fit_transform(frame).tolist() == expected
    named = PairScores(TERMS).set_output(transform="pandas").fit_transform(frame)
    assert list(named.columns) == TERMS
    with pytest.raises(ValueError, match="row 1 is not a pair"):
        scores.transform([("a", "b"), "ab"])
    with pytest.raises(ValueError, match="unknown metric"):
        PairScores("nonsense").fit(pairs)


@pytest.mark.parametrize(
    ("module", "use", "library"),
    [
        ("torchmetrics", lambda m: m.SummaryScore, "torch"),
        ("evaluate", lambda m: m.module(), "evaluate"),
        ("lighteval", lambda m: m.sample_metric(), "lighteval"),
        ("sklearn", lambda m: m.PairScores, "sklearn"),
        ("sklearn", lambda m: m.scorer(), "sklearn"),
    ],
)
def test_what_is_not_installed_is_named(module, use, library, monkeypatch):
    import importlib

    monkeypatch.delitem(sys.modules, f"summeval.interop.{module}", raising=False)
    ours = importlib.import_module(f"summeval.interop.{module}")  # without a class made before
    monkeypatch.setitem(sys.modules, library, None)
    for name in [name for name in sys.modules if name.startswith(f"{library}.")]:
        monkeypatch.setitem(sys.modules, name, None)
    wanted = rf"needs {library}: pip install ({library}|'summeval\[learn\]')"
    with pytest.raises(ImportError, match=wanted):
        use(ours)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = ours.nonsense
