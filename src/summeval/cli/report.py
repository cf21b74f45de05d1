"""`summeval report`: a report on systems, metrics and human judgements, in one HTML file.

Show the scores in SCORES as one HTML page, which needs neither scripts nor network: which system is
better and how sure that is, how scores are spread, how far metrics agree, the rows on which they
part, and how far they follow length. SCORES is a file that `summeval score` has written.

With human scores it also shows how well the metrics agree with people: correlations with intervals,
significant differences, agreement by topic, what each metric adds. Without --human all numeric
columns that are no metrics are taken for human scores; --human none takes none of them.

The number of words of the candidates is added as a baseline, computed from the texts (summeval
score --keep-text) or read from --length. Signatures are read from Parquet and Arrow files, or from
--signatures. The first coefficient is the one that is tested and plotted. For comparisons with
people, metrics are negated if lower is better, with a minus before their names. Without --metrics
each of summeval's metrics is shown by its value (fmeasure for ROUGE), other metrics by all of their
fields. The page has pictures if matplotlib is installed (pip install 'summeval[report]').

[ARGUMENTS]
--human: columns with human scores; scores.x means x in the object scores [all numeric columns that
    are not metrics]
--level: summary, system, global, all [summary,system]
--alpha: level of the tests, from 0 to 1 [0.05]
--format: format of the results [by the ending of OUT, or html]
--metrics: METRIC or METRIC.FIELD [all]
--length: column with the lengths of the candidates
--candidate-column: column with the texts [candidate]
--title: title of the page [the name of SCORES]
--bootstrap: number of draws and permutations [as many as the tests need]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval score --hyp a.txt --hyp b.txt --ref ref.txt -m rouge1,rouge2 -o scores.jsonl
  summeval report scores.jsonl -o report.html
  summeval score rows.jsonl -m rouge1,rouge2,tesla-s -o scores.jsonl --keep-text --means > sums
  summeval report scores.jsonl --human coherence relevance --signatures sums -o report.html
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import count
from math import isclose, isnan
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

import summeval
from summeval._core.columns.columns import texts as text_column
from summeval._progress import Progress
from summeval.cli.rank import ranking
from summeval.cli.shared import flags, judged
from summeval.cli.shared.errors import refusals, say, write_file
from summeval.cli.shared.results import add_layout, settle_layout, show
from summeval.io import DataError
from summeval.io.rows import Row, not_found
from summeval.io.source import shown
from summeval.meta.differences import Ranking, Sums
from summeval.meta.overview import LENGTH, Overview, Survey, overview, survey
from summeval.metrics.registry import is_builtin, list_metrics, split_field
from summeval.metrics.run.notices import ASCII_ONLY, Notices
from summeval.report.html import Contents, ShownRow
from summeval.report.page import report
from summeval.report.people import by_level
from summeval.report.tables import percent, short
from summeval.table.cells import Array, find
from summeval.table.scores import numbered
from summeval.table.table import Table, read_rows

LEVELS = ("summary", "system")
LAYOUTS = ("html", "csv", "json", "latex")
NONE = "none"  # as a name of --human
MANY = 40  # systems, from which each is compared with the best one only
_NO_LENGTHS = (
    "Lengths are not known: the scores have no column of lengths and no texts."
    " Pass one with --length, or keep the texts (summeval score --keep-text)."
)

APART, OUTLIERS, WORST = 3, 3, 2  # rows shown of each kind
EXPLAINED = 2  # metrics explained for each row
LONGEST = 6000  # letters of a text that is explained
MOST = 1_500_000  # letters of all explanations; pages of more are slow to open
KEPT = 200  # letters of a text that is kept: names and numbers
_SOME = 256  # candidates that are kept, to tell their language
# Scripts without blanks between words: from Thai and Lao to Chinese.
_BARE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(rf"[{_BARE}][^\w\s]*|[^\s{_BARE}]+")

_LARGEST = 1e150  # whose square is finite


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    judged.add_judged(parser, guess=True)
    add = parser.add_argument
    flags.add(parser, "metrics")
    add("--length", metavar="COLUMN")
    add("--candidate-column", default="candidate", metavar="NAME")
    add("--title", metavar="TEXT")
    flags.add(parser, "bootstrap", default=None)
    flags.add(parser, "alpha")
    add_layout(parser, LAYOUTS)


def run(arguments: Namespace) -> None:
    """Read, compute and write."""
    settle_layout(arguments)
    judged.check_numbers(arguments, 1)
    judged.read_names(arguments)
    levels, coefficients = judged.levels_of(arguments, LEVELS), judged.coefficients_of(arguments)
    names = [arguments.system, arguments.topic, "id", arguments.length or LENGTH]
    keep = Keeper(arguments.candidate_column, names, count_words=not arguments.length)
    found = judged.read_scores(arguments, keep)
    guessed = not arguments.human
    arguments.human = [] if arguments.human == [NONE] else arguments.human
    if guessed:
        arguments.human = judged.dimensions(arguments, found)
    columns = judged.shown_columns(arguments, found)
    _set_lengths(arguments, found.rows)
    table = columns_of(arguments, found, columns)
    notes = [*found.notes, *cautions(keep.texts, columns, found.signatures)]
    notes += judged.means_of_sums(columns, table.sums)
    if guessed and arguments.human and (table.systems is None or table.paired in ("order", "")):
        lacks = "system (--system)" if table.systems is None else "topic (--topic)"
        left = f"not taken for human scores, as no row names its {lacks}"
        notes.append(f"{', '.join(arguments.human)}: {left}")
        arguments.human = []
    people: Overview | None = None
    if arguments.human:
        if table.paired == "id":
            arguments.topic = "id"
        people = _people(arguments, found, columns, levels, coefficients)
        notes += judged.ceiling_notes(people.ceilings)
        for line in people.cautions:
            say(f"warning: {line}")
    if people is not None:  # `judged_tables` has read the options, and warned
        directions = {column: column not in people.negated for column in columns}
    else:
        directions = dict.fromkeys(columns, True) | judged.directions(arguments, found, columns)
    if arguments.format == "html":
        again = keep.rows == len(found.rows)
        page = page_of(arguments, found, table, directions, notes, people, again)
        write_file(arguments.output, page.encode())
        return
    if people is not None:
        rows = [row for agreement in people.agreements for row in agreement.rows]
        settings = _settings(people) | {"signatures": dict(found.signatures) or None}
        show(arguments, rows, settings, [*people.notes, *judged.means_of_sums(columns)], ["over"])
        return
    ranking = ranked(arguments, table, directions, notes)
    if ranking is None:
        place, hint = shown(arguments.scores), "name its column: --system"
        raise DataError(place, "no row names its system", hint)
    made = {"summeval": summeval.__version__, "systems": len(ranking.systems)}
    show(arguments, ranking.to_rows(), made | ranking.settings, notes)


def _people(
    arguments: Namespace,
    found: Table,
    columns: Sequence[str],
    levels: Sequence[Any],
    coefficients: Sequence[Any],
) -> Overview:
    """Return the comparison with human scores."""
    lengths = [LENGTH] * any(LENGTH in row for row in found.rows)
    scores = judged.judged_tables(arguments, found, list(dict.fromkeys([*columns, *lengths])))
    size = len(found.rows)
    hint = "choose other columns"
    with refusals(shown(arguments.scores), hint, besides=True), Progress(None) as progress:
        return overview(
            scores,
            columns,
            arguments.human,
            coefficients,
            levels,
            **flags.given(arguments, "over", "bootstrap", "confidence", "alpha", "seed"),
            progress=lambda done, all_: progress.reach(done * size, all_ * size),
        )


def _settings(made: Overview) -> dict[str, Any]:
    return {
        "summeval": summeval.__version__,
        "systems": len(made.scores.systems),
        "topics": len(made.scores.topics),
        "over": by_level(made.permuted),
        "intervals over": by_level(made.drawn),
        "resamples": made.resamples,
        "seed": made.seed,
        "confidence": made.confidence,
        "alpha": made.alpha,
        "baseline": LENGTH if LENGTH in made.metrics else "none: no lengths",
    }


def _set_lengths(arguments: Namespace, rows: list[Row]) -> None:
    """Write the lengths of the named column into each row."""
    if not arguments.length:
        return
    if not any(find(row, arguments.length)[0] for row in rows):
        problem = not_found(arguments.length, Table(rows).paths())
        raise DataError(shown(arguments.scores), problem, "name the column with --length")
    for row in rows:
        row[LENGTH] = find(row, arguments.length)[1]


def page_of(  # noqa: PLR0917 - all that has been read
    arguments: Namespace,
    found: Table,
    table: Columns,
    directions: Mapping[str, bool],
    notes: list[str],
    people: Overview | None,
    again: bool,
) -> str:
    """Return the page; `again` says whether the file can be read again, row by row, for texts."""
    metrics = tuple(table.scores)
    names, places = table.places()
    surveyed = survey(table.scores, names or [""], places, directions, lengths=table.lengths)
    draws = find_spec("matplotlib") is not None
    if not draws:
        notes.append("without pictures: pip install 'summeval[report]'")
    if table.lengths is None:
        notes.insert(0, _NO_LENGTHS)
    ranking = ranked(arguments, table, directions, notes)
    settings = {"summeval": summeval.__version__, "scores": shown(arguments.scores)}
    if arguments.judgements:
        settings["judgements"] = arguments.judgements
    if ranking is not None:
        settings["rows paired by"] = table.paired or "nothing"
    bare = {metric.rpartition(".")[0] for metric in metrics}
    ceilings: dict[tuple[str, str], float] = {}
    if people is not None:
        one = people.coefficients[0]
        ceilings |= {key: each.ceiling(one) for key, each in people.ceilings.items()}
    file = re.split(r"[/\\]", shown(arguments.scores))[-1]
    contents = Contents(
        name=file,
        title=arguments.title or file,
        metrics=metrics,
        labels=labels_of(metrics),
        survey=surveyed if names else replace(surveyed, systems=()),
        ranking=ranking,
        people=people,
        ceilings=ceilings,
        settings=settings,
        signatures={n: line for n, line in found.signatures.items() if n in bare},
        notes=tuple(dict.fromkeys([*notes, *(people.notes if people is not None else ())])),
    )
    picks: list[tuple[int, str, tuple[str, ...]]] = [(0, "The only row.", (contents.main,))]
    if surveyed.rows > 1:
        picks = chosen(surveyed, table.scores, contents.main, directions, contents.label)
    full = full_rows(arguments.scores, [row for row, _, _ in picks] if again else [])
    shown_rows = chosen_rows(picks, full, table, contents.label, arguments.candidate_column)
    return report(replace(contents, rows=shown_rows), table.scores, draws=draws)


def ranked(
    arguments: Namespace, table: Columns, directions: Mapping[str, bool], notes: list[str]
) -> Ranking | None:
    """Return the ranking of the systems; None if rows name no systems. Adds to the notes."""
    if table.systems is None:
        return None
    count = len(set(table.systems))
    topics, baseline = table.topics, None
    if count > MANY:
        baseline = _best(table, next(iter(table.scores)), directions)
        notes.append(f"{count} systems: each is compared with {baseline} only")
    if not table.paired:
        # nothing pairs the rows: intervals alone, as if each system had topics of its own
        topics = [f"{system} {row}" for row, system in enumerate(table.systems)]
        notes.append(
            "systems cannot be tested, as nothing pairs their rows: they differ in number, and have"
            " neither topics nor ids in common"
        )
    outputs = table.scores, table.systems, topics
    made = ranking(arguments, outputs, baseline, directions, sums=table.sums)
    notes += made.notes if table.paired else []
    return made


def _best(table: Columns, metric: str, directions: Mapping[str, bool]) -> str:
    """Return the system with the best mean."""
    assert table.systems is not None
    names, places = table.places()
    scores = table.scores[metric] if directions[metric] else -table.scores[metric]
    there = ~np.isnan(scores)
    if not there.any():
        return names[0]
    counts = np.bincount(places[there], minlength=len(names))
    sums = np.bincount(places[there], scores[there], len(names))
    return names[int(np.where(counts > 0, sums / np.maximum(counts, 1), -np.inf).argmax())]


def labels_of(columns: Sequence[str]) -> dict[str, str]:
    """Names without their field, where that is the value of a metric and no other has the name.

    >>> labels_of(["rouge1.fmeasure", "tesla-s.recall", "mine.score"])
    {'rouge1.fmeasure': 'rouge1', 'tesla-s.recall': 'tesla-s.recall', 'mine.score': 'mine.score'}
    """
    labels = {}
    for column in columns:
        metric, _, field = column.rpartition(".")
        alone = sum(other.rpartition(".")[0] == metric for other in columns) == 1
        try:
            primary = alone and summeval.metric(metric).primary == field
        except (ValueError, ImportError):
            primary = False
        labels[column] = metric if primary else column
    return labels


# The rows: their columns, and those that are shown with what explains their scores


@dataclass(frozen=True)
class Columns:
    """The rows of a report.

    Attributes
    ----------
    systems : list of str or None
        The system of each row; None if the rows do not name any.
    topics : list of str or None
        What pairs the rows of two systems; None for their order.
    paired : str
        "topic", "id", "order", or "" if rows cannot be paired.
    scores : dict of str to array [row]
        NaN where there is none.
    lengths : array [row] or None
    sums : dict of str to Sums
        What makes scores of the corpus, of the columns for which it is known.
    """

    systems: list[str] | None
    topics: list[str] | None
    paired: str
    scores: dict[str, Array]
    lengths: Array | None
    sums: dict[str, Sums]

    def places(self) -> tuple[list[str], NDArray[np.int64]]:
        """Return the names of the systems, and the system of each row."""
        if self.systems is None:
            size = len(next(iter(self.scores.values())))
            return [], np.zeros(size, dtype=np.int64)
        return numbered(self.systems)


class Keeper:
    """Keeps of each row what a report needs; texts become numbers of words.

    >>> keep = Keeper("candidate", ["system"])
    >>> keep({"candidate": "two words", "system": "s", "references": ["x" * 400], "a.b": 1.0})
    {'system': 's', 'a.b': 1.0, 'length': 2}
    """

    def __init__(self, candidate: str, names: Sequence[str], *, count_words: bool = True) -> None:
        self.candidate, self.names, self.count_words = candidate, frozenset(names), count_words
        self.rows = 0
        self.texts: list[str] = []

    def __call__(self, row: Row) -> Row:
        """Return the small row."""
        self.rows += 1
        kept = {}
        for key, value in row.items():
            if key in self.names or key == LENGTH:
                kept[intern(key)] = value
            elif isinstance(value, str) and (key == self.candidate or len(value) > KEPT):
                continue
            elif not isinstance(value, list) or not any(isinstance(v, str) for v in value):
                kept[intern(key)] = value
        present, text = find(row, self.candidate)
        if isinstance(text, str) and len(self.texts) < _SOME:
            self.texts.append(text)
        if present and self.count_words and LENGTH not in row:
            kept[LENGTH] = words_in(text) if isinstance(text, str) else text
        return kept


def cautions(
    texts: Sequence[str], columns: Sequence[str], signatures: Mapping[str, str]
) -> list[str]:
    """Return what these candidates tell against the metrics: words that were cut, another language.

    >>> cautions(["Die Bären schlafen, und wir warten."], ["rouge1.recall"], {})
    ['with default options: the tokenizer rouge155 cuts or drops at least 10% of the words, which \
have letters outside a-z; score with --tokenizer unicode']
    """
    made = []
    for name in dict.fromkeys(split_field(column)[0] for column in columns):
        if is_builtin(name) and name in list_metrics():  # what needs a model or a server reads all
            cuts = "|tokenizer:rouge155" in signatures.get(name, "|tokenizer:rouge155")
            usual = summeval.metric(name)
            other = not cuts and usual.tokenizer == ASCII_ONLY
            made.append(summeval.metric(name, tokenizer="unicode") if other else usual)
    notices = Notices(made, command=True)
    notices.add(text_column(texts, "candidates"), [], {})
    known = any(one.name in signatures for one in made)
    return [line if known else f"with default options: {line}" for line in notices.of_texts()]


def words_in(text: str) -> int:
    """Return the number of words; where a script has no blanks between them, of its characters.

    >>> words_in("two words"), words_in("总理会见了部长。 BBC")
    (2, 8)
    """
    return len(text.split()) if text.isascii() else len(_WORDS.findall(text))


def columns_of(arguments: Namespace, rows: Table, metrics: Sequence[str]) -> Columns:
    """Return the rows as columns.

    Raises
    ------
    DataError
        A column that an option names is missing, a name is missing in a row, or a score is no
        number.
    """
    systems = _names(arguments, rows, "system", arguments.system)
    topics, paired = None, ""
    for column in [arguments.topic] if arguments.topic != "topic" else ["topic", "id"]:
        named = _names(arguments, rows, "topic", column)
        # ids name texts, each summarised by several systems, or rows
        repeats = systems is None or len(set(systems)) == 1 or len(set(named or ())) < len(rows)
        if named is not None and (column == "topic" or repeats):
            topics, paired = named, column
            break
    if topics is None and systems is not None:
        sizes = set(np.unique(systems, return_counts=True)[1].tolist())
        paired = "order" if len(sizes) == 1 else ""
    with refusals(shown(arguments.scores), "correct it, or leave it empty", besides=True):
        scores = {name: _numbers(rows, name) for name in metrics}
        known = any(LENGTH in row for row in rows.rows)
        lengths = _numbers(rows, LENGTH) if known else None
    return Columns(systems, topics, paired, scores, lengths, judged.sums_in(rows, metrics))


def _names(arguments: Namespace, rows: Table, option: str, column: str) -> list[str] | None:
    if column in rows:
        hint = f"name it in each row, or choose another column with --{option}"
        with refusals(shown(arguments.scores), hint, besides=True):
            return rows.name(column)
    if getattr(arguments, option) != option:
        hint = f"choose the column with --{option}"
        raise DataError(shown(arguments.scores), not_found(column, rows.paths()), hint)
    return None


def _numbers(rows: Table, column: str) -> Array:
    numbers = rows.number(column)
    far = np.flatnonzero(np.abs(numbers) > _LARGEST)
    if len(far):
        found = f"{column!r} is {numbers[far[0]]:g}, too large for a picture"
        raise ValueError(f"row {far[0] + 1}: {found}")
    return numbers


def full_rows(path: str, wanted: Sequence[int]) -> dict[int, Row]:
    """Return the whole rows at these places, read again; none from standard input."""
    if path == "-" or not wanted:
        return {}
    places, chosen = count(), frozenset(wanted)
    found: dict[int, Row] = {}

    def keep(row: Row) -> Row:
        place = next(places)
        if place in chosen:
            found[place] = row
        return {}

    read_rows(path, keep)
    return found


def texts_of(row: Mapping[str, Any], column: str) -> tuple[str, ...]:
    """Return the texts in a column: one, or a list of them.

    >>> texts_of({"references": ["a", None, "b"]}, "references"), texts_of({}, "source")
    (('a', 'b'), ())
    """
    value = find(row, column)[1]
    given = value if isinstance(value, list) else [value]
    return tuple(text for text in given if isinstance(text, str) and text)


def chosen(
    survey: Survey, scores: Mapping[str, Array], main: str, higher: Mapping[str, bool], label: Any
) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the rows to show: place, why, and the metrics that this is about; each row once."""
    reasons: list[tuple[int, str, tuple[str, ...]]] = []
    for odd in survey.apart[:APART]:
        far = f"{percent(odd.degree)} of all rows higher than {label(odd.other)} does"
        why = f"{label(odd.metric)} ranks this row {far}."
        reasons.append((odd.row, why, (odd.metric, odd.other)))
    for odd in survey.outliers[:OUTLIERS]:
        far = f"{short(odd.degree)} times the interquartile range outside the middle half"
        why = f"Its {label(odd.metric)} is {far} of its system."
        reasons.append((odd.row, why, (odd.metric,)))
    values = scores[main] if higher[main] else -scores[main]
    order = [int(row) for row in np.argsort(values, kind="stable") if not isnan(values[row])]
    for row in order[:WORST] if survey.rows > WORST else ():
        reasons.append((row, f"Among the worst of all rows by {label(main)}.", (main,)))
    found: dict[int, tuple[str, tuple[str, ...]]] = {}
    for row, why, about in reasons:
        known, of = found.get(row, ("", ()))
        found[row] = (f"{known} {why}".strip(), tuple(dict.fromkeys((*of, *about))))
    return [(row, why, about) for row, (why, about) in found.items()]


