"""Rewards for training loops: their values, shaping, and no effect of groups and threads."""

from __future__ import annotations

import inspect
import math
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summeval
from summeval.interop import openrlhf, trl, verl
from summeval.interop.reward import LengthPenalty, PreparedCache, Rewards

WORDS = "the a cat dog sat down ran it".split()
texts = st.lists(st.sampled_from([*WORDS, "\n"]), max_size=12).map(" ".join)
references = st.one_of(st.none(), texts, st.lists(st.one_of(st.none(), texts), max_size=3))
NAMES = ["rouge1", "rouge2", "rougeLsum", "tesla-s"]


def one_by_one(name: str, field: str, rows: list[tuple[str, object]]) -> list[float | None]:
    """The rewards that the face gives, each alone."""
    scores = [summeval.score(text, given, [name])[name][field] for text, given in rows]
    return [None if math.isnan(score) else score for score in scores]


@given(
    st.lists(st.tuples(texts, references, st.integers(1, 4)), max_size=6), st.sampled_from(NAMES)
)
def test_a_reward_is_the_score_whatever_its_group(groups, name):
    rows = [(text, given) for text, given, repeats in groups for _ in range(repeats)]
    found = Rewards(name, field="recall")([row[0] for row in rows], [row[1] for row in rows])
    assert found == one_by_one(name, "recall", rows)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=20))
def test_a_small_cache_changes_nothing(rows):
    sides = list(zip(*rows, strict=True))
    expected = Rewards("rouge2")(*sides)
    for size in (0, 1, 2):
        rewards = Rewards("rouge2", cache_size=size)
        assert rewards(*sides) == expected
        assert len(rewards._cache) <= size


def test_the_cache_keeps_the_sets_used_last():
    read = []

    class Spy:
        def prepare(self, references, source):
            read.append(references)
            return references

    cache = PreparedCache(Spy(), 2)
    for references in ("a", "b", "a", "c", "a", "b"):
        assert cache.get(references, None) == references
    assert read == ["a", "b", "c", "b"]


def test_terms_are_weighted_and_added():
    rewards = Rewards({"rouge1": 0.5, "rouge1.recall": 2, "rougeW-1.5.precision": -1})
    scores = summeval.score("the cat", "the cat sat down", ["rouge1", "rougeW-1.5"])
    wanted = 0.5 * scores["rouge1"].fmeasure + 2 * scores["rouge1"].recall
    wanted -= scores["rougeW-1.5"].precision
    assert rewards(["the cat"], ["the cat sat down"]) == [wanted]
    assert rewards.columns == ["rouge1", "rouge1.recall", "rougeW-1.5.precision"]


def test_metric_objects_are_terms():
    best = summeval.metric("rouge1", stemmer="porter", label="stemmed")
    rewards = Rewards([best, "rouge1"])
    assert rewards(["the cats"], ["the cat"]) == [1.0 + 0.5]
    assert rewards.name == "stemmed+rouge1"


def test_clipping_comes_last():
    penalty = LengthPenalty(limit=1, weight=3.0)
    rewards = Rewards("rouge1", clip=(-1, 0.8), length_penalty=penalty)
    assert rewards(["the", "the cat"], ["the", "the cat"]) == [0.8, -1]
    assert Rewards("rouge1", clip=(None, 0.5))(["the"], ["the"]) == [0.5]


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0, 3), st.integers(0, 60))
def test_length_penalty_is_that_of_dapo(limit, buffer, weight, words):
    if buffer > limit:
        return
    found = LengthPenalty(limit, buffer, weight).of(words * "word ")
    if words <= limit - buffer:
        assert found == 0
    elif words >= limit:
        assert found == weight
    else:
        assert found == pytest.approx(weight * (words - (limit - buffer)) / buffer)


