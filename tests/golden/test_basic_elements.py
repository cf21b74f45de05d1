"""Basic Elements: the metric on elements, and the elements that it takes from BEwT-E."""

from __future__ import annotations

import math

import pytest
from definitions.elements.examples import examples
from every import every

import summeval
from summeval.elements.dependencies import dependency_rules
from summeval.elements.elements import parse
from summeval.elements.trees import tree_rules
from summeval.metrics.elements.basic_elements import MODES, BasicElements, as_triple

# Printed by ROUGE-1.5.5 -3 (the two references), or by hand and confirmed by a run of it.
PRINTED = [
    (
        "hm",
        ["cat|John|gen", "drink|cat|subj", "drink|milk|obj", "cat|NIL|NIL"],
        [["drink|cat|subj", "drink|milk|obj", "milk|fresh|mod"]],
        (0.66667, 0.66667),
    ),
    (
        "h",
        ["cat|NIL|NIL", "milk|NIL|NIL", "drink|cat|subj"],
        [["cat|NIL|NIL", "dog|NIL|NIL"]],
        (0.5, 0.5),
    ),
    (
        "hm1",
        ["cat|NIL|NIL", "drink|cat|subj"],
        [["cat|NIL|NIL", "drink|cat|s", "drink|milk|obj"]],
        (0.66667, 1.0),
    ),
    ("hmr2", ["cat|NIL|NIL", "drink|cat|subj"], [["cat|NIL|NIL", "drink|cat|obj"]], (0.5, 0.5)),
]
TWO = [["a|b|c", "x|y|z"], ["a|b|c", "q|w|e", "a|b|d", "t|u|v"]]


@pytest.mark.parametrize(("mode", "candidate", "references", "printed"), PRINTED)
def test_scores_are_those_of_the_script(
    mode: str, candidate: list[str], references: list[list[str]], printed: tuple[float, float]
) -> None:
    score = BasicElements(mode=mode).score_units(candidate, references)
    assert (score.recall, score.precision) == printed


@pytest.mark.parametrize(
    ("aggregate", "printed"), [("average", (0.66667, 0.66667)), ("best", (0.75, 1.0))]
)
def test_two_references_are_pooled_or_the_best_taken(
    aggregate: str, printed: tuple[float, float]
) -> None:
    score = BasicElements(aggregate=aggregate).score_units(["a|b|c", "a|b|c", "q|w|e"], TWO)
    assert (score.recall, score.precision) == printed
    assert score.value == score.recall


def test_without_digits_nothing_is_rounded() -> None:
    _, candidate, references, _ = PRINTED[0]
    assert BasicElements(digits=None).score_units(candidate, references).recall == 2 / 3


def test_stems_join_inflected_heads() -> None:
    pair = (["Cats|running|mod"], [["cat|run|mod"]])
    assert BasicElements(stemmer="rouge155").score_units(*pair).recall == 1
    assert BasicElements().score_units(*pair).recall == 0


@pytest.mark.parametrize("mode", MODES)
def test_nothing_to_count_scores_0_and_none_scores_nan(mode: str) -> None:
    be = BasicElements(mode=mode)
    assert be.score_units([], [[]]).recall == 0
    assert math.isnan(be.score_units(None, [[]]).recall)
    assert math.isnan(be.score_units([], [None]).recall)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("r1 cat|NN", ("cat", "NIL", "NIL")),
        ("r21 drank|VBD+milk|NN", ("drank", "milk", "obj")),
        ("r14 man|NN+came|VBD", ("came", "man", "subj")),
        ("r5 large|JJ+car|NN", ("car", "large", "mod")),
        ("r47 king|NN+John|Person", ("king", "John", "pred")),
        ("r44 want|VBP+go|VB", ("want", "go", "comp")),
        ("r30 shot|VBN+over|IN+Iraq|Location", ("shot", "Iraq", "over")),
    ],
)
def test_elements_of_bewte_have_a_head(written: str, expected: tuple[str, str, str]) -> None:
    assert as_triple(parse(written)) == expected


