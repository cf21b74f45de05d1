"""Basic Elements of trees and dependencies: the cases, each rule's example, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from definitions.elements.examples import Example, examples
from definitions.elements.extraction import Parse, find_in_parse, normalised
from definitions.elements.trees import find_in_tree
from definitions.elements.units import Words, elements_of
from every import every
from hypothesis import given
from hypothesis import strategies as st
from shared import CASE_FILES

from summeval.annotate.document import Document, Entity, Sentence, Token
from summeval.elements import extract, extract_from_dependencies, extract_from_trees
from summeval.elements.dependencies import check_heads, dependency_rules, read_rows
from summeval.elements.elements import parse
from summeval.elements.rules import RuleTable, read_table
from summeval.elements.trees import head_child, read_tree, tree_relations, tree_rules

OF_TREES = examples("tree_rules.txt", tree_rules())
OF_DEPENDENCIES = examples("dependency_rules.txt", dependency_rules())
CASES = json.loads((CASE_FILES / "extraction.json").read_text(encoding="utf-8"))["cases"]


def entities_over_the_document(lines: list[str]) -> tuple[list[str], list[tuple[str, int, int]]]:
    """The sentences of a case, and its #ner lines as the public functions want them."""
    kept: list[str] = []
    entities = []
    before = tokens = 0
    for line in lines:
        if line.startswith("#ner"):
            _, label, first, last = line.split()
            entities.append((label, before + int(first), before + int(last)))
        elif line.startswith("("):
            kept.append(line)
            before, tokens = tokens, tokens + len(read_tree(line).tokens)
        else:
            kept.append(line)
    return kept, entities


@every("case", CASES, ids=lambda case: case["id"])
def test_elements_are_those_of_the_original_rules(case: dict[str, Any]) -> None:
    extract_from = extract_from_trees if case["rules"] == "trees" else extract_from_dependencies
    sentences, entities = entities_over_the_document(case["given"])
    assert extract_from(sentences, entities) == case["elements"]
    assert extract_from(case["given"]) == case["elements"]


def parse_of(rows: list[str]) -> Parse:
    ((_, sentence),) = read_rows(rows)
    assert not isinstance(sentence, str)
    return Parse.of(sentence)


def own_elements(example: Example, table: RuleTable) -> list[str]:
    """What the rule of an example finds in it without the other rules."""
    alone = RuleTable((example.rule,), table.labels)
    if table is tree_rules():
        tree = read_tree(example.given)
        words = Words(tree.forms, [tree.labels[node] for node in tree.tokens], 0)
        found = find_in_tree(alone, tree)
    else:
        rows = [row.strip() for row in example.given.split(" / ")]
        parse = parse_of(rows)
        words = Words(parse.forms, parse.labels, 0)
        found = find_in_parse(alone, parse)
    return [str(made.element) for made in elements_of(words, found, {}, str)]


@every("example", OF_TREES, ids=lambda example: f"{example.rule.name} {example.given}")
def test_rule_over_trees_finds_what_its_example_says(example: Example) -> None:
    assert own_elements(example, tree_rules()) == list(example.found)


@every(
    "example",
    OF_DEPENDENCIES,
    ids=lambda example: f"{example.rule.name} {example.given}",
)
def test_rule_over_dependencies_finds_what_its_example_says(example: Example) -> None:
    assert own_elements(example, dependency_rules()) == list(example.found)


def test_every_rule_has_an_example() -> None:
    assert set(tree_rules().rules) == {example.rule for example in OF_TREES}
    assert set(dependency_rules().rules) == {example.rule for example in OF_DEPENDENCIES}


def document(*sentences: str, entities: tuple[Entity, ...] = ()) -> Document:
    """A document of sentences written as rows `form tag head label` between ` / `."""
    made = []
    for sentence in sentences:
        rows = [row.split() for row in sentence.split(" / ")]
        tokens = [Token(f, t, head=int(h) - 1, label=label) for f, t, h, label in rows]
        made.append(Sentence(tuple(tokens)))
    return Document(tuple(made), entities)