def test_metrics_that_compare_with_the_source_get_it():
    class Copied(summeval.Metric):
        """The share of the candidate's words that the source has."""

        name, fields, primary = "copied", ("value",), "value"
        compared_with = "source"
        signature = "copied"

        def fusion_key(self):
            return id(self)

        @staticmethod
        def fuse(metrics):
            from summeval.metrics.run.runner import Runner

            def compare(candidate, sources):
                common = set(candidate.split()) & set(sources[0].split())
                return summeval.Score(("value",), (float(len(common)),), "value")

            none = summeval.Score(("value",), (math.nan,), "value")
            return Runner.of_pairs(metrics[0], lambda text, place: text, compare, none)

    reward = trl.Reward(Copied(), source_column="document")
    found = reward(completions=["the cat", "a dog"], document=["the cat sat", "the cat"])
    assert found == [2.0, 0.0]
    with pytest.raises(ValueError, match="pass source_column="):
        trl.Reward(Copied())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": "rouge1.reccall"}, "did you mean recall"),
        ({"metrics": "rogue1"}, "did you mean rouge1"),
        ({"metrics": []}, "no metrics"),
        ({"field": "value"}, "unknown field of rougeLsum"),
        ({"clip": (1, 0)}, r"give \(low, high\)"),
        ({"clip": 0.5}, r"clip is 0.5; give \(low, high\)"),
        ({"clip": (0, math.nan)}, r"give \(low, high\)"),
        ({"clip": ("0", "1")}, r"give \(low, high\)"),
        ({"metrics": {"rouge1": math.nan}}, "the weight of rouge1 is nan; give a finite number"),
        ({"metrics": {"rouge1.recall": "2"}}, "the weight of rouge1.recall is '2'"),
        ({"missing": "0"}, "missing is '0'; give a number or None"),
        ({"cache_size": -1}, "cache_size is -1"),
        ({"workers": 0}, "workers is 0"),
    ],
)
def test_options_without_sense_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Rewards(**arguments)


def test_a_length_penalty_is_no_number():
    with pytest.raises(TypeError, match="length_penalty is int; give a LengthPenalty"):
        Rewards(length_penalty=30)


def test_errors_name_the_row():
    rewards = Rewards("rouge1")
    with pytest.raises(TypeError, match=r"texts\[1\] is int"):
        rewards(["a", 3], ["a", "a"])
    assert rewards(["a", None], ["a", "a"]) == [1.0, None]
    with pytest.raises(TypeError, match=r"references\[1\] is int"):
        rewards(["a", "b"], ["a", 3])
    with pytest.raises(TypeError, match=r"references\[1\]\[0\] is int"):
        rewards(["a", "b"], ["a", [3]])
    with pytest.raises(ValueError, match="2 texts but 1 references"):
        rewards(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="buffer is 3"):
        LengthPenalty(limit=2, buffer=3)
    with pytest.raises(ValueError, match="weight is -1"):
        LengthPenalty(limit=2, weight=-1)


def test_eight_threads_get_what_one_gets():
    rng = np.random.RandomState(1)

    def text() -> str:
        return " ".join(rng.choice(WORDS, rng.randint(1, 30)))

    golds = [text() for _ in range(40)]
    groups = []
    for _ in range(60):
        gold = golds[rng.randint(len(golds))]
        groups.append(([text() for _ in range(8)], [gold] * 8))
    shared = Rewards({"rouge1": 1.0, "rougeLsum.recall": 0.3}, cache_size=8)
    expected = [Rewards({"rouge1": 1.0, "rougeLsum.recall": 0.3})(*group) for group in groups]
    found: list[list[object]] = [[] for _ in range(8)]
    start = threading.Barrier(8)

    def work(mine: int) -> None:
        start.wait()
        for turn in range(5 * len(groups)):
            found[mine].append(shared(*groups[(turn * (mine + 1)) % len(groups)]))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for mine, results in enumerate(found):
        turns = range(5 * len(groups))
        assert results == [expected[(turn * (mine + 1)) % len(groups)] for turn in turns]
    assert len(shared._cache) == 8


CONVERSATION = [
    {"role": "assistant", "content": "let me look"},
    {"role": "assistant", "content": "the cat"},
]


@pytest.mark.parametrize(
    "completion",
    ["the cat", CONVERSATION, [{"content": [{"type": "text", "text": "the cat"}, {"type": "x"}]}]],
)
def test_trl_completions_may_be_plain_or_conversational(completion):
    reward = trl.Reward("rouge1", reference_column="gold")
    assert reward(prompts=["p"], completions=[completion], gold=["the cat"]) == [1.0]


