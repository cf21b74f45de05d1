"""Numbers as people read them, and tables of results in every format."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from html import escape
from math import floor, isfinite, isnan, log10
from typing import Any, NamedTuple

from summeval._problem import printable
from summeval.io.rows import finite


def number(value: float, digits: int = 3) -> str:
    """Format a number for people: with a true minus sign, and a dash for NaN.

    >>> number(-0.25), number(float("nan"))
    ('−0.250', '–')
    """
    if isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def short(value: float) -> str:
    """Format with three significant digits; a dash for NaN.

    >>> short(0.12345), short(1234.5), short(-2.0)
    ('0.123', '1234', '−2')
    """
    if isnan(value):
        return "–"
    text = f"{value:.2g}"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        text = f"{value:.{max(0, 2 - floor(log10(abs(value) or 1)))}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "−")


def like(value: float, others: Iterable[float]) -> str:
    """Format with as many digits behind the point as tell values of this size apart.

    >>> like(0.5, [0.25]), like(3.5, [12.0]), like(2e9, [1e9]), like(1e-7, [3e-7])
    ('0.500', '3.5', '2e+09', '1e−07')
    """
    most = max((abs(one) for one in (value, *others) if isfinite(one)), default=0.0)
    if most >= 1e5 or 0 < most < 1e-3:
        return short(value)
    return number(value, 3 if most < 2 else 2 if most < 10 else 1 if most < 1000 else 0)


def finely(value: float, size: float) -> str:
    """Format with two digits that count in a number of this size, and three behind the point.

    >>> finely(0.0123, 0.0123), finely(0.00004, 0.00072), finely(0.0012, 0.00072)
    ('0.012', '0.00004', '0.00120')
    """
    if not 1e-5 <= size < 0.01:
        return like(value, [size])
    return number(value, 1 - floor(log10(size)))


def percent(share: float) -> str:
    """Return a share of 0 to 1 in per cent.

    >>> percent(0.126), percent(0.0004)
    ('13 %', '0.04 %')
    """
    percentage = share * 100
    return f"{percentage:.0f} %" if percentage >= 1 or percentage == 0 else f"{percentage:.1g} %"


def count(size: int, noun: str) -> str:
    """Return a number of things.

    >>> count(1, "system"), count(2000, "row")
    ('1 system', '2,000 rows')
    """
    return f"{size:,} {noun}{'s' * (size != 1)}"


def pvalue(value: float) -> str:
    """Return a p-value, as papers write it.

    >>> pvalue(0.0312), pvalue(0.0004), pvalue(float("nan"))
    ('p = .031', 'p < .001', 'p –')
    """
    if isnan(value):
        return "p –"
    if value < 0.001:
        return "p < .001"
    return "p = 1" if value >= 0.9995 else f"p = {value:.3f}".replace("0.", ".")


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Align the first column to the left and the others to the right; cells are `printable`.

    >>> print(*table(["mean", "recall"], [["rouge1", "0.50000"]]), sep="|")
    mean     recall|rouge1  0.50000
    """
    cells = [[printable(cell) for cell in row] for row in (header, *rows)]
    first, *others = (max(map(len, column)) for column in zip(*cells, strict=True))
    lines = []
    for name, *values in cells:
        aligned = (cell.rjust(width) for cell, width in zip(values, others, strict=True))
        lines.append("  ".join([name.ljust(first), *aligned]).rstrip())
    return lines


class Cell(NamedTuple):
    """A text of a table.

    Attributes
    ----------
    text : str
    mark : str
        Set as a superscript after it, where the format has one.
    strong : bool
        Whether it is set in bold, where the format has it.
    """

    text: str
    mark: str = ""
    strong: bool = False


class Sheet(NamedTuple):
    """A table: a title, the head and the rows, all in the order shown.

    In the head a mark says that lower is better. `sides` has a letter for each column: `l` for
    texts, which are aligned to the left, `r` for numbers.
    """

    title: str
    head: list[Cell]
    body: list[list[Cell]]
    sides: str


def sheet_of(
    rows: Sequence[dict[str, Any]], hidden: Collection[str] = (), title: str = ""
) -> Sheet:
    """Return the rows, of equal keys, as a table without the `hidden` columns.

    Numbers have four digits, a missing one is a dash, an interval is a tuple of two numbers.
    """
    shown = [{key: value for key, value in row.items() if key not in hidden} for row in rows]
    sides = ("l" if isinstance(value, str) else "r" for value in shown[0].values())
    body = [[Cell(_cell(value)) for value in row.values()] for row in shown]
    return Sheet(title, list(map(Cell, shown[0])), body, "".join(sides))


def text_lines(rows: Sequence[dict[str, Any]], hidden: Collection[str] = ()) -> list[str]:
    """Return the rows as a text table without the `hidden` columns; see `sheet_of`.

    >>> print(*text_lines([{"name": "lead", "P": 0.5, "interval": (0.4, 0.6), "n": None}]), sep="|")
    name       P          interval  n|lead  0.5000  [0.4000, 0.6000]  -
    """
    return list(_text(sheet_of(rows, hidden)))


