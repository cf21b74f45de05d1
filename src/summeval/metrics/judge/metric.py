"""A language model as judge: numbers on a scale, or shares of claims and key facts.

The questions follow G-Eval (Liu and others 2023: the mean of the scale's numbers by their
probabilities), FActScore (Min and others 2023: claims, each verified) and FineSurE (Song and others
2024: key facts).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from itertools import chain
from math import fsum, isnan, nan, sqrt
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from summeval._cached import cached_property
from summeval._core.rows.record import Score
from summeval._options import option, real, shown, whole
from summeval.metrics.judge import rubrics
from summeval.metrics.judge.client import Client, Reply
from summeval.metrics.judge.rubrics import Question, Rubric
from summeval.metrics.option_groups import CACHE
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.items import Asked, ExplainedItem
from summeval.metrics.run.notices import warn
from summeval.metrics.run.runner import Runner, has_words, texts_of
from summeval.metrics.run.signature import Signed

if TYPE_CHECKING:
    from typing import Self

FIELDS = ("value", "spread", "refusals", "tokens")
COST = "cost"
Row = tuple[str, Sequence[str]]


class Verdict(NamedTuple):
    """One answer to a rubric: a number, and the reasons for it, each with what it adds."""

    value: float
    reasons: tuple[tuple[str, float], ...]


class Judged(NamedTuple):
    """What a judge said of a row: its verdicts, how often it refused, and what was used."""

    verdicts: tuple[Verdict, ...]
    refusals: int
    read: int
    written: int


class Judge(Metric):
    """The verdict of a language model behind an OpenAI-compatible address.

    Each summary is a request of its own (two for claims and key facts). Where the server gives the
    probabilities of tokens, the value is the mean of the numbers of the scale by these, as in
    G-Eval; elsewhere it is the number of the answer. Answers are kept on disk: the same question to
    the same model is not asked twice.

    Fields:

    - `value`: the mean over the repeats, from the least to the greatest number of the scale; of
      "claims", "key-facts" and "key-facts-of-source" the share of items that hold, from 0 to 1.
    - `spread`: the standard deviation over the repeats.
    - `refusals`: how many of the repeats gave no verdict; of a summary that has none, `value` is
      NaN.
    - `tokens`: what the questions and answers of the row have, as the server counts them.
    - `cost`: where `prices` are given.

    A summary without words has the lowest value, and nothing is asked.

    Parameters
    ----------
    url : str
        The address up to, and without, `/chat/completions`: "http://localhost:8000/v1".
    model : str
        As the server names it.
    rubric : str or path
        "coherence", "consistency", "fluency", "relevance", "claims", "key-facts",
        "key-facts-of-source", or a JSON file of yours. It says whether the summary is judged alone,
        beside the source or beside the references.
    scale : (int, int) or str
        The least and the greatest number: (1, 5), or "1-5".
    repeats : int
        How often each summary is judged.
    temperature : float or None
        None is 0 for one repeat and 1 for several.
    concurrency : int
        Requests at a time.
    key_variable : str
        The variable of the environment that has the key; without it, none is sent.
    timeout : float
        Seconds for an answer.
    retries : int
        How often a question is asked again where the server is busy or out of reach, with pauses
        that grow or that it asks for.
    max_tokens_total : int or None
        The tokens after which nothing more is asked: scoring ends with an error, and the answers so
        far are kept.
    prices : (float, float) or None
        Of a million tokens read and of a million written.
    cache : bool
        Keep answers on disk.
    label : str or None
        Its name in results; by default `judge-` and the rubric.

    Raises
    ------
    TypeError, ValueError
        For a value that an option does not take.
    ImportError
        When it asks: httpx is missing.

    Examples
    --------
    >>> judge = Judge(url="http://localhost:8000/v1", model="qwen3-8b", rubric="fluency")
    >>> judge.name, judge.compared_with, judge.score(" ... ").value
    ('judge-fluency', 'nothing', 1.0)
    >>> Judge(url="localhost", model="qwen3-8b")
    Traceback (most recent call last):
    ValueError: url is 'localhost'; give an address such as http://localhost:8000/v1
    """

    others = r"judge(-[a-z-]+)?"  # without an address there is none
    _called = "judge"
    summary = "the verdict of a language model"
    fields = FIELDS
    primary = "value"
    lower_is_better = frozenset({"spread", "refusals", "tokens", COST})
    unbounded = frozenset({"value"})
    immutable = True
    url: str | None = option(default=None, choices=(None,), kind="text")
    model: str | None = option(default=None, choices=(None,), kind="text")
    rubric: str | PathLike[str] = option(default="consistency", kind="path")
    scale: tuple[int, int] | str = option(default=(1, 5), kind="any")
    repeats: int = option(default=1, kind="whole", low=1, high=1000)
    temperature: float | None = option(default=None, choices=(None,), kind="number", low=0, high=2)
    concurrency: int = option(default=8, kind="whole", low=1, high=1000)
    key_variable: str = option(default="OPENAI_API_KEY", kind="text")
    timeout: float = option(default=60.0, kind="number", low=0, above=True)
    retries: int = option(default=5, kind="whole", low=0, high=100)
    max_tokens_total: int | None = option(default=None, choices=(None,), kind="whole", low=1)
    prices: tuple[float, float] | None = option(default=None, choices=(None,), kind="any")
    cache: bool = CACHE

    def __post_init__(self) -> None:
        for name in ("url", "model"):
            if vars(self)[name] is None:
                raise ValueError(f"{name} is None; a judge needs url and model")
        self._url = _checked_url(str(self.url))
        self._rubric = Rubric.of(self.rubric)
        self._scale = _pair("scale", self.scale, whole, "(1, 5)")
        if not self._scale[0] < self._scale[1] <= self._scale[0] + 100:
            raise ValueError(
                f"scale is {shown(self.scale)}; give (least, greatest), 100 apart or less"
            )
        self._prices: tuple[float, float] | None = None
        if self.prices is not None:
            self._prices = _pair("prices", self.prices, real, "(0.15, 0.6)")
            self.fields = (*FIELDS, COST)  # type: ignore[assignment]
        self.compared_with = self._rubric.reads  # type: ignore[misc]
        self.name = self.label or f"judge-{self._rubric.name}"
        self._first = 0  # of the repeats
        several = 1.0 if self.repeats > 1 else 0.0
        self._temperature = several if self.temperature is None else self.temperature

    @classmethod
    def named(cls, name: str, **options: Any) -> Self:
        """Return the judge of a name: `judge-fluency` has the rubric "fluency"."""
        if rubric := name.removeprefix("judge").removeprefix("-"):
            options = {"rubric": rubric} | options
        return cls(**options)

    def signed(self) -> Signed:
        """Return the model, the rubric and what else the numbers depend on; no address, no key."""
        rubric = f"{self._rubric.name}-{self._rubric.digest}"
        options = {"model": str(self.model), "rubric": rubric}
        if not self._rubric.lists:
            options["scale"] = "{}-{}".format(*self._scale)
        return options | {"repeats": str(self.repeats), "temperature": f"{self._temperature:g}"}

    @property
    def floor(self) -> float:
        """What a summary without words has."""
        return 0.0 if self._rubric.lists else float(self._scale[0])

    @property
    def best(self) -> dict[str, float]:
        """For each field what no text goes beyond for the better."""
        most = 1.0 if self._rubric.lists else float(self._scale[1])
        return dict.fromkeys(self.fields, 0.0) | {"value": most}

    def new_runner(self) -> Runner[str]:
        return Runner(self, lambda places, workers: places, self._scores)

    def explain_texts(self, asked: Asked) -> Iterator[ExplainedItem]:
        """Yield the reasons of the judge; the shares of its verdicts add up to the value.

        Of claims and key facts there is an item for each, with what it adds to the share.
        """
        others = asked.sources if self.compared_with == "source" else asked.references
        found = self._judged([(asked.candidate, others)])[0]
        count = len(found.verdicts) or 1
        for verdict in found.verdicts:
            for reason, share in verdict.reasons:
                yield ExplainedItem(reason, (), (), share / count)
        if not found.verdicts:
            yield ExplainedItem("no verdict", (), (), asked.value)

    def prefer(
        self, first: str, second: str, references: Any = None, *, source: Any = None
    ) -> float:
        """Compare two summaries, asked in both orders; rubric "preference" or one for a number.

        Returns
        -------
        float
            1 if the first is better in both orders, 0 if the second is; 0.75 and 0.25 where one
            order says neither; 0.5 where both say so or contradict each other; NaN for refusals.
        """
        both = self.prefer_in_order([(first, second), (second, first)], references, source=source)
        return fsum((both[0], 1 - both[1])) / 2

    def prefer_in_order(
        self, pairs: Sequence[tuple[str, str]], references: Any = None, *, source: Any = None
    ) -> list[float]:
        """Return for each pair, in the order given, 1 if the first is better, 0 if the second is.

        0.5 is neither, NaN a refusal.
        """
        beside = self._beside(texts_of(source if self.compared_with == "source" else references))
        questions = [
            self._rubric.comparing({**beside, "summary 1": one, "summary 2": two})
            for one, two in pairs
        ]
        replies = self._runner_client.ask_all(
            [partial(self._ask, question) for question in questions], self.concurrency
        )
        known = {1: 1.0, 2: 0.0, 0: 0.5, None: nan}
        return [known[rubrics.read_better(_raised(reply)[0].text)] for reply in replies]

    def with_rubric(self, rubric: str | PathLike[str]) -> Self:
        """Return the same judge with another rubric."""
        given = {name: getattr(self, name) for name in self.declared}
        return type(self)(**(given | {"rubric": rubric, "label": None}))

    def asked_again(self) -> Self:
        """Return a judge that asks the same once more, with another seed, under the same name."""
        made = copy(self)
        made.__dict__ = {k: v for k, v in vars(self).items() if not k.startswith("_runner")}
        made.__dict__["_first"] = self.repeats
        return made

    @cached_property
    def _runner_client(self) -> Client:
        return Client(
            self._url,
            str(self.model),
            key_variable=self.key_variable,
            timeout=self.timeout,
            retries=self.retries,
            most_tokens=self.max_tokens_total,
            on_disk=self.cache,
        )

    def _scores(self, rows: Sequence[Row], workers: int) -> list[Score]:
        every = [_raised(found) for found in self._judged(rows)]
        if silent := sum(not found.verdicts for found in every):
            warn(
                f"{self.name}: {silent} of {len(every)} summaries got no verdict, for the answers"
                f" of {self.model} are not as asked; their value is NaN (see the field refusals)"
            )
        return [Score(self.fields, self._values(found), self.primary) for found in every]

    def _values(self, found: Judged) -> tuple[float, ...]:
        values = [verdict.value for verdict in found.verdicts]
        mean = fsum(values) / len(values) if values else nan
        spread = sqrt(fsum((x - mean) ** 2 for x in values) / len(values)) if values else nan
        row = (mean, spread, float(found.refusals), float(found.read + found.written))
        if self._prices is None:
            return row
        read, written = self._prices
        return (*row, (read * found.read + written * found.written) / 1e6)

    def _judged(self, rows: Sequence[Row]) -> list[Any]:
        """For each row what the judge says, or the error that the row is to blame for."""
        judge = self._listed if self._rubric.lists else self._rated
        numbers = range(self._first, self._first + self.repeats)
        tasks = [partial(judge, *row, number) for row in rows for number in numbers]
        every = self._runner_client.ask_all(tasks, self.concurrency)
        found = []
        for begin in range(0, len(every), self.repeats):
            few = every[begin : begin + self.repeats]
            wrong = next((one for one in few if isinstance(one, ValueError)), None)
            found.append(_together(few) if wrong is None else wrong)
        return found

    def _rated(
        self, candidate: str, others: Sequence[str], number: int, stop: threading.Event
    ) -> Judged:
        if not has_words([candidate]):
            return Judged((Verdict(self.floor, (("no words", self.floor),)),), 0, 0, 0)
        question = self._rubric.rating({**self._beside(others), "summary": candidate}, self._scale)
        reply, used = self._ask(question, stop, number, tops=True)
        read = rubrics.read_rating(reply.text, reply.tops, self._scale)
        if read is None:
            return Judged((), 1, *used)
        value, reason = read
        return Judged((Verdict(value, ((reason or "no reason given", value),)),), 0, *used)

    def _listed(
        self, candidate: str, others: Sequence[str], number: int, stop: threading.Event
    ) -> Judged:
        """List the claims or key facts, then ask for a verdict on each."""
        if not has_words([candidate]):
            return Judged((Verdict(0.0, (("no words", 0.0),)),), 0, 0, 0)
        own, beside = {"summary": candidate}, self._beside(others)
        of_summary = self._rubric.lists == "summary"
        reply, first = self._ask(self._rubric.listing(own if of_summary else beside), stop, number)
        items = rubrics.read_items(reply.text)
        if not items:
            return Judged((), 1, *first)
        question = self._rubric.verifying(beside if of_summary else own, items)
        reply, second = self._ask(question, stop, number)
        used = (first[0] + second[0], first[1] + second[1])
        verdicts = rubrics.read_verdicts(reply.text, len(items))
        if verdicts is None:
            return Judged((), 1, *used)
        reasons = tuple(
            (f"{'yes' if holds else 'no'}: {item} ({reason})", holds / len(items))
            for item, (holds, reason) in zip(items, verdicts, strict=True)
        )
        share = sum(holds for holds, _ in verdicts) / len(items)
        return Judged((Verdict(share, reasons),), 0, *used)

    def _ask(
        self, question: Question, stop: threading.Event, number: int = 0, *, tops: bool = False
    ) -> tuple[Reply, tuple[int, int]]:
        reply = self._runner_client.ask(
            question, stop, temperature=self._temperature, number=number, tops=tops
        )
        return reply, (reply.read, reply.written)

    def _beside(self, texts: Sequence[str | None]) -> dict[str, Any]:
        """What the summary is judged beside, as the judge reads it."""
        if self.compared_with == "nothing":
            return {}
        given = [text for text in texts if text is not None]
        name = "source" if self.compared_with == "source" else "reference"
        return {name: given[0] if len(given) == 1 else given}


def _together(parts: Sequence[Judged]) -> Judged:
    verdicts, refusals, read, written = zip(*parts, strict=True)
    return Judged(tuple(chain(*verdicts)), sum(refusals), sum(read), sum(written))


def _raised(found: Any) -> Any:
    if isinstance(found, ValueError):
        raise found
    return found


def _checked_url(url: str) -> str:
    """Return an address without the path of the request.

    >>> _checked_url("https://host/v1/chat/completions/")
    'https://host/v1'
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"url is {shown(url)}; give an address such as http://localhost:8000/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError(
            "url has a name, a key or a query in it; give the plain address, and the key in the"
            " variable that key_variable names"
        )
    return url.rstrip("/").removesuffix("/chat/completions")


def _pair(name: str, given: Any, number: Any, example: str) -> tuple[Any, Any]:
    """Return two numbers, given as such or as a text: "1-5", "0.15,0.6".

    >>> _pair("scale", "1-5", whole, "(1, 5)")
    (1, 5)
    """
    if isinstance(given, str):
        parts = re.fullmatch(r"\s*([0-9.]+)\s*[-,]\s*([0-9.]+)\s*", given)
        kind = int if number is whole else float
        try:
            given = tuple(map(kind, parts.groups())) if parts else None
        except ValueError:
            given = None
    read = [number(one) for one in given] if isinstance(given, (list, tuple)) else []
    if len(read) != 2 or None in read or any(isnan(one) or one < 0 for one in read):
        raise ValueError(f"{name} is {shown(given)}; give two numbers, such as {example}")
    return read[0], read[1]
