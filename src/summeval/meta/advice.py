"""Which metrics fit some data, why, at which cost; and what to beware of."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from statistics import median
from typing import Any, NamedTuple, TypeVar

import numpy as np

from summeval._core.columns import columns
from summeval.io.rows import Row
from summeval.metrics.registry import INDEX
from summeval.metrics.run.notices import LEAST_CUT
from summeval.table.table import Table
from summeval.text.function_words import english
from summeval.text.sentence_splitter import sentences

T = TypeVar("T")

_TEXTS_LOOKED_AT = 300  # for the language; each up to so many characters:
_CHARACTERS = 2000
_ENGLISH = 0.15  # the share of function words above which a text counts as English
_SPOKEN = frozenset("i i'm i've me my we us our".split())
_PERSONAL = 0.03  # the share of these words from which a source is a review or a dialogue
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
class DataProfile:
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
    one_sentence : float
        The share of rows whose first reference is one sentence.
    personal : float
        The median share of "I", "my", "we" and their like among the words of a source: high in
        reviews, dialogues and mail.
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
    missing: int
    empty: int
    without_references: int
    without_source: int
    reference_count: tuple[int, int]
    script: str
    has_blanks: bool
    is_english: bool
    cut: float
    systems: Mapping[str, float]
    lower_case: tuple[str, ...]
    topics: int
    unequal: bool
    samples: int
    lines: float
    one_sentence: float
    personal: float
    human: tuple[str, ...]
    judge: str
    scored: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def has_references(self) -> bool:
        """Whether most rows have references."""
        return self.references is not None and 2 * self.without_references < self.rows

    @property
    def has_source(self) -> bool:
        """Whether most rows have a source."""
        return self.sources is not None and 2 * self.without_source < self.rows

    @property
    def is_one_sentence(self) -> bool:
        """Whether most references are one sentence."""
        return 2 * self.one_sentence > 1

    @property
    def is_personal(self) -> bool:
        """Whether the sources are written as reviews and dialogues are."""
        return self.personal >= _PERSONAL

    @property
    def needs_unicode(self) -> bool:
        """Whether a tokenizer of the letters a-z is not to be relied on."""
        return self.is_cut or (self.has_blanks and bool(self.script) and not self.is_english)

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
) -> DataProfile:
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
    first = [several[0] for several in refs if several]
    read = [*given, *first]
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
    return DataProfile(
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
        one_sentence=_mean([len(sentences(text)) < 2 for text in _some(first)]),
        personal=_personal(_some(docs)),
        human=tuple(_judged(table, taken) if human is None else human),
        judge=next((key for key in keys if key in ("judge", "annotator", "rater")), ""),
        scored=tuple(key for key in keys if "." in key and table.holds_numbers(key)),
        names=() if spoken else tuple(key for key in keys if _may_name(rows, key, {topic, *texts})),
    )


def _some(texts: Sequence[T]) -> Sequence[T]:
    """Return a few of many, from everywhere."""
    return texts[:: max(1, len(texts) // _TEXTS_LOOKED_AT)]


def _mean(found: Sequence[float]) -> float:
    return sum(found) / len(found) if found else 0.0


def _personal(sources: Sequence[Sequence[str]]) -> float:
    """Return the median share of words in which somebody speaks of himself."""
    shares = []
    for several in sources:
        text = "\n".join(several)[:_CHARACTERS].lower().replace("’", "'")
        words = [word.strip('.,;:!?"()') for word in text.split()]
        shares += [sum(word in _SPOKEN for word in words) / len(words)] if words else []
    return median(shares) if shares else 0.0


def _language(texts: Sequence[str]) -> tuple[str, bool]:
    """Return the script of most letters, and whether the texts seem to be English."""
    some = [text[:_CHARACTERS] for text in _some(texts)]
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
    split : str
        "dev" for topics that played a part in making some metric, "unseen" for others.
    rho : float
    interval : (float, float) or None
        That of 95 %, over systems and topics; None where none was printed.
    above_length : bool
        Whether it agrees better than the number of words.
    note : str
    """

    metric: str
    column: str
    data: str
    judgement: str
    level: str
    split: str
    rho: float
    interval: tuple[float, float] | None
    above_length: bool
    note: str


@cache
def _data(name: str = "evidence") -> dict[str, Any]:
    file = resources.files(__package__) / "data" / f"{name}.json"
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
        Agreement(**{**row, "interval": row["interval"] and tuple(row["interval"])})
        for row in _data()["agreement"]
        if row["metric"] == metric
    ]


def sources() -> dict[str, str]:
    """Return the pages that the figures come from."""
    return {"costs": _data()["costs_from"], "agreement": _data()["agreement_from"]}


