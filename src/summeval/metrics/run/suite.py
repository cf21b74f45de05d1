"""Several metrics at once: those of one family share a pass over the texts, and suites are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakValueDictionary

from summeval._core.columns import columns
from summeval._core.columns.columns import TextColumn
from summeval._core.rows.record import named_columns
from summeval._options import check_workers
from summeval.metrics.run.declared import (
    Both,
    Declared,
    OnError,
    Runner,
    Side,
    Texts,
    compared,
    flat,
    parse_once,
)
from summeval.metrics.run.notices import Notices, warn_missing, warn_not_english
from summeval.metrics.run.refusals import RowErrors, attempt_group, refusals
from summeval.metrics.run.signature import Signature
from summeval.metrics.run.table import Layout, ScoreTable

if TYPE_CHECKING:
    from summeval._arrays import Floats, Ints
    from summeval._core.rows.kernel import TextKernel
    from summeval._core.rows.record import Score


def dedup_plan(candidates: TextColumn, sides: Sequence[TextColumn]) -> tuple[Ints, Ints] | None:
    """Return the rows to score, and for each row of the batch the place of its score there.

    Where every column is a dictionary's, each different row once. Where only those compared with
    are, every row, such that rows with the same texts follow each other: kernels read these once.
    None if that would save nothing.

    >>> from summeval._core.columns.columns import references, texts
    >>> dedup_plan(texts(["a", "b"], "candidates"), [references(["a", "b"], "references")])
    """
    coded = candidates.coded
    for side in sides:
        coded = coded or side.coded
    if not coded:
        return None
    import numpy as np

    own = candidates.codes()
    compared = list({id(side): side for side in sides if side is not candidates}.values())
    codes = [side.codes() for side in compared]
    known = [code for code in codes if code is not None]
    rows = len(candidates)
    if own is not None and len(known) == len(codes):
        _, first, places = np.unique(_joined([*known, own]), return_index=True, return_inverse=True)
        return (first, places.reshape(-1)) if len(first) < rows else None
    if not known or int(known[0].max(initial=-1)) + 1 >= rows:
        return None
    # In the order of the dictionary: equal references next to each other.
    order = np.argsort(_joined(known), kind="stable")
    places = np.empty_like(order)
    places[order] = np.arange(rows)
    return order, places


def _joined(codes: Sequence[Ints]) -> Ints:
    """One code for each row; two rows have the same one if they do in every column."""
    import numpy as np

    joined = codes[0]
    for code in codes[1:]:
        # Renumbered at each step, so that no product of sizes overflows an int64.
        joined = np.unique(joined, return_inverse=True)[1].reshape(-1)
        joined = joined * (int(code.max(initial=-1)) + 2) + code
    return joined


Scored = TypeVar("Scored")  # a Score, or a dict with one for each metric of a suite

PROGRESS_ROWS = 4096
_COLUMNS = ("nothing", "references", "source")  # "nothing": only the candidates
PART_ROWS = 1 << 17  # passed to one call of a kernel
PARSED_ROWS = 4096  # the same where texts are parsed: parses take far more memory than texts


class Suite:
    """Metrics that are run together; made by `summeval.suite`.

    `score` returns a dict with one Score for each metric, `score_batch` one ScoreTable.

    Attributes
    ----------
    metrics : list of Metric
        In the order of the results.
    groups : list of list of Metric
        Metrics that share a pass, in the order of the blocks of `Prepared.blocks`.
    reads : tuple of str
        The texts that the metrics compare a candidate with: "references", "source", both or
        neither.

    Raises
    ------
    ValueError
        If there is no metric, or two metrics have the same name.

    Examples
    --------
    >>> import summeval
    >>> suite = summeval.suite(["rouge1", "rougeL"])
    >>> suite.score("the cat sat", "the cat sat down")["rougeL"].recall
    0.75
    """

    def __init__(self, metrics: Sequence[Declared]) -> None:
        names = [metric.name for metric in metrics]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two metrics are called {name!r}; give one of them a label=")
        if not metrics:
            raise ValueError("no metrics were given; name at least one")
        self.metrics = list(metrics)
        groups: dict[Hashable, list[Declared]] = {}
        for metric in metrics:
            groups.setdefault(metric.fusion_key(), []).append(metric)
        self.groups = list(groups.values())
        self._runners: list[Any] = [group[0].fuse(group) for group in self.groups]
        members = [metric for group in self.groups for metric in group]
        inner = (getattr(runner, "suite", None) for runner in self._runners)
        self.parsers: list[Any] = [
            parser for holder in (*metrics, *inner) for parser in getattr(holder, "parsers", ())
        ]
        parse_once(self.parsers)
        self._in_order = members == self.metrics
        compared_with = {metric.compared_with for metric in metrics}
        self._both = "both" in compared_with
        read = {"references", "source"} if self._both else compared_with
        self.reads = tuple(what for what in ("references", "source") if what in read)
        self._english = [metric for metric in metrics if metric.languages]
        alone = len(self._runners) == 1 and compared_with == {"references"} and not self._english
        self._only: Runner | None = self._runners[0] if alone else None
        # where a kernel does all the work: see TextKernel.few_rows
        self._few_rows: Callable[..., Any] | None = getattr(self._only, "few_rows", None)
        self._missing = [metric for metric in metrics if metric.lacking is not None]
        self._notices = Notices(self.metrics)
        self._compared_with = [group[0].compared_with for group in self.groups]
        made = [f"{metric.name}.{field}" for metric in members for field in metric.fields]
        self._columns = tuple(f"{m.name}.{field}" for m in self.metrics for field in m.fields)
        self._places = None if self._in_order else [made.index(name) for name in self._columns]
        self._blank = dict.fromkeys(self._columns)
        self._layout: Layout | None = None

    def __repr__(self) -> str:
        return f"<Suite: {', '.join(metric.name for metric in self.metrics)}>"

    def __reduce__(self) -> tuple[type[Suite], tuple[list[Declared]]]:
        return Suite, (self.metrics,)

    @property
    def signature(self) -> dict[str, Signature]:
        """The signature of each metric, by its name."""
        return {metric.name: metric.signature for metric in self.metrics}

    @property
    def computes(self) -> bool:
        """Whether kernels compute all scores, so that no metric waits for a service or a user."""
        return all(hasattr(runner, "kernel") for runner in self._runners)

    @property
    def kernels(self) -> list[tuple[TextKernel, str]]:
        """The kernels of metrics that read texts as they are, and what they compare with."""
        return [
            (one.kernel, side) for one, side in zip(self._runners, self._compared_with, strict=True)
        ]

    @property
    def directions(self) -> dict[str, bool]:
        """For each column of the suite's tables, whether a higher number is better.

        >>> import summeval
        >>> summeval.suite("bewte").directions
        {'bewte.recall': True}
        """
        return {
            f"{metric.name}.{field}": up
            for metric in self.metrics
            for field, up in metric.directions.items()
        }

    def score(
        self, candidate: str | None, references: Texts = None, source: Texts = None
    ) -> dict[str, Score]:
        """Score one candidate against its references or its source: {metric name: Score}."""
        if self._only is not None:
            return self._only.run_pair(candidate, references)
        warn_missing(self._missing)
        references, source = as_references(references), as_references(source)
        self.warn_not_english(candidate, references, source)
        scores: dict[str, Score] = {}
        for group, runner in zip(self.groups, self._runners, strict=True):
            scores.update(runner.run_pair(candidate, compared(group[0], references, source)))
        return self.in_order(scores)

    def warn_not_english(self, *texts: object) -> None:
        """Warn if these texts of a row are evidently not English, and some metric is for it."""
        if self._english:
            warn_not_english(self._english, texts)

    def warn_of(self, candidates: TextColumn) -> None:
        """Warn of candidates of prepared references as `Prepared.score_batch` does."""
        self._notices.warn_of(candidates, (), {})

    def in_order(self, scores: dict[str, Score]) -> dict[str, Score]:
        """Return the scores of all runners in the order of the metrics."""
        return scores if self._in_order else {m.name: scores[m.name] for m in self.metrics}

    def score_batch(
        self,
        candidates: Any,
        references: Any,
        *,
        sources: Any = None,
        workers: int = 1,
        progress: Callable[[int, int], object] | None = None,
        on_error: OnError = "raise",
        notices: Notices | None = None,
    ) -> ScoreTable:
        """Score rows of candidates and references; see `summeval.score_batch`.

        If `notices` is given, it collects the notices that otherwise become warnings.
        """
        if workers != 1 or type(workers) is not int:
            workers = check_workers(workers)
        # Of few rows each frame of Python counts: what is usual goes by the shortest way.
        usual = on_error == "raise" and progress is None and notices is None and sources is None
        if usual and self._few_rows is not None:
            found: Any = self._few_rows(ScoreTable, self._blank, candidates, references, workers)
            table: ScoreTable | None = found
            if found.__class__ is tuple:
                candidates, references, table = found
                if table is not None:
                    self._notices.warn_of(candidates, (references,), table)
            if table is not None:
                table._layout = self._layout or self._new_layout()
                return table
        refused = None if on_error == "raise" else refusals(on_error)
        unread = {} if refused is None else {what: RowErrors() for what in _COLUMNS}
        left = columns.texts(candidates, "candidates", False, unread.get("nothing"))
        sides = self._sides(left, references, sources, unread)
        plain: Sequence[Any] = flat(sides) if self._both else sides
        order = dedup_plan(left, plain)
        if order is None:
            blocks = self._blocks(left, sides, refused, workers, progress)
        else:
            run = partial(self._blocks, workers=workers, progress=progress)
            blocks = _distinct_blocks(run, order, left, sides, refused)
        if refused is not None:
            self._forget(blocks, unread)
            for what in ("nothing", *self.reads):
                refused.join(unread[what])
        table = self.table(blocks, len(left), refused)
        if notices is not None:
            notices.add(left, plain, table)
        else:
            self._notices.warn_of(left, plain, table)
        return table

    def _forget(self, blocks: Sequence[Floats], unread: Mapping[str, RowErrors]) -> None:
        """Remove the scores of rows that could not be read, for the metrics that read them."""
        for group, block in zip(self.groups, blocks, strict=True):
            what = group[0].compared_with
            sides = self.reads if what == "both" else (what,)
            rows = [row for side in ("nothing", *sides) for row in unread[side]]
            if rows:
                block[:, :, rows] = float("nan")

    def _blocks(
        self,
        left: TextColumn,
        sides: Sequence[Side],
        refused: RowErrors | None,
        workers: int,
        progress: Callable[[int, int], object] | None,
    ) -> list[Floats]:
        """Return the scores [metric, field, row] of each runner, computed part by part."""
        rows = len(left)
        most = min(PART_ROWS, PARSED_ROWS * workers) if self.parsers else PART_ROWS
        if progress is None and rows <= most:
            return self._part(left, sides, workers, refused)
        import numpy as np

        least = min(getattr(one, "progress_rows", PROGRESS_ROWS) for one in self._runners)
        step = most if progress is None else min(most, max(least, rows // 100))
        parts = []
        for begin in range(0, max(rows, 1), step):  # an empty batch is one part
            end = min(begin + step, rows)
            some = [side.part(begin, end) for side in sides]
            parts.append(self._part(left.part(begin, end), some, workers, refused))
            if progress is not None and rows:
                progress(end, rows)
        return [np.concatenate(found, axis=2) for found in zip(*parts, strict=True)]

    def _part(
        self, left: TextColumn, sides: Sequence[Side], workers: int, refused: RowErrors | None
    ) -> list[Floats]:
        return [
            attempt_group(group, runner, (left, right), workers, refused)
            for group, runner, right in zip(self.groups, self._runners, sides, strict=True)
        ]

    def _sides(
        self, left: TextColumn, references: Any, sources: Any, unread: Mapping[str, RowErrors]
    ) -> list[Side]:
        """For each runner the texts to compare candidates with; rows in `unread` have no text."""
        rows = len(left)
        read: dict[str, Side] = {"nothing": left}
        if "references" in self.reads or references is not None:
            noted = unread.get("references")
            right = columns.references(references, "references", False, noted)
            check_lengths(rows, len(right), "rows of references", references)
            if self._only is not None and sources is None:
                return [right]
            read["references"] = right
        if sources is None and "source" not in self.reads:
            return [read[what] for what in self._compared_with]
        if sources is not None and (isinstance(sources, (str, bytes)) or not _is_column(sources)):
            kind = type(sources).__name__
            raise TypeError(f"sources is {kind}; pass a list with the input of each row")
        if "source" in self.reads:
            metric = next(m for m in self.metrics if m.compared_with in ("source", "both"))
            compared(metric, references, sources, "sources")
            read["source"] = columns.references(sources, "sources", refused=unread.get("source"))
            check_lengths(rows, len(read["source"]), "sources")
        elif sources is not None and hasattr(sources, "__len__"):
            check_lengths(rows, len(sources), "sources")
        if self._both:
            read["both"] = Both(read["references"], read["source"])
        return [read[what] for what in self._compared_with]

    def table(
        self, blocks: Sequence[Floats], rows: int, errors: Mapping[int, str] | None = None
    ) -> ScoreTable:
        """The columns of all runners' blocks [metric, field, row], in the order of the metrics."""
        layout = self._layout or self._new_layout()
        if not layout.summed:
            return ScoreTable(
                named_columns(self._columns, blocks, self._places, rows), layout, rows, errors
            )
        sums, seen = {}, []
        for group, block in zip(self.groups, blocks, strict=True):
            width = len(group[0].fields)
            seen.append(block[:, :width])
            for metric, numbers in zip(group, block, strict=True):
                if metric.name in layout.summed:
                    sums[metric.name] = numbers[width:].T
        data = named_columns(self._columns, seen, self._places, rows)
        return ScoreTable(data, layout, rows, errors, sums)

    def _new_layout(self) -> Layout:
        """Return the layout of the suite's tables; it is kept if no metric can change."""
        layout = Layout.of(self.metrics)
        if all(metric.immutable for metric in self.metrics):
            self._layout = layout
        return layout

    def prepare(
        self, references: Texts = None, *, source: Texts = None
    ) -> Prepared[dict[str, Score]]:
        """Read the references (and the source) once, to score many candidates against them."""
        return Prepared(self, references, source)


