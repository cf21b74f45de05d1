"""Tables of word vectors: the one that the package brings, and any other.

The package's table is a memory-mapped file, little-endian: 8 bytes of magic; 32-bit numbers:
version, CRC-32 of all that follows, words, vectors, dimensions, bytes of the words; the words, the
most frequent first, each with a newline behind; zeros up to a multiple of 64 bytes; for each word
its frequency on the Zipf scale in hundredths, 16 bits; zeros up to a multiple of 64; the vectors of
the first words, 8 bits a number, each with a scale of its own, which likeness does not depend on.
`ci/resources/word_vectors.py` makes it.
"""

from __future__ import annotations

import hashlib
import mmap
import sys
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import as_file, files
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from summeval._cached import cached_property
from summeval._core.likeness.likeness import WordTable
from summeval._options import shown
from summeval.learn.vectors.whole import whole

if TYPE_CHECKING:
    from numpy import float64, int16
    from numpy.typing import NDArray

MAGIC, VERSION = b"summwvec", 1
SHIPPED = "english"  # names the table that the package brings
_HEADER, _ALIGNED = 32, 64
_MEND = "reinstall summeval, or run ci/resources/word_vectors.py"
# The rarest words: Zipf 1 is one in 10^8.
RAREST, MOST = 1.0, 8.1


