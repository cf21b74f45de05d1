"""Names of metrics in other spellings, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from every import every

import summeval
from summeval.cli.main import main
from summeval.cli.shared.choice import choose, usual
from summeval.metrics.registry import meant, usual_name

SPELLINGS = {
    "ROUGE-1": "rouge1",
    "rouge_2": "rouge2",
    "r2": "rouge2",
    "R-9": "rouge9",
    "Rouge_L": "rougeL",
    "rougel": "rougeL",
    "RL": "rougeL",
    "rouge-lsum": "rougeLsum",
    "ROUGE-L-Sum": "rougeLsum",
    "ROUGE-W": "rougeW",
    "rouge-w-1.3": "rougeW-1.3",
    "ROUGE-S4": "rougeS4",
    "rouge_su_4": "rougeSU4",
    "ROUGE-SU*": "rougeSU*",
    "bert_score": "bertscore",
    "BERTScore": "bertscore",
    "TESLA_S": "tesla-s",
    "Tesla-M": "tesla-m",
    "BEwT-E": "bewte",
    "SIMetrix": "simetrix",
    "NPowER": "npower",
}


@every("given", SPELLINGS)
def test_other_spellings_mean_one_metric(given: str) -> None:
    assert usual_name(given) == SPELLINGS[given]
    with pytest.raises(ValueError, match=f"did you mean {SPELLINGS[given].replace('*', '.')}\\?$"):
        summeval.metric(given)


@pytest.mark.parametrize("given", ["rouge", "rouge0", "rouge10x", "roug1", "r", "s", "tesla", ""])
def test_what_is_not_certain_is_not_guessed(given: str) -> None:
    assert usual_name(given) is None


def test_every_registered_name_is_its_own() -> None:
    for name in summeval.list_metrics():
        assert usual_name(name) == name
        assert meant(name.upper().replace("-", "_"), summeval.list_metrics()) == name


def test_two_names_that_differ_in_marks_alone_are_not_guessed() -> None:
    assert meant("A_B", ["a-b", "ab"]) is None
    assert meant("A_B", ["a-b"]) == "a-b"


def test_one_line_says_what_was_taken(capsys: Any) -> None:
    names = ["ROUGE-1", "r1", "rouge2", "Rouge_L.recall", "wrods"]
    assert usual(names) == ["rouge1", "rouge2", "rougeL.recall", "wrods"]
    assert capsys.readouterr().err == (
        "summeval: ROUGE-1 is rouge1; r1 is rouge1; Rouge_L.recall is rougeL.recall\n"
    )
    assert [m.name for m in choose(["R-1 rouge1,R1"], ["rouge.stemmer=porter"]).metrics] == [
        "rouge1"
    ]


def test_every_command_that_takes_names_takes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": n, "topic": f"t{n}", "system": system, "candidate": text, "human": n + len(text),
         "references": ["a cat", "it", "dogs sat"]}
        for n in range(3) for system, text in (("a", "a cat"), ("b", "dogs"))
    ]  # fmt: skip
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    commands = [
        "score rows.jsonl -m ROUGE-1 -o scores.jsonl",
        "rank scores.jsonl -m ROUGE-1",
        "rank scores.jsonl -m ROUGE-1.recall",
        "correlate scores.jsonl --human human -m ROUGE-1 --bootstrap 9",
        "metrics ROUGE-1",
        "qarla rows.jsonl -m ROUGE-1",
    ]
    for line in commands:
        assert main(line.split()) == 0, line
        told = [text for text in capsys.readouterr().err.splitlines() if " is rouge1" in text]
        field = ".recall" if "recall" in line else ""
        assert told == [f"summeval: ROUGE-1{field} is rouge1{field}"], line
