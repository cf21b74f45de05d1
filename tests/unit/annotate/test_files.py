"""Documents written and read: JSON, CoNLL-U, plain rows, bracketed trees."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared import shared

from summeval.annotate import (
    Document,
    Entity,
    Sentence,
    Token,
    from_json,
    parse_tree,
    read_conllu,
    read_trees,
    to_json,
    write_conllu,
)
from summeval.annotate.document import ENTITY_LABELS, head_problem

words = st.text("ab_#|\"'.é\u2028", min_size=1, max_size=4)
names = st.text("NV$-", max_size=3)


@st.composite
def sentences(draw: st.DrawFn, start: int) -> Sentence:
    tokens = []
    length = draw(st.integers(1, 5))
    has_parse = draw(st.booleans())
    for position in range(length):
        head = draw(st.integers(-1, position - 1)) if has_parse else -1
        label = draw(st.sampled_from(["root", "nsubj", "prep"])) if has_parse else ""
        tokens.append(
            Token(draw(words), draw(names), draw(words), head, label, start, start + position)
        )
    return Sentence(tuple(tokens), draw(st.none() | st.just("(S (NN a))")))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    found = tuple(draw(st.lists(sentences(0), max_size=3)))
    entities, first = [], 0
    for sentence in found:
        last = first + len(sentence.tokens) - 1
        if draw(st.booleans()):
            label = draw(st.sampled_from(ENTITY_LABELS))
            entities.append(Entity(label, draw(st.integers(first, last)), last))
        first = last + 1
    return Document(found, tuple(entities), 'text\n\u2028 "is" # long', draw(words))


@given(documents())
def test_json_gives_the_document_back(document: Document) -> None:
    assert from_json(to_json(document)) == document
    assert "\n" not in to_json(document)


def test_json_keeps_letters_as_they_are() -> None:
    written = to_json(Document((Sentence((Token("Żółw", "NN"),)),)))
    assert '"forms":["Żółw"]' in written


@given(st.lists(documents(), max_size=3))
def test_conllu_gives_the_documents_back(written: list[Document]) -> None:
    lines = [line for document in written for line in write_conllu(document)]
    read = list(read_conllu(lines))
    # A lemma of one underscore stands for none, unless the form is one.
    assert [without_underscores(document) for document in written] == read


def without_underscores(document: Document) -> Document:
    changed = tuple(
        Sentence(
            tuple(
                Token(t.form, t.tag, "" if t.lemma == "_" != t.form else t.lemma, t.head, t.label,
                      t.start, t.end)
                for t in sentence.tokens
            ),
            sentence.tree,
        )
        for sentence in document.sentences
    )  # fmt: skip
    return Document(changed, document.entities, document.text, document.provider)


@given(st.lists(st.integers(-1, 5), max_size=6))
def test_heads_are_a_parse_where_every_walk_ends_at_a_root(heads: list[int]) -> None:
    def reaches_root(at: int) -> bool:
        for _ in range(len(heads) + 1):
            if at == -1:
                return True
            if not 0 <= at < len(heads):
                return False
            at = heads[at]
        return False

    assert (head_problem(heads) is None) == all(map(reaches_root, heads))


GOOD = {
    "text": "", "provider": "", "entities": [],
    "sentences": [{"forms": ["a"], "tags": [""], "lemmas": [""], "labels": [""], "heads": [-1],
                   "starts": [-1], "ends": [-1]}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("nonsense", "f.jsonl:3: not JSON"),
        ([], "f.jsonl:3: not a JSON object"),
        ({"text": None}, "f.jsonl:3: 'text' is missing or not a string"),
        ({"sentences": [3]}, r"f.jsonl:3: sentences\[0\]: not a JSON object"),
        ({"forms": []}, r"sentences\[0\]: the columns differ in length"),
        ({"heads": [0.5]}, r"sentences\[0\]: 'heads' may hold only whole numbers"),
        ({"heads": [0]}, r"sentences\[0\]: token 1: its heads form a cycle"),
        ({"heads": [7]}, r"sentences\[0\]: token 1: its head is token 8, but the sentence has 1"),
        ({"tree": 1}, r"sentences\[0\]: 'tree' is not a string"),
        ({"entities": [["PER", 0]]}, r"entities\[0\]: not \[label, first token, last token\]"),
        (
            {"entities": [["PER", 0, 1]]},
            r"entities\[0\]: tokens 0 to 1 are outside the document of 1 tokens",
        ),
        (
            {"entities": [["DATE", 0, 0]]},
            r"entities\[0\]: label 'DATE' is unknown; use PER, ORG, LOC",
        ),
    ],
)
def test_json_that_is_no_document_is_refused(change, message) -> None:
    value = json.loads(json.dumps(GOOD))
    if isinstance(change, dict):
        for key, item in change.items():
            (value if key in value else value["sentences"][0])[key] = item
        change = json.dumps(value)
    elif isinstance(change, list):
        change = json.dumps(change)
    with pytest.raises(ValueError, match=message):
        from_json(change, "f.jsonl:3")


CONLLU = """\
# newdoc id = one
# text = Mary Ann's cat isn't here.
1-2\tMary Ann\t_\t_\t_\t_\t_\t_\t_\t_
1\tMary\tMary\tPROPN\tNNP\t_\t2\tcompound\t_\tNER=B-PERSON
2\tAnn\tAnn\tPROPN\tNNP\t_\t4\tPOSS\t_\tNER=I-PERSON
3\t's\t's\tPART\tPOS\t_\t2\tcase\t_\t_
4\tcat\tcat\tNOUN\tNN\t_\t0\tROOT\t_\tNER=B-ANIMAL
4.1\tis\t_\t_\t_\t_\t_\t_\t_\t_

