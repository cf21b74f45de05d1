"""One-time warnings: words that a tokenizer cuts, texts not in English, fields without numbers.

In Python each is a `ScoreWarning`, once per call. The command line collects them over a run and
prints one line for each on standard error.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from summeval._core.columns import columns
from summeval.text.function_words import is_not_english

if TYPE_CHECKING:
    from summeval._arrays import Floats, Ints
    from summeval._core.columns.columns import TextColumn
    from summeval.metrics.run.declared import Declared

ASCII_ONLY = "rouge155"  # the tokenizer whose tokens are ASCII letters and digits


_SHARE, _FEWEST, _MOST = 32, 16, 256  # rows sampled: one in 32, at least 16 and at most 256
LEAST_CUT = 0.02  # the share of cut words that is told; of few shares, so that loops warn seldom:
_SAID = (0.5, 0.2, 0.1, 0.05, LEAST_CUT)
_SAMPLE = 128  # characters of a text that are looked at for its language
_ROWS_SAID = 10  # one row in so many is not English


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

    def __init__(self, metrics: Sequence[Declared], *, command: bool = False) -> None:
        self._command = command
        strict = (m for m in metrics if isinstance(m.tokenizer, str) and m.tokenizer == ASCII_ONLY)
        self._strict = next(strict, None)
        self._sample: str | None = None  # of the texts that are cut, where a language may be set
        if self._strict is not None and "language" not in self._strict.declared:
            self._sample = ""
        self._missing = [metric.lacking for metric in metrics if metric.lacking is not None]
        self._one_line = [metric.name for metric in metrics if metric.needs_sentences] * command
        self._english = [metric for metric in metrics if metric.languages]
        self._rows = 0
        self._foreign = 0
        self._words = self._cut = 0
        self._looked = self._others = 0  # rows whose language was looked at, and not English

    def __bool__(self) -> bool:
        """Return whether a warning is possible at all."""
        return self._strict is not None or bool(self._missing or self._one_line or self._english)

    def warn_of(
        self, candidates: TextColumn, sides: Sequence[TextColumn], scores: Mapping[str, Floats]
    ) -> None:
        """Warn of these rows alone; `self` has seen none, and sees none."""
        if not (self._missing or self._english):
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
        self, candidates: TextColumn, sides: Iterable[TextColumn], scores: Mapping[str, Floats]
    ) -> None:
        """Look at rows, at what their candidates are compared with, and at their columns."""
        read = list({id(column): column for column in (candidates, *sides)}.values())
        self._rows += len(candidates)
        if self._one_line and any(column.has_newline() for column in read):
            self._one_line = []
        if not len(candidates) or not (self._strict or self._english):
            return
        some = candidates.sample(_sampled(len(candidates)))
        words, cut = _cut_words(read, some) if self._strict is not None else (0, 0)
        if cut or self._english:
            some = some[~candidates.take(some).missing()]
        if self._strict is not None:
            words, cut = _cut_words(read, some) if cut else (words, cut)
            self._words += words
            self._cut += cut
            if cut and self._sample is None:
                self._sample = _sample_of(read, some)
            zeros = scores.get(f"{self._strict.name}.{self._strict.primary}")
            self._foreign += _foreign(read, some if cut else some[:0], zeros, self._foreign > 0)
        if self._english:
            sampled = [column.take(some).to_list() for column in read]
            self._looked += len(some)
            self._others += sum(_is_not_english(row) for row in zip(*sampled, strict=True))

    def lines(self) -> list[str]:
        """One line for each warning."""
        said = self.of_texts()
        if self._rows:
            said += [_missing(*missing, self._command) for missing in self._missing]
        if self._one_line and self._rows:
            name = self._one_line[0]
            said.append(
                f"no text has a newline, so {name} takes each for one sentence and equals rougeL; "
                f"put sentences on lines, or add --option rouge.sentences=rules"
            )
        return said

    def of_texts(self) -> list[str]:
        """Those that the words of the texts are the reason for."""
        said = []
        if self._foreign:
            share = self._foreign / self._rows
            shown = f"{share:.0%}" if share >= 0.01 else "less than 1%"
            said.append(
                f"the tokenizer {ASCII_ONLY} drops most of the text in {self._foreign:,} of "
                f"{self._rows:,} rows ({shown}), whose letters are not a-z; "
                f"{_hint(self._sample, self._command)}"
            )
        else:
            said += _cut_line(self._words, self._cut, self._sample, self._command)
        if self._others * _ROWS_SAID > self._looked:
            said.append(_english_line(self._english, self._command))
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


def warn_cut(words: int, cut: int, text: bytes = b"") -> None:
    """Warn of a pair with so many words, if so many of them are cut that it matters."""
    for line in _cut_line(words, cut, text.decode(errors="ignore")):
        warn(line)


def warn_cut_texts(texts: Sequence[str], has_language: bool = False) -> None:
    """Warn of texts of which the tokenizer cuts or drops words."""
    strange = next((text for text in texts if not text.isascii()), None)
    if strange is not None:
        import numpy as np

        counts = columns.texts(texts, "texts").cut_words(np.arange(len(texts)))
        warn_cut(*counts, strange[: _SAMPLE * has_language].encode(errors="ignore"))


def warn_not_english(metrics: Sequence[Declared], texts: Sequence[object]) -> None:
    """Warn of texts of a row, or lists of texts, that these metrics were not made for."""
    if _is_not_english(texts):
        warn(_english_line(metrics))


def warn_missing(metrics: Iterable[Declared]) -> None:
    """Warn, once for each metric, of the fields that have no numbers for want of an option."""
    for metric in metrics:
        missing = metric.lacking
        if missing is not None and "_runner_warned" not in metric.__dict__:
            metric.__dict__["_runner_warned"] = True  # of this object, not of its pickles
            warn(_missing(*missing, command=False))


def _cut_words(read: Sequence[TextColumn], some: Ints) -> tuple[int, int]:
    """Return the number of words in some rows, and of those that the tokenizer cuts or drops."""
    counts = [column.cut_words(some) for column in read]
    return sum(words for words, _ in counts), sum(cut for _, cut in counts)


def _foreign(read: Sequence[TextColumn], some: Ints, zeros: Floats | None, known: bool) -> int:
    """Return the number of rows of which the tokenizer drops most words; 0 if a sample has none.

    A look at each would take a tenth of the time of scoring, so that it is taken only if some are
    `known` or found. The sample is rows from all over, and as many of those that score 0, as text
    that is dropped does: so a few such are found too.
    """
    if all(column.ascii for column in read):
        return 0
    rows = len(read[0])
    size = _sampled(rows)
    if not (known or (len(some) and any(column.foreign(some).any() for column in read))):
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


def _sampled(rows: int) -> int:
    return min(max(rows // _SHARE, _FEWEST), _MOST)


def _sample_of(read: Sequence[TextColumn], some: Ints) -> str:
    """Return the beginnings of a few texts, of some rows."""
    found: list[str] = []
    for column in read:
        for text in column.take(some[:_FEWEST]).to_list():
            found += [one or "" for one in (text if isinstance(text, list) else [text])]
    return "".join(text[:_SAMPLE] for text in found if not text.isascii())


def _hint(sample: str | None, command: bool = False) -> str:
    """Return what to do about texts such as this one.

    >>> _hint("кошка"), _hint("кошка", command=True)
    ('pass tokenizer="unicode"', 'score with --tokenizer unicode')
    """
    from summeval.text.languages import of_letters

    language, found = of_letters(sample or ""), []
    if language is not None:
        found = [f"--language {language}" if command else f'language="{language}"']
    found.append("--tokenizer unicode" if command else 'tokenizer="unicode"')
    return ("score with " if command else "pass ") + " or ".join(found)


def _cut_line(words: int, cut: int, sample: str | None, command: bool = False) -> list[str]:
    """Return what there is to say of words that are cut.

    >>> print(*_cut_line(100, 11, "é"), _cut_line(100, 1, "é"))
    the tokenizer rouge155 cuts or drops at least 10% of the words, which have letters outside \
