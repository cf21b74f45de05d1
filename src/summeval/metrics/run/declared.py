"""The declaration of a class of metrics, and what suites and runners need of it."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from math import inf
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    Union,
    dataclass_transform,
)

from summeval._options import Option, option, unknown
from summeval.metrics.run.signature import Signature, Signed

if TYPE_CHECKING:
    from typing import Self

    from summeval._arrays import AnyArray, Floats
    from summeval._core.columns.columns import TextColumn
    from summeval._core.rows.record import Score

_ANY_KEYWORD = 0x08  # in the flags of a code object

ComparedWith = Literal["references", "source", "both", "nothing"]
OnError = Literal["raise", "skip"]
# The texts of a row: one or several, of which those that are None do not count.
Texts: TypeAlias = str | Iterable[str | None] | None


class Both(NamedTuple):
    """The texts that a metric of references and the source compares with.

    Columns of texts in a batch, else the texts of one row.
    """

    references: Any
    source: Any

    def part(self, begin: int, end: int) -> Both:
        """Some rows of both columns."""
        return Both(self.references.part(begin, end), self.source.part(begin, end))

    def take(self, rows: AnyArray) -> Both:
        """Return the rows of both columns in another order."""
        return Both(self.references.take(rows), self.source.take(rows))


Side: TypeAlias = Union["TextColumn", Both]


def picked(side: Any, what: ComparedWith) -> Any:
    """Return what a metric reads of a side: of `Both` its part, of any other all of it.

    >>> picked(Both("a reference", "an input"), "source"), picked("an input", "source")
    ('an input', 'an input')
    """
    if isinstance(side, Both) and what in ("references", "source"):
        return side.references if what == "references" else side.source
    return side


def flat(sides: Iterable[Side]) -> list[TextColumn]:
    """Return the columns of sides, one by one."""
    return [
        column
        for side in sides
        for column in ((side.references, side.source) if isinstance(side, Both) else (side,))
    ]


class Runner(Protocol):
    """Scores candidates by several metrics of one family, which share a pass over the texts.

    `run_pair` gives the scores of a candidate and references by the names of the metrics,
    `run_rows` those of columns and a number of workers as [metric, field, row]; `prepare` a runner
    that has read the references, and takes candidates alone. `run_rows` of a class with
    `notes_rows = True` takes `refused`, a `RowErrors` or None, where it notes the rows that it
    refuses, whose scores are NaN. Any other raises.

    Where the metrics compare with the source, `references` are the texts of the source; where they
    read both, they are a `Both`; where they look at the candidate alone, whatever is passed is not
    read.
    """

    @property
    def run_pair(self) -> Callable[..., dict[str, Score]]: ...

    @property
    def run_rows(self) -> Callable[..., Floats]: ...


def parse_once(parsers: Sequence[Any]) -> None:
    """Let parsers with one provider ask for what any of them reads, so that they share parses."""
    for one in parsers:
        for other in parsers:
            if one.given == other.given:
                one.asking_for |= other.asking_for


class _ClassSignature:
    """The signature that `inspect.signature` shows of a class that declares its options."""

    def __get__(self, made: object, kind: type[Declared]) -> Any:
        import inspect
        from inspect import Parameter

        if kind.__init__ is not Declared.__init__:
            found = inspect.signature(kind.__init__)
            return found.replace(parameters=list(found.parameters.values())[1:])
        types = {
            k: v for one in reversed(kind.__mro__) for k, v in inspect.get_annotations(one).items()
        }
        return inspect.Signature(
            [
                Parameter(
                    one.name,
                    Parameter.KEYWORD_ONLY if one.kw_only else Parameter.POSITIONAL_OR_KEYWORD,
                    default=one.default,
                    annotation=types[one.name],
                )
                for one in kind.declared.values()
            ]
        )


@dataclass_transform(kw_only_default=True, field_specifiers=(option,))
class Declared(ABC):
    """Objects whose options are declared as typed attributes of their class, and then set once.

    Of an attribute such as `gap: int | None = option(default=4, ...)` follow the keyword of
    `__init__`, its check and its form on the command line. `__post_init__` makes the rest of it.

    >>> import summeval
    >>> summeval.TeslaS(gapp=3)
    Traceback (most recent call last):
    TypeError: unknown option of TeslaS 'gapp'; did you mean gap?

    Attributes
    ----------
    declared : mapping of str to Option
        Of a class: all its options, `label` the last.
    options : tuple of Option
        Of a class: what `summeval.metric` takes for it, in the order of the signature; by default
        the declared ones that are given by name.
    tokenizer : object
        A name or a callable, None for metrics that parse or count.
    lacking : (str, sequence of str, sequence of str) or None
        The fields without numbers for want of options: a name, the fields, and the options as the
        command line names them, `simetrix.idf`.
    wants_lines : bool
        Whether the metric compares sentences, and takes a line for one.
    parsers : sequence of summeval.metrics.parsed.TextParser
        The parser of its texts, if it has one.
    unchanging : bool
        Of a class: whether its objects stay as they are made, so that equal ones share a kernel.
    """

    declared: ClassVar[Mapping[str, Option]] = {}
    options: ClassVar[tuple[Option, ...]] = ()
    immutable: ClassVar[bool] = False
    # what is annotated here is no option of those who inherit it
    name: str
    names: tuple[str, ...] = ()
    others: str = ""
    summary: str | tuple[tuple[str, str], ...] = ""
    fields: tuple[str, ...]
    primary: str
    languages: tuple[str, ...] = ()
    least_references: ClassVar[int] = 1
    unbounded: ClassVar[frozenset[str]] = frozenset()
    lower_is_better: ClassVar[frozenset[str]] = frozenset()
    compared_with: ClassVar[ComparedWith] = "references"
    higher_is_better: ClassVar[bool] = True
    summed: ClassVar[bool] = False
    tokenizer: object = None
    lacking: tuple[str, Sequence[str], Sequence[str]] | None = None
    needs_sentences: bool = False
    parsers: Sequence[Any] = ()
    _text_options: Any
    _called: str = ""  # in the signature, if not by the first of its names

    def __init__(self, *given: Any, **options: Any) -> None:
        declared, values = self.declared, vars(self)
        if given:
            first = [name for name, one in declared.items() if not one.kw_only]
            if len(given) > len(first):
                raise TypeError(f"{type(self).__name__} takes its options by name, not by place")
            options = dict(zip(first, given, strict=False)) | options
        for name in options:
            if name not in declared:
                raise TypeError(unknown(f"option of {type(self).__name__}", name, declared))
        for name, one in declared.items():
            values[name] = one.check(options[name]) if name in options else one.default
        if values.get("language"):
            from summeval.text.languages import settings

            found = settings(values["language"]).items()
            values.update((k, v) for k, v in found if k in declared and k not in options)
        if self.names and "name" not in declared:
            self.name = values["label"] or self.names[0]
        self.__post_init__()
        if type(self).__init__ is Declared.__init__:
            values["_made"] = True

    def __post_init__(self) -> None:  # noqa: B027
        """Make the rest of the object from its options."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Options are set where the metric is made; later they would change a part or nothing.

        >>> import summeval
        >>> summeval.metric("rouge1").stemmer = "porter"
        Traceback (most recent call last):
        AttributeError: rouge1 is immutable: make another with metric('rouge1', stemmer=...)
        """
        self._check_free(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        self._check_free(name)
        object.__delattr__(self, name)

    def _check_free(self, name: str) -> None:
        """Raise if an attribute must stay as it was made."""
        if (
            "_made" in self.__dict__
            and not name.startswith("_")
            and (self.immutable or name in self.declared or self._is_unused(name))
        ):
            raise AttributeError(
                f"{self.name} is immutable: make another with metric({self.name!r}, {name}=...)"
            )

    def _is_unused(self, name: str) -> bool:
        """Whether an option is no attribute, such as a model that can be trained, or loaded."""
        return name not in self.__dict__ and any(option.name == name for option in self.options)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = {k: v._replace(name=k) for k, v in vars(cls).items() if isinstance(v, Option)}
        if own:
            every = {**cls.declared, **own}
            last = {"label": every.pop("label")} if "label" in every else {}
            cls.declared = {**every, **last}
            if "options" not in vars(cls):
                cls.options = tuple(one for one in cls.declared.values() if one.kw_only)
            cls.__signature__ = _ClassSignature()  # type: ignore[attr-defined]
        if "__init__" in vars(cls):
            cls.__init__ = _noting_the_end(cls.__init__)  # type: ignore[method-assign]
        cls.higher_is_better = getattr(cls, "primary", None) not in cls.lower_is_better

    @classmethod
    def named(cls, name: str, **options: Any) -> Self:
        """Return the metric of a name that the registry has for the class."""
        first = next(iter(cls.declared.values()), None)
        return cls(**options) if first is None or first.kw_only else cls(name, **options)

    @property
    def signature(self) -> Signature:
        """The line that fixes the numbers: name, options, resources, version; known beforehand."""
        return Signature.of(self._called or self.names[0], self.signed())

    def signed(self) -> Signed:
        """Return the options in the signature, by their names there."""
        return {}

    @property
    def directions(self) -> dict[str, bool]:
        """For each field whether a higher number is better.

        >>> import summeval
        >>> summeval.metric("rouge1").directions
        {'precision': True, 'recall': True, 'fmeasure': True}
        """
        return {field: field not in self.lower_is_better for field in self.fields}

    @property
    def best(self) -> dict[str, float]:
        """For each field what no text goes beyond for the better; infinite where it has no bound.

        >>> import summeval
        >>> best = summeval.metric("simetrix").best
        >>> best["cosineAllWords"], best["unsmoothedJSD"], best["multinomialProb"]
        (1.0, 0.0, inf)
        """
        found = {field: float(up) for field, up in self.directions.items()}
        for field in self.unbounded:
            found[field] = inf if self.directions[field] else -inf
        return found

    def without_jackknife(self) -> Any:
        """The metric for scores that are jackknifed from outside: one that does not do it itself.

        >>> import summeval
        >>> summeval.metric("rouge1").without_jackknife().name
        'rouge1'
        """
        given = {name: getattr(self, name) for name in self.declared}
        return type(self)(**(given | {"jackknife": False})) if given.get("jackknife") else self

    def fusion_key(self) -> Hashable:
        """Metrics with equal keys are run together by `fuse`; by default each runs alone."""
        return (type(self), self.name)

    @staticmethod
    def fuse(metrics: Sequence[Any]) -> Runner:
        """One runner for metrics with equal keys, in their order."""
        (metric,) = metrics
        runner: Runner = metric.new_runner()
        return runner

    def new_runner(self) -> Any:
        """Return a runner of this metric alone, for one that shares none."""
        raise NotImplementedError(f"{type(self).__name__} has no runner; define new_runner")

    def runner(self) -> Runner:
        """Return the runner of this metric alone; made on first use and cached."""
        runner: Runner | None = self.__dict__.get("_runner")
        if runner is None:
            runner = self.__dict__["_runner"] = self.fuse([self._unlinked()])
        return runner

    def _unlinked(self) -> Self:
        """Return what its runner may hold: with the metric itself there would be a cycle.

        The memory of kernels would stay until the collector runs, which does not see it.
        """
        if not self.immutable:
            return self
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_runner")}


def _noting_the_end(initialise: Callable[..., None]) -> Callable[..., None]:
    """The `__init__` of a class: it refuses unknown options and notes that the object is made."""
    code = getattr(initialise, "__code__", None)
    known: tuple[str, ...] | None = None
    if code is not None and not code.co_flags & _ANY_KEYWORD:
        known = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]

    @wraps(initialise)
    def initialised(self: Declared, *arguments: Any, **options: Any) -> None:
        for name in options:
            if known is not None and name not in known:
                raise TypeError(unknown(f"option of {type(self).__name__}", name, known))
        initialise(self, *arguments, **options)
        if type(self).__init__ is initialised:  # not where a subclass calls it, which goes on
            self.__dict__["_made"] = True

    return initialised


def block_of(scores: Sequence[Score], fields: Sequence[str]) -> Floats:
    """Return the scores of one metric as a Runner returns them: [metric, field, row]."""
    import numpy as np

    values = [[score[field] for field in fields] for score in scores]
    table: Floats = np.array(values, dtype=np.float64).reshape(-1, len(fields))
    return np.ascontiguousarray(table.T[None])


def compared(metric: Declared, references: Any, source: Any, what: str = "source") -> Any:
    """Return what the metric compares with; `what` is the argument that holds the source."""
    if metric.compared_with == "references":
        return references
    if metric.compared_with == "nothing":
        return None
    if source is None:
        raise ValueError(f"{metric.name} compares a candidate with its input; pass {what}=")
    if metric.compared_with == "source":
        return source
    if references is None:
        raise ValueError(f"{metric.name} compares a candidate with references; pass references=")
    return Both(references, source)