1\tIBM\t_\t_\t_\t_\t0\troot\t_\tTokenRange=0:3|NER=S-ORG

# newdoc
1\tRome\t_\t_\t_\t_\t_\t_\t_\tNER=B-LOC
2\tParis\t_\t_\t_\t_\t_\t_\t_\tNER=B-LOC
"""


def test_conllu_of_other_programs() -> None:
    first, second = read_conllu(CONLLU.split("\n"))
    mary, ann, _, cat = first.sentences[0].tokens
    assert (mary.form, mary.tag, mary.lemma, mary.head, mary.label) == (
        "Mary", "NNP", "Mary", 1, "compound",
    )  # fmt: skip
    assert (ann.label, cat.head, cat.label) == ("poss", -1, "root")
    assert first.entities == (Entity("PER", 0, 1), Entity("ORG", 4, 4))
    # Offsets are of no use without the text.
    assert first.sentences[1].tokens[0].start == -1
    assert [token.head for token in second.sentences[0].tokens] == [-1, -1]
    assert second.entities == (Entity("LOC", 0, 0), Entity("LOC", 1, 1))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 a NN 0"], r"f:1: 4 columns; write 10 separated by tabs, or index form tag head label"),
        (["", "1\ta\tb"], r"f:2: 3 columns"),
        (["2 a NN 0 root"], r"f:1: token '2' instead of 1"),
        (["1 a NN x root"], r"f:1: head 'x'; write the number of a token, 0 for a root, or _"),
        (["1 a NN 3 root"], r"f:1: its head is token 3, but the sentence has 1"),
        (["1 a NN 2 x", "2 b NN 1 x"], r"f:1: its heads form a cycle; correct the head column"),
        (["1 a NN 0 root", "2 b NN _ _"], r"f:2: no head, but token 1 has one; give heads to all"),
        (
            ["#ner PER 1 1"],
            r"f:1: tokens 1 to 1 are outside the sentence of 0 tokens; count from 1",
        ),
        (
            ["1 a NN 0 root", "#ner PER 1 2"],
            r"f:2: tokens 1 to 2 are outside the sentence of 1 tokens",
        ),
        (
            ["1 a NN 0 root", "#ner DATE 1 1"],
            r"f:2: unknown label 'DATE'; use one of PER, ORG, LOC",
        ),
        (["1 a NN 0 root", "#ner PER 1"], r"f:2: '#ner PER 1' is not an entity; write #ner LABEL"),
        (["# document_text = 3"], r"f:1: document_text is not a JSON string; write it as one"),
        (
            ['# document_text = "a"', "1\tab\t_\t_\t_\t_\t_\t_\t_\tTokenRange=0:2"],
            r"f:2: 'ab' ends at character 2 of a text that has 1",
        ),
    ],
)
def test_rows_that_are_no_parse_are_refused(lines, message) -> None:
    with pytest.raises(ValueError, match=message):
        list(read_conllu(lines, "f"))


def test_empty_file_holds_no_document() -> None:
    assert list(read_conllu([])) == []
    assert list(read_trees(["", "# a comment"])) == []


def test_tree_over_several_lines_and_traces() -> None:
    lines = ["( (S", "   (NP-SBJ (NN cat))", "   (VP (VBD sat) (NP (-NONE- *T*-1)))", "  ))", ""]
    (document,) = read_trees(lines)
    assert document.sentences[0].tree == "( (S (NP-SBJ (NN cat)) (VP (VBD sat))))"
    assert str(parse_tree(document.sentences[0].tree)) == document.sentences[0].tree
    assert [token.form for token in document.sentences[0].tokens] == ["cat", "sat"]


def test_entities_are_counted_within_the_tree_before_them() -> None:
    lines = ["(S (NNP John) (VBD left))", "#ner PER 1 1", "(S (PRP He) (VBD saw) (NNP Rome))",
             "#ner LOC 3 3", "# newdoc", "(S (UH Yes))"]  # fmt: skip
    first, second = read_trees(lines)
    assert first.entities == (Entity("PER", 0, 0), Entity("LOC", 4, 4))
    assert (len(second.sentences), second.entities) == (1, ())


def test_number_sign_within_a_tree_is_a_word() -> None:
    (document,) = read_trees(["(NP (# #)", "(CD 5))"])
    assert [token.form for token in document.sentences[0].tokens] == ["#", "5"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["(S (NN a)", ""], r"f:1:1: this bracket is never closed; add the missing \)"),
        (["(S (NN a)))"], r"f:1:11: this bracket closes nothing; remove it"),
        (["", "  word"], r"f:2:3: 'word' stands outside a tree; write bracketed trees"),
        (["(NP (NN a) b)"], r"f:1:12: 'b' stands beside another word or bracket; give each word"),
        (["(NN a b)"], r"f:1:7: 'b' stands beside another word"),
        (["(NN a (NN b))"], r"f:1:7: a bracket opens beside the word 'a'; give each word"),
        (["(NP (NN))"], r"f:1:5: this bracket holds no word; write \(TAG word\)"),
        (["(S" * 300], r"f:1:501: more than 250 brackets are open; check for a missing \)"),
        (
            ["(S (NN a))", "#ner PER 2 2"],
            r"f:2: tokens 2 to 2 are outside the sentence of 1 tokens",
        ),
    ],
)
def test_broken_trees_are_placed_by_line_and_column(lines, message) -> None:
    with pytest.raises(ValueError, match=message):
        list(read_trees(lines, "f"))


def test_one_tree_is_one_tree() -> None:
    with pytest.raises(ValueError, match="tree: 2 trees instead of one; write exactly one"):
        parse_tree("(NN a) (NN b)")


def test_trees_and_rows_of_the_cases_are_read() -> None:
    cases = json.loads(shared("cases/bewte.json").read_text(encoding="utf-8"))["cases"]
    read = 0
    for case in cases:
        for name in ("tree", "peer_trees"):
            if name in case:
                (document,) = read_trees(case[name], case["id"])
                trees = [line for line in case[name] if not line.startswith("#")]
                assert [sentence.tree for sentence in document.sentences] == trees
                assert len(document.entities) == len(case[name]) - len(trees)
                read += 1
        if "dependencies" in case:
            (document,) = read_conllu(case["dependencies"], case["id"])
            rows = [line.split() for line in case["dependencies"] if not line.startswith("#")]
            tokens = document.sentences[0].tokens
            assert [[t.form, t.tag, t.head + 1] for t in tokens] == [
                [row[1], row[2], int(row[3])] for row in rows
            ]
            read += 1
    assert read == 32
