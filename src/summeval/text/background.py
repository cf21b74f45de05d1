"""Corpus statistics of words: background counts and document frequencies.

`Background` counts a corpus and defines the file that `summeval background` writes.
"""

from __future__ import annotations

import hashlib
import json
import operator
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from summeval._core.text import stemmer
from summeval._options import shown

Idf: TypeAlias = tuple[Mapping[str, float], float]

MOST = 2**53  # larger counts have no exact double
FORMAT, VERSION = "summeval-background", 1
_TABLES = ("counts", "documents_with", "documents_with_stem")


class Background:
    """Counts of the words of a corpus, and document frequencies of words and stems.

    Parameters
    ----------
    stopwords : bool or iterable of str
        True removes the stop words of ROUGE-1.5.5, which SIMetrix also uses.
    tokenizer : {"rouge155", "unicode"}

    Examples
    --------
    >>> found = Background()
    >>> for text in ("The bridges closed.", "A bridge."):
    ...     found.add(text)
    >>> found.counts
    {'bridges': 1, 'closed': 1, 'bridge': 1}
    >>> [(stem, round(idf, 4)) for stem, idf in found.idf(stem=True)[0].items()]
    [('bridg', 0.0), ('close', 0.6931)]
    """

    def __init__(
        self, *, stopwords: bool | Iterable[str] = True, tokenizer: str = "rouge155"
    ) -> None:
        from summeval._options import check_choice
        from summeval.text.word_lists import stop_list

        check_choice("tokenizer", tokenizer, ("rouge155", "unicode"))
        self._stopwords, self.stopwords = stop_list(stopwords)
        self.tokenizer = tokenizer
        self.documents = 0
        self.counts: dict[str, int] = {}
        self.documents_with: dict[str, int] = {}
        self.documents_with_stem: dict[str, int] = {}

    def add(self, text: str) -> None:
        """Count a document."""
        from summeval.text import tokens

        words = Counter(w for w in tokens(text, self.tokenizer) if w not in self._stopwords)
        self.documents += 1
        for word, count in words.items():
            self.counts[word] = self.counts.get(word, 0) + count
            self.documents_with[word] = self.documents_with.get(word, 0) + 1
        for stem in dict.fromkeys(_stems(words)):
            self.documents_with_stem[stem] = self.documents_with_stem.get(stem, 0) + 1

    def idf(self, stem: bool = True) -> tuple[dict[str, float], int]:
        """ln(documents / documents with the word), and the number of documents."""
        table = self.documents_with_stem if stem else self.documents_with
        idf = {word: log(self.documents / count) for word, count in table.items()}
        return idf, self.documents

    def to_json(self) -> str:
        """The content of the file, with words in alphabetical order."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "stopwords": self.stopwords,
            "tokenizer": self.tokenizer,
            "documents": self.documents,
            **{table: dict(sorted(getattr(self, table).items())) for table in _TABLES},
        }
        return json.dumps(content, ensure_ascii=False, indent=0) + "\n"

    @classmethod
    def of_json(cls, text: str, place: str) -> Background:
        """Read the output of `to_json`; for anything else ValueError, with `place` in front."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{place}: not JSON ({error}); create it again") from None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise ValueError(f"{place}: not a file of summeval background; create one with it")
        if content.get("version") != VERSION:
            raise ValueError(
                f"{place}: version {shown(content.get('version'))} of the format, this is summeval"
                f" for {VERSION}; create it again"
            )
        found = cls()
        try:
            found.stopwords, found.tokenizer = str(content["stopwords"]), str(content["tokenizer"])
            found.documents = _whole("documents", content["documents"], 1)
            for table in _TABLES:
                setattr(found, table, _counts(table, content[table], least=1))
        except KeyError as error:
            raise ValueError(f"{place}: no {error}; create it again") from None
        except (TypeError, ValueError) as error:
            raise ValueError(f"{place}: {error}") from None
        for table in _TABLES[1:]:
            if max(getattr(found, table).values(), default=0) > found.documents:
                raise ValueError(f"{place}: {table} counts more than {found.documents} documents")
        return found


def background(given: Any, stem: bool) -> tuple[dict[bytes, int] | None, str]:
    """The counts given by `background=`, by stem if `stem`, and their label."""
    if given is None:
        return None, "none"
    name = "background"
    if isinstance(given, (str, PathLike)):
        place = fspath(given)
        name = f"{place}: background"
        text = read_text(place)
        if text.lstrip()[:1] == "{":
            given = Background.of_json(text, str(place)).counts
        else:
            given = {}
            for word, number in _pairs(text, str(place), 1):
                given[word] = given.get(word, 0) + _whole(f"{place}: {shown(word)}", number, 0)
    counts: dict[bytes, int] = {}
    table = _counts(name, given)
    lower = [word.lower() for word in table]
    for word, count in zip(_stems(lower) if stem else lower, table.values(), strict=True):
        key = word.encode()
        counts[key] = counts.get(key, 0) + count
    total = sum(counts.values())
    if not 0 < total < MOST:
        raise ValueError(f"{name} has {total} words; give counts of a corpus (None for none)")
    return counts, _label(counts)


