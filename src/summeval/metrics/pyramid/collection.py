"""Folders of Pyramid files: which annotation belongs to which pyramid, peer and annotator.

Files are paired by name, as those of DUC and TAC are named. A pyramid is named after its topic
(`D0631.pyr`, `D0801-A.pyr`), an annotation after the summary that was annotated
(`D0801-A.M.100.A.12.pan`), with the annotator in front where there are several
(`114.D0631.M.250.A.12.pan`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from summeval.metrics.pyramid.files import Annotation, PyramidFileError

# The annotator; topic and set; task type, length, selector of the documents, author of the summary.
_NAME = re.compile(r"(?:([^.]+)\.)?([^.]+)\.[A-Z]\.\d+\.[A-Z]\.([^.]+)", re.ASCII)


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
    """The `.pyr` and the `.pan` files among these files and in these folders, at any depth.

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
        inside = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if not name.startswith(".")
        ]
        found += inside if os.path.isdir(path) else [path]
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
    told = []
    for pair in found:
        group = groups[pair.topic, pair.peer]
        if len({each.annotator for each in group}) < len(group):
            folder = Path(pair.annotation).parent.name
            same = [each.annotation for each in group]
            same = [path for path in same if Path(path).parent.name == folder]
            if len(same) > 1:
                problem = f"annotates the same summary of {pair.topic} as {same[0]}"
                hint = "keep one, or put the files of each annotator into a folder"
                raise PyramidFileError(same[1], problem, hint)
            told.append(pair._replace(annotator=folder))
        else:
            told.append(pair)
    return told


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
        mend = "add its pyramid, or name the pyramid as the topic"
        raise PyramidFileError(path, f"has no pyramid: {wanted}", mend)
    if len(files) > 1:
        listed = " and ".join(files[:2])
        raise PyramidFileError(path, f"could be of {listed}", "keep one of them")
    return Pair(files[0], path, topic, peer, annotator)


def _stem(path: str) -> str:
    return os.path.basename(path)[: -len(".pyr")]


def _begins(name: str, start: str) -> bool:
    """Whether a name is `start`, or goes on after it with a mark.

    >>> _begins("D0801-A", "d0801"), _begins("D08012", "D0801")
    (True, False)
    """
    rest = name[len(start) :]
    return name.lower().startswith(start.lower()) and not rest[:1].isalnum()


def presence(annotation: Annotation, uids: Iterable[int]) -> list[int]:
    """1 for each of these SCUs that the peer has, 0 for the others: what annotators agree on.

    `summeval.meta.krippendorff_alpha` measures how far several annotations of a peer agree.
    """
    mine = annotation.contributors
    return [int(uid in mine) for uid in uids]
