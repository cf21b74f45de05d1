"""A run that is killed or interrupted anywhere leaves nothing half-written, and resumes."""

import json
import os
import random
import re
import signal
from pathlib import Path

import pytest
from children import Done, disturbed, in_child, lines_of, needs_fork, rows, run

__all__ = ["rows"]
pytestmark = needs_fork

FORMS = ["jsonl", "parquet", "columns.parquet"]
OPTIONS = ["-m", "rouge1", "--on-error", "skip", "-o"]


def prepared(folder: Path, rows: Path, form: str) -> tuple[list[object], bytes, int]:
    """The command, the bytes that it must give, and how many lines it runs."""
    if form.endswith(("parquet", "arrow")):
        pytest.importorskip("pyarrow.parquet")  # once, and not in each child
    if form.startswith("columns"):  # from columns, too
        rows = as_table(rows)
    whole, out = folder / f"whole.{form}", folder / f"out.{form}"
    assert in_child(lambda: run(rows, *OPTIONS, whole)).status == 0
    command = [rows, *OPTIONS, out, "--resume"]
    count = lines_of(*command)
    clean(out)
    return command, whole.read_bytes(), count


def as_table(rows: Path) -> Path:
    """The good ones of these rows as a Parquet file of small row groups."""
    import pyarrow as pa
    from pyarrow import parquet

    found = [json.loads(line) for line in rows.read_text().splitlines()]
    good = [row for row in found if isinstance(row["candidate"], str)]
    parquet.write_table(pa.Table.from_pylist(good), rows.with_suffix(".parquet"), row_group_size=4)
    return rows.with_suffix(".parquet")


def clean(out: Path) -> None:
    for path in out.parent.iterdir():
        if out.name in path.name:
            path.unlink()


def left(out: Path) -> set[str]:
    whole = out.name.replace("out", "whole")
    others = {"rows.jsonl", "rows.parquet", whole, f"{whole}.signatures"}
    found = {p.name.replace(out.name, "OUT") for p in out.parent.iterdir() if p.name not in others}
    # What SIGKILL leaves of a manifest that was being written has a name that nothing reads.
    return {name for name in found if not re.fullmatch(r"\.OUT\.manifest\.\w+\.part", name)}


SLOW = [pytest.param(form, marks=pytest.mark.slow) for form in ("jsonl.gz", "csv", "arrow")]


def cut(at: int, number: int, *command: object) -> Done:
    """The command, with a signal before the line `at`."""
    return in_child(
        lambda: [
            status := [],
            disturbed(
                at, lambda: status.append(run(*command)), lambda: signal.raise_signal(number)
            ),
            status[0],
        ][-1],
    )


@pytest.mark.parametrize("form", [*FORMS, *SLOW])
def test_a_run_that_is_killed_anywhere_resumes_to_the_same_bytes(tmp_path, rows, form):
    command, whole, count = prepared(tmp_path, rows, form)
    out, beside = tmp_path / f"out.{form}", tmp_path / f"out.{form}.signatures"
    draw = random.Random(form)
    ends = [count - 1 - n for n in (0, 7, 15, 30)]  # the last steps, where the file appears
    for at in [*(draw.randint(1, count) for _ in range(5)), *ends]:
        assert cut(at, signal.SIGKILL, *command).status in (-signal.SIGKILL, 0)
        assert not out.exists() or out.read_bytes() == whole
        again = cut(draw.randint(1, count), signal.SIGKILL, *command)
        assert again.status in (-signal.SIGKILL, 0)
        done = in_child(lambda: run(*command))
        assert (done.status, out.read_bytes()) == (0, whole)
        assert left(out) <= {"OUT", "OUT.signatures", ".OUT.manifest", "OUT.journal", "OUT.partial"}
        done = in_child(lambda: run(*command))
        assert done.status == 0 and "already finished by the same job" in done.err
        assert form.endswith(("parquet", "arrow")) or "|v:" in beside.read_text()
        clean(out)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("form", FORMS)
def test_a_run_that_is_interrupted_anywhere_is_whole_or_resumes(tmp_path, rows, form, number):
    command, whole, count = prepared(tmp_path, rows, form)
    out = tmp_path / f"out.{form}"
    status, word = {
        signal.SIGINT: (130, "interrupted"),
        signal.SIGTERM: (143, "terminated"),
    }[number]
    draw = random.Random(number)
    ends = [count - 1 - n for n in (0, 5, 10, 15, 25)]
    for at in [*(draw.randint(1, count) for _ in range(5)), *ends]:
        done = cut(at, number, *command)
        assert done.status in (status, 0), done.err
        if done.status:
            assert done.err.splitlines()[-1].startswith(f"summeval: {word}")
        assert not out.exists() or out.read_bytes() == whole
        assert left(out) <= {"OUT", "OUT.signatures", ".OUT.manifest", "OUT.journal", "OUT.partial"}
        done = in_child(lambda: run(*command))
        assert (done.status, out.read_bytes()) == (0, whole)
        clean(out)


def test_a_run_that_replaces_keeps_the_old_file_until_the_end(tmp_path, rows):
    command, whole, count = prepared(tmp_path, rows, "jsonl")
    out = tmp_path / "out.jsonl"
    command.remove("--resume")
    for at in range(1, count, count // 6):
        clean(out)
        out.write_bytes(b"old\n")
        done = cut(at, signal.SIGINT, *command)
        assert out.read_bytes() in ([b"old\n", whole] if done.status else [whole])


def test_an_interrupted_run_that_cannot_resume_leaves_nothing(tmp_path, rows):
    out = tmp_path / "out.jsonl"

    def from_pipe(*command: object) -> int:
        os.dup2(os.open(rows, os.O_RDONLY), 0)
        return run("-", *OPTIONS, out)

    count = int(
        in_child(lambda: print(disturbed(0, from_pipe, lambda: None), end="")).out.split()[-1]
    )
    clean(out)
    began = 0
    for at in range(1, count, count // 12):
        done = in_child(
            lambda at=at: disturbed(at, from_pipe, lambda: signal.raise_signal(signal.SIGINT)) * 0,
        )
        assert done.status == 0
        began += "interrupted" in done.err
        assert left(out) == (set() if "interrupted" in done.err else {"OUT", "OUT.signatures"})
        clean(out)
    assert began > 8
