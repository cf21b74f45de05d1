"""Rewards from `summeval serve`, for trainers that call an address."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from summeval._options import check_positive, check_whole
from summeval.interop.reward import Judged, Texts
from summeval.interop.shared import weights_of

BUSY = (429, 503)  # the service asks to come again


class RemoteRewards:
    """What `Rewards` gives, asked of a service: only the standard library is needed for it.

    Parameters
    ----------
    url : str
        Of the service, such as `http://host:8000`.
    metrics : names, or mapping of these to weights, optional
    preset : {"content", "faithful", "overall"}, optional
        Instead of metrics.
    missing : float, optional
        The reward of a text with nothing to compare it with.
    timeout : float
        Seconds that an answer may take.
    tries : int
        How often to ask a service that is busy or does not answer, a second or more apart.

    Raises
    ------
    TypeError, ValueError
        An address that is none of the web; of a call, what the service refused, in its words.
    ConnectionError
        Of a call: it does not answer.

    Examples
    --------
    >>> RemoteRewards("http://127.0.0.1:8000", preset="content").url
    'http://127.0.0.1:8000/reward'
    """

    def __init__(
        self,
        url: str,
        metrics: Any = None,
        *,
        preset: str | None = None,
        missing: float | None = None,
        timeout: float = 60.0,
        tries: int = 5,
    ) -> None:
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise ValueError(f"url is {url!r}; give that of the service: http://host:8000")
        check_positive("timeout", timeout)
        check_whole("tries", tries, 1)
        self.url = url.rstrip("/").removesuffix("/reward") + "/reward"
        weights = None if metrics is None else weights_of(metrics)
        asked = {"metrics": weights, "preset": preset, "missing": missing}
        self.asked = {name: value for name, value in asked.items() if value is not None}
        self.missing, self.timeout, self.tries = missing, timeout, tries

    def __call__(self, *texts: Any, **named: Any) -> list[float | None]:
        """Return the reward of each text; arguments as of `judge`."""
        return self.judge(*texts, **named).rewards

    def judge(
        self,
        texts: Sequence[str],
        references: Sequence[Texts] | None = None,
        sources: Sequence[Texts] | None = None,
    ) -> Judged:
        """Return the reward of each text and what it is made of; see `Rewards.judge`."""
        given = {"texts": texts, "references": references, "sources": sources}
        told = self._ask({name: [*one] for name, one in given.items() if one is not None})
        try:
            judged = Judged(told["rewards"], told["parts"])
            columns: list[list[Any]] = [judged.rewards, *judged.parts.values()]
            if any(len(column) != len(texts) for column in columns):
                raise ValueError("not one reward for each text")
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ValueError(f"{self.url} answers otherwise than `summeval serve`") from None
        parts = {name: [nan if x is None else x for x in one] for name, one in judged.parts.items()}
        return Judged(judged.rewards, parts)

    def _ask(self, given: Mapping[str, Any]) -> Any:
        """Return the answer of the service, which is asked again while it is busy."""
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        data = json.dumps({**given, **self.asked}).encode()
        for left in reversed(range(self.tries)):
            wait = 1.0
            try:
                request = Request(self.url, data, {"content-type": "application/json"})
                with urlopen(request, timeout=self.timeout) as answer:
                    return json.load(answer)
            except HTTPError as error:
                problem = _said(error)
                if error.code not in BUSY:
                    raise ValueError(f"{self.url}: {problem}") from None
                after = error.headers.get("retry-after") or ""
                wait = min(float(after), self.timeout) if after.isdecimal() else wait
            except (OSError, HTTPException, ValueError) as error:
                problem = str(getattr(error, "reason", error)) or type(error).__name__
            if left:
                time.sleep(wait)
        raise ConnectionError(f"{self.url}: {problem}; is `summeval serve` running there?")


def _said(error: Any) -> str:
    """Return what the body of a refusal says, or else its status."""
    try:
        return str(json.load(error)["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return f"status {error.code}"
