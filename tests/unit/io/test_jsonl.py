"""JSON Lines input: which rows are read, and the messages about the others."""

import gzip
import io
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from summeval.io import BadRow, DataError
from summeval.io.formats import read_chunks
from summeval.io.jsonl import Encoder
from summeval.io.jsonl import read as read_lines
from summeval.io.rows import Chunk, Columns, Position, RowTaker
from summeval.io.source import InputFile

GOOD = '{"id": "a", "candidate": "a cat", "references": ["a cat sat", "the cat"], "system": 3}'


def read(path: Path | str, **options) -> Chunk:
    """All rows of a file in one chunk."""
    whole = Chunk()
    with InputFile(str(path)) as file:
        for chunk in read_chunks(file, "jsonl", **options):
            for index, message in chunk.errors.items():
                whole.errors[index + len(whole)] = message
            whole.rows += chunk.rows
            whole.candidates += chunk.candidates
            whole.references += chunk.references
            whole.sources += chunk.sources
            whole.end = chunk.end
    return whole


def write(tmp_path: Path, *lines: str | bytes) -> Path:
    path = tmp_path / "rows.jsonl"
    coded = [line.encode() if isinstance(line, str) else line for line in lines]
    path.write_bytes(b"\n".join(coded) + b"\n")
    return path


def test_texts_are_taken_and_other_columns_carried(tmp_path):
    chunk = read(write(tmp_path, GOOD))
    assert chunk.candidates == ["a cat"]
    assert chunk.references == [["a cat sat", "the cat"]]
    assert chunk.rows == [{"id": "a", "system": 3}]


def test_keep_text_carries_the_texts_too(tmp_path):
    assert read(write(tmp_path, GOOD), keep_text=True).rows == [json.loads(GOOD)]


def test_a_bare_string_is_one_reference(tmp_path):
    path = write(tmp_path, '{"candidate": "a", "references": "b c", "source": "s"}')
    chunk = read(path)
    assert chunk.references == [["b c"]]
    assert chunk.sources == ["s"]


def test_null_and_empty_texts_are_rows(tmp_path):
    path = write(
        tmp_path,
        '{"candidate": null, "references": ["b"]}',
        '{"candidate": "", "references": []}',
        '{"candidate": "a", "references": null}',
    )
    chunk = read(path)
    assert chunk.candidates == [None, "", "a"]
    assert chunk.references == [["b"], [], None]
    assert chunk.errors == {}


def test_columns_have_the_names_that_are_given(tmp_path):
    path = write(tmp_path, '{"key": 1, "hyp": "a", "gold": "b", "candidate": "c"}')
    chunk = read(path, columns=Columns(candidate="hyp", references=("gold",), id="key"))
    assert (chunk.candidates, chunk.references) == (["a"], [["b"]])
    assert chunk.rows == [{"key": 1, "candidate": "c"}]


def test_one_column_cannot_hold_two_things():
    with pytest.raises(ValueError, match="need different columns"):
        Columns(candidate="text", references=("text",))


@pytest.mark.parametrize("text", ["\ufeff" + GOOD, GOOD + "\r", "  " + GOOD + " \t", "\n\n" + GOOD])
def test_marks_and_blanks_around_a_row_do_not_matter(tmp_path, text):
    assert read(write(tmp_path, text)).candidates == ["a cat"]


def test_line_separators_of_unicode_do_not_end_a_row(tmp_path):
    text = "one\u2028two\x85three\x0bfour\x1cfive"
    path = write(tmp_path, json.dumps({"candidate": "a\u2028b", "references": []}), "")
    path.write_text(
        json.dumps({"candidate": text, "references": [text]}, ensure_ascii=False) + "\n",
        encoding="utf-8",
    )
    assert read(path).references == [[text]]


def test_numbers_that_are_not_json_read_as_null(tmp_path):
    path = write(tmp_path, '{"candidate": "a", "references": [], "human": NaN, "x": -Infinity}')
    assert read(path).rows == [{"human": None, "x": None}]


@pytest.mark.parametrize("keep_text", [False, True])
def test_numbers_beyond_the_range_read_as_infinite_and_are_written_as_null(tmp_path, keep_text):
    texts = {"candidate": "a", "references": ["b"]}
    start = json.dumps(texts)[:-1]
    odd = [f'{start}, "x": [1e999, "c"]}}', f'{start}, "x": -1e999, "y": 3}}']
    path = write(tmp_path, *odd, json.dumps(texts | {"x": 1}))
    kept = texts if keep_text else {}
    carried = [{"x": [math.inf, "c"]}, {"x": -math.inf, "y": 3}, {"x": 1}]
    assert read(path, keep_text=keep_text).rows == [kept | row for row in carried]
    written = [{"x": [None, "c"]}, {"x": None, "y": 3}, {"x": 1}]
    taker = RowTaker(str(path), Columns(), keep_text, "raise")
    with InputFile(str(path)) as file:
        (chunk,) = read_lines(file, taker)
    assert [json.loads(line) for line in Encoder([]).encode(chunk, []).splitlines()] == [
        kept | row for row in written
    ]