def _distinct_blocks(
    run: Callable[..., list[Floats]],
    order: tuple[Ints, Ints],
    left: TextColumn,
    sides: Sequence[Side],
    refused: RowErrors | None,
) -> list[Floats]:
    """Run columns with repeated rows, which are scored once."""
    noted = None if refused is None else RowErrors()
    try:
        blocks = run(left.take(order[0]), [side.take(order[0]) for side in sides], noted)
    except (ValueError, MemoryError):  # about a row, which has another number here
        noted = RowErrors({0: "refused"})
    if noted:  # score again, so that messages have the true row numbers
        return run(left, sides, refused)
    return [block.take(order[1], axis=2) for block in blocks]


class Prepared(Generic[Scored]):
    """One set of references or one source, read once; made by `prepare` of a metric or a suite.

    Threads may share it. Its pickle holds the texts, which are read again.

    Attributes
    ----------
    score : callable
        Takes a candidate (str or None) and returns the Score of a prepared metric, or {metric name:
        Score} of a prepared suite. If a kernel does all the work, this is the kernel's own method,
        so a reward loop calls the kernel without a Python frame in between.

    Examples
    --------
    >>> import summeval
    >>> prepared = summeval.metric("rouge1").prepare(["the cat sat down"])
    >>> prepared.score("the cat sat").recall, prepared.score_batch(["a dog"])["rouge1"].tolist()
    (0.75, [0.0])
    """

    score: Callable[[str | None], Scored]

    def __init__(
        self, suite: Suite, references: Texts, source: Texts = None, name: str | None = None
    ) -> None:
        """`name` is the name of the only metric if `score` must return its Score, not a dict."""
        self._suite = suite
        self._references = as_references(references)
        self._source = as_references(source)
        self._name = name
        suite.warn_not_english(self._references, self._source)
        self._runners: list[Runner] = [
            runner.prepare(compared(group[0], self._references, self._source))
            for runner, group in zip(suite._runners, suite.groups, strict=True)
        ]
        given: Any = self._runners[0].run_pair
        if name is not None:
            given = partial(_one_score, given, name)
        elif len(self._runners) > 1:
            given = partial(_all_scores, suite, [runner.run_pair for runner in self._runners])
        self.score = given

    def __reduce__(self) -> tuple[Any, ...]:
        return Prepared, (self._suite, self._references, self._source, self._name)

    def __repr__(self) -> str:
        return f"<Prepared of {self._suite if self._name is None else self._suite.metrics[0]!r}>"

    def score_batch(
        self, candidates: Any, *, workers: int = 1, on_error: OnError = "raise"
    ) -> ScoreTable:
        """Score many candidates against the prepared references; see `summeval.score_batch`."""
        refused = refusals(on_error)
        column = columns.texts(candidates, "candidates", refused=refused)
        blocks = self.blocks(column, check_workers(workers), refused)
        return self._suite.table(blocks, len(column), refused)

    def blocks(
        self, candidates: TextColumn, workers: int, refused: RowErrors | None = None
    ) -> list[Floats]:
        """The scores for the table of `score_batch`: [metric, field, row] for each fused group."""
        self._suite.warn_of(candidates)
        return [
            attempt_group(group, runner, (candidates,), workers, refused, alone=self._again)
            for group, runner in zip(self._suite.groups, self._runners, strict=True)
        ]

    def _again(self, metric: Declared) -> Any:
        """Return the references or the source, read for a single metric."""
        runner: Any = metric.runner()
        return runner.prepare(compared(metric, self._references, self._source))


