"""Model files: the content of a file is checked before use, whatever made the file."""

from __future__ import annotations

import json
import os
import struct
import tempfile
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval import Cremer, Dicomer, Readability
from summeval.learn.model_file import digest, load_model, save_model
from summeval.metrics.discourse.trained import FOLDER

KINDS: dict[str, tuple[Any, str]] = {
    "dicomer": (Dicomer, "coherence-order.model"),
    "cremer": (Cremer, "cremer.model"),
    "readability": (Readability, "readability.model"),
}
PLACES = [(kind, array) for kind in KINDS for array in load_model(FOLDER / KINDS[kind][1], kind)[1]]


def refused(load: Any, path: Path, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    assert len(said) < len(str(path)) + 250


def packed(path: Path, arrays: dict[str, bytes], header: str = "{}") -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", header)
        for name, data in arrays.items():
            archive.writestr(name, data)


def npy(header: str, data: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def array_header(shape: str, descr: str = "'<f8'") -> str:
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("{'descr': '<f8', 'shape': (", "EOF in|Cannot parse header"),
        (array_header("(1,)", "'|O'"), "holds object"),
        (array_header("(1,)", "[('a', '<f8')]"), r"holds \[\('a', '<f8'\)\]"),
        (array_header("(1,)", "'<M8[s]'"), "holds datetime64"),
        (array_header("(-5, -2)"), "negative|another number of bytes"),
        (array_header("(0, 99999999999999999999)"), "another number of bytes|too large"),
        (array_header("(10, 1)" + "(" * 3000), "EOF in|Cannot parse header|nested parentheses"),
        (array_header("(9,)"), "another number of bytes than its shape"),
        (array_header("(11,)"), "another number of bytes than its shape"),
    ],
)
def test_arrays_that_are_no_arrays_of_numbers_are_refused(
    header: str, message: str, tmp_path: Path
) -> None:
    packed(tmp_path / "m", {"weights.npy": npy(header, bytes(80))})
    refused(Dicomer.load, tmp_path / "m", f"no model file of summeval.*({message})")


def test_no_room_is_made_for_numbers_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("summeval.learn.model_file.MOST_BYTES", 1 << 20)
    packed(tmp_path / "shape", {"x.npy": npy(array_header("(200000000,)"), bytes(80))})
    packed(tmp_path / "bomb", {"x.npy": bytes(30 << 20)})
    for name, message in (("shape", "another number of bytes"), ("bomb", "more than 1 MiB")):
        tracemalloc.start()
        refused(Dicomer.load, tmp_path / name, message)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 20 << 20


@pytest.mark.parametrize("method", [12, 14, 99])
def test_broken_packing_is_no_error_of_the_packer(method: int, tmp_path: Path) -> None:
    packed(tmp_path / "m", {})
    data = bytearray((tmp_path / "m").read_bytes())
    for place, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(place) + offset] = method
    (tmp_path / "m").write_bytes(data)
    refused(Dicomer.load, tmp_path / "m", "no model file of summeval")


@pytest.mark.parametrize("content", [None, 5, "x", []])
@pytest.mark.parametrize("kind", KINDS)
def test_content_must_be_an_object(kind: str, content: Any, tmp_path: Path) -> None:
    header: dict[str, Any] = {"format": "summeval-model", "version": 1, "kind": kind}
    header |= {} if content is None else {"content": content}
    header["sha256"] = digest(header, {})
    packed(tmp_path / "m", {}, json.dumps(header))
    refused(KINDS[kind][0].load, tmp_path / "m", "no model file of summeval; save the model again")


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [[1]], ["x", 3], -1, 1e308])
@pytest.mark.parametrize("kind", KINDS)
def test_content_of_another_type_is_refused(kind: str, value: Any, tmp_path: Path) -> None:
    """Files whose checksum is right, as one who means ill can make them."""
    cls, name = KINDS[kind]
    content, arrays = load_model(FOLDER / name, kind)
    looked_at = [key for key in content if key not in ("note", "summeval", "tesla")]
    for key in looked_at:
        save_model(tmp_path / "m", kind, {**content, key: value}, arrays)
        if key == "trained" and value == {}:
            assert cls.load(tmp_path / "m").trained == {}
        else:
            refused(cls.load, tmp_path / "m", "no model of .*; train and save it again")


@pytest.mark.parametrize("own", [{"parser": "spacy:elsewhere"}, {"relations": "os.system"}])
def test_a_file_does_not_choose_what_parses(own: dict[str, str], tmp_path: Path) -> None:
    content, arrays = load_model(FOLDER / "coherence-order.model", "dicomer")
    content["options"] |= own
    save_model(tmp_path / "m", "dicomer", content, arrays)
    there = load_model(tmp_path / "m", "dicomer")[0]["options"]
    assert there.items() >= own.items()
    metric = Dicomer.load(tmp_path / "m")
    expected = Dicomer.load(FOLDER / "coherence-order.model").parser
    assert metric.parser.given == expected.given == "compiled"
    assert metric.parser._relations is None


@pytest.mark.parametrize(("kind", "array"), PLACES)
def test_arrays_that_do_not_fit_are_refused(kind: str, array: str, tmp_path: Path) -> None:
    cls, name = KINDS[kind]
    content, arrays = load_model(FOLDER / name, kind)
    given = arrays.pop(array)
    for other in (given[None], given[:-1], np.float64(1.0), given.astype(np.float64) * np.nan):
        save_model(tmp_path / "m", kind, content, {**arrays, array: other})
        refused(cls.load, tmp_path / "m", "no model of .*; train and save it again")
    save_model(tmp_path / "m", kind, content, arrays)
    refused(cls.load, tmp_path / "m", f"it lacks '{array.removeprefix('dicomer.')}'")


def test_options_of_the_user_are_no_fault_of_the_file() -> None:
    for kind in ("cremer", "dicomer"):
        cls, name = KINDS[kind]
        with pytest.raises(ValueError, match=r"^cache is 2; choose from True, False$"):
            cls.load(FOLDER / name, cache=2)
        with pytest.raises(TypeError, match=r"^relations is 'x'; give a function"):
            cls.load(FOLDER / name, relations="x")


@given(st.integers(0, 6), st.integers(0, 4), st.sampled_from(["<f8", ">f8", "<i4", ">u2", "<f4"]))
def test_arrays_come_back_as_they_were(rows: int, columns: int, kind: str) -> None:
    given_array = np.arange(rows * columns).reshape(rows, columns).astype(kind)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m"
        for array in (given_array, np.asfortranarray(given_array), given_array[::2]):
            save_model(path, "any", {}, {"x": array})
            found = load_model(path, "any")[1]["x"]
            assert (found.dtype, found.shape) == (array.dtype, array.shape)
            assert found.tolist() == array.tolist()
            assert found.flags.writeable


def test_a_link_stays_and_a_device_is_not_replaced(tmp_path: Path) -> None:
    try:
        (tmp_path / "link").symlink_to("real")
    except OSError:
        pytest.skip("this system lets a user make no links")
    save_model(tmp_path / "link", "any", {}, {})
    assert (tmp_path / "link").is_symlink()
    assert load_model(tmp_path / "real", "any") == ({}, {})
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        save_model(tmp_path / "pipe", "any", {}, {})
        assert os.read(reader, 1 << 16) == (tmp_path / "real").read_bytes()
        os.close(reader)
        assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(OSError, match=r"directory|denied"):
        save_model(tmp_path, "any", {}, {})
    assert not list(tmp_path.glob("*.part"))
