"""Documents of utterances, and rows with the utterances that each annotator selected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeGuard

from summeval._options import shown


@dataclass(frozen=True)
class Document:
    """A checked document.

    Attributes
    ----------
    utterances : tuple of str
        One or more, with at least one word.
    speakers : tuple of str, optional
        Of each utterance.
    links : tuple of (int, int), optional
        From an utterance to the earlier one that it answers; None if they are not known.
    title : str
    """

    utterances: tuple[str, ...]
    speakers: tuple[str, ...] | None = None
    links: tuple[tuple[int, int], ...] | None = None
    title: str = ""


class RowColumns(NamedTuple):
    """The names of the columns of rows with extracts."""

    topic: str = "topic"
    annotator: str = "annotator"
    utterances: str = "utterances"
    extract: str = "extract"
    speakers: str = "speakers"
    links: str = "links"
    title: str = "title"


@dataclass(frozen=True)
class Extracted:
    """A document and the extracts of its annotators.

    Attributes
    ----------
    topic : str
        The name of the document.
    document : Document
    annotators : tuple of str
    extracts : tuple of tuples of int
        For each annotator the selected utterances, numbered from 0, in ascending order.
    """

    topic: str
    document: Document
    annotators: tuple[str, ...]
    extracts: tuple[tuple[int, ...], ...]


def document_of(
    given: object,
    place: str = "document",
    columns: RowColumns = RowColumns(),  # noqa: B008 - immutable
) -> Document:
    """Check a document: a list of utterances, or a row with "utterances".

    A row may also have "speakers" (a name for each utterance), "links" (lists [from, to]) and
    "title"; `columns` may name them otherwise.

    Raises
    ------
    TypeError, ValueError
        Something else, no utterances, no words, another number of speakers, or a link that does not
        lead to an earlier utterance, or that leads from where another one does; the message starts
        with `place`.

    Examples
    --------
    >>> document_of(["Shall we meet?", "Yes."]).utterances
    ('Shall we meet?', 'Yes.')
    >>> document_of({"utterances": ["Shall we meet?", "Yes."], "links": [[1, 0]]}).links
    ((1, 0),)
    """
    if isinstance(given, Document):
        return given
    if not isinstance(given, Mapping):
        return Document(_utterances(given, place))
    if given.get(columns.utterances) is None:
        raise ValueError(f"{place} has no {columns.utterances!r}; give a list of texts")
    utterances = _utterances(given[columns.utterances], f"{place}: {columns.utterances!r}")
    speakers, links, title = (given.get(name) for name in columns[4:])
    size = len(utterances)
    if speakers is not None:
        speakers = _speakers(speakers, f"{place}: {columns.speakers!r}")
        if (count := len(speakers)) != size:
            problem = f"{count} {columns.speakers!r} for {size} utterances; give one for each"
            raise ValueError(f"{place}: {problem}")
    if links is not None:
        links = _links(links, size, f"{place}: {columns.links!r}")
    if not isinstance(title, str | None):
        raise TypeError(f"{place}: {columns.title!r} is {shown(title)}; give a text")
    return Document(utterances, speakers, links, title or "")


def extract_of(given: object, utterances: int, place: str) -> tuple[int, ...]:
    """Check an extract of a document with so many utterances.

    >>> extract_of([2, 0], 3, "extract")
    (0, 2)
    >>> extract_of([3], 3, "extract")
    Traceback (most recent call last):
    ValueError: extract selects utterance 3 of 3, which are numbered from 0; correct it
    """
    chosen = []
    for item in _listed(given, place, "a list of numbers of utterances"):
        if not _is_number(item):
            raise TypeError(f"{place} holds {shown(item)}; give whole numbers")
        number = index(item)
        if not 0 <= number < utterances:
            raise ValueError(
                f"{place} selects utterance {shown(number)} of {utterances}, which are numbered"
                " from 0; correct it"
            )
        chosen.append(number)
    if len(set(chosen)) < len(chosen):
        twice = next(number for number in chosen if chosen.count(number) > 1)
        raise ValueError(f"{place} selects utterance {twice} twice; give it once")
    return tuple(sorted(chosen))


def read_extracts(
    rows: Iterable[Mapping[str, Any]],
    columns: RowColumns = RowColumns(),  # noqa: B008 - immutable
) -> list[Extracted]:
    """Gather rows, one for each annotator of a document, by document.

    Parameters
    ----------
    rows : iterable of mapping
        With the columns topic, annotator, utterances and extract (numbers of utterances, from 0);
        speakers, links and title may be there, see `document_of`.
    columns : RowColumns
        Their names.

    Returns
    -------
    list of Extracted
        Sorted by topic, so that nothing depends on the order of the rows.

    Raises
    ------
    ValueError
        A column is missing, `document_of` refuses a document, an extract is out of range or names
        an utterance twice, an annotator has two rows of one topic, or annotators of one topic have
        different documents; the message starts with the row, counted from 1.

    Examples
    --------
    >>> row = {"topic": "t1", "utterances": ["Shall we meet?", "Yes."]}
    >>> rows = [{**row, "annotator": "a", "extract": [0]}, {**row, "annotator": "b", "extract": []}]
    >>> read_extracts(rows)[0].extracts
    ((0,), ())
    """
    found: dict[str, _Gathered] = {}
    for number, row in enumerate(rows, 1):
        try:
            _gather(found, row, number, columns)
        except TypeError as error:
            raise ValueError(str(error)) from None
    gathered = []
    for topic, (_, document, extracts) in sorted(found.items()):
        names, chosen = zip(*sorted(extracts.items()), strict=True)
        gathered.append(Extracted(topic, document, names, chosen))
    return gathered


class _Gathered(NamedTuple):
    row: int
    document: Document
    extracts: dict[str, tuple[int, ...]]


def _gather(
    found: dict[str, _Gathered], row: Mapping[str, Any], number: int, columns: RowColumns
) -> None:
    """Add a row to the documents found so far, by topic; either may lack some fields."""
    place = f"row {number}"
    for column in columns[:4]:
        if row.get(column) is None:
            raise ValueError(f"{place} has no {column!r}; add it, or name another column")
    for column in columns[:2]:
        if isinstance(row[column], bool) or not isinstance(row[column], str | int):
            raise TypeError(f"{place}: {column!r} is {shown(row[column])}; give a name")
    topic, annotator = (str(row[column]) for column in columns[:2])
    document = document_of(row, place, columns)
    known = found.get(topic) or _Gathered(number, document, {})
    parts: dict[str, Any] = {}
    for name in ("utterances", "speakers", "links", "title"):
        one, two = getattr(known.document, name), getattr(document, name)
        if one and two and one != two:
            raise ValueError(
                f"{place} has other {name} than row {known.row}, which has the same topic"
                f" {shown(topic)}; give the same document to all its annotators"
            )
        parts[name] = two if one is None else one or two
    found[topic] = known = known._replace(document=Document(**parts))
    if annotator in known.extracts:
        raise ValueError(
            f"{place} is another row of {shown(annotator)} on topic {shown(topic)}; keep one"
        )
    size, where = len(document.utterances), f"{place}: {columns.extract!r}"
    known.extracts[annotator] = extract_of(row[columns.extract], size, where)


def _utterances(given: object, place: str) -> tuple[str, ...]:
    texts = _listed(given, place, "a list of texts")
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"{place} holds {shown(text)} as utterance {number}; give texts")
    if not texts:
        raise ValueError(f"{place} holds no utterances; give one or more")
    joined = "\n".join(texts)
    if not any(char.isascii() and char.isalnum() for char in joined):
        raise ValueError(f"{place} holds no words; give utterances with ASCII letters or digits")
    try:
        joined.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{place} holds an unpaired surrogate; leave it out") from None
    return tuple(texts)


def _speakers(given: object, place: str) -> tuple[str, ...]:
    names = _listed(given, place, "a name for each utterance")
    for name in names:
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise TypeError(f"{place} holds {shown(name)}; give names")
    return tuple(map(str, names))


def _links(given: object, utterances: int, place: str) -> tuple[tuple[int, int], ...]:
    found: dict[int, int] = {}
    for link in _listed(given, place, "a list of [from, to]"):
        ends = list(link) if isinstance(link, Iterable) and not isinstance(link, str) else []
        if len(ends) != 2 or not all(map(_is_number, ends)):
            raise TypeError(f"{place} holds {shown(link)}; give [from, to], numbers of utterances")
        begin, end = map(index, ends)
        if not (0 <= begin < utterances and 0 <= end < utterances):
            raise ValueError(
                f"{place} holds {shown(link)}, but there are {utterances} utterances, numbered"
                " from 0; correct it"
            )
        if end >= begin:
            raise ValueError(
                f"{place} holds {shown(link)}; a link leads from an utterance to an earlier one"
            )
        if begin in found:
            raise ValueError(f"{place} has two links from utterance {begin}; give each at most one")
        found[begin] = end
    return tuple(sorted(found.items()))


def _is_number(item: object) -> TypeGuard[SupportsIndex]:
    return isinstance(item, SupportsIndex) and not isinstance(item, bool)


def _listed(given: Any, place: str, wanted: str) -> list[Any]:
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(f"{place} is {shown(given)}; give {wanted}")
    return list(given)


def label_vectors(extracts: Sequence[Sequence[int]], utterances: int) -> list[list[int]]:
    """Return the extracts as lists of 0 and 1 for each utterance.

    >>> label_vectors([[0], []], 2)
    [[1, 0], [0, 0]]
    """
    return [[int(number in one) for number in range(utterances)] for one in map(set, extracts)]
