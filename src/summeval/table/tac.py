"""Reader of the folders of TAC 2008-2011 and DUC 2005-2007, as NIST publishes them.

Files are known by their names, at any depth:

====================================================  ==============================================
``peers/`` and ``models/``: ``D0801-A.M.100.A.1``     summaries; a letter at the end names a person
``manual.peer``, ``manual.model``, with ``.A`` or     Pyramid, linguistic quality, responsiveness
``.B`` from 2009 on
``responsiveness.table``, ``overall.table``,          DUC: responsiveness, also of the content alone
``content.table``
``linguistic_quality.table``                          DUC: the answers to its questions
``processed_pans.txt``, ``2007_modified_scores.txt``  DUC: Pyramid
``rouge.m.out``, ``rougejk_A.m.out``,                 what ROUGE-1.5.5 and BE printed; ``jk`` is
``simplejk_A.m.hm.out``                               with the jackknife
``aesop_allpeers_A``                                  the scores that were submitted to AESOP
``D0801A/D0801A-A/``                                  input documents
====================================================  ==============================================
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from summeval.io import DataError, naming, system_error
from summeval.io.rows import Row
from summeval.table.scores import balance, noted, numbered
from summeval.table.table import MISSING, SUMMARY_NAME, Table, plain_number

MAIN = "main"  # the task of topics without a set
HUMANS = (
    *("pyramid", "modified_pyramid", "modified_pyramid_jk", "scus", "repetitions"),
    *("linguistic_quality", "responsiveness", "content_responsiveness"),
)
"""The names of human scores, in the order of the columns."""

_TOPIC = re.compile(r"[Dd]?0*(\d+)[A-Za-z]?(?:-([A-Za-z]))?")
_DOCUMENTS = re.compile(r"[Dd]\d{3,4}[A-Za-z]?(?:-[A-Za-z])?")
_TEXT_OPENS = re.compile(r"<TEXT\b", re.IGNORECASE)
_TEXT_ENDS = re.compile(r"</TEXT>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_OUT = re.compile(r"(?:rouge|simple)(jk)?(?:_[A-Z])?(?:\.\w+)*\.out", re.IGNORECASE)
_AESOP = re.compile(r"aesop_allpeers_([A-Z])", re.IGNORECASE)


class _Key(NamedTuple):
    """A topic, however it is spelled, and a system."""

    topic: str
    system: str


def topic_key(name: str) -> str:
    """Return a topic without its selector letter, case and leading zeros.

    >>> topic_key("D0801-A"), topic_key("d0801a-a"), topic_key("301"), topic_key("d301i")
    ('801-a', '801-a', '301', '301')
    """
    if not (found := _TOPIC.fullmatch(name)):
        return name.casefold()
    return found[1] + (f"-{found[2].casefold()}" if found[2] else "")


def task_of(topic: str) -> str:
    """Return the set of a topic, A, B or C; "main" for a topic without one.

    >>> task_of("D0801-B"), task_of("D0701")
    ('B', 'main')
    """
    found = _TOPIC.fullmatch(topic)
    return found[2].upper() if found and found[2] else MAIN


@dataclass
class _Folder:
    """The rows that were found so far."""

    encoding: str
    names: dict[_Key, tuple[str, Path]] = field(default_factory=dict)
    texts: dict[_Key, str] = field(default_factory=dict)
    values: dict[_Key, dict[str, list[float]]] = field(default_factory=dict)
    places: dict[_Key, str] = field(default_factory=dict)
    documents: dict[str, list[tuple[Path, str]]] = field(default_factory=dict)
    other: list[str] = field(default_factory=list)

    def add(self, key: _Key, place: str, scores: Mapping[str, float]) -> None:
        """Add scores of a summary; the mean counts of those that are repeated."""
        self.places.setdefault(key, place)
        own = self.values.setdefault(key, {})
        for name, value in scores.items():
            own.setdefault(name, []).append(value)


def read_tac(directory: str, encoding: str = "utf-8", *, sources: bool = True) -> Table:
    """Read a folder of TAC or DUC: a row for each summary, by people and by systems.

    A row has `id` (the name of the file), `topic`, `system`, `task` (the set A, B or C, or "main"),
    `is_human`, `candidate`, `references` (all summaries of the topic by other people), `source`
    (the documents of the topic, if the folder has them), the human scores that it has (`HUMANS`),
    and the scores of ROUGE, BE and AESOP (`rouge-2-jk.recall`, `aesop.1`). If two files or lines
    give the same score, their mean counts.

    Files are known by their names, see the module. A folder without `peers` and `models` may hold
    the summaries itself.

    Parameters
    ----------
    directory : str
    encoding : str
    sources : bool
        Whether to read the input documents.

    Raises
    ------
    DataError
        The directory cannot be read or has no summary, a file is not in the encoding, two files
        hold different summaries of one system on one topic, or a line of a table is malformed; the
        message names the file and the line.
    """
    folder = _Folder(encoding)
    paths = _paths(directory)
    parts = [path for path in paths if path.parent.name.casefold() in ("peers", "models")]
    # The programs of BE keep their own files under the names of the summaries.
    parts = [path for path in parts if path.parent.parent.name.casefold() != "be"]
    for path in parts or [path for path in paths if path.parent == Path(directory)]:
        _add_summary(folder, path, listing=bool(parts))
    if not folder.texts:
        raise DataError(directory, "no file is named TOPIC.M.100.X.N", "choose another directory")
    tables = 0
    for path in paths:
        if reader := _reader(path.name):
            tables += 1
            reader(folder, path)
        elif sources and _DOCUMENTS.fullmatch(path.parent.name):
            text = _document(_text(path, encoding))
            folder.documents.setdefault(topic_key(path.parent.name), []).append((path, text))
    return Table(_rows(folder), list(_notes(folder, tables)), origin=directory)


def _paths(directory: str) -> list[Path]:
    """Return all files below a directory, in the order of their names."""

    def fail(error: OSError) -> None:
        raise system_error(str(error.filename or directory), error) from None

    found = []
    for here, folders, files in os.walk(directory, onerror=fail):
        folders.sort()
        found += [Path(here, name) for name in sorted(files)]
    return found


def _text(path: Path, encoding: str) -> str:
    try:
        with naming(str(path)):
            return path.read_text(encoding=encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise DataError(
            str(path), f"not {encoding} ({error.reason})", "pass its encoding"
        ) from None
    except LookupError:
        raise DataError(str(path), f"no encoding {encoding!r}", "pass utf-8 or latin-1") from None


def _add_summary(folder: _Folder, path: Path, listing: bool) -> None:
    """Add a file if its name is that of a summary."""
    if not (name := SUMMARY_NAME.fullmatch(path.name)):
        if listing or not _reader(path.name):
            folder.other.append(path.name)
        return
    key = _Key(topic_key(name["topic"]), name["system"])
    text = _text(path, folder.encoding)
    if key not in folder.texts:
        folder.names[key] = name["topic"], path
        folder.texts[key] = text
    elif folder.texts[key].split() != text.split():
        problem = f"{folder.names[key][1]} has the same topic and system, with another text"
        raise DataError(str(path), problem, "keep one")


def _document(text: str) -> str:
    """Return the text of a newswire document, without tags."""
    parts = [*_text_parts(text)]
    text = " ".join(parts) if parts else text
    tagged = text.rfind(">") + 1  # behind it, each "<" would be followed to the end of the text
    return " ".join(html.unescape(_TAG.sub(" ", text[:tagged]) + text[tagged:]).split())


def _text_parts(text: str) -> Iterator[str]:
    """Yield what stands in the elements TEXT, in one pass even where they do not end."""
    at = 0
    while (opens := _TEXT_OPENS.search(text, at)) and (begin := text.find(">", opens.end())) >= 0:
        if not (ends := _TEXT_ENDS.search(text, begin + 1)):
            return
        yield text[begin + 1 : ends.start()]
        at = ends.end()


def _reader(name: str) -> Callable[[_Folder, Path], None] | None:
    """Return what reads a file of this name; None for files that hold no scores."""
    for pattern, layout in _LAYOUTS.items():
        if re.fullmatch(pattern, name.casefold()):
            return partial(_judged, layout)
    if _OUT.fullmatch(name):
        return _printed
    return _aesop if _AESOP.fullmatch(name) else None


def _lines(folder: _Folder, path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the cells of each line with any, and its place."""
    for number, line in enumerate(_text(path, folder.encoding).splitlines(), 1):
        if line.strip():
            yield f"{path}:{number}", line.split()


