"""What rows of texts look like: lengths, references, language, systems, human scores."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from summeval._core.columns import columns
from summeval.io.rows import Row
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
    """What some rows look like.

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
        systems={name: _mean_words(several) for name, several in spoken.items()},
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
    """The script of most letters, and whether the texts seem to be English."""
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


def _mean_words(texts: Sequence[str]) -> float:
    return sum(len(text.split()) for text in texts) / len(texts)


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
    """Whether a column may name systems: a few names, each in several rows."""
    values = [row.get(key) for row in rows]
    plain = all(isinstance(value, (str, int)) and not isinstance(value, bool) for value in values)
    if key in taken or not plain or key.lower().startswith(("topic", "doc", "is_")):
        return False
    found = Counter(values)
    few = 1 < len(found) <= min(_MOST_SYSTEMS, len(rows) // 2)
    short = all(len(str(value)) < 40 and "\n" not in str(value) for value in found)
    return few and short and min(found.values()) > 1
