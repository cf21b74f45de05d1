"""`summeval annotate --discourse`: what it writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from summeval.annotate.discourse import from_json
from summeval.cli.main import main


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"candidate": "It rained. However, we left.", "references": []}))
    return path


def test_each_text_is_written_with_its_relations(rows: Path, tmp_path: Path) -> None:
    path = tmp_path / "relations.jsonl"
    assert main(["annotate", str(rows), "-o", str(path), "--discourse", "--no-cache"]) == 0
    (line,) = path.read_text().splitlines()
    assert json.loads(line)["text"] == "It rained. However, we left."
    (relation,) = from_json(line).relations
    assert (relation.type, relation.level_1) == ("Explicit", "Comparison")
    assert (relation.conn_tokens, relation.arg1) == ((3,), ((0, 3),))


def test_conllu_cannot_hold_them(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", str(rows), "--discourse", "--output-format", "conllu"]) == 2
    assert "discourse relations are written as jsonl; omit" in capsys.readouterr().err
