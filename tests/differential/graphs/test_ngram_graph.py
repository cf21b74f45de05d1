"""AutoSummENG, MeMoG and NPowER against the original programs, the twin and their laws."""

import json
import math
import pickle
from typing import Any

import pytest
from definitions import ngram_graph as twin
from every import every
from hypothesis import example, given
from hypothesis import strategies as st
from shared import CASE_FILES

import summeval
from summeval import AutoSummENG, MeMoG, NPowER
from summeval._core.columns import columns
from summeval._core.graphs.ngram_graph import KINDS, GraphKernel

CASES = {
    case["id"]: case
    for case in json.loads((CASE_FILES / "ngram_graphs.json").read_text(encoding="utf-8"))["cases"]
}
METRICS = {"AutoSummENG": AutoSummENG, "MeMoG": MeMoG, "NPowER": NPowER}
RELEASED = sorted(name for name, case in CASES.items() if "released_program" in case["expected"])

# Few letters, so that n-grams repeat; and characters of two, three and four bytes.
texts = st.text("ab é中\n😀😁", max_size=30)
reference_sets = st.lists(texts, min_size=1, max_size=4)
options = st.tuples(st.integers(1, 6), st.integers(0, 4), st.sampled_from([1, 2, 3, 7, 100])).map(
    lambda drawn: {"min_n": drawn[0], "max_n": drawn[0] + drawn[1], "window": drawn[2]}
)
compats = st.sampled_from([None, "npower-1"])


def options_of(case: dict[str, Any]) -> dict[str, int]:
    given = case["input"]
    return {"min_n": given["min_n"], "max_n": given["max_n"], "window": given["dwin"]}


def kernel_of(released: bool = False, **options: int) -> GraphKernel:
    return GraphKernel(
        tuple(KINDS),
        [(kind, 0.0, 1.0) for kind in KINDS],
        options.get("min_n", 3),
        options.get("max_n", 3),
        options.get("window", 3),
        released,
    )


# The numbers of the original programs


@pytest.mark.parametrize("name", sorted(CASES))
def test_metrics_give_what_jinsect_gives(name: str) -> None:
    case = CASES[name]
    peer, models = case["input"]["peer"], case["input"]["models"]
    told = [metric for metric in METRICS if metric in case["expected"]]
    assert told or name == "ngg-selfloop"
    for metric in told:
        score = METRICS[metric](**options_of(case)).score(peer, models)
        assert score.value == pytest.approx(case["expected"][metric], abs=1e-9)


@pytest.mark.parametrize("name", sorted(CASES))
def test_parts_are_what_jinsect_gives(name: str) -> None:
    case = CASES[name]
    peer, models = case["input"]["peer"], case["input"]["models"]
    parts = AutoSummENG(**options_of(case)).score(peer, models).parts
    for part, wanted in zip(parts, case["expected"]["per_model"], strict=True):
        assert (part.candidate_edges, part.reference_edges) == (
            wanted["edges_peer"],
            wanted["edges_model"],
        )
        assert part.value == pytest.approx(wanted["VS"], abs=1e-9)
        assert part.containment == pytest.approx(wanted["CS"], abs=1e-9)
        assert part.size == pytest.approx(wanted["SS"], abs=1e-9)
        assert part.normalized == pytest.approx(wanted["VS"] / wanted["SS"], abs=1e-9)
    if "merged" in case["expected"]:
        wanted = case["expected"]["merged"]
        (part,) = MeMoG(**options_of(case)).score(peer, models).parts
        assert part.reference_edges == wanted["edges"]
        assert part.value == pytest.approx(wanted["VS"], abs=1e-9)
        assert part.containment == pytest.approx(wanted["CS"], abs=1e-9)
        assert part.size == pytest.approx(wanted["SS"], abs=1e-9)


@every("metric", sorted(METRICS))
@every("name", RELEASED)
def test_compat_gives_the_six_decimals_that_the_npower_program_printed(
    name: str, metric: str
) -> None:
    case = CASES[name]
    peer, models = case["input"]["peer"], case["input"]["models"]
    score = METRICS[metric](**options_of(case), compat="npower-1").score(peer, models)
    assert f"{score.value:.6f}" == f"{case['expected']['released_program'][metric]:.6f}"


