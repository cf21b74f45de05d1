"""`summeval bench solvers`: its measurements, failures and refusals."""

import itertools
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from summeval.cli.bench import solvers as command
from summeval.cli.main import main
from summeval.solvers import SolverError
from summeval.solvers import result as registry
from summeval.solvers.assignment import solve_with_kernel
from summeval.solvers.bench import (
    FAMILIES,
    KERNEL,
    Group,
    defaults,
    make_group,
    measure,
    measure_apart,
    read_groups,
    split,
)
from summeval.solvers.weights import Weights

TINY = [
    {"shape": [2, 3], "edges": [[0, 1, 0.5], [0, 2, 0.4], [1, 1, 0.9]], "family": "sparse"},
    {"shape": [0, 0], "edges": [], "family": "sparse"},
    {"weights": [[0.5, -1, 0.2], [0.6, 0.1, 0]], "family": "dense"},
    {"weights": [[1, 0.5]], "supply": [1], "demand": [0.1, 0.01], "family": "plan"},
    {"shape": [2, 2], "edges": [[1, 0, 1]], "supply": [1, 0.1], "demand": [1, 0], "family": "plan"},
]


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(TINY))
    return str(path)


@pytest.fixture
def back_end(monkeypatch):
    """Registers a back end for assignment while the test runs."""

    def add(name, run, **rest):
        end = registry.BackEnd(run, **rest)
        monkeypatch.setitem(registry._BACK_ENDS["assignment"], name, end)

    return add


def rows_of(groups, chosen, rounds=1):
    return [row for rows in measure(groups, chosen, rounds) for row in rows]


def test_kernel_scipy_and_highs_answer_the_same_problems_without_failure():
    rows = rows_of(read_groups(json.dumps(TINY).encode()), ["kernel", "scipy", "highs"], 2)
    assert {(row.family, row.solver) for row in rows} == {
        (family, solver)
        for family, batches in (("sparse", True), ("dense", False), ("plan", False))
        for solver in ("kernel", "scipy", "highs", *["kernel-batch"] * batches)
    }
    assert [row.message for row in rows if row.failures] == []
    assert all(row.rounds == 2 and row.seconds > 0 and row.ratio > 0 for row in rows)
    assert {row.ratio for row in rows if row.solver == "kernel"} == {1.0}
    assert {row.gain for row in rows} == {None}


def test_gains_are_over_a_new_highs_for_each_problem():
    rows = rows_of(read_groups(json.dumps(TINY).encode()), ["highs-default"])
    assert [row.message for row in rows if row.failures] == []
    seconds = {row.family: row.seconds for row in rows if row.solver == "highs-default"}
    assert [row.gain for row in rows] == [seconds[row.family] / row.seconds for row in rows]


@pytest.mark.parametrize("problem", FAMILIES)
def test_batches_of_seeded_families_are_measured_and_checked(problem):
    (rows,) = measure([make_group(problem, next(iter(FAMILIES[problem])), limit=3)], ["kernel"], 1)
    assert [(row.solver, row.problems, row.failures) for row in rows] == [
        ("kernel", 3, 0),
        ("kernel-batch", 3, 0),
    ]


def test_a_wrong_value_is_counted_as_wrong(back_end):
    back_end("liar", lambda w: replace(solve_with_kernel(w), value=1e6))
    (row,) = (
        row for row in rows_of([make_group("assignment", "sparse-hard", 2)], ["liar"])
        if row.solver == "liar"
    )  # fmt: skip
    assert (row.wrong, row.refused, row.errors) == (2, 0, 0)
    assert "gap" in row.message


def test_a_matching_that_is_not_best_is_wrong_though_it_states_its_value_without_prices(back_end):
    def idle(weights):
        best = solve_with_kernel(weights)
        return replace(
            best, value=0.0, rows=best.rows[:0], columns=best.columns[:0],
            row_prices=None, column_prices=None,
        )  # fmt: skip

    back_end("idle", idle)
    rows = rows_of([make_group("assignment", "sparse-hard", 2)], ["idle"])
    assert [row.wrong for row in rows if row.solver == "idle"] == [2]


@pytest.mark.parametrize(
    ("error", "counts"), [(SolverError("gave up"), (0, 1, 0)), (KeyError("x"), (0, 0, 1))]
)
def test_exceptions_are_counted_and_leave_no_time(back_end, error, counts):
    def stop(weights):
        if weights.shape == (2, 3):
            raise error
        return solve_with_kernel(weights)

    back_end("stop", stop)
    problems = [(Weights(shape, dense=np.ones(shape)),) for shape in ((1, 1), (2, 3))]
    rows = rows_of([Group("assignment", "two", problems)], ["stop"])
    (row,) = (row for row in rows if row.solver == "stop")
    assert (row.wrong, row.refused, row.errors) == counts
    assert row.seconds is None and row.ratio is None
    assert row.message.startswith("problem 1: ")


