"""Metrics as the command line names them: `-m rouge1,rougeL --option rouge.stemmer=porter`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import summeval
from summeval.cli.errors import UsageError

DEFAULT = "rouge1,rouge2,rougeL"
Value = bool | int | float | str | None

_WORDS: dict[str, Value] = {"true": True, "false": False, "none": None}


def choose(names: Iterable[str], options: Iterable[str]) -> summeval.Suite:
    """The metrics of some comma-separated names, with the options that concern each.

    An option `TARGET.KEY=VALUE` concerns the metric of that name and all metrics of that family,
    which is what their names begin with: `rouge` for `rouge1` and `rougeLsum`, `tesla` for
    `tesla-s`. Where both set a key, the full name counts.

    Raises
    ------
    UsageError
        A name or an option is not known or not well formed.
    """
    chosen = dict.fromkeys(name.strip() for text in names for name in text.split(","))
    chosen.pop("", None)
    if not chosen:
        raise UsageError(f"no metric is named; say for example -m {DEFAULT}")
    parsed = [_parse(option) for option in options]
    for target, key, _ in parsed:
        if not any(target in (name, family(name)) for name in chosen):
            raise UsageError(
                f"the option {target}.{key} concerns none of the metrics {', '.join(chosen)}"
            )
    metrics = [_make(name, parsed) for name in chosen]
    try:
        return summeval.suite(metrics)
    except ValueError as error:
        raise UsageError(str(error)) from error


def family(name: str) -> str:
    """The family of a metric.

    >>> family("rougeLsum"), family("tesla-s"), family("be")
    ('rouge', 'tesla', 'be')
    """
    match = re.match("[a-z]+", name)
    return match[0] if match else name


def value(text: str) -> Value:
    """The value of an option: a whole number, a number, true, false, none, or else a text.

    >>> value("3"), value("0.5"), value("True"), value("none"), value("rouge155")
    (3, 0.5, True, None, 'rouge155')
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII):
        return int(text)
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII):
        return float(text)
    return text


def _parse(option: str) -> tuple[str, str, Value]:
    match = re.fullmatch(r"([^.=]+)\.([A-Za-z_]\w*)=(.*)", option, re.DOTALL)
    if not match:
        raise UsageError(
            f"--option {option!r} is not of the form METRIC.KEY=VALUE, as in rouge.stemmer=porter"
        )
    return match[1], match[2], value(match[3])


def _make(name: str, options: Sequence[tuple[str, str, Value]]) -> summeval.Metric:
    chosen = {key: setting for target, key, setting in options if target == family(name)}
    chosen |= {key: setting for target, key, setting in options if target == name}
    try:
        return summeval.metric(name, **chosen)
    except (ValueError, TypeError) as error:
        raise UsageError(str(error)) from error
