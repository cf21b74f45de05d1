"""Readability and the models that come with the package: what they count, learn and refuse."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summeval
from summeval import Readability
from summeval.learn import signed_ridge as ridge
from summeval.learn.model_file import load_model, save_model
from summeval.metrics.discourse.dicomer import SHIPPED
from summeval.metrics.discourse.readability import FEATURES
from summeval.metrics.discourse.trained import FOLDER, shipped

DIRECTED = np.array([feature.direction for feature in FEATURES.values()])
GOOD = [
    "The mayor opened the new bridge on Monday. It links both banks of the river.",
    "Rain fell for three days. Farmers moved their cattle to higher ground.",
    "Prices rose by two percent in May. Economists had expected less than that.",
]
LOOP = "The mayor opened the bridge the bridge the bridge the bridge. The mayor the"


def examples(seed: int = 1) -> tuple[np.ndarray, np.ndarray, list[int], list[int]]:
    """Texts of 12 topics by 6 systems: the first feature is good, the second marks a good system.

    The directions of `DIRECTIONS` forbid the third to count, which goes with the scores reversed.
    """
    chance = np.random.default_rng(seed)
    topics, systems = np.repeat(np.arange(12), 6), np.tile(np.arange(6), 12)
    rows = chance.normal(size=(72, 3))
    scores = rows[:, 0] + systems + 0.1 * chance.normal(size=72)
    rows[:, 1] = systems + 0.1 * chance.normal(size=72)
    rows[:, 2] = -scores
    return rows, scores, topics.tolist(), systems.tolist()


DIRECTIONS, PENALTIES = np.array([1, 0, 1]), np.ones(3)


def known() -> ridge.Judged:
    rows, scores, topics, systems = (np.asarray(column) for column in examples())
    return ridge.Judged(rows, ridge.ranks_of(scores, topics), topics, systems)


def test_with_one_fold_of_systems_topics_alone_are_held_out() -> None:
    judged = known()
    parts = list(ridge.parts(judged, 4, 1))
    assert len(parts) == 4
    assert all((trained ^ predicted).all() for trained, predicted in parts)
    both = list(ridge.parts(judged, 4, 2))
    assert all(not (trained & predicted).any() for trained, predicted in both)
    assert any((~trained & ~predicted).any() for trained, predicted in both)


def test_a_weight_never_turns_against_its_direction() -> None:
    weights = ridge.fit(known(), DIRECTIONS, PENALTIES, ridge.Setting(1.0, None)).weights
    assert weights[0] > 0 and weights[1] > 0 and weights[2] == 0
    free = ridge.fit(known(), np.zeros(3, dtype=int), PENALTIES, ridge.Setting(1.0, None)).weights
    assert free[2] < 0


def test_no_row_has_less_than_the_floor() -> None:
    weights = ridge.fit(known(), np.zeros(3, dtype=int), PENALTIES, ridge.Setting(1.0, None))
    worst = weights.centre - 9 * weights.scale * np.sign(weights.weights)
    assert weights.values(worst[None]).tolist() == [weights.floor]
    rows = np.random.default_rng(2).normal(size=(1000, 3)) * 9
    assert weights.floor <= weights.values(rows).min()


def test_effects_of_systems_take_what_marks_a_system() -> None:
    plain, mixed = (
        ridge.fit(known(), DIRECTIONS, PENALTIES, ridge.Setting(10.0, effect)).weights
        for effect in (None, 0.1)
    )
    assert abs(mixed[1]) / mixed[0] < abs(plain[1]) / plain[0] / 2


def test_without_directions_the_fit_is_ridge_regression() -> None:
    judged = known()
    strength = 5.0
    found = ridge.fit(judged, np.zeros(3, dtype=int), PENALTIES, ridge.Setting(strength, None))
    table = np.clip((judged.rows - found.centre) / found.scale, -4, 4)
    for topic in range(12):
        table[judged.topics == topic] -= table[judged.topics == topic].mean(axis=0)
    products = table.T @ table + strength * np.eye(3)
    wanted = np.linalg.solve(products, table.T @ judged.ranks)
    np.testing.assert_allclose(found.weights / found.weights[0], wanted / wanted[0], rtol=1e-4)
    values = found.values(judged.rows)
    assert values.mean() == pytest.approx(0, abs=1e-9) and values.std() == pytest.approx(1)


def test_a_feature_counts_for_four_deviations_and_no_more() -> None:
    model = ridge.fit(known(), DIRECTIONS, PENALTIES, ridge.Setting(1.0, None))

    def value(deviations: float) -> float:
        row = model.centre + deviations * model.scale * [1, 0, 0]
        return float(model.values(row[None])[0]) + model.offset

    # Of a single feature: the model is linear up to 4 deviations to each side, and level beyond.
    for deviations, counted in [(1, 1), (3.9, 3.9), (4, 4), (4.1, 4), (50, 4), (-9, -4), (-3, -3)]:
        assert value(deviations) == pytest.approx(counted * model.weights[0])


def test_training_clips_as_values_do() -> None:
    judged = known()
    far = judged.rows.copy()
    far[0, 0] = 1e6  # beyond 4 deviations even of what it itself makes wide
    model = ridge.fit(judged._replace(rows=far), DIRECTIONS, PENALTIES, ridge.Setting(1.0, None))
    values = model.values(far)
    assert values.mean() == pytest.approx(0, abs=1e-9) and values.std() == pytest.approx(1)


def test_held_out_values_come_from_other_topics_and_systems() -> None:
    judged = known()
    setting = ridge.Setting(1.0, None)
    before = ridge.held_out(judged, DIRECTIONS, PENALTIES, setting)
    parts = list(ridge.parts(judged, 4, 4))
    assert sum(asked.sum() for _, asked in parts) == 72
    for trained, asked in parts:
        assert not set(judged.topics[trained]) & set(judged.topics[asked])
        assert not set(judged.systems[trained]) & set(judged.systems[asked])
    trained, asked = parts[0]
    changed = judged._replace(ranks=np.where(trained, judged.ranks, 0))
    after = ridge.held_out(changed, DIRECTIONS, PENALTIES, setting)
    np.testing.assert_array_equal(before[asked], after[asked])


def test_agreement_is_the_mean_of_spearman_over_topics() -> None:
    stats = pytest.importorskip("scipy.stats")
    judged = known()
    values = np.random.default_rng(3).normal(size=72)
    wanted = np.mean(
        [
            stats.spearmanr(values[judged.topics == t], judged.ranks[judged.topics == t])[0]
            for t in range(12)
        ]
    )
    assert ridge.agreement(values, judged) == pytest.approx(wanted)


@cache
def trained() -> Readability:
    """A model of texts that get worse as more of their words are repeated."""
    chance = random.Random(5)
    texts, scores = [], []
    for _ in range(24):
        words = chance.choice(GOOD).split()
        times = chance.randrange(4)
        texts.append(" ".join(words[:8] + words[4:8] * times + words[8:]))
        scores.append(-times)
    topics, systems = [n // 4 for n in range(24)], [n % 4 for n in range(24)]
    return Readability().fit(texts, scores, topics, systems)


def test_it_learns_that_repetition_reads_badly() -> None:
    metric = trained()
    better, worse = metric.predict([GOOD[0], LOOP])
    assert better > worse
    weights = np.array(list(metric.weights.values()))
    assert (weights * DIRECTED >= 0).all() and weights.any()
    assert metric.trained["topics"] == 6 and metric.trained["systems"] == 4


def test_the_shipped_model_has_norms_and_weights_in_each_direction() -> None:
    metric = summeval.metric("readability")
    weights = np.array(list(metric.weights.values()))
    assert list(metric.weights) == list(FEATURES)
    assert (weights * DIRECTED >= 0).all() and (weights != 0).sum() > 10
    content, arrays = load_model(FOLDER / "readability.model", "readability")
    assert set(arrays) == {
        "pairs",
        "mean",
        "spread",
        "least",
        "centre",
        "scale",
        "weights",
        "offset",
    }
    assert all(name in content["note"] for name in ("SummEval", "MSLR", "GUM"))


def test_features_are_deviations_from_texts_of_the_same_length() -> None:
    metric = summeval.metric("readability")
    rows = metric.features(GOOD)
    assert rows.shape == (3, len(FEATURES))
    assert np.abs(rows).max() < 3  # these are as people write
    (loop,) = metric.features([LOOP])
    assert loop[list(FEATURES).index("most_words_within")] > 3
    values = (np.clip(rows, -5, 5) / 1.25) @ list(metric.weights.values())
    offset = load_model(FOLDER / "readability.model", "readability")[1]["offset"]
    np.testing.assert_allclose(metric.predict(GOOD), values - offset, atol=1e-12)


def test_batches_and_single_texts_have_the_same_value() -> None:
    metric = trained()
    texts = [*GOOD, LOOP, "", "cat"]
    batch = metric.predict(texts).tolist()
    assert batch == [metric.predict([each])[0] for each in texts]
    assert batch == [metric.score(each).value for each in texts]
    assert metric.predict([]).tolist() == []


def test_saved_and_loaded_it_says_the_same(tmp_path: Path) -> None:
    metric = trained()
    metric.save(tmp_path / "m", note="cats")
    again = Readability.load(tmp_path / "m")
    assert again.weights == metric.weights and again.signature == metric.signature
    assert again.predict(GOOD).tolist() == metric.predict(GOOD).tolist()
    copy = pickle.loads(pickle.dumps(again))
    assert copy.signature == metric.signature
    assert copy.predict(GOOD).tolist() == metric.predict(GOOD).tolist()
    metric.save(tmp_path / "n", note="cats")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_it_loads_no_parser() -> None:
    program = """
