"""Which metrics fit some data, why, at which cost; and what to beware of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.util import find_spec
from typing import Any, NamedTuple

from summeval.meta.advice.look import Look
from summeval.metrics.registry import INDEX, is_builtin


class Agreement(NamedTuple):
    """Spearman's rank correlation of a column with a judgement, on one data set.

    Attributes
    ----------
    metric, column : str
    data : str
        The data set.
    judgement : str
    level : str
        "summary" or "system".
    rho : float
    interval : (float, float)
        That of 95 %, over systems and topics.
    above_length : bool
        Whether it agrees better than the number of words.
    note : str
    """

    metric: str
    column: str
    data: str
    judgement: str
    level: str
    rho: float
    interval: tuple[float, float]
    above_length: bool
    note: str


@cache
def _data() -> dict[str, Any]:
    file = resources.files(__package__) / "data" / "evidence.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def cost_of(metric: str) -> float | None:
    """The microseconds that a pair costs, on texts that were parsed; None if nothing was measured.

    >>> cost_of("rouge1") < cost_of("tesla-s"), cost_of("mine")
    (True, None)
    """
    found: float | None = _data()["costs"].get(metric)
    return found


def cost_of_parsing() -> float:
    """The microseconds that parsing a text costs."""
    return float(_data()["parsing"])


def agreement_of(metric: str) -> list[Agreement]:
    """All that is known of the agreement of a metric with people, in the order of the page.

    >>> [one.data for one in agreement_of("support") if one.judgement == "consistency"]
    ['SummEval']
    """
    return [
        Agreement(**{**row, "interval": tuple(row["interval"])})
        for row in _data()["agreement"]
        if row["metric"] == metric
    ]


def sources() -> dict[str, str]:
    """The pages that the figures come from."""
    return {"costs": _data()["costs_from"], "agreement": _data()["agreement_from"]}


SHORT, LONG_APART, FEW_SYSTEMS, FEW_TOPICS = 6, 1.3, 10, 5
SEVERAL = 3  # references, from which those who read several pay

_CONTENT = (("REALSumm", "litepyramid_recall"), ("SummEval", "relevance"))
_FAITHFUL = (("SummEval", "consistency"),)
_READS = (("SummEval", "coherence"), ("SummEval", "fluency"))


class Advice(NamedTuple):
    """A metric, or several for one purpose.

    Attributes
    ----------
    metrics : tuple of str
    purpose : str
        The question that they answer.
    why : str
        What of the data speaks for them.
    report : str
        Which field to report.
    microseconds : float or None
        What a pair costs for all of them; None where it was not measured.
    parsed : bool
        Whether the texts must be parsed, which that cost leaves out.
    needs : tuple of str
        What they need beside the data: an extra, annotations.
    evidence : tuple of Agreement
    """

    metrics: tuple[str, ...]
    purpose: str
    why: str
    report: str
    microseconds: float | None
    parsed: bool
    needs: tuple[str, ...]
    evidence: tuple[Agreement, ...]


class LeftOut(NamedTuple):
    """A metric that does not fit, and why."""

    metric: str
    why: str


class Recommended(NamedTuple):
    """The result of `recommend`."""

    advice: tuple[Advice, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...]

    @property
    def metrics(self) -> list[str]:
        """The metrics that need no parser, each once: those to begin with."""
        return list(
            dict.fromkeys(name for one in self.advice if not one.parsed for name in one.metrics)
        )


def recommend(look: Look) -> Recommended:
    """Which metrics fit the rows.

    Examples
    --------
    >>> from summeval.meta.advice.look import look
    >>> rows = [{"id": 1}, {"id": 2}]
    >>> found = recommend(look(rows, ["The cat sat on it."] * 2, None, [["The cat sat."]] * 2))
    >>> found.metrics[:2], found.warnings[0]
    (['support', 'extractiveness'], 'no references: ROUGE and all that compares with references is left out')
    """  # noqa: E501
    advice = [*_content(look), *_sources(look), *_reading(look)]
    return Recommended(tuple(advice), tuple(_left_out(look)), tuple(_warnings(look)))


def _advice(  # noqa: PLR0917
    metrics: Sequence[str],
    purpose: str,
    why: str,
    report: str,
    judged: Sequence[tuple[str, str]] = (),
    parsed: bool = False,
    needs: Sequence[str] = (),
) -> Advice:
    known = tuple(name for name in metrics if is_builtin(name))
    costs = [cost_of(name) for name in known]
    evidence = [
        one for name in known for one in agreement_of(name) if (one.data, one.judgement) in judged
    ]
    total = sum(cost for cost in costs if cost is not None)
    measured = None not in costs
    return Advice(
        known, purpose, why, report, total if measured else None, parsed, tuple(needs),
        tuple(evidence)
    )  # fmt: skip


def _content(look: Look) -> Iterator[Advice]:
    """What compares with references."""
    if not look.has_references:
        return
    most = look.reference_count[1]
    if not look.has_blanks:
        yield _advice(
            ("npower",),
            "does it say what the references say?",
            "it compares characters, so words need no blanks between them",
            "value",
            _CONTENT,
        )
        return
    apart = _apart(look)
    side = (
        "F, because the lengths of systems differ and recall rewards length"
        if apart > LONG_APART
        else "recall and F; recall agrees better where people count what is there"
    )
    yield _advice(
        ("rouge1", "rouge2", "rougeLsum"),
        "compare with published results",
        "there are references",
        side + "; the mean or the best of several references, as the paper in question",
        _CONTENT,
    )
    if look.is_english:
        yield _advice(
            ("tesla-e",),
            "does it say what the references say, also in other words?",
            "English, for which word vectors ship",
            "value",
            _CONTENT,
        )
    else:
        yield _advice(
            ("tesla-s",),
            "does it say what the references say?",
            "words of any language; its function words are English, or yours",
            "fmeasure",
            _CONTENT,
        )
    if most >= SEVERAL:
        yield _advice(
            ("npower",),
            "is it relevant, with several references?",
            f"up to {most} references, characters of any script",
            "value",
            _CONTENT,
        )
    if look.is_english:
        yield _advice(
            ("bewte",),
            "facts and relations, transformed",
            "English, for which a parser is there",
            "recall",
            _CONTENT,
            parsed=True,
            needs=_extra("spacy", "nlp"),
        )


def _sources(look: Look) -> Iterator[Advice]:
    """What compares with the source."""
    if not look.has_source:
        return
    if look.is_english:
        yield _advice(
            ("support",),
            "can the source account for it?",
            "there is a source" + ("" if look.has_references else ", and no reference is needed"),
            "explained, which is the value; high for copies, so report extractiveness beside it",
            _FAITHFUL,
        )
    if is_builtin("extractiveness"):
        yield _advice(
            ("extractiveness",),
            "how much is copied?",
            "there is a source",
            "coverage and density",
            _FAITHFUL,
        )
    if not look.has_blanks:
        return
    yield _advice(
        ("simetrix",),
        "does it have the words of the source?",
        "there is a source" + ("" if look.has_references else ", and no reference is needed"),
        "unsmoothedJSD; lower is better",
        (*_CONTENT, *_FAITHFUL),
    )


def _reading(look: Look) -> Iterator[Advice]:
    if look.is_english:
        yield _advice(
            ("readability",),
            "does it read well?",
            "English; only the candidates are read",
            "value",
            _READS,
        )


def _extra(module: str, extra: str) -> tuple[str, ...]:
    return () if find_spec(module) else (f"pip install 'summeval[{extra}]'",)


def _left_out(look: Look) -> Iterator[LeftOut]:
    """Metrics that people might expect, and why they are not advised."""
    if not look.has_source:
        yield LeftOut("support, simetrix, extractiveness", "no source")
    if look.has_references and look.has_blanks and look.reference_count[1] < SEVERAL:
        yield LeftOut("queen, npower", f"pay with {SEVERAL} or more references")
    if look.has_references and not look.has_blanks:
        yield LeftOut(
            "rouge, tesla-s", "read words between blanks; in Python, tokenizer= takes a function"
        )
    if look.has_source and not look.has_blanks:
        yield LeftOut("simetrix", "reads words between blanks, and has no value without")
    if not look.is_english:
        named = [name for family in INDEX for name in family.names if family.languages]
        yield LeftOut(", ".join(named), "made for English")
        return
    yield LeftOut("cremer, dicomer", "trained on SummEval; rank worse than tesla-s elsewhere")
    if look.has_references:
        yield LeftOut("bertscore", "needs a transformer; not among the measured")
        yield LeftOut("tesla-m, bipartite, paraeval", "cost more and agree no better than rouge1")


def _warnings(look: Look) -> Iterator[str]:
    yield from _of_texts(look)
    yield from _of_systems(look)
    if not look.human:
        return
    if look.judge:
        yield (
            f"rows are judgements by {look.judge}: `summeval agreement` tells how far the judges "
            "agree"
        )
    if 0 < len(look.systems) < FEW_SYSTEMS:
        yield (
            f"{len(look.systems)} systems beside human scores: fewer than {FEW_SYSTEMS} are too "
            "few for correlations at the system level"
        )


def _of_texts(look: Look) -> Iterator[str]:
    if look.references is None and look.sources is None:
        yield "neither references nor a source: only metrics of the candidate alone are left"
    elif look.references is None:
        yield "no references: ROUGE and all that compares with references is left out"
    elif look.without_references:
        share = look.without_references / look.rows
        count = f"{look.without_references:,} ({share:.0%})"
        yield f"rows without a reference: {count}; they score null"
    if look.sources is not None and look.without_source:
        yield f"rows without a source: {look.without_source:,}"
    if look.missing:
        yield f"candidates that are null: {look.missing:,}; they score null"
    if look.empty:
        yield f"candidates that are empty texts: {look.empty:,}; they get the worst score"
    yield from _of_letters(look)
    if look.candidates is not None and look.has_blanks and look.candidates.median < SHORT:
        yield (
            f"very short candidates ({look.candidates.median:g} words): rouge2 is 0 for most; "
            "report rouge1, rougeL or npower"
        )
    if look.has_references and look.candidates and look.references:
        ratio = look.candidates.median / max(look.references.median, 1)
        if not 1 / 2 < ratio < 2:
            yield (
                f"candidates have {ratio:.2g} times the words of the references: report the length,"
                " too"
            )
    if look.has_references and 0 < look.lines < 0.5:
        yield f"only {look.lines:.0%} of the texts have sentences on lines, which rougeLsum reads"


def _of_letters(look: Look) -> Iterator[str]:
    if look.script and not look.is_latin:
        mend = (
            "the command has --tokenizer unicode"
            if look.has_blanks
            else "and words stand without blanks, so that no metric of words fits"
        )
        yield f"{look.language}: the tokenizer rouge155 drops what is not a-z; {mend}"
    elif look.script:
        if look.is_cut:
            yield (
                f"{look.cut:.0%} of the words have letters outside a-z: the tokenizer rouge155 cuts"
                " or drops them; the command has --tokenizer unicode"
            )
        if not look.is_english:
            yield (
                "the texts seem not to be English: stemmers, function words and models are English"
            )


def _of_systems(look: Look) -> Iterator[str]:
    if look.names:
        some = " or ".join(look.names[:4])
        yield f"no column names the system; if {some} does, pass --system"
    ratio = _apart(look)
    if ratio > LONG_APART:
        names = sorted(look.systems, key=lambda name: look.systems[name])
        low, high = names[0], names[-1]
        yield (
            f"systems differ in length: {low} has {look.systems[low]:.0f} words in the mean, {high}"
            f" {look.systems[high]:.0f}; report F, not recall, and the length"
        )
    if look.lower_case:
        some = ", ".join(look.lower_case[:3])
        yield (
            f"systems that write lower case alone: {len(look.lower_case)} ({some}); "
            "npower, be and bewte depend on capitals, so pass case=lower for them"
        )
    if look.unequal and len(look.systems) > 1:
        yield "systems have different topics: compare them on those that all have"
    if look.samples > 1:
        yield (
            f"up to {look.samples} outputs of one system for one input: say with --samples whether "
            "to average or to draw"
        )
    if 0 < look.topics < FEW_TOPICS and look.human:
        yield f"{look.topics} topics are too few for an interval"


def _apart(look: Look) -> float:
    """How many times longer the texts of the longest system are than those of the shortest."""
    lengths = [length for length in look.systems.values() if length]
    return max(lengths) / min(lengths) if lengths else 1.0


def to_dict(found: Recommended) -> dict[str, Any]:
    """The advice as JSON values."""
    return {
        "advice": [
            {**one._asdict(), "evidence": [each._asdict() for each in one.evidence]}
            for one in found.advice
        ],
        "left_out": [one._asdict() for one in found.left_out],
        "warnings": list(found.warnings),
        "microseconds_of_parsing_a_text": cost_of_parsing(),
    }
