"""Callables as options: distinguished by what they do, in any process, or refused."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import operator
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import summeval
from summeval.metrics.run.callables import digest, label

LIMIT = 3
WORDS = {"a", "the"}


def helper(text: str) -> list[str]:
    return text.split()


class Cut:
    """Tokenizes by a mark."""

    lower = True

    def __init__(self, mark: Any = " ") -> None:
        self.mark = mark

    def __call__(self, text: str) -> list[str]:
        return text.split(self.mark)

    def tokens(self, text: str) -> list[str]:
        return text.split(self.mark)

    @classmethod
    def whole(cls, text: str) -> list[str]:
        return [text]


class Slotted:
    __slots__ = ("__private", "mark")

    def __init__(self, mark: str, private: int = 0) -> None:
        self.mark, self.__private = mark, private

    def __call__(self, text: str) -> list[str]:
        return [*text.split(self.mark), str(self.__private)]


@dataclasses.dataclass(frozen=True)
class AllEqual:
    """Equal to any other, though it does another thing."""

    mark: str = dataclasses.field(compare=False)

    def __call__(self, text: str) -> list[str]:
        return text.split(self.mark)


@dataclasses.dataclass
class Unhashable:
    mark: str = " "

    def __call__(self, text: str) -> list[str]:
        return text.split(self.mark)


class Table(dict):
    def __call__(self, text: str) -> list[str]:
        return [self.get(word, word) for word in text.split()]


class Mode(enum.Enum):
    ONE = 1
    TWO = 2


def closing(*values: Any) -> Callable[[str], list[str]]:
    def tokens(text: str) -> list[str]:
        return [f"{values}{word}" for word in text.split()]

    return tokens


def nested(number: int) -> Callable[[str], list[str]]:
    source = f"lambda text: [(lambda w: (lambda x: x + '{number}')(w))(w) for w in text.split()]"
    return eval(source)


def with_globals(**values: Any) -> Callable[[str], list[str]]:
    space: dict[str, Any] = {"__name__": "mine", **values}
    exec("def tokens(text):\n    return [LIMIT and inner(word) for word in text.split()]", space)
    return space["tokens"]


def with_default(value: Any) -> Callable[[str], list[str]]:
    return lambda text, value=value: [text, str(value)]


def with_keyword_default(value: Any) -> Callable[[str], list[str]]:
    return lambda text, *, value=value: [text, str(value)]


def with_attribute(value: Any) -> Callable[[str], list[str]]:
    def tokens(text: str) -> list[str]:
        return [text]

    tokens.value = value
    return tokens


def method_of_class(result: str) -> Callable[[str], list[str]]:
    space: dict[str, Any] = {"__name__": "mine"}
    exec(f"class Own:\n    def __call__(self, text):\n        return [text, '{result}']", space)
    return space["Own"]()


def decorated(value: int) -> Callable[[str], list[str]]:
    @functools.wraps(re.split)
    def tokens(text: str) -> list[str]:
        return [text] * value

    return tokens


def lone(mark: str) -> Callable[[str], list[str]]:
    found: list[Any] = [mark]
    found.append(found)  # holds itself
    return closing(found)


# For each kind of difference, what makes a callable, and two arguments that should tell.
DIFFERENT: dict[str, tuple[Callable[..., Any], Any, Any]] = {
    "code": (eval, "lambda t: t.split()", "lambda t: t.rsplit()"),
    "constant": (eval, "lambda t: [t, 1]", "lambda t: [t, True]"),
    "order of constants": (
        eval,
        "lambda t: t.replace('a', 'b')",
        "lambda t: t.replace('b', 'a')",
    ),
    "code within code": (nested, 1, 2),
    "closure": (closing, " ", ","),
    "closure, types": (closing, 1, 1.0),
    "closure, sets": (closing, {"a", "b"}, {"a", "c"}),
    "closure, dicts": (closing, {"a": 1}, {"a": 2}),
    "closure, lists": (closing, [1, [2]], [1, [3]]),
    "closure, strings": (lambda pair: closing(*pair), ("ab", "c"), ("a", "bc")),
    "closure, functions": (closing, len, sum),
    "closure, patterns": (lambda one: closing(re.compile(one)), r"\w", r"\W"),
    "closure, flags": (lambda one: closing(re.compile("a", one)), 0, re.IGNORECASE),
    "closure, arrays": (lambda one: closing(np.array(one)), [1.0, 2.0], [1.0, 3.0]),
    "closure, types of arrays": (lambda one: closing(np.array([1], one)), "i4", "u4"),
    "closure, enumerations": (closing, Mode.ONE, Mode.TWO),
    "closure, classes": (closing, Cut, Slotted),
    "closure, modules": (closing, re, os),
    "closure, itself": (lone, "a", "b"),
    "closure, deque": (lambda one: closing(collections.deque(one)), [1], [2]),
    "closure, default of a dict": (lambda k: closing(collections.defaultdict(k)), int, float),
    "closure, paths": (lambda one: closing(Path(one)), "a", "b"),
    "default": (with_default, 1, 2),
    "keyword default": (with_keyword_default, 1, 2),
    "attribute of a function": (with_attribute, 1, 2),
    "global number": (lambda n: with_globals(LIMIT=n, inner=len), 1, 2),
    "global words": (lambda n: with_globals(LIMIT=n, inner=len), {"a"}, {"b"}),
    "global function": (lambda one: with_globals(LIMIT=1, inner=one), with_default(1), helper),
    "function of a global function": (
        lambda n: with_globals(LIMIT=1, inner=with_globals(LIMIT=n, inner=len)),
        1,
        2,
    ),
    "partial, positional": (lambda mark: functools.partial(re.split, mark), "a", "b"),
    "partial, keyword": (lambda mark: functools.partial(helper, mark=mark), "a", "b"),
    "partial, function": (lambda one: functools.partial(one, " "), str.split, str.rsplit),
    "partial of partial": (lambda m: functools.partial(functools.partial(helper, m=m)), 1, 2),
    "method of an instance": (lambda mark: Cut(mark).tokens, " ", ","),
    "method": (lambda name: getattr(Cut(), name), "tokens", "whole"),
    "instance": (Cut, " ", ","),
    "slots": (Slotted, " ", ","),
    "private slots": (lambda number: Slotted(" ", number), 1, 2),
    "equal instances": (AllEqual, " ", ","),
    "instance within": (lambda mark: Cut(Cut(mark)), " ", ","),
    "dict that is called": (lambda word: Table(a=word), "b", "c"),
    "method of a class": (method_of_class, "a", "b"),
    "built-in method of a value": (lambda text: text.split, "a b", "a c"),
    "built-in method": (lambda name: getattr(str, name), "split", "rsplit"),
    "state of an object in C": (operator.itemgetter, 1, 2),
    "wrapper of a library's function": (decorated, 1, 2),
    "cached function": (lambda mark: functools.cache(with_default(mark)), 1, 2),
}


@pytest.mark.parametrize("kind", DIFFERENT)
def test_callables_that_differ_have_signatures_that_differ(kind: str) -> None:
    make, one, other = DIFFERENT[kind]
    first, again, second = make(one), make(one), make(other)
    assert digest(first) == digest(again)
    assert digest(first) != digest(second)
    signatures = [
        summeval.metric("rouge1", tokenizer=given).signature for given in (first, again, second)
    ]
    assert signatures[0] == signatures[1] != signatures[2]
    assert summeval.Signature.parse(str(signatures[0])) == signatures[0]


@pytest.mark.parametrize(
    ("name", "option", "plain"),
    [
        ("rouge1", "tokenizer", "rouge155"),
        ("rougeLsum", "sentences", "newline"),
        ("tesla-s", "tokenizer", "rouge155"),
        ("tesla-m", "tokenizer", "rouge155"),
        ("tesla-m", "lemma", None),
        ("tesla-m", "synonyms", None),
        ("tesla-m", "similarity", None),
        ("simetrix", "tokenizer", "rouge155"),
        ("bipartite", "tokenizer", "rouge155"),
        ("bipartite", "edge", None),
        ("paraeval", "tokenizer", "rouge155"),
        ("pyramid-position", "tokenizer", "rouge155"),
        ("qarla-rouge", "tokenizer", "rouge155"),
        ("qarla-rouge", "lemma", None),
        ("qarla-rouge", "sentences", "newline"),
        ("dicomer", "relations", None),
        ("cremer", "relations", None),
    ],
)
def test_every_option_that_is_a_callable_is_told_and_can_be_named(name, option, plain) -> None:
    signatures = [
        str(summeval.metric(name, **{option: given}).signature)
        for given in (with_default(1), with_default(2), with_default(1), plain)
    ]
    assert len(set(signatures)) == 3
    assert signatures[0] == signatures[2]
    state = (word for word in "ab")

    def untold(*values: Any) -> Any:
        return state, helper

    with pytest.raises(
        ValueError, match=rf"{option} cannot be identified \(a generator\); pass la"
    ):
        summeval.metric(name, **{option: untold})
    named = summeval.metric(name, **{option: untold}, label="mine | own")
    assert "named-mine %7C own" in named.signature
    assert summeval.Signature.parse(str(named.signature)).options == named.signature.options


def test_no_callable_of_a_metric_is_forgotten() -> None:
    """Options whose values may be callables, by their annotations, are those of the test above."""
    import inspect

    found = set()
    for family in summeval.metrics.registry.families():
        for maker in (family.__init__, family.named):
            for option in inspect.signature(maker).parameters.values():
                kinds = ("Callable", "Tokenizer", "Splitter", "Predicate", "Similarity", "Find")
                if any(kind in str(option.annotation) for kind in kinds):
                    found.add(option.name)
    assert found == {
        *("tokenizer", "sentences", "lemma", "synonyms", "similarity", "edge", "relations")
    }


@pytest.mark.parametrize(
    "given",
    [
        (word for word in "ab").__next__,
        closing(threading.Lock()),
        Cut(threading.Lock()),
        closing(memoryview(b"ab")),
        functools.partial(helper, mark=sys.stdout),
    ],
    ids=["generator", "lock", "attribute", "memory", "file"],
)
def test_what_cannot_be_told_apart_is_refused_in_a_line(given: Any) -> None:
    with pytest.raises(ValueError, match="tokenizer cannot be identified") as error:
        summeval.metric("rouge1", tokenizer=given)
    assert str(error.value).endswith("pass label=… to name it")
    assert "\n" not in str(error.value)
    named = summeval.metric("rouge1", tokenizer=given, label="one").signature
    assert named != summeval.metric("rouge1", tokenizer=given, label="two").signature


def test_what_a_compiled_class_hides_is_no_attribute() -> None:
    class Own(threading.local):
        def __call__(self, text: str) -> list[str]:
            return [text]

    with pytest.raises(ValueError, match="Own"):
        digest(Own())
    assert digest(Cut()) == digest(Cut())


def test_nesting_without_end_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(ValueError, match=r"\(too deep\); pass label=… to name it"):
        summeval.metric("rouge1", tokenizer=closing(deep))


def test_a_global_that_cannot_be_told_is_no_reason_to_refuse() -> None:
    locks = [with_globals(LIMIT=threading.Lock(), inner=inner) for inner in (len, len, sum)]
    assert digest(locks[0]) == digest(locks[1]) != digest(locks[2])


PROGRAM = """
import collections, functools, re
import summeval

