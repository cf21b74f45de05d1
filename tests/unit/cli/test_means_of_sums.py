"""Commands that read rows say where their means are not the scores of a corpus."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from summeval.cli.main import main

NOTE = "bleu, chrf: means of rows, not scores of the corpus"
WORDS = "a cat dog sat ran it rained on mats and hills".split()


@pytest.fixture
def scores(tmp_path: Path) -> str:
    rows = [
        {
            "id": row,
            "system": f"s{system}",
            "candidate": " ".join(WORDS[(row * row + k) % 11] for k in range(4 + system)),
            "references": [" ".join(WORDS[(row * 3 + k) % 11] for k in range(6))],
            "human": (row * 7 + system) % 5,
        }
        for row in range(12)
        for system in range(3)
    ]
    path, out = tmp_path / "rows.jsonl", str(tmp_path / "scores.jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["score", str(path), "-m", "bleu,rouge1,chrf", "-o", out]) == 0
    return out


@pytest.mark.parametrize("command", ["rank", "correlate", "compare", "report"])
@pytest.mark.parametrize("metrics", ["bleu.value,rouge1.fmeasure,chrf.value", "rouge1.fmeasure"])
def test_a_note_names_metrics_of_sums(
    command: str, metrics: str, scores: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if (command, metrics) == ("compare", "rouge1.fmeasure"):
        metrics = "rouge1.fmeasure,rouge1.recall"
    given = [command, scores, "-m", metrics]
    given += {"rank": [], "report": ["--format", "json"]}.get(command, ["--human", "human"])
    assert main(given) == 0
    assert (NOTE in capsys.readouterr().out) == ("bleu" in metrics)
