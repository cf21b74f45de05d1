"""--resume with output that is finished, cut off, changed or damaged."""

import json
import os
import zlib
from pathlib import Path

import pytest
from driver import drive

from summeval.cli.main import main
from summeval.io import DataError, SystemFailure
from summeval.io.output import line_of, manifest_path, open_output, read_journal, read_manifest

JOB = {"input file": {"size": 3}, "set of options": ["a"]}
OTHER = {"input file": {"size": 4}, "set of options": ["a"]}


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def finish(path: Path, *pieces: bytes, resume: bool = True) -> None:
    output = open_output(str(path), JOB, resume)
    for number, piece in enumerate(pieces):
        output.write(piece, {"chunk": number})
    output.commit()


def cut_off(path: Path, *pieces: bytes) -> None:
    output = open_output(str(path), JOB)
    for number, piece in enumerate(pieces):
        output.write(piece, {"chunk": number})
    output.close()


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_finished_output_is_left_as_it_is(tmp_path, name):
    path = tmp_path / name
    finish(path, b"one\n", b"two\n")
    before = contents(tmp_path)
    assert set(before) == {name, f".{name}.manifest"}
    output = open_output(str(path), JOB, resume=True)
    assert (output.finished, output.state) == (True, {"chunk": 1})
    output.commit()
    output.discard()
    assert contents(tmp_path) == before