def document_lines(form: str, sheets: Iterable[Sheet], footer: Iterable[str]) -> list[str]:
    r"""Return tables, and below them what is told in plain lines, as a document.

    `form` is "table", "latex", "markdown" or "html".

    >>> sheet = sheet_of([{"name": "a|b_1", "P": 0.5}])
    >>> print(*document_lines("markdown", [sheet], [])[:-1], sep="\n")
    | name | P |
    |---|---:|
    | a\|b\_1 | 0.5000 |
    >>> document_lines("latex", [sheet], ["seed 1"])[4:]
    ['\\midrule', 'a|b\\_1 & 0.5000 \\\\', '\\bottomrule', '\\end{tabular}', '% seed 1']
    """
    lines, line = _FORMS[form]
    start = [r"% needs \usepackage{booktabs}"] * (form == "latex")
    apart = [""] * (form in ("table", "markdown"))
    shown = [text for sheet in sheets for text in (*lines(sheet), *apart)]
    return [*start, *shown, *map(line, footer)]


def _text(sheet: Sheet) -> Iterator[str]:
    if sheet.title:
        yield sheet.title
    head = [cell.text + " (lower)" * bool(cell.mark) for cell in sheet.head]
    marks = [max(len(cell.mark) for cell in column) for column in zip(*sheet.body, strict=True)]
    cells = (zip(row, marks, strict=True) for row in sheet.body)
    yield from table(
        head, [[f"{c.text} {c.mark:{w}}" if w else c.text for c, w in row] for row in cells]
    )


def _latex(sheet: Sheet) -> Iterator[str]:
    if sheet.title:
        yield f"% {sheet.title}"
    yield rf"\begin{{tabular}}{{{sheet.sides}}}"
    yield r"\toprule"
    yield _latex_row(_escaped(c.text) + r" $\downarrow$" * bool(c.mark) for c in sheet.head)
    yield r"\midrule"
    for row in sheet.body:
        cells = (_written(c, _escaped, r"\textbf{{{}}}", r"\textsuperscript{{{}}}") for c in row)
        yield _latex_row(cells)
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _markdown(sheet: Sheet) -> Iterator[str]:
    if sheet.title:
        yield from (f"**{_plain(sheet.title)}**", "")
    head = [_plain(cell.text) + " ↓" * bool(cell.mark) for cell in sheet.head]
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---' if side == 'l' else '---:' for side in sheet.sides)}|"
    for row in sheet.body:
        yield f"| {' | '.join(_written(cell, _plain, '**{}**', ' {}') for cell in row)} |"


def _html(sheet: Sheet) -> Iterator[str]:
    yield '<table class="ranking">'
    if sheet.title:
        yield f"<caption>{escape(sheet.title)}</caption>"
    heads = (f"{escape(cell.text)}{' ↓' * bool(cell.mark)}" for cell in sheet.head)
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for first, *rest in sheet.body:
        shown = (_written(cell, escape, "<strong>{}</strong>", "<sup>{}</sup>") for cell in rest)
        cells = "".join(f"<td>{cell}</td>" for cell in shown)
        yield f'<tr><th scope="row">{escape(first.text)}</th>{cells}</tr>'
    yield from ("</tbody>", "</table>")


def _written(cell: Cell, escaped: Callable[[str], str], strong: str, mark: str) -> str:
    text = escaped(cell.text)
    text = strong.format(text) if cell.strong else text
    return text + mark.format(escaped(cell.mark)) * bool(cell.mark)


def _latex_row(cells: Iterable[str]) -> str:
    r"""Return the row of these cells, which are LaTeX.

    A star or a bracket at its beginning would belong to the line break before it.

    >>> _latex_row(["[x]", "0.5"])
    '{}[x] & 0.5 \\\\'
    """
    row = " & ".join(cells) + r" \\"
    return "{}" + row if row.startswith(("[", "*")) else row


_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
_LATEX |= {"^": r"\textasciicircum{}", "±": r"$\pm$"}
_MEANT = str.maketrans({char: "\\" + char for char in "\\`*_|<>[]#"})  # in Markdown


def _escaped(text: str) -> str:
    r"""Return the text with the characters escaped that mean something else in LaTeX.

    >>> _escaped("R_1 & 5%")
    'R\\_1 \\& 5\\%'
    """
    return "".join(_LATEX.get(char, char) for char in printable(text))


def _plain(text: str) -> str:
    return printable(" ".join(text.split())).translate(_MEANT)


_FORMS: dict[str, tuple[Callable[[Sheet], Iterator[str]], Callable[[str], str]]] = {
    "table": (_text, str),
    "latex": (_latex, "% {}".format),
    "markdown": (_markdown, lambda line: line.translate(_MEANT) + "  "),
    "html": (_html, lambda line: f"<p>{escape(line)}</p>"),
}


def json_lines(document: Any) -> list[str]:
    """Return the lines of a JSON document, in which NaN is null."""
    return json.dumps(finite(document), indent=1, ensure_ascii=False).splitlines()


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
