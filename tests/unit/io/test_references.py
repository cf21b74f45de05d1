"""Nulls among references, and every Arrow type of them, are read alike in all formats."""

import json

import pytest

from summeval.cli.main import main

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

CANDIDATES = ["a b", "c", "d", "e"]
LISTS = [["a", None], ["c"], [None, None], None]


def scores(capsys, path, *more):
    command = ["score", str(path), "-m", "rouge1", "--output-format", "jsonl", *more]
    assert main([*command, "--no-progress"]) == 0, capsys.readouterr().err
    return [json.loads(line)["rouge1.fmeasure"] for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "arrow"])
def test_nulls_in_a_list_of_references_are_left_out(tmp_path, capsys, form):
    path = tmp_path / f"rows.{form}"
    if form == "jsonl":
        pairs = zip(CANDIDATES, LISTS, strict=True)
        path.write_text(
            "".join(json.dumps({"candidate": c, "references": r}) + "\n" for c, r in pairs)
        )
    elif form == "csv":
        lines = ['a b,"[""a"", null]"', "c,c", 'd,"[null, null]"', "e,"]
        path.write_text("\n".join(["candidate,references", *lines]) + "\n")
    else:
        table = pa.table({"candidate": CANDIDATES, "references": LISTS})
        if form == "parquet":
            parquet.write_table(table, path)
        else:
            with pa.ipc.new_file(path, table.schema) as file:
                file.write_table(table)
    assert scores(capsys, path) == [pytest.approx(2 / 3), 1.0, None, None]


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.list_(pa.string()),
        pa.large_list(pa.string()),
        pa.list_(pa.string_view()),
        pa.large_list(pa.string_view()),
        pa.list_(pa.string(), 1),
        pa.list_(pa.string_view(), 1),
        pa.list_(pa.large_string()),
        pa.list_(pa.dictionary(pa.int32(), pa.string())),
    ],
    ids=str,
)
def test_several_columns_of_references_of_any_type(tmp_path, capsys, kind):
    one = ["a", "c", None, None]
    values = [[text] for text in one[:3]] + [None] if pa.types.is_nested(kind) else one
    path = tmp_path / "rows.arrow"
    table = pa.table(
        {
            "candidate": pa.array(CANDIDATES),
            "r1": pa.array(values, kind),
            "r2": pa.array([None, "x", "d", None], pa.string_view()),
        }
    )
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    found = scores(capsys, path, "--references-column", "r1,r2")
    assert found == [pytest.approx(2 / 3), 1.0, 1.0, None]
