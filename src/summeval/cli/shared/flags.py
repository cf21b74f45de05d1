"""Arguments that mean the same in several commands: flags, formats, names, columns.

Where neither the docstring of a command nor its code tells what an argument is for, this does:

SCORES: rows with scores, as written by `score`
ROWS: JSON Lines, CSV, Parquet or Arrow; - is standard input
DATA: .jsonl or .csv, also with .gz; - is standard input
--annotations: parses written by summeval annotate
--coefficient: pearson, spearman, kendall [all]
--columns: the names of columns at once: system=model,topic=doc_id
--confidence: confidence level of intervals, 0 to 1 [0.95]
--format: format of INPUT [by its ending; jsonl for -]
--human: columns with human scores; scores.x means x in the object scores
--hyp: plain files or folders, each a system; NAME=FILE names it
--id-column: [id]
--input-format: format of INPUT [by its ending; jsonl for -]
--judge: in rows of one judgement, names the judge; or several columns (* stands for any text), one
    for each judge [judge, annotator or the like]
--judgements: file with the --human columns, if not SCORES; rows or a table
--level: summary, system, global, all [summary]
--long: in rows of one score, the column that names it and the column of the number: metric,score
--lower-is-better: columns to negate; summeval's own metrics are known [none]
--metrics: names or presets, between commas or blanks, or repeated; summeval metrics lists them
    [rouge1,rouge2,rougeL]
--newline: mark of a line break in --hyp, --ref, --src
--no-cache: do not use the cache of parses
--no-figures: draw no SVG, which needs matplotlib
--no-progress: no progress bar
--note: stored in MODEL, such as the training data
--option: an option of a metric or a family, such as rouge.stemmer=porter
--output: [standard output]
--over: what to draw or permute [draws: topics at the summary level, else both; permutations:
    systems at the system level, both at the summary level, rows at the global level]
--provider: the parser [compiled]
--ref: references: files or folders
--score: column with the score to learn [score]
--seed: random seed [0]
--separator: between the cells of a .csv: ';', '|' or tab [,]
--signatures: output of summeval score --means, which gives the directions of labelled metrics
--src: sources: a file or a folder
--system: names the system [system]
--topic: names the topic [topic]
--workers: number of threads, -1 for all processors [1]
"""

from __future__ import annotations

import argparse
import inspect
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from summeval._options import MOST_WORKERS
from summeval.cli.shared.errors import UsageError, as_usage, check_folder, say
from summeval.io import naming
from summeval.io.formats import DELIMITERS, IN_ROWS, format_of, resolve_columns
from summeval.io.rows import ALIASES, Columns

if TYPE_CHECKING:
    from summeval.io.arrow import TableInput
    from summeval.io.formats import Format
    from summeval.io.source import InputFile

_ENDINGS = {  # those of rows are in `io.formats`
    ".txt": ("table", "text"),
    ".json": ("json",),
    ".tex": ("latex",),
    ".md": ("markdown",),
    ".html": ("html",),
    ".htm": ("html",),
    ".bib": ("bibtex",),
    ".conllu": ("conllu",),
}
F = TypeVar("F", bound=str)
_OF_ROWS = ("jsonl", "csv", "tsv", "parquet", "arrow")
LAYOUT_HELP = """\
A row may hold all scores of a summary, one score (--long), or the judgement of one judge (--judge).
Of several judgements of a summary the mean counts. A column of the system or the topic is also
found under a common name, such as system_id, model, topic_id or doc_id; a line on standard error
reports this."""
COLUMNS_HELP = """\
Unless an option names its column, a text is also read from a column with a common name:
candidates from summary, prediction, hypothesis or response, references from reference, target,
targets or highlights, sources from document, article or input. A line on standard error reports
this; if two such columns exist, name one of them."""


