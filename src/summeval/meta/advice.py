"""Which metrics fit some data, why, at which cost; and what to beware of."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from summeval._core.columns import columns
from summeval.io.rows import Row
from summeval.metrics.registry import INDEX
from summeval.metrics.run.notices import LEAST_CUT
from summeval.table.table import Table
from summeval.text.function_words import english

_TEXTS_LOOKED_AT = 300  # for the language; each up to so many characters:
_CHARACTERS = 2000
_ENGLISH = 0.15  # the share of function words above which a text counts as English
_NO_BLANKS = {"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR"}
_LEAST_CASED = 20  # letters by which a system writes lower case alone
_NOT_JUDGED = frozenset(
    "id sample seed fold index row words length year group topic doc docid system model".split()
)
_MOST_SYSTEMS = 200  # names in a column that may name systems


@dataclass(frozen=True)
class Lengths:
    """Numbers of words: the median, the least and the most."""

    median: float
    least: int
    most: int

    @staticmethod
    def of(texts: Sequence[str]) -> Lengths | None:
        """Of some texts; None of none."""
        counts = [len(text.split()) for text in texts]
        return Lengths(median(counts), min(counts), max(counts)) if counts else None


@dataclass(frozen=True)
class Look:
    """A profile of some rows.

    Attributes
    ----------
    rows : int
    candidates, references, sources : Lengths or None
        Of the texts that are there.
    missing, empty : int
        Candidates that are null, and that have no words.
    without_references, without_source : int
        Rows that have none.
    reference_count : (int, int)
        The least and the most references of a row that has any.
    script : str
        The script of most letters, as Unicode calls it: "LATIN", "CYRILLIC", "CJK".
    has_blanks : bool
        Whether words of this script stand between blanks.
    is_english : bool
        A guess: Latin script, and English function words among the words.
    cut : float
        The share of words that have letters outside a-z.
    systems : mapping of str to float
        The mean number of words of each system.
    lower_case : tuple of str
        Systems that write no capitals, where others do.
    topics : int
        Distinct topics, or ids where there are no topics.
    unequal : bool
        Whether systems have different topics.
    samples : int
        The most outputs of one system for one topic.
    lines : float
        The share of candidates and references that have several lines.
    human : tuple of str
        Columns that seem to hold human scores.
    judge : str
        The column that names who judged, if there is one.
    scored : tuple of str
        Columns METRIC.FIELD.
    names : tuple of str
        Where no column names the system: columns that may do so.
    """

    rows: int
    candidates: Lengths | None
    references: Lengths | None
    sources: Lengths | None
    missing: int = 0
    empty: int = 0
    without_references: int = 0
    without_source: int = 0
    reference_count: tuple[int, int] = (0, 0)
    script: str = ""
    has_blanks: bool = True
    is_english: bool = False
    cut: float = 0.0
    systems: Mapping[str, float] = field(default_factory=dict)
    lower_case: tuple[str, ...] = ()
    topics: int = 0
    unequal: bool = False
    samples: int = 1
    lines: float = 0.0
    human: tuple[str, ...] = ()
    judge: str = ""
    scored: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def has_references(self) -> bool:
        """Whether most rows have references."""
        return self.references is not None and 2 * self.without_references < self.rows

    @property
    def has_source(self) -> bool:
        """Whether most rows have a source."""
        return self.sources is not None and 2 * self.without_source < self.rows

    @property
    def language(self) -> str:
        """The guess of the language, or else the script, for people."""
        if self.is_english:
            return "English"
        if not self.script:
            return "no letters"
        return f"{self.script.title() if self.script != 'CJK' else 'CJK'} script" + (
            ", not English" if self.script == "LATIN" else ""
        )

    @property
    def is_latin(self) -> bool:
        """Whether most letters are Latin, or there are none."""
        return self.script in ("LATIN", "")

    @property
    def is_cut(self) -> bool:
        """Whether a tokenizer of the letters a-z cuts so many words that it matters."""
        return self.has_blanks and self.cut >= LEAST_CUT


def look(
    rows: Sequence[Row],
    candidates: Sequence[str | None],
    references: Sequence[Sequence[str] | None] | None,
    sources: Sequence[Sequence[str] | None] | None,
    *,
    system: str = "system",
    topic: str = "topic",
    id_column: str = "id",
    human: Sequence[str] | None = None,
    texts: Collection[str] = (),
) -> Look:
    """Look at rows.

    Parameters
    ----------
    rows : sequence of mapping
        All columns of each row.
    candidates, references, sources : sequence
        The texts of each row.
    system, topic, id_column : str
        Columns with names.
    human : names, optional
        The columns with human scores; by default those with numbers that seem to hold some.
    texts : names
        Columns that hold texts, and so no scores.

    Examples
    --------
    >>> rows = [{"system": name, "fluency": 4} for name in ("a", "b")]
    >>> found = look(rows, ["The cat sat on the mat.", "A dog"], [["The cat."], ["A cat."]], None)
    >>> found.human, found.systems, found.language
    (('fluency',), {'a': 6.0, 'b': 2.0}, 'English')
    """
    table = Table(list(rows))
    given = [text for text in candidates if text is not None]
    refs = [[text for text in several or () if text is not None] for several in references or []]
    docs = [[text for text in several or () if text is not None] for several in sources or []]
    counts = [len(several) for several in refs if several]
    read = [*given, *(several[0] for several in refs if several)]
    script, is_english = _language(read)
    words, cut = columns.texts(read, "texts").cut_words(np.arange(len(read)))
    spoken: dict[str, list[str]] = defaultdict(list)
    for name, text in zip(table.values(system), candidates, strict=True):
        if name not in (None, "") and text is not None:
            spoken[str(name)].append(text)
    by = topic if topic in Table(table.rows[:100]) else id_column
    pairs = Counter(
        (str(name), str(where))
        for name, where in zip(table.values(system), table.values(by), strict=True)
        if where not in (None, "")
    )
    by_name: dict[str, set[str]] = defaultdict(set)
    for name, where in pairs:
        by_name[name].add(where)
    keys = table.columns
    taken = {system, topic, id_column, *texts}
    return Look(
        rows=len(rows),
        candidates=Lengths.of(given),
        references=Lengths.of([text for several in refs for text in several]),
        sources=Lengths.of(["\n".join(several) for several in docs if several]),
        missing=len(candidates) - len(given),
        empty=sum(not text.strip() for text in given),
        without_references=len(rows) - len(counts),
        without_source=len(rows) - sum(map(bool, docs)),
        reference_count=(min(counts, default=0), max(counts, default=0)),
        script=script,
        has_blanks=script not in _NO_BLANKS,
        is_english=is_english,
        cut=cut / max(words, 1),
        systems={
            name: sum(len(text.split()) for text in several) / len(several)
            for name, several in spoken.items()
        },
        lower_case=_lower_case(spoken),
        topics=len({where for _, where in pairs}),
        unequal=len({frozenset(wheres) for wheres in by_name.values()}) > 1,
        samples=max(pairs.values(), default=1),
        lines=sum("\n" in text.strip() for text in read) / len(read) if read else 0.0,
        human=tuple(_judged(table, taken) if human is None else human),
        judge=next((key for key in keys if key in ("judge", "annotator", "rater")), ""),
        scored=tuple(key for key in keys if "." in key and table.holds_numbers(key)),
        names=() if spoken else tuple(key for key in keys if _may_name(rows, key, {topic, *texts})),
    )


def _language(texts: Sequence[str]) -> tuple[str, bool]:
    """Return the script of most letters, and whether the texts seem to be English."""
    step = max(1, len(texts) // _TEXTS_LOOKED_AT)
    some = [text[:_CHARACTERS] for text in texts[::step]]
    scripts: Counter[str] = Counter()
    for char, count in Counter("".join(some)).items():
        if char.isascii() and char.isalpha():
            scripts["LATIN"] += count
        elif char.isalpha():
            scripts[unicodedata.name(char, "?").split()[0].split("-")[0]] += count
    if not scripts:
        return "", False
    script = scripts.most_common(1)[0][0]
    words = [word.strip(".,;:!?\"'()").lower() for text in some for word in text.split()]
    known = english()
    share = sum(word in known for word in words) / max(len(words), 1)
    return script, script == "LATIN" and share >= _ENGLISH


def _lower_case(spoken: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Systems without a capital, where others have some."""
    written = {
        name: "".join(texts)
        for name, texts in spoken.items()
        if sum(map(len, texts)) >= _LEAST_CASED and any(map(str.isalpha, "".join(texts)))
    }
    low = [name for name, text in written.items() if text == text.lower()]
    return tuple(low) if len(low) < len(written) else ()


