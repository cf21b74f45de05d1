"""Metrics as the command line names them: `-m rouge1,rougeL --option rouge.stemmer=porter`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import summeval
from summeval.cli.shared.errors import UsageError
from summeval.io import DataError, system_error
from summeval.metrics import registry

DEFAULT = ",".join(registry.DEFAULT)
NAMES_HELP = f"between commas or blanks, or repeated; summeval metrics lists them [{DEFAULT}]"
Value = bool | int | float | str | list[str] | None

_WORD_LISTS = ("stopwords", "function_words", "concepts")
_FLAGS = {"parser": "--annotations", "cache": "--no-cache"}  # others are named as the key
_NAMED: dict[str, Value] = {"true": True, "false": False, "none": None}


def choose(
    names: Iterable[str], options: Iterable[str], common: Mapping[str, Any] | None = None
) -> summeval.Suite:
    """The metrics of some names, parted by commas or blanks, with the options that concern each.

    An option `TARGET.KEY=VALUE` concerns the metric of that name and all metrics of that family,
    which is what their names begin with: `rouge` for `rouge1` and `rougeLsum`, `tesla` for
    `tesla-s`. Where both set a key, the full name counts. A list of words is read from a file:
    `rouge.stopwords=@FILE`. `common` holds options for every metric that has them.

    Raises
    ------
    UsageError
        A name or an option is not known or not well formed.
    DataError
        A file of words cannot be read.
    """
    chosen = dict.fromkeys(name for text in names for name in text.replace(",", " ").split())
    if not chosen:
        raise UsageError(f"no metric is named; say for example -m {DEFAULT}")
    parsed = [_parse(option) for option in options]
    for target, key, _ in parsed:
        if not any(target in (name, family(name)) for name in chosen):
            raise UsageError(
                f"the option {target}.{key} concerns none of the metrics {', '.join(chosen)}"
            )
    metrics = [_make(name, parsed, common or {}) for name in chosen]
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
    if text.lower() in _NAMED:
        return _NAMED[text.lower()]
    if re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII):
        return int(text)
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII):
        return float(text)
    return text


def read_words(path: str) -> list[str]:
    """The words of a UTF-8 file, one a line; blank lines are passed over.

    Raises `DataError` for a file that cannot be read, is not UTF-8 or holds no word.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().split("\n")
    except OSError as error:
        raise system_error(path, error) from None
    except UnicodeDecodeError as error:
        raise DataError(path, f"not UTF-8 at byte {error.start}", "convert it to UTF-8") from None
    words = [line.strip() for line in lines if line.strip()]
    if not words:
        raise DataError(path, "holds no words", "write one word on each line")
    return words


def _parse(option: str) -> tuple[str, str, Value]:
    match = re.fullmatch(r"([^=]+)\.([A-Za-z_]\w*)=(.*)", option, re.DOTALL)
    if not match:
        raise UsageError(
            f"--option {option!r} is not of the form METRIC.KEY=VALUE, as in rouge.stemmer=porter"
        )
    target, key, text = match.groups()
    if key in _WORD_LISTS and text[:1] == "@" != text:
        return target, key, read_words(text[1:])
    found = value(text)
    if key in _WORD_LISTS and isinstance(found, str):
        raise UsageError(f"{target}.{key} is {text!r}; write @FILE, a file with one word a line")
    return target, key, found


def _make(
    name: str, options: Sequence[tuple[str, str, Value]], common: Mapping[str, Any]
) -> summeval.Metric:
    chosen = {key: common[key] for key in common if key in registry.options_of(name)}
    for target, key, setting in options:
        if target in (name, family(name)) and key in chosen and setting != chosen[key]:
            flag = _FLAGS.get(key, f"--{key}")
            raise UsageError(f"{flag} and --option {target}.{key} do not agree; leave one out")
    chosen |= {key: setting for target, key, setting in options if target == family(name)}
    chosen |= {key: setting for target, key, setting in options if target == name}
    try:
        return summeval.metric(name, **chosen)
    except OSError as error:  # of a file that an option names
        raise system_error(str(error.filename), error) from None
    except (ValueError, TypeError) as error:
        raise UsageError(str(error)) from error
