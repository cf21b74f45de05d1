"""Public sets of human judgements, as their authors publish them, as rows."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from summeval.io import DataError, naming
from summeval.io.rows import Row
from summeval.io.source import shown
from summeval.table.table import Table, numbered_lines, read_rows
from summeval.table.workbook import read_sheet

_BREAK = re.compile(r"</p>\s*<p>|<br ?/?>")
_MARK = re.compile(r"</?p>")


class _Set(NamedTuple):
    """What to pass, and what reads it."""

    what: str
    read: Callable[[str], Iterator[Row]]
    in_folder: bool = False


def read_set(name: str, path: str) -> Table:
    """Read a set of judgements: a row for each summary.

    A row has `id`, `topic`, `system`, `candidate`, `references` (a list), `source` (a text, a list
    of texts or None) and `scores`, an object with a number for each dimension: the mean of the
    judges. If a system has several summaries of a topic, the later ones are of `system (2)`, ….

    Parameters
    ----------
    name : str
        Of `SETS`.
    path : str
        The file or folder that it names.

    Raises
    ------
    DataError
        The file cannot be read, or has another layout.
    """
    known = SETS[name]
    if os.path.isdir(path) and not known.in_folder:
        raise DataError(shown(path), "is a folder", f"pass {known.what}")
    try:
        rows = _merged(known.read(path))
    except DataError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        why = f"no {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
        what = f"is not laid out as {name} is ({why})"
        raise DataError(shown(path), what, f"pass {known.what}") from None
    if not rows:
        raise DataError(shown(path), "holds no judgements", f"pass {known.what}")
    return Table(rows, origin=shown(path))


def _row(topic: object, system: object, candidate: str, scores: Mapping[str, float]) -> Row:
    return {
        **{"id": f"{topic}/{system}", "topic": str(topic), "system": str(system)},
        **{"candidate": candidate, "references": [], "source": None, "scores": dict(scores)},
    }


def _merged(rows: Iterable[Row]) -> list[Row]:
    """Return one row for each summary, with the means of its scores."""
    first: dict[tuple[str, str, str], Row] = {}
    texts: dict[tuple[str, str], int] = {}
    judges: dict[int, list[Mapping[str, float]]] = {}
    for row in rows:
        place = row["topic"], row["system"]
        own = first.setdefault((*place, row["candidate"]), row)
        if own is row:
            texts[place] = number = texts.get(place, 0) + 1
            row |= {key: f"{row[key]} ({number})" for key in ("id", "system") if number > 1}
        judges.setdefault(id(own), []).append(row["scores"])
    for row in first.values():
        row["scores"] = _means(judges[id(row)])
    return list(first.values())


def _means(judges: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each dimension over judges."""
    found: dict[str, list[float]] = {}
    for judge in judges:
        for name, score in judge.items():
            found.setdefault(name, []).append(float(score))
    return {name: fmean(said) for name, said in found.items()}


def _json(path: str | Path) -> Any:
    with naming(str(path)):
        return json.loads(Path(path).read_text(encoding="utf-8"))


def _lines(path: Path) -> list[str]:
    return [text for _, text in numbered_lines(str(path), blank=True)]


def _in(folder: str, name: str) -> Path:
    """Return the file of this name in a folder, at any depth."""
    found = sorted(Path(folder).rglob(name), key=lambda path: len(path.parts))
    if not found:
        raise DataError(folder, f"no file {name}", "pass the folder that has it")
    return found[0]


# A reader for each layout


def _summeval(path: str) -> Iterator[Row]:
    for one in read_rows(path).rows:
        row = _row(one["id"], one["model_id"], one["decoded"], _means(one["expert_annotations"]))
        yield row | {"references": one.get("references") or [], "source": one.get("text")}


def _dialsummeval(path: str) -> Iterator[Row]:
    for one in read_rows(path).rows:
        row = _row(one["id"], one["model_id"], one["summary"], _means(one["annotations"]))
        yield row | {"source": one["dialogue"].strip("| ").replace(" | ", "\n")}


def _newsroom(path: str) -> Iterator[Row]:
    for one in read_rows(path).rows:
        text, source = (
            html.unescape(_MARK.sub("", _BREAK.sub("\n", one[column]))).strip()
            for column in ("SystemSummary", "ArticleText")
        )
        names = ("Coherence", "Fluency", "Informativeness", "Relevance")
        scores = {name.lower(): float(one[f"{name}Rating"]) for name in names}
        yield _row(one["ArticleID"], one["System"], text, scores) | {"source": source}


def _aggrefact(path: str) -> Iterator[Row]:
    for one in read_rows(path).rows:
        topic, scores = f"{one['dataset']}/{one['id']}", {"label": float(one["label"])}
        row = _row(topic, one["model_name"], one["summary"], scores)
        yield row | {"source": one["doc"], "split": one["cut"]}


def _qags(path: str) -> Iterator[Row]:
    """The share of sentences that most judges find consistent, as in the paper."""
    system = Path(path).name.partition(".")[0]
    for number, one in enumerate(read_rows(path).rows):
        sentences = one["summary_sentences"]
        votes = [[said["response"] == "yes" for said in s["responses"]] for s in sentences]
        scores = {"consistency": fmean(2 * sum(vote) > len(vote) for vote in votes)}
        text = " ".join(sentence["sentence"] for sentence in sentences)
        yield _row(number, system, text, scores) | {"source": one["article"]}


def _rank19(path: str) -> Iterator[Row]:
    for number, one in enumerate(_json(path)):
        for system, score in (("correct", 1.0), ("incorrect", 0.0)):
            row = _row(number, system, one[f"{system}_sent"], {"correct": score})
            yield row | {"source": one["article_sent"]}


