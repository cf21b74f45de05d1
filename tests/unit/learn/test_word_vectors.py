"""Tables of word vectors: their files, what is refused, weights, and the table that is shipped."""

from __future__ import annotations

import copy
import io
import pickle
import struct
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from vector_table import to_bytes

import summeval
from summeval.learn import vectors
from summeval.learn.vectors import WordVectors, quantised

WORDS = ["chat", "félin", "voiture"]
VECTORS = [[1.0, 0.0, 2.0], [0.8, 0.6, 1.5], [0.0, 1.0, -1.0]]
NPZ = {"words": np.array(["a", "b"]), "vectors": np.ones((2, 2))}
LINES = [f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, VECTORS, strict=True)]


def written(folder: Path, kind: str) -> Path:
    """A file of a kind with the words and vectors above."""
    path = folder / f"vectors.{kind}"
    if kind == "npz":
        np.savez(path, words=np.array(WORDS), vectors=np.array(VECTORS))
    elif kind == "bin":
        rows = [
            word.encode() + b" " + struct.pack("<3f", *row) + b"\n"
            for word, row in zip(WORDS, VECTORS, strict=True)
        ]
        path.write_bytes(b"3 3\n" + b"".join(rows))
    else:
        head = "3 3\n" if kind == "vec" else ""
        path.write_text(head + "".join(LINES), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["txt", "vec", "bin", "npz"])
def test_a_file_of_any_kind_gives_the_same_table(tmp_path: Path, kind: str) -> None:
    found = WordVectors.read(written(tmp_path, kind))
    made = WordVectors(WORDS, VECTORS)
    assert (len(found), found.dimensions) == (3, 3)
    assert found.label == made.label
    rows = np.array(VECTORS) / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    wanted = np.clip(rows @ rows.T, 0, 1)
    assert found.cosines(WORDS, WORDS) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("kind", ["bin", "vec"])
def test_many_words_are_read_in_blocks(tmp_path: Path, kind: str) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(9000, 40)).astype("<f4")
    path = tmp_path / "many"
    if kind == "bin":
        body = b"".join(b"w%d " % k + row.tobytes() for k, row in enumerate(rows))
    else:
        body = "".join(f"w{k} {' '.join(map(str, row))}\n" for k, row in enumerate(rows)).encode()
    path.write_bytes(b"9000 40\n" + body)
    found = WordVectors.read(path)
    assert len(found) == 9000
    last = rows[8999] / np.linalg.norm(rows[8999]) @ (rows[4095] / np.linalg.norm(rows[4095]))
    assert found.cosines(["w8999"], ["w4095"])[0, 0] == pytest.approx(max(last, 0), abs=1e-4)