def describe(parser: argparse.ArgumentParser, documentation: str, words: str) -> None:
    r"""Take the help of a command and of its arguments from the docstring of its module.

    The docstring of several commands has a head for each; arguments are told once, at the first.

    >>> parser = argparse.ArgumentParser(prog="x", usage="x", add_help=False)
    >>> _ = parser.add_argument("--top")
    >>> describe(parser, "Line.\n\nBefore.\n\n[ARGUMENTS]\n--top: the best\n\nAfter.", "x")
    >>> print(parser.format_help().replace("\n\n", "\n"))
    usage: x
    Before.
    options:
      --top TOP  the best
    After.
    <BLANKLINE>
    """
    first, *more = re.split(r"\n\n# summeval (.+)\n", documentation.strip())
    pages = dict(zip(more[::2], more[1::2], strict=True)) or {words: first.partition("\n\n")[2]}
    texts: dict[str, str] = {}
    for name, page in pages.items():
        before, _, after = page.strip().partition("\n\n[ARGUMENTS]\n")
        arguments, _, end = f"\n{after}".partition("\n\n")
        texts |= _help_of(arguments)
        if words in name.split(", "):
            break
    shared = before.replace("{COLUMNS}", COLUMNS_HELP)
    parser.description, parser.epilog = shared.replace("{LAYOUT}", LAYOUT_HELP), end
    usual = _help_of(__doc__ or "")
    for action in parser._actions:
        for flag in action.option_strings or [str(action.metavar)]:
            action.help = texts.get(flag, action.help or usual.get(flag))


def _help_of(arguments: str) -> dict[str, str]:
    """Return what lines such as `--top: the best` tell of arguments, for argparse."""
    found = re.findall(r"^(\S+): (.+(?:\n .+)*)", arguments, re.MULTILINE)
    return {flag: text.replace("%", "%%") for flag, text in found}


def share(example: float) -> Callable[[str], float]:
    """Return a parser of numbers between 0 and 1 (exclusive), with an example for the error.

    >>> share(0.95)("0.9")
    0.9
    >>> share(0.95)("95%")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: '95%' is not a number between 0 and 1, such as 0.95
    """

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0.0 < value < 1.0:
            problem = f"{text!r} is not a number between 0 and 1, such as {example}"
            raise argparse.ArgumentTypeError(problem)
        return value

    return read


_NAMES: dict[str, Any] = {"nargs": "+", "action": "extend", "default": [], "metavar": "NAME"}
_COLUMN = {"metavar": "COLUMN"}
_NUMBER: dict[str, Any] = {"type": int, "metavar": "N"}
_FLAG = {"action": "store_true"}

_FLAGS: dict[str, dict[str, Any]] = {  # that mean the same in several commands
    "alpha": {"type": share(0.05), "default": 0.05, "metavar": "SHARE"},
    "annotations": {"metavar": "FILE"},
    "bootstrap": _NUMBER | {"default": 1000},
    "columns": _NAMES | {"metavar": "WHAT=COLUMN"},
    "confidence": {"type": share(0.95), "default": 0.95, "metavar": "SHARE"},
    "format": {"choices": IN_ROWS},
    "human": _NAMES | _COLUMN,
    "id-column": {"default": "id", "metavar": "NAME"},
    "input-format": {},
    "judge": _NAMES | _COLUMN,
    "long": _NAMES | _COLUMN,
    "lower-is-better": _NAMES | _COLUMN,
    "metrics": _NAMES,
    "no-cache": _FLAG,
    "no-progress": _FLAG,
    "note": {"default": "", "metavar": "TEXT"},
    "on-error": {"choices": ("raise", "skip"), "default": "raise"},
    "option": {"action": "append", "default": [], "metavar": "METRIC.KEY=VALUE"},
    "output": {"default": "-", "metavar": "OUT"},
    "provider": {"default": "compiled", "metavar": "NAME[:MODEL]"},
    "score": {"default": "score", "metavar": "COLUMN"},
    "seed": _NUMBER | {"default": 0},
    "separator": {"metavar": "CHAR"},
    "signatures": {"metavar": "FILE"},
    "system": {"default": "system", "metavar": "COLUMN"},
    "topic": {"default": "topic", "metavar": "COLUMN"},
    "workers": _NUMBER | {"default": 1},
}
_SHORT = {"metrics": "-m", "output": "-o"}


