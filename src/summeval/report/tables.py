"""Tables of results as text, CSV, LaTeX and Markdown."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Sequence
from math import isnan
from typing import Any

from summeval._problem import printable

_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX["^"] = r"\textasciicircum{}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Align the first column to the left and the others to the right; cells are `printable`.

    >>> print(*table(["mean", "recall"], [["rouge1", "0.50000"]]), sep="|")
    mean     recall|rouge1  0.50000
    """
    cells = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def text_lines(rows: Sequence[dict[str, Any]], hidden: Collection[str] = ()) -> list[str]:
    """Return the rows as a text table without the `hidden` columns.

    Numbers have four digits, a missing one is a dash, an interval is a tuple of two numbers.

    >>> print(*text_lines([{"name": "lead", "P": 0.5, "interval": (0.4, 0.6), "n": None}]), sep="|")
    name       P          interval  n|lead  0.5000  [0.4000, 0.6000]  -
    """
    shown = _without(rows, hidden)
    return table(list(shown[0]), [[_cell(value) for value in row.values()] for row in shown])


def csv_lines(rows: Sequence[dict[str, Any]], delimiter: str = ",") -> list[str]:
    """Return the rows as CSV with all digits; an interval becomes two columns.

    >>> csv_lines([{"name": "a, b", "interval": (0.4, 0.6), "rising": True}])
    ['name,lower,upper,rising', '"a, b",0.4,0.6,true']
    """
    import csv  # not needed by the tables that every command prints

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", delimiter=delimiter)
    flat = [_flat(row) for row in rows]
    writer.writerow(flat[0])
    for row in flat:
        writer.writerow(map(_csv_cell, row.values()))
    return text.getvalue().removesuffix("\n").split("\n")


def latex_lines(rows: Sequence[dict[str, Any]], hidden: Collection[str] = ()) -> list[str]:
    r"""Return the rows as a LaTeX tabular without the `hidden` columns.

    >>> latex_lines([{"name": "R_1", "P": 0.5}])[4]
    'R\\_1 & 0.5000 \\\\'
    """
    shown = _without(rows, hidden)

    def line(cells: Iterable[str]) -> str:
        return latex_row(map(escaped, cells))

    kinds = "".join("l" if isinstance(value, str) else "r" for value in shown[0].values())
    return [
        rf"\begin{{tabular}}{{{kinds}}}",
        r"\hline",
        line(shown[0]),
        r"\hline",
        *(line(map(_cell, row.values())) for row in shown),
        r"\hline",
        r"\end{tabular}",
    ]


def latex_row(cells: Iterable[str]) -> str:
    r"""Return the row of these cells, which are LaTeX.

    A star or a bracket at its beginning would belong to the line break before it.

    >>> latex_row(["[x]", "0.5"])
    '{}[x] & 0.5 \\\\'
    """
    row = " & ".join(cells) + r" \\"
    return "{}" + row if row.startswith(("[", "*")) else row


def escaped(text: str) -> str:
    r"""Return the text with the characters escaped that mean something else in LaTeX.

    >>> escaped("R_1 & 5%")
    'R\\_1 \\& 5\\%'
    """
    return "".join(_LATEX.get(char, char) for char in printable(text))


def markdown_lines(rows: Sequence[dict[str, Any]], hidden: Collection[str] = ()) -> list[str]:
    r"""Return the rows as a Markdown table without the `hidden` columns.

    >>> print(*markdown_lines([{"name": "a|b", "P": 0.5}]), sep="\n")
    | name | P |
    |---|---:|
    | a\|b | 0.5000 |
    """
    shown = _without(rows, hidden)

    def line(cells: Iterable[str]) -> str:
        return f"| {' | '.join(printable(cell).replace('|', chr(92) + '|') for cell in cells)} |"

    kinds = "|".join("---" if isinstance(value, str) else "---:" for value in shown[0].values())
    return [line(shown[0]), f"|{kinds}|", *(line(map(_cell, row.values())) for row in shown)]


def _without(rows: Sequence[dict[str, Any]], hidden: Collection[str]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in hidden} for row in rows]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return "nan" if isnan(value) else f"{value:.4f}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_cell, value))}]"
    return str(value)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """The row with two columns for each interval: `lower`, `upper`, or `KEY lower`, `KEY upper`."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, tuple):
            start = "" if key == "interval" else f"{key} "
            flat |= {f"{start}lower": value[0], f"{start}upper": value[1]}
        else:
            flat[key] = value
    return flat


def _csv_cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return _csv_cell(list(value.values()))
    return " ".join(map(str, map(_csv_cell, value))) if isinstance(value, list) else value