def _one_score(
    run_pair: Callable[[str | None], dict[str, Score]], name: str, candidate: str | None
) -> Score:
    return run_pair(candidate)[name]


def _all_scores(
    suite: Suite, runs: Sequence[Callable[[str | None], dict[str, Score]]], candidate: str | None
) -> dict[str, Score]:
    found: dict[str, Score] = {}
    for run_pair in runs:
        found.update(run_pair(candidate))
    return suite.in_order(found)


def _is_column(values: object) -> bool:
    """Return whether values can hold one item for each row."""
    names = ("__len__", "__arrow_c_stream__", "__arrow_c_array__")
    return any(hasattr(values, name) for name in names)


def check_lengths(rows: int, others: int, what: str, given: Any = ()) -> None:
    """Raise unless both sides have the same number of rows.

    If each of the `given` is as long as there are rows, they are the streams that sacrebleu takes.
    """
    if rows == others:
        return
    lists = given if isinstance(given, (list, tuple)) else ()
    turned = lists and all(isinstance(one, (list, tuple)) and len(one) == rows for one in lists)
    hint = "turn them round: list(zip(*references))" if turned else "give one for each candidate"
    raise ValueError(f"{rows} candidates but {others} {what}; {hint}")


def as_references(references: Any) -> Any:
    """References that can be read more than once; the kernel refuses what is not iterable."""
    if isinstance(references, (str, list, tuple)) or not hasattr(references, "__iter__"):
        return references
    return references if isinstance(references, (bytes, dict, set)) else list(references)