WORDS = {"a", "the", "of", "and", "in"}

class Cut:
    marks = frozenset("abc")
    def __init__(self, words):
        self.words = words
        self.table = dict.fromkeys(words, 1)
    def __call__(self, text):
        return [word for word in text.split() if word not in self.words | WORDS]

def make(words):
    kept = {"x", "y"}
    return lambda text, more=frozenset(words): [w for w in re.split("[abc]", text) if w in kept]

words = {"x", "y", "z", "q", "longer", "words"}
other = set(sorted(words)[::-1])
for given in (
    Cut(words), make(words), functools.partial(make, words=words), Cut(words).__call__,
    lambda text: [w for w in text.split() if w in ("x", "y") or w in WORDS],
    functools.partial(sorted, key=lambda word: (len(word), collections.Counter(word)))
):
    print(summeval.metric("rouge1", tokenizer=given).signature)
"""


def test_signatures_are_the_same_in_all_processes_and_for_all_hash_seeds(tmp_path: Path) -> None:
    found = set()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    for number, seed in enumerate(("0", "1", "2", "77", "random")):
        ran = subprocess.run(
            [sys.executable, program] if number else [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(ran.stdout)
    assert len(found) == 1
    assert len(set(found.pop().split())) == 6


def test_a_signature_stays_while_a_callable_fills_its_memory() -> None:
    seen: dict[str, list[str]] = {}

    def tokens(text: str) -> list[str]:
        return seen.setdefault(text, text.split())

    metric = summeval.metric("rouge1", tokenizer=tokens)
    before = metric.signature
    metric.score("a b", "a c")
    assert seen
    assert metric.signature == before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (AllEqual(" "), AllEqual(",")),
        (Unhashable(" "), Unhashable(",")),
        (Cut(" ").tokens, Cut(",").tokens),
        (with_default(1), with_default(2)),
    ],
)
def test_two_callables_never_share_a_pass(one: Any, other: Any) -> None:
    metrics = [
        summeval.metric("rouge1", tokenizer=one, label="one"),
        summeval.metric("rouge1", tokenizer=other, label="other"),
    ]
    together = summeval.score("a b,c d", ["a x,c d"], metrics)
    alone = {m.name: m.score("a b,c d", ["a x,c d"]) for m in metrics}
    assert together == alone
    assert len(summeval.suite(metrics).groups) == 2


def test_one_callable_is_one_pass() -> None:
    cut = Cut(" ")
    for given in (Unhashable(" "), cut, cut.tokens):
        pair = [summeval.metric(name, tokenizer=given) for name in ("rouge1", "rouge2")]
        assert len(summeval.suite(pair).groups) == 1
    pair = [summeval.metric(name, tokenizer=cut.tokens) for name in ("rouge1", "rouge2")]
    assert len(summeval.suite(pair).groups) == 1  # each look-up makes another object of the method


def test_labels_say_where_a_callable_is() -> None:
    assert label("tokenizer", helper).startswith(f"{__name__}.helper-")
    assert label("tokenizer", Cut()).startswith(f"{__name__}.Cut-")
    assert label("tokenizer", functools.partial(helper)).startswith(f"{__name__}.helper-")
    assert label("tokenizer", "unicode") == "unicode"
