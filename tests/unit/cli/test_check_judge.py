"""`summeval check-judge`, beside a judge whose faults are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judge_server import answer, of_words, serving

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


def test_a_judge_out_of_reach_has_the_status_that_score_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path / "cache"))
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"topic": "a", "system": "b", "candidate": "a b c d e f", "source": "a"}\n')
    options = ["judge.url=http://127.0.0.1:9/v1", "judge.model=small", "judge.retries=0"]
    given = [part for option in options for part in ("--option", option)]
    for command in (["score", str(rows), "-m", "judge"], ["check-judge", str(rows)]):
        assert main([*command, *given]) == 1
        said = capsys.readouterr().err
        assert "rows.jsonl: judge: no answer from http://127.0.0.1:9/v1" in said
        assert "--help" not in said


def test_a_file_of_lines_is_told_how_to_become_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("the cat sat\nthe dog\n")
    given = ["--option", "judge.url=http://127.0.0.1:9/v1", "--option", "judge.model=small"]
    for command in (["check-judge", str(path), *given], ["study", "metrics", str(path)]):
        assert main(command) == 1
        said = capsys.readouterr().err
        assert "gold.txt: holds lines of text, no rows; make rows of such files" in said
        assert "score --hyp" in said


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
        verdicts = '{"verdicts": [{"reason": "", "holds": true}]}'
        server.reply = lambda request: answer(
            verdicts if "items" in server.texts(request) else '{"items": ["it rains"]}'
        )
        sourced = tmp_path / "sourced.jsonl"
        sourced.write_text("".join(json.dumps(row | {"source": "rain"}) + "\n" for row in rows))
        claims = str(tmp_path / "claims.jsonl")
        assert main(["score", str(sourced), "-m", "judge-claims", "-o", claims, *options]) == 0
    assert main(["report", scores, "-o", str(page)]) == 0
    assert "judge-fluency" in page.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["cite", scores]) == 0
    assert "G-Eval" in capsys.readouterr().out
    assert main(["cite", claims]) == 0
    said = capsys.readouterr().out
    assert "FActScore" in said and "G-Eval" not in said
    assert main(["cite", "consensus"]) == 0
    assert "consensus" in capsys.readouterr().out
