"""How the lexical metrics read a text: their common options, with checks, and the analyzer.

Python tokenisers and sentence splitters run before the kernel. The tokens of a Python tokeniser are
joined by bytes that do not occur in UTF-8, and passed to the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from types import MethodType
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.text.analyzer import Analyzer, Exceptions
from summeval.metrics.run.refusals import RowErrors
from summeval.metrics.run.signature import label_of
from summeval.text.stemmers import is_snowball, stemmer, token_stemmer, version
from summeval.text.stopwords import stop_list
from summeval.text.tokenizers import CASED, words

if TYPE_CHECKING:
    from typing import Self

TOKEN_MARK, LINE_MARK, FUNCTION_MARK = b"\xff", b"\xfe", b"\xfd"

Tokenizer = Callable[[str], Iterable[str]]
Splitter = Callable[[str], Iterable[str]]


@dataclass(frozen=True, eq=False)
class TextOptions:
    """Checked options for reading texts; metrics with equal options share a pass."""

    tokenizer: str | Tokenizer = "rouge155"
    stemmer: str | None = None
    stopwords: frozenset[str] = frozenset()
    function_words: frozenset[str] | None = None
    max_words: int = 0
    max_bytes: int = 0
    sentences: str | Splitter = "newline"
    lowercase: bool = True
    unstemmed: int = 3
    language: str | None = None
    stopwords_label: str = "none"
    named: str | None = None  # the name of a callable that cannot be imported

    def __post_init__(self) -> None:
        if self.max_words and self.max_bytes:
            raise ValueError("max_words and max_bytes are both set; set one of them")
        if self.in_python and (self.max_words or self.max_bytes):
            raise ValueError(
                "max_words and max_bytes need the tokenizer rouge155 or unicode, and no stemmer of "
                "Snowball; cut the texts first"
            )
        if self.stemmer is not None:
            stemmer(self.stemmer)  # raises if there is none, or its extra is not installed

    @classmethod
    def of(cls, metric: Any, **more: Any) -> Self:
        """Return those that a metric declares under these names, and `more` in their place."""
        names = [one.name for one in fields(cls) if one.name in metric.declared]
        given = {name: getattr(metric, name) for name in names} | more
        if "stopwords" in given:
            given["stopwords"], given["stopwords_label"] = stop_list(
                given["stopwords"], given.get("language")
            )
        return cls(named=metric.label, **given)

    @property
    def labels(self) -> tuple[str, str]:
        """The tokenizer and the sentence splitter, for signatures."""
        return label_of(self.tokenizer, self.named), label_of(self.sentences, self.named)

    def _key(self) -> tuple[Any, ...]:
        """Return the key of equal options; callables are compared by identity, not by `==`."""
        untold = ("stopwords_label", "named")
        options = [getattr(self, one.name) for one in fields(self) if one.name not in untold]
        return (type(self), *(_which(option) for option in options))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextOptions) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def analyzer(self) -> Analyzer:
        """Return the kernel's form of these options; reads the stemmer's table on first use."""
        functions, stopwords = self.function_words, self.stopwords
        if is_snowball(self.stemmer):  # which Python applies, to what is no stop word
            functions, stopwords = None if functions is None else frozenset(), frozenset()
        return Analyzer(
            "split" if self.in_python else str(self.tokenizer),
            self.kernel_stemmer,
            self.exceptions(),
            {word.encode() for word in stopwords},
            None if functions is None else {word.encode() for word in functions},
            self.max_words,
            self.max_bytes,
            self.lowercase,
            self.unstemmed,
        )

    def exceptions(self) -> Exceptions | None:
        """Return the table that the stemmer looks up first."""
        return _exceptions() if self.stemmer == "rouge155" else None

    @property
    def in_python(self) -> bool:
        """Whether Python makes the tokens."""
        made = callable(self.tokenizer) or self.tokenizer in CASED
        return made or is_snowball(self.stemmer)

    @property
    def kernel_stemmer(self) -> str | None:
        """The stemmer that the kernel applies: none where Python does."""
        return None if is_snowball(self.stemmer) else self.stemmer

    @property
    def plain(self) -> bool:
        """Whether the kernel reads the texts unchanged."""
        return not self.in_python and self.sentences == "newline"

    def text(self, text: str | bytes | None, place: str) -> str | bytes | None:
        """Return the text as the kernel reads it."""
        if self.plain or text is None:
            return text
        columns.check_text(text, place)
        assert isinstance(text, str)
        lines = self.lines(text)
        if not self.in_python:
            return "\n".join(lines)
        return LINE_MARK.join(self._join(line, place) for line in lines)

    def lines(self, text: str) -> Sequence[str]:
        """Return the sentences of a text."""
        if self.sentences == "newline" or "\n" in text:
            return text.split("\n")
        if callable(self.sentences):
            return _strings(self.sentences(text), "the sentence splitter")
        from summeval.text import sentences

        return sentences(text)

    def references(
        self, references: Any, name: str = "references"
    ) -> tuple[str | bytes | None, ...]:
        """The references (or other texts, called `name`) of one call as the kernel reads them."""
        given = one_or_more(references, name)
        return tuple(self.text(text, f"{name}[{i}]") for i, text in enumerate(given))

    def _join(self, line: str, place: str) -> bytes:
        try:
            if callable(self.tokenizer):
                found = _strings(self.tokenizer(line), f"the tokenizer, for {place},")
            else:
                found = words(line, self.tokenizer)
            return self._marked(found)
        except UnicodeEncodeError:
            raise ValueError(
                f"the tokenizer gave an unpaired surrogate for {place}; replace it first"
            ) from None

    def _marked(self, tokens: Sequence[str]) -> bytes:
        """Return a line of tokens as the kernel reads it, as they are or stemmed by Snowball."""
        if is_snowball(self.stemmer):
            stem = token_stemmer(self.stemmer)
            tokens = [stem(token) for token in tokens if token not in self.stopwords]
        return b"".join(token.encode() + TOKEN_MARK for token in tokens)

    def texts(
        self, column: columns.TextColumn, name: str, refused: RowErrors | None = None
    ) -> columns.TextColumn:
        """Return a column of texts, or of lists of texts, as the kernel reads it.

        If a callable fails for a row, the row is recorded in `refused` and has no text; without
        `refused` the error is raised.
        """
        if self.plain:
            return column
        rows: list[Any] = []
        make = columns.texts
        for row, item in enumerate(column.to_list(), column.first):
            if isinstance(item, list):
                make = columns.references
            try:
                rows.append(self._row(item, f"{name}[{row}]"))
            except Exception as error:
                if refused is None:
                    error.add_note(f"row {row}")
                    raise
                refused.add(row, error)
                rows.append(None)
        return make(rows, name, raw=True, first=column.first)

    def _row(self, item: Any, place: str) -> Any:
        """Return the text, or the list of texts, of one row as the kernel reads it."""
        if isinstance(item, list):
            return [self.text(text, f"{place}[{i}]") for i, text in enumerate(item)]
        return self.text(item, place)

    @property
    def options(self) -> Iterator[tuple[str, str]]:
        """The part of a signature that names these options."""
        tokenizer, sentences = self.labels
        yield from language_of(self)
        yield "tokenizer", with_version(tokenizer)
        yield "stemmer", version(self.stemmer)
        yield "stopwords", self.stopwords_label
        if self.max_words:
            yield "words", str(self.max_words)
        if self.max_bytes:
            yield "bytes", str(self.max_bytes)
        if sentences != "newline":
            yield "sentences", sentences


def with_version(tokenizer: str) -> str:
    """Return the label of a tokenizer with the version of the tables that it reads.

    >>> with_version("rouge155"), with_version("unicode").rpartition("-")[0]
    ('rouge155', 'unicode')
    """
    if tokenizer in CASED:
        from summeval.text.tokenizers import version_of

        return version_of(tokenizer)
    if tokenizer != "unicode":
        return tokenizer
    from summeval._core.text.unicode import UNICODE_VERSION

    return f"{tokenizer}-{UNICODE_VERSION}"


def language_of(metric: Any) -> Iterator[tuple[str, str]]:
    """Yield the language for the signature of a metric, if it is set."""
    if metric.language is not None:
        yield "language", metric.language


def tokens_signed(metric: Any) -> Iterator[tuple[str, str]]:
    """Yield the language and the tokenizer of a metric for its signature."""
    if "language" in metric.declared:
        yield from language_of(metric)
    yield "tokenizer", with_version(label_of(metric.tokenizer, metric.label))


@cache  # one table for all analyzers of a process
def _exceptions() -> Exceptions:
    from summeval.text.stemmers import exceptions

    return Exceptions({key.encode(): value.encode() for key, value in exceptions().items()})


def _which(option: Any) -> Any:
    """The identity of an option: for a method, the identities of its object and its function."""
    if not callable(option):
        return option
    if isinstance(option, MethodType):
        return MethodType, id(option.__self__), id(option.__func__)
    return Callable, id(option)


def one_or_more(references: Any, name: str) -> Iterable[Any]:
    """Return the references (or other texts, called `name`) of a single call, as an iterable.

    One text becomes a tuple of one, None an empty tuple.

    >>> one_or_more("the cat", "references"), one_or_more(None, "references")
    (('the cat',), ())
    """
    if references is None or isinstance(references, str):
        return () if references is None else (references,)
    unordered = isinstance(references, (bytes, bytearray, dict, set, frozenset))
    if unordered or not hasattr(references, "__iter__"):
        raise TypeError(f"{name} is {type(references).__name__}; pass a str or a sequence of str")
    found: Iterable[Any] = references
    return found


def _strings(found: Any, who: str) -> list[str]:
    """Return the result of a user's callable, after a check that it is a list of str."""
    if isinstance(found, str) or not hasattr(found, "__iter__"):
        raise TypeError(f"{who} gave {type(found).__name__}; it must give a list of str")
    strings = list(found)
    for item in strings:
        if not isinstance(item, str):
            raise TypeError(f"{who} gave a list with {type(item).__name__}; it must give str")
    return strings
