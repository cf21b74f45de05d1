"""The compiled parser beside spaCy's `nlp.pipe` and beside spaCy's documents (parts of parsed.py).

Texts and judgements are those of shared/data, or of the files that --sets names: JSON Lines (.gz
too), a summary on each line, as `benchmarks/people/correlation.py` describes them.
"""

from __future__ import annotations

import functools
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from summeval.annotate import Document
    from summeval.interop.reward import Rewards

BESIDE = Path(__file__).resolve().parents[2] / "shared"
FOLDER = Path(os.environ.get("SUMMEVAL_SHARED", BESIDE)) / "data"
SETS = (
    *("realsumm", "pyrxsum", "summeval", "dialsummeval", "opinsummeval", "newsroom"),
    *("summeval_op", "squality", "mslr_cochrane"),
)
METRICS = ("be", "bewte", "dicomer", "coherence-order", "cremer")
ALL, LEAN = "tags, heads, entities, lemmas", "tags and heads alone"
TEXTS = 600  # of a set, for speed
FAR = 0.005  # of two scores
Rows = list[dict[str, Any]]


def rows_of(name: str) -> Rows:
    """The summaries of a set that have references, or of a file."""
    from summeval.table.table import read_rows

    path = Path(name) if "." in name else FOLDER / f"{name}.jsonl.gz"
    return [row for row in read_rows(str(path)).rows if row["references"] and row["summary"]]


def texts_of(rows: Rows) -> list[str]:
    """The different texts of summaries and references, in order."""
    return list(dict.fromkeys(t for row in rows for t in (row["summary"], *row["references"])))


