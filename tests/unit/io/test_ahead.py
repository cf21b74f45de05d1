"""Reading ahead and encoding behind: order, limits, errors, and stopping early."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from summeval import _files
from summeval.io import output as outputs
from summeval.io import source as files
from summeval.io.output import Encoder, Output, WriteBehind, open_output
from summeval.io.rows import Chunk

WAIT_S = 30.0  # for what another thread does at once; only a failing test waits so long
AHEAD = 3


class Again(files.Source):
    """A file that can be read again."""

    size = 1
    position = 0


class Source:
    """Counts from 0; says how many numbers it was asked for, and who asked."""

    def __init__(self, size: int, fails_at: int = -1) -> None:
        self.made = 0
        self.size = size
        self.fails_at = fails_at
        self.changed = threading.Condition()
        self.threads: set[int] = set()

    def __iter__(self) -> Iterator[int]:
        for number in range(self.size):
            with self.changed:
                self.threads.add(threading.get_ident())
                self.made += 1
                self.changed.notify_all()
            if number == self.fails_at:
                raise ValueError(f"chunk {number} is bad")
            yield number

    def wait_for(self, made: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.made >= made, WAIT_S)


def test_chunks_keep_their_order() -> None:
    reader = Again()
    assert list(reader.ahead(iter(Source(50)))) == list(range(50))
    assert list(reader.ahead(iter(Source(0)))) == []
    reader.close()


def test_three_chunks_are_made_ahead_and_no_more() -> None:
    """`close` waits for what was asked for, so a chunk too many would be counted."""
    source, reader = Source(50), Again()
    chunks = reader.ahead(iter(source))
    for number in range(5):
        assert next(chunks) == number
        source.wait_for(number + 1 + AHEAD)
        assert source.made == number + 1 + AHEAD
    chunks.close()  # type: ignore[attr-defined]
    reader.close()
    assert source.made == 5 + AHEAD
    assert len(source.threads) == 1
    assert threading.get_ident() not in source.threads


def test_an_error_comes_after_the_chunks_before_it() -> None:
    reader = Again()
    found = []
    with pytest.raises(ValueError, match="chunk 4 is bad"):
        for number in reader.ahead(iter(Source(9, fails_at=4))):
            found.append(number)
    assert found == [0, 1, 2, 3]
    reader.close()


def test_close_drops_what_waits_behind_the_chunk_that_is_being_made() -> None:
    begun, go_on, made = threading.Event(), threading.Event(), []

    def slow() -> Iterator[int]:
        for number in range(9):
            made.append(number)
            if number == 1:
                begun.set()
                assert go_on.wait(WAIT_S)
            yield number

    reader = Again()
    chunks = reader.ahead(slow())
    assert next(chunks) == 0
    assert begun.wait(WAIT_S)
    thread = reader._thread
    assert thread is not None
    closing = threading.Thread(target=reader.close)
    closing.start()
    while closing.is_alive() and not thread._shutdown:
        pass
    assert thread._shutdown
    with thread._shutdown_lock:  # held until what waits is dropped
        pass
    go_on.set()
    closing.join(WAIT_S)
    assert not closing.is_alive()
    assert made == [0, 1]


def test_progress_is_that_of_chunks_that_were_handed_out(tmp_path: Path) -> None:
    """What was read ahead of them does not count."""
    path = tmp_path / "rows"
    path.write_bytes(b"a\nb\nc\nd\n")
    with files.InputFile(str(path)) as file:
        assert file.passed is None
        assert [(block, file.passed) for block in file.ahead(file.blocks(size=5))] == [
            (b"a\nb\n", 4),
            (b"c\nd\n", 8),
        ]


def test_a_signal_in_the_start_of_a_thread_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock of the start would stay taken, and the thread would wait for it."""
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        with thread._started._cond:  # type: ignore[attr-defined]
            signal.raise_signal(signal.SIGINT)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _files.started_thread()
    monkeypatch.undo()
    started = [one for one in threading.enumerate() if one.name.startswith("ThreadPoolExecutor")]
    assert started and all(one.is_alive() for one in started)


