"""Role matrices: the kernel counts what its twin counts, and both what the paper prints."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from definitions import roles as twin
from definitions.text.stemmer import porter_java
from hypothesis import given
from hypothesis import strategies as st
from shared import CASE_FILES

from summeval._core.discourse import roles as kernel
from summeval.annotate import DiscourseDocument, Document, Sentence, Token
from summeval.metrics.discourse.roles import (
    FEATURES,
    OPEN,
    RoleSpace,
    role_matrix,
    table_2,
    transition_features,
)

# From shared/cases/discourse-tesla.json, which says how they follow from the paper's Table 2.
CASES = {
    case["id"]: case
    for case in json.loads((CASE_FILES / "discourse.json").read_text(encoding="utf-8"))["cases"]
}
FRAGMENT = CASES["drm_table2_fragment"]
TERMS = FRAGMENT["input"]["terms"]

Sentences = list[list[tuple[str, str]]]


def paper_document() -> DiscourseDocument:
    given = FRAGMENT["input"]["document"]
    relations = [{**relation, "type": relation["kind"]} for relation in given["relations"]]
    return DiscourseDocument(given["sentences"], relations)


def fractions(expected: dict[str, list[int]]) -> dict[str, tuple[int, int]]:
    return {name: (count, total) for name, (count, total) in expected.items()}


words = st.tuples(
    st.sampled_from(["cat", "cats", "Cat", "ran", "running", "É", "éa", "", "is"]),
    st.sampled_from(["NN", "NNS", "VBD", "JJ", "DT", "", "N"]),
)
texts = st.lists(st.lists(words, max_size=4), max_size=5)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Sentences, list[twin.Span]]:
    """A text, and spans that give its tokens one of 5 roles."""
    sentences = draw(texts)
    tokens = sum(map(len, sentences))
    if not tokens:
        return sentences, []
    ends = st.lists(st.integers(0, tokens), min_size=2, max_size=2).map(sorted)
    spans = st.tuples(ends, st.integers(0, 4)).map(lambda pair: (*pair[0], pair[1]))
    return sentences, draw(st.lists(spans, max_size=6))


def flat(spans: list[list[twin.Span]]) -> tuple[Any, Any, Any]:
    ends = np.cumsum([0, *map(len, spans)]).astype(np.int64)
    places = [span[:2] for each in spans for span in each]
    bits = [1 << span[2] for each in spans for span in each]
    shape = np.ascontiguousarray(np.array(places, dtype=np.int32).reshape(-1, 2).T)
    return ends, shape, np.array(bits, dtype=np.uint32)


@given(st.lists(problems(), max_size=4), st.booleans())
def test_cells_are_those_of_the_twin(many: list[Any], highest: bool) -> None:
    numbered = kernel.number_words([sentences for sentences, _ in many], OPEN, True)
    found = kernel.cells(numbered, *flat([spans for _, spans in many]), highest)
    for (sentences, spans), stems, cells in zip(many, numbered.stems, found, strict=True):
        assert cells.shape == (len(stems), len(sentences))
        rows = {
            stem: [{bit for bit in range(5) if cell >> bit & 1} for cell in row.tolist()]
            for stem, row in zip(stems, cells, strict=True)
            if row.any()
        }
        assert rows == twin.matrix(sentences, spans, OPEN, stem_of, highest)


@given(st.lists(problems(), max_size=4), st.integers(1, 2), st.integers(1, 3))
def test_features_are_those_of_the_twin(many: list[Any], least: int, workers: int) -> None:
    groups = [(0b11111, 0, 9), (0b01101, least, 9), (0b11111, 0, least - 1)]
    indptr, index, count, total = kernel.features(
        kernel.number_words([sentences for sentences, _ in many], OPEN),
        *flat([spans for _, spans in many]),
        np.array(groups, dtype=np.int64),
        np.zeros(5, dtype=np.uint32),
        nil_only=True,
        pairs=True,
        pair_norm=True,
        workers=workers,
    )
    for d, (sentences, spans) in enumerate(many):
        own = slice(indptr[d], indptr[d + 1])
        assert sorted(index[own]) == index[own].tolist()
        expected: dict[int, tuple[int, int]] = {}
        for g, group in enumerate(groups):
            expected.update(counted(sentences, spans, group, g * (36 + 216 + 25)))
        fractions = zip(count[own], total[own], strict=True)
        assert dict(zip(index[own], fractions, strict=True)) == expected


@given(st.lists(problems(), max_size=4), st.lists(st.integers(0, 31), min_size=5, max_size=5))
def test_features_left_out_leave_the_others_as_they_are(many: list[Any], masks: list[int]) -> None:
    skipped = [mask >> (i + 1) << (i + 1) for i, mask in enumerate(masks)]
    dropped = {36 + 216 + 5 * i + j for i, mask in enumerate(skipped) for j in bits_of(mask)}
    given = [
        kernel.number_words([sentences for sentences, _ in many], OPEN),
        *flat([spans for _, spans in many]),
        np.array([(0b11111, 0, 9)], dtype=np.int64),
    ]
    every = kernel.features(*given, np.zeros(5, dtype=np.uint32), nil_only=True, pairs=True)
    fewer = kernel.features(*given, np.array(skipped, dtype=np.uint32), pairs=True)
    kept = ~np.isin(every[1], [0, 36, *dropped])
    assert fewer[0].tolist() == np.cumsum([0, *kept])[every[0]].tolist()
    for whole, part in zip(every[1:], fewer[1:], strict=True):
        assert whole[kept].tolist() == part.tolist()


def bits_of(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def test_the_last_of_32_roles_have_features_at_the_end() -> None:
    words = kernel.number_words([[[("cat", "NN")], [("cat", "NN")], [("cat", "NN")]]], OPEN)
    _, index, count, total = kernel.features(
        words,
        np.array([0, 1], dtype=np.int64),
        np.array([[0], [3]], dtype=np.int32),
        np.array([3 << 30], dtype=np.uint32),
        np.array([(2**32 - 1, 0, 9)], dtype=np.int64),
        np.zeros(32, dtype=np.uint32),
        pairs=True,
    )
    doubles = [33 * a + b for a in (31, 32) for b in (31, 32)]
    triples = [33**2 + 33**2 * a + rest for a in (31, 32) for rest in doubles]
    pair = 33**2 + 33**3 + 32 * 30 + 31
    assert index.tolist() == [*doubles, *triples, pair]
    assert count.tolist() == [2] * 4 + [1] * 8 + [3]
    assert total.tolist() == [8] * 4 + [8] * 8 + [8]


def counted(
    sentences: Sentences, spans: list[twin.Span], group: tuple[int, int, int], offset: int
) -> dict[int, tuple[int, int]]:
    """What the twin counts in a group of 5 roles and by what, at the kernel's indices."""
    mask, least, most = group
    times = twin.occurrences(sentences, OPEN, stem_of)
    chosen = [span for span in spans if mask >> span[2] & 1]
    rows = twin.matrix(sentences, chosen, OPEN, stem_of)
    rows = {stem: row for stem, row in rows.items() if least <= times[stem] <= most}
    found = {}
    for length, begin in ((2, 0), (3, 36)):
        counts = twin.transitions(rows, length)
        for key, count in counts.items():
            digits = "".join(str(0 if role is None else role + 1) for role in key)
            found[offset + begin + int(digits, 6)] = (count, counts.total())
    pairs = twin.pairs(rows)
    for (i, j), count in pairs.items():
        found[offset + 36 + 216 + 5 * i + j] = (count, pairs.total())
    return found


