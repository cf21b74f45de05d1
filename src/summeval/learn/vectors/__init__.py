"""Vectors of words: the table, its files, and the encoder that reads it."""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import as_file, files
from itertools import islice
from math import isfinite
from os import PathLike, fspath
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol

from summeval._cached import cached_property
from summeval._core.likeness.likeness import WordTable
from summeval._files import mapped_table
from summeval._lazy import np
from summeval._options import shown, whole
from summeval.learn.model_file import MOST_BYTES, array, unpacked

if TYPE_CHECKING:
    from numpy import int16
    from numpy.typing import NDArray

    from summeval._arrays import AnyArray, Floats, Floats32


LENGTH = 32767  # of a vector: no sum of products then leaves 32 bits


def quantised(vectors: Any, name: str, first: int = 0) -> NDArray[int16]:
    """Vectors [vector, dimension] of one length as whole numbers; those of length 0 stay 0.

    A message counts rows from `first`.
    """
    found = np.asarray(vectors, dtype=np.float64)
    if not np.isfinite(found).all():
        row = first + int(np.argwhere(~np.isfinite(found))[0][0])
        raise ValueError(f"{name}: row {row} has a number that is not finite; leave it out")
    largest = np.abs(found).max(axis=1, keepdims=True, initial=0.0)
    scaled = found / np.where(largest > 0, largest, 1)  # so that no square overflows
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.rint(scaled * (LENGTH / np.where(lengths > 0, lengths, 1))).astype(np.int16)


def unit(vectors: Any) -> Floats:
    """Vectors [vector, dimension] as floats of length 1; those of length 0 stay 0."""
    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def _as_array(given: Any, refused: tuple[type[Exception], ...] = (ValueError,)) -> AnyArray:
    try:
        return np.asarray(given)
    except refused:  # rows of several lengths
        return np.array([None])


Read = tuple[list[str], "NDArray[int16]", Any]

_BLOCK = 4096  # words that are made whole numbers at a time
_LONGEST = 1 << 16  # bytes of a word
_MOST_TIMES = 100  # the size of an npz may its arrays have; padded words pack well
_MARK = b"\xef\xbb\xbf"  # of UTF-8, before the first line
_HINT = "give a file of word2vec, GloVe, fastText, or an npz with words and vectors"


def read(path: str) -> Read:
    """Return the words, their vectors in whole numbers, and their counts or None.

    Raises
    ------
    ValueError, OSError
        If the file is none of these, or damaged; the message names it and the line.
    """
    with open(path, "rb") as file:
        if file.read(4) == b"PK\x03\x04":
            return _npz(path)
        file.seek(0)
        start = len(_MARK) if file.read(len(_MARK)) == _MARK else 0
        file.seek(start)
        first = file.readline(_LONGEST)
        size = _sizes(first)
        if size is None:
            file.seek(start)
            return _gathered(path, _text(path, file, None, 1), None)
        if not all(size):
            raise ValueError(
                f"{path} has {size[0]} words of {size[1]} dimensions by its first line; {_HINT}"
            )
        length = os.fstat(file.fileno()).st_size
        if 2 * size[1] > length:  # fewer bytes than one line of numbers
            raise ValueError(
                f"{path} has {size[1]} dimensions by its first line, but {length} bytes; {_HINT}"
            )
        begin = file.tell()
        is_text = _is_text(file.readline(1 << 20), size[1])
        file.seek(begin)
        rows = _text(path, file, size[1], 2) if is_text else _binary(path, file, *size)
        return _gathered(path, rows, size[0])


def _sizes(line: bytes) -> tuple[int, int] | None:
    """Return the numbers of words and dimensions, if the line has these."""
    parts = line.split()
    if len(parts) != 2 or not all(part.isdigit() and len(part) < 10 for part in parts):
        return None
    return int(parts[0]), int(parts[1])


def _is_text(line: bytes, dimensions: int) -> bool:
    try:
        return len(list(map(float, line.split()[-dimensions:]))) == dimensions
    except ValueError:
        return False


