"""Sheets of Excel workbooks as rows, by the standard library alone; macros are never looked at."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from posixpath import join, normpath
from xml.etree import ElementTree

from summeval.io import DataError, naming
from summeval.io.source import shown

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINKED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MOST_BYTES = 1 << 28  # of a part of a workbook


def read_sheet(path: str, sheet: str) -> list[dict[str, str]]:
    """Read a sheet whose first row has the names of its columns.

    Parameters
    ----------
    path : str
        A file .xlsx or .xlsm.
    sheet : str

    Returns
    -------
    list of dict of str to str
        The texts of the cells of each row that has any; numbers as they are stored.

    Raises
    ------
    DataError
        The file cannot be read, is no workbook or lacks the sheet.
    """
    try:
        with naming(path), zipfile.ZipFile(path) as book:
            cells = list(_rows(book, _part_of(book, path, sheet)))
    except (zipfile.BadZipFile, ElementTree.ParseError, LookupError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        why = " ".join(str(error).split())
        raise DataError(
            shown(path), f"is no Excel workbook ({why})", "pass .xlsx or .xlsm"
        ) from None
    if not cells:
        return []
    names = {column: text.strip() for column, text in cells[0].items()}
    rows = [{names[c]: text for c, text in row.items() if c in names} for row in cells[1:]]
    return [row for row in rows if row]


def _parsed(book: zipfile.ZipFile, part: str) -> ElementTree.Element:
    if book.getinfo(part).file_size > _MOST_BYTES:
        raise ValueError(f"{part} is larger than {_MOST_BYTES >> 20} MiB")
    return ElementTree.fromstring(book.read(part))


def _part_of(book: zipfile.ZipFile, path: str, sheet: str) -> str:
    """Return the part of a workbook that has a sheet."""
    sheets = {
        one.get("name"): one for one in _parsed(book, "xl/workbook.xml").iter(f"{_MAIN}sheet")
    }
    if sheet not in sheets:
        there = ", ".join(f"{name!r}" for name in sheets)
        raise DataError(shown(path), f"has no sheet {sheet!r} (there is {there})", "pass another")
    links = _parsed(book, "xl/_rels/workbook.xml.rels")
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    return normpath(join("xl", targets[sheets[sheet].get(_LINKED)])).lstrip("/")


def _rows(book: zipfile.ZipFile, part: str) -> Iterator[dict[str, str]]:
    """Yield the texts of the cells of each row by the letters of their columns."""
    kept = []
    if "xl/sharedStrings.xml" in book.namelist():
        kept = [_text(one) for one in _parsed(book, "xl/sharedStrings.xml").iter(f"{_MAIN}si")]
    for row in _parsed(book, part).iter(f"{_MAIN}row"):
        found = {}
        for cell in row.iter(f"{_MAIN}c"):
            value = cell.findtext(f"{_MAIN}v", "")
            if cell.get("t") == "s":
                value = kept[int(value)]
            elif cell.get("t") == "inlineStr":
                value = _text(cell)
            if value.strip():
                found[re.sub(r"\d+", "", cell.get("r", ""))] = value
        yield found


def _text(element: ElementTree.Element) -> str:
    """Return the text of a string, whose parts may have fonts of their own, without its reading."""
    spoken = {id(text) for run in element.iter(f"{_MAIN}rPh") for text in run.iter(f"{_MAIN}t")}
    return "".join(t.text or "" for t in element.iter(f"{_MAIN}t") if id(t) not in spoken)
