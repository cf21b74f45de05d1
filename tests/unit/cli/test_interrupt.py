"""Runs of the command in a process of its own, cut off by signals, full disks and closed pipes.

`drive` ends the run itself, with a real signal, after a number of chunks: nothing here waits.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from driver import DRIVER, drive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    lines = [{"id": n, "candidate": f"cat {n}", "references": ["a cat", str(n)]} for n in range(90)]
    lines[70]["candidate"] = 3
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.csv"])
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9), (signal.SIGTERM, 143)]
)
def test_a_run_that_was_cut_off_leaves_no_output_and_resumes(rows, tmp_path, name, number, status):
    command = ["score", rows, "-m", "rouge1,rougeL", "--on-error", "skip", "--means", "-o"]
    whole = drive(*command, tmp_path / f"whole-{name}")
    out = tmp_path / name
    done = drive(*command, out, number=number, after=4)
    assert done.returncode == status
    assert not out.exists()
    said = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}.get(number)
    if said:
        assert done.stderr == f"summeval: {said}; run the same command with --resume to continue\n"
    done = drive(*command, out, "--resume", number=number, after=3)
    assert done.returncode == status
    assert not out.exists()
    done = drive(*command, out, "--resume")
    assert done.returncode == 0
    assert out.read_bytes() == (tmp_path / f"whole-{name}").read_bytes()
    assert (done.stdout, done.stderr) == (whole.stdout, whole.stderr)
    left = {p.name for p in tmp_path.iterdir() if not p.name.endswith(".signatures")}
    assert left == {"rows.jsonl", name, f"whole-{name}", f".{name}.manifest"}


def test_a_resumed_run_does_not_score_again_what_is_done(rows, tmp_path):
    command = ["score", rows, "--on-error", "skip", "-o", tmp_path / "out.jsonl"]
    chunks = -(-rows.stat().st_size // 400) + 2
    assert drive(*command, number=signal.SIGINT, after=10).returncode == 130
    assert drive(*command, "--resume", number=signal.SIGKILL, after=chunks - 10).returncode == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 90


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (["-m", "rouge2"], "choice of metrics"),
        (["--option", "rouge1.stemmer=porter"], "choice of metrics"),
        (["--keep-text"], "set of options"),
        ("touch", "input file"),
    ],
)
def test_another_run_is_not_resumed(rows, tmp_path, change, named):
    command = ["score", rows, "--on-error", "skip", "-o", tmp_path / "out.jsonl"]
    drive(*command, "-m", "rouge1", number=signal.SIGINT, after=4)
    if change == "touch":
        os.utime(rows, ns=(1, 1))
        change = []
    done = drive(*command, "-m", "rouge1", *change, "--resume")
    assert done.returncode == 1
    assert f"cannot resume: the interrupted run had another {named}" in done.stderr


def test_an_interrupted_run_over_standard_input_leaves_nothing(rows, tmp_path):
    line = [sys.executable, "-c", DRIVER, "400", "2", "3", "score", "-", "-o", "out.jsonl"]
    with open(rows, "rb") as file:
        done = subprocess.run(
            line, stdin=file, capture_output=True, check=False, text=True, cwd=tmp_path
        )
    assert done.returncode == 130
    assert done.stderr == "summeval: interrupted\n"
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_an_interrupted_run_to_standard_output_promises_nothing(rows):
    done = drive("score", rows, number=signal.SIGINT, after=2)
    assert done.returncode == 130
    assert done.stderr == "summeval: interrupted\n"
    assert len(done.stdout.splitlines()) > 0


def test_a_bad_row_late_in_the_file_leaves_nothing(rows, tmp_path):
    done = drive("score", rows, "-o", tmp_path / "out.jsonl")
    assert done.returncode == 1
    assert "rows.jsonl:71 (id 70): 'candidate' is a number" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
@pytest.mark.parametrize("through", ["-", "/dev/full"])
def test_a_full_disk_is_one_line(rows, through):
    line = [sys.executable, "-m", "summeval.cli.main", "score", str(rows), "--on-error", "skip"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*line, "-o", through], stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )
    assert done.returncode == 1
    (message,) = done.stderr.splitlines()
    assert "no space left on device; free some space or write elsewhere" in message


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["metrics", "--fields"],
        ["demo"],
        ["score", "rows.jsonl", "--on-error", "skip", "-o", "/dev/null", "--means"],
        ["score", "--help"],
        ["--help"],
        ["--version"],
    ],
)
def test_text_that_cannot_be_printed_is_one_line(rows, arguments, buffered):
    line = [sys.executable, "-m", "summeval.cli.main", *arguments]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            line,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
            cwd=rows.parent,
            env={**os.environ, "PYTHONUNBUFFERED": buffered},
        )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        1,
        "summeval: standard output: no space left on device; free some space or write elsewhere",
    )
    assert "Exception" not in done.stderr and "Error" not in done.stderr


@pytest.mark.parametrize("command", ["metrics", "--help"])
def test_text_for_a_closed_standard_output_is_one_line(command):
    done = subprocess.run(
        [sys.executable, "-m", "summeval.cli.main", command],
        stderr=subprocess.PIPE,
        check=False,
        text=True,
        preexec_fn=lambda: os.close(1),
    )
    assert (done.returncode, done.stderr) == (
        1,
        "summeval: standard output: it is closed; keep it open or redirect it to a file\n",
    )


def test_a_file_system_limit_is_one_line_and_the_run_resumes(rows, tmp_path):
    """A limit on the size of files stands for the full disk: the write fails in the middle."""
    resource = pytest.importorskip("resource")
    out = tmp_path / "out.jsonl"
    command = ["score", rows, "--on-error", "skip", "-m", "rouge1", "-o"]
    drive(*command, tmp_path / "whole.jsonl")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    line = [sys.executable, "-c", DRIVER, "400", "0", "0", *map(str, command), str(out)]
    done = subprocess.run(line, capture_output=True, check=False, text=True, preexec_fn=limit)
    assert done.returncode == 1
    assert "out.jsonl: file too large; raise the file size limit" in done.stderr
    assert not out.exists()
    assert drive(*command, out, "--resume").returncode == 0
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_reader_that_goes_away_ends_the_run_quietly(rows):
    line = [sys.executable, "-c", DRIVER, "400", "0", "0", "score", str(rows)]
    with subprocess.Popen(
        [*line, "--on-error", "skip"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait() == 141


@pytest.mark.parametrize(("closed", "status"), [("stdout", 1), ("stderr", 0)])
def test_closed_streams_are_survived(rows, tmp_path, closed, status):
    number = {"stdout": 1, "stderr": 2}[closed]
    line = [sys.executable, "-m", "summeval.cli.main", "score", str(rows), "--on-error", "skip"]
    other = {"stdout": "stderr", "stderr": "stdout"}[closed]
    done = subprocess.run(
        line,
        **{other: subprocess.PIPE},
        check=False,
        text=True,
        preexec_fn=lambda: os.close(number),
    )
    assert done.returncode == status
    if closed == "stdout":
        assert done.stderr == "summeval: standard output: it is closed; pass a file with -o\n"


def test_the_command_depends_on_no_locale_and_no_hash_seed(rows, tmp_path):
    outputs = set()
    for locale, seed in (("C", "0"), ("C.UTF-8", "1"), ("tr_TR.UTF-8", "2")):
        environment = {**os.environ, "LC_ALL": locale, "PYTHONHASHSEED": seed, "PYTHONUTF8": "0"}
        line = [sys.executable, "-m", "summeval.cli.main", "score", str(rows), "--on-error", "skip"]
        outputs.add(subprocess.run(line, env=environment, capture_output=True, check=True).stdout)
    assert len(outputs) == 1
