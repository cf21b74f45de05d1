"""A real training loop learns what summeval rewards; `make test-interop` has TRL."""

from __future__ import annotations

import importlib
import statistics
from pathlib import Path

import pytest
from ecosystem import ecosystem
from shared import ROOT

from summeval.interop.reward import Rewards

EXAMPLES = ROOT / "examples"


def test_the_reward_rises_under_grpo(monkeypatch: pytest.MonkeyPatch) -> None:
    ecosystem("trl")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    rewards = importlib.import_module("grpo").train(steps=50)
    assert len(rewards) == 50
    first, last = statistics.fmean(rewards[:10]), statistics.fmean(rewards[-10:])
    assert last > 2 * first
    assert last > 0.35


def test_a_preset_trains_a_model_from_disk_and_logs_its_parts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ecosystem("trl")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = importlib.import_module("grpo_preset")
    importlib.import_module("transformers").set_seed(1)
    example.make_model(tmp_path)
    steps = example.train(tmp_path, steps=50)
    assert len(steps) == 50
    rewards = [step["reward"] for step in steps]
    assert statistics.fmean(rewards[-10:]) > 2 * statistics.fmean(rewards[:10])
    parts = {name.partition("/")[2] for name in steps[0] if name.startswith("overall/")}
    assert parts == {*Rewards.preset("overall").part_names}
    words = [step["overall/words"] for step in steps]
    assert statistics.fmean(words[-10:]) > statistics.fmean(words[:10])
