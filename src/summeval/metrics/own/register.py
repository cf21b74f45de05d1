"""`summeval.register`: a metric of your own under a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from summeval.metrics.own.known import check_name, forget, keep
from summeval.metrics.own.wrapped import SETTINGS
from summeval.metrics.registry import is_builtin
from summeval.metrics.run.declared import ComparedWith
from summeval.metrics.run.suite import forget_suites


def register(
    name: str,
    metric: Any = None,
    *,
    fields: str | Iterable[str] | None = None,
    primary: str | None = None,
    higher_is_better: bool | Mapping[str, bool] | None = None,
    compared_with: ComparedWith | None = None,
    bounds: tuple[float, float] | None = None,
    explain: Callable[..., Any] | None = None,
    citations: str | Iterable[str] | None = None,
    replace: bool = False,
) -> Any:
    """Give a metric of your own a name, by which everything in summeval takes it.

    Parameters
    ----------
    name : str
        Letters, digits, `-`, `_`, `+` and `*`; not a name of summeval's own.
    metric : function, class or Metric
        A function of `(candidate, references)`, where `references` is a list of str. Other
        arguments decide what it is compared with: `(candidate)`, `(candidate, source)` or
        `(candidate, references, source)`, where `source` is one text and `sources` would be a list.
        A function of `(candidate, reference)` is called with each reference; the best score counts.
        It returns a number, a mapping of fields to numbers, or None for no score. Arguments with
        defaults are options. A class is made with the options, and its method `run_pair` is called
        as a function is. A subclass of `Metric`, or an object of one, is taken as it is. Without
        it, `register` is a decorator.
    fields : names, optional
        The fields of the score, which a mapping must have. By default `value`, for a number.
    primary : str, optional
        The field that `Score.value` gives: the first by default.
    higher_is_better : bool or mapping of field to bool
        True by default.
    compared_with : {"references", "source", "both", "nothing"}, optional
        By default as the arguments tell.
    bounds : (float, float), optional
        The least and the greatest value, for `summeval check` and for rewards.
    explain : function, optional
        Takes what the function takes; gives an `Explanation`, or its items: an `ExplainedItem`, a
        mapping with its attributes, or a text and its share. A class may have a method `explain`.
    citations : str or iterable of str, optional
        BibTeX entries, for `summeval cite`.
    replace : bool
        Whether a metric that a program registered under this name may be replaced.

    Returns
    -------
    function, class or Metric
        `metric`, so that it can be used as a decorator.

    Raises
    ------
    ValueError
        The name is taken, or a setting is wrong.
    TypeError
        `metric` cannot be a metric.

    Notes
    -----
    A class or a function may have the settings as attributes (`fields`, `higher_is_better`, …), as
    those have to that an entry point of the group `summeval.metrics` names.

    Examples
    --------
    >>> import summeval
    >>> @summeval.register("shared-words", bounds=(0, 1))
    ... def shared(candidate, reference, *, least=1):
    ...     words = {word for word in reference.split() if len(word) >= least}
    ...     return len(words & {*candidate.split()}) / max(len(words), 1)
    >>> summeval.score("the cat sat", ["a cat", "the cat"], ["shared-words"])["shared-words"]
    Score(value=1.0)
    >>> summeval.metric("shared-words", least=2).score("a cat", "a dog").value
    0.0
    >>> summeval.unregister("shared-words")
    >>> summeval.register("rouge1", shared)
    Traceback (most recent call last):
    ValueError: 'rouge1' is a metric of summeval; take another name
    """
    given = locals()
    check_name(name)
    if is_builtin(name):
        raise ValueError(f"{name!r} is a metric of summeval; take another name")
    if not isinstance(replace, bool):
        raise TypeError(f"replace is {replace!r}; pass True or False")
    settings = {key: given[key] for key in SETTINGS if given[key] is not None}

    def register_it(thing: Any) -> Any:
        keep(name, thing, settings, replace)
        forget_suites()
        return thing

    return register_it if metric is None else register_it(metric)


def unregister(name: str) -> None:
    """Forget a metric that the program registered; metrics that were made of it stay.

    Raises
    ------
    ValueError
        If the program registered none of this name.

    Examples
    --------
    >>> unregister("mine")
    Traceback (most recent call last):
    ValueError: no metric 'mine' was registered
    """
    forget(name)
    forget_suites()