class WordVectors:
    """A vector and a weight for each word of a table; words are alike by the cosine.

    Parameters
    ----------
    words : sequence of str
        The most frequent first, if there are no counts. They are compared in lower case; of several
        that are then equal the one written in lower case counts, else the first.
    vectors : array [words, dimensions]
        Of any length; kept as whole numbers, which changes a cosine by about 1e-5.
    counts : sequence of numbers, optional
        How often each word occurs. Without them the word of rank r is taken to have a share of
        1 / (10 r) of all, as Zipf's law has it.

    Attributes
    ----------
    label : str
        Names the table in signatures.
    dimensions : int

    Raises
    ------
    ValueError
        If there are not as many vectors as words, or none, or a number is not finite.
    TypeError
        If a word is no str.

    Examples
    --------
    >>> vectors = WordVectors(["cat", "feline", "car"], [[1, 0.1], [0.9, 0.2], [0, 1]])
    >>> vectors.cosines(["cat"], ["feline", "car", "dog"]).round(3)
    array([[0.993, 0.099, 0.   ]])
    >>> len(vectors), "Cat" in vectors
    (3, True)
    """

    label: str
    dimensions: int
    _words: bytes | memoryview
    _vectors: NDArray[Any]
    _weights: NDArray[float64]
    _is_shipped = False

    def __init__(
        self, words: Iterable[str], vectors: Any, counts: Sequence[float] | None = None
    ) -> None:
        import numpy as np

        listed = list(words)
        for place, word in enumerate(listed):
            if not isinstance(word, str):
                raise TypeError(f"words[{place}] is {type(word).__name__}; give a str")
        try:
            given = np.asarray(vectors)
        except ValueError:  # rows of several lengths
            given = np.array([None])
        if given.dtype.kind not in "fiub":
            raise ValueError("vectors is no table of numbers; give [words, dimensions]")
        if given.ndim != 2 or len(given) != len(listed):
            raise ValueError(
                f"vectors of shape {given.shape} for {len(listed)} words; give one row for each"
            )
        if not given.size:
            raise ValueError(f"vectors of shape {given.shape} have no number; give one at least")
        self._set(listed, whole(given, "vectors"), _weights(len(listed), counts))

    def _set(
        self, words: Sequence[str], vectors: NDArray[int16], weights: NDArray[float64]
    ) -> None:
        import numpy as np

        places: dict[str, int] = {}
        for place, word in enumerate(words):
            if "\n" not in word and word == word.lower():
                places.setdefault(word, place)
        for place, word in enumerate(words):
            if "\n" not in word:
                places.setdefault(word.lower(), place)
        kept = np.array(list(places.values()), dtype=np.int64)
        self._words = "".join(f"{word}\n" for word in places).encode("utf-8", "replace")
        self._vectors = np.ascontiguousarray(vectors[kept])
        self._weights = np.ascontiguousarray(weights[kept])
        self.dimensions = int(vectors.shape[1])
        made = hashlib.sha256(self._words)
        for part in (self._vectors, self._weights):
            made.update(part.tobytes())
        self.label = f"{len(places)}x{self.dimensions}-{made.hexdigest()[:8]}"

    @classmethod
    def read(cls, path: str | PathLike[str]) -> WordVectors:
        """Read a file of words and vectors; see `summeval.learn.vectors.files`.

        Raises
        ------
        ValueError, OSError
            The file is not such a file; the message names it and the line.
        """
        from summeval.learn.vectors.files import read

        words, vectors, counts = read(fspath(path))
        made = cls.__new__(cls)
        made._set(words, vectors, _weights(len(words), counts, f"{fspath(path)}: "))
        return made

    @classmethod
    def shipped(cls) -> WordVectors:
        """The table of English words that the package brings, memory-mapped at the first call.

        >>> english = WordVectors.shipped()
        >>> english.cosines(["storm"], ["storms", "hurricane", "army"]).round(1).tolist()
        [[0.9, 0.7, 0.2]]
        """
        return _shipped()

    @classmethod
    def _of_file(cls, path: Path) -> WordVectors:
        import numpy as np

        data = _mapped(path)
        count, rows, dimensions, size = _header(data, str(path))
        frequencies = _after(_HEADER + size)
        vectors = _after(frequencies + 2 * count)
        made = cls.__new__(cls)
        view = memoryview(data)
        made._words = view[_HEADER : _HEADER + size]
        made._weights = _of_zipf(np.frombuffer(view, "<u2", count, frequencies) / 100)
        made._vectors = np.frombuffer(view, np.int8, rows * dimensions, vectors).reshape(
            rows, dimensions
        )
        made.dimensions = dimensions
        made.label = shipped_label()
        made._is_shipped = True
        return made

    def __len__(self) -> int:
        return len(self._weights)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word.lower() in self._places

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (_shipped, ()) if self._is_shipped else super().__reduce_ex__(protocol)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in _MADE}

    @cached_property
    def kernel(self) -> WordTable:
        """The kernel's form of it."""
        return WordTable(self._words, self._vectors, self._weights, MOST - RAREST)

    def __call__(self, mine: Any, other: Any) -> float:
        """The cosine of the forms of two words, for `TeslaM`."""
        return float(self.cosines([mine.form], [other.form])[0, 0])

    def cosines(self, words: Sequence[str], others: Sequence[str]) -> NDArray[float64]:
        """The cosines of words [words, others], at least 0; 0 where a word is not in the table."""
        import numpy as np

        one, other = self._rows(words), self._rows(others)
        found: NDArray[np.float64] = np.clip(one @ other.T, 0, 1)
        return found

    def weights(self, words: Sequence[str]) -> NDArray[float64]:
        """The weight of each word: 8.1 - its frequency on the Zipf scale, 7.1 where unknown.

        The Zipf scale is the decimal logarithm of the occurrences in 10^9 words, 1 at the least.

        >>> WordVectors.shipped().weights(["the", "storm", "xyzzy"]).tolist()
        [0.37, 3.43, 7.1]
        """
        import numpy as np

        places = [self._places.get(word.lower(), -1) for word in words]
        found = [MOST - RAREST if place < 0 else self._weights[place] for place in places]
        return np.array(found).round(9)

    def _rows(self, words: Sequence[str]) -> NDArray[float64]:
        """The vectors of words, of length 1 or 0."""
        import numpy as np

        rows = np.zeros((len(words), self.dimensions))
        for row, word in enumerate(words):
            place = self._places.get(word.lower())
            if place is not None and place < len(self._vectors):
                rows[row] = self._vectors[place]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)

    @cached_property
    def _places(self) -> dict[str, int]:
        listed = bytes(self._words).decode().split("\n")[:-1]
        return {word: place for place, word in enumerate(listed)}


_MADE = ("kernel", "_places")


