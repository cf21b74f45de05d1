"""CSV input: how cells hold references, and the messages about invalid rows."""

from pathlib import Path

import pytest

from summeval.io import BadRow, DataError
from summeval.io.formats import read_chunks
from summeval.io.rows import Columns
from summeval.io.source import InputFile


def chunks_of(path: Path, **options):
    with InputFile(str(path)) as file:
        return list(read_chunks(file, "csv", **options))


def read(tmp_path: Path, text: str | bytes, **options):
    path = tmp_path / "rows.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (chunk,) = chunks_of(path, **options)
    return chunk


def test_references_are_a_json_list_or_one_text(tmp_path):
    chunk = read(
        tmp_path,
        'id,candidate,references,n\na,one,"[""x, y"", ""z""]",3\nb,two,"x\ny",4\nc,,,5\n',
    )
    assert chunk.candidates == ["one", "two", ""]
    assert chunk.references == [["x, y", "z"], ["x\ny"], None]
    assert chunk.rows == [{"id": "a", "n": "3"}, {"id": "b", "n": "4"}, {"id": "c", "n": "5"}]


def test_references_in_columns_of_their_own_go_by_number(tmp_path):
    header = "reference_10,candidate,reference_2,reference,references_n"
    chunk = read(tmp_path, f"{header}\nten,c,two,zero,9\n,c,,[not JSON,9\n")
    assert chunk.references == [["zero", "two", "ten"], ["[not JSON"]]
    assert chunk.rows == [{"references_n": "9"}] * 2


def test_keep_text_carries_the_cells_as_they_were(tmp_path):
    chunk = read(tmp_path, "candidate,reference1,reference2\na,b,\n", keep_text=True)
    assert chunk.rows == [{"candidate": "a", "reference1": "b", "reference2": ""}]
    chunk = read(tmp_path, 'candidate,references\na,"[""b""]"\n', keep_text=True)
    assert chunk.rows == [{"candidate": "a", "references": '["b"]'}]


def test_columns_have_the_names_that_are_given(tmp_path):
    columns = Columns(candidate="hyp", references=("gold",))
    assert read(tmp_path, "hyp,gold,source\na,b,s\n", columns=columns).references == [["b"]]
    assert read(tmp_path, "hyp,gold_1\na,b\n", columns=columns).references == [["b"]]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffcandidate,references\na,b\n",
        "candidate,references\r\na,b\r\n",
        "candidate,references\n\na,b",
        'candidate,references\n"a","b"\n\n',
    ],
)
def test_marks_and_line_ends_do_not_matter(tmp_path, text):
    chunk = read(tmp_path, text)
    assert (chunk.candidates, chunk.references) == (["a"], [["b"]])


def test_a_cell_may_be_long_and_hold_line_ends(tmp_path):
    text = "a cat, sat\r\n" * 100_000
    chunk = read(tmp_path, f'candidate,references\n"{text}",b\n')
    assert chunk.candidates == [text]


BAD = {
    "3 cells, but the header row has 2": "a,b,c",
    "1 cells, but the header row has 2": "a",
    "malformed CSV": '"a"x,b',
    "a carriage return without a line feed, outside quotes; end lines": "a\rb,c",
    "starts with [ but is not a JSON list of strings": 'a,"[1, 2]"',
    "'references' starts with [": "a,['b']",
    "the escape \\ud800 is an unpaired": r'a,"[""\ud800""]"',
}


@pytest.mark.parametrize("problem", BAD)
def test_a_bad_row_is_refused_with_file_and_line_or_skipped(tmp_path, problem):
    text = f'candidate,references\n"a\nb",c\n{BAD[problem]}\nd,e\n'
    with pytest.raises(BadRow) as caught:
        read(tmp_path, text)
    assert f"{tmp_path / 'rows.csv'}:4" in str(caught.value)
    assert problem in str(caught.value)
    chunk = read(tmp_path, text, on_error="skip")
    assert chunk.candidates == ["a\nb", None, "d"]
    assert problem in chunk.errors[1] and chunk.errors[1].startswith("line 4: ")


@pytest.mark.parametrize("bad", [b"a,b", b'"a"x,b,c', b"\xe9,b,c"])
def test_a_skipped_row_has_the_columns_of_the_header_in_their_order(tmp_path, bad):
    chunk = read(tmp_path, b"n,candidate,references,k\n" + bad + b"\n1,a,b,2\n", on_error="skip")
    assert [list(row.items()) for row in chunk.rows] == [
        [("n", None), ("k", None)],
        [("n", "1"), ("k", "2")],
    ]


def test_a_quote_that_never_closes_is_named_where_it_opens(tmp_path):
    with pytest.raises(BadRow, match=r"rows\.csv:3: malformed CSV .*; correct the quotes"):
        read(tmp_path, 'candidate,references\na,b\n"a,b\nc,d\n')


def test_invalid_utf8_names_line_and_byte_and_keeps_the_id(tmp_path):
    text = b"id,candidate,references\n1,a,b\n2,\xe9,b\n3,a,b\n"
    with pytest.raises(BadRow, match=r"rows\.csv:3 \(id \"2\"\): invalid UTF-8 .* at byte 32 of"):
        read(tmp_path, text)
    chunk = read(tmp_path, text, on_error="skip")
    assert chunk.rows == [{"id": "1"}, {"id": "2"}, {"id": "3"}]
    assert chunk.errors.keys() == {1}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "candidat,references",
            "no 'candidate' (did you mean 'candidat'? there is also 'references')",
        ),
        ("candidate,ref", "no 'references' (there is 'candidate', 'ref')"),
        ("candidate,references,id,id", "duplicate column 'id'"),
        ("", "no column names"),
        ('"a"b', "malformed CSV"),
        (
            "candidate,references\ra,b\r",
            "a carriage return without a line feed, outside quotes;"
            " end lines with a line feed, or quote the cell",
        ),
    ],
)
def test_a_bad_header_is_refused_even_where_rows_are_skipped(tmp_path, header, message):
    path = tmp_path / "rows.csv"
    path.write_text(header + "\na,b\n", encoding="utf-8", newline="")
    with pytest.raises(DataError) as caught:
        chunks_of(path, on_error="skip")
    assert str(caught.value).startswith(f"{path}:1: {message}")


@pytest.mark.parametrize("chunk_bytes", [1, 30, 200, 1 << 20])
def test_rows_do_not_depend_on_the_chunk_nor_on_where_reading_starts(tmp_path, chunk_bytes):
    path = tmp_path / "rows.csv"
    rows = [f'{n},"{"a" * (n % 9)}\n{n}",b\r\n' for n in range(50)]
    path.write_text("id,candidate,references\n" + "".join(rows), encoding="utf-8", newline="")
    chunks = chunks_of(path, chunk_bytes=chunk_bytes)
    assert [row["id"] for chunk in chunks for row in chunk.rows] == [str(n) for n in range(50)]
    middle = len(chunks) // 2
    assert (
        chunks_of(path, chunk_bytes=chunk_bytes, start=chunks[middle].end) == chunks[middle + 1 :]
    )
