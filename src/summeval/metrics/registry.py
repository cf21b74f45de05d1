"""Metrics by name: presets, spellings of papers and other programs, and an index of the families.

A family is imported when one of its names is used.
"""

from __future__ import annotations

import importlib
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._options import Option, shown, unknown
from summeval.metrics.option_groups import SHARED

if TYPE_CHECKING:
    from summeval.metrics.own.known import Own
    from summeval.metrics.run.base import Metric


START = "preset:"


class Preset(NamedTuple):
    """A named list of metrics.

    Attributes
    ----------
    says : str
        What the metrics have in common, in a few words.
    names : tuple of str
    """

    says: str
    names: tuple[str, ...]


PRESETS = {
    "classic": Preset("what most papers report", ("rouge1", "rouge2", "rougeLsum")),
    "aesop": Preset(
        "the metrics that Lin and others (2012) compare on AESOP",
        ("rouge2", "rougeSU4", "be", "tesla-s", "dicomer", "cremer"),
    ),
    "fast": Preset(
        "beside references, without a parser or an extra",
        tuple(
            "rouge1 rouge2 rougeL rougeLsum rougeW rougeS4 rougeSU4 tesla-s"
            " tesla-m tesla-e autosummeng memog npower bipartite readability".split()
        ),
    ),
    "faithful": Preset(
        "beside the source, without references", ("support", "simetrix", "extractiveness")
    ),
}


def expanded(names: Iterable[Any]) -> list[Any]:
    """Return the names with those of each preset in its place, each name once; metric objects stay.

    Raises
    ------
    ValueError
        For an unknown preset.

    Examples
    --------
    >>> expanded(["rouge2", "preset:classic", "tesla-s"])
    ['rouge2', 'rouge1', 'rougeLsum', 'tesla-s']
    >>> expanded(["preset:x"])
    Traceback (most recent call last):
    ValueError: unknown preset:x; known: preset:classic, preset:aesop, preset:fast, preset:faithful
    """
    given = list(names)
    if not any(_is_preset(name) for name in given):
        return given
    # a metric that was made with options stays; a preset adds the others
    taken = {getattr(item, "name", None) for item in given if not isinstance(item, str)}
    found: list[Any] = []
    for item in given:
        if not isinstance(item, str):
            found.append(item)
            continue
        found += [name for name in _members(item) if name not in taken and name not in found]
    return found


def _members(name: str) -> tuple[str, ...]:
    if not _is_preset(name):
        return (name,)
    if name.removeprefix(START) not in PRESETS:
        known = ", ".join(START + preset for preset in PRESETS)
        raise ValueError(f"unknown {name}; known: {known}")
    return PRESETS[name.removeprefix(START)].names


def _is_preset(name: object) -> bool:
    return isinstance(name, str) and name.startswith(START)


_ELSEWHERE = (
    "alignscore bartscore blanc bleurt comet factcc geval moverscore qafacteval questeval summac"
    " unieval"
).split()  # well known, and like names that mean something else
_ROUGE = re.compile(
    r"r(?:ouge)?[-_ ]*(?:(?P<n>[1-9])|(?P<sum>l[-_ ]*sum)|(?P<lcs>l)"
    r"|w(?:[-_ ]*(?P<weight>\d+(?:\.\d+)?))?|(?P<skip>su?)[-_ ]*(?P<gap>\d{1,6}|\*))",
    re.ASCII,
)


def meant(name: str, known: Iterable[str]) -> str | None:
    """Return the metric that a name in another spelling means; None if that is not certain.

    Case, hyphens, underscores and blanks do not count; `r` may stand for `rouge`.

    >>> [meant(name, []) for name in ("ROUGE-1", "Rouge_L", "r2", "rouge-lsum", "R-SU4", "rouge w")]
    ['rouge1', 'rougeL', 'rouge2', 'rougeLsum', 'rougeSU4', 'rougeW']
    >>> meant("TESLA_S", ["tesla-s", "tesla-m"]), meant("rouge", ["rouge1"])
    ('tesla-s', None)
    """
    found = _ROUGE.fullmatch(name.lower())
    if found is not None:
        return _rouge(found)
    like = [one for one in known if _plain(one) == _plain(name)]
    return like[0] if len(like) == 1 else None


