"""`summeval serve`: what it answers is what the package computes, and it refuses all else."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="starlette, of the extra serve, is not installed")
pytest.importorskip("httpx", reason="starlette's TestClient needs httpx")

from starlette.testclient import TestClient

import summeval
from summeval.interop import serve
from summeval.interop.reward import Rewards
from summeval.interop.serve import ARROW, Answer, Limits, Request, app_of
from summeval.meta import rank
from summeval.metrics import registry

CANDIDATES = ["the cat sat on the mat", "a dog", None, ""]
REFERENCES = [["the cat sat", "a cat"], "a dog barks", "a bird", "a fish"]
PAIR = {"candidate": "the cat sat", "references": ["the cat"]}
IN_ARROW = {"content-type": ARROW}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with TestClient(app_of()) as made:
        yield made


def nan_as_none(values: Any) -> list[Any]:
    return [None if math.isnan(value) else value for value in values]


def stream(*batches: Any, **options: Any) -> bytes:
    pa = pytest.importorskip("pyarrow")
    sink = pa.BufferOutputStream()
    how = pa.ipc.IpcWriteOptions(**options)
    with pa.ipc.new_stream(sink, batches[0].schema, options=how) as writer:
        for batch in batches:
            writer.write_batch(batch)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def rows(**more: Any) -> Any:
    pa = pytest.importorskip("pyarrow")
    lists = [[one] if isinstance(one, str) else one for one in REFERENCES]
    return pa.record_batch({"candidate": CANDIDATES, "references": lists, **more})


def refused(answer: Any) -> str:
    """The one line that a refusal says."""
    found = answer.json()
    assert list(found) == ["error"]
    assert "\n" not in found["error"] and "Traceback" not in found["error"]
    return str(found["error"])


def test_a_pair_has_the_scores_of_the_package(client: Any) -> None:
    found = client.post("/score", json={**PAIR, "metrics": "rouge2,chrf"}).json()
    scores = summeval.score("the cat sat", ["the cat"], ["rouge2", "chrf"])
    wanted = {f"{name}.{field}": v for name, one in scores.items() for field, v in one.items()}
    assert found["scores"] == wanted
    assert found["signature"] == {
        name: str(summeval.metric(name).signature) for name in ("rouge2", "chrf")
    }


def test_rows_have_the_scores_of_a_batch(client: Any) -> None:
    stemmed = {"name": "rouge2", "options": {"stemmer": "porter"}}
    body = {
        "candidates": CANDIDATES,
        "references": REFERENCES,
        "metrics": ["rouge1", stemmed],
        "options": {"tokenizer": "unicode"},
    }
    found = client.post("/score", json=body).json()["scores"]
    metrics = [
        summeval.metric("rouge1", tokenizer="unicode"),
        summeval.metric("rouge2", stemmer="porter"),
    ]
    table = summeval.score_batch(CANDIDATES, REFERENCES, metrics)
    assert found == {name: nan_as_none(column) for name, column in table.items()}


def test_refused_rows_can_be_skipped(client: Any) -> None:
    body = {"candidates": ["a dog", 7], "references": ["a dog"] * 2, "metrics": "rouge1"}
    assert "candidates[1] is int" in refused(client.post("/score", json=body))
    found = client.post("/score", json={**body, "on_error": "skip"}).json()
    assert found["scores"]["rouge1.recall"] == [1.0, None]
    assert [row["rouge1.recall"] for row in found["rows"]] == [1.0, None]
    assert found["errors"] == {"1": "candidates[1] is int, expected str or None"}


def test_arrow_has_the_scores_of_json(client: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    body = {"candidates": CANDIDATES, "references": REFERENCES, "metrics": "rouge1,chrf"}
    wanted = client.post("/score", json=body).json()
    batch = rows()
    for sent, times in ((stream(batch), 1), (stream(batch, batch), 2), (stream(batch[:0]), 0)):
        answer = client.post("/score?metrics=rouge1,chrf", content=sent, headers=IN_ARROW)
        assert answer.headers["content-type"] == ARROW
        table = pa.ipc.open_stream(answer.content).read_all()
        assert table.to_pydict() == {name: one * times for name, one in wanted["scores"].items()}
        told = {key.decode(): line.decode() for key, line in table.schema.metadata.items()}
        assert told == wanted["signature"]


def test_arrow_with_repeated_texts(client: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    texts = pa.array(["a cat", "a dog", "a cat"]).dictionary_encode()
    sent = pa.record_batch({"candidate": texts, "references": texts})
    answer = client.post("/score?metrics=rouge1", content=stream(sent), headers=IN_ARROW)
    table = pa.ipc.open_stream(answer.content).read_all()
    assert table["rouge1.fmeasure"].to_pylist() == [1.0, 1.0, 1.0]


def test_the_fields_of_a_flatbuffer_may_stand_after_it() -> None:
    """A writer may put the list of a table's fields behind it: the offset is then negative."""
    # the root at 8 has its fields at 16; its field 2, 4 bytes on, points to a table at 32 with
    # its fields at 40, of which field 3 is set
    head = bytearray(56)
    head[0:4] = (8).to_bytes(4, "little")
    head[8:12] = (-8).to_bytes(4, "little", signed=True)
    head[12:16] = (20).to_bytes(4, "little")
    head[16:18] = (10).to_bytes(2, "little")
    head[24:26] = (4).to_bytes(2, "little")
    head[32:36] = (-8).to_bytes(4, "little", signed=True)
    head[40:42] = (12).to_bytes(2, "little")
    assert not serve.is_compressed("record batch", bytes(head))
    head[50:52] = (4).to_bytes(2, "little")
    assert serve.is_compressed("record batch", bytes(head))


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
@pytest.mark.parametrize("kind", ["plain", "dictionary"])
def test_compressed_arrow_is_refused(client: Any, codec: str, kind: str) -> None:
    pa = pytest.importorskip("pyarrow")
    texts = pa.array(["a" * 1000] * 100)
    texts = texts.dictionary_encode() if kind == "dictionary" else texts
    sent = stream(pa.record_batch({"candidate": texts, "references": texts}), compression=codec)
    answer = client.post("/score", content=sent, headers=IN_ARROW)
    assert answer.status_code == 422
    assert "send it uncompressed" in refused(answer)


