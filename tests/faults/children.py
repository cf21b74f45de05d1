"""Runs of the command in forked processes, which are killed or disturbed at a counted place.

Counting lines of the code that reads and writes, in place of time, makes every moment repeatable.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

import summeval
from summeval.cli.main import main
from summeval.cli.score import command as score
from summeval.io import arrow_output
from summeval.io.formats import read_chunks

SOURCE = str(Path(summeval.__file__).parent)
WATCHED = tuple(
    os.path.join(SOURCE, name)
    for name in (
        "_files.py",
        "io/output.py",
        "io/journal.py",
        "cli/score/command.py",
        "io/arrow_output.py",
    )
)

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


class Done(NamedTuple):
    """How a child ended: its exit status, or minus the signal, and what it said."""

    status: int
    out: str
    err: str


def in_child(action: Callable[[], object]) -> Done:
    """Do something in a forked process, whose exit status is what it returns."""
    pipes = [os.pipe(), os.pipe()]
    child = os.fork()
    if not child:
        _be_child(pipes, action)
    texts = []
    for _, writing in pipes:
        os.close(writing)
    for reading, _ in pipes:  # what is said is less than a pipe holds
        with open(reading, encoding="utf-8", errors="replace") as stream:
            texts.append(stream.read())
    _, how = os.waitpid(child, 0)
    return Done(os.waitstatus_to_exitcode(how), *texts)


def _be_child(pipes: list[tuple[int, int]], action: Callable[[], object]) -> NoReturn:
    status = 99
    try:
        for number, (_, writing) in enumerate(pipes, 1):
            os.dup2(writing, number)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        try:
            status = int(action() or 0)  # type: ignore[call-overload]
        except BaseException as error:
            print(repr(error), file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def run(*arguments: object, chunk_bytes: int = 600) -> int:
    """The command, with small chunks."""

    def small(*given, **options):
        return read_chunks(*given, **options | {"chunk_bytes": chunk_bytes})

    score.read_chunks = small
    arrow_output._GROUP_ROWS = 8
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return main(["score", *map(str, arguments)])


def disturbed(at: int, action: Callable[[], object], then: Callable[[], object]) -> int:
    """Do `action`, and `then` before line `at` of the watched files. Returns how many ran."""
    ran = 0

    def watch(frame, event, argument):
        nonlocal ran
        if frame.f_code.co_filename not in WATCHED:
            return None
        if event == "line":
            ran += 1
            if ran == at:
                then()
        return watch

    sys.settrace(watch)
    try:
        action()
    finally:
        sys.settrace(None)
    return ran


def lines_of(*arguments: object) -> int:
    """How many watched lines the whole run has."""

    def count() -> int:
        print(disturbed(0, lambda: run(*arguments), lambda: None), end="")
        return 0

    done = in_child(count)
    assert done.status == 0, done.err
    return int(done.out.split()[-1])


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Thirty rows, one of them bad."""
    path = tmp_path / "rows.jsonl"
    found = [{"id": n, "candidate": f"cat {n}", "references": ["a cat", str(n)]} for n in range(30)]
    found[20]["candidate"] = 3
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    return path


TEXTS = [f"the cat {n} sat on the mat {n % 7}" for n in range(300)]


def score_texts(workers: int) -> list[float]:
    """The scores of some texts: a function that spawned processes can import."""
    table = summeval.score_batch(TEXTS, TEXTS[::-1], ["rouge1", "rougeL"], workers=workers)
    return [*table["rouge1.recall"].tolist(), *table["rougeL.fmeasure"].tolist()]
