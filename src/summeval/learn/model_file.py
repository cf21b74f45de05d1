"""Model files: arrays and JSON in one NPZ archive, with a version and a checksum.

Every model that the package trains is saved in this format, by the subclasses of `Saved`. Loading a
file runs no code: arrays hold numbers, and pickled objects are refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, Literal, NoReturn

from summeval._files import write_whole
from summeval._lazy import np
from summeval._options import shown
from summeval._problem import printable

if TYPE_CHECKING:
    from summeval._arrays import AnyArray, Floats

FORMAT, VERSION = "summeval-model", 1
_HEADER = "model.json"
_MOST_SHOWN = 100  # characters of an error message
_MOST_OF_A_SIGNATURE = 400
MOST_BYTES = 1 << 28  # after unpacking


class Saved(ABC):
    """Base class of objects with a model that can be saved to a file.

    `kind` names the model in the header of its files. Each subclass has a classmethod `load(path)`,
    which makes an object from the results of `load_model`.
    """

    kind: ClassVar[str]

    def save(self, path: str | PathLike[str], note: str = "") -> None:
        """Write the trained model to a file; `note` says what it was trained on.

        Raises
        ------
        OSError
            For a file that cannot be written.
        ValueError
            Before training.
        """
        content, arrays = self.kept()
        save_model(path, self.kind, {**content, "note": note}, arrays)

    @abstractmethod
    def kept(self) -> tuple[dict[str, Any], Mapping[str, AnyArray]]:
        """Return the content of a file: a dict for JSON, and arrays of numbers."""


def save_model(
    path: str | PathLike[str], kind: str, content: Mapping[str, Any], arrays: Mapping[str, Any]
) -> None:
    """Write a model. The file appears only when it is complete; equal models give equal files.

    Parameters
    ----------
    path : str or path
    kind : str
        The kind of model, as its reader calls it.
    content : mapping
        Values that JSON can store.
    arrays : mapping of str to array
        Arrays of numbers.
    """
    header: dict[str, Any] = {"format": FORMAT, "version": VERSION, "kind": kind}
    header["content"] = dict(content)
    header["sha256"] = digest(header, arrays)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, _HEADER, (json.dumps(header, indent=1) + "\n").encode())
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.asarray(array), allow_pickle=False)
            _add(archive, f"{name}.npy", data.getvalue())
    write_whole(path, whole.getvalue())


def load_model(path: str | PathLike[str], kind: str) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Return the content and the arrays of a model that `save_model` wrote.

    Raises
    ------
    OSError
        For a file that cannot be read.
    ValueError
        If the file is not a model file, was changed, or has another version or kind; the message
        names the file.
    """
    place = str(path)
    with Path(path).open("rb") as file:
        try:
            header, arrays, same = _unpack(file)
        except Exception as error:  # zipfile, zlib, JSON and NumPy have different exceptions
            _refuse(place, f"no model file of summeval ({_brief(error)})", "save the model again")
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        _refuse(place, "no model file of summeval", "save the model again")
    if header.get("version") != VERSION:
        found = f"version {shown(header.get('version'))} of the format, summeval reads {VERSION}"
        _refuse(place, found, "train and save the model again")
    if not same:
        _refuse(place, "changed since it was saved", "take it anew from where it came")
    if header.get("kind") != kind:
        _refuse(place, f"a model of the kind {shown(header.get('kind'))}", f"give one of {kind!r}")
    content = header.get("content")
    if not isinstance(content, dict):
        _refuse(place, "no model file of summeval", "save the model again")
    return content, arrays


def check_basis(
    path: str | PathLike[str], then: Mapping[str, object], now: Mapping[str, str], hint: str
) -> None:
    """Raise unless the metrics are the same now as when the model was trained.

    Each metric is given by its name and its signature. The version of the package at the end of
    the signature may differ.
    """
    for name in dict.fromkeys((*then, *now)):
        before = then.get(name, f"no {name}")
        sides = [_timeless(before), _timeless(now.get(name, f"no {name}"))]
        if sides[0] != sides[1]:
            _refuse(str(path), f"trained with {sides[0]}, here is {sides[1]}", hint)