def stem_of(word: str) -> str:
    return porter_java(word.lower())


def test_matrix_of_the_paper() -> None:
    found = {stem: list(map(sorted, row)) for stem, row in role_matrix(paper_document()).items()}
    assert found == CASES["drm_full_LIN"]["expect"]["cells"]
    cells = {
        stem: list(map(sorted, row))
        for stem, row in role_matrix(paper_document(), terms=TERMS).items()
    }
    assert cells == FRAGMENT["expect"]["cells"]
    assert role_matrix(table_2()) == role_matrix(paper_document(), terms=TERMS)


def test_transitions_of_the_paper() -> None:
    expected = CASES["drm_full_LIN"]["expect"]
    assert transition_features(paper_document()) == fractions(expected["transitions"])
    nil = transition_features(paper_document(), keep_nil_only=True)
    assert nil["nil->nil"] == (expected["nil_only"]["len2"], expected["denominator_len2"])
    assert nil["nil->nil->nil"] == (expected["nil_only"]["len3"], expected["denominator_len3"])


@pytest.mark.parametrize("norm", ["pairs", "len2"])
def test_transitions_and_pairs_of_table_2(norm: str) -> None:
    expected = FRAGMENT["expect"]
    found = transition_features(paper_document(), "lin+c", intra_norm=norm, terms=TERMS)
    pairs = {name: found.pop(name) for name in list(found) if "<->" in name}
    assert found == fractions(expected["transitions"])
    below = expected["intra_denominator" if norm == "pairs" else "denominator_len2"]
    assert pairs == {name: (count, below) for name, (count, _) in expected["intra"].items()}