import sys
import summeval
summeval.score("The cat sat on the mat.", metrics=["readability"])
print(sorted({"sklearn", "spacy", "scipy"} & set(sys.modules)))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"


def test_loading_runs_no_code_and_needs_no_extra() -> None:
    program = """
import sys
import summeval
for name in ("readability", "dicomer", "cremer", "coherence-order"):
    summeval.metric(name)
print(sorted({"sklearn", "spacy", "pickle"} & set(sys.modules) - {"pickle"}))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"


def test_files_that_hold_no_such_model_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m"
    trained().save(path)
    content, arrays = load_model(path, "readability")

    def refused(message: str) -> None:
        with pytest.raises(ValueError, match=message) as caught:
            Readability.load(path)
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)

    save_model(path, "dicomer", content, arrays)
    refused("a model of the kind 'dicomer'; give one of 'readability'")
    save_model(path, "readability", {**content, "features": ["x"]}, arrays)
    refused("trained with other features")
    save_model(path, "readability", content, {**arrays, "weights": arrays["weights"][1:]})
    refused("its arrays do not match")
    save_model(path, "readability", content, {**arrays, "scale": arrays["scale"] * np.nan})
    refused("its numbers are not finite")
    save_model(path, "readability", content, {**arrays, "scale": arrays["scale"] * 0})
    refused("its scales are not above 0")
    save_model(path, "readability", content, {**arrays, "least": arrays["least"] * 0})
    refused("its deviations are not above 0")
    for name in ("pairs", "mean", "spread"):
        save_model(path, "readability", content, {**arrays, name: arrays[name][1:]})
        refused("its norms do not match")
    save_model(path, "readability", content, {n: a for n, a in arrays.items() if n != "pairs"})
    refused("it lacks 'pairs'")
    path.write_bytes(b"cats")
    refused("no model file of summeval")


def test_a_shipped_model_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m"
    with zipfile.ZipFile(FOLDER / "readability.model") as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    header = json.loads(parts["model.json"])
    for change, message in (({"version": 2}, "version 2 of the format"), ({"a": 1}, "changed")):
        parts["model.json"] = json.dumps(header | change).encode()
        with zipfile.ZipFile(path, "w") as changed:
            for name, data in parts.items():
                changed.writestr(name, data)
        with pytest.raises(ValueError, match=message):
            summeval.metric("readability", model=path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"featurs": "lin"}, "option of readability"),
        ({"label": ""}, "label is ''"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        summeval.metric("readability", **options)


def test_bad_training_data_is_refused() -> None:
    metric, two = Readability(), GOOD[:2]
    with pytest.raises(ValueError, match="readability is not trained"):
        metric.predict(two)
    with pytest.raises(ValueError, match="no topic has texts of different scores"):
        metric.fit(two, [1, 2], ["a", "b"])
    with pytest.raises(ValueError, match="topics has 1 for 2 texts"):
        metric.fit(two, [1, 2], ["a"])
    with pytest.raises(ValueError, match=r"scores\[1\] is nan"):
        metric.fit(two, [1, float("nan")], ["a", "a"])


def test_every_shipped_model_loads_and_names_its_source() -> None:
    for name, known_features in SHIPPED.items():
        for features in known_features:
            metric = summeval.metric(name, features=features)
            assert metric.name == name and metric.space.features == features
    assert summeval.metric("cremer").dicomer is not None
    for path in FOLDER.glob("*.model"):
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read("model.json"))
        assert "MIT" in header["content"]["note"] or "CC-BY 4.0" in header["content"]["note"]
        assert path.stat().st_size < 200_000


def test_a_text_without_words_has_the_floor() -> None:
    metric = trained()
    found = metric.predict(["", "cats!", "... !"])
    assert found[0] == found[2] == metric.floor < found[1]


def test_a_model_of_ones_own_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    trained().save(tmp_path / "m")
    metric = summeval.metric("readability", model=tmp_path / "m")
    assert metric.weights == trained().weights
    assert shipped("dicomer", tmp_path / "d") == tmp_path / "d"


def test_shipped_models_score_texts() -> None:
    good = "The mayor opened the new bridge on Monday. It links both banks, so traffic should ease."
    bad = "bridge the the. the bridge the bridge the bridge. of the bridge of the bridge the and"
    names = ["readability", "dicomer", "coherence-order", "cremer"]
    table = summeval.score_batch([good, bad, None, ""], [[good]] * 4, metrics=names)
    assert table["readability.value"][0] > table["readability.value"][1]
    assert table["cremer.value"][0] > table["cremer.value"][1]
    assert np.isnan(table["readability.value"][2]) and np.isfinite(table["readability.value"][3])
    for name in names:
        assert table[name][3] == summeval.metric(name).floor < min(table[name][:2])
    assert summeval.score(good, metrics=["readability"])["readability"].value == pytest.approx(
        table["readability.value"][0], abs=0
    )
