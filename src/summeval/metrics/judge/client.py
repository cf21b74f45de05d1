"""Questions to a language model behind an OpenAI-compatible address.

Each answer is kept, in memory and on disk, so that nothing is asked twice.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from queue import SimpleQueue
from time import time
from typing import Any, NamedTuple

from summeval._forks import new_lock
from summeval._kept import Kept
from summeval._lazy import need
from summeval._options import SettingError, shown
from summeval.annotate.cache import Cache, cache_folder
from summeval.metrics.judge.rubrics import Question

# Parts of a request that servers may refuse: then it is sent without them.
_MAY_LACK = ("logprobs", "response_format", "seed", "temperature")
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_REFUSED = frozenset({401, 403})
_MOST_KEPT = 1 << 16  # answers in memory
_TOPS = 20  # tokens whose probabilities are asked for
_LONGEST_WAIT = 60.0  # seconds between two tries
_PLACE = "judge.sqlite"


class Reply(NamedTuple):
    """An answer.

    Attributes
    ----------
    text : str
    tops : mapping of str to float
        The probabilities of the tokens that might stand where the last number stands.
    read, written : int
        Tokens of the question and of the answer, as the server counts them.
    """

    text: str
    tops: Mapping[str, float]
    read: int
    written: int


class Unreachable(SettingError):
    """The address, the key or the budget is to blame, and no row of a batch."""


class Answers(Cache):
    """The answers on disk, in the folder of the cache of parses."""

    @property
    def path(self) -> Any:
        return cache_folder() / _PLACE


class Client:
    """Asks one model; threads may share it.

    Parameters
    ----------
    url : str
        Up to and without `/chat/completions`.
    model : str
    key_variable : str
        The variable of the environment that has the key. It is read when something is asked, and
        stands in no message.
    timeout : float
        Seconds for an answer.
    retries : int
        How often a question is asked again where the server is busy or out of reach.
    most_tokens : int, optional
        The tokens that may be used before nothing more is asked.
    on_disk : bool
        Whether answers are kept on disk.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key_variable: str,
        timeout: float,
        retries: int,
        most_tokens: int | None,
        on_disk: bool,
    ) -> None:
        self._url, self._model, self._key_variable = url, model, key_variable
        self._timeout, self._retries = timeout, retries
        self._most_tokens, self._used = most_tokens, 0
        self._lacks: set[str] = set()
        self._disk = Answers() if on_disk else None
        self._kept: Kept[Reply] = Kept(_MOST_KEPT, lambda reply: 1)
        self._refused: dict[bytes, str] = {}  # why; asking again would not help
        self._pending: dict[bytes, threading.Event] = {}
        self._lock = new_lock()
        self._http: Any = None
        self._process = 0

    def ask_all(
        self, tasks: Sequence[Callable[[threading.Event], Any]], concurrency: int
    ) -> list[Any]:
        """Run tasks that ask; for each its result, or the ValueError that its row is to blame for.

        Each gets what is set when nothing more shall be asked. Another error is raised when the
        answers that are under way have come, since they are paid for; Ctrl-C leaves them behind.
        """
        stop, waiting = threading.Event(), deque(enumerate(tasks))
        done: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()

        def work() -> None:
            while not stop.is_set():
                try:
                    place, task = waiting.popleft()
                except IndexError:
                    return
                try:
                    done.put((place, task(stop), None))
                except BaseException as error:
                    done.put((place, None, error))

        threads = [
            threading.Thread(target=work, daemon=True) for _ in range(min(concurrency, len(tasks)))
        ]
        for thread in threads:
            thread.start()
        found: list[Any] = [None] * len(tasks)
        try:
            for _ in tasks:
                place, result, error = done.get()
                if isinstance(error, SettingError) or not isinstance(error, ValueError | None):
                    stop.set()
                    for thread in threads if isinstance(error, Exception) else ():
                        thread.join()
                    raise error
                found[place] = result if error is None else error
            return found
        finally:
            stop.set()

    def ask(
        self,
        question: Question,
        stop: threading.Event,
        *,
        temperature: float,
        number: int = 0,
        tops: bool = False,
    ) -> Reply:
        """Return the answer to a question, asked for the `number`-th time."""
        request: dict[str, Any] = {
            "model": self._model,
            "messages": question.messages,
            "temperature": temperature,
            "seed": number,
            "response_format": question.schema,
        }
        if tops:
            request |= {"logprobs": True, "top_logprobs": _TOPS}
        key = _digest(self._url, request)
        mine = threading.Event()
        while (first := self._pending.setdefault(key, mine)) is not mine:
            while not (first.wait(0.1) or stop.is_set()):  # another thread asks the same
                pass
            if stop.is_set():
                break
        try:
            if (kept := self._find(key)) is not None:
                return kept
            if (why := self._refused.get(key)) is not None:
                raise ValueError(why)
            self._check_budget()
            try:
                reply = _reply(self._post(request, stop))
            except SettingError:
                raise
            except ValueError as error:
                self._refused[key] = str(error)
                raise
            with self._lock:
                self._used += reply.read + reply.written
            self._keep(key, reply)
            return reply
        finally:
            if first is mine:
                del self._pending[key]
                mine.set()

    def _check_budget(self) -> None:
        with self._lock:
            used, most = self._used, self._most_tokens
        if most is not None and used >= most:
            raise Unreachable(
                f"judge has used {used:,} of max_tokens_total={most} tokens and stops; its answers"
                " are kept: allow more and run it again"
            )

    def _find(self, key: bytes) -> Reply | None:
        kept = self._kept.find(key)
        if kept is None and self._disk is not None:
            data = self._disk.entries([key]).get(key)
            try:
                kept = None if data is None else Reply(*json.loads(data))
            except (ValueError, TypeError):  # damaged: it is asked anew
                kept = None
        return kept

    def _keep(self, key: bytes, reply: Reply) -> None:
        self._kept.add({key: reply})
        if self._disk is not None:
            self._disk.add([(key, json.dumps(reply).encode())])

    def _post(self, request: Mapping[str, Any], stop: threading.Event) -> dict[str, Any]:
        """Return what the server answers; it is asked again where that may help."""
        httpx = need("httpx", "A language model as judge", "judge")
        tries, trouble = 0, ""
        while tries <= self._retries:
            if stop.is_set():
                break
            pause = min(_LONGEST_WAIT, 0.5 * 2**tries) * random.uniform(0.5, 1.5)
            sent = {k: v for k, v in request.items() if k.removeprefix("top_") not in self._lacks}
            try:
                answer = self._connection(httpx).post(
                    f"{self._url}/chat/completions", json=sent, headers=self._headers()
                )
            except httpx.TransportError as error:
                trouble = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            except httpx.InvalidURL as error:
                raise Unreachable(f"url is {shown(self._url)}: {error}") from None
            else:
                found = _object_of(answer)
                if answer.status_code == 200 and found is not None:
                    return found
                trouble = self._message(answer, found)
                if answer.status_code in _REFUSED:
                    raise Unreachable(
                        f"judge: {self._url} refuses the key in {self._key_variable} ({trouble});"
                        " set another, or the name of its variable with key_variable"
                    )
                if answer.status_code in (400, 413, 422):
                    if self._leave_out(sent, trouble):
                        continue
                    raise ValueError(f"the judge refuses the request ({trouble})")
                if answer.status_code == 404 or 300 <= answer.status_code < 400:
                    raise self._elsewhere(answer, trouble)
                if answer.status_code not in _AGAIN and answer.status_code != 200:
                    raise Unreachable(f"judge: {self._url} answers with {trouble}")
                pause = _asked_pause(answer.headers.get("retry-after"), pause)
            tries += 1
            if tries <= self._retries:
                stop.wait(pause)
        raise Unreachable(
            f"judge: no answer from {self._url} in {tries} tries ({trouble}); its answers so far"
            " are kept: run it again when it is there, or see url, timeout and retries"
        )

    def _elsewhere(self, answer: Any, trouble: str) -> Unreachable:
        """Return the error of an address at which there is nothing."""
        if answer.status_code == 404:
            return Unreachable(
                f"judge: {self._url} has no model {self._model} there ({trouble}); see url"
                " (which mostly ends in /v1) and model"
            )
        to = answer.headers.get("location")
        where = f" to {shown(to)}" if to else ""
        return Unreachable(
            f"judge: {self._url} redirects ({answer.status_code}){where}, which is not followed;"
            " pass as url the address that answers"
        )

    def _connection(self, httpx: Any) -> Any:
        with self._lock:
            if self._process != os.getpid():  # a connection must not be used after a fork
                limits = httpx.Limits(max_connections=None)
                self._http = httpx.Client(timeout=self._timeout, limits=limits)
                self._process = os.getpid()
            return self._http

    def _headers(self) -> dict[str, str]:
        key = os.environ.get(self._key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise Unreachable(
                f"the key in {self._key_variable} has characters that no header may have"
            )
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _message(self, answer: Any, found: Mapping[str, Any] | None) -> str:
        """Return the status and what the server says, in a line, without the key."""
        error = (found or {}).get("error", found)
        said = error.get("message") if isinstance(error, dict) else error
        if not isinstance(said, str):
            kind = answer.headers.get("content-type", "no type")
            said = f"{len(answer.content)} bytes of {kind}, which are no JSON object"
        key = os.environ.get(self._key_variable, "").strip()
        if key:
            said = said.replace(key, "…")
        line = " ".join("".join(c if c.isprintable() else " " for c in said).split())
        return f"{answer.status_code}: {line[:200]}"

    def _leave_out(self, sent: Mapping[str, Any], trouble: str) -> bool:
        """Leave out of later requests what the server did not take of this one, if that is told.

        Others that were under way may have learnt it before.
        """
        parts = [part for part in _MAY_LACK if part in sent]
        named = {part for part in parts if part in trouble or part.replace("_", " ") in trouble}
        if "json_schema" in trouble and "response_format" in parts:
            named.add("response_format")
        with self._lock:
            self._lacks |= named
        return bool(named)


def _digest(url: str, request: Mapping[str, Any]) -> bytes:
    content = json.dumps([1, url, request], sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(content.encode(), digest_size=20).digest()


def _object_of(answer: Any) -> dict[str, Any] | None:
    try:
        found = answer.json()
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _reply(found: Mapping[str, Any]) -> Reply:
    """Return what an answer of the server has; where it has nothing, an empty text."""
    choice = _get(found, "choices", 0)
    text = _get(choice, "message", "content")
    usage = [_get(found, "usage", f"{part}_tokens") for part in ("prompt", "completion")]
    read, written = (max(0, n) if isinstance(n, int) else 0 for n in usage)
    listed = _get(choice, "logprobs", "content")
    return Reply(
        text if isinstance(text, str) else "",
        _tops(listed) if isinstance(listed, list) else {},
        read,
        written,
    )


def _get(found: Any, *path: str | int) -> Any:
    for part in path:
        try:
            found = found[part]
        except (KeyError, IndexError, TypeError):
            return None
    return found


def _tops(listed: Sequence[Any]) -> dict[str, float]:
    """Return the probabilities of the tokens in place of the last number of an answer.

    >>> _tops([{"token": "4", "top_logprobs": [{"token": "4", "logprob": 0.0}]}, {"token": "}"}])
    {'4': 1.0}
    """
    for one in reversed(listed):
        token = _get(one, "token")
        if not isinstance(token, str) or not any(map(str.isdigit, token)):
            continue
        found: dict[str, float] = {}
        for top in _get(one, "top_logprobs") or ():
            word, weight = _get(top, "token"), _get(top, "logprob")
            if isinstance(word, str) and isinstance(weight, (int, float)) and weight <= 1e-6:
                found[word.strip()] = found.get(word.strip(), 0.0) + math.exp(weight)
        return found
    return {}


def _asked_pause(header: str | None, otherwise: float) -> float:
    """Return the seconds that a server asks to wait: a number, or the date of the next try.

    >>> _asked_pause("2", 0.5), _asked_pause("soon", 0.5), _asked_pause("9999", 0.5)
    (2.0, 0.5, 60.0)
    """
    if header is None:
        return otherwise
    try:
        pause = float(header)
    except ValueError:
        try:
            pause = parsedate_to_datetime(header).timestamp() - time()
        except ValueError:
            return otherwise
    return min(max(0.0, pause), _LONGEST_WAIT) if math.isfinite(pause) else otherwise
