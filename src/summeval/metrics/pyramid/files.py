"""Pyramid files: the SCUs of models (`.pyr`), and the SCUs found in a peer (`.pan`).

Files in folders are paired by name, as those of DUC and TAC are named. A pyramid is named after its
topic (`D0631.pyr`, `D0801-A.pyr`), an annotation after the summary that was annotated
(`D0801-A.M.100.A.12.pan`), with the annotator in front where there are several
(`114.D0631.M.250.A.12.pan`).

Both are formats of DucView, used for the pyramids of DUC 2005 to TAC 2011. They are XML, of which
nothing is expanded and no other file is read: entity declarations and external document types are
refused. An internal document type may declare elements and attributes, as DucView's does; declared
default attributes are ignored.
"""

from __future__ import annotations

import os
import re
import warnings
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from summeval._cached import cached_property
from summeval.io import DataError

_MOST_SEARCHED = 1 << 29  # characters searched for labels that are not at their offsets
_NON_MATCHING = 0  # the uid in a .pan for content outside all SCUs of the pyramid
_OLD_WEIGHT = re.compile(r" \(\d+\.\d+\)$")  # weight after an SCU label in old files: "... (4.0)"
_PEER_WEIGHT = re.compile(r"^\((\d{1,9})\) ")  # weight before an SCU label in a .pan
_DEEPEST = 32  # elements in each other
_LINE = "the line"  # the attribute that has it, a name that no file can have
_MOST_STEPS = 1_000_000_000  # of matching the pattern of a file
# A part of such a pattern: a character or class with a repeat, a group, an alternative or a place.
_PART = re.compile(
    r"(?P<one>\\[DSWdfnrstvw]|\\[^0-9A-Za-z]|\[\^?\]?(?:\\.|[^]\\])*\]|[^\\()[*+?{|^$])"
    r"(?P<times>(?:[*+?]|\{\d*,?\d*\})\??)?"
    r"|\((?:\?:)?|\)(?![*+?{])|[|^$]|\\[ABZb]",
    re.DOTALL,
)
_BLANK = re.compile(r"\s")
# The annotator; topic and set; task type, length, selector of the documents, author of the summary.
_NAME = re.compile(r"(?:([^.]+)\.)?([^.]+)\.[A-Z]\.\d+\.[A-Z]\.([^.]+)", re.ASCII)


class PyramidFileError(DataError):
    """A Pyramid file that cannot be used.

    >>> str(PyramidFileError("d0801.pyr: line 7", "SCU 3 has no contributor", "remove it"))
    'd0801.pyr: line 7: SCU 3 has no contributor; remove it'
    """


