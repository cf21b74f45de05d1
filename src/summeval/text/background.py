"""Corpus statistics of words: background counts and document frequencies.

`Background` counts a corpus and defines the file that `summeval background` writes.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import expm1, log
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from summeval._core.text import stemmer as kernel
from summeval._options import check_choice, check_number, check_whole, check_word, shown
from summeval.text.stemmers import token_stemmer

Idf: TypeAlias = tuple[Mapping[str, float], float]

SHIPPED = "wordfreq"  # names the counts of English words that the package brings
_SHIPPED_LABEL = "wordfreq-3.1.1"
_SHIPPED_DOCUMENTS = 5000  # of a corpus of as many words, as the program SIMetrix has

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
    >>> [(stem, round(idf, 4)) for stem, idf in found.idf("porter-java")[0].items()]
    [('bridg', 0.0), ('close', 0.6931)]
    """

    def __init__(
        self, *, stopwords: bool | Iterable[str] = True, tokenizer: str = "rouge155"
    ) -> None:
        from summeval.text.stopwords import stop_list

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
        for stem in dict.fromkeys(_stems(words, "porter-java")):
            self.documents_with_stem[stem] = self.documents_with_stem.get(stem, 0) + 1

    def idf(self, stemmer: str | None = "porter-java") -> tuple[dict[str, float], int]:
        """ln(documents / documents with the word), and the number of documents.

        The documents of stems are counted by "porter-java" alone; ValueError for another stemmer.
        """
        check_choice("stemmer", stemmer, ("porter-java", None))
        table = self.documents_with if stemmer is None else self.documents_with_stem
        idf = {word: log(self.documents / count) for word, count in table.items()}
        return idf, self.documents

    def to_json(self) -> str:
        """Return the content of the file, with words in alphabetical order."""
        content: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        content |= {name: getattr(self, name) for name in ("stopwords", "tokenizer", "documents")}
        content |= {table: dict(sorted(getattr(self, table).items())) for table in _TABLES}
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


def background(given: Any, stemmer: str | None) -> tuple[dict[bytes, int] | str | None, str]:
    """Return the counts given by `background=`, by the stems of `stemmer`, and their label.

    The counts that the package brings are read when they are needed: see `shipped_counts`.
    """
    if given is None:
        return None, "none"
    if isinstance(given, str) and given == SHIPPED:
        return SHIPPED, _SHIPPED_LABEL
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
    counts = _by_stem(_counts(name, given), stemmer)
    total = sum(counts.values())
    if not 0 < total < MOST:
        raise ValueError(f"{name} has {total} words; give counts of a corpus (None for none)")
    return counts, _label(counts)


@cache
def shipped_counts(stemmer: str | None) -> dict[bytes, int]:
    """Return the counts of English words that the package brings, by stem; not to be changed.

    They are the frequencies of wordfreq 3.1.1 (Speer 2022) in a corpus of the size of the
    background of the program SIMetrix, without stop words: see ci/resources/word_counts.py.

    >>> counts = shipped_counts("porter-java")
    >>> counts[b"bridg"], sum(counts.values())
    (273, 1582421)
    """
    text = (Path(__file__).parent / "data" / "english_words.txt").read_text(encoding="utf-8")
    lines = (line.partition(" ") for line in text.split("\n")[1:] if line)
    return _by_stem({word: int(count) for word, _, count in lines}, stemmer)


@cache
def shipped_idf(stemmer: str | None) -> dict[bytes, float]:
    """Return the inverse document frequency of the words of `shipped_counts`; not to be changed.

    A list of frequencies has no documents. A word with c occurrences is taken to be in
    D (1 - exp(-c / D)) of D = 5,000 documents, as if each occurrence fell into any of them.

    >>> weights = shipped_idf("porter-java")
    >>> round(weights[b"bridg"], 3), round(weights[b"time"], 3)
    (2.935, 0.196)
    """
    documents = _SHIPPED_DOCUMENTS
    return {
        word: -log(-expm1(-count / documents)) for word, count in shipped_counts(stemmer).items()
    }


def _by_stem(table: Mapping[str, int], stemmer: str | None) -> dict[bytes, int]:
    """Return the counts of stems of lower-case words, encoded for a kernel."""
    counts: dict[bytes, int] = {}
    lower = [word.lower() for word in table]
    for word, count in zip(_stems(lower, stemmer), table.values(), strict=True):
        key = word.encode()
        counts[key] = counts.get(key, 0) + count
    return counts


