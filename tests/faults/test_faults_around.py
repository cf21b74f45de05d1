"""Faults outside a run: disks, folders, other runs, inputs, clocks, homes, processes."""

import gzip
import itertools
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from children import in_child, needs_fork, rows, run, score_texts

from summeval.cli.main import main

__all__ = ["rows"]

OPTIONS = ["-m", "rouge1", "--on-error", "skip", "-o"]
FORMS = ["jsonl", "jsonl.gz", "csv", "parquet", "arrow"]


def need_arrow(form: str) -> None:
    if form in ("parquet", "arrow"):
        pytest.importorskip("pyarrow.parquet")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.endswith(".signatures")}


@needs_fork
@pytest.mark.parametrize("form", FORMS)
def test_a_disk_that_is_full_at_any_size_is_one_line_and_the_run_resumes(tmp_path, rows, form):
    """A limit on the size of a file stands for the full disk."""
    need_arrow(form)
    whole, out = tmp_path / f"whole.{form}", tmp_path / f"out.{form}"
    assert in_child(lambda: run(rows, *OPTIONS, whole)).status == 0

    resource = pytest.importorskip("resource")

    def limited(most: int) -> int:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        return run(rows, *OPTIONS, out, "--resume")

    for most in (0, 100, 700, 1200, 2000):
        done = in_child(lambda most=most: limited(most))
        if done.status:
            assert done.status == 1
            line = done.err.splitlines()[-1]
            assert "file too large; raise the file size limit or write elsewhere" in line.lower()
            assert not out.exists()
    assert in_child(lambda: run(rows, *OPTIONS, out, "--resume")).status == 0
    assert out.read_bytes() == whole.read_bytes()
    assert names(tmp_path) == {rows.name, whole.name, out.name, f".{out.name}.manifest"}


@needs_fork
@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_a_folder_that_cannot_be_written_is_one_line(rows, resume):
    folder = Path(tempfile.mkdtemp())
    try:
        copy = folder / "rows.jsonl"
        shutil.copy(rows, copy)
        folder.chmod(0o555)

        def as_another() -> int:
            if os.geteuid() == 0:  # whom permissions do not stop
                os.setgroups([])
                os.setgid(12345)
                os.setuid(12345)
            return run(copy, *OPTIONS, folder / "out.jsonl", *resume)

        done = in_child(as_another)
        assert done.status == 1
        assert done.err == (
            f"summeval: {folder}/out.jsonl: folder {folder} is not writable; choose another\n"
        )
        assert names(folder) == {"rows.jsonl"}
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@needs_fork
def test_runs_that_start_at_once_do_not_mix(tmp_path, rows):
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    assert in_child(lambda: run(rows, *OPTIONS, whole)).status == 0
    for resume in ([], ["--resume"]):
        children = []
        for _ in range(5):
            child = os.fork()
            if not child:
                sys.stderr = open(os.devnull, "w")  # noqa: SIM115
                os._exit(run(rows, *OPTIONS, out, *resume))
            children.append(child)
        found = {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children}
        assert 0 in found and found <= {0, 1}
        assert out.read_bytes() == whole.read_bytes()
        assert names(tmp_path) <= {rows.name, whole.name, out.name, f".{out.name}.manifest"}
        out.unlink()