@dataclass(frozen=True)
class Part:
    """A span of a text: `text[start:end]`, with the text `label`."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class Contributor:
    """The expression of an SCU in one text.

    Attributes
    ----------
    label, comment : str
    parts : tuple of Part
    model : int or None
        The number of the model that contains its parts, from 0. None if they lie in several models,
        before the first one, in a peer, or if the models are unknown.
    """

    label: str
    comment: str
    parts: tuple[Part, ...]
    model: int | None


@dataclass(frozen=True)
class Scu:
    """A summary content unit: its number, label and contributors."""

    uid: int
    label: str
    comment: str
    contributors: tuple[Contributor, ...]


@dataclass(frozen=True)
class Pyramid:
    """The SCUs of several models.

    Attributes
    ----------
    path : str
        The file it was read from.
    text : str
        The concatenated models; parts refer to it.
    models : tuple of str
        The names of the models, in order; empty if the file does not say where they start.
    scus : tuple of Scu
        All SCUs of the file.
    repairs : tuple of str
        Irregularities of the file and how they were handled, with line numbers.
    """

    path: str
    text: str
    models: tuple[str, ...]
    scus: tuple[Scu, ...]
    repairs: tuple[str, ...]

    @property
    def contributors(self) -> dict[int, int]:
        """The number of contributors of each SCU by uid, which DucView uses as weight."""
        return {scu.uid: len(scu.contributors) for scu in self.scus}

    @property
    def n_models(self) -> int:
        """The number of models.

        Raises
        ------
        PyramidFileError
            The file does not say where they start.
        """
        if not self.models:
            raise PyramidFileError(
                self.path,
                "no startDocumentRegEx, so the start of each model is unknown",
                "pass the pattern as start_document",
            )
        return len(self.models)

    @property
    def model_scus(self) -> list[list[int]]:
        """For each model the uids of its SCUs, as in SacreROUGE.

        Contributors that span several models are left out, then SCUs with several contributors from
        one model.

        Raises
        ------
        PyramidFileError
            As `n_models`.
        """
        found: list[list[int]] = [[] for _ in range(self.n_models)]
        for scu in self.scus:
            models = [each.model for each in scu.contributors if each.model is not None]
            if len(set(models)) == len(models):
                for model in models:
                    found[model].append(scu.uid)
        return found


@dataclass(frozen=True)
class Annotation:
    """The SCUs of a pyramid that a peer has.

    Attributes
    ----------
    path, text, repairs
        See `Pyramid`.
    pyramid : Pyramid
        The pyramid that the annotators used.
    scus : tuple of Scu
        SCUs with their contributors in the peer, possibly none.
    non_matching : tuple of Contributor
        Content outside all SCUs of the pyramid.
    """

    path: str
    text: str
    pyramid: Pyramid
    scus: tuple[Scu, ...]
    non_matching: tuple[Contributor, ...]
    repairs: tuple[str, ...]

    @property
    def contributors(self) -> dict[int, int]:
        """The number of contributors of each SCU found in the peer, by uid."""
        return {scu.uid: len(scu.contributors) for scu in self.scus if scu.contributors}

    @property
    def scu_ids(self) -> list[int]:
        """The uids of the SCUs, one per contributor; 0 for contributors outside all SCUs."""
        matched = [uid for uid, number in self.contributors.items() for _ in range(number)]
        return matched + [_NON_MATCHING] * len(self.non_matching)


def read_pyr(path: str | os.PathLike[str], *, start_document: str | None = None) -> Pyramid:
    """Read a pyramid.

    Offsets that do not match their labels are corrected: to the nearest occurrence of the label, of
    the label without blanks, or of the label with `&quot;` read as quotes. Weights after the labels
    of SCUs in old files are removed. XML that declares entities is refused.

    Parameters
    ----------
    path : path
        A `.pyr` file: `pyramid(startDocumentRegEx?, text(line*), scu*)`.
    start_document : str, optional
        A regular expression for the start of a model, which ends with a dot and the model's name;
        it overrides the file's. The file's own expression is untrusted: only single characters and
        classes may be repeated in it, and it is refused if it might take very long.

    Returns
    -------
    Pyramid

    Raises
    ------
    PyramidFileError
        A ValueError that names the line: malformed XML, a missing part, a part outside the text, a
        repeated uid, or no SCU.
    OSError
    """
    root, reader = _opened(path, "pyramid")
    return reader.pyramid(root, start_document)


def read_pan(path: str | os.PathLike[str], *, start_document: str | None = None) -> Annotation:
    """Read the annotation of a peer: its SCUs.

    Parameters
    ----------
    path : path
        A `.pan` file: `peerAnnotation(pyramid, annotation(text(line*), peerscu*), score?)`.
    start_document : str, optional
        As in `read_pyr`, with the same corrections.

    Returns
    -------
    Annotation

    Raises
    ------
    PyramidFileError
        As for `read_pyr`; also an SCU that is not in the file's pyramid or has an impossible weight
        in its label.
    OSError
    """
    root, reader = _opened(path, "peerAnnotation")
    pyramid = reader.pyramid(reader.one(root, "pyramid"), start_document)
    return _Reader(reader.path).annotation(reader.one(root, "annotation"), pyramid)


class Pair(NamedTuple):
    """An annotation and the pyramid that it is scored by: files and names.

    Attributes
    ----------
    pyramid, annotation : str
        Their files.
    topic, peer, annotator : str
        `annotator` is empty if the names of the files tell none.
    """

    pyramid: str
    annotation: str
    topic: str
    peer: str
    annotator: str


def pyramid_files(paths: Iterable[str | os.PathLike[str]]) -> tuple[list[str], list[str]]:
    """Return the `.pyr` and the `.pan` files among these files and in these folders, at any depth.

    Returns
    -------
    (list of str, list of str)
        Sorted by name; hidden files are left out.

    Raises
    ------
    PyramidFileError
        There is no `.pyr`, or no `.pan`.
    """
    given: list[str] = [os.fspath(path) for path in paths]
    found: list[str] = []
    for path in given:
        found += [] if os.path.isdir(path) else [path]
        for folder, _, names in os.walk(path):
            found += [os.path.join(folder, name) for name in names if name[0] != "."]
    parts = []
    for kind, what in ((".pyr", "pyramid"), (".pan", "annotation")):
        parts.append(sorted({path for path in found if path.lower().endswith(kind)}))
        if not parts[-1]:
            place = ", ".join(given) or "no path"
            raise PyramidFileError(place, f"holds no {kind} file", f"add the folder of the {what}s")
    return parts[0], parts[1]


def pairs(pyramids: Sequence[str], annotations: Sequence[str]) -> list[Pair]:
    """Find the pyramid of each annotation by the names of the files; the files are not read.

    The topic of an annotation is that of its name; a pyramid belongs to it if its name is the
    topic, or begins with the topic and a mark such as `-`. For an annotation that is not named as
    in TAC, the pyramid with the longest name that begins the annotation's counts, and the rest of
    the name is the peer. If several annotations of a peer name no annotator, their folders do.

    Raises
    ------
    PyramidFileError
        An annotation without a pyramid, with several, or given twice for one annotator.

    Examples
    --------
    >>> found = pairs(["a/D1-A.pyr", "a/D1-B.pyr"], ["b/D1-A.M.100.A.12.pan", "b/D1-B-7.pan"])
    >>> [(pair.topic, pair.peer, pair.pyramid) for pair in found]
    [('D1-A', '12', 'a/D1-A.pyr'), ('D1-B', '7', 'a/D1-B.pyr')]
    """
    stems: dict[str, list[str]] = {}
    for path in pyramids:
        stems.setdefault(_stem(path), []).append(path)
    found = [_pair(path, stems) for path in annotations]
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in found:
        groups.setdefault((pair.topic, pair.peer), []).append(pair)
    return [_told_apart(pair, groups[pair.topic, pair.peer]) for pair in found]


def _told_apart(pair: Pair, group: Sequence[Pair]) -> Pair:
    """Return a pair with its folder for the annotator, if another of the same summary has it."""
    if len({each.annotator for each in group}) == len(group):
        return pair
    folder = Path(pair.annotation).parent.name
    same = [each.annotation for each in group if Path(each.annotation).parent.name == folder]
    if len(same) > 1:
        problem = f"annotates the same summary of {pair.topic} as {same[0]}"
        hint = "keep one, or put the files of each annotator into a folder"
        raise PyramidFileError(same[1], problem, hint)
    return pair._replace(annotator=folder)


def _pair(path: str, stems: dict[str, list[str]]) -> Pair:
    name = _NAME.fullmatch(_stem(path))
    if name:
        annotator, topic, peer = name[1] or "", name[2], name[3]
        near = [stem for stem in stems if _begins(stem, topic)]
        equal = [stem for stem in near if len(stem) == len(topic)]
        files = [file for stem in equal or near for file in stems[stem]]
    else:
        annotator = ""
        near = sorted((stem for stem in stems if _begins(_stem(path), stem)), key=len)
        topic = near[-1] if near else ""
        peer = _stem(path)[len(topic) :].strip("._- ") or _stem(path)
        files = stems.get(topic, [])
    if not files:
        wanted = f"{topic}.pyr is not there" if topic else "no .pyr is named as it begins"
        hint = "add its pyramid, or name the pyramid as the topic"
        raise PyramidFileError(path, f"has no pyramid: {wanted}", hint)
    if len(files) > 1:
        raise PyramidFileError(path, f"could be of {' and '.join(files[:2])}", "keep one of them")
    return Pair(files[0], path, topic, peer, annotator)


def _stem(path: str) -> str:
    return os.path.basename(path)[: -len(".pyr")]


def _begins(name: str, start: str) -> bool:
    """Return whether a name is `start`, or goes on after it with a mark.

    >>> _begins("D0801-A", "d0801"), _begins("D08012", "D0801")
    (True, False)
    """
    rest = name[len(start) :]
    return name.lower().startswith(start.lower()) and not rest[:1].isalnum()


def presence(annotation: Annotation, uids: Iterable[int]) -> list[int]:
    """1 for each of these SCUs that the peer has, 0 for the others: what annotators agree on.

    `summeval.meta.krippendorff_alpha` measures how far several annotations of a peer agree.
    """
    own = annotation.contributors
    return [int(uid in own) for uid in uids]


_ANOTHER = {
    "peerAnnotation": ("this is the annotation of a peer", "read it with read_pan"),
    "pyramid": ("this is a pyramid", "read it with read_pyr"),
}


def _opened(path: str | os.PathLike[str], tag: str) -> tuple[Element, _Reader]:
    """Return the root of a file that begins with this element, and what reads it."""
    root, reader = _read_tree(path), _Reader(os.fspath(path))
    if root.tag != tag:
        other = f"the file begins with <{root.tag}>", f"give one of <{tag}>"
        raise reader.fail(root, *_ANOTHER.get(root.tag, other))
    return root, reader


class _Reader:
    """Converts the XML tree of a file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.repairs: list[str] = []

    def fail(self, node: Element, problem: str, hint: str) -> PyramidFileError:
        return PyramidFileError(f"{self.path}: line {node.attrib[_LINE]}", problem, hint)

    def note(self, node: Element, problem: str) -> None:
        self.repairs.append(f"line {node.attrib[_LINE]}: {problem}")

    def one(self, node: Element, tag: str) -> Element:
        found = node.findall(tag)
        if len(found) != 1:
            raise self.fail(node, f"<{node.tag}> has {len(found)} <{tag}>", "it has just one")
        return found[0]

    def attribute(self, node: Element, name: str) -> str:
        if name in node.attrib:
            return node.attrib[name]
        raise self.fail(node, f"<{node.tag}> has no {name}", "add it")

    def number(self, node: Element, name: str) -> int:
        given = self.attribute(node, name)
        if not re.fullmatch(r"-?[0-9]{1,15}", given.strip()):
            raise self.fail(node, f"{name} is {given[:40]!r}", "give a whole number")
        return int(given)

    def text(self, node: Element) -> str:
        return "".join(f"{_text(line)}\n" for line in self.one(node, "text").findall("line"))

    def pyramid(self, node: Element, start_document: str | None) -> Pyramid:
        text = self.text(node)
        heads = self.heads(node, text, start_document)
        spans, starts = SpanText(text), [head.start() for head in heads]
        scus = []
        for each, uid in self.numbered(node, "scu"):
            scu = self.scu(each, uid, self.attribute(each, "label"), spans, starts)
            scus.append(scu)
            if not scu.contributors:
                raise self.fail(each, f"SCU {uid} has no contributor", "remove it or add one")
            models = Counter(part.model for part in scu.contributors)
            if starts and models.pop(None, 0):
                self.note(each, f"a contributor to SCU {uid} spans several models")
            if max(models.values(), default=0) > 1 and starts:
                self.note(each, f"a model contributes to SCU {uid} more than once")
        if not scus:
            raise self.fail(node, "the pyramid has no SCU", "give one that has")
        # the name of a model ends what it begins with, as in "----\nD0801.M.100.A.B\n----\n"
        names = tuple(head.group().rpartition(".")[2].strip(" -\n") for head in heads)
        return Pyramid(self.path, text, names, tuple(scus), tuple(self.repairs))

    def heads(self, node: Element, text: str, start_document: str | None) -> list[re.Match[str]]:
        """Return the start of each model; empty without a pattern."""
        written = node.findall("startDocumentRegEx")
        place = written[0] if written else node
        if start_document is None and not written:
            return []
        pattern = _text(place) if start_document is None else start_document
        for form in dict.fromkeys((pattern, pattern.strip())):
            try:
                if start_document is None:
                    found = find_heads(form, text)
                else:
                    found = list(re.finditer(form, text, re.MULTILINE))
            except (re.error, OverflowError, RecursionError) as error:
                problem = f"startDocumentRegEx is not a valid regular expression ({error})"
                raise self.fail(place, problem, "write one that Python can use") from None
            except ValueError as error:
                problem = f"startDocumentRegEx is not used: {error}"
                hint = "give a simpler one as start_document (--start-document)"
                raise self.fail(place, problem, hint) from None
            if not all(head.group() for head in found):
                raise self.fail(place, "startDocumentRegEx matches an empty string", "correct it")
            if found:
                return found
        raise self.fail(place, "startDocumentRegEx matches nowhere in the text", "correct it")

    def numbered(self, node: Element, tag: str) -> Iterator[tuple[Element, int]]:
        """Return the elements of that name with their uids; raises for one that comes again."""
        lines: dict[int, str] = {}
        for each in node.findall(tag):
            uid = self.number(each, "uid")
            if (line := lines.get(uid)) is not None:
                raise self.fail(each, f"SCU {uid} is already on line {line}", "give each uid once")
            lines[uid] = each.attrib[_LINE]
            yield each, uid

    def scu(self, node: Element, uid: int, label: str, spans: SpanText, starts: list[int]) -> Scu:
        found = [self.contributor(each, spans, starts) for each in node.findall("contributor")]
        return Scu(uid, _OLD_WEIGHT.sub("", label), node.get("comment", ""), tuple(found))

    def contributor(self, node: Element, spans: SpanText, starts: list[int]) -> Contributor:
        label = self.attribute(node, "label")
        parts = tuple(self.part(each, spans) for each in node.findall("part"))
        if not parts:
            raise self.fail(node, f"the contributor {label[:40]!r} has no part", "add one")
        places = [place for part in parts for place in (part.start, max(part.start, part.end - 1))]
        models = {bisect_right(starts, place) - 1 for place in places}
        model = models.pop() if len(models) == 1 else -1
        return Contributor(label, node.get("comment", ""), parts, model if model >= 0 else None)

    def part(self, node: Element, spans: SpanText) -> Part:
        label = self.attribute(node, "label")
        start, end = self.number(node, "start"), self.number(node, "end")
        length = len(spans.text)
        problem = f"the part from {start} to {end} is outside the text of {length} characters"
        # Slightly wrong offsets may exceed the end of the text by less than the label's length.
        if not 0 <= start <= min(end, length) or end > length + len(label):
            raise self.fail(node, problem, "correct its offsets")
        if spans.holds(label, start, end) or not label.strip():
            return Part(label, start, min(end, length))
        if spans.searched > _MOST_SEARCHED:
            problem = "too many labels are not at their offsets"
            raise self.fail(node, problem, "correct their offsets")
        found = spans.find(label, start)
        if found:
            self.note(node, f"{start}-{end} is not {label[:40]!r}; taken as {found[0]}-{found[1]}")
            return Part(label, *found)
        if end > length:
            raise self.fail(node, problem, "correct its offsets")
        self.note(node, f"{label[:40]!r} is not in the text; {start}-{end} is kept")
        return Part(label, start, end)

    def annotation(self, node: Element, pyramid: Pyramid) -> Annotation:
        text = self.text(node)
        spans, weights = SpanText(text), pyramid.contributors
        scus: list[Scu] = []
        non_matching: tuple[Contributor, ...] = ()
        if _NON_MATCHING in weights:
            problem = f"SCU {_NON_MATCHING} is in the pyramid, but 0 is reserved"
            raise self.fail(node, problem, "number SCUs from 1")
        for each, uid in self.numbered(node, "peerscu"):
            label = self.attribute(each, "label")
            scu = self.scu(each, uid, _PEER_WEIGHT.sub("", label), spans, [])
            if uid == _NON_MATCHING:
                non_matching = scu.contributors
                continue
            if uid not in weights:
                raise self.fail(each, f"SCU {uid} is not in the pyramid", "correct its uid")
            scus.append(scu)
            written, weight = _PEER_WEIGHT.match(label), weights[uid]
            if written and (named := int(written[1])) != weight:
                if not named or named > (len(pyramid.models) or named):
                    problem = f"the label of SCU {uid} says {named}, the pyramid {weight}"
                    raise self.fail(each, problem, "mend the label")
                self.note(each, f"the label of SCU {uid} says weight {named}; {weight} is taken")
        repairs = (*pyramid.repairs, *self.repairs)
        return Annotation(self.path, text, pyramid, tuple(scus), non_matching, repairs)