def test_back_ends_that_clash_do_not_share_a_process(back_end, monkeypatch):
    back_end("one", solve_with_kernel, clashes=("pytest",))
    assert split("assignment", ["scipy", "one"]) == (["scipy"], ["one"])
    monkeypatch.delitem(sys.modules, "highspy", raising=False)
    monkeypatch.delitem(sys.modules, "ortools", raising=False)
    assert split("assignment", ["highs", "ortools"]) == (["highs"], ["ortools"])
    assert split("assignment", ["ortools", "highs"]) == (["ortools"], ["highs"])
    assert split("assignment", ["ortools"]) == (["ortools"], [])


def test_a_process_of_its_own_gives_the_row_of_the_method_alone():
    (row,) = measure_apart(make_group("assignment", "sparse-hard", 2), "scipy", 1)
    assert (row.solver, row.alone, row.problems, row.failures) == ("scipy", True, 2, 0)
    assert row.ratio > 0


def test_where_a_process_dies_all_its_problems_are_errors():
    (row,) = measure_apart(make_group("assignment", "sparse-hard", 2), "nobody", 1)
    assert (row.solver, row.alone, row.errors, row.seconds) == ("nobody", True, 2, None)
    assert row.message.startswith("its process ended with 1: ValueError: unknown solver")


