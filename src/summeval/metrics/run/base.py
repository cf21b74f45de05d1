"""The base class of metrics: a name, a signature, and a shared run with its family."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import wraps
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from summeval._cached import cached_property
from summeval._options import Option, option, unknown
from summeval.metrics.kept import Key, frozen, kept_suite, shared_key
from summeval.metrics.option_groups import LABEL
from summeval.metrics.run.callables import label
from summeval.metrics.run.notices import warn_lacking, warn_not_english
from summeval.metrics.run.protocols import ComparedWith, OnError, Runner, compared
from summeval.metrics.run.suite import Prepared, as_references

if TYPE_CHECKING:
    from typing import Self

    from summeval._core.rows.record import Score
    from summeval.metrics.run.explain.explanation import Explanation
    from summeval.metrics.run.protocols import TextParser
    from summeval.metrics.run.signature import Signature
    from summeval.metrics.run.table import ScoreTable
    from summeval.solvers.registry import Problem


_ANY_KEYWORD = 0x08  # in the flags of a code object


class _ClassSignature:
    """What `inspect.signature` shows of a class that declares its options."""

    def __get__(self, made: object, kind: type[Declared]) -> Any:
        from inspect import Parameter, Signature, get_annotations, signature

        if kind.__init__ is not Declared.__init__:
            found = signature(kind.__init__)
            return found.replace(parameters=list(found.parameters.values())[1:])
        types = {k: v for one in reversed(kind.__mro__) for k, v in get_annotations(one).items()}
        return Signature(
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

    Attributes
    ----------
    declared : mapping of str to Option
        Of a class: all its options, `label` the last.
    options : tuple of Option
        Of a class: what `summeval.metric` takes for it, in the order of the signature; by default
        the declared ones that are given by name.
    unchanging : bool
        Of a class: whether its objects stay as they are made, so that equal ones share a kernel.
    """

    declared: ClassVar[Mapping[str, Option]] = {}
    options: ClassVar[tuple[Option, ...]] = ()
    unchanging: ClassVar[bool] = False
    # what is annotated here is no option of those who inherit it
    name: str
    names: tuple[str, ...] = ()
    others: str = ""
    summary: str | tuple[tuple[str, str], ...] = ""
    fields: tuple[str, ...]
    primary: str
    languages: tuple[str, ...] = ()

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
        if self.names:
            self.name = values["label"] or self.names[0]
        self.__post_init__()
        if type(self).__init__ is Declared.__init__:
            values["_made"] = True

    def __post_init__(self) -> None:  # noqa: B027
        """Make the rest of the object from its options."""

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        """An option that the class does not have is told with the nearest that it has.

        >>> import summeval
        >>> summeval.TeslaS(gapp=3)
        Traceback (most recent call last):
        TypeError: unknown option of TeslaS 'gapp'; did you mean gap?
        """
        made_by: Any = getattr(cls.__init__, "__wrapped__", cls.__init__)
        code = getattr(made_by, "__code__", None) if options else None
        if code is not None and not code.co_flags & _ANY_KEYWORD:
            known = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
            for option in options:
                if option not in known:
                    raise TypeError(unknown(f"option of {cls.__name__}", option, known))
        return super().__new__(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        """Options are set where the metric is made; later they would change a part or nothing.

        >>> import summeval
        >>> summeval.metric("rouge1").stemmer = "porter"
        Traceback (most recent call last):
        AttributeError: rouge1 is immutable: make another with metric('rouge1', stemmer=...)
        """
        if (
            "_made" in self.__dict__
            and not name.startswith("_")
            and (self.unchanging or name in self.declared or self._is_unused(name))
        ):
            raise AttributeError(
                f"{self.name} is immutable: make another with metric({self.name!r}, {name}=...)"
            )
        object.__setattr__(self, name, value)

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


class Metric(Declared):
    """A metric with its options set.

    Parameters
    ----------
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Attributes
    ----------
    name : str
        Its key in the results of `score`, and the first part of its column names.
    names : tuple of str
        Of a class: the names of its metrics; the first is that of an object without a label.
    others : str
        Of a class: a pattern of names that are accepted, but not listed.
    summary : str, or tuple of (str, str)
        Of a class: what its metrics measure, in a few words; or by patterns of names.
    fields : tuple of str
        The fields of its Score that are numbers, each a column of a ScoreTable.
    primary : str
        The field that `Score.value` returns.
    compared_with : "references", "source", "both" or "nothing"
        What a candidate is compared with.
    falling : frozenset of str
        Of a class: the fields that are better the lower they are, such as a divergence.
    unbounded : frozenset of str
        Of a class: the fields that may be better than 1, or than 0 if they fall.
    least_references : int
        Of a class: how many references a row needs at the least.
    languages : tuple of str
        The languages that it is made for, as ISO 639-1 codes; empty for any.
    higher_is_better : bool
        Of a class: whether a higher primary field is better.
    tokenizer : object
        What makes tokens of texts: a name or a callable, None for metrics that parse or count.
    """

    label: str | None = LABEL
    least_references: ClassVar[int] = 1
    unbounded: ClassVar[frozenset[str]] = frozenset()
    falling: ClassVar[frozenset[str]] = frozenset()
    compared_with: ClassVar[ComparedWith] = "references"
    higher_is_better: ClassVar[bool] = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.higher_is_better = getattr(cls, "primary", None) not in cls.falling

    @classmethod
    def named(cls, name: str, **options: Any) -> Metric:
        """The metric of a name that the registry has for the class."""
        return cls(**options)

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """What the numbers depend on: name, options, resources and version, known beforehand."""

    @property
    def tokenizer(self) -> object:
        """What makes tokens of texts: a name or a callable, None for metrics that parse or count.

        >>> import summeval
        >>> summeval.metric("rouge1").tokenizer, summeval.metric("memog").tokenizer
        ('rouge155', None)
        """
        text_options = getattr(self, "_text_options", None)
        return getattr(self, "_tokenizer", None) if text_options is None else text_options.tokenizer

    @property
    def lacking(self) -> tuple[str, Sequence[str], Sequence[str]] | None:
        """What has no numbers for want of options: a name, the fields, the options; or None.

        The options are named as the command line names them, `simetrix.idf`.
        """
        return None

    @property
    def wants_lines(self) -> bool:
        """Whether the metric compares sentences, and takes a line for one."""
        return False

    @property
    def parsers(self) -> Sequence[TextParser]:
        """What parses its texts, if anything does."""
        return ()

    @property
    def directions(self) -> dict[str, bool]:
        """For each field whether a higher number is better.

        >>> import summeval
        >>> summeval.metric("rouge1").directions
        {'precision': True, 'recall': True, 'fmeasure': True}
        """
        return {field: field not in self.falling for field in self.fields}

    @property
    def best(self) -> dict[str, float]:
        """For each field what no text goes beyond for the better; infinite where it has no bound.

        >>> import summeval
        >>> best = summeval.metric("simetrix").best
        >>> best["cosineAllWords"], best["unsmoothedJSD"], best["multinomialProb"]
        (1.0, 0.0, inf)
        """
        found = {field: float(rising) for field, rising in self.directions.items()}
        for field in self.unbounded:
            found[field] = inf if self.directions[field] else -inf
        return found

    def without_jackknife(self) -> Metric:
        """The metric for scores that are jackknifed from outside: one that does not do it itself.

        >>> import summeval
        >>> summeval.metric("rouge1").without_jackknife().name
        'rouge1'
        """
        return self

    def fusion_key(self) -> Hashable:
        """Metrics with equal keys are run together by `fuse`; by default each runs alone."""
        return (type(self), self.name)

    @staticmethod
    @abstractmethod
    def fuse(metrics: Sequence[Any]) -> Runner:
        """One runner for metrics with equal keys, in their order."""

    def score(
        self,
        candidate: str | None,
        references: str | Iterable[str | None] | None = None,
        *,
        source: str | Iterable[str | None] | None = None,
    ) -> Score:
        """Score one candidate against one reference (a str) or several.

        Parameters
        ----------
        candidate : str or None
        references : str or iterable of str
            References that are None are left out.
        source : str or iterable of str
            The input: one text or several documents, for metrics that compare with it.

        Returns
        -------
        Score
            NaN in every field if the candidate is None or there is nothing to compare it with.

        Raises
        ------
        TypeError
            If a text is neither str nor None.
        ValueError
            If a text contains an unpaired surrogate, or the source is needed and was not given.
        """
        if self.compared_with != "references" or self.languages:
            references, source = as_references(references), as_references(source)
            if self.languages:
                warn_not_english((self,), (candidate, references, source))
            references = compared(self, references, source)
            warn_lacking((self,))
        return self.runner().run_pair(candidate, references)[self.name]

    def score_batch(
        self,
        candidates: Any,
        references: Any = None,
        *,
        sources: Any = None,
        workers: int = 1,
        on_error: OnError = "raise",
    ) -> ScoreTable:
        """Score row by row; see `summeval.score_batch`."""
        return kept_suite((self,), list).score_batch(
            candidates, references, sources=sources, workers=workers, on_error=on_error
        )

    def prepare(
        self,
        references: str | Iterable[str | None] | None = None,
        *,
        source: str | Iterable[str | None] | None = None,
    ) -> Prepared[Score]:
        """Read the references (or the source) once, to score many candidates against them."""
        return Prepared(kept_suite((self,), list), references, source, self.name)

    def explain(
        self,
        candidate: str | None,
        references: str | Iterable[str | None] | None = None,
        *,
        source: str | Iterable[str | None] | None = None,
    ) -> Explanation:
        """What the value of a score comes from, piece by piece.

        Parameters
        ----------
        candidate, references, source
            As for `score`; texts that are None are left out.

        Returns
        -------
        Explanation
            Items with spans of characters in the texts as they were given. Where the value is a
            sum, the shares of the items add up to it.

        Raises
        ------
        ValueError
            If the candidate is None, or there is nothing to compare it with.
        """
        from summeval.metrics.run.explain.explanation import asked

        return self.explain_texts(*asked(self, candidate, references, source))

    def explain_texts(
        self, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
    ) -> Explanation:
        """As `explain`, of texts that were checked; what metrics override.

        By default the value is one item.
        """
        from summeval.metrics.run.explain.explanation import Asked, as_one_item

        value = float(self.score(candidate, references or None, source=sources or None).value)
        return as_one_item(self.name, self.primary, value, Asked(candidate, references, sources))

    def runner(self) -> Runner:
        """The runner of this metric alone; made on first use and cached."""
        runner: Runner | None = self.__dict__.get("_runner")
        if runner is None:
            runner = self.__dict__["_runner"] = self.fuse([self._unlinked()])
        return runner

    def _unlinked(self) -> Self:
        """What its runner may hold: with the metric itself there would be a cycle.

        The memory of kernels would stay until the collector runs, which does not see it.
        """
        if not self.unchanging:
            return self
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    @cached_property
    def _runner_key(self) -> Key:
        """What this metric's suites are kept by: equal metrics that do not change share it."""
        if not self.unchanging:
            return Key()
        parts = {k: v for k, v in self.__dict__.items() if not k.startswith("_runner")}
        return shared_key((type(self), frozen(parts)))

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_runner")}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.signature}>"


def _noting_the_end(initialise: Callable[..., None]) -> Callable[..., None]:
    """The `__init__` of a class, which notes that the object is made."""

    @wraps(initialise)
    def initialised(self: Metric, *arguments: Any, **options: Any) -> None:
        initialise(self, *arguments, **options)
        if type(self).__init__ is initialised:  # not where a subclass calls it, which goes on
            self.__dict__["_made"] = True

    return initialised


def check_solver(problem: Problem, solver: str) -> None:
    """Raise unless `solver` is a back end for the problem that can be used here."""
    if solver != "kernel":  # which is always there, and for which nothing is imported
        from summeval.solvers.registry import load

        load(problem, solver)


def solver_label(problem: Problem, solver: str, named: str | None) -> str:
    """The name of a back end, with what tells one that was registered from that of others."""
    registry = sys.modules.get("summeval.solvers.registry")
    if registry is None:  # nothing was registered
        return solver
    run = registry.back_ends(problem)[solver].run
    if isinstance(run, str):
        return solver if run.startswith("summeval.") else f"{solver}-{run}"
    home = getattr(run, "__module__", None) or ""
    if home.startswith("summeval."):
        return solver
    return f"{solver}-{label(run, named)}"