class _Layout(NamedTuple):
    """Which cell of a line has which score, by the number of cells; others are not used."""

    cuts: Mapping[int, Mapping[str, int]]
    exact: bool = False  # whether a line has no further cells
    system: int = 1  # the cell that names it; the first cell names the topic
    has_head: bool = False
    question: int | None = None  # the cell that says to which question the score belongs


def _manual(cuts: Mapping[int, Mapping[str, int]]) -> _Layout:
    """The tables of TAC, whose last two cells are quality and responsiveness."""
    own = {n: {"linguistic_quality": n - 2, "responsiveness": n - 1} for n in cuts}
    return _Layout({size: {**cut, **own[size]} for size, cut in cuts.items()}, exact=True)


def _of_duc(score: str, size: int = 5, question: int | None = None) -> _Layout:
    """The tables of DUC: a head, then topic, two cells, system, (question,) score."""
    return _Layout({size: {score: size - 1}}, system=3, has_head=True, question=question)


_PYRAMID = {"modified_pyramid": 2, "scus": 3, "repetitions": 4}
_OF_PANS = {"pyramid": 2, "modified_pyramid": 3, "scus": 4, "repetitions": 5}
_LAYOUTS = {
    r"manual\.peers?(\.[a-z])?": _manual(
        {9: _PYRAMID | {"modified_pyramid_jk": 6}, 10: _PYRAMID | {"modified_pyramid_jk": 7}}
    ),
    r"manual\.models?(\.[a-z])?": _manual(
        {7: {"scus": 2, "modified_pyramid_jk": 4}, 8: {"scus": 2, "modified_pyramid_jk": 5}}
    ),
    r"(responsiveness|overall)\.table": _of_duc("responsiveness"),
    r"content\.table": _of_duc("content_responsiveness"),
    r"linguistic_quality\.table": _of_duc("linguistic_quality", size=6, question=4),
    r"processed_pans\.txt": _Layout({6: _OF_PANS}),  # of DUC 2005
    r"\d{4}_modified_scores\.txt": _Layout({5: _PYRAMID}),  # of DUC 2007
}


