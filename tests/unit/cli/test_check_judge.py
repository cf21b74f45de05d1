"""`summeval check-judge`, beside a judge whose faults are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from judge_server import answer, score, serving

from summeval.cli.main import main

pytest.importorskip("httpx")


def biased(request: dict[str, Any]) -> dict[str, Any]:
    """Likes the first text, and long ones; sees neither order nor repetition."""
    texts = json.loads(request["messages"][-1]["content"].rpartition("\n\n")[2])
    if "summary 1" in texts:
        return answer('{"reason": "", "better": 1}')
    return score(min(5, len(texts["summary"].split()) // 10 + 1))


def test_the_faults_of_a_judge_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path / "cache"))
    with serving(biased) as server:
        options = [f"judge.url={server.url}", "judge.model=small"]
        command = ["check-judge", "--limit", "3", "--pairs", "5", "--format", "json"]
        command += [part for option in options for part in ("--option", option)]
        assert main(command) == 0
        found = json.loads(capsys.readouterr().out)
        asked = len(server.requests)
        assert main(command) == 0
        assert len(server.requests) == asked  # answers are kept
        capsys.readouterr()
        assert main(["check-judge", "--judge", "rouge1"]) == 2
        assert "--judge rouge1 is no judge" in capsys.readouterr().err
    faults = {row["fault"]: row["value"] for row in found["faults"]}
    assert faults["no verdict"] == 0
    assert faults["mean change when asked again"] == 0
    assert faults["first of two equal texts preferred"] == 1
    assert faults["verdict turns round with the order"] == 1
    assert faults["the first text is preferred"] == 1
    assert faults["correlation with length (Spearman, within topics)"] > 0.5
    attacks = {row["attack"]: row for row in found["attacks"]}
    assert attacks["shuffle"]["won"] == 0 and attacks["shuffle"]["tied"] == 1
    assert attacks["empty"]["won"] == 1