def test_the_graph_of_the_twin_is_that_of_the_program() -> None:
    case = CASES["ngg-selfloop"]
    for text, graph in (("peer", "peer_graph"), ("models", "model_graph")):
        given = case["input"][text] if text == "peer" else case["input"][text][0]
        (edges,) = twin.levels(given, 3, 3, 3)
        found = {f"{a}->{b}": weight for (a, b), weight in edges.items()}
        assert found == case["expected"][graph]


# The kernel and its twin


# More references than are merged one after the other.
MANY = [f"ab{'a' * (k % 4)}b{'ba' * (k % 3)}" for k in range(18)]


@given(texts, reference_sets, options, compats)
@example("abaabba", MANY, {}, None)
@example("abaabba", ["", *MANY[:16]], {"min_n": 2, "max_n": 3, "window": 2}, "npower-1")
@example("abaabba", MANY[:16], {}, None)
def test_kernel_is_its_twin(
    candidate: str, references: list[str], options: dict[str, int], compat: str | None
) -> None:
    wanted = twin.score(candidate, references, released=compat is not None, **options)
    found = kernel_of(compat is not None, **options).score_pair(candidate, references)
    for name, expected in (("autosummeng", wanted.autosummeng), ("memog", wanted.memog)):
        given = found[name]
        assert (given.value, given.containment, given.size) == pytest.approx(expected, abs=1e-12)
    assert found["npower"].value == pytest.approx(wanted.npower, abs=1e-12)


def test_what_the_released_program_does_with_two_references() -> None:
    """The first gives way to the merged graph, and "MeMoG" is the likeness to the last."""
    text, references = "the cat sat down", ["a cat sat there", "the dog ran down"]
    last = AutoSummENG().score(text, references[1]).value
    merged = MeMoG().score(text, references).value
    first = AutoSummENG().score(text, references[0]).value
    assert len({first, last, merged}) == 3
    default, released = ((first + last) / 2, merged), ((merged + last) / 2, last)
    for compat, (mean, other) in ((None, default), ("npower-1", released)):
        assert AutoSummENG(compat=compat).score(text, references).value == pytest.approx(mean)
        assert MeMoG(compat=compat).score(text, references).value == pytest.approx(other)
        power = (5.2905 * mean + 3.0053 * other + 0.5866) / 10
        assert NPowER(compat=compat).score(text, references).value == pytest.approx(power)
    for metric in (AutoSummENG, MeMoG, NPowER):  # of a single one there is nothing to mix up
        alone = metric(compat="npower-1").score(text, references[:1])
        assert alone.value == pytest.approx(metric().score(text, references[:1]).value)


@pytest.mark.parametrize(("text", "n"), [("abc" * 1500, 3), ("xyzw" * 40 + "q" * 60, 64)])
def test_kernel_is_its_twin_on_long_texts_and_long_ngrams(text: str, n: int) -> None:
    other = text[::-1] + "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))
    wanted = twin.score(text, [other, text], min_n=n, max_n=n)
    found = kernel_of(min_n=n, max_n=n).score_pair(text, [other, text])
    assert found["npower"].value == pytest.approx(wanted.npower, abs=1e-12)


@given(texts, reference_sets, options, compats)
def test_each_metric_alone_gives_what_it_gives_beside_the_others(
    candidate: str, references: list[str], options: dict[str, int], compat: str | None
) -> None:
    metrics = [make(**options, compat=compat) for make in (AutoSummENG, MeMoG, NPowER)]
    together = summeval.suite(metrics).score(candidate, references)
    for metric in metrics:
        assert metric.score(candidate, references) == together[metric.name]


@given(st.lists(st.tuples(st.none() | texts, st.lists(st.none() | texts, max_size=3)), max_size=8))
def test_batch_threads_and_prepared_references_give_what_single_calls_give(rows: list[Any]) -> None:
    suite = summeval.suite(["memog", "autosummeng", "npower"])
    candidates, references = [row[0] for row in rows], [row[1] for row in rows]
    table = suite.score_batch(candidates, references)
    again = suite.score_batch(candidates, references, workers=3)
    for name in table.columns:
        assert table[name].tobytes() == again[name].tobytes()
    for i, (candidate, texts) in enumerate(rows):
        single = suite.score(candidate, texts)
        prepared = suite.prepare(texts)
        assert repr(prepared.score(candidate)) == repr(single)
        batch = prepared.score_batch([candidate])
        for name in table.columns:
            metric, field = name.split(".")
            wanted = single[metric][field]
            for found in (table[name][i], batch[name][0]):
                assert found == wanted or (math.isnan(found) and math.isnan(wanted))


# Laws