@pytest.mark.parametrize("reference", ["the cat", ["x", "the cat"], CONVERSATION, ("the cat",)])
def test_trl_references_may_be_one_or_several_or_messages(reference):
    reward = trl.Reward("rouge1", reference_column="gold")
    assert reward(completions=["the cat"], gold=[reference]) == [1.0]


def test_trl_gets_none_without_a_reference_and_zero_for_a_call_of_a_tool():
    reward = trl.Reward("rouge1", reference_column="gold")
    tool = [{"role": "assistant", "content": None}]
    assert reward(completions=["the cat", tool], gold=[None, "the cat"]) == [None, 0.0]
    filled = trl.Reward("rouge1", reference_column="gold", missing=-1.0)
    assert filled(completions=["the cat"], gold=[[]]) == [-1.0]


def test_trl_reward_takes_all_that_the_trainer_passes():
    logged = []
    reward = trl.Reward(["rouge1", "rouge2"], reference_column="gold")
    found = reward(
        prompts=["p", "p", "p"],
        completions=["the cat", "a cat", "x"],
        completion_ids=[[1], [2], [3]],
        gold=["the cat", "the cat", None],
        id=[1, 2, 3],
        trainer_state=object(),
        log_extra=print,
        log_metric=lambda name, value: logged.append((name, value)),
    )
    assert found == [2.0, 0.5, None]
    assert logged == [("rouge1+rouge2/rouge1", 0.75), ("rouge1+rouge2/rouge2", 0.5)]


def test_trl_reward_has_a_name_and_pickles():
    reward = trl.Reward({"rouge1": 0.5, "rouge2.recall": 1}, reference_column="gold", cache_size=3)
    assert reward.__name__ == "rouge1+rouge2.recall"
    assert trl.Reward(name="mine").__name__ == "mine"
    reward(completions=["the cat"], gold=["the cat"])
    again = pickle.loads(pickle.dumps(reward))
    assert again.__name__ == reward.__name__
    assert again.rewards.signature == reward.rewards.signature
    assert again(completions=["a cat"], gold=["the cat"]) == reward(
        completions=["a cat"], gold=["the cat"]
    )


def test_trl_reads_references_under_their_usual_names():
    reward, texts = trl.Reward("rouge1"), ["the cat"]
    for name in ("references", "target", "highlights"):
        assert reward(completions=["a cat"], prompts=texts, **{name: texts}) == [0.5]
    with pytest.raises(KeyError, match="'target' and 'highlights' could each hold the references"):
        reward(completions=["a cat"], target=texts, highlights=texts)
    with pytest.raises(KeyError, match=r"no 'gold' .did you mean 'target'"):
        trl.Reward("rouge1", reference_column="gold")(completions=["a"], target=texts)


def test_trl_errors_say_what_is_wrong():
    reward = trl.Reward("rouge1", reference_column="gold")
    with pytest.raises(KeyError, match="no column 'gold'; it has: summary"):
        reward(completions=["a"], summary=["a"])
    with pytest.raises(TypeError, match=r"completions\[1\] is int"):
        reward(completions=["a", 3], gold=["a", "a"])
    with pytest.raises(TypeError, match=r"completions\[0\] ends in str"):
        reward(completions=[["a"]], gold=["a"])
    with pytest.raises(TypeError, match=r"completions\[0\]: the content is int"):
        reward(completions=[[{"content": 3}]], gold=["a"])


def test_verl_calls_with_one_solution():
    names = list(inspect.signature(verl.compute_score).parameters)
    assert names[:4] == ["data_source", "solution_str", "ground_truth", "extra_info"]
    found = verl.compute_score(
        data_source="xsum",
        solution_str="the cat",
        ground_truth=np.array(["a", "the cat"], dtype=object),
        extra_info={"num_turns": 1},
        reward_router_address=None,
        reward_model_tokenizer=None,
    )
    assert found == 1.0
    assert verl.compute_score("xsum", "the cat", None) == 0.0
    assert verl.compute_score("xsum", "the cat", None, missing=-1.0) == -1.0