def find_heads(pattern: str, text: str) -> list[re.Match[str]]:
    r"""Return the matches of a file's pattern, which is untrusted: `re` may backtrack for ever.

    So only single characters and classes may be repeated. A repeat multiplies the steps by the
    longest stretch of the text that it takes, unless what follows ends it for certain.

    Raises
    ------
    ValueError
        For another pattern, or one that might take more than `_MOST_STEPS` steps in this text.
    re.error, OverflowError, RecursionError
        The pattern is invalid.

    Examples
    --------
    >>> text = "--\nD1.A\n the cat\n-\nD1.B\n a dog\n"
    >>> [head.group() for head in find_heads(r"-+\nD\d\.[A-Z]\n", text)]
    ['--\nD1.A\n', '-\nD1.B\n']
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's, about the syntax of the pattern
        compiled = re.compile(pattern, re.MULTILINE)
        steps = _most_steps(pattern, text)
    if steps > _MOST_STEPS:
        raise ValueError(f"it might take more than {_MOST_STEPS:,} steps")
    return list(compiled.finditer(text))


def _most_steps(pattern: str, text: str) -> int:
    parts: list[re.Match[str] | None] = []
    at = 0
    while at < len(pattern):
        part = _PART.match(pattern, at)
        if part is None:
            raise ValueError(f"it may not have {pattern[at : at + 10]!r}")
        parts.append(part)
        at = part.end()
    letters = "".join(set(text))
    ways, certain = 1 + pattern.count("|"), 1
    for part, after in pairwise([*parts, None]):
        if part is None or not part["times"]:
            continue
        one = part["one"]
        longest = max(map(len, re.findall(f"(?:{one})+", text)), default=0)
        ends = after and (after["times"] or "+")[0] == "+" and after["one"]
        if not after or (ends and not {*re.findall(one, letters)} & {*re.findall(ends, letters)}):
            certain += longest
        else:
            ways *= 1 + longest
    return len(text) * ways * certain


class SpanText:
    r"""A text with spans given by label and character offsets, which may be slightly wrong.

    The order of the attempts is that of SacreROUGE, which corrects DUC and TAC files in this way.

    Examples
    --------
    >>> text = SpanText("the cat saw the dog\n")
    >>> text.holds("the cat", 0, 7), text.holds("the cat", 1, 8)
    (True, False)
    >>> text.find("the", 14), text.find("thecat", 5), text.find("a bird", 0)
    ((12, 15), (0, 7), None)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.searched = 0  # characters
        # labels are XML attributes, which are normalised like this
        self._flat = _Searched(_BLANK.sub(" ", text))

    def holds(self, label: str, start: int, end: int) -> bool:
        """Return whether the label equals the text between the offsets; all blanks are equal."""
        # Compare lengths first, to avoid copying long spans.
        if not 0 <= start <= end or min(end, len(self.text)) - start != len(label):
            return False
        return self._flat.text[start:end] == _BLANK.sub(" ", label)

    def find(self, label: str, start: int) -> tuple[int, int] | None:
        """Return the offsets of the label nearest to `start`, None if it is nowhere in the text.

        The label is searched unchanged, then without blanks, then both ways with doubly escaped
        quotes.
        """
        for form in dict.fromkeys((label, label.replace("&quot;", '"'))):
            wanted = _BLANK.sub(" ", form)
            self.searched += len(self.text)
            place = self._flat.nearest(wanted, start)
            if place is not None:
                return place, place + len(wanted)
            if wanted := wanted.replace(" ", ""):
                dense, places = self._dense
                self.searched += len(places)
                place = dense.nearest(wanted, bisect_left(places, start))
                if place is not None:
                    return places[place], places[place + len(wanted) - 1] + 1
        return None

    @cached_property
    def _dense(self) -> tuple[_Searched, list[int]]:
        """The text without blanks, and the position of each character in the text."""
        flat = self._flat.text
        places = [place for place, char in enumerate(flat) if char != " "]
        return _Searched(flat.replace(" ", "")), places


