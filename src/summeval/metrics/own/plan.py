"""What a function or a class is as a metric: its fields, directions, options and arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple

from summeval._core.rows.record import Score
from summeval._options import Option, check_choice, real, shown
from summeval.metrics.option_groups import LABEL
from summeval.metrics.run.protocols import ComparedWith

READS: dict[ComparedWith, tuple[str, ...]] = {
    "references": ("references",),
    "source": ("source",),
    "both": ("references", "source"),
    "nothing": (),
}
RUN = "run_pair"  # the method of a class that scores
SETTINGS = (
    "fields",
    "primary",
    "higher_is_better",
    "compared_with",
    "bounds",
    "explain",
    "citations",
)

_OF_SOURCE = {"source": "source", "sources": "sources", "document": "source"}
_OF_SOURCE |= {"documents": "sources", "article": "source", "input": "source"}
_OF_REFERENCES = {"reference": "reference", "references": "references"}
_PROBE = {"reference": "a b", "references": ["a b"], "source": "a b c", "sources": ["a b c"]}
_KINDS: dict[type, str] = {bool: "bool", int: "whole", float: "number", str: "text"}


class Plan(NamedTuple):
    """How a function, or a class with `run_pair`, is run as a metric.

    Attributes
    ----------
    name : str
        What it is registered as.
    scorer : callable or class
    origin : str
        The distribution that brings it, with its version; empty for one of the program.
    fields : tuple of str
    primary : str
    falling : frozenset of str
        The fields in which lower is better.
    compared_with : str
    takes : tuple of str
        What it takes after the candidate: "references" (a list), "reference" (one after the
        other), "source" (one text), "sources" (a list).
    options : tuple of Option
    bounds : (float, float) or None
        The least and the greatest value of each field, where they are known.
    explain : callable or None
    """

    name: str
    scorer: Any
    origin: str
    fields: tuple[str, ...]
    primary: str
    falling: frozenset[str]
    compared_with: ComparedWith
    takes: tuple[str, ...]
    options: tuple[Option, ...]
    bounds: tuple[float, float] | None
    explain: Callable[..., Any] | None

    @property
    def told(self) -> str:
        """Its name in messages, with the distribution that brings it."""
        return f"{self.name} (of {self.origin})" if self.origin else self.name

    def bound(self, options: Mapping[str, Any]) -> Callable[..., Any]:
        """What scores: the function with its options, or `run_pair` of a new object."""
        if isinstance(self.scorer, type):
            found: Callable[..., Any] = getattr(self.scorer(**options), RUN)
            return found
        return lambda *texts: self.scorer(*texts, **options)

    def numbers(self, result: Any) -> tuple[float, ...]:
        """A number for each field, of what the function gave; NaN of None.

        Raises
        ------
        TypeError
            For what is neither a number, nor a mapping that has the fields, nor None.
        ValueError
            For a number that is not finite.
        """
        if result is None:
            return (float("nan"),) * len(self.fields)
        if isinstance(result, Mapping) and isinstance(result.get(self.name), Score):
            result = result[self.name]  # as the runners of the package give it
        if isinstance(result, (Mapping, Score)):
            missing = [field for field in self.fields if field not in result]
            if missing:
                has = ", ".join(map(str, result.keys())) or "nothing"
                raise TypeError(
                    f"{self.told} gave {has} without the field {missing[0]}; register it with "
                    "fields=(…), the names that it gives"
                )
            return tuple(self._number(result[field], field) for field in self.fields)
        if len(self.fields) != 1:
            raise TypeError(
                f"{self.told} gave {shown(result)}; give a mapping with {', '.join(self.fields)}"
            )
        return (self._number(result, self.fields[0]),)

    def _number(self, value: Any, field: str) -> float:
        if value is None:
            return float("nan")
        number = float(value) if isinstance(value, bool) else real(value)
        if number is None and callable(getattr(value, "item", None)):  # a scalar of an array
            try:
                number = float(value.item())
            except (TypeError, ValueError, RuntimeError):
                number = None
        if number is None:
            raise TypeError(
                f"{self.told} gave {shown(value)} for {field}; give a number, or None for no score"
            )
        if not isfinite(number):
            raise ValueError(
                f"{self.told} gave {number} for {field}; give a finite number, or None for no score"
            )
        return number


def planned(
    name: str, scorer: Any, origin: str = "", settings: Mapping[str, Any] | None = None
) -> Plan:
    """The plan of a function, or of a class with `run_pair`.

    What `settings` leaves out is read from attributes of the scorer, and otherwise from its
    arguments; for the names of the fields it is called once, with texts of a few letters.

    Raises
    ------
    TypeError, ValueError
        If it cannot be a metric; the message says what to change.

    Examples
    --------
    >>> def share(candidate, reference, *, weight=1.0):
    ...     return weight * (candidate in reference)
    >>> plan = planned("share", share)
    >>> plan.fields, plan.compared_with, plan.takes, plan.options[0].name
    (('value',), 'references', ('reference',), 'weight')
    """
    given = {key: getattr(scorer, key, None) for key in SETTINGS}
    given |= {key: value for key, value in (settings or {}).items() if value is not None}
    method = getattr(scorer, RUN) if isinstance(scorer, type) else scorer
    texts, others = _parameters(name, method, isinstance(scorer, type))
    reads, takes = _reads(name, texts, given["compared_with"])
    if isinstance(scorer, type):
        others = _parameters(name, scorer, False)[1]
    options = (*(_option(one) for one in others), LABEL)
    plan = Plan(
        name, scorer, origin, (), "", frozenset(), reads, takes, options,
        _bounds(name, given["bounds"]), given["explain"],
    )  # fmt: skip
    plan = plan._replace(fields=_fields(plan, given["fields"], method))
    primary = given["primary"] or plan.fields[0]
    check_choice(f"primary of {name}", primary, plan.fields)
    return plan._replace(primary=primary, falling=_falling(name, plan, given["higher_is_better"]))


def _parameters(
    name: str, function: Any, is_method: bool
) -> tuple[list[inspect.Parameter], list[inspect.Parameter]]:
    """The parameters for texts, and those with defaults, which are options."""
    try:
        every = list(inspect.signature(function).parameters.values())[int(is_method) :]
    except (TypeError, ValueError):  # of a C function
        return [inspect.Parameter(key, inspect.Parameter.POSITIONAL_ONLY) for key in "cr"], []
    every = [one for one in every if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    texts = [one for one in every if one.default is one.empty and one.kind != one.KEYWORD_ONLY]
    for one in every:
        if one.default is one.empty and one.kind == one.KEYWORD_ONLY:
            raise TypeError(f"{name}: the option {one.name} has no default; give it one")
    known = {*_OF_SOURCE, *_OF_REFERENCES}
    others = [one for one in every if one.default is not one.empty and one.name not in known]
    return texts, others


def _reads(
    name: str, texts: Sequence[inspect.Parameter], asked: Any
) -> tuple[ComparedWith, tuple[str, ...]]:
    """What a candidate is compared with, and the arguments after the candidate."""
    names = [one.name for one in texts][1:]
    if asked is not None:
        check_choice(f"compared_with of {name}", asked, tuple(READS))
        wanted = READS[asked]
        kept = dict(zip(wanted, names, strict=False))
        known = {"references": _OF_REFERENCES, "source": _OF_SOURCE}
        if len(names) > len(wanted) or (names and set(names) <= {*_OF_SOURCE, *_OF_REFERENCES}):
            kept = {}
            for one in names:
                side = "source" if one in _OF_SOURCE else "references"
                kept[side] = one
        return asked, tuple(known[side].get(kept.get(side, ""), side) for side in wanted)
    if len(names) > 2 or not texts:
        raise TypeError(
            f"{name} takes {len(texts)} texts; take (candidate), (candidate, references), "
            "(candidate, source) or (candidate, references, source)"
        )
    if not names:
        return "nothing", ()
    if len(names) == 2:
        return "both", (
            _OF_REFERENCES.get(names[0], "references"),
            _OF_SOURCE.get(names[1], "source"),
        )
    if names[0] in _OF_SOURCE:
        return "source", (_OF_SOURCE[names[0]],)
    return "references", (_OF_REFERENCES.get(names[0], "references"),)


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


def _fields(plan: Plan, given: Any, method: Any) -> tuple[str, ...]:
    """The names of the fields: as given, or those of a mapping that the function gives."""
    if given is not None:
        fields = (given,) if isinstance(given, str) else tuple(given)
    elif getattr(method, "__annotations__", {}).get("return") in (float, "float", int, "int"):
        fields = ("value",)
    else:
        try:
            probed = plan.bound({})("a b", *(_PROBE[what] for what in plan.takes))
        except Exception:  # it does not like these texts
            probed = None
        if isinstance(probed, Mapping) and isinstance(probed.get(plan.name), Score):
            probed = probed[plan.name]
        several = isinstance(probed, (Mapping, Score))
        fields = tuple(probed.keys()) if several and len(probed) else ("value",)
    for field in fields:
        if not isinstance(field, str) or not field.isidentifier() or fields.count(field) > 1:
            raise ValueError(f"{plan.told} has the field {shown(field)}; name each once, as a word")
    if not fields:
        raise ValueError(f"{plan.told} has no fields; name one at least")
    return fields


def _falling(name: str, plan: Plan, given: Any) -> frozenset[str]:
    """The fields in which lower is better."""
    if given is None or isinstance(given, bool):
        return frozenset(plan.fields if given is False else ())
    if not isinstance(given, Mapping):
        raise TypeError(f"higher_is_better of {name} is {shown(given)}; give True, False or a dict")
    for field in given:
        check_choice(f"a field of higher_is_better of {name}", field, plan.fields)
    return frozenset(field for field, rising in given.items() if not rising)
