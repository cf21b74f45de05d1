"""Readers of files on random invalid files, and the faults that fuzzing found earlier."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
import readers
from every import every
from readers_mutations import mutate

from summeval.metrics.pyramid.files import find_heads

CORPUS = Path(__file__).parent / "corpus" / "readers"
FEW = 150  # files for each reader; `make fuzz` reads more


@pytest.mark.parametrize("name", readers.READERS)
def test_right_files_are_read(name: str, tmp_path: Path) -> None:
    reader = readers.READERS[name]
    for file, data in reader.files.items():
        (tmp_path / file).write_bytes(data)
    reader.read(tmp_path)


@every("name", readers.READERS)
def test_wrong_files_give_a_value_or_one_line(name: str) -> None:
    assert readers.check(name, FEW) == []


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*")), ids=lambda path: path.name)
def test_faults_that_were_found_stay_mended(path: Path, tmp_path: Path) -> None:
    """A file of the corpus stands in a folder that is named after its reader."""
    reader = readers.READERS[path.parent.name]
    name = next((name for name in reader.files if path.name.endswith(name)), None)
    assert name is not None, f"{path.name} ends with none of {', '.join(reader.files)}"
    for file, data in reader.files.items():
        (tmp_path / file).write_bytes(path.read_bytes() if file == name else data)
    with pytest.raises(ValueError) as caught:
        reader.read(tmp_path)
    assert readers.problem_of(caught.value, str(tmp_path)) is None


def test_a_seed_names_a_file() -> None:
    data = readers.CONLLU.encode()
    files = [mutate(data, random.Random(seed)) for seed in (1, 1, 2)]
    assert files[0] == files[1] != files[2]


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "a.x: bad"), "not the package's own"),
        (KeyError("a.x"), "not the package's own"),
        (ValueError("a.x: one\ntwo"), "not one plain line"),
        (ValueError("nothing is said of the file"), "does not begin with the file"),
        (ValueError("a.x: " + "long" * 999), "characters long"),
    ],
)
def test_answers_are_judged(error: Exception, problem: str) -> None:
    told = readers.problem_of(error, "a.x")
    assert told is not None and problem in told


def pyr_of(length: int) -> bytes:
    """A text of one letter, and a label that has another in its middle."""
    quarter = "a" * (length // 4)
    scu = f"<scu uid='1' label='x'><contributor label='x'><part label='{quarter}b{quarter}'"
    text = f"<text><line>{'a' * length}</line></text>"
    return f"<pyramid>{text}{scu} start='5' end='9'/></contributor></scu></pyramid>".encode()


def test_labels_are_sought_in_the_time_of_the_text(tmp_path: Path) -> None:
    """Sought from the end by str.rfind, this takes minutes."""
    path = tmp_path / "a.pyr"
    path.write_bytes(pyr_of(2_000_000))
    assert "is not in the text" in readers.read_pyr(path).repairs[0]


def test_text_in_pieces_is_read_in_the_time_of_its_length(tmp_path: Path) -> None:
    """Character references come one by one; put together by +=, this takes minutes."""
    path = tmp_path / "a.xml"
    many = b"&#97;&#233;" * 400_000
    path.write_bytes(readers.SETTINGS.replace(b"peers</PEER-ROOT>", many + b"</PEER-ROOT>"))
    (evaluation,) = readers.read_settings(str(path))
    assert evaluation.peers["A"] == "a\u00e9" * 400_000 + "/a.txt"


@pytest.mark.parametrize("reader", ["settings", "pyr", "pan"])
def test_entities_are_not_expanded(reader: str, tmp_path: Path) -> None:
    """A billion laughs: ten entities, each ten times the one before."""
    lines = ['<!ENTITY a0 "ha">'] + [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
    ((file, data),) = readers.READERS[reader].files.items()
    root = re.match(rb"<([\w-]+)", data)
    assert root is not None
    head = f"<!DOCTYPE {root[1].decode()} [{''.join(lines)}]>".encode()
    (tmp_path / file).write_bytes(head + data)
    with pytest.raises(ValueError, match=r"entity .?a0.? is declared"):
        readers.READERS[reader].read(tmp_path)


HEADS = [
    r"-+\nD\d+\.[A-Z]\n",
    r"^D\d.*$",
    r"[^\n]*\.A\n|B\n",
    r"(a|b)\d{1,2}",
    r"\bD\w+\b",
    r"\S{2,}",
    r"a.{2,}?b|(?:-[-\]]?)\s",
]


@pytest.mark.parametrize("pattern", HEADS)
def test_heads_are_those_that_re_finds(pattern: str) -> None:
    chance = random.Random(pattern)
    for _ in range(300):
        text = "".join(chance.choice("aDb-\n.1 AB") for _ in range(chance.randint(0, 30)))
        expected = re.finditer(pattern, text, re.MULTILINE)
        assert list(map(str, find_heads(pattern, text))) == list(map(str, expected))


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        (r"(a)\1", r"it may not have '\\\\1'"),
        (r"(?=a)a", r"it may not have '\?=a\)a'"),
        (r"(?i)a", r"it may not have '\?i\)a'"),
        (r"(a*)*", r"it may not have '\)\*'"),
        (r"(a+)+$", r"it may not have '\)\+\$'"),
        (r"(a|aa){9}c", r"it may not have '\)\{9\}c'"),
        (r"a*a*a*b", "more than 1,000,000,000 steps"),
        (r"a*[ab]*?b", "more than 1,000,000,000 steps"),
    ],
)
def test_a_pattern_that_may_take_for_ever_is_refused(pattern: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        find_heads(pattern, "a" * 40_000)


@pytest.mark.parametrize(
    ("pattern", "length"), [("a*b", 30_000), ("a+-+b", 10_000), (".*b", 30_000), ("a*a*b", 900)]
)
def test_a_pattern_of_a_file_ends(pattern: str, length: int) -> None:
    """What is not refused takes seconds at the most."""
    assert find_heads(pattern, "a" * length) == []


_WRONG = [None, 1, True, "x", [1], {"TokenList": {}}, {"TokenList": [[]]}, {"TokenList": [1e400]}]


@pytest.mark.parametrize("value", _WRONG)
@pytest.mark.parametrize("field", ["Arg1", "Arg2", "Connective", "DocID", "Type", "Sense"])
def test_each_field_of_a_relation_may_be_wrong(field: str, value: object, tmp_path: Path) -> None:
    reader = readers.READERS["conll"]
    for file, data in reader.files.items():
        (tmp_path / file).write_bytes(data)
    lines = reader.files["relations.json"].decode().split("\n")
    lines[1] = json.dumps(json.loads(lines[0]) | {field: value})
    (tmp_path / "relations.json").write_text("\n".join(lines).replace("Infinity", "1e400"))
    if field == "Connective" and value is None:
        assert reader.read(tmp_path)
        return
    with pytest.raises(ValueError, match=r"relations\.json:2\b.*(DocID|Arg|Connective|sense|type)"):
        reader.read(tmp_path)
