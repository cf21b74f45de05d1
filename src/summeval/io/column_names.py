"""Names of the text columns: those that the user gives, and common aliases."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from summeval.io import DataError

ALIASES = {
    "candidate": ("summary", "prediction", "hypothesis", "candidate", "response"),
    "references": ("reference", "references", "target", "targets", "highlights"),
    "source": ("source", "document", "article", "input"),
}
"""Common column names of data sets, tried if the user names no column."""

_MORE_WORDS = {
    "candidate": ("candidates", "predictions", "generated", "output", "decoded", "hyp", "pred"),
    "references": ("gold", "golden", "ref", "refs", "truth", "label", "labels", "human"),
    "source": ("sources", "documents", "articles", "text", "dialogue", "transcript"),
}
MOST_LISTED = 12


@dataclass(frozen=True)
class Columns:
    """The names of the text and id columns, and which texts a row must have.

    Parameters
    ----------
    candidate, source, id : str
    references : tuple of str
        One column or several, read in this order.
    needs : tuple of str
        Required texts: "references", "source", both or neither. Other columns may be missing.
    wants : tuple of str
        Optional texts, read if present.
    unnamed : tuple of str
        Which of "candidate", "references" and "source" may be found under one of `ALIASES` if the
        table has no column of their name; see `resolve_columns`.

    Raises
    ------
    ValueError
        Two of them have the same name.

    Examples
    --------
    >>> columns = Columns(unnamed=("candidate", "references"))
    >>> found = columns.resolve("rows.csv", ["id", "prediction", "references"])
    >>> found.candidate, found.references, found.told
    ('prediction', ('references',), {'candidate': 'prediction'})
    """

    candidate: str = "candidate"
    references: tuple[str, ...] = ("references",)
    source: str = "source"
    id: str = "id"
    needs: tuple[str, ...] = ("references",)
    wants: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    told: dict[str, str] = field(default_factory=dict, compare=False, hash=False)
    """The columns that were found under an alias, to inform the user."""

    def __post_init__(self) -> None:
        names = (self.candidate, *self.references, self.id)
        if len(set(names)) < len(names):
            raise ValueError(
                f"candidate, references and id need different columns, not {', '.join(names)}"
            )

    @property
    def texts(self) -> list[str]:
        """All columns that hold texts."""
        return [self.candidate, *self.references, self.source]

    @property
    def needed(self) -> list[str]:
        """The texts that a row must have, the candidate first."""
        return ["candidate", *self.needs]

    def of(self, what: str) -> tuple[str, ...]:
        """Return the columns of the candidate, the references or the source."""
        name = getattr(self, what)
        return (name,) if isinstance(name, str) else name

    def check(self, place: str, present: Collection[str], what: str) -> None:
        """Raise `DataError` if the table at `place` lacks a column for `what`."""
        for column in self.of(what):
            if column not in present:
                hint = f"name the column with --{what}-column"
                raise DataError(place, not_found(column, present, what), hint)

    def resolve(self, place: str, present: Collection[str]) -> Columns:
        """These columns with aliases replaced by the names in the table.

        Raises `DataError` if two columns could hold the same texts.
        """
        found: dict[str, Any] = {}
        unnamed = list(self.unnamed)
        taken = {self.id}.union(*(self.of(what) for what in ALIASES if what not in self.unnamed))
        for what in dict.fromkeys([*self.needed, *self.wants]):
            if what not in self.unnamed:
                continue
            names = [name for name in ALIASES[what] if name in present and name not in taken]
            if self.of(what)[0] in present:
                unnamed.remove(what)
            elif len(names) > 1:
                hint = f"name one of them with --{what}-column"
                raise DataError(place, _ambiguous(what, names), hint)
            elif names:
                found[what] = names[0]
                unnamed.remove(what)
        told = self.told | found
        if "references" in found:
            found["references"] = (found["references"],)
        return replace(self, **found, unnamed=tuple(unnamed), told=told)

    @property
    def notice(self) -> str:
        """One line that names the columns found under an alias; empty if there are none."""
        parts = [f"the {_PLURAL[what]} from {name!r}" for what, name in self.told.items()]
        return f"reading {' and '.join(parts)}" if parts else ""


_PLURAL = {"candidate": "candidates", "references": "references", "source": "sources"}


def guessed(what: str, name: str, present: Collection[str]) -> str:
    """Return the column of a text in a table: that of `name`; in place of the usual name an alias.

    Raises `KeyError` if the table has none, or two aliases.

    >>> guessed("references", "reference", ["id", "highlights"])
    'highlights'
    """
    if name in present:
        return name
    usual = name in (what, what.removesuffix("s"))
    found = [alias for alias in ALIASES[what] if usual and alias in present]
    if not found:
        raise KeyError(not_found(name, present, what))
    if len(found) > 1:
        raise KeyError(f"{_ambiguous(what, found)}; name one of them")
    return found[0]


def _ambiguous(what: str, names: Sequence[str]) -> str:
    return f"{' and '.join(map(repr, names))} could each hold the {_PLURAL[what]}"


def not_found(column: str, present: Iterable[str], what: str = "") -> str:
    """Return a message that a column is missing, with the existing ones, nearest first.

    `what` is the text that the column holds; its aliases count as near too, and a column that by
    its name holds another text does not.

    >>> not_found("candidat", ["id", "references", "candidate"])
    "no 'candidat' (did you mean 'candidate'? there is also 'id', 'references')"
    >>> not_found("candidate", ["gold_summary", "my_summary"], "candidate")
    "no 'candidate' (did you mean 'my_summary'? there is also 'gold_summary')"
    """
    import difflib

    wanted = [name.casefold() for name in (column, *ALIASES.get(what, ()))]

    def likeness(name: str) -> float:
        return max(difflib.SequenceMatcher(None, name.casefold(), one).ratio() for one in wanted)

    names = list(present)
    if not names:
        return f"no {column!r} (there are no columns)"
    # Similar names come first; the others keep their order.
    fits = {"", what} if what in ALIASES else {"", *ALIASES}
    near = [name for name in names if likeness(name) >= 0.6 and _held_by(name) in fits]
    first = sorted(near, key=likeness, reverse=True)
    others = [name for name in names if name not in first]
    near_ones = f"did you mean {_listed(first)}?" if first else ""
    rest = f"there is {'also ' * bool(first)}{_listed(others)}" if others else ""
    return f"no {column!r} ({' '.join(filter(None, [near_ones, rest]))})"


def _held_by(name: str) -> str:
    """Return the text that a column holds by the words of its name; empty if they do not tell.

    >>> _held_by("gold_summary"), _held_by("summary"), _held_by("id")
    ('references', 'candidate', '')
    """
    words = set(re.split(r"[\W\d_]+", name.casefold()))
    for what in ("references", "source", "candidate"):
        if words & {*ALIASES[what], *_MORE_WORDS[what]}:
            return what
    return ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:MOST_LISTED])) + ", …" * (len(names) > MOST_LISTED)