class _Searched:
    """A text that is searched from both ends.

    str.rfind may take quadratic time, str.find does not; so a reversed copy of the text is kept.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _backwards(self) -> str:
        return self.text[::-1]

    def nearest(self, wanted: str, start: int) -> int | None:
        """Return the occurrence that begins nearest to `start`, the earlier of two.

        >>> _Searched("the cat saw the dog").nearest("the", 11)
        12
        """
        start, length = max(start, 0), len(self.text)
        end = min(start + len(wanted), length)
        turned = self._backwards.find(wanted[::-1], length - end)
        before = -1 if turned < 0 else length - turned - len(wanted)
        found = [place for place in (before, self.text.find(wanted, start)) if place >= 0]
        return min(found, key=lambda place: abs(place - start), default=None)


def _text(node: Element) -> str:
    """Return the text of an element, without that of its children."""
    return "".join([node.text or "", *(child.tail or "" for child in node)])


def _read_tree(path: str | os.PathLike[str]) -> Element:
    """Return the root of an XML file, of which each element has its line as an attribute."""
    parser, builder, depth = expat.ParserCreate(), TreeBuilder(), 0
    name = os.fspath(path)

    def fail(problem: str, hint: str) -> PyramidFileError:
        return PyramidFileError(f"{name}: line {parser.CurrentLineNumber}", problem, hint)

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise fail(f"elements nested more than {_DEEPEST} deep", "check the file")
        builder.start(tag, attributes | {_LINE: str(parser.CurrentLineNumber)})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def doctype(root: str, system: str | None, public: str | None, inside: bool) -> None:
        if system is not None or public is not None:
            raise fail("it uses an external document type", "remove the DOCTYPE")

    def refuse(entity: str, *_: object) -> None:
        raise fail(f"entity {entity!r} is declared or used", "write its text in its place")

    parser.buffer_text = True
    # A long default of an attribute would otherwise be copied to each element.
    parser.specified_attributes = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(Path(path).read_bytes().lstrip(), True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        place = f"{name}: line {error.lineno}"
        raise PyramidFileError(place, f"not XML: {reason}", "correct it there") from None
    except PyramidFileError:
        raise
    except (LookupError, ValueError):  # an encoding that Python lacks or expat cannot use
        raise fail("unknown encoding", "convert the file to UTF-8") from None
    return builder.close()