a-z; pass tokenizer="unicode" []
    """
    reached = next((share for share in _SAID if words and cut >= share * words), 0.0)
    if not reached:
        return []
    return [
        f"the tokenizer {ASCII_ONLY} cuts or drops at least {reached:.0%} of the words, which have "
        f"letters outside a-z; {_hint(sample, command)}"
    ]


def _is_not_english(texts: Iterable[object]) -> bool:
    """Return whether the texts of a row, or lists of texts, are evidently not English."""
    found: list[str] = []
    for text in texts:
        several = text if isinstance(text, (list, tuple)) else (text,)
        found += [one for one in several if isinstance(one, str)]
    return is_not_english(found)


def _english_line(metrics: Sequence[Declared], command: bool = False) -> str:
    unicode = "--tokenizer unicode" if command else 'tokenizer="unicode"'
    names = ", ".join(metric.name for metric in metrics)
    verb = "is" if len(metrics) == 1 else "are"
    return (
        f"{names} {verb} made for English, and these texts seem not to be English: the scores mean "
        f"little; npower, or rouge1 and tesla-s with {unicode}, read any language"
    )


def _missing(name: str, fields: Sequence[str], options: Sequence[str], command: bool) -> str:
    shown = [f"--option {o}=FILE" if command else f"{o.rpartition('.')[2]}=" for o in options]
    how = "summeval background makes the files" if command else "see the class"
    verb = "add" if command else "pass"
    return f"{name}: {', '.join(fields)} are NaN; {verb} {' and '.join(shown)} ({how})"


def _ours(module: str) -> bool:
    return module == "summeval" or module.startswith("summeval.")