def advice(name: str, known: Iterable[str]) -> str:
    """Return the message for a name that is no metric's, with what may have been meant.

    >>> print(advice("classic", ["rouge1"]))
    unknown metric 'classic'; did you mean preset:classic?
    >>> print(advice("rouge1.recall", ["rouge1"]))
    unknown metric 'rouge1.recall'; name the metric, rouge1: all its fields come with it
    """
    names, said = list(known), f"unknown metric {shown(name)}"
    base = name.rpartition(".")[0]
    usual = meant(name, names)
    if usual is not None or name in PRESETS:
        return f"{said}; did you mean {usual or START + name}?"
    whole = base if base in names else meant(base, names)
    if whole is not None:
        return f"{said}; name the metric, {whole}: all its fields come with it"
    if _plain(name) in _ELSEWHERE:
        return f"{said}; summeval has none of this name, and `summeval metrics` lists those it has"
    family = [one for one in names if re.match(f"{re.escape(name)}[-0-9A-Z]", one)]
    if len(family) > 1:
        return f"{said}; choose from {', '.join(family)}"
    return unknown("metric", name, names)


def _rouge(found: re.Match[str]) -> str:
    if found["n"]:
        return f"rouge{found['n']}"
    if found["sum"] or found["lcs"]:
        return "rougeLsum" if found["sum"] else "rougeL"
    if found["skip"]:
        return f"rouge{found['skip'].upper()}{found['gap']}"
    return f"rougeW-{found['weight']}" if found["weight"] else "rougeW"


def _plain(name: str) -> str:
    return re.sub(r"[-_ ]", "", name.casefold())


class Family(NamedTuple):
    """A class of metrics: where it is defined, and the names of its metrics.

    Attributes
    ----------
    home : str
        The module, within `summeval.metrics`.
    kind : str
        The name of the class.
    names : tuple of str
        The names that `list_metrics` lists.
    others : str
        A pattern of further names that are accepted; empty for none.
    summary : sequence of (str, str)
        Patterns of names, and what these metrics measure.
    fields, primary, lower_is_better, languages, summed
        As of the class.
    """

    home: str
    kind: str
    names: Sequence[str]
    others: str
    summary: Sequence[Sequence[str]]
    fields: Sequence[str]
    primary: str
    lower_is_better: Sequence[str]
    languages: Sequence[str]
    summed: bool

    def accepts(self, name: str) -> bool:
        """Return whether a metric of this family has this name.

        >>> INDEX[0].accepts("rougeSU9"), INDEX[0].accepts("rougeX")
        (True, False)
        """
        return name in self.names or bool(re.fullmatch(self.others, name, re.ASCII) and name)

    def load(self) -> type[Metric]:
        """Return the class, imported."""
        found: type[Metric] = getattr(
            importlib.import_module(f"summeval.metrics.{self.home}"), self.kind
        )
        return found


def _read() -> tuple[Family, ...]:
    spec: Any = __spec__
    rows = json.loads(spec.loader.get_data(os.path.join(os.path.dirname(__file__), _INDEX)))
    return tuple(Family(**row) for row in rows)


_INDEX = "data/index.json"  # which ci/index.py makes of what the classes declare
_ALL = _read()
INDEX = tuple(family for family in _ALL if family.names)
UNLISTED = tuple(family for family in _ALL if not family.names)

VALUE = "value"  # names a metric's main field, unless one of its fields has this name

OUTSIDE = ("path", "any", "object", "function")  # kinds of options that no file sets, but:
_NAMES = "metrics"  # names of further metrics, as of "queen"
_NONE: Mapping[str, bool] = MappingProxyType({})

DEFAULT = ("rouge1", "rouge2", "rougeL")


def list_metrics() -> list[str]:
    """The names of all metrics; `rougeS` and `rougeSU` take any gap, `rougeW-<w>` any weight.

    Those that a program registered, or that installed packages bring, come last.

    >>> "rougeSU4" in list_metrics()
    True
    """
    builtin = [name for family in INDEX for name in family.names]
    return builtin + [own.name for own in owns()]


