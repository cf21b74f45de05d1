"""Model files: arrays and JSON in one NPZ archive, with a version and a checksum.

Nothing in a file is run: arrays hold numbers, and pickled objects are refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT, VERSION = "summeval-model", 1
_HEADER = "model.json"
_MOST_BYTES = 1 << 30  # unpacked
_BROKEN = (  # what reading arbitrary bytes as an archive of arrays and JSON can raise
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    TypeError,
    LookupError,
    EOFError,
    RuntimeError,
    MemoryError,
)


def save_model(
    path: str | PathLike[str], kind: str, content: Mapping[str, Any], arrays: Mapping[str, Any]
) -> None:
    """Write a model; the file appears when it is whole, and equal models make equal files.

    Parameters
    ----------
    path : str or path
    kind : str
        What reads it.
    content : mapping
        What JSON can hold.
    arrays : mapping of str to array
        Of numbers.
    """
    import numpy as np

    header: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "content": dict(content),
    }
    header["sha256"] = digest(header, arrays)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, _HEADER, (json.dumps(header, indent=1) + "\n").encode())
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.asarray(array), allow_pickle=False)
            _add(archive, f"{name}.npy", data.getvalue())
    target = Path(path)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(whole.getvalue())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def load_model(
    path: str | PathLike[str], kind: str
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The content and the arrays of a model that `save_model` wrote.

    Raises
    ------
    OSError
        For a file that cannot be read.
    ValueError
        Naming the file, if it is no model file, was changed, is of another version or kind.
    """
    place = str(path)
    try:
        header, arrays = _unpack(Path(path).read_bytes())
    except _BROKEN as error:
        _refuse(place, f"no model file of summeval ({error})", "save the model again")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        _refuse(place, "no model file of summeval", "save the model again")
    if header.get("version") != VERSION:
        found = f"version {header.get('version')!r} of the format, summeval reads {VERSION}"
        _refuse(place, found, "train and save the model again")
    if header.pop("sha256", None) != digest(header, arrays):
        _refuse(place, "changed since it was saved", "take it anew from where it came")
    if header.get("kind") != kind:
        _refuse(place, f"a model of the kind {header.get('kind')!r}", f"give one of {kind!r}")
    content: dict[str, Any] = header["content"]
    return content, arrays


def digest(header: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """SHA-256 of a header and its arrays, whatever the order of the machine's bytes."""
    import numpy as np

    found = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        plain = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
        found.update(f"|{name}|{plain.dtype.str}|{plain.shape}|".encode())
        found.update(plain.tobytes())
    return found.hexdigest()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name)  # dated 1980, so that a model has one file
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def _unpack(data: bytes) -> tuple[Any, dict[str, NDArray[Any]]]:
    import numpy as np

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
            raise ValueError("it unpacks to more than a gigabyte")
        header = json.loads(archive.read(_HEADER))
        arrays = {}
        for name in archive.namelist():
            if name != _HEADER:
                content = io.BytesIO(archive.read(name))
                array = np.lib.format.read_array(content, allow_pickle=False)
                if array.dtype.kind not in "iuf":
                    raise ValueError(f"{name} holds {array.dtype}")
                arrays[name.removesuffix(".npy")] = array
    return header, arrays


def _refuse(place: str, problem: str, mend: str) -> NoReturn:
    raise ValueError(f"{place}: {problem}; {mend}") from None