BARK = "Dogs NNS 2 nsubj / bark VBP 0 root"


def written(found: list[Any]) -> list[str]:
    return [str(element) for element in found]


def test_a_document_is_extracted_like_its_rows() -> None:
    rows = ["1 Dogs NNS 2 nsubj", "2 bark VBP 0 root"]
    assert written(extract(document(BARK, BARK))) == extract_from_dependencies(rows + rows)


def test_the_first_of_equal_elements_is_kept_on_demand() -> None:
    other = "dogs NNS 2 nsubj / bark VBD 0 root"
    assert written(extract(document(BARK, other), duplicates=False)) == [
        "r1 Dogs|NNS",
        "r11 Dogs|NNS+bark|VBP",
        "r2 bark|VBP",
    ]
    assert len(extract(document(BARK, other))) == 6


def test_dependencies_are_preferred_and_trees_are_taken_where_they_are_alone() -> None:
    tree = "(S (NP (NNS Dogs)) (VP (VBP bark)))"
    tokens = document(BARK).sentences[0].tokens
    bare = tuple(Token(token.form, token.tag) for token in tokens)
    by_tree = ["r1 Dogs|NNS", "r2 bark|VBP", "r11 Dogs|NNS+bark|VBP"]
    assert written(extract(Document((Sentence(bare, tree),)))) == by_tree
    both = Document((Sentence(tokens, tree),))
    assert written(extract(both))[1] == "r11 Dogs|NNS+bark|VBP"
    assert written(extract(both, "trees")) == by_tree
    assert extract(Document()) == []


def test_an_entity_reads_as_the_text_has_it() -> None:
    tokens = (
        Token("Moody", "NNP", head=2, label="poss", start=0, end=5),
        Token("'s", "POS", head=0, label="case", start=5, end=7),
        Token("Inc.", "NNP", head=-1, label="root", start=8, end=12),
    )
    text, span = "Moody's\nInc.", (Entity("ORG", 0, 2),)
    with_text = Document((Sentence(tokens),), span, text)
    assert written(extract(with_text)) == ["r1 Moody's Inc|Organization"]
    assert written(extract(Document((Sentence(tokens),), span))) == ["r1 Moody 's Inc|Organization"]


def test_the_longest_entity_wins_and_its_last_comma_is_not_its_own() -> None:
    trees = ["(NP (NNP Bank) (IN of) (NNP Iran) (, ,))"]
    entities = [("LOC", 3, 3), ("ORG", 1, 4), ("PER", 3, 3)]
    assert extract_from_trees(trees, entities) == ["r1 Bank of Iran|Organization"]
    equal = [("LOC", 1, 1), ("PER", 1, 1), ("ORG", 1, 1)]
    assert extract_from_trees(["(NP (NNP Paris))"], equal) == ["r1 Paris|Organization"]


def test_ordinary_tags_are_read_as_charniaks() -> None:
    tree = "(S (NP (NN aid)) (VP ({} has) (VP (VBN arrived))))"
    expected = ["r1 aid|NN", "r2 arrived|VBN", "r12 aid|NN+arrived|VBN"]
    assert extract_from_trees([tree.format("VBZ")]) == expected
    assert extract_from_trees([tree.format("AUX")]) == expected


def test_functions_indices_and_empty_elements_do_not_matter() -> None:
    plain = "(S (NP (NN aid)) (VP (VBD came)))"
    full = "( (S (NP-SBJ-1 (NN aid)) (VP (VBD came) (NP (-NONE- *T*-1)))))"
    assert extract_from_trees([full]) == extract_from_trees([plain])