def chosen_rows(
    picks: Sequence[tuple[int, str, tuple[str, ...]]],
    full: Mapping[int, Row],
    columns: Columns,
    label: Callable[[str], str],
    candidate: str,
) -> tuple[ShownRow, ...]:
    """Return the chosen rows with their texts and explanations."""
    found: list[ShownRow] = []
    metrics: dict[str, Any] = {}
    size = 0
    for row, why, about in picks:
        whole = full.get(row, {})
        values = {name: float(column[row]) for name, column in columns.scores.items()}
        order = [*about, *(name for name in values if name not in about)][:6]
        texts = texts_of(whole, candidate)
        asked = about if size < MOST else ()
        made, note = _explained(whole, asked, values, texts, label, metrics)
        if size >= MOST and about:
            note = "Not explained, as the page is long; summeval explain shows each row."
        size += sum(map(len, made))
        system = columns.systems[row] if columns.systems is not None else ""
        scores, text = {name: values[name] for name in order}, texts[0] if texts else ""
        found.append(ShownRow(row, _name(whole, row), system, why, scores, text, made, note))
    return tuple(found)


def _name(row: Row, place: int) -> str:
    found = (find(row, key)[1] for key in ("id", "topic"))
    names = dict.fromkeys(str(value) for value in found if value not in (None, "", place + 1))
    names.pop(str(place + 1), None)
    return f"Row {place + 1}" + (f" ({', '.join(names)})" if names else "")


