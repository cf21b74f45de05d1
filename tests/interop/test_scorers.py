"""The scorers of evaluation frameworks, each in its real framework in `make test-interop`."""

from __future__ import annotations

import asyncio
import importlib
import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ecosystem import ecosystem

import summeval
from summeval.interop.lighteval import sample_metric
from summeval.interop.scorers import Scorer
from summeval.interop.scorers.langsmith import evaluator
from summeval.interop.scorers.promptfoo import get_assert

ARTICLES = ["the cat sat down", "the dog ran away"]
SUMMARIES = ["the cat sat", "the dog"]
OUTPUTS = ["the cat", "a dog ran"]
TERMS = ["rouge1.recall", "rougeLsum", "support"]
WANTED = [
    {
        "rouge1.recall": summeval.score(output, summary, "rouge1")["rouge1"].recall,
        "rougeLsum": summeval.values(output, summary, "rougeLsum")["rougeLsum"],
        "support": summeval.values(output, None, "support", source=article)["support"],
    }
    for output, summary, article in zip(OUTPUTS, SUMMARIES, ARTICLES, strict=True)
]
RECALLS = [wanted["rouge1.recall"] for wanted in WANTED]
EXPLAINED = str(summeval.explain("the cat", "the cat sat", "rougeLsum")["rougeLsum"])


# What they share.


def test_a_text_is_found_by_key_by_function_or_alone():
    keys: list[dict[str, Any]] = [
        {"reference": "summary", "source": "article"},
        {"reference": lambda row: row["summary"], "source": lambda row: row["article"]},
    ]
    row = {"summary": SUMMARIES[0], "article": ARTICLES[0]}
    for some in keys:
        found = Scorer(TERMS, **some)({"text": OUTPUTS[0]}, row, row)
        assert {one.name: one.value for one in found} == WANTED[0]
    assert Scorer("rouge1")("a", ["b", "a"]) == [("rouge1", 1.0, None)]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((OUTPUTS[0], {}), "the expected output has no 'summary'; it has: nothing"),
        ((OUTPUTS[0], None), "the expected output has no 'summary'; it has: nothing"),
        ((OUTPUTS[0], {"gold": "a", "id": 1}), "no 'summary'; it has: gold, id"),
        (
            ({"a": "x", "b": "y"}, {"summary": "a"}),
            "several entries; name one with candidate=: a, b",
        ),
        (({}, {"summary": "a"}), "the output has no entry"),
    ],
)
def test_a_text_that_is_not_there_is_told_in_one_line(texts, message):
    with pytest.raises(KeyError, match=message) as error:
        Scorer("rouge1", reference="summary")(*texts)
    assert "\n" not in str(error.value)


def test_only_what_the_metrics_read_is_looked_for():
    found = Scorer("rouge1", source="article")("a cat", "a cat", {"no": "article"})
    assert [one.value for one in found] == [1.0]
    assert Scorer("support")("a cat", {}, "a cat")[0].value is not None
    with pytest.raises(ValueError, match="source"):
        Scorer("support")("a cat", "a cat")


def test_a_text_without_a_score_has_none_and_no_reason():
    scorer = Scorer(["rouge1", "rougeLsum"], explain=True)
    assert scorer("a cat", None) == [("rouge1", None, None), ("rougeLsum", None, None)]
    assert scorer(None, "a cat")[0].value is None
    assert scorer(OUTPUTS[0], SUMMARIES[0])[1].reason == EXPLAINED.rstrip("\n")


def test_what_cannot_be_scored_is_refused_at_once():
    with pytest.raises(ValueError, match="wer: lower is better; DSPy reads higher as better"):
        Scorer("wer", higher="DSPy")
    with pytest.raises(ValueError, match="give one metric, and make an object for each: rouge1, r"):
        Scorer(["rouge1", "rouge2"], single=True)
    with pytest.raises(ValueError, match="unknown metric"):
        evaluator("rogue")


# promptfoo: as its wrapper.py calls a file, with JSON in and out.