def _frank(folder: str) -> Iterator[Row]:
    texts = {
        (one["hash"], one["model_name"]): one for one in _json(_in(folder, "benchmark_data.json"))
    }
    for one in _json(_in(folder, "human_annotations.json")):
        key = one["hash"], one["model_name"]
        said = {name: float(v) for name, v in one.items() if isinstance(v, (int, float))}
        scores = {name: v for name, v in said.items() if not name.startswith("Flip_")}
        text = texts[key]
        references = [text["reference"]] if text.get("reference") else []
        more = {"references": references, "source": text["article"], "split": one["split"]}
        yield _row(*key, text["summary"], scores) | more


def _litepyramid(folder: str) -> Iterator[Row]:
    """The share of the reference's content units that a summary has."""
    names = ("ids.txt", "references.txt", "documents.txt")
    ids, references, sources = (_lines(_in(folder, name)) for name in names)
    for path in sorted(Path(folder, "summaries").glob("*.summary")):
        labels = _lines(Path(folder, "labels", f"{path.stem}.label"))
        columns = ids, _lines(path), labels, references, sources
        for topic, text, said, reference, source in zip(*columns, strict=True):
            recall = {"litepyramid_recall": fmean(map(float, said.split()))}
            row = _row(topic, path.stem, text, recall)
            yield row | {"references": [reference], "source": source}


def _opinsummeval(folder: str) -> Iterator[Row]:
    scores = {one["case"]: one for one in read_rows(str(_in(folder, "scores.jsonl"))).rows}
    for one in read_rows(str(_in(folder, "14model_outputs.jsonl"))).rows:
        more = {"references": [one["summ"]], "source": list(one["revs"].values())}
        for system, text in one["model_output"].items():
            said = scores[one["case"]][system]
            yield _row(one["case"], system, text, _means((said["annot1"], said["annot2"]))) | more


def _squality(path: str) -> Iterator[Row]:
    """What people wrote is the reference of the other systems; `selection` is called coverage."""
    terms = {"correctness": "correctness", "selection": "coverage", "overall": "overall"}
    for one in read_rows(path).rows:
        for number, answers in one["questions"].items():
            people = answers.get("human", {}).get("response")
            for system, given in answers.items():
                means = given["overall"]
                scores = {name: float(means[f"{term}-rating"]) for term, name in terms.items()}
                row = _row(f"{one['passage-id']}-{number}", system, given["response"], scores)
                yield row | {"references": [people] if people and system != "human" else []}


def _polytope(path: str) -> Iterator[Row]:
    """1 where no error of a kind was marked; `faultless` where none at all was."""
    books = sorted(Path(path).rglob("*.xls[xm]")) if os.path.isdir(path) else [Path(path)]
    found, kinds = [], set[str]()
    for book in books:
        errors: dict[str, set[str]] = {}
        for one in read_sheet(str(book), "Error Log"):
            if kind := one.get("Subtypes", "").strip().lower():
                errors.setdefault(one["ID"], set()).add(kind)
        kinds |= {kind for marked in errors.values() for kind in marked}
        system = re.sub("^Human_Annotation_Summarization_", "", book.stem)
        segments = [one for one in read_sheet(str(book), "Scores per segment") if "ID" in one]
        found += [(system, one, errors.get(one["ID"], set())) for one in segments]
    for system, one, marked in found:
        scores = {"faultless": float(not marked)}
        scores |= {kind: float(kind not in marked) for kind in sorted(kinds)}
        row = _row(one["ID"].removesuffix(".0"), system, one["Target"], scores)
        yield row | {"source": one["Source"]}


def _rose(path: str) -> Iterator[Row]:
    """Of each system the numbers of its annotations, such as the share of content units."""
    for one in read_rows(path).rows:
        more = {"references": [one["reference"]], "source": one["source"]}
        for system, text in one["system_outputs"].items():
            said = one["annotations"][system].items()
            scores = {name: float(v) for name, v in said if isinstance(v, (int, float))}
            yield _row(one["example_id"], system, text, scores) | more


_PYRAMIDS = "of github.com/ZhangShiyue/Lite2-3Pyramid, the folder data"
SETS = {
    "summeval": _Set("model_annotations.aligned.jsonl of SummEval, also paired", _summeval),
    "realsumm": _Set(f"REALSumm {_PYRAMIDS}/REALSumm", _litepyramid, True),
    "pyrxsum": _Set(f"PyrXSum {_PYRAMIDS}/PyrXSum", _litepyramid, True),
    "newsroom": _Set("newsroom-human-eval.csv of github.com/lil-lab/newsroom", _newsroom),
    "qags": _Set("mturk_cnndm.jsonl or mturk_xsum.jsonl of github.com/W4ngatang/qags", _qags),
    "frank": _Set("the folder data of github.com/artidoro/frank", _frank, True),
    "aggrefact": _Set("aggre_fact_final.csv of github.com/Liyan06/AggreFact", _aggrefact),
    "rank19": _Set("val_sentence_pairs.json of Falke and others (2019)", _rank19),
    "dialsummeval": _Set("human_judgment.jsonl of DialSummEval", _dialsummeval),
    "opinsummeval": _Set("the folder metric_evaluation of OpinSummEval", _opinsummeval, True),
    "polytope": _Set(
        "outputs_with_human_annotation of github.com/hddbang/PolyTope, or a workbook in it",
        _polytope,
        True,
    ),
    "rose": _Set("a part of Salesforce/rose, such as cnndm_test, as JSON Lines or Parquet", _rose),
    "squality": _Set("data/human-eval/all-responses.jsonl of SQuALITY", _squality),
}
"""By name: the file or folder, and what reads it."""