SHORT, LONG_APART, FEW_SYSTEMS, FEW_TOPICS = 6, 1.3, 10, 5
SEVERAL = 3  # references, from which those who read several pay
PEERS = 5  # candidates of a topic, from which `consensus` compares them


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
    options : tuple of str
        What `--option` must be given, in a run of its own.
    evidence : tuple of Agreement
        That of unseen topics where it is known, else of dev topics.
    """

    metrics: tuple[str, ...]
    purpose: str
    why: str
    report: str
    microseconds: float | None
    parsed: bool
    options: tuple[str, ...]
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
        """The metrics that need neither a parser nor options, each once: those to begin with."""
        plain = (one for one in self.advice if not one.parsed and not one.options)
        return list(dict.fromkeys(name for one in plain for name in one.metrics))


def recommend(look: DataProfile) -> Recommended:
    """Return which metrics fit the rows.

    Examples
    --------
    >>> rows = [{"id": 1}, {"id": 2}]
    >>> found = recommend(look(rows, ["The cat sat on it."] * 2, None, [["The cat sat."]] * 2))
    >>> found.metrics[:2], found.warnings[0]
    (['support', 'extractiveness'], 'no references: ROUGE and all that compares with references is left out')
    """  # noqa: E501
    known, facts = _data("advice"), _facts(look)

    def rows_of(kind: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a kind that hold of the data, their texts filled in."""
        for row in known[kind]:
            parts = [part.rpartition("not ") for part in row["when"].split(", ")]
            if all(bool(facts[name]) != bool(negated) for _, negated, name in parts):
                yield {
                    key: value.format_map(facts) if isinstance(value, str) else value
                    for key, value in row.items()
                }

    return Recommended(
        tuple(_advice(row, look) for row in rows_of("advice")),
        tuple(LeftOut(row["metric"], row["why"]) for row in rows_of("left_out")),
        tuple(row["text"] for row in rows_of("warnings")),
    )


def _facts(look: DataProfile) -> dict[str, Any]:
    """Return what holds of the data, and what texts tell of it, by name."""
    words = look.candidates.median if look.candidates else SHORT
    apart = _apart(look) > LONG_APART
    ratio = words / max(look.references.median, 1) if look.references else 1.0
    by_length = sorted(look.systems.items(), key=lambda system: system[1]) or [("", 0.0)]
    systems = len(look.systems)
    return vars(look) | {
        "language": look.language,
        "has_references": look.has_references,
        "has_source": look.has_source,
        "has_several": look.reference_count[1] >= SEVERAL,
        "has_systems": systems > 1,
        "bare": look.references is None,
        "unsourced": look.sources is None,
        "is_latin": look.is_latin,
        "is_cut": look.is_cut,
        "is_one_sentence": look.is_one_sentence,
        "is_personal": look.is_personal,
        "is_short": look.has_blanks and words < SHORT,
        "is_uneven": look.has_references and look.candidates and not 1 / 2 < ratio < 2,
        "is_partly_lined": look.has_references and 0 < look.lines < 0.5,
        "is_apart": apart,
        "is_sampled": look.samples > 1,
        "few_topics": 0 < look.topics < FEW_TOPICS,
        "few_systems": 0 < systems < FEW_SYSTEMS,
        "words": words,
        "ratio": ratio,
        "share": look.without_references / max(look.rows, 1),
        "low": by_length[0],
        "high": by_length[-1],
        "some_names": " or ".join(look.names[:4]),
        "lower_count": len(look.lower_case),
        "some_lower": ", ".join(look.lower_case[:3]),
        "system_count": systems,
        "fewest_systems": FEW_SYSTEMS,
        "side": "recall, with the number of words beside it; F where the paper has F"
        if look.is_english
        else "recall and F, with the number of words beside them",
        "grouped": f"; with the {systems} candidates of each topic metric('consensus') in Python "
        "is better still"
        if systems >= PEERS and look.topics and not look.unequal
        else "",
        "alone": "" if look.has_references else ", and no reference is needed",
        "most": look.reference_count[1],
        "several": SEVERAL,
        "english": ", ".join(name for one in INDEX for name in one.names if one.languages),
    }


def _advice(row: Mapping[str, Any], look: DataProfile) -> Advice:
    metrics, shown = tuple(row["metrics"]), row.get("shown", row["metrics"])
    costs = [cost for name in shown if (cost := cost_of(name)) is not None]
    known = _data("advice")["judged"]
    judged = [pair for kind in row["judged"].split() for pair in known[_kind(kind, look)]]
    agreed = [one for name in shown for one in agreement_of(name)] if look.is_english else []
    fit = [one for one in agreed if [one.data, one.judgement] in judged]
    unseen = {_place(one) for one in fit if one.split == "unseen"}
    return Advice(
        metrics,
        row["purpose"],
        row["why"],
        row["report"],
        sum(costs) if len(costs) == len(metrics) else None,
        row.get("parsed", False),
        tuple(row.get("options", ())),
        tuple(one for one in fit if one.split == "unseen" or _place(one) not in unseen),
    )


def _kind(kind: str, look: DataProfile) -> str:
    """Return the judgements that are nearest to the data."""
    if kind == "content" and look.is_personal:
        return "content of reviews and dialogues"
    return "content of a sentence" if kind == "content" and look.is_one_sentence else kind


def _place(one: Agreement) -> tuple[str, ...]:
    return one.column, one.data, one.judgement, one.level


def _apart(look: DataProfile) -> float:
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
