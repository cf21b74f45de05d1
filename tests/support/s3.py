"""A server that answers as S3 does what a reader asks: objects, parts of them, and lists."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

DATE = formatdate(0, usegmt=True)


class Handler(BaseHTTPRequestHandler):
    """Answers of a bucket, whose objects the server has by `bucket/key`."""

    protocol_version = "HTTP/1.1"
    objects: dict[str, bytes]

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path, query = unquote(parts.path).strip("/"), parse_qs(parts.query)
        if "list-type" in query:
            self.answer(200, self.listed(path, query.get("prefix", [""])[0]))
        elif (found := self.objects.get(path)) is None:
            self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        elif asked := self.headers.get("range"):
            first, last = asked.removeprefix("bytes=").split("-")
            part = found[int(first) : int(last) + 1]
            span = f"bytes {first}-{int(first) + len(part) - 1}/{len(found)}"
            self.answer(206, part, {"content-range": span})
        else:
            self.answer(200, found)

    def listed(self, bucket: str, prefix: str) -> bytes:
        keys = [path.partition("/")[2] for path in self.objects if path.startswith(f"{bucket}/")]
        items = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(self.objects[f'{bucket}/{key}'])}</Size>"
            "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
            for key in sorted(keys)
            if key.startswith(prefix)
        )
        return (
            f"<ListBucketResult>{items}<IsTruncated>false</IsTruncated></ListBucketResult>".encode()
        )

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        usual = {"content-length": str(len(body)), "last-modified": DATE, "etag": '"1"'}
        for name, value in {**usual, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(objects: dict[str, bytes]) -> Iterator[str]:
    """Serve these objects, by `bucket/key`; yields what an address of pyarrow needs at its end."""
    handler = type("Served", (Handler,), {"objects": objects})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"?scheme=http&region=us-east-1&endpoint_override=127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