def _text(
    path: str, file: IO[bytes], dimensions: int | None, first: int
) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(file, first):
        parts = line.rsplit(None, dimensions or -1)
        if not parts:
            continue
        word, numbers = parts[0], parts[1:]
        try:
            found = list(map(float, numbers))
        except ValueError:
            raise ValueError(f"{path}: line {number} is not a word and numbers; {_HINT}") from None
        if dimensions is None:
            dimensions = len(found)
        if len(found) != dimensions or not found:
            raise ValueError(
                f"{path}: line {number} has {len(found)} numbers, not {dimensions or 'any'}; "
                f"{_HINT}"
            )
        if not isfinite(sum(found)) and not all(map(isfinite, found)):
            raise ValueError(f"{path}: line {number} has a number that is not finite; leave it out")
        yield word.strip().decode("utf-8", "replace"), found


def _binary(path: str, file: IO[bytes], words: int, dimensions: int) -> Iterator[tuple[str, Any]]:
    size = 4 * dimensions
    held, begin = b"", 0
    for number in range(1, words + 1):
        blank = held.find(b" ", begin)
        while blank < 0 or len(held) < blank + 1 + size:
            if blank < 0 and len(held) - begin > _LONGEST:
                raise ValueError(f"{path}: word {number} has no end; {_HINT}")
            more = file.read(max(1 << 20, size))
            if not more:
                raise ValueError(f"{path}: ends at word {number} of {words}; copy it again")
            held, begin = held[begin:] + more, 0
            blank = held.find(b" ")
        word = held[begin:blank].lstrip(b"\n").decode("utf-8", "replace")
        yield word, np.frombuffer(held, "<f4", dimensions, blank + 1)
        begin = blank + 1 + size
    if held[begin:].strip() or file.read(1 << 16).strip():
        raise ValueError(f"{path} goes on after its {words} words; copy it again")


def _gathered(path: str, rows: Iterator[tuple[str, Any]], wanted: int | None) -> Read:
    words: list[str] = []
    blocks: list[NDArray[int16]] = []
    while some := list(islice(rows, _BLOCK)):
        blocks.append(quantised([numbers for _, numbers in some], path, len(words)))
        words += [word for word, _ in some]
    if not blocks:
        raise ValueError(f"{path} has no words; {_HINT}")
    if wanted is not None and len(words) != wanted:
        raise ValueError(f"{path} has {len(words)} words, not {wanted} as it says; copy it again")
    return words, np.concatenate(blocks), None


def _npz(path: str) -> Read:
    names = ("words", "vectors", "counts")
    try:
        with zipfile.ZipFile(path) as archive:
            most = max(MOST_BYTES, _MOST_TIMES * os.path.getsize(path))
            entries = unpacked(archive, most, [f"{name}.npy" for name in names])
            arrays: dict[str, Any] = {
                name.removesuffix(".npy"): array(name, data, "iufU") for name, data in entries
            }
    except (zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path} is damaged ({error}); copy it again") from None
    except OSError:
        raise
    except Exception as error:  # another compression, a password, objects, another shape
        raise ValueError(
            f"{path} has arrays that cannot be read ({error}); give `words` of text and `vectors`"
            " of numbers, without pickled objects"
        ) from None
    missing = [name for name in names[:2] if name not in arrays]
    if missing:
        raise ValueError(f"{path} has no array {missing[0]!r}; {_HINT}")
    words, vectors, counts = arrays["words"], arrays["vectors"], arrays.get("counts")
    if words.ndim != 1 or words.dtype.kind != "U" or vectors.shape[:1] != words.shape:
        raise ValueError(f"{path}: words is no list of text as long as vectors; {_HINT}")
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise ValueError(f"{path}: vectors is no table of numbers; {_HINT}")
    if not vectors.size:
        raise ValueError(f"{path}: vectors has the shape {vectors.shape}; {_HINT}")
    return words.tolist(), quantised(vectors, path), counts


