"""`summeval score` on Parquet and Arrow files: odd types, no rows, rows and files by name."""

import json
import subprocess
import sys

from table_files import (
    METRICS,
    SMALL,
    expected,
    names,
    one_line,
    pa,
    pq,
    read,
    run,
    scores,
    table_of,
    write,
)

import summeval
from summeval.cli.main import main
from summeval.io import arrow_output
from summeval.io.arrow import TableInput
from summeval.io.source import InputFile


def test_a_text_that_a_metric_refuses_is_named_by_its_row(tmp_path, capsys, monkeypatch):
    long = "a " * 60_000
    table = table_of(candidate=["a"] * 50 + [long] * 10, references=["a"] * 50 + [long] * 10)
    write(table, tmp_path / "rows.parquet")
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(r) + "\n" for r in table.to_pylist()))
    monkeypatch.setattr(TableInput, "chunks", SMALL)
    refused = "the texts are too long for rougeW"
    for source, out, row in [
        ("rows.parquet", "out.parquet", "row 51"),
        ("rows.parquet", "out.jsonl", 'row 51 (id "row 50")'),
        ("rows.jsonl", "out.jsonl", 'row 51 (id "row 50")'),
    ]:
        assert main(["score", str(tmp_path / source), "-m", "rougeW", "-o", str(tmp_path / out)])
        assert f"{source}: {row}: {refused}" in one_line(capsys)


def test_a_type_that_parquet_cannot_hold_is_named_before_anything_is_scored(
    tmp_path, capsys, monkeypatch
):
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([60], pa.int32()), pa.array(["a"]))
    write(table_of(runs=runs), tmp_path / "rows.arrow")
    assert run(tmp_path / "rows.arrow", "-o", tmp_path / "out.arrow") == 0
    capsys.readouterr()
    monkeypatch.setattr(summeval.Suite, "score_batch", None)
    assert run(tmp_path / "rows.arrow", "-o", tmp_path / "out.parquet") == 1
    assert "the column 'runs' is run_end_encoded" in (message := one_line(capsys))
    assert "which Parquet cannot store; write .arrow" in message


def test_nested_dictionaries_that_differ_between_files_become_values_in_arrow(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(arrow_output, "_GROUP_ROWS", 50)
    folder = tmp_path / "rows"
    folder.mkdir()
    coded = pa.dictionary(pa.int32(), pa.string())
    types = {
        "listed": (pa.list_(coded), lambda text: [text]),
        "large": (pa.large_list(coded), lambda text: [text, text]),
        "field": (pa.struct({"n": pa.int8(), "text": coded}), lambda text: {"n": 1, "text": text}),
        "mapped": (pa.map_(pa.string(), coded), lambda text: [("key", text)]),
    }
    for name in "ab":
        columns = {
            column: pa.array([None, *[make(f"{name}{n}") for n in range(59)]], kind)
            for column, (kind, make) in types.items()
        }
        pq.write_table(table_of(**columns), folder / f"{name}.parquet")
    before = pa.concat_tables([pq.read_table(folder / f"{name}.parquet") for name in "ab"])
    assert run(folder, "-o", tmp_path / "out.arrow") == 0
    after = read(tmp_path / "out.arrow").select(list(types))
    assert after.to_pydict() == before.select(list(types)).to_pydict()
    assert "dictionary" not in str(after.schema)


def test_a_table_without_rows_gives_one_without_rows(tmp_path, capsys):
    write(table_of()[:0], tmp_path / "rows.parquet")
    for name in ("out.parquet", "out.arrow"):
        assert run(tmp_path / "rows.parquet", "-o", tmp_path / name, "--means") == 1
        assert read(tmp_path / name).num_rows == 0
        assert read(tmp_path / name).column_names == ["id", *scores()]
        assert "holds no rows" in one_line(capsys)
    assert run(tmp_path / "rows.parquet", "-o", tmp_path / "out.jsonl") == 1
    assert (tmp_path / "out.jsonl").read_bytes() == b""


def test_files_without_rows_among_others_are_read(tmp_path):
    folder = tmp_path / "rows"
    folder.mkdir()
    for name, part in [("a", table_of()[:0]), ("b", table_of()), ("c", table_of()[:0])]:
        write(part, folder / f"{name}.parquet")
    assert run(folder, "-o", tmp_path / "out.parquet") == 0
    assert read(tmp_path / "out.parquet").to_pydict() == expected()


def test_no_output_is_written_where_the_next_run_would_read_it(tmp_path, capsys):
    folder = tmp_path / "rows"
    folder.mkdir()
    write(table_of(), folder / "a.parquet")
    assert run(folder, "-o", folder / "out.parquet") == 2
    assert "OUT is INPUT or one of its files" in one_line(capsys)
    assert run(folder, "-o", folder / "_scores.parquet") == 0
    assert run(folder, "-o", folder / "out.jsonl") == 0
    assert names(folder) == {"a.parquet", "_scores.parquet", "out.jsonl"}


def test_the_output_says_what_scored_it_and_keeps_the_metadata_of_columns(tmp_path):
    schema = table_of().schema
    number = schema.get_field_index("id")
    noted = schema.set(number, schema.field("id").with_metadata({"unit": "row"}))
    # What other programs say of a whole table, as pandas does, is not true of this one.
    table = table_of().cast(noted).replace_schema_metadata({"pandas": "{}"})
    write(table, tmp_path / "rows.parquet")
    for name in ("out.parquet", "out.arrow"):
        assert run(tmp_path / "rows.parquet", "-o", tmp_path / name) == 0
        written = read(tmp_path / name).schema
        assert written.field("id").metadata[b"unit"] == b"row"
        assert set(written.metadata) == {name.encode() for name in METRICS}


def test_types_that_only_later_rows_show_fit_all_rows(tmp_path, monkeypatch):
    blocks = InputFile.blocks
    monkeypatch.setattr(InputFile, "blocks", lambda file, start=0, size=0: blocks(file, start, 99))
    rows = [{"a": 1, "b": None}, {"a": 2.5, "b": 7}, {"a": 3, "c": "x"}, {"a": 4, "b": "y"}]
    texts = {"candidate": "a cat", "references": ["the cat"]}
    lines = [json.dumps({**row, **texts}) + "\n" for row in rows for _ in range(9)]
    (tmp_path / "rows.jsonl").write_text("".join(lines))
    out = tmp_path / "out.parquet"
    assert main(["score", str(tmp_path / "rows.jsonl"), "-m", "rouge1", "-o", str(out)]) == 0
    found = pq.read_table(out)
    assert found["a"].to_pylist() == [1.0] * 9 + [2.5] * 9 + [3.0] * 9 + [4.0] * 9
    assert found["b"].to_pylist() == [None] * 9 + ["7"] * 9 + [None] * 9 + ["y"] * 9
    assert found["c"].to_pylist() == [None] * 18 + ["x"] * 9 + [None] * 9


def test_scoring_parquet_does_not_import_pandas(tmp_path):
    table = pa.table({"candidate": ["a", None], "references": ["a", "b"]})
    write(table, tmp_path / "rows.parquet")
    words = ["score", "rows.parquet", "-m", "rouge1", "-o", "out.parquet"]
    program = (
        "import sys; from summeval.cli.main import main;"
        f" assert main({words}) == 0; assert 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    assert pq.read_table(tmp_path / "out.parquet")["rouge1.recall"].to_pylist() == [1.0, None]
