"""Pyramid files: the SCUs of models (`.pyr`), and the SCUs found in a peer (`.pan`).

Both are formats of DucView, used for the pyramids of DUC 2005 to TAC 2011. They are XML, of which
nothing is expanded and no other file is read: entity declarations and external document types are
refused. An internal document type may declare elements and attributes, as DucView's does; declared
default attributes are ignored.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from summeval._cached import cached_property
from summeval.io.errors import DataError
from summeval.metrics.pyramid.heads import Head, TooHard, find_heads

_MOST_SEARCHED = 1 << 29  # characters searched for labels that are not at their offsets
_NON_MATCHING = 0  # the uid in a .pan for content outside all SCUs of the pyramid
_OLD_WEIGHT = re.compile(r" \(\d+\.\d+\)$")  # weight after an SCU label in old files: "... (4.0)"
_PEER_WEIGHT = re.compile(r"^\((\d{1,9})\) ")  # weight before an SCU label in a .pan
_DEEPEST = 32  # elements in each other
_BLANK = re.compile(r"\s")
_BLANKS = re.compile(r"\s+")


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
        it overrides the file's. It is run by `re`. The file's own expression is untrusted, so it
        runs in a bounded number of steps, without look-around and back references.

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
    root = read_tree(path)
    reader = _Reader(os.fspath(path))
    if root.tag == "peerAnnotation":
        raise reader.fail(root, "this is the annotation of a peer", "read it with read_pan")
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
    root = read_tree(path)
    reader = _Reader(os.fspath(path))
    if root.tag == "pyramid":
        raise reader.fail(root, "this is a pyramid", "read it with read_pyr")
    reader.expect(root, "peerAnnotation")
    pyramid = reader.pyramid(reader.one(root, "pyramid"), start_document)
    return _Reader(reader.path).annotation(reader.one(root, "annotation"), pyramid)


class _Reader:
    """Converts the XML tree of a file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.repairs: list[str] = []

    def fail(self, node: Node, problem: str, mend: str) -> PyramidFileError:
        return PyramidFileError(f"{self.path}: line {node.line}", problem, mend)

    def note(self, node: Node, problem: str) -> None:
        self.repairs.append(f"line {node.line}: {problem}")

    def expect(self, node: Node, tag: str) -> None:
        if node.tag != tag:
            raise self.fail(node, f"the file begins with <{node.tag}>", f"give one of <{tag}>")

    def one(self, node: Node, tag: str) -> Node:
        found = node.all(tag)
        if len(found) != 1:
            raise self.fail(node, f"<{node.tag}> has {len(found)} <{tag}>", "it has just one")
        return found[0]

    def attribute(self, node: Node, name: str) -> str:
        if name not in node.attributes:
            raise self.fail(node, f"<{node.tag}> has no {name}", "add it")
        return node.attributes[name]

    def number(self, node: Node, name: str) -> int:
        given = self.attribute(node, name)
        if not re.fullmatch(r"-?[0-9]{1,15}", given.strip()):
            raise self.fail(node, f"{name} is {given[:40]!r}", "give a whole number")
        return int(given)

    def text(self, node: Node) -> str:
        return "".join(f"{line.text}\n" for line in self.one(node, "text").all("line"))

    def pyramid(self, node: Node, start_document: str | None) -> Pyramid:
        self.expect(node, "pyramid")
        text = self.text(node)
        heads = self.heads(node, text, start_document)
        spans, starts = SpanText(text), [head.start for head in heads]
        scus = [self.scu(scu, spans, starts) for scu in self.distinct(node, "scu")]
        if not scus:
            raise self.fail(node, "the pyramid has no SCU", "give one that has")
        models = tuple(_name(head.text) for head in heads)
        return Pyramid(self.path, text, models, tuple(scus), tuple(self.repairs))

    def heads(self, node: Node, text: str, start_document: str | None) -> list[Head]:
        """The start of each model; empty without a pattern."""
        written = node.all("startDocumentRegEx")
        place = written[0] if written else node
        if start_document is None and not written:
            return []
        pattern = place.text if start_document is None else start_document
        for form in dict.fromkeys((pattern, pattern.strip())):
            try:
                if start_document is None:
                    found = find_heads(form, text)
                else:
                    matches = re.finditer(form, text, re.MULTILINE)
                    found = [Head(match.start(), match.group()) for match in matches]
            except TooHard as error:
                problem = f"startDocumentRegEx is not used: {error}"
                mend = "give a simpler one as start_document (--start-document)"
                raise self.fail(place, problem, mend) from None
            except (re.error, OverflowError, RecursionError) as error:
                problem = f"startDocumentRegEx is not a valid regular expression ({error})"
                raise self.fail(place, problem, "write one that Python can use") from None
            if any(not head.text for head in found):
                raise self.fail(place, "startDocumentRegEx matches an empty string", "correct it")
            if found:
                return found
        raise self.fail(place, "startDocumentRegEx matches nowhere in the text", "correct it")

    def distinct(self, node: Node, tag: str) -> list[Node]:
        """The elements with that name; raises for a repeated uid."""
        lines: dict[int, int] = {}
        for each in node.all(tag):
            uid = self.number(each, "uid")
            if uid in lines:
                problem = f"SCU {uid} is already on line {lines[uid]}"
                raise self.fail(each, problem, "give each uid once")
            lines[uid] = each.line
        return node.all(tag)

    def scu(self, node: Node, spans: SpanText, starts: list[int]) -> Scu:
        uid = self.number(node, "uid")
        label = _OLD_WEIGHT.sub("", self.attribute(node, "label"))
        found = tuple(self.contributor(each, spans, starts) for each in node.all("contributor"))
        if not found:
            raise self.fail(node, f"SCU {uid} has no contributor", "remove it or add one")
        models = [each.model for each in found]
        if starts:
            if None in models:
                self.note(node, f"a contributor to SCU {uid} spans several models")
            known = [model for model in models if model is not None]
            if len(set(known)) < len(known):
                self.note(node, f"a model contributes to SCU {uid} more than once")
        return Scu(uid, label, node.attributes.get("comment", ""), found)

    def contributor(self, node: Node, spans: SpanText, starts: list[int]) -> Contributor:
        label = self.attribute(node, "label")
        parts = tuple(self.part(each, spans) for each in node.all("part"))
        if not parts:
            raise self.fail(node, f"the contributor {label[:40]!r} has no part", "add one")
        places = [place for part in parts for place in (part.start, max(part.start, part.end - 1))]
        models = {bisect_right(starts, place) - 1 for place in places}
        number = models.pop() if len(models) == 1 else -1
        model = number if number >= 0 else None
        return Contributor(label, node.attributes.get("comment", ""), parts, model)

    def part(self, node: Node, spans: SpanText) -> Part:
        label = self.attribute(node, "label")
        start, end = self.number(node, "start"), self.number(node, "end")
        length = len(spans.text)
        # Slightly wrong offsets may exceed the end of the text by less than the label's length.
        if not 0 <= start <= min(end, length) or end > length + len(label):
            problem = f"the part from {start} to {end} is outside the text of {length} characters"
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
            problem = f"the part from {start} to {end} is outside the text of {length} characters"
            raise self.fail(node, problem, "correct its offsets")
        self.note(node, f"{label[:40]!r} is not in the text; {start}-{end} is kept")
        return Part(label, start, end)

    def annotation(self, node: Node, pyramid: Pyramid) -> Annotation:
        text = self.text(node)
        spans = SpanText(text)
        scus: list[Scu] = []
        non_matching: tuple[Contributor, ...] = ()
        weights = pyramid.contributors
        if _NON_MATCHING in weights:
            problem = f"SCU {_NON_MATCHING} is in the pyramid, but 0 is reserved"
            raise self.fail(node, problem, "number SCUs from 1")
        for each in self.distinct(node, "peerscu"):
            scu = self.peer_scu(each, spans)
            if scu.uid == _NON_MATCHING:
                non_matching = scu.contributors
                continue
            if scu.uid not in weights:
                raise self.fail(each, f"SCU {scu.uid} is not in the pyramid", "correct its uid")
            scus.append(scu)
            self.check_weight(each, weights[scu.uid], len(pyramid.models))
        repairs = (*pyramid.repairs, *self.repairs)
        return Annotation(self.path, text, pyramid, tuple(scus), non_matching, repairs)

    def peer_scu(self, node: Node, spans: SpanText) -> Scu:
        uid = self.number(node, "uid")
        label = _OLD_WEIGHT.sub("", _PEER_WEIGHT.sub("", self.attribute(node, "label")))
        found = tuple(self.contributor(each, spans, []) for each in node.all("contributor"))
        return Scu(uid, label, node.attributes.get("comment", ""), found)

    def check_weight(self, node: Node, weight: int, n_models: int) -> None:
        """Compare the weight in the label of a peer's SCU with that in the pyramid."""
        written = _PEER_WEIGHT.match(node.attributes["label"])
        if not written or int(written[1]) == weight:
            return
        uid, told = self.number(node, "uid"), int(written[1])
        if not told or told > (n_models or told):
            problem = f"the label of SCU {uid} says {told}, the pyramid {weight}"
            raise self.fail(node, problem, "mend the label")
        self.note(node, f"the label of SCU {uid} says weight {told}; {weight} is taken")


