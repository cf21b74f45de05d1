"""`summeval check`: each check fails on a metric that breaks its promise, and on no other."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval._core.rows.record import Score
from summeval.cli.main import main
from summeval.metrics.own import known
from summeval.metrics.own.contract import CHECKS, LIKE, ONE, SHORT, check

COUNT = itertools.count()


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "_KNOWN", dict(known._KNOWN))


def good(candidate: str, reference: str) -> float:
    """Shared words."""
    words = {*reference.split()}
    return len(words & {*candidate.split()}) / max(len(words), 1)


def counting(candidate: str, reference: str) -> float:
    return next(COUNT)


def unlike(candidate: str, reference: str) -> float:
    return 1.0 - good(candidate, reference)


def inverse(candidate: str, reference: str) -> float:
    return 1.0 / len(candidate)


def kind_to_nothing(candidate: str, reference: str) -> float:
    return good(candidate, reference) if candidate else 0.9


def ascii_only(candidate: str, reference: str) -> float:
    return good(candidate.encode("ascii").decode(), reference)


def twice(candidate: str, reference: str) -> float:
    return 2 * good(candidate, reference)


def beyond(candidate: str, reference: str) -> list[dict[str, Any]]:
    return [{"text": "x", "share": 1.0, "candidate_spans": ((0, 999),)}]


BROKEN = [
    ("deterministic", counting, {}),
    ("identity", unlike, {}),
    ("empty text", inverse, {}),
    ("empty text", kind_to_nothing, {}),
    ("Unicode", ascii_only, {}),
    ("pickling", lambda candidate, reference: len({*candidate} & {*reference}), {}),
    ("bounds", twice, {"bounds": (0, 1)}),
    ("explain", good, {"explain": beyond}),
    ("explain", good, {"explain": lambda candidate, reference: 7}),
]


def failed(name: str) -> list[str]:
    found = check(lambda: summeval.metric(name))
    assert [one.name for one in found] == list(CHECKS)
    return [one.name for one in found if one.result == "failed"]


def test_a_good_one_passes_all() -> None:
    summeval.register("mine", good, bounds=(0, 1))
    assert failed("mine") == []


@pytest.mark.parametrize(("name", "function", "settings"), BROKEN)
def test_what_is_broken_is_found(name: str, function: Any, settings: Any) -> None:
    summeval.register("mine", function, **settings)
    assert name in failed("mine")


class Spoilt(summeval.Rouge):
    """A metric that breaks one promise of the base class, as its `spoils` says."""

    spoils = ""

    @property
    def signature(self) -> Any:
        line = super().signature
        return f"{line} {next(COUNT)}" if self.spoils == "signature" else line

    def score(self, candidate: Any, *others: Any, **more: Any) -> Any:
        if self.spoils == "None" and candidate is None:
            return super().score("", *others, **more)
        if self.spoils == "batch" and candidate == SHORT:
            return super().score(ONE, *others, **more)
        return super().score(candidate, *others, **more)

    def score_batch(self, candidates: Any, *others: Any, **more: Any) -> Any:
        if self.spoils == "workers" and more.get("workers", 1) != 1:
            candidates = [ONE, *candidates[1:-1], LIKE]
        if self.spoils == "other rows":
            candidates = [candidates[0], candidates[0], *candidates[2:]]
        if self.spoils == "on_error":
            more.pop("on_error", None)
            candidates = [None if text == 7 else text for text in candidates]
        return super().score_batch(candidates, *others, **more)

    @property
    def directions(self) -> dict[str, bool]:
        found = super().directions
        return {**found, "fmeasure": False} if self.spoils == "direction" else found

    @property
    def best(self) -> dict[str, float]:
        return dict.fromkeys(self.fields, 0.5) if self.spoils == "bounds" else super().best


@pytest.mark.parametrize(
    "spoils",
    ["signature", "None", "batch", "workers", "other rows", "on_error", "direction", "bounds"],
)
def test_a_class_that_breaks_a_promise_is_found(spoils: str) -> None:
    kind = type("Mine", (Spoilt,), {"spoils": spoils})
    summeval.register("mine", kind)
    found = {*failed("mine")}
    assert spoils in found
    # a class of a test cannot be pickled, and rows that are exchanged differ from single calls
    assert found <= {spoils, "pickling", "batch"}


def test_a_value_that_is_no_field_is_found() -> None:
    kind = type("Mine", (Spoilt,), {"primary": "no_field"})
    summeval.register("mine", kind)
    assert {"fields", "direction"} <= set(failed("mine"))


def test_a_value_of_another_field_is_found() -> None:
    class Mine(Spoilt):
        def score(self, candidate: Any, *others: Any, **more: Any) -> Any:
            found = super().score(candidate, *others, **more)._asdict() | {"recall": 0.25}
            return Score(tuple(found), tuple(found.values()), "recall")

    summeval.register("mine", Mine)
    assert "fields" in failed("mine")


def test_the_command_exits_1_on_a_failure(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine_for_check.py").write_text(
        "import summeval\n"
        "@summeval.register('cr-good')\n"
        "def good(candidate, references, *, weight=1.0):\n"
        "    return weight * (candidate in references)\n"
        "@summeval.register('cr-bad')\n"
        "def bad(candidate, references):\n"
        "    return 1 / len(candidate)\n"
    )
    command = ["check", "--import", "mine_for_check"]
    assert main([*command, "cr-good,rouge1", "--option", "cr-good.weight=0.5"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("all checks hold") == 2
    assert printed.count("  ok       ") == 2 * len(CHECKS)
    assert main(["check", "cr-good", "cr-bad"]) == 1
    printed = capsys.readouterr().out
    assert "  failed   empty text     ZeroDivisionError: division by zero" in printed
    assert f"of {len(CHECKS)} checks failed" in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rogue1"], "unknown metric 'rogue1'"),
        (["preset:x"], "unknown preset:x"),
        (["rouge1", "--import", "no_such_module"], "--import no_such_module: ModuleNotFoundError"),
        (["rouge1", "--option", "rouge1.x=1"], "unknown option"),
    ],
)
def test_wrong_usage_is_one_line(words: list[str], message: str, capsys: Any) -> None:
    assert main(["check", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
