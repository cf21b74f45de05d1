"""Functions and classes as metrics: their fields, options and arguments, and what runs them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from math import inf, isfinite, isnan
from typing import TYPE_CHECKING, Any, ClassVar

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import Option, check_choice, checked, real, shown
from summeval._problem import of_row
from summeval.metrics.option_groups import LABEL
from summeval.metrics.run.base import Metric
from summeval.metrics.run.declared import Both, ComparedWith, block_of
from summeval.metrics.run.explain.items import Asked, BaseExplanation, ExplainedItem, Items
from summeval.metrics.run.refusals import RowErrors
from summeval.metrics.run.runner import texts_of
from summeval.metrics.run.signature import Signed, Value, label_of

if TYPE_CHECKING:
    from summeval._arrays import Floats

Texts = tuple[tuple[str, ...], tuple[str, ...]]  # the references and the documents of the source

RUN = "run_pair"  # the method of a class that scores
SETTINGS = "fields primary higher_is_better compared_with bounds explain citations".split()
_READS: dict[ComparedWith, tuple[str, ...]] = {
    "references": ("references",),
    "source": ("source",),
    "both": ("references", "source"),
    "nothing": (),
}
# What an argument takes by its name: a list, or one text.
_TAKES = {
    "references": {"reference": "reference", "references": "references"},
    "source": dict.fromkeys(("source", "document", "article", "input"), "source")
    | dict.fromkeys(("sources", "documents"), "sources"),
}
_NAMED = {name: side for side, names in _TAKES.items() for name in names}
_KINDS: dict[type, str] = {bool: "bool", int: "whole", float: "number", str: "text"}


class OwnMetric(Metric):
    """A metric that a function, or a class with `run_pair`, computes; `metric_of` makes subclasses.

    Attributes
    ----------
    scorer : callable or class
    title : str
        What it is registered as, in messages with the distribution that brings it.
    takes : tuple of str
        What it takes after the candidate: "references" (a list), "reference" (one after the
        other), "source" (one text), "sources" (a list).
    bounds : (float, float) or None
        The least and the greatest value of each field, where they are known.
    """

    fields = ("value",)
    primary = "value"
    scorer: ClassVar[Any]
    title: ClassVar[str]
    takes: ClassVar[tuple[str, ...]]
    bounds: ClassVar[tuple[float, float] | None]
    _explain: ClassVar[Callable[..., Any] | None]
    _recipe: ClassVar[tuple[str, Any, str, dict[str, Any]]]  # the arguments of `metric_of`

    def __init__(self, *, label: str | None = None, **options: Any) -> None:
        given = {option.name: option.default for option in self.options} | options
        found = checked(self.options, {**given, "label": label})
        self.name = found.pop("label") or self._recipe[0]
        self._given = {key: found[key] for key in options}
        self._values = found
        self._call = self._bound()

    def _bound(self) -> Callable[..., Any]:
        """Return what scores: the function with its options, or `run_pair` of a new object."""
        scorer, given = self.scorer, self._given
        if isinstance(scorer, type):
            found: Callable[..., Any] = getattr(scorer(**given), RUN)
            return found
        return lambda *texts: scorer(*texts, **given)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self._recipe, self.name, self._given)

    def signed(self) -> Signed:
        """Where it comes from, with the version or the place, and its options."""
        name, scorer, origin, _ = self._recipe
        options: dict[str, Value] = {"from": origin.replace(" ", "-") or label_of(scorer, name)}
        for key, value in self._values.items():
            options[key] = label_of(value, name) if callable(value) else str(value)
        return options

    @property
    def best(self) -> dict[str, float]:
        """The bounds that it was registered with; infinite where there are none."""
        low, high = self.bounds or (-inf, inf)
        return {field: high if up else low for field, up in self.directions.items()}

    def new_runner(self) -> OwnRunner:
        return OwnRunner(self)

    def score_texts(self, candidate: str, texts: Texts) -> Score:
        """The score of texts, of which there is at least one of each kind; of several the best."""
        place, sign = self.fields.index(self.primary), 1.0 if self.higher_is_better else -1.0
        found = [self._numbers(self._call(candidate, *each)) for each in self._arguments(texts)]
        known = [one for one in found if not isnan(one[place])] or found[:1]
        return Score(self.fields, max(known, key=lambda one: sign * one[place]), self.primary)

    def _arguments(self, texts: Texts) -> list[list[Any]]:
        """The arguments after the candidate: of one call, or of a call for each reference."""
        references, sources = texts
        given = {
            "references": list(references),
            "sources": list(sources),
            "source": "\n\n".join(sources),
        }
        alone = references if "reference" in self.takes else (None,)
        return [[(given | {"reference": one})[what] for what in self.takes] for one in alone]

    def _numbers(self, result: Any) -> tuple[float, ...]:
        """Return a number for each field, of what the function gave; NaN of None."""
        if result is None:
            return (float("nan"),) * len(self.fields)
        result = _of_runner(result, self._recipe[0])
        if not isinstance(result, (Mapping, Score)):
            if len(self.fields) != 1:
                raise TypeError(
                    f"{self.title} gave {shown(result)}; give a mapping with"
                    f" {', '.join(self.fields)}"
                )
            result = {self.fields[0]: result}
        for field in self.fields:
            if field not in result:
                has = ", ".join(map(str, result.keys())) or "nothing"
                raise TypeError(
                    f"{self.title} gave {has} without the field {field}; register it with "
                    "fields=(…), the names that it gives"
                )
        return tuple(self._number(result[field], field) for field in self.fields)

    def _number(self, value: Any, field: str) -> float:
        if value is None:
            return float("nan")
        number = float(value) if isinstance(value, bool) else real(value)
        if number is None and callable(getattr(value, "item", None)):  # a scalar of an array
            try:
                number = float(value.item())
            except (TypeError, ValueError, RuntimeError):
                number = None
        what = f"{self.title} gave {shown(value) if number is None else number} for {field}"
        if number is None:
            raise TypeError(f"{what}; give a number, or None for no score")
        if not isfinite(number):
            raise ValueError(f"{what}; give a finite number, or None for no score")
        return number

    def explain_texts(self, asked: Asked) -> Items:
        """Return what its own function of explanations gives; otherwise one item."""
        own, given = self._explain, self._given
        if own is None:
            return super().explain_texts(asked)
        if isinstance(self.scorer, type):
            own, given = self._call.__self__.explain, {}  # type: ignore[attr-defined]
        # of the reference that scores best, as the score
        number = asked.best() if "reference" in self.takes else 0
        texts = self._arguments((asked.references, asked.sources))[number]
        result = own(asked.candidate, *texts, **given)
        return result if isinstance(result, BaseExplanation) else _items(self.name, result)


def _of_runner(result: Any, name: str) -> Any:
    """The score itself, where it is given by the name of the metric, as runners here give it."""
    if isinstance(result, Mapping) and isinstance(result.get(name), Score):
        return result[name]
    return result


def _items(name: str, result: Any) -> Iterable[ExplainedItem]:
    """Yield the items of an explanation: each as it is, a mapping, or a text and its share."""
    if isinstance(result, (str, Mapping)) or not isinstance(result, Iterable):
        raise TypeError(f"explain of {name} gave {shown(result)}; give an Explanation or items")
    for item in result:
        if isinstance(item, ExplainedItem):
            yield item
            continue
        try:
            if isinstance(item, Mapping):
                empty: dict[str, Any] = {"candidate_spans": (), "reference_spans": ()}
                yield ExplainedItem(**(empty | dict(item)))
            else:
                text, share = item
                yield ExplainedItem(str(text), (), (), float(share))
        except (TypeError, ValueError) as error:
            known = f": {error}" if isinstance(item, Mapping) else None
            hint = known or "; give pairs of a text and its share"
            raise TypeError(f"explain of {name} gave {shown(item)}{hint}") from None


def metric_of(
    name: str, scorer: Any, origin: str = "", settings: Mapping[str, Any] | None = None
) -> type[OwnMetric]:
    """Return the class of metrics that a function, or a class with `run_pair`, stands for.

    What `settings` leaves out is read from attributes of the scorer, and otherwise from its
    arguments. It has the field `value` where no fields are told.

    Raises
    ------
    TypeError, ValueError
        If it cannot be a metric; the message says what to change.

    Examples
    --------
    >>> def share(candidate, reference, *, weight=1.0):
    ...     return weight * (candidate in reference)
    >>> made = metric_of("share", share)
    >>> made.fields, made.compared_with, made.takes, made.options[0].name
    (('value',), 'references', ('reference',), 'weight')
    """
    is_class = isinstance(scorer, type)
    given = {key: getattr(scorer, key, None) for key in SETTINGS}
    given |= {key: value for key, value in (settings or {}).items() if value is not None}
    method = getattr(scorer, RUN) if is_class else scorer
    texts, others = _parameters(name, method, is_class)
    reads, takes = _reads(name, texts, given["compared_with"])
    if is_class:
        others = _parameters(name, scorer, False)[1]
    title = f"{name} (of {origin})" if origin else name
    bounds = _bounds(name, given["bounds"])
    names = ("value",) if given["fields"] is None else given["fields"]
    fields = _checked_fields(title, (names,) if isinstance(names, str) else tuple(names))
    check_choice(f"primary of {name}", primary := given["primary"] or fields[0], fields)
    attributes = {
        "scorer": staticmethod(scorer),
        "title": title,
        "takes": takes,
        "bounds": bounds,
        "fields": fields,
        "primary": primary,
        "lower_is_better": _lower_is_better(name, fields, given["higher_is_better"]),
        "unbounded": frozenset(fields if bounds != (0.0, 1.0) else ()),
        "compared_with": reads,
        "options": (*map(_option, others), LABEL),
        "_explain": given["explain"] and staticmethod(given["explain"]),
        "_called": name,
        "_recipe": (name, scorer, origin, {**(settings or {}), "fields": fields}),
        "__doc__": getattr(scorer, "__doc__", None) or f"A metric of {origin or 'yours'}",
        "__module__": __name__,
    }
    return type(getattr(scorer, "__name__", type(scorer).__name__), (OwnMetric,), attributes)


def _remade(
    recipe: tuple[str, Any, str, dict[str, Any]], name: str, options: Mapping[str, Any]
) -> OwnMetric:
    """Return the metric again, in a process where it need not be registered."""
    return metric_of(*recipe)(label=name, **options)


def copied(name: str, made: Metric) -> type[Metric]:
    """Return a class whose metrics are copies of an object, under a name."""

    def named(cls: type[Metric], _: str, label: str | None = None) -> Metric:
        found = copy(made)
        found.__dict__["name"] = label or name
        return found

    same = (
        "fields",
        "primary",
        "lower_is_better",
        "unbounded",
        "compared_with",
        "least_references",
    )
    attributes = {
        **{key: getattr(made, key) for key in same},
        "options": (LABEL,),
        "named": classmethod(named),
        "__doc__": type(made).__doc__,
    }
    return type(type(made).__name__, (type(made),), attributes)


def _parameters(
    name: str, function: Any, is_method: bool
) -> tuple[list[inspect.Parameter], list[inspect.Parameter]]:
    """Return the parameters for texts, and those with defaults, which are options."""
    try:
        every = list(inspect.signature(function).parameters.values())[int(is_method) :]
    except (TypeError, ValueError):  # of a C function
        return [inspect.Parameter(key, inspect.Parameter.POSITIONAL_ONLY) for key in "cr"], []
    every = [one for one in every if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    texts = [one for one in every if one.default is one.empty and one.kind != one.KEYWORD_ONLY]
    for one in every:
        if one.default is one.empty and one.kind == one.KEYWORD_ONLY:
            raise TypeError(f"{name}: the option {one.name} has no default; give it one")
    others = [one for one in every if one.default is not one.empty and one.name not in _NAMED]
    return texts, others


def _reads(
    name: str, texts: Sequence[inspect.Parameter], asked: Any
) -> tuple[ComparedWith, tuple[str, ...]]:
    """Return what a candidate is compared with, and the arguments after the candidate.

    An argument is known by its name; one of another name by its place.
    """
    names = [one.name for one in texts][1:]
    by_name = asked is not None and bool(names) and set(names) <= {*_NAMED}
    if asked is not None:
        check_choice(f"compared_with of {name}", asked, tuple(_READS))
    elif len(names) > 2 or not texts:
        raise TypeError(
            f"{name} takes {len(texts)} texts; take (candidate), (candidate, references), "
            "(candidate, source) or (candidate, references, source)"
        )
    elif len(names) == 1:
        asked = _NAMED.get(names[0], "references")
    reads: ComparedWith = asked or ("both" if names else "nothing")
    by_side = dict(zip(_READS[reads], names, strict=False))
    if by_name or len(names) > len(_READS[reads]):
        by_side = {_NAMED.get(one, "references"): one for one in names}
    return reads, tuple(_TAKES[side].get(by_side.get(side, ""), side) for side in _READS[reads])


def _option(one: inspect.Parameter) -> Option:
    kind = _KINDS.get(type(one.default), "any")
    choices = (None,) if one.default is None else ()
    return Option(one.name, one.default, choices, kind)


def _bounds(name: str, given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    try:
        low, high = map(float, given)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not low < high:
        raise ValueError(f"bounds of {name} are {shown(given)}; give (least, greatest)")
    return low, high


def _checked_fields(title: str, fields: tuple[Any, ...]) -> tuple[str, ...]:
    for field in fields:
        if not isinstance(field, str) or not field.isidentifier() or fields.count(field) > 1:
            raise ValueError(f"{title} has the field {shown(field)}; name each once, as a word")
    if not fields:
        raise ValueError(f"{title} has no fields; name one at least")
    return fields


def _lower_is_better(name: str, fields: Sequence[str], given: Any) -> frozenset[str]:
    """Return the fields in which lower is better."""
    if given is None or isinstance(given, bool):
        return frozenset(fields if given is False else ())
    if not isinstance(given, Mapping):
        raise TypeError(f"higher_is_better of {name} is {shown(given)}; give True, False or a dict")
    for field in given:
        check_choice(f"a field of higher_is_better of {name}", field, fields)
    return frozenset(field for field, up in given.items() if not up)


class OwnRunner:
    """Runs one metric row by row, in Python: so more threads would not be faster.

    `texts` are those that candidates are compared with, if they are known beforehand.
    """

    notes_rows = True

    def __init__(self, metric: OwnMetric, texts: Texts = ((), ())) -> None:
        self.metric, self._texts = metric, texts
        self._unscored = Score(metric.fields, (float("nan"),) * len(metric.fields), metric.primary)

    def prepare(self, references: Any) -> OwnRunner:
        return OwnRunner(self.metric, _given(*self._sides(references)))

    def run_pair(self, candidate: str | None, *references: Any) -> dict[str, Score]:
        texts = _given(*self._sides(*references)) if references else self._texts
        columns.check_text(candidate, "candidate")
        return {self.metric.name: self._score(candidate, texts)}

    def run_rows(
        self, candidates: columns.TextColumn, *given: Any, refused: RowErrors | None = None
    ) -> Floats:
        *references, _ = given
        texts = [self._texts] * len(candidates)
        if references:
            absent = [None] * len(candidates)
            sides = self._sides(*references)
            columns_of = [absent if side is None else side.to_list() for side in sides]
            texts = [_given(*row) for row in zip(*columns_of, strict=True)]
        scores = []
        rows = zip(candidates.to_list(), texts, strict=True)
        for row, (candidate, others) in enumerate(rows, candidates.first):
            try:
                scores.append(self._score(candidate, others))
            except Exception as error:
                if refused is None:
                    raise self._of_row(row, error) from error
                refused.add(row, error)
                scores.append(self._unscored)
        return block_of(scores, self.metric.fields)

    def _score(self, candidate: str | None, texts: Texts) -> Score:
        """Return the score of a row; NaN where a text is missing."""
        wanted = _READS[self.metric.compared_with]
        sides = zip(("references", "source"), texts, strict=True)
        if candidate is None or any(side in wanted and not given for side, given in sides):
            return self._unscored
        return self.metric.score_texts(candidate, texts)

    def _of_row(self, row: int, error: Exception) -> Exception:
        """Return the error with the row and the metric; its type is kept where that is possible."""
        said = " ".join(str(error).split()) or type(error).__name__
        title = self.metric.title
        if not said.startswith(title):
            said = f"{title}: {type(error).__name__}: {said}"
        kind = type(error) if isinstance(error, ImportError) else ValueError
        return of_row(kind(f"row {row}: {said}"), row)

    def _sides(self, given: Any) -> tuple[Any, Any]:
        """Return the references and the source, None for what is not read."""
        reads = self.metric.compared_with
        if isinstance(given, Both):
            return given.references, given.source
        return (given if reads == "references" else None), (given if reads == "source" else None)


def _given(references: Any, sources: Any) -> Texts:
    """Return the texts of a row that are not None, each checked."""
    sides = (texts_of(references, "references"), texts_of(sources, "source"))
    found = [tuple(text for text in side if text is not None) for side in sides]
    return found[0], found[1]