def _judged(table: Table, taken: Collection[str]) -> list[str]:
    """Columns of numbers that may be human scores: no METRIC.FIELD, id or length."""
    paths: dict[str, None] = {}
    for row in table.rows:
        for key, value in row.items():
            if key in taken or ("." in key and not isinstance(value, Mapping)):
                continue
            inner = [f"{key}.{name}" for name in value] if isinstance(value, Mapping) else [key]
            paths |= dict.fromkeys(inner)
    return [
        path
        for path in paths
        if path.rpartition(".")[2].lower() not in _NOT_JUDGED
        and not path.lower().endswith(("_id", "_words", "_length"))
        and table.holds_numbers(path)
    ]


def _may_name(rows: Sequence[Mapping[str, Any]], key: str, taken: Collection[str]) -> bool:
    """Return whether a column may name systems: a few names, each in several rows."""
    values = [row.get(key) for row in rows]
    plain = all(isinstance(value, (str, int)) and not isinstance(value, bool) for value in values)
    if key in taken or not plain or key.lower().startswith(("topic", "doc", "is_")):
        return False
    found = Counter(values)
    few = 1 < len(found) <= min(_MOST_SYSTEMS, len(rows) // 2)
    short = all(len(str(value)) < 40 and "\n" not in str(value) for value in found)
    return few and short and min(found.values()) > 1


class Agreement(NamedTuple):
    """Spearman's rank correlation of a column with a judgement, on one data set.

    Attributes
    ----------
    metric, column : str
    data : str
        The data set.
    judgement : str
    level : str
        "summary" or "system".
    rho : float
    interval : (float, float)
        That of 95 %, over systems and topics.
    above_length : bool
        Whether it agrees better than the number of words.
    note : str
    """

    metric: str
    column: str
    data: str
    judgement: str
    level: str
    rho: float
    interval: tuple[float, float]
    above_length: bool
    note: str


@cache
def _data() -> dict[str, Any]:
    file = resources.files(__package__) / "data" / "evidence.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def cost_of(metric: str) -> float | None:
    """The microseconds that a pair costs, on texts that were parsed; None if nothing was measured.

    >>> cost_of("rouge1") < cost_of("tesla-s"), cost_of("mine")
    (True, None)
    """
    found: float | None = _data()["costs"].get(metric)
    return found


def cost_of_parsing() -> float:
    """Return the microseconds that parsing a text costs."""
    return float(_data()["parsing"])


def agreement_of(metric: str) -> list[Agreement]:
    """Return all that is known of the agreement of a metric with people, in the order of the page.

    >>> [one.data for one in agreement_of("support") if one.judgement == "consistency"]
    ['SummEval']
    """
    return [
        Agreement(**{**row, "interval": tuple(row["interval"])})
        for row in _data()["agreement"]
        if row["metric"] == metric
    ]


def sources() -> dict[str, str]:
    """Return the pages that the figures come from."""
    return {"costs": _data()["costs_from"], "agreement": _data()["agreement_from"]}


SHORT, LONG_APART, FEW_SYSTEMS, FEW_TOPICS = 6, 1.3, 10, 5
SEVERAL = 3  # references, from which those who read several pay

_CONTENT = (("REALSumm", "litepyramid_recall"), ("SummEval", "relevance"))
_FAITHFUL = (("SummEval", "consistency"),)
_READS = (("SummEval", "coherence"), ("SummEval", "fluency"))


class Advice(NamedTuple):
    """A metric, or several for one purpose.

    Attributes
    ----------
    metrics : tuple of str
    purpose : str
        The question that they answer.
    why : str
        What of the data speaks for them.
    report : str
        Which field to report.
    microseconds : float or None
        What a pair costs for all of them; None where it was not measured.
    parsed : bool
        Whether the texts must be parsed, which that cost leaves out.
    needs : tuple of str
        What they need beside the data: an extra, annotations.
    evidence : tuple of Agreement
    """

    metrics: tuple[str, ...]
    purpose: str
    why: str
    report: str
    microseconds: float | None
    parsed: bool
    needs: tuple[str, ...]
    evidence: tuple[Agreement, ...]


class LeftOut(NamedTuple):
    """A metric that does not fit, and why."""

    metric: str
    why: str


class Recommended(NamedTuple):
    """The result of `recommend`."""

    advice: tuple[Advice, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...]

    @property
    def metrics(self) -> list[str]:
        """The metrics that need no parser, each once: those to begin with."""
        return list(
            dict.fromkeys(name for one in self.advice if not one.parsed for name in one.metrics)
        )


def recommend(look: Look) -> Recommended:
    """Return which metrics fit the rows.

    Examples
    --------
    >>> rows = [{"id": 1}, {"id": 2}]
    >>> found = recommend(look(rows, ["The cat sat on it."] * 2, None, [["The cat sat."]] * 2))
    >>> found.metrics[:2], found.warnings[0]
    (['support', 'extractiveness'], 'no references: ROUGE and all that compares with references is left out')
    """  # noqa: E501
    advice = [*_content(look), *_sources(look), *_reading(look)]
    return Recommended(tuple(advice), tuple(_left_out(look)), tuple(_warnings(look)))


def _advice(  # noqa: PLR0917
    metrics: Sequence[str],
    purpose: str,
    why: str,
    report: str,
    judged: Sequence[tuple[str, str]] = (),
    parsed: bool = False,
    needs: Sequence[str] = (),
) -> Advice:
    costs = [cost for name in metrics if (cost := cost_of(name)) is not None]
    total = sum(costs) if len(costs) == len(metrics) else None
    evidence = [
        one for name in metrics for one in agreement_of(name) if (one.data, one.judgement) in judged
    ]
    about = purpose, why, report, total, parsed
    return Advice(tuple(metrics), *about, tuple(needs), tuple(evidence))


def _content(look: Look) -> Iterator[Advice]:
    """Yield what compares with references."""
    if not look.has_references:
        return
    most = look.reference_count[1]
    if not look.has_blanks:
        yield _advice(
            ("npower",),
            "does it say what the references say?",
            "it compares characters, so words need no blanks between them",
            "value",
            _CONTENT,
        )
        return
    apart = _apart(look)
    side = (
        "F, because the lengths of systems differ and recall rewards length"
        if apart > LONG_APART
        else "recall and F; recall agrees better where people count what is there"
    )
    yield _advice(
        ("rouge1", "rouge2", "rougeLsum"),
        "compare with published results",
        "there are references",
        side + "; the mean or the best of several references, as the paper in question",
        _CONTENT,
    )
    if look.is_english:
        yield _advice(
            ("tesla-e",),
            "does it say what the references say, also in other words?",
            "English, for which word vectors ship",
            "value",
            _CONTENT,
        )
    else:
        yield _advice(
            ("tesla-s",),
            "does it say what the references say?",
            "words of any language; its function words are English, or yours",
            "fmeasure",
            _CONTENT,
        )
    if most >= SEVERAL:
        yield _advice(
            ("npower",),
            "is it relevant, with several references?",
            f"up to {most} references, characters of any script",
            "value",
            _CONTENT,
        )
    if look.is_english:
        yield _advice(
            ("bewte",),
            "facts and relations, transformed",
            "English, for which a parser is there",
            "recall",
            _CONTENT,
            parsed=True,
        )


def _sources(look: Look) -> Iterator[Advice]:
    """Yield what compares with the source."""
    if not look.has_source:
        return
    if look.is_english:
        yield _advice(
            ("support",),
            "can the source account for it?",
            "there is a source" + ("" if look.has_references else ", and no reference is needed"),
            "explained, which is the value; high for copies, so report extractiveness beside it",
            _FAITHFUL,
        )
    yield _advice(
        ("extractiveness",),
        "how much is copied?",
        "there is a source",
        "coverage and density",
        _FAITHFUL,
    )
    if not look.has_blanks:
        return
    yield _advice(
        ("simetrix",),
        "does it have the words of the source?",
        "there is a source" + ("" if look.has_references else ", and no reference is needed"),
        "unsmoothedJSD; lower is better",
        (*_CONTENT, *_FAITHFUL),
    )


def _reading(look: Look) -> Iterator[Advice]:
    if look.is_english:
        yield _advice(
            ("readability",),
            "does it read well?",
            "English; only the candidates are read",
            "value",
            _READS,
        )


def _left_out(look: Look) -> Iterator[LeftOut]:
    """Metrics that people might expect, and why they are not advised."""
    if not look.has_source:
        yield LeftOut("support, simetrix, extractiveness", "no source")
    if look.has_references and look.has_blanks and look.reference_count[1] < SEVERAL:
        yield LeftOut("queen, npower", f"pay with {SEVERAL} or more references")
    if look.has_references and not look.has_blanks:
        yield LeftOut(
            "rouge, tesla-s", "read words between blanks; in Python, tokenizer= takes a function"
        )
    if look.has_source and not look.has_blanks:
        yield LeftOut("simetrix", "reads words between blanks, and has no value without")
    if not look.is_english:
        named = [name for family in INDEX for name in family.names if family.languages]
        yield LeftOut(", ".join(named), "made for English")
        return
    yield LeftOut("cremer, dicomer", "trained on SummEval; rank worse than tesla-s elsewhere")
    if look.has_references:
        yield LeftOut("bertscore", "needs a transformer; not among the measured")
        yield LeftOut("tesla-m, bipartite, paraeval", "cost more and agree no better than rouge1")


def _warnings(look: Look) -> Iterator[str]:
    yield from _of_texts(look)
    yield from _of_systems(look)
    if not look.human:
        return
    if look.judge:
        yield (
            f"rows are judgements by {look.judge}: `summeval agreement` tells how far the judges "
            "agree"
        )
    if 0 < len(look.systems) < FEW_SYSTEMS:
        yield (
            f"{len(look.systems)} systems beside human scores: fewer than {FEW_SYSTEMS} are too "
            "few for correlations at the system level"
        )


def _of_texts(look: Look) -> Iterator[str]:
    if look.references is None and look.sources is None:
        yield "neither references nor a source: only metrics of the candidate alone are left"
    elif look.references is None:
        yield "no references: ROUGE and all that compares with references is left out"
    elif look.without_references:
        share = look.without_references / look.rows
        count = f"{look.without_references:,} ({share:.0%})"
        yield f"rows without a reference: {count}; they score null"
    if look.sources is not None and look.without_source:
        yield f"rows without a source: {look.without_source:,}"
    if look.missing:
        yield f"candidates that are null: {look.missing:,}; they score null"
    if look.empty:
        yield f"candidates that are empty texts: {look.empty:,}; they get the worst score"
    yield from _of_letters(look)
    if look.candidates is not None and look.has_blanks and look.candidates.median < SHORT:
        yield (
            f"very short candidates ({look.candidates.median:g} words): rouge2 is 0 for most; "
            "report rouge1, rougeL or npower"
        )
    if look.has_references and look.candidates and look.references:
        ratio = look.candidates.median / max(look.references.median, 1)
        if not 1 / 2 < ratio < 2:
            yield (
                f"candidates have {ratio:.2g} times the words of the references: report the length,"
                " too"
            )
    if look.has_references and 0 < look.lines < 0.5:
        yield f"only {look.lines:.0%} of the texts have sentences on lines, which rougeLsum reads"


def _of_letters(look: Look) -> Iterator[str]:
    if look.script and not look.is_latin:
        mend = (
            "the command has --tokenizer unicode"
            if look.has_blanks
            else "and words stand without blanks, so that no metric of words fits"
        )
        yield f"{look.language}: the tokenizer rouge155 drops what is not a-z; {mend}"
    elif look.script:
        if look.is_cut:
            yield (
                f"{look.cut:.0%} of the words have letters outside a-z: the tokenizer rouge155 cuts"
                " or drops them; the command has --tokenizer unicode"
            )
        if not look.is_english:
            yield (
                "the texts seem not to be English: stemmers, function words and models are English"
            )


def _of_systems(look: Look) -> Iterator[str]:
    if look.names:
        some = " or ".join(look.names[:4])
        yield f"no column names the system; if {some} does, pass --system"
    ratio = _apart(look)
    if ratio > LONG_APART:
        names = sorted(look.systems, key=lambda name: look.systems[name])
        low, high = names[0], names[-1]
        yield (
            f"systems differ in length: {low} has {look.systems[low]:.0f} words in the mean, {high}"
            f" {look.systems[high]:.0f}; report F, not recall, and the length"
        )
    if look.lower_case:
        some = ", ".join(look.lower_case[:3])
        yield (
            f"systems that write lower case alone: {len(look.lower_case)} ({some}); "
            "npower, be and bewte depend on capitals, so pass case=lower for them"
        )
    if look.unequal and len(look.systems) > 1:
        yield "systems have different topics: compare them on those that all have"
    if look.samples > 1:
        yield (
            f"up to {look.samples} outputs of one system for one input: say with --samples whether "
            "to average or to draw"
        )
    if 0 < look.topics < FEW_TOPICS and look.human:
        yield f"{look.topics} topics are too few for an interval"


def _apart(look: Look) -> float:
    """How many times longer the texts of the longest system are than those of the shortest."""
    lengths = [length for length in look.systems.values() if length]
    return max(lengths) / min(lengths) if lengths else 1.0


def to_dict(found: Recommended) -> dict[str, Any]:
    """Return the advice as JSON values."""
    return {
        "advice": [
            {**one._asdict(), "evidence": [each._asdict() for each in one.evidence]}
            for one in found.advice
        ],
        "left_out": [one._asdict() for one in found.left_out],
        "warnings": list(found.warnings),
        "microseconds_of_parsing_a_text": cost_of_parsing(),
    }
