"""`study transformations`: each choice scores as BEwT-E with that choice, and uses are counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval import BEwTE
from summeval.annotate import Document, Sentence, Token, to_json
from summeval.cli.main import main
from summeval.elements.transformations import GROUPS
from summeval.study.result import Study
from summeval.study.transformations import transformations, usage

TAGS = {"he": "PRP", "ran": "VBD", "running": "VBG", "large": "JJ", "big": "JJ", "Chinese": "JJ"}
REFERENCES = ["dogs automobile ran China large house", "dog car companies big tree"]
CANDIDATES = {
    "good": ["dog car running Chinese big house", "dogs automobile company large tree"],
    "fair": ["dog tree dwelling", "automobile plant"],
    "poor": ["moon", ""],
}
HUMAN = {"good": [5.0, 4.0], "fair": [2.0, 3.0], "poor": [1.0, 1.5]}


def parsed(text: str) -> Document:
    """Each word alone: a root with the tag that the list gives, else a noun."""
    words = text.split()
    tokens = [
        Token(
            word, TAGS.get(word, "NN"), head=-1 if k == 0 else 0, label="root" if k == 0 else "dep"
        )
        for k, word in enumerate(words)
    ]
    sentences = (Sentence(tuple(tokens)),) if tokens else ()
    return Document(sentences, text=text, provider="list")


class Listed:
    """A provider of such parses."""

    name = signature = "list"

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        return map(parsed, texts)


def metric(**options: Any) -> BEwTE:
    return BEwTE(parser=Listed(), cache=False, **options)


def columns() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {"candidate": [], "references": [], "system": [], "topic": []}
    found["overall"] = []
    for system, texts in CANDIDATES.items():
        for topic, text in enumerate(texts):
            for name, value in (
                ("candidate", text),
                ("references", [REFERENCES[topic]]),
                ("system", system),
                ("topic", f"t{topic}"),
                ("overall", HUMAN[system][topic]),
            ):
                found[name].append(value)
    return found


def study(human: dict[str, list[float | None]] | None = None, **options: Any) -> Study:
    given = columns()
    human = {"overall": given["overall"]} if human is None else human
    texts = (given["candidate"], given["references"], given["system"], given["topic"])
    return transformations(*texts, human, **{"metric": metric(), "resamples": 20, **options})


def lines(found: Study) -> dict[str, dict[str, Any]]:
    return {row["transformations"]: row for row in found.tables[0].rows}


def test_each_choice_scores_as_the_metric_with_these_coefficients() -> None:
    found, given = lines(study()), columns()
    assert len(found) == 32
    for name, row in found.items():
        *_, group = name.split()
        coefficients: dict[str, float] = {}
        if name == "none" or name.startswith("only "):
            coefficients = {"others": 0.0} | ({} if name == "none" else {group: 1.0})
        elif name.startswith("all but "):
            coefficients = {group: 0.0}
        one = metric(coefficients=coefficients, hyper=group == "hype")
        scores = one.score_batch(given["candidate"], given["references"])["bewte"]
        assert row["mean"] == pytest.approx(np.mean(scores), abs=1e-12), name
    assert found["only lemm"]["mean"] > found["none"]["mean"]
    assert found["all but syno"]["mean"] < found["all"]["mean"]
    assert found["only hype"]["mean"] > found["none"]["mean"]


def test_correlations_and_differences_are_those_of_the_scores() -> None:
    found = lines(study())
    means = np.array([[1.0, 1.0], [1 / 6, 1 / 5], [0.0, 0.0]])
    human = np.array(list(HUMAN.values()))
    wanted = np.corrcoef(means.mean(axis=1), human.mean(axis=1))[0, 1]
    assert found["all"]["system"] == pytest.approx(wanted)
    for level in ("summary", "system"):
        less = found["none"][level] - found["all"][level]
        assert found["none"][f"{level} difference"] == pytest.approx(less)
        assert found["all"][f"{level} difference"] == 0


def test_uses_are_those_that_explanations_tell() -> None:
    one, given = metric(), columns()
    rows = one.extract(given["candidate"], given["references"])
    used = usage(one, rows)
    stages = {stage: group for group, of in GROUPS.items() for stage in of}
    by_group, alone, equal, total = dict.fromkeys(GROUPS, 0), dict.fromkeys(GROUPS, 0), 0, 0
    for own, others in rows:
        named = {str(number): of for number, of in enumerate(others)}
        for reference in one.explain_units(own or [], named).references:
            for match in reference.matches:
                groups = {stages[stage] for stage in match.path}
                total, equal = total + 1, equal + (not groups)
                for group in groups:
                    by_group[group] += 1
                    alone[group] += len(groups) == 1
    assert (used.matches, used.equal) == (total, equal)
    assert used.by_group == by_group
    assert used.alone == alone
    assert by_group["lemm"] and by_group["syno"] and by_group["pert"] and equal


def test_coefficients_of_the_metric_hold() -> None:
    half = lines(study(metric=metric(coefficients={"lemm": 0.5})))
    whole = lines(study())
    assert half["none"]["mean"] == whole["none"]["mean"]
    assert whole["none"]["mean"] < half["only lemm"]["mean"] < whole["only lemm"]["mean"]


def test_hypernyms_that_are_on_are_among_all() -> None:
    found = lines(study(metric=metric(hyper=True)))
    assert "all and hype" not in found
    assert found["all but hype"]["mean"] == lines(study())["all"]["mean"]


def test_missing_scores_are_left_out_and_told() -> None:
    human = [None, *columns()["overall"][1:]]
    found = study({"overall": human})
    assert "overall: 1 of 6 rows has no value" in found.notes
    assert study({"overall": [float("nan"), *human[1:]]}).to_dict() == found.to_dict()


@pytest.mark.parametrize(
    ("human", "message"),
    [
        ({}, "no human scores"),
        ({"overall": [3.0] * 6}, "all scores in 'overall' are 3"),
        ({"overall": [None] * 6}, "no row has a number in 'overall'"),
        ({"overall": [1.0]}, "overall has 1 rows; 6 are needed"),
    ],
)
def test_human_scores_that_tell_nothing_are_refused(human: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        study(human)


def test_no_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="there are no rows; give two or more"):
        transformations([], [], [], [], {"overall": []}, metric=metric())


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Rows, and the option with their parses."""
    given = columns()
    rows = [dict(zip(given, values, strict=True)) for values in zip(*given.values(), strict=True)]
    path, parses = tmp_path / "rows.jsonl", tmp_path / "parses.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = dict.fromkeys([*given["candidate"], *REFERENCES])
    parses.write_text("".join(to_json(parsed(text)) + "\n" for text in texts))
    return [str(path), "--annotations", str(parses), "--bootstrap", "20"]


