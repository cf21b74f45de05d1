"""`summeval serve`: scores, rewards, rankings and explanations over HTTP.

Answer POST requests to /score, /reward, /rank and /explain in JSON, and to /score in Arrow too.
/openapi.json describes them, / is a page for two texts, /health and /metrics are for whoever
watches the service. It keeps no text, and has neither passwords nor encryption: leave it at
127.0.0.1, or behind a server that has them.

A request names metrics, of which all but those with a file or an address are served; -m names
others, or fewer. No request sets an option that is a file, a function or a parser.

On SIGTERM or Ctrl-C it answers what it has taken, and ends.

[ARGUMENTS]
--host: address to listen at [127.0.0.1]
--port: port to listen at; 0 takes a free one [8000]
--metrics: the metrics that requests may name [summeval's own, by name]
--workers: threads that score, -1 for all processors [1]
--max-bytes: longest body of a request [16777216]
--timeout: seconds for a request [30]
--concurrency: requests that are read, wait or are worked on at once [64]

Exit status: 0 stopped, 1 bad data or files, 2 bad usage.
Examples:
  summeval serve
  summeval serve -m rouge1,rouge2,rougeLsum --workers 4 --port 8080
  curl -d '{"candidate": "a cat", "references": ["the cat"]}' localhost:8000/score
"""

from __future__ import annotations

import os
import socket
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from math import ceil

from summeval._lazy import need
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, as_usage, say
from summeval.interop.serve import USUAL, Limits, app_of


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("--host", default="127.0.0.1", metavar="NAME")
    add("--port", type=int, default=8000, metavar="N")
    flags.add(parser, "metrics", "workers")
    add("--max-bytes", type=int, default=USUAL.size, metavar="N")
    add("--timeout", type=float, default=USUAL.seconds, metavar="SECONDS")
    add("--concurrency", type=int, default=USUAL.requests, metavar="N")


def run(arguments: Namespace) -> None:
    """Listen, and answer until a signal comes."""
    uvicorn = need("uvicorn", "summeval serve", "serve")
    names = ",".join(arguments.metrics) if arguments.metrics else None
    given = arguments.max_bytes, arguments.timeout, arguments.concurrency, arguments.workers
    with as_usage():
        app = app_of(names, Limits(*given))
    settings = {"log_level": "warning", "access_log": False, "server_header": False}
    settings["timeout_graceful_shutdown"] = ceil(arguments.timeout)
    server = uvicorn.Server(uvicorn.Config(app, lifespan="on", **settings))
    with _listening(arguments.host, arguments.port) as held:
        host, port = held.getsockname()[:2]
        say(f"serving at http://{f'[{host}]' if ':' in host else host}:{port} (Ctrl-C stops it)")
        with suppress(KeyboardInterrupt):  # the signal, which uvicorn passes on when it is done
            server.run(sockets=[held])


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens there.

    It is of TCP by name, unlike those of `socket.create_server`: only then asyncio sends the parts
    of an answer at once, and no client waits 40 ms for the second.
    """
    if not 0 <= port <= 65535:
        raise UsageError(f"--port is {port}; give 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP
        )[0]
        held = socket.socket(family, kind, protocol)
        if os.name == "posix":  # elsewhere it would let two services share a port
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(address)
        held.listen(2048)
        return held
    except OSError as error:
        what = f"cannot listen at {host}:{port}: {error.strerror}"
        raise UsageError(f"{what}; choose another --host or --port") from error
