"""Rewards: groups share only their references; directions; refused texts."""

from __future__ import annotations

import itertools
import math
import pickle
import random
import sys
import warnings
from typing import Any

import pytest

import summeval
from summeval.interop import openrlhf, trl, verl
from summeval.interop.reward import LengthPenalty, Rewards

STORM = "The storm hit the coast of Florida. Many people left their homes before the storm."
CATS = "Cats purr when they sleep. Dogs bark at cats."
LONE = "a \ud800 cat"
LONG = " ".join(f"w{i}" for i in range(70_000))  # more skip-bigrams than are counted

pytestmark = pytest.mark.filterwarnings("ignore:.*lowest reward.*:RuntimeWarning")


def of_source(candidate: str, source: Any) -> float:
    return summeval.metric("simetrix").score(candidate, source=source).value


SOURCES = [STORM, CATS, [STORM, CATS], (CATS, STORM), [STORM], None, [], [None, CATS]]
TEXTS = ["The storm hit the coast.", "Cats purr.", "cats", "Dogs left their homes."]


@pytest.mark.parametrize("references", [None, "the storm"])
def test_groups_whose_sources_differ_share_nothing(references: Any) -> None:
    rewards = Rewards({"simetrix.cosineAllWords": 1.0})
    rows = list(itertools.product(TEXTS, SOURCES))
    random.Random(3).shuffle(rows)
    texts, sources = ([row[side] for row in rows] for side in (0, 1))
    found = rewards(texts, [references] * len(rows), sources)
    metric = summeval.metric("simetrix")
    wanted = [metric.score(text, source=source or []).cosineAllWords for text, source in rows]
    assert found == [None if math.isnan(score) else score for score in wanted]
    assert found != [found[0]] * len(found)


def test_neighbours_share_a_reading_only_if_all_they_read_is_the_same() -> None:
    read: list[Any] = []
    rewards = Rewards(["rouge1", "simetrix"])
    get = rewards._cache.get
    rewards._cache.get = lambda *key: read.append(key) or get(*key)  # type: ignore[func-returns-value, method-assign]
    same = ["cats", "dogs"]
    texts = ["cats"] * 7
    references = ["cats", "cats", "cats", "dogs", same, list(same), tuple(same)]
    sources = [CATS, CATS, STORM, STORM, STORM, STORM, [STORM]]
    found = rewards(texts, references, sources)
    assert read == [
        ("cats", CATS),
        ("cats", STORM),
        ("dogs", STORM),
        (("cats", "dogs"), STORM),
        (("cats", "dogs"), (STORM,)),
    ]
    alone = [rewards([t], [r], [s])[0] for t, r, s in zip(texts, references, sources, strict=True)]
    assert found == alone


def test_a_group_of_one_and_a_shuffled_group_have_the_same_rewards() -> None:
    rewards = Rewards({"rouge1": 1.0, "tesla-s": 0.5, "simetrix": 0.1})
    rows = [
        (text, reference, source)
        for text in TEXTS
        for reference in ("cats purr", ["the storm", "dogs"], None)
        for source in (STORM, CATS)
    ]
    alone = {(*row[:1], str(row[1:])): rewards([row[0]], [row[1]], [row[2]])[0] for row in rows}
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        columns = list(zip(*rows, strict=True))
        found = rewards(columns[0], columns[1], columns[2])
        assert found == [alone[(*row[:1], str(row[1:]))] for row in rows]


@pytest.mark.parametrize("field", sorted(summeval.Simetrix.lower_is_better))
def test_the_better_text_has_the_higher_reward(field: str) -> None:
    reward = trl.Reward("simetrix", field=field, source_column="s")
    near, far = reward(completions=["The storm hit the coast.", "Cats purr."], s=[STORM] * 2)
    assert near is not None
    assert far is not None
    assert near > far
    score = summeval.metric("simetrix").score("The storm hit the coast.", source=STORM)[field]
    assert near == -score


def test_each_part_of_a_sum_has_its_own_direction() -> None:
    rewards = Rewards({"rouge1": 2.0, "simetrix": 3.0, "simetrix.cosineAllWords": 1.0})
    found = rewards(["The storm hit the coast."], ["the storm"], [STORM])
    one = summeval.score(
        "The storm hit the coast.", "the storm", ["rouge1", "simetrix"], source=STORM
    )
    wanted = 2.0 * one["rouge1"].value - 3.0 * one["simetrix"].value
    assert found == [wanted + one["simetrix"].cosineAllWords]
    assert rewards.scores(["The storm hit the coast."], ["the storm"], [STORM]) == [
        [one["rouge1"].value],
        [one["simetrix"].value],
        [one["simetrix"].cosineAllWords],
    ]
    turned = Rewards({"simetrix": -1.0})(["The storm hit the coast."], [None], [STORM])
    assert turned == [one["simetrix"].value]


BAD = [LONE, 7, b"a cat", ["a cat"], float("nan")]