def test_the_command_prints_and_writes(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "out"
    command = ["study", "transformations", *files, "--human", "overall"]
    assert main([*command, "--format", "json", "-o", str(folder)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["transformations"] for row in told["transformations"][:2]] == ["all", "none"]
    assert told["transformations"][0]["mean"] == pytest.approx(lines(study())["all"]["mean"])
    assert told["use"][0] == {
        "transformation": "none",
        "meaning": "equal as they are",
        "pairs": told["equal"],
        "share": told["equal"] / told["matches"],
        "pairs with no other": told["equal"],
    }
    assert {path.name for path in folder.iterdir()} == {
        "study.json",
        *(f"{name}.{end}" for name in ("transformations", "use") for end in ("csv", "tex")),
        *(f"transformations_{level}.svg" for level in ("summary", "system")),
    }


def test_a_run_can_be_repeated(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    command = ["study", "transformations", *files, "--human", "overall", "--format", "csv"]
    assert main(command) == 0
    first = capsys.readouterr().out
    assert main([*command, "--workers", "2"]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("change", "arguments", "status", "message"),
    [
        ({}, ["--human", "overal"], 1, "--human"),
        ({}, ["--human", "overall", "--system", "sys"], 1, "--system"),
        ({"system": "one", "topic": None}, ["--human", "overall"], 1, "topic"),
        ({"overall": "high"}, ["--human", "overall"], 1, "give a number"),
        ({"overall": 3}, ["--human", "overall"], 1, "all scores in 'overall' are 3"),
        ({}, ["--human", "overall", "--bootstrap", "0"], 2, "--bootstrap"),
        ({}, ["--human", "overall", "--option", "bewte.weights=big"], 2, "weights"),
        ({"topic": "t"}, ["--human", "overall"], 1, "repeated"),
    ],
)
def test_bad_rows_and_options_are_told_in_one_line(
    files: list[str],
    *,
    change: dict[str, Any],
    arguments: list[str],
    status: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = Path(files[0])
    rows = [json.loads(line) | change for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["study", "transformations", *files, *arguments]) == status
    told = capsys.readouterr().err
    assert message in told
    assert len(told.splitlines()) == 1


def test_one_system_is_told_in_one_line(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(files[0])
    path.write_text("\n".join(path.read_text().splitlines()[:2]))
    assert main(["study", "transformations", *files, "--human", "overall"]) == 1
    assert "there is one system, 'good'" in capsys.readouterr().err


def test_one_topic_is_told_in_one_line(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(files[0])
    path.write_text("\n".join(path.read_text().splitlines()[::2]))
    assert main(["study", "transformations", *files, "--human", "overall"]) == 1
    told = capsys.readouterr().err
    assert "there is one topic, 't0'" in told
    assert len(told.splitlines()) == 1


def test_the_values_of_figures_are_on_the_axis_of_the_bars() -> None:
    for figure in study().figures:
        assert figure.kind == "bars"  # drawn from left to right
        assert figure.x_label == "correlation with overall, difference to all"
        assert figure.y_label == "transformation"