def test_rows_that_take_no_bytes_are_refused(client: Any) -> None:
    pa = pytest.importorskip("pyarrow")
    sent = stream(pa.record_batch({"candidate": pa.nulls(10**9), "references": pa.nulls(10**9)}))
    answer = client.post("/score", content=sent, headers=IN_ARROW)
    assert answer.status_code == 413
    assert "more rows than bytes" in refused(answer)


def test_no_broken_arrow_crashes_it(client: Any) -> None:
    draw, whole, statuses = random.Random(0), stream(rows()), set()
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            broken[draw.randrange(len(broken))] = draw.randrange(256)
        sent = bytes(broken[: draw.choice((len(broken), draw.randrange(len(broken))))])
        answer = client.post("/score?metrics=rouge1", content=sent, headers=IN_ARROW)
        statuses.add(answer.status_code)
        if answer.status_code != 200:
            refused(answer)
    assert {200, 400} <= statuses <= {200, 400, 413, 422}


REFUSALS: dict[str, tuple[str, Any, int, str]] = {
    "no JSON": ("/score", b"{", 400, "no JSON"),
    "no UTF-8": ("/score", b'{"candidate": "\xff"}', 400, "no JSON"),
    "deep": ("/score", b"[" * 100_000, 400, "no JSON"),
    "a long number": ("/score", b"9" * 10_000, 400, "no JSON"),
    "a list": ("/score", b"[]", 400, "send an object"),
    "no Arrow": ("/score?arrow", b"nothing", 400, "no Arrow stream"),
    "no texts": ("/score", {}, 422, "no 'candidates'; send it"),
    "a typing error": ("/score", {"canditates": []}, 422, "did you mean candidates?"),
    "a text for rows": ("/score", {"candidates": "a", "references": "a"}, 422, "candidates"),
    "lengths": ("/score", {"candidates": ["a"], "references": []}, 422, "1 candidates but 0"),
    "a number": ("/score", {"candidate": 1, "references": "a"}, 422, "is int"),
    "half a character": (
        "/score",
        b'{"candidate": "\\ud800", "references": "a"}',
        422,
        "surrogate",
    ),
    "no such metric": ("/score", {**PAIR, "metrics": ["ruge1"]}, 422, "unknown metric"),
    "metrics of a kind": ("/score", {**PAIR, "metrics": 7}, 422, "send a list of names"),
    "a metric of a kind": ("/score", {**PAIR, "metrics": [7]}, 422, "a metric is a name"),
    "no such option": (
        "/score",
        {**PAIR, "metrics": [{"name": "rouge1", "options": {"steamer": "porter"}}]},
        422,
        "did you mean stemmer",
    ),
    "a judge": ("/score", {**PAIR, "metrics": ["judge"]}, 422, "started with it"),
    "no source": ("/score", {**PAIR, "metrics": ["support"]}, 422, "source"),
    "no such preset": ("/reward", {"texts": ["a"], "preset": "best"}, 422, "preset"),
    "both": ("/reward", {"texts": ["a"], "preset": "content", "metrics": "be"}, 422, "combined"),
    "weights": ("/reward", {"texts": ["a"], "metrics": {"rouge1": "much"}}, 422, "weight"),
    "a judge's reward": ("/reward", {"texts": ["a"], "metrics": {"judge.value": 1}}, 422, "start"),
    "a query alone": ("/reward", {"query": ["a"], "prompts": [], "labels": []}, 422, "length"),
    "no scores": ("/rank", {"systems": ["a"], "scores": {}}, 422, "no column holds numbers"),
    "resamples": (
        "/rank",
        {"systems": ["a"], "scores": {"x": [1]}, "resamples": 10**9},
        422,
        "resamples is 1000000000",
    ),
    "nothing to explain": ("/explain", {"candidate": None}, 422, "nothing to explain"),
}


