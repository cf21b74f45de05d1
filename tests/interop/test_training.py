"""A real training loop learns what summeval rewards; `make test-interop` has TRL."""

from __future__ import annotations

import importlib
import statistics

import pytest
from ecosystem import ecosystem
from shared import ROOT

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
