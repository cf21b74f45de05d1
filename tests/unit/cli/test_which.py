"""`summeval which` finds the settings that print a number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval.cli.main import main

CANDIDATES = ["The cats sat on the mat.", "It rained all day in London.", "the dog bit the man"]
REFERENCES = ["A cat sat on the mat", "It was raining in London.", "the man was bitten by the dog"]
OTHERS = ["Cats like mats.", "All day rain fell.", "a man was bitten"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    named = {"hyp": CANDIDATES, "ref": REFERENCES, "other": OTHERS}
    for name, texts in named.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return [str(tmp_path / name) for name in named]


def found(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> list[Any]:
    assert main(["which", *arguments, "--format", "json"]) == status
    results: list[Any] = json.loads(capsys.readouterr().out)["results"]
    return results


def mean(name: str, field: str = "value", **options: Any) -> float:
    table = summeval.metric(name, **options).score_batch(CANDIDATES, REFERENCES)
    return float(table.mean()[f"{name}.{field}"])


def corpus(name: str, **options: Any) -> float:
    return summeval.metric(name, **options).corpus(CANDIDATES, REFERENCES).value


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (
            mean("rouge2", "fmeasure"),
            ("rouge-score, ROUGE-1.5.5", "rouge2", "fmeasure", "mean of rows"),
        ),
        (
            mean("rouge1", "recall", stemmer="rouge155"),
            ("ROUGE-1.5.5 -m", "rouge1", "recall", "mean of rows"),
        ),
        (corpus("bleu", case="lower"), ("sacrebleu", "bleu", "value", "corpus")),
        (mean("bleu", effective_order=False), ("sacrebleu", "bleu", "value", "mean of rows")),
        (mean("chrf", beta=3, smoothing="eps"), ("NLTK", "chrf", "value", "mean of rows")),
        (corpus("wer"), ("jiwer", "wer", "value", "corpus")),
    ],
)
@pytest.mark.parametrize("shown", ["{:.5f}", "{:.6f}", "percent"])
def test_the_setting_of_a_number_is_found(
    value: float,
    wanted: tuple[str, ...],
    shown: str,
    files: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = f"{100 * value:.3f}" if shown == "percent" else shown.format(value)
    rows = found(capsys, *files[:2], "--value", printed)
    assert wanted in [(row["program"], row["metric"], row["field"], row["of"]) for row in rows]
    assert all(abs(row["value"] - value) < 2e-5 for row in rows)


def test_several_references_and_chosen_metrics(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = list(zip(REFERENCES, OTHERS, strict=True))
    old = summeval.metric("rouge1", aggregate="average", stemmer="rouge155")
    value = old.score_batch(CANDIDATES, pairs).mean()["rouge1.recall"]
    rows = found(capsys, *files, "--value", f"{value:.5f}", "--metrics", "rouge")
    assert {row["program"] for row in rows} == {"ROUGE-1.5.5 -m"}
    assert "aggregate=average" in rows[0]["options"]


def test_what_no_setting_gives_has_status_3_and_its_neighbours(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(found(capsys, *files[:2], "--value", "0.123456789", status=3)) == 3
    assert main(["which", *files[:2], "--value", "0.123456789"]) == 3
    assert "no setting gives 0.123456789; these come nearest" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--value", "high"], "--value is 'high'; give a number as it was printed"),
        (["--value", ".1", "--metrics", "tesla-s"], "tesla-s: none is tried"),
    ],
)
def test_wrong_usage_is_one_line(
    arguments: list[str], message: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["which", *files[:2], *arguments]) == 2
    assert message in capsys.readouterr().err


def test_files_without_texts_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    assert main(["which", str(path), str(path), "--value", "1"]) != 0
    assert "empty.txt" in capsys.readouterr().err