class Kept(Output):
    """An output that keeps what is written, and fails where it is told to."""

    def __init__(self, waits: bool, fails_at: int = -1) -> None:
        self.waits = waits
        self.written: list[tuple[bytes, Any]] = []
        self.fails_at = fails_at
        self.threads: set[int] = set()

    def write(self, data: bytes, state: Any) -> None:
        self.threads.add(threading.get_ident())
        if len(self.written) == self.fails_at:
            raise OSError("no space left")
        self.written.append((data, state))


class Writer:
    """An encoder of chunks that are numbers."""

    header = None

    def __init__(self, fails_at: int = -1) -> None:
        self.fails_at = fails_at
        self.encoded: list[int] = []
        self.threads: set[int] = set()

    def encode(self, chunk: Any, scores: Any) -> bytes:
        self.threads.add(threading.get_ident())
        self.encoded.append(chunk)
        self.header = ["a", str(chunk)]  # type: ignore[assignment]
        if chunk == self.fails_at:
            raise ValueError(f"chunk {chunk} cannot be encoded")
        return f"{chunk}:{scores[0]}".encode()


def behind(output: Kept, writer: Writer) -> WriteBehind:
    return WriteBehind(cast(Output, output), cast(Encoder, writer))


def put(made: WriteBehind, number: int) -> None:
    made.put(cast(Chunk, number), [number + 0.5], {"line": number})


WAITS = pytest.mark.parametrize("waits", [True, False])  # a pipe, or a file


@WAITS
def test_chunks_are_written_in_order_with_their_states(waits: bool) -> None:
    output, writer = Kept(waits), Writer()
    made = behind(output, writer)
    for number in range(20):
        put(made, number)
        least = max(0, number - 3)  # four wait
        assert len(output.written) in ([least] if waits else range(least, number + 2))
    made.finish()
    assert [data for data, _ in output.written] == [f"{k}:{k}.5".encode() for k in range(20)]
    assert [state["line"] for _, state in output.written] == list(range(20))
    assert all(int(state["header"][1]) >= state["line"] for _, state in output.written)
    assert len(writer.threads) == 1
    assert threading.get_ident() not in writer.threads
    assert output.threads == ({threading.get_ident()} if waits else writer.threads)


@WAITS
def test_no_chunk_follows_one_that_cannot_be_encoded(waits: bool) -> None:
    output = Kept(waits)
    made = behind(output, Writer(fails_at=3))
    with pytest.raises(ValueError, match="chunk 3 cannot be encoded"):
        for number in range(9):
            put(made, number)
    made.finish()
    assert [data for data, _ in output.written] == [b"0:0.5", b"1:1.5", b"2:2.5"]


@WAITS
def test_no_chunk_follows_one_that_cannot_be_written(waits: bool) -> None:
    output = Kept(waits, fails_at=1)
    made = behind(output, Writer())
    for number in range(5):
        put(made, number)
    with pytest.raises(OSError, match="no space left"):
        put(made, 5)
    output.fails_at = -1
    made.finish()
    assert [state["line"] for _, state in output.written] == [0]


@WAITS
def test_what_waits_is_written_at_the_end_and_the_thread_goes_after_an_error(waits: bool) -> None:
    output = Kept(waits)
    made = behind(output, Writer(fails_at=1))
    put(made, 0)
    put(made, 1)
    assert output.written == [] or not waits
    with pytest.raises(ValueError, match="chunk 1"):
        made.finish()
    assert [state["line"] for _, state in output.written] == [0]
    with pytest.raises(RuntimeError, match="shutdown"):
        put(made, 2)


def test_a_thread_that_writes_waits_for_the_disk_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "_SYNCED", 8)
    sizes: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda number: sizes.append(os.fstat(number).st_size))
    output = open_output(str(tmp_path / "alone"))
    for _ in range(4):
        output.write(b"0:0.5", {})
    assert sizes == []
    output.discard()
    output = open_output(str(tmp_path / "beside"))
    made = WriteBehind(output, cast(Encoder, Writer()))
    for _ in range(5):
        put(made, 0)
    made.finish()
    assert sizes == [10, 20]
    output.commit()
    assert sizes[2] == 25