def _name(head: str) -> str:
    r"""The name of a model, of what it begins with.

    >>> _name("----------\nD0801.M.100.A.B\n----------\n")
    'B'
    """
    return head.rpartition(".")[2].strip(" -\n")


class SpanText:
    r"""A text with spans given by label and character offsets.

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
        self._flat = _Searched(
            _BLANK.sub(" ", text)
        )  # labels are XML attributes, which are normalised like this
        self.searched = 0

    def holds(self, label: str, start: int, end: int) -> bool:
        """Whether the label equals the text between the offsets; all blanks are equal."""
        # Compare lengths first, to avoid copying long spans.
        if not 0 <= start <= end or min(end, len(self.text)) - start != len(label):
            return False
        return self._flat.text[start:end] == _BLANK.sub(" ", label)

    def find(self, label: str, start: int) -> tuple[int, int] | None:
        """The offsets of the label nearest to `start`, None if it is nowhere in the text.

        The label is searched unchanged, then without blanks, then both ways with doubly escaped
        quotes. `searched` counts the characters searched.
        """
        plain = label.replace("&quot;", '"')
        for wanted in dict.fromkeys((label, plain)):
            found = self._exact(wanted, start) or self._without_blanks(wanted, start)
            if found:
                return found
        return None

    def _exact(self, label: str, start: int) -> tuple[int, int] | None:
        wanted = _BLANK.sub(" ", label)
        self.searched += len(self.text)
        place = self._flat.nearest(wanted, start)
        return None if place is None else (place, place + len(wanted))

    def _without_blanks(self, label: str, start: int) -> tuple[int, int] | None:
        wanted = _BLANKS.sub("", label)
        if not wanted:
            return None
        text, places = self._dense
        self.searched += len(places)
        place = text.nearest(wanted, bisect_left(places, start))
        return None if place is None else (places[place], places[place + len(wanted) - 1] + 1)

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
        """The occurrence that begins nearest to `start`, the earlier of two.

        >>> _Searched("the cat saw the dog").nearest("the", 11)
        12
        """
        start = max(start, 0)
        length = len(self.text)
        end = min(start + len(wanted), length)
        turned = self._backwards.find(wanted[::-1], length - end)
        before = -1 if turned < 0 else length - turned - len(wanted)
        after = self.text.find(wanted, start)
        found = [place for place in (before, after) if place >= 0]
        return min(found, key=lambda place: abs(place - start), default=None)


@dataclass
class Node:
    """An element: its content, and the line on which it starts."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the element, without that of its children."""
        return "".join(self.pieces)

    def all(self, tag: str) -> list[Node]:
        """The children of that name, in order."""
        return [child for child in self.children if child.tag == tag]