def _judged(layout: _Layout, folder: _Folder, path: Path) -> None:
    """A table of judgements, one summary on a line."""
    least, begun = min(layout.cuts), not layout.has_head
    for place, cells in _lines(folder, path):
        begun = begun or (
            len(cells) >= least
            and bool(_TOPIC.fullmatch(cells[0]))
            and plain_number(cells[least - 1]) is not None
        )
        if not begun:
            continue
        size = len(cells) if layout.exact else min(least, len(cells))
        if size not in layout.cuts:
            sizes = " or ".join(map(str, sorted(layout.cuts)))
            raise DataError(place, f"{len(cells)} cells, not {sizes}", "correct the line")
        key = _key(place, cells[0], cells[layout.system])
        scores = _scores(place, cells, layout.cuts[size])
        if layout.question is not None:
            scores |= {f"{name}_{cells[layout.question]}": one for name, one in scores.items()}
        folder.add(key, place, scores)
    if not begun:
        raise DataError(str(path), "holds no scores", "remove the file, or complete it")


def _printed(folder: _Folder, path: Path) -> None:
    """The lines `1 ROUGE-2 Eval D0801-A.M.100.A.1 R:0.1 P:0.1 F:0.1` of ROUGE-1.5.5 and BE."""
    found = _OUT.fullmatch(path.name)
    end = "-jk" if found and found[1] else ""
    for place, cells in _lines(folder, path):
        if len(cells) != 7 or cells[2] != "Eval":
            continue  # averages and rulers
        if not (name := SUMMARY_NAME.fullmatch(cells[3])):
            raise DataError(place, f"{cells[3]!r} is not named TOPIC.M.100.X.N", "correct the line")
        numbers = [cell.partition(":")[2] for cell in cells[4:]]
        fields = zip(("recall", "precision", "fmeasure"), range(3), strict=True)
        scores = _scores(place, numbers, dict(fields))
        measure = f"{cells[1].casefold()}{end}"
        key = _Key(topic_key(name["topic"]), name["system"])
        folder.add(key, place, {f"{measure}.{one}": value for one, value in scores.items()})