@given(texts.filter(lambda text: len(text) > 3))
def test_a_text_is_like_itself(text: str) -> None:
    for compat in (None, "npower-1"):
        score = NPowER(compat=compat).score(text, text)
        assert (score.autosummeng, score.memog) == (1.0, 1.0)
        assert score.value == pytest.approx(0.88824, abs=1e-12)


@given(texts, texts)
def test_likeness_is_symmetric(left: str, right: str) -> None:
    forth, back = AutoSummENG().score(left, right), AutoSummENG().score(right, left)
    assert forth.value == pytest.approx(back.value, abs=1e-12)
    assert (forth.containment, forth.size) == (back.containment, back.size)


@given(texts, reference_sets)
def test_repeating_the_only_reference_changes_nothing(
    candidate: str, references: list[str]
) -> None:
    once, often = MeMoG().score(candidate, references[:1]), references[:1] * 3
    assert MeMoG().score(candidate, often).value == pytest.approx(once.value, abs=1e-12)


@given(texts, reference_sets)
def test_the_order_of_references_does_not_matter_to_autosummeng(
    candidate: str, references: list[str]
) -> None:
    forth = AutoSummENG().score(candidate, references)
    back = AutoSummENG().score(candidate, references[::-1])
    assert forth.value == pytest.approx(back.value, abs=1e-12)


def test_the_order_of_references_matters_to_memog() -> None:
    values = [
        CASES[name]["expected"]["MeMoG"]
        for name in ("ngg-bridge-good", "ngg-bridge-good-refs-reversed")
    ]
    assert values[0] != values[1]
    models = CASES["ngg-bridge-good"]["input"]["models"]
    peer = CASES["ngg-bridge-good"]["input"]["peer"]
    found = [MeMoG().score(peer, order).value for order in (models, models[::-1])]
    assert found == pytest.approx(values, abs=1e-9)


@given(texts, reference_sets)
def test_compat_changes_nothing_with_one_reference_and_characters_of_one_unit(
    candidate: str, references: list[str]
) -> None:
    plain = [text.replace("😀", "x").replace("😁", "y") for text in (candidate, references[0])]
    for make in METRICS.values():
        assert make(compat="npower-1").score(*plain) == make().score(*plain)


def test_characters_are_code_points_and_utf16_units_in_compat() -> None:
    assert AutoSummENG().score("a😀b", "a😀b").value == 0.0  # one n-gram, so no edge
    assert AutoSummENG(compat="npower-1").score("a😀b", "a😀b").value == 1.0


def test_case_and_blanks_are_kept() -> None:
    assert MeMoG().score("Abcde", "abcde").value < 1
    assert MeMoG().score("ab cde", "ab  cde").value < 1
    assert MeMoG().score("abcde\n", "abcde").value < 1


def test_bytes_that_are_no_utf8_count_as_replacement_characters() -> None:
    left = columns.texts([b"ab\xffcde"], "candidates", raw=True)
    right = columns.references(["ab\ufffdcde"], "references")
    summed = summeval.suite("memog")._runners[0].run_rows(left, right, 1)
    assert summed[0, 0, 0] == 1.0


# Texts without a graph, and None


