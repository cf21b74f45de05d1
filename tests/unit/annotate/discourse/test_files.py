"""Files of discourse relations: what is written is read again; what is broken is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval.annotate import DiscourseDocument, Document, Sentence, Token
from summeval.annotate.discourse import (
    from_json,
    read_conll,
    read_pipe,
    to_json,
    write_parses,
    write_pipe,
    write_relations,
)
from summeval.annotate.discourse.document import WITH_SENSE, WITHOUT_SENSE
from summeval.annotate.discourse.treebanks import Offsets

SENTENCES = [
    [("It", "PRP"), ("rained", "VBD"), (".", ".")],
    [("So", "RB"), ("we", "PRP"), ("left", "VBD"), (".", ".")],
]
DOCUMENT = DiscourseDocument(
    SENTENCES,
    [
        {
            "type": "Explicit",
            "sense": ["Contingency.Cause.Result", "Temporal.Asynchronous"],
            "conn_tokens": [3],
            "arg1": [0, 3],
            "arg2": [4, 7],
        },
        {"type": "Implicit", "sense": "Expansion", "arg1": [[0, 1], [2, 3]], "arg2": [4, 5]},
        {"type": "EntRel", "arg1": [0, 3], "arg2": [3, 7]},
    ],
)


@st.composite
def documents(draw: st.DrawFn) -> DiscourseDocument:
    word = st.text("abc|é;,", min_size=1, max_size=4)
    sentences = draw(
        st.lists(st.lists(st.tuples(word, st.just("NN")), max_size=4), min_size=1, max_size=4)
    )
    total = sum(map(len, sentences))
    span = st.lists(st.integers(0, total), min_size=2, max_size=2, unique=True).map(sorted)
    relations = []
    for _ in range(draw(st.integers(0, 3)) if total > 1 else 0):
        kind = draw(st.sampled_from(["Explicit", "AltLex", "Implicit", *WITHOUT_SENSE]))
        has_words = kind in ("Explicit", "AltLex")
        tokens = draw(st.sets(st.integers(0, total - 1), max_size=2)) if has_words else ()
        relations.append(
            {
                "type": kind,
                "sense": "Temporal.Synchronous" if kind in WITH_SENSE else None,
                "conn_tokens": sorted(tokens),
                "arg1": draw(span),
                "arg2": draw(span),
            }
        )
    return DiscourseDocument(sentences, relations)


@given(document=documents(), columns=st.sampled_from([34, 48]))
def test_pipes_are_read_as_written(
    tmp_path_factory: pytest.TempPathFactory, document: DiscourseDocument, columns: int
) -> None:
    path = tmp_path_factory.mktemp("pipe") / "a.pipe"
    path.write_text("".join(f"{line}\n" for line in write_pipe(document, columns)), "utf-8")
    assert read_pipe(path, document) == document


@given(document=documents())
def test_conll_files_are_read_as_written(
    tmp_path_factory: pytest.TempPathFactory, document: DiscourseDocument
) -> None:
    folder = tmp_path_factory.mktemp("conll")
    given_documents = {"a": document, "b": DOCUMENT}
    (folder / "relations.json").write_text("\n".join(write_relations(given_documents)), "utf-8")
    (folder / "parses.json").write_text(write_parses(given_documents), "utf-8")
    assert read_conll(folder / "relations.json", folder / "parses.json") == given_documents


@given(document=documents())
def test_json_is_read_as_written(document: DiscourseDocument) -> None:
    assert from_json(to_json(document, "text")) == document


def test_offsets_of_a_parsed_text_are_used(tmp_path: Path) -> None:
    text = "It  rained. So"
    tokens = [("It", 0), ("rained", 4), (".", 10)], [("So", 12)]
    parsed = Document(
        tuple(
            Sentence(tuple(Token(form, start=at, end=at + len(form)) for form, at in sentence))
            for sentence in tokens
        ),
        text=text,
    )
    document = DiscourseDocument.of(
        parsed, [{"type": "NoRel", "arg1": [[0, 1], [2, 3]], "arg2": [3, 4]}]
    )
    (line,) = write_pipe(document, parsed=parsed)
    fields = line.split("|")
    assert len(fields) == 48
    assert [fields[at] for at in (0, 22, 24, 32, 34)] == [
        "NoRel",
        "0..2;10..11",
        "It .",
        "12..14",
        "So",
    ]
    path = tmp_path / "a.pipe"
    path.write_text(line)
    assert read_pipe(path, parsed) == document


def test_columns_of_the_pdtb_2() -> None:
    # 0 type, 3 span of the connective, 11 and 12 senses, 22 and 32 arguments: the PDTB 2's manual.
    fields = next(write_pipe(DOCUMENT, 48)).split("|")
    told = {at: field for at, field in enumerate(fields) if field}
    assert told == {
        0: "Explicit",
        3: "12..14",
        5: "So",
        11: "Contingency.Cause.Result",
        12: "Temporal.Asynchronous",
        22: "0..11",
        24: "It rained .",
        32: "15..24",
        34: "we left .",
    }


def test_a_system_s_output_of_the_shared_task(tmp_path: Path) -> None:
    # TokenList as numbers over the document: the form that systems wrote for CoNLL 2016.
    row = {
        "DocID": "a",
        "Type": "Explicit",
        "Sense": ["Contingency.Cause"],
        "Connective": {"TokenList": [3]},
        "Arg1": {"TokenList": [0, 1, 2]},
        "Arg2": {"TokenList": [6, 4, 5]},
    }
    (tmp_path / "r").write_text(json.dumps(row))
    (tmp_path / "p").write_text(write_parses({"a": DOCUMENT}))
    (relation,) = read_conll(tmp_path / "r", tmp_path / "p")["a"].relations
    assert (relation.conn_tokens, relation.arg1, relation.arg2) == ((3,), ((0, 3),), ((4, 7),))


def broken(at: int, value: str) -> str:
    fields = next(write_pipe(DOCUMENT, 34)).split("|")
    fields[at] = value
    return "|".join(fields)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Explicit|0..2", r"a\.pipe:2: 2 columns; write 48 \(PDTB 2\) or 34 \(PDTB 3, GDTB\)"),
        (broken(0, "Explict"), r"a\.pipe:2: unknown type 'Explict'; did you mean Explicit"),
        (broken(8, "Expanson"), r"a\.pipe:2: unknown sense 'Expanson'; did you mean Expansion"),
        (broken(14, "0-11"), r"a\.pipe:2: arg1: '0-11' is not a list of spans; write 9\.\.35"),
        (broken(14, "5..2"), r"a\.pipe:2: arg1: '5\.\.2' is not a list of spans"),
        (broken(14, ""), r"a\.pipe:2: arg1: no token at '' in a text of"),
        (broken(20, "15..99"), r"a\.pipe:2: arg2: characters 15 to 99 exceed the text of 24; pass"),
        (broken(1, "x"), r"a\.pipe:2: connective: 'x' is not a list of spans"),
    ],
)
def test_broken_columns_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "a.pipe"
    path.write_text(f"\n{line}\n")
    with pytest.raises(ValueError, match=message):
        read_pipe(path, DOCUMENT)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", r"r:1: not JSON"),
        ("[]", r"r:1: not a JSON object"),
        ('{"DocID": "a"}', r"r:1: no 'Type'; write DocID, Type"),
        (next(write_relations({"b": DOCUMENT})), r"r:1: DocID 'b' is not in .*p; add it"),
        (
            next(write_relations({"a": DOCUMENT})).replace("Contingency", "Kontingenz"),
            r"r:1: unknown sense 'Kontingenz.Cause.Result'",
        ),
        (
            '{"DocID":"a","Type":"NoRel","Sense":[],"Arg1":{"TokenList":[1]},'
            '"Arg2":{"TokenList":[9]}}',
            r"r:1: arg2: tokens 9 to 10 exceed the document of 7",
        ),
    ],
)
def test_broken_relations_are_named(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "r").write_text(row)
    (tmp_path / "p").write_text(write_parses({"a": DOCUMENT}))
    with pytest.raises(ValueError, match=message):
        read_conll(tmp_path / "r", tmp_path / "p")


@pytest.mark.parametrize(
    ("parses", "message"),
    [
        ("{", "p: not JSON"),
        ("[]", "p: not a JSON object; write documents by their DocID"),
        ('{"a": {"sentences": [{}]}}', "p: 'a': no sentences with words"),
    ],
)
def test_broken_parses_are_named(tmp_path: Path, parses: str, message: str) -> None:
    (tmp_path / "r").write_text("")
    (tmp_path / "p").write_text(parses)
    with pytest.raises(ValueError, match=message):
        read_conll(tmp_path / "r", tmp_path / "p")


def test_other_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="columns is 40; write 48"):
        next(write_pipe(DOCUMENT, 40))
    with pytest.raises(ValueError, match="parsed has 0 tokens, document 7"):
        next(write_pipe(DOCUMENT, parsed=Document()))
    with pytest.raises(ValueError, match=r"rows:3: not a discourse document"):
        from_json("{}", "rows:3")


def test_tokens_at_characters() -> None:
    offsets = Offsets(DOCUMENT)
    assert offsets.text == "It rained .\nSo we left ."
    assert offsets.tokens([(0, 1), (2, 3), (11, 13)]) == [0, 3]
