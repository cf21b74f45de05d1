"""What studies return, how it is printed, and the files that it becomes."""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import re

import pytest

from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.results import check_folder_of, show_study
from summeval.io import DataError
from summeval.report.figures import svg_of
from summeval.study.result import Series, Study, StudyFigure, StudyTable

ROWS = [
    {"name": "lead & first", "P": 0.5, "interval": (0.25, 0.75), "secret": 1},
    {"name": "x", "P": float("nan"), "interval": (float("nan"), float("nan")), "secret": 2},
]
BARS = StudyFigure("bars", "P of systems", "bars", "P", "", [Series("", ["a", "b"], [1.0, 2.0])])
LINES = StudyFigure(
    "lines",
    "Sizes",
    "lines",
    "size",
    "KING",
    [
        Series("one", [1.0, 2.0], [0.1, 0.2], intervals=[(0.0, 0.2), (0.1, 0.3)]),
        Series("two", [1.0, 2.0], [0.3, float("nan")], labels=["p", "q"]),
    ],
)
STUDY = Study(
    "extracts",
    "Extracts (Galley 2006)",
    [StudyTable("systems", "P of systems", ROWS, hidden=["secret"])],
    figures=[BARS, LINES],
    settings={"folds": 5, "mean": 0.25, "none": None},
    seed=3,
    signatures={"rouge1": "rouge1|…"},
    notes=["topic 4 was left out"],
    values={"word_share": 0.5},
)


def given(**more):
    return argparse.Namespace(**{"format": "table", "output": None, "no_figures": False} | more)


def test_the_table_for_people_hides_columns_and_ends_with_how_it_was_made(capsys):
    show_study(given(), STUDY)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Extracts (Galley 2006)"
    assert lines[4].split() == ["name", "P", "interval"]
    assert lines[5].split() == ["lead", "&", "first", "0.5000", "[0.2500,", "0.7500]"]
    assert lines[-3:] == [
        "folds 5, mean 0.25, seed 3, word_share 0.5",
        "rouge1: rouge1|…",
        "note: topic 4 was left out",
    ]


def test_json_has_a_key_for_each_table_and_null_for_nan(capsys):
    show_study(given(format="json"), STUDY)
    found = json.loads(capsys.readouterr().out)
    assert found["systems"][0] == ROWS[0] | {"interval": [0.25, 0.75]}
    assert found["systems"][1]["interval"] == [None, None]
    assert found["word_share"] == 0.5
    assert found["seed"] == 3
    assert found["signatures"] == {"rouge1": "rouge1|…"}


def test_csv_has_all_columns_and_nothing_else(capsys):
    show_study(given(format="csv"), STUDY)
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    first = {"name": "lead & first", "P": "0.5", "lower": "0.25", "upper": "0.75", "secret": "1"}
    assert rows[0] == first
    assert rows[1]["P"] == ""


def test_latex_escapes_and_keeps_the_rest_as_comments(capsys):
    show_study(given(format="latex"), STUDY)
    lines = capsys.readouterr().out.splitlines()
    assert r"lead \& first & 0.5000 & [0.2500, 0.7500] \\" in lines
    assert "% rouge1: rouge1|…" in lines


def test_a_folder_gets_every_file(tmp_path, capsys):
    folder = tmp_path / "new"
    arguments = given(output=str(folder))
    check_folder_of(arguments)
    show_study(arguments, STUDY)
    names = ["bars.svg", "lines.svg", "study.json", "systems.csv", "systems.tex"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert json.loads((folder / "study.json").read_text())["seed"] == 3
    assert "rouge1|…" in (folder / "bars.svg").read_text(encoding="utf-8")
    assert "% note: topic 4 was left out" in (folder / "systems.tex").read_text(encoding="utf-8")


def test_a_figure_is_the_same_file_each_time_and_its_letters_are_text():
    for figure in (BARS, LINES):
        drawn = svg_of(figure)
        assert drawn == svg_of(figure)
        assert figure.title in drawn.decode()
    assert re.search(">p</text>", svg_of(LINES).decode())
    assert not re.search(">q</text>", svg_of(LINES).decode())  # its point has no y


def test_a_long_title_is_drawn_in_lines():
    title = "Share of inputs with a significant correlation with scores.litepyramid_recall"
    drawn = svg_of(dataclasses.replace(BARS, title=title)).decode()
    lines = re.findall(r">([^<>]*)</t(?:ext|span)>", drawn)
    assert title not in lines
    assert "Share of inputs with a significant correlation with" in lines
    assert "scores.litepyramid_recall" in lines


def test_an_axis_of_whole_numbers_has_whole_ticks():
    def ticks(x):
        figure = StudyFigure("f", "T", "lines", "n", "", [Series("s", x, [0.1, 0.2, 0.3])])
        return re.findall(
            r">(\d\.\d+)</text>", svg_of(figure).decode().split("matplotlib.axis_2")[0]
        )

    assert not ticks([2.0, 3.0, 4.0])
    assert ticks([2.0, 2.5, 4.0])


def test_what_could_not_be_written_is_refused_before_the_study(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for folder in ("", "-", str(tmp_path / "file")):
        with pytest.raises(DataError, match="is not a folder"):
            check_folder_of(given(output=folder))
    with pytest.raises(DataError, match="does not exist"):
        check_folder_of(given(output=str(tmp_path / "a" / "b")))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="--no-figures"):
        check_folder_of(given(output=str(tmp_path)))
    check_folder_of(given(output=str(tmp_path), no_figures=True))


def test_tables_are_checked():
    with pytest.raises(ValueError, match="no rows"):
        StudyTable("t", "T", [])
    with pytest.raises(ValueError, match="differ in their columns"):
        StudyTable("t", "T", [{"a": 1}, {"b": 1}])