@pytest.mark.parametrize(("path", "body", "status", "says"), REFUSALS.values(), ids=REFUSALS)
def test_what_is_wrong_is_told_in_a_line(
    client: Any, path: str, body: Any, status: int, says: str
) -> None:
    path, _, arrow = path.partition("?")
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = client.post(path, content=sent, headers=IN_ARROW if arrow else None)
    assert (answer.status_code, says in refused(answer)) == (status, True), answer.text


BODIES: dict[str, list[dict[str, Any]]] = {
    "/score": [
        {**PAIR, "source": "a", "metrics": "rouge1", "options": {}},
        {"candidates": ["a"], "references": ["a"], "sources": ["a"], "on_error": "raise"},
    ],
    "/reward": [
        {"texts": ["a"], "references": ["a"], "sources": ["a"], "metrics": "rouge1", "missing": 0},
        {"texts": ["a"], "references": ["a"], "preset": "content"},
        {"query": ["a b"], "prompts": ["a"], "labels": ["b"]},
    ],
    "/rank": [
        {
            "scores": {"x": [1, 2]},
            "systems": ["a", "b"],
            "topics": ["t", "t"],
            "baseline": "a",
            "resamples": 10,
            "higher_is_better": {"x": True},
        }
    ],
    "/explain": [{**PAIR, "source": "a", "metrics": "rouge1", "html": False}],
}
ODD = [None, True, 7, -0.5, 1e400, "", "x", [], {}, [7], [None], [[7]], [{}], {"a": 7}, {"": [[]]}]
ODD += [["a"] * 3, {"x": ["a", {}]}, {"name": 7}, [{"name": "rouge1", "options": {"label": 7}}]]


