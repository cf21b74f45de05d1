"""The direction of each column of scores, in tables, files and commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval.cli.main import main
from summeval.io.directions import stored_directions
from summeval.metrics.registry import INDEX, direction_of, directions_of
from summeval.table.table import read_rows

pa = pytest.importorskip("pyarrow")

ROWS = [
    {"id": "1", "candidate": "A cat sat.", "references": ["The cat."], "source": "The cat sat."},
    {"id": "2", "candidate": "", "references": ["The cat."], "source": "The cat sat."},
]
FALLING = {"KLInputSummary", "KLSummaryInput", "unsmoothedJSD", "smoothedJSD"}


def wanted(name: str = "simetrix") -> dict[str, bool]:
    """Of rouge1, and of SIMetrix under this name."""
    fields = summeval.Simetrix.fields
    return dict.fromkeys(("rouge1.precision", "rouge1.recall", "rouge1.fmeasure"), True) | {
        f"{name}.{field}": field not in FALLING for field in fields
    }


def metrics(label: str | None = None) -> list[str | summeval.Metric]:
    return ["rouge1", summeval.metric("simetrix", label=label)]


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return str(path)


def test_a_table_says_it_also_in_arrow() -> None:
    sources = [row["source"] for row in ROWS]
    texts = [row["candidate"] for row in ROWS]
    table = summeval.score_batch(texts, ["The cat."] * 2, metrics("far"), sources=sources)
    assert table.higher_is_better == wanted("far") == summeval.suite(metrics("far")).directions
    found = table.to_arrow()
    assert stored_directions(found.schema) == wanted("far")
    assert found.schema.metadata[b"rouge1"].decode() == table.signature["rouge1"]
    assert stored_directions(pa.RecordBatchReader.from_stream(table).schema) == wanted("far")


def test_batches_of_engines_say_it() -> None:
    from summeval.interop.arrow import score_record_batch
    from summeval.interop.shared.batches import BatchScorer

    batch = pa.RecordBatch.from_pylist(ROWS)
    found = score_record_batch(batch, metrics("far"), carry=True)
    assert stored_directions(found.schema) == wanted("far")
    scorer = BatchScorer(metrics("far"))
    assert scorer.schema(batch.schema) == found.schema
    assert (
        stored_directions(scorer.schema(batch.schema))
        == stored_directions(scorer(batch).schema)
        == wanted("far")
    )


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("from_columns", [False, True])
def test_a_file_in_columns_says_it(
    rows: str, tmp_path: Path, ending: str, from_columns: bool
) -> None:
    if from_columns:
        import pyarrow.parquet as pq

        rows = str(tmp_path / "rows.parquet")
        pq.write_table(pa.Table.from_pylist(ROWS), rows)
    out = str(tmp_path / f"scores.{ending}")
    arguments = ["score", rows, "-m", "rouge1,simetrix", "--option", "simetrix.label=far"]
    assert main([*arguments, "-o", out]) == 0
    assert read_rows(out).directions == wanted("far")


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_other_files_tell_beside_themselves_or_by_the_names_of_columns(
    rows: str, tmp_path: Path, ending: str
) -> None:
    out = str(tmp_path / f"scores.{ending}")
    option = ["--option", "simetrix.label=far"]
    assert main(["score", rows, "-m", "rouge1,simetrix", "-o", out, *option]) == 0
    found = read_rows(out)
    assert found.directions == wanted("far")
    assert found.signatures["far"].startswith("simetrix|")
    beside = Path(f"{out}.signatures")
    for text, said in ((None, "was changed since it was scored"), ("{", "it is damaged")):
        if text is None:
            with open(out, "a") as file:
                file.write("\n")
        else:
            beside.write_text(text)
        found = read_rows(out)
        assert (found.directions, found.signatures) == ({}, {})
        assert said in found.notes[0] and str(beside) in found.notes[0]
    beside.unlink()
    assert main(["score", rows, "-m", "rouge1,simetrix", "-o", out]) == 0
    beside.unlink()
    found = read_rows(out)
    assert found.directions == {}
    assert directions_of(found.columns) == wanted()


def test_what_a_file_states_goes_before_the_name_of_a_column(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    def field(name: str, **metadata: Any) -> Any:
        return pa.field(name, pa.float64(), metadata=metadata)

    schema = pa.schema(
        [
            field("rouge1.recall", higher_is_better="false"),
            field("rouge1.precision", higher_is_better="perhaps"),
            field("mine", higher_is_better="true"),
            field("words", unit="words"),
        ]
    )
    path = str(tmp_path / "scores.parquet")
    pq.write_table(schema.empty_table(), path)
    expected = {"rouge1.recall": False, "rouge1.precision": True, "mine": True}
    assert directions_of(schema.names, stored_directions(schema)) == expected


def test_the_summary_names_the_columns_that_fall(
    rows: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = str(tmp_path / "scores.jsonl")
    assert main(["score", rows, "-m", "rouge1,simetrix", "-o", out, "--means"]) == 0
    (line,) = [li for li in capsys.readouterr().out.splitlines() if "lower is better" in li]
    assert set(line.removeprefix("lower is better: ").split(", ")) == {
        f"simetrix.{field}" for field in FALLING
    }
    assert main(["score", rows, "-m", "rouge1", "-o", out, "--means"]) == 0
    assert "lower" not in capsys.readouterr().out


def test_the_list_of_metrics_says_which_columns_fall(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "simetrix"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    found = text.partition("lower is better in ")[2].partition(" options ")[0]
    assert set(found.split(", ")) == {f"simetrix.{field}" for field in FALLING}
    assert main(["metrics", "rouge1"]) == 0
    assert "lower is better" not in capsys.readouterr().out


def test_the_value_of_a_metric_points_as_the_field_that_it_is_known_by() -> None:
    for entry in INDEX:
        family = entry.load()
        for name in entry.names:
            known = family.primary not in family.lower_is_better
            assert direction_of(f"{name}.value") == direction_of(name) == known
    assert direction_of("simetrix.value") is False
    assert direction_of("mine.value") is None
    rows = [{"system": "1", "topic": "t", "simetrix.value": 0.25}]
    assert summeval.meta.Scores.from_rows(rows, ["simetrix.value"]).stated == {
        "simetrix.value": False
    }