def test_a_finished_output_of_another_job_is_refused_and_kept(tmp_path):
    path = tmp_path / "out.jsonl"
    finish(path, b"one\n")
    before = contents(tmp_path)
    with pytest.raises(
        DataError,
        match="cannot resume: the run that finished it had another input file; start again",
    ):
        open_output(str(path), OTHER, resume=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("change", [b"onE\n", b"one\nmore\n", b""])
def test_an_output_that_was_changed_since_is_refused_and_kept(tmp_path, change):
    path = tmp_path / "out.jsonl"
    finish(path, b"one\n")
    path.write_bytes(change)
    before = contents(tmp_path)
    with pytest.raises(DataError, match="it was changed after it was finished; start again"):
        open_output(str(path), JOB, resume=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("broken", [b"", b"{}", b"\xff\n", b"[" * 9999, None])
def test_without_a_whole_manifest_the_job_is_done_again_and_compared(tmp_path, broken):
    path = tmp_path / "out.jsonl"
    finish(path, b"one\n", resume=False)
    assert set(contents(tmp_path)) == {"out.jsonl"}
    if broken is not None:
        Path(manifest_path(str(path))).write_bytes(broken)
    before = contents(tmp_path)["out.jsonl"]
    output = open_output(str(path), JOB, resume=True)
    assert output.compares
    output.write(b"one\n", {"chunk": 0})
    output.close()  # cut off, and still to be compared
    output = open_output(str(path), JOB, resume=True)
    assert output.compares and output.state == {"chunk": 0}
    output.commit()
    assert contents(tmp_path)["out.jsonl"] == before
    assert open_output(str(path), JOB, resume=True).finished
    assert set(contents(tmp_path)) == {"out.jsonl", ".out.jsonl.manifest"}


@pytest.mark.parametrize("piece", [b"onE\n", b"one\ntwo\n", b""])
def test_an_output_that_is_not_what_the_job_gives_is_kept(tmp_path, piece):
    path = tmp_path / "out.jsonl"
    finish(path, b"one\n", resume=False)
    before = contents(tmp_path)
    output = open_output(str(path), JOB, resume=True)
    output.write(piece, {})
    with pytest.raises(DataError, match="it is finished, and this job gives another file"):
        output.commit()
    output.close()
    assert contents(tmp_path) == before


def test_without_resume_a_finished_output_is_replaced_with_its_manifest(tmp_path):
    path = tmp_path / "out.jsonl"
    finish(path, b"one\n")
    finish(path, b"two\n", resume=False)
    assert {name: data for name, (data, _) in contents(tmp_path).items()} == {"out.jsonl": b"two\n"}


def test_a_run_that_replaces_and_was_cut_off_goes_on(tmp_path):
    """Neither the file that it replaces nor the manifest of that is in its way."""
    path = tmp_path / "out.jsonl"
    output = open_output(str(path), OTHER, resume=True)
    output.write(b"old\n", {})
    output.commit()
    cut_off(path, b"one\n")
    output = open_output(str(path), JOB, resume=True)
    assert (output.state, output.compares) == ({"chunk": 0}, False)
    output.commit()
    assert path.read_bytes() == b"one\n"
    assert open_output(str(path), JOB, resume=True).finished


def test_a_crash_between_the_last_steps_is_finished_all_the_same(tmp_path, monkeypatch):
    path = tmp_path / "out.jsonl"
    output = open_output(str(path), JOB, resume=True)
    output.write(b"one\n", {"chunk": 0})
    replace = os.replace

    def crash_before(source, target):
        if target == str(path):
            raise MemoryError  # as good as the end of the process
        replace(source, target)

    monkeypatch.setattr(os, "replace", crash_before)
    with pytest.raises(MemoryError):
        output.commit()
    output.close()
    monkeypatch.undo()
    assert not path.exists()
    output = open_output(str(path), JOB, resume=True)
    assert output.state == {"chunk": 0}
    output.commit()
    # After the new name, before the journal is gone:
    Path(f"{path}.journal").write_bytes(line_of({"job": JOB, "compare": False}))
    assert open_output(str(path), JOB, resume=True).finished


STEP = {"length": 4, "crc32": zlib.crc32(b"one\n"), "state": {"chunk": 0}}
DAMAGED = [
    {},
    {**STEP, "length": None},
    {**STEP, "length": "4"},
    {**STEP, "length": 4.0},
    {**STEP, "length": True},
    {**STEP, "length": -1},
    {**STEP, "length": 10**30},
    {**STEP, "crc32": None},
    {**STEP, "crc32": 10**30},
    {**STEP, "state": None},
    {**STEP, "state": []},
    {key: STEP[key] for key in ("length", "crc32")},
]


@pytest.mark.parametrize("record", DAMAGED)
def test_a_journal_that_says_what_none_would_counts_up_to_there(tmp_path, record):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n", b"two\n")
    first, *_ = Path(f"{path}.journal").read_bytes().splitlines(keepends=True)
    Path(f"{path}.journal").write_bytes(first + line_of(record))
    output = open_output(str(path), JOB, resume=True)
    assert output.state is None
    output.write(b"new\n", {})
    output.commit()
    assert path.read_bytes() == b"new\n"


def test_a_journal_whose_lengths_fall_counts_up_to_there(tmp_path):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n")
    with open(f"{path}.journal", "ab") as file:
        file.write(line_of({**STEP, "length": 0, "state": {"chunk": "wrong"}}))
    output = open_output(str(path), JOB, resume=True)
    assert output.state == {"chunk": 0}
    output.discard()


@pytest.mark.parametrize(
    "first", [{}, {"job": None}, {"job": []}, {"compare": True}, {"job": 3, "compare": 4}]
)
def test_a_journal_of_no_job_starts_afresh(tmp_path, first):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n")
    Path(f"{path}.journal").write_bytes(line_of(first) + line_of(STEP))
    output = open_output(str(path), JOB, resume=True)
    assert output.state is None
    output.discard()
    assert contents(tmp_path) == {}


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"\0\0", b"[" * 9999 + b"\n", b"1" * 9999, b"\xff\xfe{}\n", b"{}\t0\n"]
)
def test_what_is_no_line_of_a_journal_ends_it(tmp_path, text):
    path = tmp_path / "journal"
    path.write_bytes(line_of({"job": JOB}) + text + line_of(STEP))
    assert [record for _, record in read_journal(str(path))] == [{"job": JOB}][
        : 1 if text else None
    ] + ([] if text else [STEP])


def test_a_line_of_which_one_character_was_changed_does_not_count(tmp_path):
    path = tmp_path / "journal"
    line = line_of(STEP)
    for place in range(len(line)):
        changed = line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]
        path.write_bytes(changed)
        assert read_journal(str(path)) == []


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"form": 2, "job": JOB, **STEP},
        {"form": 1, "job": None, **STEP},
        {"form": 1, "job": JOB, **STEP, "length": -1},
        {"form": 1, "job": JOB, **STEP, "length": "4"},
        {"form": 1, "job": JOB, **STEP, "crc32": None},
        {"form": 1, "job": JOB, **STEP, "state": 3},
    ],
)
def test_a_manifest_that_says_what_none_would_is_none(tmp_path, record):
    path = str(tmp_path / "out.jsonl")
    Path(manifest_path(path)).write_bytes(line_of({"form": 1, "job": JOB, **STEP}))
    assert read_manifest(path) is not None
    Path(manifest_path(path)).write_bytes(line_of(record))
    assert read_manifest(path) is None