MAGIC, VERSION = b"summwvec", 1
SHIPPED = "english"  # names the table that the package brings
HEADER, _ALIGNED = 32, 64
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
    _vectors: AnyArray
    _weights: Floats
    _is_shipped = False

    def __init__(
        self, words: Iterable[str], vectors: Any, counts: Sequence[float] | None = None
    ) -> None:
        listed = list(words)
        for place, word in enumerate(listed):
            if not isinstance(word, str):
                raise TypeError(f"words[{place}] is {type(word).__name__}; give a str")
        given = _as_array(vectors)
        if given.dtype.kind not in "fiub":
            raise ValueError("vectors is no table of numbers; give [words, dimensions]")
        if given.ndim != 2 or len(given) != len(listed):
            raise ValueError(
                f"vectors of shape {given.shape} for {len(listed)} words; give one row for each"
            )
        if not given.size:
            raise ValueError(f"vectors of shape {given.shape} have no number; give one at least")
        self._set(listed, quantised(given, "vectors"), _weights(len(listed), counts))

    def _set(self, words: Sequence[str], vectors: NDArray[int16], weights: Floats) -> None:
        places: dict[str, int] = {}
        # those in lower case first
        for place, word in sorted(enumerate(words), key=lambda one: one[1] != one[1].lower()):
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
        """Read a file of words and vectors; see `summeval.learn.vectors`.

        Raises
        ------
        ValueError, OSError
            The file is not such a file; the message names it and the line.
        """
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
        what, script = "table of word vectors", "ci/resources/word_vectors.py"
        view = memoryview(mapped_table(path, MAGIC, VERSION, what, script))
        count, rows, dimensions, size = view[16:HEADER].cast("I")
        frequencies = after(HEADER + size)
        vectors = after(frequencies + 2 * count)
        made = cls.__new__(cls)
        made._words = view[HEADER : HEADER + size]
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
        """Return the cosine of the forms of two words, for `TeslaM`."""
        return float(self.cosines([mine.form], [other.form])[0, 0])

    def cosines(self, words: Sequence[str], others: Sequence[str]) -> Floats:
        """The cosines of words [words, others], at least 0; 0 where a word is not in the table."""
        one, other = self._rows(words), self._rows(others)
        return np.asarray(np.clip(one @ other.T, 0, 1))

    def weights(self, words: Sequence[str]) -> Floats:
        """Return the weight of each word: 8.1 - its frequency on the Zipf scale, 7.1 where unknown.

        The Zipf scale is the decimal logarithm of the occurrences in 10^9 words, 1 at the least.

        >>> WordVectors.shipped().weights(["the", "storm", "xyzzy"]).tolist()
        [0.37, 3.43, 7.1]
        """
        places = [self._places.get(word.lower(), -1) for word in words]
        found = [MOST - RAREST if place < 0 else self._weights[place] for place in places]
        return np.array(found).round(9)

    def _rows(self, words: Sequence[str]) -> Floats:
        """Return the vectors of words, of length 1 or 0."""
        places = np.array([self._places.get(word.lower(), -1) for word in words], dtype=np.int64)
        known = (places >= 0) & (places < len(self._vectors))
        return unit(np.where(known[:, None], self._vectors[np.where(known, places, 0)], 0.0))

    @cached_property
    def _places(self) -> dict[str, int]:
        listed = bytes(self._words).decode().split("\n")[:-1]
        return {word: place for place, word in enumerate(listed)}


_MADE = ("kernel", "_places")


def _weights(words: int, counts: Sequence[float] | None, name: str = "") -> Floats:
    if counts is None:
        return _of_zipf(8 - np.log10(np.arange(1, words + 1)))
    given = _as_array(counts)
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


def _of_zipf(zipf: Floats) -> Floats:
    return MOST - np.clip(zipf, RAREST, MOST - 0.1)