def idf(given: Any, stemmer: str | None) -> tuple[dict[bytes, float] | str, float, str]:
    """Return the weights given by `idf=`, the weight of other words, and their label.

    The weights that the package brings are computed when they are needed: see `shipped_idf`.
    """
    if given is None:
        return {}, 1.0, "none"
    if isinstance(given, str) and given == SHIPPED:
        return SHIPPED, log(_SHIPPED_DOCUMENTS), _SHIPPED_LABEL
    name = "idf"
    if isinstance(given, (str, PathLike)):
        place = fspath(given)
        name = f"{place}: idf"
        given = _read_idf(read_text(place), str(place), stemmer)
    pair = isinstance(given, (tuple, list)) and len(given) == 2
    if not pair or not isinstance(given[0], Mapping):
        raise TypeError("idf is not a pair of a dict and a number; pass ({word: idf}, documents)")
    table, documents = given
    if check_number(f"{name}, the number of documents,", documents) < 1:
        raise ValueError(f"{name} has {shown(documents)} documents; give a number of at least 1")
    weights = {}
    for word, value in table.items():
        check_word(name, word)
        if check_number(f"{name}[{shown(word)}]", value) < 0:
            raise ValueError(
                f"{name}[{shown(word)}] is {shown(value)}; give a number of at least 0"
            )
        weights[word.encode()] = float(value)
    return weights, log(documents), f"{documents}-{_label(weights)}"


def encoded(name: str, counts: Any, least: int = 0) -> dict[bytes, int]:
    """Check counts of words and convert them for a kernel."""
    return {word.encode(): count for word, count in _counts(name, counts, least).items()}


def lines_without_words(text: str) -> int:
    r"""Lines that are neither blank nor hold an ASCII letter or digit.

    >>> lines_without_words("one.\n---\n \n\u00e9")
    2
    """
    lines = text.replace("\r", "\n").split("\n")
    marked = (line for line in lines if any(char > " " for char in line))
    return sum(not any(char.isascii() and char.isalnum() for char in line) for line in marked)


def _read_idf(text: str, place: str, stemmer: str | None) -> Idf:
    if text.lstrip()[:1] == "{":
        found = Background.of_json(text, place)
        if stemmer not in (None, "porter-java"):
            raise ValueError(
                f"{place}: counts documents by the stems of porter-java; "
                f"set stemmer to it, or give the idf of {stemmer} as lines"
            )
        return found.idf(stemmer)
    first, _, rest = text.partition("\n")
    documents = _parsed(first.strip(), f"{place}:1", "the number of documents")
    return dict(_pairs(rest, place, 2)), documents


def _pairs(text: str, place: str, first: int) -> Iterable[tuple[str, float]]:
    """Yield the word and the number on each line that is not blank."""
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
    """Return the text of a UTF-8 file; ValueError, beginning with its path, for any other."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 at byte {error.start}; convert it") from None


def _counts(name: str, counts: Any, least: int = 0) -> dict[str, int]:
    if not isinstance(counts, Mapping):
        raise TypeError(f"{name} is {type(counts).__name__}; give a dict of words to counts")
    found = {}
    for word, count in counts.items():
        check_word(name, word)
        found[word] = _whole(f"{name}[{shown(word)}]", count, least)
    return found


def _whole(what: str, value: Any, least: int) -> int:
    """Return a count, which a file may write as 3.0."""
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    return check_whole(what, plain, least, MOST - 1)


def _stems(words: Iterable[str], stemmer: str | None) -> list[str]:
    """As a kernel stems tokens (`token_stemmer`)."""
    given = list(words)
    if stemmer != "porter-java":
        return list(map(token_stemmer(stemmer), given))
    plain = [word.encode() for word in given if word.isascii()]  # all at once, for large tables
    stems = iter(kernel.stem_all("porter-java", plain))
    return [next(stems).decode() if word.isascii() else word for word in given]


def label_of_texts(texts: Sequence[str]) -> str:
    """Return the number of texts and a digest of them, for a signature.

    >>> label_of_texts(["a cat", "a dog"])
    '2-e85835aa'
    """
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return f"{len(texts)}-{digest.hexdigest()[:8]}"


def _label(table: Mapping[bytes, Any]) -> str:
    digest = hashlib.sha256(repr(sorted(table.items())).encode()).hexdigest()[:8]
    return f"{len(table)}-{digest}"