# "Dogs were strong in Iran" and "John was bitten by dogs" in three schemes.
SCHEMES = {
    "stanford": (
        "1 Dogs NNS 2 nsubj / 2 were VBD 0 root / 3 strong JJ 2 cop / 4 in IN 2 prep"
        " / 5 Iran NNP 4 pobj",
        "1 John NNP 3 nsubjpass / 2 was VBD 3 auxpass / 3 bitten VBN 0 root / 4 by IN 3 prep"
        " / 5 dogs NNS 4 pobj",
    ),
    "clear": (
        "1 Dogs NNS 2 nsubj / 2 were VBD 0 root / 3 strong JJ 2 acomp / 4 in IN 2 prep"
        " / 5 Iran NNP 4 pobj",
        "1 John NNP 3 nsubjpass / 2 was VBD 3 auxpass / 3 bitten VBN 0 root / 4 by IN 3 agent"
        " / 5 dogs NNS 4 pobj",
    ),
    "universal": (
        "1 Dogs NNS 3 nsubj / 2 were VBD 3 cop / 3 strong JJ 0 root / 4 in IN 5 case"
        " / 5 Iran NNP 2 obl",
        "1 John NNP 3 nsubj:pass / 2 was VBD 3 aux:pass / 3 bitten VBN 0 root / 4 by IN 5 case"
        " / 5 dogs NNS 3 obl:agent",
    ),
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_schemes_of_labels_give_the_same_elements(scheme: str) -> None:
    rows = [row for sentence in SCHEMES[scheme] for row in sentence.split(" / ")]
    assert extract_from_dependencies(rows) == [
        "r1 Dogs|NNS",
        "r1 Iran|NNP",
        "r11 Dogs|NNS+were|VBD",
        "r25 were|VBD+strong|JJ",
        "r26 were|VBD+in|IN+Iran|NNP",
        "r4 strong|JJ",
        "r47 strong|JJ+Dogs|NNS",
        "r1 John|NNP",
        "r1 dogs|NNS",
        "r13 dogs|NNS+bitten|VBN",
        "r2 bitten|VBN",
        "r23 bitten|VBN+John|NNP",
    ]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("", r"trees\[0\]: 0 trees instead of one; write exactly one"),
        ("(S\n  (NP (NN cat)", r"trees\[0\]:2:3: this bracket is never closed; add the missing \)"),
        ("(S\n  (NP cat)))", r"trees\[0\]:2:12: this bracket closes nothing"),
        ("(S (NP cat)) (S (NP cat))", r"trees\[0\]: 2 trees instead of one"),
        ("(S (NP))", r"trees\[0\]:1:4: this bracket holds no word"),
        ("(S (NP a cat))", r":1:10: 'cat' stands beside another word or bracket"),
        ("(S (NP a (NN cat)))", r":1:10: a bracket opens beside the word 'a'"),
        ("(S (NP (NN a) cat))", r":1:15: 'cat' stands beside another word or bracket"),
        ("(S ((NN cat)))", r":1:5: a bracket opens where a label is expected"),
        ("cat", r":1:1: 'cat' stands outside a tree"),
        (")", r":1:1: this bracket closes nothing"),
    ],
)
def test_a_broken_tree_is_placed(tree: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        extract_from_trees([tree])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["1 a NN 2 dep"], r"rows\[0\]: head 2 in a sentence of 1 tokens"),
        (["1 a NN 1 dep"], r"rows\[0\]: its heads form a cycle"),
        (["1 a NN 0 root", "2 b NN 3 dep", "3 c NN 2 dep"], r"rows\[1\]: its heads form"),
        (["1 a NN 0"], r"rows\[0\]: 4 fields; write 'index form tag head label'"),
        (["1 a NN 0 root", "3 b NN 1 dep"], r"rows\[1\]: index 3 instead of 2"),
        (["1 a NN x root"], r"rows\[0\]: index '1', head 'x'; write whole numbers"),
        (["1\ta\t\t0\troot"], r"rows\[0\]: an empty field"),
        (["1 a NN 0 root", "#ner PER 1 2"], r"rows\[1\]: tokens 1 to 2 exceed the text of 1"),
        (["#ner PER 1 1"], r"rows\[0\]: '#ner PER 1 1' before any sentence"),
    ],
)
def test_a_broken_row_is_placed(rows: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        extract_from_dependencies(rows)


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        ([("PER", 1, 3)], r"entities\[0\]: tokens 1 to 3 exceed the text of 2; count from 1"),
        ([("PER", 0, 1)], r"entities\[0\]: tokens 0 to 1"),
        ([("PER", 2, 1)], r"entities\[0\]: tokens 2 to 1"),
        ([("PERSON", 1, 1)], r"entities\[0\]: unknown label 'PERSON'; did you mean PER"),
        ([("PER", 1)], r"entities\[0\]: \('PER', 1\); write \(label, first, last\)"),
        ([("PER", "a", 1)], r"entities\[0\]: .* whole numbers"),
    ],
)
def test_a_broken_entity_is_placed(entities: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        extract_from_trees(["(NP (DT a) (NN cat))"], entities)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"trees is str; pass a list"):
        extract_from_trees("(NP (NN cat))")
    with pytest.raises(TypeError, match=r"trees\[0\] is int; pass bracketed trees as str"):
        extract_from_trees([1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"rows\[0\] is int; pass 'index form tag head label'"):
        extract_from_dependencies([1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"entities is str; pass a list"):
        extract_from_trees([], "PER 1 1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "rules", "message"),
    [
        (Document((Sentence((Token("a", "NN"),)),)), "auto", "sentence 1: no dependencies"),
        (document(BARK), "trees", "sentence 1: no tree; annotate with a parser"),
        (document(BARK), "tree", "unknown rules 'tree'; did you mean trees"),
        (document("a NN 2 dep / b NN 1 dep"), "auto", "sentence 1, token 1: its heads form"),
        (
            Document((Sentence((Token("a"),), "(NP (DT a) (NN cat))"),)),
            "trees",
            "sentence 1: a tree of 2 words, but 1 tokens",
        ),
    ],
)
def test_a_document_that_lacks_something_says_where(
    given: Document, rules: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        extract(given, rules)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rule\tr1\tNoun\tx", "rules:1: 'rule' with 3 fields between tabs"),
        ("rules\tr1", "'rules' with 1 fields"),
        ("rule\tr1\tNoun\tx\tNN=y", "order 'x' of the captures 'y'"),
        ("rule\tr1\tNoun\tx\tNP <! NN=x", "unknown relation '<!'"),
        ("rule\tr1\tNoun\tx\tNP < (NN=x", "it ends too early"),
        ("rule\tr1\tNoun\tx\tNP < NN=x)", r"unexpected '\)' at the end"),
        ("rule\tr1\tNoun\tx\tNP !< NN=x", "'x' is captured in a negated node"),
        ("rule\tr1\tNoun\tx\tNP=x < NN=x", "a name is captured twice"),
        ("rule\tr1\tNoun\tx\tNP [< NN=x | < NN=y]", "alternatives capture different names"),
        ("rule\tr1\tNoun\tx\tNN{cats}=x", "there is no word list 'cats'"),
        ("rule\tr1\tNoun\tx\tNP < =x", "'=x' instead of a node"),
    ],
)
def test_a_broken_rule_names_its_line(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_table(line, tree_relations)


TREE = "(S (NP (DT A) (JJ big) (NN cat)) (, ,) (VP (VBZ sleeps) (PP (IN in) (NP (NN bed)))))"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("S << NN=x", ["cat", "bed"]),
        ("NP=x > PP", ["bed"]),
        ("__=x >> VP !< __", ["sleeps", "in", "bed"]),
        ("__=x ># NP", ["cat", "bed"]),
        ("S <, __=x", ["cat"]),
        ("S <- __=x", ["sleeps"]),
        ("__ <: __=x", ["bed"]),
        ("DT $++ __=x", ["big", "cat"]),
        ("NN $-- __=x", ["a", "big"]),
        ("NN $- __=x", ["big"]),
        ("NP $+ __=x", [","]),
        ("S <+(VP|PP) NP=x", ["cat", "bed"]),
    ],
)
def test_relations_are_those_of_tregex(pattern: str, found: list[str]) -> None:
    table = read_table(f"rule\tr1\tAny\tx\t{pattern}", tree_relations)
    tree = read_tree(TREE)
    assert [tree.forms[k].lower() for _, (k,) in find_in_tree(table, tree)] == found