def add(parser: argparse.ArgumentParser, *names: str, **own: Any) -> None:
    """Declare flags that several commands have; `own` differs from what they are elsewhere."""
    for name in names:
        short = [_SHORT[name]] if name in _SHORT else []
        parser.add_argument(*short, f"--{name}", **{**_FLAGS[name], **own})


def add_names(
    parser: argparse.ArgumentParser, *flags: str, metavar: str = "NAME", **more: Any
) -> None:
    """Declare an option that takes commas, blanks and repetition alike; `names_of` reads it."""
    parser.add_argument(*flags, **{**_NAMES, "metavar": metavar, **more})


# Flags that a function or a class declares


_LEAST = {"folds": 2, "draws": 1, "resamples": 1, "subsets": 1, "seed": 0, "salience": 2}
_CALLED = {  # otherwise than there
    "resamples": "--bootstrap",
    "variant": "--jack",
    "C": "-C",
    "models": "--model",
    "orders": "--order",
    "normalisations": "--normalisation",
}
_KINDS: tuple[tuple[str, dict[str, Any]], ...] = (  # of types in docstrings
    ("sequence", _NAMES),
    ("names", _NAMES),
    ("bool", _FLAG),
    ("int", _NUMBER),
    ("float", {"type": float, "metavar": "X"}),
)


def derive(
    parser: argparse.ArgumentParser, function: Callable[..., Any], *names: str, **own: Any
) -> None:
    """Declare flags for parameters of a function or class, from its signature and its docstring.

    The docstring has the values and what they are for, the signature the default; `own` differs.
    `parameters` reads the flags.

    >>> from summeval.study.extracts import Settings
    >>> parser = argparse.ArgumentParser()
    >>> derive(parser, Settings, "draws", "confidence")
    >>> parser.parse_args(["--draws", "3"]).draws, parser._actions[1].help
    (3, 'random extracts of each document [20]')
    """
    known = inspect.signature(function).parameters
    for name in names:
        values, text = entry_of(function, name)
        shape, flag = _shape(name, values), _CALLED.get(name, f"--{name.replace('_', '-')}")
        default = known[name].default
        text = text.partition(". ")[0].removesuffix(".").replace("`", "").replace("%", "%%")
        if isinstance(default, (str, int, float)) and default is not False:
            text += f" [{default:g}]" if isinstance(default, float) else f" [{default}]"
        shape |= {"dest": name, "default": default, "help": text[:1].lower() + text[1:], **own}
        parser.add_argument(flag, **shape)
    parser.set_defaults(derived=[*(parser.get_default("derived") or ()), *names])


def _shape(name: str, values: str) -> dict[str, Any]:
    """Return how argparse reads a parameter with these values, as a docstring says them."""
    if name in _FLAGS:
        return dict(_FLAGS[name])
    choices = re.findall(r'"([^"]+)"', values)
    if choices and "} or" not in values:
        return {"choices": choices}
    kinds = (shape for kind, shape in _KINDS if kind in values and not choices)
    return dict(next(kinds, {"metavar": name.upper()}))


def entry_of(documented: Any, parameter: str) -> tuple[str, str]:
    """Return what a docstring says of a parameter: its values, and what it is for.

    >>> entry_of(share, "example")
    ('', '')
    """
    pattern = rf"^(?:\w+, )*{parameter}\b[\w, ]*?(?: : (.*))?\n((?: +\S.*\n?)+)"
    entry = re.search(pattern, inspect.getdoc(documented) or "", re.MULTILINE)
    return (entry[1] or "", " ".join(entry[2].split())) if entry else ("", "")


