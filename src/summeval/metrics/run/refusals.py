"""Handling of refused rows: stop the whole batch, or leave only that row without scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from summeval._options import SettingError
from summeval._problem import of_row
from summeval.metrics.run.declared import Declared, Runner

if TYPE_CHECKING:
    from summeval._arrays import Floats


ON_ERROR = ("raise", "skip")

_ROW = re.compile(r"row \d|\w+\[\d")  # how our own messages name a row
_PLAIN = (ValueError, TypeError, MemoryError)  # what our own checks raise


class RowErrors(dict[int, str]):
    """The refused rows of a batch, each with the reason.

    >>> refused = RowErrors()
    >>> refused.add(3, ValueError("row 3: longer than a text may be"))
    >>> refused.add(3, KeyError("Paris"))
    >>> refused
    {3: "row 3: longer than a text may be; row 3: KeyError: 'Paris'"}
    """

    def add(self, row: int, error: BaseException) -> None:
        """Record why a row is refused; errors that no row can cause are raised."""
        if isinstance(error, (ImportError, SettingError)):
            raise error
        self.join({row: message_of(row, error)})

    def join(self, others: Mapping[int, str]) -> None:
        """Add rows recorded elsewhere.

        >>> refused = RowErrors({3: "too long"})
        >>> refused.join({3: "not UTF-8", 4: "too long"})
        >>> refused
        {3: 'too long; not UTF-8', 4: 'too long'}
        """
        for row, message in others.items():
            before = self.get(row)
            if before is None:
                self[row] = message
            elif message not in before:  # several metrics may refuse a row for different reasons
                self[row] = f"{before}; {message}"


def refusals(on_error: str) -> RowErrors | None:
    """Return the record of refused rows of a batch; None if the first refusal is raised.

    >>> refusals("skip")
    {}
    """
    if on_error not in ON_ERROR:
        raise ValueError(f"on_error is {on_error!r}; choose from 'raise', 'skip'")
    return RowErrors() if on_error == "skip" else None


def message_of(row: int, error: BaseException) -> str:
    """One line that names the row and says why it is refused.

    >>> message_of(2, ValueError("candidates[2] is int")), message_of(2, OSError("gone"))
    ('candidates[2] is int', 'row 2: OSError: gone')
    """
    said = " ".join(str(error).split())
    if not isinstance(error, _PLAIN):
        said = f"{type(error).__name__}: {said}" if said else type(error).__name__
    named = said.startswith(f"row {row}:") or f"[{row}]" in said.partition(" ")[0]
    return said if named else f"row {row}: {said or type(error).__name__}"


def attempt_group(
    group: Sequence[Declared],
    runner: Runner,
    sides: tuple[Any, ...],
    workers: int,
    refused: RowErrors | None,
    *,
    alone: Callable[[Declared], Runner] = lambda metric: metric.runner(),
) -> Floats:
    """Return the scores [metric, field, row] of metrics that share a pass.

    A refused row is run again for each metric separately, with the runner that `alone` returns: a
    metric's score must not depend on refusals by other metrics. Otherwise like `attempt`.
    """
    if refused is None or len(group) == 1:
        return attempt(runner, sides, workers, group, refused)
    own_errors = RowErrors()
    block = attempt(runner, sides, workers, group, own_errors)
    if own_errors:
        runners = [alone(metric) for metric in group]
    for place in (row - sides[0].first for row in sorted(own_errors)):
        one = tuple(side.part(place, place + 1) for side in sides)
        for number, again in enumerate(runners):
            own = attempt(again, one, workers, group[number : number + 1], refused)
            block[number, :, place] = own[0, :, 0]
    return block


def attempt(
    runner: Runner,
    sides: tuple[Any, ...],
    workers: int,
    group: Sequence[Declared],
    refused: RowErrors | None,
) -> Floats:
    """Return the scores [metric, field, row] of a runner; NaN for the rows that it refuses.

    Parameters
    ----------
    runner : Runner
        One with `notes_rows` records refused rows itself.
    sides : tuple of TextColumn
        The candidates, and the texts that they are compared with unless the runner has read them.
    group : sequence of Metric
        Whose scores they are.
    refused : RowErrors, optional
        Records the refused rows. Without it the error of the first one is raised.
    """
    run: Callable[..., Floats] = runner.run_rows
    if refused is not None and getattr(runner, "notes_rows", False):
        return run(*sides, workers, refused=refused)
    rows = (0, len(sides[0]))

    def part(begin: int, end: int) -> Floats:
        whole = (begin, end) == rows
        return run(*(side if whole else side.part(begin, end) for side in sides), workers)

    return by_halves(part, rows, sides[0].first, (len(group), len(group[0].fields)), refused)


def by_halves(
    run: Callable[[int, int], Floats],
    rows: tuple[int, int],
    first: int,
    shape: tuple[int, int],
    refused: RowErrors | None,
) -> Floats:
    """The scores [metric, field, row] of rows from one to before another, with row 0 as `first`.

    Rows that fail together are run in halves, and halves of these, until each refused row is found.
    """
    begin, end = rows
    try:
        return run(begin, end)
    except Exception as error:
        if isinstance(error, (ImportError, SettingError)):
            raise
        stands = refused is None and _stands(error)
        if end - begin == 1 and not stands:
            import numpy as np

            _refuse(error, first + begin, refused)
            return np.full((*shape, 1), np.nan)
        if end - begin < 2 or stands:
            raise
        middle = (begin + end) // 2
        halves = [
            by_halves(run, half, first, shape, refused) for half in ((begin, middle), (middle, end))
        ]
        if refused is None:
            raise  # the rows fail only together
    import numpy as np

    return np.concatenate(halves, axis=2)


def _stands(error: Exception) -> bool:
    """Return whether an error is raised unchanged: it names its row, or no row caused it."""
    named = _ROW.match(str(error)) is not None or hasattr(error, "__notes__")
    return named or isinstance(error, (MemoryError, OSError))


def _refuse(error: Exception, row: int, refused: RowErrors | None) -> None:
    """Record the error of a single row, or raise it with the number of the row."""
    if refused is not None:
        refused.add(row, error)
    elif isinstance(error, ValueError):
        raise of_row(ValueError(message_of(row, error)), row) from error.__cause__ or error
    else:  # of a user's callable: its type is kept
        error.add_note(f"row {row}")
        raise error
