"""Signature: one class for all metrics; reading its line gives an equal Signature."""

from __future__ import annotations

import copy
import json
import pickle
from functools import partial

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summeval
from summeval import Signature
from summeval.solvers import result as registry

texts = st.text(max_size=12)
plain_values = texts | st.just(True)
names = st.text(min_size=1, max_size=8).filter(lambda name: name != "v")
parts = st.builds(
    lambda name, options: Signature.of(name, options, version=None),
    names,
    st.dictionaries(names, plain_values, max_size=3),
)
values = plain_values | st.lists(parts, max_size=3).map(tuple)


@given(names, st.dictionaries(names, values, max_size=4), st.none() | st.just("1.2|3"))
def test_a_signature_is_read_back_from_its_line(name, options, version) -> None:
    signature = Signature.of(name, options, version=version)
    assert "\n" not in signature
    found = Signature.parse(str(signature))
    assert found == signature
    assert (found.name, dict(found.options), found.version) == (name, options, version)
    assert list(found.options) == list(options)
    assert Signature.of(found.name, found.options, found.version) == signature
    assert found.timeless == Signature.of(name, options, version=None)


def test_signatures_that_differ_have_lines_that_differ() -> None:
    for one, other in [
        ({"a": "b|c:d"}, {"a": "b", "c": "d"}),
        ({"a": "b:c"}, {"a:b": "c"}),
        ({"a": ""}, {"a": True}),
        ({"a": "%7C"}, {"a": "|"}),
        ({"a": "[b]"}, {"a": (Signature.of("b", version=None),)}),
        ({"a": ()}, {"a": "[]"}),
    ]:
        assert Signature.of("n", one) != Signature.of("n", other)


def test_a_signature_is_a_str_to_all_that_keep_one() -> None:
    table = summeval.score_batch(["a cat"], ["a cat"], ["rouge1"])
    signature = table.signature["rouge1"]
    assert signature == str(signature)
    assert hash(signature) == hash(str(signature))
    assert json.loads(json.dumps({"s": signature}))["s"] == signature
    assert pa.table(table.to_arrow()).schema.metadata[b"rouge1"].decode() == signature
    for made in (pickle.loads(pickle.dumps(signature)), copy.deepcopy(signature)):
        assert type(made) is Signature
        assert made == signature
    assert signature.name == "rouge1"
    assert signature.options["alpha"] == "0.5"


def test_metrics_of_metrics_have_signatures_within() -> None:
    combined = summeval.Combination(["rouge1", summeval.metric("rouge2", stemmer="porter")])
    one, other = combined.signature.options["metrics"]
    assert (one.name, other.options["stemmer"], one.version) == ("rouge1", "porter", None)
    nested = Signature.parse(str(summeval.Combination([combined], label="a|b").signature))
    assert nested.name == "a|b"
    assert nested.options["metrics"] == (combined.signature.timeless,)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "it begins with no name"),
        (":a", "it begins with no name"),
        ("rouge1|aggregate:max|aggregate:best", "aggregate comes twice"),
        ("rouge1||v:1", "an option has no name"),
        ("rouge1|a:[b", "its brackets do not pair"),
        ("rouge1|a:b]", "its brackets do not pair"),
        ("rouge1|a:b[c]d", "must be escaped"),
        ("rouge1|a:5%", "must be escaped"),
        ("rouge1|a:%FF", "no signature"),
        ("rouge1|a:[b|c:[d]x]", "must be escaped"),
    ],
)
def test_what_is_no_signature_is_refused(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        Signature.parse(line)
    assert "\n" not in str(error.value)


def test_what_cannot_be_in_a_signature_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot have the option 'a'"):
        Signature.of("n", [("a", "1"), ("a", "1")])
    for version in (None, "1"):
        with pytest.raises(ValueError, match="cannot have the option 'v'"):
            Signature.of("n", [("v", "1")], version=version)
    with pytest.raises(TypeError, match="is int; give its text"):
        Signature.of("n", {"a": 1})
    with pytest.raises(TypeError, match="not bytes"):
        Signature.parse(b"rouge1")  # type: ignore[arg-type]


def test_numbers_and_lists_of_words_are_told_from_others() -> None:
    coefficients = [{"syno": 0.1234567}, {"syno": 0.12345671}, {"syno": 0.5}]
    assert len({summeval.BEwTE(coefficients=c).signature for c in coefficients}) == 3
    lists = [["a\nb", "c"], ["a", "b\nc"], ["a\\nb", "c"]]
    assert len({summeval.metric("rouge1", stopwords=words).signature for words in lists}) == 3


def test_a_back_end_that_was_registered_is_told_from_the_package_s() -> None:
    from summeval.solvers.transportation import solve_with_kernel

    plain = summeval.TeslaM().signature
    assert plain.options["solver"] == "kernel"
    assert summeval.TeslaS(solver="highs").signature.options["solver"] == "highs"

    made = []
    try:
        for name in ("one", "other"):
            solve = partial(solve_with_kernel)
            registry.register("transport", "mine", registry.BackEnd(solve))
            made.append(summeval.TeslaM(solver="mine", label=name).signature.options["solver"])
    finally:
        del registry._BACK_ENDS["transport"]["mine"]
    assert made[0] != made[1]
    assert all(name.startswith("mine-") for name in made)