MOST = 64  # keys; a suite of metric objects has two
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})

_PLAIN = (str, bool, type(None))  # values of options that a key may hold
_OPTIONS = object()  # begins the part of a key that has the options
_NAMES = (str, tuple)  # parts of a key that stand for themselves

_SUITES: OrderedDict[tuple[Any, ...], Suite] = OrderedDict()
_KEYS: WeakValueDictionary[Hashable, Key] = WeakValueDictionary()


class Key:
    """The key that equal metrics share; it is compared by identity, which is fast."""

    __slots__ = ("__weakref__",)


def cached_suite(
    given: Sequence[str | Any],
    make: Callable[..., Sequence[Declared]],
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Suite:
    """Return the suite of these names and metrics; `make` creates the metrics if no suite is kept.

    A suite of metrics that may change is created for each call. `make` is passed the options, if
    there are any.
    """
    key: tuple[Any, ...]
    if options:
        if not all(value.__class__ in _PLAIN for value in options.values()):
            return cached_suite(make(given, options), list)  # equal metrics share a key
        make = partial(make, options=options)
    try:
        key = tuple(given)
        if options:
            key = (*key, (_OPTIONS, *options.items()))
        own, found = key, _SUITES.get(key)
        if found is None:  # neither names, nor the very metrics that a suite was made of
            key = tuple([item if item.__class__ in _NAMES else item._runner_key for item in key])
            found = _SUITES.get(key)
    except (AttributeError, TypeError):  # for an item that is neither; `make` raises the error
        return Suite(make(given))
    if found is None:
        found = Suite(make(given))
        if all(metric.immutable for metric in found.metrics):
            _keep(own, found)
            _keep(key, found)
    elif len(_SUITES) > MOST // 2:  # in so few the order does not matter yet
        with suppress(KeyError):  # if another thread has removed it
            _SUITES.move_to_end(key)
    return found


def _keep(key: tuple[Any, ...], suite: Suite) -> None:
    _SUITES[key] = suite
    with suppress(KeyError):  # if another thread has removed it
        while len(_SUITES) > MOST:
            _SUITES.popitem(last=False)


def forget_suites() -> None:
    """Drop all kept suites: a name may mean another metric now."""
    _SUITES.clear()


def shared_key(parts: Hashable) -> Key:
    """Return the key of equal parts, as long as somebody holds it."""
    # Without a lock: that two threads make a key of their own costs one more kernel at most.
    found = _KEYS.get(parts)
    if found is None:
        found = _KEYS[parts] = Key()
    return found


def frozen(value: Any) -> Hashable:
    """Return a hashable form of a value: plain values are equal by value, others by identity.

    >>> frozen([1, 0.5]) == frozen([1, 0.5]), frozen(1) == frozen(True)
    (True, False)
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes, frozenset):
        return kind, value
    if kind is float:
        return kind, repr(value)  # -0.0 and 0.0 must differ
    if kind in (tuple, list):
        return kind, tuple(map(frozen, value))
    if kind is dict:
        return kind, tuple((frozen(key), frozen(item)) for key, item in value.items())
    if hasattr(kind, "__dataclass_fields__") and kind.__module__.startswith("summeval."):
        # Only the frozen values of the package: a dataclass of a user may change, or be callable.
        return kind, tuple(frozen(getattr(value, name)) for name in kind.__dataclass_fields__)
    return kind, id(value)  # unique as long as a metric with this key exists