def read_tree(path: str | os.PathLike[str]) -> Node:
    """The root of an XML file.

    Raises
    ------
    PyramidFileError
        The XML is malformed or unsafe; the message names the line.
    OSError
    """
    return _Builder(os.fspath(path)).build(Path(path).read_bytes().lstrip())


class _Builder:
    """Builds the tree during parsing."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root = Node("", {}, 0)
        self.open = [self.root]
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        # A long default of an attribute would otherwise be copied to each element.
        self.parser.specified_attributes = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.refuse_entity
        self.parser.SkippedEntityHandler = self.refuse_entity

    def build(self, data: bytes) -> Node:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.errors.messages[error.code]
            place = f"{self.path}: line {error.lineno}"
            raise PyramidFileError(place, f"not XML: {reason}", "correct it there") from None
        except PyramidFileError:
            raise
        except (LookupError, ValueError):  # an encoding that Python lacks or expat cannot use
            raise self.fail("unknown encoding", "convert the file to UTF-8") from None
        return self.root.children[0]

    def fail(self, problem: str, mend: str) -> PyramidFileError:
        return PyramidFileError(f"{self.path}: line {self.parser.CurrentLineNumber}", problem, mend)

    def doctype(self, name: str, system: str | None, public: str | None, inside: bool) -> None:
        if system is not None or public is not None:
            raise self.fail("it uses an external document type", "remove the DOCTYPE")

    def refuse_entity(self, name: str, *_: object) -> None:
        raise self.fail(f"entity {name!r} is declared or used", "write its text in its place")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) > _DEEPEST:
            raise self.fail(f"elements nested more than {_DEEPEST} deep", "check the file")
        node = Node(tag, attributes, self.parser.CurrentLineNumber)
        self.open[-1].children.append(node)
        self.open.append(node)

    def end(self, tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        self.open[-1].pieces.append(text)
