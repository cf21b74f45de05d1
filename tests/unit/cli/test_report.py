"""`summeval report`, from scores to a page."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

import numpy as np
import pytest

from summeval.cli.main import main
from summeval.meta import compare, correlate, correlation
from summeval.report.tables import short

pytestmark = pytest.mark.filterwarnings("ignore::summeval.meta.arrays.DesignWarning")
HUMANS = ["scores.overall", "scores.fluency"]
VOID = {"meta", "br", "wbr", "circle", "rect", "path"}


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    random = np.random.default_rng(5)
    made = []
    for system, topic in np.ndindex(7, 6):
        overall = int(random.integers(1, 6))
        made.append(
            {
                "system": f"s{system}",
                "topic": f"t{topic}",
                "candidate": "word " * int(random.integers(3, 40)),
                "rouge1.precision": float(random.random()),
                "rouge1.fmeasure": overall / 5 + float(random.random()) / 9,
                "mine.score": float(random.random()),
                "scores": {"overall": overall, "fluency": int(random.integers(1, 6))},
            }
        )
    return made


@pytest.fixture
def path(tmp_path: Path, rows: list[dict[str, Any]]) -> str:
    return write(tmp_path / "a<b.jsonl", rows)


def table(rows: list[dict[str, Any]], column: str) -> np.ndarray:
    """A column as [system, topic]."""
    outer, _, inner = column.partition(".")
    values = [row["scores"][inner] if outer == "scores" else row[column] for row in rows]
    return np.array(values, dtype=float).reshape(7, 6)


def page(path: str, *arguments: str, pictures: bool = False) -> str:
    """The page; without pictures, which take most of the time, unless a test is about them."""
    target = Path(path).with_suffix(".html")
    more = [] if "--bootstrap" in arguments else ["--bootstrap", "99"]
    spec = find_spec("matplotlib") if pictures else None
    with patch("summeval.cli.report.find_spec", return_value=spec):
        assert main(["report", path, "--human", *HUMANS, *arguments, *more, "-o", str(target)]) == 0
    return target.read_text(encoding="utf-8")


class Outline(HTMLParser):
    """Checks that tags match, and gathers what a test asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        assert "src" not in given
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open) and "title" not in self.open:
            self.rows[-1][-1] += data


def test_page_shows_what_compare_finds(path: str, rows: list[dict[str, Any]]) -> None:
    lines = Outline(page(path)).rows
    lengths = np.array([len(row["candidate"].split()) for row in rows], dtype=float)
    metrics = {name: table(rows, name) for name in ("rouge1.fmeasure", "mine.score")}
    metrics["length"] = lengths.reshape(7, 6)
    wanted = compare(metrics, table(rows, HUMANS[0]), resamples=99)
    shown = [line for line in lines if len(line) == 6][1:4]
    assert [line[0] for line in shown] == list(wanted.names)
    for line, found, interval, letters in zip(
        shown, wanted.correlations, wanted.intervals, wanted.letters, strict=True
    ):
        bounds = f"{interval.lower:.3f} to {interval.upper:.3f}"
        assert line[1] == f"{found.value:.3f}".replace("-", "−")
        assert line[2] == bounds.replace("-", "−")
        assert line[3] == letters


def test_page_is_whole_and_needs_no_network(path: str) -> None:
    text = page(path, pictures=True)
    found = Outline(text)
    assert found.open == []
    assert "script" not in found.tags
    assert len(found.ids) == len(set(found.ids))
    inner = {link for link in found.links if link.startswith("#")}
    assert {link.removeprefix("#") for link in inner} <= set(found.ids)
    files = [link for link in found.links if link not in inner]
    assert all(link.startswith(("data:image/svg+xml;", "data:text/csv;")) for link in files)
    for link in files:  # what they save asks for nothing either; a name space is no address
        data = unquote(link).replace("http://www.w3.org/", "")
        assert not re.search(r"https?:|url\((?!#)|@import|<script", data)
    rest = re.sub(r'href="data:[^"]*"', "", text)
    assert not re.search(r"https?:|url\((?!#)|@import", rest)
    assert "a&lt;b.jsonl" in text
    assert "a<b" not in text


