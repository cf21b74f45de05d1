"""A service: scores, rewards, rankings and explanations over HTTP, as an ASGI application.

    uvicorn --factory summeval.interop.serve:app_of

`summeval serve` runs it. No request names a file, an address or code of the server.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from summeval._lazy import need
from summeval._options import check_positive, check_whole, check_workers, unknown
from summeval._version import __version__
from summeval.interop.arrow import score_record_batch
from summeval.interop.openrlhf import Reward
from summeval.interop.reward import DEFAULT as DEFAULT_REWARD
from summeval.interop.reward import Judged, make_rewards
from summeval.interop.shared import weights_of
from summeval.io.rows import finite
from summeval.meta.ranking import rank, usual_resamples
from summeval.metrics import registry
from summeval.metrics.registry import expanded
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.shown import allowed_source, style_sheet
from summeval.metrics.run.suite import Suite, cached_suite
from summeval.metrics.scoring import explain, listed, made

__all__ = ["Limits", "app_of"]

ARROW = "application/vnd.apache.arrow.stream"
PATHS = ("score", "reward", "rank", "explain")
MOST_RESAMPLES = 100_000
_MOST_REWARDS = 64  # kept
_PAIR = ("candidate", "references", "source", "metrics", "options")  # keys of bodies
_BATCH = ("candidates", "references", "sources", "metrics", "options", "on_error")


class Limits(NamedTuple):
    """What one request, and all of them together, may take.

    Attributes
    ----------
    size : int
        Bytes of a body.
    seconds : float
        For a request, from its body to its answer.
    requests : int
        Requests that are read, wait or are worked on at once.
    workers : int
        Threads that score, -1 for one per processor.
    """

    size: int = 1 << 24
    seconds: float = 30.0
    requests: int = 64
    workers: int = 1


USUAL = Limits()


class Refused(Exception):
    """A request that is refused, with the status of the answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Body(dict[str, Any]):
    """The object that a client sent.

    >>> Body(candidate="a cat").known("candidates", "references")
    Traceback (most recent call last):
    ValueError: unknown key 'candidate'; did you mean candidates?
    """

    def __missing__(self, key: str) -> Any:
        raise ValueError(f"no {key!r}; send it")

    def known(self, *keys: str) -> None:
        """Raise unless all keys are known."""
        for key in self:
            if key not in keys:
                raise ValueError(unknown("key", key, keys))


class Request(NamedTuple):
    """What a client sent: the body, its type, and the parameters of the address."""

    body: bytes
    kind: str
    query: Body

    def read(self) -> Body:
        """Return the object that the body is in JSON."""
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise Refused(400, f"the body is no JSON: {error}") from None
        if not isinstance(found, dict):
            raise Refused(400, f"the body is JSON of {type(found).__name__}; send an object")
        return Body(found)


class Answer(NamedTuple):
    """What a request gets, and how many pairs were scored for it."""

    body: bytes
    kind: str
    pairs: int


def app_of(metrics: Iterable[str] | str | None = None, limits: Limits = USUAL) -> Any:
    """Return the application: `/score`, `/reward`, `/rank`, `/explain`, and a page at `/`.

    Parameters
    ----------
    metrics : names, optional
        The metrics that requests may name. By default summeval's own, but for those that cannot be
        without a file or an address, such as a judge.
    limits : Limits

    Raises
    ------
    ImportError
        starlette (extra `serve`) is not installed.
    TypeError, ValueError
        An unknown metric, or a limit out of its range.
    """
    starlette = need("starlette.applications", "a service", "serve")
    route = need("starlette.routing", "a service", "serve").Route
    exceptions = need("starlette.exceptions", "a service", "serve")
    service = Service(metrics, limits)

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        yield
        service.pool.shutdown(wait=False, cancel_futures=True)

    routes = [route(f"/{one}", service.endpoint(one), methods=["POST"]) for one in PATHS]
    routes += [route(path, answer) for path, answer in service.pages().items()]
    handlers = {exceptions.HTTPException: service.lost}
    return starlette.Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)