def test_the_command_prints_a_table_and_writes_json(tiny, tmp_path, capsys):
    out = tmp_path / "out.json"
    options = ["--instances", tiny, "--solvers", "scipy", "--rounds", "1", "--json", str(out)]
    assert main(["bench", "solvers", *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    table = [line.split()[:2] for line in lines[1 : lines.index("")]]
    assert table == [
        ["sparse", "kernel"], ["sparse", "kernel-batch"], ["sparse", "scipy"],
        ["dense", "kernel"], ["dense", "scipy"],
        ["plan", "kernel"], ["plan", "scipy"],
    ]  # fmt: skip
    report = json.loads(out.read_text())
    assert set(report) == {"date", "machine", "versions", "rows"}
    assert {"summeval", "python", "numpy", "scipy", "highspy"} <= set(report["versions"])
    assert [[row["family"], row["solver"]] for row in report["rows"]] == table
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("out")] == ["out.json"]


def test_wrong_answers_are_shown_and_end_with_status_1(back_end, tiny, capsys):
    back_end("liar", lambda w: replace(solve_with_kernel(w), value=1e6))
    options = ["--instances", tiny, "--problem", "assignment", "--rounds", "1"]
    assert main(["bench", "solvers", *options, "--solvers", "liar"]) == 1
    printed = capsys.readouterr().out
    assert "2w of 2" in printed and "sparse, liar: problem 0: off by" in printed


def test_rows_of_a_process_of_its_own_are_marked(capsys):
    (row,) = measure_apart(make_group("assignment", "sparse-hard", 1), "scipy", 1)
    assert "scipy*" in command._table([row], 12)[0]
    assert "* in a separate process with the kernel: scipy" in command._notes([row])


def test_limit_and_families_choose_what_is_measured(capsys):
    options = ["--families", "sparse-hard,tesla-60-1-graded", "--limit", "2", "--rounds", "1"]
    assert main(["bench", "solvers", *options, "--solvers", "kernel", "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {(row["problem"], row["family"], row["problems"]) for row in rows} == {
        ("assignment", "sparse-hard", 2),
        ("transport", "tesla-60-1-graded", 2),
    }


def test_help_lists_the_families_and_marks_those_measured_unasked(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["bench", "solvers", "--help"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    for problem, families in FAMILIES.items():
        for name in families:
            assert f"  {name}{' *' * (name in defaults(problem))}" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solvers", "--rounds", "0"], "--rounds is 0; give at least 1"),
        (["solvers", "--limit", "-1"], "--limit is -1; give at least 1"),
        (["solvers", "--rounds", "x"], "invalid int value: 'x'"),
        (["solvers", "--families", "tesla-60"], "unknown family 'tesla-60'; did you mean"),
        (["solvers", "--families", ","], "--families is empty"),
        (["solvers", "--solvers", "kernal"], "unknown solver 'kernal'; did you mean kernel?"),
        (["solvers", "--problem", "knapsack"], "invalid choice: 'knapsack'"),
        (["solvers", "--instances", "a", "--families", "b"], "cannot be combined"),
        (["solvers", "--plot", "nowhere/out.png"], "--plot: folder nowhere does not exist"),
        (["solvers", "--json", "nowhere/out.json"], "--json: folder nowhere does not exist"),
        (["solvers", "--plot", "out.txt"], "unknown extension; use .png, .svg or .pdf"),
        (["solver"], "invalid choice: 'solver'"),
        ([], "required: WHAT"),
    ],
)
def test_bad_arguments_are_told_in_one_line(arguments, message, capsys):
    assert main(["bench", *arguments]) == 2
    told = capsys.readouterr().err
    assert message in told and told.count("\n") == 1


def test_a_back_end_that_is_not_installed_is_told(back_end, capsys):
    back_end("absent", solve_with_kernel, package="no-such-package-of-solvers")
    assert main(["bench", "solvers", "--solvers", "absent"]) == 2
    assert "pip install no-such-package-of-solvers" in capsys.readouterr().err


def test_a_plot_without_matplotlib_names_the_extra(monkeypatch, capsys):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    assert main(["bench", "solvers", "--plot", "out.png"]) == 2
    assert "pip install summeval[report]" in capsys.readouterr().err


def test_the_plot_is_an_image(tiny, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra report is not installed")
    path = tmp_path / "out.png"
    options = ["--instances", tiny, "--solvers", KERNEL, "--rounds", "1", "--plot", str(path)]
    assert main(["bench", "solvers", *options]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (b"[", "not JSON"),
        (b"{}", "not a list of problems"),
        (b'{"weights": [[1]]}', "not a list of problems"),
        (b"[]", "not a list of problems"),
        (b"[1]", "problem 0: no object"),
        (b'[{"weights": [[1]]}, {}]', "problem 1: give weights, or shape and edges"),
        (b'[{"weights": [[NaN]]}]', "problem 0: weights[0, 0] is nan"),
        (b'[{"weights": [[1]], "supply": [1]}]', "give supply and demand, or neither"),
        (b'[{"weights": [[1]], "supply": [-1], "demand": [1]}]', "supply[0] is -1.0"),
        (b'[{"weights": [[1]], "wieghts": 1}]', "'wieghts' is an unknown member"),
        (b'[{"shape": [1, 1], "edges": [[0, 1]]}]', "edges is not a list of [row, column, weight]"),
        (b'[{"shape": [1, 1], "edges": [[0.5, 0, 1]]}]', "row holds float64; give integers"),
        (b'[{"shape": [1], "edges": []}]', "shape is [1]; give [rows, columns]"),
        (b'[{"shape": [1, 1], "edges": [[0, 0, 1], [0, 0, 1]]}]', "is given twice"),
        (b'[{"shape": [1, 1], "edges": [[0, 7, 1]]}]', "problem 0: "),
        (b'[{"shape": [1, 1], "edges": [[0, 0, "a"]]}]', "problem 0: "),
        (b'[{"weights": [[1]], "family": 3}]', "its family is not a string"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_one_line(document, message, tmp_path, capsys):
    path = tmp_path / "bad.json"
    path.write_bytes(document)
    assert main(["bench", "solvers", "--instances", str(path)]) == 1
    told = capsys.readouterr().err
    assert f"summeval: {path}: " in told and message in told and told.count("\n") == 1


def test_a_file_without_problems_of_the_kind_asked_for_is_told(tmp_path, capsys):
    path = tmp_path / "plans.json"
    path.write_text(json.dumps(TINY[:3]))
    assert main(["bench", "solvers", "--instances", str(path), "--problem", "transport"]) == 1
    assert "holds no transport problems" in capsys.readouterr().err


def test_the_clock_of_the_processor_is_told_and_reaches_other_processes(tiny, capsys):
    options = ["--instances", tiny, "--solvers", "kernel", "--rounds", "1", "--clock", "cpu"]
    assert main(["bench", "solvers", *options]) == 0
    assert "Medians of cpu time for one problem." in capsys.readouterr().out
    (row,) = measure_apart(make_group("assignment", "sparse-hard", 2), "scipy", 1, "cpu")
    assert (row.clock, row.seconds > 0) == ("cpu", True)


@pytest.mark.parametrize("largest", [60, 90, 600, 3_000, 50_000, 1_000_000])
def test_the_sizes_on_the_plot_do_not_run_into_each_other(largest):
    pytest.importorskip("matplotlib", reason="the extra report is not installed")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.8), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    panel = figure.subplots()
    panel.plot([60, largest], [1, 1], "o")
    panel.set(xscale="log")
    command._label_sizes(panel.xaxis, largest / 60)
    canvas.draw()
    labels = [*panel.get_xticklabels(), *panel.get_xticklabels(minor=True)]
    low, high = panel.get_xlim()
    boxes = [
        label.get_window_extent()
        for label in labels
        if label.get_text() and low <= label.get_position()[0] <= high
    ]
    boxes.sort(key=lambda box: box.x0)
    assert boxes
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))


def test_groups_of_both_problems_are_told_apart(tmp_path, capsys):
    path = tmp_path / "both.json"
    path.write_text(
        json.dumps([{"weights": [[1]]}, {"weights": [[1]], "supply": [1], "demand": [2]}])
    )
    options = ["--instances", str(path), "--solvers", "kernel", "--rounds", "1"]
    assert main(["bench", "solvers", *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["file-assignment", "file-transport"]
