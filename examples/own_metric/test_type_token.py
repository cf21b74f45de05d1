"""The metric alone, as any class; `summeval check type-token` tests it as a metric."""

from __future__ import annotations

import pytest
from type_token import TypeToken


def by_definition(words: list[str], window: int) -> float:
    width = min(window, len(words))
    stretches = [words[begin : begin + width] for begin in range(len(words) - width + 1)]
    return sum(len(set(stretch)) / width for stretch in stretches) / len(stretches)


@pytest.mark.parametrize("window", [1, 2, 3, 5, 8, 50])
@pytest.mark.parametrize("text", ["a", "a a a", "a b a b c a", "The cat, the dog and the bird."])
def test_it_is_the_mean_over_all_stretches(text: str, window: int) -> None:
    words = text.lower().replace(",", "").replace(".", "").split()
    wanted = by_definition(words, window)
    metric = TypeToken(window=window)
    assert metric.run_pair(text) == pytest.approx(wanted)
    assert sum(item["share"] for item in metric.explain(text)) == pytest.approx(wanted)


def test_a_text_without_words_has_the_worst_score() -> None:
    assert TypeToken().run_pair("...") == 0.0
    assert TypeToken().explain("...") == []


def test_a_window_has_words() -> None:
    with pytest.raises(ValueError, match="window is 0"):
        TypeToken(window=0)