def test_the_journal_is_cut_where_it_stops_being_right_and_no_earlier(tmp_path, monkeypatch):
    """A crash while a run begins to resume loses nothing of what the first one did."""
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n", b"two\n")
    before = Path(f"{path}.journal").read_bytes()
    output = open_output(str(path), JOB, resume=True)
    assert Path(f"{path}.journal").read_bytes() == before
    output.close()


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    lines = [{"id": n, "candidate": f"cat {n}", "references": ["a cat"]} for n in range(40)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("first", [[], ["--resume"]])
@pytest.mark.parametrize("form", ["jsonl", "csv", "jsonl.gz", "parquet", "arrow"])
def test_the_command_says_that_it_is_finished(rows, tmp_path, capsys, form, first):
    if form in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    out = tmp_path / f"out.{form}"
    command = ["score", str(rows), "-m", "rouge1", "-o", str(out), "--means"]
    assert main([*command, *first]) == 0
    summary = capsys.readouterr().out
    before = contents(tmp_path)[out.name]
    assert main([*command, "--resume"]) == 0
    printed = capsys.readouterr()
    said = f"summeval: {out}: " + (
        "already finished by the same job; nothing to do\n"
        if first
        else "exists without a manifest; scoring again to compare\n"
    )
    assert printed.err == said
    without_speed = [
        [line for line in text.splitlines() if not line.endswith(" rows a second")]
        for text in (printed.out, summary)
    ]
    assert without_speed[0] == without_speed[1]
    assert contents(tmp_path)[out.name] == before
    for change in (["-m", "rouge2"], ["--keep-text"], ["--on-error", "skip"]):
        assert main([*command, *change, "--resume"]) == 1
        assert "cannot resume: the run that finished it had another" in capsys.readouterr().err
        assert contents(tmp_path)[out.name] == before
    with open(rows, "a") as file:
        file.write("\n")
    assert main([*command, "--resume"]) == 1
    assert "had another input file; start again without --resume" in capsys.readouterr().err
    assert contents(tmp_path)[out.name] == before
    assert main(command) == 0


STATES = [
    {},
    {"position": None},
    {"position": {"offset": "1", "line": 2}},
    {"position": {"offset": -1, "line": 2}},
    {"position": {"place": 1}},
    {"totals": None},
    {"totals": {"rows": "1"}},
    {"totals": {"rows": -1}},
    {"totals": {"rows": 1, "sums": {"a": "b"}}},
    {"totals": {"rows": 1, "sums": [1]}},
    {"totals": {"rows": 1, "messages": [3]}},
    {"totals": {"others": 1}},
    {"header": 3},
    {"header": [1]},
]


@pytest.mark.parametrize("change", STATES)
def test_a_state_that_says_what_none_would_is_one_line(rows, tmp_path, capsys, change):
    out = tmp_path / "out.jsonl"
    command = ["score", rows, "-m", "rouge1", "-o", out]
    assert drive(*command, number=9, after=2).returncode == -9
    lines = read_journal(f"{out}.journal")
    state = {**lines[-1][1]["state"], **change} if change else {}
    with open(f"{out}.journal", "wb") as file:
        file.writelines([line for line, _ in lines[:-1]])
        file.write(line_of({**lines[-1][1], "state": state}))
    before = contents(tmp_path)
    assert main([*map(str, command), "--resume"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("its state for --resume is damaged; start again without --resume")
    assert {name: data for name, (data, _) in contents(tmp_path).items()} == {
        name: data for name, (data, _) in before.items()
    }


def test_an_error_in_a_run_with_resume_keeps_what_was_done(rows, tmp_path, capsys, monkeypatch):
    import summeval
    from summeval.cli.score import command as module
    from summeval.io.formats import read_chunks

    out = tmp_path / "out.jsonl"
    command = ["score", str(rows), "-m", "rouge1", "-o", str(out)]
    main([*command[:-1], str(tmp_path / "whole.jsonl")])
    monkeypatch.setattr(
        module, "read_chunks", lambda *a, **options: read_chunks(*a, **options, chunk_bytes=200)
    )
    inner, calls = summeval.Suite.score_batch, []

    def fail_late(self, *arguments, **options):
        calls.append(1)
        if len(calls) == 4:
            raise MemoryError
        return inner(self, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(summeval.Suite, "score_batch", fail_late)
        assert main([*command, "--resume"]) == 1
    assert "out of memory" in capsys.readouterr().err
    assert len(read_journal(f"{out}.journal")) == 4
    assert main([*command, "--resume"]) == 0
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_system_failures_name_the_file(tmp_path):
    with pytest.raises(SystemFailure, match="there is no folder"):
        open_output(str(tmp_path / "nowhere" / "out.jsonl"), JOB, resume=True)