def test_verl_options_come_from_the_configuration():
    options = {"metrics": {"rouge1": 2.0}, "clip": [None, 1.5]}
    assert verl.compute_score("", "the cat", "the cat", **options) == 1.5
    penalty = {"limit": 1, "weight": 0.25}
    options = {"metrics": "rouge1", "length_penalty": penalty}
    assert verl.compute_score("", "the cat", "the cat", **options) == 0.75
    with pytest.raises(TypeError, match="reccall"):
        verl.compute_score("", "the cat", "the cat", reccall=1)
    with pytest.raises(TypeError, match="missing is None"):
        verl.compute_score("", "the cat", "the cat", missing=None)


def test_verl_keeps_no_more_than_a_few_sets_of_options():
    for number in range(200):
        verl.compute_score("", "the cat", "the cat", clip=(None, number))
    assert len(verl._REWARDS) <= verl._KEPT


@pytest.mark.parametrize(
    ("query", "prompt"),
    [
        ("Sum up: the cat", "Sum up:"),
        ("<s>Sum up: the cat</s>", "Sum up:"),
        ("Sum up:<|im_end|>the cat<|im_end|>", "Sum up:<|im_end|>"),
        ("Sum up: the cat</s><pad><pad>", "<s>Sum up:"),
        ("up this text now: the cat", "Please sum up this text now:"),
        ("xt of 16 letters the cat", "Sum up this text of 16 letters"),
        ("the cat", ""),
    ],
)
def test_openrlhf_prompts_and_special_tokens_are_cut(query, prompt):
    assert openrlhf.Reward("rouge1").completion(query, prompt, 0) == "the cat"


def test_openrlhf_wants_a_number_for_a_query_without_a_label():
    assert openrlhf.Reward("rouge1").rewards(["the cat"], [None]) == [0.0]
    assert openrlhf.Reward("rouge1", missing=-1.0).rewards(["the cat"], [None]) == [-1.0]
    with pytest.raises(TypeError, match="missing is None; give a number, for OpenRLHF takes no"):
        openrlhf.Reward("rouge1", missing=None)


def test_openrlhf_refuses_a_query_without_its_prompt():
    with pytest.raises(ValueError, match=r"queries\[3\] does not hold prompts\[3\]"):
        openrlhf.Reward("rouge1").completion("the cat", "Sum up this text:", 3)
    with pytest.raises(ValueError, match="does not hold"):  # an end of 15 characters is too short
        openrlhf.Reward("rouge1").completion("t of 16 letters the cat", "text of 16 letters", 3)


def test_openrlhf_gets_tensors_and_logs(monkeypatch):
    # PyTorch itself is in the environment of `make test-interop`.
    class Torch:
        float32 = "float32"

        @staticmethod
        def tensor(values, dtype):
            return (dtype, values)

    monkeypatch.setitem(sys.modules, "torch", Torch)
    reward = openrlhf.Reward(["rouge1", "rouge2"])
    found = reward(["Q: the cat", "Q: x"], ["Q:", "Q:"], ["the cat", None], images=None)
    assert found == {
        "rewards": ("float32", [2.0, 0.0]),
        "scores": ("float32", [2.0, 0.0]),
        "extra_logs": {"rouge1": 1.0, "rouge2": 1.0},
    }
    assert reward(["x"], [""], [None])["extra_logs"] == {"rouge1": 0.0, "rouge2": 0.0}


def test_nothing_of_an_ecosystem_is_imported():
    program = """
import pkgutil, importlib, sys, summeval.interop
for found in pkgutil.walk_packages(summeval.interop.__path__, "summeval.interop."):
    importlib.import_module(found.name)
theirs = "torch trl verl openrlhf torchmetrics evaluate datasets lm_eval lighteval sklearn nltk"
theirs += " rouge_score absl transformers daft dask ray pyspark pyarrow pandas"
theirs += " inspect_ai mlflow deepeval ragas dspy langsmith braintrust pydantic_evals anyio"
print(sorted(set(theirs.split()) & set(sys.modules)))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"


@pytest.mark.filterwarnings("ignore::summeval.ScoreWarning")
def test_value_names_the_field_that_a_metric_is_known_by() -> None:
    texts = ["the cat sat", "dogs"], [None] * 2, ["a cat sat"] * 2
    assert Rewards("simetrix.value")(*texts) == Rewards("simetrix.unsmoothedJSD")(*texts)
    assert Rewards({"rouge2.value": 2}, field="recall").name == "rouge2"
    assert Rewards("cremer.value").name == Rewards("cremer").name