def _aesop(folder: _Folder, path: Path) -> None:
    """Submitted scores: a head, then `s7 d1 0.1 NaN …`, where d1 is the first topic of the year."""
    found = _AESOP.fullmatch(path.name)
    group = found[1].casefold() if found else ""
    topics: dict[int, str] = {}  # by the number within the year, such as 1 for D0901 and D1101
    for key in dict.fromkeys(topic for topic, _ in folder.texts):
        year, _, own = key.partition("-")
        if own == group and year.isdecimal() and topics.setdefault(int(year[-2:]), key) != key:
            problem = (
                f"numbers the topics of a year, but here are {topics[int(year[-2:])]} and {key}"
            )
            raise DataError(str(path), problem, "read the folder of each year alone")
    size = 0
    for number, (place, cells) in enumerate(_lines(folder, path)):
        size = size or len(cells)
        if number == 0:
            continue
        if len(cells) != size or size < 3:
            problem = f"{len(cells)} cells, not {size} as in the first line"
            raise DataError(place, problem, "correct the line")
        if not re.fullmatch(r"[A-Za-z][0-9]{1,4}", cells[1]):
            raise DataError(place, f"{cells[1]!r} is no topic such as d1", "correct the line")
        own_number = int(cells[1][1:])
        topic = topics.get(own_number, f"{own_number}-{group}")  # or a topic such as D0901
        cut = {f"aesop.{n - 1}": n for n in range(2, size) if cells[n].casefold() != "nan"}
        folder.add(_Key(topic, cells[0][1:]), place, _scores(place, cells, cut))


def _key(place: str, topic: str, system: str) -> _Key:
    if not _TOPIC.fullmatch(topic):
        raise DataError(place, f"{topic!r} is no topic such as D0801-A", "correct the line")
    return _Key(topic_key(topic), system)


def _scores(place: str, cells: Sequence[str], cut: Mapping[str, int]) -> dict[str, float]:
    """Return the numbers of these cells; a missing one (NA, -) is left out."""
    scores = {}
    for name, at in cut.items():
        value = plain_number(cells[at])
        if value is None:
            if cells[at].casefold() in MISSING:
                continue
            raise DataError(place, f"{name} is {cells[at]!r}, not a number", "correct the line")
        scores[name] = value
    return scores


def _rows(folder: _Folder) -> list[Row]:
    """Return the rows, all with the same columns, in the order of tasks, topics and systems."""
    models: dict[str, dict[str, str]] = {}
    for key, text in folder.texts.items():
        if _is_human(key.system):
            models.setdefault(key.topic, {})[key.system] = text
    known = {name for key in folder.texts for name in folder.values.get(key, ())}
    asked = [name for name in HUMANS if name in known]
    asked += sorted(known - set(asked), key=lambda name: ("." in name, name))
    rows = []
    for key in sorted(folder.texts, key=lambda key: _order(*folder.names[key])):
        topic, path = folder.names[key]
        others = models.get(key.topic, {}).items()
        row: Row = {
            "id": path.name,
            "topic": topic,
            "system": key.system,
            "task": task_of(topic),
            "is_human": _is_human(key.system),
            "candidate": folder.texts[key],
            "references": [text for person, text in sorted(others) if person != key.system],
        }
        if folder.documents:
            found = folder.documents.get(key.topic)
            row["source"] = found and [text for _, text in found]
        given = folder.values.get(key, {})
        means = {name: sum(values) / len(values) for name, values in given.items()}
        rows.append(row | {name: means.get(name) for name in asked})
    return rows


def _order(topic: str, path: Path) -> tuple[Any, ...]:
    """Tasks, then topics, then systems: numbers by size, then letters."""
    system = path.name.rpartition(".")[2]
    number = int(system) if system.isdecimal() and system.isascii() else -1
    return task_of(topic), topic, number < 0, number, system


def _is_human(system: str) -> bool:
    return system.isalpha()


def _notes(folder: _Folder, tables: int) -> Iterator[str]:
    """Yield what is missing."""
    yield from noted("files not named TOPIC.M.100.X.N", folder.other)
    keys = sorted(folder.texts, key=lambda key: _order(*folder.names[key]))
    names = {key.topic: folder.names[key][0] for key in keys}
    people = {key.topic for key in keys if _is_human(key.system)}
    peers = {key.topic for key in keys if not _is_human(key.system)}
    bare = [name for topic, name in names.items() if topic not in people]
    yield from noted("topics without a model", bare)
    yield from noted("topics without a peer", [n for t, n in names.items() if t not in peers])
    for task in dict.fromkeys(map(task_of, names.values())):
        own = [
            key for key in keys if task_of(names[key.topic]) == task and not _is_human(key.system)
        ]
        systems, rows = numbered([key.system for key in own])
        topics, places = numbered([names[key.topic] for key in own])
        for note in balance(systems, topics, rows * len(topics) + places):
            yield f"task {task}: {note}"
    lost = [place for key, place in folder.places.items() if key not in folder.texts]
    yield from noted("lines about summaries that are not here", lost)
    if not tables:
        yield "no file of scores: manual.peer, responsiveness.table and the others of the page"
    elif unjudged := [folder.names[key][1].name for key in keys if key not in folder.values]:
        yield from noted("summaries without scores", unjudged)