def test_roles_of_explicit_relations_stand_in_the_same_cells() -> None:
    cananea = role_matrix(paper_document(), explicit=True)["cananea"][2]
    plain = {"Comp.Arg2", "Exp.Arg1", "Temp.Arg1"}
    assert cananea == plain | {"E.Comp.Arg2", "N.Exp.Arg1", "E.Temp.Arg1"}
    # specs/discourse-tesla.md, 2.3 and 2.4: denominators 70 and 71, 15 pairs in that cell
    found = transition_features(paper_document(), "dicomer", intra_norm="pairs", terms=TERMS)
    totals = {name.count("->"): total for name, (_, total) in found.items() if "<->" not in name}
    assert totals == {1: 70, 2: 71}
    one_cell = DiscourseDocument(
        [[("Cananea", "NNP")]],
        [
            {"type": "Explicit", "sense": "Comparison", "arg1": [0, 1], "arg2": [0, 1]},
            {"type": "EntRel", "arg1": [0, 1], "arg2": [0, 1]},
        ],
    )
    pairs = transition_features(one_cell, "dicomer", intra_norm="pairs")
    assert set(pairs.values()) == {(1, 8 * 7 // 2)}
    assert set(pairs) == {
        f"{a}<->{b}"
        for a in role_matrix(one_cell, explicit=True)["cananea"][0]
        for b in role_matrix(one_cell, explicit=True)["cananea"][0]
        if a < b
    }
    dropped = transition_features(one_cell, "dicomer", intra_norm="pairs", drop_trivial=True)
    assert set(pairs) - set(dropped) == {
        "Comp.Arg1<->E.Comp.Arg1",
        "Comp.Arg2<->E.Comp.Arg2",
        "EntRel.Arg1<->N.EntRel.Arg1",
        "EntRel.Arg2<->N.EntRel.Arg2",
    }
    assert set(dropped.values()) == {(1, 28)}


def test_a_connective_within_an_argument_is_no_part_of_it() -> None:
    # specs/discourse-tesla.md, 2.1: the leaves of both arguments, connective not included
    sentences = [
        [("It", "PRP"), ("rained", "VBD")],
        [("People", "NNS"), ("however", "RB"), ("left", "VBD")],
        [("Then", "RB"), ("cars", "NNS"), ("left", "VBD")],
    ]
    contrast = {"type": "Explicit", "sense": "Comparison", "conn_tokens": [3]}
    then = {"type": "Explicit", "sense": "Temporal", "conn_tokens": [5]}
    relations = [
        contrast | {"arg1": [0, 2], "arg2": np.array([2, 5])},
        then | {"arg1": [[2, 5]], "arg2": [6, 8]},
    ]
    matrix = role_matrix(DiscourseDocument(sentences, relations))
    assert matrix["peopl"][1] == matrix["left"][1] == {"Comp.Arg2", "Temp.Arg1"}
    assert matrix["howev"][1] == {"Temp.Arg1"}  # the connective of another relation
    assert "then" not in matrix


def test_a_second_matrix_has_its_own_denominators() -> None:
    together = transition_features(table_2(), "lin")
    apart = transition_features(table_2(), "lin+e", ext="separate")
    assert {name: apart[name] for name in apart if not name.startswith("ext|")} == together
    extended = {name: value for name, value in apart.items() if name.startswith("ext|")}
    assert extended["ext|N.Exp.Arg1->E.Exp.Arg1"] == (1, 28)
    assert Counter(total for _, total in extended.values()).keys() == {28, 24}


def test_salient_words_have_their_own_denominators() -> None:
    found = transition_features(table_2(), salience=2)
    salient = transition_features(table_2(), terms=["cananea", "oper"])
    others = transition_features(table_2(), terms=["copper", "depend"])
    assert found == {
        **{f"sal|{name}": value for name, value in salient.items()},
        **{f"non|{name}": value for name, value in others.items()},
    }


@pytest.mark.parametrize("features", ["presence", "roles"])
def test_presence_and_roles_without_sense_collapse_the_matrix(features: str) -> None:
    names = RoleSpace(features).roles
    rows = {
        stem: [
            frozenset(
                names.index("any" if features == "presence" else role.split(".")[1])
                for role in cell
            )
            for cell in row
        ]
        for stem, row in role_matrix(paper_document()).items()
    }
    expected = {}
    for length in (2, 3):
        counts = twin.transitions(rows, length)
        for key, count in counts.items():
            if any(symbol is not None for symbol in key):
                name = "->".join("nil" if symbol is None else names[symbol] for symbol in key)
                expected[name] = (count, counts.total())
    assert transition_features(paper_document(), features) == expected


def parsed(*sentences: str) -> Document:
    """Sentences of form/tag/label."""
    rows = [[token.split("/") for token in sentence.split()] for sentence in sentences]
    return Document(
        tuple(
            Sentence(tuple(Token(form, tag, label=label) for form, tag, label in row))
            for row in rows
        )
    )


def test_the_entity_grid_ranks_subjects_objects_and_others() -> None:
    document = parsed(
        "Cats/NNS/nsubj saw/VBD/root police/NN/compound cats/NNS/dobj in/IN/prep towns/NNS/pobj",
        "Towns/NNS/dobj",
        "Cats/NNS/pobj",
    )
    assert transition_features(document, "grid") == {
        "nil->X": (1, 4),
        "S->nil": (1, 4),
        "O->nil": (1, 4),
        "X->O": (1, 4),
    }
    unparsed = DiscourseDocument.of(document)
    assert transition_features(unparsed, "grid", terms=["cat"]) == {
        "nil->X": (1, 2),
        "X->nil": (1, 2),
    }


def test_hypophora_counts_as_entity_relation_and_the_first_sense_counts() -> None:
    sentences = [[("cat", "NN")], [("dog", "NN")]]
    spans = {"arg1": [0, 1], "arg2": [1, 2]}
    (cat, dog) = role_matrix(DiscourseDocument(sentences, [{"type": "Hypophora", **spans}])).items()
    assert cat == ("cat", [{"EntRel.Arg1"}, set()])
    assert dog == ("dog", [set(), {"EntRel.Arg2"}])
    senses = ["Contingency.Cause", "Temporal"]
    two = DiscourseDocument(sentences, [{"type": "AltLex", "sense": senses, **spans}])
    assert role_matrix(two, explicit=True)["cat"][0] == {"Cont.Arg1", "N.Cont.Arg1"}


@pytest.mark.parametrize("features", FEATURES)
def test_texts_without_relations_or_with_one_sentence_have_no_transitions(features: str) -> None:
    assert transition_features(DiscourseDocument(), features) == {}
    assert transition_features(DiscourseDocument([[]]), features) == {}
    one = DiscourseDocument([[("cat", "NN")]], [{"type": "NoRel", "arg1": [0, 1], "arg2": [0, 1]}])
    assert transition_features(one, features) == {}
    alone = DiscourseDocument([[("cat", "NN")], [("cat", "NN")]])
    assert transition_features(alone, features) == ({"X->X": (1, 1)} if features == "grid" else {})


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_rows_do_not_depend_on_what_stands_beside_them(workers: int) -> None:
    documents = [table_2(), DiscourseDocument(), paper_document()] * 67
    space = RoleSpace("dicomer", salience=2)
    rows = space.rows(documents, workers=workers)
    for d, document in enumerate(documents[:3]):
        alone = space.rows([document])
        for both, one in zip(rows[1:], alone[1:], strict=True):
            assert both[rows.indptr[d] : rows.indptr[d + 1]].tolist() == one.tolist()
    assert (np.diff(rows.indptr).reshape(-1, 3) == np.diff(rows.indptr)[:3]).all()


def test_a_document_has_the_same_row_each_time_it_stands_in_a_batch() -> None:
    rows = RoleSpace("dicomer").rows([table_2(), paper_document()] * 100)
    for column in rows[1:]:
        assert (column.reshape(100, -1) == column.reshape(100, -1)[0]).all()


def test_pairs_of_single_sentences_do_not_shift_the_rows_of_a_batch() -> None:
    one = DiscourseDocument([[("cat", "NN")]], [{"type": "NoRel", "arg1": [0, 1], "arg2": [0, 1]}])
    space = RoleSpace("lin+c")
    rows = space.rows([table_2(), one, table_2()])
    size = len(space.rows([table_2()]).indices)
    assert rows.indptr.tolist() == [0, size, size, 2 * size]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"features": "linc"}, ValueError, "features is 'linc'; choose from 'lin', "),
        ({"salience": 1}, ValueError, "salience is 1; give a number of occurrences from 2"),
        ({"salience": True}, ValueError, "salience is True"),
        ({"intra_norm": "all"}, ValueError, "intra_norm is 'all'; choose from 'len2', 'pairs'"),
        ({"ext": "both"}, ValueError, "ext is 'both'"),
        ({"keep_nil_only": None}, ValueError, "keep_nil_only is None"),
        ({"drop_trivial": 2}, ValueError, "drop_trivial is 2"),
        ({"terms": "cat"}, TypeError, "terms is one str; pass a list of stems"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        transition_features(table_2(), **options)


def test_documents_of_another_kind_are_named() -> None:
    with pytest.raises(TypeError, match=r"documents\[0\] is str; pass DiscourseDocument"):
        role_matrix("a cat")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"documents\[0\] is Document; pass DiscourseDocument"):
        transition_features(parsed("cat/NN/root"))
    with pytest.raises(TypeError, match=r"documents\[0\] is dict; pass Document or"):
        transition_features({}, "grid")  # type: ignore[arg-type]
