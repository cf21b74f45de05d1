"""The discourse parser: what it finds, the properties of what it finds, its model files."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from definitions.discourse import arguments, connectives, linear, pairs, parser, stretches
from definitions.discourse.trees import Tree
from hypothesis import given, settings
from hypothesis import strategies as st
from model_files import rewritten

from summeval.annotate import DiscourseDocument, Document, Sentence, Token, provider
from summeval.annotate.discourse import Model, load, parse
from summeval.annotate.discourse.parser import COMPONENTS, Linear, default, save


def sentence(rows: str) -> Sentence:
    """A sentence of `form/tag/head/label`, heads counted from 1, 0 for roots."""
    tokens = []
    for row in rows.split():
        form, tag, head, label = row.split("/")
        tokens.append(Token(form, tag, "", int(head) - 1, label))
    return Sentence(tuple(tokens))


RAIN = sentence("It/PRP/2/nsubj rained/VBD/0/root all/DT/4/det day/NN/2/npadvmod ././2/punct")
HOWEVER = sentence(
    "However/RB/4/advmod ,/,/4/punct we/PRP/4/nsubj left/VBD/0/root early/RB/4/advmod ././4/punct"
)
BECAUSE = sentence(
    "We/PRP/2/nsubj left/VBD/0/root because/IN/5/mark it/PRP/5/nsubj rained/VBD/2/advcl ././2/punct"
)
QUESTION = sentence("Why/WRB/3/advmod we/PRP/3/nsubj left/VBD/0/root ?/./3/punct")


def test_arguments_within_a_sentence() -> None:
    (relation,) = parse(Document((BECAUSE,))).relations
    assert (relation.type, relation.sense) == ("Explicit", "Contingency.Cause.Reason")
    assert relation.conn_tokens == (2,)
    assert (relation.arg1, relation.arg2) == (((0, 2),), ((3, 6),))


def test_an_adverb_links_its_sentence_with_one_before() -> None:
    (relation,) = parse(Document((RAIN, HOWEVER))).relations
    assert (relation.type, relation.level_1) == ("Explicit", "Comparison")
    assert (relation.conn_tokens, relation.arg1) == ((5,), ((0, 5),))
    assert relation.arg2 == ((6, 11),)


def test_neighbours_without_connective_have_one_relation() -> None:
    (relation,) = parse(Document((RAIN, RAIN))).relations
    assert relation.type != "Explicit"
    assert (relation.arg1, relation.arg2) == (((0, 5),), ((5, 10),))
    (asked,) = parse(Document((QUESTION, RAIN))).relations
    assert asked.type == "Hypophora"


def test_texts_without_relations() -> None:
    assert parse(Document()) == DiscourseDocument()
    assert parse(Document((RAIN,))).relations == ()
    assert parse(Document((Sentence(()), RAIN, Sentence(())))).relations == ()


def test_a_document_without_parse_is_refused() -> None:
    plain = Document((RAIN, Sentence((Token("Yes"),))))
    with pytest.raises(ValueError, match="sentence 2 has no dependency parse; annotate"):
        parse(plain)


WORDS = ["it", "rained", "and", "so", "because", "if", "then", "either", "or", "not", "only", ","]


@st.composite
def parsed(draw: st.DrawFn) -> Document:
    """Sentences of words that are connectives often, with any tree over them."""
    sentences = []
    for length in draw(st.lists(st.integers(0, 8), max_size=4)):
        tokens = []
        for position in range(length):
            head = draw(st.integers(-1, position - 1))
            word, tag = (
                draw(st.sampled_from(WORDS)),
                draw(st.sampled_from(["VBD", "CC", "IN", ","])),
            )
            label = "root" if head < 0 else draw(st.sampled_from(["conj", "cc", "mark", "advcl"]))
            tokens.append(Token(word, tag, "", head, label))
        sentences.append(Sentence(tuple(tokens)))
    return Document(tuple(sentences))


@given(document=parsed())
@settings(max_examples=60)
def test_relations_of_any_tree_are_sound(document: Document) -> None:
    found = parse(document)
    assert parse(document) == found
    assert found.sentences == DiscourseDocument.of(document).sentences
    taken: list[int] = []
    for relation in found.relations:
        assert (relation.type == "Explicit") == bool(relation.conn_tokens)
        one, two = (
            {token for span in spans for token in range(*span)}
            for spans in (relation.arg1, relation.arg2)
        )
        assert not one & two
        assert not (one | two) & set(relation.conn_tokens)
        taken += relation.conn_tokens
    assert len(taken) == len(set(taken))


@given(document=parsed())
def test_subtrees_have_their_edges(document: Document) -> None:
    for each in document.sentences:
        tree = Tree(each)
        for node in range(len(tree)):
            below = [k for k in range(len(tree)) if node in tree.path(k)]
            assert (tree.first[node], tree.end[node]) == (min(below), max(below) + 1)


def test_stretches_fit_together() -> None:
    # Arg1 0..9 would score best, but crosses the best Arg2.
    low = -9.0
    scores = [
        [4, low, low, low],
        [low, low, 4, low],
        [low, 4, low, low],
        [low, 3, low, 4],
    ]
    assert arguments.choose([0, 2, 5, 9], scores) == ((0, 9), (2, 9))
    assert arguments.tokens((0, 9), (2, 9), [2]) == ([0, 1], [3, 4, 5, 6, 7, 8])


def view(others: list[tuple[int, int]]) -> stretches.Sight:
    """`because` in its sentence."""
    return stretches.Sight(Tree(BECAUSE), [2], (2, 3), others)


def test_boundaries_know_where_other_connectives_stand() -> None:
    tried, alone = view([]).boundaries()
    assert tried == [0, 1, 2, 3, 4, 5, 6]
    _, beside = view([(4, 5)]).boundaries()
    assert not any("cwrained" in name for name in alone[4])
    assert ">cwrained" in beside[4]
    assert ">ce1" in beside[5]
    assert (">ci01" in alone[6], ">ci01" in beside[6]) == (False, True)


def test_a_text_without_full_stops_is_looked_at_near_the_connective() -> None:
    rows = " ".join(f"w{n}/NN/{n}/dep" for n in range(1, 2000))
    tree = Tree(sentence(f"left/VBD/0/root {rows}"))
    tried = arguments.boundaries(tree, 1000, 1001)
    assert tried == [0, *range(1000 - arguments.FURTHEST, 1003), 2000]
    short = Tree(sentence(f"left/VBD/0/root {rows}".split(" w200")[0]))
    assert len(short) == 200
    assert arguments.boundaries(short, 100, 101) == [*range(103), 200]


def test_the_best_pairs_of_stretches_are_compared_by_what_they_hold() -> None:
    sight = view([])
    low = -9.0
    scores = [
        [2, low, low, low],
        [low, low, low, low],
        [low, 2, low, low],
        [low, low, 2, low],
        [low, low, low, low],
        [low, low, low, 1],
        [low, low, low, 2],
    ]
    pairs = sight.pairs(list(range(7)), scores)
    assert [(pair.hull_1, pair.hull_2) for pair in pairs] == [((0, 2), (3, 6)), ((0, 2), (3, 5))]
    assert (pairs[1].one, pairs[1].two) == ([0, 1], [3, 4])
    assert pairs[0].score > pairs[1].score

    rows = dict(zip(map(tuple, sight.boundaries()[1]), scores, strict=True))
    ends_early = set(sight.features(pairs[1])) - set(sight.features(pairs[0]))

    def chosen(worth: float) -> tuple[list[int], list[int]]:
        return stretches.within(
            sight,
            lambda names: rows[tuple(names)],
            lambda names: [worth * (not ends_early.isdisjoint(names))],
        )

    assert chosen(0.0) == ([0, 1], [3, 4, 5])
    assert chosen(2.0) == ([0, 1], [3, 4])


def test_stretches_without_tokens_give_what_stands_around_the_connective() -> None:
    tree = Tree(Sentence((Token("so", "CC", "", -1, "root"), Token("left", "VBD", "", 0, "conj"))))
    sight = stretches.Sight(tree, [0], (0, 1))
    assert stretches.within(sight, lambda _: [0.0] * 4, lambda _: [0.0]) == ([], [1])


def test_a_sense_is_told_from_the_words_near_its_connective() -> None:
    names = connectives.sense_features(Tree(BECAUSE), 2, 3, ["", "IN.mark|", "because|"])
    near = ["before we", "before left", "after it", "after rained", "after ."]
    assert names == ["because|", *near, *[f"because|{name}" for name in near]]


def test_the_parses_of_the_package_are_taken() -> None:
    (document,) = provider("compiled").parse(["We stayed although it rained. Then we left."])
    first, second = parse(document).relations
    assert (first.level_1, first.conn_tokens) == ("Comparison", (2,))
    assert (second.level_1, second.conn_tokens, second.arg1) == ("Temporal", (6,), ((0, 6),))


def small() -> Model:
    """A model of two features for each component."""
    parts = {
        name: Linear(
            [*"abcd"[:count]], [0.5] * count, [0.25] * count, "x\n\u2028 y", [[2, -127]] * count
        )
        for name, count in (*dict.fromkeys(COMPONENTS, 1).items(), ("boundary", 4))
    }
    for name in ("sense", "neighbours"):
        parts[name] = parts[name]._replace(classes=["Temporal"])
    return Model(parts, ["so that"], {"Temporal": "Temporal"}, "us")


def test_models_are_read_as_written(tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    save(small(), path)
    assert load(path) == small()
    assert load(path).signature == small().signature
    again = tmp_path / "b.model"
    save(load(path), again)
    assert again.read_bytes() == path.read_bytes()


def test_models_are_pickled() -> None:
    assert parse(Document((RAIN,)), small()).relations == ()
    assert pickle.loads(pickle.dumps(small())) == small()


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("position", {"bias": [float("nan")]}, "position has numbers that are not finite"),
        ("position", {"scale": [1e200]}, "position has numbers that are not finite"),
        ("position", {"weights": [[2**15, 0]]}, "position has large weights"),
        ("position", {"weights": [[1]]}, "position has not one weight for each feature and class"),
        ("position", {"features": "a\nb\nc"}, "position has not one weight for each feature"),
        ("connective", {"classes": ["a", "b"]}, "connective has other classes"),
        ("sense", {"classes": ["Comparison"]}, "it lacks 'Comparison'"),
        ("neighbours", {"classes": ["Other"]}, "not in tuple"),
    ],
)
def test_models_that_are_not_sound_are_refused(
    tmp_path: Path, part: str, change: dict[str, Any], message: str
) -> None:
    whole = small()
    parts = {**whole.components, part: whole.components[part]._replace(**change)}
    path = tmp_path / "a.model"
    save(Model(parts, whole.lexicon, whole.senses), path)
    with pytest.raises(
        ValueError, match=rf"a\.model: no model of the discourse parser \(.*{message}"
    ):
        load(path)


def test_the_model_of_the_package_is_whole_and_small() -> None:
    whole = default()
    assert set(whole.components) == set(COMPONENTS)
    assert {"Comparison", "Contingency", "Expansion", "Temporal"} <= set(whole.senses)
    assert "CC-BY" in whole.made_from


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"", "no model file of summeval"),
        (lambda data: b"\x80\x04 a pickle", "no model file of summeval"),
        (lambda data: b"[]\n", "no model file of summeval"),
        (lambda data: data[:-1], "no model file of summeval"),
        (
            lambda data: rewritten(data, version=99),
            "version 99 of the format, summeval reads 1; train and save the model again",
        ),
        (lambda data: rewritten(data, sign=False, content={}), "changed since it was saved"),
        (
            lambda data: rewritten(data, content={}),
            r"no model of the discourse parser \(it lacks 'components'\)",
        ),
        (lambda data: rewritten(data, content=[]), "no model file of summeval"),
        (
            lambda data: rewritten(data, content={"components": []}),
            "no model of the discourse parser",
        ),
    ],
)
def test_foreign_and_tampered_models_are_refused(
    tmp_path: Path, change: Callable[[bytes], bytes], message: str
) -> None:
    path = tmp_path / "a.model"
    save(small(), path)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(ValueError, match=rf"a\.model: {message}"):
        load(path)


def test_an_adverb_after_sentences_without_tokens_has_no_relation() -> None:
    document = Document((Sentence(()), HOWEVER))
    assert parse(document).relations == parser.parse(document).relations == ()


def test_an_adverb_after_a_sentence_without_tokens_links_it() -> None:
    trees = [Tree(Sentence(())), Tree(HOWEVER)]
    assert parser.choose_preceding(trees, 1, "however", linear.default()) == 0


def test_sizes_of_neighbours_go_in_eights_up_to_four() -> None:
    def sized(length: int) -> Tree:
        return Tree(Sentence(tuple(Token("so", "RB") for _ in range(length))))

    for one, two, shown in ((7, 8, "0 1"), (16, 31, "2 3"), (32, 400, "4 4")):
        names = pairs.neighbours(sized(one), sized(two))
        assert f"sizes {shown}" in names
        assert f"size2 {shown[-1]}" in names


def test_the_root_of_a_neighbour_may_be_its_first_token() -> None:
    left = sentence("Left/VBD/0/root early/RB/1/advmod")
    names = pairs.neighbours(Tree(left), Tree(RAIN))
    assert {"ar VBD", "arl advmod", "arw early", "br VBD", "brw it"} <= set(names)


def test_the_top_of_a_span_hangs_on_the_token_after_it() -> None:
    tree = Tree(sentence("very/RB/2/advmod early/RB/3/advmod left/VBD/0/root"))
    assert tree.top(0, 2) == 1


def test_of_crossing_subtrees_of_the_same_tokens_the_first_is_the_edge() -> None:
    tree = Tree(sentence("a/DT/2/det b/NN/0/root c/NN/1/dep"))
    assert tree.edges() == ([0, -1, 2, -1], [-1, -1, -1, 0])
