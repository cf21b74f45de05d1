"""The compiled reader and writer of JSON Lines do what the json module does."""

import json
import math
import random
import struct

import numpy as np
import pytest
from definitions.columns import json_row
from every import every
from hypothesis import given
from hypothesis import strategies as st
from json_rows import BAD_NUMBERS, BAD_STRINGS, NUMBERS, STRINGS, odd_line

from summeval._core.lines.json_lines import JsonLines, is_utf8, lines_of


def reader(keeps_texts: bool = False) -> JsonLines:
    return JsonLines(b"candidate", [b"references"], b"source", True, False, keeps_texts)


def taken(line: str) -> tuple | None:
    """The row of a line as its twin gives it; None if the reader leaves the line."""
    rows = reader()
    block = line.encode()
    assert rows.take(block, 0) in ((len(block), 1), (0, 0))
    if not len(rows):
        return None
    carried = json.dumps(json.loads(rows.objects()), ensure_ascii=False)[1:-1]
    assert f"[{carried}]".encode() == rows.objects()
    (candidate,), (references,) = rows.candidates().to_list(), rows.references().to_list()
    return carried, candidate, references, rows.sources().to_list()[0]


def test_what_is_taken_of_odd_lines_is_what_the_module_reads():
    rng = random.Random(5)
    count = 0
    for _ in range(4000):
        line = odd_line(rng)
        row = taken(line)
        assert row is None or row == json_row(line), line
        count += row is not None
    assert count > 2000


def test_usual_lines_are_taken():
    rng = random.Random(6)
    for _ in range(500):
        texts = [
            " ".join(rng.choices('the cat é 😀 \n " \\ \t \x01 1'.split(" "), k=9)) for _ in "12"
        ]
        row = {"id": rng.randint(-9, 9), "candidate": texts[0], "references": texts[1:]}
        row |= {"score": rng.random(), "more": [{"a": None, "b": [True, 1.5]}]}
        for ascii_only in (False, True):
            line = json.dumps(row, ensure_ascii=ascii_only)
            assert taken(line) is not None
            assert taken(line) == json_row(line)


LEFT = [
    *(" \u2028", "{}", "[]", "5", "null", "nonsense", '{"candidate": "a"}', "\ufeff{}"),
    '{"candidate": "a", "references": [], "candidate": "b"}',
    '{"candidate": "a", "references": [], "x": {"y": 1, "\\u0079": 2}}',
    '{"candidate": "a", "references": []} x',
    '{"candidate": "a", "references": [],}',
    '{"candidate": ["a"], "references": []}',
    '{"candidate": "a", "references": [["b"]]}',
    '{"candidate": "a", "references": {}}',
    '{"candidate": "a", "references": [], "source": 5}',
    '{"candidate": "a", "references": [], "x": ' + "[" * 70 + "]" * 70 + "}",
    '{"candidate": "a", "references": [], "x": ' + "1" * 5000 + "}",
    '{"candidate": "a", "references": [], "x": 1e999}',
    *(f'{{"candidate": "a", "references": [], "x": {text}}}' for text in BAD_NUMBERS),
    *(f'{{"candidate": "a", "references": [], "x": "{text}"}}' for text in BAD_STRINGS),
    *(f'{{"candidate": "{text}", "references": []}}' for text in BAD_STRINGS),
    *(f'{{"candidate": "a", "references": ["{text}"]}}' for text in BAD_STRINGS),
]


@every("line", LEFT)
def test_lines_with_a_doubt_are_left(line):
    usual = b'{"candidate": "a", "references": []}\n'
    block = b"\n" + usual + line.encode() + b"\n" + usual
    rows = reader()
    assert rows.take(block, 0) == (1 + len(usual), 2)
    assert len(rows) == 1
    assert rows.objects() == b"[{}]"


@pytest.mark.parametrize(
    "line",
    [
        b'{"candidate": "a", "references": ["b", "\\ud83d"], "z": 1}',
        b'{"candidate": "a", "references": ["b"], "source": ["s", "\\ud83d"]}',
        b'{"z": 1, "x" 1}',
    ],
)
def test_nothing_of_a_line_that_is_left_stays(line):
    usual = b'{"z": 1, "x": 2, "candidate": "c", "references": ["r"], "source": "s"}'
    block = line + b"\n" + usual
    rows = reader()
    assert rows.take(block, 0) == (0, 0)
    assert rows.take(block, len(line) + 1) == (len(block), 1)
    rows.add(b"{", b"d", [b"q"], b"t")
    assert rows.candidates().to_list() == ["c", "d"]
    assert rows.references().to_list() == [["r"], ["q"]]
    assert rows.sources().to_list() == [["s"], ["t"]]
    assert json.loads(rows.objects()) == [{"z": 1, "x": 2}, {}]
    assert set(rows.names()) == {b"x", b"z"}