def asserted(folder: Path, output: Any, context: dict[str, Any]) -> dict[str, Any]:
    """What promptfoo 0.121 reads of the file of its page."""
    path = folder / "summary.py"
    path.write_text("from summeval.interop.scorers.promptfoo import get_assert\n")
    spec = importlib.util.spec_from_file_location("summary", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = module.get_assert(*json.loads(json.dumps([output, context])))
    return json.loads(json.dumps(result, allow_nan=False))


def test_promptfoo_gets_the_score_of_the_first_metric_and_all_by_name(tmp_path: Path):
    config = {"metrics": TERMS, "reference": "summary", "source": "article"}
    texts = {"summary": SUMMARIES[0], "article": ARTICLES[0]}
    found = asserted(tmp_path, OUTPUTS[0], {"vars": texts, "config": config})
    assert found["pass"] is True
    assert found["score"] == WANTED[0]["rouge1.recall"]
    assert found["namedScores"] == WANTED[0]
    assert found["reason"] == "rouge1.recall 0.6667, rougeLsum 0.8000, support 0.8770"
    config |= {"metrics": "rougeLsum", "explain": True}
    found = asserted(tmp_path, {"text": OUTPUTS[0]}, {"vars": texts, "config": config})
    assert found["reason"] == EXPLAINED.rstrip("\n")


def test_promptfoo_fails_a_text_without_a_score_and_names_a_wrong_variable(tmp_path: Path):
    found = asserted(tmp_path, "a cat", {"vars": {"reference": None}, "config": {}})
    assert (found["pass"], found["score"], found["namedScores"]) == (False, 0.0, {})
    assert found["reason"].startswith("rouge1 no score, rouge2 no score")
    with pytest.raises(KeyError, match="has no 'reference'; it has: gold"):
        asserted(tmp_path, "a cat", {"vars": {"gold": "a"}})
    with pytest.raises(ValueError, match="unknown key of config 'treshold'; known: candidate, "):
        get_assert("a cat", {"vars": {"reference": "a"}, "config": {"treshold": 1}})


# Each in its framework.


def test_inspect_logs_a_value_for_each_metric(tmp_path: Path):
    inspect_ai = ecosystem("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from summeval.interop.scorers.inspect_ai import summary_score

    def said(text: str) -> Any:
        return ModelOutput.from_content("mockllm/model", text).model_copy(
            update={"usage": ModelUsage()}  # else the tokens are counted, by a file of the network
        )

    samples = [
        Sample(input=article, target=[summary, "x"], metadata={"article": article})
        for article, summary in zip(ARTICLES, SUMMARIES, strict=True)
    ]

    def log_of(scorer: Any) -> Any:
        (log,) = inspect_ai.eval(
            inspect_ai.Task(dataset=samples, scorer=scorer),
            model=get_model("mockllm/model", custom_outputs=[said(text) for text in OUTPUTS]),
            log_dir=str(tmp_path),
            display="none",
            max_samples=1,
        )
        assert log.status == "success", log.error
        return log

    for source in (None, "article"):
        log = log_of(summary_score(TERMS, source=source))
        assert [one.scores["summary_score"].value for one in log.samples] == WANTED
        means = {score.name: score.metrics["mean"].value for score in log.results.scores}
        assert means == {name: pytest.approx(sum(w[name] for w in WANTED) / 2) for name in TERMS}
        assert log.samples[0].scores["summary_score"].explanation is None
    log = log_of(summary_score(summeval.metric("rougeLsum"), explain=True))
    assert log.samples[0].scores["summary_score"].explanation == EXPLAINED.rstrip("\n")


def test_inspect_counts_a_text_without_a_score_as_unscored():
    ecosystem("inspect_ai")
    from inspect_ai.scorer import Target

    from summeval.interop.scorers.inspect_ai import summary_score

    state = SimpleNamespace(output=SimpleNamespace(completion=OUTPUTS[0]), input_text=ARTICLES[0])
    none = asyncio.run(summary_score(["rouge1", "rouge2"])(state, Target([])))
    assert math.isnan(none.value)
    some = asyncio.run(summary_score(["rouge1", "support"])(state, Target([])))
    assert math.isnan(some.value["rouge1"])
    assert some.value["support"] == WANTED[0]["support"]


@pytest.fixture
def mlflow(tmp_path: Path) -> Any:
    """MLflow, which writes its runs into a folder of the test."""
    theirs = ecosystem("mlflow")
    before = theirs.get_tracking_uri()
    theirs.set_tracking_uri(f"sqlite:///{tmp_path / 'runs.db'}")
    theirs.create_experiment("test", artifact_location=str(tmp_path / "artifacts"))
    theirs.set_experiment("test")
    yield theirs
    theirs.set_tracking_uri(before)


def test_mlflow_has_scores_of_rows_their_mean_and_that_of_the_corpus(mlflow: Any):
    import pandas as pd

    from summeval.interop.scorers.mlflow import metrics

    rows = {"article": ARTICLES, "summary": SUMMARIES, "output": OUTPUTS}
    chosen = metrics([*TERMS, "bleu", "wer"], source="article")
    found = mlflow.models.evaluate(
        data=pd.DataFrame(rows), predictions="output", targets="summary", extra_metrics=chosen
    )
    table = found.tables["eval_results_table"]
    for name in TERMS:
        own = [wanted[name] for wanted in WANTED]
        column = f"{name.replace('.', '_')}/v1"
        kept = table[f"{column}/score"].tolist()  # with ten digits, as MLflow writes tables
        assert kept == pytest.approx(own, abs=1e-9)
        assert found.metrics[f"{column}/mean"] == pytest.approx(sum(own) / 2)
    whole = summeval.score_batch(OUTPUTS, SUMMARIES, "bleu").corpus()["bleu"].value
    assert found.metrics["bleu/v1/corpus"] == whole
    assert [one.greater_is_better for one in chosen] == [True, True, True, True, False]


def test_mlflow_genai_gets_a_feedback_for_each_metric(mlflow: Any):
    from summeval.interop.scorers.mlflow import scorer

    rows = [
        {
            "inputs": {"article": article},
            "outputs": output,
            "expectations": {"expected_response": summary},
        }
        for article, output, summary in zip(ARTICLES, OUTPUTS, SUMMARIES, strict=True)
    ]
    found = mlflow.genai.evaluate(data=rows, scorers=[scorer(TERMS, explain=True)])
    for name in TERMS:
        own = sorted(wanted[name] for wanted in WANTED)
        assert sorted(found.result_df[f"{name}/value"]) == pytest.approx(own)
        assert found.metrics[f"{name}/mean"] == pytest.approx(sum(own) / 2)
    assert EXPLAINED.rstrip("\n") in found.result_df["rougeLsum/rationale"].tolist()
    assert scorer("rouge1")(outputs="a cat", expectations={"expected_response": None}) == []


@pytest.mark.parametrize("side_by_side", [True, False])
def test_deepeval_copies_the_metric_and_gives_its_score(
    side_by_side: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)  # where it keeps what it ran
    deepeval = ecosystem("deepeval")
    from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
    from deepeval.test_case import LLMTestCase

    from summeval.interop.scorers.deepeval import SummaryScore

    cases = [
        LLMTestCase(input=article, actual_output=output, expected_output=summary)
        for article, output, summary in zip(ARTICLES, OUTPUTS, SUMMARIES, strict=True)
    ]
    found = deepeval.evaluate(
        test_cases=cases,
        metrics=[SummaryScore(name, threshold=0.6) for name in TERMS],
        async_config=AsyncConfig(run_async=side_by_side),
        display_config=DisplayConfig(print_results=False, show_indicator=False),
        cache_config=CacheConfig(write_cache=False, use_cache=False),
    )
    results = sorted(found.test_results, key=lambda result: result.input)
    for result, wanted in zip(results, WANTED, strict=True):
        data = {one.name: one for one in result.metrics_data}
        assert {name: one.score for name, one in data.items()} == wanted
        assert [one.success for one in data.values()] == [v >= 0.6 for v in wanted.values()]
        assert {one.threshold for one in data.values()} == {0.6}
    assert {one.name: one.reason for one in results[0].metrics_data}["rougeLsum"] == (
        EXPLAINED.rstrip("\n")
    )


def test_deepeval_names_what_a_test_case_lacks():
    ecosystem("deepeval")
    from deepeval.test_case import LLMTestCase

    from summeval.interop.scorers.deepeval import SummaryScore

    case = LLMTestCase(input=ARTICLES[0], actual_output=OUTPUTS[0])
    with pytest.raises(Exception, match="'expected_output' cannot be None for the 'rouge1' metric"):
        SummaryScore("rouge1").measure(case)
    free = SummaryScore("support", include_reason=False)
    assert asyncio.run(free.a_measure(case)) == WANTED[0]["support"]
    assert free.reason is None
    with pytest.raises(ValueError, match="lower is better; DeepEval"):
        SummaryScore("wer")


def test_ragas_evaluates_with_the_metrics():
    ragas = ecosystem("ragas")
    from summeval.interop.scorers.ragas import SummaryScore

    rows = [
        {"user_input": article, "response": output, "reference": summary}
        for article, output, summary in zip(ARTICLES, OUTPUTS, SUMMARIES, strict=True)
    ]
    found = ragas.evaluate(
        ragas.EvaluationDataset.from_list(rows),
        metrics=[SummaryScore(name) for name in TERMS],
        show_progress=False,
        raise_exceptions=True,
    )
    assert found.scores == WANTED
    sample = ragas.SingleTurnSample(response="a cat", retrieved_contexts=["a dog", "a cat"])
    several = SummaryScore("support", source="retrieved_contexts")
    wanted = summeval.values("a cat", None, "support", source=["a dog", "a cat"])["support"]
    assert several.single_turn_score(sample) == wanted
    assert math.isnan(SummaryScore("rouge1").single_turn_score(sample))


def test_dspy_evaluates_and_gepa_reads_the_explanation(tmp_path: Path):
    dspy = ecosystem("dspy")
    from dspy.utils import DummyLM

    from summeval.interop.scorers.dspy import feedback

    examples = [
        dspy.Example(article=article, summary=summary).with_inputs("article")
        for article, summary in zip(ARTICLES, SUMMARIES, strict=True)
    ]
    written = dict(zip(ARTICLES, OUTPUTS, strict=True))

    class Writer(dspy.Module):
        def forward(self, article: str) -> Any:
            return dspy.Prediction(summary=written[article], reasoning="none")

    metric = feedback("rougeLsum", reference="summary", source="article")
    found = dspy.Evaluate(devset=examples, metric=metric, display_progress=False)(Writer())
    assert found.score == pytest.approx(50 * sum(w["rougeLsum"] for w in WANTED), abs=0.005)
    support = feedback("support", candidate="summary", source="article")
    assert support(examples[0], Writer()(ARTICLES[0])).score == WANTED[0]["support"]
    none = support(examples[0], dspy.Prediction(summary=None))
    assert (none.score, none.feedback) == (0.0, "support has no score: a text is missing")
    reader = DummyLM([{"new_instruction": "Be brief."}] * 50)
    gepa = dspy.GEPA(metric=metric, max_metric_calls=6, reflection_lm=reader, log_dir=str(tmp_path))
    with dspy.context(lm=DummyLM([{"summary": OUTPUTS[0]}] * 50)):
        gepa.compile(dspy.Predict("article -> summary"), trainset=examples, valset=examples)
    assert "missing: sat" in str(reader.history[0]["messages"])


def test_langsmith_evaluates_with_a_result_for_each_metric():
    ecosystem("langsmith")
    import datetime
    import uuid

    from langsmith import Client, schemas
    from langsmith.evaluation import evaluate

    now = datetime.datetime.now(datetime.UTC)
    examples = [
        schemas.Example(
            id=uuid.uuid4(),
            dataset_id=uuid.uuid4(),
            created_at=now,
            inputs={"article": article},
            outputs={"summary": summary, "id": 1},
        )
        for article, summary in zip(ARTICLES, [SUMMARIES[0], None], strict=True)
    ]
    written = dict(zip(ARTICLES, OUTPUTS, strict=True))

    def target(inputs: dict[str, str]) -> dict[str, str]:
        return {"summary": written[inputs["article"]]}

    rows = evaluate(
        target,
        data=examples,
        evaluators=[evaluator(TERMS, reference="summary", explain=True)],
        upload_results=False,
        client=Client(api_url="http://127.0.0.1:9", api_key="none", auto_batch_tracing=False),
    )
    found = {row["example"].inputs["article"]: row["evaluation_results"]["results"] for row in rows}
    first, second = (found[article] for article in ARTICLES)
    assert {one.key: one.score for one in first} == WANTED[0]
    assert first[1].comment == EXPLAINED.rstrip("\n")
    assert [one.score for one in second] == [None, None, WANTED[1]["support"]]


def test_braintrust_evaluates_with_a_score_for_each_metric():
    braintrust = ecosystem("braintrust")
    from summeval.interop.scorers.braintrust import scorer

    written = dict(zip(ARTICLES, OUTPUTS, strict=True))
    rows = [
        {"input": article, "expected": {"summary": summary, "id": 1}}
        for article, summary in zip(ARTICLES, SUMMARIES, strict=True)
    ]

    def results(*scores: Any) -> Any:
        found = braintrust.Eval(
            "summaries", data=rows, task=written.get, scores=scores, no_send_logs=True
        )
        return sorted(found.results, key=lambda result: result.input)

    found = results(scorer(TERMS, reference="summary"))
    assert [result.scores for result in found] == WANTED
    score = scorer(TERMS, explain=True)
    (low,) = scorer("support")(input="dogs bark", output="a cat sat")
    assert low.score == 0.0
    assert low.metadata["value"] < 0
    with pytest.raises(ValueError, match=r"reading-ease is \d+.*; Braintrust takes scores up to 1"):
        scorer("reading-ease")(input="", output="A cat.")
    told = score(input=ARTICLES[0], output=OUTPUTS[0], expected=SUMMARIES[0])
    assert told[1].metadata["explanation"] == EXPLAINED.rstrip("\n")
    assert score(input=ARTICLES[0], output=OUTPUTS[0], expected=None)[0].score is None


def test_pydantic_evals_has_scores_and_saves_the_evaluator(tmp_path: Path):
    ecosystem("pydantic_evals")
    from pydantic_evals import Case, Dataset

    from summeval.interop.scorers.pydantic_evals import SummaryScore

    written = dict(zip(ARTICLES, OUTPUTS, strict=True))
    cases = [
        Case(name=str(row), inputs={"article": article, "id": row}, expected_output=summary)
        for row, (article, summary) in enumerate(zip(ARTICLES, SUMMARIES, strict=True))
    ]
    made = SummaryScore(TERMS, source="article", explain=True)
    kept = Dataset[dict, str, Any](name="summaries", cases=cases, evaluators=[made])
    kept.to_file(tmp_path / "set.yaml")
    read = Dataset[dict, str, Any].from_file(
        tmp_path / "set.yaml", custom_evaluator_types=[SummaryScore]
    )
    for some in (kept, read):
        report = some.evaluate_sync(lambda inputs: written[inputs["article"]], progress=False)
        found = {case.name: case.scores for case in report.cases}
        for row, wanted in enumerate(WANTED):
            assert {name: one.value for name, one in found[str(row)].items()} == wanted
        assert found["0"]["rougeLsum"].reason == EXPLAINED.rstrip("\n")
    nothing = Dataset[str, str, Any](
        name="none", cases=[Case(inputs="a")], evaluators=[SummaryScore(["rouge1"])]
    )
    (case,) = nothing.evaluate_sync(str, progress=False).cases
    assert (case.scores, case.evaluator_failures) == ({}, [])


def test_evaluate_loads_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    evaluate = ecosystem("evaluate")
    from summeval.interop.evaluate import FOLDER, module

    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "modules"))
    loaded = evaluate.load(FOLDER, metrics=TERMS, cache_dir=str(tmp_path))
    given = {"predictions": OUTPUTS, "references": SUMMARIES, "sources": ARTICLES}
    assert loaded.compute(**given) == module(TERMS).compute(**given)
    options = {"rouge_types": ["rouge1", "rougeL"], "use_stemmer": True, "use_aggregator": False}
    stemmed = [f"{text}s" for text in OUTPUTS]
    rouge = evaluate.load(FOLDER, cache_dir=str(tmp_path))
    found = rouge.compute(predictions=stemmed, references=OUTPUTS, **options)
    assert found == {"rouge1": [1.0, 1.0], "rougeL": [1.0, 1.0]}


