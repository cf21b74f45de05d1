"""One form of every error, from kernel to command line: what, how to mend it, where."""

from __future__ import annotations

from typing import NamedTuple

_JOINERS = "\u200c\u200d"
_MOST_SHOWN = 400  # characters of what went wrong that are shown


class Problem(NamedTuple):
    """One line for a user, in its parts.

    Attributes
    ----------
    what : str
    hint : str
        What to do about it.
    place : str
        The file, with the line or row if one is to blame.
    row : int or None
        The number of the row.

    >>> print(Problem("no 'candidate'", "add it", "rows.jsonl", 3))
    rows.jsonl: row 3: no 'candidate'; add it
    """

    what: str
    hint: str = ""
    place: str = ""
    row: int | None = None

    @classmethod
    def of(cls, error: BaseException, hint: str = "") -> Problem:
        """Return what an error says, with `hint` where it has none.

        Errors of files carry a problem; the message of any other is `what; hint`.

        >>> Problem.of(ValueError("alpha is 2; give a number from 0 to 1")).hint
        'give a number from 0 to 1'
        >>> Problem.of(ValueError("alpha is 2"), "mend it")
        Problem(what='alpha is 2', hint='mend it', place='', row=None)
        """
        known = getattr(error, "problem", None)
        if isinstance(known, cls):
            return known
        what, mark, given = str(error).rpartition("; ")
        return cls(what, given) if mark else cls(given, hint)

    def __str__(self) -> str:
        what = printable(self.what)  # a cell or a line may be long; the message stays one line
        what = what if len(what) <= _MOST_SHOWN else what[:_MOST_SHOWN] + "…"
        row = "" if self.row is None else f"row {self.row}"
        where = [f"{printable(part)}: " for part in (self.place, row) if part]
        return "".join([*where, what, *([f"; {printable(self.hint)}"] * bool(self.hint))])


def of_row(error: Exception, row: int) -> Exception:
    """The error, noted to be that of a row, for whoever knows where the row stands in a file."""
    error.__dict__["row"] = row
    return error


def row_of(error: BaseException) -> int | None:
    """Return the row of an error that is known to be that of a row.

    >>> row_of(of_row(ValueError("row 3: too long"), 3)), row_of(ValueError("row 3: too long"))
    (3, None)
    """
    row: int | None = getattr(error, "row", None)
    return row


def printable(text: str) -> str:
    r"""The text with escapes for what a terminal obeys: control characters, and turns of direction.

    The joiners that some scripts and emoji need are kept.

    >>> printable("a\x1b[31m\u202eb\n"), printable("\u200c") == "\u200c"
    ('a\\x1b[31m\\u202eb\\n', True)
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _JOINERS else ascii(c)[1:-1] for c in text)
