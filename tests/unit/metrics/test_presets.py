"""Presets of metrics, wherever names are taken."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval.cli.main import main
from summeval.metrics.registry import PRESETS, START, expanded


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_metrics_that_exist_once_each(name: str) -> None:
    names = PRESETS[name].names
    assert len(set(names)) == len(names) > 0
    assert set(names) <= set(summeval.list_metrics())
    assert PRESETS[name].says


def test_the_presets_are_those_of_the_papers() -> None:
    assert PRESETS["classic"].names == ("rouge1", "rouge2", "rougeLsum")
    aesop = ("rouge2", "rougeSU4", "be", "tesla-s", "dicomer", "cremer")
    assert PRESETS["aesop"].names == aesop


def test_fast_needs_no_parser_no_source_and_one_reference() -> None:
    suite = summeval.suite("preset:fast")
    assert suite.parsers == []
    assert not {"source", "both"} & {*suite.reads}
    scores = suite.score("a cat", "the cat")
    assert [*scores] == [*PRESETS["fast"].names]
    assert not any(math.isnan(score.value) for score in scores.values())


def test_faithful_reads_the_source_alone() -> None:
    suite = summeval.suite("preset:faithful")
    assert suite.reads == ("source",)
    assert [metric.name for metric in suite.metrics] == ["support", "simetrix", "extractiveness"]


def test_python_takes_presets_mixed_with_names_and_objects() -> None:
    scores = summeval.score("a cat", "the cat", ["rouge2", "preset:classic", "tesla-s"])
    assert list(scores) == ["rouge2", "rouge1", "rougeLsum", "tesla-s"]
    stemmed = summeval.metric("rouge1", stemmer="porter")
    table = summeval.score_batch(["cats"], ["cat"], ["preset:classic", stemmed, "preset:classic"])
    assert table.columns[::3] == ["rouge2.precision", "rougeLsum.precision", "rouge1.precision"]
    assert table["rouge1.recall"].tolist() == [1.0]  # the object that was given, stemmed
    assert list(summeval.suite("preset:classic rouge1").signature) == [*PRESETS["classic"].names]


def test_a_list_without_a_preset_stays_as_it_is() -> None:
    with pytest.raises(ValueError, match="two metrics are called 'rouge1'"):
        summeval.suite(["rouge1", "rouge1"])
    assert expanded(["rouge1", "rouge1"]) == ["rouge1", "rouge1"]


def test_a_preset_is_not_one_metric() -> None:
    with pytest.raises(ValueError, match=r"^preset:fast names several metrics; use summeval.suite"):
        summeval.metric("preset:fast")


def test_an_unknown_preset_is_told() -> None:
    with pytest.raises(ValueError, match=r"^unknown preset:slow; known: preset:classic, "):
        summeval.score("a", "a", "preset:slow")


def test_the_command_scores_a_preset(tmp_path: Path, capsys: Any) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"candidate": "a cat", "references": ["a cat sat"]}\n')
    assert main(["score", str(rows), "-m", "preset:classic,rouge2", "tesla-s"]) == 0
    found = json.loads(capsys.readouterr().out)
    metrics = dict.fromkeys(key.rpartition(".")[0] for key in found if "." in key)
    assert list(metrics) == ["rouge1", "rouge2", "rougeLsum", "tesla-s"]
    assert main(["score", str(rows), "-m", "preset:slow"]) == 2
    assert "unknown preset:slow" in capsys.readouterr().err


def test_the_command_lists_them(capsys: Any) -> None:
    assert main(["metrics"]) == 0
    printed = capsys.readouterr().out
    for name, preset in PRESETS.items():
        assert f"{START}{name} " in printed
        told = printed.partition(START + name)[2].partition(START)[0]
        assert next(text.strip(",") for text in told.splitlines()[1].split()) == preset.names[0]
    assert main(["metrics", "preset:classic"]) == 0
    printed = capsys.readouterr().out
    assert [name for name in PRESETS["classic"].names if f"\n{name}: " in f"\n{printed}"]


def test_whatever_takes_several_metrics_takes_a_preset() -> None:
    from summeval.interop.reward import Rewards
    from summeval.interop.shared.batches import BatchScorer

    names = list(PRESETS["classic"].names)
    weights = {f"{name}.fmeasure": 1.0 for name in names}
    made = summeval.Combination("preset:classic", [*weights], weights=weights)
    assert made.score("a cat", "a cat").value == 3.0
    queen = summeval.metric("queen", metrics=["preset:classic", "tesla-s"])
    assert queen.score("a b", ["a b"] * 3).value == 1.0
    assert "rougeLsum.fmeasure,tesla-s.fmeasure" in queen.signature
    texts = ["a cat sat", "dogs"], ["a cat", "dogs bark"]
    wanted = Rewards(names)(*texts)
    assert Rewards("preset:classic")(*texts) == wanted
    assert Rewards({"preset:classic": 2.0})(*texts) == [2 * value for value in wanted]
    assert [metric.name for metric in BatchScorer("preset:classic").suite.metrics] == names


def test_scores_are_read_by_presets_too(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "scores.jsonl"
    lines = [
        {"system": f"s{s}", "topic": t, "human": s + t, "other.x": t, "rouge1.fmeasure": s / 9}
        | {"rouge2.fmeasure": s, "rougeLsum.fmeasure": t * s}
        for s in range(3)
        for t in range(3)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ["correlate", str(path), "--human", "human", "--format", "json", "--metrics"]
    assert main([*command, "preset:classic"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    wanted = [f"{name}.fmeasure" for name in PRESETS["classic"].names]
    assert list(dict.fromkeys(row["metric"] for row in found)) == wanted
    assert main([*command, "preset:slow"]) == 2
    assert "unknown preset:slow" in capsys.readouterr().err