@pytest.mark.parametrize(
    ("module", "use", "library"),
    [
        ("inspect_ai", lambda m: m.summary_score(), "inspect_ai"),
        ("mlflow", lambda m: m.metrics(), "mlflow"),
        ("mlflow", lambda m: m.scorer(), "mlflow"),
        ("deepeval", lambda m: m.SummaryScore, "deepeval"),
        ("ragas", lambda m: m.SummaryScore, "ragas"),
        ("dspy", lambda m: m.feedback(), "dspy"),
        ("braintrust", lambda m: m.scorer(), "braintrust"),
        ("pydantic_evals", lambda m: m.SummaryScore, "pydantic_evals"),
    ],
)
def test_what_is_not_installed_is_named(module, use, library, monkeypatch):
    name = f"summeval.interop.scorers.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    ours = importlib.import_module(name)  # without a class made before
    for found in [found for found in sys.modules if found.startswith(f"{library}.")]:
        monkeypatch.setitem(sys.modules, found, None)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf"needs {library}: pip install"):
        use(ours)


def test_the_input_of_lighteval_is_named_where_it_is_not_there():
    ecosystem("lighteval.metrics.utils.metric_utils")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    doc = Doc(query="", choices=["a"], gold_index=0, specific=None)
    with pytest.raises(KeyError, match="a document's specific has no 'text'; it has: nothing"):
        sample_metric("support", source="text").compute_sample(
            doc=doc, model_response=ModelResponse(text=["a"])
        )