def test_a_score_replaces_the_carried_column_of_its_name(tmp_path):
    path = write(tmp_path, r'{"candidate": "a", "references": [], "\u0073\u00e9": 1, "x": 2}')
    with InputFile(str(path)) as file:
        (chunk,) = read_lines(file, RowTaker(str(path), Columns(), False, "raise"))
    written = Encoder(["s\u00e9"]).encode(chunk, [np.array([0.5])])
    assert written.decode() == '{"x": 2, "s\u00e9": 0.5}\n'


def test_a_pair_of_surrogate_escapes_is_one_character(tmp_path):
    path = write(tmp_path, r'{"candidate": "\ud83d\ude00", "references": ["\\ud83d"]}')
    chunk = read(path)
    assert chunk.candidates == ["\U0001f600"]
    assert chunk.references == [["\\ud83d"]]


BAD = {
    "malformed JSON at column 15 (Expecting value)": '{"candidate": cat}',
    "malformed JSON at column 3 (Extra data)": "{}{}",
    "malformed JSON at column 1 (Unexpected UTF-8 BOM": "\ufeff" + GOOD,
    "the line holds a list, not an object": "[]",
    "the line holds null, not an object": "null",
    "no 'candidate' (did you mean 'candidat'? there": '{"candidat": "a", "references": []}',
    "no 'references' (there is 'id', 'candidate')": '{"id": 3, "candidate": "a"}',
    "'candidate' is a number, not a string": '{"candidate": 3, "references": []}',
    "'candidate' is a list, not a string": '{"candidate": ["a"], "references": []}',
    "'references' is an object, not a list of strings": '{"candidate": "a", "references": {}}',
    "'references'[1] is a number, not a string": '{"candidate": "a", "references": [null, 3]}',
    "'references'[0] is true or false, not a string": '{"candidate": "a", "references": [true]}',
    "'source' is a number": '{"candidate": "a", "references": [], "source": 3}',
    "the escape \\ud800 is an unpaired surrogate": r'{"candidate": "\ud800", "references": []}',
    "the escape \\udc01 is an unpaired": r'{"candidate": "", "references": [], "x": {"\uDC01": 1}}',
    "JSON that cannot be read": '{"candidate": "a", "references": [], "n": ' + "9" * 5000 + "}",
    "malformed JSON at column 17 (Invalid control": '{"candidate": "a\0b", "references": []}',
}


@pytest.mark.parametrize("problem", BAD)
def test_a_bad_row_is_refused_with_file_line_and_problem(tmp_path, problem):
    path = write(tmp_path, GOOD, "", BAD[problem], GOOD)
    with pytest.raises(BadRow) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:3")
    assert problem in message
    assert "; " in message and "\n" not in message


@pytest.mark.parametrize("problem", BAD)
def test_a_bad_row_is_a_null_row_where_asked(tmp_path, problem):
    path = write(tmp_path, GOOD, BAD[problem], GOOD)
    chunk = read(path, on_error="skip")
    assert chunk.candidates == ["a cat", None, "a cat"]
    assert chunk.references[1] is None
    assert chunk.errors.keys() == {1}
    assert chunk.errors[1].startswith("line 2: ") and problem in chunk.errors[1]


def test_nesting_beyond_the_stack_is_a_bad_row(tmp_path):
    deep = "[" * 200_000 + "]" * 200_000
    path = write(tmp_path, f'{{"candidate": "a", "references": [], "x": {deep}}}')
    with pytest.raises(BadRow, match="nested too deeply"):
        read(path)


@pytest.mark.parametrize(("lists", "kept"), [(499, True), (500, False)])
def test_nesting_of_500_is_read_and_more_is_not(tmp_path, lists, kept):
    deep = "[" * lists + "]" * lists  # in an object, which is one too
    path = write(tmp_path, f'{{"candidate": "a", "references": [], "x": {deep}}}')
    assert read(path, on_error="skip").candidates == ["a" if kept else None]


def test_the_error_and_the_null_row_name_the_id(tmp_path):
    path = write(tmp_path, '{"id": "row 7", "candidate": 3, "references": [], "system": "A"}')
    with pytest.raises(BadRow, match=r':1 \(id "row 7"\): '):
        read(path)
    assert read(path, on_error="skip").rows == [{"id": "row 7", "system": "A"}]


def test_a_row_with_a_lone_surrogate_keeps_its_id(tmp_path):
    path = write(tmp_path, r'{"id": 5, "candidate": "\ud800", "references": [], "x": "\ud800"}')
    assert read(path, on_error="skip").rows == [{"id": 5}]
    path = write(tmp_path, r'{"id": "\ud800", "candidate": "a", "references": []}')
    assert read(path, on_error="skip").rows == [{"id": None}]
    for escape in (r"\ud800", r"\uDFFF"):
        path = write(tmp_path, f'{{"id": 6, "candidate": "a", "references": [], "x": "{escape}"}}')
        with pytest.raises(BadRow, match="is an unpaired surrogate"):
            read(path)