@pytest.mark.parametrize(
    ("path", "body", "key"),
    [(path, body, key) for path, bodies in BODIES.items() for body in bodies for key in body],
)
def test_no_value_of_a_key_breaks_it(
    client: Any, path: str, body: dict[str, Any], key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert client.post(path, json=body).status_code == 200
    for odd in ODD:
        sent = json.dumps({**body, key: odd}).encode()
        answer = client.post(path, content=sent)
        assert answer.status_code in (200, 422), (odd, answer.text, capsys.readouterr().err)
        if answer.status_code == 422:
            refused(answer)


OUTSIDE = [
    (name, option)
    for name in dict.fromkeys(family.names[0] for family in registry.INDEX)
    for option in registry.options_of(name).values()
    if option.kind in registry.OUTSIDE
]


@pytest.mark.parametrize(
    ("name", "option"), OUTSIDE, ids=[f"{name}.{option.name}" for name, option in OUTSIDE]
)
def test_no_request_names_a_file_or_code(client: Any, name: str, option: Any) -> None:
    for value in ("/etc/passwd", 1, ["rouge1"], {"url": "http://127.0.0.1"}):
        metrics = [{"name": name, "options": {option.name: value}}]
        body = {"candidate": "a", "references": "a", "source": "a", "metrics": metrics}
        said = refused(client.post("/score", json=body))
        assert said == f"a request cannot set the option {option.name} of {name}", value


def test_a_choice_of_such_an_option_may_be_set(client: Any) -> None:
    metrics = [{"name": "bleu", "options": {"tokenizer": "char"}}]
    found = client.post("/score", json={**PAIR, "metrics": metrics})
    score = summeval.metric("bleu", tokenizer="char").score("the cat sat", ["the cat"])
    assert found.json()["scores"]["bleu.value"] == score.value


def test_metrics_that_are_named_at_the_start_are_all_that_is_served() -> None:
    with TestClient(app_of("rouge1,rouge2")) as client:
        found = client.post("/score", json=PAIR).json()
        assert {*found["signature"]} == {"rouge1", "rouge2"}
        answer = client.post("/score", json={**PAIR, "metrics": ["rougeL"]})
        assert "unknown metric of this service 'rougeL'" in refused(answer)
        texts = {"texts": ["a cat"], "references": ["the cat"]}
        assert client.post("/reward", json=texts).json()["parts"].keys() == {"rouge1", "rouge2"}
        answer = client.post("/reward", json={**texts, "metrics": "rougeL"})
        assert answer.status_code == 422
    with pytest.raises(ValueError, match="unknown metric"):
        app_of("ruge1")


def test_a_metric_of_the_user_is_served_by_name_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from summeval.metrics.own import known

    monkeypatch.setattr(known, "_KNOWN", dict(known._KNOWN))
    summeval.register("mine", lambda candidate, references: 0.25)
    with TestClient(app_of()) as client:
        assert client.post("/score", json={**PAIR, "metrics": "mine"}).status_code == 422
    with TestClient(app_of("mine")) as client:
        assert client.post("/score", json=PAIR).json()["scores"] == {"mine.value": 0.25}
        body = {**PAIR, "metrics": [{"name": "mine", "options": {"label": "x"}}]}
        assert "cannot set the option" in refused(client.post("/score", json=body))


def test_rewards_are_those_of_rewards(client: Any) -> None:
    texts, references = ["the cat sat", "a dog", "a dog"], ["the cat sat down", "a dog", None]
    weights = {"rouge1": 0.5, "rouge2.recall": 2}
    body = {"texts": texts, "references": references, "metrics": weights}
    judged = Rewards(weights).judge(texts, references)
    found = client.post("/reward", json=body).json()
    assert found["rewards"] == judged.rewards
    assert found["parts"] == {name: nan_as_none(column) for name, column in judged.parts.items()}
    found = client.post("/reward", json={**body, "missing": -1.0}).json()
    assert found["rewards"] == Rewards(weights, missing=-1.0)(texts, references)
    body = {"texts": texts[:2], "references": references[:2], "preset": "content"}
    found = client.post("/reward", json=body).json()
    assert found == Rewards.preset("content").judge(texts[:2], references[:2])._asdict()


def test_rewards_as_openrlhf_asks_for_them(client: Any) -> None:
    """Its `remote_rm_utils.py` posts these keys and makes a tensor of `rewards`."""
    body = {
        "query": ["<s>Sum up: the cat</s>", "<s>Sum up: a dog</s>", "<s>Sum up: x</s>"],
        "prompts": ["Sum up: "] * 3,
        "labels": ["the cat", "a cat", None],
        "datasources": ["news"] * 3,
    }
    found = client.post("/reward?metrics=rouge1", json=body).json()
    assert found["rewards"] == [1.0, 0.5, 0.0]
    found = client.post("/reward?preset=content", json={**body, "labels": ["the cat"] * 3}).json()
    wanted = Rewards.preset("content")(["the cat", "a dog", "x"], ["the cat"] * 3)
    assert found["rewards"] == wanted
    answer = client.post("/reward?preset=faithful", json=body)
    assert "compares with the source" in refused(answer)


def test_a_ranking_is_that_of_meta(client: Any) -> None:
    scores = {"rouge1": [0.5, 0.4, 0.7, 0.6, 0.9, None], "ter": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}
    systems, topics = list("aabbcc"), list("121212")
    sent = {"scores": scores, "systems": systems, "topics": topics, "baseline": "a"}
    found = client.post("/rank", json={**sent, "resamples": 500}).json()
    rising = {"rouge1": True, "ter": False}
    wanted = rank(scores, systems, topics, "a", 500, higher_is_better=rising)
    assert found["ranking"] == json.loads(json.dumps(wanted.to_rows()))
    assert found["notes"] == wanted.notes
    turned = client.post("/rank", json={**sent, "higher_is_better": {"ter": True}}).json()
    best = {row["metric"]: row["system"] for row in turned["ranking"] if row["rank"] == 1}
    assert best == {"rouge1": "c", "ter": "c"}


def test_an_explanation_is_that_of_the_package(client: Any) -> None:
    body = {**PAIR, "metrics": "rouge1,tesla-s"}
    told = summeval.explain("the cat sat", ["the cat"], ["rouge1", "tesla-s"])
    found = client.post("/explain", json=body).json()
    wanted = {name: json.loads(json.dumps(one.to_dict())) for name, one in told.items()}
    assert found["explanations"] == wanted
    assert found["values"] == {name: one.value for name, one in told.items()}
    found = client.post("/explain", json={**body, "html": True}).json()
    assert found["explanations"]["rouge1"] == told["rouge1"].to_html(style=False)


def test_a_longer_body_than_allowed_is_refused() -> None:
    with TestClient(app_of(limits=Limits(size=100))) as client:
        assert client.post("/score", json=PAIR).status_code == 200
        long = json.dumps({**PAIR, "source": "a" * 100}).encode()
        for sent in (long, iter([long[:50], long[50:]])):  # the second without its length
            answer = client.post("/score", content=sent)
            assert answer.status_code == 413
            assert "longer than 100 bytes" in refused(answer)
        whole = json.dumps({**PAIR, "pad": ""}).encode()
        whole = json.dumps({**PAIR, "pad": "a" * (100 - len(whole))}).encode()
        assert len(whole) == 100
        assert client.post("/score", content=iter([whole[:50], whole[50:]])).status_code != 413


def test_what_takes_too_long_counts_until_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end, scored = threading.Event(), serve.Service.score

    def waiting(self: Any, request: Request) -> Answer:
        may_end.wait(60)
        return scored(self, request)

    monkeypatch.setattr(serve.Service, "score", waiting)
    with TestClient(app_of(limits=Limits(seconds=0.05, requests=1))) as client:
        answer = client.post("/score", json=PAIR)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert "longer than 0.05 s" in refused(answer)
        assert "summeval_requests_running 1\n" in client.get("/metrics").text
        answer = client.post("/score", json=PAIR)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
        assert "1 requests are under way" in refused(answer)
        may_end.set()
        found = (client.post("/score", json=PAIR).status_code for _ in range(10_000))
        assert next(status for status in found if status != 429) == 200


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (MemoryError("no more"), 503, "MemoryError: no more"),
        (ImportError("needs torch: pip install torch"), 422, "needs torch"),
        (ZeroDivisionError("secret /home/x"), 500, "ZeroDivisionError; the service has noted it"),
    ],
)
def test_no_error_shows_the_code(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, says: str
) -> None:
    def failing(self: Any, request: Request) -> Answer:
        raise error

    monkeypatch.setattr(serve.Service, "score", failing)
    with TestClient(app_of()) as client:
        answer = client.post("/score", json=PAIR)
        assert (answer.status_code, says in refused(answer)) == (status, True)
        assert "secret" not in answer.text