@pytest.mark.parametrize("form", FORMS)
def test_an_input_that_is_cut_off_is_one_line_and_leaves_nothing(tmp_path, capsys, form):
    need_arrow(form)
    found = [{"id": n, "candidate": f"cat {n}\nsat", "references": f"a {n}"} for n in range(99)]
    plain = tmp_path / "plain.jsonl"
    plain.write_text("".join(json.dumps(row) + "\n" for row in found))
    path, out = tmp_path / f"rows.{form}", tmp_path / "out.jsonl"
    if form == "jsonl":
        path.write_bytes(plain.read_bytes())
    elif form == "jsonl.gz":
        path.write_bytes(gzip.compress(plain.read_bytes()))
    elif form == "csv":
        cells = [f'{row["id"]},"{row["candidate"]}",{row["references"]}\n' for row in found]
        path.write_text("id,candidate,references\n" + "".join(cells))
    else:
        main(["score", str(plain), "-m", "rouge1", "--keep-text", "-o", str(path)])
    data = path.read_bytes()
    plain.unlink()
    capsys.readouterr()
    refused = 0
    for part in range(1, 20):
        path.write_bytes(data[: len(data) * part // 20])
        status = main(["score", str(path), "-m", "rouge1", "-o", str(out)])
        lines = capsys.readouterr().err.splitlines()
        if not status:  # a row may have lost its reference
            lines = [line for line in lines if not line.endswith("rows got null scores")]
        assert (status, len(lines)) in ((1, 1), (0, 0))
        refused += status
        if status:
            assert lines[0].startswith(f"summeval: {path}") and "; " in lines[0]
            assert names(tmp_path) == {path.name}
        else:  # it ended with a row
            assert len(out.read_text().splitlines()) <= 99
            out.unlink()
    assert refused > 10


def test_a_clock_that_steps_back_changes_nothing(tmp_path, rows, monkeypatch, capsys):
    def score(name: str) -> bytes:
        assert main(["score", str(rows), *OPTIONS, str(tmp_path / name), "--means"]) == 0
        return (tmp_path / name).read_bytes()

    right, said = score("right.jsonl"), capsys.readouterr()
    for clock in ("time", "monotonic", "perf_counter"):
        back = itertools.count(10**6, -1000)
        monkeypatch.setattr(time, clock, lambda back=back: float(next(back)))
    assert score("wrong.jsonl") == right
    assert capsys.readouterr() == said


def test_rows_of_tomorrow_and_of_long_ago_are_rows(tmp_path, rows, capsys):
    for when in (0, 2**33):
        os.utime(rows, (when, when))
        command = ["score", str(rows), *OPTIONS, str(tmp_path / f"{when}.jsonl"), "--resume"]
        assert (main(command), main(command)) == (0, 0)
        assert "already finished" in capsys.readouterr().err


def bare(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process with nothing else in its environment."""
    found = {name: value for name, value in os.environ.items() if name in ("PYTHONPATH", "PATH")}
    return subprocess.run(
        [sys.executable, "-m", "summeval.cli.main", *map(str, arguments)],
        env=found | environment,
        capture_output=True,
        check=False,
    )


def test_without_a_home_and_in_the_locale_c_nothing_changes(tmp_path):
    path = tmp_path / "Zürich 東京.jsonl"
    row = {"id": "Zürich", "candidate": "Zürich 東京", "references": "Zürich", "n": "é"}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n" + '{"id": "ü"}\n', encoding="utf-8")
    outputs = set()
    for environment in (
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LC_ALL": "C.UTF-8", "HOME": str(tmp_path)},
    ):
        done = bare("score", path, "-m", "rouge1", "--on-error", "skip", **environment)
        assert done.returncode == 0, done.stderr
        assert done.stderr.splitlines()[-1] == b"summeval: 1 of 2 rows got null scores"
        out = tmp_path / "aus é.jsonl"
        done = bare("score", path, *OPTIONS, out, "--means", "--resume", **environment)
        assert done.returncode == 0, done.stderr
        outputs.add(out.read_bytes())
        done = bare("score", path, "-m", "rouge1", **environment)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        for made in (out, tmp_path / ".aus é.jsonl.manifest"):
            made.unlink()
    assert len(outputs) == 1


@pytest.mark.parametrize("way", multiprocessing.get_all_start_methods())
def test_processes_of_each_kind_score_with_workers(way):
    right = score_texts(3)  # threads before the fork
    context = multiprocessing.get_context(way)
    with context.Pool(2) as pool:
        assert pool.map(score_texts, [1, 2, 4]) == [right] * 3
    assert score_texts(2) == right


FORKS = """
import os, signal, sys, threading, time
import summeval
from summeval.interop.shaping import Cache

kept = Cache(summeval.suite(["rouge1"]).prepare, 4)

def work(number):
    for most in range(number, number + 20):
        metric = summeval.Rouge("rouge1", max_words=most)
        metric.score_batch(["the cat sat"] * 20, ["a cat sat"] * 20)
        summeval.suite([metric, "rougeL"]).score("the cat", "a cat")
        kept.get(f"the cat {most}", None)
    if number % 5 == 0:  # imports modules the first time
        for name in summeval.list_metrics()[number % 7 :: 7]:
            summeval.metrics.registry.class_of(name)

def keep_on(number):
    while True:
        number += 20
        work(number)

for number in range(4):
    threading.Thread(target=keep_on, args=[1000 * number + 1], daemon=True).start()
for number in range(50):
    time.sleep(0.003 * (number % 7))
    child = os.fork()
    if not child:
        signal.alarm(60)  # a child that hangs ends by this signal
        work(5 * number)
        os._exit(7)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 7:
        sys.exit(f"child {number} ended with {status}")
"""


@needs_fork
@pytest.mark.slow
def test_a_fork_beside_threads_that_make_metrics_does_not_hang():
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


FIRST_USE = """
import os, signal, sys, threading, time
from summeval import metric

def work(number):
    metric("rouge1", max_words=number + 1).score_batch(["a b c"] * 3, ["a b"] * 3)

for number in range(4):
    threading.Thread(target=work, args=[number]).start()
time.sleep(float(sys.argv[1]))
child = os.fork()
if not child:
    signal.alarm(60)
    work(9)
    os._exit(7)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@needs_fork
@pytest.mark.parametrize("after", [0, 0.01, 0.03, 0.06])
def test_a_fork_while_other_threads_import_what_a_metric_needs_does_not_hang(after):
    quiet = ["-W", "ignore::DeprecationWarning"]  # of fork, since Python 3.12
    command = [sys.executable, *quiet, "-c", FIRST_USE, str(after)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (7, b"")


# Each thread has scored once before: a thread that still imports when the interpreter ends crashes
# CPython 3.11, whose import lock is gone by then.
ENDS = {
    **{
        f"threads that score on, {after} ms": f"""
import threading, time, summeval
began = threading.Barrier(5)
def score(workers):
    metric, text = summeval.metric("rougeL"), "the cat sat " * 3000
    metric.score_batch(["a"], ["a"], workers=workers), metric.score("a", "a")
    began.wait()
    while True:
        metric.score(text, text + "down")
        metric.score_batch([text[:600]] * 2000, [text[:300]] * 2000, workers=workers)
for workers in (1, 2, 1, 2):
    threading.Thread(target=score, args=[workers], daemon=True).start()
began.wait()
time.sleep({after} / 1000)
"""
        for after in range(0, 60, 3)
    },
    "a call at exit": """
import atexit, summeval
atexit.register(lambda: summeval.score_batch(["a"] * 99, ["a"] * 99, ["rouge1"], workers=2))
summeval.score_batch(["a"] * 99, ["a"] * 99, ["rouge1"], workers=2)
""",
    "an object that scores when it goes": """
import summeval
class Late:
    def __del__(self, suite=summeval.suite(["rouge1"])):
        suite.score("a", "a")
late = Late()
""",
    "an output that is not closed": """
import sys, summeval.io.output
output = summeval.io.output.open_output(sys.argv[1] + "/out.jsonl", {"a": 1})
output.write(b"x", {})
sys.exit()
""",
}


@pytest.mark.parametrize("name", ENDS)
def test_an_interpreter_that_shuts_down_during_a_run_ends_quietly(tmp_path, name):
    done = subprocess.run(
        [sys.executable, "-c", ENDS[name], str(tmp_path)], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert not (tmp_path / "out.jsonl").exists()