@pytest.mark.parametrize("lacks", ["references", "source"])
def test_a_line_without_a_column_that_is_needed_is_left(lacks):
    row = {"candidate": "c", "references": ["r"], "source": "s"}
    line = json.dumps({name: text for name, text in row.items() if name != lacks}).encode()
    for needed in ("references", "source"):
        rows = JsonLines(
            b"candidate",
            [b"references"],
            b"source",
            needed == "references",
            needed == "source",
            False,
        )
        assert rows.take(line, 0) == ((0, 0) if needed == lacks else (len(line), 1))


FEW_KEYS, MOST_KEYS = 32, 4096  # of json_text.hpp
COUNTS = [FEW_KEYS - 1, FEW_KEYS, FEW_KEYS + 1, 2 * FEW_KEYS, MOST_KEYS]


def wide_object(count: int, first: int = 0, **more: object) -> dict:
    """An object of `count` keys, with those of `more` in front."""
    return more | {f"c{key}": key for key in range(first, first + count - len(more))}


@pytest.mark.parametrize("is_inside", [False, True])
@pytest.mark.parametrize("count", [*COUNTS, MOST_KEYS + 1])
def test_objects_of_many_keys_are_taken(count, is_inside):
    texts = {"candidate": "a", "references": ["b"]}
    # the second row has the keys of the row before, the third has others from some place on
    wide = [wide_object(count, first, **({} if is_inside else texts)) for first in (0, 0, 7)]
    lines = [json.dumps(texts | {"x": row} if is_inside else row) for row in wide]
    rows = reader()
    block = "\n".join(lines).encode()
    assert rows.take(block, 0) == ((0, 0) if count > MOST_KEYS else (len(block), 3))
    if count <= MOST_KEYS:
        carried = [json_row(line)[0] for line in lines]
        assert rows.objects().decode() == f"[{','.join(carried)}]"
        found = {name for row in carried for name in json.loads(row)}
        names = rows.names()
        assert (names is None) == (len(found) > MOST_KEYS)
        assert names is None or {name.decode() for name in names} == found


@pytest.mark.parametrize("is_inside", [False, True])
@pytest.mark.parametrize("count", COUNTS)
def test_a_repeated_key_among_many_is_left(count, is_inside):
    texts = {"candidate": "a", "references": ["b"]}
    row = wide_object(count, **({} if is_inside else texts))
    usual = json.dumps(texts | {"x": row} if is_inside else row)
    last = f'"c{len(row) - (1 if is_inside else 3)}"'
    assert usual.count(f"{last}: ") == 1
    keys = list(row) if is_inside else list(row)[2:]
    for other in (keys[0], keys[FEW_KEYS - 5], keys[-2]):
        odd = usual.replace(f"{last}: ", f'"{other}": ')
        block = f"{usual}\n{odd}\n{usual}".encode()
        rows = reader()
        assert rows.take(block, 0) == (len(usual) + 1, 1)
        assert rows.take(block, len(usual) + len(odd) + 2) == (len(block), 1)
        assert rows.objects().decode() == "[{0},{0}]".format(json_row(usual)[0])


def test_numbers_beyond_the_range_are_null_where_that_is_asked():
    line = '{"candidate": "a", "references": ["b"], "x": %s}'
    values = ["1e999", "2", '[{"y": -1.5e+400}, 1]', "1" * 400 + ".5", "0.1e999"]
    lines = [line % value for value in values]
    block = "\n".join(lines).encode()
    rows = reader()
    assert rows.take(block, 0) == (0, 0)
    last = len(block) - len(lines[-1])
    assert rows.take(block, 0, True) == (last, 4)  # the last is left: it begins with a zero
    assert rows.objects() == b'[{"x": null},{"x": 2},{"x": [{"y": null}, 1]},{"x": null}]'
    assert rows.beyond() == [(row, lines[row].encode()) for row in (0, 2, 3)]