def test_counts_are_those_of_the_requests() -> None:
    with TestClient(app_of()) as client:
        client.post("/score", json={"candidates": ["a"] * 3, "references": ["a"] * 3})
        client.post("/score", json={})
        lines = client.get("/metrics").text.splitlines()
        assert client.get("/health").json() == {"status": "ok", "version": summeval.__version__}
    assert 'summeval_requests_total{path="/score",status="200"} 1' in lines
    assert 'summeval_requests_total{path="/score",status="422"} 1' in lines
    assert "summeval_pairs_total 3" in lines
    assert "summeval_requests_running 0" in lines
    for line in lines:
        assert re.fullmatch(r"# TYPE \w+ (counter|gauge)|\w+(\{[^}]*\})? \d[\d.e-]*", line)


def test_the_description_names_what_there_is(client: Any) -> None:
    described = client.get("/openapi.json").json()
    assert described["info"]["version"] == summeval.__version__
    of_app = {
        (route.path, method)
        for route in app_of().routes
        for method in route.methods - {"HEAD"}
        if route.path not in ("/", "/openapi.json")
    }
    told = {(path, method.upper()) for path, one in described["paths"].items() for method in one}
    assert told == of_app
    schemas = described["components"]["schemas"]
    assert {*schemas["Pair"]["properties"]} == {*serve._PAIR}
    assert {*schemas["Batch"]["properties"]} == {*serve._BATCH}
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(described)))
    assert named == {*schemas}
    answer = client.get("/scores")
    assert (answer.status_code, "/openapi.json" in refused(answer)) == (404, True)