def idf(given: Any, stem: bool) -> tuple[dict[bytes, float], float, str]:
    """The weights given by `idf=`, the weight of other words, and their label."""
    if given is None:
        return {}, 1.0, "none"
    name = "idf"
    if isinstance(given, (str, PathLike)):
        place = fspath(given)
        name = f"{place}: idf"
        given = _read_idf(read_text(place), str(place), stem)
    pair = isinstance(given, (tuple, list)) and len(given) == 2
    if not pair or not isinstance(given[0], Mapping):
        raise TypeError("idf is not a pair of a dict and a number; pass ({word: idf}, documents)")
    table, documents = given
    if _number(f"{name}, the number of documents,", documents) < 1:
        raise ValueError(f"{name} has {shown(documents)} documents; give a number of at least 1")
    weights = {}
    for word, value in table.items():
        _check_word(name, word)
        if _number(f"{name}[{shown(word)}]", value) < 0:
            raise ValueError(
                f"{name}[{shown(word)}] is {shown(value)}; give a number of at least 0"
            )
        weights[word.encode()] = float(value)
    return weights, log(documents), f"{documents}-{_label(weights)}"


def encoded(name: str, counts: Any, least: int = 0) -> dict[bytes, int]:
    """Check counts of words and convert them for a kernel."""
    return {word.encode(): count for word, count in _counts(name, counts, least).items()}


def hollow_lines(text: str) -> int:
    r"""Lines that are neither blank nor hold an ASCII letter or digit.

    >>> hollow_lines("one.\n---\n \n\u00e9")
    2
    """
    lines = text.replace("\r", "\n").split("\n")
    marked = (line for line in lines if any(char > " " for char in line))
    return sum(not any(char.isascii() and char.isalnum() for char in line) for line in marked)


def _read_idf(text: str, place: str, stem: bool) -> Idf:
    if text.lstrip()[:1] == "{":
        return Background.of_json(text, place).idf(stem)
    first, _, rest = text.partition("\n")
    documents = _parsed(first.strip(), f"{place}:1", "the number of documents")
    return dict(_pairs(rest, place, 2)), documents


def _pairs(text: str, place: str, first: int) -> Iterable[tuple[str, float]]:
    """The word and the number on each line that is not blank."""
    for row, line in enumerate(text.split("\n"), first):
        parts = line.split()
        if parts and len(parts) != 2:
            raise ValueError(f"{place}:{row}: {shown(line)} is not a word and a number; correct it")
        if parts:
            yield parts[0], _parsed(parts[1], f"{place}:{row}", shown(parts[0]))


def _parsed(text: str, place: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{place}: {what} is {shown(text)}; give a number") from None


def read_text(path: str | PathLike[str]) -> str:
    """The text of a UTF-8 file; ValueError, beginning with its path, for any other."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 at byte {error.start}; convert it") from None


def _counts(name: str, counts: Any, least: int = 0) -> dict[str, int]:
    if not isinstance(counts, Mapping):
        raise TypeError(f"{name} is {type(counts).__name__}; give a dict of words to counts")
    found = {}
    for word, count in counts.items():
        _check_word(name, word)
        found[word] = _whole(f"{name}[{shown(word)}]", count, least)
    return found


def _check_word(name: str, word: object) -> None:
    if not isinstance(word, str):
        raise TypeError(f"{name} has the word {shown(word)}; pass a str")
    if any("\ud800" <= char <= "\udfff" for char in word):
        raise ValueError(f"{name} holds {shown(word)}, an unpaired surrogate; leave it out")


def _whole(what: str, value: Any, least: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not least <= number < MOST:
        raise ValueError(f"{what} is {shown(value)}; give a whole number of at least {least}")
    return number


def _number(what: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, (bool, str)) or number - number != 0:
        raise ValueError(f"{what} is {shown(value)}; give a number")
    return number


def _stems(words: Iterable[str]) -> list[str]:
    """By Porter's Java program, which knows ASCII alone."""
    given = list(words)
    plain = [word.encode() for word in given if word.isascii()]
    stems = iter(stemmer.stem_all("porter-java", plain))
    return [next(stems).decode() if word.isascii() else word for word in given]


def _label(table: Mapping[bytes, Any]) -> str:
    digest = hashlib.sha256(repr(sorted(table.items())).encode()).hexdigest()[:8]
    return f"{len(table)}-{digest}"