@pytest.mark.parametrize(
    ("category", "children", "head"),
    [
        ("NP", "NP , NP CC NP", 0),
        ("NP", "NN CC NN", 0),
        ("NP", "`` CC NN", 2),
        ("NP", "NNP POS", 1),
        ("NP", "DT CD", 1),
        ("NP", "NN , NN , CC NN", 2),
        ("VP", "AUX VP", 0),
        ("VP", "ADVP VBD NP", 1),
        ("SBAR", "IN S", 0),
        ("PP", "IN IN NP", 1),
        ("ADVP", "RB RB", 1),
        ("FRAG", "NP PP", 1),
        ("ODD", "NP PP", 0),
    ],
)
def test_heads_are_those_of_collins(category: str, children: str, head: int) -> None:
    assert head_child(category, children.split()) == head


LABELS = "S NP VP PP SBAR ADJP ADVP WHPP WHNP WHADVP NX QP NN NNS VBD VBN VBG AUX IN CC , JJ RB POS"
WORDS = "cat is has by which used cutting called did ''".split()
leaves = st.builds("({} {})".format, st.sampled_from(LABELS.split()), st.sampled_from(WORDS))
random_trees = st.recursive(
    leaves,
    lambda below: st.builds(
        lambda label, children: f"({label} {' '.join(children)})",
        st.sampled_from(LABELS.split()),
        st.lists(below, min_size=1, max_size=4),
    ),
    max_leaves=25,
)


