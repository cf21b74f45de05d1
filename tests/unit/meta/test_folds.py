"""Out-of-fold evaluation and leave-one-reference-out."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from shared import CASE_FILES

import summeval
from summeval.meta import leave_one_out, out_of_fold
from summeval.meta.jackknife import jackknife_scores

CASES = json.loads((CASE_FILES / "meta.json").read_text())["out_of_fold"]
PEOPLE = {"A": "the cat sat down", "B": "a cat sat", "C": "the dog sat"}
PEERS = {"1": "the cat", "2": "a dog sat down"}


class LeastSquares:
    def fit(self, x: np.ndarray, y: np.ndarray) -> None:
        self.weights = np.linalg.lstsq(np.c_[x, np.ones(len(x))], y, rcond=None)[0]

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.c_[x, np.ones(len(x))] @ self.weights


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_numbers_of_simetrix_protocol(case: Any) -> None:
    # least squares trained on rows with neither the input nor the system, by the case's reference
    given = case["input"]
    topics, systems = zip(*given["ids"], strict=True)
    features = np.array(given["features"])
    found = out_of_fold(LeastSquares, features, given["target"], topics, systems)
    assert found == pytest.approx(case["expected"], abs=case["tolerance"])


class Recorder:
    def fit(self, x: list[str], y: np.ndarray, topics: list[str]) -> None:
        self.seen = list(zip(x, y.tolist(), topics, strict=True))

    def predict(self, x: list[str]) -> list[float]:
        assert not {text for text, _, _ in self.seen} & set(x)
        return [len(self.seen) + len({topic for _, _, topic in self.seen}) / 10] * len(x)


def test_texts_and_further_arguments_of_fit_go_with_their_rows() -> None:
    topics = ["t", "t", "u", "v"]
    found = out_of_fold(Recorder, ["a", "b", "c", "d"], [1, 2, 3, 4], topics, fit_with=[topics])
    assert found.tolist() == [2.2, 2.2, 3.2, 3.2]


class Nearest:
    """Repeats the target of the row that is most alike: it finds any leak there is."""

    def fit(self, x: np.ndarray, y: np.ndarray) -> None:
        self.x, self.y = x, y

    def predict(self, x: np.ndarray) -> np.ndarray:
        return self.y[np.abs(self.x[None] - x[:, None]).sum(axis=2).argmin(axis=1)]


@pytest.mark.parametrize("by", ["topic", "year"])
def test_a_feature_that_tells_its_topic_tells_nothing_of_the_score(by: str) -> None:
    # 8 topics of 6 systems, 4 a year; the scores of a topic are alike, its number is the feature
    random = np.random.default_rng(0)
    topics = np.repeat(np.arange(8), 6)
    labels = {"topic": topics, "year": topics // 4}[by]
    scores = (random.permutation(8) * 10.0)[topics] + random.random(48)
    features = labels[:, None] * 100.0
    leaking = Nearest()
    leaking.fit(features, scores)
    if by == "topic":
        assert np.abs(leaking.predict(features) - scores).max() < 1
    found = out_of_fold(Nearest, features, scores, labels)
    for label in set(labels.tolist()):
        own = scores[labels == label]
        assert not set(found[labels == label].tolist()) & set(own.tolist())
        assert set(found[labels == label].tolist()) <= set(scores[labels != label].tolist())


def test_no_prediction_depends_on_the_scores_of_its_own_fold() -> None:
    random = np.random.default_rng(1)
    features, scores = random.random((20, 3)), random.random(20)
    topics = np.repeat(np.arange(5), 4)
    changed = np.where(topics == 2, scores + 1e6, scores)
    features_leaking = np.c_[features, scores]
    changed_leaking = np.c_[features, scores]
    one = out_of_fold(LeastSquares, features_leaking, scores, topics)
    other = out_of_fold(LeastSquares, changed_leaking, changed, topics)
    assert np.array_equal(one[topics == 2], other[topics == 2])
    assert not np.allclose(one[topics != 2], other[topics != 2])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "no labels"),
        ([["t", "t"]], "every row shares 't'; use labels"),
        ([["t"]], "has 1 items but y has 2 rows"),
        ([["t", None]], "row 1 has the label None; pass the name of its fold"),
        ([[float("nan"), 2021.0]], "row 0 has the label nan; pass the name of its fold"),
    ],
)
def test_labels_that_leave_nothing_are_refused(labels: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        out_of_fold(LeastSquares, np.zeros((2, 1)), [1, 2], *labels)


def test_people_meet_the_others_and_peers_all_but_one() -> None:
    found = leave_one_out("rouge1", PEERS, PEOPLE, field="recall")
    rouge = summeval.metric("rouge1")
    for name, text in PEOPLE.items():
        others = [other for key, other in PEOPLE.items() if key != name]
        assert found.humans[name] == rouge.score(text, others).recall
    for name, text in PEERS.items():
        scores = [
            rouge.score(text, [PEOPLE[key] for key in PEOPLE if key != left]).recall
            for left in PEOPLE
        ]
        assert found.peers[name] == pytest.approx(sum(scores) / 3)


JACKKNIFED: dict[str, dict[str, float]] = {
    # by hand: "the cat" has 2 of 4 words of A, 1 of 3 of B and of C; without A the best is 1/3
    "peers": {"1": (1 / 3 + 1 / 2 + 1 / 2) / 3, "2": 2 / 3},
    "humans": {"A": 2 / 3, "B": 2 / 4, "C": 2 / 4},
}


@pytest.mark.parametrize("jackknife", [False, True])
def test_rouge_that_jackknifes_leaves_out_one_reference(jackknife: bool) -> None:
    rouge = summeval.metric("rouge1", jackknife=jackknife, label="r")
    found = leave_one_out(rouge, PEERS, PEOPLE, field="recall")
    assert found.peers == pytest.approx(JACKKNIFED["peers"])
    assert found.humans == pytest.approx(JACKKNIFED["humans"])
    assert rouge.without_jackknife().score("a dog", "the dog").recall == 0.5
    table = jackknife_scores(rouge, {"t": (PEERS, PEOPLE)}, field="recall")
    assert table["r.recall"][:, 0].tolist() == [*found.peers.values(), *found.humans.values()]
    assert ("jackknife" in rouge.signature) == jackknife  # the metric itself is as it was


@pytest.mark.parametrize("aggregate", ["max", "average", "best"])
def test_a_peer_has_what_its_own_jackknife_gives(aggregate: str) -> None:
    rouge = summeval.metric("rouge1", jackknife=True, aggregate=aggregate)
    found = leave_one_out(rouge, PEERS, PEOPLE, field="recall").peers
    for name, text in PEERS.items():
        expected = rouge.score(text, [*PEOPLE.values()]).recall
        assert found[name] == pytest.approx(expected, abs=0 if aggregate == "max" else 1.1e-5)


def test_bewte_leaves_out_one_reference() -> None:
    """A peer has its score; a person that of `score_references`, which knows no leaving out."""
    people = {
        "A": "The storm hit the northern coast. Hundreds of houses were destroyed.",
        "B": "A storm struck the coast and destroyed many houses.",
        "C": "Houses on the coast were lost in a winter storm.",
        "D": "The army helped people whose houses the storm destroyed.",
    }
    peers = {"1": "A storm destroyed hundreds of houses.", "2": "The army came to the coast."}
    bewte = summeval.BEwTE()
    found = leave_one_out(bewte, peers, people)
    for name, text in peers.items():
        assert found.peers[name] == pytest.approx(bewte.score(text, [*people.values()]).recall)
    elements = {name: bewte._parser.parse([text])[text] for name, text in people.items()}
    assert found.humans == pytest.approx(bewte.score_references(elements))
    assert found == leave_one_out(summeval.BEwTE(jackknife=False), peers, people)
    combined = summeval.Combination(bewte, label="c")
    combined.model = type(combined.model)(["bewte.recall"], 0.0, [2.0])
    twice = leave_one_out(combined, peers, people)
    assert twice.humans == pytest.approx({name: 2 * v for name, v in found.humans.items()})


def test_people_stand_beside_systems_in_the_table() -> None:
    topics = {"t": (PEERS, PEOPLE), "u": (PEERS, {"A": "a cat", "B": "a dog"})}
    scores = jackknife_scores("rouge1", topics)
    assert scores.systems == ("1", "2", "A", "B", "C")
    assert np.isnan(scores["rouge1.fmeasure"][4, 1])
    assert "unbalanced: 1 of 10 cells have no row" in scores.notes[0]


@pytest.mark.parametrize(
    ("metric", "people", "options", "message"),
    [
        ("rouge1", {"A": "a"}, {}, "1 references; leaving one out needs 2"),
        ("rouge1", {"1": "a", "B": "b"}, {}, "1 names a peer and a reference"),
        ("rouge1", PEOPLE, {"field": "f"}, "rouge1 has no 'f'"),
    ],
)
def test_what_cannot_be_left_out_is_refused(
    metric: str, people: Any, options: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        leave_one_out(metric, PEERS, people, **options)


def test_an_error_names_its_topic() -> None:
    with pytest.raises(ValueError, match="topic 't': 1 references"):
        jackknife_scores("rouge1", {"t": (PEERS, {"A": "a"})})


def test_a_name_is_a_person_in_every_topic_or_in_none() -> None:
    topics = {"t": (PEERS, PEOPLE), "u": ({"A": "a cat"}, {"B": "a", "C": "b"})}
    with pytest.raises(ValueError, match="topic 'u': A names a peer, in another topic a reference"):
        jackknife_scores("rouge1", topics)
    topics = {"t": ({"1": "a cat"}, PEOPLE), "u": ({"2": "a cat"}, {"1": "a", "C": "b"})}
    with pytest.raises(ValueError, match="topic 'u': 1 names a reference, in another topic a peer"):
        jackknife_scores("rouge1", topics)