REFUSED: dict[str, tuple[bytes, str]] = {
    "no words": (b"", "has no words"),
    "no numbers": (b"word\n", "line 1 has 0 numbers"),
    "a line too short": (b"a 1 2\nb 1\n", "line 2 has 1 numbers, not 2"),
    "a text": (b"the cat sat\n", "line 1 is not a word and numbers"),
    "fewer words than told": (b"3 1\na 1\nb 2\n", "has 2 words, not 3"),
    "cut off": (b"2 2\na \x00\x00\x80\x3f\x00\x00\x80\x3f\nb \x00\x00", "ends at word 2 of 2"),
    "no end of a word": (b"2 2\n" + b"a" * 70_000 + b"\x00" * 8, "word 1 has no end"),
    "not finite": (b"a 1 nan\n", "line 1 has a number that is not finite"),
    "not finite in line 5001": (
        b"".join(b"w%d 1 2\n" % k for k in range(5000)) + b"x nan 1\n",
        "line 5001 has a number that is not finite",
    ),
    "not finite in word 5001": (
        b"5001 1\n" + b"".join(b"w%d \0\0\0?" % k for k in range(5000)) + b"x \0\0\xc0\x7f",
        "row 5000 has a number that is not finite",
    ),
    "no words by its head": (b"0 3\n", "has 0 words of 3 dimensions"),
    "no dimensions by its head": (b"3 0\n", "has 3 words of 0 dimensions"),
    "more than told": (b"1 1\na \0\0\0?b \0\0\0?", "goes on after its 1 words"),
    "no npz": (b"PK\x03\x04 and more", "is damaged"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_table_is_refused(tmp_path: Path, case: str) -> None:
    data, message = REFUSED[case]
    path = tmp_path / "vectors"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=message) as caught:
        summeval.TeslaE(vectors=path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"words": np.array(["a"])}, "no array 'vectors'"),
        ({"words": np.array([1]), "vectors": np.ones((1, 2))}, "words is no list of text"),
        ({"words": np.array(["a"]), "vectors": np.ones((2, 2))}, "as long as vectors"),
        ({"words": np.array(["a"]), "vectors": np.array([["b"]])}, "no table of numbers"),
        ({"words": np.array([None]), "vectors": np.ones((1, 2))}, "without pickled objects"),
        ({"words": np.array(["a"]), "vectors": np.ones((1, 0))}, "shape .1, 0."),
        ({**NPZ, "counts": np.ones(1)}, "1 counts for 2 words"),
        ({**NPZ, "counts": np.array(1)}, "counts is no list of numbers"),
        ({**NPZ, "counts": np.ones((2, 2))}, "counts is no list of numbers"),
        ({**NPZ, "counts": np.array(["x", "y"])}, "counts is no list of numbers"),
    ],
)
def test_an_npz_without_the_arrays_is_refused(tmp_path: Path, arrays: Any, message: str) -> None:
    path = tmp_path / "vectors.npz"
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=message) as caught:
        WordVectors.read(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def _packed(header: str = "", body: bytes = b"", method: int = 8) -> bytes:
    """An npz with words and one array of vectors, of this NPY header and packing method."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        words = io.BytesIO()
        np.save(words, np.array(["a"]))
        archive.writestr("words.npy", words.getvalue())
        head = header.encode().ljust(117) + b"\n"
        archive.writestr("vectors.npy", b"\x93NUMPY\x01\x00\x76\x00" + head + body)
    data = bytearray(whole.getvalue())
    for start, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(start) + offset] = method
    return bytes(data)


_F4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_packed(method=99), "arrays that cannot be read .*compression"),
        (_packed(_F4 % "1, 99999999999", bytes(80)), "another number of bytes than its shape"),
        (_packed(_F4 % "1, 7340032", bytes(28 << 20)), "unpacks to more than [1-4] MiB"),
        (b"9 999999999\n" + bytes(4096), "999999999 dimensions by its first line, but 4108 bytes"),
    ],
)
def test_no_room_is_made_for_vectors_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, message: str
) -> None:
    monkeypatch.setattr("summeval.learn.vectors.MOST_BYTES", 1 << 20)
    path = tmp_path / "vectors"
    path.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(ValueError, match=message) as caught:
        WordVectors.read(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert str(caught.value).startswith(str(path))
    assert most < 20 << 20


@pytest.mark.parametrize("head", ["", "3 3\n"])
def test_tabs_blanks_and_a_mark_of_utf_8_are_read(tmp_path: Path, head: str) -> None:
    path = tmp_path / "vectors"
    lines = [LINES[0].replace(" ", "\t"), LINES[1].replace(" ", "  "), "\n", LINES[2]]
    path.write_text("\ufeff" + head + "".join(lines), encoding="utf-8")
    assert WordVectors.read(path).label == WordVectors(WORDS, VECTORS).label


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        ([1], [[1.0]], r"words\[0\] is int; give a str"),
        (["a", "b"], [[1.0], [1.0, 2.0]], "vectors is no table of numbers"),
        (["a"], [["x"]], "vectors is no table of numbers"),
        (["a"], np.ones((1, 0)), r"shape \(1, 0\) have no number"),
        ([], np.ones((0, 3)), r"shape \(0, 3\) have no number"),
    ],
)
def test_what_makes_no_table_is_told_in_one_line(words: Any, vectors: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        WordVectors(words, vectors)
    assert "\n" not in str(caught.value)


def test_lists_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="1 words; give one row for each"):
        WordVectors(["a"], [[1.0], [2.0]])
    with pytest.raises(ValueError, match="2 counts for 1 words"):
        WordVectors(["a"], [[1.0]], [1, 2])
    with pytest.raises(ValueError, match="counts has a number below 0"):
        WordVectors(["a", "b"], [[1.0], [1.0]], [-1, 2])
    with pytest.raises(TypeError, match='vectors is 3; give "english"'):
        summeval.TeslaE(vectors=3)  # type: ignore[arg-type]


def test_words_are_compared_in_lower_case_the_lower_case_form_first() -> None:
    found = WordVectors(["Apple", "apple", "Paris"], [[1, 0], [0, 1], [0, 1]])
    assert len(found) == 2
    assert found.cosines(["apple", "Apple"], ["PARIS"]) == pytest.approx(1.0, abs=1e-4)
    only = WordVectors(["Apple", "APPLE", "Paris"], [[1, 0], [0, 1], [0, 1]])
    assert only.cosines(["apple"], ["paris"]) == pytest.approx(0.0, abs=1e-4)


def test_weights_fall_with_the_rank_or_the_counts() -> None:
    by_rank = WordVectors(["a", "b"], np.eye(2))
    assert by_rank.weights(["a", "b", "c"]) == pytest.approx([0.1, 0.1 + np.log10(2), 7.1])
    by_count = WordVectors(["a", "b"], np.eye(2), [10**6 - 1, 1])
    assert by_count.weights(["a", "b"]) == pytest.approx([0.1, 5.1], abs=1e-4)
    never = WordVectors(["a", "b"], np.eye(2), [1, 0])
    assert never.weights(["b"]) == pytest.approx([7.1])


def test_whole_numbers_keep_the_direction_of_any_vector() -> None:
    given = np.array([[1e300, 1e300], [1e-300, 0.0], [0.0, 0.0], [-3.0, 4.0]])
    found = quantised(given, "x")
    lengths = np.linalg.norm(found.astype(float), axis=1)
    assert lengths == pytest.approx([32767, 32767, 0, 32767], abs=1)
    assert found[3] == pytest.approx([-19660, 26214], abs=1)


def test_the_shipped_table_is_small_and_names_itself() -> None:
    english = WordVectors.shipped()
    path = Path(vectors.__file__).parent / "data" / "english.vectors"
    assert path.stat().st_size <= 4e6
    assert english is WordVectors.shipped()
    assert f"|vectors:{english.label}|" in summeval.TeslaE().signature
    assert (english.dimensions, len(english)) == (112, 66055)
    near, far = english.cosines(["doctor"], ["physician", "banana"])[0]
    assert (near > 0.6, far < 0.3) == (True, True)
    assert not english.cosines(["doctor"], ["zzyzx"]).any()


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_a_copy_has_the_same_numbers(copied: Any) -> None:
    own = WordVectors(WORDS, VECTORS)
    assert own.kernel
    other = copied(own)
    assert other.label == own.label
    score = summeval.TeslaE(vectors=other).score("chat noir", "félin noir")
    assert score == summeval.TeslaE(vectors=own).score("chat noir", "félin noir")
    assert copied(WordVectors.shipped()) is WordVectors.shipped()


@pytest.mark.parametrize("fault", ["magic", "version", "byte", "end", "empty"])
def test_a_damaged_file_is_told(tmp_path: Path, fault: str) -> None:
    good = to_bytes(["the", "cat"], [7.73, 4.5], [[1, 2], [3, -4]])
    bad = {
        "magic": b"x" + good[1:],
        "version": good[:8] + b"\x07" + good[9:],
        "byte": good[:-1] + b"\x00",
        "end": good[:-1],
        "empty": b"",
    }[fault]
    path = tmp_path / "english.vectors"
    path.write_bytes(good)
    found = WordVectors._of_file(path)
    assert found.weights(["the", "cat"]) == pytest.approx([0.37, 3.6])
    assert found.cosines(["the"], ["cat"])[0, 0] == 0.0
    path.write_bytes(bad)
    with pytest.raises(ValueError, match=r"english\.vectors .*reinstall summeval"):
        WordVectors._of_file(path)


def test_words_without_a_vector_have_their_weight_alone(tmp_path: Path) -> None:
    path = tmp_path / "english.vectors"
    path.write_bytes(to_bytes(["cat", "dog", "elk"], [5, 4, 3], [[1, 1], [1, 2]]))
    found = WordVectors._of_file(path)
    assert found.weights(["elk"]) == pytest.approx([5.1])
    assert found.cosines(["elk"], ["cat", "elk"]).tolist() == [[0.0, 0.0]]
    metric = summeval.TeslaE(vectors=found)
    assert metric.score("cat elk", "dog elk").recall == pytest.approx(
        (0.9 * 4.1 + 5.1) / 9.2, abs=1e-6
    )
