"""`summeval which`: the settings under which a number of a paper or program comes out.

Say which program, metric, field and options give a number for the texts of HYP beside those of REF:
each line is a text, or each file of a folder. The number is compared to the digits that it has, and
as a share and in percent.

Tried are ROUGE (n-grams of 1 to 4, L, Lsum, W, S4, SU4; the stemmers of rouge-score and of
ROUGE-1.5.5, stop words, the ways to take several references; precision, recall, F), BLEU
(tokenizers, case, smoothing), chrF and chrF++ (beta, smoothing, case), TER, GLEU, METEOR, CIDEr-D,
WER, CER and edit similarity; each as the mean of the rows and, where a metric has sums, of the
corpus. Several settings may give the same number, and some by chance: give as many digits as there
are.

[ARGUMENTS]
--format: format of the results [by the ending of OUT, or table]
HYP: the candidates: a file with a text on each line, or a folder
REF: the references; several files are several of each
--value: what was printed, such as .3916 or 39.16
--metrics: try only these: rouge, bleu, chrf, ter … [all]
--newline: mark of a line break in the texts

Exit status: 0 found, 1 bad data or files, 2 bad usage, 3 no setting gives the number.
Examples:
  summeval which bart.txt gold.txt --value 0.3916
  summeval which bart.txt gold.txt gold2.txt --value 34.52 --metrics bleu chrf --newline '<n>'
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product
from math import isnan
from typing import Any, NamedTuple

import summeval
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.flags import add_names, names_of
from summeval.cli.shared.results import add_layout, settle_layout, show
from summeval.io import BadRow
from summeval.io.plain import Plain, open_plain

NOT_FOUND = 3
_NEAREST = 3
_STEMMERS: dict[str | None, str] = {None: "", "porter": "use_stemmer=True", "rouge155": "-m"}
_ERRORS = ("value", "mer", "wil", "wip")
_FIELDS = {"bleu": ("value",), "ter": ("value",), "wer": _ERRORS, "cer": _ERRORS}  # no counts
_TOKENIZERS = ("13a", "intl", "zh", "char", "none")
_SMOOTHINGS = ("exp", "floor", "add-k", "none")


class Setting(NamedTuple):
    """A metric with options, and the program that has them by default or by its own options."""

    metric: str
    options: dict[str, Any]
    program: str


class Number(NamedTuple):
    """A number of a setting: the field, and whether it is of the corpus or the mean of rows."""

    setting: Setting
    field: str
    of: str
    value: float


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("hyp", metavar="HYP")
    add("ref", metavar="REF", nargs="+")
    add("--value", required=True, metavar="NUMBER")
    add_names(parser, "--metrics", "-m")
    add("--newline", default="", metavar="MARK")
    add_layout(parser)


def run(arguments: Namespace) -> int:
    """Search and print; return the exit status."""
    settle_layout(arguments)
    wanted = _number(arguments.value)
    candidates, references = _texts(arguments)
    several = len(arguments.ref) > 1
    chosen = names_of("--metrics", arguments.metrics, "metric", blanks=True)
    settings = [
        one
        for one in settings_of(several)
        if not chosen or one.metric in chosen or ("rouge" in chosen and one.metric[:5] == "rouge")
    ]
    if not settings:
        raise UsageError(f"--metrics {' '.join(chosen)}: none is tried; omit it to try all")
    numbers = list(numbers_of(settings, candidates, references))
    found = _merged([number for number in numbers if _matches(number.value, wanted)])
    notes = []
    if not found:
        nearest = sorted(numbers, key=lambda one: _distance(one.value, wanted))
        notes = [f"no setting gives {arguments.value}; these come nearest"]
    counts = {"rows": len(candidates), "tried": len(numbers), "value": arguments.value}
    show(arguments, found or _merged(nearest)[:_NEAREST], counts, notes)
    return 0 if found else NOT_FOUND


def settings_of(several: bool) -> Iterator[Setting]:
    """Yield what is tried, with the ways to take several references if there are several."""
    yield from _rouge(several)
    cases = ("keep", "lower")
    for smoothing, tokenizer, case, effective in product(
        _SMOOTHINGS, _TOKENIZERS, cases, (None, False)
    ):
        options: dict[str, Any] = {"tokenizer": tokenizer, "case": case, "smoothing": smoothing}
        plain = smoothing == "none" and case == "keep"
        program = "sacrebleu"
        if plain and tokenizer == "13a" and not several:
            program += ", evaluate bleu"
        elif plain and tokenizer == "none":
            program += ", torchmetrics"
        yield Setting("bleu", options | {"effective_order": effective}, program)
    for name, case, beta in product(("chrf", "chrf++"), cases, (2, 3, 1)):
        options = {"case": case, "beta": beta}
        yield Setting(name, options, "sacrebleu")
        program = "NLTK" if beta == 3 else "torchmetrics, chrF++.py"
        yield Setting(name, options | {"smoothing": "eps"}, program)
    for normalized, punctuation, case in product((False, True), (True, False), cases[::-1]):
        options = {"normalized": normalized, "punctuation": punctuation, "case": case}
        yield Setting("ter", options, "sacrebleu")
    for tokenizer in ("whitespace", "treebank", "13a"):
        program = "evaluate google_bleu" if tokenizer == "13a" else "NLTK"
        yield Setting("gleu", {"tokenizer": tokenizer}, program)
        yield Setting("meteor", {"tokenizer": tokenizer}, "NLTK")
        yield Setting("cider-d", {"tokenizer": tokenizer}, "pycocoevalcap")
    for name, program in (("wer", "jiwer"), ("cer", "jiwer"), ("edit-similarity", "rapidfuzz")):
        yield Setting(name, {}, program)


def _rouge(several: bool) -> Iterator[Setting]:
    names = [f"rouge{kind}" for kind in ("1", "2", "3", "4", "L", "Lsum", "W", "S4", "SU4")]
    ways = ("max", "average", "best") if several else ("max",)
    for name, stemmer, stop, way in product(names, _STEMMERS, (False, True), ways):
        old = way != "max" or stemmer == "rouge155" or stop or name[5] in "WS"
        if old and (stemmer == "porter" or (several and way == "max")):
            continue  # no program has these together
        flag = _STEMMERS[stemmer]
        parts = ["-m"] * (flag == "-m") + ["-s"] * stop + ["-f B"] * (way == "best")
        program = " ".join(["ROUGE-1.5.5", *parts]) if old else f"rouge-score {flag}".strip()
        if not old and not flag and not several:
            program += ", ROUGE-1.5.5"
        options: dict[str, Any] = {"stemmer": stemmer} if stemmer else {}
        options |= {"stopwords": True} if stop else {}
        options |= {"aggregate": way} if several else {}
        yield Setting(name, options, program)


def numbers_of(
    settings: Sequence[Setting], candidates: Sequence[str], references: Sequence[Sequence[str]]
) -> Iterator[Number]:
    """Yield the numbers of settings; those that cannot be used with these texts have none."""
    from summeval.metrics.run.corpus import sums_of

    for number, setting in enumerate(settings):
        metric = summeval.metric(setting.metric, **setting.options, label=f"m{number}")
        if isinstance(metric, summeval.Cider):
            metric = metric.fit(references)
        table = metric.score_batch(candidates, references)
        fields = _FIELDS.get(setting.metric, metric.fields)
        for field in fields:
            yield Number(setting, field, "mean of rows", table.mean()[f"m{number}.{field}"])
        if metric.summed:
            sums = sums_of(table.statistics(f"m{number}"))
            corpus = metric.from_statistics(sums)
            yield from (Number(setting, field, "corpus", corpus[field]) for field in fields)


def _number(text: str) -> Decimal:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", text):
        raise UsageError(f"--value is {text!r}; give a number as it was printed, such as .3916")
    return Decimal(text)


def _matches(value: float, wanted: Decimal) -> bool:
    """Return whether a share or its percentage is the number, to the digits that it has."""
    last = Decimal(1).scaleb(int(wanted.as_tuple().exponent))
    return _distance(value, wanted) <= float(last) / 2 + 1e-12


def _distance(value: float, wanted: Decimal) -> float:
    if isnan(value):
        return float("inf")
    return min(abs(scale * value - float(wanted)) for scale in (1, 100))


def _merged(numbers: Sequence[Number]) -> list[dict[str, Any]]:
    """Return a row for each number, program and field, with how many more options give it."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for number in numbers:
        setting, field, of, value = number
        options = " ".join(f"{key}={v}" for key, v in setting.options.items() if v is not None)
        names = {"program": setting.program, "metric": setting.metric, "field": field, "of": of}
        row = {**names, "value": value, "options": options, "others": -1}
        rows.setdefault((*names.values(), round(value, 12)), row)["others"] += 1
    return list(rows.values())


def _texts(arguments: Namespace) -> tuple[list[str], list[list[str]]]:
    """Return the candidates and the references of each."""
    file = open_plain(Plain([("", arguments.hyp)], arguments.ref, (), arguments.newline))
    candidates: list[Any] = []
    references: list[list[Any]] = []
    with file:
        for _, own, others, _ in file.rows(0):
            for text in (*own, *others):
                if isinstance(text, BadRow):
                    raise text
            candidates += own
            references.append(list(others))
    if not candidates:
        raise UsageError(f"{arguments.hyp} has no texts; give a file with one on each line")
    return candidates, references