def medians(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median of the seconds that each call takes of the processor, all in turn."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds + 1):
        for name, call in calls.items():
            start = time.process_time()
            call()
            found[name].append(time.process_time() - start)
    return {name: statistics.median(many[1:]) for name, many in found.items()}


def pipe(sets: Sequence[str], rounds: int) -> Iterator[str]:
    """Tokens a second of `nlp.pipe` and of each instruction set, on the same lines."""
    from summeval._core.parsing.parsing import Parser, instruction_sets
    from summeval.annotate import compiled
    from summeval.annotate.clean import clean_lines
    from summeval.annotate.parsers import DEFAULT_MODEL, load

    nlp: Any = load(DEFAULT_MODEL)
    sections = compiled.sections()
    parsers = {name: Parser(sections, name) for name in instruction_sets()}
    for name in sets:
        texts = [list(clean_lines(text)) for text in texts_of(rows_of(name))[:TEXTS]]
        lines = [line.text for text in texts for _, line in text]
        tokens = sum(map(len, nlp.tokenizer.pipe(lines)))
        for form, left_out in ((ALL, ()), (LEAN, ("ner", "attribute_ruler", "lemmatizer"))):
            whole = form == ALL
            spacy = functools.partial(nlp.pipe, lines, batch_size=64, disable=left_out)
            calls: dict[str, Callable[[], object]] = {"nlp.pipe": lambda run=spacy: list(run())}
            for kind, parser in parsers.items():
                calls[kind] = functools.partial(parser.parse, texts, whole, whole, 1)
            took = medians(calls, rounds)
            base = took.pop("nlp.pipe")
            told = [f"{kind} {tokens / s:,.0f} ({base / s:.1f}×)" for kind, s in took.items()]
            yield f"{name}, {tokens:,} tokens, {form}:"
            yield f"  tokens a second: nlp.pipe {tokens / base:,.0f}, {', '.join(told)}"


def threads(sets: Sequence[str], rounds: int) -> Iterator[str]:
    """Seconds of the clock with one thread and with two, in turn; the least of each."""
    from summeval.annotate.compiled import CompiledProvider

    provider = CompiledProvider()
    for name in sets:
        texts = texts_of(rows_of(name))
        least = {1: float("inf"), 2: float("inf")}
        for workers in [1, 2] * (rounds + 1):
            start = time.perf_counter()
            for _ in provider.parse_on_threads(texts, workers):
                pass
            least[workers] = min(least[workers], time.perf_counter() - start)
        yield f"{name}: two threads are {least[1] / least[2]:.2f}× as fast as one"


def reward(sets: Sequence[str]) -> Iterator[str]:
    """Milliseconds of `Rewards` of BEwT-E a completion of 50 to 70 words, each parsed anew.

    Groups of 8 share a reference, in single calls each completion has its own. The last 60 rows are
    the single calls, so that words are known by then, as in a long run.
    """
    import summeval
    from summeval.interop.reward import Rewards

    for name in sets:
        rows = [row for row in rows_of(name) if 50 <= len(row["summary"].split()) <= 70]
        random.Random(1).shuffle(rows)
        for cache in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                os.environ["SUMMEVAL_CACHE"] = folder
                rewards = Rewards([summeval.BEwTE(cache=cache)])
                half = rows[: len(rows) // 2] if cache else rows[len(rows) // 2 :]
                grouped, single = half[:-60], half[-60:]
                groups = [grouped[k : k + 8] for k in range(0, len(grouped) - 7, 8)]
                took = [cost(rewards, group, group[0]["references"][:1]) / 8 for group in groups]
                alone = [cost(rewards, [row], row["references"][:1]) for row in single]
            yield (
                f"{name}, {'with' if cache else 'without'} the cache on disk: groups of 8"
                f" {statistics.median(took):.2f} ms, single {statistics.median(alone):.2f} ms"
            )


def cost(rewards: Rewards, rows: Rows, references: list[str]) -> float:
    """Milliseconds of the processor for completions that share their references."""
    start = time.process_time()
    rewards([row["summary"] for row in rows], [references] * len(rows))
    return 1e3 * (time.process_time() - start)


def load_and_peak(texts: list[str], memory: Callable[[], float]) -> dict[str, float]:
    """In a process of its own: seconds to load the parser, and memory with and without it."""
    from summeval.annotate.compiled import CompiledProvider

    provider = CompiledProvider()
    before = memory()
    start = time.process_time()
    next(provider.parse(texts[:1]))
    loaded = time.process_time() - start
    for _ in provider.parse(texts):
        pass
    return {"ms": 1e3 * loaded, "before": before, "peak": memory()}


def of_document(document: Document) -> list[tuple[Any, ...]]:
    """Its tokens: place, form, lemma, tag, head, label and whether a sentence begins."""
    found = []
    for sentence in document.sentences:
        for number, one in enumerate(sentence.tokens):
            place = (one.start, one.end, one.form)
            found.append((place, one.lemma, one.tag, one.head, one.label, number == 0))
    return found


def agreement(sets: Sequence[str]) -> Iterator[str]:
    """Shares of tokens and entities of whole documents that are those of spaCy."""
    from summeval.annotate.compiled import CompiledProvider
    from summeval.annotate.parsers import SpacyProvider

    total: Counter[str] = Counter()
    for name in sets:
        texts = texts_of(rows_of(name))
        same = Counter(texts=0)
        pairs = zip(CompiledProvider().parse(texts), SpacyProvider().parse(texts), strict=True)
        for one, other in pairs:
            mine, theirs = of_document(one), of_document(other)
            same["texts"] += 1
            if [token[0] for token in mine] != [token[0] for token in theirs]:
                same["texts of other tokens"] += 1
                continue
            same["tokens"] += len(mine)
            for a, b in zip(mine, theirs, strict=True):
                same["lemmas"] += a[1] == b[1]
                same["tags"] += a[2] == b[2]
                same["heads"] += a[3] == b[3]
                same["LAS"] += a[3:5] == b[3:5]
                same["sentences"] += a[5] == b[5]
            entities = {*one.entities}, {*other.entities}
            same["entity"] += len(entities[0] | entities[1])
            same["same entity"] += len(entities[0] & entities[1])
        total += same
        yield shares(name, same)
    if len(sets) > 1:
        yield shares("all", total)


def shares(name: str, same: Counter[str]) -> str:
    parts = ("tags", "heads", "LAS", "sentences", "lemmas")
    told = ", ".join(f"{part} {same[part] / same['tokens']:.5f}" for part in parts)
    entities = same["same entity"] / max(same["entity"], 1)
    other = f"{same['texts of other tokens']} of {same['texts']:,} texts"
    counts = f"{same['tokens']:,} tokens; {other} have other tokens"
    return f"{name}: {told}, entities {entities:.4f} ({counts})"


def scores(sets: Sequence[str], limit: int | None) -> Iterator[str]:
    """Equal scores with both parsers, and Spearman's correlation with people with each."""
    import numpy as np

    from summeval.meta import Scores, correlate

    equal = count = far = 0
    largest, largest_of, furthest, furthest_of = 0.0, "", 0.0, ""
    for name in sets:
        rows = rows_of(name)[:limit]
        columns = [with_parser(rows, parser) for parser in ("compiled", "spacy")]
        people = [*dict.fromkeys(key for row in rows for key in row["scores"])]
        same = 0
        for key, mine in columns[0].items():
            apart = np.abs(np.array(mine) - np.array(columns[1][key]))
            same += int((apart == 0).sum())
            far += int((apart > FAR).sum())
            if apart.max() > largest:
                largest, largest_of = float(apart.max()), f"{key} of {name}"
        numbers = sum(map(len, columns[0].values()))
        equal, count = equal + same, count + numbers
        yield f"{name}: {same:,} of {numbers:,} scores are equal ({same / numbers:.2%})"
        told = []
        for key in columns[0]:
            table = [
                {
                    "system": row["system_id"],
                    "topic": row["topic_id"],
                    "mine": columns[0][key][k],
                    "theirs": columns[1][key][k],
                    **{f"people.{person}": row["scores"].get(person) for person in people},
                }
                for k, row in enumerate(rows)
            ]
            found = Scores.from_rows(
                table, ["mine", "theirs", *(f"people.{person}" for person in people)]
            )
            for person in people:
                one, other = (
                    correlate(found[side], found[f"people.{person}"], "spearman", "summary").value
                    for side in ("mine", "theirs")
                )
                if abs(one - other) > furthest:
                    furthest, furthest_of = abs(one - other), f"{key}, {person} of {name}"
                if person == people[0]:
                    told.append(f"{key} {one:.4f} {other:.4f}")
        if people:
            yield f"  Spearman with {people[0]}, compiled and spaCy: {'; '.join(told)}"
    yield f"all: {equal / count:.2%} of {count:,} scores are equal"
    yield f"  {far} differ by more than {FAR}; largest difference {largest:.4f} ({largest_of})"
    yield f"  Spearman with people, all dimensions: at most {furthest:.5f} apart ({furthest_of})"


def with_parser(rows: Rows, parser: str) -> dict[str, list[float]]:
    """The scores of each field of the metrics with a parser."""
    import summeval

    metrics = [summeval.metric(name, parser=parser) for name in METRICS]
    table = summeval.score_batch(
        [row["summary"] for row in rows], [row["references"] for row in rows], metrics=metrics
    )
    return {name: [float(value) for value in table[name]] for name in table}
