"""Coreference: files of chains, the simple resolver, and what they do to Basic Elements."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summeval import BasicElements, BEwTE
from summeval.annotate import Document, Entity, Sentence, Token, to_json
from summeval.annotate.coreference import ChainFile, SimpleResolver, chains_of, resolver
from summeval.cli.main import main
from summeval.elements import extract

# Two sentences: form, tag, head (from 1 in the sentence), label.
STORY = [
    [
        *(("Ann", "NNP", 2, "compound"), ("Lee", "NNP", 3, "nsubj"), ("wrote", "VBD", 0, "root")),
        *(("books", "NNS", 3, "dobj"), (".", ".", 3, "punct")),
    ],
    [
        *(("She", "PRP", 2, "nsubj"), ("sold", "VBD", 0, "root"), ("her", "PRP$", 4, "poss")),
        *(("books", "NNS", 2, "dobj"), (".", ".", 2, "punct")),
    ],
]
ANN = Entity("PER", 0, 1)


def document(
    rows: Sequence[Sequence[tuple[str, str, int, str]]] = STORY, entities: Sequence[Entity] = (ANN,)
) -> Document:
    sentences, text = [], ""
    for row in rows:
        tokens = []
        for form, tag, head, label in row:
            tokens.append(
                Token(form, tag, head=head - 1, label=label, start=len(text), end=len(text + form))
            )
            text += form + " "
        sentences.append(Sentence(tuple(tokens)))
    return Document(tuple(sentences), tuple(entities), text.strip(), "hand")


def written(of: Document, chains: Any = ()) -> list[str]:
    return [str(element) for element in extract(of, chains=chains)]


class Story:
    """A provider of the story, the only text that it knows."""

    name = signature = "story"

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        return (document() for _ in texts)


def test_pronouns_are_replaced_by_the_name_of_their_chain() -> None:
    without, found = written(document()), written(document(), [[(0, 1), (5, 5), (7, 7)]])
    assert "r11 she|PRP+sold|VBD" in without
    assert "r11 Ann Lee|Person+sold|VBD" in found
    assert "r6 her|PRP$+books|NNS" in without
    assert "r6 Ann Lee|Person+books|NNS" in found
    assert not [element for element in found if "|PRP" in element]
    changed = [element for element in without if "|PRP" not in element]
    assert [element for element in found if element in changed] == changed


def test_a_shorter_name_becomes_the_longest_one() -> None:
    rows = [*STORY[:1], [("Lee", "NNP", 2, "nsubj"), ("left", "VBD", 0, "root")]]
    told = document(rows, (ANN, Entity("PER", 5, 5)))
    assert "r11 Lee|Person+left|VBD" in written(told)
    found = written(told, [[(0, 1), (5, 5)]])
    assert "r11 Ann Lee|Person+left|VBD" in found
    assert "r1 Lee|Person" not in found


def test_a_chain_without_a_name_is_called_by_its_first_noun() -> None:
    found = written(document(entities=()), [[(3, 3), (5, 5)]])
    assert "r11 books|NNS+sold|VBD" in found
    assert "r1 books|NNS" in found  # nouns themselves stay


def test_a_name_that_the_parser_missed_is_one_of_proper_nouns() -> None:
    found = written(document(entities=()), [[(0, 1), (5, 5)]])
    assert "r11 Ann Lee|NNP+sold|VBD" in found


def test_nouns_about_a_person_stay() -> None:
    rows = [*STORY[:1], [("The", "DT", 2, "det"), ("writer", "NN", 3, "nsubj")]]
    rows[1] = [*rows[1], ("left", "VBD", 0, "root")]
    assert "r11 writer|NN+left|VBD" in written(document(rows), [[(0, 1), (5, 6)]])


def test_a_chain_of_pronouns_alone_changes_nothing() -> None:
    assert written(document(), [[(5, 5), (7, 7)], []]) == written(document())


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda m: (min(m), max(m))),
            max_size=4,
        ),
        max_size=3,
    )
)
def test_any_chains_leave_as_many_or_fewer_elements(chains: list[list[tuple[int, int]]]) -> None:
    found = extract(document(), chains=chains)
    assert len(found) <= len(extract(document()))
    assert all(text and kind for element in found for text, kind in element.parts)


def test_the_metrics_take_it_as_an_option_and_name_it() -> None:
    def chains(of: Document) -> list[list[tuple[int, int]]]:
        return [[(0, 1), (5, 5), (7, 7)]]

    text = document().text
    for kind, unit in ((BEwTE, "r11 Ann Lee|Person+sold|VBD"), (BasicElements, "")):
        off = kind(parser=Story(), cache=False)
        on = kind(parser=Story(), cache=False, coreference=chains)
        simple = kind(parser=Story(), cache=False, coreference="simple")
        assert "coreference" not in str(off.signature)
        assert str(simple.signature).split("|coreference:")[1].startswith("simple:1|")
        assert "|coreference:" in str(on.signature)
        assert str(on.signature) != str(simple.signature)
        if unit:
            (row,) = on.extract([text], [[text]])
            assert unit in map(str, row[0])
            assert unit not in map(str, off.extract([text], [[text]])[0][0])
            (row,) = simple.extract([text], [[text]])
            assert unit in map(str, row[0])
        assert str(pickle.loads(pickle.dumps(simple)).signature) == str(simple.signature)


# -- the simple resolver


def test_she_is_the_nearest_person_and_names_share_words() -> None:
    assert SimpleResolver().chains(document()) == [[(0, 1), (5, 5), (7, 7)]]


@pytest.mark.parametrize(
    ("first", "second", "pronoun", "wanted"),
    [
        ("Mr. Roy", "Mrs. Day", "he", [(0, 1)]),
        ("Mr. Roy", "Mrs. Day", "she", [(3, 4)]),
        ("Ann Roy", "Bob Roy", "he", [(0, 1)]),  # the subject
    ],
)
def test_titles_and_subjects_decide(
    first: str, second: str, pronoun: str, wanted: list[tuple[int, int]]
) -> None:
    words = [*first.split(), "met", *second.split(), pronoun, "left"]
    labels = ["compound", "nsubj", "root", "compound", "dobj", "nsubj", "ccomp"]
    rows = [[(w, "NNP", 0, label) for w, label in zip(words, labels, strict=True)]]
    told = document(rows, (Entity("PER", 0, 1), Entity("PER", 3, 4)))
    assert SimpleResolver().chains(told) == [[*wanted, (5, 5)]]


def test_a_title_is_no_part_of_a_name() -> None:
    words = ["Mr.", "Roy", "met", "Roy", "and", "Mr.", "Day"]
    rows = [[(word, "NNP", 0, "dobj") for word in words]]
    people = [Entity("PER", 0, 1), Entity("PER", 3, 3), Entity("PER", 5, 6)]
    assert SimpleResolver().chains(document(rows, people)) == [[(0, 1), (3, 3)]]


def test_it_is_an_organisation_unless_it_is_an_expletive() -> None:
    words = ["Acme", "Corp", "fell", "and", "it", "rose"]
    for label, wanted in (("nsubj", [[(0, 1), (4, 4)]]), ("expl", [])):
        rows = [[(word, "NNP", 0, label) for word in words]]
        assert SimpleResolver().chains(document(rows, (Entity("ORG", 0, 1),))) == wanted


def test_a_pronoun_far_from_any_name_has_none() -> None:
    dull = [("It", "PRP", 0, "expl")]
    near = [STORY[0], dull, STORY[1]]
    assert SimpleResolver().chains(document(near))
    assert SimpleResolver().chains(document([STORY[0], dull, dull, STORY[1]])) == []


# -- chains from elsewhere


def test_a_file_has_tokens_or_characters_whatever_the_case_and_the_blanks(tmp_path: Path) -> None:
    told = document()
    tokens = [token.form for sentence in told.sentences for token in sentence.tokens]
    by_token = {"tokens": tokens, "chains": [[[0, 1], [5, 5]]]}
    text = told.text.replace(" ", "  ").upper()
    starts = [text.index(word) for word in ("ANN", "LEE", "SHE")]
    by_character = {
        "text": text,
        "chains": [[[starts[0], starts[1] + 3], [starts[2], starts[2] + 3]]],
    }
    for value in (by_token, by_character):
        for name in ("chains.jsonl", "chains.jsonl.gz"):
            path = tmp_path / name
            data = (json.dumps(value) + "\n\n").encode()
            path.write_bytes(gzip.compress(data, mtime=0) if name.endswith("gz") else data)
            found = resolver(f"file:{path}")
            assert chains_of(told, found) == [[(0, 1), (5, 5)]]
            assert found.signature.startswith("file:")


def test_conllu_with_entities_is_read(tmp_path: Path) -> None:
    marks = ["(e1-person-1(e2-x)", "e1)", "_", "(e3[1/2]-y)", "_"]
    marks += ["(e1-person)", "_", "(e4(e1-person)", "e4)", "_"]
    lines = ["# newdoc id = other", "1\tNo" + "\t_" * 8, "", "# newdoc", "# text = Ann"]
    number = 0
    for row in STORY:
        for place, (form, *_) in enumerate(row, 1):
            misc = "_" if marks[number] == "_" else f"SpaceAfter=No|Entity={marks[number]}"
            lines.append(f"{place}\t{form}" + "\t_" * 7 + f"\t{misc}")
            number += 1
        lines += ["5.1\tx" + "\t_" * 8, ""]
    path = tmp_path / "chains.conllu"
    path.write_text("\n".join(lines))
    assert ChainFile(str(path)).chains(document()) == [
        [(0, 0)],
        [(0, 1), (5, 5), (7, 7)],
        [(3, 3)],
        [(7, 8)],
    ]


def test_a_mention_in_the_row_where_another_ends_has_its_own_tokens(tmp_path: Path) -> None:
    marks = {"Ann": "(e1-person", "Lee": "e1)(e2-name)"}
    rows = [
        f"{n}\t{form}" + "\t_" * 7 + f"\tEntity={of}"
        for n, (form, of) in enumerate(marks.items(), 1)
    ]
    path = tmp_path / "chains.conllu"
    path.write_text("\n".join(rows))
    told = document([[(form, "NNP", 0, "root") for form in marks]], ())
    assert ChainFile(str(path)).chains(told) == [[(0, 1)], [(1, 1)]]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.jsonl", "{", "c.jsonl:1: not JSON"),
        ("c.jsonl", '{"text": "a"}', "no list 'chains'"),
        ("c.jsonl", '{"chains": []}', "neither 'tokens' nor 'text'"),
        ("c.jsonl", '{"tokens": [1], "chains": []}', "'tokens' is not a list of strings"),
        ("c.jsonl", '{"text": "abc", "chains": [3]}', r"chains\[0\] is 3"),
        ("c.jsonl", '{"text": "abc", "chains": [[[0]]]}', r"has \[0\] for a mention"),
        ("c.jsonl", '{"text": "abc", "chains": [[[1, 4]]]}', "exceeds the 3 characters"),
        ("c.jsonl", '{"tokens": ["a"], "chains": [[[0, 1]]]}', "exceeds the 1 tokens"),
        ("c.conllu", "1\ta", "2 columns, not 10"),
        ("c.conllu", "1\ta" + "\t_" * 7 + "\tEntity=e1)", "ends that has not started"),
        ("c.conllu", "1\ta" + "\t_" * 7 + "\tEntity=(e1", "starts and does not end"),
        ("c.txt", "", "unknown extension"),
        ("c.jsonl", "\udcff", "invalid UTF-8"),
    ],
)
def test_what_is_no_file_of_chains_is_told(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(ValueError, match=message):
        ChainFile(str(path))


def test_a_text_that_the_file_lacks_is_told(tmp_path: Path) -> None:
    path = tmp_path / "chains.jsonl"
    path.write_text('{"text": "other", "chains": []}')
    with pytest.raises(ValueError, match=r"no chains of the text 'Ann Lee wrote.*; add a line"):
        ChainFile(str(path)).chains(document())
    assert ChainFile(str(path)).chains(Document()) == []


@pytest.mark.parametrize(
    ("chains", "message"),
    [
        (None, "chains is None; return a list"),
        ([3], r"chains\[0\] is 3; give a list of mentions"),
        ([[3]], r"chains\[0\]\[0\] is 3; give the first"),
        ([[("a", 1)]], r"is \('a', 1\); give the first"),
        ([[(1, 0)]], "tokens 1 to 0 are outside"),
        ([[(0, 10)]], "tokens 0 to 10 are outside the document of 10 tokens"),
    ],
)
def test_what_a_function_may_not_return_is_told(chains: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        chains_of(document(), resolver(lambda of: chains))


@pytest.mark.parametrize("name", ["simpel", "simple:x", "file", ""])
def test_unknown_names_are_told(name: str) -> None:
    with pytest.raises(ValueError, match="coreference"):
        BEwTE(parser=Story(), coreference=name)
    with pytest.raises(TypeError, match="coreference is int"):
        BEwTE(parser=Story(), coreference=3)


def test_the_command_line_takes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = document()
    rows, parses, chains = (tmp_path / name for name in ("r.jsonl", "p.jsonl", "c.jsonl"))
    rows.write_text(json.dumps({"id": 1, "candidate": told.text, "references": [told.text]}))
    parses.write_text(to_json(told))
    chains.write_text(json.dumps({"text": told.text, "chains": [[[0, 7], [16, 19]]]}))
    command = ["score", str(rows), "-m", "bewte,be", "--annotations", str(parses), "--means"]
    for value, name in (("simple", "simple:1"), (f"file:{chains}", "file:")):
        options = [
            text
            for family in ("bewte", "be")
            for text in ("--option", f"{family}.coreference={value}")
        ]
        assert main([*command, *options]) == 0
        assert capsys.readouterr().out.count(f"|coreference:{name}") == 2
    missing = ["--option", f"bewte.coreference=file:{tmp_path / 'none.jsonl'}"]
    assert main([*command, *missing]) == 1
    assert "none.jsonl" in capsys.readouterr().err
