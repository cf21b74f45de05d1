"""The names of the columns that hold the texts of rows: those that are told, and usual others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from summeval.io.errors import DataError

ALIASES = {
    "candidate": ("summary", "prediction", "hypothesis", "candidate", "response"),
    "references": ("reference", "references", "target", "targets", "highlights"),
    "source": ("source", "document", "article", "input"),
}
"""Names that data sets give to the texts, read where a column has no name that was told."""

MOST_LISTED = 12


@dataclass(frozen=True)
class Columns:
    """The names under which a row holds its texts and its id, and which texts it must hold.

    Parameters
    ----------
    candidate, source, id : str
    references : tuple of str
        One column, or several, whose texts are taken in this order.
    needs : tuple of str
        What candidates are compared with: "references", "source", both or neither. A column that
        is not needed may be missing.
    wants : tuple of str
        Texts that are read where they are there.
    unnamed : tuple of str
        Those of "candidate", "references" and "source" that may stand under one of `ALIASES`
        where the table has no column of their name; `settle` finds out.

    Raises
    ------
    ValueError
        Where two have one name.

    Examples
    --------
    >>> columns = Columns(unnamed=("candidate", "references"))
    >>> settled = columns.settle("rows.csv", ["id", "prediction", "references"])
    >>> settled.candidate, settled.references, settled.told
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
    """The columns that were found under another usual name, for a word to the user."""

    def __post_init__(self) -> None:
        names = (self.candidate, *self.references, self.id)
        if len(set(names)) < len(names):
            raise ValueError(
                f"candidate, references and id need columns of their own, not {', '.join(names)}"
            )

    @property
    def texts(self) -> list[str]:
        """All columns that hold texts."""
        return [self.candidate, *self.references, self.source]

    @property
    def needed(self) -> list[str]:
        """What a row must have: the candidate first."""
        return ["candidate", *self.needs]

    def of(self, what: str) -> tuple[str, ...]:
        """The columns of the candidate, the references or the source."""
        name = getattr(self, what)
        return (name,) if isinstance(name, str) else name

    def check(self, place: str, present: Collection[str], what: str) -> None:
        """Raise `DataError` where the table at `place` has not all columns for `what`."""
        for column in self.of(what):
            if column not in present:
                mend = f"name the column with --{what}-column"
                raise DataError(place, not_found(column, present, what), mend)

    def settle(self, place: str, present: Collection[str]) -> Columns:
        """These columns with the name that the table has, where it is another usual one.

        Raises `DataError` where two columns could hold the same texts.
        """
        here: list[str] = []
        found: dict[str, str] = {}
        taken = {self.id}.union(*(self.of(what) for what in ALIASES if what not in self.unnamed))
        for what in dict.fromkeys([*self.needed, *self.wants]):
            if what not in self.unnamed:
                continue
            if self.of(what)[0] in present:
                here.append(what)
                continue
            names = [name for name in ALIASES[what] if name in present and name not in taken]
            if len(names) > 1:
                problem = f"{' and '.join(map(repr, names))} could each hold the {_PLURAL[what]}"
                raise DataError(place, problem, f"name one of them with --{what}-column")
            if names:
                found[what] = names[0]
        named: dict[str, Any] = dict(found)
        if "references" in found:
            named["references"] = (found["references"],)
        unnamed = tuple(what for what in self.unnamed if what not in (*here, *found))
        return replace(self, **named, unnamed=unnamed, told=self.told | found)

    @property
    def notice(self) -> str:
        """One line that says which columns were found under another name; empty where none was."""
        parts = [f"the {_PLURAL[what]} from {name!r}" for what, name in self.told.items()]
        return f"reading {' and '.join(parts)}" if parts else ""


_PLURAL = {"candidate": "candidates", "references": "references", "source": "sources"}


def not_found(column: str, present: Iterable[str], what: str = "") -> str:
    """Words that say that a column is missing, and name those that are there, the nearest first.

    `what` is the text that the column holds, whose other usual names are near to it too.

    >>> not_found("candidat", ["id", "references", "candidate"])
    "no 'candidat' (did you mean 'candidate'? there is also 'id', 'references')"
    """
    import difflib

    wanted = [name.casefold() for name in (column, *ALIASES.get(what, ()))]

    def distance(name: str) -> float:
        return -max(difflib.SequenceMatcher(None, name.casefold(), one).ratio() for one in wanted)

    names = list(present)
    near = sorted(names, key=distance)
    # Beyond those that resemble it, names are easier to find in their own order.
    first = [name for name in near if distance(name) <= -0.6]
    others = [name for name in names if name not in first]
    if not names:
        return f"no {column!r} (there is none at all)"
    near_ones = f"did you mean {_listed(first)}?" if first else ""
    rest = f"there is {'also ' * bool(first)}{_listed(others)}" if others else ""
    return f"no {column!r} ({' '.join(filter(None, [near_ones, rest]))})"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:MOST_LISTED])) + ", …" * (len(names) > MOST_LISTED)
