r"""`summeval train combination|readability|dicomer|cremer`: train on rows with human scores.

# summeval train readability, train dicomer, train cremer

Train a metric on the rows of DATA and write its model: readability or dicomer, which predict how
well a candidate reads, or cremer, which predicts its overall quality from dicomer and TESLA-S.
Use the model with the option model: -m dicomer --option dicomer.model=MODEL.

A row has a candidate, its topic and a human score, which is compared with the scores of other
candidates on the topic. For cremer it also has references and, in another column, a readability
score, unless --parts names other metrics than TESLA-S and DICOMER, as for train combination.
"scores.coherence" means the field coherence of the object scores; rows without a score are skipped.
Except for readability, candidates are parsed, or a row may hold the parse, as
"document": {"sentences": [[["The", "DT"], ...], ...], "relations": [{"type", "sense", "arg1":
[first, last + 1], "arg2"}, ...]}, with tokens counted from 0 over the document.

[ARGUMENTS]
--provider: the parser [compiled]; readability has none
--format: format of DATA [by its ending; jsonl for -]
--output: file to write
--no-cache: neither read nor write the cache of parses
--system: column with the writer, for readability
--readability: column that dicomer learns within cremer
--kernel: kernel of cremer [rbf]
--parts: metrics of cremer, METRIC.FIELD too [tesla-s and dicomer]
--group: column with the set of data, for --parts

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval train dicomer rows.jsonl -o dicomer.model --score scores.coherence --topic topic_id
  summeval train readability rows.jsonl -o mine.model --topic topic_id --system system_id
  summeval train cremer rows.jsonl -o cremer.model --score overall --readability fluency --cross-fit
Needs scikit-learn: pip install 'summeval[learn]'.

# summeval train combination

Train a combination of any metrics on the rows of DATA and write its model: metrics that compare
with references, with the source, and with nothing, in one call. Use the model as a metric:
-m combination --option combination.model=MODEL.

A row has a candidate, what the metrics compare it with, its topic and a human score;
"scores.coherence" means the field coherence of the object scores; rows without a score are skipped.
The printed table has the combination on topics, systems and sets that it was not trained on, beside
the equal-weight mean of its columns, each column alone, and the length.

[ARGUMENTS]
--format: format of DATA [by its ending; jsonl for -]
--output: file to write
--no-cache: neither read nor write the cache of parses
--option: an option of a metric or a family, such as rouge.stemmer=porter; MODEL keeps it
--metrics: METRIC, its main field, or METRIC.FIELD
--system: column with the writer
--group: column with the set of data
--folds: hold out topic, system, set [all that are known]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval train combination rows.jsonl -m rouge2,simetrix.unsmoothedJSD,readability \
      --score overall --topic topic_id --system system_id -o mine.model --kind svm-rbf
The kinds with a kernel need scikit-learn: pip install 'summeval[learn]'.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from summeval import Combination, Cremer, Dicomer, Readability, Suite
from summeval.cli.shared import flags
from summeval.cli.shared.choice import choose, columns_of, usual
from summeval.cli.shared.errors import UsageError, open_provider, say
from summeval.cli.shared.rows import (
    Data,
    add_data,
    check_output,
    documents_of,
    left_out,
    read_data,
    train,
)
from summeval.io import DataError
from summeval.io.source import shown
from summeval.metrics.parts import is_empty
from summeval.metrics.registry import split_field
from summeval.report.tables import text_lines
from summeval.study.combined import JudgedColumns, combination, held_out_by

if TYPE_CHECKING:
    from summeval.learn.model_file import Saved

_BY = ("topic", "system", "set")
_DISCOURSE, _CREMER = ("dicomer", "cremer"), ("cremer",)
_PLAIN = ("features", "salience", "transform", "folds")  # of cremer without --parts
_ONLY = {  # options that only some metrics have
    "system": ("readability",),
    **dict.fromkeys((*_PLAIN, "C"), _DISCOURSE),
    **dict.fromkeys(("kernel", "cross_fit"), _CREMER),
    "no_cache": _DISCOURSE,
    **dict.fromkeys(("parts", "group"), _CREMER),
}


def add_combination(parser: ArgumentParser) -> None:
    """Declare the arguments of `train combination`."""
    add_data(parser)
    flags.add(parser, "metrics", required=True)
    flags.derive(parser, Combination, "kind", "C")
    flags.add(parser, "system", default=None)
    flags.add(parser, "option", "no-cache")
    parser.add_argument("--group", metavar="COLUMN")
    flags.add(parser, "score", "topic")
    flags.add_names(parser, "--folds", metavar="BY")
    flags.add(parser, "note", "workers", "format", "separator")
    flags.add_columns(parser)


def add_discourse(parser: ArgumentParser) -> None:
    """Declare the arguments of `train readability`, `dicomer` and `cremer`."""
    add_data(parser)
    add = parser.add_argument
    flags.add(parser, "score", "topic")
    flags.add(parser, "system", default=None)
    add("--readability", metavar="COLUMN")
    flags.derive(parser, Dicomer, "features", "salience", "transform", "C", default=None)
    flags.derive(parser, Cremer, "kernel", "parts", default=None)
    flags.derive(parser, Cremer.fit_documents, "cross_fit", default=None)
    flags.derive(parser, Dicomer.cross_predict, "folds", default=None)
    add("--group", metavar="COLUMN")
    flags.add(parser, "note", "provider", "no-cache", "workers", "format", "separator")
    flags.add_columns(parser)


def run_combination(arguments: Namespace) -> None:
    """Train a combination."""
    chosen = flags.parameters(arguments)
    if chosen["C"] is not None and not arguments.kind.startswith("svm-"):
        raise UsageError(f"-C is for the svm kinds; omit it with --kind {arguments.kind}")
    common = {"cache": False} if arguments.no_cache else {}
    suite, columns = _parts("--metrics", arguments.metrics, arguments.option, common)
    made = Combination(suite.metrics, columns, **chosen)  # type: ignore[arg-type]
    asked = flags.names_of("--folds", arguments.folds, "column", blanks=True)
    _combine(arguments, made, suite, asked)


def run_discourse(arguments: Namespace) -> None:
    """Train readability, dicomer or cremer."""
    workers = flags.workers_of(arguments)
    cremer, given = arguments.metric == "cremer", flags.said(arguments)
    if cremer and "parts" in given:
        _cremer_of_parts(arguments, given)
        return
    if cremer != (arguments.readability is not None):
        raise UsageError("cremer needs --readability, and dicomer has none")
    for option, metrics in _ONLY.items():
        if getattr(arguments, option) and arguments.metric not in metrics:
            name = "-C" if option == "C" else f"--{option.replace('_', '-')}"
            raise UsageError(f"{name} is for {' and '.join(metrics)}; omit it")
    check_output(arguments.output)
    if arguments.metric != "readability":
        open_provider(arguments.provider)
    needs = ("references",) if cremer else ()
    data = read_data(arguments, needs, readability=arguments.readability, parses=True)
    with train(arguments, arguments.input) as done:
        head = f"{len(data.scores)} rows on {len(set(data.topics))} topics"
        if arguments.metric == "readability":
            fitted: tuple[Saved, list[str]] = _readability(data, workers)
        else:
            fitted = _discourse(arguments, given, data, workers)
        done(fitted[0], [head, *fitted[1]])


def _readability(data: Data, workers: int) -> tuple[Readability, list[str]]:
    metric = Readability()
    texts = [text for text in data.candidates if text is not None]
    metric.fit(texts, data.scores, data.topics, data.systems or None, workers=workers)
    found = metric.trained
    effect = "" if found["effect"] is None else f", of effects of systems {found['effect']:g}"
    return metric, [f"{len(metric.weights)} features, penalty {found['strength']:g}{effect}"]


def _discourse(
    arguments: Namespace, given: dict[str, Any], data: Data, workers: int
) -> tuple[Dicomer | Cremer, list[str]]:
    """Return a trained dicomer, or a cremer with one, and what to print of it."""

    def some(*names: str) -> dict[str, Any]:
        return {name: given[name] for name in names if name in given}

    own = some("features", "salience", "transform", "C")
    dicomer = Dicomer(**own, parser=arguments.provider, cache=not arguments.no_cache)
    documents = documents_of(data.candidates, data.parses, dicomer, workers)
    if arguments.metric == "cremer":
        cremer = Cremer(dicomer=dicomer, **some("kernel", "C"))
        content = cremer.tesla.score_batch(data.candidates, data.references)["tesla-s.fmeasure"]
        human: Any = data.readability, data.scores, data.topics
        cremer.fit_documents(documents, content, *human, **some("cross_fit", "folds"))
        return cremer, [f"{len(dicomer.weights)} features, C = {cremer.trained['C']:.6g}"]
    dicomer.fit(documents, data.scores, data.topics)
    lines = [f"{len(dicomer.weights)} features, C = {dicomer.trained['C']:.6g}"]
    if len(set(data.topics)) > 1:
        from summeval.learn.svm import pair_accuracy

        values = dicomer.cross_predict(documents, data.scores, data.topics, **some("folds"))
        share = pair_accuracy(values, data.scores, data.topics)
        lines.append(f"pairs of unseen topics in the right order: {share:.3f}")
    return dicomer, lines


def _cremer_of_parts(arguments: Namespace, given: dict[str, Any]) -> None:
    """Train cremer on any metrics."""
    for name in ("readability", *_PLAIN, "cross_fit"):
        if getattr(arguments, name):
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} is for cremer without --parts; omit it")
    common: dict[str, Any] = {"cache": False} if arguments.no_cache else {}
    if arguments.provider != "compiled":
        common["parser"] = open_provider(arguments.provider)
    suite, columns = _parts("--parts", given.pop("parts"), (), common)
    made = Cremer(parts=suite.metrics, **given)  # type: ignore[arg-type]
    made.take_columns(columns)
    _combine(arguments, made, suite, ())


def _combine(arguments: Namespace, made: Combination, suite: Suite, asked: Sequence[str]) -> None:
    """Cross-validate, fit on all rows and write the model."""
    workers = flags.workers_of(arguments)
    folds = _folds(arguments, asked)
    check_output(arguments.output)
    data = read_data(arguments, suite.reads, group=arguments.group)
    with train(arguments, arguments.input) as done:
        judged, notes = _judged(data, suite, made.columns_used, workers, shown(arguments.input))
        found = combination(
            judged,
            made.new_model,
            [by for by in folds if _possible(judged, by, by in asked)],
            kind=f"{made.name}, {made.model_kind}",
            signatures={name: str(signature) for name, signature in suite.signature.items()},
        )
        rows = np.column_stack(list(judged.columns.values()))
        made.fit_rows(rows, judged.scores, judged.own_topics)
        (table,) = found.tables
        lines = [table.title, "", *text_lines(table.rows), ""]
        done(made, [*lines, *found.footer(), *(f"note: {note}" for note in notes)])


def _parts(
    option: str, names: Sequence[str], options: Sequence[str], common: dict[str, Any]
) -> tuple[Suite, list[str]]:
    """The metrics of names such as `rouge2` and `simetrix.unsmoothedJSD`, and their columns."""
    listed = usual(flags.names_of(option, names, "metric", blanks=True))
    suite = choose([split_field(name)[0] for name in listed], options, common)
    return suite, list(dict.fromkeys(columns_of(suite.metrics, listed, "field ")))


def _folds(arguments: Namespace, asked: Sequence[str]) -> list[str]:
    """Return what to hold out: what is asked for, else all whose column is given."""
    given = {"topic": arguments.topic, "system": arguments.system, "set": arguments.group}
    for by in asked:
        if by not in _BY:
            raise UsageError(f"--folds names {by!r}; choose from {', '.join(_BY)}")
        if given[by] is None:
            option = "--group" if by == "set" else f"--{by}"
            raise UsageError(f"--folds names {by!r}; name its column with {option}")
    return list(asked) or [by for by in _BY if given[by] is not None]


def _possible(judged: JudgedColumns, by: str, is_asked: bool) -> bool:
    """Return whether there are two folds or more; those asked for must be."""
    try:
        held_out_by(judged, by)
    except ValueError as error:
        if is_asked:
            raise
        say(f"not cross-validated by {by}: {error}")
        return False
    return True


def _judged(
    data: Data, suite: Suite, columns: Sequence[str], workers: int, place: str
) -> tuple[JudgedColumns, list[str]]:
    """Return the columns of the metrics and the scores, of the rows that have all of them."""
    reads = suite.reads
    references = data.references if "references" in reads else None
    given = data.sources if "source" in reads else None
    table = suite.score_batch(data.candidates, references, sources=given, workers=workers)
    notes = left_out(data.left_out, "text or score")
    numbers = {column: table[column] for column in columns}
    known = {column: np.isfinite(values) for column, values in numbers.items()}
    for column, there in known.items():
        if not there.any():
            problem = f"{column} has no number in any row"
            raise DataError(place, problem, "leave it out, or give the metric what it needs")
    whole = np.logical_and.reduce(list(known.values()))
    if not whole.all():
        gaps = [column for column, there in known.items() if not there.all()]
        notes.append(f"{(~whole).sum()} rows left out, with no number in {', '.join(gaps)}")
    if "source" in reads:  # whose worst values depend on the source
        whole &= [not is_empty(text) for text in data.candidates]
    rows = np.flatnonzero(whole).tolist()
    if not rows:
        raise DataError(place, "no row has a number in every column", "leave a metric out")

    kept = data.where(rows)
    judged = JudgedColumns(
        {name: values[rows] for name, values in numbers.items()},
        {name: suite.directions[name] for name in columns},
        np.array(kept.scores),
        np.array([float(len((text or "").split())) for text in kept.candidates]),
        kept.topics,
        kept.systems or None,
        kept.groups or None,
    )
    return judged, notes
