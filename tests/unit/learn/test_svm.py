"""The machines of SVM-light: its objective, its defaults, and scikit-learn's conventions."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from shared import CASE_FILES

pytest.importorskip("sklearn")
from every import every
from sklearn.base import clone
from sklearn.svm import SVR
from sklearn.utils.estimator_checks import check_estimator

from summeval.learn.svm import RankSVM, SVMLightRegressor, topic_folds
from summeval.learn.svm_kernels import KERNELS, kernel, least, predict

# From shared/cases/discourse-tesla.json: scikit-learn with SVM-light's defaults spelt out.
CASES = {
    case["id"]: case
    for case in json.loads((CASE_FILES / "discourse.json").read_text(encoding="utf-8"))["cases"]
}
RANKS = CASES["ranksvm_3"]["input"]


@every("name", KERNELS)
@every("seed", range(8))
def test_a_machine_predicts_nothing_below_its_least(name: str, seed: int) -> None:
    """And something near it: the bound is no further off than the grid is coarse."""
    chance = np.random.default_rng(seed)
    vectors = np.column_stack([chance.random(30), chance.normal(size=30) * 2])
    weights, intercept = chance.normal(size=30), float(chance.normal())
    low, high = np.array([0.0, -4.0]), np.array([1.0, 5.0])
    found = least(name, vectors, weights, intercept, ends=[low, high])
    rows = low + (high - low) * chance.random((50_000, 2))
    rows[:20_000] = np.clip(rows[:20_000] * 1.5 - 0.5, low, high)  # edges and corners
    lowest = predict(name, rows, vectors, weights, intercept).min()
    assert found <= lowest
    assert lowest - found < {"linear": 0.1, "poly": 0.02 * abs(lowest) + 0.5, "rbf": 0.1}[name]


def test_far_from_all_that_it_learnt_a_machine_predicts_its_intercept() -> None:
    one, weight = np.array([[0.5, 0.0]]), np.array([2.0])
    assert least("rbf", one, weight, 3.0, ends=[(0, -500), (1, 500)]) == pytest.approx(3, abs=1e-3)
    assert least("rbf", one, -weight, 3.0, ends=[(0, -500), (1, 500)]) == pytest.approx(1, abs=1e-3)
    assert least("rbf", one, weight, 3.0, ends=[(0, -0.1), (1, 0.1)]) == pytest.approx(
        3 + 2 * np.exp(-0.26), abs=1e-3
    )


def objective(machine: RankSVM, X: Any, ranks: Any, qid: Any) -> float:
    """|w|^2 / 2 + C times the hinge losses, pair by pair."""
    w = machine.coef_
    losses = [
        max(0.0, 1 - np.sign(ranks[i] - ranks[j]) * float(w @ np.subtract(X[i], X[j])))
        for i in range(len(X))
        for j in range(i + 1, len(X))
        if qid[i] == qid[j] and ranks[i] != ranks[j]
    ]
    return float(w @ w) / 2 + machine.C_ * sum(losses)


def test_ranking_machine_of_the_case() -> None:
    expected, tolerance = CASES["ranksvm_3"]["expect"], CASES["ranksvm_3"]["tol"]
    given = (RANKS["X"], RANKS["rank"], RANKS["qid"])
    machine = RankSVM().fit(*given)
    assert machine.n_pairs_ == expected["n_pairs"]
    assert pytest.approx(expected["C"], abs=tolerance["C"]) == machine.C_
    assert machine.coef_ == pytest.approx(expected["w"], abs=tolerance["w"])
    assert objective(machine, *given) == pytest.approx(
        expected["objective"], rel=tolerance["objective_rel"]
    )


@pytest.mark.parametrize("name", KERNELS)
def test_regression_of_the_case(name: str) -> None:
    case = CASES["svr_svmlight_defaults_3"]
    expected = case["expect"][name]
    machine = SVMLightRegressor(name).fit(case["input"]["X"], case["input"]["y"])
    assert pytest.approx(expected["C"], abs=1e-9) == machine.C_
    assert machine.predict(case["input"]["X_test"]) == pytest.approx(expected["pred"], abs=1e-4)


@pytest.mark.parametrize("name", KERNELS)
def test_predictions_are_those_of_the_solver(name: str) -> None:
    case = CASES["svr_svmlight_defaults_3"]["input"]
    machine = SVMLightRegressor(name).fit(case["X"], case["y"])
    solver = SVR(kernel=name, degree=3, gamma=1, coef0=1, C=machine.C_, epsilon=0.1, tol=1e-5)
    expected = solver.fit(case["X"], case["y"]).predict(case["X_test"])
    assert machine.predict(case["X_test"]) == pytest.approx(expected, rel=1e-12)


def test_kernels_by_hand() -> None:
    a, b = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])
    assert kernel("linear", a, b).item() == 1
    assert kernel("poly", a, b).item() == 8
    assert kernel("rbf", a, b).item() == pytest.approx(np.exp(-13), rel=1e-12)


def test_sparse_rows_rank_as_dense_ones() -> None:
    X = np.round(np.array(RANKS["X"]) * (np.abs(RANKS["X"]) > 0.3), 3)
    dense = RankSVM().fit(X, RANKS["rank"], RANKS["qid"])
    thin = RankSVM().fit(sparse.csr_matrix(X), RANKS["rank"], RANKS["qid"])
    assert thin.coef_ == pytest.approx(dense.coef_, abs=1e-4)
    assert thin.predict(sparse.csr_matrix(X)) == pytest.approx(dense.predict(X), abs=1e-3)


def test_ranks_of_different_queries_are_not_compared() -> None:
    X, ranks = [[0.0], [1.0], [5.0], [4.0]], [1, 2, 1, 2]
    assert RankSVM().fit(X, ranks, ["a", "a", "b", "b"]).n_pairs_ == 2
    assert RankSVM().fit(X, ranks).n_pairs_ == 4


@pytest.mark.parametrize("turn", [1, -1])
def test_the_order_of_rows_does_not_matter(turn: int) -> None:
    X, ranks, qid = (np.array(RANKS[name]) for name in ("X", "rank", "qid"))
    some = np.argsort(turn * ranks, kind="stable")  # all pairs have one sign
    machine = RankSVM().fit(X[some], ranks[some], qid[some])
    assert machine.coef_ == pytest.approx(RankSVM().fit(X, ranks, qid).coef_, abs=1e-4)


def test_a_single_pair_has_its_closed_form() -> None:
    machine = RankSVM(C=10.0).fit([[1.0, 0.0], [0.0, 0.5]], [1, 2])
    assert machine.coef_ == pytest.approx(np.array([-1.0, 0.5]) / 1.25)
    assert RankSVM(C=0.1).fit([[2.0], [4.0]], [1, 2]).coef_ == pytest.approx([0.2])


def test_rows_that_are_alike_teach_nothing() -> None:
    machine = RankSVM().fit([[1.0], [1.0], [1.0]], [1, 2, 3])
    assert (machine.C_, machine.coef_.tolist()) == (1.0, [0.0])


def test_cross_validation_takes_the_c_that_orders_unseen_topics_best() -> None:
    machine = RankSVM(C="cv").fit(RANKS["X"], RANKS["rank"], RANKS["qid"])
    best = max(machine.cv_scores_.values())
    assert min(c for c, score in machine.cv_scores_.items() if score == best) == machine.C_
    plain = RankSVM(C=machine.C_)
    held = []
    for part in topic_folds(RANKS["qid"], 3):
        X, ranks, qid = (np.array(RANKS[name]) for name in ("X", "rank", "qid"))
        plain.fit(X[~part], ranks[~part], qid[~part])
        pairs = [
            (a, b)
            for a in np.flatnonzero(part)
            for b in np.flatnonzero(part)
            if ranks[a] > ranks[b]
        ]
        scores = X @ plain.coef_
        held += [scores[a] > scores[b] for a, b in pairs]
    assert machine.cv_scores_[machine.C_] == pytest.approx(np.mean(held))


def test_regression_chooses_c_by_topics() -> None:
    case = CASES["svr_svmlight_defaults_3"]["input"]
    topics = RANKS["qid"]
    machine = SVMLightRegressor("linear", C="cv").fit(case["X"], case["y"], topics)
    errors = []
    for part in topic_folds(topics, 3):
        X, y = np.array(case["X"]), np.array(case["y"])
        plain = SVMLightRegressor("linear", C=machine.C_).fit(X[~part], y[~part])
        errors += ((plain.predict(X[part]) - y[part]) ** 2).tolist()
    assert min(machine.cv_scores_.values()) == pytest.approx(np.mean(errors), rel=1e-6)


def test_scoring_counts_half_for_ties() -> None:
    machine = RankSVM().fit([[0.0], [1.0]], [1, 2])
    assert machine.score([[0.0], [1.0], [1.0]], [1, 2, 3]) == pytest.approx(2.5 / 3)


@pytest.mark.parametrize(
    ("made", "given", "message"),
    [
        (RankSVM(), ([[1.0], [2.0]], [1, 1]), r"no query has rows of different ranks \(n_samples"),
        (RankSVM(), ([[1.0], [2.0]], [1, 2], [1, 2]), "nothing to learn"),
        (RankSVM(), ([[1.0], [2.0]], [1, 2], [1]), r"topics have the shape \(1,\) for 2 rows"),
        (RankSVM(C=0.0), ([[1.0], [2.0]], [1, 2]), "C is 0.0; give a number above 0"),
        (RankSVM(C="best"), ([[1.0], [2.0]], [1, 2]), "C is 'best'; choose from 'cv'"),
        (RankSVM(C="cv"), ([[1.0], [2.0]], [1, 2]), "1 topic; to hold topics out there must be"),
        (RankSVM(C="cv", folds=1), ([[1.0], [2.0]], [1, 2]), "folds is 1; give a number from 2"),
        (RankSVM(C="cv", grid=[-1]), ([[1.0], [2.0]] * 2, [1, 2] * 2, [1, 1, 2, 2]), "grid is -1"),
        (SVMLightRegressor("cubic"), ([[1.0]], [1.0]), "kernel is 'cubic'; choose from 'linear'"),
        (SVMLightRegressor(C="cv"), ([[1.0], [2.0]], [1, 2]), "1 topic; to hold topics out"),
        (SVMLightRegressor(C=True), ([[1.0], [2.0]], [1, 2]), "C is True; give a number above 0"),
    ],
)
def test_bad_input_is_named(made: Any, given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        made.fit(*given)


def test_parameters_clone() -> None:
    machine = clone(SVMLightRegressor("poly", C="cv", folds=4))
    assert machine.get_params()["kernel"] == "poly"
    assert machine.get_params()["folds"] == 4
    assert clone(RankSVM(C=3.0)).set_params(tol=0.1).get_params()["tol"] == 0.1


@pytest.mark.parametrize("made", [RankSVM(), *map(SVMLightRegressor, KERNELS)], ids=str)
def test_conventions_of_scikit_learn(made: Any) -> None:
    # The second argument of RankSVM is called ranks, as in the learning-to-rank interfaces.
    named = ("check_fit_score_takes_y", "check_n_features_in_after_fitting")
    failing = dict.fromkeys(named, "called ranks") if isinstance(made, RankSVM) else {}
    done = check_estimator(made, expected_failed_checks=failing, on_skip=None)
    assert {check["check_name"] for check in done if check["status"] == "xfail"} == set(failing)
    assert sum(check["status"] == "passed" for check in done) > 30


def test_without_scikit_learn_the_error_names_the_install_line() -> None:
    program = """
import sys
sys.modules["sklearn"] = None
try:
    import summeval.learn.svm
except ImportError as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'summeval[learn]'" in ran.stdout


@pytest.mark.parametrize("given", [[1.0], 1j, "3", True, 0, float("nan")])
def test_a_cost_that_is_no_number_above_0_is_named(given: object) -> None:
    for machine in (RankSVM(C=given), SVMLightRegressor(C=given)):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"^C is "):
            machine.fit([[0.0], [1.0], [3.0]], [0.0, 1.0, 2.0])


def test_the_least_of_a_line_is_below_its_ends_by_rounding() -> None:
    one, weight = np.array([[1.0, 2.0]]), np.array([100.0])
    found = least("linear", one, weight, 50.0, ends=[(0.0, -1.0), (1.0, 1.0)])
    assert -150.0 - found == pytest.approx(1e-9 * (100 + 50), rel=1e-3)
