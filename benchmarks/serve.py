"""How many requests `summeval serve` answers: one pair in JSON, and a batch in Arrow.

    python benchmarks/serve.py [--seconds S] [--rounds N] [--connections N] [--batch N] [--json OUT]

The service runs in a process of its own, where it can on one processor, with one thread that
scores; clients that send what they have prepared take turns between the two kinds of request. For
each the median over rounds: per second of the clock, and per second of processor time that the
service took, which a busy machine troubles less (it tells so itself, at /metrics). Texts are
those of `texts.SHORT`, the metrics ROUGE-1, 2 and L.

    python benchmarks/serve.py --goals

ends with status 1 if, per second of its processor time, the service answers fewer than 1,500
requests of a pair or 20,000 pairs of a batch.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import texts

GOALS = {"a pair in JSON": 1500, "a batch in Arrow": 20_000}  # pairs a second
ARROW = "application/vnd.apache.arrow.stream"


def request(kind: str, body: bytes) -> bytes:
    head = f"POST /score HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def requests(batch: int) -> dict[str, tuple[list[bytes], int]]:
    """The requests of each kind, and how many pairs each has."""
    import pyarrow as pa

    candidates, references = texts.make_pairs(texts.SHORT, max(batch, 256))
    pairs = zip(candidates[:256], references[:256], strict=True)
    single = [json.dumps({"candidate": one, "references": [other]}) for one, other in pairs]
    columns = {"candidate": candidates[:batch], "references": references[:batch]}
    rows = pa.record_batch(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_batch(rows)
    whole = request(ARROW, sink.getvalue().to_pybytes())
    json_requests = [request("application/json", one.encode()) for one in single]
    return {"a pair in JSON": (json_requests, 1), "a batch in Arrow": ([whole], batch)}


def answer(held: socket.socket) -> bytes:
    """The body of the next answer; raises for one that is no success."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(held)
    head, _, body = data.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(head.decode())
    length = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
    while len(body) < length:
        body += _more(held)
    return body


def _more(held: socket.socket) -> bytes:
    part = held.recv(1 << 16)
    if not part:
        raise RuntimeError("the service has closed the connection")
    return part


def processor_time(port: int) -> float:
    with socket.create_connection(("127.0.0.1", port)) as held:
        held.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
        told = answer(held).decode()
    return float(re.search(r"^process_cpu_seconds_total (\S+)", told, re.MULTILINE)[1])  # type: ignore[index]


def load(port: int, sent: Sequence[bytes], connections: int, seconds: float) -> int:
    """The requests that were answered in so many seconds, over so many connections."""
    counts = [0] * connections
    end = time.monotonic() + seconds

    def client(number: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as held:
            held.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while time.monotonic() < end:
                held.sendall(sent[(number + counts[number]) % len(sent)])
                answer(held)
                counts[number] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not all(counts):
        raise RuntimeError("a client got no answer")
    return sum(counts)


def started() -> tuple[subprocess.Popen[str], int]:
    """The service, and its port."""
    command = [sys.executable, "-m", "summeval.cli.main", "serve", "--port", "0"]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert service.stderr is not None
    told = re.search(r":(\d+) \(", service.stderr.readline())
    if told is None:
        raise RuntimeError("the service did not start")
    return service, int(told[1])


def measured(
    rounds: int, seconds: float, connections: int, batch: int
) -> dict[str, dict[str, float]]:
    """Pairs a second of each kind of request, by the clock and by the service's processor time."""
    service, port = started()
    try:
        if hasattr(os, "sched_setaffinity"):  # the service on the last processor, clients elsewhere
            *others, last = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(service.pid, {last})
            os.sched_setaffinity(0, others or {last})
        kinds = requests(batch)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in kinds}
        for turn in range(rounds + 1):  # the first warms up
            for name, (sent, pairs) in kinds.items():
                begun, spent = time.perf_counter(), processor_time(port)
                count = pairs * load(port, sent, connections, seconds)
                spent = processor_time(port) - spent
                if turn:
                    found[name].append((count / (time.perf_counter() - begun), count / spent))
    finally:
        service.terminate()
        service.wait()
    keys = "pairs a second", "pairs a second of processor time"
    return {
        name: dict(zip(keys, map(statistics.median, zip(*rows, strict=True)), strict=True))
        for name, rows in found.items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--goals", action="store_true")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    found = measured(chosen.rounds, chosen.seconds, chosen.connections, chosen.batch)
    for name, row in found.items():
        print(f"{name:18}", *(f"{value:12,.0f} {key}" for key, value in row.items()))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    reached = [
        row["pairs a second of processor time"] >= GOALS[name] for name, row in found.items()
    ]
    return int(chosen.goals and not all(reached))


if __name__ == "__main__":
    sys.exit(main())
