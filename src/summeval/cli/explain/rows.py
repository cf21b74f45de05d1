"""Rows with texts, read from a file in any format of rows."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import summeval
from summeval.cli.shared.arguments import input_format, told_format
from summeval.cli.shared.columns import columns_of, settled
from summeval.cli.shared.errors import UsageError
from summeval.io import BadRow, DataError
from summeval.io.formats import FORMATS, open_input, read_chunks
from summeval.io.source import InputFile
from summeval.metrics import registry

if TYPE_CHECKING:
    from summeval.io.arrow import TableInput
    from summeval.io.column_names import Columns


@dataclass(frozen=True)
class TextRow:
    """A row: its place in the file, what names it, its texts, and why it cannot be used."""

    number: int
    id: str
    system: str
    candidate: str | None
    references: Sequence[str] | None
    source: str | Sequence[str] | None
    problem: str = ""

    @property
    def label(self) -> str:
        """How the row is named in what people read.

        >>> TextRow(3, "d1", "bart", "a", ["a"], None).label
        'row 3 (d1), bart'
        """
        named = f" ({self.id})" if self.id else ""
        return f"row {self.number}{named}" + (f", {self.system}" if self.system else "")

    @property
    def texts(self) -> dict[str, Any]:
        """The arguments of `explain` and `score` beside the candidate."""
        return {"references": self.references, "source": self.source}


def read_rows(arguments: argparse.Namespace, suite: summeval.Suite) -> list[TextRow]:
    """All rows of INPUT.

    Raises
    ------
    DataError
        If it cannot be read, has no rows, or scores without texts.
    """
    with open_input(arguments.input, told_format(arguments)) as file:
        try:
            form = input_format(arguments, FORMATS)
        except UsageError as error:  # --format is that of the output here
            raise UsageError(str(error).replace("--format", "--input-format")) from None
        columns = settled(file, form, columns_of(arguments, suite.reads))
        try:
            rows = list(_rows(arguments, file, form, columns))
        except DataError as error:
            if isinstance(error, BadRow) and not _has_scores(error):
                raise
            if _has_scores(error):
                problem = "has scores, but the texts that they are of are not in it"
                mend = (
                    "keep them with summeval score --keep-text, or pass the rows that were scored"
                )
                raise DataError(file.name, problem, mend) from None
            raise
    if not rows:
        raise DataError(file.name, "has no rows", "pass a file with at least one")
    return rows


def _has_scores(error: DataError) -> bool:
    """Whether a text was not found among columns that have scores of a registered metric."""
    found = re.findall(r"'([^']+\.\w+)'", str(error))
    return ": no '" in str(error) and any(map(_is_score, found))


def _is_score(column: str) -> bool:
    return registry.direction_of(column) is not None


def _rows(
    arguments: argparse.Namespace, file: InputFile | TableInput, form: Any, columns: Columns
) -> Iterator[TextRow]:
    number = 0
    chunks: Any
    if isinstance(file, InputFile):
        chunks = read_chunks(file, form, columns, on_error=arguments.on_error)
    else:
        named = (columns.id, arguments.system)
        kept = [name for name in file.carried(columns, False) if name in named]
        chunks = file.chunks(columns, kept)
    for chunk in chunks:
        sides = [_listed(side, len(chunk)) for side in (chunk.references, chunk.sources)]
        texts = zip(_listed(chunk.candidates, len(chunk)), *sides, strict=True)
        for index, (row, (candidate, references, source)) in enumerate(
            zip(chunk.rows, texts, strict=True)
        ):
            number += 1
            names = [row.get(name) for name in (columns.id, arguments.system)]
            row_id, system = ("" if name is None else str(name) for name in names)
            problem = chunk.errors.get(index, "")
            yield TextRow(number, row_id, system, candidate, references, source, problem)


def _listed(column: Any, size: int) -> Sequence[Any]:
    if column is None:
        return [None] * size
    found: Sequence[Any] = column if isinstance(column, list) else column.to_list()
    return found