def parameters(
    arguments: argparse.Namespace, wording: str = "give a number from {}", **least: int
) -> dict[str, Any]:
    """The values of the flags that `derive` declared; `UsageError` for one below its least.

    `least` has least values that are not the usual ones.
    """
    found = {name: getattr(arguments, name) for name in arguments.derived}
    check_least(found, wording, **(_LEAST | least))
    return found | ({"C": as_c(found["C"])} if "C" in found else {})


def said(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return `parameters`, but for those that were left to their default, None."""
    return {name: one for name, one in parameters(arguments).items() if one is not None}


def as_c(given: str | None) -> float | str | None:
    """Return the `-C` of a machine: a number, "cv", or None for its default."""
    if given is None or given == "cv":
        return given
    try:
        number = float(given)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise UsageError(f"-C is {given!r}; give a number above 0, or cv")
    return number


def check_least(given: Any, wording: str = "give at least {}", **least: int) -> None:
    """Raise `UsageError` for a number of a flag that is below its least; None is not given."""
    values = vars(given) if isinstance(given, argparse.Namespace) else given
    for name, low in least.items():
        value = values.get(name)
        if value is not None and value < low:
            flag = _CALLED.get(name, f"--{name}")
            raise UsageError(f"{flag} is {value}; {wording.format(low)}")


def given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The values of flags as keywords of functions; `bootstrap` is their `resamples`."""
    return {name.replace("bootstrap", "resamples"): getattr(arguments, name) for name in names}


# Formats


def given_format(arguments: argparse.Namespace) -> Format | None:
    """The format of INPUT that the command line or the ending tells; None if neither does."""
    path: str = arguments.input
    is_json = path == "-" or path.lower().removesuffix(".gz").endswith(".json")
    form: Format | None = arguments.format or ("jsonl" if is_json else format_of(path))
    return "parquet" if form is None and os.path.isdir(path) else form


def input_format(arguments: argparse.Namespace, formats: Sequence[Format] = IN_ROWS) -> Format:
    """Return the format of INPUT, from the command line.

    Raises `UsageError` if it is unknown or not one of `formats`.
    """
    form = given_format(arguments)
    if form is not None and form not in formats:
        problem = f"this command does not read {form}; write the rows as .jsonl"
        raise UsageError(f"{arguments.input}: {problem}")
    if form is None:
        with naming(arguments.input):
            os.stat(arguments.input)  # a name without a file has no ending that is known
        option = getattr(arguments, "format_option", "--format")
        hint = f"pass {option} jsonl or {option} csv"
        raise UsageError(f"{arguments.input}: unknown extension; {hint}")
    mark = getattr(arguments, "separator", None)
    if mark is None:
        return form
    if form not in DELIMITERS:
        raise UsageError(f"--separator is for CSV, not for {form}; omit it")
    named: dict[str, Format] = {",": "csv", ";": "csv;", "|": "csv|", "\t": "tsv", "tab": "tsv"}
    if mark not in named:
        raise UsageError(f"--separator is {mark!r}; choose from , ; | tab")
    return named[mark]


def output_form(path: str, given: F | None, forms: Sequence[F], option: str = "") -> F:
    """Return the format of the output at `path`: what `option` gave, or what the ending tells.

    That of `-`, of a device and of a pipe is the first of `forms`.

    Raises
    ------
    UsageError
        The ending is that of no format in `forms`.
    DataError
        The folder of the file is not there.
    """
    is_file = path != "-" and (os.path.isfile(path) or not os.path.exists(path))
    if is_file:
        check_folder(path)
    if given is not None or not is_file:
        return given or forms[0]
    ending = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    known_forms = (format_of(path), *_ENDINGS.get(ending, ()))
    found = next((form for form in forms if form in known_forms), None)
    if found is None:
        *most, last = [
            *(f".{form}" for form in _OF_ROWS if form in forms),
            *(end for end, kinds in _ENDINGS.items() if end != ".htm" and {*kinds} & {*forms}),
        ]
        known = f"{', '.join(most)} or {last}" if most else last
        hint = f"end it in {known}" + f", or pass {option}" * bool(option)
        raise UsageError(f"-o {path}: unknown extension; {hint}")
    return found


def names_file(path: str) -> bool:
    """Return whether a name ends like that of a file, where a folder is asked for."""
    ending = os.path.splitext(path)[1].lower()
    return ending in (*_ENDINGS, ".pdf", ".xlsx", ".svg", ".png") or format_of(path) is not None


def same_file(path: str, other: str) -> bool:
    """Return whether two paths lead to one file, which is there."""
    there = "-" not in (path, other) and os.path.exists(path) and os.path.exists(other)
    return there and os.path.samefile(path, other)


# Values


def workers_of(arguments: argparse.Namespace) -> int:
    """Return the given number of threads; `UsageError` if it is invalid."""
    workers: int = arguments.workers
    if workers != -1 and not 1 <= workers <= MOST_WORKERS:
        hint = f"takes a number from 1 to {MOST_WORKERS}, or -1 for all processors"
        raise UsageError(f"--workers {hint}")
    return workers


def names_of(option: str, given: Iterable[str], kind: str, blanks: bool = False) -> list[str]:
    """Return the given names, without duplicates, in order.

    With `blanks`, blanks also separate names within an argument; names of columns may contain
    blanks.

    Raises `UsageError` for an argument without names.

    >>> names_of("--human", ["a,b", "b", " c "], "column")
    ['a', 'b', 'c']
    >>> names_of("--level", ["summary system"], "level", blanks=True)
    ['summary', 'system']
    """
    texts = [text.replace(" ", ",") if blanks else text for text in given]
    found = list(dict.fromkeys(filter(None, (n.strip() for t in texts for n in t.split(",")))))
    if texts and not found:
        raise UsageError(f"{option} is empty; pass one or more {kind}s")
    return found


def chosen_of(
    arguments: argparse.Namespace,
    option: str,
    known: Sequence[str],
    every: str = "",
    *,
    dest: str = "",
) -> list[str]:
    """Return the names given to an option, which must be known; the name `every` means all."""
    names = names_of(f"--{option}", getattr(arguments, dest or option), option, blanks=True)
    choices = [*known, *filter(None, [every])]
    for name in names:
        if name not in choices:
            raise UsageError(f"--{option} names {name!r}; choose from {', '.join(choices)}")
    return list(known) if every and every in names else names


# Columns of texts


def add_columns(
    parser: argparse.ArgumentParser, texts: Sequence[str] = ("candidate", "references", "source")
) -> None:
    """Declare the arguments that name the columns of `texts` and the id."""
    for name in texts:
        several = name == "references"
        parser.add_argument(
            f"--{name}-column",
            action="append" if several else "store",
            metavar="NAMES" if several else "NAME",
            help=f"[{name}, or as data sets name it]" + "; several with commas" * several,
        )
    add(parser, "id-column")


def columns_of(
    arguments: argparse.Namespace, needs: tuple[str, ...], wants: tuple[str, ...] = ()
) -> Columns:
    """Return the columns given on the command line; `needs` and `wants` as in `Columns`."""
    given = {what: getattr(arguments, f"{what}_column", None) for what in ALIASES}
    named = {what: name for what, name in given.items() if name is not None}
    if "references" in named:
        listed = ",".join(named["references"]).split(",")
        named["references"] = tuple(dict.fromkeys(filter(None, map(str.strip, listed))))
        if not named["references"]:
            raise UsageError("--references-column is empty; pass a column")
    unnamed = tuple(what for what in ALIASES if what not in named)
    with as_usage():
        return Columns(**named, id=arguments.id_column, needs=needs, wants=wants, unnamed=unnamed)


def columns_for(file: InputFile | TableInput, form: str, columns: Columns) -> Columns:
    """Return the columns as named in the file; reports names that differ from the options."""
    found = resolve_columns(file, form, columns)
    if found.notice:
        say(f"{file.name}: {found.notice}")
    return found