# Each rule that makes elements of two parts: what its example becomes, read off sections 5 and 9 of
# the definition: which part leads, and what the other is to it.
OF_RULES = """
r3 laid|VBD+off|RP: laid off prt
r5 large|JJ+cars|NNS: cars large mod
r6 his|PRP$+cat|NN: cat his gen
r7 John|NNP+cat|NN: cat John gen
r8 oil|NN+prices|NNS: prices oil nn
r9 oil|NN+company|NN: company oil mod
r10 John|NNP+writer|NN: writer John appo
r11 cats|NNS+are|AUX: are cats subj
r11 cats|NNS+can|MD: can cats subj
r12 aid|NN+arrived|VBN: arrived aid subj
r13 rebels|NNS+bombed|VBN: bombed rebels by
r14 man|NN+shot|VBD: shot man subj
r15 man|NN+left|VBN: left man subj
r16 man|NN+left|VBD: left man subj
r17 man|NN+killed|VBN: killed man subj
r18 shot|VBN+man|NN: shot man obj
r19 owes|VBZ+judgment|NN: owes judgment obj
r21 gave|VBD+aid|NN: gave aid obj
r22 considered|VBD+plan|NN: considered plan obj
r23 bombed|VBN+city|NN: bombed city obj
r24 built|VBN+house|NN: built house obj
r25 is|AUX+strong|JJ: is strong pred
r44 wants|VBZ+leave|VB: wants leave comp
r45 killed|VBD+injuring|VBG: killed injuring comp
r46 ran|VBD+quickly|RB: ran quickly amod
r47 president|NN+Obama|NNP: president Obama pred
r48 Ulysses|NNP+book|NN: book Ulysses title
r49 Ulysses|NNP+book|NN: book Ulysses title
r50 man|NN+carrying|VBG: carrying man subj
r51 drug|NN+treating|VBG: treating drug subj
r52 knife|NN+cutting|VBG: cutting knife subj
""".strip().split("\n")


@every("line", OF_RULES)
def test_each_rule_has_its_relation(line: str) -> None:
    written, expected = line.split(": ")
    assert as_triple(parse(written)) == tuple(expected.split())


def test_each_rule_of_two_parts_has_a_case() -> None:
    of_trees = examples("tree_rules.txt", tree_rules())
    of_dependencies = examples("dependency_rules.txt", dependency_rules())
    elements = [parse(found) for one in (*of_trees, *of_dependencies) for found in one.found]
    of_two = {element.rule for element in elements if len(element.parts) == 2}
    assert of_two == {line.split()[0] for line in OF_RULES}


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        (["a|b"], r"candidate\[0\]: 'a\|b' has 2 fields; write head\|modifier\|relation"),
        (["a|b|c", 3], r"candidate\[1\] is int"),
        ("a|b|c", "candidate is one str"),
    ],
)
def test_bad_elements_are_named(elements: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        BasicElements().score_units(elements, [["a|b|c"]])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "option", [{"mode": "x"}, {"stemmer": 2}, {"aggregate": "max"}, {"digits": 4}, {"alpha": 2}]
)
def test_bad_options_are_refused(option: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(option))):
        BasicElements(**option)  # type: ignore[arg-type]


class TestTexts:
    """On texts, with the parser of the package."""

    def test_a_text_shares_everything_with_itself(self) -> None:
        text = "John's cat drank the fresh milk."
        assert summeval.metric("be", cache=False).score(text, text).recall == 1

    def test_batches_score_as_pairs_do(self) -> None:
        be = summeval.metric("be", mode="hm", stemmer="rouge155", cache=False)
        candidates = ["The cat drank milk.", None, "", "A dog barked."]
        references = [["A cat drank the milk.", "Milk is white."], ["x"], ["The dog."], []]
        table = be.score_batch(candidates, references)
        for row, (candidate, others) in enumerate(zip(candidates, references, strict=True)):
            alone = be.score(candidate, others)
            for field in be.fields:
                assert table[f"be.{field}"][row] == pytest.approx(alone[field], nan_ok=True, abs=0)

    def test_prepared_references_score_as_given_ones(self) -> None:
        be = summeval.metric("be", cache=False)
        prepared = be.prepare(["A cat drank the milk."])
        for text in ("The cat drank milk.", ""):
            assert prepared.score(text) == be.score(text, "A cat drank the milk.")
