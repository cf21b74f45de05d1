"""Files of scores that do not say which way a labelled metric points, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.cli.main import main

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")
WORDS = "bridge closed tuesday cracks engineers found city council repair month river".split()


def rows() -> list[dict[str, Any]]:
    """Summaries that lose a word of their source for each point that people give less."""
    random, made = np.random.default_rng(1), []
    for topic in range(5):
        source = list(random.choice(WORDS, 40))
        for system in range(6):
            words = [*source[: 12 - system], *["unrelated"] * system]
            row = {"system": f"s{system}", "topic": f"t{topic}", "overall": 9 - system}
            made.append(row | {"candidate": " ".join(words), "source": " ".join(source)})
    return made


@pytest.fixture
def scored(tmp_path: Path, capsys: Any) -> tuple[str, str, str]:
    """Scores of a labelled SIMetrix as JSON Lines and CSV, and the summary of the run."""
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()))
    label = ["-m", "simetrix", "--option", "simetrix.label=mine", "--no-progress", "--means"]
    label += ["--option", "simetrix.background=none"]  # which leaves columns without values
    paths = [str(tmp_path / name) for name in ("s.jsonl", "s.csv")]
    for path in paths:
        assert main(["score", str(tmp_path / "rows.jsonl"), *label, "-o", path]) == 0
        Path(f"{path}.signatures").unlink()  # which would tell all
    out = capsys.readouterr().out
    (tmp_path / "sums").write_text(out[: len(out) // 2])
    return paths[0], paths[1], str(tmp_path / "sums")


def results(capsys: Any, *arguments: str) -> tuple[list[dict[str, Any]], str]:
    drawn = ["--human", "overall", "--bootstrap", "9", "--coefficient", "pearson"]
    assert main([*arguments, *drawn, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    return json.loads(out)["results"], err


@pytest.mark.parametrize("kind", [0, 1])
def test_signatures_tell_which_way_a_labelled_metric_points(
    scored: Any, kind: int, capsys: Any
) -> None:
    path, signed = scored[kind], ["--signatures", scored[2]]
    (row,), err = results(capsys, "correlate", path, "-m", "mine.smoothedJSD", *signed)
    assert row["value"] > 0.8
    assert row["negated"]
    assert "assumed that higher" not in err
    names = ["-m", "mine.smoothedJSD", "mine.cosineAllWords"]
    (row,), err = results(capsys, "compare", path, *names, *signed)
    assert row["negated"] == ["mine.smoothedJSD"]
    assert min(row["mine.smoothedJSD"], row["mine.cosineAllWords"]) > 0.8
    found, err = results(capsys, "report", path, *names, *signed)
    assert "assumed that higher" not in err
    assert {row["metric"]: row["value"] > 0.8 for row in found} == dict.fromkeys(names[1:], True)


@pytest.mark.parametrize(
    "kept", ["mine: simetrix|v:0", "lower is better: mine.smoothedJSD\nx: y|v:0"]
)
def test_each_line_of_a_summary_tells_a_direction(
    scored: Any, tmp_path: Path, kept: str, capsys: Any
) -> None:
    (tmp_path / "line").write_text(kept)
    more = ["--signatures", str(tmp_path / "line")]
    (row,), _ = results(capsys, "correlate", scored[0], "-m", "mine.smoothedJSD", *more)
    assert row["negated"]


def test_fields_that_fall_elsewhere_are_warned_of_once(scored: Any, capsys: Any) -> None:
    found, err = results(capsys, "correlate", scored[1], "-m", "mine.smoothedJSD")
    assert not found[0]["negated"]  # not guessed
    (line,) = [line for line in err.splitlines() if "assumed that higher is better" in line]
    assert "mine.smoothedJSD" in line
    assert "--lower-is-better" in line
    assert "--signatures" in line
    for more in (["--lower-is-better", "mine.smoothedJSD"], ["--signatures", scored[2]]):
        _, err = results(capsys, "correlate", scored[1], "-m", "mine.smoothedJSD", *more)
        assert "assumed that higher" not in err
    _, err = results(capsys, "correlate", scored[1], "-m", "mine.cosineAllWords")
    assert "assumed that higher" not in err


def test_the_value_of_a_metric_is_the_column_that_it_is_known_by(
    scored: Any, tmp_path: Path, capsys: Any
) -> None:
    plain = Path(scored[0]).read_text().replace("mine.", "simetrix.")
    (tmp_path / "plain.jsonl").write_text(plain)
    (row,), _ = results(capsys, "correlate", str(tmp_path / "plain.jsonl"), "-m", "simetrix.value")
    assert (row["metric"], row["negated"]) == ("simetrix.unsmoothedJSD", True)


def test_a_column_without_values_is_called_so(scored: Any, capsys: Any) -> None:
    names = ["-m", "mine.percentTopicTokens", "mine.cosineAllWords"]
    _, err = results(capsys, "correlate", scored[0], *names)
    assert "mine.percentTopicTokens: no cell has a value" in err
    assert "topics: fewer" not in err


def test_the_interval_of_two_metrics_is_said_to_draw_topics(scored: Any, capsys: Any) -> None:
    names = ["-m", "mine.unigramProb", "mine.cosineAllWords", "mine.multinomialProb"]
    more = ["--human", "overall", "--bootstrap", "9", "--level", "system"]
    for count, drawn in ((3, "topics"), (4, "both")):
        for over in ([], ["--over", "both"]):
            assert main(["compare", scored[0], *names[:count], *more, *over]) == 0
            assert f"intervals over {drawn}" in capsys.readouterr().out
            plain = ["compare", scored[0], *names[:count], *more, *over, "--format", "json"]
            assert main(plain) == 0
            assert json.loads(capsys.readouterr().out)["intervals over"] == drawn


@pytest.mark.parametrize("words", [["summary system"], ["summary,system"], ["summary", "system"]])
def test_levels_take_blanks_and_commas(scored: Any, words: list[str], capsys: Any) -> None:
    more = ["-m", "mine.cosineAllWords", "--level", *words]
    found, _ = results(capsys, "correlate", scored[0], *more)
    assert [row["level"] for row in found] == ["summary", "system"]