def _explained(  # noqa: PLR0917 - all that is known of a row
    row: Row,
    about: Sequence[str],
    values: Mapping[str, float],
    texts: Sequence[str],
    label: Callable[[str], str],
    metrics: dict[str, Any],
) -> tuple[list[str], str]:
    """Return what explains the scores, by default options where these give the same value.

    `metrics` keeps the metric objects, whose parsers and models are loaded once.
    """
    made: list[str] = []
    references = texts_of(row, "references") or texts_of(row, "reference")
    source = texts_of(row, "source")
    if not texts or max(map(len, (*texts, *references, *source))) > LONGEST:
        return made, "" if not texts else "The texts are too long to be explained here."
    others, missing = [], []
    for column in about[:EXPLAINED]:
        name = column.rpartition(".")[0] or column
        try:
            if name not in metrics:
                metrics[name] = summeval.metric(name)
            metric = metrics[name]
            if column not in (f"{name}.{metric.primary}", name):
                continue
            explanation = metric.explain(texts[0], list(references) or None, source=source or None)
        except ImportError as error:
            missing.append(f"{label(column)} ({error})")
            continue
        except (ValueError, TypeError):
            continue  # no such metric, or not the texts that it compares with
        if isclose(explanation.value, values[column], abs_tol=1e-4):
            made.append(explanation.to_html(style=False))
        else:
            others.append(label(column))
    notes = [f"Not explained, as options changed the score: {', '.join(others)}."] * bool(others)
    notes += [f"Not explained: {one}." for one in missing]
    return made, " ".join(notes)