@pytest.mark.parametrize("value", ["1e-400", "-1e-999", "0." + "0" * 400 + "1", "1e", "-1e999x"])
def test_small_and_malformed_numbers_are_not_beyond_the_range(value):
    rows = reader()
    line = f'{{"x": {value}, "candidate": "a", "references": ["b"]}}'.encode()
    assert rows.take(line, 0, True) == (0, 0)
    assert (len(rows), rows.beyond()) == (0, [])


BEYOND = ["1e999", "-1e999", "1e-400"]  # left to the module


@every("text", [*sorted(set(NUMBERS) - set(BEYOND)), *(f'"{text}"' for text in STRINGS)])
def test_values_are_written_as_the_module_writes_them(text):
    line = f'{{"x": {text}, "candidate": "a", "references": null}}'
    assert taken(line) == json_row(line)
    assert taken(line) is not None


def test_texts_stay_among_the_columns_where_they_are_kept():
    rows = reader(keeps_texts=True)
    rows.take(b'{"candidate":"\\u0041","id":1,"references":["b",null]}', 0)
    assert json.loads(rows.objects()) == [{"candidate": "A", "id": 1, "references": ["b", None]}]
    assert rows.references().to_list() == [["b"]]


def test_rows_are_added_between_those_that_are_taken():
    first = b'{"id": "\\n", "candidate": "\\u00e9", "references": ["\\u00e8"]}\n'
    block = first + b"odd\n\n" + first.replace(b"\\u00e9", b"z")
    rows = reader()
    assert rows.take(block, 0) == (len(first), 1)
    rows.add(b'{"id": 5', None, None, [b"s", b"t"])
    assert rows.take(block, len(first) + 4) == (len(block), 2)
    assert rows.candidates().to_list() == ["é", None, "z"]
    assert rows.references().to_list() == [["è"], [], ["è"]]
    assert rows.sources().to_list() == [[], ["s", "t"], []]
    assert (rows.reference_kinds(), rows.source_kinds()) == (b"\2\0\2", b"\0\2\0")
    assert [row["id"] for row in json.loads(rows.objects())] == ["\n", 5, "\n"]
    with pytest.raises(ValueError, match="another block"):
        rows.take(b"{}", 0)
    with pytest.raises(IndexError):
        rows.take(block, len(block) + 1)


def floats() -> list[float]:
    rng = random.Random(3)
    found = [struct.unpack("<d", rng.randbytes(8))[0] for _ in range(20_000)]
    found += [sign * 2.0**power for power in range(-1074, 1024) for sign in (1, -1)]
    found += [a / b for a in range(60) for b in range(1, 60)]
    found += [10.0**power for power in range(-30, 30)] + [0.0, -0.0, 1e16, 1e-4, 9999999999999998.0]
    found += [math.nextafter(x, 0) for x in (1e16, 1e-4, 1e-5, 1e15, 1.0, 2.2250738585072014e-308)]
    return [x for x in found if math.isfinite(x)]


def test_numbers_are_written_as_repr_writes_them():
    numbers = floats()
    numbers += [number for number in numbers[:2000] for _ in range(2)]  # repeated ones are kept
    random.Random(6).shuffle(numbers)
    written = lines_of([b"{"] * len(numbers), [b""], [np.array(numbers)]).decode().split("\n")
    assert written[:-1] == [f"{{{x + 0.0!r}}}" for x in numbers]


def test_what_is_no_number_is_null():
    columns = [np.array([math.nan]), np.array([math.inf]), np.array([-math.inf])]
    assert lines_of([b'{"a": 1'], [b"x: ", b"y: ", b"z: "], columns) == (
        b'{"a": 1, x: null, y: null, z: null}\n'
    )
    with pytest.raises(ValueError, match="1 columns with 2 names"):
        lines_of([b"{"], [b"a", b"b"], columns[:1])
    with pytest.raises(ValueError, match="1 numbers for 2 rows"):
        lines_of([b"{", b"{"], [b"a"], columns[:1])


@given(st.binary(max_size=40) | st.text(max_size=40).map(lambda s: s.encode("utf-8", "ignore")))
def test_utf8_is_what_python_decodes(data):
    data += b"x" * 70 + data
    try:
        data.decode()
    except UnicodeDecodeError:
        assert not is_utf8(data)
    else:
        assert is_utf8(data)
