"""The cases of the Pyramid, and files of DucView's form made for a test."""

import json
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest

FILE = Path(__file__).resolve().parent.parent / "cases" / "pyramid.json"
CASES = json.loads(FILE.read_text("utf-8"))["cases"]
HEADS = r"-+\nD1\.M\.[A-Z]\n-+\n"
DOCTYPE = """<!DOCTYPE pyramid [
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ATTLIST scu uid CDATA #REQUIRED label CDATA #REQUIRED comment CDATA #IMPLIED>
]>
"""


def cases(kind):
    """The cases of a kind, for `parametrize`."""
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def head(name):
    return f"----\nD1.M.{name}\n----\n"


def part(label, start, end=None):
    end = start + len(label) if end is None else end
    return f"<part label={quoteattr(label)} start='{start}' end='{end}'/>"


def contributor(*parts):
    return f"<contributor label='words' comment=''>{''.join(parts)}</contributor>\n"


def scu(uid, *contributors, label="what it says", tag="scu"):
    return f"<{tag} uid='{uid}' label={quoteattr(label)}>{''.join(contributors)}</{tag}>\n"


def text(content):
    lines = content.split("\n")[: -1 if content.endswith("\n") else None]
    return "<text>" + "".join(f"<line>{escape(line)}</line>\n" for line in lines) + "</text>\n"


def pyramid(content, *scus, heads=HEADS):
    regex = f"<startDocumentRegEx><![CDATA[{heads}]]></startDocumentRegEx>\n" if heads else ""
    return f"<pyramid>\n{regex}{text(content)}{''.join(scus)}</pyramid>\n"


def annotation(pyramid, content, *peer_scus):
    inside = f"<annotation>{text(content)}{''.join(peer_scus)}</annotation>"
    return f"<peerAnnotation>\n{pyramid}{inside}<score>none</score></peerAnnotation>\n"


def peer_scu(uid, *contributors, label="what it says"):
    return scu(uid, *contributors, label=label, tag="peerscu")


def of_weights(weights, n_models):
    """A pyramid in which SCU `uid` has a contributor in each of the first `weights[uid]` models."""
    content, places = "", {}
    for model in range(n_models):
        content += head(chr(ord("A") + model))
        for uid, weight in weights.items():
            if model < weight:
                places.setdefault(uid, []).append(contributor(part(f"says {uid}", len(content))))
                content += f"says {uid}\n"
    return pyramid(content, *(scu(uid, *found) for uid, found in places.items()))


def of_peer(pyramid, weights, contributors, non_matching):
    """The annotation of a peer with so many contributors to each SCU, and so many to none."""
    content, found = "", []
    for uid in {**weights, "0": 0}:
        number = non_matching if uid == "0" else contributors.get(uid, 0)
        places = []
        for _ in range(number):
            places.append(contributor(part(f"peer says {uid}", len(content))))
            content += f"peer says {uid}\n"
        label = "All non-matching SCUs go here" if uid == "0" else f"({weights[uid]}) it says"
        found.append(peer_scu(uid, *places, label=label))
    return annotation(pyramid, content, *found)
