"""One-time warnings: texts that a tokenizer drops, fields without numbers.

In Python each is a `ScoreWarning`, once per call. The command line collects them over a run and
prints one line for each on standard error.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from summeval._core.columns import columns

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.columns.columns import TextColumn
    from summeval.metrics.run.protocols import Member

ASCII_ONLY = "rouge155"  # the tokenizer whose tokens are ASCII letters and digits

_SHARE, _FEWEST, _MOST = 32, 16, 256  # rows sampled: one in 32, at least 16 and at most 256


class ScoreWarning(UserWarning):
    """Warns that scores are defined but may be misleading.

    Filter it as any warning: ``warnings.simplefilter("ignore", summeval.ScoreWarning)``.
    """


class Notices:
    """The warnings about rows scored by some metrics.

    Parameters
    ----------
    metrics : sequence of Metric
    command : bool
        Whether the command line shows the lines; they then name its options.

    Examples
    --------
    >>> import summeval
    >>> from summeval._core.columns.columns import texts
    >>> notices = Notices([summeval.metric("rouge1")])
    >>> notices.add(texts(["the cat", "кошка"], "candidates"), [], {})
    >>> print(*notices.lines())
    the tokenizer rouge155 drops most of the text in 1 of 2 rows (50%), whose letters are not a-z; \
pass tokenizer="unicode"
    """

    def __init__(self, metrics: Sequence[Member], *, command: bool = False) -> None:
        self._command = command
        strict = (m for m in metrics if isinstance(m.tokenizer, str) and m.tokenizer == ASCII_ONLY)
        self._strict = next(strict, None)
        self._lacking = [metric.lacking for metric in metrics if metric.lacking is not None]
        self._one_line = [metric.name for metric in metrics if metric.wants_lines] * command
        self._rows = 0
        self._foreign = 0

    def __bool__(self) -> bool:
        """Whether a warning is possible at all."""
        return self._strict is not None or bool(self._lacking or self._one_line)

    def warn_of(
        self,
        candidates: TextColumn,
        sides: Sequence[TextColumn],
        scores: Mapping[str, NDArray[float64]],
    ) -> None:
        """Warn of these rows alone; `self` has seen none, and sees none."""
        if not self._lacking:
            strange = not candidates.ascii
            for side in sides:
                strange = strange or not side.ascii
            if not strange or not self:
                return
        seen = Notices.__new__(Notices)
        seen.__dict__.update(self.__dict__)
        seen.add(candidates, sides, scores)
        seen.warn()

    def add(
        self,
        candidates: TextColumn,
        sides: Iterable[TextColumn],
        scores: Mapping[str, NDArray[float64]],
    ) -> None:
        """Look at rows, at what their candidates are compared with, and at their columns."""
        read = list({id(column): column for column in (candidates, *sides)}.values())
        self._rows += len(candidates)
        if self._one_line and any(column.has_newline() for column in read):
            self._one_line = []
        if self._strict is not None and len(candidates):
            zeros = scores.get(f"{self._strict.name}.{self._strict.primary}")
            self._foreign += _foreign(read, zeros, self._foreign > 0)

    def lines(self) -> list[str]:
        """One line for each warning."""
        said = []
        if self._foreign:
            share = self._foreign / self._rows
            shown = f"{share:.0%}" if share >= 0.01 else "less than 1%"
            mend = "score with --tokenizer unicode" if self._command else 'pass tokenizer="unicode"'
            said.append(
                f"the tokenizer {ASCII_ONLY} drops most of the text in {self._foreign:,} of "
                f"{self._rows:,} rows ({shown}), whose letters are not a-z; {mend}"
            )
        if self._rows:
            said += [_lacking(*lacking, self._command) for lacking in self._lacking]
        if self._one_line and self._rows:
            name = self._one_line[0]
            said.append(
                f"no text has a newline, so {name} takes each for one sentence and equals rougeL; "
                f"put sentences on lines, or add --option rouge.sentences=rules"
            )
        return said

    def warn(self) -> None:
        """Raise the warnings, from the caller of the package."""
        for line in self.lines():
            warn(line)


def warn(message: str) -> None:
    """A `ScoreWarning` at the line that called the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _ours(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, ScoreWarning, stacklevel=level)


def is_foreign(texts: Sequence[str]) -> bool:
    """Whether the tokenizer drops most of some text.

    >>> is_foreign(["the cat"]), is_foreign(["the cat", "кошка"])
    (False, True)
    """
    import numpy as np

    return bool(columns.texts(texts, "texts").foreign(np.arange(len(texts))).any())


def warn_foreign() -> None:
    """Warn of a single text that the tokenizer drops most of."""
    warn(
        f"the tokenizer {ASCII_ONLY} drops most of a text, whose letters are not a-z; "
        'pass tokenizer="unicode"'
    )


def warn_lacking(metrics: Iterable[Member]) -> None:
    """Warn, once for each metric, of the fields that have no numbers for want of an option."""
    for metric in metrics:
        lacking = metric.lacking
        if lacking is not None and "_runner_told" not in metric.__dict__:
            metric.__dict__["_runner_told"] = True  # of this object, not of its pickles
            warn(_lacking(*lacking, command=False))


def _foreign(read: Sequence[TextColumn], zeros: NDArray[float64] | None, known: bool) -> int:
    """The number of rows of which the tokenizer drops most text; 0 if a sample has none.

    A look at each would take a tenth of the time of scoring, so that it is taken only if some are
    `known` or found. The sample is rows from all over, and as many of those that score 0, as text
    that is dropped does: so a few such are found too.
    """
    if all(column.ascii for column in read):
        return 0
    rows = len(read[0])
    size = min(max(rows // _SHARE, _FEWEST), _MOST)
    if not (known or any(column.some_foreign(size) for column in read)):
        if zeros is None or rows <= size:
            return 0
        found = (zeros == 0).nonzero()[0]
        some = found[:: max(1, len(found) // size)].copy()
        if not len(some) or not any(column.foreign(some).any() for column in read):
            return 0
    import numpy as np

    whole = np.arange(rows)
    foreign = read[0].foreign(whole)
    for column in read[1:]:
        foreign |= column.foreign(whole)
    return int((foreign & ~read[0].missing()).sum())


def _lacking(name: str, fields: Sequence[str], options: Sequence[str], command: bool) -> str:
    shown = [f"--option {o}=FILE" if command else f"{o.rpartition('.')[2]}=" for o in options]
    how = "summeval background makes the files" if command else "see the class"
    verb = "add" if command else "pass"
    return f"{name}: {', '.join(fields)} are NaN; {verb} {' and '.join(shown)} ({how})"


def _ours(module: str) -> bool:
    return module == "summeval" or module.startswith("summeval.")