@contextmanager
def restoring(path: str | PathLike[str], what: str) -> Iterator[None]:
    """Name the file in errors about content that is undamaged, but not a model of `what`."""
    try:
        yield
    except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        problem = f"no model of {what} ({_brief(error)})"
        _refuse(str(path), problem, "train and save it again")


def digest(header: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    """SHA-256 of a header and its arrays, independent of the machine's byte order."""
    found = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.asarray(arrays[name])
        plain = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
        found.update(f"|{name}|{plain.dtype.str}|{plain.shape}|".encode())
        found.update(plain.tobytes())
    return found.hexdigest()


def finite(
    arrays: Mapping[str, AnyArray], *names: str, what: str = "its numbers"
) -> dict[str, Floats]:
    """Some arrays of a model as floats, of which none is infinite or NaN."""
    found = {name: np.asarray(arrays[name], dtype=np.float64) for name in names}
    if not all(np.isfinite(array).all() for array in found.values()):
        raise ValueError(f"{what} are not finite")
    return found


def training_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what training found, of the content of a model file."""
    if not isinstance(content["trained"], dict):
        raise TypeError("what training found is no object")
    return dict(content["trained"])


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name)  # always dated 1980, so that equal models give equal files
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def _timeless(signature: object) -> str:
    """Return a signature without its version, shortened for a message; it may come from a file."""
    text = signature if isinstance(signature, str) else shown(signature)
    return printable(text).partition("|v:")[0][:_MOST_OF_A_SIGNATURE]


def _unpack(file: IO[bytes]) -> tuple[Any, dict[str, AnyArray], bool]:
    """Return the header and the arrays of a file, and whether its checksum is correct."""
    with zipfile.ZipFile(file) as archive:
        found = dict(unpacked(archive, MOST_BYTES))
        header = json.loads(found.pop(_HEADER))
        arrays = {name.removesuffix(".npy"): array(name, data) for name, data in found.items()}
    stored = header.pop("sha256", None) if isinstance(header, dict) else None
    return header, arrays, stored == digest(header, arrays)


def unpacked(
    archive: zipfile.ZipFile, most: int, names: Sequence[str] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive, or those of these names, by name.

    Raises `ValueError` if they have more than `most` bytes together. An entry is not unpacked
    beyond the size that it states, of which zipfile then checks the checksum.
    """
    entries = [e for e in archive.infolist() if names is None or e.filename in names]
    if sum(entry.file_size for entry in entries) > most:
        raise ValueError(f"it unpacks to more than {most >> 20} MiB")
    for entry in entries:
        with archive.open(entry) as file:
            yield entry.filename, file.read(entry.file_size)


def array(name: str, data: bytes, kinds: str = "iuf") -> AnyArray:
    """The array of an NPY file; checks its size first, because NumPy allocates before it reads.

    Raises `ValueError` for a damaged file and for a type that is none of `kinds`, as NumPy's
    `dtype.kind` calls them.
    """
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError(f"{name} is of another version of NPY")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.kind not in kinds or (dtype.kind in "iuf" and dtype.itemsize > 8):
        raise ValueError(f"{name} holds {dtype}")
    begin = file.tell()
    if math.prod(shape) * dtype.itemsize != len(data) - begin:
        raise ValueError(f"{name} has another number of bytes than its shape")
    order: Literal["F", "C"] = "F" if fortran else "C"
    return np.array(np.ndarray(shape, dtype, buffer=data, offset=begin, order=order))


def _brief(error: Exception) -> str:
    """Return an error in one line, shortened: some messages repeat the bytes of a file."""
    text = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
    line = " ".join(text.split()) or type(error).__name__
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"


def _refuse(place: str, problem: str, hint: str) -> NoReturn:
    raise ValueError(f"{place}: {problem}; {hint}") from None
