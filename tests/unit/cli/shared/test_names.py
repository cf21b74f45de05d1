"""Names of metrics for `summeval score`, with the file after or before them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from summeval.cli.main import main

ROW = json.dumps({"candidate": "a cat sat", "references": ["the cat sat"]}) + "\n"
NAMES = (
    ["-m", "rouge1,rouge2"],
    ["-m", "rouge1", "rouge2"],
    ["-m", "rouge1", "-m", "rouge2"],
    ["-m", "rouge1 rouge2"],
    ["-m", "rouge1,", "rouge2"],
)


@pytest.fixture
def path(tmp_path: Path) -> str:
    (tmp_path / "rows.jsonl").write_text(ROW)
    return str(tmp_path / "rows.jsonl")


def scored(out: str) -> list[str]:
    return [key for key in json.loads(out) if key.endswith(".recall")]


@pytest.mark.parametrize("names", NAMES)
def test_names_of_metrics_stand_before_or_behind_the_file(
    path: str, names: list[str], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in ([*names, path], [path, *names], [*names, path, "--keep-text"]):
        assert main(["score", *arguments]) == 0
        assert scored(capsys.readouterr().out) == ["rouge1.recall", "rouge2.recall"]
    raw: Any = io.BytesIO(ROW.encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(raw)))
    assert main(["score", *names, "-"]) == 0
    assert scored(capsys.readouterr().out) == ["rouge1.recall", "rouge2.recall"]


def test_a_file_that_is_not_there_is_named(tmp_path: Path, path: str, capsys: Any) -> None:
    absent = str(tmp_path / "absent.jsonl")
    assert main(["score", "-m", "rouge1", "rouge2", absent]) == 1
    assert f"{absent}: no such file" in capsys.readouterr().err
    assert main(["score", "-m", "rouge1", "rouge2", "-o", path]) == 2
    assert "required: INPUT" in capsys.readouterr().err


def test_what_is_there_is_the_file_before_what_ends_as_one(path: str, capsys: Any) -> None:
    assert main(["score", "-m", "rouge1", "rouge9.csv", "-m", "rouge2", path]) == 2
    assert "unknown metric 'rouge9.csv'" in capsys.readouterr().err


def test_help_says_how_names_are_given(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    assert "commas or blanks, or repeated" in " ".join(capsys.readouterr().out.split())