def owns() -> list[Own]:
    """The metrics that programs registered or that installed packages bring, by `list_metrics`.

    A name that is one of summeval's own is left out, with a warning.
    """
    from summeval.metrics.own import known
    from summeval.metrics.run.notices import warn

    found = []
    for name in known.names():
        own = known.find(name)
        if own is not None and not is_builtin(name):
            found.append(own)
        elif own is not None:
            warn(f"{own.origin} brings a metric {name}, which is one of summeval's; it is left out")
    return found


def own_of(name: str) -> Own | None:
    """The metric of this name, if a program registered it or an installed package brings it."""
    found = _find(name)
    return None if isinstance(found, Family) else found


def is_builtin(name: str) -> bool:
    """Return whether a name is that of a metric of summeval itself.

    >>> is_builtin("rougeSU9"), is_builtin("mine")
    (True, False)
    """
    return _find_builtin(name) is not None


def families() -> list[type[Metric]]:
    """Return the classes of all metrics of summeval itself, imported.

    >>> [family.__name__ for family in families()][:2]
    ['Rouge', 'TeslaS']
    """
    return [family.load() for family in INDEX]


def metric(name: str, **options: Any) -> Metric:
    """Return the metric of this name with these options.

    Raises
    ------
    ValueError
        For an unknown name or option (the message suggests the nearest), or a value that the option
        does not accept.

    Examples
    --------
    >>> metric("rougeSU4", stemmer="rouge155", aggregate="average").score("a cat", "a cat").recall
    1.0
    """
    family = class_of(name)
    known = options_of(name) if options else ()
    for option in options:
        if option not in known:
            raise ValueError(unknown(f"option of {name}", option, known))
    own = None if is_builtin(name) else own_of(name)
    made = family.named(name, **options) if own is None else own.make(options)
    made.__dict__["_runner_recipe"] = (name, options)
    return made


def to_spec(metric: Metric) -> dict[str, Any] | None:
    """The name and the options that `metric` made it of, as JSON values; None if that cannot be.

    Parsers, files and functions are left out.

    >>> to_spec(metric("rouge1", stemmer="porter"))
    {'name': 'rouge1', 'options': {'stemmer': 'porter'}}
    """
    name, options = metric.__dict__.get("_runner_recipe", ("", {}))
    if not name:
        return None
    known = options_of(name)
    plain = {key: value for key, value in options.items() if _may_be_kept(known[key])}
    kinds = (str, int, float, bool, type(None))
    for value in plain.values():
        several = value if isinstance(value, (list, tuple)) else [value]
        if not all(type(item) in kinds for item in several):
            return None
    return {"name": name, "options": plain}


def _may_be_kept(option: Option) -> bool:
    return option.name == _NAMES or option.kind not in OUTSIDE


def remade(recipe: Any, **reading: Any) -> Metric:
    """Return the metric of what `to_spec` told; of a file, it need not be true.

    `reading` has options of those who read the file, such as `parser`, for metrics that know them.
    """
    known = options_of(recipe["name"])
    for key in recipe["options"]:
        if key not in known or not _may_be_kept(known[key]):
            raise ValueError(f"a file cannot set the option {key} of {recipe['name']}")
    own = {key: value for key, value in reading.items() if key in known}
    return metric(recipe["name"], **{**recipe["options"], **own})


def options_of(name: str) -> dict[str, Option]:
    """Return the options of the metric of this name, by their names.

    >>> options_of("rouge1")["stemmer"].choices
    (None, 'rouge155', 'porter', 'porter-java')
    """
    return {option.name: option for option in class_of(name).options}


