"""The word lists in `elements/data` that transformations use, written for this package.

The source of a list is given in its lines that start with #. All words are in lower case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files


def _lines(name: str) -> Iterator[str]:
    text = (files(__package__) / "data" / name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def titles() -> frozenset[str]:
    """Titles before a person's name, without a final period.

    >>> "mr" in titles(), "smith" in titles()
    (True, False)
    """
    return frozenset(word for line in _lines("titles.txt") for word in line.split())


@cache
def company_suffixes() -> frozenset[str]:
    """Final words that can be dropped from the name of an organisation, without a final period.

    >>> "inc" in company_suffixes(), "bank" in company_suffixes()
    (True, False)
    """
    return frozenset(word for line in _lines("company_suffixes.txt") for word in line.split())


@cache
def prepositions(original: bool = False) -> dict[str, tuple[str, ...]]:
    """Map each preposition to those that share a sense with it, in alphabetical order.

    Parameters
    ----------
    original : bool
        Whether to leave out the pairs that BEwT-E 0.5.1 lacks.

    Examples
    --------
    >>> table = prepositions()
    >>> "at" in table["in"], "about" in table["of"], "under" in table["without"]
    (True, False, False)
    >>> "about" in table["on"], "about" in prepositions(original=True)["on"]
    (True, False)
    """
    rows = (line.split("\t")[1 : 2 if original else 3] for line in _lines("prepositions.tsv"))
    return _partners([word for cell in row for word in cell.split(", ")] for row in rows)


@cache
def abbreviations(kind: str) -> dict[str, tuple[str, ...]]:
    """Map each name of a "place", or each "word", to its synonyms.

    >>> "united states" in abbreviations("place")["usa"], abbreviations("word")["dept"]
    (True, ('department', 'dept.'))
    """
    rows = (line.split("\t") for line in _lines("abbreviations.tsv"))
    return _partners(row[1:] for row in rows if row[0] == kind)


def _partners(groups: Iterable[Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for group in map(set, groups):
        for word in group:
            found.setdefault(word, set()).update(group - {word})
    return {word: tuple(sorted(others)) for word, others in sorted(found.items())}
