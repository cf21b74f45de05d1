"""The group term of rewards: a text that is like its neighbours gets less."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import summeval
from summeval.interop import openrlhf, trl, verl
from summeval.interop.reward import Rewards

GOLD = "the old bridge was closed"
TEXTS = ["the old bridge was closed", "the old bridge was closed", "the bridge is shut now"]

pytestmark = pytest.mark.filterwarnings("ignore:.*lowest reward.*:RuntimeWarning")


def test_it_is_the_weighted_self_bleu_of_each_text() -> None:
    rewards = Rewards("rouge1", group="diversity", weight=0.5)
    own = Rewards("rouge1")(TEXTS, [GOLD] * 3)
    alike = summeval.metric("diversity").each(TEXTS)["self_bleu4"].tolist()
    judged = rewards.judge(TEXTS, [GOLD] * 3)
    wanted = [a - 0.5 * b for a, b in zip(own, alike, strict=True) if a is not None]
    assert judged.rewards == pytest.approx(wanted)
    assert judged.parts["diversity"] == alike
    assert rewards.part_names == list(judged.parts) == ["rouge1", "diversity"]
    assert rewards.name == "rouge1+diversity"
    assert "diversity" in rewards.signature
    assert pickle.loads(pickle.dumps(rewards))(TEXTS, [GOLD] * 3) == judged.rewards


def test_fields_that_rise_are_added_and_weights_turn() -> None:
    for field in ("distinct2", "near_duplicates"):
        column = summeval.metric("diversity").each(TEXTS)[field].tolist()
        sign = 1 if field == "distinct2" else -1
        for weight in (2.0, -2.0):
            rewards = Rewards("rouge1", group=f"diversity.{field}", weight=weight)
            own = Rewards("rouge1")(TEXTS, [GOLD] * 3)
            wanted = [a + sign * weight * b for a, b in zip(own, column, strict=True) if a]
            assert rewards(TEXTS, [GOLD] * 3) == pytest.approx(wanted)


def test_groups_are_those_of_the_references_or_as_given() -> None:
    rewards = Rewards("rouge1", group="diversity.near_duplicates")
    texts, gold = ["a cat", "a cat", "a cat"], ["a cat", "a cat", "a dog"]
    assert rewards.judge(texts, gold).parts["diversity.near_duplicates"] == [1, 1, 0]
    named: list[list[Any]] = [["p", "q", "p"], [[{"content": "p"}], None, [{"content": "p"}]]]
    for groups in named:
        found = rewards.judge(texts, gold, None, groups).parts["diversity.near_duplicates"]
        assert found == [1, 0, 1]
    assert rewards.judge(["a cat"], ["a cat"]).rewards == [1.0]
    assert rewards([], []) == []
    with pytest.raises(ValueError, match="3 texts but 2 groups; give one for each"):
        rewards(texts, gold, None, ["p", "q"])


@pytest.mark.parametrize("weight", [0.5, -0.5])
def test_a_refused_text_has_the_lowest_reward(weight: float) -> None:
    rewards = Rewards("rouge1", group="diversity", weight=weight, on_error="skip")
    found = rewards([*TEXTS, "\ud800", 7], [GOLD] * 5)
    assert found[:3] == rewards(TEXTS, [GOLD] * 3)
    assert found[3] == found[4] == min(one for one in found if one is not None)
    tagged = Rewards("rouge1", group="diversity", weight=weight, extract="<a>")
    found = tagged([*(f"<a>{text}</a>" for text in TEXTS), "none"], [GOLD] * 4)
    assert found[:3] == rewards(TEXTS, [GOLD] * 3)
    assert found[3] == (-0.5 if weight > 0 else 0.0)


def test_trainers_name_the_groups() -> None:
    options: dict[str, Any] = {"group": "diversity.near_duplicates", "weight": 0.25}
    reward = trl.Reward("rouge1", reference_column="gold", **options)
    texts = ["a cat", "a cat", "a cat"]
    found = reward(prompts=["p", "q", "p"], completions=texts, gold=["a cat"] * 3)
    assert found == [0.75, 1.0, 0.75]
    assert reward(completions=texts, gold=["a cat"] * 3) == [0.75] * 3
    assert verl.compute_scores([""] * 2, texts[:2], ["a cat"] * 2, metrics="rouge1", **options) == [
        0.75,
        0.75,
    ]
    assert openrlhf.Reward("rouge1", **options).rewards(texts, ["a cat"] * 3) == [0.75] * 3


def test_wrong_options_say_what_to_do() -> None:
    with pytest.raises(ValueError, match="group is 'rouge1'; give 'diversity'"):
        Rewards("rouge1", group="rouge1")
    with pytest.raises(ValueError, match=r"unknown field .* 'distinct9'"):
        Rewards("rouge1", group="diversity.distinct9")
    with pytest.raises(ValueError, match="weight is 'x'"):
        Rewards("rouge1", group="diversity", weight="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="group is fixed by the preset"):
        Rewards.preset("content", group="diversity")
