"""Citations of metrics in a paper: BibTeX, a sentence and signatures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from summeval._options import check_choice
from summeval._version import __version__
from summeval.metrics import bibliography as bib
from summeval.metrics.bibliography import OURS, Paper
from summeval.metrics.registry import expanded, own_of
from summeval.metrics.registry import metric as metric_of
from summeval.metrics.run.base import Metrics
from summeval.metrics.run.declared import Declared
from summeval.metrics.run.signature import Signature
from summeval.metrics.scoring import listed

CiteFormat = Literal["bibtex", "text", "json"]
FORMATS: tuple[CiteFormat, ...] = ("bibtex", "text", "json")

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {char: f"\\{char}" for char in "&%$#_{}"}
_BREAKS = re.compile(r"(?<=[|:;+\[\]_.-])")  # after these a line may end


class Citation(NamedTuple):
    """A metric as a paper reports it.

    Attributes
    ----------
    metric : str
    shown : str
        What people call it.
    field : str
        The field that is its value; empty where it cannot be known.
    signature : str
        Empty where it cannot be known, for want of a parser or of a model.
    note : str
        Why there is no signature or no paper.
    papers : tuple of Paper
    reported : str
        The metric with its field and, if users choose it, its model, as in a sentence.

    Examples
    --------
    >>> of("rouge1").reported, of("bertscore").reported
    ('ROUGE-1 F', 'BERTScore F with all-MiniLM-L6-v2')
    """

    metric: str
    shown: str
    field: str
    signature: str
    note: str
    papers: tuple[Paper, ...]
    reported: str


def cite(metrics: Metrics, format: CiteFormat = "bibtex") -> str:
    """Return what to print about metrics in a paper.

    Parameters
    ----------
    metrics : names and metric objects
        Presets too. Also `pyramid` and `nouveau-rouge`, which are no names of metrics.
    format : {"bibtex", "text", "json"}
        "bibtex" is a .bib file: an entry for each paper and for summeval, with a sentence (for
        LaTeX) and the signatures as comments at its end. "text" is for people.

    Returns
    -------
    str
        Lines. Papers come once each, in the order of the metrics.

    Raises
    ------
    ValueError
        For an unknown name or format.

    Examples
    --------
    >>> print(cite("rouge1,rouge2", "text").splitlines()[0][:80])
    We report ROUGE-1 F and ROUGE-2 F (Lin, 2004), computed with summeval 0.1.0 (sig
    """
    check_choice("format", format, FORMATS)
    found = list(map(of, expanded(listed(metrics))))
    if not found:
        raise ValueError("no metric is named; pass one at least")
    return written(found, format)


def of(given: str | Declared) -> Citation:
    """Return the citation of a metric, or of a name of the bibliography.

    Raises `ValueError` for an unknown name.
    """
    name = given if isinstance(given, str) else given.signature.name
    try:
        made = metric_of(given) if isinstance(given, str) else given
    except ValueError as error:
        entry = bib.cited(name)
        if entry is None:
            raise
        note = "" if name in ("pyramid", "nouveau-rouge") else str(error)
        return Citation(name, entry.shown, "", "", note, entry.papers, entry.shown)
    own = own_of(name)
    entry = bib.cited(name) if own is None else None
    shown = entry.shown if entry is not None else name
    papers = _papers(name, name)
    line, note = "", "" if papers else f"{name} names no paper"
    try:
        line = str(made.signature)
        papers = (*papers, *_within(name, made.signature))
    except (ImportError, OSError, ValueError) as error:
        note = f"no signature: {' '.join(str(error).split())}"
    reported = bib.with_field(shown, made.primary)
    if entry is not None and entry.reported:
        reported = entry.reported
    if model := getattr(made, "model_name", ""):
        reported += f" with {model}"
    once = tuple({each.key: each for each in papers}.values())
    return Citation(made.name, shown, made.primary, line, note, once, reported)


def _papers(given: str, name: str) -> tuple[Paper, ...]:
    """Return the papers of a metric within one that is given."""
    own = own_of(name)
    return bib.papers_of(name) if own is None else bib.read_bibtex(given, own.citations)


def _within(name: str, signature: Signature) -> Iterable[Paper]:
    """Yield the papers of the metrics that a metric consists of."""
    for value in signature.options.values():
        for part in value if isinstance(value, tuple) else ():
            yield from _papers(name, part.name)
            yield from _within(name, part)


def written(citations: Sequence[Citation], format: CiteFormat) -> str:
    """Return the lines of a format."""
    papers = bibliography(citations)
    if format == "json":
        document: dict[str, Any] = {
            "summeval": __version__,
            "sentence": sentence(citations),
            "latex": sentence(citations, latex=True),
            "metrics": [
                c._asdict() | {"papers": [each.key for each in c.papers]} for c in citations
            ],
            "bibliography": [each.to_dict() for each in papers],
            "bibtex": "\n\n".join(each.bibtex for each in papers),
        }
        return json.dumps(document, indent=1, ensure_ascii=False)
    known = [(one.metric, one.signature or one.note) for one in citations]
    signatures = [f"{name}: {signature}" for name, signature in known if signature]
    notes = [f"note: {one.note}" for one in citations if one.note and one.signature]
    if format == "text":
        return "\n".join([sentence(citations), "", *signatures, *notes, "", *map(str, papers)])
    # Programs for BibTeX take an @ for an entry wherever it stands; %40 means the same.
    comments = [sentence(citations, latex=True), *signatures, *notes]
    lines = [f"% {line.replace('@', '%40')}" for line in comments]
    return "\n\n".join([*(each.bibtex for each in papers), "\n".join(lines)])


def bibliography(citations: Iterable[Citation]) -> list[Paper]:
    """Return the papers of all, each once by its key; summeval comes last."""
    found = {each.key: each for one in citations for each in one.papers}
    found.pop(OURS, None)
    return [*found.values(), bib.paper(OURS)]


def sentence(citations: Sequence[Citation], latex: bool = False) -> str:
    """Return a sentence for the paper.

    >>> sentence([of("rouge1"), of("rouge2"), of("bewte")]).partition(", computed")[0]
    'We report ROUGE-1 F and ROUGE-2 F (Lin, 2004) and BEwT-E recall (Tratz and Hovy, 2008)'
    """
    groups = []
    for papers, members in groupby(citations, lambda one: one.papers):
        named = _joined([_tex(one.reported) if latex else one.reported for one in members])
        own = [each for each in papers if each.key != OURS]
        where = ", ".join(each.key for each in own) if latex else "; ".join(e.short for e in own)
        where = f"\\citep{{{where.replace(' ', '')}}}" if latex else f"({where})"
        groups.append(f"{named} {where}" if own else named)
    lines = [one.signature for one in citations if one.signature]
    shown = "; ".join(_typewriter(line) if latex else line for line in lines)
    signed = f" (signature{'s' * (len(lines) > 1)}: {shown})" if lines else ""
    ours = f"summeval {__version__}" + f" \\citep{{{OURS}}}" * latex
    return f"We report {_joined(groups)}, computed with {ours}{signed}."


def _joined(names: Sequence[str]) -> str:
    """Names with commas, and `and` before the last.

    >>> _joined(["a", "b", "c"]), _joined(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _tex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)


def _typewriter(line: str) -> str:
    r"""Return a signature in LaTeX, which ends lines within it, without a package.

    >>> _typewriter("rouge1|v:0.1")
    '\\texttt{rouge1|\\allowbreak{}v:\\allowbreak{}0.\\allowbreak{}1}'
    """
    pieces = r"\allowbreak{}".join(map(_tex, filter(None, _BREAKS.split(line))))
    return f"\\texttt{{{pieces}}}"
