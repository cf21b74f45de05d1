"""The counts of basic elements by ROUGE-1.5.5 -3, mode by mode."""

import doctest

import pytest

from summeval.metrics.elements import be_counts
from summeval.metrics.elements.be_counts import MODES, units

ELEMENTS = [
    (b"plan", b"nil", b"nil"),
    (b"plan", b"new", b"mod"),
    (b"cost", b"rise", b"nil"),
    (b"cost", b"", b"subj"),
    (b"dog", b"nil", b"obj"),
]


def test_examples_of_the_docstrings() -> None:
    assert doctest.testmod(be_counts).failed == 0


@pytest.mark.parametrize(
    ("mode", "counted"),
    [
        ("H", [b"dog", b"plan"]),
        ("HM", [b"cost|", b"cost|rise", b"plan|new"]),
        ("HM1", [b"cost|", b"cost|rise", b"dog|nil", b"plan|new", b"plan|nil"]),
        ("HMR", [b"cost||subj", b"dog|nil|obj", b"plan|new|mod"]),
        ("HMR1", [b"cost||subj", b"cost|rise|nil", b"plan|new|mod"]),
        ("HMR2", [b"|".join(element) for element in ELEMENTS]),
    ],
)
def test_a_mode_counts_its_elements(mode: str, counted: list[bytes]) -> None:
    parts = {"H": 1, "HM": 2, "HM1": 2}.get(mode, 3)
    assert sorted(b"|".join(unit[:parts]) for unit in units(ELEMENTS, mode)) == sorted(counted)


@pytest.mark.parametrize("mode", MODES)
def test_repeated_elements_are_counted(mode: str) -> None:
    once, twice = units(ELEMENTS, mode), units(ELEMENTS * 2, mode)
    assert {unit: 2 * number for unit, number in once.items()} == twice


def test_a_modifier_that_stems_to_nil_is_none_for_heads_only() -> None:
    elements = [(b"plan", b"nils", b"mod")]

    def stem(word: bytes) -> bytes:
        return b"nil" if word == b"nils" else word

    assert units(elements, "H", stem) == {(b"plan", b"", b""): 1}
    assert units(elements, "HM", stem) == {}
    assert units(elements, "HMR1", stem) == {(b"plan", b"nil", b"mod"): 1}
