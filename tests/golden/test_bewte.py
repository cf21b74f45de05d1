"""BEwT-E on Basic Elements: the numbers of the original program, and what a score is."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from every import every
from shared import CASE_FILES

from summeval.elements import resources as wordnet_module
from summeval.elements.elements import parse
from summeval.elements.resources import resources
from summeval.elements.transformations import Matching
from summeval.metrics.elements.bewte import BEwTE

CASES = json.loads((CASE_FILES / "bewte_elements.json").read_text(encoding="utf-8"))["cases"]
# "company" has "companies" since the default mends u04, so this case of the original gains by it.
GAINS = {"e11"}


def metric_of(case: dict[str, Any], compat: str | None, **options: Any) -> BEwTE:
    told = dict(case["options"])
    return BEwTE(weights=told.pop("weights").lower(), compat=compat, **told, **options)


def expected(case: dict[str, Any], compat: str | None) -> float:
    if compat is None:
        return case.get("score_intended", case["score_jackknife"])
    return case["score_jackknife"]


@every("compat", [None, "0.5.1"])
@every("case", CASES, ids=lambda case: case["id"])
def test_scores_of_the_original_program(case: dict[str, Any], compat: str | None) -> None:
    if compat is None and case["id"] in GAINS:
        pytest.skip("mended by default")
    given = case["peer_bes"], case["reference_bes"]
    score = metric_of(case, compat).score_units(*given)
    assert score.value == pytest.approx(expected(case, compat), abs=1e-9)
    if compat or "score_intended" not in case:
        best = metric_of(case, compat, jackknife=False).score_units(*given)
        assert best.recall == pytest.approx(case["score_max"], abs=1e-9)
        each = case.get("recall_per_reference", {})
        assert {name: best.recall_per_reference[name] for name in each} == pytest.approx(each)


@every("case", CASES, ids=lambda case: case["id"])
def test_transformations_of_the_original_program(case: dict[str, Any]) -> None:
    if "reference_reaching_transforms" not in case:
        pytest.skip("the case lists none")
    found = metric_of(case, "0.5.1").transformations(case["peer_bes"], case["reference_bes"])
    assert found == case["reference_reaching_transforms"]
    if "score_intended" not in case and case["id"] not in GAINS:
        default = metric_of(case, None).transformations(case["peer_bes"], case["reference_bes"])
        assert default == found


@pytest.mark.parametrize(
    "case", [c for c in CASES if "reference_scores_original" in c], ids=lambda case: case["id"]
)
def test_references_as_summaries(case: dict[str, Any]) -> None:
    found = metric_of(case, "0.5.1").score_references(case["reference_bes"])
    assert found == pytest.approx(case["reference_scores_original"])


# What the slides show: the element of one text, that of the other, and whether 0.5.1 relates them.
SLIDES = [
    ("r26 book|NN+on|IN+JFK|Person", "r26 book|NN+about|IN+JFK|Person", False),
    ("r26 book|NN+about|IN+JFK|Person", "r26 book|NN+on|IN+JFK|Person", False),
    ("r30 wrote|VBD+about|IN+war|NN", "r30 wrote|VBD+on|IN+war|NN", False),
    ("r11 Shakespeare|Person+authored|VBD", "r10 author|NN+Shakespeare|Person", False),
    ("r10 author|NN+Shakespeare|Person", "r11 Shakespeare|Person+authored|VBD", True),
    ("r11 John|Person+wrote|VBD", "r10 writer|NN+John|Person", True),
    ("r11 gerbil|NN+hibernated|VBD", "r26 hibernation|NN+of|IN+gerbil|NN", True),
    ("r26 invasion|NN+of|IN+Iraq|Location", "r21 invaded|VBD+Iraq|Location", True),
    ("r46 govern|VB+effectively|RB", "r5 effective|JJ+government|NN", True),
    ("r5 effective|JJ+treatment|NN", "r46 treat|VB+effectively|RB", True),
    ("r26 explosion|NN+in|IN+Baghdad|Location", "r26 explosion|NN+at|IN+Baghdad|Location", True),
    ("r4 Chinese|JJ", "r1 China|NNP", True),
    ("r1 China|NNP", "r1 Chinese|NN", True),
    ("r1 NATO|NNP", "r1 France|NNP", True),
    ("r1 Mr. Smith|Person", "r1 John Smith|Person", True),
    ("r1 U.S.A|Location", "r1 USA|Location", True),
    ("r8 refinery|NN+fire|NN", "r26 fire|NN+in|IN+refinery|NN", True),
]


@every(("mine", "other", "of_old"), SLIDES)
def test_examples_of_the_slides(mine: str, other: str, of_old: bool) -> None:
    assert BEwTE().score_units([mine], {"A": [other]}).recall == 1
    old = BEwTE(compat="0.5.1")
    assert old.score_units([mine], {"A": [other]}).recall == float(of_old)
    for metric, reached in ((BEwTE(), True), (old, of_old)):
        assert bool(metric.transformations([mine], {"A": [other]})) is reached


def test_no_role_of_a_noun_that_is_a_verb_of_the_synset_in_the_original() -> None:
    # Other nouns of the verb stay: an authorship is no verb.
    mine, refs = ["r11 Ann|Person+wrote|VBD"], {"A": ["r8 writing|NN+Ann|Person"]}
    assert BEwTE(compat="0.5.1").score_units(mine, refs).recall == 1


def test_a_batch_is_its_rows_whatever_the_workers() -> None:
    metric = BEwTE(weights="total")
    rows = [(case["peer_bes"], case["reference_bes"]) for case in CASES]
    alone = [metric.score_units(*row) for row in rows]
    for workers in (1, 3):
        assert metric.score_units_batch(*zip(*rows, strict=True), workers=workers) == alone


@pytest.mark.parametrize("solver", ["highs", "scipy"])
def test_another_solver_finds_the_same(solver: str) -> None:
    for case in CASES[-20:]:
        given = case["peer_bes"], case["reference_bes"]
        other = metric_of(case, None, solver=solver).score_units(*given)
        assert other.recall == pytest.approx(metric_of(case, None).score_units(*given).recall)


def test_equal_elements_count_once_unless_duplicates_are_kept() -> None:
    twice, once = ["r1 dog|NN", "r1 Dog|NNP", "r1 cat|NN"], ["r1 dog|NN"]
    assert BEwTE().score_units(once, {"A": twice}).recall == 0.5
    assert BEwTE(duplicates=True).score_units(once, {"A": twice}).recall == pytest.approx(1 / 3)


def test_an_explanation_does_not_depend_on_the_solver() -> None:
    # Either dog can go with either: two assignments are worth the same.
    given = ["r1 dogs|NNS", "r1 dog|NN"], {"A": ["r1 dog|NN", "r1 dogs|NNS"]}
    told = [BEwTE(solver=solver).explain_units(*given) for solver in ("kernel", "highs")]
    assert told[0] == told[1] and len(told[0].references[0].matches) == 2


def test_a_text_without_elements_scores_0_and_no_reference_is_nan() -> None:
    assert BEwTE().score_units([], {"A": ["r1 dog|NN"]}).recall == 0
    assert BEwTE().score_units(["r1 dog|NN"], {"A": []}).recall == 0
    assert math.isnan(BEwTE().score_units(["r1 dog|NN"], {}).recall)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BEwTE(weights="log"), "weights is 'log'"),
        (lambda: BEwTE(compat="0.4"), "compat is '0.4'"),
        (lambda: BEwTE(coefficients={"synonym": 0.5}), "did you mean syno"),
        (lambda: BEwTE(coefficients={"syno": 2}), "from 0 to 1"),
        (lambda: BEwTE().score_units(["dog"], {"A": []}), r"candidate\[0\]: 'dog'"),
        (
            lambda: BEwTE().score_units_batch([[]], [{"A": ["x"]}]),
            r"references\[0\]\['A'\]\[0\]",
        ),
        (lambda: BEwTE().score_units_batch([[]], []), "0 rows"),
        (lambda: BEwTE(solver="guess"), "unknown solver for assignment 'guess'"),
    ],
)
def test_errors_name_the_place(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BEwTE().score_units(None, {}), "candidate is NoneType"),  # type: ignore[arg-type]
        (lambda: BEwTE().score_units([], {"A": None}), r"references\['A'\] is NoneType"),  # type: ignore[dict-item]
        (lambda: BEwTE().score_units([None], {}), r"candidate\[0\] is NoneType"),  # type: ignore[list-item]
        (lambda: BEwTE(coefficients="syno"), "coefficients is str"),  # type: ignore[arg-type]
    ],
)
def test_what_has_another_type_is_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_a_damaged_table_is_told(tmp_path: Path) -> None:
    table = tmp_path / "wordnet.bin"
    whole = Path(wordnet_module.__file__).parent / "data" / "wordnet.bin"
    data = whole.read_bytes()
    for bad, message in [
        (b"", "is not summeval's table"),
        (b"x" * 100, "is not summeval's table"),
        (data[:-1] + bytes([data[-1] ^ 1]), "is damaged"),
        (data[:1000], "is damaged"),
        (data[:8] + b"\2" + data[9:], "has version 2"),
    ]:
        table.write_bytes(bad)
        with pytest.raises(ValueError, match=message):
            wordnet_module.open_table(table)


def test_two_references_are_left_out_one_at_a_time() -> None:
    metric = BEwTE()
    alike, other = ["r8 refinery|NN+fire|NN"], ["r8 storm|NN+coast|NN"]
    assert metric.score_units(alike, {"A": alike}).recall == 1
    assert metric.score_units(alike, {"B": other}).recall == 0
    assert metric.score_units(alike, {"A": alike, "B": other}).recall == 0.5


def test_elements_turn_into_others_as_the_authors_meant_unless_the_original_is_asked_for() -> None:
    mine, other, _ = SLIDES[0]
    pair = [parse(mine)], [parse(other)]
    assert len(Matching({}).transformations(*pair)) == 1
    assert Matching({}, original=True).transformations(*pair) == []


def test_a_person_of_one_name_has_no_acronym() -> None:
    acronyms = resources().names.acronyms
    assert acronyms("John Fitzgerald Kennedy", "Person") == ["jfk"]
    assert acronyms("Mr. Dr. Kennedy", "Person") == []
