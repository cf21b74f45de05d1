"""What each further attack makes of a summary."""

from __future__ import annotations

import random
import re

from summeval.study.attacks import Case
from summeval.study.further_attacks import FURTHER, PLACES

SOURCE = (
    "The storm hit the coast of Brenford on Monday and tore off roofs. Trains of the Arle Line"
    " stopped for 2 days. Mayor Ann Hill asked for help. Schools stayed shut until Friday.",
    "Farmers lost most of the harvest. Insurers expect claims of 40 million. The last storm came in"
    " 1987, when the pier broke. Divers looked at the bridge.",
)
CASE = Case(
    "A storm hit Brenford on Monday. The trains were stopped for 2 days.",
    ("The storm on the coast stopped trains for 2 days.",),
    SOURCE,
    "In the park a cat of Carl was found on a tree.",
)


def made(name: str, case: Case = CASE, seed: int = 0) -> str:
    text = FURTHER[name](case, random.Random(seed))
    assert text is not None
    return text


def test_there_are_eighteen_and_what_may_be_honest():
    assert len(FURTHER) == 18 + len(PLACES) and {*PLACES} < {*FURTHER}


def test_keywords_stand_in_lists_and_frames():
    lead = made("lead-and-keywords")
    assert lead.startswith(SOURCE[0].split(" Trains")[0])
    assert lead.count(",") == 7 and lead.endswith(".")
    frame = r"The \w+ and the \w+ of the \w+\."
    assert re.fullmatch(f"{frame} {frame}", made("keyword-of-keyword"))
    assert "storm" in made("praise")


def test_sentences_are_joined_with_others():
    first = CASE.text.split(" The")[0]
    assert made("true-and-false") == f"{first} {CASE.other}"
    assert "Carl" not in made("other-with-names") and "park" in made("other-with-names")
    halves = made("spliced-halves").split()
    known = " ".join(SOURCE).split()
    assert {*halves} <= {*known} and " ".join(halves) not in " ".join(SOURCE)
    assert {*made("mosaic").rstrip(".").split()} <= {*known, *(w.rstrip(".,") for w in known)}


def test_words_of_the_reference_are_put_into_a_bag():
    bag = made("function-word-bag").rstrip(".").split()
    assert {"storm", "coast", "stopped", "trains", "days"} <= {*bag}
    assert {*bag[1::2]} <= {"the", "on", "for"}


def test_true_sentences_become_false():
    assert made("negated") == (
        "It is not true that A storm hit Brenford on Monday."
        " The trains were not stopped for 2 days."
    )
    assert made("names-swapped") == CASE.text.replace("Brenford", "-").replace(
        "Monday", "Brenford"
    ).replace("-", "Monday")
    exchanged = made("names-exchanged")
    assert "Brenford" not in exchanged.split()[3] and "stopped for 2 days" in exchanged
    assert re.search(r"for [13-9] days", made("numbers-changed"))


def test_one_sentence_is_said_in_other_ways():
    best = "The trains were stopped for 2 days."
    assert made("said-thrice") == f"{best} In other words, {best} That is to say, {best}"
    assert made("hedged").count(" that ") == 2
    assert made("bullets") == (
        "- A storm hit Brenford on Monday\n- The trains were stopped for 2 days"
    )
    assert made("sorted-words").split() == sorted(CASE.text.split(), key=str.lower)
    assert made("very-short") == "A storm hit Brenford."
    assert "storm" not in made("empty-talk")


def test_other_places_of_the_source():
    assert made("end").endswith("Divers looked at the bridge.")
    assert made("middle").startswith("Schools stayed shut")
    assert made("reversed-sentences").startswith("The trains were stopped")


def test_nothing_is_made_of_too_little():
    bare = Case("a b c d e")
    assert {name for name in FURTHER if FURTHER[name](bare, random.Random(0)) is None} == {
        "lead-and-keywords",
        "keyword-of-keyword",
        "praise",
        "true-and-false",
        "other-with-names",
        "function-word-bag",
        "spliced-halves",
        "mosaic",
        "names-swapped",
        "names-exchanged",
        "numbers-changed",
        "middle",
        "end",
    }
