"""The longest common subsequences of two texts, as the pairs of tokens that they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from math import isqrt
from typing import NamedTuple, TypeAlias

from summeval.metrics.rouge.counted import Counts, Weights
from summeval.metrics.rouge.readings import Reading, Readings
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Span

MOST_BITS = 1 << 30  # of the rows of a table that are kept; of more some are made again
MOST_CELLS = 1 << 24  # of a table of ROUGE-W, for two lines of 4,096 tokens

Pairs: TypeAlias = list[tuple[int, int]]  # numbers of a token of the reference and the candidate


class Run(NamedTuple):
    """Neighbours of the reference that are neighbours in the candidate too, and their weight."""

    pairs: Pairs
    weight: float


class Common(NamedTuple):
    """What a candidate and a reference have in common."""

    runs: Sequence[Run]
    counts: Counts


def longest(own: Readings, theirs: Readings) -> Common:
    """Of ROUGE-L over whole texts."""
    mine, other = own.whole.forms, theirs.whole.forms
    pairs = common_pairs(other, mine)
    counts = float(len(pairs)), float(len(other)), float(len(mine)), float(len(other))
    return Common([*map(_weighed, _runs(pairs))], counts)


def common_pairs(rows: Sequence[str], columns: Sequence[str]) -> Pairs:
    """The pairs of the longest common subsequence that ROUGE-1.5.5 chooses.

    Equal tokens are always paired; otherwise a row is dropped if that loses nothing, else a column.
    As in the kernel a bit stands for a row, here of a long int.

    >>> common_pairs("abcb", "xbab")
    [(0, 2), (3, 3)]
    """
    masks: dict[str, int] = {}
    for number, form in enumerate(rows):
        masks[form] = masks.get(form, 0) | 1 << number
    every = (1 << len(rows)) - 1
    size = len(columns)
    steps = [masks.get(form, 0) for form in columns]
    stride = 1 if len(rows) * size <= MOST_BITS else isqrt(size)
    kept = list(islice(_states(every, steps, every), 0, None, stride))
    block, begin = kept, 0
    found = []
    live = every
    for j in range(size, 0, -1):
        if stride > 1 and j in (size, begin):
            begin = (j - 1) // stride * stride
            block = list(_states(kept[begin // stride], steps[begin:j], every))
        mask = steps[j - 1]
        stop = (mask | ~block[j - begin]) & live
        if not stop:
            break
        bit = stop.bit_length() - 1
        if mask >> bit & 1:
            found.append((bit, j - 1))
            live = (1 << bit) - 1
        else:
            live = (2 << bit) - 1
    return found[::-1]


def _states(state: int, steps: Sequence[int], every: int) -> Iterator[int]:
    """The bits before the first column and after each."""
    yield state
    for mask in steps:
        if mask:
            both = state & mask
            state = (state + both | state ^ both) & every
        yield state


def united(own: Readings, theirs: Readings, weight: float = 0.0) -> Common:
    """Of ROUGE-Lsum over sentences; with a weight, of ROUGE-W.

    The subsequences of a sentence of the reference with all sentences of the candidate are united,
    and each word counts as often as both texts have it. In ROUGE-W a run of the reference ends
    where no subsequence has the next token. As in the script, a run weighs nothing if the token
    that would end it does not count and no other follows in its sentence.

    Raises
    ------
    ValueError
        For lines that are too long for ROUGE-W.
    """
    left = Counter(theirs.whole.forms) & Counter(own.whole.forms)
    runs: list[Run] = []
    base = 0.0
    for begin, end in _lines(theirs.lines):
        rows = theirs.lines.forms[begin:end]
        base += float(end - begin) ** weight if weight else end - begin
        partners: dict[int, int] = {}
        for first, last in _lines(own.lines):
            columns = own.lines.forms[first:last]
            pairs = weighted_pairs(rows, columns, weight) if weight else common_pairs(rows, columns)
            for row, column in pairs:
                partners.setdefault(begin + row, first + column)
        here: Pairs = []
        for row in sorted(partners):
            form = theirs.lines.forms[row]
            if not left[form]:
                continue
            left[form] -= 1
            here.append((row, partners[row]))
            if weight and row + 1 not in partners:
                runs.append(Run(here, float(len(here)) ** weight))
                here = []
        runs += [Run(here, 0.0)] * bool(here) if weight else map(_weighed, _runs(here))
    hits = 0.0
    for run in runs:
        hits += run.weight
    power = weight or 1.0
    size = float(len(own.whole.forms))
    return Common(runs, (hits, base**power, size**power, base))


def weighted_pairs(rows: Sequence[str], columns: Sequence[str], weight: float) -> Pairs:
    """The pairs of the common subsequence that ROUGE-W chooses: k neighbours weigh k^weight.

    Equal tokens are always paired; otherwise a row is dropped, unless dropping a column costs less.
    A row without a match is the one above, unless that is lower somewhere than before it.

    >>> weighted_pairs("abxc", "abac", 1.2)
    [(0, 0), (1, 1), (3, 3)]
    """
    if len(rows) * len(columns) > MOST_CELLS:
        raise ValueError(
            "the texts are too long to explain rougeW, which takes lines of up to 4,096 tokens; put"
            " sentences on lines, or set max_words"
        )
    powers = [float(k) ** weight for k in range(len(rows) + 2)]
    where: dict[str, list[int]] = {}
    for column, form in enumerate(columns, 1):
        where.setdefault(form, []).append(column)
    table = [[0.0] * (len(columns) + 1)]
    lengths: dict[int, int] = {}  # of runs that end in this row, by columns
    rising = True
    for form in rows:
        above, before = table[-1], lengths
        matches = where.get(form, ())
        lengths = {column: before.get(column - 1, 0) + 1 for column in matches}
        if not matches and rising:
            table.append(above)
            continue
        row = [0.0]
        rising = True
        for column in matches:
            row += islice(accumulate(above[len(row) : column], max, initial=row[-1]), 1, None)
            k = lengths[column]
            gained = above[column - 1] + powers[k] - powers[k - 1]
            rising = rising and gained >= row[-1]
            row.append(gained)
        row += islice(accumulate(above[len(row) :], max, initial=row[-1]), 1, None)
        table.append(row)
    found = []
    i, j = len(rows), len(columns)
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            found.append((i, j))
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found[::-1]


def items(
    own: Reading, others: Sequence[Reading], found: Sequence[Common], weights: Weights
) -> Iterator[ExplainedItem]:
    """The runs, what lies between them in the references, and what the candidate alone has."""
    paired: set[int] = set()
    missing = []
    for number, weight in weights:
        theirs = others[number]
        had: set[int] = set()
        for pairs, worth in found[number].runs:
            rows, columns = [row for row, _ in pairs], [column for _, column in pairs]
            had.update(rows)
            paired.update(columns)
            text, here = _run(own, columns)
            said, there = _run(theirs, rows)
            yield ExplainedItem(
                text if said.lower() == text.lower() else f"{text} = {said}",
                here,
                tuple([(number, *span) for span in there]),
                weight * worth,
            )
        rest = [row for row in range(len(theirs.forms)) if row not in had]
        missing += [(text, (number, *span)) for text, span in _placed(theirs, rest)]
    for text, place in missing:
        yield ExplainedItem(text, (), (place,), 0.0)
    for text, span in _placed(own, [k for k in range(len(own.forms)) if k not in paired]):
        yield ExplainedItem(text, (span,), (), 0.0)


def _run(reading: Reading, numbers: Sequence[int]) -> tuple[str, tuple[Span, ...]]:
    """The words and the places of the tokens of a run."""
    first, last = numbers[0], numbers[-1]
    if last - first == len(numbers) - 1:
        span = reading.spans[first][0], reading.spans[last][1]
        return " ".join(reading.words[first : last + 1]), (span,)
    words = " ".join([reading.words[number] for number in numbers])
    return words, tuple(span for _, span in _placed(reading, sorted(numbers)))


def _placed(reading: Reading, numbers: Sequence[int]) -> Iterator[tuple[str, Span]]:
    """The words and the span of each run of neighbours of one line."""
    ends = {*reading.ends}
    first = 0
    for k, number in enumerate(numbers):
        following = k + 1 < len(numbers) and numbers[k + 1] == number + 1
        if following and number + 1 not in ends:
            continue
        begin = numbers[first]
        words = " ".join(reading.words[begin : number + 1])
        yield words, (reading.spans[begin][0], reading.spans[number][1])
        first = k + 1


def _lines(reading: Reading) -> Iterator[tuple[int, int]]:
    """The first token of each line that has any, and the one after the last."""
    begin = 0
    for end in reading.ends:
        if end > begin:
            yield begin, end
        begin = end


def _runs(pairs: Pairs) -> Iterator[Pairs]:
    """Pairs that follow each other on both sides."""
    begin = 0
    for k, (row, column) in enumerate(pairs, 1):
        if k == len(pairs) or pairs[k] != (row + 1, column + 1):
            yield pairs[begin:k]
            begin = k


def _weighed(pairs: Pairs) -> Run:
    return Run(pairs, float(len(pairs)))