def test_the_page_runs_its_own_code_alone(client: Any) -> None:
    answer = client.get("/")
    parts = answer.headers["content-security-policy"].split("; ")
    policy = dict(part.split(" ", 1) for part in parts)
    assert policy["default-src"] == "'none'" and policy["connect-src"] == "'self'"
    for part in ("style", "script"):
        (inside,) = re.findall(f"<{part}[^>]*>(.*?)</{part}>", answer.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert policy[f"{part}-src"] == f"'sha256-{digest}'"
    assert ".sv-told" in answer.text  # the style of explanations
    assert not re.search(r"""\b(src|href|on\w+|style)=|https?:""", answer.text)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def asked(port: int, text: str) -> str:
    with connected(port) as held:
        held.sendall(text.encode())
        return read(held)


def read(held: socket.socket) -> str:
    found = b""
    while part := held.recv(1 << 16):
        found += part
    return found.decode()


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_what_it_has_taken_and_stops(number: int) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn, of the extra serve, is not installed")
    command = [sys.executable, "-m", "summeval.cli.main", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
        try:
            assert service.stderr is not None
            told = re.search(r"serving at http://127.0.0.1:(\d+) ", service.stderr.readline())
            assert told is not None
            port, body = int(told[1]), json.dumps(PAIR)
            head = f"POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
            with connected(port) as held:
                held.sendall((head + body[:5]).encode())
                counts = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                while "summeval_requests_running 1" not in asked(port, counts):
                    pass
                service.send_signal(number)
                held.sendall(body[5:].encode())
                assert '"rouge1.fmeasure": 0.8' in read(held)
            assert service.wait(60) == 0
            assert service.stderr.read() == ""
        finally:
            service.kill()
