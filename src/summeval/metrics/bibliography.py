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
_ACCENTS = {"\u0301": "'", "\u0300": "`", "\u0303": "~", "\u0308": '"', "\u0302": "^"}
_ACCENTS |= {"\u0327": "c ", "\u030c": "v "}
_CAPITALS = re.compile(r"\b(?=\w*\w[A-Z])[\w-]*\w")
_FIELDS = {"fmeasure": "F", "value": ""}  # others by their names
_ORDER = "booktitle journal volume number pages year address publisher note doi url".split()
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
    text : str
        The entry, where a metric of others brought it as BibTeX.
    """

    key: str
    kind: str
    authors: tuple[str, ...]
    title: str
    year: int | None
    more: Mapping[str, str]
    text: str = ""

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

    @property
    def bibtex(self) -> str:
        """The entry.

        >>> print(paper("galley-2006-skip").bibtex.splitlines()[0])
        @inproceedings{galley-2006-skip,
        """
        if self.text:
            return self.text
        fields = {"author": " and ".join(map(_author, self.authors)), "title": _title(self.title)}
        given = dict(self.more) | ({"year": str(self.year)} if self.year else {})
        for name in _ORDER:
            if name in given:
                plain = name in ("doi", "url")
                fields[name] = given[name] if plain else _escaped(given[name])
        fields["pages"] = fields.get("pages", "").replace("-", "--")
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])

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
        told = " ".join(filter(None, [first, f"{rest}." if rest else "", link or ""]))
        # of others, whose entries are LaTeX
        return told.translate({123: None, 125: None}).replace("--", "-") if self.text else told


class Cited(NamedTuple):
    """A name of the bibliography: how people call it, its value in a sentence, its papers."""

    shown: str
    papers: tuple[Paper, ...]
    reported: str = ""


@cache
def _data() -> dict[str, Any]:
    file = resources.files(__package__) / "data" / "bibliography.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def keys() -> list[str]:
    """Return the keys of all entries."""
    return list(_data()["entries"])


def known() -> list[str]:
    """Return the names that stand in the bibliography as they are, without patterns."""
    return [one["names"] for one in _data()["metrics"] if re.fullmatch(r"[\w-]+", one["names"])]


def paper(key: str) -> Paper:
    """Return the entry of a key.

    >>> paper("lin-2004-rouge").more["pages"]
    '74-81'
    """
    entry = dict(_data()["entries"][key])
    kind, title = entry.pop("type"), entry.pop("title")
    authors, year = tuple(entry.pop("authors")), entry.pop("year", None)
    if key == OURS:
        entry["note"] = f"Version {__version__}"
    return Paper(key, kind, authors, title, year, entry)


def cited(name: str) -> Cited | None:
    """Return what the bibliography has about a name of summeval; None for a name that it lacks.

    >>> cited("rougeSU4").shown, [one.key for one in cited("rougeSU4").papers]
    ('ROUGE-SU4', ['lin-2004-rouge'])
    """
    for one in _data()["metrics"]:
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


def _author(author: str) -> str:
    """Return an author as BibTeX has it; a name without a comma is that of a group."""
    written = _escaped(author)
    return written if "," in author or author == "others" else f"{{{written}}}"


def _title(title: str) -> str:
    """Return a title whose words in capitals keep them."""
    return _escaped(_CAPITALS.sub(lambda word: f"\x00{word[0]}\x01", title)).translate(
        {0: "{", 1: "}"}
    )


def _escaped(text: str) -> str:
    r"""Return a text as LaTeX has it: accents and marks by commands.

    >>> print(_escaped("Amigó & Peñas"))
    Amig{\'o} \& Pe{\~n}as
    """
    made: list[str] = []
    for char in unicodedata.normalize("NFD", text):
        if char in _ACCENTS:
            made[-1] = f"{{\\{_ACCENTS[char]}{made[-1]}}}"
        else:
            made.append(f"\\{char}" if char in "&%#_$" else char)
    return "".join(made)
