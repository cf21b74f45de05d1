"""Commands that read rows show scores of the corpus, or say where means are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import summeval
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


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_files_with_sums_have_scores_of_the_corpus(
    form: str, scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, out = str(tmp_path / "rows.jsonl"), str(tmp_path / f"sums.{form}")
    options = ["--option", "bleu.smoothing=floor", "--option", "bleu.smoothing_value=1e-5"]
    given = ["score", rows, "-m", "bleu,rouge1,chrf", *options, "-o", out]
    assert main([*given, "--sums"]) == 0
    assert (
        main(
            ["score", rows, "-m", "bleu,chrf", *options, "-o", str(tmp_path / "m.json"), "--means"]
        )
        == 0
    )
    means = {row["system"]: row for row in json.loads((tmp_path / "m.json").read_text())["means"]}
    for command in ("rank", "report"):
        capsys.readouterr()
        assert (
            main(
                [command, out, "--format", "json", "-m", "bleu.value,chrf.value,rouge1.fmeasure"]
                + ["--human", "none"] * (command == "report")
            )
            == 0
        )
        told = capsys.readouterr().out
        assert "means of rows" not in told
        for row in json.loads(told)["results"]:
            metric = row["metric"]
            assert row["kind"] == ("mean" if metric == "rouge1.fmeasure" else "corpus")
            if row["kind"] == "corpus":
                assert row["mean"] == pytest.approx(means[row["system"]][metric], abs=1e-12)
                assert row["lower"] <= row["mean"] <= row["upper"]
    capsys.readouterr()
    assert main(["rank", out]) == 0
    assert ".sum1" not in capsys.readouterr().out


def test_sums_need_a_metric_that_has_them_and_its_signature(
    scores: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, out = str(tmp_path / "rows.jsonl"), tmp_path / "sums.jsonl"
    assert main(["score", rows, "-m", "rouge1", "-o", str(out), "--sums"]) == 2
    assert "--sums is for metrics such as bleu" in capsys.readouterr().err
    assert main(["score", rows, "-m", "bleu", "-o", str(out), "--sums"]) == 0
    beside = tmp_path / "sums.jsonl.signatures"
    beside.write_text(beside.read_text().replace("order:4", "order:3"))
    assert main(["rank", str(out)]) == 1
    assert "its 10 sums are not those of bleu|" in capsys.readouterr().err
    beside.unlink()
    assert main(["rank", str(out)]) == 1
    assert "sums of bleu, but not its signature" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bleu", {}),
        ("bleu", {"smoothing": "add-k", "smoothing_value": 0.5, "effective_order": True}),
        ("bleu", {"smoothing": "floor", "smoothing_value": 1e-9, "max_order": 2, "label": "mine"}),
        ("bleu", {"smoothing": "none", "effective_order": False, "tokenizer": "char"}),
        ("chrf", {"char_order": 3, "beta": 0.5}),
        ("chrf++", {"smoothing": "eps", "word_order": 1}),
        *((name, {}) for name in ("gleu", "ter", "wer", "cer")),
    ],
)
def test_a_signature_has_the_formula(name: str, options: dict[str, object]) -> None:
    metric = summeval.metric(name, **options)
    again = type(metric).of_signature(summeval.Signature.parse(metric.signature))
    rows = metric.statistics(["a cat sat", "dogs"], ["a cat sat on a mat", "the dogs ran"])
    assert again.from_statistics(rows.sum(axis=0)) == metric.from_statistics(rows.sum(axis=0))
