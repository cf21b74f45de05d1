"""Candidates that are cleaned before they are scored: `--extract`, `--strip`."""

from __future__ import annotations

import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, as_usage
from summeval.io import BadRow, RowError
from summeval.io.rows import Chunk, encode_json
from summeval.text.cleaning import Cleaner

if TYPE_CHECKING:
    from types import FrameType

    from summeval.cli.score.totals import Totals
    from summeval.io.arrow import TableInput
    from summeval.io.rows import Columns

MOST_S = 2.0
"""Seconds of processor time for one text; a pattern that takes longer backtracks without end."""
_TOO_LONG = RowError(
    f"--extract takes more than {MOST_S:g} s of processor time on this text",
    "write the pattern without a repeat inside a repeat",
)
_NO_ANSWER = "without answer"


class Cleaning:
    """Cleans the candidates of chunks.

    Raises `UsageError` for options that do not make a cleaner.
    """

    def __init__(self, arguments: Namespace, file: str, columns: Columns) -> None:
        strip = flags.names_of("--strip", arguments.strip, "name")
        with as_usage(prefix="--"):
            self._clean = Cleaner(arguments.extract or "", strip)
        if arguments.extract == "":
            raise UsageError("--extract is empty; pass a regular expression or a tag")
        self.options: Mapping[str, str] = self._clean.options
        self._file = file
        self._columns = columns
        self._skips = arguments.on_error == "skip"
        self._keeps = arguments.keep_text
        self._row = 0

    def chunks(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """Yield the chunks with clean candidates."""
        name = self._columns.candidate
        for chunk in chunks:
            made = chunk.listed()
            made.candidates = self._cleaned(made.candidates, partial(self._refuse, made))
            made.batch = chunk.batch
            if self._keeps:
                for row, text in zip(made.rows, made.candidates, strict=True):
                    if row.get(name) is not None:
                        row[name] = text
                if chunk.batch is not None:
                    made.batch = self._replaced(chunk.batch, made.candidates)
            self._row += len(made)
            yield made

    def _cleaned(self, texts: Sequence[str | None], refuse: Callable[[int], None]) -> list[Any]:
        """Return the clean texts; `refuse` takes the place of one that takes too long."""
        found: list[str | None] = []
        for place, text in enumerate(texts):
            try:
                with limited(MOST_S):
                    found.append(None if text is None else self._clean(text))
            except TooLong:
                refuse(place)
                found.append(None)
        return found

    def _refuse(self, chunk: Chunk, index: int) -> None:
        name = chunk.rows[index].get(self._columns.id)
        label = "" if name is None else f" (id {encode_json(name)[:60]})"
        place = f"row {self._row + index + 1}"
        if not self._skips:
            raise BadRow.of(f"{self._file}: {place}{label}", _TOO_LONG)
        chunk.errors[index] = f"{place}{label}: {_TOO_LONG}"

    def taken(self) -> dict[str, int]:
        """Return what was changed since the last call: the number of candidates for each step."""
        counts = dict(self._clean.changed)
        if "extract" in counts:
            counts[_NO_ANSWER] = self._clean.without_answer
        self._clean.changed = dict.fromkeys(self._clean.changed, 0)
        self._clean.without_answer = 0
        return counts

    def summary(self, totals: Totals) -> str:
        """One line that says how many candidates were changed."""
        counts = dict(totals.cleaned)
        without = counts.pop(_NO_ANSWER, 0)
        changed = {name: f"{name} changed {count:,}" for name, count in counts.items()}
        if without:
            changed["extract"] += f" ({without:,} without a match are empty texts)"
        return f"cleaned: {', '.join(changed.values())} of {totals.rows:,} candidates"

    def batches(self, table: TableInput) -> Callable[[Sequence[str], int, int], Iterator[Any]]:
        """Return `table.batches` with clean candidates, for a run that is resumed."""

        def batches(names: Sequence[str], start: int, chunk_bytes: int) -> Iterator[Any]:
            for batch in table.batches(names, start, chunk_bytes):
                if self._columns.candidate not in names:
                    yield batch
                    continue
                texts = batch.column(self._columns.candidate).to_pylist()
                clean = self._cleaned(texts, lambda place: None)
                self.taken()  # an earlier run counted them
                yield self._replaced(batch, clean)

        return batches

    def _replaced(self, batch: Any, texts: Sequence[str | None]) -> Any:
        """Return a batch with these candidates, which it holds if the texts are kept."""
        import pyarrow as pa

        place = batch.schema.get_field_index(self._columns.candidate)
        field = batch.schema.field(place)
        return batch.set_column(place, field, pa.array(texts, field.type))


class TooLong(Exception):
    """A text took too long."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TooLong` if the block takes more processor time.

    The matcher of `re` polls for signals, so a timer stops it; Ctrl-C does anyway. Outside the main
    thread, and on Windows, there is no such timer.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or sys.platform == "win32":
        yield
        return

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