class Service:
    """What requests share: the metrics, the rewards that were made, the threads and the counts."""

    def __init__(self, metrics: Iterable[str] | str | None, limits: Limits) -> None:
        check_whole("size", limits.size, 1)
        check_positive("seconds", limits.seconds)
        check_whole("requests", limits.requests, 1)
        self.limits = limits
        self.served = None if metrics is None else expanded(listed(metrics))
        if self.served is not None:
            Suite(made(self.served))  # raises for unknown names, none, and one twice
        self.pool = ThreadPoolExecutor(check_workers(limits.workers), "summeval")
        self.rewards = lru_cache(_MOST_REWARDS)(make_reward)
        self.running = self.pairs = 0
        self.late: set[Future[Answer]] = set()  # what no thread can end when its time is over
        self.answers: Counter[tuple[str, int]] = Counter()
        self.seconds = dict.fromkeys(PATHS, 0.0)
        self.response = need("starlette.responses", "a service", "serve").Response
        self.gone = need("starlette.requests", "a service", "serve").ClientDisconnect

    # From a request to its answer, in the event loop

    def endpoint(self, path: str) -> Callable[[Any], Any]:
        """Return what answers requests by the method of this name, in a thread."""

        async def answer(request: Any) -> Any:
            begun = time.perf_counter()
            found = await self._answer(request, getattr(self, path))
            self.answers[path, found.status_code] += 1
            self.seconds[path] += time.perf_counter() - begun
            return found

        return answer

    async def _answer(self, request: Any, work: Callable[[Request], Answer]) -> Any:
        limits, job = self.limits, None
        self.late = {one for one in self.late if not one.done()}
        if self.running + len(self.late) >= limits.requests:
            message = f"{limits.requests} requests are under way; send it again a little later"
            return self.refusal(Refused(429, message))
        self.running += 1
        try:
            async with asyncio.timeout(limits.seconds):
                body, kind = await self._body(request), request.headers.get("content-type", "")
                job = self.pool.submit(work, Request(body, kind, Body(request.query_params)))
                found = await asyncio.wrap_future(job)
            self.pairs += found.pairs
            return self.response(found.body, media_type=found.kind)
        except TimeoutError:
            message = f"it took longer than {limits.seconds:g} s; send less at a time"
            return self.refusal(Refused(503, message))
        except self.gone:
            return self.refusal(Refused(400, "the client left before it had sent the body"))
        except Exception as error:
            return self.refusal(error)
        finally:
            self.running -= 1
            if job is not None and not job.done():
                self.late.add(job)

    async def _body(self, request: Any) -> bytes:
        """Return the body, of which no more is read than is allowed."""
        most, parts, length = self.limits.size, [], 0
        told = request.headers.get("content-length", "")
        is_long = told.isdecimal() and (len(told) > 18 or int(told) > most)
        if not is_long:
            async for part in request.stream():
                length += len(part)
                parts.append(part)
                if is_long := length > most:
                    break
        if is_long:
            raise Refused(413, f"the body is longer than {most:,} bytes; send less at a time")
        return b"".join(parts)

    def refusal(self, error: Exception) -> Any:
        """Return the answer to a request that failed: one line, and never where in the code."""
        said = error.args[0] if isinstance(error, KeyError) and error.args else error
        status, message = getattr(error, "status", 422), " ".join(str(said).split())
        if isinstance(error, (MemoryError, OSError)):
            status, message = 503, f"{type(error).__name__}: {message}"
        elif not isinstance(error, (Refused, KeyError, TypeError, ValueError, ImportError)):
            print(f"summeval: {type(error).__name__}: {message}", file=sys.stderr, flush=True)
            status, message = 500, f"{type(error).__name__}; the service has noted it"
        headers = {"retry-after": "1"} if status in (429, 503) else None
        return self.response(json.dumps({"error": message}), status, headers, "application/json")

    def lost(self, request: Any, error: Any) -> Any:
        """Return the answer to a wrong path or method."""
        message = f"{error.detail}; /openapi.json tells what there is"
        return self.refusal(Refused(error.status_code, message))

    # The work of a request, in a thread

    def score(self, request: Request) -> Answer:
        """Score one pair, or the rows of a batch in JSON or Arrow."""
        if request.kind.startswith(ARROW):
            return self._score_arrow(request)
        body = request.read()
        is_pair = "candidate" in body
        body.known(*(_PAIR if is_pair else _BATCH))
        suite = self._suite(body)
        signature = {name: str(line) for name, line in suite.signature.items()}
        if is_pair:
            found = suite.score(body["candidate"], body.get("references"), body.get("source"))
            fields = ((name, *one) for name, score in found.items() for one in score.items())
            scores = {f"{name}.{field}": value for name, field, value in fields}
            return in_json({"scores": scores, "signature": signature}, 1)
        how: Any = {"sources": body.get("sources"), "on_error": body.get("on_error", "raise")}
        table = suite.score_batch(body["candidates"], body.get("references"), **how)
        columns = {name: column.tolist() for name, column in table.items()}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        more = {"errors": table.errors} if table.errors else {}
        every = {"rows": rows, "scores": columns, **more, "signature": signature}
        return in_json(every, table.rows)

    def _score_arrow(self, request: Request) -> Answer:
        pa, query = need("pyarrow", "a body in Arrow", "arrow"), request.query
        query.known("metrics", "on_error")
        suite, on_error = self._suite(query), query.get("on_error", "raise")
        how: Any = {"on_error": on_error, "error_column": "error" if on_error == "skip" else None}
        scored = [score_record_batch(batch, suite, **how) for batch in batches(request.body)]
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, scored[0].schema) as writer:
            for batch in scored:
                writer.write_batch(batch)
        return Answer(sink.getvalue().to_pybytes(), ARROW, sum(one.num_rows for one in scored))

    def reward(self, request: Request) -> Answer:
        """Return rewards of texts, as `Rewards` gives them, or as OpenRLHF asks for them."""
        body, query = request.read(), request.query
        query.known("preset", "metrics")
        is_remote = "query" in body  # OpenRLHF sends further keys
        if not is_remote:
            body.known("texts", "references", "sources", "preset", "metrics", "missing")
        asked = query if is_remote else {**query, **body}
        preset, metrics = asked.get("preset"), asked.get("metrics")
        weights = self._weights(metrics) if preset is None or metrics is not None else None
        rewards = self.rewards(preset, weights, asked.get("missing"), is_remote)
        if is_remote:
            judged = judge_queries(rewards, body["query"], body["prompts"], body["labels"])
        else:
            judged = rewards.judge(body["texts"], body.get("references"), body.get("sources"))
        return in_json(judged._asdict(), len(judged.rewards))

    def rank(self, request: Request) -> Answer:
        """Rank systems by scores, such as those of `score`."""
        body = request.read()
        body.known("scores", "systems", "topics", "baseline", "resamples", "higher_is_better")
        scores, systems = body["scores"], body["systems"]
        if not isinstance(scores, dict):
            raise TypeError(f"scores is {type(scores).__name__}; send an object of columns")
        rising = {name: registry.direction_of(name) is not False for name in scores}
        rising |= body.get("higher_is_better", {})
        names = max(len(set(map(str, systems))), 1)
        usual = usual_resamples(-(-len(systems) // names), names * (names - 1) // 2, 0.05)
        resamples = body.get("resamples", min(usual, MOST_RESAMPLES))
        check_whole("resamples", resamples, 1, MOST_RESAMPLES)
        how = body.get("topics"), body.get("baseline"), resamples
        found = rank(scores, systems, *how, higher_is_better=rising)
        told = {"ranking": found.to_rows(), "settings": found.settings, "notes": found.notes}
        return in_json(told, 0)

    def explain(self, request: Request) -> Answer:
        """Tell what the scores of a pair come from, as objects or in HTML."""
        body = request.read()
        body.known("candidate", "references", "source", "metrics", "html")
        metrics = self._chosen(body.get("metrics"))
        how: Any = {"metrics": metrics, "source": body.get("source")}
        found = explain(body["candidate"], body.get("references"), **how)
        told = {
            name: one.to_html(style=False) if body.get("html") else one.to_dict()
            for name, one in found.items()
        }
        values = {name: one.value for name, one in found.items()}
        return in_json({"values": values, "explanations": told}, 1)

    def _suite(self, body: Body) -> Suite:
        options = body.get("options", {})
        if not isinstance(options, dict):
            raise TypeError(f"options is {type(options).__name__}; send an object")
        return cached_suite(self._chosen(body.get("metrics")), made, options)

    def _chosen(self, given: Any) -> list[str | Metric]:
        """Return the metrics that a request names: `rouge1`, or a name with options."""
        if given is None:
            return list(registry.DEFAULT if self.served is None else self.served)
        items = listed(given) if isinstance(given, str) else given
        if not isinstance(items, (list, tuple)):
            raise TypeError(f"metrics is {type(given).__name__}; send a list of names")
        return [self._one(item) for item in expanded(items)]

    def _one(self, item: Any) -> str | Metric:
        body = Body(item) if isinstance(item, dict) else Body(name=item)
        body.known("name", "options")
        name, options = body["name"], body.get("options", {})
        if not isinstance(name, str) or not isinstance(options, dict):
            raise TypeError('a metric is a name, or {"name": ..., "options": {...}}')
        known = registry.options_of(name)  # raises for an unknown name
        is_plain = any(family.accepts(name) for family in registry.INDEX)
        if self.served is not None and name not in self.served:
            raise ValueError(unknown("metric of this service", name, self.served))
        if self.served is None and not is_plain:
            raise ValueError(f"{name} is served only by a service that was started with it")
        for key, value in options.items():
            is_outside = key in known and known[key].kind in registry.OUTSIDE
            if not is_plain or (is_outside and not is_choice(value, known[key].choices)):
                raise ValueError(f"a request cannot set the option {key} of {name}")
        return registry.metric(name, **options) if options else name

    def _weights(self, given: Any) -> tuple[tuple[Any, float], ...]:
        """Return the terms of a reward, and the weight of each."""
        if given is None:
            given = [DEFAULT_REWARD] if self.served is None else self.served
        weights = weights_of(listed(given) if isinstance(given, str) else given)
        for term in weights:
            self._one(registry.split_field(term)[0] if isinstance(term, str) else term)
        return tuple(weights.items())

    # What there is to see

    def pages(self) -> dict[str, Callable[[Any], Any]]:
        """Return what answers each address that is only read."""
        data = files("summeval.interop") / "data"
        page = (data / "serve.html").read_text("utf-8")
        page = page.replace("/* explanations */", style_sheet())
        described = json.loads((data / "openapi.json").read_bytes())
        described["info"]["version"] = __version__
        style, script = (allowed_source(inside(page, part)) for part in ("style", "script"))
        policy = (
            f"default-src 'none'; style-src {style}; script-src {script}; connect-src 'self';"
            " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
        )
        guarded = {"content-security-policy": policy, "x-content-type-options": "nosniff"}
        health = json.dumps({"status": "ok", "version": __version__})

        def fixed(body: str, kind: str, headers: Any = None) -> Callable[[Any], Any]:
            return lambda request: self.response(body, headers=headers, media_type=kind)

        return {
            "/": fixed(page, "text/html", guarded),
            "/openapi.json": fixed(json.dumps(described), "application/json"),
            "/health": fixed(health, "application/json"),
            "/metrics": self.counts,
        }

    async def counts(self, request: Any) -> Any:
        """Return the counts in the text format of Prometheus."""
        told: dict[str, dict[str, float]] = {
            "summeval_requests_total counter": {
                f'{{path="/{path}",status="{status}"}}': count
                for (path, status), count in sorted(self.answers.items())
            },
            "summeval_request_seconds_total counter": {
                f'{{path="/{path}"}}': seconds for path, seconds in self.seconds.items()
            },
            "summeval_pairs_total counter": {"": self.pairs},
            "summeval_requests_running gauge": {"": self.running + len(self.late)},
            "process_cpu_seconds_total counter": {"": time.process_time()},
        }
        lines = []
        for kind, values in told.items():
            name = kind.partition(" ")[0]
            lines += [f"# TYPE {kind}", *(f"{name}{one} {values[one]:.10g}" for one in values)]
        return self.response("\n".join([*lines, ""]), media_type="text/plain; version=0.0.4")


def make_reward(preset: Any, weights: Any, missing: Any, is_remote: bool) -> Any:
    """Return rewards of a preset or of pairs of a metric and a weight, or those for OpenRLHF."""
    terms = None if weights is None else dict(weights)
    if is_remote:
        return Reward(terms, preset=preset)
    return make_rewards(terms, preset, {} if missing is None else {"missing": missing})


def judge_queries(reward: Reward, queries: Any, prompts: Any, labels: Any) -> Judged:
    """Return the rewards that OpenRLHF asks `--remote_rm_url` for.

    The queries are prompts with their completions, the labels the references.
    """
    given = {"query": queries, "prompts": prompts, "labels": labels}
    if len({len(one) if isinstance(one, list) else name for name, one in given.items()}) > 1:
        raise ValueError("query, prompts and labels differ in length; send lists of one length")
    if not all(isinstance(text, str) for text in (*queries, *prompts)):
        raise TypeError("query and prompts hold what is no text; send texts")
    pairs = enumerate(zip(queries, prompts, strict=True))
    texts = [reward.completion(query, prompt, row) for row, (query, prompt) in pairs]
    return reward.rewards.judge(texts, labels, None, prompts)


def is_choice(value: Any, choices: tuple[Any, ...]) -> bool:
    """Return whether a value of JSON is one of the choices: 1 is not True, and may be a file.

    >>> is_choice("unicode", ("rouge155", "unicode")), is_choice(1, (False, True))
    (True, False)
    """
    return any(value is one or (isinstance(value, str) and value == one) for one in choices)


def inside(page: str, part: str) -> str:
    """Return what the only element of a kind of a page holds.

    >>> inside("<style>p{}</style>", "style")
    'p{}'
    """
    return page.partition(f"<{part}>")[2].partition(f"</{part}>")[0]


def in_json(value: Any, pairs: int) -> Answer:
    """Return an answer in JSON, which has no NaN: null stands for it."""
    try:
        text = json.dumps(value, allow_nan=False)
    except ValueError:
        text = json.dumps(finite(value), allow_nan=False)
    return Answer(text.encode(), "application/json", pairs)


# Arrow streams, which are checked before anything follows their offsets


def batches(body: bytes) -> list[Any]:
    """Return the record batches of an Arrow stream, one at least, all checked.

    A compressed stream is refused, since it may hold more than memory does.
    """
    pa = need("pyarrow", "a body in Arrow", "arrow")
    need("pyarrow.ipc", "a body in Arrow", "arrow")
    try:
        for message in pa.ipc.MessageReader.open_stream(body):
            if is_compressed(message.type, message.metadata.to_pybytes()):
                raise Refused(422, "the Arrow stream is compressed; send it uncompressed")
        reader = pa.ipc.open_stream(body)
        found = list(reader) or [pa.RecordBatch.from_pylist([], schema=reader.schema)]
        for batch in found:
            if batch.num_rows > len(body):  # of a type without buffers
                raise Refused(413, "the Arrow stream has more rows than bytes; send text")
            batch.validate(full=True)
    except (pa.lib.ArrowException, OSError, ValueError, NotImplementedError) as error:
        raise Refused(400, f"the body is no Arrow stream: {error}") from None
    return found


def is_compressed(kind: str, head: bytes) -> bool:
    """Return whether a message of Arrow has compressed buffers: its head says so.

    The head is a flatbuffer, which pyarrow has verified: `Message` has its header as field 2, a
    `DictionaryBatch` its record batch as field 1, a `RecordBatch` its compression as field 3
    (Message.fbs of Apache Arrow).
    """
    if kind not in ("record batch", "dictionary"):
        return False
    at = _follow(head, _follow(head, 0), 2)
    if kind == "dictionary":
        at = _follow(head, at, 1)
    return _place(head, at, 3) != 0


def _place(data: bytes, table: int, field: int) -> int:
    """Return where a field of a table of a flatbuffer is, 0 if it has none."""
    fields = table - int.from_bytes(data[table : table + 4], "little", signed=True)
    size = int.from_bytes(data[fields : fields + 2], "little")
    entry = 4 + 2 * field
    place = fields + entry
    offset = int.from_bytes(data[place : place + 2], "little") if entry < size else 0
    return table + offset if offset else 0


def _follow(data: bytes, table: int, field: int | None = None) -> int:
    """Return the table that a field of a table refers to; without a field, what a place does."""
    place = table if field is None else _place(data, table, field)
    return place + int.from_bytes(data[place : place + 4], "little")