def after(place: int) -> int:
    """Return the next place of a table where a section may begin."""
    return -(-place // _ALIGNED) * _ALIGNED


@cache
def _shipped() -> WordVectors:
    with as_file(files(__package__) / "data" / "english.vectors") as path:
        return WordVectors._of_file(path)


@cache
def shipped_label() -> str:
    """Return what a signature says of the package's table; reads no more than its first bytes."""
    with (files(__package__) / "data" / "english.vectors").open("rb") as file:
        head = file.read(HEADER)
    return f"{SHIPPED}-{int.from_bytes(head[12:16], 'little'):08x}"


def is_shipped(given: object) -> bool:
    """Return whether an option names the package's table, or gives it.

    >>> is_shipped("english"), is_shipped(WordVectors.shipped()), is_shipped(None)
    (True, True, False)
    """
    if isinstance(given, WordVectors):
        return given._is_shipped and given is _shipped()
    return isinstance(given, str) and given == SHIPPED


def vectors_of(given: Any) -> WordVectors | None:
    """Return the table that an option names: "english", a path, a table, or None.

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


_WORD = re.compile(r"\w+")

Span = tuple[int, int]


class EncodedText(NamedTuple):
    """The words of a text and their vectors; any pair of the two will do.

    Attributes
    ----------
    spans : sequence of (int, int)
        For each word where it begins and ends, in characters; in the order of the text.
    vectors : float32 array [words, dimensions]
        Of any length; a vector of zeros is like no other.
    """

    spans: Sequence[Span]
    vectors: Floats32


class WordEncoder(Protocol):
    """A callable from texts to the words of each text, in the same order.

    It gets distinct texts, many at a time, and chooses batches itself. It may give the results one
    by one, as a generator. A metric names it in its signature by its code and attributes; an
    attribute `signature`, a str, takes their place.
    """

    def __call__(self, texts: Sequence[str]) -> Iterable[tuple[Sequence[Span], Floats32]]: ...


def word_spans(text: str) -> list[Span]:
    r"""Return where the words of a text are: runs of `\w`, the words of `tesla-e`.

    >>> word_spans("It's 3.5 m")
    [(0, 2), (3, 4), (5, 6), (7, 8), (9, 10)]
    """
    return [found.span() for found in _WORD.finditer(text)]


class CheckedEncoder:
    """An encoder whose results are checked; `name` is that of the option that gave it.

    All its vectors must have as many dimensions as the first.

    Raises
    ------
    TypeError, ValueError
        When it is called and the encoder gives no results, too few or too many; spans outside the
        text or without a character; or vectors that are no numbers of 32 bits [words, dimensions].

    Examples
    --------
    >>> encode = CheckedEncoder(lambda texts: [([(0, 3)], [[1, 0]])], "encoder")
    >>> next(encode(["cat"])).spans
    [(0, 3)]
    """

    def __init__(self, encoder: WordEncoder, name: str) -> None:
        self._encoder, self._name = encoder, name
        self._dimensions: int | None = None

    def __call__(self, texts: Sequence[str]) -> Iterator[EncodedText]:
        given: Any = self._encoder(texts)
        many, name = f"for {len(texts)} texts", self._name
        if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
            raise TypeError(f"{name} gave {shown(given)} {many}; give spans and vectors for each")
        results = iter(given)
        for count, text in enumerate(texts):
            try:
                result = next(results)
            except StopIteration:
                raise ValueError(f"{name} gave {count} results {many}; give as many") from None
            yield self._checked(result, text)
        if next(results, results) is not results:
            raise ValueError(f"{name} gave more than {len(texts)} results {many}; give as many")

    def _checked(self, result: Any, text: str) -> EncodedText:
        try:
            if isinstance(result, (str, bytes)):
                raise TypeError
            given, rows = result
            len(given)
        except (TypeError, ValueError):
            raise TypeError(
                f"{self._name} gave {type(result).__name__} for {shown(text)}; give a pair of"
                " spans and vectors"
            ) from None
        spans = _spans(given, text, self._name)
        vectors = _vectors(rows, len(spans), text, self._name)
        size = vectors.shape[1]
        if spans and self._dimensions not in (None, size):
            raise ValueError(
                f"{self._name} gave vectors of {size} dimensions for {shown(text)} and of"
                f" {self._dimensions} before; give the same number for all texts"
            )
        if spans:
            self._dimensions = size
        return EncodedText(spans, vectors)


def _spans(spans: Any, text: str, name: str) -> list[Span]:
    found = []
    for span in spans:
        ends = [] if isinstance(span, str) or not hasattr(span, "__iter__") else list(span)
        begin, end = map(whole, ends) if len(ends) == 2 else (None, None)
        if begin is None or end is None or not 0 <= begin <= end <= len(text):
            raise ValueError(
                f"{name} gave the span {shown(span)} for {shown(text)}; give (begin, end) in"
                f" characters, from 0 to {len(text)}"
            )
        if begin == end:
            raise ValueError(f"{name} gave an empty word for {shown(text)}; leave it out")
        found.append((begin, end))
    return found


def _vectors(given: Any, words: int, text: str, name: str) -> Floats32:
    found, hint = _as_array(given, (TypeError, ValueError)), "[words, dimensions]"
    if found.size and found.dtype.kind not in "fiub":
        fault = "that are no table of real numbers for"
    elif not words and not found.size:
        return np.zeros((0, found.shape[1] if found.ndim == 2 else 0), np.float32)
    elif found.ndim != 2 or len(found) != words or not found.shape[1]:
        fault = f"of the shape {found.shape} for the {words} words of"
    elif not (np.abs(found) <= np.finfo(np.float32).max).all():  # false of NaN, too
        fault, hint = "with NaN or infinity, or beyond 32 bits, for", "finite numbers"
    else:
        return np.ascontiguousarray(found, dtype=np.float32)
    raise ValueError(f"{name} gave vectors {fault} {shown(text)}; give {hint}")