TRIGRAM_RULES = {f"r{number}" for number in range(26, 44)}


@given(random_trees)
def test_any_tree_gives_elements_in_the_order_of_the_rules(tree: str) -> None:
    found = [parse(line) for line in extract_from_trees([tree])]
    numbers = [int(element.rule[1:]) for element in found]
    assert numbers == sorted(numbers)
    assert {element.rule for element in found if len(element.parts) == 3} <= TRIGRAM_RULES


RELATIONS = (
    "nsubj nsubjpass prep pobj pcomp conj cop case relcl acl advcl ccomp xcomp aux auxpass poss"
    " dobj attr advmod nmod compound mark agent prt appos rcmod partmod infmod"
).split()
TAGS = "NN NNP VBD VBN VBG VB IN TO WP WDT WP$ PRP$ JJ RB WRB CD".split()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(WORDS),
            st.sampled_from(TAGS),
            st.floats(0, 1, exclude_max=True),
            st.sampled_from(RELATIONS),
        ),
        min_size=1,
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_any_parse_gives_elements_and_keeps_a_tree(rows: list[Any], random: Any) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)
    heads = [0] * len(rows)
    for place, token in enumerate(order[1:], 1):
        heads[token] = order[int(rows[token][2] * place)] + 1
    lines = [
        f"{n} {form} {tag} {head} {label}"
        for n, ((form, tag, _, label), head) in enumerate(zip(rows, heads, strict=True), 1)
    ]
    found = extract_from_dependencies(lines)
    assert found == sorted(found)
    heads_after = normalised(dependency_rules(), parse_of(lines)).heads
    check_heads(heads_after, str)
    assert sum(head < 0 for head in heads_after) == 1


def test_a_deep_tree_does_not_exhaust_the_stack() -> None:
    assert extract_from_trees(["(NP " * 249 + "(NN cat)" + ")" * 249]) == ["r1 cat|NN"]
    with pytest.raises(ValueError, match=r"trees\[0\]:1:1001: more than 250 brackets are open"):
        extract_from_trees(["(NP " * 5000 + "(NN cat)" + ")" * 5000])


def test_a_claim_that_is_a_clause_is_no_participle_of_its_noun() -> None:
    clause = "claims NNS 0 root / that IN 4 mark / he PRP 4 nsubj / set VBN 1 acl"
    assert "r46 claims|NNS+set|VBN" in written(extract(document(clause)))
    assert "r24 set|VBN+claims|NNS" not in written(extract(document(clause)))


def test_a_sentence_without_tokens_has_no_elements() -> None:
    empty = Sentence(())
    assert extract(Document((empty,)), "trees") == extract(Document((empty,))) == []
