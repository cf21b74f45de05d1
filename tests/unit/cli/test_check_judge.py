"""`summeval check-judge`, beside a judge whose faults are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judge_server import of_words, serving

from summeval.cli.main import main

pytest.importorskip("httpx")


def test_the_faults_of_a_judge_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path / "cache"))
    with serving(of_words) as server:  # it likes the first text, and long ones; it sees no order
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
    assert faults["verdict turns round with the order"] == 0
    assert faults["the first text is preferred"] == 0.5
    assert faults["correlation with length (Spearman, within topics)"] > 0.5
    attacks = {row["attack"]: row for row in found["attacks"]}
    assert attacks["shuffle"]["won"] == 0 and attacks["shuffle"]["tied"] == 1
    assert attacks["empty"]["won"] == 1


def test_judged_rows_are_reported_and_cited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path / "cache"))
    rows = [
        {
            "system": system,
            "topic": topic,
            "candidate": f"{system} says it rains {'a lot ' * topic}",
        }
        for system in "ab"
        for topic in range(3)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    scores, page = str(tmp_path / "scores.jsonl"), tmp_path / "report.html"
    with serving(of_words) as server:
        options = ["--option", f"judge.url={server.url}", "--option", "judge.model=small"]
        command = ["score", str(tmp_path / "rows.jsonl"), "-m", "judge-fluency", "-o", scores]
        assert main([*command, *options]) == 0
    assert main(["report", scores, "-o", str(page)]) == 0
    assert "judge-fluency" in page.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["cite", scores]) == 0
    assert "G-Eval" in capsys.readouterr().out
    assert main(["cite", "consensus"]) == 0
    assert "consensus" in capsys.readouterr().out