def _weights(words: int, counts: Sequence[float] | None, name: str = "") -> NDArray[float64]:
    import numpy as np

    if counts is None:
        return _of_zipf(8 - np.log10(np.arange(1, words + 1)))
    try:
        given = np.asarray(counts)
    except ValueError:  # rows of several lengths
        given = np.array([None])
    if given.dtype.kind not in "fiub" or given.ndim != 1:
        raise ValueError(f"{name}counts is no list of numbers; give one for each word")
    if len(given) != words:
        raise ValueError(f"{name}{len(given)} counts for {words} words; give one for each")
    given = given.astype(np.float64)
    if not (np.isfinite(given).all() and (given >= 0).all() and given.sum() > 0):
        raise ValueError(
            f"{name}counts has a number below 0 or not finite, or all are 0; give counts"
        )
    shares = given / max(given.sum(), 1e-300)
    return _of_zipf(9 + np.log10(np.maximum(shares, 1e-12)))


def _of_zipf(zipf: NDArray[float64]) -> NDArray[float64]:
    import numpy as np

    return MOST - np.clip(zipf, RAREST, MOST - 0.1)


def _after(place: int) -> int:
    return -(-place // _ALIGNED) * _ALIGNED


def to_bytes(words: Sequence[str], zipf: Sequence[float], vectors: Any) -> bytes:
    """The content of the package's file: `vectors` are int8 [first words, dimensions]."""
    import numpy as np

    text = "".join(f"{word}\n" for word in words).encode()
    hundredths = np.array([round(100 * one) for one in zipf], dtype="<u2").tobytes()
    rows = np.ascontiguousarray(vectors, dtype=np.int8)
    body = bytearray(text)
    for part in (hundredths, rows.tobytes()):
        body += bytes(_after(_HEADER + len(body)) - _HEADER - len(body)) + part
    numbers = (VERSION, 0, len(words), *rows.shape, len(text))
    told = np.array(numbers, dtype="<u4")
    told[1] = zlib.crc32(told[2:].tobytes() + body)
    return MAGIC + told.tobytes() + bytes(body)


def _header(data: Any, name: str) -> tuple[int, int, int, int]:
    """Words, vectors, dimensions, bytes of the words; ValueError for another or damaged file."""
    if sys.byteorder != "little":
        raise ValueError(
            f"{name} is little-endian, but this machine is not; use a little-endian machine"
        )
    if len(data) < _HEADER or data[:8] != MAGIC:
        raise ValueError(f"{name} is not summeval's table of word vectors; {_MEND}")
    version, checksum, count, rows, dimensions, size = memoryview(data)[8:_HEADER].cast("I")
    if version != VERSION:
        raise ValueError(f"{name} has version {version}; this summeval reads {VERSION}: {_MEND}")
    end = _after(_after(_HEADER + size) + 2 * count) + rows * dimensions
    if len(data) != end or zlib.crc32(memoryview(data)[16:]) != checksum:
        raise ValueError(f"{name} is damaged; {_MEND}")
    return count, rows, dimensions, size


def _mapped(path: Path) -> Any:
    with path.open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            return b""


@cache
def _shipped() -> WordVectors:
    with as_file(files(__package__) / "data" / "english.vectors") as path:
        return WordVectors._of_file(path)


@cache
def shipped_label() -> str:
    """What a signature says of the package's table; reads no more than its first bytes."""
    with (files(__package__) / "data" / "english.vectors").open("rb") as file:
        head = file.read(_HEADER)
    return f"{SHIPPED}-{int.from_bytes(head[12:16], 'little'):08x}"


def is_shipped(given: object) -> bool:
    """Whether an option names the package's table, or gives it.

    >>> is_shipped("english"), is_shipped(WordVectors.shipped()), is_shipped(None)
    (True, True, False)
    """
    if isinstance(given, WordVectors):
        return given._is_shipped and given is _shipped()
    return isinstance(given, str) and given == SHIPPED


def vectors_of(given: Any) -> WordVectors | None:
    """The table that an option names: "english", a path, a table, or None.

    Raises
    ------
    TypeError, ValueError, OSError
        For anything else, and for a file that cannot be read.
    """
    if given is None or isinstance(given, WordVectors):
        return given
    if isinstance(given, str) and given == SHIPPED:
        return WordVectors.shipped()
    if isinstance(given, (str, PathLike)):
        return WordVectors.read(given)
    raise TypeError(f'vectors is {shown(given)}; give "{SHIPPED}", a file, a WordVectors, or None')