@pytest.mark.parametrize("text", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("other", ["", "abc", "abcdef"])
def test_a_text_without_edges_is_like_nothing(text: str, other: str) -> None:
    for pair in ((text, other), (other, text)):
        assert AutoSummENG().score(*pair).values()[:3] == (0.0, 0.0, 0.0)
        assert MeMoG().score(*pair).values()[:3] == (0.0, 0.0, 0.0)
        assert NPowER().score(*pair).value == pytest.approx(0.05866, abs=1e-15)


@pytest.mark.parametrize("make", METRICS.values())
def test_none_scores_nan(make: Any) -> None:
    for pair in ((None, "abcdef"), ("abcdef", []), ("abcdef", [None])):
        assert all(math.isnan(value) for value in make().score(*pair).values()[:3])
    assert make().score("abcdef", [None, "abcdef"]) == make().score("abcdef", "abcdef")


def test_levels_weigh_by_the_sum_of_lengths() -> None:
    pair = ("abcdefgh", "abcdegfh")
    each = [AutoSummENG(min_n=n, max_n=n).score(*pair).value for n in (2, 3, 4)]
    weighted = AutoSummENG(min_n=2, max_n=4).score(*pair).value
    assert weighted == pytest.approx((2 * each[0] + 5 * each[1] + 9 * each[2]) / 16, abs=1e-12)


def test_npower_is_stretched() -> None:
    plain = NPowER().score("abcdef", "abcdeg")
    score = NPowER(min_score=1, max_score=5).score("abcdef", "abcdeg")
    assert score.value == pytest.approx(1 + 4 * plain.value, abs=1e-12)
    assert (score.autosummeng, score.memog) == (plain.autosummeng, plain.memog)


# Options


@every(
    ("options", "message"),
    [
        ({"min_n": 4}, "min_n is 4 and max_n 3; give a max_n of at least min_n"),
        ({"min_n": 0}, "min_n is 0; give a whole number from 1 to 64"),
        ({"max_n": 65}, "max_n is 65; give a whole number from 1 to 64"),
        ({"max_n": 10**30}, "max_n is 1000000000000000000000000000000; give a whole number"),
        ({"min_n": True}, "min_n is True; give a whole number"),
        ({"window": 0}, "window is 0; give a whole number from 1 to"),
        ({"window": -3}, "window is -3"),
        ({"window": 2.0}, "window is 2.0"),
        ({"window": 10**30}, "window is 1"),
        ({"compat": "npower-2"}, "compat is 'npower-2'; choose from None, 'npower-1'"),
        ({"label": ""}, "label is ''"),
    ],
)
@every("make", METRICS.values())
def test_a_bad_option_is_named(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="^" + message):
        make(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_score": 1}, "min_score is 1.0 and max_score 1.0; give a greater max_score"),
        ({"max_score": math.inf}, "max_score is inf; give a number"),
        ({"min_score": "0"}, "min_score is '0'; give a number"),
    ],
)
def test_a_bad_range_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="^" + message):
        NPowER(**options)


def test_too_many_neighbours_are_refused() -> None:
    metric = MeMoG(window=1 << 30)
    text = "ab" * 6000  # 72 million pairs
    message = "too many pairs of neighbouring n-grams; set a smaller window, or shorten the text"
    with pytest.raises(ValueError, match=f"^candidate or references: {message}"):
        metric.score("abcdef", text)
    with pytest.raises(ValueError, match=f"^references: {message}"):
        metric.prepare(text)
    with pytest.raises(ValueError, match=f"^candidate: {message}"):
        metric.prepare("abcdef").score(text)
    with pytest.raises(ValueError, match=f"^row 1: {message}"):
        metric.score_batch(["abcdef", text], ["abcdef"] * 2)
    assert metric.score("abcdef", "abcdef").value == 1.0


@pytest.mark.parametrize("make", METRICS.values())
def test_metrics_survive_pickling(make: Any) -> None:
    metric = make(min_n=2, max_n=4, window=5, compat="npower-1")
    copy = pickle.loads(pickle.dumps(metric))
    prepared = pickle.loads(pickle.dumps(metric.prepare(["abcdef", "cdefgh"])))
    wanted = metric.score("abcdefg", ["abcdef", "cdefgh"])
    assert copy.signature == metric.signature
    assert copy.score("abcdefg", ["abcdef", "cdefgh"]) == prepared.score("abcdefg") == wanted


def test_signature_tells_every_option_apart() -> None:
    metrics = [
        NPowER(),
        NPowER(max_n=4),
        NPowER(min_n=2),
        NPowER(window=4),
        NPowER(compat="npower-1"),
        NPowER(max_score=5),
        NPowER(min_score=-1),
        MeMoG(),
        AutoSummENG(),
    ]
    assert len({metric.signature for metric in metrics}) == len(metrics)


@given(texts, reference_sets, options, compats, st.data())
def test_what_is_added_at_each_character_is_the_twins(
    candidate: str,
    references: list[str],
    options: dict[str, int],
    compat: str | None,
    data: st.DataObject,
) -> None:
    size = len(references) + 1
    numbers = st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=size, max_size=size)
    factors, released = data.draw(numbers), compat is not None
    found = kernel_of(released, **options).find(candidate, references, factors)
    wanted = twin.by_place(candidate, references, factors, **options, released=released)
    assert found == pytest.approx(wanted, abs=1e-12)


def test_what_cannot_be_read_is_refused_where_it_is_explained() -> None:
    with pytest.raises(ValueError, match="unpaired surrogate"):
        kernel_of().find("a \ud800", ["a"], [1.0, 0.0])
    with pytest.raises(ValueError, match="too many pairs of neighbouring n-grams"):
        kernel_of(window=1 << 30).find("a" * 20_000, ["a"], [1.0, 0.0])