def test_every_figure_and_table_has_a_name(path: str) -> None:
    found = Outline(text := page(path, pictures=True))
    assert found.tags.count("table") == found.tags.count("caption") > 0
    assert found.tags.count("svg") == text.count('role="img" aria-labelledby="') > 0
    for key in re.findall(r'role="img" aria-labelledby="([^"]+)" aria-describedby="([^"]+)"', text):
        assert set(key) <= set(found.ids)
    assert found.tags.count("figure") == found.tags.count("figcaption") > 0
    assert found.tags.count("h1") == 1


def test_every_system_is_in_every_plot(path: str) -> None:
    text = page(path, pictures=True)
    for figure in ("systems-picture", *(f"plot-{h}-{m}-picture" for h in (0, 1) for m in range(3))):
        (drawn,) = re.findall(f'<figure id="{figure}">(.*?)</figure>', text, re.DOTALL)
        (saved,) = re.findall(r'href="(data:text/csv[^"]+)"', drawn)
        lines = unquote(saved.partition(",")[2]).splitlines()
        assert {line.split(",")[0] for line in lines[1:]} == {f"s{n}" for n in range(7)}
        shapes = re.findall(r'<use xlink:href="[^"]+" [^>]*fill: var\(--(?:mark|other)\)', drawn)
        assert len(shapes) >= 7
    for system in range(7):
        assert f'<th scope="row"><bdi>s{system}</bdi></th>' in text


def test_missing_length_baseline_is_said(
    tmp_path: Path, rows: list[dict[str, Any]], capsys: Any
) -> None:
    bare = [{key: row[key] for key in row if key != "candidate"} for row in rows]
    path = write(tmp_path / "bare.jsonl", bare)
    assert "Lengths are not known" in page(path)
    assert "Lengths are not known" not in page(path, "--length", "mine.score")


def test_signatures_and_seed_are_told(path: str, tmp_path: Path) -> None:
    sums = tmp_path / "sums"
    sums.write_text("3 rows, 3 scored, 0 null\n\nmean  x\n\nrouge1: rouge1|aggregate:max|v:0.1.0\n")
    text = page(path, "--signatures", str(sums), "--seed", "12")
    assert "<dt>rouge1</dt><dd><code>rouge1|aggregate:max|v:0.1.0</code></dd>" in text
    assert "<dt>seed</dt><dd><code>12</code></dd>" in text
    assert "only Parquet and Arrow files store them" in page(path)


