"""Files of words and vectors: word2vec (text and binary), GloVe and fastText (text), NumPy's npz.

- A text file has a word and its numbers on each line, between blanks or tabs; the first line of
  word2vec and fastText has the numbers of words and dimensions.
- A binary file of word2vec has that line, and then for each word its text, a blank, and its numbers
  in 32 bits, little-endian.
- An npz file has the arrays `words` (of text) and `vectors` [words, dimensions], and may have
  `counts`. Pickled objects are refused, and what unpacks to more than 256 MiB and 100 times the
  size of the file.

Words stand in the order of their frequency, the most frequent first, as these programs write them.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Iterator
from math import isfinite
from typing import IO, TYPE_CHECKING, Any

from summeval.learn.model_file import MOST_BYTES, array, unpacked
from summeval.learn.vectors.whole import whole

if TYPE_CHECKING:
    from numpy import int16
    from numpy.typing import NDArray

Read = tuple[list[str], "NDArray[int16]", Any]

_BLOCK = 4096  # words that are made whole numbers at a time
_LONGEST = 1 << 16  # bytes of a word
_MOST_TIMES = 100  # the size of an npz may its arrays have; padded words pack well
_MARK = b"\xef\xbb\xbf"  # of UTF-8, before the first line
_MEND = "give a file of word2vec, GloVe, fastText, or an npz with words and vectors"


def read(path: str) -> Read:
    """The words, their vectors in whole numbers, and their counts or None.

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
                f"{path} has {size[0]} words of {size[1]} dimensions by its first line; {_MEND}"
            )
        length = os.fstat(file.fileno()).st_size
        if 2 * size[1] > length:  # fewer bytes than one line of numbers
            raise ValueError(
                f"{path} has {size[1]} dimensions by its first line, but {length} bytes; {_MEND}"
            )
        begin = file.tell()
        is_text = _is_text(file.readline(1 << 20), size[1])
        file.seek(begin)
        rows = _text(path, file, size[1], 2) if is_text else _binary(path, file, *size)
        return _gathered(path, rows, size[0])


def _sizes(line: bytes) -> tuple[int, int] | None:
    """The numbers of words and dimensions, if the line has these."""
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
            raise ValueError(f"{path}: line {number} is not a word and numbers; {_MEND}") from None
        if dimensions is None:
            dimensions = len(found)
        if len(found) != dimensions or not found:
            raise ValueError(
                f"{path}: line {number} has {len(found)} numbers, not {dimensions or 'any'}; "
                f"{_MEND}"
            )
        if not isfinite(sum(found)) and not all(map(isfinite, found)):
            raise ValueError(f"{path}: line {number} has a number that is not finite; leave it out")
        yield word.strip().decode("utf-8", "replace"), found


def _binary(path: str, file: IO[bytes], words: int, dimensions: int) -> Iterator[tuple[str, Any]]:
    import numpy as np

    size = 4 * dimensions
    held, begin = b"", 0
    for number in range(1, words + 1):
        blank = held.find(b" ", begin)
        while blank < 0 or len(held) < blank + 1 + size:
            if blank < 0 and len(held) - begin > _LONGEST:
                raise ValueError(f"{path}: word {number} has no end; {_MEND}")
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
    import numpy as np

    words: list[str] = []
    blocks: list[NDArray[int16]] = []
    waiting: list[Any] = []
    for word, numbers in rows:
        words.append(word)
        waiting.append(numbers)
        if len(waiting) == _BLOCK:
            blocks.append(whole(waiting, path, len(words) - len(waiting)))
            waiting = []
    if waiting:
        blocks.append(whole(waiting, path, len(words) - len(waiting)))
    if not blocks:
        raise ValueError(f"{path} has no words; {_MEND}")
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
    lacking = [name for name in names[:2] if name not in arrays]
    if lacking:
        raise ValueError(f"{path} has no array {lacking[0]!r}; {_MEND}")
    words, vectors, counts = arrays["words"], arrays["vectors"], arrays.get("counts")
    if words.ndim != 1 or words.dtype.kind != "U" or vectors.shape[:1] != words.shape:
        raise ValueError(f"{path}: words is no list of text as long as vectors; {_MEND}")
    if vectors.ndim != 2 or vectors.dtype.kind not in "fiu":
        raise ValueError(f"{path}: vectors is no table of numbers; {_MEND}")
    if not vectors.size:
        raise ValueError(f"{path}: vectors has the shape {vectors.shape}; {_MEND}")
    return words.tolist(), whole(vectors, path), counts
