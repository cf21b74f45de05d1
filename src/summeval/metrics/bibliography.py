"""The bibliography: which papers a metric comes from, as data and as BibTeX."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from summeval._version import __version__

OURS = "summeval-package"  # the key of summeval itself; "summeval" is that of Fabbri et al.
_MARKS = dict(zip("'`~\"^cv", "\u0301\u0300\u0303\u0308\u0302\u0327\u030c", strict=True))
_ACCENT = re.compile(r"\{?\\([`'~^\"]|[cv](?=[ {]))[ {]*(\w)\}{0,2}")
_FIELDS = {"fmeasure": "F", "value": ""}  # others by their names
_ENTRY = re.compile(r"@\s*(\w+)\s*\{\s*([^\s,{}]+)\s*,")
_FIELD = re.compile(r'(\w+)\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|"([^"]*)"|(\d+))')


class Paper(NamedTuple):
    """A paper, or a program.

    Attributes
    ----------
    key : str
        Its key in BibTeX, which stays as it is in all versions.
    kind : str
        The type of the entry, such as `article`.
    authors : tuple of str
        Each as `family, given`; the last may be `others`.
    title : str
    year : int or None
    more : mapping of str to str
        The other fields.
    bibtex : str
        The entry.
    """

    key: str
    kind: str
    authors: tuple[str, ...]
    title: str
    year: int | None
    more: Mapping[str, str]
    bibtex: str

    @property
    def short(self) -> str:
        """How a text names it.

        >>> papers_of("louis-and-nenkova"), paper("lin-2012-combining").short
        ((), 'Lin et al., 2012')
        """
        families = [author.partition(",")[0] for author in self.authors]
        if len(families) > 2 or families[-1:] == ["others"]:
            named = f"{families[0]} et al."
        else:
            named = " and ".join(families) or self.key
        return f"{named}, {self.year}" if self.year else named

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, as JSON values."""
        found = {"key": self.key, "type": self.kind, "authors": list(self.authors)}
        return {**found, "title": self.title, "year": self.year, **self.more}

    def __str__(self) -> str:
        """Return the entry as a line for people."""
        who = "; ".join(self.authors)
        where = self.more.get("booktitle") or self.more.get("journal") or self.more.get("note", "")
        volume = self.more.get("volume", "")
        if "number" in self.more:
            volume += f"({self.more['number']})"
        pages = f"pages {self.more['pages']}" if "pages" in self.more else ""
        link = f"https://doi.org/{self.more['doi']}" if "doi" in self.more else self.more.get("url")
        rest = ", ".join(filter(None, [f"{where} {volume}".strip(), pages]))
        year = f" {self.year}." if self.year else ""
        first = f"{who.rstrip('.')}.{year} {self.title}."
        return _plain(" ".join(filter(None, [first, f"{rest}." if rest else "", link or ""])))


class Cited(NamedTuple):
    """A name of the bibliography: how people call it, its value in a sentence, its papers."""

    shown: str
    papers: tuple[Paper, ...]
    reported: str = ""


@cache
def _papers() -> dict[str, Paper]:
    texts = _read("papers.bib").replace("VERSION", __version__).split("\n\n")
    found = {}
    for one in read_bibtex("summeval", texts):
        authors, more = tuple(map(_plain, one.authors)), {k: _plain(v) for k, v in one.more.items()}
        found[one.key] = one._replace(authors=authors, title=_plain(one.title), more=more)
    return found


@cache
def _metrics() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(_read("bibliography.json"))["metrics"]
    return found


def _read(name: str) -> str:
    return (resources.files(__package__) / "data" / name).read_text(encoding="utf-8")


def keys() -> list[str]:
    """Return the keys of all entries."""
    return list(_papers())


def known() -> list[str]:
    """Return the names that stand in the bibliography as they are, without patterns."""
    return [one["names"] for one in _metrics() if re.fullmatch(r"[\w-]+", one["names"])]


def paper(key: str) -> Paper:
    """Return the entry of a key.

    >>> paper("lin-2004-rouge").more["pages"], paper("amigo-2005-qarla").short
    ('74-81', 'Amigó et al., 2005')
    """
    return _papers()[key]