def test_invalid_utf8_names_line_and_byte(tmp_path):
    path = write(tmp_path, GOOD, b'{"id": 8, "candidate": "\xff", "references": []}', GOOD)
    at = len(GOOD) + 1 + 24
    with pytest.raises(BadRow, match=rf":2 \(id 8\): invalid UTF-8 \(0xff\) at byte {at} of the"):
        read(path)
    chunk = read(path, on_error="skip")
    assert chunk.rows[1] == {"id": 8}
    assert chunk.candidates == ["a cat", None, "a cat"]


def test_utf16_is_recognised(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(GOOD.encode("utf-16"))
    with pytest.raises(BadRow, match="convert the file to UTF-8"):
        read(path)
    with pytest.raises(BadRow, match="it looks like UTF-16"):
        read(path)
    for start in (b"\xff\xff", GOOD.encode() + b"\n\xff\xfe"):
        path.write_bytes(start)
        with pytest.raises(BadRow, match="; convert the file to UTF-8") as caught:
            read(path)
        assert "UTF-16" not in str(caught.value)


@pytest.mark.parametrize("chunk_bytes", [1, 7, 100, 1 << 20])
def test_rows_and_lines_do_not_depend_on_the_chunk(tmp_path, chunk_bytes):
    bad = '{"id": 1}'
    path = write(tmp_path, GOOD, "", bad, GOOD.replace("cat", "cät"), b"\xff", GOOD)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    chunk = read(path, on_error="skip", chunk_bytes=chunk_bytes)
    assert chunk.candidates == ["a cat", None, "a cät", None, "a cat"]
    assert [message[:7] for message in chunk.errors.values()] == ["line 3:", "line 5:"]
    assert chunk.end == Position(path.stat().st_size, path.read_bytes().count(b"\n"))


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n", b" ", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("end", [b"", GOOD.encode(), GOOD.encode() + b"\n", b'{"id": 1}', b"\xff"])
def test_the_end_of_a_chunk_counts_its_lines(tmp_path, data, end):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(data + end)
    lines = (data + end).count(b"\n")
    assert read(path, on_error="skip").end == Position(len(data + end), lines)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("chunk_bytes", [1, 100, 300])
def test_reading_from_the_end_of_a_chunk_cuts_the_rest_alike(tmp_path, chunk_bytes, pack):
    path = write(tmp_path, *[GOOD.replace("cat", "cat" * n) for n in range(1, 40)])
    path.write_bytes(pack(path.read_bytes()))
    with InputFile(str(path)) as file:
        chunks = list(read_chunks(file, "jsonl", chunk_bytes=chunk_bytes))
    for number in range(0, len(chunks), 7):
        with InputFile(str(path)) as file:
            start = chunks[number].end
            rest = list(read_chunks(file, "jsonl", chunk_bytes=chunk_bytes, start=start))
        assert rest == chunks[number + 1 :]


def test_gzip_is_known_by_its_bytes(tmp_path):
    plain = write(tmp_path, *[GOOD] * 50)
    packed = tmp_path / "packed.jsonl"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read(packed, chunk_bytes=300) == read(plain)


def test_gzip_that_ends_early_is_an_error(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress((GOOD * 100).encode())[:-12])
    with pytest.raises(DataError, match="damaged gzip data"):
        read(path)
    path.write_bytes(gzip.compress(b"x" * 5000)[:20] + b"garbage of another kind")
    with pytest.raises(DataError, match="damaged gzip data"):
        read(path)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_plain_or_gzip(monkeypatch, pack):
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(pack((GOOD + "\n").encode() * 3))))
    monkeypatch.setattr(sys, "stdin", stream)
    assert read("-").candidates == ["a cat"] * 3


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere\.jsonl: no such file .*; check the name"):
        read(tmp_path / "nowhere.jsonl")
    with pytest.raises(DataError, match="is a directory; pass a file"):
        read(tmp_path)


def test_a_forbidden_file_is_named(tmp_path, monkeypatch):
    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(DataError, match=r"rows\.jsonl: permission denied; give this user access"):
        InputFile(str(tmp_path / "rows.jsonl"))


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("summeval.io.source.MAX_LINE_BYTES", 5 << 20)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"x" * (6 << 20))
    with pytest.raises(DataError, match="a line of more than 5 MiB; write one row on each line"):
        read(path, chunk_bytes=1 << 20)


def test_ten_megabytes_in_one_text_are_read(tmp_path):
    text = "a cat sat " * 1_000_000
    path = write(tmp_path, GOOD, json.dumps({"candidate": text, "references": [text]}), GOOD)
    assert read(path).references[1] == [text]


def test_a_missing_name_is_shown_safely(tmp_path):
    path = write(tmp_path, json.dumps({"x\ny\x1b[2J": 1}))
    with pytest.raises(BadRow) as caught:
        read(path)
    assert str(caught.value).isprintable()
