"""A server that answers as OpenAI-compatible ones do, as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def answer(text: str, **more: Any) -> dict[str, Any]:
    """What a server answers: a text, and what else is given."""
    return {
        "choices": [{"message": {"content": text}, **more}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    }


def score(number: int, reason: str = "so it is") -> dict[str, Any]:
    return answer(json.dumps({"reason": reason, "score": number}))


def of_words(request: dict[str, Any]) -> dict[str, Any]:
    """An answer to a question for a number or for the better text, by the number of words."""
    texts = json.loads(request["messages"][-1]["content"].rpartition("\n\n")[2])
    if "summary 1" in texts:
        one, two = (len(texts[f"summary {n}"].split()) for n in (1, 2))
        return answer(json.dumps({"reason": "", "better": 1 if one >= two else 2}))
    return score(min(5, len(texts["summary"].split()) // 10 + 1))


class Server:
    """Its address, what it was asked, and what it answers: (status, body, headers)."""

    def __init__(self, reply: Callable[[dict[str, Any]], Any]) -> None:
        self.reply = reply
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""
        self._lock = threading.Lock()

    def texts(self, request: dict[str, Any]) -> Any:
        """The texts of a request."""
        return json.loads(request["messages"][-1]["content"].rpartition("\n\n")[2])

    def note(self, request: dict[str, Any], headers: Any) -> None:
        with self._lock:
            self.requests.append(request)
            self.headers.append(dict(headers))


@contextmanager
def serving(reply: Callable[[dict[str, Any]], Any]) -> Iterator[Server]:
    """A server, while the block runs; `reply` gives an object, or (status, bytes, headers)."""
    server = Server(reply)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.note(request, self.headers)
            found = server.reply(request)
            status, body, headers = (
                found
                if isinstance(found, tuple)
                else (200, json.dumps(found).encode(), {"content-type": "application/json"})
            )
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, *_: Any) -> None:
            pass

    with Quiet(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
        threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        http.shutdown()