def cited(name: str) -> Cited | None:
    """Return what the bibliography has about a name of summeval; None for a name that it lacks.

    >>> cited("rougeSU4").shown, [one.key for one in cited("rougeSU4").papers]
    ('ROUGE-SU4', ['lin-2004-rouge'])
    """
    for one in _metrics():
        found = re.fullmatch(one["names"], name)
        if found:
            shown = one["shown"].format(*found.groups())
            return Cited(shown, tuple(map(paper, one["papers"])), one.get("reported", ""))
    return None


def with_field(shown: str, field: str) -> str:
    """Return a printed name with the field that is reported, as papers write it.

    >>> with_field("ROUGE-1", "fmeasure"), with_field("NPowER", "value")
    ('ROUGE-1 F', 'NPowER')
    """
    return f"{shown} {_FIELDS.get(field, field)}".strip()


def printed(column: str) -> str:
    """Return the column of a metric as the head of a printed table has it; others stay as they are.

    >>> printed("rouge1.fmeasure"), printed("tesla-s.recall"), printed("mine.x")
    ('ROUGE-1 F', 'TESLA-S recall', 'mine.x')
    """
    name, _, field = column.rpartition(".")
    found = cited(name)
    if found is None or found.shown[0].islower():  # "the Pyramid" is for sentences
        return column
    return with_field(found.shown, field)


def papers_of(name: str) -> tuple[Paper, ...]:
    """Return the papers of a name of summeval; none for others."""
    found = cited(name)
    return found.papers if found is not None else ()


def read_bibtex(name: str, texts: Iterable[str]) -> tuple[Paper, ...]:
    """Return the entries that a metric of others brings.

    Raises
    ------
    ValueError
        For a text that is no BibTeX entry.

    Examples
    --------
    >>> read_bibtex("mine", ["@misc{doe-1999, author = {Doe, Jane}, year = 1999, title={Words}}"])[0].short
    'Doe, 1999'
    >>> read_bibtex("mine", ["Doe 1999"])
    Traceback (most recent call last):
    ValueError: a citation of mine is no BibTeX entry: 'Doe 1999'; write @misc{key, author = {…}, …}
    """  # noqa: E501
    found = []
    for text in texts:
        head = _ENTRY.match(text.strip()) if isinstance(text, str) else None
        if head is None or not _is_balanced(text.strip()):
            raise ValueError(
                f"a citation of {name} is no BibTeX entry: {str(text)[:60]!r}; "
                "write @misc{key, author = {…}, …}"
            )
        fields = {
            key.lower(): " ".join((braced or quoted or plain).split())
            for key, braced, quoted, plain in _FIELD.findall(text.strip()[head.end() :])
        }
        authors = tuple(map(_family_first, filter(None, fields.pop("author", "").split(" and "))))
        title, year = fields.pop("title", ""), fields.pop("year", "")
        number = int(year) if year.isdigit() else None
        found.append(Paper(head[2], head[1].lower(), authors, title, number, fields, text.strip()))
    return tuple(found)


def _is_balanced(text: str) -> bool:
    """Return whether the text is one entry: the brace that opens first closes last."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "}" and depth <= 0:
            return depth == 0 and place == len(text) - 1
    return False


def _family_first(author: str) -> str:
    """`Jane Doe` as `Doe, Jane`."""
    author = author.strip()
    if "," in author or " " not in author or author[:1] == "{":
        return author.strip("{}")
    given, _, family = author.rpartition(" ")
    return f"{family}, {given}"


def _plain(text: str) -> str:
    r"""Return a text of LaTeX for people: without its commands and braces.

    >>> print(_plain(r"{QARLA} by Amig{\'o} \& Pe{\~n}as, 1--9"))
    QARLA by Amigó & Peñas, 1-9
    """
    text = _ACCENT.sub(lambda at: unicodedata.normalize("NFC", at[2] + _MARKS[at[1]]), text)
    return re.sub(r"[{}]|\\(?=[&%#_$])", "", text).replace("--", "-")