def test_words_that_were_cut_are_told(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        row["candidate"] = "Die Bären schlafen, und wir müssen noch warten. " * 3
        row["support.explained"] = row["mine.score"]
    path = write(tmp_path / "german.jsonl", rows)
    sums = tmp_path / "sums"
    cut = "the tokenizer rouge155 cuts or drops at least 20% of the words"
    english = "support is made for English, and these texts seem not to be English"
    assert all(f"with default options: {line}" in page(path) for line in (cut, english))
    for tokenizer, is_cut in (("rouge155", True), ("unicode-15.0.0", False)):
        sums.write_text(f"mean\n\nrouge1: rouge1|aggregate:max|tokenizer:{tokenizer}|v:0.1.0\n")
        text = page(path, "--signatures", str(sums))
        assert (f"<li>{cut}" in text, english in text) == (is_cut, True)


def test_files_in_columns_bring_signatures(path: str, rows: list[dict[str, Any]]) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    told = {"rouge1": "rouge1|aggregate:max|v:0.1.0", "rouge2": "rouge2|aggregate:max|v:0.1.0"}
    table = pa.Table.from_pylist(rows).replace_schema_metadata({**told, "pandas": "{}"})
    columns = str(Path(path).with_name("scores.parquet"))
    parquet.write_table(table, columns)
    found = page(columns)
    assert "<dt>rouge1</dt><dd><code>rouge1|aggregate:max|v:0.1.0</code></dd>" in found
    assert "<dt>rouge2</dt>" not in found, "rouge2 is not shown"
    assert Outline(found).rows == Outline(page(path)).rows


def test_where_lower_is_better_scores_are_negated(path: str, capsys: Any) -> None:
    arguments = ["report", path, "--human", HUMANS[0], "--bootstrap", "99", "--format", "json"]
    assert main([*arguments, "--metrics", "rouge1", "mine"]) == 0
    plain = {row["metric"]: row for row in json.loads(capsys.readouterr().out)["results"]}
    assert main([*arguments, "--metrics", "rouge1", "mine", "--lower-is-better", "mine"]) == 0
    turned = {row["metric"]: row for row in json.loads(capsys.readouterr().out)["results"]}
    wanted = -plain["mine.score"]["value"]
    assert turned["mine.score"]["value"] == pytest.approx(wanted, abs=1e-14)
    assert (turned["mine.score"]["higher_is_better"], turned["mine.score"]["negated"]) == (
        False,
        True,
    )
    assert turned["rouge1.fmeasure"]["value"] == plain["rouge1.fmeasure"]["value"]
    assert turned["rouge1.fmeasure"]["negated"] is False
    assert main([*arguments, "--metrics", "rouge1", "--lower-is-better", "mine"]) == 2
    assert "mine.score, which is not selected" in capsys.readouterr().err


def test_a_page_marks_what_it_negates(
    path: str, tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    more = [{**row, "simetrix.smoothedJSD": -row["rouge1.fmeasure"]} for row in rows]
    text = page(write(tmp_path / "falling.jsonl", more), pictures=True)
    told = "A minus before a name means that lower is better, so the scores were negated"
    assert f"{told} (simetrix.smoothedJSD)." in text
    lines = {line[0]: line for line in Outline(text).rows if len(line) == 6}
    minus = "\N{MINUS SIGN}simetrix.smoothedJSD"
    assert lines[minus][1] == lines["rouge1.fmeasure"][1]
    for level in ("summary", "system"):
        for part in (f"Pearson r, {level} level.", f"Pearson r between metrics, {level} level."):
            assert minus in [line[0] for line in table_under(text, part)]
    assert f">{minus} against overall, by system" in text
    assert told not in page(path)


def test_a_page_says_what_intervals_and_permutations_draw(path: str) -> None:
    text = page(path)
    drawn = "topics at the summary level, systems and topics at the system level"
    assert f"percentiles of 99 draws of {drawn}" in text
    swapped = "systems and topics at the summary level, systems at the system level"
    assert f"<dt>permutations</dt><dd><code>99 of {swapped}</code>" in text
    assert "percentiles of 99 draws of systems." in page(path, "--over", "systems")


def test_without_human_all_numbers_that_no_metric_gave_are_what_people_said(
    tmp_path: Path, rows: list[dict[str, Any]], capsys: Any
) -> None:
    options = ["--bootstrap", "99", "--format", "json"]
    more = [
        {**row, "id": n, "split": "test", "flag": True, "note": None} for n, row in enumerate(rows)
    ]
    plain = write(tmp_path / "a.jsonl", more)
    assert main(["report", plain, *options, "--human", *HUMANS]) == 0
    named = capsys.readouterr().out
    assert main(["report", plain, *options]) == 0
    assert capsys.readouterr().out == named
    judged = [
        {"system": row["system"], "topic": row["topic"], "all": n} for n, row in enumerate(rows)
    ]
    with open(tmp_path / "b.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*judged[0]])
        writer.writeheader()
        writer.writerows(judged)
    assert main(["report", plain, *options, "--judgements", str(tmp_path / "b.csv")]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {row["human"] for row in results} == {"all"}


def test_without_human_what_is_named_as_a_metric_is_none_of_what_people_said(
    tmp_path: Path, rows: list[dict[str, Any]], capsys: Any
) -> None:
    more = [{**row, "cost": -row["rouge1.fmeasure"], "own": n} for n, row in enumerate(rows)]
    path = write(tmp_path / "a.jsonl", more)
    options = ["--bootstrap", "99", "--format", "json", "--level", "summary"]
    wanted = ["cost", "rouge1.fmeasure", "mine.score", "own", "length"]
    assert main(["report", path, *options, "--lower-is-better", "cost"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    assert {row["human"] for row in found} == {*HUMANS, "own"}
    assert {row["metric"] for row in found} == {*wanted} - {"own"}
    values = {row["metric"]: row["value"] for row in found if row["human"] == HUMANS[0]}
    assert values["cost"] == pytest.approx(values["rouge1.fmeasure"], abs=1e-14)
    names = ["-m", "own", "rouge1", "mine", "cost", "--lower-is-better", "cost"]
    assert main(["report", path, *options, *names]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    assert {row["human"] for row in found} == {*HUMANS}
    assert {row["metric"] for row in found} == {*wanted}


def test_what_falls_is_shown_beside_the_value_of_its_metric(path: str, capsys: Any) -> None:
    arguments = ["report", path, "--human", HUMANS[0], "--bootstrap", "99", "--format", "json"]
    assert main([*arguments, "--lower-is-better", "rouge1.precision"]) == 0
    found = json.loads(capsys.readouterr().out)["results"]
    wanted = {"rouge1.precision": True, "rouge1.fmeasure": False, "mine.score": False}
    assert {row["metric"]: row["negated"] for row in found} == wanted | {"length": False}


def test_without_human_and_without_other_numbers_there_is_nothing_to_report(
    tmp_path: Path, rows: list[dict[str, Any]], capsys: Any
) -> None:
    judged = write(tmp_path / "judged.jsonl", [{"system": "s0", "topic": "t0", "said": "well"}])
    path = write(tmp_path / "a.jsonl", [{**row, "scores": {}} for row in rows])
    assert main(["report", path, "--judgements", judged]) == 1
    assert "no column seems to hold human scores; name one" in capsys.readouterr().err


def table_under(text: str, caption: str) -> list[list[str]]:
    """The rows of the table with this caption, without its head."""
    tables = re.findall(r"<table class=.*?</table>", text, re.DOTALL)
    (found,) = [part for part in tables if f"<caption><span>{caption}</span>" in part]
    return Outline(found).rows[1:]


def test_heat_maps_hold_the_correlations(path: str, rows: list[dict[str, Any]]) -> None:
    text = page(path)
    names = ["rouge1.fmeasure", "mine.score"]
    for level in ("summary", "system"):
        found = table_under(text, f"Pearson r, {level} level.")
        for name, line in zip(names, found, strict=False):
            wanted = [correlation(table(rows, name), table(rows, h), level=level) for h in HUMANS]
            assert line == [name, *(f"{value:.2f}".replace("-", "−") for value in wanted)]
    for level in ("summary", "system"):
        found = table_under(text, f"Pearson r between metrics, {level} level.")
        own = correlation(*(table(rows, name) for name in names), level=level)
        assert found[0][:3] == [names[0], "1.00", f"{own:.2f}".replace("-", "−")]


def test_missing_cells_are_missing_for_every_coefficient(
    tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    path = write(tmp_path / "x.jsonl", [{**rows[0], "mine.score": None}, *rows[1:]])
    people = table(rows, HUMANS[0])
    lengths = np.array([len(row["candidate"].split()) for row in rows], dtype=float).reshape(7, 6)
    people[0, 0] = lengths[0, 0] = np.nan
    text = page(path, pictures=True)
    line = next(line for line in Outline(text).rows if len(line) == 6 and line[0] == "length")
    wanted = correlate(lengths, people, "spearman").value
    assert line[4] == f"{wanted:.3f}".replace("-", "−")
    # A plot has the means of the cells that both have.
    mean, said = (
        float(np.nanmean(values[0, 1:])) for values in (table(rows, "mine.score"), people)
    )
    drawn = re.findall(r'<figure id="plot-0-1-picture">.*?(data:text/csv[^"]+)"', text, re.DOTALL)
    line = unquote(drawn[0].partition(",")[2]).splitlines()[1].split(",")
    assert [line[0], *map(float, line[1:])] == ["s0", pytest.approx(mean), pytest.approx(said)]


def test_every_metric_has_a_distribution(path: str, rows: list[dict[str, Any]]) -> None:
    text = page(path, pictures=True)
    for name, label in (("rouge1.fmeasure", "rouge1"), ("mine.score", "mine.score")):
        values = [row[name] for row in rows]
        told = f"42 scores from {short(min(values))} to {short(max(values))}"
        assert f"<strong>{label}</strong><span>{told}</span>" in text


def test_what_has_no_correlation_shows_a_dash(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    path = write(tmp_path / "x.jsonl", [{**row, "a.same": 3} for row in rows])
    text = page(path)
    for level in ("summary", "system"):
        found = table_under(text, f"Pearson r, {level} level.")
        assert [line for line in found if line[0] == "a.same"] == [["a.same", "–", "–"]]


def test_seed_is_that_of_the_draws(path: str, capsys: Any) -> None:
    found = []
    for seed in ("0", "0", "1"):
        arguments = ["--human", HUMANS[0], "--bootstrap", "99", "--format", "csv", "--seed", seed]
        assert main(["report", path, *arguments]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1] != found[2]


def test_same_seed_same_page(path: str) -> None:
    first = page(path, pictures=True)
    assert page(path, pictures=True) == first
    assert page(path, "--seed", "1") != page(path)


@pytest.mark.parametrize("form", ["csv", "json", "latex"])
def test_the_table_alone(path: str, rows: list[dict[str, Any]], form: str, capsys: Any) -> None:
    arguments = ["--human", *HUMANS, "--bootstrap", "99", "--coefficient", "kendall"]
    assert main(["report", path, *arguments, "--format", form, "--level", "global"]) == 0
    out = capsys.readouterr().out
    own = correlation(table(rows, "mine.score"), table(rows, HUMANS[1]), "kendall", "global")
    if form == "latex":
        assert r"\begin{tabular}" in out
        assert f" & {own:.4f} & " in out
        return
    document = json.loads(out) if form == "json" else {"results": csv.DictReader(out.splitlines())}
    found = [
        row
        for row in document["results"]
        if row["human"] == HUMANS[1] and row["metric"] == "mine.score"
    ]
    assert [float(row["value"]) for row in found] == [own]


def test_empty_and_constant_columns_are_said(
    tmp_path: Path, rows: list[dict[str, Any]], capsys: Any
) -> None:
    path = write(tmp_path / "x.jsonl", [{**row, "a.none": None, "a.same": 3} for row in rows])
    text = page(path)
    assert "a.none: left out, no row has a value" in text
    assert "a.same: 3 in all 42 cells; no correlation" in text


def test_too_few_permutations_are_said(path: str) -> None:
    needed = "3 metrics need 60 permutations"
    assert needed in page(path, "--bootstrap", "58")
    assert needed not in page(path, "--bootstrap", "59")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--human", "scores.overal"], 1, "did you mean 'scores.overall'"),
        (["--human", "scores.overall", "--metrics", "mine.scor"], 1, "did you mean 'mine.score'?"),
        (["--human", "scores.overall", "--length", "len"], 1, "no 'len'"),
        (["--human", "scores.overall", "--bootstrap", "0"], 2, "at least 1"),
        (["--human", "scores.overall", "--alpha", "5"], 2, "such as 0.05"),
        (["--human", "scores.overall", "--signatures", "none"], 1, "none: no such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    path: str, arguments: list[str], status: int, message: str, capsys: Any
) -> None:
    assert main(["report", path, *arguments]) == status
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.0001, "0.0001"),
        (0.00009994, "0.0001"),
        (0.000012, "1.2e−05"),
        (999_999.0, "999999"),
        (1e6, "1e+06"),
        (-1e6, "−1e+06"),
        (float("nan"), "–"),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert short(value) == text