def shared(names: Collection[str], options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Hand options that several metrics share to each of these names whose metric has them.

    Raises
    ------
    TypeError
        An option is none of those that are shared.
    ValueError
        No metric has it, or there are no names: metric objects keep their options.

    Examples
    --------
    >>> shared(["rouge1", "npower"], {"stemmer": "porter"})
    {'rouge1': {'stemmer': 'porter'}, 'npower': {}}
    >>> shared(["npower"], {"stemmer": "porter"})
    Traceback (most recent call last):
    ValueError: stemmer= concerns none of the metrics npower; leave it out
    """
    known = [option.name for option in SHARED]
    found: dict[str, dict[str, Any]] = {name: {} for name in names}
    for option, value in options.items():
        if option not in known:
            raise TypeError(
                f"{unknown('option', option, known)} (an option of one metric: "
                f"summeval.metric(name, {option}=...))"
            )
        having = [name for name in names if option in options_of(name)]
        if not names:
            raise ValueError(
                f"{option}= is for metrics given by name; set it where the objects are made"
            )
        if not having:
            raise ValueError(
                f"{option}= concerns none of the metrics {', '.join(names)}; leave it out"
            )
        for name in having:
            found[name][option] = value
    return found


def direction_of(column: str) -> bool | None:
    """Return whether a higher number is better in the column of a registered metric.

    Parameters
    ----------
    column : str
        `<metric>.<field>`; or the name of a metric, or `<metric>.value`, for its main field.

    Returns
    -------
    bool or None
        None if no registered metric has this column.

    Examples
    --------
    >>> direction_of("rouge1.recall"), direction_of("simetrix.smoothedJSD"), direction_of("words")
    (True, False, None)
    >>> direction_of("simetrix.value"), direction_of("simetrix")
    (False, False)
    """
    sides = (column, ""), column.rpartition(".")[::2]
    for look, (name, field) in product((_find_builtin, find), sides):  # others are imported last
        try:
            family = look(name)
        except ValueError:  # a package that cannot be used
            continue
        if family is not None and field in family.fields:
            return field not in family.lower_is_better
        if family is not None and field in ("", VALUE):
            return family.primary not in family.lower_is_better
    return None


def directions_of(columns: Iterable[str], known: Mapping[str, bool] = _NONE) -> dict[str, bool]:
    """For each column of scores whether a higher number is better.

    Parameters
    ----------
    columns : iterable of str
    known : mapping of str to bool
        The directions that the file states; they have precedence over the names of columns.

    Returns
    -------
    dict of str to bool
        Columns of unknown direction are left out.

    Examples
    --------
    >>> directions_of(["rouge1.recall", "mine", "words", "simetrix.smoothedJSD"], {"mine": False})
    {'rouge1.recall': True, 'mine': False, 'simetrix.smoothedJSD': False}
    """
    found = {column: known.get(column, direction_of(column)) for column in columns}
    return {column: up for column, up in found.items() if up is not None}


def split_field(name: str) -> tuple[str, str | None]:
    """Split a name into metric and field, if it has one (the 2 of rougeW-1.2 is not a field).

    >>> split_field("rouge2.recall"), split_field("rougeW-1.2")
    (('rouge2', 'recall'), ('rougeW-1.2', None))
    """
    base, _, field = name.rpartition(".")
    return (base, field) if base and field.isidentifier() else (name, None)


def usual_name(name: str) -> str | None:
    """Return the name of the metric that is meant by another spelling; None if none is for certain.

    >>> usual_name("ROUGE-L"), usual_name("Bert_Score"), usual_name("rouge1"), usual_name("words")
    ('rougeL', 'bertscore', 'rouge1', None)
    """
    if _find(name) is not None:
        return name

    return meant(name, list_metrics())


def find(name: str) -> Family | type[Metric] | None:
    """Return what is known of a metric by name, without importing a family."""
    found = _find(name)
    return found.load() if found is not None and not isinstance(found, Family) else found


def _find(name: str) -> Family | Own | None:
    found = _find_builtin(name)
    if found is not None or not name:
        return found
    from summeval.metrics.own import known

    return known.find(name)


def _find_builtin(name: str) -> Family | None:
    return next((family for family in (*INDEX, *UNLISTED) if family.accepts(name)), None)


def class_of(name: str) -> type[Metric]:
    """Return the class of a metric; `ValueError` for a name that is none."""
    if not isinstance(name, str):
        raise TypeError(f"a metric's name is a str, not {type(name).__name__}")
    family = _find(name)
    if family is None and name.startswith(START):
        raise ValueError(f"{name} names several metrics; use summeval.suite({name!r})")
    if family is None:
        raise ValueError(advice(name, list_metrics()))
    return family.load()