@pytest.mark.parametrize("metrics", ["rouge1", "rougeLsum", "tesla-s", "bipartite", "memog"])
@pytest.mark.parametrize("bad", BAD, ids=repr)
def test_a_refused_text_has_the_lowest_reward_and_changes_no_other(metrics: str, bad: Any) -> None:
    rewards = Rewards(metrics, on_error="skip")
    texts = ["the cat sat", bad, "a dog", "", bad]
    references = ["the cat sat down"] * 3 + ["a dog"] * 2
    found = rewards(texts, references)
    good = rewards([texts[0], texts[2], texts[3]], [references[0], references[2], references[3]])
    assert [found[0], found[2], found[3]] == good
    assert found[1] == found[4] == min(found) == 0.0
    with pytest.raises((TypeError, ValueError), match=r"texts\[1\]"):
        Rewards(metrics)(texts, references)


def test_a_text_that_a_kernel_refuses_has_the_lowest_reward() -> None:
    penalty = LengthPenalty(limit=10, weight=0.5)
    rewards = Rewards(["rouge1", "rougeS*"], on_error="skip", length_penalty=penalty)
    assert rewards(["a cat", LONG, "a dog"], ["a cat"] * 3) == [2.0, -0.5, 0.5]
    clipped = Rewards("rougeS*", on_error="skip", clip=(0.1, 0.9))
    assert clipped(["a cat", LONG, LONE], ["a cat"] * 3) == [0.9, 0.1, 0.1]
    against = Rewards({"rougeS*": 1.0, "rouge1.precision": -1.0}, on_error="skip")
    assert against(["a cat", LONG], ["a cat"] * 2) == [0.0, -1.0]


def test_a_refused_text_beside_a_source() -> None:
    rewards = Rewards("simetrix", on_error="skip")
    good, bad, none = rewards(["The storm.", LONE, LONE], [None] * 3, [STORM, STORM, None])
    assert good is not None
    assert bad is not None
    assert bad < good
    assert none is None


@pytest.mark.parametrize("side", [LONE, ["a cat", 5], 5, LONG], ids=["lone", "int", "5", "long"])
def test_refused_references_are_as_none(side: Any) -> None:
    texts, references = ["a cat", "a dog", "a cat", "a cat"], ["a cat", side, side, "a cat"]
    rewards = Rewards("rougeS*", on_error="skip")
    with pytest.warns(RuntimeWarning, match="has no reward but `missing`"):
        assert rewards(texts, references) == [1.0, None, None, 1.0]
    with pytest.warns(RuntimeWarning):
        assert Rewards("rougeS*", on_error="skip", missing=-1.0)(texts, references)[1] == -1.0
    with pytest.raises((TypeError, ValueError)):
        Rewards("rougeS*")(texts, references)


def test_a_callable_that_fails_ends_no_run() -> None:
    def tokens(text: str) -> list[str]:
        if "dog" in text:
            raise KeyError("dog")
        return text.split()

    metric = summeval.metric("rouge1", tokenizer=tokens, label="own")
    rewards = Rewards(metric, on_error="skip")
    assert rewards(["a cat", "a dog"], ["a cat"] * 2) == [1.0, 0.0]
    assert rewards(["a cat", "a cat"], ["a cat", "a dog"]) == [1.0, None]
    with pytest.raises(KeyError):
        Rewards(metric)(["a cat", "a dog"], ["a cat"] * 2)


def test_refusals_are_told_once() -> None:
    rewards = Rewards("rouge1", on_error="skip")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            rewards(["a cat", LONE], ["a cat"] * 2)
        rewards(["a cat"], ["a cat"])
    assert len(told) == 1
    assert str(told[0].message).startswith("texts[1] contains an unpaired surrogate at character 2")
    assert pickle.loads(pickle.dumps(rewards))([LONE], ["a cat"]) == [0.0]


def test_no_completion_ends_a_run_of_a_trainer(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ["the cat", LONE, LONG, 7, None, [], [{"content": 3}], [{"role": "x"}], "the cat"]
    wanted = [1.0, *[0.0] * (len(odd) - 2), 1.0]
    reward = trl.Reward("rougeS*", reference_column="gold", on_error="skip")
    assert reward(completions=odd, gold=["the cat"] * len(odd)) == wanted
    with pytest.raises(TypeError, match=r"completions\[1\] is int"):
        trl.Reward("rouge1", reference_column="gold")(completions=["a", 7], gold=["a", "a"])
    solutions = [LONG, LONE, "the cat", 7]
    found = verl.compute_scores(
        [""] * 4, solutions, ["the cat"] * 4, metrics="rougeS*", on_error="skip"
    )
    assert found == [0.0, 0.0, 1.0, 0.0]

    class Torch:
        float32 = "float32"

        @staticmethod
        def tensor(values: list[float], dtype: str) -> list[float]:
            return values

    monkeypatch.setitem(sys.modules, "torch", Torch)
    skips = openrlhf.Reward("rouge1", on_error="skip")
    queries = ["Q: the cat", f"Q: {LONE}", "something that does not hold its prompt"]
    prompts = ["Q:", "Q:", "Please sum up this text:"]
    assert skips(queries, prompts, ["the cat"] * 3)["rewards"] == [1.0, 0.0, 0.0]
    with pytest.raises(ValueError, match=r"queries\[2\] does not hold"):
        openrlhf.Reward("rouge1")(queries, prompts, ["the cat"] * 3)


def test_options_that_give_no_number_are_refused() -> None:
    with pytest.raises(ValueError, match="on_error is 'ignore'"):
        Rewards("rouge1", on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="missing is nan"):
        Rewards("rouge1", missing=math.nan)
