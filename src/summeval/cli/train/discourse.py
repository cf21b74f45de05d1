"""`summeval train readability|dicomer|cremer`: train on rows with human scores.

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
--folds: number of folds of topics for testing [5]
--format: format of DATA [by its ending; jsonl for -]
--output: file to write
--no-cache: neither read nor write the cache of parses
--system: column with the writer, for readability
--readability: column that dicomer learns within cremer
--features: features of the role matrix [dicomer]
--salience: treat words that occur N times separately
--transform: [signed_log1p]
--kernel: kernel of cremer [rbf]
--parts: metrics of cremer, METRIC.FIELD too [tesla-s and dicomer]
--group: column with the set of data, for --parts
-C: a number, or cv to choose it by topics [SVM-light's]
--cross-fit: train cremer on predictions for unseen topics

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval train dicomer rows.jsonl -o dicomer.model --score scores.coherence --topic topic_id
  summeval train readability rows.jsonl -o mine.model --topic topic_id --system system_id
  summeval train cremer rows.jsonl -o cremer.model --score overall --readability fluency --cross-fit
Needs scikit-learn: pip install 'summeval[learn]'.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from summeval import Cremer, Dicomer, Readability
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, open_provider, put, refusals
from summeval.cli.shared.rows import (
    Data,
    add_data,
    as_c,
    check_output,
    documents_of,
    read_data,
    save,
)
from summeval.cli.train.combination import chosen_parts, train
from summeval.io.source import shown
from summeval.learn.regression import TRANSFORMS
from summeval.learn.svm_kernels import KERNELS
from summeval.metrics.discourse.roles import FEATURES

if TYPE_CHECKING:
    from summeval.learn.model_file import Saved

_DISCOURSE, _CREMER = ("dicomer", "cremer"), ("cremer",)
_ONLY = {  # options that only some metrics have
    "system": ("readability",),
    **dict.fromkeys(("features", "salience", "transform", "C", "folds"), _DISCOURSE),
    **dict.fromkeys(("kernel", "cross_fit"), _CREMER),
    "no_cache": _DISCOURSE,
    **dict.fromkeys(("parts", "group"), _CREMER),
}
_FOLDS = 5


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_data(parser)
    add = parser.add_argument
    flags.add(parser, "score", "topic")
    flags.add(parser, "system", default=None)
    add("--readability", metavar="COLUMN")
    add("--features", choices=FEATURES)
    add("--salience", type=int, metavar="N")
    add("--transform", choices=TRANSFORMS)
    add("--kernel", choices=KERNELS)
    flags.add_names(parser, "--parts")
    add("--group", metavar="COLUMN")
    add("-C", default=None, metavar="C")
    add("--cross-fit", action="store_true")
    add("--folds", type=int, metavar="N")
    flags.add(parser, "note", "provider", "no-cache", "workers", "format", "separator")
    flags.add_columns(parser)


def run(arguments: Namespace) -> None:
    """Train a metric."""
    workers = flags.workers_of(arguments)
    cremer = arguments.metric == "cremer"
    if arguments.parts and cremer:
        _train_parts(arguments)
        return
    if cremer != (arguments.readability is not None):
        raise UsageError("cremer needs --readability, and dicomer has none")
    _check_options(arguments)
    check_output(arguments.output)
    if arguments.metric != "readability":
        open_provider(arguments.provider)
    needs = ("references",) if cremer else ()
    data = read_data(arguments, needs, readability=arguments.readability, parses=True)
    with refusals(shown(arguments.input)):
        metric, lines = _trained(arguments, data, workers)
    save(arguments, metric)
    put([f"{len(data.scores)} rows on {len(set(data.topics))} topics", *lines])


def _train_parts(arguments: Namespace) -> None:
    """Train cremer on any metrics."""
    for name in ("readability", "features", "salience", "transform", "folds", "cross_fit"):
        if getattr(arguments, name) not in (None, False):
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} is for cremer without --parts; omit it")
    common: dict[str, Any] = {"cache": False} if arguments.no_cache else {}
    if arguments.provider != "compiled":
        common["parser"] = open_provider(arguments.provider)
    suite, columns = chosen_parts("--parts", arguments.parts, (), common)
    metrics: Any = suite.metrics
    made = Cremer(kernel=arguments.kernel or "rbf", C=as_c(arguments.C), parts=metrics)
    made.take_columns(columns)
    train(arguments, made, suite, ())


def _check_options(arguments: Namespace) -> None:
    """Raise for options that the metric lacks or that are invalid."""
    for option, metrics in _ONLY.items():
        given = getattr(arguments, option)
        if given not in (None, False, []) and arguments.metric not in metrics:
            name = "-C" if option == "C" else f"--{option.replace('_', '-')}"
            raise UsageError(f"{name} is for {' and '.join(metrics)}; omit it")
    flags.check_least(arguments, "give a number from {}", folds=2, salience=2)
    as_c(arguments.C)


def _trained(arguments: Namespace, data: Data, workers: int) -> tuple[Saved, list[str]]:
    """Return the metric, and what to print of it."""
    if arguments.metric == "readability":
        metric = Readability()
        texts = [text for text in data.candidates if text is not None]
        metric.fit(texts, data.scores, data.topics, data.systems or None, workers=workers)
        found = metric.trained
        effect = "" if found["effect"] is None else f", of effects of systems {found['effect']:g}"
        return metric, [f"{len(metric.weights)} features, penalty {found['strength']:g}{effect}"]
    dicomer = Dicomer(
        features=arguments.features or "dicomer",
        salience=arguments.salience,
        transform=arguments.transform or "signed_log1p",
        C=as_c(arguments.C),
        parser=arguments.provider,
        cache=not arguments.no_cache,
    )
    documents = documents_of(data.candidates, data.parses, dicomer, workers)
    folds = arguments.folds or _FOLDS
    if arguments.metric == "cremer":
        cremer = Cremer(kernel=arguments.kernel or "rbf", C=as_c(arguments.C), dicomer=dicomer)
        content = cremer.tesla.score_batch(data.candidates, data.references)["tesla-s.fmeasure"]
        human = data.readability, data.scores, data.topics
        cremer.fit_documents(documents, content, *human, cross_fit=arguments.cross_fit, folds=folds)
        return cremer, [f"{len(dicomer.weights)} features, C = {cremer.trained['C']:.6g}"]
    dicomer.fit(documents, data.scores, data.topics)
    lines = [f"{len(dicomer.weights)} features, C = {dicomer.trained['C']:.6g}"]
    if len(set(data.topics)) > 1:
        from summeval.learn.svm import pair_accuracy

        values = dicomer.cross_predict(documents, data.scores, data.topics, folds=folds)
        share = pair_accuracy(values, data.scores, data.topics)
        lines.append(f"pairs of unseen topics in the right order: {share:.3f}")
    return dicomer, lines
