"""Metrics and options on the command line: `-m rouge1,rougeL --option rouge.stemmer=porter`."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import summeval
from summeval._options import Option
from summeval.cli.shared.errors import UsageError, as_usage, say
from summeval.io import DataError, naming
from summeval.metrics import registry
from summeval.metrics.option_groups import LANGUAGE, SHARED
from summeval.metrics.registry import expanded
from summeval.metrics.run.declared import Declared

DEFAULT = ",".join(registry.DEFAULT)
_FLAGS = {"parser": "--annotations", "cache": "--no-cache"}  # all others have the name of the key


def choose(
    names: Iterable[str], options: Iterable[str], common: Mapping[str, Any] | None = None
) -> summeval.Suite:
    """Return the metrics of these names as a suite; see `made`."""
    metrics = made(names, options, common)
    with as_usage():
        return summeval.suite(metrics)


def made(
    names: Iterable[str], options: Iterable[str], common: Mapping[str, Any] | None = None
) -> list[summeval.Metric]:
    """Return the metrics of these names, each with its options. Commas or blanks separate names.

    An option `TARGET.KEY=VALUE` is set for the metric of that name, or for all metrics of that
    family. The family is the first word of the name: `rouge` for `rouge1` and `rougeLsum`, `tesla`
    for `tesla-s`. If both set a key, the full name has precedence. The declaration of the option
    says how its text is read; a list of words is read from a file: `rouge.stopwords=@FILE`.
    `common` has options for every metric that knows them; those of `add_shared` some must know.

    Raises
    ------
    UsageError
        A name or an option is unknown or malformed.
    DataError
        A file of words cannot be read.
    """
    chosen = dict.fromkeys(usual(name for text in names for name in text.replace(",", " ").split()))
    if not chosen:
        raise UsageError(f"no metric is named; say for example -m {DEFAULT}")
    parsed = [_parse(option) for option in options]
    for target, key, _ in parsed:
        if not any(target in (name, family(name)) for name in chosen):
            named = ", ".join(chosen)
            raise UsageError(f"the option {target}.{key} concerns none of the metrics {named}")
    common = common or {}
    metrics = [_make(name, parsed, common) for name in chosen]
    for option in SHARED:
        if option.name in common and not any(option.name in registry.options_of(n) for n in chosen):
            raise UsageError(f"--{option.name}: none of the metrics has it; omit it")
    return metrics


def add_shared(parser: ArgumentParser) -> None:
    """Declare the options that are set for all metrics that have them."""
    for option in SHARED:
        values = [str(choice).lower() for choice in option.choices]
        values += {"words": ["@FILE"], "stemmer": ["snowball-LANGUAGE"]}.get(option.kind, [])
        text = f"{option.name} of all metrics that have one: {', '.join(values)}"
        if option is LANGUAGE:
            text = "sets tokenizer, stemmer and stop list: the code of a language, such as de"
        parser.add_argument(f"--{option.name}", metavar="NAME", help=text)


def shared(arguments: Namespace) -> dict[str, Any]:
    """Return the values of the options of `add_shared` that were given."""
    given = vars(arguments)
    return {
        option.name: value(f"--{option.name}", option, given[option.name])
        for option in SHARED
        if given.get(option.name) is not None
    }


def usual(names: Iterable[str]) -> list[str]:
    """The names, also with a field, as summeval spells them: `ROUGE-1` is rouge1; one line says so.

    A preset stands for its names. Names that are not known are kept, for whoever uses them to
    refuse.

    Raises `UsageError` for an unknown preset.
    """
    with as_usage():
        given = expanded(dict.fromkeys(names))
    found = []
    for name in given:
        known = registry.usual_name(name)
        base, field = registry.split_field(name)
        if known is None and field is not None and (own := registry.usual_name(base)):
            known = f"{own}.{field}"
        found.append(known or name)
    changed = [f"{n} is {own}" for n, own in zip(given, found, strict=True) if n != own]
    if changed:
        say("; ".join(changed))
    return list(dict.fromkeys(found))


def columns_of(metrics: Iterable[Declared], names: Iterable[str], kind: str = "") -> list[str]:
    """Return the columns of names such as `rouge2` and `simetrix.unsmoothedJSD`.

    `kind` is what the error of an unknown field calls it.
    """
    named = {metric.name: metric for metric in metrics}
    columns = []
    for name, field in map(registry.split_field, names):
        metric = named[name]
        if field is not None and field not in metric.fields:
            known = ", ".join(metric.fields)
            raise UsageError(f"{name} has no {kind}{field!r}; it has {known}")
        columns.append(f"{name}.{field or metric.primary}")
    return columns


def imported(option: str, module: str) -> Any:
    """Return a module, of the working folder or installed.

    Raises `UsageError` for one that cannot be imported, which names the option.
    """
    import importlib
    import os
    import sys

    sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(module)
    except Exception as error:
        message = " ".join(str(error).split())
        raise UsageError(f"{option} {module}: {type(error).__name__}: {message}") from None


def family(name: str) -> str:
    """Return the family of a metric.

    >>> family("rougeLsum"), family("tesla-s"), family("be")
    ('rouge', 'tesla', 'be')
    """
    match = re.match("[a-z]+", name)
    return match[0] if match else name


def value(place: str, option: Option, text: str) -> Any:
    """Return the value of an option that a text on the command line gives; messages name the place.

    Raises
    ------
    UsageError
        For a list of words that is not given as `@FILE`, or a value that cannot be given on the
        command line.
    DataError
        If the file of words cannot be read.

    Examples
    --------
    >>> from summeval.metrics.registry import options_of
    >>> options = options_of("rouge1")
    >>> value("", options["alpha"], "1"), value("", options["stemmer"], "none")
    (1.0, None)
    """
    found = option.read(text)
    if option.kind == "words" and isinstance(found, str):
        if text[:1] != "@" or text == "@":
            raise UsageError(f"{place} is {text!r}; write @FILE, a file with one word a line")
        return read_words(text[1:])
    return found


def read_words(path: str) -> list[str]:
    """Return the words of a UTF-8 file with one word per line; blank lines are skipped.

    Raises `DataError` for a file that cannot be read, is not UTF-8 or holds no word.
    """
    try:
        with naming(path), open(path, encoding="utf-8-sig") as file:
            lines = file.read().split("\n")
    except UnicodeDecodeError as error:
        raise DataError(path, f"not UTF-8 at byte {error.start}", "convert it to UTF-8") from None
    words = [line.strip() for line in lines if line.strip()]
    if not words:
        raise DataError(path, "holds no words", "write one word on each line")
    return words


def _parse(option: str) -> tuple[str, str, str]:
    match = re.fullmatch(r"([^=]+)\.([A-Za-z_]\w*)=(.*)", option, re.DOTALL)
    if not match:
        form = "of the form METRIC.KEY=VALUE, as in rouge.stemmer=porter"
        raise UsageError(f"--option {option!r} is not {form}")
    return match[1], match[2], match[3]


def _make(
    name: str, options: Sequence[tuple[str, str, str]], common: Mapping[str, Any]
) -> summeval.Metric:
    with as_usage():
        known = registry.options_of(name)
    chosen = {key: common[key] for key in common if key in known}
    of_name = [option for option in options if option[0] == name]
    settings = [option for option in options if option[0] == family(name) != name] + of_name
    for target, key, text in settings:
        setting = value(f"{target}.{key}", known[key], text) if key in known else text
        if key in common and key in known and setting != common[key]:
            flag = _FLAGS.get(key, f"--{key}")
            raise UsageError(f"{flag} and --option {target}.{key} do not agree; leave one out")
        chosen[key] = setting
    with naming(), as_usage((ValueError, TypeError)):
        return summeval.metric(name, **chosen)
