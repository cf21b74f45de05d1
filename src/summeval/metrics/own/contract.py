"""The contract that every metric keeps, as checks that anyone can run: `summeval check NAME`."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from summeval.metrics.own.wrapped import OwnMetric
from summeval.metrics.run.signature import Signature

if TYPE_CHECKING:
    from summeval.metrics.run.base import Metric

Make: TypeAlias = "Callable[[], Metric]"
Result = Literal["ok", "failed", "skipped"]

ONE = "The storm hit the coast.\nMany houses were lost, officials said."
TWO = "A storm struck the coast on Monday. It destroyed houses, and the army came to help."
SHORT = "The army came to the coast."
UNLIKE = "Nothing."
CANDIDATES = [ONE, SHORT, None, "", ONE, "Nothing is like this, but some words are."]
OTHERS: list[Any] = [[ONE, TWO], [TWO], [ONE], [ONE], [], [TWO, None]]
# Accents that combine, emoji of several characters, two directions, no blanks, beyond 16 bits.
UNICODE = [
    "cafe\u0301 naïve",
    "👩\u200d👩\u200d👧 🇩🇪 storm",
    "שלום storm مرحبا",
    "暴风雨袭击了海岸",
    "𝔰𝔱𝔬𝔯𝔪 \u200b\u00a0x",
]


class Checked(NamedTuple):
    """The result of a check.

    Attributes
    ----------
    name : str
    result : {"ok", "failed", "skipped"}
    said : str
        What is promised, or what went wrong.
    """

    name: str
    result: Result
    said: str


class _Skipped(Exception):
    """The check does not apply to this metric."""


def side(metric: Metric, texts: Any, several: bool = False) -> dict[str, Any]:
    """Return what a metric compares with, as an argument of `score` or `score_batch`.

    Where a metric needs several references, each comes as many times.
    """
    reads, least = metric.compared_with, metric.least_references
    sources = texts
    if least > 1 and isinstance(texts, list):
        texts = [row * least for row in texts] if several else texts * least
    elif least > 1 and not several:
        texts = [texts] * least
    name = "sources" if several else "source"
    if reads == "source":
        return {name: sources}
    return {"references": texts, name: sources} if reads == "both" else {"references": texts}


def check(make: Make, names: Iterable[str] | None = None) -> list[Checked]:
    """Run the checks of these names, or all, on a metric that `make` makes anew each time.

    Examples
    --------
    >>> import summeval
    >>> {found.result for found in check(lambda: summeval.metric("rouge1"))}
    {'ok'}
    """
    found = []
    for name in CHECKS if names is None else names:
        said, run = CHECKS[name]
        try:
            run(make(), make)
            found.append(Checked(name, "ok", said))
        except _Skipped as skipped:
            found.append(Checked(name, "skipped", str(skipped)))
        except ImportError:
            raise
        except Exception as error:
            message = " ".join(str(error).split()) or "it does not hold"
            kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
            found.append(Checked(name, "failed", f"{kind}{message}"))
    return found


def _need(holds: bool, said: str) -> None:
    if not holds:
        raise AssertionError(said)


def _value(metric: Metric, candidate: str | None, texts: Any) -> float:
    return float(metric.score(candidate, **side(metric, texts)).value)


def _numbers(score: Any, metric: Metric) -> list[float]:
    return [float(score[field]) for field in metric.fields]


def _equal(first: Sequence[float], second: Sequence[float]) -> bool:
    pairs = zip(first, second, strict=True)
    return all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in pairs)


def _table(metric: Metric, **more: Any) -> Any:
    return metric.score_batch(CANDIDATES, **side(metric, OTHERS, several=True), **more)


def _same(found: Any, wanted: Any, what: str) -> None:
    for column in wanted.columns:
        _need(_equal(found[column].tolist(), wanted[column].tolist()), f"{column} differs {what}")


def _signature(metric: Metric, make: Make) -> None:
    line = metric.signature
    _need(isinstance(line, Signature), f"it is {type(line).__name__}, not a Signature")
    _need(Signature.parse(str(line)).options == line.options, f"{line} does not read back")
    _need(make().signature == line, "two metrics with the same options differ in it")


def _fields(metric: Metric, _: Make) -> None:
    score = metric.score(ONE, **side(metric, [ONE, TWO]))
    _need(
        len(set(metric.fields)) == len(metric.fields) > 0, "a field comes twice, or there is none"
    )
    _need(metric.primary in metric.fields, f"{metric.primary} is not among them")
    for field in metric.fields:
        _need(isinstance(score[field], (int, float)), f"{field} is {type(score[field]).__name__}")
    _need(score.value == score[metric.primary], f"the value is not {metric.primary}")


def _deterministic(metric: Metric, make: Make) -> None:
    other = make()
    for text in (ONE, SHORT, UNLIKE):
        first = _numbers(metric.score(text, **side(metric, [ONE, TWO])), metric)
        for again in (metric, metric, other):
            found = _numbers(again.score(text, **side(again, [ONE, TWO])), again)
            _need(_equal(first, found), f"{text[:20]!r} scored {first}, then {found}")


def _identity(metric: Metric, _: Make) -> None:
    if metric.compared_with == "nothing":
        raise _Skipped("compares with nothing")
    same, other = _value(metric, ONE, ONE), _value(metric, UNLIKE, ONE)
    better = same >= other if metric.higher_is_better else same <= other
    _need(better, f"a text beside itself scores {same:.4g}, worse than an unlike one ({other:.4g})")


def _nothing(metric: Metric, _: Make) -> None:
    score = metric.score(None, **side(metric, ONE))
    _need(all(map(math.isnan, _numbers(score, metric))), f"None scores {score}")
    if metric.compared_with != "nothing":
        for texts in ([], [None]):
            value = _value(metric, ONE, texts)
            _need(math.isnan(value), f"a text beside {texts} scores {value}")


def _empty(metric: Metric, _: Make) -> None:
    empty = _value(metric, "", [ONE, TWO])
    _need(math.isfinite(empty), f"it scores {empty}")
    for text in (ONE, SHORT, "x"):
        value = _value(metric, text, [ONE, TWO])
        worse = value < empty if metric.higher_is_better else value > empty
        _need(not worse, f"it scores {empty:.4g}, better than {text[:20]!r} with {value:.4g}")
    beside = metric.score("", **side(metric, ""))
    _need(len(_numbers(beside, metric)) > 0, "beside an empty text it has no score")


def _unicode(metric: Metric, _: Make) -> None:
    for text in UNICODE:
        _value(metric, text, [text])  # NaN where the tokenizer finds no word on either side
        value = _value(metric, text, [ONE])
        _need(math.isfinite(value), f"{text!r} scores {value}")


def _batch(metric: Metric, _: Make) -> None:
    table = _table(metric)
    wanted = [f"{metric.name}.{field}" for field in metric.fields]
    _need(list(table.columns) == wanted, f"columns are {', '.join(table.columns)}")
    for row, (candidate, texts) in enumerate(zip(CANDIDATES, OTHERS, strict=True)):
        found = [float(table[column][row]) for column in wanted]
        alone = _numbers(metric.score(candidate, **side(metric, texts)), metric)
        _need(_equal(found, alone), f"row {row} has {found}, alone {alone}")
        prepared = metric.prepare(**side(metric, texts)).score(candidate)
        _need(_equal(found, _numbers(prepared, metric)), f"row {row} differs where prepared")


def _order(metric: Metric, _: Make) -> None:
    table = _table(metric)
    texts = side(metric, OTHERS[::-1], several=True)
    turned = metric.score_batch(CANDIDATES[::-1], **texts)
    for column in table.columns:
        same = _equal(table[column].tolist(), turned[column].tolist()[::-1])
        _need(same, f"{column} depends on other rows")


def _workers(metric: Metric, _: Make) -> None:
    wanted = _table(metric)
    for workers in (2, -1):
        _same(_table(metric, workers=workers), wanted, f"with workers={workers}")


def _refused(metric: Metric, _: Make) -> None:
    wanted = _table(metric)
    texts = side(metric, [*OTHERS, OTHERS[0]], several=True)
    table = metric.score_batch([*CANDIDATES, 7], **texts, on_error="skip")
    _need(list(table.errors) == [len(CANDIDATES)], f"refused rows are {dict(table.errors)}")
    for column in wanted.columns:
        found = table[column].tolist()
        _need(math.isnan(found[-1]), f"a refused row has {found[-1]} in {column}")
        _need(_equal(found[:-1], wanted[column].tolist()), f"{column} of other rows changed")


def _pickled(metric: Metric, _: Make) -> None:
    try:
        data = pickle.dumps(metric)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise AssertionError(
            f"it cannot be pickled ({error}), so engines cannot send it to processes; "
            "define it in a module"
        ) from None
    again = pickle.loads(data)
    _need(again.signature == metric.signature, "its signature changes")
    _same(_table(again), _table(metric), "after pickling")


def _direction(metric: Metric, _: Make) -> None:
    from summeval.metrics.registry import direction_of, own_of

    _need(set(metric.directions) == set(metric.fields), "a field has none")
    _need(metric.lower_is_better <= set(metric.fields), "an unknown field falls")
    higher = metric.directions[metric.primary]
    _need(metric.higher_is_better == higher, f"that of the metric is not that of {metric.primary}")
    own = own_of(metric.name)
    if own is not None:
        for field, up in metric.directions.items():
            _need(direction_of(f"{metric.name}.{field}") == up, f"that of {field} is not found")


def _bounds(metric: Metric, _: Make) -> None:
    low, high = (isinstance(metric, OwnMetric) and metric.bounds) or (-math.inf, math.inf)
    for text in (ONE, TWO, SHORT, UNLIKE, "", *UNICODE):
        score = metric.score(text, **side(metric, [ONE, TWO]))
        for field, best in metric.best.items():
            number, said = float(score[field]), f"{field} of {text[:20]!r} is {score[field]:.4g}"
            beyond = number - best if metric.directions[field] else best - number
            _need(not beyond > 1e-9, f"{said}, beyond the best, {best:g}")
            inside = math.isnan(number) or low <= number <= high
            _need(inside, f"{text[:20]!r} has {number:.4g}, not within {(low, high)}")


def _explain(metric: Metric, _: Make) -> None:
    for text, others in ((LIKE, [ONE, TWO]), (UNICODE[0], [UNICODE[1], ONE])):
        found = metric.explain(text, **side(metric, others))
        value = _value(metric, text, others)
        _need(found.value == value, f"it tells {found.value}, the score is {value}")
        json.dumps(found.to_dict())
        _need(bool(str(found)), "it cannot be printed")
        for item in found.items:
            _need(math.isfinite(item.share), f"the share of {item.text!r} is {item.share}")
            spans = [(found.candidate, *span) for span in item.candidate_spans]
            spans += [(found.references[n], a, b) for n, a, b in item.reference_spans]
            spans += [(found.sources[n], a, b) for n, a, b in item.source_spans]
            for where, begin, end in spans:
                fits = 0 <= begin <= end <= len(where)
                _need(fits, f"{item.text!r} has the span {begin}, {end} of {len(where)} characters")


LIKE = "The storm hit the coast.\nIt destroyed houses of stone."

CHECKS: dict[str, tuple[str, Callable[[Metric, Make], None]]] = {
    "signature": ("one line that reads back, the same for the same options", _signature),
    "fields": ("numbers, and one of them is the value", _fields),
    "deterministic": ("the same texts have the same score", _deterministic),
    "identity": ("a text scores no worse beside itself than an unlike one", _identity),
    "None": ("no candidate, or nothing to compare it with, scores NaN", _nothing),
    "empty text": ("has a score, and no text has a worse one", _empty),
    "Unicode": ("texts of any script have a score", _unicode),
    "batch": ("a batch, single calls and prepared references give the same", _batch),
    "other rows": ("a score does not depend on other rows", _order),
    "workers": ("a score does not depend on the number of workers", _workers),
    "on_error": ("a refused row changes no other row", _refused),
    "pickling": ("a pickled metric scores alike", _pickled),
    "direction": ("each field has one, that of its column", _direction),
    "bounds": ("no score is beyond the best, or beyond its bounds", _bounds),
    "explain": ("tells the value, with spans within the texts", _explain),
}
